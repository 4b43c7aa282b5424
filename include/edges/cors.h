/*
 * Cross-origin requests: which pages of other sites may use the API.
 */
#ifndef EDGES_CORS_H
#define EDGES_CORS_H

#include <stdbool.h>
#include <stddef.h>

#include "edges/http.h"

struct cors {
	const char **origins;     /* "https://example.org", no slash at the end */
	size_t n;
};

/* Read a list separated by commas or blanks; NULL: an empty one. Entries that are not an origin are
 * logged and left out; so is "*", because credentials are allowed. Arena memory. */
void cors_init(struct cors *c, struct arena *a, const char *list);
/* Add the CORS fields of a response: always Vary, and the rest only if the request's origin is
 * listed. */
void cors_fields(const struct cors *c, const struct http_req *r, struct http_res *w);
/* Does the request name an origin that is on the list? */
bool cors_listed(const struct cors *c, const struct http_req *r);
/* Was this sent by a page of another host that is not on the list? */
bool cors_foreign(const struct cors *c, const struct http_req *r);
/* Is this the preflight request that a browser sends before the real one? */
bool cors_is_preflight(const struct http_req *r);
/* Answer it; call cors_fields() first. */
void cors_preflight(const struct cors *c, const struct http_req *r, struct http_res *w);

#endif
