/*
 * Frames as the clients' parsers want them, and a parser that takes what others write, cut
 * anywhere.
 */
#include "tests/unit/test.h"

#include "base/buf.h"
#include "base/str.h"
#include "services/sse.h"

TEST(sse, comments_cannot_become_frames)
{
	struct buf b;
	buf_init(&b, 1024);
	sse_comment(&b, "ping");
	cr_assert_str_eq(b.p, ": ping\n\n");
	buf_clear(&b);
	sse_comment(&b, "a\n\nevent: x\r");
	cr_assert_str_eq(b.p, ": a  event: x \n\n");
	buf_clear(&b);
	sse_retry(&b, "bye\n", 1500);
	cr_assert_str_eq(b.p, ": bye \nretry: 1500\n\n");
	buf_release(&b);
}

/* -- reading -- */

static const struct {
	const char *stream, *events;      /* "name|data" and a semicolon each */
} streams[] = {
	{ "data: a\n\n", "message|a;" },
	{ "data:a\n\ndata:  b\n\n", "message|a;message| b;" },
	{ "event: x\ndata: {\"a\": 1}\n\n", "x|{\"a\": 1};" },
	{ "data: a\r\n\r\ndata: b\r\n\r\n", "message|a;message|b;" },
	{ "data: a\r\rdata: b\r\r", "message|a;message|b;" },
	{ "data: a\r\n\ndata: b\n\r\n", "message|a;message|b;" },
	{ "data: a\ndata: b\ndata\ndata:\n\n", "message|a\nb\n\n;" },
	{ "data\n\n", "message|;" },
	{ ": comment\n\n: again\n\ndata: a\n: inside\n\n", "message|a;" },
	{ "id: 7\nretry: 10\nunknown: x\nnone\ndata: a\n\n", "message|a;" },
	{ "event: x\n\ndata: a\n\n", "message|a;" },       /* a name without data is no event */
	{ "event: x\nevent: y\ndata: a\n\ndata: b\n\n", "y|a;message|b;" },
	{ "\xef\xbb\xbf" "data: a\n\n", "message|a;" },
	{ "\xef\xbb\xbf" "\xef\xbb\xbf" "data: a\n\n", "" },
	{ "data: a\n\n\xef\xbb\xbf" "data: b\n\n", "message|a;" },
	{ "data: a\n\ndata: unfinished\n", "message|a;" },
	{ "data: a\n\ndata: unfinished", "message|a;" },
	{ "\n\n\r\r\n", "" },
	{ "", "" },
	{ "data: a:b: c\n\n", "message|a:b: c;" },
	{ " data: a\n\n", "" },
	{ "dataset: a\n\n", "" },
	{ "event: a name that is longer than any that anybody would think of, by far\ndata: a\n\n",
	  "a name that is longer than any that anybody would think of, by |a;" },
};

static enum errcode note(void *arg, const char *event, const char *data, size_t n, struct err *e)
{
	cr_expect_eq(data[n], '\0');
	buf_printf(arg, "%s|", event);
	buf_put(arg, data, n);
	buf_putc(arg, ';');
	return streq(data, "stop") ? err_set(e, ERR_HUP, "stopped") : OK;
}

/* Feed in three parts; the text of the events, or of the error. */
static void feed(struct buf *out, const char *s, size_t n, size_t first, size_t second, size_t max)
{
	struct sse_parser p;
	struct err e = { 0 };
	const size_t ends[] = { first, second, n };
	size_t at = 0;
	sse_parser_init(&p, max);
	buf_clear(out);
	for (size_t i = 0; i < 3; at = ends[i++]) {
		/* a copy of its own, so that a look beyond the end is seen */
		size_t len = ends[i] - at;
		char *part = malloc(len == 0 ? 1 : len);
		memcpy(part, s + at, len);
		enum errcode rc = sse_feed(&p, part, len, note, out, &e);
		free(part);
		if (rc != OK) {
			buf_printf(out, "%s", err_row(rc)->name);
			break;
		}
	}
	sse_parser_release(&p);
}

TEST(sse, reads_what_others_write_cut_anywhere)
{
	struct buf out;
	buf_init(&out, 4096);
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		size_t n = strlen(streams[i].stream);
		for (size_t a = 0; a <= n; a++)
			for (size_t b = a; b <= n; b += n > 40 ? 7 : 1) {
				feed(&out, streams[i].stream, n, a, b, 1000);
				cr_assert_str_eq(out.p, streams[i].events, "stream %zu cut at %zu, %zu", i,
				    a, b);
			}
	}
	buf_release(&out);
}

TEST(sse, reads_one_byte_at_a_time)
{
	struct buf out;
	buf_init(&out, 4096);
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		struct sse_parser p;
		struct err e = { 0 };
		buf_clear(&out);
		sse_parser_init(&p, 1000);
		for (const char *s = streams[i].stream; *s != '\0'; s++)
			TEST_OK(sse_feed(&p, s, 1, note, &out, &e), e);
		cr_expect_str_eq(out.p, streams[i].events, "stream %zu", i);
		sse_parser_release(&p);
	}
	buf_release(&out);
}

TEST(sse, reads_what_it_wrote)
{
	struct buf wire, out;
	buf_init(&wire, 4096);
	buf_init(&out, 4096);
	sse_comment(&wire, "open");
	sse_open(&wire, "message");
	buf_puts(&wire, "{\"content\": \"one\"}");
	sse_close(&wire);
	cr_assert_str_eq(wire.p, ": open\n\nevent: message\ndata: {\"content\": \"one\"}\n\n");
	sse_open(&wire, "done");
	sse_close(&wire);
	feed(&out, wire.p, wire.n, 0, 0, 1000);
	cr_assert_str_eq(out.p, "message|{\"content\": \"one\"};done|;");
	buf_release(&wire);
	buf_release(&out);
}

static const struct {
	const char *stream;
	size_t max;
	const char *says;
} too_big[] = {
	{ "data: 0123456789\n\n", 16, "message|0123456789;" },
	{ "data: 0123456789\n\n", 15, "too_large" },           /* the line */
	{ ": 0123456789abcdef\n\n", 15, "too_large" },
	{ "data: 01234\ndata: 56789\n\n", 11, "message|01234\n56789;" },
	{ "data:01234\ndata:56789\n\n", 10, "too_large" },    /* the event */
	{ "data: ab\n\ndata: cd\n\n", 9, "message|ab;message|cd;" },
};

TEST(sse, keeps_its_ceiling)
{
	struct buf out;
	buf_init(&out, 4096);
	for (size_t i = 0; i < sizeof(too_big) / sizeof(too_big[0]); i++) {
		size_t n = strlen(too_big[i].stream);
		for (size_t a = 0; a <= n; a++) {
			feed(&out, too_big[i].stream, n, a, a, too_big[i].max);
			cr_expect_str_eq(out.p, too_big[i].says, "stream %zu cut at %zu", i, a);
		}
	}
	buf_release(&out);
}

TEST(sse, a_refusal_ends_the_feeding)
{
	struct buf out;
	buf_init(&out, 4096);
	static const char stream[] = "data: a\n\ndata: stop\n\ndata: b\n\n";
	feed(&out, stream, sizeof(stream) - 1, 0, 0, 1000);
	cr_assert_str_eq(out.p, "message|a;message|stop;client_gone");
	buf_release(&out);
}

TEST(sse, data_may_hold_nul_when_read)
{
	struct buf out;
	buf_init(&out, 4096);
	feed(&out, "data: a\0b\n\n", 11, 8, 8, 1000);
	cr_assert_eq(out.n, strlen("message|") + 4);
	cr_assert_eq(memcmp(out.p, "message|a\0b;", out.n), 0);
	buf_release(&out);
}
