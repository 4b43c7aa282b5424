/*
 * Several airports of which the same facts were asked for: fact by fact, each airport with its sentence, so that they can be compared.
 */
#include "agents/aviation/builtin/writer_details.h"

#include <string.h>

#include "base/str.h"

static bool same_facts(const struct plan *x, const struct plan *y)
{
	bool same = x->nasked == y->nasked;
	for (size_t i = 0; same && i < x->nasked; i++)
		same = streq(x->asked[i].name, y->asked[i].name);
	return same;
}

/* Is each finding an airport that exists, and does each plan ask for the same facts, for which there are sentences? */
static bool can_stand_beside(const struct answer *w, const struct writing *writing)
{
	const struct plan *first = writing->found[0].plan;
	bool can = writing->n > 1 && first->asks && first->nasked > 0;

	for (size_t i = 0; can && i < writing->n; i++) {
		const struct finding *f = &writing->found[i];
		can = f->plan->tool != NULL && f->plan->tool->result == RESULT_AIRPORT && jsn_get_bool(f->result, "found", false) &&
		    f->plan->asks && f->plan->stands_for == NULL && f->plan->unused == NULL && same_facts(f->plan, first);
	}
	for (size_t i = 0; can && i < first->nasked; i++)
		can = details_tells(w, &first->asked[i]);
	return can;
}

/* Was the text behind `start` already written before `start`? */
static bool is_told_before(const struct answer *w, size_t start)
{
	return memmem(w->out->p, start, w->out->p + start, w->out->n - start) != NULL;
}

bool writer_airports_beside(struct answer *w, const struct run *run, const struct writing *writing)
{
	const struct plan *first = writing->found[0].plan;
	bool sample = false;

	if (!can_stand_beside(w, writing))
		return false;
	for (size_t k = 0; k < first->nasked; k++) {
		const size_t empty = w->out->n;
		buf_puts(w->out, k > 0 ? "\n" : "");
		const size_t begin = w->out->n;
		for (size_t i = 0; i < writing->n; i++) {
			const size_t start = w->out->n;
			writer_take(w, run, &writing->found[i]);
			buf_puts(w->out, "- ");
			details_tell(w, &first->asked[k]);
			sample |= details_has_sample(w);
			/* the sentence about the longest runway also tells its surface: it is not written twice */
			if (is_told_before(w, start))
				buf_trunc(w->out, start);
		}
		if (w->out->n == begin)
			buf_trunc(w->out, empty);
	}
	struct phrases notes = { .n = 0 };
	if (sample)
		phrases_add(&notes, said(w, notes_sample));
	write_notes(w, &notes, true);
	return true;
}
