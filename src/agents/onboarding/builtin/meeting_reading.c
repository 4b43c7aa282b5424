/*
 * Of the meeting a message says whether it is scheduled. The verdict stands in the clause that names the meeting, or in
 * the one behind it: "the meeting, not yet".
 */
#include "agents/onboarding/builtin/meeting_reading.h"

/* What a clause says of the meeting: 1 it is scheduled, 0 it is not, -1 nothing. */
static int meeting_told(const struct reader *rd, size_t from, size_t to)
{
	if (reader_denies(rd, from, to))
		return 0;
	return reader_holds(rd, W_BOOKED, from, to) ? 1 : -1;
}

void read_meeting(struct reader *rd, size_t from, size_t to)
{
	bool named = false;

	for (size_t i = from, end; i < to; i = end) {
		end = reader_clause_end(rd, i, to);
		const bool names = reader_holds(rd, W_MEETING, i, end);
		const int told = names || named ? meeting_told(rd, i, end) : -1;
		named = names && told < 0;
		if (told >= 0)
			reader_put(rd, FIELD_MEETING, told > 0 ? "true" : "false");
	}
}

void read_bare_meeting(struct reader *rd)
{
	/* "all correct" is about the record, and not about the meeting */
	if (reader_holds(rd, W_ABOUT_RECORD, 0, rd->n))
		return;
	if (reader_holds(rd, W_BOOKED, 0, rd->n))
		reader_put(rd, FIELD_MEETING, reader_holds(rd, W_NOT, 0, rd->n) ? "false" : "true");
	else if (rd->out.yes || rd->out.no)
		reader_put(rd, FIELD_MEETING, rd->out.yes ? "true" : "false");
}
