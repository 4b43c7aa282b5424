/*
 * The Redis back end's own: its keys and how it runs a script. Private to src/services/store_redis*.c.
 */
#ifndef SERVICES_STORE_REDIS_H
#define SERVICES_STORE_REDIS_H

#include <stdio.h>

#include "drivers/kv.h"
#include "services/runs.h"
#include "services/store_backend.h"

enum {
	KEY_SIZE = 160,
	REDIS_END_ARGS = 6,
};

/* The scripts, each in the file that has its functions. */
enum redis_script {
	SCRIPT_LEASE, SCRIPT_LEAVE, SCRIPT_RENEW, SCRIPT_RELEASE, SCRIPT_COMMIT, SCRIPT_FORGET,
	SCRIPT_RUN_APPEND, SCRIPT_RUN_BURY, SCRIPT_RUN_CANCEL,
	SCRIPT_CLAIM, SCRIPT_CLAIM_SETTLE, SCRIPT_CLAIM_FREE,
	SCRIPT__MAX
};
extern const char LUA_RUN_APPEND[], LUA_RUN_BURY[], LUA_RUN_CANCEL[];
extern const char LUA_CLAIM[], LUA_CLAIM_SETTLE[], LUA_CLAIM_FREE[];

struct remote {                         /* the store */
	struct store base;
	struct kv *kv;
	int64_t ttl_ms;
	struct kv_script script[SCRIPT__MAX];
};

static inline struct remote *remote_of(struct store *s)
{
	return (struct remote *)s;
}

struct number {
	char text[24];
};

static inline struct str print(struct number *n, int64_t v)
{
	snprintf(n->text, sizeof(n->text), "%lld", (long long)v);
	return str_of(n->text);
}

/* "aa:{<tag>}:<part>" */
static inline struct str print_key(char out[KEY_SIZE], const char *tag, const char *part)
{
	snprintf(out, KEY_SIZE, "aa:{%s}:%s", tag, part);
	return str_of(out);
}

/* Only for a commit it matters whether it was carried out: any other call may run late or twice. */
static inline enum errcode settled(enum errcode rc, struct err *e)
{
	if (rc != ERR_UNSURE)
		return rc;
	e->code = ERR_STORE;
	return e->code;
}

static inline enum errcode odd_script(const struct remote *s, struct err *e)
{
	return err_set(e, ERR_STORE, "%s: a script gave an unexpected reply", kv_where(s->kv));
}

/* In the scripts: the server's time in milliseconds. */
#define LUA_NOW                                                                       \
	"local function now()\n"                                                      \
	"  local t = redis.call('TIME')\n"                                            \
	"  return t[1] * 1000 + math.floor(t[2] / 1000)\n"                            \
	"end\n"

/* In the scripts: settle the record of a run that has not ended; `at` is the first of the
 * REDIS_END_ARGS arguments that redis_end_args() makes. Keep it for `ttl` ms. */
#define LUA_SETTLE                                                                    \
	"local function settle(key, at, ttl)\n"                                       \
	"  redis.call('HSET', key, 'status', ARGV[at], 'ended', ARGV[at + 1], 'in', ARGV[at + 2],\n" \
	"    'out', ARGV[at + 3], 'est', ARGV[at + 4], 'error', ARGV[at + 5])\n"      \
	"  redis.call('PEXPIRE', key, ttl)\n"                                         \
	"end\n"

struct redis_end_text {
	struct number n[3];
};
void redis_end_args(struct str out[REDIS_END_ARGS], const struct run_end *end, struct redis_end_text *t);

enum errcode redis_run_read(struct store *s, struct arena *a, int64_t after, size_t max_bytes,
    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e);
enum errcode redis_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e);
enum errcode redis_run_bury(struct store *s, const char *run_id, const struct run_group *g,
    const struct run_end *end, bool *ended, struct err *e);
enum errcode redis_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e);

enum errcode redis_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e);
enum errcode redis_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e);
enum errcode redis_claim_free(struct store *s, const char *name, const char *token, struct err *e);

#endif
