/*
 * Each different word of the base is kept once, with its direction. A rule is a list of such words: those of its question,
 * and those of its answers, which count a little less. Words that nearly every text has are left out of rules and of questions.
 */
#include "rules/word_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum {
	ASKED_MAX = 32,               /* words of a question that are compared: those with the most weight */
	RULE_WORDS = 1000,            /* different words of a rule; the first ones */
	BASE_WORDS = 200000,          /* different words of all rules; further ones are not compared */
	ONE = 127 * 127,              /* the product of a direction with itself */
};

/* Chosen on matters that the encoder was not taught (scripts/quality encoder). */
static const float NEAR = 0.2F;               /* words that are less similar are taken as different */
static const float ANSWERED = 0.8F;           /* a word of an answer counts this much of a word of the question */
static const float WEIGHT_PART = 0.2F;        /* a question's word counts from this share of its weightiest word on */
static const float WEIGHT_LEAST = 0.1F;       /* a rule's word counts from this weight on */

typedef int8_t direction[ENCODER_DIMS];

struct match_rule {
	size_t n, nasked;             /* its words; the first of them are those of its question */
	uint32_t *word;
};

struct word_match {
	const struct encoder *encoder;
	direction *word;              /* all different words */
	size_t n;
	struct match_rule *rule;      /* by a question's index */
};

/* -- reading the rules -- */

struct match_slot {
	uint64_t id;                  /* of a word; 0: free */
	uint32_t word, rule;          /* its number; the last rule that had it, and 1 */
};

struct match_reading {
	struct word_match *m;
	struct arena *mem, *scratch;
	struct match_slot *slot;
	size_t nslots, room;          /* room: for words */
	uint32_t list[RULE_WORDS];
	size_t nlist;
	struct encoder_word found[ENCODER_WORDS];
};

static struct match_slot *slot_of(struct match_slot *slot, size_t nslots, uint64_t id)
{
	size_t i = (size_t)(id ^ id >> 32) & (nslots - 1);
	while (slot[i].id != 0 && slot[i].id != id)
		i = (i + 1) & (nslots - 1);
	return &slot[i];
}

static void grow(struct match_reading *r)
{
	struct match_slot *old = r->slot;
	size_t n = r->nslots;
	direction *word = arena_array(r->scratch, r->room *= 2, sizeof(*word));

	memcpy(word, r->m->word, r->m->n * sizeof(*word));
	r->m->word = word;
	r->slot = arena_array(r->scratch, r->nslots *= 2, sizeof(*r->slot));
	for (size_t i = 0; i < n; i++)
		if (old[i].id != 0)
			*slot_of(r->slot, r->nslots, old[i].id) = old[i];
}

static void read_text(struct match_reading *r, uint32_t rule, const char *text)
{
	size_t n = encoder_words(r->m->encoder, text, r->found);

	for (size_t i = 0; i < n && r->nlist < RULE_WORDS; i++) {
		const struct encoder_word *w = &r->found[i];
		if (w->weight < WEIGHT_LEAST)
			continue;
		struct match_slot *s = slot_of(r->slot, r->nslots, w->id);
		if (s->id == 0 && r->m->n == BASE_WORDS)
			continue;
		if (s->id == 0 && r->m->n == r->room) {
			grow(r);
			s = slot_of(r->slot, r->nslots, w->id);
		}
		if (s->id == 0) {
			*s = (struct match_slot){ .id = w->id, .word = (uint32_t)r->m->n };
			memcpy(r->m->word[r->m->n++], w->direction, sizeof(direction));
		}
		if (s->rule == rule + 1)
			continue;
		s->rule = rule + 1;
		r->list[r->nlist++] = s->word;
	}
}

static void read_rule(struct match_reading *r, const struct rule_question *q)
{
	struct match_rule *out = &r->m->rule[q->index];

	r->nlist = 0;
	read_text(r, (uint32_t)q->index, q->text);
	out->nasked = r->nlist;
	for (size_t k = 0; k < q->nentries; k++)
		read_text(r, (uint32_t)q->index, q->entries[k].text);
	out->n = r->nlist;
	out->word = arena_array(r->mem, out->n + 1, sizeof(*out->word));
	memcpy(out->word, r->list, out->n * sizeof(*out->word));
}

struct word_match *word_match_new(struct arena *a, const struct encoder *encoder, const struct rulebase *b,
    const atomic_bool *stop)
{
	enum { ROOM = 4096 };
	struct word_match *m = arena_alloc(a, sizeof(*m));
	struct arena *scratch = arena_new();
	struct match_reading *r = arena_alloc(scratch, sizeof(*r));
	bool done = true;

	*m = (struct word_match){ .encoder = encoder, .word = arena_array(scratch, ROOM, sizeof(*m->word)),
		.rule = arena_array(a, b->nquestions + 1, sizeof(*m->rule)) };
	*r = (struct match_reading){ .m = m, .mem = a, .scratch = scratch, .nslots = 4 * ROOM, .room = ROOM,
		.slot = arena_array(scratch, 4 * ROOM, sizeof(*r->slot)) };
	for (size_t i = 0; i < b->nquestions && (done = !atomic_load(stop)); i++)
		read_rule(r, &b->questions[i]);
	direction *word = arena_array(a, m->n + 1, sizeof(*word));
	memcpy(word, m->word, m->n * sizeof(*word));
	m->word = word;
	arena_free(scratch);
	return done ? m : NULL;
}

/* -- comparing -- */

struct match_asked {
	size_t n;
	direction word[ASKED_MAX];
	float weight[ASKED_MAX], all;
};

/* The weightiest first; the number of a word decides between equal ones. */
static int by_weight(const void *pa, const void *pb)
{
	const struct encoder_word *a = pa, *b = pb;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void read_asked(const struct word_match *m, struct arena *a, const char *text, struct match_asked *out)
{
	struct encoder_word *found = arena_array(a, ENCODER_WORDS, sizeof(*found));
	size_t n = encoder_words(m->encoder, text, found);

	out->n = 0;
	out->all = 0;
	qsort(found, n, sizeof(*found), by_weight);
	for (size_t i = 0; i < n && out->n < ASKED_MAX; i++) {
		if (found[i].weight < WEIGHT_PART * found[0].weight || found[i].weight <= 0)
			break;
		memcpy(out->word[out->n], found[i].direction, sizeof(direction));
		out->weight[out->n++] = found[i].weight;
		out->all += found[i].weight;
	}
}

static int product(const int8_t *a, const int8_t *b)
{
	int sum = 0;
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		sum += a[d] * b[d];
	return sum;
}

/* How similar a word of the base is to each word that was asked. Many rules have the same words, so this is kept. */
static const int16_t *similar_to(const struct word_match *m, struct arena *a, const struct match_asked *asked, uint32_t word,
    const int16_t **kept)
{
	if (kept[word] == NULL) {
		int16_t *similar = arena_array(a, asked->n, sizeof(*similar));
		for (size_t i = 0; i < asked->n; i++)
			similar[i] = (int16_t)product(asked->word[i], m->word[word]);
		kept[word] = similar;
	}
	return kept[word];
}

static void lift(const int16_t *similar, size_t n, int16_t *best)
{
	for (size_t i = 0; i < n; i++)
		best[i] = similar[i] > best[i] ? similar[i] : best[i];
}

static double match_of(const struct word_match *m, struct arena *a, const struct match_asked *asked,
    const struct match_rule *rule, const int16_t **kept)
{
	int16_t said[ASKED_MAX] = { 0 }, answered[ASKED_MAX] = { 0 };
	float sum = 0;

	for (size_t k = 0; k < rule->n; k++)
		lift(similar_to(m, a, asked, rule->word[k], kept), asked->n, k < rule->nasked ? said : answered);
	for (size_t i = 0; i < asked->n; i++) {
		float best = (float)said[i] / ONE, other = ANSWERED * (float)answered[i] / ONE;
		best = fminf(1, fmaxf(best, other));
		if (best > NEAR)
			sum += asked->weight[i] * (best - NEAR) / (1 - NEAR);
	}
	return asked->all > 0 ? (double)(sum / asked->all) : 0;
}

void word_match_search(const struct word_match *m, struct arena *scratch, const char *text, const struct rule_hit *hits,
    size_t n, double *match)
{
	const int16_t **kept = arena_array(scratch, m->n + 1, sizeof(*kept));
	struct match_asked *asked = arena_alloc(scratch, sizeof(*asked));

	read_asked(m, scratch, text, asked);
	for (size_t i = 0; i < n; i++)
		match[i] = match_of(m, scratch, asked, &m->rule[hits[i].question->index], kept);
}
