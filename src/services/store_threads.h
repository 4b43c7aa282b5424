/*
 * What a back end provides besides the turns (store_backend.h). Private to src/services/.
 *
 * The callers have checked every argument, and the owner is never NULL. A thread that was leased but
 * never written does not exist here.
 */
#ifndef SERVICES_STORE_THREADS_H
#define SERVICES_STORE_THREADS_H

#include "services/sessions.h"
#include "services/threads.h"

enum { SLICE_NEWEST = -1 };

/* Successive messages of a thread. A message's place is the number of messages that
 * were before it, deleted ones included. */
struct store_slice {
	int64_t first;                /* place of the first one; SLICE_NEWEST: the last `max` */
	size_t max;
	/* out: first is the place of messages[0], later than asked for if older ones were deleted */
	int64_t nmessages;            /* the thread's, so the place behind its last message */
	struct message *messages;
	size_t n;
};

struct store_thread_ops {
	/* out->id is set, all else zero; title may stay NULL. owner NULL: an operator, who may see all */
	enum errcode (*about)(struct store *s, struct arena *a, const struct thread_owner *owner,
	    struct thread_about *out, struct err *e);
	enum errcode (*slice)(struct store *s, struct arena *a, const char *thread_id,
	    const struct thread_owner *owner, struct store_slice *slice, struct err *e);
	enum errcode (*list)(struct store *s, struct arena *a, const char *user, size_t max,
	    struct thread_about *out, size_t *n, bool *more, struct err *e);
	/* out->id is set, all else zero; user "": anonymous */
	enum errcode (*session)(struct store *s, struct arena *a, const char *user, struct session *out,
	    struct err *e);
};

/* The beginning of a thread's first question, for its title: at most THREAD_TITLE_MAX bytes. */
const char *thread_title(struct arena *a, const char *question);

enum errcode session_unknown(const char *id, struct err *e);

/* A list of thread ids with blanks between them, the newest last, with this one made the newest; at most
 * SESSION_THREADS. */
const char *session_threads_add(struct arena *a, const char *list, const char *thread_id);
/* … and without this one. */
const char *session_threads_drop(struct arena *a, const char *list, const char *thread_id);
/* … as an array. */
void session_threads_read(struct arena *a, const char *list, struct session *out);

#endif
