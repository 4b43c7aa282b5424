/*
 * Days of the Gregorian calendar.
 */
#ifndef AIRPORTS_DAY_H
#define AIRPORTS_DAY_H

#include <stdint.h>

#include "base/errs.h"

struct day { int year, month, day; };

/* Days since 1 January 1970, and back. */
int64_t day_number(struct day d);
struct day day_of_number(int64_t n);
struct day day_today(void);                       /* in UTC */

/*
 * Reads "2026-12-24", "today", "tonight", "tomorrow" or the name of a weekday, which is the next
 * such day, today included. ERR_INPUT with a sentence: the text is no date ("Christmas"), there is
 * no such day ("2026-02-30"), or the year is not from 1901 to 2099.
 */
enum errcode day_parse(const char *text, struct day today, struct day *out, struct err *e);
/* The last part of that: is there such a day? */
enum errcode day_check(struct day d, struct err *e);

enum { DAY_TEXT = 24 };
void day_iso(char out[DAY_TEXT], struct day d);   /* "2026-12-24" */
void day_said(char out[DAY_TEXT], struct day d);  /* "24 December 2026" */
/* The number of a month's name or of its first three letters, in small letters; 0: it is none. */
int day_month(const char *name);
const char *day_weekday(struct day d);            /* "thursday" */

#endif
