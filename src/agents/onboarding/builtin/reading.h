/*
 * What an employee's message says, read without a language model.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_READING_H
#define AGENTS_ONBOARDING_BUILTIN_READING_H

#include "agents/onboarding/builtin/words.h"
#include "tools/onboarding.h"

/* What was asked last: a field, or one of these. */
enum { ASKED_NOTHING = -1, ASKED_CONFIRM = ONBOARDING_FIELD__MAX };

struct reading {
	/* values in the employee's words; of the meeting "true" or "false". NULL: not told */
	const char *value[ONBOARDING_WRITABLE];
	const char *question;         /* about the company; NULL: none */
	bool no_diet;                 /* there are no dietary restrictions */
	unsigned removed;             /* bits of fields that are to be empty */
	unsigned mentioned;           /* bits of fields that it names without a value: "the id is wrong" */
	/* answers to what was asked: at most one of them */
	bool yes, no, decline;
	bool decline_all;             /* none of the optional fields */
	bool hold;                    /* it puts off or denies the export, or takes its "yes" back */
	bool export, status, restart, greeting, thanks;
};

/* Pure: the same message and question give the same reading. Texts live in the arena. */
struct reading onboarding_read(const struct onboarding_words *w, struct arena *a, const char *message, int asked);
/* It understood nothing at all. */
bool reading_is_empty(const struct reading *r);

#endif
