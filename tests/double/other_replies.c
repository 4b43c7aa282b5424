/*
 * Replies in the formats of Anthropic, Gemini and Ollama, made of the pieces that a case has for chat
 * completions.
 *
 * A piece is {"content":"…"} or the beginning or a part of a call. Gemini and Ollama send a call whole
 * and at once, so there the parts of its arguments send nothing.
 */
#include "double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The inside of a piece of text; NULL: it is a part of a call. */
static const char *inside(const char *p, size_t n, size_t *len)
{
	static const char open[] = "{\"content\":\"";
	size_t k = sizeof(open) - 1;

	if (n < k + 2 || memcmp(p, open, k) != 0)
		return NULL;
	*len = n - k - 2;
	return p + k;
}

/* The call that a piece begins or continues: its index, and its name or the next part of its
 * arguments (as the inside of a JSON string). */
static struct json_object *call_of(const char *p)
{
	struct json_object *delta = json_tokener_parse(p), *calls = json_member(delta, "tool_calls");
	struct json_object *call = calls != NULL
	    ? json_object_get(json_object_array_get_idx(calls, 0)) : NULL;

	json_object_put(delta);
	return call;
}

static struct json_object *whole_calls(const struct reply *r)
{
	struct text t = { 0 };

	text_puts(&t, "[");
	text_put(&t, r->calls.p, r->calls.n);
	text_puts(&t, "]");
	struct json_object *calls = json_tokener_parse(t.p);
	text_free(&t);
	return calls;
}

/* The arguments of a whole call as an object; {} where they are none. */
static void put_arguments(struct text *t, struct json_object *call)
{
	const char *text = json_string(json_member(call, "function"), "arguments");
	struct json_object *o = text != NULL ? json_tokener_parse(text) : NULL;

	text_puts(t, json_object_is_type(o, json_type_object)
	    ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : "{}");
	json_object_put(o);
}

static const char *name_of(struct json_object *call)
{
	return json_string(json_member(call, "function"), "name");
}

static void put_model(struct text *t, const struct speech *s)
{
	text_json(t, s->model, strlen(s->model), false);
}

static void put_content(struct text *t, const struct reply *r)
{
	size_t rounds = r->calls.n > 0 || r->npieces == 0 ? 1 : r->total / r->npieces;
	while (rounds-- > 0)
		text_put(t, r->content.p, r->content.n);
}

/* The word of a format for a finish reason. */
struct ending {
	const char *finish, *word;
};

static const char *word_of(const struct ending *rows, const struct reply *r)
{
	const char *finish = r->calls.n > 0 && strcmp(r->finish, "stop") == 0 ? "tool_calls" : r->finish;

	for (; rows->finish != NULL; rows++)
		if (strcmp(rows->finish, finish) == 0)
			return rows->word;
	return finish;
}

static void event(struct text *t, const struct speech *s, const char *name, const struct text *data)
{
	const char *end = s->reply->crlf ? "\r\n" : "\n";

	if (name != NULL)
		text_printf(t, "event: %s%s", name, end);
	text_puts(t, "data: ");
	text_put(t, data->p, data->n);
	text_printf(t, "%s%s", end, end);
}

/* -- anthropic -- */

static const struct ending anthropic_endings[] = {
	{ "stop", "end_turn" }, { "tool_calls", "tool_use" }, { "length", "max_tokens" },
	{ "content_filter", "refusal" }, { NULL, NULL },
};

static void anthropic_event(struct text *t, const struct speech *s, struct text *data)
{
	char name[32] = "";

	sscanf(data->p, "{\"type\":\"%31[a-z_]", name);
	event(t, s, name, data);
	text_free(data);
}

static void anthropic_usage(struct text *t, const struct reply *r)
{
	/* a tenth was read from a cache */
	text_printf(t, "{\"input_tokens\":%lld,\"cache_creation_input_tokens\":0,"
	    "\"cache_read_input_tokens\":%lld,\"output_tokens\":%lld}",
	    (long long)(r->usage_in - r->usage_in / 10), (long long)(r->usage_in / 10),
	    (long long)r->usage_out);
}

static void anthropic_whole(struct text *t, const struct speech *s)
{
	const struct reply *r = s->reply;
	struct json_object *calls = whole_calls(r);
	const char *comma = "";

	text_printf(t, "{\"id\":\"msg_%lld\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"",
	    (long long)s->id);
	put_model(t, s);
	text_puts(t, "\",\"content\":[");
	if (r->thinking != NULL) {
		text_puts(t, "{\"type\":\"thinking\",\"signature\":\"c2ln\",\"thinking\":\"");
		text_json(t, r->thinking, strlen(r->thinking), false);
		text_puts(t, "\"}");
		comma = ",";
	}
	if (r->content.n > 0) {
		text_printf(t, "%s{\"type\":\"text\",\"text\":\"", comma);
		put_content(t, r);
		text_puts(t, "\"}");
		comma = ",";
	}
	for (size_t i = 0; i < json_object_array_length(calls); i++) {
		struct json_object *call = json_object_array_get_idx(calls, i);
		text_printf(t, "%s{\"type\":\"tool_use\",\"id\":\"toolu_%zu\",\"name\":\"%s\",\"input\":", comma,
		    i, name_of(call));
		put_arguments(t, call);
		text_puts(t, "}");
		comma = ",";
	}
	text_puts(t, "],\"stop_reason\":");
	if (r->finish != NULL)
		text_printf(t, "\"%s\"", word_of(anthropic_endings, r));
	else
		text_puts(t, "null");
	text_puts(t, ",\"stop_sequence\":null");
	if (r->usage) {
		text_puts(t, ",\"usage\":");
		anthropic_usage(t, r);
	}
	text_puts(t, "}");
	json_object_put(calls);
}

static void close_block(struct text *t, struct speech *s)
{
	struct text d = { 0 };

	if (!s->open)
		return;
	text_printf(&d, "{\"type\":\"content_block_stop\",\"index\":%d}", s->block);
	anthropic_event(t, s, &d);
	s->open = false;
}

/* Begin the next block; `start` is the inside of its object. */
static void open_block(struct text *t, struct speech *s, bool text, const char *start)
{
	struct text d = { 0 };

	close_block(t, s);
	s->block++;
	s->open = true;
	s->texting = text;
	text_printf(&d, "{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{%s}}", s->block,
	    start);
	anthropic_event(t, s, &d);
}

static void block_delta(struct text *t, struct speech *s, const char *type, const char *member,
    const char *p, size_t n)
{
	struct text d = { 0 };

	text_printf(&d, "{\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"%s\",\"%s\":\"",
	    s->block, type, member);
	text_put(&d, p, n);
	text_puts(&d, "\"}}");
	anthropic_event(t, s, &d);
}

static void anthropic_begin(struct text *t, struct speech *s)
{
	const struct reply *r = s->reply;
	struct text d = { 0 };

	s->block = -1;
	text_printf(&d, "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_%lld\",\"type\":\"message\","
	    "\"role\":\"assistant\",\"content\":[],\"stop_reason\":null,\"model\":\"", (long long)s->id);
	put_model(&d, s);
	text_puts(&d, "\"");
	if (r->usage)
		text_printf(&d, ",\"usage\":{\"input_tokens\":%lld,\"cache_read_input_tokens\":%lld,"
		    "\"output_tokens\":1}", (long long)(r->usage_in - r->usage_in / 10),
		    (long long)(r->usage_in / 10));
	text_puts(&d, "}}");
	anthropic_event(t, s, &d);
	text_puts(&d, "{\"type\":\"ping\"}");
	anthropic_event(t, s, &d);
	/* readers shall ignore what they do not know */
	text_puts(&d, "{\"type\":\"novelty\",\"delta\":{\"text\":\"NOT THE ANSWER\"}}");
	anthropic_event(t, s, &d);
	if (r->thinking == NULL)
		return;
	struct text inner = { 0 };
	text_json(&inner, r->thinking, strlen(r->thinking), false);
	open_block(t, s, false, "\"type\":\"thinking\",\"thinking\":\"\"");
	block_delta(t, s, "thinking_delta", "thinking", inner.p, inner.n);
	block_delta(t, s, "signature_delta", "signature", "c2ln", 4);
	text_free(&inner);
}

static void anthropic_piece(struct text *t, struct speech *s, const char *p, size_t n)
{
	size_t len;
	const char *text = inside(p, n, &len);

	if (text != NULL) {
		if (!s->open || !s->texting)
			open_block(t, s, true, "\"type\":\"text\",\"text\":\"\"");
		block_delta(t, s, "text_delta", "text", text, len);
		return;
	}
	struct json_object *call = call_of(p);
	const char *args = json_string(json_member(call, "function"), "arguments");
	if (call != NULL && name_of(call) != NULL) {
		char start[256];
		snprintf(start, sizeof(start), "\"type\":\"tool_use\",\"id\":\"toolu_%lld\",\"name\":\"%.100s\","
		    "\"input\":{}", (long long)json_number(call, "index", 0), name_of(call));
		open_block(t, s, false, start);
	} else if (args != NULL) {
		struct text inner = { 0 };
		text_json(&inner, args, strlen(args), false);
		block_delta(t, s, "input_json_delta", "partial_json", inner.p, inner.n);
		text_free(&inner);
	}
	json_object_put(call);
}

static void anthropic_finish(struct text *t, struct speech *s)
{
	const struct reply *r = s->reply;
	struct text d = { 0 };

	close_block(t, s);
	if (r->finish != NULL) {
		text_printf(&d, "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\","
		    "\"stop_sequence\":null}", word_of(anthropic_endings, r));
		if (r->usage)
			text_printf(&d, ",\"usage\":{\"output_tokens\":%lld}", (long long)r->usage_out);
		text_puts(&d, "}");
		anthropic_event(t, s, &d);
	}
	if (r->done) {
		text_puts(&d, "{\"type\":\"message_stop\"}");
		anthropic_event(t, s, &d);
	}
}

static void anthropic_error(struct text *t, int status, const char *message)
{
	static const struct { int status; const char *type; } rows[] = {
		{ 400, "invalid_request_error" }, { 401, "authentication_error" },
		{ 403, "permission_error" }, { 404, "not_found_error" }, { 413, "request_too_large" },
		{ 429, "rate_limit_error" }, { 529, "overloaded_error" }, { 0, "api_error" },
	};
	size_t i = 0;
	while (rows[i].status != 0 && rows[i].status != status)
		i++;
	text_printf(t, "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"", rows[i].type);
	text_puts(t, message);
	text_puts(t, "\"},\"request_id\":\"req_1\"}");
}

/* -- gemini -- */

static const struct ending gemini_endings[] = {
	{ "stop", "STOP" }, { "tool_calls", "STOP" }, { "length", "MAX_TOKENS" },
	{ "content_filter", "SAFETY" }, { NULL, NULL },
};

static void gemini_usage(struct text *t, const struct reply *r)
{
	if (r->usage)
		text_printf(t, ",\"usageMetadata\":{\"promptTokenCount\":%lld,\"candidatesTokenCount\":%lld,"
		    "\"thoughtsTokenCount\":1,\"cachedContentTokenCount\":%lld}", (long long)r->usage_in,
		    (long long)(r->usage_out - 1), (long long)(r->usage_in / 10));
}

static void gemini_call(struct text *t, struct json_object *call, size_t i)
{
	text_printf(t, "{\"functionCall\":{\"id\":\"g%zu\",\"name\":\"%s\",\"args\":", i, name_of(call));
	put_arguments(t, call);
	text_puts(t, i == 0 ? "},\"thoughtSignature\":\"c2lnbmF0dXJl\"}" : "}}");
}

static void gemini_thought(struct text *t, const struct reply *r)
{
	text_puts(t, "{\"thought\":true,\"text\":\"");
	text_json(t, r->thinking, strlen(r->thinking), false);
	text_puts(t, "\"}");
}

/* A reply of the parts in `parts`. */
static void gemini_reply(struct text *t, const struct speech *s, const struct text *parts,
    const char *finish)
{
	text_puts(t, "{\"candidates\":[{\"content\":{\"parts\":[");
	text_put(t, parts->p, parts->n);
	text_puts(t, "],\"role\":\"model\"}");
	if (finish != NULL)
		text_printf(t, ",\"finishReason\":\"%s\"", finish);
	text_puts(t, ",\"index\":0}]");
	gemini_usage(t, s->reply);
	text_puts(t, ",\"modelVersion\":\"");
	put_model(t, s);
	text_puts(t, "\"}");
}

/* Nothing was said because the question is not allowed. */
static bool gemini_blocked(struct text *t, const struct reply *r)
{
	if (r->finish == NULL || strcmp(r->finish, "content_filter") != 0 || r->npieces > 0)
		return false;
	text_puts(t, "{\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"}");
	gemini_usage(t, r);
	text_puts(t, "}");
	return true;
}

static void gemini_whole(struct text *t, const struct speech *s)
{
	const struct reply *r = s->reply;
	struct json_object *calls = whole_calls(r);
	struct text parts = { 0 };

	if (r->thinking != NULL)
		gemini_thought(&parts, r);
	if (r->content.n > 0) {
		text_puts(&parts, parts.n > 0 ? ",{\"text\":\"" : "{\"text\":\"");
		put_content(&parts, r);
		text_puts(&parts, "\"}");
	}
	for (size_t i = 0; i < json_object_array_length(calls); i++) {
		text_puts(&parts, parts.n > 0 ? "," : "");
		gemini_call(&parts, json_object_array_get_idx(calls, i), i);
	}
	if (!gemini_blocked(t, r))
		gemini_reply(t, s, &parts, r->finish != NULL ? word_of(gemini_endings, r) : NULL);
	text_free(&parts);
	json_object_put(calls);
}

static void gemini_chunk(struct text *t, const struct speech *s, const struct text *parts,
    const char *finish)
{
	struct text d = { 0 };

	gemini_reply(&d, s, parts, finish);
	event(t, s, NULL, &d);
	text_free(&d);
}

static void gemini_begin(struct text *t, struct speech *s)
{
	struct text parts = { 0 };

	if (s->reply->thinking == NULL)
		return;
	gemini_thought(&parts, s->reply);
	gemini_chunk(t, s, &parts, NULL);
	text_free(&parts);
}

static void gemini_piece(struct text *t, struct speech *s, const char *p, size_t n)
{
	size_t len;
	const char *text = inside(p, n, &len);
	struct text parts = { 0 };

	if (text != NULL) {
		text_puts(&parts, "{\"text\":\"");
		text_put(&parts, text, len);
		text_puts(&parts, "\"}");
	} else {
		struct json_object *call = call_of(p), *calls = whole_calls(s->reply);
		size_t i = (size_t)json_number(call, "index", 0);
		if (call != NULL && name_of(call) != NULL && i < json_object_array_length(calls))
			gemini_call(&parts, json_object_array_get_idx(calls, i), i);
		json_object_put(call);
		json_object_put(calls);
	}
	if (parts.n > 0)
		gemini_chunk(t, s, &parts, NULL);
	text_free(&parts);
}

static void gemini_finish(struct text *t, struct speech *s)
{
	const struct reply *r = s->reply;
	struct text d = { 0 }, parts = { 0 };

	if (gemini_blocked(&d, r)) {
		event(t, s, NULL, &d);
	} else if (r->finish != NULL) {
		text_puts(&parts, "{\"text\":\"\"}");
		gemini_chunk(t, s, &parts, word_of(gemini_endings, r));
	}
	text_free(&d);
	text_free(&parts);
}

static void gemini_error(struct text *t, int status, const char *message)
{
	static const struct { int status; const char *word; } rows[] = {
		{ 400, "INVALID_ARGUMENT" }, { 401, "UNAUTHENTICATED" }, { 403, "PERMISSION_DENIED" },
		{ 404, "NOT_FOUND" }, { 429, "RESOURCE_EXHAUSTED" }, { 503, "UNAVAILABLE" },
		{ 0, "INTERNAL" },
	};
	size_t i = 0;
	while (rows[i].status != 0 && rows[i].status != status)
		i++;
	text_printf(t, "{\"error\":{\"code\":%d,\"status\":\"%s\",\"message\":\"", status, rows[i].word);
	text_puts(t, message);
	text_puts(t, "\"");
	if (status == 429)
		text_puts(t, ",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\","
		    "\"retryDelay\":\"1s\"}]");
	text_puts(t, "}}");
}

/* -- ollama -- */

/* A line: `message` is the inside of the message after its role. */
static void ollama_line(struct text *t, const struct speech *s, const char *message, size_t n,
    bool done)
{
	const struct reply *r = s->reply;

	text_puts(t, "{\"model\":\"");
	put_model(t, s);
	text_puts(t, "\",\"created_at\":\"2026-01-02T03:04:05Z\",\"message\":{\"role\":\"assistant\",");
	text_put(t, message, n);
	text_puts(t, done ? "},\"done\":true" : "},\"done\":false");
	if (done)
		text_printf(t, ",\"done_reason\":\"%s\"", strcmp(r->finish, "content_filter") == 0 ? "stop"
		    : r->finish);
	if (done && r->usage)
		text_printf(t, ",\"total_duration\":5000,\"prompt_eval_count\":%lld,\"eval_count\":%lld",
		    (long long)r->usage_in, (long long)r->usage_out);
	text_puts(t, r->crlf ? "}\r\n" : "}\n");
}

static void ollama_call(struct text *t, struct json_object *call)
{
	text_printf(t, "{\"function\":{\"name\":\"%s\",\"arguments\":", name_of(call));
	put_arguments(t, call);
	text_puts(t, "}}");
}

static void ollama_thought(struct text *t, const struct reply *r)
{
	text_puts(t, "\"thinking\":\"");
	text_json(t, r->thinking, strlen(r->thinking), false);
	text_puts(t, "\",");
}

static void ollama_whole(struct text *t, const struct speech *s)
{
	const struct reply *r = s->reply;
	struct json_object *calls = whole_calls(r);
	struct text m = { 0 };

	if (r->thinking != NULL)
		ollama_thought(&m, r);
	text_puts(&m, "\"content\":\"");
	put_content(&m, r);
	text_puts(&m, "\"");
	for (size_t i = 0; i < json_object_array_length(calls); i++) {
		text_puts(&m, i == 0 ? ",\"tool_calls\":[" : ",");
		ollama_call(&m, json_object_array_get_idx(calls, i));
	}
	text_puts(&m, r->calls.n > 0 ? "]" : "");
	ollama_line(t, s, m.p, m.n, r->finish != NULL);
	text_free(&m);
	json_object_put(calls);
}

static void ollama_begin(struct text *t, struct speech *s)
{
	struct text m = { 0 };

	if (s->reply->thinking == NULL)
		return;
	ollama_thought(&m, s->reply);
	text_puts(&m, "\"content\":\"\"");
	ollama_line(t, s, m.p, m.n, false);
	text_free(&m);
}

static void ollama_piece(struct text *t, struct speech *s, const char *p, size_t n)
{
	size_t len;
	const char *text = inside(p, n, &len);
	struct text m = { 0 };

	text_puts(&m, "\"content\":\"");
	if (text != NULL) {
		text_put(&m, text, len);
		text_puts(&m, "\"");
		ollama_line(t, s, m.p, m.n, false);
	} else {
		struct json_object *call = call_of(p), *calls = whole_calls(s->reply);
		size_t i = (size_t)json_number(call, "index", 0);
		if (call != NULL && name_of(call) != NULL && i < json_object_array_length(calls)) {
			text_puts(&m, "\",\"tool_calls\":[");
			ollama_call(&m, json_object_array_get_idx(calls, i));
			text_puts(&m, "]");
			ollama_line(t, s, m.p, m.n, false);
		}
		json_object_put(call);
		json_object_put(calls);
	}
	text_free(&m);
}

static void ollama_finish(struct text *t, struct speech *s)
{
	if (s->reply->finish != NULL)
		ollama_line(t, s, "\"content\":\"\"", strlen("\"content\":\"\""), true);
}

static void ollama_error(struct text *t, int status, const char *message)
{
	(void)status;
	text_puts(t, "{\"error\":\"");
	text_puts(t, message);
	text_puts(t, "\"}");
}

/* -- embeddings -- */

static void gemini_vectors(struct text *t, const struct reply *r, struct json_object *input)
{
	text_puts(t, "{\"embeddings\":[");
	for (size_t i = 0; i < json_object_array_length(input); i++) {
		text_puts(t, i > 0 ? ",{\"values\":[" : "{\"values\":[");
		speech_vector(t, json_object_get_string(json_object_array_get_idx(input, i)), r->dims);
		text_puts(t, "]}");
	}
	text_puts(t, "]}");
}

static void ollama_vectors(struct text *t, const struct reply *r, struct json_object *input)
{
	text_puts(t, "{\"embeddings\":[");
	for (size_t i = 0; i < json_object_array_length(input); i++) {
		text_puts(t, i > 0 ? ",[" : "[");
		speech_vector(t, json_object_get_string(json_object_array_get_idx(input, i)), r->dims);
		text_puts(t, "]");
	}
	text_puts(t, "],\"prompt_eval_count\":9}");
}

const struct tongue tongues[FORMAT__MAX] = {
	[FORMAT_ANTHROPIC] = { "text/event-stream; charset=utf-8", anthropic_whole, anthropic_begin,
	    anthropic_piece, anthropic_finish, anthropic_error, NULL },
	[FORMAT_GEMINI] = { "text/event-stream", gemini_whole, gemini_begin, gemini_piece,
	    gemini_finish, gemini_error, gemini_vectors },
	[FORMAT_OLLAMA] = { "application/x-ndjson", ollama_whole, ollama_begin, ollama_piece,
	    ollama_finish, ollama_error, ollama_vectors },
};
