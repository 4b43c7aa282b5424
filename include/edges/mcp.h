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
 * earlier ones are answered; notifications/cancelled ends the call that it names.
 *
 * mcp_stdio_start() begins to read in a thread of its own, and answers what needs no server: the opening of a
 * conversation. So a client has its first answer while the service is still being opened. mcp_stdio_serve() lends
 * the server, returns when `in` has ended or nobody reads `out` any more, and frees what start() has made. NULL from
 * start(): no thread, with the reason. ERR_IO from serve(): a descriptor failed. ERR_TIMEOUT: a call that was
 * cancelled still uses the server and what it stands on, so the process must end without freeing them.
 */
struct mcp_stdio;
struct mcp_stdio *mcp_stdio_start(int in, int out, struct err *e);
enum errcode mcp_stdio_serve(struct mcp_stdio *io, struct mcp_server *s, struct err *e);

#endif
