/*
 * Health and quick actions.
 *
 * Health answers 200 as long as the process serves at all, and names what is missing of what the
 * agents need. With another status a balancer would take out every worker whenever Redis is away.
 * The store is checked at most every two seconds, by one thread at a time, through a handle with a
 * short timeout; other requests get the last result.
 */
#include "edges/api.h"

#include <string.h>

#include "agents/aviation/messages.h"
#include "airports/airdb.h"
#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/caller.h"
#include "edges/quick_actions.h"
#include "rules/rules.h"
#include "services/llm.h"
#include "services/llm_provider.h"
#include "services/mcp_client.h"
#include "services/store.h"

enum { PROBE_AGE_MS = 2000 };

static bool ask_store(struct health *h)
{
	struct err err = { 0 };
	const bool ok = store_ping(h->probe, &err) == OK;
	if (!ok && (h->checked_ms == 0 || h->store_ok))
		log_msg(LOG_WARN, "health", "store: %s", err.msg);
	return ok;
}

/* The lock is not held while the store is asked, because a store that hangs would then hold up every
 * request for health. Only the very first result is waited for. */
static bool store_is_up(struct health *h)
{
	pthread_mutex_lock(&h->lock);
	while (h->asking && h->checked_ms == 0)
		pthread_cond_wait(&h->asked, &h->lock);
	if (!h->asking && (h->checked_ms == 0 || clock_mono_ms() - h->checked_ms >= PROBE_AGE_MS)) {
		h->asking = true;
		pthread_mutex_unlock(&h->lock);
		const bool ok = ask_store(h);     /* nobody else writes while `asking` */
		pthread_mutex_lock(&h->lock);
		h->asking = false;
		h->store_ok = ok;
		h->checked_ms = clock_mono_ms();
		pthread_cond_broadcast(&h->asked);
	}
	const bool up = h->store_ok;
	pthread_mutex_unlock(&h->lock);
	return up;
}

/* A database of facts beside the airports. */
struct fact_health {
	const char *name, *path, *setting;
	enum fact_state state;
	size_t rows, airfields;
};

static const char *what_to_do(struct arena *a, const struct fact_health *h)
{
	if (h->state == FACT_UNSET)
		return arena_printf(a, "set %s, or make the file with: aviation-agent import %s", h->setting,
		    h->name);
	return h->state == FACT_READY ? NULL
	    : "run aviation-agent check, which says what is wrong with the file";
}

/* Health is public, so it tells only the file's own name. */
static void add_fact(struct json_object *o, struct arena *a, const struct fact_health *h)
{
	struct json_object *row = jsn_new();
	const char *todo = what_to_do(a, h), *slash = h->path != NULL ? strrchr(h->path, '/') : NULL;
	jsn_add_str(row, "state", fact_state_name(h->state));
	jsn_add_int(row, "rows", (int64_t)h->rows);
	jsn_add_int(row, "airfields", (int64_t)h->airfields);
	if (h->state != FACT_UNSET)
		jsn_add_str(row, "file", slash != NULL ? slash + 1 : h->path);
	if (todo != NULL)
		jsn_add_str(row, "what_to_do", todo);
	jsn_add(o, h->name, row);
}

static void add_facts(struct edge *e, struct json_object *o, struct arena *a, bool needed,
    struct json_object *degraded)
{
	struct fact_health of[] = {
		{ .name = "friendliness", .path = e->parts.conf->persona_db, .setting = "GA_PERSONA_DB" },
		{ .name = "notifications", .path = e->parts.conf->notifications_db,
		  .setting = "GA_NOTIFICATIONS_DB" },
	};
	if (e->parts.friendliness == NULL || e->parts.notices == NULL)
		return;
	of[0].state = friendliness_state(e->parts.friendliness, &of[0].rows, NULL);
	of[0].airfields = of[0].rows;
	of[1].state = notices_state(e->parts.notices, &of[1].rows, &of[1].airfields);
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		if (needed && (of[i].state == FACT_STALE || of[i].state == FACT_FAILED))
			jsn_push(degraded, jsn_str(of[i].name));
		add_fact(o, a, &of[i]);
	}
}

/* What is known of each external server, without asking it. The agent's own tools work while such a server
 * rests, so the service is not degraded. */
static struct json_object *mcp_servers(struct edge *e, struct arena *a)
{
	struct json_object *list = jsn_array(a);

	for (size_t i = 0; i < e->parts.nmcp; i++) {
		const struct mcp_status s = mcp_client_status(e->parts.mcp_clients[i]);
		struct json_object *o = jsn_new();
		jsn_add_str(o, "name", mcp_client_server(e->parts.mcp_clients[i])->name);
		jsn_add_str(o, "state", s.rest_ms > 0 ? "resting" : s.reached ? "up" : s.version != NULL ? "failing"
		    : "unused");
		if (s.version != NULL)
			jsn_add_str(o, "protocol", s.version);
		jsn_add_int(o, "tools", (int64_t)(s.same + s.unseen));
		jsn_add_int(o, "changed", (int64_t)(s.changed + s.missing));
		jsn_push(list, o);
	}
	return list;
}

void api_onboarding_health(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const char *const auth[] = { [CALLER_OFF] = "off", [CALLER_TOKEN] = "token",
		[CALLER_REMOTE_USER] = "remote_user", [CALLER_ANYBODY] = "none" };
	struct json_object *o = jsn_object(r->mem);
	const bool up = store_is_up(&e->health);

	(void)rt;
	jsn_add_str(o, "status", up ? "healthy" : "unhealthy");
	jsn_add_str(o, "app", "aviation-agent");
	jsn_add_str(o, "version", AGENT_VERSION);
	jsn_add_str(o, "store", up ? "up" : "down");
	jsn_add_str(o, "auth", auth[caller_auth(e)]);
	http_json(w, up ? 200 : err_row(ERR_STORE)->http, o);
}

void api_health(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const char *const states[] = {
		[AIRDB_READY] = "ready", [AIRDB_INDEXING] = "indexing", [AIRDB_FAILED] = "failed" };
	(void)rt;
	const unsigned needs = agent_needs(e->parts.agents, e->parts.nagents);
	char now[CLOCK_ISO_SIZE];
	int64_t count = 0;
	struct json_object *o = jsn_object(r->mem);
	struct json_object *airports = jsn_object(r->mem), *store = jsn_object(r->mem);
	struct json_object *chats = jsn_object(r->mem), *provider = jsn_object(r->mem);
	struct json_object *degraded = jsn_array(r->mem);

	enum airdb_state state = airdb_state(e->parts.airports, &count, NULL);
	if ((needs & AGENT_AIRPORTS) != 0 && (state != AIRDB_READY || count == 0))
		jsn_push(degraded, jsn_str("airports"));
	jsn_add_str(airports, "state", states[state]);
	jsn_add_int(airports, "count", count);

	struct json_object *facts = jsn_object(r->mem);
	add_facts(e, facts, r->mem, (needs & AGENT_AIRPORTS) != 0, degraded);

	bool up = store_is_up(&e->health);
	if (!up)
		jsn_push(degraded, jsn_str("store"));
	jsn_add_str(store, "provider", store_name(e->health.probe));
	jsn_add_str(store, "status", up ? "up" : "down");

	const char *status = llm_status(e->parts.llm);
	if ((needs & AGENT_MODEL) != 0 && !streq(status, "up"))
		jsn_push(degraded, jsn_str("provider"));
	jsn_add_str(provider, "name", e->parts.llm != NULL ?
	    llm_provider_settings(e->parts.conf).provider : "builtin");
	jsn_add_str(provider, "status", status);

	const struct rules_status rules = rules_status(e->parts.rules, r->mem);
	struct json_object *known = jsn_object(r->mem);
	if ((needs & AGENT_RULES) != 0 && rules.stale != NULL)
		jsn_push(degraded, jsn_str("rules"));
	jsn_add_str(known, "status", rules.loading ? "loading" : !rules.loaded ? "none" :
	    rules.stale != NULL ? "stale" : "loaded");
	jsn_add_int(known, "countries", (int64_t)rules.countries);
	jsn_add_int(known, "answers", (int64_t)rules.answers);
	jsn_add_str(known, "search", rules.vectors ? "vectors" : "words");
	if (rules.model != NULL)
		jsn_add_str(known, "embedding_model", rules.model);
	if (rules.strange)
		jsn_add_str(known, "note", "the rules are in a language that the built-in vectors do not know: they are "
		    "found by words alone");

	jsn_add_int(chats, "active", atomic_load(&e->chats));
	jsn_add_int(chats, "max", e->max_chats);

	clock_iso_utc(now, clock_wall_us());
	jsn_add_str(o, "status", jsn_len(degraded) == 0 ? "healthy" : "degraded");
	jsn_add_str(o, "timestamp", now);
	jsn_add_str(o, "version", AGENT_VERSION);
	jsn_add_str(o, "agent", e->parts.conf->enabled ? "enabled" : "disabled");
	jsn_add(o, "airports", jsn_ref(airports));
	JSN_EACH(facts, it)
		jsn_add(o, it.key, jsn_ref(it.val));
	jsn_add(o, "store", jsn_ref(store));
	jsn_add(o, "provider", jsn_ref(provider));
	jsn_add(o, "rules", jsn_ref(known));
	jsn_add(o, "chats", jsn_ref(chats));
	if (e->parts.nmcp > 0)
		jsn_add(o, "mcp_servers", jsn_ref(mcp_servers(e, r->mem)));
	if (jsn_len(degraded) > 0)
		jsn_add(o, "degraded", jsn_ref(degraded));
	http_field(w, "Cache-Control", "no-store");
	http_json(w, 200, o);
}

void api_quick_actions(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)e;
	(void)rt;
	const struct wording *wording = messages_in(http_query(r, "language"));
	struct json_object *o = jsn_object(r->mem), *list = jsn_array(r->mem);
	for (size_t i = 0; i < nquick_actions; i++) {
		const struct quick_action *q = &quick_actions[i];
		struct json_object *row = jsn_object(r->mem);
		jsn_add_str(row, "icon", q->icon);
		jsn_add_str(row, "title", quick_title(wording, q));
		jsn_add_str(row, "prompt", quick_question(wording, r->mem, q, NULL));
		jsn_push(list, jsn_ref(row));
	}
	jsn_add(o, "actions", jsn_ref(list));
	http_json(w, 200, o);
}
