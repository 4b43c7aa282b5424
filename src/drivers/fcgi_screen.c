/*
 * Records in, one request out. A record is a header of eight bytes, its content and padding. It is
 * judged twice: when its header is complete (open_record) and when it is whole (close_record). So
 * it does not matter into which pieces the network cuts it.
 */
#include "drivers/fcgi_screen.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"

enum type {
	BEGIN = 1, ABORT = 2, END = 3, PARAMS = 4, STDIN = 5, DATA = 8, GET_VALUES = 9,
	GET_VALUES_RESULT = 10, UNKNOWN_TYPE = 11,
};
enum { RESPONDER = 1 };
enum { CANT_MPX_CONN = 1, UNKNOWN_ROLE = 3 };      /* protocolStatus of END_REQUEST */
enum { HEADER = 8, BEGIN_SIZE = 8, RECORD_MAX = 32768 };

void fcgi_screen_init(struct fcgi_screen *s, size_t body_max)
{
	*s = (struct fcgi_screen){ .state = SCREEN_HEAD };
	buf_init(&s->params, SCREEN_PARAMS_MAX);
	buf_init(&s->body, body_max);
	buf_init(&s->reply, SCREEN_REPLIES_MAX * SCREEN_SMALL_MAX);
	buf_init(&s->small, SCREEN_SMALL_MAX);
}

void fcgi_screen_release(struct fcgi_screen *s)
{
	buf_release(&s->params);
	buf_release(&s->body);
	buf_release(&s->reply);
	buf_release(&s->small);
}

/* -- names and values -- */

struct pair {
	struct str name, value;
};

/* One length: a byte below 128, or four with the highest bit set. */
static bool take_length(struct str *from, size_t *out)
{
	const unsigned char *p = (const unsigned char *)from->p;
	size_t used = from->n > 0 && p[0] >= 0x80 ? 4 : 1;
	if (from->n < used)
		return false;
	*out = used == 1 ? p[0] :
	    (size_t)(p[0] & 0x7f) << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
	from->p += used;
	from->n -= used;
	return true;
}

static bool take_bytes(struct str *from, size_t n, struct str *out)
{
	if (n > from->n)
		return false;
	*out = (struct str){ from->p, n };
	from->p += n;
	from->n -= n;
	return true;
}

/* The next pair of `from`. False: the rest is not a valid pair. */
static bool take_pair(struct str *from, struct pair *out)
{
	size_t name, value;
	return take_length(from, &name) && take_length(from, &value) &&
	    take_bytes(from, name, &out->name) && take_bytes(from, value, &out->value);
}

/* libfcgi makes C strings of them, so a zero byte would make a value shorter than what was sent. */
static bool holds_zero(struct str s)
{
	return s.n > 0 && memchr(s.p, '\0', s.n) != NULL;
}

static const char *fault_of_params(const struct buf *params)
{
	struct str left = { params->p, params->n };
	struct pair p;
	for (int count = 0; left.n > 0; count++) {
		if (count >= SCREEN_COUNT_MAX)
			return "too many parameters";
		if (!take_pair(&left, &p))
			return "a parameter is longer than the parameters";
		if (holds_zero(p.name) || holds_zero(p.value))
			return "zero byte in a parameter";
	}
	return NULL;
}

/* -- answers to the web server -- */

static void put_record(struct buf *out, int type, int id, const void *p, size_t n)
{
	const unsigned char head[HEADER] = { 1, (unsigned char)type, (unsigned char)(id >> 8),
		(unsigned char)id, (unsigned char)(n >> 8), (unsigned char)n };
	buf_put(out, head, sizeof(head));
	buf_put(out, p, n);
}

static void refuse(struct fcgi_screen *s, const char *why)
{
	s->state = SCREEN_REFUSED;
	s->why = why;
}

static bool may_reply(struct fcgi_screen *s)
{
	if (++s->nreplies <= SCREEN_REPLIES_MAX)
		return true;
	refuse(s, "too many records that belong to no request");
	return false;
}

static void end_request(struct fcgi_screen *s, int id, int status)
{
	const unsigned char body[8] = { 0, 0, 0, 0, (unsigned char)status };
	if (may_reply(s))
		put_record(&s->reply, END, id, body, sizeof(body));
}

/* A reply names a value once, even if it was asked for several times. */
static void get_values(struct fcgi_screen *s)
{
	static const struct {
		const char *name, *value;
	} known[] = {
		{ "FCGI_MAX_CONNS", "1000" },
		{ "FCGI_MAX_REQS", "1000" },
		{ "FCGI_MPXS_CONNS", "0" },
	};
	struct str left = { s->small.p, s->small.n };
	struct pair p;
	struct buf out;
	unsigned asked = 0;
	while (left.n > 0) {
		if (!take_pair(&left, &p)) {
			refuse(s, "a name is longer than its management record");
			return;
		}
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (str_eq(p.name, known[i].name))
				asked |= 1U << i;
	}
	buf_init(&out, SCREEN_SMALL_MAX);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if ((asked & 1U << i) == 0)
			continue;
		buf_putc(&out, (char)strlen(known[i].name));
		buf_putc(&out, (char)strlen(known[i].value));
		buf_puts(&out, known[i].name);
		buf_puts(&out, known[i].value);
	}
	if (may_reply(s))
		put_record(&s->reply, GET_VALUES_RESULT, 0, out.p, out.n);
	buf_release(&out);
}

static void unknown_type(struct fcgi_screen *s)
{
	const unsigned char body[8] = { (unsigned char)s->type };
	if (may_reply(s))
		put_record(&s->reply, UNKNOWN_TYPE, 0, body, sizeof(body));
}

/* -- records -- */

/* Is the record's content collected in `small`? */
static bool is_small(const struct fcgi_screen *s)
{
	return s->of == 0 || s->type == BEGIN;
}

/* A record of our request, its content still to come. */
static const char *fault_of_stream(const struct fcgi_screen *s)
{
	switch (s->type) {
	case PARAMS:
		if (s->state != SCREEN_HEAD)
			return "parameters after their end";
		return s->content > s->params.max - s->params.n ? "too many bytes of parameters" : NULL;
	case STDIN:
		return s->state == SCREEN_HEAD ? "body before the end of the parameters" : NULL;
	case ABORT:
	case DATA:
		return NULL;
	default:
		return "unknown type of record";
	}
}

static const char *fault_of_header(const struct fcgi_screen *s)
{
	if (s->head[0] != 1)
		return "not FastCGI, version 1";
	if (s->state == SCREEN_HEAD && s->wire > SCREEN_WIRE_MAX)
		return "too many bytes before the end of the parameters";
	if (s->of == 0 && s->type == BEGIN)
		return "a request whose id is 0";
	if (s->of == 0)
		return s->content > SCREEN_SMALL_MAX ? "management record too long" : NULL;
	if (s->type == BEGIN)
		return s->content != BEGIN_SIZE ? "BEGIN_REQUEST of a wrong length" :
		    s->of == s->id ? "BEGIN_REQUEST again" : NULL;
	if (s->id == 0)
		return "the first record is not BEGIN_REQUEST";
	return s->of == s->id ? fault_of_stream(s) : NULL;      /* of another request: ignored */
}

static void open_record(struct fcgi_screen *s)
{
	const unsigned char *h = s->head;
	s->type = h[1];
	s->of = h[2] << 8 | h[3];
	s->content = (size_t)h[4] << 8 | h[5];
	s->padding = h[6];
	s->wire += HEADER + s->content + s->padding;
	buf_clear(&s->small);
	/* After a whole request only ABORT_REQUEST matters. */
	const char *fault = s->state == SCREEN_DONE ? NULL : fault_of_header(s);
	if (fault != NULL)
		refuse(s, fault);
	else if (s->state == SCREEN_HEAD && s->type == PARAMS && s->of == s->id &&
	    s->content == 0 && (fault = fault_of_params(&s->params)) != NULL)
		refuse(s, fault);
}

static void take_content(struct fcgi_screen *s, const char *p, size_t n)
{
	if (s->state == SCREEN_DONE)
		return;
	if (is_small(s)) {
		buf_put(&s->small, p, n);
	} else if (s->of == s->id && s->type == PARAMS) {
		buf_put(&s->params, p, n);
	} else if (s->of == s->id && s->type == STDIN) {
		buf_put(&s->body, p, n);
		if (s->body.full)
			s->state = SCREEN_FULL;
	}
}

static void begin(struct fcgi_screen *s)
{
	const unsigned char *b = (const unsigned char *)s->small.p;
	if (s->id != 0) {
		end_request(s, s->of, CANT_MPX_CONN);
	} else if ((b[0] << 8 | b[1]) != RESPONDER) {
		end_request(s, s->of, UNKNOWN_ROLE);
		refuse(s, "a role other than responder");
	} else {
		s->id = s->of;
	}
}

/* Content and padding have arrived. */
static void close_record(struct fcgi_screen *s)
{
	const bool last = (s->head[4] | s->head[5]) == 0;      /* an empty record ends its stream */
	if (s->state == SCREEN_DONE) {
		if (s->type == ABORT && s->of == s->id)
			s->state = SCREEN_ABORTED;
	} else if (s->of == 0 && s->type == GET_VALUES) {
		get_values(s);
	} else if (s->of == 0) {
		unknown_type(s);
	} else if (s->type == BEGIN) {
		begin(s);
	} else if (s->of != s->id) {
		return;
	} else if (s->type == ABORT) {
		s->state = SCREEN_ABORTED;
	} else if (last && s->type == PARAMS) {
		s->state = SCREEN_BODY;
	} else if (last && s->type == STDIN) {
		s->state = SCREEN_DONE;
	}
}

static size_t at_most(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool is_over(const struct fcgi_screen *s)
{
	return s->state == SCREEN_FULL || s->state == SCREEN_ABORTED || s->state == SCREEN_REFUSED;
}

enum fcgi_screen_state fcgi_screen_feed(struct fcgi_screen *s, const void *bytes, size_t n)
{
	const char *p = bytes;
	while (n > 0 && !is_over(s)) {
		size_t m;
		if (s->nhead < HEADER) {
			m = at_most(HEADER - s->nhead, n);
			memcpy(s->head + s->nhead, p, m);
			s->nhead += m;
			if (s->nhead == HEADER)
				open_record(s);
		} else if (s->content > 0) {
			m = at_most(s->content, n);
			take_content(s, p, m);
			s->content -= m;
		} else {
			m = at_most(s->padding, n);
			s->padding -= m;
		}
		p += m;
		n -= m;
		if (s->nhead == HEADER && s->content == 0 && s->padding == 0 && !is_over(s)) {
			close_record(s);
			s->nhead = 0;
		}
	}
	return s->state;
}

void fcgi_screen_head(const struct fcgi_screen *s, struct buf *out)
{
	static const unsigned char body[BEGIN_SIZE] = { 0, RESPONDER };
	put_record(out, BEGIN, s->id, body, sizeof(body));
	for (size_t at = 0; at < s->params.n;) {
		size_t n = at_most(s->params.n - at, RECORD_MAX);
		put_record(out, PARAMS, s->id, s->params.p + at, n);
		at += n;
	}
	put_record(out, PARAMS, s->id, "", 0);
	put_record(out, STDIN, s->id, "", 0);
}
