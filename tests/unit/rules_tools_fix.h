/*
 * A small made-up rules file, the service over it, and vectors made by the test.
 */
#ifndef TESTS_UNIT_RULES_TOOLS_FIX_H
#define TESTS_UNIT_RULES_TOOLS_FIX_H

#include "base/str.h"
#include "rules/compare.h"
#include "rules/rules.h"
#include "rules/vector_file.h"
#include "services/llm.h"
#include "tests/unit/test.h"

/* Four questions that pilots see, of four countries, and one that has no use for them. */
#define RULES_SMALL                                                                        \
	"{\"questions\":["                                                                 \
	"{\"question_id\":\"Night flight\",\"question_text\":\"May gliders fly by night?\","   \
	"\"question_raw\":\"May gliders fly by night?\",\"question_prefix\":\"\","             \
	"\"category\":\"VFR\",\"tags\":[\"Night VFR\",\"flight plan\"],"                       \
	"\"answers_by_country\":{"                                                         \
	"\"FR\":{\"answer_html\":\"Yes, with a lamp.<br>Ask <b>first</b>.\","                  \
	"\"links\":[\"https://fr.example/night\"],\"last_reviewed\":\"2025-01-02\","           \
	"\"confidence\":0.5},"                                                             \
	"\"gb\":{\"answer_html\":\"No\",\"links\":[],\"last_reviewed\":null},"                   \
	"\"DE\":{\"answer_html\":\"Yes, with a lamp.\",\"links_json\":\"https://de.example\"},"   \
	"\"no\":{\"answer_html\":\"only in summer\"}}},"                                   \
	"{\"question_id\":\"Balloons-Tether\",\"question_text\":\"Must a balloon be tethered?\","  \
	"\"question_raw\":\"Tether\",\"question_prefix\":\"Balloons\","                          \
	"\"category\":\"Airspace\",\"tags\":[\"tether\"],\"answers_by_country\":{"               \
	"\"FR\":{\"answer_html\":\"Within 50 m of houses\"},"                                  \
	"\"GB\":{\"answer_html\":\" \"},\"DE\":{\"answer_html\":\"Within 90 m of houses\"}}},"       \
	"{\"question_id\":\"Kites\",\"question_text\":\"How high may a kite fly?\","             \
	"\"category\":\"Airspace\",\"tags\":[\"tether\",\"flight plan\"],"                       \
	"\"answers_by_country\":{\"FR\":{\"answer_html\":\"100 m\"},"                            \
	"\"GB\":{\"answer_html\":\"100 m\"}}},"                                                \
	"{\"question_id\":\"Frisbees\",\"question_text\":\"Do frisbees need a radio?\","         \
	"\"tags\":[],\"answers_by_country\":{"                                               \
	"\"GB\":{\"answer_html\":\"<script>alert(1)</script>Only if a < b, "                   \
	"<a href='javascript:x'>see</a> <a href=\\\"https://gb.example/f\\\">AIP</a>\","         \
	"\"links\":[\"javascript:x\",\"https://gb.example/f\"]}}},"                             \
	"{\"question_id\":\"Hidden\",\"question_text\":\"Not for pilots?\","                     \
	"\"category\":\"Ignore\",\"tags\":[\"secret\"],\"answers_by_country\":{"                 \
	"\"FR\":{\"answer_html\":\"hidden\"},\"PT\":{\"answer_html\":\"hidden\"}}}"                \
	"]}"

static inline void test_write(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	cr_assert_not_null(out, "%s", path);
	cr_assert_geq(fputs(text, out), 0);
	cr_assert_eq(fclose(out), 0);
}

struct rulesfix {
	char *dir;
	struct rules_options options;
	struct rules *rules;
	struct arena *mem;
	const struct rules_snapshot *set;
};

/* An index of the file's texts, made with the model's vectors. */
static inline void rulesfix_index(const char *rules, const char *vectors, struct llm *llm)
{
	struct index_options o = { .path = vectors, .model = "made-up" };
	struct index_stats stats;
	struct rulebase *b;
	struct err e;

	TEST_OK(rulebase_load(&b, rules, &e), e);
	TEST_OK(rules_index(&o, b, llm, NULL, NULL, NULL, &stats, &e), e);
	rulebase_free(b);
}

/* path NULL: RULES_SMALL. llm: the embedding model; NULL: no vectors. The settings of comparison
 * and retrieval are the shipped ones. */
static inline void rulesfix_open(struct rulesfix *f, const char *path, struct llm *llm)
{
	struct rules_config c = { .options = &f->options, .llm = llm };
	struct err e;

	*f = (struct rulesfix){ .dir = test_mkdtemp(), .mem = arena_new() };
	f->options = (struct rules_options){
		.embedding_model = "made-up", .top_k = 10, .multiplier = 2,
		.threshold = 0.25, .rerank_provider = "none",
		.compare = true, .compare_max = 15, .compare_send_all = 10,
		.compare_min_difference = 0.1,
	};
	c.path = path != NULL ? arena_strdup(f->mem, path)
	    : arena_printf(f->mem, "%s/rules.json", f->dir);
	if (path == NULL)
		test_write(c.path, RULES_SMALL);
	if (llm != NULL) {
		c.vectors = arena_printf(f->mem, "%s/vectors.db", f->dir);
		rulesfix_index(c.path, c.vectors, llm);
	}
	TEST_OK(rules_open(&f->rules, &c, &e), e);
	f->set = rules_use(f->rules, f->mem);
	cr_assert_not_null(f->set, "%s", c.path);
	cr_assert_eq(f->set->vectors != NULL, llm != NULL);
}

static inline void rulesfix_close(struct rulesfix *f)
{
	arena_free(f->mem);
	rules_close(f->rules);
	test_rmdir(f->dir);
}

/* Unit vectors made from a hash of the answer's text: equal texts have equal vectors. */
struct madeup_vectors {
	struct vector_store base;
	size_t dims;
	const char *unknown;          /* country without vectors; NULL: all have them */
	enum errcode fails;           /* the result of answers() */
	bool hangs;                   /* wait until the watch ends it */
	size_t calls;
};

static inline enum errcode madeup_answers(struct vector_store *v, struct arena *a,
    const struct rule_entry *const *entries, size_t n, const struct watch *w,
    const float **out, size_t *dims, struct err *e)
{
	struct madeup_vectors *m = (struct madeup_vectors *)v;

	m->calls++;
	*dims = m->dims;
	if (m->hangs)
		return err_set(e, watch_sleep(w, 60000), "given up");
	if (m->fails != OK)
		return err_set(e, m->fails, "made to fail");
	for (size_t i = 0; i < n; i++) {
		uint64_t seed = str_hash(entries[i]->html);
		float *vector = arena_array(a, m->dims, sizeof(*vector));

		for (size_t d = 0; d < m->dims; d++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			vector[d] = (float)((double)(seed >> 40) / (1 << 24) - 0.4);
		}
		vector_unit(vector, m->dims);
		out[i] = m->unknown != NULL && streq(entries[i]->country, m->unknown) ? NULL : vector;
	}
	return OK;
}

static const struct vector_store_ops madeup_ops = { .answers = madeup_answers };

static inline struct madeup_vectors madeup_vectors(size_t dims)
{
	return (struct madeup_vectors){ .base = { &madeup_ops, "made up" }, .dims = dims };
}

#endif
