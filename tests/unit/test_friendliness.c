/* Friendliness: what the database says, what is wrong with databases, fees, summaries. */
#include "airports/friendliness.h"

#include <math.h>

#include "airports/aircraft.h"
#include "base/buf.h"
#include "base/str.h"
#include "drivers/db.h"
#include "tests/unit/test.h"

struct fix {
	char *dir;
	struct arena *a;
	struct personas personas;
	struct friendliness *f;
	struct fact_sources sources;
	struct fact_view view;
};

static void open_path(struct fix *x, const char *path)
{
	struct err e = { OK, "" };

	x->a = arena_new();
	TEST_OK(personas_load(&x->personas, x->a, TEST_SRCDIR "/conf/personas.json", &e), e);
	x->f = friendliness_new(path, &x->personas);
	x->sources = (struct fact_sources){ .of[FACTS_FRIENDLINESS] = friendliness_source(x->f) };
	fact_view_take(&x->view, &x->sources);
}

/* A database made by these statements; NULL: there is no file. */
static void open_sql(struct fix *x, const char *sql)
{
	char path[600];
	struct db *db;
	struct err e = { OK, "" };

	x->dir = test_mkdtemp();
	snprintf(path, sizeof(path), "%s/ga.db", x->dir);
	if (sql != NULL) {
		TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
		TEST_OK(db_exec(db, sql, &e), e);
		db_close(db);
	}
	open_path(x, path);
}

static void finish(struct fix *x)
{
	fact_view_put(&x->view);
	friendliness_free(x->f);
	arena_free(x->a);
	if (x->dir != NULL)
		test_rmdir(x->dir);
}

static const struct friendly *of(const struct fix *x, const char *icao)
{
	return fact_find(&x->view, FACTS_FRIENDLINESS, icao);
}

#define STATS "CREATE TABLE ga_airfield_stats(icao TEXT PRIMARY KEY, rating_avg REAL, rating_count INTEGER," \
	"last_review_utc TEXT, fee_band_0_749kg REAL, fee_band_750_1199kg REAL, fee_band_1200_1499kg REAL," \
	"fee_band_1500_1999kg REAL, fee_band_2000_3999kg REAL, fee_band_4000_plus_kg REAL," \
	"fee_currency TEXT, fee_last_updated_utc TEXT, aip_ifr_available, aip_night_available," \
	"aip_hotel_info, aip_restaurant_info, review_cost_score, review_hassle_score," \
	"review_review_score, review_ops_ifr_score, review_ops_vfr_score, review_access_score," \
	"review_fun_score, review_hospitality_score, aip_ops_ifr_score, aip_hospitality_score);"
#define SUMMARIES "CREATE TABLE ga_review_summary(icao TEXT PRIMARY KEY, summary_text TEXT, tags_json TEXT," \
	"last_updated_utc TEXT);"

/* ---- fees ------------------------------------------------------------- */

static const struct {
	double kg;
	const char *column;
} bands[] = {
	{ 500, "fee_band_0_749kg" }, { 749.9, "fee_band_0_749kg" }, { 750, "fee_band_750_1199kg" },
	{ 1157, "fee_band_750_1199kg" }, { 1200, "fee_band_1200_1499kg" },
	{ 1500, "fee_band_1500_1999kg" }, { 1633, "fee_band_1500_1999kg" },
	{ 2000, "fee_band_2000_3999kg" }, { 3999, "fee_band_2000_3999kg" },
	{ 4000, "fee_band_4000_plus_kg" }, { 60000, "fee_band_4000_plus_kg" },
};

static const struct {
	const char *text;
	double kg;                    /* NaN: it is not known */
} masses[] = {
	/* the union of the four tables of the original, which disagree */
	{ "c150", 726 }, { "C152", 757 }, { "pa28", 1111 }, { "C172", 1157 }, { "m20", 1315 },
	{ "c182", 1406 }, { "pa32", 1542 }, { "SR22", 1633 }, { "be76", 1769 }, { "da42", 1785 },
	{ "c210", 1814 }, { "a210", 1814 }, { "pa34", 2155 }, { "be58", 2449 }, { "pc6", 2800 },
	{ "tbm85", 3354 }, { "tbm850", 3354 }, { "tbm9", 3354 }, { "c510", 4536 }, { "pc12", 4740 },
	{ "c525", 5670 },
	{ "Cessna 172", 1157 }, { " cirrus sr22 ", 1633 }, { "PA-28", 1111 }, { "1633", 1633 },
	{ "1633 kg", 1633 }, { "750kg", 750 }, { "", NAN }, { "c", NAN }, { "-5", NAN }, { "1e99", NAN },
	{ "nan", NAN }, { "kg", NAN }, { "Zeppelin", NAN }, { "5 kg", NAN },
};

TEST(friendliness, fees_go_by_mass)
{
	for (size_t i = 0; i < sizeof(bands) / sizeof(bands[0]); i++)
		cr_expect_str_eq(fee_bands[fee_band_of(bands[i].kg)].column, bands[i].column, "%g",
		    bands[i].kg);
	for (size_t i = 0; i < sizeof(masses) / sizeof(masses[0]); i++) {
		double kg = NAN;
		bool known = aircraft_mass(masses[i].text, &kg);

		cr_expect_eq(known, !isnan(masses[i].kg), "%s", masses[i].text);
		if (known)
			cr_expect_eq(kg, masses[i].kg, "%s", masses[i].text);
	}
}

TEST(friendliness, an_aircraft_has_a_usual_speed)
{
	static const struct { const char *text; double kt; } rows[] = {
		{ "c172", 115 }, { "Cessna 172", 115 }, { "C152", 95 }, { "sr22", 170 }, { "1633 kg", NAN }, { "bicycle", NAN }, { "", NAN },
		{ NULL, NAN },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const double kt = aircraft_cruise_kt(rows[i].text);
		cr_expect(kt == rows[i].kt || (isnan(kt) && isnan(rows[i].kt)), "%s: %g", rows[i].text, kt);
	}
}

/* ---- the real data ---------------------------------------------------------- */

TEST(friendliness, the_real_database)
{
	const char *path = test_data("euro_aip/ga_persona.db");
	static const struct { const char *hotel, *restaurant; size_t n; } with[] = {
		{ "at_airport", NULL, 9 }, { "vicinity", NULL, 36 }, { "any", NULL, 36 },
		{ NULL, "at_airport", 38 }, { NULL, "any", 40 }, { "at_airport", "at_airport", 4 },
		{ NULL, NULL, 0 }, { "sauna", NULL, 0 }, { "any", "sauna", 0 },
	};
	struct fix x = { .dir = NULL };
	size_t n, count;

	if (path == NULL)
		test_skip("the real data is not here");
	open_path(&x, path);
	cr_expect_eq(friendliness_state(x.f, &n, NULL), FACT_READY);
	cr_expect_eq(n, 55);
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		friendly_with(x.a, &x.view, with[i].hotel, with[i].restaurant, &count);
		cr_expect_eq(count, with[i].n, "%s %s: %zu", with[i].hotel, with[i].restaurant, count);
	}
	cr_expect_str_eq(jsn_text(x.a, jsn_own(x.a, friendly_fee(of(&x, "LFAT"), 1157)), JSN_PLAIN),
	    "{\"fee\":12,\"currency\":\"EUR\",\"fee_band\":\"fee_band_750_1199kg\","
	    "\"fee_last_updated_utc\":\"2025-06-01T00:00:00Z\"}");
	cr_expect_null(friendly_fee(of(&x, "EGTF"), 5000));
	cr_expect_null(friendly_fee(of(&x, "EGLL"), 1157));
	cr_expect_null(friendly_fee(NULL, 1157));
	/* (.25*1 + .2*.722 + .2*.421 + .15*.346 + .1*.245 + .05*.591 + .05*.655) */
	cr_expect_float_eq(of(&x, "LFAT")->score[0], 0.61730, 1e-6);
	cr_expect_str_eq(jsn_text(x.a, friendly_summary(x.a, "lfat", of(&x, "LFAT"), &x.personas.list[2],
	    "Mon-Fri: 24h | Hours:\n\U0001F4DE\n"), JSN_PLAIN),
	    "{\"icao\":\"LFAT\",\"has_data\":true,\"score\":0.6015499999999999,\"features\":{\"review_cost_score\":"
	    "0.421,\"review_hassle_score\":0.722,\"review_review_score\":0.346,\"review_ops_ifr_score\":0.399,"
	    "\"review_ops_vfr_score\":0.51,\"review_access_score\":0.245,\"review_fun_score\":0.591,"
	    "\"review_hospitality_score\":0.655,\"aip_ops_ifr_score\":1,\"aip_hospitality_score\":0.84},"
	    "\"review_count\":16,\"last_review_utc\":\"2025-09-15T10:00:00Z\",\"tags\":[\"cheap\","
	    "\"excellent\",\"good\",\"simple\",\"very_positive\",\"walking\"],\"summary_text\":\"Sample "
	    "text: classic cross-border lunch stop, good food in town, low fees.\","
	    "\"notification_summary\":\"Mon-Fri: 24h\",\"hassle_level\":null,\"hotel_info\":"
	    "\"vicinity\",\"restaurant_info\":\"at_airport\"}");
	/* the original read the level of hassle from nowhere, and so showed none */
	cr_expect_str_eq(of(&x, "LFPT")->hassle, "high");
	finish(&x);
}

/* What a list shows of an airfield. */
static const char *put(struct fix *x, const char *icao)
{
	struct buf b;

	buf_init(&b, 10000);
	friendly_put(&b, NULL, of(x, icao), &x->personas);
	const char *text = arena_strndup(x->a, b.p, b.n);
	buf_release(&b);
	return text;
}

/* The original gave an airfield that nobody reviewed a score near 0.5, as if it were average. */
TEST(friendliness, an_airfield_without_reviews_does_not_look_average)
{
	struct fix x;
	struct json_object *o;
	struct err e;

	open_sql(&x, STATS "INSERT INTO ga_airfield_stats(icao, aip_ops_ifr_score) VALUES('AAAA', 1.0);"
	    "INSERT INTO ga_airfield_stats(icao, review_fun_score) VALUES('BBBB', 1.0);");
	cr_expect(isnan(of(&x, "AAAA")->score[0]));
	o = friendly_summary(x.a, "AAAA", of(&x, "AAAA"), &x.personas.list[0], NULL);
	cr_expect(jsn_get_bool(o, "has_data", false));
	cr_expect(jsn_has(o, "score") && jsn_get(o, "score") == NULL);
	cr_expect_not(isnan(of(&x, "BBBB")->score[0]));
	/* budget flyers do not weigh fun */
	cr_expect(isnan(of(&x, "BBBB")->score[1]));
	cr_expect_str_eq(put(&x, "NONE"), "null");
	TEST_OK(jsn_parse(x.a, put(&x, "BBBB"), strlen(put(&x, "BBBB")), JSN_DEPTH, &o, NULL, &e), e);
	cr_expect_eq(jsn_len(jsn_get(o, "persona_scores")), 4);
	cr_expect_null(jsn_get(jsn_get(o, "persona_scores"), "vfr_budget"));
	cr_expect_eq(jsn_get_num(jsn_get(o, "features"), "review_fun_score", 0), 1);
	cr_expect_eq(jsn_get_int(o, "review_count", -1), 0);
	cr_expect(jsn_has(o, "tags") && jsn_get(o, "tags") == NULL);
	finish(&x);
}

TEST(friendliness, no_row)
{
	struct fix x;

	open_sql(&x, STATS);
	/* the original withheld what is known about notice when there was no row */
	cr_expect_str_eq(jsn_text(x.a, friendly_summary(x.a, "lfxx", of(&x, "LFXX"), &x.personas.list[0],
	    "24 h notice"), JSN_PLAIN),
	    "{\"icao\":\"LFXX\",\"has_data\":false,\"score\":null,\"features\":null,\"review_count\":0,"
	    "\"last_review_utc\":null,\"tags\":null,\"summary_text\":null,\"notification_summary\":"
	    "\"24 h notice\",\"hassle_level\":null,\"hotel_info\":null,\"restaurant_info\":null}");
	cr_expect_null(friendly_brief(x.a, NULL, NULL, 1157));
	finish(&x);
}

/* ---- databases that are not as they should be ------------------------------------------ */

/* The original rejected the whole row for one value out of range. */
TEST(friendliness, a_value_out_of_range_is_not_recorded_and_the_others_are)
{
	struct fix x;
	const struct friendly *r;

	open_sql(&x, STATS "INSERT INTO ga_airfield_stats(icao, rating_avg, rating_count, aip_ifr_available,"
	    " aip_hotel_info, aip_restaurant_info, review_cost_score, review_hassle_score,"
	    " review_fun_score, review_access_score, fee_band_0_749kg, fee_band_750_1199kg)"
	    " VALUES(' lfaa ', 'NaN', -3, 9, 3, 1.5, 1.7, 0.25, 'NaN', -0.1, -5, 'free');"
	    "INSERT INTO ga_airfield_stats(icao, aip_hotel_info, aip_restaurant_info) VALUES('LFBB', -1, 0);"
	    "INSERT INTO ga_airfield_stats(icao) VALUES(NULL), (''), ('A code that is far too long');");
	r = of(&x, "LFAA");
	cr_assert_not_null(r);
	cr_expect(isnan(r->rating));
	cr_expect_eq(r->reviews, 0);
	cr_expect_eq(r->ifr, 0);
	cr_expect_eq(r->hotel, AMENITY_MISSING);
	cr_expect_eq(r->restaurant, AMENITY_MISSING);
	cr_expect(isnan(r->feature[FEATURE_COST]));
	cr_expect(isnan(r->feature[FEATURE_FUN]));
	cr_expect(isnan(r->feature[FEATURE_ACCESS]));
	cr_expect_eq(r->feature[FEATURE_HASSLE], 0.25);
	cr_expect(isnan(r->fee[0]) && isnan(r->fee[1]));
	r = of(&x, "LFBB");
	cr_expect_eq(r->hotel, AMENITY_UNKNOWN);
	cr_expect_eq(r->restaurant, AMENITY_NONE);
	finish(&x);
}

/* The original failed with an error of its database when a column was missing. */
TEST(friendliness, an_older_schema)
{
	struct fix x;
	const struct friendly *r;

	open_sql(&x, "CREATE TABLE ga_airfield_stats(icao TEXT, review_cost_score REAL);"
	    "INSERT INTO ga_airfield_stats VALUES('LFAA', 0.5);");
	r = of(&x, "LFAA");
	cr_assert_not_null(r);
	cr_expect_eq(r->feature[FEATURE_COST], 0.5);
	cr_expect(isnan(r->feature[FEATURE_FUN]));
	cr_expect_eq(r->hotel, AMENITY_MISSING);
	cr_expect_null(r->summary);
	finish(&x);
}

static const struct {
	const char *tags;
	size_t n;
} tags[] = {
	{ "'[\"cheap\",\"good\"]'", 2 }, { "'[]'", 0 }, { "NULL", 0 }, { "''", 0 }, { "'[NaN]'", 0 },
	{ "'[\"cheap\", NaN]'", 0 }, { "'{\"a\":1}'", 0 }, { "'[\"cheap\",'", 0 }, { "'[1,\"x\",null,[]]'", 1 },
	{ "7", 0 },
};

TEST(friendliness, broken_tags)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		char sql[3000];
		struct fix x;

		snprintf(sql, sizeof(sql), STATS SUMMARIES "INSERT INTO ga_airfield_stats(icao) VALUES('LFAA');"
		    "INSERT INTO ga_review_summary VALUES('LFZZ', 'no such airfield', '[]', NULL);"
		    "INSERT INTO ga_review_summary VALUES('LFAA', 'text', %s, NULL);", tags[i].tags);
		open_sql(&x, sql);
		cr_expect_eq(of(&x, "LFAA")->ntags, tags[i].n, "%s", tags[i].tags);
		cr_expect_str_eq(of(&x, "LFAA")->summary, "text");
		cr_expect_null(of(&x, "LFZZ"));
		finish(&x);
	}
}

TEST(friendliness, no_usable_file)
{
	struct fix x;
	struct err why = { OK, "" };
	size_t n = 7;

	open_sql(&x, NULL);
	cr_expect_eq(friendliness_state(x.f, &n, &why), FACT_FAILED);
	cr_expect_eq(n, 0);
	cr_expect_null(of(&x, "LFAT"));
	friendly_with(x.a, &x.view, "any", NULL, &n);
	cr_expect_eq(n, 0);
	finish(&x);
	open_sql(&x, "CREATE TABLE other(x)");
	cr_expect_eq(friendliness_state(x.f, NULL, &why), FACT_FAILED);
	cr_expect(strstr(why.msg, "ga.db: there is no table ga_airfield_stats") != NULL, "%s", why.msg);
	finish(&x);
	x.dir = NULL;
	open_path(&x, NULL);
	cr_expect_eq(friendliness_state(x.f, NULL, &why), FACT_UNSET);
	finish(&x);
}

static const struct {
	const char *summary, *cleaned;
} notices[] = {
	{ NULL, NULL }, { "", NULL }, { "  \n \n", NULL }, { "Hours:", NULL }, { "| Hours:", NULL },
	{ "\U0001F4DE\n\U0001F4E7", NULL }, { "24 h", "24 h" }, { " 24 h \n\n x ", "24 h\nx" },
	{ "Mon-Fri: 24h | Hours:", "Mon-Fri: 24h" }, { "Mon-Fri: 24h |", "Mon-Fri: 24h" },
	{ "Schengen only | Hours: 0800-1800", "Schengen only | Hours: 0800-1800" },
	{ "Sat: 24h\n| Hours:\n\U0001F4DE +33 1\n\U0001F4E7", "Sat: 24h\n\U0001F4DE +33 1" },
};

TEST(friendliness, notice_is_cleaned)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		cr_expect(streq(notice_cleaned(a, notices[i].summary), notices[i].cleaned) ||
		    notice_cleaned(a, notices[i].summary) == notices[i].cleaned, "%zu", i);
	arena_free(a);
}
