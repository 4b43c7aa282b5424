/*
 * From events to an entry of the conversation log.
 */
#include "edges/recorder.h"

#include <string.h>

#include "base/log.h"

static enum errcode emit(struct sink *s, const struct event *ev)
{
	struct recorder *r = (struct recorder *)s;   /* its first member */
	switch (ev->kind) {
	case EV_TOOL_START:
		r->last = jsn_new();
		jsn_add_str(r->last, "name", ev->name);
		jsn_add(r->last, "arguments", jsn_ref(ev->data));
		jsn_add(r->last, "result", NULL);
		jsn_push(r->tool_calls, r->last);
		break;
	case EV_TOOL_END:
		if (r->last != NULL)
			jsn_add(r->last, "result", jsn_ref(ev->result));
		r->last = NULL;
		break;
	/* collected from the pieces, because after a reader has left there is nothing else */
	case EV_THINKING:
		r->thinking = arena_printf(r->mem, "%s%s", r->thinking == NULL ? "" : r->thinking,
		    ev->text);
		break;
	case EV_UI_PAYLOAD:
		r->has_ui = true;
		break;
	case EV_ERROR:
		if (r->error == NULL)      /* the first failure is the turn's, as in run->error */
			r->error = arena_strdup(r->mem, ev->text);
		break;
	case EV_FINAL: {
		const char *thinking = jsn_get_str(jsn_get(ev->data, "state"), "thinking", NULL);
		if (thinking != NULL)
			r->thinking = arena_strdup(r->mem, thinking);
		break;
	}
	case EV_PLAN:
	case EV_TEXT:
	case EV_THINKING_DONE:
	case EV_DONE:
	case EV__MAX:
		break;
	}
	return OK;
}

void recorder_init(struct recorder *r, struct run *run)
{
	static const struct sink_ops ops = { "recorder", .emit = emit };
	struct err ignored;
	*r = (struct recorder){ .sink = { &ops }, .mem = run->mem,
		.tool_calls = jsn_array(run->mem) };
	r->reader.sink = &r->sink;
	(void)runlog_attach(&run->log, &r->reader, 0, &ignored);     /* nothing is replayed */
}

/* Members that the original service's entries do not have are added only when they have a value. */
static struct json_object *metadata(const struct recorder *r, const struct run *run)
{
	struct json_object *extra = jsn_object(r->mem);
	if (run->tokens.input + run->tokens.output > 0) {
		struct json_object *tokens = jsn_new();
		jsn_add_int(tokens, "input", run->tokens.input);
		jsn_add_int(tokens, "output", run->tokens.output);
		if (run->tokens.estimated)
			jsn_add_bool(tokens, "estimated", true);
		jsn_add(extra, "tokens", tokens);
	}
	if (run->agent->graph->metadata != NULL && run->state != NULL)
		run->agent->graph->metadata(run, extra);
	if (run->status == RUN_CANCELLED)
		jsn_add_bool(extra, "cancelled", true);
	return extra;
}

void recorder_write(const struct recorder *r, struct convlog *log, const struct run *run)
{
	struct err e;
	if (log->dir == NULL)
		return;
	const char *question = "";
	for (size_t i = run->nmessages; i > 0; i--)
		if (strcmp(run->messages[i - 1].role, "user") == 0) {
			question = run->messages[i - 1].content;
			break;
		}
	struct convlog_entry entry = {
		.session_id = run->session_id,
		.started_wall_us = run->started_wall_us,
		.ended_wall_us = run->ended_wall_us,
		.question = question,
		.answer = run->answer == NULL ? "" : run->answer,
		.thinking = r->thinking == NULL ? "" : r->thinking,
		.tool_calls = r->tool_calls,
		.has_visualizations = r->has_ui,
		.has_error = run->error.code != OK,
		.run_id = run->run_id,
		.error = run->error.code == OK ? NULL :
		    r->error != NULL ? r->error : err_row(run->error.code)->said,
		.metadata = metadata(r, run),
	};
	if (convlog_append(log, &entry, r->mem, &e) != OK)
		log_msg(LOG_ERROR, "conversation_log", "dir=%s why=\"%s\"", log->dir, e.msg);
}
