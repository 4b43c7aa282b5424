/*
 * A turn of a conversation: a message and its answer, the same answer again from any event on, and a way to
 * stop it.
 *
 * The turn is a run like any other agent's. What is special is its form (sink_turn.h), and that the record of the
 * conversation names its newest run, so that a client needs no other id.
 */
#include "edges/api.h"

#include <string.h>

#include "base/clock.h"
#include "edges/chat_again.h"
#include "edges/chat_turn.h"
#include "edges/conversation_find.h"
#include "edges/caller.h"
#include "edges/follow.h"
#include "edges/reply.h"
#include "edges/run_replay.h"
#include "edges/sink_turn.h"
#include "edges/turn_slot.h"
#include "services/counts.h"

enum { MINUTE_MS = 60 * 1000 };

#define NO_TURN "NO_TURN"

/* Does the client want one JSON object? Most clients say nothing, and get a stream. */
static bool wants_stream(const struct http_req *r)
{
	const char *accept = r->field[FIELD_ACCEPT];

	return accept == NULL || strstr(accept, "text/event-stream") != NULL ||
	    strstr(accept, "application/json") == NULL;
}

/* -- the message -- */

static bool refuse_format(struct http_req *r, struct http_res *w, const char *why)
{
	http_detail(w, r->mem, 400, why);
	return false;
}

/* Accepts only the type "message", and a text of limited size. False: it was refused. */
static bool read_message(const struct edge *e, struct http_req *r, struct http_res *w, struct arena *mem,
    const char *conversation_id, const char **content)
{
	struct json_object *o, *v;
	struct err err;

	if (jsn_parse(mem, r->body.p, r->body.n, JSN_DEPTH, &o, NULL, &err) != OK || !jsn_is(o, json_type_object))
		return refuse_format(r, w, "The body must be a JSON object such as {\"type\": \"message\", \"content\": \"Hello\"}.");
	if (jsn_has(o, "type") && !streq(jsn_get_str(o, "type", NULL), "message"))
		return refuse_format(r, w, "The type must be \"message\", or be left out.");
	if (jsn_has(o, "conversation_id") && !streq(jsn_get_str(o, "conversation_id", NULL), conversation_id))
		return refuse_format(r, w, "The conversation_id must be the one in the path, or be left out.");
	v = jsn_get(o, "content");
	*content = jsn_get_str(o, "content", NULL);
	if (v != NULL && *content == NULL)
		return refuse_format(r, w, "The content of a message must be a text.");
	if (*content == NULL || str_trim(str_of(*content)).n == 0)
		return refuse_format(r, w, "The message has no content.");
	const size_t n = (size_t)json_object_get_string_len(v);
	if (strlen(*content) != n)
		return refuse_format(r, w, "The content must not hold a NUL character.");
	if (utf8_count(*content, n) <= (size_t)e->parts.conf->onboarding_max_characters)
		return true;
	http_detail(w, r->mem, 413, arena_printf(r->mem, "A message has at most %lld characters.",
	    (long long)e->parts.conf->onboarding_max_characters));
	return false;
}

/* False: the user sends too many, or the store does not answer. */
static bool count_turn(const struct edge *e, struct http_req *r, struct http_res *w)
{
	int64_t left_ms;
	struct err err = { 0 };

	if (e->parts.conf->turns_per_minute == 0 || store_count(e->parts.store, arena_printf(r->mem, "turns:%s",
	    caller_counted(r)), 1, e->parts.conf->turns_per_minute, MINUTE_MS, &left_ms, &err) == OK)
		return true;
	reply_refusal(r, w, &err, left_ms, NULL);
	return false;
}

/* -- the answer -- */

struct again {
	const struct conversation *talk;
	int64_t after;
};

/* The events of a run that has begun before, from its log. */
static void answer_again(const struct edge *e, struct http_req *r, struct http_res *w,
    const struct run_record *record, bool stream, void *arg)
{
	const struct again *again = arg;
	struct arena *mem = arena_new();
	struct sink_turn sink;
	struct err err = { 0 };

	sink_turn_init(&sink, w, mem, again->talk->id, streq(record->run_id, again->talk->run) ? again->talk->turn : 0,
	    stream);
	enum errcode rc = stream ? sink_turn_open(&sink) : OK;
	if (rc == OK && !w->no_body)
		rc = run_replay(&e->parts, mem, record->run_id, again->after, &sink.sink, &err);
	run_replay_told(&e->parts, w, record->run_id, stream, rc, &err);
	if (stream && rc != OK && rc != ERR_HUP && !(rc == ERR_OVERLOAD && follow_moves(&e->parts)))
		sink_turn_broken(&sink);
	if (stream)
		http_end(w);
	else if (rc == OK)
		sink_turn_send(&sink);
	else
		reply_refusal(r, w, &err, 0, NULL);
	sink_turn_release(&sink);
	arena_free(mem);
}

/* A run that has the thread, named in the record of the conversation. *turn is its number. NULL: it was refused. */
static struct run *begin(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const struct conversation *c, const struct chat_request *chat, struct idempotency *key, int64_t *turn)
{
	const struct chat_turn asked = { .chat = chat, .logged = true, .no_session = true, .key = key };
	struct run *run = chat_turn_begin(e, rt, r, w, &asked);
	struct err err = { 0 };

	if (run == NULL)
		return NULL;
	enum errcode rc = conversations_turn(e->parts.store, caller_owns(r, c->id), c->id, run->run_id,
	    clock_wall_us(), turn, &err);
	if (rc == OK)
		return run;
	chat_turn_drop(e, r, w, run, &err);
	return NULL;
}

/* The run has copies of all that it needs, so the body is freed before the turn. */
static struct run *take(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const struct conversation *c, bool stream, struct turn_slot *slot, int64_t *turn)
{
	struct arena *mem = arena_new();
	struct again again = { .talk = c };
	struct idempotency key;
	const char *content;
	struct run *run = NULL;

	if (read_message(e, r, w, mem, c->id, &content) && !http_gone(w)) {
		struct message m = MESSAGE("user", content);
		const struct chat_request chat = { .messages = &m, .nmessages = 1, .thread_id = c->id };

		if (chat_again(e, rt, r, w, NULL, stream, answer_again, &again, &key)) {
			if (count_turn(e, r, w) && turn_slot_take(e, r, w, slot))
				run = begin(e, rt, r, w, c, &chat, &key, turn);
			else
				idempotency_free(&key);
		}
	}
	arena_free(mem);
	http_req_drop_body(r);
	return run;
}

void api_turn_new(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const bool stream = wants_stream(r);
	struct conversation c;
	struct turn_slot slot = { 0 };
	struct sink_turn sink;
	struct user u;
	int64_t turn = 0;

	if (!conversation_find(e, r, w, &u, &c))
		return;
	struct run *run = take(e, rt, r, w, &c, stream, &slot, &turn);
	if (run == NULL) {
		turn_slot_free(e, &slot);
		return;
	}
	sink_turn_init(&sink, w, run->mem, c.id, turn, stream);
	if (stream)
		(void)sink_turn_open(&sink);    /* if the reader has gone, the first event will show it */
	const enum errcode rc = edge_run_turn(&e->parts, run, &sink.sink);
	turn_slot_free(e, &slot);
	if (stream)
		http_end(w);
	else if (rc == OK)
		sink_turn_send(&sink);
	sink_turn_release(&sink);
	run_free(run);
}

/* -- the newest turn -- */

/* The record of the conversation's newest run. False: it was refused. */
static bool find_turn(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const struct conversation *c, struct run_record *record)
{
	const struct thread_owner owner = { .user = r->field[FIELD_USER], .agent = rt->agent };
	struct err err = { 0 };
	enum errcode rc = *c->run == '\0' ? ERR_NOTFOUND :
	    follow_find(&e->parts, r->mem, c->run, &owner, record, &err);

	if (rc == ERR_NOTFOUND)
		http_refuse(w, r->mem, 404, NO_TURN, "This conversation has no turn yet, or the events of its last turn are no longer kept. Please read its messages.");
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	return rc == OK;
}

/* "12.4" in Last-Event-ID or ?after=: the 4th event of turn 12. False: it was refused. */
static bool read_after(struct http_req *r, struct http_res *w, const struct conversation *c, int64_t *after)
{
	const char *text = r->field[FIELD_LAST_EVENT_ID] != NULL ? r->field[FIELD_LAST_EVENT_ID]
	    : http_query(r, "after");
	const char *dot = text != NULL ? strchr(text, '.') : NULL;
	long long turn, number;

	*after = 0;
	if (text == NULL)
		return true;
	if (dot == NULL || !str_to_int(arena_strndup(r->mem, text, (size_t)(dot - text)), &turn) ||
	    !str_to_int(dot + 1, &number) || number < 0)
		return refuse_format(r, w, "Last-Event-ID must be the id of an event, such as 12.4.");
	*after = number;
	if (turn == c->turn)
		return true;
	if (turn < 1 || turn > c->turn) {
		http_refuse(w, r->mem, 404, NO_TURN, arena_printf(r->mem, "This conversation has no turn %lld. It has %lld.",
		    turn, (long long)c->turn));
		return false;
	}
	http_refuse(w, r->mem, 404, NO_TURN, "That turn is over, and another one has begun since. Please read its answer in "
	    "the messages of the conversation.");
	return false;
}

void api_turn(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct conversation c;
	struct run_record record;
	struct user u;
	struct again again = { .talk = &c };

	if (!conversation_find(e, r, w, &u, &c) || !read_after(r, w, &c, &again.after) ||
	    !find_turn(e, rt, r, w, &c, &record))
		return;
	const bool ended = run_status_ended(record.status);
	if (record.logged && again.after > record.last_event + (ended ? 0 : RUN_AHEAD_MAX)) {
		refuse_format(r, w, arena_printf(r->mem, "The last event of this turn has the id %lld.%lld.",
		    (long long)c.turn, (long long)record.last_event));
	} else if (!record.logged || (record.last_event > again.after && record.first_event > again.after + 1)) {
		http_refuse(w, r->mem, 410, "GONE", "The events of this turn are no longer kept. Please read its answer in the "
		    "messages of the conversation.");
	} else if (ended && again.after == record.last_event) {
		http_begin(w, 204, NULL, HTTP_LENGTH_UNKNOWN);
		http_end(w);
	} else {
		answer_again(e, r, w, &record, wants_stream(r), &again);
	}
}

void api_turn_stop(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct conversation c;
	struct run_record record;
	struct user u;
	enum run_status was = RUN_DONE;
	struct err err = { 0 };

	if (!conversation_find(e, r, w, &u, &c) || !find_turn(e, rt, r, w, &c, &record))
		return;
	const struct thread_owner mine = { .user = r->field[FIELD_USER], .agent = rt->agent };
	if (!run_status_ended(record.status) && store_run_cancel(e->parts.store, c.run, &mine, &was, &err) != OK) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	if (run_status_ended(record.status) || run_status_ended(was)) {
		http_refuse(w, r->mem, 404, NO_TURN, "No turn is running in this conversation.");
		return;
	}
	struct json_object *o = jsn_object(r->mem);
	jsn_add_str(o, "conversation_id", c.id);
	jsn_add_str(o, "status", "cancelling");
	http_json(w, 202, o);
}
