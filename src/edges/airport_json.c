/*
 * Members that a client of the original reads are always there, as null if they are not recorded.
 */
#include "edges/airport_json.h"

#include "airports/friendliness.h"
#include "base/jsn_put.h"
#include "base/str.h"

enum { CUSTOMS_FIELD = 302 };

static void put_end(struct buf *b, const char *const names[6], const char *ident, const struct runway_end *end)
{
	jsn_put_str(b, names[0], ident);
	jsn_put_num(b, names[1], end->lat);
	jsn_put_num(b, names[2], end->lon);
	jsn_put_num(b, names[3], end->elevation_ft);
	jsn_put_num(b, names[4], end->heading_true);
	jsn_put_num(b, names[5], end->displaced_ft);
}

/* Many clients do not look at `closed`, so the surface tells it too. */
static const char *surface_of(struct arena *a, const struct runway *v)
{
	if (!v->closed)
		return v->surface;
	return v->surface != NULL ? arena_printf(a, "%s (closed)", v->surface) : "closed";
}

void runway_put(struct arena *a, struct buf *b, const char *ident, const struct runway *v)
{
	static const char *const le[6] = { "le_ident", "le_latitude_deg", "le_longitude_deg", "le_elevation_ft",
		"le_heading_degT", "le_displaced_threshold_ft" };
	static const char *const he[6] = { "he_ident", "he_latitude_deg", "he_longitude_deg", "he_elevation_ft",
		"he_heading_degT", "he_displaced_threshold_ft" };

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "airport_ident", ident);
	jsn_put_num(b, "length_ft", v->length_ft);
	jsn_put_num(b, "width_ft", v->width_ft);
	jsn_put_str(b, "surface", surface_of(a, v));
	jsn_put_int(b, "lighted", v->lighted);
	jsn_put_int(b, "closed", v->closed);
	put_end(b, le, v->le_ident != NULL ? v->le_ident : "", &v->le);
	put_end(b, he, v->he_ident != NULL ? v->he_ident : "", &v->he);
	jsn_put_str(b, "created_at", v->created);
	jsn_put_close(b, '}');
}

void procedure_put(struct buf *b, const struct procedure *v)
{
	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "name", v->name != NULL ? v->name : "");
	jsn_put_str(b, "procedure_type", v->type != NULL ? v->type : "");
	jsn_put_str(b, "approach_type", v->approach_type);
	jsn_put_str(b, "runway_number", v->runway_number);
	jsn_put_str(b, "runway_letter", v->runway_letter);
	jsn_put_str(b, "runway_ident", v->runway);
	jsn_put_str(b, "source", v->source);
	jsn_put_str(b, "authority", v->authority);
	jsn_put_str(b, "raw_name", v->raw_name);
	jsn_put_null(b, "data");
	jsn_put_str(b, "created_at", v->created);
	jsn_put_str(b, "updated_at", v->updated);
	jsn_put_close(b, '}');
}

void aip_entry_put(struct arena *a, struct buf *b, const char *ident, const struct aip_entry *v,
    const struct notice *notice)
{
	const char *summary = v->std_field_id == CUSTOMS_FIELD && notice != NULL
	    ? notice_cleaned(a, notice->summary) : NULL;

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "ident", ident);
	jsn_put_str(b, "section", v->section != NULL ? v->section : "");
	jsn_put_str(b, "field", v->field != NULL ? v->field : "");
	jsn_put_str(b, "value", v->value);
	jsn_put_str(b, "std_field", v->std_field);
	if (v->std_field_id != 0)
		jsn_put_int(b, "std_field_id", v->std_field_id);
	else
		jsn_put_null(b, "std_field_id");
	jsn_put_num(b, "mapping_score", v->mapping_score);
	jsn_put_str(b, "alt_field", v->alt_field);
	jsn_put_str(b, "alt_value", v->alt_value);
	jsn_put_str(b, "source", v->source);
	jsn_put_str(b, "created_at", v->created);
	if (summary != NULL) {
		jsn_put_str(b, "parsed_summary", summary);
		jsn_put_bool(b, "parsed_notification", true);
		jsn_put_num(b, "notification_confidence", notice->confidence);
	}
	jsn_put_close(b, '}');
}

static bool starts_like(const char *s, const char *prefix)
{
	while (*prefix != '\0' && ascii_lower(*s) == *prefix)
		s++, prefix++;
	return *prefix == '\0';
}

const char *web_link(const char *url)
{
	return url != NULL && (starts_like(url, "https://") || starts_like(url, "http://")) ? url : NULL;
}
