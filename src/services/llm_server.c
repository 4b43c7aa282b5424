/*
 * One attempt: a request, the server's reply, and what that means.
 *
 * An attempt may send several requests. When the server names a parameter that it does not accept,
 * the request is sent again without it, at once. If the server accepts the rest, this is remembered
 * for that model, so a wrong guess costs only one request.
 */
#include "services/llm_server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "services/llm_exchange.h"
#include "services/llm_provider.h"
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

static int64_t guess_output(const struct llm_parse *r)
{
	if (!r->began)               /* an object that broke off */
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
static struct llm_usage usage_of(const struct llm_exchange *x, const struct llm_request *req)
{
	const struct llm_parse *r = x->reply;
	struct llm_usage u = { 0 };
	bool whole = r->shape == PARSE_WHOLE && r->verdict != VERDICT_REFUSED &&
	    r->verdict != VERDICT_HTML;
	if (!r->began && r->input <= 0 && !whole) {
		bool refused = x->head.status / 100 != 2 || r->verdict == VERDICT_REFUSED ||
		    r->verdict == VERDICT_HTML;
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
	u.cached = says_in && r->cached > 0 ? r->cached : 0;
	return u;
}

static void fill(struct llm_reply *out, struct arena *a, const struct llm_parse *r)
{
	struct llm_tool_call *calls = arena_array(a, r->ncalls, sizeof(*calls));
	for (size_t i = 0; i < r->ncalls; i++)
		calls[i] = (struct llm_tool_call){
			r->calls[i].id[0] != '\0' ? arena_strdup(a, r->calls[i].id)
			    : arena_printf(a, "call_%zu", i + 1),
			arena_strndup(a, r->calls[i].name.p, r->calls[i].name.n),
			arena_strndup(a, r->calls[i].arguments.p, r->calls[i].arguments.n),
			r->calls[i].signature.n == 0 ? NULL :
			    arena_strndup(a, r->calls[i].signature.p, r->calls[i].signature.n) };
	out->calls = calls;
	out->ncalls = r->ncalls;
	out->text = arena_strndup(a, r->text.p, r->text.n);
	out->finish = arena_strdup(a, r->finish);
}

static enum errcode no_functions(const struct llm_server *o, bool known, struct llm_fault *fault,
    struct err *e)
{
	*fault = (struct llm_fault){ .no_functions = true, .unasked = known, .retry_after_ms = -1 };
	return err_set(e, ERR_UPSTREAM, "%s: it takes no function calls (%s)", o->host,
	    o->dialect->tools_hint);
}

static enum errcode chat(struct llm_provider *p, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
    struct llm_fault *fault, struct err *e)
{
	struct llm_server *o = (struct llm_server *)p;
	const struct llm_dialect *d = o->dialect;
	struct buf path;
	const unsigned recalled = llm_recall(&o->memory, req->model);
	unsigned sent, without = recalled;
	enum errcode rc;
	*out = (struct llm_reply){ .text = "", .finish = "", .model = req->model };
	buf_init(&path, SIZE_MAX / 2);
	d->chat_path(&path, req);
	const char *url = llm_server_url(o, a, path.p);
	buf_release(&path);
	/* each round leaves something out, so the loop ends */
	for (bool again = true; again;) {
		if (req->tools != NULL && (without & PARAM_FUNCTIONS))
			return no_functions(o, (recalled & PARAM_FUNCTIONS) != 0, fault, e);
		struct buf body;
		struct llm_parse r;
		struct llm_exchange x = { .o = o, .model = req->model, .reply = &r,
		    .error = &r.error, .question = &body, .total_ms = req->total_ms };
		bool refused;
		llm_parse_init(&r, d, o->max_reply, on_text, arg);
		buf_init(&x.body, LLM_REFUSAL_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = d->chat_body(&body, o, req, without);
		rc = llm_exchange(&x, url, &body, req->stream, req->first_ms, w, fault,
		    &refused, e);
		again = refused && r.text.n == 0 && llm_leave_out(&x, sent, &without);
		if (rc == OK) {
			llm_remember(&o->memory, d->params, req->model, without);
			fill(out, a, &r);
		} else if (again && (without & ~recalled & PARAM_FUNCTIONS)) {
			log_msg(LOG_WARN, "llm_no_functions", "model=%.64s host=%s status=%d", req->model,
			    o->host, x.head.status);
			llm_remember(&o->memory, d->params, req->model, PARAM_FUNCTIONS);
		}
		out->usage = usage_of(&x, req);
		buf_release(&body);
		buf_release(&x.body);
		llm_parse_release(&r);
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

/* The address without slashes at its end and without a path that a request adds; its query stays. */
static const char *trimmed(struct arena *a, const char *base, const char *const *ends)
{
	struct str s = { base, strcspn(base, "?") };
	const char *query = base + s.n;
	while (s.n > 0 && s.p[s.n - 1] == '/')
		s.n--;
	for (; *ends != NULL; ends++) {
		size_t len = strlen(*ends);
		if (s.n > len && memcmp(s.p + s.n - len, *ends, len) == 0)
			s.n -= len;
	}
	return arena_printf(a, "%.*s%s", (int)s.n, s.p, query);
}

const char *llm_server_url(const struct llm_server *s, struct arena *a, const char *path)
{
	size_t n = strcspn(s->base, "?");
	const char *query = s->base + n;
	/* a path may have a query itself */
	return arena_printf(a, "%.*s%s%s%s", (int)n, s->base, path,
	    *query == '?' && strchr(path, '?') != NULL ? "&" : "",
	    *query == '?' && strchr(path, '?') != NULL ? query + 1 : query);
}

void llm_server_field(struct llm_server *s, const char *name, const char *value)
{
	s->fields[s->nfields++] = arena_printf(s->mem, "%s %s", name, value);
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

static enum errcode check(const struct llm_dialect *d, const struct llm_provider_config *c,
    const char *url, struct err *e)
{
	bool http = strncasecmp(url, "http://", 7) == 0;
	size_t scheme = http ? 7 : 8;
	if ((!http && strncasecmp(url, "https://", 8) != 0) || strcspn(url + scheme, "/?#") == 0 ||
	    !printable(url) || strchr(url, '#') != NULL)
		return err_set(e, ERR_CONFIG, "%s is not an address: it must begin with http:// "
		    "or https:// and name a server, for example %s", d->url_setting, d->example_url);
	if (d->needs_key && c->base_url == NULL && (c->key == NULL || *c->key == '\0'))
		return err_set(e, ERR_CONFIG, "the provider %s needs a key: set %s (or %s, for a server of "
		    "yours that needs none)", d->name, d->key_setting, d->url_setting);
	if (c->key != NULL && !printable(c->key))
		return err_set(e, ERR_CONFIG, "%s holds a blank, a line break or another "
		    "character that cannot be in a key: set it again", d->key_setting);
	if (c->organization != NULL && !printable(c->organization))
		return err_set(e, ERR_CONFIG, "OPENAI_ORG_ID holds a blank, a line break or another "
		    "character that cannot be in such a name: set it again");
	return OK;
}

static void server_close(struct llm_provider *p)
{
	struct llm_server *o = (struct llm_server *)p;
	arena_free(o->mem);
	free(o);
}

const struct llm_dialect *const llm_dialects[] = { &llm_openai, &llm_anthropic, &llm_gemini,
	&llm_ollama, NULL };

static const struct llm_dialect *find(const char *name)
{
	const struct llm_dialect *const *d = llm_dialects;
	while (*d != NULL && !streq((*d)->name, name))
		d++;
	return *d;
}

enum errcode llm_provider_open(struct llm_provider **out, struct httpc *http,
    const struct llm_provider_config *c, struct err *e)
{
	const struct llm_dialect *d = find(c->provider);
	const char *url = c->base_url != NULL ? c->base_url : d->default_url;
	enum errcode rc = check(d, c, url, e);
	if (rc != OK)
		return rc;
	struct llm_server *o = heap_new(sizeof(*o));
	o->ops = (struct llm_provider_ops){ d->name, chat, d->embed_body != NULL ? llm_embed_once : NULL,
		server_close };
	o->provider.ops = &o->ops;
	o->dialect = d;
	o->http = http;
	o->mem = arena_new();
	o->key = c->key != NULL && *c->key != '\0' ? c->key : NULL;
	o->base = trimmed(o->mem, url, d->ends);
	o->host = host_of(o->mem, url);
	o->connect_ms = c->connect_ms;
	o->idle_ms = c->idle_ms;
	o->total_ms = c->total_ms;
	o->max_tokens = c->max_tokens;
	o->context = c->context;
	o->max_reply = c->max_reply;
	o->fields[o->nfields++] = "Content-Type: application/json";
	d->fields(o, c);
	*out = &o->provider;
	return OK;
}
