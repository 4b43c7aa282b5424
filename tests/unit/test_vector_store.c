/* Arithmetic of vectors, the scan, and reading our own file. */
#include <math.h>
#include <pthread.h>

#include "drivers/db.h"
#include "tests/unit/index_fix.h"

/* ---- arithmetic ------------------------------------------------------------------------------------ */

static const size_t sizes[] = { 1, 2, 15, 16, 17, 33, 256, 1536, 3072, VECTOR_FILE_DIMS };

TEST(vectors, dot_and_unit)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = sizes[i];
		float *v = arena_array(a, n, sizeof(*v)), *w = arena_array(a, n, sizeof(*w));
		fix_vector(v, n, "one", 1);
		fix_vector(w, n, "other", 2);
		vector_unit(v, n);
		vector_unit(w, n);
		long double exact = 0, length = 0;
		for (size_t k = 0; k < n; k++) {
			exact += (long double)v[k] * w[k];
			length += (long double)v[k] * v[k];
		}
		cr_expect_float_eq(vector_dot(v, w, n), (double)exact, 1e-6, "%zu", n);
		cr_expect_float_eq((double)length, 1.0, 1e-6, "%zu", n);
	}
	float zero[20] = { 0 };
	vector_unit(zero, 20);
	cr_expect(vector_dot(zero, zero, 20) == 0);
	cr_expect(vector_dot(zero, zero, 0) == 0);
	arena_free(a);
}

/* A provider may send numbers that no float holds: what points nowhere resembles nothing, and leaves
 * the others in their order. */
TEST(vectors, what_is_no_direction)
{
	static const float bad[][2] = { { INFINITY, 1 }, { NAN, 1 }, { 1, NAN }, { -INFINITY, INFINITY },
		{ 3e38F, 3e38F } };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		float v[2] = { bad[i][0], bad[i][1] }, x[2] = { 1, 0 };
		vector_unit(v, 2);
		cr_expect(isfinite(v[0]) && isfinite(v[1]), "%zu", i);
		cr_expect(isfinite(vector_dot(v, x, 2)), "%zu", i);
		cr_expect(isfinite(vector_dot(bad[i], x, 2)), "%zu", i);
	}
}

static struct { const char *text, *hex; } hashes[] = {
	{ "", "6c62272e07bb014262b821756295c58d" },
	{ "a", "d228cb696f1a8caf78912b704e4a8964" },
	{ "foobar", "343e1662793c64bf6f0d3597ba446f18" },
};

TEST(vectors, text_hash)
{
	for (size_t i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++) {
		struct text_hash h = text_hash_of(hashes[i].text);
		char hex[33];
		for (size_t k = 0; k < 16; k++)
			snprintf(hex + 2 * k, 3, "%02x", h.b[k]);
		cr_expect_str_eq(hex, hashes[i].hex, "%s", hashes[i].text);
	}
}

TEST(vectors, encoding)
{
	const float v[] = { 0.6f, -0.8f, 0 }, w[] = { 1, NAN, 0 }, x[] = { 2, 0, 0 };
	static const unsigned char bytes[] = { 0x9a, 0x99, 0x19, 0x3f, 0xcd, 0xcc, 0x4c, 0xbf, 0, 0, 0, 0 };
	unsigned char blob[12];
	float out[3];
	vector_encode(blob, v, 3);
	cr_expect_arr_eq(blob, bytes, 12);
	cr_expect(vector_decode(out, blob, 12, 3) && memcmp(out, v, 12) == 0);
	cr_expect(!vector_decode(out, blob, 8, 3) && !vector_decode(out, NULL, 0, 3));
	vector_encode(blob, w, 3);
	cr_expect(!vector_decode(out, blob, 12, 3), "not a number");
	vector_encode(blob, x, 3);
	cr_expect(!vector_decode(out, blob, 12, 3), "not of length 1");
}

/* ---- which texts ----------------------------------------------------------------------------------- */

TEST(vectors, texts_each_once)
{
	struct arena *a = arena_new();
	struct rulebase *b = fix_base(a, (struct fix_rules){ 6, 4, 0 });
	struct rule_question *q = (struct rule_question *)(uintptr_t)b->questions;
	struct rule_texts t;
	struct err e = { 0 };
	q[1].text = q[0].text;                /* two questions of one text */
	q[3].text = " \n";                    /* none: its answers count */
	q[4].nentries = 0;                    /* nobody answers it */
	TEST_OK(rule_texts_of(&t, a, b, &e), e);
	/* questions 0, 2, 5; answers 4 of 0, 1 and 3 each, one of 2 and 5 each */
	cr_expect_eq(t.n, 3 + 12 + 2, "%zu", t.n);
	cr_expect_eq(t.questions, 4 * 4);
	cr_expect_eq(t.answers, 5 * 4);
	cr_expect_str_eq(t.text[0].text, q[0].text);
	cr_expect_eq(t.of_question[0], 1);
	cr_expect_eq(t.of_question[1], 1);
	cr_expect_eq(t.of_question[3], 0);
	cr_expect_eq(t.of_question[4], 0);
	cr_expect_eq(t.of_answer[5][0], t.of_answer[5][3]);
	for (size_t i = 0; i < t.n; i++)
		cr_expect_eq(rule_texts_find(&t, t.text[i].hash.b), i);
	cr_expect_eq(rule_texts_find(&t, text_hash_of("no such text").b), t.n);
	arena_free(a);
}

TEST(vectors, too_many_texts)
{
	struct arena *a = arena_new();
	struct rule_texts t;
	struct err e = { 0 };
	TEST_OK(rule_texts_of(&t, a, fix_base(a, (struct fix_rules){ VECTOR_FILE_TEXTS / 100, 146, 0 }), &e), e);
	cr_expect_eq(rule_texts_of(&t, a, fix_base(a, (struct fix_rules){ VECTOR_FILE_TEXTS / 100, 152, 0 }), &e),
	    ERR_DATA);
	cr_expect_not_null(strstr(e.msg, "20000"), "%s", e.msg);
	arena_free(a);
}

/* ---- the scan -------------------------------------------------------------------------------------- */

static const float three[][2] = { { 1, 0 }, { 0.6f, 0.8f }, { -1, 0 }, { 0.6f, 0.8f } };

/* Who is found, best first, as digits: the question's index. */
static const struct { const char *countries[3]; float x, y; size_t max; const char *found; } scans[] = {
	{ { NULL }, 1, 0, 9, "0132" }, { { NULL }, 5, 0, 2, "01" }, { { NULL }, 0, 9, 9, "1302" },
	{ { "AA" }, 1, 0, 9, "0132" }, { { "ab" }, 1, 0, 9, "13" }, { { "AB", "ZZ" }, 1, 0, 9, "13" },
	{ { "ZZ" }, 1, 0, 9, "" }, { { NULL }, 1, 0, 0, "" }, { { NULL }, 0, 0, 9, "0123" },
};

TEST(vectors, scan)
{
	struct arena *a = arena_new();
	struct rulebase *b = fix_base(a, (struct fix_rules){ 6, 2, 0 });
	struct rule_question *q = (struct rule_question *)(uintptr_t)b->questions;
	const float *v[6] = { three[0], three[1], three[2], three[3], NULL, three[0] };
	q[0].nentries = q[2].nentries = 1;    /* AB has nothing to say */
	q[5].nentries = 0;
	for (size_t i = 0; i < sizeof(scans) / sizeof(scans[0]); i++) {
		const float query[] = { scans[i].x, scans[i].y };
		struct rule_hit hits[9];
		char found[10] = "";
		size_t nc = 0;
		while (scans[i].countries[nc] != NULL)
			nc++;
		size_t n = vector_store_scan(a, b, v, query, 2, scans[i].countries, nc, hits, scans[i].max);
		for (size_t k = 0; k < n; k++) {
			found[k] = (char)('0' + hits[k].question->index);
			cr_expect(hits[k].similarity >= 0 && hits[k].similarity <= 1, "%zu", i);
			cr_expect(k == 0 || hits[k].similarity <= hits[k - 1].similarity, "%zu", i);
		}
		cr_expect_str_eq(found, scans[i].found, "%zu", i);
	}
	struct rule_hit hit;
	vector_store_scan(a, b, v, (const float[]){ 2, 0 }, 2, (const char *const[]){ "AB" }, 1, &hit, 1);
	cr_expect_float_eq(hit.similarity, 0.6, 1e-6);
	arena_free(a);
}

/* ---- the file, read -------------------------------------------------------------------------------- */

struct bench {
	struct arena *a;
	char *dir;
	struct rulebase *b;
	struct index_options o;
	struct index_stats stats;
	struct vector_store *v;
	struct err e;
};

static void bench_open(struct bench *x, struct fix_rules r, struct fix_provider p)
{
	*x = (struct bench){ .a = arena_new(), .dir = test_mkdtemp() };
	x->b = fix_base(x->a, r);
	x->o = (struct index_options){ arena_printf(x->a, "%s/v.db", x->dir), "model-a", false };
	TEST_OK(fix_index(p, &x->o, x->b, NULL, &x->stats, &x->e), x->e);
	TEST_OK(vector_store_open_file(&x->v, x->o.path, "model-a", x->b, &x->e), x->e);
}

static void bench_close(struct bench *x)
{
	vector_store_close(x->v);
	arena_free(x->a);
	test_rmdir(x->dir);
}

static const struct rule_entry **all_entries(struct bench *x, size_t *n)
{
	const struct rule_entry **list = arena_array(x->a, x->b->nquestions * 20, sizeof(*list));
	*n = 0;
	for (size_t i = 0; i < x->b->nquestions; i++)
		for (size_t k = 0; k < x->b->questions[i].nentries; k++)
			list[(*n)++] = &x->b->questions[i].entries[k];
	return list;
}

TEST(vectors, answers_are_those_of_their_texts)
{
	struct bench x;
	size_t n, dims;
	bench_open(&x, (struct fix_rules){ 30, 19, 0 }, (struct fix_provider){ .dims = 40 });
	cr_expect_str_eq(x.v->about, "model-a, 30 questions");
	const struct rule_entry **entries = all_entries(&x, &n);
	const float **out = arena_array(x.a, n + 2, sizeof(*out));
	TEST_OK(x.v->ops->answers(x.v, x.a, entries, n, NULL, out, &dims, &x.e), x.e);
	cr_expect_eq(dims, 40);
	for (size_t i = 0; i < n; i++) {
		float expected[40];
		fix_vector(expected, 40, entries[i]->html, str_hash("model-a"));
		vector_unit(expected, 40);
		cr_assert_not_null(out[i]);
		cr_expect_arr_eq(out[i], expected, sizeof(expected), "%s", entries[i]->html);
	}
	cr_expect_eq(out[2 * 19], out[2 * 19 + 18], "countries that say the same share a vector");
	/* any order, any of them twice, none at all */
	const struct rule_entry *two[] = { entries[100], entries[3], entries[100] };
	TEST_OK(x.v->ops->answers(x.v, x.a, two, 3, NULL, out, &dims, &x.e), x.e);
	cr_expect(out[0] == out[2] && out[0] != out[1] && out[1] != NULL);
	TEST_OK(x.v->ops->answers(x.v, x.a, two, 0, NULL, out, &dims, &x.e), x.e);
	bench_close(&x);
}

TEST(vectors, search_finds_the_question_itself)
{
	struct bench x;
	bench_open(&x, (struct fix_rules){ 30, 3, 0 }, (struct fix_provider){ .dims = 64 });
	for (size_t i = 0; i < 30; i++) {
		float query[64];
		struct rule_hit hits[3];
		size_t n;
		fix_vector(query, 64, x.b->questions[i].text, str_hash("model-a"));
		TEST_OK(x.v->ops->search(x.v, x.a, &(struct vector_query){ "", query, 64 }, NULL, 0, NULL, hits, 3, &n, &x.e), x.e);
		cr_expect_eq(n, 3);
		cr_expect_eq(hits[0].question->index, i);
		cr_expect_float_eq(hits[0].similarity, 1, 1e-6);
		cr_expect_lt(hits[1].similarity, 0.7);
	}
	bench_close(&x);
}

TEST(vectors, query_of_another_model)
{
	struct bench x;
	float query[17] = { 1 };
	struct rule_hit hit;
	size_t n = 9;
	bench_open(&x, (struct fix_rules){ 3, 3, 0 }, (struct fix_provider){ .dims = 16 });
	cr_expect_eq(x.v->ops->search(x.v, x.a, &(struct vector_query){ "", query, 17 }, NULL, 0, NULL, &hit, 1, &n, &x.e), ERR_DATA);
	cr_expect_eq(n, 0);
	cr_expect_not_null(strstr(x.e.msg, "model-a gives 17 now: run aviation-agent index rules --rebuild"),
	    "%s", x.e.msg);
	bench_close(&x);
}

/* It is a failure like another, which a turn survives, and not the end of the turn's time. */
TEST(vectors, a_lock_held_too_long_is_no_timeout, .timeout = 60)
{
	struct bench x;
	struct db *db;
	const float *out;
	size_t dims;
	bench_open(&x, (struct fix_rules){ 3, 3, 0 }, (struct fix_provider){ .dims = 16 });
	const struct rule_entry *entry = &x.b->questions[0].entries[0];
	TEST_OK(db_open(&db, x.o.path, DB_WRITE, &x.e), x.e);
	TEST_OK(db_exec(db, "BEGIN EXCLUSIVE", &x.e), x.e);
	cr_expect_eq(x.v->ops->answers(x.v, x.a, &entry, 1, NULL, &out, &dims, &x.e), ERR_IO);
	cr_expect_null(out);
	TEST_OK(db_exec(db, "COMMIT", &x.e), x.e);
	db_close(db);
	TEST_OK(x.v->ops->answers(x.v, x.a, &entry, 1, NULL, &out, &dims, &x.e), x.e);
	cr_expect_not_null(out);
	bench_close(&x);
}

static const char *const damages[] = {
	"UPDATE vectors SET vector = substr(vector, 1, 60)",
	"UPDATE vectors SET vector = zeroblob(64)",
	"UPDATE vectors SET vector = NULL WHERE 0; UPDATE vectors SET vector = 'text'",
	"UPDATE builds SET dims = 0", "UPDATE builds SET dims = 100000000", "UPDATE builds SET dims = 'x'",
};

TEST(vectors, damaged_file)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct bench x;
		struct db *db;
		struct vector_store *again = NULL;
		const float *out;
		size_t dims;
		bench_open(&x, (struct fix_rules){ 3, 3, 0 }, (struct fix_provider){ 0 });
		TEST_OK(db_open(&db, x.o.path, DB_WRITE, &x.e), x.e);
		TEST_OK(db_exec(db, damages[i], &x.e), x.e);
		db_close(db);
		const struct rule_entry *one[] = { &x.b->questions[0].entries[0] };
		if (i < 3)
			cr_expect_eq(x.v->ops->answers(x.v, x.a, one, 1, NULL, &out, &dims, &x.e), ERR_DATA, "%zu", i);
		cr_expect_eq(vector_store_open_file(&again, x.o.path, "model-a", x.b, &x.e), ERR_DATA, "%zu", i);
		cr_expect_not_null(strstr(x.e.msg, "run aviation-agent index rules --rebuild"), "%s", x.e.msg);
		x.o.rebuild = true;
		TEST_OK(fix_index((struct fix_provider){ 0 }, &x.o, x.b, NULL, &x.stats, &x.e), x.e);
		TEST_OK(vector_store_open_file(&again, x.o.path, "model-a", x.b, &x.e), x.e);
		vector_store_close(again);
		bench_close(&x);
	}
}

/* Bytes that a disk has changed: an error or vectors of length 1, never anything else. */
TEST(vectors, changed_bytes)
{
	struct bench x;
	size_t n, dims, refused = 0;
	uint64_t seed = 1;
	bench_open(&x, (struct fix_rules){ 10, 5, 0 }, (struct fix_provider){ .dims = 64 });
	const struct rule_entry **entries = all_entries(&x, &n);
	const float **out = arena_array(x.a, n, sizeof(*out));
	FILE *f = fopen(x.o.path, "r+");
	struct stat st;
	cr_assert(f != NULL && stat(x.o.path, &st) == 0);
	char *good = arena_alloc(x.a, (size_t)st.st_size);
	cr_assert_eq(fread(good, 1, (size_t)st.st_size, f), (size_t)st.st_size);
	for (int i = 0; i < 300; i++) {
		struct vector_store *v;
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		long at = (long)((seed >> 20) % (uint64_t)(i % 2 ? 200 : st.st_size));
		cr_assert_eq(fseek(f, at, SEEK_SET), 0);
		fputc((int)(seed >> 56), f);
		fflush(f);
		enum errcode rc = vector_store_open_file(&v, x.o.path, "model-a", x.b, &x.e);
		refused += rc != OK;
		if (rc == OK && v->ops->answers(v, x.a, entries, n, NULL, out, &dims, &x.e) == OK)
			for (size_t k = 0; k < n; k++)
				cr_expect(out[k] == NULL || fabs(vector_dot(out[k], out[k], dims) - 1) < 2e-3);
		if (rc == OK)
			vector_store_close(v);
		if (i % 10 == 9) {
			cr_assert_eq(fseek(f, 0, SEEK_SET), 0);
			cr_assert_eq(fwrite(good, 1, (size_t)st.st_size, f), (size_t)st.st_size);
			fflush(f);
		}
	}
	cr_expect(refused > 30 && refused < 300, "%zu", refused);
	fclose(f);
	bench_close(&x);
}

TEST(vectors, hash_of_wrong_length_is_nobodys)
{
	struct bench x;
	struct db *db;
	struct vector_store *again;
	bench_open(&x, (struct fix_rules){ 3, 3, 0 }, (struct fix_provider){ 0 });
	TEST_OK(db_open(&db, x.o.path, DB_WRITE, &x.e), x.e);
	TEST_OK(db_exec(db, "INSERT INTO vectors (model, hash, vector) VALUES ('model-a', x'00', x'00'), "
	    "('model-a', '', 1)", &x.e), x.e);
	db_close(db);
	TEST_OK(vector_store_open_file(&again, x.o.path, "model-a", x.b, &x.e), x.e);
	vector_store_close(again);
	TEST_OK(fix_index((struct fix_provider){ 0 }, &x.o, x.b, NULL, &x.stats, &x.e), x.e);
	cr_expect_eq(x.stats.dropped, 2);
	bench_close(&x);
}

/* The index is made anew, and the file replaced, under a reader. */
TEST(vectors, file_changes_under_a_reader)
{
	struct bench x;
	size_t n, dims;
	bench_open(&x, (struct fix_rules){ 10, 5, 0 }, (struct fix_provider){ 0 });
	const struct rule_entry **entries = all_entries(&x, &n);
	const float **out = arena_array(x.a, n, sizeof(*out));
	struct index_options other = { x.o.path, "model-b", false };
	TEST_OK(fix_index((struct fix_provider){ .dims = 8 }, &other, x.b, NULL, &x.stats, &x.e), x.e);
	TEST_OK(x.v->ops->answers(x.v, x.a, entries, n, NULL, out, &dims, &x.e), x.e);
	for (size_t i = 0; i < n; i++)
		cr_expect_null(out[i], "vectors of another model are not taken for ours");
	cr_expect_eq(unlink(x.o.path), 0);
	TEST_OK(x.v->ops->answers(x.v, x.a, entries, n, NULL, out, &dims, &x.e), x.e);
	bench_close(&x);
}

struct reader {
	struct bench *x;
	const struct rule_entry **entries;
	size_t n, wrong;
};

static void *read_often(void *arg)
{
	struct reader *r = arg;
	for (int i = 0; i < 20; i++) {
		struct arena *a = arena_new();
		const float **out = arena_array(a, r->n, sizeof(*out));
		size_t dims;
		enum errcode rc = r->x->v->ops->answers(r->x->v, a, r->entries, r->n, NULL, out, &dims, NULL);
		for (size_t k = 0; k < r->n; k++)
			r->wrong += rc != OK || out[k] == NULL;
		arena_free(a);
	}
	return NULL;
}

TEST(vectors, many_readers_at_once)
{
	struct bench x;
	pthread_t threads[4];
	struct reader r[4];
	size_t n;
	bench_open(&x, (struct fix_rules){ 10, 5, 0 }, (struct fix_provider){ 0 });
	const struct rule_entry **entries = all_entries(&x, &n);
	for (size_t i = 0; i < 4; i++) {
		r[i] = (struct reader){ &x, entries, n, 0 };
		cr_assert_eq(pthread_create(&threads[i], NULL, read_often, &r[i]), 0);
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		cr_expect_eq(r[i].wrong, 0);
	}
	bench_close(&x);
}
