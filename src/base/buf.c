/*
 * Doubling buffer. The empty state needs no memory: it points at a static empty string, so
 * that p is always printable and buf_init cannot fail.
 */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char empty[1];

void buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){ .p = empty, .max = max };
}

void buf_release(struct buf *b)
{
	if (b->p != empty)
		free(b->p);
	buf_init(b, b->max);
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	b->full = false;
	if (b->p != empty)
		b->p[0] = '\0';
}

static void grow(struct buf *b, size_t least)
{
	size_t size = b->size == 0 ? 256 : b->size;
	while (size < least)
		size *= 2;
	char *p = realloc(b->p == empty ? NULL : b->p, size);
	if (p == NULL) {
		fprintf(stderr, "out of memory: an allocation of %zu bytes failed\n", size);
		abort();
	}
	b->p = p;
	b->size = size;
}

/* Make room for `more` bytes and the NUL. Returns how many of these bytes the ceiling allows. */
static size_t reserve(struct buf *b, size_t more)
{
	if (more > b->max - b->n) {
		more = b->max - b->n;
		b->full = true;
	}
	if (b->n + more + 1 > b->size)
		grow(b, b->n + more + 1);
	return more;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
	n = reserve(b, n);
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	if (reserve(b, 1) == 0)
		return;
	b->p[b->n++] = c;
	b->p[b->n] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	/* mostly there is room, and printing once is enough */
	size_t room = b->size - b->n;
	int n = vsnprintf(room > 0 ? b->p + b->n : NULL, room, fmt, again);
	va_end(again);
	if (n < 0 || (size_t)n >= room || (size_t)n > b->max - b->n) {
		n = (int)reserve(b, n < 0 ? 0 : (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	}
	b->n += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_trunc(struct buf *b, size_t n)
{
	if (n < b->n) {
		b->n = n;
		b->p[n] = '\0';
	}
}

enum errcode buf_load(struct buf *b, const char *path, struct err *e)
{
	char chunk[8192];
	size_t got;
	FILE *f = fopen(path, "rbe");
	if (f == NULL)
		return err_set(e, ERR_IO, "%s: %m", path);
	while (!b->full && (got = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_put(b, chunk, got);
	enum errcode rc = OK;
	if (ferror(f))
		rc = err_set(e, ERR_IO, "%s: %m", path);
	else if (b->full)
		rc = err_set(e, ERR_CONFIG, "%s: larger than %zu bytes", path, b->max);
	fclose(f);
	if (b->n >= 3 && memcmp(b->p, "\xef\xbb\xbf", 3) == 0) {
		b->n -= 3;
		memmove(b->p, b->p + 3, b->n + 1);
	}
	return rc;
}
