/*
 * aviation-agent check: settings, prompts, data, store and provider, with a line for each. What no
 * agent needs is not checked.
 */
#include <stdio.h>
#include <unistd.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/model.h"
#include "airports/airdb.h"
#include "airports/facts.h"
#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/str.h"
#include "edges/mcp_tokens.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "services/llm_provider.h"

static int worst;

static void report(const char *what, enum errcode rc, const char *text)
{
	printf("%-12s %-5s %s\n", what, rc == OK ? "ok" : "FAIL", cli_plain(text));
	/* flushed, so that it comes before later lines on standard error */
	fflush(stdout);
	if (rc != OK && worst == 0)
		worst = err_row(rc)->exit;
}

static void check_airports(struct service *s, struct arena *a)
{
	struct err e = { 0 };
	struct aircon *con;
	struct airdb_facts f;
	struct airdb_config c = { .path = s->conf.airports_db, .index_path = s->conf.airports_index,
		.cache_dir = s->conf.state_dir, .all_idents = s->config->all_idents };
	enum errcode rc = airdb_index(&c, NULL, NULL, &e);
	if (rc == OK)
		rc = airdb_get(s->airports, 30000, &con, &e);
	if (rc != OK) {
		report("airports", rc, e.msg);
		return;
	}
	rc = airdb_facts(con, a, &f, &e);
	airdb_put(con);
	if (rc == OK && f.airports == 0)
		rc = err_set(&e, ERR_DATA, "%s holds no airports", s->conf.airports_db);
	report("airports", rc, rc != OK ? e.msg : arena_printf(a,
	    "%s: %lld airports; with procedures %lld, AIP entries %lld, fuel data %lld, points of entry %lld",
	    s->conf.airports_db, (long long)f.airports, (long long)f.with_procedures,
	    (long long)f.with_aip, (long long)f.with_fuel, (long long)f.entries));
}

/* A database of facts. A file that is not set is not a fault, nor is one that is not there while only the
 * default names it. path NULL: no file is named. */
static void report_facts(struct arena *a, const char *what, enum fact_state state, const struct err *why,
    const char *setting, const char *path, const char *import, const char *found)
{
	const char *make = arena_printf(a, "make one with: aviation-agent import %s", import);

	if (state == FACT_READY)
		report(what, OK, found);
	else if (state == FACT_UNSET)
		report(what, OK, path == NULL ? arena_printf(a, "none: %s is not set; %s", setting, make)
		    : arena_printf(a, "none: there is no file %s (%s); %s", path, setting, make));
	else
		report(what, ERR_DATA, arena_printf(a, "%s; put a good file there, or %s", why->msg, make));
}

static void check_friendliness(struct service *s, struct arena *a)
{
	struct err why = { 0 };
	size_t n;
	enum fact_state state = friendliness_state(s->friendliness, &n, &why);
	report("personas", OK, arena_printf(a, "%s: %zu personas", s->personas.path, s->personas.n));
	report_facts(a, "friendliness", state, &why, "GA_PERSONA_DB", s->conf.persona_db, "friendliness",
	    arena_printf(a, "%s: %zu airfields", s->conf.persona_db, n));
}

static void check_notices(struct service *s, struct arena *a)
{
	struct notices_status n;
	notices_status(s->notices, &n);
	report_facts(a, "notices", n.state, &n.why, "GA_NOTIFICATIONS_DB", s->conf.notifications_db, "notifications",
	    arena_printf(a, "%s: %zu rows, %zu airports; failed extractions %zu, rows with unreadable "
	        "values %zu", s->conf.notifications_db, n.rows, n.airports, n.failed, n.broken));
	if (n.texts > 0)
		report("notices", OK, arena_printf(a, "customs texts of the AIP in AIRPORTS_DB: %zu airports",
		    n.texts));
}

/* What all runs of the aviation agent share. */
static const struct aviation_app *aviation(struct service *s)
{
	return service_agent(s, &aviation_agent)->app;
}

static void check_suggestions(struct service *s, struct arena *a)
{
	(void)a;
	report("facts", OK, facts_about(a));
	report("suggestions", OK, aviation(s)->predictor == NULL ? "switched off" :
	    s->config->predict_templates != NULL ? s->config->predict_templates :
	    "the shipped templates");
}

static void check_store(struct service *s, struct arena *a)
{
	struct err e = { 0 };
	enum errcode rc = store_ping(s->store, &e);
	(void)a;
	report("threads", rc, rc == OK ? store_name(s->store) : e.msg);
}

static void check_prompts(struct service *s, struct arena *a)
{
	const struct model *m = aviation(s)->model;
	report("prompts", OK, m->planner == NULL ? "not installed: the built-in provider needs none" :
	    arena_printf(a, "%s and others; %zu examples", prompt_path(m->planner), m->nexamples));
}

/* Sends each model that turns would use a very short question. */
static void check_provider(struct service *s, struct arena *a)
{
	const struct llm_role *roles[] = { &s->config->planner, &s->config->formatter,
		&s->config->fallback };
	if (s->llm == NULL) {
		const char *meant = llm_provider_meant(&s->conf);
		report("provider", OK, meant == NULL ?
		    "builtin: neither LLM_PROVIDER nor OPENAI_API_KEY nor OPENAI_BASE_URL is set" :
		    arena_printf(a, "builtin: settings of %s are there, but they have no effect without "
		    "LLM_PROVIDER=%s", meant, meant));
		return;
	}
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		const char *model = roles[i]->model;
		bool asked = model == NULL;
		for (size_t j = 0; j < i; j++)
			asked |= streq(roles[j]->model, model);
		if (asked)
			continue;
		struct err e = { 0 };
		const char *said;
		enum errcode rc = cli_ask_model(s, aviation(s)->model, a, roles[i], &said, &e);
		report("provider", rc, rc != OK ? e.msg : said);
	}
}

/* It is no fault if there are no rules. It is one if a file was named and does not exist. */
static void check_rules(struct service *s, struct arena *a)
{
	rules_refresh(s->rules);         /* the rules may still be loading */
	struct rules_status st = rules_status(s->rules, a);
	bool broken = !st.loaded && (service_rules_named(s) || access(s->conf.rules_json, F_OK) == 0);
	report("rules", broken ? ERR_DATA : OK, st.rules);
	if (!st.loaded)
		return;
	report("vectors", st.index_bad ? ERR_DATA : OK, st.index);
	if (s->chroma == NULL)
		return;
	struct err e = { 0 };
	int64_t n;
	enum errcode rc = chroma_count(s->chroma, CHROMA_QUESTIONS, NULL, &n, &e);
	report("chroma", rc, rc != OK ? e.msg : arena_printf(a, "%s: %lld records in %s",
	    chroma_host(s->chroma), (long long)n, CHROMA_QUESTIONS));
}

/* It is no fault if there is no knowledge base. */
static void check_knowledge(struct service *s, struct arena *a)
{
	struct knowledge_status st;
	struct err e = { 0 };
	enum errcode rc = knowledge_status(s->knowledge, &st, &e);
	report("knowledge", rc == ERR_NOTFOUND ? OK : rc, rc != OK ? e.msg :
	    arena_printf(a, "%s: %zu documents, %zu pieces, searched by words and by meaning (%s)", s->conf.knowledge_db,
	        st.documents, st.chunks, st.vectors ? s->config->rules.embedding_model : RULES_BUILTIN));
}

static void check_geocoder(struct service *s, struct arena *a)
{
	(void)a;
	report("geocoder", OK, s->geoapify != NULL ? "Geoapify" : "local gazetteer");
}

/* The site works without the external servers, but whoever named them wants to know. */
static void check_mcp_clients(struct service *s, struct arena *a)
{
	for (size_t i = 0; i < s->mcp.n; i++) {
		struct err e = { 0 };
		const char *said = NULL;
		enum errcode rc = cli_mcp_survey(s->mcp_clients[i], s->tools, a, &said, &e);
		report("mcp server", rc, rc != OK ? e.msg : said);
	}
}

static void check_onboarding(struct service *s, struct arena *a)
{
	static const struct { const char *auth, *said; } rows[] = {
		{ "off", "switched off: ONBOARDING_AUTH says who may use it" },
		{ "token", "users register and sign in here" },
		{ "remote_user", "the web server signs users in" },
		{ "none", "everybody may use it, without an account" },
	};
	(void)a;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].auth, s->conf.onboarding_auth))
			report("onboarding", OK, rows[i].said);
}

static void check_mcp(struct service *s, struct arena *a)
{
	static const struct { const char *auth, *said; } rows[] = {
		{ "off", "switched off: MCP_AUTH says who may use the tools over /mcp" },
		{ "none", "everybody who reaches /mcp may use the tools" },
		{ "remote_user", "users whom the web server has signed in may use the tools over /mcp" },
	};
	struct mcp_token *tokens;
	struct err e = { 0 };
	size_t n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].auth, s->conf.mcp_auth))
			report("mcp", OK, rows[i].said);
	if (!streq(s->conf.mcp_auth, "token"))
		return;
	const enum errcode rc = mcp_tokens_list(a, s->conf.mcp_tokens, &tokens, &n, &e);
	report("mcp", rc, rc != OK ? e.msg : n > 0 ? arena_printf(a, "%zu callers have a token (%s)", n,
	    s->conf.mcp_tokens) : "nobody may use the tools over /mcp yet: make a token with aviation-agent mcp-token add NAME");
}

static const struct {
	unsigned need;                   /* 0: always */
	void (*run)(struct service *s, struct arena *a);
} checks[] = {
	{ 0, check_suggestions },
	{ AGENT_AIRPORTS, check_airports },
	{ AGENT_AIRPORTS, check_friendliness },
	{ AGENT_AIRPORTS, check_notices },
	{ 0, check_store },
	{ AGENT_MODEL, check_prompts },
	{ AGENT_MODEL, check_provider },
	{ AGENT_RULES, check_rules },
	{ 0, check_knowledge },
	{ 0, check_mcp_clients },
	{ 0, check_onboarding },
	{ AGENT_AIRPORTS, check_mcp },
	{ AGENT_AIRPORTS, check_geocoder },
};

int cli_check(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return cli_usage("check takes no arguments");
	struct service s;
	struct err e = { 0 };
	if (service_open(&s, "WARNING", &e) != OK) {
		report(e.code == ERR_STORE ? "threads" : "config", e.code, e.msg);
		return worst;
	}
	struct arena *a = arena_new();
	const unsigned needs = agent_needs(s.agents, s.nagents);
	report("config", OK, s.config->file != NULL ? s.config->file : "built-in values");
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i].need == 0 || (checks[i].need & needs) != 0)
			checks[i].run(&s, a);
	arena_free(a);
	service_close(&s);
	return worst;
}
