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

/* From a list separated by commas or blanks, NULL: none. Entries that are not an origin are
 * logged and left out; so is "*", because credentials are allowed. Arena memory. */
void cors_init(struct cors *c, struct arena *a, const char *list);
/* The fields every response carries: nothing unless the request's origin is listed, but Vary. */
void cors_fields(const struct cors *c, const struct http_req *r, struct http_res *w);
/* Was this sent by a page of another host that is not on the list? */
bool cors_foreign(const struct cors *c, const struct http_req *r);
/* Is this the browser's question before the real request? */
bool cors_is_preflight(const struct http_req *r);
/* Answer it; cors_fields() has been called. */
void cors_preflight(const struct cors *c, const struct http_req *r, struct http_res *w);

#endif
