/*
 * The meaning of one message, with which the planner works before it makes a plan.
 *
 * parse() reads a single message and knows nothing of the conversation; query_follow() (followup.h)
 * combines two meanings.
 */
#ifndef AGENTS_AVIATION_BUILTIN_QUERY_H
#define AGENTS_AVIATION_BUILTIN_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/builtin/reader.h"
#include "airports/countries.h"

struct rules_snapshot;
struct rules_request;

enum { QUERY_CODES = 12 };

/* A place as the pilot named it. */
struct place_mention {
	const char *text;         /* as typed, with its country ("Cambridge, UK"); NULL: none */
	bool code;                /* an airport's ident or IATA code */
	bool known;               /* the database has it */
	bool missing;             /* it is a code, and the database does not have it */
	bool point;               /* coordinates */
	const struct country *country;   /* it is a country's name; NULL: it is not */
};

/* One filter: not mentioned, set, or removed. */
struct want {
	enum { WANT_NOTHING, WANT_SET, WANT_LIFT } state;
	bool on;
	double number;
	const char *text;
};

struct query {
	const char *said;                     /* the message */
	/* its question about rules (rules_request.h); NULL: it has none */
	const struct rules_request *rules;
	const struct rules_snapshot *set;       /* the loaded rules, for replies; NULL: none */
	const struct wording *wording;        /* the language of replies; NULL: English */
	unsigned cues;                        /* enum cue bits */
	bool leads;                           /* begins like a continuation ("and", "what about") */
	bool noun;                            /* asks for airports, stops or places */
	bool along;                           /* along a route: on the way, en route */
	bool nearest;                         /* near, nearest: a place follows */
	/* seems to ask for the notice that the airport `subject` wants; without a subject, the last airport */
	bool notice;
	bool noticed;                         /* the notice of its airport was asked for before it */
	bool closest;                         /* the nearest one, however far it is */
	bool vague;                           /* `near` comes from a mere "in" */
	bool strange;                         /* how many words were not understood */
	bool empty;                           /* it has no word */
	struct place_mention from, to, near, subject;
	struct place_mention codes[QUERY_CODES];       /* several codes in a row: a list */
	size_t ncodes;
	const struct country *country;        /* the country filter, or the country searched */
	bool adjective;                       /* … given as "German" */
	const struct country *other;          /* a second country was named */
	struct want want[WISH__MAX];
	double distance_nm, results, notice_h, speed_kt;     /* NaN: not said */
	double other_nm;                      /* a distance that a later one replaced; NaN: there is none */
	double hours;                         /* a time without a meaning of its own; NaN: none */
	int large;                            /* 1 yes, 0 no, -1 not said */
	const struct query *search;           /* one airport: the search it was picked from, or NULL */
	enum lack lack;                       /* asked for, but nothing here can tell it */
	const char *day;                      /* the day that it names (day_mention.h); NULL: none */
	/* the days that it names, as the tool for notice takes them: "Sunday", "weekend"; NULL: none */
	const char *days;
	const char *clock;                    /* the time of day that it names, "14:00"; NULL: none */
	bool holiday;                         /* the day is a public holiday */
	bool cheapest;                        /* by landing fee, the lowest first */
	const char *unused;                   /* words that look like a wish and mean nothing here; NULL: none */
	/* where the hotel or restaurant must be; NULL: not said */
	const char *site;
	int ordinal;                          /* "the second one": 2; last: -1; 0: none */
	double bare;                          /* a number without a meaning of its own; NaN: none */
	enum wish limit;                      /* the limit set last, which a bare number changes; or WISH__MAX */
	enum unit unit;                       /* … and its unit */
};

/* The planner at work on one message. */
struct item {
	enum lex_class class;
	int value;
	const struct lex_row *row;
	size_t first, last;                   /* tokens */
	double number;                        /* LX_NUMBER */
	struct place_mention spot;                     /* LX_PLACE: a code or coordinates */
	bool used;                            /* is read completely and means nothing more */
};
struct reading {
	struct arena *mem;
	const struct lexicon *lexicon;
	struct aircon *con;                   /* NULL: no database at hand */
	struct effort *effort;
	/* q->near came from "in"; a place that is named more precisely replaces it */
	bool vague;
	bool flying;                          /* the words around are about airports */
	/* how many look-ups are left, which limits the work on a hostile text */
	int budget, countries, coords;
	struct lexed x;
	struct item *item;
	size_t n;
	struct query *q;
};

/* Parse a message. The result lives in the reader's arena. */
struct query *query_parse(const struct reader *rd, const char *text);

/* Does it set a filter? */
bool query_wants(const struct query *q);

/* A length in feet; without a unit it is guessed. */
double quantity_feet(double value, enum unit unit);

/* The passes of query_parse(), in their order. */
void read_items(struct reading *r);         /* items.c: words to meanings, codes, countries */
void read_quantities(struct reading *r);    /* quantities.c: numbers, units, comparisons */
void read_wishes(struct reading *r);        /* wishes.c: filters and their negations, cues */
/* "With fuel", "AVGAS please": the fuel that is named takes the place of any fuel. "With fuel but no AVGAS" wants both. */
void settle_fuel(struct query *q);
void read_places(struct reading *r);        /* place_roles.c: places and their roles */
void read_notice(struct reading *r);        /* notice_reading.c: the notice of one airport */
/* notice_reading.c: further airports of a question on notice, of which only one is looked up */
void read_notice_others(struct reading *r);
void read_unused(struct reading *r);        /* unused.c: wishes that were not understood */

/* For the passes: is item i a symbol (any of `set`; NULL: any symbol)? False beyond the end. */
bool item_mark(const struct reading *r, size_t i, const char *set);
bool item_is(const struct reading *r, size_t i, enum lex_class class, int value);
/* Folded text of the items first..last as one string with single blanks, hyphens kept. */
const char *item_fold(const struct reading *r, size_t first, size_t last);
/* Does the database know the code: an ident of any length, or an IATA code if `iata`? */
bool code_known(struct reading *r, const char *code, bool iata);
/* Does the database know the place (place_known())? */
bool name_known(struct reading *r, const char *folded);

#endif
