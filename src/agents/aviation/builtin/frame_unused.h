/*
 * What a message says and its plan does not use, so that the answer can name it.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_UNUSED_H
#define AGENTS_AVIATION_BUILTIN_FRAME_UNUSED_H

#include "agents/aviation/builtin/frame_plans.h"

/* "mogas, 14:00", in the arena; NULL: everything is used. `last`: what no plan of the message has is told with
 * this one. */
const char *frame_unused(const struct look *l, const struct tool *t, bool last);

/* Two such lists as one, in the arena. list may be NULL. */
const char *frame_unused_joined(struct arena *a, const char *list, const char *more);

#endif
