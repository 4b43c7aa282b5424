/*
 * Talking to the model: the messages of a request, how much of the conversation is sent with them,
 * the call itself with what a run must know of it, and objects inside a reply.
 *
 * Only messages of users and the assistant are sent. A client may put `system` messages into a
 * thread, and the model would give them the same weight as ours.
 *
 * The parts of a request are not kept with the run: a thousand runs may wait for a model at once,
 * and a catalogue or a tool's result for each would add up.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "agents/aviation/agent.h"
#include "base/clock.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/tokens.h"

enum {
	MESSAGE_TOKENS = 4,       /* what a message costs besides its text */
	OBJECTS_MAX = 16,         /* how many objects of a reply are looked at */
};

size_t model_history(const struct message *messages, size_t n, int64_t max_tokens)
{
	size_t first = n;
	int64_t used = 0;
	bool any = false;                /* a whole turn is kept already */

	for (size_t i = n; i-- > 0;) {
		if (message_is_said(&messages[i]))
			used += MESSAGE_TOKENS + tokens_guess(messages[i].content,
			    strlen(messages[i].content));
		if (any && used > max_tokens)
			break;
		/* the messages before the first user message (a greeting) are a turn too */
		if (streq(messages[i].role, "user") || i == 0) {
			any |= streq(messages[i].role, "user");
			first = i;
		}
	}
	return first;
}

struct model_talk model_talk(struct arena *a, size_t room)
{
	return (struct model_talk){ .messages = arena_array(a, room, sizeof(struct llm_message)) };
}

void model_say(struct model_talk *t, const char *role, const char *content)
{
	t->messages[t->n++] = (struct llm_message){ .role = role, .content = content };
}

/* The messages from `from` to before `to`, each at most as long as its share. */
static void say_cut(struct model_talk *t, struct arena *a, const struct message *m, size_t from,
    size_t to, int64_t share)
{
	for (size_t i = from; i < to; i++)
		if (message_is_said(&m[i]))
			model_say(t, m[i].role, model_cut(a, m[i].content, share));
}

/*
 * As many whole turns as fit. A follow-up means nothing without the turn before it. If a long
 * answer leaves no room for that turn, it is sent shortened.
 */
void model_say_history(struct model_talk *t, struct arena *a, const struct run *run,
    int64_t max_tokens)
{
	enum { WORTH_TOKENS = 60 };
	const struct message *m = run->messages;
	size_t n = run->nmessages, first = model_history(m, n, max_tokens);
	size_t current = model_history(m, n, 0), before = model_history(m, current, 0);
	int64_t left = max_tokens;

	for (size_t i = current; i < n; i++)
		if (message_is_said(&m[i]))
			left -= MESSAGE_TOKENS + tokens_guess(m[i].content, strlen(m[i].content));
	if (first == current && before < current && left > WORTH_TOKENS)
		say_cut(t, a, m, before, current, left / (int64_t)(current - before) - MESSAGE_TOKENS);
	say_cut(t, a, m, first, n, max_tokens);
}

/* A silent model must leave time for the fallback model and for the built-in strategies. */
static int64_t patience(const struct run *run, int64_t ms)
{
	enum { SHARES = 3 };
	int64_t left = run->started_ms + run->limits.deadline_ms - clock_mono_ms();
	if (run->limits.deadline_ms <= 0 || left / SHARES >= ms)
		return ms;
	return left > SHARES ? left / SHARES : 1;
}

struct llm_request model_request(const struct run *run, const struct model *m,
    const struct llm_role *role, const char *purpose)
{
	return (struct llm_request){
		.purpose = purpose,
		.model = role->model,
		.fallback_model = m->config->fallback.model,
		.temperature = role->temperature,
		.stream = role->streaming,
		.max_retries = (int)role->max_retries,
		.first_ms = patience(run, m->first_ms > 0 ? m->first_ms : role->request_timeout * 1000),
	};
}

enum errcode model_ask(struct run *run, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, struct llm_reply *reply, bool *no_functions,
    struct err *e)
{
	const struct aviation_app *app = run->app;
	struct aviation_state *st = run->state;
	const struct watch w = run_watch(run);

	*reply = (struct llm_reply){ .text = "", .finish = "" };
	*e = (struct err){ OK, "" };
	enum errcode rc = llm_chat(app->model->llm, a, req, on_text, arg, &w, reply,
	    no_functions, e);
	run_tokens(run, reply->usage.input, reply->usage.output, reply->usage.estimated);
	if (rc == OK && reply->model != NULL && !streq(reply->model, req->model))
		st->fallback_model = arena_strdup(run->mem, reply->model);
	if (rc != OK && e->code != rc)
		err_set(e, rc, "%s: the turn ended while the model was asked", req->purpose);
	return rc;
}

/* -- an object in a reply -- */

/* Length of the object that begins at p, by its braces; 0: it does not end. */
static size_t object_length(const char *p)
{
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; p[i] != '\0'; i++) {
		if (in_string) {
			if (p[i] == '\\' && p[i + 1] != '\0')
				i++;
			else if (p[i] == '"')
				in_string = false;
		} else if (p[i] == '"') {
			in_string = true;
		} else if (p[i] == '{') {
			depth++;
		} else if (p[i] == '}' && --depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

const char *model_object_in(struct arena *a, const char *text, model_take_fn *take,
    const void *arg)
{
	const char *p = strchr(text, '{');

	for (int tries = 0; p != NULL && tries < OBJECTS_MAX; tries++) {
		struct json_object *o = NULL;
		size_t n = object_length(p);
		if (n > 0 && jsn_parse(a, p, n, JSN_DEPTH, &o, NULL, NULL) == OK) {
			const char *taken = take(a, arg, o);
			if (taken != NULL)
				return taken;
		}
		p = strchr(p + (o != NULL ? n : 1), '{');
	}
	return NULL;
}
