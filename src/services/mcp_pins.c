/*
 * Tools that an operator accepted, in a file that `aviation-agent mcp-client pin` writes.
 *
 * The hash is made of what the server said, in a form that does not depend on the order of its
 * members. So a tool whose server prints its schema in another order is the same tool.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/owned.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "drivers/hmac.h"
#include "services/mcp_client_own.h"

enum {
	TOOL_NAME_MAX = 128, TITLE_MAX = 100, DOC_MAX = 2048, DESCRIPTION_SAID_MAX = 64 * 1024,
	SCHEMA_MAX = 32 * 1024, SCHEMA_DEPTH = 24, SCHEMA_VALUES = 4000, FILE_MAX = 4 << 20,
	FORMAT = 1,
};

/* ---- the hash ------------------------------------------------------------------------------- */

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* JSON with the members of every object in the order of their names. */
static void put_sorted(struct arena *a, struct buf *b, struct json_object *o)
{
	size_t n = 0;

	if (jsn_is(o, json_type_array)) {
		buf_putc(b, '[');
		for (size_t i = 0; i < jsn_len(o); i++) {
			put_sorted(a, b, jsn_at(o, i));
			buf_putc(b, ',');
		}
		buf_putc(b, ']');
		return;
	}
	if (!jsn_is(o, json_type_object)) {
		jsn_print(b, o, JSN_PLAIN);
		return;
	}
	const char **names = arena_array(a, jsn_len(o) + 1, sizeof(*names));
	JSN_EACH(o, it)
		names[n++] = it.key;
	qsort(names, n, sizeof(*names), by_name);
	buf_putc(b, '{');
	for (size_t i = 0; i < n; i++) {
		jsn_print_str(b, names[i]);
		buf_putc(b, ':');
		put_sorted(a, b, jsn_get(o, names[i]));
		buf_putc(b, ',');
	}
	buf_putc(b, '}');
}

static enum errcode hash(char out[SHA256_HEX], struct arena *a, struct json_object *tool, struct err *e)
{
	static const char *const hashed[] = { "name", "title", "description", "inputSchema", "outputSchema" };
	struct buf b;

	buf_init(&b, MCP_REPLY_MAX);
	for (size_t i = 0; i < sizeof(hashed) / sizeof(hashed[0]); i++) {
		put_sorted(a, &b, jsn_get(tool, hashed[i]));
		buf_putc(&b, '\n');
	}
	const bool made = !b.full && sha256_hex(out, (struct str){ b.p, b.n });
	buf_release(&b);
	return made ? OK : err_set(e, ERR_UPSTREAM, "its definition is too large");
}

/* ---- one tool ---------------------------------------------------------------------------------- */

static bool name_ok(const char *s)
{
	const size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (!id_valid((const char[]){ s[i], '\0' }, 1) && s[i] != '.')
			return false;
	return n > 0 && n <= TOOL_NAME_MAX;
}

/* A schema as text; NULL: it is too large. */
static const char *schema_text(struct arena *a, struct json_object *o)
{
	struct mcp_bounds left = { .depth = SCHEMA_DEPTH, .values = SCHEMA_VALUES, .text = DOC_MAX,
		.bytes = SCHEMA_MAX };
	struct json_object *clean = mcp_clean_json(a, o, &left);

	return left.cut ? NULL : jsn_text(a, clean, JSN_PLAIN);
}

enum errcode mcp_pin_make(struct mcp_pin *out, struct arena *a, struct json_object *tool,
    struct err *e)
{
	const char *name = jsn_get_str(tool, "name", ""), *doc = jsn_get_str(tool, "description", "");
	const char *title = jsn_get_str(tool, "title",
	    jsn_get_str(jsn_get(tool, "annotations"), "title", NULL));
	struct json_object *in = jsn_get(tool, "inputSchema"), *output = jsn_get(tool, "outputSchema");

	*out = (struct mcp_pin){ .name = NULL };
	if (!name_ok(name))
		return err_set(e, ERR_UPSTREAM, "its name must be 1 to %d letters, digits, \"_\", \"-\" and \".\"",
		    TOOL_NAME_MAX);
	if (!jsn_is(in, json_type_object) || !streq(jsn_get_str(in, "type", ""), "object"))
		return err_set(e, ERR_UPSTREAM, "its inputSchema is not that of an object");
	if (strlen(doc) > DESCRIPTION_SAID_MAX)
		return err_set(e, ERR_UPSTREAM, "its description is too large");
	enum errcode rc = mcp_headers_check(in, e);
	if (rc == OK)
		rc = hash(out->hash, a, tool, e);
	if (rc != OK)
		return rc;
	out->name = arena_strdup(a, name);
	out->title = title != NULL ? mcp_clean_line(a, title, strlen(title), TITLE_MAX) : NULL;
	out->description = mcp_clean(a, doc, strlen(doc), DOC_MAX);
	out->schema = schema_text(a, in);
	out->output = output != NULL ? schema_text(a, output) : NULL;
	return out->schema != NULL && (output == NULL || out->output != NULL) ? OK :
	    err_set(e, ERR_UPSTREAM, "its schema is too large");
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum errcode broken(const char *path, const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG, "MCP_PINS: %.200s: %s; make it anew with: aviation-agent mcp-client pin",
	    path, what);
}

static enum errcode read_pin(struct mcp_pin *pin, struct arena *a, const char *path,
    struct json_object *o, struct err *e)
{
	*pin = (struct mcp_pin){
		.name = arena_strdup(a, jsn_get_str(o, "name", "")),
		.title = arena_strdup(a, jsn_get_str(o, "title", NULL)),
		.description = arena_strdup(a, jsn_get_str(o, "description", "")),
		.schema = jsn_text(a, jsn_get(o, "inputSchema"), JSN_PLAIN),
		.output = jsn_get(o, "outputSchema") == NULL ? NULL :
		    jsn_text(a, jsn_get(o, "outputSchema"), JSN_PLAIN),
	};
	const char *sum = jsn_get_str(o, "sha256", "");
	if (strlen(sum) != sizeof(pin->hash) - 1 || !name_ok(pin->name) ||
	    !jsn_is(jsn_get(o, "inputSchema"), json_type_object))
		return broken(path, "a tool lacks its name, inputSchema or sha256", e);
	memcpy(pin->hash, sum, sizeof(pin->hash));
	return OK;
}

static enum errcode read_pins(struct mcp_pins *p, struct arena *a, const char *path,
    const char *server, struct json_object *list, struct err *e)
{
	enum errcode rc = OK;

	if (!jsn_is(list, json_type_array) || jsn_len(list) > MCP_ALLOWED_MAX)
		return broken(path, "the tools of a server must be a list", e);
	p->server = arena_strdup(a, server);
	p->list = arena_array(a, jsn_len(list) + 1, sizeof(*p->list));
	for (; p->n < jsn_len(list) && rc == OK; p->n++)
		rc = read_pin(&p->list[p->n], a, path, jsn_at(list, p->n), e);
	return rc;
}

static enum errcode load(struct arena *a, const char *path, struct json_object **o, struct err *e)
{
	int fd = owned_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);

	*o = NULL;
	if (fd < 0)
		return errno == ENOENT ? OK : err_set(e, ERR_CONFIG, "MCP_PINS: %.200s: %s", path,
		    strerrordesc_np(errno));
	enum errcode rc = owned_settings(fd, path, "set MCP_PINS to another file", e);
	close(fd);
	return rc == OK ? jsn_load(a, path, FILE_MAX, o, e) : rc;
}

enum errcode mcp_pins_read(struct mcp_pins **out, size_t *n, struct arena *a, const char *path,
    struct err *e)
{
	struct json_object *o, *servers;
	enum errcode rc = load(a, path, &o, e);

	*n = 0;
	servers = jsn_get(o, "servers");
	*out = arena_array(a, jsn_len(servers) + 1, sizeof(**out));
	if (rc == OK && o != NULL && jsn_get_int(o, "format", 0) != FORMAT)
		rc = broken(path, "it has another format", e);
	if (rc == OK && jsn_is(servers, json_type_object))
		JSN_EACH(servers, it)
			if (rc == OK)
				rc = read_pins(&(*out)[(*n)++], a, path, it.key, it.val, e);
	return rc;
}

static struct json_object *pin_json(struct arena *a, const struct mcp_pin *pin)
{
	struct json_object *o = jsn_new(), *schema;

	jsn_add_str(o, "name", pin->name);
	if (pin->title != NULL)
		jsn_add_str(o, "title", pin->title);
	jsn_add_str(o, "description", pin->description);
	if (jsn_parse(a, pin->schema, strlen(pin->schema), JSN_DEPTH, &schema, NULL, NULL) == OK)
		jsn_add(o, "inputSchema", jsn_ref(schema));
	if (pin->output != NULL &&
	    jsn_parse(a, pin->output, strlen(pin->output), JSN_DEPTH, &schema, NULL, NULL) == OK)
		jsn_add(o, "outputSchema", jsn_ref(schema));
	jsn_add_str(o, "sha256", pin->hash);
	return o;
}

static enum errcode write_all(int fd, const char *p, size_t n, const char *path, struct err *e)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno != EINTR)
			return err_set(e, ERR_IO, "%s: %s", path, strerrordesc_np(errno));
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return OK;
}

enum errcode mcp_pins_write(const struct mcp_pins *list, size_t n, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct json_object *o = jsn_object(a), *servers = jsn_new();
	const char *tmp = arena_printf(a, "%s.tmp", path);
	char *dir = path_folder(path);
	int fd = -1;

	for (size_t i = 0; i < n; i++) {
		struct json_object *tools = json_object_new_array();
		for (size_t k = 0; k < list[i].n; k++)
			jsn_push(tools, pin_json(a, &list[i].list[k]));
		jsn_add(servers, list[i].server, tools);
	}
	jsn_add_int(o, "format", FORMAT);
	jsn_add(o, "servers", servers);
	const char *text = arena_printf(a, "%s\n", jsn_text(a, o, JSN_INDENT));
	enum errcode rc = make_dirs(dir, 0750, e);
	if (rc == OK)
		rc = replace_begin(tmp, &fd, e);
	if (rc == OK)
		rc = write_all(fd, text, strlen(text), tmp, e);
	if (rc == OK)
		rc = replace_file(tmp, path, e);
	if (fd >= 0)
		close(fd);
	free(dir);
	arena_free(a);
	return rc;
}

/* ---- looking up ------------------------------------------------------------------------------- */

const struct mcp_pins *mcp_pins_of(const struct mcp_pins *list, size_t n, const char *server)
{
	for (size_t i = 0; i < n; i++)
		if (streq(list[i].server, server))
			return &list[i];
	return NULL;
}

const struct mcp_pin *mcp_pin_find(const struct mcp_pins *pins, const char *tool)
{
	for (size_t i = 0; pins != NULL && i < pins->n; i++)
		if (streq(pins->list[i].name, tool))
			return &pins->list[i];
	return NULL;
}
