/*
 * The body of an answer is either a stream of events, which are relayed as they come, or an error,
 * which is collected and becomes one frame.
 */
#include "gateway/relay.h"

#include <string.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/httpc.h"
#include "services/sse.h"

enum {
	CONNECT_MS = 5000,
	SILENCE_MS = 60000,           /* a stream has a comment every few seconds */
	CHECK_MS = 10000,
	EVENT_MAX = 4 << 20,          /* bytes of one event */
	ERROR_MAX = 64 << 10,
	FIELDS = 8,
};

struct relay_agent {
	const char *path;             /* of the gateway */
	const char *check;            /* answers 401 if the client must sign in; NULL: it need not */
	bool needs_id;                /* a message must name its conversation */
	const char *(*url)(struct arena *a, const struct client_frame *m);
	struct json_object *(*body)(struct arena *a, const struct client_frame *m);
	/* As frame_of_chat_event(); NULL: the data of an event is the frame. */
	const char *(*frame)(struct arena *a, const char *event, const char *data, size_t n, bool *last);
};

static const char *onboarding_url(struct arena *a, const struct client_frame *m)
{
	return arena_printf(a, "/api/onboarding/conversations/%s/messages", m->conversation_id);
}

static struct json_object *onboarding_body(struct arena *a, const struct client_frame *m)
{
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "type", "message");
	jsn_add_str(o, "content", m->content);
	return o;
}

static const char *chat_url(struct arena *a, const struct client_frame *m)
{
	(void)a;
	(void)m;
	return "/api/aviation-agent/chat/stream";
}

static struct json_object *chat_body(struct arena *a, const struct client_frame *m)
{
	struct json_object *o = jsn_object(a), *list = json_object_new_array(), *message = jsn_new();
	jsn_add_str(message, "role", "user");
	jsn_add_str(message, "content", m->content);
	jsn_push(list, message);
	jsn_add(o, "messages", list);
	if (m->conversation_id != NULL)
		jsn_add_str(o, "thread_id", m->conversation_id);
	return o;
}

static const struct relay_agent agents[] = {
	{ "/ws/onboarding", "/api/onboarding/auth/me", true, onboarding_url, onboarding_body, NULL },
	{ "/ws/chat", NULL, false, chat_url, chat_body, frame_of_chat_event },
};

const struct relay_agent *relay_agent_at(const char *path)
{
	for (size_t i = 0; i < sizeof(agents) / sizeof(agents[0]); i++)
		if (streq(agents[i].path, path))
			return &agents[i];
	return NULL;
}

/* -- a request -- */

static void add_field(struct arena *a, const char **fields, const char *name, const char *value)
{
	size_t n = 0;
	while (fields[n] != NULL)
		n++;
	if (value != NULL && n < FIELDS - 1)
		fields[n] = arena_printf(a, "%s: %s", name, value);
}

static const char **fields_of(struct arena *a, const struct relay_client *c)
{
	const char **fields = arena_array(a, FIELDS, sizeof(*fields));
	add_field(a, fields, "Authorization", c->authorization);
	add_field(a, fields, "Cookie", c->cookie);
	add_field(a, fields, "X-Forwarded-For", c->address);
	return fields;
}

struct answer {
	struct arena *a;              /* of one event */
	const struct relay_agent *agent;
	relay_fn *fn;
	void *arg;
	struct sse_parser events;
	struct buf error;             /* the body of another answer */
	bool ended;                   /* the last frame was sent */
};

static enum errcode collect(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	(void)head;
	(void)e;
	buf_put(arg, p, n);
	return OK;
}

enum errcode relay_check(const struct relay *r, const struct relay_agent *agent,
    const struct relay_client *c, const struct watch *w, struct err *e)
{
	struct arena *a = arena_new();
	struct httpc_head head;
	struct buf body;
	enum errcode rc = OK;
	if (agent->check != NULL) {
		const struct httpc_request req = { .url = arena_printf(a, "%s%s", r->upstream, agent->check),
			.fields = fields_of(a, c), .connect_ms = CONNECT_MS, .first_ms = CHECK_MS,
			.idle_ms = CHECK_MS, .total_ms = CHECK_MS, .max_bytes = ERROR_MAX };
		buf_init(&body, ERROR_MAX);
		rc = httpc_call(r->http, &req, w, collect, &body, &head, e);
		buf_release(&body);
		if (rc == OK && (head.status == 401 || head.status == 403))
			rc = err_set(e, ERR_INPUT, "the token is missing or wrong");
		else if (rc == OK && head.status != 200)
			rc = err_set(e, ERR_UPSTREAM, "%s%s answers %d", r->upstream, agent->check, head.status);
		else if (rc == ERR_TIMEOUT)
			rc = ERR_UPSTREAM;
	}
	arena_free(a);
	return rc;
}

/* -- a turn -- */

static enum errcode say(struct answer *an, const char *frame, bool last)
{
	return an->fn(an->arg, frame, strlen(frame), last);
}

static enum errcode on_event(void *arg, const char *event, const char *data, size_t n,
    struct err *e)
{
	struct answer *an = arg;
	bool last = one_of(event, "complete|error");
	enum errcode rc = OK;
	(void)e;
	if (an->ended)
		return OK;
	if (an->agent->frame == NULL) {
		rc = an->fn(an->arg, data, n, last);
	} else {
		struct arena *a = arena_new();
		const char *frame = an->agent->frame(a, event, data, n, &last);
		if (frame != NULL)
			rc = say(an, frame, last);
		arena_free(a);
	}
	an->ended = last;
	return rc;
}

static enum errcode on_body(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct answer *an = arg;
	if (head->status == 200 && streq(head->type, "text/event-stream"))
		return sse_feed(&an->events, p, n, on_event, an, e);
	buf_put(&an->error, p, n);
	return OK;
}

/* A turn that ended without its last frame gets one. */
static enum errcode finish(struct answer *an, enum errcode rc, const struct httpc_head *head,
    const struct err *e)
{
	if (an->ended)
		return OK;
	if (rc == OK && head->status != 200)
		rc = say(an, frame_of_status(an->a, head->status, an->error.p, an->error.n), true);
	else {
		if (rc != OK)
			log_msg(LOG_WARN, "gateway_upstream", "code=%s why=\"%s\"", err_row(rc)->name, e->msg);
		rc = say(an, frame_error(an->a, "The connection to the assistant broke off. Please try again.",
		    "UNAVAILABLE"), true);
	}
	return rc == OK && head->status == 401 ? ERR_INPUT : rc;
}

enum errcode relay_turn(const struct relay *r, const struct relay_agent *agent,
    const struct relay_client *c, const struct client_frame *message, const struct watch *w,
    relay_fn *fn, void *arg)
{
	struct arena *a = arena_new();
	struct answer an = { .a = a, .agent = agent, .fn = fn, .arg = arg };
	struct httpc_head head = { 0 };
	struct err e = { 0 };
	enum errcode rc;
	if (message->conversation_id == NULL && agent->needs_id) {
		rc = say(&an, frame_error(a, "conversation_id is missing.", "INVALID_FORMAT"), true);
	} else if (message->conversation_id != NULL && !id_valid(message->conversation_id, 128)) {
		/* no such id was ever given out, and it must not become part of an address */
		rc = say(&an, frame_error(a, "This conversation does not exist.", "ACCESS_DENIED"),
		    true);
	} else {
		const char **fields = fields_of(a, c);
		const char *body = jsn_text(a, agent->body(a, message), JSN_PLAIN);
		add_field(a, fields, "Content-Type", "application/json");
		add_field(a, fields, "Accept", "text/event-stream");
		const struct httpc_request req = {
			.url = arena_printf(a, "%s%s", r->upstream, agent->url(a, message)), .fields = fields,
			.body = body, .nbody = strlen(body), .connect_ms = CONNECT_MS, .first_ms = SILENCE_MS,
			.idle_ms = SILENCE_MS, .max_bytes = SIZE_MAX };
		sse_parser_init(&an.events, EVENT_MAX);
		buf_init(&an.error, ERROR_MAX);
		rc = httpc_call(r->http, &req, w, on_body, &an, &head, &e);
		/* the client has gone, or reads too slowly: there is nobody to tell */
		if (!(rc != OK && head.stopped && rc != ERR_TOOBIG))
			rc = finish(&an, rc, &head, &e);
		sse_parser_release(&an.events);
		buf_release(&an.error);
	}
	arena_free(a);
	return rc;
}
