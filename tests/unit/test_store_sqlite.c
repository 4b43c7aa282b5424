/*
 * The thread store in SQLite: the file, its neighbours, a full disk, a kill.
 */
#include "services/store.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/db.h"
#include "tests/unit/store_fix.h"
#include "tests/unit/tmpfs.h"

static int64_t count(struct fix *f, const char *sql)
{
	struct db *db;
	int64_t n;

	TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
	n = db_int(db, sql, -1);
	db_close(db);
	return n;
}

TEST(store_sqlite, file_is_private_and_survives_reopening)
{
	struct fix f;
	struct stat st;

	fix_up(&f, "sqlite", 0);
	cr_assert_eq(stat(f.path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0640);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	store_close(f.s);
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	cr_assert_eq(load(&f, "t1", 10).nmessages, 2);
	TEST_OK(turn(&f, &l, 1, "c", "d", NULL), f.e);   /* the lease outlives the process */
	fix_down(&f);
}

/* A file somebody has tampered with, or that a bad disk has changed. */
TEST(store_sqlite, a_message_without_text_is_no_message)
{
	static const char tamper[] = "DROP TABLE messages;"
	    "CREATE TABLE messages (thread, seq, role, content, PRIMARY KEY (thread, seq));"
	    "INSERT INTO messages SELECT key, 0, 'user', NULL FROM threads;";
	struct fix f;
	struct thread t;
	struct db *db;

	fix_up(&f, "sqlite", 0);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(db, tamper, &f.e), f.e);
	db_close(db);
	cr_expect_eq(store_load(f.s, f.a, "t1", 10, &t, &f.e), ERR_STORE);
	cr_expect_not_null(strstr(f.e.msg, "without role or text"), "%s", f.e.msg);
	fix_down(&f);
}

TEST(store_sqlite, old_threads_go_a_few_at_a_time)
{
	struct fix f;
	char id[16];

	fix_up(&f, "sqlite", 3600);
	for (int i = 0; i < 10; i++) {
		snprintf(id, sizeof(id), "old%d", i);
		struct lease l = lease(&f, id, "run", 20000);
		for (int v = 0; v < 50; v++)
			TEST_OK(turn(&f, &l, v, "a", "b", NULL), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
	}
	store_close(f.s);
	f.c.ttl_s = 2;
	clock_sleep_ms(2100);
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	struct lease l = lease(&f, "new", "run", 20000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	int64_t left = count(&f, "SELECT count(*) FROM messages");
	cr_assert(left > 900 && left < 1002, "%lld", (long long)left);
	for (int v = 1; v < 40; v++)
		TEST_OK(turn(&f, &l, v, "a", "b", NULL), f.e);
	cr_assert_eq(count(&f, "SELECT count(*) FROM messages"), 80);
	cr_assert_eq(count(&f, "SELECT count(*) FROM threads"), 1);
	cr_assert_eq(count(&f, "SELECT count(*) FROM trash"), 0);
	fix_down(&f);
}

TEST(store_sqlite, foreign_or_damaged_files_are_left_alone)
{
	struct fix f;
	struct db *db;
	FILE *out;

	fix_up(&f, "sqlite", 0);
	store_close(f.s);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(db, "PRAGMA user_version = 99", &f.e), f.e);
	cr_assert_eq(store_open(&f.s, &f.c, &f.e), ERR_CONFIG, "%s", f.e.msg);
	db_close(db);

	/* a database of somebody else stays as it is, down to its journal mode */
	snprintf(f.path, sizeof(f.path), "%s/airports.db", f.dir);
	TEST_OK(db_open(&db, f.path, DB_CREATE, &f.e), f.e);
	TEST_OK(db_exec(db, "CREATE TABLE airports (ident TEXT)", &f.e), f.e);
	db_close(db);
	cr_assert_eq(store_open(&f.s, &f.c, &f.e), ERR_CONFIG, "%s", f.e.msg);
	cr_assert_not_null(strstr(f.e.msg, f.path), "%s", f.e.msg);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	cr_assert_eq(db_int(db, "SELECT count(*) FROM sqlite_schema", 0), 1);
	cr_assert_eq(db_int(db, "SELECT journal_mode = 'delete' FROM pragma_journal_mode", 0), 1);
	db_close(db);

	snprintf(f.path, sizeof(f.path), "%s/garbage.db", f.dir);
	out = fopen(f.path, "w");
	for (int i = 0; i < 4000; i++)
		fputs("no database ", out);
	fclose(out);
	cr_assert_eq(store_open(&f.s, &f.c, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, f.path), "%s", f.e.msg);

	snprintf(f.path, sizeof(f.path), "%s/none/such.db", f.dir);
	cr_assert_eq(store_open(&f.s, &f.c, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, f.path), "%s", f.e.msg);
	f.s = NULL;
	arena_free(f.a);
	test_rmdir(f.dir);
}

TEST(store_sqlite, removed_file_is_begun_anew)
{
	struct fix f;
	char path[600];

	fix_up(&f, "sqlite", 0);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	unlink(f.path);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s", f.path, i == 0 ? "-wal" : "-shm");
		unlink(path);
	}
	cr_assert_eq(turn(&f, &l, 1, "a", "b", NULL), ERR_BUSY);
	l = lease(&f, "t1", "run-2", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	cr_assert_eq(count(&f, "SELECT count(*) FROM messages"), 2);
	fix_down(&f);
}

TEST(store_sqlite, full_disk_is_an_error_and_loses_nothing, .timeout = 60)
{
	struct fix f;
	char *big;
	int64_t v = 0;

	fix_up(&f, "sqlite", 0);
	store_close(f.s);
	if (!test_tmpfs(f.dir, "size=1m")) {
		arena_free(f.a);
		test_rmdir(f.dir);
		test_skip("can't mount a tmpfs");
	}
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	big = arena_alloc(f.a, 60001);
	memset(big, 'x', 60000);
	struct lease l = lease(&f, "t1", "run-1", 50000);
	while (turn(&f, &l, v, "q", big, NULL) == OK)
		v++;
	cr_assert_eq(f.e.code, ERR_STORE, "%s", f.e.msg);
	cr_assert_not_null(strstr(f.e.msg, f.path), "%s", f.e.msg);
	cr_assert_not_null(strstr(f.e.msg, "full"), "%s", f.e.msg);
	cr_assert_gt(v, 3);
	struct thread t = load(&f, "t1", SIZE_MAX);
	cr_assert_eq(t.version, v);
	cr_assert_eq(t.nmessages, 2 * v);
	cr_assert_str_eq(t.messages[2 * v - 1].content, big);
	cr_assert_eq(mount("tmpfs", f.dir, "tmpfs", MS_REMOUNT, "size=4m"), 0);
	TEST_OK(turn(&f, &l, v, "q", big, NULL), f.e);
	store_close(f.s);
	arena_free(f.a);
	umount2(f.dir, MNT_DETACH);
	test_rmdir(f.dir);
}

/* Workers that start together on a new folder: the file is made once, and by then is ours. */
TEST(store_sqlite, many_may_make_the_file_at_once, .timeout = 60)
{
	enum { ROUNDS = 20, WORKERS = 8 };

	for (int round = 0; round < ROUNDS; round++) {
		struct fix f;
		int failed = 0, status;

		fix_up(&f, "sqlite", 0);
		store_close(f.s);
		cr_assert_eq(unlink(f.path), 0);
		for (int i = 0; i < WORKERS; i++)
			if (fork() == 0) {
				struct store *s;
				struct lease l;
				struct err e = { 0 };
				char thread[16];
				snprintf(thread, sizeof(thread), "t%d", i);
				if (store_open(&s, &f.c, &e) != OK ||
				    store_lease(s, thread, "run", NULL, 1000, &l, NULL, &e) != OK) {
					fprintf(stderr, "%s\n", e.msg);
					_exit(1);
				}
				_exit(0);
			}
		for (int i = 0; i < WORKERS; i++) {
			cr_assert(wait(&status) > 0);
			failed += status != 0;
		}
		cr_expect_eq(failed, 0, "round %d: %d of %d", round, failed, WORKERS);
		TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
		fix_down(&f);
	}
}

/* A writer killed at any moment: what it was told is committed is there. */
TEST(store_sqlite, kill_loses_no_committed_turn, .timeout = 60)
{
	struct fix f;
	int64_t known = 0;

	fix_up(&f, "sqlite", 0);
	for (int round = 0; round < 15; round++) {
		int said[2];
		char run[16];
		int64_t v, last = known;

		snprintf(run, sizeof(run), "run-%d", round);
		cr_assert_eq(pipe(said), 0);
		pid_t pid = fork();
		if (pid == 0) {
			struct store *s;
			struct lease l;
			const struct message m[] = { { "user", "q" }, { "assistant", "a" } };
			struct err e;

			if (store_open(&s, &f.c, &e) != OK ||
			    store_lease(s, "t1", run, NULL, 20000, &l, NULL, &e) != OK)
				_exit(1);
			for (v = known;; v++) {
				struct commit c = { .version = v, .append = m, .nappend = 2 };
				int64_t done = v + 1;
				if (store_commit(s, &l, NULL, &c, &e) != OK ||
				    write(said[1], &done, sizeof(done)) != sizeof(done))
					_exit(1);
			}
		}
		close(said[1]);
		for (int i = 0; i < 1 + round % 4; i++)
			if (read(said[0], &v, sizeof(v)) == sizeof(v))
				last = v;
		kill(pid, SIGKILL);
		while (read(said[0], &v, sizeof(v)) == sizeof(v))
			last = v;
		waitpid(pid, NULL, 0);
		close(said[0]);
		struct thread t = load(&f, "t1", 0);
		cr_assert_geq(t.version, last, "round %d", round);
		cr_assert_leq(t.version, last + 1, "round %d", round);
		cr_assert_eq(t.nmessages, 2 * t.version);
		cr_assert_gt(t.version, known);
		known = t.version;
		/* its lease would end by itself; the test does not wait */
		struct lease held = { .fence = round + 1, .ttl_ms = 20000 };
		snprintf(held.thread, sizeof(held.thread), "t1");
		snprintf(held.run, sizeof(held.run), "%s", run);
		TEST_OK(store_release(f.s, &held, &f.e), f.e);
	}
	fix_down(&f);
}
