/*
 * Who sends a request to the onboarding agent (ONBOARDING_AUTH): a user with a token, a user whom the web server
 * has signed in, or anybody.
 */
#ifndef EDGES_CALLER_H
#define EDGES_CALLER_H

#include "edges/edge.h"
#include "edges/http.h"
#include "services/users.h"

enum caller_auth { CALLER_OFF, CALLER_TOKEN, CALLER_REMOTE_USER, CALLER_ANYBODY };
enum caller_auth caller_auth(const struct edge *e);

/* Find out who it is. From then on r->field[FIELD_USER] is the user's id, as for the other agents, or NULL for
 * anybody. Texts of `out` are in the arena; created_us is 0 for a user who is not kept here. False: the request was
 * refused (401, 403, 503). */
bool caller_find(const struct edge *e, struct http_req *r, struct http_res *w, struct user *out);
/* Does this service have accounts? False: it does not, and the refusal was sent. */
bool caller_has_accounts(const struct edge *e, struct http_req *r, struct http_res *w);

/* The owner of a conversation in the list of conversations. Without users each one belongs to itself: whoever
 * knows its id may use it. */
const char *caller_owns(const struct http_req *r, const char *conversation_id);

/* What counts as one address: an IPv6 client has 2^64 of them, so its network counts as one. Printable ASCII, in
 * the arena. */
const char *caller_address(const struct http_req *r);
/* Whose messages and conversations are counted: the user's, without one the address's. */
const char *caller_counted(const struct http_req *r);

/* The token of "Authorization: Bearer …"; NULL: there is none. */
const char *caller_token(const struct http_req *r);

/* 401 with WWW-Authenticate. */
void caller_refuse(struct http_req *r, struct http_res *w, const char *why);

#endif
