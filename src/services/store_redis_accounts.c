/*
 * Users, conversations and counters in Redis.
 *
 *   aa:{users}:user:<id>            hash: name, name_key, email, email_key, full_name, hash, active, created,
 *                                 tokens_from (Unix time in seconds)
 *   aa:{users}:name:<key>           the id of the user who has this name
 *   aa:{users}:email:<key>          … this address
 *   aa:{of <owner>}:talks           sorted set: ids of conversations by updated_us
 *   aa:{of <owner>}:talk:<id>       hash: title, created, updated, run, turn
 *   aa:count:<name>                 a number, which expires with its window
 *
 * All users are in one slot of a cluster, because one script decides whether a name is free. All conversations
 * of an owner are in one slot, too.
 */
#include "services/store_redis.h"

static const char *text_of(const struct kv_reply *r)
{
	return r->type == KV_TEXT ? r->text.p : "";
}

static int64_t int_of(const struct kv_reply *r)
{
	long long v = 0;

	return r->type == KV_INT ? r->num : r->type == KV_TEXT && str_to_int(r->text.p, &v) ? v : 0;
}

/* Run a script whose reply begins with a word. */
static enum errcode ask(struct remote *s, struct arena *a, enum redis_script script, const struct str *keys,
    size_t nkeys, const struct str *args, size_t nargs, struct kv_reply *r, struct err *e)
{
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[script], keys, nkeys, args, nargs, r, e), e);

	if (rc == OK && (r->type != KV_LIST || r->n == 0 || r->item[0].type != KV_TEXT))
		rc = odd_script(s, e);
	return rc;
}

/* -- users -- */

static struct str users_key(struct arena *a, const char *part, const char *key)
{
	return str_of(arena_printf(a, "aa:{users}:%s:%s", part, key));
}

/* KEYS: user, name, email. ARGV: id new name name_key email email_key full_name active hash created
 * full_name "-" is none, else it begins with "+". The keys of a name that the user gives up are known only to
 * the script; they are in the same slot. */
const char LUA_USER_SET[] =
	"local was = redis.call('HMGET', KEYS[1], 'name_key', 'email_key')\n"
	"if ARGV[2] == '0' and not was[1] then return {'unknown'} end\n"
	"for i, word in ipairs({'name', 'email'}) do\n"
	"  local id = redis.call('GET', KEYS[i + 1])\n"
	"  if id and id ~= ARGV[1] then return {word} end\n"
	"end\n"
	"if was[1] then redis.call('DEL', 'aa:{users}:name:' .. was[1], 'aa:{users}:email:' .. was[2]) end\n"
	"redis.call('SET', KEYS[2], ARGV[1])\n"
	"redis.call('SET', KEYS[3], ARGV[1])\n"
	"redis.call('HSET', KEYS[1], 'name', ARGV[3], 'name_key', ARGV[4], 'email', ARGV[5],\n"
	"  'email_key', ARGV[6], 'full_name', ARGV[7])\n"
	"if ARGV[2] == '1' then\n"
	"  redis.call('HSET', KEYS[1], 'active', ARGV[8], 'hash', ARGV[9], 'created', ARGV[10])\n"
	"end\n"
	"return {'ok'}\n";

static enum errcode set_user(struct store *store, const struct user *u, const struct user_keys *keys, bool add,
    enum user_taken *taken, struct err *e)
{
	struct arena *a = arena_new();
	struct number created;
	const struct str names[] = { users_key(a, "user", u->id), users_key(a, "name", keys->name),
	    users_key(a, "email", keys->email) };
	const struct str args[] = { str_of(u->id), str_of(add ? "1" : "0"), str_of(u->username), str_of(keys->name),
	    str_of(u->email), str_of(keys->email),
	    str_of(u->full_name != NULL ? arena_printf(a, "+%s", u->full_name) : "-"), str_of(u->active ? "1" : "0"),
	    str_of(u->hash), print(&created, u->created_us) };
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_USER_SET, names, 3, args, 10, &r, e);

	if (rc == OK) {
		const char *word = r.item[0].text.p;

		*taken = streq(word, "name") ? USER_NAME_TAKEN : streq(word, "email") ? USER_EMAIL_TAKEN : USER_FREE;
		if (streq(word, "unknown"))
			rc = user_unknown(e);
	}
	arena_free(a);
	return rc;
}

static enum errcode redis_user_add(struct store *s, const struct user *u, const struct user_keys *keys,
    enum user_taken *taken, struct err *e)
{
	return set_user(s, u, keys, true, taken, e);
}

static enum errcode redis_user_change(struct store *s, const struct user *u, const struct user_keys *keys,
    enum user_taken *taken, struct err *e)
{
	return set_user(s, u, keys, false, taken, e);
}

/* KEYS: user. ARGV: active hash tokens_from; "" or 0: it stays */
const char LUA_USER_PUT[] =
	"if redis.call('EXISTS', KEYS[1]) == 0 then return {'unknown'} end\n"
	"if ARGV[1] ~= '' then redis.call('HSET', KEYS[1], 'active', ARGV[1]) end\n"
	"if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'hash', ARGV[2]) end\n"
	"if ARGV[3] ~= '0' then redis.call('HSET', KEYS[1], 'tokens_from', ARGV[3]) end\n"
	"return {'ok'}\n";

static enum errcode redis_user_set(struct store *store, const char *id, const struct user_set *what,
    struct err *e)
{
	struct arena *a = arena_new();
	struct number from;
	const struct str key = users_key(a, "user", id);
	const struct str args[] = { str_of(what->active), str_of(what->hash), print(&from, what->tokens_from_s) };
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_USER_PUT, &key, 1, args, 3, &r, e);

	if (rc == OK && !streq(r.item[0].text.p, "ok"))
		rc = user_unknown(e);
	arena_free(a);
	return rc;
}

/* KEYS: user. The keys of name and address are in the same slot. */
const char LUA_USER_DROP[] =
	"local was = redis.call('HMGET', KEYS[1], 'name_key', 'email_key')\n"
	"if not was[1] then return {'unknown'} end\n"
	"redis.call('DEL', KEYS[1], 'aa:{users}:name:' .. was[1], 'aa:{users}:email:' .. was[2])\n"
	"return {'ok'}\n";

static enum errcode redis_user_drop(struct store *store, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	const struct str key = users_key(a, "user", id);
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_USER_DROP, &key, 1, NULL, 0, &r, e);

	if (rc == OK && !streq(r.item[0].text.p, "ok"))
		rc = user_unknown(e);
	arena_free(a);
	return rc;
}

/* The id that is kept under a name or an address. */
static enum errcode user_id(struct remote *s, struct arena *a, enum user_key by, const char *key,
    const char **id, struct err *e)
{
	const struct str get[] = { STR("GET"), users_key(a, by == USER_BY_NAME ? "name" : "email", key) };
	const struct kv_cmd cmd = { get, 2 };
	struct kv_reply r;
	enum errcode rc = settled(kv_run(s->kv, a, &cmd, 1, &r, e), e);

	if (rc == OK && r.type != KV_TEXT)
		rc = user_unknown(e);
	*id = rc == OK ? r.text.p : "";
	return rc;
}

static enum errcode redis_user_find(struct store *store, struct arena *a, enum user_key by, const char *key,
    struct user *out, struct err *e)
{
	enum { NAME, EMAIL, FULL_NAME, HASH, ACTIVE, CREATED, TOKENS_FROM, USER__MAX };
	struct remote *s = remote_of(store);
	const char *id = key;
	enum errcode rc = by == USER_BY_ID ? OK : user_id(s, a, by, key, &id, e);

	if (rc != OK)
		return rc;
	const struct str get[] = { STR("HMGET"), users_key(a, "user", id), STR("name"), STR("email"),
	    STR("full_name"), STR("hash"), STR("active"), STR("created"),
	    STR("tokens_from") };
	const struct kv_cmd cmd = { get, 2 + USER__MAX };
	struct kv_reply r;
	if ((rc = settled(kv_run(s->kv, a, &cmd, 1, &r, e), e)) != OK)
		return rc;
	if (r.type != KV_LIST || r.n != USER__MAX || r.item[NAME].type != KV_TEXT)
		return user_unknown(e);
	const char *full = text_of(&r.item[FULL_NAME]);
	*out = (struct user){ .id = arena_strdup(a, id), .username = text_of(&r.item[NAME]),
		.email = text_of(&r.item[EMAIL]), .full_name = *full == '+' ? full + 1 : NULL,
		.hash = text_of(&r.item[HASH]), .active = streq(text_of(&r.item[ACTIVE]), "1"),
		.created_us = int_of(&r.item[CREATED]), .tokens_from_s = int_of(&r.item[TOKENS_FROM]) };
	return OK;
}

/* -- conversations -- */

static struct str talks_key(struct arena *a, const char *owner)
{
	return str_of(arena_printf(a, "aa:{of %s}:talks", owner));
}

static struct str talk_key(struct arena *a, const char *owner, const char *id)
{
	return str_of(arena_printf(a, "aa:{of %s}:talk:%s", owner, id));
}

/* In the scripts: `life` ms from now on both keys, 0: for ever; and forget the ids of those that have expired. */
#define LUA_TALK_KEEP                                                                 \
	"local function keep(life)\n"                                                 \
	"  for i = 1, 2 do\n"                                                         \
	"    if life > 0 then redis.call('PEXPIRE', KEYS[i], life) else redis.call('PERSIST', KEYS[i]) end\n" \
	"  end\n"                                                                     \
	"  if life == 0 then return end\n"                                            \
	"  local t = redis.call('TIME')\n"                                            \
	"  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', t[1] * 1000000 + t[2] - life * 1000)\n" \
	"end\n"

/* KEYS: talks talk. ARGV: ttl_ms max id title created */
const char LUA_TALK_ADD[] = LUA_TALK_KEEP
	"keep(tonumber(ARGV[1]))\n"
	"if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return {'full'} end\n"
	"redis.call('ZADD', KEYS[1], ARGV[5], ARGV[3])\n"
	"redis.call('HSET', KEYS[2], 'title', ARGV[4], 'created', ARGV[5], 'updated', ARGV[5], 'run', '', 'turn', 0)\n"
	"keep(tonumber(ARGV[1]))\n"
	"return {'ok'}\n";

/* KEYS: talks talk. ARGV: ttl_ms id updated has_title title has_run run. ok: the turn */
const char LUA_TALK_SET[] = LUA_TALK_KEEP
	"if redis.call('EXISTS', KEYS[2]) == 0 then return {'unknown'} end\n"
	"redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])\n"
	"redis.call('HSET', KEYS[2], 'updated', ARGV[3])\n"
	"if ARGV[4] == '1' then redis.call('HSET', KEYS[2], 'title', ARGV[5]) end\n"
	"if ARGV[6] == '1' then\n"
	"  redis.call('HSET', KEYS[2], 'run', ARGV[7])\n"
	"  redis.call('HINCRBY', KEYS[2], 'turn', 1)\n"
	"end\n"
	"keep(tonumber(ARGV[1]))\n"
	"return {'ok', tonumber(redis.call('HGET', KEYS[2], 'turn'))}\n";

/* KEYS: talks talk. ARGV: id */
const char LUA_TALK_DROP[] =
	"redis.call('ZREM', KEYS[1], ARGV[1])\n"
	"return {redis.call('DEL', KEYS[2]) == 1 and 'ok' or 'unknown'}\n";

/* KEYS: talks. ARGV: prefix_of_a_talk skip limit. Ids of conversations that have expired are passed over and
 * forgotten. */
const char LUA_TALK_LIST[] =
	"local out, skip = {'ok'}, tonumber(ARGV[2])\n"
	"for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do\n"
	"  if #out > tonumber(ARGV[3]) then break end\n"
	"  local m = redis.call('HMGET', ARGV[1] .. id, 'title', 'created', 'updated', 'run', 'turn')\n"
	"  if not m[1] then redis.call('ZREM', KEYS[1], id)\n"
	"  elseif skip > 0 then skip = skip - 1\n"
	"  else out[#out + 1] = {id, m[1], m[2], m[3], m[4], m[5]} end\n"
	"end\n"
	"return out\n";

static enum errcode redis_talk_add(struct store *store, const char *owner, const struct conversation *c,
    int64_t max, struct err *e)
{
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct number n[3];
	const struct str keys[] = { talks_key(a, owner), talk_key(a, owner, c->id) };
	const struct str args[] = { print(&n[0], s->ttl_ms), print(&n[1], max), str_of(c->id), str_of(c->title),
	    print(&n[2], c->created_us) };
	struct kv_reply r;
	enum errcode rc = ask(s, a, SCRIPT_TALK_ADD, keys, 2, args, 5, &r, e);

	if (rc == OK && streq(r.item[0].text.p, "full"))
		rc = conversation_too_many(max, e);
	arena_free(a);
	return rc;
}

static void read_talk(const struct kv_reply *field, struct conversation *c)
{
	c->title = text_of(&field[0]);
	c->created_us = int_of(&field[1]);
	c->updated_us = int_of(&field[2]);
	c->run = text_of(&field[3]);
	c->turn = int_of(&field[4]);
}

static enum errcode redis_talk_find(struct store *store, struct arena *a, const char *owner,
    struct conversation *out, struct err *e)
{
	struct remote *s = remote_of(store);
	const struct str get[] = { STR("HMGET"), talk_key(a, owner, out->id), STR("title"), STR("created"),
	    STR("updated"), STR("run"), STR("turn") };
	const struct kv_cmd cmd = { get, 7 };
	struct kv_reply r;
	enum errcode rc = settled(kv_run(s->kv, a, &cmd, 1, &r, e), e);

	if (rc != OK)
		return rc;
	if (r.type != KV_LIST || r.n != 5 || r.item[0].type != KV_TEXT)
		return conversation_unknown(out->id, e);
	read_talk(r.item, out);
	return OK;
}

static enum errcode redis_talk_list(struct store *store, struct arena *a, const char *owner, int64_t skip,
    size_t limit, struct conversation *out, size_t *n, struct err *e)
{
	struct number num[2];
	const struct str key = talks_key(a, owner);
	const struct str args[] = { talk_key(a, owner, ""), print(&num[0], skip), print(&num[1], (int64_t)limit) };
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_TALK_LIST, &key, 1, args, 3, &r, e);

	for (size_t i = 1; rc == OK && i < r.n && *n < limit; i++) {
		if (r.item[i].type != KV_LIST || r.item[i].n != 6)
			return odd_script(remote_of(store), e);
		out[*n].id = text_of(&r.item[i].item[0]);
		read_talk(&r.item[i].item[1], &out[(*n)++]);
	}
	return rc;
}

static enum errcode redis_talk_set(struct store *store, const char *owner, const struct conversation *c,
    int64_t *turn, struct err *e)
{
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct number n[2];
	const struct str keys[] = { talks_key(a, owner), talk_key(a, owner, c->id) };
	const struct str args[] = { print(&n[0], s->ttl_ms), str_of(c->id), print(&n[1], c->updated_us),
	    str_of(c->title != NULL ? "1" : "0"), str_of(c->title), str_of(c->run != NULL ? "1" : "0"),
	    str_of(c->run) };
	struct kv_reply r;
	enum errcode rc = ask(s, a, SCRIPT_TALK_SET, keys, 2, args, 7, &r, e);

	if (rc == OK && !streq(r.item[0].text.p, "ok"))
		rc = conversation_unknown(c->id, e);
	*turn = rc == OK && r.n > 1 ? r.item[1].num : 0;
	arena_free(a);
	return rc;
}

static enum errcode redis_talk_drop(struct store *store, const char *owner, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	const struct str keys[] = { talks_key(a, owner), talk_key(a, owner, id) };
	const struct str arg = str_of(id);
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_TALK_DROP, keys, 2, &arg, 1, &r, e);

	if (rc == OK && !streq(r.item[0].text.p, "ok"))
		rc = conversation_unknown(id, e);
	arena_free(a);
	return rc;
}

/* -- counters -- */

/* KEYS: count. ARGV: add window_ms */
const char LUA_COUNT[] =
	"local n = redis.call('INCRBY', KEYS[1], ARGV[1])\n"
	"if n < 0 then redis.call('SET', KEYS[1], 0, 'KEEPTTL') n = 0 end\n"
	"if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n"
	"return {'ok', n, redis.call('PTTL', KEYS[1])}\n";

static enum errcode redis_count(struct store *store, const char *name, int add, int64_t window_ms,
    int64_t *total, int64_t *left_ms, struct err *e)
{
	struct arena *a = arena_new();
	struct number n[2];
	const struct str key = str_of(arena_printf(a, "aa:count:%s", name));
	const struct str args[] = { print(&n[0], add), print(&n[1], window_ms) };
	struct kv_reply r;
	enum errcode rc = ask(remote_of(store), a, SCRIPT_COUNT, &key, 1, args, 2, &r, e);

	if (rc == OK && r.n == 3) {
		*total = r.item[1].num;
		*left_ms = r.item[2].num;
	}
	arena_free(a);
	return rc;
}

const struct store_account_ops store_redis_accounts = {
	.user_add = redis_user_add,
	.user_find = redis_user_find,
	.user_change = redis_user_change,
	.user_set = redis_user_set,
	.user_drop = redis_user_drop,
	.talk_add = redis_talk_add,
	.talk_find = redis_talk_find,
	.talk_list = redis_talk_list,
	.talk_set = redis_talk_set,
	.talk_drop = redis_talk_drop,
	.count = redis_count,
};
