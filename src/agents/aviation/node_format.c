/*
 * The formatter's node: the answer from the results, or an apology, and what a client is told at
 * the end of a turn. The order of the lines here is the order of the events on the wire.
 */
#include "agents/aviation/agent.h"

#include <string.h>

#include "agents/aviation/messages.h"
#include "agents/aviation/sayings.h"
#include "agents/aviation/ui_payload.h"
#include "base/log.h"
#include "base/str.h"
#include "runtime/run.h"

static const char spare_wrote[] =
    "The language model did not answer, so the built-in writer wrote the answer.";

/* -- what went wrong, in words -- */

/* The message of a plan or a tool, else the sentence for the code. Plans, tools and the table of errors speak
 * English only, so other languages have sentences for the codes that a pilot may see. */
static const char *words(const struct run *run, const struct err *e, const char *failure)
{
	static const struct { enum errcode code; enum saying said; } sentences[] = {
		{ ERR_PLANNER, SAY_error_planner }, { ERR_TOOL, SAY_error_tool },
		{ ERR_FORMATTER, SAY_error_formatter }, { ERR_UPSTREAM, SAY_error_upstream },
		{ ERR_TIMEOUT, SAY_error_timeout }, { ERR_OVERLOAD, SAY_error_overload },
		{ ERR_PREPARING, SAY_error_preparing }, { ERR_DATA, SAY_error_data },
	};
	const struct wording *w = turn_wording(run);

	if (streq(wording_language(w), CATALOGUE_REFERENCE))
		return failure != NULL ? failure : e->code == ERR_PLANNER ? e->msg : err_row(e->code)->said;
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		if (sentences[i].code == e->code)
			return message_pattern(w, sentences[i].said);
	return message_pattern(w, SAY_error_other);
}

static const char *told(const struct run *run)
{
	const struct aviation_state *st = state_of(run);
	return words(run, &run->error, st->failure);
}

/* An error as an answer. */
static const char *error_answer(const struct run *run, const struct err *e, const char *failure)
{
	const char *why = words(run, e, failure);
	if (err_row(e->code)->answers)
		return why;
	struct str s = str_trim(str_of(why));
	while (s.n > 0 && s.p[s.n - 1] == '.')
		s.n--;
	return message_text(turn_wording(run), run->mem, e->code == ERR_FORMATTER ? SAY_sorry_writing : SAY_sorry,
	    MESSAGE_VALUES("why", arena_strndup(run->mem, s.p, s.n)));
}

/* What the user reads when something failed. It is sent as answer text too, so that every client
 * shows it. It follows the text that was sent before. */
static enum errcode say_sorry(struct run *run)
{
	const char *sorry = error_answer(run, &run->error, state_of(run)->failure);
	return run_text(run, arena_printf(run->mem, "%s%s", run->said == NULL ? "" : "\n\n", sorry));
}

/* -- the answer -- */

static bool has_result(const struct lookup *l)
{
	return l->plan.tool != NULL && l->err.code == OK;
}

/* What must be written: the look-ups that have a result, else the first reply. */
static struct writing found(const struct aviation_state *st)
{
	const struct lookup *reply = &st->lookup[0];
	struct writing w = { .n = 0 };

	for (size_t i = 0; i < st->nlookups; i++) {
		const struct lookup *l = &st->lookup[i];
		if (has_result(l))
			w.found[w.n++] = (struct finding){ &l->plan, l->result, l->about };
		if (reply->err.code != OK)
			reply = l;
	}
	if (w.n == 0)
		w.found[w.n++] = (struct finding){ &reply->plan, NULL, reply->about };
	return w;
}

static bool written(const struct writing *w, const struct plan *plan)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->found[i].plan == plan)
			return true;
	return false;
}

/* Say what is missing in the answer. */
static enum errcode say_missing(struct run *run, const struct writing *w)
{
	const struct aviation_state *st = state_of(run);
	enum errcode rc = OK;

	for (size_t i = 0; i < st->nlookups && rc == OK; i++) {
		const struct lookup *l = &st->lookup[i];
		const char *why = l->err.code == OK ? l->plan.reply
		    : error_answer(run, &l->err, l->failure);
		if (written(w, &l->plan) || streq(why, w->found[0].plan->reply))
			continue;
		/* what nothing of ours can do speaks for itself: "I have no NOTAMs" */
		if (l->err.code == OK && l->plan.open)
			rc = run_text(run, arena_printf(run->mem, "\n\n%s", why));
		else
			rc = run_text(run, arena_printf(run->mem, "\n\n%s", message_text(turn_wording(run), run->mem,
			    SAY_part_missing, MESSAGE_VALUES("about", l->about, "why", why))));
	}
	if (rc == OK && st->over != NULL)
		rc = run_text(run, arena_printf(run->mem, "\n\n%s", st->over));
	return rc;
}

/* By the agent's writer; by the spare one in a turn that is degraded already (nobody should wait
 * twice for a model that is away) or becomes so now. */
static enum errcode write_answer(struct run *run, struct writing *w, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	enum errcode rc = OK;
	if (st->degraded == NULL || app->spare_writer == NULL) {
		rc = app->writer->write(run, w, e);
		if (rc != ERR_UPSTREAM || app->spare_writer == NULL)
			return rc;
		st->degraded = spare_wrote;
		get_results_back(run);
		*w = found(st);
		rc = node_think(run, arena_printf(run->mem, "\n\n%s", st->degraded));
	} else if (w->found[0].plan->tool == NULL) {
		/* a plain reply: no plan of it was shown, and that of another look-up rarely */
		st->degraded = spare_wrote;
		rc = node_think(run, arena_printf(run->mem, "%s%s",
		    *st->thinking == '\0' ? "" : "\n\n", st->degraded));
	}
	return rc == OK ? app->spare_writer->write(run, w, e) : rc;
}

/* -- the reasoning behind it -- */

static bool is_comparison(const struct writing *w)
{
	return w->n == 1 && streq(jsn_get_str(w->found[0].result, "_tool_type", NULL), "comparison");
}

/* The member `thinking` of the final state: the plan, what stood in for the model, and the style. */
static const char *thinking(const struct run *run, const struct plan *first, bool compared)
{
	const struct aviation_state *st = state_of(run);
	return arena_printf(run->mem, "%s%s%s%s", st->reasoning,
	    st->degraded == NULL ? "" : "\n\n", st->degraded == NULL ? "" : st->degraded,
	    compared ? "" : arena_printf(run->mem, "\n\nFormatted answer using %s style.",
	    first->answer_style));
}

/* `tool_result` is the turn's result. If there were several look-ups, it is that of the first one
 * among airports, and `rules_result` that of the first one in the rules. */
static void add_results(const struct aviation_state *st, struct json_object *state)
{
	const struct lookup *airports = NULL, *rules = NULL;

	for (size_t i = st->nlookups; i-- > 0;) {
		const struct lookup *l = &st->lookup[i];
		if (l->shown == NULL)
			continue;
		if (l->plan.tool->domain == TOOL_RULES && st->nlookups > 1)
			rules = l;
		else
			airports = l;
	}
	if (airports != NULL)
		jsn_add(state, "tool_result", jsn_ref(airports->shown));
	if (rules != NULL)
		jsn_add(state, "rules_result", jsn_ref(rules->shown));
}

/* The agent's state at the end, as the client sees it. */
static struct json_object *final_state(struct run *run)
{
	const struct aviation_state *st = state_of(run);
	struct json_object *o = jsn_object(run->mem), *s = jsn_new();
	if (st->reasoning != NULL)
		jsn_add_str(s, "planning_reasoning", st->reasoning);
	add_results(st, s);
	if (run->persona_id != NULL)
		jsn_add_str(s, "persona_id", run->persona_id);
	if (st->suggested != NULL)
		jsn_add(s, "suggested_queries", jsn_ref(st->suggested));
	jsn_add_str(s, "final_answer", run->answer);
	jsn_add_str(s, "thinking", st->thinking);
	if (st->ui_payload != NULL)
		jsn_add(s, "ui_payload", jsn_ref(st->ui_payload));
	if (run->error.code != OK)
		jsn_add_str(s, "error", told(run));
	jsn_add(o, "state", s);
	return o;
}

/* -- the node -- */

/* As finished text, because it is sent twice and kept while the answer is written. */
static struct json_object *payload(struct run *run, const struct writing *w)
{
	struct arena *work = arena_new();
	struct json_object *tree = w->found[0].plan->tool == NULL ? NULL
	    : ui_payload_build(work, w, state_of(run)->suggested, app_of(run)->mcp_raw);
	struct json_object *text = jsn_own(run->mem, jsn_printed(tree));
	arena_free(work);
	return text;
}

/* Write the answer. A failure here is the turn's failure at once, so that the events below show it.
 * The writer may free the results, so everything that is made from them is made before. */
static enum errcode answer(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct writing w = found(st);
	struct json_object *map = payload(run, &w);
	const bool compared = is_comparison(&w);
	enum errcode rc = write_answer(run, &w, e);

	if (rc == ERR_HUP)
		return rc;
	if (rc == OK) {
		rc = say_missing(run, &w);
		if (rc == OK && w.found[0].plan->tool != NULL) {
			st->ui_payload = map;
			st->thinking = thinking(run, w.found[0].plan, compared);
		}
		return rc;
	}
	if (rc != ERR_TIMEOUT && rc != ERR_OVERLOAD)
		rc = err_set(e, ERR_FORMATTER, "%s", e->msg);
	else if (e->code == OK)
		err_set(e, rc, "the answer was not finished in time");
	run->error = *e;
	run->failed_node = "formatter";
	log_msg(LOG_WARN, "node_failed", "code=%s why=\"%s\"", err_row(rc)->name, e->msg);
	return say_sorry(run);
}

enum errcode node_format(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct event ev;

	st->thinking = st->reasoning != NULL ? st->reasoning : "";
	enum errcode rc = run->error.code == OK ? answer(run, e) : say_sorry(run);
	if (rc == OK)
		run->answer = run_said(run);
	if (*st->thinking == '\0' && st->degraded != NULL)
		st->thinking = st->degraded;

	if (rc == OK && *st->thinking != '\0') {
		ev = (struct event){ .kind = EV_THINKING_DONE };
		rc = run_emit(run, &ev);
	}
	if (rc == OK && run->error.code != OK) {
		ev = (struct event){ .kind = EV_ERROR, .name = err_row(run->error.code)->name,
			.text = told(run) };
		rc = run_emit(run, &ev);
	}
	if (rc == OK && st->ui_payload != NULL) {
		ev = (struct event){ .kind = EV_UI_PAYLOAD, .data = st->ui_payload };
		rc = run_emit(run, &ev);
	}
	if (rc == OK) {
		ev = (struct event){ .kind = EV_FINAL, .data = final_state(run) };
		rc = run_emit(run, &ev);
	}
	return rc;
}
