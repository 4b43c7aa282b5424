/*
 * What the files that amend frames share: frame_amends.c, and frame_share.c and frame_country.c for what it calls.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_OWN_H
#define AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_OWN_H

#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/labels.h"

#define BIT(x) ((uint64_t)1 << LABEL_##x)

/* Labels that say where, and not what is wished for there. */
#define WHERE (BIT(FROM) | BIT(TO) | BIT(VIA) | BIT(NEAR) | BIT(AT) | BIT(AREA) | BIT(COUNTRY) | BIT(NAME) | BIT(PICK))

/* Does the frame have one of these labels? */
bool frame_says(const struct frame *f, uint64_t labels);
/* The mark of this label that takes nothing away; NULL: the message has none. */
const struct mark *reading_marked(const struct reading *r, enum label label);
/* Remove one value of a slot. The frame before has the same values, so they are copied first. */
void frame_drop_value(struct arena *a, struct frame_slot *slot, size_t i);

/* Is a plan of this kind about one airport? */
bool plan_is_about_one(enum plan_kind kind);

/* frame_share.c: plans of one message share what one of them says. */
void frames_share(struct frames *f, const struct reading *r);

/* frame_country.c: what a follow-up says of the countries of the frame before it. */
void frame_amend_countries(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before);

#endif
