/*
 * A row for each accepted tool of an external server.
 *
 * What such a tool answers is checked like its arguments: where the operator accepted a schema of its
 * results, a result that does not fit it is a failure.
 */
#include "tools/external.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "tools/tool_args.h"

enum { NAME_BYTES = 64, HASH_DIGITS = 8 };

/* A row and what its functions need. */
struct external {
	struct tool row;
	struct tool shape;            /* the schema of its results, as rows; no rows: there is none */
	struct mcp_client *client;
	const struct mcp_pin *pin;
};

static const char *row_name(struct arena *a, const char *server, const char *tool)
{
	char *name = arena_printf(a, "mcp__%s__%s", server, tool);
	char hash[2 * sizeof(uint64_t) + 1];
	const uint64_t h = str_hash(name);

	hex_put(hash, &h, sizeof(h));
	hash[HASH_DIGITS] = '\0';
	if (strlen(name) > NAME_BYTES)
		name = arena_printf(a, "%.*s_%s", NAME_BYTES - HASH_DIGITS - 1, name, hash);
	for (char *p = name; *p != '\0'; p++)
		if (!id_valid((const char[]){ *p, '\0' }, 1))
			*p = '_';
	return name;
}

/* ---- calling ------------------------------------------------------------------------------------ */

static enum errcode check_result(const struct external *x, struct json_object *result, struct err *e)
{
	struct err why = { 0 };

	if (x->shape.nargs == 0 || jsn_get_bool(result, "shortened", false) || jsn_get_bool(result, "failed", false) ||
	    tool_args_check(&x->shape, jsn_get(result, "data"), false, &why) == OK)
		return OK;
	log_msg(LOG_WARN, "mcp_result_odd", "tool=%s why=\"%s\"", x->row.name, why.msg);
	return err_set(e, ERR_TOOL, "the server %s gave a result of another shape than it announced",
	    mcp_client_server(x->client)->name);
}

/* What went wrong with a server is for the operator; the user is told which server it is. */
static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct external *x = self;
	struct err why = { 0 };
	enum errcode rc = mcp_client_call(x->client, x->pin, a, args, ctx->watch, result, &why);

	if (rc == OK)
		return check_result(x, *result, e);
	if (rc != ERR_UPSTREAM && rc != ERR_AUTH && rc != ERR_CONFIG && rc != ERR_IO)
		return err_set(e, rc, "%s", why.msg);
	log_msg(LOG_WARN, "mcp_call_failed", "tool=%s code=%s why=\"%s\"", x->row.name, err_row(rc)->name,
	    why.msg);
	return err_set(e, ERR_TOOL, "the server %s could not be reached or did not answer properly",
	    mcp_client_server(x->client)->name);
}

static bool ready(void *self)
{
	const struct external *x = self;

	return mcp_client_tool_ready(x->client, x->pin);
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static enum errcode read_schema(struct tool *t, struct arena *a, const char *json, struct err *e)
{
	struct json_object *schema;

	if (jsn_parse(a, json, strlen(json), JSN_DEPTH, &schema, NULL, e) != OK)
		return err_set(e, ERR_CONFIG, "%s: its schema is not JSON", t->name);
	return tool_args_read(t, a, schema, e);
}

/* The model is told whose tool it is: its text is not ours. */
static const char *doc_of(struct arena *a, const char *server, const struct mcp_pin *pin)
{
	return arena_printf(a, "Tool of the external server \"%s\". %s", server,
	    *pin->description != '\0' ? pin->description : pin->title != NULL ? pin->title : pin->name);
}

static enum errcode make_row(struct external *x, struct arena *a, const char *server,
    const struct mcp_pin *pin, struct err *e)
{
	struct err why;

	x->pin = pin;
	x->row = (struct tool){ .name = row_name(a, server, pin->name), .doc = doc_of(a, server, pin),
		.domain = TOOL_EXTERNAL, .ui = TOOL_UI_GENERIC, .result = RESULT_EXTERNAL,
		.about = pin->title != NULL && *pin->title != '\0' ? pin->title : server,
		.words = arena_printf(a, "%s %s", pin->name, pin->title != NULL ? pin->title : ""),
		.self = x, .call = call, .ready = ready };
	x->shape = (struct tool){ .name = x->row.name };
	/* a schema of results that we cannot check is no reason to do without the tool */
	if (pin->output != NULL && read_schema(&x->shape, a, pin->output, &why) != OK)
		x->shape.nargs = 0;
	return read_schema(&x->row, a, pin->schema, e);
}

enum errcode external_tool_ok(struct arena *a, const char *server, const struct mcp_pin *pin,
    struct err *e)
{
	return make_row(arena_alloc(a, sizeof(struct external)), a, server, pin, e);
}

const struct tool *external_tool_rival(struct toolset table, struct arena *a, const char *server,
    const struct mcp_pin *pin)
{
	const struct tool *t = toolset_find(table, row_name(a, server, pin->name));

	return t != NULL && t->domain == TOOL_EXTERNAL && ((const struct external *)t->self)->pin == pin ? NULL : t;
}

enum errcode external_tools_add(struct toolset *table, struct arena *a, struct mcp_client *client,
    struct err *e)
{
	const struct mcp_remote *s = mcp_client_server(client);
	enum errcode rc = OK;

	for (size_t i = 0; i < s->nallowed && rc == OK; i++) {
		const struct mcp_pin *pin = mcp_pin_find(mcp_client_pins(client), s->allowed[i]);
		struct external *x = arena_alloc(a, sizeof(*x));
		const struct tool *row = &x->row, *rival;
		struct err why;
		if (pin == NULL) {
			log_msg(LOG_WARN, "mcp_tool_not_accepted", "server=%s tool=%s what_to_do=\"look at it and "
			    "accept it with: aviation-agent mcp-client pin %s\"", s->name, s->allowed[i], s->name);
			continue;
		}
		x->client = client;
		if (make_row(x, a, s->name, pin, &why) != OK)
			log_msg(LOG_WARN, "mcp_tool_unusable", "server=%s tool=%s why=\"%s\"", s->name, pin->name, why.msg);
		else if ((rival = external_tool_rival(*table, a, s->name, pin)) != NULL)
			log_msg(LOG_WARN, "mcp_tool_same_name", "server=%s tool=%s name=%s taken_by=\"%s\"", s->name, pin->name,
			    row->name, rival->about);
		else if (toolset_find(*table, row->name) == NULL)
			rc = toolset_add(table, a, &row, 1, e);
	}
	return rc;
}
