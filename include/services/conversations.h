/*
 * The list of a user's conversations. A conversation is a thread (services/store.h) with the same id, and this
 * record: it is there before the first message, has a title that its owner can change, and names the newest
 * turn. It is deleted when it is not used for as long as a thread is kept.
 *
 * A conversation is always looked for among those of its owner, so for everybody else it does not exist.
 *
 * Errors as in services/store.h. ERR_NOTFOUND: this owner has no such conversation.
 */
#ifndef SERVICES_CONVERSATIONS_H
#define SERVICES_CONVERSATIONS_H

#include "services/store.h"

enum {
	CONVERSATION_TITLE_MAX = 800,   /* bytes: 200 characters */
	CONVERSATION_PAGE_MAX = 100,
};

struct conversation {
	const char *id;                 /* UUIDv4 */
	const char *title;
	int64_t created_us, updated_us; /* Unix time; each message moves the second */
	const char *run;                /* of the newest turn; "": there was none */
	int64_t turn;                   /* … and its number, from 1 on */
};

/* ERR_LIMIT: the owner has `max` conversations already. */
enum errcode conversations_add(struct store *s, const char *owner, const struct conversation *c, int64_t max,
    struct err *e);
enum errcode conversations_find(struct store *s, struct arena *a, const char *owner, const char *id,
    struct conversation *out, struct err *e);
/* A page, newest `updated_us` first. limit: at most CONVERSATION_PAGE_MAX. */
enum errcode conversations_list(struct store *s, struct arena *a, const char *owner, int64_t skip,
    size_t limit, struct conversation **out, size_t *n, struct err *e);
enum errcode conversations_rename(struct store *s, const char *owner, const char *id, const char *title,
    int64_t now_us, struct err *e);
/* A turn has begun: the conversation is updated now, and this run is its newest turn, whose number is *turn. */
enum errcode conversations_turn(struct store *s, const char *owner, const char *id, const char *run,
    int64_t now_us, int64_t *turn, struct err *e);
enum errcode conversations_drop(struct store *s, const char *owner, const char *id, struct err *e);

#endif
