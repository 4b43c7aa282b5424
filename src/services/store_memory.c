/*
 * Threads in the process's own memory, and "none", which keeps only the leases.
 *
 * One hash table under one mutex; every operation is a few pointer moves and copies, so
 * nobody waits long for it. The table is bounded twice, by threads and by bytes: when either
 * ceiling is reached, the thread used longest ago that no run holds is forgotten. The
 * same order (a list from oldest to newest use) makes expiry free: whatever is past its ttl is
 * at the old end and is dropped when the next lease passes by.
 */
#include "services/store_backend.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"

enum {
	BUCKETS = 4096,
	MAX_THREADS = 10000,
};
#define MAX_BYTES ((size_t)256 << 20)

struct kept {                           /* a stored message: one block, role then content */
	char *role;
	char *content;
};

struct entry {
	struct entry *next;             /* in its bucket */
	struct entry *older, *newer;    /* by last use */
	char id[sizeof(((struct lease *)NULL)->thread)];
	char *owner, *state;
	struct kept *messages;
	size_t n, room;
	int64_t gone;                   /* number of messages deleted before the first of `messages` */
	size_t text;                    /* bytes they count towards the thread's limit */
	size_t bytes;                   /* what this entry counts against max_bytes */
	int64_t version, fence;
	int64_t used_ms;
	int64_t lease_until;            /* monotonic; 0: not leased */
	char lease_run[sizeof(((struct lease *)NULL)->run)];
	char last_run[sizeof(((struct lease *)NULL)->run)];   /* made the newest commit */
};

struct memory {
	struct store base;
	pthread_mutex_t lock;
	bool keeps;                     /* false: "none" */
	int64_t ttl_ms;
	size_t max_threads, max_bytes;
	size_t threads, bytes;
	uint64_t seed;
	struct entry *oldest, *newest;
	struct entry *bucket[BUCKETS];
};

static struct memory *memory_of(struct store *s)
{
	return (struct memory *)s;
}

/* The seed keeps outsiders, who may choose thread ids, from aiming at one bucket. */
static struct entry **slot(struct memory *m, const char *id)
{
	uint64_t h = m->seed;

	for (const char *p = id; *p != '\0'; p++) {
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
		h ^= h >> 29;
	}
	struct entry **at = &m->bucket[h % BUCKETS];
	while (*at != NULL && !streq((*at)->id, id))
		at = &(*at)->next;
	return at;
}

static void *must(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

static void unlink_use(struct memory *m, struct entry *t)
{
	*(t->older != NULL ? &t->older->newer : &m->oldest) = t->newer;
	*(t->newer != NULL ? &t->newer->older : &m->newest) = t->older;
	t->older = t->newer = NULL;
}

static void link_newest(struct memory *m, struct entry *t)
{
	t->older = m->newest;
	*(m->newest != NULL ? &m->newest->newer : &m->oldest) = t;
	m->newest = t;
}

static void touch(struct memory *m, struct entry *t)
{
	t->used_ms = clock_mono_ms();
	unlink_use(m, t);
	link_newest(m, t);
}

static void drop(struct memory *m, struct entry *t)
{
	*slot(m, t->id) = t->next;
	unlink_use(m, t);
	m->threads--;
	m->bytes -= t->bytes;
	for (size_t i = 0; i < t->n; i++)
		free(t->messages[i].role);
	free(t->messages);
	free(t->owner);
	free(t->state);
	free(t);
}

static bool held(const struct entry *t, int64_t now)
{
	return t->lease_until > now;
}

static bool holds(const struct entry *t, const struct lease *l)
{
	return t != NULL && held(t, clock_mono_ms()) && t->fence == l->fence &&
	    streq(t->lease_run, l->run);
}

static bool expired(const struct memory *m, const struct entry *t, int64_t now)
{
	return m->ttl_ms > 0 && now - t->used_ms >= m->ttl_ms && !held(t, now);
}

/* The thread, unless it is unknown or past its time. */
static struct entry *find(struct memory *m, const char *id)
{
	struct entry *t = *slot(m, id);

	if (t != NULL && expired(m, t, clock_mono_ms())) {
		drop(m, t);
		return NULL;
	}
	return t;
}

/* Forget the longest unused threads until `more` threads and bytes fit beside `keep`. */
static bool make_room(struct memory *m, const struct entry *keep, size_t more_threads,
    size_t more_bytes)
{
	int64_t now = clock_mono_ms();
	struct entry *next;

	for (struct entry *t = m->oldest; t != NULL; t = next) {
		next = t->newer;
		bool over = m->threads + more_threads > m->max_threads ||
		    m->bytes + more_bytes > m->max_bytes;
		if (!over && !expired(m, t, now))
			break;
		if (t != keep && !held(t, now))
			drop(m, t);
	}
	return m->threads + more_threads <= m->max_threads &&
	    m->bytes + more_bytes <= m->max_bytes;
}

static enum errcode memory_lease(struct store *s, const char *owner, struct lease *l,
    int64_t *retry_ms, struct err *e)
{
	struct memory *m = memory_of(s);
	enum errcode rc = OK;

	pthread_mutex_lock(&m->lock);
	struct entry *t = find(m, l->thread);
	int64_t now = clock_mono_ms();

	if (t != NULL && t->owner != NULL && !streq(t->owner, owner)) {
		rc = store_foreign(l->thread, e);
		goto out;
	}
	if (t != NULL && held(t, now) && !streq(t->lease_run, l->run)) {
		*retry_ms = t->lease_until - now;
		rc = store_busy(l, *retry_ms, e);
		goto out;
	}
	if (t == NULL) {
		if (!make_room(m, NULL, 1, sizeof(*t))) {
			rc = err_set(e, ERR_STORE,
			    "memory store: all %zu threads are in use, or the running ones fill "
			    "%zu MB: try again later, or use CHECKPOINTER_PROVIDER=sqlite",
			    m->threads, m->max_bytes >> 20);
			goto out;
		}
		t = must(calloc(1, sizeof(*t)));
		memcpy(t->id, l->thread, sizeof(t->id));
		*slot(m, t->id) = t;
		t->bytes = sizeof(*t);
		m->threads++;
		m->bytes += t->bytes;
		link_newest(m, t);
	} else {
		make_room(m, t, 0, 0);
	}
	if (!held(t, now))
		t->fence++;
	memcpy(t->lease_run, l->run, sizeof(t->lease_run));
	t->lease_until = now + l->ttl_ms;
	touch(m, t);
	l->fence = t->fence;
out:
	pthread_mutex_unlock(&m->lock);
	return rc;
}

static enum errcode memory_renew(struct store *s, const struct lease *l, struct err *e)
{
	struct memory *m = memory_of(s);
	enum errcode rc = OK;

	pthread_mutex_lock(&m->lock);
	struct entry *t = find(m, l->thread);
	if (holds(t, l)) {
		t->lease_until = clock_mono_ms() + l->ttl_ms;
		touch(m, t);
	} else {
		rc = store_lost(l, e);
	}
	pthread_mutex_unlock(&m->lock);
	return rc;
}

static enum errcode memory_release(struct store *s, const struct lease *l, struct err *e)
{
	struct memory *m = memory_of(s);

	(void)e;
	pthread_mutex_lock(&m->lock);
	struct entry *t = find(m, l->thread);
	if (holds(t, l))
		t->lease_until = 0;
	pthread_mutex_unlock(&m->lock);
	return OK;
}

static enum errcode memory_load(struct store *s, struct arena *a, size_t max_messages,
    struct thread *out, struct err *e)
{
	struct memory *m = memory_of(s);

	(void)e;
	pthread_mutex_lock(&m->lock);
	const struct entry *t = find(m, out->id);
	if (t != NULL) {
		size_t n = t->n < max_messages ? t->n : max_messages;

		out->version = t->version;
		out->nmessages = t->gone + (int64_t)t->n;
		out->state = arena_strdup(a, t->state);
		out->nloaded = n;
		if (n > 0)
			out->messages = arena_array(a, n, sizeof(out->messages[0]));
		for (size_t i = 0; i < n; i++) {
			const struct kept *k = &t->messages[t->n - n + i];

			out->messages[i].role = arena_strdup(a, k->role);
			out->messages[i].content = arena_strdup(a, k->content);
		}
	}
	pthread_mutex_unlock(&m->lock);
	return OK;
}

static void keep_message(struct entry *t, const struct message *msg)
{
	size_t role = strlen(msg->role) + 1, content = strlen(msg->content) + 1;
	struct kept *k = &t->messages[t->n++];

	k->role = must(malloc(role + content));
	k->content = k->role + role;
	memcpy(k->role, msg->role, role);
	memcpy(k->content, msg->content, content);
	t->text += store_message_bytes(msg);
}

static size_t text_bytes(const struct commit *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nappend; i++)
		n += store_message_bytes(&c->append[i]);
	return n;
}

/* Memory for `n` messages with this much text: the text, and for each message the two NULs, of which
 * one is already counted in the text. */
static size_t room_of(size_t n, size_t text)
{
	return n * (sizeof(struct kept) + 1) + text;
}

/* Drop the oldest messages until `more` bytes fit. When messages are skipped drop all, because a
 * thread must have no gaps. */
static void drop_oldest(struct memory *m, struct entry *t, size_t skipped, size_t more)
{
	size_t n = 0, text = 0, ceiling = m->base.thread_bytes;

	while (n < t->n && (skipped > 0 ||
	    (ceiling > 0 && more > 0 && t->text - text + more > ceiling))) {
		struct kept *k = &t->messages[n++];

		text += store_message_bytes(&(struct message){ k->role, k->content });
		free(k->role);
	}
	if (n > 0)
		memmove(t->messages, t->messages + n, (t->n - n) * sizeof(t->messages[0]));
	t->n -= n;
	t->gone += (int64_t)(n + skipped);
	t->text -= text;
	t->bytes -= room_of(n, text);
	m->bytes -= room_of(n, text);
}

/* Room for n more messages; doubling keeps the cost of a turn independent of its number. */
static void grow(struct entry *t, size_t n)
{
	size_t room = t->room > 0 ? t->room : 8;

	while (room < t->n + n)
		room *= 2;
	if (room != t->room) {
		t->messages = must(realloc(t->messages, room * sizeof(t->messages[0])));
		t->room = room;
	}
}

static enum errcode memory_commit(struct store *s, const struct lease *l, const char *owner,
    const struct commit *c, struct err *e)
{
	struct memory *m = memory_of(s);
	enum errcode rc = OK;

	pthread_mutex_lock(&m->lock);
	struct entry *t = find(m, l->thread);

	if (t != NULL && t->version == c->version + 1 && streq(t->last_run, l->run))
		goto out;                       /* this very commit is in already */
	if (!holds(t, l)) {
		rc = store_lost(l, e);
		goto out;
	}
	if (t->owner != NULL && !streq(t->owner, owner)) {
		rc = store_foreign(l->thread, e);
		goto out;
	}
	if (t->version != c->version) {
		rc = store_moved(l, t->version, e);
		goto out;
	}
	if (!m->keeps)
		goto out;

	size_t text = text_bytes(c);
	size_t more = room_of(c->nappend, text) + (c->state != NULL ? strlen(c->state) : 0);
	if (!make_room(m, t, 0, more)) {
		rc = err_set(e, ERR_STORE, "memory store: its %zu MB are full of running threads: "
		    "try again later, or use CHECKPOINTER_PROVIDER=sqlite", m->max_bytes >> 20);
		goto out;
	}
	drop_oldest(m, t, c->skipped, text);
	grow(t, c->nappend);
	for (size_t i = 0; i < c->nappend; i++)
		keep_message(t, &c->append[i]);
	if (c->state != NULL) {
		more -= t->state != NULL ? strlen(t->state) : 0;
		free(t->state);
		t->state = must(strdup(c->state));
	}
	if (t->version == 0 && owner != NULL)
		t->owner = must(strdup(owner));
	t->bytes += more;
	m->bytes += more;
	t->version++;
	memcpy(t->last_run, l->run, sizeof(t->last_run));
	touch(m, t);
out:
	pthread_mutex_unlock(&m->lock);
	return rc;
}

static enum errcode memory_forget(struct store *s, const char *thread_id, struct err *e)
{
	struct memory *m = memory_of(s);

	(void)e;
	pthread_mutex_lock(&m->lock);
	struct entry *t = find(m, thread_id);
	if (t != NULL)
		drop(m, t);
	pthread_mutex_unlock(&m->lock);
	return OK;
}

static enum errcode memory_ping(struct store *s, struct err *e)
{
	(void)s;
	(void)e;
	return OK;
}

static void memory_close(struct store *s)
{
	struct memory *m = memory_of(s);

	while (m->oldest != NULL)
		drop(m, m->oldest);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static struct memory *memory_alloc(const struct store_ops *ops, int64_t ttl_s)
{
	struct memory *m = must(calloc(1, sizeof(*m)));

	m->base.ops = ops;
	m->ttl_ms = ttl_s > 0 ? ttl_s * 1000 : 0;
	m->max_threads = MAX_THREADS;
	m->max_bytes = MAX_BYTES;
	id_random(&m->seed, sizeof(m->seed));
	pthread_mutex_init(&m->lock, NULL);
	return m;
}

enum errcode store_memory_new(struct store **out, int64_t ttl_s, size_t max_threads,
    size_t max_bytes, struct err *e)
{
	struct memory *m = memory_alloc(&store_memory_ops, ttl_s);

	(void)e;
	m->keeps = true;
	m->max_threads = max_threads;
	m->max_bytes = max_bytes;
	*out = &m->base;
	return OK;
}

static enum errcode memory_open(struct store **out, const struct store_config *c, struct err *e)
{
	return store_memory_new(out, c->ttl_s, MAX_THREADS, MAX_BYTES, e);
}

static enum errcode none_open(struct store **out, const struct store_config *c, struct err *e)
{
	(void)e;
	*out = &memory_alloc(&store_none_ops, c->ttl_s)->base;
	return OK;
}

const struct store_ops store_memory_ops = {
	.name = "memory",
	.open = memory_open,
	.close = memory_close,
	.ping = memory_ping,
	.lease = memory_lease,
	.renew = memory_renew,
	.release = memory_release,
	.load = memory_load,
	.commit = memory_commit,
	.forget = memory_forget,
};

const struct store_ops store_none_ops = {
	.name = "none",
	.open = none_open,
	.close = memory_close,
	.ping = memory_ping,
	.lease = memory_lease,
	.renew = memory_renew,
	.release = memory_release,
	.load = memory_load,
	.commit = memory_commit,
	.forget = memory_forget,
};
