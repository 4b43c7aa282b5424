/*
 * rag_search: what the company's documents say. The result is text for a model, as the original writes it.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "knowledge/knowledge.h"
#include "tools/onboarding.h"
#include "tools/onboarding_result.h"

enum { RESULT_BYTES = 64 << 10 };

static const struct tool_arg args[] = {
	/* the tool itself checks it: its words for an empty one are part of the contract */
	{ .name = "query", .type = ARG_ANY, .required = true, .nullable = true,
	    .json = "{\"type\":\"string\",\"description\":\"What to look for, in the words of the question.\"}" },
};

static void put_hit(struct buf *b, size_t i, const struct knowledge_hit *hit)
{
	buf_printf(b, "[Result %zu] (Relevance: %.2f%%)\nSource: %s\nContent: %s%s%s\n\n", i + 1,
	    100 * hit->relevance, hit->source, hit->heading, *hit->heading != '\0' ? ": " : "", hit->text);
}

static const char *search(const struct tool_context *ctx, struct arena *a, const char *text,
    enum errcode *rc, struct err *e)
{
	const struct knowledge_query query = { .text = text, .watch = ctx->watch, .until_ms = ctx->until_ms,
		.no_model = ctx->no_model, .usage = ctx->usage };
	const struct knowledge_hit *hits = NULL;
	struct buf b;
	size_t n = 0;

	*rc = ctx->knowledge == NULL ? ERR_NOTFOUND : knowledge_search(ctx->knowledge, a, &query, &hits, &n, e);
	if (*rc == ERR_HUP || *rc == ERR_TIMEOUT || *rc == ERR_OVERLOAD)
		return NULL;
	const enum errcode found = *rc;
	*rc = OK;
	if (found == ERR_NOTFOUND)
		return "Knowledge base service not available";
	if (found != OK)
		return arena_printf(a, "Error searching knowledge base: %s", err_row(found)->said);
	if (n == 0)
		return arena_printf(a, "No relevant documents found in knowledge base for query: '%.*s'",
		    (int)onboarding_shown(text), text);
	buf_init(&b, RESULT_BYTES);
	buf_puts(&b, "Knowledge Base Search Results:\n\n");
	for (size_t i = 0; i < n; i++)
		put_hit(&b, i, &hits[i]);
	const char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *given, struct json_object **result, struct err *e)
{
	const char *text = jsn_get_str(given, "query", "");
	enum errcode rc = OK;

	(void)self;
	const char *said = str_trim(str_of(text)).n == 0 ? "Invalid query: Query cannot be empty" :
	    search(ctx, a, text, &rc, e);
	if (rc == OK)
		*result = jsn_own(a, jsn_str(said));
	return rc;
}

const struct tool tool_rag_search = {
	.name = "rag_search",
	.doc = "Search the company's documents. Use it for every question about the company, and answer only from "
	    "what it finds.",
	.args = args,
	.nargs = 1,
	.domain = TOOL_ONBOARDING,
	.call = call,
};
