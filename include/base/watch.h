/*
 * Watch: what a call that waits must look after meanwhile.
 *
 * Whoever starts something slow hands a watch down: a descriptor that shows that nobody wants
 * the result any more, and a function that does what is due (heartbeat, lease, deadline). The
 * layers below wait through it and know nothing of readers and runs. A NULL watch looks after
 * nothing.
 */
#ifndef BASE_WATCH_H
#define BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"

struct watch {
	int fd;          /* hangs up when the one who waits has gone; -1: none */
	/* Do what is due and set *ms to the longest time until it must be called again (at least
	 * 1). Anything but OK ends the wait with that code. NULL: nothing is ever due. */
	enum errcode (*check)(void *arg, int64_t *ms);
	void *arg;
};

/* Wait the whole time; 0 only looks. OK when it has passed, ERR_HUP, the code of check();
 * ERR_IO: the kernel cannot poll. */
enum errcode watch_sleep(const struct watch *w, int64_t ms);

/* Wait until `fd` is readable or has failed, at most ms (-1: no limit). *ready tells which.
 * Codes as above. check() has run at least once, so that a busy descriptor does not keep it
 * from its work. */
enum errcode watch_poll(const struct watch *w, int fd, int64_t ms, bool *ready);
/* The same for either of two descriptors; -1 is none. */
enum errcode watch_poll_two(const struct watch *w, const int fd[2], int64_t ms, bool *ready);

#endif
