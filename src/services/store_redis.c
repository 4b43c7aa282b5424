/*
 * Threads in Redis, shared by all hosts.
 *
 *   aa:{<thread>}:meta    hash: ver, owner (the user), agent, state, run (made the newest commit),
 *                         fence, since (ms, when the newest lease began), holder (its run), dead (the run that
 *                         died with the thread before that, if one did), bytes (of
 *                         all of msgs), gone (messages before the first of msgs), form (of what is stored;
 *                         absent in the first three forms), origin (of a copy: the first thread)
 *   aa:{<thread>}:msgs    list: "role\ncontent\0id\0time\0call_id\0calls", and of a commit's last one "\0turn";
 *                         oldest first; appended to at its end, and cut at its beginning when bytes would
 *                         exceed the limit
 *   aa:{<thread>}:lease   "<run>:<fence>", expires by itself
 *   aa:{<thread>}:runs    list: ids of the newest runs that have a log; store_redis_runs.c tells of runs
 *   aa:{<thread>}:queue   list: "<run>:<until>", the runs that wait for the lease, in the order in which
 *                         they get it; until is the server's time, in ms, at which a place is lost
 *
 * The braces make one hash slot of a thread's keys. Every change is one script, hence one round
 * trip and atomic; loading is one transaction sent in one write. A turn costs its own messages
 * and the state, whatever the thread's length.
 *
 * Every key expires: meta and msgs a ttl after the last lease or commit (of a copy an hour after it was made, until
 * it is leased), meta of a thread that
 * was leased and never written soon after that lease. Redis may also evict meta or msgs alone when
 * memory is short. A thread without meta counts as unwritten, and the next commit clears what is left. A
 * thread whose msgs are gone, although meta counts their bytes, goes on without messages and state.
 *
 * Threads of the first version have neither bytes nor gone; their next commit counts the bytes. Threads
 * of the second have no agent, and their messages end after the content. What follows the content stands
 * behind a NUL, so that a worker of those versions reads role and content and ignores the rest.
 *
 * All expiry is the server's own, by intervals: the clocks of the workers' hosts do not matter.
 *
 * kv repeats a batch whose connection died, so each script gives the same result twice:
 * leasing by the holder returns its lease, a commit that is in already is a success.
 */
#include "services/store_redis.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/log.h"

enum {
	CONNS = 16,
	HELD_SIZE = 80,
};

static const char *const lua[SCRIPT__MAX] = {
	[SCRIPT_LEASE] = LUA_LEASE,
	[SCRIPT_LEAVE] = LUA_LEAVE,
	[SCRIPT_RENEW] = LUA_RENEW,
	[SCRIPT_RELEASE] = LUA_RELEASE,
	[SCRIPT_COMMIT] = LUA_COMMIT,
	[SCRIPT_FORGET] = LUA_FORGET,
	[SCRIPT_RUN_APPEND] = LUA_RUN_APPEND,
	[SCRIPT_RUN_BURY] = LUA_RUN_BURY,
	[SCRIPT_RUN_CANCEL] = LUA_RUN_CANCEL,
	[SCRIPT_CLAIM] = LUA_CLAIM,
	[SCRIPT_CLAIM_SETTLE] = LUA_CLAIM_SETTLE,
	[SCRIPT_CLAIM_FREE] = LUA_CLAIM_FREE,
	[SCRIPT_SLICE] = LUA_SLICE,
	[SCRIPT_SESSION_TURN] = LUA_SESSION_TURN,
	[SCRIPT_SESSION_DROP] = LUA_SESSION_DROP,
	[SCRIPT_USER_SET] = LUA_USER_SET,
	[SCRIPT_USER_PUT] = LUA_USER_PUT,
	[SCRIPT_USER_DROP] = LUA_USER_DROP,
	[SCRIPT_TALK_ADD] = LUA_TALK_ADD,
	[SCRIPT_TALK_SET] = LUA_TALK_SET,
	[SCRIPT_TALK_DROP] = LUA_TALK_DROP,
	[SCRIPT_TALK_LIST] = LUA_TALK_LIST,
	[SCRIPT_COUNT] = LUA_COUNT,
};

enum { KEY_META, KEY_MSGS, KEY_LEASE, KEY_RUN, KEY_RUNS, KEY_SESSION, KEY_QUEUE, KEY__MAX };

/* Texts of one call; they live on its stack. */
struct keys {
	char text[KEY__MAX][KEY_SIZE];
	struct str key[KEY__MAX];
};

/* `run_id` NULL: the call needs no record. A script must still get a key for it, so the key has a name in the
 * thread's slot, and nothing is stored there. The same holds for the key of the session; a commit puts the real
 * name there. */
static void name_keys(struct keys *k, const char *thread_id, const char *run_id)
{
	static const char *const part[KEY__MAX] = {
		[KEY_META] = "meta", [KEY_MSGS] = "msgs", [KEY_LEASE] = "lease", [KEY_RUN] = "run",
		[KEY_RUNS] = "runs", [KEY_SESSION] = "session", [KEY_QUEUE] = "queue",
	};

	for (int i = 0; i < KEY__MAX; i++)
		k->key[i] = print_key(k->text[i], i == KEY_RUN && run_id != NULL ? run_id : thread_id,
		    part[i]);
}

static struct str print_held(char out[HELD_SIZE], const struct lease *l)
{
	snprintf(out, HELD_SIZE, "%s:%lld", l->run, (long long)l->fence);
	return str_of(out);
}

/* Run a script; *r becomes its answer, a list that begins with a word. */
static enum errcode eval(struct remote *s, struct arena *a, int script, const struct keys *k,
    const struct str *args, size_t nargs, struct kv_reply *r, struct err *e)
{
	enum errcode rc = kv_eval(s->kv, a, &s->script[script], k->key, KEY__MAX, args, nargs, r, e);

	if (rc != OK)
		return script == SCRIPT_COMMIT ? rc : settled(rc, e);
	if (r->type != KV_LIST || r->n == 0 || r->item[0].type != KV_TEXT)
		return odd_script(s, e);
	return OK;
}

/* The number at a place of the answer; 0: there is none. */
static int64_t number_at(const struct kv_reply *r, size_t i)
{
	return i < r->n && r->item[i].type == KV_INT ? r->item[i].num : 0;
}

enum errcode redis_newer_thread(const char *thread_id, struct err *e)
{
	return err_set(e, ERR_STORE, "thread %s was stored by a newer version of this program: upgrade this "
	    "worker", log_id(thread_id));
}

/* The word of an answer as a code. */
static enum errcode verdict(const struct lease *l, const struct kv_reply *r, struct err *e)
{
	const char *word = r->item[0].text.p;

	if (streq(word, "ok"))
		return OK;
	if (streq(word, "busy"))
		return ERR_BUSY;
	if (streq(word, "unknown"))
		return store_unknown(l->thread, e);
	if (streq(word, "foreign"))
		return store_foreign(l->thread, e);
	if (streq(word, "newer"))
		return redis_newer_thread(l->thread, e);
	if (streq(word, "moved"))
		return store_moved(l, number_at(r, 1), e);
	if (streq(word, "ended"))
		return store_ended(l, e);
	return store_lost(l, e);
}

/* Run a script for the lease's thread, and give its word as a code. */
static enum errcode run(struct remote *s, struct arena *a, int script, const struct lease *l,
    const struct str *args, size_t nargs, struct kv_reply *r, struct err *e)
{
	struct keys k;

	name_keys(&k, l->thread, l->recorded ? l->run : NULL);
	enum errcode rc = eval(s, a, script, &k, args, nargs, r, e);
	return rc == OK ? verdict(l, r, e) : rc;
}

/* Who has the thread, as the script found it. */
static enum errcode busy(const struct lease *l, const struct kv_reply *r, struct lease_wait *w,
    struct err *e)
{
	if (r->n > 1 && r->item[1].type == KV_TEXT)
		snprintf(w->holder, sizeof(w->holder), "%s", r->item[1].text.p);
	w->held_ms = number_at(r, 2);
	w->retry_ms = number_at(r, 3) > 0 ? number_at(r, 3) : 1;
	w->place = (int)number_at(r, 4);
	return store_busy(l, w, e);
}

static enum errcode redis_lease(struct store *store, const struct thread_owner *owner,
    const struct run_start *start, struct lease *l, struct lease_wait *w, struct err *e)
{
	enum { PLAIN = 9, RECORDED = 16 };
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct number ms, ttl, most, hold, longest, began, alive, kept;
	struct str args[RECORDED] = { print(&ms, l->ttl_ms), print(&ttl, s->ttl_ms), str_of(l->run),
	    str_of(owner->user), str_of(owner->agent), str_of(store->agent), print(&most, w->queue_max),
	    print(&hold, w->hold_ms), print(&longest, STORE_HOLD_MAX_MS) };
	struct kv_reply r;

	if (start != NULL) {
		args[9] = str_of(l->thread);
		args[10] = str_of(start->session_id);
		args[11] = str_of(start->worker);
		args[12] = print(&began, start->started_us);
		args[13] = str_of(start->logged ? "1" : "0");
		args[14] = print(&alive, store_alive_ms(l->ttl_ms));
		args[15] = print(&kept, store->run_ttl_ms);
	}
	enum errcode rc = run(s, a, SCRIPT_LEASE, l, args, start != NULL ? RECORDED : PLAIN, &r, e);

	if (rc == OK) {
		l->fence = number_at(&r, 1);
		if (r.n > 2 && r.item[2].type == KV_TEXT)
			snprintf(w->dead, sizeof(w->dead), "%s", r.item[2].text.p);
	} else if (rc == ERR_BUSY) {
		rc = busy(l, &r, w, e);
	}
	arena_free(a);
	return rc;
}

static enum errcode redis_leave(struct store *store, const struct lease *l, struct err *e)
{
	struct arena *a = arena_new();
	struct number longest;
	const struct str args[] = { str_of(l->run), print(&longest, STORE_HOLD_MAX_MS) };
	struct kv_reply r;
	enum errcode rc = run(remote_of(store), a, SCRIPT_LEAVE, l, args, 2, &r, e);

	arena_free(a);
	return rc;
}

static enum errcode redis_renew(struct store *store, struct lease *l, struct err *e)
{
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct number ms, ttl, alive, kept;
	char held[HELD_SIZE];
	const struct str args[] = { print(&ms, l->ttl_ms), print(&ttl, s->ttl_ms),
	    print_held(held, l), print(&alive, store_alive_ms(l->ttl_ms)),
	    print(&kept, store->run_ttl_ms) };
	struct kv_reply r;
	enum errcode rc = run(s, a, SCRIPT_RENEW, l, args, l->recorded ? 5 : 3, &r, e);

	if (rc == OK)
		l->cancelled |= number_at(&r, 1) != 0;

	arena_free(a);
	return rc;
}

static enum errcode redis_release(struct store *store, const struct lease *l, struct err *e)
{
	struct arena *a = arena_new();
	char held[HELD_SIZE];
	const struct str args[] = { print_held(held, l) };
	struct kv_reply r;
	enum errcode rc = run(remote_of(store), a, SCRIPT_RELEASE, l, args, 1, &r, e);

	arena_free(a);
	return rc;
}

/* Send a commit; `together`: its session lies on the same server, and is counted in the same step. */
static enum errcode send_commit(struct remote *s, struct arena *a, const struct lease *l, struct str *args,
    size_t nargs, bool together, struct err *e)
{
	struct kv_reply r;
	struct keys k;

	name_keys(&k, l->thread, l->recorded ? l->run : NULL);
	if (together)
		k.key[KEY_SESSION] = args[SESSION_ARGS - 2];
	args[SESSION_ARGS - 1] = str_of(together ? "1" : "0");
	enum errcode rc = eval(s, a, SCRIPT_COMMIT, &k, args, nargs, &r, e);
	return rc == OK ? verdict(l, &r, e) : rc;
}

/* In a cluster the session's key lies in another slot. Then the turn is counted after the commit. If
 * the counting fails, the turn is stored, and only the session's numbers lack it. */
static enum errcode commit_counted(struct remote *s, struct arena *a, const struct lease *l,
    const struct kept_turn *c, struct str *args, size_t nargs, struct err *e)
{
	const bool apart = kv_in_cluster(s->kv);
	struct err late;
	enum errcode rc = send_commit(s, a, l, args, nargs, c->session != NULL && !apart, e);

	if (c->session == NULL || !kv_in_cluster(s->kv))
		return rc;
	if (!apart && rc == ERR_STORE)          /* it was refused because of that key */
		rc = send_commit(s, a, l, args, nargs, false, e);
	else if (!apart)
		return rc;
	if (rc == OK && redis_session_turn(s, c, l, &late) != OK)
		log_msg(LOG_WARN, "turn_not_counted", "session=%s why=\"%s\"", log_id(c->session->id), late.msg);
	return rc;
}

static enum errcode redis_commit(struct store *store, const struct lease *l,
    const struct thread_owner *owner, const struct kept_turn *c, struct err *e)
{
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct str *args = arena_array(a, COMMIT_ARGS + c->nappend, sizeof(*args));
	struct number ms, ttl, version, ceiling, skipped, kept;
	struct redis_session_text session;
	struct redis_end_text end;
	char held[HELD_SIZE], key[SESSION_KEY_SIZE];

	args[0] = print(&ms, l->ttl_ms);
	args[1] = print(&ttl, c->origin[0] != '\0' && (s->ttl_ms == 0 || s->ttl_ms > STORE_COPY_MS) ?
	    STORE_COPY_MS : s->ttl_ms);
	args[2] = str_of(l->run);
	args[3] = print_held(held, l);
	args[4] = print(&version, c->version);
	args[5] = str_of(owner->user);
	args[6] = str_of(owner->agent);
	args[7] = str_of(store->agent);
	args[8] = print(&ceiling, (int64_t)store->thread_bytes);
	args[9] = print(&skipped, (int64_t)c->skipped);
	args[10] = str_of(c->state != NULL ? "1" : "0");
	args[11] = str_of(c->state);
	args[12] = str_of(c->last ? "1" : "0");
	args[13] = print(&kept, store->run_ttl_ms);
	args[14] = str_of(c->end != NULL && l->recorded ? "1" : "0");
	redis_end_args(args + 15, c->end != NULL ? c->end : &(struct run_end){ .status = RUN_RUNNING },
	    &end);
	args[SESSION_ARGS - 4] = str_of(c->title);
	args[SESSION_ARGS - 3] = str_of(c->origin);
	args[SESSION_ARGS - 2] = c->session == NULL ? STR("") :
	    redis_session_key(key, c->session->id, c->session->user);
	redis_session_args(args + SESSION_ARGS, c, l->thread, &session);
	for (size_t i = 0; i < c->nappend; i++)
		args[COMMIT_ARGS + i] = redis_message(a, &c->append[i]);
	enum errcode rc = commit_counted(s, a, l, c, args, COMMIT_ARGS + c->nappend, e);
	arena_free(a);
	return rc;
}

static enum errcode redis_load(struct store *store, struct arena *a,
    const struct thread_owner *owner, size_t max, struct thread *t, struct err *e)
{
	struct remote *s = remote_of(store);
	struct keys k;
	struct number first;
	struct kv_reply r[5];
	enum errcode rc;

	name_keys(&k, t->id, NULL);
	max = max < INT32_MAX ? max : INT32_MAX;
	const struct str multi[] = { STR("MULTI") }, exec[] = { STR("EXEC") };
	const struct str head[] = { STR("HMGET"), k.key[KEY_META], STR("ver"), STR("state"),
	    STR("gone"), STR("owner"), STR("agent"), STR("bytes"), STR("form") };
	const struct str count[] = { STR("LLEN"), k.key[KEY_MSGS] };
	/* a range that begins after the end has no messages */
	const struct str tail[] = { STR("LRANGE"), k.key[KEY_MSGS],
	    max > 0 ? print(&first, -(int64_t)max) : STR("1"), max > 0 ? STR("-1") : STR("0") };
	const struct kv_cmd cmds[] = { { multi, 1 }, { head, 9 }, { count, 2 }, { tail, 4 },
	    { exec, 1 } };
	rc = kv_run(s->kv, a, cmds, 5, r, e);
	if (rc != OK)
		return settled(rc, e);
	const struct kv_reply *got = r[4].item;
	long long version, gone = 0;
	if (r[4].type != KV_LIST || r[4].n != 3 || got[0].type != KV_LIST || got[0].n != 7 ||
	    got[1].type != KV_INT || got[2].type != KV_LIST)
		return redis_odd_thread(s, t->id, e);
	if (got[0].item[0].type != KV_TEXT)
		return OK;                      /* no commit has written it */
	if (!str_to_int(got[0].item[0].text.p, &version) || (got[0].item[2].type == KV_TEXT &&
	    !str_to_int(got[0].item[2].text.p, &gone)))
		return redis_odd_thread(s, t->id, e);
	const struct kv_reply *user = &got[0].item[3], *agent = &got[0].item[4];
	if ((user->type == KV_TEXT && !streq(user->text.p, owner->user)) ||
	    !streq(agent->type == KV_TEXT ? agent->text.p : store->agent, owner->agent))
		return store_foreign(t->id, e);
	if (got[0].item[6].type == KV_TEXT && !streq(got[0].item[6].text.p, FORM))
		return redis_newer_thread(t->id, e);
	t->version = version;
	t->nmessages = gone + got[1].num;
	/* if the messages were evicted, the state is dropped too, because it belongs to them */
	const struct kv_reply *bytes = &got[0].item[5];
	bool evicted = got[1].num == 0 && bytes->type == KV_TEXT && !streq(bytes->text.p, "0");
	t->state = got[0].item[1].type == KV_TEXT && !evicted ? got[0].item[1].text.p : NULL;
	t->nloaded = got[2].n;
	return redis_messages(s, a, t->id, &got[2], &t->messages, e);
}

static enum errcode redis_forget(struct store *store, const char *thread_id,
    const struct thread_owner *owner, int64_t *retry_ms, struct err *e)
{
	struct remote *s = remote_of(store);
	struct arena *a = arena_new();
	struct lease l = { .run = "" };
	struct kv_reply r;

	memcpy(l.thread, thread_id, strlen(thread_id) + 1);
	const struct str args[] = { str_of(owner != NULL ? owner->user : NULL),
	    str_of(owner != NULL ? owner->agent : NULL), str_of(store->agent) };
	enum errcode rc = run(s, a, SCRIPT_FORGET, &l, args, owner != NULL ? 3 : 0, &r, e);
	if (rc == ERR_BUSY) {
		*retry_ms = number_at(&r, 1);
		err_set(e, rc, "thread %s cannot be deleted, because a run holds it", log_id(thread_id));
	}
	if (rc == OK && r.n > 1 && r.item[1].type == KV_TEXT && r.item[1].text.n > 0)
		rc = redis_session_drop(s, r.item[1].text, thread_id, e);
	arena_free(a);
	return rc;
}

/* Usable means writable: a full server or a replica answers PING too. */
static enum errcode redis_ping(struct store *store, struct err *e)
{
	static const struct str set[] = { STR("SET"), STR("aa:ping"), STR("1"), STR("PX"),
	    STR("1000") };
	const struct kv_cmd cmd = { set, 5 };
	struct arena *a = arena_new();
	struct kv_reply r;
	enum errcode rc = settled(kv_run(remote_of(store)->kv, a, &cmd, 1, &r, e), e);

	arena_free(a);
	return rc;
}

static void redis_close(struct store *store)
{
	struct remote *s = remote_of(store);

	kv_close(s->kv);
	free(s);
}

static const struct store_ops redis_ops = {
	.close = redis_close,
	.ping = redis_ping,
	.lease = redis_lease,
	.leave = redis_leave,
	.renew = redis_renew,
	.release = redis_release,
	.load = redis_load,
	.commit = redis_commit,
	.forget = redis_forget,
	.run_read = redis_run_read,
	.run_append = redis_run_append,
	.run_bury = redis_run_bury,
	.run_cancel = redis_run_cancel,
	.listen_open = redis_listen_open,
	.listen_close = redis_listen_close,
	.listen_add = redis_listen_add,
	.listen_drop = redis_listen_drop,
	.listen_begin = redis_listen_begin,
	.listen_wake = redis_listen_wake,
	.listen_wait = redis_listen_wait,
	.claim = redis_claim,
	.claim_settle = redis_claim_settle,
	.claim_free = redis_claim_free,
};

enum errcode store_redis_open(struct store **out, const struct store_config *c, struct err *e)
{
	struct remote *s = heap_new(sizeof(*s));
	enum errcode rc;

	s->base.ops = &redis_ops;
	s->base.threads = &store_redis_threads;
	s->base.accounts = &store_redis_accounts;
	s->ttl_ms = c->ttl_s > 0 ? c->ttl_s * 1000 : 0;
	for (int i = 0; i < SCRIPT__MAX; i++)
		s->script[i].text = lua[i];
	rc = kv_open(&s->kv, c->redis_url, c->timeout_ms, CONNS, e);
	if (rc != OK) {
		free(s);
		return rc;
	}
	*out = &s->base;
	return OK;
}
