/*
 * Suggestions are made in three steps: what does the plan name (context), which templates of its
 * tool apply (candidates), which of these are shown (ranking). Plans come from a model too, so a
 * value of the wrong type is simply not there.
 */
#include "agents/aviation/predictor.h"

#include <string.h>

#include "agents/aviation/predictor_templates.h"
#include "base/buf.h"
#include "base/str.h"

enum { VALUE_MAX = 80, CANDIDATES_MAX = 64, TEXT_MAX = 1024 };

/* What the plan names: the first value and how many different ones, by kind. */
struct context {
	struct json_object *filters;
	const char *first[ENTITY__MAX];
	size_t n[ENTITY__MAX];
	const char *seen[ENTITY__MAX][8];
	const char *near;             /* location_query, for filter templates */
	const char *user_text;
};

struct candidate {
	const struct suggestion *s;
	const char *text;
	bool taken;
};

static void mention(struct context *c, enum entity entity, struct json_object *v)
{
	if (!jsn_is(v, json_type_string))
		return;
	const char *text = json_object_get_string(v);
	size_t len = strlen(text);
	if (len == 0 || len > VALUE_MAX)
		return;
	for (size_t i = 0; i < c->n[entity]; i++)
		if (strieq(c->seen[entity][i], text))
			return;
	if (c->n[entity] == sizeof(c->seen[entity]) / sizeof(*c->seen[entity]))
		return;
	c->seen[entity][c->n[entity]++] = text;
	if (!c->first[entity])
		c->first[entity] = text;
}

static bool looks_like_icao(const char *s)
{
	bool letter = false;
	size_t n;

	for (n = 0; s[n]; n++) {
		bool upper = s[n] >= 'A' && s[n] <= 'Z';
		if (!upper && !(s[n] >= '0' && s[n] <= '9'))
			return false;
		letter = letter || upper;
	}
	return n == 4 && letter;
}

static void read_context(struct context *c, struct json_object *args, const char *user_text)
{
	static const char *const locations[] = { "from_location", "to_location", "location_query" };
	static const char *const countries[] = { "country", "country_code", "country1", "country2" };

	memset(c, 0, sizeof(*c));
	c->user_text = user_text ? user_text : "";
	c->filters = jsn_get(args, "filters");
	mention(c, ENTITY_ICAO, jsn_get(args, "icao_code"));
	mention(c, ENTITY_ICAO, jsn_get(args, "icao"));
	for (size_t i = 0; i < sizeof(locations) / sizeof(*locations); i++) {
		const char *s = jsn_get_str(args, locations[i], "");
		mention(c, ENTITY_LOCATION, jsn_get(args, locations[i]));
		if (looks_like_icao(s))
			mention(c, ENTITY_ICAO, jsn_get(args, locations[i]));
	}
	for (size_t i = 0; i < sizeof(countries) / sizeof(*countries); i++)
		mention(c, ENTITY_COUNTRY, jsn_get(args, countries[i]));
	struct json_object *many = jsn_get(args, "countries");
	for (size_t i = 0; jsn_is(many, json_type_array) && i < jsn_len(many); i++)
		mention(c, ENTITY_COUNTRY, jsn_at(many, i));
	mention(c, ENTITY_COUNTRY, jsn_get(c->filters, "country"));

	const char *near = jsn_get_str(args, "location_query", "");
	c->near = *near && strlen(near) <= VALUE_MAX ? near : "this location";
}

/* The loader has checked that a template holds no placeholder but these. */
static const char *expand(struct arena *a, const struct suggestion *s, const struct context *c)
{
	const char *mark = entity_placeholders[s->entity], *value = c->first[s->entity];
	struct buf b;

	if (s->filter) {
		mark = entity_placeholders[ENTITY_LOCATION];
		value = c->near;
	}
	if (!mark || !strstr(s->text, mark))
		return s->text;
	buf_init(&b, TEXT_MAX);
	for (const char *p = s->text; *p;) {
		const char *at = strstr(p, mark);
		buf_put(&b, p, at ? (size_t)(at - p) : strlen(p));
		if (!at)
			break;
		buf_puts(&b, value);
		p = at + strlen(mark);
	}
	char *text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static bool applies(const struct suggestion *s, const struct context *c)
{
	if (s->filter && jsn_truthy(jsn_get(c->filters, s->filter)))
		return false;
	if (s->entity != ENTITY_NONE && c->n[s->entity] == 0)
		return false;
	if (s->requires != ENTITY_NONE && c->n[s->requires] == 0)
		return false;
	if (s->only_one && c->n[s->entity] != 1)
		return false;
	return !s->unless_text || !strcasestr(c->user_text, s->unless_text);
}

/* Insert by priority, best first; an equal one goes behind. A text seen with a higher or equal
 * priority wins over a later repetition. */
static size_t insert(struct candidate *list, size_t n, const struct suggestion *s, const char *text)
{
	size_t at = n;

	if (n == CANDIDATES_MAX)
		return n;
	while (at > 0 && list[at - 1].s->priority < s->priority)
		at--;
	memmove(&list[at + 1], &list[at], (n - at) * sizeof(*list));
	list[at] = (struct candidate){ .s = s, .text = text };
	return n + 1;
}

static size_t drop_repeats(struct candidate *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;
		while (j < kept && strcmp(list[j].text, list[i].text))
			j++;
		if (j == kept)
			list[kept++] = list[i];
	}
	return kept;
}

static bool first_of_category(const struct candidate *list, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(list[j].s->category, list[i].s->category))
			return false;
	return true;
}

static void show(struct arena *a, struct json_object *out, struct candidate *c)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "text", c->text);
	jsn_add_str(o, "tool", c->s->tool);
	jsn_add_str(o, "category", c->s->category);
	jsn_add_int(o, "priority", c->s->priority);
	jsn_push(out, jsn_ref(o));
	c->taken = true;
}

struct json_object *predictor_suggest(const struct predictor *p, struct arena *a,
    const struct plan *plan, const char *user_text, int max)
{
	struct json_object *out = jsn_array(a);
	const struct templates *t = NULL;
	struct context *c = arena_alloc(a, sizeof(*c));
	size_t n = 0, limit = max > 0 ? (size_t)max : 0;

	for (size_t i = 0; plan->tool && i < p->ntools && !t; i++)
		if (!strcmp(p->tools[i].tool, plan->tool->name))
			t = &p->tools[i];
	if (!t)
		return out;

	struct candidate *list = arena_array(a, CANDIDATES_MAX, sizeof(*list));
	read_context(c, plan->arguments, user_text);
	for (size_t s = 0; s < SECTION__MAX; s++)
		for (size_t i = 0; i < t->sections[s].n; i++)
			if (applies(&t->sections[s].items[i], c))
				n = insert(list, n, &t->sections[s].items[i],
				    expand(a, &t->sections[s].items[i], c));
	n = drop_repeats(list, n);
	for (size_t i = 0; i < n && jsn_len(out) < limit; i++)
		if (first_of_category(list, i))
			show(a, out, &list[i]);
	for (size_t i = 0; i < n && jsn_len(out) < limit; i++)
		if (!list[i].taken)
			show(a, out, &list[i]);
	return out;
}
