/*
 * Notice periods: days, what a notice means for a flight, the database in all states it may be in, and
 * the tool.
 */
#include "airports/notice.h"

#include <math.h>
#include <unistd.h>

#include "agents/aviation/enrich_notice.h"
#include "airports/import.h"
#include "airports/notice_table.h"
#include "base/replace_file.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"
#include "tools/notice_result.h"
#include "tools/tool.h"

#define TABLE "CREATE TABLE ga_notification_requirements(id INTEGER PRIMARY KEY, icao TEXT NOT NULL," \
	" rule_type TEXT, notification_type TEXT, hours_notice INTEGER, operating_hours_start TEXT," \
	" operating_hours_end TEXT, weekday_rules TEXT, schengen_rules TEXT, contact_info TEXT, summary TEXT," \
	" raw_text TEXT, confidence REAL, llm_response TEXT, created_utc TEXT);"
#define ROW "INSERT INTO ga_notification_requirements(icao, rule_type, notification_type, hours_notice," \
	" weekday_rules, contact_info, summary, confidence) VALUES"

struct fix {
	char *dir;
	struct arena *mem;
	struct notices *notices;
	struct fact_sources sources;
	struct fact_view view;
	struct err e;
};

static const char *path_in(struct fix *f, const char *name)
{
	return arena_printf(f->mem, "%s/%s", f->dir, name);
}

static void make(struct fix *f, const char *name, const char *sql)
{
	struct db *db;

	TEST_OK(db_open(&db, path_in(f, name), DB_CREATE, &f->e), f->e);
	TEST_OK(db_exec(db, sql, &f->e), f->e);
	db_close(db);
}

/* database and airports: SQL of a file, or NULL for none. */
static void start(struct fix *f, const char *database, const char *airports)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .mem = arena_new() };
	if (database != NULL)
		make(f, "notices.db", database);
	if (airports != NULL)
		make(f, "airports.db", airports);
	f->notices = notices_new(path_in(f, "notices.db"), airports != NULL ? path_in(f, "airports.db") : NULL);
	f->sources.of[FACTS_NOTICE] = notices_source(f->notices);
	fact_view_take(&f->view, &f->sources);
}

static void finish(struct fix *f)
{
	fact_view_put(&f->view);
	notices_free(f->notices);
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static const char *detail(struct fix *f, const char *icao)
{
	const struct notice *n = notice_find(&f->view, icao);

	return n == NULL ? "none" : jsn_text(f->mem, jsn_own(f->mem, notice_detail_json(n)), JSN_PLAIN);
}

/* ---- days ------------------------------------------------------------------------ */

TEST(notice, days_are_understood_in_every_form)
{
	static const struct {
		const char *text, *days;
	} rows[] = {
		{ "Sunday", "Sun" }, { "sun", "Sun" }, { "SUN", "Sun" }, { "Sundays", "Sun" },
		{ "on a Sunday morning", "Sun" }, { "Thurs", "Thu" }, { "tues", "Tue" },
		{ "Mon-Fri", "Mon-Fri" }, { "Mon\xE2\x80\x93Thu", "Mon-Thu" }, { "Mon - Thu", "Mon-Thu" },
		{ "Monday to Friday", "Mon-Fri" }, { "Fri-Sun", "Fri-Sun" }, { "Sat-Mon", "Sat-Mon" },
		{ "Mon, Wed", "Mon, Wed" }, { "Mon,Tue,Wed", "Mon-Wed" }, { "SAT, SUN and HOL", "Sat-Sun/HOL" },
		{ "Sat-Sun/HOL", "Sat-Sun/HOL" }, { "Sun/PH", "Sun/HOL" }, { "MON-HOL", "Mon/HOL" },
		{ "weekday", "Mon-Fri" }, { "Weekdays", "Mon-Fri" }, { "week-days", "Mon-Fri" },
		{ "weekend", "Sat-Sun" }, { "week-ends", "Sat-Sun" }, { "public holidays", "HOL" },
		{ "daily", "Mon-Sun" }, { "every day", "Mon-Sun" }, { "SAM, DIM et JF", "Sat-Sun/HOL" },
		{ "MAR - VEN", "Tue-Fri" }, { "Montag", "Mon" }, { "31 MAR", "" }, { "Mo-Fr", "Mon-Fri" }, { "Sa, So", "Sat-Sun" },
		{ "do Saturday flights need notice", "Sat" }, { "so Sunday then", "Sun" }, { "Blursday", "" },
		{ "", "" }, { "24", "" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_str_eq(notice_days_text(a, notice_days_of(rows[i].text)), rows[i].days, "%s: %s",
		    rows[i].text, notice_days_text(a, notice_days_of(rows[i].text)));
	arena_free(a);
}

TEST(notice, a_day_that_somebody_asks_for_may_be_a_date)
{
	static const struct {
		const char *text, *days;
	} rows[] = {
		{ "2026-11-29", "Sun" }, { "2024-02-29", "Thu" }, { "1970-01-01", "Thu" },
		{ "2026-02-30", "" }, { "2026-13-01", "" }, { "Blursday", "" }, { "32 January", "" },
		{ "on Saturday", "Sat" }, { "weekend", "Sat-Sun" }, { "bank holiday", "HOL" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_str_eq(notice_days_text(a, notice_asked_days(rows[i].text)), rows[i].days, "%s",
		    rows[i].text);
	unsigned today = notice_asked_days("today").mask, tomorrow = notice_asked_days("tomorrow").mask;
	cr_expect_neq(today, 0);
	cr_expect(tomorrow == today << 1 || (today == 64 && tomorrow == 1) || tomorrow == today << 2);
	arena_free(a);
}

/* ---- what a notice means ------------------------------------------------------------ */

TEST(notice, golden_values_of_one_airport)
{
	struct fix f;

	start(&f, TABLE ROW
	    " ('AAAA','customs','hours',24,'{\"Mon-Fri\":\"24h notice\",\"Sat-Sun\":\"48h notice\"}',NULL,'',1),"
	    " ('BBBB','customs','business_day',NULL,'{\"weekday\":24,\"Weekend\":\"72 h\"}',NULL,'',1),"
	    " ('CCCC','customs','h24',NULL,NULL,NULL,'H24',1), ('DDDD','customs','on_request',NULL,NULL,NULL,'',1),"
	    " ('EEEE','customs','hours',24,'{\"Mon-Thu\":\"12h\"}',NULL,'',1),"
	    " ('FFFF','customs','hours',96,'{\"daily\":\"24h\",\"Sun\":\"48h\"}',NULL,'',1);", NULL);
	const struct notice *a = notice_find(&f.view, "AAAA"), *b = notice_find(&f.view, "BBBB");
	const struct notice *h24 = notice_find(&f.view, "CCCC"), *request = notice_find(&f.view, "DDDD");
	const struct notice *range = notice_find(&f.view, "EEEE"), *closer = notice_find(&f.view, "FFFF");

	cr_expect_str_eq(notice_rule_for_day(a, 2)->text, "24h notice");
	cr_expect_str_eq(notice_rule_for_day(a, 6)->text, "48h notice");
	cr_expect_eq(notice_max(a), 48);
	cr_expect_eq(notice_easiness(a), 40);
	cr_expect_not(notice_matches(a, 0, NULL, NAN));
	cr_expect_not(notice_matches(a, 24, NULL, NAN));
	cr_expect(notice_matches(a, 48, NULL, NAN));
	cr_expect(notice_matches(a, 48, "HOURS", 40));
	cr_expect_not(notice_matches(a, 48, "h24", NAN));
	cr_expect_not(notice_matches(a, 48, NULL, 41));
	cr_expect_eq(notice_for_day(a, 0), 24);
	cr_expect_eq(notice_for_day(a, 5), 48);
	cr_expect_eq(notice_for_day(b, 0), 24);
	cr_expect_eq(notice_for_day(b, 5), 72);
	cr_expect_eq(notice_max(b), 72);
	cr_expect_eq(notice_easiness(b), 55);
	cr_expect_str_eq(notice_rule_for_day(b, 0)->text, "24h notice", "a number becomes text");
	cr_expect_eq(notice_for_day(h24, 3), 0);
	cr_expect_eq(notice_max(h24), 0);
	cr_expect(isnan(notice_for_day(request, 3)));
	cr_expect(notice_matches(request, 0, NULL, NAN));
	/* the original's Mon-Thu covered no Wednesday */
	cr_expect_eq(notice_for_day(range, 2), 12);
	cr_expect_eq(notice_for_day(range, 4), 24);
	/* the rule for fewer days says more */
	cr_expect_eq(notice_for_day(closer, 6), 48);
	cr_expect_eq(notice_for_day(closer, 5), 24);
	finish(&f);
}

TEST(notice, scores_and_limits_for_each_type)
{
	static const struct {
		const char *type, *hours;
		double score;
		enum filter_fit fit;          /* with 24 hours */
	} rows[] = {
		{ "'h24'", "NULL", 100, FIT_YES }, { "'not_available'", "NULL", 0, FIT_NO },
		{ "'on_request'", "NULL", 70, FIT_YES }, { "'business_day'", "NULL", 55, FIT_UNKNOWN },
		{ "'business_day'", "72", 55, FIT_NO }, { "'hours'", "NULL", 85, FIT_YES },
		{ "'as_ad_hours'", "NULL", 50, FIT_YES }, { "'as_ad_hours'", "48", 40, FIT_NO },
		{ "NULL", "NULL", 50, FIT_UNKNOWN }, { "'something'", "NULL", 50, FIT_UNKNOWN },
		{ "'something'", "48", 40, FIT_NO },
		{ "'hours'", "0", 100, FIT_YES }, { "'hours'", "2", 90, FIT_YES }, { "'hours'", "12", 80, FIT_YES },
		{ "'hours'", "24", 60, FIT_YES }, { "'hours'", "48", 40, FIT_NO }, { "'hours'", "72", 20, FIT_NO },
		{ "'hours'", "73", 10, FIT_NO }, { "'hours'", "-5", 85, FIT_YES },
	};
	struct arena *a = arena_new();
	const char *sql = TABLE;
	struct fix f;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		sql = arena_printf(a, "%s" ROW "('X%03zu','customs',%s,%s,NULL,NULL,'',1);", sql, i, rows[i].type,
		    rows[i].hours);
	start(&f, sql, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct notice *n = notice_find(&f.view, arena_printf(a, "X%03zu", i));

		cr_assert_not_null(n);
		cr_expect_eq(notice_easiness(n), rows[i].score, "%s %s", rows[i].type, rows[i].hours);
		cr_expect_eq(notice_fit(n, 24), rows[i].fit, "%s %s", rows[i].type, rows[i].hours);
	}
	cr_expect_eq(notice_fit(NULL, 24), FIT_UNKNOWN, "an airport without data is not known to fit");
	finish(&f);
	arena_free(a);
}

/* ---- the database -------------------------------------------------------------------- */

TEST(notice, of_several_rows_one_is_picked_by_precedence)
{
	struct fix f;

	start(&f, TABLE ROW
	    " ('AAAA','immigration','hours',3,NULL,NULL,'i',1), ('AAAA','customs','on_request',NULL,NULL,NULL,'c',0.9),"
	    " ('BBBB',NULL,'hours',1,NULL,NULL,'n',1), ('BBBB','immigration','hours',2,NULL,NULL,'i',1),"
	    " ('CCCC','customs','hours',1,NULL,NULL,'old',1), ('CCCC','customs','hours',2,NULL,NULL,'new',1),"
	    " ('DDDD','customs','hours',1,NULL,NULL,'bad',0), ('DDDD','immigration','hours',2,NULL,NULL,'good',1),"
	    " ('EEEE',NULL,NULL,NULL,NULL,NULL,'Extraction failed: timeout',0);", NULL);
	const struct notice *n = notice_find(&f.view, "AAAA");
	struct notices_status status;

	cr_expect_str_eq(n->summary, "c");
	cr_expect_str_eq(n->next->summary, "i");
	cr_expect_null(n->next->next);
	cr_expect_str_eq(notice_find(&f.view, "BBBB")->summary, "i");
	cr_expect_str_eq(notice_find(&f.view, "CCCC")->summary, "new");
	cr_expect_str_eq(notice_find(&f.view, "DDDD")->summary, "good");
	/* the original served a failed extraction as found, with the error as its summary */
	cr_expect_null(notice_find(&f.view, "EEEE"));
	notices_status(f.notices, &status);
	cr_expect_eq(status.state, FACT_READY);
	cr_expect_eq(status.rows, 9);
	cr_expect_eq(status.airports, 4);
	cr_expect_eq(status.failed, 1);
	finish(&f);
}

/* Each of these stopped the original's search or its answer. */
TEST(notice, values_that_cannot_be_read_count_as_absent)
{
	struct fix f;
	struct notices_status status;

	start(&f, TABLE ROW
	    " ('AAAA','customs','hours',24,'{\"Mon-Fri\":\"24h',NULL,'',1),"
	    " ('BBBB','customs','hours',24,'{\"Mon-Fri\":NaN}','[1,2]','',1),"
	    " ('CCCC','customs','hours',24,'[\"Mon\"]','null','',1),"
	    " ('DDDD','customs','hours',24,'{\"Mon\":[1],\"Tue\":{\"a\":1},\"Wed\":6,\"Thu\":\"\",\"\":\"1h\"}',"
	    "  '{\"phone\":5,\"email\":\"a@b.c\"}','',1),"
	    " ('EEEE','customs','hours','NaN',NULL,NULL,'',NULL), ('not an ident!','customs','h24',1,NULL,NULL,'',1),"
	    " ('ffff','customs','hours',1e300,NULL,NULL,NULL,1);", NULL);
	cr_expect_eq(notice_find(&f.view, "AAAA")->nrules, 0);
	cr_expect_eq(notice_for_day(notice_find(&f.view, "AAAA"), 0), 24);
	cr_expect_eq(notice_find(&f.view, "BBBB")->nrules, 0);
	cr_expect_not(notice_find(&f.view, "BBBB")->contact);
	cr_expect_eq(notice_find(&f.view, "CCCC")->nrules, 0);
	cr_expect_eq(notice_for_day(notice_find(&f.view, "DDDD"), 2), 6);
	cr_expect_eq(notice_for_day(notice_find(&f.view, "DDDD"), 0), 24);
	cr_expect_str_eq(notice_find(&f.view, "DDDD")->email, "a@b.c");
	cr_expect_null(notice_find(&f.view, "DDDD")->phone);
	cr_expect(isnan(notice_find(&f.view, "EEEE")->hours));
	cr_expect_str_eq(detail(&f, "FFFF"), "{\"icao\":\"FFFF\",\"notification_type\":\"hours\",\"hours_notice\":null,"
	    "\"weekday_rules\":{},\"summary\":\"\",\"confidence\":1,\"rule_type\":\"customs\",\"easiness_score\":85,"
	    "\"max_notice_hours\":null,\"is_h24\":false,\"is_on_request\":false}");
	notices_status(f.notices, &status);
	cr_expect_eq(status.broken, 4);
	finish(&f);
}

TEST(notice, a_database_that_is_missing_or_something_else_gives_no_notices)
{
	static const char *const files[] = { NULL, "CREATE TABLE other(x);",
		"CREATE TABLE ga_notification_requirements(x);" };
	struct fix f;
	struct notices_status status;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		start(&f, files[i], NULL);
		cr_expect_null(notice_find(&f.view, "LFMD"));
		notices_status(f.notices, &status);
		cr_expect_eq(status.state, FACT_FAILED);
		cr_expect_neq(status.why.msg[0], '\0');
		finish(&f);
	}
}

TEST(notice, an_older_schema_needs_only_the_ident)
{
	struct fix f;

	start(&f, "CREATE TABLE ga_notification_requirements(icao TEXT, hours_notice INTEGER);"
	    "INSERT INTO ga_notification_requirements VALUES('LFMD', 6);", NULL);
	cr_expect_eq(notice_max(notice_find(&f.view, "LFMD")), 6);
	cr_expect_null(notice_find(&f.view, "LFMD")->type);
	finish(&f);
}

TEST(notice, a_replaced_database_is_read_anew_and_a_broken_one_leaves_the_old_in_use, .timeout = 30)
{
	struct fix f;
	struct fact_view view;
	struct notices_status status;

	start(&f, TABLE ROW "('LFMD','customs','hours',6,NULL,NULL,'',1);", NULL);
	cr_expect_eq(notice_max(notice_find(&f.view, "LFMD")), 6);
	make(&f, "new.db", TABLE ROW "('LFMD','customs','hours',12,NULL,NULL,'',1);");
	cr_assert_eq(rename(path_in(&f, "new.db"), path_in(&f, "notices.db")), 0);
	clock_sleep_ms(2100);
	fact_view_take(&view, &f.sources);
	cr_expect_eq(notice_max(notice_find(&view, "LFMD")), 12);
	cr_expect_eq(notice_max(notice_find(&f.view, "LFMD")), 6, "what was taken stays as it was");
	fact_view_put(&view);
	cr_assert_eq(rename(path_in(&f, "notices.db"), path_in(&f, "away.db")), 0);
	clock_sleep_ms(2100);
	fact_view_take(&view, &f.sources);
	cr_expect_eq(notice_max(notice_find(&view, "LFMD")), 12);
	fact_view_put(&view);
	notices_status(f.notices, &status);
	cr_expect_eq(status.state, FACT_STALE);
	finish(&f);
}

/* ---- texts of the AIP ------------------------------------------------------------------ */

#define AIP "CREATE TABLE aip_entries(id INTEGER PRIMARY KEY, airport_icao TEXT, section TEXT, field TEXT," \
	" value TEXT, std_field TEXT, std_field_id INTEGER);" \
	"INSERT INTO aip_entries(airport_icao, field, value, std_field_id) VALUES"

TEST(notice, an_airport_without_a_row_gets_what_its_text_says)
{
	struct fix f;
	struct notices_status status;

	start(&f, TABLE ROW "('AAAA','customs','hours',6,NULL,NULL,'',1),"
	    " ('EEEE',NULL,NULL,NULL,NULL,NULL,'Extraction failed',0);",
	    AIP "('AAAA','Customs','PPR 48 HR',302), ('BBBB','Customs','MON-FRI: PPR PN 12 HR, SAT-SUN and HOL:"
	    " PPR PN 24 HR',302), ('CCCC','Fuel','PPR 24 HR',402), ('DDDD','Customs','nan',302),"
	    " ('EEEE','Customs','NIL',302), ('FFFF','Customs','Rubber stamps',302), ('GGGG','Customs','H24',302);");
	cr_expect_eq(notice_max(notice_find(&f.view, "AAAA")), 6, "the row wins");
	cr_expect_str_eq(detail(&f, "BBBB"), "{\"icao\":\"BBBB\",\"notification_type\":\"hours\",\"hours_notice\":24,"
	    "\"weekday_rules\":{\"Mon-Fri\":\"12h notice\",\"Sat-Sun/HOL\":\"24h notice\"},"
	    "\"summary\":\"weekdays: PPR 12h; SAT-SUN/HOL: PPR 24h\",\"confidence\":0.8,\"rule_type\":\"ppr\","
	    "\"easiness_score\":60,\"max_notice_hours\":24,\"is_h24\":false,\"is_on_request\":false}");
	cr_expect_null(notice_find(&f.view, "CCCC"));
	cr_expect_null(notice_find(&f.view, "DDDD"));
	cr_expect_eq(notice_find(&f.view, "EEEE")->kind, NOTICE_NOT_AVAILABLE);
	cr_expect_eq(notice_find(&f.view, "FFFF")->kind, NOTICE_UNKNOWN);
	cr_expect_str_eq(notice_find(&f.view, "FFFF")->raw, "Rubber stamps");
	cr_expect_eq(notice_easiness(notice_find(&f.view, "GGGG")), 100);
	notices_status(f.notices, &status);
	cr_expect_eq(status.texts, 5);
	finish(&f);
}

/* As one text: "08:00-18:00 no notice; else 24h notice" */
static const char *times_text(struct arena *a, const char *raw, struct notice_days days, double hours)
{
	const struct notice n = { .raw = raw, .hours = hours, .origin = isnan(hours) ? NOTICE_FROM_AIP
	    : NOTICE_FROM_DATABASE };
	const struct notice_time *t;
	const size_t count = notice_times(a, &n, days, &t);
	const char *text = "";

	for (size_t i = 0; i < count; i++)
		text = t[i].from < 0 ? arena_printf(a, "%s; else %s", text, t[i].text)
		    : arena_printf(a, "%s%s%04d-%04d %s", text, i > 0 ? "; " : "", t[i].from, t[i].to, t[i].text);
	return text;
}

TEST(notice, what_differs_by_time_of_day_is_listed)
{
	static const struct {
		const char *text;
		unsigned days;
		double hours;         /* of a database row; NaN: read from the AIP */
		const char *times;
	} rows[] = {
		{ "0800-1800. Outside these hours PN 24 HR", 0, NAN, "0800-1800 no notice; else 24h notice" },
		{ "0800-1800. Outside these hours PN 24 HR", 1 << 6, NAN, "0800-1800 no notice; else 24h notice" },
		{ "0600-2000. Outside these hours O/R", 0, NAN, "0600-2000 no notice; else on request" },
		{ "MON-FRI 0800-1200 PN 2 HR, 1200-1800 PN 12 HR. SAT-SUN PN 24 HR", 1, NAN,
		  "0800-1200 2h notice; 1200-1800 12h notice" },
		/* without a day the days would have to be told apart too */
		{ "MON-FRI 0800-1200 PN 2 HR, 1200-1800 PN 12 HR. SAT-SUN PN 24 HR", 0, NAN, "" },
		{ "MON-FRI 0800-1200 PN 2 HR, 1200-1800 PN 12 HR. SAT-SUN PN 24 HR", 1 << 5, NAN, "" },
		{ "MON-FRI 0800-1800 without notice, other times PN 24 HR. SAT PN 48 HR", 1, NAN,
		  "0800-1800 no notice; else 24h notice" },
		{ "MON-FRI 0800-1800 without notice, other times PN 24 HR. SAT PN 48 HR", 1 << 5, NAN, "" },
		/* the same at all times, or one time only */
		{ "PPR 24 HR", 0, NAN, "" },
		{ "0700-1800, PN 6 HR", 0, NAN, "" },
		{ "non-Schengen flights 0800-1800 without notice, other times PN 24 HR", 0, NAN, "" },
		{ "", 0, NAN, "" },
		/* a row of the database that knows of fewer hours */
		{ "0800-1800. Outside these hours PN 24 HR", 0, 24, "0800-1800 no notice; else 24h notice" },
		{ "0800-1800. Outside these hours PN 24 HR", 0, 12, "" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(times_text(a, rows[i].text, (struct notice_days){ .mask = rows[i].days },
		    rows[i].hours), rows[i].times, "%s", rows[i].text);
	/* both rules of a day are in its text */
	const struct notice *n = notice_of_text(a, "LFXX",
	    "MON-FRI 0800-1200 PN 2 HR, 1200-1800 PN 12 HR. SAT-SUN PN 24 HR");
	cr_assert_eq(n->nrules, 2);
	cr_expect_str_eq(n->rule[0].text, "2h notice (08:00-12:00); 12h notice (12:00-18:00)");
	cr_expect_eq(n->rule[0].hours, 12);
	cr_expect_str_eq(n->rule[1].text, "24h notice");
	arena_free(a);
}

TEST(notice, a_time_of_day_picks_the_rule_that_holds_then)
{
	static const struct {
		const char *text;
		unsigned days;                /* 0: no day is asked for */
		int clock;
		double hours;
		const char *rule;
	} rows[] = {
		{ "0800-1800. Outside these hours PN 24 HR", 1 << 6, 1400, 0, "no notice (08:00-18:00)" },
		{ "0800-1800. Outside these hours PN 24 HR", 1 << 6, 2000, 24, "PPR 24h" },
		{ "0800-1800. Outside these hours PN 24 HR", 0, 759, 24, "PPR 24h" },
		{ "0800-1800", 0, 1800, 0, "no notice (08:00-18:00)" },
		{ "0800-1800", 0, 1801, NAN, "outside its times (no notice (08:00-18:00))" },
		{ "MON-FRI 0800-1800, SAT-SUN PPR 24 HR", 1, 900, 0, "weekdays: no notice (08:00-18:00)" },
		{ "MON-FRI 0800-1800, SAT-SUN PPR 24 HR", 1, 1900, NAN, "outside its times (weekdays: no notice (08:00-18:00))" },
		{ "MON-FRI 0800-1800, SAT-SUN PPR 24 HR", 1 << 5, 900, 24, "weekends: PPR 24h" },
		/* no day: the rules differ between days */
		{ "MON-FRI 0800-1800, SAT-SUN PPR 24 HR", 0, 900, NAN, NULL },
		/* Friday and Saturday together: no rule is for both */
		{ "MON-FRI 0800-1800, SAT-SUN PPR 24 HR", 3 << 4, 900, NAN, NULL },
		{ "H24", 0, 300, 0, "H24, no notice required" },
		{ "PPR 24 HR, PPR 48 HR", 0, 300, NAN, NULL },
		{ "Rubber stamps", 0, 300, NAN, NULL },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct notice n = { .raw = rows[i].text, .hours = NAN };
		const struct notice_at at = notice_at_time(a, &n, (struct notice_days){ .mask = rows[i].days },
		    rows[i].clock);
		cr_expect(at.hours == rows[i].hours || (isnan(at.hours) && isnan(rows[i].hours)), "%zu: %g", i, at.hours);
		cr_expect(at.rule == rows[i].rule || (at.rule != NULL && rows[i].rule != NULL &&
		    streq(at.rule, rows[i].rule)), "%zu: %s", i, at.rule);
	}
	/* a row of the database has hours of opening, and no text */
	const struct notice row = { .kind = NOTICE_HOURS, .hours = NAN, .opens = "0800", .closes = "1800" };
	cr_expect_str_eq(notice_at_time(a, &row, (struct notice_days){ 0 }, 1400).rule,
	    "within its hours 0800-1800; no notice period is given");
	cr_expect_str_eq(notice_at_time(a, &row, (struct notice_days){ 0 }, 2000).rule,
	    "outside its hours 0800-1800; no notice period is given");
	const struct notice hours = { .kind = NOTICE_HOURS, .hours = 24, .opens = "0800", .closes = "1800" };
	cr_expect_null(notice_at_time(a, &hours, (struct notice_days){ 0 }, 1400).rule);
	arena_free(a);
}

/* ---- the tool ----------------------------------------------------------------------------- */

static const char *ask(const struct tool_context *ctx, struct arena *a, const char *args,
    struct json_object **out)
{
	const struct tool *t = toolset_find(tools_builtin, "get_notification_for_airport");
	struct json_object *o = NULL;
	struct err e = { OK, "" };

	TEST_OK(jsn_parse(a, args, strlen(args), JSN_DEPTH, &o, NULL, &e), e);
	TEST_OK(tool_call(ctx, t, a, o, NULL, out, &e), e);
	return jsn_text(a, *out, JSN_PLAIN);
}

TEST(notice, the_tool_gives_all_members_of_the_contract)
{
	struct airfix air;
	struct fix f;
	struct json_object *o;

	airfix_open(&air, NULL, false);
	start(&f, TABLE "INSERT INTO ga_notification_requirements VALUES(1,'LFLY','customs','hours',24,'0700','1900',"
	    "'{\"Mon-Fri\":\"24h notice\",\"Sat-Sun\":\"48h notice\"}',NULL,'{\"phone\":\"1\",\"email\":null}',"
	    "'Mon-Fri: 24h notice','x',0.9,'','');" ROW "('QQQQ','customs','h24',NULL,NULL,NULL,'H24',1);", NULL);
	const struct tool_context ctx = { .airports = air.db, .sources = &f.sources };

	ask(&ctx, f.mem, "{\"icao\":\"lyn\",\"day_of_week\":\"Sunday\"}", &o);
	cr_expect_str_eq(jsn_text(f.mem, o, JSN_PLAIN), "{\"found\":true,\"icao\":\"LFLY\",\"rule_type\":\"customs\","
	    "\"notification_type\":\"hours\",\"hours_notice\":24,\"operating_hours\":\"0700-1900\","
	    "\"summary\":\"Mon-Fri: 24h notice\",\"confidence\":0.9,\"phone\":\"1\",\"email\":null,"
	    "\"day_specific_rule\":\"48h notice\","
	    "\"pretty\":\"**Notification requirements for LFLY**\\n\\n**For Sunday:** 48h notice\\n\\n"
	    "**Full requirements:**\\nMon-Fri: 24h notice\\n\\n**Type:** notice in hours\","
	    "\"weekday_rules\":{\"Mon-Fri\":\"24h notice\",\"Sat-Sun\":\"48h notice\"},\"easiness_score\":40,"
	    "\"max_notice_hours\":48,\"is_h24\":false,\"is_on_request\":false,\"source\":\"database\","
	    "\"day_of_week\":\"Sunday\",\"day_hours_notice\":48,\"days\":[\"Sunday\"],"
	    "\"airport\":{\"ident\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"municipality\":\"Lyon\",\"country\":\"FR\","
	    "\"iso_country\":\"FR\",\"latitude_deg\":45.7294,\"longitude_deg\":4.9389,"
	    "\"longest_runway_length_ft\":5971,\"point_of_entry\":true,\"has_aip_data\":true,\"has_procedures\":true,"
	    "\"has_hard_runway\":true},\"visualization\":{\"type\":\"marker_with_details\",\"marker\":"
	    "{\"ident\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"lat\":45.7294,\"lon\":4.9389,\"zoom\":10,"
	    "\"highlight\":true,\"style\":\"notification\"}}}");
	/* a row for an airport that the airport database does not have */
	ask(&ctx, f.mem, "{\"icao\":\"QQQQ\"}", &o);
	cr_expect(jsn_get_bool(o, "found", false));
	cr_expect_not(jsn_has(o, "visualization"));
	cr_expect_not(jsn_has(o, "phone"));
	ask(&ctx, f.mem, "{\"icao\":\"LFBP\"}", &o);
	cr_expect_not(jsn_get_bool(o, "found", true));
	cr_expect_not(jsn_has(o, "error"));
	ask(&ctx, f.mem, "{\"icao\":\"LFLY\",\"day_of_week\":\"Blursday\"}", &o);
	cr_expect_not_null(strstr(jsn_get_str(o, "pretty", ""), "\"Blursday\" is not a day that I know"));
	cr_expect_eq(jsn_len(jsn_get(o, "days")), 0);
	const struct tool_context none = { .airports = air.db };
	cr_expect_str_eq(jsn_get_str((ask(&none, f.mem, "{\"icao\":\"LFBP\"}", &o), o), "error", ""),
	    "there is no notice database");
	finish(&f);
	airfix_close(&air);
}

/* The original took 0 hours for an unknown number, and an airport at 0 degrees for one without a place. */
TEST(notice, zero_is_a_number)
{
	struct airfix air;
	struct fix f;
	struct json_object *o;

	airfix_start(&air, NULL, "UPDATE airports SET longitude_deg = 0 WHERE icao_code = 'LFLY';", false);
	start(&f, TABLE ROW "('LFLY','customs','hours',0,NULL,NULL,'',1);", NULL);
	const struct tool_context ctx = { .airports = air.db, .sources = &f.sources };

	ask(&ctx, f.mem, "{\"icao\":\"LFLY\",\"day_of_week\":\"Sunday\"}", &o);
	cr_expect_eq(jsn_get_num(o, "hours_notice", -1), 0);
	cr_expect_not_null(strstr(jsn_get_str(o, "pretty", ""), "**For Sunday:** 0h notice required"), "%s",
	    jsn_get_str(o, "pretty", ""));
	cr_expect_eq(jsn_get_num(jsn_get(jsn_get(o, "visualization"), "marker"), "lon", -1), 0);
	cr_expect_eq(notice_max(notice_find(&f.view, "LFLY")), 0);
	finish(&f);
	airfix_close(&air);
}

TEST(notice, searches_filter_by_notice_and_show_it)
{
	struct airfix air;
	struct fix f;
	struct err e = { OK, "" };
	struct json_object *args = NULL, *o = NULL;
	static const char *const calls[][2] = {
		{ "find_airports_near_location", "{\"location_query\":\"LFLY\",\"max_hours_notice\":12}" },
		{ "find_airports_near_location", "{\"location_query\":\"LFLY\",\"filters\":{\"max_hours_notice\":12}}" },
		{ "find_airports_near_route", "{\"from_location\":\"LFLY\",\"to_location\":\"LFHI\",\"max_hours_notice\":12}" },
		{ "search_airports", "{\"query\":\"France\",\"filters\":{\"max_hours_notice\":12}}" },
	};

	airfix_open(&air, NULL, false);
	start(&f, TABLE ROW "('LFLY','customs','hours',24,NULL,NULL,'',1), ('LFHJ','customs','hours',6,NULL,NULL,'6 h',1),"
	    " ('LF52','customs','not_available',NULL,NULL,NULL,'',1);", NULL);
	const struct tool_context ctx = { .airports = air.db, .sources = &f.sources };

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		const char *text = calls[i][1];

		TEST_OK(jsn_parse(f.mem, text, strlen(text), JSN_DEPTH, &args, NULL, &e), e);
		TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, calls[i][0]), f.mem, args, NULL, &o, &e), e);
		cr_assert_eq(jsn_len(jsn_get(o, "airports")), 1, "%s: %s", calls[i][0], jsn_text(f.mem, o, JSN_PLAIN));
		struct json_object *fits = jsn_at(jsn_get(o, "airports"), 0), *maybe = jsn_get(o, "unrecorded");
		cr_expect_str_eq(jsn_get_str(fits, "ident", ""), "LFHJ");
		cr_expect_str_eq(jsn_text(f.mem, jsn_get(fits, "notification"), JSN_PLAIN),
		    "{\"notification_type\":\"hours\",\"hours_notice\":6,\"summary\":\"6 h\",\"easiness_score\":80,"
		    "\"is_h24\":false}");
		/* the original kept airports without data as if they fitted */
		cr_expect_gt(jsn_len(maybe), 0);
		cr_expect_str_eq(jsn_text(f.mem, jsn_get(jsn_at(maybe, 0), "unrecorded"), JSN_PLAIN),
		    "[\"max_hours_notice\"]");
		cr_expect_eq(jsn_get_num(jsn_get(o, "filter_profile"), "max_hours_notice", -1), 12);
	}
	finish(&f);
	airfix_close(&air);
}

TEST(notice, a_long_summary_is_cut_between_characters)
{
	struct fix f;
	struct buf b;

	buf_init(&b, 10000);
	buf_puts(&b, TABLE ROW "('LFLY','customs','hours',24,NULL,NULL,'");
	for (int i = 0; i < 150; i++)
		buf_puts(&b, "é");
	buf_puts(&b, "',1);");
	start(&f, b.p, NULL);
	const char *s = jsn_get_str(jsn_own(f.mem, notice_summary_json(notice_find(&f.view, "LFLY"))), "summary", "");
	cr_expect_eq(utf8_count(s, strlen(s)), 103);
	cr_expect(utf8_valid(s, strlen(s)));
	cr_expect_str_eq(s + strlen(s) - 3, "...");
	buf_release(&b);
	finish(&f);
}

/* ---- the real data ------------------------------------------------------------------------- */

TEST(notice, the_real_database)
{
	static const struct {
		const char *icao, *type;
		double most, sunday, score;   /* -1: none */
	} rows[] = {
		{ "EGKA", "on_request", -1, -1, 70 }, { "LFAQ", "hours", 24, 24, 60 }, { "LFAT", "hours", -1, -1, 85 },
		{ "LFPT", "business_day", -1, -1, 55 }, { "LSGC", "hours", 24, 24, 60 }, { "LOWZ", "hours", 24, 24, 60 },
		{ "LFKC", "hours", 96, 96, 10 }, { "LPCS", "hours", 24, 24, 60 }, { "LFPN", "not_available", -1, -1, 0 },
		{ "EGJB", "hours", 2, 2, 90 }, { "LDLO", "hours", 72, 72, 20 }, { "LEAX", "not_available", -1, -1, 0 },
		{ "EGLL", "h24", 0, 0, 100 }, { "EBAW", "as_ad_hours", -1, -1, 50 },
	};
	const char *path = test_data("euro_aip/ga_notifications.db");
	const char *database = path != NULL ? strdup(path) : NULL, *airports = test_data("euro_aip/airports.db");
	struct fact_sources sources = { .of[0] = NULL };
	struct fact_view view;

	if (database == NULL || airports == NULL)
		test_skip("no euro_aip data");
	struct notices *n = notices_new(database, airports);
	sources.of[FACTS_NOTICE] = notices_source(n);
	fact_view_take(&view, &sources);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct notice *one = notice_find(&view, rows[i].icao);

		cr_assert_not_null(one, "%s", rows[i].icao);
		cr_expect_str_eq(one->type, rows[i].type, "%s", rows[i].icao);
		cr_expect(rows[i].most < 0 ? isnan(notice_max(one)) : notice_max(one) == rows[i].most, "%s", rows[i].icao);
		cr_expect(rows[i].sunday < 0 ? isnan(notice_for_day(one, 6)) : notice_for_day(one, 6) == rows[i].sunday,
		    "%s: %g", rows[i].icao, notice_for_day(one, 6));
		cr_expect_eq(notice_easiness(one), rows[i].score, "%s", rows[i].icao);
	}
	fact_view_put(&view);
	notices_free(n);
	free((void *)(uintptr_t)database);
}

/* ---- days that a text does not name ------------------------------------------------------------ */

TEST(notice, what_names_no_day_is_for_the_days_that_are_left)
{
	struct fix f;

	start(&f, NULL, AIP "('LFAQ','Customs','PPR 12 HR (24 HR SAT, SUN and public HOL) before ETA',302);");
	cr_expect_eq(notice_for_day(notice_find(&f.view, "LFAQ"), 0), 12);
	cr_expect_eq(notice_for_day(notice_find(&f.view, "LFAQ"), 6), 24);
	cr_expect_str_eq(notice_said_for(f.mem, notice_find(&f.view, "LFAQ"), notice_asked_days("holiday")),
	    "24h notice");
	finish(&f);
}

/* ---- a search whose question asks about notice ---------------------------------------------------- */

TEST(notice, words_for_notice_are_found_as_words)
{
	static const struct {
		const char *text;
		bool wanted;
	} rows[] = {
		{ "airports near Lyon with customs", true }, { "How EARLY must I call?", true },
		{ "any prior notice?", true }, { "notifications at these", true }, { "when should I call", true },
		/* the original found its words inside others */
		{ "priority for grass strips", false }, { "I noticed a strip", false }, { "airports near Lyon", false },
		{ "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_eq(notice_wanted(rows[i].text), rows[i].wanted, "%s", rows[i].text);
}

TEST(notice, airports_of_a_search_get_the_notice_of_the_day)
{
	struct fix f;
	struct json_object *o = NULL;
	const char *text = "{\"count\":20,\"airports\":[{\"ident\":\"AAAA\"},{\"ident\":\"BBBB\"}],\"pretty\":\"x\"}";

	start(&f, TABLE ROW "('AAAA','customs','hours',24,'{\"Mon-Fri\":2,\"Sat-Sun\":\"48h notice\"}',NULL,'s',1);", NULL);
	TEST_OK(jsn_parse(f.mem, text, strlen(text), JSN_DEPTH, &o, NULL, &f.e), f.e);
	enrich_notice(f.mem, &f.sources, "and customs on Saturday?", o);
	cr_expect_str_eq(jsn_text(f.mem, o, JSN_PLAIN), "{\"count\":20,\"airports\":[{\"ident\":\"AAAA\","
	    "\"notification\":{\"notification_type\":\"hours\",\"hours_notice\":24,\"summary\":\"s\","
	    "\"easiness_score\":40,\"is_h24\":false,\"day_rule\":\"48h notice\"}},{\"ident\":\"BBBB\"}],"
	    "\"pretty\":\"x\\n\\n**Notification requirements (Sat):**\\n**AAAA**: 48h notice\","
	    "\"notifications_enriched\":true}");
	finish(&f);
}

TEST(notice, an_import_writes_what_the_texts_say_and_keeps_the_rows_of_others)
{
	struct fix f;
	int64_t n = 0;

	start(&f, TABLE ROW "('AAAA','customs','hours',6,NULL,NULL,'by hand',1);",
	    AIP "('AAAA','c','PPR 48 HR',302), ('BBBB','c','MON-FRI PN 2 HR',302), ('CCCC','c','Rubber stamps',302);");
	for (int twice = 0; twice < 2; twice++) {
		TEST_OK(import_notices(path_in(&f, "airports.db"), path_in(&f, "notices.db"), NULL, &n, &f.e), f.e);
		cr_expect_eq(n, 1);
	}
	struct db *db;
	TEST_OK(db_open(&db, path_in(&f, "notices.db"), DB_READ, &f.e), f.e);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_notification_requirements", -1), 2);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_notification_requirements WHERE icao = 'AAAA' AND "
	    "hours_notice = 6 AND summary = 'by hand'", -1), 1);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_notification_requirements WHERE icao = 'BBBB' AND "
	    "hours_notice = 2 AND weekday_rules = '{\"Mon-Fri\":\"2h notice\"}' AND raw_text = 'MON-FRI PN 2 HR'", -1), 1);
	db_close(db);
	cr_expect_eq(import_notices(path_in(&f, "none.db"), path_in(&f, "notices.db"), NULL, &n, &f.e), ERR_DATA);
	cr_expect_eq(import_notices(path_in(&f, "notices.db"), path_in(&f, "x.db"), NULL, &n, &f.e), ERR_DATA, "no texts");
	finish(&f);
}

TEST(notice, two_imports_at_once_do_not_share_a_file)
{
	struct fix f;
	int64_t n = 0;
	int fd;

	start(&f, TABLE, AIP "('AAAA','c','PPR 48 HR',302);");
	TEST_OK(replace_begin(path_in(&f, "notices.db.new"), &fd, &f.e), f.e);
	cr_expect_eq(import_notices(path_in(&f, "airports.db"), path_in(&f, "notices.db"), NULL, &n, &f.e), ERR_IO);
	cr_expect_not_null(strstr(f.e.msg, "another process"), "%s", f.e.msg);
	cr_expect_eq(access(path_in(&f, "notices.db.new"), F_OK), 0, "the other's file is left alone");
	close(fd);
	TEST_OK(import_notices(path_in(&f, "airports.db"), path_in(&f, "notices.db"), NULL, &n, &f.e), f.e);
	cr_expect_eq(n, 1);
	finish(&f);
}
