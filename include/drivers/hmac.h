/*
 * SHA-256 and HMAC-SHA-256, by OpenSSL's libcrypto. No other module includes its headers for this.
 */
#ifndef DRIVERS_HMAC_H
#define DRIVERS_HMAC_H

#include <stdbool.h>

#include "base/str.h"

enum { HMAC_SIZE = 32, SHA256_HEX = 65 };

/* The SHA-256 of data as lower-case hexadecimal digits. False: libcrypto failed. */
bool sha256_hex(char out[SHA256_HEX], struct str data);

/* False: libcrypto failed. */
bool hmac_sha256(unsigned char out[HMAC_SIZE], struct str key, struct str data);
/* Takes the same time wherever they differ. */
bool hmac_same(const unsigned char a[HMAC_SIZE], const unsigned char b[HMAC_SIZE]);

#endif
