/*
 * Looks up names of places in the index.
 */
#include "airports/gazetteer.h"

#include <math.h>

#include "airports/aircon.h"
#include "airports/geo.h"
#include "base/str.h"

static const double
	same_place_nm = 40,           /* as in gazetteer_evidence.h */
	known_weight = 2;             /* lighter places are not looked for in a sentence */

/* A town that the airport database has too: the imported position is the better one. */
static bool merge(struct gaz_hit *hits, size_t n, const struct gaz_hit *place)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].kind == GAZ_CITY && streq(hits[i].country, place->country) &&
		    geo_distance_nm((struct point){ hits[i].lat, hits[i].lon },
		        (struct point){ place->lat, place->lon }) <= same_place_nm) {
			hits[i].lat = place->lat;
			hits[i].lon = place->lon;
			hits[i].weight = fmax(hits[i].weight, place->weight);
			return true;
		}
	return false;
}

/* Imported places after those of the index. */
static void add_imported(struct aircon *con, struct arena *a, const char *key, struct gaz_hit *hits,
    size_t *n)
{
	static const char sql[] = "SELECT p.weight, p.name, p.country, p.region, p.lat, p.lon "
		"FROM places.name n JOIN places.place p ON p.id = n.id WHERE n.key = ? "
		"ORDER BY n.rank LIMIT 64";
	const size_t own = *n;
	struct err e = { OK, "" };
	struct db_stmt *s = db_query(aircon_db(con, &e), sql, &e, DB_TEXT(key));
	enum db_step rc;

	while ((rc = db_step(s, &e)) == DB_ROW && *n < GAZ_HITS) {
		struct gaz_hit h = {
			.kind = GAZ_CITY,
			.weight = db_double_at(s, 0),
			.name = arena_strdup(a, db_text(s, 1)),
			.country = arena_strdup(a, db_text(s, 2)),
			.region = arena_strdup(a, db_text(s, 3)),
			.lat = db_double_at(s, 4),
			.lon = db_double_at(s, 5),
		};

		if (h.country != NULL && h.name != NULL && !isnan(h.lat) && !isnan(h.lon) &&
		    !merge(hits, own, &h))
			hits[(*n)++] = h;
	}
	if (db_end(s, rc, &e) != OK)
		aircon_lose_places(con, e.msg);
}

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
	if (aircon_end(con, s, rc, e) != OK)
		return e->code;
	if (aircon_has_places(con))
		add_imported(con, a, key, *hits, n);
	return OK;
}

bool gazetteer_has(struct aircon *con, const char *key)
{
	static const char sql[] = "SELECT 1 FROM place WHERE key = ? LIMIT 1";
	static const char sql_imported[] = "SELECT 1 FROM places.name WHERE key = ? AND rank <= ? LIMIT 1";
	struct db_stmt *s;
	bool has;

	if (key[0] == '\0')
		return false;
	s = db_query(aircon_db(con, NULL), sql, NULL, DB_TEXT(key));
	has = db_step(s, NULL) == DB_ROW;
	db_done(s);
	if (has || !aircon_has_places(con))
		return has;
	s = db_query(aircon_db(con, NULL), sql_imported, NULL, DB_TEXT(key), DB_NUM(-known_weight));
	has = db_step(s, NULL) == DB_ROW;
	db_done(s);
	return has;
}
