/*
 * What a model is told of the tools, and the system message around it.
 *
 * A model reads this before it can plan, and one on a pilot's own computer reads slowly, so each
 * thing is said once and shortly: the tools either as functions or, for a model that takes none, as
 * text; arguments without what a program only checks; the members of an object that several tools
 * take (`filters`) in one list. It depends on the offered tools alone. It is made once for each
 * set of them, printed as JSON, and stands first in a request: a provider that keeps what it read
 * of an earlier request need not read it again.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "agents/aviation/router.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "tools/rules_result.h"

enum { TAG_MAX = 60, TAGS_MAX_BYTES = 4000 };

static const char *taken(struct arena *a, struct buf *b)
{
	const char *text = arena_strndup(a, b->p, b->n);

	buf_release(b);
	return text;
}

const char *model_tool_doc(const struct model *m, const struct tool *t)
{
	for (size_t i = 0; i < m->tools.n; i++)
		if (m->tools.tools[i] == t)
			return m->docs[i];
	return t->doc;
}

/* -- for people -- */

enum errcode model_catalog(const char **out, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct err *e)
{
	const struct toolset offered = toolset_offered(a, tools, b->tools);
	struct model m = { .tools = tools };
	enum errcode rc = model_texts(&m, a, b, e);
	struct buf text;

	buf_init(&text, SIZE_MAX / 2);
	for (size_t i = 0; rc == OK && i < offered.n; i++)
		buf_printf(&text, "%s- %s: %s\n  Parameters: %s", i > 0 ? "\n" : "",
		    offered.tools[i]->name, model_tool_doc(&m, offered.tools[i]),
		    jsn_text(a, tool_schema(a, offered.tools[i]), JSN_INDENT));
	*out = taken(a, &text);
	return rc;
}

/* -- as functions -- */

/* A text with a default is there for programs: a model has no reason to choose another one. */
static bool for_models(const struct tool_arg *arg)
{
	return !arg->programs && (arg->type != ARG_STRING || arg->def == NULL);
}

/* What a model needs of a schema. The members of an object are described in put_objects(), and their
 * choices stand where the object is seen first. */
static struct json_object *brief(struct json_object *schema, bool described, bool choices)
{
	static const char *const kept[] = { "type", "items", "enum" };
	const size_t n = sizeof(kept) / sizeof(kept[0]) - !choices;
	struct json_object *out = jsn_new(), *inside = jsn_get(schema, "properties"), *members;

	for (size_t i = 0; i < n; i++)
		if (jsn_has(schema, kept[i]))
			jsn_add(out, kept[i], jsn_ref(jsn_get(schema, kept[i])));
	if (inside == NULL && described)
		jsn_add(out, "description", jsn_ref(jsn_get(schema, "description")));
	if (inside == NULL)
		return out;
	members = jsn_new();
	JSN_EACH(inside, it)
		jsn_add(members, it.key, brief(it.val, false, described));
	jsn_add(out, "properties", members);
	return out;
}

/* The first tool that takes an argument of this name and meaning. */
static const struct tool *first_with(struct toolset offered, const struct tool_arg *arg)
{
	for (size_t i = 0; i < offered.n; i++)
		for (size_t k = 0; k < offered.tools[i]->nargs; k++)
			if (streq(offered.tools[i]->args[k].name, arg->name) &&
			    streq(offered.tools[i]->args[k].doc, arg->doc))
				return offered.tools[i];
	return NULL;
}

/* An argument that several tools take is described where it is seen first. */
static struct json_object *parameters(struct arena *a, struct toolset offered, const struct tool *t)
{
	static const char *const referred[] = { "$defs", "definitions" };
	struct json_object *schema = tool_schema(a, t), *properties = jsn_get(schema, "properties");
	struct json_object *out = jsn_object(a), *members = jsn_new();

	for (size_t i = 0; i < t->nargs; i++) {
		struct json_object *v = jsn_get(properties, t->args[i].name);
		if (for_models(&t->args[i]))
			jsn_add(members, t->args[i].name, t->args[i].json != NULL ? jsn_ref(v)
			    : brief(v, first_with(offered, &t->args[i]) == t, true));
	}
	/* an argument of the tool by this name is the tool's */
	if (tool_arg_find(t, MODEL_STYLE_KEY) == NULL) {
		struct json_object *style = jsn_new();
		jsn_add_str(style, "type", "string");
		jsn_add(members, MODEL_STYLE_KEY, style);
	}
	jsn_add_str(out, "type", "object");
	jsn_add(out, "properties", members);
	jsn_add(out, "required", jsn_ref(jsn_get(schema, "required")));
	/* what the schema of an external tool refers to */
	for (size_t i = 0; i < sizeof(referred) / sizeof(referred[0]); i++)
		if (jsn_has(schema, referred[i]))
			jsn_add(out, referred[i], jsn_ref(jsn_get(schema, referred[i])));
	return out;
}

/*
 * A function for each tool, and one to say that none of them serves. With that one a call can be
 * required: servers that bind a model's output to the functions then give nothing but calls, while
 * weak models that may also write text tend to answer out of their memory.
 */
static struct llm_tools functions(struct arena *a, const struct model *m, struct toolset offered)
{
	struct arena *work = arena_new();
	struct llm_tool *list = arena_array(work, offered.n + 1, sizeof(*list));
	struct json_object *nothing = jsn_object(work);

	for (size_t i = 0; i < offered.n; i++)
		list[i] = (struct llm_tool){ offered.tools[i]->name, model_tool_doc(m, offered.tools[i]),
			parameters(work, offered, offered.tools[i]) };
	jsn_add_str(nothing, "type", "object");
	jsn_add(nothing, "properties", jsn_new());
	list[offered.n] = (struct llm_tool){ MODEL_NO_TOOL,
		"None of the others can look it up.", nothing };
	struct llm_tools printed = llm_tools_print(a, list, offered.n + 1);
	arena_free(work);
	return printed;
}

/* -- as text -- */

/* A member without a description has a name that says enough. It is listed only in the text form,
 * because the schema of a function names it already. */
static void put_member(struct buf *b, const char *name, struct json_object *schema, bool text)
{
	const char *doc = jsn_get_str(schema, "description", NULL);
	struct json_object *choices = jsn_get(schema, "enum");

	if (doc == NULL && !text)
		return;
	buf_printf(b, "\n- %s%s%s", name, doc != NULL ? ": " : "", doc != NULL ? doc : "");
	for (size_t i = 0; text && i < jsn_len(choices); i++)
		buf_printf(b, "%s%s", i > 0 ? " or " : ": ", json_object_get_string(jsn_at(choices, i)));
}

/* The objects among the arguments: each once, however many tools take it. */
static void put_objects(struct buf *b, struct arena *a, struct toolset offered, bool text)
{
	for (size_t i = 0; i < offered.n; i++)
		for (size_t k = 0; k < offered.tools[i]->nargs; k++) {
			const struct tool_arg *arg = &offered.tools[i]->args[k];
			if (arg->schema == NULL || first_with(offered, arg) != offered.tools[i])
				continue;
			buf_printf(b, "\n\n`%s`: %s", arg->name, arg->doc);
			JSN_EACH(jsn_get(arg->schema(a), "properties"), it)
				put_member(b, it.key, it.val, text);
		}
}

static void put_catalog(struct buf *b, struct arena *a, const struct model *m,
    struct toolset offered)
{
	for (size_t i = 0; i < offered.n; i++) {
		const struct tool *t = offered.tools[i];
		struct json_object *properties = jsn_get(tool_schema(a, t), "properties");
		buf_printf(b, "%s- %s: %s", i > 0 ? "\n" : "", t->name, model_tool_doc(m, t));
		for (size_t k = 0; k < t->nargs; k++) {
			const struct tool_arg *arg = &t->args[k];
			if (!for_models(arg))
				continue;
			struct json_object *v = jsn_get(properties, arg->name);
			buf_printf(b, "\n  %s (%s%s)", arg->name, jsn_get_str(v, "type", ""),
			    arg->required ? ", required" : "");
			if (arg->json != NULL)
				buf_printf(b, ": %s", jsn_text(a, v, JSN_PLAIN));
			else if (arg->schema == NULL)
				buf_printf(b, ": %s", arg->doc);
		}
	}
}

static void put_examples(struct buf *b, const struct model *m, struct toolset offered)
{
	bool any = false;

	for (size_t i = 0; i < m->nexamples; i++) {
		const struct model_example *ex = &m->examples[i];
		if (ex->tool != NULL && !toolset_has(offered, ex->tool))
			continue;
		buf_printf(b, "%s\n- %s → %s", any ? "" : "\n\n## Examples\n", ex->question, ex->call);
		any = true;
	}
}

const char *model_call_text(struct arena *a, const struct plan *p)
{
	struct json_object *args = jsn_object(a);

	if (p->tool == NULL)
		return MODEL_NO_TOOL " {}";
	JSN_EACH(p->arguments, it)
		jsn_add(args, it.key, jsn_ref(it.val));
	if (!streq(p->answer_style, MODEL_STYLE) && tool_arg_find(p->tool, MODEL_STYLE_KEY) == NULL)
		jsn_add_str(args, MODEL_STYLE_KEY, p->answer_style);
	return arena_printf(a, "%s %s", p->tool->name, jsn_text(a, args, JSN_PLAIN));
}

/* -- the system message -- */

const char model_plan_format[] = "The object must match this JSON schema:\n"
    "{\"type\":\"object\",\"properties\":{"
    "\"selected_tool\":{\"type\":\"string\",\"description\":\"a tool of the catalogue, or "
    MODEL_NO_TOOL "\"},"
    "\"arguments\":{\"type\":\"object\",\"additionalProperties\":true,\"description\":"
    "\"of that tool; conditions on airports go into `filters`\"},"
    "\"" MODEL_STYLE_KEY "\":{\"type\":\"string\",\"default\":\"" MODEL_STYLE "\"}},"
    "\"required\":[\"selected_tool\"]}";

const char *model_system(struct arena *a, const struct model *m, const struct tool_context *ctx,
    bool text)
{
	struct arena *work = arena_new();
	struct buf b;

	buf_init(&b, SIZE_MAX / 2);
	if (text)
		put_catalog(&b, work, m, ctx->offered);
	else
		buf_puts(&b, "The tools are the functions that you can call.");
	put_objects(&b, work, ctx->offered, text);
	const char *values[] = { b.p, model_names_tags(m) ? model_tags(work, ctx) : NULL,
		text ? model_plan_format : NULL };
	const char *filled = prompt_fill(m->planner, work, values);
	buf_clear(&b);
	buf_puts(&b, filled);
	if (!text)
		put_examples(&b, m, ctx->offered);
	arena_free(work);
	return taken(a, &b);
}

bool model_names_tags(const struct model *m)
{
	return prompt_uses(m->planner, 1);
}

static struct model_opening opening(struct arena *a, const struct model *m,
    const struct tool_context *ctx, bool text)
{
	struct model_opening o = { .offered = ctx->offered, .text = text,
		.system = model_system(a, m, ctx, text) };

	if (!text)
		o.tools = functions(a, m, ctx->offered);
	o.quoted = llm_quote(a, o.system);
	return o;
}

static bool same_tools(struct toolset x, struct toolset y)
{
	return x.n == y.n && memcmp(x.tools, y.tools, x.n * sizeof(*x.tools)) == 0;
}

void model_prepare(struct model *m, struct arena *a)
{
	const struct aviation_config *b = m->config;
	const struct toolset offered = toolset_offered(a, m->tools, b->tools);
	static const enum routing_kind kinds[] = { ROUTING_NONE, ROUTING_DATABASE, ROUTING_RULES };
	size_t n = b->routing ? sizeof(kinds) / sizeof(kinds[0]) : 1;

	/* the tags that it names change with the rules */
	if (model_names_tags(m))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct tool_context ctx = { .offered = routing_offers(a, kinds[i], offered) };
		m->openings[m->nopenings++] = opening(a, m, &ctx, false);
		m->openings[m->nopenings++] = opening(a, m, &ctx, true);
	}
}

struct model_opening model_opening(struct arena *a, const struct model *m,
    const struct tool_context *ctx, bool text)
{
	for (size_t i = 0; i < m->nopenings; i++)
		if (m->openings[i].text == text && same_tools(m->openings[i].offered, ctx->offered))
			return m->openings[i];
	return opening(a, m, ctx, text);
}

/* -- the tags -- */

/* A tag is a word of the rules file. A tag that does not look like a word is left out. */
static bool tag_ok(const char *tag)
{
	size_t n = strlen(tag);

	for (size_t i = 0; i < n; i++)
		if ((unsigned char)tag[i] <= ' ' || strchr("<>,", tag[i]) != NULL)
			return false;
	return n > 0 && n <= TAG_MAX;
}

const char *model_tags(struct arena *a, const struct tool_context *ctx)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	struct buf tags;

	buf_init(&tags, TAGS_MAX_BYTES);
	for (size_t i = 0; set != NULL && i < set->base->ntags; i++) {
		const char *tag = set->base->tags[i];
		if (tag_ok(tag) && tags.n + strlen(tag) + 2 <= TAGS_MAX_BYTES)
			buf_printf(&tags, "%s%s", tags.n > 0 ? ", " : "", tag);
	}
	return taken(a, &tags);
}
