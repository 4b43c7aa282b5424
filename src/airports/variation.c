/*
 * The airport's own publication comes first, then the nearest navaid for which a value is recorded.
 * Variation changes by about a degree in 60 NM at most in the latitudes where people fly, so a
 * navaid farther away tells nothing.
 */
#include "airports/variation.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airport_parts.h"
#include "airports/geo.h"
#include "base/str.h"

enum { VARIATION_FIELD = 205, NEAR_NM = 60, TEXT_SHOWN = 60 };

static const char sql_near[] =
	"SELECT ident, type, latitude_deg, longitude_deg, magnetic_variation_deg FROM src.navaids "
	"WHERE latitude_deg BETWEEN ? AND ?";

static const char *skip_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Moves over a degree sign: "°", or the "º" that some publications have. */
static const char *skip_degree(const char *p)
{
	static const char *const signs[] = { "°", "º", "deg" };

	p = skip_blanks(p);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (starts_with(p, signs[i]))
			return skip_blanks(p + strlen(signs[i]));
	return p;
}

/* Digits with or without a fraction; never "nan", "0x1" or an exponent. */
static const char *read_number(const char *p, double *out)
{
	double scale = 1;

	for (*out = 0; isdigit((unsigned char)*p); p++)
		*out = *out * 10 + (*p - '0');
	if (*p == '.' && isdigit((unsigned char)p[1]))
		for (p++; isdigit((unsigned char)*p); p++)
			*out += (*p - '0') * (scale /= 10);
	return p;
}

double variation_parse(const char *text)
{
	const char *p = text != NULL ? text : "";

	while (*p != '\0') {
		double degrees, minutes = 0;

		if (!isdigit((unsigned char)*p)) {
			p++;
			continue;
		}
		p = read_number(p, &degrees);
		const char *q = skip_degree(p);
		if (isdigit((unsigned char)*q)) {
			q = read_number(q, &minutes);
			q = skip_blanks(q);
			if (*q != '\'' && !starts_with(q, "′"))
				continue;
			q = skip_blanks(q + (*q == '\'' ? 1 : strlen("′")));
		}
		if ((*q == 'E' || *q == 'W') && !isalpha((unsigned char)q[1]) && degrees <= 180 &&
		    minutes < 60)
			return (degrees + minutes / 60) * (*q == 'E' ? 1 : -1);
	}
	return (double)NAN;
}

static bool from_aip(struct arena *a, const struct aip_entry *aip, size_t n, struct variation *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = aip[i].value;

		if (aip[i].std_field_id != VARIATION_FIELD)
			continue;
		out->east_deg = variation_parse(text);
		if (isnan(out->east_deg))
			continue;
		out->source = arena_printf(a, "AIP: %.*s", (int)utf8_cut(text, strlen(text), TEXT_SHOWN),
		    text);
		return true;
	}
	return false;
}

static enum errcode from_navaids(struct aircon *con, struct arena *a, const struct airport *airport,
    struct variation *out, struct err *e)
{
	const struct point here = { airport->lat, airport->lon };
	struct db_stmt *s = db_query(aircon_db(con, e), sql_near, e,
	    DB_NUM(here.lat - NEAR_NM / 60.0), DB_NUM(here.lat + NEAR_NM / 60.0));
	double nearest = NEAR_NM;
	enum db_step rc;

	while ((rc = db_step(s, e)) == DB_ROW) {
		const double nm = geo_distance_nm(here, (struct point){ db_double_at(s, 2),
			db_double_at(s, 3) }), east = db_double_at(s, 4);
		const char *ident = part_text(s, 0), *type = part_text(s, 1);

		if (!(nm < nearest) || !(fabs(east) <= 180))
			continue;
		nearest = nm;
		out->east_deg = east;
		out->source = arena_printf(a, "%.20s %.20s, %.0f NM away (undated)",
		    type != NULL ? type : "navaid", ident != NULL ? ident : "", nm);
	}
	return db_end(s, rc, e);
}

enum errcode airport_variation(struct aircon *con, struct arena *a, const struct airport *airport,
    const struct aip_entry *aip, size_t naip, struct variation *out, struct err *e)
{
	*out = (struct variation){ .east_deg = (double)NAN };
	if (from_aip(a, aip, naip, out) || isnan(airport->lat) || isnan(airport->lon))
		return OK;
	return source_has(con, "navaids", "magnetic_variation_deg", e)
	    ? from_navaids(con, a, airport, out, e) : OK;
}
