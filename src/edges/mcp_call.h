/*
 * What the files of the MCP server share: one call, from a message to its answer.
 *
 * A transport (mcp_http.c, mcp_stdio.c) reads a message, finds out who sent it, and lends a line back to
 * the caller. mcp_answer() does the rest and leaves the answer in call->out.
 */
#ifndef EDGES_MCP_CALL_H
#define EDGES_MCP_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"
#include "base/watch.h"
#include "edges/edge.h"
#include "edges/mcp.h"
#include "services/mcp_message.h"
#include "tools/tool.h"

struct aviation_app;
struct mcp_call;
struct mcp_tokens;

enum {
	MCP_OUT_MAX = 8 << 20,        /* bytes of an answer */
	MCP_TEXT_MAX = 60 << 10,      /* bytes of a tool's result: clients refuse more than 25,000 tokens */
	MCP_LIST_TTL_MS = 300000,     /* how long clients may keep a list */
	MCP_VALUES_MAX = 50000,       /* of a request, see jsn_values(): more would cost too much time */
};

/* Who calls. */
struct mcp_caller {
	const char *counted;          /* whose calls are counted; NULL: they are not counted */
	const char *owner;            /* of the threads it makes; NULL: anybody who knows their ids */
	const char *const *tools;     /* the only tools it may use, up to NULL; NULL: all */
};

/* The way back to the caller while its call is carried out. */
struct mcp_line;
struct mcp_line_ops {
	/* May messages be sent before the answer? Begins the stream where that is needed. */
	bool (*open)(struct mcp_line *);
	/* Send a message of the call. ERR_HUP: nobody wants the answer any more. */
	enum errcode (*send)(struct mcp_line *, const struct buf *message);
	/* Show that the call is alive, if that is due; *ms: until it is due again. ERR_HUP as above. */
	enum errcode (*tick)(struct mcp_line *, int64_t *ms);
	/* Hangs up when nobody wants the answer any more; -1: it cannot be told so. */
	int (*fd)(struct mcp_line *);
};
struct mcp_line {
	const struct mcp_line_ops *ops;
};

/* The headers of an HTTP request that repeat what its body says; NULL: absent. */
struct mcp_headers {
	const char *revision, *method, *name;
};

struct mcp_call {
	struct mcp_server *server;
	struct arena *mem;
	const struct mcp_caller *caller;
	struct mcp_line *line;
	struct mcp_message msg;
	enum mcp_era era;
	int64_t until_ms;             /* when it must have ended (clock_mono_ms) */
	bool http;                    /* its transport has headers and statuses */
	int64_t progress;             /* how much was told of it */
	struct watch watch;           /* for whatever waits on its behalf */

	/* the answer */
	struct buf *out;              /* one message; empty: there is none */
	int status;                   /* of HTTP */
	int64_t retry_s;              /* when a limit was reached: when to try again; 0: none was */
	bool hup;                     /* nobody wants it any more */
};

/* A tool as this server shows it. */
struct mcp_tool {
	const struct tool *row;       /* name, arguments, domain */
	/* Write the answer to a call whose arguments were checked. */
	void (*run)(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args);
	bool slow;                    /* may wait for a model, so progress is told */
	const char *json;             /* its object in tools/list */
	const char *fixed;            /* of a fixture: its content */
};

struct mcp_server {
	struct arena *mem;
	struct edge_parts parts;
	struct edge *edge;            /* NULL: one caller alone */
	const struct agent_open *agent;       /* the aviation agent; NULL: it is not open */
	const struct aviation_app *app;
	struct mcp_tool *tools;
	size_t ntools;
	const char *list;             /* the objects of all tools, as a JSON array */
	struct mcp_tokens *tokens;
};

/* ---- a call (mcp_server.c) ------------------------------------------------------------ */

/* Read a message into the call. False: it is none, or costs too much to read. */
bool mcp_take(struct mcp_call *c, const char *p, size_t n, struct mcp_fault *fault);
/* Answer a message that was read. `h` NULL: the transport has no headers. With an empty c->out there is
 * nothing to send but the status. */
void mcp_answer(struct mcp_call *c, const struct mcp_headers *h);
/* The answer to a text that is no message. */
void mcp_answer_fault(struct mcp_call *c, const struct mcp_fault *f);

/* An answer that is an error. `data` may be NULL. */
void mcp_refuse(struct mcp_call *c, int status, int64_t code, const char *said, struct json_object *data);
/* MCP_INVALID_PARAMS with a sentence. */
void mcp_invalid(struct mcp_call *c, const char *said);
/* Every list here has one page. False: the caller asks for another one, and that was refused. */
bool mcp_one_page(struct mcp_call *c);
/* A result is written piece by piece: open, members with their values, close. */
void mcp_result_open(struct mcp_call *c);
void mcp_member(struct mcp_call *c, const char *name);
void mcp_member_json(struct mcp_call *c, const char *name, struct json_object *value);
void mcp_result_close(struct mcp_call *c);
/* The members of a result that clients may keep; `shared`: it is the same for every caller. */
void mcp_cacheable(struct mcp_call *c, bool shared);

/* Tell what is being done, if the caller asked for that and the line can carry it. */
void mcp_tell(struct mcp_call *c, const char *message);
void mcp_tell_of(struct mcp_call *c, int64_t progress, int64_t total, const char *message);
/* Has the caller declared this capability? Only in the modern era. */
bool mcp_declared(const struct mcp_call *c, const char *capability);

/* ---- the era (mcp_era.c) --------------------------------------------------------------- */

/* Find out what the message speaks, and check it against its headers. False: it was refused. */
bool mcp_era_find(struct mcp_call *c, const struct mcp_headers *h);

/* ---- methods ------------------------------------------------------------------------------ */

/* mcp_tools.c, mcp_shapes.c */
void mcp_tools_open(struct mcp_server *s);
void mcp_tools_list(struct mcp_call *c);
void mcp_tools_call(struct mcp_call *c);
const char *mcp_shape_of(const struct tool *t);       /* the schema of its results as JSON; NULL: not fixed */
/* The result of a tool: text, and the same as an object. Takes members out of `result`. */
void mcp_tool_result(struct mcp_call *c, struct json_object *result);
/* The call failed in a way that the caller can mend. */
void mcp_tool_failed(struct mcp_call *c, const char *said);
/* May the caller use the tool of this name? A token can be narrowed to some tools. */
bool mcp_may_use(const struct mcp_caller *caller, const char *name);
/* Count a call of the caller. False: there were too many within a minute, and that was told. */
bool mcp_count_call(struct mcp_call *c);
/* Run a tool of the table for this call. False: it failed, and that was told. */
bool mcp_tool_run(struct mcp_call *c, const struct tool *t, struct json_object *args, struct json_object **result,
    struct err *e);

/* The persona that a request gets which names none; NULL: none. */
const char *mcp_persona(const struct mcp_call *c);

/* mcp_ask.c: the agent as a tool. */
extern const struct tool mcp_ask_row;
void mcp_ask(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args);

/* mcp_prompts.c */
void mcp_prompts_list(struct mcp_call *c);
void mcp_prompts_get(struct mcp_call *c);
/* Texts that an argument of a prompt may have: which completion it takes; NULL: none. */
const char *mcp_prompt_kind(const char *prompt, const char *argument);

/* mcp_resources.c */
void mcp_resources_list(struct mcp_call *c);
void mcp_templates_list(struct mcp_call *c);
void mcp_resources_read(struct mcp_call *c);
void mcp_no_resource(struct mcp_call *c, const char *uri);
void mcp_complete(struct mcp_call *c);

/* mcp_fixtures.c: what the conformance suite of the protocol wants to find. Only with parts.mcp_fixtures. */
size_t mcp_fixture_tools(struct arena *a, struct mcp_tool **out);
bool mcp_fixture_prompt(struct mcp_call *c, const char *name, struct json_object *arguments);
bool mcp_fixture_resource(struct mcp_call *c, const char *uri);
void mcp_fixture_prompts(struct mcp_call *c);
void mcp_fixture_resources(struct mcp_call *c);
void mcp_fixture_templates(struct mcp_call *c);

#endif
