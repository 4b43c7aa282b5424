/*
 * What a chat request takes from its session: the thread that was used last, and the persona.
 */
#ifndef EDGES_CHAT_SESSION_H
#define EDGES_CHAT_SESSION_H

#include "edges/chat_request.h"

/* Replace the thread_id "last" by the thread that the session used last (NULL, a new thread, if there is
 * none). If the request has no persona_id, use the session's, provided that it is one of `personas` (NULL: any
 * is allowed). The store is read only if one of the two is needed. `session_id` is the one that the request
 * names, NULL: it names none; `user` NULL: anonymous. ERR_INPUT: thread_id is "last", and the request names no
 * session that is kept. Texts are in the arena. */
enum errcode chat_session_fill(struct store *s, struct arena *a, struct chat_request *chat,
    const char *session_id, const char *user, const struct personas *personas, struct err *e);

#endif
