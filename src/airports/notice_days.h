/*
 * Days in a list of tokens.
 */
#ifndef AIRPORTS_NOTICE_DAYS_H
#define AIRPORTS_NOTICE_DAYS_H

#include "airports/notice_rules.h"
#include "airports/notice_tokens.h"

/* Read the days that begin at token i. Returns how many tokens they take, 0: no day begins there. */
size_t notice_read_days(const struct notice_token *t, size_t n, size_t i, struct notice_days *out);

#endif
