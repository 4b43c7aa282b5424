/*
 * A server of language models, as the files llm_* see it: its dialect, its address, its key.
 */
#ifndef SERVICES_LLM_SERVER_H
#define SERVICES_LLM_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "services/llm.h"
#include "services/llm_dialect.h"
#include "services/llm_memory.h"

struct httpc;

struct llm_server {
	struct llm_provider provider;  /* first */
	struct llm_provider_ops ops;
	const struct llm_dialect *dialect;
	struct httpc *http;
	struct arena *mem;
	const char *key;               /* NULL: none */
	const char *base, *host;       /* its address; host and port for messages */
	const char *fields[8];         /* besides Accept; NULL at the end */
	size_t nfields;
	int64_t connect_ms, idle_ms, total_ms;
	int64_t max_tokens, context;
	size_t max_reply;
	struct llm_memory memory;
};

/* Add a header field ("Name:" and what comes before the value). */
void llm_server_field(struct llm_server *s, const char *name, const char *value);

/* The address with a path put after it, before its query. */
const char *llm_server_url(const struct llm_server *s, struct arena *a, const char *path);

/* llm_provider_ops.embed */
enum errcode llm_embed_once(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e);

#endif
