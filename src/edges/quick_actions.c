#include "edges/quick_actions.h"

#include <string.h>

#include "base/str.h"

const struct quick_action quick_actions[] = {
	{ "airports-near-route", "✈️", "Airports near route", "Find airports between {from} and {to}",
	    { { "from", "Departure: a code or a place", "EGTF", "airport" },
	      { "to", "Destination: a code or a place", "LFMD", "airport" } } },
	{ "border-crossing-airports", "plane", "Border crossing airports", "Show me border crossing airports in {country}",
	    { { "country", "Name of a country", "France", "country" } } },
	{ "airports-near-location", "map-marker-alt", "Airports near location", "Find airports near {place}",
	    { { "place", "A town, a code or coordinates", "Paris", NULL } } },
	{ "airports-with-avgas", "fuel-pump", "Airports with AVGAS", "Find airports with AVGAS in {country}",
	    { { "country", "Name of a country", "Germany", "country" } } },
	{ "ifr-procedures", "route", "IFR procedures", "Show airports with IFR near {airport}",
	    { { "airport", "A code or a place", "EGTF", "airport" } } },
	{ "country-rules", "book", "Country rules",
	    "What are the rules for flying IFR to an uncontrolled airport in {country}?",
	    { { "country", "Name of a country", "France", "country" } } },
};
const size_t nquick_actions = sizeof(quick_actions) / sizeof(quick_actions[0]);

static const char *word_of(const struct quick_action *q, const char *const words[QUICK_WORDS], struct str name)
{
	for (size_t i = 0; i < QUICK_WORDS && q->words[i].name != NULL; i++)
		if (str_eq(name, q->words[i].name))
			return words != NULL && words[i] != NULL ? words[i] : q->words[i].value;
	return "";
}

const char *quick_question(struct arena *a, const struct quick_action *q, const char *const words[QUICK_WORDS])
{
	const char *out = "";

	for (const char *p = q->text; *p != '\0';) {
		const size_t fixed = strcspn(p, "{");
		out = arena_printf(a, "%s%.*s", out, (int)fixed, p);
		p += fixed;
		if (*p == '\0')
			break;
		const size_t n = strcspn(p + 1, "}");
		out = arena_printf(a, "%s%s", out, word_of(q, words, (struct str){ p + 1, n }));
		p += n + 2;
	}
	return out;
}
