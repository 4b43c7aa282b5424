/*
 * Finds the name of a place in a message: where the name ends, and in which country the place is.
 */
#ifndef AGENTS_AVIATION_BUILTIN_PLACE_MENTIONS_H
#define AGENTS_AVIATION_BUILTIN_PLACE_MENTIONS_H

#include "agents/aviation/builtin/query.h"

/* How strongly the position suggests that there is a place's name. */
enum belief {
	BELIEF_KNOWN,      /* not at all: a name must be known and spelt like a name */
	BELIEF_NAME,       /* after "in", "at", "of": it must be known, or written with a capital */
	BELIEF_ANY,        /* after "near", "from", "between": anything is a name */
};

/* The place that begins at item i. *next is the item after it. False: there is no place here. */
bool place_mention_at(struct reading *r, size_t i, enum belief belief, struct place_mention *out,
    size_t *next);
/* The place that ends before item `end`; *first is where it begins. */
bool place_mention_before(struct reading *r, size_t end, struct place_mention *out, size_t *first);
/* Is item i one of the words for a single airport, as in "airport LKPR"? */
bool place_mention_noun(const struct reading *r, size_t i);
/* Is this LX_COUNTRY item an adjective ("German")? */
bool place_mention_adjective(const struct reading *r, size_t i);

#endif
