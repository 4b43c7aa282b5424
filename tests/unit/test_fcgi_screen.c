/*
 * What is let through to libfcgi, and what is not. Every row is fed whole, byte by byte and cut at
 * each place: the outcome must not depend on how the network cuts it.
 */
#include "tests/unit/test.h"

#include <string.h>

#include "base/str.h"
#include "drivers/fcgi_screen.h"

enum { BODY_MAX = 16 };

/* Records as literals: R(type, id, length, padding) content padding */
#define R(type, id, len, pad) "\1" type "\0" id "\0" len pad "\0"
#define BEGIN R("\1", "\1", "\10", "\0") "\0\1\0\0\0\0\0\0"
#define KEEP R("\1", "\1", "\10", "\0") "\0\1\1\0\0\0\0\0"
#define PARAM R("\4", "\1", "\5", "\0") "\1\2A" "bc"
#define NO_MORE R("\4", "\1", "\0", "\0")
#define EMPTY R("\5", "\1", "\0", "\0")
#define BODY R("\5", "\1", "\3", "\0") "xyz"

#define BYTES(s) s, sizeof(s) - 1

static const struct {
	const char *bytes;
	size_t n;
	enum fcgi_screen_state state;
	const char *params;           /* libfcgi's form, each followed by a newline */
	const char *body;
	const char *why;
} rows[] = {
	{ BYTES(""), SCREEN_HEAD, "", "", NULL },
	{ BYTES("\1\1\0\1"), SCREEN_HEAD, "", "", NULL },
	{ BYTES(BEGIN), SCREEN_HEAD, "", "", NULL },
	{ BYTES(BEGIN PARAM NO_MORE), SCREEN_BODY, "A=bc\n", "", NULL },
	{ BYTES(BEGIN NO_MORE EMPTY), SCREEN_DONE, "", "", NULL },
	{ BYTES(KEEP PARAM NO_MORE EMPTY), SCREEN_DONE, "A=bc\n", "", NULL },
	{ BYTES(BEGIN PARAM PARAM NO_MORE BODY BODY EMPTY), SCREEN_DONE, "A=bc\nA=bc\n", "xyzxyz", NULL },
	/* a parameter over two records, cut inside its length and its value */
	{ BYTES(BEGIN R("\4", "\1", "\1", "\0") "\1" R("\4", "\1", "\3", "\0") "\2A" "b"
	    R("\4", "\1", "\1", "\0") "c" NO_MORE EMPTY), SCREEN_DONE, "A=bc\n", "", NULL },
	/* lengths of four bytes, empty names and values */
	{ BYTES(BEGIN R("\4", "\1", "\13", "\0") "\200\0\0\1\200\0\0\2A" "bc" NO_MORE EMPTY),
	    SCREEN_DONE, "A=bc\n", "", NULL },
	{ BYTES(BEGIN R("\4", "\1", "\5", "\0") "\0\0\1\0A" NO_MORE EMPTY), SCREEN_DONE, "=\nA=\n", "",
	    NULL },
	/* padding everywhere, also behind the records that end a stream */
	{ BYTES(R("\1", "\1", "\10", "\2") "\0\1\0\0\0\0\0\0pp" R("\4", "\1", "\5", "\3") "\1\2A" "bcppp"
	    R("\4", "\1", "\0", "\1") "p" R("\5", "\1", "\3", "\1") "xyzp" R("\5", "\1", "\0", "\2") "pp"),
	    SCREEN_DONE, "A=bc\n", "xyz", NULL },
	{ BYTES(BEGIN NO_MORE R("\5", "\1", "\0", "\2") "p"), SCREEN_BODY, "", "", NULL },
	/* other requests, streams of other roles, and what comes behind */
	{ BYTES(BEGIN R("\4", "\2", "\2", "\0") "no" R("\1", "\2", "\10", "\0") "\0\1\0\0\0\0\0\0" PARAM
	    NO_MORE EMPTY), SCREEN_DONE, "A=bc\n", "", NULL },
	{ BYTES(BEGIN NO_MORE R("\10", "\1", "\1", "\0") "d" EMPTY), SCREEN_DONE, "", "", NULL },
	{ BYTES(BEGIN NO_MORE EMPTY "GET / HTTP/1.0"), SCREEN_DONE, "", "", NULL },
	{ BYTES(BEGIN NO_MORE EMPTY R("\4", "\1", "\0", "\0")), SCREEN_DONE, "", "", NULL },
	{ BYTES(BEGIN R("\2", "\1", "\0", "\0")), SCREEN_ABORTED, "", "", NULL },
	{ BYTES(BEGIN NO_MORE EMPTY R("\2", "\1", "\0", "\0")), SCREEN_ABORTED, "", "", NULL },
	{ BYTES(BEGIN NO_MORE EMPTY R("\2", "\2", "\0", "\0")), SCREEN_DONE, "", "", NULL },
	/* the body's ceiling */
	{ BYTES(BEGIN NO_MORE R("\5", "\1", "\20", "\0") "0123456789abcdef" EMPTY), SCREEN_DONE, "",
	    "0123456789abcdef", NULL },
	{ BYTES(BEGIN NO_MORE R("\5", "\1", "\20", "\0") "0123456789abcdef" BODY), SCREEN_FULL, "",
	    "0123456789abcdef", NULL },
	/* what ends libfcgi 2.4.2: lengths near their maximum, in a name, a value, one over the end */
	{ BYTES(BEGIN R("\4", "\1", "\5", "\0") "\377\377\377\376\1" NO_MORE EMPTY), SCREEN_REFUSED, "",
	    "", "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\5", "\0") "\1\377\377\377\376" NO_MORE EMPTY), SCREEN_REFUSED, "",
	    "", "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\10", "\0") "\377\377\377\376\377\377\377\376" NO_MORE EMPTY),
	    SCREEN_REFUSED, "", "", "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\5", "\0") "\1\3A" "bc" NO_MORE EMPTY), SCREEN_REFUSED, "", "",
	    "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\1", "\0") "\1" NO_MORE EMPTY), SCREEN_REFUSED, "", "",
	    "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\3", "\0") "\200\0\0" NO_MORE EMPTY), SCREEN_REFUSED, "", "",
	    "longer than the parameters" },
	{ BYTES(BEGIN R("\4", "\1", "\5", "\0") "\1\2Ab\0" NO_MORE EMPTY), SCREEN_REFUSED, "", "",
	    "zero byte" },
	/* against the protocol */
	{ BYTES("GET / HTTP/1.0\r\n\r\n"), SCREEN_REFUSED, "", "", "not FastCGI" },
	{ BYTES("\0\0\0\0\0\0\0\0"), SCREEN_REFUSED, "", "", "not FastCGI" },
	{ BYTES(PARAM), SCREEN_REFUSED, "", "", "not BEGIN_REQUEST" },
	{ BYTES(EMPTY), SCREEN_REFUSED, "", "", "not BEGIN_REQUEST" },
	{ BYTES(BEGIN BEGIN), SCREEN_REFUSED, "", "", "BEGIN_REQUEST again" },
	{ BYTES(R("\1", "\0", "\10", "\0") "\0\1\0\0\0\0\0\0"), SCREEN_REFUSED, "", "", "whose id is 0" },
	{ BYTES(R("\1", "\1", "\7", "\0") "\0\1\0\0\0\0\0"), SCREEN_REFUSED, "", "", "wrong length" },
	{ BYTES(R("\1", "\1", "\10", "\0") "\0\2\0\0\0\0\0\0"), SCREEN_REFUSED, "", "", "responder" },
	{ BYTES(BEGIN EMPTY), SCREEN_REFUSED, "", "", "before the end of the parameters" },
	{ BYTES(BEGIN NO_MORE PARAM), SCREEN_REFUSED, "", "", "after their end" },
	{ BYTES(BEGIN R("\6", "\1", "\0", "\0")), SCREEN_REFUSED, "", "", "unknown type" },
};

/* The parameters as libfcgi would list them, read from what is written for it. */
static void print_params(const struct fcgi_screen *s, struct buf *out)
{
	struct buf b;
	buf_init(&b, 1 << 20);
	fcgi_screen_head(s, &b);
	const unsigned char *p = (const unsigned char *)b.p;
	cr_assert_eq(p[1], 1);
	cr_assert_eq(p[2] << 8 | p[3], s->id);
	cr_assert_eq(memcmp(b.p + b.n - 8, R("\5", "\1", "\0", "\0"), 8), 0, "ends with an empty body");
	cr_assert_eq(memcmp(b.p + b.n - 16, NO_MORE, 8), 0, "and no more parameters");
	buf_release(&b);
	p = (const unsigned char *)s->params.p;
	for (const unsigned char *end = p + s->params.n; p < end;) {
		size_t len[2];
		for (int i = 0; i < 2; i++) {
			len[i] = *p < 0x80 ? *p : p[3];
			p += *p < 0x80 ? 1 : 4;
		}
		buf_put(out, p, len[0]);
		buf_putc(out, '=');
		buf_put(out, p + len[0], len[1]);
		buf_putc(out, '\n');
		p += len[0] + len[1];
	}
}

static void expect_row(size_t i, struct fcgi_screen *s, const char *how)
{
	struct buf params;
	buf_init(&params, 4096);
	cr_assert_eq(s->state, rows[i].state, "row %zu, %s: state %d, %s", i, how, s->state,
	    s->why != NULL ? s->why : "-");
	cr_assert_str_eq(s->body.p, rows[i].body, "row %zu, %s", i, how);
	if (rows[i].why != NULL)
		cr_assert_not_null(strstr(s->why, rows[i].why), "row %zu, %s: %s", i, how, s->why);
	if (s->state == SCREEN_DONE || s->state == SCREEN_FULL || s->state == SCREEN_BODY) {
		print_params(s, &params);
		cr_assert_str_eq(params.p, rows[i].params, "row %zu, %s", i, how);
	}
	buf_release(&params);
	fcgi_screen_release(s);
}

TEST(fcgi_screen, rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fcgi_screen s;
		fcgi_screen_init(&s, BODY_MAX);
		fcgi_screen_feed(&s, rows[i].bytes, rows[i].n);
		expect_row(i, &s, "whole");
		fcgi_screen_init(&s, BODY_MAX);
		for (size_t k = 0; k < rows[i].n; k++)
			fcgi_screen_feed(&s, rows[i].bytes + k, 1);
		expect_row(i, &s, "byte by byte");
		for (size_t cut = 1; cut < rows[i].n; cut++) {
			fcgi_screen_init(&s, BODY_MAX);
			fcgi_screen_feed(&s, rows[i].bytes, cut);
			fcgi_screen_feed(&s, rows[i].bytes + cut, rows[i].n - cut);
			expect_row(i, &s, "in two pieces");
		}
	}
}

/* -- what is said to the web server -- */

#define ASK(len, names) R("\11", "\0", len, "\0") names
#define ONE "\16\0FCGI_MAX_CONNS"
#define TWO "\15\0FCGI_MAX_REQS"
#define THREE "\17\0FCGI_MPXS_CONNS"

static const struct {
	const char *bytes;
	size_t n;
	enum fcgi_screen_state state;
	const char *reply;
	size_t nreply;
} replies[] = {
	{ BYTES(ASK("\60", ONE TWO THREE) BEGIN), SCREEN_HEAD,
	    BYTES(R("\12", "\0", "\71", "\0") "\16\4FCGI_MAX_CONNS1000\15\4FCGI_MAX_REQS1000"
	    "\17\1FCGI_MPXS_CONNS0") },
	{ BYTES(ASK("\0", "")), SCREEN_HEAD, BYTES(R("\12", "\0", "\0", "\0")) },
	{ BYTES(ASK("\5", "\1\2A" "bc")), SCREEN_HEAD, BYTES(R("\12", "\0", "\0", "\0")) },
	/* twenty times the same name: libfcgi's reply runs over its buffer */
	{ BYTES(R("\11", "\0", "\300", "\0") THREE THREE THREE THREE THREE THREE THREE THREE THREE THREE
	    THREE "\3\0abc"), SCREEN_HEAD, BYTES(R("\12", "\0", "\22", "\0") "\17\1FCGI_MPXS_CONNS0") },
	{ BYTES(ASK("\5", "\1\377\377\377\376")), SCREEN_REFUSED, "", 0 },
	{ BYTES(R("\143", "\0", "\1", "\0") "x"), SCREEN_HEAD,
	    BYTES(R("\13", "\0", "\10", "\0") "\143\0\0\0\0\0\0\0") },
	{ BYTES(BEGIN R("\1", "\2", "\10", "\0") "\0\1\0\0\0\0\0\0"), SCREEN_HEAD,
	    BYTES(R("\3", "\2", "\10", "\0") "\0\0\0\0\1\0\0\0") },
	{ BYTES(R("\1", "\1", "\10", "\0") "\0\3\0\0\0\0\0\0"), SCREEN_REFUSED,
	    BYTES(R("\3", "\1", "\10", "\0") "\0\0\0\0\3\0\0\0") },
};

TEST(fcgi_screen, replies)
{
	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		struct fcgi_screen s;
		fcgi_screen_init(&s, BODY_MAX);
		cr_assert_eq(fcgi_screen_feed(&s, replies[i].bytes, replies[i].n), replies[i].state,
		    "row %zu: %s", i, s.why != NULL ? s.why : "-");
		cr_assert_eq(s.reply.n, replies[i].nreply, "row %zu: %zu bytes", i, s.reply.n);
		cr_assert_eq(memcmp(s.reply.p, replies[i].reply, s.reply.n), 0, "row %zu", i);
		fcgi_screen_release(&s);
	}
}

/* -- ceilings -- */

static void feed_record(struct fcgi_screen *s, int type, const char *p, size_t n)
{
	const char head[8] = { 1, (char)type, 0, 1, (char)(n >> 8), (char)n };
	fcgi_screen_feed(s, head, sizeof(head));
	fcgi_screen_feed(s, p, n);
}

TEST(fcgi_screen, bytes_of_parameters)
{
	static char value[32768];
	struct fcgi_screen s;
	struct buf b;
	memset(value, 'v', sizeof(value));
	for (int over = 0; over < 2; over++) {
		fcgi_screen_init(&s, BODY_MAX);
		fcgi_screen_feed(&s, BEGIN, 16);
		buf_init(&b, 1 << 20);
		const size_t n = SCREEN_PARAMS_MAX - 6 + (size_t)over;
		const char head[6] = { 1, (char)(0x80 | n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n,
			'A' };
		buf_put(&b, head, sizeof(head));
		for (size_t i = 0; i < n; i++)
			buf_putc(&b, 'v');
		for (size_t at = 0; at < b.n; at += sizeof(value))
			feed_record(&s, 4, b.p + at, b.n - at < sizeof(value) ? b.n - at : sizeof(value));
		feed_record(&s, 4, "", 0);
		buf_release(&b);
		cr_assert_eq(s.state, over ? SCREEN_REFUSED : SCREEN_BODY, "over=%d: %s", over,
		    s.why != NULL ? s.why : "-");
		fcgi_screen_release(&s);
	}
}

TEST(fcgi_screen, count_of_parameters)
{
	struct fcgi_screen s;
	for (int over = 0; over < 2; over++) {
		fcgi_screen_init(&s, BODY_MAX);
		fcgi_screen_feed(&s, BEGIN, 16);
		for (int i = 0; i < SCREEN_COUNT_MAX + over; i++)
			feed_record(&s, 4, "\1\0A", 3);
		feed_record(&s, 4, "", 0);
		cr_assert_eq(s.state, over ? SCREEN_REFUSED : SCREEN_BODY, "over=%d", over);
		fcgi_screen_release(&s);
	}
}

/* Records that carry next to nothing, records of nobody's request, management without end. */
TEST(fcgi_screen, endless_heads)
{
	static const struct {
		const char *bytes;
		size_t n;
	} endless[] = {
		{ BYTES(R("\4", "\2", "\1", "\0") "x") },
		{ BYTES(ASK("\0", "")) },
		{ BYTES(R("\1", "\2", "\10", "\0") "\0\1\0\0\0\0\0\0") },
	};
	for (size_t i = 0; i < sizeof(endless) / sizeof(endless[0]); i++) {
		struct fcgi_screen s;
		size_t fed = 0;
		fcgi_screen_init(&s, BODY_MAX);
		fcgi_screen_feed(&s, BEGIN, 16);
		for (; fed < 2 * SCREEN_WIRE_MAX && s.state == SCREEN_HEAD; fed += endless[i].n)
			fcgi_screen_feed(&s, endless[i].bytes, endless[i].n);
		cr_assert_eq(s.state, SCREEN_REFUSED, "row %zu: %zu bytes", i, fed);
		cr_assert_leq(s.reply.n, (size_t)(SCREEN_REPLIES_MAX * 128));
		fcgi_screen_release(&s);
	}
}
