/*
 * Replies of chat completions: choices with a delta (in a stream) or a message (whole). Only the first
 * choice counts.
 */
#include "services/llm_openai.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_parse.h"

/* A string, or an array of parts of which those of type text count. */
static void take_content(struct llm_parse *r, struct json_object *content)
{
	parse_text(r, content);
	if (jsn_is(content, json_type_array))
		for (size_t i = 0; i < jsn_len(content); i++)
			if (streq(jsn_get_str(jsn_at(content, i), "type", ""), "text"))
				parse_text(r, jsn_get(jsn_at(content, i), "text"));
}

/* -- function calls -- */

static bool blank(const char *p, size_t n)
{
	return str_trim((struct str){ p, n }).n == 0;
}

/* Are the arguments so far a whole object? Then another one begins another call. */
static bool finished_call(const struct parse_call *c)
{
	struct str s = str_trim((struct str){ c->arguments.p, c->arguments.n });
	if (s.n == 0 || s.p[s.n - 1] != '}')
		return false;
	struct arena *a = arena_new();
	struct json_object *o;
	bool whole = jsn_parse_pieces(a, s.p, s.n, JSN_DEPTH, &o, NULL, NULL) == OK &&
	    jsn_is(o, json_type_object);
	arena_free(a);
	return whole;
}

/*
 * The call to which a fragment belongs; NULL: there are too many calls. The id decides, else the
 * index, of which the newest call counts. Neither is reliable: some servers give every call the
 * index 0, others give every fragment its own id. The name, and whether the call so far is
 * complete, tell them apart.
 */
static struct parse_call *call_of(struct llm_parse *r, const char *id, int64_t index,
    const char *name, bool opens)
{
	struct parse_call *found = NULL;
	for (size_t i = r->ncalls; i-- > 0;) {
		struct parse_call *c = &r->calls[i];
		if (index >= 0 && c->index >= 0 && c->index != index)
			continue;
		if (id[0] != '\0' && streq(c->id, id))
			return c;
		if (found == NULL)
			found = c;
	}
	bool other = found != NULL && *name != '\0' && found->name.n > 0 &&
	    strcmp(found->name.p, name) != 0;
	if (found != NULL && !other && !(opens && finished_call(found)))
		return found;
	return parse_call_new(r, index, id, "");
}

static void take_call(struct llm_parse *r, struct json_object *fragment, int64_t position)
{
	struct json_object *f = jsn_get(fragment, "function");
	struct json_object *args = jsn_get(f, "arguments");
	const char *name = jsn_get_str(f, "name", "");
	if (!jsn_is(f, json_type_object))
		return;
	char id[sizeof(r->calls[0].id)];
	snprintf(id, sizeof(id), "%s", jsn_get_str(fragment, "id", ""));
	bool empty = args == NULL || (jsn_is(args, json_type_string) &&
	    blank(json_object_get_string(args), (size_t)json_object_get_string_len(args)));
	int64_t index = position >= 0 ? position : jsn_get_int(fragment, "index", -1);
	struct parse_call *c = call_of(r, id, index, name,
	    !empty && (id[0] != '\0' || *name != '\0'));
	if (c == NULL)
		return;
	if (c->name.n == 0)
		buf_puts(&c->name, name);
	parse_arguments(c, args);
}

/* -- chunks -- */

static void take_usage(struct llm_parse *r, struct json_object *usage)
{
	int64_t in = parse_count(usage, "prompt_tokens"), out = parse_count(usage, "completion_tokens");
	int64_t cached = parse_count(jsn_get(usage, "prompt_tokens_details"), "cached_tokens");
	if (in >= 0)
		r->input = in;
	if (out >= 0)
		r->output = out;
	if (cached >= 0)
		r->cached = cached;
}

static enum errcode take_choice(struct llm_parse *r, struct json_object *choice)
{
	/* a chunk has a delta, a whole reply a message; a chunk with both repeats itself */
	struct json_object *part = jsn_get(choice, r->shape == PARSE_WHOLE ? "message" : "delta");
	if (part == NULL)
		part = jsn_get(choice, r->shape == PARSE_WHOLE ? "delta" : "message");
	r->began |= part != NULL;
	parse_finish(r, jsn_get_str(choice, "finish_reason", ""), NULL);
	take_content(r, jsn_get(part, "content"));
	take_content(r, jsn_get(part, "refusal"));     /* the model's own words, for the user */
	struct json_object *calls = jsn_get(part, "tool_calls");
	for (size_t i = 0; i < (jsn_is(calls, json_type_array) ? jsn_len(calls) : 0); i++)
		take_call(r, jsn_at(calls, i), r->shape == PARSE_WHOLE ? (int64_t)i : -1);
	return parse_pass_on(r);
}

enum errcode openai_take(struct llm_parse *r, struct json_object *root, const char *event)
{
	struct json_object *choices = jsn_get(root, "choices");
	bool list = jsn_is(choices, json_type_array);
	(void)event;
	take_usage(r, jsn_get(root, "usage"));
	for (size_t i = 0; list && i < jsn_len(choices); i++) {
		struct json_object *c = jsn_at(choices, i);
		if (jsn_get_int(c, "index", 0) != 0)
			continue;              /* a usage chunk was asked for */
		enum errcode rc = take_choice(r, c);
		if (rc != OK)
			return rc;
		if (jsn_truthy(jsn_get(c, "error")) || streq(r->finish, "error")) {
			llm_error_read(&r->error, c);
			return parse_fail(r, VERDICT_REFUSED);
		}
	}
	return OK;
}
