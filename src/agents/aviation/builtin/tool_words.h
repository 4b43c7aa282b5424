/*
 * Lists of words by which tools of external servers and their arguments are found. They are rows of
 * conf/language/en/tool_words.txt, which says what each list is for.
 */
#ifndef AGENTS_AVIATION_BUILTIN_TOOL_WORDS_H
#define AGENTS_AVIATION_BUILTIN_TOOL_WORDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/errs.h"

/* The constant, and the name in the file. */
#define TOOL_WORDS(X) \
	X(IDLE, "tool_idle") \
	X(CODE, "argument_code") \
	X(PLACE, "argument_place") \
	X(QUESTION, "argument_question")

#define TOOL_WORDS_ENUM(constant, name) WORDS_##constant,
enum tool_words { TOOL_WORDS(TOOL_WORDS_ENUM) WORDS__MAX };

/* Is the folded word in the list? */
bool tool_word(enum tool_words list, const char *fold);

/* Read and check the file under data_dir, and use it in this process. Does nothing if one is in use already.
 * ERR_CONFIG: file, line and reason. */
enum errcode tool_words_open(const char *data_dir, struct err *e);

/* One file; everything lives in the arena. */
struct tool_word_lists;
enum errcode tool_words_read(struct tool_word_lists **out, struct arena *a, const char *path, struct err *e);

#endif
