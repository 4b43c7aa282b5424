/*
 * Names are found by their position and checked against the gazetteer: the longest sequence of
 * words that the database knows is the name. A name that it does not know is taken as it is, up to
 * the next word with a meaning, so that a geocoder or the answer can deal with it.
 *
 * A country after a name belongs to the name if there is such a place in that country ("Cambridge
 * in the UK"); otherwise it limits the search.
 */
#include "agents/aviation/builtin/place_mentions.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/builtin/word_lists.h"
#include "airports/place.h"
#include "base/str.h"

enum { NAME_ITEMS = 6 };

static const struct token *token_of(const struct reading *r, size_t i)
{
	return &r->x.tok[r->item[i].first];
}

static bool plain_word(const struct reading *r, size_t i)
{
	return i < r->n && r->item[i].class == LX_NONE && !r->item[i].used &&
	    token_of(r, i)->kind == TOK_WORD;
}

static bool capital(const struct reading *r, size_t i)
{
	return token_of(r, i)->title && !r->x.shouted;
}

/* Small words inside names: "Isle of Wight", "Frankfurt am Main", "Stow-on-the-Wold". */
static bool particle(const struct reading *r, size_t i)
{
	return word_listed(LIST_INSIDE_NAMES, token_of(r, i)->fold) || item_mark(r, i, "-'./");
}

/* May items i..i+k-1 be one name at all? */
static bool span_fits(const struct reading *r, size_t i, size_t k)
{
	bool word = false;
	for (size_t j = i; j < i + k; j++) {
		const struct item *it = &r->item[j];
		if (it->used || it->class == LX_PLACE || it->class == LX_NUMBER ||
		    (token_of(r, j)->kind == TOK_SYMBOL && !item_mark(r, j, "-'./")) ||
		    (j + 1 < i + k && r->x.tok[it->last].owner))
			return false;
		word |= it->class == LX_NONE && token_of(r, j)->kind == TOK_WORD;
		/* Capitals make a name of common words: "The Hague", "Best". */
		word |= it->class != LX_NONE && j > 0 && capital(r, j);
		word |= it->class == LX_COUNTRY && k > 1;
	}
	const struct item *last = &r->item[i + k - 1];
	/* "Fairoaks Airport" is a name, "Paris airports" is not. */
	const char *end = r->x.tok[last->last].fold;
	if (last->class == LX_NOUN && (k == 1 || end[strlen(end) - 1] == 's'))
		return false;
	return word && last->class != LX_ROLE && last->class != LX_FILLER &&
	    !item_mark(r, i, NULL) && !item_mark(r, i + k - 1, NULL) &&
	    !(r->item[i].class == LX_AND) && r->item[i].class != LX_ROLE;
}

static bool span_known(struct reading *r, size_t i, size_t k)
{
	return r->con != NULL && span_fits(r, i, k) && r->budget-- > 0 &&
	    name_known(r, item_fold(r, i, i + k - 1));
}

static const char *span_text(const struct reading *r, size_t first, size_t last)
{
	return lex_slice(r->mem, &r->x, r->item[first].first, r->item[last].last);
}

/* The length of the longest known name at i; 0: there is none. */
static size_t known_at(struct reading *r, size_t i)
{
	size_t most = r->n - i < NAME_ITEMS ? r->n - i : NAME_ITEMS;
	for (size_t k = most; k >= 1; k--)
		if (span_known(r, i, k))
			return k;
	return 0;
}

/* "egtf": an ident without capitals. */
static bool small_code(struct reading *r, size_t i)
{
	const struct token *t = token_of(r, i);
	if (!plain_word(r, i) || strlen(t->fold) != 4)
		return false;
	for (const char *p = t->fold; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p))
			return false;
	return r->budget-- > 0 && code_known(r, t->fold, false);
}

bool place_mention_noun(const struct reading *r, size_t i)
{
	if (i >= r->n || r->item[i].class != LX_NOUN)
		return false;
	const char *fold = token_of(r, i)->fold;
	return word_listed(LIST_AFTER_NAMES, fold);
}

/* Is item i a hyphen inside a word: "Lee-on-Solent"? */
static bool glue(const struct reading *r, size_t i)
{
	return item_mark(r, i, "-") && i + 1 < r->n && !token_of(r, i)->gap &&
	    !token_of(r, i + 1)->gap && token_of(r, i + 1)->kind == TOK_WORD &&
	    r->item[i + 1].class != LX_PLACE;
}

/* Words at i that neither lexicon nor gazetteer knows, up to the next meaning. If the name begins
 * with a capital, each word of it must. */
static size_t unknown_at(const struct reading *r, size_t i)
{
	size_t k = 0;
	while (k < NAME_ITEMS && i + k < r->n) {
		if (k > 0 && glue(r, i + k)) {
			k += 2;
		} else if (capital(r, i) && capital(r, i + k) && !token_of(r, i + k)->upper &&
		    (k > 0 || (plain_word(r, i + 1) && capital(r, i + 1))) &&
		    (r->item[i + k].class == LX_BREAK || r->item[i + k].class == LX_FILLER)) {
			k++;                                 /* "Long Island", "South Cerney" */
		} else if (plain_word(r, i + k)) {
			if (k > 0 && capital(r, i) && !capital(r, i + k))
				break;
			k++;
			if (r->x.tok[r->item[i + k - 1].last].owner)
				break;
		} else if (k > 0 && particle(r, i + k) && plain_word(r, i + k + 1) &&
		    (capital(r, i + k + 1) || streq(token_of(r, i + k)->fold, "of") ||
		        item_mark(r, i + k, NULL) || plain_word(r, i + k))) {
			if (item_mark(r, i + k, "./") || r->item[i + k].class == LX_AND)
				break;
			k++;
		} else {
			break;
		}
	}
	/* "Little Snoring Airfield": the noun is part of the name. */
	return k > 0 && place_mention_noun(r, i + k) ? k + 1 : k;
}

bool place_mention_adjective(const struct reading *r, size_t i)
{
	const char *fold = item_fold(r, i, i);
	const struct country *c = country_at((size_t)r->item[i].value);
	/* "Jersey" is both a country and an adjective */
	return !streq(fold, str_fold(r->mem, c->name)) && one_of(fold, c->adjectives);
}

static bool resolves(struct reading *r, const char *text, const char *country)
{
	struct place place;
	bool found = false;
	effort_spend(r->effort, EFFORT_PLACE, 1);
	if (place_resolve(r->con, r->mem, NULL, text, country, &place, &found, NULL) != OK || !found)
		return false;
	return country == NULL || strieq(place.country, country);
}

/* A country or region right after the name: "Cambridge, UK", "Lyon (FR)", "Paris, Texas". */
static void take_context(struct reading *r, struct place_mention *s, size_t *next)
{
	size_t j = *next;
	bool comma = item_mark(r, j, ",("), in = item_is(r, j, LX_ROLE, ROLE_IN);
	if (s->code)
		return;
	j += comma || in;
	if (comma && item_is(r, j, LX_ROLE, ROLE_IN))
		j++;
	while (j < r->n && r->item[j].class == LX_FILLER)
		j++;
	if (j >= r->n || r->item[j].used)
		return;
	const char *text = NULL;
	size_t last = j;
	if (r->item[j].class == LX_COUNTRY) {
		const struct country *c = country_at((size_t)r->item[j].value);
		if (place_mention_adjective(r, j))
			return;
		if (r->con == NULL || !s->known || resolves(r, s->text, c->code))
			text = span_text(r, j, j);
	} else if ((comma || in) && plain_word(r, j) && capital(r, j)) {
		size_t k = unknown_at(r, j);
		last = j + k - 1;
		const char *region = span_text(r, j, last);
		const char *both = arena_printf(r->mem, "%s, %s", s->text, region);
		bool known = r->con != NULL && name_known(r, str_fold(r->mem, region));
		bool ok = !known || resolves(r, both, NULL);
		if (k > 0 && ok)
			text = region;
	}
	if (text == NULL)
		return;
	s->text = arena_printf(r->mem, "%s, %s", s->text, text);
	*next = last + 1;
	if (item_mark(r, *next, ")"))
		++*next;
}

/* "Fairoaks (EGTF)": the code is the most precise. */
static bool bracketed_code(const struct reading *r, size_t i, struct place_mention *out,
    size_t *next)
{
	if (!item_mark(r, i, "(") || i + 1 >= r->n || r->item[i + 1].class != LX_PLACE)
		return false;
	*out = r->item[i + 1].spot;
	*next = i + 2 + item_mark(r, i + 2, ")");
	return true;
}

static bool named(struct reading *r, size_t i, size_t k, bool known, struct place_mention *out,
    size_t *next)
{
	/* In "lyon grass strip" the name is lyon; "lyon airport" is the airport, not the town. */
	bool noun = k > 1 && r->item[i + k - 1].class == LX_NOUN && !capital(r, i + k - 1) &&
	    !place_mention_noun(r, i + k - 1);
	*out = (struct place_mention){ .text = span_text(r, i, i + k - 1 - noun), .known = known };
	*next = i + k;
	if (!bracketed_code(r, *next, out, next))
		take_context(r, out, next);
	return true;
}

bool place_mention_at(struct reading *r, size_t i, enum belief belief, struct place_mention *out,
    size_t *next)
{
	while (i < r->n && item_mark(r, i, "\"':"))
		i++;
	if (i < r->n && r->item[i].class == LX_FILLER) {
		size_t k = belief == BELIEF_KNOWN ? 0 : known_at(r, i);
		if (k > 1 && capital(r, i + 1))
			return named(r, i, k, true, out, next);
		while (i < r->n && r->item[i].class == LX_FILLER && !capital(r, i))
			i++;
	}
	while (i < r->n && item_mark(r, i, "\"'"))
		i++;
	if (i >= r->n || r->item[i].used)
		return false;
	if (r->item[i].class == LX_PLACE) {
		*out = r->item[i].spot;
		*next = i + 1;
		struct place_mention again;
		bracketed_code(r, *next, &again, next);
		return true;
	}
	size_t k = known_at(r, i);
	/* "in Scotland": other names of a country that are areas of their own */
	if (r->item[i].class == LX_COUNTRY && k <= 1 && !place_mention_adjective(r, i) &&
	    place_names_area(item_fold(r, i, i))) {
		*out = (struct place_mention){ .text = span_text(r, i, i), .known = true };
		*next = i + 1;
		return true;
	}
	if (r->item[i].class == LX_COUNTRY && k <= 1) {
		if (belief != BELIEF_ANY || place_mention_adjective(r, i))
			return false;
		*out = (struct place_mention){ .text = span_text(r, i, i), .known = true,
			.country = country_at((size_t)r->item[i].value) };
		*next = i + 1;
		return true;
	}
	/* A lexicon word that is also a village: only in the position of a name, or with a
	 * capital. */
	if (k == 1 && r->item[i].class != LX_NONE && (belief == BELIEF_KNOWN || !capital(r, i)))
		k = 0;
	if (k == 1 && belief == BELIEF_KNOWN && !capital(r, i) && !r->x.whispered && !r->x.shouted)
		k = 0;
	/* The gazetteer may know only the beginning of the name: "Lake" of "Lake Constance". */
	size_t u = belief == BELIEF_KNOWN ? 0 : unknown_at(r, i);
	bool longer = u > k && (glue(r, i + k) ? known_at(r, i + k + 1) == 0
	                                       : capital(r, i + k) && !item_mark(r, i + k, NULL));
	if (k > 0 && !longer)
		return named(r, i, k, true, out, next);
	if ((belief != BELIEF_KNOWN || (r->x.whispered && r->flying)) && small_code(r, i)) {
		*out = (struct place_mention){ .text = span_text(r, i, i), .code = true, .known = true };
		*next = i + 1;
		return true;
	}
	if (u == 0 || (belief == BELIEF_NAME && r->con != NULL && !capital(r, i) &&
	    !r->x.shouted && !place_mention_noun(r, i + u - 1)))
		return false;
	return named(r, i, u, false, out, next);
}

bool place_mention_before(struct reading *r, size_t end, struct place_mention *out, size_t *first)
{
	while (end > 0 && item_mark(r, end - 1, "\"',)"))
		end--;
	if (end == 0)
		return false;
	size_t i = end - 1, next;
	if (r->item[i].class == LX_PLACE && !r->item[i].used) {
		*out = r->item[i].spot;
		*first = i;
		return true;
	}
	size_t most = end < NAME_ITEMS ? end : NAME_ITEMS;
	for (size_t k = most; k >= 1; k--)
		if (span_known(r, end - k, k) &&
		    (k > 1 || r->item[i].class == LX_NONE || capital(r, i))) {
			*first = end - k;
			return named(r, end - k, k, true, out, &next);
		}
	if (small_code(r, i)) {
		*out = (struct place_mention){ .text = span_text(r, i, i), .code = true, .known = true };
		*first = i;
		return true;
	}
	/* An unknown name, read backwards to the last word with a meaning; once there are capitals,
	 * only capitals. */
	size_t k = 0;
	while (k < NAME_ITEMS && k < end && plain_word(r, i - k) &&
	    (r->x.whispered || capital(r, i - k)))
		k++;
	if (k == 0)
		return false;
	*out = (struct place_mention){ .text = span_text(r, end - k, i) };
	*first = end - k;
	return true;
}
