/* The tool table: schemas as the original service's table has them, validation, the call. */
#include "tools/tool.h"

#include "base/behavior.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/test.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

/* A tool of our own that shows what it was given. */
static enum errcode echo(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	(void)self;
	(void)ctx;
	(void)e;
	*result = jsn_object(a);
	jsn_add_str(*result, "text", jsn_text(a, args, JSN_PLAIN));
	return OK;
}

/* Properties in order: name, type, default ("-": none), required. */
static const struct {
	const char *tool, *properties, *required;
} schemas[] = {
	{ "search_airports",
	    "query string -, max_results integer 5, filters object -, "
	    "include_large_airports boolean false, priority_strategy string \"persona_optimized\", offset integer 0",
	    "[\"query\"]" },
	{ "find_airports_near_location",
	    "location_query string -, max_distance_nm number 50, max_results integer 5, "
	    "filters object -, include_large_airports boolean false, "
	    "priority_strategy string \"persona_optimized\", offset integer 0, max_hours_notice integer -",
	    "[\"location_query\"]" },
	{ "find_airports_near_route",
	    "from_location string -, to_location string -, max_distance_nm number 50, "
	    "max_results integer 5, filters object -, include_large_airports boolean false, "
	    "priority_strategy string \"persona_optimized\", offset integer 0, max_hours_notice integer -, cruise_kt number -, halfway boolean false",
	    "[\"from_location\",\"to_location\"]" },
	{ "get_airport_details", "icao_code string -, date string -", "[\"icao_code\"]" },
	{ "get_notification_for_airport", "icao string -, day_of_week string -, time string -", "[\"icao\"]" },
	{ "answer_rules_question", "country_code string -, question string -, tags array -",
	    "[\"country_code\",\"question\"]" },
	{ "browse_rules", "country_code string -, tags array -, offset integer 0, limit integer 10",
	    "[\"country_code\"]" },
	{ "compare_rules_between_countries", "countries array -, tags array -, question string -",
	    "[\"countries\"]" },
	{ "get_border_crossing_airports", "country string -", "[]" },
	{ "get_airport_statistics", "country string -", "[]" },
	{ "get_airport_pricing", "icao_code string -, aircraft string -", "[\"icao_code\"]" },
	{ "get_pilot_reviews", "icao_code string -", "[\"icao_code\"]" },
	{ "get_fuel_prices", "icao_code string -", "[\"icao_code\"]" },
	{ "list_rules_for_country",
	    "country_code string -, category string -, tags array -, search_term string -",
	    "[\"country_code\"]" },
	{ "get_answers_for_questions", "question_ids array -, countries array -",
	    "[\"question_ids\"]" },
	{ "list_rule_categories_and_tags", "", "[]" },
	{ "list_rule_countries", "", "[]" },
};

TEST(tool, catalogue_and_schemas)
{
	struct arena *a = arena_new();

	cr_assert_eq(tools_builtin.n, sizeof(schemas) / sizeof(schemas[0]));
	for (size_t i = 0; i < tools_builtin.n; i++) {
		struct json_object *s = tool_schema(a, tools_builtin.tools[i]);
		struct buf b;

		buf_init(&b, 4096);
		cr_expect_str_eq(tools_builtin.tools[i]->name, schemas[i].tool);
		cr_expect_eq(toolset_find(tools_builtin, schemas[i].tool), tools_builtin.tools[i]);
		cr_expect_gt(strlen(tools_builtin.tools[i]->doc), 40);
		JSN_EACH(jsn_get(s, "properties"), it) {
			cr_expect_gt(strlen(jsn_get_str(it.val, "description", "")), 5, "%s", it.key);
			buf_printf(&b, "%s%s %s %s", b.n > 0 ? ", " : "", it.key,
			    jsn_get_str(it.val, "type", "?"), jsn_has(it.val, "default")
			    ? jsn_text(a, jsn_get(it.val, "default"), JSN_PLAIN) : "-");
		}
		cr_expect_str_eq(b.p, schemas[i].properties);
		cr_expect_str_eq(jsn_text(a, jsn_get(s, "required"), JSN_PLAIN), schemas[i].required);
		cr_expect_str_eq(jsn_get_str(s, "type", ""), "object");
		buf_release(&b);
	}
	cr_expect_null(toolset_find(tools_builtin, "no_such_tool"));
	cr_expect_null(toolset_find(tools_builtin, NULL));
	arena_free(a);
}

/* -- which are offered -- */

static const struct {
	const char *name;             /* what a config says of it */
	bool on;
	const char *tool;             /* and whether this one is offered */
	bool offered;
} offers[] = {
	{ "nothing", true, "search_airports", true },
	{ "nothing", true, "answer_rules_question", true },
	{ "nothing", true, "list_rule_countries", false },
	{ "list_rule_countries", true, "list_rule_countries", true },
	{ "list_rule_countries", true, "list_rules_for_country", false },
	{ "list_rule_countries", false, "list_rule_countries", false },
	{ "search_airports", true, "search_airports", true },
	{ "search_airports", false, "search_airports", false },
	{ "search_airports", false, "browse_rules", true },
};

TEST(tool, a_config_offers_tools)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(offers) / sizeof(offers[0]); i++) {
		struct behavior_switch said = { .name = offers[i].name, .on = offers[i].on };
		const struct tool_context ctx = { .offered = toolset_offered(a, tools_builtin,
			(struct behavior_switches){ &said, 1 }) };
		cr_expect_eq(tool_offered(&ctx, toolset_find(tools_builtin, offers[i].tool)), offers[i].offered, "row %zu",
		    i);
	}
	for (size_t i = 0; i < tools_builtin.n; i++) {
		const struct tool *t = tools_builtin.tools[i];
		const struct tool_context none = { NULL },
		    some = { .offered = toolset_offered(a, tools_builtin,
			(struct behavior_switches){ NULL, 0 }) };
		cr_expect_not(tool_offered(&none, t), "%s", t->name);
		cr_expect(tool_offered(NULL, t), "%s", t->name);
		cr_expect_eq(tool_offered(&some, t), !t->older, "%s", t->name);
	}
	arena_free(a);
}

/* A tool's subject, its result and what a page shows of it must fit each other. */
TEST(tool, kinds_of_tools)
{
	struct arena *a = arena_new();
	size_t n = 0;

	for (int d = 0; d < TOOL_DOMAIN__MAX; d++) {
		struct toolset of = toolset_of(a, tools_builtin, (enum tool_domain)d);
		struct toolset others = toolset_but(a, tools_builtin, (enum tool_domain)d);
		for (size_t i = 0; i < tools_builtin.n; i++) {
			const struct tool *t = tools_builtin.tools[i];
			cr_expect_eq(toolset_has(of, t), t->domain == (enum tool_domain)d, "%s", t->name);
			cr_expect_neq(toolset_has(of, t), toolset_has(others, t), "%s", t->name);
		}
		cr_expect_eq(toolset_count(tools_builtin, (enum tool_domain)d), of.n);
		n += of.n;
	}
	cr_expect_eq(n, tools_builtin.n);
	for (size_t i = 0; i < tools_builtin.n; i++) {
		const struct tool *t = tools_builtin.tools[i];
		cr_expect_eq(t->domain == TOOL_RULES, t->ui == TOOL_UI_RULES, "%s", t->name);
		cr_expect_eq(t->domain == TOOL_RULES, t->result >= RESULT_RULES_ANSWER, "%s", t->name);
		cr_expect_neq(t->ui, TOOL_UI_NONE, "%s", t->name);
		cr_expect_eq(toolset_giving(tools_builtin, t->result), t, "%s: each gives its own", t->name);
	}
	arena_free(a);
}

/* -- a table that grows -- */

enum { MANY = 100 };

static struct tool many[MANY];

static struct toolset grown(struct arena *a, size_t n)
{
	const struct tool *rows[MANY];
	struct toolset table = tools_builtin;
	struct err e;

	for (size_t i = 0; i < n; i++) {
		many[i] = (struct tool){ .name = arena_printf(a, "external-%zu", i), .doc = "Another one.",
			.domain = TOOL_EXTERNAL, .older = i % 2 == 1, .call = echo };
		rows[i] = &many[i];
	}
	TEST_OK(toolset_add(&table, a, rows, n, &e), e);
	return table;
}

TEST(tool, rows_are_added)
{
	struct arena *a = arena_new();
	const struct toolset table = grown(a, MANY);
	struct behavior_switch said[] = { { "external-99", NULL, true },
		{ "external-98", NULL, false }, { "search_airports", NULL, false } };
	const struct toolset offered = toolset_offered(a, table,
	    (struct behavior_switches){ said, 3 });

	cr_assert_eq(table.n, tools_builtin.n + MANY);
	cr_expect_eq(tools_builtin.n, sizeof(schemas) / sizeof(schemas[0]), "that one stays as it is");
	for (size_t i = 0; i < table.n; i++) {
		const struct tool *t = table.tools[i];
		bool off = streq(t->name, "external-98") || streq(t->name, "search_airports");
		cr_expect_eq(toolset_find(table, t->name), t, "%s", t->name);
		cr_expect_eq(toolset_has(offered, t), !off && (!t->older || streq(t->name, "external-99")),
		    "%s", t->name);
	}
	cr_expect_eq(toolset_of(a, table, TOOL_EXTERNAL).n, MANY);
	cr_expect_eq(toolset_of(a, table, TOOL_EXTERNAL).tools[MANY - 1], &many[MANY - 1], "in order");
	cr_expect_eq(toolset_but(a, table, TOOL_EXTERNAL).n, tools_builtin.n);
	arena_free(a);
}

TEST(tool, rows_that_cannot_be_added)
{
	static const char long_name[] =
	    "a_name_that_is_longer_than_the_sixty_four_characters_which_models_take";
	static const struct {
		struct tool tool;
		const char *why;
	} bad[] = {
		{ { .name = "search_airports", .doc = "x", .call = echo },
		  "tools: there are two tools called search_airports: give one of them another name" },
		{ { .name = "twice", .doc = "x", .call = echo },
		  "tools: there are two tools called twice: give one of them another name" },
		{ { .name = "two words", .doc = "x", .call = echo }, "tools: \"two words\" cannot be the name "
		  "of a tool: use 1 to 64 letters, digits, \"_\" and \"-\"" },
		{ { .name = "", .doc = "x", .call = echo }, "tools: \"\" cannot be the name" },
		{ { .doc = "x", .call = echo }, "tools: \"\" cannot be the name" },
		{ { .name = long_name, .doc = "x", .call = echo }, "tools: \"a_name_that_is_longer" },
		{ { .name = "silent", .call = echo }, "tools: silent has no description" },
		{ { .name = "idle", .doc = "x" }, "tools: idle has no function to call" },
	};
	static const struct tool twice = { .name = "twice", .doc = "x", .call = echo };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct tool *rows[] = { &twice, &bad[i].tool };
		struct toolset table = tools_builtin;
		struct err e = { OK, "" };
		cr_expect_eq(toolset_add(&table, a, rows, 2, &e), ERR_CONFIG, "row %zu", i);
		cr_expect(starts_with(e.msg, bad[i].why), "%s", e.msg);
		cr_expect_eq(table.n, tools_builtin.n, "row %zu: nothing was added", i);
	}
	arena_free(a);
}

TEST(tool, a_table_has_a_limit)
{
	struct arena *a = arena_new();
	struct toolset table = tools_builtin;
	struct err e = { OK, "" };
	struct tool *more = arena_array(a, TOOLS_MAX, sizeof(*more));
	const struct tool **rows = arena_array(a, TOOLS_MAX, sizeof(*rows));

	for (size_t i = 0; i < TOOLS_MAX; i++) {
		more[i] = (struct tool){ .name = arena_printf(a, "t%zu", i), .doc = "x", .call = echo };
		rows[i] = &more[i];
	}
	cr_expect_eq(toolset_add(&table, a, rows, TOOLS_MAX - table.n + 1, &e), ERR_CONFIG);
	cr_expect_str_eq(e.msg, arena_printf(a, "tools: %zu and %zu more are too many: the table holds 512",
	    table.n, TOOLS_MAX - table.n + 1));
	TEST_OK(toolset_add(&table, a, rows, TOOLS_MAX - table.n, &e), e);
	cr_expect_eq(table.n, TOOLS_MAX);
	arena_free(a);
}

TEST(tool, filters_schema_is_closed)
{
	struct arena *a = arena_new();
	struct json_object *s = tool_schema(a, toolset_find(tools_builtin, "search_airports"));
	struct json_object *f = jsn_get(jsn_get(s, "properties"), "filters");

	cr_expect(jsn_has(f, "additionalProperties"));
	cr_expect_not(jsn_get_bool(f, "additionalProperties", true));
	cr_expect_not_null(jsn_get(jsn_get(f, "properties"), "has_avgas"));
	arena_free(a);
}

#define ROUTE "find_airports_near_route"
#define NEAR "find_airports_near_location"

static const struct {
	const char *tool, *args, *fault;      /* NULL: fine */
} checks[] = {
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}", NULL },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"max_results\":100,"
	    "\"max_distance_nm\":0.1,\"filters\":{\"has_avgas\":true},\"max_hours_notice\":24,"
	    "\"include_large_airports\":true,\"priority_strategy\":\"landing_fee\"}", NULL },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_results\":5.0,\"filters\":null}", NULL },
	{ ROUTE, "{}", ROUTE ": from_location is required; to_location is required" },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"max_results\":\"five\"}",
	    ROUTE ": to_location is required; max_results must be an integer, not text" },
	{ ROUTE, "{\"from_location\":null,\"to_location\":\" \"}",
	    ROUTE ": from_location is required; to_location must not be empty" },
	{ NEAR, "{\"location_query\":[\"Paris\"]}", NEAR ": location_query must be text, not a list" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_results\":0}",
	    NEAR ": max_results must be from 1 to 100" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_results\":101}",
	    NEAR ": max_results must be from 1 to 100" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_results\":2.5}",
	    NEAR ": max_results must be an integer, not a fraction" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_distance_nm\":1000.5}",
	    NEAR ": max_distance_nm must be from 0.1 to 1000" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_distance_nm\":0}",
	    NEAR ": max_distance_nm must be from 0.1 to 1000" },
	{ NEAR, "{\"location_query\":\"Paris\",\"max_hours_notice\":-1}",
	    NEAR ": max_hours_notice must be from 0 to 8760" },
	{ NEAR, "{\"location_query\":\"Paris\",\"include_large_airports\":\"yes\"}",
	    NEAR ": include_large_airports must be a boolean, not text" },
	{ NEAR, "{\"location_query\":\"Paris\",\"radius\":50,\"filters\":{\"avgas\":1,\"has_avgas\":\"x\"}}",
	    NEAR ": filters has no member avgas; filters.has_avgas must be a boolean, not text; "
	    "no argument is called radius" },
	{ NEAR, "{\"location_query\":\"Pa\\u0000ris\"}",
	    NEAR ": location_query must not contain a NUL character" },
	{ NEAR, "[]", NEAR ": arguments must be an object, not a list" },
	{ "get_airport_details", "{\"icao_code\":\"LFPG\",\"icao\":\"LFPG\"}",
	    "get_airport_details: no argument is called icao" },
};

TEST(tool, check)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct err e = { OK, "" };
		enum errcode rc = tool_check(toolset_find(tools_builtin, checks[i].tool), parse(a, checks[i].args), &e);

		cr_expect_eq(rc, checks[i].fault == NULL ? OK : ERR_INPUT, "%s: %s", checks[i].args,
		    e.msg);
		if (checks[i].fault != NULL)
			cr_expect_str_eq(e.msg, checks[i].fault);
	}
	arena_free(a);
}

TEST(tool, check_survives_anything)
{
	struct arena *a = arena_new();
	struct buf b;
	struct err e;

	buf_init(&b, 1 << 20);
	buf_puts(&b, "{\"query\":\"");
	for (int i = 0; i < 5000; i++)
		buf_puts(&b, "LFPG ");
	buf_puts(&b, "\"");
	for (int i = 0; i < 5000; i++)
		buf_printf(&b, ",\"argument_that_nobody_knows_%d\":null", i);
	buf_puts(&b, "}");
	cr_expect_eq(tool_check(toolset_find(tools_builtin, "search_airports"), parse(a, b.p), &e), ERR_INPUT);
	cr_expect_lt(strlen(e.msg), sizeof(e.msg));
	cr_expect(starts_with(e.msg, "search_airports: query is longer than 1000 bytes; "));
	cr_expect_eq(tool_check(toolset_find(tools_builtin, "search_airports"), NULL, &e), ERR_INPUT);
	buf_release(&b);
	arena_free(a);
}

/* And one that fails as it is told to. */
static enum errcode fail(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	(void)self;
	(void)ctx;
	(void)a;
	(void)result;
	return err_set(e, (enum errcode)jsn_get_int(args, "code", 0), "the disk is on fire");
}

static const struct tool_arg echo_args[] = {
	{ .name = "tags", .type = ARG_STRINGS, .doc = "Tags." },
	{ .name = "code", .type = ARG_INTEGER, .doc = "Code." },
};

static struct tool own(bool open, bool persona, enum errcode (*call)(void *,
    const struct tool_context *, struct arena *, struct json_object *, struct json_object **, struct err *))
{
	return (struct tool){ .name = "own", .doc = "", .args = echo_args, .nargs = 2,
		.open = open, .persona = persona, .call = call };
}

TEST(tool, persona_is_added_to_a_copy)
{
	struct arena *a = arena_new();
	struct tool with = own(true, true, echo), without = own(true, false, echo);
	struct json_object *args = parse(a, "{\"code\":1}"), *result = NULL;
	struct err e;

	TEST_OK(tool_call(NULL, &with, a, args, "lunch_stop", &result, &e), e);
	cr_expect_str_eq(jsn_get_str(result, "text", ""), "{\"code\":1,\"_persona_id\":\"lunch_stop\"}");
	TEST_OK(tool_call(NULL, &with, a, args, NULL, &result, &e), e);
	cr_expect_str_eq(jsn_get_str(result, "text", ""), "{\"code\":1}");
	TEST_OK(tool_call(NULL, &without, a, args, "lunch_stop", &result, &e), e);
	cr_expect_str_eq(jsn_get_str(result, "text", ""), "{\"code\":1}");
	cr_expect_str_eq(jsn_text(a, args, JSN_PLAIN), "{\"code\":1}");
	arena_free(a);
}

/* The tool's own words reach the user, what a service under it says does not. */
static const struct {
	enum errcode cause, code;
	const char *msg;
} causes[] = {
	{ ERR_INPUT, ERR_TOOL, "Tool 'own' failed: the disk is on fire" },
	{ ERR_TOOL, ERR_TOOL, "Tool 'own' failed: the disk is on fire" },
	{ ERR_IO, ERR_TOOL,
	    "Tool 'own' failed: The service could not read or write what it needed." },
	{ ERR_INTERNAL, ERR_TOOL, "Tool 'own' failed: Something went wrong inside the service." },
	{ ERR_DATA, ERR_DATA, "Airports cannot be looked up here at the moment, because the airport "
	    "database is not available." },
	{ ERR_PREPARING, ERR_PREPARING,
	    "The airport database is being prepared. Please ask again in a moment." },
	{ ERR_OVERLOAD, ERR_OVERLOAD,
	    "Tool 'own' failed: The service is busy. Please try again in a moment." },
	/* what ends the turn stays what it is; a reader who has gone is told nothing */
	{ ERR_TIMEOUT, ERR_TIMEOUT, "Tool 'own' failed: The answer took too long." },
	{ ERR_HUP, ERR_HUP, "own: the reader has gone" },
	{ ERR_UPSTREAM, ERR_TOOL,
	    "Tool 'own' failed: A service this answer needs did not respond properly." },
};

TEST(tool, failures)
{
	struct arena *a = arena_new();
	struct tool failing = own(true, false, fail);
	struct json_object *result = NULL;
	struct err e;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		struct json_object *args = parse(a, "{}");
		jsn_add_int(args, "code", causes[i].cause);
		cr_expect_eq(tool_call(NULL, &failing, a, args, NULL, &result, &e),
		    causes[i].code, "row %zu", i);
		cr_expect_str_eq(e.msg, causes[i].msg, "row %zu", i);
	}
	arena_free(a);
}

TEST(tool, closed_tools_refuse_unknown_arguments)
{
	struct arena *a = arena_new();
	struct tool open = own(true, false, echo), closed = own(false, true, echo);
	struct json_object *result = NULL, *args = parse(a, "{\"wind\":1}");
	struct err e;

	TEST_OK(tool_call(NULL, &open, a, args, NULL, &result, &e), e);
	cr_expect_eq(tool_call(NULL, &closed, a, args, NULL, &result, &e), ERR_TOOL);
	cr_expect_str_eq(e.msg, "Tool 'own' failed: no argument is called wind");
	TEST_OK(tool_call(NULL, &closed, a, parse(a, "{}"), "x", &result, &e), e);
	arena_free(a);
}

/* Arguments that do not fit never reach the tool. */
TEST(tool, the_call_checks_the_arguments)
{
	static const struct {
		const char *args, *why;
	} rows[] = {
		{ "{\"tags\":\"vfr\",\"code\":1.5}", "Tool 'own' failed: tags must be a list of texts, not "
		  "text; code must be an integer, not a fraction" },
		{ "[]", "Tool 'own' failed: arguments must be an object, not a list" },
		{ "{}", "Tool 'own' failed: must is required" },
		{ "{\"must\":\" \"}", "Tool 'own' failed: must must not be empty" },
	};
	static const struct tool_arg must = { .name = "must", .type = ARG_STRING, .required = true,
		.doc = "Needed." };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tool t = own(i % 2 == 1, false, echo);
		struct json_object *result = NULL;
		struct err e;
		if (i >= 2) {
			t.args = &must;
			t.nargs = 1;
		}
		cr_expect_eq(tool_call(NULL, &t, a, parse(a, rows[i].args), NULL, &result, &e), ERR_TOOL,
		    "row %zu", i);
		cr_expect_str_eq(e.msg, rows[i].why, "row %zu", i);
		cr_expect_null(result);
	}
	arena_free(a);
}

/* A row's own data reaches its call, so that many rows can share one function. */
static enum errcode whose(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	(void)ctx, (void)args, (void)e;
	*result = jsn_object(a);
	jsn_add_str(*result, "self", self);
	return OK;
}

TEST(tool, a_row_has_data_of_its_own)
{
	static char one[] = "one", two[] = "two";
	char *const both[] = { one, two };
	struct arena *a = arena_new();

	for (size_t i = 0; i < 2; i++) {
		struct tool t = { .name = "own", .doc = "", .self = both[i], .call = whose };
		struct json_object *result = NULL;
		struct err e;
		TEST_OK(tool_call(NULL, &t, a, NULL, NULL, &result, &e), e);
		cr_expect_str_eq(jsn_get_str(result, "self", ""), both[i]);
	}
	arena_free(a);
}

TEST(tool, lists_of_texts)
{
	struct arena *a = arena_new();
	struct tool t = own(true, false, echo);
	struct json_object *s = tool_schema(a, &t);
	struct err e;

	cr_expect_str_eq(jsn_text(a, jsn_get(jsn_get(s, "properties"), "tags"), JSN_PLAIN),
	    "{\"type\":\"array\",\"description\":\"Tags.\",\"items\":{\"type\":\"string\"}}");
	TEST_OK(tool_check(&t, parse(a, "{\"tags\":[\"vfr\",\"ifr\"]}"), &e), e);
	cr_expect_eq(tool_check(&t, parse(a, "{\"tags\":[\"vfr\",3]}"), &e), ERR_INPUT);
	cr_expect_str_eq(e.msg, "own: tags must be a list of texts, not of a number");
	cr_expect_eq(tool_check(&t, parse(a, "{\"tags\":\"vfr\"}"), &e), ERR_INPUT);
	arena_free(a);
}

TEST(tool, no_database)
{
	struct arena *a = arena_new();
	struct tool_context ctx = { NULL };
	struct json_object *result = NULL;
	struct err e;

	cr_expect_eq(tool_call(&ctx, toolset_find(tools_builtin, "search_airports"), a,
	    parse(a, "{\"query\":\"Lyon\"}"), NULL, &result, &e), ERR_DATA);
	cr_expect_str_eq(e.msg, "Airports cannot be looked up here at the moment, because the airport "
	    "database is not available.");
	arena_free(a);
}

/* -- arguments from a schema -- */

#define EXTERNAL "{\"type\":\"object\",\"properties\":{" \
	"\"city\":{\"type\":\"string\",\"description\":\"A town.\",\"minLength\":2}," \
	"\"unit\":{\"type\":\"string\",\"enum\":[\"km\",\"nm\"],\"default\":\"nm\"}," \
	"\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}," \
	"\"above\":{\"type\":\"number\",\"minimum\":0.5}," \
	"\"names\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}," \
	"\"points\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}," \
	"\"either\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}," \
	"\"deep\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"boolean\"}}}," \
	"\"sure\":{\"type\":\"boolean\"}},\"required\":[\"city\"]}"

static const struct {
	const char *args, *why;       /* NULL: fine */
} external_calls[] = {
	{ "{\"city\":\"Bled\"}", NULL },
	{ "{\"city\":\"Bled\",\"unit\":\"km\",\"count\":9,\"above\":1e9,\"names\":[\"a\"],"
	  "\"points\":[1,2],\"either\":7,\"deep\":{\"x\":true},\"sure\":false}", NULL },
	{ "{}", "city is required" },
	{ "{\"city\":7,\"unit\":\"ft\"}", "city must be text, not a number; unit must be one of km, nm" },
	{ "{\"city\":\"Bled\",\"count\":10,\"above\":0,\"names\":[1],\"sure\":1}",
	  "count must be from 1 to 9; above must be at least 0.5; names must be a list of texts, not of a "
	  "number; sure must be a boolean, not a number" },
	{ "{\"city\":\"Bled\",\"points\":7}", NULL },
	{ "{\"city\":\"Bled\",\"deep\":[],\"more\":1}",
	  "deep must be an object, not a list; no argument is called more" },
};

TEST(tool, arguments_come_from_a_schema)
{
	struct arena *a = arena_new();
	struct tool t = { .name = "own", .doc = "", .call = echo };
	struct json_object *result;
	struct err e;

	TEST_OK(tool_args_read(&t, a, parse(a, EXTERNAL), &e), e);
	cr_expect_str_eq(jsn_text(a, tool_schema(a, &t), JSN_PLAIN), EXTERNAL, "shown as it came");
	for (size_t i = 0; i < sizeof(external_calls) / sizeof(external_calls[0]); i++) {
		const char *why = external_calls[i].why;
		struct json_object *args = parse(a, external_calls[i].args);
		e = (struct err){ OK, "" };
		cr_expect_eq(tool_call(NULL, &t, a, args, NULL, &result, &e), why == NULL ? OK : ERR_TOOL,
		    "row %zu: %s", i, e.msg);
		if (why != NULL)
			cr_expect_str_eq(e.msg, arena_printf(a, "Tool 'own' failed: %s", why));
	}
	TEST_OK(tool_args_read(&t, a, parse(a, "{\"type\":\"object\"}"), &e), e);
	cr_expect_eq(t.nargs, 0);
	arena_free(a);
}

TEST(tool, schemas_that_are_refused)
{
	static const struct {
		const char *schema, *why;
	} rows[] = {
		{ "[]", "own: its schema must be that of an object with properties" },
		{ "{\"type\":\"string\"}", "own: its schema must be that of an object with properties" },
		{ "{\"properties\":[1]}", "own: its schema must be that of an object with properties" },
		{ "{\"properties\":{\"a\":7}}", "own: the schema of a must be an object, not a number" },
		{ "{\"properties\":{\"\":{}}}", "own: the schema of \"\" has no name" },
		{ "{\"properties\":{\"a\":{}},\"required\":[\"b\"]}",
		  "own: the schema requires an argument that it does not describe" },
		{ "{\"required\":[7]}", "own: the schema requires an argument that it does not describe" },
	};
	struct arena *a = arena_new();
	struct tool t = { .name = "own", .doc = "", .call = echo };
	struct buf b;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e = (struct err){ OK, "" };
		cr_expect_eq(tool_args_read(&t, a, parse(a, rows[i].schema), &e), ERR_CONFIG, "row %zu", i);
		cr_expect_str_eq(e.msg, rows[i].why, "row %zu", i);
		cr_expect_null(t.args);
	}
	buf_init(&b, 1 << 20);
	buf_puts(&b, "{\"properties\":{\"a0\":{}");
	for (int i = 1; i <= TOOL_ARGS_MAX; i++)
		buf_printf(&b, ",\"a%d\":{}", i);
	buf_puts(&b, "}}");
	cr_expect_eq(tool_args_read(&t, a, parse(a, b.p), &e), ERR_CONFIG);
	cr_expect_str_eq(e.msg, "own: its schema has more than 64 arguments");
	buf_trunc(&b, 0);
	buf_puts(&b, "{\"properties\":{\"a\":{\"description\":\"");
	for (int i = 0; i < TOOL_ARG_BYTES; i++)
		buf_putc(&b, 'x');
	buf_puts(&b, "\"}}}");
	cr_expect_eq(tool_args_read(&t, a, parse(a, b.p), &e), ERR_CONFIG);
	cr_expect_str_eq(e.msg, "own: the schema of \"a\" is too large");
	buf_release(&b);
	arena_free(a);
}
