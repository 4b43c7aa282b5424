/*
 * Thread store: a conversation between its turns.
 *
 * A thread is its messages (append-only) and a small channel state (one JSON object, the agent's
 * own). One run at a time holds the thread's lease. A commit appends messages and replaces the
 * state in one atomic step. It succeeds only while the lease is still held and the version is the
 * one that was loaded. So a worker that was stopped for a minute and comes back cannot overwrite
 * what another worker has written since.
 *
 * The stores behind one table of functions: Redis; SQLite in a file; "memory", which is SQLite in
 * the memory of this process; and "none", which keeps only the leases. A struct store is made once
 * per process and may be used by all threads.
 *
 * The text stored for a thread is limited: when a commit would exceed the limit, the oldest
 * messages are deleted.
 *
 * Every call has one deadline, store_config.timeout_ms after it began: it includes waiting for a
 * connection, for the lock of another process and for the answer.
 *
 * Errors: ERR_STORE the back end cannot be reached, is too slow or refused; ERR_OVERLOAD too many
 * calls of this process at once; ERR_BUSY another run holds the lease; ERR_NOTFOUND the thread
 * belongs to another user or agent; ERR_CONFIG wrong URL.
 */
#ifndef SERVICES_STORE_H
#define SERVICES_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

/* A tool call in an assistant message. */
struct message_call {
	const char *id;         /* the tool message that answers it has this id */
	const char *name;       /* of the tool */
	const char *arguments;  /* JSON text */
	const char *signature;  /* what the provider wants back with the call (services/llm.h); NULL: nothing */
};

struct message {
	const char *role;       /* "user", "assistant", "tool", "system" */
	const char *content;    /* UTF-8, NUL-terminated */
	const struct message_call *calls;       /* of an assistant message; NULL: it calls no tool */
	size_t ncalls;
	const char *call_id;    /* of a tool message: the call that it answers; else NULL */
	/* made once by message_new(), and kept. NULL: it has none yet. A loaded message always
	 * has one; for a message stored by an older version it is the message's place in the
	 * thread */
	const char *id;
	int64_t time_us;        /* when it was made, Unix time; 0: not known */
	/* of a loaded message that ended a commit: the thread's version from then on, and the run that
	 * made it. 0 and NULL: another message, or one stored by an older version */
	int64_t version;
	const char *run;
};

/* An initialiser: a message with a role and a text, as in { MESSAGE("user", "Hello") }. */
#define MESSAGE(role_, content_) { .role = (role_), .content = (content_) }

/* A message with a new id, made now. The texts are borrowed. */
struct message message_new(struct arena *a, const char *role, const char *content);
/* Did the user or the assistant say this? Messages that call tools, and the tools' answers, were
 * not said: only the agent's own model sees them. */
bool message_is_said(const struct message *m);

/* Whom a thread belongs to. Its first commit settles both. */
struct thread_owner {
	const char *user;       /* authenticated by the web server; NULL: anonymous */
	const char *agent;      /* NULL: store_config.agent */
};

/* A thread as loaded. A thread nobody has written yet has version 0 and no messages. */
struct thread {
	const char *id;
	int64_t version;              /* number of commits */
	int64_t nmessages;            /* all messages it ever had, also deleted ones */
	int64_t nolder;               /* … and how many of them stand before the loaded ones */
	struct message *messages;     /* oldest first */
	size_t nloaded;
	const char *state;            /* JSON text of the channel state, NULL if none */
};

struct lease {
	char thread[136];
	char run[48];                 /* holder: the run's id */
	int64_t fence;                /* grows with every lease of the thread */
	int64_t ttl_ms;
	bool recorded;                /* the run has a record (services/runs.h) */
	bool cancelled;               /* store_renew() has found that the run is asked to stop */
};

/* How a run asks for a thread that may be busy, and who has the thread. */
struct lease_wait {
	/* most runs that may wait for the thread; 0: this one does not wait */
	int queue_max;
	int64_t hold_ms;              /* the run keeps its place for so long; it must ask again before half of that */
	/* set with ERR_BUSY */
	char holder[48];              /* the run that has the thread, or is to have it next */
	int64_t held_ms;              /* for how long the holder has had it; -1: the holder waits too, or not known */
	int64_t retry_ms;             /* the holder's lease or place ends after this time at the latest */
	int place;                    /* runs that wait before this one; -1: it does not wait */
	/* set with OK by store_begin(): the run that had the thread last is overdue, and whoever has the thread
	 * now should end it (services/runs.h). "": there is none */
	char dead[48];
};

struct run_end;

/* A turn, as its session counts it (services/sessions.h). */
struct session_turn {
	const char *id, *user;        /* the session; user NULL: anonymous */
	int64_t input, output;        /* tokens */
};

struct commit {
	int64_t version;              /* the version that was loaded */
	const struct message *append; /* new messages, oldest first */
	size_t nappend;
	size_t skipped;               /* messages before these that are not to be stored. If there are
	                               * any, all stored messages are deleted first, because a thread
	                               * must have no gaps */
	const char *state;            /* new channel state, JSON text; NULL leaves it */
	const char *persona;          /* of the thread and the session from now on; NULL: no persona */
	const char *origin;           /* of a new thread that is a copy; NULL: it is none (services/threads.h) */
	const struct session_turn *session;     /* counts this turn; NULL: no session does */
	bool last;                    /* the lease ends with it, if it succeeds */
	const struct run_end *end;    /* the run's record is settled with it; NULL: not yet */
};

enum {
	STORE_OWNER_MAX = 256,        /* bytes of a user's name */
	STORE_AGENT_MAX = 63,         /* of an agent's */
	STORE_CALLS_MAX = 64,         /* calls in one message */
	STORE_ID_MAX = 128,           /* bytes of an id of a thread, a session or a message */
};

struct store;

struct store_config {
	const char *provider;         /* "redis", "sqlite", "memory", "none" */
	const char *redis_url;        /* doc/redis.md lists its forms */
	const char *sqlite_path;
	/* a thread that is not used for this long is deleted; 0: never */
	int64_t ttl_s;
	int timeout_ms;               /* deadline of one call, which includes all waiting */
	const char *agent;            /* the agent of the threads that name none, because they were
	                               * stored before threads had one */
	size_t thread_bytes;          /* most message text that a thread keeps; 0: no limit */
	int thread_copies;            /* most copies of a thread within an hour (services/threads.h); 0: no limit */
	int64_t run_ttl_s;            /* how long ended runs and logs of events stay; 0: half an hour */
};

/* Never connects to a remote server: a store that is down shows at first use and in
 * store_ping(), and comes back by itself. SQLite: creates the file (0640) and its tables. */
enum errcode store_open(struct store **out, const struct store_config *c, struct err *e);
void store_close(struct store *s);
const char *store_name(const struct store *s);
/* It is in the memory of this process: another handle would be another store. */
bool store_in_memory(const struct store *s);

/* Is the back end usable now? Waits for as long as any other call. */
enum errcode store_ping(struct store *s, struct err *e);

/* Take the thread's lease for `run_id` for ttl_ms. A NULL owner is an anonymous user of the default
 * agent. A user's thread does not exist (ERR_NOTFOUND) for other users; an anonymous one stays open to
 * all who know its id. An agent's thread does not exist for other agents.
 * ERR_BUSY: another run holds the lease; *retry_ms is when it ends at the latest. */
enum errcode store_lease(struct store *s, const char *thread_id, const char *run_id,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease *out, int64_t *retry_ms,
    struct err *e);
/*
 * The same, for a run that may wait. With queue_max above 0 the run joins the thread's queue, if that has
 * room, and ERR_BUSY tells its place; call again until it gets the lease. The thread goes to the
 * waiting runs in the order in which they came, whichever worker they are in. A run that does not wait gets it
 * only after them. A run that does not ask again for half of hold_ms may lose its place. `w` NULL: it does not wait.
 */
enum errcode store_lease_wait(struct store *s, const char *thread_id, const char *run_id,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease_wait *w, struct lease *out,
    struct err *e);
/* Leave the queue: the run does not want the thread any more. No error if it did not wait. */
enum errcode store_leave(struct store *s, const char *thread_id, const char *run_id, struct err *e);
/* Extend a held lease by its ttl, and set l->cancelled. ERR_BUSY: it was lost. */
enum errcode store_renew(struct store *s, struct lease *l, struct err *e);
/* Give the lease back. No error if it was lost. */
enum errcode store_release(struct store *s, const struct lease *l, struct err *e);

/* Load the newest max_messages messages and the state into the arena. Unknown: version 0. The
 * loaded messages are ready for a model: results without their call are left out, and a call without a
 * result gets a result that says so. These changes are not stored, so `nloaded` may differ from the number of
 * stored messages. */
enum errcode store_load(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, size_t max_messages, struct thread *out, struct err *e);

/* Write a turn, all of it or nothing. ERR_BUSY: the lease was lost or the version moved. ERR_LOST:
 * somebody has ended the run (services/runs.h).
 * ERR_UNSURE: it was sent but no reply came, so it may be stored now, later or never; repeat the
 * call to find out. The newest two messages are always kept, whatever the limit. */
enum errcode store_commit(struct store *s, const struct lease *l, const struct thread_owner *owner,
    const struct commit *c, struct err *e);

/* Forget a thread at once (its lease too). */
enum errcode store_forget(struct store *s, const char *thread_id, struct err *e);

#endif
