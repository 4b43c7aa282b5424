/*
 * The language model as the aviation agent uses it: its prompts, examples and tool texts, loaded
 * and checked once, and the two strategies that plan and write with it (agents/aviation/planner.h).
 *
 * The strategies do not know what happens when the provider gives nothing: they return
 * ERR_UPSTREAM.
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

#define MODEL_NO_TOOL "no_tool"        /* the function that says that no tool serves */
#define MODEL_PLAN_FUNCTION "AviationPlan"     /* the older form: a plan is the call of one function */
/* the member of a plan, and the argument of a function, that says how the answer is written */
#define MODEL_STYLE_KEY "answer_style"
#define MODEL_STYLE "narrative_markdown"

struct model_example {
	const char *question, *answer;         /* answer: its plan as JSON */
	const char *call;                      /* the same as a call: "tool {arguments}" */
	const struct tool *tool;               /* the tool of its plan; NULL: none */
};

/* What a request for a plan begins with: it depends on the offered tools alone, and on whether the
 * model takes functions. */
struct model_opening {
	struct toolset offered;
	bool text;                             /* it takes none: the tools are in the system message */
	struct llm_tools tools;
	const char *system, *quoted;           /* the system message, and the same as JSON */
};
/* all tools, those for airports, those for rules; each as functions and as text */
enum { MODEL_OPENINGS = 6 };

/* Process-wide and const once open. */
struct model {
	struct llm *llm;                       /* NULL: there is none, texts were only checked */
	const struct aviation_config *config;
	const struct prompt *planner, *formatter, *comparison;
	struct model_example *examples;
	size_t nexamples;
	struct toolset tools;                  /* the tools of the process */
	const char *const *docs;               /* a text for each: the site's, or the built-in one */
	struct model_opening openings[MODEL_OPENINGS];
	size_t nopenings;
	/* longest wait for a reply's first byte; 0: the role's request_timeout */
	int64_t first_ms;
	int64_t history_tokens, result_tokens; /* budgets */
};

struct model_limits {
	int64_t first_ms, history_tokens, result_tokens;
};

/*
 * Load and check prompts, examples and tool texts into the arena; llm may be NULL. An example is
 * left out, with a line in the log, if it cannot be read, a side of it is empty, or its answer is a
 * plan that would be refused. ERR_CONFIG, ERR_IO with file, line or key, and reason. If llm is not
 * NULL, a role without a model is ERR_CONFIG.
 */
enum errcode model_open(struct model *m, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct llm *llm, const struct model_limits *limits, struct err *e);

/* The catalogue of all tools that are offered, with the site's own texts where it has some. A text
 * that is missing or empty is replaced by the built-in one, with a line in the log. ERR_CONFIG: a
 * text is too large or not UTF-8. */
enum errcode model_catalog(const char **out, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct err *e);

/* What a tool does, for models: the site's text, or the built-in one. */
const char *model_tool_doc(const struct model *m, const struct tool *t);

/* -- pieces, pure ---------------------------------------------------------------- */

/* The planner's answer as a plan: JSON text of {"selected_tool","arguments","answer_style"}.
 * Arguments that are null are left out; the tool "no_tool" or "none" gives a plan without a tool.
 * ERR_PLANNER with what is wrong, in words for the model. plan_check() must follow. */
enum errcode model_plan_parse(struct arena *a, struct toolset tools, const char *json,
    struct plan *out, struct err *e);
/* The same of a call: of a tool, of MODEL_NO_TOOL, or of AviationPlan, whose arguments are such a
 * plan. */
enum errcode model_call_parse(struct arena *a, struct toolset tools,
    const struct llm_tool_call *c, struct plan *out, struct err *e);
/* The plan in a text as JSON, whatever is written around it; NULL: it holds none. */
const char *model_plan_in(struct arena *a, struct toolset tools, const char *text);
/* A plan as the text of a call: "tool {arguments}". */
const char *model_call_text(struct arena *a, const struct plan *p);
/* Text of a model that may stand in a message: one line, bounded, nothing like a tag. */
const char *model_clean(struct arena *a, const char *s, size_t n, size_t max);

/* The conversation that fits a budget: index of the first message to send. The newest whole turns
 * (a user's message and the messages after it) are kept, and always the last user message. Only
 * messages of user and assistant are sent and count. */
size_t model_history(const struct message *messages, size_t n, int64_t max_tokens);

/*
 * A tool's result as JSON text (2-space indent) of at most max_tokens, as far as possible. Left out
 * are `visualization`, which only draws, `pretty`, which the prompt shows elsewhere, and texts that
 * repeat the rules of a list. Then the longest lists and the longest texts lose their ends, until
 * the result fits. Short ones stay whole, and every list keeps its first element. What was cut is
 * told at the beginning, in `_shortened`: {"airports": "10 of 50", …}. Always valid JSON. "<" is
 * written \u003c, so that no text in it can end the block around it.
 */
const char *model_result(struct arena *a, struct json_object *result, int64_t max_tokens);

/* A text of at most max_tokens: whole lines if there are several, and a line that says so when
 * something is missing. */
const char *model_cut(struct arena *a, const char *text, int64_t max_tokens);

/* The planner's system message. text: the tools and the form of the answer are in it; else the tools
 * are functions. */
const char *model_system(struct arena *a, const struct model *m, const struct tool_context *ctx,
    bool text);
/* The form of a plan as text. */
extern const char model_plan_format[];
/* The message and the functions for the tools that ctx offers, made at start or now. */
struct model_opening model_opening(struct arena *a, const struct model *m,
    const struct tool_context *ctx, bool text);

/* The tags that rules have now, as "a, b"; "" without rules. */
const char *model_tags(struct arena *a, const struct tool_context *ctx);
/* Does the planner's prompt name them? Otherwise they stand behind the conversation. */
bool model_names_tags(const struct model *m);

/* The first object in a text that `take` accepts, whatever is written around it (explanations, ```
 * fences, <tool_call>); NULL: there is none. */
typedef const char *model_take_fn(struct arena *a, const void *arg, struct json_object *o);
const char *model_object_in(struct arena *a, const char *text, model_take_fn *take,
    const void *arg);

/* Text as a block of data in a prompt: <name> LF text LF </name>. "<" inside is written &lt;, so
 * that the text can neither end nor begin a block. */
const char *model_data(struct arena *a, const char *name, const char *text);

/* -- shared by the model's files ------------------------------------------------- */

/* Parts of model_open(): m->docs, and m->openings. */
enum errcode model_texts(struct model *m, struct arena *a, const struct aviation_config *b, struct err *e);
void model_prepare(struct model *m, struct arena *a);

/* The messages of a request, in order; `room` is for how many there is place. */
struct model_talk {
	struct llm_message *messages;
	size_t n;
};
struct model_talk model_talk(struct arena *a, size_t room);
void model_say(struct model_talk *t, const char *role, const char *content);
/* The conversation of user and assistant, as much as fits: whole turns; if not even the last turn
 * before the current message fits, that turn shortened. No message is longer than the budget. */
void model_say_history(struct model_talk *t, struct arena *a, const struct run *run,
    int64_t max_tokens);

/* A request with a role's settings, without messages. Its first byte may take a third of the turn's
 * remaining time. */
struct llm_request model_request(const struct run *run, const struct model *m,
    const struct llm_role *role, const char *purpose);
/* llm_chat() for a run: watched, counted, with a note when the fallback model answered. The
 * reply is in the arena; *e has the code that is returned. */
enum errcode model_ask(struct run *run, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, struct llm_reply *reply, bool *no_functions,
    struct err *e);

#endif
