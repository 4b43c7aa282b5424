/*
 * A payload is the tool's kind, a few members copied from the plan's arguments, and a few taken
 * over from the result. All three are tables: a kind lists its argument members, each with the
 * names it may go by (the first non-empty one wins, as a client of older versions expects).
 */
#include "agents/aviation/ui_payload.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

enum { NAMES_MAX = 3 };

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

/* Members taken over from the result when it has them. */
static const struct {
	const char *name, *from;
} taken[] = {
	{ "filters", "filter_profile" },
	{ "visualization", "visualization" },
	{ "airports", "airports" },
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

/* Rules are stored with tags in lower case and "_" for a blank; the panel compares literally. */
static struct json_object *normal_tag(struct arena *a, const char *tag)
{
	struct str s = str_trim(str_of(tag));
	char *t = arena_strndup(a, s.p, s.n);

	for (char *p = t; *p; p++)
		*p = *p == ' ' ? '_' : (char)tolower((unsigned char)*p);
	return jsn_str(t);
}

static struct json_object *normal_tags(struct arena *a, struct json_object *tags)
{
	struct json_object *out = jsn_array(a);

	for (size_t i = 0; i < jsn_len(tags); i++) {
		struct json_object *t = jsn_at(tags, i);
		if (jsn_is(t, json_type_string))
			jsn_push(out, normal_tag(a, json_object_get_string(t)));
	}
	return out;
}

/* [result.country_code], else result.countries; text only. */
static struct json_object *named_countries(struct arena *a, struct json_object *result)
{
	struct json_object *out = jsn_array(a);
	struct json_object *one = jsn_get(result, "country_code");

	if (jsn_is(one, json_type_string)) {
		jsn_push(out, jsn_ref(one));
		return out;
	}
	struct json_object *many = jsn_get(result, "countries");
	for (size_t i = 0; jsn_is(many, json_type_array) && i < jsn_len(many); i++)
		if (jsn_is(jsn_at(many, i), json_type_string))
			jsn_push(out, jsn_ref(jsn_at(many, i)));
	return out;
}

static void add_once(struct json_object *list, const char *text)
{
	for (size_t i = 0; i < jsn_len(list); i++)
		if (!strcmp(json_object_get_string(jsn_at(list, i)), text))
			return;
	jsn_push(list, jsn_str(text));
}

/* Categories of the rules found for a country: `rules` name their country themselves, a
 * difference counts for every country that has an answer. */
static struct json_object *found_categories(struct arena *a, struct json_object *result,
    const char *country)
{
	struct json_object *out = jsn_array(a);
	struct json_object *rules = jsn_get(result, "rules");
	struct json_object *differences = jsn_get(result, "differences");

	for (size_t i = 0; jsn_is(rules, json_type_array) && i < jsn_len(rules); i++) {
		struct json_object *r = jsn_at(rules, i);
		const char *category = jsn_get_str(r, "category", "");
		if (*category && strieq(jsn_get_str(r, "country_code", country), country))
			add_once(out, category);
	}
	for (size_t i = 0; jsn_is(differences, json_type_array) && i < jsn_len(differences); i++) {
		struct json_object *d = jsn_at(differences, i);
		struct json_object *answers = jsn_get(d, "answers");
		const char *category = jsn_get_str(d, "category", "");
		if (*category && (jsn_has(answers, country) || jsn_has(d, country)))
			add_once(out, category);
	}
	return out;
}

static void add_show_rules(struct arena *a, struct json_object *payload,
    struct json_object *args, struct json_object *result)
{
	struct json_object *countries = named_countries(a, result);
	struct json_object *tags = jsn_get(args, "tags");
	struct json_object *by_tag = jsn_object(a), *by_category = jsn_object(a);

	if (!jsn_len(countries))
		return;
	tags = jsn_is(tags, json_type_array) ? normal_tags(a, tags) : NULL;
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

struct json_object *ui_payload_build(struct arena *a, const struct plan *plan,
    struct json_object *result, struct json_object *suggested, bool mcp_raw)
{
	if (!plan->tool || !jsn_is(result, json_type_object) || !jsn_len(result))
		return NULL;

	const struct kind *kind = &kinds[plan->tool->ui];
	struct json_object *payload = jsn_object(a);

	jsn_add_str(payload, "kind", kind->name);
	jsn_add_str(payload, "tool", plan->tool->name);
	for (size_t i = 0; i < NAMES_MAX && kind->members[i].name; i++)
		add_argument(payload, &kind->members[i], plan->arguments);
	if (kind->extra)
		kind->extra(a, payload, plan->arguments, result);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (jsn_has(result, taken[i].from))
			jsn_add(payload, taken[i].name, jsn_ref(jsn_get(result, taken[i].from)));
	if (jsn_is(suggested, json_type_array) && jsn_len(suggested))
		jsn_add(payload, "suggested_queries", jsn_ref(suggested));
	if (mcp_raw)
		jsn_add(payload, "mcp_raw", jsn_ref(result));
	return payload;
}
