/*
 * Calling a tool.
 */
#include "tools/tool.h"

#include "base/log.h"
#include "tools/tool_args.h"

/* Clients see the caller's tree afterwards, so the hidden argument goes into a copy. */
static struct json_object *with_persona(struct arena *a, struct json_object *args,
    const char *persona_id)
{
	struct json_object *copy = jsn_object(a);

	JSN_EACH(args, it)
		jsn_add(copy, it.key, jsn_ref(it.val));
	jsn_add_str(copy, "_persona_id", persona_id);
	return copy;
}

/* Codes that are passed on as they are: the turn is over, or there is no airport data (yet). */
static bool goes_through(enum errcode rc)
{
	return rc == ERR_TIMEOUT || rc == ERR_OVERLOAD || rc == ERR_PREPARING || rc == ERR_DATA;
}

/* A tool's own objections are for the user. Failures below it name files and SQL, which only the
 * log gets; the user is told the kind of failure. */
static enum errcode failed(const struct tool *t, enum errcode rc, const struct err *why,
    struct err *e)
{
	const char *said = why->msg;

	if (rc == ERR_HUP)
		return err_set(e, rc, "%s: the reader has gone", t->name);
	if (rc != ERR_INPUT && rc != ERR_TOOL) {
		said = err_row(rc)->said;
		log_msg((enum log_level)err_row(rc)->level, "tool_failed", "name=%s code=%s why=\"%s\"",
		    t->name, err_row(rc)->name, why->msg);
	}
	if (err_row(rc)->answers)
		return err_set(e, rc, "%s", said);
	return err_set(e, goes_through(rc) ? rc : ERR_TOOL, "Tool '%s' failed: %.400s", t->name,
	    said);
}

enum errcode tool_call(const struct tool_context *ctx, const struct tool *t, struct arena *a,
    struct json_object *args, const char *persona_id, struct json_object **result,
    struct err *e)
{
	struct err why = { OK, "" };
	enum errcode rc = tool_args_check(t, args, !t->open, &why);

	if (t->persona && persona_id != NULL)
		args = with_persona(a, args, persona_id);
	if (rc == OK)
		rc = t->call(t->self, ctx, a, args, result, &why);
	return rc == OK ? OK : failed(t, rc, &why, e);
}
