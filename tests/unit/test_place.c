/* Places: from what a pilot types to a point. */
#include "airports/place.h"

#include <math.h>

#include "airports/gazetteer.h"
#include "airports/geo.h"
#include "airports/import.h"
#include "airports/place_key.h"
#include "airports/euro_aip_schema.h"
#include "base/clock.h"
#include "base/str.h"
#include "drivers/db.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/test.h"

/* ---- coordinates ------------------------------------------------------- */

static const struct coord {
	const char *text;
	double lat, lon;              /* lat 99: refused */
} coords[] = {
	{ "48.85, 2.29", 48.85, 2.29 }, { "48.85,2.29", 48.85, 2.29 }, { "-33.9;151.2", -33.9, 151.2 },
	{ "48.85 2.29", 48.85, 2.29 }, { " 48.85 / 2.29 ", 48.85, 2.29 }, { "48, 2", 48, 2 },
	{ "48.85N 2.29E", 48.85, 2.29 }, { "N48.85 E2.29", 48.85, 2.29 }, { "48.85 s, 2.29 w", -48.85, -2.29 },
	{ "48°51'N 2°17'E", 48.85, 2 + 17 / 60. }, { "48°51′24″N 2°17′40″E", 48 + 51 / 60. + 24 / 3600., 2 + 17 / 60. + 40 / 3600. },
	{ "48° 51.4' N, 2° 17.5' E", 48 + 51.4 / 60, 2 + 17.5 / 60 }, { "48 51 24 N 2 17 40 E", 48 + 51 / 60. + 24 / 3600., 2 + 17 / 60. + 40 / 3600. },
	{ "N 48 51.5 W 002 17.5", 48 + 51.5 / 60, -2 - 17.5 / 60 }, { "N4851 E00217", 48.85, 2 + 17 / 60. },
	{ "4851N 00217E", 48.85, 2 + 17 / 60. }, { "485124N0021740E", 48 + 51 / 60. + 24 / 3600., 2 + 17 / 60. + 40 / 3600. },
	{ "N485124 E0021740", 48 + 51 / 60. + 24 / 3600., 2 + 17 / 60. + 40 / 3600. }, { "E2.29 N48.85", 48.85, 2.29 },
	{ "2.29E 48.85N", 48.85, 2.29 }, { "90, 180", 90, 180 }, { "0,0", 0, 0 }, { "S3356 W07047", -33 - 56 / 60., -70 - 47 / 60. },
	{ "48,85 2,29", 48.85, 2.29 }, { "48,85; 2,29", 48.85, 2.29 }, { "48,85N 2,29E", 48.85, 2.29 }, { "4851N00217E", 48.85, 2 + 17 / 60. },
	{ "434240N 0065740E", 43 + 42 / 60. + 40 / 3600., 6 + 57 / 60. + 40 / 3600. }, { "4342N00657E", 43.7, 6.95 },
	{ "4342.5N 00657.5E", 43 + 42.5 / 60, 6 + 57.5 / 60 }, { "43-42-40N 006-57-40E", 43 + 42 / 60. + 40 / 3600., 6 + 57 / 60. + 40 / 3600. },
	{ "43:42:40 N, 6:57:40 E", 43 + 42 / 60. + 40 / 3600., 6 + 57 / 60. + 40 / 3600. }, { "(48.85, 2.29)", 48.85, 2.29 },
	{ "lat 48.85, lon 2.29", 48.85, 2.29 }, { "Latitude: 48.85 Longitude: 2.29", 48.85, 2.29 }, { "+48.85, +002.29", 48.85, 2.29 },
	{ "-16.7, 179.99", -16.7, 179.99 }, { "S90 E0", -90, 0 },
	{ "48º51'24''N 2º17'40''E", 48 + 51 / 60. + 24 / 3600., 2 + 17 / 60. + 40 / 3600. },
	{ "91, 0", 99, 0 }, { "0, 181", 99, 0 }, { "48.85", 99, 0 }, { "", 99, 0 }, { "48 2", 99, 0 }, { "EGTF", 99, 0 },
	{ "48°61'N 2°17'E", 99, 0 }, { "48.5°30'N 2°E", 99, 0 }, { "N48 N2", 99, 0 }, { "48N 2", 99, 0 }, { "N-48 E2", 99, 0 },
	{ "48.85, 2.29, 3", 99, 0 }, { "48.85, 2.29 m", 99, 0 }, { "1e5, 2", 99, 0 }, { "N4861 E00217", 99, 0 },
	{ "123456789012345N 1E", 99, 0 }, { "N", 99, 0 }, { "S W", 99, 0 }, { "nan, nan", 99, 0 }, { "Essen", 99, 0 },
};

TEST(place, coordinates)
{
	for (size_t i = 0; i < sizeof(coords) / sizeof(coords[0]); i++) {
		double lat = 0, lon = 0;
		bool ok = place_coords(coords[i].text, &lat, &lon);

		cr_expect_eq(ok, coords[i].lat < 99, "%s: %g %g", coords[i].text, lat, lon);
		if (ok && coords[i].lat < 99) {
			cr_expect_float_eq(lat, coords[i].lat, 1e-9, "%s: %.12g", coords[i].text, lat);
			cr_expect_float_eq(lon, coords[i].lon, 1e-9, "%s: %.12g", coords[i].text, lon);
		}
	}
	cr_expect_not(place_coords(NULL, &(double){ 0 }, &(double){ 0 }));
}

/* What has the form of coordinates but is no place on Earth, and the words of the reason. */
static const struct {
	const char *text, *why;       /* NULL: the text is something else */
} impossible[] = {
	{ "91, 0", "latitude, which comes first" }, { "-122.3, 47.6", "latitude, which comes first" }, { "0, 181", "a longitude goes from" },
	{ "48°61'N 2°17'E", "minutes and seconds" }, { "N4861 E00217", "minutes and seconds" }, { "434299N 0065740E", "minutes and seconds" },
	{ "N48 N2", "both angles are latitudes" }, { "2E 3W", "both angles are longitudes" }, { "48N 2", "only one of the two" },
	{ "N-48 E2", "minus sign" }, { "48.5°30'N 2°E", NULL }, { "48°30.5'20\"N 2°E", NULL }, { "48512N 00217E", "4 or 6 digits" }, { "4851N 217E", "longitude" },
	{ "9000.5N 00000E", "latitude" }, { "48.85, 2.29, 3", NULL }, { "Essen", NULL }, { "48 2", NULL }, { "1e5, 2", NULL }, { "", NULL },
};

TEST(place, impossible_coordinates_have_a_reason)
{
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		const char *why = NULL;
		double lat, lon;
		enum coords c = place_coords_read(impossible[i].text, &lat, &lon, &why);

		if (impossible[i].why == NULL) {
			cr_expect_neq(c, COORDS_WRONG, "%s: %s", impossible[i].text, why);
			continue;
		}
		cr_expect_eq(c, COORDS_WRONG, "%s", impossible[i].text);
		cr_expect(why != NULL && strstr(why, impossible[i].why) != NULL, "%s: %s", impossible[i].text, why);
	}
}

/* ---- keys -------------------------------------------------------------- */

static const struct key {
	const char *text, *key, *spelt;
	bool said;
} keys[] = {
	{ "St. Gallen-Altenrhein Airport", "saint gallen altenrhein", "saint gallen altenrhein", true },
	{ "München", "munchen", "muenchen", false }, { "Nice-Côte d'Azur", "nice cote d azur", "nice cote d azur", false },
	{ "Paris  (Orly)", "paris orly", "paris orly", false }, { "International Airport", "international airport",
	    "international airport", true }, { "København", "kobenhavn", "koebenhavn", false }, { "", "", "", false },
	{ "---", "", "", false }, { "Ålesund", "alesund", "aalesund", false }, { "Москва", "Москва", "Москва", false },
};

TEST(place, keys)
{
	char key[PLACE_KEY_MAX], *huge = malloc(1000);
	bool said;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		place_key(key, keys[i].text, false, &said);
		if (keys[i].text[0] != '\xd0')
			cr_expect_str_eq(key, keys[i].key, "%s", keys[i].text);
		cr_expect_eq(said, keys[i].said, "%s", keys[i].text);
		place_key(key, keys[i].text, true, NULL);
		if (keys[i].text[0] != '\xd0')
			cr_expect_str_eq(key, keys[i].spelt, "%s", keys[i].text);
	}
	memset(huge, 'a', 999);
	huge[999] = '\0';
	place_key(key, huge, false, NULL);
	cr_expect_str_eq(key, "");
	huge[190] = '\0';
	place_key(key, huge, true, NULL);
	cr_expect_str_eq(key, "");
	place_key(key, NULL, false, NULL);
	cr_expect_str_eq(key, "");
	free(huge);
}

/* ---- a few airports ---------------------------------------------------- */

static const char rows_sql[] =
	"CREATE TABLE regions (code TEXT PRIMARY KEY, name TEXT);"
	"INSERT INTO regions VALUES('US-TX', 'Texas'), ('US-GA', 'Georgia'), ('DE-BY', 'Bayern');"
	"INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, iso_country, iso_region,"
	"  municipality, scheduled_service, iata_code) VALUES"
	" ('LFPG', 'Charles de Gaulle International Airport', 'large_airport', 49.01, 2.55, 'FR', 'FR-IDF',"
	"   'Paris (Roissy-en-France, Val-d''Oise)', 'yes', 'CDG'),"
	" ('LFPO', 'Paris-Orly Airport', 'large_airport', 48.72, 2.36, 'FR', 'FR-IDF', 'Paris (Orly, Val-de-Marne)', 'yes', 'ORY'),"
	" ('KPRX', 'Cox Field', 'medium_airport', 33.64, -95.45, 'US', 'US-TX', 'Paris', 'no', 'PRX'),"
	" ('KATL', 'Hartsfield Jackson Atlanta International Airport', 'large_airport', 33.64, -84.43, 'US', 'US-GA', 'Atlanta', 'yes', 'ATL'),"
	" ('UGTB', 'Tbilisi International Airport', 'large_airport', 41.67, 44.95, 'GE', 'GE-TB', 'Tbilisi', 'yes', 'TBS'),"
	" ('EDDM', 'Munich Airport', 'large_airport', 48.35, 11.79, 'DE', 'DE-BY', 'Munich', 'yes', 'MUC'),"
	" ('LIMC', 'Milan Malpensa International Airport', 'large_airport', 45.63, 8.73, 'IT', 'IT-25', 'Ferno (VA)', 'yes', 'MXP'),"
	" ('EGSC', 'Cambridge City Airport', 'medium_airport', 52.2, 0.18, 'GB', 'GB-ENG', 'Cambridge, Cambridgeshire', 'no', 'CBG'),"
	" ('KCGE', 'Cambridge Dorchester Airport', 'medium_airport', 38.5, -76.0, 'US', 'US-MD', 'Cambridge', 'yes', 'CGE'),"
	" ('KBOS', 'Boston Logan International Airport', 'large_airport', 42.36, -71.0, 'US', 'US-MA', 'Boston', 'yes', 'BOS'),"
	" ('EGBO', 'Boston Aerodrome', 'small_airport', 52.97, -0.07, 'GB', 'GB-ENG', 'Boston', 'no', NULL),"
	" ('FARO', 'Rooiberg Airport', 'small_airport', -24.8, 27.7, 'ZA', 'ZA-LP', 'Rooiberg', 'no', NULL),"
	" ('LPFR', 'Faro Airport', 'large_airport', 37.01, -7.97, 'PT', 'PT-08', 'Faro', 'yes', 'FAO'),"
	" ('VYPA', 'Pauk Airport', 'small_airport', 21.4, 94.5, 'MM', 'MM-03', 'Pauk', 'no', 'PAU'),"
	" ('LFBP', 'Pau Pyrénées Airport', 'medium_airport', 43.38, -0.42, 'FR', 'FR-NAQ', 'Pau/Pyrénées (Uzein)', 'yes', 'PUF'),"
	" ('EGTF', 'Fairoaks Airport', 'small_airport', 51.35, -0.56, 'GB', 'GB-ENG', 'Woking, Surrey', 'no', NULL),"
	" ('EDTG', 'Göttingen Flugplatz', 'small_airport', 51.5, 9.9, 'DE', 'DE-NI', 'Göttingen', 'no', NULL),"
	" ('LSMD', 'Duebendorf Field', 'small_airport', 47.4, 8.65, 'CH', 'CH-ZH', 'Duebendorf', 'no', NULL),"
	" ('LFOI', 'Abbeville-Buigny Baie de Somme Airfield', 'medium_airport', 50.14, 1.83, 'FR', 'FR-HDF', 'Buigny-Saint-Maclou', 'no', NULL),"
	" ('SC81', 'Abbeville Airport', 'small_airport', 34.15, -82.35, 'US', 'US-SC', 'Abbeville', 'no', NULL),"
	" ('EDTF', 'Schwarzwald Airfield', 'small_airport', 47.99, 7.85, 'DE', 'DE-BW', 'Freiburg im Breisgau', 'no', NULL),"
	" ('LFMA', 'Les Milles Airfield', 'small_airport', 43.53, 5.45, 'FR', 'FR-PAC', 'Aix-en-Provence', 'no', NULL),"
	" ('LFHS', 'Ceyzériat Airfield', 'small_airport', 46.21, 5.23, 'FR', 'FR-ARA', 'Bourg-en-Bresse', 'no', NULL),"
	" ('LO-1', 'Pongau Field', 'small_airport', 47.35, 13.2, 'AT', 'AT-5', 'Sankt Johann im Pongau', 'no', NULL),"
	" ('LFOK', 'Vatry Airport', 'medium_airport', 48.78, 4.18, 'FR', 'FR-GES', 'Châlons-en-Champagne', 'no', NULL),"
	" ('DE-1', 'Floriansberg Field', 'small_airport', 48.17, 10.47, 'DE', 'DE-BY', 'Kirchheim in Schwaben', 'no', NULL),"
	" ('LFLJ', 'Courchevel Altiport', 'small_airport', 45.4, 6.63, 'FR', 'FR-ARA', 'Saint-Bon', 'no', NULL),"
	" ('LSZR', 'St. Gallen-Altenrhein Airport', 'medium_airport', 47.49, 9.56, 'CH', 'CH-SG', 'St. Gallen', 'yes', 'ACH'),"
	" ('EDXR', 'Rendsburg-Schachtholm Airfield', 'small_airport', 54.22, 9.6, 'DE', 'DE-SH', 'Rendsburg', 'no', NULL),"
	" ('KRPJ', 'Rochelle Municipal Airport', 'small_airport', 41.89, -89.08, 'US', 'US-IL', 'Rochelle', 'no', NULL),"
	" ('LFBH', 'La Rochelle-Île de Ré Airport', 'medium_airport', 46.18, -1.2, 'FR', 'FR-NAQ', 'La Rochelle', 'yes', 'LRH'),"
	" ('XX-1', 'Most Field', 'small_airport', 50, 13, 'CZ', NULL, 'Most', 'no', NULL),"
	" ('KNEW', 'Lakefront Airport', 'medium_airport', 30.04, -90.03, 'US', 'US-LA', 'New Orleans', 'no', 'NEW'),"
	" ('KJFK', 'John F Kennedy International Airport', 'large_airport', 40.64, -73.78, 'US', 'US-NY', 'New York', 'yes', 'JFK');";

struct fix {
	struct arena *mem;
	char *dir;
	struct airdb *db;
	struct aircon *con;
	struct err e;
};

static void open_at(struct fix *f, const char *path)
{
	struct airdb_config c = { .path = path, .connections = 1,
		.index_path = arena_printf(f->mem, "%s/index", f->dir) };

	TEST_OK(airdb_index(&c, NULL, NULL, &f->e), f->e);
	TEST_OK(airdb_open(&f->db, &c, &f->e), f->e);
	TEST_OK(airdb_get(f->db, 30000, &f->con, &f->e), f->e);
}

static void setup(struct fix *f)
{
	const char *path;
	struct db *db;

	*f = (struct fix){ .mem = arena_new(), .dir = test_mkdtemp() };
	path = arena_printf(f->mem, "%s/a.db", f->dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &f->e), f->e);
	TEST_OK(db_exec(db, euro_aip_tables, &f->e), f->e);
	TEST_OK(db_exec(db, rows_sql, &f->e), f->e);
	db_close(db);
	open_at(f, path);
}

static void finish(struct fix *f)
{
	airdb_put(f->con);
	airdb_close(f->db);
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static const struct said {
	const char *text, *hint;
	double lat, lon;              /* lat 99: not found */
	enum place_source source;
	const char *label;            /* NULL: not looked at; not found: part of why */
} said[] = {
	{ "EGTF", NULL, 51.35, -0.56, PLACE_IDENT, "Fairoaks Airport (EGTF)" },
	{ " egtf ", NULL, 51.35, -0.56, PLACE_IDENT, NULL },
	{ "cdg", NULL, 49.01, 2.55, PLACE_IATA, NULL }, { "ORY", NULL, 48.72, 2.36, PLACE_IATA, NULL },
	{ "Fairoaks", NULL, 51.35, -0.56, PLACE_GAZETTEER, "Fairoaks Airport (EGTF)" },
	{ "fairoaks aerodrome", NULL, 51.35, -0.56, PLACE_GAZETTEER, NULL },
	{ "Fairoaks Airport (EGTF)", NULL, 51.35, -0.56, PLACE_IDENT, NULL },
	{ "EGTF Fairoaks", NULL, 51.35, -0.56, PLACE_IDENT, NULL }, { "JFK airport", NULL, 40.64, -73.78, PLACE_IATA, NULL },
	{ "NEW YORK", NULL, 40.71, -74.01, PLACE_GAZETTEER, NULL },
	/* a code that is also a city */
	{ "FARO", NULL, -24.8, 27.7, PLACE_IDENT, NULL }, { "Faro", NULL, 37.01, -7.97, PLACE_GAZETTEER, "Faro, Portugal" },
	{ "faro", NULL, 37.01, -7.97, PLACE_GAZETTEER, NULL }, { "Pau", NULL, 43.38, -0.42, PLACE_GAZETTEER, NULL },
	{ "pau", NULL, 43.38, -0.42, PLACE_GAZETTEER, NULL }, { "PAU", NULL, 21.4, 94.5, PLACE_IATA, NULL },
	/* a rare word from the middle of a name */
	{ "Schachtholm", NULL, 54.22, 9.6, PLACE_GAZETTEER, "Rendsburg-Schachtholm Airfield (EDXR)" },
	/* which of several */
	{ "Paris", NULL, 48.86, 2.35, PLACE_GAZETTEER, "Paris, France" }, { "paris", NULL, 48.86, 2.35, PLACE_GAZETTEER, NULL },
	{ "Paris, Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, "Paris, Texas, United States" },
	{ "Paris in Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL }, { "Paris, TX", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL },
	{ "Paris Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL }, { "Paris TX", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL },
	{ "Paris, Texas, USA", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL }, { "Paris, USA", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL },
	{ "Paris (FR)", NULL, 48.86, 2.35, PLACE_GAZETTEER, NULL }, { "Paris", "US", 33.64, -95.45, PLACE_GAZETTEER, NULL },
	{ "Paris, France", "US", 48.86, 2.35, PLACE_GAZETTEER, NULL }, { "Paris", "IT", 48.86, 2.35, PLACE_GAZETTEER, NULL },
	{ "Cambridge", NULL, 52.2, 0.12, PLACE_GAZETTEER, "Cambridge, United Kingdom" },
	/* a part of a country, behind "in" of each language */
	{ "Cambridge in East Anglia", NULL, 52.2, 0.12, PLACE_GAZETTEER, NULL },
	{ "Paris dans le Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL }, { "Paris, l’Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL },
	{ "Paris im Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL }, { "Paris, THE USA", NULL, 33.64, -95.45, PLACE_GAZETTEER, NULL },
	/* such a word in the name of the town, too */
	{ "Freiburg im Breisgau in Germany", NULL, 47.99, 7.85, PLACE_GAZETTEER, NULL },
	{ "Aix en Provence in France", NULL, 43.53, 5.45, PLACE_GAZETTEER, NULL },
	{ "Bourg en Bresse in France", NULL, 46.21, 5.23, PLACE_GAZETTEER, NULL },
	{ "Châlons en Champagne in France", NULL, 48.78, 4.18, PLACE_GAZETTEER, NULL },
	{ "Sankt Johann im Pongau in Österreich", NULL, 47.35, 13.2, PLACE_GAZETTEER, NULL },
	{ "Kirchheim in Schwaben in Germany", NULL, 48.17, 10.47, PLACE_GAZETTEER, NULL },
	{ "Cambridge UK", NULL, 52.2, 0.12, PLACE_GAZETTEER, NULL }, { "Cambridge, USA", NULL, 38.5, -76, PLACE_GAZETTEER, NULL },
	{ "Boston", NULL, 42.36, -71.06, PLACE_GAZETTEER, NULL }, { "Boston, England", NULL, 52.97, -0.07, PLACE_GAZETTEER, NULL },
	{ "Atlanta, Georgia", NULL, 33.64, -84.43, PLACE_GAZETTEER, NULL },
	{ "Tbilisi, Georgia", NULL, 41.72, 44.79, PLACE_GAZETTEER, NULL },
	/* a town by the hyphen in its airport's name, which names a suburb next */
	{ "Abbeville", NULL, 50.14, 1.83, PLACE_GAZETTEER, "Abbeville, France" }, { "Abbeville, USA", NULL, 34.15, -82.35, PLACE_GAZETTEER, NULL },
	/* a name that has lost its article: a place of a likely country comes before one far away with the bare name */
	{ "Rochelle", NULL, 46.18, -1.2, PLACE_GAZETTEER, "La Rochelle, France" }, { "Rochelle, France", NULL, 46.18, -1.2, PLACE_GAZETTEER, NULL },
	{ "Rochelle, USA", NULL, 41.89, -89.08, PLACE_GAZETTEER, NULL }, { "Rochelle", "US", 41.89, -89.08, PLACE_GAZETTEER, NULL },
	/* spelling and language */
	{ "Munich", NULL, 48.14, 11.58, PLACE_GAZETTEER, NULL }, { "München", NULL, 48.14, 11.58, PLACE_GAZETTEER, NULL },
	{ "MUENCHEN", NULL, 48.14, 11.58, PLACE_GAZETTEER, NULL }, { "munchen", NULL, 48.14, 11.58, PLACE_GAZETTEER, NULL },
	{ "Milan", NULL, 45.46, 9.19, PLACE_GAZETTEER, NULL }, { "Milano", NULL, 45.46, 9.19, PLACE_GAZETTEER, NULL },
	{ "Malpensa", NULL, 45.63, 8.73, PLACE_GAZETTEER, NULL }, { "Goettingen", NULL, 51.53, 9.93, PLACE_GAZETTEER, NULL },
	{ "Gottingen", NULL, 51.53, 9.93, PLACE_GAZETTEER, NULL }, { "Dübendorf", NULL, 47.4, 8.65, PLACE_GAZETTEER, NULL },
	{ "Saint Gallen", NULL, 47.42, 9.37, PLACE_GAZETTEER, NULL }, { "Sankt Gallen", NULL, 47.42, 9.37, PLACE_GAZETTEER, NULL },
	/* airports by name */
	{ "Munich airport", NULL, 48.35, 11.79, PLACE_GAZETTEER, "Munich Airport (EDDM)" },
	{ "Milan airport", NULL, 45.63, 8.73, PLACE_GAZETTEER, "Milan Malpensa International Airport (LIMC)" },
	{ "Charles de Gaulle", NULL, 49.01, 2.55, PLACE_GAZETTEER, NULL }, { "Orly", NULL, 48.72, 2.36, PLACE_GAZETTEER, NULL },
	{ "Jackson Atlanta", NULL, 33.64, -84.43, PLACE_GAZETTEER, NULL }, { "Courchevel", NULL, 45.4, 6.63, PLACE_GAZETTEER, NULL },
	/* areas */
	{ "Texas", NULL, 33.64, -95.45, PLACE_GAZETTEER, "Texas, United States" },
	{ "Bavaria", NULL, 49, 11.35, PLACE_AREA, "Bavaria, Germany" }, { "Portugal", NULL, 37.01, -7.97, PLACE_GAZETTEER, "Portugal" },
	{ "the Paris area", NULL, 48.86, 2.35, PLACE_GAZETTEER, NULL }, { "close to Paris city", NULL, 48.86, 2.35, PLACE_GAZETTEER, NULL },
	{ "near", NULL, 99, 0, 0, "" }, { "near Faro", NULL, 37.01, -7.97, PLACE_GAZETTEER, NULL },
	{ "48.85, 2.29", NULL, 48.85, 2.29, PLACE_COORDS, "48.8500, 2.2900" },
	/* a town by another name, and a word of the airport's */
	{ "Mailand Malpensa", NULL, 45.63, 8.73, PLACE_GAZETTEER, "Milan Malpensa International Airport (LIMC)" },
	{ "Munich Malpensa", NULL, 99, 0, 0, "known" },
	/* slips of the finger */
	{ "Fairoks", NULL, 51.35, -0.56, PLACE_GAZETTEER, "Fairoaks Airport (EGTF)" },
	{ "Fairoaskk", NULL, 51.35, -0.56, PLACE_GAZETTEER, NULL }, { "Milnao", NULL, 45.46, 9.19, PLACE_GAZETTEER, NULL },
	{ "Gottinge", NULL, 51.53, 9.93, PLACE_GAZETTEER, NULL }, { "Cambrige, UK", NULL, 52.2, 0.12, PLACE_GAZETTEER, NULL },
	{ "Fairxxks", NULL, 99, 0, 0, "known" }, { "Parsi", NULL, 99, 0, 0, "known" }, { "Ciambridge", NULL, 99, 0, 0, "known" },
	/* not found, and why */
	{ "Nowhereville", NULL, 99, 0, 0, "\"Nowhereville\" is known" },
	{ "Paris, Germany", NULL, 99, 0, 0, "\"Paris\" is known, but not in Germany" },
	{ "Atlantis, France", NULL, 99, 0, 0, "is known in France" },
	{ "", NULL, 99, 0, 0, "no place" }, { "  ", NULL, 99, 0, 0, "no place" }, { "\xff\xff", NULL, 99, 0, 0, "not the name" },
	{ ",", NULL, 99, 0, 0, "" }, { "()", NULL, 99, 0, 0, "" }, { " in ", NULL, 99, 0, 0, "" }, { "'; DROP TABLE place; --", NULL, 99, 0, 0, "" },
	{ "(EGTF", NULL, 99, 0, 0, "" }, { "a", NULL, 99, 0, 0, "" },
};

TEST(place, resolves)
{
	struct fix f;

	setup(&f);
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		const struct said *s = &said[i];
		struct place p;
		bool found;

		TEST_OK(place_resolve(f.con, f.mem, NULL, s->text, s->hint, &p, &found, &f.e), f.e);
		cr_expect_eq(found, s->lat < 99, "%s: %s", s->text, found ? p.label : p.why);
		if (!found) {
			cr_expect(p.why != NULL && (s->label == NULL || strstr(p.why, s->label) != NULL), "%s: %s",
			    s->text, p.why);
			continue;
		}
		if (s->lat >= 99)
			continue;
		cr_expect(fabs(p.lat - s->lat) < 0.02 && fabs(p.lon - s->lon) < 0.02, "%s: %g %g %s", s->text, p.lat,
		    p.lon, p.label);
		cr_expect_eq(p.source, s->source, "%s: %d", s->text, p.source);
		if (s->label != NULL)
			cr_expect_str_eq(p.label, s->label, "%s", s->text);
		cr_expect(!p.is_airport || (p.airport.ident != NULL && p.airport.lat == p.lat));
	}
	finish(&f);
}

/* A region that is not in the data was passed over in silence: "Paris, Atlantis" was Paris, France. */
TEST(place, a_part_that_is_not_known_is_told)
{
	static const struct { const char *text, *ignored; } rows[] = {
		{ "Paris, Texas", NULL }, { "Paris, France", NULL }, { "Paris", NULL },
		{ "Paris, Atlantis", "Atlantis" }, { "Paris, Atlantis, France", "Atlantis" },
		{ "Paris, Lemuria, Atlantis", "Lemuria, Atlantis" },
	};
	struct fix f;

	setup(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct place p;
		bool found;

		TEST_OK(place_resolve(f.con, f.mem, NULL, rows[i].text, NULL, &p, &found, &f.e), f.e);
		cr_expect(found, "%s", rows[i].text);
		cr_expect(p.ignored == rows[i].ignored || (p.ignored != NULL && rows[i].ignored != NULL &&
		    streq(p.ignored, rows[i].ignored)), "%s: %s", rows[i].text, p.ignored);
	}
	finish(&f);
}

TEST(place, known)
{
	struct fix f;

	setup(&f);
	cr_expect(place_known(f.con, "paris"));
	cr_expect(place_known(f.con, "munchen"));
	cr_expect(place_known(f.con, "fairoaks"));
	cr_expect(place_known(f.con, "fairoaks airport"));
	cr_expect(place_known(f.con, "texas"));
	cr_expect(place_known(f.con, "saint gallen"));
	cr_expect_not(place_known(f.con, "most"), "a word first, a town second");
	cr_expect_not(place_known(f.con, "pari"));
	cr_expect_not(place_known(f.con, ""));
	cr_expect_not(place_known(f.con, "#tx"));
	cr_expect_not(place_known(f.con, "@FR"));
	finish(&f);
}

/* ---- the geocoder ------------------------------------------------------ */

struct canned {
	struct geocoder geocoder;
	enum errcode rc;
	bool finds;
	const char *asked, *country;
	const struct watch *watch;
	struct airdb *db;             /* looked into meanwhile, as by another turn */
	enum errcode other;           /* … and what came of it */
};

static enum errcode look(struct geocoder *g, struct arena *a, const struct place_said *asked,
    const struct watch *w, struct place *out, bool *found, struct err *e)
{
	struct canned *c = (struct canned *)g;
	struct aircon *con;
	struct airport airport;

	c->asked = arena_strdup(a, asked->text);
	c->country = asked->country;
	c->watch = w;
	if (c->db != NULL && (c->other = airdb_get(c->db, 0, &con, NULL)) == OK) {
		c->other = airdb_by_code(con, a, "EGTF", &airport, found, NULL);
		airdb_put(con);
	}
	*found = c->finds;
	if (c->rc != OK)
		return err_set(e, c->rc, "no answer");
	if (c->finds)
		*out = (struct place){ .source = PLACE_GEOCODER, .lat = 1, .lon = 2, .label = "There" };
	return OK;
}

TEST(place, geocoder_comes_before_the_gazetteer)
{
	struct canned c = { .geocoder = { look }, .finds = true };
	const struct watch w = { .fd = -1 };
	const struct place_context g = { &c.geocoder, &w, NULL, NULL };
	struct place p;
	struct fix f;
	bool found;

	setup(&f);
	TEST_OK(place_resolve(f.con, f.mem, &g, "Paris", "FR", &p, &found, &f.e), f.e);
	cr_expect(found && p.source == PLACE_GEOCODER);
	cr_expect_str_eq(c.asked, "Paris");
	cr_expect_str_eq(c.country, "FR");
	cr_expect_eq(c.watch, &w);
	/* but after codes and coordinates */
	c.asked = NULL;
	TEST_OK(place_resolve(f.con, f.mem, &g, "EGTF", NULL, &p, &found, &f.e), f.e);
	TEST_OK(place_resolve(f.con, f.mem, &g, "1, 2", NULL, &p, &found, &f.e), f.e);
	cr_expect_null(c.asked);
	/* it does not know, or does not answer: the gazetteer may */
	c.finds = false;
	TEST_OK(place_resolve(f.con, f.mem, &g, "Paris", NULL, &p, &found, &f.e), f.e);
	cr_expect(found && p.source == PLACE_GAZETTEER);
	c.rc = ERR_UPSTREAM;
	TEST_OK(place_resolve(f.con, f.mem, &g, "Paris", NULL, &p, &found, &f.e), f.e);
	cr_expect(found && p.source == PLACE_GAZETTEER);
	TEST_OK(place_resolve(f.con, f.mem, &g, "Nowhereville", NULL, &p, &found, &f.e), f.e);
	cr_expect_not(found);
	finish(&f);
}

/* Of one connection in all, another turn gets it while the geocoder is asked. */
TEST(place, no_connection_is_held_while_the_geocoder_is_asked)
{
	struct canned c = { .geocoder = { look }, .finds = true, .other = ERR_INTERNAL };
	const struct place_context g = { &c.geocoder, NULL, NULL, NULL };
	struct place p;
	struct fix f;
	bool found;

	setup(&f);
	c.db = f.db;
	TEST_OK(place_resolve(f.con, f.mem, &g, "Paris", NULL, &p, &found, &f.e), f.e);
	cr_expect(found && p.source == PLACE_GEOCODER);
	cr_expect_eq(c.other, OK);
	TEST_OK(place_airport(f.con, f.mem, &g, "Paris", PLACE_MAIN, 30, &p, &found, &f.e), f.e);
	cr_expect_eq(c.other, OK);
	finish(&f);
}

/* A reader who has gone, or a turn that is over, is no geocoder that is away. */
TEST(place, what_ends_the_watch_ends_the_look_up)
{
	static const enum errcode codes[] = { ERR_HUP, ERR_TIMEOUT, ERR_OVERLOAD };
	struct place p;
	struct fix f;
	bool found;

	setup(&f);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct canned c = { .geocoder = { look }, .rc = codes[i] };
		const struct place_context g = { &c.geocoder, NULL, NULL, NULL };

		cr_expect_eq(place_resolve(f.con, f.mem, &g, "Paris", NULL, &p, &found, &f.e), codes[i]);
		cr_expect_not(found);
		cr_expect_eq(place_airport(f.con, f.mem, &g, "Paris", PLACE_END, 30, &p, &found, &f.e),
		    codes[i]);
		cr_expect_not(found);
	}
	finish(&f);
}

/* ---- nearest ----------------------------------------------------------- */

static const struct near {
	double lat, lon;
	const char *country;
	double max;
	const char *ident;            /* NULL: none */
} near[] = {
	{ 45.70, 4.93, NULL, 100, "LFLY" }, { 45.66, 4.9136, NULL, 100, "LFHJ" }, { 47.45, 8.55, "CH", 100, "LSZH" },
	{ 46.6, 6.8, "CH", 100, "LSZH" }, { 46.6, 6.8, NULL, 100, "LFHI" }, { 46.6, 6.8, "DE", 100, "LFHI" },
	{ 45.73, 4.90, NULL, 1, "LFHP" }, { -16.7, 179.99, NULL, 20, "NFVB" }, { -16.69, -179.99, NULL, 20, "NFVB" },
	{ -16.69, -179.9, NULL, 20, "NFNM" }, { -89.9, 77, NULL, 30, "NZSP" }, { 0, 0, NULL, 100, NULL }, { 45.73, 4.85, NULL, 0.5, NULL },
};

TEST(place, nearest)
{
	struct airfix f;
	struct err e = { OK, "" };

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
		struct airport a;
		double nm = -1;
		bool found;

		TEST_OK(place_nearest(f.con, f.mem, near[i].lat, near[i].lon, near[i].country, near[i].max, &a, &nm,
		    &found, &e), e);
		cr_expect_eq(found, near[i].ident != NULL, "row %zu: %s", i, found ? a.ident : "");
		if (!found || near[i].ident == NULL)
			continue;
		cr_expect_str_eq(a.ident, near[i].ident, "row %zu: %s", i, a.ident);
		cr_expect_leq(nm, near[i].max);
		cr_expect_float_eq(nm, geo_distance_nm((struct point){ near[i].lat, near[i].lon },
		    (struct point){ a.lat, a.lon }), 1e-9);
	}
	airfix_close(&f);
}

/* Of the airports that bear a town's name the one with the longest runway stands for it, wherever in
 * the table those stand whose runways nobody recorded. */
TEST(place, runways_nobody_recorded_are_the_shortest)
{
	static const char change[] =
	    "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, iso_country,"
	    " municipality) VALUES ('ZZA1', 'Aaa', 'small_airport', 50.00, 8, 'DE', 'Testville'),"
	    " ('ZZA2', 'Bbb', 'small_airport', 50.01, 8, 'DE', 'Testville'),"
	    " ('ZZA3', 'Ccc', 'small_airport', 50.02, 8, 'DE', 'Testville'),"
	    " ('ZZA4', 'Ddd', 'small_airport', 50.03, 8, 'DE', 'Testville'),"
	    " ('ZZA5', 'Eee', 'small_airport', 50.04, 8, 'DE', 'Testville'),"
	    " ('ZZA6', 'Fff', 'small_airport', 50.05, 8, 'DE', 'Testville');"
	    "INSERT INTO runways(airport_icao, length_ft, surface, closed) VALUES"
	    " ('ZZA2', 2000, 'ASP', 0), ('ZZA4', 6000, 'ASP', 0), ('ZZA6', 4000, 'ASP', 0);";
	struct airfix f;
	struct gaz_hit *hits;
	struct airport a;
	struct err e = { OK, "" };
	size_t n;

	airfix_start(&f, NULL, change, true);
	TEST_OK(gazetteer_find(f.con, f.mem, "testville", &hits, &n, &e), e);
	cr_assert_eq(n, (size_t)1);
	TEST_OK(airdb_by_rows(f.con, f.mem, &hits[0].row, 1, &a, &e), e);
	cr_expect_str_eq(a.ident, "ZZA4");
	airfix_close(&f);
}

/* ---- the real set ------------------------------------------------------ */

static const struct real {
	const char *text;
	double lat, lon, within_nm;
} real[] = {
	{ "Paris", 48.86, 2.35, 10 }, { "Paris, Texas", 33.66, -95.55, 10 }, { "Paris in Texas", 33.66, -95.55, 10 },
	{ "London", 51.51, -0.13, 2 }, { "London Ontario", 42.98, -81.25, 15 }, { "Cambridge", 52.2, 0.12, 10 },
	{ "Birmingham", 52.48, -1.9, 10 }, { "Birmingham, Alabama", 33.52, -86.8, 15 }, { "Zurich", 47.38, 8.54, 10 },
	{ "Zürich", 47.38, 8.54, 10 }, { "Muenchen", 48.14, 11.58, 20 }, { "Vienna", 48.21, 16.37, 15 },
	{ "Wien", 48.21, 16.37, 15 }, { "Köln", 50.94, 6.96, 12 }, { "Cologne", 50.94, 6.96, 12 }, { "Milano", 45.46, 9.19, 20 },
	{ "Florence", 43.77, 11.26, 10 }, { "Venice", 45.44, 12.32, 10 }, { "Rome", 41.9, 12.5, 15 }, { "Naples", 40.85, 14.27, 10 },
	{ "Turin", 45.07, 7.69, 15 }, { "Genoa", 44.41, 8.93, 10 }, { "Geneva", 46.2, 6.15, 10 }, { "Prague", 50.08, 14.44, 10 },
	{ "Warsaw", 52.23, 21.01, 20 }, { "Copenhagen", 55.68, 12.57, 10 }, { "Gothenburg", 57.71, 11.97, 15 },
	{ "Lisbon", 38.72, -9.14, 10 }, { "Seville", 37.39, -5.98, 10 }, { "Athens", 37.98, 23.73, 15 }, { "Brussels", 50.85, 4.35, 15 },
	{ "Antwerp", 51.22, 4.4, 10 }, { "Bruges", 51.21, 3.22, 15 }, { "The Hague", 52.08, 4.3, 12 }, { "Nuremberg", 49.45, 11.08, 10 },
	{ "Hanover", 52.37, 9.73, 10 }, { "Basel", 47.56, 7.59, 10 }, { "Lucerne", 47.05, 8.31, 10 }, { "Lyon", 45.76, 4.84, 15 },
	{ "Nice", 43.7, 7.27, 10 }, { "Nice Cote d'Azur", 43.66, 7.22, 5 }, { "Gatwick", 51.15, -0.18, 5 }, { "Heathrow", 51.47, -0.46, 5 },
	{ "Le Bourget", 48.97, 2.44, 5 }, { "Biggin Hill", 51.33, 0.03, 5 }, { "Corsica", 42.1, 9.1, 40 }, { "Isle of Man", 54.08, -4.63, 15 },
	{ "Jersey", 49.21, -2.2, 10 }, { "Faro", 37.01, -7.93, 10 }, { "Lima", -12.05, -77.04, 10 }, { "Ulm", 48.4, 9.99, 20 },
	{ "Stockholm", 59.33, 18.07, 5 }, { "Oslo", 59.91, 10.75, 5 }, { "Siena", 43.32, 11.33, 5 }, { "Majorca", 39.6, 2.9, 25 }, { "Perth, Scotland", 56.4, -3.43, 10 },
	{ "Mons", 50.45, 3.95, 5 },       /* not Møn */
	{ "Havre", 49.49, 0.11, 5 }, { "Rochelle", 46.16, -1.15, 5 }, { "Spezia", 44.1, 9.82, 5 }, { "Gruyère", 46.59, 7.09, 5 },
	{ "St Tropez", 43.27, 6.64, 12 }, { "Atlanta, Georgia", 33.75, -84.39, 10 }, { "Salzburg", 47.8, 13.05, 10 },
};

TEST(place, real_set, .timeout = 240)
{
	const char *file = test_data("ourairports/airports.csv.gz");
	struct import_options o = { 0 };
	struct import_stats stats;
	struct fix f = { 0 };

	if (file == NULL) {
		test_skip("no data");
		return;
	}
	f.mem = arena_new();
	f.dir = test_mkdtemp();
	o.dir = arena_printf(f.mem, "%.*s", (int)(strrchr(file, '/') - file), file);
	o.out = arena_printf(f.mem, "%s/a.db", f.dir);
	TEST_OK(import_ourairports(&o, NULL, NULL, &stats, &f.e), f.e);
	open_at(&f, o.out);
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++) {
		struct place p;
		bool found;
		double off;

		TEST_OK(place_resolve(f.con, f.mem, NULL, real[i].text, NULL, &p, &found, &f.e), f.e);
		cr_expect(found, "%s: %s", real[i].text, p.why);
		if (!found)
			continue;
		off = geo_distance_nm((struct point){ p.lat, p.lon }, (struct point){ real[i].lat, real[i].lon });
		cr_expect_leq(off, real[i].within_nm, "%s is off by %.1f nm: %s", real[i].text, off, p.label);
	}
	finish(&f);
}
