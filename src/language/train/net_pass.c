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
	bool zeros_too;               /* also compute the gradient of inputs that are 0 */
};

static const struct layer near_layer = { NEAR, NEAR_ADD, NET_SPAN * NET_INPUT, NET_NEAR, 0.85F, true },
	wide_layer = { WIDE, WIDE_ADD, NET_SPAN * NET_NEAR, NET_WIDE, 0.7F, false };

static const float STATE_KEPT = 0.7F;      /* the part of a state that the tags see */

/* Rows of numbers, mostly one a word. apart: how many numbers lie from the start of one row to the next. It is negative if the rows run from
 * the last word to the first. */
struct rows {
	float *at;
	ptrdiff_t apart;
};

/* Row i, counted from 0. */
static float *row_of(struct rows x, size_t i)
{
	return x.at + (ptrdiff_t)i * x.apart;
}

/* What comes out of a layer: the numbers, what each was multiplied by (0 if it was left out), and its gradient. */
struct output {
	struct rows out, kept, gradient;
};

/* A state on its way over a message. */
struct state_pass {
	float (*in)[NET_GATES], (*before)[NET_GATES];    /* what goes into the step of each word: from the word, and from the state before */
	float (*in_gradient)[NET_GATES];                 /* the gradient of `in` */
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

/* Eight numbers at once, wherever they lie. The groups are written out, because compilers do not find them reliably. */
enum { EIGHT = 8 };
typedef float eight __attribute__((vector_size(EIGHT * sizeof(float)), aligned(sizeof(float)), may_alias));

enum { GROUPS = 4, PRODUCTS = 4 };    /* how many groups of eight, and how many products, are summed side by side */

/* out += by * x */
static void add(float *out, const float *x, float by, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] += by * x[i];
}

/* out += by[0] * the first row of x + by[1] * the second … */
static void add_rows(float *out, size_t n, struct rows by, struct rows x, size_t nrows)
{
	size_t k = 0;
	for (; k + GROUPS * EIGHT <= n; k += GROUPS * EIGHT) {
		eight *to = (eight *)(out + k), sum[GROUPS] = { to[0], to[1], to[2], to[3] };
		for (size_t r = 0; r < nrows; r++) {
			const eight *row = (const eight *)(row_of(x, r) + k);
			const float times = *row_of(by, r);
			if (times != 0)
				for (size_t i = 0; i < GROUPS; i++)
					sum[i] += times * row[i];
		}
		for (size_t i = 0; i < GROUPS; i++)
			to[i] = sum[i];
	}
	for (size_t r = 0; k < n && r < nrows; r++)
		if (*row_of(by, r) != 0)
			add(out + k, row_of(x, r) + k, *row_of(by, r), n - k);
}

/* *to[p] += the sum of x[p][i] * y[i], for each p < n_used. Overwrites the other x[p], so that all sums are made alike. */
static void add_each(const float *x[PRODUCTS], const float *y, size_t n, float *const to[PRODUCTS], size_t n_used)
{
	eight sum[PRODUCTS] = { { 0 } };
	size_t i = 0;
	for (size_t p = n_used; p < PRODUCTS; p++)
		x[p] = x[0];
	for (; i + EIGHT <= n; i += EIGHT)
		for (size_t p = 0; p < PRODUCTS; p++)
			sum[p] += *(const eight *)(x[p] + i) * *(const eight *)(y + i);
	for (size_t p = 0; p < n_used; p++) {
		float all = 0;
		for (size_t k = 0; k < EIGHT; k++)
			all += sum[p][k];
		for (size_t k = i; k < n; k++)
			all += x[p][k] * y[k];
		*to[p] += all;
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

/* Products of rows with a matrix: of each of `words` rows, nx numbers go in and n come out. */
struct products {
	struct part *weights;
	size_t nx, n, words;
	bool zeros_too;               /* also compute the gradient of inputs that are 0 */
};

/* out += weights * x */
static void add_products(struct products p, struct rows x, struct rows out)
{
	for (size_t i = 0; i < p.words; i++)
		add_rows(row_of(out, i), p.n, (struct rows){ row_of(x, i), 1 }, (struct rows){ p.weights->weight, (ptrdiff_t)p.n }, p.nx);
}

/* What the next number is multiplied by: 0, or 1 / part, so that the mean stays the same. */
static float kept(struct trainer *t, float part)
{
	return net_chance(t) < part ? 1 / part : 0;
}

/* Copy x into the row of each word. */
static void begin_with(const float *x, struct rows out, size_t n, size_t words)
{
	for (size_t i = 0; i < words; i++)
		memcpy(row_of(out, i), x, n * sizeof(*x));
}

/* A layer, of which a part is left out. */
static void put_layer(struct trainer *t, const struct layer *l, struct rows x, struct output o, size_t words)
{
	begin_with(t->part[l->adds].weight, o.out, l->n, words);
	add_products((struct products){ &t->part[l->weights], l->nx, l->n, words, false }, x, o.out);
	for (size_t i = 0; i < words; i++) {
		float *out = row_of(o.out, i), *by = row_of(o.kept, i);
		for (size_t k = 0; k < l->n; k++) {
			by[k] = kept(t, l->kept);
			out[k] = out[k] > 0 ? out[k] * by[k] : 0;
		}
	}
}

/* Only the row at `at`. */
static struct rows one_row(float *at)
{
	return (struct rows){ at, 0 };
}

/* The i-th word of n in one direction, counted from 1. Before the first one, the state is that of a word of zeros. */
static size_t nth(enum net_direction direction, size_t i, size_t n)
{
	return direction == NET_FORWARDS ? i : n + 1 - i;
}

/* Rows from word i on; each row has `apart` numbers. */
static struct rows from_word(size_t i, float *first, size_t apart)
{
	return (struct rows){ first + i * apart, (ptrdiff_t)apart };
}

/* The rows of all words, in the order in which a state is traced back. */
static struct rows back_from(enum net_direction direction, size_t n, float *first, size_t apart)
{
	return direction == NET_FORWARDS ? (struct rows){ first + n * apart, -(ptrdiff_t)apart } : from_word(1, first, apart);
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

static struct products near_to_gates(struct trainer *t, const struct pass *p, enum net_direction direction)
{
	return (struct products){ &t->part[IN + direction], NET_NEAR, NET_GATES, p->n, false };
}

static struct products state_to_gates(struct trainer *t, enum net_direction direction)
{
	return (struct products){ &t->part[STATE + direction], NET_STATE, NET_GATES, 1, false };
}

/* name: TAGS for `words` words; TAGS_ALL for the whole message (words = 1). */
static struct products to_tags(struct trainer *t, enum part_name name, size_t words)
{
	return (struct products){ &t->part[name], NET_OUT, t->ntags, words, false };
}

static struct products to_plans(struct trainer *t)
{
	return (struct products){ &t->part[PLANS], NET_WIDE, t->nplans, 1, false };
}

/* Carry a state over the message. */
static void put_state(struct trainer *t, struct pass *p, enum net_direction direction)
{
	const struct state_pass *w = &p->state[direction];
	const size_t at = direction * NET_STATE;
	const struct rows in = from_word(1, *w->in, NET_GATES);
	begin_with(t->part[IN_ADD + direction].weight, in, NET_GATES, p->n);
	add_products(near_to_gates(t, p, direction), from_word(1, *p->near, NET_NEAR), in);
	for (size_t i = 1; i <= p->n; i++) {
		const size_t word = nth(direction, i, p->n);
		float *before = w->after[nth(direction, i - 1, p->n)];
		add_products(state_to_gates(t, direction), one_row(before), one_row(w->before[word]));
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
	add_products(to_tags(t, TAGS_ALL, 1), one_row(p->all), one_row(all));
	begin_with(all, from_word(1, *p->tag, NET_TAGS), t->ntags, x->n);
	add_products(to_tags(t, TAGS, x->n), from_word(1, *p->out, NET_OUT), from_word(1, *p->tag, NET_TAGS));
	memcpy(p->plan, t->part[PLANS_ADD].weight, t->nplans * sizeof(*p->plan));
	add_products(to_plans(t), one_row(p->all + NET_WIDE_AT), one_row(p->plan));
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

/* x_gradient += weights * gradient, for one word. Where x is 0, only if p.zeros_too. */
static void add_products_back(struct products p, const float *x, const float *gradient, float *x_gradient)
{
	const float *row[PRODUCTS];
	float *to[PRODUCTS];
	size_t n_used = 0;
	for (size_t d = 0; d < p.nx; d++) {
		if (x[d] == 0 && !p.zeros_too)
			continue;
		row[n_used] = p.weights->weight + d * p.n;
		to[n_used++] = x_gradient + d;
		if (n_used == PRODUCTS) {
			add_each(row, gradient, p.n, to, n_used);
			n_used = 0;
		}
	}
	if (n_used > 0)
		add_each(row, gradient, p.n, to, n_used);
}

/* Backpropagates through products: the gradients of the weights, and those of x. */
static void products_back(struct products p, struct rows x, struct rows gradient, struct rows x_gradient)
{
	for (size_t d = 0; d < p.nx; d++)
		add_rows(p.weights->gradient + d * p.n, p.n, (struct rows){ x.at + d, x.apart }, gradient, p.words);
	for (size_t i = 0; i < p.words; i++)
		add_products_back(p, row_of(x, i), row_of(gradient, i), row_of(x_gradient, i));
}

/* Backpropagates through a layer. o.gradient is overwritten. On return it is the gradient of the sums, that is, of the numbers to which the
 * cut at 0 and the dropout were applied. */
static void layer_back(struct trainer *t, const struct layer *l, struct rows x, struct output o, struct rows x_gradient, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		float *gradient = row_of(o.gradient, i);
		for (size_t k = 0; k < l->n; k++)
			gradient[k] = row_of(o.out, i)[k] > 0 ? gradient[k] * row_of(o.kept, i)[k] : 0;
		add(t->part[l->adds].gradient, gradient, 1, l->n);
	}
	products_back((struct products){ &t->part[l->weights], l->nx, l->n, words, l->zeros_too }, x, o.gradient, x_gradient);
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
		products_back(state_to_gates(t, direction), one_row(before), one_row(state), one_row(carried));
	}
	products_back(near_to_gates(t, p, direction), back_from(direction, p->n, *p->near, NET_NEAR),
	    back_from(direction, p->n, *w->in_gradient, NET_GATES), back_from(direction, p->n, *p->near_gradient, NET_NEAR));
}

static void tags_back(struct trainer *t, const struct example *x, struct pass *p, float all_gradient[NET_OUT])
{
	float sum[NET_TAGS] = { 0 };
	for (size_t i = 1; i <= x->n; i++) {
		make_gradients(p->tag[i], t->ntags, x->word[i - 1].tag);
		add(sum, p->tag[i], 1, t->ntags);
	}
	products_back(to_tags(t, TAGS, x->n), from_word(1, *p->out, NET_OUT), from_word(1, *p->tag, NET_TAGS),
	    from_word(1, *p->out_gradient, NET_OUT));
	add(t->part[TAGS_ADD].gradient, sum, 1, t->ntags);
	products_back(to_tags(t, TAGS_ALL, 1), one_row(p->all), one_row(sum), one_row(all_gradient));
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
		products_back(to_plans(t), one_row(p->all + NET_WIDE_AT), one_row(p->plan), one_row(all_gradient + NET_WIDE_AT));
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
