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

/* Find the questions about rules in a frame, each with its own matter, and return their number. 0: the frame is a single question,
 * even if it names several matters. */
size_t frame_topics(const struct planning *p, const struct frame *f, struct topic_question out[TOPIC_QUESTIONS]);

#endif
