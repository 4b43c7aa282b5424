/*
 * The table of phrases.
 *
 * A phrase is found by a hash of its stems: written together, so that blanks and hyphens do not
 * matter, or, if it is short or not a row's, with blanks. Of equal phrases the first is kept. The
 * words of the rows are kept too, for correcting misspelt words.
 */
#include "rules/phrase_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "language/stem.h"
#include "language/word_reader.h"

enum {
	NAME_MAX = 64,               /* longest name of a country */
	GUESS_MIN = 6,               /* the shortest word that may be a typing error */
	STEM_MIN = 4,                /* "ats" is not a plural */
	/* a phrase of at least this many letters is found without its blanks */
	JOIN_MIN = 5,
	/* the values in a slot besides rows */
	COUNTRIES = 0x8000,          /* and above: a country, by its index */
	NOTHING = UINT16_MAX,        /* plain words */
};

static const struct phrase_table *in_use;

const struct phrase_table *phrase_table(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "terms", "a word was looked up before terms_open()");
		abort();
	}
	return in_use;
}

void phrase_table_use(const struct phrase_table *t)
{
	in_use = t;
}

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

static bool has_stem(const struct stems *s, const char *stem, size_t n)
{
	for (size_t i = 0; i < s->n; i++)
		if (stem[0] == s->stem[i][0] && str_eq((struct str){ stem, n }, s->stem[i]))
			return true;
	return false;
}

size_t phrase_table_stem(const struct phrase_table *t, char *word, size_t n)
{
	/* words that share a stem with others of a different meaning ("internal", "controlled") */
	if (has_stem(&t->own, word, n))
		return word[n - 1] == 's' ? n - 1 : n;
	return n < STEM_MIN ? n : stem(word, n);
}

size_t term_stem(char *word, size_t n)
{
	return phrase_table_stem(in_use, word, n);
}

bool term_is(enum term_grammar g, const char *stem, size_t n)
{
	return has_stem(&in_use->grammar[g], stem, n);
}

const char *term_class_word(void)
{
	const struct stems *s = &in_use->grammar[GRAMMAR_CLASS];

	return s->n > 0 ? s->stem[0] : NULL;
}

const struct synonym_row *term_callsign(const char *stem)
{
	for (size_t i = 0; i < in_use->ncallsigns; i++)
		if (streq(stem, in_use->callsign[i].stem))
			return in_use->callsign[i].row;
	return NULL;
}

/* The slot of a hash, or the empty slot for it. */
static size_t slot_of(const struct phrase_table *t, uint32_t h)
{
	size_t i = h & (PHRASE_SLOTS - 1);

	while (t->hash[i] != 0 && t->hash[i] != h)
		i = (i + 1) & (PHRASE_SLOTS - 1);
	return i;
}

bool term_phrase_means(const struct term_phrase *p, struct term_meaning *m)
{
	size_t at = slot_of(in_use, hash_end(p->spaced));

	*m = (struct term_meaning){ NULL, NULL };
	if (in_use->hash[at] == 0 && joins(p)) {
		/* a row's phrase is found without its blanks too */
		at = slot_of(in_use, hash_end(p->joined));
		if (in_use->is[at] >= COUNTRIES)
			return false;
	}
	if (in_use->hash[at] == 0)
		return false;
	if (in_use->is[at] < COUNTRIES)
		m->row = &in_use->row[in_use->is[at]];
	else if (in_use->is[at] != NOTHING)
		m->country = country_at(in_use->is[at] - COUNTRIES);
	return true;
}

/* -- making the table -- */

/* A word of the rows; each is kept once. */
static bool remember(struct phrase_table *t, const char *word, size_t n)
{
	size_t at = hash_on(TERM_PHRASE_START.joined, word, n) % GUESS_SLOTS;

	if (n < GUESS_MIN)
		return true;
	while (t->guess_len[at] != 0) {
		if (t->guess_len[at] == n && memcmp(t->guess[at], word, n) == 0)
			return true;
		at = (at + 1) % GUESS_SLOTS;
	}
	if (t->nguesses++ == GUESSES_MAX)
		return false;
	t->guess[at] = arena_strndup(t->mem, word, n);
	t->guess_len[at] = (uint8_t)n;
	return true;
}

/* With `other`, the long words of the phrase are kept as well. */
static enum phrase_added add(struct phrase_table *t, const char *text, uint16_t is,
    const struct synonym_row **other)
{
	/* words that may be inside a phrase are left out, except for the last one */
	struct term_phrase inner = TERM_PHRASE_START, phrase = inner;
	struct term_reader r = { .p = text };
	struct term_word w;
	size_t words = 0;

	while (term_word_next(&r, &w)) {
		if (other != NULL && !remember(t, w.stem, w.n))
			return PHRASE_FULL;
		w.n = phrase_table_stem(t, w.stem, w.n);
		phrase = inner;
		term_phrase_put(&phrase, w.stem, w.n);
		if (words > 0 && has_stem(&t->grammar[GRAMMAR_INSIDE], w.stem, w.n))
			continue;
		inner = phrase;
		if (words++ == PHRASE_WORDS)
			return PHRASE_LONG;
	}
	uint32_t hash = hash_end(is < COUNTRIES && joins(&phrase) ? phrase.joined : phrase.spaced);
	size_t at = slot_of(t, hash);
	if (t->hash[at] != 0) {
		if (other != NULL)
			*other = t->is[at] < COUNTRIES ? &t->row[t->is[at]] : NULL;
		return PHRASE_THERE;
	}
	if (t->nphrases == PHRASES_MAX)
		return PHRASE_FULL;
	t->nphrases++;
	t->hash[at] = hash;
	t->is[at] = is;
	return PHRASE_ADDED;
}

enum phrase_added phrase_table_add(struct phrase_table *t, const char *phrase, size_t row,
    const struct synonym_row **other)
{
	return add(t, phrase, (uint16_t)row, other);
}

enum phrase_added phrase_table_add_exact(struct phrase_table *t, const char *phrase, size_t row)
{
	return add(t, phrase, (uint16_t)row, NULL);
}

enum phrase_added phrase_table_add_plain(struct phrase_table *t, const char *word)
{
	return add(t, word, NOTHING, NULL);
}

/* Each name of a "|"-separated list. */
static bool add_names(struct phrase_table *t, const char *list, uint16_t is)
{
	char name[NAME_MAX + 1];
	struct str part;
	bool room = true;

	while (room && str_part(&list, '|', &part)) {
		if (part.n > NAME_MAX)
			continue;
		memcpy(name, part.p, part.n);
		name[part.n] = '\0';
		room = add(t, name, is, NULL) != PHRASE_FULL;
	}
	return room;
}

bool phrase_table_countries(struct phrase_table *t)
{
	bool room = true;
	for (size_t i = 0; room && i < country_count(); i++) {
		const struct country *c = country_at(i);
		uint16_t is = (uint16_t)(COUNTRIES + i);

		room = add_names(t, c->name, is) && add_names(t, c->adjectives, is) &&
		    add_names(t, c->aliases, is);
	}
	return room;
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
	for (size_t i = 0; i < GUESS_SLOTS; i++) {
		size_t k = in_use->guess_len[i];

		if (k == 0 || in_use->guess[i][0] != w[0] || !slip(w, *n, in_use->guess[i], k))
			continue;
		memcpy(w, in_use->guess[i], k);
		w[k] = '\0';
		*n = k;
		return true;
	}
	return false;
}
