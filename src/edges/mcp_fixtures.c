/*
 * What the conformance suite of the protocol expects of a server under test: tools, prompts and resources with
 * fixed names and contents. They are served only when the program was started for such a test.
 */
#include "edges/mcp_call.h"

#include <string.h>

#include "base/clock.h"

/* One black pixel, and a tenth of a second of silence, as small as their formats allow. */
#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAfbLI3wAAAABJRU5ErkJggg=="
#define WAV "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define IMAGE "{\"type\":\"image\",\"data\":\"" PNG "\",\"mimeType\":\"image/png\"}"
#define AUDIO "{\"type\":\"audio\",\"data\":\"" WAV "\",\"mimeType\":\"audio/wav\"}"
#define EMBEDDED(uri, type, text) \
	"{\"type\":\"resource\",\"resource\":{\"uri\":" uri ",\"mimeType\":\"" type "\",\"text\":\"" text "\"}}"

/* ---- tools ----------------------------------------------------------------------------------- */

static void put_content(struct mcp_call *c, const char *blocks)
{
	mcp_result_open(c);
	mcp_member(c, "content");
	buf_printf(c->out, "[%s]", blocks);
	mcp_result_close(c);
}

static void fixed(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	(void)args;
	put_content(c, t->fixed);
}

static void failing(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	(void)t;
	(void)args;
	mcp_tool_failed(c, "This tool intentionally returns an error for testing");
}

static void progressing(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	enum { STEPS = 3, STEP = 50, ALL = 100, PAUSE_MS = 50 };

	(void)t;
	(void)args;
	for (int i = 0; i < STEPS; i++) {
		mcp_tell_of(c, i * STEP, ALL, "working");
		if (watch_sleep(&c->watch, PAUSE_MS) != OK)
			c->hup = true;
	}
	put_content(c, TEXT("done"));
}

/* Works until it is cancelled, or its time is over. */
static void endless(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	(void)t;
	(void)args;
	mcp_tell(c, "waiting");
	const enum errcode rc = watch_sleep(&c->watch, INT64_MAX / 4);
	if (rc == ERR_HUP)
		c->hup = true;
	mcp_tool_failed(c, err_row(rc)->said != NULL ? err_row(rc)->said : "");
}

static void needing(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	struct json_object *data = jsn_object(c->mem), *wanted = jsn_new();

	(void)t;
	(void)args;
	if (mcp_declared(c, "sampling")) {
		put_content(c, TEXT("declared"));
		return;
	}
	jsn_add(wanted, "sampling", jsn_new());
	jsn_add(data, "requiredCapabilities", wanted);
	mcp_refuse(c, 400, MCP_NO_CAPABILITY, "This tool needs a client that can sample.", data);
}

static void eliciting(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	(void)t;
	(void)args;
	mcp_result_open(c);
	if (c->era == MCP_MODERN)
		buf_trunc(c->out, c->out->n - strlen("\"resultType\":\"complete\""));
	mcp_member(c, "resultType");
	buf_puts(c->out, "\"input_required\"");
	mcp_member(c, "inputRequests");
	buf_puts(c->out, "{\"name\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Who are you?\","
	    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}}}");
	mcp_result_close(c);
}

/* Logs only if the request asks for it. */
static void logging(struct mcp_call *c, const struct mcp_tool *t, struct json_object *args)
{
	const char *level = jsn_get_str(c->msg.meta, MCP_KEY_LOG_LEVEL, NULL);
	struct buf b;

	(void)t;
	(void)args;
	buf_init(&b, 4096);
	if (level != NULL && c->line->ops->open(c->line)) {
		struct json_object *params = jsn_object(c->mem);
		jsn_add_str(params, "level", level);
		jsn_add_str(params, "data", "a line of the log");
		mcp_put_notification(&b, MCP_LOG_MESSAGE, params);
		c->hup = c->line->ops->send(c->line, &b) != OK;
	}
	buf_release(&b);
	put_content(c, TEXT("logged"));
}

static const struct {
	const char *name, *doc;
	void (*run)(struct mcp_call *, const struct mcp_tool *, struct json_object *args);
	const char *fixed;
} fixtures[] = {
	{ "test_simple_text", "A text", fixed, TEXT("This is a simple text response for testing.") },
	{ "test_image_content", "An image", fixed, IMAGE },
	{ "test_audio_content", "A sound", fixed, AUDIO },
	{ "test_embedded_resource", "A resource inside of a result", fixed,
	    EMBEDDED("\"test://embedded-resource\"", "text/plain", "This is an embedded resource content.") },
	{ "test_multiple_content_types", "Text, image and resource", fixed,
	    TEXT("Multiple content types test:") "," IMAGE "," EMBEDDED("\"test://mixed-content-resource\"",
	    "application/json", "{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}") },
	{ "test_error_handling", "Always fails", failing, NULL },
	{ "test_tool_with_progress", "Tells of its progress", progressing, NULL },
	{ "test_endless", "Works until it is cancelled", endless, NULL },
	{ "test_missing_capability", "Needs a client that can sample", needing, NULL },
	{ "test_streaming_elicitation", "Asks the user", eliciting, NULL },
	{ "test_logging_tool", "Logs", logging, NULL },
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

size_t mcp_fixture_tools(struct arena *a, struct mcp_tool **out)
{
	struct tool *rows = arena_array(a, NFIXTURES, sizeof(*rows));

	*out = arena_array(a, NFIXTURES, sizeof(**out));
	for (size_t i = 0; i < NFIXTURES; i++) {
		rows[i] = (struct tool){ .name = fixtures[i].name, .doc = fixtures[i].doc };
		(*out)[i] = (struct mcp_tool){ .row = &rows[i], .run = fixtures[i].run, .fixed = fixtures[i].fixed };
	}
	return NFIXTURES;
}

/* ---- prompts ----------------------------------------------------------------------------------- */

void mcp_fixture_prompts(struct mcp_call *c)
{
	buf_puts(c->out, ",{\"name\":\"test_simple_prompt\",\"description\":\"A prompt\"},"
	    "{\"name\":\"test_prompt_with_arguments\",\"description\":\"A prompt with arguments\",\"arguments\":["
	    "{\"name\":\"arg1\",\"description\":\"first\",\"required\":true},"
	    "{\"name\":\"arg2\",\"description\":\"second\",\"required\":true}]},"
	    "{\"name\":\"test_prompt_with_embedded_resource\",\"description\":\"A prompt with a resource\",\"arguments\":["
	    "{\"name\":\"resourceUri\",\"description\":\"its address\",\"required\":true}]},"
	    "{\"name\":\"test_prompt_with_image\",\"description\":\"A prompt with an image\"}");
}

static void put_messages(struct mcp_call *c, const char *first, const char *second)
{
	mcp_result_open(c);
	mcp_member(c, "messages");
	buf_printf(c->out, "[{\"role\":\"user\",\"content\":%s}", first);
	if (second != NULL)
		buf_printf(c->out, ",{\"role\":\"user\",\"content\":%s}", second);
	buf_putc(c->out, ']');
	mcp_result_close(c);
}

static const char *quoted(struct mcp_call *c, const char *text)
{
	return jsn_text(c->mem, jsn_own(c->mem, jsn_str(text)), JSN_PLAIN);
}

bool mcp_fixture_prompt(struct mcp_call *c, const char *name, struct json_object *arguments)
{
	if (streq(name, "test_simple_prompt"))
		put_messages(c, TEXT("This is a simple prompt for testing."), NULL);
	else if (streq(name, "test_prompt_with_image"))
		put_messages(c, IMAGE, TEXT("Please analyze the image above."));
	else if (streq(name, "test_prompt_with_arguments")) {
		const char *text = arena_printf(c->mem, "Prompt with arguments: arg1='%s', arg2='%s'",
		    jsn_get_str(arguments, "arg1", ""), jsn_get_str(arguments, "arg2", ""));
		put_messages(c, arena_printf(c->mem, "{\"type\":\"text\",\"text\":%s}", quoted(c, text)), NULL);
	} else if (streq(name, "test_prompt_with_embedded_resource")) {
		const char *uri = quoted(c, jsn_get_str(arguments, "resourceUri", ""));
		put_messages(c, arena_printf(c->mem, EMBEDDED("%s", "text/plain", "Embedded resource content for testing."),
		    uri), TEXT("Please process the embedded resource above."));
	} else
		return false;
	return true;
}

/* ---- resources ---------------------------------------------------------------------------------- */

#define LISTED(key, uri, name, type) \
	"{\"" key "\":\"" uri "\",\"name\":\"" name "\",\"description\":\"" name "\",\"mimeType\":\"" type "\"}"

static void put_rows(struct mcp_call *c, const char *rows)
{
	if (c->out->p[c->out->n - 1] != '[')
		buf_putc(c->out, ',');
	buf_puts(c->out, rows);
}

void mcp_fixture_resources(struct mcp_call *c)
{
	put_rows(c, LISTED("uri", "test://static-text", "Static text", "text/plain") ","
	    LISTED("uri", "test://static-binary", "Static binary", "image/png"));
}

void mcp_fixture_templates(struct mcp_call *c)
{
	put_rows(c, LISTED("uriTemplate", "test://template/{id}/data", "Template", "application/json"));
}

static void put_resource(struct mcp_call *c, const char *uri, const char *type, const char *member, const char *value)
{
	mcp_result_open(c);
	mcp_member(c, "contents");
	buf_printf(c->out, "[{\"uri\":%s,\"mimeType\":\"%s\",\"%s\":%s}]", quoted(c, uri), type, member,
	    quoted(c, value));
	mcp_cacheable(c, true);
	mcp_result_close(c);
}

bool mcp_fixture_resource(struct mcp_call *c, const char *uri)
{
	static const char prefix[] = "test://template/", suffix[] = "/data";
	const size_t n = strlen(uri), fixed_part = strlen(prefix) + strlen(suffix);

	if (streq(uri, "test://static-text"))
		put_resource(c, uri, "text/plain", "text", "This is the content of the static text resource.");
	else if (streq(uri, "test://static-binary"))
		put_resource(c, uri, "image/png", "blob", PNG);
	else if (n > fixed_part && starts_with(uri, prefix) && streq(uri + n - strlen(suffix), suffix)) {
		struct json_object *o = jsn_object(c->mem);
		const char *id = arena_strndup(c->mem, uri + strlen(prefix), n - fixed_part);
		jsn_add_str(o, "id", id);
		jsn_add_bool(o, "templateTest", true);
		jsn_add_str(o, "data", arena_printf(c->mem, "Data for ID: %s", id));
		put_resource(c, uri, "application/json", "text", jsn_text(c->mem, o, JSN_PLAIN));
	} else
		return false;
	return true;
}
