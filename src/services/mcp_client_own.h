/*
 * What the files of the MCP client share. No other file includes this.
 *
 *   mcp_servers.c    the setting: which servers there are
 *   mcp_pins.c       the file of accepted tools
 *   mcp_clean.c      text of strangers
 *   mcp_result.c     what a tool answered, bounded
 *   mcp_post.c       one exchange over HTTP
 *   mcp_child.c      one exchange with a child process
 *   mcp_words.c      what a child says on its standard error
 *   mcp_headers.c    arguments that are repeated in headers
 *   mcp_session.c    which era is spoken, and requests in a session
 *   mcp_client.c     lists, calls, and what is known of the tools
 */
#ifndef SERVICES_MCP_CLIENT_OWN_H
#define SERVICES_MCP_CLIENT_OWN_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "services/mcp_client.h"
#include "services/mcp_message.h"
#include "services/mcp_protocol.h"
#include "services/remote.h"

enum {
	MCP_REPLY_MAX = 2 * 1024 * 1024,      /* bytes of an answer */
	MCP_REPLY_VALUES = 100000,            /* values in it, as jsn_values() counts */
	MCP_KEY_BYTES = 200,
	MCP_SESSION_BYTES = 256,
	MCP_WORDS_MAX = 300,                  /* bytes of a line of a child's standard error */
};

/* ---- mcp_clean.c -------------------------------------------------------------------------- */

/* What a copy may hold. It is used up while copying. */
struct mcp_bounds {
	int depth;
	size_t values, text, bytes;   /* text: bytes of one text; bytes: of all */
	bool cut;                     /* something did not fit */
};
/* A cleaned copy of a tree, in the arena; NULL: there is no room at all. */
struct json_object *mcp_clean_json(struct arena *a, struct json_object *o, struct mcp_bounds *left);

/* ---- one exchange ---------------------------------------------------------------------------- */

/* A request, and the session in which it is sent. */
struct mcp_exchange {
	struct str id;                /* empty: a notification */
	const char *method, *name;    /* name: of the Mcp-Name header; NULL: none */
	const struct buf *body;
	const char *version;          /* of the protocol; NULL: not negotiated yet */
	bool modern;
	const char *session;          /* "": none */
	const char *const *mirrored;  /* headers with arguments, NULL at the end; NULL: none */
	const struct watch *watch;
	int64_t connect_ms, ms;
};

struct mcp_answer {
	int status;                   /* of HTTP; 0: not HTTP */
	bool answered;                /* `message` is the answer */
	struct mcp_message message;
	char session[MCP_SESSION_BYTES];      /* given with this answer; "": none */
};

/*
 * Over HTTP. *out: also where the answer is no message of the protocol (`answered` false). Requests of
 * the server that come with it are answered. ERR_UPSTREAM: cannot be reached, takes longer than `ms`,
 * or breaks a bound or the protocol. What the watch says is returned as it is, with *stopped. A stream
 * that breaks off is read on, where the server says how.
 */
enum errcode mcp_http_ask(struct httpc *http, const struct mcp_remote *s, struct arena *a,
    const struct mcp_exchange *x, struct mcp_answer *out, bool *stopped, struct err *e);
/* End a session: DELETE. Nobody waits for what comes of it. */
void mcp_http_leave(struct httpc *http, const struct mcp_remote *s, const char *version,
    const char *session);

/* With a child process. */
struct mcp_child;
struct mcp_child *mcp_child_new(const struct mcp_remote *s, const char *minder);
void mcp_child_free(struct mcp_child *io);    /* waits for the child's end; NULL is allowed */
/* Start the child if it does not run. *start: the number of the start: a session belongs to one. */
enum errcode mcp_child_start(struct mcp_child *io, int64_t *start, struct err *e);
/* The number of the start, if the child runs; 0: it does not. */
int64_t mcp_child_running(struct mcp_child *io);
void mcp_child_stop(struct mcp_child *io);    /* begin to end it, without waiting */
/* As mcp_http_ask(), with the child of this start. ERR_UPSTREAM too when it ends meanwhile. */
enum errcode mcp_child_ask(struct mcp_child *io, int64_t start, struct arena *a,
    const struct mcp_exchange *x, struct mcp_answer *out, bool *stopped, struct err *e);

/* ---- mcp_words.c -------------------------------------------------------------------------------- */

/* The standard error of one start of a child. Times are those of clock_mono_ms(). */
struct mcp_words {
	const char *server;           /* borrowed */
	struct buf line;              /* the last that says something, or its beginning */
	bool over;                    /* the next byte begins another line */
	int64_t since_ms;             /* since when lines are counted */
	int logged;
	size_t left_out;              /* lines that came after too many others */
};
void mcp_words_init(struct mcp_words *w, const char *server);
void mcp_words_release(struct mcp_words *w);
void mcp_words_take(struct mcp_words *w, const char *p, size_t n, int64_t now_ms);
/* The child has ended: its last line, in the arena. "": it said nothing. */
const char *mcp_words_last(struct mcp_words *w, struct arena *a, int64_t now_ms);

/* ---- messages (mcp_session.c) ---------------------------------------------------------------------- */

/* Parse a message that a server sent, within the bounds. ERR_UPSTREAM with the reason. */
enum errcode mcp_take_message(struct arena *a, const char *p, size_t n, struct mcp_message *m,
    struct err *e);
/* The answer to a request of a server: a pong, or that there is no such method. */
void mcp_answer_server(struct buf *b, const struct mcp_message *m);

/* ---- mcp_headers.c ---------------------------------------------------------------------------- */

/* Can the schema's "x-mcp-header" marks be obeyed? ERR_UPSTREAM with the reason. */
enum errcode mcp_headers_check(struct json_object *schema, struct err *e);
/* The headers for these arguments, NULL at the end. In the arena. */
const char *const *mcp_headers_of(struct arena *a, struct json_object *schema, struct json_object *args);

/* ---- mcp_result.c ------------------------------------------------------------------------------- */

/* What a tool answered, as an object of ours in the arena: see services/mcp_result.h. ERR_TOOL: it
 * says that it failed; ERR_UPSTREAM: it is no result. */
enum errcode mcp_result_make(struct json_object **out, struct arena *a, const struct mcp_remote *s,
    const struct mcp_pin *pin, struct json_object *result, struct err *e);

/* ---- mcp_session.c -------------------------------------------------------------------------------- */

struct mcp_client {
	const struct mcp_remote *server;
	const struct mcp_pins *pins;
	struct httpc *http;
	struct mcp_child *io;         /* NULL: it has an address */
	struct rest rest;
	_Atomic int64_t next_id;
	_Atomic int failed;           /* the last exchange failed */

	pthread_mutex_t lock;         /* guards all that follows */
	bool opening;                 /* a thread opens a session */
	bool open;
	bool modern;                  /* the era of the session; known once it was open */
	const char *version;          /* a literal of mcp_revisions; NULL: not known yet */
	char session[MCP_SESSION_BYTES];
	int64_t start;                /* of the child */
	int64_t listed_ms, fresh_ms;  /* when the tools were listed last (0: never), and how long that holds */
	bool listing;                 /* a thread is listing the tools before a call */
	enum mcp_tool_state *state;   /* of each pin */
};

/* Open a session unless one is open, until `until` (clock_mono_ms) at the latest. Codes as mcp_client_list(). */
enum errcode mcp_session_open(struct mcp_client *c, int64_t until, const struct watch *w, struct err *e);
void mcp_session_close(struct mcp_client *c);
/* One request in a session; sessions that the server has forgotten are opened again, once. */
enum errcode mcp_session_ask(struct mcp_client *c, const struct mcp_request *q, struct arena *a,
    const struct watch *w, struct json_object **result, int64_t *code, struct err *e);

#endif
