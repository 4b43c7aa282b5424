/*
 * Looks up names of places in the index.
 */
#include "airports/gazetteer.h"

#include "base/str.h"
#include "drivers/db.h"

enum errcode gazetteer_find(struct aircon *con, struct arena *a, const char *key,
    struct gaz_hit **hits, size_t *n, struct err *e)
{
	static const char sql[] = "SELECT kind, weight, name, country, region, lat, lon, row FROM place "
		"WHERE key = ? ORDER BY kind, weight DESC, n LIMIT 64";
	struct db_stmt *s = aircon_prepare(con, sql, e);
	enum db_step rc;

	*n = 0;
	if (s == NULL)
		return e->code;
	*hits = arena_array(a, GAZ_HITS, sizeof(**hits));
	db_bind_text(s, 1, key);
	while ((rc = db_step(s, e)) == DB_ROW && *n < GAZ_HITS)
		(*hits)[(*n)++] = (struct gaz_hit){
			.kind = (enum gaz_kind)db_int_at(s, 0),
			.weight = db_double_at(s, 1),
			.name = arena_strdup(a, db_text(s, 2)),
			.country = arena_strdup(a, db_text(s, 3)),
			.region = arena_strdup(a, db_text(s, 4)),
			.lat = db_double_at(s, 5),
			.lon = db_double_at(s, 6),
			.row = db_int_at(s, 7),
		};
	db_done(s);
	if (rc != DB_FAIL)
		return OK;
	aircon_damaged(con);
	return e->code;
}

bool gazetteer_has(struct aircon *con, const char *key)
{
	static const char sql[] = "SELECT 1 FROM place WHERE key = ? LIMIT 1";
	struct db_stmt *s = key[0] != '\0' ? aircon_prepare(con, sql, NULL) : NULL;
	bool has = false;

	if (s != NULL) {
		db_bind_text(s, 1, key);
		has = db_step(s, NULL) == DB_ROW;
		db_done(s);
	}
	return has;
}
