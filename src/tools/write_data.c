/*
 * write_data: put a value into a field of the onboarding record, after checking it.
 *
 * A model is told exactly what was wrong with a value, so that it can ask for another. The arguments come
 * from a model that repeats a person's words, so nothing is guessed: a text is trimmed, and a truth value
 * must be one in JSON.
 */
#include <string.h>

#include "base/str.h"
#include "tools/onboarding.h"
#include "tools/onboarding_result.h"

enum { NAME_MAX_CHARS = 255, ID_MAX_CHARS = 50, DIETARY_MAX_CHARS = 500 };

static const struct tool_arg args[] = {
	{ .name = "field_name", .type = ARG_STRING, .required = true,
	    .json = "{\"type\":\"string\",\"enum\":[\"employee_name\",\"employee_id\",\"starter_kit\","
	    "\"dietary_restrictions\",\"meeting_scheduled\"],\"description\":\"The field to fill.\"}" },
	{ .name = "value", .type = ARG_ANY, .required = true, .nullable = true,
	    .json = "{\"description\":\"Its value: text; for starter_kit one of mouse, keyboard, backpack; for "
	    "meeting_scheduled true or false. null clears an optional field.\"}" },
	{ .name = "comments", .type = ARG_STRING, .def = "null",
	    .json = "{\"type\":[\"string\",\"null\"],\"default\":null,\"description\":\"Not used.\"}" },
};

/* -- values -- */

/* Blanks of any script, which are cut off at the ends of a text. */
static bool blank(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
	    c == 0x2060 || c == 0x3000 || c == 0xfeff;
}

static struct str trim(const char *text, size_t n)
{
	struct str s = { text, n };
	uint32_t c;
	size_t last = 0;

	for (size_t len; s.n > 0 && (len = utf8_decode(s.p, s.n, &c)) > 0 && blank(c); s.n -= len)
		s.p += len;
	for (size_t i = 0, len; i < s.n; i += len) {
		len = utf8_decode(s.p + i, s.n - i, &c);
		len = len > 0 ? len : 1;
		if (!blank(c))
			last = i + len;
	}
	s.n = last;
	return s;
}

static bool has_controls(struct str s)
{
	bool plain = true;

	for (size_t i = 0; i < s.n && plain;)
		i += str_next(s.p + i, s.n - i, &plain);
	return !plain;
}

/* The value as it is stored, a fresh reference, or NULL with *why. */
static struct json_object *text_of(struct arena *a, struct json_object *v, bool needed, size_t most,
    const char **why)
{
	if (!jsn_is(v, json_type_string)) {
		*why = "Input should be a valid string";
		return NULL;
	}
	const struct str s = trim(json_object_get_string(v), (size_t)json_object_get_string_len(v));
	if (needed && s.n == 0)
		*why = "String should have at least 1 character";
	else if (utf8_count(s.p, s.n) > most)
		*why = arena_printf(a, "String should have at most %zu characters", most);
	else if (memchr(s.p, '\0', s.n) != NULL || (needed && has_controls(s)))
		*why = "String should have no control characters";
	return *why == NULL ? jsn_strn(s.p, s.n) : NULL;
}

static struct json_object *name_value(struct arena *a, struct json_object *v, const char **why)
{
	return text_of(a, v, true, NAME_MAX_CHARS, why);
}

static struct json_object *id_value(struct arena *a, struct json_object *v, const char **why)
{
	return text_of(a, v, true, ID_MAX_CHARS, why);
}

static struct json_object *dietary_value(struct arena *a, struct json_object *v, const char **why)
{
	return text_of(a, v, false, DIETARY_MAX_CHARS, why);
}

static struct json_object *kit_value(struct arena *a, struct json_object *v, const char **why)
{
	const char *given = jsn_is(v, json_type_string) ? json_object_get_string(v) : NULL;

	if (given == NULL) {
		*why = "Input should be a valid string";
		return NULL;
	}
	const struct str s = trim(given, strlen(given));
	for (size_t i = 0; onboarding_kits[i] != NULL; i++)
		if (str_ieq(s, onboarding_kits[i]))
			return jsn_str(onboarding_kits[i]);
	*why = arena_printf(a, "Value error, Invalid starter_kit value '%.*s'. Must be one of: mouse, "
	    "keyboard, backpack", (int)onboarding_shown(given), given);
	return NULL;
}

static struct json_object *meeting_value(struct arena *a, struct json_object *v, const char **why)
{
	(void)a;
	if (jsn_is(v, json_type_boolean))
		return jsn_ref(v);
	*why = "Input should be a valid boolean, unable to interpret input";
	return NULL;
}

static struct json_object *kit_values(void)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; onboarding_kits[i] != NULL; i++)
		jsn_push(list, jsn_str(onboarding_kits[i]));
	return list;
}

static struct json_object *meeting_values(void)
{
	struct json_object *list = json_object_new_array();

	jsn_push(list, json_object_new_boolean(true));
	jsn_push(list, json_object_new_boolean(false));
	return list;
}

static const struct {
	struct json_object *(*value)(struct arena *a, struct json_object *v, const char **why);
	struct json_object *(*choices)(void);   /* NULL: it has no fixed values */
} rules[ONBOARDING_WRITABLE] = {
	[FIELD_EMPLOYEE_NAME] = { name_value, NULL },
	[FIELD_EMPLOYEE_ID] = { id_value, NULL },
	[FIELD_STARTER_KIT] = { kit_value, kit_values },
	[FIELD_DIETARY] = { dietary_value, NULL },
	[FIELD_MEETING] = { meeting_value, meeting_values },
};

/* -- the tool -- */

/* What was given, as it is repeated in a refusal. A fresh reference. */
static struct json_object *repeated(struct json_object *v)
{
	if (!jsn_is(v, json_type_string))
		return jsn_is(v, json_type_object) || jsn_is(v, json_type_array) ? NULL : jsn_ref(v);
	const char *text = json_object_get_string(v);
	return jsn_strn(text, onboarding_shown(text));
}

static struct json_object *unknown_field(struct arena *a, const char *name)
{
	struct json_object *o = jsn_object(a);

	jsn_add(o, "field_name", jsn_strn(name, onboarding_shown(name)));
	jsn_add_str(o, "status", "error");
	jsn_add_str(o, "message", arena_printf(a, "Unknown field '%.*s'", (int)onboarding_shown(name), name));
	jsn_add(o, "valid_fields", onboarding_names(ONBOARDING_WRITABLE));
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *given, struct json_object **result, struct err *e)
{
	const char *name = jsn_get_str(given, "field_name", ""), *why = NULL;
	const int f = (int)onboarding_field_find(name);
	struct json_object *v = jsn_get(given, "value"), *o = jsn_object(a), *value = NULL;

	(void)self;
	if (ctx == NULL || ctx->record == NULL)
		return onboarding_no_record(e);
	if (f >= ONBOARDING_WRITABLE) {
		*result = unknown_field(a, name);
		return OK;
	}
	if (v != NULL)
		value = rules[f].value(a, v, &why);
	else if (f < ONBOARDING_REQUIRED)
		why = "A required field cannot be cleared";
	jsn_add_str(o, "field_name", name);
	jsn_add(o, "value", why == NULL ? jsn_ref(value) : repeated(v));
	jsn_add_str(o, "status", why == NULL ? "success" : "error");
	jsn_add_str(o, "message", why == NULL ? "Data recorded" : why);
	if (why == NULL)
		jsn_add(ctx->record->update, name, value);
	else if (rules[f].choices != NULL)
		jsn_add(o, "valid_values", rules[f].choices());
	*result = o;
	return OK;
}

const struct tool tool_write_data = {
	.name = "write_data",
	.doc = "Record one value that the employee has given. Use it once for each value, as soon as you know "
	    "the value. If the status of the result is error, tell the employee what is wrong and ask again.",
	.args = args,
	.nargs = 3,
	.domain = TOOL_ONBOARDING,
	.call = call,
};
