/*
 * Who may use the MCP server, from where, and how often.
 */
#ifndef EDGES_MCP_ACCESS_H
#define EDGES_MCP_ACCESS_H

#include "edges/http.h"
#include "edges/mcp_call.h"

/* Find out who calls. False: the request was refused (401, 403, 404). */
bool mcp_access(const struct edge *e, struct http_req *r, struct http_res *w, struct mcp_caller *out);

#endif
