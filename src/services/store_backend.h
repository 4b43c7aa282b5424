/*
 * What a back end of the thread store provides. Private to src/services/store*.c and its tests.
 *
 * store.c checks every argument before it calls a back end: ids are safe in keys and fit their
 * buffers, roles are single words, the owner, its agent and the error are never NULL. All
 * functions are called from many threads at once.
 *
 * Rules for all back ends:
 * - A thread's first commit writes its owner, which is a user and an agent, and no later one changes
 *   it. A thread without a user is open to everyone who knows its id, also to an authenticated user. A
 *   thread without an agent is the default agent's. Before its first commit a thread is open to all.
 * - A lease for the run id that already holds it gives the same lease. A commit that this run has
 *   made already succeeds without writing. So a caller that lost a reply may simply repeat.
 * - A run whose record says that it has ended gets no lease and commits nothing more (ERR_LOST).
 * - A lease and a commit are uses of a thread and start its ttl again; a load is not.
 * - A message counts store_kept_bytes(). store.c has cut the new messages to the limit; a back end
 *   drops its oldest messages until the new ones fit too. A dropped or skipped message still counts
 *   in nmessages, so that a client that sends everything again is understood.
 */
#ifndef SERVICES_STORE_BACKEND_H
#define SERVICES_STORE_BACKEND_H

#include "services/claims.h"
#include "services/runs.h"
#include "services/store.h"

/* A message as it is stored. No member is NULL. */
struct kept {
	const char *role, *content;
	const char *id, *call_id;       /* "": none */
	const char *calls;              /* JSON text of the calls; "": none */
	int64_t time_us;
	const char *turn;               /* of the last message of a commit "<version> <run>"; else "" */
};

struct kept_turn {                      /* a struct commit that is to be written as it is */
	int64_t version;
	const struct kept *append;
	size_t nappend, skipped;
	const char *state;
	const char *title;              /* of a thread that begins with this turn */
	const char *persona;            /* "": none */
	const char *origin;             /* of a new copy, which lives for STORE_COPY_MS until it is used; "": none */
	int64_t time_us;                /* now, Unix time */
	const struct session_turn *session;     /* its user "": anonymous; NULL: none */
	bool last;
	const struct run_end *end;
};

struct store_listener;                  /* each back end has its own */

struct store_news {
	enum {
		STORE_NEWS_NONE,        /* the time is up, or somebody called wake */
		STORE_NEWS_LOG,         /* this run may have new events */
		STORE_NEWS_ALL,         /* any run may */
		STORE_NEWS_CANCEL,      /* this run is asked to stop */
	} kind;
	char run[48];
};

struct store_ops {
	void (*close)(struct store *s);
	enum errcode (*ping)(struct store *s, struct err *e);
	/* l: thread, run, ttl_ms, recorded in; fence out. start: NULL unless l->recorded */
	enum errcode (*lease)(struct store *s, const struct thread_owner *owner,
	    const struct run_start *start, struct lease *l, struct lease_wait *w, struct err *e);
	enum errcode (*leave)(struct store *s, const struct lease *l, struct err *e);
	enum errcode (*renew)(struct store *s, struct lease *l, struct err *e);
	enum errcode (*release)(struct store *s, const struct lease *l, struct err *e);
	enum errcode (*load)(struct store *s, struct arena *a, const struct thread_owner *owner,
	    size_t max_messages, struct thread *t, struct err *e);       /* t: id in, all else zero */
	enum errcode (*commit)(struct store *s, const struct lease *l, const struct thread_owner *owner,
	    const struct kept_turn *c, struct err *e);
	/* Delete everything of a thread, its entry in the session of its newest turn too. ERR_BUSY with
	 * *retry_ms: a run holds it. owner NULL: an operator's call. It also takes the thread from a run, and
	 * an unknown thread is no error. */
	enum errcode (*forget)(struct store *s, const char *thread_id, const struct thread_owner *owner,
	    int64_t *retry_ms, struct err *e);
	/* r: run_id in, all else zero. groups NULL: only the record */
	enum errcode (*run_read)(struct store *s, struct arena *a, int64_t after, size_t max_bytes,
	    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e);
	enum errcode (*run_append)(struct store *s, const char *run_id, const struct run_group *g,
	    int64_t alive_ms, const struct run_end *end, struct err *e);
	/* the back end sets g->first itself */
	enum errcode (*run_bury)(struct store *s, const char *run_id, const struct run_group *g,
	    const struct run_end *end, bool *ended, struct err *e);
	/* What happens to runs anywhere: see services/run_desk.h. One thread waits; any thread may call the
	 * others. */
	struct store_listener *(*listen_open)(struct store *s);
	void (*listen_close)(struct store_listener *l);
	void (*listen_add)(struct store_listener *l, const char *run_id);
	void (*listen_drop)(struct store_listener *l, const char *run_id);
	void (*listen_begin)(struct store_listener *l);         /* the caller wants news from now on */
	void (*listen_wake)(struct store_listener *l);
	/* Wait at most ms. active: somebody wants to hear something */
	enum errcode (*listen_wait)(struct store_listener *l, int ms, bool active,
	    struct store_news *out, struct err *e);
	enum errcode (*run_cancel)(struct store *s, const char *run_id,
	    const struct thread_owner *owner, enum run_status *was, struct err *e);
	enum errcode (*claim)(struct store *s, const char *name, const char *mark, const char *token,
	    int64_t hold_ms, struct claim *out, struct err *e);
	enum errcode (*claim_settle)(struct store *s, const char *name, const char *mark,
	    const char *token, const char *run_id, int64_t ttl_ms, struct err *e);
	enum errcode (*claim_free)(struct store *s, const char *name, const char *token, struct err *e);
};

struct store {                          /* first member of each back end's own struct */
	const struct store_ops *ops;
	const struct store_thread_ops *threads; /* store_threads.h */
	const struct store_account_ops *accounts;       /* store_accounts.h */
	const char *name;               /* of the provider; this and what follows is set by store_open() */
	bool in_memory;
	char agent[STORE_AGENT_MAX + 1];        /* the default agent; "": there is none */
	size_t thread_bytes;            /* limit of a thread's text; 0: none */
	int thread_copies;              /* most copies of a thread within STORE_COPY_MS; 0: no limit */
	int64_t run_ttl_ms;
};

/* The longest time that a place in a queue is kept. A place that seems to last longer was made before the
 * clock was set back, and counts as lost. */
enum { STORE_HOLD_MAX_MS = 600 * 1000 };

/* How long a copy of a thread is kept that nobody has continued, if threads are kept for longer; and for how
 * long a copy is counted. */
enum { STORE_COPY_MS = 3600 * 1000 };

enum { STORE_KEPT_BYTES = 21 };         /* what a message takes besides its texts, its time included */
/* The bytes that a stored message counts towards its thread's limit: its texts and STORE_KEPT_BYTES. */
size_t store_kept_bytes(const struct kept *k);
/* Read a stored message. ERR_DATA: its calls are damaged. */
enum errcode store_read(struct arena *a, const struct kept *k, struct message *m, struct err *e);

/* Give each call of the loaded messages one result, and leave out results without a call. All
 * messages must have an id. */
void store_repair(struct arena *a, struct thread *t);

enum errcode store_redis_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_sqlite_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_memory_open(struct store **out, const struct store_config *c, struct err *e);
enum errcode store_none_open(struct store **out, const struct store_config *c, struct err *e);

/* The memory store with its own limits, for tests of the limits. */
enum errcode store_memory_new(struct store **out, int64_t ttl_s, int64_t max_threads,
    int64_t max_bytes, struct err *e);

/* The checks that come before every call of a back end. `out` is the owner with the default agent filled
 * in. */
enum errcode store_check_thread(const char *id, struct err *e);
enum errcode store_check_owner(const struct store *s, const struct thread_owner *owner,
    struct thread_owner *out, struct err *e);

/* How long a sign of life of a run lasts. */
int64_t store_alive_ms(int64_t lease_ms);
bool run_status_parse(const char *name, enum run_status *out);
/* Does the run exist for this owner? The owner's agent must be set. A NULL owner may see every run. */
bool store_run_is_of(const struct run_record *r, const struct thread_owner *owner);

/* Failures that all back ends word in the same way; each returns its code. */
enum errcode store_run_unknown(const char *run_id, struct err *e);
enum errcode store_run_ended(const char *run_id, struct err *e);
enum errcode store_run_gap(const char *run_id, int64_t last, struct err *e);
enum errcode store_claim_lost(struct err *e);
enum errcode store_lost(const struct lease *l, struct err *e);
enum errcode store_ended(const struct lease *l, struct err *e);
enum errcode store_foreign(const char *thread_id, struct err *e);
enum errcode store_unknown(const char *thread_id, struct err *e);
enum errcode store_moved(const struct lease *l, int64_t version, struct err *e);
enum errcode store_busy(const struct lease *l, const struct lease_wait *w, struct err *e);

#endif
