/*
 * The conversation is the state: its messages are read backwards to the last one that can be
 * understood alone, and from there the meanings are put together again. A message that was sent
 * twice in a row (some clients do that) counts once.
 *
 * Airports and rules are two threads of a conversation. A question about rules does not change the
 * search for airports, and a search does not change the question about rules. A message that fits
 * both ("and in Germany?") continues the thread of the message before it.
 */
#include "agents/aviation/builtin/conversation.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/asks.h"
#include "agents/aviation/builtin/followup.h"
#include "agents/aviation/builtin/intents.h"
#include "agents/aviation/builtin/replies.h"
#include "airports/icao_prefix.h"
#include "airports/place.h"
#include "base/str.h"

/* The last turns of the conversation, newest first. */
static void collect(struct conversation *c, const struct run *run)
{
	/* since the last turn the pilot wrote and the assistant did not */
	bool repeated = false;
	size_t most = run->nmessages < CONVERSATION_TURNS ? run->nmessages : CONVERSATION_TURNS;
	c->turn = arena_array(c->rd.mem, most * LOOKUPS_MAX + 1, sizeof(*c->turn));
	for (size_t i = run->nmessages; i-- > 0 && c->n < most;) {
		const struct message *m = &run->messages[i];
		if (!message_is_said(m))
			continue;
		if (streq(m->role, "assistant")) {
			if (c->n > 0 && c->turn[c->n - 1].answer == NULL)
				c->turn[c->n - 1].answer = m->content;
			repeated = false;
		} else {
			if (repeated && streq(c->turn[c->n - 1].text, m->content))
				continue;
			c->turn[c->n++] = (struct turn){ .text = m->content };
			repeated = true;
		}
	}
}

void conversation_open(struct conversation *c, const struct reader *with,
    const struct rules_snapshot *set, const struct run *run)
{
	*c = (struct conversation){ .rd = *with, .set = set, .wording = turn_wording(run) };
	c->rd.airports = lexicon_of_airports();
	c->rd.rules = lexicon_of_rules();
	c->rd.base = set != NULL ? set->base : NULL;
	collect(c, run);
}

/* ---- reading one message ------------------------------------------------------------ */

static void read_text(struct conversation *c, struct turn *t, const char *airports,
    const char *rules)
{
	t->query = query_parse(&c->rd, airports);
	t->rules_reading = rules_reading_read(&c->rd, rules);
}

/* If the words are unclear, the rules decide: is there a rule about the subject? */
static bool rules_speak(struct conversation *c, const struct rules_reading *s,
    const struct query *q)
{
	struct rule_hit hit;
	size_t n = 0;
	double least = c->set != NULL ? rules_reading_doubt(s, q) : INFINITY;
	const char *bare = isinf(least) ? NULL : rules_reading_bare(c->rd.mem, s);
	effort_spend(c->rd.effort, EFFORT_RULES, bare != NULL ? s->x.n : 0);
	return bare != NULL && lexical_search(c->set->lexical, c->rd.mem, bare, NULL, 0, NULL, 0, &hit, 1,
	    &n, NULL) == OK && n > 0 && hit.similarity >= least;
}

static void read_whole(struct conversation *c, size_t i)
{
	static const unsigned of_rules = MARK_TOPIC | MARK_RULES | MARK_HINT | MARK_BORDER | MARK_FORM;
	struct turn *t = &c->turn[i];
	const char *question = clauses_question(&c->rd, t->text);
	const char *text = question != NULL ? question : t->text;
	read_text(c, t, text, text);
	const struct query *q = t->query;
	bool airports = q->noun || (q->cues & (CUE_SHOW | CUE_WHERE | CUE_TELL | CUE_ASPECT)) != 0 ||
	    q->subject.text != NULL;
	if (airports && (t->rules_reading->marks & of_rules) != 0) {
		struct clauses p = clauses_of(&c->rd, text);
		t->both = p.airports != NULL;
		if (t->both)
			read_text(c, t, p.airports, p.rules);
	}
	if (rules_reading_notice(t->rules_reading, t->query))
		t->query->cues |= CUE_NOTIFY;
	t->about = t->both ? ABOUT_RULES : rules_reading_about(t->rules_reading, t->query);
	if (t->about != ABOUT_RULES && rules_speak(c, t->rules_reading, t->query))
		t->about = ABOUT_RULES;
	if (t->no_rules)
		t->about = ABOUT_OTHER;
	/* A router has weighed it already. */
	if (i == 0 && c->rules_only && !t->query->empty && (q->cues & CUE_INJECT) == 0)
		t->about = ABOUT_RULES;
}

/* A message that asks about several things becomes a turn for each. */
static void take_apart(struct conversation *c, size_t i)
{
	struct turn *t = &c->turn[i];
	const char *answer = t->answer;
	const struct asks asks = asks_of(&c->rd, c->set, t->text);
	bool airports = false;
	for (size_t k = 0; k < asks.n; k++)
		airports |= asks.ask[k].airports;
	if (asks.n == 1 || (c->rules_only && airports))
		return;
	memmove(t + asks.n, t + 1, (c->n - i - 1) * sizeof(*t));
	c->n += asks.n - 1;
	for (size_t k = 0; k < asks.n; k++) {
		const struct ask *ask = &asks.ask[asks.n - 1 - k];
		t[k] = (struct turn){ .text = ask->text, .apart = true, .later = k,
			.no_rules = !ask->rules, .answer = k + 1 == asks.n ? answer : NULL };
	}
}

/* False: there is no such turn, or no effort is left to read it. The conversation then begins with
 * the turn after it. */
static bool read_turn(struct conversation *c, size_t i)
{
	if (i >= c->n)
		return false;
	if (c->turn[i].query != NULL)
		return true;
	if (i > 0 && effort_over(c->rd.effort)) {
		c->n = i;
		return false;
	}
	read_whole(c, i);
	/* older messages that continue others are not taken apart, because the effort is needed for
	 * the messages before them */
	if (!c->turn[i].apart && (i == 0 || !query_leans(c->turn[i].query)))
		take_apart(c, i);
	if (c->turn[i].query == NULL)
		read_whole(c, i);
	return true;
}

/* ---- where its airports are ------------------------------------------------------------ */

/* "CTR", "FIS": a word of the rules vocabulary is never an airport's code. */
static bool rules_word(struct conversation *c, const char *text)
{
	size_t used;
	struct lexed x = lex(c->rd.mem, text);
	return x.n == 1 && lexicon_match(c->rd.rules, &x, 0, LX_NONE, &used) != NULL;
}

static const char *place_mention_country(struct conversation *c, const struct place_mention *s)
{
	struct airport airport;
	struct place place;
	bool found = false;
	if (s->text == NULL || s->point || rules_word(c, s->text))
		return NULL;
	if (c->rd.con != NULL && (s->code || s->known))
		effort_spend(c->rd.effort, s->code ? EFFORT_LOOKUP : EFFORT_PLACE, 1);
	if (s->code && c->rd.con != NULL &&
	    airdb_by_code(c->rd.con, c->rd.mem, s->text, &airport, &found, NULL) == OK && found)
		return airport.country;
	if (s->code)
		return strlen(s->text) == 4 ? icao_prefix_country(str_upper_copy(c->rd.mem, s->text, 4)) : NULL;
	if (c->rd.con == NULL || !s->known || place_resolve(c->rd.con, c->rd.mem, NULL, s->text, NULL,
	    &place, &found, NULL) != OK || !found)
		return NULL;
	return place.country;
}

/* Countries of airports and places. Countries that are named are left to rules_reading.h, which
 * knows them better. */
static struct country_list places_nations(struct conversation *c, const struct query *q)
{
	struct country_list list = { .n = 0 };
	const struct place_mention *spots[] = { &q->from, &q->to, &q->near, &q->subject };
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++)
		if (spots[i]->country == NULL)
			country_list_add(&list, place_mention_country(c, spots[i]));
	for (size_t i = 0; i < q->ncodes; i++)
		country_list_add(&list, place_mention_country(c, &q->codes[i]));
	aircon_rest(c->rd.con);
	return list;
}

struct country_list conversation_countries(struct conversation *c, const struct query *q)
{
	struct country_list list = places_nations(c, q);
	const struct place_mention *ends[] = { &q->from, &q->to };
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends[i]->country != NULL)
			country_list_add(&list, ends[i]->country->code);
	if (list.n == 0 && q->country != NULL)
		country_list_add(&list, q->country->code);
	return list;
}

static const struct country_list *turn_nations(struct conversation *c, struct turn *t)
{
	if (t->countries == NULL) {
		struct country_list *list = arena_alloc(c->rd.mem, sizeof(*list));
		*list = conversation_countries(c, t->query);
		t->countries = list;
	}
	return t->countries;
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Does the message look for airports, or continue such a search? Thanks and the like do neither. */
static bool of_airports(const struct turn *t)
{
	return t->both || (t->rules == NULL && !intent_of(t->query)->aside);
}

/* Find the last question about rules and the last countries that were named, in turns that have
 * been judged. */
static void ground_of(struct conversation *c, size_t i, struct rules_request_ground *g,
    struct country_list *around)
{
	g->follows = true;
	for (size_t k = i + 1; k < c->n && (g->before == NULL || around->n == 0); k++) {
		struct turn *t = &c->turn[k];
		if (!t->judged)
			return;                       /* turns after it depend on nothing before it */
		if (t->rules != NULL && g->before == NULL)
			g->before = t->rules;
		else if (t->rules == NULL && g->before == NULL && of_airports(t))
			g->follows = false;
		if (around->n > 0)
			continue;
		if (t->rules != NULL)
			country_list_add_all(around, &t->rules->countries);
		else if (of_airports(t))
			*around = *turn_nations(c, t);
	}
}

/* After "Which country do you mean?" a place may be the answer, but a whole question about airports is a
 * new one. */
static bool asks_anew(const struct query *q)
{
	static const unsigned plain = CUE_TELL | CUE_ASPECT | CUE_LOOKUP | CUE_SHOW | CUE_WHERE | CUE_COUNT;
	const struct intent *in = intent_of(q);
	const bool route = q->from.text != NULL && q->to.text != NULL;

	return in->result != RESULT_OTHER && !in->aside && ((q->cues & plain) != 0 ||
	    (route && strchr(q->said, '?') != NULL));
}

/* The question about rules of one turn. The turns before it must have been judged. */
static void judge_one(struct conversation *c, size_t i)
{
	struct turn *t = &c->turn[i];
	t->judged = true;
	if (t->about == ABOUT_OTHER)
		return;
	struct country_list around = { .n = 0 }, own = { .n = 0 };
	struct rules_request_ground g = { .set = c->set, .own = &own, .around = &around };
	ground_of(c, i, &g, &around);
	bool asked = g.before != NULL && g.follows && !rules_request_complete(g.before);
	if (asked && t->about != ABOUT_RULES && asks_anew(t->query))
		return;
	if (!asked && t->about == ABOUT_OPEN && rules_reading_airport(t->rules_reading, t->query))
		return;
	if (t->about == ABOUT_RULES || asked)
		own = places_nations(c, t->query);
	g.route = t->query->from.text != NULL && t->query->to.text != NULL;
	effort_spend(c->rd.effort, EFFORT_RULES, t->rules_reading->x.n);
	t->rules = rules_request_of(c->rd.mem, t->rules_reading, t->about, &g);
}

/* Is it a question about rules that means the same whatever was said before? */
static bool alone(const struct turn *t)
{
	return t->about == ABOUT_RULES && rules_request_alone(t->rules_reading);
}

/* The question about rules of a turn. First find the oldest turn on which it depends, then judge
 * each turn from there on, oldest first: each one needs only turns that have been judged. */
static struct rules_request *judge(struct conversation *c, size_t i)
{
	size_t oldest = i;
	if (!read_turn(c, i))
		return NULL;
	if (!c->turn[i].judged && c->turn[i].about != ABOUT_OTHER)
		while (!c->turn[oldest].judged && !alone(&c->turn[oldest]) && read_turn(c, oldest + 1))
			oldest++;
	for (size_t k = oldest + 1; k-- > i;)
		if (!c->turn[k].judged)
			judge_one(c, k);
	return c->turn[i].rules;
}

size_t conversation_parts(struct conversation *c)
{
	size_t n = 0;
	read_turn(c, 0);
	while (n < c->n && c->turn[n].later == n)
		n++;
	return n;
}

struct conversation conversation_until(const struct conversation *c, size_t later)
{
	struct conversation until = *c;
	until.turn += later;
	until.n -= later;
	return until;
}

struct rules_request *conversation_rules(struct conversation *c)
{
	return c->n > 0 ? judge(c, 0) : NULL;
}

/* ---- airports -------------------------------------------------------------------------------- */

/* "Where do you want to fly to?" "Nice": a place and nothing else after a question for one. It is no new
 * question; after a question for the place of a search, airports around it are meant. */
static bool answers(const struct conversation *c, size_t i)
{
	struct query *q = c->turn[i].query;
	enum reply asked;

	if (i + 1 >= c->n || c->turn[i].both || q->rules != NULL || !query_bare_place(q) ||
	    !reply_asks_place(c->turn[i].answer, &asked))
		return false;
	if (asked == REPLY_UNPLACED) {
		q->near = q->subject;
		q->subject = (struct place_mention){ .text = NULL };
	}
	return true;
}

/* Does the message that ends with this turn look for no airports? */
static bool only_rules(const struct conversation *c, size_t i)
{
	bool rules = true;
	for (size_t later = 0; i < c->n && c->turn[i].later == later; i++, later++)
		rules &= c->turn[i].rules != NULL && !c->turn[i].both;
	return rules;
}

struct query *conversation_query(struct conversation *c)
{
	struct turn *turns = c->turn;
	struct query *state = NULL;
	size_t oldest = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct rules_request *r = judge(c, i);
		if (i >= c->n)
			break;
		if (!turns[i].both)
			turns[i].query->rules = r;
		oldest = i;
		/* An aside does not end a search. After a look at one airport "and the others?" may
		 * follow. */
		bool aside = intent_of(turns[i].query)->aside;
		bool passing = aside || turns[i].query->subject.text != NULL;
		turns[i].leans = turns[i].query->rules == NULL && (answers(c, i) || query_leans(turns[i].query));
		if (!turns[i].leans && (i == 0 || !passing))
			break;
	}
	struct listing list = { .query = NULL };
	for (size_t i = oldest + 1; i-- > 0;) {
		struct query *q = turns[i].query;
		/* "tell me about the second", "and the first?": both count in the same list */
		bool rules = i + 1 < c->n && only_rules(c, i + 1);
		/* … but with a message in between, "which one do you mean?", there is no list any
		 * more */
		if (state != NULL && state->subject.text == NULL && !rules) {
			struct listing newer = listing_of(&c->rd, state, turns[i].answer);
			if (newer.numbered || !list.numbered)
				list = newer;
		}
		bool leans = turns[i].leans;
		if (intent_of(q)->aside && !(leans && state != NULL)) {
			if (i == 0)
				return q;
			continue;
		}
		if (leans && state != NULL) {
			state = query_follow(&c->rd, state, q, &list);
			continue;
		}
		if (state != NULL && q->subject.text != NULL)
			q->search = state->subject.text == NULL ? state : state->search;
		state = q;
	}
	return state != NULL ? state : turns[0].query;
}
