/*
 * search_airports: by codes, country, or text.
 */
#include "tools/airport_result.h"
#include "tools/place_result.h"

static struct json_object *hit_of(const struct airport_hit *hit)
{
	return airport_summary(&hit->a);
}

static struct json_object *result_of(const struct search_call *s)
{
	struct json_object *o = jsn_object(s->mem), *profile = jsn_new();

	result_add_count(o, s, s->hits.n);
	jsn_add_str(profile, "search_query", s->q.text);
	if (s->q.kind == SEARCH_COUNTRY)
		jsn_add_str(profile, "country", s->q.country);
	result_add_airports(o, s, hit_of, profile);
	if (s->q.kind == SEARCH_AREA)
		result_add_area(o, s->q.area);
	result_add_visualization(o, s, "markers", NULL, NULL, "data");
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct search_call s;
	enum errcode rc = search_call_open(&s, ctx, a, args, e);
	(void)self;

	if (rc != OK)
		return rc;
	s.q.text = jsn_get_str(args, "query", "");
	rc = airport_find(s.con, s.mem, &s.q, &s.hits, e);
	airdb_put(s.con);
	if (rc == OK)
		*result = result_of(&s);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "query", .type = ARG_STRING, .required = true,
	    .doc = "Name, town, codes, country or region." },
	ARG_ROWS_SEARCH,
};

const struct tool tool_search_airports = {
	.name = "search_airports",
	.doc = "Finds airports by name, town, codes or country.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_FOUND,
	.call = call,
};
