/*
 * A run: one turn of one thread, to its terminal event.
 *
 *   run_begin(): lease → load → match history
 *   run_turn():  graph_run (→ checkpoint …) → commit → release → done
 *
 * A run is not its request: it has its own arena, limits and event log. The request is the log's
 * first reader. When that reader leaves, the run ends, unless runlog.goes_on is set. The text that was sent
 * is kept. A struct
 * run belongs to one thread of execution. Its snapshots (the thread's messages, the rules) stay the
 * same until it ends.
 */
#ifndef RUNTIME_RUN_H
#define RUNTIME_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/errs.h"
#include "base/watch.h"
#include "runtime/agent.h"
#include "runtime/runlog.h"
#include "services/run_desk.h"
#include "services/runs.h"

struct tokens {
	int64_t input, output;
	bool estimated;               /* some of the numbers are estimates */
};

struct run_limits {
	int64_t deadline_ms;          /* limit of the whole turn; 0: none */
	int64_t lease_ms;             /* lease of the thread, renewed while the run lives */
	int64_t heartbeat_ms;         /* longest silence before a tick */
	/* how many of the newest messages are loaded from the store */
	size_t history_messages;
	/* how long a run waits for a thread that has a run, and how many may wait for one thread */
	int64_t queue_ms;
	int queue_max;
};

struct run {
	/* holds everything that the run points to, and the run itself */
	struct arena *mem;
	const struct agent *agent;
	void *state;                  /* agent->graph->state_size bytes */
	const void *app;              /* what the agent's runs share, const */
	struct runlog log;            /* the caller of run_turn() sets log.first */
	struct store *store;
	struct run_limits limits;
	const atomic_bool *stop;      /* set: the process is ending at once; may be NULL */
	/* set: another worker has ended the run, because it gave no sign of life. May be NULL */
	const atomic_bool *lost;
	const char *worker;           /* names this process in the run's record */
	struct run_desk *desk;        /* NULL: nobody can ask the run to stop */
	struct run_slot slot;
	bool logged;                  /* its record says that its events are kept in the store */
	bool log_is_open;             /* it was refused, and its log has no end yet: run_refused() */

	/* identity */
	char run_id[ID_SIZE];
	const char *thread_id, *session_id, *persona_id, *owner;   /* owner NULL: anonymous */
	const char *languages;        /* as in struct turn_request */
	struct message *messages;     /* the whole conversation the model sees, newest last */
	size_t nmessages;
	size_t nstored;               /* the messages before this one are in the store */
	size_t room;                  /* of `messages` */

	/* results */
	enum run_status status;
	struct err error;             /* the first failure; code OK: none */
	const char *failed_node;
	/* the text of the answer as far as it was sent; NULL: no text was sent yet */
	struct buf *said;
	/* the whole text, once it is complete; the formatter sets it, and it is stored */
	const char *answer;
	const char *answer_id;        /* of the message that it became; NULL: the turn has no answer */
	struct tokens tokens;
	int steps;
	bool ending;                  /* its nodes have ended, so it is too late to stop it */
	bool saved;                   /* the turn was committed */
	bool may_be_saved;            /* the store did not answer: the turn may be saved or not */
	int64_t started_wall_us, ended_wall_us;       /* when the run ended; 0: it has not ended */
	int64_t started_ms, last_sign_ms, last_renew_ms;
	int64_t held_ms;              /* since when events wait in the readers' sinks; 0: none wait */
	struct lease lease;
	/* the run that had the thread when this run last asked for it */
	struct lease_wait busy;
	struct thread thread;
};

/* What all runs of an agent have in common. */
struct run_setup {
	const struct agent_open *agent;
	struct store *store;
	struct run_limits limits;
	const atomic_bool *stop;
	const char *worker;           /* names this process; NULL: not known */
	struct run_desk *desk;        /* may be NULL */
};

/* A new queued run with its own arena. */
struct run *run_new(const struct run_setup *setup);
/* In the thread that has executed it. */
void run_free(struct run *run);

/* What the edge asks for. Only borrowed for the call: the run keeps copies. */
struct turn_request {
	const char *thread_id;        /* NULL or "": a new thread */
	const char *session_id;       /* NULL: the run makes one */
	bool no_session;              /* no session counts the turn, and the run makes none */
	const char *persona_id;       /* NULL: none */
	const char *owner;            /* authenticated user or NULL */
	const char *languages;        /* those that the reader's browser prefers, as in Accept-Language; NULL: not known */
	bool logged;                  /* its events will be kept in the store */
	bool enqueue;                 /* wait if the thread has a run */
	int reader_fd;                /* hangs up when the reader leaves while the run waits; -1: none */
	void (*waiting)(void *arg);   /* called now and then while the run waits; NULL: nobody wants to know */
	void *waiting_arg;
	const struct message *messages;
	size_t nmessages;             /* at least 1 */
};

/*
 * Take the lease and load the thread: every reason to refuse a turn shows here, before a byte is
 * sent. Fills run->thread_id, run_id, session_id, messages. After OK, run_turn() or run_abandon() must follow.
 *
 * ERR_BUSY with *retry_ms: another run has the thread, too many runs wait for it, this run has waited too
 * long, or somebody cancelled this run while it waited (RUN_CANCELLED); run->busy tells more. ERR_NOTFOUND:
 * the thread is another user's. ERR_STORE. While the run waits also ERR_HUP, and ERR_OVERLOAD: the process is
 * ending.
 */
enum errcode run_begin(struct run *run, const struct turn_request *req, int64_t *retry_ms,
    struct err *e);

/*
 * Run the graph, commit, emit EV_DONE, release the lease. Returns OK (also for a turn that failed or
 * was cancelled and said so) or ERR_HUP. The run ends early when the first reader leaves
 * (unless runlog.goes_on is set) or when somebody cancels it. Then the user's messages are still committed, and
 * with them the part of the answer that was sent, followed by HISTORY_CUT. EV_DONE says whether the run was
 * cancelled, and is emitted for the other readers too when the first one has left.
 *
 * The commit also writes into the run's record how the run ended. The record of a run that is `logged` is
 * finished by the writer of the log instead, together with the last events.
 */
enum errcode run_turn(struct run *run);
/* Instead of run_turn(): give the thread back. Of the turn only the reason why it failed is stored. */
void run_abandon(struct run *run, const struct err *why);
/* Emit the last events of a run that is logged and got no turn, for those who follow it: an error if it has
 * failed, and EV_DONE. */
void run_refused(struct run *run);
/* How it began and how it ended, for its record. */
struct run_start run_start_of(const struct run *run);
struct run_end run_end_of(const struct run *run);

/* For nodes: emit an event. It counts as a sign of life; the lease is renewed when due. ERR_HUP:
 * the node must stop, because the reader has gone or somebody cancelled the run. Events that are ready together
 * leave in one write: they are sent when the run waits for something, or with the first event that comes 10 ms
 * after them. */
enum errcode run_emit(struct run *run, const struct event *ev);
/* For nodes, before work that may take longer than that: send now what was emitted. */
enum errcode run_flush(struct run *run);
enum errcode run_text(struct run *run, const char *text);
/* All text that run_text() has sent, without blanks at its ends. The reader has read this, and the
 * thread keeps it. "" before the first text. In run->mem. */
const char *run_said(const struct run *run);
/* For nodes: add a message to the conversation. The caller may set its calls or its call_id; the texts must
 * live as long as the run. The pointer is valid until the next message is added, and the message is stored with
 * the next commit. What run_said() had until now belongs to an assistant's message, and is forgotten with it. */
struct message *run_message(struct run *run, const char *role, const char *content);
/* For nodes that act in several steps: store now, in the middle of the turn, all messages that are not stored
 * yet and the agent's state. run_turn() commits once more at the end, and an agent that needs no more than
 * that must not call this. Errors are those of store_commit(); the node must end with them. */
enum errcode run_checkpoint(struct run *run, struct err *e);
/* For nodes, right before they change something outside of the store, such as a file: renew the lease now. No
 * commit guards such a change. ERR_LOST: another run may have the thread, so nothing may be changed. */
enum errcode run_hold(struct run *run, struct err *e);
/* For nodes that wait: sleep up to `ms`, and meanwhile send heartbeats, renew the lease and watch
 * the reader. OK: the time has passed. ERR_HUP: the reader has gone, or the run was cancelled.
 * ERR_TIMEOUT: the turn's deadline. ERR_OVERLOAD: the process is ending. */
enum errcode run_wait(struct run *run, int64_t ms);
/* The same as a watch, for calls that wait on something else. */
struct watch run_watch(struct run *run);
/* Add the tokens that a model call used. */
void run_tokens(struct run *run, int64_t input, int64_t output, bool estimated);
/* Has somebody asked the run to stop, before its nodes have ended? */
bool run_is_cancelled(struct run *run);
/* Must the run stop? OK, ERR_TIMEOUT, ERR_OVERLOAD or, when it was cancelled, ERR_HUP. Renews the lease
 * when due; never sleeps. */
enum errcode run_check(struct run *run);

#endif
