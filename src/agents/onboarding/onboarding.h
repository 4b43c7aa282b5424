/*
 * What the files of the onboarding agent share.
 */
#ifndef AGENTS_ONBOARDING_ONBOARDING_H
#define AGENTS_ONBOARDING_ONBOARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "agents/onboarding/agent.h"
#include "runtime/run.h"
#include "services/llm.h"
#include "services/prompt.h"
#include "tools/onboarding.h"

/* Limits of one turn; each is a setting. */
struct onboarding_limits {
	int64_t model_calls, tool_calls, failed_writes, exports;
	int64_t turn_ms, call_ms;
	int64_t history_tokens;
};

struct onboarding_words;  /* builtin/words.h */

/* What the model, or what stands in for it, does next: calls of tools, or without any the answer. */
struct onboarding_step {
	struct message_call *calls;
	size_t ncalls;
};

/* Decides the next step. The text belongs to the step; it is sent with run_text() as it comes. */
struct onboarding_strategy {
	const char *name;
	/* ERR_UPSTREAM: the model gave nothing */
	enum errcode (*next)(struct run *run, struct onboarding_step *out, struct err *e);
};
extern const struct onboarding_strategy onboarding_model, onboarding_builtin;

/* Process-wide and const once open; run->app points here. */
struct onboarding_app {
	const struct onboarding_strategy *strategy;
	struct llm *llm;                        /* NULL: there is none */
	const char *model, *company;
	const struct prompt *prompt, *summary;
	/* takes over when the model gives nothing; NULL: the turn fails then */
	const struct onboarding_strategy *spare;
	const char *export_dir;
	const struct onboarding_words *words;   /* of the built-in strategy */
	struct llm_tools functions;             /* the tools as the model sees them */
	struct toolset tools;
	struct tool_context context;
	struct onboarding_limits limits;
};

struct onboarding_state {
	/* kept between turns */
	struct json_object *fields;             /* all six; NULL: the turn has not begun */
	struct json_object *exported;           /* what the last export wrote; NULL: there was none */
	/* the same, for the built-in strategy: what it asked last (builtin/reading.h), and bits of fields
	 * that the employee does not want to tell, and that are to be asked for again */
	int asked;
	unsigned declined, again;
	/* of the turn */
	size_t began;                           /* how many messages there were when it began */
	const struct message_call *calls;       /* of the newest step */
	size_t ncalls, done;                    /* that many of them have a result */
	int64_t model_calls, tool_calls;
	/* calls that were refused, for each field; the last number is for calls that name no field */
	int64_t refused[ONBOARDING_FIELD__MAX + 1];
	int64_t files;                          /* exports that began to write the file */
	bool degraded;                          /* the spare strategy has taken over */
};

static inline const struct onboarding_app *app_of(const struct run *run)
{
	return run->app;
}

static inline struct onboarding_state *state_of(const struct run *run)
{
	return run->state;
}

extern const struct graph onboarding_graph;

/* The nodes. */
enum errcode node_ask(struct run *run, struct err *e);
enum errcode node_tools(struct run *run, struct err *e);

/* A summary of the record, as tools want it; `arg` is the run. */
enum errcode onboarding_summarise(void *arg, struct arena *a, struct json_object *fields, const char **out,
    struct err *e);

/* The record as channel state, and back. */
struct json_object *record_save(const struct run *run);
enum errcode record_load(struct run *run, struct json_object *o, struct err *e);
/* Make sure that there is one. */
void record_begin(struct run *run);
/* Change fields: the members of `update`. */
void record_apply(struct run *run, struct json_object *update);

/* The conversation for a model, as much as fits: whole turns, each with its calls and results. */
struct llm_message *talk_history(struct arena *a, const struct message *messages, size_t n,
    int64_t max_tokens, size_t *nout);

#endif
