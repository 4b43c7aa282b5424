/*
 * How many turns of a user run at once, over all conversations and all workers (ONBOARDING_TURNS_AT_ONCE). A turn
 * occupies a worker, so without this limit one user could occupy them all.
 *
 * A running turn holds one of the user's slots. A slot is a claim in the store (services/claims.h), so the slot of a
 * worker that dies becomes free by itself.
 */
#ifndef EDGES_TURN_SLOT_H
#define EDGES_TURN_SLOT_H

#include "base/clock.h"
#include "edges/edge.h"
#include "edges/http.h"
#include "services/claims.h"

struct turn_slot {
	const char *name;               /* in the request's arena. NULL: none is held */
	char token[ID_SIZE];
};

/* False: all slots are taken, or the store does not answer, and the refusal was sent. */
bool turn_slot_take(const struct edge *e, struct http_req *r, struct http_res *w, struct turn_slot *out);
void turn_slot_free(const struct edge *e, struct turn_slot *slot);

#endif
