/*
 * The geocoder over a real socket: a small HTTP server in a child process answers from a
 * table, by the text asked for.
 */
#include "airports/geocoder.h"
#include "base/clock.h"
#include "drivers/httpc.h"
#include "services/geoapify.h"
#include "tests/unit/test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct { const char *text, *status, *body; } answers[] = {
	{ "text=Cambridge&", "200 OK",
	  "{\"results\":[{\"lat\":42.37,\"lon\":-71.1,\"formatted\":\"Cambridge, MA\",\"country_code\":\"us\"},"
	  "{\"lat\":52.2,\"lon\":0.12,\"formatted\":\"Cambridge, UK\",\"country_code\":\"gb\"},"
	  "{\"lat\":\"x\",\"lon\":1}]}" },
	{ "text=Nowhere%20at%20all&", "200 OK", "{\"results\":[]}" },
	{ "text=Html&", "200 OK", "<html>hello</html>" },
	{ "text=Denied&", "401 Unauthorized", "{\"message\":\"bad key\"}" },
	{ "text=Broken&", "500 Oops", "" },
	{ "text=Odd&", "200 OK", "[1,2]" },
	{ "text=Much&", "429 Too Many Requests", "{}" },
	{ "text=Blank&", "200 OK", "" },
	{ "text=Nulls&", "200 OK", "{\"results\":[null,{},{\"lat\":null,\"lon\":2},{\"lat\":1e99,\"lon\":2},"
	  "{\"lat\":95,\"lon\":2},{\"lat\":1,\"lon\":2,\"formatted\":7,\"country_code\":\"gbr\"}]}" },
	/* where a country is named only that is asked for; else preferred countries come first */
	{ "text=Vik&limit=5&format=json&filter=countrycode:is&", "200 OK",
	  "{\"results\":[{\"lat\":63.42,\"lon\":-19.0,\"formatted\":\"Vik, Iceland\",\"country_code\":\"is\"}]}" },
	{ "text=Vik&limit=5&format=json&bias=countrycode:de,gb&", "200 OK",
	  "{\"results\":[{\"lat\":61.08,\"lon\":6.58,\"formatted\":\"Vik, Norway\",\"country_code\":\"no\","
	  "\"rank\":{\"importance\":0.5}},"
	  "{\"lat\":63.42,\"lon\":-19.0,\"formatted\":\"Vik, Iceland\",\"country_code\":\"is\","
	  "\"rank\":{\"importance\":0.4}},"
	  "{\"lat\":58.3,\"lon\":8.5,\"formatted\":\"Vik, Agder\",\"country_code\":\"no\","
	  "\"rank\":{\"importance\":0.1}}]}" },
};

static void serve(int listener)
{
	for (;;) {
		char req[4096], reply[4096];
		int fd = accept(listener, NULL, NULL);
		ssize_t n = fd == -1 ? -1 : read(fd, req, sizeof(req) - 1);
		if (n <= 0)
			_exit(0);
		req[n] = '\0';
		const char *status = "404 Not Found", *body = "";
		for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
			if (strstr(req, answers[i].text) != NULL && strstr(req, "limit=5") != NULL &&
			    strstr(req, "apiKey=secret%2Fkey") != NULL) {
				status = answers[i].status;
				body = answers[i].body;
			}
		int len = snprintf(reply, sizeof(reply),
		    "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s", status,
		    strlen(body), body);
		if (write(fd, reply, (size_t)len) != len)
			_exit(1);
		close(fd);
	}
}

static const struct {
	const char *text, *country;
	enum errcode rc;
	const char *label;          /* NULL: not found */
	const char *says;
} asks[] = {
	{ "Cambridge", NULL, OK, "Cambridge, UK", NULL },      /* preferred country first */
	{ "Cambridge", "US", OK, "Cambridge, MA", NULL },      /* a named country wins */
	{ "Cambridge", "DE", OK, NULL, NULL },                 /* no place in another country is taken */
	{ "Nowhere at all", NULL, OK, NULL, NULL },
	{ "Html", NULL, ERR_UPSTREAM, NULL, "not JSON" },
	{ "Odd", NULL, ERR_UPSTREAM, NULL, "no results" },
	{ "Broken", NULL, ERR_UPSTREAM, NULL, "HTTP status 500" },
	{ "Unknown", NULL, ERR_UPSTREAM, NULL, "HTTP status 404" },
	{ "Blank", NULL, ERR_UPSTREAM, NULL, "not JSON" },
	{ "Nulls", NULL, OK, "Nulls", NULL },
	{ "Vik", NULL, OK, "Vik, Norway", NULL },
	{ "Vik", "IS", OK, "Vik, Iceland", NULL },
};

static int listen_at(struct sockaddr_in *at)
{
	socklen_t len = sizeof(*at);
	int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
	*at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	cr_assert_eq(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)), 0);
	cr_assert_eq(bind(listener, (struct sockaddr *)at, len), 0);
	cr_assert_eq(listen(listener, 16), 0);
	cr_assert_eq(getsockname(listener, (struct sockaddr *)at, &len), 0);
	return listener;
}

/* A turn whose reader left, or whose time is over. */
struct ending {
	int64_t at_ms;
	enum errcode rc;
};

static enum errcode end_at(void *arg, int64_t *ms)
{
	const struct ending *x = arg;
	*ms = 10;
	return clock_mono_ms() >= x->at_ms ? x->rc : OK;
}

/* One that takes connections and never answers. */
TEST(geocoder, silent)
{
	static const enum errcode codes[] = { ERR_HUP, ERR_TIMEOUT };
	struct sockaddr_in at;
	int listener = listen_at(&at);
	char url[64];
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(at.sin_port));
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct httpc *http;
	struct geocoder_geoapify g;
	struct place p;
	bool found;
	TEST_OK(httpc_open(&http, NULL, &e), e);
	struct geoapify *service = geoapify_new(http, url, "secret/key", "de,gb");
	geocoder_geoapify_init(&g, service);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct ending x = { clock_mono_ms() + 50, codes[i] };
		const struct watch w = { -1, end_at, &x };
		cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Bath", NULL, NULL }, &w, &p, &found, &e), codes[i],
		    "%s", e.msg);
		cr_expect_lt(clock_mono_ms() - x.at_ms, 2500);
	}
	/* nobody waits long for it, and then it is its own failure and not the turn's */
	int64_t start = clock_mono_ms();
	cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Bath", NULL, NULL }, NULL, &p, &found, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "geocoder: "), "%s", e.msg);
	cr_expect_null(strstr(e.msg, "secret"), "%s", e.msg);
	cr_expect_lt(clock_mono_ms() - start, 5500);
	arena_free(a);
	geoapify_free(service);
	httpc_close(http);
	close(listener);
}

static pid_t start(struct sockaddr_in *at, char url[64])
{
	int listener = listen_at(at);
	pid_t server = fork();
	if (server == 0)
		serve(listener);
	close(listener);
	snprintf(url, 64, "http://127.0.0.1:%d", ntohs(at->sin_port));
	return server;
}

/* A key that was refused, or that is used too much, is refused again a moment later; nobody waits for
 * that answer twice. Something else that was asked before still comes from the cache. */
TEST(geocoder, what_refuses_is_left_alone)
{
	static const struct { const char *text, *says; } refusals[] = {
		{ "Denied", "GEOAPIFY_API_KEY was refused (401)" }, { "Much", "too many requests" },
	};
	struct err e = { 0 };
	struct sockaddr_in at;
	struct httpc *http;
	char url[64];
	pid_t server = start(&at, url);
	TEST_OK(httpc_open(&http, NULL, &e), e);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct arena *a = arena_new();
		struct geoapify *g = geoapify_new(http, url, "secret/key", NULL);
		struct geoapify_hit hits[GEOAPIFY_HITS];
		size_t n;
		TEST_OK(geoapify_search(g, a, "Cambridge", NULL, NULL, hits, &n, &e), e);
		cr_expect_eq(n, 2);
		cr_expect_eq(geoapify_search(g, a, refusals[i].text, NULL, NULL, hits, &n, &e), ERR_UPSTREAM);
		cr_expect_not_null(strstr(e.msg, refusals[i].says), "%s", e.msg);
		cr_expect_null(strstr(e.msg, "secret"), "%s", e.msg);
		cr_expect_eq(geoapify_search(g, a, "Nowhere at all", NULL, NULL, hits, &n, &e), ERR_UPSTREAM);
		cr_expect_not_null(strstr(e.msg, "refused a request a moment ago"), "%s", e.msg);
		TEST_OK(geoapify_search(g, a, "Cambridge", NULL, NULL, hits, &n, &e), e);
		cr_expect_eq(n, 2);
		geoapify_free(g);
		arena_free(a);
	}
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	httpc_close(http);
}

/* What else the name could have meant: the likeliest first, those at the same place once. */
TEST(geocoder, tells_what_else_it_could_be)
{
	struct err e = { 0 };
	struct sockaddr_in at;
	struct httpc *http;
	char url[64];
	pid_t server = start(&at, url);
	struct arena *a = arena_new();
	struct geocoder_geoapify g;
	struct place p;
	bool found;
	TEST_OK(httpc_open(&http, NULL, &e), e);
	struct geoapify *service = geoapify_new(http, url, "secret/key", "de,gb");
	geocoder_geoapify_init(&g, service);
	TEST_OK(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Vik", NULL, NULL }, NULL, &p,
	    &found, &e), e);
	cr_assert_eq(p.nothers, 2);
	cr_expect_str_eq(p.other[0].label, "Vik, Iceland");
	cr_expect_str_eq(p.other[0].country, "IS");
	cr_expect(p.unsure);
	TEST_OK(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Vik", NULL, "IS" }, NULL, &p,
	    &found, &e), e);
	cr_expect_str_eq(p.label, "Vik, Iceland", "the likely country");
	TEST_OK(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Vik", "IS", NULL }, NULL, &p,
	    &found, &e), e);
	cr_expect_eq(p.nothers, 0);
	cr_expect_not(p.unsure);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	arena_free(a);
	geoapify_free(service);
	httpc_close(http);
}

TEST(geocoder, asks_and_chooses)
{
	struct sockaddr_in at;
	int listener, yes = 1;
	char url[64];
	pid_t server = start(&at, url);
	struct err e = { 0 };
	struct httpc *http;
	struct geocoder_geoapify g;
	TEST_OK(httpc_open(&http, NULL, &e), e);
	struct geoapify *service = geoapify_new(http, url, "secret/key", "de,gb");
	geocoder_geoapify_init(&g, service);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		struct arena *a = arena_new();
		struct place p = { 0 };
		bool found = true;
		enum errcode rc = g.geocoder.look(&g.geocoder, a,
		    &(struct place_said){ asks[i].text, asks[i].country, NULL }, NULL,
		    &p, &found, &e);
		cr_expect_eq(rc, asks[i].rc, "%s: %s", asks[i].text, e.msg);
		cr_expect_eq(found, asks[i].label != NULL, "%s", asks[i].text);
		if (found)
			cr_expect_str_eq(p.label, asks[i].label);
		if (asks[i].says != NULL)
			cr_expect_not_null(strstr(e.msg, asks[i].says), "%s", e.msg);
		cr_expect_null(strstr(e.msg, "secret"), "the key is in a message");
		arena_free(a);
	}
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);

	/* the server is gone: what was asked before comes from the cache, the rest is an error */
	struct arena *a = arena_new();
	struct place p;
	bool found;
	cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Cambridge", NULL, NULL }, NULL, &p, &found, &e), OK);
	cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Oxford", NULL, NULL }, NULL, &p, &found, &e), ERR_UPSTREAM);
	/* and is left alone for a while, even if it is back */
	listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	cr_assert_eq(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)), 0);
	cr_assert_eq(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(listener, 16), 0);
	cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Bath", NULL, NULL }, NULL, &p, &found, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "could not be reached a moment ago"), "%s", e.msg);
	cr_expect_eq(accept(listener, NULL, NULL), -1, "it was asked all the same");
	cr_expect_eq(g.geocoder.look(&g.geocoder, a, &(struct place_said){ "Cambridge", NULL, NULL }, NULL, &p, &found, &e), OK);
	close(listener);
	arena_free(a);
	geoapify_free(service);
	httpc_close(http);
}
