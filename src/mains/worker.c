/*
 * aviation-agent.fcgi: the worker. It only connects the parts.
 *
 * The order matters. Signals are blocked before anything can start a thread, so that only the
 * acceptor sees them; the services are complete before the first request; nothing is freed while a
 * request may still use it.
 */
#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "drivers/child.h"
#include "drivers/fcgi.h"
#include "edges/edge.h"
#include "edges/routes.h"
#include "mains/service.h"
#include "services/run_desk.h"
#include "services/run_writer.h"

enum { BACKLOG = 4096 };

/* ---- a FastCGI connection as the HTTP edge sees it --------------------------------- */

struct conn_io {
	struct http_io io;
	struct fcgi_conn *conn;
};

static struct fcgi_conn *conn_of(struct http_io *io)
{
	return ((struct conn_io *)io)->conn;
}

static const char *io_param(struct http_io *io, const char *name)
{
	return fcgi_param(conn_of(io), name);
}

static enum errcode io_body(struct http_io *io, struct buf *b, struct err *e)
{
	return fcgi_body(conn_of(io), b, e);
}

static enum errcode io_write(struct http_io *io, const char *p, size_t n)
{
	return fcgi_write(conn_of(io), p, n);
}

static enum errcode io_flush(struct http_io *io)
{
	return fcgi_flush(conn_of(io));
}

static bool io_gone(struct http_io *io)
{
	return fcgi_gone(conn_of(io));
}

static int io_fd(struct http_io *io)
{
	return fcgi_fd(conn_of(io));
}

static const struct http_io_ops conn_ops = {
	io_param, io_body, io_write, io_flush, io_gone, io_fd,
};

static void handle(struct fcgi_conn *c, void *arg)
{
	struct conn_io io = { { &conn_ops }, c };
	edge_serve(arg, &io.io);
}

/* ---- start and stop ---------------------------------------------------------------- */

static void usage(FILE *f)
{
	fputs("Usage: aviation-agent.fcgi [--listen unix:PATH | HOST:PORT]\n"
	    "\n"
	    "FastCGI worker of the aviation agent, for nginx or Apache in front of it.\n"
	    "Without --listen it serves the socket it inherits (systemd socket activation, or\n"
	    "descriptor 0 from spawn-fcgi, multiwatch, mod_fcgid, lighttpd), else the address in\n"
	    "AVIATION_AGENT_LISTEN.\n"
	    "\n"
	    "  --listen ADDR   make a socket of our own\n"
	    "  --mcp-test-fixtures   also serve what the conformance suite of the Model Context\n"
	    "                  Protocol wants to find; for tests only\n"
	    "  --version       print the version and end\n"
	    "  --help          print this and end\n"
	    "\n"
	    "SIGTERM lets running turns finish, a second one ends at once. All other settings come\n"
	    "from the environment: aviation-agent config --print\n", f);
}

/* What the command line asks for. */
struct start {
	const char *address;          /* NULL: as the settings say */
	bool mcp_fixtures;
};

/* -1: go on; else the exit status. */
static int options(int argc, char **argv, struct start *start)
{
	static const struct option longs[] = {
		{ "listen", required_argument, NULL, 'l' },
		{ "mcp-test-fixtures", no_argument, NULL, 'm' },
		{ "version", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "l:vh", longs, NULL)) != -1) {
		switch (c) {
		case 'l':
			start->address = optarg;
			break;
		case 'm':
			start->mcp_fixtures = true;
			break;
		case 'v':
			puts("aviation-agent " AGENT_VERSION);
			return 0;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return err_row(ERR_INPUT)->exit;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "aviation-agent.fcgi: unexpected argument: %s\n", argv[optind]);
		usage(stderr);
		return err_row(ERR_INPUT)->exit;
	}
	return -1;
}

static int failed(const char *doing, const struct err *e)
{
	log_msg(LOG_ERROR, "start", "%s: %s", doing, e->msg);
	return err_row(e->code)->exit;
}

/* If there are few descriptors, followers get a quarter of the threads at most. */
static void share_threads(struct edge *e, int threads)
{
	if (threads >= e->max_chats + e->max_followers)
		return;
	if (e->max_followers > threads / 4)
		e->max_followers = threads / 4;
	if (e->max_chats > threads - e->max_followers)
		e->max_chats = threads - e->max_followers;
}

static int work(const struct start *start)
{
	/* static, because threads that _exit() ends may still use it */
	static struct service service;
	static struct edge edge;
	static atomic_bool draining;
	struct fcgi *server = NULL;
	struct err e = { 0 };
	int64_t started = clock_mono_ms();
	bool cut_off = false;

	int status = 0;
	if (service_open(&service, "INFO", &e) != OK)
		return failed("settings", &e);
	const struct conf *conf = &service.conf;
	/* if there are few descriptors, a quarter of the threads is reserved for plain requests */
	int threads = fcgi_threads((int)(conf->max_chats + conf->max_followers + conf->reserved_threads));
	int reserved = (int)conf->reserved_threads < threads / 4 ? (int)conf->reserved_threads :
	    threads / 4;
	const struct fcgi_config config = {
		.listen = start->address != NULL ? start->address : conf->listen,
		.remote = conf->allow_remote,
		.backlog = BACKLOG,
		.threads_max = threads,
		.idle_ms = conf->thread_idle_s * 1000,
		.read_ms = conf->io_timeout_s * 1000,
		.body_max = (size_t)conf->max_body,
		.send_ms = conf->io_timeout_s * 1000,
		.grace_ms = conf->grace_s * 1000,
		.stop = &service.stop,
		.draining = &draining,
	};
	struct edge_parts parts = service_parts(&service);
	char host[64] = "", name[96];
	(void)gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), "%s:%ld", host, (long)getpid());
	parts.worker = name;
	parts.mcp_fixtures = start->mcp_fixtures;
	parts.draining = &draining;
	parts.desk = run_desk_open(service.store);
	parts.writer = run_writer_open(service.store);
	if (edge_init(&edge, &parts, &e) != OK) {
		status = failed("health", &e);
		goto out;
	}
	share_threads(&edge, threads - reserved);
	if (fcgi_open(&server, &config, &e) != OK) {
		status = failed("listen", &e);
		goto out;
	}
	log_msg(LOG_INFO, "ready", "version=%s pid=%ld ms=%lld", AGENT_VERSION, (long)getpid(),
	    (long long)(clock_mono_ms() - started));
	cut_off = fcgi_serve(server, handle, &edge, &e) != OK;
	log_msg(cut_off ? LOG_WARN : LOG_INFO, "stopped", "%s", cut_off ? e.msg : "all done");
	if (cut_off)
		_exit(err_row(e.code)->exit);      /* threads may still use what we would free */
out:
	fcgi_close(server);
	edge_release(&edge);
	run_writer_close(parts.writer);
	run_desk_close(parts.desk);
	service_close(&service);
	return status;
}

int main(int argc, char **argv)
{
	child_minder(argc, argv);
	struct start start = { .address = NULL };
	sigset_t set;

	int status = options(argc, argv, &start);
	if (status >= 0)
		return status;
	/* A thread waits most of its life, so more heaps would only take more memory. */
	(void)mallopt(M_ARENA_MAX, 4);
	fcgi_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* writing to a reader who left must give an error and not end the program */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);      /* so must writing at a file size limit */
	return work(&start);
}
