/*
 * The gate before a provider: how many calls at once, and none while it is down. Shared by
 * all workers of a host through one small file.
 *
 * Cap: a call holds a lock on one byte of the file, which the kernel gives back when the process
 * dies. Breaker: after so many failures in a row nobody asks for a while; then one call tries
 * for all.
 */
#ifndef SERVICES_LLM_GATE_H
#define SERVICES_LLM_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"
#include "base/watch.h"

struct llm_gate;

struct llm_gate_config {
	const char *dir;              /* where the file is: one folder a host; NULL: for this process alone */
	const char *provider;         /* what it stands before, e.g. the base URL: only its hash is kept */
	int max_calls;                /* at once; 1 or more */
	int64_t queue_ms;             /* how long a call waits for its turn */
	int max_failures;             /* in a row, before it rests; 0: never */
	int64_t rest_ms;
};

/* A file that cannot be used gives a gate for this process alone, with a line in the log.
 * Each process opens its own: one inherited through fork() would share its places. */
struct llm_gate *llm_gate_open(const struct llm_gate_config *c);
void llm_gate_close(struct llm_gate *g);      /* NULL is allowed */

/*
 * Before a call: wait for a free place; in a process first come, first served. OK with *place for
 * leave. ERR_UPSTREAM at once: the provider is resting, the message says for how long.
 * ERR_OVERLOAD: no place came free in time (*full is set, to tell it from the watch's). Codes of
 * the watch. Thread-safe.
 */
enum errcode llm_gate_enter(struct llm_gate *g, const struct watch *w, int *place, bool *full,
    struct err *e);

/* How the call went. */
enum llm_outcome {
	LLM_ANSWERED,        /* the provider works */
	LLM_OUTAGE,          /* it does not */
	LLM_NO_VERDICT,      /* our own mistake, or the reader left: says nothing */
};
void llm_gate_leave(struct llm_gate *g, int place, enum llm_outcome outcome);

/* Milliseconds it still rests; 0: it does not. */
int64_t llm_gate_rests(struct llm_gate *g);

#endif
