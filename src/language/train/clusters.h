/*
 * Clusters of vectors by their directions (spherical k-means). The same vectors give the same clusters.
 */
#ifndef LANGUAGE_TRAIN_CLUSTERS_H
#define LANGUAGE_TRAIN_CLUSTERS_H

#include "language/encoder.h"

/* Divide n unit vectors into k clusters, k <= n. of[i]: the number of its cluster, from 0. centre: the unit vectors of the k
 * clusters. A cluster may stay empty. */
void clusters_find(const float (*vector)[ENCODER_DIMS], size_t n, size_t k, uint16_t *of, float (*centre)[ENCODER_DIMS]);

/* The product of two vectors. */
float clusters_dot(const float *a, const float *b);

#endif
