/*
 * Reads the rows of the planner's two vocabularies from conf/language. Everything lives in the arena.
 */
#ifndef AGENTS_AVIATION_BUILTIN_LEXICON_READ_H
#define AGENTS_AVIATION_BUILTIN_LEXICON_READ_H

#include "agents/aviation/builtin/lexicon.h"
#include "base/errs.h"

struct lex_rows {
	struct lex_row *row;
	size_t n;
};

/* ERR_CONFIG: file, line and reason. */
enum errcode lexicon_read_airports(struct lex_rows *out, struct arena *a, const char *path,
    struct err *e);
enum errcode lexicon_read_rules(struct lex_rows *out, struct arena *a, const char *path,
    struct err *e);

#endif
