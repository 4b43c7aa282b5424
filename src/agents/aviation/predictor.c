/*
 * Suggestions are made in three steps: find what the plan names and whether it was found (context),
 * choose the templates of its tool that apply (candidates), choose those that are shown (ranking).
 * Plans come from a model too, so a value of the wrong type counts as absent.
 */
#include "agents/aviation/predictor.h"

#include <string.h>

#include "agents/aviation/messages.h"
#include "agents/aviation/predictor_templates.h"
#include "agents/aviation/sayings.h"
#include "airports/countries.h"
#include "airports/icao_prefix.h"
#include "base/buf.h"
#include "base/str.h"

enum { VALUE_MAX = 80, CANDIDATES_MAX = 64, TEXT_MAX = 1024, QUESTION_MAX = 300 };

/* What the plan names: the first value and how many different ones, by kind. */
struct context {
	struct json_object *filters;
	const char *first[ENTITY__MAX];
	size_t n[ENTITY__MAX];
	const char *seen[ENTITY__MAX][8];
	const char *near;             /* location_query, for filter templates */
	const char *user_text;
	const struct wording *wording;
	const struct rulebase *rules;
	const struct country *named;          /* the first country that the plan names; NULL: none */
	const struct country *country;        /* whose rules questions are about; NULL: not known */
	bool unruled;                         /* the country that the plan names has no rules */
	bool lost;                            /* the place that the plan names was not found */
	bool empty;                           /* there are no airports that a filter could choose from */
};

struct candidate {
	const struct suggestion *s;
	const char *text;
	bool taken;
};

/* Suggestions in the making, best first. */
struct candidates {
	struct candidate *list;
	size_t n;
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

static const struct country *country_called(struct arena *a, const char *name)
{
	const struct country *c = country_by_code(name);

	return c != NULL ? c : country_by_name(str_fold(a, name));
}

/* A country by its code or name, if there are rules for it. */
static const struct country *with_rules(const struct rulebase *rules, struct arena *a,
    const char *name)
{
	const struct country *c = country_called(a, name);

	return c != NULL && rulebase_country(rules, c->code) != NULL ? c : NULL;
}

/* By its name, because "customs in BE" or "in IT" is hard to read. */
static void mention_country(struct context *c, struct arena *a, struct json_object *v)
{
	const struct country *known = jsn_is(v, json_type_string)
	    ? country_called(a, json_object_get_string(v)) : NULL;

	if (known == NULL)
		return;
	mention(c, ENTITY_COUNTRY, jsn_own(a, jsn_str(message_country(c->wording, known->code))));
	if (c->named == NULL)
		c->named = known;
}

/* The country whose rules will be wanted: at the end of a route, else at its beginning, else the
 * country that the plan names. */
static const struct country *rules_country(const struct context *c, struct arena *a,
    struct json_object *args)
{
	static const char *const ends[] = { "to_location", "from_location", "icao_code", "icao",
		"location_query" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *text = jsn_get_str(args, ends[i], "");
		const char *code = looks_like_icao(text) ? icao_prefix_country(text) : NULL;
		const struct country *country = code != NULL ? with_rules(c->rules, a, code) : NULL;
		if (country != NULL)
			return country;
	}
	return c->named != NULL ? with_rules(c->rules, a, c->named->code) : NULL;
}

/* "AVGAS near Xyzzy" is useless if Xyzzy was not found, and so is a filter if there are no
 * airports. */
static void read_result(struct context *c, const struct tool *tool, struct json_object *result)
{
	struct json_object *airports = jsn_get(result, "airports");

	if (tool->domain == TOOL_RULES || !jsn_is(result, json_type_object))
		return;
	c->lost = !jsn_get_bool(result, "found", true);
	c->empty = c->lost || (jsn_is(airports, json_type_array) && jsn_len(airports) == 0 &&
	    jsn_get_int(jsn_get(result, "filter_report"), "candidates", 0) == 0);
}

static void read_context(struct context *c, struct arena *a, const struct predicting *from)
{
	static const char *const locations[] = { "from_location", "to_location", "location_query" };
	static const char *const named[] = { "country", "country_code", "country1", "country2" };

	struct json_object *args = from->plan->arguments;

	memset(c, 0, sizeof(*c));
	c->user_text = from->user_text ? from->user_text : "";
	c->wording = from->wording != NULL ? from->wording : messages_in(NULL);
	c->filters = jsn_get(args, "filters");
	read_result(c, from->plan->tool, from->result);
	mention(c, ENTITY_ICAO, c->lost ? NULL : jsn_get(args, "icao_code"));
	mention(c, ENTITY_ICAO, c->lost ? NULL : jsn_get(args, "icao"));
	for (size_t i = 0; !c->lost && i < sizeof(locations) / sizeof(*locations); i++) {
		const char *s = jsn_get_str(args, locations[i], "");
		mention(c, ENTITY_LOCATION, jsn_get(args, locations[i]));
		if (looks_like_icao(s))
			mention(c, ENTITY_ICAO, jsn_get(args, locations[i]));
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		mention_country(c, a, jsn_get(args, named[i]));
	struct json_object *many = jsn_get(args, "countries");
	for (size_t i = 0; jsn_is(many, json_type_array) && i < jsn_len(many); i++)
		mention_country(c, a, jsn_at(many, i));
	mention_country(c, a, jsn_get(c->filters, "country"));

	const char *near = jsn_get_str(args, "location_query", "");
	c->near = *near && strlen(near) <= VALUE_MAX ? near : message_pattern(c->wording, SAY_suggest_there);
	c->rules = from->rules;
	if (c->rules == NULL)
		return;
	c->country = rules_country(c, a, args);
	c->unruled = c->named != NULL && with_rules(c->rules, a, c->named->code) == NULL;
}

/* The loader has checked that a template holds no placeholder but these. */
static const char *expand(struct arena *a, const struct suggestion *s, const struct context *c)
{
	const char *mark = entity_placeholders[s->entity], *value = c->first[s->entity];
	/* the shipped templates are there in every language; those of a site are as it wrote them */
	const char *template = message_term(c->wording, SAY_suggest_customs, SAY_suggest_compare, s->text);
	struct buf b;

	if (s->filter) {
		mark = entity_placeholders[ENTITY_LOCATION];
		value = c->near;
	}
	if (!mark || !strstr(template, mark))
		return template;
	buf_init(&b, TEXT_MAX);
	for (const char *p = template; *p;) {
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
	if (c->unruled && s->entity == ENTITY_COUNTRY && s->tool->domain == TOOL_RULES)
		return false;
	if (s->filter && (c->empty || jsn_truthy(jsn_get(c->filters, s->filter))))
		return false;
	if (s->entity != ENTITY_NONE && c->n[s->entity] == 0)
		return false;
	if (s->requires != ENTITY_NONE && c->n[s->requires] == 0)
		return false;
	if (s->only_one && c->n[s->entity] != 1)
		return false;
	return !s->unless_text || !strcasestr(c->user_text, s->unless_text);
}

/* Insert by priority, best first; an equal one goes after the others. If a text comes twice, the
 * one with the higher priority stays, and of equal ones the first. */
static void insert(struct candidates *c, const struct suggestion *s, const char *text)
{
	size_t at = c->n;

	if (c->n == CANDIDATES_MAX)
		return;
	while (at > 0 && c->list[at - 1].s->priority < s->priority)
		at--;
	memmove(&c->list[at + 1], &c->list[at], (c->n - at) * sizeof(*c->list));
	c->list[at] = (struct candidate){ .s = s, .text = text };
	c->n++;
}

/* The first questions of a category; if the country is known, those that it answers, with its
 * name. */
static void insert_questions(struct candidates *list, struct arena *a,
    const struct suggestion *s, const struct context *c)
{
	const char *said[QUESTIONS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < c->rules->nquestions && n < s->questions; i++) {
		const struct rule_question *q = &c->rules->questions[i];
		size_t k = 0;

		if (!streq(q->category, s->rules) || *q->text == '\0' || strlen(q->text) > QUESTION_MAX)
			continue;
		if (c->country != NULL && rule_answer(q, c->country->code) == NULL)
			continue;
		while (k < n && !streq(said[k], q->text))
			k++;
		if (k < n)
			continue;
		said[n++] = q->text;
		insert(list, s, c->country == NULL ? arena_strdup(a, q->text)
		    : arena_printf(a, "%s (%s)", q->text, message_country(c->wording, c->country->code)));
	}
}

/* Questions from the rule base. They replace the fallback queries, which name the place that was
 * looked up. */
static bool in_place(enum section section, const struct context *c)
{
	bool any = c->rules != NULL && c->rules->ncategories > 0;

	return section == SECTION_RULES ? any : section != SECTION_FALLBACK || !(any || c->lost);
}

static void collect(struct candidates *list, struct arena *a, const struct templates *t,
    const struct context *c, const struct tool_context *ctx)
{
	for (int section = 0; section < SECTION__MAX; section++)
		for (size_t i = 0; i < t->sections[section].n; i++) {
			const struct suggestion *s = &t->sections[section].items[i];

			if (!in_place((enum section)section, c) ||
			    !tool_offered(ctx, s->tool) || !applies(s, c))
				continue;
			if (section == SECTION_RULES)
				insert_questions(list, a, s, c);
			else
				insert(list, s, expand(a, s, c));
		}
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
	jsn_add_str(o, "tool", c->s->tool->name);
	jsn_add_str(o, "category", c->s->category);
	jsn_add_int(o, "priority", c->s->priority);
	jsn_push(out, jsn_ref(o));
	c->taken = true;
}

/* The templates for this tool, else for a tool with the same kind of result. NULL: there are
 * none. */
static const struct templates *templates_of(const struct predictor *p, const struct tool *tool)
{
	const struct templates *like = NULL;

	for (size_t i = 0; i < p->ntools; i++) {
		if (streq(p->tools[i].tool, tool->name))
			return &p->tools[i];
		if (like == NULL && tool->result != RESULT_OTHER && p->tools[i].after == tool->result)
			like = &p->tools[i];
	}
	return like;
}

struct json_object *predictor_suggest(const struct predictor *p, struct arena *a,
    const struct predicting *from, int max)
{
	struct json_object *out = jsn_array(a);
	const struct plan *plan = from->plan;
	const struct templates *t = plan->tool != NULL ? templates_of(p, plan->tool) : NULL;
	struct context *c = arena_alloc(a, sizeof(*c));
	struct candidates list = { .n = 0 };
	size_t limit = max > 0 ? (size_t)max : 0;

	if (t == NULL)
		return out;

	list.list = arena_array(a, CANDIDATES_MAX, sizeof(*list.list));
	read_context(c, a, from);
	collect(&list, a, t, c, from->tools);
	list.n = drop_repeats(list.list, list.n);
	for (size_t i = 0; i < list.n && jsn_len(out) < limit; i++)
		if (first_of_category(list.list, i))
			show(a, out, &list.list[i]);
	for (size_t i = 0; i < list.n && jsn_len(out) < limit; i++)
		if (!list.list[i].taken)
			show(a, out, &list.list[i]);
	return out;
}
