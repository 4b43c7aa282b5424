/*
 * A message is read in this order: words, evidence, the first chooser, which gives the tagger hints, the
 * marks, and the second chooser, which decides. If it decides otherwise than the first one, or one of them is not sure,
 * the marks are made again with its hints.
 */
#include "language/reading.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"
#include "language/net.h"
#include "language/reading_steps.h"

/* Both choosers are as sure as this: the marks are not made again. */
static const double SURE = 0.9;

/* What a label of the frame before counts as a hint: less than a hint that is taken as certain. */
static const float HELD = 0.45F;

struct reading_model {
	struct arena *mem;
	struct linear_file *file;
	struct chooser first, second;
	struct tagger *tagger;
	struct net net;
};

enum errcode reading_model_open(struct reading_model **out, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct reading_model *m = arena_alloc(a, sizeof(*m));
	m->mem = a;
	enum errcode rc = linear_open(&m->file, path, e);
	if (rc == OK && ((rc = net_open(&m->net, m->file, e)) != OK ||
	    (rc = chooser_open(&m->first, m->file, "1", &m->net, e)) != OK ||
	    (rc = chooser_open(&m->second, m->file, "2", &m->net, e)) != OK ||
	    (rc = tagger_open(&m->tagger, a, m->file, &m->net, e)) != OK))
		err_prefix(e, "%s", path);
	if (rc != OK) {
		reading_model_close(m);
		m = NULL;
	}
	*out = m;
	return rc;
}

void reading_model_close(struct reading_model *m)
{
	if (m == NULL)
		return;
	linear_close(m->file);
	arena_free(m->mem);
}

static void add_hint(struct tagger_hint *hint, size_t *n, const struct tagger_hint *h)
{
	for (size_t i = 0; i < *n; i++)
		if (hint[i].feature == h->feature && hint[i].first == h->first && hint[i].last == h->last) {
			hint[i].weight += h->weight;
			return;
		}
	hint[(*n)++] = *h;
}

size_t reading_hints(const struct words *w, const struct chooser_choice *c, const struct reading_before *before,
    struct tagger_hint hint[READING_HINTS])
{
	bool first = before == NULL || before->nplans == 0;
	size_t n = 0, end = w->n > 0 ? w->n - 1 : 0;
	uint64_t past = feature_and(feature_text("before"), feature_text(first ? "" : before->plan[0]));
	add_hint(hint, &n, &(struct tagger_hint){ 0, end, past, 1 });
	for (size_t i = 0; !first && i < before->nslots && i < READING_HELD; i++) {
		uint64_t held = feature_and(feature_text("held"), feature_text(before->slot[i]));
		add_hint(hint, &n, &(struct tagger_hint){ 0, end, held, HELD });
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct chooser_outcome *o = &c->outcome[i];
		for (size_t k = 0; k < o->nplans; k++) {
			size_t last = k + 1 < o->nplans ? o->start[k + 1] - 1 : end;
			struct tagger_hint h = { o->start[k], last, tagger_plan_feature(o->plan[k].plan), (float)o->sure };
			add_hint(hint, &n, &h);
			h.feature = feature_and(feature_text("kind"), feature_text(o->plan[k].kind != NULL ? o->plan[k].kind : ""));
			if (!first)
				add_hint(hint, &n, &h);
		}
	}
	return n;
}

/* The marks of a clause belong to its plan. */
static void give_marks(struct reading *r, const struct chooser_outcome *o)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		size_t k = 0;
		while (k + 1 < o->nplans && o->start[k + 1] <= r->mark[i].first)
			k++;
		r->mark[i].plans = o->nplans > 1 ? 1U << k : 0;
	}
}

void reading_decide(struct reading *r, const struct chooser_choice *c)
{
	const struct chooser_outcome *best = &c->outcome[0];
	r->nplans = best->nplans;
	memcpy(r->plan, best->plan, sizeof(r->plan));
	memcpy(r->start, best->start, sizeof(r->start));
	r->sure = best->sure;
	give_marks(r, best);
	r->nothers = 0;
	for (size_t i = 1; i < c->n && r->nothers < READING_OTHERS; i++) {
		r->other[r->nothers].plan = c->outcome[i].plan[0];
		r->other[r->nothers].nplans = c->outcome[i].nplans;
		r->other[r->nothers++].sure = c->outcome[i].sure;
	}
}

static bool same_plans(const struct chooser_outcome *x, const struct chooser_outcome *y)
{
	bool same = x->nplans == y->nplans && memcmp(x->start, y->start, x->nplans * sizeof(x->start[0])) == 0;
	for (size_t i = 0; same && i < x->nplans; i++)
		same = streq(x->plan[i].plan, y->plan[i].plan) && streq(x->plan[i].kind, y->plan[i].kind);
	return same;
}

static bool surely_the_same(const struct chooser_choice *x, const struct chooser_choice *y)
{
	return x->outcome[0].sure >= SURE && y->outcome[0].sure >= SURE && same_plans(&x->outcome[0], &y->outcome[0]);
}

struct reading *reading_make(struct arena *a, const struct reader *reader, const char *text,
    const struct reading_before *before)
{
	const struct reading_model *m = reader->model;
	struct reading *r = arena_alloc(a, sizeof(*r));
	struct chooser_choice guess, choice;
	struct tagger_hint hint[READING_HINTS];
	float *words = NULL;

	r->words = words_of(a, text, before != NULL ? before->language : NULL);
	r->evidence = evidence_of(a, r->words, reader->source, reader->nsources);
	r->net = net_read(&m->net, a, r->words, r->evidence, before);
	struct chooser_view view = { .words = r->words, .evidence = r->evidence, .net = r->net, .before = before };
	chooser_choose(&m->first, a, &view, &guess);
	tagger_mark(m->tagger, a, r, hint, reading_hints(r->words, &guess, before, hint), &words);
	view.mark = r->mark;
	view.nmarks = r->nmarks;
	chooser_choose(&m->second, a, &view, &choice);
	if (!surely_the_same(&guess, &choice))
		tagger_mark(m->tagger, a, r, hint, reading_hints(r->words, &choice, before, hint), &words);
	reading_decide(r, &choice);
	return r;
}

bool reading_says(const struct reading *r, const char *kind)
{
	return evidence_in(r->evidence, 0, SIZE_MAX, kind) != NULL;
}
