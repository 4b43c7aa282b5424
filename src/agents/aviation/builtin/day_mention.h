/*
 * The day, and the time of day, that a message names.
 */
#ifndef AGENTS_AVIATION_BUILTIN_DAY_MENTION_H
#define AGENTS_AVIATION_BUILTIN_DAY_MENTION_H

#include <stdbool.h>

#include "agents/aviation/builtin/lexer.h"

/* As day_parse() reads it: "tomorrow", "saturday", "2026-12-24"; it may not exist ("2026-02-30").
 * NULL: the message names no day. *first and *n: the tokens that name it. */
const char *day_mention(struct arena *a, const struct lexed *x, size_t *first, size_t *n);
/* Does it name Christmas Day or New Year's Day, or is `day` (as above, or NULL) one of them? */
bool holiday_mention(const struct lexed *x, const char *day);
/* All days that a text names, as the tool for notice takes them: "Saturday, Sunday", "weekend",
 * "tomorrow", a date, "holiday". `day` is what day_mention() found in it, `holiday` what
 * holiday_mention() did. NULL: it names none. */
const char *days_mention(struct arena *a, const char *text, const char *day, bool holiday);

/* "14:00" for "at 1400", "14:00", "2 pm", "at 14h"; NULL: the message names no time of day. *first and
 * *n: the tokens that name it. */
const char *clock_mention(struct arena *a, const struct lexed *x, size_t *first, size_t *n);

#endif
