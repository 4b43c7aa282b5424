/*
 * aviation-agent mcp: the tools for an assistant on this machine, over standard input and output; and
 * aviation-agent mcp-token: who may use them over HTTP.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "edges/mcp.h"
#include "edges/mcp_tokens.h"
#include "mains/cli.h"
#include "mains/service.h"

/* Take standard output away from everything else: a stray line of a library would break the protocol. */
static int private_output(struct err *e)
{
	const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		err_set(e, ERR_IO, "mcp: standard output cannot be used (%s)", strerrordesc_np(errno));
		return -1;
	}
	return out;
}

int cli_mcp(int argc, char **argv)
{
	/* static, because a call that is cut off may still use it */
	static struct service s;
	const bool fixtures = argc == 2 && strcmp(argv[1], "--test-fixtures") == 0;
	struct mcp_stdio *io;
	struct err e = { 0 };
	int out;

	if (argc > 1 && !fixtures)
		return cli_usage("mcp takes no arguments: an assistant starts it and talks to it over standard input and "
		    "output");
	if ((out = private_output(&e)) < 0 || (io = mcp_stdio_start(STDIN_FILENO, out, &e)) == NULL
	    || service_open(&s, "WARNING", &e) != OK)
		return cli_fail(&e);
	struct edge_parts parts = service_parts(&s);
	parts.mcp_fixtures = fixtures;
	struct mcp_server *server = mcp_server_new(&parts, NULL);
	const enum errcode rc = mcp_stdio_serve(io, server, &e);
	if (rc == ERR_TIMEOUT)
		return cli_fail(&e);
	mcp_server_free(server);
	close(out);
	service_close(&s);
	return rc == OK ? 0 : cli_fail(&e);
}

/* ---- tokens --------------------------------------------------------------------------------------- */

struct tokens_call {
	struct arena *a;
	const char *path;
	struct err e;
	const char *name, *tools;
};

/* "a,b" as a list up to NULL; NULL: all tools. */
static const char *const *split(struct arena *a, const char *list)
{
	const char **out;
	struct str part;
	size_t n = 0;

	if (list == NULL)
		return NULL;
	out = arena_array(a, strlen(list) + 2, sizeof(*out));
	while (str_part(&list, ',', &part)) {
		part = str_trim(part);
		if (part.n > 0)
			out[n++] = arena_strndup(a, part.p, part.n);
	}
	return out;
}

static enum errcode add(struct tokens_call *c)
{
	const char *const *tools = split(c->a, c->tools);
	char token[MCP_TOKEN_SIZE];

	for (size_t i = 0; tools != NULL && tools[i] != NULL; i++)
		if (toolset_find(tools_builtin, tools[i]) == NULL && !streq(tools[i], "ask_aviation_agent"))
			return err_set(&c->e, ERR_INPUT, "there is no tool called %.64s: 'aviation-agent tools' lists them, and "
			    "ask_aviation_agent is the agent itself", tools[i]);
	enum errcode rc = mcp_tokens_add(c->path, c->name, tools, token, &c->e);
	if (rc == OK) {
		puts(token);
		fprintf(stderr, "This is the only time that the token is shown. Its caller sends it as: Authorization: Bearer "
		    "<token>\n");
	}
	explicit_bzero(token, sizeof(token));
	return rc;
}

static enum errcode list(struct tokens_call *c)
{
	struct mcp_token *tokens;
	size_t n;
	enum errcode rc = mcp_tokens_list(c->a, c->path, &tokens, &n, &c->e);

	for (size_t i = 0; rc == OK && i < n; i++) {
		printf("%s\t%s\t", tokens[i].name, tokens[i].made != NULL ? cli_plain(tokens[i].made) : "-");
		for (size_t k = 0; tokens[i].tools != NULL && tokens[i].tools[k] != NULL; k++)
			printf("%s%s", k > 0 ? "," : "", cli_plain(tokens[i].tools[k]));
		puts(tokens[i].tools == NULL ? "all tools" : "");
	}
	return rc;
}

static enum errcode drop(struct tokens_call *c)
{
	return mcp_tokens_remove(c->path, c->name, &c->e);
}

static const struct {
	const char *name;
	bool named;
	enum errcode (*run)(struct tokens_call *);
} verbs[] = {
	{ "add", true, add }, { "list", false, list }, { "remove", true, drop },
};

int cli_mcp_token(int argc, char **argv)
{
	static const struct option options[] = {
		{ "tools", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	struct tokens_call c = { .tools = NULL };
	struct conf conf;
	size_t v = 0;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt != 't')
			return EXIT_USAGE;
		c.tools = optarg;
	}
	argc -= optind;
	argv += optind;
	while (argc > 0 && v < sizeof(verbs) / sizeof(verbs[0]) && strcmp(verbs[v].name, argv[0]) != 0)
		v++;
	if (argc == 0 || v == sizeof(verbs) / sizeof(verbs[0]) || argc != 1 + verbs[v].named
	    || (c.tools != NULL && verbs[v].run != add))
		return cli_usage("mcp-token: expected: add [--tools A,B] NAME, list, or remove NAME");
	c.name = verbs[v].named ? argv[1] : NULL;
	c.a = arena_new();
	enum errcode rc = conf_load(&conf, c.a, &c.e);
	c.path = conf.mcp_tokens;
	if (rc == OK)
		rc = verbs[v].run(&c);
	const int status = rc == OK ? 0 : cli_fail(&c.e);
	arena_free(c.a);
	return status;
}
