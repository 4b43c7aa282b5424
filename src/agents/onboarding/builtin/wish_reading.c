/*
 * Wishes are about the record or the conversation, and not values: "start over", "remove the diet", "export it". An
 * export hands the record to others, so every doubt is a reason to hold it.
 */
#include "agents/onboarding/builtin/wish_reading.h"

bool read_wish(struct reader *rd, size_t from, size_t to)
{
	const struct { enum word_kind words; bool *flag; } wishes[] = {
		{ W_STATUS, &rd->out.status }, { W_RESTART, &rd->out.restart },
	};

	for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++)
		if (reader_holds(rd, wishes[i].words, from, to)) {
			*wishes[i].flag = rd->found = true;
			return true;
		}
	return false;
}

bool read_removal(struct reader *rd, size_t from, size_t to)
{
	static const struct { enum word_kind words; enum onboarding_field f; } names[] = {
		{ W_ID, FIELD_EMPLOYEE_ID }, { W_MOUSE, FIELD_STARTER_KIT }, { W_KEYBOARD, FIELD_STARTER_KIT },
		{ W_BACKPACK, FIELD_STARTER_KIT }, { W_DIET_NAME, FIELD_DIETARY }, { W_MEETING, FIELD_MEETING },
	};
	unsigned fields = 0;

	/* "don't remove the diet" removes nothing */
	if (!reader_holds(rd, W_REMOVE, from, to) || reader_match(rd, W_NOT, from, to) > 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (reader_holds(rd, names[i].words, from, to)) {
			const unsigned bit = 1u << names[i].f;
			/* two kits: one of them is wished */
			if ((fields & bit) != 0)
				return false;
			fields |= bit;
		}
	rd->out.removed |= fields;
	rd->found |= fields != 0;
	return fields != 0;
}

/* An export needs a clause that wishes it and nothing that denies it or puts it off, here or in another clause. */
void read_export(struct reader *rd)
{
	const bool wished = reader_holds(rd, W_EXPORT, 0, rd->n);

	rd->out.hold = reader_holds(rd, W_LATER, 0, rd->n);
	for (size_t i = 0, end; i < rd->n; i = end) {
		end = reader_clause_end(rd, i, rd->n);
		rd->out.hold |= reader_holds(rd, W_EXPORT, i, end) && reader_denies(rd, i, end);
	}
	rd->out.export = wished && !rd->out.hold;
}

/* Does the message consist of this answer, besides small words? */
static bool answers(const struct reader *rd, enum word_kind kind)
{
	const size_t at = reader_skip(rd, W_FILLER, 0, rd->n);

	return reader_match(rd, kind, 0, rd->n) > 0 || (at < rd->n && reader_match(rd, kind, at, rd->n) > 0);
}

/* "Yes" and nothing else: any other word may take it back ("yes but the spelling needs a fix"). */
static bool is_plain_yes(const struct reader *rd)
{
	static const enum word_kind kinds[] = { W_YES, W_YES_TOO, W_FILLER, W_THANKS, W_ARTICLE, W_IDLE };

	if (reader_holds(rd, W_BUT, 0, rd->n))
		return false;
	for (size_t i = 0, n; i < rd->n; i += n) {
		n = 0;
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			const size_t more = reader_match(rd, kinds[k], i, rd->n);
			n = more > n ? more : n;
		}
		if (n == 0)
			return false;
	}
	return true;
}

void read_yes_no(struct reader *rd)
{
	/* "no thanks" begins with "no", and "nothing" is none: the longer meaning first */
	rd->out.decline = answers(rd, W_DECLINE);
	rd->out.yes = !rd->out.decline && answers(rd, W_YES);
	rd->out.no = !rd->out.decline && !rd->out.yes && answers(rd, W_NO);
	rd->out.hold |= rd->out.yes && !is_plain_yes(rd);
}
