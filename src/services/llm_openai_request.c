/*
 * The body is written straight into a buffer, not built as a tree, because most of it was printed
 * before.
 */
#include "services/llm_openai.h"

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"

const struct llm_param openai_params[] = {
	{ PARAM_STREAM_OPTIONS, "stream_options" },
	{ PARAM_PARALLEL_TOOL_CALLS, "parallel_tool_calls" },
	{ PARAM_TEMPERATURE, "temperature" },
	{ PARAM_TOOL_CHOICE_NAMED, "tool_choice" },
	{ PARAM_TOOL_CHOICE, "tool_choice" },
	{ PARAM_ENCODING_FORMAT, "encoding_format" },
	{ 0, NULL },
};

static void member(struct buf *b, const char *key, const char *value)
{
	buf_printf(b, ",\"%s\":", key);
	jsn_print_str(b, value);
}

static void put_calls(struct buf *b, const struct llm_message *m)
{
	for (size_t i = 0; i < m->ncalls; i++) {
		buf_puts(b, i == 0 ? ",\"tool_calls\":[{\"id\":" : ",{\"id\":");
		jsn_print_str(b, m->calls[i].id);
		buf_puts(b, ",\"type\":\"function\",\"function\":{\"name\":");
		jsn_print_str(b, m->calls[i].name);
		member(b, "arguments", m->calls[i].arguments);
		buf_puts(b, i + 1 < m->ncalls ? "}}" : "}}]");
	}
}

static void put_message(struct buf *b, const struct llm_message *m)
{
	buf_puts(b, "{\"role\":");
	jsn_print_str(b, m->role);
	if (m->call_id != NULL)
		member(b, "tool_call_id", m->call_id);
	buf_puts(b, ",\"content\":");
	if (m->ncalls > 0 && *m->content == '\0')
		buf_puts(b, "null");
	else if (m->quoted != NULL)
		buf_puts(b, m->quoted);
	else
		jsn_print_str(b, m->content);
	put_calls(b, m);
	buf_putc(b, '}');
}

static void put_tools(struct buf *b, const struct llm_request *req, unsigned sent)
{
	static const char *const words[] = { [LLM_REQUIRED] = "required", [LLM_NAMED] = "required",
		[LLM_NONE] = "none" };
	buf_puts(b, ",\"tools\":");
	buf_put(b, req->tools->json, req->tools->n);
	if (sent & PARAM_TOOL_CHOICE_NAMED) {
		buf_puts(b, ",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":");
		jsn_print_str(b, req->named);
		buf_puts(b, "}}");
	} else if (sent & PARAM_TOOL_CHOICE) {
		member(b, "tool_choice", words[req->choice]);
	}
	if (sent & PARAM_PARALLEL_TOOL_CALLS)
		buf_puts(b, req->choice == LLM_NAMED || req->one_call ? ",\"parallel_tool_calls\":false"
		    : ",\"parallel_tool_calls\":true");
}

/* The parameters of a request that can be left out. */
static unsigned params_of(const struct llm_request *req)
{
	static const unsigned choices[] = {
		[LLM_AUTO] = PARAM_PARALLEL_TOOL_CALLS,
		[LLM_REQUIRED] = PARAM_PARALLEL_TOOL_CALLS | PARAM_TOOL_CHOICE,
		[LLM_NAMED] = PARAM_PARALLEL_TOOL_CALLS | PARAM_TOOL_CHOICE | PARAM_TOOL_CHOICE_NAMED,
		[LLM_NONE] = PARAM_TOOL_CHOICE,
	};
	return PARAM_TEMPERATURE | (req->stream ? PARAM_STREAM_OPTIONS : 0u) |
	    (req->tools != NULL ? PARAM_FUNCTIONS | choices[req->choice] : 0u);
}

unsigned openai_chat_body(struct buf *b, const struct llm_server *s, const struct llm_request *req,
    unsigned without)
{
	(void)s;
	unsigned sent = params_of(req) & ~without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, req->model);
	if (sent & PARAM_TEMPERATURE) {
		char number[32];
		num_print(number, req->temperature);
		buf_printf(b, ",\"temperature\":%s", number);
	}
	buf_puts(b, ",\"messages\":[");
	for (size_t i = 0; i < req->nmessages; i++) {
		buf_puts(b, i == 0 ? "" : ",");
		put_message(b, &req->messages[i]);
	}
	buf_putc(b, ']');
	if (req->tools != NULL)
		put_tools(b, req, sent);
	if (req->stream)
		buf_puts(b, ",\"stream\":true");
	if (sent & PARAM_STREAM_OPTIONS)
		buf_puts(b, ",\"stream_options\":{\"include_usage\":true}");
	buf_putc(b, '}');
	return sent;
}

unsigned openai_embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without)
{
	unsigned sent = PARAM_ENCODING_FORMAT & ~without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, model);
	buf_puts(b, ",\"input\":[");
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(b, ',');
		jsn_print_str(b, texts[i]);
	}
	buf_putc(b, ']');
	if (sent & PARAM_ENCODING_FORMAT)
		member(b, "encoding_format", "float");
	buf_putc(b, '}');
	return sent;
}
