/*
 * HTTP as handlers see it: a typed request in, one response out.
 *
 * Both use a struct http_io, which is a FastCGI connection in the worker and memory in tests. A
 * response is a checked sequence: fields, then http_begin(), then content, then http_end(). A call
 * out of order is refused (ERR_INTERNAL) and logged, so that a mistake cannot corrupt what the
 * client reads.
 */
#ifndef EDGES_HTTP_H
#define EDGES_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"

struct http_io;

struct http_io_ops {
	const char *(*param)(struct http_io *, const char *name);      /* CGI parameter or NULL */
	/* Append the body: ERR_TOOBIG over b->max, ERR_TIMEOUT, ERR_HUP. */
	enum errcode (*body)(struct http_io *, struct buf *b, struct err *e);
	enum errcode (*write)(struct http_io *, const char *p, size_t n);   /* OK or ERR_HUP */
	enum errcode (*flush)(struct http_io *);
	bool (*gone)(struct http_io *);
	int (*fd)(struct http_io *);                                   /* -1: none */
};
struct http_io {
	const struct http_io_ops *ops;
};

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_DELETE, HTTP_PATCH, HTTP_OPTIONS, HTTP_OTHER, HTTP_METHOD__MAX };

/* The fields of a request that the handlers use. */
enum http_field {
	FIELD_CONTENT_TYPE,
	FIELD_CONTENT_LENGTH,
	FIELD_HOST,
	FIELD_ORIGIN,
	FIELD_ACR_METHOD,       /* Access-Control-Request-Method */
	FIELD_ACR_HEADERS,
	FIELD_SESSION_ID,       /* X-Session-ID */
	FIELD_STREAM_IDS,       /* X-Stream-Ids */
	FIELD_LAST_EVENT_ID,
	FIELD_IDEMPOTENCY_KEY,
	FIELD_IF_NONE_MATCH,
	FIELD_ACCEPT_LANGUAGE,
	FIELD_ACCEPT,
	FIELD_AUTHORIZATION,
	FIELD_MCP_REVISION,     /* MCP-Protocol-Version */
	FIELD_MCP_METHOD,       /* Mcp-Method */
	FIELD_MCP_NAME,         /* Mcp-Name */
	FIELD_ADDRESS,          /* REMOTE_ADDR: of the client, as the web server sees it */
	/* REMOTE_USER, or the header that the settings name: set by the web server, never taken from the
	 * client */
	FIELD_USER,
	FIELD__MAX
};

enum { HTTP_PATHS = 3, HTTP_PATH_MAX = 1024, HTTP_FIELD_MAX = 4096 };

/* Everything here is in the arena. */
struct http_req {
	struct arena *mem;
	struct http_io *io;
	enum http_method method;
	const char *field[FIELD__MAX];       /* NULL: absent or empty; X-Session-ID also when too long */
	int refused;                         /* status to answer when a field is not acceptable; else 0 */
	const char *why;                     /* … and the message for the client */
	/* what the web server calls the path, the best reading first */
	const char *path[HTTP_PATHS];
	size_t npaths;
	/* the texts in place of "{…}" in the route's path; "": it has none */
	const char *arg, *arg2;
	const char *query;                   /* raw, "" when there is none or it was cut off */
	bool query_cut;                      /* it has more than HTTP_FIELD_MAX bytes */
	struct str body;                     /* after http_req_body() */
	struct buf *content;                 /* … where it is kept */
	int64_t started_us;
};

/* Read the parameters. user_header: the header that names the user; NULL: REMOTE_USER names the user. */
void http_req_read(struct http_req *r, struct http_io *io, struct arena *mem, const char *user_header);
/* Read the body. ERR_TOOBIG: over `max`; ERR_INPUT: shorter than announced; ERR_TIMEOUT;
 * ERR_HUP. */
enum errcode http_req_body(struct http_req *r, size_t max, struct err *e);
/* Free the body's memory before the request ends. */
void http_req_drop_body(struct http_req *r);
/* Is the body JSON, by its Content-Type? Also true if there is no Content-Type. */
bool http_req_is_json(const struct http_req *r);
/* Is it a form? */
bool http_req_is_form(const struct http_req *r);
/* A field of the form in the body; as http_query(). */
const char *http_form(const struct http_req *r, const char *name);
/* A query parameter, decoded, in the arena; NULL: absent. A broken escape, or one that means a NUL, leaves the
 * value as it was sent, so that the check of the value refuses it. */
const char *http_query(const struct http_req *r, const char *name);
const char *http_method_name(enum http_method m);

enum http_state { RES_HEAD, RES_BODY, RES_DONE };

struct http_res {
	struct http_io *io;
	enum http_state state;
	struct buf head;
	int status;               /* 0 until begun */
	bool no_body;             /* HEAD: the same fields, no content */
	/* refusals look like the events of a turn: {"type": "error", "message", "code"} */
	bool typed;
	bool failed;              /* the reader has gone */
	uint64_t bytes;           /* bytes of content */
};

enum { HTTP_LENGTH_UNKNOWN = -1 };

void http_res_init(struct http_res *w, struct http_io *io);
void http_res_release(struct http_res *w);
/* Add a field. A value with control bytes is dropped and logged. */
enum errcode http_field(struct http_res *w, const char *name, const char *value);
/* The same with a format. ERR_TOOBIG: longer than HTTP_FIELD_MAX, and nothing was added. */
enum errcode http_fieldf(struct http_res *w, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Send the status line and the fields, the security fields too. type NULL: no content follows. */
enum errcode http_begin(struct http_res *w, int status, const char *type, int64_t length);
enum errcode http_put(struct http_res *w, const char *p, size_t n);
enum errcode http_flush(struct http_res *w);
enum errcode http_end(struct http_res *w);
bool http_gone(struct http_res *w);

/* Whole responses. */
enum errcode http_json(struct http_res *w, int status, struct json_object *o);
/* A refusal: {"detail": "…"}; if w->typed, {"type": "error", "message", "code"} with the code of the status. */
enum errcode http_detail(struct http_res *w, struct arena *a, int status, const char *detail);
/* The same with a code of its own, which only a typed refusal shows. */
enum errcode http_refuse(struct http_res *w, struct arena *a, int status, const char *code,
    const char *detail);

#endif
