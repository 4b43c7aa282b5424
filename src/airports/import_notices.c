/*
 * A database of notices out of an airport database: what can be read from its customs texts. Rows that
 * somebody else wrote are kept, and win: an airport that has one gets none of ours.
 */
#include "airports/import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/notice_model.h"
#include "airports/notice_table.h"
#include "base/replace_file.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "base/str.h"
#include "drivers/db.h"

#define OURS "read by aviation-agent"
#define COLUMNS "icao, rule_type, notification_type, hours_notice, operating_hours_start, " \
	"operating_hours_end, weekday_rules, schengen_rules, contact_info, summary, raw_text, confidence, " \
	"llm_response, created_utc"

static const char schema[] =
	"CREATE TABLE ga_notification_requirements (id INTEGER PRIMARY KEY AUTOINCREMENT, icao TEXT NOT NULL, "
	"rule_type TEXT, notification_type TEXT, hours_notice INTEGER, operating_hours_start TEXT, "
	"operating_hours_end TEXT, weekday_rules TEXT, schengen_rules TEXT, contact_info TEXT, summary TEXT, "
	"raw_text TEXT, confidence REAL, llm_response TEXT, created_utc TEXT, UNIQUE(icao, rule_type))";
static const char sql_keep[] =
	"INSERT INTO ga_notification_requirements(" COLUMNS ") SELECT " COLUMNS
	" FROM old.ga_notification_requirements WHERE llm_response IS NOT '" OURS "' ORDER BY rowid";
static const char sql_texts[] =
	"SELECT airport_icao, value FROM src.aip_entries WHERE std_field_id = 302 AND length(value) >= 3 "
	"AND airport_icao IS NOT NULL AND upper(airport_icao) NOT IN "
	"(SELECT upper(icao) FROM ga_notification_requirements WHERE coalesce(confidence, 0) > 0) "
	"GROUP BY airport_icao ORDER BY airport_icao";
static const char sql_put[] =
	"INSERT OR REPLACE INTO ga_notification_requirements(" COLUMNS ") VALUES(?,?,?,?,?,?,?,?,NULL,?,?,?,'"
	OURS "',?)";

static const char *day_rules(struct arena *a, const struct notice *n)
{
	struct json_object *detail = jsn_own(a, notice_detail_json(n));

	return n->nrules == 0 ? NULL : jsn_text(a, jsn_get(detail, "weekday_rules"), JSN_PLAIN);
}

/* A text that says nothing about notice gives no row. */
static enum errcode put_one(struct db *db, struct notice_model *model, const char *icao, const char *text,
    int64_t *count, struct err *e)
{
	struct arena *a = arena_new();
	struct notice_reading r;
	const struct notice *n;
	const char *flights;
	char now[CLOCK_ISO_SIZE];
	enum errcode rc = OK;

	notice_read_with(&r, a, text, model);
	n = notice_of_reading(a, icao, text, &r);
	flights = !n->schengen && !n->non_schengen ? NULL : arena_printf(a,
	    "{\"schengen_only\":%s,\"non_schengen_only\":%s}", n->schengen ? "true" : "false",
	    n->non_schengen ? "true" : "false");
	clock_iso_utc(now, clock_wall_us());
	if (n->kind != NOTICE_UNKNOWN) {
		const char *about = streq(n->about, "ppr") ? "customs" : n->about;
		rc = db_put(db, sql_put, e, DB_TEXT(str_upper_copy(a, icao, strlen(icao))), DB_TEXT(about),
		    DB_TEXT(n->type), DB_NUM(n->hours), DB_TEXT(n->opens), DB_TEXT(n->closes),
		    DB_TEXT(day_rules(a, n)), DB_TEXT(flights), DB_TEXT(n->summary), DB_TEXT(text),
		    DB_NUM(n->confidence > 0 ? n->confidence : 0.5), DB_TEXT(now));
		*count += rc == OK;
	}
	arena_free(a);
	return rc;
}

static enum errcode put_all(struct db *db, struct notice_model *model, int64_t *n, struct err *e)
{
	struct db_stmt *s = db_prepare(db, sql_texts, e);
	enum db_step step;

	while ((step = db_step(s, e)) == DB_ROW)
		if (put_one(db, model, db_text(s, 0), db_text(s, 1), n, e) != OK) {
			db_done(s);
			return e->code;
		}
	return db_end(s, step, e);
}

static enum errcode fill(struct db *db, const char *airports_db, const char *out,
    struct notice_model *model, int64_t *n, struct err *e)
{
	enum errcode rc = db_exec(db, schema, e);

	if (rc == OK)
		rc = db_attach(db, airports_db, "src", e);
	if (rc == OK && !db_has_table(db, "src", "aip_entries"))
		return err_set(e, ERR_DATA, "%s: no table aip_entries, so there are no customs texts to read",
		    airports_db);
	if (rc == OK && access(out, F_OK) == 0) {
		rc = db_attach(db, out, "old", e);
		if (rc == OK && db_has_table(db, "old", "ga_notification_requirements"))
			rc = db_exec(db, sql_keep, e);
	}
	if (rc == OK)
		rc = db_exec(db, "BEGIN", e);
	if (rc == OK)
		rc = put_all(db, model, n, e);
	return rc == OK ? db_exec(db, "COMMIT", e) : rc;
}

enum errcode import_notices(const char *airports_db, const char *out, struct notice_model *model,
    int64_t *n, struct err *e)
{
	char *tmp = heap_printf("%s.new", out);
	struct db *db = NULL;
	enum errcode rc;
	int fd;

	*n = 0;
	rc = replace_begin(tmp, &fd, e);
	if (rc == OK)
		rc = db_open(&db, tmp, DB_CREATE, e);
	if (rc == OK)
		rc = fill(db, airports_db, out, model, n, e);
	db_close(db);
	if (rc == OK)
		rc = replace_file(tmp, out, e);
	if (rc != OK && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	free(tmp);
	return rc;
}
