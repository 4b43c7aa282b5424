/*
 * Which chunks take the short cut, and that it never says anything but what the parser says:
 * the same chunk in an array of one, which the short cut does not know, gives the same reply.
 */
#include "tests/unit/test.h"
#include "tests/unit/llm_summary.h"

#include "services/llm_openai_chunk.h"

#define OPENAI(delta, finish, usage) "{\"id\":\"chatcmpl-B9\",\"object\":\"chat.completion.chunk\"," \
	"\"created\":1741569952,\"model\":\"gpt-4o-mini-2024-07-18\",\"service_tier\":\"default\"," \
	"\"system_fingerprint\":\"fp_06\",\"choices\":[{\"index\":0,\"delta\":" delta ",\"logprobs\":null," \
	"\"finish_reason\":" finish "}],\"usage\":" usage ",\"obfuscation\":\"xK3\"}"
#define DELTA(members) "{\"choices\":[{\"index\":0,\"delta\":{" members "}}]}"
#define CHOICE(members) "{\"choices\":[{" members "}]}"
#define BESIDE(members) "{" members ",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"

static const struct {
	const char *chunk, *text;       /* NULL: left to the parser */
} rows[] = {
	/* what servers send nearly always */
	{ OPENAI("{\"content\":\" runway\"}", "null", "null"), " runway" },
	{ OPENAI("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null", "null"), "" },
	{ "{\"id\":\"chatcmpl-7\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"qwen3:8b\","
	  "\"system_fingerprint\":\"fp_ollama\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
	  "\"content\":\"Z\u00fcrich\"},\"finish_reason\":null}]}", "Z\u00fcrich" },
	{ "{\"id\":\"chat-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":"
	  "[{\"index\":0,\"delta\":{\"content\":\"/\",\"reasoning_content\":null,\"tool_calls\":null},"
	  "\"logprobs\":null,\"finish_reason\":null,\"stop_reason\":null,\"token_ids\":null}],"
	  "\"prompt_token_ids\":null}", "/" },
	{ "{\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"content\":\"(\"}}],\"created\":1,"
	  "\"id\":\"c\",\"model\":\"m.gguf\",\"system_fingerprint\":\"b5\",\"object\":"
	  "\"chat.completion.chunk\"}", "(" },
	{ "{\"id\": \"c\", \"choices\": [{\"index\": 0, \"delta\": {\"content\": \", \"}, "
	  "\"finish_reason\": null}]}", ", " },
	{ DELTA("\"reasoning_content\":\"Hm.\",\"content\":null"), "" },
	{ DELTA("\"reasoning\":\"Hm.\""), "" },
	{ DELTA(""), "" },
	{ DELTA("\"content\":\"a\xe2\x82\""), "a\xe2\x82" },
	{ DELTA("\"content\":\"{}[]:,'.\x7f\""), "{}[]:,'.\x7f" },
	{ DELTA("\"content\":\"a\",\"content\":\"b\""), "b" },
	{ DELTA("\"content\":\"a\",\"content\":null"), "" },
	{ BESIDE("\"a\":true,\"b\":false,\"c\":0,\"d\":999999999999999999,\"error\":null"), "a" },
	{ CHOICE("\"delta\":{\"content\":\"a\"},\"message\":null"), "a" },

	/* what means something */
	{ OPENAI("{}", "\"stop\"", "null"), NULL },
	{ OPENAI("{\"content\":\"a\"}", "\"\"", "null"), NULL },
	{ OPENAI("{\"content\":\"a\"}", "null", "{\"prompt_tokens\":1}"), NULL },
	{ "{\"choices\":[],\"usage\":null}", NULL },
	{ "{\"choices\":null}", NULL },
	{ "{}", NULL },
	{ CHOICE(""), NULL },
	{ CHOICE("\"delta\":null"), NULL },
	{ CHOICE("\"index\":1,\"delta\":{\"content\":\"a\"}"), NULL },
	{ CHOICE("\"delta\":{\"content\":\"a\"},\"error\":\"gone\""), NULL },
	{ CHOICE("\"delta\":{\"content\":\"a\"},\"message\":{\"content\":\"b\"}"), NULL },
	{ CHOICE("\"delta\":{\"content\":\"a\"},\"delta\":{}"), NULL },
	{ CHOICE("\"delta\":{\"content\":\"a\"}},{\"index\":0"), NULL },
	{ "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"choices\":[]}", NULL },
	{ DELTA("\"refusal\":\"no\""), NULL },
	{ DELTA("\"tool_calls\":[]"), NULL },
	{ DELTA("\"content\":[]"), NULL },
	{ DELTA("\"content\":7"), NULL },
	{ BESIDE("\"error\":\"gone\""), NULL },
	{ BESIDE("\"object\":\"error\""), NULL },
	{ "[" DELTA("\"content\":\"a\"") "]", NULL },

	/* what the short cut does not understand, and what nobody does */
	{ DELTA("\"content\":\"a\\n\""), NULL },
	{ DELTA("\"c\\u006fntent\":\"a\""), NULL },
	{ DELTA("\"content\":\"a\tb\""), NULL },
	{ DELTA("\"content\":\"a"), NULL },
	{ DELTA("\"content\":\"a\"") "}", NULL },
	{ DELTA("\"content\":\"a\"") " ", NULL },
	{ DELTA("\"content\":\"a\",") , NULL },
	{ DELTA("\"content\":\"a\" \"b\":1"), NULL },
	{ DELTA("\"content\" \"a\""), NULL },
	{ DELTA("content:\"a\""), NULL },
	{ "{\n" BESIDE("\"a\":1"), NULL },
	{ BESIDE("\"a\":01"), NULL },
	{ BESIDE("\"a\":1.5"), NULL },
	{ BESIDE("\"a\":-1"), NULL },
	{ BESIDE("\"a\":1e9"), NULL },
	{ BESIDE("\"a\":9999999999999999999"), NULL },
	{ BESIDE("\"a\":NaN"), NULL },
	{ BESIDE("\"a\":nul"), NULL },
	{ BESIDE("\"a\":"), NULL },
	{ BESIDE("\"a\":{}"), NULL },
	{ "", NULL },
	{ "{", NULL },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

TEST(llm_openai_chunk, ordinary_chunks_are_taken)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct str text;
		bool taken = openai_chunk_text(str_of(rows[i].chunk), &text);
		cr_expect_eq(taken, rows[i].text != NULL, "%s", rows[i].chunk);
		if (taken && rows[i].text != NULL)
			cr_expect(str_eq(text, rows[i].text), "%s", rows[i].chunk);
	}
}

/* A reply of this chunk, its text's last character, and an end. */
static void summary_reply(struct buf *summary, const char *before, const char *p, size_t n,
    const char *after)
{
	struct buf body;
	buf_init(&body, 1 << 16);
	buf_printf(&body, "data: %s", before);
	buf_put(&body, p, n);
	buf_printf(&body, "%s\n\ndata: [{\"choices\":[{\"delta\":{\"content\":\"\xac.\"}}]}]\n\n"
	    "data: [DONE]\n\n", after);
	cr_assert(summarize(summary, &llm_openai, "text/event-stream", body.p, body.n, &body.n, 1, 1 << 16));
	buf_release(&body);
}

/* Whether it was taken; if so, both ways gave the same. */
static bool agrees(const char *p, size_t n)
{
	struct str text, chunk = str_trim((struct str){ p, n });
	struct buf quick, parsed;
	if (!openai_chunk_text(chunk, &text))
		return false;
	buf_init(&quick, 1 << 16);
	buf_init(&parsed, 1 << 16);
	summary_reply(&quick, "", chunk.p, chunk.n, "");
	summary_reply(&parsed, "[", chunk.p, chunk.n, "]");
	cr_assert_str_eq(quick.p, parsed.p, "%.*s", (int)chunk.n, chunk.p);
	buf_release(&quick);
	buf_release(&parsed);
	return true;
}

TEST(llm_openai_chunk, the_parser_sees_the_same)
{
	for (size_t i = 0; i < ROWS; i++)
		cr_expect_eq(agrees(rows[i].chunk, strlen(rows[i].chunk)) || rows[i].text == NULL, true);
}

static uint64_t seed = 88172645463325252u;

static size_t below(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (size_t)(seed % n);
}

TEST(llm_openai_chunk, the_parser_sees_the_same_in_damaged_ones)
{
	static const char *const bits[] = {
		"{", "}", "[", "]", "\"", ",", ":", " ", "\\", "\\u0061", "0", "-", "1.5", "1e5", "null",
		"\"\"", "\"a\"", "\"content\":", "\"delta\":", "\"choices\":", "\"index\":", "\"usage\":",
		"\"finish_reason\":", "\"error\":", "\"object\":", "\"message\":", "\"refusal\":",
		"\"tool_calls\":", "\t", "\n", "\xff", "\xe2\x82", "\xed\xa0\xbd", "true",
	};
	size_t taken = 0;
	for (int round = 0; round < 100000; round++) {
		struct buf b, out;
		buf_init(&b, 4096);
		buf_puts(&b, rows[below(ROWS)].chunk);
		for (size_t k = below(3) + 1; k > 0; k--) {
			size_t at = below(b.n + 1), cut = below(4) == 0 ? below(b.n - at + 1) : below(2);
			buf_init(&out, 4096);
			buf_put(&out, b.p, at);
			if (below(3) > 0)
				buf_puts(&out, bits[below(sizeof(bits) / sizeof(bits[0]))]);
			if (at + cut < b.n)
				buf_put(&out, b.p + at + cut, b.n - at - cut);
			buf_release(&b);
			b = out;
		}
		taken += agrees(b.p, b.n);
		buf_release(&b);
	}
	cr_expect_gt(taken, 1000, "only %zu", taken);
}
