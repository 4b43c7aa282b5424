/*
 * How much processor time the built-in planner takes for single questions, for conversations that are made to cost
 * much, and for a few normal ones.
 *
 *   bench_planner AIRPORTS RULES --questions FOLDER
 *   bench_planner AIRPORTS RULES [ROUNDS [SHAPE]]
 *
 * The first plans each marked message that begins a talk (tests/language/corpus). It prints a line a language: its code,
 * the number of messages, the median and the 99th percentile of the thread's CPU time for one plan in microseconds, and
 * the message that took longest, separated by tabs. The second
 * prints a line a shape: name, messages, bytes, and the median of the thread's CPU time for one
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
#include "rules/answer_words.h"
#include "rules/general_rules.h"
#include "rules/terms.h"
#include "tests/language/marked.h"
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

/* One plan of a conversation, and how long it took. */
static enum errcode plan_once(struct message *m, size_t n, const struct tool_context *ctx, int64_t *us, struct err *e)
{
	struct run run = { .mem = arena_new(), .messages = m, .nmessages = n };
	struct plans plans = { .n = 0 };
	const int64_t start = cpu_us();
	const enum errcode rc = planner_builtin.plan(&run, ctx, &plans, e);
	*us = cpu_us() - start;
	arena_free(run.mem);
	return rc;
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
	for (size_t i = 0; rc == OK && i < rounds; i++)
		rc = plan_once(m, n, ctx, &us[i], e);
	qsort(us, rounds, sizeof(*us), by_value);
	if (rc == OK)
		printf("%s\t%zu\t%zu\t%lld\n", h->name, n, bytes, (long long)us[rounds / 2]);
	arena_free(a);
	return rc;
}

static enum errcode bench_language(const struct marked *m, const char *language, const struct tool_context *ctx,
    struct arena *a, struct err *e)
{
	int64_t *us = arena_array(a, m->n + 1, sizeof(*us)), most = 0;
	const char *slowest = "";
	enum errcode rc = OK;
	size_t n = 0;

	for (size_t i = 0; rc == OK && i < m->n; i++) {
		const struct marked_message *x = &m->message[i];
		struct message said = MESSAGE("user", x->text);
		if (x->turn != 0 || !streq(x->language, language))
			continue;
		rc = plan_once(&said, 1, ctx, &us[n], e);
		if (us[n] > most) {
			most = us[n];
			slowest = x->text;
		}
		n++;
	}
	qsort(us, n, sizeof(*us), by_value);
	if (rc == OK && n > 0)
		printf("%s\t%zu\t%lld\t%lld\t%s\n", language, n, (long long)us[n / 2], (long long)us[n * 99 / 100], slowest);
	return rc;
}

static enum errcode bench_questions(const char *folder, const struct tool_context *ctx, struct err *e)
{
	struct arena *a = arena_new();
	struct marked m = { .n = 0 };
	enum errcode rc = marked_read_folder(&m, a, folder, e);
	for (size_t i = 0; rc == OK && i < languages_count(); i++)
		rc = bench_language(&m, language_at(i), ctx, a, e);
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

/* questions: a folder; NULL: the shapes. */
static enum errcode run(const char *airports, const char *rules, size_t rounds, const char *shape, const char *questions,
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
		rc = languages_open(conf.data_dir, e);
	if (rc == OK)
		rc = facts_open(conf.data_dir, e);
	if (rc == OK)
		rc = terms_open(conf.data_dir, e);
	if (rc == OK)
		rc = general_rules_open(conf.data_dir, e);
	if (rc == OK)
		rc = answer_words_open(conf.data_dir, e);
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
	if (rc == OK && questions != NULL)
		rc = bench_questions(questions, &ctx, e);
	if (rc == OK && questions == NULL)
		rc = bench_rows(plain, sizeof(plain) / sizeof(plain[0]), shape, &ctx, rounds, e);
	if (rc == OK && questions == NULL)
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
	const char *questions = argc == 5 && streq(argv[3], "--questions") ? argv[4] : NULL;
	if (argc < 3 || argc > 5 ||
	    (argc >= 4 && questions == NULL && (!str_to_int(argv[3], &rounds) || rounds < 1 || rounds > 1000))) {
		fprintf(stderr, "Usage: bench_planner AIRPORTS RULES [ROUNDS [SHAPE]]\n"
		    "       bench_planner AIRPORTS RULES --questions FOLDER\n");
		return 2;
	}
	log_level_set("ERROR");
	if (run(argv[1], argv[2], (size_t)rounds, argc > 4 ? argv[4] : "", questions, &e) == OK)
		return 0;
	fprintf(stderr, "bench_planner: %s\n", e.msg);
	return 1;
}
