/*
 * The first clause ends where the cut is likeliest, or nowhere; the rest is a message again. Several ways lead
 * to the same plans, and their probabilities add up.
 */
#include "language/chooser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"

/* What a return to an earlier subject loses where no word says so: in the corpus, authors return far more often than
 * pilots do. */
static const double RETURN_UNSAID = 3;

/* The share of the net in the score of a plan; the linear models have the rest. */
static const double NET_COUNTS = 0.3;

/* What is less likely is not followed further. */
static const double TRIED_LEAST = 0.05, CUT_LEAST = 0.02, PLAN_LEAST = 0.05, OUTCOME_LEAST = 1e-4;

const char *const chooser_relation_names[CHOOSER_RELATION__MAX] = {
	[CHOOSER_NEWEST] = "=",
	[CHOOSER_EARLIER] = "<",
	[CHOOSER_OTHER] = "*",
};

enum chooser_relation chooser_relation_of(const struct reading_before *b, const char *plan)
{
	for (size_t i = 0; i < b->nplans; i++)
		if (streq(b->plan[i], plan))
			return i == 0 ? CHOOSER_NEWEST : CHOOSER_EARLIER;
	return CHOOSER_OTHER;
}

const struct reading_before *chooser_before(const struct chooser_view *v)
{
	return v->before != NULL && v->before->nplans > 0 ? v->before : NULL;
}

void chooser_probabilities(double *score, size_t n, double sharp)
{
	double most = score[0], sum = 0;
	for (size_t i = 1; i < n; i++)
		most = score[i] > most ? score[i] : most;
	for (size_t i = 0; i < n; i++)
		sum += score[i] = exp((score[i] - most) * sharp);
	for (size_t i = 0; i < n; i++)
		score[i] /= sum;
}

static const struct linear *model_of(const struct linear_file *f, const char *what, const char *stage,
    size_t most)
{
	char name[LINEAR_NAME];
	snprintf(name, sizeof(name), "%s%s", what, stage);
	const struct linear *m = linear_get(f, name);
	return m != NULL && m->nclasses > 0 && m->nclasses <= most && m->nnumbers == 1 && m->number[0] > 0 ? m : NULL;
}

static const char *const KINDS[] = { "refine", "replace", "lift", "correct", "pick", "more", "switch", "return" };

/* The kind before the bar; NULL for "-|near", something new. */
static bool read_kind(const char *name, size_t n, const char **kind)
{
	*kind = NULL;
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		if (str_eq((struct str){ name, n }, KINDS[i]))
			*kind = KINDS[i];
	return *kind != NULL || (n == 1 && name[0] == '-');
}

/* "refine|near": all classes that it needs must be there. */
static bool read_class(struct chooser *c, size_t column)
{
	const char *name = c->follow->class_name[column], *plan = strchr(name, '|'), *kind;
	char part[80];
	if (plan == NULL || !read_kind(name, (size_t)(plan - name), &kind))
		return false;
	plan++;
	for (size_t i = 0; i < CHOOSER_RELATION__MAX; i++)
		if (streq(plan, chooser_relation_names[i]))
			return true;
	int number = linear_class(c->plans, plan);
	if (number < 0 || c->nclasses == CHOOSER_CLASSES)
		return false;
	struct chooser_class *k = &c->class[c->nclasses++];
	*k = (struct chooser_class){ .is = { kind, c->plans->class_name[number] }, .plan = (size_t)number, .with_plan = column };
	for (size_t i = 0; i < CHOOSER_RELATION__MAX; i++) {
		snprintf(part, sizeof(part), "%.*s|%s", (int)(plan - 1 - name), name, chooser_relation_names[i]);
		int relation = linear_class(c->follow, part);
		if (relation < 0)
			return false;
		k->with_relation[i] = (size_t)relation;
	}
	return true;
}

static int plan_of_net(const struct net *net, const char *kind, const char *plan)
{
	char name[80];
	snprintf(name, sizeof(name), "%s|%s", kind != NULL ? kind : "-", plan);
	return net != NULL ? linear_class(net->plans, name) : -1;
}

enum errcode chooser_open(struct chooser *c, const struct linear_file *f, const char *stage, const struct net *net, struct err *e)
{
	*c = (struct chooser){ .plans = model_of(f, "plans", stage, CHOOSER_PLANS),
		.follow = model_of(f, "follow", stage, CHOOSER_COLUMNS), .cut = model_of(f, "cut", stage, 1),
		.sides = model_of(f, "sides", stage, 1) };
	if (c->plans == NULL || c->follow == NULL || c->cut == NULL || c->sides == NULL)
		return err_set(e, ERR_CONFIG, "the model has no chooser %s", stage);
	c->sharp = c->plans->number[0] / 1000.0;
	for (size_t i = 0; i < c->follow->nclasses; i++)
		if (!read_class(c, i))
			return err_set(e, ERR_CONFIG, "the model's chooser %s has a class '%s' without what it needs",
			    stage, c->follow->class_name[i]);
	for (size_t i = 0; i < c->nclasses; i++)
		c->class[i].of_net = plan_of_net(net, c->class[i].is.kind, c->class[i].is.plan);
	for (size_t i = 0; i < c->plans->nclasses; i++)
		c->of_net[i] = plan_of_net(net, NULL, c->plans->class_name[i]);
	return OK;
}

/* What was found of the words first to last. */
struct clause {
	size_t first, last, n;
	double *p;                              /* the probabilities of its plans or classes */
	struct clause *next;
};

/* What was found of the places where a clause that begins with the word `first` may end. */
struct clause_end {
	size_t first, ncuts;
	struct chooser_cut cut[CHOOSER_CUTS];
	struct clause_end *next;
};

/* One message being read. */
struct choosing {
	const struct chooser *c;
	const struct chooser_view *v;
	const struct chooser_text *text;
	const struct reading_before *before;
	struct arena *mem;
	struct chooser_features features;       /* room that is used again */
	struct chooser_choice *out;
	struct clause *clauses;                 /* those that were looked at: several ways lead to the same one */
	struct clause_end *ends;
	double *cut_score;                      /* NULL: not known yet */
	float *plans_upto, *follow_upto;        /* what the words before this one score; NULL: not known yet */
	float *follow_all;                      /* what the message scores by its relation to what it goes on from */
};

static void add_scores(const struct linear *m, const struct chooser_features *f, float *score)
{
	linear_add(m, f->at, NULL, f->n, score);
}

static double score_of(const struct linear *m, const struct chooser_features *f)
{
	float score = 0;
	add_scores(m, f, &score);
	return (double)score / CHOOSER_SCALE;
}

/* ---- scores of a clause -------------------------------------------------------------------------- */

/* Many clauses of a message are looked at, and most of what they score comes from their words. So the words are
 * looked up once. All weights are whole, hence a difference of two sums is exact. */
static void score_words(struct choosing *g)
{
	const size_t n = g->v->words->n, nplans = g->c->plans->nclasses, nfollow = g->c->follow->nclasses;
	const bool follows = g->before != NULL;

	g->plans_upto = arena_array(g->mem, (n + 1) * nplans, sizeof(float));
	g->follow_upto = follows ? arena_array(g->mem, (n + 1) * nfollow, sizeof(float)) : NULL;
	g->follow_all = follows ? arena_array(g->mem, nfollow, sizeof(float)) : NULL;
	for (size_t i = 0; i < n; i++) {
		float *plans = g->plans_upto + i * nplans, *follow = follows ? g->follow_upto + i * nfollow : NULL;
		g->features.n = 0;
		chooser_features_word(&g->features, g->text, 0, i);
		memcpy(plans + nplans, plans, nplans * sizeof(float));
		add_scores(g->c->plans, &g->features, plans + nplans);
		if (!follows)
			continue;
		memcpy(follow + nfollow, follow, nfollow * sizeof(float));
		add_scores(g->c->follow, &g->features, follow + nfollow);
	}
	g->features.n = 0;
	if (follows) {
		chooser_features_follow(&g->features, g->text);
		add_scores(g->c->follow, &g->features, g->follow_all);
	}
}

/* Add what the words first to last score. The first ones have fewer neighbours than in the whole message. */
static void add_words(struct choosing *g, const struct linear *m, const float *upto, size_t first, size_t last,
    float *score)
{
	size_t from = first;
	g->features.n = 0;
	for (; first > 0 && from <= last && from < first + CHOOSER_NEIGHBOURS; from++)
		chooser_features_word(&g->features, g->text, first, from);
	add_scores(m, &g->features, score);
	for (size_t k = 0; k < m->nclasses; k++)
		score[k] += upto[(last + 1) * m->nclasses + k] - upto[from * m->nclasses + k];
}

static void score_clause(struct choosing *g, size_t first, size_t last, float *plan, float *column)
{
	if (g->plans_upto == NULL)
		score_words(g);
	if (g->v->words->n > 0) {
		add_words(g, g->c->plans, g->plans_upto, first, last, plan);
		if (g->before != NULL)
			add_words(g, g->c->follow, g->follow_upto, first, last, column);
	}
	g->features.n = 0;
	chooser_features_clause(&g->features, g->text, first, last);
	add_scores(g->c->plans, &g->features, plan);
	if (g->before == NULL)
		return;
	add_scores(g->c->follow, &g->features, column);
	for (size_t k = 0; k < g->c->follow->nclasses; k++)
		column[k] += g->follow_all[k];
}

/* Is there a word such as "back" or "again"? */
static bool says_back(const struct chooser_view *v)
{
	for (size_t i = 0; i < v->evidence->n; i++)
		if (streq(v->evidence->at[i].kind, "follow.back"))
			return true;
	return false;
}

/* Mix the net's scores of a clause into the scores p of its n plans or classes. A plan that the net does not have gets the least. */
static void add_net(const struct choosing *g, size_t first, size_t last, double *p, size_t n)
{
	const struct net_reading *r = g->v->net;
	float score[NET_PLANS], least = 0;
	net_score_plans(r, first, last, score);
	for (size_t i = 0; i < r->net->plans->nclasses; i++)
		least = score[i] < least ? score[i] : least;
	for (size_t i = 0; i < n; i++) {
		const int k = g->before == NULL ? g->c->of_net[i] : g->c->class[i].of_net;
		p[i] = (1 - NET_COUNTS) * p[i] + NET_COUNTS * (double)(k >= 0 ? score[k] : least);
	}
}

static size_t score_plans(struct choosing *g, size_t first, size_t last, double *p)
{
	const struct chooser *c = g->c;
	float plan[CHOOSER_PLANS] = { 0 }, column[CHOOSER_COLUMNS] = { 0 };
	const bool back = says_back(g->v);
	size_t n = g->before == NULL ? c->plans->nclasses : c->nclasses;

	score_clause(g, first, last, plan, column);
	for (size_t i = 0; i < n; i++) {
		const struct chooser_class *k = &c->class[i];
		if (g->before == NULL) {
			p[i] = (double)plan[i] / CHOOSER_SCALE;
			continue;
		}
		enum chooser_relation r = chooser_relation_of(g->before, k->is.plan);
		p[i] = (double)(plan[k->plan] + column[k->with_plan] + column[k->with_relation[r]]) / CHOOSER_SCALE;
	}
	if (g->v->net != NULL)
		add_net(g, first, last, p, n);
	for (size_t i = 0; i < n && g->before != NULL && !back; i++)
		p[i] -= streq(c->class[i].is.kind, "return") ? RETURN_UNSAID : 0;
	chooser_probabilities(p, n, c->sharp);
	return n;
}

/* The probabilities of the plans of a clause, or of its classes when it goes on from something. */
static const struct clause *choose_plan(struct choosing *g, size_t first, size_t last)
{
	struct clause *c = g->clauses;
	while (c != NULL && (c->first != first || c->last != last))
		c = c->next;
	if (c != NULL)
		return c;
	double p[CHOOSER_CLASSES];
	c = arena_alloc(g->mem, sizeof(*c));
	*c = (struct clause){ .first = first, .last = last, .n = score_plans(g, first, last, p), .next = g->clauses };
	c->p = arena_array(g->mem, c->n, sizeof(p[0]));
	memcpy(c->p, p, c->n * sizeof(p[0]));
	return g->clauses = c;
}

static struct reading_plan plan_of(const struct choosing *g, size_t i)
{
	return g->before == NULL ? (struct reading_plan){ NULL, g->c->plans->class_name[i] } : g->c->class[i].is;
}

/* The likeliest plan of a clause, whatever its kind. */
static struct chooser_side side_of(struct choosing *g, size_t first, size_t last)
{
	const struct clause *c = choose_plan(g, first, last);
	size_t best = 0;
	for (size_t i = 1; i < c->n; i++)
		best = c->p[i] > c->p[best] ? i : best;
	return (struct chooser_side){ feature_text(plan_of(g, best).plan), c->p[best] };
}

/* g->cut_score[at]: of a clause that begins at `at`. */
static void score_cuts(struct choosing *g)
{
	size_t n = g->v->words->n;
	if (g->cut_score != NULL)
		return;
	g->cut_score = arena_array(g->mem, n + 1, sizeof(*g->cut_score));
	for (size_t at = 1; at < n; at++) {
		g->features.n = 0;
		chooser_features_cut(&g->features, g->text, at);
		g->cut_score[at] = score_of(g->c->cut, &g->features);
	}
}

static size_t find_cuts(struct choosing *g, size_t first, struct chooser_cut cut[CHOOSER_CUTS])
{
	size_t n = g->v->words->n, ncuts = 0;
	double *p = arena_array(g->mem, n + 1, sizeof(*p));      /* p[first]: of no cut */
	struct chooser_side whole = { 0 };
	if (n - first < 2)
		return 0;
	score_cuts(g);
	memcpy(p + first, g->cut_score + first, (n - first) * sizeof(*p));
	p[first] = 0;
	chooser_probabilities(p + first, n - first, 1);
	while (ncuts < CHOOSER_CUTS) {
		size_t at = first + 1;
		for (size_t i = at; i < n; i++)
			at = p[i] > p[at] ? i : at;
		if (p[at] < TRIED_LEAST)
			break;
		if (ncuts == 0)
			whole = side_of(g, first, n - 1);
		p[at] = 0;
		struct chooser_cut *c = &cut[ncuts++];
		*c = (struct chooser_cut){ .at = at, .features.mem = g->mem };
		struct chooser_side left = side_of(g, first, at - 1), right = side_of(g, at, n - 1);
		chooser_features_cut(&c->features, g->text, at);
		chooser_features_sides(&c->features, whole, left, right, g->cut_score[at]);
	}
	return ncuts;
}

size_t chooser_cuts(const struct chooser *c, struct arena *a, const struct chooser_view *v, const struct chooser_text *text,
    size_t first, struct chooser_cut cut[CHOOSER_CUTS])
{
	struct choosing g = { .c = c, .v = v, .text = text, .before = chooser_before(v), .mem = a, .features.mem = a };
	return find_cuts(&g, first, cut);
}

static bool same_plans(const struct chooser_outcome *x, const struct chooser_outcome *y)
{
	bool same = x->nplans == y->nplans;
	for (size_t i = 0; same && i < x->nplans; i++)
		same = streq(x->plan[i].plan, y->plan[i].plan) && streq(x->plan[i].kind, y->plan[i].kind);
	return same;
}

/* The clauses of the likelier way stay. */
static void add_outcome(struct chooser_choice *out, const struct chooser_outcome *o)
{
	size_t at = 0;
	while (at < out->n && !same_plans(&out->outcome[at], o))
		at++;
	if (at < out->n) {
		out->outcome[at].sure += o->sure;
	} else if (out->n < CHOOSER_OUTCOMES) {
		out->outcome[out->n++] = *o;
	} else if (out->outcome[--at].sure < o->sure) {
		out->outcome[at] = *o;
	} else {
		return;
	}
	for (; at > 0 && out->outcome[at].sure > out->outcome[at - 1].sure; at--) {
		struct chooser_outcome less = out->outcome[at - 1];
		out->outcome[at - 1] = out->outcome[at];
		out->outcome[at] = less;
	}
}

static const struct clause_end *ends_of(struct choosing *g, size_t first)
{
	struct clause_end *x = g->ends;
	while (x != NULL && x->first != first)
		x = x->next;
	if (x == NULL) {
		x = arena_alloc(g->mem, sizeof(*x));
		x->first = first;
		x->ncuts = find_cuts(g, first, x->cut);
		x->next = g->ends;
		g->ends = x;
	}
	return x;
}

/* Choose for the words from so_far->start[so_far->nplans]. */
static void choose_rest(struct choosing *g, const struct chooser_outcome *so_far)
{
	size_t n = g->v->words->n, k = so_far->nplans, first = so_far->start[k];
	double sure[1 + CHOOSER_CUTS] = { 0 };      /* sure[0]: there is no cut */
	const struct clause_end *end = k + 1 < READING_PLANS ? ends_of(g, first) : NULL;
	size_t ncuts = end != NULL ? end->ncuts : 0;

	for (size_t i = 0; i < ncuts; i++)
		sure[1 + i] = score_of(g->c->sides, &end->cut[i].features);
	chooser_probabilities(sure, 1 + ncuts, 1);
	struct chooser_outcome o = *so_far;
	o.nplans++;
	const struct clause *whole = choose_plan(g, first, n - 1);
	for (size_t i = 0; i < whole->n; i++) {
		o.plan[k] = plan_of(g, i);
		o.sure = so_far->sure * sure[0] * whole->p[i];
		if (o.sure > OUTCOME_LEAST || g->out->n == 0)
			add_outcome(g->out, &o);
	}
	for (size_t c = 0; c < ncuts; c++) {
		if (sure[1 + c] * so_far->sure < CUT_LEAST)
			continue;
		const struct clause *left = choose_plan(g, first, end->cut[c].at - 1);
		for (size_t i = 0; i < left->n; i++) {
			if (left->p[i] < PLAN_LEAST)
				continue;
			struct chooser_outcome next = *so_far;
			next.plan[next.nplans++] = plan_of(g, i);
			next.start[next.nplans] = end->cut[c].at;
			next.sure *= sure[1 + c] * left->p[i];
			choose_rest(g, &next);
		}
	}
}

void chooser_choose(const struct chooser *c, struct arena *a, const struct chooser_view *v, struct chooser_choice *out)
{
	struct choosing g = { .c = c, .v = v, .text = chooser_text_of(a, v), .before = chooser_before(v), .mem = a,
		.features.mem = a, .out = out };
	static const struct chooser_outcome nothing = { .sure = 1 };
	out->n = 0;
	choose_rest(&g, &nothing);
}
