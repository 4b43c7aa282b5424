/*
 * The mass and the usual cruising speed of common aircraft (conf/facts/aircraft.txt). The text is a type or a name ("SR22",
 * "Cirrus SR22"); capital letters make no difference.
 */
#ifndef AIRPORTS_AIRCRAFT_H
#define AIRPORTS_AIRCRAFT_H

#include <stdbool.h>

/* The maximum take-off mass of an aircraft, or the mass that the text itself says ("1633 kg"), in kg. False: the text is neither a known aircraft nor a mass. */
bool aircraft_mass(const char *text, double *kg);
/* The cruising speed of an aircraft in kt. NaN: the aircraft is not known, or the text is NULL. */
double aircraft_cruise_kt(const char *text);
/* The name of the aircraft as answers show it: "Cessna 172" for "c172". NULL: the text is a mass, or the aircraft is not known. */
const char *aircraft_called(const char *text);

#endif
