/*
 * A chat request through the whole program but the socket: routes, service, agent, a real airport
 * database and thread store, the answer as bytes.
 */
#include "tests/unit/test.h"

#include "edges/edge.h"
#include "edges/idempotency.h"
#include "edges/routes.h"
#include "mains/service.h"
#include "services/runs.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/http_mem.h"

#define CHAT "SCRIPT_NAME=/api/aviation-agent/chat"
#define STREAM CHAT "/stream"
#define ASK "{\"messages\":[{\"role\":\"user\",\"content\":\"airports near Lyon\"}],\"thread_id\":\"t1\"}"

struct house {
	struct airfix data;
	struct service service;
	struct edge edge;
	struct arena *a;
	struct err e;
};

static void set_up(struct house *h)
{
	memset(h, 0, sizeof(*h));
	airfix_open(&h->data, NULL, false);
	h->a = arena_new();
	clearenv();
	setenv("ENV_FILE", "/dev/null", 1);
	setenv("AVIATION_AGENT_DATA_DIR", TEST_SRCDIR, 1);
	setenv("AVIATION_AGENT_STATE_DIR", h->data.dir, 1);
	setenv("AIRPORTS_DB", arena_printf(h->a, "%s/airports.db", h->data.dir), 1);
	setenv("AIRPORTS_INDEX", arena_printf(h->a, "%s/airports.index", h->data.dir), 1);
	setenv("CHECKPOINTER_PROVIDER", "memory", 1);
	setenv("CONVERSATION_LOG_DIR", "none", 1);
	TEST_OK(service_open(&h->service, "ERROR", &h->e), h->e);
	const struct edge_parts parts = service_parts(&h->service);
	TEST_OK(edge_init(&h->edge, &parts, &h->e), h->e);
}

static void tear_down(struct house *h)
{
	edge_release(&h->edge);
	service_close(&h->service);
	arena_free(h->a);
	airfix_close(&h->data);
}

static void serve(struct house *h, struct http_mem *m, const char *path, size_t hup_after)
{
	http_mem_init(m);
	m->params[0] = "REQUEST_METHOD=POST";
	m->params[1] = path;
	m->body = ASK;
	m->hup_after = hup_after;
	edge_serve(&h->edge, &m->io);
}

static const struct {
	int64_t lease_ms;
	const char *path, *advice;
} busy[] = {
	{ 60000, CHAT, "Retry-After: 5\r\n" },       /* most turns end before their lease */
	{ 60000, STREAM, "Retry-After: 5\r\n" },
	{ 2900, CHAT, "Retry-After: 3\r\n" },
	{ 700, CHAT, "Retry-After: 1\r\n" },
};

TEST(api_chat, a_busy_thread_says_when_to_come_back)
{
	struct house h;
	set_up(&h);
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++) {
		struct http_mem m;
		struct lease l;
		int64_t retry_ms;
		TEST_OK(store_lease(h.service.store, "t1", "other", NULL, busy[i].lease_ms, &l,
		    &retry_ms, &h.e), h.e);
		serve(&h, &m, busy[i].path, 0);
		cr_expect_eq(strncmp(m.out.p, "Status: 409 ", 12), 0, "%s", m.out.p);
		cr_expect_not_null(strstr(m.out.p, busy[i].advice), "row %zu: %s", i, m.out.p);
		TEST_OK(store_release(h.service.store, &l, &h.e), h.e);
		buf_release(&m.out);
	}
	tear_down(&h);
}

TEST(api_chat, both_ways_give_the_same_answer)
{
	struct house h;
	struct http_mem m;
	struct json_object *o;
	set_up(&h);
	serve(&h, &m, CHAT, 0);
	cr_assert_eq(strncmp(m.out.p, "Status: 200 ", 12), 0, "%s", m.out.p);
	cr_expect_not_null(strstr(m.out.p, "X-Session-ID: session_"));
	TEST_OK(jsn_parse(h.a, http_mem_content(&m), strlen(http_mem_content(&m)), JSN_DEPTH, &o,
	    NULL, &h.e), h.e);
	const char *answer = jsn_get_str(o, "answer", "");
	cr_expect_not_null(strstr(answer, "LFLY"), "%s", answer);
	cr_expect_not(jsn_has(o, "error"));
	buf_release(&m.out);

	serve(&h, &m, STREAM, 0);
	cr_expect_not_null(strstr(m.out.p, "Content-Type: text/event-stream; charset=utf-8\r\n"));
	const char *final = strstr(m.out.p, "event: final_answer\ndata: ");
	cr_assert_not_null(final, "%s", m.out.p);
	final += strlen("event: final_answer\ndata: ");
	TEST_OK(jsn_parse(h.a, final, strcspn(final, "\n"), JSN_DEPTH, &o, NULL, &h.e), h.e);
	cr_expect_str_eq(jsn_get_str(jsn_get(o, "state"), "final_answer", ""), answer);
	buf_release(&m.out);
	tear_down(&h);
}

/* Whatever the moment, the thread is free afterwards and nothing is sent after the failure. */
TEST(api_chat, a_reader_may_leave_at_any_write, .timeout = 60)
{
	struct house h;
	struct http_mem m;
	set_up(&h);
	serve(&h, &m, STREAM, 0);
	size_t writes = m.writes;
	cr_assert_gt(writes, 8);
	buf_release(&m.out);
	for (size_t at = 1; at <= writes; at++) {
		struct lease l;
		int64_t retry_ms;
		serve(&h, &m, STREAM, at);
		cr_expect_leq(m.writes, at, "write %zu", at);
		cr_expect_eq(atomic_load(&h.edge.chats), 0);
		TEST_OK(store_lease(h.service.store, "t1", "other", NULL, 1000, &l, &retry_ms, &h.e),
		    h.e);
		TEST_OK(store_release(h.service.store, &l, &h.e), h.e);
		buf_release(&m.out);
	}
	tear_down(&h);
}

/* The store took the key for a run and its answer was lost, so the run was given up. */
TEST(api_chat, a_key_of_a_run_without_events_is_told_to_be_used_up)
{
	static const struct thread_owner owner = { .agent = "aviation" };
	const struct run_end end = { .status = RUN_FAILED, .ended_us = 1 };
	const struct run_group none = { .first = 1 };
	struct http_req r;
	struct http_mem m;
	struct idempotency k;
	struct lease l;
	struct lease_wait w = { 0 };
	char run[ID_SIZE];
	struct house h;

	set_up(&h);
	store_run_id("t9", run);
	const struct run_start start = { .run_id = run, .started_us = 1, .logged = true };
	TEST_OK(store_begin(h.service.store, "t9", &start, &owner, 5000, &w, &l, &h.e), h.e);
	TEST_OK(store_run_append(h.service.store, run, &none, 5000, &end, &h.e), h.e);
	r = (struct http_req){ .mem = h.a, .body = str_of(ASK) };
	r.field[FIELD_IDEMPOTENCY_KEY] = "0b8f6c1e-53a1-4b5c-9d0b-7d4f9a2a6f10";
	k = (struct idempotency){ .store = h.service.store, .hold_ms = 5000, .ttl_ms = 60000 };
	TEST_OK(idempotency_open(&k, &r, "aviation", NULL, &h.e), h.e);
	TEST_OK(store_claim(k.store, k.name, k.mark, k.token, 5000, &(struct claim){ 0 }, &h.e), h.e);
	TEST_OK(idempotency_settle(&k, run, &h.e), h.e);
	http_mem_init(&m);
	m.params[0] = "REQUEST_METHOD=POST";
	m.params[1] = CHAT;
	m.params[2] = "HTTP_IDEMPOTENCY_KEY=0b8f6c1e-53a1-4b5c-9d0b-7d4f9a2a6f10";
	m.body = ASK;
	edge_serve(&h.edge, &m.io);
	cr_expect_eq(strncmp(m.out.p, "Status: 410 ", 12), 0, "%s", m.out.p);
	cr_expect_not_null(strstr(m.out.p, "with a new key"), "%s", m.out.p);
	buf_release(&m.out);
	tear_down(&h);
}
