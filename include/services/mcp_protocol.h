/*
 * The vocabulary of the Model Context Protocol, for our server and our client: revisions, error codes,
 * methods, fields of messages and HTTP headers.
 *
 * The protocol has two eras. In the legacy era (up to 2025-11-25) a client opens with `initialize` and
 * names the revision once. In the modern era (2026-07-28) there is no handshake: every request names its
 * revision in `_meta`, and over HTTP in headers too.
 */
#ifndef SERVICES_MCP_PROTOCOL_H
#define SERVICES_MCP_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"

enum mcp_era { MCP_LEGACY, MCP_MODERN };

#define MCP_NEWEST_MODERN "2026-07-28"
#define MCP_NEWEST_LEGACY "2025-11-25"
/* What an HTTP request of the legacy era speaks when it names no revision. */
#define MCP_UNNAMED       "2025-03-26"

struct mcp_revision {
	const char *name;
	enum mcp_era era;
};
/* All that we speak, newest first. */
extern const struct mcp_revision mcp_revisions[];
extern const size_t mcp_nrevisions;
/* NULL: we do not speak it; `name` may be NULL. */
const struct mcp_revision *mcp_revision_find(const char *name);
/* Their names as a list, newest first. A fresh reference. */
struct json_object *mcp_revision_names(void);

/* Codes of errors. */
enum mcp_error {
	MCP_PARSE_ERROR      = -32700,  /* not JSON, or not UTF-8 */
	MCP_INVALID_REQUEST  = -32600,  /* JSON, but no message */
	MCP_NO_METHOD        = -32601,
	MCP_INVALID_PARAMS   = -32602,
	MCP_INTERNAL         = -32603,
	MCP_HEADER_MISMATCH  = -32020,  /* a header is missing, or says something else than the body */
	MCP_NO_CAPABILITY    = -32021,  /* the client has not declared what the call needs */
	MCP_BAD_REVISION     = -32022,  /* data: {"supported", "requested"} */
	MCP_NO_RESOURCE_OLD  = -32002,  /* legacy; the modern code is MCP_INVALID_PARAMS */
};

/* Methods. */
#define MCP_INITIALIZE       "initialize"
#define MCP_INITIALIZED      "notifications/initialized"
#define MCP_DISCOVER         "server/discover"
#define MCP_PING             "ping"
#define MCP_TOOLS_LIST       "tools/list"
#define MCP_TOOLS_CALL       "tools/call"
#define MCP_PROMPTS_LIST     "prompts/list"
#define MCP_PROMPTS_GET      "prompts/get"
#define MCP_RESOURCES_LIST   "resources/list"
#define MCP_TEMPLATES_LIST   "resources/templates/list"
#define MCP_RESOURCES_READ   "resources/read"
#define MCP_COMPLETE         "completion/complete"
#define MCP_PROGRESS         "notifications/progress"
#define MCP_CANCELLED        "notifications/cancelled"
#define MCP_LOG_MESSAGE      "notifications/message"
#define MCP_TOOLS_CHANGED    "notifications/tools/list_changed"

/* Members of `_meta`. */
#define MCP_KEY_REVISION     "io.modelcontextprotocol/protocolVersion"
#define MCP_KEY_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define MCP_KEY_CLIENT       "io.modelcontextprotocol/clientInfo"
#define MCP_KEY_SERVER       "io.modelcontextprotocol/serverInfo"
#define MCP_KEY_LOG_LEVEL    "io.modelcontextprotocol/logLevel"
#define MCP_KEY_TOKEN        "progressToken"

/* HTTP headers. */
#define MCP_HEADER_REVISION  "MCP-Protocol-Version"
#define MCP_HEADER_METHOD    "Mcp-Method"
#define MCP_HEADER_NAME      "Mcp-Name"
#define MCP_HEADER_SESSION   "Mcp-Session-Id"
#define MCP_HEADER_PARAM     "Mcp-Param-"       /* begins the name of a mirrored argument */

/* What Mcp-Name repeats: the member of `params`, "name" or "uri"; NULL: the method has no such header. */
const char *mcp_named_by(const char *method);

/*
 * The value of a mirrored header. Text that a header cannot carry is sent as "=?base64?…?=".
 *
 * mcp_header_write() gives a text of n bytes as such a value. mcp_header_read() gives back what a value
 * means, without blanks around it; *out may hold NULs. ERR_INPUT: its base64 is broken. Both in the arena.
 */
const char *mcp_header_write(struct arena *a, const char *text, size_t n);
enum errcode mcp_header_read(struct arena *a, const char *value, struct str *out);

#endif
