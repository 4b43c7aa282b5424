/*
 * One attempt: a request, what the server makes of it, and what that means.
 *
 * An attempt may ask more than once. When the server names a parameter it does not take, the
 * request goes out again without it, at once; what was left out is remembered for that model when
 * the server accepts the rest, so a wrong guess costs one request and no more.
 */
#include "services/llm_openai.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/fcgi_pool.h"
#include "services/llm_openai_fault.h"
#include "services/llm_openai_reply.h"
#include "services/llm_openai_request.h"
#include "services/tokens.h"

enum {
	REFUSAL_MAX = 64 * 1024,       /* of the body of an error: more than any needs */
	PIECE_MAX = 128 * 1024,        /* more than libcurl hands over at once */
	VECTOR_MAX = 128 * 1024,       /* of JSON: some 5,000 numbers */
	LINGER_MS = 1000,              /* how long a reply that is over may keep its connection open */
};

struct llm_openai {
	struct llm_provider provider;  /* first */
	struct httpc *http;
	struct arena *mem;
	const char *key;
	const char *chat_url, *embed_url, *host;
	const char *fields[8];         /* besides Accept; NULL at the end */
	size_t nfields;
	int64_t connect_ms, idle_ms, total_ms;
	size_t max_reply;
	struct openai_memory memory;
};

/* -- one request -- */

struct exchange {
	struct llm_openai *o;
	const char *model;
	struct openai_reply *reply;    /* takes the body; NULL: it is collected */
	struct buf *question;          /* what is asked; freed when nobody needs it any more */
	struct buf body;               /* collected, or of a refusal */
	bool ours;                     /* we ended it, not the watch */
	const struct watch *watch;     /* the caller's; may be NULL */
	int64_t finished_ms;           /* when the reply was over; 0: it is not */
	struct httpc_head head;
	struct openai_error *error;    /* of a refusal: the reply's, if there is one */
};

static enum errcode reader_ended(enum errcode rc, struct err *e)
{
	return err_set(e, rc, "the reader of the reply ended it (%s)", err_row(rc)->name);
}

static enum errcode take_body(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct exchange *x = arg;
	enum errcode rc = OK;
	if (head->status / 100 == 2 && x->reply != NULL) {
		if (head->uploaded)
			buf_release(x->question);
		rc = openai_reply_feed(x->reply, head->type, p, n);
		x->ours = rc != OK && x->reply->verdict != OPENAI_STOPPED;
		if (rc != OK && !x->ours)
			reader_ended(rc, e);
	} else {
		if (head->status / 100 != 2)
			x->body.max = REFUSAL_MAX;
		buf_put(&x->body, p, n);
		if (x->body.full)
			rc = ERR_UPSTREAM;
		x->ours = rc != OK;
	}
	return rc;
}

/*
 * The caller's watch, and one of our own: a server may send the last word and not close the
 * stream. A moment is granted, since a connection that ends well can be used again; then
 * the reader is not kept waiting.
 */
static enum errcode look_after(void *arg, int64_t *ms)
{
	struct exchange *x = arg;
	*ms = LINGER_MS;
	enum errcode rc = x->watch == NULL || x->watch->check == NULL ? OK :
	    x->watch->check(x->watch->arg, ms);
	if (rc != OK || x->reply == NULL || !x->reply->finished)
		return rc;
	int64_t now = clock_mono_ms();
	if (x->finished_ms == 0)
		x->finished_ms = now;
	int64_t left = x->finished_ms + LINGER_MS - now;
	x->ours = left <= 0;
	if (left < *ms)
		*ms = left > 0 ? left : 1;
	return x->ours ? ERR_UPSTREAM : OK;
}

/* The server's words, for someone who is looking for a fault; without the key, nor the part of
 * one where they were cut. */
static void log_words(const struct exchange *x)
{
	char words[sizeof(x->error->message)];
	const char *key = x->o->key, *p = x->error->message, *end = p + strlen(p);
	size_t n = 0;
	if (!log_enabled(LOG_DEBUG) || p == end)
		return;
	while (p < end) {
		size_t left = (size_t)(end - p), len = key == NULL ? 0 : strlen(key);
		if (len > left)
			len = left;
		bool is_key = len > 0 && memcmp(p, key, len) == 0;
		words[n++] = is_key ? '*' : *p;
		p += is_key ? len : 1;
	}
	words[n] = '\0';
	log_msg(LOG_DEBUG, "llm_refused", "model=%.64s host=%s status=%d words=\"%s\"", x->model,
	    x->o->host, x->head.status, words);
}

/* No reply came of it: say why. */
static enum errcode failure(const struct exchange *x, enum openai_verdict verdict,
    struct llm_fault *fault, struct err *e)
{
	const struct openai_failure f = { .host = x->o->host, .key = x->o->key,
		.status = x->head.status, .html = streq(x->head.type, "text/html"),
		.retry_after_ms = x->head.retry_after_ms, .max_reply = x->o->max_reply,
		.verdict = verdict, .error = x->error };
	return openai_failure(&f, fault, e);
}

/* The connection failed, or took too long. */
static enum errcode transport_failure(enum errcode rc, const char *why, struct llm_fault *fault,
    struct err *e)
{
	fault->outage = rc == ERR_UPSTREAM || rc == ERR_TIMEOUT;
	/* a time-out has taken its share of the turn already */
	fault->retry = rc == ERR_UPSTREAM || rc == ERR_IO;
	return err_set(e, ERR_UPSTREAM, "OPENAI_BASE_URL: %s%s", why,
	    rc == ERR_UPSTREAM ? "; are address and scheme right, is the server up, is there a proxy "
	    "(https_proxy, http_proxy)?" : rc == ERR_TIMEOUT ? "; limits: request_timeout, AVIATION_AGENT_LLM_CONNECT_MS, "
	    "_FIRST_MS, _IDLE_MS, _CALL_MS" : "");
}

/*
 * Send a body and take the reply. OK: it is there. ERR_UPSTREAM with the fault; *refused: the
 * server took the request amiss, x->error says how. Codes of the watch and of the reply's reader.
 */
static enum errcode exchange(struct exchange *x, const char *url, const struct buf *body,
    bool stream, int64_t first_ms, const struct watch *w, struct llm_fault *fault,
    bool *refused, struct err *e)
{
	struct llm_openai *o = x->o;
	struct err why = { 0 };
	const char *fields[sizeof(o->fields) / sizeof(o->fields[0]) + 1];
	memcpy(fields, o->fields, sizeof(o->fields));
	fields[o->nfields] = stream ? "Accept: text/event-stream" : "Accept: application/json";
	fields[o->nfields + 1] = NULL;
	const struct httpc_request req = {
		.url = url, .fields = fields, .body = body->p, .nbody = body->n,
		.connect_ms = o->connect_ms, .first_ms = first_ms, .idle_ms = o->idle_ms,
		.total_ms = o->total_ms,
		/* the limit is kept here, where it can be told from other ends: so one piece more */
		.max_bytes = (x->reply != NULL ? x->reply->max : x->body.max) + PIECE_MAX,
	};
	*fault = (struct llm_fault){ .retry_after_ms = -1 };
	*refused = false;
	const struct watch ours = { w == NULL ? -1 : w->fd, look_after, x };
	x->watch = w;
	fcgi_thread_trim();
	enum errcode rc = httpc_call(o->http, &req, &ours, take_body, x, &x->head, &why);
	if (x->head.stopped && !x->ours)
		return err_set(e, rc, "%s", why.msg);
	bool began = x->head.status / 100 == 2;
	if (x->head.status != 0 && !began) {
		openai_error_parse(x->error, x->body.p, x->body.n);
		log_words(x);
		*refused = true;
		return failure(x, OPENAI_REFUSED, fault, e);
	}
	if (x->reply == NULL && x->body.full)
		return failure(x, OPENAI_TOO_BIG, fault, e);
	/* once the reply has ended, how the connection does no longer matters */
	if (rc != OK && !x->ours && !(x->reply != NULL && x->reply->finished))
		return transport_failure(rc, why.msg, fault, e);
	if (x->reply == NULL || (rc = openai_reply_end(x->reply)) == OK)
		return OK;
	if (x->reply->verdict == OPENAI_STOPPED)
		return reader_ended(rc, e);
	*refused = x->reply->verdict == OPENAI_REFUSED;
	log_words(x);
	return failure(x, x->reply->verdict, fault, e);
}

/* Does a refusal speak of something that can be left out? Then `without` it. */
static bool leave_out(const struct exchange *x, unsigned sent, unsigned *without)
{
	int status = x->head.status / 100 == 2 ? x->error->status : x->head.status;
	static const int statuses[] = { 0, 400, 404, 422, 500, 501 };
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		if (statuses[i] != status)
			continue;
		unsigned bit = openai_error_names(x->error, sent);
		if (bit == 0 && (sent & OPENAI_FUNCTIONS) &&
		    openai_error_no_functions(x->error, status))
			bit = OPENAI_FUNCTIONS;
		*without |= bit;
		return bit != 0;
	}
	return false;
}

/* -- chat -- */

static int64_t guess(const char *text)
{
	return tokens_guess(text, strlen(text));
}

static int64_t guess_input(const struct llm_request *req)
{
	int64_t sum = 0;
	struct buf schema;
	for (size_t i = 0; i < req->nmessages; i++)
		sum += guess(req->messages[i].content);
	if (req->function != NULL) {
		buf_init(&schema, SIZE_MAX / 2);
		jsn_print(&schema, req->function->parameters, JSN_PLAIN);
		sum += guess(schema.p) + guess(req->function->doc);
		buf_release(&schema);
	}
	return sum;
}

static int64_t guess_output(const struct openai_reply *r)
{
	if (!r->choices)               /* one object that broke off */
		return tokens_guess(r->body.p, r->body.n);
	int64_t sum = tokens_guess(r->text.p, r->text.n);
	for (size_t i = 0; i < r->ncalls; i++)
		sum += tokens_guess(r->calls[i].arguments.p, r->calls[i].arguments.n);
	return sum;
}

/*
 * What it cost, also when it failed: as soon as there is something of a reply, it has a price. So
 * may a request that was given up: the provider has read it and perhaps begun.
 */
static struct llm_usage usage_of(const struct exchange *x, const struct llm_request *req)
{
	const struct openai_reply *r = x->reply;
	struct llm_usage u = { 0 };
	bool whole = r->shape == OPENAI_WHOLE && r->verdict != OPENAI_REFUSED &&
	    r->verdict != OPENAI_HTML;
	if (!r->choices && r->input <= 0 && !whole) {
		bool refused = x->head.status / 100 != 2 || r->verdict == OPENAI_REFUSED ||
		    r->verdict == OPENAI_HTML;
		if (!x->head.sent || (x->head.status != 0 && refused))
			return u;
		return (struct llm_usage){ .input = guess_input(req), .estimated = true };
	}
	/* a nought where there was text comes from a server that does not count */
	int64_t written = guess_output(r);
	bool says_in = r->input > 0, says_out = r->output > 0 || (r->output == 0 && written == 0);
	u.input = says_in ? r->input : guess_input(req);
	u.output = says_out ? r->output : written;
	u.estimated = !says_in || !says_out;
	return u;
}

static void fill(struct llm_reply *out, struct arena *a, const struct openai_reply *r)
{
	struct llm_tool_call *calls = arena_array(a, r->ncalls, sizeof(*calls));
	for (size_t i = 0; i < r->ncalls; i++)
		calls[i] = (struct llm_tool_call){
			arena_strndup(a, r->calls[i].name.p, r->calls[i].name.n),
			arena_strndup(a, r->calls[i].arguments.p, r->calls[i].arguments.n) };
	out->calls = calls;
	out->ncalls = r->ncalls;
	out->text = arena_strndup(a, r->text.p, r->text.n);
	out->finish = arena_strdup(a, r->finish);
}

static enum errcode no_functions(const struct llm_openai *o, struct llm_fault *fault,
    struct err *e)
{
	*fault = (struct llm_fault){ .no_functions = true, .retry_after_ms = -1 };
	return err_set(e, ERR_UPSTREAM, "%s: it takes no function calls (the server may need to be "
	    "started with them: --jinja, --enable-auto-tool-choice)", o->host);
}

static enum errcode chat(struct llm_provider *p, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
    struct llm_fault *fault, struct err *e)
{
	struct llm_openai *o = (struct llm_openai *)p;
	const unsigned recalled = openai_recall(&o->memory, req->model);
	unsigned sent, without = recalled;
	enum errcode rc;
	*out = (struct llm_reply){ .text = "", .finish = "", .model = req->model };
	/* every turn leaves something out, so it ends */
	for (bool again = true; again;) {
		if (req->function != NULL && (without & OPENAI_FUNCTIONS))
			return no_functions(o, fault, e);
		struct buf body;
		struct openai_reply r;
		struct exchange x = { .o = o, .model = req->model, .reply = &r,
		    .error = &r.error, .question = &body };
		bool refused;
		openai_reply_init(&r, o->max_reply, req->function == NULL ? on_text : NULL, arg);
		buf_init(&x.body, REFUSAL_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = openai_chat_body(&body, req, without);
		rc = exchange(&x, o->chat_url, &body, req->stream, req->first_ms, w, fault,
		    &refused, e);
		again = refused && r.text.n == 0 && leave_out(&x, sent, &without);
		if (rc == OK) {
			openai_remember(&o->memory, req->model, without);
			fill(out, a, &r);
		} else if (again && (without & ~recalled & OPENAI_FUNCTIONS)) {
			log_msg(LOG_WARN, "llm_no_functions", "model=%.64s host=%s status=%d", req->model,
			    o->host, x.head.status);
			openai_remember(&o->memory, req->model, OPENAI_FUNCTIONS);
		}
		out->usage = usage_of(&x, req);
		buf_release(&body);
		buf_release(&x.body);
		openai_reply_release(&r);
	}
	return rc;
}

/* -- embeddings -- */

static enum errcode bad_vectors(const struct exchange *x, const char *why,
    struct llm_fault *fault, struct err *e)
{
	fault->retry = false;
	return err_set(e, ERR_UPSTREAM, "%s: embeddings: %s: is this an embedding model "
	    "(rag.embedding_model)?", x->o->host, why);
}

static enum errcode read_vectors(const struct exchange *x, struct arena *a,
    struct json_object *root, size_t n, float **vectors, size_t *dims, struct llm_fault *fault,
    struct err *e)
{
	struct json_object *data = jsn_get(root, "data");
	const size_t size = jsn_len(jsn_get(jsn_at(data, 0), "embedding"));
	if (!jsn_is(data, json_type_array) || jsn_len(data) != n)
		return bad_vectors(x, "not one for each text", fault, e);
	if (size == 0)
		return bad_vectors(x, "not a list of numbers", fault, e);
	/* before memory is taken for them */
	for (size_t i = 0; i < n; i++)
		if (jsn_len(jsn_get(jsn_at(data, i), "embedding")) != size)
			return bad_vectors(x, "of different lengths", fault, e);
	bool *seen = arena_array(a, n, sizeof(*seen));
	float *all = arena_array(a, n * size, sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = jsn_at(data, i), *v = jsn_get(row, "embedding");
		int64_t at = jsn_get_int(row, "index", (int64_t)i);
		if (at < 0 || at >= (int64_t)n || seen[at])
			return bad_vectors(x, "numbered wrongly", fault, e);
		seen[at] = true;
		for (size_t k = 0; k < size; k++) {
			struct json_object *number = jsn_at(v, k);
			bool is = jsn_is(number, json_type_double) || jsn_is(number, json_type_int);
			double d = is ? json_object_get_double(number) : NAN;
			if (!(fabs(d) <= FLT_MAX))
				return bad_vectors(x, "not all of it is numbers", fault, e);
			all[(size_t)at * size + k] = (float)d;
		}
	}
	*vectors = all;
	*dims = size;
	return OK;
}

static enum errcode take_vectors(struct exchange *x, struct arena *a, const char *const *texts,
    size_t n, float **vectors, size_t *dims, struct llm_usage *usage, struct llm_fault *fault,
    struct err *e)
{
	struct arena *scratch = arena_new();
	struct json_object *root;
	enum errcode rc;
	if (jsn_parse(scratch, x->body.p, x->body.n, JSN_DEPTH, &root, NULL, NULL) != OK) {
		rc = failure(x, x->body.n == 0 ? OPENAI_NOTHING : x->body.p[0] == '<' ||
		    streq(x->head.type, "text/html") ? OPENAI_HTML : OPENAI_NOT_JSON, fault, e);
	} else if (jsn_truthy(jsn_get(root, "error"))) {
		openai_error_read(x->error, root);
		log_words(x);
		rc = failure(x, OPENAI_REFUSED, fault, e);
	} else {
		usage->input = jsn_get_int(jsn_get(root, "usage"), "prompt_tokens", 0);
		usage->estimated = usage->input <= 0;
		if (usage->estimated)
			usage->input = 0;
		for (size_t i = 0; usage->estimated && i < n; i++)
			usage->input += guess(texts[i]);
		rc = read_vectors(x, a, root, n, vectors, dims, fault, e);
	}
	arena_free(scratch);
	return rc;
}

static enum errcode embed(struct llm_provider *p, struct arena *a, const char *model,
    const char *const *texts, size_t n, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	struct llm_openai *o = (struct llm_openai *)p;
	unsigned sent, without = openai_recall(&o->memory, model);
	enum errcode rc;
	*usage = (struct llm_usage){ 0 };
	*vectors = NULL;
	*dims = 0;
	for (bool again = true; again;) {
		struct openai_error error = { 0 };
		struct exchange x = { .o = o, .model = model, .error = &error };
		struct buf body;
		bool refused;
		buf_init(&x.body, o->max_reply + n * VECTOR_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = openai_embed_body(&body, model, texts, n, without);
		rc = exchange(&x, o->embed_url, &body, false, 0, w, fault, &refused, e);
		again = refused && leave_out(&x, sent, &without);
		if (rc == OK) {
			openai_remember(&o->memory, model, without);
			rc = take_vectors(&x, a, texts, n, vectors, dims, usage, fault, e);
		}
		buf_release(&body);
		buf_release(&x.body);
	}
	return rc;
}

/* -- opening -- */

static bool printable(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || (unsigned char)*s >= 0x7f)
			return false;
	return true;
}

/* Before a query, an address gets `path`; a base that is a whole address already loses its own. */
static const char *address(struct arena *a, const char *base, const char *path)
{
	static const char *const ends[] = { "/chat/completions", "/embeddings" };
	struct str s = { base, strcspn(base, "?") };
	const char *query = base + s.n;
	while (s.n > 0 && s.p[s.n - 1] == '/')
		s.n--;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t len = strlen(ends[i]);
		if (s.n > len && memcmp(s.p + s.n - len, ends[i], len) == 0)
			s.n -= len;
	}
	return arena_printf(a, "%.*s%s%s", (int)s.n, s.p, path, query);
}

/* "host:port" of an address, without user information. */
static const char *host_of(struct arena *a, const char *url)
{
	const char *p = strstr(url, "://") + 3, *end = p + strcspn(p, "/?#");
	const char *at = memrchr(p, '@', (size_t)(end - p));
	if (at != NULL)
		p = at + 1;
	return arena_strndup(a, p, end - p < 120 ? (size_t)(end - p) : 120);
}

static bool is_azure(const char *host)
{
	static const char domain[] = ".azure.com";
	size_t n = strcspn(host, ":"), len = sizeof(domain) - 1;
	return n > len && strncasecmp(host + n - len, domain, len) == 0;
}

static bool has_api_version(const char *url)
{
	const char *query = strchr(url, '?');
	return query != NULL && strstr(query, "api-version=") != NULL;
}

static enum errcode check(const struct llm_openai_config *c, struct err *e)
{
	bool http = strncasecmp(c->base_url, "http://", 7) == 0;
	size_t scheme = http ? 7 : 8;
	if ((!http && strncasecmp(c->base_url, "https://", 8) != 0) ||
	    strcspn(c->base_url + scheme, "/?#") == 0 || !printable(c->base_url) ||
	    strchr(c->base_url, '#') != NULL)
		return err_set(e, ERR_CONFIG, "OPENAI_BASE_URL is no address: it must begin with http:// "
		    "or https:// and name a server, for example https://api.openai.com/v1 or "
		    "http://127.0.0.1:11434/v1");
	if (c->key != NULL && !printable(c->key))
		return err_set(e, ERR_CONFIG, "OPENAI_API_KEY holds a blank, a line break or another "
		    "character that no key has: set it again");
	if (c->organization != NULL && !printable(c->organization))
		return err_set(e, ERR_CONFIG, "OPENAI_ORG_ID holds a blank, a line break or another "
		    "character that no such name has: set it again");
	return OK;
}

static void openai_close(struct llm_provider *p)
{
	struct llm_openai *o = (struct llm_openai *)p;
	arena_free(o->mem);
	free(o);
}

static const struct llm_provider_ops ops = { "openai", chat, embed, openai_close };

enum errcode llm_openai_open(struct llm_provider **out, struct httpc *http,
    const struct llm_openai_config *c, struct err *e)
{
	enum errcode rc = check(c, e);
	if (rc != OK)
		return rc;
	struct llm_openai *o = calloc(1, sizeof(*o));
	if (o == NULL)
		abort();
	o->provider.ops = &ops;
	o->http = http;
	o->mem = arena_new();
	o->key = c->key != NULL && *c->key != '\0' ? c->key : NULL;
	o->chat_url = address(o->mem, c->base_url, "/chat/completions");
	o->embed_url = address(o->mem, c->base_url, "/embeddings");
	o->host = host_of(o->mem, c->base_url);
	o->connect_ms = c->connect_ms;
	o->idle_ms = c->idle_ms;
	o->total_ms = c->total_ms;
	o->max_reply = c->max_reply;
	o->fields[o->nfields++] = "Content-Type: application/json";
	/* Azure itself refuses both; gateways in front of it want one or the other */
	if (o->key != NULL && !is_azure(o->host))
		o->fields[o->nfields++] = arena_printf(o->mem, "Authorization: Bearer %s", o->key);
	if (o->key != NULL && (is_azure(o->host) || has_api_version(c->base_url)))
		o->fields[o->nfields++] = arena_printf(o->mem, "api-key: %s", o->key);
	if (c->organization != NULL && *c->organization != '\0')
		o->fields[o->nfields++] = arena_printf(o->mem, "OpenAI-Organization: %s",
		    c->organization);
	*out = &o->provider;
	return OK;
}
