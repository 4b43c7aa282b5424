/*
 * Notice rules read from the text of a publication (AIP field 302, "Customs and immigration").
 *
 * The reader knows the abbreviations and phrases of conf/facts/notice_words.txt. It never makes up a
 * number: what it does not understand gives no rule, and the result says so. Its work is bounded for
 * any text.
 */
#ifndef AIRPORTS_NOTICE_RULES_H
#define AIRPORTS_NOTICE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/jsn.h"

enum notice_kind {
	NOTICE_UNKNOWN,
	NOTICE_H24,                   /* day and night, no notice */
	NOTICE_HOURS,                 /* so many hours; 0: without notice */
	NOTICE_BUSINESS_DAY,          /* on the last working day before */
	NOTICE_DAY_BEFORE,            /* on the day before */
	NOTICE_ON_REQUEST,
	NOTICE_AD_HOURS,              /* while the aerodrome is open */
	NOTICE_NOT_AVAILABLE,
	NOTICE_KIND__MAX
};
/* The word on the wire: "h24", "hours", "business_day", … */
const char *notice_kind_name(enum notice_kind k);
/* NOTICE_UNKNOWN for a word that is not known, and for NULL. */
enum notice_kind notice_kind_of(const char *name);

/* Days of the week: bit 0 is Monday. No bit: no day is named. */
struct notice_days {
	unsigned mask;
	bool holidays;
};
enum { NOTICE_ALL_DAYS = 0x7F, NOTICE_WEEKDAYS = 0x1F, NOTICE_WEEKEND = 0x60 };

/*
 * The days that a text names, in any of the usual forms: "Sunday", "sun", "Mon-Fri", "Mon–Thu",
 * "SAT, SUN and HOL", "weekdays", "every day". Other words beside them are skipped. Ranges may
 * wrap ("Sat-Mon").
 */
struct notice_days notice_days_of(const char *text);
/* "Mon-Fri", "Mon, Wed", "Sat-Sun/HOL"; "" for no day. */
const char *notice_days_text(struct arena *a, struct notice_days d);
/* "Monday"; day 0 to 6 */
const char *notice_day_name(unsigned day);

struct notice_rule {
	enum notice_kind kind;
	const char *about;            /* rule_type: "customs", "immigration", "handling" or "ppr" */
	double hours;                 /* NaN: none given */
	struct notice_days days;
	int from, to;                 /* HHMM: it holds for these times only; -1: for all */
	int before;                   /* HHMM: notice must be given before; -1: none */
	int working_days;             /* NOTICE_BUSINESS_DAY: how many before, 1 or more */
	bool schengen, non_schengen;  /* it holds for these flights only */
	bool obligatory;              /* false: only recommended */
	const char *raw;              /* the words of the text that say so */
	double confidence;
	bool by_model;                /* a language model read it (notice_model.h) */
};

/* Does it hold for every flight: is it for no special days, times or flights? */
bool notice_rule_for_all(const struct notice_rule *r);

/* What it wants, without its days and times: "24h notice", "on request", "last working day before 11:00". */
const char *notice_rule_text(struct arena *a, const struct notice_rule *r);

enum { NOTICE_RULES_MAX = 32 };
struct notice_reading {
	struct notice_rule *rule;
	size_t n;
	/* times at which customs is there, from a text that says no more; -1: none */
	int from, to;
	int complexity;               /* the original's count of signs that a text is difficult */
	const char *warning;          /* NULL: the text was read completely */
};

/* Read a text of any length; only its first 8 KiB are looked at. */
void notice_read(struct notice_reading *out, struct arena *a, const char *text);

/* In words: "weekdays: PPR 24h; weekends: PPR 48h". */
const char *notice_reading_summary(struct arena *a, const struct notice_reading *r);
/* {icao, rules: […], raw_text, source_std_field_id, parse_warnings: […], …} */
struct json_object *notice_reading_json(struct arena *a, const char *icao, const char *text,
    const struct notice_reading *r);

/* How much trouble the rules mean for a pilot: the original's levels and its score, 0 is none. */
struct notice_hassle {
	const char *level;            /* "none", "low", "moderate", "high", "very_high" */
	double score, max_hours;      /* max_hours NaN: none given */
	bool weekend, schengen;       /* has rules for weekends or holidays, for Schengen flights */
};
struct notice_hassle notice_hassle_of(const struct notice_reading *r);

#endif
