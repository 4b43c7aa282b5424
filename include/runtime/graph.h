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

/* index 0 is the end, so a forgotten `next` ends the graph */
enum { NODE_END = 0 };
enum { NODE_ALWAYS = 1 << 0 };          /* runs after a failure too, as the formatter must */

struct node {
	const char *name;
	enum errcode (*run)(struct run *, struct err *);
	int next;                               /* index of the node that follows */
	int (*route)(const struct run *);       /* if set, it decides instead of `next` */
	unsigned flags;
};

struct graph {
	const char *name;
	const struct node *nodes;               /* nodes[0] is unused (NODE_END) */
	/* max_steps ends a loop that would not end by itself */
	int nnodes, entry, max_steps;
	/* bytes of the agent's state, which is zeroed at each turn */
	size_t state_size;
	/* Channel state to JSON and back; each agent has its own. NULL: only messages are kept
	 * between turns. */
	struct json_object *(*save)(const struct run *);
	enum errcode (*load)(struct run *, struct json_object *, struct err *);
	/* Adds members to `metadata` of the done event; may be NULL. */
	void (*metadata)(const struct run *, struct json_object *);
};

/*
 * Run the nodes from g->entry with run->state (allocated here, zeroed). The first failure is
 * recorded in run->error and does not stop the walk, but after it only NODE_ALWAYS nodes run. OK:
 * the walk ended; run->error tells whether something failed. ERR_HUP: the reader has gone, so
 * nothing more may be emitted.
 */
enum errcode graph_run(struct run *run);

/* Check a graph's table (indices, names, entry) once at start. */
enum errcode graph_check(const struct graph *g, struct err *e);

#endif
