/*
 * Readers are a list that begins with the first one. A kept event has an arena of its own, so that
 * it can be dropped alone; its JSON is shared with the run, because nobody changes an event's data
 * after it was sent.
 */
#include "runtime/runlog.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/watch.h"

struct kept_event {
	struct arena *mem;            /* holds this struct too */
	struct kept_event *next;
	size_t bytes;
	struct event ev;
};

/* -- the kept events -- */

static void drop_oldest(struct runlog *log)
{
	struct kept_event *k = log->oldest;
	log->oldest = k->next;
	if (log->oldest == NULL)
		log->newest = NULL;
	log->kept_bytes -= k->bytes;
	arena_free(k->mem);
}

/* The length of JSON as text is used as the estimate of the memory of its tree. */
static size_t json_bytes(struct json_object *o)
{
	struct buf b;
	if (o == NULL)
		return 0;
	buf_init(&b, SIZE_MAX / 2);
	jsn_print(&b, o, JSN_PLAIN);
	size_t n = b.n;
	buf_release(&b);
	return n;
}

static void keep(struct runlog *log, const struct event *ev)
{
	struct arena *mem = arena_new();
	struct kept_event *k = arena_alloc(mem, sizeof(*k));
	*k = (struct kept_event){ .mem = mem, .ev = {
		.kind = ev->kind,
		.name = arena_strdup(mem, ev->name),
		.text = arena_strdup(mem, ev->text),
		.data = jsn_own(mem, jsn_ref(ev->data)),
		.result = jsn_own(mem, jsn_ref(ev->result)),
		.call_id = arena_strdup(mem, ev->call_id),
		.time_us = ev->time_us,
		.seq = ev->seq,
	} };
	k->bytes = arena_used(mem) + json_bytes(ev->data) + json_bytes(ev->result);
	if (log->newest != NULL)
		log->newest->next = k;
	else
		log->oldest = k;
	log->newest = k;
	log->kept_bytes += k->bytes;
	while (log->kept_bytes > log->keep_max)
		drop_oldest(log);
}

void runlog_keep(struct runlog *log, size_t max_bytes)
{
	log->keep_max = max_bytes;
}

void runlog_release(struct runlog *log)
{
	while (log->oldest != NULL)
		drop_oldest(log);
}

/* -- readers -- */

static enum errcode give(struct runlog_reader *r, const struct event *ev)
{
	if (r->left)
		return ERR_HUP;
	enum errcode rc = sink_emit(r->sink, ev);
	if (rc == OK)
		r->next = ev->seq + 1;
	else
		r->left = true;
	return rc;
}

static enum errcode tell(struct runlog_reader *r, enum errcode (*call)(struct sink *))
{
	if (r->left)
		return ERR_HUP;
	enum errcode rc = call(r->sink);
	r->left = rc != OK;
	return rc;
}

static enum errcode tell_all(struct runlog *log, enum errcode (*call)(struct sink *))
{
	/* the first reader last: when it reads the end of the run, others can know of it too */
	for (struct runlog_reader *r = log->first.link; r != NULL; r = r->link)
		(void)tell(r, call);
	enum errcode rc = log->first.sink != NULL ? tell(&log->first, call) : OK;
	return log->goes_on && rc == ERR_HUP ? OK : rc;
}

enum errcode runlog_attach(struct runlog *log, struct runlog_reader *r, int64_t from, struct err *e)
{
	const bool replay = from > 0 && from <= log->last;
	struct runlog_reader **end = &log->first.link;
	if (replay && (log->oldest == NULL || log->oldest->ev.seq > from))
		return err_set(e, ERR_NOTFOUND, "event %lld of the run is not kept", (long long)from);
	r->next = replay ? from : log->last + 1;
	for (const struct kept_event *k = replay ? log->oldest : NULL; k != NULL; k = k->next)
		if (k->ev.seq >= from && give(r, &k->ev) != OK)
			return err_set(e, ERR_HUP, "the reader left");
	while (*end != NULL)
		end = &(*end)->link;
	*end = r;
	return OK;
}

enum errcode runlog_append(struct runlog *log, const struct event *ev)
{
	struct event numbered = *ev;
	numbered.seq = ++log->last;
	if (log->keep_max > 0)
		keep(log, &numbered);
	enum errcode rc = log->first.sink != NULL ? give(&log->first, &numbered) : OK;
	if (log->goes_on && rc == ERR_HUP)
		rc = OK;
	for (struct runlog_reader *r = log->first.link; r != NULL; r = r->link)
		(void)give(r, &numbered);
	return rc;
}

enum errcode runlog_flush(struct runlog *log)
{
	return tell_all(log, sink_flush);
}

enum errcode runlog_tick(struct runlog *log)
{
	return tell_all(log, sink_tick);
}

void runlog_look(struct runlog *log)
{
	const struct runlog_reader *r = &log->first;
	const struct watch w = { .fd = log->goes_on && r->sink != NULL && !r->left ? sink_fd(r->sink) : -1 };
	if (w.fd >= 0 && watch_sleep(&w, 0) == ERR_HUP)
		(void)tell(&log->first, sink_tick);
}

int runlog_fd(const struct runlog *log)
{
	return log->first.sink != NULL && !log->goes_on ? sink_fd(log->first.sink) : -1;
}
