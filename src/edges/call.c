/*
 * Taking and giving back what a call reads.
 */
#include "edges/call.h"

#include <string.h>

#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/str.h"
#include "edges/kept.h"
#include "edges/params.h"
#include "edges/reply.h"

enum {
	INDEX_WAIT_MS = 3000,        /* for an index that is being built, or a connection */
	ANSWER_MAX = 32 << 20,
};

bool call_begin(struct call *c, const struct edge *e, struct http_req *r, struct http_res *w, unsigned needs)
{
	*c = (struct call){ .edge = e, .r = r, .w = w, .mem = r->mem };
	if ((needs & CALL_AIRPORTS) != 0) {
		const enum errcode rc = e->parts.airports != NULL
		    ? airdb_get(e->parts.airports, INDEX_WAIT_MS, &c->con, &c->err)
		    : err_set(&c->err, ERR_DATA, "there is no airport database");
		if (rc != OK) {
			reply_refusal(r, w, &c->err, 0, NULL);
			return false;
		}
	}
	if ((needs & CALL_FACTS) != 0) {
		if (e->parts.notices != NULL)
			c->sources.of[FACTS_NOTICE] = notices_source(e->parts.notices);
		if (e->parts.friendliness != NULL)
			c->sources.of[FACTS_FRIENDLINESS] = friendliness_source(e->parts.friendliness);
		fact_view_take(&c->facts, &c->sources);
		c->has_facts = true;
	}
	buf_init(&c->text, ANSWER_MAX);
	return true;
}

static void give_back(struct call *c)
{
	if (c->has_facts)
		fact_view_put(&c->facts);
	c->has_facts = false;
	airdb_put(c->con);
	c->con = NULL;
}

void call_drop(struct call *c)
{
	give_back(c);
	buf_release(&c->text);
}

void call_end(struct call *c, enum errcode rc)
{
	give_back(c);
	if (rc == OK)
		kept_answer(c->r, c->w, &c->text);
	else
		reply_refusal(c->r, c->w, &c->err, 0, NULL);
	buf_release(&c->text);
}

enum errcode call_airport(struct call *c, const char *code, struct airport *out, bool *found)
{
	return airdb_by_code(c->con, c->mem, code, out, found, &c->err);
}

bool call_path_airport(struct call *c, struct airport *out)
{
	bool found;

	if (!params_path(c->r, c->w, &param_code, c->r->arg)) {
		call_drop(c);
		return false;
	}
	if (call_airport(c, c->r->arg, out, &found) != OK) {
		call_end(c, c->err.code);
		return false;
	}
	if (!found) {
		call_drop(c);
		http_detail(c->w, c->mem, 404, arena_printf(c->mem, "Airport %s not found", c->r->arg));
	}
	return found;
}
