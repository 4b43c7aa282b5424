/*
 * Which server do the sentinels call the master?
 */
#ifndef DRIVERS_KV_SENTINEL_H
#define DRIVERS_KV_SENTINEL_H

#include <stdint.h>

#include "base/errs.h"
#include "drivers/kv_wire.h"

/* Ask the sentinels of the URL in turn, beginning with *first, which becomes the one that
 * answered. */
enum errcode kv_sentinel_master(const struct wire_way *way, int *first, struct kv_host *master,
    int64_t until_ms, struct err *e);

#endif
