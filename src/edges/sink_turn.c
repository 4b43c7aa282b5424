#include "edges/sink_turn.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "edges/sink_sse.h"
#include "services/sse.h"

enum {
	FRAME_MAX = 64 << 20,
	ANSWER_MAX = 4 << 20,
	FRAME_KEEP = 4 << 10,           /* a buffer that has grown larger is freed before the run waits */
};

/* What clients of this protocol are told of the errors of a run; the rest are INTERNAL_ERROR. The status is that
 * of an answer which is not streamed. */
static const struct fault {
	const char *name, *code;
	int status;
} faults[] = {
	{ "planner_failed", "LLM_ERROR", 502 },
	{ "formatter_failed", "LLM_ERROR", 502 },
	{ "upstream_failed", "LLM_ERROR", 502 },
	{ "too_many_steps", "STEP_LIMIT", 502 },
	{ "timeout", "TIMEOUT", 504 },
	{ "cancelled", "CANCELLED", 409 },
	{ NULL, "INTERNAL_ERROR", 500 },
};

static const struct fault *fault_of(const char *name)
{
	const struct fault *f = faults;

	while (f->name != NULL && !streq(f->name, name))
		f++;
	return f;
}

/* -- the data of an event -- */

static struct json_object *typed(struct arena *a, const char *type)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "type", type);
	return o;
}

/* "2026-01-03T10:15:00Z" */
static void add_time(struct json_object *o, int64_t wall_us)
{
	char at[CLOCK_ISO_SIZE], zoned[CLOCK_ISO_SIZE + 1];

	clock_iso_utc(at, wall_us > 0 ? wall_us : clock_wall_us());
	snprintf(zoned, sizeof(zoned), "%.*sZ", (int)strcspn(at, "."), at);
	jsn_add_str(o, "timestamp", zoned);
}

/* A text stays as it is, because it is a tool's whole result. */
static void add_json_text(struct arena *a, struct json_object *o, const char *name, struct json_object *v)
{
	jsn_add_str(o, name, jsn_is(v, json_type_string) ? json_object_get_string(v) : jsn_text(a, v, JSN_PLAIN));
}

static void add_call(struct json_object *o, const struct event *ev)
{
	jsn_add_str(o, "source", "local");
	add_time(o, ev->time_us);
	if (ev->call_id != NULL)
		jsn_add_str(o, "tool_call_id", ev->call_id);
}

static struct json_object *token_json(const struct sink_turn *s, struct arena *a, const struct event *ev)
{
	struct json_object *o = typed(a, "token");

	(void)s;
	jsn_add_str(o, "content", ev->text);
	return o;
}

static struct json_object *tool_start_json(const struct sink_turn *s, struct arena *a, const struct event *ev)
{
	struct json_object *o = typed(a, "tool_start");

	(void)s;
	jsn_add_str(o, "tool_name", ev->name);
	add_json_text(a, o, "tool_input", ev->data);
	add_call(o, ev);
	return o;
}

static struct json_object *tool_complete_json(const struct sink_turn *s, struct arena *a, const struct event *ev)
{
	struct json_object *o = typed(a, "tool_complete");

	(void)s;
	jsn_add_str(o, "tool_name", ev->name);
	add_json_text(a, o, "tool_result", ev->result);
	add_call(o, ev);
	return o;
}

static struct json_object *end_json(const struct sink_turn *s, struct arena *a, const struct event *ev)
{
	struct json_object *o;

	if (s->code != NULL) {
		o = typed(a, "error");
		jsn_add_str(o, "message", s->message);
		jsn_add_str(o, "code", s->code);
		return o;
	}
	o = typed(a, "complete");
	jsn_add_str(o, "message_id", jsn_get_str(ev->data, "message_id", NULL));
	jsn_add_str(o, "conversation_id", s->conversation_id);
	return o;
}

/* -- the sink -- */

static const struct {
	const char *type;               /* NULL: this kind is not shown */
	struct json_object *(*json)(const struct sink_turn *, struct arena *, const struct event *);
} rows[EV__MAX] = {
	[EV_TEXT] = { "token", token_json },
	[EV_TOOL_START] = { "tool_start", tool_start_json },
	[EV_TOOL_END] = { "tool_complete", tool_complete_json },
	[EV_DONE] = { "complete", end_json },
};

static void keep_fault(struct sink_turn *s, const char *name, const char *message)
{
	if (s->code != NULL)
		return;
	s->code = fault_of(name)->code;
	s->message = arena_strdup(s->mem, message);
}

/* The run may have failed, or been stopped without an error. */
static void look_for_faults(struct sink_turn *s, const struct event *ev)
{
	if (ev->kind == EV_ERROR)
		keep_fault(s, ev->name, ev->text);
	else if (ev->kind == EV_DONE && streq(jsn_get_str(ev->data, "status", NULL), "cancelled"))
		keep_fault(s, "cancelled", "The answer was stopped.");
}

static enum errcode put_frame(struct sink_turn *s)
{
	enum errcode rc = s->frame.full ? ERR_TOOBIG : http_put(s->w, s->frame.p, s->frame.n);

	if (s->frame.size > FRAME_KEEP)
		buf_release(&s->frame);
	else
		buf_clear(&s->frame);
	return rc == OK ? OK : ERR_HUP;
}

static enum errcode show(struct sink_turn *s, const struct event *ev)
{
	struct arena *a = arena_new();
	const char *type = ev->kind == EV_DONE && s->code != NULL ? "error" : rows[ev->kind].type;

	buf_printf(&s->frame, "id: %lld.%lld\n", (long long)s->turn, (long long)ev->seq);
	sse_open(&s->frame, type);
	jsn_print(&s->frame, rows[ev->kind].json(s, a, ev), JSN_PLAIN);
	sse_close(&s->frame);
	arena_free(a);
	return put_frame(s);
}

/* The answer is what was said after the last tool. */
static void collect(struct sink_turn *s, const struct event *ev)
{
	if (ev->kind == EV_TEXT)
		buf_puts(&s->text, ev->text);
	else if (ev->kind == EV_TOOL_START)
		buf_clear(&s->text);
	else if (ev->kind == EV_TOOL_END) {
		struct json_object *o = tool_complete_json(s, s->mem, ev);
		json_object_object_del(o, "type");
		add_json_text(s->mem, o, "tool_input", ev->data);
		jsn_push(s->tools, jsn_ref(o));
	} else if (ev->kind == EV_DONE)
		s->end = end_json(s, s->mem, ev);
}

static enum errcode emit(struct sink *sink, const struct event *ev)
{
	struct sink_turn *s = (struct sink_turn *)sink;

	look_for_faults(s, ev);
	if (rows[ev->kind].json == NULL)
		return OK;
	if (s->stream)
		return show(s, ev);
	collect(s, ev);
	return http_gone(s->w) ? ERR_HUP : OK;
}

static enum errcode flush(struct sink *sink)
{
	struct sink_turn *s = (struct sink_turn *)sink;

	return !s->stream || http_flush(s->w) == OK ? OK : ERR_HUP;
}

static enum errcode comment(struct sink_turn *s, const char *text)
{
	sse_comment(&s->frame, text);
	enum errcode rc = put_frame(s);
	return rc == OK ? flush(&s->sink) : rc;
}

static enum errcode tick(struct sink *sink)
{
	struct sink_turn *s = (struct sink_turn *)sink;

	if (http_gone(s->w))
		return ERR_HUP;
	return s->stream ? comment(s, "hb") : OK;
}

static int fd(struct sink *sink)
{
	struct http_io *io = ((struct sink_turn *)sink)->w->io;

	return io->ops->fd(io);
}

static const struct sink_ops turn_ops = { "turn", emit, flush, tick, fd };

void sink_turn_init(struct sink_turn *s, struct http_res *w, struct arena *mem, const char *conversation_id,
    int64_t turn, bool stream)
{
	*s = (struct sink_turn){ .sink = { &turn_ops }, .w = w, .mem = mem, .turn = turn, .stream = stream,
		.conversation_id = arena_strdup(mem, conversation_id), .tools = jsn_array(mem) };
	buf_init(&s->frame, FRAME_MAX);
	buf_init(&s->text, ANSWER_MAX);
}

void sink_turn_release(struct sink_turn *s)
{
	buf_release(&s->frame);
	buf_release(&s->text);
}

enum errcode sink_turn_open(struct sink_turn *s)
{
	enum errcode rc = sse_begin(s->w);

	return rc == OK ? comment(s, "open") : rc;
}

void sink_turn_broken(struct sink_turn *s)
{
	struct arena *a = arena_new();

	keep_fault(s, NULL, err_row(ERR_INTERNAL)->said);
	sse_open(&s->frame, "error");
	jsn_print(&s->frame, end_json(s, a, NULL), JSN_PLAIN);
	sse_close(&s->frame);
	arena_free(a);
	if (put_frame(s) == OK)
		(void)flush(&s->sink);
}

static int status_of(const char *code)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (streq(faults[i].code, code))
			return faults[i].status;
	return 500;
}

void sink_turn_send(struct sink_turn *s)
{
	if (s->end == NULL) {           /* the run's events broke off */
		keep_fault(s, NULL, err_row(ERR_INTERNAL)->said);
		s->end = end_json(s, s->mem, NULL);
	}
	if (s->code == NULL) {
		jsn_add_str(s->end, "content", s->text.p);
		jsn_add(s->end, "tools", jsn_ref(s->tools));
	}
	http_json(s->w, s->code == NULL ? 200 : status_of(s->code), s->end);
}
