/*
 * A list of small blocks of one size, and a list of deferred calls, which themselves live in the
 * arena. A thousand runs wait for a model at the same time, so an unused part of a block costs more
 * than a call of malloc. So blocks do not grow, and an allocation that would fill most of a block
 * gets a block of its own. Strings need no alignment, so they lie close together. With AddressSanitizer every
 * allocation is aligned and padded, strings too. The rest of the block is poisoned. So overruns inside a block are found.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>

enum { RED_ZONE = 16, ALIGN_TEXT = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { RED_ZONE = 0, ALIGN_TEXT = 1 };
#endif

enum { ALIGN = 16, BLOCK = 2048 - 3 * ALIGN, LARGE = BLOCK / 4 };

struct block {
	struct block *next;
	size_t size, used;
	_Alignas(16) unsigned char data[];
};

struct deferred {
	struct deferred *next;
	void (*fn)(void *);
	void *p;
};

struct arena {
	struct block *blocks;
	struct deferred *deferred;
	size_t total;
};

struct arena *arena_new(void)
{
	return heap_new(sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	while (a->deferred != NULL) {
		struct deferred *d = a->deferred;
		/* take it from the list first, because the call may defer more */
		a->deferred = d->next;
		d->fn(d->p);
	}
	while (a->blocks != NULL) {
		struct block *b = a->blocks;
		a->blocks = b->next;
		ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
		free(b);
	}
	free(a);
}

static struct block *block_new(struct arena *a, size_t size)
{
	struct block *b = heap_new(sizeof(*b) + size);
	b->size = size;
	ASAN_POISON_MEMORY_REGION(b->data, size);
	if (a->blocks != NULL && size != BLOCK) {
		/* a large block goes behind the current one, which may still have room */
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return b;
}

static void *take(struct arena *a, size_t size, size_t align)
{
	if (size > SIZE_MAX / 4)
		heap_exhausted(size);
	const size_t room = ((size > 0 ? size : 1) + RED_ZONE + align - 1) / align * align;
	struct block *b = a->blocks;
	size_t at = b != NULL ? (b->used + align - 1) / align * align : 0;
	if (b == NULL || at + room > b->size) {
		b = block_new(a, room > LARGE ? room : BLOCK);
		at = 0;
	}
	void *p = b->data + at;
	b->used = at + room;
	a->total += size;
	ASAN_UNPOISON_MEMORY_REGION(p, size);
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return take(a, size, ALIGN);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 4 / size)
		heap_exhausted(SIZE_MAX);
	return arena_alloc(a, n * size);
}

char *arena_strndup(struct arena *a, const char *p, size_t n)
{
	char *s = take(a, n + 1, ALIGN_TEXT);
	if (n > 0)
		memcpy(s, p, n);
	return s;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s == NULL ? NULL : arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	char text[256];                /* enough for most, so that printing once is enough */
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(text, sizeof(text), fmt, again);
	va_end(again);
	if (n < (int)sizeof(text))
		return arena_strndup(a, text, n < 0 ? 0 : (size_t)n);
	char *s = arena_alloc(a, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

void arena_defer(struct arena *a, void (*fn)(void *), void *p)
{
	struct deferred *d = arena_alloc(a, sizeof(*d));
	d->fn = fn;
	d->p = p;
	d->next = a->deferred;
	a->deferred = d;
}

size_t arena_used(const struct arena *a)
{
	return a->total;
}
