/*
 * Our own lists have numbered lines with a code in brackets. The answer of a model may look otherwise;
 * then the codes of known airports in its text are the list.
 */
#include "agents/aviation/builtin/listing.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

enum { ANSWER_BYTES = 16384, ANSWER_LOOKUPS = 120, IDENT_MIN = 3, IDENT_MAX = 7,
	LIST_BYTES = 32768            /* longer than any list of ours */,
	/* this many bytes of a list cost as much effort as one byte of a message */
	LIST_SPEED = 8 };

/* The length of an airport's ident in brackets at p: "(EGTF)", "(GB-0123)"; 0: there is none. */
static size_t bracketed(const char *p, size_t n)
{
	size_t k = 1;
	if (n < IDENT_MIN + 2 || p[0] != '(')
		return 0;
	while (k < n && k <= IDENT_MAX + 1 && (isupper((unsigned char)p[k]) ||
	    isdigit((unsigned char)p[k]) || p[k] == '-'))
		k++;
	return k < n && p[k] == ')' && k > IDENT_MIN ? k - 1 : 0;
}

/* The code in a line of a list: the one after the name in bold, else the first; NULL: there is
 * none. */
static const char *line_code(struct arena *a, const char *line, size_t n)
{
	const char *code = NULL;
	for (size_t i = 0; i < n; i++) {
		size_t len = bracketed(line + i, n - i);
		bool bold = i >= 3 && memcmp(line + i - 3, "** ", 3) == 0;
		if (len > 0 && (code == NULL || bold))
			code = arena_strndup(a, line + i + 1, len);
		if (len > 0 && bold)
			break;
	}
	return code;
}

/* The number of a line that begins like "12. ", as our lists do; 0: there is none. */
static size_t line_number(const char *line, size_t n)
{
	size_t k = 0, number = 0;
	while (k < n && k < 2 && isdigit((unsigned char)line[k]))
		number = number * 10 + (size_t)(line[k++] - '0');
	bool dot = k > 0 && line[0] != '0' && k + 1 < n && line[k] == '.' && line[k + 1] == ' ';
	return dot && number <= LISTING_CODES ? number : 0;
}

struct listing listing_of(const struct reader *rd, const struct query *query, const char *answer)
{
	struct listing list = { .query = query, .answer = answer };
	size_t n = answer != NULL ? strnlen(answer, LIST_BYTES) : 0, len;
	effort_spend(rd->effort, EFFORT_BYTE, n / LIST_SPEED);
	for (size_t i = 0; i < n; i += len + 1) {
		const char *line = answer + i, *end = memchr(line, '\n', n - i);
		len = end != NULL ? (size_t)(end - line) : n - i;
		size_t number = line_number(line, len);
		if (number > 0 && list.code[number - 1] == NULL)
			list.code[number - 1] = line_code(rd->mem, line, len);
	}
	while (list.n < LISTING_CODES && list.code[list.n] != NULL)
		list.n++;
	list.numbered = list.n > 0;
	return list;
}

/* Four capitals or digits, the first a capital, that are not part of a longer word. */
static bool ident_at(const char *answer, size_t i, size_t len)
{
	bool code = isupper((unsigned char)answer[i]) != 0;
	if ((i > 0 && isalnum((unsigned char)answer[i - 1])) ||
	    (i + 4 < len && isalnum((unsigned char)answer[i + 4])))
		return false;
	for (size_t k = 0; k < 4; k++)
		code &= isupper((unsigned char)answer[i + k]) || isdigit((unsigned char)answer[i + k]);
	return code;
}

struct listing listing_of_codes(const struct reader *rd, const struct listing *list)
{
	const struct query *q = list->query;
	struct listing out = { .query = q, .answer = list->answer };
	size_t len = strnlen(list->answer, ANSWER_BYTES), lookups = 0;
	effort_spend(rd->effort, EFFORT_BYTE, len / LIST_SPEED);
	for (size_t i = 0; i + 4 <= len && out.n < LISTING_CODES; i++) {
		if (!ident_at(list->answer, i, len))
			continue;
		const char *text = arena_strndup(rd->mem, list->answer + i, 4);
		bool old = strieq(text, q->from.text) || strieq(text, q->to.text) ||
		    strieq(text, q->near.text);
		for (size_t k = 0; k < out.n && !old; k++)
			old = streq(out.code[k], text);
		struct airport airport;
		bool found = false;
		if (!old && rd->con != NULL) {
			if (++lookups > ANSWER_LOOKUPS)
				break;
			effort_spend(rd->effort, EFFORT_LOOKUP, 1);
			old = airdb_by_code(rd->con, rd->mem, text, &airport, &found, NULL) != OK || !found;
		}
		if (!old)
			out.code[out.n++] = text;
	}
	aircon_rest(rd->con);
	return out;
}

const char *listing_nth(const struct listing *list, int nth)
{
	if (nth < 0)
		nth = (int)list->n;
	return nth >= 1 && (size_t)nth <= list->n ? list->code[nth - 1] : NULL;
}
