/*
 * "Forget the fuel" takes fuel away, whatever label the mark has: the words within it say what, and only what was
 * wished for before can be taken away. If the first message says that something is not needed, that thing is not a
 * wish.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

#define BIT(x) ((uint64_t)1 << LABEL_##x)

/* Labels that are easily confused if no word says which one is meant. */
static const uint64_t alike[] = {
	BIT(MIN_RUNWAY) | BIT(MAX_RUNWAY),
	BIT(RADIUS) | BIT(REACH) | BIT(TIME),
	BIT(DAY) | BIT(TIME),
	BIT(AVGAS) | BIT(JET_A) | BIT(FUEL),
};

static uint64_t about(const struct reading *r, const struct mark *m)
{
	uint64_t labels = 0;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (m->first <= e->first && e->last <= m->last)
			labels |= evidence_about(e->kind);
	}
	return labels;
}

static bool is_single(uint64_t bits)
{
	return bits != 0 && (bits & (bits - 1)) == 0;
}

static uint64_t held_by(const struct frame *f)
{
	uint64_t held = 0;
	for (size_t i = 0; f != NULL && i < LABEL__MAX; i++)
		held |= f->slot[i].n > 0 ? (uint64_t)1 << i : 0;
	return held;
}

/* What a pilot can wish for, and therefore take away. */
static uint64_t wishes(void)
{
	uint64_t labels = 0;
	for (size_t i = LABEL_RADIUS; i <= LABEL_TIME; i++)
		labels |= (uint64_t)1 << i;
	return labels;
}

static void take_away(struct mark *m, size_t label)
{
	m->label = aviation_schema.label[label].name;
	m->value = NULL;
	m->lifted = true;
}

/* ---- a message that takes something away ----------------------------------------------------- */

/* The wishes of the frame that have a number of the mark: "forget the limit of 40" takes the 40 NM away. */
static uint64_t with_number(const struct reading *r, const struct mark *m, const struct frame *f)
{
	uint64_t labels = 0;

	for (size_t word = m->first; f != NULL && word <= m->last; word++)
		for (size_t i = 0; i < LABEL__MAX; i++) {
			const char *text = f->slot[i].n > 0 ? f->slot[i].value[0].text : NULL, *number = r->words->word[word].fold;
			const size_t n = strlen(number);
			if (text != NULL && isdigit((unsigned char)*number) && strncmp(text, number, n) == 0 &&
			    !isdigit((unsigned char)text[n]) && text[n] != '.')
				labels |= (uint64_t)1 << i;
		}
	return labels & wishes();
}

static void find_label(const struct reading *r, struct mark *m, uint64_t held, const struct frame *f)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	uint64_t meant = about(r, m) & held;

	if (label == LABEL__MAX || (meant >> label & 1) != 0)
		return;
	for (size_t k = 0; meant == 0 && k < sizeof(alike) / sizeof(alike[0]); k++)
		if ((alike[k] >> label & 1) != 0)
			meant = alike[k] & held;
	if (meant == 0 && (held >> label & 1) == 0 && about(r, m) == 0)
		meant = with_number(r, m, f);
	if (meant == 0 && (held >> label & 1) == 0)
		meant = held & wishes();
	if (is_single(meant))
		take_away(m, (size_t)__builtin_ctzll(meant));
}

/* "[forget the|-radius] [40 km|radius]" */
static bool is_taken_away(const struct reading *r, const struct mark *m)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].lifted && streq(r->mark[i].label, m->label))
			return true;
	return false;
}

/* "Drop the customs, we stay in Switzerland": why something is taken away says nothing of where to look. */
static void drop_reasons(struct reading *r)
{
	bool lifted = false;
	for (size_t i = 0; i < r->nmarks; i++)
		lifted |= r->mark[i].lifted;
	for (size_t i = r->nmarks; lifted && i-- > 0;)
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY))
			reading_remove_mark(r, i);
}

/* The message takes something away, but none of its marks says so. */
static void lift_something(struct reading *r, uint64_t held)
{
	const uint64_t may = held & wishes();
	size_t n = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (r->mark[i].lifted)
			return;
		n += label < LABEL__MAX && (may >> label & 1) != 0;
	}
	for (size_t i = 0; n > 0 && i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (label < LABEL__MAX && (may >> label & 1) != 0)
			take_away(&r->mark[i], label);
	}
	if (r->nmarks > 0)
		return;
	struct mark all = { .first = 0, .last = r->words->n - 1, .sure = 1 };
	const uint64_t meant = is_single(about(r, &all) & may) ? about(r, &all) & may : may;
	if (is_single(meant)) {
		take_away(&all, (size_t)__builtin_ctzll(meant));
		r->mark[r->nmarks++] = all;
	}
}

/* "Forget hotels, all between Dinard and San Sebastián": what is taken away may have no mark in a message that says much else. */
static void lift_unmarked(struct reading *r, uint64_t held)
{
	enum { NEAR = 2 };

	for (size_t i = 0; i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *x = &r->evidence->at[i];
		const uint64_t meant = evidence_about(x->kind) & held & wishes();
		bool lifted = false;
		for (size_t k = 0; is_single(meant) && !lifted && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			lifted = streq(e->kind, "lift") && e->last < x->first && x->first <= e->last + NEAR && !reading_is_marked(r, e->first, x->last);
		}
		struct mark *m = lifted ? reading_put_mark(r, x->first, x->last, (enum label)__builtin_ctzll(meant)) : NULL;
		if (m != NULL)
			m->lifted = true;
	}
}

/* A phrase that takes something away elsewhere takes nothing away here: "any more with customs" lists, and "am Weg mit Zoll" is about the way. */
static bool takes_nothing(const struct reading *r, const struct evidence *lift)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool lists = streq(e->kind, "list") && e->first == lift->first && e->last <= lift->last;
		if (lists || (streq(e->kind, "role.route") && e->first < lift->first && lift->first <= e->last))
			return true;
	}
	return false;
}

/* Is there such a phrase right before the words, or right behind them? */
static bool beside(const struct reading *r, size_t first, size_t last, const char *kind, size_t words)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, kind) && e->last - e->first + 1 >= words &&
		    ((e->last + 1 == first && !takes_nothing(r, e)) || last + 1 == e->first))
			return true;
	}
	return false;
}

/* ---- airports that are taken away --------------------------------------------------------------- */

static bool is_switch(const struct mark *m)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	return label < LABEL__MAX && (aviation_schema.label[label].how & FRAME_SWITCH) != 0;
}

/* Is a word that takes away near enough to "those with [customs]": before it, or behind the mark? */
static bool is_removal(const struct reading *r, const struct evidence *those, const struct mark *m)
{
	enum { NEAR = 2 };

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "lift") && !takes_nothing(r, e) && ((e->first < those->first && e->last < those->last && those->first <= e->last + NEAR) ||
		    (e->first > m->last && e->first <= m->last + NEAR)))
			return true;
	}
	return false;
}

/* Is the phrase a part of a longer one ("ones with" of "the ones with")? */
static bool is_part_of_those(const struct reading *r, const struct evidence *e)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *x = &r->evidence->at[i];
		if (one_of(x->kind, "those.with|those.without") && x->first <= e->first && e->last <= x->last && x->last - x->first > e->last - e->first)
			return true;
	}
	return false;
}

/* "Remove those with customs": the airports that have it go, so those without are wanted. */
static void keep_the_others(struct reading *r)
{
	enum { NEAR = 2 };

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool without = streq(e->kind, "those.without");
		if ((!without && !streq(e->kind, "those.with")) || is_part_of_those(r, e))
			continue;
		struct mark *m = NULL;
		for (size_t k = 0; k < r->nmarks && m == NULL; k++)
			if (r->mark[k].last > e->last && r->mark[k].first <= e->last + NEAR && is_switch(&r->mark[k]))
				m = &r->mark[k];
		if (m == NULL || !is_removal(r, e, m))
			continue;
		m->value = !without && !(m->value != NULL && streq(m->value, "false")) ? "false" : NULL;
		m->first = m->first <= e->last ? e->last + 1 : m->first;
		m->lifted = false;
		if (r->plan[0].kind != NULL && streq(r->plan[0].kind, "lift"))
			r->plan[0].kind = "refine";
	}
}

/* ---- what does not matter from the beginning --------------------------------------------------- */

/* "I need no customs or ILS": a wish that "or" joins to a thing that is not needed. No sign stands between. */
static bool is_joined_to_lift(const struct reading *r, const struct mark *m)
{
	enum { PHRASE = 2, FAR = 6, SMALL = 3 };
	size_t or = m->first;

	if (or > 1 && strlen(r->words->word[or - 1].fold) <= SMALL && evidence_in(r->evidence, or - 1, or - 1, "and") == NULL &&
	    evidence_in(r->evidence, or - 1, or - 1, "number_or") == NULL && evidence_in(r->evidence, or - 1, or - 1, "not") == NULL)
		or--;
	if (or == 0 || !(reading_has_evidence(r, or - 1, or - 1, "number_or") || reading_has_evidence(r, or - 1, or - 1, "not") ||
	    reading_has_evidence(r, or - 1, or - 1, "and")))
		return false;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		bool apart = !streq(e->kind, "lift") || e->last - e->first + 1 < PHRASE || e->last >= m->first || m->first - e->last > FAR;
		for (size_t k = e->last + 1; !apart && k < m->first; k++)
			apart = r->words->word[k].kind == WORD_SIGN && !streq(r->words->word[k].fold, "'");
		if (!apart)
			return true;
	}
	return false;
}

/* A word that may stand between "don't care" and what does not matter: "about", "de la". */
static bool is_small(const struct reading *r, size_t word)
{
	enum { SMALL = 5 };
	static const char *const kinds[] = { "and", "not", "only" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (evidence_in(r->evidence, word, word, kinds[i]) != NULL)
			return false;
	return r->words->word[word].kind == WORD_LETTERS && strlen(r->words->word[word].fold) <= SMALL;
}

static bool is_behind_small(const struct reading *r, const struct mark *m, size_t words)
{
	enum { BETWEEN = 2 };
	size_t first = m->first;

	while (first > 0 && m->first - first < BETWEEN && is_small(r, first - 1)) {
		first--;
		if (beside(r, first, m->last, "lift", words))
			return true;
	}
	return false;
}

/* "[Asphalt ist nicht] nötig": the phrase that takes the wish away begins within the mark. */
static bool holds_lift(const struct reading *r, const struct mark *m, size_t words)
{
	const bool refused = m->value != NULL && streq(m->value, "false");

	for (size_t i = 0; !refused && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "lift") && e->last - e->first + 1 >= words && e->first > m->first && e->first <= m->last && e->last >= m->last)
			return true;
	}
	return false;
}

/* "No fuel needed", "customs aren't needed": a wish that a pilot does not have. */
static bool does_not_matter(const struct reading *r, const struct mark *m)
{
	enum { PHRASE = 2 };
	return beside(r, m->first, m->last, "lift", PHRASE) || holds_lift(r, m, PHRASE) || is_behind_small(r, m, PHRASE) || is_joined_to_lift(r, m) ||
	    (reading_is_behind(r, m, "not") && reading_has_evidence(r, m->last + 1, m->last + 1, "wish.need"));
}

static bool is_wish(const struct mark *m)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	return is_switch(m) || label == LABEL_HOTEL || label == LABEL_RESTAURANT;
}

/* The frame that the message continues: the newest one. If the message returns to an earlier plan, it is the newest frame of that plan. NULL:
 * there is no frame. */
static const struct frame *frame_before(const struct reading *r, const struct dialogue *before)
{
	for (size_t i = before->n; streq(r->plan[0].kind, "return") && i-- > 0;)
		if (streq(before->frame[i]->plan->name, r->plan[0].plan))
			return before->frame[i];
	return before->n > 0 ? before->frame[before->n - 1] : NULL;
}

/* "A hangar, not a hotel" after a wish for a hotel: next to another wish, "not" takes the hotel away. Without another wish ("it does not have a
 * hotel!") the pilot still wants the hotel. */
static bool is_corrected(const struct reading *r, const struct mark *m, size_t label)
{
	const bool small = m->first > 1 && is_small(r, m->first - 1);
	bool other = false;

	for (size_t i = 0; i < r->nmarks; i++)
		other |= &r->mark[i] != m && (mark_has_label(&r->mark[i], LABEL_WISH) || is_wish(&r->mark[i]));
	return other && (label == LABEL_HOTEL || label == LABEL_RESTAURANT) && !reading_is_asked(r) && (reading_is_behind(r, m, "not") ||
	    (small && reading_not_at(r, m->first - 2) != NULL));
}

/* "Without customs" after a wish for customs takes the wish away. It does not ask for airports that have none. */
static bool is_without(const struct mark *m, size_t label, const struct frame *last)
{
	return label == LABEL_ENTRY && m->value != NULL && streq(m->value, "false") && last != NULL && frame_has(last, LABEL_ENTRY, "true");
}

void reading_amend_lifts(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = frame_before(r, before);
	const uint64_t held = held_by(last);
	const bool goes_on = r->plan[0].kind != NULL && r->nplans == 1;

	keep_the_others(r);
	for (size_t i = r->nmarks; i-- > 0;) {
		struct mark *m = &r->mark[i];
		const size_t label = frame_label_named(&aviation_schema, m->label);
		if (m->lifted)
			find_label(r, m, held, last);
		/* "finalement mercredi" is another day, and takes none away; "Hauptsache Gras" wants grass */
		else if (goes_on && label < LABEL__MAX && label != LABEL_DAY && label != LABEL_TIME && (held & wishes()) >> label & 1 &&
		    ((reading_is_behind(r, m, "lift") && !reading_is_behind(r, m, "only")) || is_corrected(r, m, label) || is_without(m, label, last)))
			take_away(m, label);
		else if (!goes_on && is_wish(m) && does_not_matter(r, m))
			reading_remove_mark(r, i);
	}
	if (goes_on)
		lift_unmarked(r, held);
	for (size_t i = r->nmarks; i-- > 0;)
		if (!r->mark[i].lifted && is_taken_away(r, &r->mark[i]))
			reading_remove_mark(r, i);
	if (goes_on && streq(r->plan[0].kind, "lift")) {
		drop_reasons(r);
		lift_something(r, held);
	}
}
