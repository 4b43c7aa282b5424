/*
 * Sinks: where the events of a run go. A sink renders; it never decides.
 */
#ifndef RUNTIME_SINK_H
#define RUNTIME_SINK_H

#include "base/errs.h"
#include "runtime/event.h"

struct sink;

struct sink_ops {
	const char *name;
	/* Render one event. It may wait in a buffer until flush(). ERR_HUP: the reader has gone, the
	 * run stops. */
	enum errcode (*emit)(struct sink *, const struct event *);
	/* Send what waits. NULL: this sink sends at once. ERR_HUP as above. */
	enum errcode (*flush)(struct sink *);
	/* Show that the run is alive (a heartbeat comment). NULL: this sink needs none. ERR_HUP as
	 * above. */
	enum errcode (*tick)(struct sink *);
	/* Descriptor that becomes readable or hangs up when the reader leaves; NULL or -1: there is
	 * none. */
	int (*fd)(struct sink *);
};

/* Embedded first in each kind of sink. */
struct sink {
	const struct sink_ops *ops;
};

enum errcode sink_emit(struct sink *s, const struct event *ev);
enum errcode sink_flush(struct sink *s);
enum errcode sink_tick(struct sink *s);
int sink_fd(struct sink *s);

#endif
