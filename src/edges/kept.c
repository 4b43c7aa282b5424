/*
 * The tag is a hash of the bytes, so it can be neither stale nor wrong for data that is replaced
 * while the program runs. It is not meant to withstand an adversary, who could only give himself an
 * old answer.
 */
#include "edges/kept.h"

#include <stdint.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "edges/reply.h"

enum { TAG_SIZE = 40 };

static uint64_t mixed(uint64_t h)
{
	h ^= h >> 32;
	h *= UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 29;
}

/* Two lanes of eight bytes a step: an answer may have hundreds of kilobytes, and str_hash() takes a
 * step for each byte. */
static void hash(const char *p, size_t n, uint64_t out[2])
{
	uint64_t a = UINT64_C(0x9e3779b97f4a7c15) ^ n, b = UINT64_C(0xc2b2ae3d27d4eb4f), words[2];

	for (; n >= sizeof(words); p += sizeof(words), n -= sizeof(words)) {
		memcpy(words, p, sizeof(words));
		a = mixed(a ^ words[0]);
		b = mixed(b ^ words[1]);
	}
	memset(words, 0, sizeof(words));
	memcpy(words, p, n);
	out[0] = mixed(mixed(a ^ words[0]) + b);
	out[1] = mixed(mixed(b ^ words[1]) + out[0]);
}

static void tag_of(const struct buf *text, char tag[TAG_SIZE])
{
	uint64_t h[2];
	char *p = tag;

	hash(text->p, text->n, h);
	*p++ = '"';
	p = hex_put(p, h, sizeof(h));
	*p++ = '"';
	*p = '\0';
}

/* Is this the tag, or what a web server that compresses the answer makes of it? nginx makes it a weak one
 * (W/"…"), which counts as the same here (RFC 9110, 13.1.2); Apache puts "-gzip" before the last quote. */
static bool is_tag(struct str part, const char *tag)
{
	const size_t n = strlen(tag) - 1;      /* without its last quote */

	if (part.n > 2 && part.p[0] == 'W' && part.p[1] == '/')
		part = (struct str){ part.p + 2, part.n - 2 };
	return str_eq(part, tag) || str_eq(part, "*") || (part.n > n && memcmp(part.p, tag, n) == 0 &&
	    str_eq((struct str){ part.p + n, part.n - n }, "-gzip\""));
}

/* Is the tag in the list of an If-None-Match? */
static bool has_tag(const char *list, const char *tag)
{
	struct str part;

	while (list != NULL && str_part(&list, ',', &part))
		if (is_tag(str_trim(part), tag))
			return true;
	return false;
}

void kept_for(struct http_req *r, struct http_res *w, const struct buf *text, int seconds)
{
	char tag[TAG_SIZE];

	if (text->full) {
		struct err err;
		err_set(&err, ERR_INTERNAL, "the answer has more than %zu bytes", text->max);
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	tag_of(text, tag);
	if (r->method != HTTP_POST) {
		http_field(w, "ETag", tag);
		if (seconds > 0)
			http_fieldf(w, "Cache-Control", "max-age=%d", seconds);
		else
			http_field(w, "Cache-Control", "no-cache");
	}
	if (r->method != HTTP_POST && has_tag(r->field[FIELD_IF_NONE_MATCH], tag)) {
		http_begin(w, 304, NULL, HTTP_LENGTH_UNKNOWN);
		http_end(w);
	} else if (http_begin(w, 200, "application/json", (int64_t)text->n) == OK &&
	    http_put(w, text->p, text->n) == OK) {
		http_end(w);
	}
}

void kept_answer(struct http_req *r, struct http_res *w, const struct buf *text)
{
	kept_for(r, w, text, 0);
}
