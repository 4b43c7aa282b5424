/*
 * Frames of server-sent events. A line break inside data would end the field early and could
 * forge another one, so each becomes the start of a further `data:` line (a reader joins
 * them again); CR counts as a break because readers count it as one.
 */
#include "services/sse.h"

#include <string.h>

#include "base/buf.h"

void sse_frame(struct buf *b, const char *event, const char *data, size_t n)
{
	const char *end = data + n;

	buf_puts(b, "event: ");
	buf_puts(b, event);
	buf_puts(b, "\ndata: ");
	for (const char *p = data; p < end;) {
		const char *q = p;
		while (q < end && *q != '\n' && *q != '\r')
			q++;
		buf_put(b, p, (size_t)(q - p));
		if (q == end)
			break;
		if (*q == '\r' && q + 1 < end && q[1] == '\n')
			q++;
		buf_puts(b, "\ndata: ");
		p = q + 1;
	}
	buf_puts(b, "\n\n");
}

void sse_comment(struct buf *b, const char *text)
{
	buf_puts(b, ": ");
	for (const char *p = text; *p != '\0'; p++)
		buf_putc(b, *p == '\n' || *p == '\r' ? ' ' : *p);
	buf_puts(b, "\n\n");
}
