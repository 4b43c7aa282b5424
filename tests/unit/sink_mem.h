/*
 * A sink that keeps a copy of every event in an arena.
 */
#ifndef TESTS_UNIT_SINK_MEM_H
#define TESTS_UNIT_SINK_MEM_H

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "runtime/sink.h"

struct sink_mem {
	struct sink sink;
	struct arena *mem;
	struct event *events;
	size_t n, size;
	size_t hup_after;     /* if not 0: emit number hup_after and later ones return ERR_HUP */
	size_t ticks, flushed;        /* flushed: events that were there at the last flush */
};

static inline enum errcode sink_mem_emit(struct sink *s, const struct event *ev)
{
	struct sink_mem *m = (struct sink_mem *)s;
	if (m->hup_after != 0 && m->n + 1 >= m->hup_after)
		return ERR_HUP;
	if (m->n == m->size) {
		size_t size = m->size == 0 ? 32 : m->size * 2;
		struct event *events = arena_array(m->mem, size, sizeof(*events));
		if (m->n > 0)
			memcpy(events, m->events, m->n * sizeof(*events));
		m->events = events;
		m->size = size;
	}
	m->events[m->n++] = (struct event){
		.kind = ev->kind,
		.name = arena_strdup(m->mem, ev->name),
		.text = arena_strdup(m->mem, ev->text),
		.data = jsn_copy(m->mem, ev->data),
		.result = jsn_copy(m->mem, ev->result),
		.seq = ev->seq,
	};
	return OK;
}

static inline enum errcode sink_mem_flush(struct sink *s)
{
	((struct sink_mem *)s)->flushed = ((struct sink_mem *)s)->n;
	return OK;
}

static inline enum errcode sink_mem_tick(struct sink *s)
{
	struct sink_mem *m = (struct sink_mem *)s;
	m->ticks++;
	return m->hup_after != 0 && m->n + 1 >= m->hup_after ? ERR_HUP : OK;
}

static inline void sink_mem_init(struct sink_mem *m, struct arena *a)
{
	static const struct sink_ops ops = { .name = "memory", .emit = sink_mem_emit,
		.flush = sink_mem_flush, .tick = sink_mem_tick };
	*m = (struct sink_mem){ .sink = { &ops }, .mem = a };
}

/* All EV_TEXT pieces joined, in the arena. */
static inline const char *sink_mem_text(const struct sink_mem *m)
{
	struct buf b;
	buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < m->n; i++)
		if (m->events[i].kind == EV_TEXT && m->events[i].text != NULL)
			buf_puts(&b, m->events[i].text);
	const char *text = arena_strndup(m->mem, b.p, b.n);
	buf_release(&b);
	return text;
}

#endif
