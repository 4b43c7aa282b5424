/*
 * Notice periods of airports: what a pilot must do before customs, immigration or the aerodrome is
 * there for a flight.
 *
 * They come from GA_NOTIFICATIONS_DB. An airport without a row there gets what can be read from the
 * text of its AIP entry (field 302) in AIRPORTS_DB. Both files are read on first use and again when
 * they are replaced.
 */
#ifndef AIRPORTS_NOTICE_H
#define AIRPORTS_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/fact_source.h"
#include "airports/filter.h"
#include "airports/notice_rules.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"
#include "base/jsn.h"

/* What holds on some days: a key of weekday_rules with its value. */
struct notice_day_rule {
	const char *key;              /* "Mon-Fri", as stored */
	struct notice_days days;      /* what the key means */
	const char *text;             /* "24h notice" */
	double hours;                 /* the hours in it; NaN: none */
	bool number;                  /* it is stored as a number */
};

enum notice_origin { NOTICE_FROM_DATABASE, NOTICE_FROM_AIP };

/* One row of the database, or one AIP text. Const, and valid as long as the source is taken. */
struct notice {
	const char *icao;
	enum notice_origin origin;
	const char *about;            /* rule_type: "customs", "immigration"; NULL: not known */
	const char *type;             /* notification_type as stored; NULL: not known */
	enum notice_kind kind;        /* the same as a kind */
	double hours;                 /* hours_notice, the most on any day; NaN: none */
	const char *opens, *closes;   /* "0800"; NULL: not known */
	const struct notice_day_rule *rule;
	size_t nrules;
	bool contact;                 /* contact_info was readable: phone and email may still be NULL */
	const char *phone, *email;
	bool schengen, non_schengen;
	const char *summary;          /* for people; "" if there is none */
	const char *raw;              /* the AIP text it was read from; NULL: not kept */
	double confidence;
	int64_t id;
	struct notice *next;          /* the airport's next row, in order of precedence; NULL: none */
};

/* The hours for a day (0 Monday to 6 Sunday): 0 for H24, NaN if none can be told. */
double notice_for_day(const struct notice *n, unsigned day);
/* What is said for a day; NULL: no rule names it. holiday: the rule for public holidays. */
const struct notice_day_rule *notice_rule_for_day(const struct notice *n, unsigned day);
const struct notice_day_rule *notice_rule_for_holidays(const struct notice *n);
/* What holds on the days at a time of day, HHMM; days without a bit: no day is named. */
struct notice_at {
	double hours;                 /* NaN: none can be told */
	const char *rule;             /* in words, in the arena; NULL: nothing is known of the time */
};
struct notice_at notice_at_time(struct arena *a, const struct notice *n, struct notice_days days, int clock);
/* What holds for a part of the day. */
struct notice_time {
	int from, to;                 /* HHMM; from -1: at all other times */
	double hours;                 /* NaN: none can be told */
	const char *text;             /* "24h notice" */
};
/* What holds on the days (days without a bit: on any day) at different times of day, in the arena. 0: the
 * same at all times, or nothing is known of them. */
size_t notice_times(struct arena *a, const struct notice *n, struct notice_days days,
    const struct notice_time **out);
/* The most on any day; NaN if none can be told. */
double notice_max(const struct notice *n);
/* How easy it is for a pilot, 0 to 100. */
double notice_easiness(const struct notice *n);
/* Is a flight possible with so many hours of notice? FIT_UNKNOWN: nothing tells. n may be NULL. */
enum filter_fit notice_fit(const struct notice *n, double max_hours);
/* Criteria that are not given: NaN, NULL, NaN. All given ones must hold. */
bool notice_matches(const struct notice *n, double max_hours, const char *type, double min_easiness);

/* Is it more than a text of the AIP in which no rule was found? */
bool notice_tells(const struct notice *n);

/* Fresh references. Summary: notification_type, hours_notice, summary (100 characters), easiness_score,
 * is_h24. Detail: all of one notice. */
struct json_object *notice_summary_json(const struct notice *n);
/* The first characters of a summary; three dots show that there are more. `s` itself if it is short. */
enum { NOTICE_SHORT = 100 };
struct short_summary {
	char text[4 * NOTICE_SHORT + 4];
};
const char *notice_shortened(struct short_summary *out, const char *s);
/* The summary with is_on_request too, as the member `name` of an airport in a list; null if n is NULL or does
 * not tell anything (notice_tells()). */
void notice_put(struct buf *b, const char *name, const struct notice *n);
struct json_object *notice_detail_json(const struct notice *n);
/* The summary without labels that have no value ("Hours:", a lone telephone sign); "" if nothing is
 * left. */
const char *notice_text(struct arena *a, const struct notice *n);

/* The customs text of one airport in an airport database; *text NULL: it has none. ERR_DATA. */
enum errcode notice_aip_text(const char *airports_db, const char *icao, struct arena *a,
    const char **text, struct err *e);

/* ---- the source ------------------------------------------------------------------- */

struct notices;

/* database: GA_NOTIFICATIONS_DB; airports: AIRPORTS_DB. NULL: there is none. Nothing is read yet. */
struct notices *notices_new(const char *database, const char *airports);
void notices_free(struct notices *n);              /* NULL is allowed */
/* Its records are struct notice; borrowed. */
const struct fact_source *notices_source(const struct notices *n);

/* The notice of one airport from what was taken; NULL: none is known. */
const struct notice *notice_find(const struct fact_view *v, const char *icao);

/* Every airport of which a notice is known, by ident; of those the first row. from_texts: with those that only
 * have an AIP text. Arena memory; the notices are valid as long as the view. */
size_t notices_all(const struct fact_view *v, struct arena *a, bool from_texts, const struct notice *const **out);
/* The rows of the database whose extraction failed; they are not among the notices. */
size_t notices_failed(const struct fact_view *v);

/* How the database stands, for health: without the AIP texts, which take longer to read. */
enum fact_state notices_state(struct notices *n, size_t *rows, size_t *airports);

/* For check. */
struct notices_status {
	enum fact_state state;        /* of the database */
	struct err why;               /* FACT_STALE, FACT_FAILED */
	/* rows and airports of the database, rows whose extraction failed, rows with a column that
	 * cannot be read; airports whose AIP text was read */
	size_t rows, airports, failed, broken, texts;
};
void notices_status(struct notices *n, struct notices_status *out);

#endif
