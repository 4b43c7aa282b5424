/*
 * Notices from the customs texts of AIRPORTS_DB. A text from which no rule can be read is kept too: it
 * may still help a pilot who reads it.
 */
#include "airports/notice_table.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "drivers/db.h"

enum { TEXTS_MAX = 50000, RAW_MAX = 600, IDENT_MAX = 12 };

/* ---- from rules to a notice ----------------------------------------------------------------- */

static bool any(const struct notice_reading *r, enum notice_kind kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].kind == kind && r->rule[i].obligatory)
			return true;
	return false;
}

static bool all(const struct notice_reading *r, enum notice_kind kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].kind != kind)
			return false;
	return r->n > 0;
}

static enum notice_kind kind_of(const struct notice_reading *r)
{
	if (any(r, NOTICE_H24))
		return NOTICE_H24;
	/* "Closed SUN" tells nothing of other days */
	if (all(r, NOTICE_NOT_AVAILABLE))
		return notice_rule_for_all(&r->rule[0]) ? NOTICE_NOT_AVAILABLE : NOTICE_UNKNOWN;
	if (all(r, NOTICE_ON_REQUEST))
		return NOTICE_ON_REQUEST;
	if (any(r, NOTICE_HOURS))
		return NOTICE_HOURS;
	if (any(r, NOTICE_BUSINESS_DAY) || any(r, NOTICE_DAY_BEFORE))
		return NOTICE_BUSINESS_DAY;
	if (all(r, NOTICE_AD_HOURS))
		return NOTICE_AD_HOURS;
	/* opening hours and nothing else */
	return r->n == 0 && r->from >= 0 ? NOTICE_HOURS : NOTICE_UNKNOWN;
}

/* "2h notice (08:00-12:00)" */
static const char *timed_text(struct arena *a, const struct notice_rule *r)
{
	const char *text = notice_rule_text(a, r);

	return r->from < 0 || r->to < 0 ? text : arena_printf(a, "%s (%02d:%02d-%02d:%02d)", text,
	    r->from / 100, r->from % 100, r->to / 100, r->to % 100);
}

/* The rules of a notice that name days, while they are collected. */
struct day_rules {
	struct notice_day_rule *rule;
	const struct notice_rule **first;     /* the rule of which each was made */
	size_t n;
};

/* Two rules for the same days, at different times, become one with both texts. */
static void add_day_rule(struct arena *a, struct day_rules *to, const struct notice_rule *rule,
    struct notice_days days)
{
	size_t i = 0;

	while (i < to->n && (to->rule[i].days.mask != days.mask || to->rule[i].days.holidays != days.holidays))
		i++;
	struct notice_day_rule *same = &to->rule[i];
	if (i == to->n) {
		*same = (struct notice_day_rule){ .key = notice_days_text(a, days), .days = days,
			.text = notice_rule_text(a, rule), .hours = rule->hours };
		to->first[to->n++] = rule;
		return;
	}
	/* with two of them, the text of the first needs its times too */
	if (streq(same->text, notice_rule_text(a, to->first[i])))
		same->text = timed_text(a, to->first[i]);
	same->text = arena_printf(a, "%s; %s", same->text, timed_text(a, rule));
	if (!(rule->hours <= same->hours))
		same->hours = rule->hours;
}

static void take_rules(struct arena *a, struct notice *n, const struct notice_reading *r)
{
	struct notice_days named = { 0 };
	double sum = 0;

	struct day_rules rules = { .rule = arena_array(a, 2 * r->n + 1, sizeof(*rules.rule)),
		.first = arena_array(a, 2 * r->n + 1, sizeof(*rules.first)) };
	for (size_t i = 0; i < r->n; i++) {
		const struct notice_rule *rule = &r->rule[i];

		sum += rule->confidence;
		if (!rule->obligatory)
			continue;
		/* "0800-1800" does not say that other times need no notice */
		if (!isnan(rule->hours) && !(rule->hours <= n->hours) && (rule->hours > 0 || rule->from < 0))
			n->hours = rule->hours;
		named.mask |= rule->days.mask;
		if (rule->days.mask == 0 && !rule->days.holidays)
			continue;
		add_day_rule(a, &rules, rule, rule->days);
	}
	/* "PPR 12 HR (24 HR SAT, SUN)": what names no day is for the days that are left */
	named.mask = named.mask == 0 ? 0 : NOTICE_ALL_DAYS & ~named.mask;
	named.holidays = false;
	for (size_t i = 0; i < r->n && named.mask != 0; i++) {
		const struct notice_rule *rule = &r->rule[i];

		if (rule->obligatory && rule->days.mask == 0 && !rule->days.holidays)
			add_day_rule(a, &rules, rule, named);
	}
	n->rule = rules.rule;
	n->nrules = rules.n;
	n->confidence = r->n > 0 ? sum / (double)r->n : 0;
}

static const char *clock_text(struct arena *a, int clock)
{
	return clock >= 0 ? arena_printf(a, "%04d", clock) : NULL;
}

struct notice *notice_of_reading(struct arena *a, const char *icao, const char *text,
    const struct notice_reading *r)
{
	struct arena *work = arena_new();
	struct notice *n = arena_alloc(a, sizeof(*n));
	size_t length = strlen(text);

	*n = (struct notice){ .icao = arena_strdup(a, icao), .origin = NOTICE_FROM_AIP,
		.hours = (double)NAN, .raw = arena_strndup(a, text, utf8_cut(text, length, RAW_MAX)) };
	n->kind = kind_of(r);
	n->type = notice_kind_name(n->kind);
	n->about = r->n > 0 ? arena_strdup(a, r->rule[0].about) : "customs";
	n->opens = clock_text(a, r->from);
	n->closes = clock_text(a, r->to);
	n->summary = arena_strdup(a, notice_reading_summary(work, r));
	take_rules(a, n, r);
	if (r->n > 0) {
		n->schengen = r->n == 1 && r->rule[0].schengen;
		n->non_schengen = r->n == 1 && r->rule[0].non_schengen;
	}
	arena_free(work);
	return n;
}

struct notice *notice_of_text(struct arena *a, const char *icao, const char *text)
{
	struct arena *work = arena_new();
	struct notice_reading r;
	struct notice *n;

	notice_read(&r, work, text);
	n = notice_of_reading(a, icao, text, &r);
	arena_free(work);
	return n;
}

/* ---- the database ---------------------------------------------------------------------------- */

static const char sql_texts[] =
	"SELECT airport_icao, value FROM aip_entries WHERE std_field_id = 302 AND length(value) > 0 "
	"ORDER BY airport_icao, rowid";

/* The first text of an airport counts, as with fuel. */
static void read_text(struct notice_table *t, struct arena *mem, const char *ident, const char *text)
{
	char icao[IDENT_MAX + 1];
	size_t n = ident != NULL ? strlen(ident) : 0;

	if (n == 0 || n > IDENT_MAX || text == NULL || strieq(text, "nan") ||
	    str_trim(str_of(text)).n == 0)
		return;
	memcpy(icao, ident, n + 1);
	str_upper(icao);
	if (notice_table_find(t, icao) == NULL)
		notice_table_add(t, notice_of_text(mem, icao, text));
}

enum errcode notice_aip_read(void *self, struct db *db, struct arena *mem, struct fact_content **out,
    struct err *e)
{
	struct notice_table *t;
	struct db_stmt *s;
	enum db_step step = DB_END;
	int64_t count = 0;
	bool there = db_has_table(db, "main", "aip_entries") &&
	    db_has_column(db, "main", "aip_entries", "std_field_id");

	(void)self;
	if (there)
		count = db_int(db, "SELECT count(*) FROM aip_entries WHERE std_field_id = 302", 0);
	t = notice_table_new(mem, (size_t)(count < 0 ? 0 : count < TEXTS_MAX ? count : TEXTS_MAX));
	*out = &t->content;
	if (count <= 0)
		return OK;
	s = db_prepare(db, sql_texts, e);
	for (int64_t i = 0; s != NULL && i < TEXTS_MAX && (step = db_step(s, e)) == DB_ROW; i++)
		read_text(t, mem, db_text(s, 0), db_text(s, 1));
	return db_end(s, step == DB_ROW ? DB_END : step, e);
}

enum errcode notice_aip_text(const char *airports_db, const char *icao, struct arena *a,
    const char **text, struct err *e)
{
	static const char sql[] = "SELECT value FROM aip_entries WHERE airport_icao = ? AND "
	    "std_field_id = 302 AND length(value) > 0 ORDER BY rowid LIMIT 1";
	struct db *db = NULL;
	enum errcode rc = db_open(&db, airports_db, DB_READ, e);

	*text = NULL;
	if (rc == OK && db_has_table(db, "main", "aip_entries")) {
		struct db_stmt *s = db_query(db, sql, e, DB_TEXT(icao));
		enum db_step step = db_step(s, e);
		if (step == DB_ROW)
			*text = arena_strdup(a, db_text(s, 0));
		rc = db_end(s, step == DB_ROW ? DB_END : step, e);
	}
	db_close(db);
	return rc;
}
