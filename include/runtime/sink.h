/*
 * Sinks: where the events of a run go. A sink renders; it never decides.
 */
#ifndef RUNTIME_SINK_H
#define RUNTIME_SINK_H

#include <stddef.h>

#include "base/errs.h"
#include "runtime/event.h"

struct sink;
struct arena;

struct sink_ops {
	const char *name;
	/* Render one event. ERR_HUP: the reader has gone, the run stops. */
	enum errcode (*emit)(struct sink *, const struct event *);
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
enum errcode sink_tick(struct sink *s);
int sink_fd(struct sink *s);

/* Memory: keeps a copy of every event in an arena, for tests and for collected answers. */
struct sink_mem {
	struct sink sink;
	struct arena *mem;
	struct event *events;
	size_t n, size;
	size_t hup_after;     /* if not 0: emit number hup_after and later ones return ERR_HUP */
	size_t ticks;
};
void sink_mem_init(struct sink_mem *m, struct arena *a);
/* All EV_TEXT pieces joined, in the arena. */
const char *sink_mem_text(const struct sink_mem *m);

#endif
