/*
 * The MCP server over two pipes: one message a line.
 *
 * Calls of tools get a thread each, so that a slow one holds up nothing, and answers leave as they are ready. All
 * else is answered at once. When the input ends, the calls that are still running are cancelled: nobody reads
 * their answers.
 *
 * A client may read slowly as long as it keeps its end of the input open. After that, an output that nobody
 * reads must not keep the program.
 */
#include "edges/mcp_call.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/thread.h"

enum {
	LINE_MAX_BYTES = 1 << 20, PIECE = 64 << 10, CALLS_MAX = 16, WAITING_MAX = 64,
	LOOK_MS = 100,                /* between two looks whether the input has ended */
	/* once it has ended: */
	LAST_MS = 1500,               /* calls may still be answered */
	STALL_MS = 5000,              /* an answer waits for a client that reads nothing */
	END_MS = STALL_MS + 3000,     /* cancelled calls must have ended */
};

struct mcp_stdio {
	struct mcp_server *early;     /* answers what needs no service */
	int in, out;
	pthread_t reader;
	enum errcode rc;              /* how the reading ended */
	struct err err;
	pthread_mutex_t write_lock;   /* of `out` */
	atomic_bool ended;            /* the input has ended */
	atomic_bool broken;           /* nobody reads `out` any more */
	pthread_mutex_t lock;         /* of the rest */
	pthread_cond_t changed;       /* a call has ended, or the server is there */
	struct mcp_server *server;    /* NULL: not yet */
	struct job *jobs;             /* that run or wait, the newest first */
	int njobs, nthreads;
};

/* A call in a thread of its own. */
struct job {
	struct mcp_line line;
	struct mcp_stdio *talk;
	struct job *next;
	struct arena *mem;
	struct mcp_call call;
	struct mcp_caller caller;
	bool running, gone;           /* it has a thread; it was cancelled */
	int wake[2];                  /* a pair of sockets: closing the second tells those who wait on the first */
};

/* ---- writing -------------------------------------------------------------------------------- */

/* Has the client closed its end? Its messages may still wait in the pipe. */
static bool input_over(struct mcp_stdio *t)
{
	struct pollfd p = { .fd = t->in, .events = POLLRDHUP };

	return atomic_load(&t->ended) || (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0);
}

/* Wait until something can be written. */
static bool wait_writable(struct mcp_stdio *t)
{
	for (int stalled_ms = 0; stalled_ms < STALL_MS && !atomic_load(&t->broken);) {
		struct pollfd p = { .fd = t->out, .events = POLLOUT };
		const int n = poll(&p, 1, LOOK_MS);
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
		if (input_over(t))
			stalled_ms += LOOK_MS;
	}
	return false;
}

/* Write the beginning of it. How many bytes went; 0: nobody reads them any more. */
static size_t write_some(struct mcp_stdio *t, const char *p, size_t n)
{
	ssize_t done;

	do {
		if (!wait_writable(t))
			return 0;
		/* a pipe that can be written takes so much without waiting */
		done = write(t->out, p, n < PIPE_BUF ? n : PIPE_BUF);
	} while (done < 0 && (errno == EINTR || errno == EAGAIN));
	return done > 0 ? (size_t)done : 0;
}

static enum errcode write_line(struct mcp_stdio *t, const struct buf *message)
{
	struct buf b;

	buf_init(&b, MCP_OUT_MAX + 1);
	buf_put(&b, message->p, message->n);
	buf_putc(&b, '\n');
	pthread_mutex_lock(&t->write_lock);
	for (size_t sent = 0; sent < b.n && !atomic_load(&t->broken);) {
		const size_t n = write_some(t, b.p + sent, b.n - sent);
		sent += n;
		if (n == 0)
			atomic_store(&t->broken, true);
	}
	const bool broken = atomic_load(&t->broken);
	pthread_mutex_unlock(&t->write_lock);
	buf_release(&b);
	return broken ? ERR_HUP : OK;
}

/* ---- calls ------------------------------------------------------------------------------------ */

static bool cancelled(struct job *j)
{
	pthread_mutex_lock(&j->talk->lock);
	const bool is = j->gone;
	pthread_mutex_unlock(&j->talk->lock);
	return is || atomic_load(&j->talk->broken);
}

/* With the lock held. */
static void cancel(struct job *j)
{
	j->gone = true;
	if (j->wake[1] >= 0)
		close(j->wake[1]);
	j->wake[1] = -1;
}

static bool job_open(struct mcp_line *line)
{
	(void)line;
	return true;
}

static enum errcode job_send(struct mcp_line *line, const struct buf *message)
{
	struct job *j = (struct job *)line;

	return cancelled(j) ? ERR_HUP : write_line(j->talk, message);
}

static enum errcode job_tick(struct mcp_line *line, int64_t *ms)
{
	enum { TICK_MS = 1000 };

	*ms = TICK_MS;
	return cancelled((struct job *)line) ? ERR_HUP : OK;
}

static int job_fd(struct mcp_line *line)
{
	return ((struct job *)line)->wake[0];
}

static const struct mcp_line_ops job_ops = { job_open, job_send, job_tick, job_fd };

static struct job *job_new(struct mcp_stdio *t)
{
	struct arena *mem = arena_new();
	struct job *j = arena_alloc(mem, sizeof(*j));

	*j = (struct job){ .line = { &job_ops }, .talk = t, .mem = mem, .wake = { -1, -1 } };
	j->call = (struct mcp_call){ .server = t->early, .mem = mem, .caller = &j->caller, .line = &j->line };
	return j;
}

static void job_free(struct job *j)
{
	for (int i = 0; i < 2; i++)
		if (j->wake[i] >= 0)
			close(j->wake[i]);
	arena_free(j->mem);
}

static void answer(struct job *j, const struct mcp_fault *fault)
{
	struct buf out;

	buf_init(&out, MCP_OUT_MAX);
	j->call.out = &out;
	if (fault != NULL)
		mcp_answer_fault(&j->call, fault);
	else
		mcp_answer(&j->call, NULL);
	if (out.n > 0 && !cancelled(j))
		(void)write_line(j->talk, &out);
	buf_release(&out);
}

/* Take the call out, and give its thread to the one that has waited longest; NULL: none waits. With the lock. */
static struct job *pass_on(struct mcp_stdio *t, struct job *done)
{
	struct job **at = &t->jobs, *next = NULL;

	while (*at != done)
		at = &(*at)->next;
	*at = done->next;
	for (struct job *j = t->jobs; j != NULL; j = j->next)
		if (!j->running)
			next = j;
	if (next != NULL)
		next->running = true;
	else
		t->nthreads--;
	return next;
}

static void *work(void *arg)
{
	struct mcp_stdio *t = ((struct job *)arg)->talk;

	for (struct job *j = arg, *next; j != NULL; j = next) {
		/* it may have been cancelled while it waited */
		if (!cancelled(j))
			answer(j, NULL);
		pthread_mutex_lock(&t->lock);
		next = pass_on(t, j);
		pthread_mutex_unlock(&t->lock);
		job_free(j);
		/* only now may the service be closed, which the call has used */
		pthread_mutex_lock(&t->lock);
		t->njobs--;
		pthread_cond_broadcast(&t->changed);
		pthread_mutex_unlock(&t->lock);
	}
	return NULL;
}

/* Give the call a thread. While too many are running it waits in the list, so that what cancels them can be read.
 * Where no thread can be made it is carried out here. */
static void start(struct job *j)
{
	struct mcp_stdio *t = j->talk;
	pthread_t thread;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, j->wake) != 0)
		j->wake[0] = j->wake[1] = -1;
	pthread_mutex_lock(&t->lock);
	while (t->njobs >= CALLS_MAX + WAITING_MAX)
		pthread_cond_wait(&t->changed, &t->lock);
	j->next = t->jobs;
	t->jobs = j;
	t->njobs++;
	const bool now = t->nthreads < CALLS_MAX;
	t->nthreads += now;
	j->running = now;
	pthread_mutex_unlock(&t->lock);
	if (!now)
		return;
	if (thread_start(&thread, work, j) != 0)
		(void)work(j);
	else
		pthread_detach(thread);
}

/* An id here belongs to one call at most, because one client sends them all. */
static void cancel_named(struct mcp_stdio *t, struct arena *a, struct json_object *params)
{
	const struct str id = mcp_id_of(a, jsn_get(params, "requestId"));

	pthread_mutex_lock(&t->lock);
	for (struct job *j = t->jobs; j != NULL && id.n > 0; j = j->next)
		if (mcp_same_id(a, j->call.msg.id, id))
			cancel(j);
	pthread_mutex_unlock(&t->lock);
}

/* Does the message need the service? */
static bool needs_service(const struct mcp_message *m)
{
	return m->kind == MCP_REQUEST && !one_of(m->method, MCP_INITIALIZE "|" MCP_DISCOVER "|" MCP_PING);
}

static struct mcp_server *wait_for_server(struct mcp_stdio *t)
{
	pthread_mutex_lock(&t->lock);
	while (t->server == NULL)
		pthread_cond_wait(&t->changed, &t->lock);
	pthread_mutex_unlock(&t->lock);
	return t->server;
}

/* ---- reading -------------------------------------------------------------------------------------- */

static void take_line(struct mcp_stdio *t, const char *p, size_t n)
{
	struct job *j;
	struct mcp_fault fault;

	if (str_trim((struct str){ p, n }).n == 0)
		return;
	j = job_new(t);
	if (!mcp_take(&j->call, p, n, &fault)) {
		answer(j, &fault);
		job_free(j);
		return;
	}
	if (needs_service(&j->call.msg))
		j->call.server = wait_for_server(t);
	if (j->call.msg.kind == MCP_NOTIFICATION && streq(j->call.msg.method, MCP_CANCELLED))
		cancel_named(t, j->mem, j->call.msg.params);
	else if (j->call.msg.kind == MCP_REQUEST && one_of(j->call.msg.method, MCP_TOOLS_CALL "|" MCP_RESOURCES_READ)) {
		start(j);
		return;
	} else
		answer(j, NULL);
	job_free(j);
}

static void refuse_long(struct mcp_stdio *t)
{
	struct job *j = job_new(t);
	struct mcp_fault fault = { .code = MCP_INVALID_REQUEST, .id = STR(""),
		.said = arena_printf(j->mem, "it is longer than %d bytes", LINE_MAX_BYTES) };

	answer(j, &fault);
	job_free(j);
}

/* Cut what has come into lines; what is left of an unfinished line stays. A line that is too long is refused once
 * and skipped to its end. */
static void take_lines(struct mcp_stdio *t, struct buf *b, bool *skipping)
{
	size_t from = 0;

	for (char *end; (end = memchr(b->p + from, '\n', b->n - from)) != NULL; from = (size_t)(end + 1 - b->p)) {
		if (!*skipping)
			take_line(t, b->p + from, (size_t)(end - b->p) - from);
		*skipping = false;
	}
	const size_t left = b->n - from;
	memmove(b->p, b->p + from, left);
	buf_trunc(b, left);
	if (left > LINE_MAX_BYTES) {
		if (!*skipping)
			refuse_long(t);
		*skipping = true;
	}
	if (*skipping)
		buf_clear(b);
}

/* Wait until something can be read. False: nobody reads the answers any more. */
static bool wait_readable(struct mcp_stdio *t)
{
	struct pollfd p[] = { { .fd = t->in, .events = POLLIN }, { .fd = t->out } };

	while (!atomic_load(&t->broken) && poll(p, 2, -1) < 0 && errno == EINTR)
		;
	if ((p[1].revents & (POLLERR | POLLHUP)) != 0)
		atomic_store(&t->broken, true);
	return !atomic_load(&t->broken);
}

static void *read_all(void *arg)
{
	struct mcp_stdio *t = arg;
	char *piece = heap_new(PIECE);
	struct buf b;
	bool skipping = false;
	ssize_t n = 0;

	buf_init(&b, LINE_MAX_BYTES + PIECE);
	while (wait_readable(t) && ((n = read(t->in, piece, PIECE)) > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))) {
		if (n < 0)
			continue;
		buf_put(&b, piece, (size_t)n);
		take_lines(t, &b, &skipping);
	}
	if (n == 0 && b.n > 0 && !skipping)
		take_line(t, b.p, b.n);
	atomic_store(&t->ended, true);
	buf_release(&b);
	free(piece);
	if (n < 0)
		t->rc = err_set(&t->err, ERR_IO, "mcp: standard input cannot be read (%s)", strerrordesc_np(errno));
	return NULL;
}

/* Wait for the end of all calls, at most so long. With the lock. */
static bool wait_calls(struct mcp_stdio *t, int64_t ms)
{
	const struct timespec until = clock_at(clock_mono_ms() + ms);

	while (t->njobs > 0 && pthread_cond_timedwait(&t->changed, &t->lock, &until) == 0)
		;
	return t->njobs == 0;
}

/* Calls that are nearly done may still be answered, because a script that has sent its requests ends its output at
 * once. Then the rest is cancelled. False: a call goes on, and uses the service. */
static bool end_all(struct mcp_stdio *t)
{
	pthread_mutex_lock(&t->lock);
	bool all = wait_calls(t, atomic_load(&t->broken) ? 0 : LAST_MS);
	for (struct job *j = t->jobs; j != NULL; j = j->next)
		cancel(j);
	all = all || wait_calls(t, END_MS);
	pthread_mutex_unlock(&t->lock);
	return all;
}

static void stdio_free(struct mcp_stdio *t)
{
	mcp_server_free(t->early);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	pthread_mutex_destroy(&t->write_lock);
	free(t);
}

struct mcp_stdio *mcp_stdio_start(int in, int out, struct err *e)
{
	static const struct conf conf = { .mcp_call_timeout_s = 1 };
	static const struct edge_parts nothing = { .conf = &conf };
	struct mcp_stdio *t = heap_new(sizeof(*t));

	*t = (struct mcp_stdio){ .in = in, .out = out, .early = mcp_server_new(&nothing, NULL) };
	pthread_mutex_init(&t->write_lock, NULL);
	pthread_mutex_init(&t->lock, NULL);
	clock_cond_init(&t->changed);
	const int why = thread_start(&t->reader, read_all, t);
	if (why == 0)
		return t;
	err_set(e, ERR_INTERNAL, "mcp: no thread can be started (%s)", strerrordesc_np(why));
	stdio_free(t);
	return NULL;
}

enum errcode mcp_stdio_serve(struct mcp_stdio *t, struct mcp_server *s, struct err *e)
{
	pthread_mutex_lock(&t->lock);
	t->server = s;
	pthread_cond_broadcast(&t->changed);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->reader, NULL);
	if (!end_all(t))
		return err_set(e, ERR_TIMEOUT, "mcp: a call has not ended although it was cancelled");
	const enum errcode rc = t->rc;
	*e = t->err;
	stdio_free(t);
	return rc;
}
