/*
 * The two chat endpoints: the same turn, streamed or collected.
 */
#ifndef EDGES_API_CHAT_H
#define EDGES_API_CHAT_H

#include "edges/routes.h"

void api_chat(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w);
void api_chat_stream(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w);

#endif
