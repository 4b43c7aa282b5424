/*
 * Loading prompts, examples and tool texts: the shipped ones, a site's, and those that are no
 * good.
 */
#include "agents/aviation/model.h"

#include "agents/aviation/agent.h"
#include "base/log.h"
#include "services/tokens.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/reader_fix.h"
#include "tests/unit/rules_tools_call.h"
#include "tests/unit/scripted_llm.h"

#define PROMPTS TEST_SRCDIR "/prompts/"

static const struct model_limits limits = { 0, 1000, 1000 };

struct openfix {
	struct arena *a;
	char *dir;
	struct aviation_config b;
	struct model m;
	struct err e;
};

static void open_fix(struct openfix *f)
{
	*f = (struct openfix){ .a = arena_new(), .dir = test_mkdtemp() };
	f->b = (struct aviation_config){ .file = "site.json", .prompt_planner = PROMPTS "planner.md",
		.prompt_formatter = PROMPTS "formatter.md",
		.prompt_comparison = PROMPTS "comparison.md",
		.examples_planner = PROMPTS "planner_examples.json" };
	log_level_set("WARNING");
	cr_assert(log_open(arena_printf(f->a, "%s/log", f->dir)));
}

static void close_fix(struct openfix *f)
{
	log_open(NULL);
	log_level_set("INFO");
	arena_free(f->a);
	test_rmdir(f->dir);
}

/* A file in the fixture's folder; its path. */
static const char *put(struct openfix *f, const char *name, const char *text, size_t n)
{
	const char *path = arena_printf(f->a, "%s/%s", f->dir, name);
	FILE *out = fopen(path, "we");
	cr_assert_not_null(out);
	cr_assert_eq(fwrite(text, 1, n, out), n);
	fclose(out);
	return path;
}

static const char *read_all(struct arena *a, const char *path)
{
	char *text = arena_alloc(a, 65536);
	FILE *in = fopen(path, "re");
	cr_assert_not_null(in, "%s", path);
	text[fread(text, 1, 65535, in)] = '\0';
	fclose(in);
	return text;
}

/* Lines of the log with an event. */
static size_t logged(struct openfix *f, const char *event)
{
	const char *text = read_all(f->a, arena_printf(f->a, "%s/log", f->dir));
	size_t n = 0;
	for (const char *p = text; (p = strstr(p, event)) != NULL; p++)
		n++;
	return n;
}

static enum errcode open_model(struct openfix *f)
{
	return model_open(&f->m, f->a, tools_builtin, &f->b, NULL, &limits, &f->e);
}

/* -- what is shipped -- */

TEST(model_open, loads_what_is_shipped)
{
	struct openfix f;
	struct json_object *examples;
	open_fix(&f);
	TEST_OK(open_model(&f), f.e);
	TEST_OK(jsn_load(f.a, PROMPTS "planner_examples.json", 1 << 20, &examples, &f.e), f.e);
	cr_expect_geq(f.m.nexamples, 12);
	cr_expect_eq(f.m.nexamples, jsn_len(examples), "none is left out");
	cr_expect_eq(logged(&f, "warn"), 0);
	close_fix(&f);
}

/* Every tool is in an example, and each example is a plan that would be carried out. */
TEST(model_open, examples_are_plans)
{
	struct openfix f;
	open_fix(&f);
	TEST_OK(open_model(&f), f.e);
	for (size_t i = 0; i < f.m.nexamples; i++) {
		struct plan p;
		const char *answer = f.m.examples[i].answer;
		TEST_OK(model_plan_parse(f.a, tools_builtin, answer, &p, &f.e), f.e);
		TEST_OK(plan_check(&p, NULL, &f.e), f.e);
		cr_expect_eq(f.m.examples[i].tool, p.tool, "%s", answer);
		cr_expect_str_eq(jsn_text(f.a, plan_json(f.a, &p), JSN_SPACED), answer,
		    "nothing in it is superfluous");
	}
	for (size_t i = 0; i < tools_builtin.n; i++) {
		size_t n = 0;
		for (size_t k = 0; k < f.m.nexamples; k++)
			n += f.m.examples[k].tool == tools_builtin.tools[i];
		cr_expect(tools_builtin.tools[i]->older || n >= 1, "%s", tools_builtin.tools[i]->name);
	}
	close_fix(&f);
}

/* A model reads the texts of all tools before each plan. */
TEST(model_open, every_tool_has_a_short_text)
{
	struct openfix f;
	const char *catalog;
	open_fix(&f);
	TEST_OK(model_catalog(&catalog, f.a, tools_builtin, &f.b, &f.e), f.e);
	for (size_t i = 0; i < tools_builtin.n; i++) {
		const struct tool *t = tools_builtin.tools[i];

		cr_expect(t->older || strlen(t->doc) <= 120, "%s: %zu bytes", t->name, strlen(t->doc));
		cr_expect_eq(strstr(catalog, t->doc) != NULL, !t->older, "%s", t->name);
	}
	cr_expect_eq(logged(&f, "warn"), 0);
	close_fix(&f);
}

/* -- prompts name what there is -- */

static bool is_word(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(p[i] == '_' || (p[i] >= 'a' && p[i] <= 'z')))
			return false;
	return n > 0;
}

/* Each word in `backquotes` of a text must be in `known` as "word". */
static void expect_known(struct arena *a, const char *path, const char *known)
{
	const char *text = read_all(a, path);
	size_t n = 0;
	for (const char *p = strchr(text, '`'), *end; p != NULL; p = strchr(end + 1, '`')) {
		end = strchr(p + 1, '`');
		cr_assert_not_null(end, "%s: a backquote is not closed", path);
		if (!is_word(p + 1, (size_t)(end - p) - 1))
			continue;
		const char *word = arena_strndup(a, p + 1, (size_t)(end - p) - 1);
		cr_expect_not_null(strstr(known, arena_printf(a, "\"%s\"", word)), "%s: %s", path, word);
		n++;
	}
	cr_expect_geq(n, 10, "%s", path);
}

TEST(model_open, the_planner_s_prompt_names_what_there_is)
{
	struct arena *a = arena_new();
	const char *known = "\"no_tool\" \"answer_style\"";
	for (size_t i = 0; i < tools_builtin.n; i++)
		if (!tools_builtin.tools[i]->older)
			known = arena_printf(a, "%s \"%s\" %s", known, tools_builtin.tools[i]->name,
			    jsn_text(a, tool_schema(a, tools_builtin.tools[i]), JSN_PLAIN));
	expect_known(a, PROMPTS "planner.md", known);
	arena_free(a);
}

TEST(model_open, the_formatter_s_prompt_names_what_there_is)
{
	static const struct { const char *tool, *args; } calls[] = {
		{ "search_airports", "{\"query\": \"France\", \"filters\": {\"has_avgas\": true}}" },
		{ "find_airports_near_location", "{\"location_query\": \"LFLY\"}" },
		{ "find_airports_near_location", "{\"location_query\": \"Nowhere at all\"}" },
		{ "find_airports_near_route",
		    "{\"from_location\": \"LFLY\", \"to_location\": \"LFBP\"}" },
		{ "get_airport_details", "{\"icao_code\": \"LFLY\"}" },
	};
	const char *known = "\"_shortened\"";
	struct airfix f;
	struct err e;
	airfix_open(&f, NULL, false);
	struct tool_context ctx = { .airports = f.db };
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct json_object *args, *result;
		TEST_OK(jsn_parse(f.mem, calls[i].args, strlen(calls[i].args), JSN_DEPTH, &args, NULL,
		    &e), e);
		TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, calls[i].tool), f.mem, args, NULL, &result, &e), e);
		known = arena_printf(f.mem, "%s %s", known, jsn_text(f.mem, result, JSN_PLAIN));
	}
	struct rulesfix rules;
	rulesfix_open(&rules, NULL, NULL);
	known = arena_printf(f.mem, "%s %s %s %s %s", known,
	    rules_text(&rules, "answer_rules_question",
	    "{\"country_code\": \"FR\", \"question\": \"May gliders fly by night?\"}"),
	    rules_text(&rules, "answer_rules_question",
	    "{\"country_code\": \"XX\", \"question\": \"?\"}"),
	    rules_text(&rules, "browse_rules", "{\"country_code\": \"FR\"}"),
	    rules_text(&rules, "compare_rules_between_countries", "{\"countries\": [\"FR\", \"GB\"]}"));
	expect_known(f.mem, PROMPTS "formatter.md", known);
	rulesfix_close(&rules);
	airfix_close(&f);
}

/* -- the catalogue -- */

TEST(model_open, catalog_has_its_form)
{
	struct openfix f;
	const char *catalog, *expected = "";
	open_fix(&f);
	TEST_OK(model_catalog(&catalog, f.a, tools_builtin, &f.b, &f.e), f.e);
	for (size_t i = 0; i < tools_builtin.n; i++)
		if (!tools_builtin.tools[i]->older)
			expected = arena_printf(f.a, "%s%s- %s: %s\n  Parameters: %s", expected,
			    i > 0 ? "\n" : "", tools_builtin.tools[i]->name, tools_builtin.tools[i]->doc,
			    jsn_text(f.a, tool_schema(f.a, tools_builtin.tools[i]), JSN_INDENT));
	cr_expect_str_eq(catalog, expected);
	cr_expect(starts_with(catalog, "- search_airports: Finds airports by name"));
	cr_expect_not_null(strstr(catalog, "\n  Parameters: {\n  \"type\": \"object\",\n"));
	close_fix(&f);
}

/* What a site switches off planners do not see; the older tools they see only where it switches them
 * on. */
TEST(model_open, the_catalogue_is_what_is_offered)
{
	struct behavior_switch said[] = {
		{ "search_airports", NULL, false }, { "browse_rules", NULL, true },
		{ "list_rule_countries", NULL, true },
	};
	struct openfix f;
	const char *catalog;
	open_fix(&f);
	f.b.tools.list = said;
	f.b.tools.n = 3;
	TEST_OK(model_catalog(&catalog, f.a, tools_builtin, &f.b, &f.e), f.e);
	cr_expect_null(strstr(catalog, "- search_airports:"));
	cr_expect_null(strstr(catalog, "- list_rules_for_country:"));
	cr_expect(starts_with(catalog, "- find_airports_near_location: "), "%.60s", catalog);
	cr_expect_not_null(strstr(catalog, "\n- browse_rules: "));
	cr_expect_not_null(strstr(catalog, "\n- list_rule_countries: "));
	/* and a turn may offer fewer */
	TEST_OK(open_model(&f), f.e);
	const struct tool_context rules = { .offered = toolset_of(f.a,
	    toolset_offered(f.a, tools_builtin, f.b.tools), TOOL_RULES) };
	catalog = model_system(f.a, &f.m, &rules, true);
	cr_expect_not_null(strstr(catalog, "\n- answer_rules_question: "), "%s", catalog);
	cr_expect_null(strstr(catalog, "\n- find_airports_near"));
	close_fix(&f);
}

#define TEXT(s) s, sizeof(s) - 1

static const struct {
	const char *name, *text;
	size_t n;
	enum errcode rc;
	const char *doc;      /* NULL: the built-in one */
	const char *says;     /* in the error, or in the log */
} texts[] = {
	{ "search_airports", TEXT("\n  Own words, é.\nMore.\t\n"), OK, "Own words, é.\nMore.", NULL },
	{ "search_airports", TEXT("{braces} are no template"), OK, "{braces} are no template", NULL },
	{ "search_airports", TEXT(" \n"), OK, NULL, "tool_text_empty" },
	{ "search_airports", TEXT("\xff"), ERR_CONFIG, NULL, "text.md: not text in UTF-8" },
	{ "search_airports", TEXT("a\0b"), ERR_CONFIG, NULL, "text.md: not text in UTF-8" },
	{ "search_airports", NULL, 0, OK, NULL, "tool_text_missing" },
	{ "search_airports", NULL, 70000, ERR_CONFIG, NULL, "text.md: larger than 65536 bytes" },
	{ "book_hotel", TEXT("Books."), OK, NULL, "key=tools.book_hotel file=site.json" },
};

TEST(model_open, tool_texts)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct openfix f;
		const char *catalog;
		open_fix(&f);
		char *large = arena_alloc(f.a, texts[i].n + 1);
		memset(large, 'x', texts[i].n);
		struct behavior_switch tool = { texts[i].name, "/nonexistent/text.md", true };
		if (texts[i].n > 0)
			tool.path = put(&f, "text.md", texts[i].text != NULL ? texts[i].text : large,
			    texts[i].n);
		f.b.tools.list = &tool;
		f.b.tools.n = 1;
		cr_expect_eq(model_catalog(&catalog, f.a, tools_builtin, &f.b, &f.e), texts[i].rc, "row %zu", i);
		if (texts[i].rc != OK)
			cr_expect_not_null(strstr(f.e.msg, texts[i].says), "row %zu: %s", i, f.e.msg);
		else
			cr_expect(starts_with(catalog, arena_printf(f.a, "- search_airports: %s\n",
			    texts[i].doc != NULL ? texts[i].doc : tools_builtin.tools[0]->doc)), "%.80s", catalog);
		if (texts[i].rc == OK && texts[i].says != NULL)
			cr_expect_eq(logged(&f, texts[i].says), 1, "row %zu", i);
		close_fix(&f);
	}
}

/* -- examples -- */

#define PLAN "{\\\"selected_tool\\\": \\\"search_airports\\\", \\\"arguments\\\": {\\\"query\\\": \\\"x\\\"}}"

static const struct {
	const char *json;
	size_t kept, skipped, ignored;
} lists[] = {
	{ "[]", 0, 0, 0 },
	{ "[{\"question\": \"a\", \"answer\": \"" PLAN "\"}, {\"answer\": \"" PLAN "\", \"question\": \"é\"}]",
	    2, 0, 0 },
	{ "[{\"question\": \" \", \"answer\": \"" PLAN "\"}, {\"question\": \"a\", \"answer\": \"\"},"
	    " {\"question\": \"a\"}, 5, null, {\"question\": 1, \"answer\": \"" PLAN "\"}]", 0, 6, 0 },
	{ "[{\"question\": \"a\", \"answer\": \"{}\"}, {\"question\": \"a\", \"answer\": "
	    "\"{\\\"selected_tool\\\": \\\"fly\\\"}\"}, {\"question\": \"a\", \"answer\": "
	    "\"{\\\"selected_tool\\\": \\\"search_airports\\\"}\"}]", 0, 3, 0 },
	{ "{\"question\": \"a\", \"answer\": \"b\"}", 0, 0, 1 },
	{ "[{\"question\"", 0, 0, 1 },
	{ "", 0, 0, 1 },
	{ NULL, 0, 0, 1 },
};

TEST(model_open, examples)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct openfix f;
		open_fix(&f);
		f.b.examples_planner = lists[i].json == NULL ? "/nonexistent/examples.json"
		    : put(&f, "examples.json", lists[i].json, strlen(lists[i].json));
		TEST_OK(open_model(&f), f.e);
		cr_expect_eq(f.m.nexamples, lists[i].kept, "row %zu", i);
		cr_expect_eq(logged(&f, "example_skipped"), lists[i].skipped, "row %zu", i);
		cr_expect_eq(logged(&f, "examples_ignored"), lists[i].ignored, "row %zu", i);
		close_fix(&f);
	}
	struct openfix f;
	open_fix(&f);
	f.b.examples_planner = NULL;
	TEST_OK(open_model(&f), f.e);
	cr_expect_eq(f.m.nexamples, 0);
	close_fix(&f);
}

/* -- what a first plan costs -- */

enum { PLAN_TOKENS = 4000, PLAN_BYTES = 12500, MESSAGE_TOKENS = 4 };

static int64_t tokens_of(const char *text)
{
	return tokens_guess(text, strlen(text));
}

/* What is sent before a conversation has begun, of the shipped prompts with all tools on offer; as
 * functions, and as text. A model on a pilot's own computer reads it before it can plan. */
TEST(model_open, a_first_plan_is_short)
{
	static const char question[] = "?";
	static const struct scripted_reply replies[] = {
		{ .calls = { "{}" }, .called = "no_tool" },
		{ .rc = ERR_UPSTREAM, .no_functions = true },
		{ .text = "{\"selected_tool\":\"no_tool\"}" },
	};
	struct openfix f;
	struct scripted_llm provider;
	struct rulesfix rules;
	struct aviation_state state = { .nlookups = 0 };
	struct plans plans = { .n = 0 };
	reader_open();
	open_fix(&f);
	rulesfix_open(&rules, NULL, NULL);
	f.b.planner.model = f.b.formatter.model = "a";
	scripted_init(&provider, f.a, replies, 3);
	struct llm *llm = llm_open(&provider.base, &(struct llm_config){ .backoff_ms = 1 });
	TEST_OK(model_open(&f.m, f.a, tools_builtin, &f.b, llm, &limits, &f.e), f.e);
	cr_expect_eq(f.m.nopenings, 2, "made once, at start: as functions and as text");
	struct aviation_app app = { .model = &f.m, .tools = { .table = tools_builtin,
		.rules = rules.rules,
		.offered = toolset_offered(f.a, tools_builtin, f.b.tools) } };
	struct message asked = { .role = "user", .content = question };
	struct run run = { .mem = f.a, .app = &app, .state = &state, .messages = &asked, .nmessages = 1 };
	for (int i = 0; i < 2; i++) {
		plans.n = 0;
		TEST_OK(planner_model.plan(&run, &app.tools, &plans, &f.e), f.e);
	}
	for (size_t i = 0; i < 3; i += 2) {
		const struct scripted_request *r = &provider.asked[i];
		int64_t tokens = r->tools == NULL ? 0 : tokens_of(r->tools);
		size_t bytes = r->tools == NULL ? 0 : strlen(r->tools);
		for (size_t k = 0; k < r->n; k++) {
			tokens += MESSAGE_TOKENS + tokens_of(r->messages[k].content);
			bytes += strlen(r->messages[k].content);
		}
		cr_expect_leq(tokens, PLAN_TOKENS, "%s: %lld tokens", i == 0 ? "functions" : "text",
		    (long long)tokens);
		cr_expect_leq(bytes, PLAN_BYTES, "%s: %zu bytes", i == 0 ? "functions" : "text", bytes);
		cr_expect_geq(tokens, 1000, "something is missing");
	}
	cr_expect_null(strchr(provider.asked[0].tools, '\n'));
	rulesfix_close(&rules);
	llm_close(llm);
	close_fix(&f);
}

/* What changes from turn to turn stands behind what does not. */
TEST(model_open, what_a_request_begins_with_stays)
{
	struct openfix f;
	struct scripted_llm provider;
	struct rulesfix rules;
	open_fix(&f);
	rulesfix_open(&rules, NULL, NULL);
	f.b.planner.model = f.b.formatter.model = "a";
	f.b.routing = true;
	scripted_init(&provider, f.a, NULL, 0);
	struct llm *llm = llm_open(&provider.base, &(struct llm_config){ .backoff_ms = 1 });
	TEST_OK(model_open(&f.m, f.a, tools_builtin, &f.b, llm, &limits, &f.e), f.e);
	cr_expect_eq(f.m.nopenings, 6, "two for each that a router may choose");
	const struct toolset all = toolset_offered(f.a, tools_builtin, f.b.tools);
	const struct tool_context with = { .rules = rules.rules, .offered = all };
	const struct tool_context without = { .offered = all };
	const struct tool_context few = { .offered = toolset_of(f.a, all, TOOL_RULES) };
	struct model_opening o = model_opening(f.a, &f.m, &with, false);
	cr_expect_eq(o.system, f.m.openings[0].system, "it is copied, not made again");
	cr_expect_eq(o.quoted, model_opening(f.a, &f.m, &without, false).quoted, "whatever rules there are");
	cr_expect_eq(model_opening(f.a, &f.m, &few, false).system, f.m.openings[4].system);
	/* the form for a model that takes no functions is made at start too */
	o = model_opening(f.a, &f.m, &few, true);
	cr_expect_eq(o.quoted, f.m.openings[5].quoted);
	cr_expect_not_null(strstr(o.system, "\n- answer_rules_question: "), "%s", o.system);
	/* a prompt of a site that names the tags is filled in for each turn */
	f.b.prompt_planner = put(&f, "own.md", TEXT("{tool_catalog} Tags: {available_tags}."));
	TEST_OK(model_open(&f.m, f.a, tools_builtin, &f.b, llm, &limits, &f.e), f.e);
	cr_expect_eq(f.m.nopenings, 0);
	cr_expect_not_null(strstr(model_opening(f.a, &f.m, &with, false).system,
	    "Tags: flight_plan, night_vfr, tether."));
	rulesfix_close(&rules);
	llm_close(llm);
	close_fix(&f);
}

/* -- what stops the start -- */

TEST(model_open, prompts_are_checked)
{
	struct openfix f;
	open_fix(&f);
	f.b.prompt_formatter = put(&f, "own.md", TEXT("Line\n{tool_catalog}"));
	cr_expect_eq(open_model(&f), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "own.md:2: "), "%s", f.e.msg);
	f.b.prompt_formatter = "/nonexistent/own.md";
	cr_expect_eq(open_model(&f), ERR_IO);
	cr_expect_not_null(strstr(f.e.msg, "/nonexistent/own.md"), "%s", f.e.msg);
	close_fix(&f);
}

/* Without the catalogue a planner cannot know the tools: a mistake, but the site's to make. */
TEST(model_open, a_prompt_that_lacks_what_it_is_about_is_told)
{
	struct openfix f;
	open_fix(&f);
	f.b.prompt_planner = put(&f, "own.md", TEXT("hello"));
	TEST_OK(open_model(&f), f.e);
	cr_expect_eq(logged(&f, "prompt_without key=prompts.planner"), 1);
	cr_expect_eq(logged(&f, "missing={tool_catalog}"), 1);
	close_fix(&f);
}

/* A lone binary has no prompts beside it: only who needs them misses them. */
TEST(model_open, prompts_that_are_not_installed)
{
	struct openfix f;
	struct scripted_llm provider;
	open_fix(&f);
	f.b.planner.model = f.b.formatter.model = "a";
	f.b.prompt_formatter = NULL;
	TEST_OK(model_open(&f.m, f.a, tools_builtin, &f.b, NULL, &limits, &f.e), f.e);
	scripted_init(&provider, f.a, NULL, 0);
	struct llm *llm = llm_open(&provider.base, &(struct llm_config){ .backoff_ms = 1 });
	cr_expect_eq(model_open(&f.m, f.a, tools_builtin, &f.b, llm, &limits, &f.e), ERR_CONFIG);
	cr_expect_str_eq(f.e.msg, "site.json: prompts.formatter is not set");
	llm_close(llm);
	close_fix(&f);
}

static const struct {
	const char *planner, *formatter, *why;
} models[] = {
	{ "a", "b", NULL },
	{ NULL, "b", "site.json: llms.planner.model is not set: name a model there or in "
	    "AVIATION_AGENT_PLANNER_MODEL" },
	{ "a", "", "site.json: llms.formatter.model is not set: name a model there or in "
	    "AVIATION_AGENT_FORMATTER_MODEL" },
};

TEST(model_open, needs_the_models_it_asks)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		struct openfix f;
		struct scripted_llm provider;
		open_fix(&f);
		scripted_init(&provider, f.a, NULL, 0);
		struct llm *llm = llm_open(&provider.base, &(struct llm_config){ .backoff_ms = 1 });
		f.b.planner.model = models[i].planner;
		f.b.formatter.model = models[i].formatter;
		enum errcode rc = model_open(&f.m, f.a, tools_builtin, &f.b, llm, &limits, &f.e);
		cr_expect_eq(rc, models[i].why != NULL ? ERR_CONFIG : OK, "row %zu", i);
		cr_expect_str_eq(rc == OK ? "" : f.e.msg, models[i].why != NULL ? models[i].why : "");
		TEST_OK(open_model(&f), f.e);   /* without a provider none is needed */
		llm_close(llm);
		close_fix(&f);
	}
}
