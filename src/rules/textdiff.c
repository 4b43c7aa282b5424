/*
 * How far answers differ by their words, if there are no vectors.
 *
 * A text becomes a vector of its words, and texts are compared like vectors of meaning: by the
 * cosine. Plain counts would miss what matters to a pilot, so three things have more weight:
 *   - a number counts as several words: 500 and 1000 ft are very different;
 *   - "not" has a weight that grows with the text: it changes a long sentence as much as a short one;
 *   - the yes or no at the beginning of an answer counts as much as all the rest, and the two are
 *     opposites: they differ more than answers that have nothing in common.
 *
 * The mean over all pairs is computed from the sum of the vectors, not from the pairs.
 */
#include "rules/compare.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum {
	WORDS_MAX = 2000,     /* of one text; further ones are ignored */
	OPENING = 2,          /* words of a sentence that may contain an answer's yes or no */
	NUMBER = 2,           /* a number counts as this many words */
};
static const double NEGATION = 0.6, VERDICT = 1;     /* as shares of the words' length */

/* One dimension of one text's vector. */
struct weight {
	uint64_t word;
	size_t text;
	double w;
};

struct weights {
	struct weight *w;
	size_t n, size;
};

/* The special meaning of a word. */
enum sense { PLAIN, EMPTY, LINK, YES, NO };      /* LINK: begins an address */

static const struct {
	const char *word;
	enum sense sense;
} senses[] = {
	{ "yes", YES }, { "affirm", YES }, { "affirmative", YES }, { "yep", YES },
	{ "no", NO }, { "not", NO }, { "none", NO }, { "never", NO }, { "nothing", NO },
	{ "neither", NO }, { "nor", NO }, { "without", NO }, { "cannot", NO }, { "non", NO },
	{ "negative", NO }, { "nope", NO }, { "nil", NO }, { "prohibited", NO },
	{ "forbidden", NO }, { "banned", NO }, { "impossible", NO }, { "illegal", NO },
	{ "unable", NO },
	{ "a", EMPTY }, { "an", EMPTY }, { "the", EMPTY }, { "is", EMPTY }, { "are", EMPTY },
	{ "be", EMPTY }, { "of", EMPTY }, { "to", EMPTY }, { "in", EMPTY }, { "on", EMPTY },
	{ "at", EMPTY }, { "for", EMPTY }, { "it", EMPTY }, { "its", EMPTY }, { "this", EMPTY },
	{ "that", EMPTY }, { "there", EMPTY },
	{ "https", LINK }, { "http", LINK }, { "www", LINK },
};

static enum sense sense_of(struct str word)
{
	/* "don't", "isn't" */
	if (word.n > 3 && memcmp(word.p + word.n - 3, "n't", 3) == 0)
		return NO;
	for (size_t i = 0; i < sizeof(senses) / sizeof(senses[0]); i++)
		if (str_eq(word, senses[i].word))
			return senses[i].sense;
	return PLAIN;
}

/* ---- words ------------------------------------------------------------------- */

static bool letter(char c)
{
	return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/*
 * The next word of a folded text, or an empty slice at its end. A number is a word of its own even
 * without blanks around it ("1000ft", "FL100"). Its separators belong to it, and an apostrophe
 * belongs to its word.
 */
static struct str next_word(const char **p)
{
	const char *s = *p, *start;

	while (*s != '\0' && !letter(*s) && !isdigit((unsigned char)*s))
		s++;
	start = s;
	if (isdigit((unsigned char)*s))
		while (isdigit((unsigned char)*s)
		    || ((*s == '.' || *s == ',') && isdigit((unsigned char)s[1])))
			s++;
	else
		while (letter(*s) || (*s == '\'' && s > start && letter(s[1])))
			s++;
	*p = s;
	return (struct str){ start, (size_t)(s - start) };
}

static uint64_t hash_byte(uint64_t h, char c)
{
	return (h ^ (unsigned char)c) * 0x100000001b3u;
}

static const uint64_t HASH = 0xcbf29ce484222325u;

static uint64_t hash_word(struct str word)
{
	uint64_t h = HASH;

	for (size_t i = 0; i < word.n; i++)
		h = hash_byte(h, word.p[i]);
	return h;
}

/* One form of a number: "1,500", "1.500" and "1500" are the same, "126,90" and "126.9" too. */
static uint64_t hash_number(struct str number)
{
	uint64_t h = HASH;
	size_t end = number.n, point = number.n;

	for (size_t i = 0; i < number.n; i++)
		if (!isdigit((unsigned char)number.p[i]))
			point = i;
	if (point < number.n && number.n - point - 1 != 3)
		while (number.p[end - 1] == '0')
			end--;
	if (end == point + 1)
		end = point;
	for (size_t i = 0; i < end; i++) {
		if (isdigit((unsigned char)number.p[i]))
			h = hash_byte(h, number.p[i]);
		else if (i == point && number.n - point - 1 != 3)
			h = hash_byte(h, '.');
	}
	return h;
}

/* ---- vectors ----------------------------------------------------------------- */

/* Dimensions that are not words; a word has such a hash only by accident. */
enum { DIM_NOT = 1, DIM_VERDICT };

static void add(struct arena *a, struct weights *ws, uint64_t word, size_t text, double w)
{
	if (ws->n == ws->size) {
		struct weight *more;

		ws->size = ws->size > 0 ? 2 * ws->size : 128;
		more = arena_array(a, ws->size, sizeof(*more));
		if (ws->n > 0)
			memcpy(more, ws->w, ws->n * sizeof(*more));
		ws->w = more;
	}
	ws->w[ws->n++] = (struct weight){ word, text, w };
}

static int by_word(const void *pa, const void *pb)
{
	const struct weight *a = pa, *b = pb;

	if (a->word != b->word)
		return a->word < b->word ? -1 : 1;
	return a->text < b->text ? -1 : a->text > b->text;
}

/* Add the weights of equal words; returns the sum of squares. */
static double merge(struct weights *ws, size_t from)
{
	size_t n = from;
	double squares = 0;

	if (ws->n == from)
		return 0;
	qsort(ws->w + from, ws->n - from, sizeof(*ws->w), by_word);
	for (size_t i = from; i < ws->n; i++) {
		if (n > from && ws->w[n - 1].word == ws->w[i].word)
			ws->w[n - 1].w += ws->w[i].w;
		else
			ws->w[n++] = ws->w[i];
	}
	ws->n = n;
	for (size_t i = from; i < n; i++)
		squares += ws->w[i].w * ws->w[i].w;
	return squares;
}

/* Add the vector of a text, of length 1. */
static void text_vector(struct arena *a, struct weights *ws, const char *text, size_t index)
{
	char *folded = str_fold(a, text);
	const char *p = folded;
	enum sense opening = PLAIN;
	bool negated = false;
	size_t from = ws->n, n = 0;
	double squares, length;
	struct str word;

	for (size_t i = 0; i < WORDS_MAX && (word = next_word(&p)).n > 0; i++) {
		enum sense sense = sense_of(word);

		n += sense != EMPTY;
		if (isdigit((unsigned char)*word.p))
			add(a, ws, hash_number(word), index, NUMBER);
		else if (sense == PLAIN)
			add(a, ws, hash_word(word), index, 1);
		else if (sense == LINK)
			p += strcspn(p, " \t\n");
		else if (sense != EMPTY && opening == PLAIN && n <= OPENING)
			opening = sense;
		else
			negated |= sense == NO;
	}
	/* there are only signs, words that say nothing, and addresses: the whole text counts as one
	 * word */
	if (ws->n == from && opening == PLAIN)
		add(a, ws, hash_word(str_of(folded)), index, 1);
	squares = merge(ws, from);
	length = squares > 0 ? sqrt(squares) : 1;
	if (negated) {
		add(a, ws, DIM_NOT, index, NEGATION * length);
		squares += NEGATION * NEGATION * length * length;
	}
	if (opening != PLAIN) {
		add(a, ws, DIM_VERDICT, index, (opening == YES ? VERDICT : -VERDICT) * length);
		squares += VERDICT * VERDICT * length * length;
	}
	length = sqrt(squares);
	for (size_t i = from; i < ws->n; i++)
		ws->w[i].w /= length;
}

/* The square of the sum of all vectors is the number of texts plus twice the cosine of every
 * pair. */
double texts_difference(struct arena *a, const char *const *texts, size_t n)
{
	struct weights ws = { NULL, 0, 0 };
	double total = 0, pairs = (double)n * ((double)n - 1) / 2, difference;

	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		text_vector(a, &ws, texts[i], i);
	qsort(ws.w, ws.n, sizeof(*ws.w), by_word);
	for (size_t i = 0; i < ws.n;) {
		uint64_t word = ws.w[i].word;
		double sum = 0;

		for (; i < ws.n && ws.w[i].word == word; i++)
			sum += ws.w[i].w;
		total += sum * sum;
	}
	difference = 1 - (total - (double)n) / 2 / pairs;
	return difference > DIFFERENCE_NONE ? difference : 0;
}
