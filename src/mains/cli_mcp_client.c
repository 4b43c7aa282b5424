/*
 * aviation-agent mcp-client: look at external MCP servers, and accept their tools.
 *
 * A tool is used only as it was when somebody accepted it here. So `show` prints what a server says
 * of its tools, and `pin` writes that down for those that MCP_SERVERS allows by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "drivers/child.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "tools/external.h"

/* The servers of the settings, without the rest of the service. */
struct desk {
	struct arena *mem;
	struct conf conf;
	struct httpc *http;
	struct mcp_servers servers;
	struct mcp_pins *pins;
	size_t npins;
};

static enum errcode open_desk(struct desk *d, struct err *e)
{
	*d = (struct desk){ .mem = arena_new() };
	enum errcode rc = conf_load(&d->conf, d->mem, e);
	const struct httpc_config hc = { .ca_file = d->conf.ca_file };

	log_level_set(d->conf.log_level != NULL ? d->conf.log_level : "OFF");
	if (rc == OK)
		rc = mcp_servers_read(&d->servers, d->mem, d->conf.mcp_servers, e);
	if (rc == OK && d->servers.n == 0)
		rc = err_set(e, ERR_CONFIG, "MCP_SERVERS is not set, so there is no external server; "
		    "doc/mcp-client.md shows how to name one");
	if (rc == OK)
		rc = mcp_pins_read(&d->pins, &d->npins, d->mem, d->conf.mcp_pins, e);
	return rc == OK ? httpc_open(&d->http, &hc, e) : rc;
}

static void close_desk(struct desk *d)
{
	httpc_close(d->http);
	arena_free(d->mem);
}

static struct mcp_client *client_of(struct desk *d, const struct mcp_remote *s)
{
	const struct mcp_client_config c = { .server = s, .http = d->http, .minder = CHILD_MINDER,
		.pins = mcp_pins_of(d->pins, d->npins, s->name) };
	return mcp_client_new(&c);
}

static bool is_allowed(const struct mcp_remote *s, const char *tool)
{
	for (size_t i = 0; i < s->nallowed; i++)
		if (streq(s->allowed[i], tool))
			return true;
	return false;
}

/* Can a tool of a list be used? Then *pin is it as it would be accepted. */
static enum errcode usable(struct arena *a, const char *server, struct json_object *tool,
    struct mcp_pin *pin, struct err *e)
{
	enum errcode rc = mcp_pin_make(pin, a, tool, e);
	return rc == OK ? external_tool_ok(a, server, pin, e) : rc;
}

/* ---- what there is to say of a server --------------------------------------------------------- */

static const char *add_name(struct arena *a, const char *list, const char *name)
{
	return arena_printf(a, "%s%s%s", list, *list == '\0' ? "" : ", ", name);
}

/* The allowed tools in five lists: in use; changed; not accepted yet; not there; left out, because another tool has
 * the name. */
struct lists { const char *good, *changed, *fresh, *missing, *taken; };

static struct lists sort_tools(struct mcp_client *c, struct toolset table, struct arena *a, struct json_object *tools)
{
	const struct mcp_remote *s = mcp_client_server(c);
	struct lists l = { "", "", "", "", "" };

	for (size_t i = 0; i < s->nallowed; i++) {
		const struct mcp_pin *pin = mcp_pin_find(mcp_client_pins(c), s->allowed[i]);
		bool there = false;
		for (size_t k = 0; k < jsn_len(tools); k++)
			there |= streq(jsn_get_str(jsn_at(tools, k), "name", NULL), s->allowed[i]);
		const char **list = !there ? &l.missing : pin == NULL ? &l.fresh
		    : mcp_client_tool_state(c, pin) != MCP_TOOL_SAME ? &l.changed
		    : external_tool_rival(table, a, s->name, pin) != NULL ? &l.taken : &l.good;
		*list = add_name(a, *list, s->allowed[i]);
	}
	return l;
}

enum errcode cli_mcp_survey(struct mcp_client *c, struct toolset table, struct arena *a, const char **said,
    struct err *e)
{
	const struct mcp_remote *s = mcp_client_server(c);
	struct json_object *tools;
	const char *todo = arena_printf(a, "aviation-agent mcp-client pin %s", s->name);
	enum errcode rc = mcp_client_list(c, a, NULL, &tools, e);

	if (rc != OK)
		return rc;
	const struct lists l = sort_tools(c, table, a, tools);
	*said = arena_printf(a, "%s: %s, protocol %s, %zu tools; in use: %s", s->name,
	    s->url != NULL ? "HTTP" : "a program", mcp_client_status(c).version, jsn_len(tools),
	    *l.good != '\0' ? l.good : "none");
	if (*l.changed != '\0')
		return err_set(e, ERR_CONFIG, "%s: changed since they were accepted: %.200s; they are not used; look at them "
		    "with: aviation-agent mcp-client show %s, and accept them with: %s", s->name, l.changed, s->name, todo);
	if (*l.missing != '\0')
		return err_set(e, ERR_CONFIG, "%s: the server does not have these tools: %.200s; take them out of \"tools\" in "
		    "MCP_SERVERS, or look at what it has with: aviation-agent mcp-client show %s", s->name, l.missing,
		    s->name);
	if (*l.fresh != '\0')
		return err_set(e, ERR_CONFIG, "%s: not accepted yet: %.200s; look at them and accept them with: %s", s->name,
		    l.fresh, todo);
	if (*l.taken != '\0')
		return err_set(e, ERR_CONFIG, "%s: not used, because another tool has the same name for the agent: %.200s; take "
		    "one of the two out of \"tools\" in MCP_SERVERS, or give its server another name", s->name, l.taken);
	if (s->nallowed == 0)
		*said = arena_printf(a, "%s; none is allowed: name those to use in \"tools\" in MCP_SERVERS", *said);
	return OK;
}

/* ---- show --------------------------------------------------------------------------------------- */

static const char *state_word(struct mcp_client *c, const char *tool)
{
	static const char *const words[] = {
		[MCP_TOOL_UNSEEN] = "accepted", [MCP_TOOL_SAME] = "accepted, in use",
		[MCP_TOOL_CHANGED] = "CHANGED since it was accepted: not used", [MCP_TOOL_MISSING] = "missing",
	};
	const struct mcp_pin *pin = mcp_pin_find(mcp_client_pins(c), tool);

	if (!is_allowed(mcp_client_server(c), tool))
		return "not allowed";
	return pin == NULL ? "allowed, not accepted yet" : words[mcp_client_tool_state(c, pin)];
}

/* Several lines, each escaped for the terminal. */
static void print_text(const char *before, const char *text)
{
	while (*text != '\0') {
		char line[1000];
		const size_t n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)utf8_cut(text, n, sizeof(line) - 1), text);
		printf("%s%s\n", before, cli_plain(line));
		text += n + (text[n] == '\n');
	}
}

static void print_tool(struct arena *a, const struct mcp_pin *pin, const char *state)
{
	struct json_object *schema;

	printf("- %s (%s)\n", pin->name, state);
	print_text("    ", pin->description);
	if (jsn_parse(a, pin->schema, strlen(pin->schema), JSN_DEPTH, &schema, NULL, NULL) == OK)
		print_text("    | ", jsn_text(a, schema, JSN_INDENT));
	printf("    sha256 %s\n", pin->hash);
}

static enum errcode show(struct desk *d, const struct mcp_remote *s, struct err *e)
{
	struct mcp_client *c = client_of(d, s);
	struct json_object *tools;
	struct mcp_pin pin;
	struct err why;
	enum errcode rc = mcp_client_list(c, d->mem, NULL, &tools, e);

	if (rc == OK)
		printf("%s: protocol %s, %zu tools\n", s->name, mcp_client_status(c).version, jsn_len(tools));
	for (size_t i = 0; rc == OK && i < jsn_len(tools); i++) {
		struct json_object *tool = jsn_at(tools, i);
		if (usable(d->mem, s->name, tool, &pin, &why) == OK)
			print_tool(d->mem, &pin, state_word(c, pin.name));
		else
			printf("- %s cannot be used: %s\n", cli_plain(jsn_get_str(tool, "name", "(no name)")), why.msg);
	}
	mcp_client_free(c);
	return rc;
}

/* ---- pin ------------------------------------------------------------------------------------------ */

/* The server's pins in the list of all, made if it has none. */
static struct mcp_pins *pins_of(struct desk *d, const char *server)
{
	for (size_t i = 0; i < d->npins; i++)
		if (streq(d->pins[i].server, server))
			return &d->pins[i];
	struct mcp_pins *more = arena_array(d->mem, d->npins + 1, sizeof(*more));
	memcpy(more, d->pins, d->npins * sizeof(*more));
	d->pins = more;
	d->pins[d->npins] = (struct mcp_pins){ .server = server };
	return &d->pins[d->npins++];
}

static void accept_tool(struct desk *d, const struct mcp_pins *before, struct mcp_pins *now,
    const struct mcp_pin *pin)
{
	const struct mcp_pin *old = mcp_pin_find(before, pin->name);

	if (old != NULL && streq(old->hash, pin->hash)) {
		printf("- %s: accepted before, unchanged\n", pin->name);
	} else {
		if (old != NULL) {
			printf("- %s was accepted as:\n", pin->name);
			print_text("    ", old->description);
		}
		print_tool(d->mem, pin, old != NULL ? "changed, now accepted" : "accepted");
	}
	now->list[now->n++] = *pin;
}

static enum errcode pin(struct desk *d, const struct mcp_remote *s, struct err *e)
{
	struct mcp_client *c = client_of(d, s);
	struct mcp_pins now = { .server = s->name,
		.list = arena_array(d->mem, MCP_ALLOWED_MAX, sizeof(struct mcp_pin)) };
	const struct mcp_pins *before = mcp_pins_of(d->pins, d->npins, s->name);
	struct json_object *tools;
	struct err why;
	enum errcode rc = mcp_client_list(c, d->mem, NULL, &tools, e);

	if (rc == OK)
		printf("%s: protocol %s, %zu tools\n", s->name, mcp_client_status(c).version, jsn_len(tools));
	for (size_t i = 0; rc == OK && i < s->nallowed; i++) {
		struct mcp_pin found = { .name = NULL };
		bool there = false;
		for (size_t k = 0; k < jsn_len(tools) && !there; k++) {
			there = streq(jsn_get_str(jsn_at(tools, k), "name", NULL), s->allowed[i]);
			if (there && usable(d->mem, s->name, jsn_at(tools, k), &found, &why) != OK)
				found.name = NULL;
		}
		if (found.name != NULL)
			accept_tool(d, before, &now, &found);
		else
			printf("- %s cannot be used: %s\n", s->allowed[i], there ? why.msg : "the server does not have it");
	}
	if (rc == OK && s->nallowed == 0)
		printf("No tool is allowed: name those to use in \"tools\" in MCP_SERVERS. The server has them: "
		    "aviation-agent mcp-client show %s\n", s->name);
	mcp_client_free(c);
	if (rc == OK)
		*pins_of(d, s->name) = now;
	return rc;
}

/* ---- call ------------------------------------------------------------------------------------------- */

static enum errcode call_tool(struct desk *d, const struct mcp_remote *s, const char *name,
    const char *arguments, struct err *e)
{
	const struct mcp_pin *of = mcp_pin_find(mcp_pins_of(d->pins, d->npins, s->name), name);
	struct json_object *args = NULL, *result;
	struct mcp_client *c;
	enum errcode rc = OK;

	if (of == NULL)
		return err_set(e, ERR_INPUT, "%.60s is not accepted: aviation-agent mcp-client pin %s", name, s->name);
	if (jsn_parse(d->mem, arguments, strlen(arguments), JSN_DEPTH, &args, NULL, NULL) != OK ||
	    !jsn_is(args, json_type_object))
		return err_set(e, ERR_INPUT, "the arguments must be a JSON object");
	c = client_of(d, s);
	rc = mcp_client_call(c, of, d->mem, args, NULL, &result, e);
	if (rc == OK)
		print_text("", jsn_text(d->mem, result, JSN_INDENT));
	if (rc == OK && jsn_get_bool(result, "failed", false))
		rc = err_set(e, ERR_TOOL, "%s says that the call failed", s->name);
	mcp_client_free(c);
	return rc;
}

/* ---- aviation-agent tools --------------------------------------------------------------------------- */

static void end_client(void *client)
{
	mcp_client_free(client);
}

enum errcode cli_mcp_tools(struct toolset *table, struct arena *a, const struct conf *conf, struct err *e)
{
	struct mcp_servers servers;
	struct mcp_pins *pins = NULL;
	size_t n = 0;
	enum errcode rc = mcp_servers_read(&servers, a, conf->mcp_servers, e);

	/* a tool that is left out is no news here: `check` tells why */
	log_level_set(conf->log_level != NULL ? conf->log_level : "OFF");
	if (rc == OK && servers.n > 0)
		rc = mcp_pins_read(&pins, &n, a, conf->mcp_pins, e);
	for (size_t i = 0; rc == OK && i < servers.n; i++) {
		const struct mcp_client_config c = { .server = &servers.list[i],
			.pins = mcp_pins_of(pins, n, servers.list[i].name) };
		struct mcp_client *client = mcp_client_new(&c);
		arena_defer(a, end_client, client);
		rc = external_tools_add(table, a, client, e);
	}
	return rc;
}

/* ---- the command -------------------------------------------------------------------------------------- */

static const struct mcp_remote *find_server(const struct desk *d, const char *name)
{
	for (size_t i = 0; i < d->servers.n; i++)
		if (streq(d->servers.list[i].name, name))
			return &d->servers.list[i];
	return NULL;
}

/* Do it with one server or with all; a failure of one is reported, and the others follow. */
static int with_servers(struct desk *d, const char *only,
    enum errcode (*fn)(struct desk *, const struct mcp_remote *, struct err *))
{
	int status = 0;

	for (size_t i = 0; i < d->servers.n; i++) {
		struct err e = { 0 };
		if ((only == NULL || streq(only, d->servers.list[i].name)) && fn(d, &d->servers.list[i], &e) != OK)
			status = cli_fail(&e);
	}
	return status;
}

static int run_command(struct desk *d, int argc, char **argv)
{
	struct err e = { 0 };
	int status;

	if (argc > 2 && find_server(d, argv[2]) == NULL) {
		err_set(&e, ERR_INPUT, "MCP_SERVERS has no server %.40s", argv[2]);
		return cli_fail(&e);
	}
	if (streq(argv[1], "call"))
		return call_tool(d, find_server(d, argv[2]), argv[3], argc > 4 ? argv[4] : "{}", &e) == OK ? 0 : cli_fail(&e);
	if (streq(argv[1], "show"))
		return with_servers(d, argc > 2 ? argv[2] : NULL, show);
	status = with_servers(d, argc > 2 ? argv[2] : NULL, pin);
	if (mcp_pins_write(d->pins, d->npins, d->conf.mcp_pins, &e) != OK)
		return cli_fail(&e);
	printf("Written: %s. Start the workers again, so that they use it.\n", cli_plain(d->conf.mcp_pins));
	return status;
}

int cli_mcp_client(int argc, char **argv)
{
	struct desk d;
	struct err e = { 0 };
	int status;

	/* for tests of the program; not in the help */
	if (argc == 3 && streq(argv[1], "conformance"))
		return cli_mcp_conformance(argv[2]);
	if (argc < 2 || !one_of(argv[1], "show|pin|call") || (streq(argv[1], "call") ? argc < 4 || argc > 5 : argc > 3))
		return cli_usage("mcp-client: expected: show [SERVER], pin [SERVER], or call SERVER TOOL [JSON]");
	status = open_desk(&d, &e) == OK ? run_command(&d, argc, argv) : cli_fail(&e);
	close_desk(&d);
	return status;
}
