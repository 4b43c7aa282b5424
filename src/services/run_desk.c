/*
 * Each followed run has a list of its newest groups, which the desk's thread reads from the store when
 * there is news, and which the followers share. The list has a limit; a follower whose next event is no
 * longer in it reads from the store in its own thread. So does a new follower, until it has
 * reached the end of the log.
 *
 * Notices may get lost, and a dead worker sends none. So the desk looks every two seconds at a followed run
 * without news. In this way it also finds overdue runs.
 *
 * A run that is asked to stop may be waiting in poll(). A signal with an empty handler ends that wait. A
 * signal that comes just before the wait begins is lost, so it is repeated until the run says that it has
 * seen the flag.
 */
#include "services/run_desk.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/thread.h"
#include "services/store_backend.h"

enum {
	BUCKETS = 64,
	LOOK_MS = 1000,                 /* the thread's longest wait while there is something to do */
	SILENT_MS = 2000,               /* a followed run without news is looked at this often */
	IDLE_MS = 30000,
	WAKE_MS = 20,                   /* between two signals to a run that has to stop */
	SHARED_BYTES = 256 << 10,       /* of the newest events of a followed run */
	READ_BYTES = 256 << 10,
	REST_MS = 250,                  /* at least, after a failure of the store */
	WAKE_SIGNAL = SIGUSR2,
};

struct run_chunk {
	struct run_chunk *next;
	int refs;                       /* guarded by the desk's lock */
	struct run_group group;
	char bytes[];
};

struct run_followed {
	struct run_followed *link;
	char run_id[48];
	struct run_follower *followers;         /* none: it is freed when it is not busy */
	struct run_chunk *oldest, *newest;
	size_t bytes;
	/* the newest event that the list has, or would begin behind; -1: not known yet */
	int64_t last;
	bool ended, overdue, gone, news, busy;
	int64_t looked_ms;
	int64_t rest_ms;                /* it could not be read and is left alone until then; 0: it was read */
};

struct run_desk {
	struct store *store;
	struct store_listener *listener;
	pthread_mutex_t lock;           /* guards all that follows */
	struct run_slot *slots[BUCKETS];
	int nslots, ncancelled;
	struct run_followed *followed;
	bool started, stop;
	pthread_t thread;
};

static void on_wake(int sig)
{
	(void)sig;
}

/* -- the runs of this process -- */

static struct run_slot **bucket(struct run_desk *d, const char *run_id)
{
	unsigned h = 5381;

	for (const char *p = run_id; *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	return &d->slots[h % BUCKETS];
}

static void start(struct run_desk *d);

void run_desk_enter(struct run_desk *d, struct run_slot *slot, const char *run_id)
{
	*slot = (struct run_slot){ .thread = pthread_self() };
	memcpy(slot->run_id, run_id, strnlen(run_id, sizeof(slot->run_id) - 1));
	pthread_mutex_lock(&d->lock);
	struct run_slot **at = bucket(d, run_id);
	slot->next = *at;
	*at = slot;
	const bool first = d->nslots++ == 0;
	start(d);
	pthread_mutex_unlock(&d->lock);
	if (first)
		d->store->ops->listen_begin(d->listener);
}

void run_desk_leave(struct run_desk *d, struct run_slot *slot)
{
	pthread_mutex_lock(&d->lock);
	struct run_slot **at = bucket(d, slot->run_id);
	while (*at != slot)
		at = &(*at)->next;
	*at = slot->next;
	d->nslots--;
	d->ncancelled -= atomic_load(&slot->cancelled);
	pthread_mutex_unlock(&d->lock);
}

bool run_desk_cancel(struct run_desk *d, const char *run_id)
{
	bool found = false, fresh = false;

	pthread_mutex_lock(&d->lock);
	for (struct run_slot *s = *bucket(d, run_id); s != NULL; s = s->next) {
		if (strcmp(s->run_id, run_id) != 0)
			continue;
		found = true;
		if (!atomic_exchange(&s->cancelled, true)) {
			fresh = true;
			d->ncancelled++;
			s->woken_ms = clock_mono_ms();
			(void)pthread_kill(s->thread, WAKE_SIGNAL);
		}
	}
	pthread_mutex_unlock(&d->lock);
	if (fresh)                      /* the thread repeats the signal */
		d->store->ops->listen_wake(d->listener);
	return found;
}

/* Call with the lock held. */
static void wake_cancelled(struct run_desk *d, int64_t now)
{
	for (size_t i = 0; i < BUCKETS && d->ncancelled > 0; i++)
		for (struct run_slot *s = d->slots[i]; s != NULL; s = s->next)
			if (atomic_load(&s->cancelled) && !atomic_load(&s->heard) &&
			    now - s->woken_ms >= WAKE_MS) {
				s->woken_ms = now;
				(void)pthread_kill(s->thread, WAKE_SIGNAL);
			}
}

/* Is a run of this process asked to stop, and has not seen it? Call with the lock held. */
static bool unheard(struct run_desk *d)
{
	for (size_t i = 0; i < BUCKETS && d->ncancelled > 0; i++)
		for (struct run_slot *s = d->slots[i]; s != NULL; s = s->next)
			if (atomic_load(&s->cancelled) && !atomic_load(&s->heard))
				return true;
	return false;
}

/* The number behind the last one of the group before. */
static int64_t begins_at(const struct run_group *g)
{
	return g->first - g->skipped;
}

/* -- the shared groups of a followed run; call these with the lock held -- */

static void chunk_drop(struct run_chunk *c)
{
	if (c != NULL && --c->refs == 0)
		free(c);
}

static void drop_oldest(struct run_followed *r)
{
	struct run_chunk *c = r->oldest;

	r->oldest = c->next;
	if (r->oldest == NULL)
		r->newest = NULL;
	r->bytes -= c->group.events.n;
	chunk_drop(c);
}

static void share(struct run_followed *r, const struct run_group *g)
{
	struct run_chunk *c = heap_new(sizeof(*c) + g->events.n);

	memcpy(c->bytes, g->events.p, g->events.n);
	c->refs = 1;
	c->group = (struct run_group){ g->first, g->count, { c->bytes, g->events.n }, g->skipped };
	if (r->newest != NULL)
		r->newest->next = c;
	else
		r->oldest = c;
	r->newest = c;
	r->bytes += g->events.n;
	r->last = g->first + g->count - 1;
	while (r->bytes > SHARED_BYTES && r->oldest != r->newest)
		drop_oldest(r);
}

static void tell_followers(const struct run_followed *r)
{
	static const uint64_t one = 1;

	for (struct run_follower *f = r->followers; f != NULL; f = f->link)
		(void)!write(f->wake, &one, sizeof(one));
}

static void free_followed(struct run_desk *d, struct run_followed *r)
{
	struct run_followed **at = &d->followed;

	while (*at != r)
		at = &(*at)->link;
	*at = r->link;
	while (r->oldest != NULL)
		drop_oldest(r);
	free(r);
}

static struct run_followed *find_followed(struct run_desk *d, const char *run_id)
{
	struct run_followed *r = d->followed;

	while (r != NULL && strcmp(r->run_id, run_id) != 0)
		r = r->link;
	return r;
}

/* -- the thread -- */

/* Read what is new of a run, and hand it on. Called with the lock held, which is given up while the store
 * is read; `busy` keeps the run there. False: the store failed. */
static bool look_at(struct run_desk *d, struct run_followed *r)
{
	bool more = true, ok = true;

	r->news = false;
	r->looked_ms = clock_mono_ms();
	r->busy = true;
	while (more && ok && r->last >= 0 && !r->ended && !r->gone && r->followers != NULL) {
		struct arena *a = arena_new();
		struct run_record rec;
		struct run_group *g;
		struct err e;
		size_t n;
		const int64_t after = r->last;

		pthread_mutex_unlock(&d->lock);
		enum errcode rc = store_run_read(d->store, a, r->run_id, NULL, after, READ_BYTES, &rec, &g, &n,
		    &e);
		pthread_mutex_lock(&d->lock);
		ok = rc == OK || rc == ERR_NOTFOUND;
		more = rc == OK && n > 0;
		for (size_t i = 0; i < n && rc == OK; i++)
			share(r, &g[i]);
		r->gone |= rc == ERR_NOTFOUND || (rc == OK && rec.first_event > after + 1 && n > 0 &&
		    begins_at(&g[0]) > after + 1);
		if (rc == OK) {
			r->overdue = rec.overdue;
			r->ended = !more && run_status_ended(rec.status);
		}
		if (more || r->ended || r->gone || r->overdue)
			tell_followers(r);
		arena_free(a);
	}
	const int64_t now = clock_mono_ms();
	r->busy = false;
	r->news |= !ok;
	/* a read that took long costs the other runs this time, so it is not soon repeated */
	r->rest_ms = ok ? 0 : now + REST_MS + 4 * (now - r->looked_ms);
	if (r->followers == NULL)
		free_followed(d, r);
	return ok;
}

/* Is this run to be read now? */
static bool is_due(const struct run_followed *r, int64_t now)
{
	return !r->ended && !r->gone && r->last >= 0 && now >= r->rest_ms &&
	    (r->news || now - r->looked_ms >= SILENT_MS);
}

/* The run that is due and was not looked at for the longest time, so that none is forgotten behind others
 * that cannot be read. Call with the lock held. */
static struct run_followed *next_due(struct run_desk *d)
{
	const int64_t now = clock_mono_ms();
	struct run_followed *next = NULL;

	for (struct run_followed *r = d->followed; r != NULL; r = r->link)
		if (is_due(r, now) && (next == NULL || r->looked_ms < next->looked_ms))
			next = r;
	return next;
}

/* Read the runs that are due, up to the first that cannot be read: between two failures, which may take
 * long, the thread must hear who is asked to stop. True: others are due. Call with the lock held. */
static bool look_around(struct run_desk *d)
{
	struct run_followed *r;

	/* the list may change while a run is read */
	while ((r = next_due(d)) != NULL)
		if (!look_at(d, r))
			return next_due(d) != NULL;
	return false;
}

static void take_news(struct run_desk *d, const struct store_news *n)
{
	pthread_mutex_lock(&d->lock);
	for (struct run_followed *r = d->followed; r != NULL; r = r->link)
		r->news |= n->kind == STORE_NEWS_ALL ||
		    (n->kind == STORE_NEWS_LOG && strcmp(r->run_id, n->run) == 0);
	pthread_mutex_unlock(&d->lock);
	if (n->kind == STORE_NEWS_CANCEL)
		(void)run_desk_cancel(d, n->run);
}

static void *listen_all(void *arg)
{
	struct run_desk *d = arg;

	for (;;) {
		struct store_news news = { .kind = STORE_NEWS_NONE };
		struct err e = { 0 };

		pthread_mutex_lock(&d->lock);
		wake_cancelled(d, clock_mono_ms());
		const bool more = look_around(d);
		const bool stop = d->stop, active = d->nslots > 0 || d->followed != NULL;
		const int ms = more ? 0 : unheard(d) ? WAKE_MS : d->followed != NULL ? LOOK_MS : IDLE_MS;
		pthread_mutex_unlock(&d->lock);
		if (stop)
			return NULL;
		enum errcode rc = d->store->ops->listen_wait(d->listener, ms, active, &news, &e);
		if (rc != OK) {
			log_msg(LOG_DEBUG, "run_desk", "%s", e.msg);
			clock_sleep_ms(ms < REST_MS ? ms : REST_MS);
		}
		take_news(d, &news);
	}
}

/* Call with the lock held. Without a thread, runs notice that they are to stop when they renew their
 * leases, and followers read for themselves. */
static void start(struct run_desk *d)
{
	if (d->started)
		return;
	d->started = thread_start(&d->thread, listen_all, d) == 0;
	if (!d->started)
		log_msg(LOG_WARN, "run_desk", "no thread to listen to the store");
}

struct run_desk *run_desk_open(struct store *s)
{
	struct run_desk *d = heap_new(sizeof(*d));
	struct sigaction sa = { .sa_handler = on_wake };       /* no SA_RESTART: it must end a wait */

	sigemptyset(&sa.sa_mask);
	sigaction(WAKE_SIGNAL, &sa, NULL);
	d->store = s;
	d->listener = s->ops->listen_open(s);
	pthread_mutex_init(&d->lock, NULL);
	return d;
}

void run_desk_close(struct run_desk *d)
{
	if (d == NULL)
		return;
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	const bool started = d->started;
	pthread_mutex_unlock(&d->lock);
	d->store->ops->listen_wake(d->listener);
	if (started)
		pthread_join(d->thread, NULL);
	d->store->ops->listen_close(d->listener);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* -- followers -- */

enum errcode run_follow(struct run_desk *d, struct run_follower *f, const char *run_id, int64_t after,
    struct err *e)
{
	*f = (struct run_follower){ .desk = d, .next = after + 1, .reread = true };
	memcpy(f->run_id, run_id, strnlen(run_id, sizeof(f->run_id) - 1));
	f->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (f->wake < 0)
		return err_set(e, ERR_IO, "no descriptor to follow a run: %m");
	pthread_mutex_lock(&d->lock);
	struct run_followed *r = find_followed(d, run_id);
	const bool first = r == NULL || r->followers == NULL;
	if (r == NULL) {
		r = heap_new(sizeof(*r));
		memcpy(r->run_id, run_id, strnlen(run_id, sizeof(r->run_id) - 1));
		r->last = -1;
		r->link = d->followed;
		d->followed = r;
	}
	f->run = r;
	f->link = r->followers;
	r->followers = f;
	start(d);
	if (first)
		d->store->ops->listen_add(d->listener, r->run_id);
	pthread_mutex_unlock(&d->lock);
	return OK;
}

void run_unfollow(struct run_follower *f)
{
	struct run_desk *d = f->desk;
	struct run_followed *r = f->run;

	pthread_mutex_lock(&d->lock);
	struct run_follower **at = &r->followers;
	while (*at != f)
		at = &(*at)->link;
	*at = f->link;
	chunk_drop(f->chunk);
	if (r->followers == NULL) {
		d->store->ops->listen_drop(d->listener, r->run_id);
		if (!r->busy)
			free_followed(d, r);
	}
	pthread_mutex_unlock(&d->lock);
	close(f->wake);
	if (f->mem != NULL)
		arena_free(f->mem);
}

/* Leave out the events before number `next`. */
static struct run_group tail(const struct run_group *g, int64_t next)
{
	struct run_group t = *g;

	while (t.first < next && t.count > 0) {
		const char *end = memmem(t.events.p, t.events.n, "\n\n", 2);
		const size_t n = end == NULL ? t.events.n : (size_t)(end + 2 - t.events.p);

		t.events.p += n;
		t.events.n -= n;
		t.first++;
		t.count--;
	}
	return t;
}

/* The next group of those that were read from the store. */
static bool read_before(struct run_follower *f, struct run_group *out)
{
	while (f->at < f->ngroups) {
		*out = tail(&f->groups[f->at++], f->next);
		if (out->count > 0)
			return true;
	}
	return false;
}

/* The next group of those that the desk shares. */
static bool shared(struct run_follower *f, struct run_group *out)
{
	struct run_chunk *c = f->run->oldest;

	if (c == NULL || begins_at(&c->group) > f->next)
		return false;
	while (c != NULL && c->group.first + c->group.count <= f->next)
		c = c->next;
	if (c == NULL)
		return false;
	c->refs++;
	f->chunk = c;
	*out = tail(&c->group, f->next);
	return true;
}

/* *last: the newest event of the log. */
static enum errcode read_store(struct run_follower *f, enum run_step *step, struct run_group *out,
    int64_t *last, struct err *e)
{
	struct run_record rec;

	if (f->mem != NULL)
		arena_free(f->mem);
	f->mem = arena_new();
	f->ngroups = f->at = 0;
	enum errcode rc = store_run_read(f->desk->store, f->mem, f->run->run_id, NULL, f->next - 1,
	    READ_BYTES, &rec, &f->groups, &f->ngroups, e);
	if (rc != OK) {
		f->ngroups = 0;
		return rc;
	}
	*last = rec.last_event;
	if ((f->ngroups > 0 && begins_at(&f->groups[0]) > f->next) ||
	    (f->ngroups == 0 && rec.last_event >= f->next)) {
		f->ngroups = 0;
		*step = RUN_STEP_GONE;
		return OK;
	}
	if (read_before(f, out)) {
		f->next = out->first + out->count;
		*step = RUN_STEP_EVENTS;
		return OK;
	}
	f->reread = false;
	*step = run_status_ended(rec.status) ? RUN_STEP_ENDED : rec.overdue ? RUN_STEP_OVERDUE :
	    RUN_STEP_WAIT;
	return OK;
}

/* From the shared groups, or *reread: they do not have what comes next. */
static enum run_step share_step(struct run_follower *f, struct run_group *out, bool *reread)
{
	struct run_desk *d = f->desk;
	struct run_followed *r = f->run;
	enum run_step step = RUN_STEP_WAIT;
	uint64_t count;

	pthread_mutex_lock(&d->lock);
	(void)!read(f->wake, &count, sizeof(count));
	chunk_drop(f->chunk);
	f->chunk = NULL;
	if (f->reread || !d->started)
		*reread = true;
	else if (shared(f, out))
		step = RUN_STEP_EVENTS;
	else if (r->last >= f->next || r->gone)
		*reread = true;
	else if (r->ended)
		step = RUN_STEP_ENDED;
	else if (r->overdue) {
		r->overdue = false;     /* it is looked at again in a while */
		step = RUN_STEP_OVERDUE;
	}
	pthread_mutex_unlock(&d->lock);
	return step;
}

enum errcode run_follow_step(struct run_follower *f, enum run_step *step, struct run_group *out,
    struct err *e)
{
	struct run_desk *d = f->desk;
	bool reread = false;
	int64_t last = 0;

	if (read_before(f, out)) {
		f->next = out->first + out->count;
		*step = RUN_STEP_EVENTS;
		return OK;
	}
	*step = share_step(f, out, &reread);
	if (*step == RUN_STEP_EVENTS)
		f->next = out->first + out->count;
	if (!reread)
		return OK;
	enum errcode rc = read_store(f, step, out, &last, e);
	if (rc == OK && !f->reread) {
		/* It has reached the end of the log: from here on the desk reads for all. A follower may
		 * have asked for events that are not there yet; the others want those before them too. */
		pthread_mutex_lock(&d->lock);
		const bool first = f->run->last < 0;
		if (first)
			f->run->last = last < f->next - 1 ? last : f->next - 1;
		f->run->news |= first;
		pthread_mutex_unlock(&d->lock);
		if (first)
			d->store->ops->listen_wake(d->listener);
	}
	return rc;
}
