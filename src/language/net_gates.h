/*
 * One step of a state of the net (a gated recurrent unit: Cho et al., EMNLP 2014), as it is learned and as it is read. A step
 * forgets a part of the state, makes a new one of the rest and the word, and mixes both.
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

/* How steep they are there. */
static inline float net_squash_slope(float x)
{
	const float part = x > 3 || x < -3 ? 0 : (9 - x * x) / (3 * (3 + x * x));
	return part * part;
}

static inline float net_gate_slope(float x)
{
	return 0.25F * net_squash_slope(0.5F * x);
}

/* What goes into number k of a step: of the word, and of the state before. */
struct net_step {
	float keep_in, mix_in, new_in, new_state;
};

/* in, state: [NET_GATES] products, of which the first NET_STATE are for how much of the state the new one sees, the next for how much
 * of the old one stays, and the last for the new one. */
static inline struct net_step net_step_of(const float *in, const float *state, size_t k)
{
	return (struct net_step){ in[k] + state[k], in[NET_STATE + k] + state[NET_STATE + k], in[2 * NET_STATE + k], state[2 * NET_STATE + k] };
}

static inline float net_new(struct net_step s)
{
	return net_squash(s.new_in + net_gate(s.keep_in) * s.new_state);
}

/* The state after the step. */
static inline float net_mixed(struct net_step s, float before)
{
	const float fresh = net_new(s);
	return fresh + net_gate(s.mix_in) * (before - fresh);
}

#endif
