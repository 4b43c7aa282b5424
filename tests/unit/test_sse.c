/*
 * Frames as the clients' parsers want them.
 */
#include "tests/unit/test.h"

#include "base/buf.h"
#include "services/sse.h"

static const struct {
	const char *event, *data, *frame;
} frames[] = {
	{ "message", "{\"content\": \"a\"}", "event: message\ndata: {\"content\": \"a\"}\n\n" },
	{ "thinking_done", "{}", "event: thinking_done\ndata: {}\n\n" },
	{ "x", "", "event: x\ndata: \n\n" },
	{ "x", "a\nb", "event: x\ndata: a\ndata: b\n\n" },
	{ "x", "a\r\nb\rc", "event: x\ndata: a\ndata: b\ndata: c\n\n" },
	{ "x", "a\n\nevent: y", "event: x\ndata: a\ndata: \ndata: event: y\n\n" },
	{ "x", "line\u2028separator", "event: x\ndata: line\u2028separator\n\n" },
};

TEST(sse, frames)
{
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		struct buf b;
		buf_init(&b, 1024);
		sse_frame(&b, frames[i].event, frames[i].data, strlen(frames[i].data));
		cr_assert_str_eq(b.p, frames[i].frame);
		cr_assert(!b.full);
		buf_release(&b);
	}
}

TEST(sse, data_may_hold_nul)
{
	struct buf b;
	buf_init(&b, 1024);
	sse_frame(&b, "x", "a\0b", 3);
	cr_assert_eq(b.n, strlen("event: x\ndata: ") + 3 + 2);
	buf_release(&b);
}

TEST(sse, comments_cannot_become_frames)
{
	struct buf b;
	buf_init(&b, 1024);
	sse_comment(&b, "ping");
	cr_assert_str_eq(b.p, ": ping\n\n");
	buf_clear(&b);
	sse_comment(&b, "a\n\nevent: x\r");
	cr_assert_str_eq(b.p, ": a  event: x \n\n");
	buf_release(&b);
}

TEST(sse, over_the_ceiling_is_told)
{
	struct buf b;
	buf_init(&b, 20);
	sse_frame(&b, "message", "{\"content\": \"too much\"}", 23);
	cr_assert(b.full);
	buf_release(&b);
}
