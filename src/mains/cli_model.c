/*
 * Asks a model a very short question, to check its settings. A large model that is still being
 * loaded takes minutes to its first word. That is not a wrong setting, so the limit is long, and
 * from time to time a line on standard error says that it waits.
 */
#include "mains/cli.h"

#include <stdio.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/model.h"
#include "base/clock.h"
#include "mains/service.h"

enum {
	PATIENCE_MS = 300000,
	SAY_FIRST_MS = 3000, SAY_EVERY_MS = 10000,
};

struct waiting {
	const char *model;
	int64_t began_ms, say_ms;     /* say_ms: when the next line is due */
};

static enum errcode say_when_due(void *arg, int64_t *ms)
{
	struct waiting *w = arg;
	int64_t now = clock_mono_ms();

	if (now >= w->say_ms) {
		fprintf(stderr, "provider     waiting for %s, %lld s so far; loading a large model takes "
		    "minutes (the limit is %d s)\n", w->model,
		    (long long)((now - w->began_ms) / 1000), PATIENCE_MS / 1000);
		w->say_ms += SAY_EVERY_MS;
	}
	*ms = w->say_ms > now ? w->say_ms - now : 1;
	return OK;
}

static enum errcode ask(struct service *s, struct arena *a, struct llm_request *req,
    int64_t *took_ms, struct err *e)
{
	int64_t now = clock_mono_ms();
	struct waiting waiting = { req->model, now, now + SAY_FIRST_MS };
	const struct watch w = { -1, say_when_due, &waiting };
	struct llm_reply reply;
	enum errcode rc = llm_chat(s->llm, a, req, NULL, NULL, &w, &reply, NULL, e);

	*took_ms = clock_mono_ms() - now;
	return rc;
}

static const char *seconds(struct arena *a, int64_t ms)
{
	return ms < 1000 ? arena_printf(a, "%lld ms", (long long)ms)
	    : arena_printf(a, "%.1f s", (double)ms / 1000);
}

enum errcode cli_ask_model(struct service *s, const struct model *m, struct arena *a,
    const struct llm_role *role, const char **said, struct err *e)
{
	static const struct llm_message hello = { .role = "user",
		.content = "Reply with the word OK." };
	const struct edge_parts parts = service_parts(s);
	struct run *run = edge_run_new(&parts, service_agent(s, &aviation_agent));
	int64_t took, again;
	enum errcode rc;

	run->started_ms = clock_mono_ms();
	struct llm_request req = model_request(run, m, role, "check");
	run_free(run);
	const int64_t limit = req.first_ms < s->conf.llm_call_ms ? req.first_ms : s->conf.llm_call_ms;

	req.messages = &hello;
	req.nmessages = 1;
	req.fallback_model = NULL;
	req.max_retries = 0;
	req.stream = false;
	req.ungated = true;
	req.first_ms = req.total_ms = PATIENCE_MS;
	if ((rc = ask(s, a, &req, &took, e)) != OK)
		return rc;
	*said = arena_printf(a, "%s: %s answered in %s", llm_name(s->llm), role->model,
	    seconds(a, took));
	if (took <= limit)
		return OK;
	/* was the model being loaded, or is it always slow? */
	if ((rc = ask(s, a, &req, &again, e)) != OK)
		return rc;
	*said = again <= limit ?
	    arena_printf(a, "%s, then in %s; a turn waits %s at most, so the built-in planner and writer "
	        "answer while it is being loaded", *said, seconds(a, again), seconds(a, limit)) :
	    arena_printf(a, "%s, then in %s; a turn waits %s at most, so the built-in planner and writer "
	        "answer instead: use a faster model, or raise request_timeout in the behaviour config",
	        *said, seconds(a, again), seconds(a, limit));
	return OK;
}
