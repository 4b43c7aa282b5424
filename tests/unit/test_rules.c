/*
 * The service around the rule base: one set for all threads, files that come, change, break and
 * go while it is in use.
 */
#include "tests/unit/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rules/options.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "rules/rules.h"
#include "tests/unit/index_fix.h"
#include "tests/unit/rules_fix.h"

#define ONE(cc, text) "[{'id': 'q', 'question_text': 'What of " cc "?', 'answers_by_country': {'" \
	cc "': {'answer_html': '" text "'}}}]"

struct fix {
	char *dir;
	char path[600], vectors[600], log[600];
	struct rules_options options;
	struct rules_config config;
	struct rules *rules;
};

static void fix_open(struct fix *f, const char *text)
{
	struct err e;
	*f = (struct fix){ .dir = test_mkdtemp() };
	snprintf(f->path, sizeof(f->path), "%s/rules.json", f->dir);
	snprintf(f->vectors, sizeof(f->vectors), "%s/vectors.db", f->dir);
	snprintf(f->log, sizeof(f->log), "%s/log", f->dir);
	f->options.embedding_model = "model-a";
	f->config = (struct rules_config){ .path = f->path, .vectors = f->vectors };
	log_level_set("INFO");
	cr_assert(log_open(f->log));
	if (text != NULL)
		rules_fix_write(f->path, text);
	TEST_OK(rules_open(&f->rules, &f->config, &e), e);
	rules_refresh(f->rules);
}

static void fix_close_all(struct fix *f)
{
	rules_close(f->rules);
	log_open(NULL);
	test_rmdir(f->dir);
}

/* As an editor or a job does it: written beside, then renamed. NULL: removed. */
static void put(struct fix *f, const char *text)
{
	char new[620];
	snprintf(new, sizeof(new), "%s.new", f->path);
	if (text == NULL) {
		unlink(f->path);
		return;
	}
	rules_fix_write(new, text);
	cr_assert_eq(rename(new, f->path), 0);
}

/* How many lines of the log are of this event: the third word of a line. */
static size_t logged(struct fix *f, const char *event)
{
	char line[4096], word[64];
	size_t count = 0;
	FILE *in = fopen(f->log, "r");
	cr_assert_not_null(in);
	while (fgets(line, sizeof(line), in) != NULL)
		count += sscanf(line, "%*s %*s %63s", word) == 1 && streq(word, event);
	fclose(in);
	return count;
}

/* Country codes of the present set, "-" for none. */
static const char *codes(struct fix *f, struct arena *a)
{
	const struct rules_snapshot *set = rules_use(f->rules, a);
	return set != NULL ? rulebase_codes(set->base, a) : "-";
}

TEST(rules, nothing_to_use)
{
	struct arena *a = arena_new();
	cr_assert_null(rules_use(NULL, a));
	struct rules_status st = rules_status(NULL, a);
	cr_assert(!st.loading && !st.loaded && !st.vectors && st.rules != NULL && st.index != NULL);
	arena_free(a);
}

TEST(rules, loaded)
{
	struct arena *a = arena_new();
	struct fix f;
	fix_open(&f, rules_fix_small);
	cr_assert_eq(rules_config(f.rules)->path, f.path);
	const struct rules_snapshot *set = rules_use(f.rules, a);
	cr_assert_not_null(set);
	cr_assert_not_null(set->lexical);
	cr_assert_null(set->vectors);
	cr_assert_eq(rules_use(f.rules, a), set, "one set for all");
	struct rules_status st = rules_status(f.rules, a);
	cr_assert(!st.loading && st.loaded && !st.vectors);
	cr_assert_str_eq(st.rules, "3 questions, 3 countries, 5 answers");
	cr_assert_null(st.stale);
	cr_assert_not_null(strstr(st.index, "no embedding provider"), "%s", st.index);
	cr_assert_eq(st.countries, 3);
	cr_assert_eq(st.answers, 5);
	cr_assert_eq(logged(&f, "rules"), 1);
	cr_assert_eq(logged(&f, "rule_vectors"), 1);
	arena_free(a);
	fix_close_all(&f);
}

static const struct {
	const char *text;             /* NULL: the file is removed */
	const char *codes;            /* then in use */
	const char *stale;            /* in the status; NULL: as loaded */
	size_t loads, unavailable, stales;      /* lines in the log so far */
} life[] = {
	{ ONE("FR", "x"), "FR", NULL, 1, 1, 0 },
	{ ONE("GB", "x"), "GB", NULL, 2, 1, 0 },
	{ "{ broken", "GB", "not JSON", 2, 1, 1 },
	{ "[]", "GB", "no rule in it", 2, 1, 2 },
	{ NULL, "GB", "No such file", 2, 1, 3 },
	{ ONE("DE", "x"), "DE", NULL, 3, 1, 3 },
	{ NULL, "DE", "No such file", 3, 1, 4 },
	{ "{'questions': 7}", "DE", "neither a list", 3, 1, 5 },
	{ ONE("DE", "x"), "DE", NULL, 4, 1, 5 },
};

/* A missing file was tried and logged again at every query. */
TEST(rules, a_missing_file_is_logged_once)
{
	struct arena *a = arena_new();
	struct fix f;
	fix_open(&f, NULL);
	for (int i = 0; i < 5; i++) {
		rules_refresh(f.rules);
		cr_assert_str_eq(codes(&f, a), "-");
	}
	struct rules_status st = rules_status(f.rules, a);
	cr_assert(!st.loading && !st.loaded);
	cr_assert_not_null(strstr(st.rules, "rules.json"), "%s", st.rules);
	cr_assert_null(st.stale);
	cr_assert_eq(logged(&f, "rules_unavailable"), 1);

	/* from then on, every change */
	for (size_t i = 0; i < sizeof(life) / sizeof(life[0]); i++) {
		put(&f, life[i].text);
		for (int k = 0; k < 3; k++)
			rules_refresh(f.rules);
		cr_assert_str_eq(codes(&f, a), life[i].codes, "row %zu", i);
		st = rules_status(f.rules, a);
		cr_assert(st.loaded);
		cr_assert_eq(st.stale != NULL, life[i].stale != NULL, "row %zu", i);
		if (st.stale != NULL)
			cr_assert_not_null(strstr(st.stale, life[i].stale), "row %zu: %s", i, st.stale);
		cr_assert_eq(logged(&f, "rules"), life[i].loads, "row %zu", i);
		cr_assert_eq(logged(&f, "rules_unavailable"), life[i].unavailable, "row %zu", i);
		cr_assert_eq(logged(&f, "rules_stale"), life[i].stales, "row %zu", i);
	}
	arena_free(a);
	fix_close_all(&f);
}

TEST(rules, a_set_lives_as_long_as_it_is_held)
{
	struct arena *old = arena_new(), *a = arena_new();
	struct fix f;
	fix_open(&f, ONE("FR", "first"));
	const struct rules_snapshot *set = rules_use(f.rules, old);
	put(&f, ONE("FR", "second"));
	rules_refresh(f.rules);
	cr_assert_str_eq(rules_use(f.rules, a)->base->questions[0].entries[0].text, "second");
	cr_assert_str_eq(set->base->questions[0].entries[0].text, "first");
	arena_free(old);
	arena_free(a);
	fix_close_all(&f);
}

/* Nobody has to ask for it; and not at every use. */
TEST(rules, files_are_looked_at_every_few_seconds, .timeout = 60)
{
	struct arena *a = arena_new();
	struct fix f;
	int64_t start = clock_mono_ms();
	fix_open(&f, ONE("FR", "x"));
	put(&f, ONE("GB", "x"));
	while (streq(codes(&f, a), "FR"))
		clock_sleep_ms(10);
	cr_assert_str_eq(codes(&f, a), "GB");
	cr_assert_geq(clock_mono_ms() - start, 2000);
	cr_assert_eq(logged(&f, "rules"), 2);
	arena_free(a);
	fix_close_all(&f);
}

/* ---- while it loads ------------------------------------------------------------------ */

/* A log that takes no more lines. The loader says what it found before that is in use, so it stays
 * in the middle of its load until the log is read. */
struct full_log {
	char path[700];
	int fd;
};

static void full_log_open(struct full_log *l, const struct fix *f)
{
	char line[1024];
	memset(line, '.', sizeof(line));
	snprintf(l->path, sizeof(l->path), "%s/pipe", f->dir);
	cr_assert_eq(mkfifo(l->path, 0600), 0);
	l->fd = open(l->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	cr_assert_geq(l->fd, 0);
	for (size_t n = sizeof(line); n > 0; n /= 2)
		while (write(l->fd, line, n) > 0)
			;
	cr_assert(log_open(l->path));
}

static void full_log_read(const struct full_log *l)
{
	char line[4096];
	while (read(l->fd, line, sizeof(line)) > 0)
		;
}

/* Nobody may be about to write a line. */
static void full_log_close(struct full_log *l, const struct fix *f)
{
	cr_assert(log_open(f->log));
	close(l->fd);
}

/* As fix_open(), with a load that stays where it is. */
static void fix_open_loading(struct fix *f, struct full_log *l, const char *text)
{
	struct err e;
	fix_open(f, NULL);
	rules_close(f->rules);
	put(f, text);
	full_log_open(l, f);
	TEST_OK(rules_open(&f->rules, &f->config, &e), e);
}

static void *use_first(void *arg)
{
	struct fix *f = arg;
	struct arena *a = arena_new();
	bool there = rules_use(f->rules, a) != NULL;
	arena_free(a);
	return there ? f : NULL;
}

/* The start of the program, health and the rest need not wait; a turn does. */
TEST(rules, the_first_load_is_waited_for_by_who_uses_it, .timeout = 60)
{
	struct arena *a = arena_new();
	struct full_log l;
	struct fix f;
	pthread_t users[3];
	void *there;
	fix_open_loading(&f, &l, ONE("FR", "x"));
	for (size_t i = 0; i < 3; i++)
		cr_assert_eq(pthread_create(&users[i], NULL, use_first, &f), 0);
	clock_sleep_ms(50);
	struct rules_status st = rules_status(f.rules, a);
	cr_assert(st.loading && !st.loaded && !st.vectors && st.stale == NULL);
	cr_assert_str_eq(st.rules, "being loaded");
	cr_assert_not_null(strstr(st.index, "being loaded"), "%s", st.index);
	full_log_read(&l);
	for (size_t i = 0; i < 3; i++) {
		pthread_join(users[i], &there);
		cr_assert_not_null(there);
	}
	rules_refresh(f.rules);
	st = rules_status(f.rules, a);
	cr_assert(!st.loading && st.loaded);
	full_log_close(&l, &f);
	arena_free(a);
	fix_close_all(&f);
}

/* A file that takes for ever costs the first turns a few seconds, once. */
TEST(rules, the_wait_has_an_end, .timeout = 60)
{
	struct arena *a = arena_new();
	struct full_log l;
	struct fix f;
	fix_open_loading(&f, &l, ONE("FR", "x"));
	int64_t start = clock_mono_ms();
	cr_assert_null(rules_use(f.rules, a));
	int64_t waited = clock_mono_ms() - start;
	cr_assert(waited > 3000, "%lld ms", (long long)waited);
	start = clock_mono_ms();
	for (int i = 0; i < 5; i++)
		cr_assert_null(rules_use(f.rules, a));
	cr_assert_lt(clock_mono_ms() - start, 4000, "each of them waited");
	cr_assert(rules_status(f.rules, a).loading);
	full_log_read(&l);
	rules_refresh(f.rules);
	cr_assert_str_eq(codes(&f, a), "FR");
	full_log_close(&l, &f);
	arena_free(a);
	fix_close_all(&f);
}

/* Who finds a changed file goes on with what is there, as all others do. */
TEST(rules, a_changed_file_is_loaded_beside_the_old_set, .timeout = 60)
{
	struct arena *a = arena_new();
	struct full_log l;
	struct fix f;
	fix_open(&f, ONE("FR", "x"));
	put(&f, ONE("GB", "x"));
	full_log_open(&l, &f);
	int64_t start = clock_mono_ms();
	while (clock_mono_ms() - start < 2500) {    /* it is looked at meanwhile */
		cr_assert_str_eq(codes(&f, a), "FR");
		struct rules_status st = rules_status(f.rules, a);
		cr_assert(!st.loading && st.loaded && st.stale == NULL);
		clock_sleep_ms(10);
	}
	full_log_read(&l);
	while (streq(codes(&f, a), "FR"))
		clock_sleep_ms(10);
	cr_assert_str_eq(codes(&f, a), "GB");
	rules_refresh(f.rules);
	full_log_close(&l, &f);
	arena_free(a);
	fix_close_all(&f);
}

static void *close_rules(void *arg)
{
	struct fix *f = arg;
	rules_close(f->rules);
	return NULL;
}

/* Told to stop while it reads the file, which has a fault to be logged: it goes no further. */
TEST(rules, closing_cuts_a_load_short, .timeout = 60)
{
	struct full_log l;
	struct fix f;
	struct err e;
	pthread_t closer;
	fix_open_loading(&f, &l, "[7, {'id': 'q', 'answers_by_country': {'FR': {'answer': 'x'}}}]");
	cr_assert_eq(pthread_create(&closer, NULL, close_rules, &f), 0);
	clock_sleep_ms(300);
	cr_assert(log_open(f.log));      /* of what is said from here on */
	full_log_read(&l);
	pthread_join(closer, NULL);
	cr_assert_eq(logged(&f, "rules"), 0);
	cr_assert_eq(logged(&f, "rules_unavailable"), 1, "the one before there was a file");
	close(l.fd);

	/* the same file is read to its end when nobody stops that */
	TEST_OK(rules_open(&f.rules, &f.config, &e), e);
	rules_refresh(f.rules);
	cr_assert_eq(logged(&f, "rules"), 1);
	fix_close_all(&f);
}

TEST(rules, closed_at_any_moment_of_a_load)
{
	struct fix f;
	struct err e;
	fix_open(&f, rules_fix_small);
	for (int i = 0; i < 50; i++) {
		rules_close(f.rules);
		TEST_OK(rules_open(&f.rules, &f.config, &e), e);
		for (volatile int k = 0; k < i * 2000; k++)
			;
	}
	fix_close_all(&f);
}

/* ---- vectors ----------------------------------------------------------------------- */

/* A provider is set; this service hands it on and never calls it. */
static struct llm *some_llm(void)
{
	static char there;
	return (struct llm *)(void *)&there;
}

static void build_index(struct fix *f, const char *model)
{
	const struct fix_provider p = { .dims = 8 };
	const struct index_options o = { .path = f->vectors, .model = model };
	struct index_stats stats;
	struct rulebase *b;
	struct err e;
	TEST_OK(rulebase_load(&b, f->path, &e), e);
	TEST_OK(fix_index(p, &o, b, NULL, &stats, &e), e);
	rulebase_free(b);
}

static void fix_open_vectors(struct fix *f, const char *text)
{
	struct err e;
	fix_open(f, text);
	rules_close(f->rules);
	f->config.llm = some_llm();
	f->config.options = &f->options;
	TEST_OK(rules_open(&f->rules, &f->config, &e), e);
	rules_refresh(f->rules);
}

TEST(rules, vectors_come_and_change)
{
	struct arena *a = arena_new();
	struct fix f;
	fix_open_vectors(&f, ONE("FR", "x"));
	struct rules_status st = rules_status(f.rules, a);
	cr_assert(st.loaded && !st.vectors && st.stale == NULL);
	cr_assert_not_null(strstr(st.index, "vectors.db"), "%s", st.index);
	const struct rulebase *base = rules_use(f.rules, a)->base;

	build_index(&f, "model-a");
	rules_refresh(f.rules);
	const struct rules_snapshot *set = rules_use(f.rules, a);
	cr_assert_not_null(set->vectors);
	cr_assert_eq(set->base, base, "the rules have not changed");
	st = rules_status(f.rules, a);
	cr_assert(st.vectors && st.stale == NULL);
	cr_assert_str_eq(st.index, set->vectors->about);

	/* a file that turns bad leaves what was read of it */
	FILE *out = fopen(f.vectors, "wb");
	fputs("this is no database, and long enough to be looked at as one", out);
	fclose(out);
	rules_refresh(f.rules);
	cr_assert_eq(rules_use(f.rules, a), set);
	st = rules_status(f.rules, a);
	cr_assert(st.vectors);
	cr_assert_not_null(st.stale);

	/* nothing of it has to do with a rules file that turns bad */
	put(&f, "{ broken");
	rules_refresh(f.rules);
	cr_assert_eq(rules_use(f.rules, a), set);
	put(&f, ONE("FR", "x"));

	/* rules that change are not those of the index */
	unlink(f.vectors);
	build_index(&f, "model-a");
	rules_refresh(f.rules);
	cr_assert_not_null(rules_use(f.rules, a)->vectors);
	cr_assert_null(rules_status(f.rules, a).stale);
	put(&f, ONE("GB", "other words"));
	rules_refresh(f.rules);
	set = rules_use(f.rules, a);
	cr_assert_null(set->vectors);
	cr_assert_not_null(rulebase_country(set->base, "GB"));
	st = rules_status(f.rules, a);
	cr_assert(!st.vectors);
	cr_assert_not_null(strstr(st.index, "index rules"), "says what to run: %s", st.index);
	build_index(&f, "model-a");
	rules_refresh(f.rules);
	cr_assert_not_null(rules_use(f.rules, a)->vectors);
	arena_free(a);
	fix_close_all(&f);
}

TEST(rules, an_index_of_another_model_is_refused)
{
	struct arena *a = arena_new();
	struct fix f;
	fix_open_vectors(&f, ONE("FR", "x"));
	build_index(&f, "model-b");
	for (int i = 0; i < 3; i++)
		rules_refresh(f.rules);
	struct rules_status st = rules_status(f.rules, a);
	cr_assert(!st.vectors);
	cr_assert_not_null(strstr(st.index, "model-b"), "%s", st.index);
	cr_assert_not_null(strstr(st.index, "index rules"), "%s", st.index);
	cr_assert_eq(logged(&f, "rule_vectors"), 3, "no provider, no file, another model");
	arena_free(a);
	fix_close_all(&f);
}

/* ---- many at once ------------------------------------------------------------------ */

struct crowd {
	struct fix *fix;
	atomic_bool stop;
	atomic_llong used, lookers;
};

/* A set is whole: its only answer is that of its country. */
static void *use(void *arg)
{
	struct crowd *c = arg;
	while (!atomic_load(&c->stop)) {
		struct arena *a = arena_new();
		const struct rules_snapshot *set = rules_use(c->fix->rules, a);
		if (set == NULL || set->base->nquestions != 1 || set->base->ncountries != 1 ||
		    set->lexical == NULL ||
		    !streq(set->base->countries[0].entries[0]->text, set->base->countries[0].code))
			abort();
		(void)rules_status(c->fix->rules, a);
		arena_free(a);
		atomic_fetch_add(&c->used, 1);
	}
	return NULL;
}

static void *refresh(void *arg)
{
	struct crowd *c = arg;
	while (!atomic_load(&c->stop)) {
		rules_refresh(c->fix->rules);
		atomic_fetch_add(&c->lookers, 1);
	}
	return NULL;
}

TEST(rules, many_threads_while_the_file_changes, .timeout = 120)
{
	enum { USERS = 4, CHANGES = 60 };
	static const char *const versions[] = { ONE("FR", "FR"), "{ broken", ONE("GB", "GB"), NULL,
		ONE("DE", "DE"), "[]" };
	struct fix f;
	struct arena *a = arena_new();
	pthread_t users[USERS], looker;
	struct crowd c = { .fix = &f };
	fix_open(&f, versions[0]);
	for (int i = 0; i < USERS; i++)
		cr_assert_eq(pthread_create(&users[i], NULL, use, &c), 0);
	cr_assert_eq(pthread_create(&looker, NULL, refresh, &c), 0);
	for (size_t i = 0; i < CHANGES; i++) {
		put(&f, versions[i % (sizeof(versions) / sizeof(versions[0]))]);
		/* until somebody has looked twice: once at least from its beginning */
		for (long long seen = atomic_load(&c.lookers); atomic_load(&c.lookers) < seen + 2;)
			clock_sleep_ms(1);
	}
	atomic_store(&c.stop, true);
	for (int i = 0; i < USERS; i++)
		pthread_join(users[i], NULL);
	pthread_join(looker, NULL);
	cr_assert_str_eq(codes(&f, a), "DE");
	cr_assert_eq(logged(&f, "rules"), 1 + CHANGES / 2);
	cr_assert_eq(logged(&f, "rules_stale"), CHANGES / 2);
	cr_assert_gt(atomic_load(&c.used), 0);
	arena_free(a);
	fix_close_all(&f);
}
