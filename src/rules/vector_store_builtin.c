/*
 * Vectors of the encoder that ships with the program. They are made in memory when the rules are read, so there is no
 * file and nothing to build.
 *
 * A question is found by what it asks and by what is answered to it: the answers of all countries are about the same
 * matter, so their mean says what the matter is, often in more words than the question does.
 */
#include "rules/vector_store.h"

#include <math.h>
#include <string.h>

#include "language/encoder.h"
#include "rules/word_match.h"

/* The similarity is the weighed sum of the cosine and of the comparison word by word. It is scaled so that most questions that a
 * rule answers reach the shipped threshold (scripts/quality encoder). Only the nearest questions are compared word by word. */
static const double COSINE_WEIGHS = 0.46, MATCH_WEIGHS = 0.93;
enum { MATCHED = 100 };

/* The part of the answers in the vector of a question. */
static const float ANSWERS_PART = 0.65F;

/* Of all words, the encoder must know at least this share. It knows about two thirds of an English, French or German
 * text, and some words of every language that is written in Latin letters. */
static const double KNOWN_LEAST = 0.45;
enum { SAMPLE_TEXTS = 400 };

typedef float unit_vector[ENCODER_DIMS];

struct vector_store_builtin {
	struct vector_store vectors;   /* first */
	struct arena *mem;
	const struct rulebase *base;
	const float **of_question;     /* by its index; NULL: neither it nor an answer has a word */
	unit_vector *answer;           /* of all entries; zero: without a word */
	size_t *first;                 /* by a question's index: the place of its first answer */
	struct word_match *words;
};

static enum errcode search(struct vector_store *v, struct arena *a, const struct vector_query *query,
    const char *const *countries, size_t ncountries, const struct watch *w, struct rule_hit *hits, size_t max, size_t *n,
    struct err *e)
{
	const struct vector_store_builtin *s = (const struct vector_store_builtin *)v;
	const size_t all = s->base->nquestions;
	struct rule_hit *near = arena_array(a, all + 1, sizeof(*near));
	double match[MATCHED] = { 0 };
	(void)w;
	(void)e;
	size_t nnear = vector_store_scan(a, s->base, s->of_question, query->vector, query->dims, countries, ncountries, near, all);
	word_match_search(s->words, a, query->text, near, nnear < MATCHED ? nnear : MATCHED, match);
	for (size_t i = 0; i < nnear; i++)
		near[i].similarity = COSINE_WEIGHS * near[i].similarity + (i < MATCHED ? MATCH_WEIGHS * match[i] : 0);
	vector_store_sort(near, nnear);
	*n = nnear < max ? nnear : max;
	memcpy(hits, near, *n * sizeof(*hits));
	return OK;
}

const float *vector_store_builtin_of(const struct vector_store *v, const struct rule_question *q)
{
	return ((const struct vector_store_builtin *)v)->of_question[q->index];
}

static enum errcode answers(struct vector_store *v, struct arena *a, const struct rule_entry *const *entries, size_t n,
    const struct watch *w, const float **out, size_t *dims, struct err *e)
{
	const struct vector_store_builtin *s = (const struct vector_store_builtin *)v;
	static const unit_vector none;
	(void)a;
	(void)w;
	(void)e;
	*dims = ENCODER_DIMS;
	for (size_t i = 0; i < n; i++) {
		const struct rule_question *q = entries[i]->question;
		const unit_vector *at = &s->answer[s->first[q->index] + (size_t)(entries[i] - q->entries)];
		out[i] = memcmp(*at, none, sizeof(none)) != 0 ? *at : NULL;
	}
	return OK;
}

static void builtin_close(struct vector_store *v)
{
	arena_free(((struct vector_store_builtin *)v)->mem);
}

static const struct vector_store_ops builtin_ops = { search, answers, builtin_close };

/* -- making them -- */

/* One text for each question, spread over the base: is it written in a language that was taught? */
static bool language_known(const struct encoder *encoder, const struct rulebase *b)
{
	size_t step = b->nquestions / SAMPLE_TEXTS + 1, words = 0, known = 0;

	for (size_t i = 0; i < b->nquestions; i += step) {
		const struct rule_question *q = &b->questions[i];
		encoder_count(encoder, q->text, &words, &known);
		if (q->nentries > 0)
			encoder_count(encoder, q->entries[i % q->nentries].text, &words, &known);
	}
	return (double)known >= KNOWN_LEAST * (double)words;
}

static void add(float *sum, const float *v, float times)
{
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		sum[d] += times * v[d];
}

static void make_question(struct vector_store_builtin *s, const struct encoder *encoder, const struct rule_question *q,
    unit_vector *answer, float *out)
{
	unit_vector mean = { 0 };

	for (size_t k = 0; k < q->nentries; k++) {
		encoder_vector(encoder, q->entries[k].text, answer[k]);
		add(mean, answer[k], 1);
	}
	vector_unit(mean, ENCODER_DIMS);
	if (encoder_vector(encoder, q->text, out))
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			out[d] *= 1 - ANSWERS_PART;
	add(out, mean, ANSWERS_PART);
	if (vector_dot(out, out, ENCODER_DIMS) > 0)
		s->of_question[q->index] = out;
	vector_unit(out, ENCODER_DIMS);
}

static enum errcode make_all(struct vector_store_builtin *s, const struct encoder *encoder, const atomic_bool *stop,
    struct err *e)
{
	const struct rulebase *b = s->base;
	unit_vector *question = arena_array(s->mem, b->nquestions + 1, sizeof(*question));
	size_t n = 0;

	s->of_question = arena_array(s->mem, b->nquestions + 1, sizeof(*s->of_question));
	s->first = arena_array(s->mem, b->nquestions + 1, sizeof(*s->first));
	s->answer = arena_array(s->mem, b->nanswers + 1, sizeof(*s->answer));
	for (size_t i = 0; i < b->nquestions; i++) {
		if (atomic_load(stop))
			return err_set(e, ERR_HUP, "stopped");
		s->first[i] = n;
		make_question(s, encoder, &b->questions[i], s->answer + n, question[i]);
		n += b->questions[i].nentries;
	}
	s->words = word_match_new(s->mem, encoder, b, stop);
	return s->words != NULL ? OK : err_set(e, ERR_HUP, "stopped");
}

enum errcode vector_store_open_builtin(struct vector_store **out, const struct encoder *encoder, const struct rulebase *b,
    const atomic_bool *stop, struct err *e)
{
	if (!language_known(encoder, b))
		return err_set(e, ERR_NOTFOUND, VECTOR_STORE_STRANGE);
	struct arena *mem = arena_new();
	struct vector_store_builtin *s = arena_alloc(mem, sizeof(*s));
	*s = (struct vector_store_builtin){ .mem = mem, .base = b, .vectors = { .ops = &builtin_ops, .encoder = encoder,
		.about = arena_printf(mem, "builtin, %zu questions", b->nquestions) } };
	enum errcode rc = make_all(s, encoder, stop, e);
	if (rc == OK)
		*out = &s->vectors;
	else
		arena_free(mem);
	return rc;
}
