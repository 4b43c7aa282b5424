/*
 * Vectors of a Chroma server for a rule base: what is asked for, and what is made of records that
 * are there more than once, without an answer, or of another file.
 */
#include "rules/vector_store.h"
#include "tests/unit/scripted_chroma.h"

#include <math.h>

#define ANSWER(cc, text) "\"" cc "\":{\"answer_html\":\"" text "\"}"
#define QUESTION(id, answers) "{\"question_id\":\"" id "\",\"question_text\":\"" id "\"," \
	"\"category\":\"Made up\",\"answers_by_country\":{" answers "}}"

static const char rules_file[] = "{\"questions\":["
    QUESTION("far and wide", ANSWER("FR", "a") "," ANSWER("DE", "b"))
    "," QUESTION("nearest", ANSWER("FR", "a") "," ANSWER("DE", "  ") "," ANSWER("GB", "c"))
    "," QUESTION("near", ANSWER("FR", "a") "," ANSWER("DE", "b"))
    "," QUESTION("hidden", ANSWER("FR", "")) "]}";

#define Q "aviation_rules"
#define A "aviation_rules_answers"

/* A record for each country, answered or not, as the original writes them. */
static const struct chroma_record records[] = {
	{ Q, "nearest_FR", "nearest", "FR", { 1, 0, 0 } },
	{ Q, "nearest_DE", "nearest", "DE", { 1, 0, 0 } },
	{ Q, "nearest_GB", "nearest", "GB", { 1, 0, 0 } },
	{ Q, "hidden_FR", "hidden", "FR", { 0.99f, 0.1f, 0 } },
	{ Q, "of_another_file_FR", "of another file", "FR", { 0.9f, 0.3f, 0 } },
	{ Q, "near_FR", "near", "FR", { 0.8f, 0.6f, 0 } },
	{ Q, "near_DE", "near", "DE", { 0.8f, 0.6f, 0 } },
	{ Q, "far_and_wide_FR", "far and wide", "FR", { -0.6f, 0.8f, 0 } },
	{ Q, "far_and_wide_DE", "far and wide", "DE", { -0.6f, 0.8f, 0 } },
	{ A, "nearest_FR_answer", "nearest", "FR", { 0, 3, 4 } },
	{ A, "far_and_wide_DE_answer", "far and wide", "DE", { 1, 0, 0 } },
};

struct fix {
	struct chroma_fix server;
	struct rulebase *base;
	struct vector_store *v;
	struct rule_hit hits[8];
	size_t n;
	struct err e;
};

static void setup(struct fix *f, const struct chroma_record *r, size_t n)
{
	char *dir = test_mkdtemp(), path[600];
	snprintf(path, sizeof(path), "%s/rules.json", dir);
	FILE *file = fopen(path, "w");
	cr_assert_not_null(file);
	fputs(rules_file, file);
	fclose(file);
	*f = (struct fix){ .n = 0 };
	TEST_OK(rulebase_load(&f->base, path, &f->e), f->e);
	test_rmdir(dir);
	chroma.records = r;
	chroma.nrecords = n;
	chroma_setup(&f->server);
	TEST_OK(vector_store_open_chroma(&f->v, f->server.client, f->base, &f->e), f->e);
}

static void teardown(struct fix *f)
{
	vector_store_close(f->v);
	chroma_teardown(&f->server);
	rulebase_free(f->base);
}

static enum errcode search(struct fix *f, const char *countries, size_t max)
{
	static const float query[] = { 2, 0, 0 };      /* of any length */
	static char codes[4][4];
	const char *list[4];
	size_t n = 0;
	for (const char *p = countries; *p != '\0'; p += strcspn(p, " "), p += *p == ' ') {
		snprintf(codes[n], 4, "%.*s", (int)strcspn(p, " "), p);
		list[n] = codes[n];
		n++;
	}
	f->e = (struct err){ 0 };
	return f->v->ops->search(f->v, f->server.a, &(struct vector_query){ "", query, 3 }, list, n, NULL, f->hits, max, &f->n,
	    &f->e);
}

TEST(vectors_chroma, finds_each_question_once)
{
	static const struct { const char *countries; size_t max; const char *ids; } rows[] = {
		{ "FR", 8, "nearest near far and wide" },
		{ "FR", 2, "nearest near" },
		{ "fr", 1, "nearest" },
		{ "DE", 8, "near far and wide" },              /* DE's answer to "nearest" is blank */
		{ "DE", 1, "near" },
		{ "DE GB", 8, "nearest near far and wide" },   /* one of them answers it */
		{ "DE GB", 2, "nearest near" },
		{ "FR DE GB", 2, "nearest near" },
		{ "", 8, "nearest near far and wide" },
		{ "", 1, "nearest" },
		{ "XX", 8, "" },
	};
	struct fix f;
	setup(&f, records, sizeof(records) / sizeof(records[0]));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *ids = "";
		TEST_OK(search(&f, rows[i].countries, rows[i].max), f.e);
		for (size_t k = 0; k < f.n; k++)
			ids = arena_printf(f.server.a, "%s%s%s", ids, k > 0 ? " " : "",
			    f.hits[k].question->id);
		cr_expect_str_eq(ids, rows[i].ids, "%s %zu: %s", rows[i].countries, rows[i].max, ids);
	}
	TEST_OK(search(&f, "FR", 8), f.e);
	/* max(0, 1 - distance / 2) */
	cr_expect(fabs(f.hits[0].similarity - 1) < 1e-6 && fabs(f.hits[1].similarity - 0.8) < 1e-6 &&
	    f.hits[2].similarity == 0);
	teardown(&f);
}

TEST(vectors_chroma, refuses_what_does_not_fit)
{
	static const float query[] = { 1, 0, 0, 0 };
	static const char *const fr[] = { "FR" };
	static const struct chroma_record others[] = {
		{ Q, "x_FR", "x", "FR", { 1, 0, 0 } }, { Q, "y_FR", "y", "FR", { 0, 1, 0 } },
	};
	struct fix f;
	setup(&f, records, sizeof(records) / sizeof(records[0]));
	cr_expect_eq(f.v->ops->search(f.v, f.server.a, &(struct vector_query){ "", query, 4 }, fr, 1, NULL, f.hits, 8, &f.n, &f.e),
	    ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "rag.embedding_model"), "%s", f.e.msg);
	chroma.records = others;
	chroma.nrecords = 2;
	cr_expect_eq(search(&f, "FR", 8), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "RULES_JSON"), "%s", f.e.msg);
	chroma.nrecords = 0;
	atomic_fetch_add(&chroma.filled, 1);
	cr_expect_eq(search(&f, "FR", 8), ERR_NOTFOUND, "%s", f.e.msg);
	teardown(&f);
}

/* All answers of a comparison in one request. */
TEST(vectors_chroma, answers_in_one_request)
{
	const struct rule_entry *entries[3];
	const float *out[3];
	size_t dims;
	struct fix f;
	setup(&f, records, sizeof(records) / sizeof(records[0]));
	entries[0] = rule_answer(rulebase_question(f.base, "far and wide"), "DE");
	entries[1] = rule_answer(rulebase_question(f.base, "far and wide"), "FR");
	entries[2] = rule_answer(rulebase_question(f.base, "nearest"), "FR");
	TEST_OK(f.v->ops->answers(f.v, f.server.a, entries, 3, NULL, out, &dims, &f.e), f.e);
	cr_assert(dims == 3 && out[0] != NULL && out[2] != NULL);
	cr_expect_null(out[1]);
	cr_expect(out[0][0] == 1);
	cr_expect(fabsf(out[2][1] - 0.6f) < 1e-6f && fabsf(out[2][2] - 0.8f) < 1e-6f, "unit length");
	cr_expect_eq(atomic_load(&chroma.asked), 1);
	cr_expect_not_null(strstr(chroma.log[0], "{\"ids\":[\"far_and_wide_DE_answer\","
	    "\"far_and_wide_FR_answer\",\"nearest_FR_answer\"],\"include\":[\"embeddings\"]}"), "%s",
	    chroma.log[0]);
	teardown(&f);
}

TEST(vectors_chroma, says_what_it_is)
{
	struct fix f;
	setup(&f, records, 1);
	cr_expect(starts_with(f.v->about, "Chroma at 127.0.0.1:"), "%s", f.v->about);
	cr_expect_eq(atomic_load(&f.server.server->requests), 0, "nothing is asked at the start");
	teardown(&f);
}
