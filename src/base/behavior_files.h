/*
 * Where a behaviour config and the files it names are. For base/behavior.c.
 */
#ifndef BASE_BEHAVIOR_FILES_H
#define BASE_BEHAVIOR_FILES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/conf.h"

/* The config file <name>.json of an agent's folder; NULL: there is none. A file that exists but
 * cannot be read is returned too, because reading it gives the reason. */
const char *behavior_find_config(const struct conf *c, struct arena *a, const char *folder,
    const char *name);

enum behavior_files {
	BEHAVIOR_TEXTS,          /* prompts, examples, tool texts */
	BEHAVIOR_TEMPLATES,      /* suggestion templates */
};

/*
 * The file that a path in a config means: beside the config file first, then among the shipped
 * ones; an absolute path is itself. `config` NULL: the built-in values. Returns NULL when there
 * is no readable file, with *why: "PATH is in none of these folders: A, B", "PATH: Permission
 * denied". Arena memory.
 */
const char *behavior_find_file(const struct conf *c, struct arena *a, const char *config,
    enum behavior_files kind, const char *path, const char **why);

/* Does the file hold nothing but blanks? */
bool behavior_file_blank(const char *path);

#endif
