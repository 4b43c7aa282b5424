/*
 * The questions about rules that one message asks.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_TOPICS_H
#define AGENTS_AVIATION_BUILTIN_FRAME_TOPICS_H

#include "agents/aviation/builtin/frame_plans.h"

enum { TOPIC_QUESTIONS = 3 };

struct topic_question {
	const struct frame_value *topic;      /* its matter */
	const char *text;                     /* the part of the message that asks it */
};

/* The questions of a frame, each with its own matter; how many. 0: it is one question, whatever it names. */
size_t frame_topics(const struct planning *p, const struct frame *f, struct topic_question out[TOPIC_QUESTIONS]);

#endif
