/*
 * The first centres are vectors that lie far apart in the list.
 */
#include "language/train/clusters.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 12 };

float clusters_dot(const float *a, const float *b)
{
	float part[8] = { 0 }, sum = 0;
	for (size_t d = 0; d < ENCODER_DIMS; d += 8)
		for (size_t i = 0; i < 8; i++)
			part[i] += a[d + i] * b[d + i];
	for (size_t i = 0; i < 8; i++)
		sum += part[i];
	return sum;
}

static uint16_t nearest(const float *v, size_t k, float (*centre)[ENCODER_DIMS])
{
	size_t best = 0;
	float most = -INFINITY;
	for (size_t c = 0; c < k; c++) {
		float near = clusters_dot(v, centre[c]);
		if (near > most) {
			most = near;
			best = c;
		}
	}
	return (uint16_t)best;
}

static void make_unit(float *v)
{
	float length = sqrtf(clusters_dot(v, v));
	for (size_t d = 0; d < ENCODER_DIMS && length > 0; d++)
		v[d] /= length;
}

void clusters_find(const float (*vector)[ENCODER_DIMS], size_t n, size_t k, uint16_t *of, float (*centre)[ENCODER_DIMS])
{
	for (size_t c = 0; c < k; c++)
		memcpy(centre[c], vector[c * n / k], sizeof(centre[c]));
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i++)
			of[i] = nearest(vector[i], k, centre);
		memset(centre, 0, k * sizeof(*centre));
		for (size_t i = 0; i < n; i++)
			for (size_t d = 0; d < ENCODER_DIMS; d++)
				centre[of[i]][d] += vector[i][d];
		for (size_t c = 0; c < k; c++)
			make_unit(centre[c]);
	}
}
