/*
 * Does a message ask for the notice that one airport wants, or that the airport of before wants? Cues such as "how much notice" say so
 * themselves. So does any word for notice beside one airport ("LFRG needs 24 h notice?"), and customs
 * on a day or at a time ("customs on a Sunday at Le Touquet"), because customs hours and notice go by them. Whether
 * it is a question about rules ("LFMD PPR rules?") is decided later (rules_reading_notice()).
 */
#include "agents/aviation/builtin/query.h"

#include <math.h>

#include "base/str.h"

static bool says_notice(const struct reading *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (item_is(r, i, LX_DIM, DIM_NOTICE))
			return true;
	return false;
}

/* The one airport that is named; NULL: there is none, or the message looks for airports. */
static struct place_mention *one_airport(struct query *q)
{
	struct place_mention *p = q->subject.text != NULL ? &q->subject : &q->near;

	if (q->noun || q->nearest || q->along || q->from.text != NULL || q->to.text != NULL ||
	    q->ncodes > 1 || !isnan(q->distance_nm) || (q->cues & CUE_WHERE) != 0)
		return NULL;
	/* "stay in Lyon on Sunday, with customs" looks for airports, "call Lyon customs if I land" does not */
	if ((q->cues & CUE_SHOW) != 0 && p == &q->near && !p->code)
		return NULL;
	return p->text != NULL && (p->code || p->known) && !p->point && p->country == NULL ? p : NULL;
}

/* "What notice do they want?": no place is named, and no limit for a search. */
static bool no_airport(const struct query *q)
{
	return !q->noun && !q->along && q->from.text == NULL && q->to.text == NULL && q->near.text == NULL &&
	    q->subject.text == NULL && q->ncodes == 0 && q->country == NULL && isnan(q->notice_h) &&
	    (q->cues & (CUE_WHERE | CUE_SHOW)) == 0;
}

void read_notice(struct reading *r)
{
	struct query *q = r->q;
	struct place_mention *p = one_airport(q);

	if (p == NULL) {
		q->notice = ((q->cues & CUE_NOTIFY) != 0 || says_notice(r)) && no_airport(q);
		return;
	}
	if ((q->cues & CUE_NOTIFY) == 0 && !says_notice(r) &&
	    !(q->want[WISH_CUSTOMS].state == WANT_SET && (q->clock != NULL || q->days != NULL)))
		return;
	q->notice = true;
	q->subject = *p;
	q->near = (struct place_mention){ .text = NULL };
}

void read_notice_others(struct reading *r)
{
	struct query *q = r->q;
	const struct place_mention *p = q->subject.text != NULL ? &q->subject : &q->near;

	if (p->text == NULL || q->noun)
		return;
	/* without notice, codes may also be the ends of a route or the centre of a search */
	if (!q->notice && (q->cues & CUE_NOTIFY) == 0 && (!p->code || q->nearest || q->along || q->from.text != NULL ||
	    q->to.text != NULL || q->ncodes > 0 || !isnan(q->distance_nm)))
		return;
	for (size_t i = 0; i < r->n; i++) {
		const struct place_mention *other = &r->item[i].spot;
		if (r->item[i].class == LX_PLACE && other->code && !strieq(other->text, p->text))
			q->unused = q->unused == NULL ? other->text
			    : arena_printf(r->mem, "%s, %s", q->unused, other->text);
	}
}
