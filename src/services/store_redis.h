/*
 * The Redis back end's own: its keys and how it runs a script. Private to src/services/store_redis*.c.
 */
#ifndef SERVICES_STORE_REDIS_H
#define SERVICES_STORE_REDIS_H

#include <stdio.h>

#include "drivers/kv.h"
#include "services/runs.h"
#include "services/store_accounts.h"
#include "services/store_backend.h"
#include "services/store_threads.h"

enum {
	KEY_SIZE = 160,
	REDIS_END_ARGS = 6,
	REDIS_SESSION_ARGS = 6,
	SESSION_KEY_SIZE = STORE_ID_MAX + STORE_OWNER_MAX + 32,
};

/* A commit's arguments before its messages, and where those of the session are. */
enum { SESSION_ARGS = 15 + REDIS_END_ARGS + 4, COMMIT_ARGS = SESSION_ARGS + REDIS_SESSION_ARGS };

/* The scripts: those of a turn in store_redis_scripts.c, the others beside their functions. */
enum redis_script {
	SCRIPT_LEASE, SCRIPT_LEAVE, SCRIPT_RENEW, SCRIPT_RELEASE, SCRIPT_COMMIT, SCRIPT_FORGET,
	SCRIPT_RUN_APPEND, SCRIPT_RUN_BURY, SCRIPT_RUN_CANCEL,
	SCRIPT_CLAIM, SCRIPT_CLAIM_SETTLE, SCRIPT_CLAIM_FREE,
	SCRIPT_SLICE, SCRIPT_SESSION_TURN, SCRIPT_SESSION_DROP,
	SCRIPT_USER_SET, SCRIPT_USER_PUT, SCRIPT_USER_DROP,
	SCRIPT_TALK_ADD, SCRIPT_TALK_SET, SCRIPT_TALK_DROP, SCRIPT_TALK_LIST, SCRIPT_COUNT,
	SCRIPT__MAX
};
extern const char LUA_LEASE[], LUA_LEAVE[], LUA_RENEW[], LUA_RELEASE[], LUA_COMMIT[], LUA_FORGET[];
extern const char LUA_SLICE[], LUA_SESSION_TURN[], LUA_SESSION_DROP[];
extern const char LUA_RUN_APPEND[], LUA_RUN_BURY[], LUA_RUN_CANCEL[];
extern const char LUA_CLAIM[], LUA_CLAIM_SETTLE[], LUA_CLAIM_FREE[];
extern const char LUA_USER_SET[], LUA_USER_PUT[], LUA_USER_DROP[], LUA_TALK_ADD[], LUA_TALK_SET[], LUA_TALK_DROP[], LUA_TALK_LIST[], LUA_COUNT[];

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

/* In the scripts: why the thread must be left alone: 'foreign', another owner's; 'newer'; or nil. */
#define FORM "3"                         /* the newest form of a thread's keys that this program knows */
#define LUA_FOREIGN                                                                   \
	"local function foreign(user, agent, default)\n"                              \
	"  local m = redis.call('HMGET', KEYS[1], 'ver', 'owner', 'agent', 'form')\n" \
	"  if m[4] and tonumber(m[4]) ~= " FORM " then return 'newer' end\n"          \
	"  if m[1] and ((m[2] and m[2] ~= user) or (m[3] or default) ~= agent) then\n" \
	"    return 'foreign'\n"                                                      \
	"  end\n"                                                                     \
	"end\n"

/* In the scripts: count a turn of the thread in its session, whose key lives for `ttl` ms; `at` is the
 * first of the REDIS_SESSION_ARGS arguments that redis_session_args() makes: persona, time, tokens in,
 * tokens out, the longest list of threads, the thread. */
#define LUA_SESSION                                                                   \
	"local function session(key, at, ttl)\n"                                      \
	"  local h = redis.call('HMGET', key, 'threads', 'turns', 'in', 'out', 'first')\n" \
	"  local list, thread = h[1] or '', ARGV[at + 5]\n"                           \
	"  if string.sub(' ' .. list, -#thread - 1) ~= ' ' .. thread then\n"          \
	"    local kept = {}\n"                                                       \
	"    for id in string.gmatch(list, '%S+') do\n"                               \
	"      if id ~= thread then kept[#kept + 1] = id end\n"                       \
	"    end\n"                                                                   \
	"    kept[#kept + 1] = thread\n"                                              \
	"    list = table.concat(kept, ' ', math.max(1, #kept - ARGV[at + 4] + 1))\n" \
	"  end\n"                                                                     \
	"  redis.call('HSET', key, 'threads', list, 'turns', (h[2] or 0) + 1,\n"      \
	"    'in', (h[3] or 0) + ARGV[at + 2], 'out', (h[4] or 0) + ARGV[at + 3],\n"  \
	"    'persona', ARGV[at], 'first', h[5] or ARGV[at + 1], 'last', ARGV[at + 1])\n" \
	"  if ttl > 0 then redis.call('PEXPIRE', key, ttl)\n"                         \
	"  else redis.call('PERSIST', key) end\n"                                     \
	"end\n"

struct redis_session_text {
	struct number n[4];
};
void redis_session_args(struct str out[REDIS_SESSION_ARGS], const struct kept_turn *c,
    const char *thread_id, struct redis_session_text *text);
struct str redis_session_key(char out[SESSION_KEY_SIZE], const char *id, const char *user);
/* Where the session lies in another slot than the thread: count the turn after its commit. */
enum errcode redis_session_turn(struct remote *s, const struct kept_turn *c, const struct lease *l,
    struct err *e);
/* The session with this key forgets a thread. */
enum errcode redis_session_drop(struct remote *s, struct str key, const char *thread_id, struct err *e);

/* A message as it is stored. */
struct str redis_message(struct arena *a, const struct kept *k);
/* Stored messages; out->id is the thread. The texts live as long as the reply. */
enum errcode redis_messages(const struct remote *s, struct arena *a, const char *thread_id,
    const struct kv_reply *list, struct message **out, struct err *e);
enum errcode redis_newer_thread(const char *thread_id, struct err *e);
enum errcode redis_odd_thread(const struct remote *s, const char *thread_id, struct err *e);

extern const struct store_thread_ops store_redis_threads;

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
struct store_listener *redis_listen_open(struct store *s);
void redis_listen_close(struct store_listener *l);
void redis_listen_add(struct store_listener *l, const char *run_id);
void redis_listen_drop(struct store_listener *l, const char *run_id);
void redis_listen_begin(struct store_listener *l);
void redis_listen_wake(struct store_listener *l);
enum errcode redis_listen_wait(struct store_listener *l, int ms, bool active, struct store_news *out,
    struct err *e);
enum errcode redis_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e);

enum errcode redis_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e);
enum errcode redis_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e);
enum errcode redis_claim_free(struct store *s, const char *name, const char *token, struct err *e);

#endif
