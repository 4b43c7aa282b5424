/*
 * Rules of a country, for panels beside the chat.
 */
#ifndef EDGES_API_RULES_H
#define EDGES_API_RULES_H

#include "edges/routes.h"

/* GET /api/rules/{country_code}: all rules of it by category; 422 for what cannot be a code. */
void api_rules(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w);

#endif
