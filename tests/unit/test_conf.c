/*
 * Settings and behaviour config: sources, precedence, bounds, messages.
 */
#include "base/behavior.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/log.h"
#include "tests/unit/test.h"

#include <unistd.h>

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[700];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f, "%s", path);
	fputs(text, f);
	fclose(f);
}

/* A clean environment with PROJECT_ROOT at a new folder, which is also the working directory. */
static char *begin(void)
{
	char *dir = test_mkdtemp();
	clearenv();
	setenv("PROJECT_ROOT", dir, 1);
	setenv("HOME", dir, 1);
	setenv("AVIATION_AGENT_DATA_DIR", dir, 1);
	cr_assert_eq(chdir(dir), 0);
	return dir;
}

static const struct { const char *name, *value, *says; } wrong[] = {
	{ "AVIATION_AGENT_ENABLED", "perhaps", "AVIATION_AGENT_ENABLED" },
	{ "AVIATION_AGENT_MAX_CHATS", "0", "from 1 to" },
	{ "AVIATION_AGENT_MAX_CHATS", "12abc", "from 1 to" },
	{ "CHECKPOINTER_PROVIDER", "mysql", "redis|sqlite|memory|none" },
	{ "CHECKPOINTER_PROVIDER", "sql", "redis|sqlite|memory|none" },
	{ "CHECKPOINTER_PROVIDER", "redis", "REDIS_URL is not set" },
	{ "AVIATION_AGENT_CONFIG", "../../etc/passwd", "a name, not a path" },
	{ "CHECKPOINTER_PROVIDER", "redis|sqlite", "redis|sqlite|memory|none" },
	{ "ENV_FILE", "/nonexistent/env", "does not exist" },
	{ "ENV_FILE", "/tmp", "/tmp: Is a directory" },
};

TEST(conf, refuses_what_it_cannot_use)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *dir = begin();
		struct arena *a = arena_new();
		struct conf c;
		struct err e = { 0 };
		setenv(wrong[i].name, wrong[i].value, 1);
		cr_expect_eq(conf_load(&c, a, &e), ERR_CONFIG, "%s=%s", wrong[i].name, wrong[i].value);
		cr_expect_not_null(strstr(e.msg, wrong[i].says), "%s", e.msg);
		arena_free(a);
		test_rmdir(dir);
	}
}

TEST(conf, the_environment_wins_over_the_file_and_empty_means_unset)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	write_file(dir, ".env",
	    "# a comment\nBASE=/srv/data\nexport AIRPORTS_DB=\"${BASE}/air.db\" \n"
	    "AVIATION_AGENT_MAX_CHATS=7 # few\nGEOAPIFY_API_KEY='a${BASE}b'\n"
	    "AVIATION_AGENT_ENABLED=\nLOG_LEVEL=DEBUG\nREDIS_URL=   # none yet\n"
	    "AVIATION_AGENT_LOG_FILE=agent.log\n");
	setenv("AVIATION_AGENT_MAX_CHATS", "9", 1);
	setenv("LOG_LEVEL", "", 1);
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_str_eq(c.airports_db, "/srv/data/air.db");
	cr_expect_eq(c.max_chats, 9);
	cr_expect_str_eq(c.geoapify_key, "a${BASE}b");
	cr_expect(c.enabled);
	cr_expect_str_eq(c.log_level, "DEBUG");
	cr_expect_str_eq(c.store_provider, "sqlite");
	cr_expect_null(c.redis_url, "a comment is no value");
	cr_expect_eq(c.log_file[0], '/', "%s", c.log_file);
	struct buf b;
	buf_init(&b, 1 << 20);
	conf_print(&c, &b);
	cr_expect_null(strstr(b.p, "a${BASE}b"), "a secret was printed");
	cr_expect_not_null(strstr(b.p, "AVIATION_AGENT_MAX_CHATS=9\n"));
	buf_release(&b);
	write_file(dir, ".env", "not a setting\n");
	cr_expect_eq(conf_load(&c, a, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, ".env:1:"), "%s", e.msg);
	arena_free(a);
	test_rmdir(dir);
}

static const struct { const char *json, *says; } behaviors[] = {
	{ "{\"next_query_prediction\":{\"enabled\":false,\"max_suggestions\":\"7\"},"
	  "\"llms\":{},\"rag\":{}}", NULL },
	{ "{\"next_query_prediction\":{\"max_suggestions\":99}}", "max_suggestions must be from 1 to 20" },
	{ "{\"next_query_prediction\":{\"max_suggestions\":1.5}}", "must be a whole number" },
	{ "{\"ui_payload\":{\"mcp_raw\":\"yes\"}}", "ui_payload.mcp_raw must be true or false" },
	{ "{\"next_query_prediction\":{\"templates_path\":\"no/such.json\"}}", "cannot be read" },
	{ "[]", "must hold a JSON object" },
	{ "{\n\n\"a\": }", ":3: not JSON" },
};

TEST(behavior, checks_its_file)
{
	for (size_t i = 0; i < sizeof(behaviors) / sizeof(behaviors[0]); i++) {
		char *dir = begin(), sub[600];
		struct arena *a = arena_new();
		struct conf c;
		struct behavior b;
		struct err e = { 0 };
		snprintf(sub, sizeof(sub), "%s/configs", dir);
		mkdir(sub, 0755);
		snprintf(sub, sizeof(sub), "%s/configs/aviation_agent", dir);
		mkdir(sub, 0755);
		write_file(sub, "default.json", behaviors[i].json);
		TEST_OK(conf_load(&c, a, &e), e);
		enum errcode rc = behavior_load(&b, &c, a, &e);
		if (behaviors[i].says == NULL) {
			cr_expect_eq(rc, OK, "%s", e.msg);
			cr_expect(!b.predict);
			cr_expect_eq(b.predict_max, 7);
		} else {
			cr_expect_eq(rc, ERR_CONFIG, "row %zu", i);
			cr_expect_not_null(strstr(e.msg, behaviors[i].says), "%s", e.msg);
			cr_expect_not_null(strstr(e.msg, "default.json"), "%s", e.msg);
		}
		arena_free(a);
		test_rmdir(dir);
	}
}

TEST(behavior, does_without_a_file)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct behavior b;
	struct err e = { 0 };
	setenv("AVIATION_AGENT_CONFIG", "mine", 1);
	TEST_OK(conf_load(&c, a, &e), e);
	TEST_OK(behavior_load(&b, &c, a, &e), e);
	cr_expect_null(b.file);
	cr_expect(b.predict && !b.ui_mcp_raw && b.predict_templates == NULL);
	arena_free(a);
	test_rmdir(dir);
}
