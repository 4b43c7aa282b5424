/*
 * How the name of the employee is read.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_NAME_READING_H
#define AGENTS_ONBOARDING_BUILTIN_NAME_READING_H

#include "agents/onboarding/builtin/reader.h"

/* These return how many words they read at `at`; 0: what they read does not stand there. */

/* "my name is Ada Lovelace", "I'm Ada" */
size_t read_name(struct reader *rd, size_t at, size_t end);
/* "not Ada but Eda" */
size_t read_name_not(struct reader *rd, size_t at, size_t end);
/* "Ada Lovelace here" */
size_t read_name_here(struct reader *rd, size_t at, size_t end);

/* The whole message is the answer to the question for the name. */
void read_bare_name(struct reader *rd);
/* "Ada Lovelace, 42-A, mouse": a message that begins with a name, and perhaps an id, as parts of a list. */
void read_list(struct reader *rd);

#endif
