/*
 * Messages that are questions about rules although they do not sound so: "hail dented the wing, may I fly home?"
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULES_QUESTION_H
#define AGENTS_AVIATION_BUILTIN_RULES_QUESTION_H

#include "language/frame.h"
#include "language/reading.h"
#include "tools/tool.h"

/* The reader takes a message for something that the program is not for. If a rule answers it, make it a question about rules.
 * True: this has changed the reading, and frames are to be made of its marks. The rules are searched with the built-in
 * vectors, and no provider is asked. */
bool rules_question_found(struct reading *r, struct arena *a, const struct tool_context *ctx, const char *text);

#endif
