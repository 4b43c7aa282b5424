/*
 * Settings: sources, precedence, bounds, messages, and what is printed.
 */
#include "base/buf.h"
#include "base/conf.h"
#include "tests/unit/test.h"

#include <pwd.h>
#include <sys/stat.h>
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
	umask(022);
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
	{ "ENV_FILE", "/tmp", "/tmp: not a regular file" },
	{ "AVIATION_AGENT_LLM_CONNECT_MS", "99", "from 100 to 60000" },
	{ "AVIATION_AGENT_LLM_FIRST_MS", "-1", "from 0 to 600000" },
	{ "AVIATION_AGENT_LLM_IDLE_MS", "600001", "from 100 to 600000" },
	{ "AVIATION_AGENT_LLM_CALL_MS", "999", "from 1000 to 3600000" },
	{ "AVIATION_AGENT_LLM_BACKOFF_MS", "0", "from 1 to 8000" },
	{ "AVIATION_AGENT_LLM_MAX_CALLS", "0", "from 1 to 100000" },
	{ "AVIATION_AGENT_LLM_QUEUE_MS", "1.5", "from 0 to 600000" },
	{ "AVIATION_AGENT_LLM_BREAKER_FAILURES", "1001", "from 0 to 1000" },
	{ "AVIATION_AGENT_LLM_BREAKER_REST_MS", "30s", "from 100 to 3600000" },
	{ "AVIATION_AGENT_LLM_MAX_REPLY", "4095", "from 4096 to 67108864" },
	{ "AVIATION_AGENT_HISTORY_TOKENS", "199", "from 200 to 1000000" },
	{ "AVIATION_AGENT_REST", "airports,maps", "\"maps\" is not all, none or one of airports|" },
	{ "AVIATION_AGENT_REST", "-all", "\"all\" is not" },
	{ "AVIATION_AGENT_REST", "ga,-", "\"\" is not" },
	{ "AVIATION_AGENT_REST", "airports|ga", "is not all, none or one of" },
	{ "AVIATION_AGENT_RESULT_TOKENS", "1000001", "from 200 to 1000000" },
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

/* The env file of somebody else would choose what this user runs and where the keys go. */
static const struct { mode_t mode; bool theirs; const char *says; } planted[] = {
	{ 0644, false, NULL },
	{ 0440, false, NULL },
	{ 0664, false, "can be written by other users (mode 0664)" },
	{ 0602, false, "can be written by other users (mode 0602)" },
	{ 0600, true, "belongs to " },
	{ 0444, true, "belongs to " },
};

TEST(conf, obeys_no_env_file_that_somebody_else_may_have_written)
{
	for (size_t i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
		for (int named = 0; named < 2; named++) {
			char *dir = begin();
			struct arena *a = arena_new();
			struct conf c;
			struct err e = { 0 };
			if (planted[i].theirs && geteuid() != 0)
				test_skip("only root can give a file away");
			write_file(dir, ".env", "AVIATION_AGENT_MAX_CHATS=7\n");
			cr_assert_eq(chmod(".env", planted[i].mode), 0);
			cr_assert_eq(planted[i].theirs ? chown(".env", 65534, 65534) : 0, 0);
			if (named == 1)
				setenv("ENV_FILE", ".env", 1);
			enum errcode rc = conf_load(&c, a, &e);
			if (planted[i].says == NULL) {
				cr_expect_eq(rc, OK, "%zu: %s", i, e.msg);
				cr_expect_eq(c.max_chats, 7);
			} else {
				cr_expect_eq(rc, ERR_CONFIG, "%zu", i);
				cr_expect_not_null(strstr(e.msg, planted[i].says), "%s", e.msg);
			}
			arena_free(a);
			test_rmdir(dir);
		}
	}
}

TEST(conf, follows_a_link_to_an_env_file_only_if_this_user_or_root_made_it, .timeout = 20)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	write_file(dir, "shared", "AVIATION_AGENT_MAX_CHATS=7\n");
	cr_assert_eq(symlink("shared", ".env"), 0);
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_eq(c.max_chats, 7);
	if (geteuid() == 0) {
		cr_assert_eq(lchown(".env", 65534, 65534), 0);
		cr_expect_eq(conf_load(&c, a, &e), ERR_CONFIG);
		cr_expect_not_null(strstr(e.msg, "symbolic link was made by another user"), "%s", e.msg);
	}
	/* no writer of a pipe is waited for, and "no file" can be said */
	cr_assert_eq(unlink(".env"), 0);
	cr_assert_eq(mkfifo(".env", 0600), 0);
	cr_expect_eq(conf_load(&c, a, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "not a regular file"), "%s", e.msg);
	setenv("ENV_FILE", "/dev/null", 1);
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_eq(c.max_chats, 1000);
	arena_free(a);
	test_rmdir(dir);
}

TEST(conf, settings_of_the_language_model)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect(c.openai_key == NULL && c.openai_url == NULL && c.openai_org == NULL);
	cr_expect(c.ca_file == NULL && c.planner_model == NULL && c.formatter_model == NULL);
	cr_expect(c.router_model == NULL && c.fallback_model == NULL);
	cr_expect(c.llm_connect_ms == 10000 && c.llm_first_ms == 0 && c.llm_idle_ms == 30000);
	cr_expect(c.llm_call_ms == 120000 && c.llm_backoff_ms == 500 && c.llm_max_calls == 1000);
	cr_expect(c.llm_queue_ms == 10000 && c.llm_breaker_failures == 5);
	cr_expect(c.llm_breaker_rest_ms == 30000 && c.llm_max_reply == 1048576);
	cr_expect(c.history_tokens == 6000 && c.result_tokens == 12000);
	setenv("AVIATION_AGENT_PLANNER_MODEL", "p", 1);
	setenv("AVIATION_AGENT_FORMATTER_MODEL", "f", 1);
	setenv("ROUTER_MODEL", "r", 1);
	setenv("AVIATION_AGENT_FALLBACK_MODEL", "b", 1);
	setenv("OPENAI_ORG_ID", "org", 1);
	setenv("AVIATION_AGENT_CA_FILE", "ca.pem", 1);
	TEST_OK(conf_load(&c, a, &e), e);
	cr_expect_str_eq(c.planner_model, "p");
	cr_expect_str_eq(c.formatter_model, "f");
	cr_expect_str_eq(c.router_model, "r");
	cr_expect_str_eq(c.fallback_model, "b");
	cr_expect_str_eq(c.openai_org, "org");
	cr_expect_str_eq(c.ca_file, arena_printf(a, "%s/ca.pem", dir));
	arena_free(a);
	test_rmdir(dir);
}

static const struct { const char *url, *printed; } urls[] = {
	{ "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1" },
	{ "https://me:geheim@gw.example/v1", "https://***@gw.example/v1" },
	{ "https://geheim@gw.example", "https://***@gw.example" },
	{ "https://me:ge/heim@gw.example/v1", "https://***@gw.example/v1" },
	{ "https://me:x@geheim@gw.example/v1", "https://***@gw.example/v1" },
	{ "https://gw.example/v1?key=geheim", "https://gw.example/v1?***" },
	{ "https://gw.example/v1?key=geheim@x", "https://gw.example/v1?***" },
	{ "me:geheim@gw.example/v1", "***" },
	{ "https://gw.example/v1#geheim", "https://gw.example/v1?***" },
};

TEST(conf, prints_addresses_without_what_may_be_a_password)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };
	setenv("OPENAI_API_KEY", "geheim", 1);
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct buf b;
		buf_init(&b, 1 << 20);
		setenv("OPENAI_BASE_URL", urls[i].url, 1);
		TEST_OK(conf_load(&c, a, &e), e);
		cr_expect_str_eq(c.openai_url, urls[i].url);
		conf_print(&c, &b);
		cr_expect_null(strstr(b.p, "geheim"), "%s", urls[i].url);
		cr_expect_not_null(strstr(b.p,
		    arena_printf(a, "\nOPENAI_BASE_URL=%s\n", urls[i].printed)), "%s", urls[i].url);
		cr_expect_not_null(strstr(b.p, "\nOPENAI_API_KEY=***\n"));
		cr_expect_not_null(strstr(b.p, "\n## Language model\n"));
		buf_release(&b);
	}
	arena_free(a);
	test_rmdir(dir);
}

TEST(conf, booleans_are_words)
{
	static const char *const yes[] = { "1", "true", "T", "Yes", "y", "ON" };
	static const char *const no[] = { "0", "false", "F", "No", "n", "OFF" };
	static const char *const neither[] = { "", "2", "truee", " true", "oui" };
	bool b;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		cr_expect(conf_bool(yes[i], &b) && b, "%s", yes[i]);
		cr_expect(conf_bool(no[i], &b) && !b, "%s", no[i]);
	}
	for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++)
		cr_expect_not(conf_bool(neither[i], &b), "%s", neither[i]);
}

TEST(conf, a_short_secret_key_is_refused)
{
	char *dir = begin();
	struct arena *a = arena_new();
	struct conf c;
	struct err e = { 0 };

	TEST_OK(conf_load(&c, a, &e), e);
	cr_assert_str_eq(c.onboarding_auth, "off");
	setenv("ONBOARDING_AUTH", "token", 1);
	cr_assert_eq(conf_load(&c, a, &e), ERR_CONFIG);
	cr_assert_not_null(strstr(e.msg, "SECRET_KEY"), "%s", e.msg);
	setenv("SECRET_KEY", "0123456789abcdef0123456789abcde", 1);
	cr_assert_eq(conf_load(&c, a, &e), ERR_CONFIG);
	cr_assert_null(strstr(e.msg, "0123"), "the key is not shown: %s", e.msg);
	setenv("SECRET_KEY", "0123456789abcdef0123456789abcdef", 1);
	TEST_OK(conf_load(&c, a, &e), e);
	unsetenv("ONBOARDING_AUTH");
	TEST_OK(conf_load(&c, a, &e), e);
	cr_assert_str_eq(c.onboarding_auth, "token");
	arena_free(a);
	test_rmdir(dir);
}
