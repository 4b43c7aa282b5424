/*
 * Requests in the formats of Anthropic, Gemini and Ollama, read as chat completions, so that one
 * script serves all. What a strict server refuses is refused here too: `wrong` says why.
 */
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *s, const char *end)
{
	size_t n = strcspn(s, "?"), k = strlen(end);
	return n >= k && strncmp(s + n - k, end, k) == 0;
}

static bool is_object(struct json_object *o)
{
	return json_object_is_type(o, json_type_object);
}

static size_t length(struct json_object *o)
{
	return json_object_is_type(o, json_type_array) ? json_object_array_length(o) : 0;
}

static struct json_object *at(struct json_object *o, size_t i)
{
	return json_object_array_get_idx(o, i);
}

static bool same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* -- building chat completions -- */

static void put(struct json_object *o, const char *name, struct json_object *v)
{
	json_object_object_add(o, name, v);
}

static void put_text(struct json_object *o, const char *name, const char *text)
{
	put(o, name, json_object_new_string(text != NULL ? text : ""));
}

static struct json_object *message(struct json_object *list, const char *role, const char *content)
{
	struct json_object *m = json_object_new_object();
	put_text(m, "role", role);
	put_text(m, "content", content);
	json_object_array_add(list, m);
	return m;
}

static void add_call(struct json_object *m, const char *id, const char *name, struct json_object *args)
{
	struct json_object *calls = json_member(m, "tool_calls"), *call = json_object_new_object();
	struct json_object *f = json_object_new_object();

	if (calls == NULL)
		put(m, "tool_calls", calls = json_object_new_array());
	put_text(call, "id", id);
	put_text(f, "name", name);
	put_text(f, "arguments", json_object_to_json_string_ext(args, JSON_C_TO_STRING_PLAIN));
	put(call, "function", f);
	json_object_array_add(calls, call);
}

static void add_tool(struct json_object *list, struct json_object *t, const char *schema)
{
	struct json_object *tool = json_object_new_object(), *f = json_object_new_object();
	struct json_object *parameters = json_member(t, schema);

	put_text(tool, "type", "function");
	put_text(f, "name", json_string(t, "name"));
	put_text(f, "description", json_string(t, "description"));
	put(f, "parameters", parameters != NULL ? json_object_get(parameters)
	    : json_object_new_object());
	put(tool, "function", f);
	json_object_array_add(list, tool);
}

static void put_choice(struct json_object *out, const char *named, const char *word)
{
	if (named == NULL) {
		put_text(out, "tool_choice", word);
		return;
	}
	struct json_object *choice = json_object_new_object(), *f = json_object_new_object();
	put_text(f, "name", named);
	put(choice, "function", f);
	put(out, "tool_choice", choice);
}

/* -- anthropic -- */

static const char *anthropic_block(struct json_object *list, struct json_object **m, const char *role,
    struct json_object *block, bool *said)
{
	const char *type = json_string(block, "type");

	if (same(type, "text")) {
		const char *text = json_string(block, "text");
		if (text == NULL || *text == '\0')
			return "messages: text content blocks must be non-empty";
		*said = true;
		if (*m == NULL)
			*m = message(list, role, "");
		struct text joined = { 0 };
		text_puts(&joined, json_string(*m, "content"));
		text_puts(&joined, text);
		put_text(*m, "content", joined.p);
		text_free(&joined);
	} else if (same(type, "tool_use") && same(role, "assistant")) {
		const char *id = json_string(block, "id");
		if (!is_object(json_member(block, "input")))
			return "tool_use.input: Input should be a valid dictionary";
		if (id == NULL || *id == '\0' || id[strspn(id, "abcdefghijklmnopqrstuvwxyz"
		    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] != '\0')
			return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
		if (*m == NULL)
			*m = message(list, role, "");
		add_call(*m, id, json_string(block, "name"), json_member(block, "input"));
	} else if (same(type, "tool_result") && same(role, "user")) {
		if (*said)
			return "tool_result blocks must come before text";
		put_text(message(list, "tool", json_string(block, "content")), "tool_call_id",
		    json_string(block, "tool_use_id"));
	} else
		return "messages: a content block of an unknown type";
	return NULL;
}

static const char *anthropic_messages(struct json_object *raw, struct json_object *list)
{
	struct json_object *all = json_member(raw, "messages");
	const char *before = "assistant", *why = NULL;

	if (length(all) == 0)
		return "messages: at least one message is required";
	for (size_t i = 0; i < length(all) && why == NULL; i++) {
		const char *role = json_string(at(all, i), "role");
		struct json_object *content = json_member(at(all, i), "content"), *m = NULL;
		bool said = false;
		if ((!same(role, "user") && !same(role, "assistant")) || same(role, before))
			return "messages: roles must alternate between \"user\" and \"assistant\"";
		before = role;
		if (length(content) == 0)
			return "messages: content must be non-empty";
		for (size_t k = 0; k < length(content) && why == NULL; k++)
			why = anthropic_block(list, &m, role, at(content, k), &said);
	}
	return why;
}

static const char *anthropic(struct json_object *raw, struct json_object *out, const char *path)
{
	struct json_object *system = json_member(raw, "system"), *tools = json_member(raw, "tools");
	struct json_object *list = json_object_new_array(), *choice = json_member(raw, "tool_choice");
	const char *type = json_string(choice, "type");

	(void)path;
	put(out, "messages", list);
	for (size_t i = 0; i < length(system); i++)
		message(list, "system", json_string(at(system, i), "text"));
	if (json_number(raw, "max_tokens", 0) <= 0)
		return "max_tokens: Field required";
	struct json_object *temperature = json_member(raw, "temperature");
	if (temperature != NULL && json_object_get_double(temperature) > 1)
		return "temperature: range: 0..1";
	if (tools != NULL) {
		struct json_object *offered = json_object_new_array();
		put(out, "tools", offered);
		for (size_t i = 0; i < length(tools); i++) {
			if (!is_object(json_member(at(tools, i), "input_schema")))
				return "tools.input_schema: Field required";
			add_tool(offered, at(tools, i), "input_schema");
		}
	}
	if (choice != NULL)
		put_choice(out, same(type, "tool") ? json_string(choice, "name") : NULL,
		    same(type, "any") ? "required" : same(type, "none") ? "none" : "auto");
	return anthropic_messages(raw, list);
}

/* -- gemini -- */

/* Calls have no ids: the k-th of content i is "i.k". */
static const char *gemini_part(struct json_object *list, struct json_object **m, const char *role,
    struct json_object *part, size_t i, size_t *calls, size_t *results, struct json_object *before)
{
	struct json_object *call = json_member(part, "functionCall");
	struct json_object *result = json_member(part, "functionResponse");
	char id[32];

	if (call != NULL) {
		if (!is_object(json_member(call, "args")))
			return "functionCall.args: expected an object";
		if (*calls == 0 && json_string(part, "thoughtSignature") == NULL)
			return "Function call is missing a thought_signature in functionCall parts";
		if (*m == NULL)
			*m = message(list, "assistant", "");
		snprintf(id, sizeof(id), "%zu.%zu", i, (*calls)++);
		add_call(*m, id, json_string(call, "name"), json_member(call, "args"));
	} else if (result != NULL) {
		struct json_object *answered = json_member(at(json_member(before, "parts"),
		    *results < length(json_member(before, "parts")) ? *results : 0), "functionCall");
		if (!is_object(json_member(result, "response")))
			return "functionResponse.response: expected an object";
		/* a text may stand before the calls */
		if (answered == NULL && length(json_member(before, "parts")) > *results + 1)
			answered = json_member(at(json_member(before, "parts"), *results + 1), "functionCall");
		if (!same(json_string(answered, "name"), json_string(result, "name")))
			return "functionResponse.name does not match the function call";
		if (json_string(answered, "id") != NULL &&
		    !same(json_string(answered, "id"), json_string(result, "id")))
			return "functionResponse.id does not match the function call";
		snprintf(id, sizeof(id), "%zu.%zu", i - 1, (*results)++);
		put_text(message(list, "tool", json_string(json_member(result, "response"), "output")),
		    "tool_call_id", id);
	} else if (json_string(part, "text") != NULL && *json_string(part, "text") != '\0')
		*m = message(list, role, json_string(part, "text"));
	else
		return "contents.parts: one of text, functionCall, functionResponse must be set";
	return NULL;
}

static const char *gemini_contents(struct json_object *raw, struct json_object *list)
{
	struct json_object *all = json_member(raw, "contents");
	const char *why = NULL;

	if (length(all) == 0)
		return "contents is not specified";
	for (size_t i = 0; i < length(all) && why == NULL; i++) {
		const char *role = json_string(at(all, i), "role");
		struct json_object *parts = json_member(at(all, i), "parts"), *m = NULL;
		size_t calls = 0, results = 0;
		if (!same(role, "user") && !same(role, "model"))
			return "Please use a valid role: user, model.";
		if (length(parts) == 0)
			return "contents.parts must not be empty";
		for (size_t k = 0; k < length(parts) && why == NULL; k++)
			why = gemini_part(list, &m, same(role, "model") ? "assistant" : "user", at(parts, k),
			    i, &calls, &results, i > 0 ? at(all, i - 1) : NULL);
	}
	return why;
}

static const char *gemini(struct json_object *raw, struct json_object *out, const char *path)
{
	struct json_object *list = json_object_new_array();
	struct json_object *system = json_member(json_member(raw, "systemInstruction"), "parts");
	struct json_object *tools = json_member(raw, "tools");
	struct json_object *calling = json_member(json_member(raw, "toolConfig"), "functionCallingConfig");
	const char *mode = json_string(calling, "mode");

	/* …/models/NAME:method */
	const char *name = strstr(path, "/models/"), *end = name != NULL ? strchr(name, ':') : NULL;
	put(out, "messages", list);
	if (end == NULL)
		return "models/ is missing";
	name += strlen("/models/");
	put(out, "model", json_object_new_string_len(name, (int)(end - name)));
	put(out, "stream", json_object_new_boolean(strncmp(end, ":stream", 7) == 0));
	for (size_t i = 0; i < length(system); i++)
		message(list, "system", json_string(at(system, i), "text"));
	if (tools != NULL) {
		struct json_object *declared = json_member(at(tools, 0), "functionDeclarations");
		struct json_object *offered = json_object_new_array();
		put(out, "tools", offered);
		for (size_t i = 0; i < length(declared); i++) {
			struct json_object *schema = json_member(at(declared, i), "parametersJsonSchema");
			struct json_object *members = json_member(schema, "properties");
			if (schema != NULL && (!is_object(members) || json_object_object_length(members) == 0))
				return "parameters.properties: should be non-empty for OBJECT type";
			add_tool(offered, at(declared, i), "parametersJsonSchema");
		}
	}
	struct json_object *allowed = json_member(calling, "allowedFunctionNames");
	if (mode != NULL)
		put_choice(out, length(allowed) > 0 ? json_object_get_string(at(allowed, 0)) : NULL,
		    same(mode, "ANY") ? "required" : same(mode, "NONE") ? "none" : "auto");
	if (end != NULL && strstr(end, "mbed") != NULL)
		return NULL;
	return gemini_contents(raw, list);
}

/* -- ollama -- */

static const char *ollama(struct json_object *raw, struct json_object *out, const char *path)
{
	struct json_object *all = json_member(raw, "messages"), *list = json_object_new_array();
	struct json_object *calls = NULL, *tools = json_member(raw, "tools");
	size_t answered = 0;
	char id[32];

	(void)path;
	put(out, "messages", list);
	if (json_member(raw, "stream") == NULL)
		put(out, "stream", json_object_new_boolean(true));
	if (tools != NULL)
		put(out, "tools", json_object_get(tools));
	for (size_t i = 0; i < length(all); i++) {
		struct json_object *m = at(all, i), *own = json_member(m, "tool_calls");
		const char *role = json_string(m, "role");
		if (role == NULL || json_string(m, "content") == NULL)
			return "invalid message";
		struct json_object *copy = message(list, role, json_string(m, "content"));
		if (same(role, "tool")) {
			struct json_object *f = answered < length(calls)
			    ? json_member(at(calls, answered), "function") : NULL;
			if (!same(json_string(f, "name"), json_string(m, "tool_name")))
				return "tool_name does not match the call";
			snprintf(id, sizeof(id), "call_%zu", answered++);
			put_text(copy, "tool_call_id", id);
			continue;
		}
		calls = own;
		answered = 0;
		for (size_t k = 0; k < length(own); k++) {
			struct json_object *f = json_member(at(own, k), "function");
			if (!is_object(json_member(f, "arguments")))
				return "json: cannot unmarshal string into Go struct field arguments";
			snprintf(id, sizeof(id), "call_%zu", k);
			add_call(copy, id, json_string(f, "name"), json_member(f, "arguments"));
		}
	}
	return NULL;
}

/* -- which format -- */

static const struct {
	enum format format;
	const char *chat, *embed;              /* how the path ends */
	const char *key;                       /* the header field that has it */
	const char *(*read)(struct json_object *raw, struct json_object *out, const char *path);
} formats[] = {
	{ FORMAT_ANTHROPIC, "/v1/messages", NULL, "x-api-key", anthropic },
	{ FORMAT_GEMINI, ":generateContent", ":batchEmbedContents", "x-goog-api-key", gemini },
	{ FORMAT_GEMINI, ":streamGenerateContent", NULL, "x-goog-api-key", gemini },
	{ FORMAT_OLLAMA, "/api/chat", "/api/embed", NULL, ollama },
};

/* The texts to embed, as chat completions has them. */
static struct json_object *inputs(struct json_object *raw)
{
	struct json_object *requests = json_member(raw, "requests"), *out = json_object_new_array();

	if (requests == NULL) {
		json_object_put(out);
		return json_object_get(json_member(raw, "input"));
	}
	for (size_t i = 0; i < length(requests); i++)
		json_object_array_add(out, json_object_new_string(json_string(at(json_member(json_member(
		    at(requests, i), "content"), "parts"), 0), "text")));
	return out;
}

void request_translate(struct request *r, const struct http *h)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		bool chat = ends_with(r->path, formats[i].chat);
		bool embed = formats[i].embed != NULL && ends_with(r->path, formats[i].embed);
		if (!chat && !embed)
			continue;
		struct json_object *out = json_object_new_object(), *model = json_member(r->body, "model");
		r->format = formats[i].format;
		r->chat = chat;
		r->raw = r->body;
		r->body = out;
		if (formats[i].key != NULL)
			r->key = http_field(h, formats[i].key);
		if (model != NULL)
			put(out, "model", json_object_get(model));
		if (json_member(r->raw, "stream") != NULL)
			put(out, "stream", json_object_get(json_member(r->raw, "stream")));
		if (embed)
			put(out, "input", inputs(r->raw));
		if (chat || r->format == FORMAT_GEMINI)
			r->wrong = formats[i].read(r->raw, out, r->path);
		if (embed)
			r->wrong = NULL;
		if (r->format == FORMAT_ANTHROPIC && *http_field(h, "anthropic-version") == '\0')
			r->wrong = "anthropic-version: header is required";
		return;
	}
}
