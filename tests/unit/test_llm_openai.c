/*
 * Attempts over a real socket: what is sent, what comes back, and what each refusal, fault and
 * half reply is said to mean. No message may hold the key, the prompt or the server's words.
 */
#include "tests/unit/scripted_server.h"
#include "tests/unit/test.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "services/llm_provider.h"
#include "services/llm_openai.h"
#include "services/tokens.h"

#define KEY "sk-0123456789-secret"
#define HTML "Content-Type: text/html; charset=utf-8\r\n"
#define STREAM "Content-Type: text/event-stream\r\n"
#define JSON "Content-Type: application/json\r\n"
#define TEXT(t) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" t "\"}}]}\n\n"
#define STOP "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":21,\"completion_tokens\":4}}\n\n"
#define DONE "data: [DONE]\n\n"
#define PLAN "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":" \
	"\"function\",\"function\":{\"name\":\"Plan\",\"arguments\":\"{\\\"a\\\":1}\"}}]},\"finish_reason\":" \
	"\"tool_calls\"}],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}"
#define ERROR(code, type, words) "{\"error\":{\"message\":\"" words "\",\"type\":" type ",\"code\":" code "}}"

/* ---- a provider, a server, and calls ---------------------------------------------------- */

struct bench {
	struct server server;
	struct httpc *http;
	struct llm_provider *llm;
	struct arena *a;
	char url[80];
	struct err e;
	struct llm_fault fault;
	struct llm_reply reply;
	struct buf pieces;
	enum errcode stop;             /* what the reader of the text says */
	atomic_bool *go;               /* raised when text comes; NULL: none */
};

static struct llm_provider_config config(const char *url)
{
	return (struct llm_provider_config){ .provider = "openai", .base_url = url, .key = KEY, .connect_ms = 5000,
	    .idle_ms = 20000, .total_ms = 60000, .max_reply = 64 * 1024 };
}

static void bench_open(struct bench *b, const struct script *scripts, size_t n)
{
	*b = (struct bench){ .a = arena_new() };
	buf_init(&b->pieces, 1 << 20);
	log_level_set("OFF");
	server_start(&b->server, scripts, n);
	snprintf(b->url, sizeof(b->url), "http://127.0.0.1:%d/v1", b->server.port);
	struct llm_provider_config c = config(b->url);
	TEST_OK(httpc_open(&b->http, NULL, &b->e), b->e);
	TEST_OK(llm_provider_open(&b->llm, b->http, &c, &b->e), b->e);
}

static void bench_close(struct bench *b)
{
	b->llm->ops->close(b->llm);
	httpc_close(b->http);
	server_stop(&b->server);
	buf_release(&b->pieces);
	arena_free(b->a);
}

static enum errcode on_text(void *arg, const char *text)
{
	struct bench *b = arg;
	buf_printf(&b->pieces, "[%s]", text);
	if (b->go != NULL)
		atomic_store(b->go, true);
	return b->stop;
}

static const struct llm_message messages[] = {
	{ .role = "system", .content = "PROMPT says {\"so\"}" },
	{ .role = "user", .content = "Fuel at EGTF?\n\xff" },
};

static struct llm_request text_request(const char *model)
{
	return (struct llm_request){ .purpose = "formatter", .model = model, .messages = messages,
	    .nmessages = 2, .stream = true, .temperature = 0.2 };
}

static struct llm_request plan_request(struct arena *a, const char *model)
{
	struct llm_tool f = { .name = "Plan", .doc = "One \"plan\"." };
	struct llm_tools *tools = arena_alloc(a, sizeof(*tools));
	struct llm_request req = text_request(model);
	TEST_OK(jsn_parse(a, "{\"type\":\"object\"}", 17, 8, &f.parameters, NULL, NULL),
	    (struct err){ 0 });
	req.stream = false;
	req.temperature = 0;
	*tools = llm_tools_print(a, &f, 1);
	req.tools = tools;
	req.choice = LLM_NAMED;
	req.named = "Plan";
	return req;
}

static enum errcode ask(struct bench *b, const struct llm_request *req, const struct watch *w)
{
	buf_clear(&b->pieces);
	b->e.msg[0] = '\0';
	enum errcode rc = b->llm->ops->chat(b->llm, b->a, req, on_text, b, w, &b->reply, &b->fault,
	    &b->e);
	cr_expect_null(strstr(b->e.msg, KEY), "%s", b->e.msg);
	cr_expect_null(strstr(b->e.msg, "PROMPT"), "%s", b->e.msg);
	cr_expect_null(strstr(b->e.msg, "WORDS"), "%s", b->e.msg);
	return rc;
}

static const char *body_of(const char *request)
{
	return strstr(request, "\r\n\r\n") + 4;
}

/* ---- what is sent ------------------------------------------------------------------------ */

static const struct script sending[] = {
	{ "writer", { { 200, STREAM, TEXT("Hello") TEXT(" you\\ud83d") TEXT("\\ude00") STOP USAGE DONE, 0 } } },
	{ "planner", { { 200, JSON, PLAN, 0 } } },
	{ "quiet", { { 200, STREAM, TEXT("Hello") STOP DONE, 0 } } },
	{ "whole", { { 200, JSON, "{\"choices\":[{\"message\":{\"content\":\"Hello\"},\"finish_reason\":"
	    "\"length\"}],\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0}}", 0 } } },
	{ "zero", { { 200, STREAM, STOP USAGE DONE, 0 } } },
};

TEST(llm_openai, streams_text)
{
	struct bench b;
	bench_open(&b, sending, 5);
	struct llm_request req = text_request("writer");
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.pieces.p, "[Hello][ you][\U0001f600]");
	cr_expect_str_eq(b.reply.text, "Hello you\U0001f600");
	cr_expect_str_eq(b.reply.finish, "stop");
	cr_expect_str_eq(b.reply.model, "writer");
	cr_expect_eq(b.reply.ncalls, 0);
	cr_expect_eq(b.reply.usage.input, 21);
	cr_expect_eq(b.reply.usage.output, 4);
	cr_expect(!b.reply.usage.estimated);
	const char *sent = b.server.seen[0].request[0];
	cr_expect_str_eq(body_of(sent), "{\"model\":\"writer\",\"temperature\":0.2,\"messages\":["
	    "{\"role\":\"system\",\"content\":\"PROMPT says {\\\"so\\\"}\"},"
	    "{\"role\":\"user\",\"content\":\"Fuel at EGTF?\\n\ufffd\"}],"
	    "\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
	cr_expect_eq(strncmp(sent, "POST /v1/chat/completions HTTP/1.1\r\n", 36), 0);
	cr_expect_not_null(strstr(sent, "\r\nAuthorization: Bearer " KEY "\r\n"));
	cr_expect_not_null(strstr(sent, "\r\nContent-Type: application/json\r\n"));
	cr_expect_not_null(strstr(sent, "\r\nAccept: text/event-stream\r\n"));
	cr_expect_null(strstr(sent, "api-key:"));
	cr_expect_null(strstr(sent, "OpenAI-Organization:"));
	bench_close(&b);
}

TEST(llm_openai, forces_a_function)
{
	struct bench b;
	bench_open(&b, sending, 5);
	struct llm_request req = plan_request(b.a, "planner");
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.pieces.p, "");
	cr_expect_str_eq(b.reply.text, "");
	cr_expect_eq(b.reply.ncalls, 1);
	cr_expect_str_eq(b.reply.calls[0].name, "Plan");
	cr_expect_str_eq(b.reply.calls[0].arguments, "{\"a\":1}");
	cr_expect_str_eq(b.reply.finish, "tool_calls");
	const char *sent = b.server.seen[1].request[0], *rest = strstr(sent, "],\"tools\"");
	cr_assert_not_null(rest);
	cr_expect_str_eq(rest, "],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"Plan\","
	    "\"description\":\"One \\\"plan\\\".\",\"parameters\":{\"type\":\"object\"}}}],"
	    "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"Plan\"}},"
	    "\"parallel_tool_calls\":false}");
	cr_expect_not_null(strstr(sent, "\"temperature\":0,"));
	cr_expect_not_null(strstr(sent, "\r\nAccept: application/json\r\n"));
	bench_close(&b);
}

/* -- many tools ----------------------------------------------------------------------------------- */

#define CALL_CHUNK(index, id, name, arguments) "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{" \
	"\"index\":" #index "," id "\"function\":{" name "\"arguments\":\"" arguments "\"}}]}}]}\n\n"

static const struct script tooling[] = {
	{ "streams", { { 200, STREAM, TEXT("Let me") TEXT(" look.")
	    CALL_CHUNK(0, "\"id\":\"x9\",", "\"name\":\"near\",", "{\\\"place\\\":")
	    CALL_CHUNK(0, "", "", "\\\"Lyon\\\"}")
	    CALL_CHUNK(1, "", "\"name\":\"rules\",", "{}")
	    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n" DONE, 0 } } },
	{ "whole", { { 200, JSON, PLAN, 0 }, { 200, JSON, PLAN, 0 }, { 200, JSON, PLAN, 0 },
	    { 200, JSON, PLAN, 0 }, { 200, JSON, PLAN, 0 } } },
};

static struct llm_tools two_tools(struct arena *a)
{
	struct llm_tool tools[] = { { .name = "near", .doc = "Around \"one\" place." },
		{ .name = "rules", .doc = "Rules." } };
	for (int i = 0; i < 2; i++)
		TEST_OK(jsn_parse(a, "{\"type\":\"object\"}", 17, 8, &tools[i].parameters, NULL, NULL),
		    (struct err){ 0 });
	return llm_tools_print(a, tools, 2);
}

/* Text and calls of one reply: the text as it comes, the calls in order, each with an id. */
TEST(llm_openai, streams_text_and_calls)
{
	struct bench b;
	bench_open(&b, tooling, 2);
	struct llm_tools tools = two_tools(b.a);
	struct llm_request req = text_request("streams");
	req.tools = &tools;
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.pieces.p, "[Let me][ look.]");
	cr_expect_str_eq(b.reply.text, "Let me look.");
	cr_assert_eq(b.reply.ncalls, 2);
	cr_expect_str_eq(b.reply.calls[0].id, "x9");
	cr_expect_str_eq(b.reply.calls[0].name, "near");
	cr_expect_str_eq(b.reply.calls[0].arguments, "{\"place\":\"Lyon\"}");
	cr_expect_str_eq(b.reply.calls[1].id, "call_2", "made up where the server gives none");
	cr_expect_str_eq(b.reply.calls[1].name, "rules");
	bench_close(&b);
}

static const struct { enum llm_choice choice; const char *sent; } choices[] = {
	{ LLM_AUTO, "}}],\"parallel_tool_calls\":true}" },
	{ LLM_REQUIRED, "}}],\"tool_choice\":\"required\",\"parallel_tool_calls\":true}" },
	{ LLM_NAMED, "}}],\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"rules\"}},"
	    "\"parallel_tool_calls\":false}" },
	{ LLM_NONE, "}}],\"tool_choice\":\"none\"}" },
};

TEST(llm_openai, sends_the_choice_among_tools)
{
	struct bench b;
	bench_open(&b, tooling, 2);
	struct llm_tools tools = two_tools(b.a);
	cr_expect_str_eq(tools.json, "[{\"type\":\"function\",\"function\":{\"name\":\"near\","
	    "\"description\":\"Around \\\"one\\\" place.\",\"parameters\":{\"type\":\"object\"}}},"
	    "{\"type\":\"function\",\"function\":{\"name\":\"rules\",\"description\":\"Rules.\","
	    "\"parameters\":{\"type\":\"object\"}}}]");
	for (int i = 0; i < 4; i++) {
		struct llm_request req = text_request("whole");
		req.stream = false;
		req.tools = &tools;
		req.choice = choices[i].choice;
		req.named = "rules";
		TEST_OK(ask(&b, &req, NULL), b.e);
		const char *sent = strstr(b.server.seen[1].request[i], "],\"tools\":");
		cr_assert_not_null(sent, "row %d", i);
		sent += strlen("],\"tools\":");
		cr_expect(strncmp(sent, tools.json, tools.n) == 0, "row %d: %s", i, sent);
		cr_expect_str_eq(sent + tools.n - 3, choices[i].sent, "row %d", i);
	}
	bench_close(&b);
}

TEST(llm_openai, sends_tool_turns)
{
	static const struct llm_tool_call calls[] = { { "x9", "near", "{\"place\":\"Lyon\"}", NULL },
		{ "x10", "rules", "", NULL } };
	const struct llm_message turns[] = {
		{ .role = "system", .content = "Be \"brief\".", .quoted = "\"Be \\\"brief\\\".\"" },
		{ .role = "assistant", .content = "", .calls = calls, .ncalls = 2 },
		{ .role = "tool", .content = "no place", .call_id = "x9" },
		{ .role = "tool", .content = "", .call_id = "x10" },
		{ .role = "assistant", .content = "Hm.", .calls = calls, .ncalls = 1 },
	};
	struct bench b;
	bench_open(&b, tooling, 2);
	struct llm_request req = text_request("whole");
	req.messages = turns;
	req.nmessages = 5;
	req.temperature = 0;
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(llm_quote(b.a, turns[0].content), turns[0].quoted);
	cr_expect_not_null(strstr(b.server.seen[1].request[0], "\"messages\":["
	    "{\"role\":\"system\",\"content\":\"Be \\\"brief\\\".\"},"
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
	    "{\"id\":\"x9\",\"type\":\"function\",\"function\":{\"name\":\"near\","
	    "\"arguments\":\"{\\\"place\\\":\\\"Lyon\\\"}\"}},"
	    "{\"id\":\"x10\",\"type\":\"function\",\"function\":{\"name\":\"rules\",\"arguments\":\"\"}}]},"
	    "{\"role\":\"tool\",\"tool_call_id\":\"x9\",\"content\":\"no place\"},"
	    "{\"role\":\"tool\",\"tool_call_id\":\"x10\",\"content\":\"\"},"
	    "{\"role\":\"assistant\",\"content\":\"Hm.\",\"tool_calls\":[{\"id\":\"x9\","), "%s",
	    b.server.seen[1].request[0]);
	bench_close(&b);
}

TEST(llm_openai, usage_is_guessed_where_it_is_not_said)
{
	struct bench b;
	bench_open(&b, sending, 5);
	int64_t input = tokens_guess(messages[0].content, strlen(messages[0].content)) +
	    tokens_guess(messages[1].content, strlen(messages[1].content));
	const char *models[] = { "quiet", "whole" };       /* none, and noughts */
	for (int i = 0; i < 2; i++) {
		struct llm_request req = text_request(models[i]);
		TEST_OK(ask(&b, &req, NULL), b.e);
		cr_expect_str_eq(b.reply.text, "Hello");
		cr_expect_str_eq(b.pieces.p, "[Hello]");
		cr_expect_eq(b.reply.usage.input, input);
		cr_expect_eq(b.reply.usage.output, tokens_guess("Hello", 5));
		cr_expect(b.reply.usage.estimated);
	}
	bench_close(&b);
}

/* Some servers speak before they have heard everything. */
TEST(llm_openai, sends_all_of_a_request_that_is_answered_early)
{
	enum { LONG = 8 * 1024 * 1024 };
	static const struct script scripts[] = { { "early", {
		{ 200, STREAM, TEXT("Hello") TEXT(" you") STOP USAGE DONE, EARLY } } } };
	struct bench b;
	bench_open(&b, scripts, 1);
	char *text = malloc(LONG + 1);
	for (size_t i = 0; i < LONG; i++)
		text[i] = (char)('a' + (i * i >> 5) % 26);
	text[LONG] = '\0';
	const struct llm_message question = { .role = "user", .content = text };
	struct llm_request req = text_request("early");
	req.messages = &question;
	req.nmessages = 1;
	b.go = &b.server.seen[0].go;
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.pieces.p, "[Hello][ you]");
	cr_expect_eq(b.reply.usage.input, 21);
	struct buf body;
	buf_init(&body, SIZE_MAX / 2);
	openai_chat_body(&body, NULL, &req, 0);
	cr_expect_eq(b.server.seen[0].nbody, body.n);
	cr_expect_eq(b.server.seen[0].sum, server_sum(0, body.p, body.n));
	buf_release(&body);
	free(text);
	bench_close(&b);
}

static const struct {
	const char *base, *line;       /* %s: the server */
	bool azure;
} bases[] = {
	{ "http://%s", "POST /chat/completions HTTP/1.1\r\n", false },
	{ "http://%s/", "POST /chat/completions HTTP/1.1\r\n", false },
	{ "HTTP://%s/v1//", "POST /v1/chat/completions HTTP/1.1\r\n", false },
	{ "http://%s/v1/chat/completions", "POST /v1/chat/completions HTTP/1.1\r\n", false },
	{ "http://user:" KEY "@%s/v1?x=a/b", "POST /v1/chat/completions?x=a/b HTTP/1.1\r\n", false },
	{ "http://%s/openai/deployments/d/?api-version=2024-06-01",
	  "POST /openai/deployments/d/chat/completions?api-version=2024-06-01 HTTP/1.1\r\n", true },
};

TEST(llm_openai, addresses)
{
	static const struct script scripts[] = { { "m", {
		{ 500, JSON, "{}", 0 }, { 500, JSON, "{}", 0 }, { 500, JSON, "{}", 0 },
		{ 500, JSON, "{}", 0 }, { 500, JSON, "{}", 0 }, { 500, JSON, "{}", 0 } } } };
	struct bench b;
	bench_open(&b, scripts, 1);
	char host[40], url[200];
	snprintf(host, sizeof(host), "127.0.0.1:%d", b.server.port);
	for (int i = 0; i < (int)(sizeof(bases) / sizeof(bases[0])); i++) {
		const char *hole = strstr(bases[i].base, "%s");
		snprintf(url, sizeof(url), "%.*s%s%s", (int)(hole - bases[i].base), bases[i].base, host,
		    hole + 2);
		struct llm_provider_config c = config(url);
		c.organization = "org-7";
		b.llm->ops->close(b.llm);
		TEST_OK(llm_provider_open(&b.llm, b.http, &c, &b.e), b.e);
		struct llm_request req = text_request("m");
		cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
		cr_expect_not_null(strstr(b.e.msg, host), "%s", b.e.msg);
		cr_expect_null(strstr(b.e.msg, "user"), "%s", b.e.msg);
		const char *sent = b.server.seen[0].request[i];
		cr_expect_eq(strncmp(sent, bases[i].line, strlen(bases[i].line)), 0, "%s", sent);
		cr_expect_eq(strstr(sent, "\r\napi-key: " KEY "\r\n") != NULL, bases[i].azure);
		cr_expect_not_null(strstr(sent, "\r\nAuthorization: Bearer " KEY "\r\n"));
		cr_expect_not_null(strstr(sent, "\r\nOpenAI-Organization: org-7\r\n"));
	}
	bench_close(&b);
}

TEST(llm_openai, azure_by_name_through_a_proxy)
{
	static const struct script scripts[] = { { "m", { { 407, JSON, "{}", 0 } } } };
	struct bench b;
	char proxy[60];
	bench_open(&b, scripts, 1);
	snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%d", b.server.port);
	setenv("http_proxy", proxy, 1);
	setenv("no_proxy", "", 1);
	struct llm_provider_config c = config("http://x.openai.azure.com:80/openai/v1");
	b.llm->ops->close(b.llm);
	TEST_OK(llm_provider_open(&b.llm, b.http, &c, &b.e), b.e);
	struct llm_request req = text_request("m");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect_not_null(strstr(b.e.msg, "proxy"), "%s", b.e.msg);
	cr_expect_not_null(strstr(b.server.seen[0].request[0], "\r\napi-key: " KEY "\r\n"));
	bench_close(&b);
}

static const struct { const char *url, *key, *org, *says; } refused_at_start[] = {
	{ "api.openai.com/v1", KEY, NULL, "OPENAI_BASE_URL" },
	{ "ftp://user:" KEY "@host/v1", KEY, NULL, "https://api.openai.com/v1" },
	{ "http:/host", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https://", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https:///v1", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https://host/v1\r\nX: y", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https://host/v 1", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https://host/v1#top", KEY, NULL, "OPENAI_BASE_URL" },
	{ "", KEY, NULL, "OPENAI_BASE_URL" },
	{ "https://host/v1", KEY "\n", NULL, "OPENAI_API_KEY" },
	{ "https://host/v1", KEY "\r\nX: y", NULL, "OPENAI_API_KEY" },
	{ "https://host/v1", KEY "\xe2\x80\x9d", NULL, "OPENAI_API_KEY" },
	{ "https://host/v1", KEY, "org\n7", "OPENAI_ORG_ID" },
};

TEST(llm_openai, refuses_bad_settings)
{
	for (size_t i = 0; i < sizeof(refused_at_start) / sizeof(refused_at_start[0]); i++) {
		struct llm_provider_config c = config(refused_at_start[i].url);
		struct llm_provider *p = NULL;
		struct err e = { 0 };
		c.key = refused_at_start[i].key;
		c.organization = refused_at_start[i].org;
		cr_expect_eq(llm_provider_open(&p, NULL, &c, &e), ERR_CONFIG, "%zu", i);
		cr_expect_not_null(strstr(e.msg, refused_at_start[i].says), "%s", e.msg);
		cr_expect_null(strstr(e.msg, KEY), "%s", e.msg);
		cr_expect_null(p);
	}
}

/* ---- refusals and faults ------------------------------------------------------------------- */

enum { NONE = 0, RETRY = 1, OUTAGE = 2, NO_FUNCTIONS = 4 };

/* The script of a fault is one step, and the model's name is its number. */
static const struct {
	struct step step;
	int flags;
	const char *says;
} faults[] = {
	{ { 401, JSON, ERROR("\"invalid_api_key\"", "null", "WORDS " KEY), 0 }, NONE,
	  "the key was refused (HTTP 401, invalid_api_key): check OPENAI_API_KEY" },
	{ { 401, JSON, ERROR("\"" KEY "\"", "\"no identifier WORDS\"", "x"), 0 }, NONE,
	  "the key was refused (HTTP 401): check OPENAI_API_KEY" },
	{ { 403, NULL, "denied", 0 }, NONE, "(HTTP 403): check OPENAI_API_KEY" },
	{ { 404, JSON, ERROR("\"model_not_found\"", "null", "WORDS"), 0 }, NONE,
	  "there is no such model (HTTP 404, model_not_found)" },
	{ { 404, JSON, ERROR("null", "\"api_error\"", "model 'x' not found, WORDS"), 0 }, NONE,
	  "there is no such model" },
	{ { 404, JSON, "{\"error\":{\"code\":\"DeploymentNotFound\",\"message\":\"WORDS\"}}", 0 }, NONE,
	  "there is no such model" },
	{ { 404, JSON, "{\"detail\":\"Not Found\"}", 0 }, NONE, "is OPENAI_BASE_URL complete" },
	{ { 404, HTML, "<html>WORDS", 0 }, NONE, "it answers HTML, not JSON (HTTP 404): is OPENAI_BASE_URL" },
	{ { 405, HTML, "<html>", 0 }, NONE, "does it end in /v1?" },
	{ { 402, JSON, ERROR("\"402\"", "null", "Insufficient Balance"), 0 }, OUTAGE, "plan and billing" },
	{ { 429, JSON, ERROR("\"insufficient_quota\"", "\"insufficient_quota\"", "WORDS"), 0 }, OUTAGE,
	  "no quota or credit left (HTTP 429, insufficient_quota): check plan and billing" },
	{ { 429, JSON "Retry-After: 7\r\n", ERROR("\"rate_limit_exceeded\"", "\"requests\"", "WORDS"), 0 },
	  RETRY | OUTAGE, "rate_limit_exceeded, it asks to wait 7 s" },
	{ { 429, NULL, "", 0 }, RETRY | OUTAGE, "the quota is used up (HTTP 429)" },
	{ { 408, NULL, "", 0 }, RETRY | OUTAGE, "HTTP 408" },
	{ { 409, NULL, "", 0 }, RETRY, "HTTP 409" },
	{ { 500, JSON, ERROR("null", "\"server_error\"", "WORDS"), 0 }, RETRY | OUTAGE,
	  "the server failed (HTTP 500, server_error)" },
	{ { 502, HTML, "<html>bad gateway", 0 }, RETRY | OUTAGE, "the server failed (HTTP 502)" },
	{ { 503, NULL, "", 0 }, RETRY | OUTAGE, "HTTP 503" },
	{ { 529, NULL, "", 0 }, RETRY | OUTAGE, "HTTP 529" },
	{ { 301, "Location: https://elsewhere.example/v1\r\n", "", 0 }, NONE, "to the final address" },
	{ { 308, NULL, "", 0 }, NONE, "to the final address" },
	{ { 400, JSON, ERROR("\"context_length_exceeded\"", "null", "WORDS"), 0 }, NONE,
	  "AVIATION_AGENT_HISTORY_TOKENS" },
	{ { 400, JSON, "{\"object\":\"error\",\"message\":\"This model's maximum context length is 4096 "
	  "tokens. However, you requested WORDS\",\"type\":\"BadRequestError\",\"code\":400}", 0 }, NONE,
	  "AVIATION_AGENT_RESULT_TOKENS" },
	{ { 500, JSON, ERROR("500", "\"exceed_context_size_error\"", "the request exceeds the WORDS"), 0 },
	  NONE, "AVIATION_AGENT_HISTORY_TOKENS" },
	{ { 413, NULL, "", 0 }, NONE, "AVIATION_AGENT_HISTORY_TOKENS" },
	{ { 400, JSON, ERROR("\"content_filter\"", "null", "WORDS"), 0 }, NONE, "content filter refused" },
	{ { 400, JSON, ERROR("\"odd_thing\"", "null", "WORDS"), 0 }, NONE,
	  "the request was refused (HTTP 400, odd_thing)" },
	{ { 418, NULL, "", 0 }, NONE, "refused (HTTP 418)" },
	/* replies that are none */
	{ { 200, HTML, "<!DOCTYPE html>WORDS", 0 }, NONE,
	  "it answers HTML, not JSON (HTTP 200): is OPENAI_BASE_URL complete, does it end in /v1?" },
	{ { 200, JSON, "<html>", 0 }, NONE, "HTML" },
	{ { 200, NULL, "WORDS", 0 }, RETRY, "is not JSON" },
	{ { 200, JSON, "", 0 }, RETRY, "an empty reply" },
	{ { 200, JSON, "{\"choices\":[]}", 0 }, RETRY, "without a message" },
	{ { 200, JSON, "{\"object\":\"list\",\"data\":[]}", 0 }, RETRY, "without a message" },
	{ { 200, JSON, "{\"choices\":[{\"message\":{\"content\":\"WORDS", 0 }, RETRY | OUTAGE, "broke off" },
	{ { 200, STREAM, TEXT("WORDS"), 0 }, RETRY | OUTAGE, "broke off" },
	{ { 200, STREAM, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"content_filter\"}"
	  "]}\n\n" DONE, 0 }, NONE, "content filter withheld" },
	{ { 200, STREAM, "data: " ERROR("504", "\"GatewayTimeout\"", "WORDS") "\n\n" DONE, 0 },
	  RETRY | OUTAGE, "the server failed (in its reply 504, GatewayTimeout)" },
	{ { 200, STREAM, TEXT("a") "data: {\"error\":\"WORDS\"}\n\n", 0 }, RETRY | OUTAGE,
	  "the server failed (in its reply 500)" },
	{ { 200, STREAM, "data: " ERROR("\"rate_limit_exceeded\"", "null", "WORDS") "\n\n", 0 },
	  RETRY | OUTAGE, "429, rate_limit_exceeded" },
	{ { 200, JSON, ERROR("\"insufficient_quota\"", "null", "WORDS"), 0 }, OUTAGE, "plan and billing" },
	/* connections */
	{ { 200, JSON, "{\"choices\":[{\"mess", BROKEN }, RETRY | OUTAGE, "OPENAI_BASE_URL: http://127.0.0.1:" },
	{ { 200, STREAM, TEXT("a"), BROKEN }, RETRY | OUTAGE, "OPENAI_BASE_URL: http://127.0.0.1:" },
	{ { 200, NULL, NULL, DROPPED }, RETRY | OUTAGE, "OPENAI_BASE_URL: http://127.0.0.1:" },
	{ { 500, NULL, "x", BROKEN }, RETRY | OUTAGE, "HTTP 500" },
};

enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

TEST(llm_openai, says_what_a_fault_means)
{
	static struct script scripts[FAULTS];
	static char names[FAULTS][12];
	struct bench b;
	for (int i = 0; i < FAULTS; i++) {
		snprintf(names[i], sizeof(names[i]), "m%d", i);
		scripts[i] = (struct script){ names[i], { faults[i].step } };
	}
	bench_open(&b, scripts, FAULTS);
	for (int i = 0; i < FAULTS; i++) {
		struct llm_request req = text_request(names[i]);
		cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM, "fault %d", i);
		cr_expect_not_null(strstr(b.e.msg, faults[i].says), "fault %d: %s", i, b.e.msg);
		cr_expect(strncmp(b.e.msg, "127.0.0.1:", 10) == 0 ||
		    strncmp(b.e.msg, "OPENAI_BASE_URL: http://127.0.0.1:", 34) == 0, "%s", b.e.msg);
		cr_expect_eq(b.fault.retry, (faults[i].flags & RETRY) != 0, "fault %d: %s", i, b.e.msg);
		cr_expect_eq(b.fault.outage, (faults[i].flags & OUTAGE) != 0, "fault %d: %s", i, b.e.msg);
		cr_expect_not(b.fault.no_functions);
		cr_expect_eq(b.fault.retry_after_ms, strstr(b.e.msg, "7 s") != NULL ? 7000 : -1);
		cr_expect_eq(b.server.seen[i].n, 1, "fault %d was asked %d times", i, b.server.seen[i].n);
	}
	bench_close(&b);
}

TEST(llm_openai, without_a_key)
{
	static const struct script scripts[] = { { "m", { { 401, JSON, "{}", 0 } } } };
	struct bench b;
	bench_open(&b, scripts, 1);
	struct llm_provider_config c = config(b.url);
	c.key = NULL;
	b.llm->ops->close(b.llm);
	TEST_OK(llm_provider_open(&b.llm, b.http, &c, &b.e), b.e);
	struct llm_request req = text_request("m");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect_not_null(strstr(b.e.msg, "set OPENAI_API_KEY"), "%s", b.e.msg);
	cr_expect_null(strstr(b.server.seen[0].request[0], "Authorization"));
	bench_close(&b);
}

TEST(llm_openai, the_debug_log_has_the_words_but_not_the_key)
{
	static char words[3000];
	struct script scripts[] = { { "m", { { 401, JSON, words, 0 } } } };
	struct bench b;
	char *dir = test_mkdtemp(), path[600], text[4096];
	/* 1,023 bytes are kept: the last key is cut in the middle */
	snprintf(words, sizeof(words), "{\"error\":{\"message\":\"WORDS, " KEY " " KEY "%960s" KEY "\"}}", "");
	bench_open(&b, scripts, 1);
	snprintf(path, sizeof(path), "%s/log", dir);
	log_open(path);
	log_level_set("DEBUG");
	struct llm_request req = text_request("m");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	log_open(NULL);
	FILE *f = fopen(path, "r");
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	cr_expect_not_null(strstr(text, "WORDS, * *"), "%s", text);
	cr_expect_null(strstr(text, "sk-"), "%s", text);
	test_rmdir(dir);
	bench_close(&b);
}

TEST(llm_openai, a_reply_has_a_limit)
{
	static char large[300 * 1024], error[100 * 1024];
	struct script scripts[] = { { "large", { { 200, JSON, large, 0 } } },
		{ "error", { { 500, JSON, error, 0 } } } };
	struct bench b;
	memset(large, ' ', sizeof(large) - 1);
	memset(error, ' ', sizeof(error) - 1);
	bench_open(&b, scripts, 2);
	struct llm_request req = text_request("large");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect_not_null(strstr(b.e.msg, "reply larger than 65536 bytes (AVIATION_AGENT_LLM_MAX_REPLY)"),
	    "%s", b.e.msg);
	cr_expect(!b.fault.retry && !b.fault.outage);
	req = text_request("error");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect_not_null(strstr(b.e.msg, "HTTP 500"), "%s", b.e.msg);
	cr_expect(b.fault.retry && b.fault.outage);
	bench_close(&b);
}

/* ---- time, and readers who leave --------------------------------------------------------------- */

static const struct script slow[] = {
	{ "silent", { { 200, NULL, NULL, SILENT } } },
	{ "stuck", { { 200, STREAM, TEXT("Hello"), UNENDING } } },
	{ "done", { { 200, STREAM, TEXT("Hello") STOP DONE, UNENDING } } },
	{ "text", { { 200, STREAM, TEXT("Hello"), UNENDING }, { 200, STREAM, TEXT("a") STOP DONE, 0 } } },
};

TEST(llm_openai, keeps_time)
{
	struct bench b;
	bench_open(&b, slow, 4);
	struct llm_provider_config c = config(b.url);
	c.idle_ms = 500;
	b.llm->ops->close(b.llm);
	TEST_OK(llm_provider_open(&b.llm, b.http, &c, &b.e), b.e);
	struct llm_request req = text_request("silent");
	req.first_ms = 300;
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect(!b.fault.retry && b.fault.outage, "a time-out has taken its time");
	cr_expect_not_null(strstr(b.e.msg, "_FIRST_MS"), "%s", b.e.msg);
	/* it was asked, and may have begun: what it read has a price */
	cr_expect(b.reply.usage.input > 0 && b.reply.usage.output == 0 && b.reply.usage.estimated);
	req = text_request("stuck");
	cr_expect_eq(ask(&b, &req, NULL), ERR_UPSTREAM);
	cr_expect(!b.fault.retry && b.fault.outage, "a time-out has taken its time");
	cr_expect_str_eq(b.pieces.p, "[Hello]");
	/* what came has a price */
	cr_expect(b.reply.usage.input > 0 && b.reply.usage.output > 0 && b.reply.usage.estimated);
	/* a server that does not hang up after its last word has given its reply all the same */
	req = text_request("done");
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.reply.text, "Hello");
	bench_close(&b);
}

/* … and the pilot, who has read it all, is not kept waiting for the hang-up. */
TEST(llm_openai, a_reply_that_is_over_is_over)
{
	struct bench b;
	bench_open(&b, slow, 4);
	struct llm_request req = text_request("done");
	int64_t start = clock_mono_ms();
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_str_eq(b.reply.text, "Hello");
	cr_expect_lt(clock_mono_ms() - start, 10000, "idle_ms is 20 s");
	bench_close(&b);
}

static enum errcode check_pieces(void *arg, int64_t *ms)
{
	struct bench *b = arg;
	*ms = 20;
	return b->pieces.n > 0 ? ERR_HUP : OK;
}

TEST(llm_openai, stops_when_told)
{
	struct bench b;
	bench_open(&b, slow, 4);
	struct llm_request req = text_request("text");
	const struct watch w = { .fd = -1, .check = check_pieces, .arg = &b };
	cr_expect_eq(ask(&b, &req, &w), ERR_HUP);              /* the watch, while the model is silent */
	cr_expect_str_eq(b.pieces.p, "[Hello]");
	cr_expect(!b.fault.retry && !b.fault.outage);
	cr_expect(b.reply.usage.output > 0 && b.reply.usage.estimated);
	b.stop = ERR_OVERLOAD;
	cr_expect_eq(ask(&b, &req, NULL), ERR_OVERLOAD);       /* the reader of the text */
	cr_expect_str_eq(b.pieces.p, "[a]");
	cr_expect(!b.fault.retry && !b.fault.outage);
	bench_close(&b);
}

/* ---- servers that take less --------------------------------------------------------------------- */

#define REPLY(status, body) { status, JSON, body, 0 }
#define TEMPERATURE ERROR("\"unsupported_value\"", "\"invalid_request_error\"", "Unsupported value: " \
	"'temperature' does not support 0 with this model. Only the default (1) value is supported.")
#define CHOICE "{\"error\":\"Invalid tool_choice type: 'object'. Supported string values: none, auto, " \
	"required\"}"
#define THINKING ERROR("null", "\"invalid_request_error\"", "Thinking mode does not support this " \
	"tool_choice")
#define PARALLEL "{\"error\":{\"message\":\"Unsupported parameter.\",\"param\":\"parallel_tool_calls\"," \
	"\"code\":\"unsupported_parameter\"}}"
#define OPTIONS "{\"object\":\"error\",\"message\":{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\"," \
	"\"stream_options\",\"include_usage\"],\"msg\":\"Extra inputs are not permitted\",\"input\":true}]}}"
#define DETAIL "{\"detail\":[{\"loc\":[\"body\",\"temperature\"],\"msg\":\"extra fields not permitted\"," \
	"\"input\":\"stream_options\"}]}"
#define AUTO ERROR("400", "\"BadRequestError\"", "\\\"auto\\\" tool choice requires --enable-auto-tool-" \
	"choice and --tool-call-parser to be set")
#define PARSER ERROR("400", "\"BadRequestError\"", "tool_choice=\\\"required\\\" requires " \
	"--tool-call-parser to be set")

static const struct {
	struct script script;
	bool plan;
	enum errcode rc;
	bool no_functions;
	const char *last_has, *last_lacks;     /* the body of the last request */
	int asked, again;                      /* requests of the first call; of a second one */
} less[] = {
	{ { "m0", { REPLY(400, TEMPERATURE), REPLY(200, PLAN), REPLY(200, PLAN) } }, true, OK, false,
	  "\"tool_choice\":{", "temperature", 2, 1 },
	{ { "m1", { REPLY(422, OPTIONS), { 200, STREAM, TEXT("a") DONE, 0 },
	  { 200, STREAM, TEXT("a") DONE, 0 } } }, false, OK, false, "\"stream\":true", "stream_options", 2, 1 },
	{ { "m2", { REPLY(422, DETAIL), { 200, STREAM, TEXT("a") DONE, 0 },
	  { 200, STREAM, TEXT("a") DONE, 0 } } }, false, OK, false, "stream_options", "\"temperature\"", 2, 1 },
	{ { "m3", { REPLY(400, PARALLEL), REPLY(400, TEMPERATURE), REPLY(200, PLAN), REPLY(200, PLAN) } },
	  true, OK, false, "\"tool_choice\":{", "parallel", 3, 1 },
	{ { "m4", { REPLY(400, CHOICE), REPLY(200, PLAN), REPLY(200, PLAN) } }, true, OK, false,
	  "\"tool_choice\":\"required\"", "\"tool_choice\":{", 2, 1 },
	{ { "m5", { REPLY(400, THINKING), REPLY(400, THINKING), REPLY(200, PLAN), REPLY(200, PLAN) } },
	  true, OK, false, "\"tools\":", "tool_choice", 3, 1 },
	/* a refusal inside a reply of status 200 */
	{ { "m6", { { 200, STREAM, "data: " OPTIONS "\n\n", 0 }, { 200, STREAM, TEXT("a") DONE, 0 },
	  { 200, STREAM, TEXT("a") DONE, 0 } } }, false, OK, false, "\"stream\":true", "stream_options", 2, 1 },
	/* a guess that did not help is not remembered */
	{ { "m7", { REPLY(400, TEMPERATURE), REPLY(500, "{}"), REPLY(200, PLAN) } }, true, ERR_UPSTREAM,
	  false, "\"tool_choice\"", "\"temperature\"", 2, 1 },
	/* it names what was not sent: no reason to ask again */
	{ { "m8", { REPLY(400, PARALLEL), REPLY(400, PARALLEL) } }, false, ERR_UPSTREAM, false, "", "tools", 1, 1 },
	/* no functions: Ollama, llama.cpp new and old, vLLM, OpenRouter, a schema that is refused */
	{ { "m10", { REPLY(400, ERROR("null", "\"api_error\"", "registry.ollama.ai/library/gemma3:4b does not "
	  "support tools")) } }, true, ERR_UPSTREAM, true, "\"tools\"", "\"stream\"", 1, 0 },
	{ { "m11", { REPLY(500, ERROR("500", "\"server_error\"", "tools param requires --jinja flag")) } }, true,
	  ERR_UPSTREAM, true, "\"tools\"", "\"stream\"", 1, 0 },
	{ { "m12", { REPLY(500, "{\"code\":500,\"message\":\"Unsupported param: tools\",\"type\":"
	  "\"server_error\"}") } }, true, ERR_UPSTREAM, true, "\"tools\"", "\"stream\"", 1, 0 },
	{ { "m13", { REPLY(400, PARSER), REPLY(400, PARSER), REPLY(400, AUTO) } }, true, ERR_UPSTREAM, true,
	  "\"tools\"", "tool_choice", 3, 0 },
	{ { "m14", { REPLY(404, ERROR("404", "null", "No endpoints found that support tool use. To learn "
	  "more, visit the docs")) } }, true, ERR_UPSTREAM, true, "\"tools\"", "\"stream\"", 1, 0 },
	{ { "m15", { REPLY(400, "{\"error\":{\"message\":\"x\",\"param\":\"tools[0].function.parameters\","
	  "\"code\":\"invalid_function_parameters\"}}") } }, true, ERR_UPSTREAM, true, "\"tools\"", "\"stream\"",
	  1, 0 },
	/* not about functions */
	{ { "m16", { REPLY(400, ERROR("null", "null", "Please reduce the length of the messages or functions")),
	  REPLY(400, "{}") } }, true, ERR_UPSTREAM, false, "\"tools\"", "\"stream\"", 1, 1 },
	{ { "m17", { REPLY(401, ERROR("null", "null", "this key does not support tools")), REPLY(401, "{}") } },
	  true, ERR_UPSTREAM, false, "\"tools\"", "\"stream\"", 1, 1 },
};

enum { LESS = sizeof(less) / sizeof(less[0]) };

TEST(llm_openai, leaves_out_what_is_refused)
{
	static struct script scripts[LESS];
	struct bench b;
	for (int i = 0; i < LESS; i++)
		scripts[i] = less[i].script;
	bench_open(&b, scripts, LESS);
	for (int i = 0; i < LESS; i++) {
		const char *model = scripts[i].model;
		const struct seen *seen = &b.server.seen[i];
		struct llm_request req = less[i].plan ? plan_request(b.a, model) : text_request(model);
		cr_expect_eq(ask(&b, &req, NULL), less[i].rc, "%s: %s", model, b.e.msg);
		cr_expect_eq(seen->n, less[i].asked, "%s: %d requests", model, seen->n);
		cr_expect_eq(b.fault.no_functions, less[i].no_functions, "%s: %s", model, b.e.msg);
		const char *last = body_of(seen->request[less[i].asked - 1]);
		cr_expect_not_null(strstr(last, less[i].last_has), "%s: %s", model, last);
		cr_expect_null(strstr(last, less[i].last_lacks), "%s: %s", model, last);
		/* the next call of this model knows, and is not the slower for it */
		ask(&b, &req, NULL);
		cr_expect_eq(seen->n, less[i].asked + less[i].again, "%s: %d requests", model, seen->n);
		cr_expect_eq(b.fault.no_functions, less[i].no_functions);
		if (less[i].rc == OK) {
			last = body_of(seen->request[less[i].asked]);
			cr_expect_not_null(strstr(last, less[i].last_has), "%s: %s", model, last);
			cr_expect_null(strstr(last, less[i].last_lacks), "%s: %s", model, last);
		} else if (strcmp(model, "m7") == 0) {
			cr_expect_not_null(strstr(seen->request[2], "\"temperature\""));
		}
	}
	bench_close(&b);
}

TEST(llm_openai, what_one_model_refuses_another_may_take)
{
	static const struct script scripts[] = {
		{ "a", { REPLY(400, TEMPERATURE), REPLY(200, PLAN) } }, { "b", { REPLY(200, PLAN) } } };
	struct bench b;
	bench_open(&b, scripts, 2);
	struct llm_request req = plan_request(b.a, "a");
	TEST_OK(ask(&b, &req, NULL), b.e);
	req = plan_request(b.a, "b");
	TEST_OK(ask(&b, &req, NULL), b.e);
	cr_expect_not_null(strstr(b.server.seen[1].request[0], "\"temperature\":0"));
	bench_close(&b);
}

TEST(llm_openai, more_models_than_it_remembers)
{
	static struct script scripts[100];
	static char names[100][8];
	struct bench b;
	for (int i = 0; i < 100; i++) {
		snprintf(names[i], sizeof(names[i]), "m%d", i);
		scripts[i] = (struct script){ names[i], { REPLY(400, TEMPERATURE), REPLY(200, PLAN) } };
	}
	bench_open(&b, scripts, 100);
	for (int i = 0; i < 100; i++) {
		struct llm_request req = plan_request(b.a, names[i]);
		TEST_OK(ask(&b, &req, NULL), b.e);
		cr_expect_eq(b.server.seen[i].n, 2);
	}
	bench_close(&b);
}

/* ---- embeddings ---------------------------------------------------------------------------------- */

#define VECTOR(index, numbers) "{\"object\":\"embedding\",\"index\":" index ",\"embedding\":[" numbers "]}"
#define VECTORS(list) "{\"object\":\"list\",\"data\":[" list "],\"usage\":{\"prompt_tokens\":6,\"total_tokens\":6}}"

static const struct script embedding[] = {
	{ "good", { { 200, JSON, VECTORS(VECTOR("1", "3,4") "," VECTOR("0", "0.5,-1e-2")), 0 } } },
	{ "format", { REPLY(400, ERROR("null", "null", "unknown field encoding_format")),
	  { 200, JSON, "{\"data\":[{\"embedding\":[1]},{\"embedding\":[2]}]}", 0 } } },
	{ "few", { { 200, JSON, VECTORS(VECTOR("0", "1,2")), 0 } } },
	{ "uneven", { { 200, JSON, VECTORS(VECTOR("0", "1,2") "," VECTOR("1", "1")), 0 } } },
	{ "twice", { { 200, JSON, VECTORS(VECTOR("0", "1") "," VECTOR("0", "2")), 0 } } },
	{ "outside", { { 200, JSON, VECTORS(VECTOR("0", "1") "," VECTOR("2", "2")), 0 } } },
	{ "empty", { { 200, JSON, VECTORS(VECTOR("0", "") "," VECTOR("1", "")), 0 } } },
	{ "words", { { 200, JSON, VECTORS(VECTOR("0", "1,\"x\"") "," VECTOR("1", "1,2")), 0 } } },
	{ "huge", { { 200, JSON, VECTORS(VECTOR("0", "1e300") "," VECTOR("1", "1")), 0 } } },
	{ "base64", { { 200, JSON, "{\"data\":[{\"embedding\":\"AACAPw==\"},{\"embedding\":\"AACAPw==\"}]}", 0 } } },
	{ "none", { { 200, JSON, "{}", 0 } } },
	{ "html", { { 200, HTML, "<html>", 0 } } },
	{ "error", { { 200, JSON, ERROR("\"model_not_found\"", "null", "WORDS"), 0 } } },
	{ "unknown", { { 404, JSON, ERROR("\"model_not_found\"", "null", "WORDS"), 0 } } },
	{ "busy", { { 503, NULL, "", 0 } } },
};

static const struct { int script; bool retry; const char *says; } bad_embeddings[] = {
	{ 2, false, "not one for each text" }, { 3, false, "different lengths" }, { 4, false, "numbered" },
	{ 5, false, "numbered" }, { 6, false, "not a list of numbers" }, { 7, false, "not all of it" },
	{ 8, false, "not all of it" }, { 9, false, "not a list of numbers" }, { 10, false, "not one for each" },
	{ 11, false, "HTML" }, { 12, false, "no such model" }, { 13, false, "no such model" },
	{ 14, true, "HTTP 503" },
};

TEST(llm_openai, embeds)
{
	static const char *const texts[] = { "fuel \"now\"", "noise" };
	struct llm_embed_request req = { .model = "good", .texts = texts, .n = 2 };
	struct bench b;
	float *v;
	size_t dims;
	struct llm_usage u;
	bench_open(&b, embedding, sizeof(embedding) / sizeof(embedding[0]));
	TEST_OK(b.llm->ops->embed(b.llm, b.a, &req, NULL, &v, &dims, &u, &b.fault, &b.e), b.e);
	cr_expect_eq(dims, 2);
	cr_expect(v[0] == 0.5f && v[1] == -0.01f && v[2] == 3 && v[3] == 4);
	cr_expect(u.input == 6 && u.output == 0 && !u.estimated);
	const char *sent = b.server.seen[0].request[0];
	cr_expect_str_eq(body_of(sent), "{\"model\":\"good\",\"input\":[\"fuel \\\"now\\\"\",\"noise\"],"
	    "\"encoding_format\":\"float\"}");
	cr_expect_eq(strncmp(sent, "POST /v1/embeddings HTTP/1.1\r\n", 30), 0);
	req.model = "format";
	TEST_OK(b.llm->ops->embed(b.llm, b.a, &req, NULL, &v, &dims, &u, &b.fault, &b.e), b.e);
	cr_expect(dims == 1 && v[0] == 1 && v[1] == 2);
	cr_expect(u.input > 0 && u.estimated);
	for (size_t i = 0; i < sizeof(bad_embeddings) / sizeof(bad_embeddings[0]); i++) {
		const char *model = req.model = embedding[bad_embeddings[i].script].model;
		cr_expect_eq(b.llm->ops->embed(b.llm, b.a, &req, NULL, &v, &dims, &u, &b.fault, &b.e),
		    ERR_UPSTREAM, "%s", model);
		cr_expect_not_null(strstr(b.e.msg, bad_embeddings[i].says), "%s: %s", model, b.e.msg);
		cr_expect_null(strstr(b.e.msg, "WORDS"), "%s", b.e.msg);
		cr_expect_eq(b.fault.retry, bad_embeddings[i].retry, "%s", model);
		cr_expect_null(v);
	}
	bench_close(&b);
}

/* A server that takes the question and says nothing: a time-out of its own, which counts. */
TEST(llm_openai, a_silent_embedder_is_an_outage)
{
	static const char *const texts[] = { "fuel" };
	static const struct script silent[] = { { "good", { { 200, NULL, "", SILENT } } } };
	const struct llm_embed_request req = { .model = "good", .texts = texts, .n = 1,
		.first_ms = 100 };
	struct bench b;
	float *v;
	size_t dims;
	struct llm_usage u;
	int64_t began = clock_mono_ms();
	bench_open(&b, silent, 1);
	cr_expect_eq(b.llm->ops->embed(b.llm, b.a, &req, NULL, &v, &dims, &u, &b.fault, &b.e),
	    ERR_UPSTREAM);
	cr_expect(b.fault.outage && !b.fault.retry, "%s", b.e.msg);
	cr_expect_lt(clock_mono_ms() - began, 10000);
	bench_close(&b);
}
