/*
 * Behaviour config: every row of its table against wrong values, the files it names, and the
 * config folders that sites have.
 */
#include "agents/aviation/config.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "tests/unit/test.h"

/* What the schema requires, and no more. */
#define MINIMAL \
	"{\"llms\":{\"planner\":{},\"formatter\":{},\"router\":{}},\"routing\":{}," \
	"\"query_reformulation\":{},\"rag\":{},\"reranking\":{},\"next_query_prediction\":{}," \
	"\"prompts\":{\"planner\":\"prompts/planner.md\",\"formatter\":\"prompts/formatter.md\"}," \
	"\"examples\":{\"planner\":\"prompts/planner_examples.json\"}}"

/* A site in <dir>/site with its config folder, and what is installed in <dir>/data. */
struct site {
	char *dir;
	struct arena *a;
	struct conf c;
	struct aviation_config b;
	struct err e;
	const char *log;
};

static void put_file(struct site *s, const char *path, const char *text)
{
	char *full = arena_printf(s->a, "%s/%s", s->dir, path);
	for (char *p = full + strlen(s->dir) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	FILE *f = fopen(full, "w");
	cr_assert_not_null(f, "%s", full);
	fputs(text, f);
	fclose(f);
}

#define CONFIG "site/configs/aviation_agent/"

static void set_up(struct site *s)
{
	static const char *const installed[] = {
		"prompts/planner.md", "prompts/formatter.md", "prompts/comparison.md",
		"prompts/planner_examples.json", "prompts/tools/search_airports.md",
		"conf/next_query_predictor/default.json",
	};
	memset(s, 0, sizeof(*s));
	s->dir = test_mkdtemp();
	s->a = arena_new();
	clearenv();
	setenv("HOME", s->dir, 1);
	setenv("PROJECT_ROOT", arena_printf(s->a, "%s/site", s->dir), 1);
	setenv("AVIATION_AGENT_DATA_DIR", arena_printf(s->a, "%s/data", s->dir), 1);
	cr_assert_eq(chdir(s->dir), 0);
	for (size_t i = 0; i < sizeof(installed) / sizeof(installed[0]); i++)
		put_file(s, arena_printf(s->a, "data/%s", installed[i]), "a shipped text");
	s->log = arena_printf(s->a, "%s/log", s->dir);
	cr_assert(log_open(s->log));
}

static void tear_down(struct site *s)
{
	log_open(NULL);
	arena_free(s->a);
	test_rmdir(s->dir);
}

/* Load with what the environment says; the log starts anew. */
static enum errcode load(struct site *s)
{
	s->e = (struct err){ 0 };
	cr_assert_eq(truncate(s->log, 0), 0);
	TEST_OK(conf_load(&s->c, s->a, &s->e), s->e);
	return behavior_read(&s->b, &aviation_slice, &s->c, s->a, &s->e);
}

static enum errcode load_text(struct site *s, const char *json)
{
	put_file(s, CONFIG "default.json", json);
	return load(s);
}

/* What was logged. */
static const char *logged(struct site *s)
{
	char *text = arena_alloc(s->a, 65536);
	FILE *f = fopen(s->log, "r");
	cr_assert_not_null(f);
	text[fread(text, 1, 65535, f)] = '\0';
	fclose(f);
	return text;
}

static struct json_object *parse(struct site *s, const char *json)
{
	struct json_object *o;
	TEST_OK(jsn_parse(s->a, json, strlen(json), JSN_DEPTH, &o, NULL, &s->e), s->e);
	return o;
}

/* MINIMAL with one key set to a JSON text, sections made on the way. NULL: taken away. */
static const char *with(struct site *s, const char *key, const char *json)
{
	struct json_object *root = parse(s, MINIMAL), *o = root;
	const char *dot;
	if (starts_with(key, "llms.fallback."))       /* which is nothing without a model */
		jsn_add(jsn_get(root, "llms"), "fallback", jsn_ref(parse(s, "{\"model\":\"m\"}")));
	for (; (dot = strchr(key, '.')) != NULL; key = dot + 1) {
		char *part = arena_strndup(s->a, key, (size_t)(dot - key));
		if (jsn_get(o, part) == NULL)
			jsn_add(o, part, json_object_new_object());
		o = jsn_get(o, part);
	}
	if (json == NULL)
		json_object_object_del(o, key);
	else
		jsn_add(o, key, jsn_ref(parse(s, json)));
	return jsn_text(s->a, root, JSN_INDENT);
}

static void expect_refused(struct site *s, const char *key, const char *json)
{
	cr_expect_eq(load_text(s, with(s, key, json)), ERR_CONFIG, "%s: %s", key, json);
	cr_expect_not_null(strstr(s->e.msg, CONFIG "default.json: "), "%s", s->e.msg);
	cr_expect_not_null(strstr(s->e.msg, key), "%s: %s", key, s->e.msg);
}

/* -- the table ------------------------------------------------------------------ */

/* Nothing of these is right for a key of this kind. */
static const struct { enum behavior_kind kind; const char *wrong[6]; } wrong[] = {
	{ B_SECTION, { "[]", "\"text\"", "7", "true" } },
	{ B_BOOL, { "\"perhaps\"", "\"\"", "2", "0.5", "[]", "{}" } },
	{ B_INT, { "1.5", "\"1.5\"", "\"seven\"", "\"7\\u0000\"", "true", "[7]" } },
	{ B_NUMBER, { "\"warm\"", "\"0x1\"", "\"nan\"", "true", "{}" } },
	{ B_TEXT, { "7", "true", "[]", "{}", "\"a\\u0000b\"" } },
	{ B_CHOICE, { "\"other\"", "\"\"", "\"|\"", "\"cohere|openai\"", "7", "[]" } },
	{ B_FILE_NEEDED, { "7", "[]", "\"\"", "\"no/such.md\"", "\"/no/such.md\"" } },
	{ B_FILE_OURS, { "7", "[]", "false" } },
	{ B_FILE_EXTRA, { "7", "[]", "false" } },
	{ B_FILE_TEMPLATES, { "7", "[]", "\"no/such.json\"" } },
	{ B_SWITCHES, { "[]", "\"text\"", "{\"a\":7}", "{\"a\":{}}" } },
};

TEST(behavior, refuses_the_wrong_type_of_every_key, .timeout = 60)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const struct behavior_row *r = &aviation_slice.rows[i];
		size_t tried = 0;
		for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++)
			for (size_t n = 0; wrong[k].kind == r->kind && n < 6 && wrong[k].wrong[n]; n++) {
				expect_refused(&s, r->key, wrong[k].wrong[n]);
				tried++;
			}
		cr_expect(tried > 0 || r->kind == B_RETIRED, "%s: nothing to try", r->key);
	}
	tear_down(&s);
}

/* As the schema has it; a key that begins with a point is that of every llms section. */
static const struct { const char *key; double min, max; } ranges[] = {
	{ ".temperature", 0, 2 }, { ".max_retries", 0, 10 }, { ".request_timeout", 5, 300 },
	{ "rag.retrieval.top_k", 1, 100 }, { "rag.retrieval.similarity_threshold", 0, 1 },
	{ "rag.retrieval.rerank_candidates_multiplier", 1, INT32_MAX },
	{ "next_query_prediction.max_suggestions", 1, 20 }, { "comparison.max_questions", 1, 100 },
	{ "comparison.min_difference", 0, 1 }, { "comparison.send_all_threshold", 1, INT32_MAX },
	{ "comparison.synthesis_temperature", 0, 2 },
};

static bool ranged(const struct behavior_row *r, size_t i)
{
	const char *key = ranges[i].key;
	return key[0] == '.' ? starts_with(r->key, "llms.") && streq(strrchr(r->key, '.'), key) :
	    streq(r->key, key);
}

TEST(behavior, keeps_numbers_in_their_range, .timeout = 60)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const struct behavior_row *r = &aviation_slice.rows[i];
		size_t k = 0, n = sizeof(ranges) / sizeof(ranges[0]);
		if (r->kind != B_INT && r->kind != B_NUMBER)
			continue;
		while (k < n && !ranged(r, k))
			k++;
		cr_assert_lt(k, n, "%s has no range here", r->key);
		const double min = ranges[k].min, max = ranges[k].max;
		const double in[] = { min, max }, out[] = { min - 1, max + 1, 1e300 };
		for (size_t j = 0; j < 2; j++) {
			double number;
			int64_t whole;
			const char *json = arena_printf(s.a, j == 0 ? "%.0f" : "\"%.0f\"", in[j]);
			TEST_OK(load_text(&s, with(&s, r->key, json)), s.e);
			memcpy(&number, (char *)&s.b + r->offset, sizeof(number));
			memcpy(&whole, (char *)&s.b + r->offset, sizeof(whole));
			cr_expect_eq(r->kind == B_INT ? (double)whole : number, in[j], "%s", r->key);
		}
		for (size_t j = 0; j < 3; j++) {
			expect_refused(&s, r->key, arena_printf(s.a, "%.0f", out[j]));
			cr_expect_not_null(strstr(s.e.msg, arena_printf(s.a, "from %.0f to %.0f", min, max)),
			    "%s", s.e.msg);
		}
	}
	tear_down(&s);
}

TEST(behavior, null_is_for_keys_that_may_be_null, .timeout = 60)
{
	/* as the schema has it; llms.fallback is ours */
	static const char *const nullable[] = {
		"name", "description", "llms.planner.model", "llms.formatter.model",
		"llms.router.model", "llms.rules", "llms.rules.model", "llms.fallback",
		"reranking.cohere", "reranking.openai", "next_query_prediction.templates_path",
		"comparison.synthesis_model", "prompts.comparison_synthesis", "prompts.rules_agent",
		"prompts.router", "examples.planner", "tools",
	};
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const struct behavior_row *r = &aviation_slice.rows[i];
		bool may = false;
		for (size_t n = 0; n < sizeof(nullable) / sizeof(nullable[0]); n++)
			may = may || streq(r->key, nullable[n]);
		if (may)
			TEST_OK(load_text(&s, with(&s, r->key, "null")), s.e);
		else
			expect_refused(&s, r->key, "null");
	}
	tear_down(&s);
}

TEST(behavior, says_which_key_is_missing, .timeout = 60)
{
	static const char *const required[] = {
		"llms", "llms.planner", "llms.formatter", "llms.router", "routing",
		"query_reformulation", "rag", "reranking", "next_query_prediction", "prompts",
		"prompts.planner", "prompts.formatter", "examples", "examples.planner",
	};
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		cr_expect_eq(load_text(&s, with(&s, required[i], NULL)), ERR_CONFIG, "%s", required[i]);
		cr_expect_not_null(strstr(s.e.msg,
		    arena_printf(s.a, CONFIG "default.json: %s is required", required[i])), "%s", s.e.msg);
	}
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		bool must = false;
		for (size_t n = 0; n < sizeof(required) / sizeof(required[0]); n++)
			must = must || streq(aviation_slice.rows[i].key, required[n]);
		cr_expect_eq((aviation_slice.rows[i].flags & B_REQUIRED) != 0, must, "%s",
		    aviation_slice.rows[i].key);
	}
	tear_down(&s);
}

TEST(behavior, has_the_defaults_of_the_schema)
{
	struct site s;
	set_up(&s);
	TEST_OK(load_text(&s, MINIMAL), s.e);
	const struct aviation_config *b = &s.b;
	const struct llm_role *roles[] = { &b->planner, &b->formatter, &b->router };
	for (size_t i = 0; i < 3; i++) {
		cr_expect(roles[i]->set && roles[i]->model == NULL && !roles[i]->streaming);
		cr_expect(roles[i]->temperature == 0 && roles[i]->max_retries == 3);
		cr_expect_eq(roles[i]->request_timeout, 60);
	}
	cr_expect(!b->rewriter.set && !b->fallback.set && b->builtin_fallback);
	cr_expect_str_eq(b->version, "1.0");
	cr_expect(!b->routing && b->rules.reformulate && b->rules.rerank && b->rules.compare && b->predict);
	cr_expect_str_eq(b->rules.embedding_model, "text-embedding-3-small");
	cr_expect(b->rules.top_k == 5 && b->rules.threshold == 0.3 && b->rules.multiplier == 2);
	cr_expect_str_eq(b->rules.rerank_provider, "cohere");
	cr_expect_str_eq(b->rules.rerank_cohere_model, "rerank-v3.5");
	cr_expect_str_eq(b->rules.rerank_openai_model, "text-embedding-3-large");
	cr_expect(b->rules.compare_max == 15 && b->rules.compare_min_difference == 0.1);
	cr_expect(b->rules.compare_send_all == 10 && b->compare_model == NULL);
	cr_expect(b->compare_temperature == 0 && b->predict_max == 4);
	cr_expect(!b->ui_mcp_raw && !b->all_idents && b->tools.n == 0);
	cr_expect_not_null(strstr(b->predict_templates, "/data/conf/next_query_predictor/default.json"));
	tear_down(&s);
}

/* -- values --------------------------------------------------------------------- */

static const struct { const char *key, *json; bool is; } flags[] = {
	{ "ui_payload.mcp_raw", "true", true }, { "ui_payload.mcp_raw", "false", false },
	{ "ui_payload.mcp_raw", "\"yes\"", true }, { "ui_payload.mcp_raw", "\"ON\"", true },
	{ "ui_payload.mcp_raw", "\"t\"", true }, { "ui_payload.mcp_raw", "\"1\"", true },
	{ "ui_payload.mcp_raw", "1", true }, { "ui_payload.mcp_raw", "0", false },
	{ "ui_payload.mcp_raw", "\"N\"", false }, { "ui_payload.mcp_raw", "\"Off\"", false },
};

TEST(behavior, takes_numbers_and_booleans_as_text)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		TEST_OK(load_text(&s, with(&s, flags[i].key, flags[i].json)), s.e);
		cr_expect_eq(s.b.ui_mcp_raw, flags[i].is, "%s", flags[i].json);
	}
	static const char *const sevens[] = { "7", "7.0", "\"7\"", "\" 7 \"", "\"7.0\"", "7e0" };
	for (size_t i = 0; i < sizeof(sevens) / sizeof(sevens[0]); i++) {
		TEST_OK(load_text(&s, with(&s, "next_query_prediction.max_suggestions", sevens[i])), s.e);
		cr_expect_eq(s.b.predict_max, 7, "%s", sevens[i]);
	}
	TEST_OK(load_text(&s, with(&s, "llms.planner.temperature", "\"0.7\"")), s.e);
	cr_expect_eq(s.b.planner.temperature, 0.7);
	TEST_OK(load_text(&s, with(&s, "llms.planner.model", "\"\"")), s.e);
	cr_expect_null(s.b.planner.model, "an empty name is none");
	tear_down(&s);
}

TEST(behavior, a_value_in_a_message_is_short)
{
	struct site s;
	set_up(&s);
	char *json = arena_alloc(s.a, 4096);
	json[0] = '"';
	for (size_t i = 0; i < 1000; i++)
		memcpy(json + 1 + 2 * i, "é", 2);
	json[2001] = '"';
	expect_refused(&s, "reranking.provider", json);
	cr_expect_lt(strlen(strstr(s.e.msg, "must be")), 120, "%s", s.e.msg);
	cr_expect(utf8_valid(s.e.msg, strlen(s.e.msg)));
	cr_expect_not_null(strstr(s.e.msg, "one of cohere, openai, none"), "%s", s.e.msg);
	tear_down(&s);
}

static const struct { const char *json, *says; } unusable[] = {
	{ "[]", "must hold a JSON object" },
	{ "null", "must hold a JSON object" },
	{ "", "default.json:1: not JSON" },
	{ "{\n\n\"a\": }", "default.json:3: not JSON" },
	{ "{\"llms\": {}", "default.json:1: not JSON" },
	{ "{\"llms\": {\"planner\": {\"temperature\": NaN}}}", "not JSON" },
};

TEST(behavior, refuses_what_is_no_config)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < sizeof(unusable) / sizeof(unusable[0]); i++) {
		cr_expect_eq(load_text(&s, unusable[i].json), ERR_CONFIG, "row %zu", i);
		cr_expect_not_null(strstr(s.e.msg, unusable[i].says), "%s", s.e.msg);
		cr_expect_not_null(strstr(s.e.msg, CONFIG "default.json"), "%s", s.e.msg);
	}
	/* one that is there and cannot be read is not passed over for the next one */
	setenv("AVIATION_AGENT_CONFIG", "folder", 1);
	put_file(&s, CONFIG "folder.json/x", "");
	cr_expect_neq(load(&s), OK);
	cr_expect_not_null(strstr(s.e.msg, CONFIG "folder.json"), "%s", s.e.msg);
	setenv("AVIATION_AGENT_CONFIG", "loop", 1);
	cr_assert_eq(symlink("loop.json", arena_printf(s.a, "%s/" CONFIG "loop.json", s.dir)), 0);
	cr_expect_neq(load(&s), OK);
	cr_expect_not_null(strstr(s.e.msg, CONFIG "loop.json: "), "%s", s.e.msg);
	tear_down(&s);
}

static const struct { const char *key, *json; } unknown[] = {
	{ "tols", "{}" }, { "llms.plannr", "{}" }, { "llms.planner.modell", "\"m\"" },
	{ "rag.retrieval.topk", "3" }, { "ui_payload.raw", "true" }, { "examples.formatter", "1" },
	{ "prompts.planer", "\"p\"" }, { "reranking.cohere.key", "\"a-secret\"" },
};

TEST(behavior, warns_about_unknown_keys)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		TEST_OK(load_text(&s, with(&s, unknown[i].key, unknown[i].json)), s.e);
		const char *log = logged(&s);
		cr_expect_not_null(strstr(log, " warn config_unknown_key "), "%s", log);
		cr_expect_not_null(strstr(log, arena_printf(s.a, "key=%s\n", unknown[i].key)), "%s", log);
		cr_expect_null(strstr(log, "a-secret"), "%s", log);
	}
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const struct behavior_row *r = &aviation_slice.rows[i];
		if (r->kind != B_RETIRED)
			continue;
		TEST_OK(load_text(&s, with(&s, r->key, "\"prompts/gone.md\"")), s.e);
		cr_expect_null(strstr(logged(&s), r->key), "%s", logged(&s));
	}
	tear_down(&s);
}

/* -- models of the environment ------------------------------------------------------ */

/* The file's names are those of another provider, so none of them is used, the fallback's neither. */
TEST(behavior, the_providers_model_replaces_the_files)
{
	static const struct { const char *provider, *setting, *value, *model; } rows[] = {
		{ "anthropic", "ANTHROPIC_API_KEY", "k", "claude-sonnet-5" },
		{ "anthropic", "ANTHROPIC_MODEL", "a", "a" },
		{ "gemini", "GOOGLE_API_KEY", "k", "gemini-3.8-flash" },
		{ "ollama", "OLLAMA_MODEL", "o", "o" },
		{ "openai", "OPENAI_API_KEY", "k", NULL },
		{ "openai", "OPENAI_MODEL", "n", "n" },
	};
	struct site s;
	set_up(&s);
	const char *json = with(&s, "llms", "{\"planner\":{\"model\":\"p\"},\"formatter\":{\"model\":\"f\"},"
	    "\"router\":{\"model\":\"r\"},\"fallback\":{\"model\":\"b\"}}");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *model = rows[i].model;
		setenv("LLM_PROVIDER", rows[i].provider, 1);
		setenv(rows[i].setting, rows[i].value, 1);
		TEST_OK(load_text(&s, json), s.e);
		cr_expect_str_eq(s.b.planner.model, model != NULL ? model : "p", "row %zu", i);
		cr_expect_str_eq(s.b.formatter.model, model != NULL ? model : "f", "row %zu", i);
		cr_expect_str_eq(s.b.router.model, model != NULL ? model : "r", "row %zu", i);
		cr_expect_eq(s.b.fallback.model == NULL, model != NULL, "row %zu", i);
		cr_expect(!s.b.rewriter.set && s.b.rewriter.model == NULL, "row %zu", i);
		setenv("AVIATION_AGENT_PLANNER_MODEL", "P", 1);
		setenv("AVIATION_AGENT_FALLBACK_MODEL", "B", 1);
		TEST_OK(load_text(&s, json), s.e);
		cr_expect(streq(s.b.planner.model, "P") && streq(s.b.fallback.model, "B"), "row %zu", i);
		unsetenv("AVIATION_AGENT_PLANNER_MODEL");
		unsetenv("AVIATION_AGENT_FALLBACK_MODEL");
		unsetenv(rows[i].setting);
	}
	unsetenv("LLM_PROVIDER");
	tear_down(&s);
}

TEST(behavior, models_of_the_environment_win)
{
	struct site s;
	set_up(&s);
	const char *json = with(&s, "llms", "{\"planner\":{\"model\":\"p\"},"
	    "\"formatter\":{\"model\":\"f\",\"temperature\":0.5,\"max_retries\":1},\"router\":{}}");
	TEST_OK(load_text(&s, json), s.e);
	cr_expect_str_eq(s.b.planner.model, "p");
	cr_expect_str_eq(s.b.formatter.model, "f");
	cr_expect_not(s.b.fallback.set);
	setenv("AVIATION_AGENT_PLANNER_MODEL", "P", 1);
	setenv("AVIATION_AGENT_FORMATTER_MODEL", "F", 1);
	setenv("ROUTER_MODEL", "R", 1);
	setenv("AVIATION_AGENT_FALLBACK_MODEL", "B", 1);
	TEST_OK(load_text(&s, json), s.e);
	cr_expect_str_eq(s.b.planner.model, "P");
	cr_expect_str_eq(s.b.formatter.model, "F");
	cr_expect_str_eq(s.b.router.model, "R");
	cr_expect(s.b.fallback.set && streq(s.b.fallback.model, "B"));
	cr_expect(s.b.fallback.temperature == 0.5 && s.b.fallback.max_retries == 1,
	    "a fallback of the environment is the formatter's otherwise");
	TEST_OK(load_text(&s, with(&s, "llms.fallback.temperature", "1")), s.e);
	cr_expect(streq(s.b.fallback.model, "B") && s.b.fallback.temperature == 1);
	TEST_OK(load_text(&s, with(&s, "llms.fallback.model", "null")), s.e);
	unsetenv("AVIATION_AGENT_FALLBACK_MODEL");
	expect_refused(&s, "llms.fallback", "{}");
	TEST_OK(load_text(&s, with(&s, "llms.fallback.model", "\"b\"")), s.e);
	cr_expect_str_eq(s.b.fallback.model, "b");
	tear_down(&s);
}

/* -- files ---------------------------------------------------------------------- */

static void expect_path(struct site *s, const char *got, const char *below)
{
	if (below == NULL)
		cr_expect_null(got, "%s", got);
	else
		cr_expect(streq(got, arena_printf(s->a, "%s/%s", s->dir, below)), "%s instead of %s",
		    got, below);
}

TEST(behavior, a_file_is_beside_the_config_or_shipped)
{
	struct site s;
	set_up(&s);
	TEST_OK(load_text(&s, MINIMAL), s.e);
	expect_path(&s, s.b.prompt_planner, "data/prompts/planner.md");
	expect_path(&s, s.b.examples_planner, "data/prompts/planner_examples.json");
	/* the installed folder of prompts by its own name too */
	TEST_OK(load_text(&s, with(&s, "prompts.planner", "\"planner.md\"")), s.e);
	expect_path(&s, s.b.prompt_planner, "data/prompts/planner.md");
	TEST_OK(load_text(&s, with(&s, "tools.search_airports", "\"tools/search_airports.md\"")), s.e);
	cr_assert_eq(s.b.tools.n, 1);
	expect_path(&s, s.b.tools.list[0].path, "data/prompts/tools/search_airports.md");
	/* a site's own wins */
	put_file(&s, CONFIG "prompts/planner.md", "own");
	TEST_OK(load_text(&s, MINIMAL), s.e);
	expect_path(&s, s.b.prompt_planner, CONFIG "prompts/planner.md");
	expect_path(&s, s.b.prompt_formatter, "data/prompts/formatter.md");
	/* where the operator says */
	put_file(&s, "elsewhere/p.md", "own");
	TEST_OK(load_text(&s, with(&s, "prompts.planner",
	    arena_printf(s.a, "\"%s/elsewhere/p.md\"", s.dir))), s.e);
	expect_path(&s, s.b.prompt_planner, "elsewhere/p.md");
	TEST_OK(load_text(&s, with(&s, "prompts.planner", "\"../../../elsewhere/p.md\"")), s.e);
	expect_path(&s, s.b.prompt_planner, CONFIG "../../../elsewhere/p.md");
	/* templates: beside it, above it, shipped */
	put_file(&s, "site/configs/templates.json", "{}");
	TEST_OK(load_text(&s, with(&s, "next_query_prediction.templates_path", "\"templates.json\"")),
	    s.e);
	expect_path(&s, s.b.predict_templates, CONFIG "../templates.json");
	put_file(&s, CONFIG "templates.json", "{}");
	TEST_OK(load(&s), s.e);
	expect_path(&s, s.b.predict_templates, CONFIG "templates.json");
	TEST_OK(load_text(&s, with(&s, "next_query_prediction.templates_path", "null")), s.e);
	expect_path(&s, s.b.predict_templates, NULL);
	tear_down(&s);
}

TEST(behavior, a_missing_prompt_names_every_place)
{
	struct site s;
	set_up(&s);
	expect_refused(&s, "prompts.formatter", "\"prompts/gone.md\"");
	cr_expect_not_null(strstr(s.e.msg, "prompts.formatter: prompts/gone.md"), "%s", s.e.msg);
	const char *const places[] = { "/site/configs/aviation_agent", "/data", "/data/prompts" };
	for (size_t i = 0; i < 3; i++)
		cr_expect_not_null(strstr(s.e.msg, arena_printf(s.a, "%s%s", s.dir, places[i])), "%s",
		    s.e.msg);
	put_file(&s, CONFIG "prompts/folder/x", "");
	expect_refused(&s, "prompts.formatter", "\"prompts/folder\"");
	cr_expect_not_null(strstr(s.e.msg, "is not a file"), "%s", s.e.msg);
	/* one beside the config that cannot be read is not passed over for the shipped one */
	cr_assert_eq(symlink("planner.md", arena_printf(s.a, "%s/" CONFIG "prompts/planner.md",
	    s.dir)), 0);
	cr_expect_eq(load_text(&s, MINIMAL), ERR_CONFIG);
	cr_expect_not_null(strstr(s.e.msg, "prompts/planner.md: "), "%s", s.e.msg);
	tear_down(&s);
}

/* key, value, where the file comes from (NULL: none) and what the log says about it (NULL: nothing) */
static const struct { const char *key, *json, *path, *says; } lenient[] = {
	{ "prompts.comparison_synthesis", NULL, "data/prompts/comparison.md",
	    "key=prompts.comparison_synthesis why=\"no file is named\" using=prompts/comparison.md" },
	{ "prompts.comparison_synthesis", "null", "data/prompts/comparison.md", "no file is named" },
	{ "prompts.comparison_synthesis", "\"\"", "data/prompts/comparison.md", "no file is named" },
	{ "prompts.comparison_synthesis", "\"prompts/gone.md\"", "data/prompts/comparison.md",
	    "prompts/gone.md is in none of these folders" },
	{ "prompts.comparison_synthesis", "\"prompts/comparison.md\"", "data/prompts/comparison.md",
	    NULL },
	{ "examples.planner", "null", NULL, "key=examples.planner why=\"no file is named\" using=none" },
	{ "examples.planner", "\"gone.json\"", NULL, "gone.json is in none of these folders" },
};

TEST(behavior, can_do_without_some_files)
{
	struct site s;
	set_up(&s);
	for (size_t i = 0; i < sizeof(lenient) / sizeof(lenient[0]); i++) {
		TEST_OK(load_text(&s, with(&s, lenient[i].key, lenient[i].json)), s.e);
		expect_path(&s, starts_with(lenient[i].key, "prompts") ? s.b.prompt_comparison :
		    s.b.examples_planner, lenient[i].path);
		const char *log = logged(&s);
		if (lenient[i].says != NULL)
			cr_expect_not_null(strstr(log, lenient[i].says), "row %zu: %s", i, log);
		else
			cr_expect_null(strstr(log, lenient[i].key), "row %zu: %s", i, log);
	}
	tear_down(&s);
}

TEST(behavior, tool_texts_that_hold_something_are_kept)
{
	struct site s;
	set_up(&s);
	put_file(&s, CONFIG "tools/a.md", "a text\n");
	put_file(&s, CONFIG "tools/blank.md", " \n\t\r\n");
	put_file(&s, CONFIG "tools/folder/x", "");
	TEST_OK(load_text(&s, with(&s, "tools", "{\"a\":\"tools/a.md\",\"none\":null,\"empty\":\"\","
	    "\"blank\":\"tools/blank.md\",\"gone\":\"tools/gone.md\",\"folder\":\"tools/folder\","
	    "\"b\":\"tools/a.md\"}")), s.e);
	cr_assert_eq(s.b.tools.n, 2);
	cr_expect_str_eq(s.b.tools.list[0].name, "a");
	cr_expect_str_eq(s.b.tools.list[1].name, "b");
	expect_path(&s, s.b.tools.list[1].path, CONFIG "tools/a.md");
	const char *log = logged(&s);
	cr_expect_not_null(strstr(log, "key=tools.blank why=\""), "%s", log);
	cr_expect_not_null(strstr(log, "tools/blank.md is empty\" using=its default"), "%s", log);
	cr_expect_not_null(strstr(log, "key=tools.gone why=\"tools/gone.md is in none of"), "%s", log);
	cr_expect_not_null(strstr(log, "key=tools.folder why=\""), "%s", log);
	cr_expect_null(strstr(log, "tools.none"), "%s", log);
	expect_refused(&s, "tools.a", "7");
	expect_refused(&s, "tools.a", "[]");
	expect_refused(&s, "tools.a", "\"a\\u0000b\"");
	cr_expect_not_null(strstr(s.e.msg, "tools.a must be a path, true, false or null, not"), "%s",
	    s.e.msg);
	tear_down(&s);
}

/* A path or true switches a tool on, false off; what leads to no text says nothing. */
TEST(behavior, tools_are_switched)
{
	static const struct {
		const char *value;
		int on;               /* -1: nothing is said of it */
		bool path;
	} rows[] = {
		{ "true", 1, false }, { "false", 0, false }, { "null", -1, false }, { "\"\"", -1, false },
		{ "\"True\"", 1, false }, { "\"off\"", 0, false }, { "1", 1, false }, { "0", 0, false },
		{ "\"tools/a.md\"", 1, true }, { "\"tools/gone.md\"", -1, false },
	};
	struct site s;
	set_up(&s);
	put_file(&s, CONFIG "tools/a.md", "a text\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST_OK(load_text(&s, with(&s, "tools.a", rows[i].value)), s.e);
		cr_assert_eq(s.b.tools.n, rows[i].on >= 0, "%s", rows[i].value);
		if (rows[i].on < 0)
			continue;
		cr_expect_str_eq(s.b.tools.list[0].name, "a");
		cr_expect_eq(s.b.tools.list[0].on, rows[i].on == 1, "%s", rows[i].value);
		cr_expect_eq(s.b.tools.list[0].path != NULL, rows[i].path, "%s", rows[i].value);
	}
	tear_down(&s);
}

/* -- whole configs ------------------------------------------------------------------ */

/* A folder as sites of the original have it: its own prompts, retired keys, a tool that is gone. */
#define ORIGINAL \
	"{\"version\":\"1.0\",\"name\":\"Default\",\"description\":\"as shipped\"," \
	"\"llms\":{\"planner\":{\"model\":\"gpt-4o-mini\",\"temperature\":0.0,\"streaming\":false}," \
	"\"formatter\":{\"model\":\"gpt-4o-mini\",\"temperature\":0.0,\"streaming\":true}," \
	"\"router\":{\"model\":\"gpt-4o-mini\",\"temperature\":0.0,\"streaming\":false}," \
	"\"rules\":null}," \
	"\"routing\":{\"enabled\":true},\"query_reformulation\":{\"enabled\":true}," \
	"\"rag\":{\"embedding_model\":\"text-embedding-3-small\",\"retrieval\":{\"top_k\":10," \
	"\"similarity_threshold\":0.25,\"rerank_candidates_multiplier\":2}}," \
	"\"reranking\":{\"enabled\":true,\"provider\":\"cohere\"," \
	"\"cohere\":{\"model\":\"rerank-v3.5\"},\"openai\":{\"model\":\"text-embedding-3-large\"}}," \
	"\"next_query_prediction\":{\"enabled\":true,\"max_suggestions\":4," \
	"\"templates_path\":\"next_query_predictor/default.json\"}," \
	"\"comparison\":{\"enabled\":true,\"max_questions\":15,\"min_difference\":0.1," \
	"\"send_all_threshold\":10,\"synthesis_model\":null,\"synthesis_temperature\":0.0}," \
	"\"prompts\":{\"planner\":\"prompts/planner_v1.md\",\"formatter\":\"prompts/formatter_v1.md\"," \
	"\"comparison_synthesis\":\"prompts/comparison_synthesis_v1.md\"," \
	"\"rules_agent\":\"prompts/rules_agent_v1.md\",\"router\":\"prompts/router_v1.md\"}," \
	"\"examples\":{\"planner\":\"examples/planner_examples_v1.json\"}," \
	"\"tools\":{\"search_airports\":\"tools/search_airports.md\"," \
	"\"get_airport_details\":\"tools/get_airport_details.md\"," \
	"\"list_rules_for_country\":\"tools/list_rules_for_country.md\"}}"

TEST(behavior, a_folder_of_the_original_works_as_it_is)
{
	static const char *const own[] = {
		"prompts/planner_v1.md", "prompts/formatter_v1.md", "prompts/comparison_synthesis_v1.md",
		"examples/planner_examples_v1.json", "tools/search_airports.md",
		"tools/get_airport_details.md", "../next_query_predictor/default.json",
	};
	struct site s;
	set_up(&s);
	put_file(&s, CONFIG "default.json", ORIGINAL);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		put_file(&s, arena_printf(s.a, CONFIG "%s", own[i]), "the site's own");
	TEST_OK(load(&s), s.e);
	expect_path(&s, s.b.prompt_planner, CONFIG "prompts/planner_v1.md");
	expect_path(&s, s.b.prompt_formatter, CONFIG "prompts/formatter_v1.md");
	expect_path(&s, s.b.prompt_comparison, CONFIG "prompts/comparison_synthesis_v1.md");
	expect_path(&s, s.b.examples_planner, CONFIG "examples/planner_examples_v1.json");
	expect_path(&s, s.b.predict_templates, CONFIG "../next_query_predictor/default.json");
	cr_assert_eq(s.b.tools.n, 2);
	expect_path(&s, s.b.tools.list[0].path, CONFIG "tools/search_airports.md");
	cr_expect(s.b.routing && s.b.formatter.streaming && !s.b.planner.streaming);
	cr_expect(s.b.rules.top_k == 10 && s.b.rules.threshold == 0.25);
	cr_expect_str_eq(s.b.name, "Default");
	const char *log = logged(&s), *line = strchr(log, '\n');
	cr_expect_not_null(strstr(log, "key=tools.list_rules_for_country why="), "%s", log);
	cr_expect(line != NULL && line[1] == '\0', "one line in the log: %s", log);
	tear_down(&s);
}

TEST(behavior, the_shipped_config_is_complete_and_quiet)
{
	struct site s;
	set_up(&s);
	setenv("AVIATION_AGENT_DATA_DIR", TEST_SRCDIR, 1);
	TEST_OK(load(&s), s.e);
	cr_expect_str_eq(s.b.file, TEST_SRCDIR "/conf/aviation_agent/default.json");
	cr_expect_str_eq(logged(&s), "");
	cr_expect_str_eq(s.b.prompt_comparison, TEST_SRCDIR "/prompts/comparison.md");
	cr_expect_str_eq(s.b.predict_templates,
	    TEST_SRCDIR "/conf/aviation_agent/../next_query_predictor/default.json");
	cr_expect_not_null(s.b.examples_planner);
	cr_expect_eq(s.b.tools.n, 8);
	for (size_t i = 0; i < s.b.tools.n; i++)
		cr_expect(s.b.tools.list[i].on && s.b.tools.list[i].path == NULL, "%s: its text is the tool's own",
		    s.b.tools.list[i].name);
	cr_expect_str_eq(s.b.planner.model, "gpt-4o-mini");
	cr_expect_str_eq(s.b.formatter.model, "gpt-4o-mini");
	cr_expect(s.b.formatter.streaming && !s.b.routing && !s.b.fallback.set);
	/* every section of the schema is there to be seen */
	struct json_object *root, *v;
	TEST_OK(jsn_load(s.a, s.b.file, 1 << 20, &root, &s.e), s.e);
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const char *key = aviation_slice.rows[i].key, *dot = strchr(key, '.');
		if (aviation_slice.rows[i].kind == B_RETIRED || starts_with(key, "llms."))
			continue;
		v = root;
		for (; v != NULL && dot != NULL; key = dot + 1, dot = strchr(key, '.'))
			v = jsn_get(v, arena_strndup(s.a, key, (size_t)(dot - key)));
		cr_expect(jsn_has(v, key), "%s", aviation_slice.rows[i].key);
	}
	tear_down(&s);
}

TEST(behavior, does_without_a_config)
{
	struct site s;
	set_up(&s);
	setenv("AVIATION_AGENT_CONFIG", "mine", 1);
	TEST_OK(load(&s), s.e);
	cr_expect_null(s.b.file);
	cr_expect_not_null(strstr(logged(&s), "config_missing name=mine"));
	expect_path(&s, s.b.prompt_planner, "data/prompts/planner.md");
	expect_path(&s, s.b.prompt_formatter, "data/prompts/formatter.md");
	expect_path(&s, s.b.prompt_comparison, "data/prompts/comparison.md");
	expect_path(&s, s.b.examples_planner, "data/prompts/planner_examples.json");
	cr_expect(s.b.planner.set && s.b.planner.model == NULL && s.b.formatter.model == NULL);
	cr_expect(s.b.formatter.streaming && streq(s.b.router.model, "gpt-4o-mini"));
	cr_expect(s.b.predict && !s.b.ui_mcp_raw && !s.b.routing && s.b.builtin_fallback);

	/* a program without anything installed: enough for the built-in planner and writer only */
	unsetenv("AVIATION_AGENT_CONFIG");
	setenv("AVIATION_AGENT_DATA_DIR", arena_printf(s.a, "%s/nothing", s.dir), 1);
	TEST_OK(load(&s), s.e);
	cr_expect(s.b.prompt_planner == NULL && s.b.prompt_comparison == NULL);
	cr_expect(s.b.predict_templates == NULL && s.b.examples_planner == NULL);
	cr_expect_str_eq(logged(&s), "");
	static const struct { const char *name, *value; } providers[] = {
		{ "OPENAI_API_KEY", "sk-1" }, { "OPENAI_BASE_URL", "http://127.0.0.1:1" },
		{ "LLM_PROVIDER", "ollama" } };
	for (size_t i = 0; i < 3; i++) {
		setenv(providers[i].name, providers[i].value, 1);
		cr_expect_eq(load(&s), ERR_CONFIG);
		cr_expect_not_null(strstr(s.e.msg, "prompts.planner: prompts/planner.md is in none"), "%s",
		    s.e.msg);
		unsetenv(providers[i].name);
	}
	tear_down(&s);
}

TEST(behavior, prints_every_key)
{
	struct site s;
	struct buf out;
	set_up(&s);
	TEST_OK(load_text(&s, with(&s, "tools", "{\"search_airports\":\"tools/search_airports.md\","
	    "\"browse_rules\":false,\"list_rule_countries\":true}")), s.e);
	buf_init(&out, 1 << 20);
	behavior_print(&s.b, &aviation_slice, &out);
	cr_expect_eq(strncmp(out.p, "## Behaviour config (/", 22), 0);
	for (size_t i = 0; i < aviation_slice.nrows; i++) {
		const struct behavior_row *r = &aviation_slice.rows[i];
		cr_expect_not_null(strstr(out.p, arena_printf(s.a, "# %s: ", r->key)), "%s", r->key);
		if (r->kind != B_RETIRED && r->kind != B_SECTION && r->kind != B_SWITCHES)
			cr_expect_not_null(strstr(out.p, arena_printf(s.a, "\n%s = ", r->key)), "%s", r->key);
	}
	static const char *const lines[] = {
		"\nrag.retrieval.similarity_threshold = 0.3\n", "\nllms.planner.model = null\n",
		"a whole number from 1 to 20. Default: 4.\n", "\nui_payload.mcp_raw = false\n",
		"one of cohere, openai, none. Default: cohere.\n", "\ntools.search_airports = \"/",
		"\nllms.fallback = null\n", "Required.\n", "\ntools.browse_rules = false\n",
		"\ntools.list_rule_countries = true\n",
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		cr_expect_not_null(strstr(out.p, lines[i]), "%s", lines[i]);
	buf_release(&out);
	tear_down(&s);
}

/* -- a second agent -- */

struct second {
	const char *file, *motto;
	struct behavior_switches topics;
	bool loud;
	int64_t steps, doubled;
};

#define SECOND(member) offsetof(struct second, member)

static const struct behavior_row second_rows[] = {
	{ "motto", B_TEXT, B_NULLABLE, SECOND(motto), "hello", 0, 0, NULL, "What it says first." },
	{ "limits", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL, "Its limits." },
	{ "limits.steps", B_INT, 0, SECOND(steps), "8", 1, 20, NULL, "The most steps." },
	{ "loud", B_BOOL, 0, SECOND(loud), "false", 0, 0, NULL, "Speak up." },
	{ "topics", B_SWITCHES, B_NULLABLE, SECOND(topics), NULL, 0, 0, NULL, "What it speaks of." },
};

static enum errcode settle_second(void *values, const struct conf *c, const char *file,
    struct err *e)
{
	struct second *v = values;
	(void)c;
	v->doubled = 2 * v->steps;
	return v->loud && v->steps > 10 ? err_set(e, ERR_CONFIG, "%s: too loud for so long", file) : OK;
}

static const struct behavior_slice second_slice = {
	.folder = "second_agent", .rows = second_rows,
	.nrows = sizeof(second_rows) / sizeof(second_rows[0]), .size = sizeof(struct second),
	.file = SECOND(file), .builtin = "{\"limits\": {}}", .settle = settle_second,
};

/* It has its own rows and its own file; the aviation agent's file is beside it. */
TEST(behavior, a_second_agent_has_a_slice_of_its_own)
{
	static const struct {
		const char *json, *why;       /* NULL: fine */
	} rows[] = {
		{ "{\"limits\":{\"steps\":5},\"topics\":{\"a\":true}}", NULL },
		{ "{\"limits\":{\"steps\":0}}", "limits.steps must be a whole number from 1 to 20, not 0" },
		{ "{\"motto\":\"x\"}", "limits is required" },
		{ "{\"limits\":{\"steps\":11},\"loud\":true}", "too loud for so long" },
	};
	struct site s;
	struct second v;
	struct buf out;
	set_up(&s);
	TEST_OK(load_text(&s, MINIMAL), s.e);
	TEST_OK(behavior_read(&v, &second_slice, &s.c, s.a, &s.e), s.e);
	cr_expect_null(v.file, "it has no file yet");
	cr_expect(v.steps == 8 && v.doubled == 16 && !v.loud && v.topics.n == 0);
	cr_expect_str_eq(v.motto, "hello");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s.e = (struct err){ 0 };
		put_file(&s, "site/configs/second_agent/default.json", rows[i].json);
		enum errcode rc = behavior_read(&v, &second_slice, &s.c, s.a, &s.e);
		cr_expect_eq(rc, rows[i].why == NULL ? OK : ERR_CONFIG, "row %zu: %s", i, s.e.msg);
		if (rows[i].why == NULL)
			continue;
		cr_expect_not_null(strstr(s.e.msg, "second_agent/default.json: "), "%s", s.e.msg);
		cr_expect_not_null(strstr(s.e.msg, rows[i].why), "%s", s.e.msg);
	}
	put_file(&s, "site/configs/second_agent/default.json", rows[0].json);
	TEST_OK(behavior_read(&v, &second_slice, &s.c, s.a, &s.e), s.e);
	expect_path(&s, v.file, "site/configs/second_agent/default.json");
	cr_expect(v.steps == 5 && v.topics.n == 1 && v.topics.list[0].on);
	buf_init(&out, 1 << 20);
	behavior_print(&v, &second_slice, &out);
	cr_expect_not_null(strstr(out.p, "\n# limits.steps: The most steps. Must be a whole number from 1 to "
	    "20. Default: 8.\nlimits.steps = 5\n"), "%s", out.p);
	cr_expect_null(strstr(out.p, "llms"), "%s", out.p);
	buf_release(&out);
	/* and the other one still has its own */
	TEST_OK(load(&s), s.e);
	expect_path(&s, s.b.file, CONFIG "default.json");
	tear_down(&s);
}
