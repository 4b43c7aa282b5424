/*
 * What a back end of the thread store provides. Private to src/services/store*.c and its tests.
 *
 * store.c checks every argument before it calls a back end: ids are safe in keys and fit their
 * buffers, roles are single words, `retry_ms` and the error are never NULL. All functions are
 * called from many threads at once.
 *
 * Rules for all back ends:
 * - A thread's first commit writes its owner, and no later one changes it. A thread without an
 * owner is open to everyone who knows its id, also to an authenticated user.
 * - A lease for the run id that already holds it gives the same lease. A commit that this run has
 * made already succeeds without writing. So a caller that lost a reply may simply repeat.
 * - A lease and a commit are uses of a thread and start its ttl again; a load is not.
 * - A message counts store_message_bytes(). store.c has cut the new messages to the limit; a back
 * end drops its oldest messages until the new ones fit too. A dropped or skipped message still
 * counts in nmessages, so that a client that sends everything again is understood.
 */
#ifndef SERVICES_STORE_BACKEND_H
#define SERVICES_STORE_BACKEND_H

#include "services/store.h"

struct store_ops {
	void (*close)(struct store *s);
	enum errcode (*ping)(struct store *s, struct err *e);
	enum errcode (*lease)(struct store *s, const char *owner, struct lease *l,
	    int64_t *retry_ms, struct err *e);      /* l: thread, run, ttl_ms in; fence out */
	enum errcode (*renew)(struct store *s, const struct lease *l, struct err *e);
	enum errcode (*release)(struct store *s, const struct lease *l, struct err *e);
	enum errcode (*load)(struct store *s, struct arena *a, size_t max_messages,
	    struct thread *t, struct err *e);       /* t: id in, all else zero */
	enum errcode (*commit)(struct store *s, const struct lease *l, const char *owner,
	    const struct commit *c, struct err *e);
	enum errcode (*forget)(struct store *s, const char *thread_id, struct err *e);
};

struct store {                          /* first member of each back end's own struct */
	const struct store_ops *ops;
	const char *name;               /* of the provider; this and what follows is set by store_open() */
	size_t thread_bytes;            /* limit of a thread's text; 0: none */
};

/* The bytes that a stored message counts towards its thread's limit. */
size_t store_message_bytes(const struct message *m);

enum errcode store_redis_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_sqlite_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_memory_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_none_open(struct store **out, const struct store_config *c, struct err *e);

/* The memory store with its own limits, for tests of the limits. */
enum errcode store_memory_new(struct store **out, int64_t ttl_s, int64_t max_threads,
    int64_t max_bytes, struct err *e);

/* Failures every back end words alike; each returns its code. */
enum errcode store_lost(const struct lease *l, struct err *e);
enum errcode store_foreign(const char *thread_id, struct err *e);
enum errcode store_moved(const struct lease *l, int64_t version, struct err *e);
enum errcode store_busy(const struct lease *l, int64_t retry_ms, struct err *e);

#endif
