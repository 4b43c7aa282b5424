/*
 * People name an airport of the answer by a part of its name: "Gamston" of "Retford Gamston Airfield". Such a name may be
 * unknown to the gazetteer, or mean another place there.
 */
#include "agents/aviation/builtin/frame_plans.h"

#include "airports/airport_names.h"
#include "airports/geo.h"
#include "airports/place.h"
#include "base/str.h"

bool airport_is_shown(const struct talk *t, const char *ident)
{
	bool shown = streq(t->current, ident);
	for (size_t i = 0; i < t->n; i++)
		shown |= streq(t->list[i].ident, ident);
	return shown;
}

/* own: all words must be in the airport's own name. The name of its town does not count. */
static bool is_named(const struct planning *p, const char *ident, const char *name, bool own, struct airport *airport)
{
	struct airport_names names;
	bool found = false;

	if (*ident == '\0' || airdb_by_code(p->con, p->mem, ident, airport, &found, NULL) != OK || !found)
		return false;
	airport_names_of(&names, airport);
	return own ? airport_own_name_has_all(&names, name) : airport_names_have_all(&names, name);
}

/* The airport of the last answer with this name: the one that was spoken of last, else the only one of the list. If several airports of the
 * list have these words in their name or town, the only one that has all of them in its own name. */
static bool find_shown(const struct planning *p, const char *name, struct airport *out)
{
	const struct talk *t = p->talk;
	struct airport one;
	size_t n = 0;

	if (p->con == NULL || t->dialogue.n == 0)
		return false;
	if (is_named(p, t->current, name, false, out))
		return true;
	for (int own = 0; own < 2 && n != 1; own++) {
		n = 0;
		for (size_t i = 0; i < t->n; i++)
			if (!streq(t->list[i].ident, t->current) && is_named(p, t->list[i].ident, name, own != 0, &one)) {
				*out = one;
				n++;
			}
	}
	return n == 1;
}

/* Is it the name of a town that everybody knows, far from the airport? "Paris" is not Le Touquet-Paris-Plage. */
static bool is_far_town(const struct planning *p, const char *name, const struct airport *airport)
{
	struct place place;
	bool found = false;

	return place_well_known(name) && place_resolve(p->con, p->mem, NULL, name, NULL, &place, &found, NULL) == OK && found &&
	    geo_distance_nm((struct point){ place.lat, place.lon }, (struct point){ airport->lat, airport->lon }) > AIRPORT_SERVES_NM;
}

const char *airport_shown(const struct planning *p, const char *name)
{
	struct airport airport;
	return find_shown(p, name, &airport) && !is_far_town(p, name, &airport) ? airport.ident : NULL;
}
