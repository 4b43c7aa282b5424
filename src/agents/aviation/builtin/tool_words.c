/*
 * A hash table of words. Each has a bit for every list that it is in.
 */
#include "agents/aviation/builtin/tool_words.h"

#include <string.h>

#include "base/datafile.h"
#include "base/str.h"

struct tool_word_lists {
	struct listed {
		const char *word;     /* NULL: empty */
		uint64_t lists;
	} *slot;
	size_t nslots;                /* a power of two */
};

_Static_assert(WORDS__MAX <= 64, "a word has a bit for each list");

#define TOOL_WORDS_NAME(constant, name) { name, WORDS_##constant },
static const struct datafile_name names[] = { TOOL_WORDS(TOOL_WORDS_NAME) };

/* Never freed. */
static struct {
	struct arena *mem;            /* NULL: not open yet */
	struct tool_word_lists *lists;
} in_use;

static struct listed *slot_of(const struct tool_word_lists *l, const char *word)
{
	size_t i = (size_t)str_hash(word) & (l->nslots - 1);
	while (l->slot[i].word != NULL && !streq(l->slot[i].word, word))
		i = (i + 1) & (l->nslots - 1);
	return &l->slot[i];
}

bool tool_word(enum tool_words list, const char *fold)
{
	return (slot_of(in_use.lists, fold)->lists >> list & 1) != 0;
}

static enum errcode read_list(struct tool_word_lists *l, struct arena *a, struct datafile *d,
    const struct datafile_row *r, uint64_t *filled, struct err *e)
{
	char **word;
	size_t n;
	int list;
	enum errcode rc = datafile_name(d, r, r->field[0], names, WORDS__MAX, &list, e);
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

enum errcode tool_words_read(struct tool_word_lists **out, struct arena *a, const char *path,
    struct err *e)
{
	struct arena *scratch = arena_new();  /* holds the content of the file */
	struct tool_word_lists *l = arena_alloc(a, sizeof(*l));
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
	for (size_t i = 0; rc == OK && i < WORDS__MAX; i++)
		if ((filled >> i & 1) == 0)
			rc = err_set(e, ERR_CONFIG, "%s: the list \"%s\" is missing", path, names[i].name);
	arena_free(scratch);
	*out = l;
	return rc;
}

enum errcode tool_words_open(const char *data_dir, struct err *e)
{
	if (in_use.mem != NULL)
		return OK;
	struct arena *a = arena_new();
	enum errcode rc = tool_words_read(&in_use.lists, a,
	    arena_printf(a, "%s/conf/language/en/tool_words.txt", data_dir), e);
	if (rc == OK)
		in_use.mem = a;
	else
		arena_free(a);
	return rc;
}
