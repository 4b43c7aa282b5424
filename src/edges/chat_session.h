/*
 * What a chat request takes from its session: the newest thread, and the persona.
 */
#ifndef EDGES_CHAT_SESSION_H
#define EDGES_CHAT_SESSION_H

#include "edges/chat_request.h"

/* "last" as thread_id becomes the newest thread of the session (NULL, a new one, if there is none). A
 * request without a persona_id gets the session's, if it is one of `personas` (NULL: any). `session_id` is the one that the request names, NULL:
 * none; `user` NULL: anonymous. The store is asked only if one of the two is wanted. ERR_INPUT: "last" was
 * asked for, and the request names no session that is kept. Texts are in the arena. */
enum errcode chat_session_fill(struct store *s, struct arena *a, struct chat_request *chat,
    const char *session_id, const char *user, const struct personas *personas, struct err *e);

#endif
