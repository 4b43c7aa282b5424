/*
 * The parts of the dialect `openai`: chat completions and embeddings of any compatible server. Only the
 * files llm_openai* use it.
 *
 * Servers differ in which parameters they accept. If a server refuses a parameter that is not
 * essential (stream_options, parallel_tool_calls, temperature, …), that parameter is left out from
 * then on for that model. If it refuses function calls, the caller is told
 * (llm_fault.no_functions).
 */
#ifndef SERVICES_LLM_OPENAI_H
#define SERVICES_LLM_OPENAI_H

#include "services/llm_dialect.h"

extern const struct llm_param openai_params[];

unsigned openai_chat_body(struct buf *b, const struct llm_server *s, const struct llm_request *req,
    unsigned without);
unsigned openai_embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without);
enum errcode openai_take(struct llm_parse *r, struct json_object *root, const char *event);

#endif
