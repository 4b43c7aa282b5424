/*
 * Fills in what the handlers share with the parts that the composition lends.
 */
#include "edges/edge.h"

#include "base/clock.h"
#include "edges/follow.h"
#include "edges/mcp.h"
#include "edges/recorder.h"
#include "edges/routes.h"
#include "edges/sink_log.h"
#include "runtime/run.h"
#include "services/store.h"

enum { PROBE_TIMEOUT_MS = 200, FEEDBACK_MAX_DAY = 8 << 20 };

/* Check this at start: a route with an agent that is not open would fail at its first request. */
static enum errcode check_routes(const struct edge_parts *parts, struct err *e)
{
	for (size_t i = 0; i < parts->nroutes; i++) {
		const struct route *rt = &parts->routes[i];
		if (rt->agent != NULL && agent_find(parts->agents, parts->nagents, rt->agent) == NULL)
			return err_set(e, ERR_INTERNAL, "route %s: there is no agent \"%s\"", rt->path,
			    rt->agent);
	}
	return OK;
}

/* The same folder and limits as the conversation log, but strangers write it, so its days are small. */
static void init_feedback(struct convlog *f, const struct convlog *log)
{
	const int64_t max = log->max_day > 0 && log->max_day < FEEDBACK_MAX_DAY ? log->max_day : FEEDBACK_MAX_DAY;

	f->dir = log->dir;
	f->suffix = "-feedback";
	f->max_entry = log->max_entry;
	f->max_day = max;
	f->days = log->days;
}

enum errcode edge_init(struct edge *e, const struct edge_parts *parts, struct err *err)
{
	const struct conf *conf = parts->conf;
	const struct store_config probe = {
		.provider = conf->store_provider,
		.redis_url = conf->redis_url,
		.sqlite_path = conf->sqlite_path,
		.timeout_ms = conf->store_timeout_ms < PROBE_TIMEOUT_MS
		    ? (int)conf->store_timeout_ms : PROBE_TIMEOUT_MS,
	};
	*e = (struct edge){ .parts = *parts, .off = routes_off(conf->rest),
		.max_chats = (int)conf->max_chats,
		.max_followers = (int)conf->max_followers };
	if (parts->log != NULL)
		init_feedback(&e->feedback, parts->log);
	cors_init(&e->cors, parts->mem, conf->cors_origins);
	pthread_mutex_init(&e->health.lock, NULL);
	clock_cond_init(&e->health.asked);
	e->mcp = mcp_server_new(parts, e);
	enum errcode rc = check_routes(parts, err);
	if (parts->store != NULL && store_in_memory(parts->store))
		e->health.probe = parts->store;
	else if (rc == OK)
		rc = store_open(&e->health.probe, &probe, err);
	return rc;
}

void edge_release(struct edge *e)
{
	if (e->health.probe != e->parts.store)
		store_close(e->health.probe);
	mcp_server_free(e->mcp);
	pthread_cond_destroy(&e->health.asked);
	pthread_mutex_destroy(&e->health.lock);
}

struct run *edge_run_new(const struct edge_parts *parts, const struct agent_open *agent)
{
	const struct conf *conf = parts->conf;
	const struct run_setup setup = {
		.agent = agent,
		.store = parts->store,
		.limits = {
			.deadline_ms = conf->turn_timeout_s * 1000,
			.lease_ms = conf->lease_s * 1000,
			.heartbeat_ms = conf->heartbeat_s * 1000,
			.history_messages = (size_t)conf->history_messages,
			.queue_ms = conf->queue_s * 1000,
			.queue_max = (int)conf->queue_max,
		},
		.stop = parts->stop,
		.worker = parts->worker,
		.desk = parts->desk,
	};
	return run_new(&setup);
}

void edge_run_refused(const struct edge_parts *parts, struct run *run)
{
	struct sink_log log;
	if (!run->log_is_open)
		return;
	sink_log_init(&log, parts->writer, run);
	run_refused(run);
	sink_log_end(&log);
}

enum errcode edge_run_turn(const struct edge_parts *parts, struct run *run, struct sink *sink)
{
	struct recorder recorder;
	struct sink_log log;
	if (run->busy.dead[0] != '\0')
		follow_bury(parts, run->busy.dead);
	run->log.first.sink = sink;
	if (run->logged)
		sink_log_init(&log, parts->writer, run);
	if (!run->agent->unlogged)
		recorder_init(&recorder, run);
	enum errcode rc = run_turn(run);
	if (run->logged)
		sink_log_end(&log);
	if (!run->agent->unlogged)
		recorder_write(&recorder, parts->log, run);
	return rc;
}
