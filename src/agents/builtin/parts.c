/*
 * Clauses end at the end of a sentence and where "and", or a comma, is followed by the
 * beginning of a question or request. Only when one of them plainly looks for airports and another
 * plainly asks about rules is the message about both.
 */
#include "agents/builtin/parts.h"

#include <string.h>

#include "base/str.h"

enum { CLAUSES = 12 };

enum about_what { NEITHER, AIRPORTS, RULES };

/* Does a clause of its own begin at token i? */
static bool opens(const struct lexed *x, size_t i)
{
	static const char *const rows[] = { "do", "does", "is", "are", "can", "could", "must", "may",
		"should", "what", "what's", "whats", "which", "how", "who", "where", "when", "tell",
		"find", "show", "list", "give", "explain", "compare", "am", "also", "please", "let",
		"whether", "if", "say" };
	return i < x->n && WORD_OF(x->tok[i].fold, rows);
}

static bool ends_sentence(const struct lexed *x, size_t i)
{
	static const char *const rows[] = { ".", "?", "!", ";", "..." };
	return x->tok[i].kind == TOK_SYMBOL && WORD_OF(x->tok[i].fold, rows) &&
	    (i + 1 >= x->n || x->tok[i + 1].gap || x->tok[i + 1].kind == TOK_SYMBOL);
}

/* Is token i a "," or "and" between two clauses? *skip is how many tokens join them. */
static bool joins(const struct lexed *x, size_t i, size_t *skip)
{
	static const char *const rows[] = { "and", "&", "plus", "then", "but", "-" };
	size_t k = i;
	if (streq(x->tok[k].fold, ","))
		k++;
	while (k < x->n && WORD_OF(x->tok[k].fold, rows))
		k++;
	*skip = k - i;
	return k > i && opens(x, k);
}

static size_t clauses_of(struct arena *a, const char *text, const char *clause[static CLAUSES])
{
	struct lexed x = lex(a, text);
	size_t n = 0, first = 0, skip;
	for (size_t i = 0; i < x.n && n + 1 < CLAUSES; i++) {
		bool end = ends_sentence(&x, i);
		if (!end && (i == first || !joins(&x, i, &skip)))
			continue;
		if (end ? i > first : true)
			clause[n++] = lex_slice(a, &x, first, end ? i : i - 1);
		first = end ? i + 1 : i + skip;
		i = first - 1;
	}
	if (first < x.n)
		clause[n++] = lex_slice(a, &x, first, x.n - 1);
	return n;
}

/* "When I depart from a small strip …", "I'm flying to …": what goes before a question. */
static bool introduces(const struct speech *s)
{
	static const char *const rows[] = { "when", "if", "as", "coming", "while", "after", "before",
		"since", "i", "i'm", "im", "i'll", "we", "we're", "my", "planning", "leaving", "landing",
		"departing", "arriving", "flying", "having" };
	return s->x.n > 0 && WORD_OF(s->x.tok[0].fold, rows) &&
	    (s->marks & (MARK_NEED | MARK_SEEK)) == 0;
}

/* More than one airport is spoken of, or one is asked for: not just where something happens. */
static bool wanted(const struct speech *s, const struct query *q)
{
	static const char *const rows[] = { "airports", "airfields", "aerodromes", "fields", "strips",
		"airstrips", "stops", "places", "stopovers", "alternates" };
	for (size_t i = 0; i < s->x.n; i++)
		if (WORD_OF(s->x.tok[i].fold, rows))
			return true;
	if (q->from.text != NULL && q->to.text != NULL)
		return true;
	return (q->cues & CUE_WHERE) != 0 || (s->marks & (MARK_NEED | MARK_SEEK | MARK_ASK)) != 0;
}

/* Does it plainly look for airports, or at one? */
static bool searches(const struct speech *s, const struct query *q)
{
	bool want = false, place = q->near.text != NULL || q->from.text != NULL ||
	    q->to.text != NULL || q->country != NULL || q->subject.text != NULL;
	if (introduces(s))
		return (q->cues & CUE_WHERE) != 0;
	for (int w = 0; w < WISH__MAX; w++)
		want |= q->want[w].state == WANT_SET;
	if (q->noun && wanted(s, q) && (want || place || (q->cues & (CUE_SHOW | CUE_WHERE)) != 0))
		return true;
	if ((q->cues & CUE_WHERE) != 0 && (want || place))
		return true;
	return q->subject.text != NULL && (q->subject.code || q->subject.known) &&
	    (want || (q->cues & (CUE_TELL | CUE_ASPECT)) != 0);
}

static enum about_what about_of(struct arena *a, const struct lexicon *airports,
    const struct lexicon *rules, const struct rulebase *base, struct aircon *con,
    const char *clause)
{
	struct query *q = query_parse(a, airports, con, clause);
	struct speech *s = speech_read(a, rules, base, clause);
	if (speech_about(s, q) == ABOUT_RULES)
		return RULES;
	return searches(s, q) ? AIRPORTS : NEITHER;
}

static const char *joined(struct arena *a, const char *text, const char *clause)
{
	return text == NULL ? clause : arena_printf(a, "%s %s", text, clause);
}

struct parts parts_of(struct arena *a, const struct lexicon *airports,
    const struct lexicon *rules, const struct rulebase *base, struct aircon *con,
    const char *text)
{
	const char *clause[CLAUSES];
	struct parts out = { .airports = NULL }, none = { .airports = NULL };
	size_t n = clauses_of(a, text, clause), found[RULES + 1] = { 0 };
	if (n < 2)
		return none;
	for (size_t i = 0; i < n; i++) {
		enum about_what what = about_of(a, airports, rules, base, con, clause[i]);
		found[what]++;
		if (what != RULES)
			out.airports = joined(a, out.airports, clause[i]);
		if (what != AIRPORTS)
			out.rules = joined(a, out.rules, clause[i]);
	}
	return found[AIRPORTS] > 0 && found[RULES] > 0 ? out : none;
}
