/*
 * A run that is asked to stop may be waiting in poll(). A signal with an empty handler ends that wait. A
 * signal that comes just before the wait begins is lost, so it is repeated until the run says that it has
 * seen the flag.
 */
#include "services/run_desk_own.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/thread.h"

enum {
	LOOK_MS = 1000,                 /* the thread's longest wait while there is something to do */
	IDLE_MS = 30000,
	WAKE_MS = 20,                   /* between two signals to a run that has to stop */
	REST_MS = 250,                  /* after a failure of the store */
	WAKE_SIGNAL = SIGUSR2,
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
	return &d->slots[h % RUN_DESK_BUCKETS];
}

void run_desk_enter(struct run_desk *d, struct run_slot *slot, const char *run_id)
{
	*slot = (struct run_slot){ .thread = pthread_self() };
	memcpy(slot->run_id, run_id, strnlen(run_id, sizeof(slot->run_id) - 1));
	pthread_mutex_lock(&d->lock);
	struct run_slot **at = bucket(d, run_id);
	slot->next = *at;
	*at = slot;
	const bool first = d->nslots++ == 0;
	run_desk_start(d);
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
	for (size_t i = 0; i < RUN_DESK_BUCKETS && d->ncancelled > 0; i++)
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
	for (size_t i = 0; i < RUN_DESK_BUCKETS && d->ncancelled > 0; i++)
		for (struct run_slot *s = d->slots[i]; s != NULL; s = s->next)
			if (atomic_load(&s->cancelled) && !atomic_load(&s->heard))
				return true;
	return false;
}

/* -- the thread -- */

static void *listen_all(void *arg)
{
	struct run_desk *d = arg;

	for (;;) {
		struct store_news news = { .kind = STORE_NEWS_NONE };
		struct err e = { 0 };

		pthread_mutex_lock(&d->lock);
		wake_cancelled(d, clock_mono_ms());
		const bool more = run_desk_look(d);
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
		pthread_mutex_lock(&d->lock);
		run_desk_note(d, &news);
		pthread_mutex_unlock(&d->lock);
		if (news.kind == STORE_NEWS_CANCEL)
			(void)run_desk_cancel(d, news.run);
	}
}

void run_desk_start(struct run_desk *d)
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
