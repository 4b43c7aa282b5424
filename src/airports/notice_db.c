/*
 * Reading GA_NOTIFICATIONS_DB, whatever its age: only the table and its column `icao` are needed. A
 * value that cannot be read (broken JSON, NaN, a list where an object belongs) counts as absent, and
 * the log says how many rows have one.
 */
#include "airports/notice_table.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/db.h"

#define TABLE "ga_notification_requirements"

enum { ROWS_MAX = 50000, TEXT_MAX = 4096, IDENT_MAX = 12, RULES_MAX = 24, HOURS_MAX = 8760 };

enum column {
	C_ICAO, C_ID, C_ABOUT, C_TYPE, C_HOURS, C_OPENS, C_CLOSES, C_DAYS, C_SCHENGEN, C_CONTACT,
	C_SUMMARY, C_CONFIDENCE, C__MAX
};
static const char *const columns[C__MAX] = {
	[C_ICAO] = "icao", [C_ID] = "id", [C_ABOUT] = "rule_type", [C_TYPE] = "notification_type",
	[C_HOURS] = "hours_notice", [C_OPENS] = "operating_hours_start",
	[C_CLOSES] = "operating_hours_end", [C_DAYS] = "weekday_rules",
	[C_SCHENGEN] = "schengen_rules", [C_CONTACT] = "contact_info", [C_SUMMARY] = "summary",
	[C_CONFIDENCE] = "confidence",
};

/* ---- values ----------------------------------------------------------------------------- */

static const char *text_at(struct arena *a, struct db_stmt *s, enum column c)
{
	const char *v = db_text(s, (int)c);
	size_t n = v != NULL ? strlen(v) : 0;

	if (n == 0 || strieq(v, "nan"))
		return NULL;
	return arena_strndup(a, v, utf8_cut(v, n, TEXT_MAX));
}

static double hours_checked(double v)
{
	return v >= 0 && v <= HOURS_MAX ? v : (double)NAN;
}

/* A JSON object in a column; NULL: there is none, and *broken if there is something else. */
static struct json_object *object_at(struct arena *work, struct db_stmt *s, enum column c, bool *broken)
{
	const char *v = db_text(s, (int)c);
	size_t n = v != NULL ? strlen(v) : 0;
	struct json_object *o = NULL;

	if (n == 0)
		return NULL;
	if (n > TEXT_MAX || jsn_parse(work, v, n, 8, &o, NULL, NULL) != OK) {
		*broken = true;
		return NULL;
	}
	if (o != NULL && !jsn_is(o, json_type_object))
		*broken = true;
	return jsn_is(o, json_type_object) ? o : NULL;
}

/* Does a word for hours begin at p? */
static bool is_hours(const char *p)
{
	static const char *const units[] = { "hours", "hour", "hrs", "hr", "hs", "h" };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]), k = 0;
		while (k < n && ascii_lower(p[k]) == units[i][k])
			k++;
		if (k == n && !isalpha((unsigned char)p[n]))
			return true;
	}
	return false;
}

double notice_hours_in(const char *text)
{
	for (const char *p = text; *p != '\0';) {
		size_t n = strspn(p, "0123456789");
		const char *unit = p + n + strspn(p + n, " -");
		double v;

		if (n == 0) {
			p++;
			continue;
		}
		/* "0800h" is a time of day */
		if (n <= 3 && is_hours(unit) && sscanf(p, "%lf", &v) == 1)
			return hours_checked(v);
		p += n;
	}
	return (double)NAN;
}

static void read_day_rules(struct arena *mem, struct notice *n, struct json_object *o)
{
	struct notice_day_rule *rules = arena_array(mem, RULES_MAX, sizeof(*rules));

	n->rule = rules;
	JSN_EACH(o, it) {
		struct notice_day_rule *r = &rules[n->nrules];

		if (n->nrules == RULES_MAX || *it.key == '\0')
			break;
		r->hours = (double)NAN;
		if (jsn_is(it.val, json_type_int) || jsn_is(it.val, json_type_double)) {
			r->hours = hours_checked(jsn_get_num(o, it.key, -1));
			r->number = true;
			if (isnan(r->hours))
				continue;
			r->text = arena_printf(mem, "%gh notice", r->hours);
		} else if (jsn_is(it.val, json_type_string)) {
			r->text = arena_strdup(mem, json_object_get_string(it.val));
			r->hours = notice_hours_in(r->text);
		} else {
			continue;
		}
		r->key = arena_strdup(mem, it.key);
		r->days = notice_days_of(r->key);
		n->nrules++;
	}
}

static const char *member(struct arena *mem, struct json_object *o, const char *key)
{
	const char *v = jsn_get_str(o, key, NULL);

	return v != NULL && *v != '\0' ? arena_strdup(mem, v) : NULL;
}

/* Idents are letters, digits and "-"; anything else is no airport's. */
static const char *ident_at(struct arena *mem, struct db_stmt *s)
{
	struct str v = str_trim(str_of(db_text(s, C_ICAO)));

	if (v.n == 0 || v.n > IDENT_MAX)
		return NULL;
	for (size_t i = 0; i < v.n; i++)
		if (!isalnum((unsigned char)v.p[i]) && v.p[i] != '-')
			return NULL;
	return str_upper_copy(mem, v.p, v.n);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void read_row(struct notice_table *t, struct arena *mem, struct arena *work, struct db_stmt *s)
{
	struct notice *n = arena_alloc(mem, sizeof(*n));
	struct json_object *contact, *schengen;
	bool broken = false;
	double confidence = db_double_at(s, C_CONFIDENCE);

	n->icao = ident_at(mem, s);
	n->id = db_int_at(s, C_ID);
	n->about = text_at(mem, s, C_ABOUT);
	n->type = text_at(mem, s, C_TYPE);
	n->kind = strieq(n->type, "specific_time") ? NOTICE_DAY_BEFORE : notice_kind_of(n->type);
	n->hours = hours_checked(db_double_at(s, C_HOURS));
	n->opens = text_at(mem, s, C_OPENS);
	n->closes = text_at(mem, s, C_CLOSES);
	n->summary = text_at(mem, s, C_SUMMARY);
	if (n->summary == NULL)
		n->summary = "";
	n->confidence = confidence >= 0 && confidence <= 1 ? confidence : 0;
	read_day_rules(mem, n, object_at(work, s, C_DAYS, &broken));
	schengen = object_at(work, s, C_SCHENGEN, &broken);
	n->schengen = jsn_get_bool(schengen, "schengen_only", false);
	n->non_schengen = jsn_get_bool(schengen, "non_schengen_only", false);
	contact = object_at(work, s, C_CONTACT, &broken);
	n->contact = contact != NULL;
	n->phone = member(mem, contact, "phone");
	n->email = member(mem, contact, "email");
	t->broken += broken || n->icao == NULL;
	/* a failed extraction gives no notice: its summary is an error message */
	if (n->type == NULL && n->confidence <= 0 && isnan(n->hours) && n->nrules == 0) {
		t->failed++;
		return;
	}
	if (n->icao != NULL)
		notice_table_add(t, n);
}

/* SELECT with NULL for the columns that an older database lacks. */
static const char *select_text(struct arena *mem, struct db *db)
{
	const char *list = "";

	for (int c = 0; c < C__MAX; c++)
		list = arena_printf(mem, "%s%s%s", list, c > 0 ? ", " : "",
		    db_has_column(db, "main", TABLE, columns[c]) ? columns[c] : "NULL");
	return arena_printf(mem, "SELECT %s FROM " TABLE " ORDER BY rowid", list);
}

enum errcode notice_db_read(void *self, struct db *db, struct arena *mem, struct fact_content **out,
    struct err *e)
{
	struct notice_table *t;
	struct db_stmt *s;
	enum db_step step = DB_END;
	int64_t count;

	(void)self;
	if (!db_has_table(db, "main", TABLE) || !db_has_column(db, "main", TABLE, "icao"))
		return err_set(e, ERR_DATA, "GA_NOTIFICATIONS_DB: this database has no table " TABLE
		    " with a column icao; make one with: aviation-agent import notifications");
	count = db_int(db, "SELECT count(*) FROM " TABLE, 0);
	t = notice_table_new(mem, (size_t)(count < 0 ? 0 : count < ROWS_MAX ? count : ROWS_MAX));
	s = db_prepare(db, select_text(mem, db), e);
	for (int64_t i = 0; s != NULL && i < ROWS_MAX && (step = db_step(s, e)) == DB_ROW; i++) {
		struct arena *work = arena_new();
		read_row(t, mem, work, s);
		arena_free(work);
	}
	*out = &t->content;
	if (db_end(s, step == DB_ROW ? DB_END : step, e) != OK)
		return e != NULL ? e->code : ERR_DATA;
	if (t->failed + t->broken > 0 || count > ROWS_MAX)
		log_msg(LOG_WARN, "notices", "failed_extractions=%zu unreadable_rows=%zu beyond_limit=%lld", t->failed,
		    t->broken, (long long)(count > ROWS_MAX ? count - ROWS_MAX : 0));
	return OK;
}
