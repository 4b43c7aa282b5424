/*
 * export_data: write the record of an employee to a file, once its required fields are filled.
 *
 * The folder is tried before the summary is asked for, so a full disk costs no call of a model. A record that
 * was exported already is not written again, and a summary that still fits is used again.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "tools/onboarding.h"
#include "tools/onboarding_export.h"
#include "tools/onboarding_result.h"

#define NO_SUMMARY "Summary generation unavailable"

static const struct tool_arg args[] = {
	{ .name = "confirmation_message", .type = ARG_STRING, .def = "null",
	    .json = "{\"type\":[\"string\",\"null\"],\"default\":null,\"description\":\"Not used.\"}" },
};

static enum errcode missing(struct arena *a, struct json_object *fields, struct json_object **result)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "status", "error");
	jsn_add_str(o, "message", "Cannot export: missing required fields");
	jsn_add(o, "missing_fields", jsn_ref(onboarding_missing(a, fields)));
	jsn_add(o, "required_fields", onboarding_names(ONBOARDING_REQUIRED));
	*result = o;
	return OK;
}

/* What an employee has said, without the summary of it. */
static const char *facts(struct arena *a, struct json_object *fields)
{
	struct json_object *o = onboarding_fields(a, fields);

	jsn_add(o, onboarding_field_name(FIELD_SUMMARY), NULL);
	return jsn_text(a, o, JSN_PLAIN);
}

/* Has nothing changed since the last export? */
static bool is_exported(struct arena *a, const struct tool_record *r)
{
	struct json_object *before = jsn_get(r->exported, "fields");

	return before != NULL && streq(facts(a, before), facts(a, r->fields));
}

static const char *old_summary(const struct tool_record *r)
{
	const char *text = onboarding_text(jsn_get(r->exported, "fields"), FIELD_SUMMARY);

	return text != NULL ? text : NO_SUMMARY;
}

static enum errcode find_summary(struct arena *a, const struct tool_record *r, const char **out, struct err *e)
{
	*out = is_exported(a, r) ? old_summary(r) : NO_SUMMARY;
	if (!streq(*out, NO_SUMMARY) || r->summarise == NULL)
		return OK;
	const char *text = NULL;
	enum errcode rc = r->summarise(r->arg, a, r->fields, &text, e);
	*out = text != NULL ? text : NO_SUMMARY;
	return rc;
}

static const char *file_text(struct arena *a, const struct tool_record *r, struct json_object *fields,
    const char *at)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "conversation_id", r->conversation);
	jsn_add_str(o, "user_id", r->user);
	JSN_EACH(fields, it)
		jsn_add(o, it.key, jsn_ref(it.val));
	jsn_add_str(o, "exported_at", at);
	return jsn_text(a, o, JSN_INDENT);
}

static enum errcode succeed(struct arena *a, const char *path, const char *summary,
    struct json_object **result)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "status", "success");
	jsn_add_str(o, "message", "Onboarding data exported successfully");
	jsn_add_str(o, "file_path", path);
	jsn_add_str(o, "summary", summary);
	*result = o;
	return OK;
}

static enum errcode fail(struct arena *a, const char *path, const struct err *why,
    struct json_object **result)
{
	struct json_object *o = jsn_object(a);

	/* the log names the file; the conversation's id is in its name */
	log_msg(LOG_ERROR, "export_failed", "why=\"%s\"", why->msg);
	jsn_add_str(o, "status", "error");
	jsn_add_str(o, "message", "Failed to write export file: the folder for exports cannot be written");
	jsn_add_str(o, "file_path", path);
	*result = o;
	return OK;
}

/* Write the record and its summary. */
static enum errcode write_record(struct arena *a, struct tool_record *r, const char *path,
    struct json_object **result, struct err *e)
{
	struct json_object *fields = onboarding_fields(a, r->fields), *exported = jsn_object(a);
	char at[CLOCK_ISO_SIZE];
	const char *tmp, *summary;
	struct err why;
	int fd;

	r->nfiles++;
	if (!r->may_write) {
		err_set(&why, ERR_TOOL, "too many exports in one turn");
		return fail(a, path, &why, result);
	}
	if (onboarding_export_begin(a, path, &tmp, &fd, &why) != OK)
		return fail(a, path, &why, result);
	enum errcode rc = find_summary(a, r, &summary, e);
	if (rc == OK && r->hold != NULL)
		rc = r->hold(r->arg, e);
	if (rc != OK) {
		onboarding_export_drop(tmp, fd);
		return rc;
	}
	jsn_add_str(fields, onboarding_field_name(FIELD_SUMMARY), summary);
	clock_iso_utc(at, clock_wall_us());
	const char *when = arena_printf(a, "%sZ", at), *text = file_text(a, r, fields, when);
	if (onboarding_export_end(path, tmp, fd, text, strlen(text), &why) != OK)
		return fail(a, path, &why, result);
	jsn_add_str(r->update, onboarding_field_name(FIELD_SUMMARY), summary);
	jsn_add_str(exported, "at", when);
	jsn_add(exported, "fields", jsn_ref(fields));
	r->exported = exported;
	return succeed(a, path, summary, result);
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *given, struct json_object **result, struct err *e)
{
	struct tool_record *r = ctx != NULL ? ctx->record : NULL;

	(void)self;
	(void)given;
	if (r == NULL || r->dir == NULL)
		return onboarding_no_record(e);
	if (jsn_len(onboarding_missing(a, r->fields)) > 0)
		return missing(a, r->fields, result);
	const char *path = onboarding_export_path(a, r->dir, r->conversation);
	if (path == NULL)
		return err_set(e, ERR_TOOL, "the conversation's id cannot be the name of a file");
	if (is_exported(a, r) && access(path, F_OK) == 0)
		return succeed(a, path, old_summary(r), result);
	return write_record(a, r, path, result, e);
}

const struct tool tool_export_data = {
	.name = "export_data",
	.doc = "Finish the onboarding: write the record to a file. Call it only after the employee has confirmed "
	    "that the record is right. It is refused while a required field is missing.",
	.args = args,
	.nargs = 1,
	.domain = TOOL_ONBOARDING,
	.call = call,
};
