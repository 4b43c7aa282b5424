/*
 * An agent: its graph, what it needs, and how the part that all its runs share is opened.
 *
 * agents/agents.c lists the agents of the program. Route rows and stored threads name their agent.
 */
#ifndef RUNTIME_AGENT_H
#define RUNTIME_AGENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "runtime/graph.h"

struct agent_env;         /* agents/env.h */
struct behavior_slice;    /* base/behavior.h */

/* The parts of the service that an agent uses. Health and `aviation-agent check` report on
 * these. */
enum agent_need {
	AGENT_AIRPORTS = 1 << 0,      /* the airport database */
	AGENT_RULES    = 1 << 1,
	AGENT_MODEL    = 1 << 2,      /* the language model */
};

struct agent {
	const char *name;             /* stored with its threads, so it must never change */
	const struct graph *graph;
	unsigned needs;               /* enum agent_need */
	/* its turns are personal: the conversation log gets none of them */
	bool unlogged;
	/* True: a turn fails if the state of its thread cannot be read. False: the turn goes on without the state,
	 * and replaces it. */
	bool needs_state;
	/* its part of the behaviour config; NULL: it has none */
	const struct behavior_slice *slice;
	/* Build what all its runs share, before the first thread starts; constant from then on.
	 * ERR_CONFIG. NULL: nothing is shared. close() frees it. */
	enum errcode (*open)(void **app, const struct agent_env *env, struct err *e);
	void (*close)(void *app);
};

/* An agent that was opened. */
struct agent_open {
	const struct agent *agent;
	void *app;                    /* run->app of its runs */
};

/* Check its graph and open it. */
enum errcode agent_open(struct agent_open *out, const struct agent *agent,
    const struct agent_env *env, struct err *e);
void agent_close(struct agent_open *a);

/* NULL: no agent of the list has this name. */
const struct agent_open *agent_find(const struct agent_open *list, size_t n, const char *name);
/* What any agent of the list needs. */
unsigned agent_needs(const struct agent_open *list, size_t n);

#endif
