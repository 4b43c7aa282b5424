/* A database of facts in memory: read on first use, replaced while it is used, gone, spoilt. */
#include "airports/fact_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/db.h"
#include "tests/unit/test.h"

struct number {
	struct fact_content content;
	int64_t value;
};

static enum errcode read_number(void *self, struct db *db, struct arena *mem,
    struct fact_content **out, struct err *e)
{
	struct number *n = arena_alloc(mem, sizeof(*n));

	++*(int *)self;
	if (!db_has_table(db, "main", "n"))
		return err_set(e, ERR_DATA, "there is no table n");
	n->value = db_int(db, "SELECT v FROM n", -1);
	*out = &n->content;
	return OK;
}

/* Write a database and put it into the place of `path` by rename, as programs should. */
static void put_file(const char *dir, const char *path, const char *sql)
{
	char fresh[200];
	struct db *db;
	struct err e;

	snprintf(fresh, sizeof(fresh), "%s/fresh", dir);
	unlink(fresh);
	TEST_OK(db_open(&db, fresh, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, sql, &e), e);
	db_close(db);
	cr_assert_eq(rename(fresh, path), 0);
}

static int64_t value_of(struct fact_file *f)
{
	const struct number *n = fact_file_take(f);
	int64_t v = n != NULL ? n->value : -1;

	if (n != NULL)
		fact_file_put(f, n);
	return v;
}

/* Wait for a value; the file is looked at every two seconds. */
static bool becomes(struct fact_file *f, int64_t want)
{
	for (int i = 0; i < 100 && value_of(f) != want; i++)
		usleep(50000);
	return value_of(f) == want;
}

TEST(fact_file, life)
{
	char dir[] = "/tmp/factfile.XXXXXX", path[100];
	const struct number *held;
	struct fact_file *f;
	struct err why = { OK, "" };
	int reads = 0;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/n.db", dir);
	put_file(dir, path, "CREATE TABLE n(v); INSERT INTO n VALUES(1)");
	f = fact_file_new("numbers", path, read_number, &reads);
	cr_expect_eq(reads, 0);
	cr_expect_eq(value_of(f), 1);
	cr_expect_eq(value_of(f), 1);
	cr_expect_eq(reads, 1);
	cr_expect_eq(fact_file_state(f, &why), FACT_READY);
	/* what a search holds stays as it is when the file is replaced */
	held = fact_file_take(f);
	put_file(dir, path, "CREATE TABLE n(v); INSERT INTO n VALUES(22)");
	cr_expect(becomes(f, 22));
	cr_expect_eq(held->value, 1);
	fact_file_put(f, held);
	/* a file that cannot be used, and none at all: what was read stays in use */
	put_file(dir, path, "CREATE TABLE other(v)");
	for (int i = 0; i < 100 && fact_file_state(f, &why) != FACT_STALE; i++)
		usleep(50000);
	cr_expect_eq(fact_file_state(f, &why), FACT_STALE);
	cr_expect(strstr(why.msg, "/n.db: there is no table n") != NULL, "%s", why.msg);
	cr_expect_eq(value_of(f), 22);
	cr_expect_eq(reads, 3);
	fact_file_free(f);
	unlink(path);
	rmdir(dir);
}

TEST(fact_file, absent)
{
	struct err why = { OK, "" };
	int reads = 0;
	struct fact_file *f = fact_file_new("numbers", NULL, read_number, &reads);

	cr_expect_null(fact_file_take(f));
	cr_expect_eq(fact_file_state(f, &why), FACT_UNSET);
	fact_file_free(f);
	f = fact_file_new("numbers", "/nowhere/n.db", read_number, &reads);
	cr_expect_null(fact_file_take(f));
	cr_expect_eq(fact_file_state(f, &why), FACT_FAILED);
	cr_expect(strstr(why.msg, "/nowhere/n.db") != NULL, "%s", why.msg);
	fact_file_free(f);
	fact_file_free(NULL);
	cr_expect_eq(reads, 0);
}
