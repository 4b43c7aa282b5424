/*
 * The schema of the behaviour config: a row a key. For base/behavior.c and its tests.
 */
#ifndef BASE_BEHAVIOR_ROWS_H
#define BASE_BEHAVIOR_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/behavior.h"

enum behavior_kind {
	B_SECTION,                /* an object; its member is a bool: there and not null */
	B_BOOL, B_INT, B_NUMBER, B_TEXT,
	B_CHOICE,                 /* one of the texts in `choices` */
	/* a file; when it is missing: */
	B_FILE_NEEDED,            /* an error */
	B_FILE_OURS,              /* the shipped one, which is the default, and a warning */
	B_FILE_EXTRA,             /* none, and a warning */
	B_FILE_TEMPLATES,         /* an error if the config names it, else none */
	B_TOOLS,                  /* an object: what is said of tools, by name */
	B_TOOL,                   /* a member of it: a file or a truth value; not a row */
	B_RETIRED,                /* of the original, without effect there and here */
};
enum { B_REQUIRED = 1, B_NULLABLE = 2 };

struct behavior_row {
	const char *key;          /* "rag.retrieval.top_k"; a section stands before its keys */
	enum behavior_kind kind;
	unsigned flags;
	size_t offset;            /* in struct behavior, or B_UNKEPT */
	const char *def;          /* as text; NULL: null */
	double min, max;          /* B_INT, B_NUMBER */
	const char *choices;      /* "a|b" */
	const char *doc;
};

#define B_UNKEPT SIZE_MAX

extern const struct behavior_row behavior_rows[];
extern const size_t behavior_nrows;

#endif
