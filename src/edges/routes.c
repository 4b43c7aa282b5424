/*
 * The table of routes, and the way from a request to its row.
 *
 * The checks are made in this order: can the fields be read (431, 400); does the path exist (404,
 * or 307 for one slash too many or too few); does it take this method (405); is there room (503); does the
 * body have an allowed size (413) and kind (415). Only then a handler runs.
 */
#include "edges/routes.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"
#include "edges/api.h"

#define BASE "/api/aviation-agent"

/* What the onboarding agent has besides /health. */
#define ONBOARDING(base)                                                              \
	{ HTTP_POST, base "/auth/register", api_user_register, ROUTE_BODY | ACCOUNT, NULL, \
	    "Register a user" },                                                      \
	{ HTTP_POST, base "/auth/token", api_user_token, ROUTE_BODY | ROUTE_FORM | ACCOUNT, NULL, \
	    "Sign in: a token for a name and a password" },                                    \
	{ HTTP_POST, base "/auth/refresh", api_user_refresh, ACCOUNT, NULL,           \
	    "A new token in exchange for one that is still valid" },                              \
	{ HTTP_GET, base "/auth/me", api_user, ACCOUNT, NULL,                         \
	    "Who is signed in" },                                                     \
	{ HTTP_GET, base "/user/me", api_user, ACCOUNT, NULL,                         \
	    "The same" },                                                             \
	{ HTTP_PATCH, base "/user/me", api_user_change, ROUTE_BODY | ACCOUNT, NULL,   \
	    "Change the names or the address of the user who is signed in" },                                     \
	{ HTTP_GET, base "/conversations", api_conversations, ACCOUNT, NULL,          \
	    "The user's conversations, newest first" },                               \
	{ HTTP_POST, base "/conversations", api_conversation_new, ROUTE_BODY | ACCOUNT, NULL, \
	    "A new conversation" },                                                   \
	{ HTTP_GET, base "/conversations/{id}", api_conversation, ACCOUNT, "onboarding", \
	    "One conversation" },                                                     \
	{ HTTP_PATCH, base "/conversations/{id}", api_conversation_rename, ROUTE_BODY | ACCOUNT, "onboarding", \
	    "Change the title of a conversation" },                                                     \
	{ HTTP_DELETE, base "/conversations/{id}", api_conversation_delete, ACCOUNT, "onboarding", \
	    "Delete a conversation with its messages and its export" },                        \
	{ HTTP_GET, base "/conversations/{id}/messages", api_conversation_messages, ACCOUNT, "onboarding", \
	    "What was said, page by page" },                                          \
	{ HTTP_POST, base "/conversations/{id}/messages", api_turn_new, ROUTE_BODY | ROUTE_CHAT | TURN, \
	    "onboarding", "One turn, streamed or as one answer" },                    \
	{ HTTP_GET, base "/conversations/{id}/turn", api_turn, ROUTE_FOLLOW | TURN, "onboarding", \
	    "The events of the newest turn, from any event on, and then as they come" }, \
	{ HTTP_DELETE, base "/conversations/{id}/turn", api_turn_stop, TURN | ROUTE_PRIVATE, "onboarding", \
	    "Stop the running turn" },                                                \
	{ HTTP_GET, base "/conversations/{id}/state", api_conversation_state, ACCOUNT, "onboarding", \
	    "What the conversation has gathered so far" },                            \
	{ HTTP_GET, base "/conversations/{id}/export", api_conversation_export, ACCOUNT, "onboarding", \
	    "The exported record" },                                                  \
	{ HTTP_GET, base "/health", api_onboarding_health, ROUTE_PRIVATE, NULL,       \
	    "Are the worker and its store up?" }

/* Lists of airports. */
#define AIRPORTS(base)                                                                \
	{ HTTP_GET, base "/airports/", api_airports, ROUTE_AIRPORTS, NULL,            \
	    "The airports in a box of the map, or all, longest runway first" },       \
	{ HTTP_GET, base "/airports/route-search", api_airports_route, ROUTE_AIRPORTS, NULL, \
	    "The airports beside a route of one or more airports" },                  \
	{ HTTP_GET, base "/airports/locate", api_airports_locate, ROUTE_AIRPORTS, NULL, \
	    "The airports around a place" },                                          \
	{ HTTP_GET, base "/airports/search/{query}", api_airports_search, ROUTE_AIRPORTS, NULL, \
	    "The airports that match a text" }

/* One airport. Rows with fixed paths, such as lists of airports, must stand before these. */
#define AIRPORT(base)                                                                 \
	{ HTTP_GET, base "/airports/aip-filter-presets", api_aip_presets, ROUTE_AIRPORTS, NULL, \
	    "Ready-made filters on AIP entries" },                                    \
	{ HTTP_POST, base "/airports/bulk/procedure-lines", api_bulk_lines, ROUTE_BODY | ROUTE_AIRPORTS, NULL, \
	    "The lines of the approaches of many airports" },                         \
	{ HTTP_GET, base "/airports/{ident}", api_airport, ROUTE_AIRPORTS, NULL,      \
	    "All that is recorded of an airport" },                                   \
	{ HTTP_GET, base "/airports/{ident}/runways", api_airport_runways, ROUTE_AIRPORTS, NULL, \
	    "Its runways" },                                                          \
	{ HTTP_GET, base "/airports/{ident}/procedures", api_airport_procedures, ROUTE_AIRPORTS, NULL, \
	    "Its instrument procedures" },                                            \
	{ HTTP_GET, base "/airports/{ident}/aip-entries", api_airport_aip_entries, ROUTE_AIRPORTS, NULL, \
	    "Its AIP entries" },                                                      \
	{ HTTP_GET, base "/airports/{ident}/procedure-lines", api_airport_lines, ROUTE_AIRPORTS, NULL, \
	    "The lines of its approaches" }

/* What is known of notice periods, and for private flying. */
#define NOTICE_AND_GA(base)                                                           \
	{ HTTP_GET, base "/notifications/", api_notifications, ROUTE_NOTIFICATIONS, NULL, \
	    "Airports by the notice that they require" },                                     \
	{ HTTP_GET, base "/notifications/stats/summary", api_notification_stats, ROUTE_NOTIFICATIONS, NULL, \
	    "How many notice requirements are recorded, by type" },                   \
	{ HTTP_GET, base "/notifications/{ident}", api_notification, ROUTE_NOTIFICATIONS, NULL, \
	    "The notice that one airport requires, on a day of the week" },              \
	{ HTTP_GET, base "/ga/config", api_ga_config, ROUTE_GA, NULL,                 \
	    "Personas, and the features that they weigh" },                           \
	{ HTTP_GET, base "/ga/personas", api_ga_personas, ROUTE_GA, NULL,             \
	    "The personas alone" },                                                   \
	{ HTTP_GET, base "/ga/summary/{ident}", api_ga_summary, ROUTE_GA, NULL,       \
	    "Reviews, scores, hotel and restaurant of one airfield" }

/* What there is to filter by, statistics, and procedures of all airports. */
#define TOTAL(base, path, group, doc) { HTTP_GET, base path, api_totals, group, NULL, doc }
#define TOTALS(base)                                                                  \
	TOTAL(base, "/filters/all", ROUTE_FILTERS, "All values to filter by, with counts"), \
	TOTAL(base, "/filters/countries", ROUTE_FILTERS, "Countries"),                \
	TOTAL(base, "/filters/procedure-types", ROUTE_FILTERS, "Types of procedures"), \
	TOTAL(base, "/filters/approach-types", ROUTE_FILTERS, "Types of approaches"), \
	TOTAL(base, "/filters/aip-sections", ROUTE_FILTERS, "Sections of AIP entries"), \
	TOTAL(base, "/filters/aip-fields", ROUTE_FILTERS, "Standard fields of AIP entries"), \
	TOTAL(base, "/filters/sources", ROUTE_FILTERS, "Sources of the data"),        \
	TOTAL(base, "/filters/runway-characteristics", ROUTE_FILTERS, "Lengths, surfaces and lighting of runways"), \
	TOTAL(base, "/filters/border-crossing", ROUTE_FILTERS, "Points of entry, by country and source"), \
	TOTAL(base, "/statistics/overview", ROUTE_STATISTICS, "What the database holds"), \
	TOTAL(base, "/statistics/by-country", ROUTE_STATISTICS, "The same by country"), \
	TOTAL(base, "/statistics/procedure-distribution", ROUTE_STATISTICS, "Procedures by type"), \
	TOTAL(base, "/statistics/aip-data-distribution", ROUTE_STATISTICS, "AIP entries by section, field and source"), \
	TOTAL(base, "/statistics/runway-statistics", ROUTE_STATISTICS, "Runways by length, width, surface and lighting"), \
	TOTAL(base, "/statistics/data-quality", ROUTE_STATISTICS, "How many airports have each kind of data"), \
	TOTAL(base, "/procedures/statistics", ROUTE_PROCEDURES, "Procedures by type"), \
	{ HTTP_GET, base "/procedures/", api_procedures, ROUTE_PROCEDURES, NULL,      \
	    "Instrument procedures" },                                                \
	{ HTTP_GET, base "/procedures/approaches", api_approaches, ROUTE_PROCEDURES, NULL, \
	    "Approaches, with a number for their precision" },                        \
	{ HTTP_GET, base "/procedures/departures", api_departures, ROUTE_PROCEDURES, NULL, \
	    "Departures" },                                                           \
	{ HTTP_GET, base "/procedures/arrivals", api_arrivals, ROUTE_PROCEDURES, NULL, \
	    "Arrivals" },                                                             \
	{ HTTP_GET, base "/procedures/by-runway/{ident}", api_procedures_by_runway, ROUTE_PROCEDURES, NULL, \
	    "The procedures of an airport by runway" },                               \
	{ HTTP_GET, base "/procedures/most-precise/{ident}", api_most_precise, ROUTE_PROCEDURES, NULL, \
	    "The most precise approach to each runway of an airport" }

enum { ACCOUNT = ROUTE_SMALL | ROUTE_PRIVATE, TURN = ROUTE_SMALL | ROUTE_TYPED };

const struct route routes[] = {
	{ HTTP_POST, BASE "/chat", api_chat, ROUTE_BODY | ROUTE_CHAT, "aviation",
	    "One turn, the whole answer as JSON" },
	{ HTTP_POST, BASE "/chat/stream", api_chat_stream, ROUTE_BODY | ROUTE_CHAT, "aviation",
	    "One turn as server-sent events" },
	{ HTTP_GET, BASE "/threads/{thread_id}", api_thread, 0, "aviation",
	    "What is known of a thread" },
	{ HTTP_DELETE, BASE "/threads/{thread_id}", api_thread_delete, 0, "aviation",
	    "Delete a thread" },
	{ HTTP_GET, BASE "/threads/{thread_id}/messages", api_thread_messages, 0, "aviation",
	    "What was said in a thread, page by page" },
	{ HTTP_GET, BASE "/threads/{thread_id}/history", api_thread_history, 0, "aviation",
	    "The turns of a thread, page by page" },
	{ HTTP_POST, BASE "/threads/{thread_id}/fork", api_thread_fork, ROUTE_BODY, "aviation",
	    "Copy a thread up to a message into a new one" },
	{ HTTP_GET, BASE "/sessions/{session_id}", api_session, 0, NULL,
	    "What is known of a session" },
	{ HTTP_GET, BASE "/runs/{run_id}", api_run, 0, "aviation",
	    "Status of a run: times, tokens, error" },
	{ HTTP_POST, BASE "/runs/{run_id}/cancel", api_run_cancel, 0, "aviation",
	    "Stop a run, in whatever worker it is executed" },
	{ HTTP_GET, BASE "/runs/{run_id}/stream", api_run_stream, ROUTE_FOLLOW, "aviation",
	    "The events of a run, from any event on, and then as they come" },
	{ HTTP_POST, BASE "/feedback", api_feedback, ROUTE_BODY | ROUTE_SMALL | ROUTE_FEEDBACK, "aviation",
	    "A user's score of an answer, with a comment" },
	{ HTTP_GET, BASE "/quick-actions", api_quick_actions, 0, NULL,
	    "Buttons for a chat panel" },
	{ HTTP_GET, BASE "/health", api_health, 0, NULL,
	    "State of this worker and of what it depends on" },
	{ HTTP_GET, BASE "/rules/{country_code}", api_rules, ROUTE_RULES, NULL,
	    "The rules of a country, by category" },
	{ HTTP_GET, "/api/rules/{country_code}", api_rules, ROUTE_RULES, NULL,
	    "The same, where clients of the original service ask for it" },
	AIRPORTS(BASE),
	AIRPORTS("/api"),
	AIRPORT(BASE),
	AIRPORT("/api"),
	NOTICE_AND_GA(BASE),
	NOTICE_AND_GA("/api"),
	TOTALS(BASE),
	TOTALS("/api"),
	ONBOARDING("/api/onboarding"),
	/* … and where clients of the original service ask for them */
	ONBOARDING("/api"),
	{ HTTP_POST, "/mcp", api_mcp, ROUTE_BODY, NULL,
	    "Model Context Protocol: the tools, for other assistants" },
	/* a client that is redirected gives up */
	{ HTTP_POST, "/mcp/", api_mcp, ROUTE_BODY, NULL, "The same" },
	{ HTTP_POST, BASE "/mcp", api_mcp, ROUTE_BODY, NULL, "The same" },
	{ HTTP_POST, BASE "/mcp/", api_mcp, ROUTE_BODY, NULL, "The same" },
	{ HTTP_GET, "/health", api_health, ROUTE_ALWAYS, NULL,
	    "The same, answered while the agent is switched off too" },
};
const size_t nroutes = sizeof(routes) / sizeof(routes[0]);

const struct route_group route_groups[] = {
	{ ROUTE_AIRPORTS, "airports" },
	{ ROUTE_FILTERS, "filters" },
	{ ROUTE_RULES, "rules" },
	{ ROUTE_GA, "ga" },
	{ ROUTE_NOTIFICATIONS, "notifications" },
	{ ROUTE_PROCEDURES, "procedures" },
	{ ROUTE_STATISTICS, "statistics" },
	{ ROUTE_FEEDBACK, "feedback" },
};
const size_t nroute_groups = sizeof(route_groups) / sizeof(route_groups[0]);

unsigned routes_off(const char *setting)
{
	unsigned off = 0;

	for (size_t i = 0; i < nroute_groups; i++)
		if (!conf_list_on(setting, route_groups[i].name))
			off |= route_groups[i].flag;
	return off;
}

enum {
	SMALL_BODY = 64 << 10,
	ROUTE_ARGS = 2,              /* most variable parts of a path */
	RETRY_AFTER_S = 2,           /* the Retry-After of 503 */
	CLIENT_GONE = 499,           /* only in the log, because no answer was possible */
};

static bool on(const struct edge *e, const struct route *route)
{
	return (e->parts.conf->enabled || (route->flags & ROUTE_ALWAYS) != 0) && (route->flags & e->off) == 0;
}

static bool takes(const struct route *route, enum http_method m)
{
	return route->method == m || (route->method == HTTP_GET && m == HTTP_HEAD);
}

static bool varies(const struct route *rt)
{
	return strchr(rt->path, '{') != NULL;
}

/* Where a variable part of a row's path ends: behind its "}". */
static const char *variable_end(const char *pattern)
{
	return pattern + strcspn(pattern, "}") + 1;
}

/* Does the path fit the row? args gets its variable parts. */
static bool fits(const struct route *rt, const char *path, size_t n, struct str args[ROUTE_ARGS])
{
	const char *want = rt->path, *end = path + n;
	size_t nargs = 0;

	while (*want != '\0') {
		const size_t fixed = strcspn(want, "{");
		if ((size_t)(end - path) < fixed || memcmp(want, path, fixed) != 0)
			return false;
		path += fixed;
		want += fixed;
		if (*want == '\0')
			break;
		const char *slash = memchr(path, '/', (size_t)(end - path));
		const size_t len = (size_t)((slash != NULL ? slash : end) - path);
		if (len == 0 || nargs == ROUTE_ARGS)
			return false;
		args[nargs++] = (struct str){ path, len };
		path += len;
		want = variable_end(want);
	}
	return path == end;
}

/* The row for this path; if several fit, one that takes the method. A path that a row spells out is that row's,
 * whatever a variable part of another row could stand for. Sets r->arg and r->arg2. */
static const struct route *find(const struct edge *e, struct http_req *r, const char *path,
    size_t n)
{
	const struct route *known = NULL;
	for (size_t i = 0; i < e->parts.nroutes && (known == NULL || !takes(known, r->method)); i++) {
		struct str args[ROUTE_ARGS] = { { "", 0 } };
		const struct route *rt = &e->parts.routes[i];
		if (!on(e, rt) || !fits(rt, path, n, args) || (known != NULL && !varies(known) && varies(rt)))
			continue;
		known = rt;
		r->arg = arena_strndup(r->mem, args[0].p, args[0].n);
		r->arg2 = arena_strndup(r->mem, args[1].p, args[1].n);
	}
	return known;
}

static const struct route *find_request(const struct edge *e, struct http_req *r)
{
	const struct route *rt = NULL;
	for (size_t i = 0; i < r->npaths && rt == NULL; i++)
		rt = find(e, r, r->path[i], strlen(r->path[i]));
	return rt;
}

/* Look again without the last slash, or with one more. */
static const struct route *find_slashed(const struct edge *e, struct http_req *r)
{
	const struct route *rt = NULL;
	for (size_t i = 0; i < r->npaths && rt == NULL; i++) {
		const size_t n = strlen(r->path[i]);
		if (n > 1 && r->path[i][n - 1] == '/')
			rt = find(e, r, r->path[i], n - 1);
		else
			rt = find(e, r, arena_printf(r->mem, "%s/", r->path[i]), n + 1);
	}
	return rt;
}

/* The path of a row with the request's arguments filled in, which may hold any byte but a slash. */
static const char *filled_path(const struct route *rt, const struct http_req *r)
{
	const char *const args[ROUTE_ARGS] = { r->arg, r->arg2 }, *out = "";
	size_t nargs = 0;

	for (const char *want = rt->path; *want != '\0';) {
		const size_t fixed = strcspn(want, "{");
		out = arena_printf(r->mem, "%s%.*s", out, (int)fixed, want);
		want += fixed;
		if (*want == '\0')
			break;
		out = arena_printf(r->mem, "%s%s", out, url_encode(r->mem, args[nargs++]));
		want = variable_end(want);
	}
	return out;
}

static void redirect(const struct route *rt, const struct http_req *r, struct http_res *w)
{
	const char *path = filled_path(rt, r);
	if (*r->query == '\0' || http_fieldf(w, "Location", "%s?%s", path, r->query) != OK)
		http_field(w, "Location", path);
	http_begin(w, 307, NULL, 0);
	http_end(w);
}

static void not_allowed(const struct edge *e, const struct route *rt, const struct http_req *r,
    struct http_res *w)
{
	struct buf allow;
	buf_init(&allow, 256);
	for (size_t i = 0; i < e->parts.nroutes; i++) {
		const struct route *other = &e->parts.routes[i];
		if (streq(other->path, rt->path))
			buf_printf(&allow, "%s%s%s", allow.n > 0 ? ", " : "",
			    http_method_name(other->method), other->method == HTTP_GET ? ", HEAD" : "");
	}
	http_field(w, "Allow", allow.p);
	buf_release(&allow);
	http_detail(w, r->mem, 405, err_row(ERR_METHOD)->said);
}

/* A browser sends JSON to another site only after a preflight request (cors.h), but sends a body
 * without a type at once. So a body without a type is refused when it comes from a foreign page.
 * Programs send no Origin and are not affected. */
static bool acceptable(const struct edge *e, const struct route *rt, const struct http_req *r)
{
	if ((rt->flags & ROUTE_FORM) != 0)
		return http_req_is_form(r);
	if (r->field[FIELD_CONTENT_TYPE] == NULL && cors_foreign(&e->cors, r))
		return false;
	return http_req_is_json(r);
}

/* Read the body, and refuse a body that no handler wants. False: the request was answered. */
static bool take_body(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct err err = { 0 };
	const int64_t max = e->parts.conf->max_body;
	enum errcode rc = http_req_body(r, (size_t)((rt->flags & ROUTE_SMALL) != 0 && max > SMALL_BODY ? SMALL_BODY :
	    max), &err);

	if (rc == OK && r->body.n > 0 && !acceptable(e, rt, r))
		rc = ERR_MEDIA;
	if (rc == OK)
		return true;
	log_msg(LOG_DEBUG, "body", "%s", err.msg);
	if (rc == ERR_INPUT)
		http_detail(w, r->mem, 400, "The request body is incomplete.");
	else if (rc == ERR_TIMEOUT)
		http_detail(w, r->mem, 408, "The request body did not arrive in time.");
	else if (rc == ERR_MEDIA && (rt->flags & ROUTE_FORM) != 0)
		http_detail(w, r->mem, err_row(rc)->http, "The request body must be a form (Content-Type: "
		    "application/x-www-form-urlencoded).");
	else if (rc != ERR_HUP)
		http_detail(w, r->mem, err_row(rc)->http, err_row(rc)->said);
	return false;
}

static void run_route(struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w)
{
	const bool chat = (rt->flags & ROUTE_CHAT) != 0, follow = (rt->flags & ROUTE_FOLLOW) != 0;
	atomic_int *taken = chat ? &e->chats : &e->followers;

	w->typed = (rt->flags & ROUTE_TYPED) != 0;
	if ((rt->flags & ROUTE_PRIVATE) != 0)
		http_field(w, "Cache-Control", "no-store");
	if ((chat || follow) && atomic_fetch_add(taken, 1) >= (chat ? e->max_chats : e->max_followers)) {
		http_fieldf(w, "Retry-After", "%d", RETRY_AFTER_S);
		http_detail(w, r->mem, 503, err_row(ERR_OVERLOAD)->said);
	} else if ((rt->flags & ROUTE_BODY) == 0 || take_body(e, rt, r, w)) {
		rt->handler(e, rt, r, w);
	}
	if (chat || follow)
		atomic_fetch_sub(taken, 1);
}

void edge_serve(struct edge *e, struct http_io *io)
{
	struct arena *mem = arena_new();
	struct http_req r;
	struct http_res w;

	http_req_read(&r, io, mem, e->parts.conf->user_header);
	http_res_init(&w, io);
	w.no_body = r.method == HTTP_HEAD;
	cors_fields(&e->cors, &r, &w);

	const struct route *rt = r.refused == 0 ? find_request(e, &r) : NULL, *slashed = NULL;
	if (r.refused != 0)
		http_detail(&w, mem, r.refused, r.why);
	else if (cors_is_preflight(&r))
		cors_preflight(&e->cors, &r, &w);
	else if (rt != NULL && takes(rt, r.method))
		run_route(e, rt, &r, &w);
	else if (rt != NULL)
		not_allowed(e, rt, &r, &w);
	else if ((slashed = find_slashed(e, &r)) != NULL)
		redirect(slashed, &r, &w);
	else
		http_detail(&w, mem, 404, err_row(ERR_NOTFOUND)->said);

	log_msg(LOG_INFO, "access", "method=%s route=%s status=%d ms=%.1f bytes=%llu",
	    http_method_name(r.method), rt != NULL ? rt->path : "-",
	    w.status != 0 ? w.status : CLIENT_GONE,
	    (double)(clock_mono_us() - r.started_us) / 1000.0, (unsigned long long)w.bytes);
	http_res_release(&w);
	arena_free(mem);
}
