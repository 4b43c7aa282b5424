/*
 * Reads a euro_aip database: airports in table order, then each kind of part, sorted by airport,
 * which is merged and reduced to flags.
 *
 * A hash table of indexes finds the airport of an ident. Parts of airports that it does not have
 * (closed, or unknown to the file) are skipped.
 */
#include "airports/airindex_load.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "airports/airport_parts.h"
#include "airports/airport_use.h"
#include "airports/import.h"
#include "base/str.h"
#include "drivers/db.h"

enum { AIRPORTS_MAX = 2000000, REGIONS_MAX = 8192, GROUP_MAX = 2000, STOP_EVERY = 1000 };

static const struct {
	const char *table, *columns;
} needed[] = {
	{ "airports", "icao_code|name|type|latitude_deg|longitude_deg|elevation_ft|iso_country|iso_region|"
	    "municipality|scheduled_service|gps_code|iata_code|keywords" },
	{ "runways", "airport_icao|le_ident|he_ident|length_ft|width_ft|surface|lighted|closed" },
	{ "procedures", "airport_icao|name|procedure_type" },
	{ "aip_entries", "airport_icao|section|field|value|std_field|std_field_id" },
	{ "border_crossing_points", "icao_code|matched_airport_icao" },
};

static const char sql_count[] = "SELECT count(*) FROM airports";
static const char sql_airports[] =
	"SELECT icao_code, name, type, latitude_deg, longitude_deg, elevation_ft, iso_country, "
	"iso_region, municipality, scheduled_service, gps_code, iata_code, keywords "
	"FROM airports NOT INDEXED";
static const char sql_runways[] =
	"SELECT airport_icao, le_ident, he_ident, length_ft, width_ft, surface, lighted, closed "
	"FROM runways ORDER BY airport_icao, rowid";
static const char sql_aip[] =
	"SELECT airport_icao, section, field, value, std_field, std_field_id "
	"FROM aip_entries ORDER BY airport_icao, rowid";
static const char sql_procedures[] =
	"SELECT airport_icao, count(*) FROM (SELECT DISTINCT airport_icao, name, procedure_type "
	"FROM procedures) GROUP BY airport_icao";
static const char sql_entries[] =
	"SELECT DISTINCT CASE WHEN coalesce(icao_code, '') <> '' THEN icao_code "
	"ELSE matched_airport_icao END FROM border_crossing_points";
static const char sql_regions[] = "SELECT code, name FROM regions ORDER BY code";
/* Sample facts name single airports; a list names all points of entry of a country. */
static const char sql_entry_lists[] = "SELECT count(*) FROM border_crossing_points "
	"WHERE coalesce(source, '') NOT LIKE '" FACTS_SOURCE "%'";
static const char sql_provenance[] = "SELECT value FROM model_metadata WHERE key = 'provenance'";

struct airindex_loader {
	struct airindex_load *l;
	struct db *src;
	uint32_t *slots;              /* index + 1; 0: free */
	size_t mask;
	stop_fn *stop;
	void *arg;
	unsigned steps;
};

enum errcode airindex_load_check(struct db *src, const char *path, struct err *e)
{
	char column[64];

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		const char *columns = needed[i].columns;
		struct str one;

		if (!db_has_table(src, "main", needed[i].table))
			return err_set(e, ERR_DATA, "%s: has no table %s; a euro_aip database is needed "
			    "(aviation-agent import makes one)", path, needed[i].table);
		while (str_part(&columns, '|', &one)) {
			snprintf(column, sizeof(column), "%.*s", (int)one.n, one.p);
			if (!db_has_column(src, "main", needed[i].table, column))
				return err_set(e, ERR_DATA, "%s: table %s has no column %s; a euro_aip "
				    "database is needed", path, needed[i].table, column);
		}
	}
	return OK;
}

static bool stopped(struct airindex_loader *ld)
{
	return ld->stop != NULL && ++ld->steps % STOP_EVERY == 0 && ld->stop(ld->arg);
}

static uint32_t *slot(struct airindex_loader *ld, const char *ident)
{
	uint64_t h = str_hash(ident);
	size_t at = (size_t)(h ^ (h >> 32)) & ld->mask;

	while (ld->slots[at] != 0 && !streq(ld->l->airports[ld->slots[at] - 1].a.ident, ident))
		at = (at + 1) & ld->mask;
	return &ld->slots[at];
}

static struct airport *find(struct airindex_loader *ld, const char *ident)
{
	uint32_t i = ident != NULL ? *slot(ld, ident) : 0;

	return i > 0 ? &ld->l->airports[i - 1].a : NULL;
}

static bool in_range(double lat, double lon)
{
	return lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180;
}

/* Two letters, in capitals; anything else means unknown. */
static const char *country_of(struct arena *mem, const char *text)
{
	if (text == NULL || strlen(text) != 2)
		return NULL;
	return str_upper_copy(mem, text, 2);
}

static void read_airport(struct arena *mem, struct db_stmt *s, struct loaded *out)
{
	struct airport *a = &out->a;
	const char *scheduled = part_text(s, 9);

	a->ident = part_copy(mem, s, 0);
	a->name = part_copy(mem, s, 1);
	a->type = airport_type_of(part_text(s, 2));
	a->lat = db_double_at(s, 3);
	a->lon = db_double_at(s, 4);
	if (!in_range(a->lat, a->lon))
		a->lat = a->lon = (double)NAN;
	a->elevation_ft = db_double_at(s, 5);
	a->country = country_of(mem, part_text(s, 6));
	a->region = part_copy(mem, s, 7);
	a->municipality = part_copy(mem, s, 8);
	out->gps = part_copy(mem, s, 10);
	if (out->gps != NULL && strieq(out->gps, a->ident))
		out->gps = NULL;
	a->iata = part_copy(mem, s, 11);
	out->keywords = part_copy(mem, s, 12);
	a->longest_ft = (double)NAN;
	if (strlen(a->ident) == 4)
		a->flags |= AF_ICAO4;
	if (scheduled != NULL && (strieq(scheduled, "yes") || streq(scheduled, "1")))
		a->flags |= AF_SCHEDULED;
}

static enum errcode read_airports(struct airindex_loader *ld, struct err *e)
{
	struct airindex_load *l = ld->l;
	int64_t max = db_int(ld->src, sql_count, 0);
	struct db_stmt *s;
	enum db_step rc;
	size_t size = 64;

	if (max > AIRPORTS_MAX)
		return err_set(e, ERR_DATA, "the database holds %lld airports, more than the %d that fit",
		    (long long)max, AIRPORTS_MAX);
	while (size < 2 * (size_t)max)
		size *= 2;
	l->airports = arena_array(l->mem, (size_t)max + 1, sizeof(*l->airports));
	ld->slots = arena_array(l->mem, size, sizeof(*ld->slots));
	ld->mask = size - 1;
	s = db_prepare(ld->src, sql_airports, e);
	while ((rc = db_step(s, e)) == DB_ROW && l->n < (size_t)max) {
		struct loaded *a = &l->airports[l->n];
		uint32_t *at;

		if (part_text(s, 0) == NULL || airport_type_of(part_text(s, 2)) == TYPE_CLOSED)
			continue;
		at = slot(ld, part_text(s, 0));
		if (*at != 0)
			continue;
		read_airport(l->mem, s, a);
		a->a.row = (int64_t)++l->n;
		*at = (uint32_t)l->n;
		if (stopped(ld)) {
			rc = DB_FAIL;
			err_set(e, ERR_HUP, "stopped");
			break;
		}
	}
	return db_end(s, rc, e);
}

/* Rows sorted by airport, in groups: add() takes each row, end() the airport and what is there. */
union airindex_part {
	struct runway runway[PARTS_MAX];
	struct aip_entry aip[PARTS_MAX];
};
struct airindex_part_kind {
	const char *sql;
	void (*add)(struct arena *mem, union airindex_part *p, size_t *n, struct db_stmt *s);
	void (*end)(struct airport *a, const union airindex_part *p, size_t n);
};

static void add_runway(struct arena *mem, union airindex_part *p, size_t *n, struct db_stmt *s)
{
	runway_add(mem, p->runway, n, s, 1);
}

static void end_runways(struct airport *a, const union airindex_part *p, size_t n)
{
	a->flags |= runway_flags(p->runway, n, &a->longest_ft);
	a->nrunways = (int)n;
}

static void add_aip(struct arena *mem, union airindex_part *p, size_t *n, struct db_stmt *s)
{
	aip_add(mem, p->aip, n, s, 1);
}

static void end_aip(struct airport *a, const union airindex_part *p, size_t n)
{
	a->flags |= aip_flags(p->aip, n);
	a->nentries = (int)n;
}

static const struct airindex_part_kind kinds[] = {
	{ sql_runways, add_runway, end_runways },
	{ sql_aip, add_aip, end_aip },
};

static enum errcode read_parts(struct airindex_loader *ld, const struct airindex_part_kind *kind,
    struct err *e)
{
	union airindex_part *parts = arena_alloc(ld->l->mem, sizeof(*parts));
	struct arena *group = arena_new();
	struct airport *at = NULL;
	struct db_stmt *s = db_prepare(ld->src, kind->sql, e);
	enum db_step rc;
	size_t n = 0, rows = 0;

	while ((rc = db_step(s, e)) == DB_ROW) {
		struct airport *a = find(ld, part_text(s, 0));

		if (stopped(ld)) {
			rc = DB_FAIL;
			err_set(e, ERR_HUP, "stopped");
			break;
		}
		if (a != at) {
			if (at != NULL)
				kind->end(at, parts, n);
			at = a;
			n = rows = 0;
			/* texts of finished groups are freed now and then */
			if (arena_used(group) > 1 << 18) {
				arena_free(group);
				group = arena_new();
			}
		}
		if (a != NULL && rows++ < GROUP_MAX)
			kind->add(group, parts, &n, s);
	}
	if (rc == DB_END && at != NULL)
		kind->end(at, parts, n);
	arena_free(group);
	return db_end(s, rc, e);
}

static enum errcode read_procedures(struct airindex_loader *ld, struct err *e)
{
	struct db_stmt *s = db_prepare(ld->src, sql_procedures, e);
	enum db_step rc;

	while ((rc = db_step(s, e)) == DB_ROW) {
		struct airport *a = find(ld, part_text(s, 0));

		if (a == NULL)
			continue;
		a->flags |= AF_PROCEDURES;
		a->nprocedures = (int)db_int_at(s, 1);
	}
	return db_end(s, rc, e);
}

static enum errcode read_entries(struct airindex_loader *ld, struct err *e)
{
	struct db_stmt *s = db_prepare(ld->src, sql_entries, e);
	enum db_step rc;

	while ((rc = db_step(s, e)) == DB_ROW) {
		struct airport *a = find(ld, part_text(s, 0));

		if (a != NULL)
			a->flags |= AF_ENTRY;
	}
	return db_end(s, rc, e);
}

/* Lists of points of entry cover some countries only. Where a country has none at all, nothing is known of its airports. */
static void find_unlisted(struct airindex_loader *ld)
{
	enum { LETTERS = 1 << CHAR_BIT };
	bool *listed = arena_array(ld->l->mem, (size_t)LETTERS * LETTERS, sizeof(*listed));

	for (int mark = 0; mark <= 1; mark++)
		for (size_t i = 0; i < ld->l->n; i++) {
			struct airport *a = &ld->l->airports[i].a;
			const unsigned char *c = (const unsigned char *)a->country;
			bool *has = c != NULL ? &listed[(size_t)c[0] * LETTERS + c[1]] : NULL;
			if (mark == 0 && has != NULL)
				*has |= (a->flags & AF_ENTRY) != 0;
			else if (mark == 1 && (has == NULL || !*has))
				a->flags |= AF_ENTRY_UNLISTED;
		}
}

/* After the runways, which tell whether there is one on land. */
static void read_uses(struct airindex_loader *ld)
{
	struct arena *names = arena_new();

	for (size_t i = 0; i < ld->l->n; i++)
		ld->l->airports[i].a.flags |= airport_use_flags(names, &ld->l->airports[i].a);
	arena_free(names);
}

/* Tables that only some databases have: a missing one is fine, a damaged one is not. */
static enum errcode read_extras(struct airindex_loader *ld, struct err *e)
{
	struct airindex_load *l = ld->l;
	struct db_stmt *s;
	enum db_step rc = DB_END;

	if (db_has_column(ld->src, "main", "regions", "code") &&
	    db_has_column(ld->src, "main", "regions", "name")) {
		l->regions = arena_array(l->mem, REGIONS_MAX, sizeof(*l->regions));
		s = db_prepare(ld->src, sql_regions, e);
		while ((rc = db_step(s, e)) == DB_ROW && l->nregions < REGIONS_MAX) {
			struct region *r = &l->regions[l->nregions];

			if (part_text(s, 0) == NULL || part_text(s, 1) == NULL)
				continue;
			r->code = part_copy(l->mem, s, 0);
			r->name = part_copy(l->mem, s, 1);
			l->nregions++;
		}
		db_done(s);
	}
	l->listed_entries = db_int(ld->src, db_has_column(ld->src, "main", "border_crossing_points", "source")
	    ? sql_entry_lists : "SELECT count(*) FROM border_crossing_points", 0);
	if (rc != DB_FAIL && db_has_column(ld->src, "main", "model_metadata", "value")) {
		s = db_prepare(ld->src, sql_provenance, e);
		rc = db_step(s, e);
		if (rc == DB_ROW)
			l->provenance = part_copy(l->mem, s, 0);
		db_done(s);
	}
	return rc == DB_FAIL ? e->code : OK;
}

enum errcode airindex_load(struct airindex_load *l, struct arena *mem, struct db *src,
    stop_fn *stop, void *arg, struct err *e)
{
	struct airindex_loader ld = { .l = l, .src = src, .stop = stop, .arg = arg };
	enum errcode rc;

	*l = (struct airindex_load){ .mem = mem };
	rc = db_exec(src, "PRAGMA temp_store=MEMORY; BEGIN", e);
	if (rc != OK)
		return rc;
	rc = read_airports(&ld, e);
	for (size_t i = 0; rc == OK && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		rc = read_parts(&ld, &kinds[i], e);
	if (rc == OK)
		rc = read_procedures(&ld, e);
	if (rc == OK)
		rc = read_entries(&ld, e);
	if (rc == OK) {
		read_uses(&ld);
		find_unlisted(&ld);
		rc = read_extras(&ld, e);
	}
	db_exec(src, "ROLLBACK", NULL);
	return rc;
}

static int region_cmp(const void *code, const void *region)
{
	return strcmp(code, ((const struct region *)region)->code);
}

const char *airindex_load_region(const struct airindex_load *l, const char *code)
{
	const struct region *r = code == NULL || l->nregions == 0 ? NULL :
	    bsearch(code, l->regions, l->nregions, sizeof(*l->regions), region_cmp);

	return r != NULL ? r->name : NULL;
}
