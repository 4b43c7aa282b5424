/*
 * What an assistant can attach to a conversation: the record of an airport, airport://{icao}, and the rules of a
 * country, rules://{cc}; and the completion of their codes while a user types.
 */
#include "edges/mcp_call.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/agent.h"
#include "airports/airdb.h"
#include "airports/countries.h"
#include "edges/rules_page.h"
#include "rules/rules.h"

#define AIRPORT_URI "airport://"
#define RULES_URI "rules://"
#define RULES_TOOL "browse_rules"

enum { CODE_MAX = 12, VALUES_MAX = 100 };

/* A resource says what a tool says, so a caller who may not use the tool has no such resource. */
static const struct tool *airport_tool(const struct mcp_call *c)
{
	const struct aviation_app *app = c->server->app;
	const struct tool *t = app != NULL ? toolset_giving(app->tools.table, RESULT_AIRPORT) : NULL;

	return t != NULL && mcp_may_use(c->caller, t->name) ? t : NULL;
}

static bool may_read_rules(const struct mcp_call *c)
{
	return mcp_may_use(c->caller, RULES_TOOL);
}

/* NULL: there are none, or the caller may not read them. */
static const struct rules_snapshot *rules_now(const struct mcp_call *c)
{
	if (!may_read_rules(c))
		return NULL;
	return rules_use(c->server->parts.rules, c->mem);
}

static const char *country_name(const char *code)
{
	const struct country *country = country_by_code(code);

	return country != NULL ? country->name : code;
}

static void put_row(struct mcp_call *c, const char *uri_key, const char *uri, const char *name, const char *title,
    const char *description)
{
	struct json_object *o = jsn_object(c->mem);

	jsn_add_str(o, uri_key, uri);
	jsn_add_str(o, "name", name);
	jsn_add_str(o, "title", title);
	jsn_add_str(o, "description", description);
	jsn_add_str(o, "mimeType", "application/json");
	if (c->out->p[c->out->n - 1] != '[')
		buf_putc(c->out, ',');
	jsn_print(c->out, o, JSN_PLAIN);
}

/* The countries whose rules are known. Airports are too many to be listed. */
void mcp_resources_list(struct mcp_call *c)
{
	if (!mcp_one_page(c))
		return;
	const struct rules_snapshot *set = rules_now(c);
	mcp_result_open(c);
	mcp_member(c, "resources");
	buf_putc(c->out, '[');
	for (size_t i = 0; set != NULL && i < set->base->ncountries; i++) {
		const char *code = set->base->countries[i].code, *name = country_name(code);
		put_row(c, "uri", arena_printf(c->mem, RULES_URI "%s", code), arena_printf(c->mem, "rules-%s", code),
		    arena_printf(c->mem, "Rules: %s", name),
		    arena_printf(c->mem, "Questions and answers about flying in %s.", name));
	}
	if (c->server->parts.mcp_fixtures)
		mcp_fixture_resources(c);
	buf_putc(c->out, ']');
	mcp_cacheable(c, c->caller->tools == NULL);
	mcp_result_close(c);
}

void mcp_templates_list(struct mcp_call *c)
{
	if (!mcp_one_page(c))
		return;
	mcp_result_open(c);
	mcp_member(c, "resourceTemplates");
	buf_putc(c->out, '[');
	if (airport_tool(c) != NULL)
		put_row(c, "uriTemplate", AIRPORT_URI "{icao}", "airport", "Airport",
		    "All that is known of one airport: runways, radio, procedures, fuel, customs, fees, reviews.");
	if (may_read_rules(c))
		put_row(c, "uriTemplate", RULES_URI "{cc}", "rules", "Rules of a country",
		    "Questions and answers about flying in one country, by its two-letter code.");
	if (c->server->parts.mcp_fixtures)
		mcp_fixture_templates(c);
	buf_putc(c->out, ']');
	mcp_cacheable(c, c->caller->tools == NULL);
	mcp_result_close(c);
}

/* ---- reading -------------------------------------------------------------------------------- */

void mcp_no_resource(struct mcp_call *c, const char *uri)
{
	struct json_object *data = jsn_object(c->mem);

	jsn_add_str(data, "uri", uri);
	mcp_refuse(c, 200, c->era == MCP_MODERN ? MCP_INVALID_PARAMS : MCP_NO_RESOURCE_OLD,
	    "There is no such resource. resources/list and resources/templates/list name those that there are.", data);
}

static void answer(struct mcp_call *c, const char *uri, const char *json)
{
	mcp_result_open(c);
	mcp_member(c, "contents");
	buf_puts(c->out, "[{\"uri\":");
	jsn_print_str(c->out, uri);
	buf_puts(c->out, ",\"mimeType\":\"application/json\",\"text\":");
	jsn_print_str(c->out, json);
	buf_puts(c->out, "}]");
	mcp_cacheable(c, c->caller->tools == NULL);
	mcp_result_close(c);
}

/* The code behind the scheme; NULL: it cannot be one. */
static const char *code_in(const char *uri, const char *scheme)
{
	const char *code = uri + strlen(scheme);
	size_t n = 0;

	if (!starts_with(uri, scheme))
		return NULL;
	while (isalnum((unsigned char)code[n]) || code[n] == '-')
		n++;
	return n > 0 && n <= CODE_MAX && code[n] == '\0' ? code : NULL;
}

static void read_airport(struct mcp_call *c, const char *uri, const char *code)
{
	const struct tool *t = airport_tool(c);
	struct json_object *args = jsn_object(c->mem), *result;
	struct err e = { 0 };

	if (t == NULL) {
		mcp_no_resource(c, uri);
		return;
	}
	jsn_add_str(args, t->args[0].name, code);
	if (!mcp_tool_run(c, t, args, &result, &e)) {
		mcp_refuse(c, 200, MCP_INTERNAL, e.msg, NULL);
		return;
	}
	if (!jsn_get_bool(result, "found", true)) {
		mcp_no_resource(c, uri);
		return;
	}
	json_object_object_del(result, "visualization");
	answer(c, uri, jsn_text(c->mem, result, JSN_PLAIN));
}

static void read_rules(struct mcp_call *c, const char *uri, const char *code)
{
	struct buf b;

	buf_init(&b, MCP_OUT_MAX / 2);
	const struct rules_snapshot *set = rules_now(c);
	if (set == NULL || rules_page_print(&b, c->mem, set, code) == 0)
		mcp_no_resource(c, uri);
	else if (b.full)
		mcp_refuse(c, 200, MCP_INTERNAL, "The rules of this country are too many for one answer. Use the tool "
		    RULES_TOOL ".", NULL);
	else
		answer(c, uri, b.p);
	buf_release(&b);
}

void mcp_resources_read(struct mcp_call *c)
{
	const char *uri = jsn_get_str(c->msg.params, "uri", NULL), *code;

	if (uri == NULL)
		mcp_invalid(c, "params.uri must be a text.");
	else if (!mcp_count_call(c))
		return;
	else if (c->server->parts.mcp_fixtures && mcp_fixture_resource(c, uri))
		return;
	else if ((code = code_in(uri, AIRPORT_URI)) != NULL)
		read_airport(c, uri, code);
	else if ((code = code_in(uri, RULES_URI)) != NULL)
		read_rules(c, uri, code);
	else
		mcp_no_resource(c, uri);
}

/* ---- completion ---------------------------------------------------------------------------------- */

static void add_airports(struct mcp_call *c, struct json_object *values, const char *typed)
{
	const struct aviation_app *app = c->server->app;
	struct aircon *con = NULL;
	const char **idents;
	size_t n = 0;

	if (airport_tool(c) == NULL || *typed == '\0' || airdb_get_watched(app->tools.airports, 0, &c->watch, &con, NULL) != OK)
		return;
	if (airdb_idents(con, c->mem, typed, VALUES_MAX, &idents, &n, NULL) == OK)
		for (size_t i = 0; i < n; i++)
			jsn_push(values, jsn_str(idents[i]));
	airdb_put(con);
}

static bool begins(const char *text, const char *typed)
{
	const size_t n = strlen(typed);

	return strlen(text) >= n && str_ieq((struct str){ text, n }, typed);
}

static void add_rules(struct mcp_call *c, struct json_object *values, const char *typed)
{
	const struct rules_snapshot *set = rules_now(c);

	for (size_t i = 0; set != NULL && i < set->base->ncountries && jsn_len(values) < VALUES_MAX; i++)
		if (begins(set->base->countries[i].code, typed))
			jsn_push(values, jsn_str(set->base->countries[i].code));
}

static void add_countries(struct mcp_call *c, struct json_object *values, const char *typed)
{
	(void)c;
	for (size_t i = 0; i < country_count() && jsn_len(values) < VALUES_MAX; i++)
		if (begins(country_at(i)->name, typed))
			jsn_push(values, jsn_str(country_at(i)->name));
}

static const struct completion {
	const char *kind;
	void (*add)(struct mcp_call *, struct json_object *values, const char *typed);
} completions[] = {
	{ "airport", add_airports }, { "rules", add_rules }, { "country", add_countries },
};

/* What the reference and the argument ask for; NULL: nothing is proposed. */
static const char *kind_of(struct json_object *ref, const char *argument)
{
	const char *type = jsn_get_str(ref, "type", ""), *uri = jsn_get_str(ref, "uri", "");

	if (streq(type, "ref/prompt"))
		return mcp_prompt_kind(jsn_get_str(ref, "name", ""), argument);
	if (streq(uri, AIRPORT_URI "{icao}") && streq(argument, "icao"))
		return "airport";
	return streq(uri, RULES_URI "{cc}") && streq(argument, "cc") ? "rules" : NULL;
}

void mcp_complete(struct mcp_call *c)
{
	struct json_object *ref = jsn_get(c->msg.params, "ref"), *argument = jsn_get(c->msg.params, "argument");
	const char *name = jsn_get_str(argument, "name", NULL), *typed = jsn_get_str(argument, "value", NULL);
	struct json_object *completion = jsn_object(c->mem), *values = jsn_array(c->mem);

	if (!one_of(jsn_get_str(ref, "type", ""), "ref/prompt|ref/resource") || name == NULL || typed == NULL) {
		mcp_invalid(c, "params.ref must be a ref/prompt or ref/resource, and params.argument have a name and a "
		    "value.");
		return;
	}
	const char *kind = kind_of(ref, name);
	for (size_t i = 0; i < sizeof(completions) / sizeof(completions[0]); i++)
		if (streq(completions[i].kind, kind))
			completions[i].add(c, values, typed);
	jsn_add_bool(completion, "hasMore", jsn_len(values) >= VALUES_MAX);
	jsn_add(completion, "values", jsn_ref(values));
	mcp_result_open(c);
	mcp_member_json(c, "completion", completion);
	mcp_result_close(c);
}
