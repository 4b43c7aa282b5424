/*
 * The original service counts signs that a text is difficult; with three or more it would have asked
 * a language model. The count stands in the warning, so that a person knows which readings to check.
 */
#include "airports/notice_judge.h"

#include <string.h>

#include "base/str.h"

enum { LONG_TEXT = 300, SIMPLE_TEXT = 100, MANY_DAYS = 4, DAYS_ON_A_LINE = 3, DIFFICULT = 3 };

static bool says(const struct notice_token *t, const char *text, const char *words)
{
	char word[16];
	size_t n = t->end - t->start;

	if (t->kind != NT_WORD || n >= sizeof(word))
		return false;
	for (size_t i = 0; i < n; i++)
		word[i] = ascii_lower(text[t->start + i]);
	word[n] = '\0';
	return one_of(word, words);
}

static int complexity(const char *text, const struct notice_token *t, size_t n)
{
	bool line = false, schengen = false, none = false, clock = false, opening = false;
	bool condition = false;
	unsigned days = 0;
	int on_line = 0, distinct = 0;

	for (size_t i = 0; i < n; i++) {
		const struct notice_token *next = i + 1 < n ? &t[i + 1] : &t[i];

		on_line = t[i].kind == NT_MARK && t[i].mark == '\n' ? 0 : on_line + notice_means(&t[i], NW(DAY));
		line |= on_line >= DAYS_ON_A_LINE;
		if (notice_means(&t[i], NW(DAY)))
			days |= 1U << (int)t[i].value;
		schengen |= notice_means(&t[i], NW(SCHENGEN));
		none |= notice_means(&t[i], NW(NONE) | NW(REFUSED));
		clock |= notice_means(&t[i], NW(LIMIT)) && next->kind == NT_CLOCK;
		opening |= says(&t[i], text, "opening|closing") && notice_means(next, NW(HOURS));
		condition |= says(&t[i], text, "if|when|during|except|unless|provided");
	}
	for (; days != 0; days &= days - 1)
		distinct++;
	return line + schengen + none + clock + opening + condition + (distinct >= MANY_DAYS) +
	    (utf8_count(text, strlen(text)) > LONG_TEXT);
}

/* One rule that is sure, in a short text: nothing else can be hidden in it. */
static bool is_plain(const struct notice_reading *r, const char *text)
{
	enum notice_kind k = r->n == 1 ? r->rule[0].kind : NOTICE_UNKNOWN;

	return strlen(text) < SIMPLE_TEXT && r->complexity <= 1 &&
	    (k == NOTICE_H24 || k == NOTICE_ON_REQUEST || k == NOTICE_AD_HOURS || k == NOTICE_NOT_AVAILABLE) &&
	    !r->rule[0].schengen && !r->rule[0].non_schengen && r->rule[0].days.mask == 0;
}

/* No rule can hold a part of the year. "May" is left out, because it is a common verb. */
static bool names_season(const char *text, const struct notice_token *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (says(&t[i], text, "jan|january|feb|february|march|apr|april|jun|june|jul|july|aug|august|"
		    "sep|sept|september|oct|october|nov|november|dec|december|winter|hiver|janvier|fevrier|"
		    "avril|juin|juillet|aout|septembre|octobre|novembre|decembre"))
			return true;
	return false;
}

static void doubt(struct notice_reading *r)
{
	const double doubtful = 0.5;

	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].confidence > doubtful)
			r->rule[i].confidence = doubtful;
	r->warning = "The text names a part of the year, which no rule can hold: compare the rules with the text.";
}

void notice_judge(struct notice_reading *r, struct arena *a, const char *text,
    const struct notice_token *t, size_t n, bool cut)
{
	r->complexity = complexity(text, t, n);
	if (n == 0)
		r->warning = "The text is empty.";
	else if (cut)
		r->warning = arena_printf(a, "The text is too long: only its first %d bytes were read.",
		    (int)NOTICE_TEXT);
	else if (r->n == 0)
		r->warning = "The text could not be parsed: no rule about notice was found.";
	else if (names_season(text, t, n))
		doubt(r);
	else if (r->complexity >= DIFFICULT)
		r->warning = arena_printf(a, "Complex text (score=%d), compare the rules with the text",
		    r->complexity);
	else if (!is_plain(r, text))
		r->warning = arena_printf(a, "Partial parse (complexity=%d)", r->complexity);
}
