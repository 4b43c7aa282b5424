/*
 * Planning by function calls: each tool is a function, and one call of the reply is one look-up. A
 * model that takes no functions, or that answers with words, is asked for one plan as text.
 *
 * Plans cost at most two questions, whatever fails: the model refuses functions, its reply has no
 * plan, or a plan cannot be used. What cannot be used goes back to the model with the reason: calls
 * as calls, each answered, other replies as text. If that does not help, the pilot reads the same
 * reason, so it is a sentence that both understand. If a model's reply is empty, the fallback model
 * is asked instead, when one is set.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "agents/aviation/agent.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum {
	REJECTED_MAX = 4000,      /* of a rejected reply that goes back to the model */
	QUESTIONS = 2,            /* for one reply; failures of the connection are llm.h's business */
	CALLS_MAX = 16,           /* of a reply that are looked at */
};

static const char choose_call[] =
    "Now call the function for my last message before this one, with all that the conversation says. "
    "Call another one as well only if my message also asks for something else to look up. If none "
    "serves, call `" MODEL_NO_TOOL "`.";
static const char choose_plan[] =
    "Now choose the tool for my last message before this one. Exactly one, from the catalogue; do not "
    "make one up. Fill `arguments` in completely, with what the conversation says, and put every "
    "condition that I named into `arguments.filters`.";
static const char as_text[] =
    "Answer with that plan and nothing else: one JSON object with the members `selected_tool`, "
    "`arguments` and `answer_style`, filled in; not the schema.";

/* What a question is about, of those that ask for a turn's plans. */
enum part { WHOLE, BOTH, AIRPORTS, RULES };
static const char *const part_texts[] = {
	[WHOLE] = "",
	[BOTH] = " My message asks for look-ups among airports and in the rules: call a function for "
	    "each.",
	[AIRPORTS] = " My message asks for two look-ups. Plan the one among airports; the one in the "
	    "rules is planned separately.",
	[RULES] = " My message asks for two look-ups. Plan the one in the rules, with the part of my "
	    "message that is about them; the one among airports is planned separately.",
};

/* Plans being asked for. */
struct asking {
	struct run *run;
	struct arena *mem;        /* of the asking alone */
	const struct model *m;
	const struct tool_context *tools;
	enum part part;
	bool text;                /* the model takes no functions: as text */
	bool spare;               /* the configured model said nothing: the fallback model is asked */
	bool words;               /* a model has said something */
	/* the usable calls of a rejected reply; the call that was at fault comes last */
	struct plans good;

	/* the reply before, and why it was rejected; both NULL: first round */
	const char *rejected;                          /* as text */
	const struct llm_tool_call *calls;             /* as calls */
	const char *faults[CALLS_MAX];                 /* one for each; NULL: nothing is wrong with it */
	size_t ncalls;
	struct err why;
};

/* -- composing -- */

static const char *again(const struct asking *q, const char *why)
{
	struct buf names;

	buf_init(&names, 4096);
	for (size_t i = 0; i < q->tools->offered.n; i++)
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", q->tools->offered.tools[i]->name);
	const char *text = arena_printf(q->mem,
	    "This plan cannot be used. %s\nThe tools are: %s; " MODEL_NO_TOOL " if none of them serves. "
	    "Conditions on airports belong into `filters`, everything else beside it, under the names that "
	    "the tool gives. %s", why, names.p, !q->text ? "Make all calls again, corrected."
	    : arena_printf(q->mem, "Make the plan again, corrected. %s", as_text));
	buf_release(&names);
	return text;
}

static void say_rejected(const struct asking *q, struct model_talk *t)
{
	if (q->rejected != NULL) {
		model_say(t, "assistant", q->rejected);
		model_say(t, "user", again(q, q->why.msg));
	}
	if (q->calls == NULL)
		return;
	t->messages[t->n++] = (struct llm_message){ .role = "assistant", .content = "",
		.calls = q->calls, .ncalls = q->ncalls };
	for (size_t i = 0; i < q->ncalls; i++)
		t->messages[t->n++] = (struct llm_message){ .role = "tool", .call_id = q->calls[i].id,
			.content = q->faults[i] != NULL ? again(q, q->faults[i])
			    : "Nothing is wrong with this call: make it again with the others." };
}

/* What the router found out, and the tags that rules have now. */
static const char *hints(const struct asking *q)
{
	const struct routing *r = &state_of(q->run)->routing;
	const char *tags = model_names_tags(q->m) ? "" : model_tags(q->mem, q->tools);
	const char *text = part_texts[q->part == BOTH && q->text ? AIRPORTS : q->part];

	for (size_t i = 0; i < r->ncountries; i++)
		text = arena_printf(q->mem, "%s%s%s%s", text,
		    i > 0 ? ", " : " Countries it is about: ", r->countries[i],
		    i + 1 < r->ncountries ? "" : ".");
	return *tags == '\0' ? text : arena_printf(q->mem, "%s Tags of the rules: %s.", text, tags);
}

/* The tools as functions; or as text, with examples in the form of the answer. */
static void compose(const struct asking *q, struct model_talk *t, const struct model_opening *o)
{
	const struct model *m = q->m;

	t->messages[t->n++] = (struct llm_message){ .role = "system", .content = o->system,
		.quoted = o->quoted };
	for (size_t i = 0; o->text && i < m->nexamples; i++) {
		if (m->examples[i].tool != NULL && !tool_offered(q->tools, m->examples[i].tool))
			continue;
		model_say(t, "user", m->examples[i].question);
		model_say(t, "assistant", m->examples[i].answer);
	}
	model_say_history(t, q->mem, q->run, m->history_tokens);
	model_say(t, "user", o->text ? arena_printf(q->mem, "%s%s\n%s\n%s", choose_plan, hints(q),
	    as_text, model_plan_format) : arena_printf(q->mem, "%s%s", choose_call, hints(q)));
}

static enum errcode ask_once(const struct asking *q, struct llm_reply *reply,
    bool *no_functions, struct err *e)
{
	const struct model_opening o = model_opening(q->mem, q->m, q->tools, q->text);
	struct model_talk t = model_talk(q->mem,
	    2 * q->m->nexamples + q->run->nmessages + q->ncalls + 5);
	struct llm_request req = model_request(q->run, q->m, &q->m->config->planner, "planner");

	compose(q, &t, &o);
	say_rejected(q, &t);
	req.stream = false;
	req.messages = t.messages;
	req.nmessages = t.n;
	req.tools = q->text ? NULL : &o.tools;
	req.choice = LLM_REQUIRED;
	req.empty = true;
	if (q->spare)
		req.model = req.fallback_model;
	*no_functions = false;
	enum errcode rc = model_ask(q->run, q->mem, &req, NULL, NULL, reply, no_functions, e);
	if (rc == OK && q->spare)
		state_of(q->run)->fallback_model = arena_strdup(q->run->mem, req.model);
	return rc;
}

/* -- reading the reply -- */

/* The model sees no tool that serves the message. The built-in planner has the words for what cannot
 * be done; where it knows what to look up, that is better than a refusal. */
static void without_tool(const struct asking *q, struct plans *out)
{
	struct err e;

	*out = (struct plans){ .n = 0 };
	if (planner_builtin.plan(q->run, q->tools, out, &e) != OK)
		*out = (struct plans){ .n = 1, .plan[0] = { .answer_style = MODEL_STYLE, .reply =
		    "I did not understand what to look up. I can find airports along a route, near "
		    "a place, in a country or by name, tell what is recorded of one airport, and look up the "
		    "rules of a country." } };
}

/* Is the same look-up among them? */
static bool has_plan(const struct plans *list, const struct plan *p)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->plan[i].tool == p->tool &&
		    json_object_equal(list->plan[i].arguments, p->arguments))
			return true;
	return false;
}

/* What is wrong with a plan that was read with `rc`; NULL: nothing. */
static const char *fault_of(struct asking *q, enum errcode rc, const struct plan *p,
    const struct err *why)
{
	struct err e = *why;

	if (rc == OK && p->tool != NULL && !tool_offered(q->tools, p->tool))
		rc = plan_unknown(p->tool->name, &e);
	if (rc == OK && p->tool != NULL && plan_check(p, q->tools, &e) != OK)
		rc = err_set(&e, ERR_PLANNER, "The plan does not fit its tool. %s",
		    arena_strdup(q->mem, e.msg));
	/* member names of a plan may be in it */
	return rc == OK ? NULL : model_clean(q->mem, e.msg, strlen(e.msg), sizeof(e.msg));
}

/* Add a plan; if there is no room for it, keep it to be named. */
static void put(struct plans *out, const struct plan *p)
{
	if (out->n < LOOKUPS_MAX)
		out->plan[out->n++] = *p;
	else if (out->nover < LOOKUPS_OVER)
		out->over[out->nover++] = *p;
}

static void take(struct plans *out, const struct plan *p)
{
	if (p->tool != NULL && !has_plan(out, p))
		put(out, p);
}

/* The pilot is told the name of a tool that the model invented. All other details help only a model. */
static const char *for_pilot(const char *fault)
{
	return starts_with(fault, "Planner chose ") ? fault
	    : "The language model made no usable plan for this question. Ask it in other words.";
}

/* Keep the fault of a call that cannot be used. If the other calls of its reply are carried out, the
 * answer tells the pilot of this one. */
static void leave_out(struct asking *q, struct plans *out, const struct plan *p, const char *fault)
{
	put(out, &(struct plan){ .arguments = p->arguments, .fault = for_pilot(fault),
		.wanted = p->tool != NULL && tool_offered(q->tools, p->tool) ? p->tool : NULL });
}

/* Can the reply's calls go back as they are? A server may refuse calls of functions that it was not
 * given, and arguments that are no object. */
static bool can_go_back(const struct asking *q, const struct llm_reply *reply)
{
	size_t bytes = 0;
	struct json_object *o;

	for (size_t i = 0; i < reply->ncalls; i++) {
		const struct llm_tool_call *c = &reply->calls[i];
		if (toolset_find(q->tools->offered, c->name) == NULL && !streq(c->name, MODEL_NO_TOOL))
			return false;
		if (jsn_parse(q->mem, c->arguments, strlen(c->arguments), JSN_DEPTH, &o, NULL, NULL) != OK
		    || !jsn_is(o, json_type_object))
			return false;
		for (size_t k = 0; k < i; k++)
			if (streq(reply->calls[k].id, c->id))
				return false;
		bytes += strlen(c->arguments);
	}
	return reply->ncalls > 0 && reply->ncalls <= CALLS_MAX && bytes <= REJECTED_MAX;
}

/* What came of reading a reply: its first fault, and the words to show the model beside it. */
struct reading {
	const char *fault, *said;      /* fault NULL: nothing is wrong */
};

static void read_calls(struct asking *q, const struct llm_reply *reply, struct plans *out,
    struct plans *left, struct reading *r)
{
	for (size_t i = 0; i < reply->ncalls && i < CALLS_MAX; i++) {
		const struct llm_tool_call *c = &reply->calls[i];
		struct plan p = { .tool = NULL };
		struct err why = { OK, "" };
		enum errcode rc = model_call_parse(q->mem, q->m->tools, c, &p, &why);
		q->faults[i] = fault_of(q, rc, &p, &why);
		if (q->faults[i] == NULL) {
			take(out, &p);
			continue;
		}
		leave_out(q, left, &p, q->faults[i]);
		if (r->fault == NULL) {
			r->fault = q->faults[i];
			r->said = streq(c->name, MODEL_PLAN_FUNCTION) ? c->arguments
			    : arena_printf(q->mem, "%s %s", c->name, c->arguments);
		}
	}
}

static void read_text(struct asking *q, const char *text, struct plans *out, struct reading *r)
{
	const char *json = model_plan_in(q->mem, q->m->tools, text);
	struct plan p = { .tool = NULL };
	struct err why = { OK, "" };
	enum errcode rc = json == NULL ? err_set(&why, ERR_PLANNER, "The reply held no plan.")
	    : model_plan_parse(q->mem, q->m->tools, json, &p, &why);

	q->text |= json == NULL;
	r->said = json != NULL ? json : text;
	r->fault = fault_of(q, rc, &p, &why);
	if (r->fault == NULL)
		take(out, &p);
}

/* The plans of a reply, checked; else what is wrong with them in q, for the next round. */
static bool usable(struct asking *q, const struct llm_reply *reply, struct plans *out)
{
	struct plans found = { .n = 0 }, left = { .n = 0 };
	struct reading r = { NULL, "" };

	q->rejected = NULL;
	q->calls = NULL;
	if (reply->ncalls > 0)
		read_calls(q, reply, &found, &left, &r);
	else
		read_text(q, reply->text, &found, &r);
	if (r.fault == NULL) {
		*out = found;
		if (out->n == 0)
			without_tool(q, out);
		return true;
	}
	if (found.n > 0)
		q->good = found;
	for (size_t i = 0; found.n > 0 && i < left.n; i++)
		put(&q->good, &left.plan[i]);
	err_set(&q->why, ERR_PLANNER, "%s", r.fault);
	if (can_go_back(q, reply)) {
		q->calls = reply->calls;
		q->ncalls = reply->ncalls;
	} else {
		q->rejected = *r.said == '\0' ? "(an empty reply)"
		    : arena_strndup(q->mem, r.said, utf8_cut(r.said, strlen(r.said), REJECTED_MAX));
	}
	return false;
}

/* The reply was empty: ask the fallback model, as if for the first time. False: none is set, or the
 * empty reply was its own. */
static bool turn_to_spare(struct asking *q)
{
	const struct aviation_config *b = q->m->config;

	if (q->spare || b->fallback.model == NULL || streq(b->fallback.model, b->planner.model))
		return false;
	q->spare = true;
	q->text = false;
	return true;
}

static bool says_nothing(const struct llm_reply *reply)
{
	return reply->ncalls == 0 && str_trim(str_of(reply->text)).n == 0;
}

static enum errcode no_plan(const struct asking *q, struct plans *out, struct err *e)
{
	if (q->good.n > 0) {
		*out = q->good;
		return OK;
	}
	if (!q->words)
		return err_set(e, ERR_UPSTREAM, "planner: the model gave only empty answers: try another "
		    "model");
	return err_set(e, ERR_PLANNER, "%s", for_pilot(q->why.msg));
}

static enum errcode ask_for_plans(struct asking *q, struct plans *out, struct err *e)
{
	for (int asked = 0; asked < QUESTIONS;) {
		struct llm_reply reply;
		bool no_functions;
		enum errcode rc = ask_once(q, &reply, &no_functions, e);

		asked += !reply.unasked;
		if (rc == ERR_UPSTREAM && no_functions && !q->text) {
			log_msg(LOG_INFO, "planner_as_text", "why=\"the model takes no functions\"");
			q->text = true;
			continue;
		}
		if (rc == ERR_UPSTREAM && q->good.n > 0)
			break;
		if (rc != OK)
			return rc;
		q->words |= !says_nothing(&reply);
		if (!q->words && turn_to_spare(q))
			continue;
		if (usable(q, &reply, out))
			return OK;
		log_msg(LOG_INFO, "plan_rejected", "question=%d calls=%zu", asked, reply.ncalls);
		log_msg(LOG_DEBUG, "plan_rejected", "why=\"%s\"", q->why.msg);
	}
	return no_plan(q, out, e);
}

/* -- the plans of a turn -- */

/* Ask for a part of them, and add what comes of it. */
static enum errcode plan_part(struct run *run, const struct tool_context *ctx, enum part part,
    struct plans *out, struct err *e)
{
	struct asking q = { .run = run, .mem = arena_new(), .m = app_of(run)->model, .tools = ctx,
		.part = part };
	struct plans found = { .n = 0 };
	enum errcode rc = ask_for_plans(&q, &found, e);

	for (size_t i = 0; rc == OK && i < found.n + found.nover; i++) {
		struct plan p = i < found.n ? found.plan[i] : found.over[i - found.n];
		p.reply = arena_strdup(run->mem, p.reply);
		p.arguments = jsn_copy(run->mem, p.arguments);
		p.answer_style = arena_strdup(run->mem, p.answer_style);
		p.fault = arena_strdup(run->mem, p.fault);
		put(out, &p);
	}
	arena_free(q.mem);
	return rc;
}

static bool covers(const struct plans *list, bool rules)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->plan[i].tool != NULL && (list->plan[i].tool->domain == TOOL_RULES) == rules)
			return true;
	return false;
}

/* Forget the calls of a part that cannot be used, because the part is asked for again. */
static void forget_faults(struct plans *list, bool rules)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct plan *p = &list->plan[i];
		if (p->fault == NULL || n == 0 || p->about != NULL ||
		    (p->wanted != NULL && (p->wanted->domain == TOOL_RULES) != rules))
			list->plan[n++] = *p;
	}
	list->n = n;
}

/* The router saw a question about airports and rules. A model that plans only one of them is asked
 * for the other one; if that fails, the pilot is told so beside the answer to the first. */
static enum errcode plan_both(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	static const struct {
		bool rules;
		enum part part;
		enum routing_kind kind;
		const char *about;
	} parts[] = {
		{ false, AIRPORTS, ROUTING_DATABASE, "airports" },
		{ true, RULES, ROUTING_RULES, "rules" },
	};
	enum errcode rc = plan_part(run, ctx, BOTH, out, e);

	if (rc == ERR_PLANNER)
		out->plan[out->n++] = (struct plan){ .fault = arena_strdup(run->mem, e->msg) };
	else if (rc != OK)
		return rc;
	const bool nothing = out->plan[0].tool == NULL;
	if (nothing)
		out->plan[0].about = parts[0].about;
	for (size_t i = nothing ? 1 : 0; i < 2; i++) {
		struct tool_context part = *ctx;
		if (covers(out, parts[i].rules))
			continue;
		forget_faults(out, parts[i].rules);
		if (out->n == LOOKUPS_MAX)
			break;
		size_t at = out->n;
		part.offered = routing_offers(run->mem, parts[i].kind, ctx->offered);
		rc = plan_part(run, &part, parts[i].part, out, e);
		if (rc == ERR_PLANNER)
			out->plan[out->n++] = (struct plan){ .fault = arena_strdup(run->mem, e->msg) };
		else if (rc != OK)
			return rc;
		out->plan[at].about = parts[i].about;
	}
	return OK;
}

static enum errcode plan_with_model(struct run *run, const struct tool_context *ctx,
    struct plans *out, struct err *e)
{
	return state_of(run)->routing.kind == ROUTING_BOTH ? plan_both(run, ctx, out, e)
	    : plan_part(run, ctx, WHOLE, out, e);
}

const struct planner planner_model = { .name = "model", .plan = plan_with_model };
