/*
 * The tool table as MCP tools. The objects of tools/list are printed once, when the server is made.
 *
 * Tools of external servers are left out: their owners have not agreed to serve our callers.
 */
#include "edges/mcp_call.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/model.h"
#include "airports/persona.h"
#include "base/clock.h"
#include "base/log.h"
#include "services/counts.h"
#include "services/llm.h"

enum { TOKEN_BYTES = 4 };

/* ---- what a tool looks like ------------------------------------------------------------ */

/* What callers may send, as far as a schema can say it. Models are told less (tool_schema()). */
static void add_bounds(struct json_object *o, const struct tool_arg *arg)
{
	if ((arg->min != 0 || arg->max != 0) && !isinf(arg->min))
		jsn_add_num(o, "minimum", arg->min);
	if ((arg->min != 0 || arg->max != 0) && !isinf(arg->max))
		jsn_add_num(o, "maximum", arg->max);
	if (arg->choices == NULL || arg->type != ARG_STRING || jsn_has(o, "enum"))
		return;
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; arg->choices[i] != NULL; i++)
		jsn_push(list, jsn_str(arg->choices[i]));
	jsn_add(o, "enum", list);
}

static struct json_object *input_schema(struct arena *a, const struct tool *t)
{
	struct json_object *schema = tool_schema(a, t), *properties = jsn_get(schema, "properties");

	for (size_t i = 0; i < t->nargs; i++)
		if (t->args[i].json == NULL)
			add_bounds(jsn_get(properties, t->args[i].name), &t->args[i]);
	jsn_add_bool(schema, "additionalProperties", false);
	return schema;
}

/* "find_airports_near_route" as "Find airports near route" */
static const char *title_of(struct arena *a, const char *name)
{
	char *title = arena_strdup(a, name);

	for (char *p = title; *p != '\0'; p++)
		if (*p == '_')
			*p = ' ';
	title[0] = ascii_upper(title[0]);
	return title;
}

/* `open`: the tool asks a model or the network. */
static const char *describe(struct arena *a, const struct tool *t, const char *doc, bool open)
{
	struct arena *work = arena_new();
	struct json_object *o = jsn_object(work), *hints = jsn_new(), *shape;
	const char *json = mcp_shape_of(t);

	jsn_add_str(o, "name", t->name);
	jsn_add_str(o, "title", title_of(work, t->name));
	jsn_add_str(o, "description", doc);
	jsn_add(o, "inputSchema", jsn_ref(input_schema(work, t)));
	if (json != NULL && jsn_parse(work, json, strlen(json), JSN_DEPTH, &shape, NULL, NULL) == OK)
		jsn_add(o, "outputSchema", jsn_ref(shape));
	jsn_add_bool(hints, "readOnlyHint", true);
	jsn_add_bool(hints, "openWorldHint", open);
	jsn_add(o, "annotations", hints);
	const char *text = jsn_text(a, o, JSN_PLAIN);
	arena_free(work);
	return text;
}

static void run_row(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args);

static struct mcp_tool tool_of(const struct mcp_server *s, const struct tool *t)
{
	/* a model may help to find rules, and a geocoder to find places */
	const bool model = s->app->model->llm != NULL && t->domain == TOOL_RULES;
	const bool open = model || (s->app->tools.geocoder != NULL && t->domain == TOOL_AIRPORTS);

	return (struct mcp_tool){ .row = t, .run = run_row, .slow = model,
		.json = describe(s->mem, t, model_tool_doc(s->app->model, t), open) };
}

static struct mcp_tool ask_tool(const struct mcp_server *s)
{
	return (struct mcp_tool){ .row = &mcp_ask_row, .run = mcp_ask, .slow = true,
		.json = describe(s->mem, &mcp_ask_row, mcp_ask_row.doc, true) };
}

bool mcp_may_use(const struct mcp_caller *caller, const char *name)
{
	for (size_t i = 0; caller->tools != NULL && caller->tools[i] != NULL; i++)
		if (streq(caller->tools[i], name))
			return true;
	return caller->tools == NULL;
}

static const char *join(struct arena *a, const struct mcp_server *s, const struct mcp_caller *caller)
{
	struct buf b;

	buf_init(&b, MCP_OUT_MAX);
	buf_putc(&b, '[');
	for (size_t i = 0; i < s->ntools; i++)
		if (mcp_may_use(caller, s->tools[i].row->name))
			buf_printf(&b, "%s%s", b.n > 1 ? "," : "", s->tools[i].json);
	buf_putc(&b, ']');
	const char *list = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return list;
}

void mcp_tools_open(struct mcp_server *s)
{
	const struct toolset offered = s->app != NULL ? s->app->tools.offered : (struct toolset){ NULL, 0 };
	const struct mcp_caller anybody = { .tools = NULL };
	struct mcp_tool *fixtures = NULL;
	const size_t nfixtures = s->parts.mcp_fixtures ? mcp_fixture_tools(s->mem, &fixtures) : 0;

	s->tools = arena_array(s->mem, offered.n + nfixtures + 1, sizeof(*s->tools));
	for (size_t i = 0; i < offered.n; i++)
		if (offered.tools[i]->domain != TOOL_EXTERNAL)
			s->tools[s->ntools++] = tool_of(s, offered.tools[i]);
	if (s->app != NULL)
		s->tools[s->ntools++] = ask_tool(s);
	for (size_t i = 0; i < nfixtures; i++) {
		fixtures[i].json = describe(s->mem, fixtures[i].row, fixtures[i].row->doc, false);
		s->tools[s->ntools++] = fixtures[i];
	}
	s->list = join(s->mem, s, &anybody);
}

/* ---- tools/list ------------------------------------------------------------------------------ */

void mcp_tools_list(struct mcp_call *c)
{
	const struct mcp_server *s = c->server;
	const char *list = c->caller->tools == NULL ? s->list : join(c->mem, s, c->caller);

	if (!mcp_one_page(c))
		return;
	mcp_result_open(c);
	mcp_member(c, "tools");
	buf_puts(c->out, list);
	mcp_cacheable(c, c->caller->tools == NULL);
	mcp_result_close(c);
}

/* ---- tools/call ------------------------------------------------------------------------------- */

void mcp_tool_failed(struct mcp_call *c, const char *said)
{
	mcp_result_open(c);
	mcp_member(c, "content");
	buf_puts(c->out, "[{\"type\":\"text\",\"text\":");
	jsn_print_str(c->out, said);
	buf_puts(c->out, "}]");
	mcp_member(c, "isError");
	buf_puts(c->out, "true");
	mcp_result_close(c);
}

/* What a page draws repeats the airports, and a client that is no page has no use for it. */
static const char *const only_for_pages[] = { "visualization" };

/* A result that is too large for clients keeps the beginnings of its lists and texts, and says so in
 * `_shortened`. */
static struct json_object *shortened(struct arena *a, struct json_object *result)
{
	const char *text = model_result(a, result, MCP_TEXT_MAX / TOKEN_BYTES);
	struct json_object *o;

	return jsn_parse(a, text, strlen(text), MCP_DEPTH, &o, NULL, NULL) == OK ? o : result;
}

void mcp_tool_result(struct mcp_call *c, struct json_object *result)
{
	struct buf b;

	for (size_t i = 0; i < sizeof(only_for_pages) / sizeof(only_for_pages[0]); i++)
		json_object_object_del(result, only_for_pages[i]);
	buf_init(&b, MCP_OUT_MAX);
	jsn_print(&b, result, JSN_PLAIN);
	if (b.n > MCP_TEXT_MAX) {
		struct json_object *less = shortened(c->mem, result);
		buf_clear(&b);
		jsn_print(&b, less, JSN_PLAIN);
	}
	mcp_result_open(c);
	mcp_member(c, "content");
	buf_puts(c->out, "[{\"type\":\"text\",\"text\":");
	jsn_print_str(c->out, b.p);
	buf_puts(c->out, "}]");
	mcp_member(c, "structuredContent");
	buf_put(c->out, b.p, b.n);
	mcp_result_close(c);
	buf_release(&b);
}

const char *mcp_persona(const struct mcp_call *c)
{
	const struct personas *personas = c->server->parts.personas;

	return personas != NULL && personas->standard != NULL ? personas->standard->id : NULL;
}

bool mcp_tool_run(struct mcp_call *c, const struct tool *t, struct json_object *args, struct json_object **result,
    struct err *e)
{
	struct llm_usage usage = { 0 };
	struct tool_context ctx = c->server->app->tools;

	ctx.watch = &c->watch;
	ctx.until_ms = c->until_ms;
	ctx.usage = &usage;
	const enum errcode rc = tool_call(&ctx, t, c->mem, args, mcp_persona(c), result, e);
	if (rc == ERR_HUP)
		c->hup = true;
	return rc == OK;
}

static void run_row(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	struct json_object *result;
	struct err e = { 0 };

	if (t->slow)
		mcp_tell(c, arena_printf(c->mem, "Looking up %s", tool_about(t->row)));
	if (mcp_tool_run(c, t->row, args, &result, &e))
		mcp_tool_result(c, result);
	else
		mcp_tool_failed(c, e.msg);
}

static const struct mcp_tool *find(const struct mcp_call *c, const char *name)
{
	const struct mcp_server *s = c->server;

	for (size_t i = 0; i < s->ntools; i++)
		if (streq(s->tools[i].row->name, name) && mcp_may_use(c->caller, name))
			return &s->tools[i];
	return NULL;
}

/* Count the call in the store, for all workers together. A store that does not answer stops no call: the tools
 * do not need it. */
static bool count(struct mcp_call *c, const char *what, int64_t max)
{
	enum { WINDOW_MS = 60000, TOO_MANY = 429 };
	struct err e = { 0 };
	int64_t left_ms = 0;

	if (c->caller->counted == NULL || max == 0)
		return true;
	const enum errcode rc = store_count(c->server->parts.store, arena_printf(c->mem, "mcp:%s:%s", what,
	    c->caller->counted), 1, max, WINDOW_MS, &left_ms, &e);
	if (rc != ERR_LIMIT && rc != OK)
		log_msg(LOG_WARN, "mcp", "a call was not counted: %s", e.msg);
	if (rc != ERR_LIMIT)
		return true;
	c->retry_s = left_ms / 1000 + 1;
	mcp_refuse(c, TOO_MANY, TOO_MANY, arena_printf(c->mem, "Too many %s within a minute. Try again in %lld s.", what,
	    (long long)c->retry_s), NULL);
	return false;
}

bool mcp_count_call(struct mcp_call *c)
{
	return count(c, "calls", c->server->parts.conf->mcp_calls_per_minute);
}

static bool within_questions(struct mcp_call *c, const struct mcp_tool *t)
{
	return t->row != &mcp_ask_row || count(c, "questions", c->server->parts.conf->mcp_questions_per_minute);
}

/* A slow call occupies a thread as long as a turn of the chat may, so both share one limit: plain requests must find a
 * thread. */
static void run_slow(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	struct edge *edge = c->server->edge;

	if (edge == NULL) {
		t->run(c, t, args);
		return;
	}
	if (atomic_fetch_add(&edge->chats, 1) < edge->max_chats)
		t->run(c, t, args);
	else
		mcp_tool_failed(c, err_row(ERR_OVERLOAD)->said);
	atomic_fetch_sub(&edge->chats, 1);
}

void mcp_tools_call(struct mcp_call *c)
{
	const char *name = jsn_get_str(c->msg.params, "name", NULL);
	const struct mcp_tool *t = name != NULL ? find(c, name) : NULL;
	struct json_object *args = jsn_get(c->msg.params, "arguments");
	const int64_t started_us = clock_mono_us();
	struct err e = { 0 };

	if (name == NULL) {
		mcp_invalid(c, "params.name must be the name of a tool.");
		return;
	}
	if (t == NULL) {
		mcp_invalid(c, arena_printf(c->mem, "There is no tool \"%.64s\". tools/list names them.", name));
		return;
	}
	if (args == NULL)
		args = jsn_object(c->mem);
	if (!jsn_is(args, json_type_object)) {
		mcp_invalid(c, "params.arguments must be an object.");
		return;
	}
	if (!mcp_count_call(c))
		return;
	if (tool_check(t->row, args, &e) != OK)
		mcp_tool_failed(c, arena_printf(c->mem, "%s. Correct the arguments and call again.", e.msg));
	else if (within_questions(c, t))
		(t->slow ? run_slow : t->run)(c, t, args);
	log_msg(LOG_DEBUG, "mcp", "tool=%s us=%lld bytes=%zu", t->row->name,
	    (long long)(clock_mono_us() - started_us), c->out->n);
}
