/*
 * What the calls beside the chat share: each takes the data it reads, writes its answer into a buffer, gives the
 * data back, and only then sends. So a slow client never holds a connection to the airport database.
 *
 *	struct call c;
 *	if (!call_begin(&c, e, r, w, CALL_AIRPORTS))
 *		return;
 *	enum errcode rc = …;                    reads from c.con, writes to c.text, fills c.err
 *	call_end(&c, rc);
 */
#ifndef EDGES_CALL_H
#define EDGES_CALL_H

#include "airports/airdb.h"
#include "airports/fact_source.h"
#include "edges/edge.h"
#include "edges/http.h"

enum call_needs {
	CALL_AIRPORTS = 1 << 0,       /* the airport database: without it the call is refused (503) */
	CALL_FACTS    = 1 << 1,       /* notices and friendliness, as far as they are there */
};

struct call {
	const struct edge *edge;
	struct http_req *r;
	struct http_res *w;
	struct arena *mem;            /* of the request */
	struct aircon *con;
	struct fact_sources sources;
	struct fact_view facts;
	bool has_facts;
	struct buf text;              /* the answer, JSON */
	struct err err;
};

/* False: it was refused, and nothing is left to give back. */
bool call_begin(struct call *c, const struct edge *e, struct http_req *r, struct http_res *w, unsigned needs);
/* Give the data back, and send the answer or the refusal of c->err. */
void call_end(struct call *c, enum errcode rc);
/* Give the data back without an answer: the caller has sent one. */
void call_drop(struct call *c);

/* The airport of a code from the path or a list, as the tools find it: ident, then IATA, then ICAO code. */
enum errcode call_airport(struct call *c, const char *code, struct airport *out, bool *found);
/* The same for the code in the request's path. False: 404, 422 or another refusal was sent, and the call has
 * ended. */
bool call_path_airport(struct call *c, struct airport *out);

#endif
