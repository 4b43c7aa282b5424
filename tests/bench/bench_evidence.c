/*
 * How much processor time it takes to say what exact knowledge knows of a message: vocabulary, numbers, places.
 *
 *   bench_evidence AIRPORTS
 *
 * Prints a line a message: its name, bytes, pieces of evidence, p50 and p99 of the thread's CPU time in
 * microseconds, separated by tabs. The first line is the reading of the vocabulary.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "airports/facts.h"
#include "airports/place_evidence.h"
#include "base/arena.h"
#include "base/conf.h"
#include "base/log.h"
#include "language/quantity.h"
#include "language/vocabulary.h"

enum { ROUNDS = 500, LONG = 65536, WAIT_MS = 5000 };

static const struct {
	const char *name, *text;
	bool repeated;                /* up to LONG bytes */
} messages[] = {
	{ "a question", "fuel stop with AVGAS between EGTF and LFMD", false },
	{ "30 words", "Hallo, ich suche für Samstag um 14 Uhr einen kleinen Platz mit Hartbelag und Zoll zwischen Bad "
		"Ragaz und Mauterndorf, mindestens 800 m lang, unter 20 Euro, gerne mit Restaurant am Platz", false },
	{ "64 KiB of a question", "fuel stop with AVGAS between EGTF and LFMD ", true },
	{ "64 KiB of names", "Frankfrut Saint-Etienne Zuerich Villefranche ", true },
	{ "64 KiB of numbers", "zweitausendfünfhundert 1h30 N45 ", true },
	{ "64 KiB of one word", "and ", true },
	{ "64 KiB of one number", "100 ", true },
	{ "64 KiB of digits", "1234567890", true },
	{ "64 KiB of one long word", "abcdefghij", true },
	{ "64 KiB of Saint", "Saint ", true },
	{ "64 KiB of codes", "LF EDDF lfpg ", true },
};

static double cpu_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void bench(size_t i, const struct evidence_source *source, size_t n)
{
	struct arena *a = arena_new();
	const char *text = messages[i].text;
	double us[ROUNDS];
	size_t found = 0;

	if (messages[i].repeated) {
		char *all = arena_alloc(a, LONG);
		for (size_t at = 0; at + strlen(text) < LONG; at += strlen(text))
			memcpy(all + at, text, strlen(text));
		text = all;
	}
	for (size_t k = 0; k < ROUNDS; k++) {
		struct arena *mem = arena_new();
		const struct words *w = words_of(mem, text, NULL);
		const double start = cpu_us();
		found = evidence_of(mem, w, source, n)->n;
		us[k] = cpu_us() - start;
		arena_free(mem);
	}
	qsort(us, ROUNDS, sizeof(us[0]), by_value);
	printf("%s\t%zu\t%zu\t%.1f\t%.1f\n", messages[i].name, strlen(text), found, us[ROUNDS / 2],
	    us[ROUNDS * 99 / 100]);
	arena_free(a);
}

static enum errcode run(const char *airports, struct arena *a, struct err *e)
{
	struct airdb_config c = { .path = airports };
	struct airdb *db = NULL;
	struct aircon *con = NULL;
	struct vocabulary *v;
	struct conf conf;
	enum errcode rc = conf_load(&conf, a, e);

	if (rc == OK)
		rc = facts_open(conf.data_dir, e);
	const double start = cpu_us();
	if (rc == OK)
		rc = vocabulary_load(&v, a, conf.data_dir, e);
	const double us = cpu_us() - start;
	if (rc == OK && (rc = airdb_index(&c, NULL, NULL, e)) == OK && (rc = airdb_open(&db, &c, e)) == OK)
		rc = airdb_get(db, WAIT_MS, &con, e);
	if (rc == OK) {
		const struct evidence_source source[] = { vocabulary_source(v), quantity_source(v),
			place_evidence(con) };
		printf("reading the vocabulary\t0\t0\t%.1f\t%.1f\n", us, us);
		for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
			bench(i, source, sizeof(source) / sizeof(source[0]));
	}
	airdb_put(con);
	airdb_close(db);
	return rc;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct err e = { OK, "" };

	if (argc != 2) {
		fprintf(stderr, "usage: bench_evidence AIRPORTS\n");
		return 2;
	}
	log_level_set("ERROR");
	const enum errcode rc = run(argv[1], a, &e);
	if (rc != OK)
		fprintf(stderr, "bench_evidence: %s\n", e.msg);
	arena_free(a);
	return rc == OK ? 0 : 1;
}
