/*
 * From text to terms.
 *
 * Words are folded, split and stemmed; then the longest run of words that some row has as a
 * phrase is taken for that row's concepts. Phrases are found by a hash of their stems written
 * together, so that blanks and hyphens do not matter; articles and auxiliaries within them are
 * passed over, and none goes beyond its sentence. The table of hashes is made once a process
 * from the rows, the plain words, and the names of countries, which say where and not what.
 */
#include "rules/terms.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "airports/countries.h"
#include "base/str.h"
#include "rules/stem.h"

enum {
	SLOTS = 16384,               /* a power of two, well above the number of phrases */
	PHRASE_WORDS = 5,            /* longest phrase */
	AHEAD = 2 * PHRASE_WORDS,    /* words read ahead */
	WORD_RAW = 48,               /* bytes of a word that are looked at */
	NAME_MAX = 64,               /* longest name of a country */
	GUESS_MIN = 6,               /* shortest word that may be a slip */
	GUESSES = 4096,              /* well above the number of words that a slip may have meant */
	STEM_MIN = 4,                /* "ats" is no plural */
	JOIN_MIN = 5,                /* letters of a phrase from which on its blanks do not matter */
	CODE_LETTERS = 4,            /* an ICAO location indicator */
	UNITS = UINT8_MAX + 1,
	NOTHING = UINT16_MAX,        /* the row of plain words */
	COUNTRIES = 0x8000,          /* and above: names of countries, by their index */
};

struct word {
	char stem[TERM_BYTES];
	size_t n;
	bool title, upper, opens;    /* "Lyon", "EGTF", first of a sentence */
	bool passed_over;            /* may stand within a phrase without belonging to it */
};

/* -- the table -- */

static struct {
	uint32_t hash[SLOTS];        /* 0: empty */
	uint16_t row[SLOTS];
	size_t nphrases;
	const char *guess[GUESSES];  /* words of the rows, hashed too; not ended by NUL */
	uint8_t guess_len[GUESSES];  /* 0: empty */
	size_t nguesses;
} table;
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static uint32_t hash_on(uint32_t h, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 16777619U;
	return h;
}

/* A phrase, word by word. */
struct phrase {
	uint32_t joined, spaced;
	size_t letters;
};
#define HASH_START   0x811c9dc5U
#define PHRASE_START ((struct phrase){ HASH_START, HASH_START, 0 })

static void phrase_put(struct phrase *p, const char *word, size_t n)
{
	if (p->letters > 0)
		p->spaced = hash_on(p->spaced, " ", 1);
	p->joined = hash_on(p->joined, word, n);
	p->spaced = hash_on(p->spaced, word, n);
	p->letters += n;
}

static bool joins(const struct phrase *p)
{
	return p->letters >= JOIN_MIN;
}

static uint32_t hash_end(uint32_t h)
{
	h ^= h >> 15;
	return h == 0 ? 1 : h;
}

/* Words whose stems belong to others ("internal", "controlled", "foreign"). */
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

static size_t stem_of(char *word, size_t n)
{
	if (has_own_stem(word, n))
		return word[n - 1] == 's' ? n - 1 : n;
	return n < STEM_MIN ? n : stem(word, n);
}

/* The slot of a hash, or the empty one where it belongs. */
static size_t slot_of(uint32_t h)
{
	size_t i = h & (SLOTS - 1);

	while (table.hash[i] != 0 && table.hash[i] != h)
		i = (i + 1) & (SLOTS - 1);
	return i;
}

/* The row of a phrase: written as it stands, or, if it is a row's, in one word. False: none. */
static bool row_of(const struct phrase *p, uint16_t *row)
{
	size_t at = slot_of(hash_end(p->spaced));

	if (table.hash[at] == 0 && joins(p)) {
		at = slot_of(hash_end(p->joined));
		if (table.row[at] >= COUNTRIES)
			return false;
	}
	if (table.hash[at] == 0)
		return false;
	*row = table.row[at];
	return true;
}

static bool row_of_stem(const char *word, size_t n, uint16_t *row)
{
	struct phrase phrase = PHRASE_START;

	phrase_put(&phrase, word, n);
	return row_of(&phrase, row);
}

/* The row that has a phrase, as it is written in the rows. */
static const struct term_row *row_named(const char *name)
{
	struct phrase phrase = PHRASE_START;
	uint16_t row;

	while (*name != '\0') {
		char word[TERM_BYTES];
		size_t n = strcspn(name, " "), len = n < sizeof(word) ? n : sizeof(word) - 1;

		memcpy(word, name, len);
		phrase_put(&phrase, word, stem_of(word, len));
		name += n + (name[n] == ' ');
	}
	return row_of(&phrase, &row) && row < COUNTRIES ? &term_rows[row] : NULL;
}

/* A word of the rows; each is kept once. */
static void remember(const char *word, size_t n)
{
	size_t at = hash_on(HASH_START, word, n) % GUESSES;

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

/* Articles, pronouns and auxiliaries, which may stand within a phrase. */
static bool passes_over(const char *stem, size_t n)
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

/* A phrase of a row; the first one to come keeps its place. */
static void phrase_add(const char *p, size_t n, uint16_t row)
{
	struct phrase phrase = PHRASE_START;
	size_t i = 0, at;
	uint32_t hash;

	while (i < n) {
		char w[TERM_BYTES];
		size_t k = i;

		while (k < n && p[k] != ' ')
			k++;
		size_t len = k - i < sizeof(w) ? k - i : sizeof(w) - 1;
		memcpy(w, p + i, len);
		len = stem_of(w, len);
		w[len] = '\0';
		if (i == 0 || k == n || !passes_over(w, len))
			phrase_put(&phrase, w, len);
		i = k + 1;
	}
	hash = hash_end(row < COUNTRIES && joins(&phrase) ? phrase.joined : phrase.spaced);
	at = slot_of(hash);
	if (table.hash[at] == 0 && table.nphrases++ < SLOTS / 4 * 3) {
		table.hash[at] = hash;
		table.row[at] = row;
	}
}

/* The next part of a list. */
static bool part_next(const char **list, char separator, struct str *part)
{
	const char *end = strchrnul(*list, separator);

	*part = (struct str){ *list, (size_t)(end - *list) };
	*list = *end != '\0' ? end + 1 : end;
	return part->n > 0;
}

/* All parts of a list. */
static void phrases_add(const char *list, char separator, uint16_t row)
{
	struct str part;

	while (part_next(&list, separator, &part))
		phrase_add(part.p, part.n, row);
}

/* Words of the rows, which a slip of the finger may have meant. */
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
	size_t n = strlen(countries[i].name);
	uint16_t row = (uint16_t)(COUNTRIES + i);

	if (n <= NAME_MAX)
		phrase_add(folded, str_fold_into(folded, countries[i].name, n), row);
	phrases_add(countries[i].adjectives, '|', row);
	phrases_add(countries[i].aliases, '|', row);
}

/* Every phrase with every language in it. */
static void languages_add(void)
{
	const char *phrases = term_language_phrases;
	struct str phrase, language;
	const struct term_row *row = row_named(term_language);

	if (row == NULL)
		return;
	while (part_next(&phrases, '|', &phrase)) {
		const char *languages = term_languages;
		size_t before = strcspn(phrase.p, "?");

		while (part_next(&languages, ' ', &language)) {
			char whole[2 * NAME_MAX];
			int n = snprintf(whole, sizeof(whole), "%.*s%.*s%.*s", (int)before, phrase.p,
			    (int)language.n, language.p, (int)(phrase.n - before - 1),
			    phrase.p + before + 1);

			phrase_add(whole, (size_t)n, (uint16_t)(row - term_rows));
		}
	}
}

static void table_make(void)
{
	for (size_t i = 0; i < nterm_rows; i++) {
		phrases_add(term_rows[i].phrases, '|', (uint16_t)i);
		words_remember(term_rows[i].phrases);
	}
	languages_add();
	phrases_add(terms_plain, ' ', NOTHING);
	for (size_t i = 0; i < ncountries; i++)
		country_add(i);
}

/* -- words -- */

static bool ascii_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool apostrophe(uint32_t c)
{
	return c == '\'' || c == 0x2019 || c == 0x2bc;
}

static bool word_char(uint32_t c)
{
	if (c < 0x80)
		return ascii_letter(c) || (c >= '0' && c <= '9');
	return c >= 0xc0 && c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c <= 0x2bff) &&
	    !(c >= 0x3000 && c <= 0x303f);
}

struct reader {
	const char *p;
	bool opens;                  /* the next word is the first of a sentence */
};

/* The next word, folded, which may leave nothing of it; false at the end. What an apostrophe leads
 * in goes, save a negation. */
static bool word_read(struct reader *r, struct word *w)
{
	char raw[WORD_RAW], folded[3 * WORD_RAW + 1];
	size_t n = 0, len, from = 0;
	bool lower = false;
	uint32_t c;

	*w = (struct word){ .upper = true };
	for (; *r->p != '\0'; r->p += len) {
		len = utf8_decode(r->p, strnlen(r->p, 4), &c);
		if (len == 0)
			len = 1, c = ' ';
		if (word_char(c)) {
			if (n == 0) {
				w->opens = r->opens;
				w->title = c < 0x80 ? c >= 'A' && c <= 'Z' : c < 0xdf;
			}
			lower |= c >= 'a';
			if (n + len <= sizeof(raw)) {
				memcpy(raw + n, r->p, len);
				n += len;
			}
		} else if (n > 0 && apostrophe(c)) {
			if (n + 1 <= sizeof(raw))
				raw[n++] = '\'';
		} else {
			if (n > 0)
				break;
			if (c == '.' || c == '?' || c == '!' || c == ':' || c == '\n' || c == '"')
				r->opens = true;
		}
	}
	if (n == 0)
		return false;
	r->opens = false;
	w->upper = !lower;
	len = str_fold_into(folded, raw, n);
	for (; from < len && w->n < sizeof(w->stem) - 1; from++) {
		if (folded[from] == '\'') {
			if (from + 1 < len && folded[from + 1] == 't' && w->n > 1)
				continue;
			break;
		}
		if (word_char((unsigned char)folded[from]) || (folded[from] & 0x80))
			w->stem[w->n++] = folded[from];
	}
	return true;
}

static bool word_next(struct reader *r, struct word *w)
{
	while (word_read(r, w))
		if (w->n > 0)
			return true;
	return false;
}

/* One letter more or less, one vowel for another, or two letters swapped. Other letters changed
 * make other words too often ("sharing", "soaring"). */
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

/* The word that a misspelt one most likely is; false: it stays. */
static bool guess(char *w, size_t *n)
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

/* -- terms -- */

struct scan {
	struct reader reader;
	struct word ahead[AHEAD];    /* stemmed */
	size_t n;
	bool correct;
	bool named;                  /* the last word may have been a name */
	bool moves;                  /* the last word was "from", "to", … */
	bool moved;                  /* and so it was before a country so far */
	uint16_t country;            /* the last one named; 0: none */
	char abroad[3];
	unsigned unit;
	term_fn *fn;
	void *arg;
};

static void fill(struct scan *s)
{
	while (s->n < AHEAD && word_next(&s->reader, &s->ahead[s->n])) {
		struct word *w = &s->ahead[s->n++];
		char whole[TERM_BYTES];
		size_t n = w->n;
		uint16_t row;

		memcpy(whole, w->stem, n);
		w->n = stem_of(w->stem, w->n);
		w->stem[w->n] = '\0';
		if (s->correct && !w->upper && !(w->title && !w->opens) && !row_of_stem(w->stem, w->n, &row) &&
		    guess(whole, &n)) {
			memcpy(w->stem, whole, n);
			w->n = stem_of(w->stem, n);
			w->stem[w->n] = '\0';
		}
		w->passed_over = passes_over(w->stem, w->n);
	}
}

static void drop(struct scan *s, size_t n)
{
	s->n -= n;
	memmove(s->ahead, s->ahead + n, s->n * sizeof(s->ahead[0]));
}

/* Concepts are told from stems by a digit in front. */
static void concepts(struct scan *s, const struct term_row *row, const char *list, bool hint)
{
	struct term_how how = { (unsigned char)row->kind, (unsigned char)(s->unit & 0xff), hint };

	while (list != NULL && *list != '\0') {
		size_t n = strcspn(list, " ");
		char name[TERM_BYTES] = "0";

		if (n < sizeof(name) - 1) {
			memcpy(name + 1, list, n);
			s->fn(s->arg, name, how);
		}
		if (!hint)
			how.unit = (unsigned char)(++s->unit & 0xff);
		list += n + (list[n] == ' ');
	}
}

static void say_row(struct scan *s, const struct term_row *row)
{
	unsigned first = s->unit;

	if (row->says[0] == '\0')
		return;
	concepts(s, row, row->says, false);
	unsigned after = s->unit;
	s->unit = first;
	concepts(s, row, row->hints, true);
	s->unit = after;
}

/* "class D or E", "class C/D": the letters that follow a class are classes too. */
static size_t more_classes(struct scan *s)
{
	size_t used = 0;

	for (;;) {
		size_t at = used;
		struct phrase phrase = PHRASE_START;
		uint16_t row;

		if (at < s->n && (streq(s->ahead[at].stem, "or") || streq(s->ahead[at].stem, "and")))
			at++;
		if (at >= s->n || s->ahead[at].n != 1 || s->ahead[at].stem[0] < 'b' ||
		    s->ahead[at].stem[0] > 'g')
			return used;
		phrase_put(&phrase, "class", strlen("class"));
		phrase_put(&phrase, s->ahead[at].stem, 1);
		if (!row_of(&phrase, &row) || row >= COUNTRIES)
			return used;
		say_row(s, &term_rows[row]);
		used = at + 1;
	}
}

/* The longest phrase at the front: its row, NOTHING for plain words; 0 words: none. */
static size_t longest(const struct scan *s, uint16_t *row)
{
	struct phrase phrase = PHRASE_START;
	size_t best = 0, words = 0;

	for (size_t i = 0; i < s->n && words < PHRASE_WORDS; i++) {
		if (i > 0 && s->ahead[i].opens)
			break;
		if (i > 0 && s->ahead[i].passed_over)
			continue;
		phrase_put(&phrase, s->ahead[i].stem, s->ahead[i].n);
		words++;
		if (row_of(&phrase, row))
			best = i + 1;
	}
	return best;
}

/* A word that no row knows. */
static void say_word(struct scan *s, const struct word *w)
{
	bool digits = true;
	struct term_how how = { TERM_WORD, (unsigned char)(s->unit & 0xff), false };

	for (size_t i = 0; i < w->n; i++)
		digits &= w->stem[i] >= '0' && w->stem[i] <= '9';
	if (digits || w->n < 3)
		return;
	if ((w->title && !w->upper && !w->opens) || (w->upper && w->n == CODE_LETTERS))
		how.kind = TERM_NAME;
	s->unit++;
	s->fn(s->arg, w->stem, how);
}

/* The row of a callsign's second word; NULL: it is none. */
static const struct term_row *callsign(const struct scan *s)
{
	const struct word *w = &s->ahead[0];

	if (!s->named || !w->title || w->opens)
		return NULL;
	for (size_t i = 0; i < nterm_callsigns; i++) {
		char word[TERM_BYTES];
		size_t n = strlen(term_callsigns[i].word);

		memcpy(word, term_callsigns[i].word, n + 1);
		word[stem_of(word, n)] = '\0';
		if (streq(word, w->stem))
			return row_named(term_callsigns[i].phrase);
	}
	return NULL;
}

/* Words that make a country one to come from or to go to. */
static bool leads_abroad(const char *stem)
{
	static const char *const rows[] = { "from", "to", "into", "toward", "leav", "via", "between" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(stem, rows[i]))
			return true;
	return false;
}

/* From one country to another: a border is crossed. */
static void say_country(struct scan *s, uint16_t country)
{
	const struct term_row *border = row_named(term_border);

	s->moved |= s->moves;
	if (s->moved && s->country != 0 && s->country != country && border != NULL)
		say_row(s, border);
	if (s->moves && s->abroad[0] == '\0')
		memcpy(s->abroad, countries[country - COUNTRIES].code, sizeof(s->abroad));
	s->country = country;
}

const char *terms_border(void)
{
	pthread_once(&table_once, table_make);
	return row_named(term_border) != NULL ? "0border" : NULL;
}

static void scan(struct scan *s)
{
	pthread_once(&table_once, table_make);
	s->reader.opens = true;
	for (;;) {
		uint16_t row = NOTHING;

		fill(s);
		if (s->n == 0)
			return;
		size_t used = longest(s, &row);
		bool moves = leads_abroad(s->ahead[used > 0 ? used - 1 : 0].stem);
		const struct term_row *called = used <= 1 ? callsign(s) : NULL;
		bool named = s->ahead[used > 0 ? used - 1 : 0].title;
		if (called != NULL) {
			say_row(s, called);
		} else if (used == 0) {
			say_word(s, &s->ahead[0]);
			used = 1;
		} else if (row < COUNTRIES) {
			say_row(s, &term_rows[row]);
		} else if (row != NOTHING) {
			say_country(s, row);
		}
		s->moves = moves;
		s->named = named;
		drop(s, used);
		if (row < COUNTRIES && starts_with(term_rows[row].says, "class")) {
			fill(s);
			drop(s, more_classes(s));
		}
	}
}

void terms_each(const char *text, term_fn *fn, void *arg)
{
	struct scan s = { .reader = { .p = text }, .fn = fn, .arg = arg };

	scan(&s);
}

struct collect {
	struct arena *a;
	struct terms *t;
	unsigned char unit[UNITS];   /* of a term that was there before: that one's */
};

static void collect(void *arg, const char *term, struct term_how how)
{
	struct collect *c = arg;
	struct terms *t = c->t;

	if (!how.hint)
		c->unit[how.unit] = how.unit;
	how.unit = c->unit[how.unit];
	for (size_t i = 0; i < t->n; i++)
		if (streq(t->term[i], term)) {
			if (t->how[i].hint && !how.hint)
				t->how[i] = how;
			else if (!how.hint)
				c->unit[how.unit] = t->how[i].unit;
			if (!how.hint && how.kind < t->how[i].kind)
				t->how[i].kind = how.kind;
			return;
		}
	if (t->n == TERMS_MAX)
		return;
	t->term[t->n] = arena_strdup(c->a, term);
	t->how[t->n++] = how;
}

struct terms terms_of(struct arena *a, const char *text)
{
	struct terms t = { .n = 0 };
	struct collect c = { .a = a, .t = &t };
	struct scan s = { .reader = { .p = text }, .correct = true, .fn = collect, .arg = &c };

	scan(&s);
	memcpy(t.abroad, s.abroad, sizeof(t.abroad));
	return t;
}
