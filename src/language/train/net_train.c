/*
 * After each BATCH lessons (net_pass.c) all weights take one step (Adam: Kingma and Ba, ICLR 2015). What lessons behind the last full batch of
 * a round taught goes into the first step of the next. The rows of features, of which a lesson has few, step at once (AdaGrad).
 *
 * A message of one plan teaches that plan, and every message whose words were marked teaches their tags. At the end each weight
 * but those of the rows is replaced by its mean over the last quarter of the rounds (averaging: Polyak and Juditsky, SIAM J. Control
 * Optim. 30, 1992). Such a net understands new authors better.
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
#include "language/tagger_own.h"
#include "language/train/net_train_own.h"

enum {
	ROUNDS = 5,
	BATCH = 16,
	LEAST = 6,                    /* a feature gets a row only if at least so many authors have it; number_rows() raises the number until all rows fit */
};

static const float RATE = 1e-3F, ROW_RATE = 2e-2F;
static const float FIRST = 0.9F, SECOND = 0.999F;     /* Adam's: how much of the last step and square stays */
static const float MOST = 7.9F;                       /* greater weights are cut to this */

/* ---- examples -------------------------------------------------------------------------------- */

static int number_of(const char **name, size_t *n, size_t most, const char *wanted)
{
	for (size_t i = 0; i < *n; i++)
		if (streq(name[i], wanted))
			return (int)i;
	if (*n == most)
		return NET_NO_PLAN;
	name[*n] = wanted;
	return (int)(*n)++;
}

static int plan_of(struct trainer *t, const struct reading *gold)
{
	const struct reading_plan *p = &gold->plan[0];
	if (gold->nplans != 1)
		return NET_NO_PLAN;
	return number_of(t->plan, &t->nplans, NET_PLANS, arena_printf(t->mem, "%s|%s", p->kind != NULL ? p->kind : "-", p->plan));
}

static bool find_names(struct trainer *t, const struct net_lesson *l)
{
	for (size_t k = 0; k < l->gold->nmarks; k++) {
		const struct mark *m = &l->gold->mark[k];
		if (number_of(t->tag, &t->ntags, NET_TAGS, tag_name(t->mem, m, tag_within(m, l->value[k]))) == NET_NO_PLAN)
			return false;
	}
	return l->gold->nplans != 1 || plan_of(t, l->gold) != NET_NO_PLAN;
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

static void make_part(struct trainer *t, enum part_name name, size_t n, float most)
{
	struct part *p = &t->part[name];
	*p = (struct part){ n, arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)),
		arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)), arena_array(t->mem, n, sizeof(float)) };
	for (size_t i = 0; i < n; i++)
		p->weight[i] = (2 * net_chance(t) - 1) * most;
}

static void make_weights(struct trainer *t)
{
	make_part(t, NEAR, NET_SPAN * NET_INPUT * NET_NEAR, 0.08F);
	make_part(t, NEAR_ADD, NET_NEAR, 0);
	make_part(t, WIDE, NET_SPAN * NET_NEAR * NET_WIDE, 0.1F);
	make_part(t, WIDE_ADD, NET_WIDE, 0);
	for (unsigned i = 0; i < NET_DIRECTIONS; i++) {
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
			t->row[i][d] = (2 * net_chance(t) - 1) * 0.1F;
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
			net_learn_from(t, &t->example[order[i]], ROW_RATE * rate);
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
	for (size_t k = NEAR; k < LAYERS_END; k++)
		layers += p[k].n;
	int16_t *to = weights_of(a, &draft[0], layers);
	to = put_adds(put_part(to, &p[NEAR], NET_NEAR), &p[NEAR_ADD]);
	to = put_adds(put_part(to, &p[WIDE], NET_WIDE), &p[WIDE_ADD]);
	for (size_t i = 0; i < NET_DIRECTIONS; i++)
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
