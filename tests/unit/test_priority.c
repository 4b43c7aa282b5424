/* Priority: the original service's buckets and scores at their edges, and the order they make. */
#include "airports/priority.h"

#include <math.h>
#include <stddef.h>

#include "tests/unit/test.h"

static const struct {
	double nm;
	int bucket;
} near_rows[] = {
	{ 0, 0 }, { 15, 0 }, { 15.01, 1 }, { 30, 1 }, { 30.01, 2 }, { 50, 2 }, { 50.01, 3 },
	{ 100, 3 }, { 100.01, 4 }, { 9999, 4 },
};

TEST(priority, rings)
{
	for (size_t i = 0; i < sizeof(near_rows) / sizeof(near_rows[0]); i++)
		cr_expect_eq(priority_near(near_rows[i].nm), near_rows[i].bucket, "%g",
		    near_rows[i].nm);
}

static const struct {
	double enroute, total;
	int bucket;
} route_rows[] = {
	{ 500, 1000, 0 }, { 400, 1000, 0 }, { 600, 1000, 0 }, { 399, 1000, 1 }, { 300, 1000, 1 },
	{ 299, 1000, 2 }, { 150, 1000, 2 }, { 149, 1000, 3 }, { 1000, 1000, 3 }, { 0, 1000, 3 },
	{ 9999, 1000, 3 }, { 77, 0, 0 },
};

TEST(priority, middle_of_the_route)
{
	for (size_t i = 0; i < sizeof(route_rows) / sizeof(route_rows[0]); i++)
		cr_expect_eq(priority_route(route_rows[i].enroute, route_rows[i].total),
		    route_rows[i].bucket, "%g of %g", route_rows[i].enroute, route_rows[i].total);
}

TEST(priority, score)
{
	cr_expect_eq(priority_score(&(struct airport){ .flags = AF_ENTRY | AF_PROCEDURES | AF_AIP }), 0.8);
	cr_expect_eq(priority_score(&(struct airport){ .flags = AF_PROCEDURES | AF_HARD }), 0.6);
	cr_expect_eq(priority_score(&(struct airport){ .flags = AF_ENTRY }), 0.5);
	cr_expect_eq(priority_score(&(struct airport){ .flags = AF_AIP | AF_HARD }), 0.3);
}

TEST(priority, estimate)
{
	cr_expect_eq(priority_estimate(&(struct airport){ .type = TYPE_LARGE, .flags = AF_SCHEDULED }), 0.8);
	cr_expect_eq(priority_estimate(&(struct airport){ .type = TYPE_MEDIUM }), 0.6);
	cr_expect_eq(priority_estimate(&(struct airport){ .type = TYPE_SMALL, .flags = AF_HARD }), 0.4);
	cr_expect_eq(priority_estimate(&(struct airport){ .type = TYPE_SMALL }), 0.3);
	cr_expect_eq(priority_estimate(&(struct airport){ .type = TYPE_SEAPLANE, .flags = AF_SCHEDULED }), 0.3);
}

TEST(priority, late)
{
	cr_expect_not(priority_late(&(struct airport){ .flags = AF_HARD }));
	cr_expect(priority_late(&(struct airport){ .flags = AF_SEAPLANES | AF_ENTRY }));
	cr_expect(priority_late(&(struct airport){ .flags = AF_MOUNTAIN }));
	cr_expect(priority_late(&(struct airport){ .flags = AF_MOUNTAIN | AF_MILITARY }));
	/* many of them take civil traffic */
	cr_expect_not(priority_late(&(struct airport){ .flags = AF_MILITARY }));
}

TEST(priority, order)
{
	/* Each row comes before the next; scores from 0 to 1. */
	static const struct priority rows[] = {
		{ 0, 0.8, 5, 9, false }, { 0, 0.8, 6, 1, false }, { 0, 0.8, 6, 2, false },
		{ 0, 0.3, 1, 3, false }, { 1, 0.8, 0, 4, false }, { 0, 0.8, 0, 5, true },
	};
	size_t n = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int cmp = priority_cmp(&rows[i], &rows[k]);
			cr_expect_eq((cmp > 0) - (cmp < 0), (i > k) - (i < k), "%zu %zu", i, k);
		}
}
