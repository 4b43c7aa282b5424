/*
 * Counters in the thread store, for limits that hold for all workers together: how often something was done in
 * a window of time, which begins with the first time.
 */
#ifndef SERVICES_COUNTS_H
#define SERVICES_COUNTS_H

#include "services/store.h"

enum { COUNT_NAME_MAX = 1024 };

/* Count once more (add 1), or take that back (-1), and refuse what exceeds `max`. `name`: printable ASCII without
 * blanks. ERR_LIMIT: it was done `max` times already, and the window ends after *left_ms. max 0: there is no
 * limit, and the store is not asked. */
enum errcode store_count(struct store *s, const char *name, int add, int64_t max, int64_t window_ms,
    int64_t *left_ms, struct err *e);

#endif
