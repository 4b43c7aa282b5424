/*
 * Reads tests/data/planner_*.txt (the format is told in planner_cases.txt), runs the built-in
 * planner over every conversation and compares plans.
 */
#ifndef TESTS_UNIT_PLANNER_CASES_H
#define TESTS_UNIT_PLANNER_CASES_H

#include <math.h>

#include "agents/aviation/planner.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/test.h"

enum { CASE_MESSAGES = 40 };

struct cases {
	size_t asked, failed;
	struct buf report;            /* one line a failure */
};

static const struct { const char *key, *tool; } case_tools[] = {
	{ "route", "find_airports_near_route" }, { "near", "find_airports_near_location" },
	{ "search", "search_airports" }, { "details", "get_airport_details" },
};

/* Short names of the data files; the type tells how the text after '=' is read. */
static const struct { const char *key, *name; char type; bool filter; } case_args[] = {
	{ "from", "from_location", 't', false }, { "to", "to_location", 't', false },
	{ "at", "location_query", 't', false }, { "query", "query", 't', false },
	{ "icao", "icao_code", 't', false }, { "nm", "max_distance_nm", 'n', false },
	{ "max", "max_results", 'n', false }, { "large", "include_large_airports", 'b', false },
	{ "notice", "max_hours_notice", 'n', false },
	{ "avgas", "has_avgas", 'b', true }, { "jet", "has_jet_a", 'b', true },
	{ "customs", "point_of_entry", 'b', true }, { "ifr", "has_procedures", 'b', true },
	{ "hard", "has_hard_runway", 'b', true }, { "min", "min_runway_length_ft", 'n', true },
	{ "maxlen", "max_runway_length_ft", 'n', true }, { "fee", "max_landing_fee", 'n', true },
	{ "hotel", "hotel", 't', true }, { "restaurant", "restaurant", 't', true },
	{ "country", "country", 't', true }, { "says", "says", 't', false },
};

static inline void case_arg(struct arena *a, struct json_object *args, const char *text)
{
	bool on = text[0] != '!';
	struct str key = str_of(text + !on);
	const char *eq = strchr(key.p, '=');
	key.n = eq != NULL ? (size_t)(eq - key.p) : key.n;
	for (size_t i = 0; i < sizeof(case_args) / sizeof(case_args[0]); i++) {
		struct json_object *to = args;
		double v = NAN;
		if (!str_eq(key, case_args[i].key))
			continue;
		if (case_args[i].filter) {
			if (!jsn_has(args, "filters"))
				jsn_add(args, "filters", jsn_ref(jsn_object(a)));
			to = jsn_get(args, "filters");
		}
		if (case_args[i].type == 'b') {
			jsn_add_bool(to, case_args[i].name, on);
		} else if (case_args[i].type == 't') {
			jsn_add_str(to, case_args[i].name, eq + 1);
		} else {
			cr_assert(str_to_double(eq + 1, &v), "bad number in %s", text);
			jsn_add_num(to, case_args[i].name, v);
		}
		return;
	}
	cr_assert_fail("unknown argument in the test data: %s", text);
}

/* "route; from=A; to=B" → tool's name and arguments. */
static inline const char *case_expect(struct arena *a, const char *line, struct json_object *args)
{
	const char *tool = NULL;
	for (const char *p = line; *p != '\0';) {
		size_t n = strcspn(p, ";");
		struct str s = str_trim((struct str){ p, n });
		const char *text = arena_strndup(a, s.p, s.n);
		if (tool != NULL)
			case_arg(a, args, text);
		else if (streq(text, "reply"))
			tool = "reply";
		for (size_t i = 0; tool == NULL && i < sizeof(case_tools) / sizeof(case_tools[0]); i++)
			if (streq(text, case_tools[i].key))
				tool = case_tools[i].tool;
		cr_assert_not_null(tool, "unknown tool in the test data: %s", text);
		p += n + (p[n] == ';');
	}
	return tool;
}

/* Texts equal when folded, any of a "|"-separated list; numbers within a foot or so. */
static inline bool case_same(struct arena *a, struct json_object *want, struct json_object *have)
{
	if (jsn_is(want, json_type_object)) {
		if (jsn_len(want) != jsn_len(have))
			return false;
		JSN_EACH(want, it)
			if (!case_same(a, it.val, jsn_get(have, it.key)))
				return false;
		return true;
	}
	if (jsn_is(want, json_type_string)) {
		if (!jsn_is(have, json_type_string))
			return false;
		const char *fold = str_fold(a, json_object_get_string(have));
		for (const char *p = json_object_get_string(want); *p != '\0';) {
			size_t n = strcspn(p, "|");
			if (streq(fold, str_fold(a, arena_strndup(a, p, n))))
				return true;
			p += n + (p[n] == '|');
		}
		return false;
	}
	if (jsn_is(want, json_type_boolean))
		return jsn_is(have, json_type_boolean) &&
		    json_object_get_boolean(want) == json_object_get_boolean(have);
	double w = json_object_get_double(want);
	double h = jsn_is(have, json_type_int) || jsn_is(have, json_type_double)
	    ? json_object_get_double(have) : NAN;
	return fabs(w - h) <= (w > 300 ? 1.01 : 0.06);
}

static inline void case_check(struct cases *c, const struct tool_context *ctx,
    const struct message *messages, size_t n, const char *expect)
{
	struct run run = { .mem = arena_new() };
	struct plan plan;
	struct err e = { OK, "" };
	struct json_object *want = jsn_object(run.mem);
	const char *tool = case_expect(run.mem, expect, want);
	struct message *copy = arena_array(run.mem, n + 1, sizeof(*copy));

	memcpy(copy, messages, n * sizeof(*copy));
	run.messages = copy;
	run.nmessages = n;
	TEST_OK(planner_builtin.plan(&run, ctx, &plan, &e), e);
	c->asked++;
	const char *says = jsn_get_str(want, "says", "");
	bool ok = streq(tool, "reply")
	    ? plan.tool == NULL && plan.reply != NULL && *plan.reply && strstr(plan.reply, says) != NULL
	    : plan.tool != NULL && streq(plan.tool->name, tool) &&
	        case_same(run.mem, want, plan.arguments);
	if (plan.tool != NULL)
		TEST_OK(tool_check(plan.tool, plan.arguments, &e), e);
	if (!ok) {
		c->failed++;
		buf_printf(&c->report, "  %s\n    want %s\n    have %s %s\n", messages[n - 1].content,
		    expect, plan.tool != NULL ? plan.tool->name : "reply",
		    plan.tool != NULL ? jsn_text(run.mem, plan.arguments, JSN_PLAIN) : plan.reply);
	}
	arena_free(run.mem);
}

/* The text of a line; "\\n" in it is a line's end. */
static inline const char *case_text(struct arena *a, const char *line)
{
	char *text = arena_strdup(a, line), *to = text;
	for (const char *p = text; *p != '\0'; to++) {
		bool end = p[0] == '\\' && p[1] == 'n';
		*to = end ? '\n' : *p;
		p += 1 + end;
	}
	*to = '\0';
	return text;
}

/* Run a whole data file. Free c->report with buf_release(). */
static inline void cases_run(struct cases *c, const char *name, const struct tool_context *ctx)
{
	struct message messages[CASE_MESSAGES];
	size_t n = 0;
	char line[2048], path[4096];
	struct arena *a = arena_new();
	bool expected = true;

	*c = (struct cases){ .asked = 0 };
	buf_init(&c->report, 1 << 20);
	snprintf(path, sizeof(path), "%s/tests/data/%s", TEST_SRCDIR, name);
	FILE *f = fopen(path, "re");
	cr_assert_not_null(f, "cannot read %s", path);
	while (fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (line[0] == '=') {
			case_check(c, ctx, messages, n, line + 2);
			expected = true;
			continue;
		}
		cr_assert(strchr("?+<", line[0]) != NULL && line[1] == ' ', "bad line: %s", line);
		if (line[0] == '?') {
			cr_assert(expected, "no expectation before: %s", line);
			n = 0;
		} else if (line[0] == '+' && n > 0 && streq(messages[n - 1].role, "user")) {
			messages[n++] = (struct message){ "assistant", "Here is what I found." };
		}
		cr_assert_lt(n, (size_t)CASE_MESSAGES - 2);
		messages[n++] = (struct message){ line[0] == '<' ? "assistant" : "user",
			case_text(a, line + 2) };
		expected = line[0] == '<' ? expected : false;
	}
	fclose(f);
	arena_free(a);
}

#endif
