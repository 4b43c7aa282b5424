/*
 * One poll(2) over all descriptors, in slices as long as check() allows. The watched descriptor is
 * only checked for a hang-up. Bytes that the reader sends meanwhile are ignored and must not wake
 * the wait.
 */
#include "base/watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>

#include "base/clock.h"

enum errcode watch_poll_two(const struct watch *w, const int fd[2], int64_t ms, bool *ready)
{
	const bool forever = ms < 0 || ms > INT64_MAX / 2;
	const int64_t until = forever ? INT64_MAX : clock_mono_ms() + ms;
	struct pollfd p[] = {
		{ .fd = w == NULL ? -1 : w->fd, .events = POLLRDHUP },
		{ .fd = fd[0], .events = POLLIN },
		{ .fd = fd[1], .events = POLLIN },
	};
	*ready = false;
	for (;;) {
		int64_t slice = INT64_MAX;
		enum errcode rc = w == NULL || w->check == NULL ? OK : w->check(w->arg, &slice);
		if (rc != OK)
			return rc;
		if (slice < 1)
			slice = 1;
		int64_t left = forever ? INT64_MAX : until - clock_mono_ms();
		if (left < 0)
			left = 0;
		if (slice > left)
			slice = left;
		int wait = slice == INT64_MAX ? -1 : slice > INT_MAX ? INT_MAX : (int)slice;
		int n = poll(p, sizeof(p) / sizeof(p[0]), wait);
		if (n < 0 && errno != EINTR)
			return ERR_IO;
		if (n > 0 && p[0].revents != 0)
			return ERR_HUP;
		*ready = n > 0;
		if (*ready || left == 0)
			return OK;
	}
}

enum errcode watch_poll(const struct watch *w, int fd, int64_t ms, bool *ready)
{
	const int fds[] = { fd, -1 };
	return watch_poll_two(w, fds, ms, ready);
}

enum errcode watch_sleep(const struct watch *w, int64_t ms)
{
	bool ready;
	return watch_poll(w, -1, ms < 0 ? 0 : ms, &ready);
}
