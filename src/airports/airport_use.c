/*
 * What the name, the type and the runways of an airport tell about who can use it.
 */
#include "airports/airport_use.h"

#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

/* The strictest one first, for airports that have more than one. */
static const struct {
	const char *name;
	unsigned flag;
	enum place_words words;
} uses[] = {
	[USE_WATER] = { "water", AF_SEAPLANES, WORDS_WATER },
	[USE_MOUNTAIN] = { "mountain", AF_MOUNTAIN, WORDS_MOUNTAIN },
	[USE_MILITARY] = { "military", AF_MILITARY, WORDS_MILITARY },
};

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
}

/* Whole words only; what begins with another sign ("(ba ") may stand anywhere. */
static bool has_word(const char *name, const struct fact_words *words)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *w = words->word[i];
		size_t n = strlen(w);

		for (const char *p = name; (p = strstr(p, w)) != NULL; p++)
			if (!letter(w[0]) ||
			    ((p == name || !letter(p[-1])) && !letter(p[n])))
				return true;
	}
	return false;
}

static bool could_be(const struct airport *ap, enum airport_use use)
{
	/* Scheduled service means an airport that is open to all. */
	if (ap->flags & AF_SCHEDULED)
		return use == USE_WATER && ap->type == TYPE_SEAPLANE;
	return use != USE_WATER || !(ap->flags & (AF_HARD | AF_SOFT));
}

unsigned airport_use_flags(struct arena *a, const struct airport *ap)
{
	const struct fact_words *words = facts_in_use()->place_words;
	const char *name = str_fold(a, ap->name != NULL ? ap->name : "");
	unsigned flags = 0;

	for (int use = USE_ORDINARY + 1; use < USE__MAX; use++) {
		bool known = use == USE_WATER && (ap->type == TYPE_SEAPLANE || (ap->flags & AF_WATER));

		if (could_be(ap, (enum airport_use)use) && (known || has_word(name, &words[uses[use].words])))
			flags |= uses[use].flag;
	}
	return flags;
}

bool airport_for_gliders(struct arena *a, const struct airport *ap)
{
	return ap->name != NULL && has_word(str_fold(a, ap->name), &facts_in_use()->place_words[WORDS_GLIDING]);
}

enum airport_use airport_use(const struct airport *ap)
{
	for (int use = USE_ORDINARY + 1; use < USE__MAX; use++)
		if (ap->flags & uses[use].flag)
			return (enum airport_use)use;
	return USE_ORDINARY;
}

const char *airport_use_name(enum airport_use use)
{
	return (unsigned)use < USE__MAX ? uses[use].name : NULL;
}
