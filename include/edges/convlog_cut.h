/*
 * Shortening an entry of the conversation log until it fits.
 */
#ifndef EDGES_CONVLOG_CUT_H
#define EDGES_CONVLOG_CUT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/jsn.h"

enum { CONVLOG_CUTS = 5 };       /* each keeps less than the one before */

/* The entry as it is kept by cut 0 to CONVLOG_CUTS - 1, in the arena. Long texts end with a mark that
 * gives their length, lists lose their end, and metadata has `cut`, which says so; `bytes` is the
 * whole entry's size. The last cut keeps at most some 3,500 bytes. */
struct json_object *convlog_cut(struct arena *a, struct json_object *entry, int cut, size_t bytes);

#endif
