/*
 * One step of a state of the net (a gated recurrent unit: Cho et al., EMNLP 2014), as it is learned and as it is read. The reset gate
 * tells how much of the state before goes into the candidate for the next one, the update gate how much of the state before stays.
 *
 * The usual tanh is replaced by a fraction of polynomials (a Padé approximant), which is ±1 from ±3 on. It needs no function of the C
 * library, whose last digits differ between machines.
 */
#ifndef LANGUAGE_NET_GATES_H
#define LANGUAGE_NET_GATES_H

#include <stddef.h>

#include "language/net.h"

static inline float net_squash(float x)
{
	x = x > 3 ? 3 : x < -3 ? -3 : x;
	return x * (27 + x * x) / (27 + 9 * x * x);
}

/* From 0 to 1. */
static inline float net_gate(float x)
{
	return 0.5F + 0.5F * net_squash(0.5F * x);
}

/* The derivatives of net_squash() and net_gate(), for training. */
static inline float net_squash_slope(float x)
{
	const float part = x > 3 || x < -3 ? 0 : (9 - x * x) / (3 * (3 + x * x));
	return part * part;
}

static inline float net_gate_slope(float x)
{
	return 0.25F * net_squash_slope(0.5F * x);
}

/* What goes into number k of a step. Of the candidate, the part that comes from the word, and the one from the state before. */
struct net_step {
	float reset, update, candidate_in, candidate_state;
};

/* in, state: [NET_GATES] products with the word's near layer and with the state before: the first NET_STATE are for the reset gate, the next
 * for the update gate, the last for the candidate. */
static inline struct net_step net_step_of(const float *in, const float *state, size_t k)
{
	return (struct net_step){ in[k] + state[k], in[NET_STATE + k] + state[NET_STATE + k], in[2 * NET_STATE + k], state[2 * NET_STATE + k] };
}

static inline float net_candidate(struct net_step s)
{
	return net_squash(s.candidate_in + net_gate(s.reset) * s.candidate_state);
}

/* The state after the step. */
static inline float net_next(struct net_step s, float before)
{
	const float candidate = net_candidate(s);
	return candidate + net_gate(s.update) * (before - candidate);
}

#endif
