/*
 * aviation-agent-ws: the WebSocket gateway. It holds no conversation and no model; it turns frames
 * into HTTP requests to the site's own nginx.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/httpc.h"
#include "gateway/server.h"

static int fail(const struct err *e)
{
	fprintf(stderr, "aviation-agent-ws: %s\n", e->msg);
	return err_row(e->code)->exit;
}

static enum errcode settings(struct conf *c, struct arena *a, struct err *e)
{
	enum errcode rc = conf_load(c, a, e);
	if (rc == OK && c->log_level != NULL && !log_level_set(c->log_level))
		rc = err_set(e, ERR_CONFIG, "LOG_LEVEL: \"%.40s\" is not DEBUG, INFO, WARNING, ERROR or OFF",
		    c->log_level);
	return rc;
}

static enum errcode run(const struct conf *c, struct err *e)
{
	struct server_config s = { .listen = c->ws_listen, .origins = c->ws_origins,
		.max_sockets = c->ws_max_sockets, .relay = { .upstream = c->ws_upstream } };
	const struct httpc_config http = { .ca_file = c->ca_file };
	enum errcode rc = httpc_open(&s.relay.http, &http, e);
	if (rc == OK)
		rc = server_run(&s, e);
	httpc_close(s.relay.http);
	return rc;
}

int main(int argc, char **argv)
{
	/* it calls only the site that it belongs to */
	static const char *const proxies[] = { "http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY" };
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	if (argc > 1 && streq(argv[1], "--version")) {
		printf("aviation-agent-ws %s\n", AGENT_VERSION);
		return 0;
	}
	if (argc > 1) {
		printf("Usage: aviation-agent-ws [--version]\n\nSettings come from the environment: see "
		    "'aviation-agent config --print', AVIATION_AGENT_WS_…\n");
		return streq(argv[1], "--help") ? 0 : 2;
	}
	for (size_t i = 0; i < sizeof(proxies) / sizeof(proxies[0]); i++)
		unsetenv(proxies[i]);
	signal(SIGPIPE, SIG_IGN);
	enum errcode rc = settings(&c, a, &e);
	if (rc == OK)
		rc = run(&c, &e);
	arena_free(a);
	return rc == OK ? 0 : fail(&e);
}
