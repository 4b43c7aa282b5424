/*
 * From text to terms.
 *
 * Words are folded, split and stemmed. Then the longest sequence of words that is a phrase of some
 * row becomes the row's concepts. Articles and auxiliaries inside a phrase are skipped, and no
 * phrase is longer than its sentence.
 */
#include "rules/terms.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "rules/phrase_table.h"
#include "language/word_reader.h"

enum {
	AHEAD = 2 * PHRASE_WORDS,    /* words read ahead */
	CODE_LETTERS = 4,            /* an ICAO location indicator */
	UNITS = UINT8_MAX + 1,
};

struct terms_scan {
	struct term_reader reader;
	struct term_word ahead[AHEAD]; /* stemmed */
	size_t n;
	bool correct;
	bool named;                  /* the last word may be a name */
	bool place;                  /* and means nothing else */
	bool moves;                  /* the last word was "from", "to", … */
	bool stays;                  /* it was "in" */
	bool moved;                  /* so far it was "in" before a country */
	const struct country *country; /* the country named last; NULL: none */
	char abroad[3];
	unsigned unit;
	term_fn *fn;
	void *arg;
};

static bool known(const struct term_word *w)
{
	struct term_phrase phrase = TERM_PHRASE_START;
	struct term_meaning m;

	term_phrase_put(&phrase, w->stem, w->n);
	return term_phrase_means(&phrase, &m);
}

static void fill(struct terms_scan *s)
{
	while (s->n < AHEAD && term_word_next(&s->reader, &s->ahead[s->n])) {
		struct term_word *w = &s->ahead[s->n++];
		char whole[TERM_BYTES];
		size_t n = w->n;

		memcpy(whole, w->stem, n);
		w->n = term_stem(w->stem, w->n);
		w->stem[w->n] = '\0';
		if (s->correct && !w->upper && !(w->title && !w->opens) && !known(w) &&
		    term_guess(whole, &n)) {
			memcpy(w->stem, whole, n);
			w->n = term_stem(w->stem, n);
			w->stem[w->n] = '\0';
		}
		w->passed_over = term_is(GRAMMAR_INSIDE, w->stem, w->n);
	}
}

static void drop(struct terms_scan *s, size_t n)
{
	s->n -= n;
	memmove(s->ahead, s->ahead + n, s->n * sizeof(s->ahead[0]));
}

/* The number of a concept among those of "must" and "subject" rows, from 1; 0: it is not there. */
static unsigned char must_number(const char *concept)
{
	const struct phrase_table *t = phrase_table();
	size_t i = 0;

	while (i < t->nmust && !streq(t->must[i], concept))
		i++;
	return i < t->nmust ? (unsigned char)(i + 1) : 0;
}

/* A digit in front tells concepts from stems. */
static void concepts(struct terms_scan *s, const struct synonym_row *row, const char *list,
    bool hint)
{
	struct term_how how = { .kind = (unsigned char)row->kind, .unit = (unsigned char)(s->unit & 0xff), .hint = hint };

	while (list != NULL && *list != '\0') {
		size_t n = strcspn(list, " ");
		char name[TERM_BYTES] = "0";

		if (n < sizeof(name) - 1) {
			memcpy(name + 1, list, n);
			how.must = row->must && !hint ? must_number(name + 1) : 0;
			how.subject = how.must > 0 && phrase_table()->subject[how.must - 1];
			s->fn(s->arg, name, how);
		}
		if (!hint)
			how.unit = (unsigned char)(++s->unit & 0xff);
		list += n + (list[n] == ' ');
	}
}

static void say_row(struct terms_scan *s, const struct synonym_row *row)
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
static size_t more_classes(struct terms_scan *s)
{
	const char *word = term_class_word();
	size_t used = 0;

	for (;;) {
		size_t at = used;
		struct term_phrase phrase = TERM_PHRASE_START;
		struct term_meaning m;

		if (at < s->n && term_is(GRAMMAR_OR, s->ahead[at].stem, s->ahead[at].n))
			at++;
		if (at >= s->n || !term_is(GRAMMAR_LETTER, s->ahead[at].stem, s->ahead[at].n))
			return used;
		term_phrase_put(&phrase, word, strlen(word));
		term_phrase_put(&phrase, s->ahead[at].stem, s->ahead[at].n);
		if (!term_phrase_means(&phrase, &m) || m.row == NULL)
			return used;
		say_row(s, m.row);
		used = at + 1;
	}
}

static bool is_class(const struct synonym_row *row)
{
	const char *word = term_class_word();

	return row != NULL && word != NULL && starts_with(row->says, word);
}

/* Does "in" at word i belong to what follows, a country or a class of airspace? */
static bool in_somewhere(const struct terms_scan *s, size_t i)
{
	struct term_phrase with = TERM_PHRASE_START, without = TERM_PHRASE_START;
	struct term_meaning m;

	if (!term_is(GRAMMAR_WITHIN, s->ahead[i].stem, s->ahead[i].n))
		return false;
	term_phrase_put(&with, s->ahead[i].stem, s->ahead[i].n);
	for (size_t words = 0; ++i < s->n && words < PHRASE_WORDS;) {
		const struct term_word *w = &s->ahead[i];

		if (w->opens)
			return false;
		if (words == 0 && w->passed_over)
			continue;
		term_phrase_put(&with, w->stem, w->n);
		term_phrase_put(&without, w->stem, w->n);
		words++;
		if (term_phrase_means(&without, &m) && (m.country != NULL || is_class(m.row)))
			return true;
		if (term_phrase_means(&with, &m) && is_class(m.row))
			return true;
	}
	return false;
}

/* The words of the longest phrase at the front, and its meaning; 0: none. "fly in" means to arrive,
 * "fly in France" and "fly in G" do not. */
static size_t longest(const struct terms_scan *s, struct term_meaning *m)
{
	struct term_phrase phrase = TERM_PHRASE_START;
	size_t best = 0, words = 0;
	struct term_meaning found;

	for (size_t i = 0; i < s->n && words < PHRASE_WORDS; i++) {
		if (i > 0 && s->ahead[i].opens)
			break;
		if (i > 0 && s->ahead[i].passed_over)
			continue;
		term_phrase_put(&phrase, s->ahead[i].stem, s->ahead[i].n);
		words++;
		if (!term_phrase_means(&phrase, &found) || (i > 0 && in_somewhere(s, i)))
			continue;
		*m = found;
		best = i + 1;
	}
	return best;
}

/* A word that is in no row. */
static void say_word(struct terms_scan *s, const struct term_word *w)
{
	bool digits = true;
	struct term_how how = { .kind = TERM_WORD, .unit = (unsigned char)(s->unit & 0xff) };

	for (size_t i = 0; i < w->n; i++)
		digits &= w->stem[i] >= '0' && w->stem[i] <= '9';
	if (digits || w->n < 3)
		return;
	if ((w->title && !w->upper && !w->opens) || (w->upper && w->n == CODE_LETTERS))
		how.kind = TERM_NAME;
	s->unit++;
	s->fn(s->arg, w->stem, how);
}

/* The row of a callsign's second word ("Langen information"); NULL: it is not one. */
static const struct synonym_row *callsign(const struct terms_scan *s)
{
	const struct term_word *w = &s->ahead[0];

	return s->named && (w->title || s->place) && !w->opens ? term_callsign(w->stem) : NULL;
}

/* From one country to another: the flight crosses a border. The country's name is `used` words
 * long. */
static void say_country(struct terms_scan *s, const struct country *country, size_t used)
{
	const struct synonym_row *border = phrase_table()->border;
	bool leaves = !s->stays && s->n > used &&
	    term_is(GRAMMAR_TOWARDS, s->ahead[used].stem, s->ahead[used].n);

	s->moved |= s->moves || leaves;
	if (s->moved && s->country != NULL && s->country != country && border != NULL)
		say_row(s, border);
	if ((s->moves || leaves) && s->abroad[0] == '\0')
		memcpy(s->abroad, country->code, sizeof(s->abroad));
	s->country = country;
}

const char *terms_border(void)
{
	return phrase_table()->border_term;
}

static void scan(struct terms_scan *s)
{
	phrase_table();
	s->reader.opens = true;
	for (;;) {
		struct term_meaning m = { NULL, NULL };

		fill(s);
		if (s->n == 0)
			return;
		size_t used = longest(s, &m);
		const struct term_word last = s->ahead[used > 0 ? used - 1 : 0];
		const struct synonym_row *called = used <= 1 ? callsign(s) : NULL;
		bool named = last.title, place = used == 0 && named && !last.upper && !last.opens;
		if (called != NULL) {
			say_row(s, called);
		} else if (used == 0) {
			say_word(s, &s->ahead[0]);
			used = 1;
		} else if (m.row != NULL) {
			say_row(s, m.row);
		} else if (m.country != NULL) {
			say_country(s, m.country, used);
		}
		s->moves = term_is(GRAMMAR_ABROAD, last.stem, last.n) || (last.passed_over && s->moves);
		s->stays = term_is(GRAMMAR_WITHIN, last.stem, last.n) || (last.passed_over && s->stays);
		s->named = named;
		s->place = place;
		drop(s, used);
		if (is_class(m.row)) {
			fill(s);
			drop(s, more_classes(s));
		}
	}
}

void terms_each(const char *text, term_fn *fn, void *arg)
{
	struct terms_scan s = { .reader = { .p = text }, .fn = fn, .arg = arg };

	scan(&s);
}

struct terms_collect {
	struct arena *a;
	struct terms *t;
	unsigned char unit[UNITS];   /* if the term was there before: the place of that one */
};

static void collect(void *arg, const char *term, struct term_how how)
{
	struct terms_collect *c = arg;
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
	struct terms_collect c = { .a = a, .t = &t };
	struct terms_scan s = { .reader = { .p = text }, .correct = true, .fn = collect, .arg = &c };

	scan(&s);
	memcpy(t.abroad, s.abroad, sizeof(t.abroad));
	return t;
}
