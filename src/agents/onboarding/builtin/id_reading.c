/*
 * An id is one word, mostly with a digit in it. The words before it tell it from a floor, a date or a number of days.
 */
#include "agents/onboarding/builtin/id_reading.h"

enum { LONE_ID_WORDS = 5, LONE_ID_BYTES = 4 };

/* Where the right id stands: "not 42-A but 43-A", "isn't 42-A, it's 43-A". */
static size_t corrected(const struct reader *rd, size_t to, size_t end)
{
	if (to < end && reader_match(rd, W_NOT, to, end) > 0)
		while (to < end && !streq(rd->said[to].folded, "but") && reader_match(rd, W_SELF, to, end) == 0)
			to++;
	if (to < end && streq(rd->said[to].folded, "but"))
		to++;
	return reader_skip(rd, W_SELF, to, end);
}

/* The lead alone is enough only before a word with a digit. */
size_t read_id(struct reader *rd, size_t at, size_t end)
{
	const size_t lead = reader_match(rd, W_ID, at, end);
	size_t to = at + lead;

	if (lead == 0 || (to < end && rd->said[to - 1].after == ','))
		return 0;
	const size_t is = reader_skip(rd, W_IS, to, end);
	const bool told = is > to || rd->said[to - 1].after == ':' || streq(rd->said[to - 1].folded, "is") ||
	    starts_with(rd->said[to - 1].folded, "id'");
	to = corrected(rd, is, end);
	if (to >= end || !(told || word_has_digit(rd->said[to].text)))
		return 0;
	/* "my id is wrong" */
	if (!word_has_digit(rd->said[to].text) && reader_match(rd, W_NOT_NAME, to, end) > 0)
		return 0;
	reader_put(rd, FIELD_EMPLOYEE_ID, reader_text(rd, to, to + 1));
	return to + 1 - at;
}

void read_bare_id(struct reader *rd)
{
	size_t at = reader_skip(rd, W_FILLER, 0, rd->n), found = rd->n;

	at = reader_skip(rd, W_SELF, at, rd->n);
	for (size_t i = at; i < rd->n && found == rd->n; i++)
		if (word_has_digit(rd->said[i].text))
			found = i;
	if (found == rd->n && rd->n - at == 1 && !rd->out.yes && !rd->out.no)
		found = at;
	if (found < rd->n)
		reader_put(rd, FIELD_EMPLOYEE_ID, reader_text(rd, found, found + 1));
}

bool read_lone_id(struct reader *rd)
{
	size_t found = rd->n;

	if (rd->n > LONE_ID_WORDS || rd->asked == FIELD_DIETARY || reader_holds(rd, W_BOOKED, 0, rd->n) ||
	    reader_holds(rd, W_MEETING, 0, rd->n))
		return false;
	for (size_t i = 0; i < rd->n; i++)
		if (word_has_digit(rd->said[i].text)) {
			if (found < rd->n || rd->said[i].text.n < LONE_ID_BYTES)
				return false;
			found = i;
		}
	if (found == rd->n)
		return false;
	reader_put(rd, FIELD_EMPLOYEE_ID, reader_text(rd, found, found + 1));
	rd->out.no = false;
	rd->out.mentioned = 0;
	return true;
}
