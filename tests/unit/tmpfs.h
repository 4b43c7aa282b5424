/*
 * A tiny file system to fill up. Only this process sees it, so nothing remains even if the test
 * crashes.
 */
#ifndef TESTS_UNIT_TMPFS_H
#define TESTS_UNIT_TMPFS_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mount.h>

/* False: this user may not mount. Unmount it with umount2(dir, MNT_DETACH). */
static inline bool test_tmpfs(const char *dir, const char *options)
{
	return unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount("tmpfs", dir, "tmpfs", 0, options) == 0;
}

#endif
