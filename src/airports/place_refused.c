#include "airports/place_refused.h"

#include <string.h>

#include "airports/countries.h"
#include "airports/icao_prefix.h"
#include "base/arena.h"
#include "base/str.h"

static const char PLACES[] = "country|country.code|place.code|place.code_small|place.iata|place.town|place.name|military";

/* Kinds of evidence: a short word of one of these is no "in" or "the". */
static const char NO_ARTICLES[] = "wish|topic|large|large=false|has_procedures|has_avgas|has_jet_a|fuel|fuel.other|hotel|notam|airport";

/* What is known of each word. */
struct known {
	size_t *not_from;        /* where the "not" begins that ends here, plus one; 0: none does */
	size_t *nor_from;        /* the same for "nor", which refuses a place only if the one before it is refused */
	bool *small;             /* stands between "not" and a place: "in", "à", "the" */
	bool *joins;             /* two places: "or", "and", a comma */
	bool *refused;           /* a refused place ends here */
};

/* Does the "not" mean something else here, as in "not far"? */
static bool says_else(const struct evidences *e, const struct evidence *not)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct evidence *x = &e->at[i];
		const bool guessed = x->kind[0] == '~' || x->kind[0] == '+';
		if (x->first > not->first || x->last < not->last || guessed ||
		    evidence_fits_not(x->kind) || one_of(x->kind, "wish|bound.min|bound.max"))
			continue;
		return true;
	}
	return false;
}

/* "Not", or a phrase such as "leave out". A single word such as "forget" refuses only what an answer showed. */
static bool refuses(const struct evidence *e)
{
	return streq(e->kind, "not") || (streq(e->kind, "drop") && e->last > e->first);
}

/* False: nothing is refused. */
static bool look_at(const struct words *w, const struct evidences *e, struct known *k)
{
	enum { LETTERS = 3, NOTS = 16 };
	size_t nots = 0;

	for (size_t i = 0; i < w->n; i++) {
		k->small[i] = w->word[i].kind == WORD_LETTERS && strlen(w->word[i].fold) <= LETTERS;
		k->joins[i] = streq(w->word[i].fold, ",");
	}
	for (size_t i = 0; i < e->n; i++)
		for (size_t word = e->at[i].first; one_of(e->at[i].kind, NO_ARTICLES) && word <= e->at[i].last; word++)
			k->small[word] = false;
	for (size_t i = 0; i < e->n; i++) {
		const struct evidence *x = &e->at[i];
		if (one_of(x->kind, "and|number_or")) {
			k->joins[x->last] |= x->first == x->last;
		} else if (one_of(x->kind, "role.in|role.at|role.via|role.route")) {
			for (size_t word = x->first; word <= x->last; word++)
				k->small[word] = true;
		} else if (refuses(x) && nots++ < NOTS && !says_else(e, x)) {
			k->not_from[x->last] = x->first + 1;
		} else if (streq(x->kind, "nor")) {
			k->nor_from[x->last] = x->first + 1;
		}
	}
	for (size_t i = 0; i < e->n; i++)
		for (size_t word = e->at[i].first; streq(e->at[i].kind, "role.near") && word <= e->at[i].last; word++)
			k->small[word] = false;
	return nots > 0;
}

/* "No faff": small letters that happen to be a code in a country where few of the pilots fly. */
static bool is_far_code(const struct evidence *e)
{
	return streq(e->kind, "place.code_small") && !country_preferred(icao_prefix_country(e->value));
}

/* The first word of the refusal, plus one; 0: the place is not refused. */
static size_t refused_from(const struct known *k, const struct evidence *place)
{
	const size_t first = place->first;

	enum { BETWEEN = 4 };
	for (size_t i = first; i > 0 && first - i <= BETWEEN; i--) {
		const size_t nor = k->nor_from[i - 1];
		if (k->not_from[i - 1] > 0)
			return k->not_from[i - 1];
		if (nor > 1 && k->refused[nor - 2])
			return nor;
		if (!k->small[i - 1])
			break;
	}
	return first > 1 && k->joins[first - 1] && k->refused[first - 2] ? first + 1 : 0;
}

void place_refused_find(const struct words *w, struct evidences *out)
{
	const size_t n = out->n;
	struct known k = {
		.not_from = arena_array(out->mem, w->n + 1, sizeof(*k.not_from)), .nor_from = arena_array(out->mem, w->n + 1, sizeof(*k.nor_from)),
		.small = arena_array(out->mem, w->n + 1, sizeof(*k.small)),
		.joins = arena_array(out->mem, w->n + 1, sizeof(*k.joins)), .refused = arena_array(out->mem, w->n + 1, sizeof(*k.refused)),
	};

	if (!look_at(w, out, &k))
		return;
	/* in the order of their words, because a place may be joined to the one before */
	for (size_t word = 0; word < w->n; word++)
		for (size_t i = 0; i < n; i++) {
			const struct evidence e = out->at[i];
			/* "not islands" does not refuse Iceland, which is Island in German */
			const bool islands = streq(e.kind, "country") && evidence_in(out, e.first, e.last, "region") != NULL;
			const bool place = one_of(e.kind, PLACES) && e.value != NULL && !islands && !is_far_code(&e);
			const size_t from = e.first == word && place ? refused_from(&k, &e) : 0;
			if (from == 0)
				continue;
			k.refused[e.last] = true;
			evidence_add(out, from - 1, e.last, "refused", e.value);
		}
}
