/*
 * What the steps of retrieval know about their turn.
 */
#ifndef RULES_RETRIEVAL_TURN_H
#define RULES_RETRIEVAL_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/watch.h"
#include "rules/rules.h"
#include "services/llm.h"

struct retrieval_turn {
	const struct rules_config *config;
	const struct watch *watch;            /* may be NULL */
	int64_t until_ms;                     /* end of the turn (clock_mono_ms); 0: none */
	bool no_model;                        /* no model may be used */
	struct llm_usage *usage;              /* added to */
};

#endif
