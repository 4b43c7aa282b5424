#include "agents/aviation/builtin/understanding.h"

#include <string.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/answer_list.h"
#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/rules_question.h"
#include "agents/aviation/builtin/trained_reader.h"
#include "base/str.h"
#include "language/languages.h"
#include "tools/rules_result.h"

/* ---- the talk --------------------------------------------------------------------------------- */

/* "And in Italy?" asks the same of another country. */
static void hear_question(struct arena *a, struct talk *t, const struct frames *f, const char *text)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct frame_slot *topic = &f->frame[i]->slot[LABEL_TOPIC];
		const bool same = streq(f->frame[i]->kind, "replace") && (topic->n == 0 || topic->value[0].words == NULL);
		if (frame_plan_kind(f->frame[i]) == PLAN_ANSWER && !same)
			t->question = f->n == 1 && f->frame[i]->kind == NULL && strlen(text) <= TALK_QUESTION ? arena_strdup(a, text) : NULL;
	}
}

/* The airport that a search around a pick means ("anything around there?"). When the pilot comes back to this list later, "there" would mean
 * another airport. NULL: it is no such search. */
static struct frame_value *centre_of(struct arena *a, const struct talk *t, const struct frame *f)
{
	bool several;
	const char *ident = frame_plan_kind(f) == PLAN_NEAR && f->slot[LABEL_AT].n + f->slot[LABEL_NEAR].n == 0
	    ? talk_pick(t, frame_get(f, LABEL_PICK), &several) : NULL;
	struct frame_value *at = ident != NULL ? arena_alloc(a, sizeof(*at)) : NULL;
	if (at != NULL)
		*at = (struct frame_value){ .text = arena_strdup(a, ident) };
	return at;
}

/* What a message does to the talk. A pick has found its airport by then, so from now on it is "it". */
static void go_on(struct arena *a, struct talk *t, const struct frames *f, const struct words *w, const char *text)
{
	static struct frame_value it = { .text = "it" };
	struct frames kept = *f;

	t->language = w->language;
	t->last = str_hash(text);
	/* what it was taken for is only a guess */
	if (words_are_signs(w) || language_is_foreign(w))
		return;
	for (size_t i = 0; i < kept.n; i++) {
		if (kept.frame[i]->slot[LABEL_PICK].n == 0)
			continue;
		struct frame *copy = arena_alloc(a, sizeof(*copy));
		*copy = *kept.frame[i];
		struct frame_value *centre = centre_of(a, t, copy);
		if (centre != NULL)
			copy->slot[LABEL_AT] = (struct frame_slot){ 1, centre };
		copy->slot[LABEL_PICK] = (struct frame_slot){ centre == NULL, centre == NULL ? &it : NULL };
		kept.frame[i] = copy;
	}
	dialogue_add(&t->dialogue, &kept);
	hear_question(a, t, &kept, text);
}

/* ctx: whose rules are searched for one that answers the message; NULL: they are not searched. */
static const struct reading *read_frames(struct arena *a, const struct tool_context *ctx, struct aircon *con, const char *text,
    const struct talk *t, struct frames *out)
{
	struct reading *r = trained_reader_read(a, con, text, t);
	frames_mean(a, r, &t->dialogue, con != NULL, out);
	if (ctx != NULL && rules_question_found(r, a, ctx, text))
		frames_of_marks(a, r, &t->dialogue, out);
	return r;
}

/* The messages that were said, oldest first. A user's message that is repeated without an answer counts
 * once. */
struct said {
	const struct message *message[2 * HISTORY_MESSAGES + 1];
	size_t n;
};

static bool is_user(const struct message *m)
{
	return streq(m->role, "user");
}

/* The newest messages before `end`, within the bounds. */
static struct said said_before(const struct run *run, size_t end)
{
	struct said s = { .n = 0 };
	size_t users = 0, bytes = 0, room = sizeof(s.message) / sizeof(s.message[0]);

	while (end-- > 0 && s.n < room) {
		const struct message *m = &run->messages[end];
		const struct message *next = s.n > 0 ? s.message[room - s.n] : NULL;
		if (!message_is_said(m))
			continue;
		if (is_user(m) && ((next != NULL && is_user(next) && streq(m->content, next->content)) ||
		    users == HISTORY_MESSAGES || (bytes += strlen(m->content)) > HISTORY_BYTES)) {
			if (users == HISTORY_MESSAGES || bytes > HISTORY_BYTES)
				break;
			continue;
		}
		/* of several answers to one message the last counts */
		if (!is_user(m) && next != NULL && !is_user(next))
			continue;
		users += is_user(m);
		s.message[room - ++s.n] = m;
	}
	memmove(s.message, s.message + room - s.n, s.n * sizeof(s.message[0]));
	return s;
}

/* The answer to a question about rules is no list of airports, whatever codes are in it. */
static bool finds_airports(const struct frames *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (frame_plan_kind(f->frame[i]) <= PLAN_NOTICE)
			return true;
	return false;
}

/* Only the newest of these messages is put to the rules, because each one costs a search. */
static void catch_up(struct talk *t, struct arena *a, const struct run *run, const struct tool_context *ctx, struct aircon *con,
    size_t newest)
{
	const struct said s = said_before(run, newest);
	struct frames f = { .n = 0 };
	size_t last = 0;

	for (size_t i = 0; i < s.n; i++)
		last = is_user(s.message[i]) ? i : last;
	*t = (struct talk){ .n = 0 };
	for (size_t i = 0; i < s.n; i++) {
		const struct message *m = s.message[i];
		if (!is_user(m)) {
			if (finds_airports(&f))
				answer_list_hear(t, con, m->content);
			continue;
		}
		const struct reading *r = read_frames(a, i == last ? ctx : NULL, con, m->content, t, &f);
		go_on(a, t, &f, r->words, m->content);
	}
}

/* The user's message before `newest`; NULL: there is none. */
static const struct message *user_before(const struct run *run, size_t newest)
{
	const char *text = run->messages[newest].content;
	while (newest-- > 0)
		if (message_is_said(&run->messages[newest]) && is_user(&run->messages[newest]) &&
		    !streq(run->messages[newest].content, text))
			return &run->messages[newest];
	return NULL;
}

bool understand(struct understanding *u, struct arena *a, struct run *run, const struct tool_context *ctx,
    struct aircon *con, const struct talk *talk)
{
	size_t newest = run->nmessages;

	*u = (struct understanding){ .before = { .n = 0 } };
	while (newest > 0 && !is_user(&run->messages[newest - 1]))
		newest--;
	if (newest-- == 0)
		return false;
	const char *text = run->messages[newest].content;
	/* a client has sent it twice */
	while (newest > 0 && is_user(&run->messages[newest - 1]) && streq(run->messages[newest - 1].content, text))
		newest--;
	const struct message *last = user_before(run, newest);
	if (talk != NULL && last != NULL && (talk->last == str_hash(last->content) || talk->last == str_hash(text)))
		u->before = *talk;
	else if (last != NULL)
		catch_up(&u->before, a, run, ctx, con, newest);

	if (run->state != NULL && state_of(run)->language != NULL)
		u->before.language = state_of(run)->language;
	const struct reading *r = read_frames(a, ctx, con, text, &u->before, &u->frames);
	u->after = u->before;
	go_on(a, &u->after, &u->frames, r->words, text);
	u->planning = (struct planning){
		.mem = a, .ctx = ctx, .con = con, .set = rules_of(ctx, a), .message = text, .reading = r,
		.frames = &u->frames, .talk = &u->before, .persona_id = run->persona_id,
		.wording = turn_wording(run),
	};
	return true;
}

/* ---- with a connection ------------------------------------------------------------------------ */

static void understand_with(struct run *run, const struct tool_context *ctx, struct aircon *con, understood_fn *fn,
    void *to)
{
	/* A thousand turns may wait for a reader at once, so this memory is freed before. */
	struct arena *thoughts = arena_new();
	struct understanding u;

	if (understand(&u, thoughts, run, ctx, con, run->state != NULL ? state_of(run)->talk : NULL))
		fn(run, &u, to);
	arena_free(thoughts);
}

void understanding_for(struct run *run, const struct tool_context *ctx, understood_fn *fn, void *to)
{
	enum { WAIT_MS = 200 };
	struct aircon *con = NULL;

	/* Without the database names are used as typed. That still gives a plan. */
	if (ctx->airports != NULL && airdb_get(ctx->airports, WAIT_MS, &con, NULL) != OK)
		con = NULL;
	understand_with(run, ctx, con, fn, to);
	/* the connection failed meanwhile, so "not found" may be wrong */
	if (con != NULL && aircon_lost(con) != OK)
		understand_with(run, ctx, NULL, fn, to);
	airdb_put(con);
}
