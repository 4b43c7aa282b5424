/*
 * Whose an Idempotency-Key is, and which requests count as the same.
 */
#include "tests/unit/test.h"

#include "base/str.h"
#include "edges/idempotency.h"

static enum errcode open_key(struct arena *a, struct idempotency *k, const char *key, const char *user,
    const char *session, const char *body, struct err *e)
{
	struct http_req r = { .mem = a, .body = str_of(body) };

	r.field[FIELD_IDEMPOTENCY_KEY] = key;
	r.field[FIELD_USER] = user;
	return idempotency_open(k, &r, "aviation", session, e);
}

#define SESSION "6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11"

static const struct {
	const char *key, *user, *session, *name;        /* name NULL: refused */
} rows[] = {
	{ "k1", "alice", NULL, "aviation:user:alice:k1" },
	{ "k1", "alice", "s1", "aviation:user:alice:k1" },
	{ "k1", NULL, SESSION, "aviation:session:" SESSION ":k1" },
	/* what stands between the parts cannot be part of them */
	{ "a:b", "x:y", NULL, "aviation:user:x%3Ay:a%3Ab" },
	{ "{k} \xc3\xbc", NULL, SESSION, "aviation:session:" SESSION ":%7Bk%7D%20%C3%BC" },
	/* nobody's, so it must be a secret */
	{ "k1", NULL, NULL, NULL },
	{ "123456789012345678901", NULL, NULL, NULL },
	/* a session that anybody can name owns nothing */
	{ "k1", NULL, "s1", NULL },
	{ "1", NULL, "AcmeAviationWidget-Session-1", NULL },
	{ "1234567890123456789012", NULL, "s1", "aviation:session:s1:1234567890123456789012" },
	{ "1234567890123456789012", NULL, NULL, "aviation:key:1234567890123456789012" },
};

TEST(idempotency, a_key_has_an_owner)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct idempotency k = { .name = "" };
		struct err e;
		enum errcode rc = open_key(a, &k, rows[i].key, rows[i].user, rows[i].session, "{}", &e);

		cr_expect_eq(rc, rows[i].name == NULL ? ERR_INPUT : OK, "row %zu", i);
		cr_expect(streq(k.name, rows[i].name), "row %zu: %s", i, k.name);
		arena_free(a);
	}
}

TEST(idempotency, the_longest_key_fits)
{
	struct arena *a = arena_new();
	struct idempotency k = { .hold_ms = 1000 };
	char key[IDEMPOTENCY_KEY_MAX + 1], user[STORE_OWNER_MAX + 1];
	struct claim c;
	struct err e;
	const struct store_config config = { .provider = "memory" };

	memset(key, '%', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	memset(user, '%', sizeof(user) - 1);
	user[sizeof(user) - 1] = '\0';
	TEST_OK(store_open(&k.store, &config, &e), e);
	TEST_OK(open_key(a, &k, key, user, NULL, "{}", &e), e);
	TEST_OK(idempotency_claim(&k, -1, NULL, 0, &c, &e), e);
	cr_expect_eq(c.state, CLAIM_MINE);
	store_close(k.store);
	arena_free(a);
}

TEST(idempotency, only_the_same_body_is_the_same_request)
{
	static const char *const bodies[] = { "", "{}", "{} ", "{\"a\":1}", "{\"a\":2}", "{\"a\":12}" };
	enum { N = sizeof(bodies) / sizeof(bodies[0]) };
	struct arena *a = arena_new();
	struct idempotency k[N], again;
	struct err e;

	for (int i = 0; i < N; i++) {
		TEST_OK(open_key(a, &k[i], "k1", "alice", NULL, bodies[i], &e), e);
		TEST_OK(open_key(a, &again, "k1", "alice", NULL, bodies[i], &e), e);
		cr_expect_str_eq(again.mark, k[i].mark);
		cr_expect_str_neq(again.token, k[i].token);
		for (int j = 0; j < i; j++)
			cr_expect_str_neq(k[i].mark, k[j].mark);
	}
	/* FNV-1a of no bytes and of "a", as published */
	cr_expect_str_eq(k[0].mark, "6c62272e07bb014262b821756295c58d");
	TEST_OK(open_key(a, &again, "k1", "alice", NULL, "a", &e), e);
	cr_expect_str_eq(again.mark, "d228cb696f1a8caf78912b704e4a8964");
	arena_free(a);
}

TEST(idempotency, a_request_waits_for_the_one_that_has_the_key)
{
	struct arena *a = arena_new();
	struct idempotency one = { .hold_ms = 2000, .ttl_ms = 60000 }, two = one;
	struct claim c;
	struct err e;
	atomic_bool stop = false;
	const struct store_config config = { .provider = "memory" };

	TEST_OK(store_open(&one.store, &config, &e), e);
	two.store = one.store;
	TEST_OK(open_key(a, &one, "k1", "alice", NULL, "{}", &e), e);
	TEST_OK(open_key(a, &two, "k1", "alice", NULL, "{}", &e), e);
	TEST_OK(idempotency_claim(&one, -1, NULL, 0, &c, &e), e);
	cr_expect_eq(c.state, CLAIM_MINE);
	cr_expect_eq(idempotency_claim(&two, -1, NULL, 100, &c, &e), ERR_BUSY);
	atomic_store(&stop, true);
	cr_expect_eq(idempotency_claim(&two, -1, &stop, 5000, &c, &e), ERR_OVERLOAD);
	TEST_OK(idempotency_settle(&one, "run-1", &e), e);
	TEST_OK(idempotency_claim(&two, -1, NULL, 0, &c, &e), e);
	cr_expect_eq(c.state, CLAIM_RUN);
	cr_expect_str_eq(c.run, "run-1");
	store_close(one.store);
	arena_free(a);
}
