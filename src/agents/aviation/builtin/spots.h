/*
 * Finding the name of a place in a message: where it ends, and which country it is in.
 */
#ifndef AGENTS_AVIATION_BUILTIN_SPOTS_H
#define AGENTS_AVIATION_BUILTIN_SPOTS_H

#include "agents/aviation/builtin/query.h"

/* How sure the position makes us that a place is named there. */
enum belief {
	BELIEF_KNOWN,      /* none: what the database knows and is spelt like a name */
	BELIEF_NAME,       /* after "in", "at", "of": known, or written with a capital */
	BELIEF_ANY,        /* after "near", "from", "between": whatever stands there */
};

/* The place that begins at item i. *next is the item after it; false: no place here. */
bool spot_at(struct reading *r, size_t i, enum belief belief, struct spot *out, size_t *next);
/* The place that ends before item `end`; *first is where it begins. */
bool spot_before(struct reading *r, size_t end, struct spot *out, size_t *first);
/* Is item i one of the words for a single airport, as in "airport LKPR"? */
bool spot_noun(const struct reading *r, size_t i);
/* Is this LX_COUNTRY item an adjective ("German")? */
bool spot_adjective(const struct reading *r, size_t i);

#endif
