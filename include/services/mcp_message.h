/*
 * One JSON-RPC message of the Model Context Protocol: read and classified, and written.
 *
 * Ids are kept as the text that was sent, because an answer must repeat them digit by digit, and a number
 * may be larger than any of ours. They are compared with mcp_same_id().
 */
#ifndef SERVICES_MCP_MESSAGE_H
#define SERVICES_MCP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/mcp_protocol.h"

enum { MCP_DEPTH = 64, MCP_ID_MAX = 512 };

enum mcp_kind {
	MCP_REQUEST,                  /* wants an answer */
	MCP_NOTIFICATION,             /* must never get one */
	MCP_RESULT, MCP_ERROR,        /* answers */
};

struct mcp_message {
	enum mcp_kind kind;
	struct str id;                /* as it was sent: 7, "a"; empty: a notification, or an error without id */
	const char *method;           /* of a request or notification */
	struct json_object *params;   /* its params; NULL: none */
	struct json_object *meta;     /* params._meta; NULL: none, or not an object */
	struct json_object *result;   /* of MCP_RESULT: an object */
	int64_t code;                 /* of MCP_ERROR */
	const char *said;             /* … its message */
	struct json_object *data;     /* … its data; NULL: none */
};

/* Why a text is no message. */
struct mcp_fault {
	enum mcp_error code;          /* MCP_PARSE_ERROR or MCP_INVALID_REQUEST */
	struct str id;                /* to be repeated in the answer; empty: it could not be read */
	bool batch;                   /* it is a list */
	const char *said;             /* a sentence for the sender, in the arena */
};

/* Read n bytes, which must be one message: strict JSON, at most MCP_DEPTH deep, no member named twice, ids
 * that are texts or whole numbers of at most MCP_ID_MAX bytes. All that it points to is in the arena; the
 * id is a copy. ERR_INPUT with `fault`. */
enum errcode mcp_message_read(struct mcp_message *m, struct arena *a, const char *p, size_t n,
    struct mcp_fault *fault);

/* Do two ids mean the same? Numbers are equal when their digits are; texts when their characters are. */
bool mcp_same_id(struct arena *a, struct str x, struct str y);
/* A member of a message as an id: a text or whole number, in the form in which messages repeat it; empty:
 * it is neither. For `requestId` and `progressToken`, which come inside of params. In the arena. */
struct str mcp_id_of(struct arena *a, struct json_object *value);

/* Append a message. It holds no line break. b->full: it did not fit. `params`, `data` NULL: left out; an
 * empty id too. `result` is printed; mcp_put_result_text() takes finished JSON. */
void mcp_put_request(struct buf *b, struct str id, const char *method, struct json_object *params);
void mcp_put_notification(struct buf *b, const char *method, struct json_object *params);
void mcp_put_result(struct buf *b, struct str id, struct json_object *result);
void mcp_put_result_text(struct buf *b, struct str id, const char *json, size_t n);
void mcp_put_error(struct buf *b, struct str id, int64_t code, const char *said, struct json_object *data);

#endif
