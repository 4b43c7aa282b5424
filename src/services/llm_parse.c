/*
 * The first bytes tell what a body is. A stream goes through the event parser, and each event is a
 * chunk; a single object is collected and read at its end. Both end in the dialect's take(), which
 * takes the members that it knows and ignores the rest. The exception are chunks of nothing but text,
 * which are most of a stream and need no tree.
 *
 * Servers cut text by tokens, not by characters, so one delta may end inside a character (as raw
 * bytes, or after the first half of a surrogate pair), and the next one continues it. So text
 * passes through join(), which hands on whole characters only and keeps the rest.
 */
#include "services/llm_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_dialect.h"

#define REPLACEMENT "\xef\xbf\xbd"      /* U+FFFD */

void llm_parse_init(struct llm_parse *r, const struct llm_dialect *d, size_t max,
    llm_text_fn *on_text, void *arg)
{
	*r = (struct llm_parse){ .dialect = d, .max = max, .input = -1, .output = -1, .cached = -1, .on_text = on_text,
	    .arg = arg };
	/* a byte of the body becomes at most one character, of three bytes when it is replaced */
	size_t room = max < SIZE_MAX / 8 ? 4 * max + 16 : SIZE_MAX / 2;
	buf_init(&r->text, room);
	buf_init(&r->raw, room);
	buf_init(&r->piece, room);
	buf_init(&r->body, max + 1);          /* a line gets its end */
	sse_parser_init(&r->sse, max);
}

void llm_parse_release(struct llm_parse *r)
{
	buf_release(&r->text);
	buf_release(&r->raw);
	buf_release(&r->piece);
	buf_release(&r->body);
	sse_parser_release(&r->sse);
	for (size_t i = 0; i < r->ncalls; i++) {
		buf_release(&r->calls[i].name);
		buf_release(&r->calls[i].arguments);
		buf_release(&r->calls[i].signature);
	}
	free(r->calls);
}

enum errcode parse_fail(struct llm_parse *r, enum llm_verdict v)
{
	r->verdict = v;
	return ERR_UPSTREAM;
}

/* -- text -- */

/* Half of a surrogate pair as three bytes. */
static bool half(const char *p, size_t n, unsigned char low, unsigned char high, uint32_t *unit)
{
	const unsigned char *u = (const unsigned char *)p;
	if (n < 3 || u[0] != 0xed || u[1] < low || u[1] > high || (u[2] & 0xc0) != 0x80)
		return false;
	*unit = 0xd000u | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
	return true;
}

/* Could more bytes make these a character, or half of one? */
static bool unfinished(const char *p, size_t n)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t len = u[0] < 0xc2 || u[0] > 0xf4 ? 0 : u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
	if (n >= len)
		return false;
	if (n > 1 && ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90) ||
	    (u[0] == 0xf4 && u[1] > 0x8f)))
		return false;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Move the whole characters of `raw` to `out`. Bytes that may still become a character stay, unless
 * this is the last piece; bytes that cannot are replaced, one by one. */
static void join(struct buf *raw, bool last, struct buf *out)
{
	size_t i = 0;
	if (utf8_valid(raw->p, raw->n) && memchr(raw->p, '\0', raw->n) == NULL) {
		buf_put(out, raw->p, raw->n);     /* nearly always all of it is whole */
		i = raw->n;
	}
	while (i < raw->n) {
		const char *p = raw->p + i;
		size_t n = raw->n - i, len = utf8_len(p, n);
		uint32_t high, low;
		if (len > 0 && *p != '\0') {
			buf_put(out, p, len);
		} else if (half(p, n, 0xa0, 0xaf, &high)) {
			if (half(p + 3, n - 3, 0xb0, 0xbf, &low)) {
				uint32_t c = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
				char utf8[4] = { (char)(0xf0 | c >> 18), (char)(0x80 | (c >> 12 & 0x3f)),
				    (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f)) };
				buf_put(out, utf8, 4);
				len = 6;
			} else if (!last && (n == 3 || (p[3] == '\xed' && (n == 4 ||
			    (n == 5 && (p[4] & 0xf0) == 0xb0))))) {
				break;
			} else {
				buf_puts(out, REPLACEMENT);
				len = 3;
			}
		} else if (!last && *p != '\0' && unfinished(p, n)) {
			break;
		} else {
			buf_puts(out, REPLACEMENT);
			len = half(p, n, 0xb0, 0xbf, &low) ? 3 : 1;
		}
		i += len;
	}
	size_t rest = raw->n - i;
	memmove(raw->p, raw->p + i, rest);
	buf_trunc(raw, rest);
}

/* Text as the server wrote it, made fit for C strings. */
static void repair(struct buf *b)
{
	struct buf out;
	buf_init(&out, 3 * b->n);
	join(b, true, &out);
	buf_release(b);
	*b = out;
}

static enum errcode hand_on(struct llm_parse *r, bool last)
{
	buf_clear(&r->piece);
	join(&r->raw, last, &r->piece);
	if (r->piece.n == 0)
		return OK;
	buf_put(&r->text, r->piece.p, r->piece.n);
	enum errcode rc = r->on_text == NULL ? OK : r->on_text(r->arg, r->piece.p);
	if (rc != OK)
		r->verdict = VERDICT_STOPPED;
	return rc;
}

void parse_text(struct llm_parse *r, struct json_object *s)
{
	if (jsn_is(s, json_type_string))
		buf_put(&r->raw, json_object_get_string(s), (size_t)json_object_get_string_len(s));
}

enum errcode parse_pass_on(struct llm_parse *r)
{
	return hand_on(r, false);
}

/* -- function calls -- */

struct parse_call *parse_call_new(struct llm_parse *r, int64_t index, const char *id, const char *name)
{
	if (r->ncalls == PARSE_CALLS)
		return NULL;
	if (r->calls == NULL && (r->calls = calloc(PARSE_CALLS, sizeof(*r->calls))) == NULL)
		abort();
	struct parse_call *c = &r->calls[r->ncalls++];
	buf_init(&c->name, 256);
	buf_init(&c->arguments, r->raw.max);
	buf_init(&c->signature, r->raw.max);
	c->index = index;
	snprintf(c->id, sizeof(c->id), "%s", id);
	buf_puts(&c->name, name);
	return c;
}

struct parse_call *parse_call_at(struct llm_parse *r, int64_t index)
{
	for (size_t i = r->ncalls; i-- > 0;)
		if (r->calls[i].index == index)
			return &r->calls[i];
	return NULL;
}

void parse_arguments(struct parse_call *c, struct json_object *args)
{
	if (jsn_is(args, json_type_object))
		jsn_print(&c->arguments, args, JSN_PLAIN);
	else if (jsn_is(args, json_type_string))
		buf_put(&c->arguments, json_object_get_string(args),
		    (size_t)json_object_get_string_len(args));
}

/* -- the end of a reply, and its account -- */

static bool identifier(const char *s)
{
	return *s != '\0' && s[strspn(s, "abcdefghijklmnopqrstuvwxyz_"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")] == '\0';
}

void parse_finish(struct llm_parse *r, const char *reason, const struct parse_reason *rows)
{
	if (*reason == '\0')
		return;
	r->began = r->finished = true;
	for (; rows != NULL && rows->theirs != NULL; rows++)
		if (streq(reason, rows->theirs))
			reason = rows->ours;
	snprintf(r->finish, sizeof(r->finish), "%s", identifier(reason) ? reason : "other");
}

int64_t parse_count(struct json_object *o, const char *key)
{
	static const double most = 1e12;
	double n = jsn_get_num(o, key, -1);
	return n >= 0 && n <= most ? (int64_t)n : -1;
}

static bool blank(const char *p, size_t n)
{
	return str_trim((struct str){ p, n }).n == 0;
}

/* -- chunks -- */

static enum errcode take_root(struct llm_parse *r, struct json_object *root, const char *event)
{
	if (jsn_is(root, json_type_array) && jsn_len(root) == 1)
		root = jsn_at(root, 0);
	if (!jsn_is(root, json_type_object))
		return parse_fail(r, VERDICT_NOT_JSON);
	if (streq(event, "error") || jsn_truthy(jsn_get(root, "error")) ||
	    streq(jsn_get_str(root, "object", ""), "error")) {
		llm_error_read(&r->error, root);
		return parse_fail(r, VERDICT_REFUSED);
	}
	return r->dialect->take(r, root, event);
}

static enum errcode take_json(struct llm_parse *r, const char *p, size_t n, const char *event)
{
	struct arena *a = arena_new();
	struct json_object *root;
	enum errcode rc = jsn_parse_pieces(a, p, n, JSN_DEPTH, &root, NULL, NULL);
	/* at the end of a body: what is whole ends as JSON does */
	struct str s = str_trim((struct str){ p, n });
	bool cut = r->ending && (s.n == 0 || (s.p[s.n - 1] != '}' && s.p[s.n - 1] != ']'));
	rc = rc == OK ? take_root(r, root, event) : parse_fail(r, cut ? VERDICT_CUT : VERDICT_NOT_JSON);
	arena_free(a);
	return rc;
}

static enum errcode take_event(void *arg, const char *event, const char *data, size_t n,
    struct err *e)
{
	struct llm_parse *r = arg;
	struct str s = str_trim((struct str){ data, n });
	bool finished = r->finished;
	(void)e;
	if (r->done || s.n == 0)
		return OK;
	if (str_eq(s, "[DONE]")) {
		r->done = r->finished = true;
		return OK;
	}
	struct str text;
	if (r->dialect->shortcut != NULL && !streq(event, "error") && !r->finished &&
	    r->dialect->shortcut(s, &text)) {
		/* what take() would do with this text */
		r->began = true;
		buf_put(&r->raw, text.p, text.n);
		return hand_on(r, false);
	}
	enum errcode rc = take_json(r, s.p, s.n, event);
	if (rc != OK && finished && r->verdict != VERDICT_STOPPED) {
		/* the reply is complete; only its usage may follow */
		r->verdict = VERDICT_FINE;
		rc = OK;
	}
	return rc;
}

/* Take the whole lines of the body; the rest of it stays. */
static enum errcode take_lines(struct llm_parse *r)
{
	enum errcode rc = OK;
	size_t at = 0;
	const char *end;
	while (rc == OK && (end = memchr(r->body.p + r->searched, '\n', r->body.n - r->searched)) != NULL) {
		size_t line = (size_t)(end - r->body.p);
		rc = take_event(r, "", r->body.p + at, line - at, NULL);
		at = r->searched = line + 1;
	}
	size_t rest = r->body.n - at;
	memmove(r->body.p, r->body.p + at, rest);
	buf_trunc(&r->body, rest);
	r->searched = rest;
	return rc;
}

/* -- the body -- */

/* Do the first bytes begin an event stream? *more: there are too few bytes to tell. */
static bool opens_stream(const char *p, size_t n, bool *more)
{
	static const char *const names[] = { ":", "data:", "event:", "id:", "retry:" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]), common = n < len ? n : len;
		if (memcmp(p, names[i], common) == 0) {
			*more = common < len;
			return !*more;
		}
	}
	return false;
}

static enum errcode decide(struct llm_parse *r, const char *type)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *p = r->body.p, *end = p + r->body.n;
	if (r->body.n < 3 && memcmp(p, mark, r->body.n) == 0)
		return OK;
	if (memcmp(p, mark, 3) == 0)
		p += 3;
	while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0')
		p++;
	if (p == end)
		return OK;
	bool more = false;
	if (*p == '{' || *p == '[') {
		r->shape = r->dialect->lines ? PARSE_LINES : PARSE_WHOLE;
	} else if (*p == '<' || streq(type, "text/html")) {
		return parse_fail(r, VERDICT_HTML);
	} else if (opens_stream(p, (size_t)(end - p), &more) || streq(type, "text/event-stream")) {
		r->shape = PARSE_STREAM;
	} else if (!more) {
		return parse_fail(r, VERDICT_NOT_JSON);
	}
	if (r->shape == PARSE_LINES) {
		/* without a byte order mark */
		size_t skip = (size_t)(p - r->body.p);
		memmove(r->body.p, p, r->body.n - skip);
		buf_trunc(&r->body, r->body.n - skip);
		return take_lines(r);
	}
	if (r->shape != PARSE_STREAM)
		return OK;
	enum errcode rc = sse_feed(&r->sse, r->body.p, r->body.n, take_event, r, NULL);
	buf_release(&r->body);
	return rc;
}

enum errcode llm_parse_feed(struct llm_parse *r, const char *type, const char *p, size_t n)
{
	enum errcode rc = OK;
	if (r->verdict != VERDICT_FINE)
		return ERR_UPSTREAM;
	if (n > r->max - r->seen)
		return parse_fail(r, VERDICT_TOO_BIG);
	r->seen += n;
	switch (r->shape) {
	case PARSE_UNDECIDED:
		buf_put(&r->body, p, n);
		rc = decide(r, type);
		break;
	case PARSE_STREAM:
		rc = sse_feed(&r->sse, p, n, take_event, r, NULL);
		break;
	case PARSE_LINES:
		buf_put(&r->body, p, n);
		rc = take_lines(r);
		break;
	case PARSE_WHOLE:
		buf_put(&r->body, p, n);
		break;
	}
	return rc;
}

static bool streamed(const struct llm_parse *r)
{
	return r->shape == PARSE_STREAM || r->shape == PARSE_LINES;
}

/* The whole body was read: what is the result? */
static enum llm_verdict judge(const struct llm_parse *r)
{
	if (r->shape == PARSE_UNDECIDED)
		return r->seen == 0 || blank(r->body.p, r->body.n) ? VERDICT_NOTHING : VERDICT_NOT_JSON;
	if (streamed(r) && !r->finished)
		return VERDICT_CUT;
	if (!r->began)
		return VERDICT_NO_MESSAGE;
	if (streq(r->finish, "content_filter") && r->text.n == 0 && r->ncalls == 0)
		return VERDICT_FILTERED;
	return VERDICT_FINE;
}

enum errcode llm_parse_end(struct llm_parse *r)
{
	enum errcode rc = OK;
	if (r->verdict != VERDICT_FINE)
		return ERR_UPSTREAM;
	r->ending = true;
	if (r->shape == PARSE_WHOLE) {
		struct str s = { r->body.p, r->body.n };
		if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
			s = (struct str){ s.p + 3, s.n - 3 };
		rc = take_json(r, s.p, s.n, "");
		r->finished = rc == OK;
	} else if (r->shape == PARSE_LINES) {
		buf_put(&r->body, "\n", 1);
		rc = take_lines(r);
	} else if (r->shape == PARSE_STREAM && !r->done) {
		/* some servers leave out the blank line after the last event */
		rc = sse_feed(&r->sse, "\n\n", 2, take_event, r, NULL);
	}
	if (rc == OK && (r->finished || !streamed(r)))
		rc = hand_on(r, true);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i < r->ncalls; i++) {
		repair(&r->calls[i].name);
		repair(&r->calls[i].arguments);
		repair(&r->calls[i].signature);
	}
	enum llm_verdict v = judge(r);
	return v == VERDICT_FINE ? OK : parse_fail(r, v);
}
