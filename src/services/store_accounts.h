/*
 * What a back end provides for users, their conversations and counters. Private to src/services/.
 *
 * The callers have checked every argument: ids, and texts that fit. An owner is printable ASCII and
 * has at most STORE_OWNER_KEY_MAX bytes. Name and address are given twice, as they are shown and as a
 * key, which is the same for all spellings that count as equal.
 */
#ifndef SERVICES_STORE_ACCOUNTS_H
#define SERVICES_STORE_ACCOUNTS_H

#include "services/conversations.h"
#include "services/users.h"

enum { STORE_OWNER_KEY_MAX = 3 * STORE_OWNER_MAX };

enum user_key { USER_BY_ID, USER_BY_NAME, USER_BY_EMAIL };

struct user_keys {
	const char *name, *email;
};

struct user_set {                       /* what is to change; NULL or 0: it stays */
	const char *active;             /* "1" or "0" */
	const char *hash;
	int64_t tokens_from_s;
};

struct store_account_ops {
	enum errcode (*user_add)(struct store *s, const struct user *u, const struct user_keys *keys,
	    enum user_taken *taken, struct err *e);
	enum errcode (*user_find)(struct store *s, struct arena *a, enum user_key by, const char *key,
	    struct user *out, struct err *e);
	/* names and addresses only */
	enum errcode (*user_change)(struct store *s, const struct user *u, const struct user_keys *keys,
	    enum user_taken *taken, struct err *e);
	enum errcode (*user_set)(struct store *s, const char *id, const struct user_set *what, struct err *e);
	enum errcode (*user_drop)(struct store *s, const char *id, struct err *e);
	enum errcode (*talk_add)(struct store *s, const char *owner, const struct conversation *c,
	    int64_t max, struct err *e);
	/* out->id is set */
	enum errcode (*talk_find)(struct store *s, struct arena *a, const char *owner,
	    struct conversation *out, struct err *e);
	enum errcode (*talk_list)(struct store *s, struct arena *a, const char *owner, int64_t skip,
	    size_t limit, struct conversation *out, size_t *n, struct err *e);
	/* title NULL: it stays; run NULL: it stays, else it is one more turn. *turn: the newest one's number */
	enum errcode (*talk_set)(struct store *s, const char *owner, const struct conversation *c,
	    int64_t *turn, struct err *e);
	enum errcode (*talk_drop)(struct store *s, const char *owner, const char *id, struct err *e);
	/* *total: with this one; *left_ms: until the window ends */
	enum errcode (*count)(struct store *s, const char *name, int add, int64_t window_ms, int64_t *total,
	    int64_t *left_ms, struct err *e);
};

enum errcode user_unknown(struct err *e);
enum errcode conversation_unknown(const char *id, struct err *e);
enum errcode conversation_too_many(int64_t max, struct err *e);

extern const struct store_account_ops store_redis_accounts, store_sqlite_accounts;

#endif
