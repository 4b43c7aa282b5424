/*
 * The language model as the aviation agent uses it: its prompts, examples and tool texts,
 * loaded and checked once, and the two strategies that plan and write with it
 * (agents/aviation/planner.h).
 *
 * Neither knows what happens when the provider gives nothing: they return ERR_UPSTREAM.
 */
#ifndef AGENTS_AVIATION_MODEL_H
#define AGENTS_AVIATION_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agents/aviation/config.h"
#include "agents/aviation/plan.h"
#include "agents/aviation/planner.h"
#include "base/arena.h"
#include "base/errs.h"
#include "runtime/run.h"
#include "services/llm.h"
#include "services/prompt.h"

struct model_example {
	const char *question, *answer;
	const struct tool *tool;               /* its plan's; NULL: none */
};

/* Process-wide and const once open. */
struct model {
	struct llm *llm;                       /* NULL: there is none, texts were only checked */
	const struct aviation_config *config;
	const struct prompt *planner, *formatter, *comparison;
	struct model_example *examples;
	size_t nexamples;
	struct toolset tools;                  /* all of the process */
	const char *const *entries;            /* of the catalogue, one for each of them */
	int64_t first_ms;                      /* to a reply's first byte; 0: the role's request_timeout */
	int64_t history_tokens, result_tokens; /* budgets */
};

struct model_limits {
	int64_t first_ms, history_tokens, result_tokens;
};

/*
 * Load and check prompts, examples and tool texts into the arena; llm may be NULL. Examples
 * that cannot be read, and those that are no good (a side is empty, or the answer is a plan
 * that would be refused), are left out with a line in the log. ERR_CONFIG, ERR_IO with file,
 * line or key, and reason. A model that a role needs and that is not set is ERR_CONFIG when
 * llm is not NULL.
 */
enum errcode model_open(struct model *m, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct llm *llm, const struct model_limits *limits, struct err *e);

/* The catalogue of all tools that are offered, with the site's own texts where there are some
 * (contract config.md §5.4). A text that is missing or empty gives the built-in one, with a line
 * in the log; ERR_CONFIG: one that is too large or not UTF-8. */
enum errcode model_catalog(const char **out, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct err *e);

/* -- pieces, pure ---------------------------------------------------------------- */

/* The planner's answer as a plan: JSON text of
 * {"selected_tool","arguments","answer_style"} (contract config.md §6.2). Arguments that
 * are null are left out; the tool "none" gives a plan without a tool. ERR_PLANNER with what
 * is wrong, in words for the model; plan_check() comes after. */
enum errcode model_plan_parse(struct arena *a, struct toolset tools, const char *json,
    struct plan *out, struct err *e);

/* The conversation that fits a budget: index of the first message to send. Whole turns (a
 * user's message and what follows it), newest kept, the last user message always. Messages
 * of neither user nor assistant cost nothing: they are not sent. */
size_t model_history(const struct message *messages, size_t n, int64_t max_tokens);

/*
 * A tool's result as JSON text (2-space indent) of at most max_tokens, as far as possible:
 * `visualization`, which draws and does not tell, `pretty`, which has a place of its own, and texts
 * that repeat the rules of a list are left out; then the longest lists lose
 * their ends and the longest texts theirs, until it fits. Short ones stay whole, and of every
 * list the first element. What was cut stands first, in `_shortened`: {"airports": "10 of
 * 50", …}. Always valid JSON; "<" is written \u003c, so that no text in it can end the block
 * it stands in.
 */
const char *model_result(struct arena *a, struct json_object *result, int64_t max_tokens);

/* Text of at most max_tokens: whole lines where there are some, and a line that says so
 * when something is missing. */
const char *model_cut(struct arena *a, const char *text, int64_t max_tokens);

/* The catalogue of the tools that ctx offers, from the entries of the open model. */
const char *model_tools(struct arena *a, const struct model *m, const struct tool_context *ctx);

/* The tags that rules have now, "a, b"; "" without rules. */
const char *model_tags(struct arena *a, const struct tool_context *ctx);

/* The object in a text that `take` makes something of: the first one, whatever is written around it
 * (explanations, ``` fences, <tool_call>); NULL: there is none. */
typedef const char *model_take_fn(struct arena *a, const void *arg, struct json_object *o);
const char *model_object_in(struct arena *a, const char *text, model_take_fn *take,
    const void *arg);

/* Text as a block of data in a prompt: <name> LF text LF </name>. "<" inside is written
 * &lt;, so that it can end or begin no block. */
const char *model_data(struct arena *a, const char *name, const char *text);

/* -- between the model's own files ----------------------------------------------- */

/* The messages of a request, in order; `room` is for how many there is place. */
struct model_talk {
	struct llm_message *messages;
	size_t n;
};
struct model_talk model_talk(struct arena *a, size_t room);
void model_say(struct model_talk *t, const char *role, const char *content);
/* The conversation of users and assistant, as much as fits: whole turns, else the last one before
 * the current message shortened; no message longer than the budget. */
void model_say_history(struct model_talk *t, struct arena *a, const struct run *run,
    int64_t max_tokens);

/* A request as a role's settings want it, without messages; its first byte may take a third of
 * what is left of the turn. */
struct llm_request model_request(const struct run *run, const struct model *m,
    const struct llm_role *role, const char *purpose);
/* llm_chat() for a run: watched, counted, with a note when the fallback model answered. The
 * reply is in the arena; *e has the code that is returned. */
enum errcode model_ask(struct run *run, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, struct llm_reply *reply, bool *no_functions,
    struct err *e);

#endif
