/*
 * Fuel from the text of AIP field 402, which is written by people for people:
 *
 *   "JET A1, AVGAS 100LL / NIL"        both: the NIL is about oil
 *   "AVGAS: NIL. JET A-1 H24"          no AVGAS
 *   "No AVGAS or Jet A1"               neither
 *   "AVGAS not available on Sundays"   AVGAS
 *
 * The text is cut into words and marks. Every mention of the fuel is looked at: what follows
 * it, over grades and fuels joined to it ("AVGAS 100LL and JET A1: NIL"), then what stands
 * before it. One mention that is not denied is enough; a text that mentions the fuel nowhere
 * says that it is not there. When in doubt the answer is no: nobody should fly to an empty pump.
 */
#include "airports/airport.h"

#include <stddef.h>
#include <string.h>

#include "base/str.h"

enum { WORD_MAX = 16, WORDS_MAX = 512 };

struct fuel_words {
	size_t n;
	/* capitals; a mark is a word of one character; longer words are cut */
	char w[WORDS_MAX][WORD_MAX];
};

static bool among(const char *w, const char *const *list)
{
	for (; *list != NULL; list++)
		if (streq(w, *list))
			return true;
	return false;
}

static bool is_word(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static void split(struct fuel_words *t, const char *s)
{
	t->n = 0;
	while (*s != '\0' && t->n < WORDS_MAX) {
		char *w = t->w[t->n];
		size_t n = 0;

		if (is_word(ascii_upper(*s))) {
			for (; is_word(ascii_upper(*s)); s++)
				if (n < WORD_MAX - 1)
					w[n++] = ascii_upper(*s);
		} else {
			if (*s > ' ')
				w[n++] = *s;
			s++;
		}
		w[n] = '\0';
		t->n += n > 0;
	}
}

static const char *word(const struct fuel_words *t, size_t i)
{
	return i < t->n ? t->w[i] : "";
}

/* How many words at i name the fuel; 0: none. */
typedef size_t mention_fn(const struct fuel_words *t, size_t i);

static size_t avgas_at(const struct fuel_words *t, size_t i)
{
	const char *w = word(t, i);

	if (starts_with(w, "AVGAS") || starts_with(w, "100LL"))
		return 1;
	if (!streq(w, "100"))
		return 0;
	if (streq(word(t, i + 1), "LL"))
		return 2;
	return streq(word(t, i + 1), "-") && streq(word(t, i + 2), "LL") ? 3 : 0;
}

static size_t jeta_at(const struct fuel_words *t, size_t i)
{
	static const char *const whole[] = {
		"JETA1", "JETA", "AVTUR", "KEROSENE", NULL
	};
	static const char *const second[] = { "A", "A1", "FUEL", NULL };
	const char *w = word(t, i);
	size_t n = 1;

	if (among(w, whole))
		n = 1;
	else if (streq(w, "JET") && among(word(t, i + 1), second))
		n = 2;
	else if (streq(w, "JET") && streq(word(t, i + 1), "-") && among(word(t, i + 2), second))
		n = 3;
	else
		return 0;
	if (streq(word(t, i + n), "-") && streq(word(t, i + n + 1), "1"))
		n += 2;
	else if (streq(word(t, i + n), "1"))
		n++;
	return n;
}

static size_t fuel_at(const struct fuel_words *t, size_t i)
{
	size_t n = avgas_at(t, i);

	return n > 0 ? n : jeta_at(t, i);
}

/* Words that may be between a fuel and what is said about it. */
static const char *const fillers[] = {
	":", "-", "=", "(", ")", "IS", "ARE", "CURRENTLY", "TEMPORARILY", "TEMPO", "FUEL", "FUELS",
	"UL91", "UL94", "91", "94", "96", "UL", "LL", "100", NULL
};
static const char *const joins[] = { "AND", "OR", "NOR", "&", "/", "+", NULL };
static const char *const denials[] = {
	"NIL", "NONE", "NO", "NOT", "UNAVAILABLE", "UNAVBL", "WITHDRAWN", "UNSERVICEABLE", NULL
};
/* After a denial these words limit it: "not available on Sundays" means available. */
static const char *const said_again[] = {
	"AVAILABLE", "AVBL", "AVAIL", "AVLB", "PROVIDED", "SOLD", "SUPPLIED", NULL
};
static const char *const limits[] = {
	"ON", "DURING", "BTN", "BETWEEN", "OUTSIDE", "OUT", "EXC", "EXCEPT", "AFTER", "BEFORE",
	"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN", "HOL", "WEEKENDS", "WEEKEND", "SELF",
	"UNLESS", "WITHOUT", NULL
};

static bool denied_after(const struct fuel_words *t, size_t i)
{
	for (;;) {
		size_t n = fuel_at(t, i);

		if (n > 0)
			i += n;
		else if (among(word(t, i), fillers))
			i++;
		else if (among(word(t, i), joins) && fuel_at(t, i + 1) > 0)
			i++;
		else
			break;
	}
	if (streq(word(t, i), "U") && streq(word(t, i + 1), "/") && streq(word(t, i + 2), "S"))
		return true;
	if (streq(word(t, i), "N") && streq(word(t, i + 1), "/") && streq(word(t, i + 2), "A"))
		return true;
	if (!among(word(t, i), denials))
		return false;
	/* "NO" that belongs to the next item: "AVGAS 100LL - NO JET A1"; after a colon it belongs
	 * to the fuel before */
	if (streq(word(t, i), "NO") && fuel_at(t, i + 1) > 0 && !streq(t->w[i - 1], ":"))
		return false;
	for (i++; among(word(t, i), said_again); i++)
		;
	return !among(word(t, i), limits);
}

static bool denied_before(const struct fuel_words *t, size_t i)
{
	static const char *const before[] = { "NO", "WITHOUT", "NEITHER", NULL };
	size_t at = i;

	while (at > 0) {
		size_t back = at - 1;

		if (among(t->w[back], before))
			/* "JET A1: NO AVGAS 100LL" could be read either way; after a colon "no"
			 * belongs to the fuel before */
			return back == 0 || !streq(t->w[back - 1], ":");
		/* across "AVGAS or" to the "no" that denies both */
		if (streq(t->w[back], "OR") || streq(t->w[back], "NOR")) {
			size_t first = back;

			while (first > 0 && back - first < 4 && fuel_at(t, first) == 0)
				first--;
			if (fuel_at(t, first) == 0)
				return false;
			while (first > 0 && fuel_at(t, first - 1) > 0)
				first--;
			at = first;
			continue;
		}
		if (fuel_at(t, back) > 0 || streq(t->w[back], "FUEL"))
			at = back;      /* "no AVGAS 100LL": the second name of one fuel */
		else
			return false;
	}
	return false;
}

static enum tri fuel(const char *value, mention_fn *at)
{
	struct fuel_words t;

	if (value == NULL || str_trim(str_of(value)).n == 0)
		return TRI_UNKNOWN;
	split(&t, value);
	for (size_t i = 0; i < t.n;) {
		size_t n = at(&t, i);

		if (n > 0 && !denied_after(&t, i + n) && !denied_before(&t, i))
			return TRI_YES;
		i += n > 0 ? n : 1;
	}
	return TRI_NO;
}

enum tri fuel_avgas(const char *value)
{
	return fuel(value, avgas_at);
}

enum tri fuel_jeta(const char *value)
{
	return fuel(value, jeta_at);
}
