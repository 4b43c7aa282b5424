/*
 * search_airports: by codes, country, or text.
 */
#include <ctype.h>
#include <string.h>

#include "airports/countries.h"
#include "base/str.h"
#include "tools/airport_result.h"

enum { ICAO_LEN = 4, IATA_LEN = 3, CODES_MAX = 200 };

static bool capitals(struct str s)
{
	size_t n = 0;

	while (n < s.n && isupper((unsigned char)s.p[n]))
		n++;
	return n == s.n;
}

/* The codes in the query if it is a list of codes ("LFPG, LFPO and EGLL"); else 0. Words of three
 * letters are too common to be codes unless they are written like codes ("CDG ORY"). */
static size_t codes_of(struct arena *a, const char *query, const char *codes[CODES_MAX],
    bool *iata)
{
	static const char between[] = " \t\r\n,";
	size_t n = 0;

	*iata = false;
	for (const char *p = query + strspn(query, between); *p != '\0' && n < CODES_MAX;) {
		struct str part = { p, strcspn(p, between) };

		p += part.n;
		p += strspn(p, between);
		if (str_ieq(part, "and") || str_ieq(part, "or") || str_eq(part, "&"))
			continue;
		for (size_t i = 0; i < part.n; i++)
			if (!isalpha((unsigned char)part.p[i]))
				return 0;
		if (part.n != ICAO_LEN && (part.n != IATA_LEN || !capitals(part)))
			return 0;
		*iata |= part.n == IATA_LEN;
		codes[n++] = arena_strndup(a, part.p, part.n);
	}
	return n >= 2 ? n : 0;
}

static enum errcode count_known(struct aircon *con, struct arena *a, const char *const *codes,
    size_t n, size_t *known, struct err *e)
{
	struct airport airport;
	bool found;
	enum errcode rc = OK;

	*known = 0;
	for (size_t i = 0; i < n && rc == OK; i++) {
		rc = airdb_by_code(con, a, codes[i], &airport, &found, e);
		*known += rc == OK && found;
	}
	return rc;
}

/*
 * The same words can be read in more than one way: "Lyon Bron" looks like two codes, "Jersey"
 * is a country and a city. The readings are tried from the most specific to the most
 * general; q->kind tells which one found something.
 */
static enum errcode find(struct aircon *con, struct arena *a, struct airport_query *q,
    struct airport_hits *hits, struct err *e)
{
	const char **codes = arena_array(a, CODES_MAX, sizeof(*codes));
	bool iata;
	size_t ncodes = codes_of(a, q->text, codes, &iata), known = 0, max = q->max;
	const struct country *country = country_by_name(str_fold(a, q->text));
	enum errcode rc = count_known(con, a, codes, ncodes, &known, e);

	q->codes = codes;
	q->ncodes = ncodes;
	if (rc != OK)
		return rc;
	if (known > 0 && known == ncodes) {
		q->kind = SEARCH_CODES;
		q->max = max > ncodes ? max : ncodes;
		return airport_search(con, a, q, hits, e);
	}
	if (country != NULL) {
		q->kind = SEARCH_COUNTRY;
		q->country = country->code;
		rc = airport_search(con, a, q, hits, e);
		if (rc != OK || hits->candidates > 0)
			return rc;
	}
	q->kind = SEARCH_TEXT;
	rc = airport_search(con, a, q, hits, e);
	if (rc != OK || hits->candidates > 0 || known == 0 || iata)
		return rc;
	q->kind = SEARCH_CODES;
	q->max = max > ncodes ? max : ncodes;
	return airport_search(con, a, q, hits, e);
}

static struct json_object *hit_of(const struct airport_hit *hit)
{
	return airport_summary(&hit->a);
}

static struct json_object *result_of(struct arena *a, const struct airport_query *q,
    const struct search_args *args, const struct airport_hits *hits)
{
	struct json_object *o = jsn_object(a), *airports;
	struct json_object *profile = jsn_new(), *vis = jsn_new();

	jsn_add_int(o, "count", (int64_t)hits->n);
	jsn_add_int(o, "total_found", (int64_t)hits->total);
	airports = result_add_airports(o, hits, hit_of);
	jsn_add_str(profile, "search_query", q->text);
	if (q->kind == SEARCH_COUNTRY)
		jsn_add_str(profile, "country", q->country);
	result_add_profile(o, profile, args);
	result_add_report(o, hits);
	jsn_add_str(vis, "type", "markers");
	jsn_add(vis, "data", jsn_ref(airports));
	result_add_visualization(o, vis);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct search_args in;
	struct airport_query q = { .kind = SEARCH_TEXT };
	struct airport_hits hits;
	struct aircon *con;
	enum errcode rc = airport_con(ctx, &con, e);
	(void)self;

	if (rc != OK)
		return rc;
	search_args_read(&in, args);
	q.text = jsn_get_str(args, "query", "");
	q.filters = in.filters;
	q.include_large = in.include_large;
	q.max = in.max_results;
	rc = find(con, a, &q, &hits, e);
	airdb_put(con);
	if (rc == OK)
		*result = result_of(a, &q, &in, &hits);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "query", .type = ARG_STRING, .required = true,
	    .doc = "Name, town, code or codes, or country." },
	ARG_ROWS_SEARCH,
};

const struct tool tool_search_airports = {
	.name = "search_airports",
	.doc = "Find airports by name, town, code or country: \"Lyon\", \"LFPG\", \"LFPG, LFPO and "
	    "EGLL\", \"France\". Filters narrow the result, e.g. a country's airports with AVGAS. "
	    "For airports around a place use find_airports_near_location, for airports along a "
	    "flight find_airports_near_route, for all that is known of one airport "
	    "get_airport_details.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_FOUND,
	.call = call,
};
