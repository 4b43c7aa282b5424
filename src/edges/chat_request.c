/*
 * Validation in the words of FastAPI and pydantic, because clients of this API can read these: each
 * fault has a type, a place, a message and the offending value. All faults are reported at once,
 * field by field. The echo of a value is cut to a size that shows what it was, so that a small bad
 * request cannot ask for a large answer.
 */
#include "edges/chat_request.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "runtime/history.h"

#define ID_PATTERN "^[A-Za-z0-9_-]{1,128}$"

enum {
	ID_MAX = 128,
	FAULTS_MAX = 100,        /* faults reported at once */
	ECHO_TEXT = 200,         /* bytes of a string shown in `input` */
	ECHO_MEMBERS = 10,       /* bytes of an object or array */
	ECHO_DEPTH = 3,
};

static const char default_persona[] = "ifr_touring_sr22";

/* A place in the body: body, body.field, body.messages[i], body.messages[i].member. */
struct place {
	const char *field;
	long long index;         /* -1: none */
	const char *member;
};

struct faults {
	struct arena *a;
	struct json_object *list;
};

/* ---- faults ------------------------------------------------------------------------ */

static struct json_object *shown(struct arena *a, struct json_object *o, int depth)
{
	struct json_object *copy = NULL;
	size_t n = 0;

	if (jsn_is(o, json_type_string)) {
		const char *s = json_object_get_string(o);
		size_t len = (size_t)json_object_get_string_len(o);
		if (len <= ECHO_TEXT)
			return jsn_ref(o);
		return jsn_str(arena_printf(a, "%.*s…", (int)utf8_cut(s, len, ECHO_TEXT), s));
	}
	if (jsn_is(o, json_type_object)) {
		copy = jsn_object(a);
		JSN_EACH(o, it) {
			if (depth == 0 || n++ == ECHO_MEMBERS)
				break;
			if (strlen(it.key) <= ECHO_TEXT)
				jsn_add(copy, it.key, shown(a, it.val, depth - 1));
		}
		return jsn_ref(copy);
	}
	if (jsn_is(o, json_type_array)) {
		copy = jsn_array(a);
		for (n = 0; depth > 0 && n < jsn_len(o) && n < ECHO_MEMBERS; n++)
			jsn_push(copy, shown(a, jsn_at(o, n), depth - 1));
		return jsn_ref(copy);
	}
	return jsn_ref(o);
}

static void add_fault(struct faults *f, struct json_object *loc, const char *type,
    const char *msg, struct json_object *input, struct json_object *ctx)
{
	if (jsn_len(f->list) >= FAULTS_MAX)
		return;
	struct json_object *o = jsn_object(f->a);
	jsn_add_str(o, "type", type);
	jsn_add(o, "loc", jsn_ref(loc));
	jsn_add_str(o, "msg", msg);
	jsn_add(o, "input", shown(f->a, input, ECHO_DEPTH));
	if (ctx != NULL)
		jsn_add(o, "ctx", jsn_ref(ctx));
	jsn_push(f->list, jsn_ref(o));
}

/* ctx is owned by the arena, or NULL. */
static void fault(struct faults *f, struct place at, const char *type, const char *msg,
    struct json_object *input, struct json_object *ctx)
{
	struct json_object *loc = jsn_array(f->a);
	jsn_push(loc, jsn_str("body"));
	if (at.field != NULL)
		jsn_push(loc, jsn_str(at.field));
	if (at.index >= 0)
		jsn_push(loc, json_object_new_int64(at.index));
	if (at.member != NULL)
		jsn_push(loc, jsn_str(at.member));
	add_fault(f, loc, type, msg, input, ctx);
}

static void fault_length(struct faults *f, struct place at, struct json_object *input,
    const char *unit, size_t max)
{
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_int(ctx, "max_length", (int64_t)max);
	fault(f, at, "string_too_long",
	    arena_printf(f->a, "String should have at most %zu %s", max, unit), input, ctx);
}

static void fault_value(struct faults *f, struct place at, const char *why,
    struct json_object *input)
{
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_str(ctx, "error", why);
	fault(f, at, "value_error", arena_printf(f->a, "Value error, %s", why), input, ctx);
}

static void fault_none(struct faults *f, struct place at, struct json_object *input)
{
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_str(ctx, "field_type", "List");
	jsn_add_int(ctx, "min_length", 1);
	jsn_add_int(ctx, "actual_length", 0);
	fault(f, at, "too_short", "List should have at least 1 item after validation, not 0", input,
	    ctx);
}

/* ---- fields ------------------------------------------------------------------------ */

/* A string without NUL characters; otherwise a fault. C reads a text up to its first NUL, so
 * "user\0x" would pass as "user". */
static bool no_nul(struct faults *f, struct place at, struct json_object *o)
{
	if (memchr(json_object_get_string(o), '\0', (size_t)json_object_get_string_len(o)) == NULL)
		return true;
	fault_value(f, at, "the text must not contain NUL characters", o);
	return false;
}

/* A text without NUL and not over max bytes; otherwise NULL and a fault. */
static const char *text_of(struct faults *f, struct place at, struct json_object *o,
    size_t max, const char *unit)
{
	if (!jsn_is(o, json_type_string)) {
		fault(f, at, "string_type", "Input should be a valid string", o, NULL);
		return NULL;
	}
	if ((size_t)json_object_get_string_len(o) > max) {
		fault_length(f, at, o, unit, max);
		return NULL;
	}
	return no_nul(f, at, o) ? json_object_get_string(o) : NULL;
}

/* The text of an older message, cut to the limit. A page keeps a message that was refused in its
 * history and sends it again with every turn, so refusing it again would lock the page out. The cut
 * is always the same, so that the thread recognises the message. */
static const char *older_text(struct faults *f, struct place at, struct json_object *o, size_t max)
{
	const size_t mark = sizeof(HISTORY_CUT) - 1;
	if (!jsn_is(o, json_type_string))
		return text_of(f, at, o, max, "bytes");
	size_t n = (size_t)json_object_get_string_len(o);
	const char *s = json_object_get_string(o);
	if (n <= max && memchr(s, '\0', n) == NULL)
		return s;
	size_t keep = n <= max ? n : utf8_cut(s, n, max - mark);
	char *text = arena_alloc(f->a, keep + mark + 1);
	memcpy(text, s, keep);
	for (char *nul = text; (nul = memchr(nul, '\0', (size_t)(text + keep - nul))) != NULL;)
		*nul = ' ';
	if (keep < n)
		memcpy(text + keep, HISTORY_CUT, mark);
	return text;
}

bool chat_id_valid(const char *id)
{
	return id_valid(id, ID_MAX);
}

enum { ROLE_SYSTEM, ROLE_USER, ROLE_ASSISTANT, ROLE__MAX };
static const char *const roles[ROLE__MAX] = { "system", "user", "assistant" };

static int role_of(struct faults *f, struct place at, struct json_object *o)
{
	static const char expected[] = "'system', 'user' or 'assistant'";
	if (jsn_is(o, json_type_string) && !no_nul(f, at, o))
		return ROLE__MAX;
	if (jsn_is(o, json_type_string))
		for (int i = 0; i < ROLE__MAX; i++)
			if (streq(json_object_get_string(o), roles[i]))
				return i;
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_str(ctx, "expected", expected);
	fault(f, at, "literal_error", arena_printf(f->a, "Input should be %s", expected), o, ctx);
	return ROLE__MAX;
}

/* One message; `last`: it is the newest. It is added unless it is a system message or has a
 * fault. */
static void message(struct faults *f, size_t i, struct json_object *o, bool last,
    const struct chat_limits *limits, struct chat_request *out)
{
	const size_t max = limits->message_bytes;
	struct place at = { "messages", (long long)i, NULL };
	int role = ROLE__MAX;
	const char *content = NULL;

	if (!jsn_is(o, json_type_object)) {
		fault(f, at, "model_attributes_type",
		    "Input should be a valid dictionary or object to extract fields from", o, NULL);
		return;
	}
	at.member = "role";
	if (jsn_has(o, "role"))
		role = role_of(f, at, jsn_get(o, "role"));
	else
		fault(f, at, "missing", "Field required", o, NULL);
	at.member = "content";
	if (!jsn_has(o, "content"))
		fault(f, at, "missing", "Field required", o, NULL);
	else if (last)
		content = text_of(f, at, jsn_get(o, "content"), max, "bytes");
	else
		content = older_text(f, at, jsn_get(o, "content"), max);
	if (role == ROLE__MAX || content == NULL)
		return;
	if (role == ROLE_SYSTEM)
		out->nsystem++;
	else
		out->messages[out->nmessages++] = (struct message)MESSAGE(roles[role], content);
}

static void messages(struct faults *f, struct json_object *body,
    const struct chat_limits *limits, struct chat_request *out)
{
	const struct place at = { "messages", -1, NULL };
	struct json_object *list = jsn_get(body, "messages");
	size_t n = jsn_len(list);

	if (!jsn_has(body, "messages")) {
		list = jsn_array(f->a);
	} else if (!jsn_is(list, json_type_array)) {
		fault(f, at, "list_type", "Input should be a valid list", list, NULL);
		return;
	}
	if (n == 0) {
		fault_none(f, at, list);
		return;
	}
	/* a page that stays open sends more and more messages: only the newest are read */
	size_t from = n > limits->messages ? n - limits->messages : 0;
	out->messages = arena_array(f->a, n - from, sizeof(*out->messages));
	for (size_t i = from; i < n; i++)
		message(f, i, jsn_at(list, i), i == n - 1, limits, out);
	if (jsn_len(f->list) > 0)
		return;
	if (out->nmessages == 0 || !streq(out->messages[out->nmessages - 1].role, "user"))
		fault_value(f, at, "the last message must be the user's", list);
}

static void persona(struct faults *f, struct json_object *body, struct chat_request *out)
{
	const struct place at = { "persona_id", -1, NULL };
	struct json_object *o = jsn_get(body, "persona_id");

	if (!jsn_has(body, "persona_id"))
		out->persona_id = default_persona;
	else if (o != NULL)
		out->persona_id = text_of(f, at, o, ID_MAX, "characters");
	if (streq(out->persona_id, ""))
		out->persona_id = NULL;
}

static void thread(struct faults *f, struct json_object *body, struct chat_request *out)
{
	const struct place at = { "thread_id", -1, NULL };
	struct json_object *o = jsn_get(body, "thread_id"), *ctx;

	if (o == NULL)
		return;
	if (!jsn_is(o, json_type_string)) {
		fault(f, at, "string_type", "Input should be a valid string", o, NULL);
		return;
	}
	const char *id = json_object_get_string(o);
	if (!no_nul(f, at, o) || *id == '\0')
		return;
	if (chat_id_valid(id)) {
		out->thread_id = id;
		return;
	}
	ctx = jsn_object(f->a);
	jsn_add_str(ctx, "pattern", ID_PATTERN);
	fault(f, at, "string_pattern_mismatch",
	    "String should match pattern '" ID_PATTERN "'", o, ctx);
}

/* A value that does not have the form of an id is ignored, as the original service ignores this
 * member. */
static void session(struct faults *f, struct json_object *body, struct chat_request *out)
{
	const struct place at = { "session_id", -1, NULL };
	struct json_object *o = jsn_get(body, "session_id");

	if (jsn_is(o, json_type_string) && no_nul(f, at, o) &&
	    chat_id_valid(json_object_get_string(o)))
		out->session_id = json_object_get_string(o);
}

/* ---- body -------------------------------------------------------------------------- */

static void not_json(struct faults *f, const struct jsn_fault *why)
{
	struct json_object *loc = jsn_array(f->a), *ctx = jsn_object(f->a);
	jsn_push(loc, jsn_str("body"));
	jsn_push(loc, json_object_new_int64((int64_t)why->offset));
	jsn_add_str(ctx, "error", why->why);
	add_fault(f, loc, "json_invalid", "JSON decode error", jsn_object(f->a), ctx);
}

/* Parsing a megabyte of short members takes a seventh of a second. An honest request has far
 * fewer. */
static size_t values_most(const struct chat_limits *limits)
{
	enum { VALUES = 400000, VALUES_OF_A_MESSAGE = 100 };
	size_t most = limits->messages * VALUES_OF_A_MESSAGE;
	return most > VALUES ? most : VALUES;
}

enum errcode chat_request_parse(struct arena *a, struct str body,
    const struct chat_limits *limits, struct chat_request *out, struct json_object **detail)
{
	const struct place whole = { NULL, -1, NULL };
	struct faults f = { a, jsn_array(a) };
	struct json_object *o = NULL;
	struct jsn_fault why;
	struct err e;

	*out = (struct chat_request){ 0 };
	*detail = f.list;
	if (body.n == 0) {
		fault(&f, whole, "missing", "Field required", NULL, NULL);
	} else if (jsn_values(body.p, body.n) > values_most(limits)) {
		why = (struct jsn_fault){ 0, "Too many values" };
		not_json(&f, &why);
	} else if (jsn_parse(a, body.p, body.n, JSN_DEPTH, &o, &why, &e) != OK) {
		not_json(&f, &why);
	} else if (!jsn_is(o, json_type_object)) {
		fault(&f, whole, "model_attributes_type",
		    "Input should be a valid dictionary or object to extract fields from", o, NULL);
	} else {
		messages(&f, o, limits, out);
		persona(&f, o, out);
		thread(&f, o, out);
		session(&f, o, out);
	}
	if (out->nsystem > 0)
		log_msg(LOG_INFO, "chat", "system_messages=%zu left out", out->nsystem);
	return jsn_len(f.list) > 0 ? ERR_INPUT : OK;
}
