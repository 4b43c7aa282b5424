/*
 * The CSV files of an import: one row each for a table that a file fills. Columns are found by name,
 * so old exports (without icao_code, with codes in another order) and new ones are read alike.
 */
#include "airports/import_files.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

/* ---- what to take ------------------------------------------------------ */

static enum verdict judge_airport(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	double lat, lon;
	enum airport_type type = airport_type_of(csv_text(c, at[2]));

	if (csv_text(c, at[0]) == NULL) {
		csv_error(c, e, "an airport without ident");
		return BAD;
	}
	if (csv_number(c, at[3], &lat, e) != OK || csv_number(c, at[4], &lon, e) != OK)
		return BAD;
	if (fabs(lat) > 90 || fabs(lon) > 180) {
		csv_error(c, e, "%.20s lies at %g, %g, which is not on Earth", csv_text(c, at[0]), lat, lon);
		return BAD;
	}
	return im->types[type] ? TAKE : LEAVE;
}

/* A part of an airport that was left out, or that the file does not have, is skipped. */
static enum verdict judge_part(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM airports WHERE icao_code = ?";
	struct db_stmt *s = db_query(im->db, sql, e, DB_TEXT(csv_text(c, at[0])));
	enum db_step rc = db_step(s, e);

	db_done(s);
	return rc == DB_ROW ? TAKE : rc == DB_END ? SKIP : BAD;
}

static enum verdict judge_named(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	(void)im;
	(void)e;
	return csv_text(c, at[0]) != NULL ? TAKE : SKIP;
}

/* A navaid of which the variation at its place is recorded. */
static enum verdict judge_variation(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	double lat, lon, variation;
	(void)im;

	if (csv_number(c, at[3], &lat, e) != OK || csv_number(c, at[4], &lon, e) != OK ||
	    csv_number(c, at[5], &variation, e) != OK)
		return BAD;
	return fabs(lat) <= 90 && fabs(lon) <= 180 && fabs(variation) <= 180 ? TAKE : LEAVE;
}

/* A fact on an airport of the database. Its columns are ident, as_of and the fact. */
static enum verdict judge_fact(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	if (csv_text(c, at[0]) == NULL) {
		csv_error(c, e, "a fact on an airport without ident");
		return BAD;
	}
	if (csv_text(c, at[1]) == NULL) {
		csv_error(c, e, "as_of must say when the facts were gathered");
		return BAD;
	}
	return csv_text(c, at[2]) == NULL ? LEAVE : judge_part(im, c, at, e);
}

static enum verdict judge_entry(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	const char *entry = csv_text(c, at[2]);

	if (entry != NULL && !streq(entry, "1")) {
		csv_error(c, e, "entry must be 1 (a point of entry) or empty (not recorded), not %.20s", entry);
		return BAD;
	}
	return judge_fact(im, c, at, e);
}

static enum verdict judge_fee(struct import *im, const struct csv *c, const int *at, struct err *e)
{
	const char *currency = csv_text(c, at[3]);
	double fee;

	if (csv_number(c, at[2], &fee, e) != OK)
		return BAD;
	if (!isnan(fee) && (fee < 0 || currency == NULL || strlen(currency) != 3)) {
		csv_error(c, e, "a landing fee is 0 or more and has a currency of three letters");
		return BAD;
	}
	return judge_fact(im, c, at, e);
}

#define STAT(member) (offsetof(struct import_stats, member))
#define STAMPED { NOW, NULL, false }, { NOW, NULL, false }

const char import_facts_csv[] = "facts.csv";

/* A column of facts.csv that becomes an AIP entry under the standard field's name. */
#define AIP_FACT(column, section, id, field) { \
	import_facts_csv, false, \
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id, source, " \
	"created_at, updated_at) " \
	"VALUES(?1,'" section "','" field "',?3||' ('||'" FACTS_SOURCE "'||?2||')','" field "'," #id ",'" FACTS_SOURCE "'||?2,?4,?5)", NULL, \
	STAT(facts), judge_fact, \
	{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { TEXT, column, true }, STAMPED }, \
}

const struct import_file import_files[] = {
	{
		"airports.csv", true,
		"INSERT INTO airports VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'worldairports',?,?)", NULL,
		STAT(airports), judge_airport,
		{ { TEXT, "ident", true }, { TEXT, "name", true }, { TEXT, "type", true },
		  { NUMBER, "latitude_deg", true }, { NUMBER, "longitude_deg", true },
		  { NUMBER, "elevation_ft", true }, { TEXT, "continent", false },
		  { TEXT, "iso_country", true }, { TEXT, "iso_region", true },
		  { TEXT, "municipality", true }, { TEXT, "scheduled_service", false },
		  { TEXT, "gps_code|icao_code", true }, { TEXT, "iata_code", true },
		  { TEXT, "local_code", false }, { TEXT, "home_link", false },
		  { TEXT, "wikipedia_link", false }, { TEXT, "keywords", false }, STAMPED },
	},
	{
		"runways.csv", true,
		"INSERT INTO runways VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", NULL,
		STAT(runways), judge_part,
		{ { TEXT, "airport_ident", true }, { TEXT, "le_ident", true }, { TEXT, "he_ident", true },
		  { NUMBER, "length_ft", true }, { NUMBER, "width_ft", true }, { TEXT, "surface", true },
		  { NUMBER, "lighted", true }, { NUMBER, "closed", true },
		  { NUMBER, "le_latitude_deg", false }, { NUMBER, "le_longitude_deg", false },
		  { NUMBER, "le_elevation_ft", false }, { NUMBER, "le_heading_degT", false },
		  { NUMBER, "le_displaced_threshold_ft", false },
		  { NUMBER, "he_latitude_deg", false }, { NUMBER, "he_longitude_deg", false },
		  { NUMBER, "he_elevation_ft", false }, { NUMBER, "he_heading_degT", false },
		  { NUMBER, "he_displaced_threshold_ft", false }, STAMPED },
	},
	{
		/* of several with one ident in one country only the first is taken */
		"navaids.csv", false,
		"INSERT OR IGNORE INTO waypoints(name, latitude_deg, longitude_deg, point_type, source, "
		"source_id, created_at, updated_at) "
		"VALUES(?1,?2,?3,replace(?4,'-',''),'ourairports','ourairports:'||coalesce(?5,''),?6,?7)", NULL,
		STAT(navaids), judge_named,
		{ { TEXT, "ident", true }, { NUMBER, "latitude_deg", true },
		  { NUMBER, "longitude_deg", true }, { TEXT, "type", true }, { TEXT, "iso_country", true },
		  STAMPED },
	},
	{
		/* the same file once more: waypoints have no column for the variation */
		"navaids.csv", false,
		"INSERT INTO navaids VALUES(?,?,?,?,?,?,?)",
		"CREATE TABLE navaids (ident TEXT, name TEXT, type TEXT, latitude_deg REAL, "
		"longitude_deg REAL, magnetic_variation_deg REAL, associated_airport TEXT);"
		"CREATE INDEX idx_navaids_latitude ON navaids (latitude_deg);"
		"CREATE INDEX idx_navaids_airport ON navaids (associated_airport)",
		STAT(variations), judge_variation,
		{ { TEXT, "ident", true }, { TEXT, "name", false }, { TEXT, "type", true },
		  { NUMBER, "latitude_deg", true }, { NUMBER, "longitude_deg", true },
		  { NUMBER, "magnetic_variation_deg", false }, { TEXT, "associated_airport", false } },
	},
	{
		"airport-frequencies.csv", false,
		"INSERT INTO frequencies VALUES(NULL,?,?,?,?)",
		"CREATE TABLE frequencies (id INTEGER PRIMARY KEY, airport_icao TEXT NOT NULL, type TEXT, "
		"description TEXT, frequency_mhz REAL);"
		"CREATE INDEX idx_frequencies_airport ON frequencies (airport_icao)",
		STAT(frequencies), judge_part,
		{ { TEXT, "airport_ident", true }, { TEXT, "type", true }, { TEXT, "description", true },
		  { NUMBER, "frequency_mhz", true } },
	},
	{
		"countries.csv", false,
		"INSERT OR IGNORE INTO countries VALUES(?,?,?,?)",
		"CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT, continent TEXT, keywords TEXT)",
		STAT(countries), judge_named,
		{ { TEXT, "code", true }, { TEXT, "name", true }, { TEXT, "continent", false },
		  { TEXT, "keywords", false } },
	},
	{
		"regions.csv", false,
		"INSERT OR IGNORE INTO regions VALUES(?,?,?,?,?,?)",
		"CREATE TABLE regions (code TEXT PRIMARY KEY, local_code TEXT, name TEXT, continent TEXT, "
		"iso_country TEXT, keywords TEXT)",
		STAT(regions), judge_named,
		{ { TEXT, "code", true }, { TEXT, "local_code", false }, { TEXT, "name", true },
		  { TEXT, "continent", false }, { TEXT, "iso_country", true }, { TEXT, "keywords", false } },
	},
	AIP_FACT("customs", "operational", 302, "Customs and immigration"),
	AIP_FACT("fuel", "handling", 402, "Fuel and oil types"),
	AIP_FACT("hotel", "passenger", 501, "Hotels"),
	AIP_FACT("restaurant", "passenger", 502, "Restaurants"),
	{
		import_facts_csv, false,
		"INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, is_airport, source, "
		"matched_airport_icao, created_at, updated_at) "
		"SELECT ?1, iso_country, name, ?3, '" FACTS_SOURCE "'||?2, ?1, ?4, ?5 FROM airports "
		"WHERE icao_code = ?1", NULL,
		STAT(facts), judge_entry,
		{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { TEXT, "entry", true }, STAMPED },
	},
	{
		import_facts_csv, false,
		"INSERT INTO landing_fees VALUES(?1,?3,?4,'" FACTS_SOURCE "'||?2)",
		"CREATE TABLE landing_fees (airport_icao TEXT PRIMARY KEY, amount REAL NOT NULL, "
		"currency TEXT NOT NULL, source TEXT NOT NULL)",
		STAT(facts), judge_fee,
		{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { NUMBER, "landing_fee", true },
		  { TEXT, "currency", true } },
	},
};

const size_t nimport_files = sizeof(import_files) / sizeof(import_files[0]);
