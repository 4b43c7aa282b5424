/*
 * read_data: what the onboarding record holds.
 */
#include "base/buf.h"
#include "tools/onboarding.h"
#include "tools/onboarding_result.h"

enum { NAMES_BYTES = 2000 };

static const struct tool_arg args[] = {
	{ .name = "field_names", .type = ARG_STRINGS, .def = "null",
	    .json = "{\"type\":[\"array\",\"null\"],\"items\":{\"type\":\"string\"},\"default\":null,"
	    "\"description\":\"The fields to read. Leave it out to read all.\"}" },
};

/* The names that are no fields, as "['a', 'b']"; NULL: there are none. */
static const char *wrong_names(struct arena *a, struct json_object *list)
{
	struct buf b;
	const char *text = NULL;

	buf_init(&b, NAMES_BYTES);
	for (size_t i = 0; i < jsn_len(list); i++) {
		const char *name = json_object_get_string(jsn_at(list, i));

		if (onboarding_field_find(name) == ONBOARDING_FIELD__MAX)
			buf_printf(&b, "%s'%.*s'", b.n > 0 ? ", " : "", (int)onboarding_shown(name), name);
	}
	if (b.n > 0)
		text = arena_printf(a, "[%s]", b.p);
	buf_release(&b);
	return text;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *given, struct json_object **result, struct err *e)
{
	struct json_object *list = jsn_get(given, "field_names"), *o = jsn_object(a);

	(void)self;
	if (ctx == NULL || ctx->record == NULL)
		return onboarding_no_record(e);
	const char *wrong = wrong_names(a, list);
	if (wrong != NULL) {
		jsn_add_str(o, "status", "error");
		jsn_add_str(o, "message", arena_printf(a, "Invalid field names: %s", wrong));
		jsn_add(o, "valid_fields", onboarding_names(ONBOARDING_FIELD__MAX));
	} else {
		for (int f = 0; jsn_len(list) == 0 && f < ONBOARDING_FIELD__MAX; f++) {
			const char *name = onboarding_field_name((enum onboarding_field)f);
			jsn_add(o, name, jsn_ref(jsn_get(ctx->record->fields, name)));
		}
		for (size_t i = 0; i < jsn_len(list); i++) {
			const char *name = json_object_get_string(jsn_at(list, i));
			jsn_add(o, name, jsn_ref(jsn_get(ctx->record->fields, name)));
		}
		jsn_add_str(o, "status", "success");
	}
	*result = o;
	return OK;
}

const struct tool tool_read_data = {
	.name = "read_data",
	.doc = "Read what the onboarding record of this employee holds. A field that is null was not collected "
	    "yet. Read it when you are not sure what is missing.",
	.args = args,
	.nargs = 1,
	.domain = TOOL_ONBOARDING,
	.call = call,
};
