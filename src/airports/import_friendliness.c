/*
 * A database of friendliness out of an airport database: what its AIP texts say of hotels and
 * restaurants, how well an airfield can be reached under IFR, and landing fees laid over the import.
 * The schema is that of ga_persona.db, version 2.0; so are the scores.
 *
 * Reviews and fees that the database already has are kept: only the columns that come from the
 * airport database are written anew.
 */
#include "airports/import.h"

#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/aircraft.h"
#include "airports/landing_fee.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "drivers/db.h"

enum { FIELD_TRAFFIC = 207, FIELD_HOTEL = 501, FIELD_RESTAURANT = 502 };
enum { UNKNOWN = -1, NONE, VICINITY, AT_AIRPORT };
enum { TEXT_MAX = 2000 };

static const char schema[] =
	"CREATE TABLE IF NOT EXISTS ga_meta_info (key TEXT PRIMARY KEY, value TEXT);"
	"CREATE TABLE IF NOT EXISTS ga_airfield_stats (icao TEXT PRIMARY KEY, rating_avg REAL, "
	"rating_count INTEGER, last_review_utc TEXT, fee_band_0_749kg REAL, fee_band_750_1199kg REAL, "
	"fee_band_1200_1499kg REAL, fee_band_1500_1999kg REAL, fee_band_2000_3999kg REAL, "
	"fee_band_4000_plus_kg REAL, fee_currency TEXT, fee_last_updated_utc TEXT, "
	"aip_ifr_available INTEGER, aip_night_available INTEGER, aip_hotel_info INTEGER, "
	"aip_restaurant_info INTEGER, review_cost_score REAL, review_hassle_score REAL, "
	"review_review_score REAL, review_ops_ifr_score REAL, review_ops_vfr_score REAL, "
	"review_access_score REAL, review_fun_score REAL, review_hospitality_score REAL, "
	"aip_ops_ifr_score REAL, aip_hospitality_score REAL, source_version TEXT, scoring_version TEXT);"
	"CREATE TABLE IF NOT EXISTS ga_review_summary (icao TEXT PRIMARY KEY, summary_text TEXT, "
	"tags_json TEXT, last_updated_utc TEXT);"
	"INSERT OR IGNORE INTO ga_meta_info VALUES('schema_version','2.0');";

/* ---- what the texts say ------------------------------------------------ */

#define FIELD_WORDS "(the )?(ad|aerodrome|airport|airfield)\\b"
#define DISTANCE "[0-9]+ ?(km|nm|mi|miles)"

/* The first that matches decides. A text that begins with a negation has neither hotel nor
 * restaurant, whatever place it names after it. */
static const struct {
	const char *pattern;
	int amenity;
} amenities[] = {
	{ "^(-$|(nil|no|not)\\b)", NONE },
	{ "^((yes|si|ja|oui)\\b|sí)", AT_AIRPORT },
	{ "\\b(at|on) (the )?(ad|aerodrome|airport|airfield|terminal|site)\\b", AT_AIRPORT },
	{ "\\b(in (the )?terminals?|terminal building)\\b", AT_AIRPORT },
	{ "\\b(vicinity|nearby)\\b|\\bnear " FIELD_WORDS, VICINITY },
	{ "\\bwithin " DISTANCE "\\b|" DISTANCE " (fm|from) " FIELD_WORDS, VICINITY },
};
enum { NAMENITIES = sizeof(amenities) / sizeof(amenities[0]) };
static const char ifr_pattern[] = "ifr", no_ifr_pattern[] = "\\b(no|not|nil) ifr\\b|\\bifr:? (nil|not|no)\\b";

struct patterns {
	regex_t amenity[NAMENITIES], ifr, no_ifr;
};

static void compile(struct patterns *p)
{
	enum { FLAGS = REG_EXTENDED | REG_ICASE | REG_NOSUB };
	int bad = regcomp(&p->ifr, ifr_pattern, FLAGS) | regcomp(&p->no_ifr, no_ifr_pattern, FLAGS);

	for (size_t i = 0; i < NAMENITIES; i++)
		bad |= regcomp(&p->amenity[i], amenities[i].pattern, FLAGS);
	if (bad != 0)
		abort();                      /* the patterns are constants */
}

static void release(struct patterns *p)
{
	regfree(&p->ifr);
	regfree(&p->no_ifr);
	for (size_t i = 0; i < NAMENITIES; i++)
		regfree(&p->amenity[i]);
}

/* One blank between words, so that patterns need no others; very long texts are cut. */
static void squeeze(char out[TEXT_MAX], const char *text)
{
	size_t n = 0;

	for (; text != NULL && *text != '\0' && n < TEXT_MAX - 1; text++) {
		bool blank = (unsigned char)*text <= ' ';

		if (!blank)
			out[n++] = *text;
		else if (n > 0 && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	if (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static int amenity_of(const struct patterns *p, const char *text)
{
	char plain[TEXT_MAX];

	squeeze(plain, text);
	for (size_t i = 0; i < NAMENITIES; i++)
		if (regexec(&p->amenity[i], plain, 0, NULL, 0) == 0)
			return amenities[i].amenity;
	return UNKNOWN;
}

static bool says_ifr(const struct patterns *p, const char *text)
{
	char plain[TEXT_MAX];

	squeeze(plain, text);
	return regexec(&p->ifr, plain, 0, NULL, 0) == 0 && regexec(&p->no_ifr, plain, 0, NULL, 0) != 0;
}

/* ---- scores ------------------------------------------------------------ */

/* `best` is 1 for any approach, 2 for RNP or RNAV, 3 for an ILS, 0 for none. -1: not recorded. */
static int ifr_level(const struct patterns *p, const char *traffic, int best)
{
	if (traffic == NULL && best == 0)
		return -1;
	return traffic != NULL && !says_ifr(p, traffic) ? 0 : 1 + best;
}

static double ifr_score(int level)
{
	static const double scores[] = { 0.1, 0.4, 0.6, 0.8, 1.0 };

	return level < 0 ? (double)NAN : scores[level];
}

/* A hotel counts 0.4, a restaurant 0.6; one that is not known does not count. */
static double hospitality_score(int hotel, int restaurant)
{
	static const double of[] = { 0, 0.6, 1 };
	double sum = 0, weight = 0;

	if (hotel >= 0) {
		sum += 0.4 * of[hotel];
		weight += 0.4;
	}
	if (restaurant >= 0) {
		sum += 0.6 * of[restaurant];
		weight += 0.6;
	}
	return weight > 0 ? sum / weight : (double)NAN;
}

/* ---- from one database to the other ------------------------------------ */

/* Of several texts of a field: the first on traffic, the last on hotels and restaurants. */
static const char sql_airfields[] =
	"SELECT a.icao, "
	"(SELECT value FROM src.aip_entries WHERE airport_icao = a.icao AND std_field_id = ?1 "
	"  ORDER BY id LIMIT 1), "
	"(SELECT value FROM src.aip_entries WHERE airport_icao = a.icao AND std_field_id = ?2 "
	"  ORDER BY id DESC LIMIT 1), "
	"(SELECT value FROM src.aip_entries WHERE airport_icao = a.icao AND std_field_id = ?3 "
	"  ORDER BY id DESC LIMIT 1), "
	"(SELECT max(CASE WHEN approach_type = 'ILS' THEN 3 WHEN approach_type IN ('RNP', 'RNAV') THEN 2 "
	"  ELSE 1 END) FROM src.procedures WHERE airport_icao = a.icao AND procedure_type = 'approach') "
	"FROM (SELECT DISTINCT airport_icao AS icao FROM src.aip_entries) AS a WHERE icao IS NOT NULL "
	"ORDER BY icao";
static const char sql_put[] =
	"INSERT INTO ga_airfield_stats(icao, aip_ifr_available, aip_hotel_info, aip_restaurant_info, "
	"aip_ops_ifr_score, aip_hospitality_score, source_version, scoring_version) "
	"VALUES(?1,?2,?3,?4,?5,?6,'aip','ga_scores_v1') ON CONFLICT(icao) DO UPDATE SET "
	"aip_ifr_available = ?2, aip_hotel_info = ?3, aip_restaurant_info = ?4, aip_ops_ifr_score = ?5, "
	"aip_hospitality_score = ?6";

static enum errcode put_airfields(struct db *db, const struct patterns *p, int64_t *n, struct err *e)
{
	struct db_stmt *s = db_query(db, sql_airfields, e, DB_INT(FIELD_TRAFFIC), DB_INT(FIELD_HOTEL),
	    DB_INT(FIELD_RESTAURANT));
	enum db_step step;

	for (*n = 0; (step = db_step(s, e)) == DB_ROW; (*n)++) {
		int ifr = ifr_level(p, db_text(s, 1), (int)db_int_at(s, 4));
		int hotel = amenity_of(p, db_text(s, 2)), restaurant = amenity_of(p, db_text(s, 3));
		double score = ifr_score(ifr);

		if (db_put(db, sql_put, e, DB_TEXT(db_text(s, 0)), DB_NUM(ifr < 0 ? (double)NAN : ifr),
		        DB_INT(hotel), DB_INT(restaurant), DB_NUM(score),
		        DB_NUM(hospitality_score(hotel, restaurant))) != OK) {
			db_done(s);
			return e->code;
		}
	}
	return db_end(s, step, e);
}

/* A fee that is laid over an import is that of the standard aircraft. */
static enum errcode put_fees(struct db *db, struct err *e)
{
	char sql[400];
	double kg;

	if (!db_has_table(db, "src", "landing_fees"))
		return OK;
	if (!aircraft_mass(FEE_AIRCRAFT, &kg))
		return err_set(e, ERR_CONFIG, "conf/facts/aircraft.txt: %s has no mass", FEE_AIRCRAFT);
	snprintf(sql, sizeof(sql), "UPDATE ga_airfield_stats SET %s = f.amount, fee_currency = f.currency, "
	    "fee_last_updated_utc = substr(f.source, %zu) FROM src.landing_fees AS f "
	    "WHERE f.airport_icao = icao AND rating_count IS NULL", fee_bands[fee_band_of(kg)].column,
	    sizeof(FACTS_SOURCE));
	return db_exec(db, sql, e);
}

static enum errcode fill(struct db *db, const char *airports_db, int64_t *n, struct err *e)
{
	struct patterns p;
	enum errcode rc = db_attach(db, airports_db, "src", e);

	if (rc == OK && !db_has_table(db, "src", "aip_entries"))
		rc = err_set(e, ERR_DATA, "%s: holds no AIP entries: it is no euro_aip database", airports_db);
	if (rc == OK)
		rc = db_exec(db, "BEGIN", e);
	if (rc == OK)
		rc = db_exec(db, schema, e);
	if (rc != OK)
		return rc;
	compile(&p);
	rc = put_airfields(db, &p, n, e);
	release(&p);
	if (rc == OK)
		rc = put_fees(db, e);
	return rc == OK ? db_exec(db, "COMMIT", e) : rc;
}

/* What the database holds already is kept. */
static enum errcode copy_old(const char *out, const char *tmp, struct err *e)
{
	struct db *old = NULL;
	enum errcode rc;

	if (access(out, F_OK) != 0)
		return OK;
	rc = db_open(&old, out, DB_READ, e);
	if (rc == OK)
		rc = db_put(old, "VACUUM INTO ?", e, DB_TEXT(tmp));
	db_close(old);
	return rc;
}

enum errcode import_friendliness(const char *airports_db, const char *out, int64_t *n, struct err *e)
{
	struct db *db = NULL;
	enum errcode rc;
	char *tmp;
	int fd;

	if (asprintf(&tmp, "%s.tmp", out) < 0)
		return err_set(e, ERR_INTERNAL, "out of memory");
	rc = replace_begin(tmp, &fd, e);
	if (rc == OK)
		rc = copy_old(out, tmp, e);
	if (rc == OK)
		rc = db_open(&db, tmp, DB_CREATE, e);
	if (rc == OK)
		rc = fill(db, airports_db, n, e);
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
