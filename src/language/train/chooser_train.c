/*
 * The plans of a clause are learned from messages with one plan, and from the clauses of the others. Where those are cut is
 * not marked: the cut that makes the marked plans likeliest counts, and is found again when the plans are known better.
 */
#include "language/train/chooser_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/str.h"
#include "language/train/adagrad.h"

enum {
	EPOCHS = 10, SETTLED = 5,          /* SETTLED: the epoch before which small weights are removed */
	CUT_EPOCHS = 8, CUT_SETTLED = 4, ROUNDS = 2,
	DROPPED = 40,            /* of a hundred features of a clause each time it teaches, so that all learn to do their part */
	LEAST = 5,               /* a feature is kept only if so many authors have it; a rarer one teaches nothing */
};

static const float RATE = 0.06F, CUT_RATE = 0.1F, DECAY = 2e-2F, CUT_DECAY = 3e-3F;

/* Smaller weights are removed. */
static const float SMALL = 0.1F, CUT_SMALL = 0.15F;

/* What teaches with a part of its features is read with all of them. */
static const float KEPT = 1 - DROPPED / 100.0F;

struct chooser_trained {
	struct adagrad *plans, *follow, *cut, *sides;
	size_t nplans, nclasses, ncolumns;
	const char *plan[CHOOSER_PLANS];
	char *column[CHOOSER_COLUMNS];
	struct chooser_class class[CHOOSER_CLASSES];
};

/* What a clause teaches. */
struct clause {
	uint32_t *plans, *follow;        /* features */
	size_t nplans, nfollow;
	const struct reading_before *before;
	size_t class;            /* of the plans, or with `before` of the classes */
};

struct example {
	const struct chooser_lesson *lesson;
	struct chooser_text *text;
	size_t start[READING_PLANS];
};

static _Noreturn void too_many(const char *what)
{
	fprintf(stderr, "the lessons have too many %s\n", what);
	abort();
}

static size_t plan_number(struct chooser_trained *t, const char *name)
{
	for (size_t i = 0; i < t->nplans; i++)
		if (streq(t->plan[i], name))
			return i;
	if (t->nplans == CHOOSER_PLANS)
		too_many("plans");
	t->plan[t->nplans] = name;
	return t->nplans++;
}

static size_t column_number(struct chooser_trained *t, const char *kind, const char *plan)
{
	char name[80];
	snprintf(name, sizeof(name), "%s|%s", kind == NULL ? "-" : kind, plan);
	for (size_t i = 0; i < t->ncolumns; i++)
		if (streq(t->column[i], name))
			return i;
	if (t->ncolumns == CHOOSER_COLUMNS)
		too_many("kinds of plans");
	t->column[t->ncolumns] = heap_dup(name);
	return t->ncolumns++;
}

static size_t class_number(struct chooser_trained *t, const struct reading_plan *p)
{
	size_t plan = plan_number(t, p->plan);
	for (size_t i = 0; i < t->nclasses; i++)
		if (t->class[i].plan == plan && streq(t->class[i].is.kind, p->kind))
			return i;
	if (t->nclasses == CHOOSER_CLASSES)
		too_many("kinds of plans");
	struct chooser_class *k = &t->class[t->nclasses];
	*k = (struct chooser_class){ .is = *p, .plan = plan, .with_plan = column_number(t, p->kind, p->plan) };
	for (size_t i = 0; i < CHOOSER_RELATION__MAX; i++)
		k->with_relation[i] = column_number(t, p->kind, chooser_relation_names[i]);
	return t->nclasses++;
}

static size_t gold_class(struct chooser_trained *t, const struct chooser_lesson *l, size_t k)
{
	const struct reading_plan *p = &l->gold->plan[k];
	return chooser_before(&l->view) == NULL ? plan_number(t, p->plan) : class_number(t, p);
}

/* The probabilities of plans, or of classes, in p; how many. */
static size_t clause_probabilities(const struct chooser_trained *t, const struct clause *c, double *p)
{
	float plan[CHOOSER_PLANS] = { 0 }, column[CHOOSER_COLUMNS] = { 0 };
	size_t n = c->before == NULL ? t->nplans : t->nclasses;
	adagrad_score(t->plans, c->plans, c->nplans, plan);
	if (c->before != NULL)
		adagrad_score(t->follow, c->follow, c->nfollow, column);
	for (size_t i = 0; i < n; i++) {
		const struct chooser_class *k = &t->class[i];
		if (c->before == NULL)
			p[i] = (double)plan[i];
		else
			p[i] = (double)(plan[k->plan] + column[k->with_plan] +
			    column[k->with_relation[chooser_relation_of(c->before, k->is.plan)]]);
	}
	chooser_probabilities(p, n, 1);
	return n;
}

/* Take features away by chance; how many stay. */
static size_t thin(uint32_t *out, const uint32_t *id, size_t n, uint64_t *seed)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (adagrad_random(seed) % 100 >= DROPPED)
			out[kept++] = id[i];
	return kept;
}

static void learn_clause(struct chooser_trained *t, const struct clause *c)
{
	double p[CHOOSER_CLASSES];
	float plan[CHOOSER_PLANS] = { 0 }, column[CHOOSER_COLUMNS] = { 0 };
	size_t n = clause_probabilities(t, c, p);
	p[c->class] -= 1;
	for (size_t i = 0; i < n; i++) {
		const struct chooser_class *k = &t->class[i];
		float g = (float)p[i];
		plan[c->before == NULL ? i : k->plan] += g;
		if (c->before == NULL)
			continue;
		column[k->with_plan] += g;
		column[k->with_relation[chooser_relation_of(c->before, k->is.plan)]] += g;
	}
	adagrad_step(t->plans, c->plans, c->nplans, plan, RATE, DECAY);
	if (c->before != NULL)
		adagrad_step(t->follow, c->follow, c->nfollow, column, RATE, DECAY);
}

/* The features of a clause: `plans` for the plans, both for the follow-up, as chooser.c has them. */
static struct chooser_features clause_features(struct arena *a, const struct example *x, size_t first, size_t last,
    size_t *plans)
{
	struct chooser_features f = { .mem = a };
	for (size_t i = first; i <= last && x->lesson->view.words->n > 0; i++)
		chooser_features_word(&f, x->text, first, i);
	chooser_features_clause(&f, x->text, first, last);
	*plans = f.n;
	if (chooser_before(&x->lesson->view) != NULL)
		chooser_features_follow(&f, x->text);
	return f;
}

/* Keep in `a` the ids of the features that have weights. Returns how many. `scratch` holds what is not kept. */
static size_t keep_ids(const struct adagrad *w, struct arena *a, struct arena *scratch, const uint64_t *feature, size_t n, uint32_t **out)
{
	uint32_t *id = arena_array(scratch, n + 1, sizeof(*id));
	const size_t nids = adagrad_ids(w, feature, n, id);
	*out = arena_array(a, nids + 1, sizeof(*id));
	memcpy(*out, id, nids * sizeof(*id));
	return nids;
}

static void make_clause(const struct chooser_trained *t, struct arena *a, const struct example *x, size_t first,
    size_t last, struct clause *c)
{
	struct arena *scratch = arena_new();
	size_t plans;
	struct chooser_features f = clause_features(scratch, x, first, last, &plans);
	*c = (struct clause){ .before = chooser_before(&x->lesson->view) };
	c->nplans = keep_ids(t->plans, a, scratch, f.at, plans, &c->plans);
	if (c->before != NULL)
		c->nfollow = keep_ids(t->follow, a, scratch, f.at, f.n, &c->follow);
	arena_free(scratch);
}

static size_t clause_last(const struct example *x, size_t k)
{
	return k + 1 < x->lesson->gold->nplans ? x->start[k + 1] - 1 : x->lesson->view.words->n - 1;
}

static void count_clause(struct chooser_trained *t, const struct example *x, size_t k)
{
	struct arena *a = arena_new();
	size_t plans;
	struct chooser_features f = clause_features(a, x, x->start[k], clause_last(x, k), &plans);
	adagrad_count(t->plans, f.at, plans, x->lesson->author);
	if (chooser_before(&x->lesson->view) != NULL)
		adagrad_count(t->follow, f.at, f.n, x->lesson->author);
	arena_free(a);
}

/* Learn the plans of clauses. cut: those of messages with several plans too. */
static void learn_plans(struct chooser_trained *t, const struct example *x, size_t n, bool cut)
{
	struct arena *a = arena_new();
	size_t nclauses = 0, most = 0, *order = arena_array(a, READING_PLANS * n, sizeof(*order));
	struct clause *clause = arena_array(a, READING_PLANS * n, sizeof(*clause));
	uint64_t seed = 1;

	adagrad_free(t->plans);
	adagrad_free(t->follow);
	t->plans = adagrad_new(t->nplans);
	t->follow = adagrad_new(t->ncolumns);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < x[i].lesson->gold->nplans && (k == 0 || cut); k++)
			if (x[i].lesson->gold->nplans == 1 || cut)
				count_clause(t, &x[i], k);
	adagrad_keep(t->plans, LEAST);
	adagrad_keep(t->follow, LEAST);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < x[i].lesson->gold->nplans; k++) {
			if (x[i].lesson->gold->nplans > 1 && !cut)
				continue;
			struct clause *c = &clause[nclauses++];
			make_clause(t, a, &x[i], x[i].start[k], clause_last(&x[i], k), c);
			c->class = gold_class(t, x[i].lesson, k);
			most = c->nplans > most ? c->nplans : most;
			most = c->nfollow > most ? c->nfollow : most;
		}
	uint32_t *plans = arena_array(a, most + 1, sizeof(*plans)), *follow = arena_array(a, most + 1, sizeof(*follow));
	for (int epoch = 0; epoch < EPOCHS; epoch++) {
		adagrad_shuffle(order, nclauses, &seed);
		if (epoch == SETTLED) {
			adagrad_settle(t->plans, SMALL);
			adagrad_settle(t->follow, SMALL);
		}
		for (size_t i = 0; i < nclauses; i++) {
			const struct clause *c = &clause[order[i]];
			struct clause part = { .plans = plans, .follow = follow, .before = c->before, .class = c->class };
			part.nplans = thin(plans, c->plans, c->nplans, &seed);
			part.nfollow = thin(follow, c->follow, c->nfollow, &seed);
			learn_clause(t, &part);
		}
	}
	arena_free(a);
}

/* The scores of a clause that begins at each of the words first + 1 to n - 1; score[first]: at none. */
static void cut_scores(const struct chooser_trained *t, struct arena *a, const struct chooser_text *text, size_t first,
    size_t n, float *score)
{
	memset(score + first, 0, (n - first) * sizeof(*score));
	for (size_t at = first + 1; t->cut != NULL && at < n; at++) {
		struct chooser_features f = { .mem = a };
		chooser_features_cut(&f, text, at);
		uint32_t *id = arena_array(a, f.n, sizeof(*id));
		adagrad_score(t->cut, id, adagrad_ids(t->cut, f.at, f.n, id), &score[at]);
	}
}

/* Find the cuts that make the marked plans likeliest, from the last plan to the first. Before cuts were learned, they are best
 * behind a sign. */
static void find_cuts(struct chooser_trained *t, struct example *x)
{
	enum { ROOM = WORDS_MAX + 1 };
	static const double NEVER = -1e9, BEHIND_SIGN = 1;
	const struct words *w = x->lesson->view.words;
	size_t nplans = x->lesson->gold->nplans, end[READING_PLANS][ROOM] = { 0 };
	double best[READING_PLANS + 1][ROOM];      /* for the plans from k, with the words from i */
	struct arena *a = arena_new();
	float *score = arena_array(a, w->n + 1, sizeof(*score));

	cut_scores(t, a, x->text, 0, w->n, score);
	for (size_t i = 0; i < w->n && t->cut == NULL; i++)
		score[i] = i > 0 && w->word[i - 1].kind == WORD_SIGN ? (float)BEHIND_SIGN : 0;
	for (size_t i = 0; i <= w->n; i++)
		best[nplans][i] = i == w->n ? 0 : NEVER;
	for (size_t k = nplans; k-- > 0;) {
		size_t class = gold_class(t, x->lesson, k);
		for (size_t i = 0; i <= w->n; i++) {
			best[k][i] = NEVER;
			for (size_t stop = i + 1; stop <= w->n && (k > 0 || i == 0); stop++) {
				if (best[k + 1][stop] <= NEVER)
					continue;
				struct clause c;
				double p[CHOOSER_CLASSES];
				make_clause(t, a, x, i, stop - 1, &c);
				clause_probabilities(t, &c, p);
				double s = log(p[class] + 1e-6) + best[k + 1][stop] + (stop < w->n ? (double)score[stop] : 0);
				if (s > best[k][i]) {
					best[k][i] = s;
					end[k][i] = stop;
				}
			}
		}
	}
	for (size_t k = 0; k + 1 < nplans; k++)
		x->start[k + 1] = end[k][x->start[k]];
	arena_free(a);
}

/* Learn from one message where its clauses begin. */
static void learn_cut(struct chooser_trained *t, const struct example *x)
{
	struct arena *a = arena_new();
	size_t n = x->lesson->view.words->n, nplans = x->lesson->gold->nplans;
	float *score = arena_array(a, n + 1, sizeof(*score));
	double *p = arena_array(a, n + 1, sizeof(*p));
	for (size_t k = 0; k < nplans && n > 0; k++) {
		size_t first = x->start[k], right = k + 1 < nplans ? x->start[k + 1] : first;
		cut_scores(t, a, x->text, first, n, score);
		for (size_t at = first; at < n; at++)
			p[at] = (double)score[at];
		chooser_probabilities(p + first, n - first, 1);
		p[right] -= 1;
		for (size_t at = first + 1; at < n; at++) {
			float gradient = (float)p[at];
			struct chooser_features f = { .mem = a };
			chooser_features_cut(&f, x->text, at);
			uint32_t *id = arena_array(a, f.n, sizeof(*id));
			if (fabsf(gradient) > 1e-4F)
				adagrad_step(t->cut, id, adagrad_ids(t->cut, f.at, f.n, id), &gradient, CUT_RATE, CUT_DECAY);
		}
	}
	arena_free(a);
}

static void learn_cuts(struct chooser_trained *t, const struct example *x, size_t n)
{
	struct arena *a = arena_new();
	size_t *order = arena_array(a, n, sizeof(*order));
	uint64_t seed = 2;

	adagrad_free(t->cut);
	t->cut = adagrad_new(1);
	for (size_t i = 0; i < n; i++) {
		struct arena *scratch = arena_new();
		for (size_t at = 1; at < x[i].lesson->view.words->n; at++) {
			struct chooser_features f = { .mem = scratch };
			chooser_features_cut(&f, x[i].text, at);
			adagrad_count(t->cut, f.at, f.n, x[i].lesson->author);
		}
		arena_free(scratch);
	}
	adagrad_keep(t->cut, LEAST);
	for (int epoch = 0; epoch < CUT_EPOCHS; epoch++) {
		adagrad_shuffle(order, n, &seed);
		if (epoch == CUT_SETTLED)
			adagrad_settle(t->cut, CUT_SMALL);
		for (size_t i = 0; i < n; i++)
			learn_cut(t, &x[order[i]]);
	}
	arena_free(a);
}

static void name_classes(struct chooser_trained *t, const struct chooser_lesson *lesson, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < lesson[i].gold->nplans; k++)
			gold_class(t, &lesson[i], k);
	for (size_t i = 0; i < t->nplans; i++)
		class_number(t, &(struct reading_plan){ NULL, t->plan[i] });
}

void chooser_trained_free(struct chooser_trained *t)
{
	if (t == NULL)
		return;
	adagrad_free(t->plans);
	adagrad_free(t->follow);
	adagrad_free(t->cut);
	adagrad_free(t->sides);
	for (size_t i = 0; i < t->ncolumns; i++)
		free(t->column[i]);
	free(t);
}

static const int32_t *sharp_number(struct arena *a, double sharp)
{
	int32_t *number = arena_alloc(a, sizeof(*number));
	*number = (int32_t)lround(sharp * 1000);
	return number;
}

static struct linear_draft draft_of(struct arena *a, const char *what, const char *stage, const struct adagrad *w,
    const char *const *class, size_t nclasses, float kept)
{
	struct linear_draft d = { .name = arena_printf(a, "%s%s", what, stage), .class_name = class, .nclasses = nclasses };
	d.number = sharp_number(a, 1);
	d.nnumbers = 1;
	d.entry = adagrad_entries(w, a, CHOOSER_SCALE * kept, SMALL, &d.n);
	return d;
}

void chooser_draft(const struct chooser_trained *t, struct arena *a, const char *stage,
    struct linear_draft draft[CHOOSER_MODELS])
{
	static const char *const CUT[] = { "cut" };
	const char **plan = arena_array(a, t->nplans, sizeof(*plan));
	const char **column = arena_array(a, t->ncolumns, sizeof(*column));
	for (size_t i = 0; i < t->nplans; i++)
		plan[i] = arena_strdup(a, t->plan[i]);
	for (size_t i = 0; i < t->ncolumns; i++)
		column[i] = arena_strdup(a, t->column[i]);
	draft[0] = draft_of(a, "plans", stage, t->plans, plan, t->nplans, KEPT);
	draft[1] = draft_of(a, "follow", stage, t->follow, column, t->ncolumns, KEPT);
	draft[2] = draft_of(a, "cut", stage, t->cut, CUT, 1, 1);
	draft[3] = draft_of(a, "sides", stage, t->sides, CUT, 1, 1);
}

void chooser_draft_sharpen(struct linear_draft draft[CHOOSER_MODELS], struct arena *a, double sharp)
{
	draft[0].number = sharp_number(a, sharp);       /* of the plans; the follow-ups' goes by it */
	draft[1].number = draft[0].number;
}

/* ---- cuts whose sides are known ------------------------------------------------------------- */

/* The places that one message offers for the end of a clause. */
struct cut_lesson {
	unsigned author;
	size_t n, right;         /* right: the number of the right one; n: there is none */
	uint64_t *feature[CHOOSER_CUTS];
	size_t nfeatures[CHOOSER_CUTS];
};

/* A comma and "and" behind it are both the end of a clause. */
enum { CUT_NEAR = 2 };

static bool look_at_cuts(const struct chooser *c, struct arena *keep, const struct example *x, size_t k,
    struct cut_lesson *out)
{
	struct arena *a = arena_new();
	struct chooser_cut cut[CHOOSER_CUTS];
	size_t nplans = x->lesson->gold->nplans, nearest = CUT_NEAR + 1;
	*out = (struct cut_lesson){ .author = x->lesson->author, .n = chooser_cuts(c, a, &x->lesson->view, x->text, x->start[k], cut) };
	out->right = out->n;
	for (size_t i = 0; i < out->n; i++) {
		size_t wanted = k + 1 < nplans ? x->start[k + 1] : 0;
		size_t off = cut[i].at > wanted ? cut[i].at - wanted : wanted - cut[i].at;
		if (k + 1 < nplans && off < nearest) {
			nearest = off;
			out->right = i;
		}
		out->nfeatures[i] = cut[i].features.n;
		out->feature[i] = arena_array(keep, cut[i].features.n, sizeof(uint64_t));
		memcpy(out->feature[i], cut[i].features.at, cut[i].features.n * sizeof(uint64_t));
	}
	arena_free(a);
	return out->n > 0 && (k + 1 == nplans || out->right < out->n);
}

static void learn_sides(struct chooser_trained *t, const struct cut_lesson *lesson, size_t n)
{
	struct arena *a = arena_new();
	size_t *order = arena_array(a, n, sizeof(*order));
	uint64_t seed = 3;

	t->sides = adagrad_new(1);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < lesson[i].n; k++)
			adagrad_count(t->sides, lesson[i].feature[k], lesson[i].nfeatures[k], lesson[i].author);
	adagrad_keep(t->sides, LEAST);
	for (int epoch = 0; epoch < CUT_EPOCHS; epoch++) {
		adagrad_shuffle(order, n, &seed);
		if (epoch == CUT_SETTLED)
			adagrad_settle(t->sides, CUT_SMALL);
		for (size_t i = 0; i < n; i++) {
			const struct cut_lesson *l = &lesson[order[i]];
			struct arena *b = arena_new();
			double p[1 + CHOOSER_CUTS] = { 0 };
			uint32_t *id[CHOOSER_CUTS];
			size_t nids[CHOOSER_CUTS];
			for (size_t k = 0; k < l->n; k++) {
				float score = 0;
				id[k] = arena_array(b, l->nfeatures[k], sizeof(uint32_t));
				nids[k] = adagrad_ids(t->sides, l->feature[k], l->nfeatures[k], id[k]);
				adagrad_score(t->sides, id[k], nids[k], &score);
				p[1 + k] = (double)score;
			}
			chooser_probabilities(p, 1 + l->n, 1);
			for (size_t k = 0; k < l->n; k++) {
				float gradient = (float)(p[1 + k] - (k == l->right));
				adagrad_step(t->sides, id[k], nids[k], &gradient, CUT_RATE, CUT_DECAY);
			}
			arena_free(b);
		}
	}
	arena_free(a);
}

/* What a chooser that learned from the other half says of the cuts of this one. */
static enum errcode look_at_half(const struct example *x, size_t n, size_t half, struct arena *keep,
    struct cut_lesson *lesson, size_t *nlessons, const char *path, struct err *e)
{
	size_t middle = n / 2, from = half == 0 ? 0 : middle, to = half == 0 ? middle : n, nothers = n - (to - from);
	struct arena *a = arena_new();
	struct chooser_trained *t = heap_new(sizeof(*t));
	struct example *other = arena_array(a, nothers, sizeof(*other));
	struct chooser_lesson *named = arena_array(a, nothers, sizeof(*named));
	struct linear_draft draft[CHOOSER_MODELS];
	struct linear_file *f = NULL;
	struct chooser c;

	for (size_t i = 0, k = 0; i < n; i++)
		if (i < from || i >= to) {
			named[k] = *x[i].lesson;
			other[k++] = x[i];
		}
	name_classes(t, named, nothers);
	learn_plans(t, other, nothers, true);
	learn_cuts(t, other, nothers);
	learn_sides(t, NULL, 0);
	chooser_draft(t, a, "", draft);
	enum errcode rc = linear_write(path, draft, CHOOSER_MODELS, e);
	if (rc == OK)
		rc = linear_open(&f, path, e);
	if (rc == OK)
		rc = chooser_open(&c, f, "", NULL, e);
	for (size_t i = from; rc == OK && i < to; i++)
		for (size_t k = 0; k < x[i].lesson->gold->nplans && x[i].lesson->view.words->n > 0; k++)
			*nlessons += look_at_cuts(&c, keep, &x[i], k, &lesson[*nlessons]);
	linear_close(f);
	unlink(path);
	chooser_trained_free(t);
	arena_free(a);
	return rc;
}

/* The plans of the sides are those that strangers' lessons give, because one's own are known too well. */
static enum errcode learn_from_sides(struct chooser_trained *t, const struct example *x, size_t n, const char *path,
    struct err *e)
{
	struct arena *a = arena_new();
	struct cut_lesson *lesson = arena_array(a, READING_PLANS * n + 1, sizeof(*lesson));
	size_t nlessons = 0;
	enum errcode rc = OK;
	for (size_t half = 0; rc == OK && half < 2; half++)
		rc = look_at_half(x, n, half, a, lesson, &nlessons, path, e);
	if (rc == OK)
		learn_sides(t, lesson, nlessons);
	arena_free(a);
	return rc;
}

enum errcode chooser_train(struct chooser_trained **out, const struct chooser_lesson *lesson, size_t n, const char *path,
    struct err *e)
{
	struct chooser_trained *t = *out = heap_new(sizeof(*t));
	struct arena *a = arena_new();
	struct example *x = arena_array(a, n, sizeof(*x));
	for (size_t i = 0; i < n; i++) {
		x[i].lesson = &lesson[i];
		x[i].text = chooser_text_of(a, &lesson[i].view);
	}
	name_classes(t, lesson, n);
	learn_plans(t, x, n, false);
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i++)
			if (lesson[i].gold->nplans > 1)
				find_cuts(t, &x[i]);
		learn_cuts(t, x, n);
		learn_plans(t, x, n, true);
	}
	enum errcode rc = learn_from_sides(t, x, n, path, e);
	arena_free(a);
	return rc;
}
