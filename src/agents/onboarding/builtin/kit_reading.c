/*
 * The starter kit is one of three, each known by words of its own. A kit that does not exist is read only as the answer
 * to the question for it.
 */
#include "agents/onboarding/builtin/kit_reading.h"

enum { BARE_KIT_WORDS = 4 };

static const struct { enum word_kind words; const char *kit; } kits[] = {
	{ W_MOUSE, "mouse" }, { W_KEYBOARD, "keyboard" }, { W_BACKPACK, "backpack" },
};
enum { NKITS = sizeof(kits) / sizeof(kits[0]) };

static size_t kit_at(const struct reader *rd, size_t at, size_t end, const char **kit)
{
	for (size_t i = 0; i < NKITS; i++) {
		size_t n = reader_match(rd, kits[i].words, at, end);
		if (n > 0) {
			*kit = kits[i].kit;
			return n;
		}
	}
	return 0;
}

/* "mouse or keyboard" is no choice. The number of words of such a pair; 0: it is none. */
static size_t read_kit_pair(const struct reader *rd, size_t at, size_t n, size_t end, const char *kit)
{
	const size_t join = at + n;
	const char *other;

	if (join >= end || !(streq(rd->said[join].folded, "or") || streq(rd->said[join].folded, "and")))
		return 0;
	const size_t next = reader_skip(rd, W_ARTICLE, join + 1, end);
	const size_t more = next < end ? kit_at(rd, next, end, &other) : 0;
	return more > 0 && !streq(other, kit) ? next + more - at : 0;
}

size_t read_kit(struct reader *rd, size_t at, size_t end)
{
	const char *kit = NULL;
	const size_t n = kit_at(rd, at, end, &kit);
	const size_t pair = n > 0 ? read_kit_pair(rd, at, n, end, kit) : 0;

	if (n == 0 || pair > 0)
		return pair;
	if (!rd->negated)
		reader_put(rd, FIELD_STARTER_KIT, kit);
	rd->negated = false;
	return n;
}

void read_bare_kit(struct reader *rd)
{
	size_t at = reader_skip(rd, W_FILLER, 0, rd->n), to = rd->n;

	at = reader_skip(rd, W_ARTICLE, at, to);
	while (to > at && reader_match(rd, W_ARTICLE, to - 1, to) > 0)
		to--;
	if (at < to && to - at <= BARE_KIT_WORDS && !rd->out.yes && !rd->out.no)
		reader_put(rd, FIELD_STARTER_KIT, reader_text(rd, at, to));
}

bool names_kit(const struct reader *rd, size_t from, size_t to)
{
	const char *kit;

	for (size_t i = from; i < to; i++)
		if (kit_at(rd, i, to, &kit) > 0)
			return true;
	return false;
}
