/*
 * The dialect `ollama`: the server's own API, /api/chat and /api/embed.
 *
 * A stream is lines of one object each; a reply that is not streamed is one such line. Arguments of calls
 * are objects, and a result has the name of its tool, not an id. The server has no choice among tools:
 * where a call of one function is wanted, only that function is offered, and where none is wanted,
 * none is.
 *
 * Unless it is told, the server reads only some thousand tokens and drops the beginning of a longer
 * question without a word. So each request says how many it needs (OLLAMA_NUM_CTX).
 */
#include "services/llm_dialect.h"

#include <string.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_parse.h"
#include "services/llm_server.h"

static const char *const ends[] = { "/api/chat", "/api/embed", "/api", "/v1", NULL };

static void chat_path(struct buf *b, const struct llm_request *req)
{
	(void)req;
	buf_puts(b, "/api/chat");
}

static void embed_path(struct buf *b, const char *model)
{
	(void)model;
	buf_puts(b, "/api/embed");
}

/* The server itself has no keys; what stands in front of it may want user and password in the address. */
static void fields(struct llm_server *s, const struct llm_provider_config *c)
{
	(void)s;
	(void)c;
}

/* -- requests -- */

static const struct llm_param params[] = {
	{ PARAM_TEMPERATURE, "temperature" },
	{ 0, NULL },
};

static void put_calls(struct buf *b, const struct llm_message *m)
{
	for (size_t i = 0; i < m->ncalls; i++) {
		buf_puts(b, i == 0 ? ",\"tool_calls\":[" : ",");
		buf_puts(b, "{\"function\":{\"name\":");
		jsn_print_str(b, m->calls[i].name);
		buf_puts(b, ",\"arguments\":");
		llm_put_object(b, m->calls[i].arguments);
		buf_puts(b, "}}");
	}
	buf_puts(b, m->ncalls > 0 ? "]" : "");
}

static void put_message(struct buf *b, const struct llm_request *req, size_t i)
{
	const struct llm_message *m = &req->messages[i];
	buf_puts(b, "{\"role\":");
	jsn_print_str(b, m->role);
	buf_puts(b, ",\"content\":");
	llm_put_content(b, m);
	if (m->call_id != NULL) {
		buf_puts(b, ",\"tool_name\":");
		jsn_print_str(b, llm_function_of(req, i));
	}
	put_calls(b, m);
	buf_putc(b, '}');
}

static void put_tools(struct buf *b, const struct llm_request *req)
{
	bool any = false;
	for (size_t i = 0; i < req->tools->count; i++) {
		const struct llm_tool_text *t = &req->tools->list[i];
		if (req->choice == LLM_NAMED && !streq(t->bare, req->named))
			continue;
		buf_printf(b, "%s{\"type\":\"function\",\"function\":{\"name\":%s,\"description\":%s,"
		    "\"parameters\":%s}}", any ? "," : ",\"tools\":[", t->name, t->doc, t->parameters);
		any = true;
	}
	buf_puts(b, any ? "]" : "");
}

static unsigned chat_body(struct buf *b, const struct llm_server *s, const struct llm_request *req,
    unsigned without)
{
	bool tools = req->tools != NULL && req->choice != LLM_NONE;
	unsigned sent = (PARAM_TEMPERATURE | (tools ? PARAM_FUNCTIONS : 0u)) & ~without;
	char number[32];
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, req->model);
	buf_puts(b, ",\"messages\":[");
	for (size_t i = 0; i < req->nmessages; i++) {
		buf_puts(b, i == 0 ? "" : ",");
		put_message(b, req, i);
	}
	buf_putc(b, ']');
	if (tools)
		put_tools(b, req);
	/* it streams unless it is told not to */
	buf_puts(b, req->stream ? ",\"stream\":true,\"options\":{" : ",\"stream\":false,\"options\":{");
	num_print(number, req->temperature);
	if (sent & PARAM_TEMPERATURE)
		buf_printf(b, "\"temperature\":%s%s", number, s->context > 0 ? "," : "");
	if (s->context > 0)
		buf_printf(b, "\"num_ctx\":%lld", (long long)s->context);
	buf_puts(b, "}}");
	return sent;
}

static unsigned embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without)
{
	(void)without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, model);
	buf_puts(b, ",\"input\":[");
	for (size_t i = 0; i < n; i++) {
		buf_puts(b, i > 0 ? "," : "");
		jsn_print_str(b, texts[i]);
	}
	buf_puts(b, "]}");
	return 0;
}

/* -- replies -- */

static void take_call(struct llm_parse *r, struct json_object *call)
{
	struct json_object *f = jsn_get(call, "function"), *args = jsn_get(f, "arguments");
	if (!jsn_is(f, json_type_object))
		return;
	struct parse_call *c = parse_call_new(r, -1, jsn_get_str(call, "id", ""),
	    jsn_get_str(f, "name", ""));
	if (c == NULL)
		return;
	parse_arguments(c, args);
	if (c->arguments.n == 0)
		buf_puts(&c->arguments, "{}");
}

static enum errcode take(struct llm_parse *r, struct json_object *root, const char *event)
{
	struct json_object *message = jsn_get(root, "message"), *calls = jsn_get(message, "tool_calls");
	int64_t in = parse_count(root, "prompt_eval_count"), out = parse_count(root, "eval_count");
	(void)event;
	r->began |= jsn_is(message, json_type_object);
	if (in >= 0)
		r->input = in;
	if (out >= 0)
		r->output = out;
	/* message.thinking is left out */
	parse_text(r, jsn_get(message, "content"));
	for (size_t i = 0; jsn_is(calls, json_type_array) && i < jsn_len(calls); i++)
		take_call(r, jsn_at(calls, i));
	if (jsn_truthy(jsn_get(root, "done"))) {
		const char *why = jsn_get_str(root, "done_reason", "stop");
		parse_finish(r, streq(why, "stop") && r->ncalls > 0 ? "tool_calls" : why, NULL);
		r->finished = r->done = true;
	}
	return parse_pass_on(r);
}

const struct llm_dialect llm_ollama = {
	.name = "ollama",
	.key_setting = "OLLAMA_BASE_URL",      /* user and password are part of the address */
	.url_setting = "OLLAMA_BASE_URL",
	.models = "OLLAMA_MODEL, AVIATION_AGENT_PLANNER_MODEL, AVIATION_AGENT_FORMATTER_MODEL",
	.default_url = "http://localhost:11434",
	.example_url = "http://localhost:11434",
	.url_hint = "is OLLAMA_BASE_URL the address of an Ollama server (it needs no path)?",
	.tools_hint = "choose a model that takes tools",
	.ends = ends,
	.chat_path = chat_path,
	.embed_path = embed_path,
	.fields = fields,
	.params = params,
	.chat_body = chat_body,
	.embed_body = embed_body,
	.vectors = { .list = "embeddings", .tokens = "prompt_eval_count" },
	.lines = true,
	.take = take,
};
