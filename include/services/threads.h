/*
 * Threads as their owners see them: what is said in them, page by page, and copying and deleting them.
 * The turns themselves go through services/store.h.
 *
 * Errors are those of the store. ERR_NOTFOUND: the thread was never written, has expired, or belongs to
 * another user or agent; the caller cannot tell which. ERR_INPUT: the message that a call names is not
 * in the thread. A NULL owner is an anonymous user of the default agent.
 */
#ifndef SERVICES_THREADS_H
#define SERVICES_THREADS_H

#include "base/clock.h"
#include "services/store.h"

enum {
	THREAD_TITLE_MAX = 96,        /* bytes of a title */
	THREAD_PAGE_MAX = 200,        /* messages of a page */
};

struct thread_about {
	const char *id;
	int64_t version;              /* number of commits */
	int64_t nmessages;            /* all messages that it ever had */
	int64_t nkept;                /* messages that are still stored */
	int64_t created_us, updated_us;       /* Unix time; 0: not known */
	const char *title;            /* the first words of its first question; "": not known */
	const char *persona;          /* of its newest turn; "": none */
	const char *user, *agent;     /* the owner; "": anonymous */
	const char *origin;           /* of a copy: the first thread, even if that was copied several times; "":
	                               * it is no copy */
	const char *run;              /* the run that holds its lease; "": none */
	int64_t run_ms;               /* that lease ends after this time at the latest */
};
enum errcode threads_about(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, struct thread_about *out, struct err *e);
/* The same for operators, who may see the threads of all users. */
enum errcode threads_find(struct store *s, struct arena *a, const char *thread_id,
    struct thread_about *out, struct err *e);

enum thread_part {
	THREAD_SAID,                  /* what the user and the assistant said */
	/* the last message of each turn (its version is not 0). The thread as it was after that turn is all
	 * messages up to this one */
	THREAD_TURNS,
	THREAD_ALL,                   /* tool turns too */
};

struct thread_range {
	enum thread_part part;
	size_t limit;                 /* 1 to THREAD_PAGE_MAX */
	/* the id of a message, in at most one of the two: the page has the messages just before it or just after
	 * it. `after` "": the oldest messages. Both NULL: the newest */
	const char *before, *after;
};
struct thread_page {
	struct message *messages;     /* oldest first */
	size_t n;
	bool older, newer;            /* there are more before the first or after the last of these */
};
/* ERR_INPUT: the thread has no message with the id in `before` or `after`. */
enum errcode threads_page(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, const struct thread_range *range, struct thread_page *out,
    struct err *e);

struct thread_copy {
	char id[ID_SIZE];             /* of the new thread */
	size_t nmessages;
	char last_id[STORE_ID_MAX + 1];       /* its last message that was said; "": there is none */
	int64_t retry_ms;             /* with ERR_LIMIT: when to try again */
};
/* What was said, oldest first, without the first `skip` of these messages; at most `limit`. Only the messages
 * before and in the page are read, some at a time. */
enum errcode threads_said(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, size_t skip, size_t limit, struct message **out, size_t *n,
    struct err *e);

/* Copy the thread up to a message (NULL: all of it) into a new one of the same owner, in one step:
 * all of it or nothing. The messages keep their ids; runs, versions and sessions of the old thread are not
 * copied. A copy is deleted after an hour, unless a turn continues it: then it lives as long as any
 * thread. ERR_INPUT: the thread has no such message. ERR_LIMIT: the thread and its copies were copied
 * store_config.thread_copies times within the last hour. */
enum errcode threads_fork(struct store *s, const char *thread_id, const struct thread_owner *owner,
    const char *message_id, struct thread_copy *out, struct err *e);

/* Delete everything that is stored of a thread. ERR_BUSY: a run holds its lease, which ends after
 * *retry_ms at the latest. */
enum errcode threads_delete(struct store *s, const char *thread_id, const struct thread_owner *owner,
    int64_t *retry_ms, struct err *e);

/* For operators: up to `max` threads of all users and agents (`user` not NULL: of that user), in no
 * order. *more: there are others. */
enum errcode threads_list(struct store *s, struct arena *a, const char *user, size_t max,
    struct thread_about **out, size_t *n, bool *more, struct err *e);

#endif
