/*
 * The parser works line by line. Only an unfinished line is copied, so a stream whose pieces are
 * whole events needs no memory for lines.
 */
#include "services/sse.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* The first LF or CR, or `end`. */
static const char *line_end(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	const char *stop = lf == NULL ? end : lf;
	const char *cr = memchr(p, '\r', (size_t)(stop - p));
	return cr == NULL ? stop : cr;
}

void sse_id(struct buf *b, int64_t number)
{
	buf_printf(b, "id: %lld\n", (long long)number);
}

void sse_open(struct buf *b, const char *event)
{
	buf_puts(b, "event: ");
	buf_puts(b, event);
	buf_puts(b, "\ndata: ");
}

void sse_close(struct buf *b)
{
	buf_puts(b, "\n\n");
}

static void comment_line(struct buf *b, const char *text)
{
	buf_puts(b, ": ");
	for (const char *p = text; *p != '\0'; p++)
		buf_putc(b, *p == '\n' || *p == '\r' ? ' ' : *p);
	buf_putc(b, '\n');
}

void sse_comment(struct buf *b, const char *text)
{
	comment_line(b, text);
	buf_puts(b, "\n");
}

void sse_retry(struct buf *b, const char *text, int64_t ms)
{
	comment_line(b, text);
	buf_printf(b, "retry: %lld\n\n", (long long)ms);
}

/* -- reading -- */

void sse_parser_init(struct sse_parser *p, size_t max)
{
	*p = (struct sse_parser){ .max = max, .retry_ms = -1 };
	buf_init(&p->line, max);
	buf_init(&p->data, max);
}

void sse_parser_release(struct sse_parser *p)
{
	buf_release(&p->line);
	buf_release(&p->data);
}

static enum errcode too_big(const struct sse_parser *p, struct err *e)
{
	return err_set(e, ERR_TOOBIG, "event stream: a line or an event of more than %zu bytes",
	    p->max);
}

static enum errcode blank_line(struct sse_parser *p, sse_event_fn *fn, void *arg, struct err *e)
{
	enum errcode rc = OK;
	if (p->has_data)
		rc = fn(arg, p->event[0] == '\0' ? "message" : p->event, p->data.p, p->data.n, e);
	buf_clear(&p->data);
	p->has_data = false;
	p->event[0] = '\0';
	return rc;
}

/* The fields that only a reader who connects again needs. */
static void take_resume(struct sse_parser *p, struct str name, struct str value)
{
	long long ms;
	char text[24];

	if (str_eq(name, "id") && memchr(value.p, '\0', value.n) == NULL) {
		snprintf(p->id, sizeof(p->id), "%.*s", value.n < sizeof(p->id) ? (int)value.n : 0, value.p);
	} else if (str_eq(name, "retry") && value.n > 0 && value.n < sizeof(text)) {
		snprintf(text, sizeof(text), "%.*s", (int)value.n, value.p);
		if (strspn(text, "0123456789") == value.n && str_to_int(text, &ms))
			p->retry_ms = ms;
	}
}

static enum errcode take_line(struct sse_parser *p, const char *s, size_t n, sse_event_fn *fn,
    void *arg, struct err *e)
{
	if (!p->begun && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	p->begun = true;
	if (n == 0)
		return blank_line(p, fn, arg, e);
	const char *colon = memchr(s, ':', n), *value = colon == NULL ? s + n : colon + 1;
	struct str name = { s, colon == NULL ? n : (size_t)(colon - s) };
	size_t len = (size_t)(s + n - value);
	if (len > 0 && *value == ' ') {
		value++;
		len--;
	}
	if (str_eq(name, "data")) {
		if (p->has_data)
			buf_putc(&p->data, '\n');
		buf_put(&p->data, value, len);
		p->has_data = true;
		if (p->data.full)
			return too_big(p, e);
	} else if (str_eq(name, "event")) {
		if (len >= sizeof(p->event))
			len = sizeof(p->event) - 1;
		memcpy(p->event, value, len);
		p->event[len] = '\0';
	} else {
		take_resume(p, name, (struct str){ value, len });
	}
	return OK;
}

enum errcode sse_feed(struct sse_parser *p, const char *bytes, size_t n, sse_event_fn *fn,
    void *arg, struct err *e)
{
	const char *end = bytes + n;
	while (bytes < end) {
		if (p->cr && *bytes == '\n') {
			/* the second half of a CR LF: the CR has ended the line */
			bytes++;
			p->cr = false;
			continue;
		}
		p->cr = false;
		const char *stop = line_end(bytes, end);
		struct str line = { bytes, (size_t)(stop - bytes) };
		if (p->line.n > 0 || stop == end) {
			buf_put(&p->line, line.p, line.n);
			line = (struct str){ p->line.p, p->line.n };
		}
		if (line.n > p->max || p->line.full)
			return too_big(p, e);
		if (stop == end)
			return OK;
		p->cr = *stop == '\r';
		bytes = stop + 1;
		enum errcode rc = take_line(p, line.p, line.n, fn, arg, e);
		buf_clear(&p->line);
		if (rc != OK)
			return rc;
	}
	return OK;
}
