/*
 * The setting MCP_SERVERS. Its form is the one that other programs with MCP servers have, so that
 * lines can be copied from a server's own documentation: an object "mcpServers" with a member for
 * each server. We add the member that names the tools that may be used.
 *
 * Secrets are not written there: "${NAME}" in a header or in a variable of a program stands for a
 * variable of the environment or of the env file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/jsn.h"
#include "base/owned.h"
#include "base/str.h"
#include "services/mcp_client.h"
#include "services/remote.h"

enum {
	NAME_MAX_BYTES = 32, TEXT_MAX_BYTES = 4096, FILE_MAX = 256 * 1024, LIST_MAX = 64,
	CONNECT_S = 5, LIST_S = 10, CALL_S = 30, IDLE_S = 600, SECONDS_MAX = 600,
};

/* Members of a server. */
static const char members[] = "url|type|headers|token_env|token_file|command|args|env|cwd|tools|protocol"
    "|connect_s|list_s|call_s|idle_s|disabled|description";

/* What a program gets of our environment. */
static const char *const passed[] = { "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR" };
enum { NPASSED = sizeof(passed) / sizeof(passed[0]) };

/* What reading one server needs. */
struct reading {
	struct arena *a;
	const char *name;             /* of the server */
	struct json_object *o;
	struct err *e;
};

static enum errcode wrong(const struct reading *r, const char *member, const char *want)
{
	return err_set(r->e, ERR_CONFIG, "MCP_SERVERS: %.40s: \"%.40s\" %s", r->name, member, want);
}

/* Nothing in it would end a header line or a variable. */
static bool is_line(struct json_object *v)
{
	if (!jsn_is(v, json_type_string))
		return false;
	const char *s = json_object_get_string(v);
	const size_t n = strlen(s);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 127)
			return false;
	return n == (size_t)json_object_get_string_len(v) && n <= TEXT_MAX_BYTES;
}

/* ---- ${NAME} ------------------------------------------------------------------------- */

static enum errcode variable(const struct reading *r, const char *member, const char *name,
    const char **value)
{
	enum errcode rc = conf_variable(r->a, name, value, r->e);

	if (rc == OK && *value == NULL)
		return wrong(r, member, arena_printf(r->a, "names the variable %.60s, which is not set", name));
	return rc;
}

static enum errcode expand(const struct reading *r, const char *member, const char *text,
    const char **out)
{
	const char *open, *close, *value, *done = "";
	enum errcode rc = OK;

	while (rc == OK && (open = strstr(text, "${")) != NULL && (close = strchr(open, '}')) != NULL) {
		rc = variable(r, member, arena_strndup(r->a, open + 2, (size_t)(close - open - 2)), &value);
		if (rc == OK)
			done = arena_printf(r->a, "%s%.*s%s", done, (int)(open - text), text, value);
		text = close + 1;
	}
	*out = arena_printf(r->a, "%s%s", done, text);
	return rc;
}

/* ---- a server's members ---------------------------------------------------------------- */

/* A list of texts, with room for `more` and a NULL at the end. */
static enum errcode read_texts(const struct reading *r, const char *member, size_t max, size_t before,
    const char ***out, size_t *n)
{
	struct json_object *list = jsn_get(r->o, member);

	*n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	if ((jsn_has(r->o, member) && !jsn_is(list, json_type_array)) || *n > max)
		return wrong(r, member, arena_printf(r->a, "must be a list of at most %zu texts", max));
	*out = arena_array(r->a, before + *n + 1, sizeof(**out));
	for (size_t i = 0; i < *n; i++) {
		if (!is_line(jsn_at(list, i)))
			return wrong(r, member, "must hold texts without line breaks");
		(*out)[before + i] = arena_strdup(r->a, json_object_get_string(jsn_at(list, i)));
	}
	return OK;
}

/* "NAME=value" or "Name: value" for each member of an object. */
static enum errcode read_pairs(const struct reading *r, const char *member, const char *between,
    const char **out, size_t *n)
{
	struct json_object *o = jsn_get(r->o, member);
	enum errcode rc = OK;

	if (jsn_has(r->o, member) && (!jsn_is(o, json_type_object) || jsn_len(o) > LIST_MAX))
		return wrong(r, member, "must be an object of at most 64 texts");
	JSN_EACH(o, it) {
		const char *value;
		if (rc != OK)
			break;
		if (!is_line(it.val) || !id_valid(it.key, 64))
			return wrong(r, member, "must hold names and texts without line breaks");
		rc = expand(r, member, json_object_get_string(it.val), &value);
		out[(*n)++] = arena_printf(r->a, "%s%s%s", it.key, between, value);
	}
	return rc;
}

static enum errcode read_text(const struct reading *r, const char *member, const char **out)
{
	struct json_object *v = jsn_get(r->o, member);

	*out = NULL;
	if (v == NULL)
		return OK;
	if (!is_line(v) || json_object_get_string_len(v) == 0)
		return wrong(r, member, "must be a text without line breaks");
	*out = arena_strdup(r->a, json_object_get_string(v));
	return OK;
}

static enum errcode read_seconds(const struct reading *r, const char *member, int64_t def, int64_t *ms)
{
	const double s = jsn_get_num(r->o, member, (double)def);

	if ((jsn_has(r->o, member) && jsn_get_num(r->o, member, -1) < 0) || s < 1 || s > SECONDS_MAX)
		return wrong(r, member, arena_printf(r->a, "must be a number of seconds from 1 to %d", SECONDS_MAX));
	*ms = (int64_t)(s * 1000);
	return OK;
}

static enum errcode read_token(const struct reading *r, const char **fields, size_t *n)
{
	const char *name, *path, *token = NULL;
	enum errcode rc = read_text(r, "token_env", &name);

	if (rc == OK)
		rc = read_text(r, "token_file", &path);
	if (rc == OK && name != NULL)
		rc = variable(r, "token_env", name, &token);
	if (rc == OK && name == NULL && path != NULL) {
		struct buf b;
		buf_init(&b, TEXT_MAX_BYTES);
		rc = buf_load(&b, path, r->e);
		const struct str text = str_trim((struct str){ b.p, b.n });
		token = arena_strndup(r->a, text.p, text.n);
		buf_release(&b);
		if (rc == OK && (text.n == 0 || strcspn(token, "\r\n") != text.n))
			rc = wrong(r, "token_file", "must name a file with one line, the token");
	}
	if (rc == OK && token != NULL)
		fields[(*n)++] = arena_printf(r->a, "Authorization: Bearer %s", token);
	return rc;
}

static enum errcode read_address(const struct reading *r, struct mcp_remote *s)
{
	const char **fields = arena_array(r->a, LIST_MAX + 2, sizeof(*fields));
	size_t n = 0;
	enum errcode rc = read_pairs(r, "headers", ": ", fields, &n);

	if (rc == OK && !remote_address_ok(s->url))
		rc = wrong(r, "url", "must be an http:// or https:// address");
	if (rc == OK)
		rc = read_token(r, fields, &n);
	s->fields = fields;
	return rc;
}

static enum errcode read_program(const struct reading *r, const char *command, struct mcp_remote *s)
{
	const char **argv, **env = arena_array(r->a, LIST_MAX + NPASSED + 1, sizeof(*env)), *value;
	size_t n, nenv = 0;
	enum errcode rc = read_texts(r, "args", LIST_MAX - 8, 1, &argv, &n);

	for (size_t i = 0; i < NPASSED && rc == OK; i++) {
		rc = conf_variable(r->a, passed[i], &value, r->e);
		if (value != NULL && !jsn_has(jsn_get(r->o, "env"), passed[i]))
			env[nenv++] = arena_printf(r->a, "%s=%s", passed[i], value);
	}
	if (rc == OK)
		rc = read_pairs(r, "env", "=", env, &nenv);
	if (rc == OK)
		rc = read_text(r, "cwd", &s->dir);
	if (rc != OK)
		return rc;
	argv[0] = command;
	s->argv = argv;
	s->env = env;
	return OK;
}

static enum errcode read_era(const struct reading *r, struct mcp_remote *s)
{
	static const char *const words[] = { "auto", "modern", "legacy" };
	const char *said;
	enum errcode rc = read_text(r, "protocol", &said);

	s->era = MCP_CHOICE_AUTO;
	if (rc != OK || said == NULL)
		return rc;
	for (int i = 0; i < 3; i++)
		if (streq(said, words[i])) {
			s->era = (enum mcp_choice)i;
			return OK;
		}
	return wrong(r, "protocol", "must be auto, modern or legacy");
}

static enum errcode read_how(const struct reading *r, struct mcp_remote *s)
{
	const char *type, *command;
	enum errcode rc = read_text(r, "url", &s->url);

	if (rc == OK)
		rc = read_text(r, "command", &command);
	if (rc == OK)
		rc = read_text(r, "type", &type);
	if (rc != OK)
		return rc;
	if ((s->url == NULL) == (command == NULL))
		return wrong(r, "url", "or \"command\" must be there: one of the two");
	if (type != NULL && !one_of(type, s->url != NULL ? "http|streamable-http|streamableHttp" : "stdio"))
		return wrong(r, "type", s->url != NULL ? "must be http: the older transport sse is not supported"
		    : "must be stdio, because there is a command");
	return s->url != NULL ? read_address(r, s) : read_program(r, command, s);
}

static enum errcode read_server(const struct reading *r, struct mcp_remote *s)
{
	const struct { const char *member; int64_t def, *ms; } times[] = {
		{ "connect_s", CONNECT_S, &s->connect_ms }, { "list_s", LIST_S, &s->list_ms },
		{ "call_s", CALL_S, &s->call_ms }, { "idle_s", IDLE_S, &s->idle_ms },
	};
	const char **allowed;
	enum errcode rc = OK;

	if (!id_valid(r->name, NAME_MAX_BYTES))
		return err_set(r->e, ERR_CONFIG, "MCP_SERVERS: \"%.40s\": the name of a server has 1 to %d letters, "
		    "digits, - and _", r->name, NAME_MAX_BYTES);
	if (!jsn_is(r->o, json_type_object))
		return err_set(r->e, ERR_CONFIG, "MCP_SERVERS: %s must be an object, not %s", r->name, jsn_kind(r->o));
	s->name = arena_strdup(r->a, r->name);
	JSN_EACH(r->o, it)
		if (!one_of(it.key, members))
			return wrong(r, it.key, "is not known; the members are described in doc/mcp-client.md");
	rc = read_how(r, s);
	if (rc == OK)
		rc = read_texts(r, "tools", MCP_ALLOWED_MAX, 0, &allowed, &s->nallowed);
	if (rc == OK)
		rc = read_era(r, s);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]) && rc == OK; i++)
		rc = read_seconds(r, times[i].member, times[i].def, times[i].ms);
	s->allowed = allowed;
	return rc;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static enum errcode load(struct arena *a, const char *path, const char **text, struct err *e)
{
	int fd = owned_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	struct buf b;

	if (fd < 0)
		return err_set(e, ERR_CONFIG, "MCP_SERVERS: %.200s: %s", path, strerrordesc_np(errno));
	enum errcode rc = owned_settings(fd, path, "set MCP_SERVERS to another file", e);
	close(fd);
	buf_init(&b, FILE_MAX);
	if (rc == OK)
		rc = buf_load(&b, path, e);
	*text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return rc;
}

enum errcode mcp_servers_read(struct mcp_servers *out, struct arena *a, const char *setting,
    struct err *e)
{
	const char *text = setting;
	struct jsn_fault fault;
	struct json_object *o;
	enum errcode rc = OK;

	*out = (struct mcp_servers){ .n = 0 };
	if (setting == NULL)
		return OK;
	if (str_trim(str_of(setting)).p[0] != '{')
		rc = load(a, setting, &text, e);
	if (rc != OK)
		return rc;
	if (jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, &fault, NULL) != OK)
		return err_set(e, ERR_CONFIG, "MCP_SERVERS is not JSON: %s (character %zu)", fault.why, fault.offset);
	if (jsn_is(jsn_get(o, "mcpServers"), json_type_object))
		o = jsn_get(o, "mcpServers");
	if (!jsn_is(o, json_type_object) || jsn_len(o) > MCP_SERVERS_MAX)
		return err_set(e, ERR_CONFIG, "MCP_SERVERS must be an object \"mcpServers\" of at most %d servers",
		    MCP_SERVERS_MAX);
	out->list = arena_array(a, MCP_SERVERS_MAX, sizeof(*out->list));
	JSN_EACH(o, it) {
		const struct reading r = { a, it.key, it.val, e };
		if (rc != OK || jsn_get_bool(it.val, "disabled", false))
			continue;
		rc = read_server(&r, &out->list[out->n++]);
	}
	return rc;
}
