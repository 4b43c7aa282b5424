/*
 * Looking at the tokens of a text from one place; every place may be looked at, also behind the last.
 */
#ifndef AIRPORTS_NOTICE_SCAN_H
#define AIRPORTS_NOTICE_SCAN_H

#include "airports/notice_tokens.h"

/* words for a time before a flight */
#define SCAN_UNITS (NW(HOURS) | NW(MINUTES) | NW(DAYS) | NW(WORKING_DAYS))

enum { SCAN_NEAR = 3, SCAN_PHRASE = 12 };         /* tokens: near each other, in the longest phrase */

struct notice_scan {
	const struct notice_token *t;
	size_t n;
	const char *text;
	bool lower;                   /* the text has no capital letters */
	bool demanded;                /* the sentence at work has a demand */
	size_t close;                 /* the end of the parentheses at work: no sentence ends before it */
};

static inline bool scan_means(const struct notice_scan *b, size_t i, uint64_t what)
{
	return i < b->n && notice_means(&b->t[i], what);
}

static inline bool scan_mark(const struct notice_scan *b, size_t i, const char *marks)
{
	return i < b->n && notice_mark(&b->t[i], marks);
}

static inline bool scan_number(const struct notice_scan *b, size_t i)
{
	return i < b->n && (b->t[i].kind == NT_NUMBER || scan_means(b, i, NW(NUMBER)));
}

static inline bool scan_clock(const struct notice_scan *b, size_t i)
{
	return i < b->n && b->t[i].kind == NT_CLOCK;
}

static inline bool scan_blank_before(const struct notice_scan *b, size_t i)
{
	return i == 0 || b->t[i].start > b->t[i - 1].end;
}

static inline bool scan_blank_after(const struct notice_scan *b, size_t i)
{
	return i + 1 >= b->n || b->t[i + 1].start > b->t[i].end;
}

/* Does a word of these kinds stand near i, with no mark between? */
static inline bool scan_near_before(const struct notice_scan *b, size_t i, uint64_t what)
{
	for (size_t k = 1; k <= SCAN_NEAR && k <= i && (b->t[i - k].kind == NT_WORD || scan_mark(b, i - k, "(")); k++)
		if (scan_means(b, i - k, what))
			return true;
	return false;
}

static inline bool scan_near_after(const struct notice_scan *b, size_t i, uint64_t what)
{
	for (size_t k = i; k < i + SCAN_NEAR && k < b->n && b->t[k].kind == NT_WORD; k++)
		if (scan_means(b, k, what))
			return true;
	return false;
}

#endif
