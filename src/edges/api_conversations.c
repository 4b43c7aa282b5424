/*
 * The conversations of a user, with what was said, gathered and exported in them. The turns are in api_turns.c.
 *
 * A conversation that is unknown, another user's, or has an id that cannot be one gets the same 404.
 */
#include "edges/api.h"

#include <string.h>

#include "agents/onboarding/agent.h"
#include "base/clock.h"
#include "base/log.h"
#include "edges/body_text.h"
#include "edges/caller.h"
#include "edges/conversation_drop.h"
#include "edges/conversation_find.h"
#include "edges/params.h"
#include "edges/reply.h"
#include "services/counts.h"
#include "services/threads.h"
#include "tools/onboarding_export.h"

enum {
	HOUR_MS = 3600 * 1000,
	MINUTE_MS = 60 * 1000,
	MESSAGES_MAX = 500,
	SKIP_MAX = 1000000,
	PAGE = 100,
};

static const struct body_text title_row = { "title", 0, 200, BODY_ONE_LINE };
static const char NEW_TITLE[] = "New Conversation";

bool conversation_find(const struct edge *e, struct http_req *r, struct http_res *w, struct user *u,
    struct conversation *c)
{
	struct err err = { 0 };

	if (!caller_find(e, r, w, u))
		return false;
	enum errcode rc = id_valid(r->arg, STORE_ID_MAX) ? conversations_find(e->parts.store, r->mem,
	    caller_owns(r, r->arg), r->arg, c, &err) : ERR_NOTFOUND;
	if (rc == ERR_NOTFOUND)
		http_detail(w, r->mem, 404, "Conversation not found");
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	return rc == OK;
}

static struct thread_owner owner_of(const struct route *rt, const struct http_req *r)
{
	return (struct thread_owner){ .user = r->field[FIELD_USER], .agent = rt->agent };
}

static struct json_object *conversation_json(struct arena *a, const struct user *u, const struct conversation *c)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "id", c->id);
	jsn_add_str(o, "user_id", u->id);
	jsn_add_str(o, "title", c->title);
	reply_add_plain_time(o, "created_at", c->created_us);
	reply_add_plain_time(o, "updated_at", c->updated_us);
	jsn_add(o, "message_count", NULL);
	return o;
}

/* `skip` and `limit` of a list; most: the largest limit. False: the request was answered. */
static bool read_page(struct http_req *r, struct http_res *w, int most, size_t usual, size_t *skip, size_t *limit)
{
	const struct param rows[] = {
		{ "skip", PARAM_INT, PARAM_VERBATIM, .max = SKIP_MAX },
		{ "limit", PARAM_INT, PARAM_VERBATIM, .min = 1, .max = most },
	};
	struct param_value v[2];

	if (!params_read(r, w, rows, 2, v))
		return false;
	*skip = (size_t)v[0].number;
	*limit = v[1].set ? (size_t)v[1].number : usual;
	return true;
}

/* -- the list -- */

void api_conversations(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *list = jsn_array(r->mem);
	struct conversation *found;
	struct user u;
	size_t skip, limit, n = 0;
	struct err err = { 0 };

	(void)rt;
	if (!caller_find(e, r, w, &u) ||
	    !read_page(r, w, CONVERSATION_PAGE_MAX, CONVERSATION_PAGE_MAX, &skip, &limit))
		return;
	/* without users nobody can be told which conversations are theirs */
	if (r->field[FIELD_USER] != NULL && conversations_list(e->parts.store, r->mem, r->field[FIELD_USER], (int64_t)skip,
	    limit, &found, &n, &err) != OK) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	for (size_t i = 0; i < n; i++)
		jsn_push(list, jsn_ref(conversation_json(r->mem, &u, &found[i])));
	http_json(w, 200, list);
}

void api_conversation_new(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct conf *conf = e->parts.conf;
	struct json_object *o;
	struct body_value title;
	struct user u;
	char id[ID_SIZE];
	int64_t left_ms = 0;
	struct err err = { 0 };

	(void)rt;
	if (!caller_find(e, r, w, &u) || !body_object(r, w, true, &o) || !body_texts(r, w, o, &title_row, 1, &title))
		return;
	id_run(id);
	struct conversation c = { .id = id, .title = title.text != NULL ? title.text : NEW_TITLE,
		.created_us = clock_wall_us() };
	c.updated_us = c.created_us;
	if (store_count(e->parts.store, arena_printf(r->mem, "conversations:%s", caller_counted(r)), 1,
	    conf->conversations_per_hour, HOUR_MS, &left_ms, &err) != OK)
		reply_refusal(r, w, &err, left_ms, NULL);
	else if (conversations_add(e->parts.store, caller_owns(r, id), &c, conf->conversations_max, &err) != OK)
		reply_refusal(r, w, &err, 0, err.code != ERR_LIMIT ? NULL : arena_printf(r->mem, "You have %lld "
		    "conversations already, and cannot have more. Please delete one that you do not need.",
		    (long long)conf->conversations_max));
	else
		http_json(w, 201, conversation_json(r->mem, &u, &c));
}

/* -- one of them -- */

void api_conversation(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct conversation c;
	struct user u;

	(void)rt;
	if (conversation_find(e, r, w, &u, &c))
		http_json(w, 200, conversation_json(r->mem, &u, &c));
}

void api_conversation_rename(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o;
	struct body_value title;
	struct conversation c;
	struct user u;
	int64_t left_ms = 0;
	struct err err = { 0 };

	(void)rt;
	if (!conversation_find(e, r, w, &u, &c) || !body_object(r, w, true, &o) ||
	    !body_texts(r, w, o, &title_row, 1, &title))
		return;
	if (title.given) {
		if (store_count(e->parts.store, arena_printf(r->mem, "renames:%s", caller_counted(r)), 1,
		    e->parts.conf->turns_per_minute, MINUTE_MS, &left_ms, &err) != OK) {
			reply_refusal(r, w, &err, left_ms, NULL);
			return;
		}
		c.title = title.text;
		c.updated_us = clock_wall_us();
		if (conversations_rename(e->parts.store, caller_owns(r, c.id), c.id, c.title, c.updated_us, &err) != OK) {
			reply_refusal(r, w, &err, 0, NULL);
			return;
		}
	}
	http_json(w, 200, conversation_json(r->mem, &u, &c));
}

/* Deletes all that belongs to the conversation, not only its row in the list. */
void api_conversation_delete(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct conversation c;
	struct user u;
	int64_t retry_ms = 0;
	struct err err = { 0 };

	(void)rt;
	if (!conversation_find(e, r, w, &u, &c))
		return;
	enum errcode rc = conversation_drop(e->parts.store, e->parts.conf, r->field[FIELD_USER], c.id, &retry_ms, &err);
	if (rc != OK && rc != ERR_NOTFOUND) {
		reply_refusal(r, w, &err, retry_ms, NULL);
		return;
	}
	http_begin(w, 204, NULL, HTTP_LENGTH_UNKNOWN);
	http_end(w);
}

/* -- what it holds -- */

static struct json_object *message_json(struct arena *a, const char *conversation_id, const struct message *m)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "id", m->id);
	jsn_add_str(o, "conversation_id", conversation_id);
	jsn_add_str(o, "role", m->role);
	jsn_add_str(o, "content", m->content);
	reply_add_plain_time(o, "created_at", m->time_us);
	jsn_add(o, "metadata", NULL);
	return o;
}

/* Ids and times are those that were stored, a page reads no more than it needs, and a store that does
 * not answer is an error. */
void api_conversation_messages(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *list = jsn_array(r->mem);
	struct conversation c;
	struct user u;
	struct message *messages;
	size_t skip, limit, n = 0;
	struct err err = { 0 };

	if (!conversation_find(e, r, w, &u, &c) || !read_page(r, w, MESSAGES_MAX, PAGE, &skip, &limit))
		return;
	const struct thread_owner owner = owner_of(rt, r);
	enum errcode rc = threads_said(e->parts.store, r->mem, c.id, &owner, skip, limit, &messages,
	    &n, &err);
	if (rc != OK && rc != ERR_NOTFOUND) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	for (size_t i = 0; i < n; i++)
		jsn_push(list, jsn_ref(message_json(r->mem, c.id, &messages[i])));
	http_json(w, 200, list);
}

void api_conversation_state(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o = NULL;
	struct conversation c;
	struct user u;
	struct thread t;
	struct err err = { 0 };

	if (!conversation_find(e, r, w, &u, &c))
		return;
	const struct thread_owner owner = owner_of(rt, r);
	enum errcode rc = store_load(e->parts.store, r->mem, c.id, &owner, 0, &t, &err);
	if (rc == OK)
		rc = onboarding_record(r->mem, t.state, &o, &err);
	if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else
		http_json(w, 200, o);
}

void api_conversation_export(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o = NULL;
	struct conversation c;
	struct user u;
	struct err err = { 0 };

	(void)rt;
	if (!conversation_find(e, r, w, &u, &c))
		return;
	enum errcode rc = onboarding_export_read(e->parts.conf, r->mem, c.id, &o, &err);
	if (rc == ERR_NOTFOUND)
		http_detail(w, r->mem, 404, "Nothing was exported yet");
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else
		http_json(w, 200, o);
}
