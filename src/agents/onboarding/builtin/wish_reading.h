/*
 * How wishes are read, and "yes" and "no".
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_WISH_READING_H
#define AGENTS_ONBOARDING_BUILTIN_WISH_READING_H

#include "agents/onboarding/builtin/reader.h"

/* "start over", "what do you have so far?". The functions that return a bool tell whether they read anything. */
bool read_wish(struct reader *rd, size_t from, size_t to);
/* "remove the diet", "take the mouse out again": the fields that it names are to be empty. */
bool read_removal(struct reader *rd, size_t from, size_t to);
/* Does the message wish the export, or put it off? */
void read_export(struct reader *rd);
/* The whole message as an answer to what was asked: yes, no, or that there is nothing to tell. */
void read_yes_no(struct reader *rd);

#endif
