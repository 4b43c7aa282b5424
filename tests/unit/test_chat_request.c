/*
 * Validation of a chat request: what is accepted, and each fault in FastAPI's terms.
 */
#include "tests/unit/test.h"

#include "base/buf.h"
#include "edges/chat_request.h"

static const struct persona known[] = { { .id = "ifr_touring_sr22" }, { .id = "p" } };
static const char *const ids[] = { "ifr_touring_sr22", "p", "vfr", NULL };
static const struct personas personas = { .list = known, .n = 2, .standard = known, .ids = ids };
static const struct chat_limits limits = { .messages = 4, .message_bytes = 32,
	.personas = &personas };

static enum errcode parse(struct arena *a, const char *text, struct chat_request *r,
    char **detail)
{
	struct json_object *list;
	struct str body = { text, strlen(text) };
	enum errcode rc = chat_request_parse(a, body, &limits, r, &list);
	*detail = jsn_text(a, list, JSN_PLAIN);
	return rc;
}

#define ASK "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]"

#define NUL_FAULT(place, input) \
	"[{\"type\":\"value_error\",\"loc\":[\"body\"," place "],\"msg\":\"Value error, the text must not " \
	"contain NUL characters\",\"input\":\"" input "\",\"ctx\":{\"error\":\"the text must not contain " \
	"NUL characters\"}}]"

static const struct {
	const char *body, *detail;
} faults[] = {
	{ "",
	  "[{\"type\":\"missing\",\"loc\":[\"body\"],\"msg\":\"Field required\",\"input\":null}]" },
	{ "hello",
	  "[{\"type\":\"json_invalid\",\"loc\":[\"body\",0],\"msg\":\"JSON decode error\","
	  "\"input\":{},\"ctx\":{\"error\":\"Expecting value\"}}]" },
	{ "[1]",
	  "[{\"type\":\"model_attributes_type\",\"loc\":[\"body\"],\"msg\":\"Input should be a valid "
	  "dictionary or object to extract fields from\",\"input\":[1]}]" },
	{ "{}",
	  "[{\"type\":\"too_short\",\"loc\":[\"body\",\"messages\"],\"msg\":\"List should have at "
	  "least 1 item after validation, not 0\",\"input\":[],\"ctx\":{\"field_type\":\"List\","
	  "\"min_length\":1,\"actual_length\":0}}]" },
	{ "{\"messages\":null}",
	  "[{\"type\":\"list_type\",\"loc\":[\"body\",\"messages\"],\"msg\":\"Input should be a valid "
	  "list\",\"input\":null}]" },
	{ "{\"messages\":[\"hi\"]}",
	  "[{\"type\":\"model_attributes_type\",\"loc\":[\"body\",\"messages\",0],\"msg\":\"Input "
	  "should be a valid dictionary or object to extract fields from\",\"input\":\"hi\"}]" },
	{ "{\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}",
	  "[{\"type\":\"literal_error\",\"loc\":[\"body\",\"messages\",0,\"role\"],\"msg\":\"Input "
	  "should be 'system', 'user' or 'assistant'\",\"input\":\"tool\",\"ctx\":{\"expected\":"
	  "\"'system', 'user' or 'assistant'\"}}]" },
	{ "{" ASK ",\"persona_id\":\"astronaut\"}",
	  "[{\"type\":\"literal_error\",\"loc\":[\"body\",\"persona_id\"],\"msg\":\"Input should be "
	  "'ifr_touring_sr22', 'p' or 'vfr'\",\"input\":\"astronaut\",\"ctx\":{\"expected\":"
	  "\"'ifr_touring_sr22', 'p' or 'vfr'\"}}]" },
	{ "{" ASK ",\"multitask_strategy\":\"interrupt\"}",
	  "[{\"type\":\"literal_error\",\"loc\":[\"body\",\"multitask_strategy\"],\"msg\":\"Input should be "
	  "'reject' or 'enqueue'\",\"input\":\"interrupt\",\"ctx\":{\"expected\":\"'reject' or 'enqueue'\"}}]" },
	{ "{" ASK ",\"multitask_strategy\":7}",
	  "[{\"type\":\"literal_error\",\"loc\":[\"body\",\"multitask_strategy\"],\"msg\":\"Input should be "
	  "'reject' or 'enqueue'\",\"input\":7,\"ctx\":{\"expected\":\"'reject' or 'enqueue'\"}}]" },
	{ "{\"messages\":[{\"content\":null}]}",
	  "[{\"type\":\"missing\",\"loc\":[\"body\",\"messages\",0,\"role\"],\"msg\":\"Field "
	  "required\",\"input\":{\"content\":null}},"
	  "{\"type\":\"string_type\",\"loc\":[\"body\",\"messages\",0,\"content\"],\"msg\":\"Input "
	  "should be a valid string\",\"input\":null}]" },
	/* all at once, in field order, whatever order the client used */
	{ "{\"thread_id\":7,\"persona_id\":[],\"messages\":[{\"role\":\"user\"}]}",
	  "[{\"type\":\"missing\",\"loc\":[\"body\",\"messages\",0,\"content\"],\"msg\":\"Field "
	  "required\",\"input\":{\"role\":\"user\"}},"
	  "{\"type\":\"string_type\",\"loc\":[\"body\",\"persona_id\"],\"msg\":\"Input should be a "
	  "valid string\",\"input\":[]},"
	  "{\"type\":\"string_type\",\"loc\":[\"body\",\"thread_id\"],\"msg\":\"Input should be a "
	  "valid string\",\"input\":7}]" },
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"thread_id\":\"a/b\"}",
	  "[{\"type\":\"string_pattern_mismatch\",\"loc\":[\"body\",\"thread_id\"],\"msg\":\"String "
	  "should match pattern '^[A-Za-z0-9_-]{1,128}$'\",\"input\":\"a/b\",\"ctx\":{\"pattern\":"
	  "\"^[A-Za-z0-9_-]{1,128}$\"}}]" },
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"a\\u0000b\"}]}",
	  "[{\"type\":\"value_error\",\"loc\":[\"body\",\"messages\",0,\"content\"],\"msg\":\"Value "
	  "error, the text must not contain NUL characters\",\"input\":\"a\\u0000b\",\"ctx\":{"
	  "\"error\":\"the text must not contain NUL characters\"}}]" },
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"123456789012345678901234567890123\"}]}",
	  "[{\"type\":\"string_too_long\",\"loc\":[\"body\",\"messages\",0,\"content\"],\"msg\":"
	  "\"String should have at most 32 bytes\",\"input\":\"123456789012345678901234567890123\","
	  "\"ctx\":{\"max_length\":32}}]" },
	/* what only begins like something that is allowed */
	{ "{\"messages\":[{\"role\":\"user\\u0000x\",\"content\":\"x\"}]}",
	  NUL_FAULT("\"messages\",0,\"role\"", "user\\u0000x") },
	{ "{\"messages\":[{\"role\":\"\\u0000\",\"content\":\"x\"}]}",
	  NUL_FAULT("\"messages\",0,\"role\"", "\\u0000") },
	{ "{" ASK ",\"persona_id\":\"p\\u0000x\"}", NUL_FAULT("\"persona_id\"", "p\\u0000x") },
	{ "{" ASK ",\"thread_id\":\"\\u0000x\"}", NUL_FAULT("\"thread_id\"", "\\u0000x") },
	{ "{" ASK ",\"session_id\":\"s\\u0000x\"}", NUL_FAULT("\"session_id\"", "s\\u0000x") },
	{ "{" ASK ",\"thread_id\\u0000\":\"t\"}",
	  "[{\"type\":\"json_invalid\",\"loc\":[\"body\",54],\"msg\":\"JSON decode error\",\"input\":{},"
	  "\"ctx\":{\"error\":\"Property name with a NUL character at\"}}]" },
	/* nobody asked anything */
	{ "{\"messages\":[{\"role\":\"system\",\"content\":\"x\"}]}",
	  "[{\"type\":\"value_error\",\"loc\":[\"body\",\"messages\"],\"msg\":\"Value error, the last "
	  "message must be the user's\",\"input\":[{\"role\":\"system\",\"content\":\"x\"}],\"ctx\":{"
	  "\"error\":\"the last message must be the user's\"}}]" },
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":\"assistant\","
	  "\"content\":\"y\"}]}",
	  "[{\"type\":\"value_error\",\"loc\":[\"body\",\"messages\"],\"msg\":\"Value error, the last "
	  "message must be the user's\",\"input\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":"
	  "\"assistant\",\"content\":\"y\"}],\"ctx\":{\"error\":\"the last message must be the "
	  "user's\"}}]" },
};

TEST(chat_request, faults)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct arena *a = arena_new();
		struct chat_request r;
		char *detail;
		cr_assert_eq(parse(a, faults[i].body, &r, &detail), ERR_INPUT, "%s", faults[i].body);
		cr_assert_str_eq(detail, faults[i].detail, "%s\ngave %s", faults[i].body, detail);
		arena_free(a);
	}
}

static const struct {
	const char *body, *persona, *thread, *session;
} accepted[] = {
	{ "{" ASK "}", "ifr_touring_sr22", NULL, NULL },
	{ "{" ASK ",\"persona_id\":null,\"thread_id\":null}", NULL, NULL, NULL },
	{ "{" ASK ",\"persona_id\":\"\",\"thread_id\":\"\"}", NULL, NULL, NULL },
	{ "{" ASK ",\"persona_id\":\"p\",\"thread_id\":\"thread_0aZ-\",\"session_id\":\"s_1\"}",
	  "p", "thread_0aZ-", "s_1" },
	/* the original ignores what it does not know, and so its clients send what they like */
	{ "{" ASK ",\"session_id\":\"no good\",\"other\":[1]}", "ifr_touring_sr22", NULL, NULL },
	{ "{" ASK ",\"session_id\":5}", "ifr_touring_sr22", NULL, NULL },
};

TEST(chat_request, accepted)
{
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		struct arena *a = arena_new();
		struct chat_request r;
		char *detail;
		cr_assert_eq(parse(a, accepted[i].body, &r, &detail), OK, "%s: %s",
		    accepted[i].body, detail);
		cr_assert_eq(r.nmessages, 1);
		cr_assert(streq(r.persona_id, accepted[i].persona), "%s", accepted[i].body);
		cr_assert(streq(r.thread_id, accepted[i].thread), "%s", accepted[i].body);
		cr_assert(streq(r.session_id, accepted[i].session), "%s", accepted[i].body);
		arena_free(a);
	}
}

TEST(chat_request, system_messages_are_left_out)
{
	struct arena *a = arena_new();
	struct chat_request r;
	char *detail;
	cr_assert_eq(parse(a, "{\"messages\":[{\"role\":\"system\",\"content\":\"obey\"},"
	    "{\"role\":\"assistant\",\"content\":\"hello\"},{\"role\":\"user\",\"content\":\"q\"}]}",
	    &r, &detail), OK);
	cr_assert_eq(r.nsystem, 1);
	cr_assert_eq(r.nmessages, 2);
	cr_assert_str_eq(r.messages[0].role, "assistant");
	cr_assert_str_eq(r.messages[1].content, "q");
	arena_free(a);
}

#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}"
#define ASSISTANT(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define LONG "12345678901234567890123456789012345"

/* A page keeps what was refused, and all that it ever showed: it must not be locked out by it. */
static const struct {
	const char *messages, *read;           /* texts, "|" between them */
} kept[] = {
	{ USER(LONG) "," USER("short"), "12345678901234567890123456789…|short" },
	{ USER(LONG) "," ASSISTANT(LONG) "," USER("a"),
	  "12345678901234567890123456789…|12345678901234567890123456789…|a" },
	{ USER("1234567890123456789012345678€€€") "," USER("a"), "1234567890123456789012345678…|a" },
	{ USER("12345678901234567890123456789012") "," USER("a"), "12345678901234567890123456789012|a" },
	{ USER("a\\u0000b\\u0000") "," USER("c"), "a b |c" },
	{ USER("1") "," USER("2") "," USER("3") "," USER("4") "," USER("5"), "2|3|4|5" },
	{ "17,null,{\"role\":5}," USER("2") "," USER("3") "," USER("4") "," USER("5"), "2|3|4|5" },
};

TEST(chat_request, old_messages_are_made_to_fit)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		struct arena *a = arena_new();
		struct chat_request r;
		const char *read = "";
		char *detail;
		char *body = arena_printf(a, "{\"messages\":[%s]}", kept[i].messages);
		cr_assert_eq(parse(a, body, &r, &detail), OK, "%s: %s", body, detail);
		for (size_t k = 0; k < r.nmessages; k++) {
			read = arena_printf(a, "%s%s%s", read, k > 0 ? "|" : "", r.messages[k].content);
			cr_expect_leq(strlen(r.messages[k].content), limits.message_bytes);
		}
		cr_expect_str_eq(read, kept[i].read, "%s", body);
		arena_free(a);
	}
}

/* The original page sends the newest message twice: as its history's last and once more. */
TEST(chat_request, only_the_newest_message_is_refused)
{
	struct arena *a = arena_new();
	struct chat_request r;
	char *detail;
	cr_assert_eq(parse(a, "{\"messages\":[" USER(LONG) "," USER(LONG) "]}", &r, &detail), ERR_INPUT);
	cr_expect_str_eq(detail, "[{\"type\":\"string_too_long\",\"loc\":[\"body\",\"messages\",1,"
	    "\"content\"],\"msg\":\"String should have at most 32 bytes\",\"input\":\"" LONG "\",\"ctx\":{"
	    "\"max_length\":32}}]");
	arena_free(a);
}

/* A small request must not be able to ask for a large answer. */
TEST(chat_request, echo_is_bounded)
{
	static const struct chat_limits wide = { .messages = 100000, .message_bytes = 64 };
	struct arena *a = arena_new();
	struct chat_request r;
	struct json_object *list;
	struct buf b;

	buf_init(&b, 8 << 20);
	buf_puts(&b, "{\"messages\":[");
	for (int i = 0; i < 2000; i++) {
		buf_printf(&b, "%s{\"role\":\"", i > 0 ? "," : "");
		for (int k = 0; k < 300; k++)
			buf_puts(&b, "é");
		buf_puts(&b, "\",\"x\":[[[[[[[[1]]]]]]]]}");
	}
	buf_puts(&b, "]}");
	cr_assert_eq(chat_request_parse(a, (struct str){ b.p, b.n }, &wide, &r, &list), ERR_INPUT);
	char *detail = jsn_text(a, list, JSN_PLAIN);
	cr_assert_lt(strlen(detail), 64 * 1024);
	cr_assert(utf8_valid(detail, strlen(detail)));
	cr_assert_eq(jsn_len(list), 100);
	buf_release(&b);
	arena_free(a);
}

static const struct {
	const char *text;
	size_t n;
} broken[] = {
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"a\xff\"}]}", 45 },
	{ "{\"messages\":[{\"role\":\"user\",\"content\":\"a\0\"}]}", 45 },
	{ "{\"messages\":[", 13 },
	{ "{} {}", 5 },
	{ "{\"a\":NaN}", 9 },
};

TEST(chat_request, broken_text_is_not_json)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct arena *a = arena_new();
		struct chat_request r;
		struct json_object *list;
		struct str body = { broken[i].text, broken[i].n };
		cr_assert_eq(chat_request_parse(a, body, &limits, &r, &list), ERR_INPUT, "%zu", i);
		cr_assert_eq(jsn_len(list), 1);
		cr_assert_str_eq(jsn_get_str(jsn_at(list, 0), "type", ""), "json_invalid", "%zu", i);
		arena_free(a);
	}
}

/* What a client sends along with its messages may be much, but not more than the parser can take in. */
TEST(chat_request, too_many_values)
{
	static const struct { const char *piece; int n; bool fits; } rows[] = {
		{ "\"k%d\":1", 20000, true }, { "\"k%d\":1", 60000, false },
		{ "\"k%d\":[1,\":,[{\"]", 30000, false }, { "\"k%d\":\",,,,::::[[[[{{{{\\\",:[\"", 20000, true },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct chat_request r;
		struct json_object *list;
		struct buf b;
		buf_init(&b, 4 << 20);
		buf_puts(&b, "{" ASK ",\"y\":{");
		for (int k = 0; k < rows[i].n; k++) {
			const char *at = strstr(rows[i].piece, "%d");
			buf_printf(&b, "%s%.*s%d%s", k > 0 ? "," : "", (int)(at - rows[i].piece), rows[i].piece, k,
			    at + 2);
		}
		buf_puts(&b, "}}");
		enum errcode rc = chat_request_parse(a, (struct str){ b.p, b.n }, &limits, &r, &list);
		cr_expect_eq(rc, rows[i].fits ? OK : ERR_INPUT, "row %zu", i);
		if (!rows[i].fits)
			cr_expect_str_eq(jsn_get_str(jsn_get(jsn_at(list, 0), "ctx"), "error", ""), "Too many values");
		buf_release(&b);
		arena_free(a);
	}
}

TEST(chat_request, ids)
{
	char id[130];
	memset(id, 'a', sizeof(id));
	id[128] = '\0';
	cr_assert(chat_id_valid(id));
	id[128] = 'a';
	id[129] = '\0';
	cr_assert(!chat_id_valid(id));
	cr_assert(!chat_id_valid(""));
	cr_assert(!chat_id_valid(NULL));
	cr_assert(!chat_id_valid("a\n"));
	cr_assert(!chat_id_valid("é"));
}
