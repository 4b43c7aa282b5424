/*
 * TLS for connections to Redis. Private to src/drivers/kv*.c.
 *
 * It needs hiredis 1.0 or later with its SSL library; configure looks for it. Without it
 * kv_tls_open() says what to do instead. The server's certificate is always verified: against the
 * authorities of the system or those in `ca`, and against the host's name or `name`.
 */
#ifndef DRIVERS_KV_TLS_H
#define DRIVERS_KV_TLS_H

#include <hiredis/hiredis.h>

#include "base/errs.h"
#include "drivers/kv_url.h"

struct kv_tls;

/* *out becomes NULL for a URL without TLS. ERR_CONFIG: a file cannot be used, or there is no TLS. */
enum errcode kv_tls_open(struct kv_tls **out, const struct kv_url *u, struct err *e);
void kv_tls_close(struct kv_tls *t);            /* NULL is allowed */

/* Shake hands over a new connection, which still blocks. `ms`: the longest wait for each step. False:
 * c->errstr tells why. */
bool kv_tls_start(struct kv_tls *t, redisContext *c, const char *host, int ms);
/* As read(2), for a connection with TLS or without. */
ssize_t kv_tls_read(redisContext *c, char *p, size_t n);

#endif
