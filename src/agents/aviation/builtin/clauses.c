/*
 * Two ways to take a message apart.
 *
 * A clause ends at the end of a sentence, and at an "and" or a comma if the beginning of a question
 * or request follows. The message is about both only if one clause plainly looks for airports and
 * another plainly asks about rules.
 *
 * A long story is read sentence by sentence. Text without an end of a sentence is read piece by
 * piece, and of each piece the words around the question are taken. Each piece is judged by itself,
 * so that the text around a question does not change what the question asks.
 */
#include "agents/aviation/builtin/clauses.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"

enum { CLAUSES = 12,
	STORY_BYTES = 300,            /* longer than any question */
	PIECE_BYTES = 500,            /* piece length for text without an end of a sentence */
	PIECES = 200, HALF_BYTES = 8192,     /* how much of a text is read, from either end */
	WINDOW = 24,                  /* tokens that a question has */
};

bool clause_opens(const struct lexed *x, size_t i)
{
	return i < x->n && word_listed(LIST_OPENS, x->tok[i].fold);
}

bool clause_ends(const struct lexed *x, size_t i)
{
	return x->tok[i].kind == TOK_SYMBOL && strchr(".?!;", x->tok[i].fold[0]) != NULL &&
	    (i + 1 >= x->n || x->tok[i + 1].gap || x->tok[i + 1].kind == TOK_SYMBOL);
}

/* Does token i, a "," or "and", separate two clauses? *skip is how many tokens join them. */
static bool joins(const struct lexed *x, size_t i, size_t *skip)
{
	size_t k = i;
	if (streq(x->tok[k].fold, ","))
		k++;
	while (k < x->n && word_listed(LIST_JOINS_CLAUSES, x->tok[k].fold))
		k++;
	*skip = k - i;
	return k > i && clause_opens(x, k);
}

static size_t split_clauses(struct arena *a, const char *text, const char *clause[static CLAUSES])
{
	struct lexed x = lex(a, text);
	size_t n = 0, first = 0, skip;
	for (size_t i = 0; i < x.n && n + 1 < CLAUSES; i++) {
		bool end = clause_ends(&x, i);
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

bool clause_introduces(const struct rules_reading *s)
{
	return s->x.n > 0 && word_listed(LIST_INTRODUCES, s->x.tok[0].fold) &&
	    (s->marks & (MARK_NEED | MARK_SEEK)) == 0;
}

/* Does the text speak of several airports, or ask for one? Otherwise it only names where something
 * happens. */
static bool wanted(const struct rules_reading *s, const struct query *q)
{
	for (size_t i = 0; i < s->x.n; i++)
		if (word_listed(LIST_SEVERAL, s->x.tok[i].fold))
			return true;
	if (q->from.text != NULL && q->to.text != NULL)
		return true;
	return (q->cues & CUE_WHERE) != 0 || (s->marks & (MARK_NEED | MARK_SEEK | MARK_ASK)) != 0;
}

/* Does it plainly look for airports, or for something at an airport? */
static bool searches(const struct rules_reading *s, const struct query *q)
{
	bool want = false, place = q->near.text != NULL || q->from.text != NULL ||
	    q->to.text != NULL || q->country != NULL || q->subject.text != NULL;
	if (clause_introduces(s))
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

enum clause_about clause_read(const struct reader *rd, const char *clause, struct query **query,
    struct rules_reading **rules)
{
	*query = query_parse(rd, clause);
	*rules = rules_reading_read(rd, clause);
	if (rules_reading_about(*rules, *query) == ABOUT_RULES)
		return CLAUSE_RULES;
	return searches(*rules, *query) ? CLAUSE_AIRPORTS : CLAUSE_OTHER;
}

static const char *joined(struct arena *a, const char *text, const char *clause)
{
	return text == NULL ? clause : arena_printf(a, "%s %s", text, clause);
}

struct clauses clauses_of(const struct reader *rd, const char *text)
{
	const char *clause[CLAUSES];
	struct clauses out = { .airports = NULL }, none = { .airports = NULL };
	size_t n = split_clauses(rd->mem, text, clause), found[CLAUSE_RULES + 1] = { 0 };
	struct rules_reading *s;
	struct query *q;
	if (n < 2)
		return none;
	for (size_t i = 0; i < n; i++) {
		enum clause_about what = clause_read(rd, clause[i], &q, &s);
		found[what]++;
		if (what != CLAUSE_RULES)
			out.airports = joined(rd->mem, out.airports, clause[i]);
		if (what != CLAUSE_AIRPORTS)
			out.rules = joined(rd->mem, out.rules, clause[i]);
	}
	return found[CLAUSE_AIRPORTS] > 0 && found[CLAUSE_RULES] > 0 ? out : none;
}

/* ---- a question in a story ------------------------------------------------------------- */

/* Sentences, which are put together when all have been read. */
struct sentences {
	const char *text[2 * PIECES];
	size_t n, bytes;
};

struct story {
	const struct reader *rd;
	struct sentences asked;       /* sentences that ask about rules */
	struct sentences told;        /* sentences about rules that ask nothing */
	const char *place;            /* the last sentence before the question that names a country */
	const char *place_after;      /* … the first one after it */
	bool named;                   /* the question names its country */
	bool searches;                /* the story looks for airports as well */
};

static void add(struct sentences *s, const char *text)
{
	if (s->n == sizeof(s->text) / sizeof(s->text[0]))
		return;
	s->text[s->n++] = text;
	s->bytes += strlen(text) + 1;
}

static const char *all_of(struct arena *a, const struct sentences *s)
{
	char *out = arena_alloc(a, s->bytes + 1), *p = out;
	for (size_t i = 0; i < s->n; i++) {
		p = stpcpy(p, s->text[i]);
		if (i + 1 < s->n)
			*p++ = ' ';
	}
	return out;
}

/* How strongly a token suggests a question about rules. */
static int weight(unsigned marks)
{
	if ((marks & (MARK_TOPIC | MARK_FORM)) != 0)
		return 3;
	if ((marks & (MARK_HINT | MARK_BORDER | MARK_RULES | MARK_COMPARE | MARK_COUNTRY)) != 0)
		return 2;
	return (marks & (MARK_ASK | MARK_NEED)) != 0;
}

/* The words around the question, in a piece that is too long to be a question. */
static const char *window(struct arena *a, const struct rules_reading *s)
{
	size_t best = 0, first, last;
	int most = 0, sum = 0;
	for (size_t i = 0; i < s->x.n; i++) {
		sum += weight(s->mark[i]);
		if (i >= WINDOW)
			sum -= weight(s->mark[i - WINDOW]);
		if (sum > most) {
			most = sum;
			best = i;
		}
	}
	if (most == 0)
		return s->text;
	last = best;
	first = best + 1 > WINDOW ? best + 1 - WINDOW : 0;
	while (weight(s->mark[first]) == 0)
		first++;
	if (last + 1 < s->x.n && s->x.tok[last + 1].kind == TOK_SYMBOL)
		last++;
	return lex_slice(a, &s->x, first, last);
}

/* Is the text a question or a request? "My plane has a transponder" is neither. */
static bool put_as_question(const struct rules_reading *s)
{
	if ((s->marks & (MARK_FORM | MARK_COMPARE | MARK_RULES)) != 0 || strchr(s->text, '?') != NULL)
		return true;
	return s->x.n > 0 && (s->mark[0] & MARK_ASK) != 0;
}

static void judge(struct story *t, const struct reader *rd, const char *text)
{
	struct rules_reading *s = rules_reading_read(rd, text);
	if (strlen(text) > STORY_BYTES) {
		text = window(t->rd->mem, s);
		s = rules_reading_read(rd, text);
	}
	struct query *q = query_parse(rd, text);
	if (rules_reading_about(s, q) != ABOUT_RULES) {
		t->searches |= searches(s, q) || (q->from.text != NULL && q->to.text != NULL);
		if (s->ncountries > 0 && t->asked.n == 0)
			t->place = text;
		else if (s->ncountries > 0 && t->place_after == NULL)
			t->place_after = text;
	} else {
		add(put_as_question(s) ? &t->asked : &t->told, text);
		t->named |= s->ncountries > 0;
	}
}

/* Read a piece without the database, because a long story has too many words to look up. The memory
 * is freed together with the piece. */
static void judge_piece(struct story *t, struct str piece)
{
	struct reader rd = *t->rd;
	rd.con = NULL;
	rd.mem = arena_new();
	judge(t, &rd, arena_strndup(t->rd->mem, piece.p, piece.n));
	arena_free(rd.mem);
}

/* The length of the sentence at p with its end; of text without an end, the length of a piece. */
static size_t sentence(const char *p, size_t n)
{
	size_t most = n < PIECE_BYTES ? n : PIECE_BYTES, blank = 0;
	for (size_t i = 0; i < most; i++) {
		if (p[i] == '\n' || (strchr(".?!;", p[i]) != NULL && (i + 1 == n || p[i + 1] <= ' ')))
			return i + 1;
		if (p[i] == ' ')
			blank = i + 1;
	}
	return most == n ? n : blank > 0 ? blank : utf8_cut(p, n, most);
}

/* Stops when `most` steps have been spent in all. */
static void judge_all(struct story *t, const char *text, size_t n, size_t *pieces, size_t most)
{
	const struct effort *e = t->rd->effort;
	for (size_t i = 0, len; i < n && *pieces < PIECES; i += len) {
		len = sentence(text + i, n - i);
		struct str s = str_trim((struct str){ text + i, len });
		if (effort_ended(e) || (e != NULL && e->spent > most))
			return;
		if (s.n < 2)
			continue;
		judge_piece(t, s);
		(*pieces)++;
	}
}

/* After this many steps the rest of a story's beginning is skipped. Its end, which holds the
 * question, is read afterwards and always whole. */
static size_t most_for_the_beginning(const struct effort *e)
{
	return e == NULL ? SIZE_MAX : effort_over(e) ? 0 : e->spent + (EFFORT_MOST - e->spent) / 2;
}

const char *clauses_question(const struct reader *rd, const char *text)
{
	struct story t = { .rd = rd };
	size_t n = strlen(text), pieces = 0, half = n;
	if (n <= STORY_BYTES)
		return NULL;
	if (n > 2 * HALF_BYTES) {
		half = utf8_cut(text, n, HALF_BYTES);
		judge_all(&t, text, half, &pieces, most_for_the_beginning(rd->effort));
		for (text += n - HALF_BYTES, n = HALF_BYTES; n > 0 && (*text & 0xc0) == 0x80; n--)
			text++;
		pieces = pieces < PIECES / 2 ? pieces : PIECES / 2;
	}
	judge_all(&t, text, n, &pieces, SIZE_MAX);
	if (t.asked.n == 0 || t.searches)
		return NULL;
	const char *question = all_of(rd->mem, &t.asked);
	if (t.told.n > 0 && t.told.bytes + t.asked.bytes <= STORY_BYTES + 1)
		question = joined(rd->mem, all_of(rd->mem, &t.told), question);
	else if (t.told.n > 0)
		t.named = false;
	const char *place = t.place != NULL ? t.place : t.place_after;
	return t.named || place == NULL ? question : joined(rd->mem, place, question);
}
