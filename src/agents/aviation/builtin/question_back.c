#include "agents/aviation/builtin/question_back.h"

#include "agents/aviation/builtin/amounts.h"
#include "airports/countries.h"
#include "base/str.h"
#include "language/languages.h"

/* ---- two meanings ---------------------------------------------------------------------------- */

/* Only a reading that is wrong more often than right is asked about, and only if the second is not far behind. */
static const double SURE_ENOUGH = 0.5, NOT_FAR = 0.6;

/* The slots of which a meaning needs one each, so that it can be said as a question of its own. */
static const struct meaning {
	enum plan_kind kind;
	enum reply says;
	uint64_t needs[2];
} meanings[] = {
	{ PLAN_NEAR, REPLY_ASK_NEAR, { UINT64_C(1) << LABEL_NEAR, 0 } },
	{ PLAN_ROUTE, REPLY_ASK_ROUTE, { UINT64_C(1) << LABEL_FROM, UINT64_C(1) << LABEL_TO } },
	{ PLAN_SEARCH, REPLY_ASK_SEARCH, { UINT64_C(1) << LABEL_COUNTRY, 0 } },
	{ PLAN_DETAILS, REPLY_ASK_DETAILS, { UINT64_C(1) << LABEL_AT, 0 } },
	{ PLAN_NOTICE, REPLY_ASK_NOTICE, { UINT64_C(1) << LABEL_AT, 0 } },
	{ PLAN_ANSWER, REPLY_ASK_ANSWER, { UINT64_C(1) << LABEL_COUNTRY, UINT64_C(1) << LABEL_TOPIC } },
	{ PLAN_BROWSE, REPLY_ASK_BROWSE, { UINT64_C(1) << LABEL_COUNTRY, 0 } },
};

/* The places of one plan are those of another: "Elba" may be looked at or looked around. */
static void share_places(struct frame *f)
{
	if (f->slot[LABEL_NEAR].n == 0)
		f->slot[LABEL_NEAR] = f->slot[LABEL_AT];
	if (f->slot[LABEL_AT].n == 0)
		f->slot[LABEL_AT] = f->slot[LABEL_NEAR];
}

static bool has(const struct frame *f, uint64_t labels)
{
	for (size_t i = 0; i < LABEL__MAX; i++)
		if ((labels >> i & 1) != 0 && f->slot[i].n > 0)
			return true;
	return labels == 0;
}

/* A frame as a question of its own; NULL: it cannot be said as one. */
static const char *said(const struct planning *p, struct frame f)
{
	share_places(&f);
	const char *country = frame_get(&f, LABEL_COUNTRY);
	const struct reply_facts facts = {
		.from = frame_get(&f, LABEL_FROM), .to = frame_get(&f, LABEL_TO), .near = frame_get(&f, LABEL_NEAR),
		.place = frame_get(&f, LABEL_AT), .country = country != NULL ? country_by_code(country) : NULL,
		.matter = frame_get(&f, LABEL_TOPIC), .wording = p->wording,
	};
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].kind == frame_plan_kind(&f))
			return has(&f, meanings[i].needs[0]) && has(&f, meanings[i].needs[1])
			    ? reply_of(p->mem, &facts, meanings[i].says) : NULL;
	return NULL;
}

/* The frame that the message would have with another plan; NULL: it is talk. */
static const struct frame *other_frame(const struct planning *p, const struct reading_plan *plan)
{
	struct reading *r = arena_alloc(p->mem, sizeof(*r));
	struct frames *f = arena_alloc(p->mem, sizeof(*f));

	*r = *p->reading;
	r->plan[0] = *plan;
	frames_of(p->mem, &aviation_schema, r, &p->talk->dialogue, f);
	return f->frame[0]->plan->labels != 0 ? f->frame[0] : NULL;
}

bool question_back(const struct planning *p, struct plan *out)
{
	const struct reading *r = p->reading;

	if (r->nplans != 1 || r->nothers == 0 || r->sure >= SURE_ENOUGH || r->other[0].sure < NOT_FAR * r->sure ||
	    streq(r->plan[0].plan, r->other[0].plan.plan) || p->frames->frame[0]->plan->labels == 0)
		return false;
	const struct frame *other = other_frame(p, &r->other[0].plan);
	const char *this = said(p, *p->frames->frame[0]), *that = other != NULL ? said(p, *other) : NULL;
	if (this == NULL || that == NULL)
		return false;
	const struct reply_facts facts = { .either = { this, that }, .wording = p->wording };
	*out = (struct plan){ .arguments = jsn_object(p->mem), .about = "airports", .choice = { this, that },
		.reply = reply_of(p->mem, &facts, REPLY_QUESTION_BACK) };
	return true;
}

/* ---- wishes ----------------------------------------------------------------------------------- */

static bool exclude(const struct mark *x, const struct mark *y)
{
	return !x->lifted && !y->lifted && streq(x->label, y->label) && x->plans == y->plans && x->last + 1 < y->first &&
	    streq(x->value, "false") != streq(y->value, "false") &&
	    (aviation_schema.label[frame_label_named(&aviation_schema, x->label)].how & FRAME_SWITCH) != 0;
}

bool wishes_exclude(const struct planning *p, const struct frame *f, const char *either[2])
{
	const struct reading *r = p->reading;
	const struct frame_slot *least = &f->slot[LABEL_MIN_RUNWAY], *most = &f->slot[LABEL_MAX_RUNWAY];

	if (least->n > 0 && most->n > 0 && amount_feet(least->value[0].text) > amount_feet(most->value[0].text)) {
		either[0] = least->value[0].words != NULL ? least->value[0].words : least->value[0].text;
		either[1] = most->value[0].words != NULL ? most->value[0].words : most->value[0].text;
		return true;
	}
	for (size_t i = 0; i + 1 < r->nmarks; i++)
		for (size_t k = i + 1; k < r->nmarks; k++)
			if (exclude(&r->mark[i], &r->mark[k])) {
				either[0] = words_slice(p->mem, r->words, r->mark[i].first, r->mark[i].last);
				either[1] = words_slice(p->mem, r->words, r->mark[k].first, r->mark[k].last);
				return true;
			}
	return false;
}

/* ---- languages -------------------------------------------------------------------------------- */

static bool is_known(const struct evidences *e, size_t word)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->at[i].first <= word && word <= e->at[i].last && e->at[i].kind[0] != '~')
			return true;
	return false;
}

bool message_is_foreign(const struct reading *r)
{
	enum { ENOUGH = 3 };
	const struct words *w = r->words;
	size_t letters = 0, known = 0;

	for (size_t i = 0; i < w->n; i++) {
		letters += w->word[i].kind == WORD_LETTERS;
		known += w->word[i].kind == WORD_LETTERS && is_known(r->evidence, i);
	}
	return letters >= ENOUGH && 2 * known < letters && 3 * language_known(w) < letters;
}
