/*
 * The strategy that asks a language model. The prompt is put before the conversation in each call and never
 * stored, so a changed prompt applies to conversations that have begun.
 */
#include "agents/onboarding/onboarding.h"

#include <string.h>

#include "base/clock.h"
#include "base/str.h"

enum {
	RETRIES = 2,
	ID_BYTES = 128, NAME_BYTES = 64,
	ARGUMENTS_BYTES = 16 << 10,     /* longer ones are refused, and not stored */
};

#define TEMPERATURE 0.2

static enum errcode on_text(void *arg, const char *text)
{
	return run_text(arg, text);
}

/* A model may send what no thread can hold: it is cut to what can be stored, and the tool refuses it. */
static struct message_call call_of(struct arena *a, const struct llm_tool_call *c)
{
	char id[ID_SIZE];
	const bool named = id_valid(c->name, NAME_BYTES), known = *c->id != '\0' && strlen(c->id) <= ID_BYTES;
	const size_t n = strlen(c->arguments);
	id_message(id);
	return (struct message_call){
		.id = arena_strdup(a, known ? c->id : id),
		.name = arena_strdup(a, named ? c->name : "unknown"),
		.arguments = n <= ARGUMENTS_BYTES ? arena_strdup(a, c->arguments) :
		    "\"the arguments were too long\"",
		.signature = c->signature != NULL && strlen(c->signature) <= ARGUMENTS_BYTES ?
		    arena_strdup(a, c->signature) : NULL,
	};
}

static void take_calls(struct arena *a, const struct llm_reply *reply, struct onboarding_step *out)
{
	out->calls = arena_array(a, reply->ncalls + 1, sizeof(*out->calls));
	for (size_t i = 0; i < reply->ncalls && out->ncalls < STORE_CALLS_MAX; i++)
		out->calls[out->ncalls++] = call_of(a, &reply->calls[i]);
}

static enum errcode next(struct run *run, struct onboarding_step *out, struct err *e)
{
	const struct onboarding_app *app = app_of(run);
	const struct watch w = run_watch(run);
	struct arena *a = arena_new();
	struct llm_reply reply = { .text = "" };
	const char *const values[] = { app->company };
	struct llm_request req = {
		.purpose = "onboarding",
		.model = app->model,
		.temperature = TEMPERATURE,
		.tools = &app->functions,
		.choice = LLM_AUTO,
		.one_call = true,
		.stream = true,
		.max_retries = RETRIES,
		.first_ms = app->limits.call_ms,
		.total_ms = app->limits.call_ms,
	};
	struct llm_message *talk = talk_history(a, run->messages, run->nmessages, app->limits.history_tokens,
	    &req.nmessages);
	talk[0] = (struct llm_message){ .role = "system", .content = prompt_fill(app->prompt, a, values) };
	req.messages = talk;
	enum errcode rc = run_flush(run);
	if (rc == OK)
		rc = llm_chat(app->llm, a, &req, on_text, run, &w, &reply, NULL, e);
	run_tokens(run, reply.usage.input, reply.usage.output, reply.usage.estimated);
	if (rc == OK)
		take_calls(run->mem, &reply, out);
	arena_free(a);
	return rc;
}

const struct onboarding_strategy onboarding_model = { "model", next };
