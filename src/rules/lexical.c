/*
 * Search by words.
 *
 * There are two full-text indexes: one document for each question, and one for each answer, which
 * is found only for the countries of the request. bm25 picks the candidates. Then each candidate is
 * compared with the text of the request.
 *
 * Every word or phrase of the pilot's question has a weight: a topic more than a word that narrows
 * a topic, a rare concept more than a frequent one, and a concept that no rule contains as much as
 * the rarest. The similarity is the share of this weight that a rule covers. It is lower if the
 * rule contains much that was not asked, which separates similar rules.
 */
#include "rules/lexical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "rules/lexical_index.h"

enum {
	CANDIDATES = 256,            /* candidates of each index; further ones are not compared */
	UNIT_BORDER = 255,           /* a term that belongs to no unit */
};

/* How much of a term's weight counts, by the column that contains it: said, or hinted at. */
static const double column_match[FTS_COLUMNS][2] = {
	[COL_SAID] = { 1.0, 0.6 }, [COL_NEAR] = { 0.7, 0.25 }, [COL_TAGS] = { 0.6, 0.3 },
	[COL_CATEGORY] = { 0.4, 0.2 },
};
static const double answer_match[2] = { 0.35, 0.15 };

/* Share of the rule's own words in the similarity. */
static const double FOCUS = 0.35;
/* The weight of each further unknown word, as a share of the one before: stories have many. */
static const double CHATTER = 0.5;
/* Weight that is added to every question: one common word alone tells little. */
static const double DOUBT = 0.25;
static const double TAG_BONUS = 0.05;

/* The request, with weights. */
struct lexical_asked {
	struct terms terms;
	double weight[TERMS_MAX];    /* of each term */
	double total;                /* of the terms that were said; hints do not count */
};

struct lexical_candidate {
	const struct rule_question *q;
	double covered[TERMS_MAX];   /* by the term of a unit that was said: the weight covered */
	double own;                  /* weight of the rule's own terms that the request contains */
};

struct lexical_search_state {
	const struct lexical *l;
	struct lexical_asked asked;
	struct lexical_candidate *found;
	size_t n, room;
	size_t first[256];           /* of a unit: its term that was said */
};

static struct lexical_candidate *candidate(struct lexical_search_state *s, size_t index)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->found[i].q->index == index)
			return &s->found[i];
	if (s->n == s->room)
		return NULL;
	s->found[s->n].q = &s->l->base->questions[index];
	return &s->found[s->n++];
}

static void lift(double *v, double to)
{
	if (*v < to)
		*v = to;
}

static void weigh_question(struct lexical_search_state *s, const struct fts_hit *hit)
{
	struct lexical_candidate *c = candidate(s, (size_t)hit->id);
	const struct terms *t = &s->asked.terms;

	for (size_t i = 0; c != NULL && i < t->n; i++) {
		size_t unit = s->first[t->how[i].unit];

		for (size_t col = 0; col < FTS_COLUMNS; col++)
			if (hit->columns[i] & 1U << col)
				lift(&c->covered[unit],
				    s->asked.weight[i] * column_match[col][t->how[i].hint]);
		if (hit->columns[i] & 1U << COL_SAID)
			c->own += s->asked.weight[i] * column_match[COL_SAID][t->how[i].hint];
	}
}

static void weigh_answer(struct lexical_search_state *s, const struct fts_hit *hit)
{
	struct lexical_candidate *c = candidate(s, (size_t)hit->id >> ANSWER_BITS);
	const struct terms *t = &s->asked.terms;

	for (size_t i = 0; c != NULL && i < t->n; i++)
		if (hit->columns[i] != 0)
			lift(&c->covered[s->first[t->how[i].unit]],
			    s->asked.weight[i] * answer_match[t->how[i].hint]);
}

static double similarity(const struct lexical_search_state *s, const struct lexical_candidate *c,
    const char *const *tags, size_t ntags)
{
	double covered = 0, own = s->l->weight[c->q->index];

	for (size_t i = 0; i < s->asked.terms.n; i++)
		covered += fmin(c->covered[i], s->asked.weight[i]);
	covered /= s->asked.total + DOUBT;
	own = own > 0 ? fmin(1, c->own / own) : 0;
	double v = covered * (1 - FOCUS + FOCUS * own);
	for (size_t i = 0; i < ntags; i++)
		if (rule_has_tag(c->q, tags[i]))
			return fmin(1, v * (1 + TAG_BONUS));
	return v;
}

static int by_similarity(const void *a, const void *b)
{
	const struct rule_hit *x = a, *y = b;

	if (x->similarity != y->similarity)
		return x->similarity < y->similarity ? 1 : -1;
	return (x->question->index > y->question->index) - (x->question->index < y->question->index);
}

/* Candidates of both indexes, each weighed. */
static enum errcode find(struct lexical_search_state *s, struct arena *a,
    const char *const *keys, size_t nkeys, struct err *e)
{
	const struct fts_search by = { s->asked.terms.term, s->asked.terms.n, keys, nkeys, CANDIDATES };
	const struct fts_hit *hits;
	size_t n;
	enum errcode rc = fts_search(s->l->questions, a, &by, &hits, &n, e);

	for (size_t i = 0; rc == OK && i < n; i++)
		weigh_question(s, &hits[i]);
	if (rc == OK)
		rc = fts_search(s->l->answers, a, &by, &hits, &n, e);
	for (size_t i = 0; rc == OK && i < n; i++)
		weigh_answer(s, &hits[i]);
	return rc;
}

/* A flight from or to a country, even the country of the request, crosses a border, also if the
 * text does not say so. */
static void cross_border(struct terms *t, size_t ncountries)
{
	const char *border = terms_border();

	if (t->abroad[0] == '\0' || ncountries != 1 ||
	    border == NULL || t->n == TERMS_MAX)
		return;
	for (size_t i = 0; i < t->n; i++)
		if (streq(t->term[i], border) && !t->how[i].hint)
			return;
	t->how[t->n] = (struct term_how){ .kind = TERM_TOPIC, .unit = UNIT_BORDER };
	t->term[t->n++] = border;
}

static void ask(struct lexical_search_state *s, struct arena *a, const char *text,
    size_t ncountries)
{
	struct lexical_asked *q = &s->asked;
	double strange = 1;

	q->terms = terms_of(a, text);
	cross_border(&q->terms, ncountries);
	for (size_t i = 0; i < q->terms.n; i++) {
		const struct term_how *how = &q->terms.how[i];

		q->weight[i] = lexical_weight(s->l, q->terms.term[i], how->kind);
		if (how->kind == TERM_WORD) {
			q->weight[i] *= strange;
			strange *= CHATTER;
		}
		if (how->hint)
			continue;
		s->first[how->unit] = i;
		q->total += q->weight[i];
	}
}

static const char *const *keys_of(struct arena *a, const char *const *countries, size_t n)
{
	const char **keys = arena_array(a, n + 1, sizeof(*keys));

	for (size_t i = 0; i < n; i++) {
		char *key = arena_alloc(a, KEY_SIZE);

		lexical_key(key, countries[i]);
		keys[i] = key;
	}
	return keys;
}

enum errcode lexical_open(struct lexical **out, const struct rulebase *b, struct err *e)
{
	return lexical_index_build(out, b, e);
}

void lexical_close(struct lexical *l)
{
	lexical_index_free(l);
}

enum errcode lexical_search(struct lexical *l, struct arena *a, const char *text,
    const char *const *countries, size_t ncountries, const char *const *tags, size_t ntags,
    struct rule_hit *hits, size_t max, size_t *n, struct err *e)
{
	struct lexical_search_state *s = arena_alloc(a, sizeof(*s));
	struct rule_hit *all;
	enum errcode rc;

	*n = 0;
	s->l = l;
	ask(s, a, text, ncountries);
	if (s->asked.total <= 0)
		return OK;
	s->room = l->base->nquestions < 2 * CANDIDATES ? l->base->nquestions : 2 * CANDIDATES;
	s->found = arena_array(a, s->room + 1, sizeof(*s->found));
	rc = find(s, a, keys_of(a, countries, ncountries), ncountries, e);
	if (rc != OK)
		return rc;
	all = arena_array(a, s->n + 1, sizeof(*all));
	for (size_t i = 0; i < s->n; i++)
		all[i] = (struct rule_hit){ s->found[i].q, similarity(s, &s->found[i], tags, ntags) };
	qsort(all, s->n, sizeof(*all), by_similarity);
	*n = s->n < max ? s->n : max;
	memcpy(hits, all, *n * sizeof(*hits));
	return OK;
}

double lexical_knows(const struct lexical *l, struct arena *a, const char *text, const struct rule_question *q)
{
	struct terms t = terms_of(a, text);
	double share = (double)l->ntopics / (double)l->base->nquestions;

	if (l->topic[q->index])
		for (size_t i = 0; i < t.n; i++)
			if (t.how[i].kind == TERM_TOPIC && !t.how[i].hint)
				return share * share;
	return 0;
}

uint64_t lexical_musts(struct arena *a, const char *text)
{
	const struct terms t = terms_of(a, text);
	uint64_t musts = 0;

	for (size_t i = 0; i < t.n; i++)
		musts |= lexical_must_bit(t.how[i]);
	return musts;
}

bool lexical_mentions(const struct lexical *l, const struct rule_question *q, uint64_t musts, const char *const *countries, size_t n)
{
	const struct lexical_musts *m = &l->musts[q->index];
	uint64_t mentioned = m->question;

	for (size_t i = 0; i < q->nentries; i++) {
		size_t k = 0;
		while (k < n && !streq(countries[k], q->entries[i].country))
			k++;
		if (k < n || n == 0)
			mentioned |= m->answer[i];
	}
	return (musts & ~mentioned) == 0;
}

/* Is a tag's concept in the text? Concepts that most questions contain do not count. */
static bool speaks_of(const struct terms *t, const struct terms *tag, enum term_kind least)
{
	bool any = false;

	for (size_t i = 0; i < tag->n; i++) {
		size_t k = 0;

		if (tag->how[i].hint || tag->how[i].kind > least)
			continue;
		while (k < t->n && !streq(t->term[k], tag->term[i]))
			k++;
		if (k == t->n)
			return false;
		any = true;
	}
	return any;
}

const char *const *lexical_tags(const struct lexical *l, struct arena *a, const char *text,
    size_t *n)
{
	struct terms t = terms_of(a, text);
	const char **tags = arena_array(a, l->ntags + 1, sizeof(*tags));

	*n = 0;
	/* a concept that narrows a topic ("airfield", "permission") counts only if there is no
	 * topic */
	for (enum term_kind least = TERM_TOPIC; *n == 0 && least <= TERM_PART; least++)
		for (size_t i = 0; i < l->ntags; i++)
			if (speaks_of(&t, &l->tags[i].terms, least))
				tags[(*n)++] = l->tags[i].tag;
	return tags;
}
