/*
 * A language model that follows a script, behind the real llm_chat(): it gives the replies of a
 * list, one for each attempt, and keeps the requests. At the end of the list it cannot be reached.
 */
#ifndef TESTS_UNIT_SCRIPTED_LLM_H
#define TESTS_UNIT_SCRIPTED_LLM_H

#include "base/jsn.h"
#include "base/str.h"
#include "services/llm.h"
#include "tests/unit/test.h"

enum { SCRIPTED_MAX = 16 };

/* One attempt's outcome. */
struct scripted_reply {
	const char *text;             /* "|" separates the pieces of a stream */
	const char *calls[4];         /* arguments of function calls; NULL: no more */
	const char *called;           /* the function that they call; NULL: AviationPlan */
	const char *names[4];         /* or the function of each */
	const char *finish;           /* NULL: "stop", or "tool_calls" */
	enum errcode rc;              /* the code with which it ends, after the text */
	bool retry, no_functions;     /* with ERR_UPSTREAM */
	bool unasked;                 /* … and this was known before */
	int64_t input, output;
	bool estimated;
};

/* A copy of a request. */
struct scripted_request {
	const char *model, *purpose;
	double temperature;
	bool stream;
	int64_t first_ms;
	int max_retries;
	/* as JSON, and the function that is forced; NULL: none */
	const char *tools, *named;
	enum llm_choice choice;
	struct llm_message *messages;
	size_t n;
};

struct scripted_llm {
	struct llm_provider base;
	struct arena *mem;
	const struct scripted_reply *replies;
	size_t nreplies, nasked;
	struct scripted_request asked[SCRIPTED_MAX];
};

static inline struct llm_message scripted_copy(struct arena *a, const struct llm_message *m)
{
	struct llm_tool_call *calls = arena_array(a, m->ncalls + 1, sizeof(*calls));
	for (size_t i = 0; i < m->ncalls; i++)
		calls[i] = (struct llm_tool_call){ arena_strdup(a, m->calls[i].id),
			arena_strdup(a, m->calls[i].name), arena_strdup(a, m->calls[i].arguments), NULL };
	cr_expect(m->quoted == NULL || streq(m->quoted, llm_quote(a, m->content)));
	return (struct llm_message){ .role = arena_strdup(a, m->role),
		.content = arena_strdup(a, m->content), .calls = calls, .ncalls = m->ncalls,
		.call_id = m->call_id == NULL ? NULL : arena_strdup(a, m->call_id) };
}

static inline void scripted_keep(struct scripted_llm *s, const struct llm_request *req)
{
	cr_assert_lt(s->nasked, SCRIPTED_MAX);
	struct scripted_request *r = &s->asked[s->nasked++];
	*r = (struct scripted_request){ .model = arena_strdup(s->mem, req->model),
		.purpose = req->purpose, .temperature = req->temperature, .stream = req->stream,
		.first_ms = req->first_ms, .max_retries = req->max_retries, .n = req->nmessages };
	if (req->tools != NULL) {
		r->tools = arena_strndup(s->mem, req->tools->json, req->tools->n);
		r->choice = req->choice;
		r->named = req->named == NULL ? NULL : arena_strdup(s->mem, req->named);
	}
	r->messages = arena_array(s->mem, r->n + 1, sizeof(*r->messages));
	for (size_t i = 0; i < r->n; i++)
		r->messages[i] = scripted_copy(s->mem, &req->messages[i]);
}

static inline enum errcode scripted_say(struct arena *a, const struct llm_request *req,
    const char *text, llm_text_fn *on_text, void *arg, struct llm_reply *out)
{
	enum errcode rc = OK;
	char *whole = arena_alloc(a, strlen(text) + 1), *end = whole;
	for (const char *p = text; rc == OK && *p != '\0';) {
		size_t n = strcspn(p, "|");
		memcpy(end, p, n);
		end[n] = '\0';
		if (req->stream && on_text != NULL && n > 0)
			rc = on_text(arg, end);
		end += n;
		p += n + (p[n] == '|');
	}
	if (!req->stream && on_text != NULL && *whole != '\0')
		rc = on_text(arg, whole);
	out->text = whole;
	return rc;
}

static inline enum errcode scripted_chat(struct llm_provider *p, struct arena *a,
    const struct llm_request *req, llm_text_fn *on_text, void *arg, const struct watch *w,
    struct llm_reply *out, struct llm_fault *fault, struct err *e)
{
	struct scripted_llm *s = (struct scripted_llm *)p;
	(void)w;
	scripted_keep(s, req);
	if (s->nasked > s->nreplies)
		return err_set(e, ERR_UPSTREAM, "llm.example:443: connection refused");
	const struct scripted_reply *r = &s->replies[s->nasked - 1];
	struct llm_tool_call *calls = arena_array(a, 4, sizeof(*calls));
	while (out->ncalls < 4 && r->calls[out->ncalls] != NULL) {
		calls[out->ncalls] = (struct llm_tool_call){ arena_printf(a, "id-%zu", out->ncalls),
			r->names[out->ncalls] != NULL ? r->names[out->ncalls]
			    : r->called != NULL ? r->called : "AviationPlan", r->calls[out->ncalls], NULL };
		out->ncalls++;
	}
	out->calls = calls;
	out->finish = r->finish != NULL ? r->finish : out->ncalls > 0 ? "tool_calls" : "stop";
	out->usage = (struct llm_usage){ .input = r->input, .output = r->output,
	    .estimated = r->estimated };
	enum errcode rc = scripted_say(a, req, r->text != NULL ? r->text : "", on_text, arg, out);
	*fault = (struct llm_fault){ .retry = r->retry, .no_functions = r->no_functions,
		.unasked = r->unasked,
		.retry_after_ms = -1 };
	if (rc == OK && r->rc != OK)
		rc = err_set(e, r->rc, "llm.example:443: it went wrong");
	return rc;
}

static inline void scripted_close(struct llm_provider *p)
{
	(void)p;
}

static const struct llm_provider_ops scripted_ops = { .name = "scripted", .chat = scripted_chat,
	.close = scripted_close };

static inline void scripted_init(struct scripted_llm *s, struct arena *a,
    const struct scripted_reply *replies, size_t n)
{
	*s = (struct scripted_llm){ .base = { &scripted_ops }, .mem = a, .replies = replies,
		.nreplies = n };
}

#endif
