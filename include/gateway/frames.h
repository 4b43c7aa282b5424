/*
 * The JSON frames of the WebSocket protocol. Pure.
 */
#ifndef GATEWAY_FRAMES_H
#define GATEWAY_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

#define FRAME_PONG "{\"type\":\"pong\"}"

enum { FRAME_MAX = 64 << 10 };        /* largest frame of a client, in bytes */

enum frame_kind { FRAME_MESSAGE, FRAME_PING };

/* What a client sent; texts in the arena. */
struct client_frame {
	enum frame_kind kind;
	const char *conversation_id;  /* NULL: none was sent */
	const char *content;          /* of a message: not empty */
};

/* Read a frame of n bytes. ERR_INPUT, with a sentence for the client: it is not JSON, not an object,
 * of another type, or a member is missing. */
enum errcode frame_read(struct client_frame *f, struct arena *a, const char *p, size_t n,
    struct err *e);

/* {"type":"error","message","code"} */
const char *frame_error(struct arena *a, const char *message, const char *code);

/*
 * The error frame for an HTTP answer: its body, if that is an error frame or has `detail`; else one
 * made of the status, because nginx itself may have answered.
 */
const char *frame_of_status(struct arena *a, int status, const char *body, size_t n);

/*
 * The frame for an event of the aviation agent's stream; NULL: it has none. `thread` is set from the
 * last event. *last: this ends the turn. An error ends it too; what follows it is not for the
 * client, so the caller stops there.
 */
const char *frame_of_chat_event(struct arena *a, const char *event, const char *data, size_t n,
    bool *last);

#endif
