/*
 * The server side of the Model Context Protocol: our tools, prompts and data for other people's
 * assistants, over HTTP (a route row) and over standard input and output.
 *
 * It keeps nothing between two messages, so any worker answers any request, and one endpoint serves
 * clients of both eras (services/mcp_protocol.h).
 */
#ifndef EDGES_MCP_H
#define EDGES_MCP_H

#include <stdbool.h>

#include "edges/edge.h"

struct mcp_server;

/* What is made once: the descriptions of the tools that the aviation agent offers. `edge` counts the turns
 * that run at once; NULL: one caller alone (stdio). The parts must outlive it. Constant from then on, except
 * for the list of tokens, which follows its file. Never NULL; without the aviation agent it has no tools. */
struct mcp_server *mcp_server_new(const struct edge_parts *parts, struct edge *edge);
void mcp_server_free(struct mcp_server *s);

/*
 * Serve one client over two descriptors, one message a line, until `in` ends. Requests may be sent before
 * earlier ones are answered; notifications/cancelled ends the call that it names. ERR_IO: a descriptor
 * failed.
 */
enum errcode mcp_stdio_serve(struct mcp_server *s, int in, int out, struct err *e);

#endif
