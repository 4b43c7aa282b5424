/*
 * The words of conf/facts/notice_words.txt, and a text cut into tokens that have such meanings.
 */
#ifndef AIRPORTS_NOTICE_WORDS_H
#define AIRPORTS_NOTICE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* What a phrase may mean; one phrase may have several meanings. The names of the file's kinds are in
 * notice_words.c, in this order. */
enum notice_word {
	NW_DAY = 1 << 0,
	NW_MONTH_OR_DAY = 1 << 1,
	NW_WEEKDAYS = 1 << 2,
	NW_WEEKEND = 1 << 3,
	NW_HOLIDAY = 1 << 4,
	NW_DAILY = 1 << 5,
	NW_H24 = 1 << 6,
	NW_REQUEST = 1 << 7,
	NW_AD_HOURS = 1 << 8,
	NW_BUSINESS_DAY = 1 << 9,
	NW_DAY_BEFORE = 1 << 10,
	NW_NONE = 1 << 11,
	NW_DEMAND = 1 << 12,
	NW_AHEAD = 1 << 13,
	NW_LIMIT = 1 << 14,
	NW_ADVICE = 1 << 15,
	NW_ASIDE = 1 << 16,
	NW_HOURS = 1 << 17,
	NW_MINUTES = 1 << 18,
	NW_DAYS = 1 << 19,
	NW_WORKING_DAYS = 1 << 20,
	NW_NUMBER = 1 << 21,
	NW_SCHENGEN = 1 << 22,
	NW_OUTSIDE = 1 << 23,
	NW_WITHIN = 1 << 24,
	NW_ONLY = 1 << 25,
	NW_OTHER = 1 << 26,
	NW_EXCEPT = 1 << 27,
	NW_TO = 1 << 28,
	NW_AND = 1 << 29,
	NW_CONDITION = 1 << 30,
};
/* More meanings, in a word of their own. */
enum notice_subject {
	NS_CONTACT = 1 << 0,
	NS_IMMIGRATION = 1 << 1,
	NS_CUSTOMS = 1 << 2,
	NS_HANDLING = 1 << 3,
	NS_NO_NOTICE = 1 << 4,
	NS_ELSEWHERE = 1 << 5,
	NS_PAST = 1 << 6,
};

enum notice_token_kind {
	NT_WORD,                      /* `means` and `subject`, both 0 for an unknown word */
	NT_NUMBER,                    /* `value`; `digits` as written */
	NT_CLOCK,                     /* `value` is HHMM; four digits count as a number too */
	NT_MARK,                      /* `mark`: one of . , ; : ( ) - / + and \n */
};

struct notice_token {
	enum notice_token_kind kind;
	unsigned means, subject;
	char mark;
	int digits;
	double value;
	size_t start, end;            /* bytes of the text */
};

enum { NOTICE_TOKENS = 1500, NOTICE_TEXT = 8192 };

/*
 * Cut a text into tokens, at most NOTICE_TOKENS of at most its first NOTICE_TEXT bytes; *cut says
 * that there was more. Addresses, telephone numbers and other numbers that cannot be a time are
 * unknown words.
 */
struct notice_token *notice_tokens(struct arena *a, const char *text, size_t *n, bool *cut);

#endif
