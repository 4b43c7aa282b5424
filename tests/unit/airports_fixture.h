/*
 * A small airport database for tests: every case that a search or a filter must tell apart, in a
 * file that is removed with the fixture.
 */
#ifndef TESTS_UNIT_AIRPORTS_FIXTURE_H
#define TESTS_UNIT_AIRPORTS_FIXTURE_H

#include "airports/airdb.h"
#include "drivers/db.h"
#include "tests/unit/test.h"

static const char fixture_sql[] =
	"CREATE TABLE airports(icao_code TEXT PRIMARY KEY, name TEXT, type TEXT, latitude_deg REAL,"
	" longitude_deg REAL, elevation_ft REAL, continent TEXT, iso_country TEXT, iso_region TEXT,"
	" municipality TEXT, scheduled_service TEXT, gps_code TEXT, iata_code TEXT, local_code TEXT,"
	" home_link TEXT, wikipedia_link TEXT, keywords TEXT, sources TEXT);"
	"CREATE TABLE runways(id INTEGER PRIMARY KEY, airport_icao TEXT, le_ident TEXT,"
	" he_ident TEXT, length_ft REAL, width_ft REAL, surface TEXT, lighted INTEGER,"
	" closed INTEGER);"
	"CREATE TABLE procedures(id INTEGER PRIMARY KEY, airport_icao TEXT, name TEXT,"
	" procedure_type TEXT, approach_type TEXT);"
	"CREATE TABLE aip_entries(id INTEGER PRIMARY KEY, airport_icao TEXT, section TEXT,"
	" field TEXT, value TEXT, std_field TEXT, std_field_id INTEGER);"
	"CREATE TABLE border_crossing_points(id INTEGER PRIMARY KEY, icao_code TEXT,"
	" country_iso TEXT, airport_name TEXT, is_airport INTEGER, source TEXT,"
	" matched_airport_icao TEXT);"
	"INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, iso_country,"
	" municipality, iata_code) VALUES"
	/* around Lyon */
	" ('LFLY', 'Lyon-Bron Airport', 'medium_airport', 45.7294, 4.9389, 'FR', 'Lyon', 'LYN'),"
	" ('LFLL', 'Lyon Saint-Exupéry Airport', 'large_airport', 45.7256, 5.0811, 'FR', 'Lyon', 'LYS'),"
	" ('LFHJ', 'Corbas Airfield', 'small_airport', 45.6542, 4.9136, 'FR', 'Lyon', NULL),"
	" ('LFHI', 'Morestel Airfield', 'small_airport', 45.6878, 5.4536, 'FR', 'Morestel', NULL),"
	" ('LF52', 'Pré Vert Strip', 'small_airport', 45.70, 4.80, 'FR', NULL, NULL),"
	" ('FR-0042', 'Long Ident Strip', 'small_airport', 45.71, 4.90, 'FR', 'Lyon', NULL),"
	" ('LFHP', 'Lyon Hospital Heliport', 'heliport', 45.73, 4.90, 'FR', 'Lyon', NULL),"
	" ('LFXX', 'Lyon Old Field', 'closed', 45.73, 4.91, 'FR', 'Lyon', NULL),"
	" ('LFBL', 'Lyon Balloons', 'balloonport', 45.74, 4.91, 'FR', 'Lyon', NULL),"
	/* Switzerland, with an accent */
	" ('LSZH', 'Zürich Airport', 'large_airport', 47.4581, 8.5481, 'CH', 'Zürich', 'ZRH'),"
	" ('LSZK', 'Speck-Fehraltorf Airfield', 'small_airport', 47.3764, 8.7575, 'CH', 'Zürich', NULL),"
	/* both sides of the date line, and the poles */
	" ('NFNM', 'Matei Airport', 'small_airport', -16.6906, -179.8770, 'FJ', 'Matei', NULL),"
	" ('NFVB', 'Vuna Airport', 'small_airport', -16.7, 179.9, 'FJ', 'Vuna', NULL),"
	" ('NZSP', 'South Pole Skiway', 'small_airport', -90, 0, 'AQ', NULL, NULL),"
	" ('AQ01', 'Near the Pole', 'small_airport', -89.7, 150, 'AQ', NULL, NULL),"
	/* a code that is also a town elsewhere */
	" ('VYPA', 'Pauk Airport', 'small_airport', 21.4492, 94.4869, 'MM', 'Pauk', 'PAU'),"
	" ('LFBP', 'Pau Pyrénées Airport', 'medium_airport', 43.38, -0.4186, 'FR', 'Pau', 'PUF'),"
	/* a town that is also a country, and a place without a position or a country */
	" ('KJSY', 'Jersey Field', 'small_airport', 36.4, -94.6, 'US', 'Jersey', NULL),"
	" ('ZZZZ', 'Nowhere', 'small_airport', NULL, NULL, NULL, NULL, NULL);"
	"UPDATE airports SET elevation_ft = 659 WHERE icao_code = 'LFLY';"
	"INSERT INTO runways(airport_icao, le_ident, he_ident, length_ft, width_ft, surface, lighted,"
	" closed) VALUES"
	" ('LFLY', '16', '34', 5971, 148, 'ASP', 1, 0), ('LFLY', '16L', '34R', 2460.5, 60, 'GRASS', 0, 1),"
	" ('LFLL', '17L', '35R', 13123, 148, 'CON', 1, 0),"
	" ('LFHJ', '17', '35', 2690, 60, 'ASP', 0, 1), ('LFHJ', '17R', '35L', 2300, 98, 'Grass', 0, 0),"
	" ('LFHI', '09', '27', 2625, 49, 'GRASS', 0, 0),"
	" ('LSZH', '14', '32', 10827, 197, 'CON', 1, 0), ('LSZK', '12', '30', 2067, 50, 'grass', 0, 0),"
	" ('LFBP', '13', '31', 8202, 148, 'ASP', 1, 0);"
	"INSERT INTO procedures(airport_icao, name, procedure_type, approach_type) VALUES"
	" ('LFLY', 'ILS RWY 34', 'approach', 'ILS'), ('LFLY', 'RNP RWY 16', 'approach', 'RNP'),"
	" ('LFLL', 'ILS RWY 35R', 'approach', 'ILS'), ('LFBP', 'ILS RWY 31', 'approach', 'ILS');"
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id) VALUES"
	" ('LFLY', 'handling', 'Fuel', 'AVGAS 100LL, JET A-1', 'Fuel and oil types', 402),"
	" ('LFLY', 'operational', 'Customs', 'O/R', 'Customs and immigration', 302),"
	" ('LFLY', 'admin', 'Something', 'of no standard', NULL, NULL),"
	" ('LFLY', 'admin', 'Blank', '', 'Remarks', 208),"
	" ('LFLL', 'handling', 'Fuel', 'JET A-1. AVGAS: NIL', 'Fuel and oil types', 402),"
	" ('LFBP', 'handling', 'Fuel', '100 LL', 'Fuel and oil types', 402);"
	"INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, is_airport, source)"
	" VALUES ('LFLL', 'FR', 'Lyon', 1, 'test'), ('LFLY', 'FR', 'Bron', 1, 'test');";

struct airfix {
	char *dir;
	struct airdb *db;
	struct aircon *con;
	struct arena *mem;
};

static inline void airfix_start(struct airfix *f, const char *path, const char *change,
    bool all_idents)
{
	struct airdb_config c = { .all_idents = all_idents };
	struct err e = { OK, "" };

	f->dir = test_mkdtemp();
	f->mem = arena_new();
	if (path == NULL) {
		struct db *db;
		path = arena_printf(f->mem, "%s/airports.db", f->dir);
		TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
		TEST_OK(db_exec(db, fixture_sql, &e), e);
		TEST_OK(db_exec(db, change, &e), e);
		db_close(db);
	}
	c.path = path;
	c.index_path = arena_printf(f->mem, "%s/airports.index", f->dir);
	TEST_OK(airdb_index(&c, NULL, NULL, &e), e);
	TEST_OK(airdb_open(&f->db, &c, &e), e);
	TEST_OK(airdb_get(f->db, 10000, &f->con, &e), e);
}

/* Open `path`, or the database above if it is NULL, with the index in a folder of its own. */
static inline void airfix_open(struct airfix *f, const char *path, bool all_idents)
{
	airfix_start(f, path, "", all_idents);
}

/* The database above without the tables that public data lacks: procedures, points of entry,
 * AIP. */
static inline void airfix_open_bare(struct airfix *f)
{
	airfix_start(f, NULL, "DELETE FROM procedures; DELETE FROM border_crossing_points;"
	    "DELETE FROM aip_entries;", false);
}

static inline void airfix_close(struct airfix *f)
{
	airdb_put(f->con);
	airdb_close(f->db);
	arena_free(f->mem);
	test_rmdir(f->dir);
}

#endif
