/*
 * Each example is tagged with the weights so far, every wrong word being worth one. Where the right tags have
 * fallen behind by the greatest distance, the weights of both paths change, each by steps that become smaller the more
 * it has changed already (AdaGrad). The averages over all steps are the model.
 *
 * The model will read people whom it has never met. So a lesson does not know a word by the lesson's own author, and a
 * feature that few authors have teaches nothing.
 */
#include "language/train/tagger_train.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"
#include "language/tagger_own.h"
#include "language/train/seen.h"
#include "language/train/weights.h"

enum {
	ROUNDS = 10, SETTLED = 3,             /* SETTLED: the round before which small weights are removed */
	PLAN_LEAST = 2,                       /* messages of a plan that have a label, at least */
	SEEN_LEAST = 10,                      /* messages that have a static feature, at least */
	SHARED_LEAST = 5,                     /* authors that have it, at least */
	KNOWN_LEAST = 2,                      /* other authors that use a word outside of names, at least */
	SETTLED_LEAST = 1700, WEIGHT_LEAST = 1500,
};

static const float RATE = 0.006F;

/* A static feature of a word: the row of its weights. */
struct use {
	uint32_t row;
	float weight;
};

struct example {
	const struct tag_text *text;
	uint16_t *gold;                       /* the class of each word */
	struct use **use;                     /* of each word */
	size_t *nuse;
	struct tag_labels labels;
};

struct trainer {
	struct arena *mem;
	struct tag_set set;
	struct weights known;                 /* of each word: the authors that use it outside of names */
	struct weights plans;                 /* of each plan: the labels that were marked in its messages */
	struct weights weights;
	struct example *example;
	size_t n;
	double step;
};

/* ---- examples -------------------------------------------------------------------------------- */

static enum errcode find_tags(struct trainer *t, const struct tagger_example *x, size_t n, struct err *e)
{
	const char **name = arena_array(t->mem, TAGS_MAX + 1, sizeof(*name));
	size_t ntags = TAG_FIRST;
	name[TAG_NONE] = "";
	name[TAG_GOES_ON] = "+";
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < x[i].gold->nmarks; k++) {
			const char *tag = tag_name(t->mem, &x[i].gold->mark[k], tag_within(&x[i].gold->mark[k], x[i].value[k]));
			size_t j = TAG_FIRST;
			while (j < ntags && !streq(name[j], tag))
				j++;
			if (j == ntags && ntags <= TAGS_MAX)
				name[ntags++] = tag;
		}
	}
	return tag_set_fill(&t->set, t->mem, name, ntags) ? OK : err_set(e, ERR_CONFIG, "more than %d tags", TAGS_MAX);
}

static unsigned tag_of(const struct trainer *t, const char *name)
{
	unsigned i = TAG_FIRST;
	while (!streq(t->set.class_name[i], name))
		i++;
	return i;
}

/* What a stranger to one author knows. */
struct stranger {
	const struct weights *known;
	unsigned author;
};

static bool is_known(const void *self, uint64_t fold)
{
	const struct stranger *s = self;
	uint32_t row = weights_find(s->known, fold), others = 0;
	for (uint32_t i = 0; row != UINT32_MAX && i < s->known->row[row].n; i++)
		others += s->known->row[row].cell[i].class != s->author;
	return others >= KNOWN_LEAST;
}

/* Find who uses which words outside of names. */
static void find_known(struct trainer *t, const struct tagger_example *x, size_t n, const char *names)
{
	weights_init(&t->known, t->mem);
	for (size_t i = 0; i < n; i++) {
		const struct reading *r = x[i].gold;
		for (size_t k = 0, m = 0; k < r->words->n; k++) {
			while (m < r->nmarks && r->mark[m].last < k)
				m++;
			bool name = m < r->nmarks && r->mark[m].first <= k &&
			    one_of(r->mark[m].label, names);
			if (!name && r->words->word[k].kind != WORD_SIGN)
				weights_add(&t->known, weights_row(&t->known, feature_text(r->words->word[k].fold)),
				    x[i].author, 1, 0);
		}
	}
}

/* Count the labels of each plan. */
static void find_plans(struct trainer *t, const struct tagger_example *x, size_t n)
{
	weights_init(&t->plans, t->mem);
	for (size_t i = 0; i < n; i++) {
		const struct reading *r = x[i].gold;
		if (r->nplans != 1)
			continue;
		uint32_t row = weights_row(&t->plans, tagger_plan_feature(r->plan[0].plan));
		for (size_t k = 0; k < r->nmarks; k++) {
			const struct mark *m = &r->mark[k];
			const unsigned tag = tag_of(t, tag_name(t->mem, m, tag_within(m, x[i].value[k])));
			weights_add(&t->plans, row, t->set.tag[tag].trait[0], 1, 0);
		}
	}
}

static void find_labels(const struct trainer *t, const struct tagger_example *x, struct tag_labels *l)
{
	*l = (struct tag_labels){ .all = true };
	for (size_t i = 0; i < x->nhints; i++) {
		uint32_t row = weights_find(&t->plans, x->hint[i].feature);
		if (row == UINT32_MAX || x->hint[i].weight < TAG_PLAN_LEAST)
			continue;
		for (size_t k = 0; k < t->plans.row[row].n; k++)
			if (t->plans.row[row].cell[k].now >= PLAN_LEAST) {
				l->may[t->plans.row[row].cell[k].class] = true;
				l->all = false;
			}
	}
}

static void gold_classes(struct trainer *t, struct example *to, const struct tagger_example *x)
{
	const struct reading *r = x->gold;
	to->gold = arena_array(t->mem, r->words->n + 1, sizeof(*to->gold));
	for (size_t k = 0; k < r->nmarks; k++) {
		const struct mark *m = &r->mark[k];
		for (size_t i = m->first; i <= m->last && i < r->words->n; i++)
			to->gold[i] = i == m->first ? (uint16_t)tag_of(t, tag_name(t->mem, m, tag_within(m, x->value[k]))) : TAG_GOES_ON;
	}
}

/* In the first pass features are counted, author by author; in the second those that were seen often enough are kept. */
static void count_features(struct seen *seen, const struct example *x, unsigned author, uint32_t number)
{
	struct tag_statics s;
	for (size_t i = 0; i < x->text->w->n; i++) {
		tag_statics(x->text, i, TAG_ALL, &s);
		seen_add(seen, s.feature, s.n, author, number);
	}
}

static void count_all_features(struct seen *seen, const struct trainer *t, const struct tagger_example *x)
{
	unsigned authors = 0;
	for (size_t i = 0; i < t->n; i++)
		authors = x[i].author >= authors ? x[i].author + 1 : authors;
	for (unsigned author = 0; author < authors; author++)
		for (size_t i = 0; i < t->n; i++)
			if (x[i].author == author)
				count_features(seen, &t->example[i], author, (uint32_t)i);
}

static bool often(const struct seen *seen, uint64_t feature)
{
	const struct seen_count c = seen_of(seen, feature);
	return c.authors >= SHARED_LEAST && c.messages >= SEEN_LEAST;
}

static void keep_features(struct trainer *t, const struct seen *seen, struct example *x)
{
	struct tag_statics s;
	struct use use[STATICS_MAX];
	size_t n = x->text->w->n;
	x->use = arena_array(t->mem, n + 1, sizeof(*x->use));
	x->nuse = arena_array(t->mem, n + 1, sizeof(*x->nuse));
	for (size_t i = 0; i < n; i++) {
		size_t m = 0;
		tag_statics(x->text, i, TAG_ALL, &s);
		for (size_t k = 0; k < s.n; k++)
			if (often(seen, s.feature[k]))
				use[m++] = (struct use){ weights_row(&t->weights, s.feature[k]), s.weight[k] };
		x->nuse[i] = m;
		x->use[i] = arena_array(t->mem, m + 1, sizeof(use[0]));
		memcpy(x->use[i], use, m * sizeof(use[0]));
	}
}

static void make_examples(struct trainer *t, const struct tagger_example *x, size_t n)
{
	struct seen *seen = seen_new();
	weights_init(&t->weights, t->mem);
	t->example = arena_array(t->mem, n + 1, sizeof(*t->example));
	t->n = n;
	for (size_t i = 0; i < n; i++) {
		const struct stranger stranger = { &t->known, x[i].author };
		t->example[i].text = tag_text_of(t->mem, x[i].gold, x[i].hint, x[i].nhints, is_known, &stranger);
		gold_classes(t, &t->example[i], &x[i]);
		find_labels(t, &x[i], &t->example[i].labels);
	}
	count_all_features(seen, t, x);
	for (size_t i = 0; i < n; i++)
		keep_features(t, seen, &t->example[i]);
	seen_free(seen);
}

/* ---- learning -------------------------------------------------------------------------------- */

struct scoring {
	const struct trainer *t;
	const struct example *x;
};

static void add_statics(void *self, size_t i, float *score)
{
	const struct scoring *s = self;
	for (size_t k = 0; k < s->x->nuse[i]; k++)
		weights_score(&s->t->weights, s->x->use[i][k].row, s->x->use[i][k].weight, score);
	tag_labels_only(&s->x->labels, &s->t->set, s->x->gold[i], score);
}

static void add_dynamics(void *self, const uint64_t *feature, size_t n, float *score)
{
	const struct scoring *s = self;
	for (size_t i = 0; i < n; i++) {
		uint32_t row = weights_find(&s->t->weights, feature[i]);
		if (row != UINT32_MAX)
			weights_score(&s->t->weights, row, 1, score);
	}
}

static void change(struct trainer *t, uint32_t row, unsigned class, float gradient)
{
	weights_learn(&t->weights, row, class, gradient, RATE, t->step);
	for (size_t k = 0; class >= TAG_FIRST && k < TRAITS; k++)
		weights_learn(&t->weights, row, t->set.tag[class].trait[k], gradient, RATE, t->step);
}

/* Change the weights of a path where it differs from the other one: sign is 1 to raise its score, -1 to lower it. */
static void change_path(struct trainer *t, const struct example *x, const uint16_t *class, const uint16_t *other,
    size_t n, float sign)
{
	struct tag_past past = { 0 }, past2 = { 0 };
	uint64_t feature[DYNAMICS_MAX];
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; class[i] != other[i] && k < x->nuse[i]; k++)
			change(t, x->use[i][k].row, class[i], sign * x->use[i][k].weight);
		if (class[i] != other[i] || memcmp(&past, &past2, sizeof(past)) != 0) {
			size_t nf = tag_dynamics(x->text, i, &past, feature);
			for (size_t k = 0; k < nf; k++) {
				uint32_t row = weights_row(&t->weights, feature[k]);
				if (row != UINT32_MAX)
					change(t, row, class[i], sign);
			}
		}
		past = tag_past_then(&past, class[i]);
		past2 = tag_past_then(&past2, other[i]);
	}
}

static void learn_from(struct trainer *t, const struct example *x)
{
	struct arena *a = arena_new();
	struct scoring s = { t, x };
	struct tag_scorer scorer = { .statics = add_statics, .dynamics = add_dynamics, .self = &s, .gold = x->gold,
		.cost = 1 };
	struct tag_path best, right;
	tag_search(a, &t->set, x->text, &scorer, &best, &right);
	if (best.n > 0 && memcmp(best.class, x->gold, best.n * sizeof(*x->gold)) != 0 && best.score > right.score) {
		change_path(t, x, x->gold, best.class, best.n, 1);
		change_path(t, x, best.class, x->gold, best.n, -1);
	}
	arena_free(a);
	t->step++;
}

/* A generator of Marsaglia's kind, so that the order is the same on every machine. */
static uint32_t next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void shuffle(struct example *x, size_t n, uint32_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = next(state) % i;
		struct example kept = x[i - 1];
		x[i - 1] = x[k];
		x[k] = kept;
	}
}

static void put_known(struct trainer *t, struct linear_draft *d, struct arena *a)
{
	static const char *const class_name[] = { "known" };
	const struct stranger stranger = { &t->known, UINT32_MAX };
	*d = (struct linear_draft){ .name = "tagger words", .nclasses = 1, .class_name = class_name,
		.entry = arena_array(a, t->known.n + 1, sizeof(*d->entry)) };
	for (size_t i = 0; i < t->known.n; i++)
		if (is_known(&stranger, t->known.row[i].feature))
			d->entry[d->n++] = (struct linear_entry){ t->known.row[i].feature, 0, 1 };
}

static void put_plans(struct trainer *t, struct linear_draft *d, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < t->plans.n; i++)
		n += t->plans.row[i].n;
	*d = (struct linear_draft){ .name = "tagger plans", .entry = arena_array(a, n + 1, sizeof(*d->entry)) };
	for (size_t i = 0; i < t->plans.n; i++)
		for (size_t k = 0; k < t->plans.row[i].n; k++)
			if (t->plans.row[i].cell[k].now >= PLAN_LEAST)
				d->entry[d->n++] = (struct linear_entry){ t->plans.row[i].feature,
					t->plans.row[i].cell[k].class, 1 };
}

enum errcode tagger_train(struct linear_draft draft[TAGGER_DRAFTS], struct arena *a, const struct tagger_example *example,
    size_t n, const struct tagger_training *how, struct err *e)
{
	struct arena *mem = arena_new();
	struct trainer *t = arena_alloc(a, sizeof(*t));
	*t = (struct trainer){ .mem = mem, .step = 1 };
	uint32_t state = 2463534242U + how->seed;
	unsigned rounds = how->rounds != 0 ? how->rounds : ROUNDS;
	enum errcode rc = find_tags(t, example, n, e);
	if (rc == OK) {
		find_known(t, example, n, how->names);
		find_plans(t, example, n);
		make_examples(t, example, n);
		for (unsigned r = 0; r < rounds; r++) {
			if (r == SETTLED)
				weights_settle(&t->weights, t->step, TAG_WEIGHT_MOST, SETTLED_LEAST);
			shuffle(t->example, n, &state);
			for (size_t i = 0; i < n; i++)
				learn_from(t, &t->example[i]);
		}
		const char **name = arena_array(a, t->set.nclasses, sizeof(*name));
		int32_t *number = arena_array(a, 1, sizeof(*number));
		number[0] = (int32_t)t->set.ntags;
		for (size_t i = 0; i < t->set.nclasses; i++)
			name[i] = arena_strdup(a, t->set.class_name[i]);
		draft[0] = (struct linear_draft){ .name = "tagger", .nclasses = t->set.nclasses, .class_name = name,
			.nnumbers = 1, .number = number };
		draft[0].entry = weights_average(&t->weights, a, t->step, TAG_WEIGHT_MOST, WEIGHT_LEAST, &draft[0].n);
		put_known(t, &draft[1], a);
		put_plans(t, &draft[2], a);
		draft[2].nclasses = draft[0].nclasses;
		draft[2].class_name = name;
	}
	arena_free(mem);
	return rc;
}
