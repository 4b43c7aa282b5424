/*
 * Requests about threads and sessions, from parameters to bytes, on a store in memory.
 */
#include "tests/unit/test.h"

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "base/log.h"
#include "edges/routes.h"
#include "services/threads.h"
#include "tests/unit/http_mem.h"

#define API "/api/aviation-agent"
#define SESSION "6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11"

struct site {
	struct arena *a;
	struct conf conf;
	struct edge_parts parts;
	struct edge edge;
	struct err e;
};

static void site_up(struct site *s)
{
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	const struct store_config store = { .provider = "memory", .ttl_s = 60, .timeout_ms = 1000,
	    .agent = "aviation", .thread_copies = 3 };

	*s = (struct site){ .a = arena_new() };
	log_level_set("ERROR");
	s->conf = (struct conf){ .enabled = true, .store_provider = "memory", .store_timeout_ms = 100,
	    .max_chats = 2, .max_body = 4096 };
	s->parts = (struct edge_parts){ .conf = &s->conf, .mem = s->a, .agents = agents, .nagents = 2,
	    .routes = routes, .nroutes = nroutes };
	TEST_OK(store_open(&s->parts.store, &store, &s->e), s->e);
	TEST_OK(edge_init(&s->edge, &s->parts, &s->e), s->e);
}

static void site_down(struct site *s)
{
	edge_release(&s->edge);
	store_close(s->parts.store);
	arena_free(s->a);
}

static void say(struct site *s, const char *thread, const char *user, int64_t version, const char *question)
{
	const struct thread_owner owner = { user, "aviation" };
	const struct message m[] = { message_new(s->a, "user", question), message_new(s->a, "assistant", "so") };
	const struct session_turn session = { SESSION, user, 7, 3 };
	const struct commit c = { .version = version, .append = m, .nappend = 2, .persona = "vfr_budget",
	    .session = &session, .last = true };
	struct lease l;
	char run[ID_SIZE];

	id_run(run);
	TEST_OK(store_lease(s->parts.store, thread, run, &owner, 5000, &l, NULL, &s->e), s->e);
	TEST_OK(store_commit(s->parts.store, &l, &owner, &c, &s->e), s->e);
}

/* The whole response. */
static const char *request(struct site *s, const char *method, const char *path, const char *query,
    const char *body, const char *user)
{
	struct http_mem m;

	http_mem_init(&m);
	m.params[0] = arena_printf(s->a, "REQUEST_METHOD=%s", method);
	m.params[1] = arena_printf(s->a, "SCRIPT_NAME=" API "%s", path);
	m.params[2] = arena_printf(s->a, "QUERY_STRING=%s", query);
	m.params[3] = "CONTENT_TYPE=application/json";
	m.params[4] = user != NULL ? arena_printf(s->a, "REMOTE_USER=%s", user) : NULL;
	m.body = body;
	edge_serve(&s->edge, &m.io);
	const char *all = arena_strndup(s->a, m.out.p, m.out.n);
	buf_release(&m.out);
	return all;
}

static struct json_object *content(struct site *s, const char *response)
{
	const char *text = strstr(response, "\r\n\r\n") + 4;
	struct json_object *o = NULL;

	TEST_OK(jsn_parse(s->a, text, strlen(text), JSN_DEPTH, &o, NULL, &s->e), s->e);
	return o;
}

static struct json_object *get(struct site *s, const char *path, const char *query)
{
	const char *r = request(s, "GET", path, query, NULL, NULL);

	cr_assert_eq(strncmp(r, "Status: 200 ", 12), 0, "%s?%s: %s", path, query, r);
	cr_assert_not_null(strstr(r, "Cache-Control: no-store\r\n"));
	return content(s, r);
}

TEST(api_threads, shows_pages_and_copies)
{
	struct site s;

	site_up(&s);
	for (int i = 0; i < 3; i++)
		say(&s, "t1", NULL, i, "Where can I land?");
	struct json_object *o = get(&s, "/threads/t1", "");
	cr_expect_str_eq(jsn_get_str(o, "title", ""), "Where can I land?");
	cr_expect_str_eq(jsn_get_str(o, "persona_id", ""), "vfr_budget");
	cr_expect_str_eq(jsn_get_str(o, "status", ""), "idle");
	cr_expect_eq(jsn_get_int(o, "turns", 0), 3);
	o = get(&s, "/threads/t1/messages", "limit=2");
	cr_expect_eq(jsn_len(jsn_get(o, "messages")), 2);
	cr_expect(jsn_get_bool(o, "has_more", false) && jsn_get_bool(o, "has_older", false));
	const char *id = arena_strdup(s.a, jsn_get_str(o, "first_id", ""));
	o = get(&s, "/threads/t1/messages", arena_printf(s.a, "before=%s", id));
	cr_expect_eq(jsn_len(jsn_get(o, "messages")), 4);
	cr_expect_not(jsn_get_bool(o, "has_more", true));
	o = get(&s, "/threads/t1/history", "after=");
	cr_expect_eq(jsn_len(jsn_get(o, "checkpoints")), 3);
	cr_expect_eq(jsn_get_int(jsn_at(jsn_get(o, "checkpoints"), 2), "version", 0), 3);

	const char *r = request(&s, "POST", "/threads/t1/fork", "",
	    arena_printf(s.a, "{\"message_id\":\"%s\"}", id), "anna");
	cr_assert_eq(strncmp(r, "Status: 201 ", 12), 0, "%s", r);
	o = content(&s, r);
	cr_expect_eq(jsn_get_int(o, "message_count", 0), 5);
	const char *copy = arena_printf(s.a, "/threads/%s", jsn_get_str(o, "thread_id", ""));
	cr_expect_eq(strncmp(request(&s, "GET", copy, "", NULL, "anna"), "Status: 200 ", 12), 0);
	cr_expect_eq(strncmp(request(&s, "GET", copy, "", NULL, NULL), "Status: 404 ", 12), 0);
	site_down(&s);
}

TEST(api_threads, copies_are_counted_at_the_first_thread)
{
	static const char *const whole[] = { NULL, "null", "{}" };
	const char *from = "t1", *r;
	struct json_object *o;
	struct site s;

	site_up(&s);
	say(&s, "t1", NULL, 0, "Where can I land?");
	const char *last = arena_strdup(s.a, jsn_get_str(get(&s, "/threads/t1/messages", ""), "last_id", ""));
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		r = request(&s, "POST", arena_printf(s.a, "/threads/%s/fork", from), "", whole[i], NULL);
		cr_assert_eq(strncmp(r, "Status: 201 ", 12), 0, "%s", r);
		o = content(&s, r);
		cr_expect_str_eq(jsn_get_str(o, "message_id", ""), last, "where the copy ends");
		from = arena_strdup(s.a, jsn_get_str(o, "thread_id", ""));
	}
	r = request(&s, "POST", arena_printf(s.a, "/threads/%s/fork", from), "", "{}", NULL);
	cr_assert_eq(strncmp(r, "Status: 429 Too Many Requests\r\n", 31), 0, "%s", r);
	const char *wait = strstr(r, "Retry-After: ");
	cr_assert(wait != NULL && atol(wait + 13) > 3590 && atol(wait + 13) <= 3600, "%s", r);
	cr_expect_not_null(strstr(jsn_get_str(content(&s, r), "detail", ""), "continue one of its copies"));
	cr_expect_null(strstr(r, "t1"), "a copy does not tell its origin");
	site_down(&s);
}

TEST(api_threads, sessions_are_shown_to_who_has_them)
{
	struct site s;

	site_up(&s);
	say(&s, "t1", NULL, 0, "q");
	say(&s, "t2", NULL, 0, "q");
	struct json_object *o = get(&s, "/sessions/" SESSION, "");
	cr_expect_eq(jsn_get_int(o, "turns", 0), 2);
	cr_expect_eq(jsn_get_int(jsn_get(o, "tokens"), "total", 0), 20);
	cr_expect_str_eq(jsn_get_str(o, "newest_thread_id", ""), "t2");
	cr_expect_eq(strncmp(request(&s, "DELETE", "/threads/t2", "", NULL, NULL), "Status: 204 ", 12), 0);
	o = get(&s, "/sessions/" SESSION, "");
	cr_expect_eq(jsn_len(jsn_get(o, "threads")), 1);
	cr_expect_eq(strncmp(request(&s, "GET", "/sessions/" SESSION, "", NULL, "anna"), "Status: 404 ", 12), 0);
	site_down(&s);
}

/* Each kind of refusal; what is not there and what is another's are one. */
TEST(api_threads, refusals)
{
	static const struct { const char *method, *path, *query, *body, *status; } rows[] = {
		{ "GET", "/threads/none", "", NULL, "404" },
		{ "GET", "/threads/annas", "", NULL, "404" },
		{ "GET", "/threads/a b", "", NULL, "404" },
		{ "GET", "/threads/annas/messages", "", NULL, "404" },
		{ "GET", "/threads/annas/history", "", NULL, "404" },
		{ "POST", "/threads/annas/fork", "", "{}", "404" },
		{ "DELETE", "/threads/annas", "", NULL, "404" },
		{ "GET", "/sessions/none", "", NULL, "404" },
		{ "GET", "/sessions/a b", "", NULL, "404" },
		{ "GET", "/threads/t1/messages", "limit=0", NULL, "422" },
		{ "GET", "/threads/t1/messages", "limit=-1", NULL, "422" },
		{ "GET", "/threads/t1/messages", "limit=1000000000", NULL, "422" },
		{ "GET", "/threads/t1/messages", "limit=NaN", NULL, "422" },
		{ "GET", "/threads/t1/messages", "limit=", NULL, "422" },
		{ "GET", "/threads/t1/messages", "limit=%00", NULL, "422" },
		{ "GET", "/threads/t1/messages", "before=x", NULL, "422" },
		{ "GET", "/threads/t1/messages", "before=%00", NULL, "422" },
		{ "GET", "/threads/t1/history", "after=%zz", NULL, "422" },
		{ "GET", "/threads/t1/history", "after=x", NULL, "422" },
		{ "GET", "/threads/t1/history", "after=x&before=y", NULL, "422" },
		{ "POST", "/threads/t1/fork", "", "{\"message_id\":\"x\"}", "422" },
		{ "POST", "/threads/t1/fork", "", "{\"message_id\":5}", "422" },
		{ "POST", "/threads/t1/fork", "", "{\"message_id\":{}}", "422" },
		{ "POST", "/threads/t1/fork", "", "[1]", "422" },
		{ "POST", "/threads/t1/fork", "", "{", "422" },
		{ "POST", "/threads/t1", "", "{}", "405" },
		{ "DELETE", "/threads/t1/messages", "", NULL, "405" },
		{ "DELETE", "/sessions/" SESSION, "", NULL, "405" },
	};
	struct site s;

	site_up(&s);
	say(&s, "t1", NULL, 0, "q");
	say(&s, "annas", "anna", 0, "q");
	const char *nowhere = request(&s, "GET", "/nowhere", "", NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *r = request(&s, rows[i].method, rows[i].path, rows[i].query, rows[i].body, NULL);
		cr_expect_eq(strncmp(r + 8, rows[i].status, 3), 0, "row %zu: %s", i, r);
		if (rows[i].status[1] == '0' && rows[i].status[2] == '4')
			cr_expect_str_eq(r, nowhere, "row %zu", i);
	}
	cr_expect_eq(strncmp(request(&s, "GET", "/threads/annas", "", NULL, "anna"), "Status: 200 ", 12), 0);
	site_down(&s);
}
