/*
 * How much processor time the built-in planner takes for conversations that are made to cost much,
 * and for a few normal ones.
 *
 *   bench_planner AIRPORTS RULES [ROUNDS [SHAPE]]
 *
 * Prints a line a shape: name, messages, bytes, and the median of the thread's CPU time for one
 * plan in microseconds, separated by tabs. SHAPE: only shapes with this in their name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/tool_words.h"
#include "agents/aviation/builtin/trained_reader.h"
#include "agents/aviation/config.h"
#include "agents/aviation/messages.h"
#include "agents/aviation/planner.h"
#include "airports/airdb.h"
#include "airports/facts.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"
#include "language/languages.h"
#include "rules/rules.h"
#include "rules/terms.h"
#include "tests/unit/hostile.h"

enum { WAIT_MS = 120000, ROUNDS = 3 };

static const struct hostile plain[] = {
	{ "plain: a route", "fuel stop with AVGAS between EGTF and LFMD", 42, 1, NULL, 0, NULL, NULL },
	{ "plain: a rule", "do I need a flight plan VFR into France?", 40, 1, NULL, 0, NULL, NULL },
};

static int64_t cpu_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static enum errcode bench(const struct hostile *h, const struct tool_context *ctx, size_t rounds,
    struct err *e)
{
	struct arena *a = arena_new();
	size_t n, bytes = 0;
	struct message *m = hostile_messages(a, h, &n);
	int64_t *us = arena_array(a, rounds, sizeof(*us));
	enum errcode rc = OK;
	for (size_t i = 0; i < n; i++)
		bytes += strlen(m[i].content);
	for (size_t i = 0; rc == OK && i < rounds; i++) {
		struct run run = { .mem = arena_new(), .messages = m, .nmessages = n };
		struct plans plans = { .n = 0 };
		int64_t start = cpu_us();
		rc = planner_builtin.plan(&run, ctx, &plans, e);
		us[i] = cpu_us() - start;
		arena_free(run.mem);
	}
	qsort(us, rounds, sizeof(*us), by_value);
	if (rc == OK)
		printf("%s\t%zu\t%zu\t%lld\n", h->name, n, bytes, (long long)us[rounds / 2]);
	arena_free(a);
	return rc;
}

/* Those of the rows whose name has `shape` in it. */
static enum errcode bench_rows(const struct hostile *rows, size_t n, const char *shape,
    const struct tool_context *ctx, size_t rounds, struct err *e)
{
	enum errcode rc = OK;
	for (size_t i = 0; rc == OK && i < n; i++)
		if (strstr(rows[i].name, shape) != NULL)
			rc = bench(&rows[i], ctx, rounds, e);
	return rc;
}

static enum errcode run(const char *airports, const char *rules, size_t rounds, const char *shape,
    struct err *e)
{
	struct arena *a = arena_new();
	struct conf conf;
	struct aviation_config site;
	const struct rules_config config = { .path = rules, .options = &site.rules };
	const struct airdb_config where = { .path = airports };
	struct tool_context ctx = { .table = tools_builtin, .offered = tools_builtin };
	enum errcode rc = conf_load(&conf, a, e);
	if (rc == OK)
		rc = behavior_read(&site, &aviation_slice, &conf, a, e);
	if (rc == OK)
		rc = facts_open(conf.data_dir, e);
	if (rc == OK)
		rc = terms_open(conf.data_dir, e);
	if (rc == OK)
		rc = languages_open(conf.data_dir, e);
	if (rc == OK)
		rc = trained_reader_open(conf.data_dir, e);
	if (rc == OK)
		rc = tool_words_open(conf.data_dir, e);
	if (rc == OK)
		rc = messages_open(conf.data_dir, e);
	if (rc == OK)
		rc = replies_open(conf.data_dir, e);
	if (rc == OK)
		rc = rules_open(&ctx.rules, &config, e);
	if (rc == OK && rules_use(ctx.rules, a) == NULL)
		rc = err_set(e, ERR_DATA, "%s", rules_status(ctx.rules, a).rules);
	if (rc == OK)
		rc = airdb_index(&where, NULL, NULL, e);
	if (rc == OK)
		rc = airdb_open(&ctx.airports, &where, e);
	if (rc == OK)
		rc = bench_rows(plain, sizeof(plain) / sizeof(plain[0]), shape, &ctx, rounds, e);
	if (rc == OK)
		rc = bench_rows(hostile_shapes, HOSTILE_SHAPES, shape, &ctx, rounds, e);
	airdb_close(ctx.airports);
	arena_free(a);
	rules_close(ctx.rules);
	return rc;
}

int main(int argc, char **argv)
{
	long long rounds = ROUNDS;
	struct err e = { 0 };
	if (argc < 3 || argc > 5 ||
	    (argc >= 4 && (!str_to_int(argv[3], &rounds) || rounds < 1 || rounds > 1000))) {
		fprintf(stderr, "Usage: bench_planner AIRPORTS RULES [ROUNDS [SHAPE]]\n");
		return 2;
	}
	log_level_set("ERROR");
	if (run(argv[1], argv[2], (size_t)rounds, argc > 4 ? argv[4] : "", &e) == OK)
		return 0;
	fprintf(stderr, "bench_planner: %s\n", e.msg);
	return 1;
}
