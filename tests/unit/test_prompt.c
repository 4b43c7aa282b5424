/*
 * Prompt templates: what is filled in, and what is refused with file, line and reason.
 */
#include "services/prompt.h"

#include "tests/unit/test.h"

static const char *const names[] = { "who", "what", "tool_catalog", NULL };
static const char *const values[] = { "Ann", "a {who} }}", NULL };

static const struct { const char *text, *filled; } good[] = {
	{ "plain", "plain" },
	{ "{who}", "Ann" },
	{ "{who}{who}", "AnnAnn" },
	{ "Hi {who}!\nNow {what}.\n", "Hi Ann!\nNow a {who} }}.\n" },
	{ "none: [{tool_catalog}]", "none: []" },
	{ "{{", "{" },
	{ "}}", "}" },
	{ "{{}}", "{}" },
	{ "{{who}}", "{who}" },
	{ "{{{who}}}", "{Ann}" },
	{ "{{{{who}}}}", "{{who}}" },
	{ "{{\"a\": {{\"b\": \"{who}\"}}}}", "{\"a\": {\"b\": \"Ann\"}}" },
	{ "a\r\n{who}\r\n", "a\r\nAnn\r\n" },
	{ "  untrimmed {who}\n\n", "  untrimmed Ann\n\n" },
	{ "Zürich → {who} 🛩", "Zürich → Ann 🛩" },
	{ "100 % of %s \\n $x", "100 % of %s \\n $x" },
};

TEST(prompt, fills_in)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct prompt *p;
		struct err e = { 0 };
		TEST_OK(prompt_parse(&p, a, "p.md", good[i].text, names, &e), e);
		cr_expect_str_eq(prompt_fill(p, a, values), good[i].filled);
		cr_expect_str_eq(prompt_path(p), "p.md");
	}
	arena_free(a);
}

static const struct { const char *text, *says; } bad[] = {
	{ "", "p.md: empty" },
	{ " \r\n\t", "p.md: empty" },
	{ "{", "p.md:1: { without a name" },
	{ "}", "p.md:1: } without {" },
	{ "a\nb }\n", "p.md:2: } without {" },
	{ "{}", "p.md:1: {} has no name" },
	{ "a\n\n{who", "p.md:3: { is not closed" },
	{ "{who\n}", "p.md:1: { is not closed" },
	{ "{who}}", "p.md:1: } without {" },
	{ "{{who}", "p.md:1: } without {" },
	{ "{{{who}}", "p.md:1: } without {" },
	{ "{who.name}", "p.md:1: only a name" },
	{ "{who[0]}", "p.md:1: only a name" },
	{ "{who!r}", "p.md:1: only a name" },
	{ "{who:>3}", "p.md:1: only a name" },
	{ "{who }", "p.md:1: only a name" },
	{ "{ who }", "p.md:1: { without a name" },
	{ "{0}", "p.md:1: { without a name" },
	{ "{who{what}}", "p.md:1: { is not closed" },
	{ "{who-what}", "p.md:1: { is not closed" },
	{ "{wh\xc3\xb6}", "p.md:1: { is not closed" },
	{ "example:\r\n{\"a\": 1}\r\n", "p.md:2: { without a name" },
	{ "ok {who}\n{WHO}", "p.md:2: {WHO} is not known (known are {who} {what} {tool_catalog};" },
	{ "{whoo}", "{whoo} is not known" },
	{ "{wh}", "{wh} is not known" },
	{ "\xff{who}", "p.md:1: not UTF-8" },
	{ "a\nb\xc3", "p.md:2: not UTF-8" },
	{ "\xed\xa0\x80", "not UTF-8" },
};

TEST(prompt, refuses)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct prompt *p;
		struct err e = { 0 };
		cr_expect_eq(prompt_parse(&p, a, "p.md", bad[i].text, names, &e), ERR_CONFIG, "row %zu", i);
		cr_expect_null(p);
		cr_expect_not_null(strstr(e.msg, bad[i].says), "row %zu: %s", i, e.msg);
	}
	arena_free(a);
}

TEST(prompt, says_when_there_is_no_name_to_use)
{
	static const char *const none[] = { NULL };
	struct arena *a = arena_new();
	struct prompt *p;
	struct err e = { 0 };
	TEST_OK(prompt_parse(&p, a, "p.md", "plain {{}}", none, &e), e);
	cr_expect_str_eq(prompt_fill(p, a, NULL), "plain {}");
	cr_expect_eq(prompt_parse(&p, a, "p.md", "{who}", none, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "no name is known"), "%s", e.msg);
	arena_free(a);
}

TEST(prompt, knows_what_it_uses)
{
	struct arena *a = arena_new();
	struct prompt *p;
	struct err e = { 0 };
	char text[] = "{what} and {{who}}";
	TEST_OK(prompt_parse(&p, a, "p.md", text, names, &e), e);
	memset(text, 'x', sizeof(text) - 1);
	cr_expect_str_eq(prompt_fill(p, a, values), "a {who} }} and {who}", "the text was copied");
	arena_free(a);
}

static const char *write_file(struct arena *a, const char *dir, const char *bytes, size_t n)
{
	const char *path = arena_printf(a, "%s/p.md", dir);
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	cr_assert_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
	return path;
}

TEST(prompt, loads_files)
{
	char *dir = test_mkdtemp();
	struct arena *a = arena_new();
	struct prompt *p;
	struct err e = { 0 };
	const char *path = write_file(a, dir, "\xef\xbb\xbf{who}\r\n", 10);
	TEST_OK(prompt_load(&p, a, path, names, &e), e);
	cr_expect_str_eq(prompt_fill(p, a, values), "Ann\r\n");
	cr_expect_str_eq(prompt_path(p), path);

	write_file(a, dir, "a\0{who}", 7);
	cr_expect_eq(prompt_load(&p, a, path, names, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "/p.md: not a text: it holds a NUL byte"), "%s", e.msg);
	write_file(a, dir, "a\n{wer}", 7);
	cr_expect_eq(prompt_load(&p, a, path, names, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "/p.md:2: {wer}"), "%s", e.msg);
	write_file(a, dir, "", 0);
	cr_expect_eq(prompt_load(&p, a, path, names, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "/p.md: empty"), "%s", e.msg);

	size_t most = 1 << 20;
	char *big = malloc(most + 1);
	cr_assert_not_null(big);
	memset(big, 'x', most + 1);
	write_file(a, dir, big, most);
	TEST_OK(prompt_load(&p, a, path, names, &e), e);
	cr_expect_eq(strlen(prompt_fill(p, a, values)), most);
	write_file(a, dir, big, most + 1);
	cr_expect_eq(prompt_load(&p, a, path, names, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "/p.md: larger than 1048576 bytes"), "%s", e.msg);
	free(big);

	cr_expect_eq(prompt_load(&p, a, dir, names, &e), ERR_IO);
	cr_expect_not_null(strstr(e.msg, dir), "%s", e.msg);
	cr_expect_eq(prompt_load(&p, a, "/no/such/p.md", names, &e), ERR_IO);
	cr_expect_not_null(strstr(e.msg, "/no/such/p.md: No such file"), "%s", e.msg);
	cr_expect_null(p);
	arena_free(a);
	test_rmdir(dir);
}

/* The shipped texts, with the names each may use (prompts/README). */
static const struct { const char *path; const char *names[4]; } shipped[] = {
	{ "prompts/planner.md", { "tool_catalog", "available_tags", "format_instructions" } },
	{ "prompts/formatter.md", { "answer_style", "tool_result_json", "pretty_text" } },
	{ "prompts/comparison.md", { "countries", "topic_context", "rules_context" } },
};

TEST(prompt, the_shipped_ones_are_right)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++) {
		struct prompt *p;
		struct err e = { 0 };
		TEST_OK(prompt_load(&p, a, arena_printf(a, TEST_SRCDIR "/%s", shipped[i].path),
		    shipped[i].names, &e), e);
	}
	arena_free(a);
}
