/*
 * One exchange over HTTP: a POST, whose answer is JSON or a stream of events.
 *
 * A stream may carry other messages before the answer: progress, which nobody here shows, and in the
 * legacy era requests of the server. When the answer has come, the stream gets a moment to end, so
 * that its connection can be used again.
 */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "services/mcp_client_own.h"
#include "services/sse.h"

enum {
	LINGER_MS = 100,
	LEAVE_MS = 1000,              /* for messages whose answer nobody waits for */
	ANSWERS_MAX = 16,             /* requests of the server that are answered */
	ROUNDS_MAX = 16,              /* how often a stream is read on */
	RETRY_MS = 1000, RETRY_MAX_MS = 15000,
	FIELDS = 96,
};

/* What has come so far. */
struct hearing {
	struct httpc *http;
	const struct mcp_remote *server;
	struct arena *a;
	const struct mcp_exchange *x;
	struct mcp_answer *out;
	struct sse_parser events;
	struct buf body;              /* what is no stream */
	bool streams;
	int nanswered;                /* requests of the server */
	bool deaf;                    /* it did not take an answer to its requests, so it gets no more */
	int64_t until, answered_ms;
};

/* ---- headers -------------------------------------------------------------------------- */

static const char **fields_of(const struct hearing *h, const char *accept, bool json, const char *last)
{
	const struct mcp_exchange *x = h->x;
	const char **f = arena_array(h->a, FIELDS + 1, sizeof(*f));
	size_t n = 0;

	f[n++] = accept;
	if (json)
		f[n++] = "Content-Type: application/json";
	for (size_t i = 0; h->server->fields[i] != NULL; i++)
		f[n++] = h->server->fields[i];
	if (x->version != NULL)
		f[n++] = arena_printf(h->a, MCP_HEADER_REVISION ": %s", x->version);
	if (x->session != NULL && *x->session != '\0')
		f[n++] = arena_printf(h->a, MCP_HEADER_SESSION ": %s", x->session);
	if (last != NULL)
		f[n++] = arena_printf(h->a, "Last-Event-ID: %s", last);
	if (x->modern && json)
		f[n++] = arena_printf(h->a, MCP_HEADER_METHOD ": %s", x->method);
	if (x->modern && json && x->name != NULL)
		f[n++] = arena_printf(h->a, MCP_HEADER_NAME ": %s",
		    mcp_header_write(h->a, x->name, strlen(x->name)));
	for (size_t i = 0; x->mirrored != NULL && x->mirrored[i] != NULL && n < FIELDS; i++)
		f[n++] = x->mirrored[i];
	return f;
}

/* ---- what comes ------------------------------------------------------------------------- */

static enum errcode ignore(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	(void)arg, (void)head, (void)p, (void)n, (void)e;
	return OK;
}

/* Send what nobody waits for. False: it was not taken within `ms`. `w` may be NULL. */
static bool post(struct httpc *http, const char *url, const char *const *fields, const char *method,
    const struct buf *body, int64_t ms, const struct watch *w)
{
	struct httpc_request req = { .url = url, .fields = fields, .method = method,
		.body = body != NULL ? body->p : NULL, .nbody = body != NULL ? body->n : 0,
		.connect_ms = ms, .total_ms = ms, .max_bytes = 64 * 1024 };
	struct httpc_head head;
	struct err why;

	return httpc_call(http, &req, w, ignore, NULL, &head, &why) == OK;
}

/* Within the limit of our own request, which waits meanwhile. */
static void answer_server(struct hearing *h, const struct mcp_message *m)
{
	const int64_t left = h->until - clock_mono_ms();
	struct buf b;

	if (h->x->modern || h->deaf || left <= 0 || h->nanswered++ >= ANSWERS_MAX)
		return;
	buf_init(&b, 64 * 1024);
	mcp_answer_server(&b, m);
	h->deaf = !post(h->http, h->server->url,
	    fields_of(h, "Accept: application/json, text/event-stream", true, NULL), NULL, &b,
	    left < LEAVE_MS ? left : LEAVE_MS, h->x->watch);
	buf_release(&b);
}

static bool is_answer(const struct mcp_message *m)
{
	return m->kind == MCP_RESULT || m->kind == MCP_ERROR;
}

/* An error without an id is an answer to a request that the server could not read. */
static bool answers(struct arena *a, const struct hearing *h, const struct mcp_message *m)
{
	return is_answer(m) && h->x->id.n > 0 &&
	    (mcp_same_id(a, m->id, h->x->id) || (m->kind == MCP_ERROR && m->id.n == 0));
}

static enum errcode keep(struct hearing *h, const char *p, size_t n, struct err *e)
{
	h->out->answered = true;
	h->answered_ms = clock_mono_ms();
	return mcp_take_message(h->a, p, n, &h->out->message, e);
}

static enum errcode take_event(void *arg, const char *event, const char *data, size_t n, struct err *e)
{
	struct hearing *h = arg;
	struct mcp_message m;
	struct arena *work;

	if (h->out->answered || n == 0 || !streq(event, "message"))
		return OK;
	work = arena_new();
	enum errcode rc = mcp_take_message(work, data, n, &m, e);
	if (rc == OK && answers(work, h, &m))
		rc = keep(h, data, n, e);
	else if (rc == OK && m.kind == MCP_REQUEST)
		answer_server(h, &m);
	arena_free(work);
	return rc;
}

static enum errcode take(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct hearing *h = arg;
	enum errcode rc;

	h->streams = head->status / 100 == 2 && streq(head->type, "text/event-stream");
	if (!h->streams) {
		buf_put(&h->body, p, n);
		return OK;
	}
	rc = sse_feed(&h->events, p, n, take_event, h, e);
	return rc == ERR_TOOBIG ? err_set(e, ERR_UPSTREAM, "it sent an event of more than %d MB",
	    MCP_REPLY_MAX >> 20) : rc;
}

/* The caller's watch, and the moment that a stream gets after the answer. */
static enum errcode look_after(void *arg, int64_t *ms)
{
	struct hearing *h = arg;
	const struct watch *w = h->x->watch;
	enum errcode rc = w == NULL || w->check == NULL ? OK : w->check(w->arg, ms);

	if (rc != OK || !h->out->answered)
		return rc;
	const int64_t left = h->answered_ms + LINGER_MS - clock_mono_ms();
	if (left < *ms)
		*ms = left > 0 ? left : 1;
	return left > 0 ? OK : ERR_UPSTREAM;
}

/* ---- one request -------------------------------------------------------------------------- */

/* A body that is JSON. It may be an answer at any status. */
static enum errcode read_body(struct hearing *h, const struct httpc_head *head, struct err *e)
{
	struct arena *work = arena_new();
	struct mcp_message m;
	const bool json = streq(head->type, "application/json");
	struct err why = { 0 };
	enum errcode rc = OK;

	if (json && h->body.n > 0 && h->x->id.n > 0) {
		rc = mcp_take_message(work, h->body.p, h->body.n, &m, &why);
		if (rc == OK && answers(work, h, &m))
			rc = keep(h, h->body.p, h->body.n, &why);
		else if (rc == OK && head->status == 200)
			rc = err_set(&why, ERR_UPSTREAM, "it answered another request than ours");
	}
	arena_free(work);
	/* with an error's status a body may be anything */
	return rc != OK && head->status == 200 ? err_set(e, ERR_UPSTREAM, "%s", why.msg) : OK;
}

static void keep_session(struct mcp_answer *out, const char *id)
{
	size_t n = strlen(id);

	for (size_t i = 0; i < n; i++)
		if (id[i] < 0x21 || id[i] > 0x7e)
			return;
	if (n < sizeof(out->session))
		memcpy(out->session, id, n + 1);
}

/* body NULL: a GET that reads a stream on. */
static enum errcode request(struct hearing *h, const struct buf *body, const char *last, int64_t ms,
    bool *stopped, struct err *e)
{
	const struct mcp_exchange *x = h->x;
	const struct watch watch = { .fd = x->watch != NULL ? x->watch->fd : -1, .check = look_after,
		.arg = h };
	struct httpc_request req = { .url = h->server->url,
		.fields = fields_of(h, body != NULL ? "Accept: application/json, text/event-stream" :
		    "Accept: text/event-stream", body != NULL, last),
		.body = body != NULL ? body->p : NULL, .nbody = body != NULL ? body->n : 0,
		.keep = MCP_HEADER_SESSION, .connect_ms = x->connect_ms, .total_ms = ms,
		.max_bytes = MCP_REPLY_MAX };
	struct httpc_head head;
	struct err why = { 0 };

	buf_clear(&h->body);
	enum errcode rc = httpc_call(h->http, &req, &watch, take, h, &head, &why);
	h->out->status = head.status;
	keep_session(h->out, head.kept);
	if (h->out->answered && rc != ERR_HUP)
		return OK;
	if (rc == OK && !h->streams)
		return read_body(h, &head, e);
	if (rc == OK)
		return OK;
	*stopped = head.stopped && rc != ERR_UPSTREAM;
	/* a limit of ours, not the turn's */
	return err_set(e, *stopped || rc == ERR_CONFIG ? rc : ERR_UPSTREAM, "%s", why.msg);
}

/* The stream ended without the answer, and the server told how to read it on. */
static bool goes_on(const struct hearing *h)
{
	return h->streams && !h->out->answered && !h->x->modern && h->x->id.n > 0 &&
	    h->events.id[0] != '\0';
}

static enum errcode read_on(struct hearing *h, int64_t until, bool *stopped, struct err *e)
{
	enum errcode rc = OK;

	for (int i = 0; i < ROUNDS_MAX && rc == OK && goes_on(h); i++) {
		int64_t wait = h->events.retry_ms < 0 ? RETRY_MS : h->events.retry_ms;
		char last[sizeof(h->events.id)];
		if (wait > RETRY_MAX_MS || clock_mono_ms() + wait >= until)
			break;
		rc = watch_sleep(h->x->watch, wait);
		*stopped = rc != OK;
		if (rc != OK)
			return err_set(e, rc, "stopped while it waited to read on");
		memcpy(last, h->events.id, sizeof(last));
		sse_parser_release(&h->events);
		sse_parser_init(&h->events, MCP_REPLY_MAX);
		memcpy(h->events.id, last, sizeof(last));
		rc = request(h, NULL, last, until - clock_mono_ms(), stopped, e);
		if (rc == ERR_UPSTREAM && goes_on(h))
			rc = OK;
	}
	return rc;
}

enum errcode mcp_http_ask(struct httpc *http, const struct mcp_remote *s, struct arena *a,
    const struct mcp_exchange *x, struct mcp_answer *out, bool *stopped, struct err *e)
{
	const int64_t until = clock_mono_ms() + x->ms;
	struct hearing h = { .http = http, .server = s, .a = a, .x = x, .out = out,
		.until = until };

	*out = (struct mcp_answer){ .status = 0 };
	*stopped = false;
	sse_parser_init(&h.events, MCP_REPLY_MAX);
	buf_init(&h.body, MCP_REPLY_MAX);
	enum errcode rc = request(&h, x->body, NULL, x->ms, stopped, e);
	/* a stream that was cut off can be read on like one that ended */
	if ((rc == OK || (rc == ERR_UPSTREAM && !*stopped)) && goes_on(&h))
		rc = read_on(&h, until, stopped, e);
	if (rc == OK && h.streams && !out->answered && x->id.n > 0)
		rc = err_set(e, ERR_UPSTREAM, "its stream ended without an answer");
	sse_parser_release(&h.events);
	buf_release(&h.body);
	return rc;
}

void mcp_http_leave(struct httpc *http, const struct mcp_remote *s, const char *version,
    const char *session)
{
	struct arena *a = arena_new();
	const struct mcp_exchange x = { .version = version, .session = session };
	const struct hearing h = { .a = a, .x = &x, .server = s };

	post(http, s->url, fields_of(&h, "Accept: application/json", false, NULL), "DELETE", NULL,
	    LEAVE_MS, NULL);
	arena_free(a);
}
