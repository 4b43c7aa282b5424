/*
 * Finds places without a list of places, from the airports' data.
 *
 * Every airport gives evidence. Its own name is a name for it. Its municipality ("Paris (Orly,
 * Val-de-Marne)", "Luton, Luton", "Bâle / Mulhouse") names one place or several. The first words of
 * its name often name the city that it serves if the municipality is a suburb ("Milan Malpensa", in
 * Ferno), but only if the city is known otherwise, because "General" and "Port" would be cities.
 * Evidence has the weight of the airport's size. Evidence with the same name and country at nearly
 * the same place is one place, in the middle of its airports.
 */
#include "airports/gazetteer_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/geo.h"
#include "airports/place_key.h"
#include "airports/towns.h"
#include "base/str.h"
#include "drivers/db.h"

enum {
	TEXT_MAX = 200,              /* longer municipalities are not taken apart */
	PARTS_OF_NAME = 8,           /* names in one municipality or keywords text */
	PREFIX_WORDS = 3,
	ALIAS_MIN = 4,               /* shortest name made by cutting another one */
	GROUP_LIMIT = 2000,          /* pieces of evidence for one name in one country */
};
static const double same_place_nm = 40;

/* ---- evidence ---------------------------------------------------------- */

struct gazetteer_evidence {
	const char *key, *name;      /* name: as written, for cities */
	double weight;
	uint32_t i;                  /* airport */
	uint8_t kind;
	bool prefix;                 /* this evidence alone is not enough */
};

struct gazetteer_gatherer {
	const struct airindex_load *l;
	struct arena *mem;
	struct gazetteer_evidence *v;
	size_t n, size;
};

static double type_weight(const struct airport *a)
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
	struct gazetteer_evidence e = { NULL, NULL, strength * type_weight(a), i, (uint8_t)kind, prefix };

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
	for (int n = 1; n <= PREFIX_WORDS && (size_t)n < words + 1; n++)
		testify(g, i, GAZ_CITY, arena_strndup(g->mem, a->name, end_of_word(a->name, n)), 2, true);
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

/* ---- from evidence to places ------------------------------------------- */

/* In feet. An unknown length is NaN, which cannot be sorted, so it counts as the shortest. */
static double longest(const struct airindex_load *l, const struct gazetteer_evidence *v)
{
	double ft = l->airports[v->i].a.longest_ft;

	return isnan(ft) ? -1 : ft;
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct airindex_load *l = ((const struct gazetteer_gatherer *)arg)->l;
	const struct gazetteer_evidence *a = pa, *b = pb;
	int cmp = strcmp(a->key, b->key);

	if (cmp == 0)
		cmp = a->kind - b->kind;
	if (cmp == 0)
		cmp = strcmp(l->airports[a->i].a.country, l->airports[b->i].a.country);
	if (cmp == 0)
		cmp = a->prefix - b->prefix;
	if (cmp == 0 && a->weight != b->weight)
		cmp = a->weight > b->weight ? -1 : 1;
	/* of two large airports the larger one belongs to the city */
	if (cmp == 0 && longest(l, a) != longest(l, b))
		cmp = longest(l, a) > longest(l, b) ? -1 : 1;
	if (cmp == 0)
		cmp = a->i < b->i ? -1 : a->i > b->i;
	return cmp;
}

struct gazetteer_row {
	const char *key;
	enum gaz_kind kind;
	double weight;
	const char *name, *country, *region;
	double lat, lon;
	int64_t row;
};

static enum errcode put(struct db *db, const struct gazetteer_row *r, int64_t n, struct err *e)
{
	static const char sql[] = "INSERT INTO place VALUES(?,?,?,?,?,?,?,?,?,?)";

	return db_put(db, sql, e, DB_TEXT(r->key), DB_INT(n), DB_INT(r->kind), DB_NUM(r->weight),
	    DB_TEXT(r->name), DB_TEXT(r->country), DB_TEXT(r->region), DB_NUM(r->lat), DB_NUM(r->lon),
	    DB_INT(r->row));
}

/* The middle of points on a sphere, each with a weight. */
struct gazetteer_middle {
	double x, y, z, weight;
};

static const double rad = 3.14159265358979323846 / 180;

static void middle_add(struct gazetteer_middle *m, const struct airport *a, double weight)
{
	m->x += weight * cos(a->lat * rad) * cos(a->lon * rad);
	m->y += weight * cos(a->lat * rad) * sin(a->lon * rad);
	m->z += weight * sin(a->lat * rad);
	m->weight += weight;
}

static void middle_get(const struct gazetteer_middle *m, double *lat, double *lon)
{
	*lat = atan2(m->z, hypot(m->x, m->y)) / rad;
	*lon = atan2(m->y, m->x) / rad;
}

static double apart(double lat, double lon, const struct airport *a)
{
	return geo_distance_nm((struct point){ lat, lon }, (struct point){ a->lat, a->lon });
}

/* For a well-known town the middle is known, and better than its airports tell. */
static void centre(const struct airport *main, const char *key, double *lat, double *lon)
{
	char city[PLACE_KEY_MAX], other[PLACE_KEY_MAX];

	size_t n;
	const struct town *t = towns(&n);

	for (const struct town *end = t + n; t < end; t++) {
		bool same;

		if (!streq(t->country, main->country))
			continue;
		place_key(city, t->name, false, NULL);
		same = streq(city, key);
		for (size_t k = 0; !same && exonym(city, t->country, k, other); k++)
			same = streq(other, key);
		if (same && apart(t->lat, t->lon, main) <= same_place_nm) {
			*lat = t->lat;
			*lon = t->lon;
			return;
		}
	}
}

static enum errcode put_airports(struct db *db, const struct airindex_load *l,
    const struct gazetteer_evidence *v, size_t n, int64_t *at, struct err *e)
{
	uint32_t done[GAZ_HITS];
	size_t ndone = 0;

	for (size_t i = 0; i < n && ndone < GAZ_HITS; i++) {
		const struct airport *a = &l->airports[v[i].i].a;
		struct gazetteer_row r = { v[i].key, GAZ_AIRPORT, v[i].weight, NULL, a->country, a->region,
			(double)NAN, (double)NAN, a->row };
		bool again = false;

		for (size_t k = 0; k < ndone; k++)
			again |= done[k] == v[i].i;
		if (again)
			continue;
		done[ndone++] = v[i].i;
		if (put(db, &r, (*at)++, e) != OK)
			return e->code;
	}
	return OK;
}

/* The evidence for one name in one country, the most important first: a place around each piece
 * that does not belong to a place yet. */
static enum errcode put_cities(struct db *db, const struct airindex_load *l,
    const struct gazetteer_evidence *v, size_t n, int64_t *at, struct err *e)
{
	bool used[GROUP_LIMIT] = { false };

	if (n > GROUP_LIMIT)
		n = GROUP_LIMIT;
	for (size_t seed = 0; seed < n && !v[seed].prefix; seed++) {
		const struct airport *a = &l->airports[v[seed].i].a;
		struct gazetteer_row r = { v[seed].key, GAZ_CITY, 0, v[seed].name, a->country, a->region,
			0, 0, a->row };
		struct gazetteer_middle m = { 0 };

		if (used[seed])
			continue;
		for (size_t i = seed; i < n; i++) {
			const struct airport *b = &l->airports[v[i].i].a;

			if (used[i] || apart(a->lat, a->lon, b) > same_place_nm)
				continue;
			used[i] = true;
			middle_add(&m, b, v[i].weight);
		}
		r.weight = m.weight;
		middle_get(&m, &r.lat, &r.lon);
		centre(a, r.key, &r.lat, &r.lon);
		if (put(db, &r, (*at)++, e) != OK)
			return e->code;
	}
	return OK;
}

static enum errcode put_evidence(struct db *db, const struct gazetteer_gatherer *g, struct err *e)
{
	const struct gazetteer_evidence *v = g->v;
	int64_t at = 0;
	size_t end;

	for (size_t i = 0; i < g->n; i = end) {
		enum errcode rc;

		for (end = i + 1; end < g->n && v[end].kind == v[i].kind && streq(v[end].key, v[i].key) &&
		    streq(g->l->airports[v[end].i].a.country, g->l->airports[v[i].i].a.country); end++)
			;
		if (i == 0 || !streq(v[i].key, v[i - 1].key))
			at = 0;
		rc = v[i].kind == GAZ_CITY ? put_cities(db, g->l, v + i, end - i, &at, e) :
		    put_airports(db, g->l, v + i, end - i, &at, e);
		if (rc != OK)
			return rc;
	}
	return OK;
}

/* ---- regions and countries --------------------------------------------- */

struct gazetteer_area {
	const char *code, *country;
	struct gazetteer_middle m;
	double best;
	int64_t row;
};

static int area_compare(const void *pa, const void *pb)
{
	const struct gazetteer_area *a = pa, *b = pb;
	int cmp = strcmp(a->code, b->code);

	return cmp != 0 ? cmp : a->row < b->row ? -1 : a->row > b->row;
}

static enum errcode put_area(struct db *db, const struct airindex_load *l,
    const struct gazetteer_area *a, enum gaz_kind kind, struct err *e)
{
	const char *name = airindex_load_region(l, a->code), *dash = strchr(a->code, '-');
	const struct country *c = country_by_code(a->code);
	char key[PLACE_KEY_MAX] = "", other[PLACE_KEY_MAX];
	struct gazetteer_row r = { key, kind, a->m.weight, name, a->country, a->code, 0, 0, a->row };
	/* larger than the numbers of airports and cities with the same key */
	int64_t n = 1000000 + a->row;

	middle_get(&a->m, &r.lat, &r.lon);
	if (kind == GAZ_COUNTRY) {
		r.region = NULL;
		r.name = c != NULL ? c->name : a->code;
		snprintf(key, sizeof(key), "@%.2s", a->code);
		return put(db, &r, n, e);
	}
	if (dash != NULL && strlen(dash) < 8) {
		snprintf(key, sizeof(key), "#%s", dash + 1);
		if (put(db, &r, n, e) != OK)
			return e->code;
	}
	place_key(key, name, false, NULL);
	if (key[0] == '\0')
		return OK;
	if (put(db, &r, n, e) != OK)
		return e->code;
	for (size_t k = 0; exonym(key, a->country, k, other); k++) {
		r.key = other;
		if (put(db, &r, n, e) != OK)
			return e->code;
	}
	return OK;
}

static enum errcode put_areas(struct db *db, const struct airindex_load *l, enum gaz_kind kind,
    struct err *e)
{
	struct gazetteer_area *v = arena_array(l->mem, l->n + 1, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct airport *a = &l->airports[i].a;
		const char *code = kind == GAZ_COUNTRY ? a->country : a->region;
		double w = type_weight(a);

		if (code == NULL || a->country == NULL || isnan(a->lat))
			continue;
		v[n] = (struct gazetteer_area){ .code = code, .country = a->country, .best = w, .row = a->row };
		middle_add(&v[n++].m, a, w);
	}
	qsort(v, n, sizeof(*v), area_compare);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && streq(v[end].code, v[i].code); end++) {
			v[i].m.x += v[end].m.x;
			v[i].m.y += v[end].m.y;
			v[i].m.z += v[end].m.z;
			v[i].m.weight += v[end].m.weight;
			if (v[end].best > v[i].best) {
				v[i].best = v[end].best;
				v[i].row = v[end].row;
			}
		}
		if (put_area(db, l, &v[i], kind, e) != OK)
			return e->code;
	}
	return OK;
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
			double w = type_weight(a);

			if (!isnan(a->lat) && w > best && streq(a->country, t->country) &&
			    fabs(a->lat - t->lat) < 1 && apart(t->lat, t->lon, a) <= same_place_nm) {
				best = w;
				at = i;
			}
		}
		if (best > 0)
			testify(g, at, GAZ_CITY, t->name, 1, false);
	}
}

/* Towns of countries without an airport (Monaco, Vaduz) use the largest one across the border. */
static enum errcode put_abroad(struct db *db, const struct airindex_load *l, struct err *e)
{
	size_t n;
	const struct town *t = towns(&n);

	for (size_t c = 0; c < n; c++, t++) {
		const struct airport *best = NULL;
		char key[PLACE_KEY_MAX];
		bool home = false;

		for (uint32_t i = 0; i < l->n && !home; i++) {
			const struct airport *a = &l->airports[i].a;

			home = streq(a->country, t->country);
			if (!isnan(a->lat) && fabs(a->lat - t->lat) < 1 &&
			    (best == NULL || type_weight(a) > type_weight(best)) &&
			    apart(t->lat, t->lon, a) <= same_place_nm)
				best = a;
		}
		if (home || best == NULL)
			continue;
		place_key(key, t->name, false, NULL);
		/* larger than the numbers of everything else with the same key */
		if (put(db, &(struct gazetteer_row){ key, GAZ_CITY, type_weight(best), t->name,
		        t->country, NULL, t->lat, t->lon, best->row },
		    2000000 + (int64_t)c, e) != OK)
			return e->code;
	}
	return OK;
}

enum errcode gazetteer_build(struct db *db, const struct airindex_load *l, struct err *e)
{
	struct gazetteer_gatherer g = { .l = l, .mem = l->mem };
	enum errcode rc;

	rc = db_exec(db, "CREATE TABLE place(key TEXT, n INTEGER, kind INTEGER, weight REAL, name TEXT,"
	    " country TEXT, region TEXT, lat REAL, lon REAL, row INTEGER, PRIMARY KEY(key, n)) WITHOUT ROWID", e);
	for (uint32_t i = 0; i < l->n && rc == OK; i++) {
		names(&g, i);
		municipality(&g, i);
		keywords(&g, i);
	}
	if (rc == OK)
		well_known(&g);
	if (g.n > 0)
		qsort_r(g.v, g.n, sizeof(*g.v), compare, &g);
	if (rc == OK)
		rc = put_evidence(db, &g, e);
	if (rc == OK)
		rc = put_abroad(db, l, e);
	if (rc == OK)
		rc = put_areas(db, l, GAZ_REGION, e);
	if (rc == OK)
		rc = put_areas(db, l, GAZ_COUNTRY, e);
	free(g.v);
	return rc;
}
