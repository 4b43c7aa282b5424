/* Files of linear models: what was written is found again; damaged files are refused. */
#include "tests/unit/test.h"

#include <unistd.h>

#include "language/feature.h"
#include "language/linear.h"
#include "language/linear_format.h"
#include "language/train/linear_write.h"

static const char *const classes[] = { "none", "near", "route" };
static const int32_t numbers[] = { 7, -8, 9 };

enum { MANY = 5000 };
#define FIVE UINT64_C(0x500000005)
#define NINE UINT64_C(0x900000005)

struct linear_case {
	char *dir;
	char path[600];
	struct err e;
};

static void write_models(struct linear_case *c)
{
	static struct linear_entry many[MANY * 2], few[] = {
		{ FIVE, 2, 300000 }, { FIVE, 0, -300000 }, { NINE, 1, 0 }, { 6, 1, -7 }, { FIVE, 1, 1 },
	};
	struct linear_draft draft[] = {
		{ .name = "few", .nclasses = 3, .class_name = classes, .nnumbers = 3, .number = numbers, .n = 5,
			.entry = few },
		{ .name = "many", .nclasses = 2, .class_name = classes, .n = MANY * 2, .entry = many },
		{ .name = "empty" },
	};
	for (unsigned i = 0; i < MANY * 2; i++)
		many[i] = (struct linear_entry){ feature_and(1, i / 2), i % 2, (int)i + 1 };
	c->dir = test_mkdtemp();
	snprintf(c->path, sizeof(c->path), "%s/reader.model", c->dir);
	TEST_OK(linear_write(c->path, draft, 3, &c->e), c->e);
}

static void damage(const struct linear_case *c, long at, const void *p, size_t n)
{
	FILE *f = fopen(c->path, "r+");
	cr_assert_not_null(f);
	cr_assert_eq(fseek(f, at, SEEK_SET), 0);
	cr_assert_eq(fwrite(p, 1, n, f), n);
	fclose(f);
}

TEST(linear, what_was_written_is_found)
{
	struct linear_case c = { 0 };
	struct linear_file *f;
	size_t n;
	write_models(&c);
	TEST_OK(linear_open(&f, c.path, &c.e), c.e);
	const struct linear *few = linear_get(f, "few"), *many = linear_get(f, "many");
	cr_assert(few != NULL && many != NULL && linear_get(f, "empty") != NULL);
	cr_expect_null(linear_get(f, "none"));
	cr_expect_eq(linear_class(few, "route"), 2);
	cr_expect_eq(linear_class(many, "route"), -1);
	cr_assert_eq(few->nnumbers, 3u);
	cr_expect_eq(few->number[1], -8);
	const struct linear_weight *w = linear_find(few, FIVE, &n);
	cr_assert_eq(n, 3u);
	cr_expect(w[0].class == 0 && w[0].weight == -INT16_MAX && w[1].weight == 1 && w[2].weight == INT16_MAX);
	linear_find(few, NINE, &n);
	cr_expect_eq(n, 0u, "an entry without weight is left out");
	linear_find(few, UINT64_C(0x700000007), &n);
	cr_expect_eq(n, 0u);
	linear_find(linear_get(f, "empty"), 5, &n);
	cr_expect_eq(n, 0u);
	for (unsigned i = 0; i < MANY; i++) {
		w = linear_find(many, feature_and(1, i), &n);
		cr_assert(n == 2 && w[0].weight == (int)(i * 2 + 1) && w[1].weight == (int)(i * 2 + 2), "%u", i);
	}
	uint64_t feature[150];
	float by[150], score[2] = { 0 };
	for (unsigned i = 0; i < 150; i++) {
		feature[i] = feature_and(1, i);
		by[i] = i % 2 == 0 ? 1 : 0.5F;
	}
	linear_add(many, feature, NULL, 150, score);
	cr_expect_eq(score[0], 150 * 150);
	cr_expect_eq(score[1], 150 * 150 + 150);
	linear_add(many, feature, by, 3, score);
	cr_expect_eq(score[0], 150 * 150 + 1 + 1.5F + 5);
	linear_close(f);
	test_rmdir(c.dir);
}

static const char *slurp(struct arena *a, const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *p = arena_alloc(a, 1 << 20);
	cr_assert_not_null(f);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

TEST(linear, the_same_models_give_the_same_bytes)
{
	struct arena *a = arena_new();
	struct linear_case c = { 0 }, d = { 0 };
	size_t n, m;
	write_models(&c);
	write_models(&d);
	const char *p = slurp(a, c.path, &n), *q = slurp(a, d.path, &m);
	cr_expect(n == m && memcmp(p, q, n) == 0);
	test_rmdir(c.dir);
	test_rmdir(d.dir);
	arena_free(a);
}

static void expect_refused(struct linear_case *c, const char *why)
{
	struct linear_file *f;
	c->e.msg[0] = '\0';
	cr_expect_eq(linear_open(&f, c->path, &c->e), ERR_CONFIG, "%s", why);
	cr_expect_null(f);
	cr_expect(strstr(c->e.msg, c->path) != NULL && strstr(c->e.msg, why) != NULL, "%s: %s", why, c->e.msg);
}

TEST(linear, damaged_files_are_refused)
{
	struct linear_case c = { 0 };
	struct arena *a = arena_new();
	uint32_t version = LINEAR_VERSION + 1;
	size_t n;
	write_models(&c);
	const char *p = slurp(a, c.path, &n);

	damage(&c, 8, &version, sizeof(version));
	expect_refused(&c, "another version");
	damage(&c, 0, "lineal\n", 8);
	expect_refused(&c, "no file of models");
	damage(&c, 0, p, 64);
	for (size_t at = 24; at < n; at += n / 50) {
		char c1 = (char)(p[at] ^ 16);
		damage(&c, (long)at, &c1, 1);
		expect_refused(&c, "damaged");
		damage(&c, (long)at, p + at, 1);
	}
	for (size_t len = n - 8; len >= sizeof(struct linear_head); len /= 2) {
		cr_assert_eq(truncate(c.path, (off_t)len), 0);
		expect_refused(&c, "cut");
	}
	cr_assert_eq(truncate(c.path, 3), 0);
	expect_refused(&c, "no file of models");
	cr_assert_eq(unlink(c.path), 0);
	expect_refused(&c, "No such file");
	test_rmdir(c.dir);
	arena_free(a);
}

/* Files whose sum is right, but whose tables are wrong: each would lead out of the file. */
static const struct {
	const char *what;
	size_t at;                            /* in the section of the first model */
	uint32_t value;
} tables[] = {
#define OF(member) offsetof(struct linear_section, member)
	{ "classes", OF(nclasses), 2 }, { "more classes", OF(nclasses), 9 }, { "classes", OF(nclasses), UINT32_MAX },
	{ "numbers", OF(nnumbers), 1u << 30 }, { "slots", OF(nslots), 2 }, { "no slots", OF(nslots), 0 },
	{ "slots", OF(nslots), 1u << 31 }, { "weights", OF(nweights), 1u << 31 }, { "weights", OF(nweights), 1 },
	{ "names", OF(names), UINT32_MAX & ~7u }, { "names", OF(names_bytes), UINT32_MAX },
	{ "names", OF(names_bytes), 3 }, { "numbers", OF(numbers), 4 }, { "slots", OF(slots), 0 },
	{ "name", OF(name) + LINEAR_NAME - 4, UINT32_MAX },
};

TEST(linear, wrong_tables_are_refused)
{
	struct linear_case c = { 0 };
	struct arena *a = arena_new();
	size_t n;
	write_models(&c);
	const char *p = slurp(a, c.path, &n);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char *q = arena_strndup(a, p, n);
		struct linear_head *h = (void *)q;
		memcpy(q + sizeof(*h) + tables[i].at, &tables[i].value, sizeof(uint32_t));
		h->sum = linear_sum(q, n);
		damage(&c, 0, q, n);
		expect_refused(&c, "damaged");
	}
	test_rmdir(c.dir);
	arena_free(a);
}
