/*
 * The provider `openai`: chat completions and embeddings of any compatible server.
 *
 * Servers differ in which parameters they accept. If a server refuses a parameter that is not
 * essential (stream_options, parallel_tool_calls, temperature, …), that parameter is left out from
 * then on for that model. If it refuses function calls, the caller is told
 * (llm_fault.no_functions).
 */
#ifndef SERVICES_LLM_OPENAI_H
#define SERVICES_LLM_OPENAI_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "drivers/httpc.h"
#include "services/llm.h"

struct llm_openai_config {
	/* "https://api.openai.com/v1"; a query (Azure's api-version) is kept, and a whole address that
	 * ends in /chat/completions will do */
	const char *base_url;
	const char *key;              /* NULL or "": no Authorization (a local server) */
	const char *organization;     /* NULL: none */
	int64_t connect_ms, idle_ms, total_ms;
	/* limit of a reply's body in bytes; for embeddings, without their vectors */
	size_t max_reply;
};

/* `key` is borrowed and must outlive it. ERR_CONFIG: the base URL is not http:// or https://, or
 * key or organization hold what would end a header field; the message names the variable and
 * shows nothing of its value. */
enum errcode llm_openai_open(struct llm_provider **out, struct httpc *http,
    const struct llm_openai_config *c, struct err *e);

#endif
