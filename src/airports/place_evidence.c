/*
 * From each word of the message on, the longest names that are known.
 *
 * The names of the database are found without a look-up for each span: among the keys that are not greater
 * than the words from here on, the greatest one shares the most first words with them. So one or two look-ups a
 * word are enough, and names may have any number of words.
 */
#include "airports/place_evidence.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/areas.h"
#include "airports/countries.h"
#include "airports/gazetteer.h"
#include "airports/icao_prefix.h"
#include "airports/place.h"
#include "airports/place_key.h"
#include "airports/place_refused.h"
#include "airports/place_slip.h"
#include "airports/towns.h"
#include "base/arena.h"
#include "base/str.h"

enum {
	NAME_WORDS = 6,               /* longest name */
	STEPS = 8,                    /* look-ups for one first word */
	SLIPS = 4,                    /* words of a message that may be slips */
	SLIP_LETTERS = 6,             /* shorter words are not looked at */
	SLIP_WORDS = 2,               /* longest name with a slip */
	HEAD_WORDS = 3,               /* first words of a name that stand for it */
	HEAD_LETTERS = 4,             /* a shorter word does not */
	COORDS_WORDS = 16,
};
static const double town_weight = 20;  /* that of a town with a medium airport and some small ones */

struct finder {
	struct aircon *con;
	struct db *db;                /* NULL: none */
	const struct words *w;
	struct evidences *out;
	char (*key)[PLACE_KEY_MAX];   /* of each word; empty: no part of a name */
	bool *ordinary;               /* the vocabulary knows the word */
	bool *place;                  /* part of a name that was found */
	size_t slips;
	bool prefixes;                /* the message has a code of two letters that only begins idents ("EB") */
};

/* The words of a possible name, and how many of them a part of its text has. */
struct span {
	size_t first, n;
	size_t last[NAME_WORDS];      /* of the message */
	size_t length[NAME_WORDS];    /* of the text up to there */
	char text[PLACE_KEY_MAX];
};

/* ---- words --------------------------------------------------------------------------- */

static bool joins(const struct word *sign)
{
	return sign->kind == WORD_SIGN && (streq(sign->fold, "-") || streq(sign->fold, "'") ||
	    streq(sign->fold, ".") || streq(sign->fold, "/"));
}

static void read_keys(struct finder *f)
{
	const struct words *w = f->w;

	f->key = arena_array(f->out->mem, w->n + 1, sizeof(*f->key));
	f->ordinary = arena_array(f->out->mem, w->n + 1, sizeof(*f->ordinary));
	f->place = arena_array(f->out->mem, w->n + 1, sizeof(*f->place));
	for (size_t i = 0; i < w->n; i++)
		if (w->word[i].kind == WORD_LETTERS) {
			bool generic;
			place_key(f->key[i], w->word[i].fold, false, &generic);
			if (generic)
				f->key[i][0] = '\0';
		}
	for (size_t i = 0; i < f->out->n; i++) {
		const struct evidence *e = &f->out->at[i];
		if (e->first == e->last && e->kind[0] != '~' && e->kind[0] != '+')
			f->ordinary[e->first] = true;
	}
}

static struct span span_at(const struct finder *f, size_t first)
{
	struct span s = { .first = first };
	size_t n = 0;

	for (size_t i = first; i < f->w->n && s.n < NAME_WORDS; i++) {
		const size_t length = strlen(f->key[i]);
		if (i > first && joins(&f->w->word[i]) && i + 1 < f->w->n &&
		    (!f->w->word[i + 1].gap || f->w->word[i].fold[0] == '.'))
			continue;
		if (length == 0 || n + length + 2 > sizeof(s.text))
			break;
		if (n > 0)
			s.text[n++] = ' ';
		memcpy(s.text + n, f->key[i], length + 1);
		n += length;
		s.last[s.n] = i;
		s.length[s.n++] = n;
	}
	return s;
}

static const char *span_text(const struct finder *f, const struct span *s, size_t n)
{
	return arena_strndup(f->out->mem, s->text, s->length[n - 1]);
}

static void add(struct finder *f, const struct span *s, size_t n, const char *kind, const char *value)
{
	evidence_add(f->out, s->first, s->last[n - 1], kind, value);
	for (size_t i = s->first; i <= s->last[n - 1]; i++)
		f->place[i] = true;
}

/* A town or airport. Short words and those of the vocabulary are rarely meant as places. */
static void add_name(struct finder *f, const struct span *s, size_t n, const char *kind, const char *key)
{
	const bool common = n == 1 && (f->ordinary[s->first] || place_common(key) || strlen(key) < 3);

	add(f, s, n, common ? "place.common" : kind, key);
}

/* ---- facts --------------------------------------------------------------------------- */

/* "Brits", "Germans" */
static const struct country *people_of(const char *word)
{
	char one[PLACE_KEY_MAX];
	const size_t n = strlen(word);
	const struct country *c = country_by_people(word);

	if (c != NULL || n < 5 || word[n - 1] != 's')
		return c;
	memcpy(one, word, n - 1);
	one[n - 1] = '\0';
	c = country_by_people(one);
	return c != NULL ? c : country_by_name(one);
}

static void find_facts(struct finder *f, const struct span *s)
{
	for (size_t n = s->n; n > 0; n--) {
		const char *text = span_text(f, s, n);
		const struct country *c = country_by_name(text);
		if (c == NULL && n == 1)
			c = people_of(text);
		if (c != NULL)
			add(f, s, n, "country", c->code);
		if (area_named(text, 0) != NULL)
			add(f, s, n, "place.area", text);
		if (town_named(text))
			add_name(f, s, n, "place.town", text);
	}
}

/* ---- the database -------------------------------------------------------------------- */

/* What places have this key? */
static void add_hits(struct finder *f, const struct span *s, size_t n, const char *key)
{
	static const char sql[] = "SELECT kind, weight FROM place WHERE key = ? LIMIT 16";
	struct db_stmt *q = db_query(f->db, sql, NULL, DB_TEXT(key));
	bool region = false, name = false;
	double weight = 0;

	while (db_step(q, NULL) == DB_ROW) {
		const int64_t kind = db_int_at(q, 0);
		region |= kind == GAZ_REGION;
		name |= kind == GAZ_CITY || kind == GAZ_AIRPORT;
		if (kind == GAZ_CITY)
			weight = fmax(weight, db_double_at(q, 1));
	}
	db_done(q);
	if (region)
		add(f, s, n, "place.area", key);
	if (name)
		add_name(f, s, n, weight >= town_weight ? "place.town" : "place.name", key);
}

/* How many whole words have the key and the first n words of the span in common? */
static size_t common_words(const struct span *s, size_t n, const char *key)
{
	size_t same = 0, k = 0;

	while (key[same] != '\0' && same < s->length[n - 1] && key[same] == s->text[same])
		same++;
	for (size_t i = 0; i < n; i++)
		if (s->length[i] <= same && (key[s->length[i]] == ' ' || key[s->length[i]] == '\0'))
			k = i + 1;
	return k;
}

static void find_names(struct finder *f, const struct span *s)
{
	static const char sql[] = "SELECT key FROM place WHERE key <= ? ORDER BY key DESC LIMIT 1";
	size_t n = s->n;

	for (int step = 0; n > 0 && step < STEPS; step++) {
		const char *text = span_text(f, s, n);
		struct db_stmt *q = db_query(f->db, sql, NULL, DB_TEXT(text));
		const bool some = db_step(q, NULL) == DB_ROW;
		const char *key = some ? arena_strdup(f->out->mem, db_text(q, 0)) : NULL;
		db_done(q);
		if (key == NULL)
			return;
		const size_t same = common_words(s, n, key);
		if (same > 0 && strlen(key) == s->length[same - 1]) {
			add_hits(f, s, same, key);
			n = same - 1;
		} else {
			n = same < n ? same : n - 1;
		}
	}
}

/* Does a name of a place in Europe go on after this text? */
static bool begins_name(struct finder *f, const char *text)
{
	static const char sql[] = "SELECT country FROM place WHERE key > ? AND key < ? LIMIT 40";
	struct db_stmt *q = db_query(f->db, sql, NULL, DB_TEXT(arena_printf(f->out->mem, "%s ", text)),
	    DB_TEXT(arena_printf(f->out->mem, "%s!", text)));
	bool found = false;

	while (!found && db_step(q, NULL) == DB_ROW)
		found = db_text(q, 0) != NULL && country_preferred(db_text(q, 0));
	db_done(q);
	return found;
}

/* "Lydd" of "Lydd London Ashford": the first words of a name, the longest that is no name as it stands. */
static void find_beginning(struct finder *f, const struct span *s)
{
	size_t n = s->n < HEAD_WORDS ? s->n : HEAD_WORDS;
	const struct word *w = &f->w->word[s->first];

	if (f->place[s->first] || !(w->title || f->w->whispered || f->w->shouted))
		return;
	for (; n > 0; n--) {
		const char *text = span_text(f, s, n);
		const size_t last = s->last[n - 1], least = n == 1 ? HEAD_LETTERS : HEAD_LETTERS - 1;
		if (!f->ordinary[last] && strlen(f->key[last]) >= least && !place_common(f->key[last]) &&
		    begins_name(f, text)) {
			add(f, s, n, "place.part", text);
			return;
		}
	}
}

/* "dusseldorf" for "duesseldorf", and the other way round */
static void find_unspelt(struct finder *f, const struct span *s)
{
	struct span other = *s;
	char text[PLACE_KEY_MAX];

	if (s->n == 0)
		return;
	memcpy(text, s->text, s->length[0]);
	text[s->length[0]] = '\0';
	place_unspelt(other.text, text);
	if (streq(other.text, text))
		return;
	other.n = 1;
	other.length[0] = strlen(other.text);
	find_facts(f, &other);
	if (f->db != NULL)
		add_hits(f, &other, 1, arena_strdup(f->out->mem, other.text));
}

/* "Kretas", "Ostfriesischen Inseln": the endings that German gives to names. */
static void find_inflected(struct finder *f, const struct span *s)
{
	struct span other = *s;
	const size_t n = s->n < 2 ? s->n : 2, length = n > 0 ? s->length[n - 1] : 0, first = n > 0 ? s->length[0] : 0;

	if (n == 0 || f->place[s->first] || f->ordinary[s->first])
		return;
	if (n == 2 && first > SLIP_LETTERS && s->text[first - 1] == 'n' && s->text[first - 2] == 'e') {
		memmove(other.text + first - 1, s->text + first, length - first + 1);
		other.n = n;
		other.length[0]--;
		other.length[1]--;
		other.text[length - 1] = '\0';
		find_facts(f, &other);
	} else if (first >= SLIP_LETTERS && s->text[first - 1] == 's') {
		other.n = 1;
		other.length[0] = first - 1;
		other.text[first - 1] = '\0';
		find_facts(f, &other);
		if (f->db != NULL)
			find_names(f, &other);
	}
}

/* The town that the word, or the two words from here, may have been meant for. */
static void find_slip(struct finder *f, size_t i)
{
	const struct span s = span_at(f, i);
	const struct word *w = &f->w->word[i];

	if (strlen(f->key[i]) < SLIP_LETTERS || f->place[i] || f->ordinary[i] || f->slips == SLIPS ||
	    !(w->title || f->w->whispered || f->w->shouted))
		return;
	f->slips++;
	for (size_t n = s.n < SLIP_WORDS ? s.n : SLIP_WORDS; n > 0; n--) {
		const char *key = place_slip(f->db, f->out->mem, span_text(f, &s, n), PLACE_ONE_SLIP);
		if (key == NULL)
			continue;
		evidence_add(f->out, i, s.last[n - 1], "place.slip", key);
		return;
	}
}

/* ---- codes --------------------------------------------------------------------------- */

enum code { CODE_NONE, CODE_IDENT, CODE_IATA };

static enum code known_code(struct finder *f, const char *code)
{
	static const char sql[] = "SELECT min(kind) FROM code WHERE code = ?";
	enum code kind = CODE_NONE;

	if (f->db == NULL)
		return CODE_NONE;
	struct db_stmt *q = db_query(f->db, sql, NULL, DB_TEXT(code));
	if (db_step(q, NULL) == DB_ROW && !db_is_null(q, 0))
		kind = db_int_at(q, 0) == 1 ? CODE_IATA : CODE_IDENT;
	db_done(q);
	return kind;
}

/* In a text all of capitals they count if it is hardly more than them ("EI?"). */
static bool two_capitals(const struct finder *f, size_t i)
{
	return f->w->word[i].kind == WORD_LETTERS && f->w->word[i].upper && strlen(f->w->word[i].fold) == 2 &&
	    (!f->w->shouted || (f->w->n <= 2 && !f->ordinary[i]));
}

/* "FR" is France, and so is "LF" for pilots. "ES" may be Spain or Sweden, whose idents begin with it: where another code of the
 * message can only be such a beginning, it is one too. */
static const char *country_of_two(const struct finder *f, size_t i)
{
	const char *fold = f->w->word[i].fold;
	const struct country *iso = country_by_code(fold);
	const char *prefix = icao_prefix_country(str_upper_copy(f->out->mem, fold, 2));

	if (prefix != NULL && !country_preferred(prefix))
		prefix = NULL;
	if (iso == NULL || (prefix != NULL && (f->prefixes || !country_preferred(iso->code))))
		return prefix;
	return iso->code;
}

static bool has_prefixes(const struct finder *f)
{
	for (size_t i = 0; i < f->w->n; i++) {
		const struct country *iso = two_capitals(f, i) ? country_by_code(f->w->word[i].fold) : NULL;
		if (two_capitals(f, i) && (iso == NULL || !country_preferred(iso->code)) && country_of_two(f, i) != NULL)
			return true;
	}
	return false;
}

static void find_code(struct finder *f, size_t i)
{
	const struct word *w = &f->w->word[i];
	const size_t n = strlen(w->fold);
	size_t letters = 0;

	if (two_capitals(f, i) && country_of_two(f, i) != NULL)
		evidence_add(f->out, i, i, "country.code", country_of_two(f, i));
	if (w->kind != WORD_LETTERS || n < 3 || n > 7)
		return;
	for (size_t k = 0; k < n; k++) {
		if (!isalnum((unsigned char)w->fold[k]))
			return;
		letters += isalpha((unsigned char)w->fold[k]) != 0;
	}
	const char *code = str_upper_copy(f->out->mem, w->fold, n);
	const enum code known = known_code(f, code);
	/* "N44" has no second letter, so that it does not count as capitals */
	const bool capitals = w->upper || (letters == 1 && w->title);
	if (known == CODE_IDENT)
		evidence_add(f->out, i, i, capitals && !f->w->shouted ? "place.code" : "place.code_small", code);
	else if (known == CODE_IATA && capitals && !f->w->shouted)
		evidence_add(f->out, i, i, "place.iata", code);
	else if (n == 4 && letters == 4 && capitals && !f->w->shouted)
		evidence_add(f->out, i, i, icao_prefix_country(code) != NULL ? "place.code_shape"
		    : "place.code_unknown", code);
	if (known == CODE_IDENT)
		f->place[i] = true;
}

/* ---- coordinates --------------------------------------------------------------------- */

static bool coords_part(const struct word *w)
{
	if (w->kind == WORD_NUMBER)
		return true;
	if (w->kind == WORD_LETTERS)
		return strchr("nsewo", w->fold[0]) != NULL && w->fold[1 + strspn(w->fold + 1, "0123456789")] == '\0';
	return strlen(w->fold) <= 3 && (strchr("-'\".,/", w->fold[0]) != NULL || (unsigned char)w->fold[0] >= 0x80);
}

/* The longest row of words from here that are coordinates; its last word, `first` if there is none. */
static size_t find_coords(struct finder *f, size_t first)
{
	size_t end = first;
	double lat, lon;

	if (f->w->word[first].kind == WORD_SIGN && !streq(f->w->word[first].fold, "-"))
		return first;
	while (end < f->w->n && end - first < COORDS_WORDS && coords_part(&f->w->word[end]))
		end++;
	/* a comma or a point behind them ends a sentence */
	while (end > first + 1 && strchr(",.-/", f->w->word[end - 1].fold[0]) != NULL)
		end--;
	for (size_t last = end; last > first + 1; last--) {
		const char *text = words_slice(f->out->mem, f->w, first, last - 1);
		if (place_coords(text, &lat, &lon)) {
			evidence_add(f->out, first, last - 1, "coords", text);
			return last - 1;
		}
	}
	return first;
}

/* ---- all together -------------------------------------------------------------------- */

static void find(void *self, const struct words *w, struct evidences *out)
{
	struct finder f = { .con = self, .w = w, .out = out };
	size_t coords = 0;            /* up to here they are read */

	f.db = f.con != NULL ? aircon_db(f.con, NULL) : NULL;
	read_keys(&f);
	f.prefixes = has_prefixes(&f);
	for (size_t i = 0; i < w->n; i++) {
		if (i >= coords)
			coords = find_coords(&f, i) + 1;
		find_code(&f, i);
		const struct span s = span_at(&f, i);
		find_facts(&f, &s);
		if (f.db != NULL && s.n > 0)
			find_names(&f, &s);
		find_unspelt(&f, &s);
		find_inflected(&f, &s);
		if (f.db != NULL && s.n > 0)
			find_beginning(&f, &s);
	}
	for (size_t i = 0; f.db != NULL && i < w->n; i++)
		find_slip(&f, i);
	place_refused_find(w, out);
}

struct evidence_source place_evidence(struct aircon *con)
{
	return (struct evidence_source){ find, con };
}
