/*
 * The reranker's client over real sockets. The question names what the server answers.
 */
#include "services/cohere.h"
#include "tests/unit/http_server.h"

#define KEY "co-secret-key"

static char seen_head[8192], seen_body[4096];

static const struct row {
	const char *query;
	int status;
	const char *body;
	enum errcode rc;
	const char *says;              /* part of the message, or the order */
} rows[] = {
	{ "best first", 200, "{\"results\":[{\"index\":2,\"relevance_score\":0.9},{\"index\":0,"
	  "\"relevance_score\":0.1}],\"id\":\"x\"}", OK, "2 0" },
	{ "fewer", 200, "{\"results\":[{\"index\":1}]}", OK, "1" },
	{ "none", 200, "{\"results\":[]}", OK, "" },
	{ "more than top", 200, "{\"results\":[{\"index\":1},{\"index\":0},{\"index\":2}]}", OK, "1 0" },
	{ "twice", 200, "{\"results\":[{\"index\":1},{\"index\":1}]}", ERR_UPSTREAM, "one twice" },
	{ "beyond", 200, "{\"results\":[{\"index\":3}]}", ERR_UPSTREAM, "not sent" },
	{ "below", 200, "{\"results\":[{\"index\":-1}]}", ERR_UPSTREAM, "not sent" },
	{ "far", 200, "{\"results\":[{\"index\":99999999999999999999}]}", ERR_UPSTREAM, "not sent" },
	{ "fraction", 200, "{\"results\":[{\"index\":0.5}]}", ERR_UPSTREAM, "not sent" },
	{ "text", 200, "{\"results\":[{\"index\":\"0\"}]}", ERR_UPSTREAM, "not sent" },
	{ "no index", 200, "{\"results\":[7,null]}", ERR_UPSTREAM, "not sent" },
	{ "no results", 200, "{\"message\":\"hello\"}", ERR_UPSTREAM, "no results" },
	{ "object", 200, "{\"results\":{}}", ERR_UPSTREAM, "no results" },
	{ "html", 200, "<html>", ERR_UPSTREAM, "not JSON" },
	{ "nothing", 200, "", ERR_UPSTREAM, "not JSON" },
	{ "key", 401, "{\"message\":\"invalid api token " KEY "\"}", ERR_UPSTREAM, "COHERE_API_KEY was" },
	{ "model", 404, "{\"message\":\"model not found\"}", ERR_UPSTREAM, "rerank-v3.5" },
	{ "quota", 429, "{}", ERR_UPSTREAM, "too many requests" },
	{ "broken", 500, "", ERR_UPSTREAM, "HTTP status 500" },
	{ "moved", 302, "", ERR_UPSTREAM, "HTTP status 302" },
};

static bool answer_request(const struct asked *a)
{
	char text[512], name[64];
	snprintf(seen_head, sizeof(seen_head), "%s", a->head);
	snprintf(seen_body, sizeof(seen_body), "%.*s", (int)a->nbody, a->body);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "\"query\":\"%s\"", rows[i].query);
		if (strstr(seen_body, name) == NULL)
			continue;
		snprintf(text, sizeof(text), "HTTP/1.1 %d X\r\nContent-Length: %zu\r\n\r\n%s",
		    rows[i].status, strlen(rows[i].body), rows[i].body);
		return says(a, text);
	}
	wait_until_left(a);
	return false;
}

static const char *const texts[] = { "one", "tw\"o", "three" };

struct fix {
	struct server *server;
	struct httpc *http;
	struct cohere *cohere;
	struct arena *a;
	struct err e;
	size_t order[3], n;
};

static void setup(struct fix *f)
{
	char url[80];
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	*f = (struct fix){ .server = server_start(), .a = arena_new() };
	snprintf(url, sizeof(url), "%s//", f->server->url);
	TEST_OK(httpc_open(&f->http, NULL, &f->e), f->e);
	TEST_OK(cohere_open(&f->cohere, f->http, url, KEY, &f->e), f->e);
}

static void teardown(struct fix *f)
{
	cohere_close(f->cohere);
	httpc_close(f->http);
	server_stop(f->server);
	arena_free(f->a);
}

static enum errcode ask(struct fix *f, const char *query, const struct watch *w)
{
	f->e = (struct err){ 0 };
	return cohere_rerank(f->cohere, f->a, "rerank-v3.5", query, texts, 3, 2, w, f->order, &f->n,
	    &f->e);
}

TEST(cohere, answers)
{
	struct fix f;
	setup(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char order[32] = "";
		enum errcode rc = ask(&f, rows[i].query, NULL);
		cr_expect_eq(rc, rows[i].rc, "%s: %s", rows[i].query, f.e.msg);
		for (size_t k = 0; k < f.n; k++)
			snprintf(order + strlen(order), sizeof(order) - strlen(order), "%s%zu",
			    k > 0 ? " " : "", f.order[k]);
		if (rows[i].rc == OK)
			cr_expect_str_eq(order, rows[i].says, "%s", rows[i].query);
		else
			cr_expect_not_null(strstr(f.e.msg, rows[i].says), "%s: %s", rows[i].query, f.e.msg);
		cr_expect_null(strstr(f.e.msg, KEY), "the key is in a message");
	}
	teardown(&f);
}

TEST(cohere, asks_as_documented)
{
	struct fix f;
	setup(&f);
	TEST_OK(ask(&f, "best first", NULL), f.e);
	cr_expect(starts_with(seen_head, "POST /v2/rerank HTTP/1.1\r\n"), "%s", seen_head);
	cr_expect_not_null(strstr(seen_head, "\r\nAuthorization: Bearer " KEY "\r\n"));
	cr_expect_not_null(strstr(seen_head, "\r\nContent-Type: application/json\r\n"));
	cr_expect_str_eq(seen_body, "{\"model\":\"rerank-v3.5\",\"query\":\"best first\",\"documents\":"
	    "[\"one\",\"tw\\\"o\",\"three\"],\"top_n\":2}");
	/* nothing to order is not asked */
	int before = atomic_load(&f.server->requests);
	TEST_OK(cohere_rerank(f.cohere, f.a, "m", "q", texts, 0, 2, NULL, f.order, &f.n, &f.e), f.e);
	TEST_OK(cohere_rerank(f.cohere, f.a, "m", "q", texts, 3, 0, NULL, f.order, &f.n, &f.e), f.e);
	cr_expect_eq(atomic_load(&f.server->requests), before);
	teardown(&f);
}

static enum errcode leave_soon(void *arg, int64_t *ms)
{
	*ms = 10;
	return clock_mono_ms() > *(const int64_t *)arg ? ERR_HUP : OK;
}

TEST(cohere, the_watch_ends_it)
{
	struct fix f;
	setup(&f);
	int64_t until = clock_mono_ms() + 50;
	const struct watch w = { -1, leave_soon, &until };
	cr_expect_eq(ask(&f, "silence", &w), ERR_HUP, "%s", f.e.msg);
	cr_expect_eq(ask(&f, "fewer", NULL), OK, "it is not taken for away: %s", f.e.msg);
	teardown(&f);
}

TEST(cohere, settings)
{
	static const struct { const char *url, *key, *says; } bad[] = {
		{ "api.cohere.com", "k", "COHERE_BASE_URL" }, { "", "k", "COHERE_BASE_URL" },
		{ "https://a?b", "k", "COHERE_BASE_URL" },
		{ "https://a", "k\r\nX: y", "COHERE_API_KEY" }, { "https://a", "k k", "COHERE_API_KEY" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cohere *c = NULL;
		struct err e = { 0 };
		cr_expect_eq(cohere_open(&c, NULL, bad[i].url, bad[i].key, &e), ERR_CONFIG);
		cr_expect_not_null(strstr(e.msg, bad[i].says), "%s", e.msg);
	}
	cohere_close(NULL);
}
