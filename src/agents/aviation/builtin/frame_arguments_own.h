/*
 * What the files that fill in arguments share: frame_arguments.c for airports, frame_rules.c for rules.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_ARGUMENTS_OWN_H
#define AGENTS_AVIATION_BUILTIN_FRAME_ARGUMENTS_OWN_H

#include "agents/aviation/builtin/frame_looks.h"
#include "agents/aviation/builtin/frame_plans.h"

/* Put a number, if the tool has such an argument, within the bounds that it accepts. */
void plan_put_number(const struct tool *t, struct plan *out, const char *name, double v);

/* frame_flight.c */

/* The words of the message from which a frame was made, first..end-1. False: it was made from an earlier frame. */
bool look_clause(const struct look *l, size_t *first, size_t *end);
/* "How far is Cork from Kerry?": is nothing asked for but the distance or the time, and no word is about airports on the way? */
bool look_asks_flight_only(const struct look *l);

#endif
