/*
 * What the tokens of a text about notice say, piece by piece: days, times of day, flights, and what is
 * demanded.
 */
#ifndef AIRPORTS_NOTICE_ITEMS_H
#define AIRPORTS_NOTICE_ITEMS_H

#include "airports/notice_rules.h"
#include "airports/notice_tokens.h"

enum { NOTICE_TIMES = 4 };

enum notice_item_kind {
	NI_WORD,                      /* any other word: `means` */
	NI_DAYS,                      /* "MON-FRI" */
	NI_EXCEPT,                    /* "EXC SUN" */
	NI_TIMES,                     /* "0700-1200 and 1400-1900" */
	NI_AREA,                      /* "non-Schengen flights" */
	NI_OTHER,                     /* "outside these hours" */
	NI_DEMAND,                    /* "PN 24 HR", "O/R", "NIL" */
	NI_CLOCK,                     /* "1500" alone, or "before 1500" */
	NI_AND, NI_COMMA, NI_COLON, NI_OPEN, NI_CLOSE,
	NI_STOP,                      /* the end of a sentence */
};

struct notice_times {
	struct {
		int from, to;
	} at[NOTICE_TIMES];
	size_t n;
};

struct notice_demand {
	enum notice_kind kind;
	double hours;                 /* NaN: none */
	int working_days, before;     /* before: HHMM, -1 for none */
	const char *about;            /* "immigration"; NULL: not said */
	bool weak;                    /* "PPR" alone: on request, unless more is said elsewhere */
	bool advice;                  /* only recommended */
	bool sure;                    /* the words beside the number say that it is a notice */
	bool guessed;                 /* "PPR 24": the unit is not written */
	bool refused;                 /* "not available", which is said of something before it */
	bool no_notice;               /* "PN not required" */
};

struct notice_item {
	enum notice_item_kind kind;
	uint64_t means;               /* of all its tokens, except of NI_STOP */
	struct notice_days days;
	struct notice_times times;
	bool schengen, non_schengen;
	int clock;
	struct notice_demand demand;
	bool semicolon;               /* of NI_STOP: the sentence goes on in a way */
	size_t first, last;           /* tokens */
};

/* The items of a text, at most one a token, and an NI_STOP at the end. */
struct notice_item *notice_items(struct arena *a, const struct notice_token *t, size_t n,
    const char *text, size_t *nitems);

#endif
