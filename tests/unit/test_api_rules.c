/*
 * GET /api/rules/{country_code}, and routes with a variable part in general.
 */
#include "tests/unit/test.h"

#include <fcntl.h>
#include <unistd.h>

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/routes.h"
#include "rules/rules.h"
#include "tests/unit/http_mem.h"
#include "tests/unit/rules_fix.h"

struct fix {
	char *dir;
	char path[600], log[600];
	struct conf conf;
	struct edge edge;
};

/* text NULL: there is no rules file. */
static void open_edge(struct fix *f, const char *path, const char *text)
{
	struct err e;
	memset(f, 0, sizeof(*f));
	f->dir = test_mkdtemp();
	snprintf(f->path, sizeof(f->path), "%s/rules.json", f->dir);
	snprintf(f->log, sizeof(f->log), "%s/log", f->dir);
	cr_assert(log_open(f->log));
	if (text != NULL)
		rules_fix_write(f->path, text);
	f->conf.enabled = true;
	f->conf.store_provider = "memory";
	f->conf.store_timeout_ms = 100;
	f->conf.max_chats = 2;
	f->conf.max_body = 256;
	const struct rules_config c = { .path = path != NULL ? path : f->path };
	static const struct agent_open agents[] = { { &aviation_agent, NULL }, { &onboarding_agent, NULL } };
	struct edge_parts parts = { .conf = &f->conf, .mem = arena_new(), .agents = agents,
	    .nagents = 2, .routes = routes, .nroutes = nroutes };
	TEST_OK(rules_open(&parts.rules, &c, &e), e);
	TEST_OK(edge_init(&f->edge, &parts, &e), e);
}

static void close_edge(struct fix *f)
{
	edge_release(&f->edge);
	rules_close(f->edge.parts.rules);
	arena_free(f->edge.parts.mem);
	log_open(NULL);
	test_rmdir(f->dir);
}

/* The whole response in the arena. */
static const char *ask(struct fix *f, struct arena *a, const char *method, const char *path,
    const char *more)
{
	struct http_mem m;
	http_mem_init(&m);
	m.params[0] = method;
	m.params[1] = path;
	m.params[2] = more;
	edge_serve(&f->edge, &m.io);
	const char *out = arena_strndup(a, m.out.p, m.out.n);
	buf_release(&m.out);
	return out;
}

static const char *content(const char *response)
{
	const char *p = strstr(response, "\r\n\r\n");
	return p != NULL ? p + 4 : "";
}

#define GET "REQUEST_METHOD=GET"
#define AT(path) "SCRIPT_NAME=" path

TEST(api_rules, a_country)
{
	static const char wanted[] =
	    "{\"country\":\"FR\",\"total_rules\":2,\"categories\":["
	    "{\"name\":\"Airspace\",\"count\":1,\"rules\":["
	    "{\"question_id\":\"q-air\",\"question_text\":\"all about airspace Z\","
	    "\"category\":\"Airspace\",\"tags\":[\"air_space\"],"
	    "\"answer_html\":\"See the map of Zürich.\",\"links\":[],\"last_reviewed\":null,"
	    "\"confidence\":null}]},"
	    "{\"name\":\"VFR\",\"count\":1,\"rules\":["
	    "{\"question_id\":\"q-plan\",\"question_text\":\"When is a flight plan needed?\","
	    "\"category\":\"VFR\",\"tags\":[\"flight_plan\",\"vfr\"],"
	    "\"answer_html\":\"Always.<br>Not for <b>local</b> flights.\","
	    "\"links\":[\"https://one.example\",\"https://two.example\",\"https://three.example\"],"
	    "\"last_reviewed\":\"2025-11-11\",\"confidence\":0.5}]}]}";
	struct arena *a = arena_new();
	struct fix f;
	open_edge(&f, NULL, rules_fix_small);
	const char *out = ask(&f, a, GET, AT("/api/rules/FR"), NULL);
	cr_assert_eq(strncmp(out, "Status: 200 ", 12), 0, "%s", out);
	cr_assert_str_eq(content(out), wanted, "%s", content(out));
	cr_assert_not_null(strstr(out, "Cache-Control: max-age=60\r\n"));
	cr_assert_not_null(strstr(out, "Content-Type: application/json\r\n"));
	cr_assert_str_eq(content(ask(&f, a, GET, AT("/api/rules/fr"), NULL)), wanted);
	cr_assert_str_eq(content(ask(&f, a, GET, AT("/api/aviation-agent/rules/Fr"), NULL)), wanted);
	const char *tag = strstr(out, "ETag: ") + strlen("ETag: ");
	out = ask(&f, a, GET, AT("/api/rules/FR"), arena_printf(a, "HTTP_IF_NONE_MATCH=%.*s", (int)strcspn(tag, "\r"), tag));
	cr_assert_eq(strncmp(out, "Status: 304 ", 12), 0, "%s", out);
	out = ask(&f, a, "REQUEST_METHOD=HEAD", AT("/api/rules/FR"), NULL);
	cr_assert_not_null(strstr(out, arena_printf(a, "Content-Length: %zu\r\n", strlen(wanted))));
	cr_assert_str_eq(content(out), "");
	arena_free(a);
	close_edge(&f);
}

/* Categories by their name in lower case, rules by what the question is called, case kept. */
TEST(api_rules, order)
{
	struct arena *a = arena_new();
	struct fix f;
	open_edge(&f, NULL, "["
	    "{'id': 'b', 'category': 'zeta', 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	    "{'id': 'Z', 'category': 'zeta', 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	    "{'id': 'c', 'question_text': 'a', 'category': 'zeta', 'answers_by_country': "
	    "{'FR': {'answer_html': 'x'}}},"
	    "{'id': 'd', 'category': 'Alpha', 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	    "{'id': 'e', 'category': 'alpha', 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	    "{'id': 'f', 'category': 'Beta', 'answers_by_country': {'FR': {'answer_html': 'x'}}}]");
	const char *at = content(ask(&f, a, GET, AT("/api/rules/FR"), NULL));
	static const char *const order[] = { "\"name\":\"Alpha\",\"count\":1", "\"d\"",
		"\"name\":\"alpha\",\"count\":1", "\"e\"", "\"name\":\"Beta\"", "\"f\"",
		"\"name\":\"zeta\",\"count\":3", "\"Z\"", "\"c\"", "\"b\"" };
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		at = strstr(at, order[i]);
		cr_assert_not_null(at, "%s", order[i]);
	}
	arena_free(a);
	close_edge(&f);
}

#define TOO_SHORT(input) "{\"detail\":[{\"type\":\"string_too_short\",\"loc\":[\"path\",\"country_code\"]," \
	"\"msg\":\"String should have at least 2 characters\",\"input\":\"" input "\"," \
	"\"ctx\":{\"min_length\":2}}]}"
#define TOO_LONG(input) "{\"detail\":[{\"type\":\"string_too_long\",\"loc\":[\"path\",\"country_code\"]," \
	"\"msg\":\"String should have at most 3 characters\",\"input\":\"" input "\"," \
	"\"ctx\":{\"max_length\":3}}]}"
#define NO_RULES(cc) "{\"country\":\"" cc "\",\"total_rules\":0,\"categories\":[]}"

static const struct {
	const char *method, *path, *more;
	const char *status, *field, *content;       /* NULL: any */
} walks[] = {
	{ GET, AT("/api/rules/XX"), NULL, "200", NULL, NO_RULES("XX") },
	{ GET, AT("/api/rules/xyz"), NULL, "200", NULL, NO_RULES("XYZ") },
	{ GET, AT("/api/rules/DE"), NULL, "200", NULL, NO_RULES("DE") },      /* blank answers only */
	{ GET, AT("/api/rules/NL"), NULL, "200", NULL, NO_RULES("NL") },      /* ignored ones only */
	{ GET, AT("/api/rules/é1"), NULL, "200", NULL, NO_RULES("é1") },
	{ GET, AT("/api/rules/\"<"), NULL, "200", NULL, NO_RULES("\\\"<") },
	{ GET, AT("/api/rules/\"\n"), NULL, "422", NULL, NULL },
	{ GET, AT("/api/rules/\xff\xfe"), NULL, "422", NULL, NULL },
	{ GET, AT("/api/rules/F"), NULL, "422", NULL, TOO_SHORT("F") },
	{ GET, AT("/api/rules/é"), NULL, "422", NULL, TOO_SHORT("é") },
	{ GET, AT("/api/rules/FRAN"), NULL, "422", NULL, TOO_LONG("FRAN") },
	{ GET, AT("/api/rules/<script>alert(1)</script>"), NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules/0123456789012345678901234567890123456789x"), NULL, "422", NULL,
	  TOO_LONG("0123456789012345678901234567890123456789x") },
	{ "REQUEST_METHOD=HEAD", AT("/api/rules/F"), NULL, "422", NULL, "" },
	/* what the web server has decoded is not decoded again; what it has not is */
	{ GET, AT("/api/rules/%46R"), NULL, "422", NULL, TOO_LONG("%46R") },
	{ GET, "REQUEST_URI=/api/rules/%46R?x=1", NULL, "200", NULL, NULL },
	{ GET, "REQUEST_URI=/api/rules/%2546", NULL, "200", NULL, NO_RULES("%46") },
	{ GET, "REQUEST_URI=/api/rules/F%2FR", NULL, "404", NULL, NULL },
	{ GET, "REQUEST_URI=/api/rules/F%00R", NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules/"), NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules"), NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules/FR/x"), NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules//"), NULL, "404", NULL, NULL },
	{ GET, AT("/api/rules/{country_code}"), NULL, "422", NULL, NULL },
	{ "REQUEST_METHOD=POST", AT("/api/rules/FR"), NULL, "405", "Allow: GET, HEAD\r\n", NULL },
	{ "REQUEST_METHOD=DELETE", AT("/api/rules/F"), NULL, "405", "Allow: GET, HEAD\r\n", NULL },
	{ GET, AT("/api/rules/FR/"), NULL, "307", "Location: /api/rules/FR\r\n", "" },
	{ GET, AT("/api/rules/FR/"), "QUERY_STRING=a=b", "307", "Location: /api/rules/FR?a=b\r\n", "" },
	{ GET, AT("/api/rules/a\r\nX: é/"), NULL, "307",
	  "Location: /api/rules/a%0D%0AX%3A%20%C3%A9\r\n", "" },
	{ GET, AT("/api/rules/FR"), "HTTP_ORIGIN=https://a.example", "200", NULL, NULL },
};

TEST(api_rules, walks)
{
	struct arena *a = arena_new();
	struct fix f;
	open_edge(&f, NULL, rules_fix_small);
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++) {
		const char *out = ask(&f, a, walks[i].method, walks[i].path, walks[i].more);
		cr_assert_eq(strncmp(out, "Status: ", 8), 0, "row %zu: %s", i, out);
		cr_assert_eq(strncmp(out + 8, walks[i].status, 3), 0, "row %zu: %s", i, out);
		if (walks[i].field != NULL)
			cr_assert_not_null(strstr(out, walks[i].field), "row %zu: %s", i, out);
		if (walks[i].content != NULL)
			cr_assert_str_eq(content(out), walks[i].content, "row %zu: %s", i, content(out));
	}
	arena_free(a);
	close_edge(&f);
}

TEST(api_rules, answers_without_rules)
{
	struct arena *a = arena_new();
	struct fix f;
	open_edge(&f, NULL, NULL);
	const char *out = ask(&f, a, GET, AT("/api/rules/fr"), NULL);
	cr_assert_eq(strncmp(out, "Status: 200 ", 12), 0, "%s", out);
	cr_assert_str_eq(content(out), NO_RULES("FR"));
	cr_assert_not_null(strstr(out, "Cache-Control: no-store\r\n"), "nobody shall keep it");
	rules_close(f.edge.parts.rules);
	f.edge.parts.rules = NULL;
	cr_assert_str_eq(content(ask(&f, a, GET, AT("/api/rules/fr"), NULL)), NO_RULES("FR"));
	f.conf.enabled = false;
	out = ask(&f, a, GET, AT("/api/rules/fr"), NULL);
	cr_assert_eq(strncmp(out, "Status: 404 ", 12), 0, "switched off: %s", out);
	arena_free(a);
	close_edge(&f);
}

/* The log shows the row, not what was asked for. */
TEST(api_rules, access_log)
{
	struct arena *a = arena_new();
	struct fix f;
	char text[4096];
	open_edge(&f, NULL, rules_fix_small);
	log_level_set("INFO");
	ask(&f, a, GET, AT("/api/rules/secret-text"), NULL);
	ask(&f, a, GET, AT("/api/rules/FR"), NULL);
	int fd = open(f.log, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	cr_assert_gt(n, 0);
	text[n] = '\0';
	cr_assert_not_null(strstr(text, "route=/api/rules/{country_code} status=422"), "%s", text);
	cr_assert_not_null(strstr(text, "route=/api/rules/{country_code} status=200"), "%s", text);
	cr_assert_null(strstr(text, "secret-text"));
	arena_free(a);
	close_edge(&f);
}

TEST(api_rules, real_file)
{
	const char *path = test_data("rules/rules.json");
	struct arena *a = arena_new();
	struct json_object *o;
	struct err e;
	struct fix f;
	if (path == NULL)
		test_skip("no rules/rules.json in the data set");
	open_edge(&f, path, NULL);
	const struct rules_snapshot *set = rules_use(f.edge.parts.rules, a);
	cr_assert_not_null(set);
	for (size_t i = 0; i < set->base->ncountries; i++) {
		const struct rule_country *c = &set->base->countries[i];
		const char *out = content(ask(&f, a, GET,
		    arena_printf(a, "SCRIPT_NAME=/api/rules/%s", c->code), NULL));
		TEST_OK(jsn_parse(a, out, strlen(out), JSN_DEPTH, &o, NULL, &e), e);
		cr_assert_eq(jsn_get_int(o, "total_rules", -1), c->nentries);
		struct json_object *categories = jsn_get(o, "categories");
		size_t rules = 0;
		for (size_t k = 0; k < jsn_len(categories); k++) {
			struct json_object *row = jsn_at(categories, k), *list = jsn_get(row, "rules");
			cr_assert_eq(jsn_get_int(row, "count", -1), jsn_len(list));
			rules += jsn_len(list);
			for (size_t m = 0; m < jsn_len(list); m++) {
				struct json_object *rule = jsn_at(list, m);
				const struct rule_question *q = rulebase_question(set->base,
				    jsn_get_str(rule, "question_id", ""));
				cr_assert_not_null(q);
				cr_assert_str_eq(jsn_get_str(rule, "answer_html", ""),
				    rule_answer(q, c->code)->html);
				cr_assert_str_eq(jsn_get_str(rule, "category", ""),
				    jsn_get_str(row, "name", "?"));
			}
		}
		cr_assert_eq(rules, c->nentries);
	}
	arena_free(a);
	close_edge(&f);
}
