/*
 * The tools' node: carries out the next call of the newest step. What the call changes in the record, and its
 * result, are stored together; only then the reader is told that it is done.
 *
 * Calls are carried out one at a time, in the order in which the model gave them. So each sees what the one
 * before it has changed.
 */
#include "agents/onboarding/onboarding.h"

#include <string.h>

#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

#define NOT_DONE "{\"status\":\"error\",\"message\":\"This call was not carried out, because the turn has ended.\"}"

static const char *error_text(struct arena *a, const char *why)
{
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "status", "error");
	jsn_add_str(o, "message", why);
	return jsn_text(a, o, JSN_PLAIN);
}

/* The arguments as an object, which may be empty. */
static enum errcode read_arguments(struct arena *a, const struct message_call *c, struct json_object **out,
    struct err *e)
{
	struct jsn_fault fault = { .why = "" };
	struct json_object *o = NULL;
	*out = jsn_object(a);
	if (str_trim(str_of(c->arguments)).n == 0)
		return OK;
	if (jsn_parse(a, c->arguments, strlen(c->arguments), JSN_DEPTH, &o, &fault, NULL) != OK)
		return err_set(e, ERR_TOOL, "The arguments are not JSON: %s (character %zu).", fault.why,
		    fault.offset);
	if (!jsn_is(o, json_type_object))
		return err_set(e, ERR_TOOL, "The arguments must be an object, not %s.", jsn_kind(o));
	*out = o;
	return OK;
}

static enum errcode unknown_tool(const struct onboarding_app *app, struct err *e)
{
	char names[200];
	size_t n = 0;
	for (size_t i = 0; i < app->tools.n && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i > 0 ? ", " : "",
		    app->tools.tools[i]->name);
	return err_set(e, ERR_TOOL, "There is no such tool. The tools are: %s.", names);
}

/* Refuse a call that goes beyond a limit of the turn. */
static enum errcode admit(struct run *run, struct err *e)
{
	const struct onboarding_limits *limits = &app_of(run)->limits;
	struct onboarding_state *st = state_of(run);
	if (st->tool_calls++ >= limits->tool_calls)
		return err_set(e, ERR_STEPS, "tools were called %lld times in one turn (ONBOARDING_TOOL_CALLS)",
		    (long long)limits->tool_calls);
	return OK;
}

static enum errcode hold(void *arg, struct err *e)
{
	return run_hold(arg, e);
}

/* Carry out a call. *text is its result, also if the tool could not do its work; `update` gets the fields that
 * it changes. Other codes than OK end the turn. */
static enum errcode carry_out(struct run *run, const struct message_call *c, struct json_object *args,
    struct json_object *update, const char **text, struct err *e)
{
	const struct onboarding_app *app = app_of(run);
	struct onboarding_state *st = state_of(run);
	const struct tool *tool = toolset_find(app->tools, c->name);
	const struct watch watch = run_watch(run);
	struct tool_record record = { .conversation = run->thread_id, .user = run->owner,
		.fields = st->fields, .update = update, .dir = app->export_dir,
		.exported = st->exported, .may_write = st->files < app->limits.exports,
		.summarise = onboarding_summarise, .hold = hold, .arg = run };
	struct llm_usage usage = { .input = 0 };
	struct tool_context ctx = app->context;
	struct json_object *result = NULL;
	const int64_t start = clock_mono_us();
	ctx.watch = &watch;
	ctx.usage = &usage;
	ctx.until_ms = run->started_ms + run->limits.deadline_ms;
	ctx.no_model = st->degraded;
	ctx.record = &record;
	enum errcode rc = tool == NULL ? unknown_tool(app, e) :
	    tool_call(&ctx, tool, run->mem, args, NULL, &result, e);
	run_tokens(run, usage.input, usage.output, usage.estimated);
	st->exported = record.exported;
	st->files += record.nfiles;
	if (rc == OK && streq(jsn_get_str(result, "status", ""), "error"))
		st->refused[onboarding_field_find(jsn_get_str(result, "field_name", ""))]++;
	/* neither arguments nor result: they are personal */
	log_msg(LOG_INFO, "tool", "name=%s us=%lld result=%s", tool != NULL ? tool->name : "unknown",
	    (long long)(clock_mono_us() - start), err_row(rc)->name);
	if (rc == ERR_TOOL || rc == ERR_DATA || rc == ERR_PREPARING) {
		*text = error_text(run->mem, e->msg);
		return OK;
	}
	if (rc == OK)
		*text = jsn_is(result, json_type_string) ?
		    arena_strdup(run->mem, json_object_get_string(result)) :
		    jsn_text(run->mem, result, JSN_PLAIN);
	return rc;
}

static void answer(struct run *run, const struct message_call *c, const char *text)
{
	run_message(run, "tool", text)->call_id = c->id;
	state_of(run)->done++;
}

/* The calls that are left will not be carried out. Each gets a result that says so, because a model must see
 * one for every call. */
static void answer_rest(struct run *run)
{
	const struct onboarding_state *st = state_of(run);
	while (st->done < st->ncalls)
		answer(run, &st->calls[st->done], NOT_DONE);
}

static enum errcode emit(struct run *run, enum event_kind kind, const struct message_call *c,
    struct json_object *args, const char *text)
{
	const struct event ev = { .kind = kind, .name = c->name, .data = args,
		.result = text == NULL ? NULL : jsn_own(run->mem, jsn_str(text)), .call_id = c->id,
		.time_us = clock_wall_us() };
	return run_emit(run, &ev);
}

/* The limits that only show after the call. Its result is stored and sent to the reader before the turn ends. */
static enum errcode check_limits(struct run *run, struct err *e)
{
	const struct onboarding_limits *limits = &app_of(run)->limits;
	const struct onboarding_state *st = state_of(run);
	for (int f = 0; f <= ONBOARDING_FIELD__MAX; f++)
		if (st->refused[f] > limits->failed_writes)
			return err_set(e, ERR_STEPS, "%lld calls with %s were refused in one turn (ONBOARDING_FAILED_WRITES)",
			    (long long)st->refused[f], f < ONBOARDING_FIELD__MAX ?
			    onboarding_field_name((enum onboarding_field)f) : "no field");
	if (st->files > limits->exports)
		return err_set(e, ERR_STEPS, "the record was exported more than %lld times in one turn (ONBOARDING_EXPORTS)",
		    (long long)limits->exports);
	return OK;
}

static enum errcode call(struct run *run, const struct message_call *c, struct err *e)
{
	struct json_object *args, *update = jsn_object(run->mem);
	const char *text = NULL;
	struct err why;
	const enum errcode readable = read_arguments(run->mem, c, &args, &why);
	enum errcode rc = emit(run, EV_TOOL_START, c, args, NULL);
	if (rc == OK)
		rc = run_flush(run);
	if (rc == OK && readable != OK)
		text = error_text(run->mem, why.msg);
	else if (rc == OK)
		rc = carry_out(run, c, args, update, &text, e);
	if (rc != OK)
		return rc;
	record_apply(run, update);
	answer(run, c, text);
	rc = run_checkpoint(run, e);
	if (rc == OK)
		rc = emit(run, EV_TOOL_END, c, args, text);
	return rc == OK ? check_limits(run, e) : rc;
}

enum errcode node_tools(struct run *run, struct err *e)
{
	const struct onboarding_state *st = state_of(run);
	enum errcode rc = run->error.code == OK ? admit(run, e) : OK;
	if (rc == OK && run->error.code == OK)
		rc = call(run, &st->calls[st->done], e);
	if (rc != OK || run->error.code != OK)
		answer_rest(run);
	return rc;
}
