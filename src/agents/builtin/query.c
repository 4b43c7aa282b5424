/*
 * One message, four passes: words, numbers, filters, places. Numbers come before places, so
 * that "within 30 nm of" has been understood when the place is looked for.
 */
#include "agents/builtin/query.h"

#include <math.h>

enum { LOOKUPS = 240, COUNTRY_LOOKUPS = 120 };

struct query *query_parse(struct arena *a, const struct lexicon *l, struct aircon *con,
    const char *text)
{
	struct query *q = arena_alloc(a, sizeof(*q));
	struct reading r = { .mem = a, .lexicon = l, .con = con, .budget = LOOKUPS,
		.countries = COUNTRY_LOOKUPS, .q = q };
	q->said = text;
	q->distance_nm = q->results = q->notice_h = q->bare = NAN;
	q->large = -1;
	q->limit = WISH__MAX;
	r.x = lex(a, text);
	read_items(&r);
	read_quantities(&r);
	read_wishes(&r);
	read_places(&r);
	return q;
}
