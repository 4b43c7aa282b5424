/*
 * How long it takes to find a place by its name beside 200,000 imported places.
 *
 *   bench_places DATABASE FOLDER [PLACES]
 *
 * Writes a file of GeoNames with that many made-up places into FOLDER, imports it, and looks names up:
 * made-up ones, towns of the airport database, areas, names that nobody knows. Prints a line for each
 * kind of name: its name, look-ups, p50 and p99 in microseconds, separated by tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/facts.h"
#include "airports/import.h"
#include "airports/place.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"

enum { PLACES = 200000, ROUNDS = 2000, NAME = 64 };

/* The same names each time. */
static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Of two to four syllables; some are the name of many places. */
static void name_of(uint32_t i, char out[NAME])
{
	static const char *const syllables[] = { "bar", "ben", "bro", "cal", "den", "dor", "el", "fal", "gar",
		"hol", "kir", "lan", "lo", "mar", "mon", "nor", "os", "pel", "ros", "sal", "tor", "ul", "ver", "wes" };
	const size_t n = sizeof(syllables) / sizeof(syllables[0]);
	uint32_t state = i / 3 * 7919 + 17;
	size_t used = 0;

	for (uint32_t k = 2 + next(&state) % 3; k > 0; k--)
		used += (size_t)snprintf(out + used, NAME - used, "%s", syllables[next(&state) % n]);
	snprintf(out + used, NAME - used, "ville");
	out[0] = ascii_upper(out[0]);
}

static bool write_file(const char *path, uint32_t n)
{
	static const char *const countries[] = { "FR", "DE", "GB", "US", "IT", "ES", "PL", "BR", "IN", "CN" };
	FILE *f = fopen(path, "we");
	char name[NAME];

	for (uint32_t i = 0; f != NULL && i < n; i++) {
		uint32_t state = i + 1;
		double lat = (double)(next(&state) % 14000) / 100 - 70;
		double lon = (double)(next(&state) % 36000) / 100 - 180;

		name_of(i, name);
		fprintf(f, "%u\t%s\t%s\t%s-other,Old %s,%s upon Sea\t%.2f\t%.2f\tP\tPPL\t%s\t\t00\t\t\t\t%u\t\t10\tUTC\t"
		    "2024-01-01\n", i, name, name, name, name, name, lat, lon, countries[next(&state) % 10],
		    500 + next(&state) % 200000);
	}
	return f != NULL && fclose(f) == 0;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void made_up(uint32_t i, char out[NAME])
{
	name_of(i * 97 % PLACES, out);
}

static void made_up_there(uint32_t i, char out[NAME])
{
	char name[NAME];

	made_up(i, name);
	snprintf(out, NAME, "%.40s in Germany", name);
}

static void of_airports(uint32_t i, char out[NAME])
{
	static const char *const towns[] = { "Paris", "Lyon", "Munich", "Cambridge", "Springfield", "San Jose",
		"Paris, Texas", "Zürich", "Le Touquet", "Vik" };

	snprintf(out, NAME, "%s", towns[i % 10]);
}

static void areas(uint32_t i, char out[NAME])
{
	static const char *const names[] = { "Corsica", "the Black Forest", "Limburg, Belgium", "Scottish Highlands" };

	snprintf(out, NAME, "%s", names[i % 4]);
}

static void unknown(uint32_t i, char out[NAME])
{
	snprintf(out, NAME, "Xq%u zorblax", i);
}

static const struct {
	const char *what;
	void (*name)(uint32_t i, char out[NAME]);
} kinds[] = {
	{ "place, imported", made_up }, { "place, imported, with its country", made_up_there },
	{ "place, town of airports", of_airports }, { "place, area", areas }, { "place, unknown name", unknown },
};

static bool measure(struct airdb *db, size_t k, struct err *e)
{
	int64_t *times = calloc(ROUNDS, sizeof(*times));
	size_t n = 0;
	bool ok = times != NULL;

	for (uint32_t i = 0; ok && i < ROUNDS; i++) {
		struct arena *a = arena_new();
		struct aircon *con;
		struct place p;
		char name[NAME];
		bool found;

		kinds[k].name(i, name);
		int64_t start = clock_mono_us();
		ok = airdb_get(db, 1000, &con, e) == OK;
		if (ok) {
			ok = place_resolve(con, a, NULL, name, NULL, &p, &found, e) == OK;
			times[n++] = clock_mono_us() - start;
			airdb_put(con);
		}
		arena_free(a);
	}
	if (ok) {
		qsort(times, n, sizeof(*times), by_value);
		printf("%s\t%zu\t%lld\t%lld\n", kinds[k].what, n, (long long)times[n / 2],
		    (long long)times[n - 1 - n / 100]);
	}
	free(times);
	return ok;
}

int main(int argc, char **argv)
{
	long long n = PLACES;
	struct err e = { 0 };
	struct airdb *db = NULL;
	struct arena *a = arena_new();
	struct conf conf;

	if (argc < 3 || argc > 4 || (argc == 4 && (!str_to_int(argv[3], &n) || n < 1 || n > 10000000))) {
		fprintf(stderr, "Usage: bench_places DATABASE FOLDER [PLACES]\n");
		arena_free(a);
		return 2;
	}
	log_level_set("ERROR");
	const char *file = arena_printf(a, "%s/cities.txt", argv[2]);
	struct import_places o = { .file = file, .out = arena_printf(a, "%s/places.db", argv[2]) };
	const struct airdb_config config = { .path = argv[1], .places_path = o.out };
	bool ok = conf_load(&conf, a, &e) == OK && facts_open(conf.data_dir, &e) == OK;
	if (ok && !write_file(file, (uint32_t)n))
		ok = err_set(&e, ERR_IO, "%s: can't be written", file) == OK;
	int64_t start = clock_mono_us();
	ok = ok && import_places(&o, NULL, NULL, &e) == OK;
	if (ok)
		printf("import of %lld places with %lld names\t1\t%lld\t%lld\n", (long long)o.places,
		    (long long)o.names, (long long)(clock_mono_us() - start), (long long)(clock_mono_us() - start));
	ok = ok && airdb_index(&config, NULL, NULL, &e) == OK && airdb_open(&db, &config, &e) == OK;
	for (size_t k = 0; ok && k < sizeof(kinds) / sizeof(kinds[0]); k++)
		ok = measure(db, k, &e);
	if (!ok)
		fprintf(stderr, "bench_places: %s\n", e.msg);
	airdb_close(db);
	arena_free(a);
	return ok ? 0 : 1;
}
