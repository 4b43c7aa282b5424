/*
 * The dialect `gemini`: generateContent and streamGenerateContent of Google's Gemini API.
 *
 * A conversation is a list of contents of the user or of the model, and each has parts: text, calls of
 * functions, results of functions. Results have the name of the function and are objects. A stream is
 * a list of whole replies with the next parts; a call is never cut. Its end is a finish reason; there
 * is no other mark.
 *
 * Newer models want the signature of a call back when the call is sent again, and refuse the request
 * without one. A call that has none, because another provider made it, gets the mark by which Google
 * lets such calls pass.
 */
#include "services/llm_dialect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_parse.h"
#include "services/llm_server.h"

#define NO_SIGNATURE "skip_thought_signature_validator"

/* -- addresses -- */

static const char *const ends[] = { "/models", NULL };

/* "models/" may stand before a name already. */
static const char *plain(const char *model)
{
	return starts_with(model, "models/") ? model + strlen("models/") : model;
}

static void put_model(struct buf *b, const char *model)
{
	buf_puts(b, "/models/");
	for (const char *p = plain(model); *p != '\0'; p++)
		if (isalnum((unsigned char)*p) || strchr("-._", *p) != NULL)
			buf_putc(b, *p);
		else
			buf_printf(b, "%%%02X", (unsigned)(unsigned char)*p);
}

static void chat_path(struct buf *b, const struct llm_request *req)
{
	put_model(b, req->model);
	buf_puts(b, req->stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
}

static void embed_path(struct buf *b, const char *model)
{
	put_model(b, model);
	buf_puts(b, ":batchEmbedContents");
}

static void fields(struct llm_server *s, const struct llm_provider_config *c)
{
	(void)c;
	if (s->key != NULL)
		llm_server_field(s, "x-goog-api-key:", s->key);
}

/* -- requests -- */

static const struct llm_param params[] = {
	{ PARAM_TEMPERATURE, "temperature" },
	{ PARAM_TOOL_CHOICE_NAMED, "allowed_function_names" },
	{ PARAM_TOOL_CHOICE_NAMED, "allowedFunctionNames" },
	{ PARAM_TOOL_CHOICE, "toolConfig" },
	{ PARAM_TOOL_CHOICE, "tool_config" },
	{ 0, NULL },
};

/* Google advises against any temperature but its own for models from version 3 on. */
static bool wants_temperature(const char *model)
{
	model = plain(model);
	return !starts_with(model, "gemini-") || strtol(model + strlen("gemini-"), NULL, 10) < 3;
}

static void put_text(struct buf *b, const struct llm_message *m)
{
	buf_puts(b, "{\"text\":");
	llm_put_content(b, m);
	buf_putc(b, '}');
}

/* An id goes back as it came, unless it was made up here, for a model that gives none (call_1). */
static void put_id(struct buf *b, const char *id)
{
	const char *digits = starts_with(id, "call_") ? id + strlen("call_") : id;
	if (digits != id && digits[strspn(digits, "0123456789")] == '\0')
		return;
	buf_puts(b, "\"id\":");
	jsn_print_str(b, id);
	buf_putc(b, ',');
}

static void put_call(struct buf *b, const struct llm_tool_call *c)
{
	buf_puts(b, "{\"functionCall\":{");
	put_id(b, c->id);
	buf_puts(b, "\"name\":");
	jsn_print_str(b, c->name);
	buf_puts(b, ",\"args\":");
	llm_put_object(b, c->arguments);
	buf_putc(b, '}');
}

/* The first call of a reply has the signature of all of them. */
static void put_calls(struct buf *b, const struct llm_message *m, bool first)
{
	for (size_t i = 0; i < m->ncalls; i++) {
		const struct llm_tool_call *c = &m->calls[i];
		buf_puts(b, first && i == 0 ? "" : ",");
		put_call(b, c);
		if (c->signature != NULL || i == 0) {
			buf_puts(b, ",\"thoughtSignature\":");
			jsn_print_str(b, c->signature != NULL ? c->signature : NO_SIGNATURE);
		}
		buf_putc(b, '}');
	}
}

static void put_result(struct buf *b, const struct llm_request *req, size_t i)
{
	const struct llm_message *m = &req->messages[i];
	buf_puts(b, "{\"functionResponse\":{");
	put_id(b, m->call_id);
	buf_puts(b, "\"name\":");
	jsn_print_str(b, llm_function_of(req, i));
	buf_puts(b, ",\"response\":{\"output\":");
	jsn_print_str(b, m->content);
	buf_puts(b, "}}}");
}

static void put_contents(struct buf *b, const struct llm_request *req)
{
	bool any = false;
	const struct llm_message *before = NULL;
	for (size_t i = 0; i < req->nmessages; i++) {
		const struct llm_message *m = &req->messages[i];
		if (streq(m->role, "system") || (*m->content == '\0' && m->ncalls == 0 &&
		    m->call_id == NULL))
			continue;
		/* the results of one reply stand together */
		bool joins = m->call_id != NULL && before != NULL && before->call_id != NULL;
		if (joins)
			buf_putc(b, ',');
		else
			buf_printf(b, "%s{\"role\":\"%s\",\"parts\":[", any ? "]}," : "",
			    streq(m->role, "assistant") ? "model" : "user");
		if (m->call_id != NULL)
			put_result(b, req, i);
		else if (*m->content != '\0')
			put_text(b, m);
		put_calls(b, m, *m->content == '\0');
		before = m;
		any = true;
	}
	buf_puts(b, any ? "]}" : "");
}

static void put_system(struct buf *b, const struct llm_request *req)
{
	bool any = false;
	for (size_t i = 0; i < req->nmessages; i++) {
		if (!streq(req->messages[i].role, "system") || *req->messages[i].content == '\0')
			continue;
		buf_puts(b, any ? "," : ",\"systemInstruction\":{\"parts\":[");
		put_text(b, &req->messages[i]);
		any = true;
	}
	buf_puts(b, any ? "]}" : "");
}

static void put_tools(struct buf *b, const struct llm_request *req, unsigned sent)
{
	static const char *const modes[] = { [LLM_AUTO] = "AUTO", [LLM_REQUIRED] = "ANY",
		[LLM_NAMED] = "ANY", [LLM_NONE] = "NONE" };
	buf_puts(b, ",\"tools\":[{\"functionDeclarations\":[");
	for (size_t i = 0; i < req->tools->count; i++) {
		const struct llm_tool_text *t = &req->tools->list[i];
		/* an object without members is refused as a schema */
		buf_printf(b, "%s{\"name\":%s,\"description\":%s%s%s}", i == 0 ? "" : ",", t->name, t->doc,
		    t->arguments ? ",\"parametersJsonSchema\":" : "", t->arguments ? t->parameters : "");
	}
	buf_puts(b, "]}]");
	if (!(sent & PARAM_TOOL_CHOICE))
		return;
	buf_printf(b, ",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"%s\"", modes[req->choice]);
	if (sent & PARAM_TOOL_CHOICE_NAMED) {
		buf_puts(b, ",\"allowedFunctionNames\":[");
		jsn_print_str(b, req->named);
		buf_putc(b, ']');
	}
	buf_puts(b, "}}");
}

/* The parameters of a request that can be left out. */
static unsigned params_of(const struct llm_request *req)
{
	static const unsigned choices[] = {
		[LLM_AUTO] = 0,
		[LLM_REQUIRED] = PARAM_TOOL_CHOICE,
		[LLM_NAMED] = PARAM_TOOL_CHOICE | PARAM_TOOL_CHOICE_NAMED,
		[LLM_NONE] = PARAM_TOOL_CHOICE,
	};
	return (wants_temperature(req->model) ? PARAM_TEMPERATURE : 0u) |
	    (req->tools != NULL ? PARAM_FUNCTIONS | choices[req->choice] : 0u);
}

static unsigned chat_body(struct buf *b, const struct llm_server *s, const struct llm_request *req,
    unsigned without)
{
	unsigned sent = params_of(req) & ~without;
	(void)s;
	buf_puts(b, "{\"contents\":[");
	put_contents(b, req);
	buf_putc(b, ']');
	put_system(b, req);
	if (req->tools != NULL)
		put_tools(b, req, sent);
	if (sent & PARAM_TEMPERATURE) {
		char number[32];
		num_print(number, req->temperature);
		buf_printf(b, ",\"generationConfig\":{\"temperature\":%s}", number);
	}
	buf_putc(b, '}');
	return sent;
}

static unsigned embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without)
{
	(void)without;
	buf_puts(b, "{\"requests\":[");
	for (size_t i = 0; i < n; i++) {
		buf_puts(b, i > 0 ? ",{\"model\":\"models/" : "{\"model\":\"models/");
		struct buf name;
		buf_init(&name, SIZE_MAX / 2);
		jsn_print_str(&name, plain(model));
		buf_put(b, name.p + 1, name.n - 1);
		buf_release(&name);
		buf_puts(b, ",\"content\":{\"parts\":[{\"text\":");
		jsn_print_str(b, texts[i]);
		buf_puts(b, "}]}}");
	}
	buf_puts(b, "]}");
	return 0;
}

/* -- replies -- */

static const struct parse_reason reasons[] = {
	{ "STOP", "stop" }, { "MAX_TOKENS", "length" },
	{ "SAFETY", "content_filter" }, { "RECITATION", "content_filter" },
	{ "BLOCKLIST", "content_filter" }, { "PROHIBITED_CONTENT", "content_filter" },
	{ "SPII", "content_filter" }, { "IMAGE_SAFETY", "content_filter" },
	{ NULL, NULL },
};

/* The thoughts of a reply are paid for as what it says. */
static void take_usage(struct llm_parse *r, struct json_object *usage)
{
	int64_t in = parse_count(usage, "promptTokenCount");
	int64_t out = parse_count(usage, "candidatesTokenCount");
	int64_t thoughts = parse_count(usage, "thoughtsTokenCount");
	int64_t cached = parse_count(usage, "cachedContentTokenCount");
	if (in >= 0)
		r->input = in;
	if (out >= 0 || thoughts >= 0)
		r->output = (out > 0 ? out : 0) + (thoughts > 0 ? thoughts : 0);
	if (cached >= 0)
		r->cached = cached;
}

static void take_call(struct llm_parse *r, struct json_object *part)
{
	struct json_object *f = jsn_get(part, "functionCall"), *args = jsn_get(f, "args");
	if (!jsn_is(f, json_type_object))
		return;
	struct parse_call *c = parse_call_new(r, -1, jsn_get_str(f, "id", ""), jsn_get_str(f, "name", ""));
	if (c == NULL)
		return;
	if (jsn_is(args, json_type_object))
		parse_arguments(c, args);
	else
		buf_puts(&c->arguments, "{}");
	buf_puts(&c->signature, jsn_get_str(part, "thoughtSignature", ""));
}

static enum errcode take_candidate(struct llm_parse *r, struct json_object *candidate)
{
	struct json_object *parts = jsn_get(jsn_get(candidate, "content"), "parts");
	const char *finish = jsn_get_str(candidate, "finishReason", "");
	r->began = true;
	for (size_t i = 0; jsn_is(parts, json_type_array) && i < jsn_len(parts); i++) {
		struct json_object *part = jsn_at(parts, i);
		if (!jsn_truthy(jsn_get(part, "thought")))
			parse_text(r, jsn_get(part, "text"));
		take_call(r, part);
	}
	if (streq(finish, "MALFORMED_FUNCTION_CALL") || streq(finish, "UNEXPECTED_TOOL_CALL")) {
		/* the words that other servers have for it */
		r->error = (struct llm_error){ .status = 400, .code = "tool_use_failed",
			.retry_after_ms = -1 };
		return parse_fail(r, VERDICT_REFUSED);
	}
	parse_finish(r, streq(finish, "STOP") && r->ncalls > 0 ? "tool_calls" : finish, reasons);
	return parse_pass_on(r);
}

static enum errcode take(struct llm_parse *r, struct json_object *root, const char *event)
{
	struct json_object *candidates = jsn_get(root, "candidates");
	struct json_object *feedback = jsn_get(root, "promptFeedback");
	(void)event;
	take_usage(r, jsn_get(root, "usageMetadata"));
	if (*jsn_get_str(feedback, "blockReason", "") != '\0')
		parse_finish(r, "content_filter", NULL);
	/* one is asked for */
	return jsn_is(candidates, json_type_array) && jsn_len(candidates) > 0 ?
	    take_candidate(r, jsn_at(candidates, 0)) : OK;
}

const struct llm_dialect llm_gemini = {
	.name = "gemini",
	.key_setting = "GOOGLE_API_KEY",
	.url_setting = "GOOGLE_BASE_URL",
	.models = "GOOGLE_MODEL, AVIATION_AGENT_PLANNER_MODEL, AVIATION_AGENT_FORMATTER_MODEL",
	.default_url = "https://generativelanguage.googleapis.com/v1beta",
	.example_url = "https://generativelanguage.googleapis.com/v1beta",
	.url_hint = "is GOOGLE_BASE_URL complete, does it end in /v1beta?",
	.tools_hint = "choose another model",
	.needs_key = true,
	.ends = ends,
	.chat_path = chat_path,
	.embed_path = embed_path,
	.fields = fields,
	.params = params,
	.chat_body = chat_body,
	.embed_body = embed_body,
	.vectors = { .list = "embeddings", .vector = "values" },
	.take = take,
};
