/*
 * A message is in the language that has most of its words in common.txt. A word with a capital may be
 * part of a name ("La Rochelle"), so it counts less. A short word before a word of no language ("le touquet") may be part of a
 * name too. A word in capitals is a code ("DE").
 */
#include "language/languages.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/datafile.h"
#include "base/log.h"
#include "base/str.h"
#include "language/stem.h"
#include "language/words.h"

enum { WORD_COUNTS = 4, NAME_COUNTS = 1, LETTER_COUNTS = 2, SMALL = 3 };

struct common {
	const char *word;                     /* NULL: common[0], which stands for every word that is not in the table */
	uint8_t languages;                    /* a bit for each that has it */
	bool foreign;                         /* one that is not understood has it */
};

static const struct languages {
	struct arena *mem;
	size_t n;
	const char *code[LANGUAGES_MAX];
	struct common *common;                /* [0] stands for every word that is not in the table */
	size_t ncommon, most;
	uint16_t *slot;                       /* an index into `common`; 0: the slot is free */
	size_t nslots;                        /* a power of two */
} *in_use;

static const struct languages *languages(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "languages", "a message was read before languages_open()");
		abort();
	}
	return in_use;
}

size_t languages_count(void)
{
	return languages()->n;
}

const char *language_at(size_t i)
{
	return languages()->code[i];
}

const char *language_find(const char *code)
{
	const struct languages *l = languages();
	for (size_t i = 0; code != NULL && i < l->n; i++)
		if (streq(l->code[i], code))
			return l->code[i];
	return NULL;
}

static uint16_t *slot_of(const struct languages *l, const char *word)
{
	size_t i = (size_t)str_hash(word) & (l->nslots - 1);
	while (l->slot[i] != 0 && !streq(l->common[l->slot[i]].word, word))
		i = (i + 1) & (l->nslots - 1);
	return &l->slot[i];
}

static const struct common *common_of(const struct languages *l, const char *word)
{
	return &l->common[*slot_of(l, word)];
}

/* The row of a word, which is added if it is new. */
static struct common *put(struct languages *l, char *word)
{
	uint16_t *slot = slot_of(l, word);
	if (*slot == 0) {
		if (l->ncommon == l->most)
			abort();              /* read_all() has counted wrong, and the memory behind the rows is not ours */
		*slot = (uint16_t)++l->ncommon;
		l->common[l->ncommon].word = word;
	}
	return &l->common[*slot];
}

/* ---- the guess ------------------------------------------------------------------------------- */

static void add(unsigned score[LANGUAGES_MAX], unsigned which, unsigned counts)
{
	for (size_t i = 0; i < LANGUAGES_MAX; i++)
		if ((which >> i & 1) != 0)
			score[i] += counts;
}

/* Is it of a script that none of our languages has? */
static bool other_script(const char *word)
{
	uint32_t c;
	return utf8_decode(word, strnlen(word, 4), &c) > 0 && (c >= 0x370 && !(c >= 0x1e00 && c < 0x2e80));
}

bool language_is_foreign(const struct words *w)
{
	enum { ENOUGH = 2, CODE = 4 };
	const struct languages *l = languages();
	size_t letters = 0, foreign = 0, both = 0, ours = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct word *at = &w->word[i];
		if (at->kind != WORD_LETTERS)
			continue;
		letters++;
		const struct common *c = common_of(l, at->fold);
		const bool code = at->upper && (!w->shouted || strlen(at->fold) <= CODE);
		const bool name = at->title && !at->upper && i > 0 && !at->line;
		ours += c->languages != 0 && !c->foreign;
		both += c->languages != 0 && c->foreign;
		foreign += c->languages == 0 && (c->foreign || other_script(at->fold)) && !code && !name;
	}
	return foreign > ours && (foreign >= ENOUGH || foreign + both == letters);
}

/* May the word be part of a name? */
static bool may_be_name(const struct languages *l, const struct words *w, size_t i)
{
	const struct word *at = &w->word[i], *next = i + 1 < w->n ? at + 1 : NULL;

	if (at->title && i > 0 && !w->shouted && !at->line)
		return true;
	return strlen(at->fold) <= SMALL && next != NULL && next->kind == WORD_LETTERS && common_of(l, next->fold)->word == NULL;
}

const char *language_guess(const struct words *w, const char *before)
{
	const struct languages *l = languages();
	unsigned score[LANGUAGES_MAX] = { 0 };
	char letter[5];

	if (language_is_foreign(w))
		return language_find("en");

	for (size_t i = 0; i < w->n; i++) {
		const struct word *at = &w->word[i];
		if (at->kind != WORD_LETTERS)
			continue;
		if (at->upper && !w->shouted)
			continue;
		const bool name = may_be_name(l, w, i);
		add(score, common_of(l, at->fold)->languages, name ? NAME_COUNTS : WORD_COUNTS);
		for (size_t p = at->start, n; p < at->end; p += n) {
			n = utf8_len(w->text + p, at->end - p);
			if (n < 2) {
				n = n == 0 ? 1 : n;
				continue;
			}
			memcpy(letter, w->text + p, n);
			letter[n] = '\0';
			add(score, common_of(l, letter)->languages, name ? NAME_COUNTS : LETTER_COUNTS);
		}
	}
	before = language_find(before);
	const char *best = before != NULL ? before : language_find("en");
	unsigned most = 0;
	for (size_t i = 0; i < l->n; i++)
		if (l->code[i] == best)
			most = score[i] + (before != NULL ? WORD_COUNTS : 0);
	for (size_t i = 0; i < l->n; i++) {
		if (score[i] > most) {
			most = score[i];
			best = l->code[i];
		}
	}
	return best;
}

const char *language_accepted(const char *field)
{
	const char *best = NULL;
	double most = 0;
	struct str one;

	while (field != NULL && str_part(&field, ',', &one)) {
		const char *const start = one.p + strspn(one.p, " \t");
		const char code[] = { ascii_lower(start[0]), start[0] != '\0' ? ascii_lower(start[1]) : '\0', '\0' };
		const char *const q = memmem(one.p, one.n, "q=", 2);
		const char *const language = strlen(code) == 2 && strchr(" \t,;-", start[2]) != NULL ? language_find(code) : NULL;
		const double likes = q != NULL ? strtod(q + 2, NULL) : 1;
		if (language != NULL && likes > most) {
			most = likes;
			best = language;
		}
	}
	return best;
}

bool language_has(const char *word)
{
	return common_of(languages(), word)->languages != 0;
}

size_t language_known(const struct words *w)
{
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		n += w->word[i].kind == WORD_LETTERS && language_has(w->word[i].fold);
	return n;
}

/* ---- the files ------------------------------------------------------------------------------- */

static int by_code(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The folders that have the file. */
static enum errcode find_all(struct languages *l, const char *folder, struct err *e)
{
	DIR *d = opendir(folder);
	enum errcode rc = d == NULL ? err_set(e, ERR_CONFIG, "%s: the folder cannot be read", folder) : OK;
	for (struct dirent *at; rc == OK && (at = readdir(d)) != NULL;) {
		if (at->d_name[0] == '.' ||
		    access(arena_printf(l->mem, "%s/%s/common.txt", folder, at->d_name), F_OK) != 0)
			continue;
		if (l->n == LANGUAGES_MAX)
			rc = err_set(e, ERR_CONFIG, "%s: more than %d languages", folder, LANGUAGES_MAX);
		else if (!stem_known(at->d_name))
			rc = err_set(e, ERR_CONFIG, "%s/%s: no language with this code has a stemmer", folder,
			    at->d_name);
		else
			l->code[l->n++] = arena_strdup(l->mem, at->d_name);
	}
	if (d != NULL)
		closedir(d);
	qsort(l->code, l->n, sizeof(l->code[0]), by_code);
	for (size_t i = 0; rc == OK && i < l->n; i++)
		if (streq(l->code[i], "en"))
			return OK;
	return rc != OK ? rc : err_set(e, ERR_CONFIG, "%s/en/common.txt is missing", folder);
}

enum { ROW_WORDS, ROW_LETTERS };

static enum errcode read_row(struct languages *l, unsigned bit, struct datafile *d, const struct datafile_row *r,
    struct err *e)
{
	static const struct datafile_name names[] = { { "words", ROW_WORDS }, { "letters", ROW_LETTERS } };
	char **element;
	size_t n;
	int what;
	enum errcode rc = datafile_name(d, r, r->field[0], names, 2, &what, e);
	if (rc == OK)
		rc = datafile_list(d, r, 1, d->mem, &element, &n, e);
	for (size_t i = 0; rc == OK && i < n; i++) {
		char *word = what == ROW_WORDS ? str_fold(l->mem, element[i])
		    : arena_strdup(l->mem, element[i]);
		if (what == ROW_LETTERS && (strlen(word) < 2 || utf8_count(word, strlen(word)) != 1))
			return datafile_fault(d, r, e, "\"%s\" is not one letter outside of ASCII", word);
		put(l, word)->languages |= (uint8_t)bit;
		rc = datafile_once(d, r, what, word, e);
	}
	return rc;
}

/* "Italian; il, lo, gli" */
static enum errcode read_foreign(struct languages *l, struct datafile *d, const struct datafile_row *r, struct err *e)
{
	char **element;
	size_t n;
	enum errcode rc = datafile_list(d, r, 1, d->mem, &element, &n, e);
	if (rc == OK && n == 0)
		return datafile_fault(d, r, e, "has no words");
	for (size_t i = 0; rc == OK && i < n; i++) {
		char *word = str_fold(l->mem, element[i]);
		if (strpbrk(word, " \t") != NULL || *word == '\0')
			return datafile_fault(d, r, e, "\"%s\" is not one word", element[i]);
		put(l, word)->foreign = true;
	}
	return rc;
}

static enum errcode read_all(struct languages *l, const char *folder, struct arena *scratch, struct err *e)
{
	struct datafile file[LANGUAGES_MAX], foreign;
	size_t elements = 0;
	enum errcode rc = find_all(l, folder, e);

	if (rc == OK)
		rc = datafile_read(&foreign, scratch, arena_printf(scratch, "%s/common/foreign.txt", folder), 2, 2, e);
	elements += rc == OK ? foreign.elements : 0;

	for (size_t i = 0; rc == OK && i < l->n; i++) {
		rc = datafile_read(&file[i], scratch, arena_printf(scratch, "%s/%s/common.txt", folder,
		    l->code[i]), 2, 2, e);
		elements += rc == OK ? file[i].elements : 0;
	}
	if (rc == OK && elements >= UINT16_MAX)
		rc = err_set(e, ERR_CONFIG, "%s: the files common.txt and foreign.txt have %zu entries, but at most %d are allowed; remove "
		    "some", folder, elements, UINT16_MAX - 1);
	l->common = arena_array(l->mem, elements + 1, sizeof(*l->common));
	l->most = elements;
	for (l->nslots = 64; l->nslots < 2 * elements;)
		l->nslots *= 2;
	l->slot = arena_array(l->mem, l->nslots, sizeof(*l->slot));
	for (size_t i = 0; rc == OK && i < l->n; i++)
		for (size_t k = 0; rc == OK && k < file[i].n; k++)
			rc = read_row(l, 1u << i, &file[i], &file[i].row[k], e);
	for (size_t k = 0; rc == OK && k < foreign.n; k++)
		rc = read_foreign(l, &foreign, &foreign.row[k], e);
	return rc;
}

enum errcode languages_open(const char *data_dir, struct err *e)
{
	if (in_use != NULL)
		return OK;
	struct arena *a = arena_new(), *scratch = arena_new();
	struct languages *l = arena_alloc(a, sizeof(*l));
	l->mem = a;
	enum errcode rc = read_all(l, arena_printf(scratch, "%s/conf/language", data_dir), scratch, e);
	arena_free(scratch);
	if (rc == OK)
		in_use = l;
	else
		arena_free(a);
	return rc;
}
