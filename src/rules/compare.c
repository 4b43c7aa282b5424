/*
 * Countries side by side: the questions to compare are chosen, the distance between the answers to
 * each is measured, and the most different are shown.
 *
 * All vectors are read at once. An answer whose vector is missing (the index is older than the
 * rules) must not count as one that agrees, so its question is measured by words.
 */
#include "rules/compare.h"

#include <stdlib.h>
#include <string.h>

#include "rules/retrieve.h"
#include "services/timebox.h"

/* One row a question, one column a country. */
struct compare_table {
	const struct rule_question *const *questions;
	size_t n, ncountries;
	const struct rule_entry **entries;    /* n * ncountries; NULL: no answer */
	const float **vectors;                /* the same; NULL: no vector */
	size_t dims;
	bool measured;                        /* there are vectors */
};

/* ---- the questions to compare ------------------------------------------- */

static int by_index(const void *pa, const void *pb)
{
	const struct rule_question *a = *(const struct rule_question *const *)pa;
	const struct rule_question *b = *(const struct rule_question *const *)pb;

	return a->index < b->index ? -1 : a->index > b->index;
}

/* Of the questions found, those with one of the tags. */
static void keep_tagged(struct arena *a, struct rules_found *found, struct rule_tags tags)
{
	struct rule_hit *kept = arena_array(a, found->n + 1, sizeof(*kept));
	size_t n = 0;

	for (size_t i = 0; i < found->n; i++)
		for (size_t k = 0; k < tags.n; k++)
			if (rule_has_tag(found->hits[i].question, tags.tag[k])) {
				kept[n++] = found->hits[i];
				break;
			}
	found->hits = kept;
	found->n = n;
}

/* The questions about `question`, best first; n 0: there are none, or it was not given. */
static enum errcode find(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_comparing *c, struct rules_found *found, struct err *e)
{
	struct rules_query q = {
		.question = c->question, .countries = c->countries, .ncountries = c->ncountries,
		.tags = c->tags.tag, .ntags = c->tags.n, .watch = c->watch, .until_ms = c->until_ms,
		.no_model = c->no_model, .usage = c->usage,
	};

	*found = (struct rules_found){ .n = 0 };
	enum errcode rc = c->question != NULL ? rules_retrieve(r, set, a, &q, found, e) : OK;
	if (rc == OK && c->tags.n > 0)
		keep_tagged(a, found, c->tags);
	return rc;
}

/* The questions with the tags, less those that do not mention what an answer to the question must mention. */
static const struct rule_question *const *tagged(const struct rules_snapshot *set, struct arena *a, const struct rules_comparing *c, size_t *n)
{
	size_t all;
	const struct rule_question *const *list = rules_by_tags(set->base, a, c->tags, &all);
	const struct rule_question **kept = arena_array(a, all + 1, sizeof(*kept));
	const uint64_t musts = c->question != NULL ? lexical_musts(a, c->question) : 0;

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (lexical_mentions(set->lexical, list[i], musts, c->countries, c->ncountries))
			kept[(*n)++] = list[i];
	return kept;
}

static const struct rule_question *const *choose(const struct rules_snapshot *set, struct arena *a,
    const struct rules_comparing *c, const struct rules_found *found, size_t *n)
{
	const struct rule_question **list;

	*n = found->n;
	if (found->n == 0)
		return c->question != NULL && c->tags.n == 0 ? NULL : tagged(set, a, c, n);
	list = arena_array(a, found->n, sizeof(*list));
	for (size_t i = 0; i < found->n; i++)
		list[i] = found->hits[i].question;
	qsort(list, found->n, sizeof(*list), by_index);
	return list;
}

static void table_fill(struct compare_table *t, struct arena *a, const struct rules_comparing *c)
{
	t->ncountries = c->ncountries;
	t->entries = arena_array(a, t->n * t->ncountries + 1, sizeof(*t->entries));
	t->vectors = arena_array(a, t->n * t->ncountries + 1, sizeof(*t->vectors));
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->ncountries; k++)
			t->entries[i * t->ncountries + k] =
			    rule_answer(t->questions[i], c->countries[k]);
}

static void find_incomplete(const struct compare_table *t, struct arena *a,
    struct rules_compared *out)
{
	const struct rule_question **list = arena_array(a, t->n + 1, sizeof(*list));

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->ncountries; k++)
			if (t->entries[i * t->ncountries + k] == NULL) {
				list[out->nincomplete++] = t->questions[i];
				break;
			}
	out->incomplete = list;
}

/* ---- measuring --------------------------------------------------------------- */

/* One read for all answers. If the source fails, or has none of them, the words are used. */
static enum errcode read_vectors(const struct rules_snapshot *set, struct arena *a,
    struct compare_table *t, const struct rules_comparing *c, struct err *e)
{
	size_t size = t->n * t->ncountries, n = 0, nvectors = 0;
	const struct rule_entry **entries = arena_array(a, size + 1, sizeof(*entries));
	const float **vectors = arena_array(a, size + 1, sizeof(*vectors));
	size_t *at = arena_array(a, size + 1, sizeof(*at));
	struct timebox step;
	enum errcode rc;
	bool done;

	t->measured = false;
	for (size_t i = 0; i < size; i++)
		if (t->entries[i] != NULL) {
			at[n] = i;
			entries[n++] = t->entries[i];
		}
	if (n == 0 || !timebox_begin(&step, TIMEBOX_ANSWERS, c->watch, c->until_ms, 0))
		return OK;
	rc = set->vectors->ops->answers(set->vectors, a, entries, n, &step.watch, vectors,
	    &t->dims, e);
	rc = timebox_end(&step, rc, &done, e);
	for (size_t i = 0; done && i < n; i++) {
		t->vectors[at[i]] = vectors[i];
		nvectors += vectors[i] != NULL;
	}
	t->measured = nvectors > 0;
	return rc;
}

/* Scratch of one row. */
struct compare_row {
	const float **vectors;
	const char **texts;
};

static double measure(const struct compare_table *t, struct arena *a, size_t question,
    struct compare_row *row)
{
	size_t first = question * t->ncountries, n = 0, nvectors = 0;

	for (size_t i = first; i < first + t->ncountries; i++) {
		if (t->entries[i] == NULL)
			continue;
		row->texts[n++] = t->entries[i]->text;
		if (t->vectors[i] != NULL)
			row->vectors[nvectors++] = t->vectors[i];
	}
	return answers_difference(a, row->texts, nvectors == n ? row->vectors : NULL, n, t->dims);
}

/* ---- what is shown ----------------------------------------------------------- */

static int most_different(const void *pa, const void *pb)
{
	const struct rule_difference *a = pa, *b = pb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->question->index < b->question->index ? -1
	    : a->question->index > b->question->index;
}

static double score_of(const struct rule_difference *list, size_t n,
    const struct rule_question *q)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].question == q)
			return list[i].score;
	return 0;
}

/* With a question its order decides. */
static struct rule_difference *as_found(struct arena *a, const struct rules_found *found,
    const struct rule_difference *list, size_t n)
{
	struct rule_difference *out = arena_array(a, n + 1, sizeof(*out));

	for (size_t i = 0; i < n; i++)
		out[i] = (struct rule_difference){ found->hits[i].question,
			score_of(list, n, found->hits[i].question) };
	return out;
}

static void show(struct arena *a, const struct rules_options *b, const struct compare_table *t,
    const struct rules_found *found, struct rules_compared *out)
{
	struct rule_difference *list = arena_array(a, t->n + 1, sizeof(*list));
	double least = out->filtered ? b->compare_min_difference : 0;
	struct arena *scratch = arena_new();
	struct compare_row row = {
		arena_array(scratch, t->ncountries + 1, sizeof(*row.vectors)),
		arena_array(scratch, t->ncountries + 1, sizeof(*row.texts)),
	};

	for (size_t i = 0; i < t->n; i++) {
		/* the words take much memory, and the turn may last */
		struct arena *words = arena_new();
		double score = measure(t, words, i, &row);

		arena_free(words);
		if (score >= least)
			list[out->n++] = (struct rule_difference){ t->questions[i], score };
	}
	arena_free(scratch);
	if (found->n > 0) {
		out->differences = as_found(a, found, list, out->n);
		return;
	}
	qsort(list, out->n, sizeof(*list), most_different);
	if (out->filtered && out->n > (size_t)b->compare_max)
		out->n = (size_t)b->compare_max;
	out->differences = list;
}

enum errcode rules_compare(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_comparing *c, struct rules_compared *out, struct err *e)
{
	const struct rules_options *b = rules_config(r)->options;
	struct compare_table t = { .n = 0 };
	struct rules_found found;
	enum errcode rc = find(r, set, a, c, &found, e);

	*out = (struct rules_compared){ .n = 0 };
	if (rc != OK)
		return rc;
	if (c->question != NULL)
		out->general = found.n > 0 ? found.general : rules_general(set, c->question);
	t.questions = choose(set, a, c, &found, &t.n);
	out->questions = t.questions;
	out->total = t.n;
	out->filtered = found.n == 0 && t.n > (size_t)b->compare_send_all;
	out->vectors = set->vectors != NULL && (set->vectors->encoder != NULL || !c->no_model);
	if (c->ncountries < 2)
		return OK;
	table_fill(&t, a, c);
	find_incomplete(&t, a, out);
	if (out->vectors && (rc = read_vectors(set, a, &t, c, e)) != OK)
		return rc;
	out->vectors = t.measured;
	show(a, b, &t, &found, out);
	return OK;
}
