#include "agents/aviation/builtin/shown_evidence.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "airports/airport_names.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/languages.h"

enum { LETTERS_MIN = 3 };

struct shown_airport {
	const char *ident, *code;             /* code: the ident in small letters */
	struct airport_names names;
};

/* Does the word identify the airport? Common words ("north", "les") do not. */
static bool identifies(const struct shown_airport *a, const struct word *w)
{
	if (w->kind == WORD_SIGN)
		return false;
	if (streq(w->fold, a->code))
		return true;
	return w->kind == WORD_LETTERS && strlen(w->fold) >= LETTERS_MIN && airport_names_have(&a->names, w->fold) &&
	    !airport_name_is_common(w->fold) && !language_has(w->fold);
}

/* Several airports may have one name, and several runways one length: the first of them is evidence enough. */
static void add_once(struct evidences *out, size_t first, size_t last, const char *kind, const char *value)
{
	for (size_t i = out->n; i-- > 0;)
		if (out->at[i].first == first && out->at[i].last == last && streq(out->at[i].kind, kind))
			return;
	evidence_add(out, first, last, kind, value);
}

/* Add evidence for each place where the message names this airport. Returns the length of its longest runway in feet; NaN: unknown. */
static double find_airport(const struct shown *s, const char *ident, const char *kind, const struct words *w, struct evidences *out)
{
	struct shown_airport a = { .ident = ident, .code = str_fold(out->mem, ident) };
	struct airport airport = { .longest_ft = NAN };
	bool found = false;

	if (s->con != NULL && airdb_by_code(s->con, out->mem, ident, &airport, &found, NULL) == OK && found)
		airport_names_of(&a.names, &airport);
	for (size_t i = 0; i < w->n; i++) {
		size_t last = i;
		if (!identifies(&a, &w->word[i]))
			continue;
		/* "London City": words between and behind those that identify the airport need only belong to its name, but no common word ends it */
		for (size_t k = i + 1; k < w->n && (identifies(&a, &w->word[k]) || airport_names_have(&a.names, w->word[k].fold)); k++)
			if (identifies(&a, &w->word[k]) || !language_has(w->word[k].fold) || w->word[k].title)
				last = k;
		add_once(out, i, last, kind, arena_strdup(out->mem, ident));
		i = last;
	}
	return found ? airport.longest_ft : NAN;
}

/* Are two numbers equal after rounding? Answers show rounded numbers, and pilots repeat those. */
static bool same(double x, double y)
{
	return y > 0 && fabs(x - y) <= fmax(0.5, 0.005 * y);
}

/* The numbers of an answer: the length of a runway, a distance, a fee; 0 or NaN: it has none. */
struct shown_numbers {
	double feet, nm, fee;
};

/* Add evidence for each quantity of the message that equals one of these numbers. The first n pieces of evidence come from the earlier
 * sources, which recognise quantities. */
static void find_numbers(struct shown_numbers has, size_t n, struct evidences *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct evidence e = out->at[i];
		const bool length = streq(e.kind, "length");
		if ((length && (same(amount_feet(e.value), has.feet) || same(amount_nm(e.value), has.nm))) ||
		    (streq(e.kind, "money") && same(amount_number(e.value), has.fee)))
			add_once(out, e.first, e.last, "number.shown", NULL);
	}
}

/* Of the shown airports that are named from the same word on, keep those with the longest name: "London City" is not London Biggin Hill. The
 * first n pieces of evidence come from other sources, and stay. */
static void keep_longest(size_t n, struct evidences *out)
{
	size_t kept = n;

	for (size_t i = n; i < out->n; i++) {
		bool longest = true;
		for (size_t k = n; k < out->n; k++)
			longest &= out->at[k].first != out->at[i].first || out->at[k].last <= out->at[i].last;
		if (longest)
			out->at[kept++] = out->at[i];
	}
	out->n = kept;
}

/* Is it an exact word of this kind? */
static bool is_exact_word(const struct evidences *e, size_t word, const char *kind)
{
	for (size_t i = 0; i < e->nexact && e->exact[i].first <= word; i++)
		if (e->exact[i].first == word && streq(e->exact[i].kind, kind))
			return true;
	return false;
}

/* Do only articles stand between these two words, three at most? */
static bool only_articles(const struct evidences *e, size_t after, size_t before)
{
	enum { BETWEEN = 3 };

	if (before > after + 1 + BETWEEN)
		return false;
	for (size_t i = after + 1; i < before; i++)
		if (!is_exact_word(e, i, "article"))
			return false;
	return true;
}

/* Does other evidence give the words another meaning, as in "not far" and "not bad"? Or does somebody ask why not? */
static bool says_else(const struct evidences *e, size_t n, const struct evidence *drop)
{
	if (drop->first > 0 && is_exact_word(e, drop->first - 1, "why"))
		return true;
	for (size_t i = 0; i < n; i++) {
		const struct evidence *x = &e->at[i];
		if (x->first <= drop->first && x->last >= drop->last && x->last - x->first > drop->last - drop->first &&
		    !one_of(x->kind, "not|no|lift|drop|drop.half|drop.behind|too|refused") && x->kind[0] != '~' && x->kind[0] != '+')
			return true;
	}
	return false;
}

/* Do these words refuse the airport that is named behind them? "Leave" and "nimm" do so only with an "out" or "raus" behind the name,
 * which ends with the word `last`. */
static bool refuses(const struct evidences *e, size_t n, const struct evidence *drop, size_t last)
{
	bool half = streq(drop->kind, "drop.half");

	for (size_t i = 0; half && i < n; i++)
		half = !streq(e->at[i].kind, "drop.behind") || e->at[i].first != last + 1;
	return !half && one_of(drop->kind, "drop|drop.half");
}

/* Does the clause end with this word? A question has no refusal of one word at its end: "geht Dinard nicht?" */
static bool ends_clause(const struct words *w, const struct evidence *behind)
{
	const size_t next = behind->last + 1;
	return next == w->n || (w->word[next].kind == WORD_SIGN && (behind->last > behind->first || !streq(w->word[next].fold, "?")));
}

/* Is the word part of a question: one with its sign at the end, or one that begins like one, as "is Sion too far for a C152"? */
static bool is_asked(const struct words *w, const struct evidences *e, size_t word)
{
	size_t first = word, end = word;

	while (end < w->n && w->word[end].kind != WORD_SIGN)
		end++;
	while (first > 0 && w->word[first - 1].kind != WORD_SIGN)
		first--;
	return (end < w->n && streq(w->word[end].fold, "?")) || is_exact_word(e, first, "begins_question");
}

/* "Sion is too far", "Dinard trop cher": does this complaint stand behind the name that ends with `last`? "Is Sion too far?" is no complaint. */
static bool complains(const struct words *w, const struct evidences *e, const struct evidence *too, size_t last)
{
	enum { BETWEEN = 2 };

	if (!streq(too->kind, "too") || too->first <= last || too->first > last + 1 + BETWEEN || is_asked(w, e, last) ||
	    is_exact_word(e, too->last, "unfinished_too"))
		return false;
	/* "I don't think Bex is too small" */
	for (size_t i = last + 1; i-- > 0 && w->word[i].kind != WORD_SIGN;)
		if (is_exact_word(e, i, "denies_too"))
			return false;
	for (size_t i = last + 1; i < too->first; i++)
		if (!is_exact_word(e, i, "before_too"))
			return false;
	return true;
}

/* "Forget Barton", "Courtrai, pas celui-là": does the pilot refuse the airport whose name these words are? If so, *first and *last are
 * widened to the whole refusal. */
static bool is_dropped(const struct words *w, const struct evidences *e, size_t n, size_t *first, size_t *last)
{
	const size_t comma = *last + 1 < w->n && streq(w->word[*last + 1].fold, ",") ? 1 : 0;

	for (size_t i = 0; i < n; i++) {
		const struct evidence *x = &e->at[i];
		if (refuses(e, n, x, *last) && x->last < *first && only_articles(e, x->last, *first) && !says_else(e, n, x)) {
			*first = x->first;
			return true;
		}
		if ((streq(x->kind, "drop.behind") && x->first == *last + 1 + comma && ends_clause(w, x)) || complains(w, e, x, *last)) {
			*last = x->last;
			return true;
		}
	}
	return false;
}

/* "Without Barton and Lasham": does a word between them join this name to the refused one that ends at `last`? A comma may begin something
 * else: "not Barton, Lasham". */
static bool is_joined(const struct words *w, const struct evidences *e, size_t last, size_t first)
{
	return first == last + 2 && (one_of(w->word[last + 1].fold, "+|/|&") || evidence_in(e, last + 1, last + 1, "and") != NULL ||
	    evidence_in(e, last + 1, last + 1, "number_or") != NULL);
}

/* "Rennes et Dinard, du balai": what stands behind the last of several joined names refuses all of them. The refused name begins with the
 * word `first`. Evidence n..shown-1 is that of shown airports. */
static void refuse_joined_before(const struct words *w, size_t n, size_t shown, size_t first, struct evidences *out)
{
	for (size_t i = shown; i-- > n;) {
		const struct evidence e = out->at[i];
		if (one_of(e.kind, "place.shown|place.current") && is_joined(w, out, e.last, first)) {
			evidence_add(out, e.first, e.last, "refused", e.value);
			first = e.first;
			i = shown;
		}
	}
}

/* Add "refused" for each shown airport that the pilot does not want. The first n pieces of evidence come from the earlier sources. */
static void find_dropped(const struct words *w, size_t n, struct evidences *out)
{
	const size_t shown = out->n;
	size_t refused = SIZE_MAX;            /* the last word of the name that was refused last */

	/* from left to right: in "not Barton and Lasham", the refusal of Barton also holds for Lasham */
	for (size_t word = 0; word < w->n; word++)
		for (size_t i = n; i < shown; i++) {
			const struct evidence e = out->at[i];
			size_t first = e.first, last = e.last;
			if (e.first != word || !one_of(e.kind, "place.shown|place.current"))
				continue;
			if (is_dropped(w, out, n, &first, &last) || (refused != SIZE_MAX && is_joined(w, out, refused, e.first))) {
				evidence_add(out, first, last, "refused", e.value);
				if (last > e.last)
					refuse_joined_before(w, n, shown, e.first, out);
				/* what is behind a refusal such as "Barton raus" begins something new */
				refused = last == e.last ? e.last : SIZE_MAX;
			}
		}
}

static void find(void *self, const struct words *w, struct evidences *out)
{
	const struct shown *s = self;
	const struct talk *t = s->talk;
	const size_t n = out->n;

	double current_ft = NAN;

	if (*t->current != '\0')
		current_ft = find_airport(s, t->current, "place.current", w, out);
	for (size_t i = 0; i < t->n; i++)
		if (!streq(t->list[i].ident, t->current))
			find_airport(s, t->list[i].ident, "place.shown", w, out);
	keep_longest(n, out);
	find_dropped(w, n, out);
	find_numbers((struct shown_numbers){ .feet = current_ft }, n, out);
	for (size_t i = 0; i < t->n; i++)
		find_numbers((struct shown_numbers){ t->list[i].runway_ft, t->list[i].distance_nm, t->list[i].fee }, n, out);
	find_numbers((struct shown_numbers){ .nm = t->track_nm }, n, out);
}

struct evidence_source shown_evidence(struct shown *s)
{
	return (struct evidence_source){ find, s };
}
