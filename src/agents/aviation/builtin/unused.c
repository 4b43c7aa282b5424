/*
 * Last pass: finds words that look like a wish and that the plan does not use, so that the answer can name them:
 * "with oysters", "quiet airports", "with a hangar" in a search.
 *
 * A word looks like a wish after "with" and the like, or right before the airports that are looked for. A
 * fact that can be asked about one airport (hangar, parking) cannot be a condition of a search.
 */
#include "agents/aviation/builtin/query.h"

#include "agents/aviation/builtin/word_lists.h"
#include "base/str.h"

enum { REACH = 6, WORD_MIN = 3, NAMED = 3 };

static bool opens_wish(const struct item *it)
{
	return it->class == LX_BREAK && one_of(it->row->phrase, "with|w /|having|offering|offer|providing|provide|get"
	    "|selling|sell|serve|equipped|featuring");
}

/* A word that the lexicon does not know, or a fact about one airport. */
static bool idle(const struct reading *r, size_t i)
{
	const struct item *it = &r->item[i];
	const struct token *t = &r->x.tok[it->first];

	if (it->used || t->kind != TOK_WORD || strlen(t->fold) < WORD_MIN || (t->title && i > 0 && !r->x.shouted))
		return false;
	if (word_listed(LIST_NO_WISH, t->fold))
		return false;
	return it->class == LX_NONE || item_is(r, i, LX_CUE, CUE_ASPECT);
}

static bool after_with(const struct reading *r, size_t i)
{
	for (size_t k = 1; k <= REACH && k <= i; k++) {
		const struct item *it = &r->item[i - k];
		if (opens_wish(it))
			return true;
		if (it->class != LX_FILLER && it->class != LX_AND && it->class != LX_OR && it->class != LX_WISH &&
		    !item_mark(r, i - k, ",") && !idle(r, i - k))
			return false;
	}
	return false;
}

static bool before_noun(const struct reading *r, size_t i)
{
	return i + 1 < r->n && r->item[i + 1].class == LX_NOUN && !r->item[i + 1].used &&
	    r->item[i].class == LX_NONE;
}

/* "swimming pool": how many words from i on belong together. */
static size_t words_at(const struct reading *r, size_t i)
{
	size_t n = 1;

	while (i + n < r->n && r->item[i].class == LX_NONE && r->item[i + n].class == LX_NONE && idle(r, i + n))
		n++;
	return n;
}

/* Does it look for airports, as far as can be told before the conversation is known? */
static bool searches(const struct query *q)
{
	return q->noun || q->near.text != NULL || (q->from.text != NULL && q->to.text != NULL);
}

void read_unused(struct reading *r)
{
	size_t named = 0, n;

	for (size_t i = 0; searches(r->q) && i < r->n && named < NAMED; i += n) {
		n = 1;
		if (!idle(r, i))
			continue;
		n = words_at(r, i);
		if (!after_with(r, i) && !before_noun(r, i + n - 1))
			continue;
		const char *said = lex_slice(r->mem, &r->x, r->item[i].first, r->item[i + n - 1].last);
		r->q->unused = named++ == 0 ? said : arena_printf(r->mem, "%s, %s", r->q->unused, said);
	}
}
