/*
 * aviation-agent mcp-client conformance URL: what the protocol's own conformance suite runs as the client
 * under test. The suite starts a server for each scenario and says in the environment which one it is.
 *
 * It is the client that turns use, without accepted tools: the servers of the suite are new each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/log.h"
#include "base/str.h"
#include "mains/cli.h"
#include "services/mcp_client.h"

enum { TIME_MS = 30000 };

struct bench {
	struct arena *a;
	struct mcp_client *client;
	struct json_object *tools;
	const char *scenario;
	struct err e;
};

static enum errcode ask(struct bench *b, const char *method, const char *name, struct json_object *params,
    struct json_object *schema, struct json_object **result)
{
	const struct mcp_request q = { .method = method, .name = name, .params = params, .schema = schema,
		.ms = TIME_MS };
	struct json_object *ignored;

	return mcp_client_request(b->client, &q, b->a, NULL, result != NULL ? result : &ignored, &b->e);
}

/* A value that fits a property's type. */
static struct json_object *sample(struct bench *b, struct json_object *property)
{
	const char *type = jsn_get_str(property, "type", "object");

	if (streq(type, "number") || streq(type, "integer"))
		return json_object_new_int(5);
	if (streq(type, "string"))
		return jsn_str("sample");
	if (streq(type, "boolean"))
		return json_object_new_boolean(1);
	/* the scenario on schemas wants back what was listed */
	for (size_t i = 0; i < jsn_len(b->tools); i++)
		if (strstr(jsn_get_str(jsn_at(b->tools, i), "name", ""), "2020_12") != NULL)
			return jsn_ref(jsn_get(jsn_at(b->tools, i), "inputSchema"));
	return jsn_new();
}

static void call_tool(struct bench *b, struct json_object *tool, struct json_object *args)
{
	const char *name = jsn_get_str(tool, "name", "");
	struct json_object *schema = jsn_get(tool, "inputSchema"), *params = jsn_object(b->a);
	struct mcp_pin pin;

	/* a tool that cannot be used is left out, and the others are called */
	if (mcp_pin_make(&pin, b->a, tool, &b->e) != OK) {
		fprintf(stderr, "%s is left out: %s\n", cli_plain(name), b->e.msg);
		return;
	}
	if (args == NULL) {
		args = jsn_object(b->a);
		JSN_EACH(jsn_get(schema, "properties"), it)
			jsn_add(args, it.key, sample(b, it.val));
	}
	jsn_add_str(params, "name", name);
	jsn_add(params, "arguments", jsn_ref(args));
	if (ask(b, "tools/call", name, params, schema, NULL) != OK)
		fprintf(stderr, "%s: %s\n", cli_plain(name), b->e.msg);
}

static struct json_object *tool_named(struct bench *b, const char *name)
{
	for (size_t i = 0; i < jsn_len(b->tools); i++)
		if (streq(jsn_get_str(jsn_at(b->tools, i), "name", ""), name))
			return jsn_at(b->tools, i);
	return NULL;
}

static void call_tools(struct bench *b, struct json_object *calls)
{
	for (size_t i = 0; i < jsn_len(calls); i++) {
		struct json_object *tool = tool_named(b, jsn_get_str(jsn_at(calls, i), "name", ""));
		if (tool != NULL)
			call_tool(b, tool, jsn_get(jsn_at(calls, i), "arguments"));
	}
	for (size_t i = 0; calls == NULL && i < jsn_len(b->tools); i++)
		call_tool(b, jsn_at(b->tools, i), NULL);
}

/* List, and get the first of the list. */
static void read_first(struct bench *b, const char *list, const char *get, const char *member, const char *key)
{
	struct json_object *result = NULL, *params = jsn_object(b->a);

	if (ask(b, list, NULL, NULL, NULL, &result) != OK)
		return;
	const char *name = jsn_get_str(jsn_at(jsn_get(result, member), 0), key, NULL);
	if (name == NULL)
		return;
	jsn_add_str(params, key, name);
	(void)ask(b, get, name, params, NULL, NULL);
}

static enum errcode run(struct bench *b)
{
	const char *context = getenv("MCP_CONFORMANCE_CONTEXT");
	struct json_object *o = NULL;
	enum errcode rc = mcp_client_list(b->client, b->a, NULL, &b->tools, &b->e);

	if (rc != OK)
		return rc;
	if (context != NULL)
		(void)jsn_parse(b->a, context, strlen(context), JSN_DEPTH, &o, NULL, NULL);
	if (!streq(b->scenario, "json-schema-ref-no-deref"))
		call_tools(b, jsn_get(o, "toolCalls"));
	if (streq(b->scenario, "http-standard-headers")) {
		read_first(b, "resources/list", "resources/read", "resources", "uri");
		read_first(b, "prompts/list", "prompts/get", "prompts", "name");
	}
	return OK;
}

int cli_mcp_conformance(const char *url)
{
	static const char *const none[] = { NULL };
	const struct mcp_remote server = { .name = "suite", .url = url, .fields = none, .connect_ms = TIME_MS,
		.list_ms = TIME_MS, .call_ms = TIME_MS };
	const char *scenario = getenv("MCP_CONFORMANCE_SCENARIO");
	struct bench b = { .a = arena_new(), .scenario = scenario != NULL ? scenario : "" };
	struct mcp_client_config config = { .server = &server };
	int status = 0;

	log_level_set("OFF");
	if (httpc_open(&config.http, NULL, &b.e) != OK)
		return cli_fail(&b.e);
	b.client = mcp_client_new(&config);
	if (run(&b) != OK)
		status = cli_fail(&b.e);
	mcp_client_free(b.client);
	httpc_close(config.http);
	arena_free(b.a);
	return status;
}
