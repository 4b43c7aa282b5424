/*
 * conf/facts/areas.txt, and which airports lie in an area.
 */
#include "airports/areas.h"

#include <math.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "airports/place_key.h"
#include "base/str.h"

enum { FIELD_COUNTRIES, FIELD_NAMES, FIELD_SHAPE, FIELD_REGIONS, CORNERS_MIN = 3,
	KEPT = 8 /* so many of the best are checked for being military */ };
static const double margin_nm = 0.1;

/* ---- geometry ---------------------------------------------------------------------- */

/* Degrees east of `from`, between -180 and 180: a shape may lie across the 180th meridian. */
static double east_of(double from, double lon)
{
	return remainder(lon - from, 360);
}

bool area_holds(const struct area *a, struct point at)
{
	double from = a->ncorners > 0 ? a->corner[0].lon : 0, x = east_of(from, at.lon);
	bool in = false;

	if (isnan(at.lat) || isnan(at.lon))
		return false;
	if (a->ncorners == 1)
		return geo_distance_nm(a->corner[0], at) <= a->radius_nm;
	for (size_t i = 0; i < a->ncorners; i++) {
		struct point p = a->corner[i], q = a->corner[(i + 1) % a->ncorners];
		double px = east_of(from, p.lon), qx = east_of(from, q.lon);

		if ((p.lat > at.lat) != (q.lat > at.lat) &&
		    x < (qx - px) * (at.lat - p.lat) / (q.lat - p.lat) + px)
			in = !in;
	}
	return in;
}

static struct geo_box bounds(const struct area *a)
{
	double from = a->corner[0].lon;
	struct geo_box b = { 90, 0, -90, 0 };

	if (a->ncorners == 1)
		return geo_circle_box(a->corner[0], a->radius_nm);
	b.west = b.east = 0;
	b.south = b.north = a->corner[0].lat;
	for (size_t i = 0; i < a->ncorners; i++) {
		double x = east_of(from, a->corner[i].lon);

		b.south = fmin(b.south, a->corner[i].lat);
		b.north = fmax(b.north, a->corner[i].lat);
		b.west = fmin(b.west, x);
		b.east = fmax(b.east, x);
	}
	b.west += from;
	b.east += from;
	return b;
}

static void measure(struct area *a)
{
	struct geo_box b = bounds(a);

	a->middle = (struct point){ (b.south + b.north) / 2, remainder((b.west + b.east) / 2, 360) };
	a->reach_nm = a->radius_nm;
	for (size_t i = 0; a->ncorners > 1 && i < a->ncorners; i++)
		a->reach_nm = fmax(a->reach_nm, geo_distance_nm(a->middle, a->corner[i]));
}

/* ---- the file ---------------------------------------------------------------------- */

/* "48.1 7.6": `n` numbers between blanks. */
static bool numbers(struct arena *a, const char *text, double *out, size_t n)
{
	char *rest = arena_strdup(a, text);
	size_t got = 0;

	for (char *word; (word = strsep(&rest, " ")) != NULL;)
		if (*word != '\0' && (got == n || !str_to_double(word, &out[got++])))
			return false;
	return got == n;
}

static bool on_earth(struct point p)
{
	return fabs(p.lat) <= 90 && fabs(p.lon) <= 180;
}

static enum errcode read_polygon(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct area *area, struct err *e)
{
	struct datafile_row corners = *r;
	struct point *out;
	char **pair;
	size_t n;

	corners.field[FIELD_SHAPE] += strlen("polygon ");
	if (datafile_list(d, &corners, FIELD_SHAPE, f->scratch, &pair, &n, e) != OK)
		return ERR_CONFIG;
	if (n < CORNERS_MIN)
		return datafile_fault(d, r, e, "a polygon has at least %d corners", CORNERS_MIN);
	out = arena_array(f->mem, n, sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		double v[2];

		if (!numbers(f->scratch, pair[i], v, 2) || !on_earth((struct point){ v[0], v[1] }))
			return datafile_fault(d, r, e, "\"%s\" is not a latitude and a longitude", pair[i]);
		out[i] = (struct point){ v[0], v[1] };
	}
	area->corner = out;
	area->ncorners = n;
	return OK;
}

static enum errcode read_shape(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct area *area, struct err *e)
{
	const char *text = r->field[FIELD_SHAPE];
	struct point *corner;
	double v[4];

	if (starts_with(text, "polygon "))
		return read_polygon(f, d, r, area, e);
	if (starts_with(text, "circle ") && numbers(f->scratch, text + 7, v, 3) && v[2] > 0 &&
	    on_earth((struct point){ v[0], v[1] })) {
		area->corner = corner = arena_alloc(f->mem, sizeof(*corner));
		corner[0] = (struct point){ v[0], v[1] };
		area->ncorners = 1;
		area->radius_nm = v[2];
		return OK;
	}
	if (starts_with(text, "box ") && numbers(f->scratch, text + 4, v, 4) && v[0] < v[2] &&
	    on_earth((struct point){ v[0], v[1] }) && on_earth((struct point){ v[2], v[3] })) {
		area->corner = corner = arena_array(f->mem, 4, sizeof(*corner));
		corner[0] = (struct point){ v[0], v[1] };
		corner[1] = (struct point){ v[0], v[3] };
		corner[2] = (struct point){ v[2], v[3] };
		corner[3] = (struct point){ v[2], v[1] };
		area->ncorners = 4;
		return OK;
	}
	return datafile_fault(d, r, e, "\"%.40s\" is none of \"box SOUTH WEST NORTH EAST\", \"circle "
	    "LATITUDE LONGITUDE NM\" and \"polygon LATITUDE LONGITUDE, ...\"", text);
}

static enum errcode read_countries(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct area *area, struct err *e)
{
	const char **out;
	char **code;

	if (datafile_list(d, r, FIELD_COUNTRIES, f->scratch, &code, &area->ncountries, e) != OK)
		return ERR_CONFIG;
	out = arena_array(f->mem, area->ncountries, sizeof(*out));
	for (size_t i = 0; i < area->ncountries; i++) {
		const struct country *c = facts_country(f, d, r, code[i], e);

		if (c == NULL)
			return ERR_CONFIG;
		out[i] = c->code;
	}
	area->country = out;
	return OK;
}

static enum errcode read_regions(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct area *area, struct err *e)
{
	char **region;

	if (datafile_list(d, r, FIELD_REGIONS, f->mem, &region, &area->nregions, e) != OK)
		return ERR_CONFIG;
	area->region = (const char *const *)region;
	for (size_t i = 0; i < area->nregions; i++)
		if (strlen(region[i]) < 4 || region[i][2] != '-' ||
		    !area_in(area, (char[]){ region[i][0], region[i][1], '\0' }))
			return datafile_fault(d, r, e, "\"%s\" is not a region of these countries, as FR-BRE "
			    "is of FR", region[i]);
	return OK;
}

static bool shares_country(const struct area *a, const struct area *b)
{
	for (size_t i = 0; i < b->ncountries; i++)
		if (area_in(a, b->country[i]))
			return true;
	return false;
}

/* The area of this name that a new row must not have too: its own, or one of its countries. */
static const struct area *namesake(const struct facts *f, const char *key, const struct area *area)
{
	const struct area *other;

	for (size_t i = 0; (other = key_table_row(&f->area_names, key, i)) != NULL; i++)
		if (shares_country(other, area))
			return other;
	return NULL;
}

/* Names become keys. A name may stand for areas of different countries (Limburg), which the rest of
 * the text or the rest of the question must tell apart. */
static enum errcode read_names(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct area *area, struct err *e)
{
	const struct area *other;
	char **name, key[PLACE_KEY_MAX];
	size_t n;

	if (datafile_list(d, r, FIELD_NAMES, f->scratch, &name, &n, e) != OK)
		return ERR_CONFIG;
	area->name = arena_strdup(f->mem, name[0]);
	area->article = n > 1 && starts_with(name[1], "the ") && streq(name[1] + 4, name[0]);
	for (size_t i = 0; i < n; i++) {
		if (i == 1 && area->article)
			continue;             /* the article is no part of the name */
		place_key_of(f, key, name[i], false, NULL);
		if (key[0] == '\0')
			return datafile_fault(d, r, e, "\"%s\" is not the name of a place", name[i]);
		other = namesake(f, key, area);
		if (other != NULL && other != area)
			return datafile_fault(d, r, e, "\"%s\" is a name of another area of that country",
			    name[i]);
		if (other == NULL)
			key_table_put(&f->area_names, arena_strdup(f->mem, key), area);
	}
	return OK;
}

enum errcode areas_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->area = arena_array(f->mem, d->n, sizeof(*f->area));
	key_table_init(&f->area_names, f->mem, datafile_elements(d, FIELD_NAMES));
	for (; f->nareas < d->n; f->nareas++) {
		const struct datafile_row *r = &d->row[f->nareas];
		struct area *area = &f->area[f->nareas];

		*area = (struct area){ .name = NULL };
		if (read_countries(f, d, r, area, e) != OK || read_names(f, d, r, area, e) != OK ||
		    read_shape(f, d, r, area, e) != OK || read_regions(f, d, r, area, e) != OK)
			return ERR_CONFIG;
		measure(area);
	}
	return OK;
}

/* ---- look-ups ---------------------------------------------------------------------- */

const struct area *area_named(const char *key, size_t i)
{
	return key_table_row(&facts_in_use()->area_names, key, i);
}

const struct area *area_at(size_t i)
{
	const struct facts *f = facts_in_use();

	return i < f->nareas ? &f->area[i] : NULL;
}

bool area_in(const struct area *a, const char *country)
{
	for (size_t i = 0; i < a->ncountries; i++)
		if (strieq(a->country[i], country))
			return true;
	return false;
}

const struct area *area_of(struct arena *mem, const char *name, const char *country,
    const char *region, struct point middle)
{
	struct area *a = arena_alloc(mem, sizeof(*a));
	const char **codes = arena_array(mem, 2, sizeof(*codes));

	codes[0] = country;
	codes[1] = region;
	*a = (struct area){ .name = name, .country = codes, .ncountries = 1, .region = codes + 1,
		.nregions = region != NULL, .middle = middle };
	return a;
}

/* ---- airports ---------------------------------------------------------------------- */

struct area_visiting {
	const struct area *area;
	airport_fn *fn;
	void *arg;
	size_t seen;
	bool stopped;
};

static bool pass(struct area_visiting *v, const struct airport *a)
{
	v->seen++;
	v->stopped = !v->fn(v->arg, a);
	return !v->stopped;
}

static bool pass_any(void *arg, const struct airport *a)
{
	return pass(arg, a);
}

static bool pass_inside(void *arg, const struct airport *a)
{
	struct area_visiting *v = arg;

	return !area_in(v->area, a->country) ||
	    !area_holds(v->area, (struct point){ a->lat, a->lon }) || pass(v, a);
}

enum errcode area_visit(struct aircon *con, const struct area *a, airport_fn *fn, void *arg,
    struct err *e)
{
	struct area_visiting v = { .area = a, .fn = fn, .arg = arg };
	enum errcode rc = OK;
	struct geo_box b;

	for (size_t i = 0; i < a->nregions && rc == OK && !v.stopped; i++)
		rc = airindex_region(con, a->region[i], pass_any, &v, e);
	for (size_t i = 0; a->nregions + a->ncorners == 0 && i < a->ncountries && rc == OK; i++)
		rc = airindex_country(con, a->country[i], pass_any, &v, e);
	/* a database without regions: the shape tells nearly the same */
	if (rc != OK || a->ncorners == 0 || (a->nregions > 0 && v.seen > 0))
		return rc;
	b = bounds(a);
	struct airbox box = { b.south - margin_nm / 60, b.north + margin_nm / 60, b.west, b.east };
	return airindex_boxes(con, &box, 1, pass_inside, &v, e);
}

/* The best KEPT, the best first. */
struct area_best {
	struct airport v[KEPT];
	size_t n;
	bool all_idents;
};

static double worth(const struct airport *a)
{
	static const double types[TYPE__MAX] = { [TYPE_LARGE] = 4e5, [TYPE_MEDIUM] = 2e5,
		[TYPE_SMALL] = 1e5 };

	return types[a->type] + (a->flags & AF_SCHEDULED ? 2e5 : 0) +
	    (isnan(a->longest_ft) ? 0 : a->longest_ft);
}

static bool consider(void *arg, const struct airport *a)
{
	struct area_best *b = arg;
	size_t i = b->n;

	if (isnan(a->lat) || worth(a) < 1e5 || (!b->all_idents && !(a->flags & AF_ICAO4)) ||
	    (i == KEPT && worth(a) <= worth(&b->v[KEPT - 1])))
		return true;
	i = i < KEPT ? b->n++ : i - 1;
	for (; i > 0 && worth(a) > worth(&b->v[i - 1]); i--)
		b->v[i] = b->v[i - 1];
	b->v[i] = *a;
	return true;
}

enum errcode area_airports(struct aircon *con, struct arena *mem, const struct area *a, size_t most,
    struct airport *out, size_t *n, struct err *e)
{
	struct area_best b = { .n = 0, .all_idents = aircon_all_idents(con) };
	enum errcode rc = area_visit(con, a, consider, &b, e);
	int64_t rows[KEPT];

	*n = 0;
	for (size_t i = 0; i < b.n; i++)
		rows[i] = b.v[i].row;
	if (rc == OK)
		rc = airdb_by_rows(con, mem, rows, b.n, b.v, e);
	for (int military = 0; rc == OK && military <= 1; military++)
		for (size_t i = 0; i < b.n && *n < most; i++)
			if ((airport_use(&b.v[i]) == USE_MILITARY) == (military == 1))
				out[(*n)++] = b.v[i];
	return rc;
}
