/*
 * The MCP server over pipes, when the client does not behave: it leaves, or it does not read.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "edges/mcp_call.h"
#include "tests/unit/test.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n"
#define ENDLESS "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"test_endless\"}}\n"

struct served {
	struct conf conf;
	struct edge_parts parts;
	struct arena *a;
	struct mcp_server *server;
	struct mcp_stdio *io;
	int to, from;                 /* the client's ends */
	int in, out;                  /* the server's */
	pthread_t thread;
	atomic_bool done;
	enum errcode rc;
};

static void *serve(void *arg)
{
	struct served *s = arg;
	struct err e = { 0 };

	s->rc = mcp_stdio_serve(s->io, s->server, &e);
	atomic_store(&s->done, true);
	return NULL;
}

/* Over two pipes, or over two pairs of sockets, as some clients make them. */
static void begin(struct served *s, bool sockets)
{
	int in[2], out[2];
	struct err e = { 0 };

	signal(SIGPIPE, SIG_IGN);
	*s = (struct served){ .conf = { .mcp_call_timeout_s = 60 }, .a = arena_new() };
	s->parts = (struct edge_parts){ .conf = &s->conf, .mem = s->a, .mcp_fixtures = true };
	s->server = mcp_server_new(&s->parts, NULL);
	cr_assert_eq(sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, in) : pipe(in), 0);
	cr_assert_eq(sockets ? socketpair(AF_UNIX, SOCK_STREAM, 0, out) : pipe(out), 0);
	s->in = in[0];
	s->to = in[1];
	s->from = out[0];
	s->out = out[1];
	s->io = mcp_stdio_start(s->in, s->out, &e);
	cr_assert_not_null(s->io, "%s", e.msg);
	cr_assert_eq(thread_start(&s->thread, serve, s), 0);
}

/* In one piece: a socket has no room for many small ones that the server does not read. */
static void send_text(struct served *s, const char *text, int times)
{
	struct buf b;

	buf_init(&b, 60000);
	for (int i = 0; i < times; i++)
		buf_puts(&b, text);
	cr_assert(!b.full);
	cr_assert_eq(write(s->to, b.p, b.n), (ssize_t)b.n);
	buf_release(&b);
}

/* Read answers up to an end of a line. */
static void read_line(struct served *s)
{
	char c = '\0';

	while (c != '\n')
		cr_assert_eq(read(s->from, &c, 1), 1);
}

static bool ends_within(struct served *s, int64_t ms)
{
	for (const int64_t until = clock_mono_ms() + ms; clock_mono_ms() < until && !atomic_load(&s->done);)
		clock_sleep_ms(20);
	return atomic_load(&s->done);
}

static void end(struct served *s)
{
	pthread_join(s->thread, NULL);
	mcp_server_free(s->server);
	arena_free(s->a);
	close(s->in);
	close(s->out);
}

static void a_client_that_leaves_without_reading(bool sockets)
{
	struct served s;

	begin(&s, sockets);
	/* more answers than the way back holds */
	send_text(&s, LIST, 400);
	close(s.to);
	cr_assert(ends_within(&s, 20000), "nobody reads, and the input has ended");
	cr_expect_eq(s.rc, OK);
	end(&s);
	close(s.from);
}

TEST(mcp_stdio, ends_when_a_client_has_left_and_reads_nothing, .timeout = 60)
{
	a_client_that_leaves_without_reading(false);
}

TEST(mcp_stdio, ends_so_over_sockets_too, .timeout = 60)
{
	a_client_that_leaves_without_reading(true);
}

TEST(mcp_stdio, ends_when_its_output_is_closed, .timeout = 60)
{
	struct served s;

	for (int sockets = 0; sockets < 2; sockets++) {
		begin(&s, sockets);
		send_text(&s, PING ENDLESS, 1);
		read_line(&s);
		close(s.from);
		cr_assert(ends_within(&s, 10000), "the output is closed, and the input is still open");
		cr_expect_eq(s.rc, OK);
		end(&s);
		close(s.to);
	}
}

TEST(mcp_stdio, waits_for_a_client_that_reads_late, .timeout = 60)
{
	struct served s;

	begin(&s, false);
	send_text(&s, LIST, 400);
	cr_assert(!ends_within(&s, 6000), "the input is open");
	for (int i = 0; i < 400; i++)
		read_line(&s);
	close(s.to);
	cr_assert(ends_within(&s, 10000));
	end(&s);
	close(s.from);
}
