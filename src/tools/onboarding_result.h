/*
 * What the results of the onboarding tools have in common.
 */
#ifndef TOOLS_ONBOARDING_RESULT_H
#define TOOLS_ONBOARDING_RESULT_H

#include "tools/onboarding.h"

/* The names of the first n fields, as a list. A fresh reference. */
struct json_object *onboarding_names(int n);
/* How many bytes of a text that a model sent are repeated in a message. */
size_t onboarding_shown(const char *text);
/* The tool was called outside of a conversation. */
enum errcode onboarding_no_record(struct err *e);

#endif
