/*
 * The body is written straight into a buffer, not built as a tree, because most of it was printed
 * before. What models refuse is remembered in a small hash table of atomics; if two threads write
 * at once, either result is right.
 */
#include "services/llm_openai_request.h"

#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum { REMEMBERED_MS = 3600 * 1000 };

const struct openai_param openai_params[] = {
	{ OPENAI_STREAM_OPTIONS, "stream_options" },
	{ OPENAI_PARALLEL_TOOL_CALLS, "parallel_tool_calls" },
	{ OPENAI_TEMPERATURE, "temperature" },
	{ OPENAI_TOOL_CHOICE_NAMED, "tool_choice" },
	{ OPENAI_TOOL_CHOICE, "tool_choice" },
	{ OPENAI_ENCODING_FORMAT, "encoding_format" },
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
	if (sent & OPENAI_TOOL_CHOICE_NAMED) {
		buf_puts(b, ",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":");
		jsn_print_str(b, req->named);
		buf_puts(b, "}}");
	} else if (sent & OPENAI_TOOL_CHOICE) {
		member(b, "tool_choice", words[req->choice]);
	}
	if (sent & OPENAI_PARALLEL_TOOL_CALLS)
		buf_puts(b, req->choice == LLM_NAMED || req->one_call ? ",\"parallel_tool_calls\":false"
		    : ",\"parallel_tool_calls\":true");
}

/* The parameters of a request that can be left out. */
static unsigned params_of(const struct llm_request *req)
{
	static const unsigned choices[] = {
		[LLM_AUTO] = OPENAI_PARALLEL_TOOL_CALLS,
		[LLM_REQUIRED] = OPENAI_PARALLEL_TOOL_CALLS | OPENAI_TOOL_CHOICE,
		[LLM_NAMED] = OPENAI_PARALLEL_TOOL_CALLS | OPENAI_TOOL_CHOICE | OPENAI_TOOL_CHOICE_NAMED,
		[LLM_NONE] = OPENAI_TOOL_CHOICE,
	};
	return OPENAI_TEMPERATURE | (req->stream ? OPENAI_STREAM_OPTIONS : 0u) |
	    (req->tools != NULL ? OPENAI_FUNCTIONS | choices[req->choice] : 0u);
}

unsigned openai_chat_body(struct buf *b, const struct llm_request *req, unsigned without)
{
	unsigned sent = params_of(req) & ~without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, req->model);
	if (sent & OPENAI_TEMPERATURE) {
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
	if (sent & OPENAI_STREAM_OPTIONS)
		buf_puts(b, ",\"stream_options\":{\"include_usage\":true}");
	buf_putc(b, '}');
	return sent;
}

unsigned openai_embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without)
{
	unsigned sent = OPENAI_ENCODING_FORMAT & ~without;
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, model);
	buf_puts(b, ",\"input\":[");
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(b, ',');
		jsn_print_str(b, texts[i]);
	}
	buf_putc(b, ']');
	if (sent & OPENAI_ENCODING_FORMAT)
		member(b, "encoding_format", "float");
	buf_putc(b, '}');
	return sent;
}

static struct openai_known *find(struct openai_memory *m, const char *model, bool make)
{
	uint64_t h = str_hash(model) | 1;
	for (size_t i = 0; i < OPENAI_MODELS; i++) {
		struct openai_known *k = &m->known[(h + i) % OPENAI_MODELS];
		uint64_t there = 0;
		if (make)
			atomic_compare_exchange_strong(&k->model, &there, h);
		else
			there = atomic_load(&k->model);
		if (there == h || (there == 0 && make))
			return k;
		if (there == 0)
			break;
	}
	return NULL;
}

unsigned openai_recall(struct openai_memory *m, const char *model)
{
	struct openai_known *k = find(m, model, false);
	if (k == NULL)
		return 0;
	if (clock_mono_ms() - atomic_load(&k->since_ms) > REMEMBERED_MS)
		atomic_store(&k->without, 0);
	return atomic_load(&k->without);
}

void openai_remember(struct openai_memory *m, const char *model, unsigned without)
{
	struct openai_known *k = without == 0 ? NULL : find(m, model, true);
	if (k == NULL)
		return;
	/* set the time first, so that a new entry does not look old to another thread */
	unsigned missing = without & ~atomic_load(&k->without);
	if (missing == 0)
		return;
	atomic_store(&k->since_ms, clock_mono_ms());
	missing = without & ~atomic_fetch_or(&k->without, without);
	for (const struct openai_param *p = openai_params; p->bit != 0; p++)
		if (missing & p->bit)
			log_msg(LOG_INFO, "llm", "model=%.64s takes_no=%s%s", model, p->name,
			    p->bit == OPENAI_TOOL_CHOICE_NAMED ? " form=named" : "");
	if (missing & OPENAI_FUNCTIONS)
		log_msg(LOG_INFO, "llm", "model=%.64s takes_no=tools", model);
}
