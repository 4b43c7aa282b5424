/*
 * A table of dotted keys over one JSON file.
 */
#include "base/behavior.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum kind { BOOL, INT, FILE_PATH };
enum { FILE_MAX_BYTES = 1 << 20 };

static const struct row {
	const char *key;
	enum kind kind;
	size_t offset;
	int64_t def, min, max;    /* BOOL, INT */
	const char *path;         /* FILE_PATH: default */
	const char *doc;
} rows[] = {
	{ "next_query_prediction.enabled", BOOL, offsetof(struct behavior, predict), 1, 0, 1, NULL,
	    "suggest what to ask next" },
	{ "next_query_prediction.max_suggestions", INT, offsetof(struct behavior, predict_max),
	    4, 1, 20, NULL, "at most so many suggestions" },
	{ "next_query_prediction.templates_path", FILE_PATH,
	    offsetof(struct behavior, predict_templates), 0, 0, 0,
	    "next_query_predictor/default.json", "their templates" },
	{ "ui_payload.mcp_raw", BOOL, offsetof(struct behavior, ui_mcp_raw), 0, 0, 1, NULL,
	    "add the tool's raw result to ui_payload as mcp_raw" },
	{ "airports.all_idents", BOOL, offsetof(struct behavior, all_idents), 0, 0, 1, NULL,
	    "search airports of every ident, not only four-character ones" },
};
enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

/* What a file says about itself. */
static const char *const about[] = { "version", "name", "description" };

/* Sections of the original's schema that this program does not read. */
static const char *const foreign[] = {
	"llms", "routing", "query_reformulation", "rag", "reranking", "comparison", "prompts",
	"examples", "tools",
};

static bool readable(const char *path)
{
	return access(path, R_OK) == 0;
}

/* The folders a config file may be in, most specific first. */
static const char *find_config(const struct conf *c, struct arena *a, const char *name)
{
	const char *tries[3] = {
		c->project_root == NULL ? NULL :
		    arena_printf(a, "%s/configs/aviation_agent/%s.json", c->project_root, name),
		c->project_root == NULL ? NULL :
		    arena_printf(a, "%s/conf/aviation_agent/%s.json", c->project_root, name),
		arena_printf(a, "%s/conf/aviation_agent/%s.json", c->data_dir, name),
	};
	for (size_t i = 0; i < 3; i++)
		if (tries[i] != NULL && readable(tries[i]))
			return tries[i];
	return NULL;
}

/* A path inside the config: beside the file, in the folder above it, or among the shipped ones. */
static const char *find_file(const struct conf *c, struct arena *a, const char *config,
    const char *path)
{
	if (path[0] == '/')
		return path;
	const char *slash = config == NULL ? NULL : strrchr(config, '/');
	if (slash != NULL) {
		const char *dir = arena_strndup(a, config, (size_t)(slash - config));
		const char *beside = arena_printf(a, "%s/%s", dir, path);
		const char *above = arena_printf(a, "%s/../%s", dir, path);
		if (readable(beside))
			return beside;
		if (readable(above))
			return above;
	}
	return arena_printf(a, "%s/conf/%s", c->data_dir, path);
}

static struct json_object *get_path(struct json_object *o, const char *key, bool *present)
{
	char part[64];
	const char *dot = strchr(key, '.');
	snprintf(part, sizeof(part), "%.*s", (int)(dot - key), key);
	struct json_object *section = jsn_get(o, part);
	*present = jsn_has(section, dot + 1);
	return jsn_get(section, dot + 1);
}

static enum errcode set(struct behavior *b, const struct conf *c, struct arena *a,
    const struct row *r, struct json_object *root, struct err *e)
{
	bool present, flag;
	struct json_object *v = get_path(root, r->key, &present);
	char *at = (char *)b + r->offset;
	const char *path = r->path;
	int64_t n;
	long long parsed;
	switch (r->kind) {
	case BOOL:
		flag = r->def != 0;
		if (v != NULL && !jsn_is(v, json_type_boolean))
			return err_set(e, ERR_CONFIG, "%s: %s must be true or false", b->file, r->key);
		if (v != NULL)
			flag = json_object_get_boolean(v);
		memcpy(at, &flag, sizeof(flag));
		break;
	case INT:
		n = r->def;
		if (jsn_is(v, json_type_int))
			n = json_object_get_int64(v);
		else if (jsn_is(v, json_type_string) && str_to_int(json_object_get_string(v), &parsed))
			n = parsed;      /* the original takes numeric text too */
		else if (v != NULL)
			return err_set(e, ERR_CONFIG, "%s: %s must be a whole number", b->file, r->key);
		if (n < r->min || n > r->max)
			return err_set(e, ERR_CONFIG, "%s: %s must be from %lld to %lld", b->file,
			    r->key, (long long)r->min, (long long)r->max);
		memcpy(at, &n, sizeof(n));
		break;
	case FILE_PATH:
		if (v != NULL && !jsn_is(v, json_type_string))
			return err_set(e, ERR_CONFIG, "%s: %s must be a path", b->file, r->key);
		if (v != NULL)
			path = arena_strdup(a, json_object_get_string(v));
		else if (present)
			path = NULL;     /* null: none */
		if (path != NULL) {
			path = find_file(c, a, b->file, path);
			if (v != NULL && !readable(path))
				return err_set(e, ERR_CONFIG, "%s: %s: %s cannot be read", b->file,
				    r->key, path);
			if (!readable(path))
				path = NULL;
		}
		memcpy(at, &path, sizeof(path));
		break;
	}
	return OK;
}

static bool known_section(const char *key)
{
	size_t n = strlen(key);
	for (size_t i = 0; i < NROWS; i++)
		if (strncmp(rows[i].key, key, n) == 0 && rows[i].key[n] == '.')
			return true;
	return false;
}

static bool known_key(const char *section, const char *key)
{
	char full[128];
	snprintf(full, sizeof(full), "%s.%s", section, key);
	for (size_t i = 0; i < NROWS; i++)
		if (strcmp(rows[i].key, full) == 0)
			return true;
	return false;
}

static bool listed(const char *const *list, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], key) == 0)
			return true;
	return false;
}

static void report_others(const char *file, struct json_object *root)
{
	struct buf unread;
	buf_init(&unread, 512);
	JSN_EACH(root, it) {
		if (listed(about, sizeof(about) / sizeof(about[0]), it.key))
			continue;
		if (listed(foreign, sizeof(foreign) / sizeof(foreign[0]), it.key))
			buf_printf(&unread, "%s%s", unread.n > 0 ? "," : "", it.key);
		else if (!known_section(it.key))
			log_msg(LOG_WARN, "config_unknown_key", "file=%s key=%.60s", file, it.key);
		else
			JSN_EACH(it.val, in)
				if (!known_key(it.key, in.key))
					log_msg(LOG_WARN, "config_unknown_key", "file=%s key=%.60s.%.60s",
					    file, it.key, in.key);
	}
	if (unread.n > 0)
		log_msg(LOG_INFO, "config_keys_without_effect", "file=%s keys=%s", file, unread.p);
	buf_release(&unread);
}

enum errcode behavior_load(struct behavior *b, const struct conf *c, struct arena *a,
    struct err *e)
{
	struct json_object *root = NULL;
	memset(b, 0, sizeof(*b));
	b->file = find_config(c, a, c->config_name);
	if (b->file == NULL && strcmp(c->config_name, "default") != 0) {
		log_msg(LOG_WARN, "config_missing", "name=%s using=default", c->config_name);
		b->file = find_config(c, a, "default");
	}
	if (b->file != NULL) {
		enum errcode rc = jsn_load(a, b->file, FILE_MAX_BYTES, &root, e);
		if (rc != OK)
			return rc;
		if (!jsn_is(root, json_type_object))
			return err_set(e, ERR_CONFIG, "%s: must hold a JSON object", b->file);
		report_others(b->file, root);
	}
	for (size_t i = 0; i < NROWS; i++) {
		enum errcode rc = set(b, c, a, &rows[i], root, e);
		if (rc != OK)
			return rc;
	}
	return OK;
}

void behavior_print(const struct behavior *b, struct buf *out)
{
	buf_printf(out, "## Behaviour config (%s)\n", b->file == NULL ? "built-in" : b->file);
	for (size_t i = 0; i < NROWS; i++) {
		const struct row *r = &rows[i];
		buf_printf(out, "# %s: %s. ", r->key, r->doc);
		switch (r->kind) {
		case BOOL:
			buf_printf(out, "Default: %s.\n", r->def ? "true" : "false");
			break;
		case INT:
			buf_printf(out, "%lld to %lld. Default: %lld.\n", (long long)r->min,
			    (long long)r->max, (long long)r->def);
			break;
		case FILE_PATH:
			buf_printf(out, "Default: %s.\n", r->path);
			break;
		}
	}
}
