/*
 * A key is claimed in the store (services/claims.h) before the turn begins, and settled on its run when
 * the run has its thread. Between the two the claim lasts only some seconds and is repeated, so a worker
 * that is killed there blocks nobody for longer.
 *
 * The mark of a request is a hash of its body. The hash need not be safe against attacks: the owner of a key
 * who made two bodies with one mark would only get the wrong answer.
 */
#include "edges/idempotency.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"
#include "base/watch.h"
#include "services/sessions.h"

enum { PAUSE_MS = 40, LONGEST_PAUSE_MS = 250, KEEP_MS = 1000 };

/* FNV-1a with 128 bits. */
static unsigned __int128 mix(unsigned __int128 h, struct str s)
{
	const unsigned __int128 prime = ((unsigned __int128)1 << 88) + 0x13b;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * prime;
	return h;
}

/* The same body in another conversation, which the path names, is another request. */
static void mark_request(char out[40], const struct http_req *r)
{
	unsigned __int128 h = ((unsigned __int128)UINT64_C(0x6c62272e07bb0142) << 64) |
	    UINT64_C(0x62b821756295c58d);

	if (r->arg != NULL && *r->arg != '\0')
		h = mix(mix(h, str_of(r->arg)), STR(" "));
	h = mix(h, r->body);
	snprintf(out, 40, "%016llx%016llx", (unsigned long long)(h >> 64), (unsigned long long)h);
}

enum errcode idempotency_open(struct idempotency *k, const struct http_req *r, const char *agent,
    const char *session, struct err *e)
{
	const char *key = r->field[FIELD_IDEMPOTENCY_KEY], *user = r->field[FIELD_USER];

	k->name = NULL;
	if (key == NULL)
		return OK;
	const bool owned = user != NULL || (session != NULL && session_is_kept(session, NULL));
	if (!owned && strlen(key) < IDEMPOTENCY_SECRET_MIN)
		return err_set(e, ERR_INPUT, "Without a session_id that nobody can guess, an Idempotency-Key must "
		    "have at least %d characters that nobody can guess. Send a random UUID.",
		    IDEMPOTENCY_SECRET_MIN);
	key = url_encode(r->mem, key);
	if (user != NULL)
		k->name = arena_printf(r->mem, "%s:user:%s:%s", agent, url_encode(r->mem, user), key);
	else if (session != NULL)
		k->name = arena_printf(r->mem, "%s:session:%s:%s", agent, session, key);
	else
		k->name = arena_printf(r->mem, "%s:key:%s", agent, key);
	mark_request(k->mark, r);
	id_run(k->token);
	return OK;
}

struct stopping {                       /* for a watch */
	const atomic_bool *stop;
};

static enum errcode look(void *arg, int64_t *ms)
{
	const struct stopping *s = arg;

	*ms = LONGEST_PAUSE_MS;
	return s->stop != NULL && atomic_load(s->stop) ? ERR_OVERLOAD : OK;
}

static enum errcode claim(struct idempotency *k, struct claim *out, struct err *e)
{
	k->kept_ms = clock_mono_ms();
	return store_claim(k->store, k->name, k->mark, k->token, k->hold_ms, out, e);
}

enum errcode idempotency_claim(struct idempotency *k, int reader_fd, const atomic_bool *stop,
    int64_t wait_ms, struct claim *out, struct err *e)
{
	struct stopping stopping = { stop };
	const struct watch watch = { .fd = reader_fd, .check = look, .arg = &stopping };
	const int64_t until = clock_mono_ms() + wait_ms;
	int64_t pause = PAUSE_MS;
	enum errcode rc = claim(k, out, e);

	while (rc == OK && out->state == CLAIM_PENDING) {
		if (clock_mono_ms() >= until)
			return err_set(e, ERR_BUSY, "the first request with this key did not begin in time");
		if ((rc = watch_sleep(&watch, pause)) != OK)
			return err_set(e, rc, "stopped waiting for the first request with this key");
		pause = 2 * pause < LONGEST_PAUSE_MS ? 2 * pause : LONGEST_PAUSE_MS;
		rc = claim(k, out, e);
	}
	return rc;
}

void idempotency_keep(void *arg)
{
	struct idempotency *k = arg;
	struct claim ignored;
	struct err e;

	if (k->name != NULL && clock_mono_ms() - k->kept_ms >= KEEP_MS && claim(k, &ignored, &e) != OK)
		log_msg(LOG_WARN, "claim_not_kept", "why=\"%s\"", e.msg);
}

enum errcode idempotency_settle(struct idempotency *k, const char *run_id, struct err *e)
{
	return k->name == NULL ? OK :
	    store_claim_settle(k->store, k->name, k->mark, k->token, run_id, k->ttl_ms, e);
}

void idempotency_free(struct idempotency *k)
{
	struct err e;

	if (k->name != NULL && store_claim_free(k->store, k->name, k->token, &e) != OK)
		log_msg(LOG_WARN, "claim_not_freed", "ends_in_ms=%lld why=\"%s\"", (long long)k->hold_ms, e.msg);
}
