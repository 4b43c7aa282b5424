/*
 * The rows come sorted by airport, so those of one airport are merged as details show them, then tested. Reading ends
 * when enough were found.
 */
#include "airports/procedure_list.h"

#include <string.h>

#include "airports/aircon.h"
#include "airports/airport_parts.h"
#include "airports/search_candidates.h"
#include "base/str.h"

static const char sql_all[] = "SELECT * FROM src.procedures ORDER BY airport_icao, rowid";
static const char sql_one[] = "SELECT * FROM src.procedures WHERE airport_icao = ? ORDER BY rowid";

struct procedure_listing {
	struct arena *mem;
	struct aircon *con;
	const struct procedure_wish *wish;
	size_t skipped, n;
	struct listed_procedure *out;
};

static bool fits(const char *wanted, const char *text)
{
	return wanted == NULL || (text != NULL && strieq(wanted, text));
}

static bool wanted(const struct procedure_wish *w, const struct procedure *p)
{
	return fits(w->type, p->type) && fits(w->approach_type, p->approach_type) && fits(w->runway, p->runway) &&
	    fits(w->authority, p->authority) && fits(w->source, p->source);
}

/* One airport's procedures. */
static enum errcode add_airport(struct procedure_listing *l, const char *ident, const struct procedure *v, size_t n,
    struct err *e)
{
	struct airport ap;
	bool found = false;
	size_t fitting = 0;

	for (size_t i = 0; i < n; i++)
		fitting += wanted(l->wish, &v[i]);
	if (fitting == 0)
		return OK;
	const enum errcode rc = airdb_by_code(l->con, l->mem, ident, &ap, &found, e);
	if (rc != OK || !found || !streq(ap.ident, ident) ||
	    !search_shows(&ap, aircon_all_idents(l->con)))
		return rc;
	for (size_t i = 0; i < n && l->n < l->wish->limit; i++) {
		if (!wanted(l->wish, &v[i]))
			continue;
		if (l->skipped < l->wish->offset) {
			l->skipped++;
			continue;
		}
		l->out[l->n++] = (struct listed_procedure){ v[i], ap.ident, ap.name };
	}
	return OK;
}

enum errcode procedure_list(struct aircon *con, struct arena *a, const struct procedure_wish *wish,
    struct listed_procedure **out, size_t *n, struct err *e)
{
	struct procedure_listing l = { .mem = a, .con = con, .wish = wish,
		.out = arena_array(a, wish->limit, sizeof(**out)) };
	struct procedure *v = arena_array(a, PARTS_MAX, sizeof(*v));
	struct db *db = aircon_db(con, e);
	struct db_stmt *s = wish->airport != NULL ? db_query(db, sql_one, e, DB_TEXT(wish->airport))
	    : db_prepare(db, sql_all, e);
	const char *ident = NULL;
	enum errcode rc = OK;
	enum db_step step;
	size_t count = 0;

	while ((step = db_step(s, e)) == DB_ROW && rc == OK && l.n < wish->limit) {
		const char *next = part_text(s, db_column(s, "airport_icao"));
		if (next == NULL)
			continue;
		if (ident == NULL || !streq(ident, next)) {
			if (ident != NULL)
				rc = add_airport(&l, ident, v, count, e);
			ident = arena_strdup(a, next);
			count = 0;
		}
		procedure_add(a, v, &count, s);
	}
	if (rc == OK && step != DB_FAIL && ident != NULL)
		rc = add_airport(&l, ident, v, count, e);
	*out = l.out;
	*n = l.n;
	return rc != OK ? (db_end(s, DB_END, NULL), rc) : db_end(s, step, e);
}
