/*
 * Settings: where things are and how much is allowed. One row a setting; the row gives the
 * environment variable, type, default, bounds and documentation (`aviation-agent config
 * --print`).
 *
 * Sources, the first that has a value wins: the process environment, then an env file (the
 * path in ENV_FILE, else `.env` in the working directory, else `.env` in PROJECT_ROOT). An empty
 * value means unset. An env file must belong to this user or to root, and nobody else may be able to
 * write it (base/owned.h). Settings of the assistant's behaviour are in base/behavior.h.
 */
#ifndef BASE_CONF_H
#define BASE_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

struct buf;

struct conf {
	/* data */
	const char *airports_db, *airports_index, *notifications_db, *places_db;
	const char *rules_json, *vectors_db, *vectors_url;
	const char *knowledge_db;
	const char *ws_listen, *ws_upstream, *ws_origins;
	int64_t ws_max_sockets;
	int64_t retrieval_top_k, knowledge_threshold;
	const char *persona_db, *personas_json;
	/* agent */
	bool enabled;
	const char *config_name, *project_root, *data_dir;
	/* state */
	const char *state_dir, *store_provider, *sqlite_path, *redis_url;
	int64_t thread_ttl_days, thread_bytes, thread_copies, run_ttl_s, store_timeout_ms;
	const char *conversation_log_dir;
	int64_t log_max_entry, log_max_day, log_days;
	/* log */
	const char *log_level, *log_file;
	/* worker */
	const char *listen;
	bool allow_remote;
	int64_t max_chats, max_followers, reserved_threads, thread_idle_s, grace_s, io_timeout_s;
	/* turn */
	int64_t turn_timeout_s, lease_s, heartbeat_s, history_messages;
	const char *multitask_strategy, *on_disconnect;
	bool run_log;
	int64_t queue_s, queue_max;
	/* limits of a request */
	int64_t max_body, max_messages, max_message_bytes;
	/* web */
	const char *cors_origins, *user_header, *rest;
	/* who may use the tools over MCP */
	const char *mcp_auth, *mcp_tokens;
	int64_t mcp_calls_per_minute, mcp_questions_per_minute, mcp_call_timeout_s;
	/* who may use the onboarding agent */
	const char *onboarding_auth, *secret_key;
	bool onboarding_registration;
	int64_t token_minutes, users_per_hour, logins_per_name, logins_per_address;
	int64_t conversations_max, conversations_per_hour, turns_per_minute, turns_at_once;
	/* language model */
	const char *llm_provider;
	const char *openai_key, *openai_url, *openai_org, *openai_model, *ca_file;
	const char *anthropic_key, *anthropic_url, *anthropic_model;
	const char *google_key, *google_url, *google_model;
	const char *ollama_url, *ollama_model;
	int64_t anthropic_max_tokens, ollama_context;
	const char *planner_model, *formatter_model, *router_model, *fallback_model;
	int64_t llm_connect_ms, llm_first_ms, llm_idle_ms, llm_call_ms, llm_backoff_ms;
	int64_t llm_max_calls, llm_queue_ms, llm_breaker_failures, llm_breaker_rest_ms;
	int64_t llm_max_reply, history_tokens, result_tokens;
	/* reranking of rules */
	const char *cohere_key, *cohere_url;
	/* geocoder */
	const char *geoapify_key, *geoapify_url;
	/* onboarding */
	const char *onboarding_company, *onboarding_model, *onboarding_export_dir;
	int64_t onboarding_model_calls, onboarding_tool_calls, onboarding_failed_writes, onboarding_exports;
	int64_t onboarding_turn_s, onboarding_call_s, onboarding_max_characters;
	/* external MCP servers */
	const char *mcp_servers, *mcp_pins;
	/* built-in writer's pace */
	int64_t builtin_first_ms, builtin_piece_ms;
};

/* Read all settings into the arena. ERR_CONFIG names the variable, its value's shape and what
 * is accepted. Derived defaults (state folder, store provider) are filled in. */
enum errcode conf_load(struct conf *c, struct arena *a, struct err *e);

/* The value of a variable that is no setting of ours, from the same sources: a settings file may name it.
 * NULL: it is unset or empty. In the arena. */
enum errcode conf_variable(struct arena *a, const char *name, const char **value, struct err *e);

/* Every setting with its documentation and present value, as an env file; secrets masked. */
void conf_print(const struct conf *c, struct buf *out);

/* How values are written, also for base/behavior.h. A boolean is 1/0, true/false, t/f, yes/no, y/n
 * or on/off in any case; the function returns false for anything else. */
bool conf_bool(const char *v, bool *out);

/* Does a setting of the kind LIST switch this name on? The last mention of it counts; a list that begins
 * with "-name" begins with all. NULL: all. */
bool conf_list_on(const char *list, const char *name);

/* A path resolved for reading: an absolute path stays as it is, others start at PROJECT_ROOT if
 * that is set, else at the working directory. Arena memory; NULL stays NULL. */
const char *conf_path(const struct conf *c, struct arena *a, const char *path);

#endif
