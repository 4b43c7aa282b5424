/*
 * How it is read whether the meeting is scheduled.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_MEETING_READING_H
#define AGENTS_ONBOARDING_BUILTIN_MEETING_READING_H

#include "agents/onboarding/builtin/reader.h"

/* What the clauses of a sentence say of the meeting. The other values of the sentence must have been read. */
void read_meeting(struct reader *rd, size_t from, size_t to);
/* The whole message is the answer to the question for the meeting. */
void read_bare_meeting(struct reader *rd);

#endif
