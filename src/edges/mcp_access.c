/*
 * A page of another site must not reach a server on the reader's own machine or network through the reader's
 * browser. Its Origin would show that, but an attacker who controls a name can point it at that server, and then
 * Origin and Host agree. So agreement alone is not enough: the origin must be listed, or be this machine.
 */
#include "edges/mcp_access.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "base/url.h"
#include "edges/caller.h"
#include "edges/mcp_tokens.h"

/* The host of "localhost:8080", of "http://[::1]:8080" without its scheme. */
static struct str host_of(const char *authority)
{
	const char *end = *authority == '[' ? strchr(authority, ']') : NULL;

	return (struct str){ authority, end != NULL ? (size_t)(end + 1 - authority) : strcspn(authority, ":/") };
}

static bool this_machine(const char *authority)
{
	const struct str host = host_of(authority);

	return str_ieq(host, "localhost") || str_eq(host, "127.0.0.1") || str_eq(host, "[::1]");
}

static bool good_origin(const struct edge *e, const struct http_req *r)
{
	const char *origin = r->field[FIELD_ORIGIN];
	const char *rest = origin != NULL ? strstr(origin, "://") : NULL;

	if (origin == NULL)
		return true;
	if (cors_listed(&e->cors, r))
		return true;
	return rest != NULL && this_machine(rest + 3) && !cors_foreign(&e->cors, r);
}

static bool refuse(const struct http_req *r, struct http_res *w, int status, const char *why)
{
	log_msg(LOG_INFO, "refused", "status=%d why=\"mcp: %s\"", status, why);
	http_detail(w, r->mem, status, why);
	return false;
}

static bool by_token(const struct edge *e, struct http_req *r, struct http_res *w, struct mcp_caller *out)
{
	const char *token = caller_token(r);
	struct mcp_token known;

	if (token == NULL || !mcp_tokens_find(e->mcp->tokens, r->mem, token, &known)) {
		log_msg(LOG_INFO, "refused", "status=401 why=\"mcp: %s token\"", token == NULL ? "no" : "an unknown");
		caller_refuse(r, w, token == NULL ? "Send a token: Authorization: Bearer <token>." :
		    "This site does not know this token. Ask its operator for a new one.");
		return false;
	}
	out->owner = arena_printf(r->mem, "mcp:%s", known.name);
	out->counted = arena_printf(r->mem, "token:%s", known.name);
	out->tools = known.tools;
	return true;
}

bool mcp_access(const struct edge *e, struct http_req *r, struct http_res *w, struct mcp_caller *out)
{
	const char *auth = e->parts.conf->mcp_auth;

	*out = (struct mcp_caller){ .owner = NULL };
	if (streq(auth, "off"))
		return refuse(r, w, 404, err_row(ERR_NOTFOUND)->said);
	if (!good_origin(e, r))
		return refuse(r, w, 403, "Pages of this origin may not use this service. The operator of the "
		    "site can list the origin in AVIATION_AGENT_CORS_ORIGINS.");
	if (streq(auth, "token"))
		return by_token(e, r, w, out);
	if (streq(auth, "remote_user")) {
		if (r->field[FIELD_USER] == NULL) {
			caller_refuse(r, w, "Sign in first.");
			return false;
		}
		out->owner = r->field[FIELD_USER];
	} else if (r->field[FIELD_USER] != NULL) {
		out->owner = r->field[FIELD_USER];     /* its threads are its own, as in the chat */
	}
	out->counted = caller_counted(r);
	return true;
}
