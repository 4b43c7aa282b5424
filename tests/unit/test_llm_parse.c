/*
 * Replies as servers send them, and as they should not: each gives the same result cut at
 * every byte, and with and without the short cut for ordinary chunks, and 20,000 damaged ones
 * give some result.
 */
#include "tests/unit/test.h"
#include "tests/unit/llm_summary.h"

#include "services/llm_openai_chunk.h"

#define CHUNK(delta) "data: {\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define TEXT(t) CHUNK("{\"content\":\"" t "\"}")
#define FINISH(why) "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" why "\"}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define STOP_DONE FINISH("stop") DONE
#define CALL(call) CHUNK("{\"tool_calls\":[" call "]}")
#define WHOLE(message, why) "{\"choices\":[{\"index\":0,\"message\":" message \
	",\"finish_reason\":\"" why "\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}"

static const char sse[] = "text/event-stream", json[] = "application/json";

static const struct sample {
	const char *type, *body, *summary;
} samples[] = {
	/* streams */
	{ sse, CHUNK("{\"role\":\"assistant\",\"content\":\"\"}") TEXT("Hel") TEXT("lo") STOP_DONE,
	  "[Hel][lo] stop -1/-1 fine" },
	{ sse, CHUNK("{\"role\":\"assistant\",\"content\":null}") CHUNK("{}") CHUNK("null")
	  TEXT("Hi") STOP_DONE, "[Hi] stop -1/-1 fine" },
	{ sse, TEXT("a") FINISH("length") "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,"
	  "\"completion_tokens\":34,\"total_tokens\":46}}\n\n" DONE, "[a] length 12/34 fine" },
	{ sse, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":null}\n\n"
	  "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}],\"usage\":{\"prompt_tokens\":1,"
	  "\"completion_tokens\":1}}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
	  "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n" DONE, "[a][b] stop 5/2 fine" },
	{ sse, ": OPENROUTER PROCESSING\n\n" TEXT("a") ": ping\n\n" STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, TEXT("a") DONE, "[a]  -1/-1 fine" },              /* either end will do */
	{ sse, TEXT("a") FINISH("stop"), "[a] stop -1/-1 fine" },
	{ sse, TEXT("a") FINISH("stop") "data: [DONE]", "[a] stop -1/-1 fine" },
	{ sse, TEXT("a") "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":"
	  "\"stop\"}]}", "[a][b] stop -1/-1 fine" },             /* no blank line at the end */
	{ sse, "data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\ndata:[DONE]\r\n\r\n",
	  "[a]  -1/-1 fine" },
	{ sse, TEXT("a") STOP_DONE TEXT("after the end"), "[a] stop -1/-1 fine" },
	{ sse, TEXT("a") FINISH("stop") "data: rubbish\n\ndata: {\"error\":\"late\"}\n\n",
	  "[a] stop -1/-1 fine" },
	{ sse, "\xef\xbb\xbf" TEXT("a") STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, "\n\r\n" TEXT("a") STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, "id: 1\nevent: message\n" TEXT("a") "event: ping\ndata: {\"type\":\"ping\"}\n\n"
	  "data:\n\n" STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, CHUNK("{\"reasoning_content\":\"Hm.\",\"content\":null}")
	  CHUNK("{\"reasoning\":\"Hm.\"}") TEXT("a") STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, CHUNK("{\"content\":[{\"type\":\"thinking\",\"thinking\":[]},{\"type\":\"text\","
	  "\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"},7]}") STOP_DONE, "[ab] stop -1/-1 fine" },
	{ sse, CHUNK("{\"refusal\":\"I may not.\"}") STOP_DONE, "[I may not.] stop -1/-1 fine" },
	{ sse, "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}},"
	  "{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n" STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"message\":{\"content\":\"a\"}}]}\n\n"
	  STOP_DONE, "[a] stop -1/-1 fine" },                    /* what comes twice counts once */
	{ sse, TEXT("a") FINISH("what ever <b>"), "[a] other -1/-1 fine" },
	{ sse, CHUNK("{\"content\":\"\"}") STOP_DONE, " stop -1/-1 fine" },

	/* characters cut by the server */
	{ sse, TEXT("\xc3") TEXT("\xa9t\xc3\xa9") STOP_DONE, "[ét\u00e9] stop -1/-1 fine" },
	{ sse, TEXT("a\xf0") TEXT("\x9f\x98") TEXT("\x80") TEXT("b") STOP_DONE,
	  "[a][\U0001f600][b] stop -1/-1 fine" },
	{ sse, TEXT("a\\ud83d") TEXT("\\uDE00b") STOP_DONE, "[a][\U0001f600b] stop -1/-1 fine" },
	{ sse, TEXT("\\ud83d\\ude00") STOP_DONE, "[\U0001f600] stop -1/-1 fine" },
	{ sse, TEXT("\xed\xa0\xbd") TEXT("\xed") TEXT("\xb8") TEXT("\x80") STOP_DONE,
	  "[\U0001f600] stop -1/-1 fine" },                      /* a pair as six bytes */
	{ sse, TEXT("\\ud83d") TEXT("x") STOP_DONE, "[\ufffdx] stop -1/-1 fine" },
	{ sse, TEXT("\\ude00") TEXT("\\ud83d\\ud83d") TEXT("\\ude00") STOP_DONE,
	  "[\ufffd][\ufffd][\U0001f600] stop -1/-1 fine" },
	{ sse, TEXT("a\\ud83d") STOP_DONE, "[a][\ufffd] stop -1/-1 fine" },
	{ sse, TEXT("a\xe2\x82") STOP_DONE, "[a][\ufffd\ufffd] stop -1/-1 fine" },
	{ sse, TEXT("a\xe2\x82") TEXT("b") STOP_DONE, "[a][\ufffd\ufffd" "b] stop -1/-1 fine" },
	{ sse, TEXT("\xff\xc0\x80\xf5z") STOP_DONE,
	  "[\ufffd\ufffd\ufffd\ufffdz] stop -1/-1 fine" },
	{ sse, TEXT("a\\u0000b") STOP_DONE, "[a\ufffd" "b] stop -1/-1 fine" },
	{ sse, TEXT("\\\\ud83d \\\"\\n\\u00e9\\/") STOP_DONE, "[\\ud83d \"\n\u00e9/] stop -1/-1 fine" },
	{ sse, TEXT("\\ud83d\\\\ude00") STOP_DONE, "[\ufffd\\ude00] stop -1/-1 fine" },

	/* function calls */
	{ sse, CALL("{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":"
	  "\"AviationPlan\",\"arguments\":\"\"}}") CALL("{\"index\":0,\"function\":{\"arguments\":"
	  "\"{\\\"selected_tool\\\":\"}}") CALL("{\"index\":0,\"function\":{\"arguments\":\"\\\"x\\\"}\"}}")
	  FINISH("tool_calls") DONE, " AviationPlan({\"selected_tool\":\"x\"}) tool_calls -1/-1 fine" },
	{ sse, CALL("{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\"}}")
	  CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}")
	  CALL("{\"index\":1,\"function\":{\"arguments\":\"}\"}},{\"index\":0,\"function\":"
	  "{\"arguments\":\"\\\"k\\\":1}\"}}") DONE, " g({}) f({\"k\":1})  -1/-1 fine" },
	/* every call has the index 0 */
	{ sse, CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"k\\\":1}\"}}")
	  CALL("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"k\\\":2}\"}}")
	  DONE, " f({\"k\":1}) f({\"k\":2})  -1/-1 fine" },
	{ sse, CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}")
	  CALL("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}")
	  DONE, " f() g({})  -1/-1 fine" },
	/* every fragment has an id of its own, and the name again */
	{ sse, CALL("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"k\"}}")
	  CALL("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"\\\":1}\"}}")
	  CALL("{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"\\n\"}}")
	  DONE, " f({\"k\":1}\n)  -1/-1 fine" },
	/* no index at all */
	{ sse, CALL("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
	  "{\"id\":\"b\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"k\\\":2}\"}}")
	  DONE, " f({}) f({\"k\":2})  -1/-1 fine" },
	{ sse, CALL("{\"index\":0,\"id\":null,\"function\":{\"name\":\"f\",\"arguments\":{\"k\":[1,2.5]}}}")
	  DONE, " f({\"k\":[1,2.5]})  -1/-1 fine" },
	{ sse, CALL("{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\\\"\xc3\"}}")
	  CALL("{\"index\":0,\"function\":{\"arguments\":\"\xa9\\u0000\\ud83d\"}}")
	  CALL("{\"index\":0,\"function\":{\"arguments\":\"\\ude00\\\"}\"}}") DONE,
	  " f({\"a\":\"\u00e9\ufffd\U0001f600\"})  -1/-1 fine" },
	{ sse, CALL("null,7,{\"index\":0},{\"index\":0,\"function\":null},{\"index\":0,\"function\":"
	  "{\"name\":\"f\",\"arguments\":null}}") DONE, " f()  -1/-1 fine" },
	{ sse, CHUNK("{\"tool_calls\":null,\"content\":\"a\"}") STOP_DONE, "[a] stop -1/-1 fine" },

	/* errors inside a stream */
	{ sse, TEXT("a") "data: {\"error\":{\"message\":\"Internal server error\",\"type\":"
	  "\"InternalServerError\",\"param\":null,\"code\":500}}\n\n" DONE,
	  "[a]  -1/-1 refused: 500,500,InternalServerError,,Internal server error" },
	{ sse, "data: {\"object\":\"error\",\"message\":\"too long\",\"code\":400}\n\n",
	  "  -1/-1 refused: 400,400,,,too long" },
	{ sse, "data: {\"choices\":[],\"error\":{\"code\":\"rate_limit_exceeded\"}}\n\n",
	  "  -1/-1 refused: 0,rate_limit_exceeded,,," },
	{ sse, "event: error\ndata: {\"message\":\"overloaded\"}\n\n", "  -1/-1 refused: 0,,,,overloaded" },
	{ sse, "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}],"
	  "\"error\":{\"code\":502,\"message\":\"gone\"}}\n\n", "  -1/-1 refused: 502,502,,,gone" },
	{ sse, TEXT("a") FINISH("error"), "[a] error -1/-1 refused: 0,,,," },
	{ sse, TEXT("a") "data: {\"error\":null,\"choices\":[]}\n\n" STOP_DONE, "[a] stop -1/-1 fine" },

	/* not finished, not right */
	{ sse, TEXT("a"), "[a]  -1/-1 cut" },
	{ sse, TEXT("a") "data: {\"choices\":[{\"del", "[a]  -1/-1 cut" },
	{ sse, TEXT("a\xc3"), "[a]  -1/-1 cut" },
	{ sse, "data: {\"choices\":[{\"delta\":{\"con\n\n" STOP_DONE, "  -1/-1 not json" },
	{ sse, "data: 17\n\n", "  -1/-1 not json" },
	{ sse, ": only a comment\n\n", "  -1/-1 cut" },
	{ sse, "rubbish\n\n", "  -1/-1 cut" },
	{ sse, DONE, "  -1/-1 no message" },
	{ sse, "", "  -1/-1 nothing" },
	{ sse, " \n", "  -1/-1 nothing" },
	{ sse, FINISH("content_filter") DONE, " content_filter -1/-1 filtered" },
	{ sse, TEXT("a") FINISH("content_filter") DONE, "[a] content_filter -1/-1 fine" },
	{ sse, TEXT("a") TEXT("STOP") TEXT("b") STOP_DONE, "[a]  -1/-1 stopped" },

	/* one object */
	{ json, WHOLE("{\"role\":\"assistant\",\"content\":\"Hello\"}", "stop"), "[Hello] stop 9/2 fine" },
	{ json, "\xef\xbb\xbf \n" WHOLE("{\"content\":\"\\ud83d\\ude00 \xc3\"}", "stop") "\n\n",
	  "[\U0001f600 ][\ufffd] stop 9/2 fine" },
	{ json, WHOLE("{\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":"
	  "{\"name\":\"f\",\"arguments\":\"\"}},{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
	  "\"{\"}}]}", "tool_calls"), " f() f({) tool_calls 9/2 fine" },
	{ json, "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}", "[a]  -1/-1 fine" },
	{ json, "{\"choices\":[],\"usage\":{\"prompt_tokens\":9}}", "  9/-1 no message" },
	{ json, "{\"choices\":null}", "  -1/-1 no message" },
	{ json, "{\"choices\":[{}]}", "  -1/-1 no message" },
	{ json, "{\"error\":{\"message\":\"no\",\"type\":\"t\",\"param\":\"p\",\"code\":\"c\"}}",
	  "  -1/-1 refused: 0,c,t,p,no" },
	{ json, "[{\"error\":{\"code\":429,\"message\":\"slow\",\"status\":\"RESOURCE_EXHAUSTED\"}}]",
	  "  -1/-1 refused: 429,429,RESOURCE_EXHAUSTED,,slow" },
	{ json, "{\"error\":\"model not found\"}", "  -1/-1 refused: 0,,,,model not found" },
	{ json, WHOLE("{\"content\":\"\"}", "content_filter"), " content_filter 9/2 filtered" },
	{ json, "{\"choices\":[{\"message\":{\"content\":\"a", "  -1/-1 cut" },
	{ json, "<!DOCTYPE html><html>", "  -1/-1 html" },
	{ json, "upstream connect error", "  -1/-1 not json" },
	{ json, "da", "  -1/-1 not json" },
	{ "text/html", "welcome", "  -1/-1 html" },
	{ "text/html", "  \n<html>", "  -1/-1 html" },
	/* the other kind than announced */
	{ json, TEXT("a") STOP_DONE, "[a] stop -1/-1 fine" },
	{ "", "event: message\n" TEXT("a") STOP_DONE, "[a] stop -1/-1 fine" },
	{ sse, WHOLE("{\"content\":\"a\"}", "stop"), "[a] stop 9/2 fine" },
	{ sse, "data: " WHOLE("{\"content\":\"a\"}", "stop") "\n\n" DONE, "[a] stop 9/2 fine" },
	{ "text/plain", WHOLE("{\"content\":\"a\"}", "stop"), "[a] stop 9/2 fine" },
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]), MAX = 1 << 20 };

static void expect(const struct sample *s, const size_t *ends, size_t nends)
{
	struct buf line;
	buf_init(&line, SIZE_MAX / 2);
	cr_expect(summarize(&line, &llm_openai, s->type, s->body, strlen(s->body), ends, nends, MAX));
	cr_expect_str_eq(line.p, s->summary, "%s\n  is  '%s'\n  not '%s'", s->body, line.p, s->summary);
	buf_release(&line);
}

TEST(llm_parse, reads_what_servers_send)
{
	for (size_t i = 0; i < SAMPLES; i++)
		expect(&samples[i], (size_t[]){ strlen(samples[i].body) }, 1);
}

TEST(llm_parse, the_network_may_cut_anywhere)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t n = strlen(samples[i].body), every[4096];
		cr_assert_lt(n, sizeof(every) / sizeof(every[0]));
		for (size_t k = 0; k < n; k++) {
			expect(&samples[i], (size_t[]){ k, n }, 2);
			every[k] = k + 1;
		}
		expect(&samples[i], every, n);
	}
}

/* The same body, but that its ordinary chunks stand in an array of one, which means the same and is
 * none to the short cut. How many there were. */
static size_t all_parsed(struct buf *out, const char *p, size_t n)
{
	size_t count = 0;
	buf_clear(out);
	for (const char *end = p + n, *line = p; line < end;) {
		const char *lf = memchr(line, '\n', (size_t)(end - line));
		size_t len = lf == NULL ? (size_t)(end - line) : (size_t)(lf + 1 - line);
		struct str chunk = { "", 0 }, text;
		if (len > 5 && memcmp(line, "data:", 5) == 0)
			chunk = str_trim((struct str){ line + 5, len - 5 });
		if (openai_chunk_text(chunk, &text)) {
			const char *behind = chunk.p + chunk.n;
			buf_printf(out, "data:[%.*s]", (int)chunk.n, chunk.p);
			buf_put(out, behind, (size_t)(line + len - behind));
			count++;
		} else {
			buf_put(out, line, len);
		}
		line += len;
	}
	return count;
}

TEST(llm_parse, the_short_cut_changes_nothing)
{
	struct buf body, line;
	size_t count = 0;
	buf_init(&body, MAX);
	buf_init(&line, MAX);
	for (size_t i = 0; i < SAMPLES; i++) {
		count += all_parsed(&body, samples[i].body, strlen(samples[i].body));
		cr_expect(summarize(&line, &llm_openai, samples[i].type, body.p, body.n, &body.n, 1, MAX));
		cr_expect_str_eq(line.p, samples[i].summary, "%s", body.p);
	}
	cr_expect_gt(count, SAMPLES / 2, "only %zu", count);
	buf_release(&body);
	buf_release(&line);
}

/* -- bounds -- */

TEST(llm_parse, keeps_to_its_size)
{
	static const char body[] = TEXT("a") STOP_DONE;
	const size_t n = sizeof(body) - 1;
	struct buf line;
	buf_init(&line, 4096);
	for (size_t k = 0; k <= n; k += 3) {
		cr_expect(summarize(&line, &llm_openai, sse, body, n, (size_t[]){ k, n }, 2, n));
		cr_expect_str_eq(line.p, "[a] stop -1/-1 fine");
		cr_expect(summarize(&line, &llm_openai, sse, body, n, (size_t[]){ k, n }, 2, n - 1));
		cr_expect_not_null(strstr(line.p, "too big"));
	}
	buf_release(&line);
}

TEST(llm_parse, keeps_sixteen_calls)
{
	struct buf body, line;
	buf_init(&body, MAX);
	buf_init(&line, MAX);
	for (int i = 0; i < 40; i++)
		buf_printf(&body, CALL("{\"index\":%d,\"id\":\"%d\",\"function\":{\"name\":\"f\",\"arguments\":"
		    "\"{}\"}}"), i, i);
	buf_puts(&body, DONE);
	cr_expect(summarize(&line, &llm_openai, sse, body.p, body.n, &body.n, 1, MAX));
	int count = 0;
	for (const char *p = line.p; (p = strstr(p, "f({})")) != NULL; p++)
		count++;
	cr_expect_eq(count, PARSE_CALLS);
	buf_release(&body);
	buf_release(&line);
}

TEST(llm_parse, nesting_has_a_limit)
{
	struct buf body, line;
	buf_init(&body, MAX);
	buf_init(&line, MAX);
	buf_puts(&body, "data: {\"x\":");
	for (int i = 0; i < 50000; i++)
		buf_putc(&body, '[');
	buf_puts(&body, "\n\n");
	cr_expect(summarize(&line, &llm_openai, sse, body.p, body.n, &body.n, 1, MAX));
	cr_expect_str_eq(line.p, "  -1/-1 not json");
	buf_release(&body);
	buf_release(&line);
}

TEST(llm_parse, long_names_are_cut)
{
	struct buf body, line;
	buf_init(&body, MAX);
	buf_init(&line, MAX);
	buf_puts(&body, "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"");
	for (int i = 0; i < 1000; i++)
		buf_puts(&body, "i");
	buf_puts(&body, "\",\"function\":{\"name\":\"");
	for (int i = 0; i < 1000; i++)
		buf_puts(&body, "\u00e9\u20ac");
	buf_puts(&body, "\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"");
	for (int i = 0; i < 1000; i++)
		buf_puts(&body, "f");
	buf_puts(&body, "\"}]}");
	cr_expect(summarize(&line, &llm_openai, json, body.p, body.n, &body.n, 1, MAX));
	cr_expect_lt(line.n, 1000);
	cr_expect_not_null(strstr(line.p, " fine"));
	buf_release(&body);
	buf_release(&line);
}

TEST(llm_parse, five_megabytes)
{
	struct buf body, line;
	size_t ends[2048], nends = 0;
	buf_init(&body, 16 << 20);
	buf_init(&line, SIZE_MAX / 2);
	while (body.n < (5 << 20))
		buf_puts(&body, TEXT("word "));
	buf_puts(&body, STOP_DONE);
	for (size_t at = 0; at < body.n;)
		ends[nends++] = at += 4096;
	cr_expect(summarize(&line, &llm_openai, sse, body.p, body.n, ends, nends, 6 << 20));
	cr_expect_not_null(strstr(line.p, " stop -1/-1 fine"));
	cr_expect(summarize(&line, &llm_openai, sse, body.p, body.n, ends, nends, 1 << 20));
	cr_expect_not_null(strstr(line.p, " too big"));
	buf_release(&body);
	buf_release(&line);
}

/* -- damage -- */

static uint64_t seed = 88172645463325252u;

static size_t below(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return n == 0 ? 0 : (size_t)(seed % n);
}

/* What matters to the parser, to put where it does not belong. */
static const char *const bits[] = {
	"data:", "\n\n", "\r\n", "\r", "[DONE]", "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud83d",
	"\\ude00", "\\u0000", "\xed\xa0\xbd", "\xed\xb8\x80", "\xf0\x9f", "\xff", "null", "1e999", "-1",
	"99999999999999999999", "\"choices\":", "\"delta\":", "\"message\":", "\"tool_calls\":",
	"\"usage\":", "\"error\":", "\"index\":", "\"finish_reason\":\"stop\"", "event: error\n",
	"\"function\":{", "\"arguments\":", "\xef\xbb\xbf", ":", "NaN", "\xc0\x80",
};

static void damage(struct buf *b)
{
	struct buf out;
	size_t at = below(b->n + 1), len = below(1 + below(40)), from = below(b->n + 1);
	const char *bit = bits[below(sizeof(bits) / sizeof(bits[0]))];
	buf_init(&out, b->max);
	if (len > b->n - at)
		len = b->n - at;
	if (len > b->n - from)
		len = b->n - from;
	buf_put(&out, b->p, at);
	switch (below(5)) {
	case 0:                        /* a byte changes */
		if (at < b->n)
			buf_putc(&out, (char)below(256));
		at += at < b->n;
		break;
	case 1:                        /* some are lost */
		at += len;
		break;
	case 2:                        /* some come again elsewhere */
		buf_put(&out, b->p + from, len);
		break;
	case 3:                        /* something in between, or in place of them */
		buf_puts(&out, bit);
		at += below(2) * len;
		break;
	case 4:                        /* the rest is lost */
		if (below(4) == 0)
			at = b->n;
		break;
	}
	buf_put(&out, b->p + at, b->n - at);
	buf_release(b);
	*b = out;
}

TEST(llm_parse, damage_never_breaks_a_promise)
{
	struct buf body, parsed, once, pieces;
	buf_init(&parsed, SIZE_MAX / 2);
	buf_init(&once, SIZE_MAX / 2);
	buf_init(&pieces, SIZE_MAX / 2);
	for (int i = 0; i < 20000; i++) {
		const struct sample *s = &samples[below(SAMPLES)], *t = &samples[below(SAMPLES)];
		buf_init(&body, 16384);
		buf_puts(&body, s->body);
		if (below(4) == 0)
			buf_puts(&body, t->body);
		for (size_t n = 1 + below(6); n > 0; n--)
			damage(&body);
		size_t ends[9], max = below(8) == 0 ? below(body.n + 1) : MAX;
		for (size_t k = 0; k < 8; k++)
			ends[k] = below(body.n + 1);
		ends[8] = body.n;
		cr_assert(summarize(&once, &llm_openai, t->type, body.p, body.n, &body.n, 1, max), "%s", body.p);
		cr_assert(summarize(&pieces, &llm_openai, t->type, body.p, body.n, ends, 9, max), "%s", body.p);
		/* one piece that is too big is refused before it is read, so text may differ there */
		if (strstr(once.p, " too big") == NULL)
			cr_assert_str_eq(once.p, pieces.p, "%s", body.p);
		if (max == MAX && all_parsed(&parsed, body.p, body.n) > 0) {
			cr_assert(summarize(&pieces, &llm_openai, t->type, parsed.p, parsed.n, &parsed.n, 1, MAX));
			cr_assert_str_eq(once.p, pieces.p, "%s", body.p);
		}
		buf_release(&body);
	}
	buf_release(&parsed);
	buf_release(&once);
	buf_release(&pieces);
}
