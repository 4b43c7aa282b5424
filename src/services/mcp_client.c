/*
 * Lists and calls, and what is known of the accepted tools.
 *
 * Before a call the server's list is looked at, if it was not lately. So a tool that has changed since
 * it was accepted is never called. A server that fails twice in a row rests, and a call meanwhile
 * fails at once.
 */
#include "services/mcp_client.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "services/mcp_client_own.h"

enum {
	FAILURES = 2,                 /* in a row, after which it rests */
	PAGES_MAX = 64, TOOLS_MAX = 512, LIST_BYTES = 4 << 20, LIST_VALUES = 2 * MCP_REPLY_VALUES,
	AGAIN_MS = 60 * 1000,         /* after this a tool that was missing or changed is looked for again */
	WAIT_MS = 50,
	FRESH_MS = 10 * 60 * 1000, FRESH_MIN_MS = 60 * 1000, FRESH_MAX_MS = 24 * 3600 * 1000,
};

struct mcp_client *mcp_client_new(const struct mcp_client_config *config)
{
	struct mcp_client *c = heap_new(sizeof(*c));

	c->server = config->server;
	c->pins = config->pins;
	c->http = config->http;
	c->rest.after = FAILURES;
	c->io = config->server->url == NULL ? mcp_child_new(config->server, config->minder) : NULL;
	c->state = heap_new((c->pins != NULL ? c->pins->n : 0) * sizeof(*c->state) + 1);
	pthread_mutex_init(&c->lock, NULL);
	return c;
}

void mcp_client_stop(struct mcp_client *c)
{
	if (c == NULL)
		return;
	mcp_session_close(c);
	if (c->io != NULL)
		mcp_child_stop(c->io);
}

void mcp_client_free(struct mcp_client *c)
{
	if (c == NULL)
		return;
	mcp_client_stop(c);
	mcp_child_free(c->io);
	pthread_mutex_destroy(&c->lock);
	free(c->state);
	free(c);
}

const struct mcp_remote *mcp_client_server(const struct mcp_client *c)
{
	return c->server;
}

const struct mcp_pins *mcp_client_pins(const struct mcp_client *c)
{
	return c->pins;
}

/* ---- one request, and rest --------------------------------------------------------------------- */

static enum errcode ask(struct mcp_client *c, const struct mcp_request *q, struct arena *a,
    const struct watch *w, struct json_object **result, int64_t *code, struct err *e)
{
	int64_t probe;

	if (!rest_ask(&c->rest, &probe))
		return err_set(e, ERR_UPSTREAM, "%s failed a moment ago; it is asked again in at most %lld s",
		    c->server->name, (long long)(rest_left_ms(&c->rest) / 1000 + 1));
	enum errcode rc = mcp_session_ask(c, q, a, w, result, code, e);
	const bool away = rc == ERR_UPSTREAM || rc == ERR_AUTH || rc == ERR_CONFIG || rc == ERR_IO;
	const bool there = rc == OK || rc == ERR_TOOL;
	if (away || there)
		atomic_store(&c->failed, away);
	/* a list does not show that calls work: a program may end at every call */
	const bool shown = there && !streq(q->method, MCP_TOOLS_LIST);
	if (rest_tell(&c->rest, probe, away ? REST_AWAY : shown ? REST_THERE : REST_UNKNOWN))
		log_msg(away ? LOG_WARN : LOG_INFO, away ? "mcp_rests" : "mcp_back", "server=%s%s%s%s",
		    c->server->name, away ? " why=\"" : "", away ? e->msg : "", away ? "\"" : "");
	return rc == OK || rc == ERR_TOOL ? rc : err_prefix(e, "%s", c->server->name);
}

enum errcode mcp_client_request(struct mcp_client *c, const struct mcp_request *q, struct arena *a,
    const struct watch *w, struct json_object **result, struct err *e)
{
	int64_t code;

	return ask(c, q, a, w, result, &code, e);
}

/* ---- the list ------------------------------------------------------------------------------------- */

/* Do all tools of this name look like the accepted one? */
static enum mcp_tool_state compare(struct arena *a, const struct mcp_pin *pin, struct json_object *tools)
{
	enum mcp_tool_state state = MCP_TOOL_MISSING;
	struct mcp_pin now;
	struct err why;

	for (size_t i = 0; i < jsn_len(tools); i++) {
		if (!streq(jsn_get_str(jsn_at(tools, i), "name", NULL), pin->name))
			continue;
		if (mcp_pin_make(&now, a, jsn_at(tools, i), &why) != OK || !streq(now.hash, pin->hash))
			return MCP_TOOL_CHANGED;
		state = MCP_TOOL_SAME;
	}
	return state;
}

static void note_state(struct mcp_client *c, size_t i, enum mcp_tool_state state)
{
	if (state != c->state[i] && (state == MCP_TOOL_CHANGED || state == MCP_TOOL_MISSING))
		log_msg(LOG_WARN, state == MCP_TOOL_CHANGED ? "mcp_tool_changed" : "mcp_tool_missing",
		    "server=%s tool=%s what_to_do=\"look at it with: aviation-agent mcp-client show %s\"",
		    c->server->name, c->pins->list[i].name, c->server->name);
	c->state[i] = state;
}

static void note_list(struct mcp_client *c, struct json_object *tools, int64_t fresh_ms)
{
	const size_t n = c->pins != NULL ? c->pins->n : 0;
	struct arena *a = arena_new();
	enum mcp_tool_state *state = arena_array(a, n + 1, sizeof(*state));

	for (size_t i = 0; i < n; i++)
		state[i] = compare(a, &c->pins->list[i], tools);
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < n; i++)
		note_state(c, i, state[i]);
	c->listed_ms = clock_mono_ms();
	c->fresh_ms = fresh_ms < FRESH_MIN_MS ? FRESH_MIN_MS : fresh_ms > FRESH_MAX_MS ? FRESH_MAX_MS : fresh_ms;
	pthread_mutex_unlock(&c->lock);
	arena_free(a);
}

/* How much of a list is kept. A small text can be large as values, so both are counted. */
struct list_size {
	size_t bytes, values;
};

static bool fits(struct list_size *size, struct json_object *list)
{
	struct buf b;

	buf_init(&b, LIST_BYTES);
	jsn_print(&b, list, JSN_PLAIN);
	size->bytes += b.n;
	size->values += jsn_values(b.p, b.n);
	const bool fit = !b.full && size->bytes <= LIST_BYTES && size->values <= LIST_VALUES;
	buf_release(&b);
	return fit;
}

static enum errcode add_page(struct json_object *all, struct json_object *page, struct list_size *size, struct err *e)
{
	struct json_object *list = jsn_get(page, "tools");

	if (!jsn_is(list, json_type_array))
		return err_set(e, ERR_UPSTREAM, "its list of tools is not an array");
	if (jsn_len(all) + jsn_len(list) > TOOLS_MAX)
		return err_set(e, ERR_UPSTREAM, "it has more than %d tools", TOOLS_MAX);
	if (!fits(size, list))
		return err_set(e, ERR_UPSTREAM, "its list of tools is too large");
	for (size_t i = 0; i < jsn_len(list); i++)
		jsn_push(all, jsn_ref(jsn_at(list, i)));
	return OK;
}

/* Ask for a page. `q` gets the cursor of the next one, if there are `more`. */
static enum errcode take_page(struct mcp_client *c, const struct mcp_request *q, struct arena *mem, const struct watch *w,
    struct json_object *all, struct list_size *size, int64_t *fresh_ms, bool *more, struct err *e)
{
	struct json_object *page = NULL;
	int64_t code;
	enum errcode rc = ask(c, q, mem, w, &page, &code, e);

	if (rc == ERR_TOOL)
		rc = err_set(e, ERR_UPSTREAM, "%s: it gives no list of tools: %.200s", c->server->name, e->msg);
	if (rc != OK)
		return rc;
	if (add_page(all, page, size, e) != OK)
		return err_prefix(e, "%s", c->server->name);
	if (jsn_has(page, "ttlMs"))
		*fresh_ms = jsn_get_int(page, "ttlMs", FRESH_MS);
	*more = jsn_get(page, "nextCursor") != NULL;
	if (*more)
		jsn_add(q->params, "cursor", jsn_ref(jsn_get(page, "nextCursor")));
	return OK;
}

enum errcode mcp_client_list(struct mcp_client *c, struct arena *a, const struct watch *w,
    struct json_object **tools, struct err *e)
{
	const int64_t until = clock_mono_ms() + c->server->list_ms;
	struct json_object *all = jsn_array(a), *params = jsn_object(a);
	struct mcp_request q = { .method = MCP_TOOLS_LIST, .params = params };
	struct list_size size = { 0, 0 };
	int64_t fresh_ms = FRESH_MS;
	bool more = true;

	for (int i = 0; more; i++) {
		q.ms = until - clock_mono_ms();
		if (i == PAGES_MAX || q.ms <= 0)
			return err_set(e, ERR_UPSTREAM, "%s: its list of tools does not end", c->server->name);
		/* of a page only the tools stay: a server may send much else, page after page */
		struct arena *mem = arena_new();
		const enum errcode rc = take_page(c, &q, mem, w, all, &size, &fresh_ms, &more, e);
		arena_free(mem);
		if (rc != OK)
			return rc;
	}
	note_list(c, all, fresh_ms);
	*tools = all;
	return OK;
}

/* ---- calls ------------------------------------------------------------------------------------------ */

enum mcp_tool_state mcp_client_tool_state(struct mcp_client *c, const struct mcp_pin *pin)
{
	pthread_mutex_lock(&c->lock);
	const enum mcp_tool_state state = c->state[pin - c->pins->list];
	pthread_mutex_unlock(&c->lock);
	return state;
}

static bool is_refused(enum mcp_tool_state state)
{
	return state == MCP_TOOL_CHANGED || state == MCP_TOOL_MISSING;
}

/* Is it time to look whether a refused tool is back? With the lock. */
static bool may_be_back(const struct mcp_client *c, const struct mcp_pin *pin)
{
	return is_refused(c->state[pin - c->pins->list]) && clock_mono_ms() - c->listed_ms >= AGAIN_MS;
}

bool mcp_client_tool_ready(struct mcp_client *c, const struct mcp_pin *pin)
{
	pthread_mutex_lock(&c->lock);
	const bool ready = !is_refused(c->state[pin - c->pins->list]) || may_be_back(c, pin);
	pthread_mutex_unlock(&c->lock);
	return ready;
}

/* Is the list too old to trust it? A child that was started again may be another program. With the lock. */
static bool is_old(struct mcp_client *c, const struct mcp_pin *pin)
{
	const bool restarted = c->io != NULL && mcp_child_running(c->io) != c->start;
	const bool old = c->listed_ms == 0 || restarted || !c->open ||
	    clock_mono_ms() - c->listed_ms > c->fresh_ms;
	return old || may_be_back(c, pin);
}

/* List the tools if the list is too old. One thread does it, and the others wait for it. */
static enum errcode refresh(struct mcp_client *c, const struct mcp_pin *pin, const struct watch *w, struct err *e)
{
	for (;;) {
		pthread_mutex_lock(&c->lock);
		const bool old = is_old(c, pin), wait = old && c->listing;
		c->listing |= old;
		pthread_mutex_unlock(&c->lock);
		if (!old)
			return OK;
		if (!wait)
			break;
		const enum errcode rc = watch_sleep(w, WAIT_MS);
		if (rc != OK)
			return err_set(e, rc, "nobody waits for the answer any more");
	}
	struct arena *a = arena_new();
	struct json_object *tools;
	const enum errcode rc = mcp_client_list(c, a, w, &tools, e);

	arena_free(a);
	pthread_mutex_lock(&c->lock);
	c->listing = false;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

static enum errcode verify(struct mcp_client *c, const struct mcp_pin *pin, const struct watch *w,
    struct err *e)
{
	const enum errcode rc = refresh(c, pin, w, e);

	if (rc != OK)
		return rc;
	switch (mcp_client_tool_state(c, pin)) {
	case MCP_TOOL_CHANGED:
		return err_set(e, ERR_TOOL, "the server %s has changed this tool since it was accepted, so it is not "
		    "used; the operator of this site can look at it", c->server->name);
	case MCP_TOOL_MISSING:
		return err_set(e, ERR_TOOL, "the server %s does not have this tool any more", c->server->name);
	case MCP_TOOL_UNSEEN:
	case MCP_TOOL_SAME:
		return OK;
	}
	return OK;
}

enum errcode mcp_client_call(struct mcp_client *c, const struct mcp_pin *pin, struct arena *a,
    struct json_object *args, const struct watch *w, struct json_object **result, struct err *e)
{
	struct json_object *params, *schema = NULL, *said = NULL;
	struct arena *work = arena_new();
	int64_t code = 0;
	enum errcode rc = verify(c, pin, w, e);

	if (rc == OK)
		rc = jsn_parse(work, pin->schema, strlen(pin->schema), JSN_DEPTH, &schema, NULL, e);
	if (rc == OK) {
		params = jsn_object(work);
		jsn_add_str(params, "name", pin->name);
		jsn_add(params, "arguments", args != NULL ? jsn_ref(args) : jsn_new());
		const struct mcp_request q = { .method = MCP_TOOLS_CALL, .name = pin->name, .params = params,
			.schema = schema, .ms = c->server->call_ms };
		rc = ask(c, &q, work, w, &said, &code, e);
		/* what the server says of it is not shown: the user would take it for our own words */
		if (rc == ERR_TOOL && code != 0) {
			log_msg(LOG_DEBUG, "mcp_refused", "server=%s tool=%s why=\"%s\"", c->server->name, pin->name, e->msg);
			rc = err_set(e, ERR_TOOL, "the external service %s refused the call (error %lld)", c->server->name,
			    (long long)code);
		}
	}
	/* the headers were not what the server wants: its schema is looked at before the next call */
	if (code == MCP_HEADER_MISMATCH) {
		pthread_mutex_lock(&c->lock);
		c->listed_ms = 0;
		pthread_mutex_unlock(&c->lock);
	}
	if (rc == OK)
		rc = mcp_result_make(result, a, c->server, pin, said, e);
	arena_free(work);
	return rc;
}

struct mcp_status mcp_client_status(struct mcp_client *c)
{
	struct mcp_status s = { .rest_ms = rest_left_ms(&c->rest) };

	pthread_mutex_lock(&c->lock);
	s.version = c->version;
	s.reached = c->open && atomic_load(&c->failed) == 0;
	for (size_t i = 0; c->pins != NULL && i < c->pins->n; i++) {
		s.same += c->state[i] == MCP_TOOL_SAME;
		s.changed += c->state[i] == MCP_TOOL_CHANGED;
		s.missing += c->state[i] == MCP_TOOL_MISSING;
		s.unseen += c->state[i] == MCP_TOOL_UNSEEN;
	}
	pthread_mutex_unlock(&c->lock);
	return s;
}
