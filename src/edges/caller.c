#include "edges/caller.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"
#include "edges/reply.h"
#include "services/jwt.h"

#define SWITCHED_OFF "The onboarding agent is switched off here. The operator can switch it on with ONBOARDING_AUTH."
#define NO_TOKEN "Not authenticated"
#define BAD_TOKEN "Could not validate credentials"

enum caller_auth caller_auth(const struct edge *e)
{
	static const struct { const char *name; enum caller_auth auth; } rows[] = {
		{ "token", CALLER_TOKEN }, { "remote_user", CALLER_REMOTE_USER }, { "none", CALLER_ANYBODY },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(e->parts.conf->onboarding_auth, rows[i].name))
			return rows[i].auth;
	return CALLER_OFF;
}

void caller_refuse(struct http_req *r, struct http_res *w, const char *why)
{
	http_field(w, "WWW-Authenticate", "Bearer");
	http_detail(w, r->mem, err_row(ERR_AUTH)->http, why);
}

const char *caller_token(const struct http_req *r)
{
	static const char scheme[] = "bearer ";
	const char *field = r->field[FIELD_AUTHORIZATION];
	const size_t n = sizeof(scheme) - 1;

	if (field == NULL || strlen(field) <= n || !str_ieq((struct str){ field, n }, scheme))
		return NULL;
	return field + n + strspn(field + n, " ");
}

static bool find_by_token(const struct edge *e, struct http_req *r, struct http_res *w, struct user *out)
{
	const char *token = caller_token(r), *id;
	struct err err = { 0 };

	r->field[FIELD_USER] = NULL;
	if (token == NULL) {
		caller_refuse(r, w, NO_TOKEN);
		return false;
	}
	int64_t issued_s;
	enum errcode rc = jwt_check(r->mem, e->parts.conf->secret_key, token, clock_wall_us() / 1000000, &id, &issued_s,
	    &err);
	if (rc == OK)
		rc = users_find(e->parts.store, r->mem, id, out, &err);
	if (rc == OK && issued_s < out->tokens_from_s)
		rc = err_set(&err, ERR_AUTH, "the password was changed after the token was made");
	if (rc == ERR_AUTH || rc == ERR_NOTFOUND) {
		log_msg(LOG_INFO, "refused", "status=401 why=\"%s\"", err.msg);
		caller_refuse(r, w, BAD_TOKEN);
	} else if (rc != OK) {
		reply_refusal(r, w, &err, 0, NULL);
	} else if (!out->active) {
		http_detail(w, r->mem, 403, "Inactive user");
	} else {
		r->field[FIELD_USER] = out->id;
		return true;
	}
	return false;
}

static struct user named(const char *name)
{
	return (struct user){ .id = name, .username = name, .active = true };
}

bool caller_find(const struct edge *e, struct http_req *r, struct http_res *w, struct user *out)
{
	switch (caller_auth(e)) {
	case CALLER_TOKEN:
		return find_by_token(e, r, w, out);
	case CALLER_REMOTE_USER:
		if (r->field[FIELD_USER] == NULL)
			break;
		*out = named(r->field[FIELD_USER]);
		return true;
	case CALLER_ANYBODY:
		r->field[FIELD_USER] = NULL;
		*out = named("anonymous");
		return true;
	case CALLER_OFF:
		http_detail(w, r->mem, 503, SWITCHED_OFF);
		return false;
	}
	caller_refuse(r, w, NO_TOKEN);
	return false;
}

bool caller_has_accounts(const struct edge *e, struct http_req *r, struct http_res *w)
{
	const enum caller_auth auth = caller_auth(e);

	if (auth == CALLER_OFF)
		http_detail(w, r->mem, 503, SWITCHED_OFF);
	else if (auth != CALLER_TOKEN)
		http_detail(w, r->mem, 404, "There are no accounts here: nobody needs to register or to get a token.");
	return auth == CALLER_TOKEN;
}

const char *caller_owns(const struct http_req *r, const char *conversation_id)
{
	return r->field[FIELD_USER] != NULL ? r->field[FIELD_USER] : conversation_id;
}

const char *caller_address(const struct http_req *r)
{
	const char *address = r->field[FIELD_ADDRESS];
	struct in6_addr six;
	char text[INET6_ADDRSTRLEN];

	if (address == NULL)
		return "unknown";
	if (inet_pton(AF_INET6, address, &six) != 1 || IN6_IS_ADDR_V4MAPPED(&six))
		return url_encode(r->mem, address);
	memset(&six.s6_addr[8], 0, 8);
	return arena_strdup(r->mem, inet_ntop(AF_INET6, &six, text, sizeof(text)));
}

const char *caller_counted(const struct http_req *r)
{
	return r->field[FIELD_USER] != NULL ? arena_printf(r->mem, "user:%s", url_encode(r->mem, r->field[FIELD_USER]))
	    : arena_printf(r->mem, "address:%s", caller_address(r));
}
