/*
 * The aviation pipeline through its whole life: what a client reads when each part fails, a reader
 * who leaves at every event, a store that fails at every call. Planner, tool and writer are
 * scripted; runtime, nodes and stores are the real ones.
 */
#include "tests/unit/test.h"

#include "agents/aviation/agent.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "runtime/run.h"
#include "services/store_backend.h"
#include "tests/unit/rules_tools_fix.h"
#include "tools/rules_result.h"
#include "tests/unit/sink_mem.h"

/* -- the scripted parts: run->app begins with the real app -- */

/* What becomes of a look-up. */
struct half {
	enum errcode plan, call;                /* OK or what they fail with */
	bool no_tool;
};

struct script {
	struct aviation_app app;
	enum errcode plan, call, write;         /* as above, of a turn of one look-up */
	bool no_tool, empty_result;
	struct routing routing;                 /* what the router says */
	struct half first, second;              /* of a turn of two */
	struct half third;                      /* of one of three: it looks for airports too */
	bool three;
	enum errcode route;
	size_t routed, planned;                 /* how often router and planner were asked */
	bool no_model;                          /* what the tool was told last */
	int64_t until_ms;
	struct rulesfix *rules;                 /* whose file another one takes the place of, once planned */
	const struct rules_snapshot *routed_by, *planned_by, *called_by;
};

static struct script *playing;

enum { DEADLINE_MS = 600000 };

/* One rule, and a question that the predictor suggests. */
#define RULES_LATER "{\"questions\":[{\"question_id\":\"Later\",\"question_text\":\"Is it later now?\"," \
	"\"category\":\"VFR\",\"tags\":[\"later\"],\"answers_by_country\":{\"FR\":{\"answer_html\":\"Yes.\"}}}]}"

static const char secret[] = "/srv/airports.db: no such column";

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct script *s = playing;
	(void)self;
	cr_expect(ctx->watch != NULL && ctx->usage != NULL, "what is of the turn");
	s->no_model = ctx->no_model;
	s->until_ms = ctx->until_ms;
	s->called_by = rules_of(ctx, a);
	ctx->usage->input += 7;
	const char *query = jsn_get_str(args, "query", "");
	enum errcode rc = streq(query, "rules") ? s->second.call :
	    streq(query, "Nice") ? s->third.call :
	    s->routing.kind == ROUTING_BOTH ? s->first.call : s->call;
	if (rc != OK)
		return err_set(e, rc, "%s", secret);
	*result = jsn_object(a);
	if (!s->empty_result)
		jsn_add_int(*result, "count", 2);
	return OK;
}

static const struct tool_arg args[] = {
	{ .name = "query", .type = ARG_STRING, .required = true, .doc = "What to look for." },
};
static const struct tool tool = { .name = "look", .doc = "", .args = args, .nargs = 1,
	.domain = TOOL_AIRPORTS, .ui = TOOL_UI_ROUTE, .call = call };
static const struct tool rules_tool = { .name = "look_up_rules", .doc = "", .args = args, .nargs = 1,
	.domain = TOOL_RULES, .ui = TOOL_UI_RULES, .call = call };
static const struct tool *const both_tools[] = { &tool, &rules_tool };
static const struct toolset all_tools = { both_tools, 2 };

static const char not_planned[] = "No plan.";

static void add_plan(struct run *run, const struct half *h, const char *query, struct plans *out)
{
	const bool rules = streq(query, "rules");
	struct plan *p = &out->plan[out->n++];
	p->answer_style = "narrative_markdown";
	p->about = rules ? "rules" : "airports";
	if (h->plan != OK)
		p->fault = not_planned;
	else if (h->no_tool)
		p->reply = rules ? "Which country?" : "I cannot do that.";
	else
		p->tool = rules ? &rules_tool : &tool;
	p->arguments = jsn_object(run->mem);
	jsn_add_str(p->arguments, "query", query);
}

static enum errcode plan(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	const struct script *s = playing;
	const bool both = s->routing.kind == ROUTING_BOTH;
	const struct half one = { .no_tool = s->no_tool };
	enum errcode rc = both ? OK : s->plan;
	(void)ctx;
	if (both && (s->first.plan == ERR_UPSTREAM || s->second.plan == ERR_UPSTREAM))
		rc = ERR_UPSTREAM;
	if (rc != OK)
		return err_set(e, rc, "%s", rc == ERR_PLANNER ? not_planned : secret);
	add_plan(run, both ? &s->first : &one, "Lyon", out);
	if (both)
		add_plan(run, &s->second, "rules", out);
	if (s->three)
		add_plan(run, &s->third, "Nice", out);
	return OK;
}

static enum errcode plan_counted(struct run *run, const struct tool_context *ctx,
    struct plans *out, struct err *e)
{
	playing->planned++;
	if (playing->rules != NULL) {
		struct arena *thoughts = arena_new();   /* as the built-in planner: gone before the tool */
		playing->planned_by = rules_of(ctx, thoughts);
		arena_free(thoughts);
		test_write(rules_config(playing->rules->rules)->path, RULES_LATER);
		rules_refresh(playing->rules->rules);
	}
	return plan(run, ctx, out, e);
}

static enum errcode route(struct run *run, const struct tool_context *ctx, struct routing *out,
    struct err *e)
{
	playing->routed++;
	playing->routed_by = rules_of(ctx, run->mem);
	*out = playing->routing;
	return playing->route == OK ? OK : err_set(e, playing->route, "%s", secret);
}

static enum errcode write_answer(struct run *run, const struct writing *w, struct err *e)
{
	const struct script *s = run->app;
	if (s->write == ERR_UPSTREAM) {
		let_results_go(run);                            /* as one that waits for a model */
		return err_set(e, s->write, "%s", secret);      /* nothing was sent */
	}
	const struct plan *p = w->found[0].plan;
	enum errcode rc = run_text(run, p->tool != NULL ? "Two " : p->reply);
	if (rc == OK && s->write != OK)
		return err_set(e, s->write, "%s", secret);
	if (rc == OK && p->tool != NULL)
		rc = run_text(run, w->n > 1 ? "airports, one rule."
		    : p->tool == &rules_tool ? "rules." : "airports.");
	return rc;
}

static enum errcode spare_plan(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	struct script well = *playing, *was = playing;
	enum errcode *const plans[] = { &well.plan, &well.first.plan, &well.second.plan };
	for (size_t i = 0; i < 3; i++)
		if (*plans[i] == ERR_UPSTREAM)
			*plans[i] = OK;
	playing = &well;
	enum errcode rc = plan(run, ctx, out, e);
	playing = was;
	return rc;
}

static enum errcode spare_write(struct run *run, const struct writing *w, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < w->n; i++)
		if (w->found[i].plan->tool != NULL && !playing->empty_result)
			cr_expect_eq(jsn_get_int(w->found[i].result, "count", 0), 2, "the result is back");
	return run_text(run, "Spare answer.");
}

static const struct planner planner = { "scripted", plan_counted }, spare_planner = { "spare", spare_plan };
static const struct router router = { "scripted", route };
static const struct writer writer = { "scripted", write_answer },
	spare_writer = { "spare", spare_write };

/* -- a store that fails on demand -- */

enum call { LEASE, RENEW, RELEASE, LOAD, COMMIT, CALL__MAX };

struct faulty {
	struct store base;
	struct store *real;
	enum errcode fails[CALL__MAX];
	int commits_lost;               /* so many commits are carried out and their replies lost */
};

static enum errcode fault(struct store *s, enum call c, struct err *e)
{
	enum errcode rc = ((struct faulty *)s)->fails[c];
	return rc == OK ? OK : err_set(e, rc, "redis at 10.1.2.3:6379: connection reset");
}

static enum errcode f_lease(struct store *s, const struct thread_owner *owner,
    const struct run_start *start, struct lease *l, struct lease_wait *w, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	enum errcode rc = fault(s, LEASE, e);
	return rc != OK ? rc : real->ops->lease(real, owner, start, l, w, e);
}

static enum errcode f_renew(struct store *s, struct lease *l, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	enum errcode rc = fault(s, RENEW, e);
	return rc != OK ? rc : real->ops->renew(real, l, e);
}

static enum errcode f_release(struct store *s, const struct lease *l, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	enum errcode rc = fault(s, RELEASE, e);
	return rc != OK ? rc : real->ops->release(real, l, e);
}

static enum errcode f_load(struct store *s, struct arena *a, const struct thread_owner *owner,
    size_t max, struct thread *t, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	enum errcode rc = fault(s, LOAD, e);
	return rc != OK ? rc : real->ops->load(real, a, owner, max, t, e);
}

static enum errcode f_commit(struct store *s, const struct lease *l,
    const struct thread_owner *owner, const struct kept_turn *c, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	enum errcode rc = fault(s, COMMIT, e);
	if (rc == OK)
		rc = real->ops->commit(real, l, owner, c, e);
	if (rc == OK && ((struct faulty *)s)->commits_lost-- > 0)
		rc = err_set(e, ERR_UNSURE, "redis at 10.1.2.3:6379 did not answer");
	return rc;
}

static enum errcode f_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	struct store *real = ((struct faulty *)s)->real;
	return real->ops->run_append(real, run_id, g, alive_ms, end, e);
}

static const struct store_ops faulty_ops = {
	.run_append = f_run_append,
	.lease = f_lease, .renew = f_renew, .release = f_release,
	.load = f_load, .commit = f_commit,
};

/* -- one turn -- */

struct turn {
	struct arena *a;
	struct script script;
	struct faulty store;
	struct sink_mem sink;
	struct run run;
	struct err e;
	enum errcode rc;
};

static void setup(struct turn *t)
{
	*t = (struct turn){ .a = arena_new() };
	t->script.app = (struct aviation_app){ .planner = &planner, .writer = &writer,
		.tools = { .table = all_tools, .offered = all_tools } };
	playing = &t->script;
	t->store.base.ops = &faulty_ops;
	TEST_OK(store_memory_new(&t->store.real, 0, 10, 1 << 20, &t->e), t->e);
	log_level_set("CRITICAL");
}

static void take(struct turn *t, const char *text)
{
	struct message m = MESSAGE("user", text);
	struct turn_request req = { .thread_id = "t", .messages = &m, .nmessages = 1,
		.persona_id = "p" };
	int64_t retry_ms;
	size_t hup_after = t->sink.hup_after;
	t->e = (struct err){ 0 };
	sink_mem_init(&t->sink, t->a);
	t->sink.hup_after = hup_after;
	t->run = (struct run){ .mem = t->a, .agent = &aviation_agent, .app = &t->script.app,
		.log.first.sink = &t->sink.sink, .store = &t->store.base,
		.limits = { .deadline_ms = DEADLINE_MS, .lease_ms = 1000, .history_messages = 40 } };
	t->rc = run_begin(&t->run, &req, &retry_ms, &t->e);
	if (t->rc == OK)
		t->rc = run_turn(&t->run);
}

static void teardown(struct turn *t)
{
	store_close(t->store.real);
	arena_free(t->a);
}

/* Names of the events; repeated `message` once. */
static const char *seen(struct turn *t)
{
	struct buf b;
	buf_init(&b, 1024);
	for (size_t i = 0; i < t->sink.n; i++)
		if (i == 0 || t->sink.events[i].kind != EV_TEXT ||
		    t->sink.events[i - 1].kind != EV_TEXT)
			buf_printf(&b, "%s%s", i > 0 ? " " : "", event_name(t->sink.events[i].kind));
	const char *s = arena_strdup(t->a, b.p);
	buf_release(&b);
	return s;
}

static const struct event *first(const struct turn *t, enum event_kind kind)
{
	static const struct event none = { .name = "", .text = "" };
	for (size_t i = 0; i < t->sink.n; i++)
		if (t->sink.events[i].kind == kind)
			return &t->sink.events[i];
	return &none;
}

static size_t count(const struct turn *t, enum event_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < t->sink.n; i++)
		n += t->sink.events[i].kind == kind;
	return n;
}

static bool leaks(struct turn *t, const char *what)
{
	for (size_t i = 0; i < t->sink.n; i++) {
		const struct event *ev = &t->sink.events[i];
		if ((ev->text != NULL && strstr(ev->text, what) != NULL) ||
		    (ev->data != NULL && strstr(jsn_text(t->a, ev->data, JSN_PLAIN), what) != NULL))
			return true;
	}
	return false;
}

#define PLANNED "plan thinking tool_call_start"
#define SORRY "I encountered an error: "
#define AGAIN " Please try again."
#define NO_AIRPORTS "Airports cannot be looked up here at the moment, because the airport database " \
	"is not available."
#define NOT_YET "The airport database is being prepared. Please ask again in a moment."

static const struct {
	const char *name;
	enum errcode plan, call, write;
	bool no_tool, empty_result;
	const char *events, *code, *error, *answer;
} turns[] = {
	{ "all well", OK, OK, OK, false, false,
	    PLANNED " tool_call_end message thinking_done ui_payload final_answer done",
	    "", "", "Two airports." },
	{ "nothing to call", OK, OK, OK, true, false,
	    "message final_answer done", "", "", "I cannot do that." },
	{ "empty result", OK, OK, OK, false, true,
	    PLANNED " message thinking_done final_answer done", "", "", "Two airports." },
	{ "no plan", ERR_PLANNER, OK, OK, false, false,
	    "message error final_answer done", "planner_failed", "No plan.",
	    SORRY "No plan." AGAIN },
	{ "planner without data", ERR_DATA, OK, OK, false, false,
	    "message error final_answer done", "data_unavailable",
	    NO_AIRPORTS, NO_AIRPORTS },
	{ "tool objects", OK, ERR_INPUT, OK, false, false,
	    PLANNED " message thinking_done error final_answer done", "tool_failed",
	    "Tool 'look' failed: /srv/airports.db: no such column",
	    SORRY "Tool 'look' failed: /srv/airports.db: no such column." AGAIN },
	{ "tool without disk", OK, ERR_IO, OK, false, false,
	    PLANNED " message thinking_done error final_answer done", "tool_failed",
	    "Tool 'look' failed: The service could not read or write what it needed.",
	    SORRY "Tool 'look' failed: The service could not read or write what it needed." AGAIN },
	{ "tool without data", OK, ERR_DATA, OK, false, false,
	    PLANNED " message thinking_done error final_answer done", "data_unavailable",
	    NO_AIRPORTS, NO_AIRPORTS },
	{ "tool without an index yet", OK, ERR_PREPARING, OK, false, false,
	    PLANNED " message thinking_done error final_answer done", "being_prepared",
	    NOT_YET, NOT_YET },
	{ "writer breaks", OK, OK, ERR_INTERNAL, false, false,
	    PLANNED " tool_call_end message thinking_done error final_answer done",
	    "formatter_failed", "The answer could not be written.",
	    "Two \n\nError formatting response: The answer could not be written." AGAIN },
	{ "writer out of time", OK, OK, ERR_TIMEOUT, false, false,
	    PLANNED " tool_call_end message thinking_done error final_answer done",
	    "timeout", "The answer took too long.", "Two \n\n" SORRY "The answer took too long." AGAIN },
};

TEST(nodes, events_of_every_failure)
{
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		struct turn t;
		setup(&t);
		t.script.plan = turns[i].plan;
		t.script.call = turns[i].call;
		t.script.write = turns[i].write;
		t.script.no_tool = turns[i].no_tool;
		t.script.empty_result = turns[i].empty_result;
		take(&t, "hello");
		cr_expect_eq(t.rc, OK, "%s", turns[i].name);
		cr_expect_str_eq(seen(&t), turns[i].events, "%s", turns[i].name);
		cr_expect_str_eq(first(&t, EV_ERROR)->name, turns[i].code, "%s", turns[i].name);
		cr_expect_str_eq(first(&t, EV_ERROR)->text, turns[i].error, "%s", turns[i].name);
		struct json_object *state = jsn_get(first(&t, EV_FINAL)->data, "state");
		cr_expect_str_eq(jsn_get_str(state, "final_answer", ""), turns[i].answer, "%s",
		    turns[i].name);
		cr_expect_str_eq(jsn_get_str(state, "error", ""), turns[i].error, "%s",
		    turns[i].name);
		cr_expect_eq(leaks(&t, secret), turns[i].call == ERR_INPUT, "%s", turns[i].name);
		cr_expect_str_eq(sink_mem_text(&t.sink), turns[i].answer, "%s: as it was read",
		    turns[i].name);
		cr_expect(t.run.saved, "%s", turns[i].name);
		/* and the thread goes on: question, answer, question, answer */
		t.script = (struct script){ .app = t.script.app };
		take(&t, "again");
		cr_expect_str_eq(jsn_get_str(jsn_get(first(&t, EV_FINAL)->data, "state"),
		    "final_answer", ""), "Two airports.");
		cr_assert_eq(t.run.nmessages, 4, "%s", turns[i].name);
		cr_expect_str_eq(t.run.messages[1].content, turns[i].answer, "%s", turns[i].name);
		teardown(&t);
	}
}

/* -- the model gives nothing -- */

#define SPARE_PLANNED "Selected tool: look. with arguments: query=Lyon.|\n\n" \
	"The language model did not answer, so the built-in planner chose this look-up.|"
#define SPARE_WROTE "Selected tool: look. with arguments: query=Lyon.|\n\n" \
	"The language model did not answer, so the built-in writer wrote the answer.|"
#define DEGRADED_EVENTS "plan thinking thinking tool_call_start tool_call_end message " \
	"thinking_done ui_payload final_answer done"

static const struct {
	const char *name;
	bool spare;
	enum errcode plan, write;
	bool no_tool;
	const char *events, *thoughts, *error, *answer;
	bool degraded;
} outages[] = {
	{ "nothing fails", true, OK, OK, false,
	    PLANNED " tool_call_end message thinking_done ui_payload final_answer done",
	    "Selected tool: look. with arguments: query=Lyon.|", "", "Two airports.", false },
	{ "no plan: nobody waits for the writer's model too", true, ERR_UPSTREAM, OK, false,
	    DEGRADED_EVENTS, SPARE_PLANNED, "", "Spare answer.", true },
	{ "no answer", true, OK, ERR_UPSTREAM, false,
	    "plan thinking tool_call_start tool_call_end thinking message thinking_done ui_payload "
	    "final_answer done", SPARE_WROTE, "", "Spare answer.", true },
	{ "a plain reply", true, ERR_UPSTREAM, OK, true,
	    "thinking message thinking_done final_answer done",
	    "The language model did not answer, so the built-in writer wrote the answer.|", "",
	    "Spare answer.", true },
	{ "an unusable plan is no outage", true, ERR_PLANNER, OK, false,
	    "message error final_answer done", "", "No plan.", SORRY "No plan." AGAIN, false },
	{ "no spare planner", false, ERR_UPSTREAM, OK, false, "message error final_answer done", "",
	    "The language model did not answer.",
	    SORRY "The language model did not answer." AGAIN, false },
	{ "no spare writer", false, OK, ERR_UPSTREAM, false,
	    PLANNED " tool_call_end message thinking_done error final_answer done",
	    "Selected tool: look. with arguments: query=Lyon.|", "The answer could not be written.",
	    "Error formatting response: The answer could not be written." AGAIN, false },
};

TEST(nodes, spare_strategies_take_over)
{
	for (size_t i = 0; i < sizeof(outages) / sizeof(outages[0]); i++) {
		struct turn t;
		const char *name = outages[i].name;
		setup(&t);
		t.script.plan = outages[i].plan;
		t.script.write = outages[i].write;
		t.script.no_tool = outages[i].no_tool;
		if (outages[i].spare) {
			t.script.app.spare_planner = &spare_planner;
			t.script.app.spare_writer = &spare_writer;
		}
		take(&t, "hello");
		cr_expect_eq(t.rc, OK, "%s", name);
		cr_expect_str_eq(seen(&t), outages[i].events, "%s", name);
		cr_expect_str_eq(first(&t, EV_ERROR)->text, outages[i].error, "%s", name);
		struct buf thoughts;
		buf_init(&thoughts, 1024);
		for (size_t k = 0; k < t.sink.n; k++)
			if (t.sink.events[k].kind == EV_THINKING)
				buf_printf(&thoughts, "%s|", t.sink.events[k].text);
		cr_expect_str_eq(thoughts.p, outages[i].thoughts, "%s", name);
		buf_release(&thoughts);
		struct json_object *state = jsn_get(first(&t, EV_FINAL)->data, "state");
		cr_expect_str_eq(jsn_get_str(state, "final_answer", ""), outages[i].answer, "%s", name);
		bool told = strstr(jsn_get_str(state, "thinking", ""), "language model") != NULL;
		cr_expect_eq(told, outages[i].degraded, "%s", name);
		struct json_object *meta = jsn_get(first(&t, EV_DONE)->data, "metadata");
		cr_expect_eq(jsn_get_bool(meta, "degraded", false), outages[i].degraded, "%s", name);
		cr_expect_eq(jsn_has(meta, "degraded"), outages[i].degraded, "%s", name);
		cr_expect_not(leaks(&t, secret), "%s", name);
		/* nor does the tool wait for a model that gave no plan */
		cr_expect_eq(t.script.no_model, outages[i].spare && outages[i].plan == ERR_UPSTREAM &&
		    !outages[i].no_tool, "%s", name);
		cr_expect(t.script.until_ms == t.run.started_ms + DEADLINE_MS ||
		    first(&t, EV_TOOL_START)->name == NULL || *first(&t, EV_TOOL_START)->name == '\0', "%s",
		    name);
		teardown(&t);
	}
}

TEST(nodes, a_reader_may_leave_at_any_event)
{
	size_t events = 0, said = 0;
	for (size_t after = 0; after <= events + 1; after++) {
		struct turn t;
		setup(&t);
		t.sink.hup_after = after;
		take(&t, "hello");
		if (after == 0)
			events = t.sink.n;
		while (after == 0 && t.sink.events[said++].kind != EV_TEXT)
			;
		bool left = after > 0 && after <= events;
		cr_expect_eq(t.rc, left ? ERR_HUP : OK, "after %zu", after);
		cr_expect_eq(t.sink.n, left ? after - 1 : events, "after %zu", after);
		cr_expect(t.run.saved, "after %zu", after);
		/* the thread is free and holds the question once, whatever became of the answer */
		t.sink.hup_after = 0;
		take(&t, "hello");
		cr_assert_eq(t.rc, OK, "after %zu: %s", after, t.e.msg);
		cr_assert_eq(t.run.nmessages, left && after <= said ? 2 : 4, "after %zu", after);
		if (t.run.nmessages == 4)
			cr_expect_str_eq(t.run.messages[1].content, left && after == said + 1 ? "Two …"
			    : "Two airports.", "after %zu: what had been said is kept", after);
		teardown(&t);
	}
}

static const struct {
	enum call call;
	enum errcode code, begins;      /* what run_begin() says */
	const char *said;               /* in the error event; "": none */
} stores[] = {
	{ LEASE, ERR_STORE, ERR_STORE, "" },
	{ LOAD, ERR_STORE, ERR_STORE, "" },
	{ RENEW, ERR_STORE, OK, "" },
	{ RENEW, ERR_BUSY, OK, "" },
	{ RELEASE, ERR_STORE, OK, "" },
	{ COMMIT, ERR_STORE, OK, "store_unavailable" },
	{ COMMIT, ERR_OVERLOAD, OK, "store_unavailable" },
	{ COMMIT, ERR_UNSURE, OK, "save_unknown" },
	{ COMMIT, ERR_BUSY, OK, "thread_busy" },
};

TEST(nodes, a_store_may_fail_at_any_call)
{
	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		struct turn t;
		setup(&t);
		t.store.fails[stores[i].call] = stores[i].code;
		take(&t, "hello");
		cr_expect_eq(t.rc, stores[i].begins, "row %zu", i);
		cr_expect_str_eq(first(&t, EV_ERROR)->name, stores[i].said, "row %zu", i);
		cr_expect_not(leaks(&t, "10.1.2.3"), "row %zu", i);
		if (t.rc == OK) {
			bool saved = stores[i].call != COMMIT;
			cr_expect_eq(t.run.saved, saved, "row %zu", i);
			cr_expect_eq(count(&t, EV_DONE), 1, "row %zu", i);
			const struct event *last = &t.sink.events[t.sink.n - 1];
			cr_expect_eq(last->kind, EV_DONE, "row %zu", i);
			cr_expect_eq(jsn_get_bool(jsn_get(last->data, "metadata"), "saved", true), saved);
		} else {
			cr_expect_eq(t.sink.n, 0, "row %zu", i);
		}
		/* the thread is free: a commit ends the lease, and a turn without one gives it back */
		t.store.fails[stores[i].call] = OK;
		take(&t, "hello");
		cr_expect_eq(t.rc, OK, "row %zu", i);
		teardown(&t);
	}
}

/* A reply that is lost once is made good; for good, nobody claims to know. */
TEST(nodes, a_commit_whose_reply_is_lost)
{
	for (int lost = 1; lost <= 3; lost++) {
		struct turn t;
		setup(&t);
		t.store.commits_lost = lost;
		take(&t, "hello");
		bool known = lost == 1;
		cr_expect_eq(t.rc, OK, "%d", lost);
		cr_expect_eq(t.run.saved, known, "%d", lost);
		cr_expect_eq(count(&t, EV_ERROR), known ? 0 : 1, "%d", lost);
		if (!known)
			cr_expect_not_null(strstr(first(&t, EV_ERROR)->text, "may not have been saved"));
		struct json_object *meta = jsn_get(t.sink.events[t.sink.n - 1].data, "metadata");
		cr_expect_eq(jsn_get_bool(meta, "saved", true), known, "%d", lost);
		cr_expect_eq(jsn_get_bool(meta, "may_be_saved", false), !known, "%d", lost);
		/* it was stored, once */
		t.store.commits_lost = 0;
		take(&t, "and then?");
		cr_assert_eq(t.rc, OK, "%d: %s", lost, t.e.msg);
		cr_expect_eq(t.run.nmessages, 4, "%d", lost);
		teardown(&t);
	}
}

TEST(nodes, both_the_turn_and_its_commit_may_fail)
{
	struct turn t;
	setup(&t);
	t.script.call = ERR_IO;
	t.store.fails[COMMIT] = ERR_STORE;
	take(&t, "hello");
	cr_expect_eq(t.rc, OK);
	cr_expect_eq(t.run.error.code, ERR_TOOL, "the first failure is the turn's");
	cr_expect_eq(count(&t, EV_ERROR), 2);
	cr_expect_eq(count(&t, EV_DONE), 1);
	cr_expect_eq(t.sink.events[t.sink.n - 1].kind, EV_DONE);
	teardown(&t);
}

/* -- routing -- */

static void open_routed(struct turn *t, struct rulesfix *rules, enum routing_kind kind)
{
	setup(t);
	rulesfix_open(rules, NULL, NULL);
	t->script.app.router = &router;
	t->script.app.tools = (struct tool_context){ .rules = rules->rules, .table = all_tools,
		.offered = all_tools };
	t->script.routing.kind = kind;
}

/* A file that changes in the middle of a turn is the next turn's. */
TEST(nodes, a_turn_sees_one_set_of_rules)
{
	static const enum routing_kind kinds[] = { ROUTING_DATABASE, ROUTING_BOTH };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, kinds[i]);
		t.script.rules = &rules;
		const struct rules_snapshot *old = rules_use(rules.rules, t.a);
		take(&t, "hello");
		cr_expect_eq(t.rc, OK);
		cr_expect_eq(t.script.planned, 1);
		cr_expect_eq(t.script.routed_by, old);
		cr_expect_eq(t.script.planned_by, old);
		cr_expect_eq(t.script.called_by, old);
		cr_expect_gt(old->base->nquestions, 1, "it is there to the end of the turn");
		const struct rules_snapshot *later = rules_use(rules.rules, t.a);
		cr_expect_neq(later, old);
		cr_expect_eq(later->base->nquestions, 1);
		t.script.rules = NULL;
		take(&t, "hello again");
		cr_expect_eq(t.script.called_by, later);
		teardown(&t);
		rulesfix_close(&rules);
	}
}

#define BOTH_EVENTS "plan thinking tool_call_start tool_call_end " \
	"plan thinking tool_call_start tool_call_end message thinking_done ui_payload final_answer done"
#define FIRST_EVENTS "plan thinking tool_call_start tool_call_end message thinking_done ui_payload " \
	"final_answer done"
#define SECOND_FAILED "\n\nAs for the rules: I encountered an error: "
#define FIRST_FAILED "\n\nAs for the airports: I encountered an error: "
#define TOOL_FAILED(name) "Tool '" name "' failed: The service could not read or write what it needed"

static const struct {
	const char *name;
	struct half first, second;
	const char *events, *answer, *code;
	const char *members;          /* of the final state: t tool_result, r rules_result */
	const char *tool;             /* of the ui_payload */
} halves[] = {
	{ "both answer", { OK, OK, false }, { OK, OK, false }, BOTH_EVENTS,
	    "Two airports, one rule.", "", "tr", "look" },
	{ "no plan for the rules", { OK, OK, false }, { ERR_PLANNER, OK, false }, FIRST_EVENTS,
	    "Two airports." SECOND_FAILED "No plan." AGAIN, "", "t", "look" },
	{ "no plan for the airports", { ERR_PLANNER, OK, false }, { OK, OK, false }, FIRST_EVENTS,
	    "Two rules." FIRST_FAILED "No plan." AGAIN, "", "r", "look_up_rules" },
	{ "the model is away", { OK, OK, false }, { ERR_UPSTREAM, OK, false },
	    "message error final_answer done", SORRY "The language model did not answer." AGAIN,
	    "upstream_failed", "", "" },
	{ "the rules tool fails", { OK, OK, false }, { OK, ERR_IO, false },
	    "plan thinking tool_call_start tool_call_end plan thinking tool_call_start message "
	    "thinking_done ui_payload final_answer done",
	    "Two airports." SECOND_FAILED TOOL_FAILED("look_up_rules") "." AGAIN, "", "t", "look" },
	{ "the airports tool fails", { OK, ERR_IO, false }, { OK, OK, false },
	    "plan thinking tool_call_start plan thinking tool_call_start tool_call_end message "
	    "thinking_done ui_payload final_answer done",
	    "Two rules." FIRST_FAILED TOOL_FAILED("look") "." AGAIN, "", "r", "look_up_rules" },
	{ "the rules are asked back about", { OK, OK, false }, { OK, OK, true }, FIRST_EVENTS,
	    "Two airports.\n\nAs for the rules: Which country?", "", "t", "look" },
	{ "the airports are asked back about", { OK, OK, true }, { OK, OK, false }, FIRST_EVENTS,
	    "Two rules.\n\nAs for the airports: I cannot do that.", "", "r", "look_up_rules" },
	{ "nothing to look up", { OK, OK, true }, { OK, OK, true }, "message final_answer done",
	    "I cannot do that.\n\nAs for the rules: Which country?", "", "", "" },
	{ "a failure and a question", { ERR_PLANNER, OK, false }, { OK, OK, true },
	    "message final_answer done", "Which country?" FIRST_FAILED "No plan." AGAIN, "", "", "" },
	{ "neither works", { OK, ERR_IO, false }, { ERR_PLANNER, OK, false },
	    PLANNED " message thinking_done error final_answer done",
	    SORRY TOOL_FAILED("look") "." AGAIN, "tool_failed", "", "" },
	{ "no plan at all", { ERR_PLANNER, OK, false }, { ERR_PLANNER, OK, false },
	    "message error final_answer done", SORRY "No plan." AGAIN, "planner_failed", "", "" },
};

TEST(nodes, one_half_answers_without_the_other)
{
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		const char *name = halves[i].name;
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, ROUTING_BOTH);
		t.script.first = halves[i].first;
		t.script.second = halves[i].second;
		take(&t, "hello");
		struct json_object *state = jsn_get(first(&t, EV_FINAL)->data, "state");
		cr_expect_eq(t.rc, OK, "%s", name);
		cr_expect_str_eq(seen(&t), halves[i].events, "%s: %s", name, seen(&t));
		cr_expect_str_eq(jsn_get_str(state, "final_answer", ""), halves[i].answer, "%s: %s", name,
		    jsn_get_str(state, "final_answer", ""));
		cr_expect_str_eq(sink_mem_text(&t.sink), halves[i].answer, "%s: all of it was sent", name);
		cr_expect_str_eq(first(&t, EV_ERROR)->name, halves[i].code, "%s", name);
		cr_expect_eq(jsn_has(state, "error"), *halves[i].code != '\0', "%s", name);
		cr_expect_eq(jsn_has(state, "tool_result"), strchr(halves[i].members, 't') != NULL, "%s",
		    name);
		cr_expect_eq(jsn_has(state, "rules_result"), strchr(halves[i].members, 'r') != NULL, "%s",
		    name);
		cr_expect_str_eq(jsn_get_str(first(&t, EV_UI_PAYLOAD)->data, "tool", ""), halves[i].tool,
		    "%s", name);
		cr_expect_not(leaks(&t, secret), "%s", name);
		cr_expect_eq(t.script.routed, 1, "%s", name);
		cr_expect_eq(t.run.tokens.input % 7, 0, "%s: tools count what they use", name);
		rulesfix_close(&rules);
		teardown(&t);
	}
}

/* -- three look-ups, two of them of one kind -- */

#define ROUND "plan thinking tool_call_start tool_call_end "
#define END "message thinking_done ui_payload final_answer done"

static const struct {
	const char *name;
	struct half first, second, third;
	const char *events, *missing;     /* what follows the answer */
} threes[] = {
	{ "all answer", { .plan = OK }, { .plan = OK }, { .plan = OK }, ROUND ROUND ROUND END, "" },
	{ "one of the airports fails", { .call = ERR_IO }, { .plan = OK }, { .plan = OK },
	    "plan thinking tool_call_start " ROUND ROUND END,
	    "\n\nAs for the airports (Lyon): I encountered an error: " TOOL_FAILED("look") "." AGAIN },
	{ "two fail", { .plan = OK }, { .call = ERR_IO }, { .call = ERR_IO },
	    ROUND "plan thinking tool_call_start plan thinking tool_call_start " END,
	    "\n\nAs for the rules: I encountered an error: " TOOL_FAILED("look_up_rules") "." AGAIN
	    "\n\nAs for the airports (Nice): I encountered an error: " TOOL_FAILED("look") "." AGAIN },
	{ "one could not be planned, one is asked back about", { .plan = ERR_PLANNER }, { .plan = OK },
	    { .no_tool = true }, ROUND END, "\n\nAs for the airports: I encountered an error: No plan." AGAIN
	    "\n\nAs for the airports: I cannot do that." },
};

TEST(nodes, a_turn_of_three_look_ups)
{
	for (size_t i = 0; i < sizeof(threes) / sizeof(threes[0]); i++) {
		const char *name = threes[i].name;
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, ROUTING_BOTH);
		t.script.three = true;
		t.script.first = threes[i].first;
		t.script.second = threes[i].second;
		t.script.third = threes[i].third;
		take(&t, "hello");
		struct json_object *state = jsn_get(first(&t, EV_FINAL)->data, "state");
		const char *answer = jsn_get_str(state, "final_answer", "");
		cr_expect_eq(t.rc, OK, "%s", name);
		cr_expect_str_eq(seen(&t), threes[i].events, "%s: %s", name, seen(&t));
		cr_expect_eq(count(&t, EV_UI_PAYLOAD), 1, "%s", name);
		cr_expect_eq(count(&t, EV_ERROR), 0, "%s", name);
		cr_expect_eq(t.script.planned, 1, "%s", name);
		size_t n = strlen(answer), end = strlen(threes[i].missing);
		cr_assert_geq(n, end, "%s: %s", name, answer);
		cr_expect_str_eq(answer + n - end, threes[i].missing, "%s: %s", name, answer);
		cr_expect_eq(strstr(answer, "As for") == NULL, end == 0, "%s: %s", name, answer);
		rulesfix_close(&rules);
		teardown(&t);
	}
}

TEST(nodes, two_plans_are_told_as_one_reasoning)
{
	static const char plans[] = "Selected tool: look. with arguments: query=Lyon.\n\n"
	    "Selected tool: look_up_rules. with arguments: query=rules.";
	struct turn t;
	struct rulesfix rules;
	struct buf thoughts;
	open_routed(&t, &rules, ROUTING_BOTH);
	take(&t, "hello");
	struct json_object *state = jsn_get(first(&t, EV_FINAL)->data, "state");
	cr_expect_str_eq(jsn_get_str(state, "planning_reasoning", ""), plans);
	cr_expect_str_eq(jsn_get_str(state, "thinking", ""), arena_printf(t.a,
	    "%s\n\nFormatted answer using narrative_markdown style.", plans));
	buf_init(&thoughts, 1024);
	for (size_t k = 0; k < t.sink.n; k++)
		if (t.sink.events[k].kind == EV_THINKING)
			buf_puts(&thoughts, t.sink.events[k].text);
	cr_expect_str_eq(thoughts.p, plans, "the pieces join to the same");
	cr_expect_eq(t.run.tokens.input, 14);
	buf_release(&thoughts);
	rulesfix_close(&rules);
	teardown(&t);
}

/* The model is away: it is said once, and the second plan does not wait for it again. */
TEST(nodes, both_halves_by_the_spare_planner)
{
	struct turn t;
	struct rulesfix rules;
	open_routed(&t, &rules, ROUTING_BOTH);
	t.script.app.spare_planner = &spare_planner;
	t.script.app.spare_writer = &spare_writer;
	t.script.first.plan = ERR_UPSTREAM;
	t.script.second.plan = ERR_UPSTREAM;
	take(&t, "hello");
	cr_expect_str_eq(seen(&t), "plan thinking thinking tool_call_start tool_call_end plan thinking "
	    "tool_call_start tool_call_end message thinking_done ui_payload final_answer done", "%s",
	    seen(&t));
	cr_expect_str_eq(sink_mem_text(&t.sink), "Spare answer.");
	cr_expect_eq(t.script.planned, 1);
	rulesfix_close(&rules);
	teardown(&t);
}

TEST(nodes, a_reader_may_leave_a_turn_of_two_look_ups_too)
{
	size_t events = 0, said = 0;
	for (size_t after = 0; after <= events + 1; after++) {
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, ROUTING_BOTH);
		t.sink.hup_after = after;
		take(&t, "hello");
		if (after == 0)
			events = t.sink.n;
		while (after == 0 && t.sink.events[said++].kind != EV_TEXT)
			;
		bool left = after > 0 && after <= events;
		cr_expect_eq(t.rc, left ? ERR_HUP : OK, "after %zu", after);
		cr_expect_eq(t.sink.n, left ? after - 1 : events, "after %zu", after);
		cr_expect(t.run.saved, "after %zu", after);
		rulesfix_close(&rules);
		teardown(&t);
	}
}

/* A tool that waits finds that nobody reads any more: the run ends without a word. */
TEST(nodes, a_tool_whose_reader_has_gone_ends_the_run)
{
	struct turn t;
	struct rulesfix rules;
	setup(&t);
	t.script.call = ERR_HUP;
	take(&t, "hello");
	cr_expect_eq(t.rc, ERR_HUP);
	cr_expect_str_eq(seen(&t), PLANNED);
	cr_expect_eq(t.run.error.code, OK);
	teardown(&t);
	open_routed(&t, &rules, ROUTING_BOTH);
	t.script.first.call = ERR_HUP;
	take(&t, "hello");
	cr_expect_eq(t.rc, ERR_HUP);
	cr_expect_str_eq(seen(&t), PLANNED);
	rulesfix_close(&rules);
	teardown(&t);
}

/* When the process ends or the time is over, no half is spared. */
TEST(nodes, a_turn_that_is_over_has_no_other_half)
{
	static atomic_bool stop = true;
	struct turn t;
	struct rulesfix rules;
	open_routed(&t, &rules, ROUTING_BOTH);
	t.script.first.call = ERR_IO;
	t.run.stop = &stop;
	struct run run = { .mem = t.a, .app = &t.script.app, .state = &(struct aviation_state){
	    .routing.kind = ROUTING_BOTH }, .log.first.sink = &t.sink.sink, .stop = &stop };
	sink_mem_init(&t.sink, t.a);
	cr_expect_eq(node_plan(&run, &t.e), OK);
	cr_expect_eq(node_tool(&run, &t.e), ERR_TOOL);
	stop = false;
	state_of(&run)->done = 0;
	cr_expect_eq(node_tool(&run, &t.e), OK, "while the turn goes on it is");
	rulesfix_close(&rules);
	teardown(&t);
}

/* Where there is only one answer the router is not asked. */
static const struct {
	bool router, rules;
	int offered;                  /* 0: all, 1: no rules tools, 2: rules tools alone */
	enum routing_kind says;
	size_t asked;
	enum routing_kind kind;
} routes[] = {
	{ false, true, 0, ROUTING_RULES, 0, ROUTING_NONE },
	{ true, true, 0, ROUTING_RULES, 1, ROUTING_RULES },
	{ true, true, 0, ROUTING_DATABASE, 1, ROUTING_DATABASE },
	{ true, false, 0, ROUTING_RULES, 0, ROUTING_DATABASE },
	{ true, true, 1, ROUTING_RULES, 0, ROUTING_DATABASE },
	{ true, true, 2, ROUTING_BOTH, 0, ROUTING_RULES },
};

TEST(nodes, the_router_is_asked_where_there_is_a_choice)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, routes[i].says);
		struct tool_context *ctx = &t.script.app.tools;
		if (!routes[i].router)
			t.script.app.router = NULL;
		if (!routes[i].rules)
			ctx->rules = NULL;
		if (routes[i].offered != 0)
			ctx->offered = (struct toolset){ &both_tools[routes[i].offered - 1], 1 };
		struct aviation_state state = { .thinking = NULL };
		struct run run = { .mem = t.a, .app = &t.script.app, .state = &state };
		TEST_OK(node_route(&run, &t.e), t.e);
		cr_expect_eq(t.script.routed, routes[i].asked, "row %zu", i);
		cr_expect_eq(state.routing.kind, routes[i].kind, "row %zu", i);
		rulesfix_close(&rules);
		teardown(&t);
	}
}

/* What the router returns ends the turn: the reader has gone, or its time is over. */
TEST(nodes, a_router_may_end_the_turn)
{
	static const struct { enum errcode rc; const char *events; } rows[] = {
		{ ERR_HUP, "" }, { ERR_TIMEOUT, "message error final_answer done" },
	};
	for (size_t i = 0; i < 2; i++) {
		struct turn t;
		struct rulesfix rules;
		open_routed(&t, &rules, ROUTING_BOTH);
		t.script.route = rows[i].rc;
		take(&t, "hello");
		cr_expect_str_eq(seen(&t), rows[i].events, "%s", seen(&t));
		cr_expect_eq(t.rc, rows[i].rc == ERR_HUP ? ERR_HUP : OK);
		rulesfix_close(&rules);
		teardown(&t);
	}
}
