/*
 * Language models: what is asked, what comes back, and the retries in between.
 *
 * A provider (services/llm_provider.h) makes one attempt. llm_chat() and llm_embed() are the policy
 * over any provider: concurrency cap and circuit breaker (services/llm_gate.h), retries with full
 * jitter, the fallback model, and the count of tokens. Thread-safe.
 */
#ifndef SERVICES_LLM_H
#define SERVICES_LLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"

struct json_object;
struct llm_gate;

struct llm_tool_call {
	const char *id;               /* the tool message that answers it has this id */
	const char *name;
	const char *arguments;        /* JSON as the model wrote it; may be invalid */
	/* What the provider wants back with the call when it is sent again (gemini's thought signature);
	 * keep it with the call. NULL: nothing. */
	const char *signature;
};

struct llm_message {
	const char *role;             /* "system", "user", "assistant" or "tool" */
	const char *content;          /* "" if an assistant message has only calls */
	/* content as JSON text, if it was printed already (llm_quote) */
	const char *quoted;
	const struct llm_tool_call *calls;     /* calls of an assistant message, in order */
	size_t ncalls;
	/* of a tool message: the call that it answers; NULL for the other roles */
	const char *call_id;
};

/* A function that the model may call. */
struct llm_tool {
	const char *name, *doc;
	struct json_object *parameters;        /* JSON schema */
};

/* Functions as text. They are the same in each turn, so they are printed once and then only copied.
 * Any number of threads may read them. */
struct llm_tools {
	/* in the form of chat completions: [{"type":"function","function":{…}},…] */
	const char *json;
	size_t n;                     /* its length */
	/* the parts, for providers with another form */
	const struct llm_tool_text *list;
	size_t count;
};
struct llm_tool_text {
	const char *bare;             /* the name */
	const char *name, *doc, *parameters;   /* as JSON */
	bool arguments;               /* it has any */
};

enum llm_choice {
	LLM_AUTO,                     /* the model may give text, calls, or both */
	LLM_REQUIRED,                 /* one call or more */
	LLM_NAMED,                    /* exactly one call, of the function `named` */
	LLM_NONE,                     /* only text */
};

/* Strings are borrowed for the call. */
struct llm_request {
	const char *purpose;                   /* "planner", "formatter", …: for log and errors */
	const char *model, *fallback_model;    /* fallback_model NULL: none */
	double temperature;
	const struct llm_message *messages;
	size_t nmessages;
	const struct llm_tools *tools;         /* NULL: the reply is text */
	enum llm_choice choice;                /* with tools */
	const char *named;                     /* of LLM_NAMED */
	bool one_call;                         /* ask for at most one call, where the provider knows that */
	bool stream;
	int max_retries;                       /* of each model */
	/* a person at a terminal asked: no cap, no breaker, no count */
	bool ungated;
	int64_t first_ms;                      /* until the reply begins */
	int64_t total_ms;                      /* until it has ended; 0: the provider's own limit */
	bool empty;                            /* accept an empty reply instead of asking again */
};

/* What calls cost. */
struct llm_usage {
	int64_t input, output;
	int64_t cached;               /* of input: what the provider had read before, at a lower price */
	/* some of it is estimated, because the provider did not say */
	bool estimated;
};

struct llm_reply {
	const char *text;             /* "" when there is none */
	const struct llm_tool_call *calls;     /* in the order of the reply; each has an id */
	size_t ncalls;
	const char *finish;           /* finish_reason: "stop", "tool_calls", "length", …; "" unknown */
	const char *model;            /* the model that answered */
	/* of all attempts, also failed ones; valid after a failure too */
	struct llm_usage usage;
	bool unasked;                 /* the last attempt sent nothing: its refusal was known before;
	                               * valid after a failure as well */
};

/* Called with each piece of the text, complete UTF-8. Any result but OK ends the call with that
 * code. */
typedef enum errcode llm_text_fn(void *arg, const char *text);

/* Texts to embed. Strings are borrowed for the call. */
struct llm_embed_request {
	const char *model;
	const char *const *texts;
	size_t n;
	int64_t first_ms;             /* until a reply begins; 0: the provider's other limits do */
	bool ungated;                 /* as above */
};

/* -- providers ---------------------------------------------------------------- */

/* What went wrong in one attempt, in the terms that the policy needs. */
struct llm_fault {
	bool retry;                   /* the same request may work later */
	bool outage;                  /* the provider's failure: counts for the circuit breaker */
	bool answered;                /* the provider works: it refused by itself */
	bool no_functions;            /* this model takes no function calls */
	bool unasked;                 /* this was known before, so nothing was sent */
	int64_t retry_after_ms;       /* the provider asks to wait this long; -1: it does not say */
};

struct llm_provider;
struct llm_provider_ops {
	const char *name;             /* "openai" */
	/*
	 * Ask once. on_text gets the pieces of a streamed reply's text, or the whole text of
	 * another reply. Calls are in `out` when the reply is complete. The reply is in the arena.
	 * Usage is estimated if the provider sends none, also for an attempt that failed after its
	 * reply began. ERR_UPSTREAM with `fault` set and a message for operators that says what to
	 * change, without key, prompt or reply; also for a reply that ends without being finished.
	 * Codes of the watch and of on_text as they are.
	 */
	enum errcode (*chat)(struct llm_provider *p, struct arena *a, const struct llm_request *req,
	    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
	    struct llm_fault *fault, struct err *e);
	/* Embed n texts: n vectors of *dims floats, one after another, in the arena. NULL: this provider
	 * makes no embeddings. */
	enum errcode (*embed)(struct llm_provider *p, struct arena *a,
	    const struct llm_embed_request *req, const struct watch *w, float **vectors,
	    size_t *dims, struct llm_usage *usage, struct llm_fault *fault, struct err *e);
	void (*close)(struct llm_provider *p);
};
/* Embedded first in each provider. */
struct llm_provider {
	const struct llm_provider_ops *ops;
};

/* -- the client ------------------------------------------------------------------ */

struct llm;

struct llm_config {
	struct llm_gate *gate;        /* NULL: no cap, no breaker; released by its owner */
	int64_t backoff_ms;           /* first retry waits 0 to this, the next 0 to twice that, … */
	/* if there is no provider: the reason, which every call reports; borrowed */
	const char *unusable;
};

/* Takes the provider over; llm_close() closes it. NULL with c->unusable set: every call fails. */
struct llm *llm_open(struct llm_provider *p, const struct llm_config *c);
void llm_close(struct llm *l);                 /* NULL is allowed */
bool llm_usable(const struct llm *l);          /* false: without a provider, every call fails */
bool llm_embeds(const struct llm *l);          /* it can make embeddings */
const char *llm_name(const struct llm *l);     /* of the provider; "none" without */
/* "up" as far as is known; "resting": its circuit breaker is open; "unusable": settings are wrong.
 * NULL: the built-in provider, which is always up. */
const char *llm_status(const struct llm *l);

/*
 * Ask until there is a reply: retries, then the fallback model. Once a piece of text was handed to
 * on_text nothing is tried again; blanks alone are held back until text follows. A reply with
 * neither text nor a call counts as a failed attempt. on_text may be NULL.
 *
 * ERR_UPSTREAM: no reply, the message says why and what to change. ERR_HUP, ERR_TIMEOUT,
 * ERR_OVERLOAD, …: from the watch (the turn is over), or from on_text. *no_functions (may be
 * NULL) is set when the call failed because the model takes no functions: ask again without.
 */
enum errcode llm_chat(struct llm *l, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
    bool *no_functions, struct err *e);

/* Embed texts, with retries; any n, sent in batches. Errors as llm_chat(). */
enum errcode llm_embed(struct llm *l, struct arena *a, const struct llm_embed_request *req,
    const struct watch *w, float **vectors, size_t *dims, struct llm_usage *usage,
    struct err *e);

/* Print functions and texts with which many requests begin. */
struct llm_tools llm_tools_print(struct arena *a, const struct llm_tool *tools, size_t n);
const char *llm_quote(struct arena *a, const char *text);

/* Add one account to another. */
void llm_usage_add(struct llm_usage *sum, const struct llm_usage *u);

#endif
