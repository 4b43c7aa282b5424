/*
 * Lists of words that only one place in the reader asks for: "in", "of" and the like inside names.
 * They are rows of conf/language/en/word_lists.txt, which says what each list is for.
 */
#ifndef AGENTS_AVIATION_BUILTIN_WORD_LISTS_H
#define AGENTS_AVIATION_BUILTIN_WORD_LISTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/errs.h"

/* The constant, and the name in the file. */
#define WORD_LISTS(X) \
	X(DOTTED, "dotted") \
	X(CONTRACTS, "contracts") \
	X(OPENS, "opens") \
	X(JOINS_CLAUSES, "joins_clauses") \
	X(INTRODUCES, "introduces") \
	X(SEVERAL, "several") \
	X(JOINS_ASKS, "joins_asks") \
	X(BEGINS_ASK, "begins_ask") \
	X(AND, "and") \
	X(OF_LANGUAGE, "of_language") \
	X(BEFORE_LANGUAGE, "before_language") \
	X(AFTER_LANGUAGE, "after_language") \
	X(BESIDE_LANGUAGE, "beside_language") \
	X(OF_ENGLAND, "of_england") \
	X(OF_PILOT, "of_pilot") \
	X(CODE_OR_WORD, "code_or_word") \
	X(BEFORE_COUNTRY, "before_country") \
	X(JOINS_COUNTRIES, "joins_countries") \
	X(AFTER_COUNTRY, "after_country") \
	X(INSIDE_NAMES, "inside_names") \
	X(AFTER_NAMES, "after_names") \
	X(TIES, "ties") \
	X(ENDS_PHRASE, "ends_phrase") \
	X(ASKS_TARGET, "asks_target") \
	X(WHERE_TARGET, "where_target") \
	X(TARGET, "target") \
	X(COMMON, "common") \
	X(DAY_ENDINGS, "day_endings") \
	X(BEFORE_CLOCKS, "before_clocks") \
	X(NO_WISH, "no_wish") \
	X(DAYS, "days") \
	X(HOLIDAYS, "holidays") \
	X(HOLIDAY_BEGINS, "holiday_begins") \
	X(HOLIDAY_ENDS, "holiday_ends") \
	X(HOLIDAY_EVES, "holiday_eves") \
	X(NOON, "noon") \
	X(TOOL_IDLE, "tool_idle") \
	X(ARGUMENT_CODE, "argument_code") \
	X(ARGUMENT_PLACE, "argument_place") \
	X(ARGUMENT_QUESTION, "argument_question")

#define WORD_LIST_ENUM(constant, name) LIST_##constant,
enum word_list { WORD_LISTS(WORD_LIST_ENUM) LIST__MAX };

/* Is the folded word in the list? */
bool word_listed(enum word_list list, const char *fold);

/* Read and check the file, for word_listed(); everything lives in the arena. ERR_CONFIG: file, line
 * and reason. */
struct word_lists;
enum errcode word_lists_read(struct word_lists **out, struct arena *a, const char *path,
    struct err *e);
void word_lists_use(const struct word_lists *lists);

#endif
