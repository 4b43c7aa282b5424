/*
 * Listening to Redis: the channel aa:runs for runs that are to stop, and the channel of each followed log.
 * When a channel is joined, also after a connection was made anew, its log is read once, because earlier
 * notices were not heard.
 */
#include "services/store_redis.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "drivers/kv_listen.h"

#define RUNS "aa:runs"
#define CANCEL "cancel "

struct store_listener {
	struct kv_listen *kv;
};

struct store_listener *redis_listen_open(struct store *s)
{
	struct store_listener *l = heap_new(sizeof(*l));

	l->kv = kv_listen_open(remote_of(s)->kv);
	kv_listen_add(l->kv, RUNS);
	return l;
}

void redis_listen_close(struct store_listener *l)
{
	kv_listen_close(l->kv);
	free(l);
}

void redis_listen_add(struct store_listener *l, const char *run_id)
{
	char key[KEY_SIZE];

	print_key(key, run_id, "log");
	kv_listen_add(l->kv, key);
}

void redis_listen_drop(struct store_listener *l, const char *run_id)
{
	char key[KEY_SIZE];

	print_key(key, run_id, "log");
	kv_listen_drop(l->kv, key);
}

/* It listens all the time. */
void redis_listen_begin(struct store_listener *l)
{
	(void)l;
}

void redis_listen_wake(struct store_listener *l)
{
	kv_listen_wake(l->kv);
}

/* The id of a run, if it fits. */
static bool take_id(struct store_news *out, const char *p, size_t n)
{
	if (n == 0 || n >= sizeof(out->run))
		return false;
	memcpy(out->run, p, n);
	out->run[n] = '\0';
	return true;
}

/* The channel of a log is "aa:{<run>}:log". */
static bool channel_run(const struct kv_notice *n, struct store_news *out)
{
	const char *open = memchr(n->channel.p, '{', n->channel.n);
	const char *end = n->channel.p + n->channel.n;
	const char *close = open == NULL ? NULL : memchr(open, '}', (size_t)(end - open));

	return close != NULL && take_id(out, open + 1, (size_t)(close - open - 1));
}

enum errcode redis_listen_wait(struct store_listener *l, int ms, bool active, struct store_news *out,
    struct err *e)
{
	static const size_t skip = sizeof(CANCEL) - 1;
	struct arena *a = arena_new();
	struct kv_notice n;
	enum errcode rc = kv_listen_wait(l->kv, a, ms, &n, e);

	(void)active;
	out->kind = STORE_NEWS_NONE;
	if (rc == OK && n.kind != KV_WOKEN && channel_run(&n, out))
		out->kind = STORE_NEWS_LOG;
	else if (rc == OK && n.kind == KV_HEARD && str_eq(n.channel, RUNS) && n.text.n > skip &&
	    memcmp(n.text.p, CANCEL, skip) == 0 && take_id(out, n.text.p + skip, n.text.n - skip))
		out->kind = STORE_NEWS_CANCEL;
	arena_free(a);
	return rc;
}
