/*
 * Calls to a sink go through its table.
 */
#include "runtime/sink.h"

enum errcode sink_emit(struct sink *s, const struct event *ev)
{
	return s->ops->emit(s, ev);
}

enum errcode sink_flush(struct sink *s)
{
	return s->ops->flush == NULL ? OK : s->ops->flush(s);
}

enum errcode sink_tick(struct sink *s)
{
	return s->ops->tick == NULL ? OK : s->ops->tick(s);
}

int sink_fd(struct sink *s)
{
	return s->ops->fd == NULL ? -1 : s->ops->fd(s);
}
