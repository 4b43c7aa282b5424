/* Filters: each row's verdicts, what a plan may say, and what is told about drops. */
#include "airports/filter.h"

#include <math.h>

#include "airports/friendliness.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

#define KNOWS_FUEL (AF_AVGAS_KNOWN | AF_JETA_KNOWN)

static const struct verdict_row {
	const char *filters;
	struct airport a;
	enum filter_fit want;
} verdicts[] = {
	{ "{\"country\":\"fr\"}", { .country = "FR" }, FIT_YES },
	{ "{\"country\":\"FR\"}", { .country = "GB" }, FIT_NO },
	{ "{\"country\":\"FR\"}", { .country = NULL }, FIT_UNKNOWN },
	{ "{\"country\":\"UK\"}", { .country = "GB" }, FIT_YES },
	{ "{\"country\":\"Germany\"}", { .country = "DE" }, FIT_YES },
	{ "{\"country\":\"Atlantis\"}", { .country = "DE" }, FIT_NO },
	{ "{\"country\":\"\"}", { .country = "GB" }, FIT_YES },
	{ "{\"country\":null}", { .country = "GB" }, FIT_YES },

	{ "{\"has_procedures\":true}", { .flags = AF_PROCEDURES }, FIT_YES },
	{ "{\"has_procedures\":true}", { .flags = 0 }, FIT_NO },
	{ "{\"has_procedures\":false}", { .flags = 0 }, FIT_YES },
	{ "{\"has_procedures\":false}", { .flags = AF_PROCEDURES }, FIT_NO },
	{ "{\"has_procedures\":null}", { .flags = AF_PROCEDURES }, FIT_YES },
	{ "{\"has_aip_data\":true}", { .flags = AF_AIP }, FIT_YES },
	{ "{\"has_aip_data\":true}", { .flags = 0 }, FIT_NO },
	{ "{\"has_aip_data\":false}", { .flags = 0 }, FIT_YES },
	{ "{\"point_of_entry\":true}", { .flags = AF_ENTRY }, FIT_YES },
	{ "{\"point_of_entry\":true}", { .flags = 0 }, FIT_NO },
	{ "{\"point_of_entry\":false}", { .flags = 0 }, FIT_YES },
	{ "{\"point_of_entry\":true}", { .flags = AF_ENTRY_UNLISTED }, FIT_UNKNOWN },
	{ "{\"point_of_entry\":false}", { .flags = AF_ENTRY_UNLISTED }, FIT_UNKNOWN },
	{ "{\"has_hard_runway\":true}", { .flags = AF_HARD | AF_RUNWAYS }, FIT_YES },
	{ "{\"has_hard_runway\":true}", { .flags = AF_SOFT | AF_RUNWAYS }, FIT_NO },
	{ "{\"has_hard_runway\":true}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"has_hard_runway\":false}", { .flags = AF_SOFT | AF_RUNWAYS }, FIT_YES },
	{ "{\"has_hard_runway\":false}", { .flags = 0 }, FIT_UNKNOWN },
	/* a runway of unknown surface was taken for one of grass */
	{ "{\"has_hard_runway\":false}", { .flags = AF_RUNWAYS | AF_SURFACE_UNKNOWN }, FIT_UNKNOWN },
	{ "{\"has_hard_runway\":true}", { .flags = AF_RUNWAYS | AF_SURFACE_UNKNOWN }, FIT_UNKNOWN },
	{ "{\"has_hard_runway\":true}", { .flags = AF_RUNWAYS | AF_SOFT | AF_SURFACE_UNKNOWN }, FIT_UNKNOWN },
	{ "{\"has_hard_runway\":true}", { .flags = AF_RUNWAYS | AF_HARD | AF_SURFACE_UNKNOWN }, FIT_YES },
	/* all runways are closed */
	{ "{\"has_hard_runway\":true}", { .flags = AF_RUNWAYS }, FIT_NO },

	/* unknown fuel is neither yes nor no */
	{ "{\"has_avgas\":true}", { .flags = KNOWS_FUEL | AF_AVGAS }, FIT_YES },
	{ "{\"has_avgas\":true}", { .flags = KNOWS_FUEL }, FIT_NO },
	{ "{\"has_avgas\":true}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"has_avgas\":false}", { .flags = KNOWS_FUEL }, FIT_YES },
	{ "{\"has_avgas\":false}", { .flags = KNOWS_FUEL | AF_AVGAS }, FIT_NO },
	{ "{\"has_avgas\":false}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"has_jet_a\":true}", { .flags = KNOWS_FUEL | AF_JETA }, FIT_YES },
	{ "{\"has_jet_a\":true}", { .flags = KNOWS_FUEL | AF_AVGAS }, FIT_NO },
	{ "{\"has_jet_a\":false}", { .flags = AF_AVGAS_KNOWN }, FIT_UNKNOWN },
	/* one of the two is enough; without both it takes both to be known */
	{ "{\"has_fuel\":true}", { .flags = KNOWS_FUEL | AF_AVGAS }, FIT_YES },
	{ "{\"has_fuel\":true}", { .flags = KNOWS_FUEL | AF_JETA }, FIT_YES },
	{ "{\"has_fuel\":true}", { .flags = AF_JETA_KNOWN | AF_JETA }, FIT_YES },
	{ "{\"has_fuel\":true}", { .flags = KNOWS_FUEL }, FIT_NO },
	{ "{\"has_fuel\":true}", { .flags = AF_AVGAS_KNOWN }, FIT_UNKNOWN },
	{ "{\"has_fuel\":true}", { .flags = AF_JETA_KNOWN }, FIT_UNKNOWN },
	{ "{\"has_fuel\":true}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"has_fuel\":false}", { .flags = KNOWS_FUEL }, FIT_YES },
	{ "{\"has_fuel\":false}", { .flags = AF_AVGAS_KNOWN | AF_AVGAS }, FIT_NO },
	{ "{\"has_fuel\":false}", { .flags = AF_AVGAS_KNOWN }, FIT_UNKNOWN },
	{ "{\"has_fuel\":false}", { .flags = 0 }, FIT_UNKNOWN },

	{ "{\"min_runway_length_ft\":3000}", { .longest_ft = 3000 }, FIT_YES },
	{ "{\"min_runway_length_ft\":3000}", { .longest_ft = 2999.9 }, FIT_NO },
	{ "{\"min_runway_length_ft\":\"3000\"}", { .longest_ft = 2000 }, FIT_NO },
	{ "{\"min_runway_length_ft\":\"long\"}", { .longest_ft = 2000 }, FIT_YES },
	{ "{\"min_runway_length_ft\":[]}", { .longest_ft = 2000 }, FIT_YES },
	{ "{\"min_runway_length_ft\":3000}", { .longest_ft = NAN }, FIT_UNKNOWN },
	{ "{\"max_runway_length_ft\":3000}", { .longest_ft = 3000 }, FIT_YES },
	{ "{\"max_runway_length_ft\":3000}", { .longest_ft = 3000.5 }, FIT_NO },
	{ "{\"max_runway_length_ft\":3000}", { .longest_ft = NAN }, FIT_UNKNOWN },

	/* facts of a service that is not there */
	{ "{\"max_landing_fee\":10}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"hotel\":\"vicinity\"}", { .flags = 0 }, FIT_UNKNOWN },
	{ "{\"restaurant\":\"at_airport\"}", { .flags = 0 }, FIT_UNKNOWN },

	{ "{\"exclude_large_airports\":true}", { .type = TYPE_LARGE }, FIT_NO },
	{ "{\"exclude_large_airports\":true}", { .type = TYPE_MEDIUM }, FIT_YES },
	{ "{\"exclude_large_airports\":false}", { .type = TYPE_LARGE }, FIT_YES },
	{ "{\"exclude\":\"FR, lfly\"}", { .ident = "LFLY", .country = "CH" }, FIT_NO },
	{ "{\"exclude\":\"Switzerland\"}", { .ident = "LSGG", .country = "CH" }, FIT_NO },
	{ "{\"exclude\":\"GVA\"}", { .ident = "LSGG", .country = "CH", .iata = "GVA" }, FIT_NO },
	{ "{\"exclude\":\"FR,LSGE\"}", { .ident = "LSGG", .country = "CH" }, FIT_YES },
	{ "{\"exclude\":\"military\"}", { .ident = "EGXC", .flags = AF_MILITARY }, FIT_NO },
	{ "{\"exclude\":\"military\"}", { .ident = "EGNW", .name = "Wickenby Aerodrome" }, FIT_YES },
	{ "{\"exclude\":\", ,\"}", { .ident = "LSGG", .country = "CH" }, FIT_YES },
	{ "{\"max_hours_notice\":2}", { .type = TYPE_SMALL }, FIT_UNKNOWN },
	{ "{\"no_such_filter\":true}", { .type = TYPE_SMALL }, FIT_YES },
};

TEST(filter, verdicts)
{
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		const struct verdict_row *row = &verdicts[i];
		struct arena *a = arena_new();
		struct filter_report r = { .n = 0 };
		struct filter_set set;
		struct err e;
		unsigned lacks;

		TEST_OK(filter_set_init(&set, (struct filter_env){ .mem = a }, parse(a, row->filters), true,
		    &e), e);
		enum filter_fit fit = filter_set_test(&set, &row->a, &r, &lacks);
		cr_expect_eq(fit, row->want, "row %zu: %s", i, row->filters);
		cr_expect_eq(lacks, row->want == FIT_UNKNOWN, "row %zu: %s", i, row->filters);
		cr_expect_eq(r.row[0].dropped, row->want != FIT_YES, "row %zu", i);
		cr_expect_eq(r.row[0].unknown, row->want == FIT_UNKNOWN, "row %zu: %s", i, row->filters);
		arena_free(a);
	}
}

/* A source with one airport that counts how it is used. */
struct toy {
	int taken, given_back;
	const char *ident;
};

static const void *toy_take(void *self)
{
	struct toy *t = self;

	t->taken++;
	return t;
}

static void toy_put(void *self, const void *facts)
{
	struct toy *t = self;

	cr_expect_eq(facts, (const void *)t);
	t->given_back++;
}

static void toy_find(const void *facts, const char *const *idents, size_t n, const void **records)
{
	const struct toy *t = facts;

	for (size_t i = 0; i < n; i++)
		records[i] = streq(idents[i], t->ident) ? t->ident : NULL;
}

static const void *nothing_to_take(void *self)
{
	(void)self;
	return NULL;
}

TEST(filter, sources_are_taken_once_and_asked_for_many)
{
	struct toy toy = { .ident = "LFMD" };
	const struct fact_source notice = { toy_take, toy_put, toy_find, &toy };
	const struct fact_source broken = { nothing_to_take, toy_put, toy_find, &toy };
	const struct fact_sources sources = { { [FACTS_NOTICE] = &notice,
	    [FACTS_FRIENDLINESS] = &broken } };
	struct fact_view v;

	fact_view_take(&v, &sources);
	cr_expect_eq(toy.taken, 1);
	cr_expect_eq(fact_find(&v, FACTS_NOTICE, "LFMD"), (const void *)toy.ident);
	cr_expect_null(fact_find(&v, FACTS_NOTICE, "LFPT"));
	/* a source whose file cannot be used, and a place where none is */
	cr_expect_null(fact_find(&v, FACTS_FRIENDLINESS, "LFMD"));
	cr_expect_null(fact_find(&v, FACTS_AIRPORT, "LFMD"));
	fact_view_put(&v);
	cr_expect_eq(toy.taken, 1);
	cr_expect_eq(toy.given_back, 1);
	fact_view_take(&v, NULL);
	cr_expect_null(fact_find(&v, FACTS_NOTICE, "LFMD"));
	cr_expect_null(fact_find(NULL, FACTS_NOTICE, "LFMD"));
	fact_view_put(&v);
}

#define FEES(b, d) .fee = { NAN, b, NAN, d, NAN, NAN }

static const struct friendly friendlies[] = {
	{ .icao = "FULL", FEES(12, NAN), .currency = "EUR", .hotel = AMENITY_VICINITY,
	  .restaurant = AMENITY_AT_AIRPORT },
	{ .icao = "POOR", FEES(NAN, 30), .currency = "GBP", .hotel = AMENITY_NONE,
	  .restaurant = AMENITY_UNKNOWN },
	{ .icao = "NULL", FEES(NAN, NAN), .hotel = AMENITY_MISSING, .restaurant = AMENITY_MISSING },
};

static void find_friendly(const void *facts, const char *const *idents, size_t n, const void **records)
{
	(void)facts;
	for (size_t i = 0; i < n; i++) {
		records[i] = NULL;
		for (size_t k = 0; k < sizeof(friendlies) / sizeof(friendlies[0]); k++)
			if (streq(friendlies[k].icao, idents[i]))
				records[i] = &friendlies[k];
	}
}

static const struct {
	const char *ident, *filters;
	enum filter_fit want;
} friendly_rows[] = {
	{ "FULL", "{\"hotel\":\"at_airport\"}", FIT_NO },
	{ "FULL", "{\"hotel\":\"vicinity\"}", FIT_YES },
	{ "FULL", "{\"hotel\":\"any\"}", FIT_YES },
	{ "FULL", "{\"hotel\":null}", FIT_YES },
	{ "FULL", "{\"restaurant\":\"at_airport\"}", FIT_YES },
	{ "FULL", "{\"restaurant\":\"vicinity\"}", FIT_YES },
	{ "POOR", "{\"hotel\":\"any\"}", FIT_NO },
	{ "POOR", "{\"restaurant\":\"any\"}", FIT_UNKNOWN },
	{ "NULL", "{\"hotel\":\"any\"}", FIT_UNKNOWN },
	{ "NULL", "{\"restaurant\":\"at_airport\"}", FIT_UNKNOWN },
	{ "NONE", "{\"restaurant\":\"at_airport\"}", FIT_UNKNOWN },
	{ "FULL", "{\"max_landing_fee\":12}", FIT_YES },
	{ "FULL", "{\"max_landing_fee\":11.99}", FIT_NO },
	{ "FULL", "{\"max_landing_fee\":\"12\"}", FIT_YES },
	{ "FULL", "{\"max_landing_fee\":\"cheap\"}", FIT_YES },
	{ "NULL", "{\"max_landing_fee\":12}", FIT_UNKNOWN },
	{ "NONE", "{\"max_landing_fee\":12}", FIT_UNKNOWN },
	/* the original compared pounds with euros, and always took a C172 */
	{ "FULL", "{\"max_landing_fee\":50,\"fee_currency\":\"GBP\"}", FIT_UNKNOWN },
	{ "FULL", "{\"max_landing_fee\":50,\"fee_currency\":\"eur\"}", FIT_YES },
	/* 0 needs no currency */
	{ "FULL", "{\"max_landing_fee\":0,\"fee_currency\":\"GBP\"}", FIT_NO },
	{ "FULL", "{\"max_landing_fee\":50,\"fee_aircraft\":\"SR22\"}", FIT_UNKNOWN },
	{ "POOR", "{\"max_landing_fee\":50,\"fee_aircraft\":\"SR22\"}", FIT_UNKNOWN },
	{ "POOR", "{\"fee_aircraft\":\"SR22\",\"fee_currency\":\"GBP\",\"max_landing_fee\":30}", FIT_YES },
	{ "POOR", "{\"fee_aircraft\":\"1633 kg\",\"fee_currency\":\"GBP\",\"max_landing_fee\":29}", FIT_NO },
	{ "POOR", "{\"fee_aircraft\":\"SR22\"}", FIT_YES },
};

TEST(filter, friendliness)
{
	const struct fact_source source = { toy_take, toy_put, find_friendly, &(struct toy){ .taken = 0 } };
	const struct fact_sources sources = { { [FACTS_FRIENDLINESS] = &source } };
	struct fact_view view;

	fact_view_take(&view, &sources);
	for (size_t i = 0; i < sizeof(friendly_rows) / sizeof(friendly_rows[0]); i++) {
		struct arena *a = arena_new();
		struct filter_set set;
		struct err e;
		unsigned lacks;

		TEST_OK(filter_set_init(&set, (struct filter_env){ .mem = a, .facts = &view },
		    parse(a, friendly_rows[i].filters), true, &e), e);
		cr_expect_eq(filter_set_test(&set, &(struct airport){ .ident = friendly_rows[i].ident }, NULL,
		    &lacks), friendly_rows[i].want, "%s %s", friendly_rows[i].ident,
		    friendly_rows[i].filters);
		arena_free(a);
	}
	fact_view_put(&view);
}

static const struct {
	const char *filters, *fault;      /* NULL: fine */
} checks[] = {
	{ "{}", NULL },
	{ "{\"has_avgas\":true,\"country\":\"FR\",\"min_runway_length_ft\":1200.5,\"hotel\":\"any\"}", NULL },
	{ "{\"min_runway_length_ft\":\"3000\"}", NULL },
	{ "{\"has_avgas\":null,\"country\":null,\"hotel\":null}", NULL },
	{ "{\"max_hours_notice\":24,\"has_aip_data\":true,\"exclude_large_airports\":false}", NULL },
	{ "{\"trip_distance\":{\"from\":\"EGTF\",\"min\":50,\"max\":null}}", NULL },
	{ "[]", "filters must be an object, not a list" },
	{ "\"x\"", "filters must be an object, not text" },
	{ "{\"has_avgas\":\"false\"}", "filters.has_avgas must be a boolean, not text" },
	{ "{\"has_fuel\":\"avgas\"}", "filters.has_fuel must be a boolean, not text" },
	{ "{\"has_avgas\":1}", "filters.has_avgas must be a boolean, not a number" },
	{ "{\"min_runway_length_ft\":\"long\"}", "filters.min_runway_length_ft must be a number, not text" },
	{ "{\"min_runway_length_ft\":true}", "filters.min_runway_length_ft must be a number, not a boolean" },
	{ "{\"country\":33}", "filters.country must be text, not a number" },
	{ "{\"hotel\":true}", "filters.hotel must be text, not a boolean" },
	{ "{\"hotel\":\"near\"}", "filters.hotel must be one of at_airport|vicinity|any" },
	{ "{\"hotel\":\"vicin\"}", "filters.hotel must be one of at_airport|vicinity|any" },
	{ "{\"hotel\":\"\"}", "filters.hotel must be one of at_airport|vicinity|any" },
	{ "{\"fee_aircraft\":\"SR22\",\"fee_currency\":\"GBP\"}", NULL },
	{ "{\"fee_aircraft\":\"Zeppelin\"}", "filters.fee_aircraft must be a type of aircraft such as "
	  "SR22, or its mass such as 1633 kg" },
	{ "{\"fee_currency\":\"chf\"}", NULL },
	{ "{\"fee_currency\":\"XXX\"}", "filters.fee_currency must be a currency's three letters, "
	  "such as GBP" },
	{ "{\"fee_currency\":\"euros\"}", "filters.fee_currency must be a currency's three letters, "
	  "such as GBP" },
	{ "{\"avgas\":true}", "filters has no member avgas" },
	{ "{\"avgas\":true,\"has_jet_a\":[]}",
	    "filters has no member avgas; filters.has_jet_a must be a boolean, not a list" },
	{ "{\"trip_distance\":100}", "filters.trip_distance must be an object, not a number" },
	{ "{\"trip_distance\":{\"min\":\"a\"}}",
	    "filters.trip_distance.min must be a number, not text; filters.trip_distance.from is required" },
	{ "{\"trip_distance\":{\"from\":\"EGTF\",\"to\":1}}", "filters.trip_distance has no member to" },
};

TEST(filter, check)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct err e = { OK, "" };
		enum errcode rc = filter_check(parse(a, checks[i].filters), &e);

		cr_expect_eq(rc, checks[i].fault == NULL ? OK : ERR_INPUT, "%s", checks[i].filters);
		if (checks[i].fault != NULL)
			cr_expect_str_eq(e.msg, checks[i].fault);
	}
	cr_expect_eq(filter_check(NULL, NULL), OK);
	arena_free(a);
}

TEST(filter, check_survives_anything)
{
	struct arena *a = arena_new();
	struct buf many;
	struct err e;

	buf_init(&many, 1 << 20);
	buf_puts(&many, "{\"has_avgas\":0");
	for (int i = 0; i < 2000; i++)
		buf_printf(&many, ",\"nothing_of_this_name_%d\":%d", i, i);
	buf_puts(&many, "}");
	cr_expect_eq(filter_check(parse(a, many.p), &e), ERR_INPUT);
	cr_expect_lt(strlen(e.msg), sizeof(e.msg));
	buf_release(&many);
	cr_expect_eq(filter_check(parse(a, "{\"country\":\"F\\u0000R\"}"), &e), ERR_INPUT);
	arena_free(a);
}

TEST(filter, wrong_type_is_an_error_at_work_too)
{
	struct arena *a = arena_new();
	struct filter_set set;
	struct err e;

	cr_expect_eq(filter_set_init(&set, (struct filter_env){ .mem = a }, parse(a, "{\"has_avgas\":\"false\"}"), true, &e),
	    ERR_INPUT);
	cr_expect_str_eq(e.msg, "filters.has_avgas must be a boolean, not text");
	arena_free(a);
}

TEST(filter, large_first_then_the_order_given)
{
	struct arena *a = arena_new();
	struct json_object *o = parse(a, "{\"has_jet_a\":true,\"country\":\"FR\"}");
	struct airport large = { .type = TYPE_LARGE, .country = "DE" };
	struct airport german = { .type = TYPE_SMALL, .country = "DE", .flags = AF_JETA | AF_JETA_KNOWN };
	struct filter_report r = { .n = 0 };
	struct airport unfuelled = { .type = TYPE_SMALL, .country = "DE" };
	struct filter_set set;
	struct err e;
	unsigned lacks;

	TEST_OK(filter_set_init(&set, (struct filter_env){ .mem = a }, o, false, &e), e);
	cr_assert_eq(set.n, 3);
	cr_expect_eq(filter_set_test(&set, &large, &r, &lacks), FIT_NO);
	cr_expect_eq(filter_set_test(&set, &german, &r, &lacks), FIT_NO);
	cr_expect_eq(filter_set_test(&set, &(struct airport){ .country = "FR" }, &r, &lacks), FIT_UNKNOWN);
	cr_expect_eq(lacks, 1U << 1);
	cr_assert_eq(r.n, 3);
	cr_expect_str_eq(r.row[0].name, "exclude_large_airports");
	cr_expect_str_eq(r.row[1].name, "has_jet_a");
	cr_expect_str_eq(r.row[2].name, "country");
	for (size_t i = 0; i < 3; i++)
		cr_expect_eq(r.row[i].dropped, 1);
	cr_expect_eq(r.row[1].unknown, 1);
	/* what is known decides, wherever it stands; else the first filter counts, and all are named */
	cr_expect_eq(filter_set_test(&set, &unfuelled, &r, &lacks), FIT_NO);
	cr_expect_eq(r.row[1].unknown, 1);
	cr_expect_eq(r.row[2].dropped, 2);
	cr_expect_eq(filter_set_test(&set, &(struct airport){ .type = TYPE_SMALL }, &r, &lacks), FIT_UNKNOWN);
	cr_expect_eq(lacks, 1U << 1 | 1U << 2);
	cr_expect_eq(r.row[1].unknown, 2);
	cr_expect_eq(r.row[2].unknown, 0);
	/* of one that may fit, all that is not recorded is named; of one that fits, nothing */
	o = parse(a, "{\"max_landing_fee\":20,\"has_jet_a\":true}");
	TEST_OK(filter_set_init(&set, (struct filter_env){ .mem = a }, o, true, &e), e);
	cr_expect_eq(filter_set_test(&set, &unfuelled, NULL, &lacks), FIT_UNKNOWN);
	cr_expect_eq(lacks, 1U << 0 | 1U << 1);
	cr_expect_eq(filter_set_test(&set, &german, NULL, &lacks), FIT_UNKNOWN);
	cr_expect_eq(lacks, 1U << 0);
	o = parse(a, "{\"has_jet_a\":true,\"country\":\"FR\"}");
	TEST_OK(filter_set_init(&set, (struct filter_env){ .mem = a }, o, true, &e), e);
	cr_expect_eq(set.n, 2);
	arena_free(a);
}

TEST(filter, trip_distance)
{
	struct airfix f;
	struct filter_set set;
	struct err e;
	unsigned lacks;
	/* LFLY to LSZH is 183 NM. */
	struct airport lszh = { .lat = 47.4581, .lon = 8.5481 };
	static const struct {
		const char *filters;
		int pass;
	} rows[] = {
		{ "{\"trip_distance\":{\"from\":\"LFLY\",\"max\":200}}", 1 },
		{ "{\"trip_distance\":{\"from\":\"lfly\",\"max\":150}}", 0 },
		{ "{\"trip_distance\":{\"from\":\"LFLY\",\"min\":150}}", 1 },
		{ "{\"trip_distance\":{\"from\":\"LFLY\",\"min\":200}}", 0 },
		{ "{\"trip_distance\":{\"from\":\"LFLY\",\"min\":150,\"max\":200}}", 1 },
		{ "{\"trip_distance\":{\"from\":\"QQQQ\",\"max\":1}}", 1 },
	};

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST_OK(filter_set_init(&set, (struct filter_env){ .con = f.con, .mem = f.mem },
		    parse(f.mem, rows[i].filters), true, &e), e);
		cr_expect_eq(filter_set_test(&set, &lszh, NULL, &lacks) == FIT_YES, rows[i].pass, "%s",
		    rows[i].filters);
	}
	airfix_close(&f);
}

TEST(filter, schema)
{
	struct arena *a = arena_new();
	struct json_object *s = filter_schema(a), *props = jsn_get(s, "properties");

	cr_expect_str_eq(jsn_get_str(s, "type", ""), "object");
	cr_expect_not(jsn_get_bool(s, "additionalProperties", true));
	cr_expect_eq(jsn_len(props), 13);
	JSN_EACH(props, it) {
		const struct filter *row = filter_find(it.key);
		cr_assert_not_null(row);
		cr_expect(row->offered, "%s", it.key);
		cr_expect_eq(strlen(jsn_get_str(it.val, "description", "")) > 10, row->doc != NULL);
	}
	cr_expect_str_eq(jsn_text(a, jsn_get(jsn_get(props, "hotel"), "enum"), JSN_PLAIN),
	    "[\"at_airport\",\"vicinity\"]");
	cr_expect_str_eq(jsn_get_str(jsn_get(props, "min_runway_length_ft"), "type", ""), "number");
	cr_expect_null(jsn_get(props, "trip_distance"));
	arena_free(a);
}

TEST(filter, profile)
{
	static const struct {
		const char *text, *code;
	} countries[] = {
		{ "Germany", "DE" }, { "UK", "GB" }, { "gb", "GB" }, { "FR", "FR" }, { "Utopia", "Utopia" },
	};
	struct arena *a = arena_new();
	struct json_object *o = jsn_object(a);

	filter_profile(a, o, parse(a, "{\"has_avgas\":true,\"has_jet_a\":false,\"hotel\":\"any\","
	    "\"min_runway_length_ft\":3000,\"max_runway_length_ft\":0,\"country\":\"FR\","
	    "\"trip_distance\":{\"from\":\"EGTF\"},\"point_of_entry\":null,\"x\":1}"));
	cr_expect_str_eq(jsn_text(a, o, JSN_PLAIN),
	    "{\"country\":\"FR\",\"min_runway_length_ft\":3000,\"hotel\":\"any\",\"has_avgas\":true}");
	for (size_t i = 0; i < sizeof(countries) / sizeof(countries[0]); i++) {
		struct json_object *one = jsn_object(a), *values = jsn_object(a);

		jsn_add_str(values, "country", countries[i].text);
		filter_profile(a, one, values);
		cr_expect_str_eq(jsn_get_str(one, "country", ""), countries[i].code, "%s", countries[i].text);
	}
	arena_free(a);
}
