/*
 * The terminal sink: the answer alone in a pipe, and nothing that could command a terminal.
 */
#include "tests/unit/test.h"

#include "base/jsn.h"
#include "edges/sink_cli.h"

static const struct {
	const char *text, *shown;
} texts[] = {
	{ "Zürich\tLSZH\n", "Zürich\tLSZH\n" },
	{ "\033[2Jgone", "[2Jgone" },
	{ "a\x7f\rb", "ab" },
	{ "a\xc2\x9b" "31mb", "a31mb" },       /* one character that starts a sequence */
	{ "a\xc2\xa0" "b", "a\xc2\xa0" "b" },
	{ "a\x9b" "31mb", "a31mb" },           /* the same in one byte, as old terminals read it */
	{ "a\xc2", "a" },                     /* and in two texts */
	{ "\x9b" "31mb", "31mb" },
};

TEST(sink_cli, text_holds_no_controls)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *out = NULL;
		size_t n = 0;
		FILE *f = open_memstream(&out, &n);
		struct sink_cli c;
		struct event ev = { .kind = EV_TEXT, .text = texts[i].text };
		cr_assert_not_null(f);
		sink_cli_init(&c, f, false);
		cr_expect_eq(sink_emit(&c.sink, &ev), OK);
		fclose(f);
		cr_expect_str_eq(out, texts[i].shown, "row %zu", i);
		free(out);
	}
}

TEST(sink_cli, json_is_one_line_an_event)
{
	char *out = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&out, &n);
	struct sink_cli c;
	struct event text = { .kind = EV_TEXT, .text = "a\nb" };
	struct event error = { .kind = EV_ERROR, .name = "timeout", .text = "Too late." };
	cr_assert_not_null(f);
	sink_cli_init(&c, f, true);
	cr_expect_eq(sink_emit(&c.sink, &text), OK);
	cr_expect_eq(sink_emit(&c.sink, &error), OK);
	fclose(f);
	cr_expect_str_eq(out, "{\"event\": \"message\", \"data\": {\"content\": \"a\\nb\"}}\n"
	    "{\"event\": \"error\", \"data\": {\"message\": \"Too late.\", \"code\": \"timeout\"}}\n");
	free(out);
}
