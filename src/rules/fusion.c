/*
 * The cosines of a provider's model have a scale of their own, which we do not know, so only their order is used. The
 * scale of the built-in vectors is known. There the similarities are added, because they tell more than ranks: a
 * question that no rule answers has a first hit too.
 */
#include "rules/fusion.h"

#include <stdlib.h>

#include "rules/vector_store.h"

enum { RANK_OFFSET = 60 /* how much less the first rank counts than all together */ };

/* What the square of the similarity by words counts when the similarity by meaning counts 1. The square, because a few words in
 * common tell little, and nearly all of them tell much. Chosen on authors and matters that the encoder was not taught
 * (scripts/quality encoder) and on tests/quality/rules_heldout.tsv. */
static const double LEXICAL_WEIGHS = 1.2;

struct fusion_standing {
	struct rule_hit hit;
	double score;
	size_t order;
};

static int by_score(const void *pa, const void *pb)
{
	const struct fusion_standing *a = pa, *b = pb;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

struct hits fusion_by_ranks(struct arena *a, struct hits first, struct hits second)
{
	struct fusion_standing *all = arena_array(a, first.n + second.n + 1, sizeof(*all));
	struct hits out = { arena_array(a, first.n + second.n + 1, sizeof(*out.hit)), 0 };
	for (; out.n < first.n; out.n++)
		all[out.n] = (struct fusion_standing){ first.hit[out.n], 1.0 / (double)(RANK_OFFSET + out.n + 1), out.n };
	for (size_t i = 0; i < second.n; i++) {
		double score = 1.0 / (double)(RANK_OFFSET + i + 1);
		size_t k = 0;
		while (k < first.n && all[k].hit.question != second.hit[i].question)
			k++;
		if (k < first.n)
			all[k].score += score;
		else
			all[out.n] = (struct fusion_standing){ second.hit[i], score, out.n };
		out.n += k == first.n;
	}
	qsort(all, out.n, sizeof(*all), by_score);
	for (size_t i = 0; i < out.n; i++)
		out.hit[i] = all[i].hit;
	return out;
}

struct hits fusion_by_weights(struct arena *a, size_t nquestions, struct hits meaning, struct hits words)
{
	/* by a question's index: its place in the list + 1, and the words of it that have been counted */
	size_t *place = arena_array(a, nquestions + 1, sizeof(*place));
	double *counted = arena_array(a, nquestions + 1, sizeof(*counted));
	struct hits out = { arena_array(a, meaning.n + words.n + 1, sizeof(*out.hit)), 0 };

	for (size_t i = 0; i < meaning.n; i++) {
		out.hit[out.n] = meaning.hit[i];
		place[meaning.hit[i].question->index] = ++out.n;
	}
	for (size_t i = 0; i < words.n; i++) {
		const size_t index = words.hit[i].question->index;
		if (place[index] == 0) {
			out.hit[out.n] = (struct rule_hit){ words.hit[i].question, 0 };
			place[index] = ++out.n;
		}
		if (words.hit[i].similarity <= counted[index])
			continue;
		out.hit[place[index] - 1].similarity += LEXICAL_WEIGHS *
		    (words.hit[i].similarity * words.hit[i].similarity - counted[index] * counted[index]);
		counted[index] = words.hit[i].similarity;
	}
	vector_store_sort(out.hit, out.n);
	return out;
}
