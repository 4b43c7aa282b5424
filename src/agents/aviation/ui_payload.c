/*
 * A payload is the tool's kind, a few members copied from the plan's arguments, and a few from the
 * result. The first two are tables: a kind lists its argument members, each with its possible names
 * (the first non-empty one is taken, as a client of older versions expects).
 */
#include "agents/aviation/ui_payload.h"

#include <string.h>

#include "agents/aviation/visualization.h"
#include "base/str.h"
#include "rules/rule_html.h"

enum { NAMES_MAX = 3, CODE_MIN = 2, CODE_MAX = 3, GENERIC_BYTES = 32 * 1024 };

struct member {
	const char *name;
	const char *from[NAMES_MAX];    /* argument names, first truthy one wins */
	bool optional;                  /* left out, not null, when there is no value */
};

struct kind {
	const char *name;
	struct member members[NAMES_MAX];
};

static const struct kind kinds[TOOL_UI__MAX] = {
	[TOOL_UI_ROUTE] = { "route", {
		{ "departure", { "from_location", "from_icao", "departure" }, false },
		{ "destination", { "to_location", "to_icao", "destination" }, false },
		{ "ifr", { "ifr" }, true },
	} },
	[TOOL_UI_AIRPORT] = { "airport", {
		{ "icao", { "icao", "icao_code" }, false },
	} },
	[TOOL_UI_RULES] = { "rules", {
		{ "region", { "region", "country_code" }, false },
		{ "topic", { "topic", "category" }, false },
	} },
	/* of an external tool: the page shows the answer, and has nothing to draw */
	[TOOL_UI_GENERIC] = { "generic", { { NULL, { NULL }, false } } },
};

/* Whose payload is shown when there are several: airports, then rules, then the rest. */
static const int ranks[TOOL_UI__MAX] = {
	[TOOL_UI_ROUTE] = 3, [TOOL_UI_AIRPORT] = 3, [TOOL_UI_RULES] = 2, [TOOL_UI_GENERIC] = 1,
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

/* In the form in which rules store them, because the panel compares literally. A tag that no rule
 * has would hide all rules. */
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

/* A code that a panel can ask for: a planner may make up any text as a country. */
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

/* [result.country_code], else result.countries, else those countries of the question whose answers
 * the result holds. */
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

/* A rule may lack its country. */
static bool rule_is_of(struct json_object *rule, const char *country)
{
	return strieq(jsn_get_str(rule, "country_code", country), country);
}

/* Adds the categories of a difference or a question: for every country that has an answer. */
static bool has_answer_of(struct json_object *o, const char *country)
{
	return jsn_has(jsn_get(o, "answers"), country) || jsn_has(o, country);
}

/* Categories of the rules that were found for a country. */
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

/* The texts of both lists, without repetitions. */
static struct json_object *merged(struct arena *a, struct json_object *one, struct json_object *more)
{
	struct json_object *out = jsn_array(a), *from[] = { one, more };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < jsn_len(from[k]); i++)
			if (!lists(out, json_object_get_string(jsn_at(from[k], i))))
				jsn_push(out, jsn_ref(jsn_at(from[k], i)));
	return out;
}

/* The content of the rules panel. */
struct panel {
	struct json_object *countries, *tags, *categories;    /* two members by country */
};

/* What one look-up adds. Tags narrow what the panel shows, so a country has tags only if all
 * look-ups in its rules have some. */
static void add_rules(struct arena *a, struct panel *p, const struct finding *f)
{
	struct json_object *args = f->plan->arguments;
	struct json_object *countries = named_countries(a, args, f->result);
	struct json_object *tags = shown_tags(a, jsn_get(args, "tags"),
	    jsn_get(f->result, "unknown_tags"));

	for (size_t i = 0; i < jsn_len(countries); i++) {
		const char *country = json_object_get_string(jsn_at(countries, i));
		struct json_object *found = merged(a, jsn_get(p->categories, country),
		    found_categories(a, f->result, country));
		bool narrow = jsn_len(tags) > 0 &&
		    (jsn_has(p->tags, country) || !lists(p->countries, country));
		if (narrow)
			jsn_add(p->tags, country, jsn_ref(merged(a, jsn_get(p->tags, country), tags)));
		else
			json_object_object_del(p->tags, country);
		if (jsn_len(found))
			jsn_add(p->categories, country, jsn_ref(found));
	}
	p->countries = merged(a, p->countries, countries);
}

static bool shows(const struct finding *f)
{
	const struct tool *t = f->plan->tool;

	return t != NULL && t->ui != TOOL_UI_NONE && jsn_is(f->result, json_type_object) &&
	    jsn_len(f->result) > 0;
}

static bool of_rules(const struct finding *f)
{
	return f->plan->tool->ui == TOOL_UI_RULES;
}

/* Only our own tools know how something is drawn: members of an external result that have the names of
 * ours mean something else. */
static bool draws(const struct finding *f)
{
	return shows(f) && f->plan->tool->ui != TOOL_UI_GENERIC;
}

static void add_show_rules(struct arena *a, struct json_object *payload, const struct writing *w)
{
	struct panel p = { jsn_array(a), jsn_object(a), jsn_object(a) };
	struct json_object *show = jsn_object(a);

	for (size_t i = 0; i < w->n; i++)
		if (shows(&w->found[i]) && of_rules(&w->found[i]))
			add_rules(a, &p, &w->found[i]);
	if (jsn_len(p.countries) == 0)
		return;
	jsn_add(show, "countries", jsn_ref(p.countries));
	jsn_add(show, "tags_by_country", jsn_ref(p.tags));
	jsn_add(show, "categories_by_country", jsn_ref(p.categories));
	jsn_add(payload, "show_rules", jsn_ref(show));
}

/* The look-up that the payload is of: the first one among airports, else the first; NULL: none can
 * be shown. */
static const struct finding *leading(const struct writing *w)
{
	const struct finding *out = NULL;

	for (size_t i = w->n; i-- > 0;)
		if (shows(&w->found[i]) &&
		    (out == NULL || ranks[w->found[i].plan->tool->ui] >= ranks[out->plan->tool->ui]))
			out = &w->found[i];
	return out;
}

/* Lists of airports as one, each airport once; NULL: there is no list. */
static struct json_object *all_airports(struct arena *a, struct json_object *const of[], size_t n)
{
	struct json_object *seen = jsn_object(a), *out = NULL, *list;
	size_t with = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i] != NULL && with++ == 0)
			out = of[i];
	if (with < 2)
		return out;
	list = jsn_array(a);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < jsn_len(of[i]); k++) {
			struct json_object *airport = jsn_at(of[i], k);
			const char *ident = jsn_get_str(airport, "ident", "");
			if (!jsn_has(seen, ident))
				jsn_push(list, jsn_ref(airport));
			jsn_add(seen, ident, NULL);
		}
	return list;
}

static struct json_object *airports_of(struct arena *a, const struct writing *w, const char *member)
{
	struct json_object *list[LOOKUPS_MAX];

	for (size_t i = 0; i < w->n; i++) {
		list[i] = draws(&w->found[i]) ? jsn_get(w->found[i].result, member) : NULL;
		if (!jsn_is(list[i], json_type_array))
			list[i] = NULL;
	}
	return all_airports(a, list, w->n);
}

/* How the places of all look-ups were understood; NULL: none has a place. */
static struct json_object *all_resolved(struct arena *a, const struct writing *w)
{
	struct json_object *out = NULL;

	for (size_t i = 0; i < w->n; i++) {
		struct json_object *list = draws(&w->found[i])
		    ? jsn_get(w->found[i].result, "resolved") : NULL;

		for (size_t k = 0; k < jsn_len(list); k++) {
			out = out != NULL ? out : jsn_array(a);
			jsn_push(out, jsn_ref(jsn_at(list, k)));
		}
	}
	return out;
}

/* The name of the list of airports in a visualization. */
static const char *drawn_list(struct json_object *v)
{
	return jsn_has(v, "data") ? "data" : "markers";
}

/* One map for all look-ups: the drawing of the first one, with the airports of the others. */
static struct json_object *drawn(struct arena *a, const struct writing *w, bool beside_rules)
{
	struct json_object *list[LOOKUPS_MAX] = { NULL }, *first = NULL, *v, *out;
	size_t airports = 0, n = 0;

	for (size_t i = 0; i < w->n; i++)
		airports += draws(&w->found[i]) && !of_rules(&w->found[i]);
	for (size_t i = 0; i < w->n; i++) {
		v = !draws(&w->found[i]) ? NULL
		    : visualization_of(a, w->found[i].result, beside_rules || airports > 1);
		if (v == NULL)
			continue;
		first = first != NULL ? first : v;
		list[n++] = jsn_get(v, drawn_list(v));
	}
	if (n < 2 || !jsn_is(first, json_type_object))
		return first;
	out = jsn_object(a);
	JSN_EACH(first, it)
		jsn_add(out, it.key, jsn_ref(it.val));
	jsn_add(out, drawn_list(first), jsn_ref(all_airports(a, list, n)));
	return out;
}

static void take(struct json_object *payload, const char *name, struct json_object *v)
{
	if (v != NULL)
		jsn_add(payload, name, jsn_ref(v));
}

/* An external result: whose it is, and what it says unless that is large. */
static void add_external(struct arena *a, struct json_object *payload, struct json_object *result)
{
	static const char *const copied[] = { "source", "title" };

	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++)
		take(payload, copied[i], jsn_get(result, copied[i]));
	if (strlen(jsn_text(a, result, JSN_PLAIN)) <= GENERIC_BYTES)
		take(payload, "result", result);
}

struct json_object *ui_payload_build(struct arena *a, const struct writing *w,
    struct json_object *suggested, bool mcp_raw)
{
	const struct finding *first = leading(w);

	if (first == NULL)
		return NULL;

	const struct plan *plan = first->plan;
	const struct kind *kind = &kinds[plan->tool->ui];
	struct json_object *result = first->result, *payload = jsn_object(a);

	jsn_add_str(payload, "kind", kind->name);
	jsn_add_str(payload, "tool", plan->tool->name);
	for (size_t i = 0; i < NAMES_MAX && kind->members[i].name; i++)
		add_argument(payload, &kind->members[i], plan->arguments);
	if (plan->tool->ui == TOOL_UI_GENERIC)
		add_external(a, payload, result);
	add_show_rules(a, payload, w);
	take(payload, "filters", jsn_get(result, "filter_profile"));
	take(payload, "visualization", drawn(a, w, jsn_has(payload, "show_rules")));
	take(payload, "airports", airports_of(a, w, "airports"));
	take(payload, "unrecorded", airports_of(a, w, "unrecorded"));
	take(payload, "resolved", all_resolved(a, w));
	if (jsn_is(suggested, json_type_array) && jsn_len(suggested))
		jsn_add(payload, "suggested_queries", jsn_ref(suggested));
	if (mcp_raw)
		jsn_add(payload, "mcp_raw", jsn_ref(result));
	return payload;
}
