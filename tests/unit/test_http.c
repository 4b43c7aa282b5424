/*
 * The HTTP edge without a web server: readings of the path, bodies, responses in order,
 * and the walk through the route table.
 */
#include "tests/unit/test.h"

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "airports/airdb.h"
#include "base/log.h"
#include "edges/http.h"
#include "edges/routes.h"
#include "services/store_backend.h"
#include "tests/unit/http_mem.h"

/* ---- request ----------------------------------------------------------------------- */

static const struct {
	const char *params[6];
	const char *paths[HTTP_PATHS + 1];
} readings[] = {
	/* nginx */
	{ { "SCRIPT_NAME=/a/b", "REQUEST_URI=/a/b?x=1", "DOCUMENT_URI=/a/b" }, { "/a/b" } },
	/* nginx, merged slashes */
	{ { "SCRIPT_NAME=/a/b", "REQUEST_URI=//a/%62" }, { "/a/b", "//a/b" } },
	/* Apache: prefix and rest */
	{ { "SCRIPT_NAME=/a", "PATH_INFO=/b", "REQUEST_URI=/a/b" }, { "/a/b", "/b" } },
	/* .htaccess: the program's own name, then the client's path */
	{ { "SCRIPT_NAME=/agent.fcgi", "PATH_INFO=/a/b", "REQUEST_URI=/a/b?q" },
	  { "/agent.fcgi/a/b", "/a/b" } },
	{ { "REQUEST_URI=/a%00b" }, { NULL } },
	{ { "REQUEST_URI=/a%zz" }, { NULL } },
	{ { "REQUEST_URI=/a%4" }, { NULL } },
	{ { "REQUEST_URI=http://other/a" }, { NULL } },
	{ { NULL }, { NULL } },
};

TEST(http, readings_of_the_path)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		struct arena *a = arena_new();
		struct http_mem m;
		struct http_req r;
		size_t n = 0;
		http_mem_init(&m);
		memcpy(m.params, readings[i].params, sizeof(readings[i].params));
		http_req_read(&r, &m.io, a, NULL);
		while (readings[i].paths[n] != NULL)
			n++;
		cr_assert_eq(r.npaths, n, "row %zu: %zu paths", i, r.npaths);
		for (size_t k = 0; k < n; k++)
			cr_assert_str_eq(r.path[k], readings[i].paths[k], "row %zu", i);
		arena_free(a);
	}
}

static const struct {
	const char *type;
	bool json;
} types[] = {
	{ "CONTENT_TYPE=application/json", true },
	{ "CONTENT_TYPE=Application/JSON; charset=utf-8", true },
	{ "CONTENT_TYPE=application/vnd.a.b+json", true },
	{ "CONTENT_TYPE=", true },
	{ "X=absent", true },
	{ "CONTENT_TYPE=text/plain", false },
	{ "CONTENT_TYPE=application/jsonx", false },
	{ "CONTENT_TYPE=text/x+json", false },
	{ "CONTENT_TYPE=application/x-www-form-urlencoded", false },
	{ "CONTENT_TYPE=application/json ;charset=utf-8", true },
	{ "CONTENT_TYPE=text/plain;application/json", false },
	{ "CONTENT_TYPE=text/plain;x=application/x+json", false },
	{ "CONTENT_TYPE=application/json, text/plain", false },
	{ "CONTENT_TYPE=application/json text/plain", false },
	{ "CONTENT_TYPE=application/x/y+json", false },
	{ "CONTENT_TYPE=application/", false },
	{ "CONTENT_TYPE=application/+json", false },
	{ "CONTENT_TYPE=;application/json", false },
};

TEST(http, content_types)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct arena *a = arena_new();
		struct http_mem m;
		struct http_req r;
		http_mem_init(&m);
		m.params[0] = types[i].type;
		http_req_read(&r, &m.io, a, NULL);
		cr_assert_eq(http_req_is_json(&r), types[i].json, "%s", types[i].type);
		arena_free(a);
	}
}

static const struct {
	const char *query, *value;      /* of session_id */
} queries[] = {
	{ "QUERY_STRING=session_id=abc", "abc" },
	{ "QUERY_STRING=x=1&session_id=a%20b+c&y", "a b c" },
	{ "QUERY_STRING=xsession_id=abc", NULL },
	{ "QUERY_STRING=session_idx=abc", NULL },
	{ "QUERY_STRING=session_id", NULL },
	{ "QUERY_STRING=session_id=", "" },
	{ "QUERY_STRING=session_id=%00", "%00" },
	{ "QUERY_STRING=session_id=a%&x", "a%" },
	{ "QUERY_STRING=", NULL },
};

TEST(http, query)
{
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		struct arena *a = arena_new();
		struct http_mem m;
		struct http_req r;
		http_mem_init(&m);
		m.params[0] = queries[i].query;
		http_req_read(&r, &m.io, a, NULL);
		cr_assert(streq(http_query(&r, "session_id"), queries[i].value), "%s",
		    queries[i].query);
		arena_free(a);
	}
}

static const struct {
	const char *length, *body;
	enum errcode rc;
} bodies[] = {
	{ "X=", "12345678", OK },
	{ "CONTENT_LENGTH=8", "12345678", OK },
	{ "CONTENT_LENGTH=", "", OK },
	{ "CONTENT_LENGTH=9", "", ERR_TOOBIG },           /* not even read */
	{ "X=", "123456789", ERR_TOOBIG },                /* chunked: no length */
	{ "CONTENT_LENGTH=8", "1234", ERR_INPUT },
	{ "CONTENT_LENGTH=-1", "", ERR_INPUT },
	{ "CONTENT_LENGTH=eight", "", ERR_INPUT },
};

TEST(http, bodies)
{
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct arena *a = arena_new();
		struct http_mem m;
		struct http_req r;
		struct err e;
		http_mem_init(&m);
		m.params[0] = bodies[i].length;
		m.body = bodies[i].body;
		http_req_read(&r, &m.io, a, NULL);
		cr_assert_eq(http_req_body(&r, 8, &e), bodies[i].rc, "row %zu", i);
		if (bodies[i].rc == OK)
			cr_assert(str_eq(r.body, bodies[i].body));
		arena_free(a);
	}
}

/* ---- response ---------------------------------------------------------------------- */

TEST(http, response_in_order)
{
	struct http_mem m;
	struct http_res w;
	http_mem_init(&m);
	http_res_init(&w, &m.io);
	cr_assert_eq(http_put(&w, "x", 1), ERR_INTERNAL, "content before the head");
	cr_assert_eq(http_flush(&w), ERR_INTERNAL);
	cr_assert_eq(http_end(&w), ERR_INTERNAL);
	cr_assert_eq(m.out.n, 0);
	cr_assert_eq(http_field(&w, "X-A", "1"), OK);
	cr_assert_eq(http_begin(&w, 200, "text/plain", 2), OK);
	cr_assert_eq(http_field(&w, "X-B", "1"), ERR_INTERNAL, "a field after the head");
	cr_assert_eq(http_begin(&w, 500, NULL, 0), ERR_INTERNAL, "a second head");
	cr_assert_eq(http_put(&w, "ok", 2), OK);
	cr_assert_eq(http_end(&w), OK);
	cr_assert_eq(http_put(&w, "x", 1), ERR_INTERNAL, "content after the end");
	cr_assert_eq(w.status, 200);
	cr_assert_eq(w.bytes, 2);
	cr_assert_not_null(strstr(m.out.p, "X-A: 1\r\n"));
	cr_assert_null(strstr(m.out.p, "X-B"));
	cr_assert_str_eq(http_mem_content(&m), "ok");
	http_res_release(&w);
	buf_release(&m.out);
}

TEST(http, a_field_cannot_start_another)
{
	struct http_mem m;
	struct http_res w;
	http_mem_init(&m);
	http_res_init(&w, &m.io);
	cr_assert_eq(http_field(&w, "X-A", "1\r\nSet-Cookie: a=b"), ERR_INPUT);
	cr_assert_eq(http_fieldf(&w, "X-A", "%s", "1\nX-B: 2"), ERR_INPUT);
	cr_assert_eq(http_begin(&w, 200, NULL, 0), OK);
	cr_assert_null(strstr(m.out.p, "Set-Cookie"));
	cr_assert_null(strstr(m.out.p, "X-B"));
	http_res_release(&w);
	buf_release(&m.out);
}

/* ---- routes ------------------------------------------------------------------------ */

/* Settings and a store in memory: enough for everything before a turn. */
static void make_edge(struct edge *e, struct conf *c, const char *origins)
{
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	const struct edge_parts parts = { .conf = c, .mem = arena_new(), .agents = agents,
	    .nagents = 2, .routes = routes, .nroutes = nroutes };
	struct err err;
	memset(c, 0, sizeof(*c));
	log_level_set("ERROR");
	c->enabled = true;
	c->store_provider = "memory";
	c->store_timeout_ms = 100;
	c->max_chats = 2;
	c->max_body = 256;
	c->max_messages = 10;
	c->max_message_bytes = 100;
	c->cors_origins = origins;
	TEST_OK(edge_init(e, &parts, &err), err);
}

static void drop_edge(struct edge *e)
{
	struct arena *mem = e->parts.mem;
	edge_release(e);
	arena_free(mem);
}

#define CHAT "SCRIPT_NAME=/api/aviation-agent/chat"
#define STREAM "SCRIPT_NAME=/api/aviation-agent/chat/stream"
#define ACTIONS "SCRIPT_NAME=/api/aviation-agent/quick-actions"
#define GET "REQUEST_METHOD=GET"
#define POST "REQUEST_METHOD=POST"
#define JSON "CONTENT_TYPE=application/json"

static const struct {
	const char *params[6], *body;
	const char *status, *field, *content;      /* expected; content as a prefix, NULL: any */
} walks[] = {
	{ { GET, ACTIONS }, NULL, "200", NULL, "{\"actions\":[{\"icon\":\"✈️\",\"title\":" },
	{ { "REQUEST_METHOD=HEAD", ACTIONS }, NULL, "200", "Content-Length: 616", "" },
	{ { GET, ACTIONS, "QUERY_STRING=language=fr" }, NULL, "200", NULL,
	  "{\"actions\":[{\"icon\":\"✈️\",\"title\":\"Aérodromes sur une route\"," },
	{ { GET, ACTIONS, "QUERY_STRING=language=xx" }, NULL, "200", "Content-Length: 616", NULL },
	{ { GET, "SCRIPT_NAME=/nope" }, NULL, "404", NULL, "{\"detail\":\"Not Found\"}" },
	{ { GET }, NULL, "404", NULL, "{\"detail\":\"Not Found\"}" },
	{ { GET, "SCRIPT_NAME=/api/aviation-agent/chat/other" }, NULL, "404", NULL, NULL },
	{ { GET, CHAT }, NULL, "405", "Allow: POST\r\n", "{\"detail\":\"Method Not Allowed\"}" },
	{ { POST, ACTIONS }, NULL, "405", "Allow: GET, HEAD\r\n", NULL },
	{ { "REQUEST_METHOD=BREW", CHAT }, NULL, "405", "Allow: POST\r\n", NULL },
	{ { "SCRIPT_NAME=/health" }, NULL, "405", NULL, NULL },
	{ { GET, "SCRIPT_NAME=/api/aviation-agent/quick-actions/" }, NULL, "307",
	  "Location: /api/aviation-agent/quick-actions\r\n", "" },
	{ { POST, "SCRIPT_NAME=/api/aviation-agent/chat/", "QUERY_STRING=a=b" }, "{}", "307",
	  "Location: /api/aviation-agent/chat?a=b\r\n", "" },
	{ { GET, "SCRIPT_NAME=/api/aviation-agent/quick-actions//" }, NULL, "404", NULL, NULL },
	{ { POST, CHAT, JSON, "CONTENT_LENGTH=257" }, NULL, "413", NULL, NULL },
	{ { POST, CHAT, "CONTENT_TYPE=text/plain" }, "{}", "415", NULL, NULL },
	{ { POST, CHAT, "CONTENT_TYPE=text/plain" }, NULL, "422", NULL, NULL },
	{ { POST, CHAT, "CONTENT_TYPE=text/plain;a" }, "{}", "415", NULL, NULL },
	/* a body without a type: from a program, from our own page, from a listed one, from others */
	{ { POST, CHAT }, "{}", "422", NULL, NULL },
	{ { POST, CHAT, "HTTP_ORIGIN=https://own.example", "HTTP_HOST=own.example" }, "{}", "422", NULL,
	  NULL },
	{ { POST, CHAT, "HTTP_ORIGIN=http://own.example:8080", "HTTP_HOST=Own.example:8080" }, "{}", "422",
	  NULL, NULL },
	{ { POST, CHAT, "HTTP_ORIGIN=https://a.example", "HTTP_HOST=own.example" }, "{}", "422", NULL,
	  NULL },
	{ { POST, CHAT, "HTTP_ORIGIN=https://b.example", "HTTP_HOST=own.example" }, "{}", "415", NULL,
	  "{\"detail\":\"The request body must be JSON" },
	{ { POST, STREAM, "HTTP_ORIGIN=null", "HTTP_HOST=own.example" }, "{}", "415", NULL, NULL },
	{ { POST, STREAM, "HTTP_ORIGIN=https://own.example" }, "{}", "415", NULL, NULL },
	{ { POST, STREAM, "HTTP_ORIGIN=own.example", "HTTP_HOST=own.example" }, "{}", "415", NULL, NULL },
	{ { POST, CHAT, JSON, "HTTP_ORIGIN=https://b.example" }, "{}", "422", NULL, NULL },
	{ { POST, STREAM, JSON, "CONTENT_LENGTH=5" }, "{}", "400", NULL, NULL },
	{ { POST, STREAM, JSON }, "{}", "422", NULL, "{\"detail\":[{\"type\":\"too_short\"" },
	/* cross origin */
	{ { GET, ACTIONS, "HTTP_ORIGIN=https://a.example" }, NULL, "200",
	  "Access-Control-Allow-Origin: https://a.example\r\n"
	  "Access-Control-Allow-Credentials: true\r\n", NULL },
	{ { GET, "SCRIPT_NAME=/nope", "HTTP_ORIGIN=https://a.example" }, NULL, "404",
	  "Access-Control-Allow-Origin: https://a.example\r\n", NULL },
	{ { "REQUEST_METHOD=OPTIONS", CHAT, "HTTP_ORIGIN=https://a.example",
	    "HTTP_ACCESS_CONTROL_REQUEST_METHOD=POST",
	    "HTTP_ACCESS_CONTROL_REQUEST_HEADERS=x-session-id" }, NULL, "204",
	  "Access-Control-Allow-Headers: x-session-id\r\n", "" },
	{ { "REQUEST_METHOD=OPTIONS", CHAT, "HTTP_ORIGIN=https://a.example",
	    "HTTP_ACCESS_CONTROL_REQUEST_METHOD=DELETE" }, NULL, "204",
	  "Access-Control-Allow-Methods: GET, POST, PATCH, DELETE\r\n", "" },
	{ { "REQUEST_METHOD=OPTIONS", CHAT, "HTTP_ORIGIN=https://a.example",
	    "HTTP_ACCESS_CONTROL_REQUEST_METHOD=PUT" }, NULL, "400", NULL, NULL },
	{ { "REQUEST_METHOD=OPTIONS", CHAT, "HTTP_ORIGIN=https://b.example",
	    "HTTP_ACCESS_CONTROL_REQUEST_METHOD=POST" }, NULL, "400", "Vary: Origin\r\n", NULL },
	{ { "REQUEST_METHOD=OPTIONS", CHAT }, NULL, "405", NULL, NULL },
};

TEST(http, routes)
{
	struct conf c;
	struct edge e;
	make_edge(&e, &c, "https://a.example/, *, nonsense");
	cr_assert_eq(e.cors.n, 1);
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++) {
		struct http_mem m;
		http_mem_init(&m);
		memcpy(m.params, walks[i].params, sizeof(walks[i].params));
		m.body = walks[i].body;
		edge_serve(&e, &m.io);
		cr_assert_eq(strncmp(m.out.p, "Status: ", 8), 0, "row %zu: %s", i, m.out.p);
		cr_assert_eq(strncmp(m.out.p + 8, walks[i].status, 3), 0, "row %zu: %s", i, m.out.p);
		if (walks[i].field != NULL)
			cr_assert_not_null(strstr(m.out.p, walks[i].field), "row %zu: %s", i, m.out.p);
		if (walks[i].content != NULL)
			cr_assert_eq(strncmp(http_mem_content(&m), walks[i].content,
			    *walks[i].content == '\0' ? 1 : strlen(walks[i].content)), 0,
			    "row %zu: %s", i, m.out.p);
		cr_assert_not_null(strstr(m.out.p, "X-Content-Type-Options: nosniff\r\n"));
		cr_assert_not_null(strstr(m.out.p, "Content-Security-Policy: "));
		buf_release(&m.out);
	}
	cr_assert_eq(atomic_load(&e.chats), 0, "every chat gave its place back");
	drop_edge(&e);
}

static void say_arguments(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)e;
	http_detail(w, r->mem, 200, arena_printf(r->mem, "%s|%s|%s", rt->doc, r->arg, r->arg2));
}

/* A variable part may stand anywhere in a path, and there may be two. */
TEST(http, variable_parts_of_a_path)
{
	static const struct route rows[] = {
		{ HTTP_GET, "/t/{id}", say_arguments, 0, NULL, "one" },
		{ HTTP_DELETE, "/t/{id}", say_arguments, 0, NULL, "deleted" },
		{ HTTP_GET, "/t/{id}/m", say_arguments, 0, NULL, "middle" },
		{ HTTP_GET, "/t/{id}/m/{other}", say_arguments, 0, NULL, "two" },
	};
	static const struct {
		const char *method, *path, *status, *expect;
	} asked[] = {
		{ GET, "SCRIPT_NAME=/t/a", "200", "{\"detail\":\"one|a|\"}" },
		{ "REQUEST_METHOD=DELETE", "SCRIPT_NAME=/t/a", "200", "{\"detail\":\"deleted|a|\"}" },
		{ GET, "SCRIPT_NAME=/t/a/m", "200", "{\"detail\":\"middle|a|\"}" },
		{ GET, "SCRIPT_NAME=/t/m/m", "200", "{\"detail\":\"middle|m|\"}" },
		{ GET, "SCRIPT_NAME=/t/a/m/b", "200", "{\"detail\":\"two|a|b\"}" },
		{ GET, "SCRIPT_NAME=/t/{id}/m/{", "200", "{\"detail\":\"two|{id}|{\"}" },
		{ POST, "SCRIPT_NAME=/t/a", "405", "Allow: GET, HEAD, DELETE\r\n" },
		{ "REQUEST_METHOD=DELETE", "SCRIPT_NAME=/t/a/m", "405", "Allow: GET, HEAD\r\n" },
		{ GET, "SCRIPT_NAME=/t/a b/m/", "307", "Location: /t/a%20b/m\r\n" },
		{ GET, "SCRIPT_NAME=/t/a/m/b/", "307", "Location: /t/a/m/b\r\n" },
		{ GET, "SCRIPT_NAME=/t/", "404", NULL },
		{ GET, "SCRIPT_NAME=/t//m", "404", NULL },
		{ GET, "SCRIPT_NAME=/t/a/m//", "404", NULL },
		{ GET, "SCRIPT_NAME=/t/a/mm", "404", NULL },
		{ GET, "SCRIPT_NAME=/t/a/n", "404", NULL },
		{ GET, "SCRIPT_NAME=/t/a/m/b/c", "404", NULL },
	};
	struct conf c;
	struct edge e;
	make_edge(&e, &c, NULL);
	e.parts.routes = rows;
	e.parts.nroutes = sizeof(rows) / sizeof(rows[0]);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct http_mem m;
		http_mem_init(&m);
		m.params[0] = asked[i].method;
		m.params[1] = asked[i].path;
		edge_serve(&e, &m.io);
		cr_expect_eq(strncmp(m.out.p + 8, asked[i].status, 3), 0, "row %zu: %s", i, m.out.p);
		if (asked[i].expect != NULL)
			cr_expect_not_null(strstr(m.out.p, asked[i].expect), "row %zu: %s", i, m.out.p);
		buf_release(&m.out);
	}
	drop_edge(&e);
}

TEST(http, an_unlisted_origin_is_told_nothing)
{
	struct conf c;
	struct edge e;
	struct http_mem m;
	make_edge(&e, &c, "https://a.example");
	http_mem_init(&m);
	m.params[0] = GET;
	m.params[1] = ACTIONS;
	m.params[2] = "HTTP_ORIGIN=https://a.example.evil.example";
	edge_serve(&e, &m.io);
	cr_assert_null(strstr(m.out.p, "Access-Control"));
	cr_assert_not_null(strstr(m.out.p, "Vary: Origin\r\n"));
	buf_release(&m.out);
	drop_edge(&e);
}

/* What cannot be read for what it is must not be taken for absent. */
TEST(http, fields_that_are_too_long_are_refused)
{
	static const struct {
		const char *name;
		size_t n;
		const char *fill, *status, *why;
	} rows[] = {
		{ "REMOTE_USER", 256, "x", "422", NULL },
		{ "REMOTE_USER", 257, "x", "431", "{\"detail\":\"The user name is longer than 256 bytes.\"}" },
		{ "REMOTE_USER", 5000, "x", "431", NULL },
		{ "REMOTE_USER", 1, "\x1b", "400", "{\"detail\":\"The user name holds control characters.\"}" },
		{ "REMOTE_USER", 2, "\n", "400", NULL },
		{ "REMOTE_USER", 2, "\xc2\x9b", "400", NULL },
		{ "REMOTE_USER", 1, "\x9b", "400", NULL },
		{ "REMOTE_USER", 4, "é", "422", NULL },
		{ "REMOTE_USER", 1, "\xe9", "422", NULL },      /* Latin-1 */
		{ "CONTENT_TYPE", 4097, "x", "431", "{\"detail\":\"Content-Type is longer than 4096 bytes.\"}" },
		{ "HTTP_ORIGIN", 4097, "x", "431", NULL },
		{ "HTTP_X_SESSION_ID", 4097, "x", "422", NULL },    /* a label: left out */
		{ "HTTP_X_SESSION_ID", 4096, "x", "422", NULL },
	};
	struct conf c;
	struct edge e;
	make_edge(&e, &c, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_mem m;
		struct buf field;
		buf_init(&field, 8192);
		buf_printf(&field, "%s=", rows[i].name);
		for (size_t k = 0, len = strlen(rows[i].fill); k < rows[i].n; k += len)
			buf_puts(&field, rows[i].fill);
		http_mem_init(&m);
		m.params[0] = POST;
		m.params[1] = CHAT;
		m.params[2] = field.p;
		m.body = "{}";
		edge_serve(&e, &m.io);
		cr_expect_eq(strncmp(m.out.p + 8, rows[i].status, 3), 0, "row %zu: %s", i, m.out.p);
		if (rows[i].why != NULL)
			cr_expect_str_eq(http_mem_content(&m), rows[i].why, "row %zu", i);
		buf_release(&m.out);
		buf_release(&field);
	}
	drop_edge(&e);
}

static void say_user(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)e;
	(void)rt;
	http_detail(w, r->mem, 200, r->field[FIELD_USER] != NULL ? r->field[FIELD_USER] : "nobody");
}

/* One source names the user: REMOTE_USER, or the header of the settings and nothing else. */
TEST(http, who_the_user_is)
{
	static const struct route row = { HTTP_GET, "/user", say_user, 0, NULL, "" };
	static const struct { const char *header, *params[2], *expect; } rows[] = {
		{ NULL, { "REMOTE_USER=anna", "HTTP_X_AUTH_USER=bert" }, "\"anna\"" },
		{ NULL, { "HTTP_X_AUTH_USER=bert" }, "\"nobody\"" },
		{ "X-Auth-User", { "REMOTE_USER=anna", "HTTP_X_AUTH_USER=bert" }, "\"bert\"" },
		{ "x-auth-user", { "REMOTE_USER=anna", "HTTP_X_AUTH_USER=bert" }, "\"bert\"" },
		{ "X-Auth-User", { "REMOTE_USER=anna" }, "\"nobody\"" },
		{ "X-Auth-User", { "REMOTE_USER=anna", "HTTP_X_AUTH_USER=" }, "\"nobody\"" },
		{ "X-Auth-User", { "HTTP_X_AUTH_USER=a\x1b[2J" }, "holds control characters" },
	};
	struct conf c;
	struct edge e;
	make_edge(&e, &c, NULL);
	e.parts.routes = &row;
	e.parts.nroutes = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_mem m;
		c.user_header = rows[i].header;
		http_mem_init(&m);
		m.params[0] = GET;
		m.params[1] = "SCRIPT_NAME=/user";
		m.params[2] = rows[i].params[0];
		m.params[3] = rows[i].params[1];
		edge_serve(&e, &m.io);
		cr_expect_not_null(strstr(http_mem_content(&m), rows[i].expect), "row %zu: %s", i, m.out.p);
		buf_release(&m.out);
	}
	drop_edge(&e);
}

/* Half an address would lead somewhere else: without its query it leads to the same place. */
TEST(http, a_query_too_long_to_repeat_is_left_out)
{
	static char query[13 + HTTP_FIELD_MAX + 1];
	struct conf c;
	struct edge e;
	struct http_mem m;
	memcpy(query, "QUERY_STRING=", 13);
	memset(query + 13, 'a', HTTP_FIELD_MAX);
	make_edge(&e, &c, NULL);
	http_mem_init(&m);
	m.params[0] = GET;
	m.params[1] = "SCRIPT_NAME=/api/aviation-agent/quick-actions/";
	m.params[2] = query;
	edge_serve(&e, &m.io);
	cr_assert_eq(strncmp(m.out.p, "Status: 307 ", 12), 0, "%s", m.out.p);
	cr_assert_not_null(strstr(m.out.p, "Location: /api/aviation-agent/quick-actions\r\n"));
	buf_release(&m.out);
	drop_edge(&e);
}

TEST(http, full_house)
{
	struct conf c;
	struct edge e;
	struct http_mem m;
	make_edge(&e, &c, NULL);
	atomic_store(&e.chats, 2);
	http_mem_init(&m);
	m.params[0] = POST;
	m.params[1] = CHAT;
	m.body = "{}";
	edge_serve(&e, &m.io);
	cr_assert_eq(strncmp(m.out.p, "Status: 503 ", 12), 0, "%s", m.out.p);
	cr_assert_not_null(strstr(m.out.p, "Retry-After: "));
	cr_assert_eq(atomic_load(&e.chats), 2);
	buf_release(&m.out);
	/* what is short is served all the same */
	http_mem_init(&m);
	m.params[0] = GET;
	m.params[1] = ACTIONS;
	edge_serve(&e, &m.io);
	cr_assert_eq(strncmp(m.out.p, "Status: 200 ", 12), 0, "%s", m.out.p);
	buf_release(&m.out);
	drop_edge(&e);
}

TEST(http, switched_off)
{
	static const struct {
		const char *method, *path, *status;
	} rows[] = {
		{ POST, CHAT, "404" }, { POST, STREAM, "404" }, { GET, ACTIONS, "404" },
		{ GET, "SCRIPT_NAME=/api/aviation-agent/health", "404" }, { GET, CHAT, "404" },
	};
	struct conf c;
	struct edge e;
	make_edge(&e, &c, NULL);
	c.enabled = false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_mem m;
		http_mem_init(&m);
		m.params[0] = rows[i].method;
		m.params[1] = rows[i].path;
		edge_serve(&e, &m.io);
		cr_assert_eq(strncmp(m.out.p + 8, rows[i].status, 3), 0, "row %zu: %s", i, m.out.p);
		buf_release(&m.out);
	}
	drop_edge(&e);
}

/* ---- health ------------------------------------------------------------------------ */

#define HANGING(status) "\"store\":{\"provider\":\"hanging\",\"status\":\"" status "\"}"

/* A store that hangs: while it is asked, further requests for health come. */
struct hanging {
	struct store base;
	struct edge *edge;
	size_t asked;
	bool locked;                  /* somebody held the lock of health meanwhile */
	bool up;
};

static const char *health(struct edge *e)
{
	static char text[4096];
	struct http_mem m;
	http_mem_init(&m);
	m.params[0] = "SCRIPT_NAME=/health";
	m.params[1] = GET;
	edge_serve(e, &m.io);
	snprintf(text, sizeof(text), "%s", m.out.p);
	buf_release(&m.out);
	return text;
}

static enum errcode hang(struct store *s, struct err *e)
{
	struct hanging *h = (struct hanging *)s;
	if (pthread_mutex_trylock(&h->edge->health.lock) != 0)
		h->locked = true;
	else
		pthread_mutex_unlock(&h->edge->health.lock);
	/* a first result is waited for, so only later ones may come in between */
	if (h->asked++ > 0)
		cr_expect_not_null(strstr(health(h->edge), HANGING("up")), "the last result");
	return h->up ? OK : err_set(e, ERR_STORE, "the store hangs");
}

TEST(http, health_holds_no_lock_while_it_asks_the_store)
{
	static const struct store_ops ops = { .ping = hang };
	const struct airdb_config nowhere = { .path = "/nonexistent/airports.db" };
	struct conf c;
	struct edge e;
	struct err err;
	make_edge(&e, &c, NULL);
	struct store *own = e.health.probe;
	struct hanging h = { .base = { .ops = &ops, .name = "hanging" }, .edge = &e, .up = true };
	e.health.probe = &h.base;
	TEST_OK(airdb_open(&e.parts.airports, &nowhere, &err), err);
	cr_expect_not_null(strstr(health(&e), HANGING("up")));
	cr_expect_not_null(strstr(health(&e), HANGING("up")));
	cr_expect_eq(h.asked, 1, "a fresh result is used again");
	e.health.checked_ms -= 60000;
	h.up = false;
	cr_expect_not_null(strstr(health(&e), HANGING("down")));
	cr_expect_eq(h.asked, 2, "one thread asks");
	cr_expect_not(h.locked);
	e.health.probe = own;
	airdb_close(e.parts.airports);
	drop_edge(&e);
}

static enum errcode refuse(struct store *s, struct err *e)
{
	(void)s;
	return err_set(e, ERR_STORE, "the store refuses");
}

/* Health must ask the handle in use: another handle of a store in memory would be another store. */
TEST(http, health_asks_the_very_store_that_is_in_memory)
{
	static const struct store_ops ops = { .ping = refuse };
	const struct airdb_config nowhere = { .path = "/nonexistent/airports.db" };
	struct store mine = { .ops = &ops, .name = "memory", .in_memory = true };
	struct conf c;
	struct edge e;
	struct err err;
	make_edge(&e, &c, NULL);
	struct edge_parts parts = e.parts;
	edge_release(&e);
	parts.store = &mine;
	TEST_OK(edge_init(&e, &parts, &err), err);
	TEST_OK(airdb_open(&e.parts.airports, &nowhere, &err), err);
	const char *said = health(&e);
	cr_expect_not_null(strstr(said, "\"store\":{\"provider\":\"memory\",\"status\":\"down\"}"), "%s", said);
	airdb_close(e.parts.airports);
	drop_edge(&e);
}
