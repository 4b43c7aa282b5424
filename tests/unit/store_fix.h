/*
 * A thread store for a test, with its folder or server, and the calls that most tests make.
 */
#ifndef TESTS_UNIT_STORE_FIX_H
#define TESTS_UNIT_STORE_FIX_H

#include <signal.h>

#include "base/str.h"
#include "services/store.h"
#include "tests/unit/redis_server.h"
#include "tests/unit/test.h"

struct fix {
	const char *provider;
	struct store_config c;
	struct store *s;
	struct arena *a;
	struct err e;
	char *dir;
	char path[512];
	struct redis_server redis;
};

static inline bool fix_up(struct fix *f, const char *provider, int64_t ttl_s)
{
	*f = (struct fix){ .provider = provider };
	signal(SIGPIPE, SIG_IGN);
	f->dir = test_mkdtemp();
	f->a = arena_new();
	snprintf(f->path, sizeof(f->path), "%s/threads.db", f->dir);
	if (streq(provider, "redis") && !redis_start(&f->redis, f->dir, NULL)) {
		arena_free(f->a);
		test_rmdir(f->dir);
		return false;
	}
	f->c = (struct store_config){ .provider = provider, .redis_url = f->redis.url,
	    .sqlite_path = f->path, .ttl_s = ttl_s, .timeout_ms = 2000 };
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
	return true;
}

static inline void fix_down(struct fix *f)
{
	store_close(f->s);
	redis_stop(&f->redis);
	arena_free(f->a);
	test_rmdir(f->dir);
}

static inline struct lease lease(struct fix *f, const char *thread, const char *run, int64_t ttl_ms)
{
	struct lease l;
	int64_t retry = -1;

	TEST_OK(store_lease(f->s, thread, run, NULL, ttl_ms, &l, &retry, &f->e), f->e);
	return l;
}

static inline enum errcode turn(struct fix *f, const struct lease *l, int64_t version,
    const char *user, const char *assistant, const char *state)
{
	const struct message m[] = { MESSAGE("user", user), MESSAGE("assistant", assistant) };
	const struct commit c = { .version = version, .append = m, .nappend = 2, .state = state };

	return store_commit(f->s, l, NULL, &c, &f->e);
}

static inline struct thread load(struct fix *f, const char *thread, size_t max)
{
	struct thread t;

	TEST_OK(store_load(f->s, f->a, thread, NULL, max, &t, &f->e), f->e);
	return t;
}

static inline struct thread load_as(struct fix *f, const char *thread, const char *user, size_t max)
{
	struct thread t;

	TEST_OK(store_load(f->s, f->a, thread, &(struct thread_owner){ .user = user }, max, &t, &f->e),
	    f->e);
	return t;
}

#define USER(name) (&(struct thread_owner){ .user = (name) })
#define AGENT(name) (&(struct thread_owner){ .agent = (name) })

static inline void with_store(const char *provider, int64_t ttl_s, void (*fn)(struct fix *))
{
	struct fix f;

	if (!fix_up(&f, provider, ttl_s))
		test_skip("no redis-server");
	fn(&f);
	fix_down(&f);
}

/* A test for every back end: EACH_STORE(name, ttl_s) { … f … } */
#define EACH_STORE(name, ttl_s)                                                       \
	static void name(struct fix *f);                                              \
	TEST(store_memory, name, .timeout = 120) { with_store("memory", ttl_s, name); } \
	TEST(store_sqlite, name, .timeout = 120) { with_store("sqlite", ttl_s, name); } \
	TEST(store_redis, name, .timeout = 120) { with_store("redis", ttl_s, name); }   \
	static void name(struct fix *f)

#endif
