/*
 * Arena: memory that lives as long as one run, and clean-up that is done when the run ends.
 *
 * Allocation never fails: it aborts when the machine has no memory. That is safe because every
 * input is limited where it enters. Memory is zeroed and aligned for any type, but strings are not aligned. Not thread-safe: one
 * arena belongs to one thread at a time.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
/* Runs the deferred functions, newest first, then frees everything. NULL is allowed. */
void arena_free(struct arena *a);

void *arena_alloc(struct arena *a, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2)));
/* Array of n zeroed elements; aborts on overflow. */
void *arena_array(struct arena *a, size_t n, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2, 3)));
/* Copy of `n` bytes, NUL-terminated. */
char *arena_strndup(struct arena *a, const char *p, size_t n)
	__attribute__((returns_nonnull));
/* Copy of a string; NULL gives NULL. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((returns_nonnull, format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((returns_nonnull, format(printf, 2, 0)));

/* Call fn(p) when the arena ends. For things other than memory, such as JSON trees and
 * descriptors. */
void arena_defer(struct arena *a, void (*fn)(void *), void *p);

/* Bytes handed out so far. */
size_t arena_used(const struct arena *a);

#endif
