/*
 * Priority sort: late ones, buckets, score, distance.
 */
#include "airports/priority.h"

#include <math.h>
#include <stddef.h>

static const double rings_nm[] = { 15, 30, 50, 100 };
static const double shares[] = { 0.10, 0.20, 0.35 };

/* Index of the first bound that holds v, or how many bounds there are. */
static int bucket_of(const double *bounds, int n, double v)
{
	int i = 0;

	while (i < n && !(v <= bounds[i]))
		i++;
	return i;
}

int priority_near(double distance_nm)
{
	return bucket_of(rings_nm, sizeof(rings_nm) / sizeof(rings_nm[0]), distance_nm);
}

int priority_route(double along_nm, double total_nm)
{
	if (!(total_nm > 0))
		return 0;
	return bucket_of(shares, sizeof(shares) / sizeof(shares[0]),
	    fabs(along_nm - total_nm / 2) / total_nm);
}

static const struct {
	unsigned flags;
	double score;
} scores[] = {
	{ AF_ENTRY | AF_PROCEDURES, 0.8 },
	{ AF_PROCEDURES, 0.6 },
	{ AF_ENTRY, 0.5 },
	{ 0, 0.3 },
};

double priority_score(const struct airport *a)
{
	size_t i = 0;

	while ((a->flags & scores[i].flags) != scores[i].flags)
		i++;
	return scores[i].score;
}

double priority_estimate(const struct airport *a)
{
	if (a->type == TYPE_LARGE || a->type == TYPE_MEDIUM)
		return a->flags & AF_SCHEDULED ? 0.8 : 0.6;
	return a->flags & AF_HARD ? 0.4 : 0.3;
}

bool priority_late(const struct airport *a)
{
	const enum airport_use use = airport_use(a);

	return use == USE_WATER || use == USE_MOUNTAIN;
}

int priority_cmp(const struct priority *a, const struct priority *b)
{
	if (a->late != b->late)
		return a->late ? 1 : -1;
	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}
