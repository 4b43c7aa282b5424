#include "airports/airport_totals.h"

#include "airports/aircon.h"

enum errcode airport_totals(struct aircon *con, struct arena *a, const char *name, const char **json,
    struct err *e)
{
	static const char sql[] = "SELECT json FROM totals WHERE name = ?";
	const char *key = arena_printf(a, "%s%s", aircon_all_idents(con) ? "*" : "", name);
	struct db_stmt *s = db_query(aircon_db(con, e), sql, e, DB_TEXT(key));
	const enum db_step step = db_step(s, e);

	*json = NULL;
	if (step == DB_ROW)
		*json = arena_strdup(a, db_text(s, 0));
	const enum errcode rc = aircon_end(con, s, step, e);
	return rc != OK || *json != NULL ? rc : err_set(e, ERR_NOTFOUND, "there are no counts called %s", name);
}
