/*
 * The body of a chat request, typed and checked. Pure.
 */
#ifndef EDGES_CHAT_REQUEST_H
#define EDGES_CHAT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "airports/persona.h"
#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/store.h"

struct chat_limits {
	size_t messages;           /* how many of the newest messages of a request are read */
	/* of a text; a longer last message is refused, a longer older message is cut */
	size_t message_bytes;
	/* the ids that are accepted; NULL: any, and a request without one has none */
	const struct personas *personas;
};

struct chat_request {
	struct message *messages;  /* user and assistant only; the last is the user's */
	size_t nmessages;
	/* how many "system" messages the client sent; they are left out */
	size_t nsystem;
	const char *persona_id;    /* NULL: none */
	bool persona_given;        /* by the request; else it is the default */
	const char *thread_id;     /* NULL: a new thread; "last": the one that the session used last */
	const char *session_id;    /* NULL: none, or not in the form of an id */
	/* what to do while the thread has a run: "reject" or "enqueue"; NULL: as configured */
	const char *multitask_strategy;
	const char *on_disconnect; /* "cancel" or "continue"; NULL: as configured */
};

/* ERR_INPUT: *detail is the list of all faults, in the order of the fields (FastAPI's shape: type,
 * loc, msg, input, ctx). Everything lives in the arena. */
enum errcode chat_request_parse(struct arena *a, struct str body,
    const struct chat_limits *limits, struct chat_request *out, struct json_object **detail);

/* ^[A-Za-z0-9_-]{1,128}$, the form of thread and session ids. NULL does not match. */
bool chat_id_valid(const char *id);

#endif
