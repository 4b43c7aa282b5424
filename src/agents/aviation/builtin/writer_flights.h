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
/* What several flights are together: the legs of one flight are added up, and of two starts the nearer one is named. Writes nothing if the
 * look-ups are something else. */
void writer_flights_together(struct answer *w, const struct run *run, const struct writing *writing);

#endif
