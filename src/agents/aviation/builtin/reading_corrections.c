/*
 * "Cardiff, not Bristol": if a message names a place of the frame before, that place is replaced, whatever the
 * marks say. If it names none, the new name replaces the end of the route that is spelled nearly the same.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "language/languages.h"

static bool is_said(const struct words *w, const struct mark *m, const char *text)
{
	const size_t start = w->word[m->first].start, n = w->word[m->last].end - start;
	return strlen(text) == n && strncasecmp(w->text + start, text, n) == 0;
}

/* The label that the place of a mark has in a frame; LABEL__MAX: it is not there. */
static enum label label_before(const struct reading *r, const struct mark *m, const struct frame *f)
{
	for (size_t i = 0; i < LABEL__MAX; i++)
		for (size_t k = 0; (aviation_schema.label[i].how & FRAME_PLACE) != 0 && k < f->slot[i].n; k++)
			if (is_said(r->words, m, f->slot[i].value[k].text))
				return (enum label)i;
	return LABEL__MAX;
}

/* "Redhill instead of Oxford": Oxford goes, and Redhill stands where it stood. */
static void put_instead(struct reading *r, const struct dialogue *before)
{
	enum { BESIDE = 2 };
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	size_t places = 0, new = 0;

	if (last == NULL || r->nplans != 1 || !reading_says(r, "follow.instead"))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		places += mark_is_place(&r->mark[i]);
		new += mark_is_place(&r->mark[i]) && label_before(r, &r->mark[i], last) == LABEL__MAX;
	}
	for (size_t i = 0; places == 2 && new == 1 && i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const enum label label = mark_is_place(m) ? label_before(r, m, last) : LABEL__MAX;
		if (label == LABEL__MAX || m->first == 0 ||
		    !reading_has_evidence(r, m->first < BESIDE ? 0 : m->first - BESIDE, m->first - 1, "follow.instead"))
			continue;
		reading_remove_mark(r, i);
		for (size_t k = 0; k < r->nmarks; k++)
			if (mark_is_place(&r->mark[k]))
				mark_set_label(&r->mark[k], label);
		r->plan[0] = (struct reading_plan){ "replace", last->plan->name };
		break;
	}
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_WISH) && r->mark[i].first == r->mark[i].last &&
		    reading_has_evidence(r, r->mark[i].first, r->mark[i].first, "follow.instead"))
			reading_remove_mark(r, i);
}

/* "Saturday, not Friday", of which only Friday is marked. */
static void other_day(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (!mark_has_label(m, LABEL_DAY) || m->first == 0 || reading_not_at(r, m->first - 1) == NULL)
			continue;
		for (size_t k = 0; k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			if (!streq(e->kind, "day") || reading_is_marked(r, e->first, e->last))
				continue;
			reading_remove_mark(r, i);
			m = reading_mark_at(r, e->first);
			m->last = e->last;
			mark_set_label(m, LABEL_DAY);
			return;
		}
	}
}

/* "Saturday, not Friday": of two values for the same thing the refused one is what was misunderstood. */
static void correct(struct reading *r)
{
	if (r->nplans != 1 || !one_of(r->plan[0].kind != NULL ? r->plan[0].kind : "", "correct|replace"))
		return;
	for (size_t i = r->nmarks; i-- > 0;) {
		size_t same = 0;
		for (size_t k = 0; k < r->nmarks; k++)
			same += k != i && !r->mark[k].lifted && streq(r->mark[k].label, r->mark[i].label);
		if (same == 1 && !r->mark[i].lifted && r->mark[i].first > 0 && reading_not_at(r, r->mark[i].first - 1) != NULL)
			reading_remove_mark(r, i);
	}
	other_day(r);
}

/* ---- another place ----------------------------------------------------------------------------- */

/* Words of the message that name a place of the frame before. */
struct named {
	enum label label;             /* LABEL__MAX: there are none */
	size_t first, last;
};

/* Where the message has this text, as whole words. */
static bool find_text(const struct words *w, const char *text, struct named *out)
{
	const size_t n = strlen(text);

	for (size_t i = 0; i < w->n; i++) {
		if (strncasecmp(w->text + w->word[i].start, text, n) != 0)
			continue;
		for (size_t k = i; k < w->n && w->word[k].end <= w->word[i].start + n; k++)
			if (w->word[k].end == w->word[i].start + n) {
				out->first = i;
				out->last = k;
				return true;
			}
	}
	return false;
}

/* "Not from the surroundings of Speyer": does the word "not" stand before the place that begins at this word, in the same clause? */
static bool is_refused(const struct reading *r, size_t first)
{
	enum { FAR = 5 };

	for (size_t i = first; i > 0 && first - i < FAR; i--) {
		if (reading_not_at(r, i - 1) != NULL)
			return true;
		if (r->words->word[i - 1].kind == WORD_SIGN || reading_is_marked(r, i - 1, i - 1))
			return false;
	}
	return false;
}

static bool is_new(const struct reading *r, const struct mark *m, const struct frame *f)
{
	return mark_is_place(m) && label_before(r, m, f) == LABEL__MAX;
}

/* "Duxford to Edinburgh" after "Duxford to Teesside": Duxford is the start in both messages, and Edinburgh is new. So Duxford was understood,
 * and stays. */
static bool is_restated(const struct reading *r, size_t i, const struct frame *f)
{
	const struct mark *m = &r->mark[i];
	const enum label was = mark_is_place(m) ? label_before(r, m, f) : LABEL__MAX;
	bool new = false;

	for (size_t k = 0; k < r->nmarks; k++)
		new |= is_new(r, &r->mark[k], f);
	return new && was != LABEL__MAX && mark_has_label(m, was) && !is_refused(r, m->first);
}

/* Which place of the last frame was misunderstood? The one that the pilot refuses. Else the first one that the pilot names again, if the
 * message also names a new place or if no mark has this one. A restated place does not count. "I said Danzig, in Poland" only repeats. */
static struct named named_before(const struct reading *r, const struct frame *f)
{
	struct named out = { .label = LABEL__MAX };
	bool refused = false, new = false;

	for (size_t i = 0; i < r->nmarks; i++)
		new |= is_new(r, &r->mark[i], f);
	for (size_t i = 0; i < LABEL__MAX; i++)
		for (size_t k = 0; (aviation_schema.label[i].how & FRAME_PLACE) != 0 && k < f->slot[i].n; k++) {
			struct named found = { .label = (enum label)i };
			bool restated = false, marked = false;
			if (refused || !find_text(r->words, f->slot[i].value[k].text, &found))
				continue;
			for (size_t m = 0; m < r->nmarks; m++) {
				const bool within = r->mark[m].first <= found.first && found.last <= r->mark[m].last;
				restated |= within && is_restated(r, m, f);
				marked |= within && mark_is_place(&r->mark[m]);
			}
			refused = is_refused(r, found.first);
			if (!restated && (refused || (out.label == LABEL__MAX && (new || !marked))))
				out = found;
		}
	return out;
}

/* The label of the only place of a frame; LABEL__MAX: it has none, or several. */
static enum label only_place(const struct frame *f)
{
	enum label only = LABEL__MAX;
	size_t n = 0;

	for (size_t i = 0; i < LABEL__MAX; i++)
		if ((aviation_schema.label[i].how & FRAME_PLACE) != 0 && f->slot[i].n > 0) {
			n += f->slot[i].n;
			only = (enum label)i;
		}
	return n == 1 ? only : LABEL__MAX;
}

static struct str words_of_mark(const struct words *w, const struct mark *m)
{
	const size_t start = w->word[m->first].start;
	return (struct str){ w->text + start, w->word[m->last].end - start };
}

/* How many letters of two words differ, each at its place. */
static size_t differing(struct str x, struct str y)
{
	const size_t both = x.n < y.n ? x.n : y.n;
	size_t n = x.n + y.n - 2 * both;
	for (size_t i = 0; i < both; i++)
		n += tolower((unsigned char)x.p[i]) != tolower((unsigned char)y.p[i]);
	return n;
}

/* The end of the route that is spelled like this: EGBE of "it should read EGBB". */
static enum label similar_end(const struct frame *f, struct str text)
{
	static const enum label ends[] = { LABEL_FROM, LABEL_TO, LABEL_VIA };
	enum { MOST = 2 };
	enum label best = LABEL__MAX;
	size_t least = MOST + 1;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		for (size_t k = 0; k < f->slot[ends[i]].n; k++) {
			const size_t n = differing(str_of(f->slot[ends[i]].value[k].text), text);
			if (n < least) {
				least = n;
				best = ends[i];
			}
		}
	return best;
}

/* "I said Danzig": a common word in small letters is no place. "said" is not Port Said. */
static bool is_everyday(const struct reading *r, const struct evidence *e)
{
	const struct word *w = &r->words->word[e->first];
	return e->first == e->last && !w->title && !w->upper && language_has(w->fold);
}

/* The place that no mark has, outside of these words; NULL: exact knowledge knows none. */
static struct mark *unmarked_place(struct reading *r, const struct named *old)
{
	const struct evidence *best = NULL;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool apart = old->label == LABEL__MAX || e->last < old->first || e->first > old->last;
		if (apart && !is_everyday(r, e) && one_of(e->kind, "place.town|place.name|place.code|place.code_small|place.area") &&
		    !reading_is_marked(r, e->first, e->last) && (best == NULL || e->last - e->first >= best->last - best->first))
			best = e;
	}
	struct mark *m = best != NULL ? reading_mark_at(r, best->first) : NULL;
	if (m != NULL)
		m->last = best->last;
	return m;
}

static bool is_country(const struct mark *m)
{
	return mark_has_label(m, LABEL_COUNTRY);
}

/* "From Cannes to Fairoaks" after "from Fairoaks to Cannes": no place is misunderstood. */
static bool says_only_what_was_said(const struct reading *r, const struct frame *last)
{
	size_t places = 0;
	for (size_t i = 0; i < r->nmarks; i++) {
		if (mark_is_place(&r->mark[i]) && label_before(r, &r->mark[i], last) == LABEL__MAX)
			return false;
		places += mark_is_place(&r->mark[i]);
	}
	return places > 1;
}

static void correct_place(struct reading *r, const struct frame *last)
{
	const struct named old = named_before(r, last);
	const bool same_plan = streq(r->plan[0].plan, last->plan->name), other = r->nmarks > 0;
	size_t places = 0, place = 0, restated = 0;

	if (says_only_what_was_said(r, last))
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		restated += is_restated(r, i, last);
	for (size_t i = r->nmarks; i-- > 0;)
		if (old.label != LABEL__MAX && r->mark[i].first >= old.first && r->mark[i].last <= old.last &&
		    (mark_is_place(&r->mark[i]) || is_country(&r->mark[i])))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) && (restated == 0 || is_new(r, &r->mark[i], last))) {
			places++;
			place = i;
		}
	/* if no place was misunderstood, the marks keep their labels: they say which end is new */
	if (restated > 0 && old.label == LABEL__MAX)
		return;
	enum label label = old.label != LABEL__MAX ? old.label : only_place(last);
	struct mark *m = NULL;
	if (places == 1) {
		m = &r->mark[place];
		if (label == LABEL__MAX)
			label = similar_end(last, words_of_mark(r->words, m));
	} else if (places == 0 && label != LABEL__MAX && (old.label != LABEL__MAX || !other)) {
		m = unmarked_place(r, &old);
	}
	if (m != NULL && label != LABEL__MAX && same_plan)
		mark_set_label(m, label);
	else if (m != NULL && m->label == NULL)
		reading_remove_mark(r, (size_t)(m - r->mark));
}

void reading_amend_corrections(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;

	put_instead(r, before);
	correct(r);
	if (last != NULL && r->nplans == 1 && streq(r->plan[0].kind, "correct"))
		correct_place(r, last);
}
