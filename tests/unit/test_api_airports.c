/*
 * Lists of airports as a client asks for them: boxes at the date line and beyond the map, routes, places,
 * texts, and a database that is not there.
 */
#include "tests/unit/test.h"

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "airports/filter.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/airport_summary.h"
#include "edges/routes.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/http_mem.h"

struct fix {
	struct airfix air;
	struct conf conf;
	struct edge edge;
};

static void start(struct fix *f, bool with_airports)
{
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	struct err e;

	memset(f, 0, sizeof(*f));
	log_level_set("ERROR");
	airfix_open(&f->air, NULL, false);
	f->conf.enabled = true;
	f->conf.store_provider = "memory";
	f->conf.store_timeout_ms = 100;
	const struct edge_parts parts = { .conf = &f->conf, .mem = f->air.mem, .agents = agents, .nagents = 2,
		.routes = routes, .nroutes = nroutes, .airports = with_airports ? f->air.db : NULL };
	TEST_OK(edge_init(&f->edge, &parts, &e), e);
}

static void stop(struct fix *f)
{
	edge_release(&f->edge);
	airfix_close(&f->air);
}

/* The content of the answer, in the arena. */
static const char *ask(struct fix *f, const char *path, const char *query, int *status)
{
	struct http_mem m;

	http_mem_init(&m);
	m.params[0] = "REQUEST_METHOD=GET";
	m.params[1] = arena_printf(f->air.mem, "SCRIPT_NAME=/api%s", path);
	m.params[2] = arena_printf(f->air.mem, "QUERY_STRING=%s", query);
	edge_serve(&f->edge, &m.io);
	long long n = 0;
	cr_assert(str_to_int(arena_strndup(f->air.mem, m.out.p + strlen("Status: "), 3), &n), "%s", m.out.p);
	*status = (int)n;
	const char *out = arena_strdup(f->air.mem, http_mem_content(&m));
	buf_release(&m.out);
	return out;
}

/* The idents of a list, of an answer with a list, or the refusal's detail. */
static const char *seen(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	const char *out = "";
	struct err e;

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	if (jsn_has(o, "detail"))
		return jsn_text(a, jsn_get(o, "detail"), JSN_PLAIN);
	struct json_object *list = jsn_is(o, json_type_array) ? o : jsn_get(o, "airports");
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *one = jsn_at(list, i);
		out = arena_printf(a, "%s%s%s", out, i > 0 ? " " : "",
		    jsn_get_str(jsn_has(one, "airport") ? jsn_get(one, "airport") : one, "ident", "?"));
	}
	return out;
}

static const struct {
	const char *path, *query;
	int status;
	const char *want;
} rows[] = {
	{ "/airports/", "limit=3", 200, "LFLL LSZH LFBP" },
	{ "/airports/", "limit=3&offset=13", 200, "KJSY" },
	{ "/airports/", "limit=3&include_large_airports=false", 200, "LFBP LFLY LFHI" },
	{ "/airports/", "country=ch", 200, "LSZH LSZK" },
	{ "/airports/", "has_avgas=true&aip_operator=contains", 200, "LFBP LFLY" },
	{ "/airports/", "has_fuel=true", 200, "LFLL LFBP LFLY" },
	{ "/airports/", "aip_field=402&aip_value=AVGAS", 200, "LFLL LFLY" },
	/* NFNM lies at -179.9, NFVB at 179.9 degrees */
	{ "/airports/", "bbox=-10,-20,-179,179", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,181,179", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,-179,-181", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,541,539", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,180,179", 200, "NFVB" },
	{ "/airports/", "bbox=-10,-20,190,-150", 200, "NFVB" },
	{ "/airports/", "bbox=-10,-20,190,-180", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,-179.5,-400", 200, "NFVB" },      /* 180.5 to -40, and wide */
	{ "/airports/", "bbox=99,-99,999,-999&limit=2", 200, "LFLL LSZH" },
	/* such values once turned for ever */
	{ "/airports/", "bbox=60,40,0,7.2e27&limit=1", 200, "" },
	{ "/airports/", "bbox=60,40,1e292,-1e292&limit=1", 200, "LFLL" },
	{ "/airports/", "bbox=60,40,1e300,1e299&limit=1", 200, "" },
	{ "/airports/", "bbox=%20-10,-20%20,+-179,179", 200, "NFNM NFVB" },
	{ "/airports/", "bbox=-10,-20,-179,", 400, "\"bbox values must be valid numbers\"" },
	{ "/airports/", "bbox=-10,-20,-179,0x10", 400, "\"bbox values must be valid numbers\"" },
	{ "/airports/", "bbox=,,,", 400, "\"bbox values must be valid numbers\"" },
	{ "/airports/", "bbox=1,2,3,4", 400, "\"bbox south must be <= north\"" },
	{ "/airports/", "offset=100001", 400, "\"Offset too large\"" },
	{ "/airports/route-search", "airports=LFLY&segment_distance_nm=5", 200, "LFLY LFHJ" },
	{ "/airports/route-search", "airports=LYN&segment_distance_nm=5", 200, "LFLY LFHJ" },
	{ "/airports/route-search", "airports=%20lfly%20,,LSZH&segment_distance_nm=5&limit=1", 200, "LFLY" },
	{ "/airports/route-search", "airports=ZZZZ", 404, "\"The position of airport ZZZZ is not known\"" },
	{ "/airports/route-search", "airports=AAAA", 404, "\"Airport AAAA not found\"" },
	{ "/airports/route-search", "airports=LFLY;LSZH", 400, "\"'LFLY;LSZ' is not an airport code\"" },
	{ "/airports/locate", "center_lat=45.7294&center_lon=4.9389&radius_nm=5", 200, "LFLY LFHJ" },
	{ "/airports/locate", "center_lat=45.7294&center_lon=undefined&q=Corbas&radius_nm=3", 200, "LFHJ" },
	{ "/airports/locate", "q=45.7294,+4.9389&radius_nm=2", 200, "LFLY" },
	{ "/airports/locate", "center_lat=91&center_lon=4", 422, "[{\"type\":\"less_than_equal\",\"loc\":[\"query\",\"center_lat\"],"
	    "\"msg\":\"Input should be less than or equal to 90\",\"input\":\"91\",\"ctx\":{\"le\":90}}]" },
	{ "/airports/locate", "center_lat=45&center_lon=x", 422, "[{\"type\":\"float_parsing\",\"loc\":[\"query\",\"center_lon\"],"
	    "\"msg\":\"Input should be a valid number, unable to parse string as a number\",\"input\":\"x\"}]" },
	{ "/airports/locate", "center_lat=45&center_lon=null", 400, "\"Either q or center_lat and center_lon are needed\"" },
	{ "/airports/locate", "center_lat=91&center_lon=4&q=Corbas&radius_nm=3", 200, "LFHJ" },
	{ "/airports/", "max_landing_fee=20&fee_currency=XXX", 422, "[{\"type\":\"value_error\",\"loc\":[\"query\"],"
	    "\"msg\":\"Value error, filters.fee_currency must be a currency's three letters, such as GBP\",\"input\":null}]" },
	{ "/airports/locate", "q=Atlantis", 200, "" },
	{ "/airports/search/Lyon", "limit=2", 200, "LFLY LFLL" },
	{ "/airports/search/lfly lsZH", "", 200, "LFLY LSZH" },
	{ "/airports/search/Switzerland", "", 200, "LSZH LSZK" },
	{ "/airports/search/%", "", 200, "" },
};

TEST(api_airports, rows)
{
	struct fix f;
	int status;

	start(&f, true);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = ask(&f, rows[i].path, rows[i].query, &status);
		cr_expect_eq(status, rows[i].status, "%s?%s: %d", rows[i].path, rows[i].query, status);
		cr_expect_str_eq(seen(f.air.mem, text), rows[i].want, "%s?%s: %s", rows[i].path, rows[i].query,
		    seen(f.air.mem, text));
	}
	stop(&f);
}

TEST(api_airports, a_summary)
{
	struct fix f;
	int status;

	start(&f, true);
	cr_expect_str_eq(ask(&f, "/airports/", "country=FR&limit=1&include_large_airports=false&has_jet_a=true", &status),
	    "[{\"ident\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"latitude_deg\":45.7294,\"longitude_deg\":4.9389,"
	    "\"iso_country\":\"FR\",\"municipality\":\"Lyon\",\"point_of_entry\":true,\"has_procedures\":true,"
	    "\"has_runways\":true,\"has_aip_data\":true,\"has_hard_runway\":true,\"has_lighted_runway\":true,"
	    "\"has_soft_runway\":false,\"has_water_runway\":false,\"has_snow_runway\":false,"
	    "\"longest_runway_length_ft\":5971,\"use\":null,\"procedure_count\":2,\"runway_count\":2,\"aip_entry_count\":4,"
	    "\"ga\":null,\"notification\":null}]");
	stop(&f);
}

/* What a tool can filter by, a list can too. */
TEST(api_airports, every_filter_is_a_parameter)
{
	static const struct param params[P_OWN] = { LIST_PARAMS(1, "1") };
	static const enum param_type types[] = { [FILTER_BOOL] = PARAM_BOOL, [FILTER_NUMBER] = PARAM_NUMBER,
		[FILTER_TEXT] = PARAM_TEXT, [FILTER_ENUM] = PARAM_TEXT };
	size_t n = 0;

	for (size_t i = 0; i < nfilters; i++) {
		const struct filter *f = &filters[i];
		if (f->type == FILTER_OBJECT || streq(f->name, "exclude_large_airports"))
			continue;
		size_t k = 0;
		while (k < P_LIMIT && !streq(params[k].name, f->name))
			k++;
		cr_assert_lt(k, P_LIMIT, "no parameter %s", f->name);
		cr_expect_eq(params[k].type, types[f->type], "%s", f->name);
		cr_expect(streq(params[k].choices, f->choices), "%s", f->name);
		n++;
	}
	cr_expect_eq(n, P_LIMIT);
}

TEST(api_airports, without_a_database)
{
	static const char *const paths[] = { "/airports/", "/airports/route-search", "/airports/locate",
		"/airports/search/x" };
	struct fix f;
	int status;

	start(&f, false);
	log_level_set("OFF");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		ask(&f, paths[i], "airports=LFLY&q=LFLY", &status);
		cr_expect_eq(status, 503, "%s: %d", paths[i], status);
	}
	stop(&f);
}

/* Every parameter with every strange value: an answer or a refusal, always JSON, and never a fault of ours. */
TEST(api_airports, strange_values)
{
	static const char *const names[] = { "country", "has_procedures", "point_of_entry", "has_avgas",
		"min_runway_length_ft", "max_landing_fee", "fee_currency", "fee_aircraft", "hotel", "restaurant",
		"max_hours_notice", "aip_value&aip_field", "aip_operator", "limit", "offset", "bbox", "airports",
		"segment_distance_nm", "distance_nm", "enroute_distance_max_nm", "q", "radius_nm", "center_lat",
		"center_lon&center_lat", "include_ga", "include_large_airports" };
	static const char *const values[] = { "", "undefined", "null", "NaN", "0", "-1", "1e308", "-1e308", "1e999",
		"99999999999999999999", "0x10", "1,5", "%00", "%ff%fe", "%0d%0aX:%20y", "%", "%zz", "+", "%2F..%2F", "'", "%22",
		"%3Cscript%3E", "%F0%9F%9B%A9", "LFLY,LFLY", ",,,,", "90,-90,180,-180", "91,-91,1e300,-1e300",
		"LFLY%2CLSZH%2CNFNM%2CNFVB%2CNZSP%2CAQ01", "Lyon", "NZSP" };
	static const char *const paths[] = { "/airports/", "/airports/route-search", "/airports/locate",
		"/airports/search/Lyon" };
	struct fix f;
	int status;

	start(&f, true);
	for (size_t p = 0; p < sizeof(paths) / sizeof(paths[0]); p++)
		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
			for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
				const char *query = arena_printf(f.air.mem, "%.*s=%s%s%s", (int)strcspn(names[n], "&"),
				    names[n], values[v], strchr(names[n], '&') != NULL ? strchr(names[n], '&') : "",
				    strchr(names[n], '&') != NULL ? arena_printf(f.air.mem, "=%s", values[v]) : "");
				const char *text = ask(&f, paths[p], query, &status);
				cr_assert(status == 200 || status == 400 || status == 404 || status == 422,
				    "%s?%s: %d %s", paths[p], query, status, text);
				seen(f.air.mem, text);
			}
	/* and in the path */
	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
		const char *text = ask(&f, arena_printf(f.air.mem, "/airports/search/%s", values[v]), "", &status);
		cr_assert(status == 200 || status == 404 || status == 422 || status == 307, "%s: %d", values[v], status);
		if (status != 307)
			seen(f.air.mem, text);
	}
	stop(&f);
}
