/*
 * Routing: what a reply of a model is taken for, what it is asked, and what happens when it gives
 * nothing; what each kind of turn is offered.
 */
#include "agents/aviation/router.h"

#include "airports/countries.h"
#include "tests/unit/model_fix.h"
#include "tests/unit/test.h"

/* -- kinds and tools -- */

TEST(router, each_kind_offers_its_tools)
{
	const struct toolset all = tools_builtin, few = { all.tools + 1, all.n - 1 };
	struct arena *a = arena_new();
	static const struct {
		enum routing_kind kind;
		bool rules, others;
	} rows[] = {
		{ ROUTING_NONE, true, true },
		{ ROUTING_DATABASE, false, true },
		{ ROUTING_RULES, true, false },
		{ ROUTING_BOTH, true, true },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct toolset of_all = routing_offers(a, rows[i].kind, all);
		struct toolset of_few = routing_offers(a, rows[i].kind, few);
		for (size_t k = 0; k < all.n; k++) {
			const struct tool *t = all.tools[k];
			bool want = t->domain == TOOL_RULES ? rows[i].rules : rows[i].others;
			cr_expect_eq(toolset_has(of_all, t), want, "row %zu: %s", i, t->name);
			cr_expect_eq(toolset_has(of_few, t), want && k > 0,
			    "row %zu: %s, never more than there is", i, t->name);
		}
	}
	arena_free(a);
}

TEST(router, countries_are_codes_each_once)
{
	static const char *const codes[] = { "fr", "FR", "XX", "", "France", "GB", "Fr" };
	struct routing r = { .kind = ROUTING_NONE };
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		routing_add(&r, codes[i]);
	cr_assert_eq(r.ncountries, 2);
	cr_expect_str_eq(r.countries[0], "FR");
	cr_expect_str_eq(r.countries[1], "GB");
	for (size_t i = 0; i < country_count(); i++)
		routing_add(&r, country_at(i)->code);
	cr_expect_eq(r.ncountries, ROUTING_COUNTRIES);
}

/* -- reading a reply -- */

static const struct {
	const char *json;
	enum routing_kind kind;       /* ROUTING_NONE: refused */
	const char *countries;
} replies[] = {
	{ "{\"kind\":\"rules\",\"countries\":[\"FR\",\"gb\"]}", ROUTING_RULES, "FR GB " },
	{ "{\"kind\":\"database\",\"countries\":[]}", ROUTING_DATABASE, "" },
	{ "{\"countries\":[\"DE\",\"DE\"],\"kind\":\"BOTH\",\"mood\":1}", ROUTING_BOTH, "DE " },
	{ "{\"kind\":\"rules\"}", ROUTING_RULES, "" },
	{ "{\"kind\":\"rules\",\"countries\":\"FR\"}", ROUTING_RULES, "" },
	{ "{\"kind\":\"rules\",\"countries\":[null,7,[\"FR\"],\"France\",\"ZZ\",\"\",\"F\\u0000R\",\"IT\"]}",
	    ROUTING_RULES, "IT " },
	{ "{\"kind\":\"none\",\"countries\":[\"FR\"]}", ROUTING_NONE, "" },
	{ "{\"kind\":\"weather\"}", ROUTING_NONE, "" },
	{ "{\"kind\":null}", ROUTING_NONE, "" },
	{ "{\"kind\":[\"rules\"]}", ROUTING_NONE, "" },
	{ "{}", ROUTING_NONE, "" },
	{ "[]", ROUTING_NONE, "" },
	{ "\"rules\"", ROUTING_NONE, "" },
	{ "", ROUTING_NONE, "" },
	{ "{\"kind\":", ROUTING_NONE, "" },
};

static const char *codes_of(struct arena *a, const struct routing *r)
{
	const char *out = "";
	for (size_t i = 0; i < r->ncountries; i++)
		out = arena_printf(a, "%s%s ", out, r->countries[i]);
	return out;
}

TEST(router, reads_a_reply)
{
	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		struct arena *a = arena_new();
		struct routing r = { .kind = ROUTING_NONE };
		struct err e = { OK, "" };
		enum errcode rc = routing_parse(a, replies[i].json, &r, &e);
		cr_expect_eq(rc, replies[i].kind != ROUTING_NONE ? OK : ERR_PLANNER, "%s", replies[i].json);
		cr_expect_eq(r.kind, replies[i].kind, "%s", replies[i].json);
		cr_expect_str_eq(codes_of(a, &r), replies[i].countries, "%s", replies[i].json);
		arena_free(a);
	}
}

/* -- asking -- */

#define CALL(json) { .calls = { json }, .called = "AviationRoute", .input = 50, .output = 5 }
#define NO_FUNCTIONS { .rc = ERR_UPSTREAM, .no_functions = true }
#define RULES_FR "{\"kind\":\"rules\",\"countries\":[\"FR\"]}"
#define BOTH_GB "{\"kind\":\"both\",\"countries\":[\"GB\"]}"

/* A question that the built-in router takes for one about airports. */
static const char question[] = "airports near Lyon with AVGAS";

static const struct {
	const char *name;
	struct scripted_reply replies[3];
	size_t n;
	enum errcode rc;
	enum routing_kind kind;
	const char *countries;
	int64_t input;
} asks[] = {
	{ "a call", { CALL(RULES_FR) }, 1, OK, ROUTING_RULES, "FR ", 50 },
	{ "written instead of called", { { .text = "Sure: ```" BOTH_GB "```" } }, 1, OK, ROUTING_BOTH,
	    "GB ", 0 },
	{ "no functions", { NO_FUNCTIONS, { .text = BOTH_GB, .input = 9 } }, 2, OK, ROUTING_BOTH, "GB ",
	    9 },
	{ "no functions, and words", { NO_FUNCTIONS, { .text = "It is about rules." } }, 2, OK,
	    ROUTING_DATABASE, NULL, 0 },
	{ "not a kind", { CALL("{\"kind\":\"weather\"}") }, 1, OK, ROUTING_DATABASE, NULL, 50 },
	{ "not JSON", { CALL("{\"kind\":") }, 1, OK, ROUTING_DATABASE, NULL, 50 },
	{ "words", { { .text = "rules" } }, 1, OK, ROUTING_DATABASE, NULL, 0 },
	{ "no reply", { { .rc = ERR_UPSTREAM, .input = 3 } }, 1, OK, ROUTING_DATABASE, NULL, 3 },
	{ "the reader left", { { .rc = ERR_HUP } }, 1, ERR_HUP, ROUTING_NONE, NULL, 0 },
	{ "out of time", { { .rc = ERR_TIMEOUT } }, 1, ERR_TIMEOUT, ROUTING_NONE, NULL, 0 },
	{ "the process ends", { { .rc = ERR_OVERLOAD } }, 1, ERR_OVERLOAD, ROUTING_NONE, NULL, 0 },
};

TEST(router, asks_a_model_and_does_without)
{
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		const char *name = asks[i].name;
		struct routing r = { .kind = ROUTING_NONE };
		struct modelfix f;
		modelfix_open(&f, asks[i].replies, asks[i].n);
		modelfix_ask(&f, question);
		enum errcode rc = router_model.route(&f.run, &f.app.tools, &r, &f.e);
		cr_expect_eq(rc, asks[i].rc, "%s: %s", name, f.e.msg);
		cr_expect_eq(r.kind, asks[i].kind, "%s", name);
		if (asks[i].countries != NULL)
			cr_expect_str_eq(codes_of(f.a, &r), asks[i].countries, "%s", name);
		cr_expect_eq(f.provider.nasked, asks[i].n, "%s", name);
		cr_expect_eq(f.run.tokens.input, asks[i].input, "%s", name);
		cr_expect_eq(f.sink.n, 0, "%s: nothing is for the reader", name);
		cr_expect_null(f.state.degraded, "%s", name);
		modelfix_close(&f);
	}
}

TEST(router, asks_shortly)
{
	static const struct scripted_reply said[] = { NO_FUNCTIONS, { .text = RULES_FR } };
	static struct message talk[] = {
		MESSAGE("system", "You are a pirate."), MESSAGE("user", "may I fly at night in France?"),
		MESSAGE("assistant", "Yes."), MESSAGE("user", "and in Germany?"),
	};
	struct routing r;
	struct modelfix f;
	modelfix_open(&f, said, 2);
	f.run.messages = talk;
	f.run.nmessages = 4;
	TEST_OK(router_model.route(&f.run, &f.app.tools, &r, &f.e), f.e);
	const struct scripted_request *ask = f.provider.asked;
	for (size_t i = 0; i < 2; i++) {
		cr_expect_str_eq(modelfix_roles(&f, i), "system user assistant user user");
		cr_expect_str_eq(ask[i].messages[3].content, "and in Germany?");
		cr_expect_str_eq(ask[i].model, "router-1");
		cr_expect_str_eq(ask[i].purpose, "router");
		cr_expect_eq(ask[i].temperature, 0.3);
		cr_expect_not(ask[i].stream);
		cr_expect_eq(ask[i].max_retries, 1, "it is not worth more");
		cr_expect_eq(ask[i].first_ms, 10000, "nor longer");
	}
	cr_expect_str_eq(ask[0].named, "AviationRoute");
	cr_expect_str_eq(ask[0].tools, "[{\"type\":\"function\",\"function\":{\"name\":\"AviationRoute\","
	    "\"description\":\"What the pilot's last message needs.\",\"parameters\":"
	    "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\","
	    "\"enum\":[\"database\",\"rules\",\"both\"]},\"countries\":{\"type\":\"array\","
	    "\"items\":{\"type\":\"string\"},\"description\":\"ISO-2 codes.\"}},"
	    "\"required\":[\"kind\",\"countries\"]}}}]");
	cr_expect_null(ask[1].tools);
	cr_expect_not_null(strstr(ask[1].messages[4].content, "JSON object"));
	modelfix_close(&f);
}

/* Without a model of its own nobody is asked. */
TEST(router, does_without_a_model)
{
	static const char *const models[] = { NULL, "" };
	for (size_t i = 0; i < 2; i++) {
		struct routing r = { .kind = ROUTING_NONE };
		struct modelfix f;
		modelfix_open(&f, NULL, 0);
		modelfix_ask(&f, question);
		f.config.router.model = models[i];
		TEST_OK(router_model.route(&f.run, &f.app.tools, &r, &f.e), f.e);
		cr_expect_eq(f.provider.nasked, 0);
		cr_expect_eq(r.kind, ROUTING_DATABASE);
		modelfix_close(&f);
	}
}

/* -- the built-in one -- */

static const struct {
	const char *message;
	enum routing_kind kind;
	const char *countries;        /* NULL: whatever */
} builtin[] = {
	{ "airports near Lyon with AVGAS", ROUTING_DATABASE, NULL },
	{ "tell me about LFMD", ROUTING_DATABASE, NULL },
	{ "Do I need a flight plan for VFR in France?", ROUTING_RULES, "FR " },
	{ "compare the transponder rules of Germany and Switzerland", ROUTING_RULES, "DE CH " },
	{ "airports with customs between EGTF and LFMD, and do I need a flight plan into France?",
	    ROUTING_BOTH, NULL },
	{ "hello", ROUTING_DATABASE, NULL },
	{ "", ROUTING_DATABASE, NULL },
};

TEST(router, builtin_sorts)
{
	for (size_t i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++) {
		struct routing r = { .kind = ROUTING_NONE };
		struct modelfix f;
		modelfix_open(&f, NULL, 0);
		modelfix_ask(&f, builtin[i].message);
		TEST_OK(router_builtin.route(&f.run, &f.app.tools, &r, &f.e), f.e);
		cr_expect_eq(r.kind, builtin[i].kind, "%s: %s", builtin[i].message,
		    routing_names[r.kind]);
		if (builtin[i].countries != NULL)
			cr_expect_str_eq(codes_of(f.a, &r), builtin[i].countries, "%s: %s",
			    builtin[i].message, codes_of(f.a, &r));
		modelfix_close(&f);
	}
}
