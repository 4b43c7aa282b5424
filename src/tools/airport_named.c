/*
 * One airport by its code.
 */
#include "tools/airport_named.h"

#include <string.h>

#include "base/str.h"

enum { CODE_SHOWN = 40 };

struct json_object *airport_nothing(struct arena *a, const char *icao, const char *reason,
    const char *pretty)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "icao", icao);
	jsn_add_str(o, "reason", reason);
	jsn_add_str(o, "pretty", pretty);
	return o;
}

static struct json_object *not_known(struct arena *a, const char *code)
{
	const char *said = str_upper_copy(a, code, utf8_cut(code, strlen(code), CODE_SHOWN));

	return airport_nothing(a, said, "no airport with this code is known",
	    arena_printf(a, "Airport %s not found.", said));
}

enum errcode airport_named_call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct airport_named *tool = self;
	const char *code = jsn_get_str(args, "icao_code", "");
	struct airport airport;
	struct fact_view view;
	struct aircon *con;
	bool found = false;
	enum errcode rc = airport_con(ctx, &con, e);

	if (rc != OK)
		return rc;
	rc = airdb_by_code(con, a, code, &airport, &found, e);
	airdb_put(con);
	if (rc != OK)
		return rc;
	fact_view_take(&view, ctx->sources);
	*result = !found ? not_known(a, code) : tool->tell(ctx, a, args, &airport,
	    fact_find(&view, FACTS_FRIENDLINESS, airport.ident));
	fact_view_put(&view);
	return OK;
}
