/*
 * "A flight plan and a transponder" are two questions, and so are "May I fly at night, and do they want a flight plan?". "A flight plan
 * for crossing the border" is one.
 */
#include "agents/aviation/builtin/frame_topics.h"

#include <string.h>

#include "agents/aviation/builtin/reading_marks.h"
#include "base/str.h"

/* How two matters stand to each other. */
enum joint { APART, LISTED, CLAUSES };

struct questions {
	const struct reading *r;
	size_t n;
	const struct mark *mark[TOPIC_QUESTIONS];
	/* the clause in which it stands: its first word, and the one behind its last */
	size_t begin[TOPIC_QUESTIONS], end[TOPIC_QUESTIONS];
};

static bool find_marks(struct questions *q, const struct frame_slot *topic)
{
	for (size_t i = 0; i < q->r->nmarks; i++) {
		const struct mark *m = &q->r->mark[i];
		if (!mark_has_label(m, LABEL_TOPIC))
			continue;
		if (q->n == TOPIC_QUESTIONS)
			return false;
		q->mark[q->n++] = m;
	}
	return q->n == topic->n;
}

/* Does a question begin with this word, or the next one ("and do they", "and if so, must I")? */
static bool asks_from(const struct reading *r, size_t word)
{
	enum { NEAR = 2 };
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "clause|rules") && word <= e->first && e->first < word + NEAR)
			return true;
	}
	return false;
}

/* *end, *begin: where the first clause ends and the second begins. The words that join them belong to neither. */
static enum joint joint_of(const struct reading *r, const struct mark *x, const struct mark *y, size_t *end, size_t *begin)
{
	enum { BETWEEN = 4 };
	const struct words *w = r->words;
	bool listed = false;
	enum joint joint = APART;

	for (size_t i = x->last + 1; i < y->first; i++) {
		const bool and = streq(w->word[i].fold, ",") || reading_has_evidence(r, i, i, "and");
		listed |= and;
		if (!streq(w->word[i].fold, "?") && !((and || one_of(w->word[i].fold, ".|;")) && asks_from(r, i + 1)))
			continue;
		*end = i;
		while (*end > x->last + 1 && streq(w->word[*end - 1].fold, ","))
			(*end)--;
		*begin = i + 1;
		joint = CLAUSES;
	}
	return joint == APART && listed && y->first - x->last - 1 <= BETWEEN ? LISTED : joint;
}

/* Does a word of a question stand in these words? "I am used to VFR without talking to anyone." asks nothing. */
static bool asks_within(const struct reading *r, size_t first, size_t end)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (streq(r->evidence->at[i].kind, "rules") && first <= r->evidence->at[i].first && r->evidence->at[i].last < end)
			return true;
	return end < r->words->n && streq(r->words->word[end].fold, "?");
}

static bool find_clauses(struct questions *q)
{
	for (size_t i = 0; i < q->n; i++)
		q->end[i] = q->r->words->n;
	for (size_t i = 0; i + 1 < q->n; i++) {
		size_t end = q->end[i], begin = q->begin[i];
		const enum joint joint = joint_of(q->r, q->mark[i], q->mark[i + 1], &end, &begin);
		if (joint == APART || (joint == CLAUSES && !asks_within(q->r, q->begin[i], end)))
			return false;
		for (size_t k = 0; k <= i; k++)
			q->end[k] = q->end[k] > end ? end : q->end[k];
		q->begin[i + 1] = begin;
	}
	return true;
}

/* The clause of question i, without the other matters that are listed in it. */
static const char *text_of(const struct planning *p, const struct questions *q, size_t i)
{
	const struct words *w = q->r->words;
	size_t first = i, last = i;

	while (first > 0 && q->begin[first - 1] == q->begin[i])
		first--;
	while (last + 1 < q->n && q->begin[last + 1] == q->begin[i])
		last++;
	const size_t start = w->word[q->begin[i]].start, end = w->word[q->end[i] - 1].end;
	const size_t before = w->word[q->mark[first]->first].start, behind = w->word[q->mark[last]->last].end;
	const size_t own = w->word[q->mark[i]->first].start, own_end = w->word[q->mark[i]->last].end;
	return arena_printf(p->mem, "%.*s%.*s%.*s", (int)(before - start), w->text + start, (int)(own_end - own), w->text + own,
	    (int)(end - behind), w->text + behind);
}

size_t frame_topics(const struct planning *p, const struct frame *f, struct topic_question out[TOPIC_QUESTIONS])
{
	const struct frame_slot *topic = &f->slot[LABEL_TOPIC];
	struct questions q = { .r = p->reading };

	if (f->kind != NULL || p->frames->n > 1 || topic->n < 2 || !find_marks(&q, topic) || !find_clauses(&q))
		return 0;
	for (size_t i = 0; i < q.n; i++)
		out[i] = (struct topic_question){ &topic->value[i], text_of(p, &q, i) };
	return q.n;
}
