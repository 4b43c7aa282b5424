/*
 * json-c reads the message, and a look at the text itself finds what the tree does not show: how the id
 * was written, and whether a member stands twice. Two programs that read such a message differently could
 * be played off against each other, so it is refused.
 */
#include "services/mcp_message.h"

#include <string.h>

/* -- the text -- */

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
	while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r' || p[i] == '\n'))
		i++;
	return i;
}

/* Behind the string that begins at i. */
static size_t skip_string(const char *p, size_t n, size_t i)
{
	for (i++; i < n && p[i] != '"'; i++)
		i += p[i] == '\\';
	return i + 1 < n ? i + 1 : n;
}

/* Count the members of all objects of a text that is JSON, and find the value of the outermost "id". */
static size_t scan(const char *p, size_t n, struct str *id)
{
	size_t members = 0, name = 0;
	int depth = 0;

	*id = STR("");
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '"') {
			name = i;
			i = skip_string(p, n, i) - 1;
		} else if (p[i] == '{' || p[i] == '[') {
			depth++;
		} else if (p[i] == '}' || p[i] == ']') {
			depth--;
		} else if (p[i] == ':') {
			members++;
			if (depth != 1 || strncmp(p + name, "\"id\"", 4) != 0)
				continue;
			const size_t from = skip_blanks(p, n, i + 1);
			size_t to = from;
			if (to < n && p[to] == '"')
				to = skip_string(p, n, to);
			else
				while (to < n && strchr(",} \t\r\n", p[to]) == NULL)
					to++;
			*id = (struct str){ p + from, to - from };
		}
	}
	return members;
}

static size_t members_of(struct json_object *o)
{
	size_t n = 0;

	if (jsn_is(o, json_type_array))
		for (size_t i = 0; i < jsn_len(o); i++)
			n += members_of(jsn_at(o, i));
	JSN_EACH(o, it)
		n += 1 + members_of(it.val);
	return n;
}

static bool is_whole(struct str s)
{
	const size_t sign = s.n > 0 && s.p[0] == '-';

	for (size_t i = sign; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > sign;
}

static bool is_id(struct str s)
{
	return s.n > 0 && s.n <= MCP_ID_MAX && (s.p[0] == '"' || is_whole(s));
}

/* -- reading -- */

static enum errcode refuse(struct mcp_fault *f, enum mcp_error code, const char *said)
{
	f->code = code;
	f->said = said;
	return ERR_INPUT;
}

static const char *text_of(struct json_object *o, const char *name)
{
	return jsn_get_str(o, name, NULL);
}

/* A method with a NUL in it would be read as a shorter one. */
static bool has_nul(struct json_object *o, const char *name)
{
	const char *text = text_of(o, name);

	return text != NULL && strlen(text) != (size_t)json_object_get_string_len(jsn_get(o, name));
}

static enum errcode read_call(struct mcp_message *m, struct json_object *o, struct mcp_fault *f)
{
	struct json_object *params = jsn_get(o, "params");

	m->kind = jsn_has(o, "id") ? MCP_REQUEST : MCP_NOTIFICATION;
	m->method = text_of(o, "method");
	if (m->method == NULL || has_nul(o, "method"))
		return refuse(f, MCP_INVALID_REQUEST, "\"method\" must be a text");
	if (params != NULL && !jsn_is(params, json_type_object))
		return refuse(f, MCP_INVALID_REQUEST, "\"params\" must be an object");
	m->params = params;
	if (jsn_is(jsn_get(params, "_meta"), json_type_object))
		m->meta = jsn_get(params, "_meta");
	return OK;
}

static enum errcode read_answer(struct mcp_message *m, struct json_object *o, struct mcp_fault *f)
{
	struct json_object *error = jsn_get(o, "error");

	if (jsn_has(o, "result") == jsn_has(o, "error"))
		return refuse(f, MCP_INVALID_REQUEST, "a message needs \"method\", or one of \"result\" and \"error\"");
	if (jsn_has(o, "result")) {
		m->kind = MCP_RESULT;
		m->result = jsn_get(o, "result");
		return jsn_is(m->result, json_type_object) && m->id.n > 0 ? OK :
		    refuse(f, MCP_INVALID_REQUEST, "\"result\" must be an object, and have an \"id\" beside it");
	}
	m->kind = MCP_ERROR;
	m->said = text_of(error, "message");
	if (!jsn_is(jsn_get(error, "code"), json_type_int) || m->said == NULL)
		return refuse(f, MCP_INVALID_REQUEST, "\"error\" must have a whole \"code\" and a \"message\"");
	m->code = jsn_get_int(error, "code", 0);
	m->data = jsn_get(error, "data");
	return OK;
}

enum errcode mcp_message_read(struct mcp_message *m, struct arena *a, const char *p, size_t n,
    struct mcp_fault *fault)
{
	struct jsn_fault json;
	struct json_object *o;
	struct str id;

	*m = (struct mcp_message){ .id = STR("") };
	*fault = (struct mcp_fault){ .id = STR("") };
	if (jsn_parse(a, p, n, MCP_DEPTH, &o, &json, NULL) != OK)
		return refuse(fault, MCP_PARSE_ERROR, arena_printf(a, "not JSON: %s (character %zu)", json.why,
		    json.offset));
	fault->batch = jsn_is(o, json_type_array);
	if (!jsn_is(o, json_type_object))
		return refuse(fault, MCP_INVALID_REQUEST, fault->batch ?
		    "a list of messages is not accepted: send them one by one" : "a message must be an object");
	const size_t members = scan(p, n, &id);
	/* an error without an id may say so with null */
	const bool no_id = !jsn_has(o, "id") ||
	    (jsn_get(o, "id") == NULL && jsn_has(o, "error") && !jsn_has(o, "method"));
	if (!no_id && is_id(id))
		m->id = fault->id = (struct str){ arena_strndup(a, id.p, id.n), id.n };
	if (members != members_of(o))
		return refuse(fault, MCP_INVALID_REQUEST, "a member of an object stands twice");
	if (!streq(text_of(o, "jsonrpc"), "2.0") || has_nul(o, "jsonrpc"))
		return refuse(fault, MCP_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\"");
	if (!no_id && m->id.n == 0)
		return refuse(fault, MCP_INVALID_REQUEST, arena_printf(a, "\"id\" must be a text or a whole number of at "
		    "most %d bytes", MCP_ID_MAX));
	return jsn_has(o, "method") ? read_call(m, o, fault) : read_answer(m, o, fault);
}

/* -- ids -- */

static struct json_object *id_value(struct arena *a, struct str id)
{
	struct json_object *o = NULL;

	if (id.n > 0 && id.p[0] == '"')
		(void)jsn_parse(a, id.p, id.n, 1, &o, NULL, NULL);
	return o;
}

bool mcp_same_id(struct arena *a, struct str x, struct str y)
{
	if (x.n == y.n && (x.n == 0 || memcmp(x.p, y.p, x.n) == 0))
		return true;
	struct json_object *u = id_value(a, x), *v = id_value(a, y);
	return u != NULL && v != NULL && json_object_equal(u, v) != 0;
}

struct str mcp_id_of(struct arena *a, struct json_object *value)
{
	if (!jsn_is(value, json_type_string) && !jsn_is(value, json_type_int))
		return STR("");
	return str_of(jsn_text(a, value, JSN_PLAIN));
}

/* -- writing -- */

static void open_message(struct buf *b, struct str id)
{
	buf_puts(b, "{\"jsonrpc\":\"2.0\"");
	if (id.n > 0) {
		buf_puts(b, ",\"id\":");
		buf_put(b, id.p, id.n);
	}
}

static void put_member(struct buf *b, const char *name, struct json_object *value)
{
	buf_printf(b, ",\"%s\":", name);
	jsn_print(b, value, JSN_PLAIN);
}

void mcp_put_request(struct buf *b, struct str id, const char *method, struct json_object *params)
{
	open_message(b, id);
	buf_puts(b, ",\"method\":");
	jsn_print_str(b, method);
	if (params != NULL)
		put_member(b, "params", params);
	buf_putc(b, '}');
}

void mcp_put_notification(struct buf *b, const char *method, struct json_object *params)
{
	mcp_put_request(b, STR(""), method, params);
}

void mcp_put_result(struct buf *b, struct str id, struct json_object *result)
{
	open_message(b, id);
	put_member(b, "result", result);
	buf_putc(b, '}');
}

void mcp_put_result_text(struct buf *b, struct str id, const char *json, size_t n)
{
	open_message(b, id);
	buf_puts(b, ",\"result\":");
	buf_put(b, json, n);
	buf_putc(b, '}');
}

void mcp_put_error(struct buf *b, struct str id, int64_t code, const char *said, struct json_object *data)
{
	open_message(b, id);
	buf_printf(b, ",\"error\":{\"code\":%lld,\"message\":", (long long)code);
	jsn_print_str(b, said);
	if (data != NULL)
		put_member(b, "data", data);
	buf_puts(b, "}}");
}
