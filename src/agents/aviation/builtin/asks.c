/*
 * Two ways in which a message asks about several things.
 *
 * Clauses: a piece that begins like a request, and that names another place or country than the
 * piece before it, is an ask. Words before the first ask belong to all asks, and any other piece
 * belongs to the ask before it.
 *
 * A list of places in one clause, "near Lyon, Geneva or Nice": the clause is read once with each
 * place.
 *
 * Both are careful: if an ask does not give a plan of its own, the message is left as it is.
 */
#include "agents/aviation/builtin/asks.h"

#include <string.h>

#include "agents/aviation/builtin/followup.h"
#include "agents/aviation/builtin/intents.h"
#include "agents/aviation/builtin/rules_request.h"
#include "base/str.h"

enum { ASKS_BYTES = 400,          /* a longer message is a story */
	PIECES = 12, NAME_TOKENS = 3, NAMES = 12 };

/* ---- pieces ---------------------------------------------------------------------------- */

struct piece {
	const char *text;
	bool linked;                  /* "and near Geneva": continues the piece before it */
	struct query *query;
	struct rules_reading *rules;
	enum clause_about about;
};

/* Words between two pieces that mean nothing by themselves. */
static bool links(const struct token *t)
{
	return streq(t->fold, ",") || word_listed(LIST_JOINS_ASKS, t->fold);
}

/* Does a piece begin at this word after "and"? */
static bool begins(const struct lexed *x, size_t i)
{
	const bool leg = i + 2 < x->n && streq(x->tok[i + 1].fold, "to");
	return clause_opens(x, i) || leg || (i < x->n && word_listed(LIST_BEGINS_ASK, x->tok[i].fold));
}

/* The pieces of a text, before they are read. */
static size_t pieces_of(const struct reader *rd, const char *text, struct piece out[static PIECES])
{
	const struct lexed x = lex(rd->mem, text);
	size_t n = 0, first = 0;
	bool linked = false;
	for (size_t i = 0; i < x.n && n + 1 < PIECES; i++) {
		size_t next = i + 1, link;
		const bool end = clause_ends(&x, i);
		for (link = end ? next : i; link < x.n && links(&x.tok[link]); link++)
			next = link + 1;
		if (next >= x.n || i == first || (!end && (link == i || !begins(&x, next))))
			continue;
		out[n++] = (struct piece){ lex_slice(rd->mem, &x, first, end ? i : i - 1), .linked = linked };
		linked = !end || next > i + 1;
		first = next;
		i = next - 1;
	}
	if (first < x.n)
		out[n++] = (struct piece){ lex_slice(rd->mem, &x, first, x.n - 1), .linked = linked };
	return n;
}

/* ---- what an ask is about ----------------------------------------------------------------- */

static bool located(const struct place_mention *s)
{
	return s->text != NULL && (s->code || s->known || s->point);
}

/* The place of a search, to compare two of them; NULL: it has no known place. */
static const char *place_of(struct arena *a, const struct query *q)
{
	const struct place_mention *at = q->near.text != NULL ? &q->near : &q->subject;
	if (q->from.text != NULL || q->to.text != NULL)
		return !located(&q->from) || !located(&q->to) ? NULL : arena_printf(a, "%s > %s",
		    str_fold(a, q->from.text), str_fold(a, q->to.text));
	if (at->text != NULL)
		return located(at) ? str_fold(a, at->text) : NULL;
	return q->ncodes == 0 && q->country != NULL ? q->country->code : NULL;
}

static enum { ROUTE, PLACE, COUNTRY } role_of(const struct query *q)
{
	return q->from.text != NULL ? ROUTE
	    : q->near.text != NULL || q->subject.text != NULL ? PLACE : COUNTRY;
}

static bool looks_up(const struct query *q)
{
	const struct intent *in = intent_of(q);
	return in->result != RESULT_OTHER && !in->aside;
}

/* Two pieces about rules ask the same if they share a tag. */
static bool same_question(struct arena *a, const struct rules_snapshot *set,
    const struct rules_reading *s, const struct rules_reading *t)
{
	const char *one = rules_reading_bare(a, s), *two = rules_reading_bare(a, t);
	size_t n, m;
	if (set == NULL || one == NULL || two == NULL)
		return true;
	const char *const *tags = lexical_tags(set->lexical, a, one, &n);
	const char *const *others = lexical_tags(set->lexical, a, two, &m);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			if (streq(tags[i], others[k]))
				return true;
	return streq(str_fold(a, one), str_fold(a, two));
}

static bool same_country(const struct rules_reading *s, const struct rules_reading *t)
{
	for (size_t i = 0; i < s->ncountries; i++)
		for (size_t k = 0; k < t->ncountries; k++)
			if (streq(s->country[i].code, t->country[k].code))
				return true;
	return false;
}

/* ---- clauses ------------------------------------------------------------------------------- */

/* An ask that is being collected: pieces that belong together. */
struct making {
	const char *asking;                   /* its pieces about rules; NULL: none */
	const char *rest;                     /* the other ones; NULL: none */
	bool searches;                        /* a piece of it looks for airports */
	const struct rules_reading *rules;    /* its question about rules; NULL: it has none */
	bool single;                          /* … which names its country and its topic */
};

/* "EGTF to LFMD": a search without a verb, unless a story begins with it. */
static bool whole_route(const struct reader *rd, const struct piece *p)
{
	return p->about == CLAUSE_OTHER && role_of(p->query) == ROUTE &&
	    place_of(rd->mem, p->query) != NULL && !clause_introduces(p->rules);
}

static void join(const struct reader *rd, struct making *to, const struct piece *p)
{
	const char **text = p->about == CLAUSE_RULES ? &to->asking : &to->rest;
	*text = *text == NULL ? p->text
	    : arena_printf(rd->mem, "%s %s%s", *text, p->linked ? "and " : "", p->text);
	to->searches |= p->about == CLAUSE_AIRPORTS || whole_route(rd, p);
	if (p->about != CLAUSE_RULES)
		return;
	to->single = to->rules == NULL && rules_request_alone(p->rules);
	to->rules = p->rules;
}

/* Does a piece look for airports somewhere else than the ask before it? */
static bool searches_anew(const struct reader *rd, const struct making *before,
    const struct piece *p)
{
	const char *here = place_of(rd->mem, p->query), *there;
	if (here == NULL || p->about == CLAUSE_RULES || !before->searches)
		return false;
	const struct query *q = query_parse(rd, before->rest);
	there = place_of(rd->mem, q);
	if (there == NULL || streq(here, there) || !looks_up(q) || !looks_up(p->query))
		return false;
	if (query_leans(p->query))
		return p->linked && role_of(q) == role_of(p->query);
	return p->about == CLAUSE_AIRPORTS || whole_route(rd, p);
}

static bool asks_anew(const struct reader *rd, const struct rules_snapshot *set,
    const struct making *before, const struct piece *p)
{
	return p->about == CLAUSE_RULES && before->rules != NULL && before->single &&
	    rules_request_alone(p->rules) && !same_country(before->rules, p->rules) &&
	    !same_question(rd->mem, set, before->rules, p->rules);
}

static size_t clause_asks(const struct reader *rd, const struct rules_snapshot *set,
    const char *text, struct making out[static LOOKUPS_MAX])
{
	struct piece piece[PIECES];
	const size_t pieces = pieces_of(rd, text, piece);
	/* the words before the first ask, which name no place */
	const char *intro = NULL;
	size_t n = 1;
	out[0] = (struct making){ .rest = pieces > 1 ? NULL : text, .searches = pieces == 1 };
	for (size_t i = 0; pieces > 1 && i < pieces; i++) {
		piece[i].about = clause_read(rd, piece[i].text, &piece[i].query, &piece[i].rules);
		struct making *last = &out[n - 1];
		const bool begun = last->searches || last->rules != NULL;
		if (n < LOOKUPS_MAX && (searches_anew(rd, last, &piece[i]) ||
		    asks_anew(rd, set, last, &piece[i]))) {
			const bool whole = intro != NULL && !query_leans(piece[i].query);
			out[n++] = (struct making){ .rest = whole ? intro : NULL };
		} else if (n == 1 && !begun && piece[i].about == CLAUSE_OTHER &&
		    place_of(rd->mem, piece[i].query) == NULL) {
			intro = intro == NULL ? piece[i].text
			    : arena_printf(rd->mem, "%s %s", intro, piece[i].text);
		}
		join(rd, &out[n - 1], &piece[i]);
	}
	return n;
}

/* ---- lists of places ------------------------------------------------------------------------- */

enum name_kind { NO_NAME, PLACE_NAME, COUNTRY_NAME };

/* Are all these words together the name of a place or country? A comma may separate its country. */
static enum name_kind name_kind(const struct reader *rd, const char *text)
{
	const char *comma = strchr(text, ',');
	if (comma != NULL && name_kind(rd, comma + 1) != COUNTRY_NAME)
		return NO_NAME;
	const struct query *q = query_parse(rd, text);
	const struct rules_reading *s = rules_reading_read(rd, text);
	if (s->ncountries == 1 && s->country[0].first == 0 && s->country[0].last + 1 == s->x.n)
		return COUNTRY_NAME;
	return located(&q->subject) && streq(str_fold(rd->mem, q->subject.text), str_fold(rd->mem, text))
	    ? PLACE_NAME : NO_NAME;
}

/* A row of names, by their tokens. */
struct names {
	struct { size_t first, last; } name[NAMES];
	size_t n;
	enum name_kind kind;
};

/* The longest name that begins at token i, or ends there. */
static bool take_name(const struct reader *rd, const struct lexed *x, size_t i, bool ends,
    struct names *list)
{
	for (size_t n = NAME_TOKENS; n > 0; n--) {
		if (ends ? i + 1 < n : i + n > x->n)
			continue;
		const size_t first = ends ? i + 1 - n : i, last = ends ? i : i + n - 1;
		const enum name_kind kind = name_kind(rd, lex_slice(rd->mem, x, first, last));
		if (kind == NO_NAME || list->n == NAMES || (list->n > 0 && kind != list->kind))
			continue;
		list->kind = kind;
		list->name[list->n].first = first;
		list->name[list->n++].last = last;
		return true;
	}
	return false;
}

/* "Lyon and Geneva", "Lyon, Geneva and Nice": finds the last name first. */
static struct names names_around(const struct reader *rd, const struct lexed *x, size_t at)
{
	struct names list = { .n = 0 };
	size_t left = at;
	if (at == 0 || !take_name(rd, x, at + 1, false, &list))
		return list;
	while (left > 0 && (left == at || streq(x->tok[left].fold, ",")) &&
	    take_name(rd, x, left - 1, true, &list)) {
		left = list.name[list.n - 1].first;
		left -= left > 0;
	}
	/* "Isle of Wight and Jersey" is two names, "Tyne and Wear" one */
	if (list.n > 1 && name_kind(rd, lex_slice(rd->mem, x, list.name[1].first,
	    list.name[0].last)) != NO_NAME)
		list.n = 0;
	return list;
}

/* The clause with one of the names in the place of all. */
static const char *with_name(struct arena *a, const struct lexed *x, const struct names *list,
    size_t k)
{
	const size_t first = list->name[list->n - 1].first, last = list->name[0].last;
	const char *before = first == 0 ? "" : lex_slice(a, x, 0, first - 1);
	const char *after = last + 1 == x->n ? "" : lex_slice(a, x, last + 1, x->n - 1);
	return arena_printf(a, "%s %s%s%s", before, lex_slice(a, x, list->name[k].first, list->name[k].last),
	    last + 1 < x->n && x->tok[last + 1].gap ? " " : "", after);
}

/* Does each of the texts look up another place, in the same way? */
static bool look_up_apart(const struct reader *rd, const struct asks *asks)
{
	const struct intent *in = NULL;
	const char *place[LOOKUPS_MAX];
	for (size_t i = 0; i < asks->n; i++) {
		const struct query *q = query_parse(rd, asks->ask[i].text);
		place[i] = place_of(rd->mem, q);
		if (place[i] == NULL || !looks_up(q) || (i > 0 && intent_of(q) != in))
			return false;
		in = intent_of(q);
		for (size_t k = 0; k < i; k++)
			if (streq(place[k], place[i]))
				return false;
	}
	return true;
}

static struct asks list_asks(const struct reader *rd, const char *text)
{
	const struct asks whole = { { { text, true, true } }, 1 };
	const struct lexed x = lex(rd->mem, text);
	struct query *q;
	struct rules_reading *s;
	size_t at = 1;
	while (at + 1 < x.n && !word_listed(LIST_AND, x.tok[at].fold))
		at++;
	if (at + 1 >= x.n || clause_read(rd, text, &q, &s) != CLAUSE_AIRPORTS || q->from.text != NULL ||
	    q->to.text != NULL || q->ncodes > 0 || (s->marks & MARK_COMPARE) != 0)
		return whole;
	for (; at + 1 < x.n; at++) {
		if (!word_listed(LIST_AND, x.tok[at].fold))
			continue;
		const struct names list = names_around(rd, &x, at);
		struct asks out = { .n = list.n };
		if (list.n > LOOKUPS_MAX)
			return whole;         /* too many to be looked up: none of them is picked out */
		for (size_t i = 0; i < list.n; i++)
			out.ask[list.n - 1 - i] = (struct ask){ with_name(rd->mem, &x, &list, i), true,
				false };
		if (out.n > 1 && look_up_apart(rd, &out))
			return out;
	}
	return whole;
}

/* ---- the message ------------------------------------------------------------------------------- */

/* An ask as a text: what it says of airports, then what it asks about rules, as a sentence. */
static const char *whole_ask(struct arena *a, const char *rest, const char *asking)
{
	if (rest == NULL || asking == NULL)
		return rest != NULL ? rest : asking;
	return arena_printf(a, "%s%s %s", rest,
	    strchr(".?!;", rest[strlen(rest) - 1]) != NULL ? "" : ".", asking);
}

struct asks asks_of(const struct reader *rd, const struct rules_snapshot *set, const char *text)
{
	struct making part[LOOKUPS_MAX];
	const struct asks whole = { { { text, true, true } }, 1 };
	struct asks out = { .n = 0 };
	if (strlen(text) > ASKS_BYTES)
		return whole;
	const size_t n = clause_asks(rd, set, text, part);
	for (size_t i = 0; i < n; i++) {
		struct asks list = { { { part[i].rest, false, false } }, 1 };
		if (part[i].searches)
			list = list_asks(rd, part[i].rest);
		/* a list must leave room for the asks after it */
		if (out.n + list.n + (n - 1 - i) > LOOKUPS_MAX)
			list = (struct asks){ { { part[i].rest, true, false } }, 1 };
		for (size_t k = 0; k < list.n; k++) {
			const char *asking = k + 1 == list.n ? part[i].asking : NULL;
			out.ask[out.n++] = (struct ask){ whole_ask(rd->mem, list.ask[k].text, asking),
				part[i].searches, asking != NULL };
		}
	}
	return out.n > 1 ? out : whole;
}
