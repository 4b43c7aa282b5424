/*
 * A message is cut at spaces, and at marks between words. Quotes and brackets around a word are dropped; the mark
 * behind it is kept, because it ends a clause or a sentence.
 */
#include "agents/onboarding/builtin/reader.h"

#include <ctype.h>
#include <string.h>

enum { WORDS_MAX = 400 };

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Marks that may stand behind a word. */
static char mark_of(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr("?!;,:", p[i]) != NULL)
			return p[i];
	return n > 0 && p[n - 1] == '.' ? '.' : '\0';
}

static void add_word(struct reader *rd, const char *p, size_t n)
{
	static const char around[] = "?!;,:.\"()[]<>*";
	size_t first = 0, end = n;

	while (first < end && strchr(around, p[first]) != NULL)
		first++;
	while (end > first && strchr(around, p[end - 1]) != NULL)
		end--;
	/* an initial: "Grace B. Hopper" */
	if (end - first == 1 && end < n && p[end] == '.' && isupper((unsigned char)p[first]))
		end++;
	const char mark = mark_of(p + end, n - end);
	/* "Ada / 42-A / mouse" is a list */
	if (n == 1 && *p == '/') {
		if (rd->n > 0 && rd->said[rd->n - 1].after == '\0')
			rd->said[rd->n - 1].after = ',';
		return;
	}
	if (first == end) {
		if (rd->n > 0 && mark_of(p, n) != '\0')
			rd->said[rd->n - 1].after = mark_of(p, n);
		return;
	}
	rd->said[rd->n++] = (struct said_word){ { p + first, end - first },
		str_fold(rd->a, arena_strndup(rd->a, p + first, end - first)), mark };
}

/* "mouse,keyboard" are two words; "42,5" and "42-A" are one. */
static size_t word_length(const char *p)
{
	size_t n = 0;

	while (p[n] != '\0' && !is_space(p[n])) {
		n++;
		if (strchr(",;?!", p[n - 1]) != NULL && p[n] != '\0' && !is_space(p[n]) &&
		    !isdigit((unsigned char)p[n]))
			break;
	}
	return n;
}

void reader_cut(struct reader *rd, const char *message)
{
	rd->said = arena_array(rd->a, WORDS_MAX + 1, sizeof(*rd->said));
	rd->taken = arena_array(rd->a, WORDS_MAX + 1, sizeof(*rd->taken));
	for (const char *p = message; *p != '\0' && rd->n < WORDS_MAX;) {
		size_t n = word_length(p);
		if (n == 0) {
			if (*p == '\n' && rd->n > 0 && rd->said[rd->n - 1].after == '\0')
				rd->said[rd->n - 1].after = '.';
			p++;
			continue;
		}
		add_word(rd, p, n);
		p += n;
	}
}

const char *reader_text(const struct reader *rd, size_t from, size_t to)
{
	if (from >= to)
		return "";
	const char *p = rd->said[from].text.p;
	return arena_strndup(rd->a, p, (size_t)(rd->said[to - 1].text.p + rd->said[to - 1].text.n - p));
}

size_t reader_match(const struct reader *rd, enum word_kind kind, size_t at, size_t end)
{
	return words_match(rd->w, kind, rd->said, at, end);
}

bool reader_holds(const struct reader *rd, enum word_kind kind, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (reader_match(rd, kind, i, to) > 0)
			return true;
	return false;
}

size_t reader_skip(const struct reader *rd, enum word_kind kind, size_t at, size_t end)
{
	for (size_t n; at < end && (n = reader_match(rd, kind, at, end)) > 0;)
		at += n;
	return at;
}

bool reader_has_letter(const struct reader *rd, size_t from, size_t to)
{
	for (; from < to; from++)
		for (const char *p = rd->said[from].folded; *p != '\0'; p++)
			if (isalpha((unsigned char)*p) || (unsigned char)*p >= 0x80)
				return true;
	return false;
}

bool reader_denies(const struct reader *rd, size_t from, size_t to)
{
	for (size_t i = from, n; i < to; i += n) {
		const bool not = reader_match(rd, W_NOT, i, to) > 0;
		n = reader_match(rd, W_IDLE, i, to);
		if (n == 0 && not && !rd->taken[i])
			return true;
		n = n > 0 ? n : 1;
	}
	return false;
}

size_t reader_clause_end(const struct reader *rd, size_t from, size_t to)
{
	size_t i = from;

	while (i < to && rd->said[i++].after == '\0')
		if (i < to && reader_match(rd, W_JOIN, i, to) > 0)
			break;
	return i;
}

bool reader_begins_value(const struct reader *rd, size_t at, size_t end)
{
	static const enum word_kind kinds[] = { W_MOUSE, W_KEYBOARD, W_BACKPACK, W_ID, W_DIET, W_SELF };

	at = reader_skip(rd, W_ARTICLE, at, end);
	for (size_t k = 0; at < end && k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (reader_match(rd, kinds[k], at, end) > 0)
			return true;
	return at < end && reader_match(rd, W_NAME, at, end) > 1;
}

void reader_put(struct reader *rd, enum onboarding_field f, const char *value)
{
	if (*value == '\0')
		return;
	rd->out.value[f] = value;
	rd->found = true;
}

bool word_has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (isdigit((unsigned char)s.p[i]))
			return true;
	return false;
}

bool word_is_capital(struct str s)
{
	return isupper((unsigned char)s.p[0]) || (unsigned char)s.p[0] >= 0x80;
}
