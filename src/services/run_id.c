/*
 * Run ids that lie in their thread's slot of a Redis Cluster.
 *
 * The slot of a key is the CRC-16 of the text in its braces, modulo 16384. A run's keys have its id
 * in braces, a thread's keys the thread's id. A script may only touch keys of one slot, so a run id is
 * chosen whose slot is the thread's: then lease, record and commit are one script.
 *
 * A CRC is linear: to flip certain bits of the text flips certain bits of the sum, whatever the rest
 * of the text is. The last six digits of the id are made '0' to '7', whose lowest three bits may be
 * flipped freely. These 18 bits reach every slot. 102 random bits are left.
 */
#include "services/runs.h"

#include <string.h>

enum {
	SLOT_BITS = 14,
	DIGITS = 6,             /* at the end of the id, which are chosen to fit the slot */
	DIGIT_BITS = 3,
	FREE_BITS = DIGITS * DIGIT_BITS,
};

static unsigned crc16(const char *p, size_t n)
{
	unsigned crc = 0;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned)(unsigned char)p[i] << 8;
		for (int b = 0; b < 8; b++)
			crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
	}
	return crc;
}

/* What flipping this bit of the last digits does to the slot. */
static unsigned effect(int bit)
{
	char text[DIGITS] = { 0 };

	text[0] = (char)(1 << bit % DIGIT_BITS);
	return crc16(text, (size_t)(DIGITS - bit / DIGIT_BITS)) & ((1u << SLOT_BITS) - 1);
}

/* The bits of the last digits that must be flipped to change the slot by `change`: Gaussian
 * elimination, one bit of the slot after the other. */
static unsigned flips(unsigned change)
{
	unsigned sum[FREE_BITS], bits[FREE_BITS], found = 0;
	int used = 0;

	for (int i = 0; i < FREE_BITS; i++) {
		sum[i] = effect(i);
		bits[i] = 1u << i;
	}
	for (int b = 0; b < SLOT_BITS; b++) {
		int k = used;

		while (k < FREE_BITS - 1 && (sum[k] >> b & 1) == 0)
			k++;
		const unsigned s = sum[k], t = bits[k];
		sum[k] = sum[used];
		bits[k] = bits[used];
		sum[used] = s;
		bits[used] = t;
		for (int i = used + 1; i < FREE_BITS; i++)
			if ((sum[i] >> b & 1) != 0) {
				sum[i] ^= s;
				bits[i] ^= t;
			}
		if ((change >> b & 1) != 0) {
			change ^= s;
			found ^= t;
		}
		used++;
	}
	return found;
}

void store_run_id(const char *thread_id, char out[ID_SIZE])
{
	id_run(out);
	const size_t n = strlen(out);
	char *last = out + n - DIGITS;

	for (int i = 0; i < DIGITS; i++)
		last[i] = (char)('0' + (last[i] & 7));
	const unsigned flip = flips((crc16(out, n) ^ crc16(thread_id, strlen(thread_id))) &
	    ((1u << SLOT_BITS) - 1));
	for (int i = 0; i < FREE_BITS; i++)
		if ((flip >> i & 1) != 0)
			last[i / DIGIT_BITS] = (char)(last[i / DIGIT_BITS] ^ 1 << i % DIGIT_BITS);
}
