/*
 * Client of external MCP servers: tools of other people, for our agents.
 *
 * Everything that a server says is untrusted. So only tools that the operator allowed by name are
 * used, and only as they were when the operator accepted them: their names, texts and schemas come
 * from a file of pins, not from the server. The server is asked when a tool is first called, or when
 * its last list is old, and a tool that has changed meanwhile is refused. What a server answers is
 * bounded and cleaned, and is data.
 *
 * Both eras of the protocol are spoken: that of 2026-07-28, and that of `initialize` before it. A
 * server is reached by HTTP, or is a child process that a worker starts when it is first needed.
 * Every call runs under a watch, and a server that fails rests (services/remote.h).
 *
 * A client is used by all threads of the process.
 */
#ifndef SERVICES_MCP_CLIENT_H
#define SERVICES_MCP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/watch.h"
#include "drivers/httpc.h"

/* ---- which servers there are ---------------------------------------------------------- */

enum { MCP_SERVERS_MAX = 16, MCP_ALLOWED_MAX = 64 };

/* Which era of the protocol a server speaks. */
enum mcp_choice { MCP_CHOICE_AUTO, MCP_CHOICE_MODERN, MCP_CHOICE_LEGACY };

struct mcp_remote {
	const char *name;             /* 1 to 32 letters, digits, "-" and "_" */
	const char *url;              /* NULL: it is a program */
	const char *const *fields;    /* of each request, "Name: value", NULL at the end: its token too */
	const char *const *argv, *const *env;   /* of the program, NULL at the end */
	const char *dir;              /* its working directory; NULL: ours */
	enum mcp_choice era;          /* MCP_CHOICE_AUTO: it is found out */
	const char *const *allowed;   /* the names of its tools that may be used */
	size_t nallowed;
	int64_t connect_ms, list_ms, call_ms, idle_ms;
};

struct mcp_servers {
	struct mcp_remote *list;
	size_t n;
};

/*
 * Read the setting MCP_SERVERS: a JSON text, or the path of a file with one, which must belong to
 * this user or root and be writable by nobody else. NULL: no servers. All in the arena. ERR_CONFIG,
 * ERR_IO with the server, the member and what is expected.
 */
enum errcode mcp_servers_read(struct mcp_servers *out, struct arena *a, const char *setting,
    struct err *e);

/* ---- the tools that an operator accepted ------------------------------------------------ */

/* A tool as it was accepted. Texts are cleaned, see mcp_clean(). */
struct mcp_pin {
	const char *name, *title, *description;    /* title NULL: it has none */
	const char *schema, *output;               /* JSON; output NULL: it has none */
	char hash[65];                             /* of what the server said, as it said it */
};

struct mcp_pins {
	const char *server;
	struct mcp_pin *list;
	size_t n;
};

/* All pins of a file, or of no file where there is none. ERR_CONFIG, ERR_IO. */
enum errcode mcp_pins_read(struct mcp_pins **out, size_t *n, struct arena *a, const char *path,
    struct err *e);
enum errcode mcp_pins_write(const struct mcp_pins *list, size_t n, const char *path, struct err *e);
/* NULL: there is none */
const struct mcp_pins *mcp_pins_of(const struct mcp_pins *list, size_t n, const char *server);
const struct mcp_pin *mcp_pin_find(const struct mcp_pins *pins, const char *tool);

/* A tool of a list as a pin. ERR_UPSTREAM with the reason why it cannot be used: no name, too large,
 * or a schema that is not that of an object. */
enum errcode mcp_pin_make(struct mcp_pin *out, struct arena *a, struct json_object *tool,
    struct err *e);

/* ---- a client -------------------------------------------------------------------------- */

struct mcp_client;

struct mcp_client_config {
	const struct mcp_remote *server;
	const struct mcp_pins *pins;  /* NULL: none is accepted yet */
	struct httpc *http;           /* for a server with an address */
	const char *minder;           /* for a program: drivers/child.h */
};

/* Everything is borrowed and must outlive it. Nothing is asked or started yet. */
struct mcp_client *mcp_client_new(const struct mcp_client_config *c);
/* Begin to end its session and its program, without waiting: several can end at the same time. NULL is allowed; no
 * call may be running or follow. */
void mcp_client_stop(struct mcp_client *c);
/* The same, and wait for the end of the program. NULL is allowed. */
void mcp_client_free(struct mcp_client *c);

const struct mcp_remote *mcp_client_server(const struct mcp_client *c);
const struct mcp_pins *mcp_client_pins(const struct mcp_client *c);

enum mcp_tool_state {
	MCP_TOOL_UNSEEN,              /* the server was not asked yet */
	MCP_TOOL_SAME,                /* it is as it was accepted */
	MCP_TOOL_CHANGED,
	MCP_TOOL_MISSING,             /* the server has no such tool */
};

struct mcp_status {
	bool reached;                 /* a session was opened, and the last call did not fail */
	const char *version;          /* of the protocol; NULL: not known yet. A literal */
	int64_t rest_ms;              /* how long it still rests; 0: it does not */
	size_t same, changed, missing, unseen;    /* of the accepted tools */
};
struct mcp_status mcp_client_status(struct mcp_client *c);
enum mcp_tool_state mcp_client_tool_state(struct mcp_client *c, const struct mcp_pin *pin);
/* May the tool be offered? One that was missing or changed is offered again after a minute. The next call then looks at
 * the server's list before anything else. */
bool mcp_client_tool_ready(struct mcp_client *c, const struct mcp_pin *pin);

/* All its tools, as the server describes them: an array in the arena. ERR_UPSTREAM: it rests, cannot
 * be reached, or breaks the protocol or a bound. ERR_AUTH: it wants another token. All other codes
 * come from the watch. */
enum errcode mcp_client_list(struct mcp_client *c, struct arena *a, const struct watch *w,
    struct json_object **tools, struct err *e);

/* Call an accepted tool. *result: see services/mcp_result.h. ERR_TOOL: the tool says that it failed,
 * or the tool has changed; the message is for the user. Other codes as above. */
enum errcode mcp_client_call(struct mcp_client *c, const struct mcp_pin *pin, struct arena *a,
    struct json_object *args, const struct watch *w, struct json_object **result, struct err *e);

/* Any request of the protocol, such as "resources/read", in a session. name: the `Mcp-Name` of the
 * request; NULL: it has none. schema: of a tool, for its headers; NULL: none. *result: as the server
 * said it, in the arena. ERR_TOOL: the server answered with an error. Other codes as above. */
struct mcp_request {
	const char *method, *name;
	struct json_object *params, *schema;
	int64_t ms;                   /* it takes no longer, even if a session must be opened first */
};
enum errcode mcp_client_request(struct mcp_client *c, const struct mcp_request *q, struct arena *a,
    const struct watch *w, struct json_object **result, struct err *e);

/* ---- text of strangers ------------------------------------------------------------------ */

/* At most `max` bytes of a text without control characters (line ends and tabs stay), escape sequences
 * of terminals, and characters that cannot be seen or that turn the direction of a line. Not UTF-8:
 * repaired. */
char *mcp_clean(struct arena *a, const char *s, size_t n, size_t max);
/* The same for a message in one line: what has a meaning in Markdown or HTML is replaced too. */
char *mcp_clean_line(struct arena *a, const char *s, size_t n, size_t max);

#endif
