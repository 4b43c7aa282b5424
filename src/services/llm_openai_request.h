/*
 * The JSON text of a request to an OpenAI-compatible server, and which parameters each model
 * refuses.
 */
#ifndef SERVICES_LLM_OPENAI_REQUEST_H
#define SERVICES_LLM_OPENAI_REQUEST_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "services/llm.h"

/* Parameters that a request can do without. Bits. */
enum {
	OPENAI_TEMPERATURE = 1 << 0,
	OPENAI_STREAM_OPTIONS = 1 << 1,
	OPENAI_PARALLEL_TOOL_CALLS = 1 << 2,
	OPENAI_TOOL_CHOICE_NAMED = 1 << 3,    /* left out: "required" takes its place */
	OPENAI_TOOL_CHOICE = 1 << 4,
	OPENAI_ENCODING_FORMAT = 1 << 5,
	/* is not left out by itself: without it the whole call is a different one */
	OPENAI_FUNCTIONS = 1 << 6,
};

/* One row each, in the order they are tried: the name on the wire. Ends with bit 0. */
struct openai_param {
	unsigned bit;
	const char *name;
};
extern const struct openai_param openai_params[];

/* Write a chat completion without the parameters `without` to b; returns those it has. */
unsigned openai_chat_body(struct buf *b, const struct llm_request *req, unsigned without);
unsigned openai_embed_body(struct buf *b, const char *model, const char *const *texts, size_t n,
    unsigned without);

/* What models refuse. All zero at first; any thread may use it. Entries older than an hour are
 * forgotten, because servers are restarted with other options, and so are entries for which there
 * is no room. */
enum { OPENAI_MODELS = 32 };

struct openai_memory {
	struct openai_known {
		_Atomic uint64_t model;        /* hash of its name; 0: free */
		atomic_uint without;
		_Atomic int64_t since_ms;
	} known[OPENAI_MODELS];
};

unsigned openai_recall(struct openai_memory *m, const char *model);
/* Writes a line to the log for a new entry. */
void openai_remember(struct openai_memory *m, const char *model, unsigned without);

#endif
