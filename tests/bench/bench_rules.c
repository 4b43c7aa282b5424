/*
 * How long retrieval by words and built-in vectors and the comparison of countries take, one after another.
 *
 *   bench_rules RULES [ROUNDS]
 *
 * Prints a line a case: name, rules found, p50 and p99 in microseconds, separated by tabs. The
 * first two lines are the time to build the indexes of the search by words, and to make the vectors,
 * which happens once a start or reload.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/config.h"
#include "airports/facts.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"
#include "language/encoder.h"
#include "language/languages.h"
#include "rules/compare.h"
#include "rules/general_rules.h"
#include "rules/retrieve.h"
#include "rules/answer_words.h"
#include "rules/terms.h"

enum { ROUNDS_OPEN = 20 };

/* How a pilot may ask; country NULL: any. */
static const struct {
	const char *name, *country, *question;
} asked[] = {
	{ "flight plan, FR", "FR", "Do I need a flight plan for a VFR flight?" },
	{ "class D, GB", "GB", "transponder and clearance for a class Delta control zone" },
	{ "four lines, DE", "DE", "I am coming home from a long trip with friends and the weather is "
	    "not what I was promised. The field is VFR only, without any approach, and nobody is on "
	    "the radio any more. Can I descend over the sea, cancel IFR and go on below the clouds, and "
	    "who closes my flight plan once I am on the ground?" },
	{ "any country", NULL, "Which squawk do I set in uncontrolled airspace?" },
	{ "nothing fits, FR", "FR", "How many hours of fuel must be left after landing at night?" },
};

struct times {
	int64_t *us;
	size_t n;
};

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void print(const char *name, size_t found, struct times *t)
{
	qsort(t->us, t->n, sizeof(*t->us), by_value);
	printf("%s\t%zu\t%lld\t%lld\n", name, found, (long long)t->us[t->n / 2],
	    (long long)t->us[t->n - 1 - t->n / 100]);
	t->n = 0;
}

static enum errcode bench_open(const struct rulebase *base, struct times *t, struct err *e)
{
	enum errcode rc = OK;
	for (size_t i = 0; rc == OK && i < ROUNDS_OPEN; i++) {
		struct lexical *l;
		int64_t start = clock_mono_us();
		rc = lexical_open(&l, base, e);
		t->us[t->n++] = clock_mono_us() - start;
		lexical_close(l);
	}
	if (rc == OK)
		print("index of words", base->nquestions, t);
	return rc;
}

static enum errcode bench_vectors(const struct encoder *encoder, const struct rulebase *base, struct times *t, struct err *e)
{
	static const atomic_bool stop;
	enum errcode rc = OK;
	for (size_t i = 0; rc == OK && i < ROUNDS_OPEN; i++) {
		struct vector_store *v = NULL;
		int64_t start = clock_mono_us();
		rc = vector_store_open_builtin(&v, encoder, base, &stop, e);
		t->us[t->n++] = clock_mono_us() - start;
		vector_store_close(v);
	}
	if (rc == OK)
		print("built-in vectors", base->nanswers, t);
	return rc;
}

/* By words and meaning. */
static enum errcode bench_search(struct rules *r, const struct rules_snapshot *set, size_t rounds, struct times *t,
    struct err *e)
{
	for (size_t c = 0; c < sizeof(asked) / sizeof(asked[0]); c++) {
		const struct rules_query q = { .question = asked[c].question, .countries = &asked[c].country,
			.ncountries = asked[c].country != NULL };
		struct rules_found found = { 0 };
		for (size_t i = 0; i < rounds; i++) {
			struct arena *a = arena_new();
			int64_t start = clock_mono_us();
			enum errcode rc = rules_retrieve(r, set, a, &q, &found, e);
			t->us[t->n++] = clock_mono_us() - start;
			arena_free(a);
			if (rc != OK)
				return rc;
		}
		print(asked[c].name, found.n, t);
	}
	return OK;
}

static enum errcode bench_compare(struct rules *r, const struct rules_snapshot *set, size_t rounds,
    struct times *t, struct err *e)
{
	const char **codes = calloc(set->base->ncountries + 1, sizeof(*codes));
	struct rules_comparing c = { .countries = codes, .ncountries = set->base->ncountries };
	struct rules_compared out = { 0 };
	char name[64];
	enum errcode rc = OK;
	if (codes == NULL)
		return err_set(e, ERR_INTERNAL, "out of memory");
	for (size_t i = 0; i < set->base->ncountries; i++)
		codes[i] = set->base->countries[i].code;
	for (size_t i = 0; rc == OK && i < rounds; i++) {
		struct arena *a = arena_new();
		int64_t start = clock_mono_us();
		rc = rules_compare(r, set, a, &c, &out, e);
		t->us[t->n++] = clock_mono_us() - start;
		arena_free(a);
	}
	free(codes);
	snprintf(name, sizeof(name), "comparison of %zu countries", set->base->ncountries);
	if (rc == OK)
		print(name, out.total, t);
	return rc;
}

static enum errcode run(const char *path, size_t rounds, struct times *t, struct err *e)
{
	struct arena *a = arena_new();
	struct conf conf;
	struct aviation_config site;
	struct rules *r = NULL;
	struct encoder *encoder = NULL;
	struct rules_config config = { .path = path, .options = &site.rules };
	const struct rules_snapshot *set = NULL;
	enum errcode rc = conf_load(&conf, a, e);

	if (rc == OK)
		rc = behavior_read(&site, &aviation_slice, &conf, a, e);
	if (rc == OK)
		rc = facts_open(conf.data_dir, e);
	if (rc == OK)
		rc = languages_open(conf.data_dir, e);
	if (rc == OK)
		rc = terms_open(conf.data_dir, e);
	if (rc == OK)
		rc = general_rules_open(conf.data_dir, e);
	if (rc == OK)
		rc = answer_words_open(conf.data_dir, e);
	if (rc == OK)
		rc = encoder_open(&encoder, arena_printf(a, "%s/conf/language/encoder.model", conf.data_dir), e);
	config.encoder = encoder;
	if (rc == OK && (rc = rules_open(&r, &config, e)) == OK)
		rules_refresh(r);
	if (rc == OK && (set = rules_use(r, a)) == NULL)
		rc = err_set(e, ERR_DATA, "%s", rules_status(r, a).rules);
	if (rc == OK)
		rc = bench_open(set->base, t, e);
	if (rc == OK)
		rc = bench_vectors(encoder, set->base, t, e);
	if (rc == OK)
		rc = bench_search(r, set, rounds, t, e);
	if (rc == OK)
		rc = bench_compare(r, set, rounds, t, e);
	arena_free(a);
	rules_close(r);
	encoder_close(encoder);
	return rc;
}

int main(int argc, char **argv)
{
	long long rounds = 500;
	struct times t = { 0 };
	struct err e = { 0 };

	if (argc < 2 || argc > 3
	    || (argc == 3 && (!str_to_int(argv[2], &rounds) || rounds < 1 || rounds > 1000000))) {
		fprintf(stderr, "Usage: bench_rules RULES [ROUNDS]\n");
		return 2;
	}
	log_level_set("ERROR");
	t.us = calloc((size_t)rounds + ROUNDS_OPEN, sizeof(*t.us));
	enum errcode rc = t.us != NULL ? run(argv[1], (size_t)rounds, &t, &e)
	    : err_set(&e, ERR_INTERNAL, "out of memory");
	free(t.us);
	if (rc != OK)
		fprintf(stderr, "bench_rules: %s\n", e.msg);
	return rc != OK;
}
