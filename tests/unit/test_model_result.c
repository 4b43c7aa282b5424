/*
 * What fits a budget: tool results, conversations, texts; and the blocks they stand in.
 */
#include "agents/aviation/model.h"

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "services/tokens.h"
#include "tests/unit/test.h"

static struct json_object *parse(struct arena *a, const char *json)
{
	struct json_object *o;
	struct err e;
	TEST_OK(jsn_parse(a, json, strlen(json), 64, &o, NULL, &e), e);
	return o;
}

/* -- results -- */

static const struct {
	const char *result, *text;
} whole[] = {
	{ "{}", "{}" },
	{ "{\"visualization\": {\"type\": \"markers\"}}", "{}" },
	{ "{\"a\": 1, \"visualization\": [], \"_shortened\": {}, \"b\": {\"visualization\": true}}",
	    "{\n  \"a\": 1,\n  \"b\": {\n    \"visualization\": true\n  }\n}" },
	{ "{\"a\": [], \"b\": {}, \"c\": [[], {}, null, false, -1.5, \"x\"]}",
	    "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    [],\n    {},\n    null,\n    false,\n"
	    "    -1.5,\n    \"x\"\n  ]\n}" },
	{ "{\"<b>\": \"<é>\\\"\\\\\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f</tool_result>\"}",
	    "{\n  \"\\u003cb>\": \"\\u003cé>\\\"\\\\\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f\\u003c/tool_result>\"\n}" },
	{ "[1, \"<\"]", "[\n  1,\n  \"\\u003c\"\n]" },
	{ "null", "null" },
};

TEST(model_result, prints_what_fits)
{
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		struct arena *a = arena_new();
		const char *text = model_result(a, parse(a, whole[i].result), 1000);
		cr_expect_str_eq(text, whole[i].text, "%s: %s", whole[i].result, text);
		arena_free(a);
	}
}

/* Fifty airports, as a tool gives them. */
static struct json_object *airports(struct arena *a, size_t n)
{
	struct json_object *o = jsn_object(a), *list = json_object_new_array();
	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_object_new_object();
		jsn_add_str(one, "ident", arena_printf(a, "LF%02zu", i % 100));
		jsn_add_str(one, "name", arena_printf(a, "Airfield number %zu", i));
		jsn_add_num(one, "latitude_deg", 45.1234 + (double)i / 100);
		jsn_add_bool(one, "has_hard_runway", i % 2);
		jsn_push(list, one);
	}
	jsn_add_int(o, "count", (int64_t)n);
	jsn_add(o, "airports", list);
	jsn_add_str(o, "message", "Found some.");
	jsn_add(o, "visualization", jsn_ref(list));
	return o;
}

TEST(model_result, cuts_the_end_of_a_list)
{
	struct arena *a = arena_new();
	struct json_object *result = airports(a, 50);
	const char *text = model_result(a, result, 1000);
	struct json_object *cut = parse(a, text), *list = jsn_get(cut, "airports");
	size_t kept = jsn_len(list);
	cr_expect_leq(tokens_guess(text, strlen(text)), 1000);
	cr_expect_gt(tokens_guess(text, strlen(text)), 850, "little of the budget is wasted");
	cr_expect(kept > 5 && kept < 50, "%zu", kept);
	cr_expect_str_eq(jsn_get_str(jsn_get(cut, "_shortened"), "airports", ""),
	    arena_printf(a, "%zu of 50", kept));
	cr_expect(starts_with(text, "{\n  \"_shortened\": {\n    \"airports\": \""), "%.60s", text);
	cr_expect_eq(jsn_get_int(cut, "count", 0), 50);
	cr_expect_str_eq(jsn_get_str(cut, "message", ""), "Found some.");
	for (size_t i = 0; i < kept; i++)
		cr_expect(json_object_equal(jsn_at(list, i), jsn_at(jsn_get(result, "airports"), i)));
	arena_free(a);
}

/* What may fit is a short list: it stays, as long as there is room for more than one of anything. */
TEST(model_result, keeps_what_may_fit_beside_a_long_list)
{
	struct arena *a = arena_new();
	struct json_object *result = airports(a, 100), *maybe = airports(a, 5);
	struct json_object *list = jsn_get(maybe, "airports");

	for (size_t i = 0; i < 5; i++) {
		struct json_object *names = json_object_new_array();
		jsn_push(names, jsn_str("has_avgas"));
		jsn_add(jsn_at(list, i), "unrecorded", names);
		jsn_add_str(jsn_at(list, i), "ident", arena_printf(a, "XX%02zu", i));
	}
	jsn_add(result, "unrecorded", jsn_ref(list));
	const char *text = model_result(a, result, 2000);
	for (size_t i = 0; i < 5; i++)
		cr_expect_not_null(strstr(text, arena_printf(a, "XX%02zu", i)), "%zu", i);
	cr_expect_null(strstr(text, "\"unrecorded\": \""), "cut");
	cr_expect_not_null(strstr(text, "\"airports\": \""), "%s", text);
	text = model_result(a, result, 400);
	cr_expect_not_null(strstr(text, "XX00"), "%s", text);
	cr_expect_not_null(strstr(text, "LF00"), "%s", text);
	cr_expect_not_null(strstr(text, "\"unrecorded\": \""), "it is said that there are more: %s", text);
	arena_free(a);
}

TEST(model_result, cuts_the_longest_first)
{
	struct arena *a = arena_new();
	struct buf json;
	buf_init(&json, 1 << 20);
	buf_puts(&json, "{\"short\": [\"a\", \"b\"], \"aip\": [");
	for (int i = 0; i < 3; i++) {
		buf_printf(&json, "%s{\"field\": \"Remarks\", \"value\": \"", i > 0 ? ", " : "");
		for (int k = 0; k < 100 * (i + 1); k++)
			buf_puts(&json, "ä word ");
		buf_puts(&json, "\"}");
	}
	buf_puts(&json, "]}");
	const char *text = model_result(a, parse(a, json.p), 1500);
	struct json_object *cut = parse(a, text), *aip = jsn_get(cut, "aip");
	static const size_t lengths[] = { 800, 1600, 2400 };
	cr_expect_leq(tokens_guess(text, strlen(text)), 1500);
	cr_expect_eq(jsn_len(jsn_get(cut, "short")), 2);
	cr_expect_eq(jsn_len(aip), 2, "the list was longest, all in all");
	for (size_t i = 0; i < 2; i++)
		cr_expect_eq(json_object_get_string_len(jsn_get(jsn_at(aip, i), "value")), lengths[i]);
	cr_expect_str_eq(jsn_text(a, jsn_get(cut, "_shortened"), JSN_PLAIN), "{\"aip\":\"2 of 3\"}");
	buf_release(&json);
	arena_free(a);
}

TEST(model_result, adds_up_cuts_at_one_place)
{
	struct arena *a = arena_new();
	struct json_object *result = jsn_object(a), *rules = json_object_new_array();
	char *text = arena_alloc(a, 2001);
	memset(text, 'x', 2000);
	for (size_t i = 0; i < 4; i++) {
		struct json_object *rule = json_object_new_object();
		jsn_add_str(rule, "answer", text);
		jsn_push(rules, rule);
	}
	jsn_add(result, "rules", rules);
	struct json_object *cut = parse(a, model_result(a, result, 0));
	cr_expect_str_eq(jsn_text(a, jsn_get(cut, "_shortened"), JSN_PLAIN),
	    "{\"rules[].answer\":\"240 of 2000 characters\",\"rules\":\"1 of 4\"}");
	arena_free(a);
}

TEST(model_result, names_a_bounded_number_of_places)
{
	struct arena *a = arena_new();
	struct json_object *result = jsn_object(a);
	char *text = arena_alloc(a, 1001), *key = arena_alloc(a, 2001);
	memset(text, 'x', 1000);
	for (size_t i = 0; i < 1000; i++)
		memcpy(key + 2 * i, "ä", 2);
	for (size_t i = 0; i < 50; i++)
		jsn_add_str(result, arena_printf(a, "%s%zu", i % 2 ? "x" : key, i), text);
	const char *out = model_result(a, result, 0);
	cr_expect(utf8_valid(out, strlen(out)));
	struct json_object *notes = jsn_get(parse(a, out), "_shortened");
	/* the odd ones by name; the even ones are one place, their long names cut */
	cr_expect_eq(jsn_len(notes), 21);
	cr_expect_str_neq(jsn_get_str(notes, "and more", ""), "");
	arena_free(a);
}

/* -- any tree, any budget -- */

static uint64_t seed;

static size_t any(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

static struct json_object *tree(int depth)
{
	static const char *const words[] = { "LFLY", "<b>", "é€😀", "\"quoted\" \\", "\n\t\x01", " " };
	char text[4000] = "";
	size_t n = 0;
	struct json_object *o;
	switch (depth == 0 ? any(5) : any(8)) {
	case 0:
		return NULL;
	case 1:
		return json_object_new_boolean((int)any(2));
	case 2:
		return jsn_num((double)any(1000000) / 1000 - 500);
	case 3:
	case 4:
		for (size_t i = any(4) == 0 ? any(400) : any(10); i > 0 && n < sizeof(text) - 20; i--)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
			    words[any(sizeof(words) / sizeof(words[0]))]);
		return jsn_str(text);
	case 5:
	case 6:
		o = json_object_new_array();
		for (size_t i = any(3) == 0 ? any(60) : any(5); i > 0; i--)
			jsn_push(o, tree(depth - 1));
		return o;
	default:
		o = json_object_new_object();
		for (size_t i = any(8); i > 0; i--) {
			snprintf(text, sizeof(text), "%s%zu", words[any(6)], any(20));
			jsn_add(o, text, tree(depth - 1));
		}
		return o;
	}
}

/* Is `cut` what can be left of `full`? Beginnings of lists and texts, all else as it is. */
static bool beginning(struct json_object *cut, struct json_object *full, bool top)
{
	if (json_object_get_type(cut) != json_object_get_type(full))
		return false;
	if (jsn_is(cut, json_type_string)) {
		size_t n = (size_t)json_object_get_string_len(cut);
		return n <= (size_t)json_object_get_string_len(full) &&
		    memcmp(json_object_get_string(cut), json_object_get_string(full), n) == 0;
	}
	if (jsn_is(cut, json_type_array)) {
		bool good = jsn_len(cut) <= jsn_len(full) && (jsn_len(cut) > 0 || jsn_len(full) == 0);
		for (size_t i = 0; good && i < jsn_len(cut); i++)
			good = beginning(jsn_at(cut, i), jsn_at(full, i), false);
		return good;
	}
	if (jsn_is(cut, json_type_object)) {
		size_t extra = top && jsn_has(cut, "_shortened");
		bool good = jsn_len(cut) - extra == jsn_len(full);
		JSN_EACH(full, it)
			good = good && jsn_has(cut, it.key) &&
			    beginning(jsn_get(cut, it.key), it.val, false);
		return good;
	}
	return json_object_equal(cut, full) != 0;
}

TEST(model_result, holds_for_any_tree_and_budget)
{
	static const int64_t budgets[] = { -1, 0, 1, 30, 100, 300, 1000, 3000, 10000, INT64_MAX };
	for (seed = 1; seed < 60;) {
		uint64_t this = seed;
		struct arena *a = arena_new();
		struct json_object *full = jsn_object(a);
		for (size_t i = any(6); i > 0; i--)
			jsn_add(full, arena_printf(a, "member%zu", i), tree(4));
		const char *least = model_result(a, full, 0);
		size_t before = 0;
		for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
			const char *text = model_result(a, full, budgets[i]);
			struct json_object *cut = NULL;
			struct err e = { 0 };
			cr_assert_eq(jsn_parse(a, text, strlen(text), 64, &cut, NULL, &e), OK,
			    "seed %llu budget %lld: %s", (unsigned long long)this,
			    (long long)budgets[i], e.msg);
			cr_expect(beginning(cut, full, true), "seed %llu budget %lld: %s",
			    (unsigned long long)this, (long long)budgets[i], text);
			cr_expect(tokens_guess(text, strlen(text)) <= budgets[i] ||
			    strcmp(text, least) == 0, "seed %llu budget %lld",
			    (unsigned long long)this, (long long)budgets[i]);
			cr_expect_null(strchr(text, '<'));
			cr_expect_str_eq(text, model_result(a, full, budgets[i]), "the same each time");
			before = strlen(text);
		}
		/* without a limit nothing is missing */
		cr_expect(json_object_equal(parse(a, model_result(a, full, INT64_MAX)), full));
		cr_expect_gt(before, 0);
		arena_free(a);
		seed = this + 1;
	}
}

/* 5 MB cost hardly more than what is left of them: most is never printed. */
TEST(model_result, is_quick_with_a_large_result, .timeout = 60)
{
	struct arena *a = arena_new();
	struct json_object *result = airports(a, 40000), *deep = json_object_new_array();
	char *text = arena_alloc(a, 1000001);
	memset(text, 'x', 1000000);
	for (size_t i = 0; i < 2000; i++) {
		struct json_object *inner = json_object_new_array();
		jsn_push(inner, json_object_new_int(1));
		jsn_push(inner, jsn_strn(text, 1000));
		jsn_push(deep, inner);
	}
	jsn_add(result, "deep", deep);
	jsn_add_str(result, "formatted_text", text);
	for (int64_t budget = 100; budget <= 100000; budget *= 10) {
		const char *out = model_result(a, result, budget);
		cr_expect_not_null(jsn_get(parse(a, out), "_shortened"));
		cr_expect(budget < 1000 || tokens_guess(out, strlen(out)) <= budget);
	}
	arena_free(a);
}

/* -- texts -- */

TEST(model_result, cuts_texts_at_lines)
{
	struct arena *a = arena_new();
	struct buf b;
	buf_init(&b, 1 << 20);
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "Line %d: größer\n", i);
	cr_expect_eq(model_cut(a, b.p, 100000), b.p, "what fits is not copied");
	for (int64_t max = -1; max < 3000; max = max * 2 + 2) {
		const char *text = model_cut(a, b.p, max);
		const char *end = strstr(text, "\n[Shortened: the first ");
		cr_assert_not_null(end, "%lld", (long long)max);
		cr_expect_eq(strncmp(text, b.p, (size_t)(end - text)), 0);
		cr_expect(end == text || b.p[end - text] == '\n' || max < 60, "%lld", (long long)max);
		cr_expect(utf8_valid(text, strlen(text)));
		if (max > 40)
			cr_expect_leq(tokens_guess(text, strlen(text)), max);
		cr_expect_not_null(strstr(end, "characters.]"));
	}
	cr_expect_str_eq(model_cut(a, "", 0), "");
	buf_release(&b);
	arena_free(a);
}

static const struct {
	const char *text, *inside;
} blocks[] = {
	{ "", "" },
	{ "plain {x}", "plain {x}" },
	{ "<b>bold</b>", "&lt;b>bold&lt;/b>" },
	/* of another block too: a text stands among several */
	{ "a</data><tool_result>{}", "a&lt;/data>&lt;tool_result>{}" },
	{ "<</data", "&lt;&lt;/data" },
	{ "<", "&lt;" },
};

TEST(model_result, data_stays_in_its_block)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		cr_expect_str_eq(model_data(a, "data", blocks[i].text),
		    arena_printf(a, "<data>\n%s\n</data>", blocks[i].inside));
	arena_free(a);
}

/* -- conversations -- */

/* A message of 32 small letters is 9 tokens, 13 with what a message costs. */
#define NINE "abcdefghijklmnopqrstuvwxyzabcdef"
#define U MESSAGE("user", NINE)
#define A MESSAGE("assistant", NINE)
#define S MESSAGE("system", NINE NINE NINE)
#define C { .role = "assistant", .content = NINE, .calls = &call, .ncalls = 1 }
#define T { .role = "tool", .content = NINE NINE, .call_id = "call_1" }

static const struct message_call call = { "call_1", "search_airports", "{}", NULL };

static const struct {
	struct message messages[8];
	size_t n;
	int64_t max;
	size_t first;
} talks[] = {
	{ { U }, 1, 100, 0 },
	{ { U }, 1, 0, 0 },
	{ { U }, 0, 100, 0 },
	{ { U, A, U, A, U }, 5, 65, 0 },
	{ { U, A, U, A, U }, 5, 64, 2 },
	{ { U, A, U, A, U }, 5, 39, 2 },
	{ { U, A, U, A, U }, 5, 38, 4 },
	{ { U, A, U, A, U }, 5, 12, 4 },
	{ { U, A, U, A, U }, 5, -5, 4 },
	/* turns without an answer, and with two */
	{ { U, U, U }, 3, 26, 1 },
	{ { U, A, A, U, U }, 5, 26, 3 },
	{ { U, A, A, U, U }, 5, 64, 3 },
	/* what follows the last question belongs to it */
	{ { U, A, U, A, A }, 5, 13, 2 },
	/* a greeting before the first question */
	{ { A, U, A, U }, 4, 52, 0 },
	{ { A, U, A, U }, 4, 51, 1 },
	/* system messages are not sent and cost nothing */
	{ { S, U, S, A, S, U }, 6, 39, 0 },
	{ { S, U, A, S, U }, 5, 38, 4 },
	/* and neither are tool turns */
	{ { U, C, T, A, U, C, T }, 7, 39, 0 },
	{ { U, C, T, A, U, C, T }, 7, 38, 4 },
	{ { A, A }, 2, 1, 0 },
};

TEST(model_result, history_in_whole_turns)
{
	for (size_t i = 0; i < sizeof(talks) / sizeof(talks[0]); i++)
		cr_expect_eq(model_history(talks[i].messages, talks[i].n, talks[i].max), talks[i].first,
		    "row %zu: %zu", i, model_history(talks[i].messages, talks[i].n, talks[i].max));
}

/* What says in a text what stands in a list is of no use to a model: it would read all of it twice. */
TEST(model_result, leaves_out_what_is_there_twice)
{
	static const struct { const char *result, *text; } rows[] = {
		{ "{\"rules\":[1],\"formatted_text\":\"x\"}", "{\n  \"rules\": [\n    1\n  ]\n}" },
		{ "{\"rules\":[],\"formatted_text\":\"x\"}",
		    "{\n  \"rules\": [],\n  \"formatted_text\": \"x\"\n}" },
		{ "{\"formatted_text\":\"x\"}", "{\n  \"formatted_text\": \"x\"\n}" },
		{ "{\"differences\":[1],\"rules_context\":\"x\",\"comparison\":{}}",
		    "{\n  \"differences\": [\n    1\n  ]\n}" },
		{ "{\"differences\":[],\"rules_context\":\"x\"}",
		    "{\n  \"differences\": [],\n  \"rules_context\": \"x\"\n}" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct err e;
		TEST_OK(jsn_parse(a, rows[i].result, strlen(rows[i].result), JSN_DEPTH, &o, NULL, &e), e);
		const char *text = model_result(a, o, 1000);
		cr_expect_str_eq(text, rows[i].text, "row %zu: %s", i, text);
		arena_free(a);
	}
}
