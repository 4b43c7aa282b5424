/*
 * A country by its code, its name, or its adjective.
 */
#include "tools/airport_country.h"

#include <string.h>

#include "airports/countries.h"
#include "base/str.h"
#include "tools/airport_result.h"

enum { SHOWN_MAX = 60 };

const struct tool_arg airport_country_args[1] = {
	{ .name = "country", .type = ARG_STRING, .doc = "ISO-2 code or name; default all countries." },
};

static struct json_object *not_known(struct arena *a, const char *text)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_int(o, "count", 0);
	jsn_add_str(o, "pretty", arena_printf(a, "“%.*s” is not a country that is known here. Use "
	    "its name or its two-letter code, for example FR.",
	    (int)utf8_cut(text, strlen(text), SHOWN_MAX), text));
	return o;
}

enum errcode airport_country_call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct airport_country *tool = self;
	const struct str said = str_trim(str_of(jsn_get_str(args, "country", "")));
	const char *text = arena_strndup(a, said.p, said.n);
	const struct country *c = country_by_code(text);
	struct aircon *con;
	enum errcode rc;

	if (c == NULL)
		c = country_by_name(str_fold(a, text));
	if (c == NULL && said.n > 0) {
		*result = not_known(a, text);
		return OK;
	}
	rc = airport_con(ctx, &con, e);
	if (rc != OK)
		return rc;
	rc = tool->tell(con, a, c != NULL ? c->code : NULL, result, e);
	airdb_put(con);
	return rc;
}

const char *country_in(struct arena *a, const char *code)
{
	const struct country *c = code != NULL ? country_by_code(code) : NULL;

	return code == NULL ? "" : arena_printf(a, " in %s", c != NULL ? c->name : code);
}
