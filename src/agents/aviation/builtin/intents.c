/*
 * The rows are in order from the most particular to the most general. Questions about rules are
 * known before (rules_request.h), so their rows only tell their kinds apart. An emergency comes before
 * everything. Requests that cannot be served come first ("ignore your instructions", the weather),
 * unless they are part of a whole airport question. Then come routes before points, points before
 * countries, countries before names.
 */
#include "agents/aviation/builtin/intents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/rules_request.h"
#include "airports/day.h"
#include "base/jsn.h"
#include "base/str.h"

/* ---- what fits -------------------------------------------------------------- */

static bool has(const struct query *q, unsigned cues)
{
	return (q->cues & cues) != 0;
}

static bool is_coords(const struct query *q)
{
	return q->lack == LACK_COORDS;
}

static bool is_pick(const struct query *q)
{
	return q->lack == LACK_PICK || q->lack == LACK_WHICH;
}

static bool is_senseless(const struct query *q)
{
	return q->lack == LACK_SENSE;
}

static bool is_details(const struct query *q);

static bool is_fuel(const struct query *q)
{
	/* the recorded text on fuel of one airport may name it */
	return q->lack == LACK_FUEL && !is_details(q);
}

static bool is_route(const struct query *q)
{
	return q->from.text != NULL && q->to.text != NULL;
}

/* A whole question about airports somewhere. */
static bool airport_question(const struct query *q)
{
	return (q->noun || has(q, CUE_WHERE)) && (is_route(q) || q->near.text != NULL);
}

/* "Mayday" always; "emergency" beside the name of an airport or a search is a part of a question. */
static bool is_emergency(const struct query *q)
{
	if (q->rules != NULL && rules_request_complete(q->rules))
		return false;
	return has(q, CUE_MAYDAY) || (has(q, CUE_URGENT) && q->rules == NULL && !airport_question(q) &&
	    !q->noun && q->subject.text == NULL && !has(q, CUE_ASPECT));
}

static bool is_inject(const struct query *q)
{
	return has(q, CUE_INJECT) && q->rules == NULL && !airport_question(q);
}

static bool rules_request_is(const struct query *q, enum rules_request_kind kind)
{
	return q->rules != NULL && q->rules->kind == kind;
}

static bool is_compare(const struct query *q)
{
	return rules_request_is(q, RULES_REQUEST_COMPARE) && !q->rules->rest;
}

static bool is_browse(const struct query *q)
{
	return rules_request_is(q, RULES_REQUEST_BROWSE);
}

static bool is_answer(const struct query *q)
{
	return rules_request_is(q, RULES_REQUEST_ANSWER);
}

/* The question is about the rule base itself, or there is no rule base, or a country is missing, or
 * all rules were shown already: the answer is a text, without a tool. */
static bool is_rules_words(const struct query *q)
{
	return q->rules != NULL && (q->rules->set == NULL || !rules_request_complete(q->rules) ||
	    q->rules->rest || rules_request_is(q, RULES_REQUEST_COUNTRIES) || rules_request_is(q, RULES_REQUEST_SUBJECTS));
}

static bool is_rules(const struct query *q)
{
	return q->rules != NULL;
}

static bool is_notify(const struct query *q)
{
	return has(q, CUE_NOTIFY) && !airport_question(q) && !is_pick(q);
}

static bool is_notify_nowhere(const struct query *q)
{
	return is_notify(q) && q->subject.text == NULL && q->near.text == NULL && q->to.text == NULL;
}

/* Notice on a day or at a time that does not exist: "30 February", "25:00". */
static bool is_notify_no_day(const struct query *q)
{
	struct day day;
	return is_notify(q) && q->day != NULL && day_parse(q->day, day_today(), &day, NULL) != OK;
}

static bool is_notify_no_time(const struct query *q)
{
	int hour, minute;
	return is_notify(q) && q->clock != NULL && sscanf(q->clock, "%2d:%2d", &hour, &minute) == 2 &&
	    (hour > 23 || minute > 59);
}

static bool is_weather(const struct query *q)
{
	return has(q, CUE_WEATHER) && !airport_question(q) && !(q->noun && q->country != NULL);
}

static bool is_notam(const struct query *q)
{
	return has(q, CUE_NOTAM) && !airport_question(q);
}

static bool is_file(const struct query *q)
{
	return has(q, CUE_FILE) && !airport_question(q);
}

static bool is_other(const struct query *q)
{
	return has(q, CUE_OTHER) && !airport_question(q);
}

static bool is_here(const struct query *q)
{
	return has(q, CUE_HERE) && !is_route(q) && q->near.text == NULL;
}

/* Is it about airports at all? "What time is it in London?" is not. */
static bool about_airports(const struct query *q)
{
	return q->noun || query_wants(q) || !isnan(q->distance_nm) || !isnan(q->results) ||
	    has(q, CUE_SHOW | CUE_WHERE | CUE_ASPECT | CUE_TELL | CUE_FOLLOW | CUE_MORE | CUE_LOOKUP) ||
	    !(has(q, CUE_ASK) || q->strange);
}

static bool is_near(const struct query *q)
{
	return q->near.text != NULL && (!q->vague || about_airports(q));
}

/* A place alone is either one airport, the centre of a search, or a name to look up. */
static bool is_details(const struct query *q)
{
	if (q->subject.text == NULL || q->subject.point || has(q, CUE_CODE))
		return false;
	if (has(q, CUE_TELL | CUE_ASPECT) ||
	    (has(q, CUE_ASK) && !q->noun && (query_wants(q) || !q->strange)))
		return true;
	return q->subject.code && !q->noun && isnan(q->distance_nm) && q->large < 0;
}

/* The sun of a day that does not exist: "30 February". */
static bool is_no_day(const struct query *q)
{
	struct day day;
	return q->day != NULL && is_details(q) && day_parse(q->day, day_today(), &day, NULL) != OK;
}

/* "What is the longest runway at Lyon?" asks about one airport. */
static bool is_rank(const struct query *q)
{
	return q->lack == LACK_RANK && !is_details(q);
}

static bool is_lookup(const struct query *q)
{
	return q->subject.text != NULL && (has(q, CUE_LOOKUP | CUE_CODE) ||
	    (has(q, CUE_SHOW) && !has(q, CUE_WHERE) && !q->noun && !query_wants(q)));
}

static bool is_around(const struct query *q)
{
	return q->subject.text != NULL && (q->subject.code || q->subject.point || about_airports(q));
}

static bool is_codes(const struct query *q)
{
	return q->ncodes > 0;
}

static bool is_country(const struct query *q)
{
	return q->country != NULL && about_airports(q);
}

/* "How many airports are there in France?", "statistics" of all. Conditions make it a search. */
static bool is_statistics(const struct query *q)
{
	return has(q, CUE_COUNT) && q->near.text == NULL && q->subject.text == NULL &&
	    q->from.text == NULL && q->to.text == NULL && q->ncodes == 0 &&
	    q->want[WISH_MIN].state != WANT_SET && q->want[WISH_MAX].state != WANT_SET;
}

/* "Border crossing airports in France": customs is the only condition. */
static bool is_entries(const struct query *q)
{
	for (int w = 0; w < WISH__MAX; w++)
		if (w != WISH_CUSTOMS && q->want[w].state == WANT_SET)
			return false;
	return q->want[WISH_CUSTOMS].state == WANT_SET && q->want[WISH_CUSTOMS].on && is_country(q);
}

static bool is_half_route(const struct query *q)
{
	return q->from.text != NULL || q->to.text != NULL;
}

static bool is_unplaced(const struct query *q)
{
	return query_wants(q) || q->noun || !isnan(q->distance_nm) || q->along;
}

static bool is_thanks(const struct query *q)
{
	return has(q, CUE_THANKS);
}

static bool is_who(const struct query *q)
{
	return has(q, CUE_WHO);
}

static bool is_hello(const struct query *q)
{
	return has(q, CUE_HELLO);
}

static bool is_anything(const struct query *q)
{
	(void)q;
	return true;
}

/* ---- the rows --------------------------------------------------------------- */

static const struct intent intents[] = {
	{ "emergency", RESULT_OTHER, is_emergency, NULL, REPLY_EMERGENCY, true, false },
	{ "inject", RESULT_OTHER, is_inject, NULL, REPLY_INJECT, true, false },
	{ "rules, in words", RESULT_OTHER, is_rules_words, NULL, REPLY_RULES, true, false },
	{ "compare", RESULT_RULES_COMPARISON, is_compare, fill_compare, REPLY_RULES_OFF, true, false },
	{ "browse", RESULT_RULES_PAGE, is_browse, fill_browse, REPLY_RULES_OFF, true, false },
	{ "answer", RESULT_RULES_ANSWER, is_answer, fill_answer, REPLY_RULES_OFF, true, false },
	{ "rules, not here", RESULT_OTHER, is_rules, NULL, REPLY_RULES_OFF, true, false },
	{ "notice, no such day", RESULT_OTHER, is_notify_no_day, NULL, REPLY_NO_DAY, false, false },
	{ "notice, no such time", RESULT_OTHER, is_notify_no_time, NULL, REPLY_NO_TIME, false, false },
	{ "notice, nowhere", RESULT_OTHER, is_notify_nowhere, NULL, REPLY_NOTIFY_WHERE, false, false },
	{ "notify", RESULT_NOTICE, is_notify, fill_notify, REPLY_NOTIFY, false, false },
	{ "weather", RESULT_OTHER, is_weather, NULL, REPLY_WEATHER, true, true },
	{ "notam", RESULT_OTHER, is_notam, NULL, REPLY_NOTAM, true, true },
	{ "file", RESULT_OTHER, is_file, NULL, REPLY_FILE, true, true },
	{ "other", RESULT_OTHER, is_other, NULL, REPLY_NOTHING, true, true },
	{ "coordinates", RESULT_OTHER, is_coords, NULL, REPLY_COORDS, true, true },
	{ "pick", RESULT_OTHER, is_pick, NULL, REPLY_PICK, false, false },
	{ "senseless", RESULT_OTHER, is_senseless, NULL, REPLY_SENSE, false, false },
	{ "fuel", RESULT_OTHER, is_fuel, NULL, REPLY_FUEL, false, false },
	{ "rank", RESULT_OTHER, is_rank, NULL, REPLY_RANK, false, false },
	{ "here", RESULT_OTHER, is_here, NULL, REPLY_HERE, false, false },
	{ "statistics", RESULT_AIRPORT_STATISTICS, is_statistics, fill_counted, REPLY_NO_TOOL, false, false },
	{ "route", RESULT_AIRPORTS_ROUTE, is_route, fill_route, REPLY_NO_TOOL, false, false },
	{ "near", RESULT_AIRPORTS_NEAR, is_near, fill_near, REPLY_NO_TOOL, false, false },
	{ "no such day", RESULT_OTHER, is_no_day, NULL, REPLY_NO_DAY, false, false },
	{ "details", RESULT_AIRPORT, is_details, fill_details, REPLY_NO_TOOL, false, false },
	{ "lookup", RESULT_AIRPORTS_FOUND, is_lookup, fill_lookup, REPLY_NO_TOOL, false, false },
	{ "around", RESULT_AIRPORTS_NEAR, is_around, fill_near, REPLY_NO_TOOL, false, false },
	{ "codes", RESULT_AIRPORTS_FOUND, is_codes, fill_codes, REPLY_NO_TOOL, false, false },
	{ "points of entry", RESULT_POINTS_OF_ENTRY, is_entries, fill_counted, REPLY_NO_TOOL, false, false },
	{ "country", RESULT_AIRPORTS_FOUND, is_country, fill_country, REPLY_NO_TOOL, false, false },
	{ "half route", RESULT_OTHER, is_half_route, NULL, REPLY_HALF_ROUTE, false, false },
	{ "unplaced", RESULT_OTHER, is_unplaced, NULL, REPLY_UNPLACED, false, true },
	{ "who", RESULT_OTHER, is_who, NULL, REPLY_WHO, true, false },
	{ "thanks", RESULT_OTHER, is_thanks, NULL, REPLY_THANKS, true, false },
	{ "hello", RESULT_OTHER, is_hello, NULL, REPLY_HELLO, true, false },
	{ "nothing", RESULT_OTHER, is_anything, NULL, REPLY_NOTHING, true, true },
};

const struct intent *intent_of(const struct query *q)
{
	size_t i = 0;
	while (!intents[i].fits(q))
		i++;
	return &intents[i];
}

/* The first row that fits and may be used, with its tool. *lost: a row was skipped because its
 * tools are not offered. */
static const struct intent *intent_offered(const struct query *q, const struct tool_context *ctx,
    const struct tool **tool, bool *lost)
{
	for (const struct intent *in = intents;; in++) {
		if (!in->fits(q))
			continue;
		*tool = in->result == RESULT_OTHER ? NULL : toolset_giving(ctx->offered, in->result);
		if (*tool != NULL || in->result == RESULT_OTHER ||
		    toolset_giving(ctx->table, in->result) == NULL)
			return in;
		*lost = true;
	}
}

static const char *joined(struct arena *a, const char *list, const char *more)
{
	return list == NULL ? more : more == NULL ? list : arena_printf(a, "%s, %s", list, more);
}

/* What the message says and the plan does not use, so that the answer can name it. */
static void tell_left_out(struct arena *a, const struct query *q, const struct intent *in, struct plan *out)
{
	const double used = jsn_get_num(out->arguments, "max_distance_nm", NAN);
	const bool searched = in->result == RESULT_AIRPORTS_ROUTE || in->result == RESULT_AIRPORTS_NEAR ||
	    in->result == RESULT_AIRPORTS_FOUND;
	const double asked = !isnan(q->other_nm) && q->other_nm != used ? q->other_nm : q->distance_nm;

	out->unused = q->unused;
	if (in->result == RESULT_AIRPORT)
		out->unused = joined(a, q->clock, q->unused);
	/* customs and notice go by the day */
	if (searched && (!isnan(q->notice_h) || q->want[WISH_CUSTOMS].state == WANT_SET))
		out->unused = joined(a, joined(a, q->unused, q->days), q->clock);
	if (searched && in->result != RESULT_AIRPORTS_FOUND && !isnan(asked) && !(fabs(asked - used) < 0.05)) {
		char text[32];
		num_print(text, asked);
		out->distance = arena_strdup(a, text);
	}
	if (q->want[WISH_AIRCRAFT].state == WANT_SET)
		out->mass = q->want[WISH_AIRCRAFT].text;
}

/* ---- replies ------------------------------------------------------------------ */

static enum reply in_words(const struct rules_request *r)
{
	if (r->set == NULL)
		return REPLY_RULES_NONE;
	if (r->kind == RULES_REQUEST_COUNTRIES)
		return REPLY_RULES_COUNTRIES;
	if (r->kind == RULES_REQUEST_SUBJECTS)
		return REPLY_RULES_SUBJECTS;
	if (r->kind != RULES_REQUEST_COMPARE)
		return REPLY_RULES;
	if (r->rest && rules_request_complete(r))
		return REPLY_RULES_REST;
	return r->countries.n == 1 ? REPLY_RULES_COMPARE_WITH : REPLY_RULES_COMPARE;
}

/* Some intents have one reply for several cases. This chooses the one that fits the case. */
static enum reply exactly(const struct query *q, enum reply reply)
{
	if (reply == REPLY_RULES)
		return in_words(q->rules);
	if (reply == REPLY_RULES_OFF && q->rules->kind == RULES_REQUEST_COMPARE)
		return REPLY_COMPARE_OFF;
	if (reply == REPLY_NOTHING && q->empty)
		return REPLY_EMPTY;
	if (reply == REPLY_PICK && q->lack == LACK_WHICH)
		return REPLY_PICK_WHICH;
	if (reply == REPLY_HALF_ROUTE && q->from.text == NULL)
		return REPLY_HALF_ROUTE_TO;
	return reply;
}

static const char *replied(struct arena *a, const struct query *q, enum reply reply)
{
	const struct rules_request *r = q->rules;
	const struct place_mention *s = q->subject.text != NULL ? &q->subject : &q->near;
	const struct reply_facts facts = {
		.place = q->subject.text, .from = q->from.text, .to = q->to.text, .near = q->near.text,
		.vague = q->vague && !q->near.known, .country = q->country, .day = q->day,
		.unknown_code = s->missing ? s->text : NULL,
		.set = r != NULL && r->set != NULL ? r->set : q->set,
		.asked = { r != NULL && r->countries.n > 0 ? r->countries.code[0] : NULL,
		    r != NULL && r->countries.n > 1 ? r->countries.code[1] : NULL },
		.topic = r != NULL && r->ntags > 0 ? r->tags[0] : NULL, .wording = q->wording,
	};
	return reply_of(a, &facts, exactly(q, reply));
}

bool intent_plan(struct arena *a, struct aircon *con, const struct tool_context *ctx,
    const struct query *q, struct plan *out)
{
	bool lost = false;
	*out = (struct plan){ .answer_style = "narrative_markdown", .arguments = jsn_object(a) };
	const struct intent *in = intent_offered(q, ctx, &out->tool, &lost);
	if (out->tool != NULL)
		in->fill(a, con, q, out->tool, out->arguments);
	/* A tool that was added later may need more than was said ("notice at …?": at which
	 * airport?). */
	if (out->tool != NULL && tool_check(out->tool, out->arguments, NULL) == OK) {
		tell_left_out(a, q, in, out);
		return true;
	}
	out->tool = NULL;
	out->open = in->open;
	out->reply = replied(a, q, lost && q->rules == NULL ? REPLY_NO_TOOL : in->reply);
	return !lost && in->fits != is_anything;
}
