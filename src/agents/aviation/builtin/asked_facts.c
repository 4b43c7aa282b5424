#include "agents/aviation/builtin/asked_facts.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

/* Each has the words of one row of the writer's tables. */
static const struct { const char *fact, *words; } rows[] = {
	{ "runway_length", "runway length" }, { "surface", "runway" }, { "lights", "lights" }, { "direction", "heading" },
	{ "elevation", "elevation" }, { "frequency", "frequency" }, { "fuel", "fuel" }, { "hours", "opening hours" },
	{ "customs", "customs" }, { "fee", "fee" }, { "procedures", "instrument procedure" }, { "hotel", "hotel" },
	{ "restaurant", "restaurant" }, { "distance", "how far" }, { "time", "flight time" }, { "where", "coordinates" },
	{ "country", "coordinates" },
	{ "code", "icao code" }, { "reviews", "reviews" }, { "transport", "transport" }, { "night", "at night" },
	{ "ppr", "ppr" }, { "contact", "contact" }, { "need", "need" }, { "differences", "compare" },
};

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

bool asked_is_they(const struct words *w, size_t i)
{
	const struct word *word = &w->word[i];

	return streq(word->fold, "ils") && (!word->upper || w->shouted);
}

const char *asked_in_french(struct arena *a, const char *text)
{
	const struct words *w = words_of(a, text, "fr");
	char *out = arena_strdup(a, text);

	for (size_t i = 0; i < w->n; i++)
		if (asked_is_they(w, i))
			memset(out + w->word[i].start, ' ', w->word[i].end - w->word[i].start);
	return asked_folded(a, out);
}

const char *asked_folded(struct arena *a, const char *text)
{
	const char *folded = str_fold(a, text);
	char *out = arena_alloc(a, strlen(folded) + 3), *o = out;

	*o++ = ' ';
	for (const char *p = folded; *p != '\0'; p++) {
		if (is_letter(*p))
			*o++ = *p;
		else if (o[-1] != ' ')
			*o++ = ' ';
	}
	if (o[-1] != ' ')
		*o = ' ';
	return out;
}

static const char *words_of_fact(const char *fact)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].fact, fact))
			return rows[i].words;
	return "";
}

const char *asked_fact_words(struct arena *a, const struct plan_fact *fact)
{
	return asked_folded(a, arena_printf(a, "%s %s", words_of_fact(fact->name), fact->words != NULL ? fact->words : ""));
}

const char *asked_words(struct arena *a, const struct plan *plan)
{
	const char *all = " ";
	for (size_t i = 0; i < plan->nasked; i++)
		all = arena_printf(a, "%s%s", all, asked_fact_words(a, &plan->asked[i]) + 1);
	return all;
}
