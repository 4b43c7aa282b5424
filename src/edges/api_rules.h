/*
 * Rules of a country, for panels beside the chat.
 */
#ifndef EDGES_API_RULES_H
#define EDGES_API_RULES_H

#include "edges/edge.h"
#include "edges/http.h"

/* GET /api/rules/{country_code}: all rules of it by category; 422 for what cannot be a code. */
void api_rules(struct edge *e, struct http_req *r, struct http_res *w);

#endif
