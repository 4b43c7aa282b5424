/*
 * What in a text is not about customs notice: other services, telephone hours, changes of plans.
 */
#ifndef AIRPORTS_NOTICE_CLAUSES_H
#define AIRPORTS_NOTICE_CLAUSES_H

#include "airports/notice_items.h"

/* Make NI_WORD of all items that say nothing about notice, and note in each demand what it is about. */
void notice_mute(struct notice_item *item, size_t n);

#endif
