/*
 * Runs in Redis.
 *
 *   aa:{<run>}:run    hash: thread, user, agent, session, worker, fence, started, logged, status, until
 *                     (the sign of life, by the server's clock), cancel, ended, in, out, est, error,
 *                     last (number of the newest event), bytes (of the log). Written by the scripts of
 *                     the lease, its renewal and the commit too, whose keys lie in the same slot
 *                     (run_id.c)
 *   aa:{<run>}:log    stream, one entry a group: "<last>-0", f = number of the first event, e = the
 *                     events, s = how many numbers before f are skipped (only in the last group of a run
 *                     whose worker died); so the groups after a number are a range of ids. A group may
 *                     repeat events of the one before it
 *   aa:{<thread>}:runs    list: the newest runs of the thread that have a log, to delete with it
 *
 * A follower of a run listens to the channel aa:{<run>}:log; a message there says that there is more to read.
 * All workers listen to aa:runs, which carries "cancel <run>". Messages may get lost, because the keys hold all
 * that they tell. An ACL may forbid the channels. Then only the publishing fails, and listeners are late.
 */
#include "services/store_redis.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { GROUPS_MAX = 64 };               /* read at once */

/* How long a run's keys live. */
#define LUA_KEEP                                                                      \
	"local function keep(alive, ttl)\n"                                           \
	"  redis.call('PEXPIRE', KEYS[1], math.max(2 * ttl, 2 * alive + 60000))\n"    \
	"  redis.call('PEXPIRE', KEYS[2], math.max(ttl, 2 * alive + 60000))\n"        \
	"end\n"

/* Append one group; the log keeps at most `most` bytes, and the newest group always. */
#define LUA_ADD                                                                       \
	"local function add(first, last, events, bytes, most, ...)\n"                 \
	"  redis.call('XADD', KEYS[2], last .. '-0', 'f', first, 'e', events, ...)\n" \
	"  bytes = bytes + #events\n"                                                 \
	"  while bytes > most do\n"                                                   \
	"    local old = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]\n"    \
	"    if not old or old[1] == last .. '-0' then break end\n"                   \
	"    redis.call('XDEL', KEYS[2], old[1])\n"                                   \
	"    bytes = bytes - #old[2][4]\n"                                            \
	"  end\n"                                                                     \
	"  redis.call('HSET', KEYS[1], 'last', last, 'bytes', bytes)\n"               \
	"  redis.pcall('PUBLISH', KEYS[2], last)\n"                                   \
	"end\n"

/* KEYS: run, log. ARGV: first count events alive_ms ttl_ms most has_end end… */
const char LUA_RUN_APPEND[] = LUA_NOW LUA_SETTLE LUA_KEEP LUA_ADD
	"local m = redis.call('HMGET', KEYS[1], 'status', 'last', 'bytes', 'ended')\n"
	"if not m[1] then return {'unknown'} end\n"
	"local had, first = tonumber(m[2] or 0), tonumber(ARGV[1])\n"
	"local last, final = first + tonumber(ARGV[2]) - 1, ARGV[7] == '1'\n"
	"if m[1] ~= 'running' and m[1] ~= 'queued' then\n"
	"  if final and had == last and m[1] == ARGV[8] and m[4] == ARGV[9] then return {'ok'} end\n"
	"  return {'ended'}\n"
	"end\n"
	"if had < last then\n"
	"  if first > had + 1 then return {'gap', had} end\n"
	"  add(first, last, ARGV[3], tonumber(m[3] or 0), tonumber(ARGV[6]))\n"
	"end\n"
	"if final then\n"
	"  settle(KEYS[1], 8, 2 * ARGV[5])\n"
	"  redis.call('PEXPIRE', KEYS[2], ARGV[5])\n"
	"  if had >= last then redis.pcall('PUBLISH', KEYS[2], last) end\n"
	"else\n"
	"  redis.call('HSET', KEYS[1], 'until', now() + ARGV[4])\n"
	"  keep(tonumber(ARGV[4]), tonumber(ARGV[5]))\n"
	"end\n"
	"return {'ok'}\n";

/* KEYS: run, log. ARGV: count events ttl_ms most skipped end… */
const char LUA_RUN_BURY[] = LUA_NOW LUA_SETTLE LUA_ADD
	"local m = redis.call('HMGET', KEYS[1], 'status', 'until', 'last', 'bytes', 'logged')\n"
	"if not m[1] then return {'unknown'} end\n"
	"if (m[1] ~= 'running' and m[1] ~= 'queued') or tonumber(m[2]) >= now() then\n"
	"  return {'ok', 0}\n"
	"end\n"
	"local last = tonumber(m[3] or 0) + ARGV[5]\n"
	"settle(KEYS[1], 6, 2 * ARGV[3])\n"
	"if m[5] == '1' then\n"
	"  add(last + 1, last + ARGV[1], ARGV[2], tonumber(m[4] or 0), tonumber(ARGV[4]), 's', ARGV[5])\n"
	"  redis.call('PEXPIRE', KEYS[2], ARGV[3])\n"
	"end\n"
	"return {'ok', 1}\n";

/* KEYS: run. ARGV: check user agent */
const char LUA_RUN_CANCEL[] =
	"local m = redis.call('HMGET', KEYS[1], 'status', 'user', 'agent')\n"
	"if not m[1] then return {'unknown'} end\n"
	"if ARGV[1] == '1' and ((m[2] ~= '' and m[2] ~= ARGV[2]) or m[3] ~= ARGV[3]) then\n"
	"  return {'unknown'}\n"
	"end\n"
	"if m[1] == 'running' or m[1] == 'queued' then\n"
	"  redis.call('HSET', KEYS[1], 'cancel', '1')\n"
	"  redis.pcall('PUBLISH', 'aa:runs', 'cancel ' .. string.match(KEYS[1], '{(.*)}'))\n"
	"end\n"
	"return {'ok', m[1]}\n";

void redis_end_args(struct str out[REDIS_END_ARGS], const struct run_end *end, struct redis_end_text *t)
{
	out[0] = str_of(run_status_name(end->status));
	out[1] = print(&t->n[0], end->ended_us);
	out[2] = print(&t->n[1], end->tokens_in);
	out[3] = print(&t->n[2], end->tokens_out);
	out[4] = str_of(end->estimated ? "1" : "0");
	out[5] = str_of(end->error != NULL ? end->error : "");
}

struct run_keys {
	char text[2][KEY_SIZE];
	struct str key[2];
};

static void name_run(struct run_keys *k, const char *run_id)
{
	k->key[0] = print_key(k->text[0], run_id, "run");
	k->key[1] = print_key(k->text[1], run_id, "log");
}

/* Run a script of a run; *second gets what follows its word. */
static enum errcode run_script(struct remote *s, struct arena *a, enum redis_script script,
    const char *run_id, size_t nkeys, const struct str *args, size_t nargs, struct kv_reply *second,
    struct err *e)
{
	struct run_keys k;
	struct kv_reply r;

	name_run(&k, run_id);
	*second = (struct kv_reply){ .type = KV_NIL };
	enum errcode rc = settled(kv_eval(s->kv, a, &s->script[script], k.key, nkeys, args, nargs,
	    &r, e), e);
	if (rc != OK)
		return rc;
	if (r.type != KV_LIST || r.n == 0 || r.item[0].type != KV_TEXT)
		return odd_script(s, e);
	const char *word = r.item[0].text.p;
	if (r.n > 1)
		*second = r.item[1];
	if (streq(word, "ok"))
		return OK;
	if (streq(word, "unknown"))
		return store_run_unknown(run_id, e);
	if (streq(word, "gap"))
		return store_run_gap(run_id, second->num, e);
	return store_run_ended(run_id, e);
}

enum errcode redis_run_append(struct store *store, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	static const struct run_end none = { .status = RUN_RUNNING };
	struct arena *a = arena_new();
	struct number first, count, alive, ttl, most;
	struct redis_end_text texts;
	struct kv_reply ignored;
	struct str args[7 + REDIS_END_ARGS] = { print(&first, g->first),
	    print(&count, g->count), g->events, print(&alive, alive_ms),
	    print(&ttl, store->run_ttl_ms), print(&most, RUN_LOG_BYTES),
	    str_of(end != NULL ? "1" : "0") };

	redis_end_args(args + 7, end != NULL ? end : &none, &texts);
	enum errcode rc = run_script(remote_of(store), a, SCRIPT_RUN_APPEND, run_id, 2, args,
	    7 + REDIS_END_ARGS, &ignored, e);
	arena_free(a);
	return rc;
}

enum errcode redis_run_bury(struct store *store, const char *run_id, const struct run_group *g,
    const struct run_end *end, bool *ended, struct err *e)
{
	struct arena *a = arena_new();
	struct number count, ttl, most, skipped;
	struct redis_end_text texts;
	struct kv_reply did;
	struct str args[5 + REDIS_END_ARGS] = { print(&count, g->count), g->events,
	    print(&ttl, store->run_ttl_ms), print(&most, RUN_LOG_BYTES),
	    print(&skipped, RUN_AHEAD_MAX) };

	redis_end_args(args + 5, end, &texts);
	enum errcode rc = run_script(remote_of(store), a, SCRIPT_RUN_BURY, run_id, 2, args,
	    5 + REDIS_END_ARGS, &did, e);
	*ended = rc == OK && did.type == KV_INT && did.num == 1;
	arena_free(a);
	return rc;
}

enum errcode redis_run_cancel(struct store *store, const char *run_id,
    const struct thread_owner *owner, enum run_status *was, struct err *e)
{
	struct arena *a = arena_new();
	struct kv_reply status;
	const struct str args[] = { str_of(owner != NULL ? "1" : "0"),
	    str_of(owner != NULL ? owner->user : ""), str_of(owner != NULL ? owner->agent : "") };
	enum errcode rc = run_script(remote_of(store), a, SCRIPT_RUN_CANCEL, run_id, 1, args, 3, &status,
	    e);

	if (rc == OK && (status.type != KV_TEXT || !run_status_parse(status.text.p, was)))
		rc = odd_script(remote_of(store), e);
	arena_free(a);
	return rc;
}

/* -- reading -- */

enum { F_THREAD, F_USER, F_AGENT, F_SESSION, F_WORKER, F_ERROR, F_STATUS, F_FENCE, F_STARTED,
    F_ENDED, F_IN, F_OUT, F_LAST, F_UNTIL, F_LOGGED, F_CANCEL, F_EST, F__MAX };

static const char *const fields[F__MAX] = {
	[F_THREAD] = "thread", [F_USER] = "user", [F_AGENT] = "agent", [F_SESSION] = "session",
	[F_WORKER] = "worker", [F_ERROR] = "error", [F_STATUS] = "status", [F_FENCE] = "fence",
	[F_STARTED] = "started", [F_ENDED] = "ended", [F_IN] = "in", [F_OUT] = "out",
	[F_LAST] = "last", [F_UNTIL] = "until", [F_LOGGED] = "logged", [F_CANCEL] = "cancel",
	[F_EST] = "est",
};

static const char *text_of(const struct kv_reply *r)
{
	return r->type == KV_TEXT ? r->text.p : "";
}

static int64_t number_of(const struct kv_reply *r)
{
	long long n = 0;

	return r->type == KV_TEXT && str_to_int(r->text.p, &n) ? n : 0;
}

/* False: this is not a run's record. */
static bool read_record(const struct kv_reply *f, int64_t now_ms, struct run_record *r)
{
	r->thread_id = text_of(&f[F_THREAD]);
	r->user = *text_of(&f[F_USER]) != '\0' ? text_of(&f[F_USER]) : NULL;
	r->agent = text_of(&f[F_AGENT]);
	r->session_id = text_of(&f[F_SESSION]);
	r->worker = text_of(&f[F_WORKER]);
	r->error = text_of(&f[F_ERROR]);
	r->fence = number_of(&f[F_FENCE]);
	r->started_us = number_of(&f[F_STARTED]);
	r->ended_us = number_of(&f[F_ENDED]);
	r->tokens_in = number_of(&f[F_IN]);
	r->tokens_out = number_of(&f[F_OUT]);
	r->estimated = number_of(&f[F_EST]) != 0;
	r->last_event = number_of(&f[F_LAST]);
	r->logged = number_of(&f[F_LOGGED]) != 0;
	r->cancelled = number_of(&f[F_CANCEL]) != 0;
	if (!run_status_parse(text_of(&f[F_STATUS]), &r->status))
		return false;
	r->overdue = !run_status_ended(r->status) && number_of(&f[F_UNTIL]) < now_ms;
	return *r->thread_id != '\0';
}

/* ["<last>-0", ["f", first, "e", events]], and behind them ["s", skipped] where some are */
static bool read_group(const struct kv_reply *entry, struct run_group *g)
{
	const struct kv_reply *v;
	long long last = 0, first = 0, skipped = 0;

	if (entry->type != KV_LIST || entry->n != 2 || entry->item[0].type != KV_TEXT ||
	    entry->item[1].type != KV_LIST || (entry->item[1].n != 4 && entry->item[1].n != 6))
		return false;
	v = entry->item[1].item;
	last = strtoll(entry->item[0].text.p, NULL, 10);
	if (v[1].type != KV_TEXT || v[3].type != KV_TEXT || !str_to_int(v[1].text.p, &first) ||
	    last < first)
		return false;
	if (entry->item[1].n == 6 && (v[5].type != KV_TEXT || !str_to_int(v[5].text.p, &skipped)))
		return false;
	*g = (struct run_group){ first, last - first + 1, v[3].text, skipped };
	return true;
}

static enum errcode read_groups(const struct remote *s, struct arena *a, const struct kv_reply *list,
    size_t max_bytes, struct run_group **out, size_t *n, struct err *e)
{
	size_t bytes = 0;

	*out = arena_array(a, list->n + 1, sizeof(**out));
	for (*n = 0; *n < list->n && (bytes < max_bytes || *n == 0); bytes += (*out)[(*n)++].events.n)
		if (!read_group(&list->item[*n], &(*out)[*n]))
			return odd_script(s, e);
	return OK;
}

enum errcode redis_run_read(struct store *store, struct arena *a, int64_t after, size_t max_bytes,
    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e)
{
	struct remote *s = remote_of(store);
	struct run_keys k;
	struct number from, count;
	struct kv_reply got[4];
	struct str record[2 + F__MAX] = { STR("HMGET") };

	name_run(&k, r->run_id);
	record[1] = k.key[0];
	for (int i = 0; i < F__MAX; i++)
		record[2 + i] = str_of(fields[i]);
	/* the record first: if it says that the run has ended, the log that is read after it is whole */
	const struct str time[] = { STR("TIME") };
	const struct str oldest[] = { STR("XRANGE"), k.key[1], STR("-"), STR("+"), STR("COUNT"),
	    STR("1") };
	const struct str range[] = { STR("XRANGE"), k.key[1], print(&from, after + 1), STR("+"),
	    STR("COUNT"), print(&count, GROUPS_MAX) };
	const struct kv_cmd cmds[] = { { record, 2 + F__MAX }, { time, 1 }, { oldest, 6 }, { range, 6 } };
	enum errcode rc = settled(kv_run(s->kv, a, cmds, groups != NULL ? 4 : 3, got, e), e);
	if (rc != OK)
		return rc;
	if (got[0].type != KV_LIST || got[0].n != F__MAX || got[1].type != KV_LIST || got[1].n != 2 ||
	    got[2].type != KV_LIST || (groups != NULL && got[3].type != KV_LIST))
		return odd_script(s, e);
	if (got[0].item[F_THREAD].type == KV_NIL)
		return store_run_unknown(r->run_id, e);
	if (!read_record(got[0].item, number_of(&got[1].item[0]) * 1000 +
	    number_of(&got[1].item[1]) / 1000, r))
		return odd_script(s, e);
	struct run_group first;
	r->first_event = got[2].n > 0 && read_group(&got[2].item[0], &first) ? first.first - first.skipped :
	    r->last_event + 1;
	return groups == NULL ? OK :
	    read_groups(s, a, &got[3], max_bytes, groups, ngroups, e);
}
