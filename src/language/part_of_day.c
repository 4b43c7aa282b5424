/*
 * "abends um acht", "three in the morning", "Saturday night at ten": which half of the day the words beside an hour
 * put it in.
 */
#include <string.h>

#include "base/str.h"
#include "language/quantity_private.h"

enum { NOON = 12, DAY = 24, NIGHT_ENDS = 6, LUNCH_BEGINS = 10, PHRASE = 3, BETWEEN = 2,
	WORD_BYTES = 40 };        /* a longer word is no day with its part */

static const char *const names[] = { [PART_AM] = "am", [PART_NOON] = "noon", [PART_PM] = "pm", [PART_NIGHT] = "night" };

static enum part_of_day named(const char *name)
{
	enum part_of_day part = PART_NIGHT;

	while (part != PART_NONE && !streq(name, names[part]))
		part--;
	return part;
}

/* "abends", and "Montagabend", which ends with it. The word itself must be known: "nach" is no "Nacht" without its end. */
static enum part_of_day of_word(const struct grammar *g, const char *word)
{
	const size_t n = strlen(word);
	enum part_of_day part = named(vocabulary_value(g->v, word, n, "part_of_day"));

	for (size_t k = 1; part == PART_NONE && k < n && n <= WORD_BYTES; k++)
		if (vocabulary_value(g->v, word, k, "day") != NULL)
			part = named(vocabulary_value(g->v, word + k, n - k, "part_of_day"));
	return part;
}

/* "Good morning, at five", "Evening, at nine": is the word the end of a greeting? One word greets only where a message begins. */
static bool greets(const struct grammar *g, size_t i)
{
	if (i == 0 && g->w->n > 1 && g->w->word[1].kind == WORD_SIGN && piece_at(g, 0, PIECE_HELLO) != NULL)
		return true;
	for (size_t k = i; k-- > 0 && i - k < PHRASE;) {
		const struct piece *hello = piece_at(g, k, PIECE_HELLO);
		if (hello != NULL && hello->last == i)
			return true;
	}
	return false;
}

/* Is word i "noon", or the end of "mid day"? */
static bool ends_noon(const struct grammar *g, size_t i)
{
	for (size_t k = i + 1; k-- > 0 && i - k < PHRASE;) {
		const struct piece *clock = piece_at(g, k, PIECE_CLOCK);
		if (clock != NULL && clock->last == i)
			return streq(clock->value, "12:00");
	}
	return false;
}

/* The part of the day that word i says; PART_NONE: none. */
static enum part_of_day said_at(const struct grammar *g, size_t i)
{
	if (i >= g->w->n || greets(g, i))
		return PART_NONE;
	if (ends_noon(g, i))
		return PART_NOON;
	return of_word(g, g->w->word[i].fold);
}

struct day_part part_at(const struct grammar *g, size_t i)
{
	static const enum piece_kind phrases[] = { PIECE_PM, PIECE_AM, PIECE_NIGHT, PIECE_CLOCK };
	struct day_part part = { said_at(g, i), i };

	for (size_t k = 0; part.is == PART_NONE && k < sizeof(phrases) / sizeof(phrases[0]); k++) {
		const struct piece *p = piece_at(g, i, phrases[k]);
		if (p != NULL)
			part = (struct day_part){ said_at(g, p->last), p->last };
	}
	return part;
}

/* May word i stand between an hour and its part of the day: "in the evening about six", "at eight on Saturday night"? */
static bool may_be_between(const struct grammar *g, size_t i, bool behind)
{
	if (behind)
		return piece_at(g, i, PIECE_AT_TIME) != NULL || piece_at(g, i, PIECE_DAY) != NULL;
	return piece_at(g, i, PIECE_AT_TIME) != NULL || piece_at(g, i, PIECE_ABOUT) != NULL ||
	    piece_at(g, i, PIECE_ALSO) != NULL || streq(g->w->word[i].fold, ",");
}

enum part_of_day part_before(const struct grammar *g, size_t first)
{
	for (size_t i = first; i-- > 0 && first - i <= BETWEEN + 1;) {
		const enum part_of_day part = said_at(g, i);
		if (part != PART_NONE || !may_be_between(g, i, false))
			return part;
	}
	return PART_NONE;
}

enum part_of_day part_behind(const struct grammar *g, size_t last)
{
	for (size_t i = last + 1; i < g->w->n && i <= last + 1 + BETWEEN; i++) {
		const struct day_part part = part_at(g, i);
		if (part.is != PART_NONE || !may_be_between(g, i, true))
			return part.is;
	}
	return PART_NONE;
}

int part_hour(enum part_of_day part, int hour)
{
	if (hour < 1 || hour > NOON)
		return hour;
	switch (part) {
	case PART_PM:
		return hour + (hour < NOON ? NOON : 0);
	case PART_NOON:
		return hour + (hour < LUNCH_BEGINS ? NOON : 0);
	case PART_NIGHT:
		return (hour + (hour >= NIGHT_ENDS ? NOON : 0)) % DAY;
	case PART_AM:
	case PART_NONE:
		break;
	}
	return hour;
}
