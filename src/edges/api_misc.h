/*
 * The small answers: health and quick actions.
 */
#ifndef EDGES_API_MISC_H
#define EDGES_API_MISC_H

#include "edges/routes.h"

void api_health(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w);
void api_quick_actions(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w);

#endif
