/*
 * Landing fees go by the mass of the aircraft: which band a mass falls into.
 */
#ifndef AIRPORTS_LANDING_FEE_H
#define AIRPORTS_LANDING_FEE_H

#include <stdbool.h>
#include <stddef.h>

struct fee_band {
	const char *column;           /* as in the database */
	double below_kg;
};
enum { FEE_BANDS = 6 };
extern const struct fee_band fee_bands[FEE_BANDS];

size_t fee_band_of(double mtow_kg);

/* Is it the code of a currency (conf/facts/currencies.txt), in any case? */
bool currency_known(const char *code);

/* The aircraft whose fee is meant when none is named. */
#define FEE_AIRCRAFT "c172"

#endif
