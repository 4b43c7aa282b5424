/*
 * The collected answer. The agent's final answer replaces the pieces that were streamed, because
 * the final answer is what the thread keeps.
 */
#include "edges/sink_json.h"

enum { ANSWER_MAX = 4 << 20 };

static struct json_object *keep(struct sink_json *s, struct json_object *o)
{
	return jsn_own(s->mem, jsn_ref(o));
}

static enum errcode emit(struct sink *sink, const struct event *ev)
{
	struct sink_json *s = (struct sink_json *)sink;

	switch (ev->kind) {
	case EV_PLAN:
		/* a turn about airports and rules has a second one, which goes with the first */
		if (s->plan == NULL)
			s->plan = keep(s, ev->data);
		break;
	case EV_TEXT:
		buf_puts(&s->text, ev->text);
		break;
	case EV_ERROR:
		if (s->error_code == NULL) {
			s->error_code = arena_strdup(s->mem, ev->name);
			s->error_text = arena_strdup(s->mem, ev->text);
		}
		break;
	case EV_UI_PAYLOAD:
		s->ui_payload = keep(s, ev->data);
		break;
	case EV_FINAL:
		s->answer = arena_strdup(s->mem,
		    jsn_get_str(jsn_get(ev->data, "state"), "final_answer", NULL));
		break;
	case EV_DONE:
		s->done = keep(s, ev->data);
		break;
	case EV_THINKING:
	case EV_TOOL_START:
	case EV_TOOL_END:
	case EV_THINKING_DONE:
	case EV__MAX:
		break;
	}
	return http_gone(s->w) ? ERR_HUP : OK;
}

static enum errcode tick(struct sink *sink)
{
	return http_gone(((struct sink_json *)sink)->w) ? ERR_HUP : OK;
}

static int fd(struct sink *sink)
{
	struct http_io *io = ((struct sink_json *)sink)->w->io;
	return io->ops->fd(io);
}

static const struct sink_ops json_ops = { .name = "json", .emit = emit, .tick = tick, .fd = fd };

void sink_json_init(struct sink_json *s, struct arena *mem, struct http_res *w)
{
	*s = (struct sink_json){ .sink = { &json_ops }, .mem = mem, .w = w };
	buf_init(&s->text, ANSWER_MAX);
}

void sink_json_release(struct sink_json *s)
{
	buf_release(&s->text);
}

struct json_object *sink_json_response(const struct sink_json *s)
{
	static const char *const ids[] = { "thread_id", "run_id", "session_id" };
	static const char *const facts[] = { "tokens", "metadata" };
	struct json_object *o = jsn_object(s->mem);

	jsn_add_str(o, "answer", s->answer != NULL ? s->answer : s->text.p);
	jsn_add(o, "planner_meta", jsn_ref(s->plan));
	jsn_add(o, "ui_payload", jsn_ref(s->ui_payload));
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		jsn_add_str(o, ids[i], jsn_get_str(s->done, ids[i], NULL));
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		jsn_add(o, facts[i], jsn_ref(jsn_get(s->done, facts[i])));
	if (jsn_has(s->done, "status"))
		jsn_add(o, "status", jsn_ref(jsn_get(s->done, "status")));
	if (s->error_code != NULL) {
		struct json_object *error = jsn_object(s->mem);
		jsn_add_str(error, "code", s->error_code);
		jsn_add_str(error, "message", s->error_text);
		jsn_add(o, "error", jsn_ref(error));
	}
	return o;
}
