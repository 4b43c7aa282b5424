/*
 * Accounts: registration, tokens and what a user can see and change of itself.
 *
 * A password costs some 40 ms of CPU to check, so attempts are counted before that, by name and by address, in
 * the store that all workers share. A right password takes its attempt back. A name without a user costs the
 * same time as a wrong password and gets the same answer.
 */
#include "edges/api.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"
#include "drivers/password.h"
#include "edges/body_text.h"
#include "edges/caller.h"
#include "edges/reply.h"
#include "services/counts.h"
#include "services/jwt.h"

enum {
	HOUR_MS = 3600 * 1000,
	LOGIN_WINDOW_MS = 15 * 60 * 1000,
	PASSWORD_MAX = 100,
	CHANGES_PER_HOUR = 20,          /* of a user's own record: each tells whether an address is registered */
};

enum { EMAIL, USERNAME, FULL_NAME, PROFILE__MAX };
enum { PASSWORD = PROFILE__MAX, REGISTER__MAX };

#define EMAIL_ROW(more) { "email", 1, USER_EMAIL_MAX, BODY_TRIMMED | BODY_EMAIL | (more) }
#define USERNAME_ROW(more) { "username", 3, 50, BODY_TRIMMED | BODY_ONE_LINE | BODY_NO_AT | (more) }
#define FULL_NAME_ROW { "full_name", 0, 100, BODY_TRIMMED | BODY_ONE_LINE | BODY_NULLABLE }

static const struct body_text register_rows[REGISTER__MAX] = {
	[EMAIL] = EMAIL_ROW(BODY_REQUIRED),
	[USERNAME] = USERNAME_ROW(BODY_REQUIRED),
	[FULL_NAME] = FULL_NAME_ROW,
	[PASSWORD] = { "password", 8, PASSWORD_MAX, BODY_REQUIRED },
};
static const struct body_text profile_rows[PROFILE__MAX] = {
	[EMAIL] = EMAIL_ROW(0),
	[USERNAME] = USERNAME_ROW(0),
	[FULL_NAME] = FULL_NAME_ROW,
};

static struct json_object *user_json(struct arena *a, const struct user *u)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "id", u->id);
	jsn_add_str(o, "email", u->email);
	jsn_add_str(o, "username", u->username);
	jsn_add_str(o, "full_name", u->full_name);
	jsn_add_bool(o, "is_active", u->active);
	reply_add_plain_time(o, "created_at", u->created_us);
	return o;
}

/* False: the name or the address belongs to somebody else, and 400 was sent. */
static bool is_free(struct http_req *r, struct http_res *w, enum user_taken taken)
{
	if (taken != USER_FREE)
		http_detail(w, r->mem, 400, taken == USER_NAME_TAKEN ? "Username already taken"
		    : "Email already registered");
	return taken == USER_FREE;
}

/* False: it was done too often, or the store does not answer; the refusal was sent. */
static bool count(const struct edge *e, struct http_req *r, struct http_res *w, const char *name, int64_t max,
    int64_t window_ms)
{
	int64_t left_ms;
	struct err err = { 0 };

	if (store_count(e->parts.store, name, 1, max, window_ms, &left_ms, &err) == OK)
		return true;
	reply_refusal(r, w, &err, left_ms, NULL);
	return false;
}

static void uncount(const struct edge *e, const char *name, int64_t max)
{
	int64_t left_ms;
	struct err err = { 0 };

	if (store_count(e->parts.store, name, -1, max, LOGIN_WINDOW_MS, &left_ms, &err) != OK)
		log_msg(LOG_WARN, "not_uncounted", "why=\"%s\"", err.msg);
}

/* -- registration -- */

void api_user_register(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o;
	struct body_value v[REGISTER__MAX];
	char id[ID_SIZE], hash[PASSWORD_HASH_SIZE];
	enum user_taken taken;
	struct err err = { 0 };

	(void)rt;
	if (!caller_has_accounts(e, r, w))
		return;
	if (!e->parts.conf->onboarding_registration) {
		http_detail(w, r->mem, 403, "Registration is closed here. Please ask the operator for an account.");
		return;
	}
	if (!body_object(r, w, false, &o) || !body_texts(r, w, o, register_rows, REGISTER__MAX, v) ||
	    !count(e, r, w, arena_printf(r->mem, "register:%s", caller_address(r)), e->parts.conf->users_per_hour,
	    HOUR_MS))
		return;
	id_run(id);
	const struct user u = { .id = id, .email = v[EMAIL].text, .username = v[USERNAME].text,
		.full_name = v[FULL_NAME].text, .hash = hash, .active = true, .created_us = clock_wall_us() };
	if (password_hash(hash, v[PASSWORD].text, &err) != OK ||
	    users_add(e->parts.store, &u, &taken, &err) != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else if (is_free(r, w, taken))
		http_json(w, 201, user_json(r->mem, &u));
}

/* -- tokens -- */

static void send_token(const struct edge *e, struct http_req *r, struct http_res *w, const char *user_id)
{
	const int64_t now_s = clock_wall_us() / 1000000;
	const char *token = jwt_issue(r->mem, e->parts.conf->secret_key, user_id, now_s,
	    now_s + e->parts.conf->token_minutes * 60);
	struct json_object *o = jsn_object(r->mem);
	struct err err;

	if (token == NULL) {
		err_set(&err, ERR_INTERNAL, "the token could not be signed");
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	jsn_add_str(o, "access_token", token);
	jsn_add_str(o, "token_type", "bearer");
	http_json(w, 200, o);
}

/* A field of a form. False: it is missing, and 422 was sent. */
static bool form_text(struct http_req *r, struct http_res *w, const char *name, const char **out)
{
	*out = http_form(r, name);
	if (*out == NULL)
		reply_fault(r, w, "body", name, "missing", "Field required", NULL);
	return *out != NULL;
}

/* Does the password fit the user? `u` NULL: there is none. */
static enum errcode check_password(const struct user *u, const char *password, bool *right, struct err *err)
{
	/* no user has such a long password, but the check must take the same time */
	const bool fits = utf8_count(password, strlen(password)) <= PASSWORD_MAX &&
	    strlen(password) <= PASSWORD_BYTES_MAX;

	return password_check(u != NULL && fits ? u->hash : NULL, fits ? password : "", right, err);
}

/* The attempts that are counted. A stranger at another address cannot lock a user out soon: for one name, an address
 * has few attempts, and all addresses together have ten times as many. */
struct attempts {
	struct { const char *name; int64_t max; } of[3];
};

static struct attempts attempts_of(const struct conf *conf, struct http_req *r, const char *whose)
{
	const char *address = caller_address(r);

	return (struct attempts){ {
		{ arena_printf(r->mem, "login:address:%s", address), conf->logins_per_address },
		{ arena_printf(r->mem, "login:user:%s:%s", whose, address), conf->logins_per_name },
		{ arena_printf(r->mem, "login:user:%s", whose), 10 * conf->logins_per_name },
	} };
}

static bool count_attempt(const struct edge *e, struct http_req *r, struct http_res *w, const struct attempts *a)
{
	for (size_t i = 0; i < sizeof(a->of) / sizeof(a->of[0]); i++)
		if (!count(e, r, w, a->of[i].name, a->of[i].max, LOGIN_WINDOW_MS))
			return false;
	return true;
}

void api_user_token(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const char *login, *password;
	struct user u;
	bool right;
	struct err err = { 0 };

	(void)rt;
	if (!caller_has_accounts(e, r, w) || !form_text(r, w, "username", &login) ||
	    !form_text(r, w, "password", &password))
		return;
	const enum errcode rc = users_find_login(e->parts.store, r->mem, login, &u, &err);
	if (rc != OK && rc != ERR_NOTFOUND) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	/* name and address of a user count together; a name that nobody has counts by itself */
	const char *whose = rc == OK ? u.id : arena_printf(r->mem, "%016llx",
	    (unsigned long long)str_hash(str_fold(r->mem, login)));
	const struct attempts attempts = attempts_of(e->parts.conf, r, whose);
	if (!count_attempt(e, r, w, &attempts))
		return;
	if (check_password(rc == OK ? &u : NULL, password, &right, &err) != OK) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	if (!right) {
		caller_refuse(r, w, "Incorrect username or password");
		return;
	}
	for (size_t i = 0; i < sizeof(attempts.of) / sizeof(attempts.of[0]); i++)
		uncount(e, attempts.of[i].name, attempts.of[i].max);
	if (u.active)
		send_token(e, r, w, u.id);
	else
		http_detail(w, r->mem, 403, "Inactive user");
}

void api_user_refresh(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct user u;

	(void)rt;
	if (caller_has_accounts(e, r, w) && caller_find(e, r, w, &u))
		send_token(e, r, w, u.id);
}

/* -- the user's own record -- */

void api_user(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct user u;

	(void)rt;
	if (caller_find(e, r, w, &u))
		http_json(w, 200, user_json(r->mem, &u));
}

/* Only an operator may set `is_active`, so it is ignored here. */
void api_user_change(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o;
	struct body_value v[PROFILE__MAX];
	struct user u;
	enum user_taken taken;
	struct err err = { 0 };

	(void)rt;
	if (!caller_has_accounts(e, r, w) || !caller_find(e, r, w, &u) || !body_object(r, w, true, &o) ||
	    !body_texts(r, w, o, profile_rows, PROFILE__MAX, v) || !count(e, r, w,
	    arena_printf(r->mem, "profile:%s", u.id), CHANGES_PER_HOUR, HOUR_MS))
		return;
	if (v[EMAIL].given)
		u.email = v[EMAIL].text;
	if (v[USERNAME].given)
		u.username = v[USERNAME].text;
	if (v[FULL_NAME].given)
		u.full_name = v[FULL_NAME].text;
	if (users_change(e->parts.store, &u, &taken, &err) != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else if (is_free(r, w, taken))
		http_json(w, 200, user_json(r->mem, &u));
}
