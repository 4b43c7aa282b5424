#include "rules/general_vectors.h"

#include <math.h>
#include <stdint.h>

#include "language/encoder.h"
#include "rules/vector_store.h"

/* From this cosine on, a general rule and a rule of a country are about the same matter. */
static const double SAME = 0.55;

/* From this cosine on, a question is about the matter of a general rule. Chosen on questions that no rule of the real file answers
 * (tests/quality). */
static const double ABOUT = 0.55;

/* A rule that is known tells more than a place where to look. So it is preferred if it is nearly as near, and the place must be nearer. */
static const double KNOWN = 0.05, PLACE_ABOUT = 0.62;

enum { UNIT = 127 };

/* A quarter of the memory that floats would take, and exact enough: the parts of a vector are small. */
typedef int8_t small_vector[ENCODER_DIMS];

struct general_vectors {
	const struct encoder *encoder;
	size_t n;
	small_vector *vector;         /* by rule */
};

static void make(const struct encoder *m, const struct general_rule *g, small_vector out)
{
	float mean[ENCODER_DIMS] = { 0 }, one[ENCODER_DIMS];

	for (size_t i = 0; i < g->nphrases; i++) {
		encoder_vector(m, g->phrase[i], one);
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			mean[d] += one[d];
	}
	vector_unit(mean, ENCODER_DIMS);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		out[d] = (int8_t)lrintf(mean[d] * UNIT);
}

struct general_vectors *general_vectors_new(struct arena *a, const struct encoder *m)
{
	struct general_vectors *v = arena_alloc(a, sizeof(*v));

	*v = (struct general_vectors){ .encoder = m, .n = general_rules_count() };
	v->vector = arena_array(a, v->n + 1, sizeof(*v->vector));
	for (size_t i = 0; i < v->n; i++)
		make(m, general_rule_at(i), v->vector[i]);
	return v;
}

static double cosine_of(const small_vector v, const float *with)
{
	float sum = 0;

	for (size_t d = 0; d < ENCODER_DIMS; d++)
		sum += with[d] * (float)v[d];
	return (double)sum / UNIT;
}

const struct general_rule *general_nearest(const struct general_vectors *v, const float *question, const float *hit, double *cosine)
{
	const struct general_rule *nearest = NULL;

	*cosine = 0;
	for (size_t i = 0; i < v->n; i++) {
		const double c = cosine_of(v->vector[i], question);
		if (c <= *cosine || (hit != NULL && cosine_of(v->vector[i], hit) >= SAME))
			continue;
		*cosine = c;
		nearest = general_rule_at(i);
	}
	return nearest;
}

const struct general_rule *general_about(const struct general_vectors *v, const float *question, double *cosine)
{
	const struct general_rule *best = NULL;
	double most = ABOUT;

	*cosine = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct general_rule *g = general_rule_at(i);
		const bool known = *g->law != '\0';
		const double c = cosine_of(v->vector[i], question), counts = c + (known ? KNOWN : 0);
		if (counts < most || (!known && c < PLACE_ABOUT))
			continue;
		most = counts;
		*cosine = c;
		best = g;
	}
	return best;
}

const struct general_rule *general_find(const struct general_vectors *v, const char *text)
{
	float vector[ENCODER_DIMS];
	double cosine;

	return encoder_vector(v->encoder, text, vector) ? general_about(v, vector, &cosine) : NULL;
}
