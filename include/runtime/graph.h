/*
 * Graphs: an agent is a table of nodes.
 *
 * A pipeline is a straight table, a ReAct loop is two rows and a route. graph_run() is the one
 * loop over any of them. Nodes never see the store nor a socket.
 */
#ifndef RUNTIME_GRAPH_H
#define RUNTIME_GRAPH_H

#include <stddef.h>

#include "base/errs.h"

struct run;
struct json_object;

enum { NODE_END = 0 };                  /* index 0 is the end: a forgotten `next` stops */
enum { NODE_ALWAYS = 1 << 0 };          /* runs after a failure too (the formatter) */

struct node {
	const char *name;
	enum errcode (*run)(struct run *, struct err *);
	int next;                               /* index of the node that follows */
	int (*route)(const struct run *);       /* decides instead of next, when set */
	unsigned flags;
};

struct graph {
	const char *name;
	const struct node *nodes;               /* nodes[0] is unused (NODE_END) */
	int nnodes, entry, max_steps;           /* max_steps ends a loop that will not */
	size_t state_size;                      /* the agent's state: zeroed at each turn */
	/* Channel state <-> JSON, per agent; NULL: nothing is kept between turns but messages. */
	struct json_object *(*save)(const struct run *);
	enum errcode (*load)(struct run *, struct json_object *, struct err *);
	/* Fill `metadata` of the done event; may be NULL. */
	void (*metadata)(const struct run *, struct json_object *);
};

/*
 * Run the nodes from g->entry with run->state (allocated here, zeroed). The first failure
 * is recorded in run->error and does not stop the walk: later nodes run if NODE_ALWAYS.
 * Returns OK when the walk ended (run->error tells whether something failed), ERR_HUP when
 * the reader has gone: then nothing more may be emitted.
 */
enum errcode graph_run(struct run *run);

/* Check a graph's table (indices, names, entry) once at start. */
enum errcode graph_check(const struct graph *g, struct err *e);

#endif
