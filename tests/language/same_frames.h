/*
 * Are two frames the same for a pilot? Values are compared in their exact spelling; names of places without case, accents and
 * articles; matters of rules and free wishes by their stems, of which one at least must be common and none of the read ones
 * invented.
 */
#ifndef TESTS_LANGUAGE_SAME_FRAMES_H
#define TESTS_LANGUAGE_SAME_FRAMES_H

#include "language/frame.h"

bool same_frame(struct arena *a, const struct frame_schema *s, const struct frame *gold, const struct frame *read);
bool same_frames(struct arena *a, const struct frame_schema *s, const struct frames *gold, const struct frames *read);

/* The two comparisons of texts. */
bool same_name(struct arena *a, const char *x, const char *y);
bool same_matter(struct arena *a, const struct frame_slot *gold, const struct frame_slot *read);

/* A frame in one line: "near; near=Lyon; min_runway=800m"; in the arena. */
const char *frame_line(struct arena *a, const struct frame_schema *s, const struct frame *f);

#endif
