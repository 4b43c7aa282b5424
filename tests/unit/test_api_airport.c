/*
 * JSON written straight into a buffer, the lines of approaches, and the calls about one airport.
 */
#include "tests/unit/test.h"

#include <math.h>

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "airports/procedure_lines.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/airport_json.h"
#include "edges/routes.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/http_mem.h"

/* ---- jsn_put ------------------------------------------------------------------------- */

TEST(jsn_put, commas_and_values)
{
	struct arena *a = arena_new();
	struct buf b;

	buf_init(&b, 4096);
	jsn_put_open(&b, NULL, '{');
	jsn_put_str(&b, "open", "{[:");
	jsn_put_str(&b, "none", NULL);
	jsn_put_open(&b, "list", '[');
	jsn_put_int(&b, NULL, -7);
	jsn_put_num(&b, NULL, 1.5);
	jsn_put_num(&b, NULL, (double)NAN);
	jsn_put_num(&b, NULL, (double)INFINITY);
	jsn_put_open(&b, NULL, '[');
	jsn_put_close(&b, ']');
	jsn_put_bool(&b, NULL, true);
	jsn_put_close(&b, ']');
	jsn_put_key(&b, "a\"b");
	jsn_put_open(&b, NULL, '{');
	jsn_put_close(&b, '}');
	jsn_put_tree(&b, "tree", jsn_object(a));
	jsn_put_text(&b, "text", "[1,2]");
	jsn_put_null(&b, "null");
	jsn_put_close(&b, '}');
	cr_expect_str_eq(b.p, "{\"open\":\"{[:\",\"none\":null,\"list\":[-7,1.5,null,null,[],true],\"a\\\"b\":{},"
	    "\"tree\":{},\"text\":[1,2],\"null\":null}");
	buf_release(&b);
	arena_free(a);
}

/* ---- lines of approaches --------------------------------------------------------------- */

#define NONE (double)NAN

TEST(procedure_lines, best_approach)
{
	static const struct procedure v[] = {
		{ .name = "departure", .type = "departure", .approach_type = "ILS", .runway = "09" },
		{ .name = "unknown type", .type = "approach", .runway = "09" },
		{ .name = "vor", .type = "Approach", .approach_type = "vor", .runway = "09" },
		{ .name = "rnp", .type = "approach", .approach_type = "RNP", .runway = "09" },
		{ .name = "second rnp", .type = "approach", .approach_type = "RNP", .runway = "09" },
		{ .name = "ils", .type = "approach", .approach_type = "ILS", .runway = "27" },
		{ .name = "no runway", .type = "approach", .approach_type = "ILS" },
		{ .name = "no type", .approach_type = "ILS", .runway = "09" },
	};
	const size_t n = sizeof(v) / sizeof(v[0]);

	cr_expect_str_eq(approach_best(v, n, "09")->name, "rnp");
	cr_expect_str_eq(approach_best(v, n, "27")->name, "ils");
	cr_expect_null(approach_best(v, n, "18"));
	cr_expect_null(approach_best(NULL, 0, "09"));
	cr_expect_eq(approach_precision("ILS"), 1);
	cr_expect_eq(approach_precision("sdf"), 8);
	cr_expect_eq(approach_precision("GLS"), APPROACH_UNRANKED);
	cr_expect_eq(approach_precision(NULL), APPROACH_UNRANKED);
}

/* What is recorded of the ends of runway 09/27, and where the line of 09 goes: east and north of it in NM. */
static const struct {
	const char *what;
	struct runway_end le, he;
	bool closed;
	double north, east;          /* NaN: there is no line */
} directions[] = {
	{ "the other end's heading", { 50, 5, NONE, 88, NONE }, { 50, 5.03, NONE, 270, NONE }, false, 0, -10 },
	{ "heading 0 is north", { 50, 5, NONE, NONE, NONE }, { NONE, NONE, NONE, 0, NONE }, false, 10, 0 },
	{ "this end's heading, turned", { 50, 5, NONE, 90, NONE }, { NONE, NONE, NONE, NONE, NONE }, false, 0, -10 },
	{ "the positions of both", { 50, 5, NONE, NONE, NONE }, { 49.9, 5, NONE, NONE, NONE }, false, 10, 0 },
	{ "on the equator and the meridian", { 0, 0, NONE, NONE, NONE }, { NONE, NONE, NONE, 180, NONE }, false, -10, 0 },
	{ "nothing tells the direction", { 50, 5, NONE, NONE, NONE }, { NONE, NONE, NONE, NONE, NONE }, false, NONE, 0 },
	{ "both ends at one place", { 50, 5, NONE, NONE, NONE }, { 50, 5, NONE, NONE, NONE }, false, NONE, 0 },
	{ "no position", { NONE, 5, NONE, 90, NONE }, { NONE, NONE, NONE, 270, NONE }, false, NONE, 0 },
	{ "no such position", { 500, 5, NONE, 90, NONE }, { NONE, NONE, NONE, 270, NONE }, false, NONE, 0 },
	{ "a closed runway", { 50, 5, NONE, 88, NONE }, { 50, 5.03, NONE, 270, NONE }, true, NONE, 0 },
};

TEST(procedure_lines, directions)
{
	static const struct procedure approach = { .name = "x", .type = "approach", .approach_type = "rnav", .runway = "09" };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++) {
		const struct runway r = { .le_ident = "09", .he_ident = "27", .closed = directions[i].closed,
			.le = directions[i].le, .he = directions[i].he };
		struct procedure_line *v;
		const size_t n = procedure_lines(a, &r, 1, &approach, 1, 10, &v);

		cr_assert_eq(n, isnan(directions[i].north) ? 0 : 1, "%s", directions[i].what);
		if (n == 0)
			continue;
		const double north = (v->end.lat - v->start.lat) * 60.04;
		const double east = (v->end.lon - v->start.lon) * 60.04 * cos(v->start.lat * acos(-1) / 180);
		cr_expect(fabs(north - directions[i].north) < 0.05 && fabs(east - directions[i].east) < 0.05,
		    "%s: %g north, %g east", directions[i].what, north, east);
		cr_expect_str_eq(v->approach_type, "RNAV");
		cr_expect_str_eq(v->category, "rnp");
		cr_expect_str_eq(v->runway_end, "09");
	}
	arena_free(a);
}

/* ---- calls ------------------------------------------------------------------------------- */

TEST(api_airport, links)
{
	cr_expect_null(web_link(NULL));
	cr_expect_null(web_link(""));
	cr_expect_null(web_link("javascript:alert(1)"));
	cr_expect_null(web_link("httpsx://a"));
	cr_expect_null(web_link(" https://a"));
	cr_expect_str_eq(web_link("HTTPS://a"), "HTTPS://a");
	cr_expect_str_eq(web_link("http://a"), "http://a");
}

struct fix {
	struct airfix air;
	struct conf conf;
	struct edge edge;
};

static void setup(struct fix *f, const char *change)
{
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	struct err e = { OK, "" };

	memset(f, 0, sizeof(*f));
	airfix_start(&f->air, NULL, change, false);
	f->conf = (struct conf){ .enabled = true, .store_provider = "memory", .store_timeout_ms = 100, .max_chats = 2,
		.max_body = 4096 };
	struct edge_parts parts = { .conf = &f->conf, .mem = f->air.mem, .agents = agents, .nagents = 2,
		.routes = routes, .nroutes = nroutes, .airports = f->air.db };
	TEST_OK(edge_init(&f->edge, &parts, &e), e);
}

static void finish(struct fix *f)
{
	edge_release(&f->edge);
	airfix_close(&f->air);
}

/* The whole response, in the fixture's arena. */
static const char *ask(struct fix *f, const char *path, const char *query, const char *body)
{
	struct http_mem m;
	char length[40];

	http_mem_init(&m);
	m.params[0] = body != NULL ? "REQUEST_METHOD=POST" : "REQUEST_METHOD=GET";
	m.params[1] = arena_printf(f->air.mem, "SCRIPT_NAME=%s", path);
	m.params[2] = arena_printf(f->air.mem, "QUERY_STRING=%s", query);
	if (body != NULL) {
		snprintf(length, sizeof(length), "CONTENT_LENGTH=%zu", strlen(body));
		m.params[3] = length;
		m.params[4] = "CONTENT_TYPE=application/json";
		m.body = body;
	}
	edge_serve(&f->edge, &m.io);
	const char *out = arena_strndup(f->air.mem, m.out.p, m.out.n);
	buf_release(&m.out);
	return out;
}

static const struct {
	const char *path, *query, *body;     /* body NULL: GET */
	const char *status, *holds;
} calls[] = {
	{ "/api/airports/LFLY", "", NULL, "200", "{\"ident\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"type\":\"medium_airport\"," },
	{ "/api/airports/LFLY", "", NULL, "200", "\"point_of_entry\":true,\"avgas\":true,\"jet_a\":true,\"has_hard_runway\":true,"
	    "\"has_lighted_runway\":true,\"has_soft_runway\":false" },
	{ "/api/airports/LFLY", "", NULL, "200", "\"surface\":\"GRASS (closed)\",\"lighted\":0,\"closed\":1,\"le_ident\":\"16L\"" },
	{ "/api/aviation-agent/airports/lfly", "", NULL, "200", "\"sources\":[],\"runways\":[{" },
	{ "/api/airports/FR-0042", "", NULL, "200", "\"runways\":[],\"procedures\":[],\"aip_entries\":[],\"created_at\":null" },
	{ "/api/airports/ZZZZ", "", NULL, "200", "\"latitude_deg\":null" },
	{ "/api/airports/LFXX", "", NULL, "404", "{\"detail\":\"Airport LFXX not found\"}" },
	{ "/api/airports/a\"b", "", NULL, "404", "{\"detail\":\"Airport a\\\"b not found\"}" },
	{ "/api/airports/AAAAAAAAAAAAAAAAAAAAA", "", NULL, "422", "\"type\":\"string_too_long\"" },
	{ "/api/airports/LFLY/procedures", "runway=", NULL, "200", "[{\"name\":\"ILS RWY 34\",\"procedure_type\":\"approach\"" },
	{ "/api/airports/LFLY/procedures", "procedure_type=arrival", NULL, "200", "\r\n\r\n[]" },
	{ "/api/airports/LFLY/aip-entries", "section=operational", NULL, "200", "\"value\":\"O/R\"" },
	{ "/api/airports/LFLY/aip-entries", "std_field=nothing", NULL, "200", "\r\n\r\n[]" },
	/* this database tells neither the runway of a procedure nor where runways end */
	{ "/api/airports/LFLY/procedure-lines", "", NULL, "200", "{\"airport_ident\":\"LFLY\",\"procedure_lines\":[]}" },
	{ "/api/airports/bulk/procedure-lines", "", "{\"airports\":[\"lfly\",\"x\",\"lfly\"]}", "200",
	    "\r\n\r\n{\"lfly\":{\"airport_ident\":\"LFLY\",\"procedure_lines\":[]},"
	    "\"x\":{\"procedure_lines\":[],\"error\":\"Airport not found\"}}" },
	{ "/api/airports/bulk/procedure-lines", "", "{\"airports\":[2]}", "422", "\"type\":\"string_type\"" },
	{ "/api/airports/bulk/procedure-lines", "", "{\"airports\":[\"A\"],\"distance_nm\":101}", "422",
	    "less than or equal to 100" },
	{ "/api/airports/bulk/procedure-lines", "", "{}", "422", "\"type\":\"missing\"" },
	{ "/api/airports/bulk/procedure-lines", "", NULL, "405", "Allow: POST\r\n" },
};

TEST(api_airport, calls)
{
	struct fix f;

	setup(&f, "");
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *out = ask(&f, calls[i].path, calls[i].query, calls[i].body);
		cr_expect(strncmp(out, "Status: ", 8) == 0 && strncmp(out + 8, calls[i].status, 3) == 0, "%s: %s",
		    calls[i].path, out);
		cr_expect_not_null(strstr(out, calls[i].holds), "%s: %s", calls[i].path, out);
	}
	finish(&f);
}
