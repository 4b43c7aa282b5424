/*
 * Server-sent events: writing frames and reading them. Pure; nothing here knows a socket.
 *
 * Written is exactly
 *
 *   event: <name> LF data: <one line> LF LF
 *
 * because clients of this service cut at blank lines and match whole blocks. Read is all that the
 * specification allows: LF, CRLF or CR, comments, several data lines, a byte order mark.
 */
#ifndef SERVICES_SSE_H
#define SERVICES_SSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/errs.h"

/* Begin and end a frame. Between them comes its data: JSON, which holds no line break. `event` comes
 * from our own tables. b->full: it did not fit. */
void sse_open(struct buf *b, const char *event);
/* Before sse_open(): the number of the event. */
void sse_id(struct buf *b, int64_t number);
void sse_close(struct buf *b);
/* Append a comment block, which every reader ignores: ": text" LF LF. A line break in the text
 * becomes a blank. */
void sse_comment(struct buf *b, const char *text);
/* The same with a line that tells a client how soon to connect again when the stream breaks off. */
void sse_retry(struct buf *b, const char *text, int64_t ms);

/* Called with each complete event: its data (NUL-terminated, n bytes, lines joined by LF), and its
 * name (cut at 63 bytes), or "message" where it has none. Any result but OK ends the feeding with
 * that code. */
typedef enum errcode sse_event_fn(void *arg, const char *event, const char *data, size_t n,
    struct err *e);

struct sse_parser {
	struct buf line, data;
	char event[64];
	bool has_data, cr, begun;
	size_t max;
	/* of the stream so far, for a reader that connects again: */
	char id[128];             /* the last event's; "": none, or it is longer */
	int64_t retry_ms;         /* when to; -1: not told */
};

/* `max`: bytes of a line, and of an event. */
void sse_parser_init(struct sse_parser *p, size_t max);
void sse_parser_release(struct sse_parser *p);
/* Feed bytes as they come, cut anywhere. ERR_TOOBIG: a line or event is too long; other codes are
 * fn's. After an error the parser must not be used any more. An event whose final blank line is
 * missing is dropped. */
enum errcode sse_feed(struct sse_parser *p, const char *bytes, size_t n, sse_event_fn *fn,
    void *arg, struct err *e);

#endif
