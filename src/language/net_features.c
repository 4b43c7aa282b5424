/*
 * What the net learns of words: themselves, their beginnings and ends, how they are written, and what exact knowledge says of
 * them. After a change here, train the models again.
 */
#include "language/net.h"

#include <string.h>

#include "language/feature.h"

enum template {
	N_WORD = 1, N_STEM, N_BEGIN, N_END, N_SHAPE, N_EDGE, N_KIND, N_LANGUAGE, N_BEFORE, N_HELD,
};

enum { LONG = 5 };        /* bytes; beginning and end of shorter words are not looked at */

static void put(struct net_features *f, enum template t, uint64_t x, uint64_t y)
{
	if (f->n < NET_FEATURES)
		f->at[f->n++] = feature_and(feature_and(t, x), y);
}

void net_features(const struct words *w, const struct evidences *e, size_t i, struct net_features *out)
{
	const struct word *x = &w->word[i];
	const size_t n = strlen(x->fold);

	out->n = 0;
	put(out, N_WORD, feature_text(x->fold), 0);
	if (x->kind == WORD_LETTERS) {
		put(out, N_STEM, feature_text(x->stem), 0);
		if (n >= LONG) {
			put(out, N_BEGIN, feature_bytes(x->fold, 4), 0);
			put(out, N_END, feature_bytes(x->fold + n - 3, 3), 0);
		}
	}
	put(out, N_SHAPE, x->kind, !w->shouted ? x->title + 2U * x->upper : 0);
	if (i == 0 || i + 1 == w->n)
		put(out, N_EDGE, i == 0, i + 1 == w->n);
	for (size_t k = 0; k < e->n && e->at[k].first <= i; k++)
		if (e->at[k].last >= i)
			put(out, N_KIND, feature_text(e->at[k].kind), e->at[k].first == i);
}

size_t net_features_past(const struct words *w, const struct reading_before *before, uint64_t out[NET_PAST])
{
	size_t n = 0;

	out[n++] = feature_and(N_LANGUAGE, feature_text(w->language));
	if (before == NULL || before->nplans == 0)
		return n;
	out[n++] = feature_and(N_BEFORE, feature_text(before->plan[0]));
	for (size_t i = 0; i < before->nslots && n < NET_PAST; i++)
		out[n++] = feature_and(N_HELD, feature_text(before->slot[i]));
	return n;
}
