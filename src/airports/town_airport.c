/*
 * Airports around a point: the nearest one, and the one with a town's name.
 *
 * The field nearest to the middle of a town is often a gliding site or a military base; pilots mean
 * the airport with the town's name.
 */
#include "airports/town_airport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airindex.h"
#include "airports/airport_use.h"
#include "airports/geo.h"
#include "airports/place_key.h"
#include "base/str.h"

enum {
	AROUND_MAX = 500,            /* airports within this distance are sorted */
	NAMES_READ = 150,            /* so many of these are compared by name */
	TOWN_NAMES = 12,
	KEPT = 12,                   /* so many of the nearest are checked for being military */
	TEXT_MAX = 200,
};
static const double reach_nm = 25;     /* how far from town its airport may be */

/* An airport that a visitor has seen. */
struct place_seen {
	int64_t row;
	double nm;
	int size;                     /* large 3 … */
};

bool town_flown_to(const struct airport *a)
{
	return a->type != TYPE_HELIPORT && a->type != TYPE_BALLOON && a->type != TYPE_SEAPLANE &&
	    a->type != TYPE_CLOSED;
}

static int size_of(const struct airport *a)
{
	return a->type == TYPE_LARGE ? 3 : a->type == TYPE_MEDIUM ? 2 : 1;
}

/* ---- nearest -------------------------------------------------------------- */

static struct airbox around(struct point at, double nm)
{
	double dlat = nm / 60 * 1.01, reach = fabs(at.lat) + dlat, dlon;
	struct airbox box = { at.lat - dlat, at.lat + dlat, -180, 180 };

	if (reach < 89) {
		dlon = dlat / cos(reach * 3.14159265358979323846 / 180);
		if (dlon < 180) {
			box.west = at.lon - dlon;
			box.east = at.lon + dlon;
		}
	}
	return box;
}

/* The KEPT nearest, anywhere and in the country, of airports and of all the rest. */
enum pool { COUNTRY_AIRPORTS, AIRPORTS, COUNTRY_OTHERS, OTHERS, POOLS };

struct place_nearest {
	struct point at;
	const char *country;
	bool all_idents;
	double max_nm;
	struct {
		struct place_seen v[KEPT];
		size_t n;
	} pools[POOLS];
};

/* Of equal ones the first in table order is taken, whatever the order of visits. */
static void keep(struct place_nearest *n, enum pool pool, struct place_seen s)
{
	struct place_seen *v = n->pools[pool].v;
	size_t i = n->pools[pool].n;

	if (i == KEPT && (s.nm > v[i - 1].nm || (s.nm == v[i - 1].nm && s.row > v[i - 1].row)))
		return;
	i = i < KEPT ? n->pools[pool].n++ : i - 1;
	for (; i > 0 && (s.nm < v[i - 1].nm || (s.nm == v[i - 1].nm && s.row < v[i - 1].row)); i--)
		v[i] = v[i - 1];
	v[i] = s;
}

static bool consider(void *arg, const struct airport *a)
{
	struct place_nearest *n = arg;
	struct place_seen s = { a->row, 0, 0 };
	bool others = !town_flown_to(a);

	if (!n->all_idents && !(a->flags & AF_ICAO4))
		return true;
	s.nm = geo_distance_nm(n->at, (struct point){ a->lat, a->lon });
	if (s.nm > n->max_nm)
		return true;
	keep(n, others ? OTHERS : AIRPORTS, s);
	if (n->country != NULL && strieq(a->country, n->country))
		keep(n, others ? COUNTRY_OTHERS : COUNTRY_AIRPORTS, s);
	return true;
}

enum errcode place_nearest(struct aircon *con, struct arena *a, double lat, double lon,
    const char *country, double max_nm, struct airport *out, double *distance_nm, bool *found,
    struct err *e)
{
	/* civil ones first, then the others */
	static const struct { enum pool pool; bool civil; } order[] = {
		{ COUNTRY_AIRPORTS, true }, { AIRPORTS, true }, { COUNTRY_AIRPORTS, false },
		{ AIRPORTS, false }, { COUNTRY_OTHERS, false }, { OTHERS, false },
	};
	struct place_nearest *n = arena_alloc(a, sizeof(*n));
	struct airbox box = around((struct point){ lat, lon }, max_nm);
	enum errcode rc;

	*n = (struct place_nearest){ .at = { lat, lon }, .country = country, .max_nm = max_nm,
		.all_idents = aircon_all_idents(con) };
	*found = false;
	rc = airindex_boxes(con, &box, 1, consider, n, e);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && rc == OK; i++)
		for (size_t k = 0; k < n->pools[order[i].pool].n && rc == OK; k++) {
			const struct place_seen *s = &n->pools[order[i].pool].v[k];

			rc = airdb_by_rows(con, a, &s->row, 1, out, e);
			if (rc == OK && !(order[i].civil && airport_use(out) == USE_MILITARY)) {
				*found = true;
				*distance_nm = s->nm;
				return OK;
			}
		}
	return rc;
}

/* ---- by name ---------------------------------------------------------------- */

enum fit { FIT_NONE, FIT_MUNICIPALITY, FIT_NAME, FIT_EXACT };

struct place_search {
	struct arena *mem;
	struct point at;
	bool all_idents;
	const char *names[TOWN_NAMES];       /* keys of all names of the town */
	size_t nnames;
	struct place_seen *v;
	size_t n;
};

static bool collect(void *arg, const struct airport *a)
{
	struct place_search *s = arg;
	double nm;

	if (!town_flown_to(a) || (!s->all_idents && !(a->flags & AF_ICAO4)))
		return true;
	nm = geo_distance_nm(s->at, (struct point){ a->lat, a->lon });
	if (nm <= reach_nm)
		s->v[s->n++] = (struct place_seen){ a->row, nm, size_of(a) };
	return s->n < AROUND_MAX;
}

/* Large and medium ones first, then the nearest. */
static int compare(const void *pa, const void *pb)
{
	const struct place_seen *a = pa, *b = pb;
	int big = (b->size > 1) - (a->size > 1);

	if (big != 0 || a->nm == b->nm)
		return big != 0 ? big : a->row < b->row ? -1 : a->row > b->row;
	return a->nm < b->nm ? -1 : 1;
}

static void add_name(struct place_search *s, const char *key)
{
	for (size_t i = 0; i < s->nnames; i++)
		if (streq(s->names[i], key))
			return;
	if (s->nnames < TOWN_NAMES && strlen(key) > 1)
		s->names[s->nnames++] = arena_strdup(s->mem, key);
}

/* "muenchen" is also "munchen". */
static void add_unspelt(struct place_search *s, const char *key)
{
	char other[PLACE_KEY_MAX];

	place_unspelt(other, key);
	add_name(s, other);
}

static void add_names(struct place_search *s, const struct town *t)
{
	char other[PLACE_KEY_MAX];

	add_name(s, t->name);
	add_unspelt(s, t->name);
	for (size_t n = s->nnames, i = 0; i < n; i++)
		for (size_t k = 0; exonym(s->names[i], t->country, k, other); k++)
			add_name(s, other);
}

/* Does the key contain this name, as whole words? FIT_EXACT: it is the name. */
static enum fit fit_key(const char *key, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = key; (p = strstr(p, name)) != NULL; p++)
		if ((p == key || p[-1] == ' ') && (p[n] == '\0' || p[n] == ' '))
			return p == key && p[n] == '\0' ? FIT_EXACT : FIT_NAME;
	return FIT_NONE;
}

static enum fit fit_text(const struct place_search *s, const char *text)
{
	char key[PLACE_KEY_MAX];
	enum fit best = FIT_NONE;

	for (int spelt = 0; spelt < 2; spelt++) {
		place_key(key, text, spelt == 1, NULL);
		for (size_t i = 0; i < s->nnames; i++) {
			enum fit fit = fit_key(key, s->names[i]);

			best = fit > best ? fit : best;
		}
	}
	return best;
}

/* "Paris (Orly, Val-de-Marne)", "Toulouse/Blagnac": is a part of it the town? */
static bool in_town(const struct place_search *s, const char *text)
{
	char part[TEXT_MAX + 1];

	if (text == NULL || strlen(text) > TEXT_MAX)
		return false;
	if (fit_text(s, text) == FIT_EXACT)
		return true;
	for (const char *p = text; *p != '\0';) {
		size_t n = strcspn(p, "(),/;");
		const char *dash = memmem(p, n, " - ", 3);

		n = dash != NULL ? (size_t)(dash - p) : n;
		memcpy(part, p, n);
		part[n] = '\0';
		if (fit_text(s, part) == FIT_EXACT)
			return true;
		p += n + (dash != NULL ? 3 : p[n] != '\0');
	}
	return false;
}

static enum fit fit_of(const struct place_search *s, const struct airport *a)
{
	enum fit fit = fit_text(s, a->name);

	return fit == FIT_NONE && in_town(s, a->municipality) ? FIT_MUNICIPALITY : fit;
}

/* The order; a later number decides only between equals. */
struct place_rank {
	double by[4];
};

/* open: it is neither military nor for gliders */
static struct place_rank rank_of(enum place_wish wish, const struct airport *a, enum fit fit,
    bool open, double nm)
{
	static const int name_counts[] = { [FIT_MUNICIPALITY] = 0, [FIT_NAME] = 1, [FIT_EXACT] = 2 };
	double runway = isnan(a->longest_ft) ? 0 : a->longest_ft;
	int scheduled = (a->flags & AF_SCHEDULED) != 0;
	/* if a town's airport is named after a person, no strip with the town's name comes before
	 * it */
	int level = fit == FIT_MUNICIPALITY && size_of(a) > 1 ? FIT_NAME : (int)fit;

	/* a large airport is the town's, even if a strip has exactly the town's name */
	if (wish == PLACE_MAIN)
		return (struct place_rank){ { open, size_of(a) + scheduled + name_counts[fit], runway,
			-nm } };
	return (struct place_rank){ { open, level, -nm, runway } };
}

static bool before(const struct place_rank *a, const struct place_rank *b)
{
	for (size_t i = 0; i < sizeof(a->by) / sizeof(a->by[0]); i++)
		if (a->by[i] != b->by[i])
			return a->by[i] > b->by[i];
	return false;
}

enum errcode town_airport(struct aircon *con, struct arena *a, const struct town *t,
    enum place_wish wish, struct airport *out, double *distance_nm, bool *found, struct err *e)
{
	struct place_search s = { .mem = a, .at = { t->lat, t->lon }, .all_idents = aircon_all_idents(con) };
	struct airbox box = around(s.at, reach_nm);
	struct place_rank top = { { 0 } };

	*found = false;
	add_names(&s, t);
	if (s.nnames == 0)
		return OK;
	s.v = arena_array(a, AROUND_MAX, sizeof(*s.v));
	if (airindex_boxes(con, &box, 1, collect, &s, e) != OK)
		return e->code;
	qsort(s.v, s.n, sizeof(*s.v), compare);
	for (size_t i = 0; i < s.n && i < NAMES_READ; i++) {
		struct airport ap;
		struct place_rank r;
		enum fit fit;

		if (airdb_by_rows(con, a, &s.v[i].row, 1, &ap, e) != OK)
			return e->code;
		fit = fit_of(&s, &ap);
		if (fit == FIT_NONE)
			continue;
		r = rank_of(wish, &ap, fit, airport_use(&ap) != USE_MILITARY && !airport_for_gliders(a, &ap), s.v[i].nm);
		if (*found && !before(&r, &top))
			continue;
		*found = true;
		top = r;
		*out = ap;
		*distance_nm = s.v[i].nm;
	}
	return OK;
}
