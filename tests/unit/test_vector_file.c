/* Making the file of vectors: incremental, resumable, safe to kill, one at a time. */
#include <fcntl.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/clock.h"
#include "drivers/db.h"
#include "tests/unit/index_fix.h"
#include "tests/unit/tmpfs.h"

/* 330 texts of questions and answers: four batches. */
#define RULES (struct fix_rules){ 30, 14, 0 }
enum { TEXTS = 30 + 20 * 14 + 10 };

struct bench {
	struct arena *a;
	char *dir;
	struct rulebase *b;
	struct index_options o;
	struct index_stats stats;
	struct err e;
};

static void bench_open(struct bench *x)
{
	*x = (struct bench){ .a = arena_new(), .dir = test_mkdtemp() };
	x->b = fix_base(x->a, RULES);
	x->o = (struct index_options){ arena_printf(x->a, "%s/v.db", x->dir), "model-a", false };
}

static void bench_close(struct bench *x)
{
	arena_free(x->a);
	test_rmdir(x->dir);
}

static enum errcode make(struct bench *x, struct fix_provider p)
{
	return fix_index(p, &x->o, x->b, NULL, &x->stats, &x->e);
}

/* All that readers may see, as text: "model hash vector" in hex, one a line, and the builds. */
static const char *dump(struct bench *x, const char *path)
{
	static const char sql[] = "SELECT model || ' ' || hex(hash) || ' ' || hex(vector) FROM vectors "
	    "UNION ALL SELECT 'built ' || model || ' ' || dims || ' ' || texts FROM builds "
	    "UNION ALL SELECT 'renewed ' || model FROM renewed ORDER BY 1";
	struct buf out;
	struct db *db;
	buf_init(&out, 1 << 24);
	TEST_OK(db_open(&db, path, DB_READ, &x->e), x->e);
	struct db_stmt *s = db_prepare(db, sql, &x->e);
	cr_assert_not_null(s);
	while (db_step(s, &x->e) == DB_ROW)
		buf_printf(&out, "%s\n", db_text(s, 0));
	db_done(s);
	db_close(db);
	const char *text = arena_strndup(x->a, out.p, out.n);
	buf_release(&out);
	return text;
}

/* As one run in a new file would leave it. */
static const char *in_one_go(struct bench *x, struct fix_provider p, const char *model)
{
	struct index_options o = { arena_printf(x->a, "%s/whole.db", x->dir), model, false };
	struct index_stats stats;
	unlink(o.path);
	TEST_OK(fix_index(p, &o, x->b, NULL, &stats, &x->e), x->e);
	return dump(x, o.path);
}

static void expect_same(struct bench *x, struct fix_provider p, const char *what)
{
	const char *got = dump(x, x->o.path), *whole = in_one_go(x, p, x->o.model);
	cr_expect(streq(got, whole), "%s: the file is not as after one run", what);
}

/* How a reader of a model finds it: NULL: good, else the message. */
static const char *reading(struct bench *x, const char *model)
{
	struct vector_store *v;
	struct err e = { 0 };
	if (vector_store_open_file(&v, x->o.path, model, x->b, &e) != OK)
		return arena_strdup(x->a, e.msg);
	vector_store_close(v);
	return NULL;
}

static int64_t count(struct bench *x, const char *sql)
{
	struct db *db;
	TEST_OK(db_open(&db, x->o.path, DB_READ, &x->e), x->e);
	int64_t n = db_int(db, sql, -1);
	db_close(db);
	return n;
}

/* ---- the plain case -------------------------------------------------------------------------------- */

TEST(ruleindex, builds)
{
	struct bench x;
	struct stat st;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.texts, TEXTS, "%zu", x.stats.texts);
	cr_expect(x.stats.embedded == TEXTS && x.stats.kept == 0 && x.stats.dropped == 0);
	cr_expect(x.stats.questions == 30 * 14 && x.stats.answers == 30 * 14 && x.stats.dims == 16);
	cr_expect(x.stats.usage.input == TEXTS && !x.stats.usage.estimated);
	cr_expect_null(reading(&x, "model-a"));
	cr_expect_eq(stat(x.o.path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0640);
	cr_expect_eq(count(&x, "SELECT count(*) FROM vectors WHERE length(vector) = 64"), TEXTS);
	bench_close(&x);
}

TEST(ruleindex, up_to_date_is_not_touched)
{
	struct bench x;
	struct stat before, after;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_assert_eq(stat(x.o.path, &before), 0);
	TEST_OK(make(&x, (struct fix_provider){ .at = 1, .manner = FIX_REFUSES }), x.e);
	cr_expect(x.stats.embedded == 0 && x.stats.kept == TEXTS && x.stats.dropped == 0);
	cr_assert_eq(stat(x.o.path, &after), 0);
	cr_expect(before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
	    before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_size == after.st_size);
	bench_close(&x);
}

TEST(ruleindex, only_what_changed_is_embedded)
{
	struct bench x;
	struct vector_store *v;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	x.b = fix_base(x.a, (struct fix_rules){ 31, 14, 5 });
	TEST_OK(vector_store_open_file(&v, x.o.path, "model-a", x.b, &x.e), x.e);
	cr_expect_str_eq(v->about, "model-a, 30 of 31 questions and 419 of 434 answers: "
	    "run aviation-agent index rules");
	vector_store_close(v);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.embedded, 1 + 1 + 14, "%zu", x.stats.embedded);
	cr_expect(x.stats.kept == TEXTS - 1 && x.stats.dropped == 1);
	expect_same(&x, (struct fix_provider){ 0 }, "changed rules");
	bench_close(&x);
}

TEST(ruleindex, long_texts_are_cut_at_a_character)
{
	struct bench x;
	bench_open(&x);
	struct rule_entry *en = (struct rule_entry *)(uintptr_t)x.b->questions[0].entries;
	struct buf b;
	buf_init(&b, 1 << 20);
	for (int i = 0; i < 4000; i++)
		buf_puts(&b, "€");
	en[0].html = b.p;                     /* fix_embed() checks what it is sent */
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	buf_release(&b);
	bench_close(&x);
}

TEST(ruleindex, real_rules)
{
	const char *path = test_data("rules/rules.json");
	if (path == NULL)
		test_skip("no real rules");
	struct bench x;
	struct rulebase *b;
	bench_open(&x);
	TEST_OK(rulebase_load(&b, path, &x.e), x.e);
	x.b = b;
	TEST_OK(make(&x, (struct fix_provider){ .dims = 1536 }), x.e);
	size_t entries = 0;
	for (size_t i = 0; i < b->nquestions; i++)
		entries += b->questions[i].nentries;
	cr_expect(x.stats.questions == entries && x.stats.answers == entries);
	cr_expect_lt(x.stats.texts, entries, "each text once, not once a country");
	cr_expect_null(reading(&x, "model-a"));
	rulebase_free(b);
	bench_close(&x);
}

/* ---- broken off ------------------------------------------------------------------------------------ */

/* The run is killed at its n-th request. */
static void killed(struct bench *x, struct fix_provider p)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		p.manner = FIX_KILLED;
		_exit(make(x, p) == OK ? 0 : 1);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(ruleindex, kill_9_and_go_on)
{
	for (int at = 1; at <= 4; at++) {
		struct bench x;
		bench_open(&x);
		killed(&x, (struct fix_provider){ .at = at });
		const char *why = reading(&x, "model-a");
		cr_expect(why != NULL && strstr(why, "not finished: run aviation-agent index rules") != NULL, "%s", why);
		TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
		cr_expect_eq(x.stats.kept, (size_t)(at - 1) * 100, "%d: nothing embedded is lost", at);
		cr_expect_eq(x.stats.embedded + x.stats.kept, TEXTS);
		expect_same(&x, (struct fix_provider){ 0 }, "killed and gone on with");
		bench_close(&x);
	}
}

/* In the middle of writing: SQLite's journal is left behind, and is full. */
TEST(ruleindex, kill_9_while_writing)
{
	struct bench x;
	int status;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	const char *before = dump(&x, x.o.path);
	pid_t pid = fork();
	if (pid == 0) {
		struct db *db;
		if (db_open(&db, x.o.path, DB_WRITE, NULL) == OK &&
		    db_exec(db, "BEGIN IMMEDIATE; DELETE FROM vectors; WITH RECURSIVE n(i) AS (VALUES(1) "
		    "UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO vectors (model, hash, vector) "
		    "SELECT 'model-z', i, randomblob(6000) FROM n", NULL) == OK)
			raise(SIGKILL);
		_exit(1);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSIGNALED(status));
	cr_assert_eq(access(arena_printf(x.a, "%s-journal", x.o.path), F_OK), 0, "a journal is left");
	cr_expect_null(reading(&x, "model-a"), "a reader that may write rolls it back");
	cr_expect_str_eq(dump(&x, x.o.path), before);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.embedded, 0);
	bench_close(&x);
}

TEST(ruleindex, provider_fails)
{
	struct bench x;
	bench_open(&x);
	cr_expect_eq(make(&x, (struct fix_provider){ .at = 3, .manner = FIX_REFUSES }), ERR_UPSTREAM);
	cr_expect_not_null(strstr(x.e.msg, "quota; 200 of 320 texts are done: run aviation-agent index rules again"),
	    "%s", x.e.msg);
	cr_expect(x.stats.embedded == 200 && x.stats.usage.input == 200);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.kept, 200);
	expect_same(&x, (struct fix_provider){ 0 }, "gone on with");
	bench_close(&x);
}

static const struct { enum fix_manner manner; const char *says; } bad[] = {
	{ FIX_NAN, "without a direction" }, { FIX_ZERO, "without a direction" },
	{ FIX_NOTHING, "vectors of 0 " }, { FIX_LONGER, "vectors of 8193 numbers" },
	{ FIX_LONG, "vectors of 17 numbers, those in the file have 16" },
};

TEST(ruleindex, useless_vectors)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct bench x;
		bench_open(&x);
		cr_expect_eq(make(&x, (struct fix_provider){ .at = 2, .manner = bad[i].manner }), ERR_UPSTREAM);
		cr_expect_not_null(strstr(x.e.msg, bad[i].says), "%s: %s", bad[i].says, x.e.msg);
		cr_expect_eq(count(&x, "SELECT count(*) FROM vectors"), 100);
		TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
		expect_same(&x, (struct fix_provider){ 0 }, bad[i].says);
		bench_close(&x);
	}
}

static enum errcode twice(void *arg, int64_t *ms)
{
	int *left = arg;
	*ms = 1000;
	return --*left < 0 ? ERR_HUP : OK;
}

TEST(ruleindex, stopped_between_batches)
{
	struct bench x;
	int left = 2;
	const struct watch w = { -1, twice, &left };
	bench_open(&x);
	struct fix_provider p = { 0 };
	cr_expect_eq(fix_index(p, &x.o, x.b, &w, &x.stats, &x.e), ERR_HUP);
	cr_expect_str_eq(x.e.msg, "stopped; 200 of 320 texts are done: run aviation-agent index rules again to go on");
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.kept, 200);
	expect_same(&x, (struct fix_provider){ 0 }, "stopped");
	bench_close(&x);
}

/* ---- other models, and anew ------------------------------------------------------------------------- */

TEST(ruleindex, another_model)
{
	struct bench x;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	const char *why = reading(&x, "model-b");
	cr_expect_str_eq(why, arena_printf(x.a, "%s was built with model-a, rag.embedding_model is model-b: "
	    "run aviation-agent index rules", x.o.path));
	x.o.model = "model-b";
	cr_expect_eq(make(&x, (struct fix_provider){ .dims = 24, .at = 3, .manner = FIX_REFUSES }), ERR_UPSTREAM);
	cr_expect_null(reading(&x, "model-a"), "the old one serves until the new one is complete");
	why = reading(&x, "model-b");
	cr_expect(why != NULL && strstr(why, "was built with model-a") != NULL, "%s", why);
	TEST_OK(make(&x, (struct fix_provider){ .dims = 24 }), x.e);
	cr_expect(x.stats.kept == 200 && x.stats.dropped == TEXTS);
	cr_expect_null(reading(&x, "model-b"));
	why = reading(&x, "model-a");
	cr_expect(why != NULL && strstr(why, "was built with model-b, rag.embedding_model is model-a") != NULL, "%s", why);
	expect_same(&x, (struct fix_provider){ .dims = 24 }, "another model");
	bench_close(&x);
}

TEST(ruleindex, rebuild)
{
	const struct fix_provider newer = { .dims = 20, .salt = 7 };
	struct bench x;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	const char *old = dump(&x, x.o.path);
	x.o.rebuild = true;
	struct fix_provider fails = newer;
	fails.at = 1;
	fails.manner = FIX_REFUSES;
	cr_expect_eq(make(&x, fails), ERR_UPSTREAM);
	cr_expect_not_null(strstr(x.e.msg, "0 of 320 texts are done: run aviation-agent index rules --rebuild again"),
	    "%s", x.e.msg);
	fails.at = 3;
	cr_expect_eq(make(&x, fails), ERR_UPSTREAM);
	cr_expect_not_null(strstr(x.e.msg, "200 of 320 texts are done"), "%s", x.e.msg);
	cr_expect_null(reading(&x, "model-a"));
	cr_expect_eq(count(&x, "SELECT count(*) FROM vectors WHERE length(vector) = 64"), TEXTS, "the old ones serve");
	cr_expect_eq(strncmp(dump(&x, x.o.path), old, 500), 0);
	killed(&x, (struct fix_provider){ .dims = 20, .salt = 7, .at = 2 });
	cr_expect_eq(count(&x, "SELECT count(*) FROM renewed"), 100, "--rebuild begins anew");
	x.o.rebuild = false;
	TEST_OK(make(&x, newer), x.e);
	cr_expect(x.stats.kept == 100 && x.stats.embedded == 220 && x.stats.dropped == 0, "and is gone on with");
	expect_same(&x, newer, "rebuilt");
	x.o.rebuild = true;
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.embedded, TEXTS);
	cr_expect_str_eq(dump(&x, x.o.path), old);
	bench_close(&x);
}

/* Rules and model change between the two halves of a rebuild. */
TEST(ruleindex, rebuild_of_what_has_changed_since)
{
	struct bench x;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	x.o.rebuild = true;
	cr_expect_eq(make(&x, (struct fix_provider){ .at = 4, .manner = FIX_REFUSES }), ERR_UPSTREAM);
	x.o.rebuild = false;
	x.b = fix_base(x.a, (struct fix_rules){ 29, 14, 3 });
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	expect_same(&x, (struct fix_provider){ 0 }, "other rules");
	x.o.rebuild = true;
	cr_expect_eq(make(&x, (struct fix_provider){ .at = 2, .manner = FIX_REFUSES }), ERR_UPSTREAM);
	x.o.rebuild = false;
	x.o.model = "model-b";
	TEST_OK(make(&x, (struct fix_provider){ .dims = 9 }), x.e);
	expect_same(&x, (struct fix_provider){ .dims = 9 }, "another model");
	bench_close(&x);
}

TEST(ruleindex, size_goes_back_after_a_rebuild)
{
	struct bench x;
	struct stat before, after;
	bench_open(&x);
	TEST_OK(make(&x, (struct fix_provider){ .dims = 1536 }), x.e);
	cr_assert_eq(stat(x.o.path, &before), 0);
	x.o.rebuild = true;
	TEST_OK(make(&x, (struct fix_provider){ .dims = 1536 }), x.e);
	cr_assert_eq(stat(x.o.path, &after), 0);
	cr_expect_leq(after.st_size, before.st_size + before.st_size / 10);
	bench_close(&x);
}

/* ---- one at a time ----------------------------------------------------------------------------------- */

TEST(ruleindex, two_runs_at_once)
{
	struct bench x;
	int fds[2];
	char byte;
	bench_open(&x);
	cr_assert_eq(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		make(&x, (struct fix_provider){ .at = 2, .manner = FIX_WAITS, .fd = fds[1] });
		_exit(1);
	}
	cr_assert_eq(read(fds[0], &byte, 1), 1);
	cr_expect_eq(make(&x, (struct fix_provider){ 0 }), ERR_BUSY);
	cr_expect_not_null(strstr(x.e.msg, arena_printf(x.a, "another index run works on it, process %d:", (int)pid)),
	    "%s", x.e.msg);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_eq(x.stats.kept, 100, "the lock has gone with its process");
	close(fds[0]);
	close(fds[1]);
	bench_close(&x);
}

/* ---- files that are not as they should be ------------------------------------------------------------ */

static void put(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	cr_assert_eq(fwrite(text, 1, n, f), n);
	fclose(f);
}

static const char *content(struct bench *x, const char *path)
{
	struct buf b;
	buf_init(&b, 1 << 20);
	TEST_OK(buf_load(&b, path, &x->e), x->e);
	const char *text = arena_printf(x->a, "%zu %lx", b.n, (unsigned long)str_hash(b.p));
	buf_release(&b);
	return text;
}

static void make_db(struct bench *x, const char *sql)
{
	struct db *db;
	TEST_OK(db_open(&db, x->o.path, DB_CREATE, &x->e), x->e);
	TEST_OK(db_exec(db, sql, &x->e), x->e);
	db_close(db);
}

static const struct { const char *text, *sql, *says; } foreign[] = {
	{ "this is no database, but a letter to my aunt, and long enough to be looked at", NULL, "not an SQLite database" },
	{ NULL, "CREATE TABLE t (x)", "a database of something else: set VECTOR_DB_PATH" },
	{ NULL, "CREATE TABLE t (x); PRAGMA application_id = 0x61677665; PRAGMA user_version = 2", "another version" },
};

TEST(ruleindex, files_of_others_stay_untouched)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		struct bench x;
		bench_open(&x);
		if (foreign[i].text != NULL)
			put(x.o.path, foreign[i].text, strlen(foreign[i].text));
		else
			make_db(&x, foreign[i].sql);
		const char *before = content(&x, x.o.path), *why = reading(&x, "model-a");
		cr_expect(why != NULL && strstr(why, foreign[i].says) != NULL, "%s", why);
		cr_expect_eq(make(&x, (struct fix_provider){ 0 }), ERR_DATA);
		cr_expect_not_null(strstr(x.e.msg, foreign[i].says), "%s", x.e.msg);
		cr_expect_not_null(strstr(x.e.msg, x.o.path), "%s", x.e.msg);
		cr_expect_str_eq(content(&x, x.o.path), before);
		bench_close(&x);
	}
}

TEST(ruleindex, missing_and_empty)
{
	struct bench x;
	struct vector_store *v;
	bench_open(&x);
	cr_expect_eq(vector_store_open_file(&v, x.o.path, "model-a", x.b, &x.e), ERR_NOTFOUND);
	cr_expect_not_null(strstr(x.e.msg, "no such file: run aviation-agent index rules"), "%s", x.e.msg);
	put(x.o.path, "", 0);
	cr_expect_eq(vector_store_open_file(&v, x.o.path, "model-a", x.b, &x.e), ERR_DATA);
	cr_expect_not_null(strstr(x.e.msg, "run aviation-agent index rules"), "%s", x.e.msg);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	cr_expect_null(reading(&x, "model-a"));
	x.b = fix_base(x.a, (struct fix_rules){ 0 });
	const char *why = reading(&x, "model-a");
	cr_expect(why != NULL && strstr(why, "other rules") != NULL, "%s", why);
	bench_close(&x);
}

TEST(ruleindex, no_folder)
{
	struct bench x;
	bench_open(&x);
	x.o.path = arena_printf(x.a, "%s/no/such/v.db", x.dir);
	cr_expect_eq(make(&x, (struct fix_provider){ 0 }), ERR_IO);
	cr_expect(strstr(x.e.msg, x.o.path) != NULL && strstr(x.e.msg, "folder") != NULL, "%s", x.e.msg);
	bench_close(&x);
}

TEST(ruleindex, what_root_makes_is_the_folders_owners)
{
	struct bench x;
	struct stat st;
	if (geteuid() != 0)
		test_skip("not root");
	bench_open(&x);
	cr_assert_eq(chown(x.dir, 4711, 4712), 0);
	TEST_OK(make(&x, (struct fix_provider){ 0 }), x.e);
	const char *const files[] = { x.o.path, arena_printf(x.a, "%s.lock", x.o.path) };
	for (size_t i = 0; i < 2; i++) {
		cr_assert_eq(stat(files[i], &st), 0);
		cr_expect(st.st_uid == 4711 && st.st_gid == 4712 && (st.st_mode & 0777) == 0640, "%s", files[i]);
	}
	bench_close(&x);
}

TEST(ruleindex, full_disk)
{
	struct bench x;
	bench_open(&x);
	const char *disk = arena_printf(x.a, "%s/disk", x.dir);
	cr_assert_eq(mkdir(disk, 0700), 0);
	if (!test_tmpfs(disk, "size=1500k")) {
		bench_close(&x);
		test_skip("may not mount");
	}
	x.o.path = arena_printf(x.a, "%s/v.db", disk);
	cr_expect_eq(make(&x, (struct fix_provider){ .dims = 1536 }), ERR_IO);
	cr_expect(strstr(x.e.msg, "the disk is full") != NULL && strstr(x.e.msg, " of 320 texts are done") != NULL,
	    "%s", x.e.msg);
	size_t done = x.stats.embedded;
	const char *why = reading(&x, "model-a");
	cr_expect(why != NULL && strstr(why, "not finished") != NULL, "%s", why);
	cr_assert_eq(mount("none", disk, NULL, MS_REMOUNT, "size=32m"), 0);
	TEST_OK(make(&x, (struct fix_provider){ .dims = 1536 }), x.e);
	cr_expect(done > 0 && x.stats.kept == done, "%zu %zu", done, x.stats.kept);
	expect_same(&x, (struct fix_provider){ .dims = 1536 }, "with room");
	umount2(disk, MNT_DETACH);
	bench_close(&x);
}
