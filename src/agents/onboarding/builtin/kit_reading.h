/*
 * How the wish for a starter kit is read.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_KIT_READING_H
#define AGENTS_ONBOARDING_BUILTIN_KIT_READING_H

#include "agents/onboarding/builtin/reader.h"

/* "a keyboard": the number of words that were read at `at`, or 0. */
size_t read_kit(struct reader *rd, size_t at, size_t end);
/* The whole message is the answer to the question for the kit. A kit that does not exist is one too: the tool says what
 * there is. */
void read_bare_kit(struct reader *rd);
bool names_kit(const struct reader *rd, size_t from, size_t to);

#endif
