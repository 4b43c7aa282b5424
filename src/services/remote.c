/*
 * What a call means for the next one: an answer of any kind says that the service is there, a
 * time-out or no connection that it is not. A call that its watch ended says neither; was it
 * the one that tried for all, the next one does.
 */
#include "services/remote.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"

void remote_init(struct remote *r, struct httpc *http, const char *name, int64_t connect_ms,
    int64_t total_ms)
{
	*r = (struct remote){ .http = http, .name = name, .connect_ms = connect_ms,
		.total_ms = total_ms };
	pthread_mutex_init(&r->lock, NULL);
}

void remote_release(struct remote *r)
{
	pthread_mutex_destroy(&r->lock);
}

/* Is it left alone now? If its rest has just ended, the others wait for what this call finds. */
static bool resting(struct remote *r)
{
	int64_t now = clock_mono_ms();
	pthread_mutex_lock(&r->lock);
	bool rests = now < r->rest_until_ms;
	if (!rests && r->rest_until_ms != 0)
		r->rest_until_ms = now + REMOTE_REST_MS;
	pthread_mutex_unlock(&r->lock);
	return rests;
}

static void rest_until(struct remote *r, int64_t ms)
{
	pthread_mutex_lock(&r->lock);
	r->rest_until_ms = ms;
	pthread_mutex_unlock(&r->lock);
}

/* A call that says nothing of the service: all is as it was, but for a rest that had ended. */
static void no_verdict(struct remote *r)
{
	pthread_mutex_lock(&r->lock);
	if (r->rest_until_ms != 0)
		r->rest_until_ms = clock_mono_ms();
	pthread_mutex_unlock(&r->lock);
}

static enum errcode take(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	(void)head;
	(void)e;
	buf_put(arg, p, n);
	return OK;
}

enum errcode remote_call(struct remote *r, const struct remote_request *q, struct buf *reply,
    int *status, struct err *e)
{
	const struct httpc_request req = { .url = q->url, .fields = q->fields,
		.body = q->body == NULL ? NULL : q->body->p,
		.nbody = q->body == NULL ? 0 : q->body->n,
		.connect_ms = r->connect_ms, .total_ms = r->total_ms,
		.max_bytes = reply->max };
	struct httpc_head head = { 0 };
	struct err why = { 0 };
	enum errcode rc = OK;
	*status = 0;
	if (resting(r))
		return err_set(e, ERR_UPSTREAM, "%s could not be reached a moment ago, it is asked again "
		    "within %d s", r->name, REMOTE_REST_MS / 1000);
	for (int try = 0; try < 2; try++) {
		buf_clear(reply);
		rc = httpc_call(r->http, &req, q->watch, take, reply, &head, &why);
		bool hiccup = rc == OK ? head.status >= 500
		    : rc == ERR_UPSTREAM && head.status == 0 && !head.stopped;
		if (!hiccup)
			break;
	}
	if (head.stopped || rc == ERR_IO)      /* ours, not the service's doing */
		no_verdict(r);
	if (head.stopped)
		return err_set(e, rc, "%s: %s", r->name, why.msg);
	/* too large, or broken off: it is there */
	bool there = rc == OK || (rc == ERR_UPSTREAM && head.status != 0);
	if (rc != ERR_IO)
		rest_until(r, there ? 0 : clock_mono_ms() + REMOTE_REST_MS);
	*status = head.status;
	return rc == OK ? OK : err_set(e, ERR_UPSTREAM, "%s: %s", r->name, why.msg);
}

bool remote_address_ok(const char *url)
{
	size_t scheme = strncasecmp(url, "http://", 7) == 0 ? 7 :
	    strncasecmp(url, "https://", 8) == 0 ? 8 : 0;
	if (scheme == 0 || strcspn(url + scheme, "/?#") == 0)
		return false;
	for (const char *p = url; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f || *p == '#')
			return false;
	return true;
}
