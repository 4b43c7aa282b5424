/*
 * The check of a tool's arguments, as tool_call() needs it.
 */
#ifndef TOOLS_TOOL_ARGS_H
#define TOOLS_TOOL_ARGS_H

#include "tools/tool.h"

/* As tool_check(), without the tool's name in front; unknown names only where they count. */
enum errcode tool_args_check(const struct tool *t, struct json_object *args, bool unknown_too,
    struct err *e);

#endif
