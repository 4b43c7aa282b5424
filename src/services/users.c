/*
 * Users in the store. Arguments are checked here, so that no back end gets a wrong one. The keys by which names
 * and addresses are compared are made here too.
 */
#include "services/users.h"

#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "services/store_accounts.h"
#include "services/store_backend.h"

/* Every spelling that looks alike has the same key: "Zoë@Example.org" and "zoe@example.org". */
static const char *key_of(struct arena *a, const char *text)
{
	return str_fold(a, text);
}

static bool fits(const char *text, size_t max)
{
	return text != NULL && *text != '\0' && strnlen(text, max + 1) <= max;
}

static enum errcode check(const struct user *u, struct err *e)
{
	if (!id_valid(u->id, STORE_ID_MAX))
		return err_set(e, ERR_INPUT, "store: a user's id is 1 to %d letters, digits, - or _",
		    STORE_ID_MAX);
	if (!fits(u->email, USER_EMAIL_MAX) || strchr(u->email, '@') == NULL)
		return err_set(e, ERR_INPUT, "store: a user's address has an @ and at most %d bytes", USER_EMAIL_MAX);
	if (!fits(u->username, USER_NAME_MAX) || strchr(u->username, '@') != NULL)
		return err_set(e, ERR_INPUT, "store: a user's name has no @ and at most %d bytes", USER_NAME_MAX);
	if (u->full_name != NULL && strnlen(u->full_name, USER_FULL_NAME_MAX + 1) > USER_FULL_NAME_MAX)
		return err_set(e, ERR_INPUT, "store: a user's full name has at most %d bytes", USER_FULL_NAME_MAX);
	return OK;
}

enum errcode users_add(struct store *s, const struct user *u, enum user_taken *taken, struct err *e)
{
	enum errcode rc = check(u, e);

	*taken = USER_FREE;
	if (rc != OK)
		return rc;
	struct arena *a = arena_new();
	const struct user_keys keys = { key_of(a, u->username), key_of(a, u->email) };
	rc = s->accounts->user_add(s, u, &keys, taken, e);
	arena_free(a);
	return rc;
}

enum errcode users_change(struct store *s, const struct user *u, enum user_taken *taken, struct err *e)
{
	enum errcode rc = check(u, e);

	*taken = USER_FREE;
	if (rc != OK)
		return rc;
	struct arena *a = arena_new();
	const struct user_keys keys = { key_of(a, u->username), key_of(a, u->email) };
	rc = s->accounts->user_change(s, u, &keys, taken, e);
	arena_free(a);
	return rc;
}

enum errcode users_drop(struct store *s, const char *id, struct err *e)
{
	return id_valid(id, STORE_ID_MAX) ? s->accounts->user_drop(s, id, e) : user_unknown(e);
}

static enum errcode set(struct store *s, const char *id, const struct user_set *what, struct err *e)
{
	return id_valid(id, STORE_ID_MAX) ? s->accounts->user_set(s, id, what, e) : user_unknown(e);
}

enum errcode users_set_active(struct store *s, const char *id, bool active, struct err *e)
{
	return set(s, id, &(struct user_set){ .active = active ? "1" : "0" }, e);
}

enum errcode users_set_password(struct store *s, const char *id, const char *hash, struct err *e)
{
	return set(s, id, &(struct user_set){ .hash = hash, .tokens_from_s = clock_wall_us() / 1000000 }, e);
}

enum errcode users_find(struct store *s, struct arena *a, const char *id, struct user *out, struct err *e)
{
	*out = (struct user){ 0 };
	return id_valid(id, STORE_ID_MAX) ? s->accounts->user_find(s, a, USER_BY_ID, id, out, e) : user_unknown(e);
}

enum errcode users_find_login(struct store *s, struct arena *a, const char *login, struct user *out,
    struct err *e)
{
	*out = (struct user){ 0 };
	if (!fits(login, USER_EMAIL_MAX))
		return user_unknown(e);
	return s->accounts->user_find(s, a, strchr(login, '@') != NULL ? USER_BY_EMAIL : USER_BY_NAME,
	    key_of(a, login), out, e);
}

enum errcode user_unknown(struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "there is no such user");
}
