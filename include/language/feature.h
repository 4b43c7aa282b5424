/*
 * Features: what a linear model looks at, as 64-bit numbers. A feature is a template and its parts, such as
 * "the stem before is" and "near". Two features may by rare chance have one number; a model bears that.
 */
#ifndef LANGUAGE_FEATURE_H
#define LANGUAGE_FEATURE_H

#include <stddef.h>
#include <stdint.h>

/* One part more; the order of the parts counts. */
static inline uint64_t feature_and(uint64_t feature, uint64_t part)
{
	uint64_t h = (feature ^ part) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

/* A text as a part. */
static inline uint64_t feature_bytes(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return feature_and(h, n);
}

static inline uint64_t feature_text(const char *s)
{
	size_t n = 0;
	while (s[n] != '\0')
		n++;
	return feature_bytes(s, n);
}

#endif
