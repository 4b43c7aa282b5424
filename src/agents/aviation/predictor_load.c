/*
 * Loading the templates: every row is checked when the program starts, so that nothing can go
 * wrong in a turn. A mistake is reported with the file and the path of the key.
 */
#include "agents/aviation/predictor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/predictor_templates.h"
#include "airports/filter.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"

enum { FILE_MAX = 1 << 20, ITEMS_MAX = 32, TEXT_MAX = 300 };

const char *const entity_names[ENTITY__MAX] = {
	[ENTITY_ICAO]     = "icao_codes",
	[ENTITY_COUNTRY]  = "countries",
	[ENTITY_LOCATION] = "locations",
};
const char *const entity_placeholders[ENTITY__MAX] = {
	[ENTITY_ICAO]     = "{icao}",
	[ENTITY_COUNTRY]  = "{country}",
	[ENTITY_LOCATION] = "{location}",
};

static const char *const section_names[SECTION__MAX] = {
	[SECTION_FIXED]    = "fixed",
	[SECTION_FILTERS]  = "filters",
	[SECTION_ENTITIES] = "entities",
	[SECTION_RULES]    = "rule_categories",
	[SECTION_FALLBACK] = "fallback_queries",
};

/* Members that an item of a section may have; the loader warns about any other. */
static const char *const members[SECTION__MAX][10] = {
	[SECTION_FIXED] = { "entity_type", "query_template", "tool_name", "category", "priority",
	    "requires", "only_one", "unless_text" },
	[SECTION_FILTERS] = { "filter", "query_template", "tool_name", "category", "priority" },
	[SECTION_ENTITIES] = { "entity_type", "query_template", "tool_name", "category",
	    "priority", "requires", "only_one", "unless_text" },
	[SECTION_RULES] = { "name", "priority", "max_questions" },
};

struct loader {
	struct predictor *p;
	struct toolset tools;         /* all tools that exist */
	const char *path, *tool;
	const char *to;               /* the tool that the item names */
	enum section section;
	size_t index;                 /* item of the section */
	struct buf absent;            /* tools that are named but do not exist */
	size_t left_out;
	struct err *e;
};

/* "<path>: templates.<tool>.<section>[<i>].<key> <why>" */
__attribute__((format(printf, 3, 4)))
static enum errcode wrong(struct loader *l, const char *key, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err_set(l->e, ERR_CONFIG, "%s: templates.%s.%s[%zu]%s%s %s", l->path, l->tool,
	    section_names[l->section], l->index, key ? "." : "", key ? key : "", why);
}

static enum errcode need_text(struct loader *l, struct json_object *o, const char *key,
    const char **out)
{
	struct json_object *v = jsn_get(o, key);

	if (!jsn_has(o, key))
		return wrong(l, key, "is missing");
	if (!jsn_is(v, json_type_string) || !*json_object_get_string(v))
		return wrong(l, key, "must be text that is not empty");
	if (strlen(json_object_get_string(v)) > TEXT_MAX)
		return wrong(l, key, "is longer than %d bytes", TEXT_MAX);
	*out = arena_strdup(l->p->mem, json_object_get_string(v));
	return OK;
}

static enum errcode need_int(struct loader *l, struct json_object *o, const char *key, int min,
    int max, int *out)
{
	struct json_object *v = jsn_get(o, key);
	double d = jsn_get_num(o, key, NAN);

	if (!jsn_has(o, key))
		return wrong(l, key, "is missing");
	if (!v || !(d >= min && d <= max) || d != floor(d))
		return wrong(l, key, "must be an integer from %d to %d", min, max);
	*out = (int)d;
	return OK;
}

static enum errcode need_entity(struct loader *l, struct json_object *o, const char *key,
    enum entity *out)
{
	const char *name;
	enum errcode rc = need_text(l, o, key, &name);

	if (rc != OK)
		return rc;
	for (int i = ENTITY_NONE + 1; i < ENTITY__MAX; i++)
		if (!strcmp(name, entity_names[i])) {
			*out = (enum entity)i;
			return OK;
		}
	return wrong(l, key, "must be icao_codes, countries or locations");
}

/* Only `allowed` (NULL: none) may be inside braces. */
static enum errcode check_placeholders(struct loader *l, const char *text, const char *allowed)
{
	for (const char *p = text; (p = strpbrk(p, "{}"));) {
		if (!allowed || strncmp(p, allowed, strlen(allowed)) != 0)
			return wrong(l, "query_template", "has an unknown placeholder at \"%.20s\"; "
			    "allowed here: %s", p, allowed ? allowed : "none");
		p += strlen(allowed);
	}
	return OK;
}

static void warn_unknown(struct loader *l, struct json_object *o)
{
	JSN_EACH(o, it) {
		const char *const *m = members[l->section];
		while (*m && strcmp(*m, it.key) != 0)
			m++;
		if (!*m)
			log_msg(LOG_WARN, "suggestions", "path=%s unknown key templates.%s.%s[%zu].%s",
			    l->path, l->tool, section_names[l->section], l->index, it.key);
	}
}

/* What filters, entities and fixed items share. */
static enum errcode read_common(struct loader *l, struct json_object *o, struct suggestion *s)
{
	enum errcode rc = need_text(l, o, "query_template", &s->text);

	if (rc == OK)
		rc = need_text(l, o, "tool_name", &l->to);
	if (rc == OK)
		rc = need_text(l, o, "category", &s->category);
	if (rc == OK)
		rc = need_int(l, o, "priority", -1000, 1000, &s->priority);
	return rc;
}

static enum errcode read_filter(struct loader *l, struct json_object *o, struct suggestion *s)
{
	enum errcode rc = need_text(l, o, "filter", &s->filter);

	if (rc == OK && !filter_find(s->filter))
		return wrong(l, "filter", "\"%s\" is not a filter", s->filter);
	if (rc == OK)
		rc = read_common(l, o, s);
	if (rc == OK)
		rc = check_placeholders(l, s->text, entity_placeholders[ENTITY_LOCATION]);
	return rc;
}

static enum errcode read_entity(struct loader *l, struct json_object *o, struct suggestion *s)
{
	enum errcode rc = need_entity(l, o, "entity_type", &s->entity);

	if (rc == OK)
		rc = read_common(l, o, s);
	if (rc == OK)
		rc = check_placeholders(l, s->text, entity_placeholders[s->entity]);
	if (rc == OK && jsn_get(o, "requires"))
		rc = need_entity(l, o, "requires", &s->requires);
	if (rc == OK && jsn_get(o, "unless_text"))
		rc = need_text(l, o, "unless_text", &s->unless_text);
	if (rc == OK && jsn_get(o, "only_one")) {
		if (!jsn_is(jsn_get(o, "only_one"), json_type_boolean))
			return wrong(l, "only_one", "must be true or false");
		s->only_one = jsn_get_bool(o, "only_one", false);
	}
	return rc;
}

/* Its questions are looked up when they are suggested, because the rule base may change. */
static enum errcode read_rule_category(struct loader *l, struct json_object *o,
    struct suggestion *s)
{
	int n = 1;
	enum errcode rc = need_text(l, o, "name", &s->rules);

	if (rc == OK)
		rc = need_int(l, o, "priority", -1000, 1000, &s->priority);
	if (rc == OK && jsn_get(o, "max_questions"))
		rc = need_int(l, o, "max_questions", 0, QUESTIONS_MAX, &n);
	s->questions = (size_t)n;
	s->tool = toolset_giving(l->tools, RULES_RESULT);
	s->category = RULES_CATEGORY;
	return rc;
}

static enum errcode read_fallback(struct loader *l, struct json_object *v, struct suggestion *s)
{
	if (!jsn_is(v, json_type_string) || !*json_object_get_string(v) ||
	    strlen(json_object_get_string(v)) > TEXT_MAX)
		return wrong(l, NULL, "must be text of 1 to %d bytes", TEXT_MAX);
	*s = (struct suggestion){ .text = arena_strdup(l->p->mem, json_object_get_string(v)),
		.tool = toolset_giving(l->tools, RULES_RESULT), .category = RULES_CATEGORY, .priority = 4 };
	return OK;
}

/* Keep an item whose target tool exists. */
static void keep(struct templates *t, enum section section, const struct suggestion *s)
{
	if (s->tool != NULL)
		t->sections[section].items[t->sections[section].n++] = *s;
}

static void find_target(struct loader *l, struct suggestion *s)
{
	s->tool = toolset_find(l->tools, l->to);
	if (s->tool != NULL)
		return;
	l->left_out++;
	if (!strstr(l->absent.p, l->to))
		buf_printf(&l->absent, "%s%s", l->absent.n ? "," : "", l->to);
}

static enum errcode read_item(struct loader *l, struct json_object *v, struct templates *t)
{
	struct suggestion s = { .text = NULL };
	enum errcode rc = OK;

	l->to = NULL;
	if (l->section != SECTION_FALLBACK) {
		if (!jsn_is(v, json_type_object))
			return wrong(l, NULL, "must be an object");
		warn_unknown(l, v);
	}
	switch (l->section) {
	case SECTION_FILTERS:
		rc = read_filter(l, v, &s);
		break;
	case SECTION_FIXED:
	case SECTION_ENTITIES:
		rc = read_entity(l, v, &s);
		break;
	case SECTION_RULES:
		rc = read_rule_category(l, v, &s);
		break;
	case SECTION_FALLBACK:
		rc = read_fallback(l, v, &s);
		break;
	case SECTION__MAX:
		break;
	}
	if (rc == OK && l->to != NULL)
		find_target(l, &s);
	if (rc == OK)
		keep(t, l->section, &s);
	return rc;
}

static void add_builtin(struct loader *l, struct templates *t, enum section section)
{
	for (size_t i = 0; i < npredictor_builtin; i++) {
		const struct builtin_suggestion *b = &predictor_builtin[i];
		struct suggestion s = b->s;
		s.tool = toolset_giving(l->tools, b->to);
		if (b->section == section && b->after == t->after && t->sections[section].n < ITEMS_MAX)
			keep(t, section, &s);
	}
}

static enum errcode read_tool(struct loader *l, struct json_object *file, struct templates *t)
{
	enum errcode rc = OK;

	l->tool = t->tool;
	for (int s = 0; s < SECTION__MAX && rc == OK; s++) {
		struct json_object *list = jsn_get(file, section_names[s]);

		l->section = (enum section)s;
		t->sections[s].items = arena_array(l->p->mem, ITEMS_MAX, sizeof(struct suggestion));
		if (!list) {
			add_builtin(l, t, l->section);
			continue;
		}
		if (!jsn_is(list, json_type_array) || jsn_len(list) > ITEMS_MAX)
			return err_set(l->e, ERR_CONFIG,
			    "%s: templates.%s.%s must be a list of at most %d items", l->path,
			    l->tool, section_names[s], ITEMS_MAX);
		for (l->index = 0; l->index < jsn_len(list) && rc == OK; l->index++)
			rc = read_item(l, jsn_at(list, l->index), t);
	}
	JSN_EACH(file, it) {
		int s = 0;
		while (s < SECTION__MAX && strcmp(section_names[s], it.key) != 0)
			s++;
		if (s == SECTION__MAX)
			log_msg(LOG_WARN, "suggestions", "path=%s unknown key templates.%s.%s",
			    l->path, l->tool, it.key);
	}
	return rc;
}

static void add_slot(struct loader *l, const char *name)
{
	const struct tool *tool = toolset_find(l->tools, name);
	struct predictor *p = l->p;

	for (size_t i = 0; i < p->ntools; i++)
		if (streq(p->tools[i].tool, name))
			return;
	p->tools[p->ntools++] = (struct templates){ .tool = arena_strdup(p->mem, name),
		.after = tool != NULL ? tool->result : RESULT_OTHER };
}

static enum errcode read_all(struct loader *l, struct json_object *templates)
{
	struct predictor *p = l->p;
	const struct tool *tool;
	enum errcode rc = OK;

	p->tools = arena_array(p->mem, npredictor_builtin + jsn_len(templates), sizeof(*p->tools));
	for (size_t i = 0; i < npredictor_builtin; i++)
		if ((tool = toolset_giving(l->tools, predictor_builtin[i].after)) != NULL)
			add_slot(l, tool->name);
	JSN_EACH(templates, it) {
		if (!jsn_is(it.val, json_type_object))
			return err_set(l->e, ERR_CONFIG, "%s: templates.%s must be an object",
			    l->path, it.key);
		add_slot(l, it.key);
	}
	for (size_t i = 0; i < p->ntools && rc == OK; i++)
		rc = read_tool(l, jsn_get(templates, p->tools[i].tool), &p->tools[i]);
	return rc;
}

enum errcode predictor_load(struct predictor **out, struct toolset tools, const char *path,
    struct err *e)
{
	struct arena *scratch = arena_new();
	struct predictor *p = calloc(1, sizeof(*p));
	struct loader l = { .p = p, .tools = tools, .path = path ? path : "built-in templates", .e = e };
	struct json_object *root = NULL, *templates = NULL;
	enum errcode rc = OK;

	*out = NULL;
	buf_init(&l.absent, 1024);
	if (!p) {
		rc = err_set(e, ERR_INTERNAL, "predictor: out of memory");
		goto out;
	}
	p->mem = arena_new();
	if (path) {
		rc = jsn_load(scratch, path, FILE_MAX, &root, e);
		if (rc != OK)
			goto out;
		templates = jsn_get(root, "templates");
		if (!jsn_is(templates, json_type_object)) {
			rc = err_set(e, ERR_CONFIG, "%s: \"templates\" must be an object of tools", path);
			goto out;
		}
	}
	rc = read_all(&l, templates);
	if (rc == OK && l.left_out)
		log_msg(LOG_INFO, "suggestions", "path=%s left_out=%zu absent_tools=%s", l.path,
		    l.left_out, l.absent.p);
out:
	buf_release(&l.absent);
	arena_free(scratch);
	if (rc == OK)
		*out = p;
	else
		predictor_free(p);
	return rc;
}

void predictor_free(struct predictor *p)
{
	if (!p)
		return;
	arena_free(p->mem);
	free(p);
}
