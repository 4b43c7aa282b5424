/*
 * The MCP server over HTTP: one message a request. The answer is one JSON object, or a stream of server-sent events
 * that ends with it, where the caller wants to hear of progress.
 */
#include "edges/api.h"

#include <string.h>

#include "base/clock.h"
#include "edges/mcp_call.h"
#include "edges/mcp_access.h"
#include "edges/sink_sse.h"
#include "services/sse.h"

enum { ALIVE_MS = 15000 };

struct http_line {
	struct mcp_line line;
	struct http_res *w;
	bool may_stream, streams;
	int64_t sign_ms;              /* when something was last sent */
};

/* ---- what the caller accepts -------------------------------------------------------------- */

enum { ACCEPT_JSON = 1, ACCEPT_SSE = 2 };

/* Clients should accept both; many send less, or nothing, and can read JSON. */
static unsigned accepted(const struct http_req *r)
{
	static const struct { const char *range; unsigned what; } rows[] = {
		{ "*/*", ACCEPT_JSON }, { "application/*", ACCEPT_JSON }, { "application/json", ACCEPT_JSON },
		{ "text/*", ACCEPT_SSE }, { "text/event-stream", ACCEPT_SSE },
	};
	const char *list = r->field[FIELD_ACCEPT];
	struct str part;
	unsigned found = 0;

	if (list == NULL)
		return ACCEPT_JSON;
	while (str_part(&list, ',', &part)) {
		const char *semicolon = memchr(part.p, ';', part.n);
		if (semicolon != NULL)
			part.n = (size_t)(semicolon - part.p);
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (str_ieq(str_trim(part), rows[i].range))
				found |= rows[i].what;
	}
	return found;
}

/* ---- the line back ---------------------------------------------------------------------------- */

static enum errcode put(struct http_line *l, const struct buf *b)
{
	l->sign_ms = clock_mono_ms();
	if (b->full || http_put(l->w, b->p, b->n) != OK || http_flush(l->w) != OK)
		return ERR_HUP;
	return OK;
}

static bool line_open(struct mcp_line *line)
{
	struct http_line *l = (struct http_line *)line;

	if (!l->may_stream)
		return false;
	if (!l->streams) {
		l->streams = true;
		l->sign_ms = clock_mono_ms();
		(void)sse_begin(l->w);
	}
	return true;
}

static enum errcode line_send(struct mcp_line *line, const struct buf *message)
{
	struct buf b;

	buf_init(&b, MCP_OUT_MAX + 1024);
	sse_open(&b, "message");
	buf_put(&b, message->p, message->n);
	sse_close(&b);
	enum errcode rc = put((struct http_line *)line, &b);
	buf_release(&b);
	return rc;
}

static enum errcode line_tick(struct mcp_line *line, int64_t *ms)
{
	struct http_line *l = (struct http_line *)line;
	const int64_t silent_ms = clock_mono_ms() - l->sign_ms;
	enum errcode rc = OK;

	*ms = ALIVE_MS;
	if (http_gone(l->w))
		return ERR_HUP;
	if (l->streams && silent_ms >= ALIVE_MS) {
		struct buf b;
		buf_init(&b, 64);
		sse_comment(&b, "alive");
		rc = put(l, &b);
		buf_release(&b);
	} else if (l->streams) {
		*ms = ALIVE_MS - silent_ms;
	}
	return rc;
}

static int line_fd(struct mcp_line *line)
{
	struct http_io *io = ((struct http_line *)line)->w->io;

	return io->ops->fd(io);
}

static const struct mcp_line_ops line_ops = { line_open, line_send, line_tick, line_fd };

/* ---- a request ------------------------------------------------------------------------------------ */

static void send_answer(struct mcp_call *c, struct http_line *l, unsigned accept)
{
	struct http_res *w = l->w;

	if (c->hup)
		return;
	if (l->streams || (c->out->n > 0 && c->status == 200 && (accept & ACCEPT_JSON) == 0)) {
		if (!l->streams)
			(void)sse_begin(w);
		(void)line_send(&l->line, c->out);
		http_end(w);
		return;
	}
	if (c->retry_s > 0)
		http_fieldf(w, "Retry-After", "%lld", (long long)c->retry_s);
	if (http_begin(w, c->status, c->out->n > 0 ? "application/json" : NULL, (int64_t)c->out->n) == OK
	    && (c->out->n == 0 || http_put(w, c->out->p, c->out->n) == OK))
		http_end(w);
}

void api_mcp(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct mcp_headers headers = { r->field[FIELD_MCP_REVISION], r->field[FIELD_MCP_METHOD],
		r->field[FIELD_MCP_NAME] };
	const unsigned accept = accepted(r);
	struct http_line line = { .line = { &line_ops }, .w = w, .may_stream = (accept & ACCEPT_SSE) != 0 };
	struct mcp_caller caller;
	struct mcp_call call = { .server = e->mcp, .mem = r->mem, .caller = &caller, .line = &line.line };
	struct mcp_fault fault;
	struct buf out;

	(void)rt;
	if (!mcp_access(e, r, w, &caller))
		return;
	if (accept == 0) {
		http_detail(w, r->mem, 406, "Answers are application/json or text/event-stream. Name both in the header Accept.");
		return;
	}
	buf_init(&out, MCP_OUT_MAX);
	call.out = &out;
	if (mcp_take(&call, r->body.p, r->body.n, &fault)) {
		http_req_drop_body(r);
		mcp_answer(&call, &headers);
	} else {
		mcp_answer_fault(&call, &fault);
	}
	send_answer(&call, &line, accept);
	buf_release(&out);
}
