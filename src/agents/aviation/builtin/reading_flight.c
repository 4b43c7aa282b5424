/*
 * "A flight plan to Switzerland": whether the words before a country say that one flies into it, or out of it.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include "base/str.h"
#include "language/languages.h"

/* Do the words that end here have this kind? */
static bool ends_here(const struct reading *r, size_t word, const char *kinds)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].last == word && one_of(r->evidence->at[i].kind, kinds))
			return true;
	return false;
}

static enum flight flight_at(const struct reading *r, size_t word)
{
	const bool goes = word > 0 && ends_here(r, word - 1, "role.route") && !reading_is_marked(r, word - 1, word - 1);
	bool to = false;

	if (ends_here(r, word, "origin|origin.notice"))
		return FLIGHT_OUT;
	if (ends_here(r, word, "role.in"))
		return goes ? FLIGHT_INTO : FLIGHT_NONE;
	/* one word that may also mean "for" or "at" does not say it */
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		to |= streq(e->kind, "role.to") && e->last == word && (e->first < word || !ends_here(r, word, "role.at"));
	}
	return to ? FLIGHT_INTO : FLIGHT_NONE;
}

enum flight reading_flight_before(const struct reading *r, const struct mark *country)
{
	const enum flight flight = country->first > 0 ? flight_at(r, country->first - 1) : FLIGHT_NONE;

	/* one more word may stand before the country: "aus der Schweiz" */
	return flight == FLIGHT_NONE && country->first > 1 && language_has(r->words->word[country->first - 1].fold)
	    ? flight_at(r, country->first - 2) : flight;
}
