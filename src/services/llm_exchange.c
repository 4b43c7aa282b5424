/*
 * A request and its reply, from the first byte sent to the verdict.
 *
 * The body goes to the reply's parser, or is collected if the caller wants it whole. Either way its
 * size is limited, and the ways in which a transfer can end are told apart: the server, the
 * network, the reader of the text, the caller's watch.
 */
#include "services/llm_exchange.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/fcgi_pool.h"

enum {
	PIECE_MAX = 128 * 1024,        /* more than libcurl hands over at once */
	LINGER_MS = 1000,              /* how long a reply that is over may keep its connection open */
};

static enum errcode reader_ended(enum errcode rc, struct err *e)
{
	return err_set(e, rc, "the reader of the reply ended it (%s)", err_row(rc)->name);
}

static enum errcode take_body(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct llm_exchange *x = arg;
	enum errcode rc = OK;
	if (head->status / 100 == 2 && x->reply != NULL) {
		if (head->uploaded)
			buf_release(x->question);
		rc = llm_parse_feed(x->reply, head->type, p, n);
		x->ours = rc != OK && x->reply->verdict != VERDICT_STOPPED;
		if (rc != OK && !x->ours)
			reader_ended(rc, e);
	} else {
		if (head->status / 100 != 2)
			x->body.max = LLM_REFUSAL_MAX;
		buf_put(&x->body, p, n);
		if (x->body.full)
			rc = ERR_UPSTREAM;
		x->ours = rc != OK;
	}
	return rc;
}

/*
 * The caller's watch, and one of our own: a server may send the last word and not close the stream.
 * It gets a moment, because a connection that ends well can be used again; then the reader is not
 * kept waiting.
 */
static enum errcode look_after(void *arg, int64_t *ms)
{
	struct llm_exchange *x = arg;
	*ms = LINGER_MS;
	enum errcode rc = x->watch == NULL || x->watch->check == NULL ? OK :
	    x->watch->check(x->watch->arg, ms);
	if (rc != OK || x->reply == NULL || !x->reply->finished)
		return rc;
	int64_t now = clock_mono_ms();
	if (x->finished_ms == 0)
		x->finished_ms = now;
	int64_t left = x->finished_ms + LINGER_MS - now;
	x->ours = left <= 0;
	if (left < *ms)
		*ms = left > 0 ? left : 1;
	return x->ours ? ERR_UPSTREAM : OK;
}

void llm_log_words(const struct llm_exchange *x)
{
	char words[sizeof(x->error->message)];
	const char *key = x->o->key, *p = x->error->message, *end = p + strlen(p);
	size_t n = 0;
	if (!log_enabled(LOG_DEBUG) || p == end)
		return;
	while (p < end) {
		size_t left = (size_t)(end - p), len = key == NULL ? 0 : strlen(key);
		if (len > left)
			len = left;
		bool is_key = len > 0 && memcmp(p, key, len) == 0;
		words[n++] = is_key ? '*' : *p;
		p += is_key ? len : 1;
	}
	words[n] = '\0';
	log_msg(LOG_DEBUG, "llm_refused", "model=%.64s host=%s status=%d words=\"%s\"", x->model,
	    x->o->host, x->head.status, words);
}

enum errcode llm_no_reply(const struct llm_exchange *x, enum llm_verdict verdict,
    struct llm_fault *fault, struct err *e)
{
	const struct llm_failure f = { .dialect = x->o->dialect, .host = x->o->host, .key = x->o->key,
		.status = x->head.status, .html = streq(x->head.type, "text/html"),
		.retry_after_ms = x->head.retry_after_ms >= 0 ? x->head.retry_after_ms
		    : x->error->retry_after_ms, .max_reply = x->o->max_reply,
		.verdict = verdict, .error = x->error };
	return llm_failure(&f, fault, e);
}

/* The connection failed, or took too long. */
static enum errcode transport_failure(enum errcode rc, const char *setting, const char *why,
    struct llm_fault *fault, struct err *e)
{
	fault->outage = rc == ERR_UPSTREAM || rc == ERR_TIMEOUT;
	/* a time-out has used up its share of the turn already */
	fault->retry = rc == ERR_UPSTREAM || rc == ERR_IO;
	return err_set(e, ERR_UPSTREAM, "%s: %s%s", setting, why,
	    rc == ERR_UPSTREAM ? "; are address and scheme right, is the server up, is there a proxy "
	    "(https_proxy, http_proxy)?" : rc == ERR_TIMEOUT ? "; limits: request_timeout, "
	    "AVIATION_AGENT_LLM_CONNECT_MS, _FIRST_MS, _IDLE_MS, _CALL_MS" : "");
}

enum errcode llm_exchange(struct llm_exchange *x, const char *url, const struct buf *body,
    bool stream, int64_t first_ms, const struct watch *w, struct llm_fault *fault,
    bool *refused, struct err *e)
{
	struct llm_server *o = x->o;
	struct err why = { 0 };
	const char *fields[sizeof(o->fields) / sizeof(o->fields[0]) + 1];
	memcpy(fields, o->fields, sizeof(o->fields));
	fields[o->nfields] = !stream ? "Accept: application/json" : o->dialect->lines ?
	    "Accept: application/x-ndjson" : "Accept: text/event-stream";
	fields[o->nfields + 1] = NULL;
	const struct httpc_request req = {
		.url = url, .fields = fields, .body = body->p, .nbody = body->n,
		.connect_ms = o->connect_ms, .first_ms = first_ms, .idle_ms = o->idle_ms,
		.total_ms = x->total_ms > 0 ? x->total_ms : o->total_ms,
		/* the limit is checked here, where it can be told from other ends, so one piece
		 * more is allowed */
		.max_bytes = (x->reply != NULL ? x->reply->max : x->body.max) + PIECE_MAX,
	};
	*fault = (struct llm_fault){ .retry_after_ms = -1 };
	*refused = false;
	const struct watch ours = { w == NULL ? -1 : w->fd, look_after, x };
	x->watch = w;
	fcgi_thread_trim();
	enum errcode rc = httpc_call(o->http, &req, &ours, take_body, x, &x->head, &why);
	if (x->head.stopped && !x->ours)
		return err_set(e, rc, "%s", why.msg);
	bool began = x->head.status / 100 == 2;
	if (x->head.status != 0 && !began) {
		llm_error_parse(x->error, x->body.p, x->body.n);
		llm_log_words(x);
		*refused = true;
		return llm_no_reply(x, VERDICT_REFUSED, fault, e);
	}
	if (x->reply == NULL && x->body.full)
		return llm_no_reply(x, VERDICT_TOO_BIG, fault, e);
	/* once the reply has ended, it does not matter how the connection ends */
	if (rc != OK && !x->ours && !(x->reply != NULL && x->reply->finished))
		return transport_failure(rc, o->dialect->url_setting, why.msg, fault, e);
	if (x->reply == NULL || (rc = llm_parse_end(x->reply)) == OK)
		return OK;
	if (x->reply->verdict == VERDICT_STOPPED)
		return reader_ended(rc, e);
	*refused = x->reply->verdict == VERDICT_REFUSED;
	llm_log_words(x);
	return llm_no_reply(x, x->reply->verdict, fault, e);
}

bool llm_leave_out(const struct llm_exchange *x, unsigned sent, unsigned *without)
{
	int status = x->head.status / 100 == 2 ? x->error->status : x->head.status;
	static const int statuses[] = { 0, 400, 404, 422, 500, 501 };
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		if (statuses[i] != status)
			continue;
		unsigned bit = llm_error_names(x->error, x->o->dialect->params, sent);
		if (bit == 0 && (sent & PARAM_FUNCTIONS) &&
		    llm_error_no_functions(x->error, status))
			bit = PARAM_FUNCTIONS;
		*without |= bit;
		return bit != 0;
	}
	return false;
}
