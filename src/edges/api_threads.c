/*
 * Threads and sessions over HTTP. Everybody who knows the id of an anonymous thread may read, copy and delete
 * it, because they may continue it too. A user's thread exists only for that user. No request lists all threads.
 */
#include "edges/api.h"

#include <string.h>

#include "edges/chat_request.h"
#include "edges/params.h"
#include "edges/reply.h"
#include "services/sessions.h"
#include "services/threads.h"

#define COPIED_OFTEN "This thread was copied so often within the last hour that no more copies of it can be made now. " \
	"Please continue one of its copies, or try again later."

enum { PAGE = 50 };

static struct thread_owner owner_of(const struct route *rt, const struct http_req *r)
{
	return (struct thread_owner){ .user = r->field[FIELD_USER], .agent = rt->agent };
}

static void answer(struct http_res *w, int status, struct json_object *o)
{
	http_field(w, "Cache-Control", "no-store");
	http_json(w, status, o);
}

/* A text that cannot be an id gets the 404 of an unknown id. False: the 404 was sent. */
static bool id_fits(struct http_req *r, struct http_res *w)
{
	if (chat_id_valid(r->arg))
		return true;
	reply_not_found(r, w);
	return false;
}

static const char *filled(const char *text)
{
	return text != NULL && *text != '\0' ? text : NULL;
}

/* -- a thread -- */

static struct json_object *about_json(struct arena *a, const struct thread_about *t)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "thread_id", t->id);
	jsn_add_str(o, "agent", filled(t->agent));
	jsn_add_str(o, "title", t->title);
	jsn_add_str(o, "persona_id", filled(t->persona));
	reply_add_time(o, "created_at", t->created_us);
	reply_add_time(o, "updated_at", t->updated_us);
	jsn_add_int(o, "turns", t->version);
	jsn_add_int(o, "message_count", t->nmessages);
	jsn_add_int(o, "kept_messages", t->nkept);
	jsn_add_str(o, "status", filled(t->run) != NULL ? "busy" : "idle");
	jsn_add_str(o, "run_id", filled(t->run));
	return o;
}

void api_thread(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct thread_owner owner = owner_of(rt, r);
	struct thread_about about;
	struct err err = { 0 };

	if (!id_fits(r, w))
		return;
	if (threads_about(e->parts.store, r->mem, r->arg, &owner, &about, &err) != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else
		answer(w, 200, about_json(r->mem, &about));
}

/* -- pages -- */

static struct json_object *message_json(struct arena *a, const struct message *m)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "id", m->id);
	jsn_add_str(o, "role", m->role);
	jsn_add_str(o, "content", m->content);
	reply_add_time(o, "created_at", m->time_us);
	return o;
}

static struct json_object *turn_json(struct arena *a, const struct message *m)
{
	struct json_object *o = jsn_object(a);

	jsn_add_int(o, "version", m->version);
	jsn_add_str(o, "run_id", filled(m->run));
	jsn_add_str(o, "message_id", m->id);
	reply_add_time(o, "created_at", m->time_us);
	return o;
}

/* False: the request was answered. */
static bool read_range(struct http_req *r, struct http_res *w, struct thread_range *range)
{
	static const struct param row = { "limit", PARAM_INT, PARAM_VERBATIM, .min = 1, .max = THREAD_PAGE_MAX };
	struct param_value limit;

	if (!params_read(r, w, &row, 1, &limit))
		return false;
	range->limit = limit.set ? (size_t)limit.number : PAGE;
	range->before = http_query(r, "before");
	range->after = http_query(r, "after");
	if (range->before == NULL || range->after == NULL)
		return true;
	reply_fault(r, w, "query", "after", "value_error",
	    "Value error, only one of before and after can be given", range->after);
	return false;
}

static const struct {
	const char *list;
	struct json_object *(*row)(struct arena *, const struct message *);
} shown[] = {
	[THREAD_SAID] = { "messages", message_json },
	[THREAD_TURNS] = { "checkpoints", turn_json },
};

static struct json_object *page_json(struct arena *a, const char *thread_id, enum thread_part part,
    const struct thread_page *page, bool on)
{
	struct json_object *o = jsn_object(a), *list = jsn_array(a);

	for (size_t i = 0; i < page->n; i++)
		jsn_push(list, jsn_ref(shown[part].row(a, &page->messages[i])));
	jsn_add_str(o, "thread_id", thread_id);
	jsn_add(o, shown[part].list, jsn_ref(list));
	jsn_add_str(o, "first_id", page->n > 0 ? page->messages[0].id : NULL);
	jsn_add_str(o, "last_id", page->n > 0 ? page->messages[page->n - 1].id : NULL);
	jsn_add_bool(o, "has_more", on ? page->newer : page->older);
	jsn_add_bool(o, "has_older", page->older);
	jsn_add_bool(o, "has_newer", page->newer);
	return o;
}

static void send_page(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    enum thread_part part)
{
	const struct thread_owner owner = owner_of(rt, r);
	struct thread_range range = { .part = part };
	struct thread_page page;
	struct err err = { 0 };

	if (!id_fits(r, w) || !read_range(r, w, &range))
		return;
	enum errcode rc = threads_page(e->parts.store, r->mem, r->arg, &owner, &range, &page, &err);
	if (rc == ERR_INPUT)
		reply_fault(r, w, "query", range.after != NULL ? "after" : "before", "value_error",
		    "Value error, the thread has no message with this id",
		    range.after != NULL ? range.after : range.before);
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else
		answer(w, 200, page_json(r->mem, r->arg, part, &page, range.after != NULL));
}

void api_thread_messages(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	send_page(e, rt, r, w, THREAD_SAID);
}

void api_thread_history(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	send_page(e, rt, r, w, THREAD_TURNS);
}

/* -- copying and deleting -- */

/* The body may be empty or null. False: the request was answered. */
static bool read_fork(struct http_req *r, struct http_res *w, const char **message_id)
{
	struct json_object *o = NULL, *v;
	struct jsn_fault why;
	struct err err;

	*message_id = NULL;
	if (r->body.n == 0)
		return true;
	if (jsn_parse(r->mem, r->body.p, r->body.n, JSN_DEPTH, &o, &why, &err) != OK) {
		reply_fault(r, w, "body", NULL, "json_invalid", "JSON decode error", NULL);
		return false;
	}
	if (o == NULL)
		return true;
	if (!jsn_is(o, json_type_object)) {
		reply_fault_value(r, w, "body", NULL, "model_attributes_type",
		    "Input should be a valid dictionary or object to extract fields from", o);
		return false;
	}
	if ((v = jsn_get(o, "message_id")) == NULL)
		return true;
	*message_id = jsn_get_str(o, "message_id", NULL);
	if (*message_id == NULL) {
		reply_fault_value(r, w, "body", "message_id", "string_type", "Input should be a valid string", v);
		return false;
	}
	return true;
}

void api_thread_fork(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct thread_owner owner = owner_of(rt, r);
	struct thread_copy copy;
	const char *message_id;
	struct err err = { 0 };

	if (!id_fits(r, w) || !read_fork(r, w, &message_id))
		return;
	enum errcode rc = threads_fork(e->parts.store, r->arg, &owner, message_id, &copy, &err);
	if (rc == ERR_INPUT) {
		reply_fault(r, w, "body", "message_id", "value_error",
		    "Value error, the thread has no message with this id", message_id);
	} else if (rc != OK) {
		reply_refusal(r, w, &err, copy.retry_ms, rc == ERR_LIMIT ? COPIED_OFTEN : NULL);
	} else {
		struct json_object *o = jsn_object(r->mem);
		jsn_add_str(o, "thread_id", copy.id);
		jsn_add_str(o, "forked_from", r->arg);
		jsn_add_str(o, "message_id", filled(copy.last_id));
		jsn_add_int(o, "message_count", (int64_t)copy.nmessages);
		answer(w, 201, o);
	}
}

void api_thread_delete(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct thread_owner owner = owner_of(rt, r);
	int64_t retry_ms = 0;
	struct err err = { 0 };

	if (!id_fits(r, w))
		return;
	if (threads_delete(e->parts.store, r->arg, &owner, &retry_ms, &err) != OK) {
		reply_refusal(r, w, &err, retry_ms, NULL);
		return;
	}
	http_begin(w, 204, NULL, HTTP_LENGTH_UNKNOWN);
	http_end(w);
}

/* -- sessions -- */

void api_session(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct session s;
	struct err err = { 0 };

	(void)rt;
	if (!id_fits(r, w))
		return;
	if (session_find(e->parts.store, r->mem, r->arg, r->field[FIELD_USER], &s, &err) != OK) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	struct json_object *o = jsn_object(r->mem), *threads = jsn_array(r->mem), *tokens = jsn_object(r->mem);
	for (size_t i = 0; i < s.nthreads; i++)
		jsn_push(threads, jsn_str(s.threads[i]));
	jsn_add_int(tokens, "input", s.input);
	jsn_add_int(tokens, "output", s.output);
	jsn_add_int(tokens, "total", s.input + s.output);
	jsn_add_str(o, "session_id", s.id);
	reply_add_time(o, "first_seen_at", s.first_us);
	reply_add_time(o, "last_seen_at", s.last_us);
	jsn_add_str(o, "persona_id", filled(s.persona));
	jsn_add_int(o, "turns", s.turns);
	jsn_add(o, "tokens", jsn_ref(tokens));
	jsn_add(o, "threads", jsn_ref(threads));
	jsn_add_str(o, "newest_thread_id", s.nthreads > 0 ? s.threads[s.nthreads - 1] : NULL);
	answer(w, 200, o);
}
