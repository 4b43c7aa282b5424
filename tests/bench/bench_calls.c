/*
 * What the calls beside the chat cost: the whole way from a request's parameters to the bytes of its answer,
 * without a web server and without a socket.
 *
 *   bench_calls DATABASE [ROUNDS]
 *
 * Facts come from GA_NOTIFICATIONS_DB and GA_PERSONA_DB, if they are set. Prints a line a call: name, bytes of
 * the answer, p50 and p99 of the processor time in microseconds, and by how many kilobytes the call lets a
 * fresh process grow; separated by tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "airports/airdb.h"
#include "airports/facts.h"
#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/routes.h"

#define BASE "/api/aviation-agent"

static const struct {
	const char *name, *path, *query;
	const char *body;             /* NULL: GET */
} cases[] = {
	{ "airports, Europe, 500", BASE "/airports/", "bbox=71,35,40,-11&aip_operator=contains&limit=500", NULL },
	{ "airports, the world, 500", BASE "/airports/", "aip_operator=contains&limit=500", NULL },
	{ "airports, the world as a box, 500", BASE "/airports/", "bbox=89,-89,179,-179&limit=500", NULL },
	{ "airports, Germany with AVGAS", BASE "/airports/", "country=DE&has_avgas=true&limit=500", NULL },
	{ "airports around Lyon, 500", BASE "/airports/", "bbox=47,44,7,3&limit=500", NULL },
	{ "route-search EGTF-LFMD", BASE "/airports/route-search",
	    "airports=EGTF%2CLFMD&segment_distance_nm=50&limit=1000", NULL },
	{ "route-search LFMD", BASE "/airports/route-search", "airports=LFMD&segment_distance_nm=50", NULL },
	{ "locate 45.73, 4.94", BASE "/airports/locate", "center_lat=45.73&center_lon=4.94&q=Lyon&radius_nm=50", NULL },
	{ "locate Lyon, France", BASE "/airports/locate", "q=Lyon%2C+France&radius_nm=50", NULL },
	{ "search lyon", BASE "/airports/search/lyon", "limit=50", NULL },
	{ "filters/all", BASE "/filters/all", "", NULL },
	{ "AIP entries LFMD", BASE "/airports/LFMD/aip-entries", "", NULL },
	{ "lines of approaches, 8 airports", BASE "/airports/bulk/procedure-lines", "",
	    "{\"airports\":[\"LFMD\",\"EGLL\",\"LFAT\",\"EGKB\",\"LFPG\",\"EDDM\",\"LFLY\",\"LFMN\"],\"distance_nm\":10}" },
	{ "details LFMD", BASE "/airports/LFMD", "", NULL },
};

enum { SMALL = sizeof(cases) / sizeof(cases[0]) - 1 };     /* the call that costs least */

/* ---- a request in memory ------------------------------------------------------------- */

struct exchange {
	struct http_io io;
	const char *path, *query, *body;
	size_t bytes;
	bool fine;                    /* the status is 200 */
};

static const char *param(struct http_io *io, const char *name)
{
	const struct exchange *x = (struct exchange *)io;

	return streq(name, "REQUEST_METHOD") ? (x->body != NULL ? "POST" : "GET") :
	    streq(name, "SCRIPT_NAME") ? x->path : streq(name, "QUERY_STRING") ? x->query : NULL;
}

static enum errcode body(struct http_io *io, struct buf *b, struct err *e)
{
	const struct exchange *x = (struct exchange *)io;

	(void)e;
	buf_puts(b, x->body != NULL ? x->body : "");
	return OK;
}

static enum errcode take(struct http_io *io, const char *p, size_t n)
{
	struct exchange *x = (struct exchange *)io;

	x->fine = x->fine || starts_with(p, "Status: 200 ");
	x->bytes += n;
	return OK;
}

static enum errcode no_flush(struct http_io *io)
{
	(void)io;
	return OK;
}

static bool not_gone(struct http_io *io)
{
	(void)io;
	return false;
}

static int no_fd(struct http_io *io)
{
	(void)io;
	return -1;
}

static const struct http_io_ops ops = { param, body, take, no_flush, not_gone, no_fd };

/* ---- one call ------------------------------------------------------------------------ */

static long long cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Microseconds; -1: the call failed. */
static long long timed(struct edge *e, size_t i, size_t *bytes)
{
	struct exchange x = { .io.ops = &ops, .path = cases[i].path, .query = cases[i].query,
		.body = cases[i].body };
	const long long start = cpu_us();

	edge_serve(e, &x.io);
	*bytes = x.bytes;
	return x.fine ? cpu_us() - start : -1;
}

static long peak_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

/* How much a process grows that has made a small call before; -1: it failed. */
static long growth_kb(struct edge *e, size_t i)
{
	int ends[2], status = 1;
	long kb = -1;

	fflush(stdout);
	if (pipe(ends) != 0)
		return -1;
	const pid_t child = fork();
	if (child == 0) {
		size_t bytes;
		timed(e, SMALL, &bytes);      /* opens the database */
		const long before = peak_kb();
		kb = timed(e, i, &bytes) < 0 ? -1 : peak_kb() - before;
		_exit(write(ends[1], &kb, sizeof(kb)) == sizeof(kb) ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &kb, sizeof(kb)) != sizeof(kb))
		kb = -1;
	close(ends[0]);
	if (child > 0)
		waitpid(child, &status, 0);
	return kb;
}

static int by_value(const void *a, const void *b)
{
	const long long x = *(const long long *)a, y = *(const long long *)b;
	return (x > y) - (x < y);
}

static int run(struct edge *e, size_t rounds)
{
	enum { WARM = 5 };
	long long *times = calloc(rounds, sizeof(*times));

	for (size_t c = 0; times != NULL && c < sizeof(cases) / sizeof(cases[0]); c++) {
		const long kb = growth_kb(e, c);
		size_t bytes = 0;

		for (size_t i = 0; i < rounds + WARM; i++) {
			const long long us = timed(e, c, &bytes);
			if (us < 0) {
				fprintf(stderr, "bench_calls: %s failed\n", cases[c].name);
				free(times);
				return 1;
			}
			if (i >= WARM)
				times[i - WARM] = us;
		}
		qsort(times, rounds, sizeof(*times), by_value);
		printf("%s\t%zu\t%lld\t%lld\t%ld\n", cases[c].name, bytes, times[rounds / 2],
		    times[rounds - 1 - rounds / 100], kb);
	}
	free(times);
	return times != NULL ? 0 : 1;
}

int main(int argc, char **argv)
{
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	long long rounds = 200;
	struct err e = { 0 };
	struct airdb *db = NULL;
	struct arena *a = arena_new();
	struct conf conf;
	struct edge edge;
	struct personas personas;

	if (argc < 2 || argc > 3
	    || (argc == 3 && (!str_to_int(argv[2], &rounds) || rounds < 1 || rounds > 1000000))) {
		fprintf(stderr, "Usage: bench_calls DATABASE [ROUNDS]\n");
		return 2;
	}
	log_level_set("ERROR");
	const struct airdb_config config = { .path = argv[1] };
	if (conf_load(&conf, a, &e) != OK || facts_open(conf.data_dir, &e) != OK ||
	    personas_load(&personas, a, conf.personas_json, &e) != OK ||
	    airdb_index(&config, NULL, NULL, &e) != OK || airdb_open(&db, &config, &e) != OK) {
		fprintf(stderr, "bench_calls: %s\n", e.msg);
		arena_free(a);
		return 1;
	}
	conf.store_provider = "memory";
	struct friendliness *friendly = friendliness_new(conf.persona_db, &personas);
	struct notices *notices = notices_new(conf.notifications_db, argv[1]);
	const struct edge_parts parts = { .conf = &conf, .mem = a, .agents = agents, .nagents = 2,
		.routes = routes, .nroutes = nroutes, .airports = db, .personas = &personas,
		.friendliness = friendly, .notices = notices };
	int status = edge_init(&edge, &parts, &e) == OK ? run(&edge, (size_t)rounds) : 1;
	edge_release(&edge);
	notices_free(notices);
	friendliness_free(friendly);
	airdb_close(db);
	arena_free(a);
	return status;
}
