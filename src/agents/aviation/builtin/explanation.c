#include "agents/aviation/explanation.h"

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/understanding.h"

static void add_text(struct json_object *o, const char *key, const char *text)
{
	if (text != NULL)
		jsn_add_str(o, key, text);
}

static struct json_object *plan_shown(struct arena *a, const struct plan *p)
{
	struct json_object *o = jsn_new(), *asked = json_object_new_array();

	if (p->tool != NULL)
		jsn_add(o, "plan", jsn_ref(plan_json(a, p)));
	add_text(o, "reply", p->reply);
	add_text(o, "unused", p->unused);
	add_text(o, "unused_distance_nm", p->distance);
	add_text(o, "aircraft", p->mass);
	for (size_t i = 0; i < p->nasked; i++)
		jsn_push(asked, jsn_str(p->asked[i].name));
	jsn_add(o, "asked", asked);
	return o;
}

static struct json_object *plans_shown(struct arena *a, const struct plans *plans)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < plans->n; i++)
		jsn_push(list, plan_shown(a, &plans->plan[i]));
	for (size_t i = 0; i < plans->nover; i++) {
		struct json_object *o = plan_shown(a, &plans->over[i]);
		jsn_add_bool(o, "left_out", true);
		jsn_push(list, o);
	}
	return list;
}

static struct json_object *outcome(const struct reading_plan *p, double sure)
{
	struct json_object *o = jsn_new();
	jsn_add_str(o, "plan", p->plan);
	add_text(o, "kind", p->kind);
	jsn_add_num(o, "probability", num_round(sure, 3));
	return o;
}

static struct json_object *marks(struct arena *a, const struct reading *r)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		struct json_object *o = jsn_new();
		jsn_add_str(o, "words", words_slice(a, r->words, m->first, m->last));
		jsn_add_str(o, "label", m->lifted ? arena_printf(a, "-%s", m->label) : m->label);
		add_text(o, "value", m->value);
		jsn_add_num(o, "probability", num_round(m->sure, 3));
		jsn_push(list, o);
	}
	return list;
}

static struct json_object *evidence(struct arena *a, const struct reading *r)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; r->evidence != NULL && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		struct json_object *o = jsn_new();
		jsn_add_str(o, "words", words_slice(a, r->words, e->first, e->last));
		jsn_add_str(o, "kind", e->kind);
		add_text(o, "value", e->value);
		jsn_push(list, o);
	}
	return list;
}

static struct json_object *reading_shown(struct arena *a, const struct understanding *u)
{
	const struct reading *r = u->planning.reading;
	struct json_object *o = jsn_new(), *wanted = json_object_new_array(), *others = json_object_new_array();
	struct json_object *frames = json_object_new_array(), *unread = json_object_new_array();

	for (size_t i = 0; i < r->nplans; i++)
		jsn_push(wanted, outcome(&r->plan[i], r->sure));
	for (size_t i = 0; i < r->nothers; i++)
		jsn_push(others, outcome(&r->other[i].plan, r->other[i].sure));
	for (size_t i = 0; i < u->frames.n; i++)
		jsn_push(frames, frame_json(&aviation_schema, u->frames.frame[i]));
	for (size_t i = 0; i < u->frames.nunread; i++)
		jsn_push(unread, jsn_str(u->frames.unread[i]));
	add_text(o, "language", r->words->language);
	jsn_add(o, "plans", wanted);
	jsn_add(o, "others", others);
	jsn_add(o, "marks", marks(a, r));
	jsn_add(o, "unread", unread);
	jsn_add(o, "frames", frames);
	jsn_add(o, "talk_before", talk_save(&u->before));
	jsn_add(o, "evidence", evidence(a, r));
	return o;
}

struct explaining {
	bool whole;
	struct json_object *out;
};

static void explain(struct run *run, const struct understanding *u, void *to)
{
	struct explaining *e = to;
	struct plans plans;

	(void)run;
	json_object_put(e->out);
	e->out = jsn_new();
	plans_of_frames(&u->planning, &plans);
	jsn_add(e->out, "plans", plans_shown(u->planning.mem, &plans));
	if (e->whole)
		jsn_add(e->out, "reading", reading_shown(u->planning.mem, u));
}

struct json_object *explanation(struct run *run, bool whole)
{
	struct explaining e = { .whole = whole };

	understanding_for(run, &app_of(run)->tools, explain, &e);
	return e.out;
}
