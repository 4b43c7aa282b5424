/*
 * The event log of a run. Every event gets the next sequence number, from 1 on without gaps, and
 * goes to the readers. The request is the first reader: the run ends when it leaves. Other readers
 * may attach, also late, and leave. The recorder of a run is a reader too.
 *
 * A log keeps no events unless it is told to, because a thousand streams wait at the same time and
 * most are never read twice. The kept events stay below a number of bytes; the oldest events are
 * dropped first.
 *
 * Only the thread that executes the run uses its log. To follow a run from elsewhere, attach a
 * reader whose sink writes the events to a place where followers can read them.
 *
 * All zero is an empty log. runlog_release() ends it.
 */
#ifndef RUNTIME_RUNLOG_H
#define RUNTIME_RUNLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"
#include "runtime/sink.h"

struct kept_event;

/* The caller owns it, and it must outlive the log. Set `sink`, and the rest to zero. */
struct runlog_reader {
	struct sink *sink;
	int64_t next;                 /* sequence number of the first event it has not been given */
	bool left;                    /* its sink has failed and is not called any more */
	struct runlog_reader *link;
};

struct runlog {
	/* the request; sink NULL: the run needs no first reader */
	struct runlog_reader first;
	bool goes_on;                 /* the run goes on when the first reader has left */
	int64_t last;                 /* sequence number of the newest event; 0: none yet */
	size_t keep_max, kept_bytes;
	struct kept_event *oldest, *newest;
};

/* Keep events from now on, at most max_bytes of them. */
void runlog_keep(struct runlog *log, size_t max_bytes);
void runlog_release(struct runlog *log);

/*
 * Add a reader. It gets the events from number `from` on, beginning with those that are kept; 0:
 * only new ones. ERR_NOTFOUND: event `from` is not kept, and nothing was sent. ERR_HUP: the reader
 * left at once.
 */
enum errcode runlog_attach(struct runlog *log, struct runlog_reader *r, int64_t from, struct err *e);

/* Number an event and give it to all readers. The result is the first reader's; ERR_HUP if it left
 * before, unless the run goes on. Any other reader that has left is not called again. */
enum errcode runlog_append(struct runlog *log, const struct event *ev);
/* Send what waits in the readers' sinks; result as above. */
enum errcode runlog_flush(struct runlog *log);
/* Tell all readers that the run is alive; result as above. */
enum errcode runlog_tick(struct runlog *log);
/* If the run goes on without its first reader and that has left, let its sink notice now: a sink that finds nobody
 * there gives its connection up. */
void runlog_look(struct runlog *log);
/* Descriptor that tells when the first reader leaves; -1: none, or the run does not care. */
int runlog_fd(const struct runlog *log);

#endif
