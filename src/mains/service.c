/*
 * One function opens one part; service_close() closes them in the opposite order.
 */
#include "mains/service.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/agents.h"
#include "agents/env.h"
#include "airports/airdb.h"
#include "airports/facts.h"
#include "airports/notice.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/log.h"
#include "base/owned.h"
#include "base/str.h"
#include "drivers/child.h"
#include "edges/routes.h"
#include "language/encoder.h"
#include "language/languages.h"
#include "rules/answer_words.h"
#include "rules/general_rules.h"
#include "rules/terms.h"
#include "services/llm_provider.h"
#include "tools/external.h"

/* A database that is missing or being prepared is no error here: each tool that needs airports asks
 * for it itself, and all other questions are still answered. */
static enum errcode open_airports(struct service *s, struct err *e)
{
	const struct airdb_config c = { .path = s->conf.airports_db,
		.index_path = s->conf.airports_index, .cache_dir = s->conf.state_dir,
		.places_path = s->conf.places_db, .all_idents = s->config->all_idents };
	return airdb_open(&s->airports, &c, e);
}

/* A file under its usual name need not exist; one that was named should, and the log says so. */
static enum errcode open_notices(struct service *s, struct err *e)
{
	const char *path = s->conf.notifications_db;
	(void)e;
	if (streq(path, conf_path(&s->conf, s->mem, "ga_notifications.db")) && access(path, F_OK) != 0)
		path = NULL;
	s->notices = notices_new(path, s->conf.airports_db);
	s->sources.of[FACTS_NOTICE] = notices_source(s->notices);
	return OK;
}

static enum errcode open_log(struct service *s, struct err *e)
{
	(void)e;
	s->log.dir = s->conf.conversation_log_dir;
	s->log.max_entry = s->conf.log_max_entry;
	s->log.max_day = s->conf.log_max_day;
	s->log.days = s->conf.log_days;
	return OK;
}

enum errcode service_open_store(struct store **out, const struct conf *c, struct err *e)
{
	struct store_config sc = {
		.provider = c->store_provider,
		.redis_url = c->redis_url,
		.sqlite_path = c->sqlite_path,
		.ttl_s = c->thread_ttl_days * 86400,
		.agent = agents[0]->name,
		.timeout_ms = (int)c->store_timeout_ms,
		.thread_bytes = (size_t)c->thread_bytes,
		.thread_copies = (int)c->thread_copies,
		.run_ttl_s = c->run_ttl_s,
	};
	enum errcode rc = OK;
	if (streq(c->store_provider, "sqlite"))
		rc = make_dirs(c->state_dir, 0750, e);
	return rc != OK ? rc : store_open(out, &sc, e);
}

static enum errcode open_store(struct service *s, struct err *e)
{
	return service_open_store(&s->store, &s->conf, e);
}

/* Is a language model used? If not, planning and writing are built in. */
static bool wants_model(const struct conf *c)
{
	return llm_provider_settings(c).provider != NULL;
}

static enum errcode open_http(struct service *s, struct err *e)
{
	const struct httpc_config c = { .ca_file = s->conf.ca_file };
	if (s->conf.geoapify_key == NULL && !wants_model(&s->conf) && s->mcp.n == 0)
		return OK;       /* without a model neither Chroma nor Cohere is used */
	return httpc_open(&s->http, &c, e);
}

static enum errcode open_geocoder(struct service *s, struct err *e)
{
	(void)e;
	if (s->conf.geoapify_key == NULL)
		return OK;
	s->geoapify = geoapify_new(s->http, s->conf.geoapify_url, s->conf.geoapify_key,
	    geocoder_preferred(s->mem));
	geocoder_geoapify_init(&s->geocoder, s->geoapify);
	return OK;
}

/*
 * If the built-in planner and writer may take over, a provider with an unusable address is treated
 * like any other outage: the site answers, and the log says what to change.
 */
static enum errcode open_provider(struct service *s, struct err *e)
{
	const struct conf *c = &s->conf;
	const struct llm_provider_config pc = llm_provider_settings(c);
	const struct llm_gate_config gc = {
		.max_calls = (int)c->llm_max_calls,
		.queue_ms = c->llm_queue_ms,
		.max_failures = (int)c->llm_breaker_failures,
		.rest_ms = c->llm_breaker_rest_ms,
	};
	struct llm_config lc = { .backoff_ms = c->llm_backoff_ms };
	struct llm_provider *provider = NULL;
	struct err why;

	if (pc.provider == NULL)
		return OK;
	if (llm_provider_open(&provider, s->http, &pc, &why) != OK) {
		if (!s->config->builtin_fallback)
			return err_set(e, why.code, "%s", why.msg);
		log_msg(LOG_ERROR, "provider_unusable", "why=\"%s\"", why.msg);
		lc.unusable = arena_strdup(s->mem, why.msg);
	}
	llm_gate_init(&s->gate, &gc);
	lc.gate = &s->gate;
	s->llm = llm_open(provider, &lc);
	return OK;
}

bool service_provider_embeds(const struct service *s)
{
	return s->llm != NULL && llm_embeds(s->llm) && !streq(s->config->rules.embedding_model, RULES_BUILTIN);
}

bool service_rules_named(const struct service *s)
{
	return !streq(s->conf.rules_json, conf_path(&s->conf, s->mem, "rules.json"));
}

/*
 * The site works without rules. So when their file or a service that helps to search them is wrong,
 * the log and /health say so, and the site still answers.
 */
static enum errcode open_rules(struct service *s, struct err *e)
{
	const struct conf *c = &s->conf;
	const bool provider = service_provider_embeds(s);
	struct err why;
	if (!provider && c->vectors_url != NULL)
		log_msg(LOG_WARN, "chroma_unused", "why=\"VECTOR_DB_URL has vectors of a provider's model, and no "
		    "provider makes embeddings\"");
	if (provider && c->vectors_url != NULL &&
	    chroma_open(&s->chroma, s->http, c->vectors_url, &why) != OK)
		log_msg(LOG_ERROR, "chroma_unusable", "why=\"%s\"", why.msg);
	if (s->llm != NULL && c->cohere_key != NULL &&
	    cohere_open(&s->cohere, s->http, c->cohere_url, c->cohere_key, &why) != OK)
		log_msg(LOG_ERROR, "cohere_unusable", "why=\"%s\"", why.msg);
	const struct rules_config config = {
		.path = c->rules_json,
		.named = service_rules_named(s),
		.encoder = provider ? NULL : s->encoder,
		.vectors = c->vectors_db,
		.chroma = s->chroma,
		.llm = s->llm,
		.llm_first_ms = c->llm_first_ms,
		.cohere = s->cohere,
		.options = &s->config->rules,
	};
	return rules_open(&s->rules, &config, e);
}

/* A knowledge base that is missing or wrong is no error here: the search says so. */
static enum errcode open_knowledge(struct service *s, struct err *e)
{
	const struct conf *c = &s->conf;
	const struct knowledge_config config = {
		.path = c->knowledge_db,
		.words = arena_printf(s->mem, "%s/conf/language/en/knowledge_words.txt", c->data_dir),
		.top_k = (size_t)c->retrieval_top_k,
		.threshold = (double)c->knowledge_threshold / 100,
		.encoder = s->encoder,
		.llm = service_provider_embeds(s) ? s->llm : NULL,
		.embedding_model = s->config->rules.embedding_model,
		.llm_first_ms = c->llm_first_ms,
	};
	return knowledge_open(&s->knowledge, &config, e);
}

/* Read each agent's part of the behaviour config. */
static enum errcode read_configs(struct service *s, struct err *e)
{
	enum errcode rc = OK;
	s->configs = arena_array(s->mem, nagents, sizeof(*s->configs));
	for (size_t i = 0; i < nagents && rc == OK; i++) {
		const struct behavior_slice *slice = agents[i]->slice;
		if (slice == NULL)
			continue;
		s->configs[i] = arena_alloc(s->mem, slice->size);
		rc = behavior_read(s->configs[i], slice, &s->conf, s->mem, e);
		if (slice == &aviation_slice)
			s->config = s->configs[i];
	}
	return rc;
}

static enum errcode open_mcp_settings(struct service *s, struct err *e)
{
	return mcp_servers_read(&s->mcp, s->mem, s->conf.mcp_servers, e);
}

/* No server is asked or started here, so a worker is ready at once. A file of pins that is wrong costs
 * the external tools, not the site. */
static enum errcode open_mcp(struct service *s, struct err *e)
{
	struct mcp_pins *pins = NULL;
	enum errcode rc = OK;
	struct err why;
	size_t n = 0;
	s->tools = tools_builtin;
	if (s->mcp.n == 0)
		return OK;
	if (mcp_pins_read(&pins, &n, s->mem, s->conf.mcp_pins, &why) != OK) {
		log_msg(LOG_ERROR, "mcp_pins_unusable", "why=\"%s\"", why.msg);
		n = 0;
	}
	s->mcp_clients = arena_array(s->mem, s->mcp.n, sizeof(struct mcp_client *));
	for (size_t i = 0; i < s->mcp.n && rc == OK; i++) {
		const struct mcp_client_config c = { .server = &s->mcp.list[i], .http = s->http,
			.pins = mcp_pins_of(pins, n, s->mcp.list[i].name), .minder = CHILD_MINDER };
		s->mcp_clients[i] = mcp_client_new(&c);
		rc = external_tools_add(&s->tools, s->mem, s->mcp_clients[i], e);
	}
	return rc;
}

/* Open every agent of the list with the parts opened before. */
static enum errcode open_agents(struct service *s, struct err *e)
{
	struct agent_env env = {
		.mem = s->mem,
		.conf = &s->conf,
		.llm = s->llm,
		.airports = s->airports,
		.sources = &s->sources,
		.personas = &s->personas,
		.geocoder = s->geoapify != NULL ? &s->geocoder.geocoder : NULL,
		.rules = s->rules,
		.knowledge = s->knowledge,
		.tools = s->tools,
	};
	enum errcode rc = OK;
	s->agents = arena_array(s->mem, nagents, sizeof(*s->agents));
	for (; s->nagents < nagents && rc == OK; s->nagents++) {
		env.config = s->configs[s->nagents];
		rc = agent_open(&s->agents[s->nagents], agents[s->nagents], &env, e);
	}
	return rc;
}

/* Settings, and the log that they name. */
static enum errcode open_settings(struct service *s, const char *log_level, struct err *e)
{
	enum errcode rc = conf_load(&s->conf, s->mem, e);
	if (rc != OK)
		return rc;
	if (s->conf.log_level == NULL)
		s->conf.log_level = log_level;
	if (!log_level_set(s->conf.log_level))
		return err_set(e, ERR_CONFIG, "LOG_LEVEL: \"%.40s\" is not DEBUG, INFO, WARNING, ERROR or OFF",
		    s->conf.log_level);
	if (s->conf.log_file != NULL && !log_open(s->conf.log_file))
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_LOG_FILE: %s cannot be written",
		    s->conf.log_file);
	return OK;
}

static enum errcode open_facts(struct service *s, struct err *e)
{
	enum errcode rc = facts_open(s->conf.data_dir, e);
	if (rc == OK)
		rc = languages_open(s->conf.data_dir, e);
	if (rc == OK)
		rc = terms_open(s->conf.data_dir, e);
	if (rc == OK)
		rc = general_rules_open(s->conf.data_dir, e);
	if (rc == OK)
		rc = answer_words_open(s->conf.data_dir, e);
	return rc == OK ? encoder_open(&s->encoder, arena_printf(s->mem, "%s/conf/language/encoder.model",
	    s->conf.data_dir), e) : rc;
}

/* A database that is missing or wrong is no error here: its facts then count as not recorded. A file of
 * personas that is wrong is one. */
static enum errcode open_friendliness(struct service *s, struct err *e)
{
	enum errcode rc = personas_load(&s->personas, s->mem, s->conf.personas_json, e);
	if (rc != OK)
		return rc;
	s->friendliness = friendliness_new(s->conf.persona_db, &s->personas);
	s->sources.of[FACTS_FRIENDLINESS] = friendliness_source(s->friendliness);
	return OK;
}

static enum errcode check_state_dir(struct service *s, struct err *e)
{
	return owned_folder(s->conf.state_dir, e);
}

/* In the order in which they need each other. */
static enum errcode (*const steps[])(struct service *s, struct err *e) = {
	open_facts, open_friendliness, check_state_dir, read_configs, open_mcp_settings, open_log, open_store,
	open_http, open_geocoder, open_provider, open_rules, open_knowledge, open_airports, open_notices, open_mcp,
	open_agents,
};

enum errcode service_open(struct service *s, const char *log_level, struct err *e)
{
	memset(s, 0, sizeof(*s));
	s->mem = arena_new();
	enum errcode rc = open_settings(s, log_level, e);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && rc == OK; i++)
		rc = steps[i](s, e);
	if (rc != OK)
		service_close(s);
	return rc;
}

void service_close(struct service *s)
{
	if (s->mem == NULL)
		return;
	while (s->nagents > 0)
		agent_close(&s->agents[--s->nagents]);
	for (size_t i = 0; s->mcp_clients != NULL && i < s->mcp.n; i++)
		mcp_client_stop(s->mcp_clients[i]);
	for (size_t i = 0; s->mcp_clients != NULL && i < s->mcp.n; i++)
		mcp_client_free(s->mcp_clients[i]);
	friendliness_free(s->friendliness);
	notices_free(s->notices);
	airdb_close(s->airports);
	knowledge_close(s->knowledge);
	rules_close(s->rules);
	cohere_close(s->cohere);
	chroma_close(s->chroma);
	geoapify_free(s->geoapify);
	if (s->llm != NULL)
		llm_gate_release(&s->gate);
	llm_close(s->llm);
	httpc_close(s->http);
	encoder_close(s->encoder);
	if (s->store != NULL)
		store_close(s->store);
	arena_free(s->mem);
	s->mem = NULL;
}

const struct agent_open *service_agent(const struct service *s, const struct agent *agent)
{
	return agent_find(s->agents, s->nagents, agent->name);
}

struct edge_parts service_parts(struct service *s)
{
	return (struct edge_parts){
		.conf = &s->conf,
		.mem = s->mem,
		.agents = s->agents,
		.nagents = s->nagents,
		.routes = routes,
		.nroutes = nroutes,
		.store = s->store,
		.log = &s->log,
		.airports = s->airports,
		.personas = &s->personas,
		.friendliness = s->friendliness,
		.notices = s->notices,
		.rules = s->rules,
		.llm = s->llm,
		.mcp_clients = s->mcp_clients,
		.nmcp = s->mcp.n,
		.stop = &s->stop,
	};
}
