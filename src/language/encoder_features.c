/*
 * Words are letters and digits that stand together, folded: small letters without accents. Pieces are taken from the
 * word with a mark at each end, so that the beginning of a word differs from its middle.
 */
#include "language/encoder_features.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "language/feature.h"

enum {
	WORD_BYTES = 30,              /* of a longer word the beginning is read */
	PIECE_MIN = 3, PIECE_MAX = 5,
};

enum { TEMPLATE_WORD = 1, TEMPLATE_PAIR, TEMPLATE_PIECE };

static const float PAIR_PART = 0.5F;

struct encoder_scan {
	encoder_word_fn *fn;
	void *arg;
	uint64_t before;              /* the word before; 0: none */
	size_t words;
};

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* word: with a mark at each end. */
static size_t pieces(const char *word, size_t n, struct encoder_feature *out)
{
	size_t count = 0;

	for (size_t len = PIECE_MIN; len <= PIECE_MAX && len < n; len++)
		for (size_t i = 0; i + len <= n && count < ENCODER_FEATURES - 2; i++)
			out[count++] = (struct encoder_feature){
				feature_and(TEMPLATE_PIECE, feature_bytes(word + i, len)), 0, ENCODER_PIECE };
	for (size_t i = 0; i < count; i++)
		out[i].part = 1 / sqrtf((float)count);
	return count;
}

static void say_word(struct encoder_scan *s, const char *p, size_t n)
{
	struct encoder_feature f[ENCODER_FEATURES];
	char word[WORD_BYTES + 2];
	size_t nf = 0;

	if (n > WORD_BYTES)
		n = WORD_BYTES;
	uint64_t now = feature_bytes(p, n);
	f[nf++] = (struct encoder_feature){ feature_and(TEMPLATE_WORD, now), 1, ENCODER_WORD };
	if (s->before != 0)
		f[nf++] = (struct encoder_feature){ feature_and(feature_and(TEMPLATE_PAIR, s->before), now),
			PAIR_PART, ENCODER_PAIR };
	if (!digit(*p)) {
		word[0] = '<';
		memcpy(word + 1, p, n);
		word[n + 1] = '>';
		nf += pieces(word, n + 2, f + nf);
	}
	s->before = now;
	s->words++;
	s->fn(s->arg, f, nf);
}

static void scan(struct encoder_scan *s, const char *p, size_t n)
{
	for (size_t i = 0; i < n && s->words < ENCODER_WORDS;) {
		size_t from = i;
		while (i < n && in_word(p[i]))
			i++;
		if (i > from)
			say_word(s, p + from, i - from);
		else
			i++;
	}
}

void encoder_features(const char *text, encoder_word_fn *fn, void *arg)
{
	struct encoder_scan s = { .fn = fn, .arg = arg };
	char folded[3 * ENCODER_BYTES + 1];
	size_t n = strlen(text), half = ENCODER_BYTES / 2;

	if (n <= ENCODER_BYTES) {
		scan(&s, folded, str_fold_into(folded, text, n));
		return;
	}
	scan(&s, folded, str_fold_into(folded, text, utf8_cut(text, n, half)));
	s.before = 0;
	text += n - half;
	while (((unsigned char)*text & 0xc0) == 0x80)
		text++;
	scan(&s, folded, str_fold_into(folded, text, strlen(text)));
}

void encoder_strange(uint64_t feature, float length, float vector[ENCODER_DIMS])
{
	float step = length / sqrtf(ENCODER_DIMS);
	uint64_t bits = 0;

	for (size_t i = 0; i < ENCODER_DIMS; i++, bits >>= 1) {
		if (i % 64 == 0)
			bits = feature_and(feature, i + 1);
		vector[i] += bits & 1 ? step : -step;
	}
}
