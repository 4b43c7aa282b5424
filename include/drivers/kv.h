/*
 * Redis. No other module includes hiredis.
 *
 * A struct kv is a small pool of connections to one server, to the server that the sentinels call
 * the master, or to each node of a cluster. All threads may use it at once. It connects at the first
 * call, so a server that is down shows then, and calls work again when it is back.
 *
 * When a server is down, one call at a time tries to reach it again, with pauses between the tries that grow
 * from 20 ms to 500 ms. The other calls wait for it, for at most three quarters of their time. When the server
 * has been away for 5 s, they fail at once.
 *
 * In a cluster all keys of a batch must be in one slot: the slot of the first key. A batch follows
 * the cluster's redirections. A server that is named by redis:// and redirects is treated as a node
 * of a cluster from then on.
 *
 * Every call has one deadline. It covers the wait for a free connection, connecting, sending and
 * all the replies, even when the server sends a few bytes at a time. (The C library looks up host
 * names, with a time-out of its own.) The wait for a free connection takes at most three quarters
 * of the time, so that some is left for the server.
 *
 * If the connection of a batch turns out to be dead, the batch is sent once more over a new one,
 * although the server may have carried it out the first time. So pass only commands that may run
 * twice. A batch that gets no answer in time is not repeated.
 *
 * The process must ignore SIGPIPE. Messages say what failed, where, and what to do. They contain
 * neither passwords nor arguments of commands.
 *   ERR_STORE     the server cannot be reached, hangs or refuses: nothing was done
 *   ERR_UNSURE    the commands were sent, but not all replies came: the server may have carried
 *                 them out, or may still do so
 *   ERR_OVERLOAD  the server answers, but there are more calls at once than connections
 */
#ifndef DRIVERS_KV_H
#define DRIVERS_KV_H

#include <stdbool.h>
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

/* a Lua script; the caller keeps one struct for each kv and script */
struct kv_script {
	const char *text;
	char sha[41];                 /* set by kv: the hash by which the server knows the script */
};

/* `url`: see kv_url.h. timeout_ms (0: 2 s) is the deadline of a call. At most max_conns
 * connections; a thread that finds all in use waits for one. ERR_CONFIG for a wrong URL. */
enum errcode kv_open(struct kv **out, const char *url, int timeout_ms, int max_conns,
    struct err *e);
void kv_close(struct kv *kv);                 /* NULL is allowed; no call may be running */
/* Is the server known to be a cluster? Then all keys of a batch must be in one slot. At the latest this is
 * known when a server has refused a batch for that reason (ERR_STORE). */
bool kv_in_cluster(struct kv *kv);
const char *kv_where(const struct kv *kv);    /* "redis at host:6379", for messages */

/* Send n commands in one write and read their n replies into out[0..n), with memory of the arena.
 * The first error reply fails the call. */
enum errcode kv_run(struct kv *kv, struct arena *a, const struct kv_cmd *cmds, size_t n,
    struct kv_reply *out, struct err *e);

/* Run a script in one round trip: by its hash if the server has it, else by its text. */
enum errcode kv_eval(struct kv *kv, struct arena *a, struct kv_script *s,
    const struct str *keys, size_t nkeys, const struct str *args, size_t nargs,
    struct kv_reply *out, struct err *e);

#endif
