/*
 * "Near Winterthur, no, near Konstanz": after a "no", a new place replaces the last one with the same label. "Jet fuel, no, sorry, avgas":
 * so does another fuel.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"
#include "language/languages.h"

/* Is a "no" only a part of a longer phrase, as in "non loin de"? */
static bool is_part(const struct reading *r, const struct evidence *no)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first <= no->first && no->last <= e->last && e->last - e->first > no->last - no->first && !one_of(e->kind, "no|follow.correct"))
			return true;
	}
	return false;
}

/* "The", "l'", "de". "Avgas, and sorry, jet fuel" wants both. */
static bool is_small_word(const struct reading *r, size_t word)
{
	enum { LETTERS = 3 };
	const char *fold = r->words->word[word].fold;

	return strlen(fold) <= LETTERS && language_has(fold) && !reading_has_evidence(r, word, word, "and") &&
	    !reading_has_evidence(r, word, word, "number_or");
}

/* Are the words from `first` up to the mark that begins with `end` nothing but "no, sorry, near the"? At least one of them means "no" or
 * "sorry". Behind a "no" alone, a name is refused ("no Orkney"). */
static bool takes_back(const struct reading *r, size_t first, size_t end)
{
	bool back = false;

	for (size_t i = first; i < end; i++) {
		bool known = r->words->word[i].kind == WORD_SIGN || is_small_word(r, i), no = false, not = false;
		for (size_t k = 0; k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			if (i < e->first || e->last < i || e->first < first || e->last >= end)
				continue;
			no |= streq(e->kind, "no") && !is_part(r, e);
			not |= streq(e->kind, "not");
			back |= streq(e->kind, "follow.correct") || no;
			known |= one_of(e->kind, "no|unclear|follow.correct|follow.instead|role.near|role.at|role.in|role.to|role.from|also");
		}
		if (!known || (not && !no) || (no && i + 1 == end))
			return false;
	}
	return back;
}

/* Take away the last place with this label and these plans before mark i. How many are left before it. */
static size_t take_last(struct reading *r, size_t i, const char *label, unsigned plans)
{
	for (size_t k = i; k-- > 0;)
		if (mark_is_place(&r->mark[k]) && streq(r->mark[k].label, label) && r->mark[k].plans == plans) {
			reading_remove_mark(r, k);
			return i - 1;
		}
	return i;
}

void reading_amend_taken_back(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 1;) {
		const unsigned plans = r->mark[i].plans;
		if (!mark_is_place(&r->mark[i]) || plans != r->mark[i - 1].plans || !takes_back(r, r->mark[i - 1].last + 1, r->mark[i].first))
			continue;
		for (size_t k = i; k < r->nmarks; k++) {
			const size_t before = i;
			if (mark_is_place(&r->mark[k]) && r->mark[k].plans == plans)
				i = take_last(r, i, r->mark[k].label, plans);
			k -= before - i;
		}
	}
}

static bool is_fuel(const struct mark *m)
{
	return mark_has_label(m, LABEL_AVGAS) || mark_has_label(m, LABEL_JET_A) || mark_has_label(m, LABEL_FUEL);
}

void reading_amend_fuel_taken_back(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 1;) {
		const struct mark *old = &r->mark[i - 1], *new = &r->mark[i];
		if (is_fuel(old) && is_fuel(new) && old->plans == new->plans && takes_back(r, old->last + 1, new->first))
			reading_remove_mark(r, i - 1);
	}
}
