/*
 * A server that is a child process: one message a line, through its standard input and output.
 *
 * Many turns use the one child of a worker. So one thread owns its pipes: it writes what callers put
 * into `out`, reads lines, and hands an answer to the caller that waits for its id. Callers wait on a
 * descriptor of their own, through their watch.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "drivers/child.h"
#include "services/mcp_client_own.h"

enum {
	OUT_MAX = 4 * 1024 * 1024,    /* bytes that wait for a child that does not read */
	PIECE = 64 * 1024,
	UNASKED_MAX = 16 * 1024 * 1024,       /* bytes without an answer to anybody */
	END_MS = 500,                 /* to end when its input is closed */
	ANSWERS_MAX = 64,             /* requests of the child that are answered between two answers of it */
	IDLE_LOOK_MS = 5000,
};

/* A caller that waits, in its own frame. */
struct waiter {
	struct str id;
	int fd;                       /* eventfd: `line` is there, or the child has ended */
	char *line;                   /* its answer, on the heap */
	size_t n;
	bool over;                    /* nothing more will come */
	struct waiter *next;
};

struct mcp_child {
	const struct mcp_remote *server;
	const char *minder;
	int wake;                     /* eventfd: there is something in `out`, or `stop` */

	pthread_mutex_t lock;         /* guards all that follows */
	pthread_t thread;
	bool threaded;                /* the thread must be joined */
	bool running, stop;
	int64_t start;                /* number of the start */
	int64_t used_ms;              /* when it was used last */
	struct buf out;
	struct waiter *waiters;
	char why[MCP_WORDS_MAX + 120];    /* why it ended */

	/* the thread's own */
	struct child child;
	struct buf line;
	struct mcp_words words;
	size_t unasked;
	int nanswered;
};

/* ---- the thread: with the lock held -------------------------------------------------------- */

static void tell(struct waiter *w)
{
	const uint64_t one = 1;
	ssize_t n = write(w->fd, &one, sizeof(one));
	(void)n;
}

/* The answer is for the waiter with its id; if nobody waits for it any more, it is dropped. */
static void hand_over(struct mcp_child *io, struct arena *a, struct str id, const char *p, size_t n)
{
	for (struct waiter *w = io->waiters; w != NULL; w = w->next)
		if (w->line == NULL && mcp_same_id(a, w->id, id)) {
			w->line = heap_new(n + 1);
			memcpy(w->line, p, n);
			w->n = n;
			io->unasked = 0;
			io->nanswered = 0;
			tell(w);
			return;
		}
}

static void say_why(struct mcp_child *io, const char *what)
{
	if (io->why[0] == '\0')
		snprintf(io->why, sizeof(io->why), "%s", what);
}

static void release_all(struct mcp_child *io)
{
	for (struct waiter *w = io->waiters; w != NULL; w = w->next) {
		w->over = true;
		tell(w);
	}
}

/* ---- the thread: pipes ------------------------------------------------------------------------ */

/* A line that is no message is skipped: some programs greet on their standard output. */
static void take_line(struct mcp_child *io, const char *p, size_t n)
{
	struct arena *a = arena_new();
	struct mcp_message m;
	struct err why;

	while (n > 0 && (p[n - 1] == '\r' || p[n - 1] == ' '))
		n--;
	if (n > 0 && mcp_take_message(a, p, n, &m, &why) == OK) {
		pthread_mutex_lock(&io->lock);
		if (m.kind == MCP_RESULT || m.kind == MCP_ERROR)
			hand_over(io, a, m.id, p, n);
		else if (m.kind == MCP_REQUEST && io->nanswered++ < ANSWERS_MAX && io->out.n < OUT_MAX / 2) {
			mcp_answer_server(&io->out, &m);
			buf_putc(&io->out, '\n');
		}
		pthread_mutex_unlock(&io->lock);
	}
	arena_free(a);
}

/* False: the child has broken a bound. */
static bool take_output(struct mcp_child *io, const char *p, size_t n)
{
	io->unasked += n;
	for (const char *end; (end = memchr(p, '\n', n)) != NULL;) {
		const size_t len = (size_t)(end - p);
		if (io->line.n == 0) {
			take_line(io, p, len);
		} else {
			buf_put(&io->line, p, len);
			if (!io->line.full)
				take_line(io, io->line.p, io->line.n);
		}
		if (io->line.full || len > MCP_REPLY_MAX)
			break;
		buf_clear(&io->line);
		p = end + 1;
		n -= len + 1;
	}
	buf_put(&io->line, p, n);
	if (io->line.full)
		say_why(io, "it sent a line that is too long");
	else if (io->unasked > UNASKED_MAX)
		say_why(io, "its output does not stop");
	return !io->line.full && io->unasked <= UNASKED_MAX;
}

/* 1: something came; 0: nothing at the moment; -1: the end, or a bound is broken. */
static int read_pipe(struct mcp_child *io, int fd, bool output)
{
	char piece[PIECE];
	ssize_t n = read(fd, piece, sizeof(piece));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0)
		return -1;
	if (output)
		return take_output(io, piece, (size_t)n) ? 1 : -1;
	mcp_words_take(&io->words, piece, (size_t)n, clock_mono_ms());
	return 1;
}

/* Write what waits. False: the child does not read any more. */
static bool write_out(struct mcp_child *io, bool *more)
{
	bool good = true;

	pthread_mutex_lock(&io->lock);
	while (io->out.n > 0 && good) {
		ssize_t n = write(io->child.in, io->out.p, io->out.n);
		if (n < 0 && errno == EAGAIN)
			break;
		good = n > 0 || errno == EINTR;
		if (n > 0) {
			memmove(io->out.p, io->out.p + n, io->out.n - (size_t)n);
			buf_trunc(&io->out, io->out.n - (size_t)n);
		}
	}
	*more = io->out.n > 0;
	pthread_mutex_unlock(&io->lock);
	return good;
}

static bool may_stay(struct mcp_child *io)
{
	pthread_mutex_lock(&io->lock);
	const bool idle = io->waiters == NULL &&
	    clock_mono_ms() - io->used_ms > io->server->idle_ms;
	const bool stay = !io->stop && !idle;
	pthread_mutex_unlock(&io->lock);
	return stay;
}

static void serve(struct mcp_child *io)
{
	bool more = false, errors = true;
	uint64_t count;

	while (may_stay(io)) {
		struct pollfd p[] = {
			{ .fd = io->child.out, .events = POLLIN },
			{ .fd = errors ? io->child.err : -1, .events = POLLIN },
			{ .fd = io->wake, .events = POLLIN },
			{ .fd = more ? io->child.in : -1, .events = POLLOUT },
		};
		if (poll(p, 4, IDLE_LOOK_MS) < 0 && errno != EINTR)
			return;
		if (p[2].revents != 0 && read(io->wake, &count, sizeof(count)) < 0 && errno != EAGAIN)
			return;
		if (p[1].revents != 0)
			errors = read_pipe(io, io->child.err, false) >= 0;
		if (p[0].revents != 0 && read_pipe(io, io->child.out, true) < 0)
			return;
		/* behind the reading, which may have made answers */
		if (!write_out(io, &more))
			return;
	}
}

/* The last words of a child that has ended: they may come after the end of its output. */
static void read_words(struct mcp_child *io)
{
	struct pollfd p = { .fd = io->child.err, .events = POLLIN };

	for (int i = 0; i < 16 && poll(&p, 1, 50) > 0 && read_pipe(io, io->child.err, false) > 0; i++)
		;
}

static void *run(void *arg)
{
	struct mcp_child *io = arg;
	struct arena *a = arena_new();

	buf_init(&io->line, MCP_REPLY_MAX);
	mcp_words_init(&io->words, io->server->name);
	serve(io);
	read_words(io);
	const int status = child_end(&io->child, END_MS);
	const char *words = mcp_words_last(&io->words, a, clock_mono_ms());
	pthread_mutex_lock(&io->lock);
	say_why(io, *words != '\0' ? arena_printf(a, "its program ended (status %d): %s", status, words)
	    : arena_printf(a, "its program ended (status %d)", status));
	io->running = false;
	release_all(io);
	pthread_mutex_unlock(&io->lock);
	log_msg(LOG_INFO, "mcp_child_ended", "server=%s status=%d", io->server->name, status);
	buf_release(&io->line);
	mcp_words_release(&io->words);
	arena_free(a);
	return NULL;
}

/* ---- starting and stopping ------------------------------------------------------------------------ */

struct mcp_child *mcp_child_new(const struct mcp_remote *s, const char *minder)
{
	struct mcp_child *io = heap_new(sizeof(*io));

	io->server = s;
	io->minder = minder;
	io->wake = -1;
	pthread_mutex_init(&io->lock, NULL);
	buf_init(&io->out, OUT_MAX);
	return io;
}

static void wake(struct mcp_child *io)
{
	const uint64_t one = 1;
	ssize_t n = write(io->wake, &one, sizeof(one));
	(void)n;
}

/* Wait for a thread that has ended or is ending. Call it with the lock held. */
static void join(struct mcp_child *io)
{
	const pthread_t thread = io->thread;

	if (!io->threaded)
		return;
	io->threaded = false;
	pthread_mutex_unlock(&io->lock);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&io->lock);
}

static enum errcode begin(struct mcp_child *io, struct err *e)
{
	const struct child_config c = { .minder = io->minder, .argv = io->server->argv,
		.env = io->server->env, .dir = io->server->dir };

	if (io->wake < 0 && (io->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0)
		return err_set(e, ERR_IO, "cannot make a descriptor for a child process: %m");
	enum errcode rc = child_start(&io->child, &c, e);
	if (rc != OK)
		return rc == ERR_CONFIG ? err_set(e, ERR_UPSTREAM, "%s", e->msg) : rc;
	buf_clear(&io->out);
	io->why[0] = '\0';
	io->stop = false;
	io->unasked = 0;
	io->nanswered = 0;
	if (thread_start(&io->thread, run, io) != 0) {
		child_end(&io->child, 0);
		return err_set(e, ERR_IO, "cannot start a thread for a child process: %m");
	}
	io->threaded = io->running = true;
	io->used_ms = clock_mono_ms();
	io->start++;
	log_msg(LOG_INFO, "mcp_child_started", "server=%s", io->server->name);
	return OK;
}

/* Only one thread opens a session at a time, so nobody else starts the child meanwhile. */
enum errcode mcp_child_start(struct mcp_child *io, int64_t *start, struct err *e)
{
	enum errcode rc = OK;

	pthread_mutex_lock(&io->lock);
	if (!io->running) {
		join(io);
		rc = begin(io, e);
	}
	*start = io->start;
	pthread_mutex_unlock(&io->lock);
	return rc;
}

int64_t mcp_child_running(struct mcp_child *io)
{
	pthread_mutex_lock(&io->lock);
	const int64_t start = io->running ? io->start : 0;
	pthread_mutex_unlock(&io->lock);
	return start;
}

void mcp_child_stop(struct mcp_child *io)
{
	pthread_mutex_lock(&io->lock);
	if (io->threaded) {
		io->stop = true;
		wake(io);
	}
	pthread_mutex_unlock(&io->lock);
}

void mcp_child_free(struct mcp_child *io)
{
	if (io == NULL)
		return;
	mcp_child_stop(io);
	pthread_mutex_lock(&io->lock);
	join(io);
	pthread_mutex_unlock(&io->lock);
	if (io->wake >= 0)
		close(io->wake);
	buf_release(&io->out);
	pthread_mutex_destroy(&io->lock);
	free(io);
}

/* ---- one exchange ------------------------------------------------------------------------------- */

/* Put a message into what the thread writes. */
static enum errcode send_line(struct mcp_child *io, int64_t start, const struct buf *body,
    struct waiter *w, struct err *e)
{
	enum errcode rc = OK;

	pthread_mutex_lock(&io->lock);
	if (!io->running || io->start != start) {
		rc = err_set(e, ERR_UPSTREAM, "%s", io->why[0] != '\0' ? io->why : "its program ended");
	} else if (io->out.n + body->n + 1 > OUT_MAX) {
		rc = err_set(e, ERR_UPSTREAM, "its program does not read what it is sent");
	} else {
		buf_put(&io->out, body->p, body->n);
		buf_putc(&io->out, '\n');
		io->used_ms = clock_mono_ms();
		if (w != NULL) {
			w->next = io->waiters;
			io->waiters = w;
		}
		wake(io);
	}
	pthread_mutex_unlock(&io->lock);
	return rc;
}

static void leave(struct mcp_child *io, struct waiter *w)
{
	pthread_mutex_lock(&io->lock);
	for (struct waiter **at = &io->waiters; *at != NULL; at = &(*at)->next)
		if (*at == w) {
			*at = w->next;
			break;
		}
	io->used_ms = clock_mono_ms();
	pthread_mutex_unlock(&io->lock);
}

static enum errcode wait_answer(struct mcp_child *io, struct waiter *w, struct arena *a,
    const struct mcp_exchange *x, struct mcp_answer *out, bool *stopped, struct err *e)
{
	bool ready;
	enum errcode rc = watch_poll(x->watch, w->fd, x->ms, &ready);

	leave(io, w);
	*stopped = rc != OK && rc != ERR_IO;
	if (rc != OK)
		return err_set(e, rc, "the call was ended (%s)", err_row(rc)->name);
	if (w->line == NULL && w->over) {
		pthread_mutex_lock(&io->lock);
		err_set(e, ERR_UPSTREAM, "%s", io->why);
		pthread_mutex_unlock(&io->lock);
		return ERR_UPSTREAM;
	}
	if (w->line == NULL)
		return err_set(e, ERR_UPSTREAM, "no answer within %lld s", (long long)(x->ms / 1000));
	out->answered = true;
	return mcp_take_message(a, w->line, w->n, &out->message, e);
}

enum errcode mcp_child_ask(struct mcp_child *io, int64_t start, struct arena *a,
    const struct mcp_exchange *x, struct mcp_answer *out, bool *stopped, struct err *e)
{
	struct waiter w = { .id = x->id, .fd = -1 };

	*out = (struct mcp_answer){ .status = 0 };
	*stopped = false;
	if (x->id.n == 0)
		return send_line(io, start, x->body, NULL, e);
	if ((w.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0)
		return err_set(e, ERR_IO, "cannot make a descriptor for a call: %m");
	enum errcode rc = send_line(io, start, x->body, &w, e);
	if (rc == OK)
		rc = wait_answer(io, &w, a, x, out, stopped, e);
	free(w.line);
	close(w.fd);
	return rc;
}
