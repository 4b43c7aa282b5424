/*
 * Planning by a forced function call: the model must call AviationPlan, and its arguments are
 * the plan. A model that takes no functions is asked for the same object as text.
 *
 * A plan costs at most two questions, whatever fails: the model refuses the function, its reply has
 * no plan, or the plan cannot be used. A plan that cannot be used goes back to the model with the
 * reason. If that does not help, the pilot reads the same reason, so it is a sentence that both
 * understand. If a model's reply is empty, the fallback model is asked instead, when one is set.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "agents/aviation/agent.h"
#include "airports/filter.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

#define FUNCTION "AviationPlan"
enum {
	NAME_MAX_BYTES = 60,      /* of a tool's name that is repeated to the pilot */
	STYLE_MAX = 300,
	REJECTED_MAX = 4000,      /* of a rejected plan that goes back to the model */
	QUESTIONS = 2,            /* for one plan; failures of the connection are llm.h's business */
};

/* What the model chooses when no tool serves the message. */
static const char no_tool[] = "none";

/* -- reading a plan -- */

/* Text of the model that may be put into a message: one line, limited length, nothing like a
 * tag. */
static const char *clean(struct arena *a, const char *s, size_t n, size_t max)
{
	char *out = arena_strndup(a, s, utf8_cut(s, n, max));

	for (char *p = out; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '<' || *p == '>')
			*p = ' ';
	return out;
}

/* A number or truth value that a model wrote as text; NULL: the text is neither. */
static struct json_object *meant(const char *text, const char *type)
{
	double d;

	if ((streq(type, "integer") || streq(type, "number")) && str_to_double(text, &d))
		return jsn_num(d);
	if (streq(type, "boolean") && (strieq(text, "true") || strieq(text, "false")))
		return json_object_new_boolean(strieq(text, "true"));
	return NULL;
}

/* The value in the type that the schema wants, where the meaning is clear: models fill unused
 * arguments with null, and small models put numbers into quotes. */
static struct json_object *fitted(struct json_object *v, struct json_object *schema)
{
	struct json_object *out = NULL, *properties = jsn_get(schema, "properties");

	if (jsn_is(v, json_type_string))
		out = meant(json_object_get_string(v), jsn_get_str(schema, "type", ""));
	if (!jsn_is(v, json_type_object))
		return out != NULL ? out : jsn_ref(v);
	out = jsn_new();
	JSN_EACH(v, it)
		if (it.val != NULL)
			jsn_add(out, it.key, fitted(it.val, jsn_get(properties, it.key)));
	return out;
}

static enum errcode read_tool(struct arena *a, struct toolset tools, struct json_object *v,
    struct plan *out, struct err *e)
{
	if (v == NULL)
		return err_set(e, ERR_PLANNER, "The plan names no tool: selected_tool is missing.");
	if (!jsn_is(v, json_type_string))
		return err_set(e, ERR_PLANNER, "The plan's selected_tool must be text, not %s.",
		    filter_kind(v));
	const char *name = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v);
	out->tool = strlen(name) == n ? toolset_find(tools, name) : NULL;
	if (out->tool == NULL && !streq(name, no_tool))
		return plan_unknown(clean(a, name, n, NAME_MAX_BYTES), e);
	return OK;
}

static enum errcode read_plan(struct arena *a, struct toolset tools, struct json_object *o,
    struct plan *out, struct err *e)
{
	struct json_object *args = jsn_get(o, "arguments"), *style = jsn_get(o, "answer_style");
	struct plan plan = { .answer_style = "narrative_markdown" };

	if (!jsn_is(o, json_type_object))
		return err_set(e, ERR_PLANNER, "The plan must be an object, not %s.", filter_kind(o));
	if (read_tool(a, tools, jsn_get(o, "selected_tool"), &plan, e) != OK)
		return ERR_PLANNER;
	if (jsn_has(o, "arguments") && !jsn_is(args, json_type_object))
		return err_set(e, ERR_PLANNER, "The plan's arguments must be an object, not %s.",
		    filter_kind(args));
	plan.arguments = args == NULL ? jsn_object(a) : jsn_own(a, fitted(args,
	    plan.tool != NULL ? tool_schema(a, plan.tool) : NULL));
	if (jsn_has(o, "answer_style")) {
		if (!jsn_is(style, json_type_string))
			return err_set(e, ERR_PLANNER, "The plan's answer_style must be text, not %s.",
			    filter_kind(style));
		const char *text = clean(a, json_object_get_string(style),
		    (size_t)json_object_get_string_len(style), STYLE_MAX);
		if (str_trim(str_of(text)).n > 0)
			plan.answer_style = text;
	}
	*out = plan;
	return OK;
}

enum errcode model_plan_parse(struct arena *a, struct toolset tools, const char *json,
    struct plan *out, struct err *e)
{
	struct json_object *o;
	struct jsn_fault fault;

	if (jsn_parse(a, json, strlen(json), JSN_DEPTH, &o, &fault, NULL) != OK)
		return err_set(e, ERR_PLANNER, "The plan is not JSON: %s (character %zu).", fault.why,
		    fault.offset);
	return read_plan(a, tools, o, out, e);
}

/* -- a plan in a text -- */

/* A call of the planning function, or of the tool itself, which says the same; NULL: of something
 * else. */
static const char *call_as_plan(struct arena *a, const struct toolset *tools, const char *name,
    const char *arguments)
{
	if (streq(name, FUNCTION))
		return arguments;
	if (name == NULL || toolset_find(*tools, name) == NULL)
		return NULL;
	return arena_printf(a, "{\"selected_tool\": \"%s\", \"arguments\": %s}", name,
	    *arguments == '\0' ? "{}" : arguments);
}

/* An object as a plan: one, or a call written as text ({"name", "arguments"}); NULL: neither. */
static const char *plan_from(struct arena *a, const void *tools, struct json_object *o)
{
	const char *name = jsn_get_str(o, "name", NULL);
	struct json_object *args = jsn_get(o, "arguments");

	if (jsn_has(o, "selected_tool"))
		return jsn_text(a, o, JSN_PLAIN);
	if (!jsn_is(args, json_type_object))
		return NULL;
	return call_as_plan(a, tools, name, jsn_text(a, args, JSN_PLAIN));
}

/* -- asking -- */

static const char plan_doc[] =
    "The plan for the pilot's last message: the one tool of the catalogue that serves it, with all "
    "arguments that the message and the conversation give.";
static const char tool_doc[] = "Name of the tool, exactly as the catalogue has it; \"none\" when none "
    "of them can look up what the pilot asks.";
static const char arguments_doc[] =
    "Arguments of that tool, by the names and types of its parameters. Conditions on airports go into "
    "`filters`.";
static const char style_doc[] = "How the answer is to be written.";

static struct json_object *property(const char *type, const char *doc)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "type", type);
	jsn_add_str(o, "description", doc);
	return o;
}

/* A new tree for each call, because trees are not shared between threads. */
static struct json_object *plan_schema(struct arena *a)
{
	struct json_object *schema = jsn_object(a), *props = jsn_new();
	struct json_object *args = property("object", arguments_doc);
	struct json_object *style = property("string", style_doc);
	struct json_object *required = json_object_new_array();

	jsn_add_bool(args, "additionalProperties", true);
	jsn_add_str(style, "default", "narrative_markdown");
	jsn_add(props, "selected_tool", property("string", tool_doc));
	jsn_add(props, "arguments", args);
	jsn_add(props, "answer_style", style);
	jsn_push(required, jsn_str("selected_tool"));
	jsn_add_str(schema, "type", "object");
	jsn_add(schema, "properties", props);
	jsn_add(schema, "required", required);
	return schema;
}

static const char choose[] =
    "Now choose the tool for my last message before this one. Exactly one, from the catalogue; do not "
    "make one up. Fill `arguments` in completely, with what the conversation says, and put every "
    "condition that I named into `arguments.filters`.";
/* To the first and to the second planner of a turn about both. */
static const char airports_half[] =
    " My message asks for two look-ups. Plan the one among airports; the one in the rules is planned "
    "separately.";
static const char rules_half[] =
    " My message asks for two look-ups. Plan the one in the rules, with the part of my message that is "
    "about them; the one among airports is planned separately.";
static const char as_text[] =
    "Answer with that plan and nothing else: one JSON object with the members `selected_tool`, "
    "`arguments` and `answer_style`, filled in; not the schema.";

/* One plan being asked for. */
struct asking {
	struct run *run;
	struct arena *mem;        /* of the asking alone */
	const struct model *m;
	const struct tool_context *tools;
	bool text;                /* the model takes no functions: as text */
	bool spare;               /* the configured model said nothing: the fallback model is asked */
	bool words;               /* a model has answered */
	const char *rejected;     /* the plan before, and why it was rejected; NULL: first round */
	struct err why;
	bool unknown_tool;        /* that is why */
};

static const char *again(const struct asking *q)
{
	struct buf names;

	buf_init(&names, 4096);
	for (size_t i = 0; i < q->tools->offered.n; i++)
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", q->tools->offered.tools[i]->name);
	const char *text = arena_printf(q->mem,
	    "This plan cannot be used. %s\nThe tools are: %s; \"none\" if none of them serves. "
	    "Conditions on airports belong into `arguments.filters`, everything else beside it, under "
	    "the names the catalogue gives. Make the plan again, corrected. %s",
	    q->why.msg, names.p, q->text ? as_text : "Call AviationPlan with it.");
	buf_release(&names);
	return text;
}

/* What the router found out. */
static const char *routed(const struct asking *q)
{
	const struct aviation_state *st = state_of(q->run);
	const struct routing *r = &st->routing;
	const char *text = r->kind != ROUTING_BOTH ? "" :
	    toolset_count(q->tools->offered, TOOL_RULES) > 0 ? rules_half : airports_half;

	for (size_t i = 0; i < r->ncountries; i++)
		text = arena_printf(q->mem, "%s%s%s%s", text,
		    i > 0 ? ", " : " Countries it is about: ", r->countries[i],
		    i + 1 < r->ncountries ? "" : ".");
	return text;
}

static struct model_talk compose(const struct asking *q, struct json_object *schema)
{
	const struct model *m = q->m;
	struct arena *a = q->mem;
	struct model_talk t = model_talk(a, 2 * m->nexamples + q->run->nmessages + 4);
	const char *format = !q->text ? "" : arena_printf(a,
	    "The object must match this JSON schema:\n%s", jsn_text(a, schema, JSN_INDENT));
	struct arena *work = arena_new();
	const char *values[] = { model_tools(work, m, q->tools), model_tags(work, q->tools), format };
	const char *hint = routed(q);

	model_say(&t, "system", prompt_fill(m->planner, a, values));
	arena_free(work);
	for (size_t i = 0; i < m->nexamples; i++) {
		if (m->examples[i].tool != NULL && !tool_offered(q->tools, m->examples[i].tool))
			continue;
		model_say(&t, "user", m->examples[i].question);
		model_say(&t, "assistant", m->examples[i].answer);
	}
	model_say_history(&t, a, q->run, m->history_tokens);
	model_say(&t, "user", !q->text ? arena_printf(a, "%s%s", choose, hint) :
	    arena_printf(a, "%s%s\n%s\n%s", choose, hint, as_text, format));
	if (q->rejected != NULL) {
		model_say(&t, "assistant", q->rejected);
		model_say(&t, "user", again(q));
	}
	return t;
}

static enum errcode ask_once(const struct asking *q, struct llm_reply *reply,
    bool *no_functions, struct err *e)
{
	struct json_object *schema = plan_schema(q->mem);
	const struct llm_tool function = { FUNCTION, plan_doc, schema };
	const struct llm_tools offer = llm_tools_print(q->mem, &function, 1);
	struct model_talk t = compose(q, schema);
	struct llm_request req = model_request(q->run, q->m, &q->m->config->planner, "planner");

	req.stream = false;
	req.messages = t.messages;
	req.nmessages = t.n;
	req.tools = q->text ? NULL : &offer;
	req.choice = LLM_NAMED;
	req.named = FUNCTION;
	req.empty = true;
	if (q->spare)
		req.model = req.fallback_model;
	*no_functions = false;
	enum errcode rc = model_ask(q->run, q->mem, &req, NULL, NULL, reply, no_functions, e);
	if (rc == OK && q->spare)
		state_of(q->run)->fallback_model = arena_strdup(q->run->mem, req.model);
	return rc;
}

/* The plan of a reply as JSON; NULL: it holds none. */
static const char *plan_of(struct arena *a, const struct toolset *tools,
    const struct llm_reply *reply)
{
	const struct llm_tool_call *c = reply->calls;

	if (reply->ncalls == 0)
		return model_object_in(a, reply->text, plan_from, tools);
	const char *plan = call_as_plan(a, tools, c->name, c->arguments);
	return plan != NULL ? plan : c->arguments;
}

/* The model sees no tool that serves the message. The built-in planner has the words for what cannot
 * be done; where it knows what to look up, that is better than a refusal. */
static void without_tool(const struct asking *q, struct plan *plan)
{
	struct plans built = { .n = 0 };
	struct err e;

	if (planner_builtin.plan(q->run, q->tools, &built, &e) == OK)
		*plan = built.plan[0];
	else
		plan->reply = "I did not understand what to look up. I can find airports along a route, near "
		    "a place, in a country or by name, tell what is recorded of one airport, and look up the "
		    "rules of a country.";
}

/* The reply's plan, checked; else what is wrong with it in q, for the next round. */
static bool usable(struct asking *q, const struct llm_reply *reply, struct plan *out)
{
	struct arena *a = q->mem;
	struct plan plan;
	struct err why;
	const char *json = plan_of(a, &q->m->tools, reply), *said = json != NULL ? json : reply->text;

	q->unknown_tool = false;
	if (json == NULL) {
		q->text = true;
		err_set(&q->why, ERR_PLANNER, "The reply held no plan.");
	} else if (model_plan_parse(a, q->m->tools, json, &plan, &q->why) != OK) {
		q->unknown_tool = starts_with(q->why.msg, "Planner chose ");
	} else if (plan.tool != NULL && !tool_offered(q->tools, plan.tool)) {
		q->unknown_tool = true;
		plan_unknown(plan.tool->name, &q->why);
	} else {
		if (plan.tool == NULL)
			without_tool(q, &plan);
		if (plan_check(&plan, q->tools, &why) == OK) {
			*out = plan;
			return true;
		}
		err_set(&q->why, ERR_PLANNER, "The plan does not fit its tool. %s", why.msg);
	}
	/* it may contain member names of the plan */
	err_set(&q->why, ERR_PLANNER, "%s",
	    clean(a, q->why.msg, strlen(q->why.msg), sizeof(q->why.msg)));
	q->rejected = *said == '\0' ? "(an empty reply)"
	    : arena_strndup(a, said, utf8_cut(said, strlen(said), REJECTED_MAX));
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

static enum errcode no_plan(const struct asking *q, struct err *e)
{
	if (!q->words)
		return err_set(e, ERR_UPSTREAM, "planner: the model gave only empty answers: try another "
		    "model");
	/* the pilot reads the name of an invented tool; all other details help only a model */
	return err_set(e, ERR_PLANNER, "%s", q->unknown_tool ? q->why.msg :
	    "The language model made no usable plan for this question. Other words may help.");
}

static enum errcode ask_for_plan(struct asking *q, struct plan *out, struct err *e)
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
	return no_plan(q, e);
}

/* One look-up, with its own question to the model. */
static enum errcode plan_one(struct run *run, const struct tool_context *ctx, struct plan *out,
    struct err *e)
{
	const struct aviation_app *app = run->app;
	struct asking q = { .run = run, .mem = arena_new(), .m = app->model, .tools = ctx };
	struct plan plan = { .tool = NULL };
	enum errcode rc = ask_for_plan(&q, &plan, e);

	if (rc == OK)
		*out = (struct plan){ .tool = plan.tool, .reply = arena_strdup(run->mem, plan.reply),
			.arguments = jsn_copy(run->mem, plan.arguments),
			.answer_style = arena_strdup(run->mem, plan.answer_style) };
	arena_free(q.mem);
	return rc;
}

static enum errcode plan_with_model(struct run *run, const struct tool_context *ctx,
    struct plans *out, struct err *e)
{
	static const struct { enum routing_kind kind; const char *about; } parts[] = {
		{ ROUTING_DATABASE, "airports" }, { ROUTING_RULES, "rules" },
	};
	const bool both = state_of(run)->routing.kind == ROUTING_BOTH;
	struct tool_context part = *ctx;
	enum errcode rc = OK;

	for (size_t i = 0; i < (both ? 2 : 1) && (rc == OK || rc == ERR_PLANNER); i++) {
		struct plan *p = &out->plan[out->n++];
		part.offered = both ? routing_offers(run->mem, parts[i].kind, ctx->offered)
		    : ctx->offered;
		rc = plan_one(run, &part, p, e);
		p->about = parts[i].about;
		if (both && rc == ERR_PLANNER) {
			p->fault = arena_strdup(run->mem, e->msg);
			rc = OK;
		}
	}
	return rc;
}

const struct planner planner_model = { .name = "model", .plan = plan_with_model };
