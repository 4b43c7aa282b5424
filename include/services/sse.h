/*
 * Server-sent events: writing frames. Pure; nothing here knows a socket.
 *
 *   event: <name> LF data: <one line> LF LF
 *
 * exactly so: clients of this service cut at blank lines and match whole blocks.
 */
#ifndef SERVICES_SSE_H
#define SERVICES_SSE_H

#include <stddef.h>

struct buf;

/* Append a frame with n bytes of data, which hold no line break when they are JSON; others
 * become one `data:` line each. `event` comes from our own tables. b->full: it did not fit. */
void sse_frame(struct buf *b, const char *event, const char *data, size_t n);
/* Append a comment block, which every reader drops: ": text" LF LF. A line break in the
 * text becomes a blank. */
void sse_comment(struct buf *b, const char *text);

#endif
