/*
 * The one loop over an agent's nodes.
 */
#include "runtime/graph.h"

#include "base/log.h"
#include "runtime/run.h"

/* Remember only the first failure, because later ones are often its consequences. */
static void record(struct run *run, const struct node *node, const struct err *e)
{
	if (run->error.code != OK)
		return;
	run->error = *e;
	run->failed_node = node->name;
	/* the reason for a wrong plan quotes the model and the user, so it is logged only at debug
	 * level */
	bool words = e->code == ERR_PLANNER && !log_enabled(LOG_DEBUG);
	log_msg((enum log_level)err_row(e->code)->level, "node_failed", "code=%s%s%s%s",
	    err_row(e->code)->name, words ? "" : " why=\"", words ? "" : e->msg, words ? "" : "\"");
}

/* May this node start? A turn that has exceeded its time or its steps fails here, with the node's
 * name. */
static enum errcode admit(struct run *run, const struct node *node, struct err *e)
{
	const struct graph *g = run->agent->graph;
	enum errcode rc = run_check(run);
	if (rc != OK)
		return err_set(e, rc, "%s: stopped before %s", g->name, node->name);
	if (run->steps++ >= g->max_steps)
		return err_set(e, ERR_STEPS, "%s: more than %d steps", g->name, g->max_steps);
	return OK;
}

/* The node, if it may run. After a failure, one from admit() included, only NODE_ALWAYS nodes
 * may. */
static enum errcode step(struct run *run, const struct node *node)
{
	struct err e = { 0 };
	enum errcode rc = run->error.code == OK ? admit(run, node, &e) : OK;
	if (rc == ERR_HUP)
		return rc;              /* somebody cancelled the run */
	if (rc != OK)
		record(run, node, &e);
	if (run->error.code != OK && (node->flags & NODE_ALWAYS) == 0)
		return OK;
	e = (struct err){ 0 };
	rc = node->run(run, &e);
	if (rc == OK || rc == ERR_HUP)
		return rc;
	if (e.code == OK)
		err_set(&e, rc, "%s gave no reason", node->name);
	record(run, node, &e);
	return OK;
}

enum errcode graph_run(struct run *run)
{
	const struct graph *g = run->agent->graph;
	enum errcode rc = OK;
	for (int at = g->entry; at != NODE_END && rc == OK;) {
		const struct node *node = &g->nodes[at];
		log_node(node->name);
		rc = step(run, node);
		/* after a failure, `next` leads to the nodes that always run */
		at = node->route != NULL && run->error.code == OK ? node->route(run) : node->next;
	}
	log_node(NULL);
	return rc;
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
	/* after a failure only `next` is followed, so that way must end */
	int steps = 0;
	for (int at = g->entry; at != NODE_END; at = g->nodes[at].next)
		if (++steps > g->nnodes)
			return err_set(e, ERR_INTERNAL,
			    "graph %s: following \"next\" never ends; use \"route\" for a loop", g->name);
	return OK;
}
