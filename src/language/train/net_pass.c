/*
 * One lesson: it goes forward through the net, and what was wrong goes back through it (backpropagation; through a state, from its last word
 * to its first). Numbers are left out by chance (dropout), so that no single one decides.
 */
#include "language/train/net_train_own.h"

#include <math.h>
#include <string.h>

#include "language/net_gates.h"

enum {
	WORD_DROPPED = 30,            /* of a hundred words lose the row of the word itself */
	FEATURE_DROPPED = 10,         /* of a hundred features */
	SUMS = 8,                     /* part sums of a long sum, in an order that does not depend on the compiler */
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

/* What comes out of a layer for one word: the numbers, what each was multiplied by (0 if it was left out), and its gradient. */
struct output {
	float *out, *kept, *gradient;
};

/* A state on its way over a message. */
struct state_pass {
	float (*in)[NET_GATES], (*before)[NET_GATES];    /* what goes into the step of each word: from the word, and from the state before */
	float (*after)[NET_STATE];                       /* the state after it */
};

/* A message on its way, with a word of zeros at each end. All of it is 0 at first, and used once. */
struct pass {
	size_t n;
	float (*input)[NET_INPUT], (*near)[NET_NEAR], (*out)[NET_OUT];
	struct state_pass state[NET_DIRECTIONS];
	float (*near_kept)[NET_NEAR], (*out_kept)[NET_OUT];     /* what each was multiplied by; 0: it was left out */
	float (*input_gradient)[NET_INPUT], (*near_gradient)[NET_NEAR], (*out_gradient)[NET_OUT];
	float (*tag)[NET_TAGS], plan[NET_PLANS];
	float all[NET_OUT];                   /* the greatest of all words */
	size_t from[NET_OUT];                 /* and whose it is; 0: nobody's */
	struct word_rows *used;               /* the features that were not left out */
};

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

/* What the next number is multiplied by: 0, or 1 / part, so that the mean stays the same. */
static float kept(struct trainer *t, float part)
{
	return net_chance(t) < part ? 1 / part : 0;
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
	return (struct output){ p->out[i] + NET_WIDE_AT, p->out_kept[i] + NET_WIDE_AT, p->out_gradient[i] + NET_WIDE_AT };
}

/* The i-th word of n in one direction, counted from 1. Before the first one, the state is that of a word of zeros. */
static size_t nth(enum net_direction direction, size_t i, size_t n)
{
	return direction == NET_FORWARDS ? i : n + 1 - i;
}

/* Carry a state over the message. */
static void put_state(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct state_pass *w = &p->state[direction];
	const size_t at = direction * NET_STATE;
	for (size_t i = 1; i <= p->n; i++) {
		const size_t word = nth(direction, i, p->n);
		const float *before = w->after[nth(direction, i - 1, p->n)];
		memcpy(w->in[word], t->part[IN_ADD + direction].weight, sizeof(w->in[word]));
		add_products(&t->part[IN + direction], p->near[word], NET_NEAR, w->in[word], NET_GATES);
		add_products(&t->part[STATE + direction], before, NET_STATE, w->before[word], NET_GATES);
		for (size_t k = 0; k < NET_STATE; k++) {
			w->after[word][k] = net_next(net_step_of(w->in[word], w->before[word], k), before[k]);
			p->out_kept[word][at + k] = kept(t, STATE_KEPT);
			p->out[word][at + k] = w->after[word][k] * p->out_kept[word][at + k];
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
	add_products(&t->part[PLANS], p->all + NET_WIDE_AT, NET_WIDE, p->plan, t->nplans);
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

/* Backpropagates through one number of a step. gradient: of the state after the step; on return, of
 * the state before, as far as the update gate lets it through. */
static void step_back(struct net_step s, size_t k, float before, float *gradient, float in[NET_GATES], float state[NET_GATES])
{
	const float reset = net_gate(s.reset), update = net_gate(s.update), candidate = net_candidate(s);
	const float of_candidate = *gradient * (1 - update) * net_squash_slope(s.candidate_in + reset * s.candidate_state);
	in[k] = state[k] = of_candidate * s.candidate_state * net_gate_slope(s.reset);
	in[NET_STATE + k] = state[NET_STATE + k] = *gradient * (before - candidate) * net_gate_slope(s.update);
	in[2 * NET_STATE + k] = of_candidate;
	state[2 * NET_STATE + k] = of_candidate * reset;
	*gradient *= update;
}

/* Backpropagates through a state, from its last word to its first. */
static void state_back(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct state_pass *w = &p->state[direction];
	const size_t at = direction * NET_STATE;
	float carried[NET_STATE] = { 0 }, in[NET_GATES], state[NET_GATES];
	for (size_t i = p->n; i > 0; i--) {
		const size_t word = nth(direction, i, p->n);
		const float *before = w->after[nth(direction, i - 1, p->n)];
		for (size_t k = 0; k < NET_STATE; k++) {
			carried[k] += p->out_gradient[word][at + k] * p->out_kept[word][at + k];
			step_back(net_step_of(w->in[word], w->before[word], k), k, before[k], &carried[k], in, state);
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
	if (x->plan != NET_NO_PLAN) {
		make_gradients(p->plan, t->nplans, (size_t)x->plan);
		add(t->part[PLANS_ADD].gradient, p->plan, 1, t->nplans);
		products_back(&t->part[PLANS], p->all + NET_WIDE_AT, NET_WIDE, p->plan, t->nplans, all_gradient + NET_WIDE_AT);
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

void net_learn_from(struct trainer *t, const struct example *x, float row_rate)
{
	struct arena *a = arena_new();
	const size_t n = x->n + 2;
	struct pass *p = arena_alloc(a, sizeof(*p));
	*p = (struct pass){ .n = x->n, .input = arena_array(a, n, sizeof(*p->input)), .near = arena_array(a, n, sizeof(*p->near)),
		.out = arena_array(a, n, sizeof(*p->out)), .near_kept = arena_array(a, n, sizeof(*p->near_kept)),
		.out_kept = arena_array(a, n, sizeof(*p->out_kept)), .input_gradient = arena_array(a, n, sizeof(*p->input_gradient)),
		.near_gradient = arena_array(a, n, sizeof(*p->near_gradient)), .out_gradient = arena_array(a, n, sizeof(*p->out_gradient)),
		.tag = arena_array(a, n, sizeof(*p->tag)), .used = arena_array(a, n, sizeof(*p->used)) };
	for (size_t i = 0; i < NET_DIRECTIONS; i++)
		p->state[i] = (struct state_pass){ arena_array(a, n, sizeof(*p->state->in)), arena_array(a, n, sizeof(*p->state->before)),
			arena_array(a, n, sizeof(*p->state->after)) };
	forward(t, x, p);
	back(t, x, p, row_rate);
	arena_free(a);
}
