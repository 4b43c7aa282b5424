/*
 * Folders, and the states of files.
 */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/errs.h"

/* Make every missing folder of the path. ERR_IO with the one that could not be made, and why. */
enum errcode make_dirs(const char *path, mode_t mode, struct err *e);
/* The folder of a path: "." without a slash. On the heap. */
char *path_folder(const char *path);

/* What tells one state of a file from another: it was written, or another file has its name. */
struct file_stamp {
	bool there;                   /* else all is zero */
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed;
};
struct file_stamp file_stamp(const char *path);       /* NULL: not there */
bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b);

#endif
