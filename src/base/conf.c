/*
 * The settings table and the one reader over it. To add a setting, add a member to struct conf and
 * a row here.
 */
#include "base/conf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/owned.h"
#include "base/str.h"

#ifndef AGENT_DATADIR
#define AGENT_DATADIR "/usr/local/share/aviation-agent"
#endif

enum { SECRET_MIN = 32 };         /* bytes of SECRET_KEY */

enum kind { TEXT, PATH, URL, SECRET, BOOL, INT };

struct row {
	const char *env;
	enum kind kind;
	size_t offset;
	const char *def;          /* NULL: unset */
	int64_t min, max;         /* INT */
	const char *choices;      /* TEXT: "a|b"; NULL: any */
	const char *doc;
	const char *group;        /* printed once, above the first row of the group */
};

#define AT(member) offsetof(struct conf, member)

static const struct row rows[] = {
	{ "AIRPORTS_DB", PATH, AT(airports_db), "airports.db", 0, 0, NULL,
	    "Airport database (SQLite, euro_aip schema). Read as it is, never written.", "Data" },
	{ "AIRPORTS_INDEX", PATH, AT(airports_index), NULL, 0, 0, NULL,
	    "Index built from it. Unset: AIRPORTS_DB + \".index\", or in the state folder where "
	    "that place cannot be written.", NULL },
	{ "GA_NOTIFICATIONS_DB", PATH, AT(notifications_db), "ga_notifications.db", 0, 0, NULL,
	    "Notice periods of airports (SQLite, table ga_notification_requirements). Read as it is, never "
	    "written; a replaced file is read anew within seconds. For an airport without a row, the program "
	    "reads the customs text in AIRPORTS_DB.", NULL },
	{ "GA_PERSONA_DB", PATH, AT(persona_db), NULL, 0, 0, NULL,
	    "Reviews, landing fees, hotels and restaurants (SQLite, ga_persona schema). Read as it is, never "
	    "written; a replaced file is read anew within seconds. Unset: none are known.", NULL },
	{ "GA_FRIENDLINESS_PERSONAS_JSON_PATH", PATH, AT(personas_json), NULL, 0, 0, NULL,
	    "Personas (JSON): what each kind of pilot looks for. Unset: the shipped conf/personas.json.",
	    NULL },
	{ "PLACES_DB", PATH, AT(places_db), NULL, 0, 0, NULL,
	    "Places that aviation-agent import places has written; they are used beside the towns of the "
	    "airport database. Unset: AIRPORTS_DB + \".places\".", NULL },
	{ "RULES_JSON", PATH, AT(rules_json), "rules.json", 0, 0, NULL,
	    "Rules of countries (JSON). A changed file is read anew within seconds; without one the agent "
	    "knows no rules.", NULL },
	{ "VECTOR_DB_PATH", PATH, AT(vectors_db), NULL, 0, 0, NULL,
	    "Vectors of the rules, made by `aviation-agent index rules` with an embedding provider. "
	    "Unset: rules-vectors.db in the state folder. In a folder: aviation-rules.db.", NULL },
	{ "VECTOR_DB_URL", URL, AT(vectors_url), NULL, 0, 0, NULL,
	    "Chroma server (API v2) that holds the vectors instead, such as http://127.0.0.1:8000.",
	    NULL },
	{ "KNOWLEDGE_DB", PATH, AT(knowledge_db), NULL, 0, 0, NULL,
	    "Knowledge base: the documents of a company, made by `aviation-agent ingest`. A replaced file is "
	    "used at once. Unset: knowledge.db in the state folder.", NULL },
	{ "RETRIEVAL_TOP_K", INT, AT(retrieval_top_k), "5", 1, 50, NULL,
	    "How many pieces of documents a search in the knowledge base gives at most.", NULL },
	{ "KNOWLEDGE_THRESHOLD", INT, AT(knowledge_threshold), "35", 0, 100, NULL,
	    "Least relevance of these pieces in percent. A higher value finds less, but less that is "
	    "beside the point.", NULL },

	{ "AVIATION_AGENT_ENABLED", BOOL, AT(enabled), "true", 0, 0, NULL,
	    "false: every path of the agent answers 404.", "Agent" },
	{ "AVIATION_AGENT_CONFIG", TEXT, AT(config_name), "default", 0, 0, NULL,
	    "Name of the behaviour config: conf/aviation_agent/<name>.json.", NULL },
	{ "PROJECT_ROOT", PATH, AT(project_root), NULL, 0, 0, NULL,
	    "A site's own folder: holds configs/aviation_agent/ (or conf/aviation_agent/) and "
	    ".env; relative paths start here.", NULL },
	{ "AVIATION_AGENT_DATA_DIR", PATH, AT(data_dir), AGENT_DATADIR, 0, 0, NULL,
	    "Where the shipped conf and prompts folders are. Unset: share/aviation-agent beside the bin "
	    "folder that holds the program, if there is one.", NULL },

	{ "AVIATION_AGENT_STATE_DIR", PATH, AT(state_dir), NULL, 0, 0, NULL,
	    "Folder for what must be written. Unset: $STATE_DIRECTORY (systemd), "
	    "$XDG_STATE_HOME/aviation-agent, or ~/.local/state/aviation-agent.", "State" },
	{ "CHECKPOINTER_PROVIDER", TEXT, AT(store_provider), NULL, 0, 0,
	    "redis|sqlite|memory|none",
	    "Where threads (conversations) are kept. Unset: redis when REDIS_URL is set, else sqlite.", NULL },
	{ "CHECKPOINTER_SQLITE_PATH", PATH, AT(sqlite_path), NULL, 0, 0, NULL,
	    "SQLite file of the sqlite provider. Unset: threads.db in the state folder.", NULL },
	{ "REDIS_URL", SECRET, AT(redis_url), NULL, 0, 0, NULL,
	    "redis://[[user]:password@]host:port/db, unix:///path, sentinel://h1,h2/master, or "
	    "cluster://h1,h2; with TLS rediss://, sentinels:// or clusters://. doc/redis.md tells more.", NULL },
	{ "AVIATION_AGENT_THREAD_TTL_DAYS", INT, AT(thread_ttl_days), "30", 0, 3650, NULL,
	    "Threads and sessions that were not used for so many days are deleted; 0: never.", NULL },
	{ "AVIATION_AGENT_THREAD_BYTES", INT, AT(thread_bytes), "262144", 4096, 67108864, NULL,
	    "Bytes of text kept of one thread. When there is more, the oldest messages are deleted; "
	    "the newest question and answer are always kept.", NULL },
	{ "AVIATION_AGENT_THREAD_COPIES", INT, AT(thread_copies), "50", 1, 10000, NULL,
	    "How many copies of one thread may be made within an hour, copies of its copies included. "
	    "A further one is answered 429 with Retry-After.", NULL },
	{ "AVIATION_AGENT_RUN_TTL_S", INT, AT(run_ttl_s), "1800", 1, 604800, NULL,
	    "Seconds that the events of a turn and its Idempotency-Key are kept. The status of a turn is kept "
	    "twice as long.", NULL },
	{ "AVIATION_AGENT_STORE_TIMEOUT_MS", INT, AT(store_timeout_ms), "3000", 10, 60000, NULL,
	    "Longest time for one access to the store (Redis or the SQLite file), waiting included. If "
	    "it takes longer, the request is answered 503.", NULL },
	{ "CONVERSATION_LOG_DIR", PATH, AT(conversation_log_dir), "logs/conversations", 0, 0, NULL,
	    "Daily conversation log. \"none\" switches it off.", NULL },
	{ "CONVERSATION_LOG_MAX_ENTRY", INT, AT(log_max_entry), "65536", 0, 67108864, NULL,
	    "Largest entry of the conversation log in bytes, at least 4096. Lists and texts of a larger "
	    "entry are shortened. 0: no limit.", NULL },
	{ "CONVERSATION_LOG_MAX_DAY", INT, AT(log_max_day), "67108864", 0, 1099511627776, NULL,
	    "Largest conversation log of a day in bytes. Further entries of that day are dropped. "
	    "0: no limit.",
	    NULL },
	{ "CONVERSATION_LOG_DAYS", INT, AT(log_days), "90", 0, 36500, NULL,
	    "How many days conversation logs are kept. Older files are removed, but only while there are "
	    "logs of three days within that time: a wrong clock removes nothing. 0: for ever.", NULL },

	{ "LOG_LEVEL", TEXT, AT(log_level), NULL, 0, 0, NULL,
	    "DEBUG, INFO, WARNING, ERROR or OFF. Unset: INFO, and OFF on the command line.", "Log" },
	{ "AVIATION_AGENT_LOG_FILE", PATH, AT(log_file), NULL, 0, 0, NULL,
	    "Log to this file instead of standard error.", NULL },

	{ "AVIATION_AGENT_LISTEN", TEXT, AT(listen), NULL, 0, 0, NULL,
	    "unix:PATH or HOST:PORT, if no socket is inherited. --listen overrides it.", "Worker" },
	{ "AVIATION_AGENT_ALLOW_REMOTE", BOOL, AT(allow_remote), "false", 0, 0, NULL,
	    "Allow a TCP address that other hosts can reach. A program that connects to it can claim to "
	    "be any user, so make sure that only your web servers can connect.", NULL },
	{ "AVIATION_AGENT_MAX_CHATS", INT, AT(max_chats), "1000", 1, 10000, NULL,
	    "Chat turns a worker runs at once. Further ones are answered 503 with Retry-After.", NULL },
	{ "AVIATION_AGENT_MAX_FOLLOWERS", INT, AT(max_followers), "1000", 1, 10000, NULL,
	    "Readers of runs/{id}/stream a worker serves at once, besides the chat turns. Further ones are "
	    "answered 503 with Retry-After.", NULL },
	{ "AVIATION_AGENT_RESERVED_THREADS", INT, AT(reserved_threads), "16", 1, 1000, NULL,
	    "Threads reserved for plain requests (health, quick actions).", NULL },
	{ "AVIATION_AGENT_THREAD_IDLE_S", INT, AT(thread_idle_s), "10", 1, 3600, NULL,
	    "Seconds that an idle thread waits for work before it ends.", NULL },
	{ "AVIATION_AGENT_GRACE_S", INT, AT(grace_s), "60", 0, 3600, NULL,
	    "Seconds that running turns get to end when a worker stops.", NULL },
	{ "AVIATION_AGENT_IO_TIMEOUT_S", INT, AT(io_timeout_s), "10", 1, 600, NULL,
	    "Seconds in which a request must arrive whole. Also the seconds that an answer waits for a "
	    "slow reader, all waits together; reading at least 8 kB a second earns more time.", NULL },

	{ "AVIATION_AGENT_TURN_TIMEOUT_S", INT, AT(turn_timeout_s), "180", 1, 3600, NULL,
	    "Seconds that a turn may take.", "Turn" },
	{ "AVIATION_AGENT_LEASE_S", INT, AT(lease_s), "15", 2, 300, NULL,
	    "Seconds after which a thread whose worker died can be continued.", NULL },
	{ "AVIATION_AGENT_HEARTBEAT_S", INT, AT(heartbeat_s), "5", 1, 60, NULL,
	    "Seconds of silence in a stream after which a comment line is sent.", NULL },
	{ "AVIATION_AGENT_HISTORY_MESSAGES", INT, AT(history_messages), "80", 2, 1000, NULL,
	    "How many of the newest messages of a thread a turn reads.", NULL },
	{ "AVIATION_AGENT_ON_DISCONNECT", TEXT, AT(on_disconnect), "cancel", 0, 0, "cancel|continue",
	    "What happens to a turn when its client leaves: cancel ends it, continue lets it run to its end. "
	    "A request may choose with on_disconnect.", NULL },
	{ "AVIATION_AGENT_RUN_LOG", BOOL, AT(run_log), "false", 0, 0, NULL,
	    "true: the store keeps the events of every turn for AVIATION_AGENT_RUN_TTL_S, so that a client that "
	    "has lost its stream can read on. false: it keeps them only for requests that ask for it.", NULL },
	{ "AVIATION_AGENT_MULTITASK_STRATEGY", TEXT, AT(multitask_strategy), "reject", 0, 0,
	    "reject|enqueue",
	    "What happens to a message for a thread that is being answered: reject refuses it (409), "
	    "enqueue lets it wait until it can be answered. A request may choose with multitask_strategy.", NULL },
	{ "AVIATION_AGENT_QUEUE_S", INT, AT(queue_s), "30", 1, 600, NULL,
	    "Longest time in seconds that a message waits for its thread (enqueue).", NULL },
	{ "AVIATION_AGENT_QUEUE_MAX", INT, AT(queue_max), "8", 1, 100, NULL,
	    "How many messages may wait for one thread (enqueue). Each takes a place of "
	    "AVIATION_AGENT_MAX_CHATS.", NULL },

	{ "AVIATION_AGENT_MAX_BODY", INT, AT(max_body), "1048576", 1024, 67108864, NULL,
	    "Largest request body in bytes.", "Limits" },
	{ "AVIATION_AGENT_MAX_MESSAGES", INT, AT(max_messages), "1000", 1, 100000, NULL,
	    "How many of the newest messages of a request are read.", NULL },
	{ "AVIATION_AGENT_MAX_MESSAGE_BYTES", INT, AT(max_message_bytes), "65536", 256, 1048576,
	    NULL, "Longest message in bytes. A longer newest message is refused; a longer older message "
	    "is cut.", NULL },

	{ "AVIATION_AGENT_CORS_ORIGINS", TEXT, AT(cors_origins), NULL, 0, 0, NULL,
	    "Origins of other sites that may call the agent, separated by commas.", "Web" },
	{ "AVIATION_AGENT_USER_HEADER", TEXT, AT(user_header), NULL, 0, 0, NULL,
	    "Header of the request that names the user, such as X-Auth-User, instead of REMOTE_USER. Set it "
	    "only if your web server sets this header in every request: otherwise each client can claim to be "
	    "any user.", NULL },

	{ "ONBOARDING_AUTH", TEXT, AT(onboarding_auth), NULL, 0, 0, "off|token|remote_user|none",
	    "Who may use the onboarding agent. token: users who have registered here, with a token that they get for "
	    "their password. remote_user: whom the web server has signed in. none: everybody; a conversation belongs "
	    "to whoever knows its id. Unset: token if SECRET_KEY is set, else off.", "Onboarding: users" },
	{ "SECRET_KEY", SECRET, AT(secret_key), NULL, 0, 0, NULL,
	    "Signs the tokens: at least 32 random bytes, the same in all workers (openssl rand -hex 32). A new key "
	    "ends all tokens.", NULL },
	{ "ACCESS_TOKEN_EXPIRE_MINUTES", INT, AT(token_minutes), "30", 1, 10080, NULL,
	    "How long a token is accepted.", NULL },
	{ "ONBOARDING_REGISTRATION", BOOL, AT(onboarding_registration), "true", 0, 0, NULL,
	    "May visitors register themselves?", NULL },
	{ "ONBOARDING_USERS_PER_HOUR", INT, AT(users_per_hour), "20", 0, 1000000, NULL,
	    "How many users may be registered from one address in an hour. 0: any number.", NULL },
	{ "ONBOARDING_LOGINS_PER_NAME", INT, AT(logins_per_name), "10", 0, 1000000, NULL,
	    "How often a wrong password may be given for one name in 15 minutes. 0: any number.", NULL },
	{ "ONBOARDING_LOGINS_PER_ADDRESS", INT, AT(logins_per_address), "50", 0, 1000000, NULL,
	    "How often a wrong password may be given from one address in 15 minutes. 0: any number.", NULL },
	{ "ONBOARDING_CONVERSATIONS_MAX", INT, AT(conversations_max), "200", 1, 100000, NULL,
	    "How many conversations a user may have.", NULL },
	{ "ONBOARDING_CONVERSATIONS_PER_HOUR", INT, AT(conversations_per_hour), "120", 0, 1000000, NULL,
	    "How many conversations a user may create in an hour; without users, one address. 0: any number.", NULL },
	{ "ONBOARDING_TURNS_PER_MINUTE", INT, AT(turns_per_minute), "60", 0, 1000000, NULL,
	    "How many messages a user may send in a minute; without users, one address. 0: any number.", NULL },

	{ "AVIATION_AGENT_WS_LISTEN", TEXT, AT(ws_listen), "127.0.0.1:8079", 0, 0, NULL,
	    "Where the gateway listens: unix:PATH or HOST:PORT. The web server passes /ws/ on to it.",
	    "WebSocket gateway (aviation-agent-ws)" },
	{ "AVIATION_AGENT_WS_UPSTREAM", URL, AT(ws_upstream), "http://127.0.0.1", 0, 0, NULL,
	    "Address of the site's own web server, which the gateway calls for each message.", NULL },
	{ "AVIATION_AGENT_WS_ORIGINS", TEXT, AT(ws_origins), NULL, 0, 0, NULL,
	    "Origins whose pages may open a socket, separated by commas, such as https://www.example.org. "
	    "Unset: pages of the same host.", NULL },
	{ "AVIATION_AGENT_WS_MAX_SOCKETS", INT, AT(ws_max_sockets), "1000", 1, 100000, NULL,
	    "Sockets that the gateway holds at once. Further ones are refused with 503.", NULL },

	{ "LLM_PROVIDER", TEXT, AT(llm_provider), NULL, 0, 0,
	    "openai|anthropic|gemini|ollama",
	    "Provider of the language model. Unset: openai if OPENAI_API_KEY or OPENAI_BASE_URL is set, else "
	    "none: the built-in planner and writer work.", "Language model" },
	{ "OPENAI_API_KEY", SECRET, AT(openai_key), NULL, 0, 0, NULL,
	    "Key of the provider openai: OpenAI, or what OPENAI_BASE_URL names. Local servers need none.",
	    NULL },
	{ "OPENAI_MODEL", TEXT, AT(openai_model), NULL, 0, 0, NULL,
	    "Model of the provider openai, instead of those that the behaviour config names. Unset: the "
	    "behaviour config decides.", NULL },
	{ "OPENAI_BASE_URL", URL, AT(openai_url), NULL, 0, 0, NULL,
	    "Address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1. Unset with a "
	    "key: https://api.openai.com/v1; unset without: the built-in planner and writer.", NULL },
	{ "OPENAI_ORG_ID", TEXT, AT(openai_org), NULL, 0, 0, NULL,
	    "Organisation that pays for the calls, for a key that belongs to several.", NULL },
	{ "ANTHROPIC_API_KEY", SECRET, AT(anthropic_key), NULL, 0, 0, NULL,
	    "Key of the provider anthropic.", NULL },
	{ "ANTHROPIC_MODEL", TEXT, AT(anthropic_model), "claude-sonnet-5", 0, 0, NULL,
	    "Model of the provider anthropic.", NULL },
	{ "ANTHROPIC_BASE_URL", URL, AT(anthropic_url), NULL, 0, 0, NULL,
	    "Address of a server of the Messages API. Unset: https://api.anthropic.com.", NULL },
	{ "ANTHROPIC_MAX_TOKENS", INT, AT(anthropic_max_tokens), "4096", 256, 200000, NULL,
	    "Longest reply of the provider anthropic in tokens. A model's own limit may be lower; then it "
	    "refuses the request.", NULL },
	{ "GOOGLE_API_KEY", SECRET, AT(google_key), NULL, 0, 0, NULL,
	    "Key of the provider gemini.", NULL },
	{ "GOOGLE_MODEL", TEXT, AT(google_model), "gemini-3.8-flash", 0, 0, NULL,
	    "Model of the provider gemini.", NULL },
	{ "GOOGLE_BASE_URL", URL, AT(google_url), NULL, 0, 0, NULL,
	    "Address of a server of the Gemini API. Unset: "
	    "https://generativelanguage.googleapis.com/v1beta.", NULL },
	{ "OLLAMA_MODEL", TEXT, AT(ollama_model), "llama3.1", 0, 0, NULL,
	    "Model of the provider ollama. It should take tools.", NULL },
	{ "OLLAMA_BASE_URL", URL, AT(ollama_url), NULL, 0, 0, NULL,
	    "Address of the Ollama server. Unset: http://localhost:11434.", NULL },
	{ "OLLAMA_NUM_CTX", INT, AT(ollama_context), "16384", 0, 10000000, NULL,
	    "How many tokens the provider ollama reads. It drops the beginning of a longer question. 0: what "
	    "the server is set to.", NULL },
	{ "AVIATION_AGENT_CA_FILE", PATH, AT(ca_file), NULL, 0, 0, NULL,
	    "Certificates (PEM) that are trusted instead of the system's, such as a company gateway's. "
	    "If a geocoder is used too, append the system's certificates to the file.", NULL },
	{ "AVIATION_AGENT_PLANNER_MODEL", TEXT, AT(planner_model), NULL, 0, 0, NULL,
	    "Model that plans, instead of llms.planner.model of the behaviour config.", NULL },
	{ "AVIATION_AGENT_FORMATTER_MODEL", TEXT, AT(formatter_model), NULL, 0, 0, NULL,
	    "Model that writes, instead of llms.formatter.model.", NULL },
	{ "ROUTER_MODEL", TEXT, AT(router_model), NULL, 0, 0, NULL,
	    "Model that routes, instead of llms.router.model.", NULL },
	{ "AVIATION_AGENT_FALLBACK_MODEL", TEXT, AT(fallback_model), NULL, 0, 0, NULL,
	    "Model that is asked when the first one gives no reply, instead of llms.fallback.model.", NULL },
	{ "AVIATION_AGENT_LLM_CONNECT_MS", INT, AT(llm_connect_ms), "10000", 100, 60000, NULL,
	    "Longest wait for a connection to the provider, name look-up and TLS included.", NULL },
	{ "AVIATION_AGENT_LLM_FIRST_MS", INT, AT(llm_first_ms), "0", 0, 600000, NULL,
	    "Longest wait for a reply to begin; never more than a third of the turn's remaining time. "
	    "0: request_timeout of the behaviour config.", NULL },
	{ "AVIATION_AGENT_LLM_IDLE_MS", INT, AT(llm_idle_ms), "30000", 100, 600000, NULL,
	    "Longest silence in the middle of a reply.", NULL },
	{ "AVIATION_AGENT_LLM_CALL_MS", INT, AT(llm_call_ms), "120000", 1000, 3600000, NULL,
	    "Longest call, from its start to the end of the reply.", NULL },
	{ "AVIATION_AGENT_LLM_BACKOFF_MS", INT, AT(llm_backoff_ms), "500", 1, 8000, NULL,
	    "The first retry waits a random time up to this, and each further one up to twice as long, "
	    "at most 8 s. A Retry-After of up to 20 s is added; with a longer one the call is not "
	    "repeated.", NULL },
	{ "AVIATION_AGENT_LLM_MAX_CALLS", INT, AT(llm_max_calls), "1000", 1, 100000, NULL,
	    "How many calls a worker process makes at once. Further ones wait for up to "
	    "AVIATION_AGENT_LLM_QUEUE_MS.", NULL },
	{ "AVIATION_AGENT_LLM_QUEUE_MS", INT, AT(llm_queue_ms), "10000", 0, 600000, NULL,
	    "How long a call waits for a free place; then it fails.", NULL },
	{ "AVIATION_AGENT_LLM_BREAKER_FAILURES", INT, AT(llm_breaker_failures), "5", 0, 1000, NULL,
	    "After so many failures in a row a worker makes no calls for a while. 0: it always calls.",
	    NULL },
	{ "AVIATION_AGENT_LLM_BREAKER_REST_MS", INT, AT(llm_breaker_rest_ms), "30000", 100, 3600000,
	    NULL, "How long it makes no calls. After that one call is let through; if it succeeds, calls "
	    "resume.", NULL },
	{ "AVIATION_AGENT_LLM_MAX_REPLY", INT, AT(llm_max_reply), "1048576", 4096, 67108864, NULL,
	    "Largest reply of the provider in bytes.", NULL },
	{ "AVIATION_AGENT_HISTORY_TOKENS", INT, AT(history_tokens), "6000", 200, 1000000, NULL,
	    "How many tokens of the conversation are sent to a model: the newest whole turns.", NULL },
	{ "AVIATION_AGENT_RESULT_TOKENS", INT, AT(result_tokens), "12000", 200, 1000000, NULL,
	    "How many tokens of a tool's result are sent to a model. A longer result is shortened.", NULL },

	{ "COHERE_API_KEY", SECRET, AT(cohere_key), NULL, 0, 0, NULL,
	    "Key of Cohere, whose reranker sorts the rules that were found. Unset: they are not reranked.",
	    "Reranking" },
	{ "COHERE_BASE_URL", URL, AT(cohere_url), "https://api.cohere.com", 0, 0, NULL,
	    "Address of Cohere.", NULL },

	{ "GEOAPIFY_API_KEY", SECRET, AT(geoapify_key), NULL, 0, 0, NULL,
	    "Key of the Geoapify geocoder. Unset: places come from the local gazetteer.",
	    "Geocoder" },
	{ "GEOAPIFY_BASE_URL", URL, AT(geoapify_url), "https://api.geoapify.com", 0, 0, NULL,
	    "Address of Geoapify.", NULL },

	{ "ONBOARDING_COMPANY", TEXT, AT(onboarding_company), "the company", 0, 0, NULL,
	    "Name of the company, as the onboarding agent says it.", "Onboarding agent" },
	{ "ONBOARDING_MODEL", TEXT, AT(onboarding_model), NULL, 0, 0, NULL,
	    "Model of the onboarding agent. Unset: the model that the provider's own setting names.", NULL },
	{ "ONBOARDING_EXPORT_DIR", PATH, AT(onboarding_export_dir), NULL, 0, 0, NULL,
	    "Folder for the exported records, one file for each conversation. Unset: onboarding in the state "
	    "folder. It holds names and other personal data.", NULL },
	{ "ONBOARDING_MODEL_CALLS", INT, AT(onboarding_model_calls), "12", 1, 100, NULL,
	    "Most calls of the model in one turn.", NULL },
	{ "ONBOARDING_TOOL_CALLS", INT, AT(onboarding_tool_calls), "24", 1, 200, NULL,
	    "Most calls of tools in one turn.", NULL },
	{ "ONBOARDING_FAILED_WRITES", INT, AT(onboarding_failed_writes), "4", 1, 100, NULL,
	    "Most values that may be refused for one field in one turn.", NULL },
	{ "ONBOARDING_EXPORTS", INT, AT(onboarding_exports), "2", 1, 100, NULL,
	    "Most exports of one turn that write the file, or try to.", NULL },
	{ "ONBOARDING_TURN_S", INT, AT(onboarding_turn_s), "120", 1, 3600, NULL,
	    "Seconds that a turn of the onboarding agent may take; never more than "
	    "AVIATION_AGENT_TURN_TIMEOUT_S.", NULL },
	{ "ONBOARDING_CALL_S", INT, AT(onboarding_call_s), "60", 1, 3600, NULL,
	    "Seconds that one call of the model may take.", NULL },
	{ "ONBOARDING_MAX_CHARACTERS", INT, AT(onboarding_max_characters), "8000", 1, 100000, NULL,
	    "Longest message to the onboarding agent in characters.", NULL },

	{ "AVIATION_AGENT_BUILTIN_FIRST_MS", INT, AT(builtin_first_ms), "0", 0, 600000, NULL,
	    "The built-in writer waits this long before its first piece, for load tests and demos.",
	    "Built-in provider" },
	{ "AVIATION_AGENT_BUILTIN_PIECE_MS", INT, AT(builtin_piece_ms), "0", 0, 60000, NULL,
	    "The built-in writer waits this long between pieces.", NULL },
};

/* -- env files -- */

struct pair {
	const char *name, *value;
	struct pair *next;
};

static const char *lookup(const struct pair *file, const char *name)
{
	const char *v = getenv(name);
	if (v != NULL && *v != '\0')
		return v;
	for (; file != NULL; file = file->next)
		if (strcmp(file->name, name) == 0)
			return *file->value == '\0' ? NULL : file->value;
	return NULL;
}

/* ${OTHER} stands for an earlier line of the file or the process environment. */
static const char *expand(struct arena *a, const struct pair *file, const char *text)
{
	struct buf b;
	buf_init(&b, 65536);
	while (*text != '\0') {
		const char *open = strstr(text, "${"), *close = open ? strchr(open, '}') : NULL;
		if (close == NULL)
			break;
		buf_put(&b, text, (size_t)(open - text));
		const char *v = lookup(file, arena_strndup(a, open + 2, (size_t)(close - open - 2)));
		buf_puts(&b, v == NULL ? "" : v);
		text = close + 1;
	}
	buf_puts(&b, text);
	const char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

static bool name_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* KEY=value, optional "export ", quotes, comments. Single quotes keep ${…} as it is. */
static enum errcode env_line(struct arena *a, struct pair **file, char *line, struct err *e,
    const char *path, int lineno)
{
	struct str s = str_trim(str_of(line));
	if (s.n == 0 || s.p[0] == '#')
		return OK;
	char *at = arena_strndup(a, s.p, s.n);
	if (starts_with(at, "export "))
		at += 7;
	size_t n = 0;
	while (name_char(at[n]))
		n++;
	struct str rest = str_trim(str_of(at + n));
	if (n == 0 || rest.n == 0 || rest.p[0] != '=')
		return err_set(e, ERR_CONFIG, "%s:%d: expected NAME=value", path, lineno);
	struct str v = str_trim((struct str){ rest.p + 1, rest.n - 1 });
	if (v.n > 0 && v.p[0] == '#' && v.p != rest.p + 1)
		v.n = 0;        /* an empty value and a comment: NAME= # a comment */
	char quote = v.n > 0 && (v.p[0] == '"' || v.p[0] == '\'') ? v.p[0] : '\0';
	if (quote != '\0') {
		const char *end = memchr(v.p + 1, quote, v.n - 1);
		if (end == NULL)
			return err_set(e, ERR_CONFIG, "%s:%d: quote not closed", path, lineno);
		v = (struct str){ v.p + 1, (size_t)(end - v.p - 1) };
	} else {
		const char *hash = v.n == 0 ? NULL : strstr(v.p, " #");
		if (hash != NULL)
			v = str_trim((struct str){ v.p, (size_t)(hash - v.p) });
	}
	struct pair *p = arena_alloc(a, sizeof(*p));
	p->name = arena_strndup(a, at, n);
	p->value = arena_strndup(a, v.p, v.n);
	if (quote != '\'')
		p->value = expand(a, *file, p->value);
	p->next = *file;      /* the newest first, because a later line wins */
	*file = p;
	return OK;
}

/* OK with *found false when there is no such file. A file that another user may have written is an
 * error. If it were skipped, that user could choose which settings are used. */
static enum errcode env_file(struct arena *a, const char *path, struct pair **file, bool *found,
    struct err *e)
{
	char why[64];
	/* O_NONBLOCK: a pipe without a writer must not block the start */
	int fd = owned_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	*found = fd != -1;
	if (fd == -1 && errno == ENOENT)
		return OK;
	if (fd == -1)
		return err_set(e, ERR_CONFIG, "%s: %s", path, errno == ELOOP
		    ? "this symbolic link was made by another user: remove it, or set ENV_FILE to a safe file"
		    : strerror_r(errno, why, sizeof(why)));
	FILE *f = NULL;
	enum errcode rc = owned_settings(fd, path, e);
	if (rc == OK && (f = fdopen(fd, "r")) == NULL)
		rc = err_set(e, ERR_CONFIG, "%s: %m", path);
	if (rc != OK) {
		close(fd);
		return rc;
	}
	char *line = NULL;
	size_t size = 0;
	for (int n = 1; rc == OK && getline(&line, &size, f) != -1; n++)
		rc = env_line(a, file, line, e, path, n);
	if (rc == OK && ferror(f))
		rc = err_set(e, ERR_CONFIG, "%s: %s", path, strerror_r(errno, why, sizeof(why)));
	free(line);
	fclose(f);
	return rc;
}

static enum errcode env_files(struct arena *a, struct pair **file, struct err *e)
{
	const char *named = getenv("ENV_FILE"), *root = getenv("PROJECT_ROOT");
	bool found = false;
	if (named != NULL && *named != '\0') {
		enum errcode rc = env_file(a, named, file, &found, e);
		if (rc == OK && !found)
			rc = err_set(e, ERR_CONFIG, "ENV_FILE: %s does not exist", named);
		return rc;
	}
	enum errcode rc = env_file(a, ".env", file, &found, e);
	if (rc == OK && !found && root != NULL && *root != '\0')
		rc = env_file(a, arena_printf(a, "%s/.env", root), file, &found, e);
	return rc;
}

/* -- values -- */

bool conf_bool(const char *v, bool *out)
{
	static const char *const yes[] = { "1", "true", "t", "yes", "y", "on" };
	static const char *const no[] = { "0", "false", "f", "no", "n", "off" };
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (strieq(v, yes[i]) || strieq(v, no[i])) {
			*out = strieq(v, yes[i]);
			return true;
		}
	}
	return false;
}

static enum errcode set(struct conf *c, struct arena *a, const struct row *r, const char *v,
    struct err *e)
{
	char *at = (char *)c + r->offset;
	long long n;
	switch (r->kind) {
	case TEXT:
	case PATH:
	case URL:
	case SECRET: {
		if (r->choices != NULL && v != NULL && !one_of(v, r->choices))
			return err_set(e, ERR_CONFIG, "%s: \"%.40s\" is not one of %s", r->env, v,
			    r->choices);
		const char *copy = arena_strdup(a, v);
		memcpy(at, &copy, sizeof(copy));
		return OK;
	}
	case BOOL: {
		bool b;
		if (!conf_bool(v, &b))
			return err_set(e, ERR_CONFIG,
			    "%s: \"%.40s\" is not a boolean (true/false, yes/no, on/off, 1/0)",
			    r->env, v);
		memcpy(at, &b, sizeof(b));
		return OK;
	}
	case INT: {
		if (!str_to_int(v, &n) || n < r->min || n > r->max)
			return err_set(e, ERR_CONFIG,
			    "%s: \"%.40s\" is not a whole number from %lld to %lld", r->env, v,
			    (long long)r->min, (long long)r->max);
		int64_t wide = n;
		memcpy(at, &wide, sizeof(wide));
		return OK;
	}
	}
	return OK;
}

/* Some sites of the original service name a folder there, of a store that we do not read. Then our
 * file goes into that folder. */
static const char *vectors_path(const struct conf *c, struct arena *a)
{
	const char *path = conf_path(c, a, c->vectors_db);
	struct stat st;
	if (path == NULL)
		return arena_printf(a, "%s/rules-vectors.db", c->state_dir);
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode)
	    ? arena_printf(a, "%s/aviation-rules.db", path) : path;
}

static const char *default_state_dir(struct arena *a)
{
	const char *dir = getenv("STATE_DIRECTORY");
	if (dir != NULL && *dir != '\0')
		return arena_strdup(a, dir);
	dir = getenv("XDG_STATE_HOME");
	if (dir != NULL && *dir != '\0')
		return arena_printf(a, "%s/aviation-agent", dir);
	dir = getenv("HOME");
	if (dir != NULL && *dir != '\0')
		return arena_printf(a, "%s/.local/state/aviation-agent", dir);
	return "/var/lib/aviation-agent";
}

/* PREFIX/bin/program has its data in PREFIX/share. This also holds where PREFIX was moved or copied
 * to a place that the build did not know. NULL: the folder does not exist. */
static const char *data_beside_program(struct arena *a)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	for (int up = 0; up < 2 && n > 0; up++)
		while (n > 0 && exe[--n] != '/')
			;
	if (n <= 0)
		return NULL;
	exe[n] = '\0';
	const char *dir = arena_printf(a, "%s/share/aviation-agent", exe);
	return access(arena_printf(a, "%s/conf", dir), X_OK) == 0 ? dir : NULL;
}

enum errcode conf_load(struct conf *c, struct arena *a, struct err *e)
{
	struct pair *file = NULL;
	memset(c, 0, sizeof(*c));
	enum errcode rc = env_files(a, &file, e);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *v = lookup(file, rows[i].env);
		if ((rc = set(c, a, &rows[i], v != NULL ? v : rows[i].def, e)) != OK)
			return rc;
	}
	const char *beside = data_beside_program(a);
	if (beside != NULL && lookup(file, "AVIATION_AGENT_DATA_DIR") == NULL)
		c->data_dir = beside;
	c->airports_db = conf_path(c, a, c->airports_db);
	c->airports_index = conf_path(c, a, c->airports_index);
	c->places_db = c->places_db != NULL ? conf_path(c, a, c->places_db)
	    : arena_printf(a, "%s.places", c->airports_db);
	if (streq(c->conversation_log_dir, "none"))
		c->conversation_log_dir = NULL;
	c->conversation_log_dir = conf_path(c, a, c->conversation_log_dir);
	c->log_file = conf_path(c, a, c->log_file);
	c->ca_file = conf_path(c, a, c->ca_file);
	c->state_dir = conf_path(c, a, c->state_dir);
	if (c->state_dir == NULL)
		c->state_dir = default_state_dir(a);
	if (c->store_provider == NULL)
		c->store_provider = c->redis_url != NULL ? "redis" : "sqlite";
	if (streq(c->store_provider, "redis") && c->redis_url == NULL)
		return err_set(e, ERR_CONFIG, "CHECKPOINTER_PROVIDER is redis but REDIS_URL is not set");
	c->sqlite_path = conf_path(c, a, c->sqlite_path);
	if (c->sqlite_path == NULL)
		c->sqlite_path = arena_printf(a, "%s/threads.db", c->state_dir);
	c->rules_json = conf_path(c, a, c->rules_json);
	c->notifications_db = conf_path(c, a, c->notifications_db);
	c->persona_db = conf_path(c, a, c->persona_db);
	c->personas_json = c->personas_json != NULL ? conf_path(c, a, c->personas_json) :
	    arena_printf(a, "%s/conf/personas.json", c->data_dir);
	c->vectors_db = vectors_path(c, a);
	c->knowledge_db = c->knowledge_db != NULL ? conf_path(c, a, c->knowledge_db) :
	    arena_printf(a, "%s/knowledge.db", c->state_dir);
	c->onboarding_export_dir = c->onboarding_export_dir != NULL ? conf_path(c, a, c->onboarding_export_dir) :
	    arena_printf(a, "%s/onboarding", c->state_dir);
	if (c->user_header != NULL && !id_valid(c->user_header, 64))
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_USER_HEADER: \"%.40s\" must be the name of a header: "
		    "letters, digits and -", c->user_header);
	if (c->onboarding_auth == NULL)
		c->onboarding_auth = c->secret_key != NULL ? "token" : "off";
	if (streq(c->onboarding_auth, "token") && strlen(c->secret_key != NULL ? c->secret_key : "") < SECRET_MIN)
		return err_set(e, ERR_CONFIG, "SECRET_KEY must have at least %d bytes when ONBOARDING_AUTH is token: "
		    "make one with openssl rand -hex 32", SECRET_MIN);
	if (strchr(c->config_name, '/') != NULL || strstr(c->config_name, "..") != NULL)
		return err_set(e, ERR_CONFIG,
		    "AVIATION_AGENT_CONFIG: \"%.40s\" must be a name, not a path", c->config_name);
	return OK;
}

const char *conf_path(const struct conf *c, struct arena *a, const char *path)
{
	if (path == NULL || path[0] == '/' || c->project_root == NULL)
		return path;
	return arena_printf(a, "%s/%s", c->project_root, path);
}

/* The address without what may be a password: the part before the host, and the query. */
static void print_url(struct buf *out, const char *url)
{
	const char *host = strstr(url, "://");
	if (host == NULL) {            /* not an address: perhaps somebody put a key here */
		buf_puts(out, "***");
		return;
	}
	host += 3;
	size_t n = strcspn(host, "?#");
	const char *at = memrchr(host, '@', n);
	buf_put(out, url, (size_t)(host - url));
	buf_puts(out, at == NULL ? "" : "***");
	buf_put(out, at == NULL ? host : at, (size_t)(host + n - (at == NULL ? host : at)));
	buf_puts(out, host[n] == '\0' ? "" : "?***");
}

void conf_print(const struct conf *c, struct buf *out)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		const char *at = (const char *)c + r->offset;
		if (r->group != NULL)
			buf_printf(out, "%s## %s\n", i == 0 ? "" : "\n", r->group);
		buf_printf(out, "# %s", r->doc);
		if (r->choices != NULL)
			buf_printf(out, " One of %s.", r->choices);
		if (r->kind == INT)
			buf_printf(out, " %lld to %lld.", (long long)r->min, (long long)r->max);
		buf_printf(out, " Default: %s.\n", r->def == NULL ? "unset" : r->def);
		const char *text;
		bool flag;
		int64_t n;
		switch (r->kind) {
		case TEXT:
		case PATH:
		case URL:
		case SECRET:
			memcpy(&text, at, sizeof(text));
			buf_printf(out, "%s%s=", text == NULL ? "#" : "", r->env);
			if (r->kind == URL && text != NULL)
				print_url(out, text);
			else if (text != NULL)
				buf_puts(out, r->kind == SECRET ? "***" : text);
			buf_putc(out, '\n');
			break;
		case BOOL:
			memcpy(&flag, at, sizeof(flag));
			buf_printf(out, "%s=%s\n", r->env, flag ? "true" : "false");
			break;
		case INT:
			memcpy(&n, at, sizeof(n));
			buf_printf(out, "%s=%lld\n", r->env, (long long)n);
			break;
		}
	}
}
