/*
 * Makes the table of places from the evidence for their names (gazetteer_evidence.c).
 *
 * Evidence with the same name and country at nearly the same place is one place, in the middle of
 * its airports. Regions and countries are in the middle of theirs.
 */
#include "airports/gazetteer_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/gazetteer_evidence.h"
#include "airports/place_key.h"
#include "airports/towns.h"
#include "base/str.h"
#include "drivers/db.h"

enum {
	GROUP_LIMIT = 2000,          /* pieces of evidence for one name in one country */
};

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
		if (same && gazetteer_apart(t->lat, t->lon, main) <= gazetteer_same_place_nm) {
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

			if (used[i] || gazetteer_apart(a->lat, a->lon, b) > gazetteer_same_place_nm)
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
		double w = gazetteer_weight(a);

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
			    (best == NULL || gazetteer_weight(a) > gazetteer_weight(best)) &&
			    gazetteer_apart(t->lat, t->lon, a) <= gazetteer_same_place_nm)
				best = a;
		}
		if (home || best == NULL)
			continue;
		place_key(key, t->name, false, NULL);
		/* larger than the numbers of everything else with the same key */
		if (put(db, &(struct gazetteer_row){ key, GAZ_CITY, gazetteer_weight(best), t->name,
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
	if (rc == OK)
		gazetteer_gather(&g);
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
