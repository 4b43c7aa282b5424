/*
 * One attempt: a request, the server's reply, and what that means.
 *
 * An attempt may send several requests. When the server names a parameter that it does not accept,
 * the request is sent again without it, at once. If the server accepts the rest, this is remembered
 * for that model, so a wrong guess costs only one request.
 */
#include "services/llm_openai.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "services/llm_openai_exchange.h"
#include "services/tokens.h"

/* -- chat -- */

static int64_t guess(const char *text)
{
	return tokens_guess(text, strlen(text));
}

static int64_t guess_input(const struct llm_request *req)
{
	int64_t sum = req->tools == NULL ? 0 : tokens_guess(req->tools->json, req->tools->n);
	for (size_t i = 0; i < req->nmessages; i++) {
		sum += guess(req->messages[i].content);
		for (size_t k = 0; k < req->messages[i].ncalls; k++)
			sum += guess(req->messages[i].calls[k].arguments);
	}
	return sum;
}

static int64_t guess_output(const struct openai_reply *r)
{
	if (!r->choices)               /* an object that broke off */
		return tokens_guess(r->body.p, r->body.n);
	int64_t sum = tokens_guess(r->text.p, r->text.n);
	for (size_t i = 0; i < r->ncalls; i++)
		sum += tokens_guess(r->calls[i].arguments.p, r->calls[i].arguments.n);
	return sum;
}

/*
 * What the attempt cost, also when it failed: once there is a part of a reply, it has a price. So
 * may a request that was cancelled: the provider has read it and perhaps begun.
 */
static struct llm_usage usage_of(const struct openai_exchange *x, const struct llm_request *req)
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
	/* a zero for a text comes from a server that does not count */
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
			r->calls[i].id[0] != '\0' ? arena_strdup(a, r->calls[i].id)
			    : arena_printf(a, "call_%zu", i + 1),
			arena_strndup(a, r->calls[i].name.p, r->calls[i].name.n),
			arena_strndup(a, r->calls[i].arguments.p, r->calls[i].arguments.n) };
	out->calls = calls;
	out->ncalls = r->ncalls;
	out->text = arena_strndup(a, r->text.p, r->text.n);
	out->finish = arena_strdup(a, r->finish);
}

static enum errcode no_functions(const struct llm_openai *o, bool known, struct llm_fault *fault,
    struct err *e)
{
	*fault = (struct llm_fault){ .no_functions = true, .unasked = known, .retry_after_ms = -1 };
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
	/* each round leaves something out, so the loop ends */
	for (bool again = true; again;) {
		if (req->tools != NULL && (without & OPENAI_FUNCTIONS))
			return no_functions(o, (recalled & OPENAI_FUNCTIONS) != 0, fault, e);
		struct buf body;
		struct openai_reply r;
		struct openai_exchange x = { .o = o, .model = req->model, .reply = &r,
		    .error = &r.error, .question = &body, .total_ms = req->total_ms };
		bool refused;
		openai_reply_init(&r, o->max_reply, on_text, arg);
		buf_init(&x.body, OPENAI_REFUSAL_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = openai_chat_body(&body, req, without);
		rc = openai_exchange(&x, o->chat_url, &body, req->stream, req->first_ms, w, fault,
		    &refused, e);
		again = refused && r.text.n == 0 && openai_leave_out(&x, sent, &without);
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

/* -- opening -- */

static bool printable(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || (unsigned char)*s >= 0x7f)
			return false;
	return true;
}

/* Put `path` after an address, before its query. If the base is a whole address already, its own
 * path is replaced. */
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
		return err_set(e, ERR_CONFIG, "OPENAI_BASE_URL is not an address: it must begin with http:// "
		    "or https:// and name a server, for example https://api.openai.com/v1 or "
		    "http://127.0.0.1:11434/v1");
	if (c->key != NULL && !printable(c->key))
		return err_set(e, ERR_CONFIG, "OPENAI_API_KEY holds a blank, a line break or another "
		    "character that cannot be in a key: set it again");
	if (c->organization != NULL && !printable(c->organization))
		return err_set(e, ERR_CONFIG, "OPENAI_ORG_ID holds a blank, a line break or another "
		    "character that cannot be in such a name: set it again");
	return OK;
}

static void openai_close(struct llm_provider *p)
{
	struct llm_openai *o = (struct llm_openai *)p;
	arena_free(o->mem);
	free(o);
}

static const struct llm_provider_ops ops = { "openai", chat, openai_embed, openai_close };

enum errcode llm_openai_open(struct llm_provider **out, struct httpc *http,
    const struct llm_openai_config *c, struct err *e)
{
	enum errcode rc = check(c, e);
	if (rc != OK)
		return rc;
	struct llm_openai *o = heap_new(sizeof(*o));
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
