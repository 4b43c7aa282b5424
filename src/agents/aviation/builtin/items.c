/*
 * First pass: every part of the message gets one meaning.
 *
 * The longest phrase of the lexicon is taken. A word that the lexicon does not know may be
 * coordinates, a country, an airport's code, or a typing error. Words that stay LX_NONE are
 * candidates for a place name.
 */
#include "agents/aviation/builtin/query.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/word_lists.h"
#include "airports/place.h"
#include "base/str.h"

enum { COORD_TOKENS = 14, COORD_NUMBERS = 6 /* degrees, minutes, seconds, twice */, COUNTRY_WORDS = 4,
	GUESSES = 24 };

bool item_mark(const struct reading *r, size_t i, const char *set)
{
	if (i >= r->n || r->item[i].class != LX_NONE)
		return false;
	const struct token *t = &r->x.tok[r->item[i].first];
	if (t->kind != TOK_SYMBOL)
		return false;
	return set == NULL || (strlen(t->fold) == 1 && strchr(set, t->fold[0]) != NULL);
}

bool item_is(const struct reading *r, size_t i, enum lex_class class, int value)
{
	return i < r->n && r->item[i].class == class && r->item[i].value == value;
}

const char *item_fold(const struct reading *r, size_t first, size_t last)
{
	return str_fold(r->mem,
	    lex_slice(r->mem, &r->x, r->item[first].first, r->item[last].last));
}

bool code_known(struct reading *r, const char *code, bool iata)
{
	struct airport airport;
	bool found = false;
	effort_spend(r->effort, EFFORT_LOOKUP, r->con != NULL);
	if (r->con == NULL ||
	    airdb_by_code(r->con, r->mem, code, &airport, &found, NULL) != OK || !found)
		return false;
	return strieq(airport.ident, code) || (iata && strieq(airport.iata, code));
}

bool name_known(struct reading *r, const char *folded)
{
	effort_spend(r->effort, EFFORT_LOOKUP, r->con != NULL);
	return r->con != NULL && place_known(r->con, folded);
}

/* How many compass letters belong to the word at i? In "4851N00217E" the word N00217E has two. */
static size_t letters_of_angles(const struct lexed *x, size_t i)
{
	const char *f = x->tok[i].fold;
	size_t n = strlen(f);
	bool before = i > 0 && x->tok[i - 1].kind == TOK_NUMBER && !x->tok[i].gap;
	if (strchr("nsew", f[0]) == NULL || (n > 1 && !isdigit((unsigned char)f[1])))
		return 0;
	if (before && n > 2 && isdigit((unsigned char)f[n - 2]) && strchr("nsew", f[n - 1]) != NULL)
		return 2;
	return 1;
}

/* "48,85", but not "1,200", which is read as thousands. */
static bool decimal_comma(const struct token *t)
{
	const char *comma = strchr(t->fold, ',');
	return comma != NULL && strchr(comma + 1, ',') == NULL && strlen(comma + 1) != 3;
}

/* Can these tokens be coordinates at all? "5, 10" cannot, without decimal points or a compass
 * letter. */
static bool coords_like(const struct lexed *x, size_t first, size_t last)
{
	size_t points = 0, compass = 0;
	for (size_t i = first; i <= last; i++) {
		const char *f = x->tok[i].fold;
		if (x->tok[i].kind == TOK_NUMBER)
			points += strchr(f, '.') != NULL || decimal_comma(&x->tok[i]);
		else if (x->tok[i].kind == TOK_WORD)
			compass += letters_of_angles(x, i);
	}
	return points >= 2 || compass >= 2;
}

/* How many tokens from i on may be coordinates, judged by their numbers and words. */
static size_t coords_most(const struct lexed *x, size_t i)
{
	size_t k = 0, numbers = 0;
	for (; k < COORD_TOKENS && i + k < x->n; k++) {
		const struct token *t = &x->tok[i + k];
		numbers += t->kind == TOK_NUMBER;
		if (numbers > COORD_NUMBERS ||
		    (t->kind == TOK_WORD && strchr("nsew", t->fold[0]) == NULL))
			break;
	}
	return k;
}

/* May token i follow the second of two numbers? A unit or a thing that is counted may not. */
static bool pair_ends(const struct reading *r, size_t i)
{
	size_t used;
	if (i >= r->x.n)
		return true;
	if (r->x.tok[i].kind == TOK_NUMBER)
		return false;
	return lexicon_match(r->lexicon, &r->x, i, LX_UNIT, &used) == NULL &&
	    lexicon_match(r->lexicon, &r->x, i, LX_NOUN, &used) == NULL &&
	    lexicon_match(r->lexicon, &r->x, i, LX_DIM, &used) == NULL;
}

/* The number of tokens of coordinates that begin at i; 0: there are none. */
static size_t coords_at(struct reading *r, size_t i)
{
	const struct lexed *x = &r->x;
	const struct token *t = &x->tok[i];
	double lat, lon;
	bool start = t->kind == TOK_NUMBER ||
	    (t->kind == TOK_WORD && strchr("nsew", t->fold[0]) != NULL &&
	        (t->fold[1] == '\0' ? i + 1 < x->n && x->tok[i + 1].kind == TOK_NUMBER
	                            : isdigit((unsigned char)t->fold[1]) != 0)) ||
	    (streq(t->fold, "-") && t->gap && i + 1 < x->n && x->tok[i + 1].kind == TOK_NUMBER);
	if (!start)
		return 0;
	for (size_t k = coords_most(x, i); k >= 2; k--)
		if (coords_like(x, i, i + k - 1) && (!decimal_comma(t) || pair_ends(r, i + k)) && r->coords-- > 0 &&
		    place_coords(lex_slice(r->mem, x, i, i + k - 1), &lat, &lon))
			return k;
	return 0;
}

static bool token_is(const struct lexed *x, size_t i, const char *set)
{
	return i < x->n && strlen(x->tok[i].fold) == 1 && strchr(set, x->tok[i].fold[0]) != NULL;
}

/* "N95", "95", "-95.5", "95 N" at *i, which is moved on; a compass letter is added to *compass. */
static bool angle_at(const struct lexed *x, size_t *i, size_t *compass)
{
	size_t at = *i;
	bool letter = false, number = false;
	if (at < x->n && x->tok[at].kind == TOK_WORD && strchr("nsew", x->tok[at].fold[0]) != NULL) {
		const char *p = x->tok[at].fold + 1;
		letter = *p == '\0' || strspn(p, "0123456789") == strlen(p);
		number = letter && *p != '\0';
		if (!letter)
			return false;
		at++;
	}
	if (!number && token_is(x, at, "-+"))
		at++;
	if (!number && (at >= x->n || x->tok[at++].kind != TOK_NUMBER))
		return false;
	if (!letter && token_is(x, at, "nsew")) {
		letter = true;
		at++;
	}
	*compass += letter;
	*i = at;
	return true;
}

/* Two numbers in the position of a place ("near 91, 200"): whole degrees, or coordinates off the
 * globe. */
static size_t pair_at(const struct reading *r, size_t i, bool *valid)
{
	const struct lexed *x = &r->x;
	const struct item *before = r->n > 0 ? &r->item[r->n - 1] : NULL;
	size_t at = i, compass = 0;
	double lat, lon;
	bool place = before != NULL && before->class == LX_ROLE && before->value != ROLE_IN &&
	    before->value != ROLE_FOR;
	if (!angle_at(x, &at, &compass))
		return 0;
	bool comma = token_is(x, at, ",");
	at += comma;
	/* "near 91,200": one number with a thousands separator for the lexer, two numbers here */
	bool glued = !comma && compass == 0 && strchr(x->tok[at - 1].fold, ',') != NULL;
	if (!glued && !angle_at(x, &at, &compass))
		return 0;
	if (compass != 2 && (compass != 0 || !place || !(comma || glued) || !pair_ends(r, at)))
		return 0;
	*valid = place_coords(lex_slice(r->mem, x, i, at - 1), &lat, &lon);
	return at - i;
}

static struct item *push(struct reading *r, enum lex_class class, size_t first, size_t used)
{
	struct item *it = &r->item[r->n++];
	it->class = class;
	it->first = first;
	it->last = first + used - 1;
	return it;
}

/* Country whose name begins at token i; *used is its length. */
static const struct country *country_said_at(struct reading *r, size_t i, size_t *used)
{
	const struct lexed *x = &r->x;
	size_t most = 1;
	if (r->countries-- <= 0)
		return NULL;
	while (most < COUNTRY_WORDS && i + most < x->n && x->tok[i + most].kind == TOK_WORD &&
	    !x->tok[i + most - 1].owner)
		most++;
	for (size_t k = most; k >= 1; k--) {
		const char *text = str_fold(r->mem, lex_slice(r->mem, x, i, i + k - 1));
		const struct country *c = country_by_name(text);
		if (c != NULL && strlen(text) > 1) {
			*used = k;
			return c;
		}
	}
	return NULL;
}

/* Two capitals are a country's code where a country can be: after "in", a comma, a bracket. */
static const struct country *country_code_at(const struct reading *r, size_t i)
{
	const struct token *t = &r->x.tok[i];
	if (!t->upper || r->x.shouted || strlen(t->fold) != 2 || r->n == 0)
		return NULL;
	const struct item *before = &r->item[r->n - 1];
	if (before->class != LX_ROLE && before->class != LX_FILLER && before->class != LX_COUNTRY &&
	    before->class != LX_AND && !item_mark(r, r->n - 1, ",("))
		return NULL;
	return country_by_code(t->fold);
}

static void push_country(struct reading *r, const struct country *c, size_t i, size_t used)
{
	push(r, LX_COUNTRY, i, used)->value = (int)c->index;
}

static bool code_shaped(const struct token *t)
{
	if (t->kind != TOK_WORD || !t->upper || strlen(t->fold) != 4)
		return false;
	for (const char *p = t->fold; *p != '\0'; p++)
		if (!isalpha((unsigned char)*p))
			return false;
	return true;
}

/* In the position of a code, even a code that the database does not have is meant as one: "from
 * ZZZZ". */
static bool code_expected(const struct reading *r, size_t i)
{
	const struct lexed *x = &r->x;
	if (!code_shaped(&x->tok[i]) || x->shouted)
		return false;
	size_t next = i + 1;
	if (next < x->n && (x->tok[next].kind == TOK_SYMBOL || streq(x->tok[next].fold, "to")))
		next++;
	return r->con == NULL || (next < x->n && code_shaped(&x->tok[next])) ||
	    (r->n > 0 && (r->item[r->n - 1].class == LX_ROLE ||
	        r->item[r->n - 1].class == LX_PLACE || item_is(r, r->n - 1, LX_CUE, CUE_TELL)));
}

/* If everything is in capitals, capitals are no sign of a code. */
static bool code_at(struct reading *r, size_t i)
{
	const struct token *t = &r->x.tok[i];
	size_t n = strlen(t->fold);
	if (t->kind != TOK_WORD || !t->upper || (n != 3 && n != 4) || r->budget <= 0)
		return false;
	for (size_t k = 0; k < n; k++)
		if (!isalnum((unsigned char)t->fold[k]))
			return false;
	r->budget--;
	if (r->x.shouted && name_known(r, t->fold))
		return false;
	if (code_known(r, t->fold, n == 3))
		return true;
	return code_expected(r, i);
}

/* "00A", "1G4": digits glued to letters. */
static size_t digit_code_at(struct reading *r, size_t i)
{
	const struct lexed *x = &r->x;
	if (x->tok[i].kind != TOK_NUMBER || i + 1 >= x->n || x->tok[i + 1].gap ||
	    x->tok[i + 1].kind != TOK_WORD || !x->tok[i + 1].upper)
		return 0;
	const char *code = lex_slice(r->mem, x, i, i + 1);
	return strlen(code) <= 4 && code_known(r, code, false) ? 2 : 0;
}

static void push_code(struct reading *r, size_t i, size_t used)
{
	struct item *it = push(r, LX_PLACE, i, used);
	it->spot.text = lex_slice(r->mem, &r->x, i, i + used - 1);
	it->spot.code = true;
	it->spot.known = code_known(r, it->spot.text, true);
	it->spot.missing = r->con != NULL && !it->spot.known;
}

static void push_row(struct reading *r, const struct lex_row *row, size_t i, size_t used)
{
	struct item *it = push(r, row->class, i, used);
	it->row = row;
	it->value = row->value;
	it->number = row->value;
}

/* Short units and weights are units only after a number; elsewhere "m" or "k" is just a letter, and
 * Ton is an airstrip. */
static bool row_fits(const struct reading *r, const struct lex_row *row)
{
	const bool weight = row->class == LX_UNIT && (row->value == UNIT_KG || row->value == UNIT_TONNE ||
	    row->value == UNIT_LB);
	if (row->class != LX_UNIT || row->value == UNIT_MONEY || (strlen(row->phrase) > 2 && !weight))
		return true;
	size_t n = r->n > 0 && item_mark(r, r->n - 1, "-") ? r->n - 1 : r->n;
	return n > 0 && (r->item[n - 1].class == LX_NUMBER || r->item[n - 1].class == LX_UNIT);
}

static size_t read_item(struct reading *r, size_t i)
{
	const struct token *t = &r->x.tok[i];
	size_t used = coords_at(r, i);
	bool valid = true;
	if (used == 0)
		used = pair_at(r, i, &valid);
	if (used > 0) {
		struct item *it = push(r, LX_PLACE, i, used);
		it->spot.text = lex_slice(r->mem, &r->x, i, i + used - 1);
		it->spot.known = it->spot.point = true;
		if (!valid)
			r->q->lack = LACK_COORDS;
		return used;
	}
	const struct lex_row *row = lexicon_match(r->lexicon, &r->x, i, LX_NONE, &used);
	/* "Northern Ireland", "South Africa": the country is the longer phrase */
	if (row != NULL && row->class == LX_BREAK && i + 1 < r->x.n &&
	    r->x.tok[i + 1].kind == TOK_WORD) {
		size_t longer = 0;
		const struct country *c = country_said_at(r, i, &longer);
		if (c != NULL && longer > used) {
			push_country(r, c, i, longer);
			return longer;
		}
	}
	if (row != NULL && row_fits(r, row)) {
		push_row(r, row, i, used);
		return used;
	}
	used = digit_code_at(r, i);
	if (used > 0) {
		push_code(r, i, used);
		return used;
	}
	if (t->kind == TOK_NUMBER) {
		push(r, LX_NUMBER, i, 1)->number = t->value;
		return 1;
	}
	if (t->kind == TOK_WORD) {
		const struct country *c = country_said_at(r, i, &used);
		if (c == NULL && (used = 1) == 1)
			c = country_code_at(r, i);
		if (c != NULL) {
			push_country(r, c, i, used);
			return used;
		}
		if (code_at(r, i)) {
			push_code(r, i, 1);
			return 1;
		}
	}
	push(r, LX_NONE, i, 1);
	return 1;
}

/* A word in the position of a place name is not corrected, because many villages resemble a
 * word. */
static bool place_position(const struct reading *r, size_t i)
{
	while (i > 0 && r->item[i - 1].class == LX_FILLER)
		i--;
	return i > 0 && r->item[i - 1].class == LX_ROLE && r->item[i - 1].value != ROLE_IN &&
	    r->item[i - 1].value != ROLE_OF;
}

static void guess(struct reading *r, struct item *it)
{
	const char *fold = r->x.tok[it->first].fold;
	if (word_listed(LIST_COMMON, fold) || name_known(r, fold))
		return;
	effort_spend(r->effort, EFFORT_SLIP, 1);
	const struct lex_row *row = lexicon_guess(r->lexicon, fold);
	if (row != NULL) {
		it->class = row->class;
		it->value = row->value;
		it->row = row;
		it->number = row->value;
		return;
	}
	if (strlen(fold) < 5)
		return;
	const struct country *c = lexicon_country(fold, NULL, NULL);
	if (c != NULL) {
		it->class = LX_COUNTRY;
		it->value = (int)c->index;
	}
}

/* "Not Lyon, I meant Nice": a place that is denied is ignored. */
static void drop_denied(struct reading *r)
{
	if (r->n == 0 || r->item[0].class != LX_NOT)
		return;
	for (size_t i = 1; i < r->n; i++)
		if (r->item[i].class == LX_CUE && (r->item[i].value & CUE_CORRECT) != 0) {
			while (i-- > 0)
				r->item[i].used = true;
			return;
		}
}

void read_items(struct reading *r)
{
	int guesses = GUESSES;
	r->item = arena_array(r->mem, r->x.n + 1, sizeof(*r->item));
	for (size_t i = 0; i < r->x.n;)
		i += read_item(r, i);
	for (size_t i = 0; i < r->n && guesses > 0; i++) {
		struct item *it = &r->item[i];
		const struct token *t = &r->x.tok[it->first];
		if (it->class != LX_NONE || t->kind != TOK_WORD || strlen(t->fold) < 4 ||
		    (t->title && i > 0 && !r->x.shouted) || place_position(r, i))
			continue;
		guesses--;
		guess(r, it);
	}
	drop_denied(r);
}
