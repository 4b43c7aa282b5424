/*
 * What tools and the agent say about an airport's notice.
 */
#ifndef TOOLS_NOTICE_RESULT_H
#define TOOLS_NOTICE_RESULT_H

#include "airports/notice.h"
#include "base/arena.h"
#include "base/jsn.h"

/* The days that somebody asked for: "Sunday", "sat", "weekends", "2026-11-29", "tomorrow" (UTC). No
 * day and no holiday: it is no day that exists. */
struct notice_days notice_asked_days(const char *text);

/* What holds on these days: the rules that name them, joined; NULL: none does. */
const char *notice_said_for(struct arena *a, const struct notice *n, struct notice_days days);

/* The hours, if one rule holds on all of these days and gives some; else NaN. */
double notice_hours_for(const struct notice *n, struct notice_days days);

/* The notice in one line: that of the days if one is said, else the summary, else the hours; "" if
 * nothing is known. */
const char *notice_line(struct arena *a, const struct notice *n, struct notice_days days);

#endif
