/*
 * Estimate tokens: for budgets, and for providers that do not say what a call used.
 *
 * Byte-pair encoders of current models make one token of about four characters of English or JSON,
 * and of fewer characters of other scripts. The estimate is rather too large than too small, so
 * that a budget holds.
 */
#ifndef SERVICES_TOKENS_H
#define SERVICES_TOKENS_H

#include <stddef.h>
#include <stdint.h>

/* Tokens of n bytes of UTF-8 text; 0 only for no text. */
int64_t tokens_guess(const char *p, size_t n);

#endif
