#include "agents/aviation/builtin/frame_unused.h"

#include <string.h>

#include "base/str.h"

static bool searches(const struct tool *t)
{
	return t->result == RESULT_AIRPORTS_NEAR || t->result == RESULT_AIRPORTS_ROUTE ||
	    t->result == RESULT_AIRPORTS_FOUND;
}

/* Day and time matter to a search only where customs or notice go by them. */
static bool timed(const struct look *l, const struct tool *t)
{
	return searches(t) && (frame_get(l->f, LABEL_MAX_NOTICE) != NULL || frame_get(l->f, LABEL_ENTRY) != NULL);
}

static bool is_wish(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	if (streq(value->text, WISH_HALFWAY) && look_can_be_halfway(l, t))
		return false;
	return searches(t) && place_refused(l->p, value) == NULL;
}

static bool is_via(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	(void)value;
	return l->from == NULL && tool_arg_find(t, "via") == NULL;
}

static bool is_refusal(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	(void)l;
	return searches(t) && streq(value->text, "false");
}

/* "In the Black Forest, not far from Strasbourg": a search near a place uses only that place, and the answer says so. */
static bool is_area(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	(void)value;
	return t->result == RESULT_AIRPORTS_NEAR && (l->f->slot[LABEL_NEAR].n > 0 || l->at != NULL);
}

static bool is_day(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	(void)value;
	return timed(l, t);
}

static bool is_time(const struct look *l, const struct tool *t, const struct frame_value *value)
{
	(void)value;
	return timed(l, t) || t->result == RESULT_AIRPORT;
}

static const struct row {
	enum label label;
	bool (*unused)(const struct look *l, const struct tool *t, const struct frame_value *value);
} rows[] = {
	{ LABEL_WISH, is_wish }, { LABEL_VIA, is_via }, { LABEL_AREA, is_area },
	{ LABEL_HOTEL, is_refusal }, { LABEL_RESTAURANT, is_refusal }, { LABEL_DAY, is_day }, { LABEL_TIME, is_time },
};

/* "not" need not be told beside "not in Germany". */
const char *frame_unused_joined(struct arena *a, const char *list, const char *more)
{
	return list == NULL || strstr(more, list) != NULL ? more : strstr(list, more) != NULL ? list
	    : arena_printf(a, "%s, %s", list, more);
}

const char *frame_unused(const struct look *l, const struct tool *t, bool last)
{
	struct arena *a = l->p->mem;
	const char *list = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct frame_slot *slot = &l->f->slot[rows[i].label];
		for (size_t k = 0; k < slot->n; k++)
			/* words of an earlier message were named in the answer to it */
			if (slot->value[k].words != NULL && rows[i].unused(l, t, &slot->value[k]))
				list = frame_unused_joined(a, list, slot->value[k].words);
	}
	for (size_t i = 0; last && i < l->p->frames->nunread; i++)
		list = frame_unused_joined(a, list, l->p->frames->unread[i]);
	return list;
}
