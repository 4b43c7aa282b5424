/*
 * Users, conversations and counters in every back end; passwords and tokens.
 */
#include "services/users.h"

#include <pthread.h>

#include "base/clock.h"
#include "drivers/hmac.h"
#include "drivers/password.h"
#include "services/conversations.h"
#include "services/counts.h"
#include "services/jwt.h"
#include "services/store_backend.h"
#include "tests/unit/redis_cluster.h"
#include "tests/unit/store_fix.h"

static enum user_taken add(struct fix *f, const char *id, const char *name, const char *email)
{
	const struct user u = { .id = id, .email = email, .username = name, .full_name = "Ada Lovelace",
		.hash = "hash", .active = true, .created_us = 5 };
	enum user_taken taken;

	TEST_OK(users_add(f->s, &u, &taken, &f->e), f->e);
	return taken;
}

EACH_STORE(a_user_is_found_by_id_name_and_address, 3600)
{
	struct user u;

	cr_assert_eq(add(f, "u1", "Ada", "ada@example.org"), USER_FREE);
	TEST_OK(users_find(f->s, f->a, "u1", &u, &f->e), f->e);
	cr_assert_str_eq(u.username, "Ada");
	cr_assert_str_eq(u.full_name, "Ada Lovelace");
	cr_assert_str_eq(u.hash, "hash");
	cr_assert(u.active && u.created_us == 5);
	TEST_OK(users_find_login(f->s, f->a, "ADA", &u, &f->e), f->e);
	TEST_OK(users_find_login(f->s, f->a, "Ada@Example.ORG", &u, &f->e), f->e);
	cr_assert_str_eq(u.id, "u1");
	cr_assert_eq(users_find_login(f->s, f->a, "eve", &u, &f->e), ERR_NOTFOUND);
	cr_assert_eq(users_find(f->s, f->a, "../u1", &u, &f->e), ERR_NOTFOUND);
	cr_assert_eq(users_find_login(f->s, f->a, "", &u, &f->e), ERR_NOTFOUND);
}

EACH_STORE(names_and_addresses_are_unique_in_any_case, 3600)
{
	enum user_taken taken;
	struct user u;

	cr_assert_eq(add(f, "u1", "Ada", "ada@example.org"), USER_FREE);
	cr_assert_eq(add(f, "u2", "aDA", "other@example.org"), USER_NAME_TAKEN);
	cr_assert_eq(add(f, "u2", "bob", "ADA@example.org"), USER_EMAIL_TAKEN);
	cr_assert_eq(users_find(f->s, f->a, "u2", &u, &f->e), ERR_NOTFOUND, "nothing was stored");
	cr_assert_eq(add(f, "u2", "bob", "bob@example.org"), USER_FREE);
	TEST_OK(users_find(f->s, f->a, "u2", &u, &f->e), f->e);
	u.username = "ADA";
	TEST_OK(users_change(f->s, &u, &taken, &f->e), f->e);
	cr_assert_eq(taken, USER_NAME_TAKEN);
	u.username = "Bobby";
	u.full_name = NULL;
	u.active = false;
	u.hash = "another";
	TEST_OK(users_set_active(f->s, "u2", false, &f->e), f->e);
	u.active = true;
	TEST_OK(users_change(f->s, &u, &taken, &f->e), f->e);
	cr_assert_eq(taken, USER_FREE);
	TEST_OK(users_find_login(f->s, f->a, "bobby", &u, &f->e), f->e);
	cr_assert(u.full_name == NULL);
	cr_assert_not(u.active, "a change of names does not open an account");
	cr_assert_str_eq(u.hash, "hash", "a change of names leaves the password");
	TEST_OK(users_set_password(f->s, "u2", "another", &f->e), f->e);
	TEST_OK(users_find(f->s, f->a, "u2", &u, &f->e), f->e);
	cr_assert_str_eq(u.hash, "another");
	cr_assert(u.tokens_from_s > 0 && !u.active && streq(u.username, "Bobby"));
	TEST_OK(users_set_active(f->s, "u2", true, &f->e), f->e);
	TEST_OK(users_find(f->s, f->a, "u2", &u, &f->e), f->e);
	cr_assert(u.active && streq(u.hash, "another"));
	cr_assert_eq(users_set_active(f->s, "nobody", true, &f->e), ERR_NOTFOUND);
	cr_assert_eq(users_set_password(f->s, "nobody", "h", &f->e), ERR_NOTFOUND);
	cr_assert_eq(users_find_login(f->s, f->a, "bob", &u, &f->e), ERR_NOTFOUND, "the old name is free");
	cr_assert_eq(add(f, "u3", "bob", "third@example.org"), USER_FREE);
	TEST_OK(users_drop(f->s, "u3", &f->e), f->e);
	cr_assert_eq(users_find_login(f->s, f->a, "bob", &u, &f->e), ERR_NOTFOUND, "deleted");
	cr_assert_eq(users_drop(f->s, "u3", &f->e), ERR_NOTFOUND);
	cr_assert_eq(add(f, "u4", "bob", "third@example.org"), USER_FREE, "name and address are free");
	u = (struct user){ .id = "nobody", .email = "x@y", .username = "x" };
	cr_assert_eq(users_change(f->s, &u, &taken, &f->e), ERR_NOTFOUND);
	u.username = "x@y";
	cr_assert_eq(users_add(f->s, &u, &taken, &f->e), ERR_INPUT, "a name that looks like an address");
}

struct racer {
	struct fix *f;
	int n, won;
};

static void *race(void *arg)
{
	struct racer *r = arg;

	for (int i = 0; i < 10; i++) {
		char id[32], name[32], email[32];
		enum user_taken taken;
		struct err e = { 0 };

		snprintf(id, sizeof(id), "u%d-%d", r->n, i);
		snprintf(name, sizeof(name), "name%d", i);
		snprintf(email, sizeof(email), "%d-%d@example.org", r->n, i);
		const struct user u = { .id = id, .email = email, .username = name, .hash = "h", .active = true };
		if (users_add(r->f->s, &u, &taken, &e) == OK && taken == USER_FREE)
			r->won++;
	}
	return NULL;
}

EACH_STORE(one_of_many_registrations_gets_a_name, 3600)
{
	struct racer r[4];
	pthread_t t[4];
	int won = 0;

	for (int i = 0; i < 4; i++) {
		r[i] = (struct racer){ f, i, 0 };
		cr_assert_eq(pthread_create(&t[i], NULL, race, &r[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		won += r[i].won;
	}
	cr_assert_eq(won, 10, "%d", won);
}

static void talk(struct fix *f, const char *owner, const char *id, int64_t at_us)
{
	const struct conversation c = { .id = id, .title = "New Conversation", .created_us = at_us };

	TEST_OK(conversations_add(f->s, owner, &c, 3, &f->e), f->e);
}

EACH_STORE(conversations_are_listed_newest_first, 3600)
{
	const int64_t now = clock_wall_us();
	struct conversation *list, c;
	int64_t turn;
	size_t n;

	talk(f, "alice", "c1", now - 30);
	talk(f, "alice", "c2", now - 20);
	talk(f, "alice", "c3", now - 10);
	talk(f, "bob}{ of alice", "c4", now);
	c = (struct conversation){ .id = "c5", .title = "t", .created_us = now };
	cr_assert_eq(conversations_add(f->s, "alice", &c, 3, &f->e), ERR_LIMIT);
	TEST_OK(conversations_turn(f->s, "alice", "c1", "run-0", now + 4, &turn, &f->e), f->e);
	cr_assert_eq(turn, 1);
	TEST_OK(conversations_turn(f->s, "alice", "c1", "run-1", now + 5, &turn, &f->e), f->e);
	cr_assert_eq(turn, 2);
	TEST_OK(conversations_rename(f->s, "alice", "c2", "Zoë", now + 1, &f->e), f->e);
	TEST_OK(conversations_list(f->s, f->a, "alice", 0, 100, &list, &n, &f->e), f->e);
	cr_assert_eq(n, 3);
	cr_assert_str_eq(list[0].id, "c1", "a message moves it (W16)");
	cr_assert_str_eq(list[0].run, "run-1");
	cr_assert_eq(list[0].turn, 2);
	cr_assert_eq(list[0].updated_us, now + 5);
	cr_assert_eq(list[0].created_us, now - 30);
	cr_assert_str_eq(list[1].title, "Zoë");
	cr_assert_str_eq(list[2].id, "c3");
	TEST_OK(conversations_list(f->s, f->a, "alice", 1, 1, &list, &n, &f->e), f->e);
	cr_assert_eq(n, 1);
	cr_assert_str_eq(list[0].id, "c2");
	TEST_OK(conversations_list(f->s, f->a, "alice", 3, 10, &list, &n, &f->e), f->e);
	cr_assert_eq(n, 0);
}

EACH_STORE(a_conversation_exists_for_its_owner_only, 3600)
{
	struct conversation c;
	int64_t turn;

	talk(f, "alice", "c1", clock_wall_us());
	TEST_OK(conversations_find(f->s, f->a, "alice", "c1", &c, &f->e), f->e);
	cr_assert_str_eq(c.run, "");
	cr_assert_eq(conversations_find(f->s, f->a, "bob", "c1", &c, &f->e), ERR_NOTFOUND);
	cr_assert_eq(conversations_rename(f->s, "bob", "c1", "mine", 1, &f->e), ERR_NOTFOUND);
	cr_assert_eq(conversations_turn(f->s, "bob", "c1", "r", 1, &turn, &f->e), ERR_NOTFOUND);
	cr_assert_eq(conversations_drop(f->s, "bob", "c1", &f->e), ERR_NOTFOUND);
	cr_assert_eq(conversations_find(f->s, f->a, "alice", "../c1", &c, &f->e), ERR_INPUT);
	TEST_OK(conversations_drop(f->s, "alice", "c1", &f->e), f->e);
	cr_assert_eq(conversations_find(f->s, f->a, "alice", "c1", &c, &f->e), ERR_NOTFOUND);
	cr_assert_eq(conversations_drop(f->s, "alice", "c1", &f->e), ERR_NOTFOUND);
}

EACH_STORE(conversations_expire_like_threads_and_make_room, 1)
{
	struct conversation *list, c;
	size_t n;

	for (int i = 0; i < 3; i++)
		talk(f, "alice", (const char *[]){ "c1", "c2", "c3" }[i], clock_wall_us());
	clock_sleep_ms(600);
	TEST_OK(conversations_rename(f->s, "alice", "c3", "kept", clock_wall_us(), &f->e), f->e);
	clock_sleep_ms(600);
	TEST_OK(conversations_list(f->s, f->a, "alice", 0, 10, &list, &n, &f->e), f->e);
	cr_assert_eq(n, 1, "%zu", n);
	cr_assert_str_eq(list[0].id, "c3");
	cr_assert_eq(conversations_find(f->s, f->a, "alice", "c1", &c, &f->e), ERR_NOTFOUND);
	talk(f, "alice", "c4", clock_wall_us());
	talk(f, "alice", "c5", clock_wall_us());
}

EACH_STORE(a_counter_refuses_what_is_too_often, 3600)
{
	int64_t left;

	for (int i = 0; i < 3; i++)
		TEST_OK(store_count(f->s, "login:ada", 1, 3, 150, &left, &f->e), f->e);
	cr_assert_eq(store_count(f->s, "login:ada", 1, 3, 150, &left, &f->e), ERR_LIMIT);
	cr_assert(left > 0 && left <= 150, "%lld", (long long)left);
	TEST_OK(store_count(f->s, "login:bob", 1, 3, 150, &left, &f->e), f->e);
	clock_sleep_ms(200);
	TEST_OK(store_count(f->s, "login:ada", 1, 1, 60000, &left, &f->e), f->e);
	TEST_OK(store_count(f->s, "login:ada", -1, 1, 60000, &left, &f->e), f->e);
	TEST_OK(store_count(f->s, "login:ada", 1, 1, 60000, &left, &f->e), f->e);
	cr_assert_eq(store_count(f->s, "login:ada", 1, 1, 60000, &left, &f->e), ERR_LIMIT);
	TEST_OK(store_count(f->s, "login:ada", 1, 0, 60000, &left, &f->e), f->e);
	cr_assert_eq(store_count(f->s, "login: ada", 1, 9, 60000, &left, &f->e), ERR_INPUT);
}

/* -- passwords -- */

TEST(password, is_recognised)
{
	char hash[PASSWORD_HASH_SIZE], again[PASSWORD_HASH_SIZE];
	bool right;
	struct err e;

	TEST_OK(password_hash(hash, "correct horse", &e), e);
	TEST_OK(password_hash(again, "correct horse", &e), e);
	cr_assert_eq(strncmp(hash, "$y$", 3), 0);
	cr_assert_str_neq(hash, again, "each hash has a salt of its own");
	TEST_OK(password_check(hash, "correct horse", &right, &e), e);
	cr_assert(right);
	TEST_OK(password_check(hash, "correct hors", &right, &e), e);
	cr_assert_not(right);
	TEST_OK(password_check(NULL, "correct horse", &right, &e), e);
	cr_assert_not(right, "there is no such user");
	TEST_OK(password_check(NULL, "nobody", &right, &e), e);
	cr_assert_not(right, "nor with the password of the stand-in");
}

static int64_t cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* An unknown name may not be told from a wrong password by its time. */
TEST(password, takes_as_long_for_nobody)
{
	char hash[PASSWORD_HASH_SIZE];
	int64_t best[2] = { INT64_MAX, INT64_MAX };
	bool right;
	struct err e;

	TEST_OK(password_hash(hash, "correct horse", &e), e);
	for (int i = 0; i < 6; i++) {
		const int64_t from = cpu_us();
		TEST_OK(password_check(i % 2 == 0 ? hash : NULL, "wrong", &right, &e), e);
		const int64_t took = cpu_us() - from;
		if (took < best[i % 2])
			best[i % 2] = took;
	}
	cr_assert(best[1] * 2 > best[0] && best[0] * 2 > best[1], "%lld us, %lld us", (long long)best[0],
	    (long long)best[1]);
}

/* -- tokens -- */

static const char SECRET[] = "0123456789abcdef0123456789abcdef";

TEST(jwt, is_accepted_until_it_ends)
{
	struct arena *a = arena_new();
	const char *token = jwt_issue(a, SECRET, "user-1", 1000, 2000), *who;
	int64_t iat;
	struct err e;

	TEST_OK(jwt_check(a, SECRET, token, 1999, &who, &iat, &e), e);
	cr_assert_str_eq(who, "user-1");
	cr_assert_eq(jwt_check(a, SECRET, token, 2000, &who, &iat, &e), ERR_AUTH);
	cr_assert_eq(jwt_check(a, "another key, which is as long as that", token, 1500, &who, &iat, &e), ERR_AUTH);
	for (size_t i = 0; token[i] != '\0'; i++) {
		char *changed = arena_strdup(a, token);
		changed[i] = changed[i] == 'A' ? 'B' : 'A';
		cr_assert_eq(jwt_check(a, SECRET, changed, 1500, &who, &iat, &e), ERR_AUTH, "byte %zu", i);
	}
	arena_free(a);
}

/* A token of other tools: python3 -c 'jwt.encode({"sub":"u","exp":4102444800,"type":"access"}, SECRET, "HS256")' */
TEST(jwt, of_other_tools_is_accepted)
{
	static const char token[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
	    "eyJzdWIiOiJ1IiwiZXhwIjo0MTAyNDQ0ODAwLCJ0eXBlIjoiYWNjZXNzIn0.L45fEf755QBoPr4dnDxNlvI-xzkPcY63RghsCI-sEhs";
	struct arena *a = arena_new();
	const char *who;
	int64_t iat;
	struct err e;

	TEST_OK(jwt_check(a, SECRET, token, 1500, &who, &iat, &e), e);
	cr_assert_str_eq(who, "u");
	arena_free(a);
}

/* Each row: what the header and the claims of a token that is signed with our key say. */
static const struct {
	const char *header, *claims;
} forged[] = {
	{ "{\"alg\":\"none\"}", "{\"sub\":\"u\",\"exp\":4102444800,\"type\":\"access\"}" },
	{ "{\"alg\":\"HS512\"}", "{\"sub\":\"u\",\"exp\":4102444800,\"type\":\"access\"}" },
	{ "{}", "{\"sub\":\"u\",\"exp\":4102444800,\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":\"u\",\"exp\":4102444800,\"type\":\"refresh\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":\"u\",\"exp\":4102444800}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":\"u\",\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":\"u\",\"exp\":\"4102444800\",\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":\"u\",\"exp\":1,\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"exp\":4102444800,\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "{\"sub\":7,\"exp\":4102444800,\"type\":\"access\"}" },
	{ "{\"alg\":\"HS256\"}", "[]" },
	{ "{\"alg\":\"HS256\"}", "not JSON" },
	{ "\"HS256\"", "{\"sub\":\"u\",\"exp\":4102444800,\"type\":\"access\"}" },
};

static const char *base64url(struct arena *a, const void *data, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const unsigned char *p = data;
	char *out = arena_alloc(a, n * 2 + 1), *to = out;

	for (size_t i = 0; i < n; i += 3) {
		const unsigned int v = (unsigned int)p[i] << 16 | (i + 1 < n ? (unsigned int)p[i + 1] << 8 : 0) |
		    (i + 2 < n ? p[i + 2] : 0);
		for (size_t k = 0; k < 4 && i * 4 / 3 + k < (n * 4 + 2) / 3; k++)
			*to++ = digits[v >> (18 - 6 * k) & 63];
	}
	return out;
}

/* W17: the type and the algorithm are checked, not only the signature. */
TEST(jwt, with_other_claims_is_refused)
{
	struct arena *a = arena_new();
	const char *who;
	int64_t iat;
	struct err e;

	for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
		unsigned char mac[HMAC_SIZE];
		const char *text = arena_printf(a, "%s.%s", base64url(a, forged[i].header, strlen(forged[i].header)),
		    base64url(a, forged[i].claims, strlen(forged[i].claims)));
		cr_assert(hmac_sha256(mac, str_of(SECRET), str_of(text)));
		const char *token = arena_printf(a, "%s.%s", text, base64url(a, mac, sizeof(mac)));
		cr_assert_eq(jwt_check(a, SECRET, token, 1500, &who, &iat, &e), ERR_AUTH, "%s %s", forged[i].header,
		    forged[i].claims);
	}
	static const char *const odd[] = { "", ".", "..", "...", "a.b", "a.b.c", "eyJhbGciOiJub25lIn0.e30." };
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		cr_assert_eq(jwt_check(a, SECRET, odd[i], 1500, &who, &iat, &e), ERR_AUTH, "%s", odd[i]);
	char *huge = arena_alloc(a, 100000);
	memset(huge, 'a', 99999);
	cr_assert_eq(jwt_check(a, SECRET, huge, 1500, &who, &iat, &e), ERR_AUTH);
	arena_free(a);
}

/* The keys of users are in one slot, those of an owner's conversations in another. */
TEST(store_redis, accounts_in_a_cluster, .timeout = 120)
{
	struct fix f = { .provider = "redis", .a = arena_new() };
	struct redis_cluster c;

	signal(SIGPIPE, SIG_IGN);
	if (!cluster_start(&c)) {
		cluster_stop(&c);
		arena_free(f.a);
		test_skip("no redis-server");
	}
	f.c = (struct store_config){ .provider = "redis", .redis_url = c.url, .ttl_s = 60, .timeout_ms = 2000 };
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	a_user_is_found_by_id_name_and_address(&f);
	names_and_addresses_are_unique_in_any_case(&f);
	conversations_are_listed_newest_first(&f);
	a_counter_refuses_what_is_too_often(&f);
	store_close(f.s);
	cluster_stop(&c);
	arena_free(f.a);
}

/* A store in memory is small: conversations that were not used for longest make room, whoever's they are. */
TEST(store_memory, conversations_make_room_for_each_other)
{
	struct arena *a = arena_new();
	struct conversation c;
	struct store *s;
	struct err e;
	char id[16], owner[16];

	TEST_OK(store_memory_new(&s, 3600, 10, 1 << 20, &e), e);
	for (int i = 0; i < 40; i++) {
		snprintf(id, sizeof(id), "c%d", i);
		snprintf(owner, sizeof(owner), "user%d", i);
		c = (struct conversation){ .id = id, .title = "t", .created_us = clock_wall_us() };
		TEST_OK(conversations_add(s, owner, &c, 5, &e), e);
	}
	TEST_OK(conversations_find(s, a, "user39", "c39", &c, &e), e);
	cr_assert_eq(conversations_find(s, a, "user0", "c0", &c, &e), ERR_NOTFOUND);
	store_close(s);
	arena_free(a);
}
