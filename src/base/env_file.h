/*
 * Settings as NAME=value: the process environment, and the lines of an env file.
 */
#ifndef BASE_ENV_FILE_H
#define BASE_ENV_FILE_H

#include "base/arena.h"
#include "base/errs.h"

struct env_pair {
	const char *name, *value;
	struct env_pair *next;
};

/* Read ENV_FILE, which must exist if it is set; otherwise .env here or in PROJECT_ROOT, if there is
 * one. *file is a list in the arena. */
enum errcode env_files(struct arena *a, struct env_pair **file, struct err *e);
/* The value in the environment, or else in the file; NULL: unset or empty. */
const char *env_lookup(const struct env_pair *file, const char *name);

#endif
