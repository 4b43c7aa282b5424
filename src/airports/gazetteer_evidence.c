/*
 * Finds names of places without a list of places, from the airports' data.
 *
 * Every airport gives evidence. Its own name is a name for it. Its municipality ("Paris (Orly,
 * Val-de-Marne)", "Luton, Luton", "Bâle / Mulhouse") names one place or several. The first words of
 * its name often name the city that it serves if the municipality is a suburb ("Milan Malpensa", in
 * Ferno), but only if the city is known otherwise, because "General" and "Port" would be cities, or if
 * a hyphen and the municipality follow the first word ("Abbeville-Buigny", in Buigny-Saint-Maclou).
 * Evidence has the weight of the airport's size.
 */
#include "airports/gazetteer_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/gazetteer_build.h"
#include "airports/geo.h"
#include "airports/place_key.h"
#include "airports/towns.h"
#include "base/str.h"

enum {
	TEXT_MAX = 200,              /* longer municipalities are not taken apart */
	PARTS_OF_NAME = 8,           /* names in one municipality or keywords text */
	PREFIX_WORDS = 3,
	ALIAS_MIN = 4,               /* shortest name made by cutting another one */
};

double gazetteer_weight(const struct airport *a)
{
	static const double weights[TYPE__MAX] = {
		[TYPE_LARGE] = 30, [TYPE_MEDIUM] = 8, [TYPE_SMALL] = 2, [TYPE_SEAPLANE] = 1,
		[TYPE_HELIPORT] = 0.3, [TYPE_BALLOON] = 0.3, [TYPE_CLOSED] = 0, [TYPE_OTHER] = 0.3,
	};

	return weights[a->type] * (a->flags & AF_SCHEDULED ? 1.5 : 1);
}

static bool major(const struct airport *a)
{
	return a->type == TYPE_LARGE || a->type == TYPE_MEDIUM;
}

static void add(struct gazetteer_gatherer *g, struct gazetteer_evidence e)
{
	if (g->n == g->size) {
		size_t size = g->size != 0 ? 2 * g->size : 4096;
		struct gazetteer_evidence *v = reallocarray(g->v, size, sizeof(*v));

		if (v == NULL)
			return;      /* a missing name is better than a missing index */
		g->v = v;
		g->size = size;
	}
	g->v[g->n++] = e;
}

/* Add one piece of evidence under every spelling and, for cities, in every language. */
static void testify(struct gazetteer_gatherer *g, uint32_t i, enum gaz_kind kind, const char *text,
    double strength, bool prefix)
{
	const struct airport *a = &g->l->airports[i].a;
	char key[PLACE_KEY_MAX], other[PLACE_KEY_MAX];
	struct gazetteer_evidence e = { NULL, NULL, strength * gazetteer_weight(a), i, (uint8_t)kind, prefix };

	place_key(key, text, false, NULL);
	if (strlen(key) < 2 || a->country == NULL || isnan(a->lat))
		return;
	e.key = arena_strdup(g->mem, key);
	e.name = kind == GAZ_CITY ? text : NULL;
	add(g, e);
	place_key(other, text, true, NULL);
	if (!streq(key, other)) {
		e.key = arena_strdup(g->mem, other);
		add(g, e);
	}
	if (kind == GAZ_AIRPORT)
		return;
	for (size_t k = 0; exonym(key, a->country, k, other); k++) {
		e.key = arena_strdup(g->mem, other);
		e.prefix = false;
		add(g, e);
	}
	/* a name with exonyms is a city, so the prefix needs no other evidence */
	if (prefix && !e.prefix) {
		e.key = arena_strdup(g->mem, key);
		add(g, e);
	}
}

/* Parts of a municipality, each with the character before it; 0 for the first. */
static void municipality(struct gazetteer_gatherer *g, uint32_t i)
{
	const char *text = g->l->airports[i].a.municipality, *p = text;
	char before = 0;
	int parts = 0;

	if (text == NULL || strlen(text) > TEXT_MAX)
		return;
	while (*p != '\0' && parts < PARTS_OF_NAME) {
		size_t n = strcspn(p, "(),/;");
		const char *dash = memmem(p, n, " - ", 3);
		struct str part;

		if (dash != NULL)
			n = (size_t)(dash - p);
		part = str_trim((struct str){ p, n });
		if (part.n > (parts == 0 ? 1 : 2)) {
			double strength = before == 0 ? 4 : before == '/' || before == ' ' ? 3 :
			    before == '(' ? 2 : 1;

			testify(g, i, GAZ_CITY, arena_strndup(g->mem, part.p, part.n), strength, false);
			parts++;
		}
		p += n;
		before = *p;
		p += *p == ' ' ? 3 : *p != '\0';
	}
	if (parts > 1)
		testify(g, i, GAZ_CITY, text, 3, false);
}

/* Where the n-th word of a name ends. */
static size_t end_of_word(const char *name, int n)
{
	size_t at = 0;

	while (n-- > 0) {
		while (name[at] != '\0' && strchr(" -/–", name[at]) != NULL)
			at++;
		while (name[at] != '\0' && strchr(" -/", name[at]) == NULL &&
		    strncmp(name + at, "–", 3) != 0)
			at++;
	}
	return at;
}

/* Does the rest of an airport's name, behind a hyphen, begin with the municipality's first word? */
static bool suburb_next(const char *name, size_t end, const char *city_key)
{
	const size_t n = strcspn(city_key, " ");
	char rest[PLACE_KEY_MAX];

	if (end < ALIAS_MIN || n < ALIAS_MIN || (name[end] != '-' && strncmp(name + end, "–", 3) != 0))
		return false;
	place_key(rest, name + end, false, NULL);
	return strncmp(rest, city_key, n) == 0 && (rest[n] == ' ' || rest[n] == '\0');
}

static void names(struct gazetteer_gatherer *g, uint32_t i)
{
	const struct airport *a = &g->l->airports[i].a;
	char key[PLACE_KEY_MAX], city[PLACE_KEY_MAX];
	size_t words = 1;

	if (a->name == NULL)
		return;
	testify(g, i, GAZ_AIRPORT, a->name, 4, false);
	/* for small fields the rest of the name is as often "hotel" or "north" */
	if (!major(a))
		return;
	place_key(key, a->name, false, NULL);
	place_key(city, a->municipality, false, NULL);
	if (city[0] != '\0' && starts_with(key, city) && key[strlen(city)] == ' ' &&
	    strlen(key) - strlen(city) > ALIAS_MIN && !place_common(key + strlen(city) + 1))
		testify(g, i, GAZ_AIRPORT, arena_strdup(g->mem, key + strlen(city) + 1), 3, false);
	if (strchr(key, ' ') != NULL && strlen(strchr(key, ' ')) > ALIAS_MIN &&
	    !place_common(strchr(key, ' ') + 1))
		testify(g, i, GAZ_AIRPORT, arena_strdup(g->mem, strchr(key, ' ') + 1), 2, false);
	for (const char *p = key; (p = strchr(p, ' ')) != NULL; p++)
		words++;
	for (int n = 1; n <= PREFIX_WORDS && (size_t)n < words + 1; n++) {
		const size_t end = end_of_word(a->name, n);

		testify(g, i, GAZ_CITY, arena_strndup(g->mem, a->name, end), 2, n > 1 || !suburb_next(a->name, end, city));
	}
}

/* Codes among the keywords ("PAR", "LSZM") are not names. */
static bool is_code(struct str s)
{
	if (s.n > 4)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!((s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= '0' && s.p[i] <= '9')))
			return false;
	return true;
}

static void keywords(struct gazetteer_gatherer *g, uint32_t i)
{
	const char *p = g->l->airports[i].keywords;

	if (p == NULL || !major(&g->l->airports[i].a))
		return;
	for (int parts = 0; *p != '\0' && parts < PARTS_OF_NAME; parts++) {
		size_t n = strcspn(p, ",;");
		struct str part = str_trim((struct str){ p, n });

		if (part.n >= ALIAS_MIN && part.n <= TEXT_MAX && !is_code(part))
			testify(g, i, GAZ_AIRPORT, arena_strndup(g->mem, part.p, part.n), 1, false);
		p += n + (p[n] != '\0');
	}
}

double gazetteer_apart(double lat, double lon, const struct airport *a)
{
	return geo_distance_nm((struct point){ lat, lon }, (struct point){ a->lat, a->lon });
}

/* Well-known towns get evidence from the largest airport near them, so that also those are known
 * whose airports do not name them. */
static void well_known(struct gazetteer_gatherer *g)
{
	size_t n;
	const struct town *t = towns(&n);

	for (const struct town *end = t + n; t < end; t++) {
		double best = 0;
		uint32_t at = 0;

		for (uint32_t i = 0; i < g->l->n; i++) {
			const struct airport *a = &g->l->airports[i].a;
			double w = gazetteer_weight(a);

			if (!isnan(a->lat) && w > best && streq(a->country, t->country) &&
			    fabs(a->lat - t->lat) < 1 && gazetteer_apart(t->lat, t->lon, a) <= gazetteer_same_place_nm) {
				best = w;
				at = i;
			}
		}
		if (best > 0)
			testify(g, at, GAZ_CITY, t->name, 1, false);
	}
}

void gazetteer_gather(struct gazetteer_gatherer *g)
{
	for (uint32_t i = 0; i < g->l->n; i++) {
		names(g, i);
		municipality(g, i);
		keywords(g, i);
	}
	well_known(g);
}
