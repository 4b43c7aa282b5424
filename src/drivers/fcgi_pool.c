/*
 * Acceptor and threads.
 *
 * libfcgi's accept loop cannot be stopped from outside, cannot distribute requests to threads, and
 * ends a thread when descriptors run out. So one acceptor here owns the listener and a signalfd,
 * and threads are made on demand. Idle threads are a stack: the one that worked last, whose memory
 * is warm, gets the next request; those at the bottom reach their idle limit and end.
 *
 * The worker survives a shortage: without a descriptor or a thread the acceptor pauses, and new
 * connections wait in the listen queue. A request gets a thread when it has arrived whole
 * (fcgi_room.h), so a thread never waits for a sender.
 */
#include "drivers/fcgi_pool.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
	BACKOFF_MS = 100,      /* pause when there are no descriptors or threads */
	ACCEPT_MAX = 256,      /* connections accepted in a row; then waiting requests are read */
	LAST_MS = 2000,        /* between the stop flag and giving up */
	TRIM_THREADS = 64,     /* this many threads have ended: give memory back */
	STACK_IN_USE = 1024,   /* stack below a frame that the call itself needs */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	STACK_SIZE = 2048 * 1024,
#else
	STACK_SIZE = 256 * 1024,
#endif
};

struct fcgi_thread {
	struct fcgi_pool *pool;
	struct fcgi_thread *below;             /* in the idle stack */
	pthread_cond_t wake;
	struct fcgi_arrival *in;               /* handed over; NULL: nothing to do */
};

struct fcgi_pool {
	struct fcgi_pool_config conf;
	struct fcgi_room *room;        /* the acceptor's */
	int sigfd, wakefd;
	pthread_attr_t attr;

	pthread_mutex_t lock;          /* guards all that follows */
	struct fcgi_thread *idle;
	struct fcgi_arrival *leaving;  /* answered; fcgi_room reads the rest of their requests */
	uint64_t accepted;
	int nthreads, nidle;
	int ended;                     /* threads that ended since memory was last given back */
	bool draining, want_room;
};

/* ---- threads ----------------------------------------------------------------------- */

static void wake_acceptor(struct fcgi_pool *s)
{
	const uint64_t one = 1;
	ssize_t n = write(s->wakefd, &one, sizeof(one));
	(void)n;       /* when the counter is full, the reader wakes too */
}

/* Wait for the next connection. False: this thread must end. Call with the lock held. */
static bool rest(struct fcgi_thread *t)
{
	struct fcgi_pool *s = t->pool;
	const struct timespec until = clock_at(clock_mono_ms() + s->conf.idle_ms);
	int rc = 0;

	if (s->draining)
		return false;
	t->below = s->idle;
	s->idle = t;
	s->nidle++;
	if (s->want_room) {
		s->want_room = false;
		wake_acceptor(s);
	}
	while (t->in == NULL && !s->draining && rc == 0)
		rc = pthread_cond_timedwait(&t->wake, &s->lock, &until);
	if (t->in != NULL)
		return true;
	for (struct fcgi_thread **p = &s->idle; *p != NULL; p = &(*p)->below)
		if (*p == t) {
			*p = t->below;
			s->nidle--;
			break;
		}
	return false;
}

static void thread_free(struct fcgi_thread *t)      /* call with the lock held */
{
	t->pool->nthreads--;
	pthread_cond_destroy(&t->wake);
	free(t);
}

static _Thread_local char *stack_end;      /* its lowest byte; NULL: the thread is not ours */

static void note_stack(void)
{
	pthread_attr_t attr;
	void *lowest;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return;
	if (pthread_attr_getstack(&attr, &lowest, &size) == 0)
		stack_end = lowest;
	pthread_attr_destroy(&attr);
}

void fcgi_thread_trim(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0) - STACK_IN_USE;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = (uintptr_t)stack_end;
	if (end != 0 && here / page * page > end)
		(void)madvise(stack_end, here / page * page - end, MADV_DONTNEED);
}

/* call with the lock held */
static void give_back(struct fcgi_pool *s, struct fcgi_arrival *in)
{
	in->newer = s->leaving;
	s->leaving = in;
	wake_acceptor(s);
}

static void *thread_main(void *arg)
{
	struct fcgi_thread *t = arg;
	struct fcgi_pool *s = t->pool;

	note_stack();
	pthread_mutex_lock(&s->lock);
	do {
		struct fcgi_arrival *in = t->in;
		t->in = NULL;
		pthread_mutex_unlock(&s->lock);
		s->conf.serve(in, s->conf.arg);
		bool closed = in->fd < 0;
		if (closed)
			fcgi_arrival_free(in);
		pthread_mutex_lock(&s->lock);
		if (!closed)
			give_back(s, in);
	} while (rest(t));
	/* After many requests at once the heap has holes that the system could use. */
	if (++s->ended >= TRIM_THREADS || (s->nthreads == 1 && !s->draining)) {
		s->ended = 0;
		pthread_mutex_unlock(&s->lock);
		(void)malloc_trim(0);
		pthread_mutex_lock(&s->lock);
	}
	thread_free(t);      /* counted as running until here; after the unlock `s` may be gone */
	if (s->draining || s->want_room)
		wake_acceptor(s);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Give a request to a thread. False: no thread is free. */
static bool hand_over(struct fcgi_pool *s, struct fcgi_arrival *in)
{
	pthread_t id;
	bool done = true;

	pthread_mutex_lock(&s->lock);
	struct fcgi_thread *t = s->idle;
	if (t != NULL) {
		s->idle = t->below;
		s->nidle--;
	} else if (s->nthreads < s->conf.threads_max
	    && (t = calloc(1, sizeof(*t))) != NULL) {
		t->pool = s;
		s->nthreads++;
		clock_cond_init(&t->wake);
		/* The new thread waits for the lock before it looks at t->in. */
		if (pthread_create(&id, &s->attr, thread_main, t) != 0) {
			thread_free(t);
			t = NULL;
		}
	}
	if (t != NULL) {
		t->in = in;
		s->accepted++;
		pthread_cond_signal(&t->wake);
	} else {
		done = false;
	}
	pthread_mutex_unlock(&s->lock);
	return done;
}

/* ---- acceptor ---------------------------------------------------------------------- */

struct acceptor {
	struct fcgi_pool *pool;
	int64_t again_ms;          /* do not accept and do not make a thread before this */
	int64_t warned_ms;
	int64_t stop_ms;           /* when the first stop signal came; 0: not yet */
	bool hurry;                /* a second stop signal came */
};

static void short_of(struct acceptor *a, const char *what)
{
	int64_t now = clock_mono_ms();
	a->again_ms = now + BACKOFF_MS;
	if (a->warned_ms == 0 || now - a->warned_ms > 10000) {
		a->warned_ms = now;
		log_msg(LOG_WARN, "accept", "waiting for %s: %m", what);
	}
}

/* Is there a thread for another request? If not, ask to be woken when there is. */
static bool have_room(struct fcgi_pool *s)
{
	pthread_mutex_lock(&s->lock);
	bool room = s->idle != NULL || s->nthreads < s->conf.threads_max;
	s->want_room = !room;
	pthread_mutex_unlock(&s->lock);
	return room;
}

/* Hand over the requests that have arrived. False: one of them must wait for a thread. */
static bool serve_arrived(struct acceptor *a)
{
	struct fcgi_pool *s = a->pool;
	for (struct fcgi_arrival *in; (in = fcgi_room_first(s->room)) != NULL;) {
		if (clock_mono_ms() < a->again_ms || !have_room(s))
			return false;
		fcgi_room_take(s->room);
		if (!hand_over(s, in)) {
			fcgi_room_return(s->room, in);
			short_of(a, "a thread");
			return false;
		}
	}
	return true;
}

/* Accept queued connections while there are threads for them. True: the queue is empty now. */
static bool accept_some(struct acceptor *a)
{
	struct fcgi_pool *s = a->pool;
	for (int i = 0; i < ACCEPT_MAX; i++) {
		if (!serve_arrived(a) || clock_mono_ms() < a->again_ms || !have_room(s))
			return false;
		int fd = accept4(s->conf.listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0) {
			fcgi_room_enter(s->room, fd);
			continue;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return true;
		if (errno != EINTR && errno != ECONNABORTED)
			short_of(a, "descriptors");
	}
	return false;
}

/* Give the room the connections that were answered before their request was read whole. */
static void take_leaving(struct fcgi_pool *s)
{
	pthread_mutex_lock(&s->lock);
	struct fcgi_arrival *in = s->leaving;
	s->leaving = NULL;
	pthread_mutex_unlock(&s->lock);
	while (in != NULL) {
		struct fcgi_arrival *next = in->newer;
		fcgi_room_leave(s->room, in);
		in = next;
	}
}

static void take_signals(struct acceptor *a)
{
	struct signalfd_siginfo si;
	while (read(a->pool->sigfd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGHUP) {
			log_msg(LOG_INFO, "signal", "SIGHUP ignored");
		} else if (a->stop_ms == 0) {
			a->stop_ms = clock_mono_ms();
			log_msg(LOG_INFO, "stop", "signal=%u: draining", si.ssi_signo);
		} else {
			a->hurry = true;
		}
	}
}

/* Sleep until there is something to do, at most until `until_ms` (0: for ever). */
static void wait_for_work(struct acceptor *a, bool listening, int64_t until_ms)
{
	struct fcgi_pool *s = a->pool;
	int64_t now = clock_mono_ms(), wait = fcgi_room_due(s->room);
	bool paused = now < a->again_ms;
	uint64_t n;

	if (until_ms != 0 && (wait < 0 || wait > until_ms - now))
		wait = until_ms > now ? until_ms - now : 0;
	if (paused && (wait < 0 || wait > a->again_ms - now))
		wait = a->again_ms - now;

	bool arrived = fcgi_room_first(s->room) != NULL;
	bool look = !paused && (listening || arrived) && have_room(s);
	if (arrived && look)
		wait = 0;
	struct pollfd p[] = {
		{ .fd = s->sigfd, .events = POLLIN },
		{ .fd = s->wakefd, .events = POLLIN },
		{ .fd = fcgi_room_fd(s->room), .events = POLLIN },
		{ .fd = look && listening ? s->conf.listener : -1, .events = POLLIN },
	};
	if (poll(p, sizeof(p) / sizeof(p[0]), (int)wait) < 0)
		return;
	if (p[1].revents != 0 && read(s->wakefd, &n, sizeof(n)) < 0)
		log_msg(LOG_DEBUG, "accept", "eventfd: %m");
	if (p[1].revents != 0)
		take_leaving(s);
	if (p[0].revents != 0)
		take_signals(a);
	if (p[2].revents != 0 || fcgi_room_due(s->room) == 0)
		fcgi_room_work(s->room);
}

/* Take no new work, let idle threads end, wait for the others. */
static enum errcode drain(struct acceptor *a, struct err *e)
{
	struct fcgi_pool *s = a->pool;
	int64_t grace_ends = a->stop_ms + s->conf.grace_ms;
	int running = 0;

	if (s->conf.draining != NULL)
		atomic_store(s->conf.draining, true);
	pthread_mutex_lock(&s->lock);
	s->draining = true;
	for (struct fcgi_thread *t = s->idle; t != NULL; t = t->below)
		pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&s->lock);

	for (;;) {
		bool arrived = serve_arrived(a);
		pthread_mutex_lock(&s->lock);
		running = s->nthreads;
		pthread_mutex_unlock(&s->lock);
		if (running == 0 && arrived && fcgi_room_waiting(s->room) == 0)
			return OK;
		int64_t now = clock_mono_ms();
		if (a->hurry || now >= grace_ends + LAST_MS)
			break;
		if (now >= grace_ends && !atomic_load(s->conf.stop)) {
			log_msg(LOG_WARN, "stop", "grace period over: running=%d", running);
			atomic_store(s->conf.stop, true);
		}
		wait_for_work(a, false, now < grace_ends ? grace_ends : grace_ends + LAST_MS);
	}
	atomic_store(s->conf.stop, true);
	return err_set(e, ERR_TIMEOUT, "%d requests were still running", running);
}

enum errcode fcgi_pool_run(struct fcgi_pool *s, struct err *e)
{
	struct acceptor a = { .pool = s };

	while (a.stop_ms == 0) {
		(void)accept_some(&a);
		wait_for_work(&a, true, 0);
	}
	/* Data that the web server has sent but we have not read would make the kernel reset the
	 * connection. So read it first. */
	int64_t until = a.stop_ms + s->conf.grace_ms;
	while (!accept_some(&a) && !a.hurry && clock_mono_ms() < until)
		wait_for_work(&a, true, until);
	(void)close(s->conf.listener);
	s->conf.listener = -1;
	return drain(&a, e);
}

/* ---- life -------------------------------------------------------------------------- */

void fcgi_signals(sigset_t *set)
{
	static const int taken[] = { SIGTERM, SIGINT, SIGUSR1, SIGHUP };
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		sigaddset(set, taken[i]);
}

enum errcode fcgi_pool_open(struct fcgi_pool **out, const struct fcgi_pool_config *c,
    struct err *e)
{
	sigset_t set;
	struct fcgi_pool *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return err_set(e, ERR_INTERNAL, "no memory");
	s->conf = *c;
	pthread_mutex_init(&s->lock, NULL);
	pthread_attr_init(&s->attr);
	pthread_attr_setstacksize(&s->attr, STACK_SIZE);
	pthread_attr_setdetachstate(&s->attr, PTHREAD_CREATE_DETACHED);
	fcgi_signals(&set);
	s->sigfd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	s->wakefd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	enum errcode rc = s->sigfd < 0 || s->wakefd < 0 ?
	    err_set(e, ERR_IO, "signalfd or eventfd: %m") : fcgi_room_open(&s->room, &c->room, e);
	if (rc != OK) {
		fcgi_pool_close(s);
		return rc;
	}
	*out = s;
	return OK;
}

void fcgi_pool_close(struct fcgi_pool *s)
{
	if (s == NULL)
		return;
	const int fds[] = { s->conf.listener, s->sigfd, s->wakefd };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			(void)close(fds[i]);
	take_leaving(s);
	fcgi_room_close(s->room);
	pthread_attr_destroy(&s->attr);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void fcgi_pool_stats(struct fcgi_pool *s, struct fcgi_stats *out)
{
	pthread_mutex_lock(&s->lock);
	*out = (struct fcgi_stats){ .threads = s->nthreads, .busy = s->nthreads - s->nidle,
		.accepted = s->accepted, .draining = s->draining };
	pthread_mutex_unlock(&s->lock);
}
