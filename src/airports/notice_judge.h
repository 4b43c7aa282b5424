/*
 * How far a reading of a notice text can be trusted.
 */
#ifndef AIRPORTS_NOTICE_JUDGE_H
#define AIRPORTS_NOTICE_JUDGE_H

#include "airports/notice_rules.h"
#include "airports/notice_tokens.h"

/* Fill complexity and warning of a reading whose rules are complete. cut: the text goes on. */
void notice_judge(struct notice_reading *r, struct arena *a, const char *text,
    const struct notice_token *t, size_t n, bool cut);

#endif
