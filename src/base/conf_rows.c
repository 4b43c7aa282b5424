/*
 * The settings table. To add a setting, add a member to struct conf and a row here.
 */
#include "base/conf_rows.h"

#include "base/conf.h"

#ifndef AGENT_DATADIR
#define AGENT_DATADIR "/usr/local/share/aviation-agent"
#endif

#define AT(member) offsetof(struct conf, member)

const struct conf_row conf_rows[] = {
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
	    "How many pieces of documents a search in the knowledge base finds at most.", NULL },
	{ "KNOWLEDGE_THRESHOLD", INT, AT(knowledge_threshold), "35", 0, 100, NULL,
	    "Pieces with a lower relevance, in percent, are not found. Raise it if searches find pieces about "
	    "something else, and lower it if they miss pieces.", NULL },

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
	    "How many days conversation logs, and the feedback beside them, are kept. Older files are removed, but only while there are "
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
	{ "AVIATION_AGENT_REST", LIST, AT(rest), "all", 0, 0,
	    "airports|filters|rules|ga|notifications|procedures|statistics|feedback",
	    "Which groups of calls beside the chat are answered: their names, separated by commas, or all, or "
	    "none. A name with - in front is left out: \"-ga,-feedback\" is all groups but these two. Leave "
	    "out what your site answers itself.", NULL },

	{ "MCP_AUTH", TEXT, AT(mcp_auth), "none", 0, 0, "off|token|remote_user|none",
	    "Who may use the tools over the Model Context Protocol, at /mcp. none: everybody who reaches the path. token: "
	    "callers with a token of `aviation-agent mcp-token add`. remote_user: users whom the web server has signed in. "
	    "off: nobody; the path answers 404.", "Model Context Protocol" },
	{ "MCP_TOKENS", PATH, AT(mcp_tokens), NULL, 0, 0, NULL,
	    "File of the tokens, which holds only their hashes. A changed file is read anew at once. Unset: "
	    "mcp-tokens.json in the state folder.", NULL },
	{ "MCP_CALLS_PER_MINUTE", INT, AT(mcp_calls_per_minute), "0", 0, 1000000, NULL,
	    "How many tools a caller (a token, a user, or an address) may call in a minute, counted in the store for all "
	    "workers together. Further calls are answered 429. 0: any number.", NULL },
	{ "MCP_QUESTIONS_PER_MINUTE", INT, AT(mcp_questions_per_minute), "20", 0, 1000000, NULL,
	    "How many questions to the agent (ask_aviation_agent) a caller may ask in a minute; they count as calls too. 0: any "
	    "number.", NULL },
	{ "MCP_CALL_TIMEOUT_S", INT, AT(mcp_call_timeout_s), "60", 1, 3600, NULL,
	    "Seconds that a call of a tool may take. A question to the agent may take AVIATION_AGENT_TURN_TIMEOUT_S.",
	    NULL },

	{ "ONBOARDING_AUTH", TEXT, AT(onboarding_auth), NULL, 0, 0, "off|token|remote_user|none",
	    "Who may use the onboarding agent. token: users who have registered here, with a token that they get for "
	    "their password. remote_user: users whom the web server has signed in. none: everybody; who knows the id of "
	    "a conversation can read it. off: nobody. Unset: token if SECRET_KEY is set, else off.", "Onboarding: users" },
	{ "SECRET_KEY", SECRET, AT(secret_key), NULL, 0, 0, NULL,
	    "Key that signs the tokens: at least 32 random bytes, the same in all workers (openssl rand -hex 32 makes "
	    "one). When you change it, all users must sign in again.", NULL },
	{ "ACCESS_TOKEN_EXPIRE_MINUTES", INT, AT(token_minutes), "30", 1, 10080, NULL,
	    "Minutes that a token is accepted.", NULL },
	{ "ONBOARDING_REGISTRATION", BOOL, AT(onboarding_registration), "true", 0, 0, NULL,
	    "true: visitors may register themselves. false: only an operator adds users (aviation-agent users add).", NULL },
	{ "ONBOARDING_USERS_PER_HOUR", INT, AT(users_per_hour), "20", 0, 1000000, NULL,
	    "How many users may be registered from one address in an hour. 0: any number.", NULL },
	{ "ONBOARDING_LOGINS_PER_NAME", INT, AT(logins_per_name), "10", 0, 1000000, NULL,
	    "How often a wrong password may be given for one user from one address in 15 minutes; from all addresses "
	    "together, ten times as often. 0: any number.", NULL },
	{ "ONBOARDING_LOGINS_PER_ADDRESS", INT, AT(logins_per_address), "50", 0, 1000000, NULL,
	    "How often a wrong password may be given from one address in 15 minutes, for all users together. 0: any "
	    "number.", NULL },
	{ "ONBOARDING_CONVERSATIONS_MAX", INT, AT(conversations_max), "200", 1, 100000, NULL,
	    "How many conversations a user may have.", NULL },
	{ "ONBOARDING_CONVERSATIONS_PER_HOUR", INT, AT(conversations_per_hour), "120", 0, 1000000, NULL,
	    "How many conversations a user, or an address without a user, may create in an hour. 0: any number.", NULL },
	{ "ONBOARDING_TURNS_PER_MINUTE", INT, AT(turns_per_minute), "60", 0, 1000000, NULL,
	    "How many messages a user, or an address without a user, may send in a minute. 0: any number.", NULL },
	{ "ONBOARDING_TURNS_AT_ONCE", INT, AT(turns_at_once), "10", 0, 100, NULL,
	    "How many turns of a user, or of an address without a user, may run at once in all conversations. 0: any "
	    "number.", NULL },

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
	    "Provider of the language model. Unset: openai if OPENAI_API_KEY or OPENAI_BASE_URL is set; else "
	    "the built-in planner and writer answer, without a model.", "Language model" },
	{ "OPENAI_API_KEY", SECRET, AT(openai_key), NULL, 0, 0, NULL,
	    "Key of the provider openai: of OpenAI, or of the server that OPENAI_BASE_URL names. Local servers need none.",
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
	    "Address of another server that speaks the Messages API. Unset: https://api.anthropic.com.", NULL },
	{ "ANTHROPIC_MAX_TOKENS", INT, AT(anthropic_max_tokens), "4096", 256, 200000, NULL,
	    "Longest reply of the provider anthropic in tokens. If the model's own limit is lower, the provider "
	    "refuses the request.", NULL },
	{ "GOOGLE_API_KEY", SECRET, AT(google_key), NULL, 0, 0, NULL,
	    "Key of the provider gemini.", NULL },
	{ "GOOGLE_MODEL", TEXT, AT(google_model), "gemini-3.8-flash", 0, 0, NULL,
	    "Model of the provider gemini.", NULL },
	{ "GOOGLE_BASE_URL", URL, AT(google_url), NULL, 0, 0, NULL,
	    "Address of another server that speaks the Gemini API. Unset: "
	    "https://generativelanguage.googleapis.com/v1beta.", NULL },
	{ "OLLAMA_MODEL", TEXT, AT(ollama_model), "llama3.1", 0, 0, NULL,
	    "Model of the provider ollama. Choose one that can call tools.", NULL },
	{ "OLLAMA_BASE_URL", URL, AT(ollama_url), NULL, 0, 0, NULL,
	    "Address of the Ollama server. Unset: http://localhost:11434.", NULL },
	{ "OLLAMA_NUM_CTX", INT, AT(ollama_context), "16384", 0, 10000000, NULL,
	    "Size of the context in tokens that Ollama is asked for. If a request is longer, Ollama drops its "
	    "beginning. 0: the server's own setting.", NULL },
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
	    "Model of the onboarding agent. Unset: the model in the provider's own setting (OPENAI_MODEL, "
	    "ANTHROPIC_MODEL, …).", NULL },
	{ "ONBOARDING_EXPORT_DIR", PATH, AT(onboarding_export_dir), NULL, 0, 0, NULL,
	    "Folder for the exported records, one file for each conversation. Unset: onboarding in the state "
	    "folder. The records hold names and other personal data.", NULL },
	{ "ONBOARDING_MODEL_CALLS", INT, AT(onboarding_model_calls), "12", 1, 100, NULL,
	    "How often one turn may call the model.", NULL },
	{ "ONBOARDING_TOOL_CALLS", INT, AT(onboarding_tool_calls), "24", 1, 200, NULL,
	    "How often one turn may call tools.", NULL },
	{ "ONBOARDING_FAILED_WRITES", INT, AT(onboarding_failed_writes), "4", 1, 100, NULL,
	    "How many values of one field may be refused in one turn before the turn ends.", NULL },
	{ "ONBOARDING_EXPORTS", INT, AT(onboarding_exports), "2", 1, 100, NULL,
	    "How often one turn may write, or try to write, the exported file.", NULL },
	{ "ONBOARDING_TURN_S", INT, AT(onboarding_turn_s), "120", 1, 3600, NULL,
	    "Seconds that a turn of the onboarding agent may take; never more than "
	    "AVIATION_AGENT_TURN_TIMEOUT_S.", NULL },
	{ "ONBOARDING_CALL_S", INT, AT(onboarding_call_s), "60", 1, 3600, NULL,
	    "Seconds that one call of the model may take.", NULL },
	{ "ONBOARDING_MAX_CHARACTERS", INT, AT(onboarding_max_characters), "8000", 1, 100000, NULL,
	    "Longest message to the onboarding agent in characters.", NULL },

	{ "MCP_SERVERS", TEXT, AT(mcp_servers), NULL, 0, 0, NULL,
	    "External MCP servers whose tools the agent may use: JSON, or the path of a file with it. Keep secrets out "
	    "of it with ${NAME}. doc/mcp-client.md tells more.", "External MCP servers" },
	{ "MCP_PINS", PATH, AT(mcp_pins), NULL, 0, 0, NULL,
	    "File of the external tools as they were accepted, written by `aviation-agent mcp-client pin`. Unset: "
	    "mcp-pins.json in the state folder.", NULL },

	{ "AVIATION_AGENT_BUILTIN_FIRST_MS", INT, AT(builtin_first_ms), "0", 0, 600000, NULL,
	    "The built-in writer waits this long before its first piece, for load tests and demos.",
	    "Built-in provider" },
	{ "AVIATION_AGENT_BUILTIN_PIECE_MS", INT, AT(builtin_piece_ms), "0", 0, 60000, NULL,
	    "The built-in writer waits this long between pieces.", NULL },
};

const size_t conf_nrows = sizeof(conf_rows) / sizeof(conf_rows[0]);
