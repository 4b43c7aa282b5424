/*
 * Reads tests/data/planner_*.txt (planner_cases.txt describes the format), runs the built-in
 * planner over every conversation and compares plans.
 */
#ifndef TESTS_UNIT_PLANNER_CASES_H
#define TESTS_UNIT_PLANNER_CASES_H

#include <math.h>

#include "agents/aviation/planner.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/reader_fix.h"
#include "tests/unit/test.h"

enum { CASE_MESSAGES = 40 };

struct cases {
	/* set by the caller: where a reply is expected, a rules tool is accepted too */
	bool reply_or_rules;
	size_t asked, failed, to_rules;
	struct buf report;            /* one line a failure */
};

/* The tools that a config offers which names no older tool. */
static inline struct toolset cases_offered(struct arena *a)
{
	return toolset_offered(a, tools_builtin, (struct behavior_switches){ NULL, 0 });
}

static const struct { const char *key, *tool; } case_tools[] = {
	{ "route", "find_airports_near_route" }, { "near", "find_airports_near_location" },
	{ "search", "search_airports" }, { "details", "get_airport_details" },
	{ "customs", "get_notification_for_airport" },
	{ "answer", "answer_rules_question" }, { "browse", "browse_rules" },
	{ "compare", "compare_rules_between_countries" },
};

/* Short names of the data files; the type tells how the text after '=' is read. */
static const struct { const char *key, *name; char type; bool filter; } case_args[] = {
	{ "from", "from_location", 't', false }, { "to", "to_location", 't', false },
	{ "at", "location_query", 't', false }, { "query", "query", 't', false },
	{ "icao", "icao_code", 't', false }, { "day", "date", 't', false }, { "nm", "max_distance_nm", 'n', false },
	{ "max", "max_results", 'n', false }, { "large", "include_large_airports", 'b', false },
	{ "notice", "max_hours_notice", 'n', false }, { "of", "icao", 't', false },
	{ "weekday", "day_of_week", 't', false }, { "time", "time", 't', false },
	{ "kt", "cruise_kt", 'n', false },
	{ "order", "priority_strategy", 't', false },
	{ "avgas", "has_avgas", 'b', true }, { "jet", "has_jet_a", 'b', true },
	{ "fuel", "has_fuel", 'b', true },
	{ "customs", "point_of_entry", 'b', true }, { "ifr", "has_procedures", 'b', true },
	{ "hard", "has_hard_runway", 'b', true }, { "min", "min_runway_length_ft", 'n', true },
	{ "maxlen", "max_runway_length_ft", 'n', true }, { "fee", "max_landing_fee", 'n', true },
	{ "hotel", "hotel", 't', true }, { "restaurant", "restaurant", 't', true },
	{ "currency", "fee_currency", 't', true }, { "aircraft", "fee_aircraft", 't', true },
	{ "country", "country", 't', true }, { "says", "says", 't', false },
	{ "cc", "country_code", 't', false }, { "ccs", "countries", 'l', false },
	{ "ask", "question", 'p', false }, { "tag", "tags", 'm', false },
	{ "offset", "offset", 'n', false }, { "limit", "limit", 'n', false },
	/* the same in planner_rules_heldout.txt, where nothing else is compared */
	{ "code", "country_code", 't', false }, { "countries", "countries", 's', false },
	{ "tags", "tags", 'm', false },
};

/* The arguments that a rules tool must get, besides those that are compared literally. */
struct case_rules {
	const char *ask;              /* part of `question`, folded; NULL: not compared */
	bool no_ask;                  /* there must be no question */
	const char *tag;              /* among `tags` */
	const char *set;              /* "DE,PL": `countries`, in any order */
	bool loose;                   /* arguments that are not written may have any value */
};

static inline void case_arg(struct arena *a, struct json_object *args, struct case_rules *rules,
    const char *text)
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
		rules->loose |= streq(case_args[i].key, "code") || streq(case_args[i].key, "countries");
		if (case_args[i].filter) {
			if (!jsn_has(args, "filters"))
				jsn_add(args, "filters", jsn_ref(jsn_object(a)));
			to = jsn_get(args, "filters");
		}
		if (case_args[i].type == 'b') {
			jsn_add_bool(to, case_args[i].name, on);
		} else if (case_args[i].type == 'p') {
			rules->no_ask = !on;
			rules->ask = on ? eq + 1 : NULL;
		} else if (case_args[i].type == 'm') {
			rules->tag = eq + 1;
		} else if (case_args[i].type == 's') {
			rules->set = eq + 1;
		} else if (case_args[i].type == 'l') {
			struct json_object *list = json_object_new_array();
			for (const char *p = eq + 1; *p != '\0'; p += strcspn(p, "+") + (strchr(p, '+') != NULL))
				jsn_push(list, jsn_strn(p, strcspn(p, "+")));
			jsn_add(to, case_args[i].name, list);
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
static inline const char *case_expect(struct arena *a, const char *line, struct json_object *args,
    struct case_rules *rules)
{
	const char *tool = NULL;
	for (const char *p = line; *p != '\0';) {
		size_t n = strcspn(p, ";");
		struct str s = str_trim((struct str){ p, n });
		const char *text = arena_strndup(a, s.p, s.n);
		if (tool != NULL)
			case_arg(a, args, rules, text);
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

/* Texts are equal when folded, any one of a "|"-separated list; numbers may differ by about a
 * foot. */
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
	if (jsn_is(want, json_type_array)) {
		bool same = jsn_len(want) == jsn_len(have);
		for (size_t i = 0; same && i < jsn_len(want); i++)
			same = case_same(a, jsn_at(want, i), jsn_at(have, i));
		return same;
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

/* "DE,PL" against ["PL","DE"]. */
static inline bool case_same_set(const char *set, struct json_object *list)
{
	size_t n = 0;
	for (const char *p = set; *p != '\0'; n++) {
		size_t len = strcspn(p, ",");
		bool found = false;
		for (size_t i = 0; i < jsn_len(list) && !found; i++)
			found = str_eq((struct str){ p, len }, json_object_get_string(jsn_at(list, i)));
		if (!found)
			return false;
		p += len + (p[len] == ',');
	}
	return n == jsn_len(list);
}

/* Remove the arguments of a rules tool that case_rules describes. */
static inline bool case_rules_same(struct arena *a, const struct case_rules *rules,
    struct json_object *want, struct json_object **args)
{
	struct json_object *have = jsn_copy(a, *args), *tags = jsn_get(have, "tags");
	const char *question = jsn_get_str(have, "question", NULL);
	bool tag = rules->tag == NULL, ask = rules->ask == NULL;
	for (size_t i = 0; i < jsn_len(tags); i++)
		tag |= streq(json_object_get_string(jsn_at(tags, i)), rules->tag);
	if (!ask && question != NULL)
		ask = strstr(str_fold(a, question), rules->ask) != NULL;
	if (rules->no_ask)
		ask = question == NULL;
	if (rules->set != NULL)
		tag = tag && case_same_set(rules->set, jsn_get(have, "countries"));
	json_object_object_del(have, "tags");
	json_object_object_del(have, "question");
	if (!jsn_has(want, "countries") && !jsn_has(want, "country_code"))
		json_object_object_del(have, "countries");
	if (rules->loose) {
		json_object_object_del(have, "offset");
		json_object_object_del(have, "limit");
	}
	*args = have;
	return tag && ask;
}

/* Is a plan the one that is expected? */
static inline bool case_fits(struct cases *c, struct arena *a, const struct plan *plan,
    const char *expect)
{
	struct json_object *want = jsn_object(a), *have = plan->arguments;
	struct case_rules rules = { .ask = NULL };
	struct err e = { OK, "" };
	const char *tool = case_expect(a, expect, want, &rules), *says = jsn_get_str(want, "says", "");
	const bool of_rules = plan->tool != NULL && plan->tool->domain == TOOL_RULES;
	if (plan->tool != NULL)
		TEST_OK(tool_check(plan->tool, plan->arguments, &e), e);
	if (c->reply_or_rules && streq(tool, "reply") && of_rules)
		return ++c->to_rules > 0;
	if (streq(tool, "reply"))
		return plan->tool == NULL && plan->reply != NULL && *plan->reply != '\0' &&
		    strstr(plan->reply, says) != NULL;
	return plan->tool != NULL && streq(plan->tool->name, tool) &&
	    (!of_rules || case_rules_same(a, &rules, want, &have)) && case_same(a, want, have);
}

/* " & " separates several plans. */
static inline void case_check(struct cases *c, const struct tool_context *ctx,
    const struct message *messages, size_t n, const char *expect)
{
	struct run run = { .mem = arena_new() };
	struct plans plans = { .n = 0 };
	struct err e = { OK, "" };
	struct message *copy = arena_array(run.mem, n + 1, sizeof(*copy));
	size_t wanted = 0;
	bool ok = true;

	memcpy(copy, messages, n * sizeof(*copy));
	run.messages = copy;
	run.nmessages = n;
	TEST_OK(planner_builtin.plan(&run, ctx, &plans, &e), e);
	c->asked++;
	for (const char *p = expect; p != NULL; wanted++) {
		const char *end = strstr(p, " & ");
		const char *one = end == NULL ? p : arena_strndup(run.mem, p, (size_t)(end - p));
		ok = ok && wanted < plans.n && case_fits(c, run.mem, &plans.plan[wanted], one);
		p = end == NULL ? NULL : end + 3;
	}
	if (!ok || wanted != plans.n) {
		c->failed++;
		buf_printf(&c->report, "  %s\n    want %s\n", messages[n - 1].content, expect);
		for (size_t i = 0; i < plans.n; i++)
			buf_printf(&c->report, "    have %s %s\n",
			    plans.plan[i].tool != NULL ? plans.plan[i].tool->name : "reply",
			    plans.plan[i].tool != NULL ? jsn_text(run.mem, plans.plan[i].arguments, JSN_PLAIN)
			    : plans.plan[i].reply);
	}
	arena_free(run.mem);
}

/* The text of a line; \n in it means a line end. */
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

/* Run a whole data file; *c is zeroed except for its settings. Free c->report with
 * buf_release(). */
static inline void cases_run(struct cases *c, const char *name, const struct tool_context *ctx)
{
	struct message messages[CASE_MESSAGES];
	size_t n = 0;
	char line[2048], path[4096];
	struct arena *a = arena_new();
	bool expected = true;

	reader_open();
	c->asked = c->failed = c->to_rules = 0;
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
			messages[n++] = (struct message)MESSAGE("assistant", "Here is what I found.");
		}
		cr_assert_lt(n, (size_t)CASE_MESSAGES - 2);
		messages[n++] = (struct message)MESSAGE(line[0] == '<' ? "assistant" : "user",
			case_text(a, line + 2));
		expected = line[0] == '<' ? expected : false;
	}
	fclose(f);
	arena_free(a);
}

#endif
