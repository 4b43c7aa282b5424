/*
 * The check of a tool's arguments, as tool_call() needs it.
 */
#ifndef TOOLS_TOOL_ARGS_H
#define TOOLS_TOOL_ARGS_H

#include "tools/tool.h"

/* Like tool_check(), but without the tool's name before the message; unknown names are faults only
 * if the tool says so. */
enum errcode tool_args_check(const struct tool *t, struct json_object *args, bool unknown_too,
    struct err *e);

#endif
