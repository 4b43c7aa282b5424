/*
 * The first bytes tell what a body is. A stream goes through the event parser, and each event is a
 * chunk; a single object is collected and read at its end. Both end in take_root(), which takes the
 * members that it knows and ignores the rest. The exception are chunks of nothing but text, which
 * are most of a stream and need no tree.
 *
 * Servers cut text by tokens, not by characters, so one delta may end inside a character (as raw
 * bytes, or after the first half of a surrogate pair), and the next one continues it. So text
 * passes through join(), which hands on whole characters only and keeps the rest.
 */
#include "services/llm_openai_reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_openai_chunk.h"

#define REPLACEMENT "\xef\xbf\xbd"      /* U+FFFD */

void openai_reply_init(struct openai_reply *r, size_t max, llm_text_fn *on_text, void *arg)
{
	*r = (struct openai_reply){ .max = max, .input = -1, .output = -1, .on_text = on_text,
	    .arg = arg };
	/* a byte of the body becomes at most one character, of three bytes when it is replaced */
	size_t room = max < SIZE_MAX / 8 ? 4 * max + 16 : SIZE_MAX / 2;
	buf_init(&r->text, room);
	buf_init(&r->raw, room);
	buf_init(&r->piece, room);
	buf_init(&r->body, max);
	sse_parser_init(&r->sse, max);
}

void openai_reply_release(struct openai_reply *r)
{
	buf_release(&r->text);
	buf_release(&r->raw);
	buf_release(&r->piece);
	buf_release(&r->body);
	sse_parser_release(&r->sse);
	for (size_t i = 0; i < r->ncalls; i++) {
		buf_release(&r->calls[i].name);
		buf_release(&r->calls[i].arguments);
	}
	free(r->calls);
}

static enum errcode fail(struct openai_reply *r, enum openai_verdict v)
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

static enum errcode hand_on(struct openai_reply *r, bool last)
{
	buf_clear(&r->piece);
	join(&r->raw, last, &r->piece);
	if (r->piece.n == 0)
		return OK;
	buf_put(&r->text, r->piece.p, r->piece.n);
	enum errcode rc = r->on_text == NULL ? OK : r->on_text(r->arg, r->piece.p);
	if (rc != OK)
		r->verdict = OPENAI_STOPPED;
	return rc;
}

static void take_string(struct buf *b, struct json_object *s)
{
	if (jsn_is(s, json_type_string))
		buf_put(b, json_object_get_string(s), (size_t)json_object_get_string_len(s));
}

/* A string, or an array of parts of which those of type text count. */
static void take_content(struct openai_reply *r, struct json_object *content)
{
	take_string(&r->raw, content);
	if (jsn_is(content, json_type_array))
		for (size_t i = 0; i < jsn_len(content); i++)
			if (streq(jsn_get_str(jsn_at(content, i), "type", ""), "text"))
				take_string(&r->raw, jsn_get(jsn_at(content, i), "text"));
}

/* -- function calls -- */

static bool blank(const char *p, size_t n)
{
	return str_trim((struct str){ p, n }).n == 0;
}

/* Are the arguments so far a whole object? Then another one begins another call. */
static bool finished_call(const struct openai_call *c)
{
	struct str s = str_trim((struct str){ c->arguments.p, c->arguments.n });
	if (s.n == 0 || s.p[s.n - 1] != '}')
		return false;
	struct arena *a = arena_new();
	struct json_object *o;
	bool whole = jsn_parse_pieces(a, s.p, s.n, JSN_DEPTH, &o, NULL, NULL) == OK &&
	    jsn_is(o, json_type_object);
	arena_free(a);
	return whole;
}

/*
 * The call to which a fragment belongs; NULL: there are too many calls. The id decides, else the
 * index, of which the newest call counts. Neither is reliable: some servers give every call the
 * index 0, others give every fragment its own id. The name, and whether the call so far is
 * complete, tell them apart.
 */
static struct openai_call *call_of(struct openai_reply *r, const char *id, int64_t index,
    const char *name, bool opens)
{
	struct openai_call *found = NULL;
	for (size_t i = r->ncalls; i-- > 0;) {
		struct openai_call *c = &r->calls[i];
		if (index >= 0 && c->index >= 0 && c->index != index)
			continue;
		if (id[0] != '\0' && streq(c->id, id))
			return c;
		if (found == NULL)
			found = c;
	}
	bool other = found != NULL && *name != '\0' && found->name.n > 0 &&
	    strcmp(found->name.p, name) != 0;
	if (found != NULL && !other && !(opens && finished_call(found)))
		return found;
	if (r->ncalls == OPENAI_CALLS)
		return NULL;
	if (r->calls == NULL && (r->calls = calloc(OPENAI_CALLS, sizeof(*r->calls))) == NULL)
		abort();
	found = &r->calls[r->ncalls++];
	buf_init(&found->name, 256);
	buf_init(&found->arguments, r->raw.max);
	found->index = index;
	snprintf(found->id, sizeof(found->id), "%s", id);
	return found;
}

static void take_call(struct openai_reply *r, struct json_object *fragment, int64_t position)
{
	struct json_object *f = jsn_get(fragment, "function");
	struct json_object *args = jsn_get(f, "arguments");
	const char *name = jsn_get_str(f, "name", "");
	if (!jsn_is(f, json_type_object))
		return;
	char id[sizeof(r->calls[0].id)];
	snprintf(id, sizeof(id), "%s", jsn_get_str(fragment, "id", ""));
	bool empty = args == NULL || (jsn_is(args, json_type_string) &&
	    blank(json_object_get_string(args), (size_t)json_object_get_string_len(args)));
	int64_t index = position >= 0 ? position : jsn_get_int(fragment, "index", -1);
	struct openai_call *c = call_of(r, id, index, name,
	    !empty && (id[0] != '\0' || *name != '\0'));
	if (c == NULL)
		return;
	if (c->name.n == 0)
		buf_puts(&c->name, name);
	if (jsn_is(args, json_type_object))
		jsn_print(&c->arguments, args, JSN_PLAIN);
	else
		take_string(&c->arguments, args);
}

/* -- chunks -- */

static void take_usage(struct openai_reply *r, struct json_object *usage)
{
	static const double most = 1e12;
	double in = jsn_get_num(usage, "prompt_tokens", -1);
	double out = jsn_get_num(usage, "completion_tokens", -1);
	if (in >= 0 && in <= most)
		r->input = (int64_t)in;
	if (out >= 0 && out <= most)
		r->output = (int64_t)out;
}

static bool identifier(const char *s)
{
	return *s != '\0' && s[strspn(s, "abcdefghijklmnopqrstuvwxyz_"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")] == '\0';
}

static enum errcode take_choice(struct openai_reply *r, struct json_object *choice)
{
	/* a chunk has a delta, a whole reply a message; a chunk with both repeats itself */
	struct json_object *part = jsn_get(choice, r->shape == OPENAI_WHOLE ? "message" : "delta");
	if (part == NULL)
		part = jsn_get(choice, r->shape == OPENAI_WHOLE ? "delta" : "message");
	const char *finish = jsn_get_str(choice, "finish_reason", "");
	r->choices |= part != NULL || *finish != '\0';
	if (*finish != '\0') {
		r->finished = true;
		snprintf(r->finish, sizeof(r->finish), "%s", identifier(finish) ? finish : "other");
	}
	take_content(r, jsn_get(part, "content"));
	take_content(r, jsn_get(part, "refusal"));     /* the model's own words, for the user */
	struct json_object *calls = jsn_get(part, "tool_calls");
	for (size_t i = 0; i < (jsn_is(calls, json_type_array) ? jsn_len(calls) : 0); i++)
		take_call(r, jsn_at(calls, i), r->shape == OPENAI_WHOLE ? (int64_t)i : -1);
	return hand_on(r, false);
}

static enum errcode take_root(struct openai_reply *r, struct json_object *root, bool error)
{
	if (jsn_is(root, json_type_array) && jsn_len(root) == 1)
		root = jsn_at(root, 0);
	if (!jsn_is(root, json_type_object))
		return fail(r, OPENAI_NOT_JSON);
	struct json_object *choices = jsn_get(root, "choices");
	bool list = jsn_is(choices, json_type_array);
	if (error || jsn_truthy(jsn_get(root, "error")) ||
	    streq(jsn_get_str(root, "object", ""), "error")) {
		openai_error_read(&r->error, root);
		return fail(r, OPENAI_REFUSED);
	}
	take_usage(r, jsn_get(root, "usage"));
	for (size_t i = 0; list && i < jsn_len(choices); i++) {
		struct json_object *c = jsn_at(choices, i);
		if (jsn_get_int(c, "index", 0) != 0)
			continue;              /* a usage chunk was asked for */
		enum errcode rc = take_choice(r, c);
		if (rc != OK)
			return rc;
		if (jsn_truthy(jsn_get(c, "error")) || streq(r->finish, "error")) {
			openai_error_read(&r->error, c);
			return fail(r, OPENAI_REFUSED);
		}
	}
	return OK;
}

static enum errcode take_json(struct openai_reply *r, const char *p, size_t n, bool error)
{
	struct arena *a = arena_new();
	struct json_object *root;
	enum errcode rc = jsn_parse_pieces(a, p, n, JSN_DEPTH, &root, NULL, NULL);
	/* at the end of a body: what is whole ends as JSON does */
	struct str s = str_trim((struct str){ p, n });
	bool cut = r->ending && (s.n == 0 || (s.p[s.n - 1] != '}' && s.p[s.n - 1] != ']'));
	rc = rc == OK ? take_root(r, root, error) : fail(r, cut ? OPENAI_CUT : OPENAI_NOT_JSON);
	arena_free(a);
	return rc;
}

static enum errcode take_event(void *arg, const char *event, const char *data, size_t n,
    struct err *e)
{
	struct openai_reply *r = arg;
	struct str s = str_trim((struct str){ data, n });
	bool finished = r->finished;
	(void)e;
	if (r->done || s.n == 0)
		return OK;
	if (str_eq(s, "[DONE]")) {
		r->done = r->finished = true;
		return OK;
	}
	bool error = streq(event, "error");
	struct str text;
	if (!error && !r->finished && openai_chunk_text(s, &text)) {
		/* what take_root() would do with this text */
		r->choices = true;
		buf_put(&r->raw, text.p, text.n);
		return hand_on(r, false);
	}
	enum errcode rc = take_json(r, s.p, s.n, error);
	if (rc != OK && finished && r->verdict != OPENAI_STOPPED) {
		/* the reply is complete; only its usage may follow */
		r->verdict = OPENAI_FINE;
		rc = OK;
	}
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

static enum errcode decide(struct openai_reply *r, const char *type)
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
		r->shape = OPENAI_WHOLE;
	} else if (*p == '<' || streq(type, "text/html")) {
		return fail(r, OPENAI_HTML);
	} else if (opens_stream(p, (size_t)(end - p), &more) || streq(type, "text/event-stream")) {
		r->shape = OPENAI_STREAM;
	} else if (!more) {
		return fail(r, OPENAI_NOT_JSON);
	}
	if (r->shape != OPENAI_STREAM)
		return OK;
	enum errcode rc = sse_feed(&r->sse, r->body.p, r->body.n, take_event, r, NULL);
	buf_release(&r->body);
	return rc;
}

enum errcode openai_reply_feed(struct openai_reply *r, const char *type, const char *p, size_t n)
{
	enum errcode rc = OK;
	if (r->verdict != OPENAI_FINE)
		return ERR_UPSTREAM;
	if (n > r->max - r->seen)
		return fail(r, OPENAI_TOO_BIG);
	r->seen += n;
	switch (r->shape) {
	case OPENAI_UNDECIDED:
		buf_put(&r->body, p, n);
		rc = decide(r, type);
		break;
	case OPENAI_STREAM:
		rc = sse_feed(&r->sse, p, n, take_event, r, NULL);
		break;
	case OPENAI_WHOLE:
		buf_put(&r->body, p, n);
		break;
	}
	return rc;
}

/* The whole body was read: what is the result? */
static enum openai_verdict judge(const struct openai_reply *r)
{
	if (r->shape == OPENAI_UNDECIDED)
		return r->seen == 0 || blank(r->body.p, r->body.n) ? OPENAI_NOTHING : OPENAI_NOT_JSON;
	if (r->shape == OPENAI_STREAM && !r->finished)
		return OPENAI_CUT;
	if (!r->choices)
		return OPENAI_NO_CHOICES;
	if (streq(r->finish, "content_filter") && r->text.n == 0 && r->ncalls == 0)
		return OPENAI_FILTERED;
	return OPENAI_FINE;
}

enum errcode openai_reply_end(struct openai_reply *r)
{
	enum errcode rc = OK;
	if (r->verdict != OPENAI_FINE)
		return ERR_UPSTREAM;
	r->ending = true;
	if (r->shape == OPENAI_WHOLE) {
		struct str s = { r->body.p, r->body.n };
		if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
			s = (struct str){ s.p + 3, s.n - 3 };
		rc = take_json(r, s.p, s.n, false);
		r->finished = rc == OK;
	} else if (r->shape == OPENAI_STREAM && !r->done) {
		/* some servers leave out the blank line after the last event */
		rc = sse_feed(&r->sse, "\n\n", 2, take_event, r, NULL);
	}
	if (rc == OK && (r->finished || r->shape != OPENAI_STREAM))
		rc = hand_on(r, true);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i < r->ncalls; i++) {
		repair(&r->calls[i].name);
		repair(&r->calls[i].arguments);
	}
	enum openai_verdict v = judge(r);
	return v == OPENAI_FINE ? OK : fail(r, v);
}
