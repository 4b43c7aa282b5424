/*
 * A payload is the tool's kind, a few members copied from the plan's arguments, and a few taken
 * over from the result. The first two are tables: a kind lists its argument members, each with the
 * names it may go by (the first non-empty one wins, as a client of older versions expects).
 */
#include "agents/aviation/ui_payload.h"

#include <string.h>

#include "agents/aviation/visualization.h"
#include "base/str.h"
#include "rules/rule_html.h"

enum { NAMES_MAX = 3, CODE_MIN = 2, CODE_MAX = 3 };

struct member {
	const char *name;
	const char *from[NAMES_MAX];    /* argument names, first truthy one wins */
	bool optional;                  /* left out, not null, when there is no value */
};

struct kind {
	const char *name;
	struct member members[NAMES_MAX];
	void (*extra)(struct arena *, struct json_object *payload, struct json_object *args,
	    struct json_object *result);
};

static void add_show_rules(struct arena *, struct json_object *, struct json_object *,
    struct json_object *);

static const struct kind kinds[] = {
	[TOOL_UI_ROUTE] = { "route", {
		{ "departure", { "from_location", "from_icao", "departure" }, false },
		{ "destination", { "to_location", "to_icao", "destination" }, false },
		{ "ifr", { "ifr" }, true },
	}, NULL },
	[TOOL_UI_AIRPORT] = { "airport", {
		{ "icao", { "icao", "icao_code" }, false },
	}, NULL },
	[TOOL_UI_RULES] = { "rules", {
		{ "region", { "region", "country_code" }, false },
		{ "topic", { "topic", "category" }, false },
	}, add_show_rules },
};

static void add_argument(struct json_object *payload, const struct member *m,
    struct json_object *args)
{
	struct json_object *v = NULL;

	for (size_t i = 0; i < NAMES_MAX && m->from[i]; i++) {
		v = jsn_get(args, m->from[i]);
		if (jsn_truthy(v))
			break;
		if (!m->optional)
			v = NULL;
	}
	if (v || !m->optional)
		jsn_add(payload, m->name, jsn_ref(v));
}

static bool lists(struct json_object *list, const char *text)
{
	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++)
		if (jsn_is(jsn_at(list, i), json_type_string) &&
		    streq(json_object_get_string(jsn_at(list, i)), text))
			return true;
	return false;
}

/* In the form rules are stored with: the panel compares literally. What no rule has would hide
 * all of them. */
static struct json_object *shown_tags(struct arena *a, struct json_object *tags,
    struct json_object *unknown)
{
	struct json_object *out = jsn_array(a);

	for (size_t i = 0; jsn_is(tags, json_type_array) && i < jsn_len(tags); i++) {
		struct json_object *t = jsn_at(tags, i);
		if (!jsn_is(t, json_type_string) || lists(unknown, json_object_get_string(t)))
			continue;
		const char *tag = rule_tag(a, json_object_get_string(t));
		if (!lists(out, tag))
			jsn_push(out, jsn_str(tag));
	}
	return out;
}

/* What a panel can ask for: a country that a planner made up may be any text. */
static void add_country(struct json_object *out, struct json_object *v)
{
	size_t n = jsn_is(v, json_type_string) ? (size_t)json_object_get_string_len(v) : 0;

	if (n >= CODE_MIN && n <= CODE_MAX)
		jsn_push(out, jsn_ref(v));
}

static void add_countries(struct json_object *out, struct json_object *list)
{
	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++)
		add_country(out, jsn_at(list, i));
}

/* [result.country_code], else result.countries, else those asked for whose answers it holds. */
static struct json_object *named_countries(struct arena *a, struct json_object *args,
    struct json_object *result)
{
	struct json_object *out = jsn_array(a);
	struct json_object *one = jsn_get(result, "country_code");

	if (jsn_is(one, json_type_string))
		add_country(out, one);
	else if (jsn_has(result, "countries"))
		add_countries(out, jsn_get(result, "countries"));
	else if (jsn_len(jsn_get(result, "questions")) > 0)
		add_countries(out, jsn_get(args, "countries"));
	return out;
}

/* A rule may leave out the country that it is of. */
static bool rule_is_of(struct json_object *rule, const char *country)
{
	return strieq(jsn_get_str(rule, "country_code", country), country);
}

/* A difference or a question: of every country that has an answer. */
static bool has_answer_of(struct json_object *o, const char *country)
{
	return jsn_has(jsn_get(o, "answers"), country) || jsn_has(o, country);
}

/* Categories of what was found for a country. */
static struct json_object *found_categories(struct arena *a, struct json_object *result,
    const char *country)
{
	static const struct {
		const char *member;
		bool (*of)(struct json_object *, const char *country);
	} rows[] = {
		{ "rules", rule_is_of }, { "differences", has_answer_of }, { "questions", has_answer_of },
	};
	struct json_object *out = jsn_array(a);

	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		struct json_object *list = jsn_get(result, rows[r].member);
		for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++) {
			struct json_object *o = jsn_at(list, i);
			const char *category = jsn_get_str(o, "category", "");
			if (*category && rows[r].of(o, country) && !lists(out, category))
				jsn_push(out, jsn_str(category));
		}
	}
	return out;
}

static void add_show_rules(struct arena *a, struct json_object *payload,
    struct json_object *args, struct json_object *result)
{
	struct json_object *countries = named_countries(a, args, result);
	struct json_object *tags = shown_tags(a, jsn_get(args, "tags"),
	    jsn_get(result, "unknown_tags"));
	struct json_object *by_tag = jsn_object(a), *by_category = jsn_object(a);

	if (!jsn_len(countries))
		return;
	for (size_t i = 0; i < jsn_len(countries); i++) {
		const char *country = json_object_get_string(jsn_at(countries, i));
		struct json_object *found = found_categories(a, result, country);
		if (jsn_len(tags))
			jsn_add(by_tag, country, jsn_ref(tags));
		if (jsn_len(found))
			jsn_add(by_category, country, jsn_ref(found));
	}

	struct json_object *show = jsn_object(a);
	jsn_add(show, "countries", jsn_ref(countries));
	jsn_add(show, "tags_by_country", jsn_ref(by_tag));
	jsn_add(show, "categories_by_country", jsn_ref(by_category));
	jsn_add(payload, "show_rules", jsn_ref(show));
}

static void take(struct json_object *payload, const char *name, struct json_object *v)
{
	if (v != NULL)
		jsn_add(payload, name, jsn_ref(v));
}

static bool shows(const struct plan *plan, struct json_object *result)
{
	return plan != NULL && plan->tool != NULL && jsn_is(result, json_type_object) &&
	    jsn_len(result) > 0;
}

struct json_object *ui_payload_build(struct arena *a, const struct writing *w,
    struct json_object *suggested, bool mcp_raw)
{
	const struct plan *plan = w->plan;
	struct json_object *result = w->result;

	if (!shows(plan, result))
		return NULL;

	const struct kind *kind = &kinds[plan->tool->ui];
	struct json_object *payload = jsn_object(a);

	jsn_add_str(payload, "kind", kind->name);
	jsn_add_str(payload, "tool", plan->tool->name);
	for (size_t i = 0; i < NAMES_MAX && kind->members[i].name; i++)
		add_argument(payload, &kind->members[i], plan->arguments);
	if (kind->extra)
		kind->extra(a, payload, plan->arguments, result);
	if (shows(w->rules_plan, w->rules_result))
		add_show_rules(a, payload, w->rules_plan->arguments, w->rules_result);
	take(payload, "filters", jsn_get(result, "filter_profile"));
	take(payload, "visualization",
	    visualization_of(a, result, jsn_has(payload, "show_rules")));
	take(payload, "airports", jsn_get(result, "airports"));
	take(payload, "unrecorded", jsn_get(result, "unrecorded"));
	if (jsn_is(suggested, json_type_array) && jsn_len(suggested))
		jsn_add(payload, "suggested_queries", jsn_ref(suggested));
	if (mcp_raw)
		jsn_add(payload, "mcp_raw", jsn_ref(result));
	return payload;
}
