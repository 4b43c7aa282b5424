/*
 * Tools of external MCP servers as rows of the tool table.
 */
#ifndef TOOLS_EXTERNAL_H
#define TOOLS_EXTERNAL_H

#include "base/arena.h"
#include "base/errs.h"
#include "services/mcp_client.h"
#include "tools/tool.h"

/*
 * Add a row for each tool of a server that is allowed by name and was accepted. Its name is
 * mcp__<server>__<tool>, where other characters than letters, digits, "_" and "-" become "_"; a name
 * that is too long ends in a hash. Its text and schema are those that were accepted. A tool whose
 * schema cannot be used, and one whose name is taken, is left out, with a line in the log. The client must outlive the table.
 * ERR_CONFIG: the table is full.
 */
enum errcode external_tools_add(struct toolset *table, struct arena *a, struct mcp_client *client,
    struct err *e);

/* The tool that took the name of this one in the table, so that this one was left out; NULL: there is none. `pin` is
 * one of those that the client of the server was made with. */
const struct tool *external_tool_rival(struct toolset table, struct arena *a, const char *server,
    const struct mcp_pin *pin);

/* Has a tool of the server's list a place in the tool table? ERR_CONFIG with the reason. For those who
 * accept tools. */
enum errcode external_tool_ok(struct arena *a, const char *server, const struct mcp_pin *pin,
    struct err *e);

#endif
