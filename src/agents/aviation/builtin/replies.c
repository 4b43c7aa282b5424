/*
 * A reply first names the limit and then offers something concrete. If the message named a place,
 * the examples use it, so that the pilot can continue at once. Text from the message is quoted only
 * if it is a short name, and its Markdown is taken out.
 */
#include "agents/aviation/builtin/replies.h"

#include <string.h>

#include "agents/aviation/builtin/rules_request.h"
#include "airports/countries.h"
#include "base/str.h"

enum { QUOTED = 60 };

/* A name from the message, made harmless for Markdown; NULL if it should not be quoted. */
static const char *quoted(struct arena *a, const struct place_mention *s)
{
	if (s->text == NULL || strlen(s->text) > QUOTED)
		return NULL;
	char *text = arena_strdup(a, s->text);
	for (char *p = text; *p != '\0'; p++)
		if (strchr("*_`[]<>#|\\\n\r", *p) != NULL)
			*p = ' ';
	return text;
}

static const char *place_of(struct arena *a, const struct query *q)
{
	const struct place_mention *spots[] = { &q->subject, &q->near, &q->to, &q->from };
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		const char *text = quoted(a, spots[i]);
		if (text != NULL)
			return text;
	}
	return NULL;
}

static const char *country_name(const char *code)
{
	const struct country *c = country_by_code(code);
	return c != NULL ? c->name : code;
}

/* What can be asked about rules, with an example of the first country that has some. */
static const char *offer_rules(struct arena *a, const struct query *q)
{
	if (q->set == NULL || q->set->base->ncountries == 0)
		return "";
	return arena_printf(a, "\n- “Do I need a flight plan for VFR in %s?”",
	    country_name(q->set->base->countries[0].code));
}

/* The limit, what is possible, some examples. */
static const char *offer(struct arena *a, const struct query *q, const char *limit)
{
	const char *place = place_of(a, q);
	return arena_printf(a,
	    "%s\n\nWhat I can do is find airports along a route, near a place or in a country, filter "
	    "them by fuel, customs, runway, instrument procedures, fees or food, %slook up one "
	    "airport%s. For example:\n\n"
	    "- “Airports near %s with AVGAS”\n"
	    "- “Airports with customs between %s and %s”%s",
	    limit, q->set != NULL ? "" : "and ",
	    q->set != NULL ? ", and answer questions about the rules of flying in a country or compare "
	        "countries" : "",
	    place != NULL ? place : "Lyon",
	    place != NULL && q->from.text != NULL ? place : "EGTF", "LFMD", offer_rules(a, q));
}

const char *reply_inject(struct arena *a, const struct query *q)
{
	return offer(a, q, q->set != NULL
	    ? "I only answer questions about airports and the rules of flying, so I leave that aside."
	    : "I only answer questions about airports, so I leave that aside.");
}

/* ---- rules ------------------------------------------------------------------------- */

/* "Belgium, France and Norway" */
static const char *countries_said(struct arena *a, const struct rules_snapshot *set)
{
	const char *text = "";
	size_t n = set->base->ncountries;
	for (size_t i = 0; i < n; i++)
		text = arena_printf(a, "%s%s%s", text, i == 0 ? "" : i + 1 < n ? ", " : " and ",
		    country_name(set->base->countries[i].code));
	return text;
}

/* "air traffic service" */
static const char *tag_said(struct arena *a, const char *tag)
{
	char *text = arena_strdup(a, tag);
	for (char *p = text; *p != '\0'; p++)
		*p = strchr("_*`[]<>#|\\\n\r", *p) != NULL ? ' ' : *p;
	return text;
}

/* "air traffic service, airfield and join" */
static const char *subjects_said(struct arena *a, const struct rules_snapshot *set)
{
	const char *text = "";
	size_t n = set->base->ntags;
	for (size_t i = 0; i < n; i++) {
		text = arena_printf(a, "%s%s%s", text, i == 0 ? "" : i + 1 < n ? ", " : " and ",
		    tag_said(a, set->base->tags[i]));
	}
	return text;
}

static const char *one_country(const struct rules_snapshot *set, size_t i)
{
	return set->base->ncountries > i ? country_name(set->base->countries[i].code) : "France";
}

static const char *ask_countries(struct arena *a, const struct rules_request *r)
{
	const char *first = one_country(r->set, 0), *second = one_country(r->set, 1);
	if (r->countries.n == 1)
		return arena_printf(a, "With which country shall I compare %s? I have rules for %s. For "
		    "example:\n\n- “with %s”", country_name(r->countries.code[0]),
		    countries_said(a, r->set),
		    streq(r->countries.code[0], r->set->base->countries[0].code) ? second : first);
	return arena_printf(a, "Which countries shall I compare? I have rules for %s. For "
	    "example:\n\n- “%s and %s”", countries_said(a, r->set), first, second);
}

/* "more", of a comparison. */
static const char *no_rest(struct arena *a, const struct rules_request *r)
{
	const char *first = country_name(r->countries.code[0]), *topic = "airspace";
	for (size_t i = 0; i < r->set->base->ntags; i++)
		if (r->ntags == 0 || !streq(r->set->base->tags[i], r->tags[0])) {
			topic = tag_said(a, r->set->base->tags[i]);
			break;
		}
	return arena_printf(a, "A comparison shows the questions whose answers differ most, and has no "
	    "further page. For others name a topic, or read the rules of one country. For "
	    "example:\n\n- “Compare %s and %s on %s”\n- “List the rules of %s”", first,
	    country_name(r->countries.code[1]), topic, first);
}

const char *reply_rules(struct arena *a, const struct query *q)
{
	const struct rules_request *r = q->rules;
	if (r->set == NULL)
		return offer(a, q, "I have no rule base here, so I cannot answer questions about "
		    "regulations. Please check the AIP of the country.");
	switch (r->kind) {
	case RULES_REQUEST_COUNTRIES:
		return arena_printf(a, "I have rules for %s. For example:\n\n- “Do I need a flight plan "
		    "for VFR in %s?”\n- “Compare %s and %s”", countries_said(a, r->set),
		    one_country(r->set, 0), one_country(r->set, 0), one_country(r->set, 1));
	case RULES_REQUEST_SUBJECTS:
		return arena_printf(a, "The rules are about these topics: %s. For example:\n\n- “List the "
		    "rules about %s in %s”", subjects_said(a, r->set),
		    r->set->base->ntags > 0 ? tag_said(a, r->set->base->tags[0]) : "airspace",
		    one_country(r->set, 0));
	case RULES_REQUEST_COMPARE:
		return r->rest && rules_request_complete(r) ? no_rest(a, r) : ask_countries(a, r);
	case RULES_REQUEST_ANSWER:
	case RULES_REQUEST_BROWSE:
		break;
	}
	return arena_printf(a, "Which country do you mean? Rules differ from one to the next, and I keep "
	    "your question in mind. I have rules for %s. For example:\n\n- “in %s”",
	    countries_said(a, r->set), one_country(r->set, 0));
}

const char *reply_rules_off(struct arena *a, const struct query *q)
{
	return offer(a, q, q->rules->kind == RULES_REQUEST_COMPARE
	    ? "Comparing the rules of countries is switched off here. Please ask about one country "
	      "at a time, or check their AIPs."
	    : "Questions about rules cannot be answered here. Please check the AIP of the country.");
}

const char *reply_notify(struct arena *a, const struct query *q)
{
	return offer(a, q, "I have no data on notification periods here. Please check the "
	    "airport's AIP entry or call ahead.");
}

const char *reply_weather(struct arena *a, const struct query *q)
{
	return offer(a, q, "I have no weather data. For METAR, TAF and forecasts please use an "
	    "official briefing service.");
}

const char *reply_notam(struct arena *a, const struct query *q)
{
	return offer(a, q, "I have no NOTAMs. Please get them from an official briefing service.");
}

const char *reply_file(struct arena *a, const struct query *q)
{
	return offer(a, q, q->set != NULL
	    ? "I cannot file, send or book anything: I only look up airports and rules."
	    : "I cannot file, send or book anything: I only look up airports.");
}

const char *reply_here(struct arena *a, const struct query *q)
{
	return offer(a, q, "I do not know where you are. Please name a place, an airport code or "
	    "coordinates.");
}

const char *reply_coords(struct arena *a, const struct query *q)
{
	(void)q;
	return arena_strdup(a,
	    "These coordinates are not valid: the latitude goes from -90 to 90 degrees, the longitude "
	    "from -180 to 180. For example:\n\n"
	    "- “Airports near 48.35, 11.79”\n"
	    "- “Airports near N48 E011”");
}

const char *reply_sense(struct arena *a, const struct query *q)
{
	(void)q;
	return arena_strdup(a, "I did not understand what to change about the last search. You can narrow "
	    "it, move it, or pick one of its airports. For example:\n\n- “only with a hard runway”\n"
	    "- “within 30 nm”\n- “the first one”");
}

const char *reply_pick(struct arena *a, const struct query *q)
{
	return arena_strdup(a, q->lack == LACK_WHICH
	    ? "Which of the airports do you mean? Give me its code or its number in the list. For "
	      "example:\n\n- “the first one”\n- “Tell me about LFMD”"
	    : "My last list has no airport with that number. Pick another one, or name a code. For "
	      "example:\n\n- “the first one”\n- “Tell me about LFMD”");
}

/* "in Austria", "near Lyon", "between EGTF and LFMD": where the message, or the conversation before
 * it, looked for airports. */
static const char *where_of(struct arena *a, const struct query *q)
{
	const char *from = quoted(a, &q->from), *to = quoted(a, &q->to);
	const char *near = quoted(a, q->near.text != NULL ? &q->near : &q->subject);
	if (from != NULL && to != NULL)
		return arena_printf(a, "between %s and %s", from, to);
	/* "in Europe": a word after "in" that is not a known place */
	if (near != NULL && !(q->vague && !q->near.known))
		return arena_printf(a, "near %s", near);
	if (q->country != NULL)
		return arena_printf(a, "in %s", q->country->name);
	return "near Lyon";
}

const char *reply_rank(struct arena *a, const struct query *q)
{
	const char *where = where_of(a, q);
	return arena_printf(a,
	    "I cannot rank airports by runway length, size or elevation, nor choose them by elevation. I "
	    "can ask for a minimum runway length, and every airport I list comes with its longest "
	    "runway. For example:\n\n"
	    "- “Airports %s with a runway of at least 2500 m”\n"
	    "- “Airports %s including the large ones”",
	    where, where);
}

const char *reply_fuel(struct arena *a, const struct query *q)
{
	const char *where = where_of(a, q);
	return arena_printf(a,
	    "Of fuels only AVGAS and Jet A are recorded here, nothing about mogas or other unleaded "
	    "fuel. For example:\n\n"
	    "- “Airports %s with AVGAS”\n"
	    "- “Airports %s with Jet A”",
	    where, where);
}

const char *reply_half_route(struct arena *a, const struct query *q)
{
	bool start = q->from.text != NULL;
	const char *place = quoted(a, start ? &q->from : &q->to);
	return arena_printf(a,
	    "%s For a route I need both ends: codes, towns or coordinates will do. For example:\n\n"
	    "- “%s %s”\n"
	    "- “Airports near %s”",
	    start ? "Where do you want to fly to?" : "Where do you start?",
	    start ? "to" : "from", start ? "LFMD" : "EGTF", place != NULL ? place : "Lyon");
}

const char *reply_unplaced(struct arena *a, const struct query *q)
{
	(void)a;
	(void)q;
	return "Where should I look? Give me a route, a place or a country, and I keep the rest of "
	       "your question in mind. For example:\n\n"
	       "- “between EGTF and LFMD”\n"
	       "- “near Lyon”";
}

const char *reply_who(struct arena *a, const struct query *q)
{
	return offer(a, q, q->set != NULL
	    ? "I am an assistant for pilots who looks things up in an airport database and in the "
	      "rules of countries. I have no weather, no NOTAMs, and I file nothing."
	    : "I am an assistant for pilots who looks things up in an airport database. I have no "
	      "weather, no NOTAMs, and I file nothing.");
}

const char *reply_thanks(struct arena *a, const struct query *q)
{
	(void)a;
	(void)q;
	return "You are welcome. If you want to go on, try for example:\n\n"
	       "- “only with a hard runway”\n"
	       "- “Tell me about LFMD”";
}

const char *reply_hello(struct arena *a, const struct query *q)
{
	return offer(a, q, q->set != NULL
	    ? "Hello! I look up airports and the rules of flying for pilots."
	    : "Hello! I look up airports for pilots.");
}

const char *reply_nothing(struct arena *a, const struct query *q)
{
	return offer(a, q, q->empty ? "There was no question in your message."
	    : q->set != NULL ? "I did not find a question about airports or rules in your message."
	    : "I did not find a question about airports in your message.");
}

const char *reply_no_tool(struct arena *a, const struct query *q)
{
	return offer(a, q, "I understood the question, but the search it needs is not available "
	    "here.");
}
