/*
 * The waiting thread owns the connection and does all the reading and writing. Other threads change
 * the table of channels and wake it by an eventfd; before it waits, it sends what the table asks for.
 */
#include "drivers/kv_listen.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "drivers/kv_private.h"
#include "drivers/kv_refusal.h"
#include "drivers/kv_wire.h"

enum {
	PING_MS = 5000,                 /* a connection that is silent for so long is checked */
	ERROR_PAUSE_MS = 250,
	NAMES_MAX = 256,                /* channels in one command */
};

enum channel_state { CHANNEL_NEW, CHANNEL_ASKED, CHANNEL_DROPPED };

struct channel {
	char *name;
	enum channel_state state;
};

struct kv_listen {
	struct kv *kv;
	int wake_fd;
	/* of the waiting thread */
	redisContext *c;
	int64_t heard_ms, pinged_ms;    /* pinged_ms 0: no PING is under way */
	pthread_mutex_t lock;           /* guards all that follows */
	struct channel *channel;
	size_t n, size;
	bool woken, changed;
};

static void knock(struct kv_listen *l)
{
	uint64_t one = 1;

	(void)!write(l->wake_fd, &one, sizeof(one));
}

static struct channel *find(struct kv_listen *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (streq(l->channel[i].name, name))
			return &l->channel[i];
	return NULL;
}

void kv_listen_add(struct kv_listen *l, const char *channel)
{
	pthread_mutex_lock(&l->lock);
	struct channel *ch = find(l, channel);
	if (ch == NULL && l->n == l->size) {
		size_t size = l->size > 0 ? 2 * l->size : 16;
		struct channel *more = realloc(l->channel, size * sizeof(*more));

		if (more == NULL)
			heap_exhausted(size * sizeof(*more));
		l->channel = more;
		l->size = size;
	}
	if (ch == NULL) {
		ch = &l->channel[l->n++];
		ch->name = heap_dup(channel);
	}
	ch->state = CHANNEL_NEW;
	l->changed = true;
	pthread_mutex_unlock(&l->lock);
	knock(l);
}

void kv_listen_drop(struct kv_listen *l, const char *channel)
{
	pthread_mutex_lock(&l->lock);
	struct channel *ch = find(l, channel);
	if (ch != NULL)
		ch->state = CHANNEL_DROPPED;
	l->changed = true;
	pthread_mutex_unlock(&l->lock);
	knock(l);
}

void kv_listen_wake(struct kv_listen *l)
{
	pthread_mutex_lock(&l->lock);
	l->woken = true;
	pthread_mutex_unlock(&l->lock);
	knock(l);
}

/* -- the connection -- */

static enum errcode broken(struct kv_listen *l, enum wire w, struct err *e)
{
	wire_broken(kv_where(l->kv), w, l->c->errstr, l->kv->timeout_ms, e);
	redisFree(l->c);
	l->c = NULL;
	return e->code;
}

static enum errcode connect_anew(struct kv_listen *l, int64_t until_ms, struct err *e)
{
	int64_t most = clock_mono_ms() + l->kv->timeout_ms;
	struct kv_pool *p;
	enum errcode rc = kv_find(l->kv, -1, &p, most, e);

	if (rc == OK)
		rc = kv_pool_connect(p, &l->c, most < until_ms ? most : until_ms, e);
	if (rc != OK) {
		l->c = NULL;
		return rc;
	}
	l->heard_ms = clock_mono_ms();
	l->pinged_ms = 0;
	pthread_mutex_lock(&l->lock);
	for (size_t i = 0; i < l->n; i++)
		if (l->channel[i].state == CHANNEL_ASKED)
			l->channel[i].state = CHANNEL_NEW;
	l->changed = true;
	pthread_mutex_unlock(&l->lock);
	return OK;
}

/* The next command that the table of channels asks for, in memory of the arena; false: none. */
static bool next_command(struct kv_listen *l, struct arena *a, struct kv_cmd *cmd)
{
	struct str *argv = arena_array(a, NAMES_MAX + 1, sizeof(*argv));
	enum channel_state wanted = CHANNEL_NEW;
	size_t argc = 1, kept = 0;

	pthread_mutex_lock(&l->lock);
	for (size_t i = 0; i < l->n; i++) {
		struct channel *ch = &l->channel[i];

		if (ch->state != CHANNEL_ASKED && argc == 1)
			wanted = ch->state;
		if (ch->state != CHANNEL_ASKED && ch->state == wanted && argc <= NAMES_MAX) {
			argv[argc++] = str_of(arena_strdup(a, ch->name));
			if (ch->state == CHANNEL_DROPPED) {
				free(ch->name);
				continue;
			}
			ch->state = CHANNEL_ASKED;
		}
		l->channel[kept++] = *ch;
	}
	l->n = kept;
	l->changed = argc > 1;
	pthread_mutex_unlock(&l->lock);
	argv[0] = str_of(wanted == CHANNEL_NEW ? "SUBSCRIBE" : "UNSUBSCRIBE");
	*cmd = (struct kv_cmd){ argv, argc };
	return argc > 1;
}

static enum errcode send_changes(struct kv_listen *l, struct err *e)
{
	for (;;) {
		pthread_mutex_lock(&l->lock);
		bool changed = l->changed;
		pthread_mutex_unlock(&l->lock);
		if (!changed)
			return OK;
		struct arena *a = arena_new();
		struct kv_cmd cmd;
		enum wire w = WIRE_OK;
		if (next_command(l, a, &cmd))
			w = wire_send(l->c, &cmd, 1, clock_mono_ms() + l->kv->timeout_ms);
		arena_free(a);
		if (w != WIRE_OK)
			return broken(l, w, e);
	}
}

static enum errcode check_silence(struct kv_listen *l, struct err *e)
{
	static const struct str argv[] = { STR("PING") };
	const struct kv_cmd ping = { argv, 1 };
	int64_t now = clock_mono_ms();

	if (l->pinged_ms != 0 && now - l->pinged_ms >= l->kv->timeout_ms)
		return broken(l, WIRE_SILENT, e);
	if (l->pinged_ms != 0 || now - l->heard_ms < PING_MS)
		return OK;
	l->pinged_ms = now;
	enum wire w = wire_send(l->c, &ping, 1, now + l->kv->timeout_ms);
	return w == WIRE_OK ? OK : broken(l, w, e);
}

/* -- waiting -- */

static struct str copy(struct arena *a, const redisReply *r)
{
	return r->str == NULL ? STR("") :
	    (struct str){ arena_strndup(a, r->str, (size_t)r->len), (size_t)r->len };
}

/* Is the reply a notice? Error replies fail; the rest (the answer to PING) is of no interest. */
static enum errcode interpret(struct kv_listen *l, struct arena *a, const redisReply *r,
    struct kv_notice *out, bool *found, struct err *e)
{
	if (r->type == REDIS_REPLY_ERROR) {
		kv_refused(kv_where(l->kv), r->str, e);
		redisFree(l->c);
		l->c = NULL;
		return e->code;
	}
	if (r->type != REDIS_REPLY_ARRAY || r->elements != 3 || r->element[0]->str == NULL)
		return OK;
	if (streq(r->element[0]->str, "subscribe"))
		*out = (struct kv_notice){ .kind = KV_JOINED };
	else if (streq(r->element[0]->str, "message"))
		*out = (struct kv_notice){ .kind = KV_HEARD, .text = copy(a, r->element[2]) };
	else
		return OK;
	out->channel = copy(a, r->element[1]);
	*found = true;
	return OK;
}

/* One reply that is there already. */
static enum errcode look(struct kv_listen *l, struct arena *a, struct kv_notice *out, bool *found,
    bool *more, struct err *e)
{
	redisReply *r = NULL;
	enum wire w = wire_reply_now(l->c, &r);

	*more = w == WIRE_OK && r != NULL;
	if (w != WIRE_OK)
		return broken(l, w, e);
	if (r == NULL)
		return OK;
	l->heard_ms = clock_mono_ms();
	l->pinged_ms = 0;
	enum errcode rc = interpret(l, a, r, out, found, e);
	freeReplyObject(r);
	return rc;
}

/* Wait until something arrives, another thread wakes this one, or `ms` have passed. */
static void doze(struct kv_listen *l, int ms)
{
	struct pollfd fds[] = { { l->wake_fd, POLLIN, 0 }, { l->c != NULL ? l->c->fd : -1, POLLIN, 0 } };
	uint64_t knocks;

	if (poll(fds, 2, ms) > 0 && fds[0].revents != 0)
		(void)!read(l->wake_fd, &knocks, sizeof(knocks));
}

static bool take_wake(struct kv_listen *l)
{
	pthread_mutex_lock(&l->lock);
	bool woken = l->woken;
	l->woken = false;
	pthread_mutex_unlock(&l->lock);
	return woken;
}

static enum errcode wait_connected(struct kv_listen *l, struct arena *a, int64_t until_ms,
    struct kv_notice *out, struct err *e)
{
	enum errcode rc;
	bool found = false, more;

	for (;;) {
		if ((rc = send_changes(l, e)) != OK ||
		    (rc = look(l, a, out, &found, &more, e)) != OK || found)
			return rc;
		if (more)
			continue;
		if (take_wake(l) || wire_left(until_ms) == 0)
			return OK;
		if ((rc = check_silence(l, e)) != OK)
			return rc;
		int left = wire_left(until_ms), beat = l->pinged_ms != 0 ? l->kv->timeout_ms : PING_MS;
		doze(l, left < beat ? left : beat);
	}
}

enum errcode kv_listen_wait(struct kv_listen *l, struct arena *a, int timeout_ms,
    struct kv_notice *out, struct err *e)
{
	int64_t until_ms = clock_mono_ms() + timeout_ms;
	enum errcode rc = OK;

	*out = (struct kv_notice){ .kind = KV_WOKEN };
	if (l->c == NULL)
		rc = connect_anew(l, until_ms, e);
	if (rc == OK)
		rc = wait_connected(l, a, until_ms, out, e);
	if (rc != OK && !take_wake(l))
		doze(l, ERROR_PAUSE_MS);
	return rc;
}

struct kv_listen *kv_listen_open(struct kv *kv)
{
	struct kv_listen *l = heap_new(sizeof(*l));

	l->kv = kv;
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake_fd < 0)
		abort();                        /* fails only when the process has no files left */
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void kv_listen_close(struct kv_listen *l)
{
	if (l == NULL)
		return;
	if (l->c != NULL)
		redisFree(l->c);
	for (size_t i = 0; i < l->n; i++)
		free(l->channel[i].name);
	free(l->channel);
	close(l->wake_fd);
	pthread_mutex_destroy(&l->lock);
	free(l);
}
