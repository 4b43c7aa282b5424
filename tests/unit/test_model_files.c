/*
 * The files of models that ship with the program: one that is cut, of another version, or changed in any bit is refused
 * when it is opened, and the reason names the file, what is wrong and what to do. None is read wrongly.
 */
#include "tests/unit/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "language/encoder.h"
#include "language/reading.h"

enum { MODEL_BYTES = 32 << 20, HEAD = 64 /* the heads are smaller */, SPREAD = 97 };

static enum errcode open_reader(const char *path, struct err *e)
{
	struct reading_model *m;
	const enum errcode rc = reading_model_open(&m, path, e);
	if (rc == OK)
		reading_model_close(m);
	else
		cr_expect_null(m);
	return rc;
}

static enum errcode open_encoder(const char *path, struct err *e)
{
	struct encoder *m;
	const enum errcode rc = encoder_open(&m, path, e);
	if (rc == OK)
		encoder_close(m);
	else
		cr_expect_null(m);
	return rc;
}

static const struct {
	const char *name;
	enum errcode (*open)(const char *path, struct err *e);
} models[] = { { "reader.model", open_reader }, { "encoder.model", open_encoder } };
enum { MODELS = sizeof(models) / sizeof(models[0]) };

struct model_copy {
	struct arena *a;
	char *dir;
	const char *path;
	enum errcode (*open)(const char *path, struct err *e);
	struct buf bytes;
	FILE *f;
};

static void copy(struct model_copy *c, size_t i)
{
	struct err e = { 0 };
	*c = (struct model_copy){ .a = arena_new(), .dir = test_mkdtemp(), .open = models[i].open };
	c->path = arena_printf(c->a, "%s/%s", c->dir, models[i].name);
	buf_init(&c->bytes, MODEL_BYTES);
	TEST_OK(buf_load(&c->bytes, arena_printf(c->a, TEST_SRCDIR "/conf/language/%s", models[i].name), &e), e);
	c->f = fopen(c->path, "w+e");
	cr_assert_not_null(c->f);
	cr_assert_eq(fwrite(c->bytes.p, 1, c->bytes.n, c->f), c->bytes.n);
	cr_assert_eq(fflush(c->f), 0);
	TEST_OK(c->open(c->path, &e), e);
}

static void finish(struct model_copy *c)
{
	fclose(c->f);
	buf_release(&c->bytes);
	test_rmdir(c->dir);
	arena_free(c->a);
}

static void expect_refused(const struct model_copy *c, const char *what, const char *why)
{
	struct err e = { 0 };
	cr_expect_eq(c->open(c->path, &e), ERR_CONFIG, "%s", what);
	cr_expect(strstr(e.msg, c->path) == e.msg && strstr(e.msg, why) != NULL &&
	    strstr(e.msg, "; install the file that belongs to this program") != NULL, "%s: %s", what, e.msg);
}

static void put(const struct model_copy *c, size_t at, unsigned char byte)
{
	cr_assert_eq(pwrite(fileno(c->f), &byte, 1, (off_t)at), 1);
}

static void flip(const struct model_copy *c, size_t at, unsigned bit)
{
	const unsigned char byte = (unsigned char)c->bytes.p[at];
	put(c, at, (unsigned char)(byte ^ 1U << bit));
	expect_refused(c, arena_printf(c->a, "bit %u of byte %zu", bit, at), "the file is ");
	put(c, at, byte);
}

TEST(model_files, each_flipped_bit_is_found)
{
	for (size_t i = 0; i < MODELS; i++) {
		struct model_copy c;
		struct err e = { 0 };
		copy(&c, i);
		for (size_t at = 0; at < HEAD; at++)
			flip(&c, at, (unsigned)(at * 5 % 8));
		/* each bit of what the head says behind the sum and of the numbers before it */
		for (size_t at = 8; at < 48; at += 4)
			for (unsigned bit = 0; bit < 8; bit += 3)
				flip(&c, at, bit);
		for (size_t k = 0; k < SPREAD; k++)
			flip(&c, HEAD + (c.bytes.n - HEAD - 1) * k / (SPREAD - 1), (unsigned)k % 8);
		TEST_OK(c.open(c.path, &e), e);
		finish(&c);
	}
}

TEST(model_files, pieces_that_change_places_are_found)
{
	enum { PIECE = 64 };
	for (size_t i = 0; i < MODELS; i++) {
		struct model_copy c;
		copy(&c, i);
		for (size_t k = 1; k < 8; k++) {
			const size_t one = c.bytes.n / 8 * k / 8 * 8, two = one + PIECE;
			if (memcmp(c.bytes.p + one, c.bytes.p + two, PIECE) == 0)
				continue;
			cr_assert_eq(pwrite(fileno(c.f), c.bytes.p + two, PIECE, (off_t)one), PIECE);
			cr_assert_eq(pwrite(fileno(c.f), c.bytes.p + one, PIECE, (off_t)two), PIECE);
			expect_refused(&c, "two pieces", "the file is damaged");
			cr_assert_eq(pwrite(fileno(c.f), c.bytes.p + one, 2 * PIECE, (off_t)one), 2 * PIECE);
		}
		finish(&c);
	}
}

TEST(model_files, cut_long_and_strange_files_are_found)
{
	for (size_t i = 0; i < MODELS; i++) {
		struct model_copy c;
		uint32_t version;
		copy(&c, i);
		memcpy(&version, c.bytes.p + 8, sizeof(version));
		for (uint32_t other = 0; other < version + 3; other++) {
			if (other == version)
				continue;
			put(&c, 8, (unsigned char)other);
			expect_refused(&c, "a version", "of another version of the program");
		}
		put(&c, 8, (unsigned char)version);
		cr_assert_eq(ftruncate(fileno(c.f), (off_t)c.bytes.n + 8), 0);
		expect_refused(&c, "longer", "the file is ");
		for (size_t n = c.bytes.n - 1; n >= HEAD; n = n * 2 / 3) {
			cr_assert_eq(ftruncate(fileno(c.f), (off_t)n), 0);
			expect_refused(&c, "cut", "the file is cut");
		}
		for (size_t n = 24; n > 0; n -= 12) {
			cr_assert_eq(ftruncate(fileno(c.f), (off_t)n), 0);
			expect_refused(&c, "cut", "the file is no ");
		}
		cr_assert_eq(ftruncate(fileno(c.f), 0), 0);
		expect_refused(&c, "empty", "the file is no ");
		cr_assert_eq(ftruncate(fileno(c.f), (off_t)c.bytes.n), 0);
		expect_refused(&c, "zeros", "the file is no ");
		cr_assert_eq(unlink(c.path), 0);
		expect_refused(&c, "missing", "No such file");
		cr_assert_eq(mkdir(c.path, 0700), 0);
		expect_refused(&c, "a folder", "the file is no ");
		finish(&c);
	}
}
