#include "base/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heap_exhausted(size_t size)
{
	fprintf(stderr, "out of memory: an allocation of %zu bytes failed\n", size);
	abort();
}

void *heap_new(size_t size)
{
	void *p = calloc(1, size);
	if (p == NULL)
		heap_exhausted(size);
	return p;
}

char *heap_dup(const char *s)
{
	return s != NULL ? heap_printf("%s", s) : NULL;
}

char *heap_printf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		heap_exhausted(strlen(fmt));
	va_end(ap);
	return s;
}
