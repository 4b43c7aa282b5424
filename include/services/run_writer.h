/*
 * Writes the events of this process's runs to their logs in the store, in groups, from a thread of its own:
 * a run that emits an event never waits for the store. A group is written when its first event is 200 ms old,
 * or when it is large.
 *
 * When the store does not answer, up to RUN_GROUP_BYTES of events of each run wait here and are written when
 * the store is back. Further events are lost, and then the log ends early.
 */
#ifndef SERVICES_RUN_WRITER_H
#define SERVICES_RUN_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "services/runs.h"

struct run_writer;

struct run_writer *run_writer_open(struct store *s);
void run_writer_close(struct run_writer *w);     /* NULL is allowed; no log may be open */

/* The log of one run; it belongs to the thread that executes the run. */
struct run_output {
	atomic_bool lost;             /* another worker has ended the run: it must not go on */
	/* the writer's own */
	struct run_writer *writer;
	char run_id[48];
	int64_t alive_ms;
	struct buf events;            /* not written yet */
	int64_t first, count;         /* number of the first of them, and how many there are */
	int64_t due_ms;               /* when they are to be written */
	bool queued, busy, full, ended;
	struct run_output *next;
};

/* The first event gets number 1. lease_ms: of the run's thread. */
void run_output_init(struct run_output *o, struct run_writer *w, const char *run_id, int64_t lease_ms);
/* One event as it goes over the wire, with the empty line behind it. */
void run_output_put(struct run_output *o, const char *event, size_t n);
/* Write the remaining events, and how the run ended. Waits for the store. A second call does nothing. */
void run_output_end(struct run_output *o, const struct run_end *end);
void run_output_release(struct run_output *o);

#endif
