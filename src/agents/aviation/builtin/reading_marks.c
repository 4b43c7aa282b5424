#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

#define BIT(x) ((uint64_t)1 << LABEL_##x)

static const struct about {
	const char *kinds;
	uint64_t labels;
} abouts[] = {
	{ "fuel|fuel.other|ask=fuel", BIT(AVGAS) | BIT(JET_A) | BIT(FUEL) },
	{ "has_avgas", BIT(AVGAS) | BIT(FUEL) },
	{ "has_jet_a", BIT(JET_A) | BIT(FUEL) },
	{ "hotel|ask=hotel", BIT(HOTEL) },
	{ "restaurant|ask=restaurant", BIT(RESTAURANT) },
	{ "point_of_entry|ask=customs", BIT(ENTRY) },
	{ "has_procedures|ask=procedures", BIT(PROCEDURES) },
	{ "large|large=false", BIT(LARGE) },
	{ "surface.hard|surface.grass|any_surface|ask=surface", BIT(HARD) },
	{ "ask=runway_length|order=runway", BIT(MIN_RUNWAY) | BIT(MAX_RUNWAY) | BIT(ORDER) },
	{ "ask=fee|order=fee|money", BIT(MAX_FEE) | BIT(ORDER) },
	{ "notice", BIT(MAX_NOTICE) },
	{ "order=distance|role.near|site.near", BIT(ORDER) },
	{ "ask=distance|bound.within", BIT(RADIUS) | BIT(REACH) },
	{ "ask=time|duration", BIT(REACH) | BIT(TIME) },
	{ "aircraft", BIT(AIRCRAFT) | BIT(SPEED) },
	{ "day", BIT(DAY) },
};

uint64_t evidence_about(const char *kind)
{
	uint64_t labels = 0;

	for (size_t k = 0; k < sizeof(abouts) / sizeof(abouts[0]); k++)
		if (one_of(kind, abouts[k].kinds))
			labels |= abouts[k].labels;
	return labels;
}

bool mark_has_label(const struct mark *m, enum label label)
{
	return !m->lifted && streq(m->label, aviation_schema.label[label].name);
}

void mark_set_label(struct mark *m, enum label label)
{
	m->label = aviation_schema.label[label].name;
	m->value = NULL;
}

bool mark_is_place(const struct mark *m)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	return !m->lifted && label < LABEL__MAX && (aviation_schema.label[label].how & FRAME_PLACE) != 0;
}

bool mark_asks_how_far(const struct mark *m)
{
	return mark_has_label(m, LABEL_ASK) && m->value != NULL && one_of(m->value, "distance|time");
}

bool reading_names_place(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK))
			return true;
	return false;
}

bool mark_asks_of_airport(const struct mark *m)
{
	static const char FACTS[] = "customs|fuel|restaurant|hotel|procedures|fee|hours|runway_length|surface|frequency|elevation|transport|lights|ppr|night|"
	    "contact|reviews";
	return mark_has_label(m, LABEL_ASK) && m->value != NULL && one_of(m->value, FACTS);
}

bool reading_says_on_the_way(const struct reading *r, size_t first, size_t end)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "role.route") && e->first >= first && e->last < end &&
		    (e->last > e->first || reading_has_evidence(r, e->first, e->first, "on_the_way")))
			return true;
	}
	return false;
}

bool reading_is_asked(const struct reading *r)
{
	return r->words->n > 0 && streq(r->words->word[r->words->n - 1].fold, "?");
}

bool reading_asks_how_far(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_asks_how_far(&r->mark[i]))
			return true;
	return false;
}

const struct mark *reading_marked(const struct reading *r, enum label label)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], label))
			return &r->mark[i];
	return NULL;
}

void reading_remove_mark(struct reading *r, size_t i)
{
	memmove(r->mark + i, r->mark + i + 1, (--r->nmarks - i) * sizeof(r->mark[0]));
}

void reading_remove_plan(struct reading *r, size_t i)
{
	const unsigned below = (1u << i) - 1;

	memmove(r->plan + i, r->plan + i + 1, (--r->nplans - i) * sizeof(r->plan[0]));
	memmove(r->start + i, r->start + i + 1, (r->nplans - i) * sizeof(r->start[0]));
	for (size_t k = 0; k < r->nmarks; k++)
		r->mark[k].plans = r->nplans == 1 ? 0 : (r->mark[k].plans & below) | (r->mark[k].plans >> 1 & ~below);
}

bool reading_has_evidence(const struct reading *r, size_t first, size_t last, const char *kind)
{
	return evidence_in(r->evidence, first, last, kind) != NULL;
}

bool evidence_is_place(const char *kind)
{
	const bool shown = one_of(kind, "place.shown|place.current");      /* an airport may have any word in its name */
	return (strncmp(kind, "place.", 6) == 0 && !shown) || streq(kind, "country") || streq(kind, "country.code") ||
	    streq(kind, "region") || streq(kind, "coords");
}

bool evidence_is_guessed(const char *kind)
{
	return kind[0] == '~' || kind[0] == '+' || streq(kind, "place.slip");
}

bool reading_is_marked(const struct reading *r, size_t first, size_t last)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= last && first <= r->mark[i].last)
			return true;
	return false;
}

struct mark *reading_mark_at(struct reading *r, size_t word)
{
	size_t i = 0;

	while (i < r->nmarks && r->mark[i].last < word)
		i++;
	if (i < r->nmarks && r->mark[i].first <= word)
		return &r->mark[i];
	if (r->nmarks == READING_MARKS)
		return NULL;
	memmove(r->mark + i + 1, r->mark + i, (r->nmarks++ - i) * sizeof(r->mark[0]));
	r->mark[i] = (struct mark){ .first = word, .last = word, .sure = 1 };
	return &r->mark[i];
}

struct mark *reading_put_mark(struct reading *r, size_t first, size_t last, enum label label)
{
	for (size_t i = r->nmarks; i-- > 0;)
		if (r->mark[i].first <= last && first <= r->mark[i].last)
			reading_remove_mark(r, i);
	struct mark *m = reading_mark_at(r, first);
	if (m != NULL) {
		m->last = last;
		mark_set_label(m, label);
	}
	return m;
}

/* Some words mean "not" only next to certain other words. Alone, "wo" means "where". */
static bool says_else(const struct reading *r, const struct evidence *not)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first == not->first && e->last == not->last && !evidence_is_guessed(e->kind) && !evidence_fits_not(e->kind))
			return true;
	}
	return false;
}

const struct evidence *reading_not_at(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n && r->evidence->at[i].first <= word; i++)
		if (r->evidence->at[i].last == word && streq(r->evidence->at[i].kind, "not") &&
		    !says_else(r, &r->evidence->at[i]))
			return &r->evidence->at[i];
	return NULL;
}

bool reading_is_behind(const struct reading *r, const struct mark *m, const char *kind)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].last + 1 == m->first && streq(r->evidence->at[i].kind, kind))
			return true;
	return false;
}

size_t reading_other_at(const struct reading *r, enum plan_kind plan)
{
	size_t i = 0;

	while (i < r->nothers && (r->other[i].plan.kind != NULL || r->other[i].nplans > 1 ||
	    !streq(r->other[i].plan.plan, aviation_schema.plan[plan].name)))
		i++;
	return i;
}

void reading_take_other(struct reading *r, size_t i)
{
	const struct reading_plan plan = r->plan[0];
	const double sure = r->sure;

	r->plan[0] = r->other[i].plan;
	r->sure = r->other[i].sure;
	r->other[i].plan = plan;
	r->other[i].sure = sure;
	r->nmarks = 0;
}

bool reading_searches(const struct reading *r)
{
	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		if (plan == PLAN_NEAR || plan == PLAN_ROUTE || plan == PLAN_SEARCH)
			return true;
	}
	return false;
}
