/*
 * Lists of airports in few bytes.
 */
#include "airports/row_list.h"

#include "base/buf.h"

enum { BITS = 7, MORE = 0x80, SHIFT_MAX = 28 };

void row_list_put(struct buf *b, uint32_t last, uint32_t row)
{
	uint32_t gap = row - last;

	for (; gap >= MORE; gap >>= BITS)
		buf_putc(b, (char)(gap | MORE));
	buf_putc(b, (char)gap);
}

struct row_list row_list_of(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	return (struct row_list){ .p = p, .end = p != NULL ? p + n : NULL };
}

bool row_list_next(struct row_list *l)
{
	uint32_t gap = 0;

	for (unsigned shift = 0; l->p < l->end && shift <= SHIFT_MAX; shift += BITS) {
		uint8_t byte = *l->p++;

		gap |= (uint32_t)(byte & (MORE - 1)) << shift;
		if (byte & MORE)
			continue;
		l->row += gap;
		return gap > 0;
	}
	l->p = l->end;
	return false;
}
