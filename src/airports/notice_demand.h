/*
 * Demands in the tokens of a text about notice.
 */
#ifndef AIRPORTS_NOTICE_DEMAND_H
#define AIRPORTS_NOTICE_DEMAND_H

#include "airports/notice_items.h"
#include "airports/notice_scan.h"

/* Each returns the tokens that the demand at i takes; 0: there is none. */
size_t notice_read_hours(const struct notice_scan *b, size_t i, struct notice_demand *d);
size_t notice_read_ad_hours(const struct notice_scan *b, size_t i);
/* Any demand without a number. */
size_t notice_read_demand(const struct notice_scan *b, size_t i, struct notice_demand *d);

#endif
