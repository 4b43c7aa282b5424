/*
 * A lesson goes forward through the net, what was wrong goes back through it (backpropagation; through a state, from its last word to its
 * first), and after each BATCH lessons all weights take one step (Adam: Kingma and Ba, ICLR 2015). What lessons behind the last full batch of a round taught goes into the
 * first step of the next. The rows of features, of which a lesson has few, step at once (AdaGrad). A message of one plan teaches
 * that plan, and every message whose words were marked teaches their tags. At the end each weight of a layer is
 * replaced by its mean over the last quarter of the rounds (averaging: Polyak and Juditsky, SIAM J. Control Optim. 30, 1992). Such a net
 * understands new authors better. The rows of features are not averaged.
 */
#include "language/train/net_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "language/feature.h"
#include "language/net_gates.h"
#include "language/tagger_own.h"
#include "language/train/adagrad.h"
#include "language/train/weights.h"

enum {
	ROUNDS = 5,
	BATCH = 16,
	LEAST = 6,                    /* a feature gets a row only if at least so many authors have it; number_rows() raises the number until all rows fit */
	WORD_DROPPED = 30,            /* of a hundred words lose the row of the word itself */
	FEATURE_DROPPED = 10,         /* of a hundred features */
	SUMS = 8,                     /* part sums of a long sum, in an order that does not depend on the compiler */
	NONE = -1,
};

static const float RATE = 1e-3F, ROW_RATE = 2e-2F;
static const float FIRST = 0.9F, SECOND = 0.999F;     /* Adam's: how much of the last step and square stays */
static const float MOST = 7.9F;                       /* greater weights are cut to this */

/* A matrix or row of weights under training. */
struct part {
	size_t n;
	float *weight, *gradient, *step, *square, *mean;     /* mean: of the weight after each step of the last quarter */
};

/* IN, IN_ADD and STATE are those of the first direction; the other one's follows each. */
enum part_name {
	NEAR, NEAR_ADD, WIDE, WIDE_ADD, IN, IN_ADD = IN + NET_WAYS, STATE = IN_ADD + NET_WAYS, TAGS = STATE + NET_WAYS, TAGS_ALL, TAGS_ADD, PLANS, PLANS_ADD,
	PARTS
};

/* A layer: where its weights are, how many numbers go into it and come out, and the part of them that is not left out. */
struct layer {
	enum part_name weights, adds;
	size_t nx, n;
	float kept;
	bool input;                   /* the gradient of what goes in is wanted even where that is 0 */
};

static const struct layer near_layer = { NEAR, NEAR_ADD, NET_SPAN * NET_INPUT, NET_NEAR, 0.85F, true },
	wide_layer = { WIDE, WIDE_ADD, NET_SPAN * NET_NEAR, NET_WIDE, 0.7F, false };

static const float STATE_KEPT = 0.7F;      /* the part of a state that the tags see */

/* Where the outputs of a word begin that are the wide layer's. */
enum { STATES = NET_WAYS * NET_STATE };

/* What comes out of a layer for one word: the numbers, what each was multiplied by (0 if it was left out), and its gradient. */
struct output {
	float *out, *kept, *gradient;
};

/* What a word has: the rows of its features, the first of which is the word itself. */
struct word_rows {
	uint32_t n, row[NET_FEATURES + NET_PAST];
	bool itself;
	const int8_t *meaning;
	uint16_t tag;
};

struct example {
	size_t n;
	struct word_rows *word;
	uint32_t npast, past[NET_PAST];
	int plan;                     /* NONE: it has several */
	bool plan_only;
};

struct trainer {
	struct arena *mem;
	size_t ntags, nplans, nrows, n;
	const char *tag[NET_TAGS], *plan[NET_PLANS];
	struct weights seen;          /* for each feature, the authors that have it */
	uint32_t *row_of;             /* for each entry of `seen`, its row in the net; 0: too few authors */
	float (*row)[NET_LEARNED], *row_square;
	struct part part[PARTS];
	struct example *example;
	uint64_t random;
	float first, second;          /* FIRST and SECOND to the power of the number of steps */
	bool last;                    /* the last quarter of the rounds, of whose weights the mean is kept */
	size_t nmeans;                /* steps in it */
};

/* A state on its way over a message. */
struct way {
	float (*in)[NET_GATES], (*state)[NET_GATES];     /* what goes into the step of each word */
	float (*carried)[NET_STATE];                     /* after it */
};

/* A message on its way, with a word of zeros at each end. */
struct pass {
	size_t n;
	float (*input)[NET_INPUT], (*near)[NET_NEAR], (*out)[NET_OUT];
	struct way way[NET_WAYS];
	float (*near_kept)[NET_NEAR], (*out_kept)[NET_OUT];     /* what each was multiplied by; 0: it was left out */
	float (*input_gradient)[NET_INPUT], (*near_gradient)[NET_NEAR], (*out_gradient)[NET_OUT];
	float (*tag)[NET_TAGS], plan[NET_PLANS];
	float all[NET_OUT];                   /* the greatest of all words */
	size_t from[NET_OUT];                 /* and whose it is; 0: nobody's */
	struct word_rows *used;               /* the features that were not left out */
};

/* ---- examples -------------------------------------------------------------------------------- */

static int number_of(const char **name, size_t *n, size_t most, const char *wanted)
{
	for (size_t i = 0; i < *n; i++)
		if (streq(name[i], wanted))
			return (int)i;
	if (*n == most)
		return NONE;
	name[*n] = wanted;
	return (int)(*n)++;
}

static int plan_of(struct trainer *t, const struct reading *gold)
{
	const struct reading_plan *p = &gold->plan[0];
	if (gold->nplans != 1)
		return NONE;
	return number_of(t->plan, &t->nplans, NET_PLANS, arena_printf(t->mem, "%s|%s", p->kind != NULL ? p->kind : "-", p->plan));
}

static bool find_names(struct trainer *t, const struct net_lesson *l)
{
	for (size_t k = 0; k < l->gold->nmarks; k++) {
		const struct mark *m = &l->gold->mark[k];
		if (number_of(t->tag, &t->ntags, NET_TAGS, tag_name(t->mem, m, tag_within(m, l->value[k]))) == NONE)
			return false;
	}
	return l->gold->nplans != 1 || plan_of(t, l->gold) != NONE;
}

static void count(struct trainer *t, uint64_t feature, unsigned author)
{
	weights_cell(&t->seen, weights_row(&t->seen, feature), author);
}

static void count_features(struct trainer *t, const struct net_lesson *l)
{
	const struct reading *r = l->gold;
	uint64_t past[NET_PAST];
	struct net_features f;
	for (size_t i = net_features_past(r->words, l->before, past); i-- > 0;)
		count(t, past[i], l->author);
	for (size_t i = 0; i < r->words->n; i++) {
		net_features(r->words, r->evidence, i, &f);
		for (size_t k = 0; k < f.n; k++)
			count(t, f.at[k], l->author);
	}
}

/* How many features do at least so many authors have? */
static size_t features_of(const struct trainer *t, size_t authors)
{
	size_t n = 0;
	for (size_t i = 0; i < t->seen.n; i++)
		n += t->seen.row[i].n >= authors;
	return n;
}

static void number_rows(struct trainer *t)
{
	size_t least = LEAST;
	while (1 + features_of(t, least) > NET_ROWS)
		least++;
	if (least > LEAST)
		log_msg(LOG_WARN, "net", "features of fewer than %zu authors are left out, because a net has at most %d rows", least, NET_ROWS);
	t->row_of = arena_array(t->mem, t->seen.n + 1, sizeof(*t->row_of));
	t->nrows = 1;                 /* no feature has row 0 */
	for (size_t i = 0; i < t->seen.n; i++)
		if (t->seen.row[i].n >= least)
			t->row_of[i] = (uint32_t)t->nrows++;
}

static uint32_t row_number(const struct trainer *t, uint64_t feature)
{
	return t->row_of[weights_find(&t->seen, feature)];
}

static void put_tags(struct trainer *t, struct example *x, const struct net_lesson *l)
{
	for (size_t k = 0; k < l->gold->nmarks; k++) {
		const struct mark *m = &l->gold->mark[k];
		const int tag = number_of(t->tag, &t->ntags, NET_TAGS, tag_name(t->mem, m, tag_within(m, l->value[k])));
		for (size_t i = m->first; i <= m->last && i < x->n; i++)
			x->word[i].tag = i == m->first ? (uint16_t)tag : TAG_GOES_ON;
	}
}

static void make_example(struct trainer *t, struct example *x, const struct net_lesson *l)
{
	const struct reading *r = l->gold;
	uint64_t past[NET_PAST];
	struct net_features f;
	const size_t npast = net_features_past(r->words, l->before, past);

	*x = (struct example){ .n = r->words->n, .word = arena_array(t->mem, r->words->n + 1, sizeof(*x->word)), .plan = plan_of(t, r),
		.plan_only = l->plan_only };
	for (size_t i = 0; i < npast; i++) {
		const uint32_t row = row_number(t, past[i]);
		if (row != 0)
			x->past[x->npast++] = row;
	}
	for (size_t i = 0; i < x->n; i++) {
		struct word_rows *w = &x->word[i];
		w->meaning = r->evidence->meanings != NULL ? r->evidence->meanings[i] : NULL;
		net_features(r->words, r->evidence, i, &f);
		for (size_t k = 0; k < f.n; k++) {
			const uint32_t row = row_number(t, f.at[k]);
			w->itself |= k == 0 && row != 0;
			if (row != 0)
				w->row[w->n++] = row;
		}
	}
	put_tags(t, x, l);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* From 0 to 1. */
static float some(struct trainer *t)
{
	return (float)(adagrad_random(&t->random) >> 40) / (float)(1 << 24);
}

static void make_part(struct trainer *t, enum part_name name, size_t n, float most)
{
	struct part *p = &t->part[name];
	*p = (struct part){ n, arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)),
		arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)) };
	for (size_t i = 0; i < n; i++)
		p->weight[i] = (2 * some(t) - 1) * most;
}

static void make_weights(struct trainer *t)
{
	make_part(t, NEAR, NET_SPAN * NET_INPUT * NET_NEAR, 0.08F);
	make_part(t, NEAR_ADD, NET_NEAR, 0);
	make_part(t, WIDE, NET_SPAN * NET_NEAR * NET_WIDE, 0.1F);
	make_part(t, WIDE_ADD, NET_WIDE, 0);
	for (unsigned i = 0; i < NET_WAYS; i++) {
		make_part(t, IN + i, NET_NEAR * NET_GATES, 0.1F);
		make_part(t, IN_ADD + i, NET_GATES, 0);
		make_part(t, STATE + i, NET_STATE * NET_GATES, 0.1F);
	}
	make_part(t, TAGS, NET_OUT * t->ntags, 0.1F);
	make_part(t, TAGS_ALL, NET_OUT * t->ntags, 0.02F);
	make_part(t, TAGS_ADD, t->ntags, 0);
	make_part(t, PLANS, NET_WIDE * t->nplans, 0.1F);
	make_part(t, PLANS_ADD, t->nplans, 0);
	t->row = arena_array(t->mem, t->nrows, sizeof(*t->row));
	t->row_square = arena_array(t->mem, t->nrows, sizeof(*t->row_square));
	for (size_t i = 0; i < t->nrows; i++)
		for (size_t d = 0; d < NET_LEARNED; d++)
			t->row[i][d] = (2 * some(t) - 1) * 0.1F;
}

static void step(struct trainer *t, float rate)
{
	t->first *= FIRST;
	t->second *= SECOND;
	t->nmeans += t->last;
	for (size_t k = 0; k < PARTS; k++) {
		struct part *p = &t->part[k];
		for (size_t i = 0; i < p->n; i++) {
			const float g = p->gradient[i] / BATCH;
			p->step[i] = FIRST * p->step[i] + (1 - FIRST) * g;
			p->square[i] = SECOND * p->square[i] + (1 - SECOND) * g * g;
			p->weight[i] -= rate * (p->step[i] / (1 - t->first)) / (sqrtf(p->square[i] / (1 - t->second)) + 1e-8F);
			p->gradient[i] = 0;
			if (t->last)
				p->mean[i] += (p->weight[i] - p->mean[i]) / (float)t->nmeans;
		}
	}
}

static void keep_means(struct trainer *t)
{
	for (size_t k = 0; t->nmeans > 0 && k < PARTS; k++)
		memcpy(t->part[k].weight, t->part[k].mean, t->part[k].n * sizeof(float));
}

/* ---- forward --------------------------------------------------------------------------------- */

/* out += by * x */
static void add(float *out, const float *x, float by, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] += by * x[i];
}

/* The sum of x * y. n is a multiple of SUMS, or the rest is added one by one. */
static float product(const float *x, const float *y, size_t n)
{
	float sum[SUMS] = { 0 }, all = 0;
	size_t i = 0;
	for (; i + SUMS <= n; i += SUMS)
		for (size_t k = 0; k < SUMS; k++)
			sum[k] += x[i + k] * y[i + k];
	for (size_t k = 0; k < SUMS; k++)
		all += sum[k];
	for (; i < n; i++)
		all += x[i] * y[i];
	return all;
}

static void put_input(struct trainer *t, const struct example *x, struct pass *p, size_t i)
{
	const struct word_rows *w = &x->word[i];
	struct word_rows *used = &p->used[i];
	float *out = p->input[i + 1], length = 0;
	const bool dropped = w->itself && adagrad_random(&t->random) % 100 < WORD_DROPPED;

	used->n = 0;
	for (size_t k = 0; k < w->n; k++)
		if (!(k == 0 && dropped) && adagrad_random(&t->random) % 100 >= FEATURE_DROPPED)
			used->row[used->n++] = w->row[k];
	for (size_t k = 0; k < x->npast; k++)
		used->row[used->n++] = x->past[k];
	for (size_t d = 0; w->meaning != NULL && d < NET_MEANING; d++)
		length += (float)w->meaning[d] * (float)w->meaning[d];
	for (size_t d = 0; length > 0 && d < NET_MEANING; d++)
		out[d] = 2 * (float)w->meaning[d] / sqrtf(length);
	for (size_t k = 0; k < used->n; k++)
		add(out + NET_MEANING, t->row[used->row[k]], 1, NET_LEARNED);
}

/* out += weights * x */
static void add_products(const struct part *weights, const float *x, size_t nx, float *out, size_t n)
{
	for (size_t d = 0; d < nx; d++)
		if (x[d] != 0)
			add(out, weights->weight + d * n, x[d], n);
}

/* What the next number is multiplied by: 0, or so much that the mean of all stays what it was. */
static float kept(struct trainer *t, float part)
{
	return some(t) < part ? 1 / part : 0;
}

/* One word of a layer, of which a part is left out. */
static void put_layer(struct trainer *t, const struct layer *l, const float *x, struct output o)
{
	memcpy(o.out, t->part[l->adds].weight, l->n * sizeof(*o.out));
	add_products(&t->part[l->weights], x, l->nx, o.out, l->n);
	for (size_t k = 0; k < l->n; k++) {
		o.kept[k] = kept(t, l->kept);
		o.out[k] = o.out[k] > 0 ? o.out[k] * o.kept[k] : 0;
	}
}

static struct output near_output(const struct pass *p, size_t i)
{
	return (struct output){ p->near[i], p->near_kept[i], p->near_gradient[i] };
}

static struct output wide_output(const struct pass *p, size_t i)
{
	return (struct output){ p->out[i] + STATES, p->out_kept[i] + STATES, p->out_gradient[i] + STATES };
}

/* The i-th word of n in one direction, and the one before it; both from 1. */
static size_t nth(enum net_direction direction, size_t i, size_t n)
{
	return direction == NET_FORWARDS ? i : n + 1 - i;
}

static size_t word_before(enum net_direction direction, size_t i, size_t n)
{
	return nth(direction, i - 1, n);
}

/* Carry a state over the message. */
static void put_state(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct way *w = &p->way[direction];
	const size_t at = direction * NET_STATE;
	for (size_t i = 1; i <= p->n; i++) {
		const size_t word = nth(direction, i, p->n);
		const float *before = w->carried[word_before(direction, i, p->n)];
		memcpy(w->in[word], t->part[IN_ADD + direction].weight, sizeof(w->in[word]));
		add_products(&t->part[IN + direction], p->near[word], NET_NEAR, w->in[word], NET_GATES);
		add_products(&t->part[STATE + direction], before, NET_STATE, w->state[word], NET_GATES);
		for (size_t k = 0; k < NET_STATE; k++) {
			w->carried[word][k] = net_mixed(net_step_of(w->in[word], w->state[word], k), before[k]);
			p->out_kept[word][at + k] = kept(t, STATE_KEPT);
			p->out[word][at + k] = w->carried[word][k] * p->out_kept[word][at + k];
		}
	}
}

static void put_all(struct pass *p)
{
	for (size_t i = 1; i <= p->n; i++)
		for (size_t k = 0; k < NET_OUT; k++)
			if (i == 1 || p->out[i][k] > p->all[k]) {
				p->all[k] = p->out[i][k];
				p->from[k] = i;
			}
}

static void forward(struct trainer *t, const struct example *x, struct pass *p)
{
	for (size_t i = 0; i < x->n; i++)
		put_input(t, x, p, i);
	for (size_t i = 1; i <= x->n; i++)
		put_layer(t, &near_layer, p->input[i - 1], near_output(p, i));
	for (size_t i = 1; i <= x->n; i++)
		put_layer(t, &wide_layer, p->near[i - 1], wide_output(p, i));
	put_state(t, p, NET_FORWARDS);
	put_state(t, p, NET_BACKWARDS);
	put_all(p);
	float all[NET_TAGS];
	memcpy(all, t->part[TAGS_ADD].weight, t->ntags * sizeof(*all));
	add_products(&t->part[TAGS_ALL], p->all, NET_OUT, all, t->ntags);
	for (size_t i = 1; i <= x->n; i++) {
		memcpy(p->tag[i], all, t->ntags * sizeof(*all));
		add_products(&t->part[TAGS], p->out[i], NET_OUT, p->tag[i], t->ntags);
	}
	memcpy(p->plan, t->part[PLANS_ADD].weight, t->nplans * sizeof(*p->plan));
	add_products(&t->part[PLANS], p->all + STATES, NET_WIDE, p->plan, t->nplans);
}

/* ---- back ------------------------------------------------------------------------------------ */

/* Turns scores into gradients: softmax, less 1 for the right class. */
static void make_gradients(float *score, size_t n, size_t right)
{
	float most = score[0], sum = 0;
	for (size_t i = 1; i < n; i++)
		most = score[i] > most ? score[i] : most;
	for (size_t i = 0; i < n; i++)
		sum += score[i] = expf(score[i] - most);
	for (size_t i = 0; i < n; i++)
		score[i] /= sum;
	score[right] -= 1;
}

/* Backpropagates through products: the gradients of the weights, and that of x where x is not 0. */
static void products_back(struct part *weights, const float *x, size_t nx, const float *gradient, size_t n, float *x_gradient)
{
	for (size_t d = 0; d < nx; d++) {
		if (x[d] == 0)
			continue;
		add(weights->gradient + d * n, gradient, x[d], n);
		x_gradient[d] += product(weights->weight + d * n, gradient, n);
	}
}

/* Backpropagates through one word of a layer. */
static void layer_back(struct trainer *t, const struct layer *l, const float *x, struct output o, float *x_gradient)
{
	float gradient[NET_NEAR > NET_WIDE ? NET_NEAR : NET_WIDE];
	struct part *weights = &t->part[l->weights];
	for (size_t k = 0; k < l->n; k++)
		gradient[k] = o.out[k] > 0 ? o.gradient[k] * o.kept[k] : 0;
	add(t->part[l->adds].gradient, gradient, 1, l->n);
	products_back(weights, x, l->nx, gradient, l->n, x_gradient);
	for (size_t d = 0; l->input && d < l->nx; d++)
		if (x[d] == 0)
			x_gradient[d] += product(weights->weight + d * l->n, gradient, l->n);
}

/* Backpropagates through one number of a step. gradient: of the state behind it; afterwards what goes straight to the state before. */
static void step_back(struct net_step s, size_t k, float before, float *gradient, float in[NET_GATES], float state[NET_GATES])
{
	const float keep = net_gate(s.keep_in), mix = net_gate(s.mix_in), fresh = net_new(s);
	const float of_new = *gradient * (1 - mix) * net_squash_slope(s.new_in + keep * s.new_state);
	in[k] = state[k] = of_new * s.new_state * net_gate_slope(s.keep_in);
	in[NET_STATE + k] = state[NET_STATE + k] = *gradient * (before - fresh) * net_gate_slope(s.mix_in);
	in[2 * NET_STATE + k] = of_new;
	state[2 * NET_STATE + k] = of_new * keep;
	*gradient *= mix;
}

/* Backpropagates through a state, from its last word to its first. */
static void state_back(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct way *w = &p->way[direction];
	const size_t at = direction * NET_STATE;
	float carried[NET_STATE] = { 0 }, in[NET_GATES], state[NET_GATES];
	for (size_t i = p->n; i > 0; i--) {
		const size_t word = nth(direction, i, p->n);
		const float *before = w->carried[word_before(direction, i, p->n)];
		for (size_t k = 0; k < NET_STATE; k++) {
			carried[k] += p->out_gradient[word][at + k] * p->out_kept[word][at + k];
			step_back(net_step_of(w->in[word], w->state[word], k), k, before[k], &carried[k], in, state);
		}
		add(t->part[IN_ADD + direction].gradient, in, 1, NET_GATES);
		products_back(&t->part[IN + direction], p->near[word], NET_NEAR, in, NET_GATES, p->near_gradient[word]);
		products_back(&t->part[STATE + direction], before, NET_STATE, state, NET_GATES, carried);
	}
}

static void tags_back(struct trainer *t, const struct example *x, struct pass *p, float all_gradient[NET_OUT])
{
	float sum[NET_TAGS] = { 0 };
	for (size_t i = 1; i <= x->n; i++) {
		make_gradients(p->tag[i], t->ntags, x->word[i - 1].tag);
		add(sum, p->tag[i], 1, t->ntags);
		products_back(&t->part[TAGS], p->out[i], NET_OUT, p->tag[i], t->ntags, p->out_gradient[i]);
	}
	add(t->part[TAGS_ADD].gradient, sum, 1, t->ntags);
	products_back(&t->part[TAGS_ALL], p->all, NET_OUT, sum, t->ntags, all_gradient);
}

static void rows_back(struct trainer *t, const struct word_rows *used, const float gradient[NET_LEARNED], float rate)
{
	const float square = product(gradient, gradient, NET_LEARNED) / NET_LEARNED;
	for (size_t k = 0; square > 0 && k < used->n; k++) {
		const uint32_t row = used->row[k];
		t->row_square[row] += square;
		add(t->row[row], gradient, -rate / (sqrtf(t->row_square[row]) + 1e-3F), NET_LEARNED);
	}
}

static void back(struct trainer *t, const struct example *x, struct pass *p, float row_rate)
{
	float all_gradient[NET_OUT] = { 0 };
	if (x->plan != NONE) {
		make_gradients(p->plan, t->nplans, (size_t)x->plan);
		add(t->part[PLANS_ADD].gradient, p->plan, 1, t->nplans);
		products_back(&t->part[PLANS], p->all + STATES, NET_WIDE, p->plan, t->nplans, all_gradient + STATES);
	}
	if (!x->plan_only)
		tags_back(t, x, p, all_gradient);
	for (size_t k = 0; k < NET_OUT; k++)
		if (p->from[k] != 0)
			p->out_gradient[p->from[k]][k] += all_gradient[k];
	for (size_t i = 1; i <= x->n; i++)
		layer_back(t, &wide_layer, p->near[i - 1], wide_output(p, i), p->near_gradient[i - 1]);
	state_back(t, p, NET_FORWARDS);
	state_back(t, p, NET_BACKWARDS);
	for (size_t i = 1; i <= x->n; i++)
		layer_back(t, &near_layer, p->input[i - 1], near_output(p, i), p->input_gradient[i - 1]);
	for (size_t i = 0; i < x->n; i++)
		rows_back(t, &p->used[i], p->input_gradient[i + 1] + NET_MEANING, row_rate);
}

static void learn_from(struct trainer *t, const struct example *x, float row_rate)
{
	struct arena *a = arena_new();
	const size_t n = x->n + 2;
	struct pass *p = arena_alloc(a, sizeof(*p));
	*p = (struct pass){ .n = x->n, .input = arena_array(a, n, sizeof(*p->input)), .near = arena_array(a, n, sizeof(*p->near)),
		.out = arena_array(a, n, sizeof(*p->out)), .near_kept = arena_array(a, n, sizeof(*p->near_kept)),
		.out_kept = arena_array(a, n, sizeof(*p->out_kept)), .input_gradient = arena_array(a, n, sizeof(*p->input_gradient)),
		.near_gradient = arena_array(a, n, sizeof(*p->near_gradient)), .out_gradient = arena_array(a, n, sizeof(*p->out_gradient)),
		.tag = arena_array(a, n, sizeof(*p->tag)), .used = arena_array(a, n, sizeof(*p->used)) };
	for (size_t i = 0; i < NET_WAYS; i++)
		p->way[i] = (struct way){ arena_array(a, n, sizeof(*p->way->in)), arena_array(a, n, sizeof(*p->way->state)),
			arena_array(a, n, sizeof(*p->way->carried)) };
	forward(t, x, p);
	back(t, x, p, row_rate);
	arena_free(a);
}

/* Large steps at first, then small ones. */
static float rate_of(unsigned round, unsigned rounds)
{
	return 2 * round < rounds ? 1 : 4 * round < 3 * rounds ? 0.4F : 0.15F;
}

static void learn(struct trainer *t, unsigned rounds)
{
	size_t *order = arena_array(t->mem, t->n + 1, sizeof(*order));
	t->first = t->second = 1;
	for (unsigned round = 0; round < rounds; round++) {
		const float rate = rate_of(round, rounds);
		t->last = 4 * round >= 3 * rounds;
		adagrad_shuffle(order, t->n, &t->random);
		for (size_t i = 0; i < t->n; i++) {
			learn_from(t, &t->example[order[i]], ROW_RATE * rate);
			if ((i + 1) % BATCH == 0)
				step(t, RATE * rate);
		}
	}
	keep_means(t);
}

/* ---- the net as models ----------------------------------------------------------------------- */

/* A place for n weights of 16 bits, two of which are one number of a model. */
static int16_t *weights_of(struct arena *a, struct linear_draft *d, size_t n)
{
	int16_t *out = arena_array(a, n + 1, sizeof(*out));
	d->number = (const int32_t *)(const void *)out;
	d->nnumbers = (n + 1) / 2;
	return out;
}

static int16_t whole(float x, float one)
{
	return (int16_t)lroundf(fminf(fmaxf(x, -MOST), MOST) * one);
}

/* The weights of a part lie as [x][out] while they are learned, and as [out][x] in the file. */
static int16_t *put_part(int16_t *to, const struct part *p, size_t n)
{
	const size_t nx = p->n / n;
	for (size_t k = 0; k < n; k++)
		for (size_t d = 0; d < nx; d++)
			*to++ = whole(p->weight[d * n + k], NET_BY);
	return to;
}

static int16_t *put_adds(int16_t *to, const struct part *p)
{
	for (size_t k = 0; k < p->n; k++)
		*to++ = whole(p->weight[k], NET_ONE);
	return to;
}

static const char *const *names(struct arena *a, const char *const *name, size_t n)
{
	const char **out = arena_array(a, n + 1, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		out[i] = arena_strdup(a, name[i]);
	return out;
}

/* Rows are scaled so that their greatest weight fits a byte. */
static void put_rows(const struct trainer *t, struct arena *a, struct linear_draft *d)
{
	static const char *const class_name[] = { "row" };
	float most = 1e-3F;
	for (size_t i = 1; i < t->nrows; i++)
		for (size_t k = 0; k < NET_LEARNED; k++)
			most = fmaxf(most, fabsf(t->row[i][k]));
	int32_t *number = arena_array(a, 1 + t->nrows * NET_LEARNED / sizeof(*number), sizeof(*number));
	int8_t *byte = (int8_t *)(number + 1);
	number[0] = (int32_t)fmaxf(1, floorf(INT8_MAX / most));
	for (size_t i = 1; i < t->nrows; i++)
		for (size_t k = 0; k < NET_LEARNED; k++)
			byte[i * NET_LEARNED + k] = (int8_t)lroundf(t->row[i][k] * (float)number[0]);
	*d = (struct linear_draft){ .name = "net words", .nclasses = 1, .class_name = class_name, .number = number,
		.nnumbers = 1 + t->nrows * NET_LEARNED / sizeof(*number), .entry = arena_array(a, t->nrows, sizeof(*d->entry)) };
	for (size_t i = 0; i < t->seen.n; i++)
		if (t->row_of[i] != 0)
			d->entry[d->n++] = (struct linear_entry){ t->seen.row[i].feature, 0, (int)t->row_of[i] };
}

static void put_net(const struct trainer *t, struct arena *a, struct linear_draft draft[NET_MODELS])
{
	const struct part *p = t->part;
	draft[0] = (struct linear_draft){ .name = "net" };
	size_t layers = 0;
	for (size_t k = NEAR; k < TAGS; k++)
		layers += p[k].n;
	int16_t *to = weights_of(a, &draft[0], layers);
	to = put_adds(put_part(to, &p[NEAR], NET_NEAR), &p[NEAR_ADD]);
	to = put_adds(put_part(to, &p[WIDE], NET_WIDE), &p[WIDE_ADD]);
	for (size_t i = 0; i < NET_WAYS; i++)
		to = put_part(put_adds(put_part(to, &p[IN + i], NET_GATES), &p[IN_ADD + i]), &p[STATE + i], NET_GATES);
	draft[1] = (struct linear_draft){ .name = "net tags", .nclasses = t->ntags, .class_name = names(a, t->tag, t->ntags) };
	to = weights_of(a, &draft[1], p[TAGS].n + p[TAGS_ALL].n + p[TAGS_ADD].n);
	put_adds(put_part(put_part(to, &p[TAGS], t->ntags), &p[TAGS_ALL], t->ntags), &p[TAGS_ADD]);
	draft[2] = (struct linear_draft){ .name = "net plans", .nclasses = t->nplans, .class_name = names(a, t->plan, t->nplans) };
	to = weights_of(a, &draft[2], p[PLANS].n + p[PLANS_ADD].n);
	put_adds(put_part(to, &p[PLANS], t->nplans), &p[PLANS_ADD]);
	put_rows(t, a, &draft[3]);
}

enum errcode net_train(struct linear_draft draft[NET_MODELS], struct arena *a, const struct net_lesson *lesson, size_t n,
    unsigned rounds, struct err *e)
{
	struct trainer *t = heap_new(sizeof(*t));
	enum errcode rc = OK;
	*t = (struct trainer){ .mem = arena_new(), .random = 1, .n = n, .ntags = TAG_FIRST, .tag = { "", "+" } };
	weights_init(&t->seen, t->mem);
	for (size_t i = 0; rc == OK && i < n; i++) {
		count_features(t, &lesson[i]);
		if (!find_names(t, &lesson[i]))
			rc = err_set(e, ERR_CONFIG, "the lessons have more than %d tags or %d plans", NET_TAGS, NET_PLANS);
	}
	if (rc == OK && t->nplans == 0)
		rc = err_set(e, ERR_CONFIG, "no lesson has exactly one plan");
	if (rc == OK) {
		number_rows(t);
		t->example = arena_array(t->mem, n + 1, sizeof(*t->example));
		for (size_t i = 0; i < n; i++)
			make_example(t, &t->example[i], &lesson[i]);
		make_weights(t);
		learn(t, rounds != 0 ? rounds : ROUNDS);
		put_net(t, a, draft);
	}
	arena_free(t->mem);
	free(t);
	return rc;
}
