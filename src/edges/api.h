/*
 * The handlers in the route table.
 */
#ifndef EDGES_API_H
#define EDGES_API_H

#include "edges/routes.h"

/* api_chat.c: a turn of the route's agent, as one JSON answer or streamed. */
route_handler api_chat, api_chat_stream;
/* api_misc.c */
route_handler api_health, api_quick_actions;
/* api_rules.c: all rules of a country by category; 422 for a text that cannot be a country code. */
route_handler api_rules;

#endif
