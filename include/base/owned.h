/*
 * Protection against files that another user has planted.
 *
 * A user who can write to a folder can put a symbolic link or a settings file there, and wait until
 * a program with more rights uses it. So a link at the end of a path is followed only if this user
 * or root made it. Settings are read only if nobody else can have written them.
 */
#ifndef BASE_OWNED_H
#define BASE_OWNED_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/errs.h"

/* False, with errno ELOOP, when path is a symbolic link that neither this user nor root made. */
bool owned_link(const char *path);

/* open(2), close-on-exec; -1 with errno ELOOP for a link that is not owned_link(). */
int owned_open(const char *path, int flags, mode_t mode);

/* May settings be read from this open file? It must be a regular file that belongs to this user or
 * to root and that nobody else can write. /dev/null is also allowed. `path` is for the message, and
 * so is `instead`: how to name another file, "set X to another file". */
enum errcode owned_settings(int fd, const char *path, const char *instead, struct err *e);

/* ERR_CONFIG when every user can write to the folder, unless it is sticky like /tmp. State must not
 * be kept in such a folder. */
enum errcode owned_folder(const char *path, struct err *e);

#endif
