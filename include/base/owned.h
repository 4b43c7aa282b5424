/*
 * Files that another user may have prepared.
 *
 * Who can write to a folder can put a symbolic link or a file of settings there and wait for
 * somebody with more rights. So a link at the end of a path counts only if this user or root
 * has made it, and settings are obeyed only if nobody else can have written them.
 */
#ifndef BASE_OWNED_H
#define BASE_OWNED_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/errs.h"

/* False, with errno ELOOP, when path is a symbolic link of another user than this one and root. */
bool owned_link(const char *path);

/* open(2), close-on-exec; -1 with errno ELOOP for a link that is not owned_link(). */
int owned_open(const char *path, int flags, mode_t mode);

/* May settings be read from this open file? It must be a regular file of this user or of root
 * that nobody else can write. /dev/null is good too: it holds none. `path` is for the message. */
enum errcode owned_settings(int fd, const char *path, struct err *e);

/* A folder that everybody may write to is not for state, unless it is sticky as /tmp is. */
enum errcode owned_folder(const char *path, struct err *e);

#endif
