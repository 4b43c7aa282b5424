/*
 * Idle connections form a stack: the few that are needed stay in use, and the rest grow old and are
 * closed when they are taken next. Before an idle connection is used, a look at its socket tells
 * whether the server has hung up; that costs no round trip. When a connection breaks or times out,
 * all idle ones are closed too, so after a restart or a failover the next call starts with a new
 * connection.
 *
 * A server counts as working again when it has answered a PING over a new connection: a process
 * that hangs still accepts connections.
 */
#include "drivers/kv_pool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "drivers/kv_refusal.h"
#include "drivers/kv_sentinel.h"

enum {
	/* a firewall or server may have closed idle connections that are older */
	IDLE_MS = 30000,
	REST_MIN_MS = 20,
	REST_MAX_MS = 500,
	REST_DOUBLINGS = 5,
	/* a server that has been away this long is not waited for */
	OUTAGE_MS = 5000,
	GREETINGS = 4,
};

/* -- a new connection -- */

struct greeting {
	struct str words[3];
	size_t n;
	const char *said;       /* of an error reply that begins with ERR; NULL: all errors but
	                         * those that show that the server does not work are ignored */
};

static size_t greetings(const struct kv_pool *p, bool ping, char db[16], struct greeting *g)
{
	const struct kv_url *u = p->way->url;
	size_t n = 0;

	if (u->password[0] != '\0') {
		g[n] = (struct greeting){ { STR("AUTH") }, 1,
		    "does not accept the password in REDIS_URL (or has none set)" };
		if (u->user[0] != '\0')
			g[n].words[g[n].n++] = str_of(u->user);
		g[n].words[g[n].n++] = str_of(u->password);
		n++;
	}
	if (u->db != 0) {
		snprintf(db, 16, "%d", u->db);
		g[n++] = (struct greeting){ { STR("SELECT"), str_of(db) }, 2,
		    "has no such database as REDIS_URL names" };
	}
	if (u->kind == KV_SENTINEL)
		g[n++] = (struct greeting){ { STR("ROLE") }, 1, NULL };
	if (ping)
		g[n++] = (struct greeting){ { STR("PING") }, 1, NULL };
	return n;
}

static enum errcode judge(const struct kv_pool *p, const struct greeting *g, const redisReply *r,
    bool *hopeless, struct err *e)
{
	char word[KV_WORD_SIZE];

	if (r->type == REDIS_REPLY_ARRAY && r->elements > 0 && r->element[0]->str != NULL &&
	    streq(r->element[0]->str, "slave"))
		return err_set(e, ERR_STORE, "%s: the sentinels name a replica that only reads, as "
		    "during a failover: try again in a moment", p->where);
	if (r->type != REDIS_REPLY_ERROR)
		return OK;
	/* only the first word is reported, because some servers repeat the arguments */
	kv_first_word(r->str, word);
	if (g->said == NULL && (streq(word, "NOPERM") || streq(word, "ERR")))
		return OK;
	if (g->said != NULL && streq(word, "ERR")) {
		*hopeless = true;
		return err_set(e, ERR_STORE, "%s %s", p->where, g->said);
	}
	*hopeless = kv_refused(p->where, word, e) == REMEDY_NONE;
	return e->code;
}

/* Log in, and ask what must be known of the server, in one write. */
static enum errcode greet(const struct kv_pool *p, redisContext *c, bool ping, int64_t until_ms,
    bool *hopeless, struct err *e)
{
	struct greeting g[GREETINGS];
	struct kv_cmd cmds[GREETINGS];
	redisReply *replies[GREETINGS];
	char db[16];
	size_t n = greetings(p, ping, db, g);
	enum errcode rc = OK;

	for (size_t i = 0; i < n; i++)
		cmds[i] = (struct kv_cmd){ g[i].words, g[i].n };
	if (n == 0)
		return OK;
	enum wire w = wire_exchange(c, cmds, n, replies, until_ms);
	if (w != WIRE_OK)
		return wire_broken(p->where, w, c->errstr, p->timeout_ms, e);
	for (size_t i = 0; i < n; i++) {
		if (rc == OK)
			rc = judge(p, &g[i], replies[i], hopeless, e);
		freeReplyObject(replies[i]);
	}
	return rc;
}

static enum errcode dial(struct kv_pool *p, bool ping, redisContext **out, int64_t until_ms,
    bool *hopeless, struct err *e)
{
	struct kv_host master;
	const struct kv_host *h = p->way->url->kind == KV_UNIX ? NULL : &p->way->url->host[0];
	enum errcode rc;

	if (p->host.name[0] != '\0') {
		h = &p->host;
	} else if (p->way->url->kind == KV_SENTINEL) {
		pthread_mutex_lock(&p->lock);
		int first = p->sentinel;
		pthread_mutex_unlock(&p->lock);
		if ((rc = kv_sentinel_master(p->way, &first, &master, until_ms, e)) != OK)
			return rc;
		pthread_mutex_lock(&p->lock);
		p->sentinel = first;
		pthread_mutex_unlock(&p->lock);
		h = &master;
	}
	redisContext *c = wire_dial(p->way, h, p->where, until_ms, e);
	if (c == NULL)
		return e->code;
	if ((rc = greet(p, c, ping, until_ms, hopeless, e)) != OK) {
		redisFree(c);
		c = NULL;
	}
	*out = c;
	return rc;
}

/* -- rests -- */

static int rest_ms(int failures, int timeout_ms)
{
	int full = REST_MIN_MS << (failures < REST_DOUBLINGS ? failures - 1 : REST_DOUBLINGS);
	int most = timeout_ms / 2 < REST_MAX_MS ? timeout_ms / 2 : REST_MAX_MS;
	unsigned char r;

	/* from half of it to all of it, so that many processes do not come back together */
	id_random(&r, sizeof(r));
	full = full < most ? full : most;
	return full / 2 + full * r / 512;
}

/* With the lock held. */
static void note_failure(struct kv_pool *p, const struct err *why, bool hopeless)
{
	int64_t now = clock_mono_ms();

	/* calls that fail together count once */
	if (p->failures == 0 || now >= p->rest_until) {
		if (p->failures++ == 0)
			p->down_since = now;
		p->rest_until = now + rest_ms(p->failures, p->timeout_ms);
	}
	p->hopeless = hopeless;
	p->why = *why;
}

static bool resting(const struct kv_pool *p, int64_t now)
{
	return p->failures > 0 && (p->trying || now < p->rest_until);
}

static enum errcode still_down(const struct kv_pool *p, int64_t now, struct err *e)
{
	int64_t left = p->rest_until - now;

	if (left <= 0 || p->hopeless) {
		*e = p->why;
		return e->code;
	}
	return err_set(e, ERR_STORE, "%s (the next attempt is in %d ms)", p->why.msg, (int)left);
}

/* Wait until this call may connect, with the lock held. True in *try_it: alone, to see whether the
 * server is back. */
static enum errcode await_rest(struct kv_pool *p, int64_t patience_ms, bool *try_it, struct err *e)
{
	int64_t now;

	while (resting(p, now = clock_mono_ms())) {
		int64_t end = p->trying ? patience_ms : p->rest_until;

		if (p->hopeless || now >= patience_ms || end > patience_ms ||
		    now - p->down_since >= OUTAGE_MS)
			return still_down(p, now, e);
		const struct timespec until = clock_at(end);
		pthread_cond_timedwait(&p->rested, &p->lock, &until);
	}
	*try_it = p->failures > 0;
	p->trying = *try_it;
	return OK;
}

/* If the server answered other calls meanwhile, then the server works and there are too many calls.
 * With the lock held. */
static enum errcode await_turn(struct kv_pool *p, int64_t until_ms, struct err *e)
{
	const struct timespec until = clock_at(until_ms);
	unsigned before = p->answered;
	int64_t began = clock_mono_ms();

	while (p->nout >= p->max_conns)
		if (pthread_cond_timedwait(&p->returned, &p->lock, &until) != 0 &&
		    p->nout >= p->max_conns) {
			int waited = (int)(clock_mono_ms() - began);

			if (p->failures > 0)
				return still_down(p, clock_mono_ms(), e);
			if (p->answered == before)
				return err_set(e, ERR_STORE, "%s: all %d connections waited %d ms for an answer: "
				    "the server hangs or is too slow", p->where, p->max_conns, waited);
			return err_set(e, ERR_OVERLOAD, "%s: all %d connections stayed in use for %d ms: too "
			    "many turns begin or end at once in this worker; start more workers",
			    p->where, p->max_conns, waited);
		}
	return OK;
}

/* Has the server hung up, or sent something that we did not ask for? */
static bool alive(const struct kv_conn *k)
{
	char byte;

	return clock_mono_ms() - k->idle_since < IDLE_MS &&
	    recv(k->c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
	    (errno == EAGAIN || errno == EWOULDBLOCK);
}

void kv_pool_close_idle(struct kv_pool *p)
{
	struct kv_conn dead[KV_CONNS_MAX];
	int n;

	pthread_mutex_lock(&p->lock);
	n = p->nidle;
	memcpy(dead, p->idle, (size_t)n * sizeof(dead[0]));
	p->nidle = 0;
	pthread_mutex_unlock(&p->lock);
	while (n > 0)
		redisFree(dead[--n].c);
}

void kv_pool_return(struct kv_pool *p, redisContext *c)
{
	pthread_mutex_lock(&p->lock);
	p->nout--;
	p->answered += c != NULL;
	if (c != NULL) {
		p->idle[p->nidle++] = (struct kv_conn){ c, clock_mono_ms() };
		p->failures = 0;
		pthread_cond_broadcast(&p->rested);
	}
	pthread_cond_signal(&p->returned);
	pthread_mutex_unlock(&p->lock);
}

void kv_pool_failed(struct kv_pool *p, const struct err *why)
{
	pthread_mutex_lock(&p->lock);
	note_failure(p, why, false);
	pthread_mutex_unlock(&p->lock);
	kv_pool_close_idle(p);
}

/* Connect when the rest allows it, again and again as long as the call has patience. */
enum errcode kv_pool_connect(struct kv_pool *p, redisContext **out, int64_t until_ms,
    struct err *e)
{
	int64_t patience_ms = until_ms - p->timeout_ms / 4;

	for (;;) {
		bool try_it = false, hopeless = false;

		pthread_mutex_lock(&p->lock);
		enum errcode rc = await_rest(p, patience_ms, &try_it, e);
		pthread_mutex_unlock(&p->lock);
		if (rc != OK)
			return rc;
		struct err met;
		rc = dial(p, try_it, out, until_ms, &hopeless, &met);
		pthread_mutex_lock(&p->lock);
		p->trying = try_it ? false : p->trying;
		if (rc == OK)
			p->failures = 0;
		else
			note_failure(p, &met, hopeless);
		pthread_cond_broadcast(&p->rested);
		bool again = rc != OK && !hopeless && p->rest_until < patience_ms &&
		    clock_mono_ms() - p->down_since < OUTAGE_MS;
		pthread_mutex_unlock(&p->lock);
		if (rc != OK && !again)
			*e = met;
		if (!again)
			return rc;
	}
}

enum errcode kv_pool_borrow(struct kv_pool *p, redisContext **out, int64_t until_ms,
    struct err *e)
{
	struct kv_conn k = { NULL, 0 };
	enum errcode rc;

	*out = NULL;
	pthread_mutex_lock(&p->lock);
	/* a quarter of the time is left for the server */
	rc = await_turn(p, until_ms - p->timeout_ms / 4, e);
	if (rc == OK) {
		p->nout++;
		if (p->nidle > 0)
			k = p->idle[--p->nidle];
	}
	pthread_mutex_unlock(&p->lock);
	if (rc != OK)
		return rc;
	if (k.c != NULL && !alive(&k)) {
		redisFree(k.c);
		k.c = NULL;
		kv_pool_close_idle(p);
	}
	if (k.c == NULL && (rc = kv_pool_connect(p, &k.c, until_ms, e)) != OK)
		kv_pool_return(p, NULL);
	*out = k.c;
	return rc;
}

void kv_pool_init(struct kv_pool *p, const struct wire_way *way, const struct kv_host *host,
    int timeout_ms, int max_conns)
{
	*p = (struct kv_pool){ .way = way, .timeout_ms = timeout_ms };
	p->max_conns = max_conns < 1 ? 1 : max_conns > KV_CONNS_MAX ? KV_CONNS_MAX : max_conns;
	if (host != NULL) {
		p->host = *host;
		snprintf(p->where, sizeof(p->where), "redis node %s:%d", host->name, host->port);
	} else {
		snprintf(p->where, sizeof(p->where), "%s", way->url->where);
	}
	pthread_mutex_init(&p->lock, NULL);
	clock_cond_init(&p->returned);
	clock_cond_init(&p->rested);
}

void kv_pool_end(struct kv_pool *p)
{
	kv_pool_close_idle(p);
	pthread_cond_destroy(&p->returned);
	pthread_cond_destroy(&p->rested);
	pthread_mutex_destroy(&p->lock);
}
