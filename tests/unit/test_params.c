/*
 * Parameters of a query, answers with a tag, and the switch of groups of calls.
 */
#include "tests/unit/test.h"

#include "agents/aviation/agent.h"
#include "base/conf.h"
#include "base/conf_rows.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/routes.h"
#include "edges/kept.h"
#include "edges/params.h"
#include "tests/unit/http_mem.h"

enum { P_FLAG, P_COUNT, P_SIZE, P_CODE, P_CHOICE, P_LOOSE, P_NAME, P__MAX };

static const struct param rows[P__MAX] = {
	[P_FLAG] = { "flag", PARAM_BOOL, 0, 0, 0, "true", NULL },
	[P_COUNT] = { "count", PARAM_INT, 0, 1, 10000, "1000", NULL },
	[P_SIZE] = { "size", PARAM_NUMBER, 0, 0.1, 500, NULL, NULL },
	[P_CODE] = { "code", PARAM_TEXT, 0, 2, 3, NULL, NULL },
	[P_CHOICE] = { "choice", PARAM_TEXT, 0, 0, 0, "red", "red|green|blue" },
	[P_LOOSE] = { "loose", PARAM_NUMBER, PARAM_LENIENT, -90, 90, NULL, NULL },
	[P_NAME] = { "name", PARAM_TEXT, PARAM_VERBATIM, 0, 0, NULL, NULL },
};

struct exchange {
	struct http_mem m;
	struct http_req r;
	struct http_res w;
	struct arena *mem;
	char query[12000];
};

static void begin(struct exchange *x, const char *query, const char *tag)
{
	http_mem_init(&x->m);
	x->mem = arena_new();
	snprintf(x->query, sizeof(x->query), "QUERY_STRING=%s", query);
	x->m.params[0] = "REQUEST_METHOD=GET";
	x->m.params[1] = x->query;
	x->m.params[2] = tag;
	http_req_read(&x->r, &x->m.io, x->mem, NULL);
	http_res_init(&x->w, &x->m.io);
}

static void end(struct exchange *x)
{
	http_res_release(&x->w);
	buf_release(&x->m.out);
	arena_free(x->mem);
}

/* The values as one line, or the refusal. */
static const char *line(struct exchange *x, const struct param_value *v)
{
	const char *out = "";

	for (size_t i = 0; i < P__MAX; i++) {
		char number[32];
		num_print(number, v[i].number);
		const char *value = !v[i].set ? "-" : rows[i].type == PARAM_TEXT ? v[i].text :
		    rows[i].type == PARAM_BOOL ? (v[i].flag ? "yes" : "no") : number;
		out = arena_printf(x->mem, "%s%s%s%s", out, i > 0 ? " " : "", value, v[i].sent ? "!" : "");
	}
	return out;
}

#define NONE "yes 1000 - - red - -"
#define FAULT(type, name, msg, input) "{\"type\":\"" type "\",\"loc\":[\"query\",\"" name "\"],\"msg\":\"" msg \
	"\",\"input\":\"" input "\""

static const struct {
	const char *query, *want;       /* the line, or what the refusal begins with */
} reads[] = {
	{ "", NONE },
	{ "unknown=1&x", NONE },
	{ "flag=false&count=5&size=2.5&code=FR&choice=blue&loose=1&name=a+b", "no! 5! 2.5! FR! blue! 1! a b!" },
	{ "flag=0", "no! 1000 - - red - -" },
	{ "flag=OFF", "no! 1000 - - red - -" },
	{ "flag=&count=&size=&code=&choice=&loose=", NONE },
	{ "name=", "yes 1000 - - red - !" },
	{ "flag=undefined&count=undefined&size=undefined&code=undefined&choice=undefined&loose=undefined", NONE },
	{ "flag=null&count=null&size=null&code=null&choice=null&loose=null", NONE },
	{ "flag=NaN&count=NaN&size=NaN&loose=NaN", NONE },
	{ "name=null", "yes 1000 - - red - null!" },
	{ "name=NaN", "yes 1000 - - red - NaN!" },
	{ "count=2&count=3&count=x", "yes 2! - - red - -" },
	{ "code=%C3%A9t%C3%A9", "yes 1000 - été! red - -" },
	{ "loose=91", NONE }, { "loose=north", NONE }, { "loose=inf", NONE },
	{ "flag=perhaps", FAULT("bool_parsing", "flag",
	    "Input should be a valid boolean, unable to interpret input", "perhaps") "}" },
	{ "count=0", FAULT("greater_than_equal", "count",
	    "Input should be greater than or equal to 1", "0") ",\"ctx\":{\"ge\":1}}" },
	{ "count=10001", FAULT("less_than_equal", "count",
	    "Input should be less than or equal to 10000", "10001") ",\"ctx\":{\"le\":10000}}" },
	{ "count=99999999999999999999", FAULT("int_parsing", "count",
	    "Input should be a valid integer, unable to parse string as an integer", "99999999999999999999") },
	{ "count=ten", FAULT("int_parsing", "count",
	    "Input should be a valid integer, unable to parse string as an integer", "ten") },
	{ "size=0.01", FAULT("greater_than_equal", "size",
	    "Input should be greater than or equal to 0.1", "0.01") ",\"ctx\":{\"ge\":0.1}}" },
	{ "size=1e999", FAULT("float_parsing", "size",
	    "Input should be a valid number, unable to parse string as a number", "1e999") },
	{ "size=-inf", FAULT("float_parsing", "size",
	    "Input should be a valid number, unable to parse string as a number", "-inf") },
	{ "code=F", FAULT("string_too_short", "code", "String should have at least 2 characters", "F")
	    ",\"ctx\":{\"min_length\":2}}" },
	{ "code=France", FAULT("string_too_long", "code", "String should have at most 3 characters", "France")
	    ",\"ctx\":{\"max_length\":3}}" },
	{ "code=a%0ab", FAULT("value_error", "code", "Value error, control characters are not allowed", "a\\nb") },
	{ "code=a%ffb", FAULT("string_unicode", "code",
	    "Input should be a valid string, unable to parse raw data as a unicode string", "a�b") },
	{ "choice=grey", FAULT("enum", "choice", "Input should be 'red', 'green' or 'blue'", "grey") "}" },
	{ "count=x&size=y", FAULT("int_parsing", "count",
	    "Input should be a valid integer, unable to parse string as an integer", "x") "},"
	    FAULT("float_parsing", "size",
	    "Input should be a valid number, unable to parse string as a number", "y") "}]}" },
};

TEST(params, values_and_faults)
{
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct exchange x;
		struct param_value v[P__MAX];

		begin(&x, reads[i].query, NULL);
		const bool fine = *reads[i].want != '{';
		cr_expect_eq(params_read(&x.r, &x.w, rows, P__MAX, v), fine, "%s", reads[i].query);
		if (fine) {
			cr_expect_str_eq(line(&x, v), reads[i].want, "%s: %s", reads[i].query, line(&x, v));
			cr_expect_eq(x.m.out.n, 0, "%s: nothing is sent", reads[i].query);
		} else {
			const char *content = http_mem_content(&x.m);
			cr_expect(starts_with(x.m.out.p, "Status: 422 "), "%s", reads[i].query);
			cr_expect(starts_with(content, "{\"detail\":[") &&
			    starts_with(content + strlen("{\"detail\":["), reads[i].want), "%s: %s",
			    reads[i].query, content);
		}
		end(&x);
	}
}

TEST(params, a_missing_one_and_a_long_one)
{
	static const struct param needed = { "q", PARAM_TEXT, PARAM_REQUIRED, 0, 0, NULL, NULL };
	static const char *const absent[] = { "", "q=", "q=null", "other=1" };
	struct exchange x;
	struct param_value v;
	char query[11000];

	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		begin(&x, absent[i], NULL);
		cr_expect_not(params_read(&x.r, &x.w, &needed, 1, &v));
		cr_expect_str_eq(http_mem_content(&x.m), "{\"detail\":[{\"type\":\"missing\",\"loc\":[\"query\","
		    "\"q\"],\"msg\":\"Field required\",\"input\":null}]}");
		end(&x);
	}
	/* 3000 characters are over the limit of a text; only a part of them comes back */
	memset(query, 'x', sizeof(query));
	memcpy(query, "q=", 2);
	query[3002] = '\0';
	begin(&x, query, NULL);
	cr_expect_not(params_read(&x.r, &x.w, &needed, 1, &v));
	cr_expect(starts_with(x.m.out.p, "Status: 422 "));
	cr_expect_lt(x.m.out.n, 1200, "the answer has %zu bytes", x.m.out.n);
	end(&x);
	/* and 10 kB are more than a query may have */
	query[3002] = 'x';
	query[10000] = '\0';
	begin(&x, query, NULL);
	cr_expect_not(params_read(&x.r, &x.w, &needed, 1, &v));
	cr_expect(starts_with(x.m.out.p, "Status: 414 URI Too Long\r\n"), "%s", x.m.out.p);
	end(&x);
}

TEST(params, a_part_of_the_path)
{
	static const struct param ident = { "icao", PARAM_TEXT, PARAM_VERBATIM, 4, 4, NULL, NULL };
	struct exchange x;

	begin(&x, "", NULL);
	cr_expect(params_path(&x.r, &x.w, &ident, "EGTF"));
	cr_expect(params_path(&x.r, &x.w, &ident, "null"));
	cr_expect_eq(x.m.out.n, 0);
	cr_expect_not(params_path(&x.r, &x.w, &ident, "EG%"));
	cr_expect_str_eq(http_mem_content(&x.m), "{\"detail\":[{\"type\":\"string_too_short\",\"loc\":[\"path\","
	    "\"icao\"],\"msg\":\"String should have at least 4 characters\",\"input\":\"EG%\",\"ctx\":"
	    "{\"min_length\":4}}]}");
	end(&x);
}

/* ---- answers with a tag ------------------------------------------------------------ */

static const char *tag_of(struct exchange *x)
{
	const char *p = strstr(x->m.out.p, "ETag: ");
	cr_assert_not_null(p, "%s", x->m.out.p);
	p += strlen("ETag: ");
	return arena_strndup(x->mem, p, strcspn(p, "\r"));
}

static void answer(struct exchange *x, const char *text)
{
	struct buf b;
	buf_init(&b, 1000);
	buf_puts(&b, text);
	kept_answer(&x->r, &x->w, &b);
	buf_release(&b);
}

TEST(params, an_answer_is_sent_once)
{
	static const struct { const char *form; bool same; } forms[] = {
		{ "%s", true }, { "W/%s", true }, { "gzip", true }, { "\"other\", W/%s", true }, { "*", true },
		{ "\"other\"", false }, { "x%s", false }, { "\"\"", false }, { ",,,", false },
	};
	struct exchange first, x;

	begin(&first, "", NULL);
	answer(&first, "[1,2,3]");
	const char *tag = tag_of(&first);
	cr_expect_eq(strlen(tag), 34, "%s", tag);
	cr_expect_str_eq(http_mem_content(&first.m), "[1,2,3]");
	cr_expect_not_null(strstr(first.m.out.p, "Cache-Control: no-cache\r\n"));
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *value = streq(forms[i].form, "%s") ? tag :
		    starts_with(forms[i].form, "W/") ? arena_printf(first.mem, "W/%s", tag) :
		    strstr(forms[i].form, "W/") != NULL ? arena_printf(first.mem, "\"other\", W/%s", tag) :
		    streq(forms[i].form, "gzip") ? arena_printf(first.mem, "%.33s-gzip\"", tag) :
		    *forms[i].form == 'x' ? arena_printf(first.mem, "x%s", tag) : forms[i].form;
		begin(&x, "", arena_printf(first.mem, "HTTP_IF_NONE_MATCH=%s", value));
		answer(&x, "[1,2,3]");
		cr_expect_eq(x.w.status, forms[i].same ? 304 : 200, "%s", value);
		cr_expect_str_eq(http_mem_content(&x.m), forms[i].same ? "" : "[1,2,3]");
		cr_expect_str_eq(tag_of(&x), tag);
		cr_expect_eq(strstr(x.m.out.p, "Content-Length") == NULL, forms[i].same);
		end(&x);
	}
	end(&first);
}

/* Texts that differ in one byte, in length, or only in zero bytes have other tags. */
TEST(params, other_answers_have_other_tags)
{
	struct exchange x[40];
	char text[64] = "";
	size_t n = 0;

	for (; n < 40; n++) {
		begin(&x[n], "", NULL);
		answer(&x[n], text);
		for (size_t k = 0; k < n; k++)
			cr_expect_str_neq(tag_of(&x[n]), tag_of(&x[k]), "%zu and %zu", n, k);
		text[n] = 'a';
		if (n % 3 == 2)
			text[n / 2] = (char)('b' + n / 3);
	}
	while (n > 0)
		end(&x[--n]);
}

TEST(params, an_answer_that_is_too_large)
{
	struct exchange x;
	struct buf b;

	begin(&x, "", NULL);
	log_level_set("OFF");
	buf_init(&b, 4);
	buf_puts(&b, "[1,2,3]");
	kept_answer(&x.r, &x.w, &b);
	cr_expect_eq(x.w.status, 500);
	buf_release(&b);
	end(&x);
}

/* ---- the switch ------------------------------------------------------------------- */

static const struct {
	const char *list;
	bool airports, ga, feedback;
} lists[] = {
	{ NULL, true, true, true }, { "all", true, true, true }, { "none", false, false, false },
	{ "airports", true, false, false }, { "airports,ga", true, true, false },
	{ "-ga", true, false, true }, { "-ga,-feedback", true, false, false },
	{ "all, -ga", true, false, true }, { "all\t-airports -ga", false, false, true },
	{ "none,ga", false, true, false }, { "ga,-ga", false, false, false }, { "-ga,ga", true, true, true },
};

TEST(params, groups_of_calls)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const unsigned off = routes_off(lists[i].list);
		cr_expect_eq((off & ROUTE_AIRPORTS) == 0, lists[i].airports, "%s", lists[i].list);
		cr_expect_eq((off & ROUTE_GA) == 0, lists[i].ga, "%s", lists[i].list);
		cr_expect_eq((off & ROUTE_FEEDBACK) == 0, lists[i].feedback, "%s", lists[i].list);
	}
	/* the names are those that the setting accepts, and all of them */
	const char *choices = NULL;
	struct str part;
	size_t n = 0;
	for (size_t i = 0; i < conf_nrows; i++)
		if (streq(conf_rows[i].env, "AVIATION_AGENT_REST"))
			choices = conf_rows[i].choices;
	for (size_t i = 0; i < nroute_groups; i++)
		cr_expect(one_of(route_groups[i].name, choices), "%s", route_groups[i].name);
	while (str_part(&choices, '|', &part))
		n++;
	cr_expect_eq(n, nroute_groups);
}

/* doc/calls.md lists every call of a group, and nothing else. */
TEST(params, the_list_of_calls)
{
	static const char base[] = "/api/aviation-agent";
	struct arena *a = arena_new();
	struct buf text, all;
	struct str line;
	struct err e;
	size_t listed = 0, calls = 0;

	buf_init(&text, 1 << 20);
	buf_init(&all, 1 << 20);
	TEST_OK(buf_load(&text, TEST_SRCDIR "/doc/calls.md", &e), e);
	for (size_t i = 0; i < nroutes; i++) {
		const char *group = NULL;
		for (size_t k = 0; k < nroute_groups; k++)
			if ((routes[i].flags & route_groups[k].flag) != 0)
				group = route_groups[k].name;
		if (group == NULL || !starts_with(routes[i].path, base))
			continue;
		calls++;
		const char *row = arena_printf(a, "| `%s %s` | %s | %s |\n", http_method_name(routes[i].method),
		    routes[i].path + strlen(base), group, routes[i].doc);
		buf_puts(&all, row);
		cr_expect_not_null(strstr(text.p, row), "doc/calls.md lacks the line\n%s", row);
	}
	for (const char *p = text.p; str_part(&p, '\n', &line);)
		listed += line.n > 8 && (memcmp(line.p, "| `GET /", 8) == 0 || memcmp(line.p, "| `POST", 7) == 0);
	cr_expect_eq(listed, calls, "doc/calls.md lists %zu calls, and there are %zu:\n%s", listed, calls, all.p);
	buf_release(&text);
	buf_release(&all);
	arena_free(a);
}
