/*
 * Dietary restrictions are free text. Known words ("vegetarian") are found anywhere; other words are taken from
 * behind a lead ("allergic to …"). Several restrictions of one message are put one after the other.
 */
#include "agents/onboarding/builtin/diet_reading.h"

static void add_diet(struct reader *rd, const char *text)
{
	const char *before = rd->out.value[FIELD_DIETARY];

	reader_put(rd, FIELD_DIETARY, before == NULL ? text : arena_printf(rd->a, "%s, %s", before, text));
}

size_t read_no_diet(struct reader *rd, size_t at, size_t end)
{
	const size_t n = reader_match(rd, W_NO_DIET, at, end);

	rd->out.no_diet |= n > 0;
	rd->found |= n > 0;
	return n;
}

size_t read_diet_none(struct reader *rd, size_t at, size_t end)
{
	const size_t lead = reader_match(rd, W_DIET_NAME, at, end);
	const size_t to = reader_skip(rd, W_IS, at + lead, end);
	const size_t none = lead > 0 && to < end ? reader_match(rd, W_DECLINE, to, end) : 0;

	if (none == 0)
		return 0;
	rd->out.no_diet = rd->found = true;
	return to + none - at;
}

size_t read_diet(struct reader *rd, size_t at, size_t end)
{
	size_t n = reader_match(rd, W_DIET, at, end), to = at + n;

	if (n == 0)
		return 0;
	while (to < end) {
		const size_t next = to + (streq(rd->said[to].folded, "and") || streq(rd->said[to].folded, "or"));
		const size_t more = next < end ? reader_match(rd, W_DIET, next, end) : 0;
		if (more == 0)
			break;
		to = next + more;
	}
	/* "vegan, not vegetarian" */
	if (!rd->negated)
		add_diet(rd, reader_text(rd, at, to));
	rd->negated = false;
	return to - at;
}

/* "I can't eat gluten" is noted as "no gluten". */
static const char *diet_text(const struct reader *rd, size_t at, size_t lead, size_t to)
{
	const char *first = rd->said[at].folded;

	if (starts_with(first, "i"))
		return streq(rd->said[at + lead - 1].folded, "eat") || streq(rd->said[at + lead - 1].folded, "no") ?
		    arena_printf(rd->a, "no %s", reader_text(rd, at + lead, to)) : reader_text(rd, at, to);
	return streq(first, "no") ? arena_printf(rd->a, "no %s", reader_text(rd, at + 1, to)) : reader_text(rd, at, to);
}

/* Words behind a restriction that do not belong to it. */
static bool ends_diet(const char *word)
{
	return streq(word, "for") || streq(word, "please") || streq(word, "pls") || streq(word, "either");
}

size_t read_diet_lead(struct reader *rd, size_t at, size_t end)
{
	const size_t n = reader_match(rd, W_DIET_LEAD, at, end);
	size_t to = at + n;

	if (n == 0)
		return 0;
	while (to < end && rd->said[to - 1].after == '\0') {
		const size_t next = to + streq(rd->said[to].folded, "and");
		if (next < end && reader_begins_value(rd, next, end))
			break;
		if (ends_diet(rd->said[to].folded))
			break;
		to++;
	}
	add_diet(rd, diet_text(rd, at, n, to));
	return to - at;
}

void read_bare_diet(struct reader *rd)
{
	if (!rd->out.yes && !rd->out.no)
		reader_put(rd, FIELD_DIETARY, reader_text(rd, reader_skip(rd, W_FILLER, 0, rd->n), rd->n));
}
