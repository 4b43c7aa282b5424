/*
 * The conversation is the state: the newest messages are read backwards to the last one that
 * stands on its own, and from there the meanings are put together again. A message sent twice in
 * a row (some clients do) counts once.
 *
 * Airports and rules are two threads in it. A question about rules leaves the search for
 * airports as it was, and the other way round; what leans on nothing in particular ("and in
 * Germany?") goes on with the thread that spoke last.
 */
#include "agents/builtin/conversation.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "agents/builtin/followup.h"
#include "agents/builtin/intents.h"
#include "agents/builtin/parts.h"
#include "airports/icao_prefix.h"
#include "airports/place.h"
#include "base/str.h"

/* The last turns of the conversation, newest first. */
static void collect(struct conversation *c, const struct run *run)
{
	bool repeated = false;           /* nothing but the pilot spoke since the last turn */
	for (size_t i = run->nmessages; i-- > 0 && c->n < CONVERSATION_TURNS;) {
		const struct message *m = &run->messages[i];
		if (m->content == NULL)
			continue;
		if (streq(m->role, "assistant")) {
			if (c->n > 0 && c->turn[c->n - 1].answer == NULL)
				c->turn[c->n - 1].answer = m->content;
			repeated = false;
		} else if (streq(m->role, "user")) {
			if (repeated && streq(c->turn[c->n - 1].text, m->content))
				continue;
			c->turn[c->n++] = (struct turn){ .text = m->content };
			repeated = true;
		}
	}
}

void conversation_open(struct conversation *c, struct arena *a, struct aircon *con,
    const struct ruleset *set, const struct run *run)
{
	*c = (struct conversation){ .mem = a, .con = con, .set = set };
	c->airports = lexicon_of_airports();
	c->rules = lexicon_of_rules();
	collect(c, run);
}

static const struct rulebase *base_of(const struct conversation *c)
{
	return c->set != NULL ? c->set->base : NULL;
}

/* ---- reading one message ------------------------------------------------------------ */

static void read_text(struct conversation *c, struct turn *t, const char *airports,
    const char *rules)
{
	t->query = query_parse(c->mem, c->airports, c->con, airports);
	t->speech = speech_read(c->mem, c->rules, base_of(c), rules);
}

/* Where words leave it open, the rules tell: is there one that speaks of it? */
static bool rules_speak(struct conversation *c, const struct speech *s, const struct query *q)
{
	struct rule_hit hit;
	size_t n = 0;
	double least = c->set != NULL ? speech_doubt(s, q) : INFINITY;
	const char *bare = isinf(least) ? NULL : speech_bare(c->mem, s);
	return bare != NULL && lexical_search(c->set->lexical, c->mem, bare, NULL, 0, NULL, 0, &hit, 1,
	    &n, NULL) == OK && n > 0 && hit.similarity >= least;
}

static void read_turn(struct conversation *c, size_t i)
{
	static const unsigned of_rules = MARK_TOPIC | MARK_RULES | MARK_HINT | MARK_BORDER | MARK_FORM;
	struct turn *t = &c->turn[i];
	if (t->query != NULL)
		return;
	const char *question = parts_question(c->mem, c->airports, c->rules, base_of(c), t->text);
	const char *text = question != NULL ? question : t->text;
	read_text(c, t, text, text);
	const struct query *q = t->query;
	bool airports = q->noun || (q->cues & (CUE_SHOW | CUE_WHERE | CUE_TELL | CUE_ASPECT)) != 0 ||
	    q->subject.text != NULL;
	if (airports && (t->speech->marks & of_rules) != 0) {
		struct parts p = parts_of(c->mem, c->airports, c->rules, base_of(c), c->con, text);
		t->both = p.airports != NULL;
		if (t->both)
			read_text(c, t, p.airports, p.rules);
	}
	if (speech_notice(t->speech, t->query))
		t->query->cues |= CUE_NOTIFY;
	t->about = t->both ? ABOUT_RULES : speech_about(t->speech, t->query);
	if (t->about != ABOUT_RULES && rules_speak(c, t->speech, t->query))
		t->about = ABOUT_RULES;
	/* A router has weighed it already. */
	if (i == 0 && c->rules_only && !t->query->empty && (q->cues & CUE_INJECT) == 0)
		t->about = ABOUT_RULES;
}

/* ---- where its airports are ------------------------------------------------------------ */

/* "CTR", "FIS": what the vocabulary of rules knows is no airport, whatever code it is. */
static bool rules_word(struct conversation *c, const char *text)
{
	size_t used;
	struct lexed x = lex(c->mem, text);
	return x.n == 1 && lexicon_match(c->rules, &x, 0, LX_NONE, &used) != NULL;
}

static const char *upper(struct arena *a, const char *text)
{
	char *up = arena_strdup(a, text);
	for (char *p = up; *p != '\0'; p++)
		*p = (char)toupper((unsigned char)*p);
	return up;
}

static const char *spot_country(struct conversation *c, const struct spot *s)
{
	struct airport airport;
	struct place place;
	bool found = false;
	if (s->text == NULL || s->point || rules_word(c, s->text))
		return NULL;
	if (s->code && c->con != NULL &&
	    airdb_by_code(c->con, c->mem, s->text, &airport, &found, NULL) == OK && found)
		return airport.country;
	if (s->code)
		return strlen(s->text) == 4 ? icao_prefix_country(upper(c->mem, s->text)) : NULL;
	if (c->con == NULL || !s->known || place_resolve(c->con, c->mem, NULL, s->text, NULL, &place,
	    &found, NULL) != OK || !found)
		return NULL;
	return place.country;
}

/* Without countries that are named as such: speech.h knows them better. */
static struct nations places_nations(struct conversation *c, const struct query *q)
{
	struct nations list = { .n = 0 };
	const struct spot *spots[] = { &q->from, &q->to, &q->near, &q->subject };
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++)
		if (spots[i]->country == NULL)
			nations_add(&list, spot_country(c, spots[i]));
	for (size_t i = 0; i < q->ncodes; i++)
		nations_add(&list, spot_country(c, &q->codes[i]));
	return list;
}

struct nations conversation_nations(struct conversation *c, const struct query *q)
{
	struct nations list = places_nations(c, q);
	const struct spot *ends[] = { &q->from, &q->to };
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends[i]->country != NULL)
			nations_add(&list, ends[i]->country->code);
	if (list.n == 0 && q->country != NULL)
		nations_add(&list, q->country->code);
	return list;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static struct ruling *judge(struct conversation *c, size_t i);

/* Does it look for airports, or go on doing so? Thanks and the like are neither. */
static bool of_airports(struct conversation *c, size_t i)
{
	const struct turn *t = &c->turn[i];
	return t->both || (judge(c, i) == NULL && !intent_of(t->query)->aside);
}

/* Read back to the last question about rules and the countries last spoken of. */
static void ground_of(struct conversation *c, size_t i, struct ruling_ground *g,
    struct nations *around)
{
	g->follows = true;
	for (size_t k = i + 1; k < c->n && (g->before == NULL || around->n == 0); k++) {
		const struct ruling *r = judge(c, k);
		if (r != NULL && g->before == NULL)
			g->before = r;
		else if (r == NULL && g->before == NULL && of_airports(c, k))
			g->follows = false;
		if (around->n > 0)
			continue;
		if (r != NULL)
			nations_add_all(around, &r->nations);
		else if (of_airports(c, k))
			*around = conversation_nations(c, c->turn[k].query);
	}
}

/* Its question about rules; read only as far back as it takes. */
static struct ruling *judge(struct conversation *c, size_t i)
{
	struct turn *t = &c->turn[i];
	if (t->judged)
		return t->ruling;
	t->judged = true;
	read_turn(c, i);
	if (t->about == ABOUT_OTHER)
		return NULL;
	struct nations around = { .n = 0 }, own = { .n = 0 };
	struct ruling_ground g = { .set = c->set, .own = &own, .around = &around };
	ground_of(c, i, &g, &around);
	bool asked = g.before != NULL && g.follows && !ruling_complete(g.before);
	if (t->about == ABOUT_RULES || asked)
		own = places_nations(c, t->query);
	t->ruling = ruling_of(c->mem, t->speech, t->about, &g);
	return t->ruling;
}

struct ruling *conversation_ruling(struct conversation *c)
{
	return c->n > 0 ? judge(c, 0) : NULL;
}

/* ---- airports -------------------------------------------------------------------------------- */

struct query *conversation_query(struct conversation *c)
{
	struct turn *turns = c->turn;
	struct query *state = NULL;
	size_t oldest = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct ruling *r = judge(c, i);
		read_turn(c, i);
		if (!turns[i].both)
			turns[i].query->ruling = r;
		oldest = i;
		/* An aside ends nothing; a look at one airport may be followed by "and the others?". */
		bool aside = intent_of(turns[i].query)->aside;
		bool passing = aside || turns[i].query->subject.text != NULL;
		bool leans = turns[i].query->ruling == NULL && query_leans(turns[i].query);
		if (!leans && (i == 0 || !passing))
			break;
	}
	struct listing list = { .query = NULL };
	for (size_t i = oldest + 1; i-- > 0;) {
		struct query *q = turns[i].query;
		/* "tell me about the second", "and the first?": both count in the same list */
		bool rules = i + 1 < c->n && turns[i + 1].ruling != NULL && !turns[i + 1].both;
		bool numbered = !rules && listing_numbered(c->mem, turns[i].answer);
		/* … and a word in between, "which one do you mean?", is no list */
		if (state != NULL && state->subject.text == NULL && !rules &&
		    (numbered || !list.numbered))
			list = (struct listing){ state, turns[i].answer, numbered };
		bool leans = q->ruling == NULL && query_leans(q);
		if (intent_of(q)->aside && !(leans && state != NULL)) {
			if (i == 0)
				return q;
			continue;
		}
		if (leans && state != NULL) {
			state = query_follow(c->mem, c->con, state, q, &list);
			continue;
		}
		if (state != NULL && q->subject.text != NULL)
			q->search = state->subject.text == NULL ? state : state->search;
		state = q;
	}
	return state != NULL ? state : turns[0].query;
}
