#include "agents/aviation/builtin/shown_evidence.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "airports/place_key.h"
#include "base/arena.h"
#include "base/str.h"

enum { LETTERS_MIN = 3 };

/* The keys of an airport's name and town: words between blanks. */
struct shown_names {
	const char *ident, *code;             /* code: the ident in small letters */
	char name[PLACE_KEY_MAX], town[PLACE_KEY_MAX];
};

static bool has_word(const char *key, const char *word)
{
	struct str one;
	while (str_part(&key, ' ', &one))
		if (str_eq(one, word))
			return true;
	return false;
}

/* Does the word identify the airport? Common words ("north") do not. */
static bool tells(const struct shown_names *names, const struct word *w)
{
	if (w->kind == WORD_SIGN)
		return false;
	if (streq(w->fold, names->code))
		return true;
	return w->kind == WORD_LETTERS && strlen(w->fold) >= LETTERS_MIN && !place_common(w->fold) &&
	    (has_word(names->name, w->fold) || has_word(names->town, w->fold));
}

/* Add evidence for each place where the message names this airport. Returns the length of its longest runway in feet; NaN: unknown. */
static double find_airport(const struct shown *s, const char *ident, const char *kind, const struct words *w, struct evidences *out)
{
	struct shown_names names = { .ident = ident, .code = str_fold(s->mem, ident) };
	struct airport airport = { .longest_ft = NAN };
	bool found = false;

	if (s->con != NULL && airdb_by_code(s->con, s->mem, ident, &airport, &found, NULL) == OK && found) {
		place_key(names.name, airport.name != NULL ? airport.name : "", false, NULL);
		place_key(names.town, airport.municipality != NULL ? airport.municipality : "", false, NULL);
	}
	for (size_t i = 0; i < w->n; i++) {
		size_t last = i;
		if (!tells(&names, &w->word[i]))
			continue;
		while (last + 1 < w->n && tells(&names, &w->word[last + 1]))
			last++;
		evidence_add(out, i, last, kind, arena_strdup(out->mem, ident));
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
			evidence_add(out, e.first, e.last, "number.shown", NULL);
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
