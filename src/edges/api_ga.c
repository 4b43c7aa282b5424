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

enum { PERSONA_MAX = 100 };

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

/* The code of the request in capitals, or, if nothing is recorded under it, the ident of the airport whose IATA
 * code it is. These data are there even while the airports are not. */
static const char *ident_of(struct call *c)
{
	const char *code = str_upper_copy(c->mem, c->r->arg, strlen(c->r->arg));
	struct airdb *db = c->edge->parts.airports;
	struct airport a;
	bool found;

	if (fact_find(&c->facts, FACTS_FRIENDLINESS, code) != NULL || notice_find(&c->facts, code) != NULL ||
	    db == NULL || airdb_get(db, 0, &c->con, &c->err) != OK)
		return code;
	return call_airport(c, code, &a, &found) == OK && found ? a.ident : code;
}

void api_ga_summary(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const struct param row = { "persona", PARAM_TEXT, .max = PERSONA_MAX };
	struct param_value persona;
	struct call c;

	(void)rt;
	if (!params_path(r, w, &param_code, r->arg) || !params_read(r, w, &row, 1, &persona) || !begin(&c, e, r, w))
		return;
	const char *code = ident_of(&c);
	const struct notice *notice = notice_find(&c.facts, code);
	const struct persona *p = persona.set ? persona_find(e->parts.personas, persona.text)
	    : e->parts.personas->standard;
	jsn_print(&c.text, friendly_summary(c.mem, code, fact_find(&c.facts, FACTS_FRIENDLINESS, code), p,
	    notice != NULL ? notice->summary : NULL), JSN_PLAIN);
	call_end(&c, OK);
}
