/*
 * Arithmetic of vectors, and their form in a file.
 */
#include "services/vectors.h"

#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16 };

/* Several independent sums, of which the compiler makes vector instructions. A single sum would
 * have to be added up in order. */
double vector_dot(const float *a, const float *b, size_t dims)
{
	float lane[LANES] = { 0 };
	double sum = 0;
	size_t i = 0;
	for (; i + LANES <= dims; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			lane[k] += a[i + k] * b[i + k];
	for (size_t k = 0; k < LANES; k++)
		sum += (double)lane[k];
	for (; i < dims; i++)
		sum += (double)a[i] * (double)b[i];
	return isfinite(sum) ? sum : 0;
}

static double length(const float *v, size_t dims)
{
	double sum = 0;
	for (size_t i = 0; i < dims; i++)
		sum += (double)v[i] * (double)v[i];
	return sqrt(sum);
}

void vector_unit(float *v, size_t dims)
{
	double len = length(v, dims);
	if (!isfinite(len))
		memset(v, 0, dims * sizeof(*v));
	for (size_t i = 0; isfinite(len) && len > 0 && i < dims; i++)
		v[i] = (float)((double)v[i] / len);
}

/* -- texts -- */

/* Times 2^88 + 0x13b, the prime of this size, in halves. */
static void times_prime(uint64_t *hi, uint64_t *lo)
{
	const uint64_t p = 0x13b;
	uint64_t low = (*lo & 0xffffffff) * p, high = (*lo >> 32) * p + (low >> 32);
	*hi = *hi * p + (high >> 32) + (*lo << 24);
	*lo = high << 32 | (low & 0xffffffff);
}

struct text_hash text_hash_of(const char *text)
{
	uint64_t hi = UINT64_C(0x6c62272e07bb0142), lo = UINT64_C(0x62b821756295c58d);
	struct text_hash h;
	for (; *text != '\0'; text++) {
		lo ^= (unsigned char)*text;
		times_prime(&hi, &lo);
	}
	hi = htobe64(hi);
	lo = htobe64(lo);
	memcpy(h.b, &hi, 8);
	memcpy(h.b + 8, &lo, 8);
	return h;
}

/* -- in a file -- */

void vector_encode(unsigned char *out, const float *v, size_t dims)
{
	for (size_t i = 0; i < dims; i++) {
		uint32_t bits;
		memcpy(&bits, &v[i], sizeof(bits));
		bits = htole32(bits);
		memcpy(out + i * sizeof(bits), &bits, sizeof(bits));
	}
}

bool vector_decode(float *out, const void *blob, size_t nbytes, size_t dims)
{
	double sum = 0;
	if (blob == NULL || nbytes != dims * sizeof(*out))
		return false;
	for (size_t i = 0; i < dims; i++) {
		uint32_t bits;
		memcpy(&bits, (const char *)blob + i * sizeof(bits), sizeof(bits));
		bits = le32toh(bits);
		memcpy(&out[i], &bits, sizeof(bits));
		sum += (double)out[i] * (double)out[i];
	}
	return fabs(sum - 1) < 1e-3;       /* false for a NaN too */
}
