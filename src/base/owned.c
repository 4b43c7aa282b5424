/*
 * A link is checked before it is followed. Nobody can replace it in between, because other users
 * cannot write to a private folder, and in a sticky folder (/tmp) they cannot replace this user's
 * files.
 */
#include "base/owned.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { NULL_MAJOR = 1, NULL_MINOR = 3 };        /* /dev/null */

static bool ours(uid_t uid)
{
	return uid == geteuid() || uid == 0;
}

bool owned_link(const char *path)
{
	struct stat st;
	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && !ours(st.st_uid)) {
		errno = ELOOP;
		return false;
	}
	return true;
}

int owned_open(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd == -1 && errno == ELOOP && owned_link(path))
		fd = open(path, flags | O_CLOEXEC, mode);
	return fd;
}

static const char *user_name(char *out, size_t n, uid_t uid)
{
	char room[1024];
	struct passwd pw, *found = NULL;
	if (getpwuid_r(uid, &pw, room, sizeof(room), &found) == 0 && found != NULL)
		snprintf(out, n, "%s", pw.pw_name);
	else
		snprintf(out, n, "user %u", (unsigned)uid);
	return out;
}

enum errcode owned_settings(int fd, const char *path, const char *instead, struct err *e)
{
	struct stat st;
	char owner[40], me[40];
	if (fstat(fd, &st) != 0)
		return err_set(e, ERR_CONFIG, "%.100s: %m", path);
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(NULL_MAJOR, NULL_MINOR))
		return OK;
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG, "%.100s: not a regular file", path);
	if (!ours(st.st_uid))
		return err_set(e, ERR_CONFIG, "%.80s belongs to %s. %s reads settings only from its own "
		    "files and root's. Check the file, then chown it; or %s",
		    path, user_name(owner, sizeof(owner), st.st_uid),
		    user_name(me, sizeof(me), geteuid()), instead);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return err_set(e, ERR_CONFIG, "%.80s can be written by other users (mode %04o), so its "
		    "settings are not used. Check the file, then chmod go-w it", path,
		    (unsigned)st.st_mode & 07777);
	return OK;
}

enum errcode owned_folder(const char *path, struct err *e)
{
	struct stat st;
	if (stat(path, &st) == 0 && (st.st_mode & S_IWOTH) != 0 && (st.st_mode & S_ISVTX) == 0)
		return err_set(e, ERR_CONFIG, "%.120s: every user can write to this folder (mode %04o). "
		    "Check what is in it, then chmod o-w it; or choose another folder", path,
		    (unsigned)st.st_mode & 07777);
	return OK;
}
