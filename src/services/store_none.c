/*
 * The store "none": it keeps no threads, only the leases of running turns, so that two turns of one
 * thread do not run at once in this process. There are only as many leases as running turns, so a
 * list that is searched from its beginning is fast enough. A search removes leases that have ended.
 */
#include "services/store_backend.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/str.h"

struct held {
	struct lease lease;
	int64_t until_ms;
};

struct none {
	struct store base;
	pthread_mutex_t lock;           /* guards all that follows */
	struct held *held;
	size_t n, room;
	int64_t fences;                 /* leases given so far */
};

static struct held *find(struct none *s, const char *thread_id)
{
	int64_t now = clock_mono_ms();

	for (size_t i = 0; i < s->n;) {
		if (s->held[i].until_ms <= now)
			s->held[i] = s->held[--s->n];
		else if (streq(s->held[i].lease.thread, thread_id))
			return &s->held[i];
		else
			i++;
	}
	return NULL;
}

/* The entry of this lease; NULL if it has ended. Takes the lock; `done` releases it. */
static struct held *lock_and_find(struct none *s, const struct lease *l)
{
	pthread_mutex_lock(&s->lock);
	struct held *h = find(s, l->thread);
	return h != NULL && h->lease.fence == l->fence && streq(h->lease.run, l->run) ? h : NULL;
}

static enum errcode done(struct none *s, enum errcode rc)
{
	pthread_mutex_unlock(&s->lock);
	return rc;
}

static enum errcode none_lease(struct store *store, const struct thread_owner *owner, struct lease *l,
    int64_t *retry_ms, struct err *e)
{
	struct none *s = (struct none *)store;

	(void)owner;
	pthread_mutex_lock(&s->lock);
	struct held *h = find(s, l->thread);
	int64_t now = clock_mono_ms();
	if (h != NULL && !streq(h->lease.run, l->run)) {
		*retry_ms = h->until_ms > now ? h->until_ms - now : 1;
		return done(s, store_busy(l, *retry_ms, e));
	}
	if (h == NULL && s->n == s->room) {
		s->room = s->room > 0 ? 2 * s->room : 64;
		s->held = realloc(s->held, s->room * sizeof(*s->held));
		if (s->held == NULL)
			abort();
	}
	if (h == NULL) {
		h = &s->held[s->n++];
		l->fence = ++s->fences;
	} else {
		l->fence = h->lease.fence;
	}
	*h = (struct held){ *l, now + l->ttl_ms };
	return done(s, OK);
}

static enum errcode none_renew(struct store *store, const struct lease *l, struct err *e)
{
	struct none *s = (struct none *)store;
	struct held *h = lock_and_find(s, l);

	if (h != NULL)
		h->until_ms = clock_mono_ms() + l->ttl_ms;
	return done(s, h != NULL ? OK : store_lost(l, e));
}

static enum errcode none_release(struct store *store, const struct lease *l, struct err *e)
{
	struct none *s = (struct none *)store;
	struct held *h = lock_and_find(s, l);

	(void)e;
	if (h != NULL)
		*h = s->held[--s->n];
	return done(s, OK);
}

static enum errcode none_load(struct store *store, struct arena *a,
    const struct thread_owner *owner, size_t max_messages, struct thread *t, struct err *e)
{
	(void)store, (void)a, (void)owner, (void)max_messages, (void)t, (void)e;
	return OK;
}

static enum errcode none_commit(struct store *store, const struct lease *l,
    const struct thread_owner *owner, const struct kept_turn *c, struct err *e)
{
	struct none *s = (struct none *)store;
	bool ours = lock_and_find(s, l) != NULL;

	(void)owner;
	if (!ours)
		return done(s, store_lost(l, e));
	return done(s, c->version == 0 ? OK : store_moved(l, 0, e));
}

static enum errcode none_forget(struct store *store, const char *thread_id, struct err *e)
{
	struct none *s = (struct none *)store;

	(void)e;
	pthread_mutex_lock(&s->lock);
	struct held *h = find(s, thread_id);
	if (h != NULL)
		*h = s->held[--s->n];
	return done(s, OK);
}

static enum errcode none_ping(struct store *store, struct err *e)
{
	(void)store, (void)e;
	return OK;
}

static void none_close(struct store *store)
{
	struct none *s = (struct none *)store;

	pthread_mutex_destroy(&s->lock);
	free(s->held);
	free(s);
}

enum errcode store_none_open(struct store **out, const struct store_config *c, struct err *e)
{
	static const struct store_ops ops = {
		.close = none_close,
		.ping = none_ping,
		.lease = none_lease,
		.renew = none_renew,
		.release = none_release,
		.load = none_load,
		.commit = none_commit,
		.forget = none_forget,
	};
	struct none *s = heap_new(sizeof(*s));

	(void)c, (void)e;
	s->base.ops = &ops;
	pthread_mutex_init(&s->lock, NULL);
	*out = &s->base;
	return OK;
}
