/*
 * Finding the name of a place in a message: where it ends, and which country it is in.
 */
#ifndef AGENTS_AVIATION_BUILTIN_PLACE_MENTIONS_H
#define AGENTS_AVIATION_BUILTIN_PLACE_MENTIONS_H

#include "agents/aviation/builtin/query.h"

/* How sure the position makes us that a place is named there. */
enum belief {
	BELIEF_KNOWN,      /* none: what the database knows and is spelt like a name */
	BELIEF_NAME,       /* after "in", "at", "of": known, or written with a capital */
	BELIEF_ANY,        /* after "near", "from", "between": whatever stands there */
};

/* The place that begins at item i. *next is the item after it; false: no place here. */
bool place_mention_at(struct reading *r, size_t i, enum belief belief, struct place_mention *out, size_t *next);
/* The place that ends before item `end`; *first is where it begins. */
bool place_mention_before(struct reading *r, size_t end, struct place_mention *out, size_t *first);
/* Is item i one of the words for a single airport, as in "airport LKPR"? */
bool place_mention_noun(const struct reading *r, size_t i);
/* Is this LX_COUNTRY item an adjective ("German")? */
bool place_mention_adjective(const struct reading *r, size_t i);

#endif
