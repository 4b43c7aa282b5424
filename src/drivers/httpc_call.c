/*
 * A call, in its caller's thread: wait through the watch, pass on what has come, check the limits.
 * curl does not check them, because only the caller knows when it was busy with something else:
 * time that a slow reader takes is not the server's silence.
 */
#include "drivers/httpc.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "drivers/httpc_io.h"

/* The limit that is reached next, and the text for it. */
struct limit {
	int64_t at_ms;                 /* INT64_MAX: none */
	const char *before;
	int64_t ms;
	const char *after;
};

static struct limit next_limit(const struct httpc_request *req, const struct known *k)
{
	const struct limit limits[] = {
		{ k->start_ms, "no answer within ", k->began ? 0 : req->first_ms, "" },
		{ k->last_ms, "silent for ", k->began ? req->idle_ms : 0,
		    " in the middle of the answer" },
		{ k->start_ms, k->began ? "the answer was not complete within " : "no answer within ",
		    req->total_ms, "" },
	};
	struct limit next = { INT64_MAX, "", 0, "" };
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].ms > 0 && limits[i].ms < next.at_ms - limits[i].at_ms) {
			next = limits[i];
			next.at_ms += next.ms;
		}
	return next;
}

static enum errcode stopped(const char *url, enum errcode rc, struct httpc_head *head,
    struct err *e)
{
	char where[300];
	httpc_address(url, where, sizeof(where));
	head->stopped = true;
	return err_set(e, rc, "%s: the call was ended (%s)", where, err_row(rc)->name);
}

/* Wait for the reply and pass it on. k->done: curl has finished with the handle. */
static enum errcode follow(struct transfer *t, const struct httpc_request *req,
    const struct watch *w, httpc_body_fn *body, void *arg, struct known *k,
    struct httpc_head *head, struct err *e)
{
	for (;;) {
		if (k->body.n > 0) {
			enum errcode rc = body(arg, head, k->body.p, k->body.n, e);
			buf_clear(&k->body);
			/* the time that body() took does not count as the server's silence */
			k->last_ms = clock_mono_ms();
			if (rc != OK) {
				head->stopped = true;
				return rc;
			}
		}
		if (k->done)
			return transfer_verdict(t, req, k, e);
		struct limit limit = next_limit(req, k);
		int64_t left = limit.at_ms - clock_mono_ms();
		enum errcode rc = transfer_wait(t, w, left < 0 ? 0 : left, k, head);
		if (rc != OK)
			return stopped(req->url, rc, head, e);
		limit = next_limit(req, k);
		if (!k->done && clock_mono_ms() >= limit.at_ms) {
			char where[300], time[32];
			httpc_address(req->url, where, sizeof(where));
			return err_set(e, ERR_TIMEOUT, "%s: %s%s%s", where, limit.before,
			    httpc_duration(time, limit.ms), limit.after);
		}
	}
}

enum errcode httpc_call(struct httpc *h, const struct httpc_request *req, const struct watch *w,
    httpc_body_fn *body, void *arg, struct httpc_head *head, struct err *e)
{
	*head = (struct httpc_head){ .retry_after_ms = -1 };
	/* do not begin a call whose caller is gone: it may cost money */
	enum errcode rc = watch_sleep(w, 0);
	if (rc != OK)
		return stopped(req->url, rc, head, e);
	struct transfer *t;
	struct known k = { .start_ms = clock_mono_ms() };
	buf_init(&k.body, req->max_bytes);
	if ((rc = transfer_begin(h, req, &k, &t, head, e)) != OK)
		return rc;
	rc = follow(t, req, w, body, arg, &k, head, e);
	transfer_end(t, &k);
	head->sent = k.sent;
	buf_release(&k.body);
	return rc;
}
