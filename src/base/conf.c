/*
 * Reading, checking and printing the settings of the table in conf_rows.c.
 */
#include "base/conf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/conf_rows.h"
#include "base/env_file.h"
#include "base/str.h"

enum { SECRET_MIN = 32 };         /* bytes of SECRET_KEY */

bool conf_bool(const char *v, bool *out)
{
	static const char *const yes[] = { "1", "true", "t", "yes", "y", "on" };
	static const char *const no[] = { "0", "false", "f", "no", "n", "off" };
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (strieq(v, yes[i]) || strieq(v, no[i])) {
			*out = strieq(v, yes[i]);
			return true;
		}
	}
	return false;
}

/* The next word of a list; what is before it says whether it is switched on. */
static bool list_word(const char **list, struct str *word, bool *on)
{
	static const char between[] = ", \t";

	*list += strspn(*list, between);
	*word = (struct str){ *list, strcspn(*list, between) };
	*list += word->n;
	*on = word->n == 0 || *word->p != '-';
	if (!*on)
		*word = (struct str){ word->p + 1, word->n - 1 };
	return word->n > 0 || !*on;
}

bool conf_list_on(const char *list, const char *name)
{
	bool result = list == NULL, on;
	struct str word;

	for (bool first = true; list != NULL && list_word(&list, &word, &on); first = false) {
		if (first)
			result = !on;
		if (on && str_eq(word, "all"))
			result = true;
		else if (on && str_eq(word, "none"))
			result = false;
		else if (str_eq(word, name))
			result = on;
	}
	return result;
}

/* A list is read the same way wherever it is used, so only its words can be wrong. */
static enum errcode check_list(const struct conf_row *r, const char *list, struct err *e)
{
	struct str word;
	bool on;

	for (const char *p = list; list_word(&p, &word, &on);) {
		const char *choices = r->choices;
		bool known = on && (str_eq(word, "all") || str_eq(word, "none"));
		for (struct str choice; !known && str_part(&choices, '|', &choice);)
			known = choice.n == word.n && memcmp(choice.p, word.p, word.n) == 0;
		if (!known)
			return err_set(e, ERR_CONFIG, "%s: \"%.*s\" is not all, none or one of %s", r->env,
			    (int)(word.n < 40 ? word.n : 40), word.p, r->choices);
	}
	return OK;
}

static enum errcode set(struct conf *c, struct arena *a, const struct conf_row *r, const char *v,
    struct err *e)
{
	char *at = (char *)c + r->offset;
	long long n;
	switch (r->kind) {
	case TEXT:
	case PATH:
	case URL:
	case SECRET: {
		if (r->choices != NULL && v != NULL && !one_of(v, r->choices))
			return err_set(e, ERR_CONFIG, "%s: \"%.40s\" is not one of %s", r->env, v,
			    r->choices);
		const char *copy = arena_strdup(a, v);
		memcpy(at, &copy, sizeof(copy));
		return OK;
	}
	case LIST: {
		const char *copy = arena_strdup(a, v);
		memcpy(at, &copy, sizeof(copy));
		return check_list(r, copy, e);
	}
	case BOOL: {
		bool b;
		if (!conf_bool(v, &b))
			return err_set(e, ERR_CONFIG,
			    "%s: \"%.40s\" is not a boolean (true/false, yes/no, on/off, 1/0)",
			    r->env, v);
		memcpy(at, &b, sizeof(b));
		return OK;
	}
	case INT: {
		if (!str_to_int(v, &n) || n < r->min || n > r->max)
			return err_set(e, ERR_CONFIG,
			    "%s: \"%.40s\" is not a whole number from %lld to %lld", r->env, v,
			    (long long)r->min, (long long)r->max);
		int64_t wide = n;
		memcpy(at, &wide, sizeof(wide));
		return OK;
	}
	}
	return OK;
}

/* Some sites of the original service name a folder there, of a store that we do not read. Then our
 * file goes into that folder. */
static const char *vectors_path(const struct conf *c, struct arena *a)
{
	const char *path = conf_path(c, a, c->vectors_db);
	struct stat st;
	if (path == NULL)
		return arena_printf(a, "%s/rules-vectors.db", c->state_dir);
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode)
	    ? arena_printf(a, "%s/aviation-rules.db", path) : path;
}

static const char *default_state_dir(struct arena *a)
{
	const char *dir = getenv("STATE_DIRECTORY");
	if (dir != NULL && *dir != '\0')
		return arena_strdup(a, dir);
	dir = getenv("XDG_STATE_HOME");
	if (dir != NULL && *dir != '\0')
		return arena_printf(a, "%s/aviation-agent", dir);
	dir = getenv("HOME");
	if (dir != NULL && *dir != '\0')
		return arena_printf(a, "%s/.local/state/aviation-agent", dir);
	return "/var/lib/aviation-agent";
}

/* PREFIX/bin/program has its data in PREFIX/share. This also holds where PREFIX was moved or copied
 * to a place that the build did not know. NULL: the folder does not exist. */
static const char *data_beside_program(struct arena *a)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	for (int up = 0; up < 2 && n > 0; up++)
		while (n > 0 && exe[--n] != '/')
			;
	if (n <= 0)
		return NULL;
	exe[n] = '\0';
	const char *dir = arena_printf(a, "%s/share/aviation-agent", exe);
	return access(arena_printf(a, "%s/conf", dir), X_OK) == 0 ? dir : NULL;
}

enum errcode conf_load(struct conf *c, struct arena *a, struct err *e)
{
	struct env_pair *file = NULL;
	memset(c, 0, sizeof(*c));
	enum errcode rc = env_files(a, &file, e);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i < conf_nrows; i++) {
		const char *v = env_lookup(file, conf_rows[i].env);
		if ((rc = set(c, a, &conf_rows[i], v != NULL ? v : conf_rows[i].def, e)) != OK)
			return rc;
	}
	const char *beside = data_beside_program(a);
	if (beside != NULL && env_lookup(file, "AVIATION_AGENT_DATA_DIR") == NULL)
		c->data_dir = beside;
	c->airports_db = conf_path(c, a, c->airports_db);
	c->airports_index = conf_path(c, a, c->airports_index);
	c->places_db = c->places_db != NULL ? conf_path(c, a, c->places_db)
	    : arena_printf(a, "%s.places", c->airports_db);
	if (streq(c->conversation_log_dir, "none"))
		c->conversation_log_dir = NULL;
	c->conversation_log_dir = conf_path(c, a, c->conversation_log_dir);
	c->log_file = conf_path(c, a, c->log_file);
	c->ca_file = conf_path(c, a, c->ca_file);
	c->state_dir = conf_path(c, a, c->state_dir);
	if (c->state_dir == NULL)
		c->state_dir = default_state_dir(a);
	if (c->store_provider == NULL)
		c->store_provider = c->redis_url != NULL ? "redis" : "sqlite";
	if (streq(c->store_provider, "redis") && c->redis_url == NULL)
		return err_set(e, ERR_CONFIG, "CHECKPOINTER_PROVIDER is redis but REDIS_URL is not set");
	c->sqlite_path = conf_path(c, a, c->sqlite_path);
	if (c->sqlite_path == NULL)
		c->sqlite_path = arena_printf(a, "%s/threads.db", c->state_dir);
	c->rules_json = conf_path(c, a, c->rules_json);
	c->notifications_db = conf_path(c, a, c->notifications_db);
	c->persona_db = conf_path(c, a, c->persona_db);
	c->personas_json = c->personas_json != NULL ? conf_path(c, a, c->personas_json) :
	    arena_printf(a, "%s/conf/personas.json", c->data_dir);
	c->vectors_db = vectors_path(c, a);
	c->knowledge_db = c->knowledge_db != NULL ? conf_path(c, a, c->knowledge_db) :
	    arena_printf(a, "%s/knowledge.db", c->state_dir);
	c->mcp_tokens = c->mcp_tokens != NULL ? conf_path(c, a, c->mcp_tokens) :
	    arena_printf(a, "%s/mcp-tokens.json", c->state_dir);
	c->onboarding_export_dir = c->onboarding_export_dir != NULL ? conf_path(c, a, c->onboarding_export_dir) :
	    arena_printf(a, "%s/onboarding", c->state_dir);
	/* a path, unless it is the JSON itself */
	if (c->mcp_servers != NULL && str_trim(str_of(c->mcp_servers)).p[0] != '{')
		c->mcp_servers = conf_path(c, a, c->mcp_servers);
	c->mcp_pins = c->mcp_pins != NULL ? conf_path(c, a, c->mcp_pins) :
	    arena_printf(a, "%s/mcp-pins.json", c->state_dir);
	if (c->user_header != NULL && !id_valid(c->user_header, 64))
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_USER_HEADER: \"%.40s\" must be the name of a header: "
		    "letters, digits and -", c->user_header);
	if (c->onboarding_auth == NULL)
		c->onboarding_auth = c->secret_key != NULL ? "token" : "off";
	if (streq(c->onboarding_auth, "token") && strlen(c->secret_key != NULL ? c->secret_key : "") < SECRET_MIN)
		return err_set(e, ERR_CONFIG, "SECRET_KEY must have at least %d bytes when ONBOARDING_AUTH is token: "
		    "make one with openssl rand -hex 32", SECRET_MIN);
	if (strchr(c->config_name, '/') != NULL || strstr(c->config_name, "..") != NULL)
		return err_set(e, ERR_CONFIG,
		    "AVIATION_AGENT_CONFIG: \"%.40s\" must be a name, not a path", c->config_name);
	return OK;
}

enum errcode conf_variable(struct arena *a, const char *name, const char **value, struct err *e)
{
	struct env_pair *file = NULL;
	enum errcode rc = env_files(a, &file, e);
	*value = rc == OK ? arena_strdup(a, env_lookup(file, name)) : NULL;
	return rc;
}

const char *conf_path(const struct conf *c, struct arena *a, const char *path)
{
	if (path == NULL || path[0] == '/' || c->project_root == NULL)
		return path;
	return arena_printf(a, "%s/%s", c->project_root, path);
}

/* The address without what may be a password: the part before the host, and the query. */
static void print_url(struct buf *out, const char *url)
{
	const char *host = strstr(url, "://");
	if (host == NULL) {            /* not an address: perhaps somebody put a key here */
		buf_puts(out, "***");
		return;
	}
	host += 3;
	size_t n = strcspn(host, "?#");
	const char *at = memrchr(host, '@', n);
	buf_put(out, url, (size_t)(host - url));
	buf_puts(out, at == NULL ? "" : "***");
	buf_put(out, at == NULL ? host : at, (size_t)(host + n - (at == NULL ? host : at)));
	buf_puts(out, host[n] == '\0' ? "" : "?***");
}

void conf_print(const struct conf *c, struct buf *out)
{
	for (size_t i = 0; i < conf_nrows; i++) {
		const struct conf_row *r = &conf_rows[i];
		const char *at = (const char *)c + r->offset;
		if (r->group != NULL)
			buf_printf(out, "%s## %s\n", i == 0 ? "" : "\n", r->group);
		buf_printf(out, "# %s", r->doc);
		if (r->choices != NULL)
			buf_printf(out, r->kind == LIST ? " Any of %s." : " One of %s.", r->choices);
		if (r->kind == INT)
			buf_printf(out, " %lld to %lld.", (long long)r->min, (long long)r->max);
		buf_printf(out, " Default: %s.\n", r->def == NULL ? "unset" : r->def);
		const char *text;
		bool flag;
		int64_t n;
		switch (r->kind) {
		case TEXT:
		case LIST:
		case PATH:
		case URL:
		case SECRET:
			memcpy(&text, at, sizeof(text));
			buf_printf(out, "%s%s=", text == NULL ? "#" : "", r->env);
			if (r->kind == URL && text != NULL)
				print_url(out, text);
			else if (text != NULL)
				buf_puts(out, r->kind == SECRET ? "***" : text);
			buf_putc(out, '\n');
			break;
		case BOOL:
			memcpy(&flag, at, sizeof(flag));
			buf_printf(out, "%s=%s\n", r->env, flag ? "true" : "false");
			break;
		case INT:
			memcpy(&n, at, sizeof(n));
			buf_printf(out, "%s=%lld\n", r->env, (long long)n);
			break;
		}
	}
}
