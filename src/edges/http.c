/*
 * Request and response. Web servers differ in what they call the path: nginx gives the whole
 * decoded path as SCRIPT_NAME, Apache splits it between SCRIPT_NAME and PATH_INFO, and with a
 * rewritten .htaccess SCRIPT_NAME is the program's own name and only REQUEST_URI is what the client
 * asked for. So a request carries every reading of the path, and the routes decide which one fits.
 */
#include "edges/http.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"
#include "edges/idempotency.h"
#include "services/mcp_protocol.h"
#include "services/store.h"

/* ---- request ----------------------------------------------------------------------- */

enum {
	PLAIN = 1,              /* no control characters */
	OPTIONAL = 2,           /* if it is too long it is ignored, because nothing depends on it */
};

static const struct {
	const char *param, *name;
	size_t max;
	unsigned flags;
} field_rows[FIELD__MAX] = {
	[FIELD_CONTENT_TYPE]   = { "CONTENT_TYPE", "Content-Type", HTTP_FIELD_MAX, 0 },
	[FIELD_CONTENT_LENGTH] = { "CONTENT_LENGTH", "Content-Length", HTTP_FIELD_MAX, 0 },
	[FIELD_HOST]           = { "HTTP_HOST", "Host", HTTP_FIELD_MAX, 0 },
	[FIELD_ORIGIN]         = { "HTTP_ORIGIN", "Origin", HTTP_FIELD_MAX, 0 },
	[FIELD_ACR_METHOD]     = { "HTTP_ACCESS_CONTROL_REQUEST_METHOD",
	    "Access-Control-Request-Method", HTTP_FIELD_MAX, 0 },
	[FIELD_ACR_HEADERS]    = { "HTTP_ACCESS_CONTROL_REQUEST_HEADERS",
	    "Access-Control-Request-Headers", HTTP_FIELD_MAX, 0 },
	[FIELD_STREAM_IDS]     = { "HTTP_X_STREAM_IDS", "X-Stream-Ids", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_LAST_EVENT_ID]  = { "HTTP_LAST_EVENT_ID", "Last-Event-ID", HTTP_FIELD_MAX, 0 },
	[FIELD_SESSION_ID]     = { "HTTP_X_SESSION_ID", "X-Session-ID", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_IDEMPOTENCY_KEY] = { "HTTP_IDEMPOTENCY_KEY", "Idempotency-Key", IDEMPOTENCY_KEY_MAX, PLAIN },
	[FIELD_IF_NONE_MATCH]  = { "HTTP_IF_NONE_MATCH", "If-None-Match", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_ACCEPT_LANGUAGE] = { "HTTP_ACCEPT_LANGUAGE", "Accept-Language", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_ACCEPT]         = { "HTTP_ACCEPT", "Accept", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_AUTHORIZATION]  = { "HTTP_AUTHORIZATION", "Authorization", HTTP_FIELD_MAX, OPTIONAL },
	[FIELD_MCP_REVISION]   = { "HTTP_MCP_PROTOCOL_VERSION", MCP_HEADER_REVISION, 64, 0 },
	[FIELD_MCP_METHOD]     = { "HTTP_MCP_METHOD", MCP_HEADER_METHOD, HTTP_FIELD_MAX, 0 },
	[FIELD_MCP_NAME]       = { "HTTP_MCP_NAME", MCP_HEADER_NAME, HTTP_FIELD_MAX, 0 },
	[FIELD_ADDRESS]        = { "REMOTE_ADDR", "The client's address", 64, OPTIONAL },
	[FIELD_USER]           = { "REMOTE_USER", "The user name", STORE_OWNER_MAX, PLAIN },
};

static const char *const method_names[HTTP_METHOD__MAX] = {
	[HTTP_GET] = "GET",
	[HTTP_HEAD] = "HEAD",
	[HTTP_POST] = "POST",
	[HTTP_DELETE] = "DELETE",
	[HTTP_PATCH] = "PATCH",
	[HTTP_OPTIONS] = "OPTIONS",
	[HTTP_OTHER] = "OTHER",
};

const char *http_method_name(enum http_method m)
{
	return method_names[m];
}

static enum http_method method_of(const char *name)
{
	for (int m = 0; m < HTTP_OTHER; m++)
		if (streq(name, method_names[m]))
			return (enum http_method)m;
	return HTTP_OTHER;
}

/* Decoded into the arena; NULL: an escape is broken, or means a NUL. */
static char *decode(struct arena *mem, const char *p, size_t n, bool plus)
{
	char *out = arena_alloc(mem, n + 1);
	return url_decode(out, n + 1, (struct str){ p, n }, plus) ? out : NULL;
}

static void add_path(struct http_req *r, const char *path)
{
	if (path == NULL || *path != '/' || strlen(path) > HTTP_PATH_MAX)
		return;
	for (size_t i = 0; i < r->npaths; i++)
		if (streq(r->path[i], path))
			return;
	r->path[r->npaths++] = path;
}

static const char *param(struct http_io *io, const char *name)
{
	const char *v = io->ops->param(io, name);
	return v != NULL ? v : "";
}

/* May this text be written to a log or used in a key? Bytes that are not UTF-8 count as Latin-1. */
static bool plain(const char *s)
{
	for (size_t left = strlen(s), len; left > 0; s += len, left -= len) {
		bool good;
		len = str_next(s, left, &good);
		if (!good && (len > 1 || (unsigned char)*s < 0xa0))
			return false;
	}
	return true;
}

static void refuse(struct http_req *r, int status, const char *why)
{
	if (r->refused == 0) {
		r->refused = status;
		r->why = why;
	}
}

/* A field that is too long is refused: without the user's name a request would be anonymous, and
 * without its type a body would count as JSON. */
static void read_field(struct http_req *r, int f, const char *name)
{
	const char *v = param(r->io, name);
	size_t n = strlen(v), max = field_rows[f].max;
	const unsigned flags = field_rows[f].flags;
	if (n > max && (flags & OPTIONAL) != 0)
		return;
	if (n > max)
		refuse(r, 431, arena_printf(r->mem, "%s is longer than %zu bytes.",
		    field_rows[f].name, max));
	else if ((flags & PLAIN) != 0 && !plain(v))
		refuse(r, 400, arena_printf(r->mem, "%s holds control characters.",
		    field_rows[f].name));
	else if (n > 0)
		r->field[f] = arena_strndup(r->mem, v, n);
}

/* The parameter of a header: X-Auth-User is HTTP_X_AUTH_USER. */
static const char *header_param(struct arena *mem, const char *header)
{
	char *name = arena_printf(mem, "HTTP_%s", header);

	str_upper(name);
	for (char *p = name; *p != '\0'; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

void http_req_read(struct http_req *r, struct http_io *io, struct arena *mem, const char *user_header)
{
	*r = (struct http_req){ .mem = mem, .io = io, .query = "" };
	r->started_us = clock_mono_us();
	r->method = method_of(io->ops->param(io, "REQUEST_METHOD"));

	for (int f = 0; f < FIELD__MAX; f++)
		read_field(r, f, f == FIELD_USER && user_header != NULL ? header_param(mem, user_header) :
		    field_rows[f].param);
	const char *query = param(io, "QUERY_STRING");
	r->query_cut = strlen(query) > HTTP_FIELD_MAX;
	if (!r->query_cut)
		r->query = arena_strdup(mem, query);

	const char *script = param(io, "SCRIPT_NAME"), *info = param(io, "PATH_INFO");
	const char *uri = param(io, "REQUEST_URI");
	size_t n = strcspn(uri, "?");
	if (strlen(script) + strlen(info) <= HTTP_PATH_MAX)
		add_path(r, arena_printf(mem, "%s%s", script, info));
	if (n <= 3 * HTTP_PATH_MAX)
		add_path(r, decode(mem, uri, n, false));
	if (strlen(info) <= HTTP_PATH_MAX)
		add_path(r, arena_strdup(mem, info));
}

static void release_buf(void *p)
{
	buf_release(p);
}

enum errcode http_req_body(struct http_req *r, size_t max, struct err *e)
{
	const char *announced = r->field[FIELD_CONTENT_LENGTH];
	long long length = -1;

	if (announced != NULL && (!str_to_int(announced, &length) || length < 0))
		return err_set(e, ERR_INPUT, "Content-Length is not a number");
	if (length > 0 && (unsigned long long)length > max)
		return err_set(e, ERR_TOOBIG, "body of %lld bytes, at most %zu", length, max);

	struct buf *b = arena_alloc(r->mem, sizeof(*b));
	buf_init(b, max);
	arena_defer(r->mem, release_buf, b);
	enum errcode rc = r->io->ops->body(r->io, b, e);
	if (rc != OK)
		return rc;
	if (length >= 0 && b->n < (size_t)length)
		return err_set(e, ERR_INPUT, "body ended after %zu of %lld bytes", b->n, length);
	r->body = (struct str){ b->p, b->n };
	r->content = b;
	return OK;
}

void http_req_drop_body(struct http_req *r)
{
	r->body = (struct str){ "", 0 };
	if (r->content != NULL)
		buf_release(r->content);
	r->content = NULL;
}

bool http_req_is_json(const struct http_req *r)
{
	const char *type = r->field[FIELD_CONTENT_TYPE];
	if (type == NULL)
		return true;
	static const char token[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	    "!#$%&'*+-.^_`|~";
	const size_t major = strlen("application/"), suffix = strlen("+json");
	struct str t = str_trim((struct str){ type, strcspn(type, ";") });
	if (t.n <= major || !str_ieq((struct str){ t.p, major }, "application/"))
		return false;
	t = (struct str){ t.p + major, t.n - major };
	if (strspn(t.p, token) < t.n)
		return false;
	return str_ieq(t, "json") || (t.n > suffix &&
	    str_ieq((struct str){ t.p + t.n - suffix, suffix }, "+json"));
}

static const char *decoded_or_raw(struct arena *mem, const char *p, size_t n)
{
	const char *text = decode(mem, p, n, true);
	return text != NULL ? text : arena_strndup(mem, p, n);
}

bool http_req_is_form(const struct http_req *r)
{
	static const char form[] = "application/x-www-form-urlencoded";
	const char *type = r->field[FIELD_CONTENT_TYPE];

	return type != NULL && str_ieq(str_trim((struct str){ type, strcspn(type, ";") }), form);
}

/* The first value of a name in "a=1&b=2". */
static const char *find_pair(struct arena *a, struct str pairs, const char *name)
{
	const size_t len = strlen(name);
	const char *end = pairs.p + pairs.n;

	for (const char *p = pairs.p; p < end;) {
		const char *amp = memchr(p, '&', (size_t)(end - p));
		const size_t n = (size_t)((amp != NULL ? amp : end) - p);
		if (n > len && p[len] == '=' && strncmp(p, name, len) == 0)
			return decoded_or_raw(a, p + len + 1, n - len - 1);
		p += n + 1;
	}
	return NULL;
}

const char *http_query(const struct http_req *r, const char *name)
{
	return find_pair(r->mem, str_of(r->query), name);
}

const char *http_form(const struct http_req *r, const char *name)
{
	return find_pair(r->mem, r->body, name);
}

/* ---- response ---------------------------------------------------------------------- */

static const struct {
	int status;
	const char *reason;
} reasons[] = {
	{ 200, "OK" },
	{ 201, "Created" },
	{ 202, "Accepted" },
	{ 204, "No Content" },
	{ 304, "Not Modified" },
	{ 307, "Temporary Redirect" },
	{ 400, "Bad Request" },
	{ 401, "Unauthorized" },
	{ 403, "Forbidden" },
	{ 404, "Not Found" },
	{ 405, "Method Not Allowed" },
	{ 406, "Not Acceptable" },
	{ 408, "Request Timeout" },
	{ 409, "Conflict" },
	{ 410, "Gone" },
	{ 413, "Content Too Large" },
	{ 414, "URI Too Long" },
	{ 415, "Unsupported Media Type" },
	{ 422, "Unprocessable Content" },
	{ 429, "Too Many Requests" },
	{ 431, "Request Header Fields Too Large" },
	{ 500, "Internal Server Error" },
	{ 502, "Bad Gateway" },
	{ 503, "Service Unavailable" },
	{ 504, "Gateway Timeout" },
};

/* On every response. A browser must not render, load or frame an API's answer. */
static const struct {
	const char *name, *value;
} security[] = {
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "X-XSS-Protection", "1; mode=block" },
	{ "Referrer-Policy", "strict-origin-when-cross-origin" },
	{ "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'" },
};

enum { HEAD_MAX = 16384 };

void http_res_init(struct http_res *w, struct http_io *io)
{
	*w = (struct http_res){ .io = io };
	buf_init(&w->head, HEAD_MAX);
}

void http_res_release(struct http_res *w)
{
	buf_release(&w->head);
}

static enum errcode out_of_order(const struct http_res *w, const char *call)
{
	static const char *const names[] = {
		[RES_HEAD] = "head", [RES_BODY] = "body", [RES_DONE] = "done" };
	log_msg(LOG_ERROR, "http", "%s in state %s", call, names[w->state]);
	return ERR_INTERNAL;
}

enum errcode http_field(struct http_res *w, const char *name, const char *value)
{
	if (w->state != RES_HEAD)
		return out_of_order(w, "field");
	for (const unsigned char *p = (const unsigned char *)value; *p != '\0'; p++)
		if (*p < 0x20 || *p == 0x7f) {
			log_msg(LOG_WARN, "http", "field %s dropped: control byte in it", name);
			return ERR_INPUT;
		}
	buf_printf(&w->head, "%s: %s\r\n", name, value);
	return OK;
}

enum errcode http_fieldf(struct http_res *w, const char *name, const char *fmt, ...)
{
	struct buf b;
	va_list ap;

	buf_init(&b, HTTP_FIELD_MAX);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	enum errcode rc = b.full ? ERR_TOOBIG : http_field(w, name, b.p);
	buf_release(&b);
	return rc;
}

static enum errcode sent(struct http_res *w, enum errcode rc)
{
	if (rc != OK)
		w->failed = true;
	return rc;
}

enum errcode http_begin(struct http_res *w, int status, const char *type, int64_t length)
{
	struct buf b;
	const char *reason = "";

	if (w->state != RES_HEAD)
		return out_of_order(w, "begin");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			reason = reasons[i].reason;
	buf_init(&b, 2 * HEAD_MAX);
	buf_printf(&b, "Status: %d %s\r\n", status, reason);
	if (type != NULL)
		buf_printf(&b, "Content-Type: %s\r\n", type);
	if (length >= 0)
		buf_printf(&b, "Content-Length: %lld\r\n", (long long)length);
	for (size_t i = 0; i < sizeof(security) / sizeof(security[0]); i++)
		buf_printf(&b, "%s: %s\r\n", security[i].name, security[i].value);
	buf_put(&b, w->head.p, w->head.n);
	buf_puts(&b, "\r\n");

	w->state = RES_BODY;
	w->status = status;
	enum errcode rc = sent(w, w->io->ops->write(w->io, b.p, b.n));
	buf_release(&b);
	return rc;
}

enum errcode http_put(struct http_res *w, const char *p, size_t n)
{
	if (w->state != RES_BODY)
		return out_of_order(w, "put");
	if (w->failed)
		return ERR_HUP;
	if (w->no_body)
		return OK;
	w->bytes += n;
	return sent(w, w->io->ops->write(w->io, p, n));
}

enum errcode http_flush(struct http_res *w)
{
	if (w->state != RES_BODY)
		return out_of_order(w, "flush");
	return w->failed ? ERR_HUP : sent(w, w->io->ops->flush(w->io));
}

enum errcode http_end(struct http_res *w)
{
	if (w->state != RES_BODY)
		return out_of_order(w, "end");
	w->state = RES_DONE;
	return w->failed ? ERR_HUP : OK;
}

bool http_gone(struct http_res *w)
{
	if (!w->failed)
		w->failed = w->io->ops->gone(w->io);
	return w->failed;
}

enum errcode http_json(struct http_res *w, int status, struct json_object *o)
{
	enum { ANSWER_MAX = 64 << 20 };
	struct buf b;

	buf_init(&b, ANSWER_MAX);
	jsn_print(&b, o, JSN_PLAIN);
	enum errcode rc = http_begin(w, status, "application/json", (int64_t)b.n);
	if (rc == OK)
		rc = http_put(w, b.p, b.n);
	if (rc == OK)
		rc = http_end(w);
	buf_release(&b);
	return rc;
}

/* The codes of typed refusals. */
static const struct {
	int status;
	const char *code;
} codes[] = {
	{ 400, "INVALID_FORMAT" },
	{ 401, "UNAUTHORIZED" },
	{ 403, "UNAUTHORIZED" },
	{ 404, "ACCESS_DENIED" },
	{ 408, "INVALID_FORMAT" },
	{ 409, "TURN_IN_PROGRESS" },
	{ 410, "GONE" },
	{ 413, "PAYLOAD_TOO_LARGE" },
	{ 414, "INVALID_FORMAT" },
	{ 415, "INVALID_FORMAT" },
	{ 422, "INVALID_FORMAT" },
	{ 429, "RATE_LIMITED" },
	{ 503, "UNAVAILABLE" },
};

static const char *code_of(int status)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].status == status)
			return codes[i].code;
	return "INTERNAL_ERROR";
}

enum errcode http_refuse(struct http_res *w, struct arena *a, int status, const char *code,
    const char *detail)
{
	struct json_object *o = jsn_object(a);

	if (w->typed) {
		jsn_add_str(o, "type", "error");
		jsn_add_str(o, "message", detail);
		jsn_add_str(o, "code", code != NULL ? code : code_of(status));
	} else {
		jsn_add_str(o, "detail", detail);
	}
	return http_json(w, status, o);
}

enum errcode http_detail(struct http_res *w, struct arena *a, int status, const char *detail)
{
	return http_refuse(w, a, status, NULL, detail);
}
