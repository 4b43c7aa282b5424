/*
 * The best few are in a heap with the worst of them on top; the rest is only counted.
 *
 * The kinds of search differ in the position of a candidate (`place`); filters, priority and cut
 * are the same for all.
 */
#include "airports/search_candidates.h"

#include <limits.h>
#include <math.h>

#include "airports/friendliness.h"
#include "airports/landing_fee.h"
#include "base/jsn.h"
#include "base/str.h"

/* ---- the best few ------------------------------------------------------- */

int search_found_cmp(const void *a, const void *b)
{
	const struct search_found *x = a, *y = b;

	return priority_cmp(&x->key, &y->key);
}

static void sift_down(struct search_found *h, size_t n, size_t i)
{
	struct search_found it = h[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && search_found_cmp(&h[child + 1], &h[child]) > 0)
			child++;
		if (search_found_cmp(&h[child], &it) <= 0)
			break;
		h[i] = h[child];
	}
	h[i] = it;
}

static void sift_up(struct search_found *h, size_t i)
{
	struct search_found it = h[i];

	for (; i > 0 && search_found_cmp(&it, &h[(i - 1) / 2]) > 0; i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = it;
}

static void keep(struct search_best *b, const struct search_found *f)
{
	if (b->n < b->max) {
		b->heap[b->n] = *f;
		sift_up(b->heap, b->n++);
	} else if (b->max > 0 && search_found_cmp(f, &b->heap[0]) < 0) {
		b->heap[0] = *f;
		sift_down(b->heap, b->n, 0);
	}
}

/* ---- one candidate --------------------------------------------------------- */

bool search_in_country(const struct airport *a, const char *code)
{
	return a->country != NULL && a->country[0] == code[0] && a->country[1] == code[1];
}

bool search_shows(const struct airport *a, bool all_idents)
{
	return ((a->flags & AF_ICAO4) || all_idents) && a->type != TYPE_CLOSED &&
	    a->type != TYPE_HELIPORT && a->type != TYPE_BALLOON;
}

/* num_round() goes through decimal text and would be half the cost of a long route. Multiplication is
 * used wherever its result is certain. */
double search_round2(double v)
{
	double y = v * 100;

	if (fabs(y - floor(y) - 0.5) < 1e-6)
		return num_round(v, 2);
	return floor(y + 0.5) / 100;
}

/* The candidate's position. False: outside. */
static bool place(const struct airport_search *s, const struct airport *a, struct search_found *f)
{
	struct point at = { a->lat, a->lon };
	struct geo_place on;

	switch (s->q->kind) {
	case SEARCH_NEAR:
		f->distance = geo_distance_nm(s->q->from, at);
		if (!(f->distance <= s->q->radius_nm))
			return false;
		f->distance = search_round2(f->distance);
		f->key.distance = f->distance;
		f->key.bucket = priority_near(f->distance);
		return true;
	case SEARCH_ROUTE:
		if (!geo_leg_near(&s->leg, at, s->q->radius_nm, &on) ||
		    (s->q->halfway && fabs(on.along - s->leg.nm / 2) > s->leg.nm / 6))
			return false;
		f->segment = search_round2(on.segment);
		f->distance = search_round2(on.start);
		f->key.distance = f->segment;
		/* the position along the route, not the distance from its start: an airport beside
		 * the start is no stop half-way, however far from the line it is */
		f->key.bucket = priority_route(on.along, s->leg.nm);
		return true;
	case SEARCH_AREA:
		/* where in the area it lies does not matter */
		f->distance = search_round2(geo_distance_nm(s->q->from, at));
		break;
	case SEARCH_TEXT:
	case SEARCH_CODES:
	case SEARCH_COUNTRY:
		break;
	}
	f->key.bucket = s->bucket * PRIORITY_TEXTS + PRIORITY_TEXT;
	return true;
}

/* By the recorded landing fee: fees in euros first, then each other currency apart, because there are no
 * exchange rates; airports without a recorded fee last. */
static void rate_fee(const struct airport_search *s, const struct airport *a, struct search_found *f)
{
	const struct friendly *r = fact_find(s->facts, FACTS_FRIENDLINESS, a->ident);
	const double fee = r != NULL ? r->fee[fee_band_of(s->mtow_kg)] : NAN;
	const char *currency = r != NULL && r->currency != NULL ? r->currency : "";

	f->key.score = isnan(fee) ? 0 : -fee;
	f->key.bucket = isnan(fee) ? INT_MAX : 0;
	if (isnan(fee) || streq(currency, "EUR"))
		return;
	for (size_t i = 0; i < 3 && currency[i] != '\0'; i++)
		f->key.bucket = f->key.bucket * 256 + (unsigned char)currency[i];
	f->key.bucket++;
}

/* The persona's score if reviews describe the airport, else what the airport offers; `guess`: judged
 * by its size, because nothing else is recorded of any airport. */
static void rate(const struct airport_search *s, const struct airport *a, bool guess,
    struct search_found *f)
{
	switch (s->q->order) {
	case ORDER_FEE:
		rate_fee(s, a, f);
		return;
	case ORDER_RUNWAY:
		f->key.score = isnan(a->longest_ft) ? 0 : a->longest_ft;
		f->key.bucket = 0;
		return;
	case ORDER_DISTANCE:
		f->key.score = 0;
		f->key.bucket = 0;
		return;
	case ORDER_HIGHEST:
	case ORDER_LOWEST:
		f->key.score = s->q->order == ORDER_HIGHEST ? a->elevation_ft : -a->elevation_ft;
		f->key.bucket = isnan(a->elevation_ft);
		if (f->key.bucket != 0)
			f->key.score = 0;
		return;
	case ORDER_PRIORITY:
		break;
	}
	const struct friendly *r = s->q->persona == NULL ? NULL
	    : fact_find(s->facts, FACTS_FRIENDLINESS, a->ident);

	f->key.score = r != NULL ? r->score[s->q->persona->number] : NAN;
	if (isnan(f->key.score))
		f->key.score = guess ? priority_estimate(a) : priority_score(a);
	else if (s->q->kind != SEARCH_NEAR && s->q->kind != SEARCH_ROUTE)
		f->key.bucket += PRIORITY_SCORED - PRIORITY_TEXT;
}

/* Has the pilot asked for this very airport? */
static bool named(const struct airport_search *s, const struct airport *a, const struct search_found *f)
{
	return s->q->kind == SEARCH_CODES || a->row == s->exact ||
	    (s->q->kind == SEARCH_NEAR && f->distance == 0);
}

/* A pilot wants to know of a large airport if it is nearer than all listed ones, or if no other was found. */
static void keep_large(struct airport_search *s, const struct airport *a, const struct search_found *f)
{
	unsigned unknown;

	if (a->type == TYPE_LARGE && !f->key.late && s->q->kind == SEARCH_NEAR &&
	    (s->large.key.row == 0 || f->distance < s->large.distance) &&
	    filter_set_test(&s->pardoned, a, NULL, &unknown) != FIT_NO)
		s->large = *f;
}

/* Customs and instrument procedures are mostly at large airports. If one is left out for its size alone, the answer names it. */
static void keep_oversized(struct airport_search *s, const struct airport *a, struct search_found *f)
{
	if (a->type != TYPE_LARGE || filter_set_test(&s->pardoned, a, NULL, &f->unknown) == FIT_NO)
		return;
	rate(s, a, s->bare, f);
	keep(&s->oversized, f);
}

void search_consider(struct airport_search *s, const struct airport *a)
{
	struct search_found f = { .key = { .row = a->row } };
	const struct filter_set *set = a->row == s->exact ? &s->pardoned : &s->filters;

	if (!search_shows(a, s->all_idents) ||
	    (s->only != NULL && !search_in_country(a, s->only->code)) || !place(s, a, &f))
		return;
	s->out->candidates++;
	/* An air base comes last if the pilot asks for an order ("the longest runway", "the nearest") or names an area ("in Corsica"). Without an
	 * order, lists around a place, along a route or in a country keep the order of the original service; so do lists by fee. */
	const bool ranked = s->q->order != ORDER_PRIORITY && s->q->order != ORDER_FEE;
	const bool last = (ranked || s->q->kind == SEARCH_AREA) && airport_use(a) == USE_MILITARY;
	f.key.late = (priority_late(a) || last) && !named(s, a, &f);
	switch (filter_set_test(set, a, &s->out->report, &f.unknown)) {
	case FIT_NO:
		keep_large(s, a, &f);
		keep_oversized(s, a, &f);
		return;
	case FIT_UNKNOWN:
		/* it is better to call a civil one */
		if (airport_use(a) == USE_MILITARY && !named(s, a, &f))
			f.key.late = true;
		/* if nothing else is recorded, the airport's size suggests whether there is fuel */
		rate(s, a, s->bare, &f);
		keep(&s->maybe, &f);
		return;
	case FIT_YES:
		rate(s, a, s->blind, &f);
		s->out->total++;
		keep(&s->fit, &f);
	}
}

bool search_visit(void *s, const struct airport *a)
{
	search_consider(s, a);
	return true;
}
