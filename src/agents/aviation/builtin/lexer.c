/*
 * The text is read once. A word is a sequence of letters and digits with apostrophes inside
 * ("d'Isère"). A number includes its thousands separators and decimals, and ends before a unit that
 * is written against it ("2,500ft" gives 2500 and ft). Any other character that is not blank is a
 * symbol. str_fold() replaces typographic quotes and dashes.
 */
#include "agents/aviation/builtin/lexer.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/word_lists.h"
#include "base/str.h"

enum charclass { CH_BLANK, CH_LETTER, CH_DIGIT, CH_QUOTE, CH_SYMBOL };

static bool blank_char(uint32_t c)
{
	return c <= ' ' || c == 0x7f || c == 0xa0 || (c >= 0x2000 && c <= 0x200f) || c == 0x202f ||
	    c == 0x2028 || c == 0x2029 || c == 0x3000 || c == 0xfeff;
}

/* Characters outside ASCII that are not letters. */
static bool sign_char(uint32_t c)
{
	return (c >= 0x80 && c < 0xc0 && c != 0xaa && c != 0xb5 && c != 0xba) || c == 0xd7 ||
	    c == 0xf7 || (c >= 0x2010 && c <= 0x2bff) || (c >= 0x3001 && c <= 0x303f) ||
	    c >= 0x1f000;
}

static enum charclass class_at(const char *p, size_t n, size_t *len)
{
	uint32_t c;
	size_t k = utf8_decode(p, n, &c);
	if (k == 0) {
		*len = 1;
		return CH_BLANK;
	}
	*len = k;
	if (blank_char(c))
		return CH_BLANK;
	if (c == '\'' || c == 0x2019 || c == 0x2018 || c == 0x2bc || c == 0xb4)
		return CH_QUOTE;
	if (c < 0x80)
		return isdigit((int)c) ? CH_DIGIT : isalpha((int)c) ? CH_LETTER : CH_SYMBOL;
	return sign_char(c) ? CH_SYMBOL : CH_LETTER;
}

static bool digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)p[i]))
			return false;
	return true;
}

/*
 * The number at p: its length and value. A comma or an apostrophe followed by exactly three digits
 * separates thousands. A dot does so too if there are few digits before it and a unit of length
 * follows that nobody measures to the millimetre ("1.200 m").
 */
static size_t number_at(const char *p, size_t n, double *value)
{
	size_t i = 0, nd = 0, group = 0;     /* where the digits of this group begin */
	char dig[32];
	bool point = false;

	while (i < n) {
		if (isdigit((unsigned char)p[i])) {
			if (nd < sizeof(dig) - 1)
				dig[nd++] = p[i];
			i++;
			continue;
		}
		if (point || i + 1 >= n || !isdigit((unsigned char)p[i + 1]) ||
		    strchr(",.'", p[i]) == NULL)
			break;
		bool three = i + 3 < n && digits(p + i + 1, 3) &&
		    (i + 4 >= n || !isdigit((unsigned char)p[i + 4]));
		size_t after = i + 4;
		while (after < n && p[after] == ' ')
			after++;
		bool metres = after < n && (p[after] == 'm' || p[after] == 'f') &&
		    !(after + 1 < n && p[after + 1] == 'i');
		if (three && i - group <= 3 && (p[i] != '.' || metres)) {
			group = ++i;
			continue;
		}
		if (p[i] == '\'')
			break;
		if (p[i] == ',' && three)
			break;
		point = true;
		if (nd < sizeof(dig) - 1)
			dig[nd++] = '.';
		i++;
	}
	dig[nd] = '\0';
	if (!str_to_double(dig, value))
		*value = NAN;
	return i;
}

static const char *fold_slice(struct arena *a, const char *p, size_t n)
{
	return str_fold(a, arena_strndup(a, p, n));
}

static size_t word_end(const char *p, size_t n)
{
	size_t i = 0, k, k2;
	while (i < n) {
		enum charclass c = class_at(p + i, n - i, &k);
		if (c == CH_QUOTE) {
			if (i + k >= n || class_at(p + i + k, n - i - k, &k2) != CH_LETTER)
				break;
		} else if (c != CH_LETTER && c != CH_DIGIT) {
			break;
		}
		i += k;
	}
	return i;
}

static void word_case(struct token *t, const char *p, size_t n)
{
	bool lower = false, upper = false;
	for (size_t i = 0; i < n; i++) {
		lower |= islower((unsigned char)p[i]) || (unsigned char)p[i] >= 0x80;
		upper |= isupper((unsigned char)p[i]);
	}
	t->upper = upper && !lower;
	t->title = isupper((unsigned char)p[0]);
	/* Latin-1 and Latin Extended capitals: even second bytes, or À-Þ. */
	if ((unsigned char)p[0] == 0xc3 && n > 1)
		t->title = (unsigned char)p[1] < 0x9f;
	else if ((unsigned char)p[0] == 0xc4 || (unsigned char)p[0] == 0xc5)
		t->title = true;
}

/* Fills the token of the word at t->start; returns where reading goes on. */
static size_t word(struct arena *a, const char *text, struct token *t, size_t n)
{
	const char *p = text + t->start;
	size_t end = t->start + word_end(p, n - t->start), next = end;
	size_t quote = 0;
	if (end - t->start > 2 && (text[end - 1] == 's' || text[end - 1] == 'S'))
		quote = text[end - 2] == '\'' ? 1 : end - t->start > 4 && text[end - 4] == '\xe2' &&
		    text[end - 3] == '\x80' ? 3 : 0;
	t->kind = TOK_WORD;
	t->fold = fold_slice(a, p, end - t->start - quote - (quote != 0));
	t->owner = quote != 0 && !word_listed(LIST_CONTRACTS, t->fold);
	if (t->owner)
		end -= quote + 1;
	else if (quote != 0)
		t->fold = fold_slice(a, p, end - t->start);
	t->end = end;
	word_case(t, p, end - t->start);
	if (next < n && text[next] == '.' && !t->owner && word_listed(LIST_DOTTED, t->fold))
		t->end = ++next;
	return next;
}

struct lexed lex(struct arena *a, const char *text)
{
	size_t n = strlen(text);
	if (n > LEX_BYTES) {
		size_t skip = n - LEX_BYTES;
		while (skip < n && ((unsigned char)text[skip] & 0xc0) == 0x80)
			skip++;
		text += skip;
		n -= skip;
	}
	struct lexed x = { .text = arena_strndup(a, text, n), .shouted = true, .whispered = true };
	/* no token is shorter than a byte */
	struct token *ring = arena_array(a, n < LEX_TOKENS ? n + 1 : LEX_TOKENS, sizeof(*ring));
	size_t count = 0, i = 0, k;
	bool gap = true, opens = true, others = false;     /* words of this length are not codes */

	while (i < n) {
		const char *p = x.text + i;
		enum charclass c = class_at(p, n - i, &k);
		if (c == CH_BLANK) {
			gap = true;
			i += k;
			continue;
		}
		struct token t = { .kind = TOK_SYMBOL, .start = i, .end = i + k, .gap = gap };
		size_t next;
		if (c == CH_LETTER) {
			next = word(a, x.text, &t, n);
			x.shouted &= t.upper;
			others |= t.end - t.start < 3 || t.end - t.start > 4;
			x.whispered &= !t.title || opens || streq(t.fold, "i");
		} else if (c == CH_DIGIT) {
			t.kind = TOK_NUMBER;
			next = t.end = i + number_at(p, n - i, &t.value);
			t.upper = true;
			t.fold = arena_strndup(a, p, t.end - i);
		} else {
			next = t.end;
			t.fold = fold_slice(a, p, k);
		}
		opens = t.kind == TOK_SYMBOL && strchr(".?!:", t.fold[0]) != NULL;
		i = next;
		gap = false;
		ring[count++ % LEX_TOKENS] = t;
	}
	x.shouted &= others;
	if (count <= LEX_TOKENS) {
		x.tok = ring;
		x.n = count;
		return x;
	}
	x.tok = arena_array(a, LEX_TOKENS, sizeof(*x.tok));
	x.n = LEX_TOKENS;
	for (size_t j = 0; j < x.n; j++)
		x.tok[j] = ring[(count + j) % LEX_TOKENS];
	return x;
}

const char *lex_slice(struct arena *a, const struct lexed *x, size_t first, size_t last)
{
	return arena_strndup(a, x->text + x->tok[first].start, x->tok[last].end - x->tok[first].start);
}
