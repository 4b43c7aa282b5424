/*
 * How long the searches take, one after another on one connection, as a turn sees them: the
 * whole tool call, from its arguments to the finished JSON object.
 *
 *   bench_search DATABASE [ROUNDS]
 *
 * With GA_PERSONA_DB set, the searches order airports by its reviews. With GA_NOTIFICATIONS_DB set, the
 * notice of 100 airports is looked up at once. Prints a line a search: name, airports found, p50 and
 * p99 in microseconds, separated by tabs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/airdb.h"
#include "airports/facts.h"
#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/db.h"
#include "tools/tool.h"

static const struct {
	const char *name, *tool, *args;
} cases[] = {
	{ "route EGTF-LFMD, 50 nm", "find_airports_near_route",
	    "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"max_distance_nm\":50}" },
	{ "route KJFK-KLAX, 50 nm", "find_airports_near_route",
	    "{\"from_location\":\"KJFK\",\"to_location\":\"KLAX\",\"max_distance_nm\":50}" },
	{ "near Paris, 50 nm", "find_airports_near_location",
	    "{\"location_query\":\"Paris, France\",\"max_distance_nm\":50}" },
	{ "near LFPB, 50 nm", "find_airports_near_location",
	    "{\"location_query\":\"LFPB\",\"max_distance_nm\":50}" },
	{ "area Bavaria", "find_airports_near_location", "{\"location_query\":\"Bavaria\"}" },
	{ "area Alps", "find_airports_near_location", "{\"location_query\":\"the Alps\"}" },
	{ "text \"lyon\"", "search_airports", "{\"query\":\"lyon\"}" },
	{ "text \"san\"", "search_airports", "{\"query\":\"san\"}" },
	{ "text \"saint\"", "search_airports", "{\"query\":\"saint\"}" },
	{ "text \"airport\"", "search_airports", "{\"query\":\"airport\"}" },
	{ "text \"sa\"", "search_airports", "{\"query\":\"sa\"}" },
	{ "text \"in\"", "search_airports", "{\"query\":\"in\"}" },
	{ "text \"US\"", "search_airports", "{\"query\":\"US\"}" },
	{ "text \"DE\"", "search_airports", "{\"query\":\"DE\"}" },
	{ "country Germany", "search_airports", "{\"query\":\"Germany\"}" },
	{ "country United States", "search_airports", "{\"query\":\"United States\"}" },
	{ "Germany, hard runway", "search_airports",
	    "{\"query\":\"Germany\",\"filters\":{\"has_hard_runway\":true}}" },
	/* filters of which public data records nothing */
	{ "route EGTF-LFMD, AVGAS", "find_airports_near_route",
	    "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"filters\":{\"has_avgas\":true}}" },
	{ "route KJFK-KLAX, AVGAS and customs", "find_airports_near_route",
	    "{\"from_location\":\"KJFK\",\"to_location\":\"KLAX\","
	    "\"filters\":{\"has_avgas\":true,\"point_of_entry\":true}}" },
	{ "near Paris, lunch", "find_airports_near_location",
	    "{\"location_query\":\"Paris, France\",\"filters\":{\"restaurant\":\"any\"}}" },
	{ "United States, AVGAS", "search_airports",
	    "{\"query\":\"United States\",\"filters\":{\"has_avgas\":true}}" },
	{ "details LFMD", "get_airport_details", "{\"icao_code\":\"LFMD\"}" },
};

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* One call; microseconds, or -1. */
static int64_t timed(const struct tool_context *ctx, const struct tool *t, const char *args,
    int64_t *found)
{
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct json_object *o = NULL, *result = NULL;
	int64_t us = -1;

	if (jsn_parse(a, args, strlen(args), 32, &o, NULL, &e) == OK) {
		int64_t start = clock_mono_us();
		if (tool_call(ctx, t, a, o, "ifr_touring_sr22", &result, &e) == OK)
			us = clock_mono_us() - start;
	}
	if (us < 0)
		fprintf(stderr, "bench_search: %s: %s\n", t->name, e.msg);
	else
		*found = (int64_t)jsn_len(jsn_get(result, "airports"));
	arena_free(a);
	return us;
}

static int run(const struct tool_context *ctx, size_t rounds)
{
	int64_t *times = calloc(rounds, sizeof(*times));
	if (times == NULL)
		return 1;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		const struct tool *t = toolset_find(tools_builtin, cases[c].tool);
		int64_t found = 0;
		for (size_t i = 0; i < rounds + 5; i++) {      /* five to warm up */
			int64_t us = timed(ctx, t, cases[c].args, &found);
			if (us < 0) {
				free(times);
				return 1;
			}
			if (i >= 5)
				times[i - 5] = us;
		}
		qsort(times, rounds, sizeof(*times), by_value);
		printf("%s\t%lld\t%lld\t%lld\n", cases[c].name, (long long)found,
		    (long long)times[rounds / 2], (long long)times[rounds - 1 - rounds / 100]);
	}
	free(times);
	return 0;
}

enum { CANDIDATES = 1000 };

/* The scores of as many candidates for each persona, of which some features are not recorded. */
static int score(const struct personas *personas, size_t rounds)
{
	static double value[CANDIDATES][FEATURE__MAX];
	int64_t *times = calloc(rounds, sizeof(*times));
	double sum = 0;

	if (times == NULL)
		return 1;
	for (size_t i = 0; i < CANDIDATES; i++)
		for (size_t f = 0; f < FEATURE__MAX; f++)
			value[i][f] = (i + f) % 7 == 0 ? (double)NAN : (double)((i * 31 + f * 17) % 100) / 100;
	for (size_t r = 0; r < rounds; r++) {
		int64_t start = clock_mono_us();
		for (size_t p = 0; p < personas->n; p++)
			for (size_t i = 0; i < CANDIDATES; i++)
				if (persona_informed(&personas->list[p], value[i]))
					sum += persona_score(&personas->list[p], value[i]);
		times[r] = clock_mono_us() - start;
	}
	qsort(times, rounds, sizeof(*times), by_value);
	printf("scores for %zu personas\t%d\t%lld\t%lld\n", personas->n, sum > 0 ? CANDIDATES : 0,
	    (long long)times[rounds / 2], (long long)times[rounds - 1 - rounds / 100]);
	free(times);
	return 0;
}

enum { NOTICES = 100 };

/* A hundred idents of the database, from the start again where it has fewer. */
static bool idents_of(const char *path, struct arena *a, const char **idents, struct err *e)
{
	struct db *db = NULL;
	struct db_stmt *s;
	size_t n = 0, i = 0;

	if (db_open(&db, path, DB_READ, e) != OK)
		return false;
	s = db_prepare(db, "SELECT DISTINCT icao FROM ga_notification_requirements LIMIT 100", e);
	while (n < NOTICES && db_step(s, e) == DB_ROW)
		idents[n++] = arena_strdup(a, db_text(s, 0));
	db_done(s);
	db_close(db);
	for (; n > 0 && n + i < NOTICES; i++)
		idents[n + i] = idents[i];
	return n > 0;
}

/* One look-up of the notice of 100 airports, with the summaries that a search shows. */
static int notices(const struct conf *conf, const char *airports, struct arena *a, size_t rounds)
{
	const char *idents[NOTICES];
	const void *found[NOTICES];
	int64_t *times = calloc(rounds, sizeof(*times));
	struct notices *all = notices_new(conf->notifications_db, airports);
	const struct fact_source *source = notices_source(all);
	struct err e = { 0 };
	size_t n = 0;

	if (times == NULL || !idents_of(conf->notifications_db, a, idents, &e)) {
		fprintf(stderr, "bench_search: %s\n", e.msg);
		return 1;
	}
	for (size_t r = 0; r < rounds; r++) {
		int64_t start = clock_mono_us();
		const void *facts = source->take(source->self);

		source->find(facts, idents, NOTICES, found);
		n = 0;
		for (size_t i = 0; i < NOTICES; i++)
			if (found[i] != NULL) {
				json_object_put(notice_summary_json(found[i]));
				n++;
			}
		source->put(source->self, facts);
		times[r] = clock_mono_us() - start;
	}
	qsort(times, rounds, sizeof(*times), by_value);
	printf("notice of %d airports\t%zu\t%lld\t%lld\n", NOTICES, n, (long long)times[rounds / 2],
	    (long long)times[rounds - 1 - rounds / 100]);
	notices_free(all);
	free(times);
	return 0;
}

int main(int argc, char **argv)
{
	long long rounds = 500;
	struct err e = { 0 };
	struct airdb *db = NULL;
	struct arena *a = arena_new();
	struct conf conf;
	struct personas personas;

	if (argc < 2 || argc > 3
	    || (argc == 3 && (!str_to_int(argv[2], &rounds) || rounds < 1 || rounds > 1000000))) {
		fprintf(stderr, "Usage: bench_search DATABASE [ROUNDS]\n");
		return 2;
	}
	log_level_set("ERROR");
	const struct airdb_config config = { .path = argv[1] };
	if (conf_load(&conf, a, &e) != OK || facts_open(conf.data_dir, &e) != OK ||
	    personas_load(&personas, a, conf.personas_json, &e) != OK ||
	    airdb_index(&config, NULL, NULL, &e) != OK || airdb_open(&db, &config, &e) != OK) {
		fprintf(stderr, "bench_search: %s\n", e.msg);
		arena_free(a);
		return 1;
	}
	struct friendliness *friendly = friendliness_new(conf.persona_db, &personas);
	const struct fact_sources sources = { .of[FACTS_FRIENDLINESS] = friendliness_source(friendly) };
	const struct tool_context ctx = { .airports = db, .sources = &sources, .personas = &personas };
	int status = run(&ctx, (size_t)rounds);
	if (status == 0)
		status = score(&personas, (size_t)rounds);
	if (status == 0 && getenv("GA_NOTIFICATIONS_DB") != NULL)
		status = notices(&conf, argv[1], a, (size_t)rounds);
	friendliness_free(friendly);
	airdb_close(db);
	arena_free(a);
	return status;
}
