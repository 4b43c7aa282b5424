/*
 * The MCP server without a transport: which era a message belongs to, what it is answered, and who has which
 * token. The fixtures stand for tools, because they need no data.
 */
#include "tests/unit/test.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "edges/mcp_call.h"
#include "edges/mcp_tokens.h"
#include "edges/quick_actions.h"

/* A line that keeps what is sent before the answer. */
struct line_mem {
	struct mcp_line line;
	struct buf sent;
	bool streams;
	int hup_after;                /* so many messages are taken; -1: any number */
};

static bool line_open(struct mcp_line *line) { return ((struct line_mem *)line)->streams; }

static enum errcode line_send(struct mcp_line *line, const struct buf *message)
{
	struct line_mem *l = (struct line_mem *)line;

	if (l->hup_after-- == 0)
		return ERR_HUP;
	buf_put(&l->sent, message->p, message->n);
	buf_putc(&l->sent, '\n');
	return OK;
}

static enum errcode line_tick(struct mcp_line *line, int64_t *ms)
{
	*ms = 1000;
	return ((struct line_mem *)line)->hup_after == 0 ? ERR_HUP : OK;
}

static int line_fd(struct mcp_line *line) { (void)line; return -1; }

static const struct mcp_line_ops line_ops = { line_open, line_send, line_tick, line_fd };

struct fixture {
	struct conf conf;
	struct edge_parts parts;
	struct mcp_server *server;
	struct line_mem line;
	struct arena *a;
	struct buf out;
	struct mcp_caller caller;
	struct mcp_call call;
};

static void begin(struct fixture *f)
{
	*f = (struct fixture){ .conf = { .mcp_call_timeout_s = 5 }, .line = { .line = { &line_ops }, .hup_after = -1 } };
	f->a = arena_new();
	f->parts = (struct edge_parts){ .conf = &f->conf, .mem = f->a, .mcp_fixtures = true };
	f->server = mcp_server_new(&f->parts, NULL);
	buf_init(&f->line.sent, 1 << 20);
	buf_init(&f->out, MCP_OUT_MAX);
}

static void end(struct fixture *f)
{
	mcp_server_free(f->server);
	buf_release(&f->line.sent);
	buf_release(&f->out);
	arena_free(f->a);
}

/* Answer one message; headers NULL: the transport has none. */
static void answer(struct fixture *f, const char *text, const struct mcp_headers *h)
{
	struct mcp_fault fault;

	f->call = (struct mcp_call){ .server = f->server, .mem = f->a, .caller = &f->caller, .line = &f->line.line,
		.out = &f->out };
	if (mcp_take(&f->call, text, strlen(text), &fault))
		mcp_answer(&f->call, h);
	else
		mcp_answer_fault(&f->call, &fault);
}

#define META(more) "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}" more "}"
#define NEW(method, members) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" META("") members "}}"
#define OLD(method, members) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" members "}}"
#define TOLD(method) "{\"jsonrpc\":\"2.0\",\"method\":\"" method "\"}"
#define H(...) HEADERS(__VA_ARGS__, NULL, NULL, NULL)
#define HEADERS(revision_, method_, name_, ...) { (revision_), (method_), (name_) }
#define NOTHING 1                /* a code: refused, and nothing is sent */
#define SIMPLE ",\"name\":\"test_simple_text\""

static const struct {
	const char *text;
	bool http;
	struct mcp_headers h;
	int status, code;             /* code 0: a result, or no answer where the status is 202 */
} rows[] = {
	/* no claim: the header decides, and an absent one means an old revision */
	{ OLD("ping", ""), true, H(NULL), 200, 0 },
	{ OLD("ping", ""), true, H("2025-03-26"), 200, 0 },
	{ OLD("ping", ""), true, H("2031-01-01"), 400, MCP_BAD_REVISION },
	{ OLD("tools/list", ""), true, H("2026-07-28"), 400, MCP_INVALID_PARAMS },
	{ TOLD("notifications/initialized"), true, H("2026-07-28"), 202, 0 },
	{ TOLD("notifications/initialized"), true, H("2031-01-01"), 400, MCP_BAD_REVISION },
	{ OLD("initialize", "\"protocolVersion\":\"2025-11-25\""), true, H("2031-01-01"), 200, 0 },
	{ OLD("initialize", "\"protocolVersion\":7"), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("server/discover", ""), true, H(NULL), 200, MCP_NO_METHOD },
	/* a claim */
	{ NEW("tools/list", ""), true, H("2026-07-28", "tools/list"), 200, 0 },
	{ NEW("tools/list", ""), true, H(" 2026-07-28\t", "=?base64?dG9vbHMvbGlzdA==?="), 200, 0 },
	{ NEW("tools/list", ""), true, H("2026-07-28", "Tools/list"), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/list", ""), true, H("2026-07-28", "=?base64?dG9v?"), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/list", ""), true, H("2026-07-28", NULL), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/list", ""), true, H(NULL, "tools/list"), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/list", ""), true, H("2025-11-25", "tools/list"), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/call", SIMPLE), true, H("2026-07-28", "tools/call", "test_simple_text"), 200, 0 },
	{ NEW("tools/call", SIMPLE), true, H("2026-07-28", "tools/call", "other"), 400, MCP_HEADER_MISMATCH },
	{ NEW("tools/call", SIMPLE), true, H("2026-07-28", "tools/call", NULL), 400, MCP_HEADER_MISMATCH },
	{ NEW("resources/read", ",\"uri\":\"test://static-text\""), true,
	  H("2026-07-28", "resources/read", "test://static-text"), 200, 0 },
	{ NEW("ping", ""), true, H("2026-07-28", "ping"), 404, MCP_NO_METHOD },
	{ NEW("initialize", ""), true, H("2026-07-28", "initialize"), 404, MCP_NO_METHOD },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
	  "\"io.modelcontextprotocol/protocolVersion\":7}}}", true, H(NULL), 400, MCP_INVALID_PARAMS },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
	  "\"io.modelcontextprotocol/protocolVersion\":\"2025-11-25\"}}}", true, H(NULL), 400, MCP_BAD_REVISION },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
	  "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}", true, H("2026-07-28", "tools/list"), 400,
	  MCP_INVALID_PARAMS },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{" META("") "}}", true, H("2026-07-28"), 202, 0 },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{" META("") "}}", true, H("2025-11-25"), 400, MCP_HEADER_MISMATCH },
	/* a transport without headers */
	{ NEW("tools/list", ""), false, H(NULL), 200, 0 },
	{ OLD("tools/list", ""), false, H(NULL), 200, 0 },
	{ NEW("server/discover", ""), false, H(NULL), 200, 0 },
	{ NEW("subscriptions/listen", ""), false, H(NULL), 404, MCP_NO_METHOD },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
	  "\"2099-01-01\"}}}", false, H(NULL), 400, NOTHING },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}}}",
	  false, H(NULL), 400, NOTHING },
	/* null is as good as absent */
	{ OLD("tools/list", "\"cursor\":null"), true, H(NULL), 200, 0 },
	{ OLD("tools/list", "\"cursor\":\"\""), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("prompts/list", "\"cursor\":null"), true, H(NULL), 200, 0 },
	{ OLD("resources/list", "\"cursor\":null"), true, H(NULL), 200, 0 },
	{ OLD("resources/templates/list", "\"cursor\":null"), true, H(NULL), 200, 0 },
	{ OLD("tools/call", "\"name\":\"test_simple_text\",\"arguments\":null"), true, H(NULL), 200, 0 },
	{ OLD("prompts/get", "\"name\":\"country-rules\",\"arguments\":null"), true, H(NULL), 200, 0 },
	{ OLD("prompts/get", "\"name\":\"country-rules\",\"arguments\":{\"country\":null}"), true, H(NULL), 200, 0 },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":null}", true, H(NULL), 200, 0 },
	{ OLD("tools/list", "\"_meta\":null"), true, H(NULL), 200, 0 },
	/* what is answered by itself */
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", true, H("2031-01-01"), 202, 0 },
	{ TOLD("no/such"), true, H(NULL), 202, 0 },
	{ OLD("tools/call", "\"name\":\"test_simple_text\",\"arguments\":7"), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("tools/call", "\"name\":\"none\""), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("tools/call", ""), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("resources/read", "\"uri\":\"x://y\""), true, H(NULL), 200, MCP_NO_RESOURCE_OLD },
	{ NEW("resources/read", ",\"uri\":\"x://y\""), false, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("completion/complete", ""), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ OLD("prompts/get", "\"name\":\"country-rules\",\"arguments\":{\"country\":7}"), true, H(NULL), 200, MCP_INVALID_PARAMS },
	{ "[]", true, H(NULL), 400, MCP_INVALID_REQUEST },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\",\"error\":1}", true, H(NULL), 400, MCP_INVALID_REQUEST },
	{ "{", true, H(NULL), 400, MCP_PARSE_ERROR },
};

TEST(mcp, eras_and_codes)
{
	struct fixture f;

	begin(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *o = NULL;
		answer(&f, rows[i].text, rows[i].http ? &rows[i].h : NULL);
		cr_assert_eq(f.call.status, rows[i].status, "row %zu %s: %d %s", i, rows[i].text, f.call.status, f.out.p);
		cr_assert(rows[i].code != NOTHING || f.out.n == 0, "row %zu: %s", i, f.out.p);
		if (f.out.n == 0) {
			cr_assert(rows[i].status == 202 || rows[i].code == NOTHING, "row %zu %s: no answer", i, rows[i].text);
			continue;
		}
		cr_assert_eq(jsn_parse(f.a, f.out.p, f.out.n, MCP_DEPTH, &o, NULL, NULL), OK, "row %zu: %s", i, f.out.p);
		cr_assert_eq(jsn_get_int(jsn_get(o, "error"), "code", 0), rows[i].code, "row %zu %s: %s", i, rows[i].text,
		    f.out.p);
		cr_assert(jsn_has(o, "result") == (rows[i].code == 0), "row %zu: %s", i, f.out.p);
	}
	end(&f);
}

TEST(mcp, results_of_each_era)
{
	struct fixture f;
	struct json_object *o;

	begin(&f);
	answer(&f, NEW("tools/list", ""), NULL);
	cr_assert_eq(jsn_parse(f.a, f.out.p, f.out.n, MCP_DEPTH, &o, NULL, NULL), OK);
	o = jsn_get(o, "result");
	cr_assert_str_eq(jsn_get_str(o, "resultType", ""), "complete");
	cr_assert_str_eq(jsn_get_str(o, "cacheScope", ""), "public");
	cr_assert(jsn_get_int(o, "ttlMs", 0) > 0);
	cr_assert(jsn_has(jsn_get(o, "_meta"), MCP_KEY_SERVER));
	answer(&f, OLD("tools/list", ""), NULL);
	cr_assert_eq(jsn_parse(f.a, f.out.p, f.out.n, MCP_DEPTH, &o, NULL, NULL), OK);
	o = jsn_get(o, "result");
	cr_assert_eq(jsn_len(o), 1, "only the tools: %s", f.out.p);
	answer(&f, OLD("ping", ""), NULL);
	cr_assert_str_eq(f.out.p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	answer(&f, OLD("initialize", "\"protocolVersion\":\"2026-07-28\""), NULL);
	cr_assert(strstr(f.out.p, "\"protocolVersion\":\"2025-11-25\"") != NULL, "%s", f.out.p);
	end(&f);
}

TEST(mcp, a_caller_sees_its_tools_alone)
{
	static const char *const tools[] = { "test_simple_text", NULL }, *const rules[] = { "browse_rules", NULL };
	struct fixture f;

	begin(&f);
	f.caller.tools = tools;
	answer(&f, NEW("tools/list", ""), NULL);
	cr_assert(strstr(f.out.p, "test_simple_text") != NULL && strstr(f.out.p, "test_image_content") == NULL);
	cr_assert(strstr(f.out.p, "\"cacheScope\":\"private\"") != NULL);
	answer(&f, OLD("tools/call", "\"name\":\"test_image_content\""), NULL);
	cr_assert(strstr(f.out.p, "-32602") != NULL, "%s", f.out.p);
	answer(&f, OLD("tools/call", "\"name\":\"test_simple_text\""), NULL);
	cr_assert(strstr(f.out.p, "simple text response") != NULL, "%s", f.out.p);
	answer(&f, NEW("resources/templates/list", ""), NULL);
	cr_assert(strstr(f.out.p, "rules://") == NULL && strstr(f.out.p, "\"private\"") != NULL, "%s", f.out.p);
	f.caller.tools = rules;
	answer(&f, NEW("resources/templates/list", ""), NULL);
	cr_assert(strstr(f.out.p, "rules://") != NULL && strstr(f.out.p, "\"private\"") != NULL, "%s", f.out.p);
	end(&f);
}

#define PROGRESSING(token) OLD("tools/call", "\"name\":\"test_tool_with_progress\",\"_meta\":{\"progressToken\":" token "}")

TEST(mcp, progress)
{
	struct fixture f;

	begin(&f);
	answer(&f, PROGRESSING("\"t\""), NULL);
	cr_assert_eq(f.line.sent.n, 0, "the line cannot carry it");
	f.line.streams = true;
	answer(&f, OLD("tools/call", "\"name\":\"test_tool_with_progress\""), NULL);
	cr_assert_eq(f.line.sent.n, 0, "nobody asked for it");
	answer(&f, PROGRESSING("0.5"), NULL);
	cr_assert_eq(f.line.sent.n, 0, "no token");
	answer(&f, PROGRESSING("7"), NULL);
	cr_assert(strstr(f.line.sent.p, "\"progressToken\":7,\"progress\":0,\"total\":100") != NULL, "%s", f.line.sent.p);
	cr_assert(strstr(f.line.sent.p, "\"progress\":100") != NULL);
	cr_assert(strstr(f.out.p, "done") != NULL);
	/* the caller leaves: there is no answer, and the rest is not told */
	buf_clear(&f.line.sent);
	f.line.hup_after = 1;
	answer(&f, PROGRESSING("7"), NULL);
	cr_assert(strstr(f.line.sent.p, "\"progress\":50") == NULL, "%s", f.line.sent.p);
	cr_assert(f.call.hup && f.out.n == 0);
	end(&f);
}

TEST(mcp, a_call_that_takes_too_long)
{
	struct fixture f;

	begin(&f);
	f.conf.mcp_call_timeout_s = 1;
	answer(&f, OLD("tools/call", "\"name\":\"test_endless\""), NULL);
	cr_assert(strstr(f.out.p, "\"isError\":true") != NULL, "%s", f.out.p);
	end(&f);
}

TEST(mcp, a_message_of_many_values)
{
	struct fixture f;
	struct buf b;

	begin(&f);
	buf_init(&b, 1 << 20);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":[0");
	for (int i = 0; i < MCP_VALUES_MAX; i++)
		buf_puts(&b, ",0");
	buf_puts(&b, "]}}");
	answer(&f, b.p, NULL);
	cr_assert_eq(f.call.status, 400);
	cr_assert(strstr(f.out.p, "too many values") != NULL, "%s", f.out.p);
	buf_release(&b);
	end(&f);
}

TEST(mcp, prompts_say_what_buttons_say)
{
	struct arena *a = arena_new();
	static const char *const words[QUICK_WORDS] = { "EDNY", NULL };
	const struct wording *english = messages_in("en");

	for (size_t i = 0; i < nquick_actions; i++)
		cr_assert(strpbrk(quick_question(english, a, &quick_actions[i], NULL), "{}") == NULL, "%s", quick_actions[i].name);
	cr_assert_str_eq(quick_question(english, a, &quick_actions[0], NULL), "Find airports between EGTF and LFMD");
	cr_assert_str_eq(quick_question(english, a, &quick_actions[0], words), "Find airports between EDNY and LFMD");
	cr_assert_str_eq(mcp_prompt_kind("country-rules", "country"), "country");
	cr_assert_null(mcp_prompt_kind("country-rules", "other"));
	cr_assert_null(mcp_prompt_kind("other", "country"));
	arena_free(a);
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

TEST(mcp, tokens)
{
	static const char *const two[] = { "a", "b", NULL };
	char *dir = test_mkdtemp(), first[MCP_TOKEN_SIZE], second[MCP_TOKEN_SIZE];
	struct arena *a = arena_new();
	const char *path = arena_printf(a, "%s/state/tokens.json", dir);
	struct mcp_tokens *t = mcp_tokens_open(path);
	struct mcp_token who, *list;
	struct err e = { 0 };
	struct stat st;
	size_t n;

	cr_assert(!mcp_tokens_find(t, a, "avmcp_x", &who), "no file");
	TEST_OK(mcp_tokens_add(path, "first", NULL, first, &e), e);
	TEST_OK(mcp_tokens_add(path, "second", two, second, &e), e);
	cr_assert_eq(mcp_tokens_add(path, "first", NULL, first, &e), ERR_INPUT);
	cr_assert_eq(mcp_tokens_add(path, "a b", NULL, first, &e), ERR_INPUT);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07, 0, "nobody else may read it");
	cr_assert(mcp_tokens_find(t, a, second, &who), "a file that has come");
	cr_assert_str_eq(who.name, "second");
	cr_assert(streq(who.tools[0], "a") && streq(who.tools[1], "b") && who.tools[2] == NULL);
	second[20] ^= 1;
	cr_assert(!mcp_tokens_find(t, a, second, &who));
	second[20] ^= 1;
	TEST_OK(mcp_tokens_list(a, path, &list, &n, &e), e);
	cr_assert_eq(n, 2);
	cr_assert(list[0].made != NULL && list[0].tools == NULL);
	TEST_OK(mcp_tokens_remove(path, "second", &e), e);
	cr_assert_eq(mcp_tokens_remove(path, "second", &e), ERR_NOTFOUND);
	cr_assert(!mcp_tokens_find(t, a, second, &who), "removed");
	/* a broken file, and one that others may write, lets nobody in */
	TEST_OK(mcp_tokens_add(path, "third", NULL, second, &e), e);
	cr_assert(mcp_tokens_find(t, a, second, &who));
	cr_assert_eq(chmod(path, 0666), 0);
	cr_assert_eq(mcp_tokens_list(a, path, &list, &n, &e), ERR_CONFIG);
	cr_assert(!mcp_tokens_find(t, a, second, &who), "others may write it");
	cr_assert_eq(chmod(path, 0640), 0);
	cr_assert(mcp_tokens_find(t, a, second, &who));
	static const char *const broken[] = { "{", "{}", "{\"tokens\":7}", "{\"tokens\":[7]}",
		"{\"tokens\":[{\"name\":\"x\",\"hash\":\"00\"}]}" };
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		write_file(path, broken[i]);
		cr_assert_eq(mcp_tokens_list(a, path, &list, &n, &e), ERR_CONFIG, "%s", broken[i]);
		cr_assert(strstr(e.msg, path) != NULL, "%s", e.msg);
		cr_assert(!mcp_tokens_find(t, a, second, &who), "%s", broken[i]);
	}
	mcp_tokens_close(t);
	arena_free(a);
	test_rmdir(dir);
}
