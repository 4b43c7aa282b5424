/*
 * Redis, the only module that includes hiredis.
 *
 * A struct kv is a small pool of connections to one server (or to whichever server the
 * sentinels call the master); all threads may use it at once. It never connects before it is
 * asked something, so a server that is down shows at the first call, and calls work again
 * when it is back.
 *
 * Every call has one deadline. It covers the wait for a free connection, connecting, sending and all
 * the replies, even when the server sends a few bytes at a time. (The C library looks up host names,
 * with a time-out of its own.) The wait for a free connection takes at most three quarters of the
 * time, so that some is left for the server.
 *
 * A batch whose connection turns out to be dead is sent once more over a new one, and
 * the server may have carried it out the first time: pass only commands that may run twice.
 * A batch that gets no answer in time is not repeated.
 *
 * The process must ignore SIGPIPE. Failures say where, what, and what to do; neither passwords
 * nor arguments of commands appear in them:
 *   ERR_STORE     the server cannot be reached, hangs or refuses: nothing was done
 *   ERR_UNSURE    the commands were sent, but not all replies came: the commands may have been
 *                 carried out, or may be later
 *   ERR_OVERLOAD  the server answers, but there are more calls at once than connections
 */
#ifndef DRIVERS_KV_H
#define DRIVERS_KV_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/str.h"

struct kv;

enum kv_type { KV_NIL, KV_INT, KV_TEXT, KV_LIST };

struct kv_reply {
	enum kv_type type;
	int64_t num;                  /* KV_INT */
	struct str text;              /* KV_TEXT; NUL-terminated, may hold NULs */
	struct kv_reply *item;        /* KV_LIST */
	size_t n;
};

struct kv_cmd {
	const struct str *argv;       /* "GET", "key" */
	size_t argc;
};

struct kv_script {                    /* a Lua script; the caller keeps one per kv and script */
	const char *text;
	char sha[41];                 /* kv's own: what the server knows it by */
};

/* `url`: see kv_url.h. timeout_ms (0: 2 s) is the deadline of a call. At most max_conns
 * connections; a thread that finds all in use waits for one. ERR_CONFIG for a wrong URL. */
enum errcode kv_open(struct kv **out, const char *url, int timeout_ms, int max_conns,
    struct err *e);
void kv_close(struct kv *kv);                 /* NULL is allowed; no call may be running */
const char *kv_where(const struct kv *kv);    /* "redis at host:6379", for messages */

/* Send n commands in one write, read their n replies into out[0..n), memory in the arena. The
 * first error reply fails the call. */
enum errcode kv_run(struct kv *kv, struct arena *a, const struct kv_cmd *cmds, size_t n,
    struct kv_reply *out, struct err *e);

/* Run a script in one round trip: by its SHA when the server has it, else by its text. */
enum errcode kv_eval(struct kv *kv, struct arena *a, struct kv_script *s,
    const struct str *keys, size_t nkeys, const struct str *args, size_t nargs,
    struct kv_reply *out, struct err *e);

#endif
