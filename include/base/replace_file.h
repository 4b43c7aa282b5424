/*
 * Replaces a file as a whole: readers see the old one or the new one, also after a power cut.
 */
#ifndef BASE_REPLACE_FILE_H
#define BASE_REPLACE_FILE_H

#include <stddef.h>

#include "base/errs.h"

/* Open a new file to be written as `tmp`. The descriptor holds a lock that keeps a second writer out;
 * if a killed writer has left a file, it is emptied. ERR_IO. */
enum errcode replace_begin(const char *tmp, int *fd, struct err *e);

/* Sync `tmp`, rename it to `path`, sync the folder. Owner and mode are those of the old file; where
 * there was none and root runs, the owner is the folder's. ERR_IO. */
enum errcode replace_file(const char *tmp, const char *path, struct err *e);

/* Write these bytes to "PATH.new", then make it `path`. ERR_IO. */
enum errcode replace_with(const char *path, const void *bytes, size_t n, struct err *e);

#endif
