#include "airports/place_refused.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static const char PLACES[] = "country|country.code|place.code|place.code_small|place.iata|place.town|place.name|military";

/* Kinds of evidence: a short word of one of these is no "in" or "the". */
static const char NO_ARTICLES[] = "wish|topic|large|large=false|has_procedures|has_avgas|has_jet_a|fuel|fuel.other|hotel|notam|airport";

/* What is known of each word. */
struct known {
	size_t *not_from;        /* where the "not" begins that ends here, plus one; 0: none does */
	bool *also;              /* it means "also" if the message names no other place: "noch", "außer" */
	bool *small;             /* stands between "not" and a place: "in", "à", "the" */
	bool *joins;             /* two places: "or", "and", a comma */
	bool *refused;           /* a refused place ends here */
	size_t first, last;      /* of all places */
};

/* Does the "not" mean something else here, as in "not far"? also: it may mean "also". */
static bool says_else(const struct evidences *e, const struct evidence *not, bool *also)
{
	*also = false;
	for (size_t i = 0; i < e->n; i++) {
		const struct evidence *x = &e->at[i];
		const bool guessed = x->kind[0] == '~' || x->kind[0] == '+';
		if (x->first > not->first || x->last < not->last || guessed ||
		    one_of(x->kind, "not|no|wish|lift|drop|drop.behind|only|follow.add|follow.instead|follow.correct|number_word|bound.min|bound.max"))
			continue;
		if (!streq(x->kind, "also"))
			return true;
		*also = true;
	}
	return false;
}

/* False: nothing is refused. */
static bool look_at(const struct words *w, const struct evidences *e, struct known *k)
{
	enum { LETTERS = 3, NOTS = 16 };
	size_t nots = 0;
	bool also;

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
		} else if (streq(x->kind, "not") && nots++ < NOTS && !says_else(e, x, &also)) {
			k->not_from[x->last] = x->first + 1;
			k->also[x->last] = also;
		}
		if (one_of(x->kind, PLACES)) {
			k->first = x->first < k->first ? x->first : k->first;
			k->last = x->last > k->last ? x->last : k->last;
		}
	}
	for (size_t i = 0; i < e->n; i++)
		for (size_t word = e->at[i].first; streq(e->at[i].kind, "role.near") && word <= e->at[i].last; word++)
			k->small[word] = false;
	return nots > 0;
}

/* The first word of the refusal, plus one; 0: the place is not refused. */
static size_t refused_from(const struct known *k, const struct evidence *place)
{
	const size_t first = place->first;
	const bool elsewhere = k->first < first || k->last > place->last;

	enum { BETWEEN = 4 };
	for (size_t i = first; i > 0 && first - i <= BETWEEN; i--) {
		if (k->not_from[i - 1] > 0)
			return k->also[i - 1] && !elsewhere ? 0 : k->not_from[i - 1];
		if (!k->small[i - 1])
			break;
	}
	return first > 1 && k->joins[first - 1] && k->refused[first - 2] ? first + 1 : 0;
}

void place_refused_find(const struct words *w, struct evidences *out)
{
	const size_t n = out->n;
	struct known k = {
		.not_from = arena_array(out->mem, w->n + 1, sizeof(*k.not_from)), .also = arena_array(out->mem, w->n + 1, sizeof(*k.also)),
		.small = arena_array(out->mem, w->n + 1, sizeof(*k.small)),
		.joins = arena_array(out->mem, w->n + 1, sizeof(*k.joins)), .refused = arena_array(out->mem, w->n + 1, sizeof(*k.refused)), .first = w->n,
	};

	if (!look_at(w, out, &k))
		return;
	/* in the order of their words, because a place may be joined to the one before */
	for (size_t word = 0; word < w->n; word++)
		for (size_t i = 0; i < n; i++) {
			const struct evidence e = out->at[i];
			const size_t from = e.first == word && one_of(e.kind, PLACES) && e.value != NULL ? refused_from(&k, &e) : 0;
			if (from == 0)
				continue;
			k.refused[e.last] = true;
			evidence_add(out, from - 1, e.last, "refused", e.value);
		}
}
