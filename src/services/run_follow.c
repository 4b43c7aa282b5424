/*
 * Each followed run has a list of its newest groups, which the desk's thread reads from the store when
 * there is news, and which the followers share. The list has a limit; a follower whose next event is no
 * longer in it reads from the store in its own thread. So does a new follower, until it has
 * reached the end of the log.
 *
 * Notices may get lost, and a dead worker sends none. So the desk looks every two seconds at a followed run
 * without news. In this way it also finds overdue runs.
 */
#include "services/run_desk_own.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"

enum {
	SILENT_MS = 2000,               /* a followed run without news is looked at this often */
	SHARED_BYTES = 256 << 10,       /* of the newest events of a followed run */
	READ_BYTES = 256 << 10,
	REST_MS = 250,                  /* at least, after a failure of the store */
};

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

/* -- what the desk's thread does for them -- */

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

bool run_desk_look(struct run_desk *d)
{
	struct run_followed *r;

	/* the list may change while a run is read */
	while ((r = next_due(d)) != NULL)
		if (!look_at(d, r))
			return next_due(d) != NULL;
	return false;
}

void run_desk_note(struct run_desk *d, const struct store_news *n)
{
	for (struct run_followed *r = d->followed; r != NULL; r = r->link)
		r->news |= n->kind == STORE_NEWS_ALL ||
		    (n->kind == STORE_NEWS_LOG && strcmp(r->run_id, n->run) == 0);
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
	run_desk_start(d);
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
