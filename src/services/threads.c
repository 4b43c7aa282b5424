/*
 * Pages, copies and deletion of threads, for all back ends alike. A back end only knows slices of a
 * thread's messages by their place; which of them are shown, and where a page begins, is decided here.
 * A message is looked for from the newest one back, some at a time, so memory does not grow with the
 * thread.
 */
#include "services/threads.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "services/counts.h"
#include "services/store_backend.h"
#include "services/store_threads.h"

enum {
	CHUNK = 128,                    /* messages that are read at once */
	FORK_MESSAGES = 10000,          /* the newest of a thread that a copy gets */
	FORK_LEASE_MS = 60000,
};

/* -- arguments -- */

static enum errcode check(const struct store *s, const char *thread_id, const struct thread_owner *owner,
    struct thread_owner *mine, struct err *e)
{
	enum errcode rc = store_check_thread(thread_id, e);

	return rc != OK ? rc : store_check_owner(s, owner, mine, e);
}

static enum errcode not_there(const char *thread_id, const char *message_id, struct err *e)
{
	return err_set(e, ERR_INPUT, "thread %s holds no message %s", log_id(thread_id), log_id(message_id));
}

/* -- about -- */

static bool is_blank(char c)
{
	return c != '\0' && strchr(" \t\r\n", c) != NULL;
}

const char *thread_title(struct arena *a, const char *question)
{
	static const char more[] = "…";
	enum { ROOM = THREAD_TITLE_MAX - (sizeof(more) - 1) };
	char text[ROOM + 1];
	size_t n = 0, words = 0;        /* words: the length of the whole words */

	for (const char *p = question + strspn(question, " \t\r\n"); *p != '\0'; p++) {
		if (is_blank(*p) && (is_blank(p[1]) || p[1] == '\0'))
			continue;
		text[n] = is_blank(*p) ? ' ' : *p;
		if (text[n] == ' ')
			words = n;
		if (n == ROOM)
			return arena_printf(a, "%.*s%s", (int)(words > 0 ? words :
			    utf8_cut(text, n + 1, n)), text, more);
		n++;
	}
	return arena_strndup(a, text, n);
}

/* The title of a thread of an older version, which stored none. */
static enum errcode find_title(struct store *s, struct arena *a, const struct thread_owner *owner,
    struct thread_about *about, struct err *e)
{
	struct store_slice slice = { .first = 0, .max = CHUNK };
	enum errcode rc = s->threads->slice(s, a, about->id, owner, &slice, e);

	about->title = "";
	for (size_t i = 0; rc == OK && i < slice.n && *about->title == '\0'; i++)
		if (streq(slice.messages[i].role, "user"))
			about->title = thread_title(a, slice.messages[i].content);
	return rc;
}

enum errcode threads_about(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, struct thread_about *out, struct err *e)
{
	struct thread_owner mine;
	enum errcode rc = check(s, thread_id, owner, &mine, e);

	if (rc != OK)
		return rc;
	*out = (struct thread_about){ .id = arena_strdup(a, thread_id) };
	rc = s->threads->about(s, a, &mine, out, e);
	return rc == OK && out->title == NULL ? find_title(s, a, &mine, out, e) : rc;
}

enum errcode threads_find(struct store *s, struct arena *a, const char *thread_id,
    struct thread_about *out, struct err *e)
{
	enum errcode rc = store_check_thread(thread_id, e);

	if (rc != OK)
		return rc;
	*out = (struct thread_about){ .id = arena_strdup(a, thread_id) };
	if ((rc = s->threads->about(s, a, NULL, out, e)) != OK || out->title != NULL)
		return rc;
	const struct thread_owner owner = { *out->user != '\0' ? out->user : NULL, out->agent };
	return find_title(s, a, &owner, out, e);
}

/* -- pages -- */

/* A slice, complete: old messages have no id, and their place in the thread is as good. */
static enum errcode read_slice(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, struct store_slice *slice, struct err *e)
{
	enum errcode rc = s->threads->slice(s, a, thread_id, owner, slice, e);

	for (size_t i = 0; rc == OK && i < slice->n; i++)
		if (slice->messages[i].id == NULL)
			slice->messages[i].id = arena_printf(a, "%016llx",
			    (unsigned long long)slice->first + i);
	return rc;
}

/* The place of a message. Each chunk is freed before the next one is read. */
static enum errcode find_message(struct store *s, const char *thread_id, const struct thread_owner *owner,
    const char *message_id, int64_t *place, struct err *e)
{
	struct store_slice slice = { .first = SLICE_NEWEST, .max = CHUNK };
	bool found = false;
	enum errcode rc;

	do {
		struct arena *a = arena_new();
		const int64_t asked = slice.first;
		rc = read_slice(s, a, thread_id, owner, &slice, e);
		for (size_t i = slice.n; rc == OK && i-- > 0 && !found;)
			if ((found = streq(slice.messages[i].id, message_id)))
				*place = slice.first + (int64_t)i;
		arena_free(a);
		if (rc != OK || found)
			return rc;
		if (slice.n == 0 || slice.first == 0 || (asked >= 0 && slice.first > asked))
			break;
		slice.max = slice.first < CHUNK ? (size_t)slice.first : CHUNK;
		slice.first -= (int64_t)slice.max;
	} while (true);
	return not_there(thread_id, message_id, e);
}

static bool belongs(const struct message *m, enum thread_part part)
{
	switch (part) {
	case THREAD_SAID: return message_is_said(m);
	case THREAD_TURNS: return m->version != 0;
	case THREAD_ALL: break;
	}
	return true;
}

/* Messages of the page, found by walking from `place` on or back; one more than the limit. */
struct walk {
	struct store *s;
	struct arena *a;
	const char *thread_id;
	const struct thread_owner *owner;
	const struct thread_range *range;
	struct message *found;          /* in the order of the walk */
	size_t nfound;
};

static bool full(const struct walk *w)
{
	return w->nfound > w->range->limit;
}

static void take(struct walk *w, const struct message *m)
{
	if (!full(w) && belongs(m, w->range->part))
		w->found[w->nfound++] = *m;
}

/* From the message before `end` back; SLICE_NEWEST: from the newest. */
static enum errcode walk_back(struct walk *w, int64_t end, struct err *e)
{
	struct store_slice slice = { .first = SLICE_NEWEST, .max = CHUNK };

	while (!full(w) && end != 0) {
		if (end > 0) {
			slice.max = end < CHUNK ? (size_t)end : CHUNK;
			slice.first = end - (int64_t)slice.max;
		}
		enum errcode rc = read_slice(w->s, w->a, w->thread_id, w->owner, &slice, e);
		if (rc != OK)
			return rc;
		/* older messages may have been deleted since */
		size_t n = slice.n;
		while (end > 0 && n > 0 && slice.first + (int64_t)n > end)
			n--;
		for (size_t i = n; i-- > 0;)
			take(w, &slice.messages[i]);
		if (n == 0)
			break;
		end = slice.first;
	}
	return OK;
}

static enum errcode walk_on(struct walk *w, int64_t place, struct err *e)
{
	struct store_slice slice = { .first = place, .max = CHUNK };

	while (!full(w)) {
		enum errcode rc = read_slice(w->s, w->a, w->thread_id, w->owner, &slice, e);
		if (rc != OK)
			return rc;
		for (size_t i = 0; i < slice.n; i++)
			take(w, &slice.messages[i]);
		if (slice.n == 0)
			break;
		slice.first += (int64_t)slice.n;
	}
	return OK;
}

static void turn_round(struct message *m, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const struct message first = m[i];
		m[i] = m[n - 1 - i];
		m[n - 1 - i] = first;
	}
}

enum errcode threads_page(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, const struct thread_range *range, struct thread_page *out,
    struct err *e)
{
	const char *from = range->after != NULL ? range->after : range->before;
	struct thread_owner mine;
	int64_t place = SLICE_NEWEST;
	enum errcode rc = check(s, thread_id, owner, &mine, e);

	*out = (struct thread_page){ 0 };
	if (rc == OK && (range->limit < 1 || range->limit > THREAD_PAGE_MAX))
		return err_set(e, ERR_INPUT, "a page has 1 to %d messages", THREAD_PAGE_MAX);
	const bool on = range->after != NULL, begin = on && *range->after == '\0';
	if (rc == OK && from != NULL && !begin)
		rc = find_message(s, thread_id, &mine, from, &place, e);
	if (rc != OK)
		return rc;
	struct walk w = { .s = s, .a = a, .thread_id = thread_id, .owner = &mine, .range = range,
	    .found = arena_array(a, range->limit + 1, sizeof(*w.found)) };
	if ((rc = on ? walk_on(&w, place + 1, e) : walk_back(&w, place, e)) != OK)
		return rc;
	out->messages = w.found;
	out->n = full(&w) ? range->limit : w.nfound;
	if (!on)
		turn_round(out->messages, out->n);
	/* on the other side there is the message that the caller named */
	out->older = on ? !begin : full(&w);
	out->newer = on ? full(&w) : from != NULL;
	return OK;
}

/* What was said in a slice, behind *skip messages. */
static void take_said(struct arena *a, const struct store_slice *slice, size_t *skip, size_t limit,
    struct message *out, size_t *n)
{
	for (size_t i = 0; i < slice->n && *n < limit; i++) {
		const struct message *m = &slice->messages[i];

		/* a model may say something before it calls a tool */
		if (*m->content == '\0' || (!streq(m->role, "user") && !streq(m->role, "assistant")))
			continue;
		if (*skip > 0) {
			(*skip)--;
			continue;
		}
		out[(*n)++] = (struct message){ .role = arena_strdup(a, m->role), .content = arena_strdup(a, m->content),
			.id = arena_strdup(a, m->id), .time_us = m->time_us };
	}
}

enum errcode threads_said(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, size_t skip, size_t limit, struct message **out, size_t *n,
    struct err *e)
{
	struct store_slice slice = { .first = 0, .max = CHUNK };
	struct thread_owner mine;
	enum errcode rc = check(s, thread_id, owner, &mine, e);

	*n = 0;
	*out = arena_array(a, limit, sizeof(**out));
	while (rc == OK && *n < limit) {
		struct arena *chunk = arena_new();

		rc = read_slice(s, chunk, thread_id, &mine, &slice, e);
		if (rc == OK)
			take_said(a, &slice, &skip, limit, *out, n);
		arena_free(chunk);
		if (slice.n == 0)
			break;
		slice.first += (int64_t)slice.n;
	}
	return rc;
}

/* -- copying and deleting -- */

/* How many of the messages a copy up to this one has; 0: it is not there, or nobody said it. */
static size_t count_up_to(const struct thread *t, const char *message_id)
{
	for (size_t i = t->nloaded; i-- > 0;)
		if (message_id == NULL || streq(t->messages[i].id, message_id))
			return message_id == NULL || message_is_said(&t->messages[i]) ? i + 1 : 0;
	return 0;
}

/* The commit of a new thread marks only its own end: whose runs made the messages is not copied. */
static enum errcode write_copy(struct store *s, const struct thread_owner *owner, const struct thread *t,
    size_t n, const struct thread_about *from, const char *id, struct err *e)
{
	/* the agent's state is that of the end */
	const struct commit c = { .append = t->messages, .nappend = n,
	    .state = n == t->nloaded ? t->state : NULL, .persona = from->persona, .origin = from->origin,
	    .last = true };
	char run[ID_SIZE];
	struct lease lease;
	int64_t retry_ms;

	id_run(run);
	enum errcode rc = store_lease(s, id, run, owner, FORK_LEASE_MS, &lease, &retry_ms, e);
	return rc != OK ? rc : store_commit(s, &lease, owner, &c, e);
}

static void note_last(struct thread_copy *out, const struct thread *t)
{
	for (size_t i = out->nmessages; i-- > 0;)
		if (message_is_said(&t->messages[i])) {
			snprintf(out->last_id, sizeof(out->last_id), "%s", t->messages[i].id);
			return;
		}
}

/* A copy counts at the thread that was copied first, so that copies of copies count too. */
static enum errcode count_copy(struct store *s, struct arena *a, const char *origin, int64_t *retry_ms,
    struct err *e)
{
	enum errcode rc = store_count(s, arena_printf(a, "copies:%s", origin), 1, s->thread_copies,
	    STORE_COPY_MS, retry_ms, e);

	return rc != ERR_LIMIT ? rc : err_set(e, rc, "thread %s and its copies were copied %d times within an hour: "
	    "if that is too few for your users, raise AVIATION_AGENT_THREAD_COPIES", log_id(origin),
	    s->thread_copies);
}

enum errcode threads_fork(struct store *s, const char *thread_id, const struct thread_owner *owner,
    const char *message_id, struct thread_copy *out, struct err *e)
{
	struct arena *a = arena_new();
	struct thread_about from;
	struct thread t;
	enum errcode rc = threads_about(s, a, thread_id, owner, &from, e);

	*out = (struct thread_copy){ .retry_ms = 0 };
	if (rc == OK)
		rc = store_load(s, a, thread_id, owner, FORK_MESSAGES, &t, e);
	if (rc == OK) {
		out->nmessages = count_up_to(&t, message_id);
		if (out->nmessages == 0 && message_id != NULL)
			rc = not_there(thread_id, message_id, e);
	}
	if (rc == OK) {
		if (from.origin[0] == '\0')
			from.origin = thread_id;
		note_last(out, &t);
		id_thread(out->id);
		rc = count_copy(s, a, from.origin, &out->retry_ms, e);
	}
	if (rc == OK)
		rc = write_copy(s, owner, &t, out->nmessages, &from, out->id, e);
	arena_free(a);
	return rc;
}

enum errcode threads_delete(struct store *s, const char *thread_id, const struct thread_owner *owner,
    int64_t *retry_ms, struct err *e)
{
	struct thread_owner mine;
	enum errcode rc = check(s, thread_id, owner, &mine, e);

	*retry_ms = 0;
	return rc != OK ? rc : s->ops->forget(s, thread_id, &mine, retry_ms, e);
}

enum errcode threads_list(struct store *s, struct arena *a, const char *user, size_t max,
    struct thread_about **out, size_t *n, bool *more, struct err *e)
{
	*out = arena_array(a, max + 1, sizeof(**out));
	*n = 0;
	*more = false;
	enum errcode rc = s->threads->list(s, a, user, max, *out, n, more, e);
	for (size_t i = 0; rc == OK && i < *n; i++)
		if ((*out)[i].title == NULL)
			(*out)[i].title = "";
	return rc;
}
