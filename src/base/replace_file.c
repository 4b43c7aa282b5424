/*
 * First the data is synced, then the file is renamed. In the other order a power cut could leave a
 * name without data.
 */
#include "base/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/heap.h"

enum { FILE_MODE = 0640, TRIES = 8 };

static enum errcode open_locked(const char *tmp, int *fd, struct err *e)
{
	*fd = open(tmp, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
	if (*fd < 0)
		return err_set(e, ERR_IO, "%s: can't be created (%s)", tmp, strerrordesc_np(errno));
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		close(*fd);
		*fd = -1;
		return err_set(e, ERR_IO, "%s: another process is writing it", tmp);
	}
	return OK;
}

/* Does the descriptor still have the file that `tmp` names? Between opening and locking it another
 * writer may have renamed it: then it is the file in use, and must not be emptied. */
static bool is_file(int fd, const char *tmp)
{
	struct stat opened, named;

	return fstat(fd, &opened) == 0 && lstat(tmp, &named) == 0 && opened.st_dev == named.st_dev &&
	    opened.st_ino == named.st_ino;
}

enum errcode replace_begin(const char *tmp, int *fd, struct err *e)
{
	enum errcode rc = open_locked(tmp, fd, e);

	for (int tries = 1; rc == OK && !is_file(*fd, tmp); tries++) {
		close(*fd);
		*fd = -1;
		rc = tries < TRIES ? open_locked(tmp, fd, e) :
		    err_set(e, ERR_IO, "%s: another process is writing it", tmp);
	}
	if (rc == OK && ftruncate(*fd, 0) != 0)
		rc = err_set(e, ERR_IO, "%s: can't be emptied (%s)", tmp, strerrordesc_np(errno));
	return rc;
}

/* A file that root makes gets the old file's owner, or else the folder's owner, because the worker
 * runs as another user and must read it. */
static void hand_over(int fd, const char *path)
{
	struct stat st;
	char *dir = path_folder(path);

	if (geteuid() == 0 && (stat(path, &st) == 0 || stat(dir, &st) == 0)) {
		if (fchown(fd, st.st_uid, st.st_gid) == 0 && S_ISREG(st.st_mode))
			(void)fchmod(fd, st.st_mode & 0777);
	}
	free(dir);
}

static void sync_folder(const char *path)
{
	char *dir = path_folder(path);
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(dir);
	if (fd < 0)
		return;          /* the folder may allow writing but not reading */
	fsync(fd);
	close(fd);
}

enum errcode replace_file(const char *tmp, const char *path, struct err *e)
{
	int fd = open(tmp, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		hand_over(fd, path);
	int rc = fd >= 0 ? fsync(fd) : -1;

	if (rc != 0)
		err_set(e, ERR_IO, "%s: can't be written to disk (%s)", tmp, strerrordesc_np(errno));
	if (fd >= 0)
		close(fd);
	if (rc != 0)
		return ERR_IO;
	if (rename(tmp, path) != 0)
		return err_set(e, ERR_IO, "%s: can't be replaced (%s)", path, strerrordesc_np(errno));
	sync_folder(path);
	return OK;
}

static enum errcode write_all(int fd, const char *name, const char *p, size_t n, struct err *e)
{
	while (n > 0) {
		const ssize_t done = write(fd, p, n);
		if (done < 0 && errno != EINTR)
			return err_set(e, ERR_IO, "%s: can't be written (%s)", name, strerrordesc_np(errno));
		p += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return OK;
}

enum errcode replace_with(const char *path, const void *bytes, size_t n, struct err *e)
{
	char *tmp = heap_printf("%s.new", path);
	int fd = -1;
	enum errcode rc = replace_begin(tmp, &fd, e);

	if (rc == OK)
		rc = write_all(fd, tmp, bytes, n, e);
	if (rc == OK)
		rc = replace_file(tmp, path, e);
	if (fd >= 0)
		close(fd);
	free(tmp);
	return rc;
}
