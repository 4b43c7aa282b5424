/*
 * Changes the loaded messages so that they can be shown to a model.
 *
 * Providers refuse a conversation in which a call of a tool has no result, or a result has no call.
 * A commit stores whole turns, but a thread may still look like that: its oldest messages were not
 * loaded or were deleted, or an agent stored a turn that was cut between a call and its result. So the
 * loaded messages are repaired each time. The repairs are not stored.
 */
#include "services/store_backend.h"

#include "base/str.h"

#define NO_RESULT "{\"error\":\"This call has no result, because the turn ended before it had finished.\"}"

/* The messages as they are to be shown, and the newest calls. */
struct repair {
	struct arena *a;
	struct message *out;
	size_t n;
	const struct message *caller;   /* the message whose calls wait for results; NULL: none does */
	bool *answered;                 /* one for each of its calls */
};

/* Calls without an id or a name, and calls that repeat an id, cannot be answered. */
static size_t good_calls(const struct message *m, struct message_call *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->ncalls && n < STORE_CALLS_MAX; i++) {
		const struct message_call *c = &m->calls[i];
		size_t same = 0;

		if (c->id[0] == '\0' || c->name[0] == '\0')
			continue;
		while (same < n && !streq(out[same].id, c->id))
			same++;
		if (same == n)
			out[n++] = *c;
	}
	return n;
}

/* The tool turn has ended: calls that got no result get one that says so. */
static void close_calls(struct repair *r)
{
	const struct message *m = r->caller;

	r->caller = NULL;
	for (size_t i = 0; m != NULL && i < m->ncalls; i++)
		if (!r->answered[i])
			r->out[r->n++] = (struct message){ .role = "tool", .content = NO_RESULT,
			    .call_id = m->calls[i].id, .time_us = m->time_us,
			    .id = arena_printf(r->a, "%s-%zu", m->id, i) };
}

static void add_caller(struct repair *r, const struct message *m)
{
	struct message_call *calls = arena_array(r->a, m->ncalls, sizeof(*calls));
	struct message *copy = &r->out[r->n];

	*copy = *m;
	copy->calls = calls;
	copy->ncalls = good_calls(m, calls);
	if (copy->ncalls == 0 && copy->content[0] == '\0')
		return;                 /* it said nothing and called nothing */
	r->n++;
	r->caller = copy;
	r->answered = arena_array(r->a, copy->ncalls + 1, sizeof(*r->answered));
}

/* The first result of a call that waits for one is kept. */
static void add_result(struct repair *r, const struct message *m)
{
	for (size_t i = 0; r->caller != NULL && i < r->caller->ncalls; i++)
		if (!r->answered[i] && streq(r->caller->calls[i].id, m->call_id)) {
			r->answered[i] = true;
			r->out[r->n++] = *m;
			return;
		}
}

void store_repair(struct arena *a, struct thread *t)
{
	size_t most = t->nloaded, tools = 0;

	for (size_t i = 0; i < t->nloaded; i++) {
		most += t->messages[i].ncalls;
		tools += t->messages[i].ncalls > 0 || streq(t->messages[i].role, "tool");
	}
	if (tools == 0)
		return;
	struct repair r = { .a = a, .out = arena_array(a, most, sizeof(*r.out)) };
	for (size_t i = 0; i < t->nloaded; i++) {
		const struct message *m = &t->messages[i];

		if (streq(m->role, "tool")) {
			add_result(&r, m);
			continue;
		}
		close_calls(&r);
		if (m->ncalls > 0)
			add_caller(&r, m);
		else
			r.out[r.n++] = *m;
	}
	close_calls(&r);
	t->messages = r.out;
	t->nloaded = r.n;
}
