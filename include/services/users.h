/*
 * Users of the agents that have accounts, in the thread store. A user never expires, and holds no secret but
 * the hash of the password.
 *
 * Names and e-mail addresses are unique without regard to case; the store decides this in one step, so two
 * registrations at once cannot both get a name.
 *
 * Errors as in services/store.h.
 */
#ifndef SERVICES_USERS_H
#define SERVICES_USERS_H

#include "services/store.h"

enum {
	USER_EMAIL_MAX = 254,           /* bytes */
	USER_NAME_MAX = 200,            /* 50 characters */
	USER_FULL_NAME_MAX = 400,       /* 100 characters */
};

struct user {
	const char *id;                 /* UUIDv4 */
	const char *email, *username;
	const char *full_name;          /* NULL: not given */
	const char *hash;               /* of the password */
	bool active;                    /* false: an operator has closed the account */
	int64_t created_us;             /* Unix time */
	int64_t tokens_from_s;          /* tokens that were made before this time have ended */
};

enum user_taken { USER_FREE, USER_NAME_TAKEN, USER_EMAIL_TAKEN };

/* Add a user, unless *taken says that the name or the address is another user's. */
enum errcode users_add(struct store *s, const struct user *u, enum user_taken *taken, struct err *e);
/* ERR_NOTFOUND. Texts are in the arena. */
enum errcode users_find(struct store *s, struct arena *a, const char *id, struct user *out, struct err *e);
/* By name, or by e-mail address if the text has an "@": a name has none. */
enum errcode users_find_login(struct store *s, struct arena *a, const char *login, struct user *out,
    struct err *e);
/* Replace address and names of a user; all else stays. */
enum errcode users_change(struct store *s, const struct user *u, enum user_taken *taken, struct err *e);
/* Close or open the account. */
enum errcode users_set_active(struct store *s, const char *id, bool active, struct err *e);
/* Replace the hash of the password, and end the user's tokens. */
enum errcode users_set_password(struct store *s, const char *id, const char *hash, struct err *e);
/* Delete a user, without the conversations (edges/conversation_drop.h). ERR_NOTFOUND. */
enum errcode users_drop(struct store *s, const char *id, struct err *e);

#endif
