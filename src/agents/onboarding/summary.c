/*
 * The summary that goes into an exported record. Its text never reaches the reader of the turn, and what the
 * employee has said is put between tags as data, so that it gives the model no instructions.
 */
#include "agents/onboarding/onboarding.h"

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum { SUMMARY_BYTES = 4000, RECORD_BYTES = 8 << 10 };

/* The fields that a summary tells, as JSON in which nothing looks like a tag. */
static const char *record_text(struct arena *a, struct json_object *fields)
{
	struct buf b;
	buf_init(&b, RECORD_BYTES);
	buf_puts(&b, "<record>\n");
	for (int f = 0; f < FIELD_SUMMARY; f++) {
		const char *name = onboarding_field_name((enum onboarding_field)f);
		struct json_object *v = jsn_get(fields, name);
		buf_printf(&b, "%s: ", name);
		if (jsn_is(v, json_type_string))
			jsn_print_tagless(&b, json_object_get_string(v), (size_t)json_object_get_string_len(v));
		else
			buf_puts(&b, v == NULL ? "not given" : json_object_get_boolean(v) ? "yes" : "no");
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "</record>");
	const char *text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

/* Without a model: the same facts as bullet points. */
static const char *plain(struct arena *a, struct json_object *fields)
{
	const char *meal = onboarding_text(fields, FIELD_DIETARY);
	struct json_object *meeting = jsn_get(fields, onboarding_field_name(FIELD_MEETING));
	return arena_printf(a, "- %s (employee id %s) chose the starter kit \"%s\".\n"
	    "- Dietary restrictions: %s.\n- Meeting: %s.", onboarding_text(fields, FIELD_EMPLOYEE_NAME),
	    onboarding_text(fields, FIELD_EMPLOYEE_ID), onboarding_text(fields, FIELD_STARTER_KIT),
	    meal != NULL && *meal != '\0' ? meal : "not given",
	    meeting == NULL ? "not told" : json_object_get_boolean(meeting) ? "scheduled" : "not scheduled");
}

/* A model that gives nothing does not stop an export; a turn that is over does. */
enum errcode onboarding_summarise(void *arg, struct arena *a, struct json_object *fields, const char **out,
    struct err *e)
{
	struct run *run = arg;
	const struct onboarding_app *app = app_of(run);
	*out = NULL;
	if (app->llm == NULL || state_of(run)->degraded) {
		*out = plain(a, fields);
		return OK;
	}
	const struct watch w = run_watch(run);
	const char *const values[] = { record_text(a, fields) };
	const struct llm_message message = { .role = "user", .content = prompt_fill(app->summary, a, values) };
	const struct llm_request req = { .purpose = "summary", .model = app->model, .messages = &message,
		.nmessages = 1, .first_ms = app->limits.call_ms, .total_ms = app->limits.call_ms };
	struct llm_reply reply = { .text = "" };
	enum errcode rc = llm_chat(app->llm, a, &req, NULL, NULL, &w, &reply, NULL, e);
	run_tokens(run, reply.usage.input, reply.usage.output, reply.usage.estimated);
	const struct str text = str_trim(str_of(rc == OK ? reply.text : ""));
	if (text.n > 0)
		*out = arena_strndup(a, text.p, utf8_cut(text.p, text.n, SUMMARY_BYTES));
	return rc == ERR_UPSTREAM ? OK : rc;
}
