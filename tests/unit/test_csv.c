/* CSV: what is read, and what is refused at which line. */
#include "airports/csv.h"

#include <math.h>
#include <zlib.h>

#include "base/str.h"
#include "tests/unit/test.h"

static void put_file(const char *dir, const char *name, const char *text, size_t n)
{
	char path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	cr_assert_eq(fwrite(text, 1, n, f), n);
	fclose(f);
}

static const struct good {
	const char *text;
	const char *values[6];        /* of all rows, one after the other; "-": empty */
} good[] = {
	{ "a,b\n1,2\n", { "1", "2" } },
	{ "a,b\r\n1,2\r\n3,4", { "1", "2", "3", "4" } },
	{ "\xef\xbb\xbf" "a,b\n1,2\n", { "1", "2" } },
	{ "\"a\",\"b\"\n\"x, y\",\"say \"\"hi\"\"\"\n", { "x, y", "say \"hi\"" } },
	{ "a,b\n,\"\"\n", { "-", "-" } },
	{ "a,b\n\"two\nlines\",\"c\r\nd\"\n1,2", { "two\nlines", "c\r\nd", "1", "2" } },
	{ "a,b\n1,2\n\n\n", { "1", "2" } },
	{ "a,b\nZürich,\"Łódź\"\n", { "Zürich", "Łódź" } },
	{ "a,b\n", { NULL } },
	{ "a,b", { NULL } },
};

TEST(csv, reads)
{
	char *dir = test_mkdtemp();

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct err e = { OK, "" };
		struct csv *c;
		size_t at = 0;

		put_file(dir, "x.csv", good[i].text, strlen(good[i].text));
		TEST_OK(csv_open(&c, dir, "x.csv", &e), e);
		cr_expect_eq(csv_find(c, "a"), 0, "row %zu", i);
		cr_expect_eq(csv_find(c, "B"), 1);
		cr_expect_eq(csv_find(c, "c"), -1);
		while (csv_next(c, &e) == CSV_ROW)
			for (int k = 0; k < 2; k++, at++) {
				const char *v = csv_text(c, k);

				cr_assert(at < 6 && good[i].values[at] != NULL, "row %zu: too much", i);
				cr_expect_str_eq(v != NULL ? v : "-", good[i].values[at], "row %zu", i);
			}
		cr_expect(at == 6 || good[i].values[at] == NULL, "row %zu: too little: %s", i, e.msg);
		cr_expect_eq(e.code, OK, "%s", e.msg);
		cr_expect_null(csv_text(c, -1));
		csv_close(c);
	}
	test_rmdir(dir);
}

static const struct wrong {
	const char *text;
	size_t n;                     /* 0: strlen */
	const char *says;
} wrong[] = {
	{ "", 0, "x.csv:1: is empty" },
	{ "a,b\n1\n", 0, ":2: 1 values, but the header names 2 columns" },
	{ "a,b\n1,2\n1,2,3\n", 0, ":3: 3 values" },
	{ "a,b\n1,x\"y\n", 0, ":2: a quote inside a bare value" },
	{ "a,b\n1,\"x\"y\n", 0, ":2: text after a closing quote" },
	{ "a,b\n1,\"x\n\n", 0, ":2: a quote is never closed" },
	{ "a,b\n\"1\n2\",3\n\"4\n", 0, ":4: a quote is never closed" },
	{ "a,b\n1,2\rx,y\n", 0, ":2: a carriage return" },
	{ "a,b\n1,\0x\n", 9, ":2: holds a NUL byte" },
	{ "a,b\n1,\"\0\"\n", 10, ":2: holds a NUL byte" },
	{ "a,b\n1,\xff\xfe\n", 0, ":2: is not UTF-8" },
};

TEST(csv, refuses)
{
	char *dir = test_mkdtemp();

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err e = { OK, "" };
		struct csv *c = NULL;

		put_file(dir, "x.csv", wrong[i].text, wrong[i].n > 0 ? wrong[i].n : strlen(wrong[i].text));
		if (csv_open(&c, dir, "x.csv", &e) == OK)
			while (csv_next(c, &e) == CSV_ROW)
				;
		cr_expect_eq(e.code, ERR_DATA, "row %zu", i);
		cr_expect_not_null(strstr(e.msg, wrong[i].says), "row %zu: %s", i, e.msg);
		csv_close(c);
	}
	test_rmdir(dir);
}

TEST(csv, has_ceilings)
{
	size_t n = 300000;
	char *dir = test_mkdtemp(), *text = malloc(n + 1);
	struct err e = { OK, "" };
	struct csv *c = NULL;

	memset(text, 'x', n);
	memcpy(text, "a\n", 2);
	put_file(dir, "x.csv", text, n);
	TEST_OK(csv_open(&c, dir, "x.csv", &e), e);
	cr_expect_eq(csv_next(c, &e), CSV_FAIL);
	cr_expect_not_null(strstr(e.msg, ":2: a value is too long"), "%s", e.msg);
	csv_close(c);
	memset(text, ',', n);
	put_file(dir, "x.csv", text, n);
	cr_expect_eq(csv_open(&c, dir, "x.csv", &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "more than 100 values"), "%s", e.msg);
	free(text);
	test_rmdir(dir);
}

TEST(csv, gzip)
{
	char *dir = test_mkdtemp(), path[600], packed[4096];
	struct err e = { OK, "" };
	struct csv *c = NULL;
	gzFile z;
	FILE *f;
	size_t n;
	int rows = 0;

	snprintf(path, sizeof(path), "%s/x.csv.gz", dir);
	z = gzopen(path, "wb");
	gzputs(z, "a,b\n");
	for (int i = 0; i < 5000; i++)
		gzprintf(z, "%d,%d\n", i, i * 7919 % 5000);
	gzclose(z);
	cr_expect(csv_exists(dir, "x.csv"));
	cr_expect_not(csv_exists(dir, "y.csv"));
	TEST_OK(csv_open(&c, dir, "x.csv", &e), e);
	while (csv_next(c, &e) == CSV_ROW)
		rows++;
	cr_expect_eq(rows, 5000);
	csv_close(c);
	/* cut in the middle */
	f = fopen(path, "r");
	n = fread(packed, 1, sizeof(packed), f);
	fclose(f);
	cr_assert_eq(n, sizeof(packed));
	put_file(dir, "x.csv.gz", packed, n);
	c = NULL;
	if (csv_open(&c, dir, "x.csv", &e) == OK)
		while (csv_next(c, &e) == CSV_ROW)
			;
	cr_expect_eq(e.code, ERR_DATA, "a cut file is no whole one");
	cr_expect_not_null(strstr(e.msg, "can't be read to its end"), "%s", e.msg);
	csv_close(c);
	test_rmdir(dir);
}

TEST(csv, numbers_and_missing_files)
{
	char *dir = test_mkdtemp();
	struct err e = { OK, "" };
	struct csv *c = NULL;
	double v;
	int at;

	put_file(dir, "x.csv", "a,b,c\n-1.5,,12km\n", 17);
	TEST_OK(csv_open(&c, dir, "x.csv", &e), e);
	cr_assert_eq(csv_next(c, &e), CSV_ROW);
	TEST_OK(csv_number(c, 0, &v, &e), e);
	cr_expect_eq(v, -1.5);
	TEST_OK(csv_number(c, 1, &v, &e), e);
	cr_expect(isnan(v));
	cr_expect_eq(csv_number(c, 2, &v, &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "x.csv:2: c is 12km"), "%s", e.msg);
	cr_expect_eq(csv_need(c, "d", &at, &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "no column d"), "%s", e.msg);
	csv_close(c);
	cr_expect_eq(csv_open(&c, dir, "y.csv", &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "holds neither y.csv nor y.csv.gz"), "%s", e.msg);
	cr_expect_eq(csv_open(&c, "/nonexistent", "y.csv", &e), ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "no such folder"), "%s", e.msg);
	test_rmdir(dir);
}
