/*
 * Retries, the same for every provider. A call is tried a few times with one model, and then with
 * the fallback model. Each attempt passes the gate and is judged there; it is either the last one
 * or followed by a pause.
 *
 * Three things end a call at once: the reader has the first words of an answer (a second answer
 * would not fit them), the gate lets no call through (the fallback model is behind the same gate),
 * or the turn ends.
 */
#include "services/llm.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "services/llm_gate.h"
#include "services/llm_thoughts.h"

enum { PAUSE_MAX_MS = 8000, RETRY_AFTER_MAX_MS = 20000, EMBED_BATCH = 100, EMBED_RETRIES = 3 };

#define BLANKS " \t\r\n"

struct llm {
	struct llm_provider *p;
	struct llm_gate *gate;
	int64_t backoff_ms;
	const char *unusable;
};

/* A call of llm_chat() or llm_embed(): what both share. */
struct asking {
	struct llm *l;
	const char *purpose, *model;   /* the model asked now */
	const struct watch *w;
	int max_retries;
	/* One attempt; adds to `used`. Sets `over` when it must be the last. */
	enum errcode (*once)(struct asking *q, struct llm_fault *fault, struct err *e);
	void *arg;
	/* passed the gate: llm_gate_leave() must follow, with probe */
	bool over, ungated, entered;
	int attempts;
	int64_t began_ms, probe;
	struct llm_usage used;
};

struct llm *llm_open(struct llm_provider *p, const struct llm_config *c)
{
	struct llm *l = heap_new(sizeof(*l));
	*l = (struct llm){ p, c->gate, c->backoff_ms, c->unusable };
	return l;
}

void llm_close(struct llm *l)
{
	if (l == NULL)
		return;
	if (l->p != NULL)
		l->p->ops->close(l->p);
	free(l);
}

bool llm_usable(const struct llm *l)
{
	return l->p != NULL;
}

bool llm_embeds(const struct llm *l)
{
	return l->p != NULL && l->p->ops->embed != NULL;
}

const char *llm_status(const struct llm *l)
{
	if (l == NULL)
		return "up";
	return !llm_usable(l) ? "unusable" :
	    l->gate != NULL && rest_left_ms(&l->gate->rest) > 0 ? "resting" : "up";
}

const char *llm_name(const struct llm *l)
{
	return l->p != NULL ? l->p->ops->name : "none";
}

/* Counts come from outside, so a count below zero or too large is corrected. */
static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;
	return b <= 0 ? a : __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void llm_usage_add(struct llm_usage *sum, const struct llm_usage *u)
{
	sum->input = plus(sum->input, u->input);
	sum->output = plus(sum->output, u->output);
	sum->cached = plus(sum->cached, u->cached);
	sum->estimated |= u->estimated;
}

/* -- one model, until it answers or is given up -- */

static enum llm_outcome outcome(enum errcode rc, const struct llm_fault *f)
{
	if (rc == OK || (rc == ERR_UPSTREAM && f->answered))
		return LLM_ANSWERED;
	return rc == ERR_UPSTREAM && f->outage ? LLM_OUTAGE : LLM_NO_VERDICT;
}

static enum errcode attempt(struct asking *q, struct llm_fault *fault, struct err *e)
{
	struct llm *l = q->l;
	bool full = false;
	q->entered = false;
	if (l->p == NULL) {
		q->over = true;
		return err_set(e, ERR_UPSTREAM, "%s", l->unusable);
	}
	if (l->gate != NULL && !q->ungated) {
		enum errcode rc = llm_gate_enter(l->gate, q->w, &q->probe, &full, e);
		q->entered = rc == OK;
		q->over = rc != OK;
		if (rc != OK)
			return full ? err_set(e, ERR_UPSTREAM, "%s", e->msg) : rc;
	}
	q->attempts++;
	return q->once(q, fault, e);
}

/*
 * Full jitter: a random time up to a limit that doubles, so that calls that failed together do not
 * come back together. It is added to the time that the provider asks for, for the same reason.
 */
static int64_t pause_ms(int64_t limit, int n, int64_t retry_after)
{
	uint64_t r;
	for (; n > 0 && limit < PAUSE_MAX_MS; n--)
		limit *= 2;
	if (limit > PAUSE_MAX_MS)
		limit = PAUSE_MAX_MS;
	if (limit < 0)
		limit = 0;
	id_random(&r, sizeof(r));
	return (int64_t)(r % (uint64_t)(limit + 1)) + (retry_after > 0 ? retry_after : 0);
}

/* ERR_UPSTREAM with q->over unset: another model may be tried. */
static enum errcode ask_model(struct asking *q, struct err *e)
{
	for (int n = 0;; n++) {
		struct llm_fault fault = { .retry_after_ms = -1 };
		int before = q->attempts;
		e->msg[0] = '\0';
		enum errcode rc = attempt(q, &fault, e);
		bool again = rc == ERR_UPSTREAM && !q->over && fault.retry && n < q->max_retries &&
		    fault.retry_after_ms <= RETRY_AFTER_MAX_MS;
		/* a model that fails counts once, however often it was tried: the fallback model is
		 * behind the same gate and must get its chance */
		if (q->entered)
			llm_gate_leave(q->l->gate, q->probe, again ? LLM_NO_VERDICT : outcome(rc, &fault));
		if (rc != ERR_UPSTREAM)
			return rc;
		int64_t ms = again ? pause_ms(q->l->backoff_ms, n, fault.retry_after_ms) : -1;
		/* a model without functions is no failure: the caller asks in another way */
		if (q->attempts > before && !fault.no_functions)
			log_msg(LOG_WARN, "llm_attempt", "purpose=%s model=%s attempt=%d again_in_ms=%lld "
			    "retry_after_ms=%lld outage=%d why=\"%s\"", q->purpose, q->model,
			    q->attempts, (long long)ms, (long long)fault.retry_after_ms,
			    fault.outage, e->msg);
		if (!again) {
			err_prefix(e, "%s", q->model);
			return rc;
		}
		if ((rc = watch_sleep(q->w, ms)) != OK)
			return err_set(e, rc, "given up before asking %s again", q->model);
	}
}

/* "gpt-4o: why; gpt-4o-mini: why". Both end with what to change; if they are too long together, the
 * first one is cut. */
static void tell_both(const char *purpose, const struct err *first, struct err *e)
{
	size_t n = strlen(first->msg), used = strlen(purpose) + strlen(e->msg) + sizeof(": ; ");
	size_t room = used < sizeof(e->msg) ? sizeof(e->msg) - used : 0;
	err_set(e, ERR_UPSTREAM, "%.*s; %s", (int)utf8_cut(first->msg, n, n < room ? n : room),
	    first->msg, e->msg);
}

/* The end of a call: a line in the log, and the message. */
static enum errcode finish(struct asking *q, enum errcode rc, const struct err *why, struct err *e)
{
	log_msg(LOG_INFO, "llm_call", "purpose=%s model=%s attempts=%d ms=%lld input=%lld output=%lld "
	    "estimated=%d cached=%lld provider=%s result=%s", q->purpose, q->model, q->attempts,
	    (long long)(clock_mono_ms() - q->began_ms), (long long)q->used.input,
	    (long long)q->used.output, q->used.estimated, (long long)q->used.cached, llm_name(q->l),
	    err_row(rc)->name);
	if (rc != OK)
		err_set(e, rc, "%s: %s", q->purpose, why->msg[0] != '\0' ? why->msg : "given up");
	return rc;
}

/* -- chat -- */

struct chat {
	struct arena *mem;
	const struct llm_request *req;
	struct llm_reply reply;
	bool no_functions, unasked;
	/* the text on its way to the reader */
	llm_text_fn *on_text;
	void *arg;
	/* also counts leading blanks, which may be the whole reply */
	struct thoughts thoughts;
	bool given;
	enum errcode refused;          /* set by on_text */
};

static enum errcode give(struct chat *c, const char *text)
{
	c->given = true;
	return c->refused = c->on_text(c->arg, text);
}

static enum errcode pass_on(void *arg, const char *text)
{
	struct chat *c = arg;
	struct buf out;
	if (c->on_text == NULL || *text == '\0')
		return OK;
	if (c->thoughts.past)
		return give(c, text);
	buf_init(&out, SIZE_MAX / 2);
	thoughts_feed(&c->thoughts, text, &out);
	enum errcode rc = out.n > 0 ? give(c, out.p) : OK;
	buf_release(&out);
	return rc;
}

/* A reply as short as the beginning of a tag. */
static enum errcode pass_rest(struct chat *c)
{
	struct buf out;
	buf_init(&out, SIZE_MAX / 2);
	thoughts_end(&c->thoughts, &out);
	enum errcode rc = c->on_text != NULL && out.n > 0 ? give(c, out.p) : OK;
	buf_release(&out);
	return rc;
}

/* A function call in place of a text is not an answer either. */
static bool is_empty(const struct llm_request *req, const struct llm_reply *r)
{
	return (req->tools == NULL || req->choice == LLM_NONE || r->ncalls == 0) &&
	    r->text[strspn(r->text, BLANKS)] == '\0';
}

/* finish_reason for a message: a plain word, or nothing, because it comes from outside. */
static const char *reason(const struct llm_reply *r)
{
	size_t n = strspn(r->finish, "abcdefghijklmnopqrstuvwxyz_");
	return n > 0 && n < 32 && r->finish[n] == '\0' ? r->finish : "unknown";
}

static enum errcode chat_once(struct asking *q, struct llm_fault *fault, struct err *e)
{
	struct chat *c = q->arg;
	struct llm_request req = *c->req;
	req.model = q->model;
	req.fallback_model = NULL;
	c->reply = (struct llm_reply){ .text = "", .finish = "", .model = q->model };
	c->thoughts = (struct thoughts){ .n = 0 };
	enum errcode rc = q->l->p->ops->chat(q->l->p, c->mem, &req, pass_on, c, q->w, &c->reply, fault,
	    e);
	llm_usage_add(&q->used, &c->reply.usage);
	c->reply.text = thoughts_skip(c->reply.text);
	if (rc == OK)
		rc = pass_rest(c);
	q->over = c->given || c->refused != OK || fault->no_functions;
	if (c->refused != OK) {
		/* a failure after this is not the provider's */
		*fault = (struct llm_fault){ .retry_after_ms = -1 };
		return err_set(e, c->refused, "the reply could not be passed on");
	}
	c->no_functions = rc == ERR_UPSTREAM && fault->no_functions;
	c->unasked = fault->unasked;
	if (rc != OK || req.empty || !is_empty(&req, &c->reply))
		return rc;
	/* the provider has answered, so this is no outage */
	*fault = (struct llm_fault){ .retry = true, .answered = true, .retry_after_ms = -1 };
	return err_set(e, ERR_UPSTREAM, "the model gave an empty answer (finish_reason %s): try another "
	    "model", reason(&c->reply));
}

enum errcode llm_chat(struct llm *l, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
    bool *no_functions, struct err *e)
{
	struct chat c = { .mem = a, .req = req, .on_text = on_text, .arg = arg };
	struct asking q = { .l = l, .purpose = req->purpose, .model = req->model, .w = w,
		.max_retries = req->max_retries, .ungated = req->ungated, .once = chat_once, .arg = &c,
		.began_ms = clock_mono_ms() };
	struct err why = { 0 }, first;
	enum errcode rc = ask_model(&q, &why);
	if (rc == ERR_UPSTREAM && !q.over && req->fallback_model != NULL &&
	    !streq(req->fallback_model, req->model)) {
		first = why;
		q.model = req->fallback_model;
		if ((rc = ask_model(&q, &why)) == ERR_UPSTREAM)
			tell_both(q.purpose, &first, &why);
	}
	*out = rc == OK ? c.reply : (struct llm_reply){ .text = "", .finish = "" };
	out->model = arena_strdup(a, q.model);
	out->usage = q.used;
	out->unasked = c.unasked;
	if (no_functions != NULL)
		*no_functions = c.no_functions;
	return finish(&q, rc, &why, e);
}

/* -- texts with which many requests begin -- */

const char *llm_quote(struct arena *a, const char *text)
{
	struct buf b;
	buf_init(&b, SIZE_MAX / 2);
	jsn_print_str(&b, text);
	const char *quoted = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return quoted;
}

struct llm_tools llm_tools_print(struct arena *a, const struct llm_tool *tools, size_t n)
{
	struct llm_tool_text *list = arena_array(a, n, sizeof(*list));
	struct buf b;
	buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < n; i++) {
		const struct llm_tool_text *t = &list[i];
		list[i] = (struct llm_tool_text){ .bare = arena_strdup(a, tools[i].name),
			.name = llm_quote(a, tools[i].name), .doc = llm_quote(a, tools[i].doc),
			.parameters = jsn_text(a, tools[i].parameters, JSN_PLAIN),
			.arguments = jsn_len(jsn_get(tools[i].parameters, "properties")) > 0 };
		const char *const parts[] = { i == 0 ? "[" : ",", "{\"type\":\"function\",\"function\":{\"name\":",
			t->name, ",\"description\":", t->doc, ",\"parameters\":", t->parameters, "}}" };
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
			buf_puts(&b, parts[k]);
	}
	buf_putc(&b, ']');
	struct llm_tools out = { arena_strndup(a, b.p, b.n), b.n, list, n };
	buf_release(&b);
	return out;
}

/* -- embeddings -- */

struct batch {
	struct arena *mem;
	struct llm_embed_request req;  /* the model that is asked now */
	float *vectors;
	size_t dims;
};

static enum errcode embed_once(struct asking *q, struct llm_fault *fault, struct err *e)
{
	struct batch *b = q->arg;
	struct llm_usage used = { 0 };
	enum errcode rc = q->l->p->ops->embed(q->l->p, b->mem, &b->req, q->w, &b->vectors,
	    &b->dims, &used, fault, e);
	llm_usage_add(&q->used, &used);
	return rc;
}

enum errcode llm_embed(struct llm *l, struct arena *a, const struct llm_embed_request *req,
    const struct watch *w, float **vectors, size_t *dims, struct llm_usage *usage,
    struct err *e)
{
	struct batch b = { .mem = a, .req = *req };
	struct asking q = { .l = l, .purpose = "embeddings", .model = req->model, .w = w,
		.max_retries = EMBED_RETRIES, .ungated = req->ungated, .once = embed_once, .arg = &b,
		.began_ms = clock_mono_ms() };
	struct err why = { 0 };
	enum errcode rc = OK;
	*vectors = NULL;
	*dims = 0;
	if (l->p != NULL && !llm_embeds(l))
		rc = err_set(&why, ERR_UPSTREAM, "the provider %s makes no embeddings: set LLM_PROVIDER to one "
		    "that does (openai, gemini, ollama)", llm_name(l));
	for (size_t at = 0; rc == OK && at < req->n; at += b.req.n) {
		b.req.texts = req->texts + at;
		b.req.n = req->n - at < EMBED_BATCH ? req->n - at : EMBED_BATCH;
		if ((rc = ask_model(&q, &why)) != OK)
			break;
		if (at == 0) {
			*dims = b.dims;
			*vectors = arena_array(a, req->n, b.dims * sizeof(**vectors));
		}
		if (b.dims == 0 || b.dims != *dims)
			rc = err_set(&why, ERR_UPSTREAM, "%s: vectors of %zu and of %zu numbers: the "
			    "server mixes models", req->model, *dims, b.dims);
		else
			memcpy(*vectors + at * *dims, b.vectors, b.req.n * *dims * sizeof(**vectors));
	}
	*usage = q.used;
	return finish(&q, rc, &why, e);
}
