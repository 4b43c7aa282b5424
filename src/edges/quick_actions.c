#include "edges/quick_actions.h"

#include "agents/aviation/messages.h"
#include "base/str.h"

#define COUNTRY "country"

const struct quick_action quick_actions[] = {
	{ "airports-near-route", "✈️", SAY_quick_route_title, SAY_quick_route,
	    { { "from", "Departure: a code or a place", "EGTF", "airport" },
	      { "to", "Destination: a code or a place", "LFMD", "airport" } } },
	{ "border-crossing-airports", "plane", SAY_quick_entries_title, SAY_quick_entries,
	    { { "country", "Name of a country", "FR", COUNTRY } } },
	{ "airports-near-location", "map-marker-alt", SAY_quick_place_title, SAY_quick_place,
	    { { "place", "A town, a code or coordinates", "Paris", NULL } } },
	{ "airports-with-avgas", "fuel-pump", SAY_quick_avgas_title, SAY_quick_avgas,
	    { { "country", "Name of a country", "DE", COUNTRY } } },
	{ "ifr-procedures", "route", SAY_quick_procedures_title, SAY_quick_procedures,
	    { { "airport", "A code or a place", "EGTF", "airport" } } },
	{ "country-rules", "book", SAY_quick_rules_title, SAY_quick_rules,
	    { { "country", "Name of a country", "FR", COUNTRY } } },
};
const size_t nquick_actions = sizeof(quick_actions) / sizeof(quick_actions[0]);

const char *quick_title(const struct wording *w, const struct quick_action *q)
{
	return message_pattern(w, q->title);
}

const char *quick_value(const struct wording *w, const struct quick_word *word)
{
	return streq(word->kind, COUNTRY) ? message_country(w, word->value) : word->value;
}

const char *quick_question(const struct wording *w, struct arena *a, const struct quick_action *q,
    const char *const words[QUICK_WORDS])
{
	const char *values[2 * QUICK_WORDS + 1] = { NULL };

	for (size_t i = 0; i < QUICK_WORDS && q->words[i].name != NULL; i++) {
		values[2 * i] = q->words[i].name;
		values[2 * i + 1] = words != NULL && words[i] != NULL ? words[i] : quick_value(w, &q->words[i]);
	}
	return message_text(w, a, q->question, values);
}
