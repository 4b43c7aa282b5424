/*
 * What a follow-up does to the countries: a new search drops the country of a question about rules; "without Norway" takes a country out of
 * a comparison; "not only Germany" lifts the limit of a search; a return to a list with a country keeps the list's place.
 */
#include "agents/aviation/builtin/frame_amends_own.h"

#include <string.h>

#include "agents/aviation/builtin/reading_marks.h"
#include "airports/countries.h"
#include "base/arena.h"
#include "base/str.h"

/* "Now fields between Friedrichshafen and Locarno" after rules of Italy: the country belonged to
 * the question about rules. The new search names its own places. */
static void leave_country(struct frame *f, const struct reading *r)
{
	static const enum label grounds[] = { LABEL_FROM, LABEL_TO, LABEL_VIA, LABEL_NEAR, LABEL_AT, LABEL_AREA, LABEL_NAME };
	const enum plan_kind kind = frame_plan_kind(f);
	bool named = false;

	for (size_t i = 0; i < sizeof(grounds) / sizeof(grounds[0]); i++)
		named |= reading_marked(r, grounds[i]) != NULL;
	if (named && streq(f->kind, "switch") && reading_marked(r, LABEL_COUNTRY) == NULL &&
	    (kind == PLAN_NEAR || kind == PLAN_ROUTE || kind == PLAN_SEARCH))
		f->slot[LABEL_COUNTRY] = (struct frame_slot){ .n = 0 };
}

/* German "nimm Italien raus" takes the country away, and "nimm Italien dazu" adds it. Is this a "nimm" without a "raus" after the country? */
static bool lacks_second_half(const struct reading *r, const struct evidence *lift, const struct evidence *country)
{
	if (!reading_has_evidence(r, lift->first, lift->last, "drop.half"))
		return false;
	/* what stands after the next country belongs to that one */
	for (size_t word = country->last + 1; word < r->words->n && r->words->word[word].kind != WORD_SIGN && !reading_has_evidence(r, word, word, "and") &&
	    !reading_has_evidence(r, word, word, "country"); word++)
		if (reading_has_evidence(r, word, word, "drop.behind"))
			return false;
	return true;
}

/* Does the word before the country say to leave it out ("drop Italy", "drop the Italian ones")? */
static bool is_dropped(const struct reading *r, const struct evidence *country)
{
	enum { BETWEEN = 1 };
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "lift") && e->last < country->first && country->first - e->last - 1 <= BETWEEN &&
		    r->words->word[country->first - 1].kind != WORD_SIGN && !lacks_second_half(r, e, country))
			return true;
	}
	return false;
}

/* Set the countries of a comparison if the message takes one out: those compared before, plus those that the message adds, minus those that
 * it takes out. If it names two or more that stay, and is no addition, it means just these. */
static void take_countries_out(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const struct evidences *e = r->evidence;
	const char *out = "", *stay = "";
	size_t named = 0;

	if (frame_plan_kind(f) != PLAN_COMPARE || last == NULL || frame_plan_kind(last) != PLAN_COMPARE)
		return;
	for (size_t i = 0; i < e->n; i++)
		if ((streq(e->at[i].kind, "refused") && country_by_code(e->at[i].value) != NULL) ||
		    (one_of(e->at[i].kind, "country|country.code") && is_dropped(r, &e->at[i])))
			out = arena_printf(a, "%s|%s", out, e->at[i].value);
	if (*out == '\0')
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct evidence *country = mark_has_label(&r->mark[i], LABEL_COUNTRY)
		    ? evidence_in(e, r->mark[i].first, r->mark[i].last, "country") : NULL;
		if (country == NULL || one_of(country->value, out) || one_of(country->value, stay))
			continue;
		stay = arena_printf(a, "%s|%s", stay, country->value);
		named++;
	}
	const bool these = named > 1 && !streq(f->kind, "refine");
	const struct frame_slot *sets[] = { &last->slot[LABEL_COUNTRY], &f->slot[LABEL_COUNTRY] };
	struct frame_value *value = arena_array(a, sets[0]->n + sets[1]->n + 1, sizeof(*value));
	struct frame_slot left = { .n = 0, .value = value };
	const char *taken = "";
	for (size_t k = 0; k < sizeof(sets) / sizeof(sets[0]); k++)
		for (size_t i = 0; i < sets[k]->n; i++) {
			const char *code = sets[k]->value[i].text;
			if (one_of(code, out) || one_of(code, taken) || (these && !one_of(code, stay)))
				continue;
			taken = arena_printf(a, "%s|%s", taken, code);
			value[left.n++] = sets[k]->value[i];
		}
	if (left.n > 0)
		f->slot[LABEL_COUNTRY] = left;
}

/* The words before a country, without the "in" of "not only in Germany". */
static size_t before_country(const struct reading *r, const struct evidence *country)
{
	return country->first > 0 && reading_has_evidence(r, country->first - 1, country->first - 1, "role.in") ? country->first - 1 : country->first;
}

/* Does the message say "not only Germany" of a country? */
static bool says_not_only(const struct reading *r)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const size_t at = streq(r->evidence->at[i].kind, "country") ? before_country(r, &r->evidence->at[i]) : 0;
		for (size_t k = 0; at > 0 && k < r->evidence->n; k++) {
			const struct evidence *only = &r->evidence->at[k];
			if (streq(only->kind, "only") && only->last == at - 1 && only->first > 0 && reading_not_at(r, only->first - 1) != NULL)
				return true;
		}
	}
	return false;
}

/* Does the message say "also in France" of another country than this one? "And France" may begin another wish. */
static bool says_also(const struct reading *r, const char *code)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const size_t at = streq(e->kind, "country") && !streq(e->value, code) ? before_country(r, e) : 0;
		if (at > 0 && reading_has_evidence(r, at - 1, at - 1, "also") && !reading_has_evidence(r, at - 1, at - 1, "and") &&
		    !reading_has_evidence(r, at - 1, at - 1, "only"))
			return true;
	}
	return false;
}

/* After a search in Germany, "not Germany" removes the limit to it and keeps the exclusion. "Not only Germany" removes the limit. So does
 * "also in France", because a search can be limited to one country only. "In Germany" after "not Germany" removes the exclusion. */
static void lift_country_limit(struct arena *a, struct frame *f, const struct reading *r)
{
	struct frame_slot *country = &f->slot[LABEL_COUNTRY], *wish = &f->slot[LABEL_WISH];
	const struct mark *m = reading_marked(r, LABEL_WISH);
	const char *said = m != NULL ? words_slice(a, r->words, m->first, m->last) : "";
	const bool widens = says_not_only(r), named = reading_marked(r, LABEL_COUNTRY) != NULL;

	if (!frame_is_list(f) || country->n != 1)
		return;
	const char *code = country->value[0].text;
	bool lifts = widens || (!named && says_also(r, code));
	for (size_t k = wish->n; k-- > 0;) {
		const bool excludes = streq(wish->value[k].bound, code);
		lifts |= excludes && !named;
		if ((excludes && (named || widens)) || (widens && streq(wish->value[k].text, said)))
			frame_drop_value(a, wish, k);
	}
	if (lifts)
		country->n = 0;
}

/* "Back to the list. Which of them are in France?" after a search near Freiburg: the list stays near Freiburg. */
static void keep_place(struct frame *f, const struct reading *r, const struct dialogue *before)
{
	if (frame_plan_kind(f) != PLAN_NEAR || !streq(f->kind, "return") || frame_says(f, WHERE & ~BIT(COUNTRY)) || reading_marked(r, LABEL_COUNTRY) == NULL)
		return;
	for (size_t i = before->n; i-- > 0;)
		if (before->frame[i]->plan == f->plan) {
			f->slot[LABEL_NEAR] = before->frame[i]->slot[LABEL_NEAR];
			f->slot[LABEL_AT] = before->frame[i]->slot[LABEL_AT];
			return;
		}
}

static bool is_about_flight_plan(const struct frame *f)
{
	const struct frame_slot *topic = &f->slot[LABEL_TOPIC];

	for (size_t i = 0; i < topic->n; i++)
		if (strstr(topic->value[i].text, "flight plan") != NULL ||
		    (topic->value[i].bound != NULL && strstr(topic->value[i].bound, "flight plan") != NULL))
			return true;
	return false;
}

void frame_order_countries(struct arena *a, struct frame *f, const struct reading *r)
{
	struct frame_slot *country = &f->slot[LABEL_COUNTRY];
	const struct mark *m[2] = { NULL };
	size_t n = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		if (mark_has_label(&r->mark[i], LABEL_COUNTRY) && n < 2)
			m[n] = &r->mark[i];
		n += mark_has_label(&r->mark[i], LABEL_COUNTRY);
	}
	if (n != 2 || country->n != 2 || !is_about_flight_plan(f) || reading_flight_before(r, m[0]) != FLIGHT_INTO ||
	    reading_flight_before(r, m[1]) != FLIGHT_OUT)
		return;
	struct frame_value *turned = arena_array(a, 2, sizeof(*turned));
	turned[0] = country->value[1];
	turned[1] = country->value[0];
	*country = (struct frame_slot){ 2, turned };
}

/* "And to Denmark?" after a flight plan from Germany to the Netherlands: the flight still begins in Germany. */
static void keep_other_end(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const struct mark *m = reading_marked(r, LABEL_COUNTRY);
	struct frame_slot *country = &f->slot[LABEL_COUNTRY];

	if (last == NULL || m == NULL || !streq(f->kind, "replace") || !is_about_flight_plan(f) || country->n != 1 || last->slot[LABEL_COUNTRY].n != 2 ||
	    (frame_plan_kind(f) != PLAN_ANSWER && frame_plan_kind(f) != PLAN_COMPARE) ||
	    (frame_plan_kind(last) != PLAN_ANSWER && frame_plan_kind(last) != PLAN_COMPARE))
		return;
	const enum flight flight = reading_flight_before(r, m);
	const struct frame_value *other = &last->slot[LABEL_COUNTRY].value[flight == FLIGHT_OUT ? 1 : 0];
	if (flight == FLIGHT_NONE || streq(other->text, country->value[0].text))
		return;
	struct frame_value *both = arena_array(a, 2, sizeof(*both));
	both[flight == FLIGHT_OUT ? 1 : 0] = *other;
	both[flight == FLIGHT_OUT ? 0 : 1] = country->value[0];
	*country = (struct frame_slot){ 2, both };
}

void frame_amend_countries(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before)
{
	keep_place(f, r, before);
	leave_country(f, r);
	take_countries_out(a, f, r, before);
	keep_other_end(a, f, r, before);
	lift_country_limit(a, f, r);
}
