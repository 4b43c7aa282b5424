/*
 * A table of dotted keys over one JSON file, which is the whole schema: a key that no row names is
 * unknown. A section comes before its keys, so that its section is known to be an object when a key
 * is read.
 *
 * Without any file the same reader reads a text of the slice. Defaults are texts too: because
 * numbers and booleans may be written as text in a file, there is one way to read all of them.
 */
#include "base/behavior.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/behavior_files.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum { FILE_MAX_BYTES = 1 << 20, KEY_MAX_BYTES = 160 };

/* -- messages -- */

/* What a value must be: "a whole number from 1 to 20, or null". */
static void describe(struct buf *out, const struct behavior_row *r)
{
	static const char *const words[] = {
		[B_SECTION] = "an object", [B_BOOL] = "true or false", [B_INT] = "a whole number",
		[B_NUMBER] = "a number", [B_TEXT] = "a text", [B_CHOICE] = "one of ",
		[B_FILE_NEEDED] = "a path", [B_FILE_OURS] = "a path", [B_FILE_EXTRA] = "a path",
		[B_FILE_TEMPLATES] = "a path", [B_SWITCHES] = "an object",
		[B_SWITCH] = "a path, true, false", [B_RETIRED] = "anything",
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
	char *values;             /* the agent's struct */
	const struct behavior_slice *slice;
	const struct conf *c;
	struct arena *a;
	const char *found;        /* the file; NULL: the slice's own values */
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

/* The text of a value, without a NUL inside; NULL: the value is not text. */
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
	if (l->found != NULL)
		log_msg(LOG_WARN, "config_file", "file=%s key=%.80s why=\"%s\" using=%s", l->file,
		    key, why, instead);
}

/* The file of a row; `named`: the path is the config's, not a default. NULL: none is named. */
static enum errcode find_file(const struct load *l, const struct behavior_row *r,
    const char *path, bool named, const char **out, struct err *e)
{
	bool provider = l->c->llm_provider != NULL || l->c->openai_key != NULL ||
	    l->c->openai_url != NULL;
	enum behavior_files kind =
	    r->kind == B_FILE_TEMPLATES ? BEHAVIOR_TEMPLATES : BEHAVIOR_TEXTS;
	const char *why = "no file is named", *file = l->found;
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
	case B_SWITCHES: case B_SWITCH: case B_RETIRED:
		break;
	}
	return OK;
}

static enum errcode read_text(const struct load *l, const struct behavior_row *r,
    enum found found, struct json_object *v, const char *text, char *at, struct err *e)
{
	if (found == HERE && text == NULL)
		return wrong(l, r, v, e);
	if (text != NULL && *text == '\0') {     /* an empty text means no text */
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

/* A path switches the thing on and names a text about it. A file that does not exist is ignored,
 * because configs of the original service name tools that we do not have. */
static const char *switch_file(const struct load *l, const char *key, const char *path)
{
	const char *why, *full;
	full = behavior_find_file(l->c, l->a, l->found, BEHAVIOR_TEXTS, path, &why);
	if (full != NULL && behavior_file_blank(full)) {
		why = arena_printf(l->a, "%s is empty", full);
		full = NULL;
	}
	if (full == NULL)
		warn_file(l, key, why, "its default");
	return full;
}

static enum errcode read_switches(const struct load *l, const struct behavior_row *r,
    struct json_object *o, struct behavior_switches *out, struct err *e)
{
	*out = (struct behavior_switches){ .list = arena_array(l->a, jsn_len(o) + 1,
	    sizeof(*out->list)) };
	JSN_EACH(o, it) {
		const struct behavior_row row = { .kind = B_SWITCH, .flags = B_NULLABLE,
			.key = arena_printf(l->a, "%s.%.80s", r->key, it.key) };
		struct behavior_switch one = { .name = arena_strdup(l->a, it.key), .on = true };
		const char *text = text_of(it.val);
		if (it.val == NULL || (text != NULL && *text == '\0'))
			continue;
		if (text != NULL && !conf_bool(text, &one.on)) {
			if ((one.path = switch_file(l, row.key, text)) == NULL)
				continue;
		} else if (text == NULL && !to_bool(it.val, NULL, &one.on)) {
			return wrong(l, &row, it.val, e);
		}
		out->list[out->n++] = one;
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

	char *at = l->values + r->offset;
	const char *text = found == HERE ? text_of(v) : found == NUL ? NULL : r->def;
	double number;
	int64_t whole;
	bool flag;
	struct behavior_switches switches;
	enum errcode rc;
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
	case B_SWITCHES:
		if (found == HERE && !jsn_is(v, json_type_object))
			return wrong(l, r, v, e);
		rc = read_switches(l, r, v, &switches, e);
		memcpy(at, &switches, sizeof(switches));
		return rc;
	case B_SWITCH:
	case B_RETIRED:
		break;
	}
	return OK;
}

/* -- the whole -- */

static const struct behavior_row *find_row(const struct behavior_slice *s, const char *key)
{
	for (size_t i = 0; i < s->nrows; i++)
		if (strcmp(s->rows[i].key, key) == 0)
			return &s->rows[i];
	return NULL;
}

static void warn_unknown(const struct load *l, struct json_object *o, const char *section)
{
	JSN_EACH(o, it) {
		char key[KEY_MAX_BYTES];
		snprintf(key, sizeof(key), "%s%s%s", section, *section != '\0' ? "." : "", it.key);
		const struct behavior_row *r = find_row(l->slice, key);
		if (r == NULL)
			log_msg(LOG_WARN, "config_unknown_key", "file=%s key=%s", l->file, key);
		else if (r->kind == B_SECTION)
			warn_unknown(l, it.val, r->key);
	}
}

static enum errcode read_all(const struct load *l, struct err *e)
{
	const struct behavior_slice *s = l->slice;
	struct json_object *root = NULL;
	enum errcode rc = l->found != NULL ? jsn_load(l->a, l->found, FILE_MAX_BYTES, &root, e) :
	    jsn_parse(l->a, s->builtin, strlen(s->builtin), JSN_DEPTH, &root, NULL, e);
	if (rc != OK)
		return rc;
	if (!jsn_is(root, json_type_object))
		return err_set(e, ERR_CONFIG, "%s: must hold a JSON object", l->file);
	warn_unknown(l, root, "");
	for (size_t i = 0; rc == OK && i < s->nrows; i++)
		rc = read_row(l, &s->rows[i], root, e);
	return rc == OK && s->settle != NULL ? s->settle(l->values, l->c, l->file, e) : rc;
}

enum errcode behavior_read(void *values, const struct behavior_slice *s, const struct conf *c,
    struct arena *a, struct err *e)
{
	struct load l = { .values = values, .slice = s, .c = c, .a = a,
		.found = behavior_find_config(c, a, s->folder, c->config_name) };
	if (l.found == NULL && strcmp(c->config_name, "default") != 0) {
		log_msg(LOG_WARN, "config_missing", "name=%s using=default", c->config_name);
		l.found = behavior_find_config(c, a, s->folder, "default");
	}
	l.file = l.found != NULL ? l.found :
	    "built-in behaviour config (there is none in AVIATION_AGENT_DATA_DIR)";
	memset(values, 0, s->size);
	memcpy(l.values + s->file, &l.found, sizeof(l.found));
	return read_all(&l, e);
}

/* -- printing -- */

static void print_switches(const struct behavior_switches *s, const char *key, struct buf *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct behavior_switch *one = &s->list[i];
		buf_printf(out, "%s.%s = ", key, one->name);
		if (one->path != NULL)
			buf_printf(out, "\"%s\"\n", one->path);
		else
			buf_printf(out, "%s\n", one->on ? "true" : "false");
	}
}

static void print_value(const char *at, const struct behavior_row *r, struct buf *out)
{
	struct behavior_switches switches;
	const char *text;
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
	case B_SWITCHES:
		memcpy(&switches, at, sizeof(switches));
		print_switches(&switches, r->key, out);
		break;
	case B_SWITCH:
	case B_RETIRED:
		break;
	}
}

void behavior_print(const void *values, const struct behavior_slice *s, struct buf *out)
{
	const char *file;
	memcpy(&file, (const char *)values + s->file, sizeof(file));
	buf_printf(out, "## Behaviour config (%s)\n", file == NULL ? "built in" : file);
	for (size_t i = 0; i < s->nrows; i++) {
		const struct behavior_row *r = &s->rows[i];
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
			print_value((const char *)values + r->offset, r, out);
	}
}
