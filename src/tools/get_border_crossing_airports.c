/*
 * get_border_crossing_airports: the points of entry of a country, or of all countries.
 *
 * Lists for the answer are short, as in the original service: ten airports of each of five countries.
 * The map gets more of them.
 */
#include "airports/airport_counts.h"
#include "tools/airport_country.h"
#include "tools/airport_result.h"

enum { SHOWN = 10, COUNTRIES = 5, DRAWN = 200 };

struct entries {
	const char *country;          /* NULL: all */
	struct airport *airports;
	size_t n, total;
	int64_t known;                /* points of entry in the whole database */
};

/* `by_country` and `airports`: the first of each country. */
static struct json_object *add_lists(struct json_object *o, const struct entries *in)
{
	struct json_object *grouped = jsn_new(), *all = json_object_new_array();

	for (size_t i = 0; i < in->n; i++) {
		const struct airport *airport = &in->airports[i];
		const char *country = airport->country != NULL ? airport->country : "Unknown";
		struct json_object *list = jsn_get(grouped, country);

		if (list == NULL) {
			if (jsn_len(grouped) == COUNTRIES)
				break;
			list = json_object_new_array();
			jsn_add(grouped, country, list);
		}
		if (jsn_len(list) == SHOWN)
			continue;
		struct json_object *summary = airport_summary(airport);
		jsn_push(list, jsn_ref(summary));
		jsn_push(all, summary);
	}
	jsn_add(o, "by_country", grouped);
	jsn_add(o, "airports", all);
	return all;
}

static const char *pretty(struct arena *a, const struct entries *in)
{
	const char *where = country_in(a, in->country);

	if (in->known == 0)
		return "This airport database has no data on border crossings, so it is not known "
		    "which airports are points of entry.";
	if (in->total == 0)
		return arena_printf(a, "No point of entry is recorded%s.", where);
	return arena_printf(a, "%zu %s recorded as %s%s.", in->total,
	    in->total == 1 ? "airport is" : "airports are",
	    in->total == 1 ? "a point of entry" : "points of entry", where);
}

static struct json_object *result_of(struct arena *a, const struct entries *in)
{
	struct json_object *o = jsn_object(a), *profile = jsn_new(), *vis = jsn_new();
	struct json_object *data = json_object_new_array(), *shown;

	jsn_add_bool(o, "found", in->total > 0);
	jsn_add_int(o, "count", (int64_t)in->total);
	shown = add_lists(o, in);
	jsn_add_str(o, "pretty", pretty(a, in));
	jsn_add_bool(profile, "point_of_entry", true);
	if (in->country != NULL)
		jsn_add_str(profile, "country", in->country);
	jsn_add(o, "filter_profile", profile);
	for (size_t i = 0; i < in->n; i++)
		jsn_push(data, airport_summary(&in->airports[i]));
	jsn_add_str(vis, "type", "markers");
	jsn_add(vis, "data", data);
	jsn_add(vis, "markers", jsn_ref(shown));
	jsn_add_str(vis, "style", "customs");
	jsn_add(o, "visualization", vis);
	return o;
}

static enum errcode tell(struct aircon *con, struct arena *a, const char *country,
    struct json_object **result, struct err *e)
{
	struct entries in = { .country = country };
	struct airdb_facts facts = { 0 };
	enum errcode rc = airdb_facts(con, a, &facts, e);

	if (rc == OK)
		rc = airport_entries(con, a, country, DRAWN, &in.airports, &in.n, &in.total, e);
	in.known = facts.entries;
	if (rc == OK)
		*result = result_of(a, &in);
	return rc;
}

const struct tool tool_get_border_crossing_airports = {
	.name = "get_border_crossing_airports",
	.doc = "List the points of entry (airports with customs and immigration) of one country, or of "
	    "all. For points of entry near a place or route use the filter point_of_entry of a search.",
	.result = RESULT_POINTS_OF_ENTRY,
	AIRPORT_COUNTRY_TOOL(tell),
};
