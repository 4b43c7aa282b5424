/*
 * The distance, the track and the time of a flight.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WRITER_FLIGHTS_H
#define AGENTS_AVIATION_BUILTIN_WRITER_FLIGHTS_H

#include "agents/aviation/builtin/writer.h"

/* An end of the route, "from" or "to"; NULL: the result does not tell it. */
struct json_object *flight_end(const struct answer *w, const char *end);
/* Its name in Markdown; without it, the argument `arg`. */
const char *flight_end_name(const struct answer *w, const char *end, const char *arg);
/* Of the route in NM; NAN: the result does not tell it. */
double flight_length(const struct answer *w);
/* Does the pilot ask about the flight itself? */
bool writer_asks_flight(const struct answer *w);
/* Distance, track and time in one sentence. The time is left out if the speed is only the usual one and nobody asked for the time. */
void writer_flight(const struct answer *w);
/* Write one line about several flights. If each one starts where the last one ends, it is the total distance and time. If two flights have the
 * same end, it says which start is nearer. Writes nothing in all other cases. */
void writer_flights_together(struct answer *w, const struct run *run, const struct writing *writing);

/* For a route over other places: its legs and its whole length, before the lists of the legs. False: nothing was written. */
bool writer_legs(struct answer *w, const struct run *run, const struct writing *writing);

#endif
