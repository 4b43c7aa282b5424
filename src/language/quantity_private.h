/*
 * What the grammars of numbers (quantity.c) and of times and dates (clock.c) share: the pieces that the
 * vocabulary found, by their first words.
 */
#ifndef LANGUAGE_QUANTITY_PRIVATE_H
#define LANGUAGE_QUANTITY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/quantity.h"

enum piece_kind {
	PIECE_ABOUT, PIECE_ALSO, PIECE_AM, PIECE_AT_TIME, PIECE_BOUND_MAX, PIECE_BOUND_MIN, PIECE_CLOCK, PIECE_DATE,
	PIECE_DATE_OF, PIECE_DAY, PIECE_FRACTION, PIECE_FROM, PIECE_HALF_PAST, PIECE_HALF_TO, PIECE_HELLO, PIECE_HOURS,
	PIECE_MINUTES_PAST, PIECE_MINUTES_TO, PIECE_MONTH, PIECE_NIGHT, PIECE_NUMBER, PIECE_NUMBER_AND, PIECE_NUMBER_OR,
	PIECE_NUMBER_WORD, PIECE_OCLOCK, PIECE_ORDINAL, PIECE_ORDINAL_ENDING, PIECE_PM, PIECE_QUANTITY,
	PIECE_QUARTER_PAST, PIECE_QUARTER_TO, PIECE_QUARTER_TOWARDS, PIECE_SCALE, PIECE_UNIT, PIECE_UNTIL, PIECE__MAX
};

struct piece {
	enum piece_kind kind;
	size_t last;
	const char *value;
	uint32_t next;                /* another one that begins with the same word; 0: none */
};

struct number {
	double value;
	size_t first, last;
	bool digits;                  /* "8", not "eight" */
	/* The same without its last scale, which may be a unit ("50 k"), and where that ends; 0: it has none. */
	double unscaled;
	size_t unscaled_last;
};

struct grammar {
	const struct vocabulary *v;
	const struct words *w;
	struct evidences *out;
	struct piece *piece;          /* from 1 */
	uint32_t *first;              /* of each word */
};

/* The longest piece of this kind that begins with word i; NULL: none, or there is no such word. */
const struct piece *piece_at(const struct grammar *g, size_t i, enum piece_kind kind);
double piece_number(const struct piece *p);
/* The word after `last`; a hyphen between is passed over. */
size_t grammar_next(const struct grammar *g, size_t last);
/* The number that begins with word i, in digits or words. */
bool number_read(const struct grammar *g, size_t i, struct number *x);
/* A whole number from least to most? */
bool number_whole(const struct number *x, int least, int most);
/* The minutes of an hour in words: "thirty" of "eleven thirty". Nobody says "eleven twelve". */
bool number_is_minutes(const struct number *x);

enum part_of_day { PART_NONE, PART_AM, PART_NOON, PART_PM, PART_NIGHT };

struct day_part {
	enum part_of_day is;
	size_t last;
};

/* The part of the day that begins with word i ("in the evening", "nachts", "tonight"); PART_NONE: none does. */
struct day_part part_at(const struct grammar *g, size_t i);
/* The part of the day that is said before or behind the words of a time. */
enum part_of_day part_before(const struct grammar *g, size_t first);
enum part_of_day part_behind(const struct grammar *g, size_t last);
/* "Eight" in that part of the day is 20; an hour of more than 12 stays. */
int part_hour(enum part_of_day part, int hour);

/* All times and dates that begin with word i; `x`: the number that begins there, NULL: none. */
void clock_find(const struct grammar *g, size_t i, const struct number *x);

#endif
