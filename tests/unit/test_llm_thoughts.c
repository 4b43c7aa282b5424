/*
 * Thoughts before an answer, whatever the cut of the pieces.
 */
#include "services/llm_thoughts.h"
#include "tests/unit/test.h"

#include "base/buf.h"

static const struct {
	const char *reply, *answer;
} rows[] = {
	{ "", "" },
	{ "Lyon it is", "Lyon it is" },
	{ "\n\n  Lyon it is", "\n\n  Lyon it is" },
	{ "<think>Paris? No.</think>\n\nLyon it is", "\n\nLyon it is" },
	{ "\n<think>\nParis?\n</think>Lyon", "Lyon" },
	{ "<think></think>Lyon", "Lyon" },
	{ "<think>a</think> <think>b</think>Lyon", "Lyon" },
	{ "<think>never ends", "" },
	{ "<think>a</think>", "" },
	{ "<think>a</thin </think>b", "b" },
	{ "<thinking about Lyon", "<thinking about Lyon" },
	{ "<", "<" },
	{ "<thi", "<thi" },
	{ "< 3 NM <think>no tag here</think>", "< 3 NM <think>no tag here</think>" },
	{ " \n ", "" },
	{ "                                                                        far out",
	  "                                                                        far out" },
};

TEST(llm_thoughts, are_no_part_of_the_answer)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].reply);
		for (size_t step = 1; step <= n + 1; step++) {
			struct thoughts t = { .n = 0 };
			struct buf out;
			buf_init(&out, 1000);
			for (size_t at = 0; at < n; at += step) {
				char piece[200] = "";
				memcpy(piece, rows[i].reply + at, at + step < n ? step : n - at);
				thoughts_feed(&t, piece, &out);
			}
			thoughts_end(&t, &out);
			cr_expect_str_eq(out.p, rows[i].answer, "row %zu in pieces of %zu", i, step);
			buf_release(&out);
		}
		const char *whole = thoughts_skip(rows[i].reply);
		/* blanks alone stay where they are: whoever reads them sees that it is nothing */
		if (rows[i].reply[strspn(rows[i].reply, " \n")] != '\0')
			cr_expect_str_eq(whole, rows[i].answer, "row %zu", i);
	}
}
