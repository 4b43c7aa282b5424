/*
 * The signature is checked before anything in the token is read, so a parser never sees what a stranger
 * wrote, apart from the header.
 */
#include "services/jwt.h"

#include <string.h>

#include "base/jsn.h"
#include "base/str.h"
#include "drivers/hmac.h"

enum { DEPTH = 3 };

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char TYPE[] = "access";

/* base64url without padding */
static const char *encode(struct arena *a, const void *data, size_t n)
{
	const unsigned char *p = data;
	char *out = arena_alloc(a, (n + 2) / 3 * 4 + 1), *to = out;
	unsigned int bits = 0;
	int have = 0;

	for (size_t i = 0; i < n; i++) {
		bits = (bits << 8) | p[i];
		for (have += 8; have >= 6; have -= 6)
			*to++ = DIGITS[(bits >> (have - 6)) & 63];
	}
	if (have > 0)
		*to++ = DIGITS[(bits << (6 - have)) & 63];
	*to = '\0';
	return out;
}

/* False: another byte, or bits that an encoder leaves zero. So each token has one form only. */
static bool decode(struct arena *a, struct str text, struct str *out)
{
	char *data = arena_alloc(a, text.n + 1);
	unsigned int bits = 0;
	int have = 0;
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		const char *at = text.p[i] != '\0' ? strchr(DIGITS, text.p[i]) : NULL;
		if (at == NULL)
			return false;
		bits = (bits << 6) | (unsigned int)(at - DIGITS);
		if ((have += 6) >= 8) {
			have -= 8;
			data[n++] = (char)(bits >> have & 255);
		}
	}
	*out = (struct str){ data, n };
	return have < 6 && (bits & ((1U << have) - 1)) == 0;
}

static struct str str_between(const char *from, const char *to)
{
	return (struct str){ from, (size_t)(to - from) };
}

const char *jwt_issue(struct arena *a, const char *secret, const char *subject, int64_t now_s, int64_t exp_s)
{
	static const char header[] = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
	struct json_object *claims = jsn_object(a);
	unsigned char mac[HMAC_SIZE];

	jsn_add_str(claims, "sub", subject);
	jsn_add_int(claims, "exp", exp_s);
	jsn_add_str(claims, "type", TYPE);
	jsn_add_int(claims, "iat", now_s);
	const char *body = jsn_text(a, claims, JSN_PLAIN);
	const char *signed_part = arena_printf(a, "%s.%s", encode(a, header, sizeof(header) - 1),
	    encode(a, body, strlen(body)));
	if (!hmac_sha256(mac, str_of(secret), str_of(signed_part)))
		return NULL;
	return arena_printf(a, "%s.%s", signed_part, encode(a, mac, sizeof(mac)));
}

static struct json_object *parse(struct arena *a, struct str part)
{
	struct json_object *o;
	struct str text;
	struct err e;

	return decode(a, part, &text) && jsn_parse(a, text.p, text.n, DEPTH, &o, NULL, &e) == OK ? o : NULL;
}

static enum errcode read_claims(struct json_object *claims, int64_t now_s, const char **subject,
    int64_t *issued_s, struct err *e)
{
	struct json_object *exp = jsn_get(claims, "exp");

	*subject = jsn_get_str(claims, "sub", "");
	*issued_s = jsn_get_int(claims, "iat", 0);
	if (!streq(jsn_get_str(claims, "type", NULL), TYPE))
		return err_set(e, ERR_AUTH, "the token's type is not access");
	if (!jsn_is(exp, json_type_int) || json_object_get_int64(exp) <= now_s)
		return err_set(e, ERR_AUTH, "the token has ended");
	return **subject != '\0' ? OK : err_set(e, ERR_AUTH, "the token has no subject");
}

enum errcode jwt_check(struct arena *a, const char *secret, const char *token, int64_t now_s,
    const char **subject, int64_t *issued_s, struct err *e)
{
	unsigned char mac[HMAC_SIZE];
	struct str sent;
	const size_t n = strnlen(token, JWT_MAX + 1);
	const char *dot = memchr(token, '.', n);
	const char *dot2 = dot != NULL ? strchr(dot + 1, '.') : NULL;

	if (n > JWT_MAX || dot2 == NULL)
		return err_set(e, ERR_AUTH, "the token is not a JWT");
	if (!decode(a, str_of(dot2 + 1), &sent) || sent.n != HMAC_SIZE ||
	    !hmac_sha256(mac, str_of(secret), str_between(token, dot2)) ||
	    !hmac_same(mac, (const unsigned char *)sent.p))
		return err_set(e, ERR_AUTH, "the token's signature is wrong");
	if (!streq(jsn_get_str(parse(a, str_between(token, dot)), "alg", NULL), "HS256"))
		return err_set(e, ERR_AUTH, "the token is signed by another algorithm");
	return read_claims(parse(a, str_between(dot + 1, dot2)), now_s, subject, issued_s, e);
}
