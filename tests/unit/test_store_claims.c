/*
 * Claims: of two workers one gets the key, and a dead worker leaves no key behind that nobody can use.
 */
#include "services/claims.h"

#include <pthread.h>

#include "base/clock.h"
#include "tests/unit/store_fix.h"

static struct claim claim(struct fix *f, const char *name, const char *mark, const char *token,
    int64_t hold_ms)
{
	struct claim c;

	TEST_OK(store_claim(f->s, name, mark, token, hold_ms, &c, &f->e), f->e);
	return c;
}

EACH_STORE(a_key_names_its_run, 3600)
{
	struct claim c = claim(f, "u:alice:k1", "m1", "one", 5000);

	cr_assert_eq(c.state, CLAIM_MINE);
	c = claim(f, "u:alice:k1", "m1", "two", 5000);
	cr_assert_eq(c.state, CLAIM_PENDING);
	cr_assert(c.left_ms > 0 && c.left_ms <= 5000, "%lld", (long long)c.left_ms);
	cr_assert_eq(claim(f, "u:alice:k1", "m2", "two", 5000).state, CLAIM_OTHER);
	cr_assert_eq(claim(f, "u:bob:k1", "m2", "two", 5000).state, CLAIM_MINE, "another owner's key");
	cr_assert_eq(claim(f, "u:alice:k1", "m1", "one", 5000).state, CLAIM_MINE, "repeated");
	TEST_OK(store_claim_settle(f->s, "u:alice:k1", "m1", "one", "run-1", 60000, &f->e), f->e);
	TEST_OK(store_claim_settle(f->s, "u:alice:k1", "m1", "one", "run-1", 60000, &f->e), f->e);
	c = claim(f, "u:alice:k1", "m1", "two", 5000);
	cr_assert_eq(c.state, CLAIM_RUN);
	cr_assert_str_eq(c.run, "run-1");
	cr_assert_eq(claim(f, "u:alice:k1", "m2", "two", 5000).state, CLAIM_OTHER);
	/* neither its own token nor another one frees it now */
	TEST_OK(store_claim_free(f->s, "u:alice:k1", "one", &f->e), f->e);
	TEST_OK(store_claim_free(f->s, "u:alice:k1", "two", &f->e), f->e);
	cr_assert_eq(claim(f, "u:alice:k1", "m1", "two", 5000).state, CLAIM_RUN);
}

EACH_STORE(a_refused_request_frees_its_key, 3600)
{
	cr_assert_eq(claim(f, "k", "m1", "one", 5000).state, CLAIM_MINE);
	TEST_OK(store_claim_free(f->s, "k", "two", &f->e), f->e);
	cr_assert_eq(claim(f, "k", "m1", "two", 5000).state, CLAIM_PENDING);
	TEST_OK(store_claim_free(f->s, "k", "one", &f->e), f->e);
	TEST_OK(store_claim_free(f->s, "k", "one", &f->e), f->e);
	cr_assert_eq(claim(f, "k", "m2", "two", 5000).state, CLAIM_MINE, "for any request");
}

/* Its worker was killed before the run began. */
EACH_STORE(a_claim_that_is_not_settled_ends, 3600)
{
	struct err e;

	cr_assert_eq(claim(f, "k", "m1", "one", 60).state, CLAIM_MINE);
	for (int i = 0; i < 4; i++) {                    /* it is kept while it is repeated */
		clock_sleep_ms(25);
		cr_assert_eq(claim(f, "k", "m1", "one", 60).state, CLAIM_MINE);
	}
	clock_sleep_ms(90);
	cr_assert_eq(claim(f, "k", "m1", "two", 5000).state, CLAIM_MINE);
	cr_assert_eq(store_claim_settle(f->s, "k", "m1", "one", "run-1", 60000, &e), ERR_BUSY, "it comes back");
	cr_assert_eq(claim(f, "k", "m1", "one", 5000).state, CLAIM_PENDING);
	TEST_OK(store_claim_settle(f->s, "k", "m1", "two", "run-2", 60, &f->e), f->e);
	cr_assert_str_eq(claim(f, "k", "m1", "one", 5000).run, "run-2");
	clock_sleep_ms(90);
	cr_assert_eq(claim(f, "k", "m2", "one", 5000).state, CLAIM_MINE, "a settled claim expires");
}

EACH_STORE(odd_claims_are_refused, 3600)
{
	char long_name[CLAIM_NAME_MAX + 2], long_mark[CLAIM_MARK_MAX + 2];
	struct claim c;

	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	memset(long_mark, 'x', sizeof(long_mark) - 1);
	long_mark[sizeof(long_mark) - 1] = '\0';
	const struct {
		const char *name, *mark, *token;
		int64_t hold_ms;
	} odd[] = {
		{ "", "m", "t", 5 }, { "a b", "m", "t", 5 }, { "\xc3\xa9", "m", "t", 5 }, { long_name, "m", "t", 5 },
		{ "k", "", "t", 5 }, { "k", "a:b", "t", 5 }, { "k", long_mark, "t", 5 }, { "k", "m", "", 5 },
		{ "k", "m", "a b", 5 }, { "k", "m", "t", 0 }, { "k", "m", "t", 3600 * 1000 },
	};
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		cr_expect_eq(store_claim(f->s, odd[i].name, odd[i].mark, odd[i].token, odd[i].hold_ms, &c, &f->e),
		    ERR_INPUT, "%zu", i);
	cr_expect_eq(store_claim_settle(f->s, "k", "m", "t", "a b", 5, &f->e), ERR_INPUT);
	long_name[CLAIM_NAME_MAX] = '\0';
	cr_expect_eq(claim(f, long_name, "m", "t", 5).state, CLAIM_MINE);
}

/* -- many at once -- */

enum { RIVALS = 8, KEYS = 20 };

struct claimer {
	struct store *s;
	int number, won;
	struct err e;
};

static void *grab(void *arg)
{
	struct claimer *me = arg;
	char name[16], token[16];

	snprintf(token, sizeof(token), "t%d", me->number);
	for (int i = 0; i < KEYS; i++) {
		struct claim c;

		snprintf(name, sizeof(name), "k%d", i);
		if (store_claim(me->s, name, "m", token, 20000, &c, &me->e) != OK)
			return NULL;
		me->won += c.state == CLAIM_MINE;
	}
	me->e.code = OK;
	return NULL;
}

EACH_STORE(of_many_one_gets_the_key, 3600)
{
	struct claimer r[RIVALS];
	pthread_t t[RIVALS];
	int won = 0;

	for (int i = 0; i < RIVALS; i++) {
		r[i] = (struct claimer){ .s = f->s, .number = i, .e.code = ERR_STORE };
		pthread_create(&t[i], NULL, grab, &r[i]);
	}
	for (int i = 0; i < RIVALS; i++) {
		pthread_join(t[i], NULL);
		TEST_OK(r[i].e.code, r[i].e);
		won += r[i].won;
	}
	cr_assert_eq(won, KEYS);
}
