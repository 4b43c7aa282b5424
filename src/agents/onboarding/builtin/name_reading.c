/*
 * A name has no sure form: it is what stands behind "my name is", or words that cannot be anything else.
 */
#include "agents/onboarding/builtin/name_reading.h"

#include <ctype.h>
#include <string.h>

enum { NAME_WORDS = 6, PARTICLE_BYTES = 3 };

/* A name that was typed in lower case throughout: "ada lovelace". */
static const char *capitalised(const struct reader *rd, const char *name)
{
	char *out = arena_strndup(rd->a, name, strlen(name));

	for (const char *p = out; *p != '\0'; p++)
		if (isupper((unsigned char)*p))
			return name;
	for (char *p = out; *p != '\0'; p++)
		if ((p == out || p[-1] == ' ' || p[-1] == '-') && islower((unsigned char)*p))
			*p = (char)toupper((unsigned char)*p);
	return out;
}

static void put_name(struct reader *rd, size_t from, size_t to)
{
	reader_put(rd, FIELD_EMPLOYEE_NAME, capitalised(rd, reader_text(rd, from, to)));
}

/* Where a name that begins at `at` ends. */
static size_t name_end(const struct reader *rd, size_t at, size_t end)
{
	size_t to = at;

	while (to < end && to - at < NAME_WORDS && !word_has_digit(rd->said[to].text) &&
	    reader_match(rd, W_NAME_END, to, end) == 0 && !reader_begins_value(rd, to, end))
		if (rd->said[to++].after != '\0')
			break;
	return to;
}

size_t read_name(struct reader *rd, size_t at, size_t end)
{
	size_t lead = reader_match(rd, W_NAME, at, end);
	const bool sure = lead > 1 || (lead == 1 && rd->said[at].after == ':');

	if (lead == 0)
		lead = reader_match(rd, W_SELF, at, end);
	if (lead == 0 || at + lead >= end || rd->said[at + lead - 1].after == ',')
		return 0;
	const size_t from = at + lead;
	/* "full name is better" */
	if (sure && !word_is_capital(rd->said[from].text) && reader_match(rd, W_NOT_NAME, from, end) > 0)
		return 0;
	/* in lower case only if the name was asked for */
	const bool open = rd->asked == FIELD_EMPLOYEE_NAME;
	if (!sure && (reader_match(rd, W_NOT_NAME, from, end) > 0 || reader_begins_value(rd, from, end) ||
	    reader_match(rd, W_DIET_LEAD, from, end) > 0 ||
	    !(word_is_capital(rd->said[from].text) || open)))
		return 0;
	const size_t to = name_end(rd, from, end);
	put_name(rd, from, to);
	return to > from ? to - at : 0;
}

size_t read_name_not(struct reader *rd, size_t at, size_t end)
{
	const size_t not = reader_match(rd, W_NOT, at, end);
	size_t to = at + not;

	while (not > 0 && to < end && word_is_capital(rd->said[to].text) && !word_has_digit(rd->said[to].text))
		to++;
	if (not == 0 || to == at + not || to + 1 >= end || !streq(rd->said[to].folded, "but") ||
	    !word_is_capital(rd->said[to + 1].text))
		return 0;
	const size_t stop = name_end(rd, to + 1, end);
	put_name(rd, to + 1, stop);
	return stop - at;
}

size_t read_name_here(struct reader *rd, size_t at, size_t end)
{
	size_t to = at;

	/* "Rhys ap Gwilym here": a name begins with a capital, and may have small words in it */
	while (to < end && to - at < NAME_WORDS && rd->said[to].after == '\0' &&
	    (word_is_capital(rd->said[to].text) || (to > at && rd->said[to].text.n <= PARTICLE_BYTES)) &&
	    reader_match(rd, W_HERE, to, end) == 0)
		to++;
	if (to == at || reader_match(rd, W_HERE, to, end) == 0)
		return 0;
	put_name(rd, at, to);
	return to + reader_match(rd, W_HERE, to, end) - at;
}

/* Words that no name has, so that "you choose something for me" is none. */
static bool is_no_name(const struct reader *rd, size_t from, size_t to)
{
	static const enum word_kind kinds[] = { W_NOT_NAME, W_QUESTION, W_WISH, W_MEETING, W_EXPORT, W_NOT };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (reader_holds(rd, kinds[k], from, to))
			return true;
	return false;
}

void read_bare_name(struct reader *rd)
{
	size_t at = reader_skip(rd, W_FILLER, 0, rd->n);

	/* "Fine. Helena Novák" */
	const size_t yes = reader_match(rd, W_YES, at, rd->n);
	const bool leads = yes > 0 && at + yes < rd->n && rd->said[at + yes - 1].after != '\0';
	at += leads ? yes : 0;
	const size_t to = name_end(rd, at, rd->n);
	if (to == rd->n && !is_no_name(rd, at, to) && (leads || !rd->out.yes) && !rd->out.no)
		put_name(rd, at, to);
}

/* Can this word not stand in a name that begins a list? */
static bool is_no_list_name(const struct reader *rd, size_t at)
{
	static const enum word_kind kinds[] = { W_NOT_NAME, W_YES, W_NAME_END, W_QUESTION };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (reader_match(rd, kinds[k], at, rd->n) > 0)
			return true;
	return word_has_digit(rd->said[at].text) || reader_begins_value(rd, at, rd->n);
}

void read_list(struct reader *rd)
{
	const size_t at = reader_skip(rd, W_FILLER, 0, rd->n);
	size_t to = at;

	if (rd->out.value[FIELD_EMPLOYEE_NAME] != NULL || rd->out.question != NULL ||
	    rd->asked != FIELD_EMPLOYEE_NAME)
		return;
	for (; to < rd->n && to - at < NAME_WORDS; to++) {
		if (is_no_list_name(rd, to))
			return;
		if (rd->said[to].after != '\0')
			break;
	}
	if (to >= rd->n || rd->said[to].after == ':' || rd->said[to].after == '?')
		return;
	if (++to >= rd->n)
		return;
	put_name(rd, at, to);
	const bool id = word_has_digit(rd->said[to].text) && (rd->said[to].after != '\0' || to + 1 == rd->n);
	if (id && rd->out.value[FIELD_EMPLOYEE_ID] == NULL)
		reader_put(rd, FIELD_EMPLOYEE_ID, reader_text(rd, to, to + 1));
}
