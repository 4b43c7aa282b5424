/*
 * What models refuse: parameters that a server did not accept for a model, remembered so that the next
 * request leaves them out.
 */
#ifndef SERVICES_LLM_MEMORY_H
#define SERVICES_LLM_MEMORY_H

#include <stdatomic.h>
#include <stdint.h>

#include "services/llm_dialect.h"

/* All zero at first; any thread may use it. Entries older than an hour are forgotten, because servers
 * are restarted with other options, and so are entries for which there is no room. */
enum { LLM_MODELS = 32 };

struct llm_memory {
	struct llm_known {
		_Atomic uint64_t model;        /* hash of its name; 0: free */
		atomic_uint without;
		_Atomic int64_t since_ms;
	} known[LLM_MODELS];
};

unsigned llm_recall(struct llm_memory *m, const char *model);
/* Writes a line to the log for a new entry; `params` are the dialect's. */
void llm_remember(struct llm_memory *m, const struct llm_param *params, const char *model,
    unsigned without);

#endif
