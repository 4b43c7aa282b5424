/*
 * What the tagger looks at. Places that nobody has marked before are most of what it will meet, so a word that
 * the model does not know by itself counts by its shape, its beginning and end, and by the evidence on it.
 */
#include "language/tagger_own.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/feature.h"

/* Templates; their numbers are part of the model. */
enum template {
	F_BIAS = 1, F_FOLD, F_STEM, F_PAIR, F_TRIPLE, F_AROUND, F_BEGIN, F_END, F_SHAPE, F_NUMBER, F_EDGE, F_SIGN,
	F_SORT, F_SORT_PAIR, F_SORT_FOLD, F_SORT_KNOWN, F_KIND, F_KIND_LONG, F_KIND_LEFT, F_KIND_LEFT2, F_KIND_RIGHT,
	F_KIND_SORTS, F_KIND_STEM, F_KIND_SHAPE, F_KIND_NTH, F_KIND_HINT, F_HINT, F_HINT_SORT, F_HINT_STEM,
	F_STEM_PAIR, F_INSIDE, F_CLUSTER, F_CLUSTER_PAIR, F_CLUSTER_SORT,
	D_BEFORE, D_BEFORE_FOLD, D_BEFORE_STEM, D_BEFORE_PAIR, D_BEFORE_SORT, D_BEFORE_NEXT, D_BEFORE_SORT_NEXT,
	D_LENGTH, D_LAST, D_LAST_SORT, D_LAST_FOLD, D_LAST_SORT_LEFT, D_LAST2, D_LAST2_SORT, D_USED, D_USED_SORT,
	D_BEFORE_KIND, D_HINT_LAST, D_HINT_SORT,
};

enum { PAD = 3, COVERS = 12, NEAR_KNOWN = 4, HINTS_END = DYNAMICS_MAX - 6 };

static const float HINT_SURE = 0.5F;   /* of a hint that is taken as certain */

static void put_weighted(struct tag_statics *e, uint64_t feature, float weight)
{
	if (e->n == STATICS_MAX)
		return;
	e->feature[e->n] = feature;
	e->weight[e->n++] = weight;
}

static void put(struct tag_statics *e, uint64_t feature)
{
	put_weighted(e, feature, 1);
}

static uint64_t two(enum template t, uint64_t a)
{
	return feature_and(t, a);
}

static uint64_t three(enum template t, uint64_t a, uint64_t b)
{
	return feature_and(feature_and(t, a), b);
}

static uint64_t four(enum template t, uint64_t a, uint64_t b, uint64_t c)
{
	return feature_and(three(t, a, b), c);
}

/* ---- once for a message ------------------------------------------------------------------ */

static uint64_t shape_of(const struct words *w, const struct word *x)
{
	size_t n = strlen(x->fold), digits = 0;
	for (size_t i = 0; i < n; i++)
		digits += x->fold[i] >= '0' && x->fold[i] <= '9';
	uint64_t h = feature_and(feature_text("shape"), x->kind);
	h = feature_and(h, x->title && !w->shouted ? 1 : 0);
	h = feature_and(h, x->upper && !w->shouted ? 1 : 0);
	h = feature_and(h, n < 5 ? n : n < 8 ? 5 : 6);
	return feature_and(h, digits > 0 && digits < n ? 1 : 0);
}

/* Evidence by word: covers[i] is where the list of word i begins. Of each word the longest ones. */
static void find_covers(struct tag_text *t, struct arena *a)
{
	size_t n = t->w->n;
	uint64_t *count = arena_array(a, n + 1, sizeof(*count));
	t->covers = arena_array(a, n * (COVERS + 1) + 1, sizeof(*t->covers));
	for (size_t k = 0; t->e != NULL && k < t->e->n; k++) {
		const struct evidence *x = &t->e->at[k];
		for (size_t i = x->first; i <= x->last && i < n; i++)
			if (count[i] < COVERS)
				t->covers[i * (COVERS + 1) + 1 + count[i]++] = k;
	}
	for (size_t i = 0; i < n; i++)
		t->covers[i * (COVERS + 1)] = count[i];
}

/* The pieces of one kind that do not overlap. */
struct series {
	uint64_t kind;
	size_t n, end;                        /* end: the last word of the last piece, and 1 */
};

static struct series *series_of(struct series *table, size_t size, uint64_t kind)
{
	size_t i = (size_t)kind & (size - 1);
	while (table[i].kind != 0 && table[i].kind != kind)
		i = (i + 1) & (size - 1);
	table[i].kind = kind;
	return &table[i];
}

static void find_series(struct tag_text *t, struct arena *a)
{
	size_t n = t->e != NULL ? t->e->n : 0, size = 8;
	while (size < 2 * n)
		size *= 2;
	struct series *table = arena_array(a, size, sizeof(*table));
	size_t *before = arena_array(a, n + 1, sizeof(*before));
	t->evidence = arena_array(a, n + 1, sizeof(*t->evidence));
	for (size_t k = 0; k < n; k++) {
		const struct evidence *x = &t->e->at[k];
		t->evidence[k].kind = feature_text(x->kind);
		struct series *s = series_of(table, size, t->evidence[k].kind);
		if (x->first >= s->end) {
			s->n++;
			s->end = x->last + 1;
		}
		before[k] = s->n - 1;
	}
	for (size_t k = 0; k < n; k++) {
		size_t behind = series_of(table, size, t->evidence[k].kind)->n - before[k] - 1;
		t->evidence[k].nth = (before[k] < 3 ? before[k] : 3) * 4 + (behind < 3 ? behind : 3);
	}
}

/* The kind of the longest evidence on a word, and whether it begins there. */
static uint64_t sort_of(const struct tag_text *t, size_t i)
{
	const uint64_t *list = t->covers + i * (COVERS + 1);
	size_t best = SIZE_MAX, longest = 0;
	for (size_t k = 0; k < list[0]; k++) {
		const struct evidence *x = &t->e->at[list[1 + k]];
		if (x->last - x->first + 1 > longest) {
			best = list[1 + k];
			longest = x->last - x->first + 1;
		}
	}
	return best == SIZE_MAX ? t->word[i].shape
	    : feature_and(feature_and(feature_text("sort"), t->evidence[best].kind), t->e->at[best].first == i);
}

struct tag_text *tag_text_of(struct arena *a, const struct reading *r, const struct tagger_hint *hint, size_t nhints,
    tag_known *known, const void *self)
{
	struct tag_text *t = arena_alloc(a, sizeof(*t));
	const struct words *w = r->words;
	*t = (struct tag_text){ .w = w, .e = r->evidence, .hint = hint, .nhints = nhints };
	struct tag_word *all = arena_array(a, w->n + 2 * PAD, sizeof(*all));
	const struct evidence_clusters *clusters = r->evidence != NULL ? r->evidence->clusters : NULL;
	t->word = all + PAD;
	for (size_t i = 0; i < w->n + 2 * PAD; i++) {
		uint64_t edge = feature_and(feature_text("edge"), i < PAD ? PAD - i : i - w->n - PAD + 10);
		all[i] = (struct tag_word){ edge, edge, edge, edge, edge, edge, true };
	}
	find_covers(t, a);
	find_series(t, a);
	for (size_t i = 0; i < w->n; i++) {
		struct tag_word *x = &t->word[i];
		uint64_t fold = feature_text(w->word[i].fold);
		x->shape = shape_of(w, &w->word[i]);
		x->known = w->word[i].kind == WORD_SIGN || known(self, fold);
		x->fold = x->known ? fold : x->shape;
		x->stem = x->known ? feature_text(w->word[i].stem) : x->shape;
		x->sort = sort_of(t, i);
		x->middle = clusters != NULL ? clusters[i].at[CLUSTER_MIDDLE] : 0;
		x->small = clusters != NULL ? clusters[i].at[CLUSTER_SMALL] : 0;
	}
	return t;
}

/* ---- static features --------------------------------------------------------------------- */

static void word_features(struct tag_statics *e, const struct tag_text *t, size_t i)
{
	const struct tag_word *x = &t->word[i];
	put(e, F_BIAS);
	for (int k = -PAD; k <= PAD; k++) {
		put(e, three(F_FOLD, (uint64_t)(k + PAD), x[k].fold));
		put(e, three(F_SORT, (uint64_t)(k + PAD), x[k].sort));
	}
	for (int k = -1; k <= 1; k++)
		put(e, three(F_STEM, (uint64_t)(k + PAD), x[k].stem));
	for (int k = -2; k <= 1; k++)
		put(e, four(F_PAIR, (uint64_t)(k + PAD), x[k].fold, x[k + 1].fold));
	put(e, three(F_STEM_PAIR, x[-1].stem, x[0].stem));
	put(e, four(F_STEM_PAIR, 1, x[0].stem, x[1].stem));
	put(e, three(F_AROUND, x[-1].fold, x[1].fold));
	for (int k = -2; k <= 0; k++)
		put(e, feature_and(four(F_TRIPLE, (uint64_t)(k + PAD), x[k].fold, x[k + 1].fold), x[k + 2].fold));
	put(e, three(F_SHAPE, x->shape, t->w->whispered));
	put(e, four(F_SHAPE, x[-1].shape, x->shape, x[1].shape));
}

static void cluster_features(struct tag_statics *e, const struct tag_text *t, size_t i)
{
	const struct tag_word *x = &t->word[i];
	for (int k = -2; k <= 2; k++)
		put(e, three(F_CLUSTER, (uint64_t)(k + PAD), x[k].middle));
	for (int k = -1; k <= 1; k++)
		put(e, four(F_CLUSTER, (uint64_t)(k + PAD), x[k].small, 1));
	put(e, three(F_CLUSTER_PAIR, x[-1].middle, x->middle));
	put(e, four(F_CLUSTER_PAIR, 1, x->middle, x[1].middle));
	put(e, three(F_CLUSTER_SORT, x[-1].middle, x->sort));
	put(e, four(F_CLUSTER_SORT, 1, x->sort, x[1].middle));
	put(e, feature_and(four(F_CLUSTER_SORT, 2, x[-1].middle, x->sort), x[1].middle));
}

static void spelling_features(struct tag_statics *e, const struct word *w)
{
	size_t n = strlen(w->fold);
	if (w->kind == WORD_LETTERS) {
		for (size_t k = 2; k <= 4 && k < n; k++) {
			put(e, two(F_BEGIN, feature_bytes(w->fold, k)));
			put(e, two(F_END, feature_bytes(w->fold + n - k, k)));
		}
		for (size_t k = 1; n >= 7 && k + 4 < n; k++)
			put(e, two(F_INSIDE, feature_bytes(w->fold + k, 4)));
	} else if (w->kind == WORD_NUMBER) {
		double v = w->value;
		put(e, two(F_NUMBER, v < 1 ? 0 : v <= 5 ? 1 : v <= 10 ? 2 : v <= 31 ? 3 : v <= 60 ? 4 : v <= 100 ? 5 :
		    v <= 250 ? 6 : v <= 500 ? 7 : v <= 1500 ? 8 : v <= 4000 ? 9 : 10));
		put(e, three(F_NUMBER, 1, n < 6 ? n : 6));
	}
}

static void place_features(struct tag_statics *e, const struct tag_text *t, size_t i)
{
	const struct tag_word *x = &t->word[i];
	const struct word *w = t->w->word;
	size_t n = t->w->n;
	put(e, four(F_EDGE, i == 0 || w[i].line, i + 1 == n, n < 4 ? n : n < 8 ? 4 : 5));
	put(e, four(F_EDGE, i < 4 ? i : 4, n - i < 3 ? n - i : 3, x->sort));
	put(e, three(F_SIGN, w[i].gap, i + 1 < n && w[i + 1].gap));
	put(e, three(F_SORT_PAIR, x[-1].sort, x->sort));
	put(e, four(F_SORT_PAIR, 1, x->sort, x[1].sort));
	put(e, four(F_SORT_PAIR, x[-2].sort, x[-1].sort, x->sort));
	put(e, feature_and(four(F_SORT_PAIR, 2, x->sort, x[1].sort), x[2].sort));
	put(e, three(F_SORT_FOLD, x[-1].fold, x->sort));
	put(e, four(F_SORT_FOLD, x[-2].fold, x[-1].fold, x->sort));
	put(e, four(F_SORT_FOLD, 1, x->sort, x[1].fold));
	put(e, feature_and(four(F_SORT_FOLD, 2, x->sort, x[1].fold), x[2].fold));
	put(e, feature_and(four(F_SORT_FOLD, 3, x[-1].fold, x->sort), x[1].fold));
	for (size_t k = 2; k <= NEAR_KNOWN && k <= i; k++) {
		if (x[-(long)k].known && w[i - k].kind == WORD_LETTERS) {
			put(e, three(F_SORT_KNOWN, x[-(long)k].fold, x->sort));
			break;
		}
	}
}

static bool hint_for(const struct tagger_hint *h, size_t i)
{
	return h->first <= i && i <= h->last;
}

static void kind_features(struct tag_statics *e, const struct tag_text *t, size_t i, size_t piece, enum tag_part part)
{
	const struct evidence *x = &t->e->at[piece];
	const struct tag_word *w = t->word, *left = &w[x->first], *right = &w[x->last];
	uint64_t role = (uint64_t)(x->first == i) * 2 + (x->last == i);
	uint64_t kind = feature_and(t->evidence[piece].kind, role);
	if ((part & TAG_OWN) != 0) {
		put(e, two(F_KIND, kind));
		put(e, three(F_KIND_LONG, kind, x->last - x->first));
		put(e, three(F_KIND_LEFT, kind, left[-1].fold));
		put(e, four(F_KIND_LEFT2, kind, left[-2].fold, left[-1].fold));
		put(e, three(F_KIND_RIGHT, kind, right[1].fold));
		put(e, four(F_KIND_RIGHT, kind, right[1].fold, right[2].fold));
		put(e, four(F_KIND_SORTS, 0, kind, left[-1].sort));
		put(e, four(F_KIND_SORTS, 1, kind, right[1].sort));
		put(e, feature_and(four(F_KIND_SORTS, 2, kind, left[-1].sort), right[1].sort));
		put(e, three(F_KIND_STEM, kind, w[i].stem));
		put(e, three(F_KIND_SHAPE, kind, w[i].shape));
		put(e, three(F_KIND_NTH, kind, t->evidence[piece].nth));
	}
	for (size_t k = 0; (part & TAG_HINTED) != 0 && k < t->nhints; k++)
		if (hint_for(&t->hint[k], i))
			put_weighted(e, three(F_KIND_HINT, kind, t->hint[k].feature), t->hint[k].weight);
}

static void hint_features(struct tag_statics *e, const struct tag_text *t, size_t i)
{
	const struct tag_word *x = &t->word[i];
	for (size_t k = 0; k < t->nhints; k++) {
		if (!hint_for(&t->hint[k], i))
			continue;
		put_weighted(e, two(F_HINT, t->hint[k].feature), t->hint[k].weight);
		put_weighted(e, three(F_HINT_SORT, t->hint[k].feature, x->sort), t->hint[k].weight);
		put_weighted(e, three(F_HINT_STEM, t->hint[k].feature, x->stem), t->hint[k].weight);
	}
}

void tag_statics(const struct tag_text *t, size_t i, enum tag_part part, struct tag_statics *out)
{
	const uint64_t *covers = t->covers + i * (COVERS + 1);
	out->n = 0;
	if ((part & TAG_OWN) != 0) {
		word_features(out, t, i);
		cluster_features(out, t, i);
		spelling_features(out, &t->w->word[i]);
		place_features(out, t, i);
	}
	for (size_t k = 0; k < covers[0]; k++)
		kind_features(out, t, i, covers[1 + k], part);
	if ((part & TAG_HINTED) != 0)
		hint_features(out, t, i);
}

/* ---- features of the marks before -------------------------------------------------------- */

struct tag_past tag_past_then(const struct tag_past *p, unsigned class)
{
	struct tag_past q = *p;
	if (class == TAG_NONE) {
		q.before = TAG_NONE;
		q.length = 0;
		q.since = (uint16_t)(q.since + 1);
	} else if (class == TAG_GOES_ON) {
		q.length = (uint16_t)(q.length + 1);
	} else {
		memmove(q.used + 1, q.used, sizeof(q.used) - sizeof(q.used[0]));
		q.used[0] = (uint16_t)class;
		q.last2 = q.last;
		q.last = q.before = (uint16_t)class;
		q.length = 1;
		q.since = 0;
	}
	return q;
}

size_t tag_dynamics(const struct tag_text *t, size_t i, const struct tag_past *p, uint64_t out[DYNAMICS_MAX])
{
	const struct tag_word *x = &t->word[i];
	const uint64_t *covers = t->covers + i * (COVERS + 1);
	uint64_t before = p->before, last = feature_and(p->last, p->since < 3 ? p->since : 3);
	size_t n = 0;
	out[n++] = two(D_BEFORE, before);
	out[n++] = three(D_BEFORE_FOLD, before, x->fold);
	out[n++] = three(D_BEFORE_STEM, before, x->stem);
	out[n++] = four(D_BEFORE_PAIR, before, x[-1].fold, x->fold);
	out[n++] = three(D_BEFORE_SORT, before, x->sort);
	out[n++] = three(D_BEFORE_NEXT, before, x[1].fold);
	out[n++] = four(D_BEFORE_SORT_NEXT, before, x->sort, x[1].sort);
	out[n++] = three(D_LENGTH, before, p->length < 6 ? p->length : 6);
	out[n++] = four(D_LENGTH, before, p->length < 6 ? p->length : 6, x->sort);
	out[n++] = two(D_LAST, last);
	out[n++] = three(D_LAST_SORT, last, x->sort);
	out[n++] = three(D_LAST_FOLD, p->last, x->fold);
	out[n++] = four(D_LAST_SORT_LEFT, p->last, x->sort, x[-1].fold);
	out[n++] = three(D_LAST2, p->last, p->last2);
	out[n++] = four(D_LAST2_SORT, p->last, p->last2, x->sort);
	for (size_t k = 0; k < 6 && p->used[k] != TAG_NONE; k++) {
		out[n++] = two(D_USED, p->used[k]);
		out[n++] = three(D_USED_SORT, p->used[k], x->sort);
	}
	for (size_t k = 0; k < t->nhints && n + 2 <= HINTS_END; k++) {
		if (t->hint[k].weight < HINT_SURE || !hint_for(&t->hint[k], i))
			continue;
		out[n++] = three(D_HINT_LAST, t->hint[k].feature, last);
		out[n++] = four(D_HINT_SORT, t->hint[k].feature, last, x->sort);
	}
	for (size_t k = 0; k < covers[0] && n < DYNAMICS_MAX && p->before != TAG_NONE; k++) {
		const struct evidence *y = &t->e->at[covers[1 + k]];
		out[n++] = feature_and(four(D_BEFORE_KIND, before, t->evidence[covers[1 + k]].kind, y->first == i),
		    y->first + p->length == i);
	}
	return n;
}
