/*
 * The providers of language models: which one the settings choose, and opening it.
 *
 * Each provider is a row of a table (services/llm_dialect.h): `openai` (any compatible server),
 * `anthropic`, `gemini`, `ollama`.
 */
#ifndef SERVICES_LLM_PROVIDER_H
#define SERVICES_LLM_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "drivers/httpc.h"
#include "services/llm.h"

struct conf;

struct llm_provider_config {
	const char *provider;         /* a name of the table */
	/* NULL: the provider's own address. A query (Azure's api-version) is kept, and a whole address
	 * that ends in /chat/completions will do. */
	const char *base_url;
	const char *key;              /* NULL or "": none (a local server) */
	const char *organization;     /* NULL: none */
	int64_t connect_ms, idle_ms, total_ms;
	int64_t max_tokens;           /* of a reply, where the provider wants to be told (anthropic) */
	int64_t context;              /* tokens that a model shall be able to read (ollama); 0: the server decides */
	/* limit of a reply's body in bytes; for embeddings, without their vectors */
	size_t max_reply;
};

/* What the settings say. NULL in `provider`: no model is to be used. */
struct llm_provider_config llm_provider_settings(const struct conf *c);

/* The model that the provider's own setting names (ANTHROPIC_MODEL, …); NULL: the site's configs
 * decide. */
const char *llm_provider_model(const struct conf *c);

/* No provider is chosen, but the settings have a key or an address of this one; NULL: of none. */
const char *llm_provider_meant(const struct conf *c);

/* `key` is borrowed and must outlive it. ERR_CONFIG: a key is missing, the base URL is not http:// or
 * https://, or key or organization hold what would end a header field; the message names the
 * variable and shows nothing of its value. */
enum errcode llm_provider_open(struct llm_provider **out, struct httpc *http,
    const struct llm_provider_config *c, struct err *e);

#endif
