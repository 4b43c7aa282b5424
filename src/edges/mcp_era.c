/*
 * Which era a message belongs to.
 *
 * A modern request says so in its `_meta`, an `initialize` is legacy by its name alone, and everything else
 * goes by the header. The order of the checks decides which error a wrong message gets, and clients choose
 * their next step by that error: MCP_BAD_REVISION makes them try another revision, a legacy error makes
 * them open with `initialize`.
 */
#include "edges/mcp_call.h"

#include <string.h>

static bool refused(struct mcp_call *c, int64_t code, const char *said)
{
	mcp_refuse(c, 400, code, said, NULL);
	return false;
}

static bool bad_revision(struct mcp_call *c, const char *requested)
{
	struct json_object *data = jsn_object(c->mem);

	jsn_add(data, "supported", mcp_revision_names());
	jsn_add_str(data, "requested", requested);
	mcp_refuse(c, 400, MCP_BAD_REVISION, "This server does not speak the requested revision of the protocol.",
	    data);
	return false;
}

static bool modern(const char *revision)
{
	const struct mcp_revision *r = mcp_revision_find(revision);

	return r != NULL && r->era == MCP_MODERN;
}

/* Does the header say the same as the body? */
static bool mirrors(struct mcp_call *c, const char *value, const char *want)
{
	struct str read;

	return value != NULL && mcp_header_read(c->mem, value, &read) == OK && str_eq(read, want);
}

static bool check_headers(struct mcp_call *c, const struct mcp_headers *h, const char *claim)
{
	const char *named = mcp_named_by(c->msg.method);

	if (!mirrors(c, h->revision, claim))
		return refused(c, MCP_HEADER_MISMATCH, "The header " MCP_HEADER_REVISION " must name the revision that "
		    "the request names in _meta.");
	if (!mirrors(c, h->method, c->msg.method))
		return refused(c, MCP_HEADER_MISMATCH, "The header " MCP_HEADER_METHOD " must repeat the request's method.");
	if (named != NULL && jsn_get_str(c->msg.params, named, NULL) != NULL
	    && !mirrors(c, h->name, jsn_get_str(c->msg.params, named, "")))
		return refused(c, MCP_HEADER_MISMATCH, arena_printf(c->mem, "The header " MCP_HEADER_NAME " must repeat "
		    "params.%s of the request.", named));
	return true;
}

static bool no_claim(struct mcp_call *c, const struct mcp_headers *h)
{
	const char *said = h != NULL && h->revision != NULL ? h->revision : MCP_UNNAMED;

	c->era = MCP_LEGACY;
	if (streq(c->msg.method, MCP_INITIALIZE))
		return true;                   /* the revision is being negotiated, whatever the header says */
	if (mcp_revision_find(said) == NULL)
		return bad_revision(c, said);
	if (!modern(said))
		return true;
	c->era = MCP_MODERN;
	return c->msg.kind == MCP_NOTIFICATION || refused(c, MCP_INVALID_PARAMS, "A request of this revision must "
	    "have params._meta[\"" MCP_KEY_REVISION "\"].");
}

bool mcp_era_find(struct mcp_call *c, const struct mcp_headers *h)
{
	struct json_object *claimed = jsn_get(c->msg.meta, MCP_KEY_REVISION);

	if (!jsn_has(c->msg.meta, MCP_KEY_REVISION))
		return no_claim(c, h);
	c->era = MCP_MODERN;
	if (!jsn_is(claimed, json_type_string))
		return refused(c, MCP_INVALID_PARAMS, "params._meta[\"" MCP_KEY_REVISION "\"] must be a text.");
	const char *claim = json_object_get_string(claimed);
	if (h != NULL && h->revision != NULL && !mirrors(c, h->revision, claim))
		return refused(c, MCP_HEADER_MISMATCH, "The header " MCP_HEADER_REVISION " names another revision than "
		    "params._meta.");
	if (!modern(claim))
		return bad_revision(c, claim);
	if (c->msg.kind == MCP_NOTIFICATION)
		return true;
	if (!jsn_is(jsn_get(c->msg.meta, MCP_KEY_CAPABILITIES), json_type_object))
		return refused(c, MCP_INVALID_PARAMS, "params._meta[\"" MCP_KEY_CAPABILITIES "\"] must be an object; {} "
		    "declares none.");
	return h == NULL || check_headers(c, h, claim);
}
