/*
 * One connection to a Redis server. Private to src/drivers/kv*.c.
 *
 * Sockets do not block. Each wait is a poll() with the time that the call has left. A time-out of
 * the socket itself would start again with every byte that arrives.
 */
#ifndef DRIVERS_KV_WIRE_H
#define DRIVERS_KV_WIRE_H

#include <hiredis/hiredis.h>
#include <stdint.h>

#include "base/errs.h"
#include "drivers/kv.h"
#include "drivers/kv_tls.h"
#include "drivers/kv_url.h"

enum wire { WIRE_OK, WIRE_DEAD, WIRE_SILENT };

/* Milliseconds until `until_ms`, never negative. */
int wire_left(int64_t until_ms);

/* How connections are made. */
struct wire_way {
	const struct kv_url *url;
	struct kv_tls *tls;             /* NULL: without TLS */
};

/* Connect to `h` (NULL: the Unix socket of the URL). NULL on failure, with the reason in e. `where`
 * names the server. */
redisContext *wire_dial(const struct wire_way *way, const struct kv_host *h, const char *where,
    int64_t until_ms, struct err *e);

/* Send n commands. WIRE_OK: all of them have left. */
enum wire wire_send(redisContext *c, const struct kv_cmd *cmds, size_t n, int64_t until_ms);
/* The next reply; the caller frees it. */
enum wire wire_reply(redisContext *c, int64_t until_ms, redisReply **reply);
/* The next reply, if it has arrived whole; else *reply is NULL. Does not wait. */
enum wire wire_reply_now(redisContext *c, redisReply **reply);
/* Send n commands and read n replies. Unless the result is WIRE_OK, there is nothing to free. */
enum wire wire_exchange(redisContext *c, const struct kv_cmd *cmds, size_t n,
    redisReply **replies, int64_t until_ms);

/* What WIRE_DEAD and WIRE_SILENT mean, in words; returns ERR_STORE. */
enum errcode wire_broken(const char *where, enum wire w, const char *why, int timeout_ms,
    struct err *e);

#endif
