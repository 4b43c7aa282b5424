/*
 * Behaviour config: how an agent behaves, from a JSON file (conf/<agent>_agent/<name>.json).
 *
 * This is the reader. Each agent has a slice: rows that give, key by key, type, bounds, default and
 * documentation, and the struct that they fill. Unknown keys give a warning. Numbers and booleans
 * may be written as text.
 *
 * The file is the first of these that exists: PROJECT_ROOT/configs/<folder>/,
 * PROJECT_ROOT/conf/<folder>/, the shipped conf/<folder>/. A missing name falls back to "default"
 * with a warning; a missing default to the slice's own values.
 *
 * Relative paths in it are searched beside it first, then among the shipped files (the data folder,
 * and prompts/ there; for templates the folder above the config, then the shipped conf/).
 */
#ifndef BASE_BEHAVIOR_H
#define BASE_BEHAVIOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/errs.h"

struct buf;

enum behavior_kind {
	B_SECTION,                /* an object; its member is a bool: there and not null */
	B_BOOL, B_INT, B_NUMBER, B_TEXT,
	B_CHOICE,                 /* one of the texts in `choices` */
	/* a file; when it is missing: */
	B_FILE_NEEDED,            /* an error */
	B_FILE_OURS,              /* the shipped one, which is the default, and a warning */
	B_FILE_EXTRA,             /* none, and a warning */
	B_FILE_TEMPLATES,         /* an error if the config names it, else none */
	B_SWITCHES,               /* an object of names; its member is a struct behavior_switches */
	B_SWITCH,                 /* a member of it: a file or a truth value; not a row */
	B_RETIRED,                /* of the original, without effect there and here */
};
enum { B_REQUIRED = 1, B_NULLABLE = 2 };

/* The setting for a thing that a site names, such as a tool. */
struct behavior_switch {
	const char *name;
	const char *path;         /* a text about it, resolved; NULL: the built-in one */
	bool on;
};
struct behavior_switches {
	struct behavior_switch *list;
	size_t n;
};

struct behavior_row {
	const char *key;          /* "rag.retrieval.top_k"; a section stands before its keys */
	enum behavior_kind kind;
	unsigned flags;
	size_t offset;            /* in the agent's struct, or B_UNKEPT */
	const char *def;          /* as text; NULL: null */
	double min, max;          /* B_INT, B_NUMBER */
	const char *choices;      /* "a|b" */
	const char *doc;
};

#define B_UNKEPT SIZE_MAX

/* One agent's part of the behaviour config. */
struct behavior_slice {
	const char *folder;       /* of its files: "aviation_agent" */
	const struct behavior_row *rows;
	size_t nrows;
	size_t size;              /* of its struct */
	/* the member that gets the name of the file read; NULL: there is none */
	size_t file;
	const char *builtin;      /* JSON text that is read if there is no file at all */
	/* Called after the rows: settings of the environment that change values, and keys that
	 * depend on each other. `file` is for messages. NULL: there is nothing to do. */
	enum errcode (*settle)(void *values, const struct conf *c, const char *file, struct err *e);
};

/*
 * Find, read and check the file, and fill the agent's struct. ERR_CONFIG names file, key and reason
 * (a line, if it is not JSON); ERR_IO: it cannot be read. Strings live in the arena or are those of
 * `c`.
 */
enum errcode behavior_read(void *values, const struct behavior_slice *s, const struct conf *c,
    struct arena *a, struct err *e);
/* Every key with its documentation, bounds, default and present value. */
void behavior_print(const void *values, const struct behavior_slice *s, struct buf *out);

#endif
