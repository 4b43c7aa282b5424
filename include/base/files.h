/*
 * Folders.
 */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <sys/types.h>

#include "base/errs.h"

/* Make every missing folder of the path. ERR_IO with the one that could not be made, and why. */
enum errcode make_dirs(const char *path, mode_t mode, struct err *e);
/* The folder of a path: "." without a slash. On the heap. */
char *path_folder(const char *path);

#endif
