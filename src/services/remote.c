/*
 * What a call means for the next one: any answer shows that the service works; a time-out or a
 * failed connection shows that it does not. A call that its watch ended shows neither; if it was
 * the one call that was let through after a rest, the next call is let through instead.
 */
#include "services/remote.h"

#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"

/* -- rest -- */

static int64_t length_ms(const struct rest *r)
{
	return r->rest_ms > 0 ? r->rest_ms : REST_MS;
}

int64_t rest_left_ms(const struct rest *r)
{
	int64_t left = atomic_load(&r->until_ms) - clock_mono_ms();
	return left > 0 ? left : 0;
}

bool rest_ask(struct rest *r, int64_t *probe)
{
	int64_t until = atomic_load(&r->until_ms), now = clock_mono_ms();
	*probe = 0;
	if (until == 0)
		return true;
	if (now < until)
		return false;
	*probe = now + length_ms(r);
	return atomic_compare_exchange_strong(&r->until_ms, &until, *probe);
}

static bool failed(struct rest *r, int64_t probe)
{
	int64_t none = 0, until = clock_mono_ms() + length_ms(r);
	int64_t n = atomic_fetch_add(&r->failures, 1) + 1;
	if (probe != 0 && atomic_compare_exchange_strong(&r->until_ms, &probe, until))
		return false;
	/* calls that were under way when the rest began do not make it longer */
	return n >= r->after && atomic_compare_exchange_strong(&r->until_ms, &none, until);
}

bool rest_tell(struct rest *r, int64_t probe, enum rest_news news)
{
	if (news == REST_AWAY)
		return failed(r, probe);
	if (news == REST_THERE) {
		atomic_store(&r->failures, 0);
		return atomic_exchange(&r->until_ms, 0) != 0;
	}
	/* the next call may try instead */
	if (probe != 0)
		atomic_compare_exchange_strong(&r->until_ms, &probe, clock_mono_ms());
	return false;
}

/* -- a service -- */

void remote_init(struct remote *r, struct httpc *http, const char *name, int64_t connect_ms,
    int64_t total_ms)
{
	*r = (struct remote){ .http = http, .name = name, .connect_ms = connect_ms,
		.total_ms = total_ms };
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
	struct httpc_request req = { .url = q->url, .fields = q->fields,
		.body = q->body == NULL ? NULL : q->body->p,
		.nbody = q->body == NULL ? 0 : q->body->n,
		.connect_ms = r->connect_ms, .total_ms = r->total_ms,
		.max_bytes = reply->max };
	const int64_t until_ms = clock_mono_ms() + r->total_ms;
	struct httpc_head head = { 0 };
	struct err why = { 0 };
	enum errcode rc = OK;
	int64_t probe;
	*status = 0;
	if (!rest_ask(&r->rest, &probe))
		return err_set(e, ERR_UPSTREAM, "%s could not be reached a moment ago; it is asked again "
		    "after at most %d s", r->name, REST_MS / 1000);
	for (int try = 0; try < 2; try++) {
		buf_clear(reply);
		rc = httpc_call(r->http, &req, q->watch, take, reply, &head, &why);
		bool hiccup = rc == OK ? head.status >= 500
		    : rc == ERR_UPSTREAM && head.status == 0 && !head.stopped;
		req.total_ms = until_ms - clock_mono_ms();
		if (!hiccup || req.total_ms <= 0)
			break;
	}
	/* the reply is too large or broke off: the service works */
	bool there = rc == OK || (rc == ERR_UPSTREAM && head.status != 0);
	rest_tell(&r->rest, probe, head.stopped || rc == ERR_IO ? REST_UNKNOWN : there ? REST_THERE
	    : REST_AWAY);
	if (head.stopped)
		return err_set(e, rc, "%s: %s", r->name, why.msg);
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
