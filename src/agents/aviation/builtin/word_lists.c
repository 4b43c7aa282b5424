/*
 * A hash table of words. Each has a bit for every list that it is in.
 */
#include "agents/aviation/builtin/word_lists.h"

#include <string.h>

#include "base/datafile.h"
#include "base/str.h"

struct word_lists {
	struct listed {
		const char *word;     /* NULL: empty */
		uint64_t lists;
	} *slot;
	size_t nslots;                /* a power of two */
};

_Static_assert(LIST__MAX <= 64, "a word has a bit for each list");

#define WORD_LIST_NAME(constant, name) { name, LIST_##constant },
static const struct datafile_name names[] = { WORD_LISTS(WORD_LIST_NAME) };

static const struct word_lists *in_use;

void word_lists_use(const struct word_lists *lists)
{
	in_use = lists;
}

static struct listed *slot_of(const struct word_lists *l, const char *word)
{
	size_t i = (size_t)str_hash(word) & (l->nslots - 1);
	while (l->slot[i].word != NULL && !streq(l->slot[i].word, word))
		i = (i + 1) & (l->nslots - 1);
	return &l->slot[i];
}

bool word_listed(enum word_list list, const char *fold)
{
	return (slot_of(in_use, fold)->lists >> list & 1) != 0;
}

static enum errcode read_list(struct word_lists *l, struct arena *a, struct datafile *d,
    const struct datafile_row *r, uint64_t *filled, struct err *e)
{
	char **word;
	size_t n;
	int list;
	enum errcode rc = datafile_name(d, r, r->field[0], names, LIST__MAX, &list, e);
	if (rc == OK)
		rc = datafile_list(d, r, 1, d->mem, &word, &n, e);
	for (size_t i = 0; rc == OK && i < n; i++) {
		word[i] = str_fold(a, word[i]);
		struct listed *at = slot_of(l, word[i]);
		if (at->word == NULL)
			at->word = word[i];
		at->lists |= UINT64_C(1) << list;
		*filled |= UINT64_C(1) << list;
		rc = strchr(word[i], ' ') == NULL ? datafile_once(d, r, list, word[i], e)
		    : datafile_fault(d, r, e, "\"%s\" is more than one word", word[i]);
	}
	return rc;
}

enum errcode word_lists_read(struct word_lists **out, struct arena *a, const char *path,
    struct err *e)
{
	struct arena *scratch = arena_new();  /* holds the content of the file */
	struct word_lists *l = arena_alloc(a, sizeof(*l));
	struct datafile d;
	uint64_t filled = 0;
	enum errcode rc = datafile_read(&d, scratch, path, 2, 2, e);
	if (rc == OK) {
		for (l->nslots = 64; l->nslots < 2 * d.elements;)
			l->nslots *= 2;
		l->slot = arena_array(a, l->nslots, sizeof(*l->slot));
	}
	for (size_t i = 0; rc == OK && i < d.n; i++)
		rc = read_list(l, a, &d, &d.row[i], &filled, e);
	for (size_t i = 0; rc == OK && i < LIST__MAX; i++)
		if ((filled >> i & 1) == 0)
			rc = err_set(e, ERR_CONFIG, "%s: the list \"%s\" is missing", path, names[i].name);
	arena_free(scratch);
	*out = l;
	return rc;
}
