/*
 * Declarations shared by the files that amend frames. frame_amends.c calls frame_share.c and frame_country.c.
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
/* Remove one value of a slot. The values are shared with the frame before, so the rest is copied into a new array. */
void frame_drop_value(struct arena *a, struct frame_slot *slot, size_t i);

/* frame_share.c: one plan of a message takes over what the plan beside it says. */
void frames_share(struct frames *f, const struct reading *r);

/* frame_country.c: of "a flight plan to Switzerland from Germany", the country where the flight begins comes first. */
void frame_order_countries(struct arena *a, struct frame *f, const struct reading *r);

/* frame_country.c: a follow-up keeps, changes or drops the countries of the frame before. */
void frame_amend_countries(struct arena *a, struct frame *f, const struct reading *r, const struct dialogue *before);

#endif
