/*
 * The percent encoding of addresses (RFC 3986).
 */
#ifndef BASE_URL_H
#define BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;

/* All characters but letters, digits and "-._~" as "%XX": safe in a path and in a query. */
char *url_encode(struct arena *a, const char *s);
/* One byte as "%XX", for callers that choose the bytes themselves; returns the end. No NUL is
 * written. */
char *url_encode_byte(char *to, char c);
/* Into dst with a NUL; `plus`: '+' is a blank, as in a query. False: a broken escape, a NUL, or it
 * does not fit. s.n + 1 bytes are always enough. */
bool url_decode(char *dst, size_t size, struct str s, bool plus);

#endif
