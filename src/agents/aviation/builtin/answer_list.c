#include "agents/aviation/builtin/answer_list.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/aviation/builtin/labels.h"
#include "base/arena.h"
#include "base/str.h"

enum { LIST_BYTES = 32768 /* longer than any list of ours */, TEXT_BYTES = 16384, LOOKUPS = 40,
	IDENT_MIN = 3, IDENT_MAX = 7, IDENT = 4 };

static bool is_code_byte(char c)
{
	return isupper((unsigned char)c) || isdigit((unsigned char)c) || c == '-';
}

/* The length of an airport's ident in brackets at p: "(EGTF)", "(GB-0123)"; 0: there is none. */
static size_t bracketed(const char *p, size_t n)
{
	size_t k = 1;
	if (n < IDENT_MIN + 2 || p[0] != '(')
		return 0;
	while (k < n && k <= IDENT_MAX + 1 && is_code_byte(p[k]))
		k++;
	return k < n && p[k] == ')' && k > IDENT_MIN ? k - 1 : 0;
}

/* The code in a line of a list: the one after the name in bold, else the first. Its length; 0: there is none. */
static size_t line_code(const char *line, size_t n, const char **code)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t len = bracketed(line + i, n - i);
		const bool bold = i >= 3 && memcmp(line + i - 3, "** ", 3) == 0;
		if (len > 0 && (found == 0 || bold)) {
			*code = line + i + 1;
			found = len;
		}
		if (len > 0 && bold)
			break;
	}
	return found;
}

/* The number of a line that begins like "12. ", as our lists do; 0: there is none. */
static size_t line_number(const char *line, size_t n)
{
	size_t k = 0, number = 0;
	while (k < n && k < 2 && isdigit((unsigned char)line[k]))
		number = number * 10 + (size_t)(line[k++] - '0');
	const bool dot = k > 0 && line[0] != '0' && k + 1 < n && line[k] == '.' && line[k + 1] == ' ';
	return dot && number <= TALK_AIRPORTS ? number : 0;
}

static void put(struct talk_airport *a, const char *ident, size_t n)
{
	*a = (struct talk_airport){ .runway_ft = NAN, .distance_nm = NAN, .fee = NAN };
	snprintf(a->ident, sizeof(a->ident), "%.*s", (int)n, ident);
}

static size_t numbered(struct talk_airport list[TALK_AIRPORTS], const char *answer)
{
	const size_t n = strnlen(answer, LIST_BYTES);
	size_t count = 0, len;
	for (size_t i = 0; i < n; i += len + 1) {
		const char *line = answer + i, *end = memchr(line, '\n', n - i), *code = NULL;
		len = end != NULL ? (size_t)(end - line) : n - i;
		const size_t number = line_number(line, len);
		const size_t code_len = number > 0 ? line_code(line, len, &code) : 0;
		if (number > 0 && list[number - 1].ident[0] == '\0' && code_len > 0)
			put(&list[number - 1], code, code_len);
	}
	while (count < TALK_AIRPORTS && list[count].ident[0] != '\0')
		count++;
	return count;
}

/* Four capitals or digits, the first a capital, that are not part of a longer word. */
static bool ident_at(const char *answer, size_t i, size_t len)
{
	bool code = isupper((unsigned char)answer[i]) != 0;
	if ((i > 0 && isalnum((unsigned char)answer[i - 1])) ||
	    (i + IDENT < len && isalnum((unsigned char)answer[i + IDENT])))
		return false;
	for (size_t k = 0; k < IDENT; k++)
		code &= is_code_byte(answer[i + k]) && answer[i + k] != '-';
	return code;
}

/* Is it a place of the question, and no finding? */
static bool asked_for(const struct talk *t, const char *ident)
{
	static const enum label places[] = { LABEL_FROM, LABEL_TO, LABEL_VIA, LABEL_NEAR };
	const struct dialogue *d = &t->dialogue;

	for (size_t i = 0; d->n > 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		const struct frame_slot *slot = &d->frame[d->n - 1]->slot[places[i]];
		for (size_t k = 0; k < slot->n; k++)
			if (strieq(slot->value[k].text, ident))
				return true;
	}
	return false;
}

static size_t named(const struct talk *t, struct talk_airport list[TALK_AIRPORTS], struct aircon *con,
    const char *answer)
{
	const size_t len = strnlen(answer, TEXT_BYTES);
	struct arena *scratch = arena_new();
	size_t count = 0, lookups = 0;

	for (size_t i = 0; con != NULL && i + IDENT <= len && count < TALK_AIRPORTS && lookups < LOOKUPS; i++) {
		struct airport airport;
		bool found = false, old = !ident_at(answer, i, len);
		for (size_t k = 0; k < count && !old; k++)
			old = strncmp(list[k].ident, answer + i, IDENT) == 0;
		const char *ident = arena_strndup(scratch, answer + i, IDENT);
		if (old || asked_for(t, ident))
			continue;
		lookups++;
		if (airdb_by_code(con, scratch, ident, &airport, &found, NULL) == OK && found)
			put(&list[count++], answer + i, IDENT);
	}
	aircon_rest(con);
	arena_free(scratch);
	return count;
}

void answer_list_hear(struct talk *t, struct aircon *con, const char *answer)
{
	struct talk_airport list[TALK_AIRPORTS] = { { .ident = "" } };
	size_t n = numbered(list, answer);

	if (n == 0)
		n = named(t, list, con, answer);
	if (n == 0)
		return;
	/* one airport is what the talk is about, and the list before it is still there to pick from */
	snprintf(t->current, sizeof(t->current), "%s", n == 1 ? list[0].ident : "");
	if (n == 1 && t->n > 1)
		return;
	memcpy(t->list, list, sizeof(list));
	t->n = n;
}
