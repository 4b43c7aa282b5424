/*
 * Claims in Redis.
 *
 *   aa:key:<name>     "c:<token>:<mark>" while it is claimed, "r:<run>:<mark>" when it has begun a run
 */
#include "services/store_redis.h"

#define LUA_READ                                                                      \
	"local v = redis.call('GET', KEYS[1]) or ''\n"                                \
	"local kind, who, mark = string.match(v, '^(%a):([^:]*):([^:]*)$')\n"         \

/* KEYS: key. ARGV: token mark hold_ms */
const char LUA_CLAIM[] = LUA_READ
	"if not kind or (kind == 'c' and who == ARGV[1]) then\n"
	"  redis.call('SET', KEYS[1], 'c:' .. ARGV[1] .. ':' .. ARGV[2], 'PX', ARGV[3])\n"
	"  return {'mine'}\n"
	"end\n"
	"if mark ~= ARGV[2] then return {'other'} end\n"
	"if kind == 'c' then return {'pending', redis.call('PTTL', KEYS[1])} end\n"
	"return {'run', who}\n";

/* KEYS: key. ARGV: token mark run ttl_ms */
const char LUA_CLAIM_SETTLE[] =
	"local v, run = redis.call('GET', KEYS[1]), 'r:' .. ARGV[3] .. ':' .. ARGV[2]\n"
	"if v ~= run and v ~= 'c:' .. ARGV[1] .. ':' .. ARGV[2] then return {'lost'} end\n"
	"redis.call('SET', KEYS[1], run, 'PX', ARGV[4])\n"
	"return {'mine'}\n";

/* KEYS: key. ARGV: token */
const char LUA_CLAIM_FREE[] = LUA_READ
	"if kind == 'c' and who == ARGV[1] then redis.call('DEL', KEYS[1]) end\n"
	"return {'mine'}\n";

static enum errcode claim_script(struct store *store, struct arena *a, enum redis_script script,
    const char *name, const struct str *args, size_t nargs, struct kv_reply *r, struct err *e)
{
	struct remote *s = remote_of(store);
	const struct str key = str_of(arena_printf(a, "aa:key:%s", name));
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[script], &key, 1, args, nargs, r, e), e);

	if (rc == OK && (r->type != KV_LIST || r->n == 0 || r->item[0].type != KV_TEXT))
		rc = odd_script(s, e);
	return rc;
}

enum errcode redis_claim(struct store *store, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e)
{
	struct arena *a = arena_new();
	struct number hold;
	const struct str args[] = { str_of(token), str_of(mark), print(&hold, hold_ms) };
	struct kv_reply r;
	enum errcode rc = claim_script(store, a, SCRIPT_CLAIM, name, args, 3, &r, e);

	if (rc == OK) {
		const char *word = r.item[0].text.p;

		out->state = streq(word, "mine") ? CLAIM_MINE : streq(word, "other") ? CLAIM_OTHER :
		    streq(word, "run") ? CLAIM_RUN : CLAIM_PENDING;
		if (r.n > 1 && r.item[1].type == KV_TEXT)
			snprintf(out->run, sizeof(out->run), "%s", r.item[1].text.p);
		else if (r.n > 1)
			out->left_ms = r.item[1].num;
	}
	arena_free(a);
	return rc;
}

enum errcode redis_claim_settle(struct store *store, const char *name, const char *mark,
    const char *token, const char *run_id, int64_t ttl_ms, struct err *e)
{
	struct arena *a = arena_new();
	struct number ttl;
	const struct str args[] = { str_of(token), str_of(mark), str_of(run_id), print(&ttl, ttl_ms) };
	struct kv_reply r;
	enum errcode rc = claim_script(store, a, SCRIPT_CLAIM_SETTLE, name, args, 4, &r, e);

	if (rc == OK && !streq(r.item[0].text.p, "mine"))
		rc = store_claim_lost(e);
	arena_free(a);
	return rc;
}

enum errcode redis_claim_free(struct store *store, const char *name, const char *token, struct err *e)
{
	struct arena *a = arena_new();
	const struct str arg = str_of(token);
	struct kv_reply r;
	enum errcode rc = claim_script(store, a, SCRIPT_CLAIM_FREE, name, &arg, 1, &r, e);

	arena_free(a);
	return rc;
}
