/*
 * Deleting a conversation of the onboarding agent with everything that belongs to it.
 */
#ifndef EDGES_CONVERSATION_DROP_H
#define EDGES_CONVERSATION_DROP_H

#include "base/conf.h"
#include "services/store.h"

/* Delete messages, state, runs and export, and last the record, so that a call that was interrupted can be repeated. user
 * NULL: the conversation has none. ERR_BUSY: a turn runs, until *retry_ms at the latest. ERR_NOTFOUND. */
enum errcode conversation_drop(struct store *s, const struct conf *conf, const char *user, const char *id,
    int64_t *retry_ms, struct err *e);
/* Delete all conversations of a user. ERR_BUSY: a turn runs in one of them, and the rest is left too. */
enum errcode conversations_drop_all(struct store *s, const struct conf *conf, const char *user, struct err *e);

#endif
