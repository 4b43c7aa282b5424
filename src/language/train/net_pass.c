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

/* The numbers of some words. Those of a word lie `apart` behind those of the word before it; or before them, if the words are taken from the
 * last to the first. */
struct numbers {
	float *at;
	ptrdiff_t apart;
};

/* Those of the i-th of these words, counted from 0. */
static float *numbers_of(struct numbers x, size_t i)
{
	return x.at + (ptrdiff_t)i * x.apart;
}

/* What comes out of a layer: the numbers, what each was multiplied by (0 if it was left out), and its gradient. */
struct output {
	struct numbers out, kept, gradient;
};

/* A state on its way over a message. */
struct state_pass {
	float (*in)[NET_GATES], (*before)[NET_GATES];    /* what goes into the step of each word: from the word, and from the state before */
	float (*in_gradient)[NET_GATES];
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

/* Eight numbers at once, wherever they lie. Compilers make poor use of the processor if they are to find such groups themselves. */
enum { EIGHT = 8 };
typedef float eight __attribute__((vector_size(EIGHT * sizeof(float)), aligned(sizeof(float)), may_alias));

enum { BLOCK = 4, PRODUCTS = 4 };     /* groups of eight, and products, that are added up at the same time */

/* out += by * x */
static void add(float *out, const float *x, float by, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] += by * x[i];
}

/* out += by[0] * the first row + by[1] * the second … */
static void add_rows(float *out, size_t n, struct numbers by, struct numbers row, size_t rows)
{
	size_t k = 0;
	for (; k + BLOCK * EIGHT <= n; k += BLOCK * EIGHT) {
		eight *to = (eight *)(out + k), sum[BLOCK] = { to[0], to[1], to[2], to[3] };
		for (size_t r = 0; r < rows; r++) {
			const eight *x = (const eight *)(numbers_of(row, r) + k);
			const float times = *numbers_of(by, r);
			if (times != 0)
				for (size_t i = 0; i < BLOCK; i++)
					sum[i] += times * x[i];
		}
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = sum[i];
	}
	for (size_t r = 0; k < n && r < rows; r++)
		if (*numbers_of(by, r) != 0)
			add(out + k, numbers_of(row, r) + k, *numbers_of(by, r), n - k);
}

/* The sum of each x * y. */
static void products(const float *const x[PRODUCTS], const float *y, size_t n, float out[PRODUCTS])
{
	eight sum[PRODUCTS] = { { 0 } };
	size_t i = 0;
	for (; i + EIGHT <= n; i += EIGHT)
		for (size_t p = 0; p < PRODUCTS; p++)
			sum[p] += *(const eight *)(x[p] + i) * *(const eight *)(y + i);
	for (size_t p = 0; p < PRODUCTS; p++) {
		out[p] = 0;
		for (size_t k = 0; k < EIGHT; k++)
			out[p] += sum[p][k];
		for (size_t k = i; k < n; k++)
			out[p] += x[p][k] * y[k];
	}
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

/* out += weights * x, for some words. */
static void add_products(const struct part *weights, struct numbers x, size_t nx, struct numbers out, size_t n, size_t words)
{
	for (size_t i = 0; i < words; i++)
		add_rows(numbers_of(out, i), n, (struct numbers){ numbers_of(x, i), 1 }, (struct numbers){ weights->weight, (ptrdiff_t)n }, nx);
}

/* What the next number is multiplied by: 0, or 1 / part, so that the mean stays the same. */
static float kept(struct trainer *t, float part)
{
	return net_chance(t) < part ? 1 / part : 0;
}

/* The numbers of each word begin as these. */
static void begin_with(const float *x, struct numbers out, size_t n, size_t words)
{
	for (size_t i = 0; i < words; i++)
		memcpy(numbers_of(out, i), x, n * sizeof(*x));
}

/* A layer, of which a part is left out. */
static void put_layer(struct trainer *t, const struct layer *l, struct numbers x, struct output o, size_t words)
{
	begin_with(t->part[l->adds].weight, o.out, l->n, words);
	add_products(&t->part[l->weights], x, l->nx, o.out, l->n, words);
	for (size_t i = 0; i < words; i++) {
		float *out = numbers_of(o.out, i), *by = numbers_of(o.kept, i);
		for (size_t k = 0; k < l->n; k++) {
			by[k] = kept(t, l->kept);
			out[k] = out[k] > 0 ? out[k] * by[k] : 0;
		}
	}
}

static struct numbers one_word(float *at)
{
	return (struct numbers){ at, 0 };
}

/* The i-th word of n in one direction, counted from 1. Before the first one, the state is that of a word of zeros. */
static size_t nth(enum net_direction direction, size_t i, size_t n)
{
	return direction == NET_FORWARDS ? i : n + 1 - i;
}

/* Of the words from the i-th on: [word][apart]. */
static struct numbers from_word(size_t i, float *first, size_t apart)
{
	return (struct numbers){ first + i * apart, (ptrdiff_t)apart };
}

/* Of all words, from the last that a state has read to the first. */
static struct numbers back_from(enum net_direction direction, size_t n, float *first, size_t apart)
{
	return direction == NET_FORWARDS ? (struct numbers){ first + n * apart, -(ptrdiff_t)apart } : from_word(1, first, apart);
}

static struct output near_output(const struct pass *p)
{
	return (struct output){ from_word(1, *p->near, NET_NEAR), from_word(1, *p->near_kept, NET_NEAR), from_word(1, *p->near_gradient, NET_NEAR) };
}

static struct output wide_output(const struct pass *p)
{
	return (struct output){ from_word(1, *p->out + NET_WIDE_AT, NET_OUT), from_word(1, *p->out_kept + NET_WIDE_AT, NET_OUT),
		from_word(1, *p->out_gradient + NET_WIDE_AT, NET_OUT) };
}

/* Carry a state over the message. */
static void put_state(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct state_pass *w = &p->state[direction];
	const size_t at = direction * NET_STATE;
	const struct numbers in = from_word(1, *w->in, NET_GATES);
	begin_with(t->part[IN_ADD + direction].weight, in, NET_GATES, p->n);
	add_products(&t->part[IN + direction], from_word(1, *p->near, NET_NEAR), NET_NEAR, in, NET_GATES, p->n);
	for (size_t i = 1; i <= p->n; i++) {
		const size_t word = nth(direction, i, p->n);
		float *before = w->after[nth(direction, i - 1, p->n)];
		add_products(&t->part[STATE + direction], one_word(before), NET_STATE, one_word(w->before[word]), NET_GATES, 1);
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
	put_layer(t, &near_layer, from_word(0, *p->input, NET_INPUT), near_output(p), x->n);
	put_layer(t, &wide_layer, from_word(0, *p->near, NET_NEAR), wide_output(p), x->n);
	put_state(t, p, NET_FORWARDS);
	put_state(t, p, NET_BACKWARDS);
	put_all(p);
	float all[NET_TAGS];
	memcpy(all, t->part[TAGS_ADD].weight, t->ntags * sizeof(*all));
	add_products(&t->part[TAGS_ALL], one_word(p->all), NET_OUT, one_word(all), t->ntags, 1);
	begin_with(all, from_word(1, *p->tag, NET_TAGS), t->ntags, x->n);
	add_products(&t->part[TAGS], from_word(1, *p->out, NET_OUT), NET_OUT, from_word(1, *p->tag, NET_TAGS), t->ntags, x->n);
	memcpy(p->plan, t->part[PLANS_ADD].weight, t->nplans * sizeof(*p->plan));
	add_products(&t->part[PLANS], one_word(p->all + NET_WIDE_AT), NET_WIDE, one_word(p->plan), t->nplans, 1);
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

/* x_gradient += weights * gradient, for one word. all: also where x is 0. */
static void add_products_back(const struct part *weights, const float *x, size_t nx, const float *gradient, size_t n, float *x_gradient, bool all)
{
	const float *row[PRODUCTS];
	float of[PRODUCTS];
	size_t where[PRODUCTS], some = 0;
	for (size_t d = 0; d < nx; d++) {
		if (x[d] != 0 || all) {
			row[some] = weights->weight + d * n;
			where[some++] = d;
		}
		if (some < PRODUCTS && (d + 1 < nx || some == 0))
			continue;
		for (size_t k = some; k < PRODUCTS; k++)
			row[k] = row[0];
		products(row, gradient, n, of);
		for (size_t k = 0; k < some; k++)
			x_gradient[where[k]] += of[k];
		some = 0;
	}
}

/* Backpropagates through products, for some words: the gradients of the weights, and those of x. all: of x also where it is 0. */
static void products_back(struct part *weights, struct numbers x, size_t nx, struct numbers gradient, size_t n, struct numbers x_gradient,
    size_t words, bool all)
{
	for (size_t d = 0; d < nx; d++)
		add_rows(weights->gradient + d * n, n, (struct numbers){ x.at + d, x.apart }, gradient, words);
	for (size_t i = 0; i < words; i++)
		add_products_back(weights, numbers_of(x, i), nx, numbers_of(gradient, i), n, numbers_of(x_gradient, i), all);
}

/* Backpropagates through a layer. Its gradient becomes that of the sums in it. */
static void layer_back(struct trainer *t, const struct layer *l, struct numbers x, struct output o, struct numbers x_gradient, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		float *gradient = numbers_of(o.gradient, i);
		for (size_t k = 0; k < l->n; k++)
			gradient[k] = numbers_of(o.out, i)[k] > 0 ? gradient[k] * numbers_of(o.kept, i)[k] : 0;
		add(t->part[l->adds].gradient, gradient, 1, l->n);
	}
	products_back(&t->part[l->weights], x, l->nx, o.gradient, l->n, x_gradient, words, l->input);
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
	float carried[NET_STATE] = { 0 }, state[NET_GATES];
	for (size_t i = p->n; i > 0; i--) {
		const size_t word = nth(direction, i, p->n);
		float *before = w->after[nth(direction, i - 1, p->n)], *in = w->in_gradient[word];
		for (size_t k = 0; k < NET_STATE; k++) {
			carried[k] += p->out_gradient[word][at + k] * p->out_kept[word][at + k];
			step_back(net_step_of(w->in[word], w->before[word], k), k, before[k], &carried[k], in, state);
		}
		add(t->part[IN_ADD + direction].gradient, in, 1, NET_GATES);
		products_back(&t->part[STATE + direction], one_word(before), NET_STATE, one_word(state), NET_GATES, one_word(carried), 1, false);
	}
	products_back(&t->part[IN + direction], back_from(direction, p->n, *p->near, NET_NEAR), NET_NEAR,
	    back_from(direction, p->n, *w->in_gradient, NET_GATES), NET_GATES, back_from(direction, p->n, *p->near_gradient, NET_NEAR), p->n, false);
}

static void tags_back(struct trainer *t, const struct example *x, struct pass *p, float all_gradient[NET_OUT])
{
	float sum[NET_TAGS] = { 0 };
	for (size_t i = 1; i <= x->n; i++) {
		make_gradients(p->tag[i], t->ntags, x->word[i - 1].tag);
		add(sum, p->tag[i], 1, t->ntags);
	}
	products_back(&t->part[TAGS], from_word(1, *p->out, NET_OUT), NET_OUT, from_word(1, *p->tag, NET_TAGS), t->ntags,
	    from_word(1, *p->out_gradient, NET_OUT), x->n, false);
	add(t->part[TAGS_ADD].gradient, sum, 1, t->ntags);
	products_back(&t->part[TAGS_ALL], one_word(p->all), NET_OUT, one_word(sum), t->ntags, one_word(all_gradient), 1, false);
}

static void rows_back(struct trainer *t, const struct word_rows *used, const float gradient[NET_LEARNED], float rate)
{
	float square = 0;
	for (size_t d = 0; d < NET_LEARNED; d++)
		square += gradient[d] * gradient[d] / NET_LEARNED;
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
		products_back(&t->part[PLANS], one_word(p->all + NET_WIDE_AT), NET_WIDE, one_word(p->plan), t->nplans,
		    one_word(all_gradient + NET_WIDE_AT), 1, false);
	}
	if (!x->plan_only)
		tags_back(t, x, p, all_gradient);
	for (size_t k = 0; k < NET_OUT; k++)
		if (p->from[k] != 0)
			p->out_gradient[p->from[k]][k] += all_gradient[k];
	layer_back(t, &wide_layer, from_word(0, *p->near, NET_NEAR), wide_output(p), from_word(0, *p->near_gradient, NET_NEAR), x->n);
	state_back(t, p, NET_FORWARDS);
	state_back(t, p, NET_BACKWARDS);
	layer_back(t, &near_layer, from_word(0, *p->input, NET_INPUT), near_output(p), from_word(0, *p->input_gradient, NET_INPUT), x->n);
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
			arena_array(a, n, sizeof(*p->state->in_gradient)), arena_array(a, n, sizeof(*p->state->after)) };
	forward(t, x, p);
	back(t, x, p, row_rate);
	arena_free(a);
}
