/*
 * Places are counted. A place that is given back goes to the first call in the queue, so a later
 * call cannot overtake it. Each waiting call sleeps on its own descriptor, which wakes it once:
 * because it has a place, or because a rest begins.
 */
#include "services/llm_gate.h"

#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/log.h"

struct llm_waiter {
	int wake;                      /* eventfd */
	bool in;                       /* it has a place, and has left the queue */
	struct llm_waiter *next;
};

void llm_gate_init(struct llm_gate *g, const struct llm_gate_config *c)
{
	*g = (struct llm_gate){ .config = *c,
		.rest = { .rest_ms = c->rest_ms, .after = c->max_failures } };
	pthread_mutex_init(&g->lock, NULL);
}

void llm_gate_release(struct llm_gate *g)
{
	pthread_mutex_destroy(&g->lock);
}

/* -- the queue; call with the lock held -- */

static void join(struct llm_gate *g, struct llm_waiter *w)
{
	struct llm_waiter **at = &g->first;
	while (*at != NULL)
		at = &(*at)->next;
	*at = w;
}

static void quit(struct llm_gate *g, struct llm_waiter *w)
{
	struct llm_waiter **at = &g->first;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
}

/* -- in and out -- */

static enum errcode refuse(struct llm_gate *g, struct err *e)
{
	return err_set(e, ERR_UPSTREAM, "the provider failed %lld times in a row and is left alone for "
	    "another %.1f s: llm_attempt lines in the log say why",
	    (long long)atomic_load(&g->rest.failures), (double)rest_left_ms(&g->rest) / 1000);
}

static void give_back(struct llm_gate *g)
{
	pthread_mutex_lock(&g->lock);
	struct llm_waiter *w = g->first;
	if (w != NULL) {
		g->first = w->next;
		w->in = true;
		eventfd_write(w->wake, 1);
	} else {
		g->taken--;
	}
	pthread_mutex_unlock(&g->lock);
}

static enum errcode wait_turn(struct llm_gate *g, const struct watch *w, struct llm_waiter *me,
    bool *full, struct err *e)
{
	bool woken;
	enum errcode rc = watch_poll(w, me->wake, g->config.queue_ms, &woken);
	pthread_mutex_lock(&g->lock);
	if (!me->in)
		quit(g, me);
	pthread_mutex_unlock(&g->lock);
	close(me->wake);
	if (rc != OK) {
		if (me->in)
			give_back(g);
		return err_set(e, rc, "the turn ended while its model call waited for one of the %d places "
		    "(AVIATION_AGENT_LLM_MAX_CALLS)", g->config.max_calls);
	}
	if (me->in)
		return OK;
	if (woken)
		return refuse(g, e);
	*full = true;
	return err_set(e, ERR_OVERLOAD, "no place came free in %lld ms among the %d model calls allowed "
	    "at once: raise AVIATION_AGENT_LLM_MAX_CALLS if the provider can take more",
	    (long long)g->config.queue_ms, g->config.max_calls);
}

static enum errcode take(struct llm_gate *g, const struct watch *w, bool *full, struct err *e)
{
	struct llm_waiter me = { .wake = -1 };
	pthread_mutex_lock(&g->lock);
	/* the lock is held, so a rest that begins from now on wakes this call too */
	bool rests = rest_left_ms(&g->rest) > 0, free = g->taken < g->config.max_calls;
	if (!rests && free)
		g->taken++;
	else if (!rests && (me.wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) != -1)
		join(g, &me);
	pthread_mutex_unlock(&g->lock);
	if (rests)
		return refuse(g, e);
	if (free)
		return OK;
	if (me.wake != -1)
		return wait_turn(g, w, &me, full, e);
	*full = true;
	return err_set(e, ERR_OVERLOAD, "no descriptor is left to wait for a place: raise the limit of "
	    "open files");
}

enum errcode llm_gate_enter(struct llm_gate *g, const struct watch *w, int64_t *probe, bool *full,
    struct err *e)
{
	*full = false;
	enum errcode rc = take(g, w, full, e);
	if (rc != OK || rest_ask(&g->rest, probe))
		return rc;
	give_back(g);
	return refuse(g, e);
}

static void wake_all(struct llm_gate *g)
{
	pthread_mutex_lock(&g->lock);
	for (struct llm_waiter *w = g->first; w != NULL; w = w->next)
		eventfd_write(w->wake, 1);
	pthread_mutex_unlock(&g->lock);
}

void llm_gate_leave(struct llm_gate *g, int64_t probe, enum llm_outcome outcome)
{
	static const enum rest_news news[] = { [LLM_ANSWERED] = REST_THERE, [LLM_OUTAGE] = REST_AWAY,
		[LLM_NO_VERDICT] = REST_UNKNOWN };
	bool counts = g->config.max_failures > 0;
	bool changed = counts && rest_tell(&g->rest, probe, news[outcome]);
	if (changed && outcome == LLM_ANSWERED)
		log_msg(LOG_INFO, "provider_back", "what=\"calls are made again\"");
	if (changed && outcome == LLM_OUTAGE) {
		log_msg(LOG_WARN, "provider_resting", "failures=%lld rest_ms=%lld what=\"no call is made "
		    "meanwhile\"", (long long)atomic_load(&g->rest.failures),
		    (long long)g->config.rest_ms);
		wake_all(g);
	}
	give_back(g);
}
