/*
 * How far answers differ.
 *
 * A text becomes a vector of its words, or of its meaning if there are vectors, and texts are
 * compared by the cosine. Both would miss what matters to a pilot: words are counted, and texts
 * that only differ in a number or in "not" mean nearly the same to a vector. So three things have
 * dimensions of their own:
 *   - a number counts as several words: 500 and 1000 ft are very different;
 *   - "not" has a weight that grows with the text: it changes a long sentence as much as a short one;
 *   - the yes or no at the beginning of an answer counts as much as all the rest, and the two are
 *     opposites: they differ more than answers that have nothing in common.
 *
 * A vector of meaning takes the place of the plain words, with the length that they have together.
 *
 * The mean over all pairs is computed from the sum of the vectors, not from the pairs.
 */
#include "rules/compare.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "rules/answer_words.h"

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

/* The beginning of an address, which says nothing up to the next blank. */
static bool begins_address(struct str word)
{
	return str_eq(word, "https") || str_eq(word, "http") || str_eq(word, "www");
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

/* Add up vectors of texts, each of length 1. */
struct textdiff {
	struct arena *mem;
	struct weights sparse;        /* of all texts */
	double *meaning;              /* the sum of their vectors of meaning */
	size_t dims;                  /* 0: words count */
};

/* meaning: NULL if words count. */
static void add_text(struct textdiff *t, const char *text, const float *meaning, size_t index)
{
	char *folded = str_fold(t->mem, text);
	const char *p = folded;
	enum answer_word opening = ANSWER_PLAIN;
	bool negated = false;
	struct weights said = { NULL, 0, 0 }, *ws = &t->sparse, *plain = meaning != NULL ? &said : ws;
	size_t from = ws->n, n = 0;
	double squares, length, words;
	struct str word;

	for (size_t i = 0; i < WORDS_MAX && (word = next_word(&p)).n > 0; i++) {
		enum answer_word means = answer_word(word);

		n += means != ANSWER_EMPTY;
		if (isdigit((unsigned char)*word.p))
			add(t->mem, ws, hash_number(word), index, NUMBER);
		else if (begins_address(word))
			p += strcspn(p, " \t\n");
		else if (means == ANSWER_PLAIN)
			add(t->mem, plain, hash_word(word), index, 1);
		else if (means != ANSWER_EMPTY && opening == ANSWER_PLAIN && n <= OPENING)
			opening = means;
		else
			negated |= means == ANSWER_NO;
	}
	/* there are only signs, words that say nothing, and addresses: the whole text counts as one
	 * word */
	if (ws->n == from && said.n == 0 && opening == ANSWER_PLAIN)
		add(t->mem, ws, hash_word(str_of(folded)), index, 1);
	words = merge(&said, 0);
	squares = merge(ws, from) + words;
	length = squares > 0 ? sqrt(squares) : 1;
	if (negated) {
		add(t->mem, ws, DIM_NOT, index, NEGATION * length);
		squares += NEGATION * NEGATION * length * length;
	}
	if (opening != ANSWER_PLAIN) {
		add(t->mem, ws, DIM_VERDICT, index, (opening == ANSWER_YES ? VERDICT : -VERDICT) * length);
		squares += VERDICT * VERDICT * length * length;
	}
	length = sqrt(squares);
	for (size_t i = from; i < ws->n; i++)
		ws->w[i].w /= length;
	for (size_t d = 0; words > 0 && d < t->dims; d++)
		t->meaning[d] += sqrt(words) / length * (double)meaning[d];
}

/* The square of the sum of all vectors is the number of texts plus twice the cosine of every
 * pair. */
double answers_difference(struct arena *a, const char *const *texts, const float *const *vectors, size_t n, size_t dims)
{
	struct textdiff t = { .mem = a, .dims = vectors != NULL ? dims : 0 };
	double total = 0, pairs = (double)n * ((double)n - 1) / 2, difference;

	if (n < 2)
		return 0;
	t.meaning = arena_array(a, t.dims + 1, sizeof(*t.meaning));
	for (size_t i = 0; i < n; i++)
		add_text(&t, texts[i], vectors != NULL ? vectors[i] : NULL, i);
	if (t.sparse.n > 0)                   /* qsort() wants an array even when it has nothing to do */
		qsort(t.sparse.w, t.sparse.n, sizeof(*t.sparse.w), by_word);
	for (size_t i = 0; i < t.sparse.n;) {
		uint64_t word = t.sparse.w[i].word;
		double sum = 0;

		for (; i < t.sparse.n && t.sparse.w[i].word == word; i++)
			sum += t.sparse.w[i].w;
		total += sum * sum;
	}
	for (size_t d = 0; d < t.dims; d++)
		total += t.meaning[d] * t.meaning[d];
	difference = 1 - (total - (double)n) / 2 / pairs;
	return difference > DIFFERENCE_NONE ? difference : 0;
}
