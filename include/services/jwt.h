/*
 * Access tokens: JSON Web Tokens (RFC 7519) that this service signs and checks itself, with HMAC-SHA-256
 * (HS256) and the claims sub, exp, type and iat. Any other algorithm is refused.
 */
#ifndef SERVICES_JWT_H
#define SERVICES_JWT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

enum {
	JWT_MAX = 2048,                 /* bytes of a token */
};

/* A token for this subject that ends at exp_s (Unix time). NULL: libcrypto failed. */
const char *jwt_issue(struct arena *a, const char *secret, const char *subject, int64_t now_s, int64_t exp_s);
/* Is the token ours, of the type "access", and not ended? Then *subject is its subject, in the arena,
 * and *issued_s the time when it was made (0: it does not say). ERR_AUTH:
 * it is not; e->msg says why. */
enum errcode jwt_check(struct arena *a, const char *secret, const char *token, int64_t now_s,
    const char **subject, int64_t *issued_s, struct err *e);

#endif
