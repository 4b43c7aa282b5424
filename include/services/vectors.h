/*
 * Vectors of texts, as embedding models give them: arithmetic, the form in which our files hold
 * them, and the hash by which a file knows a text.
 */
#ifndef SERVICES_VECTORS_H
#define SERVICES_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

/* Dot product, and scaling to length 1 (a zero vector stays). The product of two unit vectors is
 * exact to 1e-6: it is added up in single precision, in several sums. vector_unit() turns a
 * vector that holds a number that is not finite into a zero vector; vector_dot() returns 0 if the product is not
 * finite. So results can always be sorted. */
double vector_dot(const float *a, const float *b, size_t dims);
void vector_unit(float *v, size_t dims);

/* FNV-1a of 128 bits over all bytes of a text, big-endian. Two texts do not share a hash by chance.
 * Somebody who constructs two such texts gets one vector for both. */
struct text_hash {
	unsigned char b[16];
};
struct text_hash text_hash_of(const char *text);

/* A vector in the form of the file, and back. False: it is not `dims` numbers of length 1. */
void vector_encode(unsigned char *out, const float *v, size_t dims);
bool vector_decode(float *out, const void *blob, size_t nbytes, size_t dims);

#endif
