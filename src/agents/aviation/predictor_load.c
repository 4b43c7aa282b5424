/*
 * Loading the templates: every row is checked when the program starts, so that nothing can go
 * wrong in a turn. A mistake is reported with the file and the path of the key.
 */
#include "agents/aviation/predictor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/predictor_templates.h"
#include "airports/filter.h"
#include "base/buf.h"
#include "base/fields.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"

enum { FILE_MAX = 1 << 20, ITEMS_MAX = 32, TEXT_MAX = 300 };

const char *const entity_names[ENTITY__MAX + 1] = {
	[ENTITY_ICAO]     = "icao_codes",
	[ENTITY_COUNTRY]  = "countries",
	[ENTITY_LOCATION] = "locations",
};
const char *const entity_placeholders[ENTITY__MAX] = {
	[ENTITY_ICAO]     = "{icao}",
	[ENTITY_COUNTRY]  = "{country}",
	[ENTITY_LOCATION] = "{location}",
};

#define NEED (FIELD_REQUIRED | FIELD_FILLED)
#define ROW_TARGET									\
	{ "query_template", FIELD_TEXT, NEED, .max = TEXT_MAX },			\
	{ "tool_name", FIELD_TEXT, NEED, .max = TEXT_MAX },				\
	{ "category", FIELD_TEXT, NEED, .max = TEXT_MAX },				\
	ROW_PRIORITY
#define ROW_PRIORITY { "priority", FIELD_INTEGER, FIELD_REQUIRED, .min = -1000, .max = 1000 }

static const struct field filter_rows[] = {
	{ "filter", FIELD_TEXT, NEED, .max = TEXT_MAX },
	ROW_TARGET,
};
static const struct field entity_rows[] = {
	{ "entity_type", FIELD_TEXT, NEED, .choices = entity_names + 1 },
	ROW_TARGET,
	{ "requires", FIELD_TEXT, FIELD_NULLABLE, .choices = entity_names + 1 },
	{ "unless_text", FIELD_TEXT, FIELD_NULLABLE | FIELD_FILLED, .max = TEXT_MAX },
	{ "only_one", FIELD_BOOLEAN, FIELD_NULLABLE, .max = 0 },
};
static const struct field rule_rows[] = {
	{ "name", FIELD_TEXT, NEED, .max = TEXT_MAX },
	ROW_PRIORITY,
	{ "max_questions", FIELD_INTEGER, FIELD_NULLABLE, .min = 0, .max = QUESTIONS_MAX },
};
#define OBJECT_OF(rows) { NULL, FIELD_OBJECT, 0, .of = rows, .nof = sizeof(rows) / sizeof(rows[0]) }

/* The sections of a tool, and what an item of each must be. */
static const struct {
	const char *name;
	struct field item;
} sections[SECTION__MAX] = {
	[SECTION_FIXED]    = { "fixed", OBJECT_OF(entity_rows) },
	[SECTION_FILTERS]  = { "filters", OBJECT_OF(filter_rows) },
	[SECTION_ENTITIES] = { "entities", OBJECT_OF(entity_rows) },
	[SECTION_RULES]    = { "rule_categories", OBJECT_OF(rule_rows) },
	[SECTION_FALLBACK] = { "fallback_queries", { NULL, FIELD_TEXT, FIELD_FILLED, .max = TEXT_MAX } },
};

struct loader {
	struct predictor *p;
	struct toolset tools;         /* all tools that exist */
	const char *path, *tool;
	enum section section;
	size_t index;                 /* item of the section */
	struct buf absent;            /* tools that are named but do not exist */
	size_t left_out;
	enum errcode rc;              /* of the first fault of an item */
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
	return l->rc = err_set(l->e, ERR_CONFIG, "%s: templates.%s.%s[%zu]%s%s %s", l->path, l->tool,
	    sections[l->section].name, l->index, key ? "." : "", key ? key : "", why);
}

static void told(void *arg, enum field_fault fault, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	struct loader *l = arg;
	(void)at;
	(void)v;

	if (l->rc != OK)
		return;
	if (fault == FAULT_MISSING)
		wrong(l, row->name, "is missing");
	else if (row->choices != NULL)
		wrong(l, row->name, "must be icao_codes, countries or locations");
	else if (row->type == FIELD_INTEGER)
		wrong(l, row->name, "must be an integer from %g to %g", row->min, row->max);
	else if (row->type == FIELD_BOOLEAN)
		wrong(l, row->name, "must be true or false");
	else if (row->type == FIELD_OBJECT)
		wrong(l, row->name, "must be an object");
	else
		wrong(l, row->name, "must be text of 1 to %g bytes that is not blank", row->max);
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

/* May an item of this section have such a member? */
static bool has_row(const struct loader *l, const char *key)
{
	const struct field *item = &sections[l->section].item;

	for (size_t i = 0; i < item->nof; i++)
		if (streq(item->of[i].name, key))
			return true;
	return false;
}

static void warn_unknown(struct loader *l, struct json_object *o)
{
	JSN_EACH(o, it)
		if (!has_row(l, it.key))
			log_msg(LOG_WARN, "suggestions", "path=%s unknown key templates.%s.%s[%zu].%s",
			    l->path, l->tool, sections[l->section].name, l->index, it.key);
}

static const char *text_of(const struct loader *l, struct json_object *o, const char *key)
{
	return has_row(l, key) ? arena_strdup(l->p->mem, jsn_get_str(o, key, NULL)) : NULL;
}

static enum entity entity_of(const struct loader *l, struct json_object *o, const char *key)
{
	const char *name = text_of(l, o, key);
	int i = ENTITY__MAX - 1;

	while (i > ENTITY_NONE && !streq(entity_names[i], name))
		i--;
	return (enum entity)i;
}

/* Keep an item whose target tool exists. */
static void keep(struct templates *t, enum section section, const struct suggestion *s)
{
	if (s->tool != NULL)
		t->sections[section].items[t->sections[section].n++] = *s;
}

static const struct tool *target_of(struct loader *l, const char *name)
{
	const struct tool *tool = toolset_find(l->tools, name);

	if (tool == NULL) {
		l->left_out++;
		if (!strstr(l->absent.p, name))
			buf_printf(&l->absent, "%s%s", l->absent.n ? "," : "", name);
	}
	return tool;
}

/* The questions of a rule category are looked up when they are suggested, because the rule base may
 * change. */
static enum errcode read_item(struct loader *l, struct json_object *v, struct templates *t)
{
	field_check(&sections[l->section].item, v, NULL, told, l);
	if (l->rc != OK)
		return l->rc;
	warn_unknown(l, v);
	struct suggestion s = {
		.text = l->section == SECTION_FALLBACK
		    ? arena_strdup(l->p->mem, json_object_get_string(v)) : text_of(l, v, "query_template"),
		.category = text_of(l, v, "category"),
		.priority = (int)jsn_get_num(v, "priority", 4),
		.filter = text_of(l, v, "filter"),
		.entity = entity_of(l, v, "entity_type"),
		.requires = entity_of(l, v, "requires"),
		.only_one = has_row(l, "only_one") && jsn_get_bool(v, "only_one", false),
		.unless_text = text_of(l, v, "unless_text"),
		.rules = text_of(l, v, "name"),
		.questions = (size_t)jsn_get_num(v, "max_questions", 1),
	};
	const char *to = text_of(l, v, "tool_name");
	if (s.filter != NULL && filter_find(s.filter) == NULL)
		return wrong(l, "filter", "\"%s\" is not a filter", s.filter);
	if (to == NULL) {
		s.tool = toolset_giving(l->tools, RULES_RESULT);
		s.category = RULES_CATEGORY;
	} else {
		const enum entity in_text = s.filter != NULL ? ENTITY_LOCATION : s.entity;

		if (check_placeholders(l, s.text, entity_placeholders[in_text]) != OK)
			return l->rc;
		s.tool = target_of(l, to);
	}
	keep(t, l->section, &s);
	return OK;
}

/* The sections of this file that no earlier file had. */
static enum errcode read_tool(struct loader *l, struct json_object *file, struct templates *t)
{
	enum errcode rc = OK;

	l->tool = t->tool;
	for (int s = 0; s < SECTION__MAX && rc == OK; s++) {
		struct json_object *list = jsn_get(file, sections[s].name);

		l->section = (enum section)s;
		if (list == NULL || t->sections[s].items != NULL)
			continue;
		if (!jsn_is(list, json_type_array) || jsn_len(list) > ITEMS_MAX)
			return err_set(l->e, ERR_CONFIG,
			    "%s: templates.%s.%s must be a list of at most %d items", l->path,
			    l->tool, sections[s].name, ITEMS_MAX);
		t->sections[s].items = arena_array(l->p->mem, jsn_len(list), sizeof(struct suggestion));
		for (l->index = 0; l->index < jsn_len(list) && rc == OK; l->index++)
			rc = read_item(l, jsn_at(list, l->index), t);
	}
	JSN_EACH(file, it) {
		int s = 0;
		while (s < SECTION__MAX && !streq(sections[s].name, it.key))
			s++;
		if (s == SECTION__MAX)
			log_msg(LOG_WARN, "suggestions", "path=%s unknown key templates.%s.%s",
			    l->path, l->tool, it.key);
	}
	return rc;
}

/* What is known of a tool; a new one is added. */
static struct templates *slot(struct loader *l, const char *name)
{
	const struct tool *tool = toolset_find(l->tools, name);
	struct predictor *p = l->p;
	size_t i = 0;

	while (i < p->ntools && !streq(p->tools[i].tool, name))
		i++;
	if (i == p->ntools)
		p->tools[p->ntools++] = (struct templates){ .tool = arena_strdup(p->mem, name),
			.after = tool != NULL ? tool->result : RESULT_OTHER };
	return &p->tools[i];
}

static enum errcode read_templates(struct loader *l, struct arena *scratch, const char *path,
    struct json_object **out)
{
	struct json_object *root;
	enum errcode rc = jsn_load(scratch, path, FILE_MAX, &root, l->e);

	if (rc != OK)
		return rc;
	*out = jsn_get(root, "templates");
	if (!jsn_is(*out, json_type_object))
		return err_set(l->e, ERR_CONFIG, "%s: \"templates\" must be an object of tools", path);
	return OK;
}

static enum errcode take_templates(struct loader *l, const char *path, struct json_object *templates)
{
	enum errcode rc = OK;

	l->path = path;
	JSN_EACH(templates, it) {
		if (!jsn_is(it.val, json_type_object))
			return err_set(l->e, ERR_CONFIG, "%s: templates.%s must be an object", path, it.key);
		if ((rc = read_tool(l, it.val, slot(l, it.key))) != OK)
			return rc;
	}
	if (l->left_out)
		log_msg(LOG_INFO, "suggestions", "path=%s left_out=%zu absent_tools=%s", path,
		    l->left_out, l->absent.p);
	l->left_out = 0;
	buf_clear(&l->absent);
	return OK;
}

enum errcode predictor_load(struct predictor **out, struct toolset tools, const char *shipped,
    const char *path, struct err *e)
{
	struct arena *scratch = arena_new();
	struct predictor *p = heap_new(sizeof(*p));
	struct loader l = { .p = p, .tools = tools, .e = e };
	struct json_object *ours = NULL, *own = NULL;

	*out = NULL;
	buf_init(&l.absent, 1024);
	p->mem = arena_new();
	enum errcode rc = read_templates(&l, scratch, shipped, &ours);
	if (rc == OK && path != NULL)
		rc = read_templates(&l, scratch, path, &own);
	p->tools = arena_array(p->mem, jsn_len(ours) + jsn_len(own), sizeof(*p->tools));
	if (rc == OK)
		rc = take_templates(&l, path, own);
	if (rc == OK)
		rc = take_templates(&l, shipped, ours);
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
