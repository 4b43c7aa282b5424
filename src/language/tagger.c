/*
 * The tagger at work. Three models of the file are its own: "tagger", "tagger words", which are the words
 * that it knows by themselves, and "tagger plans", which labels go with which plan.
 */
#include "language/tagger_own.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"
#include "language/net.h"

struct tagger {
	const struct linear *tags, *words, *plans;
	struct tag_set set;
	int tag_of_net[NET_TAGS];             /* the tags that the net scores; -1: the tagger has no such tag */
};

/* The net's scores are multiplied by this. Weights of tags are whole numbers up to TAG_WEIGHT_MOST, and are learned without the net. */
static const float NET_COUNTS = 0.25F * TAG_WEIGHT_MOST;

/* ---- tags ------------------------------------------------------------------------------------ */

bool tag_within(const struct mark *m, const char *value)
{
	return value != NULL && m->value == NULL && !m->lifted && !streq(value, "true");
}

const char *tag_name(struct arena *a, const struct mark *m, bool within)
{
	const char *value = within ? "#" : m->lifted ? NULL : m->value;
	return arena_printf(a, "%s%s%s%s", m->lifted ? "-" : "", m->label, value != NULL ? "=" : "",
	    value != NULL ? value : "");
}

static bool trait(struct tag_set *s, size_t tag, size_t k, const char *name)
{
	size_t i = s->ntags;
	while (i < s->nclasses && !streq(s->class_name[i], name))
		i++;
	if (i == s->nclasses) {
		if (s->nclasses == TAGS_MAX + TRAITS_MAX)
			return false;
		s->class_name[s->nclasses++] = name;
	}
	s->tag[tag].trait[k] = (uint16_t)i;
	return true;
}

/* A label is shared by its values; the polarity by all labels; and so is the form of the value, which for a
 * label without one is "free": its words are its value. */
static bool fill_tag(struct tag_set *s, struct arena *a, size_t i)
{
	struct tag *t = &s->tag[i];
	const char *name = s->class_name[i], *equals = strchr(name, '=');
	t->lifted = name[0] == '-';
	name += t->lifted;
	t->label = equals != NULL ? arena_strndup(a, name, (size_t)(equals - name)) : name;
	t->value = equals == NULL || streq(equals + 1, "#") ? NULL : equals + 1;
	const char *polarity = t->lifted ? "lifted" : t->value != NULL && streq(t->value, "false") ? "false" : "plain";
	const char *form = equals == NULL ? "bare" : t->value == NULL ? "within" : "own";
	return *t->label != '\0' && trait(s, i, 0, arena_printf(a, "label %s", t->label)) &&
	    trait(s, i, 1, arena_printf(a, "polarity %s", polarity)) &&
	    trait(s, i, 2, arena_printf(a, "form %s %s", form, t->lifted ? "lifted" : ""));
}

bool tag_set_fill(struct tag_set *s, struct arena *a, const char *const *name, size_t n)
{
	*s = (struct tag_set){ .ntags = n, .nclasses = n };
	if (n < TAG_FIRST || n > TAGS_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		s->class_name[i] = name[i];
	for (size_t i = TAG_FIRST; i < n; i++)
		if (!fill_tag(s, a, i))
			return false;
	return true;
}

void tag_labels_only(const struct tag_labels *l, const struct tag_set *s, unsigned but, float *score)
{
	static const float NEVER = -1e9F;
	for (unsigned k = TAG_FIRST; k < s->ntags && !l->all; k++)
		if (k != but && !l->may[s->tag[k].trait[0]])
			score[k] = NEVER;
}

enum errcode tagger_open(struct tagger **out, struct arena *a, const struct linear_file *f, const struct net *net, struct err *e)
{
	struct tagger *t = arena_alloc(a, sizeof(*t));
	t->tags = linear_get(f, "tagger");
	t->words = linear_get(f, "tagger words");
	*out = t;
	t->plans = linear_get(f, "tagger plans");
	if (t->tags == NULL || t->words == NULL || t->plans == NULL)
		return err_set(e, ERR_CONFIG, "the file of models has no tagger");
	size_t n = t->tags->nnumbers > 0 && t->tags->number[0] > 0 ? (size_t)t->tags->number[0] : 0;
	if (n > t->tags->nclasses || !tag_set_fill(&t->set, a, t->tags->class_name, n) ||
	    t->set.nclasses != t->tags->nclasses || t->plans->nclasses != t->tags->nclasses)
		return err_set(e, ERR_CONFIG, "the tagger of the file of models has wrong classes");
	for (size_t i = 0; net != NULL && i < net->tags->nclasses; i++) {
		const int tag = linear_class(t->tags, net->tags->class_name[i]);
		t->tag_of_net[i] = tag >= 0 && (size_t)tag < n ? tag : -1;
	}
	return OK;
}

uint64_t tagger_plan_feature(const char *plan)
{
	return feature_and(feature_text("plan"), feature_text(plan));
}

/* ---- scores ---------------------------------------------------------------------------------- */

struct scoring {
	const struct tagger *t;
	const struct tag_text *text;
	const struct net_reading *net;
	struct tag_labels labels;
	float *own;                           /* the scores of each word without hints */
	bool known;                           /* they are known already */
};

static void find_labels(struct tag_labels *l, const struct linear *plans, const struct tagger_hint *hint, size_t nhints)
{
	*l = (struct tag_labels){ .all = true };
	for (size_t i = 0; i < nhints; i++) {
		size_t n;
		const struct linear_weight *w = linear_find(plans, hint[i].feature, &n);
		for (size_t k = 0; k < n && hint[i].weight >= TAG_PLAN_LEAST; k++) {
			l->may[w[k].class] = true;
			l->all = false;
		}
	}
}

static bool known(const void *self, uint64_t fold)
{
	size_t n;
	linear_find(self, fold, &n);
	return n > 0;
}

static void add_net(const struct scoring *s, size_t i, float *own)
{
	const struct net_reading *r = s->net;
	const size_t n = r->net->tags->nclasses;
	const float *score = r->tag + i * n;

	for (size_t k = 0; k < n; k++)
		if (s->t->tag_of_net[k] >= 0)
			own[s->t->tag_of_net[k]] += NET_COUNTS * score[k];
}

static void add_statics(void *self, size_t i, float *score)
{
	const struct scoring *s = self;
	const size_t nclasses = s->t->tags->nclasses;
	float *own = s->own + i * nclasses;
	struct tag_statics x;

	if (!s->known) {
		tag_statics(s->text, i, TAG_OWN, &x);
		linear_add(s->t->tags, x.feature, x.weight, x.n, own);
		if (s->net != NULL)
			add_net(s, i, own);
	}
	memcpy(score, own, nclasses * sizeof(*score));
	tag_statics(s->text, i, TAG_HINTED, &x);
	linear_add(s->t->tags, x.feature, x.weight, x.n, score);
	tag_labels_only(&s->labels, &s->t->set, TAG_NONE, score);
}

static void add_dynamics(void *self, const uint64_t *feature, size_t n, float *score)
{
	const struct scoring *s = self;
	linear_add(s->t->tags, feature, NULL, n, score);
}

static void put_marks(const struct tag_set *set, const struct tag_path *path, struct reading *r)
{
	r->nmarks = 0;
	for (size_t i = 0; i < path->n; i++) {
		if (path->class[i] < TAG_FIRST)
			continue;
		if (r->nmarks == READING_MARKS)
			return;
		const struct tag *tag = &set->tag[path->class[i]];
		struct mark *m = &r->mark[r->nmarks++];
		*m = (struct mark){ .first = i, .last = i, .label = tag->label, .value = tag->value, .lifted = tag->lifted,
			.sure = 1 };
		while (m->last + 1 < path->n && path->class[m->last + 1] == TAG_GOES_ON)
			m->last++;
	}
}

double tagger_mark(const struct tagger *t, struct arena *a, struct reading *r, const struct tagger_hint *hint,
    size_t nhints, float **words)
{
	struct scoring s = { .t = t, .text = tag_text_of(a, r, hint, nhints, known, t->words), .net = r->net, .own = *words,
		.known = *words != NULL };
	if (!s.known)
		*words = s.own = arena_array(a, r->words->n * t->tags->nclasses + 1, sizeof(*s.own));
	find_labels(&s.labels, t->plans, hint, nhints);
	struct tag_scorer scorer = { .statics = add_statics, .dynamics = add_dynamics, .self = &s };
	struct tag_path best;
	tag_search(a, &t->set, s.text, &scorer, &best, NULL);
	put_marks(&t->set, &best, r);
	return best.score;
}
