/*
 * The settings of the providers. Each has a key, an address and a model of its own; a row tells where
 * they are in struct conf.
 */
#include "services/llm_provider.h"

#include <stddef.h>

#include "base/conf.h"
#include "base/str.h"

#define AT(member) offsetof(struct conf, member)
#define NOWHERE SIZE_MAX

static const struct row {
	const char *name;
	size_t key, url, model;
} rows[] = {
	{ "openai", AT(openai_key), AT(openai_url), AT(openai_model) },
	{ "anthropic", AT(anthropic_key), AT(anthropic_url), AT(anthropic_model) },
	{ "gemini", AT(google_key), AT(google_url), AT(google_model) },
	{ "ollama", NOWHERE, AT(ollama_url), AT(ollama_model) },
};

static const char *setting(const struct conf *c, size_t at)
{
	return at == NOWHERE ? NULL : *(const char *const *)((const char *)c + at);
}

/* Without LLM_PROVIDER a key or an address of openai chooses it, and without these nothing is
 * chosen. */
static const struct row *chosen(const struct conf *c)
{
	const char *name = c->llm_provider;
	if (name == NULL)
		return c->openai_key != NULL || c->openai_url != NULL ? &rows[0] : NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].name, name))
			return &rows[i];
	return NULL;
}

struct llm_provider_config llm_provider_settings(const struct conf *c)
{
	const struct row *r = chosen(c);
	if (r == NULL)
		return (struct llm_provider_config){ .provider = NULL };
	return (struct llm_provider_config){
		.provider = r->name,
		.base_url = setting(c, r->url),
		.key = setting(c, r->key),
		.organization = r == &rows[0] ? c->openai_org : NULL,
		.connect_ms = c->llm_connect_ms,
		.idle_ms = c->llm_idle_ms,
		.total_ms = c->llm_call_ms,
		.max_tokens = c->anthropic_max_tokens,
		.context = c->ollama_context,
		.max_reply = (size_t)c->llm_max_reply,
	};
}

const char *llm_provider_model(const struct conf *c)
{
	const struct row *r = chosen(c);
	return r == NULL ? NULL : setting(c, r->model);
}

const char *llm_provider_meant(const struct conf *c)
{
	for (size_t i = 0; chosen(c) == NULL && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (setting(c, rows[i].key) != NULL || setting(c, rows[i].url) != NULL)
			return rows[i].name;
	return NULL;
}
