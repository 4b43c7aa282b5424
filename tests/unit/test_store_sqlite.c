/*
 * The thread store in SQLite: the file, its neighbours, a full disk, a kill; and the limits of the one
 * in memory.
 */
#include "services/store_backend.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/db.h"
#include "services/runs.h"
#include "services/threads.h"
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

static void edit(struct fix *f, const char *sql)
{
	struct db *db;

	TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
	TEST_OK(db_exec(db, sql, &f->e), f->e);
	db_close(db);
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
	    "CREATE TABLE messages (thread, seq, role, content, id, call_id, calls, time_us, turn,"
	    " PRIMARY KEY (thread, seq));"
	    "INSERT INTO messages (thread, seq, role) SELECT key, 0, 'user' FROM threads;";
	struct fix f;
	struct thread t;
	struct db *db;

	fix_up(&f, "sqlite", 0);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(db, tamper, &f.e), f.e);
	db_close(db);
	cr_expect_eq(store_load(f.s, f.a, "t1", NULL, 10, &t, &f.e), ERR_STORE);
	cr_expect_not_null(strstr(f.e.msg, "without role or text"), "%s", f.e.msg);
	edit(&f, "UPDATE messages SET content = 'a', calls = '[{'");
	cr_expect_eq(store_load(f.s, f.a, "t1", NULL, 10, &t, &f.e), ERR_STORE);
	cr_expect_not_null(strstr(f.e.msg, "damaged calls"), "%s", f.e.msg);
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

/* -- clocks -- */

enum { THREADS = 20 };

/* Everything in the file happened so much longer ago: as if this process's clock stood ahead of
 * it by that much, be it wrong or right after a long silence. */
static void age(struct fix *f, int hours)
{
	char sql[400];

	snprintf(sql, sizeof(sql), "UPDATE threads SET used_ms = used_ms - %d * 3600000,"
	    " lease_until = 0; UPDATE clock SET time_ms = time_ms - %d * 3600000,"
	    " doubt_ms = doubt_ms - (doubt_ms > 0) * %d * 3600000", hours, hours, hours);
	edit(f, sql);
}

static void make_threads(struct fix *f)
{
	char id[16];

	fix_up(f, "sqlite", 30 * 86400);
	for (int i = 0; i < THREADS; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		struct lease l = lease(f, id, "run", 20000);
		TEST_OK(turn(f, &l, 0, "a", "b", "{}"), f->e);
		TEST_OK(store_release(f->s, &l, &f->e), f->e);
	}
}

static int64_t kept(struct fix *f)
{
	return count(f, "SELECT count(*) FROM threads WHERE id LIKE 't%' AND version > 0");
}

/* A turn in a thread of its own, as all sites have them now and then. */
static void visit(struct fix *f, const char *id)
{
	struct lease l = lease(f, id, "visit", 20000);
	struct thread t = load(f, id, 10);

	TEST_OK(turn(f, &l, t.version, "a", "b", "{}"), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
}

TEST(store_sqlite, a_clock_a_month_ahead_deletes_nothing)
{
	struct fix f;
	char id[16];

	make_threads(&f);
	age(&f, 31 * 24);
	for (int i = 0; i < THREADS / 2; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		struct lease l = lease(&f, id, "run-2", 20000);
		struct thread t = load(&f, id, 10);
		cr_assert_eq(t.version, 1, "%s", id);
		cr_assert_eq(t.nloaded, 2, "%s", id);
		TEST_OK(turn(&f, &l, 1, "c", "d", NULL), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
	}
	cr_assert_eq(kept(&f), THREADS);
	/* nor does it when it is set back, or when another process never had it wrong */
	age(&f, -31 * 24);
	for (int i = 0; i < THREADS; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		visit(&f, id);
	}
	cr_assert_eq(kept(&f), THREADS);
	fix_down(&f);
}

TEST(store_sqlite, a_clock_a_month_behind_deletes_nothing)
{
	struct fix f;

	make_threads(&f);
	age(&f, -31 * 24);
	visit(&f, "late");
	/* what was used under the slow clock is as new to the others as what they use */
	age(&f, 31 * 24);
	visit(&f, "t0");
	cr_assert_eq(kept(&f), THREADS);
	cr_assert_eq(load(&f, "late", 10).version, 1);
	fix_down(&f);
}

TEST(store_sqlite, a_site_that_was_silent_for_weeks_sweeps_again)
{
	struct fix f;
	int visits = 0;
	char id[16];

	make_threads(&f);
	age(&f, 40 * 24);
	for (; kept(&f) == THREADS && visits < 100; visits++) {
		snprintf(id, sizeof(id), "new%d", visits);
		visit(&f, id);
		if (kept(&f) == THREADS)
			age(&f, 1);              /* an hour between two visits */
	}
	cr_assert(visits >= 24 && visits <= 27, "%d hours", visits);
	for (int i = 0; i < THREADS; i++)
		visit(&f, "new0");
	cr_assert_eq(kept(&f), 0);
	cr_assert_eq(count(&f, "SELECT count(*) FROM threads"), visits, "none of the new ones went");
	fix_down(&f);
}

/* A clock that jumps on and on has seen no time pass. */
TEST(store_sqlite, jumps_are_no_time)
{
	struct fix f;

	make_threads(&f);
	age(&f, 40 * 24);
	visit(&f, "x");
	visit(&f, "x");
	for (int i = 0; i < 3; i++) {
		age(&f, 100 * 24);
		visit(&f, "x");
	}
	cr_assert_eq(kept(&f), THREADS);
	/* two clocks that disagree by more than a day settle nothing, however long they do */
	for (int i = 0; i < 20; i++) {
		age(&f, i % 2 == 0 ? -50 * 24 : 50 * 24 + 5);
		visit(&f, "x");
	}
	cr_assert_eq(kept(&f), THREADS);
	fix_down(&f);
}

TEST(store_sqlite, an_expired_thread_is_dropped_by_the_commit_that_replaces_it)
{
	struct fix f;
	struct lease l;

	make_threads(&f);
	edit(&f, "UPDATE threads SET used_ms = used_ms - 31 * 86400000, owner = 'alice' WHERE id = 't1'");
	l = lease(&f, "t1", "run-2", 20000);
	cr_assert_eq(load(&f, "t1", 10).version, 0);
	TEST_OK(store_renew(f.s, &l, &f.e), f.e);
	cr_assert_eq(load(&f, "t1", 10).version, 0);
	cr_assert_eq(count(&f, "SELECT count(*) FROM messages"), 2 * THREADS, "a lease deletes nothing");
	TEST_OK(turn(&f, &l, 0, "new", "new", NULL), f.e);
	struct thread t = load(&f, "t1", 10);
	cr_assert_eq(t.version, 1);
	cr_assert_eq(t.nmessages, 2);
	cr_assert_str_eq(t.messages[0].content, "new");
	TEST_OK(turn(&f, &l, 1, "c", "d", NULL), f.e);   /* the lease went on */
	cr_assert_eq(kept(&f), THREADS);
	fix_down(&f);
}

/* As the first version of this program made it, with threads in it. */
/* A copy is gone after an hour, and so is the count of it; also where threads are kept for ever. */
TEST(store_sqlite, copies_are_deleted_after_an_hour)
{
	static const int64_t ttls[] = { 30 * 86400, 0 };

	for (int i = 0; i < 2; i++) {
		struct fix f;
		struct thread_copy copy[2];
		struct thread_about about;

		fix_up(&f, "sqlite", ttls[i]);
		store_close(f.s);
		f.c.thread_copies = 2;
		TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
		visit(&f, "t1");
		for (int k = 0; k < 2; k++)
			TEST_OK(threads_fork(f.s, "t1", NULL, NULL, &copy[k], &f.e), f.e);
		visit(&f, copy[0].id);
		age(&f, 1);
		edit(&f, "UPDATE counters SET until_ms = until_ms - 3600000");
		TEST_OK(threads_about(f.s, f.a, copy[0].id, NULL, &about, &f.e), f.e);
		cr_expect_eq(threads_about(f.s, f.a, copy[1].id, NULL, &about, &f.e), ERR_NOTFOUND);
		TEST_OK(threads_fork(f.s, "t1", NULL, NULL, &copy[1], &f.e), f.e);
		visit(&f, "t1");
		cr_expect_eq(count(&f, "SELECT total FROM counters WHERE name = 'copies:t1'"), 1);
		cr_expect_eq(count(&f, "SELECT count(*) FROM threads"), 3, "one copy is swept");
		fix_down(&f);
	}
}

TEST(store_sqlite, files_of_the_first_form_go_on)
{
	static const char old[] = "DROP TABLE threads; DROP TABLE clock; DROP TABLE messages;"
	    "DROP TABLE waiters; DROP TABLE claims;"
	    "DROP TABLE runs; DROP TABLE run_log; DROP TABLE sessions;"
	    "DROP TABLE users; DROP TABLE conversations; DROP TABLE counters;"
	    "CREATE TABLE messages ("
	    " thread INTEGER NOT NULL, seq INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,"
	    " PRIMARY KEY (thread, seq));"
	    "CREATE TABLE threads ("
	    " key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
	    " version INTEGER NOT NULL, nmessages INTEGER NOT NULL, owner TEXT, state TEXT,"
	    " fence INTEGER NOT NULL, lease_run TEXT NOT NULL, lease_until INTEGER NOT NULL,"
	    " lease_ttl INTEGER NOT NULL, last_run TEXT NOT NULL DEFAULT '', used_ms INTEGER NOT NULL);"
	    "CREATE INDEX threads_used ON threads (used_ms);"
	    "CREATE INDEX threads_unwritten ON threads (used_ms) WHERE version = 0;"
	    "INSERT INTO threads SELECT 7, 'old', 3, 6, 'alice', '{}', 4, 'run-1', 0, 1, 'run-1',"
	    " (unixepoch() - 86400 * 50) * 1000;"
	    "WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 5)"
	    " INSERT INTO messages SELECT 7, i, 'user', printf('%.1000c', 'x') FROM n;"
	    "PRAGMA user_version = 1";
	struct fix f;
	struct lease l;

	fix_up(&f, "sqlite", 30 * 86400);
	store_close(f.s);
	edit(&f, old);
	f.c.thread_bytes = 5000;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	/* nobody can know whether it is old or our clock is ahead */
	TEST_OK(store_lease(f.s, "old", "run-2", USER("alice"), 5000, &l, NULL, &f.e), f.e);
	cr_assert_eq(l.fence, 5);
	struct thread t = load_as(&f, "old", "alice", 10);
	cr_assert_eq(t.version, 3);
	cr_assert_eq(t.nloaded, 6);
	const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
	struct commit c = { .version = 3, .append = m, .nappend = 2 };
	TEST_OK(store_commit(f.s, &l, USER("alice"), &c, &f.e), f.e);
	t = load_as(&f, "old", "alice", 10);
	cr_assert_eq(t.nmessages, 8);
	cr_assert_eq(t.nloaded, 6, "two old ones had to go");
	cr_assert_eq(count(&f, "PRAGMA user_version"), 1, "the first version can still read it");
	fix_down(&f);
}

/* As the second version made it: its own file, written by it and printed by sqlite3. Its messages have
 * neither id nor time, and its threads no agent. */
static const char second_form[] =
    "CREATE TABLE threads ( key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
    " version INTEGER NOT NULL, nmessages INTEGER NOT NULL, owner TEXT, state TEXT, fence INTEGER NOT NULL,"
    " lease_run TEXT NOT NULL, lease_until INTEGER NOT NULL, lease_ttl INTEGER NOT NULL,"
    " last_run TEXT NOT NULL DEFAULT '', used_ms INTEGER NOT NULL, bytes INTEGER);"
    "INSERT INTO threads VALUES(1,'thread_old',2,4,NULL,'{\"persona_id\":\"ifr\"}',1,'run-1',0,1000,'run-1',"
    "1795342473702,132);"
    "INSERT INTO threads VALUES(2,'thread_alice',1,5,'alice',NULL,1,'run-2',0,1000,'run-2',1795342473702,24);"
    "INSERT INTO threads VALUES(3,'thread_leased',0,0,NULL,NULL,1,'run-3',1795342474702,1000,'',"
    "1795342473702,0);"
    "CREATE TABLE messages ( thread INTEGER NOT NULL, seq INTEGER NOT NULL, role TEXT NOT NULL,"
    " content TEXT NOT NULL, PRIMARY KEY (thread, seq));"
    "INSERT INTO messages VALUES(1,0,'user','airports with customs near Lyon');"
    "INSERT INTO messages VALUES(1,1,'assistant',replace('1. **Lyon-Bron** (LFLY)\\n"
    "2. **Lyon-Saint-Exupéry** (LFLL)','\\n',char(10)));"
    "INSERT INTO messages VALUES(1,2,'user','');"
    "INSERT INTO messages VALUES(1,3,'assistant',replace('user\\nassistant','\\n',char(10)));"
    "INSERT INTO messages VALUES(2,3,'user','mine');"
    "INSERT INTO messages VALUES(2,4,'assistant','yours');"
    "CREATE TABLE trash (key INTEGER PRIMARY KEY);"
    "CREATE TABLE clock (time_ms INTEGER NOT NULL, doubt_ms INTEGER NOT NULL, agreed_ms INTEGER NOT NULL);"
    "INSERT INTO clock VALUES(1795342473701,0,0);"
    "CREATE INDEX threads_used ON threads (used_ms);"
    "CREATE INDEX threads_unwritten ON threads (used_ms) WHERE version = 0;"
    "PRAGMA application_id = 0x61674141; PRAGMA user_version = 1;";

static void second_fix(struct fix *f)
{
	char path[600];

	fix_up(f, "sqlite", 0);
	store_close(f->s);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", f->path, i == 0 ? "" : i == 1 ? "-wal" : "-shm");
		unlink(path);
	}
	struct db *db;
	TEST_OK(db_open(&db, f->path, DB_CREATE, &f->e), f->e);
	TEST_OK(db_exec(db, second_form, &f->e), f->e);
	db_close(db);
	f->c.agent = "pilot";
}

TEST(store_sqlite, files_of_the_second_form_go_on)
{
	struct fix f;
	struct lease l;
	struct thread t;

	second_fix(&f);
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	t = load(&f, "thread_old", 10);
	cr_assert_eq(t.version, 2);
	cr_assert_eq(t.nloaded, 4);
	cr_assert_str_eq(t.state, "{\"persona_id\":\"ifr\"}");
	cr_assert_str_eq(t.messages[1].content, "1. **Lyon-Bron** (LFLY)\n2. **Lyon-Saint-Exupéry** (LFLL)");
	cr_assert_str_eq(t.messages[1].id, "0000000000000001");
	cr_assert_eq(t.messages[1].time_us, 0);
	cr_assert_eq(t.messages[1].ncalls, 0);
	/* its users go on owning their threads, which are the default agent's */
	t = load_as(&f, "thread_alice", "alice", 10);
	cr_assert_eq(t.nmessages, 5);
	cr_assert_eq(t.nloaded, 2);
	cr_assert_str_eq(t.messages[0].id, "0000000000000003");
	cr_assert_eq(store_lease(f.s, "thread_alice", "run", USER("bob"), 5000, &l, NULL, &f.e), ERR_NOTFOUND);
	cr_assert_eq(store_lease(f.s, "thread_old", "run", AGENT("guide"), 5000, &l, NULL, &f.e), ERR_NOTFOUND);
	TEST_OK(store_lease(f.s, "thread_old", "run-9", AGENT("pilot"), 5000, &l, NULL, &f.e), f.e);
	cr_assert_eq(l.fence, 2);
	/* new messages behind the old ones, and then a worker of the old version, which is still there */
	const struct message_call call = { "call_1", "search", "{}", NULL };
	struct message m[] = { message_new(f.a, "user", "q"), message_new(f.a, "assistant", ""),
	    message_new(f.a, "tool", "r"), message_new(f.a, "assistant", "a") };
	struct commit c = { .version = 2, .append = m, .nappend = 4 };
	m[1].calls = &call;
	m[1].ncalls = 1;
	m[2].call_id = "call_1";
	TEST_OK(store_commit(f.s, &l, AGENT("pilot"), &c, &f.e), f.e);
	edit(&f, "INSERT INTO messages (thread, seq, role, content) VALUES (1, 8, 'user', 'old');"
	    "UPDATE threads SET version = 4, nmessages = 9 WHERE key = 1");
	t = load(&f, "thread_old", 10);
	cr_assert_eq(t.nloaded, 9);
	cr_assert_str_eq(t.messages[5].calls[0].name, "search");
	cr_assert_str_eq(t.messages[6].call_id, "call_1");
	cr_assert_str_eq(t.messages[7].id, m[3].id);
	cr_assert_str_eq(t.messages[8].id, "0000000000000008");
	cr_assert_eq(count(&f, "PRAGMA user_version"), 1, "the old version can still read it");
	fix_down(&f);
}

/* -- locks -- */

struct caller {
	struct store *s;
	int id;
	int64_t took;
	struct err e;
};

static void *call_lease(void *arg)
{
	struct caller *me = arg;
	char thread[16];
	struct lease l;
	int64_t t0 = clock_mono_ms();

	snprintf(thread, sizeof(thread), "t%d", me->id);
	store_lease(me->s, thread, "run", NULL, 20000, &l, NULL, &me->e);
	me->took = clock_mono_ms() - t0;
	return NULL;
}

/* However many wait, each has the deadline of its own call and no longer. */
TEST(store_sqlite, a_locked_file_costs_one_deadline, .timeout = 120)
{
	enum { N = 12 };
	struct fix f;
	struct db *other;
	struct caller who[N];
	pthread_t thread[N];

	fix_up(&f, "sqlite", 0);
	store_close(f.s);
	f.c.timeout_ms = 1000;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	TEST_OK(db_open(&other, f.path, DB_WRITE, &f.e), f.e);
	for (int for_good = 1; for_good >= 0; for_good--) {
		TEST_OK(db_exec(other, "BEGIN EXCLUSIVE", &f.e), f.e);
		for (int i = 0; i < N; i++) {
			who[i] = (struct caller){ .s = f.s, .id = i };
			pthread_create(&thread[i], NULL, call_lease, &who[i]);
		}
		if (!for_good) {
			clock_sleep_ms(200);
			TEST_OK(db_exec(other, "COMMIT", &f.e), f.e);
		}
		for (int i = 0; i < N; i++) {
			pthread_join(thread[i], NULL);
			cr_expect_eq(who[i].e.code, for_good ? ERR_STORE : OK, "%s", who[i].e.msg);
			cr_expect_lt(who[i].took, 5000, "%lld ms", (long long)who[i].took);
			if (!for_good)
				continue;
			cr_expect_geq(who[i].took, 950, "%lld ms", (long long)who[i].took);
			cr_expect_not_null(strstr(who[i].e.msg, f.path), "%s", who[i].e.msg);
			cr_expect_not_null(strstr(who[i].e.msg, "1000 ms"), "%s", who[i].e.msg);
		}
		if (for_good) {
			/* reading goes on, and the ping is a call like any other */
			int64_t t0 = clock_mono_ms();
			cr_expect_eq(load(&f, "t1", 1).version, 0);
			cr_expect_lt(clock_mono_ms() - t0, 900);
			cr_expect_eq(store_ping(f.s, &f.e), ERR_STORE);
			cr_expect_lt(clock_mono_ms() - t0, 4000);
			TEST_OK(db_exec(other, "ROLLBACK", &f.e), f.e);
		}
	}
	db_close(other);
	fix_down(&f);
}

/* W19: configure asks for the versions of the libraries, and the store's schema has a number of its own. */
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

/* The same with a file of the second version: its columns are added once. */
TEST(store_sqlite, many_may_bring_a_file_up_to_date_at_once, .timeout = 60)
{
	enum { ROUNDS = 10, WORKERS = 8 };

	for (int round = 0; round < ROUNDS; round++) {
		struct fix f;
		int failed = 0, status;

		second_fix(&f);
		for (int i = 0; i < WORKERS; i++)
			if (fork() == 0) {
				const struct message m = message_new(f.a, "user", "q");
				struct commit c = { .append = &m, .nappend = 1 };
				struct store *s;
				struct lease l;
				struct thread t;
				struct err e = { 0 };
				char thread[16];
				snprintf(thread, sizeof(thread), "t%d", i);
				if (store_open(&s, &f.c, &e) != OK ||
				    store_lease(s, thread, "run", NULL, 1000, &l, NULL, &e) != OK ||
				    store_commit(s, &l, NULL, &c, &e) != OK ||
				    store_load(s, f.a, "thread_old", NULL, 10, &t, &e) != OK || t.nloaded != 4) {
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
		cr_expect_eq(count(&f, "SELECT count(*) FROM messages WHERE id != ''"), WORKERS);
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
			const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
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

/* -- old runs -- */

/* As many runs, last used `age` times the length for which ended runs are kept. */
static void add_runs(struct fix *f, const char *prefix, int n, double age)
{
	edit(f, arena_printf(f->a,
	    "WITH RECURSIVE i (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM i WHERE n < %d)"
	    " INSERT INTO runs (id, thread, fence, logged, status, started_us, until_ms, alive_ms, used_ms)"
	    " SELECT '%s-' || n, 'old', 1, 0, 'failed', 1, 0, 0, %lld FROM i", n, prefix,
	    (long long)(clock_wall_us() / 1000 - (int64_t)(age * 1800e3))));
}

/* A run that waits and leaves makes no commit. */
TEST(store_sqlite, runs_that_only_wait_delete_old_ones)
{
	struct fix f;

	fix_up(&f, "sqlite", 3600);
	lease(&f, "t1", "run-1", 5000);
	add_runs(&f, "old", 50, 2.5);
	for (int i = 0; i < 4; i++) {
		const char *id = arena_printf(f.a, "wait-%d", i);
		const struct run_start start = { .run_id = id, .started_us = 1 };
		struct lease_wait w = { .queue_max = 3, .hold_ms = 5000 };
		struct lease l;

		cr_assert_eq(store_begin(f.s, "t1", &start, NULL, 5000, &w, &l, &f.e), ERR_BUSY);
		cr_assert_eq(w.place, 0);
		TEST_OK(store_leave(f.s, "t1", id, &f.e), f.e);
	}
	cr_expect_eq(count(&f, "SELECT count(*) FROM runs WHERE id LIKE 'old%'"), 0);
	cr_expect_eq(count(&f, "SELECT count(*) FROM runs"), 4);
	fix_down(&f);
}

TEST(store_sqlite, runs_that_fail_delete_old_ones)
{
	const struct run_end failed = { .status = RUN_FAILED, .ended_us = 5, .error = "upstream" };
	const struct run_group none = { .first = 1 };
	const struct run_start start = { .run_id = "run-1", .started_us = 1 };
	struct fix f;
	struct lease l;

	fix_up(&f, "sqlite", 3600);
	add_runs(&f, "old", 10, 2.5);
	TEST_OK(store_begin(f.s, "t1", &start, NULL, 5000, NULL, &l, &f.e), f.e);
	TEST_OK(store_run_append(f.s, "run-1", &none, 5000, &failed, &f.e), f.e);
	cr_expect_eq(count(&f, "SELECT count(*) FROM runs"), 1);
	fix_down(&f);
}

/* The log expires before its record, wherever that is among the others. */
TEST(store_sqlite, a_log_is_deleted_behind_many_records)
{
	struct fix f;

	fix_up(&f, "sqlite", 3600);
	add_runs(&f, "young", 30, 1.2);
	add_runs(&f, "logged", 3, 1.1);
	edit(&f, "INSERT INTO run_log SELECT key, 1, 1, 1, x'40' FROM runs WHERE id LIKE 'logged%';"
	    "UPDATE runs SET last = 1, bytes = 1, logged = 1 WHERE id LIKE 'logged%'");
	struct lease l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	cr_expect_eq(count(&f, "SELECT count(*) FROM run_log"), 0);
	cr_expect_eq(count(&f, "SELECT sum(bytes) FROM runs"), 0);
	cr_expect_eq(count(&f, "SELECT count(*) FROM runs"), 33);
	fix_down(&f);
}

/* Runs that wait ask many times a second. They write when half of the time of their place is over. */
TEST(store_sqlite, a_run_that_waits_seldom_writes)
{
	const struct run_start start = { .run_id = "run-2", .started_us = 1 };
	struct fix f;
	struct db *db;
	int asked = 0, written = -1;

	fix_up(&f, "sqlite", 3600);
	struct lease l = lease(&f, "t1", "run-1", 20000);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	for (int64_t until = clock_mono_ms() + 1500, was = 0; clock_mono_ms() < until; asked++) {
		struct lease_wait w = { .queue_max = 3, .hold_ms = 800 };
		struct run_record r;

		cr_assert_eq(store_begin(f.s, "t1", &start, NULL, 5000, &w, &l, &f.e), ERR_BUSY);
		cr_assert_eq(w.place, 0);
		cr_assert_str_eq(w.holder, "run-1");
		TEST_OK(store_run_find(f.s, f.a, "run-2", NULL, &r, &f.e), f.e);
		cr_assert(r.status == RUN_QUEUED && !r.overdue);
		const int64_t version = db_int(db, "PRAGMA data_version", 0);
		written += version != was;
		was = version;
		clock_sleep_ms(20);
	}
	db_close(db);
	cr_expect(asked > 15 && written >= 2 && written <= 5, "asked %d times, written %d times", asked,
	    written);
	fix_down(&f);
}

/* -- in memory -- */

TEST(store_memory, forgets_the_longest_unused_when_full)
{
	struct fix f = { .a = arena_new() };
	struct lease l[8];
	char id[8] = "t0";

	TEST_OK(store_memory_new(&f.s, 0, 4, 1 << 20, &f.e), f.e);
	for (int i = 0; i < 4; i++) {
		id[1] = (char)('0' + i);
		l[i] = lease(&f, id, "run", 20000);
		TEST_OK(turn(&f, &l[i], 0, "a", "b", NULL), f.e);
	}
	/* all in use */
	cr_assert_eq(store_lease(f.s, "t4", "run", NULL, 20000, &l[4], NULL, &f.e), ERR_STORE);
	cr_assert_eq(load(&f, "t4", 1).version, 0);
	TEST_OK(store_release(f.s, &l[0], &f.e), f.e);
	TEST_OK(store_release(f.s, &l[2], &f.e), f.e);
	clock_sleep_ms(5);
	lease(&f, "t0", "run", 1);                       /* t0 is now used later than t2 */
	clock_sleep_ms(5);
	l[4] = lease(&f, "t4", "run", 20000);
	cr_assert_eq(load(&f, "t0", 1).version, 1);
	cr_assert_eq(load(&f, "t2", 1).version, 0);
	l[5] = lease(&f, "t5", "run", 20000);
	cr_assert_eq(load(&f, "t0", 1).version, 0);
	cr_assert_eq(load(&f, "t1", 1).version, 1);
	store_close(f.s);
	arena_free(f.a);
}

TEST(store_memory, stays_within_its_bytes)
{
	enum { BIG = 60000, THREADS_MADE = 40 };
	struct fix f = { .a = arena_new() };
	char *big = arena_alloc(f.a, BIG + 1), id[16];
	int64_t kept = 0;

	memset(big, 'x', BIG);
	TEST_OK(store_memory_new(&f.s, 0, 100, 1 << 20, &f.e), f.e);
	for (int i = 0; i < THREADS_MADE; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		struct lease l = lease(&f, id, "run", 20000);
		TEST_OK(turn(&f, &l, 0, "a", big, NULL), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
		clock_sleep_ms(2);
	}
	/* the newest are kept, without a gap */
	for (int i = 0; i < THREADS_MADE; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		int64_t v = load(&f, id, 0).version;
		cr_assert_geq(v, kept > 0, "t%d", i);
		kept += v;
	}
	cr_assert(kept >= 14 && kept * BIG <= 1 << 20, "%lld of %d kB in 1 MiB", (long long)kept,
	    BIG / 1000);
	/* one thread that wants all of it is refused, and what it has stays */
	struct lease l = lease(&f, "t39", "run", 20000);
	int64_t v = 1;
	while (turn(&f, &l, v, "a", big, NULL) == OK)
		v++;
	cr_assert_eq(f.e.code, ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "memory store is full"), "%s", f.e.msg);
	cr_assert_eq(load(&f, "t39", 0).version, v);
	cr_assert(v >= 14 && v * BIG <= 1 << 20, "%lld turns", (long long)v);
	cr_assert_eq(load(&f, "t38", 0).version, 0);
	store_close(f.s);
	arena_free(f.a);
}

/* One commit must not delete all records of runs, while the others wait for it. */
TEST(store_memory, a_commit_deletes_few_runs)
{
	enum { BIG = 60000, RUNS = 100 };
	const struct run_end failed = { .status = RUN_FAILED, .ended_us = 5, .error = "upstream" };
	const struct run_group none = { .first = 1 };
	struct fix f = { .a = arena_new() };
	char *big = arena_alloc(f.a, BIG + 1), id[16];
	struct run_record r;
	int left = 0;

	memset(big, 'x', BIG);
	big[BIG] = '\0';
	TEST_OK(store_memory_new(&f.s, 0, 100, 1 << 20, &f.e), f.e);
	f.s->run_ttl_ms = 1800 * 1000;
	for (int i = 0; i < RUNS; i++) {
		struct lease l;

		snprintf(id, sizeof(id), "run-%d", i);
		const struct run_start start = { .run_id = id, .started_us = 1 };
		TEST_OK(store_begin(f.s, "runs", &start, NULL, 5000, NULL, &l, &f.e), f.e);
		TEST_OK(store_run_append(f.s, id, &none, 5000, &failed, &f.e), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
	}
	for (int i = 0; i < 17 && left == 0; i++) {     /* until one commit is over the limit */
		snprintf(id, sizeof(id), "t%d", i);
		struct lease l = lease(&f, id, "run", 20000);
		TEST_OK(turn(&f, &l, 0, "a", big, NULL), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
		if (store_run_find(f.s, f.a, "run-0", NULL, &r, &f.e) == OK)
			continue;
		for (int k = 0; k < RUNS; k++) {
			snprintf(id, sizeof(id), "run-%d", k);
			left += store_run_find(f.s, f.a, id, NULL, &r, &f.e) == OK;
		}
		cr_expect_geq(left, RUNS - 32, "%d of %d records are left", left, RUNS);
	}
	cr_expect_gt(left, 0);
	store_close(f.s);
	arena_free(f.a);
}
