/*
 * The entrance to the thread store: picks a back end by name, refuses arguments that no back end
 * may get, and passes on the rest.
 *
 * Thread and run ids become part of keys and scripts, so only letters, digits, '-' and '_' are
 * allowed, whatever the caller has checked before. Of a turn that is larger than the thread's limit
 * only the newest messages are passed on. There is no state here: the locks are in the back ends.
 */
#include "services/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "base/errs.h"
#include "services/store_backend.h"
#include "services/store_threads.h"

enum {
	ROLE_MAX = 16,
	CALL_MAX = 256,                 /* bytes of a call's id or a tool's name */
	LEASE_MAX_MS = 24 * 3600 * 1000,
	RUN_TTL_S = 1800,
	KEPT_MESSAGES = 2,              /* kept whatever their size is: a question and its answer */
};

static const struct {
	const char *name;
	enum errcode (*open)(struct store **out, const struct store_config *c, struct err *e);
	bool in_memory;
} providers[] = {
	{ "redis", store_redis_open, false },
	{ "sqlite", store_sqlite_open, false },
	{ "memory", store_memory_open, true },
	{ "none", store_none_open, true },
};

struct message message_new(struct arena *a, const char *role, const char *content)
{
	char id[ID_SIZE];

	id_message(id);
	return (struct message){ .role = role, .content = content, .id = arena_strdup(a, id),
	    .time_us = clock_wall_us() };
}

bool message_is_said(const struct message *m)
{
	return m->content != NULL && m->ncalls == 0 &&
	    (streq(m->role, "user") || streq(m->role, "assistant"));
}

enum errcode store_check_thread(const char *id, struct err *e)
{
	if (id_valid(id, STORE_ID_MAX))
		return OK;
	return err_set(e, ERR_INPUT, "store: a thread id is 1 to %d letters, digits, - or _",
	    STORE_ID_MAX);
}

static enum errcode check_run(const char *id, struct err *e)
{
	if (id_valid(id, sizeof(((struct lease *)NULL)->run) - 1))
		return OK;
	return err_set(e, ERR_INPUT, "store: a run id is 1 to 47 letters, digits, - or _");
}

static bool text_ok(const char *s, size_t max)
{
	return s != NULL && s[0] != '\0' && strnlen(s, max + 1) <= max;
}

enum errcode store_check_owner(const struct store *s, const struct thread_owner *owner,
    struct thread_owner *out, struct err *e)
{
	*out = owner != NULL ? *owner : (struct thread_owner){ 0 };
	if (out->user != NULL && !text_ok(out->user, STORE_OWNER_MAX))
		return err_set(e, ERR_INPUT, "store: the user's name is empty or longer than %d bytes",
		    STORE_OWNER_MAX);
	if (out->agent != NULL && !id_valid(out->agent, STORE_AGENT_MAX))
		return err_set(e, ERR_INPUT, "store: an agent's name is 1 to %d letters, digits, - or _",
		    STORE_AGENT_MAX);
	if (out->agent == NULL)
		out->agent = s->agent;
	return OK;
}

static bool calls_ok(const struct message *m)
{
	if (m->ncalls > STORE_CALLS_MAX || (m->ncalls > 0 && !streq(m->role, "assistant")))
		return false;
	for (size_t i = 0; i < m->ncalls; i++)
		if (!text_ok(m->calls[i].id, CALL_MAX) || !text_ok(m->calls[i].name, CALL_MAX) ||
		    m->calls[i].arguments == NULL)
			return false;
	return true;
}

static enum errcode check_message(const struct message *m, size_t i, struct err *e)
{
	if (!id_valid(m->role, ROLE_MAX) || m->content == NULL)
		return err_set(e, ERR_INPUT,
		    "store: message %zu of the turn has no valid role or no content", i);
	if (m->id != NULL && !id_valid(m->id, STORE_ID_MAX))
		return err_set(e, ERR_INPUT,
		    "store: the id of message %zu is not 1 to %d letters, digits, - or _", i, STORE_ID_MAX);
	if (streq(m->role, "tool") ? !text_ok(m->call_id, CALL_MAX) : m->call_id != NULL)
		return err_set(e, ERR_INPUT, "store: message %zu must name the call that it answers if it is "
		    "a tool's, and only then", i);
	if (!calls_ok(m))
		return err_set(e, ERR_INPUT, "store: message %zu calls tools and is not the assistant's, "
		    "or makes more than %d calls, or one of them has no id, name or arguments", i,
		    STORE_CALLS_MAX);
	return OK;
}

static enum errcode check_lease(const struct lease *l, struct err *e)
{
	enum errcode rc = store_check_thread(l->thread, e);

	if (rc != OK || (rc = check_run(l->run, e)) != OK)
		return rc;
	if (l->ttl_ms < 1 || l->ttl_ms > LEASE_MAX_MS)
		return err_set(e, ERR_INPUT, "store: a lease lasts 1 ms to 24 h, not %lld ms",
		    (long long)l->ttl_ms);
	return OK;
}

enum errcode store_open(struct store **out, const struct store_config *c, struct err *e)
{
	*out = NULL;
	if (c->agent != NULL && !id_valid(c->agent, STORE_AGENT_MAX))
		return err_set(e, ERR_CONFIG, "store: '%.64s' cannot be an agent's name", c->agent);
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (streq(providers[i].name, c->provider)) {
			enum errcode rc = providers[i].open(out, c, e);

			if (rc == OK) {
				(*out)->name = providers[i].name;
				(*out)->in_memory = providers[i].in_memory;
				(*out)->thread_bytes = c->thread_bytes;
				(*out)->thread_copies = c->thread_copies;
				(*out)->run_ttl_ms = (c->run_ttl_s > 0 ? c->run_ttl_s : RUN_TTL_S) * 1000;
				snprintf((*out)->agent, sizeof((*out)->agent), "%s",
				    c->agent != NULL ? c->agent : "");
			}
			return rc;
		}
	return err_set(e, ERR_CONFIG,
	    "CHECKPOINTER_PROVIDER is '%.40s': use redis, sqlite, memory or none",
	    c->provider != NULL ? c->provider : "");
}

void store_close(struct store *s)
{
	if (s != NULL)
		s->ops->close(s);
}

const char *store_name(const struct store *s)
{
	return s->name;
}

bool store_in_memory(const struct store *s)
{
	return s->in_memory;
}

enum errcode store_ping(struct store *s, struct err *e)
{
	return s->ops->ping(s, e);
}

/* The lease that is asked for, checked. */
static enum errcode lease_init(struct lease *l, const char *thread_id, const char *run_id,
    int64_t ttl_ms, struct err *e)
{
	enum errcode rc;

	memset(l, 0, sizeof(*l));
	if ((rc = store_check_thread(thread_id, e)) != OK || (rc = check_run(run_id, e)) != OK)
		return rc;
	memcpy(l->thread, thread_id, strlen(thread_id));
	memcpy(l->run, run_id, strlen(run_id));
	l->ttl_ms = ttl_ms;
	return check_lease(l, e);
}

/* start NULL: without a record. */
static enum errcode take_lease(struct store *s, const char *thread_id, const char *run_id,
    const struct run_start *start, const struct thread_owner *owner, int64_t ttl_ms,
    struct lease_wait *w, struct lease *out, struct err *e)
{
	struct thread_owner mine;
	struct lease_wait none = { 0 };
	enum errcode rc;

	if (w == NULL)
		w = &none;
	w->holder[0] = w->dead[0] = '\0';
	w->held_ms = w->place = -1;
	w->retry_ms = 0;
	if ((rc = lease_init(out, thread_id, run_id, ttl_ms, e)) != OK ||
	    (rc = store_check_owner(s, owner, &mine, e)) != OK)
		return rc;
	if (w->queue_max < 0 || (w->queue_max > 0 && (w->hold_ms < 1 || w->hold_ms > STORE_HOLD_MAX_MS)))
		return err_set(e, ERR_INPUT, "store: a place in a queue is kept for 1 to %d ms", STORE_HOLD_MAX_MS);
	out->recorded = start != NULL;
	return s->ops->lease(s, &mine, start, out, w, e);
}

enum errcode store_lease_wait(struct store *s, const char *thread_id, const char *run_id,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease_wait *w, struct lease *out,
    struct err *e)
{
	return take_lease(s, thread_id, run_id, NULL, owner, ttl_ms, w, out, e);
}

enum errcode store_begin(struct store *s, const char *thread_id, const struct run_start *start,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease_wait *w, struct lease *out,
    struct err *e)
{
	return take_lease(s, thread_id, start->run_id, start, owner, ttl_ms, w, out, e);
}

enum errcode store_lease(struct store *s, const char *thread_id, const char *run_id,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease *out, int64_t *retry_ms,
    struct err *e)
{
	struct lease_wait w = { 0 };
	enum errcode rc = store_lease_wait(s, thread_id, run_id, owner, ttl_ms, &w, out, e);

	if (retry_ms != NULL)
		*retry_ms = w.retry_ms;
	return rc;
}

enum errcode store_leave(struct store *s, const char *thread_id, const char *run_id, struct err *e)
{
	struct lease l;
	enum errcode rc = lease_init(&l, thread_id, run_id, 1, e);

	return rc != OK ? rc : s->ops->leave(s, &l, e);
}

enum errcode store_renew(struct store *s, struct lease *l, struct err *e)
{
	enum errcode rc = check_lease(l, e);

	return rc != OK ? rc : s->ops->renew(s, l, e);
}

enum errcode store_release(struct store *s, const struct lease *l, struct err *e)
{
	enum errcode rc = check_lease(l, e);

	return rc != OK ? rc : s->ops->release(s, l, e);
}

/* Old messages have no id: their place in the thread is as good. */
static void complete(struct arena *a, struct thread *t)
{
	t->nolder = t->nmessages > (int64_t)t->nloaded ? t->nmessages - (int64_t)t->nloaded : 0;
	for (size_t i = 0; i < t->nloaded; i++)
		if (t->messages[i].id == NULL)
			t->messages[i].id = arena_printf(a, "%016llx",
			    (unsigned long long)t->nolder + i);
	store_repair(a, t);
}

enum errcode store_load(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, size_t max_messages, struct thread *out, struct err *e)
{
	struct thread_owner mine;
	enum errcode rc;

	memset(out, 0, sizeof(*out));
	if ((rc = store_check_thread(thread_id, e)) != OK || (rc = store_check_owner(s, owner, &mine, e)) != OK)
		return rc;
	out->id = arena_strdup(a, thread_id);
	if ((rc = s->ops->load(s, a, &mine, max_messages, out, e)) == OK)
		complete(a, out);
	return rc;
}

size_t store_kept_bytes(const struct kept *k)
{
	const size_t turn = strlen(k->turn);

	return strlen(k->role) + strlen(k->content) + strlen(k->id) + strlen(k->call_id) +
	    strlen(k->calls) + STORE_KEPT_BYTES + (turn > 0 ? turn + 1 : 0);
}

static const char *calls_text(struct arena *a, const struct message *m)
{
	if (m->ncalls == 0)
		return "";
	struct json_object *list = jsn_array(a);
	for (size_t i = 0; i < m->ncalls; i++) {
		struct json_object *o = jsn_new();

		jsn_add_str(o, "id", m->calls[i].id);
		jsn_add_str(o, "name", m->calls[i].name);
		jsn_add_str(o, "arguments", m->calls[i].arguments);
		if (m->calls[i].signature != NULL)
			jsn_add_str(o, "signature", m->calls[i].signature);
		jsn_push(list, o);
	}
	return jsn_text(a, list, JSN_PLAIN);
}

static struct kept keep(struct arena *a, const struct message *m)
{
	return (struct kept){
		.role = m->role,
		.content = m->content,
		.id = m->id != NULL ? m->id : "",
		.call_id = m->call_id != NULL ? m->call_id : "",
		.calls = calls_text(a, m),
		.time_us = m->time_us,
		.turn = "",
	};
}

static enum errcode read_calls(struct arena *a, const char *text, struct message *m, struct err *e)
{
	struct json_object *list;

	if (jsn_parse(a, text, strlen(text), JSN_DEPTH, &list, NULL, e) != OK ||
	    !jsn_is(list, json_type_array))
		return err_set(e, ERR_DATA, "a message's tool calls are damaged");
	m->ncalls = jsn_len(list);
	struct message_call *calls = arena_array(a, m->ncalls, sizeof(*calls));
	for (size_t i = 0; i < m->ncalls; i++) {
		struct json_object *o = jsn_at(list, i);

		calls[i].id = arena_strdup(a, jsn_get_str(o, "id", ""));
		calls[i].name = arena_strdup(a, jsn_get_str(o, "name", ""));
		calls[i].arguments = arena_strdup(a, jsn_get_str(o, "arguments", ""));
		calls[i].signature = arena_strdup(a, jsn_get_str(o, "signature", NULL));
	}
	m->calls = calls;
	return OK;
}

/* What a turn's last message says of the turn. */
static void read_turn(const struct kept *k, struct message *m)
{
	const char *blank = strchr(k->turn, ' ');

	if (blank == NULL)
		return;
	m->version = strtoll(k->turn, NULL, 10);
	m->run = blank + 1;
}

enum errcode store_read(struct arena *a, const struct kept *k, struct message *m, struct err *e)
{
	*m = (struct message){
		.role = k->role,
		.content = k->content,
		.id = k->id[0] != '\0' ? k->id : NULL,
		.call_id = k->call_id[0] != '\0' ? k->call_id : NULL,
		.time_us = k->time_us,
	};
	read_turn(k, m);
	return k->calls[0] != '\0' ? read_calls(a, k->calls, m, e) : OK;
}

/* Leave out the oldest of the new messages until the rest fits the limit. */
static void cut(struct kept_turn *t, size_t ceiling)
{
	size_t n = 0, bytes = 0;

	for (; n < t->nappend; n++) {
		bytes += store_kept_bytes(&t->append[t->nappend - n - 1]);
		if (ceiling > 0 && bytes > ceiling && n >= KEPT_MESSAGES)
			break;
	}
	t->skipped += t->nappend - n;
	t->append += t->nappend - n;
	t->nappend = n;
}

/* The title of a thread that begins with this turn. */
static const char *first_question(struct arena *a, const struct commit *c)
{
	if (c->version == 0)
		for (size_t i = 0; i < c->nappend; i++)
			if (streq(c->append[i].role, "user"))
				return thread_title(a, c->append[i].content);
	return "";
}

static const char *short_persona(const char *persona)
{
	return persona != NULL && strlen(persona) <= SESSION_PERSONA_MAX ? persona : "";
}

/* NULL: no session is to count the turn, or the session is not kept. */
static const struct session_turn *counted(const struct session_turn *t, struct session_turn *out)
{
	if (t == NULL || !session_is_kept(t->id, t->user))
		return NULL;
	*out = *t;
	out->user = t->user != NULL ? t->user : "";
	return out;
}

enum errcode store_commit(struct store *s, const struct lease *l, const struct thread_owner *owner,
    const struct commit *c, struct err *e)
{
	struct thread_owner mine;
	enum errcode rc;

	if ((rc = check_lease(l, e)) != OK || (rc = store_check_owner(s, owner, &mine, e)) != OK)
		return rc;
	for (size_t i = 0; i < c->nappend; i++)
		if ((rc = check_message(&c->append[i], i, e)) != OK)
			return rc;
	struct arena *a = arena_new();
	struct kept *append = arena_array(a, c->nappend + 1, sizeof(*append));
	struct session_turn session;
	for (size_t i = 0; i < c->nappend; i++)
		append[i] = keep(a, &c->append[i]);
	if (c->nappend > 0)
		append[c->nappend - 1].turn = arena_printf(a, "%lld %s", (long long)c->version + 1, l->run);
	struct kept_turn turn = { .version = c->version, .append = append, .nappend = c->nappend,
	    .skipped = c->skipped, .state = c->state, .title = first_question(a, c),
	    .persona = short_persona(c->persona), .origin = c->origin != NULL ? c->origin : "", .time_us = clock_wall_us(),
	    .session = counted(c->session, &session), .last = c->last, .end = c->end };
	cut(&turn, s->thread_bytes);
	rc = s->ops->commit(s, l, &mine, &turn, e);
	arena_free(a);
	return rc;
}

enum errcode store_forget(struct store *s, const char *thread_id, struct err *e)
{
	enum errcode rc = store_check_thread(thread_id, e);

	return rc != OK ? rc : s->ops->forget(s, thread_id, NULL, NULL, e);
}

enum errcode store_lost(const struct lease *l, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s: the lease of run %.8s has ended or was taken over",
	    log_id(l->thread), l->run);
}

enum errcode store_ended(const struct lease *l, struct err *e)
{
	return err_set(e, ERR_LOST, "run %.8s gave no sign of life for so long that it was ended", l->run);
}

enum errcode store_unknown(const char *thread_id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "thread %s is not in the store", log_id(thread_id));
}

enum errcode store_foreign(const char *thread_id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "thread %s belongs to another user or another agent", log_id(thread_id));
}

enum errcode store_moved(const struct lease *l, int64_t version, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s is at version %lld, not at the one that was loaded",
	    log_id(l->thread), (long long)version);
}

enum errcode store_busy(const struct lease *l, const struct lease_wait *w, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s is %s run %.8s for %lld ms more at the latest",
	    log_id(l->thread), w->held_ms < 0 ? "kept for the waiting" : "leased to the", w->holder,
	    (long long)w->retry_ms);
}
