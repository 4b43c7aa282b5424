/*
 * The text is read once, from left to right.
 *
 * Letters and digits that stand together are one word ("C172", "O'Hare"), with these exceptions. What follows
 * a number is a word of its own ("50nm", "14h30"). An article or pronoun that is joined by an apostrophe is
 * one too, with its apostrophe ("l'" of "l'aéroport", "z'" of "z'Lugano"), and so is 's ("Denham's", "gibt's"). A code that
 * is dictated letter by letter is one word (language/spelled.h).
 * Everything else that can be seen is a sign, and signs stand alone.
 */
#include "language/words.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/languages.h"
#include "language/spelled.h"
#include "language/stem.h"

/* Of a long text: how much of its beginning is read. The rest is the room of its end. */
enum { HEAD_BYTES = 1024, HEAD_WORDS = 80, FOLD_BYTES = 64 };

enum class { CH_BLANK, CH_LETTER, CH_DIGIT, CH_QUOTE, CH_SIGN };

/* ---- characters ------------------------------------------------------------------------------ */

static bool blank_char(uint32_t c)
{
	return c <= ' ' || (c >= 0x7f && c <= 0xa0) || c == 0xad || (c >= 0x2000 && c <= 0x200f) ||
	    (c >= 0x2028 && c <= 0x202f) || (c >= 0x2060 && c <= 0x206f) || c == 0x3000 ||
	    (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff;
}

/* Characters outside ASCII that are not letters. */
static bool sign_char(uint32_t c)
{
	return (c < 0xc0 && c != 0xaa && c != 0xb5 && c != 0xba) || c == 0xd7 || c == 0xf7 ||
	    (c >= 0x2010 && c <= 0x2bff) || (c >= 0x3001 && c <= 0x303f) || c >= 0x1f000 || c == 0xfffd;
}

static enum class class_at(const char *p, size_t n, size_t *len, uint32_t *c)
{
	*len = utf8_decode(p, n, c);
	if (*len == 0) {
		*len = 1;
		*c = ' ';
		return CH_BLANK;
	}
	if (blank_char(*c))
		return CH_BLANK;
	if (*c == '\'' || *c == 0x2019 || *c == 0x2018 || *c == 0x2bc || *c == 0xb4)
		return CH_QUOTE;
	if (*c < 0x80)
		return isdigit((int)*c) ? CH_DIGIT : isalpha((int)*c) ? CH_LETTER : CH_SIGN;
	return sign_char(*c) ? CH_SIGN : CH_LETTER;
}

/* Latin, Greek and Cyrillic. In Latin Extended-A capitals and small letters alternate, and twice the
 * order changes. */
static bool capital(uint32_t c)
{
	if (c < 0x100)
		return (c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7);
	if (c < 0x180)
		return c == 0x178 || ((c >= 0x139 && c <= 0x148) || c >= 0x179 ? c % 2 == 1 : c % 2 == 0);
	return (c >= 0x391 && c <= 0x3a9) || (c >= 0x400 && c <= 0x42f);
}

static bool small(uint32_t c)
{
	return c < 0x100 ? (c >= 'a' && c <= 'z') || (c >= 0xdf && c != 0xf7)
	    : c < 0x180 ? !capital(c) : (c >= 0x3b1 && c <= 0x3c9) || (c >= 0x430 && c <= 0x45f);
}

/* ---- words ----------------------------------------------------------------------------------- */

struct reader {
	struct arena *mem;
	const char *text;
	size_t n;
	bool capitals, smalls;                /* the text has some */
};

static bool digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)p[i]))
			return false;
	return true;
}

/* Does a unit of length follow that nobody measures to the millimetre ("800 m", "ft", not "mi")? */
static bool metres(const char *p, size_t n)
{
	size_t i = 0;
	while (i < n && p[i] == ' ')
		i++;
	return i < n && (p[i] == 'm' || p[i] == 'f') && !(i + 1 < n && p[i + 1] == 'i');
}

/*
 * The number at p: its length and value. A comma or an apostrophe with exactly three digits behind
 * it separates thousands. A dot does too ("1.200 m"), if there are less digits before it than in a
 * frequency ("118.575"), or if a unit of length follows.
 */
static size_t number_at(const char *p, size_t n, double *value)
{
	size_t i = 0, nd = 0, group = 0;      /* where the digits of this group begin */
	char dig[32];
	bool point = false;

	while (i < n) {
		if (isdigit((unsigned char)p[i])) {
			if (nd < sizeof(dig) - 1)
				dig[nd++] = p[i];
			i++;
			continue;
		}
		uint32_t c;
		size_t len;
		bool quote = class_at(p + i, n - i, &len, &c) == CH_QUOTE;
		if (point || (!quote && p[i] != '.' && p[i] != ',') || i + len >= n ||
		    !isdigit((unsigned char)p[i + len]))
			break;
		bool three = i + len + 3 <= n && digits(p + i + len, 3) &&
		    (i + len + 3 == n || !isdigit((unsigned char)p[i + len + 3]));
		bool few = i - group < 3 && p[group] != '0';
		if (three && i - group <= 3 &&
		    (p[i] != '.' || few || metres(p + i + len + 3, n - i - len - 3))) {
			i += len;
			group = i;
			continue;
		}
		if (quote || nd >= sizeof(dig) - 1)
			break;
		point = true;
		dig[nd++] = '.';
		i += len;
	}
	dig[nd] = '\0';
	if (!str_to_double(dig, value))
		*value = 0;
	return i;
}

/* Is this, before an apostrophe, a word of its own? */
static bool elided(const char *p, size_t n)
{
	static const char *const words[] = { "l", "d", "j", "m", "t", "s", "n", "c", "z", "qu", "jusqu", "lorsqu",
		"puisqu", "quoiqu" };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == n && str_ieq((struct str){ p, n }, words[i]))
			return true;
	return false;
}

/* Is this, from an apostrophe on, 's and the end of the word? */
static bool owner(const char *p, size_t n, size_t quote)
{
	size_t len;
	uint32_t c;
	if (quote >= n || (p[quote] != 's' && p[quote] != 'S'))
		return false;
	enum class next = quote + 1 < n ? class_at(p + quote + 1, n - quote - 1, &len, &c) : CH_BLANK;
	return next != CH_LETTER && next != CH_DIGIT && next != CH_QUOTE;
}

/* The bytes of the word of letters at p; after a number without its digits ("h" of "14h30"). */
static size_t letters_at(const char *p, size_t n, bool after_number)
{
	size_t i = 0, k, k2;
	uint32_t c;
	while (i < n) {
		enum class what = class_at(p + i, n - i, &k, &c);
		if (what == CH_QUOTE) {
			if (i + k >= n || class_at(p + i + k, n - i - k, &k2, &c) != CH_LETTER ||
			    owner(p + i, n - i, k))
				break;
			if (elided(p, i))
				return i + k;
		} else if (what != CH_LETTER && (what != CH_DIGIT || after_number)) {
			break;
		}
		i += k;
	}
	return i;
}

static void letter_case(struct reader *r, struct word *w)
{
	size_t capitals = 0, smalls = 0, len;
	uint32_t c;
	for (size_t i = w->start; i < w->end; i += len) {
		class_at(r->text + i, w->end - i, &len, &c);
		w->title |= i == w->start && capital(c);
		capitals += capital(c);
		smalls += small(c);
	}
	w->upper = capitals >= 2 && smalls == 0;
	r->capitals |= capitals > 0;
	r->smalls |= smalls > 0;
}

/* Long words are no words; their beginnings tell them apart well enough. */
static const char *fold_of(struct arena *a, const char *p, size_t n)
{
	char fold[3 * FOLD_BYTES + 1];
	if (n > FOLD_BYTES)
		n = utf8_cut(p, n, FOLD_BYTES);
	return arena_strndup(a, fold, str_fold_into(fold, p, n));
}

/* The word at r->text + w->start, which is not blank. */
static void word_at(struct reader *r, struct word *w, const struct word *before)
{
	const char *p = r->text + w->start;
	size_t n = r->n - w->start, len;
	uint32_t c;
	enum class what = class_at(p, n, &len, &c);
	if (what == CH_DIGIT) {
		w->kind = WORD_NUMBER;
		len = number_at(p, n, &w->value);
	} else if (what == CH_LETTER) {
		w->kind = WORD_LETTERS;
		len = letters_at(p, n, before != NULL && before->kind == WORD_NUMBER && !w->gap);
	} else if (what == CH_QUOTE && before != NULL && before->kind == WORD_LETTERS && !w->gap &&
	    owner(p, n, len)) {
		w->kind = WORD_LETTERS;
		len++;
	} else {
		w->kind = WORD_SIGN;
	}
	w->end = w->start + len;
	w->fold = fold_of(r->mem, p, len);
	w->stem = w->fold;
	if (w->kind == WORD_LETTERS)
		letter_case(r, w);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* The first and the last part of a long text, whole words of each. */
static char *shorten(struct arena *a, const char *text, size_t n)
{
	size_t head = utf8_cut(text, n, HEAD_BYTES), tail = n - (WORDS_BYTES - HEAD_BYTES - 1);
	while (tail < n && ((unsigned char)text[tail] & 0xc0) == 0x80)
		tail++;
	return arena_printf(a, "%.*s\n%s", (int)head, text, text + tail);
}

/* The bytes of a terminal's control sequence at p ("\033[31m"), or 0. */
static size_t control_sequence(const char *p, const char *end)
{
	const char *q = p + 2;
	if (end - p < 3 || p[0] != '\033' || p[1] != '[')
		return 0;
	while (q < end && *q >= ' ' && *q < '@')
		q++;
	return q < end && *q >= '@' && *q <= '~' ? (size_t)(q + 1 - p) : 0;
}

/* A copy in which control characters, control sequences, and bytes that are no UTF-8, are blanks. */
static char *clean(struct arena *a, const char *text, size_t n)
{
	char *copy = arena_strndup(a, text, n);
	bool plain;
	for (size_t i = 0, len; i < n; i += len) {
		len = str_next(copy + i, n - i, &plain);
		size_t sequence = control_sequence(copy + i, copy + n);
		if (sequence > 0)
			len = sequence;
		if (!plain)
			memset(copy + i, ' ', len);
	}
	spelled_join(copy, n);
	return copy;
}

/* The middle of too many words is left out. `at` holds the first ones and a ring of the last. */
static void keep(struct words *w, struct arena *a, const struct word *at, size_t n)
{
	enum { TAIL = WORDS_MAX - HEAD_WORDS };
	w->word = arena_array(a, WORDS_MAX, sizeof(*w->word));
	w->n = WORDS_MAX;
	w->cut = true;
	memcpy(w->word, at, HEAD_WORDS * sizeof(*at));
	for (size_t i = 0; i < TAIL; i++)
		w->word[HEAD_WORDS + i] = at[HEAD_WORDS + (n - HEAD_WORDS + i) % TAIL];
	w->word[HEAD_WORDS].line = true;
}

static void read_words(struct reader *r, struct words *w, const char *raw)
{
	size_t room = r->n < WORDS_MAX ? r->n + 1 : WORDS_MAX, n = 0, len;      /* a word has a byte */
	struct word *at = arena_array(r->mem, room, sizeof(*at)), last = { 0 };
	bool gap = true, line = true;
	uint32_t c;

	for (size_t i = 0; i < r->n; i = last.end) {
		while (i < r->n && class_at(r->text + i, r->n - i, &len, &c) == CH_BLANK) {
			gap = true;
			line |= line_end(raw[i]);
			i += len;
		}
		if (i >= r->n)
			break;
		struct word next = { .start = i, .gap = gap, .line = line };
		word_at(r, &next, n > 0 ? &last : NULL);
		size_t slot = n < HEAD_WORDS ? n
		    : HEAD_WORDS + (n - HEAD_WORDS) % (WORDS_MAX - HEAD_WORDS);
		at[slot] = next;
		last = next;
		n++;
		gap = line = false;
	}
	if (n > WORDS_MAX) {
		keep(w, r->mem, at, n);
	} else {
		w->word = at;
		w->n = n;
	}
}

static const char *stem_of(struct arena *a, const char *language, const char *fold)
{
	size_t n = strlen(fold);
	char *copy = arena_strndup(a, fold, n);
	copy[stem_by(language, copy, n)] = '\0';
	return copy;
}

struct words *words_of(struct arena *a, const char *text, const char *language)
{
	struct words *w = arena_alloc(a, sizeof(*w));
	size_t n = strlen(text);
	if (n > WORDS_BYTES) {
		text = shorten(a, text, n);
		n = strlen(text);
		w->cut = true;
	}
	struct reader r = { .mem = a, .text = clean(a, text, n), .n = n };
	w->text = r.text;
	read_words(&r, w, text);
	w->shouted = r.capitals && !r.smalls;
	w->whispered = r.smalls && !r.capitals;
	w->language = language_guess(w, language);
	for (size_t i = 0; i < w->n; i++)
		if (w->word[i].kind == WORD_LETTERS)
			w->word[i].stem = stem_of(a, w->language, w->word[i].fold);
	return w;
}

const char *words_slice(struct arena *a, const struct words *w, size_t first, size_t last)
{
	return arena_strndup(a, w->text + w->word[first].start, w->word[last].end - w->word[first].start);
}

bool words_are_signs(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->word[i].kind != WORD_SIGN)
			return false;
	return true;
}
