/*
 * A message is cut into sentences. A sentence is a question about the company, a wish about the conversation
 * itself ("start over"), or it tells values. Values are found by the words before them ("my id is …") or by
 * being known words ("keyboard", "vegetarian"), so they may come in any order. Only a message in which nothing
 * was found is taken as a bare answer to what was asked last.
 */
#include "agents/onboarding/builtin/reading.h"

#include <string.h>

#include "agents/onboarding/builtin/diet_reading.h"
#include "agents/onboarding/builtin/id_reading.h"
#include "agents/onboarding/builtin/kit_reading.h"
#include "agents/onboarding/builtin/meeting_reading.h"
#include "agents/onboarding/builtin/name_reading.h"
#include "agents/onboarding/builtin/wish_reading.h"

/* -- values -- */

/* The number of words of the value at `at`, of whatever field; 0: none stands there. */
static size_t read_value(struct reader *rd, size_t at, size_t end)
{
	/* the first that finds a value wins */
	static size_t (*const readers[])(struct reader *, size_t, size_t) = {
		read_no_diet, read_diet_lead, read_diet_none, read_name_not, read_id, read_name, read_name_here,
		read_diet, read_kit,
	};
	size_t n = 0;

	for (size_t i = 0; n == 0 && i < sizeof(readers) / sizeof(readers[0]); i++)
		n = readers[i](rd, at, end);
	for (size_t k = at; k < at + n; k++)
		rd->taken[k] = true;
	return n;
}

/* A word or phrase that is no value: it may deny the next one. */
static size_t read_other(struct reader *rd, size_t at, size_t end)
{
	const size_t not = reader_match(rd, W_NOT, at, end), next = at + not;

	/* "no, a mouse" denies what was said before, and not the mouse */
	rd->negated |= not > 0 && rd->said[next - 1].after == '\0' &&
	    (next >= end || reader_match(rd, W_FILLER, next, end) == 0);
	return not > 0 ? not : 1;
}

static void read_values(struct reader *rd, size_t from, size_t to)
{
	rd->negated = false;
	for (size_t i = from, n; i < to; i += n) {
		n = read_value(rd, i, to);
		n = n > 0 ? n : read_other(rd, i, to);
	}
	read_meeting(rd, from, to);
}

/* -- sentences -- */

static bool is_question(const struct reader *rd, size_t from, size_t to)
{
	/* "Can I have a keyboard?" tells a value */
	if (reader_holds(rd, W_WISH, from, to) && names_kit(rd, from, to))
		return false;
	/* "could you export it?", "do not export it" */
	if (reader_match(rd, W_EXPORT, from, to) > 0 ||
	    (rd->said[to - 1].after != '?' && reader_holds(rd, W_EXPORT, from, to) && reader_denies(rd, from, to)))
		return false;
	return (rd->said[to - 1].after == '?' && reader_has_letter(rd, from, to)) ||
	    reader_match(rd, W_QUESTION, from, to) > 0;
}

static void read_sentence(struct reader *rd, size_t from, size_t to)
{
	const size_t first = reader_skip(rd, W_FILLER, from, to);

	if (read_wish(rd, from, to))
		return;
	if (first < to && is_question(rd, first, to)) {
		rd->out.question = rd->out.question == NULL ? reader_text(rd, first, to) :
		    arena_printf(rd->a, "%s %s", rd->out.question, reader_text(rd, first, to));
		rd->found = true;
		return;
	}
	if (!read_removal(rd, from, to))
		read_values(rd, from, to);
}

static bool ends_sentence(char mark)
{
	return mark != '\0' && strchr(".?!;", mark) != NULL;
}

static void read_sentences(struct reader *rd)
{
	size_t from = 0;

	for (size_t i = 0; i < rd->n; i++)
		if (ends_sentence(rd->said[i].after) || i + 1 == rd->n) {
			read_sentence(rd, from, i + 1);
			from = i + 1;
		}
}

/* -- a bare answer -- */

/* Is it made of small words alone, such as a greeting? */
static bool is_small_talk(const struct reader *rd)
{
	static const enum word_kind kinds[] = { W_GREETING, W_THANKS, W_FILLER };

	for (size_t i = 0, n; i < rd->n; i += n) {
		n = 0;
		for (size_t k = 0; n == 0 && k < sizeof(kinds) / sizeof(kinds[0]); k++)
			n = reader_match(rd, kinds[k], i, rd->n);
		if (n == 0)
			return false;
	}
	return true;
}

static void read_bare(struct reader *rd)
{
	static void (*const by_field[ONBOARDING_WRITABLE])(struct reader *) = {
		[FIELD_EMPLOYEE_NAME] = read_bare_name,
		[FIELD_EMPLOYEE_ID] = read_bare_id,
		[FIELD_STARTER_KIT] = read_bare_kit,
		[FIELD_DIETARY] = read_bare_diet,
		[FIELD_MEETING] = read_bare_meeting,
	};

	if (rd->out.decline || is_small_talk(rd) || read_lone_id(rd))
		return;
	if (rd->asked >= 0 && rd->asked < ONBOARDING_WRITABLE && by_field[rd->asked] != NULL)
		by_field[rd->asked](rd);
}

/* Fields that the message names. */
static unsigned mentioned(const struct reader *rd)
{
	static const struct { enum word_kind words; enum onboarding_field f; } names[] = {
		{ W_NAME, FIELD_EMPLOYEE_NAME }, { W_ID, FIELD_EMPLOYEE_ID }, { W_MEETING, FIELD_MEETING },
	};
	unsigned fields = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (reader_holds(rd, names[i].words, 0, rd->n))
			fields |= 1u << names[i].f;
	return fields;
}

/* -- the message -- */

struct reading onboarding_read(const struct onboarding_words *w, struct arena *a, const char *message, int asked)
{
	struct reader rd = { .w = w, .a = a, .asked = asked };

	reader_cut(&rd, message);
	read_sentences(&rd);
	read_list(&rd);
	rd.out.greeting = rd.n > 0 && reader_match(&rd, W_GREETING, 0, rd.n) > 0;
	rd.out.thanks = reader_holds(&rd, W_THANKS, 0, rd.n);
	read_export(&rd);
	rd.out.decline_all = reader_holds(&rd, W_DECLINE_ALL, 0, rd.n) &&
	    !(rd.found && rd.out.value[FIELD_MEETING] != NULL);
	if (rd.found || rd.n == 0)
		return rd.out;
	read_yes_no(&rd);
	rd.out.mentioned = mentioned(&rd);
	if (!reader_holds(&rd, W_EXPORT, 0, rd.n) && !rd.out.decline_all)
		read_bare(&rd);
	return rd.out;
}

bool reading_is_empty(const struct reading *r)
{
	for (int f = 0; f < ONBOARDING_WRITABLE; f++)
		if (r->value[f] != NULL)
			return false;
	return r->question == NULL && r->removed == 0 && !r->no_diet && !r->decline_all && !r->yes && !r->no &&
	    !r->decline && !r->export && !r->status && !r->restart && !r->greeting && !r->thanks;
}
