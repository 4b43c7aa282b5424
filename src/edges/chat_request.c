/*
 * Validation in the words of FastAPI and pydantic, because clients of this API can read these: each
 * fault has a type, a place, a message and the offending value. All faults are reported at once,
 * field by field. The echo of a value is cut to a size that shows what it was, so that a small bad
 * request cannot ask for a large answer.
 */
#include "edges/chat_request.h"

#include <string.h>

#include "base/fields.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/reply.h"
#include "runtime/history.h"

#define ID_PATTERN "^[A-Za-z0-9_-]{1,128}$"

enum {
	ID_MAX = 128,
	FAULTS_MAX = 100,        /* faults reported at once */
};


struct faults {
	struct arena *a;
	struct json_object *list;
	size_t last;             /* index of the newest message */
};

/* ---- faults ------------------------------------------------------------------------ */

static void add_fault(struct faults *f, struct json_object *loc, const char *type,
    const char *msg, struct json_object *input, struct json_object *ctx)
{
	if (jsn_len(f->list) >= FAULTS_MAX)
		return;
	struct json_object *o = jsn_object(f->a);
	jsn_add_str(o, "type", type);
	jsn_add(o, "loc", jsn_ref(loc));
	jsn_add_str(o, "msg", msg);
	jsn_add(o, "input", reply_shown(f->a, input));
	if (ctx != NULL)
		jsn_add(o, "ctx", jsn_ref(ctx));
	jsn_push(f->list, jsn_ref(o));
}

static void put_place(struct json_object *loc, const struct field_place *at)
{
	if (at == NULL) {
		jsn_push(loc, jsn_str("body"));
		return;
	}
	put_place(loc, at->up);
	jsn_push(loc, at->name != NULL ? jsn_str(at->name) : json_object_new_int64((int64_t)at->index));
}

/* ctx is owned by the arena, or NULL. */
static void fault(struct faults *f, const struct field_place *at, const char *type, const char *msg,
    struct json_object *input, struct json_object *ctx)
{
	struct json_object *loc = jsn_array(f->a);
	put_place(loc, at);
	add_fault(f, loc, type, msg, input, ctx);
}

static void fault_value(struct faults *f, const struct field_place *at, const char *why,
    struct json_object *input)
{
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_str(ctx, "error", why);
	fault(f, at, "value_error", arena_printf(f->a, "Value error, %s", why), input, ctx);
}

static void fault_type(struct faults *f, const struct field *row, const struct field_place *at,
    struct json_object *input)
{
	static const struct { const char *type, *msg; } words[] = {
		[FIELD_TEXT] = { "string_type", "Input should be a valid string" },
		[FIELD_OBJECT] = { "model_attributes_type",
		    "Input should be a valid dictionary or object to extract fields from" },
		[FIELD_LIST] = { "list_type", "Input should be a valid list" },
	};
	fault(f, at, words[row->type].type, words[row->type].msg, input, NULL);
}

/* "'system', 'user' or 'assistant'" */
static const char *choices_said(struct arena *a, const char *const *choices)
{
	const char *said = "";

	for (size_t i = 0; choices[i] != NULL; i++)
		said = arena_printf(a, "%s%s'%s'", said,
		    i == 0 ? "" : choices[i + 1] != NULL ? ", " : " or ", choices[i]);
	return said;
}

static void fault_choice(struct faults *f, const struct field *row, const struct field_place *at,
    struct json_object *input)
{
	const char *expected = choices_said(f->a, row->choices);
	struct json_object *ctx = jsn_object(f->a);
	jsn_add_str(ctx, "expected", expected);
	fault(f, at, "literal_error", arena_printf(f->a, "Input should be %s", expected), input, ctx);
}

/* ---- rows -------------------------------------------------------------------------- */

enum { ROLE, CONTENT, MESSAGE__MAX };
enum { MESSAGES, PERSONA, THREAD, SESSION, STRATEGY, DISCONNECT, BODY__MAX };

static const char *const roles[] = { "system", "user", "assistant", NULL };
static const char *const strategies[] = { "reject", "enqueue", NULL };
static const char *const disconnects[] = { "cancel", "continue", NULL };

/* The rows of a body, with the limits of the configuration. */
struct body_rows {
	struct field message[MESSAGE__MAX], element, body[BODY__MAX];
};

static void rows_make(struct body_rows *r, const struct chat_limits *limits)
{
	*r = (struct body_rows){
		.message = {
			[ROLE] = { "role", FIELD_TEXT, FIELD_REQUIRED, .choices = roles },
			[CONTENT] = { "content", FIELD_TEXT, FIELD_REQUIRED,
			    .max = (double)limits->message_bytes },
		},
		.element = { NULL, FIELD_OBJECT, .of = r->message, .nof = MESSAGE__MAX },
		.body = {
			/* a page that stays open sends more and more messages: only the newest are read */
			[MESSAGES] = { "messages", FIELD_LIST, FIELD_NEWEST, .min = 1,
			    .max = (double)limits->messages, .of = &r->element },
			[PERSONA] = { "persona_id", FIELD_TEXT, FIELD_NULLABLE, .max = ID_MAX,
			    .choices = limits->personas != NULL ? limits->personas->ids : NULL },
			[THREAD] = { "thread_id", FIELD_TEXT, FIELD_NULLABLE | FIELD_ID, .max = ID_MAX },
			[SESSION] = { "session_id", FIELD_TEXT, FIELD_NULLABLE | FIELD_ID, .max = ID_MAX },
			[STRATEGY] = { "multitask_strategy", FIELD_TEXT, FIELD_NULLABLE, .max = ID_MAX,
			    .choices = strategies },
			[DISCONNECT] = { "on_disconnect", FIELD_TEXT, FIELD_NULLABLE, .max = ID_MAX,
			    .choices = disconnects },
		},
	};
}

/* An older message that is too long or holds NULs is read cut (see older_text), not refused. A value
 * of session_id that does not have the form of an id is ignored: the original ignores the member. */
static bool passed_over(const struct faults *f, enum field_fault kind, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	if (streq(row->name, "content"))
		return at->up->index != f->last && (kind == FAULT_LONG || kind == FAULT_NUL);
	/* an empty persona is none */
	if (streq(row->name, "persona_id"))
		return kind == FAULT_CHOICE && json_object_get_string_len(v) == 0;
	return streq(row->name, "session_id") && kind != FAULT_NUL;
}

static void told(void *arg, enum field_fault kind, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	struct faults *f = arg;
	struct json_object *ctx = jsn_object(f->a);

	if (passed_over(f, kind, row, at, v))
		return;
	switch (kind) {
	case FAULT_MISSING:
		fault(f, at, "missing", "Field required", v, NULL);
		break;
	case FAULT_TYPE:
		if (row->choices == roles || row->choices == strategies)
			fault_choice(f, row, at, v);
		else
			fault_type(f, row, at, v);
		break;
	case FAULT_CHOICE:
		fault_choice(f, row, at, v);
		break;
	case FAULT_LONG:
		jsn_add_int(ctx, "max_length", (int64_t)row->max);
		fault(f, at, "string_too_long", arena_printf(f->a, "String should have at most %.0f %s",
		    row->max, streq(row->name, "content") ? "bytes" : "characters"), v, ctx);
		break;
	case FAULT_NUL:
		fault_value(f, at, "the text must not contain NUL characters", v);
		break;
	case FAULT_ID:
		jsn_add_str(ctx, "pattern", ID_PATTERN);
		fault(f, at, "string_pattern_mismatch",
		    "String should match pattern '" ID_PATTERN "'", v, ctx);
		break;
	case FAULT_FEW:
		jsn_add_str(ctx, "field_type", "List");
		jsn_add_int(ctx, "min_length", 1);
		jsn_add_int(ctx, "actual_length", 0);
		fault(f, at, "too_short", "List should have at least 1 item after validation, not 0",
		    v != NULL ? v : jsn_array(f->a), ctx);
		break;
	case FAULT_BLANK: case FAULT_FRACTION: case FAULT_RANGE: case FAULT_MANY: case FAULT__MAX:
		break;               /* no row above has such a bound */
	}
}

/* ---- reading what was found good ---------------------------------------------------- */

/* The text of an older message, cut to the limit. A page keeps a message that was refused in its
 * history and sends it again with every turn, so refusing it again would lock the page out. The cut
 * is always the same, so that the thread recognises the message. */
static const char *older_text(struct arena *a, struct json_object *o, size_t max)
{
	const size_t mark = sizeof(HISTORY_CUT) - 1;
	size_t n = (size_t)json_object_get_string_len(o);
	const char *s = json_object_get_string(o);
	if (n <= max && memchr(s, '\0', n) == NULL)
		return s;
	size_t keep = n <= max ? n : utf8_cut(s, n, max - mark);
	char *text = arena_alloc(a, keep + mark + 1);
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

/* System messages are left out. */
static void read_messages(struct arena *a, struct json_object *list,
    const struct chat_limits *limits, struct chat_request *out)
{
	size_t n = jsn_len(list), from = n > limits->messages ? n - limits->messages : 0;

	out->messages = arena_array(a, n - from, sizeof(*out->messages));
	for (size_t i = from; i < n; i++) {
		struct json_object *o = jsn_at(list, i);
		const char *role = jsn_get_str(o, "role", "");
		if (streq(role, "system"))
			out->nsystem++;
		else
			out->messages[out->nmessages++] = (struct message)MESSAGE(role,
			    older_text(a, jsn_get(o, "content"), limits->message_bytes));
	}
}

/* A text; NULL: absent or empty. */
static const char *filled(struct json_object *body, const char *name, const char *absent)
{
	const char *s = jsn_has(body, name) ? jsn_get_str(body, name, NULL) : absent;
	return streq(s, "") ? NULL : s;
}

static void read_body(struct faults *f, struct json_object *body, const struct chat_limits *limits,
    struct chat_request *out)
{
	const struct field_place messages = { NULL, "messages", 0 };
	struct json_object *list = jsn_get(body, "messages");
	struct body_rows rows;

	rows_make(&rows, limits);
	f->last = jsn_len(list) - 1;
	fields_check(&rows.body[MESSAGES], 1, body, NULL, told, f);
	if (jsn_len(f->list) == 0) {
		read_messages(f->a, list, limits, out);
		if (out->nmessages == 0 || !streq(out->messages[out->nmessages - 1].role, "user"))
			fault_value(f, &messages, "the last message must be the user's", list);
	}
	fields_check(&rows.body[PERSONA], BODY__MAX - PERSONA, body, NULL, told, f);
	out->persona_id = filled(body, "persona_id",
	    limits->personas != NULL ? limits->personas->standard->id : NULL);
	out->persona_given = jsn_has(body, "persona_id");
	out->thread_id = filled(body, "thread_id", NULL);
	out->session_id = filled(body, "session_id", NULL);
	out->on_disconnect = filled(body, "on_disconnect", NULL);
	out->multitask_strategy = filled(body, "multitask_strategy", NULL);
	if (!chat_id_valid(out->session_id))
		out->session_id = NULL;
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
	static const struct field whole = { .type = FIELD_OBJECT };
	struct faults f = { a, jsn_array(a), 0 };
	struct json_object *o = NULL;
	struct jsn_fault why;
	struct err e;

	*out = (struct chat_request){ 0 };
	*detail = f.list;
	if (body.n == 0) {
		fault(&f, NULL, "missing", "Field required", NULL, NULL);
	} else if (jsn_values(body.p, body.n) > values_most(limits)) {
		why = (struct jsn_fault){ 0, "Too many values" };
		not_json(&f, &why);
	} else if (jsn_parse(a, body.p, body.n, JSN_DEPTH, &o, &why, &e) != OK) {
		not_json(&f, &why);
	} else if (!jsn_is(o, json_type_object)) {
		fault_type(&f, &whole, NULL, o);
	} else {
		read_body(&f, o, limits, out);
	}
	if (out->nsystem > 0)
		log_msg(LOG_INFO, "chat", "system_messages=%zu left out", out->nsystem);
	return jsn_len(f.list) > 0 ? ERR_INPUT : OK;
}
