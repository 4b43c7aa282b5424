/*
 * Magnetic variation where it is recorded: in the airport's AIP entry, or for a radio navigation aid
 * on the airport or near it.
 */
#ifndef AIRPORTS_VARIATION_H
#define AIRPORTS_VARIATION_H

#include "airports/airdb.h"

struct variation {
	double east_deg;              /* west is negative; NaN: not recorded */
	const char *source;           /* "AIP: 0.59°E 2022", "VOR-DME SIO, 2 NM away (undated)" */
};

/* `aip` are the airport's entries. */
enum errcode airport_variation(struct aircon *con, struct arena *a, const struct airport *airport,
    const struct aip_entry *aip, size_t naip, struct variation *out, struct err *e);
/* "0.59°E 2022 0.19°E", "2° 30' W (2020)": the first angle with a compass letter; NaN: there is
 * none. */
double variation_parse(const char *text);

#endif
