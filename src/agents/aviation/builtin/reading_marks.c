#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

bool mark_has_label(const struct mark *m, enum label label)
{
	return !m->lifted && streq(m->label, aviation_schema.label[label].name);
}

void mark_set_label(struct mark *m, enum label label)
{
	m->label = aviation_schema.label[label].name;
	m->value = NULL;
}

bool mark_is_place(const struct mark *m)
{
	const size_t label = frame_label_named(&aviation_schema, m->label);
	return !m->lifted && label < LABEL__MAX && (aviation_schema.label[label].how & FRAME_PLACE) != 0;
}

void reading_remove_mark(struct reading *r, size_t i)
{
	memmove(r->mark + i, r->mark + i + 1, (--r->nmarks - i) * sizeof(r->mark[0]));
}

bool reading_has_evidence(const struct reading *r, size_t first, size_t last, const char *kind)
{
	return evidence_in(r->evidence, first, last, kind) != NULL;
}

bool evidence_is_guessed(const char *kind)
{
	return kind[0] == '~' || kind[0] == '+' || streq(kind, "place.slip");
}
