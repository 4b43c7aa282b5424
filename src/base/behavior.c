/*
 * A table of dotted keys over one JSON file, the whole schema: what a row does not name is
 * unknown. A section stands before its keys, so that by the time a key is read its
 * section is known to be an object.
 *
 * Without any file the same reader reads a text of its own. Defaults are texts too: numbers and
 * booleans may be written as text in a file as well, so there is one way to read them.
 */
#include "base/behavior.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/behavior_files.h"
#include "base/behavior_rows.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum { FILE_MAX_BYTES = 1 << 20, KEY_MAX_BYTES = 160 };

/* What holds when there is no file at all. */
static const char builtin[] =
	"{\"llms\": {\"planner\": {}, \"formatter\": {\"streaming\": true},"
	"  \"router\": {\"model\": \"gpt-4o-mini\"}},"
	" \"routing\": {}, \"query_reformulation\": {}, \"rag\": {}, \"reranking\": {},"
	" \"next_query_prediction\": {},"
	" \"prompts\": {\"planner\": \"prompts/planner.md\","
	"  \"formatter\": \"prompts/formatter.md\"},"
	" \"examples\": {\"planner\": \"prompts/planner_examples.json\"}}";

/* -- messages -- */

/* What a value must be: "a whole number from 1 to 20, or null". */
static void describe(struct buf *out, const struct behavior_row *r)
{
	static const char *const words[] = {
		[B_SECTION] = "an object", [B_BOOL] = "true or false", [B_INT] = "a whole number",
		[B_NUMBER] = "a number", [B_TEXT] = "a text", [B_CHOICE] = "one of ",
		[B_FILE_NEEDED] = "a path", [B_FILE_OURS] = "a path", [B_FILE_EXTRA] = "a path",
		[B_FILE_TEMPLATES] = "a path", [B_TOOLS] = "an object",
		[B_TOOL] = "a path, true, false", [B_RETIRED] = "anything",
	};
	buf_puts(out, words[r->kind]);
	if (r->kind == B_INT || r->kind == B_NUMBER)
		buf_printf(out, " from %.0f to %.0f", r->min, r->max);
	for (const char *p = r->choices; p != NULL && *p != '\0'; p++)
		buf_puts(out, *p == '|' ? ", " : (char[]){ *p, '\0' });
	if (r->flags & B_NULLABLE)
		buf_puts(out, r->kind == B_CHOICE ? ", null" : " or null");
}

/* One file being read. */
struct load {
	struct behavior *b;
	const struct conf *c;
	struct arena *a;
	const char *file;         /* for messages */
};

static enum errcode wrong(const struct load *l, const struct behavior_row *r,
    struct json_object *v, struct err *e)
{
	struct buf must;
	buf_init(&must, 256);
	describe(&must, r);
	const char *got = jsn_text(l->a, v, JSN_SPACED);
	size_t n = strlen(got), shown = utf8_cut(got, n, 40);
	err_set(e, ERR_CONFIG, "%s: %s must be %s, not %.*s%s", l->file, r->key, must.p, (int)shown,
	    got, shown < n ? "…" : "");
	buf_release(&must);
	return ERR_CONFIG;
}

/* -- one value -- */

enum found { NO_SECTION, ABSENT, NUL, HERE };

static enum found look(struct json_object *o, const char *key, struct json_object **out)
{
	char part[KEY_MAX_BYTES];
	const char *dot;
	*out = NULL;
	for (; (dot = strchr(key, '.')) != NULL; key = dot + 1) {
		snprintf(part, sizeof(part), "%.*s", (int)(dot - key), key);
		if ((o = jsn_get(o, part)) == NULL)
			return NO_SECTION;
	}
	*out = jsn_get(o, key);
	return *out != NULL ? HERE : jsn_has(o, key) ? NUL : ABSENT;
}

/* The text of a value, without a NUL inside; NULL: it is none. */
static const char *text_of(struct json_object *v)
{
	if (!jsn_is(v, json_type_string))
		return NULL;
	const char *s = json_object_get_string(v);
	return strlen(s) == (size_t)json_object_get_string_len(v) ? s : NULL;
}

static bool to_number(struct json_object *v, const char *text, double *out)
{
	if (text != NULL)
		return str_to_double(text, out);
	if (!jsn_is(v, json_type_int) && !jsn_is(v, json_type_double))
		return false;
	*out = jsn_is(v, json_type_int) ? (double)json_object_get_int64(v) :
	    json_object_get_double(v);
	return true;
}

static bool to_bool(struct json_object *v, const char *text, bool *out)
{
	double n;
	if (text != NULL)
		return conf_bool(text, out);
	if (jsn_is(v, json_type_boolean))
		*out = json_object_get_boolean(v);
	else if (to_number(v, NULL, &n) && (n == 0 || n == 1))
		*out = n == 1;
	else
		return false;
	return true;
}

static void warn_file(const struct load *l, const char *key, const char *why,
    const char *instead)
{
	if (l->b->file != NULL)
		log_msg(LOG_WARN, "config_file", "file=%s key=%.80s why=\"%s\" using=%s", l->file,
		    key, why, instead);
}

/* The file of a row; `named`: the path is the config's, not a default. NULL: none is named. */
static enum errcode find_file(const struct load *l, const struct behavior_row *r,
    const char *path, bool named, const char **out, struct err *e)
{
	bool provider = l->c->openai_key != NULL || l->c->openai_url != NULL;
	enum behavior_files kind =
	    r->kind == B_FILE_TEMPLATES ? BEHAVIOR_TEMPLATES : BEHAVIOR_TEXTS;
	const char *why = "no file is named", *file = l->b->file;
	if (r->kind == B_FILE_OURS && !named)
		path = NULL;
	*out = path == NULL ? NULL : behavior_find_file(l->c, l->a, file, kind, path, &why);
	if (*out != NULL)
		return OK;
	switch (r->kind) {
	case B_FILE_NEEDED:
		/* the built-in planner and writer do without, so that a lone binary works */
		if (file != NULL || provider)
			return err_set(e, ERR_CONFIG, "%s: %s: %s", l->file, r->key, why);
		break;
	case B_FILE_TEMPLATES:
		if (named)
			return err_set(e, ERR_CONFIG, "%s: %s: %s", l->file, r->key, why);
		break;
	case B_FILE_OURS:
		warn_file(l, r->key, why, r->def);
		*out = behavior_find_file(l->c, l->a, file, kind, r->def, &why);
		break;
	case B_FILE_EXTRA:
		warn_file(l, r->key, why, "none");
		break;
	case B_SECTION: case B_BOOL: case B_INT: case B_NUMBER: case B_TEXT: case B_CHOICE:
	case B_TOOLS: case B_TOOL: case B_RETIRED:
		break;
	}
	return OK;
}

static enum errcode read_text(const struct load *l, const struct behavior_row *r,
    enum found found, struct json_object *v, const char *text, char *at, struct err *e)
{
	if (found == HERE && text == NULL)
		return wrong(l, r, v, e);
	if (text != NULL && *text == '\0') {     /* an empty text is none */
		if (!(r->flags & B_NULLABLE))
			return wrong(l, r, v, e);
		text = NULL;
	}
	if (r->kind == B_CHOICE && !one_of(text, r->choices))
		return wrong(l, r, v, e);
	if (r->kind != B_TEXT && r->kind != B_CHOICE) {
		enum errcode rc = find_file(l, r, text, found == HERE && text != NULL, &text, e);
		if (rc != OK)
			return rc;
	}
	const char *copy = arena_strdup(l->a, text);
	memcpy(at, &copy, sizeof(copy));
	return OK;
}

/* A path is a text for the planner and an offer of the tool; one that leads to no text says nothing,
 * so that a file of the original with a tool it has no longer means what it meant there. */
static const char *tool_file(const struct load *l, const char *key, const char *path)
{
	const char *why, *full;
	full = behavior_find_file(l->c, l->a, l->b->file, BEHAVIOR_TEXTS, path, &why);
	if (full != NULL && behavior_file_blank(full)) {
		why = arena_printf(l->a, "%s is empty", full);
		full = NULL;
	}
	if (full == NULL)
		warn_file(l, key, why, "its default");
	return full;
}

static enum errcode read_tools(const struct load *l, const struct behavior_row *r,
    struct json_object *o, struct err *e)
{
	struct behavior *b = l->b;
	b->tools = arena_array(l->a, jsn_len(o) + 1, sizeof(*b->tools));
	JSN_EACH(o, it) {
		const struct behavior_row row = { .kind = B_TOOL, .flags = B_NULLABLE,
			.key = arena_printf(l->a, "%s.%.80s", r->key, it.key) };
		struct behavior_switch tool = { .name = arena_strdup(l->a, it.key), .on = true };
		const char *text = text_of(it.val);
		if (it.val == NULL || (text != NULL && *text == '\0'))
			continue;
		if (text != NULL && !conf_bool(text, &tool.on)) {
			if ((tool.path = tool_file(l, row.key, text)) == NULL)
				continue;
		} else if (text == NULL && !to_bool(it.val, NULL, &tool.on)) {
			return wrong(l, &row, it.val, e);
		}
		b->tools[b->ntools++] = tool;
	}
	return OK;
}

static enum errcode read_row(const struct load *l, const struct behavior_row *r,
    struct json_object *root, struct err *e)
{
	struct json_object *v;
	enum found found = look(root, r->key, &v);
	if (r->kind == B_RETIRED)
		return OK;
	if (found == ABSENT && r->flags & B_REQUIRED)
		return err_set(e, ERR_CONFIG, "%s: %s is required", l->file, r->key);
	if (found == NUL && !(r->flags & B_NULLABLE))
		return wrong(l, r, NULL, e);

	char *at = (char *)l->b + r->offset;
	const char *text = found == HERE ? text_of(v) : found == NUL ? NULL : r->def;
	double number;
	int64_t whole;
	bool flag;
	switch (r->kind) {
	case B_SECTION:
		flag = found == HERE;
		if (flag && !jsn_is(v, json_type_object))
			return wrong(l, r, v, e);
		if (r->offset != B_UNKEPT)
			memcpy(at, &flag, sizeof(flag));
		break;
	case B_BOOL:
		if (!to_bool(v, text, &flag))
			return wrong(l, r, v, e);
		memcpy(at, &flag, sizeof(flag));
		break;
	case B_INT:
	case B_NUMBER:
		if (!to_number(v, text, &number) || number < r->min || number > r->max ||
		    (r->kind == B_INT && number != floor(number)))
			return wrong(l, r, v, e);
		whole = (int64_t)number;
		if (r->kind == B_INT)
			memcpy(at, &whole, sizeof(whole));
		else
			memcpy(at, &number, sizeof(number));
		break;
	case B_TEXT:
	case B_CHOICE:
	case B_FILE_NEEDED:
	case B_FILE_OURS:
	case B_FILE_EXTRA:
	case B_FILE_TEMPLATES:
		return read_text(l, r, found, v, text, at, e);
	case B_TOOLS:
		if (found == HERE && !jsn_is(v, json_type_object))
			return wrong(l, r, v, e);
		return read_tools(l, r, v, e);
	case B_TOOL:
	case B_RETIRED:
		break;
	}
	return OK;
}

/* -- the whole -- */

static const struct behavior_row *find_row(const char *key)
{
	for (size_t i = 0; i < behavior_nrows; i++)
		if (strcmp(behavior_rows[i].key, key) == 0)
			return &behavior_rows[i];
	return NULL;
}

static void warn_unknown(const char *file, struct json_object *o, const char *section)
{
	JSN_EACH(o, it) {
		char key[KEY_MAX_BYTES];
		snprintf(key, sizeof(key), "%s%s%s", section, *section != '\0' ? "." : "", it.key);
		const struct behavior_row *r = find_row(key);
		if (r == NULL)
			log_msg(LOG_WARN, "config_unknown_key", "file=%s key=%s", file, key);
		else if (r->kind == B_SECTION)
			warn_unknown(file, it.val, r->key);
	}
}

/* Models of the environment win over the file's. */
static enum errcode apply_env(const struct load *l, struct err *e)
{
	struct behavior *b = l->b;
	const struct { const char *model; struct behavior_llm *llm; } overrides[] = {
		{ l->c->planner_model, &b->planner }, { l->c->formatter_model, &b->formatter },
		{ l->c->router_model, &b->router }, { l->c->fallback_model, &b->fallback },
	};
	if (l->c->fallback_model != NULL && !b->fallback.set)
		b->fallback = b->formatter;
	for (size_t i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++)
		if (overrides[i].model != NULL)
			overrides[i].llm->model = overrides[i].model;
	if (b->fallback.set && b->fallback.model == NULL)
		return err_set(e, ERR_CONFIG, "%s: llms.fallback.model is required; without a "
		    "fallback, llms.fallback is null", l->file);
	return OK;
}

enum errcode behavior_load(struct behavior *b, const struct conf *c, struct arena *a,
    struct err *e)
{
	struct json_object *root = NULL;
	memset(b, 0, sizeof(*b));
	b->file = behavior_find_config(c, a, c->config_name);
	if (b->file == NULL && strcmp(c->config_name, "default") != 0) {
		log_msg(LOG_WARN, "config_missing", "name=%s using=default", c->config_name);
		b->file = behavior_find_config(c, a, "default");
	}
	const struct load l = { b, c, a, b->file != NULL ? b->file :
		"built-in behaviour config (there is none in AVIATION_AGENT_DATA_DIR)" };
	enum errcode rc = b->file != NULL ? jsn_load(a, b->file, FILE_MAX_BYTES, &root, e) :
	    jsn_parse(a, builtin, sizeof(builtin) - 1, JSN_DEPTH, &root, NULL, e);
	if (rc != OK)
		return rc;
	if (!jsn_is(root, json_type_object))
		return err_set(e, ERR_CONFIG, "%s: must hold a JSON object", l.file);
	warn_unknown(l.file, root, "");
	for (size_t i = 0; rc == OK && i < behavior_nrows; i++)
		rc = read_row(&l, &behavior_rows[i], root, e);
	return rc == OK ? apply_env(&l, e) : rc;
}

/* -- printing -- */

static void print_tools(const struct behavior *b, const struct behavior_row *r, struct buf *out)
{
	for (size_t i = 0; i < b->ntools; i++) {
		const struct behavior_switch *t = &b->tools[i];
		buf_printf(out, "%s.%s = ", r->key, t->name);
		if (t->path != NULL)
			buf_printf(out, "\"%s\"\n", t->path);
		else
			buf_printf(out, "%s\n", t->on ? "true" : "false");
	}
}

static void print_value(const struct behavior *b, const struct behavior_row *r, struct buf *out)
{
	const char *at = (const char *)b + r->offset, *text;
	char number[32];
	double d;
	int64_t n;
	bool flag;
	switch (r->kind) {
	case B_SECTION:
		memcpy(&flag, at, sizeof(flag));
		buf_printf(out, "%s = %s\n", r->key, flag ? "{…}" : "null");
		break;
	case B_BOOL:
		memcpy(&flag, at, sizeof(flag));
		buf_printf(out, "%s = %s\n", r->key, flag ? "true" : "false");
		break;
	case B_INT:
		memcpy(&n, at, sizeof(n));
		buf_printf(out, "%s = %lld\n", r->key, (long long)n);
		break;
	case B_NUMBER:
		memcpy(&d, at, sizeof(d));
		num_print(number, d);
		buf_printf(out, "%s = %s\n", r->key, number);
		break;
	case B_TEXT: case B_CHOICE: case B_FILE_NEEDED: case B_FILE_OURS: case B_FILE_EXTRA:
	case B_FILE_TEMPLATES:
		memcpy(&text, at, sizeof(text));
		buf_printf(out, text == NULL ? "%s = null\n" : "%s = \"%s\"\n", r->key, text);
		break;
	case B_TOOLS:
		print_tools(b, r, out);
		break;
	case B_TOOL:
	case B_RETIRED:
		break;
	}
}

void behavior_print(const struct behavior *b, struct buf *out)
{
	buf_printf(out, "## Behaviour config (%s)\n", b->file == NULL ? "built in" : b->file);
	for (size_t i = 0; i < behavior_nrows; i++) {
		const struct behavior_row *r = &behavior_rows[i];
		if (r->kind == B_RETIRED) {
			buf_printf(out, "# %s: accepted from older files, not read.\n", r->key);
			continue;
		}
		if (r->kind == B_SECTION)
			buf_putc(out, '\n');
		buf_printf(out, "# %s: %s Must be ", r->key, r->doc);
		describe(out, r);
		if (r->flags & B_REQUIRED)
			buf_puts(out, ". Required.\n");
		else if (r->kind == B_SECTION)
			buf_puts(out, ".\n");
		else
			buf_printf(out, ". Default: %s.\n", r->def == NULL ? "null" : r->def);
		if (r->offset != B_UNKEPT)
			print_value(b, r, out);
	}
}
