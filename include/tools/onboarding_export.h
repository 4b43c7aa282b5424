/*
 * The files of exported onboarding records: one for each conversation, in one folder.
 *
 * A file is only ever replaced as a whole, and it is on disk before the export is reported as done. It holds personal data:
 * it is readable for its owner and group only.
 */
#ifndef TOOLS_ONBOARDING_EXPORT_H
#define TOOLS_ONBOARDING_EXPORT_H

#include "base/arena.h"
#include "base/conf.h"
#include "base/errs.h"

struct json_object;

/* NULL: the id cannot be a file's name, so no such file exists. */
const char *onboarding_export_path(struct arena *a, const char *dir, const char *conversation);

/* Begin to write: make the folder, and open a new file, whose name goes to *tmp. It shows whether the folder can
 * be written before anything is spent on the text. */
enum errcode onboarding_export_begin(struct arena *a, const char *path, const char **tmp, int *fd,
    struct err *e);
/* Write the text, and put the file in its place. The descriptor is closed in any case. */
enum errcode onboarding_export_end(const char *path, const char *tmp, int fd, const char *text, size_t n,
    struct err *e);
/* Instead: close and delete the new file. */
void onboarding_export_drop(const char *tmp, int fd);

/* The exported record of a conversation. ERR_NOTFOUND: there is none. */
enum errcode onboarding_export_read(const struct conf *c, struct arena *a, const char *conversation,
    struct json_object **out, struct err *e);
/* Delete it. No error if there is none. */
enum errcode onboarding_export_delete(const struct conf *c, const char *conversation, struct err *e);

#endif
