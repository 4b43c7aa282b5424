/*
 * A message is a row of items: a mark or a piece of evidence is one item, each other word is one. Features
 * are words and items, alone and in pairs, in their order and without it.
 */
#include "language/chooser_features.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"

enum template {
	T_ALWAYS, T_WORD, T_STEM, T_PAIR, T_STEM_PAIR, T_SKIP, T_LETTERS, T_START, T_START_PAIR, T_START_TRIPLE, T_END, T_END_PAIR,
	T_LENGTH, T_LANGUAGE, T_EVIDENCE, T_EVIDENCE_PAIR, T_EVIDENCE_FEW, T_VALUE, T_ITEM, T_ITEM_PAIR, T_ITEM_SKIP,
	T_ITEM_TRIPLE, T_ITEM_START, T_ITEM_END, T_LABEL, T_LABEL_PAIR, T_LABEL_COUNT, T_LABELS, T_LABEL_ORDER, T_FREE,
	T_LABEL_WORD, T_BEFORE, T_BEFORE_WORD, T_BEFORE_SLOT, T_BEFORE_LABEL, T_LABEL_HELD, T_BEFORE_EVIDENCE,
	T_BEFORE_START, T_BEFORE_LENGTH, T_BEFORE_LABELS, T_BEFORE_LANGUAGE, T_HELD_SIGNATURE,
	T_CUT_LEFT, T_CUT_RIGHT, T_CUT_BOTH, T_CUT_SIGN, T_CUT_ITEMS, T_CUT_NEXT, T_CUT_WORDS, T_CUT_SIDES, T_CUT_INSIDE, T_CUT_SIDE, T_CUT_PAIR,
	T_SIDE_PLANS, T_SIDE_LEFT, T_SIDE_RIGHT, T_SIDE_SAME, T_SIDE_SURE, T_SIDE_SURE_BOTH, T_SIDE_SCORE, T_SIDE_SCORE_SAME,
	T_SOUND, T_SOUND_KNOWN,
	T_CLUSTER, T_CLUSTER_PAIR, T_CLUSTER_WORD, T_WORD_CLUSTER, T_CLUSTER_SKIP,
};

enum { CUT_NEAREST = 6 };        /* known items on each side of a cut that are looked at */

struct item {
	uint64_t hash;
	size_t first, last;      /* words */
	bool known;              /* a mark or evidence */
};

struct chooser_text {
	const struct chooser_view *view;
	uint64_t *fold, *stem;       /* of each word */
	struct item *item;
	size_t nitems;
	uint64_t *kind;              /* of each piece of evidence */
	uint64_t *label;             /* of each mark */
	bool *explained;             /* words within a mark */
	struct evidence_sound *sound;        /* of all words before this one; NULL: not known */
	const struct evidence_clusters *clusters;
};

static void put(struct chooser_features *f, enum template t, uint64_t x, uint64_t y, uint64_t z)
{
	if (f->n == f->room) {
		f->room = f->room == 0 ? 512 : 2 * f->room;
		uint64_t *more = arena_array(f->mem, f->room, sizeof(*more));
		if (f->n > 0)
			memcpy(more, f->at, f->n * sizeof(*more));
		f->at = more;
	}
	f->at[f->n++] = feature_and(feature_and(feature_and((uint64_t)t + 1, x), y), z);
}

/* Numbers are alike, except the small ones that a pilot counts with. */
static uint64_t word_hash(const struct word *w)
{
	if (w->kind == WORD_NUMBER && w->value > 9)
		return feature_bytes("1000", w->value > 99 ? 4 : 2);
	return feature_text(w->fold);
}

static uint64_t label_hash(const struct mark *m)
{
	uint64_t h = feature_and(feature_text(m->label), m->lifted);
	return m->value != NULL ? feature_and(h, feature_text(m->value)) : h;
}

static void find_items(struct chooser_text *t)
{
	const struct words *w = t->view->words;
	const struct evidences *e = t->view->evidence;
	size_t mark = 0, known = 0;
	for (size_t i = 0; i < w->n;) {
		struct item *item = &t->item[t->nitems++];
		*item = (struct item){ t->fold[i], i, i, false };
		if (t->view->mark != NULL) {
			if (mark < t->view->nmarks && t->view->mark[mark].first == i)
				*item = (struct item){ feature_and(7, t->label[mark]), i, t->view->mark[mark].last, true };
			while (mark < t->view->nmarks && t->view->mark[mark].first <= item->last)
				mark++;
		} else {
			while (known < e->n && e->at[known].first < i)
				known++;
			if (known < e->n && e->at[known].first == i && e->at[known].last < w->n)
				*item = (struct item){ feature_and(8, t->kind[known]), i, e->at[known].last, true };
		}
		i = item->last + 1;
	}
}

struct chooser_text *chooser_text_of(struct arena *a, const struct chooser_view *view)
{
	const struct words *w = view->words;
	struct chooser_text *t = arena_alloc(a, sizeof(*t));
	t->view = view;
	t->fold = arena_array(a, w->n + 1, sizeof(*t->fold));
	t->stem = arena_array(a, w->n + 1, sizeof(*t->stem));
	t->item = arena_array(a, w->n + 1, sizeof(*t->item));
	t->kind = arena_array(a, view->evidence->n + 1, sizeof(*t->kind));
	t->label = arena_array(a, view->nmarks + 1, sizeof(*t->label));
	t->explained = arena_array(a, w->n + 1, sizeof(*t->explained));
	for (size_t i = 0; i < w->n; i++) {
		t->fold[i] = word_hash(&w->word[i]);
		t->stem[i] = feature_text(w->word[i].stem);
	}
	for (size_t i = 0; i < view->evidence->n; i++)
		t->kind[i] = feature_text(view->evidence->at[i].kind);
	for (size_t i = 0; i < view->nmarks; i++) {
		t->label[i] = label_hash(&view->mark[i]);
		for (size_t k = view->mark[i].first; k <= view->mark[i].last; k++)
			t->explained[k] = true;
	}
	t->clusters = view->evidence->clusters;
	if (view->evidence->sound != NULL) {
		t->sound = arena_array(a, w->n + 1, sizeof(*t->sound));
		for (size_t i = 0; i < w->n; i++)
			t->sound[i + 1] = (struct evidence_sound){ t->sound[i].sum + view->evidence->sound[i].sum,
				t->sound[i].size + view->evidence->sound[i].size };
	}
	find_items(t);
	return t;
}

static uint64_t bucket(size_t n)
{
	return n <= 6 ? n : n <= 8 ? 8 : n <= 12 ? 12 : n <= 20 ? 20 : n <= 40 ? 40 : 100;
}

/* Words of one cluster share these features, so what was learned of one word also serves a word that no message had. */
static void put_clusters(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t i)
{
	const struct evidence_clusters *c = &t->clusters[i];
	for (size_t k = 0; k < EVIDENCE_CLUSTERS; k++)
		put(f, T_CLUSTER, c->at[k], k, 0);
	if (i >= first + 1) {
		put(f, T_CLUSTER_PAIR, c[-1].at[CLUSTER_MIDDLE], c->at[CLUSTER_MIDDLE], 0);
		put(f, T_WORD_CLUSTER, t->fold[i - 1], c->at[CLUSTER_MIDDLE], 0);
		put(f, T_CLUSTER_WORD, c[-1].at[CLUSTER_MIDDLE], t->fold[i], 0);
	}
	if (i >= first + CHOOSER_NEIGHBOURS)
		put(f, T_CLUSTER_SKIP, c[-2].at[CLUSTER_LARGE], c->at[CLUSTER_LARGE], 0);
}

void chooser_features_word(struct chooser_features *out, const struct chooser_text *t, size_t first, size_t i)
{
	const struct word *word = &t->view->words->word[i];
	put(out, T_WORD, t->fold[i], 0, 0);
	if (word->kind == WORD_LETTERS) {
		put(out, T_STEM, t->stem[i], 0, 0);
		size_t n = strlen(word->fold);
		for (size_t len = 4; len <= 5; len++)
			for (size_t k = 0; k + len <= n && k < 24 && n > len; k++)
				put(out, T_LETTERS, feature_bytes(word->fold + k, len), k == 0, k + len == n);
	}
	if (i >= first + 1) {
		put(out, T_PAIR, t->fold[i - 1], t->fold[i], 0);
		put(out, T_STEM_PAIR, t->stem[i - 1], t->stem[i], 0);
	}
	if (i >= first + CHOOSER_NEIGHBOURS)
		put(out, T_SKIP, t->stem[i - 2], t->stem[i], 0);
	if (t->clusters != NULL)
		put_clusters(out, t, first, i);
}

static void put_edges(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t last)
{
	put(f, T_START, t->fold[first], 0, 0);
	put(f, T_END, t->fold[last], 0, 0);
	if (last > first) {
		put(f, T_START_PAIR, t->fold[first], t->fold[first + 1], 0);
		put(f, T_END_PAIR, t->fold[last - 1], t->fold[last], 0);
	}
	if (last > first + 1)
		put(f, T_START_TRIPLE, t->fold[first], t->fold[first + 1], t->fold[first + 2]);
	put(f, T_LENGTH, bucket(last - first + 1), 0, 0);
	put(f, T_LANGUAGE, feature_text(t->view->words->language), 0, 0);
}

static void put_items(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t last)
{
	size_t from = 0, to = t->nitems;
	while (from < to && t->item[from].first < first)
		from++;
	while (to > from && t->item[to - 1].last > last)
		to--;
	if (from == to)
		return;
	const struct item *item = t->item;
	for (size_t i = from; i < to; i++) {
		if (i + 1 < to && (item[i].known || item[i + 1].known))
			put(f, T_ITEM_PAIR, item[i].hash, item[i + 1].hash, 0);
		if (i + 2 < to && (item[i].known || item[i + 2].known))
			put(f, T_ITEM_SKIP, item[i].hash, item[i + 2].hash, 0);
		if (i + 2 < to && (item[i].known || item[i + 1].known || item[i + 2].known))
			put(f, T_ITEM_TRIPLE, item[i].hash, item[i + 1].hash, item[i + 2].hash);
	}
	put(f, T_ITEM_START, item[from].hash, from + 1 < to ? item[from + 1].hash : 0, 0);
	put(f, T_ITEM_END, item[to - 1].hash, 0, 0);
}

static void put_evidence(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t last)
{
	const struct evidences *e = t->view->evidence;
	enum { KINDS = 40 };
	uint64_t kind[KINDS];
	unsigned count[KINDS];
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++) {
		if (e->at[i].first < first || e->at[i].last > last)
			continue;
		size_t k = 0;
		while (k < n && kind[k] != t->kind[i])
			k++;
		if (k < n) {
			count[k]++;
		} else if (n < KINDS) {
			kind[n] = t->kind[i];
			count[n++] = 1;
		}
	}
	for (size_t i = 0; i < n; i++) {
		put(f, T_EVIDENCE, kind[i], 0, 0);
		put(f, T_EVIDENCE_FEW, kind[i], count[i] > 2 ? 3 : count[i], 0);
		put(f, T_EVIDENCE_PAIR, kind[i], t->fold[first], 1);
		for (size_t k = 0; k < n; k++)
			if (kind[k] < kind[i])
				put(f, T_EVIDENCE_PAIR, kind[i], kind[k], 0);
	}
}

static void put_labels(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t last)
{
	const struct chooser_view *v = t->view;
	uint64_t all = 0, order = 0;
	size_t n = 0, unexplained = 0;
	for (size_t i = 0; i < v->nmarks; i++) {
		if (v->mark[i].first < first || v->mark[i].last > last)
			continue;
		uint64_t label = t->label[i];
		size_t same = 0;
		for (size_t k = 0; k < v->nmarks; k++) {
			if (v->mark[k].first < first || v->mark[k].last > last)
				continue;
			same += t->label[k] == label;
			if (t->label[k] < label)
				put(f, T_LABEL_PAIR, label, t->label[k], 0);
		}
		put(f, T_LABEL, label, 0, 0);
		put(f, T_LABEL_COUNT, label, same > 2 ? 3 : same, 0);
		put(f, T_LABEL_WORD, label, t->fold[first], 0);
		if (n > 0)
			put(f, T_LABEL_ORDER, order, label, 0);
		order = label;
		all += feature_and(label, 3);       /* a sum, so that the order does not matter */
		n++;
	}
	put(f, T_LABELS, all, 0, 0);
	put(f, T_LABELS, 1, bucket(n), 0);
	for (size_t i = first; i <= last; i++)
		unexplained += !t->explained[i];
	put(f, T_FREE, bucket(unexplained), n > 0, 0);
}

/* Does the clause sound like a question about rules? In steps of a half. */
static void put_sound(struct chooser_features *f, const struct chooser_text *t, size_t first, size_t last)
{
	enum { MOST = 8 };
	size_t known = 0;

	if (t->sound == NULL)
		return;
	const float size = t->sound[last + 1].size - t->sound[first].size;
	const float sound = size > 0 ? (t->sound[last + 1].sum - t->sound[first].sum) / sqrtf(size) : 0;
	const float step = floorf(2 * sound);
	const uint64_t height = (uint64_t)(step < -MOST ? 0 : step > MOST ? 2 * MOST : step + MOST);
	for (size_t i = 0; i < t->nitems; i++)
		known += t->item[i].known && t->item[i].first >= first && t->item[i].last <= last;
	put(f, T_SOUND, height, 0, 0);
	put(f, T_SOUND_KNOWN, height, known > 2 ? 3 : known, 0);
}

void chooser_features_clause(struct chooser_features *out, const struct chooser_text *t, size_t first, size_t last)
{
	put(out, T_ALWAYS, 0, 0, 0);
	if (t->view->words->n == 0)
		return;
	put_edges(out, t, first, last);
	put_items(out, t, first, last);
	put_evidence(out, t, first, last);
	put_sound(out, t, first, last);
	if (t->view->mark != NULL)
		put_labels(out, t, first, last);
}

static bool held(const struct reading_before *b, const char *label)
{
	for (size_t i = 0; i < b->nslots; i++)
		if (streq(b->slot[i], label))
			return true;
	return false;
}

void chooser_features_follow(struct chooser_features *out, const struct chooser_text *t)
{
	const struct chooser_view *v = t->view;
	const struct reading_before *b = v->before;
	uint64_t plan = feature_text(b->plan[0]), signature = 0, all = 0;

	put(out, T_BEFORE, plan, 0, 0);
	put(out, T_BEFORE, plan, b->nplans > 1 ? feature_text(b->plan[1]) : 0, 1);
	put(out, T_BEFORE_LENGTH, plan, bucket(v->words->n), 0);
	put(out, T_BEFORE_LANGUAGE, bucket(v->words->n), 0, 0);
	for (size_t i = 0; i < b->nslots; i++)
		put(out, T_BEFORE_SLOT, feature_text(b->slot[i]), plan, 0);
	for (size_t i = 0; i < v->words->n; i++)
		put(out, T_BEFORE_WORD, plan, t->fold[i], 0);
	for (size_t i = 0; i < v->evidence->n; i++)
		put(out, T_BEFORE_EVIDENCE, plan, t->kind[i], 0);
	if (v->words->n > 0)
		put(out, T_BEFORE_START, plan, t->item[0].hash, t->nitems > 1 ? t->item[1].hash : 0);
	for (size_t i = 0; i < v->nmarks; i++) {
		bool there = held(b, v->mark[i].label);
		put(out, T_BEFORE_LABEL, plan, t->label[i], 0);
		put(out, T_LABEL_HELD, t->label[i], there, 0);
		put(out, T_LABEL_HELD, t->label[i], there, plan);
		put(out, T_LABEL_HELD, there, 0, 1);
		signature |= 1U << (there + 2 * v->mark[i].lifted);
		all += feature_and(t->label[i], 3);
	}
	put(out, T_BEFORE_LABELS, plan, all, 0);
	put(out, T_HELD_SIGNATURE, signature, 0, 0);
	put(out, T_HELD_SIGNATURE, signature, bucket(v->words->n), 1);
}

/* The known items next to the item `at`: before it, or behind; how many. */
static size_t nearest_known(const struct chooser_text *t, size_t at, bool behind, size_t out[CUT_NEAREST])
{
	size_t n = 0;
	for (size_t i = at; n < CUT_NEAREST && (behind ? i < t->nitems : i > 0); behind ? i++ : i--)
		if (t->item[behind ? i : i - 1].known)
			out[n++] = behind ? i : i - 1;
	return n;
}

/* The first known items on both sides of the cut, and whether a known one lies across it. */
void chooser_features_cut(struct chooser_features *out, const struct chooser_text *t, size_t at)
{
	const struct words *w = t->view->words;
	size_t right = 0;
	while (right < t->nitems && t->item[right].first < at)
		right++;
	bool across = right == t->nitems || t->item[right].first != at;
	uint64_t l1 = t->fold[at - 1], l2 = at > 1 ? t->fold[at - 2] : 0;
	uint64_t r1 = t->fold[at], r2 = at + 1 < w->n ? t->fold[at + 1] : 0, r3 = at + 2 < w->n ? t->fold[at + 2] : 0;

	put(out, T_ALWAYS, 1, 0, 0);
	put(out, T_CUT_LEFT, l1, 0, 0);
	put(out, T_CUT_LEFT, l2, l1, 1);
	put(out, T_CUT_RIGHT, r1, 0, 0);
	put(out, T_CUT_RIGHT, r1, r2, 1);
	put(out, T_CUT_RIGHT, r1, r2, r3);
	put(out, T_CUT_NEXT, r2, 0, 0);
	put(out, T_CUT_BOTH, l1, r1, 0);
	put(out, T_CUT_BOTH, l1, r1, r2);
	put(out, T_CUT_SIGN, w->word[at - 1].kind == WORD_SIGN, w->word[at].line, across);
	put(out, T_CUT_SIDES, bucket(at) > 5 ? 5 : bucket(at), bucket(w->n - at) > 5 ? 5 : bucket(w->n - at), 0);
	size_t known[2], left[CUT_NEAREST], rest[CUT_NEAREST];
	known[0] = nearest_known(t, right, false, left);
	known[1] = nearest_known(t, right, true, rest);
	put(out, T_CUT_INSIDE, known[0] > 2 ? 3 : known[0], known[1] > 2 ? 3 : known[1], w->word[at - 1].kind == WORD_SIGN);
	for (size_t i = right; i < t->nitems && i < right + 4; i++)
		put(out, T_CUT_ITEMS, t->item[i].hash, t->item[i].known ? 0 : i - right, 0);
	for (size_t i = right, n = 0; i-- > 0 && n < 4; n++)
		put(out, T_CUT_ITEMS, t->item[i].hash, t->item[i].known ? 0 : n, 1);
	for (size_t k = 0; k < known[1]; k++)
		put(out, T_CUT_SIDE, t->item[rest[k]].hash, 1, 0);
	for (size_t i = 0; i < known[0]; i++) {
		put(out, T_CUT_SIDE, t->item[left[i]].hash, 0, 0);
		for (size_t k = 0; k < known[1]; k++)
			put(out, T_CUT_PAIR, t->item[left[i]].hash, t->item[rest[k]].hash, 0);
	}
}

/* Probabilities in six steps. */
static uint64_t step(double p)
{
	static const double BOUND[] = { 0.2, 0.4, 0.6, 0.8, 0.95 };
	uint64_t n = 0;
	while (n < sizeof(BOUND) / sizeof(BOUND[0]) && p >= BOUND[n])
		n++;
	return n;
}

void chooser_features_sides(struct chooser_features *out, struct chooser_side whole, struct chooser_side left,
    struct chooser_side right, double score)
{
	uint64_t same = (left.plan == right.plan) + 2U * (whole.plan == left.plan) + 4U * (whole.plan == right.plan);
	uint64_t height = (uint64_t)(score < -10 ? 0 : score > 10 ? 20 : score + 10);
	put(out, T_SIDE_PLANS, left.plan, right.plan, 0);
	put(out, T_SIDE_PLANS, left.plan, right.plan, whole.plan);
	put(out, T_SIDE_LEFT, left.plan, step(left.sure), 0);
	put(out, T_SIDE_RIGHT, right.plan, step(right.sure), 0);
	put(out, T_SIDE_SAME, same, 0, 0);
	put(out, T_SIDE_SAME, same, step(whole.sure), 1);
	put(out, T_SIDE_SURE, step(left.sure), same, 1);
	put(out, T_SIDE_SURE, step(right.sure), same, 2);
	put(out, T_SIDE_SURE_BOTH, step(left.sure), step(right.sure), same);
	put(out, T_SIDE_SCORE, height, 0, 0);
	put(out, T_SIDE_SCORE_SAME, height, same, 0);
}
