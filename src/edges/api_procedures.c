/*
 * Instrument procedures of all airports, and of one by runway.
 */
#include "edges/api.h"

#include <string.h>

#include "airports/procedure_lines.h"
#include "airports/procedure_list.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/call.h"
#include "edges/params.h"

enum { LIMIT_MAX = 1000, OFFSET_MAX = 10000 };

/* ---- lists ------------------------------------------------------------------------------- */

enum { P_TYPE, P_APPROACH, P_RUNWAY, P_AUTHORITY, P_SOURCE, P_AIRPORT, P_LIMIT, P_OFFSET, P__MAX };

static const struct param rows[P__MAX] = {
	[P_TYPE] = { "procedure_type", PARAM_TEXT, .max = 50 },
	[P_APPROACH] = { "approach_type", PARAM_TEXT, .max = 50 },
	[P_RUNWAY] = { "runway", PARAM_TEXT, .max = 10 },
	[P_AUTHORITY] = { "authority", PARAM_TEXT, .max = 100 },
	[P_SOURCE] = { "source", PARAM_TEXT, .max = 100 },
	[P_AIRPORT] = { "airport", PARAM_TEXT, .max = PARAM_CODE_MAX },
	[P_LIMIT] = { "limit", PARAM_INT, .min = 1, .max = LIMIT_MAX, .absent = "100" },
	[P_OFFSET] = { "offset", PARAM_INT, .min = 0, .max = OFFSET_MAX, .absent = "0" },
};

/* What the lists of the original show of a procedure, by its kind. */
enum shown { SHOWN_ANY, SHOWN_APPROACH, SHOWN_OTHER };

static void put_procedure(struct buf *b, const struct listed_procedure *l, enum shown shown)
{
	const struct procedure *p = &l->procedure;

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "name", p->name != NULL ? p->name : "");
	if (shown == SHOWN_ANY)
		jsn_put_str(b, "procedure_type", p->type != NULL ? p->type : "");
	if (shown != SHOWN_OTHER)
		jsn_put_str(b, "approach_type", p->approach_type);
	jsn_put_str(b, "runway_ident", p->runway);
	jsn_put_str(b, "authority", p->authority);
	jsn_put_str(b, "source", p->source);
	jsn_put_str(b, "airport_ident", l->ident);
	jsn_put_str(b, "airport_name", l->name);
	if (shown == SHOWN_APPROACH)
		jsn_put_int(b, "precision", approach_precision(p->approach_type));
	jsn_put_close(b, '}');
}

/* The ident of a code of any kind; a code that no airport has stays as it is, and nothing is found for it.
 * False: the answer was sent and the call has ended. */
static bool find_ident(struct call *c, const char *code, const char **out)
{
	struct airport a;
	bool found;
	const enum errcode rc = call_airport(c, code, &a, &found);

	if (rc != OK) {
		call_end(c, rc);
		return false;
	}
	*out = found ? a.ident : str_upper_copy(c->mem, code, strlen(code));
	return true;
}

/* type NULL: any, or the one that the request names. */
static void list(struct edge *e, struct http_req *r, struct http_res *w, const char *type, enum shown shown)
{
	struct param_value v[P__MAX];
	struct listed_procedure *found = NULL;
	struct call c;
	const char *airport = NULL;
	size_t n = 0;

	if (!params_read(r, w, rows, P__MAX, v) || !call_begin(&c, e, r, w, CALL_AIRPORTS))
		return;
	if (v[P_AIRPORT].set && !find_ident(&c, v[P_AIRPORT].text, &airport))
		return;
	const struct procedure_wish wish = {
		.type = type != NULL ? type : v[P_TYPE].text,
		.approach_type = v[P_APPROACH].text, .runway = v[P_RUNWAY].text,
		.authority = v[P_AUTHORITY].text, .source = v[P_SOURCE].text,
		.airport = airport,
		.offset = (size_t)v[P_OFFSET].number, .limit = (size_t)v[P_LIMIT].number,
	};
	const enum errcode rc = procedure_list(c.con, c.mem, &wish, &found, &n, &c.err);
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < n; i++)
		put_procedure(&c.text, &found[i], shown);
	jsn_put_close(&c.text, ']');
	call_end(&c, rc);
}

void api_procedures(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	list(e, r, w, NULL, SHOWN_ANY);
}

void api_approaches(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	list(e, r, w, "approach", SHOWN_APPROACH);
}

void api_departures(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	list(e, r, w, "departure", SHOWN_OTHER);
}

void api_arrivals(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	list(e, r, w, "arrival", SHOWN_OTHER);
}

/* ---- by runway ------------------------------------------------------------------------------ */

struct by_runway {
	struct runway *runways;
	struct procedure *procedures;
	size_t nrunways, nprocedures;
};

/* Read what both calls need. False: a refusal was sent, and the call has ended. */
static bool begin(struct call *c, struct edge *e, struct http_req *r, struct http_res *w, struct by_runway *x)
{
	struct airport ap;

	if (!call_begin(c, e, r, w, CALL_AIRPORTS) || !call_path_airport(c, &ap))
		return false;
	if (airdb_runways(c->con, c->mem, ap.ident, &x->runways, &x->nrunways, &c->err) == OK &&
	    airdb_procedures(c->con, c->mem, ap.ident, &x->procedures, &x->nprocedures, &c->err) == OK)
		return true;
	call_end(c, c->err.code);
	return false;
}

/* Is the procedure for either end of the runway? */
static bool serves(const struct procedure *p, const struct runway *v)
{
	return p->runway != NULL && ((v->le_ident != NULL && strieq(p->runway, v->le_ident)) ||
	    (v->he_ident != NULL && strieq(p->runway, v->he_ident)));
}

static void put_names(struct buf *b, const char *name, const char *type, const struct by_runway *x,
    const struct runway *v)
{
	jsn_put_open(b, name, '[');
	for (size_t i = 0; i < x->nprocedures; i++) {
		const struct procedure *p = &x->procedures[i];
		if (p->type != NULL && strieq(p->type, type) && serves(p, v))
			jsn_put_str(b, NULL, p->name != NULL ? p->name : "");
	}
	jsn_put_close(b, ']');
}

/* Two runways with the same low end are one member: the first. */
static bool told(const struct by_runway *x, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (streq(x->runways[k].le_ident, x->runways[i].le_ident))
			return true;
	return x->runways[i].le_ident == NULL;
}

void api_procedures_by_runway(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct by_runway x = { .nrunways = 0 };
	struct call c;

	(void)rt;
	if (!begin(&c, e, r, w, &x))
		return;
	jsn_put_open(&c.text, NULL, '{');
	for (size_t i = 0; i < x.nrunways; i++) {
		if (told(&x, i))
			continue;
		jsn_put_key(&c.text, x.runways[i].le_ident);
		jsn_put_open(&c.text, NULL, '{');
		put_names(&c.text, "approaches", "approach", &x, &x.runways[i]);
		put_names(&c.text, "departures", "departure", &x, &x.runways[i]);
		put_names(&c.text, "arrivals", "arrival", &x, &x.runways[i]);
		jsn_put_close(&c.text, '}');
	}
	jsn_put_close(&c.text, '}');
	call_end(&c, OK);
}

/* Of the best approaches to both ends the more precise one. */
static const struct procedure *best_of(const struct by_runway *x, const struct runway *v)
{
	const struct procedure *low = v->le_ident == NULL ? NULL : approach_best(x->procedures, x->nprocedures, v->le_ident);
	const struct procedure *high = v->he_ident == NULL ? NULL : approach_best(x->procedures, x->nprocedures, v->he_ident);

	if (low == NULL || high == NULL)
		return low != NULL ? low : high;
	return approach_precision(high->approach_type) < approach_precision(low->approach_type) ? high : low;
}

void api_most_precise(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct by_runway x = { .nrunways = 0 };
	struct call c;

	(void)rt;
	if (!begin(&c, e, r, w, &x))
		return;
	jsn_put_open(&c.text, NULL, '{');
	for (size_t i = 0; i < x.nrunways; i++) {
		const struct procedure *best = told(&x, i) ? NULL : best_of(&x, &x.runways[i]);
		if (best == NULL)
			continue;
		jsn_put_key(&c.text, x.runways[i].le_ident);
		jsn_put_open(&c.text, NULL, '{');
		jsn_put_str(&c.text, "name", best->name != NULL ? best->name : "");
		jsn_put_str(&c.text, "approach_type", best->approach_type);
		jsn_put_int(&c.text, "precision", approach_precision(best->approach_type));
		jsn_put_str(&c.text, "runway_ident", best->runway);
		jsn_put_str(&c.text, "authority", best->authority);
		jsn_put_str(&c.text, "source", best->source);
		jsn_put_close(&c.text, '}');
	}
	jsn_put_close(&c.text, '}');
	call_end(&c, OK);
}
