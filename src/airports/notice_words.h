/*
 * The words of conf/facts/notice_words.txt: what a word or phrase of a text about customs notice may
 * mean. One phrase may have several meanings; they are the bits of a set.
 */
#ifndef AIRPORTS_NOTICE_WORDS_H
#define AIRPORTS_NOTICE_WORDS_H

#include <stdint.h>

#include "airports/facts_tables.h"

/* Each meaning with its name in the file. */
#define NOTICE_WORDS(X) \
	X(DAY, "day") X(MONTH_OR_DAY, "month_or_day") X(WEEKDAYS, "weekdays") X(WEEKEND, "weekend") \
	X(HOLIDAY, "holiday") X(DAILY, "daily") X(MONTH, "month") \
	X(H24, "h24") X(REQUEST, "request") X(AD_HOURS, "ad_hours") X(BUSINESS_DAY, "business_day") \
	X(DAY_BEFORE, "day_before") X(NONE, "none") X(REFUSED, "refused") X(NO_NOTICE, "no_notice") \
	X(DEMAND, "demand") X(AGREED, "agreed") X(AHEAD, "ahead") X(LIMIT, "limit") X(ADVICE, "advice") \
	X(ASIDE, "aside") X(UNLESS, "unless") X(CLOCK, "clock") X(SAME_TIMES, "same_times") X(BESIDES, "besides") X(MOST, "most") X(PAST, "past") \
	X(HOURS, "unit_hours") X(MINUTES, "unit_minutes") X(DAYS, "unit_days") \
	X(WORKING_DAYS, "unit_working_days") X(NUMBER, "number") X(TIMES, "times") \
	X(SCHENGEN, "schengen") X(OUTSIDE, "outside") X(ONLY, "only") X(OTHER, "other") \
	X(REMAINING, "remaining") X(EXCEPT, "except") X(TO, "to") X(AND, "and") X(CONDITION, "condition") \
	X(CONTACT, "contact") X(ELSEWHERE, "elsewhere") X(SERVICE, "other_service") X(TOPIC, "topic") \
	X(IMMIGRATION, "immigration") X(CUSTOMS, "customs") X(AERODROME, "aerodrome") \
	X(OPERATING, "operating") X(AS, "as") X(SUBJECT, "subject") X(PRESENT, "present") \
	X(VIA, "via") X(SMALL, "small") X(UNDER, "under") X(PRIOR, "prior") X(LEAST, "least") X(BUT, "but") X(NO, "no") X(PRECEDING, "preceding") X(UNTIL, "until") X(NEEDLESS, "needless") X(ABBREVIATION, "abbreviation")

enum notice_word {
#define NOTICE_WORD_BIT(id, name) NOTICE_WORD_##id,
	NOTICE_WORDS(NOTICE_WORD_BIT)
#undef NOTICE_WORD_BIT
	NOTICE_WORD__MAX              /* at most 64 */
};
#define NW(id) (UINT64_C(1) << NOTICE_WORD_##id)

struct notice_phrase {
	const char *text;             /* folded; NULL: not a known phrase */
	uint64_t means;
	double value;
};

/* The phrase with this folded text; its text is NULL if there is none. Borrowed from the words. */
const struct notice_phrase *notice_phrase_find(const struct notice_words *w, const char *text);

enum { NOTICE_PHRASE_BYTES = 64 };

#endif
