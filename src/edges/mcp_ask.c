/*
 * The agent as a tool: a question in, the answer of a whole turn out. What the run tells while it works
 * becomes progress.
 */
#include "edges/mcp_call.h"

#include <string.h>

#include "base/clock.h"
#include "edges/chat_request.h"
#include "runtime/run.h"
#include "runtime/sink.h"

enum { ANSWER_MAX = 1 << 20, TEXT_TELL_MS = 1000 };

static const struct tool_arg ask_args[] = {
	{ .name = "question", .type = ARG_STRING, .required = true,
	    .doc = "The question in plain language." },
	{ .name = "thread", .type = ARG_STRING,
	    .doc = "To go on with a conversation: the `thread` of its last answer." },
};

const struct tool mcp_ask_row = {
	.name = "ask_aviation_agent",
	.doc = "Answers a pilot's question in plain language: airports by name, place or route, fuel, customs and notice, "
	    "fees, and flying rules by country. It plans and carries out the look-ups itself and writes the answer.",
	.args = ask_args,
	.nargs = sizeof(ask_args) / sizeof(ask_args[0]),
	.domain = TOOL_AIRPORTS,
};

/* ---- the run's events ---------------------------------------------------------------------- */

struct sink_mcp {
	struct sink sink;
	struct mcp_call *call;
	struct buf text;              /* as it was streamed */
	const char *answer;           /* as the thread keeps it; NULL: not known */
	const char *failed;           /* the first error, for the user */
	struct json_object *airports; /* idents that a map would show */
	int64_t told_ms;              /* when progress of the text was last told */
};

static enum errcode gone(const struct sink_mcp *s)
{
	return s->call->hup ? ERR_HUP : OK;
}

static void keep_airports(struct sink_mcp *s, struct json_object *payload)
{
	struct arena *work = arena_new();
	/* it may be finished text */
	struct json_object *list = jsn_get(jsn_copy(work, payload), "airports");

	for (size_t i = 0; i < jsn_len(list); i++) {
		const char *ident = jsn_get_str(jsn_at(list, i), "ident", NULL);
		if (ident != NULL)
			jsn_push(s->airports, jsn_str(ident));
	}
	arena_free(work);
}

static void tell_text(struct sink_mcp *s)
{
	const int64_t now = clock_mono_ms();

	if (now - s->told_ms < TEXT_TELL_MS)
		return;
	s->told_ms = now;
	mcp_tell(s->call, "Writing the answer");
}

static enum errcode emit(struct sink *sink, const struct event *ev)
{
	struct sink_mcp *s = (struct sink_mcp *)sink;

	switch (ev->kind) {
	case EV_TOOL_START:
		mcp_tell(s->call, arena_printf(s->call->mem, "Looking up: %.80s", ev->name));
		break;
	case EV_TOOL_END:
		mcp_tell(s->call, arena_printf(s->call->mem, "Looked up: %.80s", ev->name));
		break;
	case EV_TEXT:
		buf_puts(&s->text, ev->text);
		tell_text(s);
		break;
	case EV_ERROR:
		if (s->failed == NULL)
			s->failed = arena_strdup(s->call->mem, ev->text);
		break;
	case EV_UI_PAYLOAD:
		keep_airports(s, ev->data);
		break;
	case EV_FINAL:
		s->answer = arena_strdup(s->call->mem, jsn_get_str(jsn_get(ev->data, "state"), "final_answer", NULL));
		break;
	case EV_PLAN:
	case EV_THINKING:
	case EV_THINKING_DONE:
	case EV_DONE:
	case EV__MAX:
		break;
	}
	return gone(s);
}

static enum errcode tick(struct sink *sink)
{
	struct sink_mcp *s = (struct sink_mcp *)sink;
	int64_t due;

	if (s->call->line->ops->tick(s->call->line, &due) != OK)
		s->call->hup = true;
	return gone(s);
}

static int fd(struct sink *sink)
{
	struct mcp_line *line = ((struct sink_mcp *)sink)->call->line;

	return line->ops->fd(line);
}

static const struct sink_ops ops = { .name = "mcp", .emit = emit, .tick = tick, .fd = fd };

/* ---- the answer ------------------------------------------------------------------------------- */

static void put_answer(struct mcp_call *c, const struct sink_mcp *s, const struct run *run)
{
	const char *answer = s->answer != NULL ? s->answer : s->text.p;
	struct json_object *o = jsn_object(c->mem);

	mcp_result_open(c);
	mcp_member(c, "content");
	buf_puts(c->out, "[{\"type\":\"text\",\"text\":");
	jsn_print_str(c->out, answer);
	buf_puts(c->out, "},{\"type\":\"text\",\"text\":");
	jsn_print_str(c->out, arena_printf(c->mem, "To go on with this conversation, call ask_aviation_agent with "
	    "\"thread\": \"%s\".", run->thread_id));
	buf_puts(c->out, "}]");
	jsn_add_str(o, "answer", answer);
	jsn_add_str(o, "thread", run->thread_id);
	jsn_add(o, "airports", jsn_ref(s->airports));
	mcp_member_json(c, "structuredContent", o);
	mcp_result_close(c);
}

static const char *refusal(struct mcp_call *c, const struct err *e)
{
	if (e->code == ERR_BUSY)
		return "This thread is answering another question. Wait for that answer, or leave out `thread` to begin a new "
		    "conversation.";
	if (e->code == ERR_NOTFOUND)
		return "There is no such thread. Leave out `thread` to begin a new conversation.";
	return arena_printf(c->mem, "The question was not answered: %s", err_row(e->code)->said);
}

static void turn(struct mcp_call *c, const struct turn_request *req)
{
	const struct edge_parts *parts = &c->server->parts;
	struct run *run = edge_run_new(parts, c->server->agent);
	struct sink_mcp s = { .sink = { &ops }, .call = c, .airports = jsn_array(c->mem) };
	struct err e = { 0 };
	int64_t retry_ms;

	buf_init(&s.text, ANSWER_MAX);
	if (run_begin(run, req, &retry_ms, &e) != OK) {
		edge_run_refused(parts, run);
		mcp_tool_failed(c, refusal(c, &e));
	} else {
		/* In the legacy era a connection that ends is no wish to stop. */
		run->log.goes_on = c->era == MCP_LEGACY && streq(parts->conf->on_disconnect, "continue");
		mcp_tell(c, "Reading the question");
		(void)edge_run_turn(parts, run, &s.sink);
		if (run->status == RUN_CANCELLED)
			mcp_tool_failed(c, "The question was cancelled before it was answered.");
		else if (s.failed != NULL && run->error.code != OK && !err_row(run->error.code)->answers)
			mcp_tool_failed(c, s.failed);
		else
			put_answer(c, &s, run);
	}
	buf_release(&s.text);
	run_free(run);
}

void mcp_ask(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	const char *question = jsn_get_str(args, "question", ""), *thread = jsn_get_str(args, "thread", NULL);
	const struct message message = MESSAGE("user", question);
	const struct turn_request req = { .thread_id = thread, .no_session = true, .owner = c->caller->owner,
		.persona_id = mcp_persona(c), .messages = &message, .nmessages = 1, .reader_fd = c->line->ops->fd(c->line) };

	(void)t;
	if (thread != NULL && (!chat_id_valid(thread) || streq(thread, "last"))) {
		mcp_tool_failed(c, "thread must be the `thread` of an earlier answer. Leave it out to begin a new "
		    "conversation.");
		return;
	}
	turn(c, &req);
}
