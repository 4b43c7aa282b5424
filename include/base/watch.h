/*
 * Watch: what a call must check while it waits.
 *
 * The caller of something slow passes a watch: a descriptor that shows when nobody wants the result
 * any more, and a function that does what is due (heartbeat, lease, deadline). The layers below
 * wait through it and know nothing of readers and runs. A NULL watch checks nothing.
 */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"

struct watch {
	int fd;          /* hangs up when the reader has gone; -1: none */
	/* Do what is due, and set *ms to the longest time (at least 1) until it must be called
	 * again. Any result but OK ends the wait with that code. NULL: nothing is ever due. */
	enum errcode (*check)(void *arg, int64_t *ms);
	void *arg;
};

/* Wait the whole time; with 0, only check. OK: the time has passed. Else ERR_HUP, the code of
 * check(), or ERR_IO: the kernel cannot poll. */
enum errcode watch_sleep(const struct watch *w, int64_t ms);

/* Wait until `fd` is readable or has failed, at most `ms` (-1: no limit). *ready tells which. Codes
 * as above. check() runs at least once, even if `fd` is ready all the time. */
enum errcode watch_poll(const struct watch *w, int fd, int64_t ms, bool *ready);
/* The same for either of two descriptors; -1: none. */
enum errcode watch_poll_two(const struct watch *w, const int fd[2], int64_t ms, bool *ready);

#endif
