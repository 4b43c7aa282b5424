/*
 * One message, six passes: words, numbers, filters, places, notice, what is left. Numbers come before places, so that
 * "within 30 nm of" is understood when the place is searched.
 */
#include "agents/aviation/builtin/query.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/day_mention.h"

enum { LOOKUPS = 240, COUNTRY_LOOKUPS = 120, COORDS = 120 };

/* The items of these tokens mean nothing more. */
static void use_up(struct reading *r, size_t first, size_t n)
{
	for (size_t i = 0; i < r->n; i++)
		r->item[i].used |= r->item[i].first >= first && r->item[i].last < first + n;
}

/* The days, before items are read. Their numbers measure nothing: *first and *n. */
static void read_day(struct reading *r, size_t *first, size_t *n)
{
	struct query *q = r->q;

	*n = 0;
	q->day = day_mention(r->mem, &r->x, first, n);
	q->holiday = holiday_mention(&r->x, q->day);
	q->days = days_mention(r->mem, q->said, q->day, q->holiday);
	if (q->day == NULL || !isdigit((unsigned char)q->day[0]))
		*n = 0;
}

/* The numbers of a time of day measure nothing. */
static void read_clock(struct reading *r)
{
	size_t first, n;

	r->q->clock = clock_mention(r->mem, &r->x, &first, &n);
	if (r->q->clock == NULL)
		return;
	use_up(r, first, n);
	/* "between 17:00 and 19:00": only the first is used, and the answer says so */
	struct lexed rest = r->x;
	rest.tok += first + n;
	rest.n -= first + n;
	r->q->unused = clock_mention(r->mem, &rest, &first, &n);
}

struct query *query_parse(const struct reader *rd, const char *text)
{
	struct query *q = arena_alloc(rd->mem, sizeof(*q));
	struct reading r = { .mem = rd->mem, .lexicon = rd->airports, .con = rd->con,
		.effort = rd->effort, .budget = LOOKUPS,
		.countries = COUNTRY_LOOKUPS, .coords = COORDS, .q = q };
	size_t first = 0, n;
	q->said = text;
	q->distance_nm = q->results = q->notice_h = q->speed_kt = q->bare = q->other_nm = q->hours = NAN;
	q->large = -1;
	q->limit = WISH__MAX;
	r.x = lex(rd->mem, text);
	effort_spend(r.effort, EFFORT_BYTE, strlen(r.x.text));
	effort_spend(r.effort, EFFORT_WORD, r.x.n);
	read_day(&r, &first, &n);
	read_items(&r);
	use_up(&r, first, n);
	read_clock(&r);
	read_quantities(&r);
	read_wishes(&r);
	read_places(&r);
	read_notice(&r);
	read_unused(&r);
	read_notice_others(&r);
	aircon_rest(r.con);              /* the next steps may take a while */
	return q;
}

bool query_wants(const struct query *q)
{
	for (int w = 0; w < WISH__MAX; w++)
		if (q->want[w].state == WANT_SET)
			return true;
	return false;
}
