/*
 * Countries in a sentence: names and adjectives, ISO codes, letters of location indicators.
 *
 * Two capitals often mean something else ("IT" in a sentence whose other words are small is Italy,
 * "TL" a transition level). So a code counts as a country depending on the words around it and on
 * whether there are rules for that country. An adjective may be a language ("speak French") or tell
 * where the pilot is from ("a German licence").
 */
#include "agents/aviation/builtin/rules_reading.h"

#include <ctype.h>
#include <string.h>

#include "airports/icao_prefix.h"
#include "base/str.h"

enum { NAME_WORDS = 4, SLIP_MIN = 5 };

static const char *fold_at(const struct rules_reading *s, size_t i)
{
	return i < s->x.n ? s->x.tok[i].fold : "";
}

/* The token k places before or after token i: "" outside the text. */
static const char *fold_before(const struct rules_reading *s, size_t i, size_t k)
{
	return i >= k ? s->x.tok[i - k].fold : "";
}

/* ---- adjectives ----------------------------------------------------------------- */

static bool adjective(struct arena *a, const struct country *c, const char *text)
{
	return !streq(text, str_fold(a, c->name)) && one_of(text, c->adjectives);
}

/* "speak French", "no Dutch": does the text speak about languages anywhere? */
static bool of_languages(const struct rules_reading *s)
{
	for (size_t i = 0; i < s->x.n; i++)
		if (word_listed(LIST_OF_LANGUAGE, s->x.tok[i].fold))
			return true;
	return false;
}

/* "speak French", "German spoken", "in English?", "English on the radio" */
static bool language(const struct rules_reading *s, size_t first, size_t last)
{
	const char *next = fold_at(s, last + 1), *prev = fold_before(s, first, 1);
	bool end = last + 1 >= s->x.n || s->x.tok[last + 1].kind == TOK_SYMBOL;
	if (word_listed(LIST_BEFORE_LANGUAGE, prev) || word_listed(LIST_AFTER_LANGUAGE, next))
		return true;
	if (streq(fold_at(s, first), "english"))
		return !word_listed(LIST_OF_ENGLAND, next);
	if (of_languages(s) && (end || word_listed(LIST_BESIDE_LANGUAGE, next) ||
	    streq(prev, "no")))
		return true;
	return end && word_listed(LIST_BESIDE_LANGUAGE, prev);
}

/* "a German pilot", "UK licence", "Swiss-registered" */
static bool origin(const struct rules_reading *s, size_t last)
{
	size_t next = last + 1 + streq(fold_at(s, last + 1), "-");
	return word_listed(LIST_OF_PILOT, fold_at(s, next)) ||
	    (streq(fold_at(s, next), "private") && word_listed(LIST_OF_PILOT, fold_at(s, next + 1)));
}

/* ---- codes ------------------------------------------------------------------------ */

static bool two_letters(const struct token *t)
{
	return t->kind == TOK_WORD && strlen(t->fold) == 2 && isalpha((unsigned char)t->fold[0]) &&
	    isalpha((unsigned char)t->fold[1]);
}

static bool joins_countries(const char *fold)
{
	return streq(fold, ",") || word_listed(LIST_JOINS_COUNTRIES, fold);
}

/* Can token i be a country: after "in", in a list of countries, at an end? */
static bool expected(const struct rules_reading *s, size_t i)
{
	const char *prev = fold_before(s, i, 1), *next = fold_at(s, i + 1);
	bool last = i + 1 >= s->x.n || (i + 2 >= s->x.n && s->x.tok[i + 1].kind == TOK_SYMBOL);
	if (joins_countries(prev) && i >= 2 && (s->mark[i - 2] & MARK_COUNTRY))
		return true;
	if (i > 0 && (s->mark[i - 1] & MARK_COUNTRY))
		return true;
	if (joins_countries(next) && i + 2 < s->x.n && two_letters(&s->x.tok[i + 2]) &&
	    s->x.tok[i + 2].upper == s->x.tok[i].upper)
		return true;
	return word_listed(LIST_BEFORE_COUNTRY, prev) || word_listed(LIST_AFTER_COUNTRY, next) || last;
}

static bool has_rules(const struct rulebase *base, const char *code)
{
	return base != NULL && rulebase_country(base, code) != NULL;
}

/* "FR", or "fr" if it can mean nothing else. */
static const char *iso_at(const struct rules_reading *s, const struct rulebase *base, size_t i)
{
	const struct token *t = &s->x.tok[i];
	const struct country *c = two_letters(t) ? country_by_code(t->fold) : NULL;
	if (c == NULL)
		return NULL;
	bool capitals = t->upper && !s->x.shouted;
	bool likely = has_rules(base, c->code) || country_preferred(c->code);
	if (word_listed(LIST_CODE_OR_WORD, t->fold))
		return capitals && likely && expected(s, i) ? c->code : NULL;
	if (capitals && likely)
		return c->code;
	if (capitals || s->x.shouted || has_rules(base, c->code) || base == NULL)
		return likely && expected(s, i) ? c->code : NULL;
	return NULL;
}

/* "ED..", "LF**", "EGxx": the letters of a region. *last is the end. */
static const char *region_at(struct arena *a, const struct rules_reading *s, size_t i, size_t *last)
{
	const struct token *t = &s->x.tok[i];
	const char *typed = s->x.text + t->start;
	if (t->kind == TOK_WORD && t->end - t->start == 4 && isupper((unsigned char)typed[0]) &&
	    isupper((unsigned char)typed[1]) && strieq(t->fold + 2, "xx"))
		return icao_prefix_country(str_upper_copy(a, t->fold, 2));
	if (!two_letters(t))
		return NULL;
	size_t k = i + 1;
	while (k < s->x.n && !s->x.tok[k].gap && strchr(".*_?", fold_at(s, k)[0]) != NULL)
		k++;
	/* one dot or question mark ends a sentence */
	bool marked = k > i + 2 || (k == i + 2 && strcmp(fold_at(s, i + 1), "...") == 0) ||
	    (k == i + 2 && strchr("*_", fold_at(s, i + 1)[0]) != NULL);
	if (!marked)
		return NULL;
	*last = k - 1;
	return icao_prefix_country(str_upper_copy(a, t->fold, 2));
}

/* "LF" and "ED" alone. If the letters are also an ISO code, the code of a country nearby is meant:
 * "ES" is Spain, but nobody means Egypt by "EG". */
static const char *prefix_at(struct arena *a, const struct rules_reading *s,
    const struct rulebase *base, size_t i)
{
	const struct token *t = &s->x.tok[i];
	if (!two_letters(t) || !t->upper || s->x.shouted || !expected(s, i))
		return NULL;
	const struct country *iso = country_by_code(t->fold);
	if (iso != NULL && (country_preferred(iso->code) || has_rules(base, iso->code)))
		return NULL;
	const char *code = icao_prefix_country(str_upper_copy(a, t->fold, 2));
	return code != NULL && country_preferred(code) ? code : NULL;
}

/* ---- names ------------------------------------------------------------------------ */

/* "the Italians", "the Brits": people, for adjectives that are not also a country's name. */
static const struct country *people(struct arena *a, const char *fold)
{
	const struct country *c = country_by_people(fold);
	size_t n = strlen(fold);
	if (c != NULL)
		return c;
	return n > 4 && fold[n - 1] == 's' ? country_by_name(arena_strndup(a, fold, n - 1)) : NULL;
}

static const struct country *name_at(struct arena *a, const struct rules_reading *s, size_t i,
    size_t *last)
{
	const struct lexed *x = &s->x;
	size_t most = 1;
	while (most < NAME_WORDS && i + most < x->n && x->tok[i + most].kind == TOK_WORD &&
	    !x->tok[i + most - 1].owner)
		most++;
	for (size_t k = most; k >= 1; k--) {
		const char *text = str_fold(a, lex_slice(a, x, i, i + k - 1));
		const struct country *c = strlen(text) > 1 ? country_by_name(text) : NULL;
		if (c != NULL && !starts_with(text, "the ")) {
			*last = i + k - 1;
			return c;
		}
	}
	return NULL;
}

static bool nearby(const void *base, const struct country *c)
{
	return country_preferred(c->code) || has_rules(base, c->code);
}

/* "Swizerland": a typing error in the name of a country with rules, or of one nearby. */
static const struct country *slip_at(const struct reader *rd, const struct rules_reading *s,
    size_t i)
{
	const struct token *t = &s->x.tok[i];
	if (strlen(t->fold) < SLIP_MIN || word_listed(LIST_COMMON, t->fold))
		return NULL;
	effort_spend(rd->effort, EFFORT_SLIP, 1);
	return lexicon_country(t->fold, nearby, rd->base);
}

bool country_mention_at(const struct reader *rd, const struct rules_reading *s, size_t i,
    bool known, struct country_mention *out)
{
	struct arena *a = rd->mem;
	*out = (struct country_mention){ .first = i, .last = i };
	if (s->x.tok[i].kind != TOK_WORD)
		return false;
	out->code = region_at(a, s, i, &out->last);
	if (out->code == NULL)
		out->code = iso_at(s, rd->base, i);
	if (out->code == NULL)
		out->code = prefix_at(a, s, rd->base, i);
	if (out->code != NULL)
		return true;
	if (known && !streq(s->x.tok[i].fold, "english"))
		return false;
	const struct country *c = name_at(a, s, i, &out->last);
	if (c == NULL)
		c = people(a, s->x.tok[i].fold);
	if (c == NULL) {
		c = slip_at(rd, s, i);
		out->last = i;
	}
	if (c == NULL)
		return false;
	if (adjective(a, c, str_fold(a, lex_slice(a, &s->x, i, out->last))) &&
	    language(s, i, out->last))
		return false;
	out->code = c->code;
	out->origin = origin(s, out->last);
	return true;
}
