/*
 * Progress of a long job.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdint.h>

/* `done` of `total` units of the step `what`. */
typedef void progress_fn(void *arg, const char *what, int64_t done, int64_t total);

#endif
