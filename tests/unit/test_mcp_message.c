/*
 * Messages of the Model Context Protocol: what is one, how ids are repeated, and values of headers.
 */
#include "tests/unit/test.h"

#include "base/buf.h"
#include "services/mcp_message.h"

static const struct {
	const char *text;
	enum mcp_kind kind;
	const char *id, *method;
} messages[] = {
	{ "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}", MCP_REQUEST, "0", "ping" },
	{ "{\"id\":\"\",\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{}}", MCP_REQUEST, "\"\"", "ping" },
	{ "{\"jsonrpc\":\"2.0\",\"id\": 123456789012345678901234567890 ,\"method\":\"x\"}", MCP_REQUEST,
	  "123456789012345678901234567890", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"x\",\"params\":{\"id\":9}}", MCP_REQUEST, "-7", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\\u0000\",\"method\":\"x\"}", MCP_REQUEST, "\"a\\\"b\\u0000\"", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", MCP_NOTIFICATION, "",
	  "notifications/initialized" },
	{ "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"id\":1}}", MCP_NOTIFICATION, "", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":null}", MCP_REQUEST, "1", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"error\":1}", MCP_REQUEST, "1", "x" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", MCP_RESULT, "1", NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}", MCP_ERROR, "1", NULL },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"no\"}}", MCP_ERROR, "", NULL },
	{ "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"no\"}}", MCP_ERROR, "", NULL },
};

TEST(mcp_message, read)
{
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct arena *a = arena_new();
		struct mcp_message m;
		struct mcp_fault f;
		cr_assert_eq(mcp_message_read(&m, a, messages[i].text, strlen(messages[i].text), &f), OK, "%s: %s",
		    messages[i].text, f.said);
		cr_assert_eq(m.kind, messages[i].kind, "%s", messages[i].text);
		cr_assert(str_eq(m.id, messages[i].id), "%s: id %.*s", messages[i].text, (int)m.id.n, m.id.p);
		cr_assert(streq(m.method, messages[i].method), "%s", messages[i].text);
		arena_free(a);
	}
}

static const struct {
	const char *text;
	int code;
	const char *id, *said;
} faults[] = {
	{ "", MCP_PARSE_ERROR, "", "not JSON" },
	{ "{", MCP_PARSE_ERROR, "", "not JSON" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", MCP_PARSE_ERROR, "", "UTF-8" },
	{ "[]", MCP_INVALID_REQUEST, "", "one by one" },
	{ "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", MCP_INVALID_REQUEST, "", "one by one" },
	{ "7", MCP_INVALID_REQUEST, "", "an object" },
	{ "{\"id\":1,\"method\":\"x\"}", MCP_INVALID_REQUEST, "1", "jsonrpc" },
	{ "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}", MCP_INVALID_REQUEST, "1", "jsonrpc" },
	{ "{\"jsonrpc\":2.0,\"id\":\"x\",\"method\":\"x\"}", MCP_INVALID_REQUEST, "\"x\"", "jsonrpc" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\",\"error\":1}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1e3,\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"i\\u0064\":1,\"method\":\"x\"}", MCP_INVALID_REQUEST, "", "\"id\"" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"x\"}", MCP_INVALID_REQUEST, "2", "twice" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":[{\"b\":1,\"b\":2}]}}",
	  MCP_INVALID_REQUEST, "1", "twice" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", MCP_INVALID_REQUEST, "1", "method" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\\u0000x\"}", MCP_INVALID_REQUEST, "1", "method" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[1]}", MCP_INVALID_REQUEST, "1", "params" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1}", MCP_INVALID_REQUEST, "1", "method" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", MCP_INVALID_REQUEST, "1", "one of" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}", MCP_INVALID_REQUEST, "1", "result" },
	{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\"}}", MCP_INVALID_REQUEST, "1", "error" },
};

TEST(mcp_message, faults)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct arena *a = arena_new();
		struct mcp_message m;
		struct mcp_fault f;
		cr_assert_eq(mcp_message_read(&m, a, faults[i].text, strlen(faults[i].text), &f), ERR_INPUT, "%s",
		    faults[i].text);
		cr_assert_eq((int)f.code, faults[i].code, "%s: %d", faults[i].text, (int)f.code);
		cr_assert(str_eq(f.id, faults[i].id), "%s: id %.*s", faults[i].text, (int)f.id.n, f.id.p);
		cr_assert(strstr(f.said, faults[i].said) != NULL, "%s: %s", faults[i].text, f.said);
		arena_free(a);
	}
}

TEST(mcp_message, depth_and_long_ids)
{
	struct arena *a = arena_new();
	struct mcp_message m;
	struct mcp_fault f;
	struct buf b;

	buf_init(&b, 1 << 20);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":");
	for (int i = 0; i < 1000; i++)
		buf_putc(&b, '[');
	cr_assert_eq(mcp_message_read(&m, a, b.p, b.n, &f), ERR_INPUT);
	cr_assert_eq(f.code, MCP_PARSE_ERROR);

	buf_clear(&b);
	buf_puts(&b, "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":\"");
	for (int i = 0; i < MCP_ID_MAX; i++)
		buf_putc(&b, 'i');
	buf_puts(&b, "\"}");
	cr_assert_eq(mcp_message_read(&m, a, b.p, b.n, &f), ERR_INPUT);
	cr_assert_eq(f.code, MCP_INVALID_REQUEST);
	cr_assert_eq(f.id.n, 0);
	buf_release(&b);
	arena_free(a);
}

TEST(mcp_message, same_id)
{
	struct arena *a = arena_new();

	cr_assert(mcp_same_id(a, STR("7"), STR("7")));
	cr_assert(mcp_same_id(a, STR("\"a\""), STR("\"\\u0061\"")));
	cr_assert(!mcp_same_id(a, STR("7"), STR("\"7\"")));
	cr_assert(!mcp_same_id(a, STR("7"), STR("70")));
	cr_assert(!mcp_same_id(a, STR("\"a\""), STR("\"a\\u0000\"")));
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "text", "x\"y");
	jsn_add_int(o, "number", -3);
	jsn_add_num(o, "fraction", 0.5);
	cr_assert(str_eq(mcp_id_of(a, jsn_get(o, "text")), "\"x\\\"y\""));
	cr_assert(str_eq(mcp_id_of(a, jsn_get(o, "number")), "-3"));
	cr_assert_eq(mcp_id_of(a, jsn_get(o, "fraction")).n, 0);
	cr_assert_eq(mcp_id_of(a, NULL).n, 0);
	arena_free(a);
}

TEST(mcp_message, written)
{
	struct arena *a = arena_new();
	struct json_object *o = jsn_object(a);
	struct buf b;

	buf_init(&b, 4096);
	jsn_add_str(o, "a", "line\nbreak");
	mcp_put_request(&b, STR("\"r1\""), MCP_PING, NULL);
	mcp_put_notification(&b, MCP_PROGRESS, o);
	mcp_put_result(&b, STR("0"), o);
	mcp_put_result_text(&b, STR("1"), "{}", 2);
	mcp_put_error(&b, (struct str){ NULL, 0 }, MCP_PARSE_ERROR, "a \"b\"", NULL);
	mcp_put_error(&b, STR("2"), MCP_BAD_REVISION, "no", o);
	cr_assert_str_eq(b.p, "{\"jsonrpc\":\"2.0\",\"id\":\"r1\",\"method\":\"ping\"}"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"a\":\"line\\nbreak\"}}"
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"a\":\"line\\nbreak\"}}"
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"a \\\"b\\\"\"}}"
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"a\":"
	    "\"line\\nbreak\"}}}");
	buf_release(&b);
	arena_free(a);
}

static const struct {
	const char *text, *value;
} headers[] = {
	{ "us west 1", "us west 1" },
	{ "us-west1", "us-west1" },
	{ "", "" },
	{ "Hello, \xe4\xb8\x96\xe7\x95\x8c", "=?base64?SGVsbG8sIOS4lueVjA==?=" },
	{ " padded ", "=?base64?IHBhZGRlZCA=?=" },
	{ "line1\nline2", "=?base64?bGluZTEKbGluZTI=?=" },
	{ "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=" },
	{ "a\tb", "=?base64?YQli?=" },
};

TEST(mcp_message, headers)
{
	struct arena *a = arena_new();
	struct str out;

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		cr_assert_str_eq(mcp_header_write(a, headers[i].text, strlen(headers[i].text)), headers[i].value);
		const char *padded = arena_printf(a, " \t%s \t", headers[i].value);
		cr_assert_eq(mcp_header_read(a, padded, &out), OK);
		cr_assert(str_eq(out, headers[i].text), "%s", headers[i].value);
	}
	cr_assert_eq(mcp_header_read(a, "=?base64?" "?=", &out), OK);
	cr_assert_eq(out.n, 0);
	cr_assert_eq(mcp_header_read(a, "=?BASE64?YQ==?=", &out), OK);
	cr_assert(str_eq(out, "=?BASE64?YQ==?="), "only the exact form is read");
	static const char *const broken[] = { "=?base64?YQ?=", "=?base64?Y===?=", "=?base64?YQ==YQ==?=", "=?base64?YR==?=",
		"=?base64?Y*==?=", "=?base64?YQ= ?=", "=?base64?YWJ=?=" };
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		cr_assert_eq(mcp_header_read(a, broken[i], &out), ERR_INPUT, "%s", broken[i]);
	arena_free(a);
}

TEST(mcp_message, revisions)
{
	cr_assert_eq(mcp_revision_find("2026-07-28")->era, MCP_MODERN);
	cr_assert_eq(mcp_revision_find("2024-11-05")->era, MCP_LEGACY);
	cr_assert_null(mcp_revision_find("2031-01-01"));
	cr_assert_null(mcp_revision_find(NULL));
	cr_assert_str_eq(mcp_named_by(MCP_RESOURCES_READ), "uri");
	cr_assert_null(mcp_named_by(MCP_TOOLS_LIST));
}
