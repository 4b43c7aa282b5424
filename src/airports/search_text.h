/*
 * Search by text.
 */
#ifndef AIRPORTS_SEARCH_TEXT_H
#define AIRPORTS_SEARCH_TEXT_H

#include "airports/search_candidates.h"

/* Visit all candidates that q->text may mean. */
enum errcode search_text(struct airport_search *s, struct aircon *con, struct err *e);

#endif
