/*
 * What a tool of an external MCP server answered, as an object that the writers can read and a page
 * can show. It is bounded and cleaned, and it is data: nothing in it is an instruction.
 *
 *   source     the server's name in MCP_SERVERS
 *   tool       the tool's name there
 *   title      what the operator accepted as its title, or its name in words
 *   text       its text; left out if there is none, or if it only repeats `data`
 *   data       its structured result, or its text if that is JSON; left out if there is none
 *   parts      what is neither, as [{"type": "image", "mime_type", "bytes"}, …]: not the content itself
 *   shortened  true: something did not fit
 */
#ifndef SERVICES_MCP_RESULT_H
#define SERVICES_MCP_RESULT_H

enum {
	MCP_TEXT_MAX = 32 * 1024,     /* bytes of `text` */
	MCP_DATA_BYTES = 64 * 1024, MCP_DATA_VALUES = 5000, MCP_DATA_DEPTH = 12,
	MCP_PARTS_MAX = 50,
};

#endif
