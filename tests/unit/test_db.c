/* SQLite wrapper: what it opens, what it refuses and in which words, and statements. */
#include "drivers/db.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include "drivers/db_fts.h"
#include "tests/unit/test.h"

static char *path_in(const char *dir, const char *name)
{
	char *path = NULL;

	cr_assert_geq(asprintf(&path, "%s/%s", dir, name), 0);
	return path;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

/* SQLite takes settings of the process before its first use only, whoever that is. */
TEST(db, a_full_text_index_may_come_first)
{
	struct fts *f;
	struct err e;

	TEST_OK(fts_open(&f, (const double[FTS_COLUMNS]){ 1, 1, 1, 1 }, &e), e);
	cr_expect_eq(sqlite3_memory_used(), 0, "it counts, under a lock");
	fts_close(f);
}

TEST(db, binds_and_reads)
{
	static const char insert[] = "INSERT INTO t VALUES(?,?,?,?,?)";
	static const char all[] = "SELECT * FROM t ORDER BY rowid";
	char *dir = test_mkdtemp(), *path = path_in(dir, "a b?c#d%20.db");
	struct err e = { OK, "" };
	struct stat st;
	struct db *db;
	struct db_stmt *s;

	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	cr_expect_eq(stat(path, &st), 0, "the path is taken as it is");
	cr_expect_eq(st.st_mode & 0007, 0, "nobody else may read it");
	TEST_OK(db_exec(db, "CREATE TABLE t(a, b REAL, c, d BLOB, e)", &e), e);
	TEST_OK(db_put(db, insert, &e, DB_TEXT("Zürich"), DB_NUM((double)NAN), DB_INT(INT64_MIN),
	    DB_BLOB("a\0b", 3), DB_TEXT(NULL)), e);
	cr_expect_eq(db_changes(db), 1);
	TEST_OK(db_exec(db, "INSERT INTO t VALUES('nan', 'nan', ' 12.5 ', '12 km', NULL)", &e), e);
	s = db_prepare(db, all, &e);
	cr_assert_eq(db_step(s, &e), DB_ROW);
	cr_expect_str_eq(db_text(s, 0), "Zürich");
	cr_expect(isnan(db_double_at(s, 1)) && db_is_null(s, 1));
	cr_expect_eq(db_int_at(s, 2), INT64_MIN);
	cr_expect_eq(db_bytes(s, 3), 3);
	cr_expect_eq(memcmp(db_blob(s, 3), "a\0b", 3), 0);
	cr_expect_null(db_text(s, 4));
	cr_assert_eq(db_step(s, &e), DB_ROW);
	cr_expect(isnan(db_double_at(s, 1)), "the text nan is no number");
	cr_expect_eq(db_double_at(s, 2), 12.5);
	cr_expect(isnan(db_double_at(s, 3)), "nor is 12 km");
	cr_expect_eq(db_step(s, &e), DB_END);
	db_done(s);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM t", -1), 2);
	cr_expect_eq(db_int(db, "SELECT a FROM nowhere", -7), -7);
	cr_expect(db_has_table(db, "main", "T"));
	cr_expect_not(db_has_table(db, "main", "u"));
	cr_expect(db_has_column(db, "main", "t", "B"));
	cr_expect_not(db_has_column(db, "main", "t", "f"));
	db_close(db);
	free(path);
	test_rmdir(dir);
}

TEST(db, statements_are_kept_and_reset)
{
	static const char one[] = "SELECT ?1 UNION ALL SELECT 2";
	struct err e = { OK, "" };
	char *dir = test_mkdtemp(), *path = path_in(dir, "x.db"), text[40] = "SELECT 1";
	struct db_stmt *s, *t;
	struct db *db;

	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	s = db_query(db, one, &e, DB_INT(5));
	cr_expect_eq(db_step(s, &e), DB_ROW);
	cr_expect_eq(db_int_at(s, 0), 5);
	/* not done: asking again starts anew, without the old value */
	t = db_prepare(db, one, &e);
	cr_expect_eq(s, t);
	cr_expect_eq(db_step(t, &e), DB_ROW);
	cr_expect(db_is_null(t, 0));
	db_done(t);
	/* a buffer that changes under the same address */
	cr_expect_eq(db_int(db, text, 0), 1);
	snprintf(text, sizeof(text), "SELECT 22");
	cr_expect_eq(db_int(db, text, 0), 22);
	cr_expect_null(db_prepare(db, "SELEC 1", &e));
	cr_expect_eq(e.code, ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "SELEC"));
	cr_expect_eq(db_put(db, one, &e, DB_INT(1), DB_INT(2)), ERR_INTERNAL,
	    "a bind that fails is told by the step");
	cr_expect_eq(db_put(db, one, NULL, DB_INT(1), DB_INT(2)), ERR_INTERNAL);
	cr_expect_eq(db_put(db, "SELEC 2", &e, DB_INT(1)), ERR_DATA, "and what cannot be prepared by db_run()");
	cr_expect_not_null(strstr(e.msg, "SELEC"), "%s", e.msg);
	e.code = ERR_TIMEOUT;
	cr_expect_eq(db_put(NULL, one, &e, DB_INT(1)), ERR_TIMEOUT, "the reason why there is no database stays");
	db_close(db);
	free(path);
	test_rmdir(dir);
}

static const struct bad {
	const char *name, *text;
	enum db_mode mode;
	enum errcode code;
	const char *says;
} bad_files[] = {
	{ "missing.db", NULL, DB_READ, ERR_DATA, "no such file" },
	{ "missing.db", NULL, DB_WRITE, ERR_DATA, "no such file" },
	{ "missing.db", NULL, DB_FIXED, ERR_DATA, "no such file" },
	{ "empty.db", "", DB_READ, ERR_DATA, "is empty" },
	{ "empty.db", "", DB_FIXED, ERR_DATA, "is empty" },
	{ "text.db", "This is a text file and it is long enough to be looked at as a database header, is it not? "
	    "One hundred bytes are what SQLite reads.", DB_READ, ERR_DATA, "not an SQLite database" },
	{ "text2.db", "short", DB_WRITE, ERR_DATA, "not an SQLite database" },
	{ "none/x.db", NULL, DB_CREATE, ERR_IO, "can't be created" },
	{ "", NULL, DB_READ, ERR_DATA, "a folder" },
};

TEST(db, says_why_a_file_is_no_good)
{
	char *dir = test_mkdtemp();

	for (size_t i = 0; i < sizeof(bad_files) / sizeof(bad_files[0]); i++) {
		const struct bad *b = &bad_files[i];
		char *path = path_in(dir, b->name);
		struct err e = { OK, "" };
		struct db *db;

		if (b->text != NULL)
			write_file(path, b->text);
		cr_expect_eq(db_open(&db, path, b->mode, &e), b->code, "%s: %s", b->name, e.msg);
		cr_expect_null(db);
		cr_expect_not_null(strstr(e.msg, b->says), "%s: %s", b->name, e.msg);
		cr_expect_not_null(strstr(e.msg, dir), "%s: names no file: %s", b->name, e.msg);
		free(path);
	}
	test_rmdir(dir);
}

TEST(db, attaches_read_only)
{
	char *dir = test_mkdtemp(), *one = path_in(dir, "one.db"), *two = path_in(dir, "two.db");
	struct err e = { OK, "" };
	struct db *db;

	TEST_OK(db_open(&db, two, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, "CREATE TABLE t(a); INSERT INTO t VALUES(7)", &e), e);
	db_close(db);
	TEST_OK(db_open(&db, one, DB_CREATE, &e), e);
	TEST_OK(db_attach(db, two, "src", &e), e);
	cr_expect_eq(db_int(db, "SELECT a FROM src.t", 0), 7);
	cr_expect_eq(db_exec(db, "DELETE FROM src.t", &e), ERR_IO);
	cr_expect_not_null(strstr(e.msg, "readonly"));
	cr_expect_eq(db_attach(db, dir, "bad", &e), ERR_DATA);
	cr_expect_eq(db_exec(db, "SELECT 1 FROM bad.sqlite_schema", &e), ERR_DATA, "nothing stays attached");
	db_close(db);
	free(one);
	free(two);
	test_rmdir(dir);
}

TEST(db, a_fixed_file_is_read_without_locks)
{
	char *dir = test_mkdtemp(), *path = path_in(dir, "fixed.db");
	struct err e = { OK, "" };
	struct db *writer, *db;

	TEST_OK(db_open(&writer, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(writer, "CREATE TABLE t(a); INSERT INTO t VALUES(7); BEGIN EXCLUSIVE", &e), e);
	TEST_OK(db_open(&db, path, DB_FIXED, &e), e);
	cr_expect_eq(db_int(db, "SELECT a FROM t", 0), 7);
	cr_expect_eq(db_exec(db, "DELETE FROM t", &e), ERR_IO);
	db_close(db);
	db_close(writer);
	free(path);
	test_rmdir(dir);
}

/* As a user who may not write there: the database is in WAL mode, its -shm can't be made. */
TEST(db, reads_wal_on_a_read_only_folder)
{
	char *dir = test_mkdtemp(), *path = path_in(dir, "wal.db"), *shm = path_in(dir, "wal.db-shm");
	struct err e = { OK, "" };
	struct db *db;

	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(7)", &e), e);
	db_close(db);
	cr_assert_eq(access(shm, F_OK), -1);
	cr_assert_eq(chmod(path, 0444), 0);
	cr_assert_eq(chmod(dir, 0555), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	e.msg[0] = '\0';
	TEST_OK(db_open(&db, path, DB_READ, &e), e);
	cr_expect_eq(db_int(db, "SELECT a FROM t", 0), 7);
	db_close(db);
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
	cr_assert_eq(chmod(dir, 0755), 0);
	free(path);
	free(shm);
	test_rmdir(dir);
}

TEST(db, full_disk_is_an_io_error)
{
	char *dir = test_mkdtemp(), *path = path_in(dir, "full.db");
	struct rlimit old, small;
	struct err e = { OK, "" };
	struct db *db;

	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, "CREATE TABLE t(a)", &e), e);
	/* to a process, a ceiling on file sizes looks like a disk with no room */
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 20000;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	cr_expect_eq(db_exec(db, "INSERT INTO t VALUES(zeroblob(100000))", &e), ERR_IO, "%s", e.msg);
	cr_expect_not_null(strstr(e.msg, path), "%s", e.msg);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	TEST_OK(db_exec(db, "INSERT INTO t VALUES(1)", &e), e);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM t", 0), 1);
	db_close(db);
	free(path);
	test_rmdir(dir);
}

TEST(db, damaged_pages_are_data_errors)
{
	char *dir = test_mkdtemp(), *path = path_in(dir, "bad.db"), junk[4096];
	struct err e = { OK, "" };
	struct db *db;
	int fd;

	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, "CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(3000)), (randomblob(3000)), "
	    "(randomblob(3000)), (randomblob(3000))", &e), e);
	db_close(db);
	memset(junk, 0xa5, sizeof(junk));
	fd = open(path, O_WRONLY);
	cr_assert_eq(pwrite(fd, junk, sizeof(junk), 4096), 4096);
	close(fd);
	TEST_OK(db_open(&db, path, DB_READ, &e), e);
	cr_expect_eq(db_exec(db, "SELECT sum(length(a)) FROM t", &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "damaged"), "%s", e.msg);
	db_close(db);
	free(path);
	test_rmdir(dir);
}
