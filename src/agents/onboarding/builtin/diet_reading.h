/*
 * How dietary restrictions are read.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_DIET_READING_H
#define AGENTS_ONBOARDING_BUILTIN_DIET_READING_H

#include "agents/onboarding/builtin/reader.h"

/* These return how many words they read at `at`; 0: what they read does not stand there. */

/* "I eat everything" */
size_t read_no_diet(struct reader *rd, size_t at, size_t end);
/* "diet: n/a", "diet none" */
size_t read_diet_none(struct reader *rd, size_t at, size_t end);
/* "vegetarian and gluten free" */
size_t read_diet(struct reader *rd, size_t at, size_t end);
/* "allergic to nuts and shellfish": to the end of the clause, or where another value begins. */
size_t read_diet_lead(struct reader *rd, size_t at, size_t end);

/* The whole message is the answer to the question for restrictions. */
void read_bare_diet(struct reader *rd);

#endif
