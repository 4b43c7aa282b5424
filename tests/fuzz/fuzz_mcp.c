/*
 * Fuzzer of the MCP server: what it reads, and what it answers to it, with and without headers. Every answer must be
 * one line that is JSON, and a message that our own reader takes for an answer.
 *
 *   make libagent.a CC=clang CFLAGS='-g -O1 -fsanitize=fuzzer-no-link,address,undefined'
 *   clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -include include/banned.h \
 *       -iquote include -iquote src $(pkg-config --cflags json-c) tests/fuzz/fuzz_mcp.c libagent.a \
 *       (the libraries of AGENT_LIBS in src/local.mk) -o fuzz_mcp
 *   ./fuzz_mcp -max_len=8192 -dict=tests/fuzz/mcp.dict CORPUS      (in the source tree)
 *
 * The first line of an input is the three headers, separated by tabs; "-" is an absent one, and "!" at its begin
 * means a transport without headers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/facts.h"
#include "edges/mcp_call.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The names of countries, from the source tree. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct err e;

	(void)argc;
	(void)argv;
	if (facts_open(".", &e) == OK)
		return 0;
	fprintf(stderr, "%s: run this in the source tree\n", e.msg);
	exit(2);
}

static bool no_stream(struct mcp_line *line) { (void)line; return false; }

static enum errcode no_send(struct mcp_line *line, const struct buf *message)
{
	(void)line;
	(void)message;
	return OK;
}

static enum errcode no_tick(struct mcp_line *line, int64_t *ms) { (void)line; *ms = 1000; return OK; }

static int no_fd(struct mcp_line *line) { (void)line; return -1; }

static void fail(const char *why, const struct buf *out)
{
	fprintf(stderr, "%s: %s\n", why, out->p);
	abort();
}

static const char *header(struct arena *a, struct str part)
{
	return str_eq(part, "-") ? NULL : arena_strndup(a, part.p, part.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct mcp_line_ops ops = { no_stream, no_send, no_tick, no_fd };
	static const struct conf conf = { .mcp_call_timeout_s = 1 };
	struct arena *a = arena_new();
	const struct edge_parts parts = { .conf = &conf, .mem = a };
	const struct mcp_caller caller = { .tools = NULL };
	struct mcp_line line = { &ops };
	struct mcp_server *server = mcp_server_new(&parts, NULL);
	const char *text = arena_strndup(a, (const char *)data, size), *end = memchr(text, '\n', size);
	const size_t head = end != NULL ? (size_t)(end - text) : 0;
	const char *fields = arena_strndup(a, text, head);
	struct mcp_headers h = { NULL, NULL, NULL };
	struct mcp_message again;
	struct mcp_fault fault;
	struct str part;
	struct buf out;

	if (str_part(&fields, '\t', &part))
		h.revision = header(a, part);
	if (str_part(&fields, '\t', &part))
		h.method = header(a, part);
	if (str_part(&fields, '\t', &part))
		h.name = header(a, part);
	buf_init(&out, MCP_OUT_MAX);
	struct mcp_call call = { .server = server, .mem = a, .caller = &caller, .line = &line, .out = &out };
	const char *body = end != NULL ? end + 1 : text;
	if (mcp_take(&call, body, size - (size_t)(body - text), &fault))
		mcp_answer(&call, *text == '!' ? NULL : &h);
	else
		mcp_answer_fault(&call, &fault);
	if (out.n > 0 && (memchr(out.p, '\n', out.n) != NULL || mcp_message_read(&again, a, out.p, out.n, &fault) != OK
	    || (again.kind != MCP_RESULT && again.kind != MCP_ERROR)))
		fail("a bad answer", &out);
	if (out.n == 0 && call.status != 202)
		fail("no answer", &out);
	buf_release(&out);
	mcp_server_free(server);
	arena_free(a);
	return 0;
}
