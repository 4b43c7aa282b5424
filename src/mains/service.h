/*
 * The composition: all process-wide parts, built once from the settings before the first thread
 * starts, and const from then on.
 */
#ifndef MAINS_SERVICE_H
#define MAINS_SERVICE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "agents/aviation/config.h"
#include "airports/fact_source.h"
#include "airports/friendliness.h"
#include "airports/geocoder.h"
#include "base/conf.h"
#include "edges/convlog.h"
#include "edges/edge.h"
#include "knowledge/knowledge.h"
#include "rules/rules.h"
#include "runtime/agent.h"
#include "services/chroma.h"
#include "services/cohere.h"
#include "services/llm.h"
#include "services/llm_gate.h"
#include "services/mcp_client.h"
#include "services/store.h"
#include "tools/tool.h"

struct service {
	struct arena *mem;
	struct conf conf;
	void **configs;                         /* one for each agent of the list, read by its slice */
	/* the aviation agent's config; rules and airports use it too */
	const struct aviation_config *config;
	struct store *store;
	struct convlog log;                     /* the conversation log */
	struct httpc *http;                     /* NULL: nothing is set that needs it */
	struct llm_gate gate;                   /* if there is an llm */
	struct llm *llm;                        /* NULL: the provider is builtin */
	struct geoapify *geoapify;
	struct geocoder_geoapify geocoder;
	struct chroma *chroma;                  /* NULL: VECTOR_DB_URL is not set */
	struct cohere *cohere;                  /* NULL: COHERE_API_KEY is not set */
	struct encoder *encoder;
	struct rules *rules;
	struct knowledge *knowledge;
	struct personas personas;
	struct friendliness *friendliness;
	struct notices *notices;
	struct fact_sources sources;            /* facts beside the airports' own rows */
	struct airdb *airports;                 /* may have nothing to serve, or not yet: airdb_state() */
	struct mcp_servers mcp;                 /* external MCP servers of the settings */
	struct mcp_client **mcp_clients;        /* one for each */
	struct toolset tools;                   /* the tool table */
	struct agent_open *agents;              /* the agents of agents/agents.h */
	size_t nagents;
	atomic_bool stop;                       /* running turns must end now */
};

/*
 * Read settings and behaviour config, set up the log, and open store, provider, rules, airport
 * database and agents. ERR_CONFIG: a setting is wrong. A database that cannot be used is no error
 * here (airdb_open). `log_level` is used if LOG_LEVEL is not set.
 */
enum errcode service_open(struct service *s, const char *log_level, struct err *e);
void service_close(struct service *s);

/* The store of the settings alone. */
enum errcode service_open_store(struct store **out, const struct conf *c, struct err *e);

/* Does a provider make the vectors of texts? If not, the encoder that ships with the program makes those of rules. */
bool service_provider_embeds(const struct service *s);

/* Was a rules file named (RULES_JSON)? Then it is a fault if it does not exist. */
bool service_rules_named(const struct service *s);

/* An open agent of the list. */
const struct agent_open *service_agent(const struct service *s, const struct agent *agent);

/* The parts of it that HTTP handlers, and others that run turns, use. */
struct edge_parts service_parts(struct service *s);

#endif
