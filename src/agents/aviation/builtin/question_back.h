/*
 * A question instead of an answer: two meanings are nearly as likely, two wishes exclude each other, or the message is
 * in a language that is not understood.
 */
#ifndef AGENTS_AVIATION_BUILTIN_QUESTION_BACK_H
#define AGENTS_AVIATION_BUILTIN_QUESTION_BACK_H

#include "agents/aviation/builtin/frame_plans.h"

/* False: there is nothing to ask. Else *out is a plan without a tool, whose reply is the question and whose choices are
 * the two meanings. */
bool question_back(const struct planning *p, struct plan *out);

/* Are most words of the message unknown, so that it may be in a language of which nothing is known? language_is_foreign()
 * finds those of which some words are. */
bool message_is_foreign(const struct reading *r);

/* Two wishes of a frame that exclude each other, in the pilot's words: "with avgas", "no avgas". False: there are
 * none. */
bool wishes_exclude(const struct planning *p, const struct frame *f, const char *either[2]);

#endif
