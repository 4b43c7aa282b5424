/*
 * Plans out of what a model replied. It is offered a function for each tool, so a plan should be a
 * call of one. Models also write the call as text, or answer in the older form, a plan with
 * `selected_tool` as text or as the call of a function AviationPlan: all of them say the same.
 *
 * Everything here is hostile text. What is wrong with it is said in words for the model.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "base/jsn.h"
#include "base/str.h"

enum {
	NAME_MAX_BYTES = 60,      /* of a tool's name that is repeated to the pilot */
	STYLE_MAX = 300,
};

const char *model_clean(struct arena *a, const char *s, size_t n, size_t max)
{
	char *out = arena_strndup(a, s, utf8_cut(s, n, max));

	for (char *p = out; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '<' || *p == '>')
			*p = ' ';
	return out;
}

/* -- arguments -- */

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

static struct plan plan_of(struct arena *a, const struct tool *tool, struct json_object *args,
    struct json_object *style)
{
	struct plan plan = { .tool = tool, .answer_style = MODEL_STYLE };

	plan.arguments = args == NULL ? jsn_object(a) : jsn_own(a, fitted(args,
	    tool != NULL ? tool_schema(a, tool) : NULL));
	if (jsn_is(style, json_type_string)) {
		const char *text = model_clean(a, json_object_get_string(style),
		    (size_t)json_object_get_string_len(style), STYLE_MAX);
		if (str_trim(str_of(text)).n > 0)
			plan.answer_style = text;
	}
	return plan;
}

/* -- a plan with `selected_tool` -- */

static bool says_no_tool(const char *name)
{
	return streq(name, MODEL_NO_TOOL) || streq(name, "none");
}

static enum errcode read_plan(struct arena *a, struct toolset tools, struct json_object *o,
    struct plan *out, struct err *e)
{
	struct json_object *name = jsn_get(o, "selected_tool"), *args = jsn_get(o, "arguments");
	struct json_object *style = jsn_get(o, MODEL_STYLE_KEY);

	if (!jsn_is(o, json_type_object))
		return err_set(e, ERR_PLANNER, "The plan must be an object, not %s.", jsn_kind(o));
	if (name == NULL)
		return err_set(e, ERR_PLANNER, "The plan names no tool: selected_tool is missing.");
	if (!jsn_is(name, json_type_string))
		return err_set(e, ERR_PLANNER, "The plan's selected_tool must be text, not %s.",
		    jsn_kind(name));
	const char *s = json_object_get_string(name);
	size_t n = (size_t)json_object_get_string_len(name);
	const struct tool *tool = strlen(s) == n ? toolset_find(tools, s) : NULL;
	if (tool == NULL && !says_no_tool(s))
		return plan_unknown(model_clean(a, s, n, NAME_MAX_BYTES), e);
	if (jsn_has(o, "arguments") && !jsn_is(args, json_type_object))
		return err_set(e, ERR_PLANNER, "The plan's arguments must be an object, not %s.",
		    jsn_kind(args));
	if (jsn_has(o, MODEL_STYLE_KEY) && !jsn_is(style, json_type_string))
		return err_set(e, ERR_PLANNER, "The plan's answer_style must be text, not %s.",
		    jsn_kind(style));
	*out = plan_of(a, tool, args, style);
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

/* -- a call -- */

/* Arguments and style of a tool that is called itself. */
static void read_call(struct arena *a, const struct tool *tool, struct json_object *args,
    struct plan *out)
{
	const bool own = tool_arg_find(tool, MODEL_STYLE_KEY) != NULL;

	*out = plan_of(a, tool, args, own ? NULL : jsn_get(args, MODEL_STYLE_KEY));
	if (!own)
		json_object_object_del(out->arguments, MODEL_STYLE_KEY);
}

enum errcode model_call_parse(struct arena *a, struct toolset tools,
    const struct llm_tool_call *c, struct plan *out, struct err *e)
{
	const struct tool *tool = toolset_find(tools, c->name);
	const bool blank = str_trim(str_of(c->arguments)).n == 0;
	struct json_object *args = NULL;
	struct jsn_fault fault = { .why = "" };

	if (streq(c->name, MODEL_PLAN_FUNCTION))
		return model_plan_parse(a, tools, c->arguments, out, e);
	if (says_no_tool(c->name)) {
		*out = plan_of(a, NULL, NULL, NULL);
		return OK;
	}
	enum errcode rc = blank ? OK : jsn_parse(a, c->arguments, strlen(c->arguments), JSN_DEPTH, &args,
	    &fault, NULL);
	if (tool == NULL)
		return jsn_has(args, "selected_tool") ? read_plan(a, tools, args, out, e)
		    : plan_unknown(model_clean(a, c->name, strlen(c->name), NAME_MAX_BYTES), e);
	if (rc != OK)
		return err_set(e, ERR_PLANNER, "The arguments are not JSON: %s (character %zu).",
		    fault.why, fault.offset);
	if (args != NULL && !jsn_is(args, json_type_object))
		return err_set(e, ERR_PLANNER, "The arguments must be an object, not %s.",
		    jsn_kind(args));
	read_call(a, tool, args, out);
	return OK;
}

/* -- a text -- */

/* An object as a plan: one, or a call written as text ({"name", "arguments"}); NULL: neither. */
static const char *plan_from(struct arena *a, const void *tools, struct json_object *o)
{
	const char *name = jsn_get_str(o, "name", NULL);
	struct json_object *args = jsn_get(o, "arguments");

	if (jsn_has(o, "selected_tool"))
		return jsn_text(a, o, JSN_PLAIN);
	if (!jsn_is(args, json_type_object) || name == NULL)
		return NULL;
	if (streq(name, MODEL_PLAN_FUNCTION))
		return jsn_text(a, args, JSN_PLAIN);
	return toolset_find(*(const struct toolset *)tools, name) == NULL ? NULL : arena_printf(a,
	    "{\"selected_tool\": \"%s\", \"arguments\": %s}", name, jsn_text(a, args, JSN_PLAIN));
}

const char *model_plan_in(struct arena *a, struct toolset tools, const char *text)
{
	return model_object_in(a, text, plan_from, &tools);
}
