/*
 * Servers agree on the status and on little else, so an error is recognised by its status, code,
 * type or words. There are two tables: what a failure means for us and what to change (the first
 * row that fits is used), and which words refuse function calls (as Ollama, llama.cpp, vLLM,
 * OpenRouter and LM Studio send them).
 */
#include "services/llm_fault.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_dialect.h"

/* -- reading -- */

static void put_words(struct buf *b, struct json_object *o)
{
	if (jsn_is(o, json_type_string)) {
		buf_puts(b, b->n > 0 ? " " : "");
		buf_puts(b, json_object_get_string(o));
	} else if (jsn_is(o, json_type_array)) {
		for (size_t i = 0; i < jsn_len(o) && !b->full; i++)
			put_words(b, jsn_at(o, i));
	} else if (jsn_is(o, json_type_object)) {
		/* in pydantic's form: place and reason; its "input" repeats the request */
		put_words(b, jsn_get(o, "loc"));
		put_words(b, jsn_get(o, "msg"));
		put_words(b, jsn_get(o, "detail"));
		put_words(b, jsn_get(o, "message"));
	}
}

/* A string or a number as text. */
static void put_id(char out[65], struct json_object *v)
{
	if (jsn_is(v, json_type_string))
		snprintf(out, 65, "%s", json_object_get_string(v));
	else if (jsn_is(v, json_type_int))
		snprintf(out, 65, "%lld", (long long)json_object_get_int64(v));
}

static int http_status(struct json_object *o, const char *key)
{
	int64_t v = jsn_get_int(o, key, 0);
	return v >= 400 && v <= 599 ? (int)v : 0;
}

/* Google's form: details: [{"retryDelay": "17.5s"}] */
static int64_t retry_delay(struct json_object *details)
{
	for (size_t i = 0; jsn_is(details, json_type_array) && i < jsn_len(details); i++) {
		const char *text = jsn_get_str(jsn_at(details, i), "retryDelay", "");
		char *end;
		double s = strtod(text, &end);
		if (end != text && streq(end, "s") && s >= 0 && s < 1e6)
			return (int64_t)(s * 1000);
	}
	return -1;
}

void llm_error_read(struct llm_error *x, struct json_object *root)
{
	struct json_object *o = jsn_get(root, "error"), *status;
	struct buf words;
	*x = (struct llm_error){ .retry_after_ms = -1 };
	buf_init(&words, sizeof(x->message) - 1);
	if (!jsn_is(o, json_type_object)) {
		put_words(&words, o);
		o = root;
	}
	put_words(&words, jsn_get(o, "message"));
	put_words(&words, jsn_get(o, "detail"));
	snprintf(x->message, sizeof(x->message), "%s", words.p);
	buf_release(&words);
	put_id(x->code, jsn_get(o, "code"));
	put_id(x->type, jsn_get(o, "type"));
	put_id(x->param, jsn_get(o, "param"));
	x->retry_after_ms = retry_delay(jsn_get(o, "details"));
	status = jsn_get(o, "status");
	if (x->type[0] == '\0' && jsn_is(status, json_type_string))
		put_id(x->type, status);
	x->status = http_status(o, "status");
	if (x->status == 0)
		x->status = http_status(o, "code");
	if (x->status == 0)
		x->status = http_status(root, "status");
}

void llm_error_parse(struct llm_error *x, const char *body, size_t n)
{
	struct arena *a = arena_new();
	struct json_object *root;
	*x = (struct llm_error){ .retry_after_ms = -1 };
	if (jsn_parse_pieces(a, body, n, JSN_DEPTH, &root, NULL, NULL) == OK) {
		if (jsn_is(root, json_type_array))
			root = jsn_at(root, 0);
		if (jsn_is(root, json_type_object))
			llm_error_read(x, root);
	}
	arena_free(a);
}

/* -- recognising -- */

static bool name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is `name` in the text, and not as a part of a longer name? */
static bool names(const char *text, const char *name)
{
	size_t len = strlen(name);
	for (const char *p = text; (p = strstr(p, name)) != NULL; p++)
		if ((p == text || !name_byte(p[-1])) && !name_byte(p[len]))
			return true;
	return false;
}

unsigned llm_error_names(const struct llm_error *x, const struct llm_param *params, unsigned sent)
{
	for (const struct llm_param *p = params; p->bit != 0; p++)
		if ((sent & p->bit) && (names(x->param, p->name) || names(x->message, p->name)))
			return p->bit;
	return 0;
}

/* Is one of the alternatives ("a|b|c") in the text, in any case of letters? */
static bool says(const char *text, const char *alternatives)
{
	char word[64];
	struct str one;
	while (str_part(&alternatives, '|', &one)) {
		snprintf(word, sizeof(word), "%.*s", (int)one.n, one.p);
		if (strcasestr(text, word) != NULL)
			return true;
	}
	return false;
}

bool llm_error_no_functions(const struct llm_error *x, int status)
{
	static const struct {
		const char *subject, *verdict;
		int highest;           /* status: a server that failed may speak of tools for other reasons */
	} rows[] = {
		{ "--jinja|--tool-call-parser|--enable-auto-tool-choice", "", 599 },
		{ "tool|function", "not support|unsupported|not implemented", 599 },
		{ "tool|function", "support|not permitted|not allowed|not enabled|not available|"
		    "unknown|unrecognized|unexpected|invalid schema", 499 },
		{ "tools", "with stream", 599 },
	};
	if (says(x->param, "tools|functions") || ione_of(x->code, "invalid_function_parameters"))
		return true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (status <= rows[i].highest && says(x->message, rows[i].subject) &&
		    (*rows[i].verdict == '\0' || says(x->message, rows[i].verdict)))
			return true;
	return false;
}

/* -- what it means -- */

struct rule {
	int low, high;               /* status */
	const char *ids, *words;     /* code or type, words: one of either; both NULL: any */
	bool retry, outage;
	const char *what, *todo;
};

/* In what to do, {key} and {url} are the names of settings, {models} those that name models, and {hint}
 * what may be wrong with the address: see struct llm_dialect. */
#define HINT "{hint}"
#define RIGHT_MODEL "correct its name ({models}), or {url} if it is another server's"
#define LESS_TEXT "lower AVIATION_AGENT_HISTORY_TOKENS or AVIATION_AGENT_RESULT_TOKENS, or take " \
	"a model with a larger context"

static const struct rule rules[] = {
	{ 400, 599, "insufficient_quota|billing_hard_limit_reached|billing_not_active",
	    "insufficient balance|insufficient credits|credit balance is too low", false, true,
	    "the account has no quota or credit left",
	    "check plan and billing, or set another {key}" },
	{ 402, 402, NULL, NULL, false, true, "the account has no quota or credit left",
	    "check plan and billing, or set another {key}" },
	{ 400, 599, "context_length_exceeded|exceed_context_size_error|string_above_max_length",
	    "maximum context length|context size|context length|context window|prompt is too long|"
	    "exceeds the maximum number of tokens", false, false,
	    "the request is longer than the model can read", LESS_TEXT },
	{ 413, 413, NULL, NULL, false, false, "the request is too large for it", LESS_TEXT },
	{ 400, 499, "content_filter|content_policy_violation|responsibleaipolicyviolation", NULL,
	    false, false, "the provider's content filter refused the request",
	    "nothing to set here: the provider decides" },
	{ 400, 499, "tool_use_failed", NULL, true, false,
	    "the model wrote a function call the server could not read",
	    "use another model if this happens again" },
	{ 400, 400, NULL, "api key not valid|api_key_invalid|api key expired", false, false,
	    "the key was refused", "check {key}" },
	{ 401, 401, NULL, NULL, false, false, "the key was refused", "check {key}" },
	{ 403, 403, NULL, NULL, false, false, "the key may not use this",
	    "check {key} and what its account may do" },
	{ 400, 499, "model_not_found|deploymentnotfound|invalid_model|unknown_model", NULL, false,
	    false, "there is no such model",
	    RIGHT_MODEL },
	{ 404, 404, NULL, "model", false, false, "there is no such model",
	    RIGHT_MODEL },
	{ 404, 404, NULL, NULL, false, false, "no such address or no such model",
	    HINT " Is the model's name right?" },
	{ 405, 405, NULL, NULL, false, false, "it does not take such requests", HINT },
	{ 407, 407, NULL, NULL, false, false, "the proxy wants a login",
	    "check https_proxy and http_proxy" },
	{ 408, 408, NULL, NULL, true, true, "it gave up waiting", "nothing, if this is rare" },
	{ 409, 409, NULL, NULL, true, false, "the request was in another's way",
	    "nothing, if this is rare" },
	{ 429, 429, NULL, NULL, true, true, "too many requests, or the quota is used up",
	    "if this stays: lower AVIATION_AGENT_LLM_MAX_CALLS, or check plan and billing" },
	{ 300, 399, NULL, NULL, false, false, "it points to another address",
	    "set {url} to the final address" },
	{ 529, 529, NULL, NULL, true, true, "it is overloaded", "nothing, if this is rare" },
	{ 500, 599, NULL, NULL, true, true, "the server failed", "see the provider's status or log" },
	{ 0, 999, NULL, NULL, false, false, "the request was refused",
	    "the server's words are in the log at level DEBUG" },
};

/* What can be wrong with a reply of status 2xx; REFUSED is judged by the rules above. */
static const struct {
	bool retry, outage;
	const char *what, *todo;
} verdicts[VERDICT__MAX] = {
	[VERDICT_HTML] = { false, false, "it answers HTML, not JSON", HINT },
	[VERDICT_NOT_JSON] = { true, false, "what it answers is not JSON", HINT },
	[VERDICT_NOTHING] = { true, false, "an empty reply", HINT },
	[VERDICT_NO_MESSAGE] = { true, false, "a reply without a message", HINT },
	[VERDICT_CUT] = { true, true, "the reply broke off before its end",
	    "see the provider's status or log, and time-outs of proxies in between" },
	[VERDICT_FILTERED] = { false, false, "the provider's content filter withheld the reply",
	    "nothing to set here: the provider decides" },
};

static bool fits(const struct rule *r, int status, const struct llm_error *x)
{
	if (status < r->low || status > r->high)
		return false;
	if (r->ids == NULL && r->words == NULL)
		return true;
	return (r->ids != NULL && (ione_of(x->code, r->ids) || ione_of(x->type, r->ids))) ||
	    (r->words != NULL && says(x->message, r->words));
}

/* An error inside a reply of status 200 has no HTTP status; use its own, or the meaning of its
 * name. */
static int status_of(const struct llm_failure *x)
{
	static const struct { int status; const char *ids; } rows[] = {
		{ 402, "billing_error" },
		{ 413, "request_too_large" },
		{ 529, "overloaded_error" },
		{ 401, "authentication_error|invalid_api_key|invalid_authentication" },
		{ 403, "permission_error|permission_denied" },
		{ 404, "not_found_error|not_found|notfounderror|model_not_found|deploymentnotfound" },
		{ 429, "rate_limit_error|rate_limit_exceeded|resource_exhausted|tokens|requests" },
		{ 400, "invalid_request_error|badrequesterror|invalid_argument|content_filter|"
		    "content_policy_violation|tool_use_failed" },
	};
	if (x->status < 200 || x->status > 299)
		return x->status;
	if (x->error->status != 0)
		return x->error->status;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (ione_of(x->error->code, rows[i].ids) || ione_of(x->error->type, rows[i].ids))
			return rows[i].status;
	return 500;
}

/* A text of the tables, with the names of the dialect's settings. */
static void put_todo(struct buf *b, const char *todo, const struct llm_dialect *d)
{
	const struct { const char *name, *value; } rows[] = {
		{ "{key}", d->key_setting }, { "{url}", d->url_setting }, { "{models}", d->models },
		{ "{hint}", d->url_hint },
	};
	while (*todo != '\0') {
		size_t i = 0, n = sizeof(rows) / sizeof(rows[0]);
		while (i < n && !starts_with(todo, rows[i].name))
			i++;
		if (i < n)
			buf_puts(b, rows[i].value);
		else
			buf_putc(b, *todo);
		todo += i < n ? strlen(rows[i].name) : 1;
	}
}

/* Does the text contain the key, or a part that is long enough to be the key? */
static bool holds_key(const char *id, const char *key)
{
	enum { TELLING = 8 };
	char part[TELLING + 1] = "";
	if (key == NULL || *key == '\0')
		return false;
	memcpy(part, key, strnlen(key, TELLING));
	return strstr(id, part) != NULL || strstr(key, id) != NULL;
}

/* Its code or type, if that is a plain name. */
static const char *shown(const struct llm_failure *x)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
	const char *ids[] = { x->error->code, x->error->type };
	for (size_t i = 0; i < 2; i++)
		if (isalpha((unsigned char)ids[i][0]) && ids[i][strspn(ids[i], plain)] == '\0' &&
		    !holds_key(ids[i], x->key))
			return ids[i];
	return NULL;
}

static enum errcode say(const struct llm_failure *x, const char *what, const char *about,
    const char *todo, struct err *e)
{
	struct buf b;
	buf_init(&b, sizeof(e->msg));
	put_todo(&b, todo, x->dialect);
	err_set(e, ERR_UPSTREAM, "%s: %s (%s): %s", x->host, what, about, b.p);
	buf_release(&b);
	return ERR_UPSTREAM;
}

enum errcode llm_failure(const struct llm_failure *x, struct llm_fault *fault,
    struct err *e)
{
	bool ok = x->status >= 200 && x->status <= 299;
	int status = status_of(x);
	enum llm_verdict v = x->verdict;
	char about[160];
	if (!ok)
		v = x->html && (status == 400 || status == 404 || status == 405) ? VERDICT_HTML :
		    VERDICT_REFUSED;
	if (v == VERDICT_TOO_BIG)
		return err_set(e, ERR_UPSTREAM, "%s: reply larger than %zu bytes "
		    "(AVIATION_AGENT_LLM_MAX_REPLY)", x->host, x->max_reply);
	if (v != VERDICT_REFUSED) {
		fault->retry = verdicts[v].retry;
		fault->outage = verdicts[v].outage;
		fault->answered = !fault->outage;
		snprintf(about, sizeof(about), "HTTP %d", x->status);
		return say(x, verdicts[v].what, about, verdicts[v].todo, e);
	}
	const struct rule *r = rules;
	while (!fits(r, status, x->error))
		r++;
	fault->retry = r->retry;
	fault->outage = r->outage;
	fault->answered = !r->outage;
	fault->retry_after_ms = x->retry_after_ms;
	bool no_key = status == 401 && x->key == NULL;
	const char *id = shown(x);
	char wait[48] = "";
	if (r->retry && x->retry_after_ms > 0)
		snprintf(wait, sizeof(wait), ", it asks to wait %lld s",
		    (long long)(x->retry_after_ms + 999) / 1000);
	snprintf(about, sizeof(about), "%s %d%s%s%s", ok ? "in its reply" : "HTTP", status,
	    id == NULL ? "" : ", ", id == NULL ? "" : id, wait);
	return say(x, no_key ? "it wants a key" : r->what, about, no_key ? "set {key}" : r->todo, e);
}
