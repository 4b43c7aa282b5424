#include "language/net.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

/* ---- its models ------------------------------------------------------------------------------ */

/* NULL: the file has no such model, or with too few or too many classes. */
static const struct linear *model_of(const struct linear_file *f, const char *name, size_t least, size_t most)
{
	const struct linear *m = linear_get(f, name);
	return m != NULL && m->nclasses >= least && m->nclasses <= most ? m : NULL;
}

/* Two weights are one number. */
static bool has_weights(const struct linear *m, size_t n)
{
	return m->nnumbers == (n + 1) / 2;
}

/* Every word's row must be there. */
static bool rows_right(const struct linear *m)
{
	if (m->nnumbers < 1 || m->number[0] <= 0)
		return false;
	const size_t rows = (m->nnumbers - 1) * sizeof(int32_t) / NET_LEARNED;
	for (size_t i = 0; i < linear_weights(m); i++)
		if (m->weight[i].weight < 0 || (size_t)m->weight[i].weight >= rows)
			return false;
	return true;
}

bool net_open(struct net *net, const struct linear_file *f, enum errcode *rc, struct err *e)
{
	enum { NEAR = NET_NEAR * NET_SPAN * NET_INPUT, WIDE = NET_WIDE * NET_SPAN * NET_NEAR };
	const struct linear *layers = linear_get(f, "net");

	*rc = OK;
	if (layers == NULL)
		return false;
	*net = (struct net){ .words = model_of(f, "net words", 1, 1), .tags = model_of(f, "net tags", 1, NET_TAGS),
		.plans = model_of(f, "net plans", 1, NET_PLANS) };
	if (net->words == NULL || net->tags == NULL || net->plans == NULL || !rows_right(net->words) ||
	    !has_weights(layers, NEAR + NET_NEAR + WIDE + NET_WIDE) || !has_weights(net->tags, net->tags->nclasses * (2 * NET_WIDE + 1)) ||
	    !has_weights(net->plans, net->plans->nclasses * (NET_WIDE + 1))) {
		*rc = err_set(e, ERR_CONFIG, "the model's net has another shape");
		return false;
	}
	net->near = (const int16_t *)layers->number;
	net->near_add = net->near + NEAR;
	net->wide = net->near_add + NET_NEAR;
	net->wide_add = net->wide + WIDE;
	net->tag = (const int16_t *)net->tags->number;
	net->tag_all = net->tag + net->tags->nclasses * NET_WIDE;
	net->tag_add = net->tag_all + net->tags->nclasses * NET_WIDE;
	net->plan = (const int16_t *)net->plans->number;
	net->plan_add = net->plan + net->plans->nclasses * NET_WIDE;
	net->row_one = net->words->number[0];
	net->row = (const int8_t *)(net->words->number + 1);
	return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int16_t bounded(int32_t x)
{
	return x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : (int16_t)x;
}

/* The sum of products: no weight is greater than 8, and no sum comes near the end of its range. */
static int32_t product(const int16_t *x, const int16_t *y, size_t n)
{
	int32_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static void add_rows(const struct net *net, const uint64_t *feature, size_t n, int32_t sum[NET_LEARNED])
{
	for (size_t i = 0; i < n; i++) {
		size_t found;
		const struct linear_weight *w = linear_find(net->words, feature[i], &found);
		const int8_t *row = found > 0 ? net->row + (size_t)w->weight * NET_LEARNED : NULL;
		for (size_t d = 0; row != NULL && d < NET_LEARNED; d++)
			sum[d] += row[d];
	}
}

/* A vector of length 2, of which the encoder's rows give the direction. */
static void put_meaning(const int8_t *meaning, int16_t out[NET_MEANING])
{
	int32_t squares = 0;
	for (size_t d = 0; d < NET_MEANING; d++)
		squares += meaning[d] * meaning[d];
	for (size_t d = 0; squares > 0 && d < NET_MEANING; d++)
		out[d] = (int16_t)lroundf(2 * NET_ONE * meaning[d] / sqrtf((float)squares));
}

static void put_input(const struct net *net, const struct words *w, const struct evidences *e, size_t i, const int32_t past[NET_LEARNED],
    int16_t out[NET_INPUT])
{
	struct net_features f;
	int32_t sum[NET_LEARNED];

	memcpy(sum, past, sizeof(sum));
	net_features(w, e, i, &f);
	add_rows(net, f.at, f.n, sum);
	if (e->meanings != NULL && e->meanings[i] != NULL)
		put_meaning(e->meanings[i], out);
	for (size_t d = 0; d < NET_LEARNED; d++)
		out[NET_MEANING + d] = bounded(sum[d] * NET_ONE / net->row_one);
}

/* One word of a layer: the rows before, at and behind it follow each other in x. */
static void put_layer(const int16_t *x, size_t nx, const int16_t *weight, const int16_t *add, int16_t *out, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		int32_t sum = product(x, weight + k * nx, nx) + add[k] * NET_BY;
		out[k] = sum > 0 ? bounded(sum / NET_BY) : 0;
	}
}

static void greatest(const struct net_reading *r, size_t first, size_t last, int16_t out[NET_WIDE])
{
	memset(out, 0, NET_WIDE * sizeof(*out));
	for (size_t i = first; i <= last && i < r->n; i++)
		for (size_t k = 0; k < NET_WIDE; k++)
			out[k] = r->wide[i][k] > out[k] ? r->wide[i][k] : out[k];
}

static float score_of(int32_t sum, int16_t add)
{
	return ((float)sum / NET_BY + (float)add) / NET_ONE;
}

static void put_tags(const struct net *net, struct net_reading *r)
{
	const size_t n = net->tags->nclasses;
	int16_t all[NET_WIDE];

	greatest(r, 0, r->n, all);
	for (size_t k = 0; k < n; k++) {
		const int32_t of_all = product(all, net->tag_all + k * NET_WIDE, NET_WIDE);
		for (size_t i = 0; i < r->n; i++)
			r->tag[i * n + k] = score_of(product(r->wide[i], net->tag + k * NET_WIDE, NET_WIDE) + of_all, net->tag_add[k]);
	}
}

const struct net_reading *net_read(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before)
{
	struct net_reading *r = arena_alloc(a, sizeof(*r));
	/* nothing stands before the first word and behind the last */
	int16_t (*input)[NET_INPUT] = arena_array(a, w->n + 2, sizeof(*input));
	int16_t (*near)[NET_NEAR] = arena_array(a, w->n + 2, sizeof(*near));
	uint64_t feature[NET_PAST];
	int32_t past[NET_LEARNED] = { 0 };

	*r = (struct net_reading){ .net = net, .n = w->n, .wide = arena_array(a, w->n + 1, sizeof(*r->wide)),
		.tag = arena_array(a, w->n * net->tags->nclasses + 1, sizeof(*r->tag)) };
	add_rows(net, feature, net_features_past(w, before, feature), past);
	for (size_t i = 0; i < w->n; i++)
		put_input(net, w, e, i, past, input[i + 1]);
	for (size_t i = 0; i < w->n; i++)
		put_layer(input[i], NET_SPAN * NET_INPUT, net->near, net->near_add, near[i + 1], NET_NEAR);
	for (size_t i = 0; i < w->n; i++)
		put_layer(near[i], NET_SPAN * NET_NEAR, net->wide, net->wide_add, r->wide[i], NET_WIDE);
	put_tags(net, r);
	return r;
}

void net_score_plans(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS])
{
	const struct net *net = r->net;
	int16_t all[NET_WIDE];

	greatest(r, first, last, all);
	for (size_t k = 0; k < net->plans->nclasses; k++)
		score[k] = score_of(product(all, net->plan + k * NET_WIDE, NET_WIDE), net->plan_add[k]);
}
