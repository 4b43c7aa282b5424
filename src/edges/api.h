/*
 * The handlers in the route table.
 */
#ifndef EDGES_API_H
#define EDGES_API_H

#include "edges/routes.h"

/* api_chat.c: a turn of the route's agent, as one JSON answer or streamed. */
route_handler api_chat, api_chat_stream;
/* api_threads.c: the threads of the route's agent, and sessions. */
route_handler api_thread, api_thread_messages, api_thread_history, api_thread_fork, api_thread_delete;
route_handler api_session;
/* api_runs.c: what is known of a run; its events from any number on, and live. */
route_handler api_run, api_run_stream;
/* api_cancel.c: stop a run. */
route_handler api_run_cancel;
/* api_misc.c */
route_handler api_health, api_onboarding_health, api_quick_actions;
/* api_rules.c: all rules of a country by category; 422 for a text that cannot be a country code. */
route_handler api_rules;
/* api_airports.c: the airports in a box of the map; those that a text means. */
route_handler api_airports, api_airports_search;
/* api_near.c: the airports beside a route; those around a place. */
route_handler api_airports_route, api_airports_locate;
/* api_airport.c: all of one airport, or a part of it; lines of approaches; presets of AIP filters. */
route_handler api_airport, api_airport_runways, api_airport_procedures, api_airport_aip_entries;
route_handler api_airport_lines, api_bulk_lines, api_aip_presets;
/* api_ga.c: personas, and what is known of an airfield for private flying. */
route_handler api_ga_config, api_ga_personas, api_ga_summary;
/* api_notifications.c: notice periods of one airport, of airports, and how many are known. */
route_handler api_notification, api_notifications, api_notification_stats;
/* api_feedback.c: a user scores the answer of a run. */
route_handler api_feedback;
/* api_procedures.c: instrument procedures of all airports, and of one by runway. */
route_handler api_procedures, api_approaches, api_departures, api_arrivals;
route_handler api_procedures_by_runway, api_most_precise;
/* api_totals.c: the document of counts that the route's path names. */
route_handler api_totals;
/* api_users.c: accounts of the onboarding agent. */
route_handler api_user_register, api_user_token, api_user_refresh, api_user, api_user_change;
/* api_conversations.c: its conversations. */
route_handler api_conversations, api_conversation_new, api_conversation, api_conversation_rename;
route_handler api_conversation_delete, api_conversation_messages, api_conversation_state, api_conversation_export;
/* api_turns.c: its turns. */
route_handler api_turn_new, api_turn, api_turn_stop;
/* mcp_http.c: one message of the Model Context Protocol. */
route_handler api_mcp;

#endif
