/*
 * Parts of countries: those with a short name of their own, and those that a direction tells.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include "airports/countries.h"
#include "airports/place.h"
#include "base/arena.h"
#include "base/str.h"

/* Two letters that are the code of one country, but that European pilots use for a part of another country. */
static const struct { const char *word, *country, *area; } parts[] = {
	{ "ni", "GB", "Northern Ireland" },   /* and Nicaragua */
};

/* "Newtownards, NI" lies in the United Kingdom, and "airports in NI" are those of Northern Ireland. */
static void read_parts(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		size_t k = 0;
		while (k < sizeof(parts) / sizeof(parts[0]) && !streq(parts[k].word, r->words->word[m->first].fold))
			k++;
		const bool country = mark_has_label(m, LABEL_COUNTRY);
		if (k == sizeof(parts) / sizeof(parts[0]) || m->first != m->last || (!country && !mark_is_place(m)) ||
		    !reading_has_evidence(r, m->first, m->last, "country.code"))
			continue;
		const bool as_area = country && r->nplans == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_SEARCH].name) && !reading_looks_elsewhere(r, i);
		if (as_area)
			mark_set_label(m, LABEL_AREA);
		m->value = country && !as_area ? parts[k].country : parts[k].area;
	}
}

/* May the word stand between a direction and a country: a hyphen, an article or a word that is used like one ("in"), "of"? */
static bool is_link(const struct reading *r, size_t word)
{
	return one_of(r->words->word[word].fold, "-|–") || reading_has_evidence(r, word, word, "article") ||
	    reading_has_evidence(r, word, word, "of");
}

/* French "est" is "east" only behind a hyphen or an article: "nord-est", "à l'est". Elsewhere it is "is". */
static bool is_east(const struct reading *r, size_t word)
{
	return reading_has_evidence(r, word, word, "east") ||
	    (reading_has_evidence(r, word, word, "east_behind") && word > 0 &&
	    (one_of(r->words->word[word - 1].fold, "-|–") || reading_has_evidence(r, word - 1, word - 1, "article")));
}

static bool is_direction(const struct reading *r, size_t word)
{
	return is_east(r, word) || reading_has_evidence(r, word, word, "north") || reading_has_evidence(r, word, word, "south") ||
	    reading_has_evidence(r, word, word, "west");
}

/* Is the word in no mark, or only in marks of a wish or an area? */
static bool is_free(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		if (m->first <= word && word <= m->last && !mark_has_label(m, LABEL_WISH) && !mark_has_label(m, LABEL_AREA))
			return false;
	}
	return true;
}

/* May the word belong to the name of a part of a country? */
static bool joins(const struct reading *r, size_t word)
{
	return is_free(r, word) && (is_direction(r, word) || is_link(r, word));
}

/* "north-east of Italy", as areas.txt writes it. NULL: these words name no direction or two opposite ones, or areas.txt has no such part of the
 * country. */
static const char *part_towards(const struct reading *r, size_t first, size_t last, const struct country *country)
{
	const bool north = reading_has_evidence(r, first, last, "north"), south = reading_has_evidence(r, first, last, "south"),
	    west = reading_has_evidence(r, first, last, "west");
	struct arena *a = r->evidence->mem;
	bool east = false;

	for (size_t word = first; word <= last; word++)
		east |= is_east(r, word);
	if ((north && south) || (east && west) || !(north || south || east || west))
		return NULL;
	const char *name = arena_printf(a, "%s%s%s of %s", north ? "north" : south ? "south" : "", (north || south) && (east || west) ? "-" : "",
	    east ? "east" : west ? "west" : "", country->name);
	return place_names_area(str_fold(a, name)) ? name : NULL;
}

/* Widen first..last, the words of a country, by a direction right before or behind it. */
static void widen(const struct reading *r, size_t *first, size_t *last)
{
	const size_t begin = *first, end = *last;

	while (*first > 0 && joins(r, *first - 1))
		--*first;
	while (*last + 1 < r->words->n && joins(r, *last + 1))
		++*last;
	while (*first < begin && !is_direction(r, *first))
		++*first;
	while (*last > end && !is_direction(r, *last))
		--*last;
}

/* Is the mark that of a wish or an area, and does it name a direction and nothing else? */
static bool is_bare_direction(const struct reading *r, const struct mark *m)
{
	bool direction = false;

	for (size_t word = m->first; word <= m->last; word++) {
		if (!joins(r, word))
			return false;
		direction |= is_direction(r, word);
	}
	return direction && (mark_has_label(m, LABEL_WISH) || mark_has_label(m, LABEL_AREA));
}

/* Does the message name no other place or country? */
static bool is_only_place(const struct reading *r, const struct mark *country)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		if (m != country && (mark_is_place(m) || mark_has_label(m, LABEL_COUNTRY)) && !is_bare_direction(r, m))
			return false;
	}
	return true;
}

/* The only mark that is a bare direction; nmarks: there is none, or there are several. */
static size_t only_direction(const struct reading *r)
{
	size_t found = r->nmarks;

	for (size_t i = 0; i < r->nmarks; i++) {
		if (!is_bare_direction(r, &r->mark[i]))
			continue;
		if (found < r->nmarks)
			return r->nmarks;
		found = i;
	}
	return found;
}

/* "Aéroports italiens du nord", "nord-est italien", "italienische Plätze im Norden": the direction may stand before or behind the country, and
 * have a mark of its own. */
static void read_directions(struct reading *r)
{
	const struct mark *m = reading_marked(r, LABEL_COUNTRY);
	const struct evidence *e = m != NULL ? evidence_in(r->evidence, m->first, m->last, "country") : NULL;
	const struct country *country = e != NULL && e->value != NULL ? country_by_code(e->value) : NULL;
	const size_t direction = only_direction(r);

	if (country == NULL || r->nplans != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_SEARCH].name) || !is_only_place(r, m))
		return;
	size_t first = m->first, last = m->last;
	widen(r, &first, &last);
	if (place_names_area(str_fold(r->evidence->mem, words_slice(r->evidence->mem, r->words, first, last))))
		return;                       /* "sud de l'Espagne" is found as it stands */
	const char *area = part_towards(r, first, last, country);
	if (area == NULL && direction < r->nmarks) {
		area = part_towards(r, r->mark[direction].first, r->mark[direction].last, country);
		if (area != NULL)
			reading_remove_mark(r, direction);
	}
	struct mark *whole = area != NULL ? reading_put_mark(r, first, last, LABEL_AREA) : NULL;
	if (whole != NULL)
		whole->value = area;
}

void reading_amend_parts(struct reading *r)
{
	read_parts(r);
	read_directions(r);
}
