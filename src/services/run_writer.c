/*
 * One thread and a queue of outputs that have something to write, in the order in which they are due. It
 * takes the events of the first output, and writes them without holding the lock, so that the run goes on
 * meanwhile. The last group is written by the run's own thread, which must know that it is in.
 */
#include "services/run_writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/thread.h"
#include "services/store_backend.h"

enum {
	GROUP_MS = 200,
	GROUP_BYTES = 256 << 10,        /* a group of this size is written at once */
	AWAKE_MS = 3000,
	REST_MS = 500,                  /* after a failure of the store */
	END_TRIES = 3,
};

struct run_writer {
	struct store *store;
	pthread_mutex_t lock;           /* guards all that follows, and the outputs */
	pthread_cond_t due, idle;       /* something is due earlier; an output is not busy any more */
	struct run_output *queue;
	int64_t wakes_ms;               /* when the thread wakes by itself; INT64_MAX: it does not */
	bool started, stop;
	pthread_t thread;
};

/* Call these with the lock held. */
static void enqueue(struct run_writer *w, struct run_output *o, int64_t due_ms)
{
	struct run_output **at = &w->queue;

	o->due_ms = due_ms;
	o->queued = true;
	while (*at != NULL && (*at)->due_ms <= due_ms)
		at = &(*at)->next;
	o->next = *at;
	*at = o;
	if (due_ms < w->wakes_ms)
		pthread_cond_signal(&w->due);
}

static void dequeue(struct run_writer *w, struct run_output *o)
{
	struct run_output **at = &w->queue;

	if (!o->queued)
		return;
	while (*at != o)
		at = &(*at)->next;
	*at = o->next;
	o->queued = false;
}

static void put(struct run_output *o, const char *p, size_t n, int64_t count)
{
	if (n > o->events.max - o->events.n)
		o->full = true;
	if (o->full)
		return;
	buf_put(&o->events, p, n);
	o->count += count;
}

static bool passing(enum errcode rc)
{
	return rc == ERR_STORE || rc == ERR_OVERLOAD || rc == ERR_UNSURE;
}

static enum errcode append(struct run_output *o, const struct run_group *g, const struct run_end *end)
{
	struct err e = { 0 };
	enum errcode rc = store_run_append(o->writer->store, o->run_id, g, o->alive_ms, end, &e);

	if (rc != OK)
		log_msg(passing(rc) ? LOG_DEBUG : LOG_WARN, "run_log", "run=%.8s why=\"%s\"", o->run_id,
		    e.msg);
	return rc;
}

/* Write what an output has. Called with the lock held, which is given up meanwhile. */
static void write_group(struct run_writer *w, struct run_output *o)
{
	struct buf taken = o->events;
	const struct run_group g = { .first = o->first, .count = o->count,
		.events = { taken.p, taken.n } };

	buf_init(&o->events, RUN_GROUP_BYTES);
	o->first += o->count;
	o->count = 0;
	o->busy = true;
	pthread_mutex_unlock(&w->lock);
	const enum errcode rc = append(o, &g, NULL);
	pthread_mutex_lock(&w->lock);
	if (passing(rc)) {              /* put them back, before those that came since */
		struct buf since = o->events;
		const int64_t more = o->count;

		o->events = taken;
		o->first = g.first;
		o->count = g.count;
		put(o, since.p, since.n, more);
		buf_release(&since);
		if (!o->queued)
			enqueue(w, o, clock_mono_ms() + REST_MS);
	} else {
		buf_release(&taken);
		if (rc != OK)
			atomic_store(&o->lost, true);
	}
	o->busy = false;
	pthread_cond_broadcast(&w->idle);
}

static void *write_all(void *arg)
{
	struct run_writer *w = arg;

	int64_t worked_ms = 0;

	pthread_mutex_lock(&w->lock);
	while (!w->stop) {
		struct run_output *o = w->queue;
		const int64_t now = clock_mono_ms();

		if (o != NULL && o->due_ms <= now) {
			worked_ms = now;
			dequeue(w, o);
			write_group(w, o);
			continue;
		}
		if (o != NULL)
			worked_ms = now;
		/* To be woken by each short turn would be expensive. So after its work the thread goes on waking by
		 * itself for a while. */
		w->wakes_ms = o != NULL ? o->due_ms : now - worked_ms < AWAKE_MS ? now + GROUP_MS : INT64_MAX;
		const struct timespec until = clock_at(w->wakes_ms);
		if (w->wakes_ms == INT64_MAX)
			pthread_cond_wait(&w->due, &w->lock);
		else
			pthread_cond_timedwait(&w->due, &w->lock, &until);
		w->wakes_ms = 0;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void run_output_init(struct run_output *o, struct run_writer *w, const char *run_id, int64_t lease_ms)
{
	*o = (struct run_output){ .writer = w, .first = 1, .alive_ms = store_alive_ms(lease_ms) };
	memcpy(o->run_id, run_id, strnlen(run_id, sizeof(o->run_id) - 1));
	buf_init(&o->events, RUN_GROUP_BYTES);
}

void run_output_put(struct run_output *o, const char *event, size_t n)
{
	struct run_writer *w = o->writer;

	if (atomic_load(&o->lost) || o->ended)
		return;
	pthread_mutex_lock(&w->lock);
	if (o->full) {
		pthread_mutex_unlock(&w->lock);
		return;
	}
	if (!w->started) {
		w->started = thread_start(&w->thread, write_all, w) == 0;
		if (!w->started)
			log_msg(LOG_WARN, "run_log", "no thread to write events: they are written at the end");
	}
	put(o, event, n, 1);
	const int64_t now = clock_mono_ms();
	if (!o->queued) {
		enqueue(w, o, o->events.n >= GROUP_BYTES ? now : now + GROUP_MS);
	} else if (o->events.n >= GROUP_BYTES && o->due_ms > now && !o->busy) {
		dequeue(w, o);
		enqueue(w, o, now);
	}
	pthread_mutex_unlock(&w->lock);
}

void run_output_end(struct run_output *o, const struct run_end *end)
{
	enum { PAUSE_MS = 250 };
	struct run_writer *w = o->writer;
	enum errcode rc = ERR_STORE;

	if (o->ended)
		return;
	o->ended = true;
	pthread_mutex_lock(&w->lock);
	while (o->busy)
		pthread_cond_wait(&w->idle, &w->lock);
	dequeue(w, o);
	pthread_mutex_unlock(&w->lock);
	const struct run_group g = { .first = o->first, .count = o->count,
		.events = { o->events.p, o->count > 0 ? o->events.n : 0 } };
	for (int i = 0; i < END_TRIES && passing(rc); i++) {
		if (i > 0)
			clock_sleep_ms(PAUSE_MS);
		rc = append(o, &g, end);
	}
	if (rc != OK && !passing(rc))
		atomic_store(&o->lost, true);
}

void run_output_release(struct run_output *o)
{
	buf_release(&o->events);
}

struct run_writer *run_writer_open(struct store *s)
{
	struct run_writer *w = heap_new(sizeof(*w));

	w->store = s;
	pthread_mutex_init(&w->lock, NULL);
	clock_cond_init(&w->due);
	pthread_cond_init(&w->idle, NULL);
	return w;
}

void run_writer_close(struct run_writer *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->due);
	pthread_mutex_unlock(&w->lock);
	if (w->started)
		pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->idle);
	pthread_cond_destroy(&w->due);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
