/*
 * search_airports: by codes, country, or text.
 */
#include <ctype.h>
#include <string.h>

#include "airports/countries.h"
#include "base/str.h"
#include "tools/airport_result.h"
#include "tools/place_result.h"

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

static enum errcode count_known(struct search_call *s, const char *const *codes, size_t n,
    size_t *known, struct err *e)
{
	struct airport airport;
	bool found;
	enum errcode rc = OK;

	*known = 0;
	for (size_t i = 0; i < n && rc == OK; i++) {
		rc = airdb_by_code(s->con, s->mem, codes[i], &airport, &found, e);
		*known += rc == OK && found;
	}
	return rc;
}

/*
 * The same words can be read in more than one way: "Lyon Bron" looks like two codes, "Jersey"
 * is a country and a city, "Scotland" an area of ours. The readings are tried from the most specific to the most
 * general; q->kind tells which one found something.
 */
static enum errcode find(struct search_call *s, struct err *e)
{
	struct airport_query *q = &s->q;
	const char **codes = arena_array(s->mem, CODES_MAX, sizeof(*codes));
	bool iata;
	size_t ncodes = codes_of(s->mem, q->text, codes, &iata), known = 0, max = q->max;
	const struct country *country = country_by_name(str_fold(s->mem, q->text));
	enum errcode rc = count_known(s, codes, ncodes, &known, e);

	q->codes = codes;
	q->ncodes = ncodes;
	if (rc != OK)
		return rc;
	if (known > 0 && known == ncodes) {
		q->kind = SEARCH_CODES;
		q->max = max > ncodes ? max : ncodes;
		return search_call_run(s, e);
	}
	rc = place_area(s->con, s->mem, q->text, &q->area, e);
	if (rc == OK && q->area != NULL) {
		q->kind = SEARCH_AREA;
		q->from = q->area->middle;
		rc = search_call_run(s, e);
	}
	if (rc != OK || (q->area != NULL && s->hits.candidates > 0))
		return rc;
	if (country != NULL) {
		q->kind = SEARCH_COUNTRY;
		q->country = country->code;
		rc = search_call_run(s, e);
		if (rc != OK || s->hits.candidates > 0)
			return rc;
	}
	q->kind = SEARCH_TEXT;
	rc = search_call_run(s, e);
	if (rc != OK || s->hits.candidates > 0 || known == 0 || iata)
		return rc;
	q->kind = SEARCH_CODES;
	q->max = max > ncodes ? max : ncodes;
	return search_call_run(s, e);
}

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
	rc = find(&s, e);
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
