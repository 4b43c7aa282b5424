/*
 * The places of a frame, as the tools take them.
 */
#include "agents/aviation/builtin/frame_plans.h"
#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"

#include <ctype.h>
#include <string.h>

#include "airports/area.h"
#include "airports/countries.h"
#include "airports/filter.h"
#include "airports/icao_prefix.h"
#include "airports/place.h"
#include "base/str.h"

enum { ALTERNATES_NM = 15, CODE_LETTERS = 4 };

/* The first word of four capitals or digits that begins with a letter and that the database knows, where
 * other words stand beside it. */
static const char *code_within(const struct planning *p, const char *text)
{
	struct airport airport;
	bool found = false;

	for (const char *at = text; *at != '\0' && !found; at += at[0] != '\0') {
		size_t n = 0;
		while (isupper((unsigned char)at[n]) || isdigit((unsigned char)at[n]))
			n++;
		const bool whole = !isalnum((unsigned char)at[n]) && (at == text || !isalnum((unsigned char)at[-1]));
		if (n == CODE_LETTERS && whole && isupper((unsigned char)*at) && strlen(text) > n) {
			const char *code = arena_strndup(p->mem, at, n);
			if (p->con == NULL || (airdb_by_code(p->con, p->mem, code, &airport, &found, NULL) == OK && found))
				return code;
		}
	}
	return NULL;
}

static bool in_a_mark(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= word && word <= r->mark[i].last)
			return true;
	return false;
}

static bool has_evidence(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].first <= word && word <= r->evidence->at[i].last &&
		    strncmp(r->evidence->at[i].kind, "place", 5) != 0)
			return true;
	return false;
}

static bool is_place_word(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].first <= word && word <= r->evidence->at[i].last &&
		    one_of(r->evidence->at[i].kind, "place.town|place.name|place.area|place.code"))
			return true;
	return false;
}

/* The mark of the message that has exactly this text; NULL: the text comes from an earlier message. */
static const struct mark *mark_of(const struct planning *p, const char *text)
{
	const struct reading *r = p->reading;
	for (size_t i = 0; i < r->nmarks; i++)
		if (streq(words_slice(p->mem, r->words, r->mark[i].first, r->mark[i].last), text))
			return &r->mark[i];
	return NULL;
}

/* "Paris, Atlantis": a name behind the place and a comma, which says where it is, known or not. NULL: there is none. */
static const char *with_region(const struct planning *p, const struct mark *m)
{
	const struct words *w = p->reading->words;
	const size_t comma = m->last + 1, name = comma + 1;

	enum { LETTERS = 3 };         /* "Bristol, I have an hour" */

	if (name >= w->n || !streq(w->word[comma].fold, ",") || w->word[name].kind != WORD_LETTERS || strlen(w->word[name].fold) < LETTERS ||
	    !w->word[name].title || w->shouted || in_a_mark(p->reading, name) || has_evidence(p->reading, name))
		return NULL;
	const char *whole = words_slice(p->mem, w, m->first, name);
	/* "Usedom, Sylt" are two places */
	struct place place;
	bool found = p->con == NULL || !is_place_word(p->reading, name);
	return found || (place_resolve(p->con, p->mem, NULL, whole, NULL, &place, &found, NULL) == OK && found) ? whole : NULL;
}

/* "51.35" of "51.35, -0.56": all of the coordinates. NULL: there are none. */
static const char *with_coordinates(const struct planning *p, const struct mark *m)
{
	const struct evidences *e = p->reading->evidence;
	for (size_t i = 0; i < e->n; i++)
		if (streq(e->at[i].kind, "coords") && e->at[i].first <= m->first && m->last <= e->at[i].last)
			return words_slice(p->mem, p->reading->words, e->at[i].first, e->at[i].last);
	return NULL;
}

/* The country that a place was named with: "Cambridge, United Kingdom". NULL: none, or the place lies elsewhere, so that the country
 * is a wish of its own ("stops between Lyon and Zadar in Italy"). */
static const struct country *country_of(const struct planning *p, const struct frame_value *value)
{
	const struct country *country = value->bound != NULL ? country_by_code(value->bound) : NULL;
	struct place place;
	bool there = false, elsewhere = false;

	if (country == NULL || p->con == NULL)
		return country;
	place_resolve(p->con, p->mem, NULL, arena_printf(p->mem, "%s, %s", value->text, country->name), NULL, &place, &there, NULL);
	if (!there)
		place_resolve(p->con, p->mem, NULL, value->text, NULL, &place, &elsewhere, NULL);
	return elsewhere ? NULL : country;
}

/* A name may be a part of the name of an airport that was just shown: then that airport. The text itself is returned if it names no shown
 * airport, if it names an area, or if it names a place that the shown airport serves. */
static const char *known_or_shown(const struct planning *p, const char *text)
{
	const char *shown = p->con != NULL && !place_is_ident(p, text) ? airport_shown(p, text) : NULL;
	struct airport airport;
	struct place place;
	bool found = true, there = false;

	if (shown == NULL || place_resolve(p->con, p->mem, NULL, text, NULL, &place, &found, NULL) != OK)
		return text;
	if (found && place.area != NULL)
		return text;
	if (found && airdb_by_code(p->con, p->mem, shown, &airport, &there, NULL) == OK && there &&
	    geo_distance_nm((struct point){ place.lat, place.lon }, (struct point){ airport.lat, airport.lon }) <= AIRPORT_SERVES_NM)
		return text;
	return shown;
}

/* The position of the airport that the talk was last about, or else of the first airport of the list. False: there is none. */
static bool talk_at(const struct planning *p, struct point *out)
{
	const struct talk *t = p->talk;
	const char *ident = *t->current != '\0' ? t->current : t->n > 0 ? t->list[0].ident : NULL;
	struct airport airport;
	bool found = false;

	if (ident == NULL || p->con == NULL || airdb_by_code(p->con, p->mem, ident, &airport, &found, NULL) != OK || !found)
		return false;
	*out = (struct point){ airport.lat, airport.lon };
	return true;
}

static double distance_to(struct point here, const struct place *place)
{
	return geo_distance_nm(here, (struct point){ place->lat, place->lon });
}

/* In a talk about Scotland, "Perth" is not the one in Australia. Returns the code or the name of a nearer place with the same name, in a
 * preferred country. Returns the text itself if there is none. */
static const char *not_overseas(const struct planning *p, const char *text)
{
	struct point here;
	const struct place_context context = { .near = &here };
	struct place place;
	bool found = false;

	/* a new question may be about anywhere, and its answer says which places have this name */
	if (p->reading->plan[0].kind == NULL || !talk_at(p, &here) || place_resolve(p->con, p->mem, NULL, text, NULL, &place, &found, NULL) != OK || !found ||
	    country_preferred(place.country) || distance_to(here, &place) < PLACE_OVERSEAS_NM)
		return text;
	if (place_resolve(p->con, p->mem, &context, text, NULL, &place, &found, NULL) != OK || !found ||
	    !country_preferred(place.country) || distance_to(here, &place) > PLACE_OVERSEAS_NM)
		return text;
	return place.is_airport ? place.airport.ident : place.label;
}

/* "Wales" of "Newport, Wales": the words of the message for this country, if they name a part of it. Else the country's name. */
static const char *country_words(const struct planning *p, const struct country *country)
{
	const struct reading *r = p->reading;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const char *text = words_slice(p->mem, r->words, m->first, m->last), *folded = str_fold(p->mem, text);
		if (streq(m->label, aviation_schema.label[LABEL_COUNTRY].name) && country_by_name(folded) == country && place_names_area(folded))
			return text;
	}
	return country->name;
}

const char *place_text(const struct planning *p, const struct frame_value *value)
{
	const char *code = code_within(p, value->text);
	const struct mark *m = code == NULL && value->bound == NULL ? mark_of(p, value->text) : NULL;
	const char *whole = m != NULL ? with_coordinates(p, m) : NULL;
	const struct country *country = country_of(p, value);
	if (m != NULL && whole == NULL)
		whole = with_region(p, m);
	if (code == NULL && whole == NULL && country == NULL)
		return not_overseas(p, known_or_shown(p, value->text));
	return code != NULL ? code : whole != NULL ? whole : arena_printf(p->mem, "%s, %s", value->text, country_words(p, country));
}

bool place_airport_meant(const struct planning *p, const char *text, struct place *out)
{
	bool found = false;
	return p->con != NULL && place_airport(p->con, p->mem, NULL, not_overseas(p, text), PLACE_MAIN, ALTERNATES_NM, out, &found, NULL) == OK &&
	    found;
}

const char *place_ident(const struct planning *p, const char *text)
{
	struct place place;
	return place_airport_meant(p, text, &place) ? place.airport.ident : text;
}

bool place_is_ident(const struct planning *p, const char *text)
{
	struct airport airport;
	bool found = false;
	return p->con != NULL && airdb_by_code(p->con, p->mem, text, &airport, &found, NULL) == OK && found;
}

/* Does the message name a place in the part of the world where this airport is? */
static bool is_near_a_place(const struct planning *p, const struct airport *airport)
{
	const struct reading *r = p->reading;

	for (size_t i = 0; i < r->nmarks; i++) {
		struct place place;
		bool found = false;
		if (mark_is_place(&r->mark[i]) && place_resolve(p->con, p->mem, NULL, words_slice(p->mem, r->words, r->mark[i].first, r->mark[i].last),
		    NULL, &place, &found, NULL) == OK && found && distance_to((struct point){ airport->lat, airport->lon }, &place) < PLACE_OVERSEAS_NM)
			return true;
	}
	return false;
}

/* "No ATC": three letters that happen to be the code of an airport far away. */
static bool is_far_iata(const struct planning *p, const char *code)
{
	enum { IATA_LETTERS = 3 };
	struct airport airport;
	bool found = false;

	return strlen(code) == IATA_LETTERS && p->con != NULL && airdb_by_code(p->con, p->mem, place_ident(p, code), &airport, &found, NULL) == OK &&
	    found && !country_preferred(airport.country) && !is_near_a_place(p, &airport);
}

const char *place_refused(const struct planning *p, const struct frame_value *wish)
{
	const char *rest = wish->bound, *all = NULL;
	struct str part;

	while (rest != NULL && str_part(&rest, ',', &part)) {
		const struct str name = str_trim(part);
		const char *code = arena_strndup(p->mem, name.p, name.n);
		const bool known = country_by_code(code) != NULL || streq(code, FILTER_MILITARY);
		if (!known && is_far_iata(p, code))
			continue;
		if (!known) {
			const char *shown = !place_is_ident(p, code) ? airport_shown(p, code) : NULL;
			code = shown != NULL ? shown : place_ident(p, code);
		}
		if (!known && !place_is_ident(p, code))
			return NULL;
		all = all == NULL ? code : arena_printf(p->mem, "%s,%s", all, code);
	}
	return all;
}

const char *place_country(const struct planning *p, const char *text)
{
	const struct country *named = country_by_name(str_fold(p->mem, text));
	struct place place;
	bool found = false;

	if (named != NULL)
		return named->code;
	if (p->con == NULL || place_resolve(p->con, p->mem, NULL, text, NULL, &place, &found, NULL) != OK || !found)
		return strlen(text) == CODE_LETTERS ? icao_prefix_country(str_upper_copy(p->mem, text, CODE_LETTERS)) : NULL;
	return place.country != NULL ? place.country
	    : place.area != NULL && place.area->ncountries > 0 ? place.area->country[0] : NULL;
}

/* "The Adriatic coast of Croatia": the area lies in several countries, so that the country limits it. */
static bool is_of_several(const struct planning *p, const char *text)
{
	struct place place;
	bool found = false;

	return p->con != NULL && place_resolve(p->con, p->mem, NULL, text, NULL, &place, &found, NULL) == OK && found && place.area != NULL &&
	    place.area->ncountries > 1;
}

bool country_is_bound(const struct planning *p, const struct frame *f, const char *code)
{
	static const enum label places[] = { LABEL_FROM, LABEL_TO, LABEL_VIA, LABEL_NEAR, LABEL_AT, LABEL_AREA,
		LABEL_NAME };
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		for (size_t k = 0; k < f->slot[places[i]].n; k++)
			if (streq(f->slot[places[i]].value[k].bound, code) && country_of(p, &f->slot[places[i]].value[k]) != NULL &&
			    !(places[i] == LABEL_AREA && is_of_several(p, f->slot[places[i]].value[k].text)))
				return true;
	return false;
}

static void add(const char **code, size_t *n, size_t max, const char *one)
{
	for (size_t i = 0; i < *n; i++)
		if (streq(code[i], one))
			return;
	if (one != NULL && *n < max)
		code[(*n)++] = one;
}

size_t frame_countries(const struct planning *p, const struct frame *f, const char **code, size_t max)
{
	static const enum label places[] = { LABEL_AT, LABEL_AREA, LABEL_NEAR, LABEL_FROM, LABEL_TO };
	const struct frame_slot *named = &f->slot[LABEL_COUNTRY];
	const char *pick = frame_get(f, LABEL_PICK);
	size_t n = 0;
	bool several;

	for (size_t i = 0; i < named->n; i++)
		add(code, &n, max, named->value[i].text);
	if (n > 0)
		return n;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		for (size_t k = 0; k < f->slot[places[i]].n; k++)
			add(code, &n, max, place_country(p, place_text(p, &f->slot[places[i]].value[k])));
	if (n == 0 && pick != NULL && frame_picked(p, f, &several) != NULL)
		add(code, &n, max, place_country(p, frame_picked(p, f, &several)));
	return n;
}

size_t frame_rules_countries(const struct planning *p, const struct frame *f, const char **code, size_t max)
{
	const struct dialogue *before = &p->talk->dialogue;
	size_t n = frame_countries(p, f, code, max);

	/* "compare that with the UK", "compare the two" */
	for (size_t i = before->n; n == 1 && frame_plan_kind(f) == PLAN_COMPARE && f->kind != NULL && i-- > 0;) {
		const char *other[1];
		if (frame_countries(p, before->frame[i], other, 1) == 1)
			add(code, &n, max, other[0]);
	}
	for (size_t i = 0; n == 0 && i < p->frames->n; i++)
		n = frame_countries(p, p->frames->frame[i], code, max);
	for (size_t i = before->n; n == 0 && i-- > 0;)
		n = frame_countries(p, before->frame[i], code, max);
	return n;
}
