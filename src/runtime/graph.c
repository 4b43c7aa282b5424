/*
 * The one loop over an agent's nodes.
 */
#include "runtime/graph.h"

#include <stdbool.h>
#include <string.h>

#include "base/log.h"
#include "runtime/run.h"

/* Remember the first failure; what follows from it is an echo. */
static void record(struct run *run, const struct node *node, const struct err *e)
{
	if (run->error.code != OK)
		return;
	run->error = *e;
	run->failed_node = node->name;
	log_msg((enum log_level)err_row(e->code)->level, "node_failed", "code=%s why=\"%s\"",
	    err_row(e->code)->name, e->msg);
}

enum errcode graph_run(struct run *run)
{
	const struct graph *g = run->graph;
	enum errcode stopped = OK;
	for (int at = g->entry; at != NODE_END && stopped != ERR_HUP;) {
		const struct node *node = &g->nodes[at];
		bool failed = run->error.code != OK;
		log_node(node->name);
		if (!failed || (node->flags & NODE_ALWAYS) != 0) {
			struct err e = { 0 };
			stopped = failed ? OK : run_check(run);
			if (stopped == OK && !failed && run->steps++ >= g->max_steps)
				stopped = err_set(&e, ERR_STEPS, "%s: more than %d steps", g->name,
				    g->max_steps);
			else if (stopped != OK)
				err_set(&e, stopped, "%s: stopped before %s", g->name, node->name);
			else
				stopped = node->run(run, &e);
			if (stopped != OK && stopped != ERR_HUP) {
				if (e.code == OK)
					err_set(&e, stopped, "%s gave no reason", node->name);
				record(run, node, &e);
			}
		}
		/* after a failure the table's straight way leads to the nodes that always run */
		at = node->route != NULL && run->error.code == OK ? node->route(run) : node->next;
	}
	log_node(NULL);
	return stopped == ERR_HUP ? ERR_HUP : OK;
}

enum errcode graph_check(const struct graph *g, struct err *e)
{
	if (g->nnodes < 2 || g->entry < 1 || g->entry >= g->nnodes || g->max_steps < 1)
		return err_set(e, ERR_INTERNAL, "graph %s: no entry or no step limit", g->name);
	for (int i = 1; i < g->nnodes; i++) {
		const struct node *n = &g->nodes[i];
		if (n->name == NULL || n->run == NULL || n->next < 0 || n->next >= g->nnodes)
			return err_set(e, ERR_INTERNAL, "graph %s: node %d is not complete",
			    g->name, i);
	}
	/* following `next` alone must end: that is the way after a failure */
	int steps = 0;
	for (int at = g->entry; at != NODE_END; at = g->nodes[at].next)
		if (++steps > g->nnodes)
			return err_set(e, ERR_INTERNAL,
			    "graph %s: the next members go round; loop with route", g->name);
	return OK;
}
