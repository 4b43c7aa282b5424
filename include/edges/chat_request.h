/*
 * The body of a chat request, typed and checked. Pure.
 */
#ifndef EDGES_CHAT_REQUEST_H
#define EDGES_CHAT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/store.h"

struct chat_limits {
	size_t messages;           /* the newest of a request that are read; older ones are skipped */
	size_t message_bytes;      /* of a text; a longer last message is refused, older ones are cut */
};

struct chat_request {
	struct message *messages;  /* user and assistant only; the last is the user's */
	size_t nmessages;
	size_t nsystem;            /* "system" messages the client sent: left out */
	const char *persona_id;    /* NULL: none */
	const char *thread_id;     /* NULL: a new thread */
	const char *session_id;    /* NULL: none, or not usable */
};

/* ERR_INPUT: *detail is the list of everything that is wrong, in the order of the fields
 * (FastAPI's shape: type, loc, msg, input, ctx). Everything lives in the arena. */
enum errcode chat_request_parse(struct arena *a, struct str body,
    const struct chat_limits *limits, struct chat_request *out, struct json_object **detail);

/* ^[A-Za-z0-9_-]{1,128}$, the form of thread and session ids. NULL does not match. */
bool chat_id_valid(const char *id);

#endif
