/*
 * The gate before a provider, one in each process: it limits how many calls run at once, and lets
 * no call through while the provider is down.
 *
 * Calls over the cap wait in a queue. After some failures in a row no call is made for a while, by
 * the rule of services/remote.h.
 */
#ifndef SERVICES_LLM_GATE_H
#define SERVICES_LLM_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"
#include "base/watch.h"
#include "services/remote.h"

struct llm_gate_config {
	int max_calls;                /* at once; 1 or more */
	int64_t queue_ms;             /* how long a call waits for a free place */
	/* failures in a row before the provider rests; 0: it never rests */
	int max_failures;
	int64_t rest_ms;
};

struct llm_gate {
	struct llm_gate_config config;
	struct rest rest;
	pthread_mutex_t lock;         /* guards all that follows */
	int taken;                    /* places */
	struct llm_waiter *first;
};

void llm_gate_init(struct llm_gate *g, const struct llm_gate_config *c);
void llm_gate_release(struct llm_gate *g);

/*
 * Before a call: wait for a free place, first come, first served. OK with *probe for
 * llm_gate_leave(). ERR_UPSTREAM at once: the provider rests; the message says for how long.
 * ERR_OVERLOAD: no place came free in time (*full is set, to tell it from the watch's code). Codes
 * of the watch. Thread-safe.
 */
enum errcode llm_gate_enter(struct llm_gate *g, const struct watch *w, int64_t *probe, bool *full,
    struct err *e);

/* How the call went. */
enum llm_outcome {
	LLM_ANSWERED,        /* the provider works */
	LLM_OUTAGE,          /* it does not */
	LLM_NO_VERDICT,      /* our own mistake, or the reader left: the call shows neither */
};
void llm_gate_leave(struct llm_gate *g, int64_t probe, enum llm_outcome outcome);

#endif
