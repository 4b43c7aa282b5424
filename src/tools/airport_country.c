/*
 * A country by its code, its name, or its adjective.
 */
#include "tools/airport_country.h"

#include "airports/countries.h"
#include "base/str.h"

enum { SHOWN_MAX = 60 };

enum errcode country_arg(struct arena *a, struct json_object *args, const char **out,
    struct json_object **result)
{
	const struct str said = str_trim(str_of(jsn_get_str(args, "country", "")));
	const char *text = arena_strndup(a, said.p, said.n);
	const struct country *c = country_by_code(text);

	*out = NULL;
	*result = NULL;
	if (said.n == 0)
		return OK;
	if (c == NULL)
		c = country_by_name(str_fold(a, text));
	if (c != NULL) {
		*out = c->code;
		return OK;
	}
	*result = jsn_object(a);
	jsn_add_bool(*result, "found", false);
	jsn_add_int(*result, "count", 0);
	jsn_add_str(*result, "pretty", arena_printf(a, "“%.*s” is not a country that is known here. Use "
	    "its name or its two-letter code, for example FR.", (int)utf8_cut(text, said.n, SHOWN_MAX),
	    text));
	return OK;
}

const char *country_in(struct arena *a, const char *code)
{
	const struct country *c = code != NULL ? country_by_code(code) : NULL;

	return code == NULL ? "" : arena_printf(a, " in %s", c != NULL ? c->name : code);
}
