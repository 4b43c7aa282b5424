/*
 * Marked messages: what people wrote, and what it means, as GUIDE.md says. The programs that train and
 * measure the reader of language read them here, and tests do. The plans and labels are names; which
 * label fits which plan is checked by tests/language/check.
 */
#ifndef TESTS_LANGUAGE_MARKED_H
#define TESTS_LANGUAGE_MARKED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "language/reading.h"

enum { MARKED_TURNS = 8 };       /* messages of a dialogue, at most */

struct marked_message {
	const char *author;      /* of its file; the same pointer for all messages of that author */
	const char *language;    /* that the author writes: "en", "fr", "de" */
	const char *path;
	size_t line;
	size_t turn;             /* 0: a dialogue begins here, which is often the only message of it */
	const char *text;        /* without its marks */
	struct words *words;     /* of the text, read after the messages before it */
	/* What it means: plans and marks, with words, without evidence. Values that are in the words of a mark
	 * ("800m" of "at least 800 m") are only in `value` here. */
	struct reading gold;
	const char *value[READING_MARKS];     /* as written behind the "="; NULL: none */
	bool plan_only;          /* nobody has marked its words */
	bool held;               /* the head of the file has "talks:": the author held the talks with the program */
};

struct marked {
	size_t n;
	struct marked_message *message;       /* those of a dialogue follow each other */
	size_t nauthors;
	const char **author;
};

/*
 * Add the messages of a file; `m` begins as zero, and all of it is in the arena. ERR_CONFIG with file, line and reason if
 * a line is malformed, ERR_IO if the file cannot be read.
 */
enum errcode marked_read(struct marked *m, struct arena *a, const char *path, struct err *e);

/* The same for all files *.txt of a folder, in the order of their names. */
enum errcode marked_read_folder(struct marked *m, struct arena *a, const char *folder, struct err *e);

/* Add a message with one plan that begins a talk. Its words are not marked. The texts must live as long as `m`. */
void marked_add_plan(struct marked *m, struct arena *a, const char *author, const char *language, const char *text,
    const char *plan);

/* The reading of a message as frames take it: each mark has the value that was written. gold: m->gold or a copy. */
struct reading marked_with_values(const struct marked_message *m, const struct reading *gold);

/* The bytes of a text that a mark covers. */
struct marked_piece {
	size_t start, end;
};

/* Find the words of the marks of a message. SIZE_MAX: all were found; else the first mark that has none, or shares one with
 * the mark before. */
size_t marked_find(struct marked_message *m, const struct marked_piece *piece);

#endif
