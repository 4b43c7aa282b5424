/*
 * TLS to Redis where the program was built with it; else the message that names the way around.
 */
#include "drivers/kv.h"

#include "drivers/kv_listen.h"
#include "tests/unit/redis_server.h"
#include "tests/unit/test.h"

#define DATA TEST_SRCDIR "/tests/e2e/data/"

#ifdef HAVE_REDIS_TLS

#include <arpa/inet.h>
#include <netinet/in.h>

static int free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	close(fd);
	return ntohs(at.sin_port);
}

static enum errcode ask(struct kv *kv, struct arena *a, const char *w0, const char *w1, const char *w2,
    struct kv_reply *r, struct err *e)
{
	const struct str argv[] = { str_of(w0), str_of(w1), str_of(w2) };
	const struct kv_cmd cmd = { argv, w2 != NULL ? 3 : w1 != NULL ? 2 : 1 };

	return kv_run(kv, a, &cmd, 1, r, e);
}

TEST(kv_tls, speaks_it_and_verifies_the_server, .timeout = 60)
{
	enum { LARGE = 3 << 20 };
	static const struct {
		const char *scheme, *host, *options;
		enum errcode opens, asks;
		const char *said;
	} rows[] = {
		{ "rediss://", "127.0.0.1", "?ca=" DATA "tls.crt", OK, OK, NULL },
		{ "rediss://", "localhost", "?ca=" DATA "tls.crt", OK, OK, NULL },
		{ "rediss://", "127.0.0.1", "?ca=" DATA "tls.crt&name=localhost", OK, OK, NULL },
		{ "rediss://", "127.0.0.1", "?ca=" DATA "tls.crt&name=other.example", OK, ERR_STORE,
		    "not accepted" },
		{ "rediss://", "127.0.0.1", "", OK, ERR_STORE, "not accepted" },
		{ "rediss://", "127.0.0.1", "?ca=/no/such/file", ERR_CONFIG, OK, "ca /no/such/file" },
		{ "redis://", "127.0.0.1", "", OK, ERR_UNSURE, "is it running" },
	};
	struct redis_server redis;
	struct arena *a = arena_new();
	char *dir = test_mkdtemp(), options[1000], url[1000], *large = calloc(1, LARGE + 1);
	int port = free_port();
	struct kv *kv;
	struct kv_reply r;
	struct err e;

	signal(SIGPIPE, SIG_IGN);
	snprintf(options, sizeof(options), "--tls-port %d --tls-cert-file %stls.crt --tls-key-file %stls.key "
	    "--tls-ca-cert-file %stls.crt --tls-auth-clients no", port, DATA, DATA, DATA);
	cr_assert(redis_start(&redis, dir, options));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(url, sizeof(url), "%s%s:%d%s", rows[i].scheme, rows[i].host, port, rows[i].options);
		enum errcode rc = kv_open(&kv, url, 2000, 2, &e);
		cr_assert_eq(rc, rows[i].opens, "%s: %s", url, e.msg);
		if (rc == OK)
			rc = ask(kv, a, "PING", NULL, NULL, &r, &e);
		cr_assert_eq(rc, rows[i].opens != OK ? rows[i].opens : rows[i].asks, "%s: %s", url, e.msg);
		if (rows[i].said != NULL)
			cr_assert_not_null(strstr(e.msg, rows[i].said), "%s", e.msg);
		kv_close(kv);
	}
	/* many records in one reply, idle connections, a restart */
	snprintf(url, sizeof(url), "rediss://127.0.0.1:%d?ca=%stls.crt", port, DATA);
	TEST_OK(kv_open(&kv, url, 10000, 2, &e), e);
	memset(large, 'x', LARGE);
	TEST_OK(ask(kv, a, "SET", "k", large, &r, &e), e);
	TEST_OK(ask(kv, a, "GET", "k", NULL, &r, &e), e);
	cr_assert_eq(r.text.n, LARGE);
	cr_assert_eq(memcmp(r.text.p, large, LARGE), 0);
	struct kv_listen *l = kv_listen_open(kv);
	struct kv_notice got;
	kv_listen_add(l, "one");
	TEST_OK(kv_listen_wait(l, a, 5000, &got, &e), e);
	cr_assert_eq(got.kind, KV_JOINED);
	TEST_OK(ask(kv, a, "PUBLISH", "one", "hello", &r, &e), e);
	TEST_OK(kv_listen_wait(l, a, 5000, &got, &e), e);
	cr_assert_str_eq(got.text.p, "hello");
	kv_listen_close(l);
	redis_kill(&redis);
	redis_start(&redis, dir, options);
	TEST_OK(ask(kv, a, "PING", NULL, NULL, &r, &e), e);
	kv_close(kv);
	redis_stop(&redis);
	free(large);
	arena_free(a);
	test_rmdir(dir);
}

#else

TEST(kv_tls, names_a_tunnel_where_there_is_no_tls)
{
	static const char *const urls[] = {
		"rediss://:sesame@redis.example.org:6380/1", "sentinels://:sesame@redis.example.org:6380/main",
		"clusters://:sesame@redis.example.org:6380",
	};
	struct kv *kv;
	struct err e;

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		cr_assert_eq(kv_open(&kv, urls[i], 0, 1, &e), ERR_CONFIG);
		cr_assert_null(kv);
		cr_assert_not_null(strstr(e.msg, "stunnel"), "%s", e.msg);
		cr_assert_not_null(strstr(e.msg, "connect = redis.example.org:6380"), "%s", e.msg);
		cr_assert_null(strstr(e.msg, "sesame"), "%s", e.msg);
	}
}

#endif
