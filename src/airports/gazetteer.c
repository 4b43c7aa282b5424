/*
 * Looks up names of places in the index.
 */
#include "airports/gazetteer.h"

#include "airports/aircon.h"
#include "base/str.h"

enum errcode gazetteer_find(struct aircon *con, struct arena *a, const char *key,
    struct gaz_hit **hits, size_t *n, struct err *e)
{
	static const char sql[] = "SELECT kind, weight, name, country, region, lat, lon, row FROM place "
		"WHERE key = ? ORDER BY kind, weight DESC, n LIMIT 64";
	struct db_stmt *s = db_query(aircon_db(con, e), sql, e, DB_TEXT(key));
	enum db_step rc;

	*n = 0;
	*hits = arena_array(a, GAZ_HITS, sizeof(**hits));
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
	return aircon_end(con, s, rc, e);
}

bool gazetteer_has(struct aircon *con, const char *key)
{
	static const char sql[] = "SELECT 1 FROM place WHERE key = ? LIMIT 1";
	struct db_stmt *s;
	bool has;

	if (key[0] == '\0')
		return false;
	s = db_query(aircon_db(con, NULL), sql, NULL, DB_TEXT(key));
	has = db_step(s, NULL) == DB_ROW;
	db_done(s);
	return has;
}
