/*
 * Which era a server speaks, and requests in a session.
 *
 * The modern era has no session: what is remembered is only that the server speaks it. The legacy
 * era begins with `initialize`, and its session belongs to one start of a child, or has an id that
 * the server gave. A server that has forgotten it is greeted again, once.
 */
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "services/mcp_client_own.h"

enum { WAIT_MS = 20, PROBE_MS = 5000, CANCEL_MS = 1000, REQUEST_MAX = 1024 * 1024 };

/* What is known while a session is opened. */
struct opening {
	bool modern;
	const char *version;
	char session[MCP_SESSION_BYTES];
	int64_t start;
	int64_t until_ms;             /* when it must be open (clock_mono_ms) */
};

/* How long one exchange of an opening may take. Never 0, which would mean no limit. */
static int64_t left_ms(const struct mcp_client *c, const struct opening *s)
{
	const int64_t left = s->until_ms - clock_mono_ms();

	return left < 1 ? 1 : left < c->server->list_ms ? left : c->server->list_ms;
}

/* ---- messages ------------------------------------------------------------------------------ */

enum errcode mcp_take_message(struct arena *a, const char *p, size_t n, struct mcp_message *m,
    struct err *e)
{
	struct mcp_fault fault;

	if (n > MCP_REPLY_MAX || jsn_values(p, n) > MCP_REPLY_VALUES)
		return err_set(e, ERR_UPSTREAM, "its answer is too large");
	if (mcp_message_read(m, a, p, n, &fault) != OK)
		return err_set(e, ERR_UPSTREAM, "it sent something that is not a message of the protocol: %s", fault.said);
	return OK;
}

void mcp_answer_server(struct buf *b, const struct mcp_message *m)
{
	struct arena *a = arena_new();

	if (streq(m->method, MCP_PING))
		mcp_put_result(b, m->id, jsn_object(a));
	else
		mcp_put_error(b, m->id, MCP_NO_METHOD, "This client offers nothing to servers.", NULL);
	arena_free(a);
}

static struct json_object *who_we_are(void)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "name", "aviation-agent");
	jsn_add_str(o, "version", AGENT_VERSION);
	return o;
}

/* The params of a request, in the modern era with the envelope. */
static struct json_object *params_of(struct arena *a, struct json_object *params, const struct opening *s)
{
	struct json_object *o = jsn_object(a), *meta = jsn_new();

	JSN_EACH(params, it)
		jsn_add(o, it.key, jsn_ref(it.val));
	JSN_EACH(jsn_get(params, "_meta"), it)
		jsn_add(meta, it.key, jsn_ref(it.val));
	if (s->modern) {
		jsn_add_str(meta, MCP_KEY_REVISION, s->version);
		jsn_add(meta, MCP_KEY_CAPABILITIES, jsn_new());
		jsn_add(meta, MCP_KEY_CLIENT, who_we_are());
	}
	if (jsn_len(meta) > 0)
		jsn_add(o, "_meta", meta);
	else
		json_object_put(meta);
	return o;
}

/* ---- one exchange ---------------------------------------------------------------------------- */

/* id 0: a notification. */
static enum errcode exchange(struct mcp_client *c, const struct opening *s, const struct mcp_request *q,
    int64_t id, struct arena *a, const struct watch *w, struct mcp_answer *out, bool *stopped,
    struct err *e)
{
	struct json_object *params = params_of(a, q->params, s);
	struct buf body;
	struct mcp_exchange x = { .method = q->method, .name = q->name, .body = &body, .version = s->version,
		.modern = s->modern, .session = s->session, .watch = w, .connect_ms = c->server->connect_ms,
		.ms = q->ms, .id = id == 0 ? STR("") : str_of(arena_printf(a, "%lld", (long long)id)) };
	enum errcode rc;

	if (s->modern && q->schema != NULL)
		x.mirrored = mcp_headers_of(a, q->schema, jsn_get(q->params, "arguments"));
	buf_init(&body, REQUEST_MAX);
	mcp_put_request(&body, x.id, q->method, jsn_len(params) > 0 ? params : NULL);
	if (body.full)
		rc = err_set(e, ERR_INPUT, "the arguments are too large");
	else if (c->io != NULL)
		rc = mcp_child_ask(c->io, s->start, a, &x, out, stopped, e);
	else
		rc = mcp_http_ask(c->http, c->server, a, &x, out, stopped, e);
	buf_release(&body);
	return rc;
}

static int64_t new_id(struct mcp_client *c)
{
	return atomic_fetch_add(&c->next_id, 1) + 1;
}

/* Tell the server that nobody waits any more. Over HTTP in the modern era, the closed connection has
 * said so. */
static void cancel(struct mcp_client *c, const struct opening *s, int64_t id, struct arena *a)
{
	struct json_object *params = jsn_object(a);
	const struct mcp_request q = { .method = MCP_CANCELLED, .params = params, .ms = CANCEL_MS };
	struct mcp_answer out;
	struct err why;
	bool stopped;

	if (s->modern && c->io == NULL)
		return;
	jsn_add_int(params, "requestId", id);
	(void)exchange(c, s, &q, 0, a, NULL, &out, &stopped, &why);
}

/* What a status without a message means. */
static enum errcode refused(int status, struct err *e)
{
	if (status == 401 || status == 403)
		return err_set(e, ERR_AUTH, "it refused us (status %d): look at the token of this server in "
		    "MCP_SERVERS", status);
	if (status / 100 == 3)
		return err_set(e, ERR_UPSTREAM, "it has moved (status %d): put its new address into MCP_SERVERS",
		    status);
	return err_set(e, ERR_UPSTREAM, "HTTP status %d", status);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The newest revision of an era that both sides speak; NULL: there is none. */
static const char *mutual(struct json_object *list, enum mcp_era era)
{
	for (size_t i = 0; i < mcp_nrevisions; i++)
		for (size_t k = 0; mcp_revisions[i].era == era && k < jsn_len(list); k++)
			if (jsn_is(jsn_at(list, k), json_type_string) &&
			    streq(json_object_get_string(jsn_at(list, k)), mcp_revisions[i].name))
				return mcp_revisions[i].name;
	return NULL;
}

static enum errcode greet(struct mcp_client *c, struct opening *s, struct arena *a,
    const struct watch *w, bool *is_modern, struct err *e)
{
	struct json_object *params = jsn_object(a);
	const struct mcp_request hello = { .method = MCP_INITIALIZE, .params = params, .ms = left_ms(c, s) };
	struct mcp_answer out;
	bool stopped;

	*s = (struct opening){ .start = s->start, .until_ms = s->until_ms };
	jsn_add_str(params, "protocolVersion", MCP_NEWEST_LEGACY);
	jsn_add(params, "capabilities", jsn_new());
	jsn_add(params, "clientInfo", who_we_are());
	enum errcode rc = exchange(c, s, &hello, new_id(c), a, w, &out, &stopped, e);
	if (rc != OK)
		return rc;
	if (!out.answered)
		return refused(out.status, e);
	if (out.message.kind == MCP_ERROR) {
		*is_modern = out.message.code == MCP_BAD_REVISION &&
		    mutual(jsn_get(out.message.data, "supported"), MCP_MODERN) != NULL;
		return err_set(e, ERR_UPSTREAM, "it refused the session: %s",
		    mcp_clean_line(a, out.message.said, strlen(out.message.said), 200));
	}
	const struct mcp_revision *r =
	    mcp_revision_find(jsn_get_str(out.message.result, "protocolVersion", NULL));
	if (r == NULL || r->era != MCP_LEGACY)
		return err_set(e, ERR_UPSTREAM, "it and this program share no revision of the protocol");
	s->version = r->name;
	memcpy(s->session, out.session, sizeof(s->session));
	const struct mcp_request thanks = { .method = MCP_INITIALIZED, .ms = left_ms(c, s) };
	return exchange(c, s, &thanks, 0, a, w, &out, &stopped, e);
}

/* What the answer to the probe says. */
enum verdict { SPEAKS_MODERN, SPEAKS_LEGACY, SPEAKS_NEITHER, NO_VERDICT };

static enum verdict judge(const struct mcp_answer *out, const char **version)
{
	const struct mcp_message *m = &out->message;
	struct json_object *list;

	if (!out->answered)
		return out->status / 100 == 4 && out->status != 401 && out->status != 403 ? SPEAKS_LEGACY : NO_VERDICT;
	if (m->kind == MCP_ERROR && m->code != MCP_BAD_REVISION)
		return out->status == 401 || out->status == 403 || out->status >= 500 ? NO_VERDICT : SPEAKS_LEGACY;
	list = m->kind == MCP_ERROR ? jsn_get(m->data, "supported") : jsn_get(m->result, "supportedVersions");
	*version = mutual(list, MCP_MODERN);
	if (*version != NULL)
		return SPEAKS_MODERN;
	return m->kind == MCP_RESULT || mutual(list, MCP_LEGACY) != NULL ? SPEAKS_LEGACY : SPEAKS_NEITHER;
}

/* A child may be silent, or end, when it sees the probe: then it is of the legacy era, and half of the time is left
 * to greet it. */
static enum errcode probe(struct mcp_client *c, struct opening *s, struct arena *a,
    const struct watch *w, enum verdict *verdict, struct err *e)
{
	const int64_t left = left_ms(c, s), half = left / 2 + 1;
	const struct mcp_request q = { .method = MCP_DISCOVER,
		.ms = c->io == NULL ? left : half < PROBE_MS ? half : PROBE_MS };
	struct mcp_answer out;
	bool stopped = false;

	*s = (struct opening){ .modern = true, .version = MCP_NEWEST_MODERN, .start = s->start, .until_ms = s->until_ms };
	enum errcode rc = exchange(c, s, &q, new_id(c), a, w, &out, &stopped, e);
	if (rc == ERR_UPSTREAM && !stopped && c->io != NULL) {
		*verdict = SPEAKS_LEGACY;
		return mcp_child_start(c->io, &s->start, e);
	}
	if (rc != OK)
		return rc;
	*verdict = judge(&out, &s->version);
	if (*verdict == NO_VERDICT)
		return refused(out.status, e);
	return *verdict == SPEAKS_NEITHER ? err_set(e, ERR_UPSTREAM,
	    "it and this program share no revision of the protocol") : OK;
}

/* `known`: what it spoke the last time; NULL: nothing is known. */
static enum errcode open_now(struct mcp_client *c, struct opening *s, const char *known, bool known_modern,
    struct arena *a, const struct watch *w, struct err *e)
{
	enum verdict verdict = SPEAKS_LEGACY;
	enum errcode rc = OK;
	bool is_modern = false;

	if (c->io != NULL)
		rc = mcp_child_start(c->io, &s->start, e);
	if (rc != OK)
		return rc;
	if (c->server->era == MCP_CHOICE_MODERN || (known != NULL && known_modern)) {
		s->modern = true;
		s->version = known != NULL ? known : MCP_NEWEST_MODERN;
		return OK;
	}
	if (c->server->era == MCP_CHOICE_AUTO && known == NULL)
		rc = probe(c, s, a, w, &verdict, e);
	if (rc != OK || verdict == SPEAKS_MODERN)
		return rc;
	rc = greet(c, s, a, w, &is_modern, e);
	if (rc != ERR_UPSTREAM || !is_modern)
		return rc;
	*s = (struct opening){ .modern = true, .version = MCP_NEWEST_MODERN, .start = s->start };
	return OK;
}

static bool is_open(struct mcp_client *c)
{
	return c->open && (c->io == NULL || mcp_child_running(c->io) == c->start);
}

enum errcode mcp_session_open(struct mcp_client *c, int64_t until, const struct watch *w, struct err *e)
{
	struct opening s = { .until_ms = until };
	enum errcode rc = OK;

	pthread_mutex_lock(&c->lock);
	while (c->opening) {
		pthread_mutex_unlock(&c->lock);
		if ((rc = watch_sleep(w, WAIT_MS)) != OK)
			return err_set(e, rc, "stopped while another turn connects");
		if (clock_mono_ms() >= until)
			return err_set(e, ERR_UPSTREAM, "another turn still connects to it");
		pthread_mutex_lock(&c->lock);
	}
	if (is_open(c)) {
		pthread_mutex_unlock(&c->lock);
		return OK;
	}
	c->opening = true;
	const char *known = c->version;
	const bool modern = c->modern;
	pthread_mutex_unlock(&c->lock);

	struct arena *a = arena_new();
	rc = open_now(c, &s, known, modern, a, w, e);
	arena_free(a);

	pthread_mutex_lock(&c->lock);
	c->opening = false;
	c->open = rc == OK;
	c->version = rc == OK ? s.version : NULL;
	c->modern = s.modern;
	c->start = s.start;
	memcpy(c->session, s.session, sizeof(c->session));
	pthread_mutex_unlock(&c->lock);
	if (rc == OK && known == NULL)
		log_msg(LOG_INFO, "mcp_session", "server=%s revision=%s", c->server->name, s.version);
	return rc;
}

static void snapshot(struct mcp_client *c, struct opening *s)
{
	pthread_mutex_lock(&c->lock);
	*s = (struct opening){ .modern = c->modern, .version = c->version, .start = c->start };
	memcpy(s->session, c->session, sizeof(s->session));
	pthread_mutex_unlock(&c->lock);
}

/* Forget this session, and what the server speaks. */
static void forget(struct mcp_client *c, const struct opening *s)
{
	pthread_mutex_lock(&c->lock);
	if (!c->opening && c->start == s->start && streq(c->session, s->session)) {
		c->open = false;
		c->version = NULL;
	}
	pthread_mutex_unlock(&c->lock);
}

void mcp_session_close(struct mcp_client *c)
{
	struct opening s;

	snapshot(c, &s);
	if (c->open && c->io == NULL && s.session[0] != '\0')
		mcp_http_leave(c->http, c->server, s.version, s.session);
	c->open = false;
}

/* ---- requests in a session ---------------------------------------------------------------------- */

static enum errcode take_result(struct arena *a, const struct mcp_answer *out, struct json_object **result,
    int64_t *code, struct err *e)
{
	const struct mcp_message *m = &out->message;
	const char *type;

	if (!out->answered)
		return refused(out->status, e);
	if (m->kind == MCP_ERROR) {
		*code = m->code;
		if (out->status == 401 || out->status == 403)
			return refused(out->status, e);
		return err_set(e, ERR_TOOL, "%s", mcp_clean_line(a, m->said, strlen(m->said), 300));
	}
	type = jsn_get_str(m->result, "resultType", "complete");
	if (streq(type, "input_required"))
		return err_set(e, ERR_TOOL, "it asks for something that this agent cannot give");
	if (!streq(type, "complete"))
		return err_set(e, ERR_UPSTREAM, "its result is of a kind that we do not know");
	*result = m->result;
	return OK;
}

/* Did the server refuse because it does not know this session, or does not speak this revision? Then
 * the request was not carried out. */
static bool is_stale(const struct opening *s, const struct mcp_answer *out)
{
	const bool error = out->answered && out->message.kind == MCP_ERROR;

	if (error && out->message.code == MCP_BAD_REVISION)
		return true;
	if (s->modern)
		return (out->status == 404 || out->status == 400 || out->status == 0) && error &&
		    (out->message.code == MCP_INVALID_REQUEST || (out->message.code == -32000));
	return (out->status == 404 || out->status == 400) && (s->session[0] != '\0' || !error);
}

enum errcode mcp_session_ask(struct mcp_client *c, const struct mcp_request *q, struct arena *a,
    const struct watch *w, struct json_object **result, int64_t *code, struct err *e)
{
	const int64_t until = clock_mono_ms() + q->ms;
	enum errcode rc = OK;

	*code = 0;
	for (int try = 0; try < 2; try++) {
		struct opening s;
		struct mcp_answer out;
		const int64_t id = new_id(c);
		bool stopped = false;
		rc = mcp_session_open(c, until, w, e);
		if (rc != OK)
			return rc;
		snapshot(c, &s);
		struct mcp_request now = *q;
		now.ms = until - clock_mono_ms();
		if (now.ms <= 0)
			return err_set(e, ERR_UPSTREAM, "no answer within %lld s", (long long)(q->ms / 1000));
		rc = exchange(c, &s, &now, id, a, w, &out, &stopped, e);
		if (rc == ERR_UPSTREAM && c->io != NULL && mcp_child_running(c->io) != s.start)
			return rc;
		/* it may still be at work */
		if (rc != OK && (stopped || clock_mono_ms() >= until))
			cancel(c, &s, id, a);
		if (rc != OK)
			return rc;
		if (try > 0 || !is_stale(&s, &out))
			return take_result(a, &out, result, code, e);
		forget(c, &s);
	}
	return rc;
}
