/*
 * What owners and operators see of the threads in Redis, and sessions.
 *
 *   aa:{<session>}:session:<user>   hash: first and last (Unix time in microseconds), turns, in and out
 *                                   (tokens), persona, threads (ids with blanks between, the newest last),
 *                                   run (the newest one that was counted after its commit)
 *
 * A session expires a ttl after its newest turn. A thread's meta names the session of its newest turn.
 */
#include "services/store_redis.h"

#include <string.h>

#include "base/log.h"

/* -- threads -- */

static bool is_of(const struct kv_reply *user, const struct kv_reply *agent, const struct store *s,
    const struct thread_owner *owner)
{
	return (user->type != KV_TEXT || streq(user->text.p, owner->user)) &&
	    streq(agent->type == KV_TEXT ? agent->text.p : s->agent, owner->agent);
}

static const char *text_of(const struct kv_reply *r)
{
	return r->type == KV_TEXT ? r->text.p : "";
}

static int64_t int_of(const struct kv_reply *r)
{
	long long v = 0;

	return r->type == KV_INT ? r->num : r->type == KV_TEXT && str_to_int(r->text.p, &v) ? v : 0;
}

enum { VER, GONE, TITLE, CREATED, UPDATED, PERSONA, USER, AGENT, THE_FORM, ORIGIN, ABOUT__MAX };

#define ABOUT_FIELDS STR("ver"), STR("gone"), STR("title"), STR("created"), STR("updated"), \
	STR("persona"), STR("owner"), STR("agent"), STR("form"), STR("origin")

/* False: no commit has written it. */
static bool read_about(const struct store *s, const struct kv_reply *meta, const struct kv_reply *count,
    struct thread_about *t)
{
	if (meta->type != KV_LIST || meta->n != ABOUT__MAX || meta->item[VER].type != KV_TEXT)
		return false;
	const struct kv_reply *field = meta->item;
	t->version = int_of(&field[VER]);
	t->nkept = int_of(count);
	t->nmessages = int_of(&field[GONE]) + t->nkept;
	t->title = field[TITLE].type == KV_TEXT ? field[TITLE].text.p : NULL;
	t->created_us = int_of(&field[CREATED]);
	t->updated_us = int_of(&field[UPDATED]);
	t->persona = text_of(&field[PERSONA]);
	t->origin = text_of(&field[ORIGIN]);
	t->user = text_of(&field[USER]);
	t->agent = field[AGENT].type == KV_TEXT ? field[AGENT].text.p : s->agent;
	t->run = "";
	return true;
}

static enum errcode redis_about(struct store *store, struct arena *a, const struct thread_owner *owner,
    struct thread_about *out, struct err *e)
{
	struct remote *s = remote_of(store);
	char meta_key[KEY_SIZE], msgs_key[KEY_SIZE], lease_key[KEY_SIZE];
	const struct str meta = print_key(meta_key, out->id, "meta"), msgs = print_key(msgs_key, out->id, "msgs"),
	    lease = print_key(lease_key, out->id, "lease");
	const struct str multi[] = { STR("MULTI") }, exec[] = { STR("EXEC") };
	const struct str head[] = { STR("HMGET"), meta, ABOUT_FIELDS };
	const struct str count[] = { STR("LLEN"), msgs };
	const struct str held[] = { STR("GET"), lease }, left[] = { STR("PTTL"), lease };
	const struct kv_cmd cmds[] = { { multi, 1 }, { head, 2 + ABOUT__MAX }, { count, 2 }, { held, 2 },
	    { left, 2 }, { exec, 1 } };
	struct kv_reply r[6];
	enum errcode rc = settled(kv_run(s->kv, a, cmds, 6, r, e), e);

	if (rc != OK)
		return rc;
	const struct kv_reply *got = r[5].item;
	if (r[5].type != KV_LIST || r[5].n != 4)
		return redis_odd_thread(s, out->id, e);
	if (!read_about(store, &got[0], &got[1], out))
		return store_unknown(out->id, e);
	if (got[0].item[THE_FORM].type == KV_TEXT && !streq(got[0].item[THE_FORM].text.p, FORM))
		return redis_newer_thread(out->id, e);
	if (owner != NULL && !is_of(&got[0].item[USER], &got[0].item[AGENT], store, owner))
		return store_foreign(out->id, e);
	if (got[2].type == KV_TEXT) {           /* "<run>:<fence>" */
		out->run = arena_strndup(a, got[2].text.p, strcspn(got[2].text.p, ":"));
		out->run_ms = got[3].num > 0 ? got[3].num : 1;
	}
	return OK;
}

/* KEYS: meta msgs. ARGV: user agent default_agent first max */
const char LUA_SLICE[] = LUA_FOREIGN
	"local m = redis.call('HMGET', KEYS[1], 'ver', 'gone')\n"
	"if not m[1] then return {'unknown'} end\n"
	"local wrong = foreign(ARGV[1], ARGV[2], ARGV[3])\n"
	"if wrong then return {wrong} end\n"
	"local gone, first, max = tonumber(m[2] or 0), tonumber(ARGV[4]), tonumber(ARGV[5])\n"
	"local n = gone + redis.call('LLEN', KEYS[2])\n"
	"if first < 0 then first = n - max end\n"
	"if first < gone then first = gone end\n"
	"return {'ok', first, n, redis.call('LRANGE', KEYS[2], first - gone, first - gone + max - 1)}\n";

static enum errcode redis_slice(struct store *store, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, struct store_slice *slice, struct err *e)
{
	struct remote *s = remote_of(store);
	char meta_key[KEY_SIZE], msgs_key[KEY_SIZE];
	const struct str keys[] = { print_key(meta_key, thread_id, "meta"), print_key(msgs_key, thread_id, "msgs") };
	struct number first, max;
	const struct str args[] = { str_of(owner->user), str_of(owner->agent), str_of(store->agent),
	    print(&first, slice->first), print(&max, slice->max < INT32_MAX ? (int64_t)slice->max : INT32_MAX) };
	struct kv_reply r;
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[SCRIPT_SLICE], keys, 2, args, 5, &r, e), e);

	if (rc != OK)
		return rc;
	if (r.type != KV_LIST || r.n == 0 || r.item[0].type != KV_TEXT)
		return odd_script(s, e);
	if (streq(r.item[0].text.p, "unknown"))
		return store_unknown(thread_id, e);
	if (streq(r.item[0].text.p, "foreign"))
		return store_foreign(thread_id, e);
	if (streq(r.item[0].text.p, "newer"))
		return redis_newer_thread(thread_id, e);
	if (r.n != 4 || r.item[3].type != KV_LIST)
		return odd_script(s, e);
	slice->first = r.item[1].num;
	slice->nmessages = r.item[2].num;
	slice->n = r.item[3].n;
	return redis_messages(s, a, thread_id, &r.item[3], &slice->messages, e);
}

/* -- the list of all threads -- */

enum { SCAN_COUNT = 500 };

struct listing {
	const char *user;
	size_t max, *n;
	struct thread_about *out;
	bool *more;
};

/* The thread of "aa:{<thread>}:meta"; NULL: it is another key. */
static const char *thread_of(struct arena *a, struct str key)
{
	static const char before[] = "aa:{", after[] = "}:meta";
	const size_t extra = sizeof(before) + sizeof(after) - 2;

	if (key.n <= extra || !starts_with(key.p, before))
		return NULL;
	const char *id = arena_strndup(a, key.p + sizeof(before) - 1, key.n - extra);
	return id_valid(id, STORE_ID_MAX) ? id : NULL;
}

/* A key may come twice while the server grows its table. */
static bool is_listed(const struct listing *l, const char *id)
{
	for (size_t i = 0; i < *l->n; i++)
		if (streq(l->out[i].id, id))
			return true;
	return false;
}

static void list_one(struct listing *l, const struct store *s, const char *id, const struct kv_reply *meta,
    const struct kv_reply *count)
{
	struct thread_about t = { .id = id };

	if (!read_about(s, meta, count, &t) || (l->user != NULL && !streq(t.user, l->user)) || is_listed(l, id))
		return;
	if (*l->n == l->max)
		*l->more = true;
	else
		l->out[(*l->n)++] = t;
}

/* Look at the threads with these keys, in one write. */
static enum errcode list_keys(struct remote *s, struct arena *a, const struct kv_reply *keys,
    struct listing *l, struct err *e)
{
	struct kv_cmd *cmds = arena_array(a, 2 * keys->n, sizeof(*cmds));
	struct kv_reply *r = arena_array(a, 2 * keys->n, sizeof(*r));
	const char **ids = arena_array(a, keys->n, sizeof(*ids));
	size_t n = 0;

	for (size_t i = 0; i < keys->n; i++) {
		char *msgs = arena_alloc(a, KEY_SIZE);
		if (keys->item[i].type != KV_TEXT || (ids[n] = thread_of(a, keys->item[i].text)) == NULL)
			continue;
		struct str *head = arena_array(a, 2 + ABOUT__MAX, sizeof(*head));
		struct str *count = arena_array(a, 2, sizeof(*count));
		memcpy(head, (struct str[]){ STR("HMGET"), keys->item[i].text, ABOUT_FIELDS },
		    (2 + ABOUT__MAX) * sizeof(*head));
		memcpy(count, (struct str[]){ STR("LLEN"), print_key(msgs, ids[n], "msgs") }, 2 * sizeof(*count));
		cmds[2 * n] = (struct kv_cmd){ head, 2 + ABOUT__MAX };
		cmds[2 * n + 1] = (struct kv_cmd){ count, 2 };
		n++;
	}
	enum errcode rc = n > 0 ? settled(kv_run(s->kv, a, cmds, 2 * n, r, e), e) : OK;
	for (size_t i = 0; rc == OK && i < n; i++)
		list_one(l, &s->base, ids[i], &r[2 * i], &r[2 * i + 1]);
	return rc;
}

/* By SCAN, some hundred keys at a time, so that the server serves others meanwhile. */
static enum errcode redis_list(struct store *store, struct arena *a, const char *user, size_t max,
    struct thread_about *out, size_t *n, bool *more, struct err *e)
{
	struct remote *s = remote_of(store);
	struct listing l = { .user = user, .max = max, .n = n, .out = out, .more = more };
	struct str cursor = STR("0");
	struct number count;
	struct kv_reply r;

	do {
		const struct str scan[] = { STR("SCAN"), cursor, STR("MATCH"), STR("aa:{*}:meta"), STR("COUNT"),
		    print(&count, SCAN_COUNT) };
		const struct kv_cmd cmd = { scan, 6 };
		enum errcode rc = settled(kv_run(s->kv, a, &cmd, 1, &r, e), e);
		if (rc == OK && kv_in_cluster(s->kv))
			rc = err_set(e, ERR_CONFIG, "the threads of a Redis Cluster cannot be listed: look on each "
			    "node, with redis-cli --scan --pattern 'aa:{*}:meta'");
		if (rc != OK)
			return rc;
		if (r.type != KV_LIST || r.n != 2 || r.item[0].type != KV_TEXT || r.item[1].type != KV_LIST)
			return odd_script(s, e);
		cursor = r.item[0].text;
		if ((rc = list_keys(s, a, &r.item[1], &l, e)) != OK)
			return rc;
	} while (!str_eq(cursor, "0") && !*more);
	return OK;
}

/* -- sessions -- */

struct str redis_session_key(char out[SESSION_KEY_SIZE], const char *id, const char *user)
{
	snprintf(out, SESSION_KEY_SIZE, "aa:{%s}:session:%s", id, user);
	return str_of(out);
}

void redis_session_args(struct str out[REDIS_SESSION_ARGS], const struct kept_turn *c,
    const char *thread_id, struct redis_session_text *text)
{
	out[0] = str_of(c->persona);
	out[1] = print(&text->n[0], c->time_us);
	out[2] = print(&text->n[1], c->session != NULL ? c->session->input : 0);
	out[3] = print(&text->n[2], c->session != NULL ? c->session->output : 0);
	out[4] = print(&text->n[3], SESSION_THREADS);
	out[5] = str_of(thread_id);
}

/* KEYS: session. ARGV: ttl_ms run session…; a repeated call counts once */
const char LUA_SESSION_TURN[] = LUA_SESSION
	"if redis.call('HGET', KEYS[1], 'run') ~= ARGV[2] then\n"
	"  session(KEYS[1], 3, tonumber(ARGV[1]))\n"
	"  redis.call('HSET', KEYS[1], 'run', ARGV[2])\n"
	"end\n"
	"return {'ok'}\n";

enum errcode redis_session_turn(struct remote *s, const struct kept_turn *c, const struct lease *l,
    struct err *e)
{
	struct arena *a = arena_new();
	struct redis_session_text text;
	char key_text[SESSION_KEY_SIZE];
	const struct str key = redis_session_key(key_text, c->session->id, c->session->user);
	struct number ttl;
	struct str args[2 + REDIS_SESSION_ARGS] = { print(&ttl, s->ttl_ms), str_of(l->run) };
	struct kv_reply r;

	redis_session_args(args + 2, c, l->thread, &text);
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[SCRIPT_SESSION_TURN], &key, 1, args,
	    2 + REDIS_SESSION_ARGS, &r, e), e);
	arena_free(a);
	return rc;
}

/* KEYS: session. ARGV: thread */
const char LUA_SESSION_DROP[] =
	"local list, kept = redis.call('HGET', KEYS[1], 'threads'), {}\n"
	"if not list then return {'ok'} end\n"
	"for id in string.gmatch(list, '%S+') do\n"
	"  if id ~= ARGV[1] then kept[#kept + 1] = id end\n"
	"end\n"
	"redis.call('HSET', KEYS[1], 'threads', table.concat(kept, ' '))\n"
	"return {'ok'}\n";

enum errcode redis_session_drop(struct remote *s, struct str key, const char *thread_id, struct err *e)
{
	struct arena *a = arena_new();
	const struct str arg = str_of(thread_id);
	struct kv_reply r;
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[SCRIPT_SESSION_DROP], &key, 1, &arg, 1, &r, e), e);

	arena_free(a);
	return rc;
}

static enum errcode redis_session(struct store *store, struct arena *a, const char *user,
    struct session *out, struct err *e)
{
	enum { TURNS, FIRST, LAST, IN, OUT, THE_PERSONA, THREADS, SESSION__MAX };
	struct remote *s = remote_of(store);
	char key[SESSION_KEY_SIZE];
	const struct str get[] = { STR("HMGET"), redis_session_key(key, out->id, user), STR("turns"),
	    STR("first"), STR("last"), STR("in"), STR("out"), STR("persona"), STR("threads") };
	const struct kv_cmd cmd = { get, 2 + SESSION__MAX };
	struct kv_reply r;
	enum errcode rc = settled(kv_run(s->kv, a, &cmd, 1, &r, e), e);

	if (rc != OK)
		return rc;
	if (r.type != KV_LIST || r.n != SESSION__MAX || r.item[TURNS].type != KV_TEXT)
		return session_unknown(out->id, e);
	out->turns = int_of(&r.item[TURNS]);
	out->first_us = int_of(&r.item[FIRST]);
	out->last_us = int_of(&r.item[LAST]);
	out->input = int_of(&r.item[IN]);
	out->output = int_of(&r.item[OUT]);
	out->persona = text_of(&r.item[THE_PERSONA]);
	session_threads_read(a, text_of(&r.item[THREADS]), out);
	return OK;
}

const struct store_thread_ops store_redis_threads = {
	.about = redis_about,
	.slice = redis_slice,
	.list = redis_list,
	.session = redis_session,
};
