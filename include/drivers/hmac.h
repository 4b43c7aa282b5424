/*
 * HMAC-SHA-256, by OpenSSL's libcrypto. No other module includes its headers for this.
 */
#ifndef DRIVERS_HMAC_H
#define DRIVERS_HMAC_H

#include <stdbool.h>

#include "base/str.h"

enum { HMAC_SIZE = 32 };

/* False: libcrypto failed. */
bool hmac_sha256(unsigned char out[HMAC_SIZE], struct str key, struct str data);
/* Takes the same time wherever they differ. */
bool hmac_same(const unsigned char a[HMAC_SIZE], const unsigned char b[HMAC_SIZE]);

#endif
