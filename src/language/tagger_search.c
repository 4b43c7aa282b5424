/*
 * Beam search from left to right. Each path carries the marks that it has made, so a feature may look at any
 * of them.
 */
#include "language/tagger_own.h"

#include <string.h>

#include "base/arena.h"

struct path {
	float score;
	uint16_t class, back;                 /* back: its path of the word before */
	struct tag_past past;
};

struct search {
	const struct tag_set *set;
	const struct tag_text *text;
	const struct tag_scorer *scorer;
	struct path *at;                      /* BEAM paths a word, the best first */
	size_t *n;                            /* how many of them */
};

static void add_traits(const struct tag_set *s, float *score)
{
	for (size_t k = TAG_FIRST; k < s->ntags; k++)
		for (size_t j = 0; j < TRAITS; j++)
			score[k] += score[s->tag[k].trait[j]];
}

static void offer(struct path *beam, size_t *n, const struct path *p)
{
	size_t k = *n;
	if (k == BEAM) {
		if (p->score <= beam[BEAM - 1].score)
			return;
		k = BEAM - 1;
	} else {
		(*n)++;
	}
	for (; k > 0 && beam[k - 1].score < p->score; k--)
		beam[k] = beam[k - 1];
	beam[k] = *p;
}

/* The scores of all classes of a word after a past. */
static void dynamic_scores(const struct search *s, size_t i, const struct tag_past *past, const float *statics,
    float *score)
{
	uint64_t feature[DYNAMICS_MAX];
	size_t n = tag_dynamics(s->text, i, past, feature);
	memcpy(score, statics, s->set->nclasses * sizeof(*score));
	s->scorer->dynamics(s->scorer->self, feature, n, score);
	add_traits(s->set, score);
}

static void step(const struct search *s, size_t i, const float *statics)
{
	static const struct path start;
	const struct path *from = i > 0 ? &s->at[(i - 1) * BEAM] : &start;
	size_t nfrom = i > 0 ? s->n[i - 1] : 1;
	float score[TAGS_MAX + TRAITS_MAX];

	for (size_t b = 0; b < nfrom; b++) {
		dynamic_scores(s, i, &from[b].past, statics, score);
		for (unsigned k = 0; k < s->set->ntags; k++) {
			if (k == TAG_GOES_ON && from[b].past.before == TAG_NONE)
				continue;
			struct path p = { .score = from[b].score + score[k], .class = (uint16_t)k, .back = (uint16_t)b };
			if (s->scorer->gold != NULL && s->scorer->gold[i] != k)
				p.score += s->scorer->cost;
			if (s->n[i] == BEAM && p.score <= s->at[i * BEAM + BEAM - 1].score)
				continue;
			p.past = tag_past_then(&from[b].past, k);
			offer(&s->at[i * BEAM], &s->n[i], &p);
		}
	}
}

static void trace(const struct search *s, size_t n, struct tag_path *out)
{
	size_t b = 0;
	out->n = n;
	out->score = n > 0 ? s->at[(n - 1) * BEAM].score : 0;
	for (size_t i = n; i-- > 0;) {
		out->class[i] = s->at[i * BEAM + b].class;
		b = s->at[i * BEAM + b].back;
	}
}

void tag_search(struct arena *a, const struct tag_set *set, const struct tag_text *t, const struct tag_scorer *scorer,
    struct tag_path *best, struct tag_path *right)
{
	size_t n = t->w->n, worst = n;
	struct search s = { .set = set, .text = t, .scorer = scorer, .at = arena_array(a, n * BEAM + 1, sizeof(*s.at)),
		.n = arena_array(a, n + 1, sizeof(*s.n)) };
	struct tag_past gold = { 0 };
	float gold_score = 0, distance = -1, statics[TAGS_MAX + TRAITS_MAX], score[TAGS_MAX + TRAITS_MAX];
	float worst_gold = 0;

	best->class = arena_array(a, n + 1, sizeof(*best->class));
	for (size_t i = 0; i < n; i++) {
		memset(statics, 0, set->nclasses * sizeof(*statics));
		scorer->statics(scorer->self, i, statics);
		step(&s, i, statics);
		if (scorer->gold == NULL)
			continue;
		dynamic_scores(&s, i, &gold, statics, score);
		gold_score += score[scorer->gold[i]];
		gold = tag_past_then(&gold, scorer->gold[i]);
		if (s.at[i * BEAM].score - gold_score >= distance) {
			distance = s.at[i * BEAM].score - gold_score;
			worst = i + 1;
			worst_gold = gold_score;
		}
	}
	trace(&s, worst, best);
	if (right != NULL)
		*right = (struct tag_path){ .score = worst_gold, .n = worst };
}
