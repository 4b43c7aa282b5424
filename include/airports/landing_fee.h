/*
 * Landing fees go by the mass of the aircraft: which band a mass falls into, and the mass of common
 * aircraft (conf/facts/aircraft.txt).
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

/* The mass of "SR22", "Cirrus SR22" or "1633 kg", in kg. False: it is none of these. */
bool aircraft_mass(const char *text, double *kg);
/* The same aircraft for people: "Cessna 172" for "c172". NULL: it is a mass, or not known. */
const char *aircraft_called(const char *text);

#endif
