/*
 * A text about notice, cut into tokens that have the meanings of notice_words.h.
 */
#ifndef AIRPORTS_NOTICE_TOKENS_H
#define AIRPORTS_NOTICE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "airports/notice_words.h"
#include "base/arena.h"

enum notice_token_kind {
	NT_WORD,                      /* `means`: 0 for an unknown word */
	NT_NUMBER,                    /* `value` */
	NT_CLOCK,                     /* `value` is HHMM */
	NT_MARK,                      /* `mark`: one of . , ; : ( ) - / + & and \n */
};

struct notice_token {
	enum notice_token_kind kind;
	uint64_t means;
	char mark;
	int digits;                   /* of a number, as written */
	double value;
	size_t start, end;            /* bytes of the text */
};

enum { NOTICE_TOKENS = 1500, NOTICE_TEXT = 8192 };

/*
 * Cut a text into tokens, at most NOTICE_TOKENS of at most its first NOTICE_TEXT bytes; *cut says
 * that there was more. Addresses, telephone numbers and other numbers that cannot be a time are
 * words.
 */
struct notice_token *notice_tokens(struct arena *a, const char *text, size_t *n, bool *cut);

static inline bool notice_means(const struct notice_token *t, uint64_t what)
{
	return t->kind == NT_WORD && (t->means & what) != 0;
}

static inline bool notice_mark(const struct notice_token *t, const char *marks)
{
	return t->kind == NT_MARK && strchr(marks, t->mark) != NULL;
}

#endif
