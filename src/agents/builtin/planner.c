/*
 * The planner that needs no model.
 *
 * The conversation is the state: the newest messages are read backwards to the last one that
 * stands on its own, and from there the meanings are put together again. A message sent twice in
 * a row (some clients do) counts once.
 */
#include "agents/aviation/planner.h"

#include <string.h>

#include "agents/builtin/followup.h"
#include "agents/builtin/intents.h"
#include "base/str.h"

enum { TURNS = 12, WAIT_MS = 200 };

struct turn {
	const char *text;         /* the pilot's */
	const char *answer;       /* the assistant's before it, or NULL */
	struct query *query;
};

/* The last turns of the conversation, newest first. */
static size_t collect(const struct run *run, struct turn turns[static TURNS])
{
	size_t n = 0;
	bool repeated = false;           /* nothing but the pilot spoke since the last turn */
	for (size_t i = run->nmessages; i-- > 0 && n < TURNS;) {
		const struct message *m = &run->messages[i];
		if (m->content == NULL)
			continue;
		if (streq(m->role, "assistant")) {
			if (n > 0 && turns[n - 1].answer == NULL)
				turns[n - 1].answer = m->content;
			repeated = false;
		} else if (streq(m->role, "user")) {
			if (repeated && streq(turns[n - 1].text, m->content))
				continue;
			turns[n++] = (struct turn){ .text = m->content };
			repeated = true;
		}
	}
	return n;
}

/* Meaning of turns[0] after those before it. */
static struct query *understand(struct arena *a, struct aircon *con, struct turn *turns, size_t n)
{
	struct lexicon lexicon;
	struct query *state = NULL;
	size_t oldest = 0;

	lexicon_init(&lexicon, a);
	for (size_t i = 0; i < n; i++) {
		turns[i].query = query_parse(a, &lexicon, con, turns[i].text);
		oldest = i;
		/* An aside ends nothing; a look at one airport may be followed by "and the others?". */
		bool passing = intent_of(turns[i].query)->aside || turns[i].query->subject.text != NULL;
		if (!query_leans(turns[i].query) && (i == 0 || !passing))
			break;
	}
	struct listing list = { .query = NULL };
	for (size_t i = oldest + 1; i-- > 0;) {
		struct query *q = turns[i].query;
		/* "tell me about the second", "and the first?": both count in the same list */
		bool numbered = listing_numbered(a, turns[i].answer);
		/* … and a word in between, "which one do you mean?", is no list */
		if (state != NULL && state->subject.text == NULL && (numbered || !list.numbered))
			list = (struct listing){ state, turns[i].answer, numbered };
		bool leans = query_leans(q);
		if (intent_of(q)->aside && !(leans && state != NULL)) {
			if (i == 0)
				return q;
			continue;
		}
		if (leans && state != NULL) {
			state = query_follow(a, con, state, q, &list);
			continue;
		}
		if (state != NULL && q->subject.text != NULL)
			q->search = state->subject.text == NULL ? state : state->search;
		state = q;
	}
	return state != NULL ? state : turns[0].query;
}

static enum errcode plan(struct run *run, const struct tool_context *ctx, struct plan *out,
    struct err *e)
{
	struct turn turns[TURNS] = { { .text = NULL } };
	size_t n = collect(run, turns);
	struct aircon *con = NULL;

	if (n == 0)
		return err_set(e, ERR_PLANNER, "planner: the conversation has no message from a user");
	/* Without the database names are taken as they are typed: still a plan. */
	if (ctx != NULL && ctx->airports != NULL &&
	    airdb_get(ctx->airports, WAIT_MS, &con, NULL) != OK)
		con = NULL;
	/* A thousand turns may wait for a reader at once: what was thought is not kept with them. */
	struct arena *thoughts = arena_new();
	intent_plan(thoughts, con, understand(thoughts, con, turns, n), out);
	out->arguments = jsn_copy(run->mem, out->arguments);
	out->reply = arena_strdup(run->mem, out->reply);
	arena_free(thoughts);
	airdb_put(con);
	return OK;
}

const struct planner planner_builtin = { .name = "builtin", .plan = plan };
