/*
 * Messages that are questions about rules although they do not sound so: "hail dented the wing, may I fly home?"
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULES_QUESTION_H
#define AGENTS_AVIATION_BUILTIN_RULES_QUESTION_H

#include "language/frame.h"
#include "language/reading.h"
#include "tools/tool.h"

/* If a rule is near enough, turn a message that the reader takes for `cannot:other` into a question about rules. True: it was turned;
 * make its frames again, of its marks. The rules are searched with the built-in vectors, and no provider is asked. */
bool rules_question_found(struct reading *r, struct arena *a, const struct tool_context *ctx, const char *text);

#endif
