/*
 * What is usual for common aircraft (conf/facts/aircraft.txt). An aircraft is named by its type or a name, in any case: "SR22",
 * "Cirrus SR22".
 */
#ifndef AIRPORTS_AIRCRAFT_H
#define AIRPORTS_AIRCRAFT_H

#include <stdbool.h>

/* The maximum take-off mass of an aircraft, or the mass that the text itself says ("1633 kg"), in kg. False: it is neither. */
bool aircraft_mass(const char *text, double *kg);
/* The cruising speed of an aircraft in kt; NaN: it is not known. text NULL: not known. */
double aircraft_cruise_kt(const char *text);
/* The same aircraft for people: "Cessna 172" for "c172". NULL: it is a mass, or not known. */
const char *aircraft_called(const char *text);

#endif
