/*
 * The net at work. All sums are of whole numbers; net_open() makes sure that none can leave its range.
 */
#include "language/net.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/net_gates.h"

/* net_read() and net_score_plans() exist twice: for every processor, and for processors with AVX2, which multiplies sixteen whole numbers at
 * once. Both copies give the same numbers. Functions that take much of the time must be inlined into both copies. */
#define INLINED static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FOR_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define FOR_AVX2
#define HAS_AVX2 false
#endif

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

/* Scores are added up in blocks, each of which fits 32 bits. */
enum { BLOCK = 32 };
static_assert(NET_OUT % BLOCK == 0 && NET_WIDE % BLOCK == 0, "the last block is not whole");

/* Does each sum of n products, and its addend, stay within 32 bits whatever the n inputs up to `input` are? */
static bool sums_right(const int16_t *weight, size_t n, const int16_t *add, size_t sums, long long input)
{
	for (size_t k = 0; k < sums; k++) {
		int64_t most = add != NULL ? llabs((long long)add[k] * NET_BY) : 0;
		for (size_t i = 0; i < n; i++)
			most += llabs(weight[k * n + i] * input);
		if (most > INT32_MAX)
			return false;
	}
	return true;
}

enum {
	NEAR_WEIGHTS = NET_NEAR * NET_SPAN * NET_INPUT, WIDE_WEIGHTS = NET_WIDE * NET_SPAN * NET_NEAR, IN_WEIGHTS = NET_GATES * NET_NEAR,
	STATE_WEIGHTS = NET_GATES * NET_STATE, DIRECTION_WEIGHTS = IN_WEIGHTS + NET_GATES + STATE_WEIGHTS,
	LAYER_WEIGHTS = NEAR_WEIGHTS + NET_NEAR + WIDE_WEIGHTS + NET_WIDE + NET_DIRECTIONS * DIRECTION_WEIGHTS,
};

static bool state_right(const struct net_state *w)
{
	return sums_right(w->in, NET_NEAR, w->in_add, NET_GATES, NET_MOST) && sums_right(w->before, NET_STATE, NULL, NET_GATES, NET_ONE);
}

enum errcode net_open(struct net *net, const struct linear_file *f, struct err *e)
{
	const struct linear *layers = linear_get(f, "net"), *tags = model_of(f, "net tags", 1, NET_TAGS),
		*plans = model_of(f, "net plans", 1, NET_PLANS), *words = model_of(f, "net words", 1, 1);

	if (layers == NULL || words == NULL || tags == NULL || plans == NULL || !rows_right(words) || !has_weights(layers, LAYER_WEIGHTS) ||
	    !has_weights(tags, tags->nclasses * (2 * NET_OUT + 1)) || !has_weights(plans, plans->nclasses * (NET_WIDE + 1)))
		return err_set(e, ERR_CONFIG, "the file has no net, or one of another shape; install the file that belongs to this program");
	*net = (struct net){ .words = words, .tags = tags, .plans = plans, .row_one = words->number[0],
		.row = (const int8_t *)(words->number + 1), .near = (const int16_t *)layers->number, .tag = (const int16_t *)tags->number,
		.plan = (const int16_t *)plans->number };
	net->near_add = net->near + NEAR_WEIGHTS;
	net->wide = net->near_add + NET_NEAR;
	net->wide_add = net->wide + WIDE_WEIGHTS;
	const int16_t *at = net->wide_add + NET_WIDE;
	for (size_t i = 0; i < NET_DIRECTIONS; i++, at += DIRECTION_WEIGHTS)
		net->state[i] = (struct net_state){ at, at + IN_WEIGHTS, at + IN_WEIGHTS + NET_GATES };
	net->tag_all = net->tag + tags->nclasses * NET_OUT;
	net->tag_add = net->tag_all + tags->nclasses * NET_OUT;
	net->plan_add = net->plan + plans->nclasses * NET_WIDE;
	if (!sums_right(net->near, NET_SPAN * NET_INPUT, net->near_add, NET_NEAR, NET_MOST) ||
	    !sums_right(net->wide, NET_SPAN * NET_NEAR, net->wide_add, NET_WIDE, NET_MOST) ||
	    !state_right(&net->state[NET_FORWARDS]) || !state_right(&net->state[NET_BACKWARDS]) ||
	    !sums_right(net->tag, BLOCK, NULL, 2 * tags->nclasses * (NET_OUT / BLOCK), NET_MOST) ||      /* tag_all lies behind tag */
	    !sums_right(net->plan, BLOCK, NULL, plans->nclasses * (NET_WIDE / BLOCK), NET_MOST))
		return err_set(e, ERR_CONFIG, "the net of the file has weights that are too large; train it again");
	return OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int16_t bounded(int32_t x)
{
	return x > NET_MOST ? NET_MOST : x < -NET_MOST ? -NET_MOST : (int16_t)x;
}

INLINED int32_t product(const int16_t *x, const int16_t *y, size_t n)
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

/* The direction of the encoder's vector, at length 2. */
static void put_meaning(const int8_t *meaning, int16_t out[NET_MEANING])
{
	int32_t squares = 0;
	for (size_t d = 0; d < NET_MEANING; d++)
		squares += meaning[d] * meaning[d];
	for (size_t d = 0; squares > 0 && d < NET_MEANING; d++)
		out[d] = (int16_t)lroundf(2 * NET_ONE * meaning[d] / sqrtf((float)squares));
}

/* A message that is being read: its words, and what was spoken of before. */
struct input {
	const struct net *net;
	const struct words *w;
	const struct evidences *e;
	int32_t past[NET_LEARNED];
};

static void put_input(const struct input *x, size_t i, int16_t out[NET_INPUT])
{
	struct net_features f;
	int32_t sum[NET_LEARNED];

	memcpy(sum, x->past, sizeof(sum));
	net_features(x->w, x->e, i, &f);
	add_rows(x->net, f.at, f.n, sum);
	if (x->e->meanings != NULL && x->e->meanings[i] != NULL)
		put_meaning(x->e->meanings[i], out);
	for (size_t d = 0; d < NET_LEARNED; d++)
		out[NET_MEANING + d] = bounded(sum[d] * NET_ONE / x->net->row_one);
}

/* One word of a layer, from the nx numbers that go into it: those of the word before, of the word, and of the word behind. */
INLINED void put_layer(const int16_t *weight, const int16_t *add, const int16_t *x, size_t nx, int16_t *out, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const int32_t sum = product(x, weight + k * nx, nx) + add[k] * NET_BY;
		out[k] = sum > 0 ? bounded(sum / NET_BY) : 0;
	}
}

/* Carry a state over the message. x: the near layer of each word; out: the outputs of each word, of which those from `at` on are the
 * state's. */
INLINED void put_state(const struct net *net, enum net_direction direction, const int16_t *x, size_t n, int16_t (*out)[NET_OUT])
{
	const struct net_state *w = &net->state[direction];
	const size_t at = direction * NET_STATE;
	int16_t before[NET_STATE] = { 0 };
	float in[NET_GATES], state[NET_GATES];

	for (size_t i = 0; i < n; i++) {
		const size_t word = direction == NET_FORWARDS ? i : n - 1 - i;
		for (size_t k = 0; k < NET_GATES; k++) {
			in[k] = (float)(product(x + word * NET_NEAR, w->in + k * NET_NEAR, NET_NEAR) + w->in_add[k] * NET_BY) / (NET_BY * NET_ONE);
			state[k] = (float)product(before, w->before + k * NET_STATE, NET_STATE) / (NET_BY * NET_ONE);
		}
		for (size_t k = 0; k < NET_STATE; k++)
			out[word][at + k] = (int16_t)lroundf(NET_ONE * net_next(net_step_of(in, state, k), (float)before[k] / NET_ONE));
		memcpy(before, out[word] + at, sizeof(before));
	}
}

/* Of the words first to last, as far as there are any: the outputs from number `from` on. */
static void greatest(const struct net_reading *r, size_t first, size_t last, size_t from, int16_t *out)
{
	memset(out, 0, (NET_OUT - from) * sizeof(*out));
	for (size_t i = first; i <= last && i < r->n; i++)
		for (size_t k = from; k < NET_OUT; k++)
			out[k - from] = i == first || r->out[i][k] > out[k - from] ? r->out[i][k] : out[k - from];
}

INLINED int64_t block_product(const int16_t *x, const int16_t *y, size_t n)
{
	int64_t sum = 0;
	for (size_t i = 0; i < n; i += BLOCK)
		sum += product(x + i, y + i, BLOCK);
	return sum;
}

static float score_of(int64_t sum, int16_t add)
{
	return ((float)sum / NET_BY + (float)add) / NET_ONE;
}

/* The least score becomes 0. */
static void lower(float *score, size_t n)
{
	float least = score[0];
	for (size_t i = 1; i < n; i++)
		least = score[i] < least ? score[i] : least;
	for (size_t i = 0; i < n; i++)
		score[i] -= least;
}

INLINED void put_tags(const struct net *net, struct net_reading *r)
{
	const size_t n = net->tags->nclasses;
	int16_t all[NET_OUT];

	greatest(r, 0, r->n, 0, all);
	for (size_t k = 0; k < n; k++) {
		const int64_t of_all = block_product(all, net->tag_all + k * NET_OUT, NET_OUT);
		for (size_t i = 0; i < r->n; i++)
			r->tag[i * n + k] = score_of(block_product(r->out[i], net->tag + k * NET_OUT, NET_OUT) + of_all, net->tag_add[k]);
	}
	for (size_t i = 0; i < r->n; i++)
		lower(r->tag + i * n, n);
}

INLINED const struct net_reading *read_words(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before)
{
	struct arena *scratch = arena_new();
	struct net_reading *r = arena_alloc(a, sizeof(*r));
	struct input x = { .net = net, .w = w, .e = e };
	/* nothing stands before the first word and behind the last */
	int16_t *input = arena_array(scratch, (w->n + 2) * NET_INPUT, sizeof(*input));
	int16_t *near = arena_array(scratch, (w->n + 2) * NET_NEAR, sizeof(*near));
	uint64_t feature[NET_PAST];

	*r = (struct net_reading){ .net = net, .n = w->n, .out = arena_array(a, w->n + 1, sizeof(*r->out)),
		.tag = arena_array(a, w->n * net->tags->nclasses + 1, sizeof(*r->tag)) };
	add_rows(net, feature, net_features_past(w, before, feature), x.past);
	for (size_t i = 0; i < w->n; i++)
		put_input(&x, i, input + (i + 1) * NET_INPUT);
	for (size_t i = 0; i < w->n; i++)
		put_layer(net->near, net->near_add, input + i * NET_INPUT, NET_SPAN * NET_INPUT, near + (i + 1) * NET_NEAR, NET_NEAR);
	for (size_t i = 0; i < w->n; i++)
		put_layer(net->wide, net->wide_add, near + i * NET_NEAR, NET_SPAN * NET_NEAR, r->out[i] + NET_WIDE_AT, NET_WIDE);
	put_state(net, NET_FORWARDS, near + NET_NEAR, w->n, r->out);
	put_state(net, NET_BACKWARDS, near + NET_NEAR, w->n, r->out);
	put_tags(net, r);
	arena_free(scratch);
	return r;
}

FOR_AVX2 static const struct net_reading *read_words_avx2(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before)
{
	return read_words(net, a, w, e, before);
}

const struct net_reading *net_read(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before)
{
	return HAS_AVX2 ? read_words_avx2(net, a, w, e, before) : read_words(net, a, w, e, before);
}

INLINED void score_plans(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS])
{
	const struct net *net = r->net;
	int16_t all[NET_WIDE];

	greatest(r, first, last, NET_WIDE_AT, all);
	for (size_t k = 0; k < net->plans->nclasses; k++)
		score[k] = score_of(block_product(all, net->plan + k * NET_WIDE, NET_WIDE), net->plan_add[k]);
}

FOR_AVX2 static void score_plans_avx2(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS])
{
	score_plans(r, first, last, score);
}

void net_score_plans(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS])
{
	if (HAS_AVX2)
		score_plans_avx2(r, first, last, score);
	else
		score_plans(r, first, last, score);
}
