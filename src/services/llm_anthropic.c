/*
 * The dialect `anthropic`: the Messages API.
 *
 * Its conversation differs from that of chat completions. The system prompt stands beside the messages.
 * Messages are of the user or of the assistant, in turns, and their content is a list of blocks. A
 * call of a tool is a block of the assistant; its result is a block of the user's next message, and
 * the results of one reply stand together in one message. So neighbours of one side become one
 * message.
 */
#include "services/llm_dialect.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_parse.h"
#include "services/llm_server.h"

/* -- requests -- */

enum { PARAM_ONE_CALL = PARAM_PARALLEL_TOOL_CALLS };

static const struct llm_param params[] = {
	{ PARAM_ONE_CALL, "disable_parallel_tool_use" },
	{ PARAM_TEMPERATURE, "temperature" },
	{ PARAM_NO_THINKING, "thinking" },
	{ PARAM_TOOL_CHOICE_NAMED, "tool_choice" },
	{ PARAM_TOOL_CHOICE, "tool_choice" },
	{ 0, NULL },
};

static const char *const ends[] = { "/messages", "/v1", NULL };

static void chat_path(struct buf *b, const struct llm_request *req)
{
	(void)req;
	buf_puts(b, "/v1/messages");
}

static void fields(struct llm_server *s, const struct llm_provider_config *c)
{
	(void)c;
	if (s->key != NULL)
		llm_server_field(s, "x-api-key:", s->key);
	llm_server_field(s, "anthropic-version:", "2023-06-01");
}

/* Ids of calls may hold only these characters; those of another provider's calls may hold others. */
static void put_id(struct buf *b, const char *id)
{
	buf_putc(b, '"');
	for (; *id != '\0'; id++)
		buf_putc(b, isalnum((unsigned char)*id) || *id == '-' ? *id : '_');
	buf_putc(b, '"');
}

static bool is_system(const struct llm_message *m)
{
	return streq(m->role, "system");
}

static bool is_assistant(const struct llm_message *m)
{
	return streq(m->role, "assistant");
}

static bool blank(const char *text)
{
	return str_trim(str_of(text)).n == 0;
}

/* Empty blocks are refused. */
static bool says_anything(const struct llm_message *m)
{
	return m->ncalls > 0 || m->call_id != NULL || !blank(m->content);
}

static void put_text(struct buf *b, const struct llm_message *m)
{
	buf_puts(b, "{\"type\":\"text\",\"text\":");
	llm_put_content(b, m);
	buf_putc(b, '}');
}

static void put_result(struct buf *b, const struct llm_message *m)
{
	buf_puts(b, "{\"type\":\"tool_result\",\"tool_use_id\":");
	put_id(b, m->call_id);
	buf_puts(b, ",\"content\":");
	jsn_print_str(b, m->content);
	buf_putc(b, '}');
}

static void put_call(struct buf *b, const struct llm_tool_call *c)
{
	buf_puts(b, "{\"type\":\"tool_use\",\"id\":");
	put_id(b, c->id);
	buf_puts(b, ",\"name\":");
	jsn_print_str(b, c->name);
	buf_puts(b, ",\"input\":");
	llm_put_object(b, c->arguments);
	buf_putc(b, '}');
}

static void put_blocks(struct buf *b, const struct llm_message *m, bool first)
{
	const char *comma = first ? "" : ",";
	if (m->call_id != NULL) {
		buf_puts(b, comma);
		put_result(b, m);
		return;
	}
	if (!blank(m->content)) {
		buf_puts(b, comma);
		put_text(b, m);
		comma = ",";
	}
	for (size_t i = 0; i < m->ncalls; i++) {
		buf_puts(b, comma);
		put_call(b, &m->calls[i]);
		comma = ",";
	}
}

static void put_messages(struct buf *b, const struct llm_request *req)
{
	const struct llm_message *before = NULL;
	for (size_t i = 0; i < req->nmessages; i++) {
		const struct llm_message *m = &req->messages[i];
		if (is_system(m) || !says_anything(m))
			continue;
		bool next = before == NULL || is_assistant(before) != is_assistant(m);
		if (before == NULL && is_assistant(m)) {
			/* a history may have been cut there */
			buf_puts(b, "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"…\"}");
		}
		if (next)
			buf_printf(b, "%s{\"role\":\"%s\",\"content\":[", b->p[b->n - 1] == '[' ? "" : "]},",
			    is_assistant(m) ? "assistant" : "user");
		put_blocks(b, m, next);
		before = m;
	}
	if (before != NULL)
		buf_puts(b, "]}");
}

static void put_system(struct buf *b, const struct llm_request *req)
{
	bool any = false;
	for (size_t i = 0; i < req->nmessages; i++) {
		if (!is_system(&req->messages[i]) || !says_anything(&req->messages[i]))
			continue;
		buf_puts(b, any ? "," : ",\"system\":[");
		put_text(b, &req->messages[i]);
		any = true;
	}
	buf_puts(b, any ? "]" : "");
}

static void put_tools(struct buf *b, const struct llm_request *req, unsigned sent)
{
	static const char *const words[] = { [LLM_AUTO] = "auto", [LLM_REQUIRED] = "any",
		[LLM_NAMED] = "any", [LLM_NONE] = "none" };
	for (size_t i = 0; i < req->tools->count; i++) {
		const struct llm_tool_text *t = &req->tools->list[i];
		buf_printf(b, "%s{\"name\":%s,\"description\":%s,\"input_schema\":%s}",
		    i == 0 ? ",\"tools\":[" : ",", t->name, t->doc, t->parameters);
	}
	buf_puts(b, req->tools->count > 0 ? "]" : "");
	if (!(sent & (PARAM_TOOL_CHOICE | PARAM_TOOL_CHOICE_NAMED | PARAM_ONE_CALL)))
		return;
	bool named = (sent & PARAM_TOOL_CHOICE_NAMED) != 0;
	buf_printf(b, ",\"tool_choice\":{\"type\":\"%s\"", named ? "tool" :
	    (sent & PARAM_TOOL_CHOICE) ? words[req->choice] : "auto");
	if (named) {
		buf_puts(b, ",\"name\":");
		jsn_print_str(b, req->named);
	}
	buf_puts(b, (sent & PARAM_ONE_CALL) ? ",\"disable_parallel_tool_use\":true}" : "}");
}

/* The parameters of a request that can be left out. */
static unsigned params_of(const struct llm_request *req)
{
	static const unsigned choices[] = {
		[LLM_AUTO] = 0,
		[LLM_REQUIRED] = PARAM_TOOL_CHOICE,
		[LLM_NAMED] = PARAM_TOOL_CHOICE | PARAM_TOOL_CHOICE_NAMED | PARAM_ONE_CALL,
		[LLM_NONE] = PARAM_TOOL_CHOICE,
	};
	bool one = req->one_call && req->choice != LLM_NONE;
	return PARAM_TEMPERATURE | PARAM_NO_THINKING | (req->tools == NULL ? 0u : PARAM_FUNCTIONS | choices[req->choice] |
	    (one ? PARAM_ONE_CALL : 0u));
}

static unsigned chat_body(struct buf *b, const struct llm_server *s, const struct llm_request *req,
    unsigned without)
{
	unsigned sent = params_of(req) & ~without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, req->model);
	buf_printf(b, ",\"max_tokens\":%lld", (long long)s->max_tokens);
	if (sent & PARAM_TEMPERATURE) {
		char number[32];
		/* its scale ends at 1 */
		num_print(number, req->temperature > 1 ? 1 : req->temperature);
		buf_printf(b, ",\"temperature\":%s", number);
	}
	/* newer models think unless they are told not to; then they take no forced call, and want their
	 * thoughts back with its result */
	if (sent & PARAM_NO_THINKING)
		buf_puts(b, ",\"thinking\":{\"type\":\"disabled\"}");
	put_system(b, req);
	buf_puts(b, ",\"messages\":[");
	put_messages(b, req);
	buf_putc(b, ']');
	if (req->tools != NULL)
		put_tools(b, req, sent);
	buf_puts(b, req->stream ? ",\"stream\":true}" : "}");
	return sent;
}

/* -- replies -- */

static const struct parse_reason reasons[] = {
	{ "end_turn", "stop" }, { "stop_sequence", "stop" }, { "pause_turn", "stop" },
	{ "tool_use", "tool_calls" },
	{ "max_tokens", "length" }, { "model_context_window_exceeded", "length" },
	{ "refusal", "content_filter" },
	{ NULL, NULL },
};

/* What was read from a cache, and what was written to one, is counted apart from the rest. */
static void take_usage(struct llm_parse *r, struct json_object *usage)
{
	int64_t in = parse_count(usage, "input_tokens"), out = parse_count(usage, "output_tokens");
	int64_t cached = parse_count(usage, "cache_read_input_tokens");
	int64_t kept = parse_count(usage, "cache_creation_input_tokens");
	if (in >= 0)
		r->input = in + (cached > 0 ? cached : 0) + (kept > 0 ? kept : 0);
	if (in >= 0 && cached >= 0)
		r->cached = cached;
	if (out >= 0)
		r->output = out;
}

/* A block of text or a call; thoughts and all others are left out. */
static void take_block(struct llm_parse *r, struct json_object *block, int64_t index, bool whole)
{
	const char *type = jsn_get_str(block, "type", "");
	if (streq(type, "text"))
		parse_text(r, jsn_get(block, "text"));
	if (!streq(type, "tool_use"))
		return;
	struct parse_call *c = parse_call_new(r, index, jsn_get_str(block, "id", ""),
	    jsn_get_str(block, "name", ""));
	if (c != NULL && (whole || jsn_len(jsn_get(block, "input")) > 0))
		parse_arguments(c, jsn_get(block, "input"));
}

static void take_delta(struct llm_parse *r, struct json_object *delta, int64_t index)
{
	const char *type = jsn_get_str(delta, "type", "");
	struct parse_call *c = parse_call_at(r, index);
	if (streq(type, "text_delta"))
		parse_text(r, jsn_get(delta, "text"));
	else if (streq(type, "input_json_delta") && c != NULL)
		parse_arguments(c, jsn_get(delta, "partial_json"));
}

static void end_message(struct llm_parse *r, struct json_object *o)
{
	parse_finish(r, jsn_get_str(o, "stop_reason", ""), reasons);
}

static enum errcode take_message(struct llm_parse *r, struct json_object *message)
{
	struct json_object *content = jsn_get(message, "content");
	r->began |= jsn_is(content, json_type_array);
	take_usage(r, jsn_get(message, "usage"));
	for (size_t i = 0; jsn_is(content, json_type_array) && i < jsn_len(content); i++)
		take_block(r, jsn_at(content, i), (int64_t)i, true);
	end_message(r, message);
	return parse_pass_on(r);
}

/* A call without arguments has no delta with any. */
static void end_calls(struct llm_parse *r)
{
	for (size_t i = 0; i < r->ncalls; i++)
		if (r->calls[i].arguments.n == 0)
			buf_puts(&r->calls[i].arguments, "{}");
}

static enum errcode take(struct llm_parse *r, struct json_object *root, const char *event)
{
	const char *type = jsn_get_str(root, "type", event);
	int64_t index = jsn_get_int(root, "index", -1);
	if (streq(type, "message")) {
		return take_message(r, root);
	} else if (streq(type, "message_start")) {
		r->began = true;
		take_usage(r, jsn_get(jsn_get(root, "message"), "usage"));
	} else if (streq(type, "content_block_start")) {
		r->began = true;
		take_block(r, jsn_get(root, "content_block"), index, false);
	} else if (streq(type, "content_block_delta")) {
		r->began = true;
		take_delta(r, jsn_get(root, "delta"), index);
	} else if (streq(type, "message_delta")) {
		take_usage(r, jsn_get(root, "usage"));
		end_message(r, jsn_get(root, "delta"));
		end_calls(r);
	} else if (streq(type, "message_stop")) {
		r->finished = r->done = true;
		end_calls(r);
	}
	return parse_pass_on(r);
}

const struct llm_dialect llm_anthropic = {
	.name = "anthropic",
	.key_setting = "ANTHROPIC_API_KEY",
	.url_setting = "ANTHROPIC_BASE_URL",
	.models = "ANTHROPIC_MODEL, AVIATION_AGENT_PLANNER_MODEL, AVIATION_AGENT_FORMATTER_MODEL",
	.default_url = "https://api.anthropic.com",
	.example_url = "https://api.anthropic.com",
	.url_hint = "is ANTHROPIC_BASE_URL the address of a server of the Messages API?",
	.tools_hint = "choose another model",
	.needs_key = true,
	.ends = ends,
	.chat_path = chat_path,
	.fields = fields,
	.params = params,
	.chat_body = chat_body,
	.take = take,
};
