/*
 * "The nearest customs airport to Lyon, and how much notice does it want?": the airport of the second question is what the
 * first one finds.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_NEAREST_H
#define AGENTS_AVIATION_BUILTIN_FRAME_NEAREST_H

#include "agents/aviation/builtin/frame_plans.h"

/* The ident of the airport that another frame of the message finds first; NULL: none looks around a place for the nearest,
 * or nothing is found. */
const char *frame_nearest(const struct planning *p);

#endif
