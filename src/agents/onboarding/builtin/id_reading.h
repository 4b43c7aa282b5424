/*
 * How the id of the employee is read.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_ID_READING_H
#define AGENTS_ONBOARDING_BUILTIN_ID_READING_H

#include "agents/onboarding/builtin/reader.h"

/* "id 42-A", "my id is 42-A": the number of words that were read at `at`, or 0. */
size_t read_id(struct reader *rd, size_t at, size_t end);

/* The whole message is the answer to the question for the id. */
void read_bare_id(struct reader *rd);
/* "sorry, typo: LM-4281": a short message with one word that can only be an id. */
bool read_lone_id(struct reader *rd);

#endif
