/*
 * Growing byte buffer with a ceiling.
 *
 * Always NUL-terminated (b->p is never NULL after buf_init), may hold NULs. Writing past
 * the ceiling drops the excess and sets b->full; callers check once at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"

struct buf {
	char *p;
	size_t n;     /* bytes used, without the NUL */
	size_t size;  /* bytes allocated */
	size_t max;   /* ceiling for n */
	bool full;    /* something did not fit */
};

void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b);
void buf_clear(struct buf *b);
void buf_put(struct buf *b, const void *p, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Shorten to n bytes (no effect when already shorter). */
void buf_trunc(struct buf *b, size_t n);
/* Fill an empty buffer with a file. A byte order mark at its start, which some editors write, is
 * left out. ERR_IO, ERR_CONFIG: larger than the ceiling; both with path and reason. */
enum errcode buf_load(struct buf *b, const char *path, struct err *e);

#endif
