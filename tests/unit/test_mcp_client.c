/*
 * What comes from external MCP servers, before anybody uses it: settings, accepted tools, text of
 * strangers, results, headers, and servers that are programs.
 */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/clock.h"
#include "drivers/child.h"
#include "services/mcp_client_own.h"
#include "services/mcp_result.h"
#include "tests/unit/test.h"
#include "tools/external.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e = { 0 };

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

/* ---- settings ------------------------------------------------------------------------------------ */

static enum errcode servers(struct mcp_servers *s, struct arena *a, const char *json, struct err *e)
{
	return mcp_servers_read(s, a, json, e);
}

TEST(mcp_servers, are_read_with_their_secrets)
{
	struct arena *a = arena_new();
	struct mcp_servers s;
	struct err e = { 0 };

	setenv("ENV_FILE", "/dev/null", 1);
	setenv("MCP_TEST_TOKEN", "s3cret", 1);
	TEST_OK(servers(&s, a, "{\"mcpServers\":{"
	    "\"wx\":{\"url\":\"https://h/mcp\",\"type\":\"http\",\"token_env\":\"MCP_TEST_TOKEN\",\"tools\":[\"a\",\"b\"],"
	    "\"headers\":{\"X-Key\":\"k=${MCP_TEST_TOKEN}!\"},\"call_s\":2.5,\"protocol\":\"legacy\"},"
	    "\"off\":{\"url\":\"https://h/mcp\",\"disabled\":true},"
	    "\"prog\":{\"command\":\"/bin/x\",\"args\":[\"-a\"],\"env\":{\"K\":\"${MCP_TEST_TOKEN}\"},\"cwd\":\"/tmp\"}}}",
	    &e), e);
	cr_assert_eq(s.n, 2);
	cr_expect_str_eq(s.list[0].fields[0], "X-Key: k=s3cret!");
	cr_expect_str_eq(s.list[0].fields[1], "Authorization: Bearer s3cret");
	cr_expect_null(s.list[0].fields[2]);
	cr_expect_eq(s.list[0].nallowed, 2);
	cr_expect_eq(s.list[0].call_ms, 2500);
	cr_expect_eq(s.list[0].era, MCP_CHOICE_LEGACY);
	cr_expect_null(s.list[1].url);
	cr_expect_str_eq(s.list[1].argv[1], "-a");
	cr_expect_null(s.list[1].argv[2]);
	cr_expect_eq(s.list[1].nallowed, 0);
	bool found = false;
	for (size_t i = 0; s.list[1].env[i] != NULL; i++) {
		found |= streq(s.list[1].env[i], "K=s3cret");
		cr_expect(!starts_with(s.list[1].env[i], "MCP_TEST_TOKEN="));
	}
	cr_expect(found);
	TEST_OK(servers(&s, a, NULL, &e), e);
	cr_expect_eq(s.n, 0);
	arena_free(a);
}

TEST(mcp_servers, faults_are_named)
{
	static const struct { const char *json, *said; } rows[] = {
		{ "{", "not JSON" },
		{ "{\"mcpServers\":{\"a b\":{\"url\":\"http://h\"}}}", "the name of a server" },
		{ "{\"w\":{\"url\":\"http://h\",\"tool\":[]}}", "\"tool\" is not known" },
		{ "{\"w\":{}}", "one of the two" },
		{ "{\"w\":{\"url\":\"http://h\",\"command\":\"x\"}}", "one of the two" },
		{ "{\"w\":{\"url\":\"ftp://h\"}}", "http:// or https://" },
		{ "{\"w\":{\"url\":\"http://h\",\"type\":\"sse\"}}", "older transport" },
		{ "{\"w\":{\"url\":\"http://h\",\"tools\":\"a\"}}", "\"tools\" must be a list" },
		{ "{\"w\":{\"url\":\"http://h\",\"headers\":{\"A\":\"x\\ny\"}}}", "line breaks" },
		{ "{\"w\":{\"url\":\"http://h\",\"token_env\":\"MCP_TEST_NOT_SET\"}}", "MCP_TEST_NOT_SET" },
		{ "{\"w\":{\"command\":\"x\",\"env\":{\"K\":\"${MCP_TEST_NOT_SET}\"}}}", "not set" },
		{ "{\"w\":{\"url\":\"http://h\",\"call_s\":0}}", "1 to 600" },
		{ "{\"w\":{\"url\":\"http://h\",\"protocol\":\"new\"}}", "auto, modern or legacy" },
		{ "/nonexistent/mcp.json", "No such file" },
	};
	struct arena *a = arena_new();

	setenv("ENV_FILE", "/dev/null", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mcp_servers s;
		struct err e = { 0 };
		cr_expect_eq(servers(&s, a, rows[i].json, &e), ERR_CONFIG, "row %zu", i);
		cr_expect_not_null(strstr(e.msg, rows[i].said), "row %zu: %s", i, e.msg);
	}
	arena_free(a);
}

TEST(mcp_servers, a_file_that_others_can_write_is_refused)
{
	char *dir = test_mkdtemp(), path[600];
	struct arena *a = arena_new();
	struct mcp_servers s;
	struct err e = { 0 };

	setenv("ENV_FILE", "/dev/null", 1);
	snprintf(path, sizeof(path), "%s/mcp.json", dir);
	FILE *f = fopen(path, "w");
	fputs("{\"mcpServers\":{\"w\":{\"url\":\"http://h\"}}}", f);
	fclose(f);
	chmod(path, 0640);
	TEST_OK(servers(&s, a, path, &e), e);
	cr_expect_eq(s.n, 1);
	chmod(path, 0666);
	cr_expect_eq(servers(&s, a, path, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "can be written by other users"), "%s", e.msg);
	test_rmdir(dir);
	arena_free(a);
}

/* ---- text of strangers ---------------------------------------------------------------------------- */

TEST(mcp_clean, leaves_out_what_does_something)
{
	static const struct { const char *in, *out; } rows[] = {
		{ "plain\ttext\nof two lines", "plain\ttext\nof two lines" },
		{ "a\x1b[31mred\x1b[0m\x1b]0;title\x07z", "aredz" },
		{ "a\x1b", "a" }, { "a\x1b[", "a" }, { "a\x1b]0;title\x1b\\z", "az" },
		{ "a\xc2\x9b" "31mred\xc2\x9b" "0mz", "aredz" }, { "a\xc2\x9b", "a" }, { "a\xc2\x9b" "31", "a" },
		{ "bell\x07 nul-less\x01\x7f", "bell nul-less" },
		{ "zero\xe2\x80\x8bwidth \xe2\x80\xaeturned\xe2\x80\xac", "zerowidth turned" },
		{ "tag\xf3\xa0\x81\xa9\xf3\xa0\x81\xa7", "tag" },
		{ "1\xcd\x8f" "2\xe1\x85\x9f\xe1\x85\xa0" "3\xe1\x9e\xb4\xe1\x9e\xb5" "4\xef\xbe\xa0" "5", "12345" },
		{ "1\xf0\x9d\x85\xb3" "2\xf0\x9d\x85\xba" "3\xe3\x85\xa4" "4\xe1\xa0\x8b\xe1\xa0\x8f" "5", "12345" },
		/* beside them: letters and marks that are seen */
		{ "\xcd\x8e\xcd\x90\xe1\x85\x9e\xe1\x9e\xb6\xf0\x9d\x85\xbb\xef\xbe\xa1",
		  "\xcd\x8e\xcd\x90\xe1\x85\x9e\xe1\x9e\xb6\xf0\x9d\x85\xbb\xef\xbe\xa1" },
		{ "bad\xff utf", "bad\xef\xbf\xbd utf" },
		{ "Z\xc3\xbcrich \xf0\x9f\x9b\xa9", "Z\xc3\xbcrich \xf0\x9f\x9b\xa9" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_str_eq(mcp_clean(a, rows[i].in, strlen(rows[i].in), 1000), rows[i].out, "row %zu", i);
	cr_expect_str_eq(mcp_clean(a, "Z\xc3\xbcrich", 7, 2), "Z");
	cr_expect_str_eq(mcp_clean_line(a, "a\n[b](http://c) <i>", 20, 100), "a (b)(http://c) (i)");
	arena_free(a);
}

TEST(mcp_clean, bounds_trees)
{
	struct arena *a = arena_new();
	struct json_object *o = parse(a, "{\"a\":[1,2,{\"b\":\"x\\u001b[1my\"}],\"c\":{\"d\":{\"e\":{}}}}");
	struct mcp_bounds wide = { .depth = 20, .values = 100, .text = 100, .bytes = 1000 };
	struct mcp_bounds flat = { .depth = 2, .values = 100, .text = 100, .bytes = 1000 };
	struct mcp_bounds few = { .depth = 20, .values = 4, .text = 100, .bytes = 1000 };
	struct mcp_bounds small = { .depth = 20, .values = 100, .text = 100, .bytes = 20 };

	cr_expect_str_eq(jsn_text(a, mcp_clean_json(a, o, &wide), JSN_PLAIN),
	    "{\"a\":[1,2,{\"b\":\"xy\"}],\"c\":{\"d\":{\"e\":{}}}}");
	cr_expect(!wide.cut);
	cr_expect_str_eq(jsn_text(a, mcp_clean_json(a, o, &flat), JSN_PLAIN), "{\"a\":[1,2,{}],\"c\":{\"d\":{}}}");
	cr_expect(flat.cut);
	cr_expect_str_eq(jsn_text(a, mcp_clean_json(a, o, &few), JSN_PLAIN), "{\"a\":[1,2]}");
	cr_expect(few.cut);
	(void)mcp_clean_json(a, o, &small);
	cr_expect(small.cut);
	arena_free(a);
}

/* ---- accepted tools --------------------------------------------------------------------------------- */

#define TOOL "{\"name\":\"get_report\",\"title\":\"Report\",\"description\":\"Says \\u001b[1mit.\"," \
	"\"inputSchema\":{\"type\":\"object\",\"properties\":{\"station\":{\"type\":\"string\"}},\"required\":[\"station\"]}"

TEST(mcp_pins, tell_a_changed_tool)
{
	static const struct { const char *json; bool same; } rows[] = {
		{ TOOL "}", true },
		{ TOOL ",\"annotations\":{\"readOnlyHint\":true},\"_meta\":{}}", true },
		{ "{\"inputSchema\":{\"required\":[\"station\"],\"properties\":{\"station\":{\"type\":\"string\"}},"
		  "\"type\":\"object\"},\"description\":\"Says \\u001b[1mit.\",\"title\":\"Report\",\"name\":\"get_report\"}", true },
		{ TOOL ",\"outputSchema\":{\"type\":\"object\"}}", false },
		{ "{\"name\":\"get_report\",\"title\":\"Report\",\"description\":\"Says it.\",\"inputSchema\":{\"type\":\"object\","
		  "\"properties\":{\"station\":{\"type\":\"string\"}},\"required\":[\"station\"]}}", false },
	};
	struct arena *a = arena_new();
	struct mcp_pin first, now;
	struct err e = { 0 };

	TEST_OK(mcp_pin_make(&first, a, parse(a, rows[0].json), &e), e);
	cr_expect_str_eq(first.description, "Says it.");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST_OK(mcp_pin_make(&now, a, parse(a, rows[i].json), &e), e);
		cr_expect_eq(streq(now.hash, first.hash), rows[i].same, "row %zu", i);
	}
	arena_free(a);
}

TEST(mcp_pins, refuse_what_cannot_be_used)
{
	static const char *const rows[] = {
		"{}", "{\"name\":\"a b\",\"inputSchema\":{\"type\":\"object\"}}", "{\"name\":\"a\"}",
		"{\"name\":\"a\",\"inputSchema\":{\"type\":\"array\"}}", "{\"name\":\"a\",\"inputSchema\":{}}",
		"{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"object\",\"x-mcp-header\":\"X\"}}}}",
		"{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\",\"x-mcp-header\":\"X y\"}}}}",
		"{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\",\"x-mcp-header\":\"X\"},"
		    "\"q\":{\"type\":\"string\",\"x-mcp-header\":\"x\"}}}}",
		"{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"array\",\"items\":"
		    "{\"type\":\"string\",\"x-mcp-header\":\"X\"}}}}}",
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct mcp_pin pin;
		struct err e = { 0 };
		cr_expect_eq(mcp_pin_make(&pin, a, parse(a, rows[i]), &e), ERR_UPSTREAM, "row %zu", i);
	}
	arena_free(a);
}

TEST(mcp_pins, are_read_as_they_were_written)
{
	char *dir = test_mkdtemp(), path[600];
	struct arena *a = arena_new();
	struct mcp_pin pin;
	struct mcp_pins *read, written = { "wx", &pin, 1 };
	struct err e = { 0 };
	size_t n;

	snprintf(path, sizeof(path), "%s/deep/pins.json", dir);
	TEST_OK(mcp_pins_read(&read, &n, a, path, &e), e);
	cr_expect_eq(n, 0);
	TEST_OK(mcp_pin_make(&pin, a, parse(a, TOOL ",\"outputSchema\":{\"type\":\"object\"}}"), &e), e);
	TEST_OK(mcp_pins_write(&written, 1, path, &e), e);
	TEST_OK(mcp_pins_read(&read, &n, a, path, &e), e);
	const struct mcp_pin *again = mcp_pin_find(mcp_pins_of(read, n, "wx"), "get_report");
	cr_assert_not_null(again);
	cr_expect_str_eq(again->hash, pin.hash);
	cr_expect_str_eq(again->schema, pin.schema);
	cr_expect_str_eq(again->output, pin.output);
	cr_expect_null(mcp_pins_of(read, n, "other"));
	FILE *f = fopen(path, "w");
	fputs("{\"format\":2}", f);
	fclose(f);
	cr_expect_eq(mcp_pins_read(&read, &n, a, path, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "mcp-client pin"), "%s", e.msg);
	test_rmdir(dir);
	arena_free(a);
}

TEST(mcp_headers, repeat_arguments)
{
	struct arena *a = arena_new();
	struct json_object *schema = parse(a, "{\"type\":\"object\",\"properties\":{"
	    "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"},"
	    "\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"},\"none\":{\"type\":\"string\",\"x-mcp-header\":\"None\"},"
	    "\"in\":{\"type\":\"object\",\"properties\":{\"deep\":{\"type\":\"string\",\"x-mcp-header\":\"Deep\"}}}}}");
	const char *const *h = mcp_headers_of(a, schema, parse(a, "{\"region\":\"Hello, \\u4e16\\u754c\",\"n\":42,\"b\":true,"
	    "\"none\":null,\"in\":{\"deep\":\"us west 1\"}}"));
	static const char *const want[] = { "Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?=", "Mcp-Param-N: 42",
		"Mcp-Param-B: true", "Mcp-Param-Deep: us west 1" };

	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(h[i], want[i]);
	cr_expect_null(h[4]);
	arena_free(a);
}

/* ---- results ------------------------------------------------------------------------------------------- */

TEST(mcp_result, is_bounded_and_named)
{
	static const struct { const char *json; enum errcode code; const char *want; } rows[] = {
		{ "{\"content\":[{\"type\":\"text\",\"text\":\"Fine.\"}]}", OK, "\"text\":\"Fine.\"" },
		{ "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}],\"structuredContent\":{\"a\":1}}", OK,
		  "\"title\":\"Report\",\"data\":{\"a\":1}}" },
		{ "{\"content\":[{\"type\":\"text\",\"text\":\" [1,2] \"}]}", OK, "\"title\":\"Report\",\"data\":[1,2]}" },
		{ "{\"content\":[{\"type\":\"text\",\"text\":\"Words.\"}],\"structuredContent\":{\"a\":1}}", OK,
		  "\"text\":\"Words.\",\"data\":{\"a\":1}" },
		{ "{\"content\":[{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"},{\"type\":\"resource\","
		  "\"resource\":{\"uri\":\"x:y\",\"text\":\"inside\"}}]}", OK,
		  "\"text\":\"inside\",\"parts\":[{\"type\":\"image\",\"mime_type\":\"image/png\",\"bytes\":3}]" },
		{ "{\"content\":[],\"structuredContent\":{}}", OK, "\"data\":{}" },
		{ "{\"content\":\"no\"}", ERR_UPSTREAM, "no list" },
		{ "{\"content\":[{\"type\":\"text\",\"text\":\"No such [station](x).\"}],\"isError\":true}", OK,
		  "{\"source\":\"wx\",\"tool\":\"get_report\",\"title\":\"Report\",\"failed\":true,"
		  "\"text\":\"No such (station)(x).\"}" },
		{ "{\"content\":[],\"isError\":true}", ERR_TOOL, "the external service wx says that it failed" },
	};
	const struct mcp_remote server = { .name = "wx" };
	const struct mcp_pin pin = { .name = "get_report", .title = "Report" };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *out = NULL;
		struct err e = { 0 };
		cr_expect_eq(mcp_result_make(&out, a, &server, &pin, parse(a, rows[i].json), &e), rows[i].code, "row %zu", i);
		const char *said = rows[i].code == OK ? jsn_text(a, out, JSN_PLAIN) : e.msg;
		cr_expect_not_null(strstr(said, rows[i].want), "row %zu: %s", i, said);
	}
	arena_free(a);
}

TEST(mcp_result, says_that_it_was_shortened)
{
	const struct mcp_remote server = { .name = "wx" };
	const struct mcp_pin pin = { .name = "get_report" };
	struct arena *a = arena_new();
	struct json_object *o = jsn_object(a), *list = json_object_new_array(), *block = jsn_new(), *out;
	char *text = arena_alloc(a, MCP_TEXT_MAX + 10);
	struct err e = { 0 };

	memset(text, 'x', MCP_TEXT_MAX + 5);
	jsn_add_str(block, "type", "text");
	jsn_add_str(block, "text", text);
	jsn_push(list, block);
	jsn_add(o, "content", list);
	TEST_OK(mcp_result_make(&out, a, &server, &pin, o, &e), e);
	cr_expect(jsn_get_bool(out, "shortened", false));
	cr_expect_eq(strlen(jsn_get_str(out, "text", "")), MCP_TEXT_MAX);
	cr_expect_str_eq(jsn_get_str(out, "title", ""), "get report");
	arena_free(a);
}

/* ---- standard error of a program --------------------------------------------------------------------------- */

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)) != NULL; p++)
		n++;
	return n;
}

static void say(struct mcp_words *w, int lines, int64_t now_ms)
{
	static const char line[] = "it \x1b[1msays something\n";

	for (int i = 0; i < lines; i++)
		mcp_words_take(w, line, sizeof(line) - 1, now_ms);
}

/* What is logged while a program says much. */
static const char *logged_words(struct arena *a, const char *level)
{
	char *dir = test_mkdtemp(), path[600];
	struct mcp_words w;
	struct buf log;
	struct err e = { 0 };

	snprintf(path, sizeof(path), "%s/log", dir);
	log_level_set(level);
	cr_assert(log_open(path));
	mcp_words_init(&w, "wx");
	say(&w, 1000, 100000);
	say(&w, 1, 159999);
	say(&w, 2, 160000);
	mcp_words_take(&w, "\n\nlast words", 12, 160000);
	cr_expect_str_eq(mcp_words_last(&w, a, 160000), "last words");
	mcp_words_release(&w);
	cr_assert(log_open(NULL));
	log_level_set("INFO");
	buf_init(&log, 1 << 20);
	TEST_OK(buf_load(&log, path, &e), e);
	const char *text = arena_strdup(a, log.p);
	buf_release(&log);
	test_rmdir(dir);
	return text;
}

TEST(mcp_words, a_program_that_says_much_does_not_fill_the_log)
{
	struct arena *a = arena_new();
	const char *log = logged_words(a, "DEBUG");

	cr_expect_eq(count(log, "mcp_child_says server=wx text=\"it says something\""), 20 + 2, "%s", log);
	cr_expect_eq(count(log, "left_out="), 1);
	cr_expect_eq(count(log, "mcp_child_says server=wx left_out=981\n"), 1, "%s", log);
	cr_expect_eq(count(log, "text=\"last words\""), 1, "%s", log);
	/* it may hold anything, so the usual log has none of it */
	cr_expect_str_eq(logged_words(a, "INFO"), "");
	arena_free(a);
}

/* ---- a server that is a program -------------------------------------------------------------------------- */

#define REPLY(what) "while read -r line; do id=$(printf %s \"$line\" | sed -n 's/.*\"id\":\\([0-9]*\\).*/\\1/p'); " what " done"
#define RESULT "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"ok\":true}}\\n' \"$id\""

struct program {
	struct mcp_remote server;
	struct mcp_child *io;
	struct arena *a;
	int64_t start;
};

static void program_open(struct program *p, const char *script)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	struct err e = { 0 };

	*p = (struct program){ .a = arena_new() };
	const char **argv = arena_array(p->a, 4, sizeof(*argv));
	argv[0] = "/bin/sh";
	argv[1] = "-c";
	argv[2] = script;
	p->server = (struct mcp_remote){ .name = "p", .argv = argv, .env = env, .idle_ms = 60000 };
	p->io = mcp_child_new(&p->server, NULL);
	TEST_OK(mcp_child_start(p->io, &p->start, &e), e);
}

static void program_close(struct program *p)
{
	mcp_child_free(p->io);
	arena_free(p->a);
}

static enum errcode program_ask(struct program *p, const char *id, int64_t ms, struct mcp_answer *out,
    struct err *e)
{
	struct buf body;
	bool stopped;
	const struct mcp_exchange x = { .id = str_of(id), .method = "m", .body = &body, .ms = ms };

	buf_init(&body, 4096);
	mcp_put_request(&body, x.id, "m", NULL);
	enum errcode rc = mcp_child_ask(p->io, p->start, p->a, &x, out, &stopped, e);
	buf_release(&body);
	return rc;
}

TEST(mcp_child, answers_by_id, .timeout = 60)
{
	struct mcp_answer out;
	struct program p;
	struct err e = { 0 };

	/* a greeting, an answer to nobody, then ours */
	program_open(&p, "echo Welcome; " REPLY("printf '{\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{}}\\n'; " RESULT ";"));
	for (int i = 1; i < 4; i++) {
		TEST_OK(program_ask(&p, arena_printf(p.a, "%d", i), 30000, &out, &e), e);
		cr_expect(out.answered);
		cr_expect(jsn_get_bool(out.message.result, "ok", false));
	}
	program_close(&p);
}

TEST(mcp_child, tells_why_the_program_ended, .timeout = 60)
{
	struct mcp_answer out;
	struct program p;
	struct err e = { 0 };

	program_open(&p, "read -r line; echo first words >&2; echo last words >&2; exit 5");
	cr_expect_eq(program_ask(&p, "1", 30000, &out, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "status 5"), "%s", e.msg);
	cr_expect_not_null(strstr(e.msg, "last words"), "%s", e.msg);
	/* it is started again */
	const int64_t before = p.start;
	TEST_OK(mcp_child_start(p.io, &p.start, &e), e);
	cr_expect_gt(p.start, before);
	program_close(&p);
}

TEST(mcp_child, silence_has_an_end, .timeout = 60)
{
	struct mcp_answer out;
	struct program p;
	struct err e = { 0 };

	program_open(&p, "while read -r line; do :; done");
	cr_expect_eq(program_ask(&p, "1", 50, &out, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "no answer"), "%s", e.msg);
	program_close(&p);
}

TEST(mcp_child, a_line_without_end_is_the_end, .timeout = 60)
{
	struct mcp_answer out;
	struct program p;
	struct err e = { 0 };

	program_open(&p, "read -r line; exec cat /dev/zero");
	cr_expect_eq(program_ask(&p, "1", 30000, &out, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "too long"), "%s", e.msg);
	program_close(&p);
}

TEST(mcp_child, a_program_that_does_not_exist, .timeout = 60)
{
	static const char *const argv[] = { "/nonexistent/server", NULL }, *const env[] = { NULL };
	const struct mcp_remote s = { .name = "p", .argv = argv, .env = env };
	struct mcp_child *io = mcp_child_new(&s, NULL);
	struct err e = { 0 };
	int64_t start;

	cr_expect_eq(mcp_child_start(io, &start, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "/nonexistent/server cannot be started"), "%s", e.msg);
	mcp_child_free(io);
}

/* ---- the session, with a program ---------------------------------------------------------------------------- */

/* A legacy server in a few lines of shell: it ends when it is probed, as some do. */
static const char legacy_server[] = "while read -r line; do "
    "id=$(printf %s \"$line\" | sed -n 's/.*\"id\":\\([0-9]*\\).*/\\1/p'); "
    "case $line in "
    "*server/discover*) exit 1;; "
    "*notifications/*) ;; "
    "*'\"initialize\"'*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"protocolVersion\":\"2025-06-18\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}';; "
    "*tools/list*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"tools\":[" TOOL "}]}}';; "
    "*tools/call*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Fine.\"}]}}';; "
    "esac; done";

TEST(mcp_client, finds_out_the_era_and_calls, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", legacy_server, NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL }, *const allowed[] = { "get_report", "other" };
	const struct mcp_remote s = { .name = "wx", .argv = argv, .env = env, .allowed = allowed, .nallowed = 2,
		.connect_ms = 30000, .list_ms = 30000, .call_ms = 30000, .idle_ms = 60000 };
	struct arena *a = arena_new();
	struct mcp_pin pin;
	const struct mcp_pins pins = { "wx", &pin, 1 };
	const struct mcp_client_config config = { .server = &s, .pins = &pins };
	struct toolset table = { NULL, 0 };
	struct json_object *result = NULL;
	struct err e = { 0 };

	TEST_OK(mcp_pin_make(&pin, a, parse(a, TOOL "}"), &e), e);
	struct mcp_client *c = mcp_client_new(&config);
	cr_expect_eq(mcp_client_status(c).unseen, 1);
	TEST_OK(external_tools_add(&table, a, c, &e), e);
	cr_assert_eq(table.n, 1);
	const struct tool *t = table.tools[0];
	cr_expect_str_eq(t->name, "mcp__wx__get_report");
	cr_expect(t->ready(t->self));
	/* wrong arguments do not reach it */
	const struct tool_context ctx = { .table = table, .offered = table };
	cr_expect_eq(tool_call(&ctx, t, a, parse(a, "{\"place\":\"x\"}"), NULL, &result, &e), ERR_TOOL);
	cr_expect_not_null(strstr(e.msg, "station is required"), "%s", e.msg);
	cr_expect_null(mcp_client_status(c).version);
	TEST_OK(tool_call(&ctx, t, a, parse(a, "{\"station\":\"EGTF\"}"), NULL, &result, &e), e);
	cr_expect_str_eq(jsn_get_str(result, "text", ""), "Fine.");
	const struct mcp_status st = mcp_client_status(c);
	cr_expect_str_eq(st.version, "2025-06-18");
	cr_expect_eq(st.same, 1);
	mcp_client_free(c);
	arena_free(a);
}

TEST(mcp_client, refuses_a_changed_tool, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", legacy_server, NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL }, *const allowed[] = { "get_report" };
	const struct mcp_remote s = { .name = "wx", .argv = argv, .env = env, .allowed = allowed, .nallowed = 1,
		.connect_ms = 30000, .list_ms = 30000, .call_ms = 30000, .idle_ms = 60000, .era = MCP_CHOICE_LEGACY };
	struct arena *a = arena_new();
	struct mcp_pin pin;
	const struct mcp_pins pins = { "wx", &pin, 1 };
	const struct mcp_client_config config = { .server = &s, .pins = &pins };
	struct toolset table = { NULL, 0 };
	struct json_object *result = NULL;
	struct err e = { 0 };

	TEST_OK(mcp_pin_make(&pin, a, parse(a, TOOL ",\"outputSchema\":{\"type\":\"object\"}}"), &e), e);
	struct mcp_client *c = mcp_client_new(&config);
	TEST_OK(external_tools_add(&table, a, c, &e), e);
	const struct tool *t = table.tools[0];
	cr_expect_eq(mcp_client_call(c, &pin, a, NULL, NULL, &result, &e), ERR_TOOL);
	cr_expect_not_null(strstr(e.msg, "has changed"), "%s", e.msg);
	cr_expect(!t->ready(t->self));
	cr_expect_eq(toolset_ready(a, table).n, 0);
	/* a minute later it is offered again, and the next call looks whether it is back */
	c->listed_ms -= 61 * 1000;
	cr_expect(t->ready(t->self));
	TEST_OK(mcp_pin_make(&pin, a, parse(a, TOOL "}"), &e), e);
	TEST_OK(mcp_client_call(c, &pin, a, NULL, NULL, &result, &e), e);
	cr_expect_str_eq(jsn_get_str(result, "text", ""), "Fine.");
	cr_expect(t->ready(t->self));
	mcp_client_free(c);
	arena_free(a);
}

/* A list of many pages, each with many values in a tool. */
static const char large_server[] = "n=$(printf '0,%.0s' $(seq 90000))0; while read -r line; do "
    "id=$(printf %s \"$line\" | sed -n 's/.*\"id\":\\([0-9]*\\).*/\\1/p'); "
    "case $line in "
    "*notifications/*) ;; "
    "*'\"initialize\"'*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"protocolVersion\":\"2025-06-18\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}';; "
    "*tools/list*) echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"nextCursor\":\"more\",\"tools\":['"
        "'{\"name\":\"a\",\"x\":['$n']}]}}';; "
    "esac; done";

TEST(mcp_client, a_large_list_is_refused_early, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", large_server, NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const struct mcp_remote s = { .name = "wx", .argv = argv, .env = env, .connect_ms = 50000, .list_ms = 50000,
		.call_ms = 50000, .idle_ms = 60000, .era = MCP_CHOICE_LEGACY };
	const struct mcp_client_config config = { .server = &s };
	struct arena *a = arena_new();
	struct mcp_client *c = mcp_client_new(&config);
	struct json_object *tools;
	struct err e = { 0 };

	cr_expect_eq(mcp_client_list(c, a, NULL, &tools, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "too large"), "%s", e.msg);
	mcp_client_free(c);
	arena_free(a);
}

/* A program that needs more than a second for each answer. */
static const char slow_server[] = "while read -r line; do "
    "id=$(printf %s \"$line\" | sed -n 's/.*\"id\":\\([0-9]*\\).*/\\1/p'); "
    "case $line in "
    "*notifications/*) ;; "
    "*'\"initialize\"'*) sleep 1.2; echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"protocolVersion\":\"2025-06-18\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}';; "
    "*tools/list*) sleep 1.2; echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{\"tools\":[]}}';; "
    "esac; done";

TEST(mcp_client, the_limit_of_a_list_holds_for_the_opening_too, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", slow_server, NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const struct mcp_remote s = { .name = "wx", .argv = argv, .env = env, .connect_ms = 50000, .list_ms = 2000,
		.call_ms = 50000, .idle_ms = 60000, .era = MCP_CHOICE_LEGACY };
	const struct mcp_client_config config = { .server = &s };
	struct arena *a = arena_new();
	struct mcp_client *c = mcp_client_new(&config);
	struct json_object *tools;
	struct err e = { 0 };

	const int64_t start = clock_mono_ms();
	cr_expect_eq(mcp_client_list(c, a, NULL, &tools, &e), ERR_UPSTREAM);
	cr_expect_lt(clock_mono_ms() - start, 3000);
	cr_expect_not_null(strstr(e.msg, "no answer within"), "%s", e.msg);
	/* the session is open, so that the next list has all the time */
	TEST_OK(mcp_client_list(c, a, NULL, &tools, &e), e);
	mcp_client_free(c);
	arena_free(a);
}

TEST(mcp_client, rests_after_two_failures, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", "exit 1", NULL }, *const env[] = { NULL };
	const struct mcp_remote s = { .name = "wx", .argv = argv, .env = env, .list_ms = 30000, .call_ms = 30000,
		.idle_ms = 60000 };
	const struct mcp_client_config config = { .server = &s };
	struct arena *a = arena_new();
	struct json_object *tools;
	struct err e = { 0 };

	struct mcp_client *c = mcp_client_new(&config);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(mcp_client_list(c, a, NULL, &tools, &e), ERR_UPSTREAM);
		cr_expect_not_null(strstr(e.msg, "program ended"), "%s", e.msg);
	}
	cr_expect_eq(mcp_client_list(c, a, NULL, &tools, &e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(e.msg, "failed a moment ago"), "%s", e.msg);
	cr_expect_gt(mcp_client_status(c).rest_ms, 0);
	mcp_client_free(c);
	arena_free(a);
}

/* ---- names in the tool table ------------------------------------------------------------------------------ */

TEST(external_tools, long_and_odd_names_become_names_that_models_take)
{
	static const char *const allowed[] = { "a.b", "a_tool_with_a_name_that_is_much_longer_than_models_take_it_1",
		"a_tool_with_a_name_that_is_much_longer_than_models_take_it_2" };
	const struct mcp_remote s = { .name = "server", .argv = (const char *const[]){ "x", NULL }, .allowed = allowed,
		.nallowed = 3 };
	struct arena *a = arena_new();
	struct mcp_pin list[3];
	const struct mcp_pins pins = { "server", list, 3 };
	const struct mcp_client_config config = { .server = &s, .pins = &pins };
	struct toolset table = { NULL, 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < 3; i++)
		TEST_OK(mcp_pin_make(&list[i], a, parse(a, arena_printf(a,
		    "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\",\"$defs\":{\"d\":{}}}}", allowed[i])), &e), e);
	struct mcp_client *c = mcp_client_new(&config);
	TEST_OK(external_tools_add(&table, a, c, &e), e);
	cr_assert_eq(table.n, 3);
	cr_expect_str_eq(table.tools[0]->name, "mcp__server__a_b");
	cr_expect_eq(strlen(table.tools[1]->name), 64);
	cr_expect_str_neq(table.tools[1]->name, table.tools[2]->name);
	/* the schema is shown whole, and readers find the members that they rely on */
	cr_expect_str_eq(jsn_text(a, tool_schema(a, table.tools[0]), JSN_PLAIN),
	    "{\"type\":\"object\",\"$defs\":{\"d\":{}},\"properties\":{},\"required\":[]}");
	TEST_OK(tool_check(table.tools[0], parse(a, "{\"anything\":1}"), &e), e);
	mcp_client_free(c);
	arena_free(a);
}

TEST(external_tools, one_name_for_two_tools)
{
	static const char *const allowed[] = { "a.b", "a_b", "a_b", "c" };
	const struct mcp_remote s = { .name = "server", .argv = (const char *const[]){ "x", NULL }, .allowed = allowed,
		.nallowed = 4 };
	struct arena *a = arena_new();
	char *dir = test_mkdtemp(), path[600];
	struct mcp_pin list[3];
	const struct mcp_pins pins = { "server", list, 3 };
	const struct mcp_client_config config = { .server = &s, .pins = &pins };
	struct toolset table = { NULL, 0 };
	struct buf log;
	struct err e = { 0 };

	for (size_t i = 0; i < 3; i++)
		TEST_OK(mcp_pin_make(&list[i], a, parse(a, arena_printf(a, "{\"name\":\"%s\",\"title\":\"Title %zu\","
		    "\"inputSchema\":{\"type\":\"object\"}}", i == 2 ? "c" : allowed[i], i)), &e), e);
	snprintf(path, sizeof(path), "%s/log", dir);
	cr_assert(log_open(path));
	struct mcp_client *c = mcp_client_new(&config);
	TEST_OK(external_tools_add(&table, a, c, &e), e);
	cr_assert(log_open(NULL));
	cr_assert_eq(table.n, 2);
	cr_expect_str_eq(table.tools[1]->name, "mcp__server__c");
	cr_expect_null(external_tool_rival(table, a, "server", &list[0]));
	cr_expect_eq(external_tool_rival(table, a, "server", &list[1]), table.tools[0]);
	cr_expect_null(external_tool_rival(table, a, "server", &list[2]));
	buf_init(&log, 1 << 16);
	TEST_OK(buf_load(&log, path, &e), e);
	cr_expect_not_null(strstr(log.p, "mcp_tool_same_name server=server tool=a_b name=mcp__server__a_b "
	    "taken_by=\"Title 0\""), "%s", log.p);
	buf_release(&log);
	mcp_client_free(c);
	arena_free(a);
	test_rmdir(dir);
}

/* ---- children ------------------------------------------------------------------------------------------------ */

TEST(child, has_five_seconds_between_the_signals, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", "trap 'sleep 4; exit 7' TERM; echo; while :; do sleep 0.1; done",
		NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const struct child_config config = { .argv = argv, .env = env };
	struct child c;
	struct err e = { 0 };
	char byte;

	TEST_OK(child_start(&c, &config, &e), e);
	for (int i = 0; i < 1000 && read(c.out, &byte, 1) != 1; i++)
		clock_sleep_ms(10);
	cr_expect_eq(child_end(&c, 0), 7, "it ended by itself");
}

TEST(child, gets_no_other_files_and_ends, .timeout = 60)
{
	static const char *const argv[] = { "/bin/sh", "-c", "ls /proc/self/fd; trap '' TERM; while :; do sleep 0.1; done", NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	const struct child_config config = { .argv = argv, .env = env };
	int leak = open("/dev/null", O_RDONLY);       /* not close-on-exec */
	struct child c;
	struct err e = { 0 };
	char text[200];
	size_t n = 0;

	TEST_OK(child_start(&c, &config, &e), e);
	for (int i = 0; i < 1000 && memchr(text, '3', n) == NULL; i++) {
		ssize_t more = read(c.out, text + n, sizeof(text) - 1 - n);
		n += more > 0 ? (size_t)more : 0;
		clock_sleep_ms(10);
	}
	text[n] = '\0';
	/* its three, and the folder that ls reads */
	cr_expect_str_eq(text, "0\n1\n2\n3\n");
	const pid_t pid = c.pid;
	cr_expect_eq(child_end(&c, 0), -1);
	cr_expect_eq(kill(pid, 0), -1);
	close(leak);
}
