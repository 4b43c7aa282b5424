/*
 * Memory of parts that live longer than a run. When memory runs out, the process ends, as with an
 * arena. Each request is limited where it enters, so a single request cannot cause this.
 * Everything is freed with free().
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>

void *heap_new(size_t size) __attribute__((malloc, returns_nonnull));      /* zeroed */
char *heap_dup(const char *s);                                             /* NULL stays NULL */
char *heap_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Say so on standard error, and end the process. */
_Noreturn void heap_exhausted(size_t size);

#endif
