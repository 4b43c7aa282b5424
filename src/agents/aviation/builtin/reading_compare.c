/*
 * "Compare LFAT and LFRG: customs notice, fuel, fee": the same facts of two or three airports. That is neither a route between them nor a search.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

enum { AIRPORTS_LEAST = 2, AIRPORTS_MOST = 3 };

/* A wish about named airports is a question about them. */
static const struct { enum label wish; const char *fact; } facts[] = {
	{ LABEL_AVGAS, "fuel" }, { LABEL_JET_A, "fuel" }, { LABEL_FUEL, "fuel" }, { LABEL_ENTRY, "customs" }, { LABEL_MAX_NOTICE, "customs" },
	{ LABEL_HARD, "surface" }, { LABEL_PROCEDURES, "procedures" }, { LABEL_HOTEL, "hotel" }, { LABEL_RESTAURANT, "restaurant" },
	{ LABEL_MAX_FEE, "fee" }, { LABEL_MIN_RUNWAY, "runway_length" },
};

/* "Which is better, LFAT or LFRM?" But "something better than LFAT" and "which has a better runway" are searches, and "LFAT, or better LFRM" asks
 * about LFRM. */
static bool asks_which_is_better(const struct reading *r)
{
	const size_t n = r->words->n;
	bool asks = false;

	for (size_t i = 0; i < n; i++) {
		const bool corrects = i > 0 && reading_has_evidence(r, i - 1, i - 1, "or");
		const bool searches = i + 1 < n && (reading_has_evidence(r, i + 1, i + 1, "than") || reading_is_marked(r, i + 1, i + 1));
		asks |= reading_has_evidence(r, i, i, "better") && !corrects && !searches;
	}
	return asks && (reading_says(r, "ask=which") || reading_has_evidence(r, 0, n - 1, "or")) && reading_marked(r, LABEL_COUNTRY) == NULL &&
	    reading_marked(r, LABEL_AREA) == NULL;
}

bool reading_compares(const struct reading *r)
{
	return (reading_has_evidence(r, 0, r->words->n - 1, "compares") || asks_which_is_better(r)) && reading_marked(r, LABEL_TOPIC) == NULL &&
	    reading_marked(r, LABEL_ORDER) == NULL && reading_marked(r, LABEL_FROM) == NULL && reading_marked(r, LABEL_TO) == NULL &&
	    reading_marked(r, LABEL_NEAR) == NULL;
}

static size_t airports(const struct reading *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->nmarks; i++)
		n += mark_has_label(&r->mark[i], LABEL_AT);
	return n;
}

/* The fact that a mark asks for; NULL: none. "Which is better?" names no fact. */
static const char *fact_of(const struct mark *m)
{
	if (mark_has_label(m, LABEL_ASK))
		return streq(m->value, "which") ? NULL : m->value;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (mark_has_label(m, facts[i].wish))
			return facts[i].fact;
	return NULL;
}

/* "Customs notice": a fact that no mark names. */
static void ask_unmarked(struct reading *r)
{
	static const char *const names[] = { "runway_length", "fuel", "customs", "fee", "hours", "restaurant", "hotel" };

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		for (size_t k = 0; strncmp(e->kind, "ask=", 4) == 0 && k < sizeof(names) / sizeof(names[0]); k++) {
			struct mark *m = streq(e->kind + 4, names[k]) && !reading_is_marked(r, e->first, e->last) && !reading_has_evidence(r, e->first, e->last, "better")
			    ? reading_put_mark(r, e->first, e->last, LABEL_ASK) : NULL;
			if (m != NULL)
				m->value = names[k];
		}
	}
}

void reading_amend_comparison(struct reading *r)
{
	const size_t n = airports(r);

	if (n < AIRPORTS_LEAST || n > AIRPORTS_MOST || !reading_compares(r))
		return;
	r->plan[0] = (struct reading_plan){ r->plan[0].kind != NULL ? "switch" : NULL, aviation_schema.plan[PLAN_DETAILS].name };
	r->nplans = 1;
	for (size_t i = r->nmarks; i-- > 0;) {
		struct mark *m = &r->mark[i];
		const char *fact = fact_of(m);
		m->plans = 0;
		if (fact != NULL) {
			mark_set_label(m, LABEL_ASK);
			m->value = fact;
		} else if (!mark_has_label(m, LABEL_AT) && !mark_has_label(m, LABEL_AIRCRAFT)) {
			reading_remove_mark(r, i);
		}
	}
	ask_unmarked(r);
}
