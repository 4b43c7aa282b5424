/*
 * The planner's vocabulary: words and phrases, each with one meaning. They are rows of the files in
 * conf/language. To add a new way of saying something, add it there; to add a new kind of meaning,
 * add a class here and its name in lexicon_read.c.
 */
#ifndef AGENTS_AVIATION_BUILTIN_LEXICON_H
#define AGENTS_AVIATION_BUILTIN_LEXICON_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/builtin/lexer.h"
#include "base/errs.h"

enum lex_class {
	LX_NONE,        /* a word the lexicon does not know */
	LX_FILLER,      /* means nothing and may be anywhere ("please", "the") */
	LX_BREAK,       /* means nothing but ends a place name ("which", "is") */
	LX_AND, LX_OR,
	LX_NOT,         /* value: enum lex_not */
	LX_ROLE,        /* the role of the next place; value: enum role */
	LX_WISH,        /* a filter; value: enum wish, on: its sense, text: for hotel and restaurant */
	LX_COMPARE,     /* value: enum compare */
	LX_DIM,         /* the quantity that a number measures; value: enum dim */
	LX_UNIT,        /* value: enum unit */
	LX_NUMBER,      /* value */
	LX_ORDINAL,     /* value: 1 for "first", -1 for "last" */
	LX_NOUN,        /* the thing that is looked for: airports, places, stops */
	LX_SITE,        /* value 1: at the airport, 0: in its vicinity */
	LX_LARGE,       /* large airports */
	LX_CUE,         /* what the pilot wants; value: one bit of enum cue */
	LX_LACK,        /* what the data or the tools cannot tell; value: enum lack */
	LX_COUNTRY,     /* value: index of country_at(); made by the parser, no row */
	LX_PLACE,       /* made by the parser, no row */
	LX__MAX
};

/* "without" negates, "no need for" removes a filter, "not needed" removes the filter before it. */
enum lex_not { NOT_NEGATE, NOT_WAIVE, NOT_WAIVE_BEFORE };

enum role { ROLE_NONE, ROLE_FROM, ROLE_TO, ROLE_NEAR, ROLE_AT, ROLE_IN, ROLE_BETWEEN, ROLE_ALONG,
	ROLE_VIA, ROLE_OF, ROLE_FOR };

enum wish { WISH_COUNTRY, WISH_AVGAS, WISH_JET, WISH_FUEL, WISH_CUSTOMS, WISH_IFR, WISH_HARD, WISH_MIN,
	WISH_MAX, WISH_FEE, WISH_HOTEL, WISH_RESTAURANT, WISH_CURRENCY, WISH_AIRCRAFT, WISH__MAX };

enum compare { CMP_NONE, CMP_MIN, CMP_MAX, CMP_WITHIN, CMP_ABOUT, CMP_TOP,
	CMP_SHOW /* "show me 5", which asks for airports without a number, too */,
	CMP_MIN_AFTER, CMP_MAX_AFTER /* "800 m or more": after the number only */ };

/* Something that nothing here can tell: an order by size, fuels that nobody records, … */
enum lack { LACK_NONE, LACK_RANK, LACK_FUEL,
	LACK_COORDS /* coordinates off the globe */,
	LACK_PICK /* "the ninth" of a list of five */,
	LACK_WHICH /* "the runway there", of a list of several */,
	LACK_SENSE /* a follow-up of which nothing was understood */ };

enum dim { DIM_NONE, DIM_RUNWAY, DIM_DISTANCE, DIM_FEE, DIM_NOTICE, DIM_COUNT, DIM_HEIGHT, DIM_SPEED, DIM_WEIGHT };

enum unit { UNIT_NONE, UNIT_FT, UNIT_M, UNIT_KM, UNIT_NM, UNIT_MI, UNIT_HOURS, UNIT_DAYS,
	UNIT_MONEY, UNIT_THOUSAND, UNIT_KT, UNIT_KMH, UNIT_MPH,
	UNIT_KG, UNIT_TONNE, UNIT_LB };

/* Bits. */
enum cue {
	CUE_SHOW     = 1 << 0,    /* find, list, where can I land: airports are wanted */
	CUE_LOOKUP   = 1 << 1,    /* search for, called: a name follows */
	CUE_TELL     = 1 << 2,    /* tell me about: one airport is wanted */
	CUE_ASPECT   = 1 << 3,    /* runway, elevation: a fact about one airport */
	CUE_ASK      = 1 << 4,    /* does, has, is there: a question about one airport */
	CUE_FOLLOW   = 1 << 5,    /* what about, only, instead: continues the last question */
	CUE_THERE    = 1 << 6,    /* there, it, that airport: a place named before */
	CUE_MORE     = 1 << 7,
	CUE_BACK     = 1 << 8,    /* the way back */
	CUE_NOTIFY   = 1 << 9,
	CUE_RULES    = 1 << 10,  /* words of rules, which name no place; rules_reading.h understands them */
	CUE_COUNT    = 1 << 11,  /* how many airports, statistics */
	CUE_URGENT   = 1 << 12,   /* emergency: the pilot may be in one … */
	CUE_MAYDAY   = 1 << 25,   /* … or says so */
	CUE_WEATHER  = 1 << 13,
	CUE_NOTAM    = 1 << 14,
	CUE_FILE     = 1 << 15,   /* file a plan, book a room: the pilot wants us to act */
	CUE_HELLO    = 1 << 16,
	CUE_THANKS   = 1 << 17,
	CUE_WHO      = 1 << 18,   /* who are you, help */
	CUE_INJECT   = 1 << 19,
	CUE_HERE     = 1 << 20,   /* near me: a position that we do not know */
	CUE_TRAVEL   = 1 << 21,   /* flying, trip: two bare places are a route */
	CUE_FRESH    = 1 << 22,   /* new search, start over */
	CUE_CODE     = 1 << 23,   /* the ICAO code of */
	CUE_ABOUT    = 1 << 24,   /* what about: the next place gets the role of the last one */
	CUE_INSTEAD  = 1 << 28,
	CUE_OTHER    = 1 << 27,   /* plainly about something else: translate, a joke */
	CUE_CORRECT  = 1 << 29,   /* I meant: changes what it names and keeps the rest */
	CUE_CHEAPEST = 1 << 30,   /* the lowest landing fee first */
	CUE_WHERE    = 1 << 26,   /* where can I: asks for airports without that word */
};

struct country;

struct lex_row {
	const char *phrase;       /* folded words, one blank between; the last may carry a plural s */
	enum lex_class class;
	int value;
	bool on;                  /* LX_WISH */
	const char *text;         /* LX_WISH of an enum; LX_UNIT of money: its currency */
};

/* The filter that each wish sets, and what it takes. */
struct wish_filter {
	const char *name;             /* as in airports/filter.h */
	enum { WISH_FLAG, WISH_NUMBER, WISH_TEXT, WISH_SITE /* "vicinity" or "at_airport" */ } as;
};
extern const struct wish_filter wish_filters[WISH__MAX];

/* A vocabulary. Rows and words are found by their first letters. */
struct lex_word {
	const char *text;
	size_t n;
	short next;
};
struct lexicon {
	const struct lex_row *rows;
	short head[128], *next;               /* rows by their first letter … */
	short pair[1024], *pair_next;         /* … and by their first two */
	struct lex_word *words;               /* of all phrases, each once, in their order */
	short word[128];                      /* by their first letter */
};
void lexicon_init(struct lexicon *l, struct arena *a, const struct lex_row *rows, size_t n);

/* Read and check the vocabularies under data_dir/conf/language, once a process and before its first
 * thread; they stay until it ends. ERR_CONFIG: file, line and reason. */
enum errcode lexicon_open(const char *data_dir, struct err *e);

/* The two vocabularies of the planner; a look-up before lexicon_open() is a bug and aborts. */
const struct lexicon *lexicon_of_airports(void);
const struct lexicon *lexicon_of_rules(void);

/*
 * The longest row (of class `want`; LX_NONE: any class) that matches the tokens from `i` on; NULL
 * if there is none. *used is how many tokens it covers; hyphens between its words do not matter.
 */
const struct lex_row *lexicon_match(const struct lexicon *l, const struct lexed *x, size_t i,
    enum lex_class want, size_t *used);
/* The row of a single word that `fold` most likely misspells; NULL if none is near enough. */
const struct lex_row *lexicon_guess(const struct lexicon *l, const char *fold);
/* The first long word of any phrase that `fold` misspells; NULL if none is near enough. */
const char *lexicon_word(const struct lexicon *l, const char *fold);
/* Is `a` one typing error away from `b` (one letter more, less or different, or two swapped)? */
bool lexicon_slip(const char *a, const char *b);
/* The first country whose name `fold` misspells; NULL: there is none. Only countries for which
 * fits() returns true count; without fits() all do. */
typedef bool country_fn(const void *arg, const struct country *c);
const struct country *lexicon_country(const char *fold, country_fn *fits, const void *arg);

#endif
