/*
 * Shortening an entry of the conversation log until it fits.
 */
#ifndef EDGES_CONVLOG_CUT_H
#define EDGES_CONVLOG_CUT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/jsn.h"

enum { CONVLOG_CUTS = 5 };       /* each keeps less than the one before */

/* A shorter copy of the entry, in the arena; `cut` is 0 to CONVLOG_CUTS - 1. Long texts end with a
 * mark that gives their full length. Lists lose their end. metadata.cut says that the entry was
 * shortened from `bytes`. The last cut keeps at most about 3,500 bytes. */
struct json_object *convlog_cut(struct arena *a, struct json_object *entry, int cut, size_t bytes);

#endif
