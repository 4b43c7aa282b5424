/*
 * Hashes of passwords, by the C library's crypt(3) (yescrypt). No other module includes <crypt.h>.
 *
 * One hash takes some 40 ms of CPU and 32 MB of memory, so only a few are made at once in a process.
 */
#ifndef DRIVERS_PASSWORD_H
#define DRIVERS_PASSWORD_H

#include <stdbool.h>

#include "base/errs.h"

enum {
	PASSWORD_HASH_SIZE = 384,
	PASSWORD_BYTES_MAX = 400,       /* crypt(3) takes at most 511 */
};

/* A hash with a salt of its own. ERR_OVERLOAD: too many callers wait already. */
enum errcode password_hash(char out[PASSWORD_HASH_SIZE], const char *password, struct err *e);
/* Is this the password? `hash` NULL: there is no such user. That takes as long as a wrong password, so that the
 * time does not tell which names exist. ERR_OVERLOAD as above. */
enum errcode password_check(const char *hash, const char *password, bool *right, struct err *e);

#endif
