/*
 * The row of the dialect `openai`.
 */
#include "services/llm_openai.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "services/llm_openai_chunk.h"
#include "services/llm_server.h"

static bool is_azure(const char *host)
{
	static const char domain[] = ".azure.com";
	size_t n = strcspn(host, ":"), len = sizeof(domain) - 1;
	return n > len && strncasecmp(host + n - len, domain, len) == 0;
}

static bool has_api_version(const char *url)
{
	const char *query = strchr(url, '?');
	return query != NULL && strstr(query, "api-version=") != NULL;
}

static void fields(struct llm_server *s, const struct llm_provider_config *c)
{
	/* Azure itself refuses both; gateways in front of it want one or the other */
	if (s->key != NULL && !is_azure(s->host))
		llm_server_field(s, "Authorization: Bearer", s->key);
	if (s->key != NULL && (is_azure(s->host) || has_api_version(s->base)))
		llm_server_field(s, "api-key:", s->key);
	if (c->organization != NULL && *c->organization != '\0')
		llm_server_field(s, "OpenAI-Organization:", c->organization);
}

static void chat_path(struct buf *b, const struct llm_request *req)
{
	(void)req;
	buf_puts(b, "/chat/completions");
}

static void embed_path(struct buf *b, const char *model)
{
	(void)model;
	buf_puts(b, "/embeddings");
}

static const char *const ends[] = { "/chat/completions", "/embeddings", NULL };

const struct llm_dialect llm_openai = {
	.name = "openai",
	.key_setting = "OPENAI_API_KEY",
	.url_setting = "OPENAI_BASE_URL",
	.models = "llms.<role>.model, AVIATION_AGENT_PLANNER_MODEL, AVIATION_AGENT_FORMATTER_MODEL",
	.default_url = "https://api.openai.com/v1",
	.example_url = "https://api.openai.com/v1 or http://127.0.0.1:11434/v1",
	.url_hint = "is OPENAI_BASE_URL complete, does it end in /v1?",
	.tools_hint = "the server may need to be started with them: --jinja, --enable-auto-tool-choice",
	.needs_key = true,
	.ends = ends,
	.chat_path = chat_path,
	.embed_path = embed_path,
	.fields = fields,
	.params = openai_params,
	.chat_body = openai_chat_body,
	.embed_body = openai_embed_body,
	.vectors = { "data", "embedding", "usage", "prompt_tokens" },
	.take = openai_take,
	.shortcut = openai_chunk_text,
};
