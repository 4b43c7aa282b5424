/*
 * How friendly airfields are to private flying: personas, and the summary of one airfield.
 *
 * Without data these calls are refused (503). A page that got an empty list of personas would offer an empty
 * choice.
 */
#include "edges/api.h"

#include <string.h>

#include "airports/friendliness.h"
#include "airports/notice.h"
#include "edges/call.h"
#include "edges/params.h"

enum { CODE_MAX = 20, PERSONA_MAX = 100 };

/* Begin a call that needs these data. False: it was refused. */
static bool begin(struct call *c, struct edge *e, struct http_req *r, struct http_res *w)
{
	if (!call_begin(c, e, r, w, CALL_FACTS))
		return false;
	if (c->facts.facts[FACTS_FRIENDLINESS] != NULL && e->parts.personas != NULL)
		return true;
	call_drop(c);
	http_detail(w, r->mem, 503, "GA Friendliness service not available");
	return false;
}

void api_ga_config(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct call c;

	(void)rt;
	if (!begin(&c, e, r, w))
		return;
	jsn_print(&c.text, personas_config(c.mem, e->parts.personas), JSN_PLAIN);
	call_end(&c, OK);
}

void api_ga_personas(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct call c;

	(void)rt;
	if (!begin(&c, e, r, w))
		return;
	jsn_print(&c.text, jsn_get(personas_config(c.mem, e->parts.personas), "personas"), JSN_PLAIN);
	call_end(&c, OK);
}

void api_ga_summary(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const struct param icao = { "icao", PARAM_TEXT, .min = 1, .max = CODE_MAX },
		row = { "persona", PARAM_TEXT, .max = PERSONA_MAX };
	struct param_value persona;
	struct call c;

	(void)rt;
	if (!params_path(r, w, &icao, r->arg) || !params_read(r, w, &row, 1, &persona) || !begin(&c, e, r, w))
		return;
	const char *code = str_upper_copy(c.mem, r->arg, strlen(r->arg));
	const struct notice *notice = notice_find(&c.facts, code);
	const struct persona *p = persona.set ? persona_find(e->parts.personas, persona.text)
	    : e->parts.personas->standard;
	jsn_print(&c.text, friendly_summary(c.mem, code, fact_find(&c.facts, FACTS_FRIENDLINESS, code), p,
	    notice != NULL ? notice->summary : NULL), JSN_PLAIN);
	call_end(&c, OK);
}
