/*
 * The conversation as a model sees it. A turn is sent whole or not at all: a call without its result, or a
 * result without its call, would be refused.
 */
#include "agents/onboarding/onboarding.h"

#include <string.h>

#include "base/str.h"
#include "services/tokens.h"

enum { MESSAGE_TOKENS = 4 };      /* what a message costs besides its text */

static int64_t cost(const struct message *m)
{
	int64_t n = MESSAGE_TOKENS + tokens_guess(m->content, strlen(m->content));
	for (size_t i = 0; i < m->ncalls; i++)
		n += MESSAGE_TOKENS + tokens_guess(m->calls[i].arguments, strlen(m->calls[i].arguments));
	return n;
}

/* Where the newest turns begin that fit. The current turn always fits. */
static size_t first_of(const struct message *m, size_t n, int64_t max_tokens)
{
	size_t first = n;
	int64_t used = 0;
	bool any = false;
	for (size_t i = n; i-- > 0;) {
		used += cost(&m[i]);
		if (any && used > max_tokens)
			break;
		if (streq(m[i].role, "user")) {
			any = true;
			first = i;
		}
	}
	return first;
}

/* Clients cannot put a system message of their own before the model. */
static bool is_sent(const struct message *m)
{
	return streq(m->role, "user") || streq(m->role, "assistant") || streq(m->role, "tool");
}

static struct llm_message message_of(struct arena *a, const struct message *m)
{
	struct llm_tool_call *calls = arena_array(a, m->ncalls + 1, sizeof(*calls));
	for (size_t i = 0; i < m->ncalls; i++)
		calls[i] = (struct llm_tool_call){ .id = m->calls[i].id, .name = m->calls[i].name,
			.arguments = m->calls[i].arguments, .signature = m->calls[i].signature };
	return (struct llm_message){ .role = m->role, .content = m->content, .calls = calls,
		.ncalls = m->ncalls, .call_id = m->call_id };
}

struct llm_message *talk_history(struct arena *a, const struct message *messages, size_t n,
    int64_t max_tokens, size_t *nout)
{
	/* one place before them, for the system message */
	struct llm_message *out = arena_array(a, n + 1, sizeof(*out));
	*nout = 1;
	for (size_t i = first_of(messages, n, max_tokens); i < n; i++)
		if (is_sent(&messages[i]))
			out[(*nout)++] = message_of(a, &messages[i]);
	return out;
}
