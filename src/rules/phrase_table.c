/*
 * The table of phrases.
 *
 * A phrase is found by a hash of its stems: written together, so that blanks and hyphens do not
 * matter, or, if it is short or not a row's, with blanks. The table is made from the rows, the
 * plain words, and the names of countries, which tell a place and no subject; of equal phrases the
 * first is kept. The words of the rows are kept too, for correcting misspelt words.
 */
#include "rules/phrase_table.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "rules/stem.h"

enum {
	SLOTS = 16384,               /* a power of two, well above the number of phrases */
	NAME_MAX = 64,               /* longest name of a country */
	GUESS_MIN = 6,               /* the shortest word that may be a typing error */
	/* well above the number of words that a typing error may mean */
	GUESSES = 4096,
	STEM_MIN = 4,                /* "ats" is not a plural */
	/* a phrase of at least this many letters is found without its blanks */
	JOIN_MIN = 5,
	/* the kinds of values in a slot: a row, by its subject and its index; else */
	SUBJECT_SHIFT = 10,
	COUNTRIES = 0x8000,          /* and above: a country, by its index */
	NOTHING = UINT16_MAX,        /* plain words */
};

static struct {
	uint32_t hash[SLOTS];        /* 0: empty */
	uint16_t is[SLOTS];
	size_t nphrases;
	const char *guess[GUESSES];  /* words of the rows, hashed too; not ended by NUL */
	uint8_t guess_len[GUESSES];  /* 0: empty */
	size_t nguesses;
} table;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

/* -- phrases -- */

static uint32_t hash_on(uint32_t h, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 16777619U;
	return h;
}

void term_phrase_put(struct term_phrase *p, const char *stem, size_t n)
{
	if (p->letters > 0)
		p->spaced = hash_on(p->spaced, " ", 1);
	p->joined = hash_on(p->joined, stem, n);
	p->spaced = hash_on(p->spaced, stem, n);
	p->letters += n;
}

static bool joins(const struct term_phrase *p)
{
	return p->letters >= JOIN_MIN;
}

static uint32_t hash_end(uint32_t h)
{
	h ^= h >> 15;
	return h == 0 ? 1 : h;
}

/* Words that share a stem with others of a different meaning ("internal", "controlled",
 * "foreign"). */
static bool has_own_stem(const char *word, size_t n)
{
	static const char *const rows[] = { "international", "controller", "controllers", "foreigner",
		"foreigners", "visibility", "importance", "important" };

	if (n < sizeof("important") - 1)
		return false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (str_eq((struct str){ word, n }, rows[i]))
			return true;
	return false;
}

size_t term_stem(char *word, size_t n)
{
	if (has_own_stem(word, n))
		return word[n - 1] == 's' ? n - 1 : n;
	return n < STEM_MIN ? n : stem(word, n);
}

bool term_passed_over(const char *stem, size_t n)
{
	static const char *const rows[] = { "the", "my", "an", "your", "our", "any", "thi", "that",
		"its", "their", "his", "is", "are", "be", "do", "doe", "i", "you", "we", "one", "can",
		"should", "all" };

	if (n > sizeof("should") - 1)
		return false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (stem[0] == rows[i][0] && streq(stem, rows[i]))
			return true;
	return false;
}

/* The slot of a hash, or the empty slot for it. */
static size_t slot_of(uint32_t h)
{
	size_t i = h & (SLOTS - 1);

	while (table.hash[i] != 0 && table.hash[i] != h)
		i = (i + 1) & (SLOTS - 1);
	return i;
}

/* The meaning of a phrase: as written, or, if it is a row's, without blanks. False: it has none. */
static bool find(const struct term_phrase *p, uint16_t *is)
{
	size_t at = slot_of(hash_end(p->spaced));

	if (table.hash[at] == 0 && joins(p)) {
		at = slot_of(hash_end(p->joined));
		if (table.is[at] >= COUNTRIES)
			return false;
	}
	*is = table.is[at];
	return table.hash[at] != 0;
}

static bool find_named(const char *name, uint16_t *is)
{
	struct term_phrase phrase = TERM_PHRASE_START;

	while (*name != '\0') {
		char word[TERM_BYTES];
		size_t n = strcspn(name, " "), len = n < sizeof(word) ? n : sizeof(word) - 1;

		memcpy(word, name, len);
		term_phrase_put(&phrase, word, term_stem(word, len));
		name += n + (name[n] == ' ');
	}
	return find(&phrase, is) && *is < COUNTRIES;
}

static const struct synonym_row *row_of(uint16_t is)
{
	return &synonyms[is >> SUBJECT_SHIFT]->row[is & ((1U << SUBJECT_SHIFT) - 1)];
}

bool term_phrase_means(const struct term_phrase *p, struct term_meaning *m)
{
	uint16_t is;

	*m = (struct term_meaning){ NULL, NULL };
	if (!find(p, &is))
		return false;
	if (is < COUNTRIES)
		m->row = row_of(is);
	else if (is != NOTHING)
		m->country = country_at(is - COUNTRIES);
	return true;
}

const struct synonym_row *synonym_row_named(const char *phrase)
{
	uint16_t is;

	return find_named(phrase, &is) ? row_of(is) : NULL;
}

/* -- making the table -- */

/* A word of the rows; each is kept once. */
static void remember(const char *word, size_t n)
{
	size_t at = hash_on(TERM_PHRASE_START.joined, word, n) % GUESSES;

	if (n < GUESS_MIN || n >= TERM_BYTES || table.nguesses > GUESSES / 4 * 3)
		return;
	while (table.guess_len[at] != 0) {
		if (table.guess_len[at] == n && memcmp(table.guess[at], word, n) == 0)
			return;
		at = (at + 1) % GUESSES;
	}
	table.guess[at] = word;
	table.guess_len[at] = (uint8_t)n;
	table.nguesses++;
}

/* Add a phrase of a row; of equal phrases the first is kept. */
static void phrase_add(const char *p, size_t n, uint16_t is)
{
	struct term_phrase phrase = TERM_PHRASE_START;
	size_t i = 0, at;
	uint32_t hash;

	while (i < n) {
		char w[TERM_BYTES];
		size_t k = i;

		while (k < n && p[k] != ' ')
			k++;
		size_t len = k - i < sizeof(w) ? k - i : sizeof(w) - 1;
		memcpy(w, p + i, len);
		len = term_stem(w, len);
		w[len] = '\0';
		if (i == 0 || k == n || !term_passed_over(w, len))
			term_phrase_put(&phrase, w, len);
		i = k + 1;
	}
	hash = hash_end(is < COUNTRIES && joins(&phrase) ? phrase.joined : phrase.spaced);
	at = slot_of(hash);
	if (table.hash[at] == 0 && table.nphrases++ < SLOTS / 4 * 3) {
		table.hash[at] = hash;
		table.is[at] = is;
	}
}

/* All parts of a list. */
static void phrases_add(const char *list, char separator, uint16_t is)
{
	struct str part;

	while (str_part(&list, separator, &part))
		phrase_add(part.p, part.n, is);
}

/* Words of the rows that a typing error may mean. */
static void words_remember(const char *phrases)
{
	for (size_t n; *phrases != '\0'; phrases += n + (phrases[n] != '\0')) {
		n = strcspn(phrases, " |");
		remember(phrases, n);
	}
}

static void country_add(size_t i)
{
	char folded[3 * NAME_MAX + 1];
	const struct country *c = country_at(i);
	size_t n = strlen(c->name);
	uint16_t is = (uint16_t)(COUNTRIES + i);

	if (n <= NAME_MAX)
		phrase_add(folded, str_fold_into(folded, c->name, n), is);
	phrases_add(c->adjectives, '|', is);
	phrases_add(c->aliases, '|', is);
}

/* Every phrase, with every language filled in. */
static void languages_add(void)
{
	const char *phrases = term_language_phrases;
	struct str phrase, language;
	uint16_t is;

	if (!find_named(term_language, &is))
		return;
	while (str_part(&phrases, '|', &phrase)) {
		const char *languages = term_languages;
		size_t before = strcspn(phrase.p, "?");

		while (str_part(&languages, ' ', &language)) {
			char whole[2 * NAME_MAX];
			int n = snprintf(whole, sizeof(whole), "%.*s%.*s%.*s", (int)before, phrase.p,
			    (int)language.n, language.p, (int)(phrase.n - before - 1),
			    phrase.p + before + 1);

			phrase_add(whole, (size_t)n, is);
		}
	}
}

static void table_make(void)
{
	for (size_t s = 0; s < nsynonyms; s++)
		for (size_t i = 0; i < synonyms[s]->n; i++) {
			phrases_add(synonyms[s]->row[i].phrases, '|', (uint16_t)(s << SUBJECT_SHIFT | i));
			words_remember(synonyms[s]->row[i].phrases);
		}
	languages_add();
	phrases_add(terms_plain, ' ', NOTHING);
	for (size_t i = 0; i < country_count(); i++)
		country_add(i);
}

void phrase_table(void)
{
	pthread_once(&table_once, table_make);
}

/* -- words that are misspelt -- */

/* One letter more or less, another vowel, or two letters swapped. Other changes of letters give
 * other words too often ("sharing", "soaring"). */
static bool slip(const char *a, size_t na, const char *b, size_t nb)
{
	size_t i = 0, j = 0;

	if (na > nb + 1 || nb > na + 1)
		return false;
	while (i < na && i < nb && a[i] == b[i])
		i++;
	while (j < na - i && j < nb - i && a[na - 1 - j] == b[nb - 1 - j])
		j++;
	size_t ra = na - i - j, rb = nb - i - j;
	return (ra + rb == 1) || (ra == 1 && rb == 1 && strchr("aeiouy", a[i]) != NULL &&
	    strchr("aeiouy", b[i]) != NULL) ||
	    (ra == 2 && rb == 2 && a[i] == b[i + 1] && a[i + 1] == b[i]);
}

bool term_guess(char *w, size_t *n)
{
	if (*n < GUESS_MIN)
		return false;
	for (size_t i = 0; i < GUESSES; i++) {
		size_t k = table.guess_len[i];

		if (k == 0 || table.guess[i][0] != w[0] || !slip(w, *n, table.guess[i], k))
			continue;
		memcpy(w, table.guess[i], k);
		w[k] = '\0';
		*n = k;
		return true;
	}
	return false;
}
