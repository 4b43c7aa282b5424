/*
 * One hash table for all languages. If two languages have a word in common with different meanings, the one that says yes
 * or no is used: an empty word that counts as "no" changes an order, a "no" that is not seen hides a contradiction.
 */
#include "rules/answer_words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/datafile.h"
#include "base/log.h"
#include "language/languages.h"

enum { ENDING = ANSWER_NO + 1 /* of words that mean no */, ENDINGS_MAX = 16 };

struct answer_slot {
	const char *word;                     /* NULL: empty */
	enum answer_word means;
};

static const struct answer_words {
	struct arena *mem;
	struct answer_slot *slot;
	size_t nslots;                        /* a power of two */
	const char *ending[ENDINGS_MAX];
	size_t nendings;
} *in_use;

static struct answer_slot *slot_of(const struct answer_words *w, struct str word)
{
	uint64_t h = 0xcbf29ce484222325U;
	for (size_t i = 0; i < word.n; i++)
		h = (h ^ (unsigned char)word.p[i]) * 0x100000001b3U;
	size_t at = (size_t)(h ^ h >> 32) & (w->nslots - 1);
	while (w->slot[at].word != NULL && !str_eq(word, w->slot[at].word))
		at = (at + 1) & (w->nslots - 1);
	return &w->slot[at];
}

enum answer_word answer_word(struct str word)
{
	const struct answer_words *w = in_use;
	if (w == NULL) {
		log_msg(LOG_ERROR, "answer_words", "an answer was read before answer_words_open()");
		abort();
	}
	const struct answer_slot *at = slot_of(w, word);
	if (at->word != NULL)
		return at->means;
	for (size_t i = 0; i < w->nendings; i++) {
		size_t n = strlen(w->ending[i]);
		if (word.n > n && memcmp(word.p + word.n - n, w->ending[i], n) == 0)
			return ANSWER_NO;
	}
	return ANSWER_PLAIN;
}

static enum errcode read_row(struct answer_words *w, struct datafile *d, const struct datafile_row *r, struct err *e)
{
	static const struct datafile_name names[] = { { "empty", ANSWER_EMPTY }, { "yes", ANSWER_YES },
		{ "no", ANSWER_NO }, { "no_ending", ENDING } };
	char **element;
	size_t n;
	int what;
	enum errcode rc = datafile_name(d, r, r->field[0], names, sizeof(names) / sizeof(names[0]), &what, e);
	if (rc == OK)
		rc = datafile_list(d, r, 1, d->mem, &element, &n, e);
	for (size_t i = 0; rc == OK && i < n; i++) {
		char *word = str_fold(w->mem, element[i]);
		if (*word == '\0' || word[strcspn(word, " \t")] != '\0')
			return datafile_fault(d, r, e, "\"%s\" is not one word", element[i]);
		rc = datafile_once(d, r, what == ENDING, word, e);
		if (rc == OK && what == ENDING && w->nendings == ENDINGS_MAX)
			return datafile_fault(d, r, e, "there are more than %d endings", ENDINGS_MAX);
		if (rc == OK && what == ENDING) {
			w->ending[w->nendings++] = word;
			continue;
		}
		struct answer_slot *at = slot_of(w, str_of(word));
		at->word = word;
		if (at->means < (enum answer_word)what)
			at->means = (enum answer_word)what;
	}
	return rc;
}

static enum errcode read_all(struct answer_words *w, const char *data_dir, struct arena *scratch, struct err *e)
{
	struct datafile file[LANGUAGES_MAX];
	size_t n = 0, elements = 0;
	enum errcode rc = OK;

	for (size_t i = 0; rc == OK && i < languages_count(); i++) {
		const char *path = arena_printf(scratch, "%s/conf/language/%s/answer_words.txt", data_dir, language_at(i));
		if (access(path, F_OK) != 0)
			continue;
		rc = datafile_read(&file[n], scratch, path, 2, 2, e);
		if (rc == OK)
			elements += file[n++].elements;
	}
	if (rc == OK && n == 0)
		rc = err_set(e, ERR_CONFIG, "%s/conf/language: no language has a file answer_words.txt", data_dir);
	for (w->nslots = 64; w->nslots < 2 * elements;)
		w->nslots *= 2;
	w->slot = arena_array(w->mem, w->nslots, sizeof(*w->slot));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; rc == OK && k < file[i].n; k++)
			rc = read_row(w, &file[i], &file[i].row[k], e);
	return rc;
}

enum errcode answer_words_open(const char *data_dir, struct err *e)
{
	if (in_use != NULL)
		return OK;
	struct arena *a = arena_new(), *scratch = arena_new();
	struct answer_words *w = arena_alloc(a, sizeof(*w));
	w->mem = a;
	enum errcode rc = read_all(w, data_dir, scratch, e);
	arena_free(scratch);
	if (rc == OK)
		in_use = w;
	else
		arena_free(a);
	return rc;
}
