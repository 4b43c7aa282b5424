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
		while (last + 1 < w->n && identifies(&a, &w->word[last + 1]))
			last++;
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

static void find(void *self, const struct words *w, struct evidences *out)
{
	const struct shown *s = self;
	const struct talk *t = s->talk;
	const size_t n = out->n;

	if (*t->current != '\0')
		find_numbers((struct shown_numbers){ .feet = find_airport(s, t->current, "place.current", w, out) }, n, out);
	for (size_t i = 0; i < t->n; i++) {
		const struct talk_airport *one = &t->list[i];
		if (!streq(one->ident, t->current))
			find_airport(s, one->ident, "place.shown", w, out);
		find_numbers((struct shown_numbers){ one->runway_ft, one->distance_nm, one->fee }, n, out);
	}
	find_numbers((struct shown_numbers){ .nm = t->track_nm }, n, out);
}

struct evidence_source shown_evidence(struct shown *s)
{
	return (struct evidence_source){ find, s };
}
