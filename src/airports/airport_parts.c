/*
 * Rows of one airport, merged in the order in which they are read.
 *
 * Two publications may describe the same runway or the same AIP field. A later row adds what it
 * knows and replaces what was known before; it never makes a fact unknown again.
 */
#include "airports/airport_parts.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "drivers/db.h"

enum { FUEL_FIELD = 402 };

static const struct runway_end unknown_end = { (double)NAN, (double)NAN, (double)NAN, (double)NAN,
	(double)NAN };

const char *part_text(struct db_stmt *s, int i)
{
	const char *v = i >= 0 ? db_text(s, i) : NULL;

	return v == NULL || v[0] == '\0' || strieq(v, "nan") ? NULL : v;
}

const char *part_copy(struct arena *a, struct db_stmt *s, int i)
{
	const char *v = part_text(s, i);
	size_t n = v != NULL ? strlen(v) : 0;

	return v != NULL ? arena_strndup(a, v, utf8_cut(v, n, PARTS_TEXT_MAX)) : NULL;
}

const char *part_named(struct arena *a, struct db_stmt *s, const char *column)
{
	return part_copy(a, s, db_column(s, column));
}

static double number_named(struct db_stmt *s, const char *column)
{
	const int i = db_column(s, column);

	return i >= 0 ? db_double_at(s, i) : (double)NAN;
}

/* A flag column: 1, 0, or nothing. */
static enum tri tri_at(struct db_stmt *s, int i)
{
	double v = db_double_at(s, i);

	return isnan(v) ? TRI_UNKNOWN : v != 0 ? TRI_YES : TRI_NO;
}

struct runway *runway_add(struct arena *a, struct runway *v, size_t *n, struct db_stmt *s, int at)
{
	const char *le = part_text(s, at), *he = part_text(s, at + 1);
	double length = db_double_at(s, at + 2), width = db_double_at(s, at + 3);
	const char *surface = part_text(s, at + 4);
	enum tri lighted = tri_at(s, at + 5), closed = tri_at(s, at + 6);
	struct runway *r = NULL;

	for (size_t i = 0; i < *n && r == NULL; i++)
		if (streq(v[i].le_ident, le) && streq(v[i].he_ident, he))
			r = &v[i];
	if (r == NULL) {
		if (*n == PARTS_MAX)
			return NULL;
		r = &v[(*n)++];
		*r = (struct runway){ .le_ident = part_copy(a, s, at),
			.he_ident = part_copy(a, s, at + 1), .length_ft = (double)NAN,
			.width_ft = (double)NAN, .le = unknown_end, .he = unknown_end };
	}
	if (!isnan(length))
		r->length_ft = length;
	if (!isnan(width))
		r->width_ft = width;
	if (surface != NULL)
		r->surface = part_copy(a, s, at + 4);
	if (lighted != TRI_UNKNOWN)
		r->lighted = lighted == TRI_YES;
	if (closed != TRI_UNKNOWN)
		r->closed = closed == TRI_YES;
	return r;
}

static void known(double *to, double v)
{
	if (!isnan(v))
		*to = v;
}

static void known_text(const char **to, const char *v)
{
	if (v != NULL)
		*to = v;
}

void runway_add_more(struct arena *a, struct runway *r, struct db_stmt *s)
{
	known(&r->le.lat, number_named(s, "le_latitude_deg"));
	known(&r->le.lon, number_named(s, "le_longitude_deg"));
	known(&r->le.elevation_ft, number_named(s, "le_elevation_ft"));
	known(&r->le.heading_true, number_named(s, "le_heading_degT"));
	known(&r->le.displaced_ft, number_named(s, "le_displaced_threshold_ft"));
	known(&r->he.lat, number_named(s, "he_latitude_deg"));
	known(&r->he.lon, number_named(s, "he_longitude_deg"));
	known(&r->he.elevation_ft, number_named(s, "he_elevation_ft"));
	known(&r->he.heading_true, number_named(s, "he_heading_degT"));
	known(&r->he.displaced_ft, number_named(s, "he_displaced_threshold_ft"));
	known_text(&r->created, part_named(a, s, "created_at"));
}

struct aip_entry *aip_add(struct arena *a, struct aip_entry *v, size_t *n, struct db_stmt *s, int at)
{
	const char *section = part_text(s, at), *field = part_text(s, at + 1);
	const char *value = part_copy(a, s, at + 2), *std_field = part_copy(a, s, at + 3);
	double id = db_double_at(s, at + 4);
	struct aip_entry *t = NULL;

	for (size_t i = 0; i < *n && t == NULL; i++)
		if (streq(v[i].section, section) && streq(v[i].field, field))
			t = &v[i];
	if (t == NULL) {
		if (*n == PARTS_MAX)
			return NULL;
		t = &v[(*n)++];
		*t = (struct aip_entry){ .section = part_copy(a, s, at),
			.field = part_copy(a, s, at + 1), .mapping_score = (double)NAN };
	}
	if (value != NULL)
		t->value = value;
	if (std_field != NULL)
		t->std_field = std_field;
	if (id >= 1 && id <= 99999)
		t->std_field_id = (int)id;
	return t;
}

void aip_add_more(struct arena *a, struct aip_entry *t, struct db_stmt *s)
{
	known(&t->mapping_score, number_named(s, "mapping_score"));
	known_text(&t->alt_field, part_named(a, s, "alt_field"));
	known_text(&t->alt_value, part_named(a, s, "alt_value"));
	known_text(&t->source, part_named(a, s, "source"));
	known_text(&t->created, part_named(a, s, "created_at"));
}

void procedure_add(struct arena *a, struct procedure *v, size_t *n, struct db_stmt *s)
{
	const char *name = part_text(s, db_column(s, "name"));
	const char *type = part_text(s, db_column(s, "procedure_type"));
	struct procedure *p = NULL;

	for (size_t i = 0; i < *n && p == NULL; i++)
		if (streq(v[i].name, name) && streq(v[i].type, type))
			p = &v[i];
	if (p == NULL) {
		if (*n == PARTS_MAX)
			return;
		p = &v[(*n)++];
		*p = (struct procedure){ .name = part_named(a, s, "name"),
			.type = part_named(a, s, "procedure_type") };
	}
	known_text(&p->approach_type, part_named(a, s, "approach_type"));
	known_text(&p->runway, part_named(a, s, "runway_ident"));
	known_text(&p->runway_number, part_named(a, s, "runway_number"));
	known_text(&p->runway_letter, part_named(a, s, "runway_letter"));
	known_text(&p->source, part_named(a, s, "source"));
	known_text(&p->authority, part_named(a, s, "authority"));
	known_text(&p->raw_name, part_named(a, s, "raw_name"));
	known_text(&p->created, part_named(a, s, "created_at"));
	known_text(&p->updated, part_named(a, s, "updated_at"));
}

unsigned runway_flags(const struct runway *v, size_t n, double *longest_ft)
{
	unsigned flags = n > 0 ? AF_RUNWAYS : 0;

	*longest_ft = (double)NAN;
	for (size_t i = 0; i < n; i++) {
		if (v[i].closed)
			continue;
		const unsigned surface = surface_class(v[i].surface);
		flags |= surface != 0 ? surface : AF_SURFACE_UNKNOWN;
		if (v[i].lighted)
			flags |= AF_LIGHTED;
		if (v[i].length_ft > 0 && !(v[i].length_ft <= *longest_ft))
			*longest_ft = v[i].length_ft;
	}
	return flags;
}

unsigned aip_flags(const struct aip_entry *v, size_t n)
{
	unsigned flags = n > 0 ? AF_AIP : 0;
	const char *fuel = NULL;

	for (size_t i = 0; i < n && fuel == NULL; i++)
		if (v[i].std_field_id == FUEL_FIELD && str_trim(str_of(v[i].value)).n > 0)
			fuel = v[i].value;
	if (fuel_avgas(fuel) != TRI_UNKNOWN)
		flags |= AF_AVGAS_KNOWN | (fuel_avgas(fuel) == TRI_YES ? (unsigned)AF_AVGAS : 0);
	if (fuel_jeta(fuel) != TRI_UNKNOWN)
		flags |= AF_JETA_KNOWN | (fuel_jeta(fuel) == TRI_YES ? (unsigned)AF_JETA : 0);
	return flags;
}
