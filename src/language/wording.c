/*
 * Messages with their values, and numbers, dates and lists as a language writes them. A value is put
 * as it is; only the short word before it may change, as in "d'Annecy".
 */
#include "language/wording.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { NUMBER_BYTES = 48 };

/* "12,345" into the buffer, whose size fits the longest number with a sign of WORDING_SIGN bytes. */
static void count_into(char out[NUMBER_BYTES], const struct wording *w, double n)
{
	char digits[NUMBER_BYTES], *o = out;
	const char *sign = w->form[FORM_THOUSANDS];

	if (!(fabs(n) < 1e15)) {
		memcpy(out, "?", 2);
		return;
	}
	const size_t len = (size_t)snprintf(digits, sizeof(digits), "%.0f", fabs(n));
	if (n <= -0.5)
		*o++ = '-';
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			o = mempcpy(o, sign, strlen(sign));
		*o++ = digits[i];
	}
	*o = '\0';
}

const char *wording_language(const struct wording *w)
{
	return w->language;
}

/* ---- messages -------------------------------------------------------------------------- */

static const char *value_of(const char *const *values, struct str name)
{
	for (size_t i = 0; values[i] != NULL && values[i + 1] != NULL; i += 2)
		if (str_eq(name, values[i]))
			return values[i + 1];
	return NULL;
}

/* Does a name begin with a vowel that is spoken? A code such as EGTF is spelled out. */
static bool begins_with_vowel(const char *value)
{
	char folded[3 * 4 + 1];
	value += strspn(value, "*");
	const size_t n = strlen(value), first = utf8_len(value, n);

	if (first == 0 || first > 4 || isupper((unsigned char)value[first]))
		return false;
	str_fold_into(folded, value, first);
	return strchr("aeiou", folded[0]) != NULL && folded[0] != '\0';
}

/* The text before a value, whose last word may be shortened. */
static void put_before(const struct wording *w, struct buf *out, struct str text, const char *value)
{
	for (size_t i = 0; i < w->nshortened; i++) {
		const char *word = w->shortened[i].word;
		const size_t n = strlen(word);
		if (text.n < n + 1 || text.p[text.n - 1] != ' ' || memcmp(text.p + text.n - 1 - n, word, n) != 0 ||
		    (text.n > n + 1 && text.p[text.n - 2 - n] != ' ') || !begins_with_vowel(value))
			continue;
		buf_put(out, text.p, text.n - 1 - n);
		buf_puts(out, w->shortened[i].as);
		return;
	}
	buf_put(out, text.p, text.n);
}

static void put(const struct wording *w, struct buf *out, const char *text, const char *number,
    const char *const *values)
{
	while (*text != '\0') {
		const size_t n = strcspn(text, "{");
		if (text[n] == '\0') {
			buf_put(out, text, n);
			return;
		}
		const struct str name = { text + n + 1, strcspn(text + n + 1, "}") };
		const char *value = number != NULL && str_eq(name, "n") ? number : value_of(values, name);
		value = value != NULL ? value : "?";
		put_before(w, out, (struct str){ text, n }, value);
		buf_puts(out, value);
		text = name.p + name.n + 1;
	}
}

static size_t form_of(const struct wording *w, double n)
{
	return w->plural == PLURAL_BELOW_TWO ? !(n >= 0 && n < 2) : n != 1;
}

void message_put(const struct wording *w, struct buf *out, size_t row, const char *const *values)
{
	put(w, out, w->text[row * PLURAL_FORMS], NULL, values);
}

void message_put_count(const struct wording *w, struct buf *out, size_t row, double n,
    const char *const *values)
{
	char number[NUMBER_BYTES];

	count_into(number, w, n);
	put(w, out, w->text[row * PLURAL_FORMS + form_of(w, n)], number, values);
}

static const char *text_of(struct arena *a, struct buf *b)
{
	const char *text = arena_strndup(a, b->p, b->full ? utf8_cut(b->p, b->n, b->n - 1) : b->n);
	buf_release(b);
	return text;
}

const char *message_text(const struct wording *w, struct arena *a, size_t row,
    const char *const *values)
{
	struct buf b;
	buf_init(&b, MESSAGE_BYTES);
	message_put(w, &b, row, values);
	return text_of(a, &b);
}

const char *message_text_count(const struct wording *w, struct arena *a, size_t row, double n,
    const char *const *values)
{
	struct buf b;
	buf_init(&b, MESSAGE_BYTES);
	message_put_count(w, &b, row, n, values);
	return text_of(a, &b);
}

const char *message_pattern(const struct wording *w, size_t row)
{
	return w->text[row * PLURAL_FORMS];
}

/* ---- numbers, dates and lists ------------------------------------------------------------ */

const char *wording_count(const struct wording *w, struct arena *a, double n)
{
	char text[NUMBER_BYTES];

	count_into(text, w, n);
	return arena_strdup(a, text);
}

/* Digits as C prints them, with the language's sign. */
static const char *with_sign(const struct wording *w, struct arena *a, const char *digits)
{
	const char *point = strchr(digits, '.');

	return point == NULL ? arena_strdup(a, digits)
	    : arena_printf(a, "%.*s%s%s", (int)(point - digits), digits, w->form[FORM_DECIMAL], point + 1);
}

const char *wording_number(const struct wording *w, struct arena *a, double n)
{
	char digits[NUMBER_BYTES];
	snprintf(digits, sizeof(digits), fabs(n) < 1e6 ? "%g" : "%.0f", n);
	return with_sign(w, a, digits);
}

const char *wording_decimals(const struct wording *w, struct arena *a, double n, int digits)
{
	char text[NUMBER_BYTES];

	if (!(fabs(n) < 1e15))
		return "?";
	snprintf(text, sizeof(text), "%.*f", digits, n);
	return with_sign(w, a, text);
}

const char *wording_date(const struct wording *w, struct arena *a, int year, int month, int day)
{
	const char *name = month >= 1 && month <= WORDING_MONTHS ? w->month[month - 1] : "?";
	struct buf b;

	buf_init(&b, MESSAGE_BYTES);
	put(w, &b, w->form[FORM_DATE], NULL, MESSAGE_VALUES("day", arena_printf(a, "%d", day), "month", name,
	    "year", arena_printf(a, "%d", year)));
	return text_of(a, &b);
}

const char *wording_list(const struct wording *w, struct arena *a, const char *const *text, size_t n)
{
	const char *out = n > 0 ? text[0] : "";

	for (size_t i = 1; i < n; i++)
		out = arena_printf(a, "%s%s%s", out,
		    w->form[i + 1 == n ? FORM_LIST_LAST : FORM_LIST_BETWEEN], text[i]);
	return out;
}
