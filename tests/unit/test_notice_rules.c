/*
 * Rules from texts of publications: the original's vectors, what it had wrong, and hostile text.
 */
#include "airports/notice_rules.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/cpu_time.h"
#include "tests/unit/hostile.h"
#include "tests/unit/test.h"

/* "ppr hours 24 Mon-Fri 0.8; …" */
static const char *rules_said(struct arena *a, const struct notice_reading *r)
{
	const char *out = "";

	for (size_t i = 0; i < r->n; i++) {
		const struct notice_rule *n = &r->rule[i];
		const char *days = notice_days_text(a, n->days);

		out = arena_printf(a, "%s%s%s %s", out, i > 0 ? "; " : "", n->about, notice_kind_name(n->kind));
		if (!isnan(n->hours))
			out = arena_printf(a, "%s %g", out, n->hours);
		if (*days != '\0')
			out = arena_printf(a, "%s %s", out, days);
		if (n->from >= 0)
			out = arena_printf(a, "%s %04d-%04d", out, n->from, n->to);
		if (n->before >= 0)
			out = arena_printf(a, "%s before %04d", out, n->before);
		out = arena_printf(a, "%s%s%s%s %g", out, n->schengen ? " schengen" : "",
		    n->non_schengen ? " non-schengen" : "", n->obligatory ? "" : " advice", n->confidence);
	}
	return *out != '\0' ? out : "none";
}

static const char *said(struct arena *a, const char *text)
{
	struct notice_reading r;

	notice_read(&r, a, text);
	return rules_said(a, &r);
}

struct vector {
	const char *text, *rules;
	int complexity;               /* of the warning "Partial parse"; -1: no warning */
};

/* The rows of the original's own table that were right. */
static const struct vector vectors[] = {
	{ "H24", "customs h24 0.95", -1 },
	{ "O/R", "customs on_request 0.9", -1 },
	{ "sur demande", "customs on_request 0.9", -1 },
	{ "by prior arrangement", "customs on_request 0.9", -1 },
	{ "as AD hours", "customs as_ad_hours 0.9", -1 },
	{ "HR AD", "customs as_ad_hours 0.9", -1 },
	{ "AD OPR HR", "customs as_ad_hours 0.9", -1 },
	{ "PPR 24 HR", "ppr hours 24 0.8", 0 },
	{ "PPR PN 24 HR", "ppr hours 24 0.8", 0 },
	{ "24HR PN", "ppr hours 24 0.8", 0 },
	{ "24 hours notice", "ppr hours 24 0.8", 0 },
	{ "PPR MNM 24 HR", "ppr hours 24 0.8", 0 },
	{ "48 hours prior notice", "ppr hours 48 0.8", 0 },
	{ "On request, PPR 24 HR", "ppr hours 24 0.8", 0 },
	{ "AD HR, PN 2 HR", "ppr hours 2 0.8", 0 },
	{ "MON-FRI : PPR PN 24 HR", "ppr hours 24 Mon-Fri 0.8", 0 },
	{ "MON-THU: 24 HR PN. FRI: 12 HR PN. SAT-SUN: 48 HR PN",
	  "ppr hours 24 Mon-Thu 0.8; ppr hours 12 Fri 0.8; ppr hours 48 Sat-Sun 0.8", 2 },
	{ "WEEKDAYS: PN 24 HR; WEEKEND: PN 48 HR", "ppr hours 24 Mon-Fri 0.8; ppr hours 48 Sat-Sun 0.8", 0 },
	{ "SAT, SUN and HOL: PPR PN 48 HR", "ppr hours 48 Sat-Sun/HOL 0.8", 0 },
	{ "MON-HOL: PN 24 HR", "ppr hours 24 Mon/HOL 0.8", 0 },
	{ "PN on last working day before 1500", "ppr business_day before 1500 0.75", 1 },
	{ "last business day 1600", "ppr business_day before 1600 0.75", 0 },
	{ "non-Schengen flights PN 24 HR", "ppr hours 24 non-schengen 0.8", 1 },
	{ "within Schengen and outside Schengen PN 24 HR", "ppr hours 24 0.8", 1 },
	{ "PPR 24 HR, PPR 48 HR, PPR 72 HR", "ppr hours 24 0.8; ppr hours 48 0.8; ppr hours 72 0.8", 0 },
};

TEST(notice_rules, vectors_of_the_original)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		const struct vector *v = &vectors[i];
		struct notice_reading r;

		notice_read(&r, a, v->text);
		cr_expect_str_eq(said(a, v->text), v->rules, "%s: %s", v->text, said(a, v->text));
		if (v->complexity < 0)
			cr_expect_null(r.warning, "%s: %s", v->text, r.warning);
		else
			cr_expect_str_eq(r.warning, arena_printf(a, "Partial parse (complexity=%d)", v->complexity), "%s: %s",
			    v->text, r.warning);
	}
	arena_free(a);
}

/* Texts that the original read wrongly, each with what was wrong. */
TEST(notice_rules, what_the_original_had_wrong)
{
	static const struct {
		const char *wrong, *text, *rules;
	} rows[] = {
		{ "the first day of three was lost", "MON-FRI: 0700-1900 with PN 24 HR. SAT, SUN, HOL: PN 48 HR",
		  "ppr hours 24 Mon-Fri 0700-1900 0.8; ppr hours 48 Sat-Sun/HOL 0.8" },
		{ "a list became a range", "MON, WED: PN 24 HR", "ppr hours 24 Mon, Wed 0.8" },
		{ "days before times were lost", "MON-FRI 0700-1900: PN 24 HR", "ppr hours 24 Mon-Fri 0700-1900 0.8" },
		{ "plural days were unknown", "WEEKENDS: PN 48 HR", "ppr hours 48 Sat-Sun 0.8" },
		{ "four letters were unknown", "TUES: PN 24 HR", "ppr hours 24 Tue 0.8" },
		{ "no hours became on request", "MON-FRI: 0 HR", "ppr hours 0 Mon-Fri 0.8" },
		{ "a unit was found inside a word", "PPR 24 HANGAR", "customs on_request 0.9" },
		{ "working day at the end was lost", "PN last working day", "ppr business_day 0.75" },
		{ "Schengen hid on request", "Schengen flights only, O/R", "customs on_request schengen 0.9" },
		{ "H24 hid the condition", "H24 Schengen only, non-Schengen PPR 24 HR",
		  "customs h24 schengen 0.95; ppr hours 24 non-schengen 0.8" },
		{ "nothing was read", "NIL", "customs not_available 0.9" },
		{ "nothing was read", "Flights prohibited", "customs not_available 0.9" },
		{ "nothing was read", "notice 24 hours required", "ppr hours 24 0.8" },
		{ "the day before was never used", "O/R previous day before 1100", "ppr day_before before 1100 0.75" },
		{ "immigration was typed ppr", "Immigration: 3 hours notice required", "immigration hours 3 0.8" },
		{ "a telephone number is no notice", "Notify TEL 24 48 72 96, PN 3 HR", "ppr hours 3 0.8" },
		{ "advice is no obligation", "PN 24 HR, 48 HR recommended", "ppr hours 24 0.8; ppr hours 48 advice 0.8" },
		{ "a delay is no notice", "Flights delayed more than 2 HR inform customs", "none" },
		{ "a time is no notice", "Notify before 1500", "none" },
		{ "nothing was said of opening hours", "0800-1800", "ppr hours 0 0800-1800 0.8" },
		{ "opening hours were lost beside the notice for other times", "0800-1800, outside PN 24 HR",
		  "ppr hours 24 0.8; ppr hours 0 0800-1800 0.8" },
		{ "a closed day was lost", "Closed SUN", "customs not_available Sun 0.9" },
		{ "the days before \"no customs\" were lost", "Mon-Fri: no customs", "customs not_available Mon-Fri 0.9" },
		{ "a number without its unit was lost", "PPR 24", "ppr hours 24 0.5" },
		{ "other numbers without a unit may be anything", "PPR 17", "customs on_request 0.9" },
		{ "other days were lost", "other days PN 24 HR", "ppr hours 24 0.8" },
		{ "fuel is not customs", "Fuel outside published hours: 3 HR PN", "none" },
		{ "a flight plan is no notice", "FPL at least 60 MIN before EOBT", "none" },
		{ "no notice became notice", "H24; no PN required", "customs h24 0.95" },
		{ "no notice became notice", "MON-FRI 0600-2200: PN not required. SAT: PN 4 HR",
		  "ppr hours 0 Mon-Fri 0600-2200 0.8; ppr hours 4 Sat 0.8" },
		{ "words without a blank were lost", "PPR24HR", "ppr hours 24 0.8" },
		{ "H-24 is 24 hours before, not day and night", "Pr\xC3\xA9" "avis: H-24", "ppr hours 24 0.8" },
		{ "what was once is no notice", "The former PN of 24 HR no longer applies: PN 8 HR", "ppr hours 8 0.8" },
		{ "another airport's notice is not this one's", "Not available. Nearest customs AD: X, where 4 HR PN applies",
		  "customs not_available 0.9" },
		{ "the hours of a telephone are no scope", "O/R via TEL 1 (phone answered MON-FRI 0830-1630)",
		  "customs on_request 0.9" },
		{ "nothing to read", "", "none" },
		{ "nothing to read", "   ", "none" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_str_eq(said(a, rows[i].text), rows[i].rules, "%s: %s: %s", rows[i].wrong, rows[i].text,
		    said(a, rows[i].text));
	arena_free(a);
}

/* One demand in the words of different publications. */
TEST(notice_rules, the_same_in_other_words)
{
	static const struct {
		const char *rules, *texts;    /* texts are parted by "|" */
	} rows[] = {
		{ "ppr hours 24 0.8", "PN 24 HR|24HR PNR|24-hour notice|24 HR ADV NTC|24 hours beforehand|twenty-four hours notice|"
		  "PN H-24|one (1) day notice|O/R (24 HR)|Customs to be informed 24 HR before|24 hrs. notice|PREAV. 24 H|"
		  "36 HR recommended, PN 24 HR obligatory|PPR 24 HR, MAX 72 HR" },
		{ "customs on_request 0.9", "O/R|O / R|on REQ|by arr.|subject to the prior consent of customs|after agreement|S/DEM|"
		  "PPR|only where customs has agreed|Cust. by appointment" },
		{ "customs as_ad_hours 0.9", "as AD|HR AD|AD OPR HR|same SKED as AD|within the published hours of operation of the aerodrome|"
		  "as for AD Administration|during operational hours|HOR. AD" },
		{ "ppr business_day before 1500 0.75", "PN last WKG day BFR 1500|by 1500 on the working day immediately preceding|"
		  "previous working day, 1500 at the latest|PREAV. DERN. J OUVR. AV 1500" },
		{ "ppr day_before before 1600 0.75", "PN D-1 before 1600|the day before, not later than 1600|PN day BFR, BFR 1600|la veille avant 16h00" },
		{ "customs not_available 0.9", "NIL|NO CUST|customs not AVBL|no customs control|International flights prohibited|pas de douane" },
		{ "customs h24 0.95", "H24|24/7|day and night|H24, no PN required" },
		{ "customs on_request 0.9", "O/R. Visits to the apron are prohibited between 2200 and 0400|O/R. Gate locked 2000-0600|"
		  "O/R. Parking at the GA apron is not permitted MON-FRI|O/R. The phone is answered 0700-1800|"
		  "O/R. For wheelchairs the handling company must be contacted, MON-FRI 0600-1400|O/R. Response time: 45 MIN|"
		  "O/R. Passengers are cleared within 15 minutes of landing|No customs service without prior permission|"
		  "O/R. No clearance of commercial goods by telephone" },
		{ "customs not_available 0.9", "Customs: No.|Customs: no" },
		{ "customs h24 0.95", "Officers are in attendance by day and by night" },
		{ "ppr hours 24 0.8", "Not available unless requested 24 HR before|No customs without 24 HR PN|ETA - 24 HR|"
		  "PPR 24 HR through the operator \"X\" d.o.o. (MON-FRI 0600-1400)" },
		{ "ppr hours 3 Mon-Fri 0.8; ppr hours 24 Sat-Sun/HOL 0.8", "Three hours notice Monday to Friday, SAT/SUN/HOL 24 hours|"
		  "3 HR PN MON-FRI, SAT, SUN and HOL 24 HR PN" },
		{ "customs h24 0.95; immigration hours 6 0.8", "H24 (Customs); PPR 6 HR (Passport control)" },
		{ "ppr hours 2 0600-2000 0.8", "0600-2000 (ETE : 0500-1900) PN 2 HR|0600-2000 (summer 0500-1900): PN 2 HR" },
		{ "ppr hours 24 0.8; ppr hours 48 Sat-Sun 0.8", "PPR 24 HR (WE 48 HR)" },
		{ "ppr hours 2 0700-1800 schengen 0.8; ppr hours 6 0700-1800 non-schengen 0.8",
		  "0700-1800: PN 2 HR for Schengen flights, PN 6 HR for non-Schengen flights" },
		{ "none", "Fuel: O/R, PN 2 HR|Handling: PN 3 HR|TEL (H24): +32 2 700 24 24|Delays of more than 30 MIN shall be reported|"
		  "Smoking prohibited|Issue of forms takes 2 HR|PPR 24 HR for parking|Fee 30 EUR per hour, with a minimum of 3 hours" },
		{ "ppr hours 24 0.8; ppr hours 0 Mon-Fri 0800-1600 0.8", "MON-FRI 0800-1600. O/T PN 24 HR|"
		  "MO-FR 0800-1600 (0700-1500), outside the above mentioned hours PN 24 HR|Monday to Friday from 0800 to 1600, otherwise 24 HR PN" },
		{ "ppr hours 24 non-schengen 0.8", "non-Schengen: PN 24 HR|PN 24 HR for flights from outside the Schengen area|"
		  "PN 24 HR except for Schengen flights|Only for flights from non-Schengen states. PN 24 HR" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *save = NULL, *texts = arena_strdup(a, rows[i].texts);

		for (char *t = strtok_r(texts, "|", &save); t != NULL; t = strtok_r(NULL, "|", &save)) {
			struct notice_reading r;
			struct notice_rule must[NOTICE_RULES_MAX];

			notice_read(&r, a, t);
			cr_assert_leq(r.n, NOTICE_RULES_MAX);
			size_t n = 0;
			for (size_t k = 0; k < r.n; k++)
				if (r.rule[k].obligatory)
					must[n++] = r.rule[k];
			r.rule = must;
			r.n = n;
			cr_expect_str_eq(rules_said(a, &r), rows[i].rules, "%s: %s", t, rules_said(a, &r));
		}
	}
	arena_free(a);
}

TEST(notice_rules, summaries_and_hassle)
{
	static const struct {
		const char *text, *summary, *level;
		double score;
	} rows[] = {
		{ "H24", "H24, no notice required", "none", 0 },
		{ "O/R", "On request", "low", 0.2 },
		{ "as AD hours", "As aerodrome hours", "low", 0.15 },
		{ "PPR 2 HR", "PPR 2h", "low", 0.15 },
		{ "PPR 12 HR", "PPR 12h", "low", 0.25 },
		{ "PPR 24 HR", "PPR 24h", "moderate", 0.4 },
		{ "PPR 48 HR", "PPR 48h", "high", 0.6 },
		{ "PPR 72 HR", "PPR 72h", "high", 0.75 },
		{ "PPR 96 HR", "PPR 96h", "very_high", 0.9 },
		{ "WEEKDAYS: PN 12 HR; WEEKEND: PN 24 HR", "weekdays: PPR 12h; weekends: PPR 24h", "moderate", 0.5 },
		{ "MON-THU: PN 24 HR; SUN and HOL: PN 96 HR", "MON-THU: PPR 24h; SUN/HOL: PPR 96h", "very_high", 1 },
		{ "PN last working day before 1500", "Last business day before 15:00", "high", 0.7 },
		{ "NIL", "Not available", "not_available", 1 },
		{ "Closed SUN", "SUN: not available", "high", 0.7 },
		{ "Mon-Fri: no customs", "weekdays: not available", "high", 0.7 },
		{ "words", "No notice rule could be read", "moderate", 0.5 },
		{ "0800-1800", "no notice (08:00-18:00)", "low", 0.15 },
		{ "0800-1800, outside PN 24 HR", "PPR 24h at other times; no notice (08:00-18:00)", "moderate", 0.4 },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct notice_reading r;

		notice_read(&r, a, rows[i].text);
		struct notice_hassle h = notice_hassle_of(&r);
		cr_expect_str_eq(notice_reading_summary(a, &r), rows[i].summary, "%s: %s", rows[i].text,
		    notice_reading_summary(a, &r));
		cr_expect_str_eq(h.level, rows[i].level, "%s", rows[i].text);
		cr_expect_float_eq(h.score, rows[i].score, 1e-9, "%s: %g", rows[i].text, h.score);
	}
	arena_free(a);
}

TEST(notice_rules, as_json)
{
	struct arena *a = arena_new();
	struct notice_reading r;
	const char *text = "SAT-MON: last working day before 1100";

	notice_read(&r, a, text);
	cr_expect_str_eq(jsn_text(a, notice_reading_json(a, "LFPT", text, &r), JSN_PLAIN),
	    "{\"icao\":\"LFPT\",\"rules\":[{\"rule_type\":\"ppr\",\"notification_type\":\"business_day\","
	    "\"hours_notice\":null,\"weekday_start\":5,\"weekday_end\":0,\"days\":[\"Mon\",\"Sat\",\"Sun\"],"
	    "\"includes_holidays\":false,\"business_day_offset\":-1,\"specific_time\":\"1100\",\"hours_start\":null,"
	    "\"hours_end\":null,\"is_obligatory\":true,\"schengen_only\":false,\"non_schengen_only\":false,"
	    "\"raw_text\":\"SAT-MON: last working day before 1100\",\"confidence\":0.75,"
	    "\"extraction_method\":\"rules\"}],\"operating_hours_start\":null,\"operating_hours_end\":null,"
	    "\"summary\":\"SAT-MON: Last business day before 11:00\",\"hassle\":{\"level\":\"high\",\"score\":0.8,"
	    "\"max_hours_notice\":null,\"has_weekend_rules\":true,\"has_schengen_rules\":false},"
	    "\"raw_text\":\"SAT-MON: last working day before 1100\",\"source_std_field_id\":302,"
	    "\"parse_warnings\":[\"Partial parse (complexity=1)\"]}");
	arena_free(a);
}

/* The rule would hold all year, which the text does not say. */
TEST(notice_rules, a_part_of_the_year_is_doubtful)
{
	static const char *const texts[] = { "From 1 APR to 30 SEP: PN 2 HR", "PN 24 HR, 72 HR during AUG",
	    "Winter: 0800-1700, PPR 3 HR" };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct notice_reading r;

		notice_read(&r, a, texts[i]);
		cr_assert_gt(r.n, 0, "%s", texts[i]);
		for (size_t k = 0; k < r.n; k++)
			cr_expect_leq(r.rule[k].confidence, 0.5, "%s", texts[i]);
		cr_expect(strstr(r.warning, "part of the year") != NULL, "%s: %s", texts[i], r.warning);
	}
	arena_free(a);
}

/* 64 KiB of anything cost a few milliseconds, and no more than so many rules come out. */
TEST(notice_rules, hostile_text_is_bounded, .timeout = 60)
{
	static const char *const pieces[] = { "(", "((24 HR)", "PPR ", "24 HR, ", "MON-", "0700-1900 ", "non-Schengen: ",
		"a@", "1 ", "+1 ", "H24.", "SAT, ", "\xE2\x80\x93", "\xFF", "x", "outside ", "except SUN ", "24-",
		"PN 1 HR MON. ", "last working day before 1500 (", "- a ", "on request outside these hours, " };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct notice_reading r;
		struct buf b;

		buf_init(&b, 1 << 17);
		while (b.n < 65536)
			buf_puts(&b, pieces[i]);
		int64_t start = test_cpu_us();
		notice_read(&r, a, b.p);
		/* with sanitizers; without them it is below 5 ms */
		cr_expect_lt(test_cpu_us() - start, 500000, "\"%s\"", pieces[i]);
		cr_expect_leq(r.n, NOTICE_RULES_MAX);
		cr_expect_not_null(r.warning);
		buf_release(&b);
	}
	arena_free(a);
}
