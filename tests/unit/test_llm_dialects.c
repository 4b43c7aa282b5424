/*
 * The dialects: the bytes of requests, and what is read from replies, wherever the network cuts them.
 * The formats are those that Anthropic, Google and Ollama document.
 */
#include "tests/unit/llm_summary.h"
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/conf.h"
#include "base/jsn.h"
#include "services/llm_dialect.h"
#include "services/llm_provider.h"
#include "services/llm_server.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- requests --------------------------------------------------------------------------------- */

static const struct llm_tool_call calls[] = {
	{ "call.1", "near", "{\"place\": \"Lyon\"}", "c2ln" },
	{ "call_2", "rules", "no object", NULL },
};

static const struct llm_message talk[] = {
	{ .role = "system", .content = "Be \"brief\"." },
	{ .role = "system", .content = "Twice.", .quoted = "\"Twice.\"" },
	{ .role = "user", .content = "Fuel?" },
	{ .role = "assistant", .content = "Let me look.", .calls = calls, .ncalls = 2 },
	{ .role = "tool", .content = "no place", .call_id = "call.1" },
	{ .role = "tool", .content = "", .call_id = "call_2" },
	{ .role = "user", .content = "And now?\n" },
	{ .role = "assistant", .content = "  " },
	{ .role = "user", .content = "Well?" },
};

struct sent {
	const struct llm_dialect *dialect;
	enum llm_choice choice;
	bool tools, stream, one_call;
	const char *model;
	double temperature;
	unsigned without;
	const char *body;              /* NULL: only the tail is looked at */
	const char *tail;
};

#define A_NO_THOUGHTS "\"thinking\":{\"type\":\"disabled\"},"
#define A_TALK "\"system\":[{\"type\":\"text\",\"text\":\"Be \\\"brief\\\".\"},{\"type\":\"text\",\"text\":" \
	"\"Twice.\"}],\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Fuel?\"}]}," \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Let me look.\"},{\"type\":\"tool_use\"," \
	"\"id\":\"call_1\",\"name\":\"near\",\"input\":{\"place\":\"Lyon\"}},{\"type\":\"tool_use\",\"id\":" \
	"\"call_2\",\"name\":\"rules\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"," \
	"\"tool_use_id\":\"call_1\",\"content\":\"no place\"},{\"type\":\"tool_result\",\"tool_use_id\":" \
	"\"call_2\",\"content\":\"\"},{\"type\":\"text\",\"text\":\"And now?\\n\"},{\"type\":\"text\",\"text\":" \
	"\"Well?\"}]}]"
#define A_TOOLS ",\"tools\":[{\"name\":\"near\",\"description\":\"Around \\\"one\\\" place.\",\"input_schema\":" \
	"{\"type\":\"object\",\"properties\":{\"place\":{\"type\":\"string\"}}}},{\"name\":\"rules\"," \
	"\"description\":\"Rules.\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}}]"
#define G_TALK "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Fuel?\"}]},{\"role\":\"model\",\"parts\":" \
	"[{\"text\":\"Let me look.\"},{\"functionCall\":{\"id\":\"call.1\",\"name\":\"near\",\"args\":{\"place\":\"Lyon\"}}," \
	"\"thoughtSignature\":\"c2ln\"},{\"functionCall\":{\"name\":\"rules\",\"args\":{}}}]},{\"role\":\"user\"," \
	"\"parts\":[{\"functionResponse\":{\"id\":\"call.1\",\"name\":\"near\",\"response\":{\"output\":\"no place\"}}}," \
	"{\"functionResponse\":{\"name\":\"rules\",\"response\":{\"output\":\"\"}}}]},{\"role\":\"user\",\"parts\":" \
	"[{\"text\":\"And now?\\n\"}]},{\"role\":\"model\",\"parts\":[{\"text\":\"  \"}]},{\"role\":\"user\",\"parts\":" \
	"[{\"text\":\"Well?\"}]}],\"systemInstruction\":{\"parts\":[{\"text\":\"Be \\\"brief\\\".\"}," \
	"{\"text\":\"Twice.\"}]}"
#define G_TOOLS ",\"tools\":[{\"functionDeclarations\":[{\"name\":\"near\",\"description\":\"Around \\\"one\\\" " \
	"place.\",\"parametersJsonSchema\":{\"type\":\"object\",\"properties\":{\"place\":{\"type\":\"string\"}}}}," \
	"{\"name\":\"rules\",\"description\":\"Rules.\"}]}]"
#define O_TALK "\"messages\":[{\"role\":\"system\",\"content\":\"Be \\\"brief\\\".\"},{\"role\":\"system\"," \
	"\"content\":\"Twice.\"},{\"role\":\"user\",\"content\":\"Fuel?\"},{\"role\":\"assistant\",\"content\":" \
	"\"Let me look.\",\"tool_calls\":[{\"function\":{\"name\":\"near\",\"arguments\":{\"place\":\"Lyon\"}}}," \
	"{\"function\":{\"name\":\"rules\",\"arguments\":{}}}]},{\"role\":\"tool\",\"content\":\"no place\"," \
	"\"tool_name\":\"near\"},{\"role\":\"tool\",\"content\":\"\",\"tool_name\":\"rules\"},{\"role\":\"user\"," \
	"\"content\":\"And now?\\n\"},{\"role\":\"assistant\",\"content\":\"  \"},{\"role\":\"user\",\"content\":" \
	"\"Well?\"}]"
#define O_NEAR "{\"type\":\"function\",\"function\":{\"name\":\"near\",\"description\":\"Around \\\"one\\\" place.\"," \
	"\"parameters\":{\"type\":\"object\",\"properties\":{\"place\":{\"type\":\"string\"}}}}}"

static const struct sent sent[] = {
	{ &llm_anthropic, LLM_AUTO, false, true, false, "m", 0.2, 0,
	  "{\"model\":\"m\",\"max_tokens\":4096,\"temperature\":0.2," A_NO_THOUGHTS A_TALK ",\"stream\":true}", NULL },
	{ &llm_anthropic, LLM_AUTO, true, false, false, "m", 1.5, 0,
	  "{\"model\":\"m\",\"max_tokens\":4096,\"temperature\":1," A_NO_THOUGHTS A_TALK A_TOOLS "}", NULL },
	{ &llm_anthropic, LLM_AUTO, true, false, true, "m", 0, PARAM_TEMPERATURE | PARAM_NO_THINKING,
	  "{\"model\":\"m\",\"max_tokens\":4096," A_TALK A_TOOLS
	  ",\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}}", NULL },
	{ &llm_anthropic, LLM_REQUIRED, true, false, false, "m", 0, 0, NULL, ",\"tool_choice\":{\"type\":\"any\"}}" },
	{ &llm_anthropic, LLM_NONE, true, false, true, "m", 0, 0, NULL, ",\"tool_choice\":{\"type\":\"none\"}}" },
	{ &llm_anthropic, LLM_NAMED, true, false, false, "m", 0, 0, NULL,
	  ",\"tool_choice\":{\"type\":\"tool\",\"name\":\"near\",\"disable_parallel_tool_use\":true}}" },
	{ &llm_anthropic, LLM_NAMED, true, false, false, "m", 0, PARAM_TOOL_CHOICE_NAMED | PARAM_PARALLEL_TOOL_CALLS,
	  NULL, ",\"tool_choice\":{\"type\":\"any\"}}" },
	{ &llm_gemini, LLM_AUTO, false, true, false, "gemini-2.5-flash", 0.2, 0,
	  G_TALK ",\"generationConfig\":{\"temperature\":0.2}}", NULL },
	{ &llm_gemini, LLM_AUTO, true, false, false, "models/gemini-3-pro", 0.2, 0, G_TALK G_TOOLS "}", NULL },
	{ &llm_gemini, LLM_REQUIRED, true, false, false, "gemini-3.5", 0, 0, NULL,
	  ",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\"}}}" },
	{ &llm_gemini, LLM_NAMED, true, false, false, "gemini-3.5", 0, 0, NULL,
	  ",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"ANY\",\"allowedFunctionNames\":[\"near\"]}}}" },
	{ &llm_gemini, LLM_NONE, true, false, false, "gemini-3.5", 0, 0, NULL,
	  ",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"NONE\"}}}" },
	{ &llm_ollama, LLM_AUTO, false, true, false, "m", 0.2, 0, "{\"model\":\"m\"," O_TALK
	  ",\"stream\":true,\"options\":{\"temperature\":0.2,\"num_ctx\":16384}}", NULL },
	{ &llm_ollama, LLM_NAMED, true, false, false, "m", 0, PARAM_TEMPERATURE, "{\"model\":\"m\"," O_TALK
	  ",\"tools\":[" O_NEAR "],\"stream\":false,\"options\":{\"num_ctx\":16384}}", NULL },
	{ &llm_ollama, LLM_NONE, true, false, false, "m", 0, 0, "{\"model\":\"m\"," O_TALK
	  ",\"stream\":false,\"options\":{\"temperature\":0,\"num_ctx\":16384}}", NULL },
};

static struct llm_tools two_tools(struct arena *a)
{
	static const char *const schemas[] = {
		"{\"type\":\"object\",\"properties\":{\"place\":{\"type\":\"string\"}}}",
		"{\"type\":\"object\",\"properties\":{}}" };
	struct llm_tool tools[] = { { .name = "near", .doc = "Around \"one\" place." },
		{ .name = "rules", .doc = "Rules." } };
	for (int i = 0; i < 2; i++)
		TEST_OK(jsn_parse(a, schemas[i], strlen(schemas[i]), 8, &tools[i].parameters, NULL, NULL),
		    (struct err){ 0 });
	return llm_tools_print(a, tools, 2);
}

TEST(llm_dialects, bytes_of_requests)
{
	const struct llm_server server = { .max_tokens = 4096, .context = 16384 };
	struct arena *a = arena_new();
	struct llm_tools tools = two_tools(a);
	for (size_t i = 0; i < COUNT(sent); i++) {
		const struct llm_request req = { .model = sent[i].model, .messages = talk,
			.nmessages = COUNT(talk), .tools = sent[i].tools ? &tools : NULL,
			.choice = sent[i].choice, .named = "near", .one_call = sent[i].one_call,
			.stream = sent[i].stream, .temperature = sent[i].temperature };
		struct json_object *o;
		struct buf b;
		buf_init(&b, 1 << 20);
		sent[i].dialect->chat_body(&b, &server, &req, sent[i].without);
		if (sent[i].body != NULL)
			cr_expect_str_eq(b.p, sent[i].body, "row %zu: %s", i, b.p);
		else
			cr_expect(b.n > strlen(sent[i].tail) && strcmp(b.p + b.n - strlen(sent[i].tail),
			    sent[i].tail) == 0, "row %zu: %s", i, b.p);
		cr_expect_eq(jsn_parse(a, b.p, b.n, 32, &o, NULL, NULL), OK, "row %zu", i);
		buf_release(&b);
	}
	arena_free(a);
}

/* A history that was cut begins with the assistant: Anthropic wants the user first. */
TEST(llm_dialects, anthropic_begins_with_the_user)
{
	const struct llm_server server = { .max_tokens = 300 };
	const struct llm_request req = { .model = "m", .messages = talk + 3, .nmessages = 3 };
	struct buf b;
	buf_init(&b, 1 << 20);
	llm_anthropic.chat_body(&b, &server, &req, 0);
	cr_expect_not_null(strstr(b.p, "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
	    "\"…\"}]},{\"role\":\"assistant\",\"content\":[{\"type\":\"text\""), "%s", b.p);
	buf_release(&b);
}

TEST(llm_dialects, a_call_without_signature_gets_the_mark_that_google_accepts)
{
	const struct llm_server server = { .max_tokens = 300 };
	const struct llm_message m[] = { talk[2], { .role = "assistant", .content = "", .calls = calls + 1,
	    .ncalls = 1 }, talk[5] };
	const struct llm_request req = { .model = "gemini-3-flash", .messages = m, .nmessages = 3 };
	struct buf b;
	buf_init(&b, 1 << 20);
	llm_gemini.chat_body(&b, &server, &req, 0);
	cr_expect_not_null(strstr(b.p, "{\"functionCall\":{\"name\":\"rules\",\"args\":{}},\"thoughtSignature\":"
	    "\"skip_thought_signature_validator\"}"), "%s", b.p);
	buf_release(&b);
}

static const struct { const struct llm_dialect *dialect; const char *model; bool stream; const char *path; }
    paths[] = {
	{ &llm_anthropic, "m", true, "/v1/messages" },
	{ &llm_gemini, "gemini-2.5-flash", true, "/models/gemini-2.5-flash:streamGenerateContent?alt=sse" },
	{ &llm_gemini, "models/a b/c?d", false, "/models/a%20b%2Fc%3Fd:generateContent" },
	{ &llm_ollama, "m", true, "/api/chat" },
	{ &llm_openai, "m", true, "/chat/completions" },
};

TEST(llm_dialects, paths)
{
	for (size_t i = 0; i < COUNT(paths); i++) {
		const struct llm_request req = { .model = paths[i].model, .stream = paths[i].stream };
		struct buf b;
		buf_init(&b, 4096);
		paths[i].dialect->chat_path(&b, &req);
		cr_expect_str_eq(b.p, paths[i].path);
		buf_release(&b);
	}
}

/* ---- replies ---------------------------------------------------------------------------------- */

#define EV(name, data) "event: " name "\ndata: " data "\n\n"
#define A_START EV("message_start", "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\"," \
	"\"role\":\"assistant\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":12," \
	"\"cache_creation_input_tokens\":3,\"cache_read_input_tokens\":5,\"output_tokens\":1}}}") \
	EV("ping", "{\"type\": \"ping\"}")
#define A_BLOCK(i, block) EV("content_block_start", "{\"type\":\"content_block_start\",\"index\":" #i \
	",\"content_block\":" block "}")
#define A_DELTA(i, delta) EV("content_block_delta", "{\"type\":\"content_block_delta\",\"index\":" #i ",\"delta\":" \
	delta "}")
#define A_TEXT(i, t) A_DELTA(i, "{\"type\":\"text_delta\",\"text\":\"" t "\"}")
#define A_JSON(i, t) A_DELTA(i, "{\"type\":\"input_json_delta\",\"partial_json\":\"" t "\"}")
#define A_STOP(i) EV("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":" #i "}")
#define A_END(why) EV("message_delta", "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" why "\"," \
	"\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}") EV("message_stop", "{\"type\":\"message_stop\"}")
#define G(parts, more) "data: {\"candidates\":[{\"content\":{\"parts\":[" parts "],\"role\":\"model\"}" more \
	",\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":7,\"candidatesTokenCount\":4," \
	"\"thoughtsTokenCount\":2,\"cachedContentTokenCount\":3}}\r\n\r\n"
#define O(message, more) "{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":" \
	"\"assistant\"," message "}," more "}\n"
#define O_DONE(why) "\"done\":true,\"done_reason\":\"" why "\",\"prompt_eval_count\":7,\"eval_count\":4"

static const struct {
	const struct llm_dialect *dialect;
	const char *type, *body, *result;
} replies[] = {
	/* Anthropic */
	{ &llm_anthropic, "text/event-stream", A_START A_BLOCK(0, "{\"type\":\"text\",\"text\":\"\"}")
	  A_TEXT(0, "Hello") A_TEXT(0, " \\ud83d\\ude00") A_STOP(0) A_END("end_turn"),
	  "[Hello][ \U0001f600] stop 20/9 fine" },
	{ &llm_anthropic, "text/event-stream", A_START
	  A_BLOCK(0, "{\"type\":\"thinking\",\"thinking\":\"\"}")
	  A_DELTA(0, "{\"type\":\"thinking_delta\",\"thinking\":\"SECRET\"}")
	  A_DELTA(0, "{\"type\":\"signature_delta\",\"signature\":\"EqQ\"}") A_STOP(0)
	  A_BLOCK(1, "{\"type\":\"redacted_thinking\",\"data\":\"SECRET\"}") A_STOP(1)
	  A_BLOCK(2, "{\"type\":\"text\",\"text\":\"\"}") A_TEXT(2, "I look.") A_STOP(2)
	  A_BLOCK(3, "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"near\",\"input\":{}}")
	  A_JSON(3, "") A_JSON(3, "{\\\"place\\\": \\\"Ly") A_JSON(3, "on\\\"}") A_STOP(3)
	  A_BLOCK(4, "{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"rules\",\"input\":{}}") A_STOP(4)
	  A_END("tool_use"),
	  "[I look.] near({\"place\": \"Lyon\"}) rules({}) tool_calls 20/9 fine" },
	{ &llm_anthropic, "text/event-stream", A_START A_BLOCK(0, "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"a\","
	  "\"input\":{}}") A_JSON(0, "{\\\"x\\\":") A_STOP(0) A_END("max_tokens"), " a({\"x\":) length 20/9 fine" },
	{ &llm_anthropic, "text/event-stream", A_START EV("novelty", "{\"type\":\"novelty\",\"text\":\"no\"}")
	  A_BLOCK(0, "{\"type\":\"text\",\"text\":\"a\"}") A_STOP(0) A_END("stop_sequence"), "[a] stop 20/9 fine" },
	{ &llm_anthropic, "text/event-stream", A_START A_END("refusal"), " content_filter 20/9 filtered" },
	{ &llm_anthropic, "text/event-stream", A_START A_TEXT(0, "par"), "[par]  20/1 cut" },
	{ &llm_anthropic, "text/event-stream", A_START A_TEXT(0, "par") EV("error", "{\"type\":\"error\",\"error\":"
	  "{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"),
	  "[par]  20/1 refused: 0,,overloaded_error,,Overloaded" },
	{ &llm_anthropic, "application/json", "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":["
	  "{\"type\":\"thinking\",\"thinking\":\"SECRET\"},{\"type\":\"text\",\"text\":\"Hi\"},{\"type\":\"tool_use\","
	  "\"id\":\"t\",\"name\":\"near\",\"input\":{\"place\":\"Lyon\"}}],\"stop_reason\":\"tool_use\",\"usage\":{"
	  "\"input_tokens\":5,\"output_tokens\":6}}", "[Hi] near({\"place\":\"Lyon\"}) tool_calls 5/6 fine" },
	{ &llm_anthropic, "application/json", "{\"type\":\"message\"}", "  -1/-1 no message" },
	{ &llm_anthropic, "text/html", "<html>no", "  -1/-1 html" },
	/* Gemini */
	{ &llm_gemini, "text/event-stream", G("{\"text\":\"Hello\"}", "") G("{\"text\":\" you\"}", "")
	  G("{\"text\":\"\"}", ",\"finishReason\":\"STOP\""), "[Hello][ you] stop 7/6 fine" },
	{ &llm_gemini, "text/event-stream", G("{\"thought\":true,\"text\":\"SECRET\"}", "")
	  G("{\"text\":\"I look.\"},{\"functionCall\":{\"name\":\"near\",\"args\":{\"place\":\"Lyon\"}},"
	    "\"thoughtSignature\":\"c2ln\"},{\"functionCall\":{\"name\":\"rules\"}}", ",\"finishReason\":\"STOP\""),
	  "[I look.] near({\"place\":\"Lyon\"}) rules({}) tool_calls 7/6 fine" },
	{ &llm_gemini, "text/event-stream", G("{\"text\":\"par\"}", ",\"finishReason\":\"MAX_TOKENS\""),
	  "[par] length 7/6 fine" },
	{ &llm_gemini, "text/event-stream", G("{\"text\":\"par\"}", ",\"finishReason\":\"SAFETY\""),
	  "[par] content_filter 7/6 fine" },
	{ &llm_gemini, "text/event-stream", "data: {\"candidates\":[{\"finishReason\":\"RECITATION\",\"index\":0}]}\n\n",
	  " content_filter -1/-1 filtered" },
	{ &llm_gemini, "text/event-stream", "data: {\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"},"
	  "\"usageMetadata\":{\"promptTokenCount\":7}}\n\n", " content_filter 7/-1 filtered" },
	{ &llm_gemini, "text/event-stream", "data: {\"candidates\":[{\"content\":{},\"finishReason\":"
	  "\"MALFORMED_FUNCTION_CALL\"}]}\n\n", "  -1/-1 refused: 400,tool_use_failed,,," },
	{ &llm_gemini, "text/event-stream", G("{\"text\":\"par\"}", ""), "[par]  7/6 cut" },
	{ &llm_gemini, "application/json", "[{\"error\":{\"code\":400,\"message\":\"API key not valid.\",\"status\":"
	  "\"INVALID_ARGUMENT\"}}]", "  -1/-1 refused: 400,400,INVALID_ARGUMENT,,API key not valid." },
	{ &llm_gemini, "application/json", "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},"
	  "\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":1,\"candidatesTokenCount\":2}}",
	  "[Hi] stop 1/2 fine" },
	/* Ollama */
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"Hello\"", "\"done\":false")
	  O("\"content\":\" \\u00e9\"", "\"done\":false") O("\"content\":\"\"", O_DONE("stop")),
	  "[Hello][ \u00e9] stop 7/4 fine" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"\",\"thinking\":\"SECRET\"", "\"done\":false")
	  O("\"content\":\"I look.\",\"tool_calls\":[{\"function\":{\"name\":\"near\",\"arguments\":{\"place\":\"Lyon\"}}},"
	    "{\"id\":\"c1\",\"function\":{\"index\":1,\"name\":\"rules\",\"arguments\":{}}}]", "\"done\":false")
	  O("\"content\":\"\"", O_DONE("stop")),
	  "[I look.] near({\"place\":\"Lyon\"}) rules({}) tool_calls 7/4 fine" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"par\"", O_DONE("length")), "[par] length 7/4 fine" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"par\"", "\"done\":false"), "[par]  -1/-1 cut" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"par\"", "\"done\":false") "{\"error\":\"no memory\"}\n",
	  "[par]  -1/-1 refused: 0,,,,no memory" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"par\"", "\"done\":false") "{\"message\":{\"con",
	  "[par]  -1/-1 cut" },
	{ &llm_ollama, "application/x-ndjson", O("\"content\":\"par\"", "\"done\":false") "rubbish\n",
	  "[par]  -1/-1 not json" },
	{ &llm_ollama, "application/json", "{\"message\":{\"role\":\"assistant\",\"content\":\"Hi\"},\"done\":true}",
	  "[Hi] stop -1/-1 fine" },
	{ &llm_ollama, "application/x-ndjson", "\xef\xbb\xbf\r\n" O("\"content\":\"Hi\"", O_DONE("stop")), "[Hi] stop 7/4 fine" },
	{ &llm_ollama, "application/json", "", "  -1/-1 nothing" },
};

static void unbracket(struct buf *b)
{
	/* where pieces of text end depends on where the network cuts; their text does not */
	size_t k = 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->p[i] == ']' && i + 1 < b->n && b->p[i + 1] == '[')
			i++;
		else
			b->p[k++] = b->p[i];
	buf_trunc(b, k);
}

TEST(llm_dialects, replies_cut_anywhere)
{
	struct buf got, cut;
	buf_init(&got, 1 << 20);
	buf_init(&cut, 1 << 20);
	for (size_t i = 0; i < COUNT(replies); i++) {
		size_t n = strlen(replies[i].body), ends[2] = { 0, n };
		cr_expect(summarize(&got, replies[i].dialect, replies[i].type, replies[i].body, n, &n, 1, 1 << 20));
		cr_expect_str_eq(got.p, replies[i].result, "row %zu: %s", i, got.p);
		unbracket(&got);
		for (ends[0] = 0; ends[0] < n; ends[0]++) {
			cr_assert(summarize(&cut, replies[i].dialect, replies[i].type, replies[i].body, n, ends, 2,
			    1 << 20));
			unbracket(&cut);
			cr_assert_str_eq(cut.p, got.p, "row %zu cut at %zu: %s", i, ends[0], cut.p);
		}
		size_t *all = malloc((n + 1) * sizeof(*all));
		for (size_t k = 0; k < n; k++)
			all[k] = k + 1;
		cr_assert(summarize(&cut, replies[i].dialect, replies[i].type, replies[i].body, n, all, n, 1 << 20));
		unbracket(&cut);
		cr_expect_str_eq(cut.p, got.p, "row %zu byte by byte: %s", i, cut.p);
		free(all);
	}
	buf_release(&got);
	buf_release(&cut);
}

/* A signature goes back as it came; what was read from a cache is told apart. */
TEST(llm_dialects, signature_and_cached_tokens)
{
	static const char body[] = G("{\"functionCall\":{\"name\":\"near\",\"args\":{}},\"thoughtSignature\":\"c2ln\"}",
	    ",\"finishReason\":\"STOP\"");
	struct llm_parse r;
	llm_parse_init(&r, &llm_gemini, 1 << 16, NULL, NULL);
	cr_expect_eq(llm_parse_feed(&r, "text/event-stream", body, sizeof(body) - 1), OK);
	cr_expect_eq(llm_parse_end(&r), OK);
	cr_assert_eq(r.ncalls, 1);
	cr_expect_str_eq(r.calls[0].signature.p, "c2ln");
	cr_expect_eq(r.cached, 3);
	llm_parse_release(&r);
}

/* A line has the limit of a reply, however it comes. */
TEST(llm_dialects, a_line_without_end_is_refused)
{
	enum { MAX = 4096 };
	struct llm_parse r;
	enum errcode rc = OK;
	llm_parse_init(&r, &llm_ollama, MAX, NULL, NULL);
	rc = llm_parse_feed(&r, "application/x-ndjson", "{\"message\":{\"content\":\"", 23);
	for (int i = 0; i < MAX && rc == OK; i++)
		rc = llm_parse_feed(&r, "application/x-ndjson", "aaaaaaaa", 8);
	cr_expect_eq(rc, ERR_UPSTREAM);
	cr_expect_eq(r.verdict, VERDICT_TOO_BIG);
	llm_parse_release(&r);
}

/* ---- what refusals mean ----------------------------------------------------------------------- */

#define A_ERROR(type, words) "{\"type\":\"error\",\"error\":{\"type\":\"" type "\",\"message\":\"" words "\"}}"
#define G_ERROR(code, status, words) "{\"error\":{\"code\":" #code ",\"status\":\"" status "\",\"message\":\"" \
	words "\"}}"

static const struct {
	const struct llm_dialect *dialect;
	int status;
	const char *body, *says;
	bool retry, outage;
} refusals[] = {
	{ &llm_anthropic, 401, A_ERROR("authentication_error", "invalid x-api-key"),
	  "the key was refused (HTTP 401, authentication_error): check ANTHROPIC_API_KEY", false, false },
	{ &llm_anthropic, 400, A_ERROR("invalid_request_error", "Your credit balance is too low"),
	  "no quota or credit left", false, true },
	{ &llm_anthropic, 400, A_ERROR("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"),
	  "longer than the model can read", false, false },
	{ &llm_anthropic, 404, A_ERROR("not_found_error", "model: claude-9"),
	  "correct its name (ANTHROPIC_MODEL, AVIATION_AGENT_PLANNER_MODEL", false, false },
	{ &llm_anthropic, 429, A_ERROR("rate_limit_error", "slow down"), "too many requests", true, true },
	{ &llm_anthropic, 529, A_ERROR("overloaded_error", "Overloaded"),
	  "it is overloaded (HTTP 529, overloaded_error)", true, true },
	{ &llm_anthropic, 200, A_ERROR("overloaded_error", "Overloaded"),
	  "it is overloaded (in its reply 529, overloaded_error)", true, true },
	{ &llm_anthropic, 500, A_ERROR("api_error", "Internal"), "the server failed", true, true },
	{ &llm_gemini, 400, G_ERROR(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
	  "the key was refused (HTTP 400, INVALID_ARGUMENT): check GOOGLE_API_KEY", false, false },
	{ &llm_gemini, 404, G_ERROR(404, "NOT_FOUND", "models/x is not found for API version v1beta"),
	  "correct its name (GOOGLE_MODEL", false, false },
	{ &llm_gemini, 429, "[{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"Quota\",\"details\":["
	  "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"17.5s\"}]}}]",
	  "it asks to wait 18 s", true, true },
	{ &llm_gemini, 503, G_ERROR(503, "UNAVAILABLE", "The model is overloaded."), "the server failed", true, true },
	{ &llm_ollama, 404, "{\"error\":\"model 'x' not found\"}", "correct its name (OLLAMA_MODEL", false, false },
	{ &llm_ollama, 500, "{\"error\":\"llama runner process has terminated\"}", "the server failed", true, true },
};

TEST(llm_dialects, what_refusals_mean)
{
	for (size_t i = 0; i < COUNT(refusals); i++) {
		struct llm_error said;
		struct llm_fault fault = { .retry_after_ms = -1 };
		struct err e = { 0 };
		llm_error_parse(&said, refusals[i].body, strlen(refusals[i].body));
		const struct llm_failure f = { .dialect = refusals[i].dialect, .host = "host", .key = "sk-0123456789",
			.status = refusals[i].status, .retry_after_ms = said.retry_after_ms,
			.verdict = VERDICT_REFUSED, .error = &said };
		cr_expect_eq(llm_failure(&f, &fault, &e), ERR_UPSTREAM);
		cr_expect_not_null(strstr(e.msg, refusals[i].says), "row %zu: %s", i, e.msg);
		cr_expect_eq(fault.retry, refusals[i].retry, "row %zu", i);
		cr_expect_eq(fault.outage, refusals[i].outage, "row %zu", i);
	}
}

TEST(llm_dialects, a_model_of_ollama_without_tools)
{
	struct llm_error said;
	static const char body[] = "{\"error\":\"registry.ollama.ai/library/llama2:latest does not support tools\"}";
	llm_error_parse(&said, body, sizeof(body) - 1);
	cr_expect(llm_error_no_functions(&said, 400));
}

/* ---- settings --------------------------------------------------------------------------------- */

/* Each name that the setting takes is a row, with a key and an address of its own. */
TEST(llm_dialects, settings_choose_a_provider)
{
	static const struct { const char *key, *key_value, *url; } settings[] = {
		{ "OPENAI_API_KEY", "k-openai", "OPENAI_BASE_URL" },
		{ "ANTHROPIC_API_KEY", "k-anthropic", "ANTHROPIC_BASE_URL" },
		{ "GOOGLE_API_KEY", "k-gemini", "GOOGLE_BASE_URL" }, { NULL, NULL, "OLLAMA_BASE_URL" } };
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	size_t n = 0;
	setenv("ENV_FILE", "/dev/null", 1);
	for (size_t i = 0; i < COUNT(settings); i++) {
		if (settings[i].key != NULL)
			setenv(settings[i].key, settings[i].key_value, 1);
		setenv(settings[i].url, arena_printf(a, "http://127.0.0.1:%zu", i + 1), 1);
	}
	for (; llm_dialects[n] != NULL; n++) {
		const struct llm_dialect *d = llm_dialects[n];
		setenv("LLM_PROVIDER", d->name, 1);
		TEST_OK(conf_load(&c, a, &e), e);
		struct llm_provider_config p = llm_provider_settings(&c);
		cr_expect_str_eq(p.provider, d->name);
		cr_expect(settings[n].key == NULL ? p.key == NULL : streq(p.key, settings[n].key_value), "%s", d->name);
		cr_expect_str_eq(p.base_url, arena_printf(a, "http://127.0.0.1:%zu", n + 1));
		cr_expect_eq(strcmp(d->url_setting, settings[n].url), 0);
		cr_expect_null(llm_provider_meant(&c));
		/* at its own address most need a key */
		p.key = p.base_url = NULL;
		struct llm_provider *out = NULL;
		enum errcode rc = llm_provider_open(&out, NULL, &p, &e);
		cr_expect_eq(rc, d->needs_key ? ERR_CONFIG : OK, "%s", d->name);
		if (rc == OK)
			out->ops->close(out);
		else
			cr_expect_not_null(strstr(e.msg, arena_printf(a, "set %s", d->key_setting)), "%s", e.msg);
	}
	cr_expect_eq(n, COUNT(settings));
	setenv("LLM_PROVIDER", "palm", 1);
	cr_expect_eq(conf_load(&c, a, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "openai|anthropic|gemini|ollama"), "%s", e.msg);
	unsetenv("LLM_PROVIDER");
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_str_eq(llm_provider_settings(&c).provider, "openai", "as before there was a choice");
	unsetenv("OPENAI_API_KEY");
	unsetenv("OPENAI_BASE_URL");
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_null(llm_provider_settings(&c).provider);
	cr_expect_str_eq(llm_provider_meant(&c), "anthropic");
	arena_free(a);
}
