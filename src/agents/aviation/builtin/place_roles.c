/*
 * Fourth pass: the role of each place.
 *
 * Prepositions tell it in most sentences. The other places are decided afterwards: two codes side
 * by side are a route, several codes are a list, one place alone is the subject.
 */
#include "agents/aviation/builtin/place_mentions.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

enum { LOOSE = 3 };

static void use(struct reading *r, size_t first, size_t next)
{
	for (size_t i = first; i < next; i++)
		r->item[i].used = true;
}

/* Is there a distance directly before item i? Then "from X" and "of X" name a centre. */
static bool after_distance(const struct reading *r, size_t i)
{
	for (size_t k = 1; k <= 4 && k <= i; k++) {
		const struct item *it = &r->item[i - k];
		if (it->class == LX_NUMBER)
			return it->used && it->value == DIM_DISTANCE;
		if (it->class != LX_UNIT && it->class != LX_DIM && it->class != LX_COMPARE &&
		    it->class != LX_BREAK && it->class != LX_NONE)
			return false;
	}
	return false;
}

static bool centre_free(const struct reading *r)
{
	return r->q->near.text == NULL || r->vague;
}

static bool take(struct reading *r, size_t i, enum belief b, struct place_mention *to, size_t *next)
{
	struct place_mention s;
	if (!place_mention_at(r, i, b, &s, next))
		return false;
	use(r, i, *next);
	*to = s;
	return true;
}

static size_t read_between(struct reading *r, size_t i)
{
	struct query *q = r->q;
	size_t next, end = i + 1;
	struct place_mention a, b;
	if (!place_mention_at(r, i + 1, BELIEF_ANY, &a, &next))
		return end;
	size_t join = next;
	while (item_mark(r, join, "\","))
		join++;
	if (join >= r->n || !(r->item[join].class == LX_AND || item_mark(r, join, "-/") ||
	    item_is(r, join, LX_ROLE, ROLE_TO)))
		return end;
	if (!place_mention_at(r, join + 1, BELIEF_ANY, &b, &end))
		return next;
	use(r, i, end);
	q->from = a;
	q->to = b;
	return end;
}

/* "to X": the destination, and in "X to Y" the place before it is the departure; after "nearest" it
 * is a centre. */
static size_t read_to(struct reading *r, size_t i)
{
	struct query *q = r->q;
	struct place_mention s, before;
	size_t next, first;
	bool departs = place_mention_before(r, i, &before, &first);
	bool start = q->from.text != NULL || departs;
	/* A second route, "EGTF to LFMD, EGKA to LFAT": one at a time. */
	if (departs && q->from.text != NULL && q->to.text != NULL)
		return i + 1;
	if (!place_mention_at(r, i + 1, start || q->nearest ? BELIEF_ANY : BELIEF_NAME, &s, &next))
		return i + 1;
	/* An infinitive: "from Lyon to buy wine", "I would like to know". */
	if (!s.point && !r->x.whispered && !r->x.shouted && s.text[0] >= 'a' && s.text[0] <= 'z' &&
	    !(s.code || (s.known && start)))
		return i + 1;
	if (q->nearest && q->from.text == NULL && q->near.text == NULL) {
		q->near = s;
	} else {
		/* "fuel stop on the way to Cannes": the words before are not a departure */
		if (departs && q->from.text == NULL &&
		    (!q->along || streq(r->item[i].row->phrase, "to"))) {
			use(r, first, i);
			q->from = before;
		}
		q->to = s;
	}
	use(r, i, next);
	return next;
}

static size_t read_role(struct reading *r, size_t i)
{
	struct query *q = r->q;
	size_t next = i + 1;
	struct place_mention s;
	switch ((enum role)r->item[i].value) {
	case ROLE_BETWEEN:
		return read_between(r, i);
	case ROLE_TO:
		return read_to(r, i);
	case ROLE_FROM:
		if (after_distance(r, i)) {
			take(r, i + 1, BELIEF_ANY, &q->near, &next);
			/* "within 20 nm from X to Y" is a route with a corridor */
			if (item_is(r, next, LX_ROLE, ROLE_TO)) {
				q->from = q->near;
				q->near = (struct place_mention){ .text = NULL };
			}
		} else if (q->from.text == NULL) {
			take(r, i + 1, BELIEF_ANY, &q->from, &next);
		}
		return next;
	case ROLE_NEAR:
		q->closest |= starts_with(r->item[i].row->phrase, "nearest") ||
		    starts_with(r->item[i].row->phrase, "closest");
		q->nearest |= starts_with(r->item[i].row->phrase, "near") ||
		    starts_with(r->item[i].row->phrase, "closest");
		/* "in the north of France" is the country, "near Switzerland" a place */
		if (i + 1 < r->n && streq(r->x.tok[r->item[i].last].fold, "of") &&
		    place_mention_at(r, i + 1, BELIEF_ANY, &s, &next) && s.country != NULL)
			return i + 1;
		next = i + 1;
		if (centre_free(r) && take(r, i + 1, BELIEF_ANY, &q->near, &next))
			r->vague = !q->near.known;           /* "near the sea, around Juist" */
		else if (item_is(r, i + 1, LX_CUE, CUE_THERE))
			q->nearest = true;
		return next;
	case ROLE_IN: {
		/* "airports in corsica" names a place, however it is spelt; "in a hurry" does
		 * not */
		bool noun = i > 0 && r->item[i - 1].class == LX_NOUN;
		if (q->near.text != NULL ||
		    !place_mention_at(r, i + 1, noun ? BELIEF_ANY : BELIEF_NAME, &s, &next) || s.country != NULL)
			return i + 1;
		use(r, i + 1, next);
		q->near = s;
		r->vague = true;
		return next;
	}
	case ROLE_AT:
	case ROLE_OF:
	case ROLE_FOR: {
		bool centre = after_distance(r, i);
		if (!take(r, i + 1, centre ? BELIEF_ANY : BELIEF_NAME, &s, &next))
			return next;
		if ((centre || s.point) && centre_free(r)) {
			q->near = s;
			r->vague = false;
		} else if (item_is(r, i, LX_ROLE, ROLE_FOR) && q->to.text == NULL &&
		    (q->from.text != NULL || q->cues & CUE_TRAVEL)) {
			q->to = s;
		} else if (q->subject.text == NULL) {
			q->subject = s;
		}
		return next;
	}
	case ROLE_VIA:
		take(r, i + 1, BELIEF_ANY, &s, &next);
		return next;
	case ROLE_ALONG:
		/* "along the Rhine"; "along EGTF LFMD" is decided with the codes */
		if (q->near.text == NULL && place_mention_at(r, i + 1, BELIEF_NAME, &s, &next) && !s.code &&
		    s.country == NULL && !(next < r->n && r->item[next].class == LX_NONE)) {
			use(r, i + 1, next);
			q->near = s;
			r->vague = true;
			return next;
		}
		return i + 1;
	case ROLE_NONE:
		break;
	}
	return next;
}

/* Are there only dashes, arrows or nothing between items a and b? */
static bool joined(const struct reading *r, size_t a, size_t b)
{
	for (size_t i = a + 1; i < b; i++)
		if (!item_mark(r, i, NULL) || item_mark(r, i, ",;?!."))
			return false;
	return true;
}

/*
 * "Is LFPG a good place to land a Boeing 747?", "what about LFPG for lunch?": a question about the
 * one airport at item i, although words for airports and places follow.
 */
static void single_out(struct reading *r, size_t i)
{
	struct query *q = r->q;
	bool asks = false, about = false;
	if (q->nearest || !isnan(q->distance_nm) || q->near.text != NULL || q->from.text != NULL ||
	    q->to.text != NULL)
		return;
	for (size_t k = 0; k < i; k++) {
		const struct item *it = &r->item[k];
		if (it->class == LX_NOUN && !it->used)
			return;
		asks |= it->class == LX_CUE && (it->value & CUE_ASK) != 0;
		about |= it->class == LX_CUE && (it->value & CUE_ABOUT) != 0;
	}
	if (!asks && !(about && item_is(r, i + 1, LX_ROLE, ROLE_FOR)))
		return;
	for (size_t k = i + 1; k < r->n; k++) {
		if (item_is(r, k, LX_ROLE, ROLE_NEAR))
			return;
		if (r->item[k].class == LX_NOUN)
			r->item[k].used = true;
	}
	q->cues |= CUE_ASPECT;
}

/* Codes that no preposition has given a role. */
static void read_codes(struct reading *r)
{
	struct query *q = r->q;
	size_t at[QUERY_CODES], n = 0;
	bool all_joined = true;
	for (size_t i = 0; i < r->n && n < QUERY_CODES; i++) {
		struct place_mention s;
		size_t next;
		struct item *it = &r->item[i];
		if (it->used || (it->class != LX_PLACE && (it->class != LX_NONE ||
		    item_mark(r, i, NULL) || !place_mention_at(r, i, BELIEF_KNOWN, &s, &next) || !s.code)))
			continue;
		if (it->class != LX_PLACE)
			it->spot = s;
		if (n > 0 && strieq(r->item[at[n - 1]].spot.text, it->spot.text)) {
			it->used = true;              /* the same code twice */
			continue;
		}
		all_joined &= n == 0 || joined(r, at[n - 1], i);
		at[n++] = i;
	}
	if (n == 0)
		return;
	for (size_t k = 0; k < n; k++)
		use(r, at[k], at[k] + 1);
	/* "airport LKPR" asks for no other airport */
	for (size_t i = at[0] > 0 ? at[0] - 1 : 0; n == 1 && !q->nearest && i <= at[0] + 1; i++)
		if (place_mention_noun(r, i))
			use(r, i, i + 1);
	struct place_mention first = r->item[at[0]].spot;
	bool route = q->from.text == NULL && q->to.text == NULL && q->near.text == NULL;
	if (n == 1 && q->from.text != NULL && q->to.text == NULL) {
		q->to = first;
	} else if (n == 1 && q->to.text != NULL && q->from.text == NULL) {
		q->from = first;
	} else if (n == 2 && route && (all_joined || q->along || q->cues & CUE_TRAVEL)) {
		q->from = first;
		q->to = r->item[at[1]].spot;
	} else if (n == 1) {
		/* "LFPG for a Boeing": the code is the airport */
		if (q->subject.text == NULL || (first.code && !q->subject.code && !q->subject.known))
			q->subject = first;
		if (first.code)
			single_out(r, at[0]);
	} else {
		for (size_t k = 0; k < n; k++)
			if (!r->item[at[k]].spot.point)
				q->codes[q->ncodes++] = r->item[at[k]].spot;
		if (q->ncodes == 0)
			q->subject = first;
	}
}

/* Names that no preposition has given a role, if a place is still missing. */
static void read_loose(struct reading *r)
{
	struct query *q = r->q;
	struct place_mention s[LOOSE];
	size_t at[LOOSE], end[LOOSE], n = 0, next;
	bool ends = q->from.text != NULL || q->to.text != NULL;
	if ((q->from.text != NULL && q->to.text != NULL) || q->near.text != NULL ||
	    q->subject.text != NULL || q->ncodes > 0)
		return;
	for (size_t i = 0; i < r->n && n < LOOSE; i++)
		if (!r->item[i].used && r->item[i].class != LX_ROLE && !item_mark(r, i, NULL) &&
		    r->item[i].class != LX_COUNTRY && place_mention_at(r, i, BELIEF_KNOWN, &s[n], &next)) {
			at[n] = i;
			end[n++] = next;
			i = next - 1;
		}
	if (n == 0)
		return;
	if (ends) {
		*(q->from.text == NULL ? &q->from : &q->to) = s[0];
		use(r, at[0], end[0]);
	} else if (n >= 2 && ((joined(r, end[0] - 1, at[1]) && at[1] > end[0]) || q->along ||
	    q->cues & CUE_TRAVEL)) {
		q->from = s[0];
		q->to = s[1];
		use(r, at[0], end[0]);
		use(r, at[1], end[1]);
	} else {
		q->subject = s[0];
		use(r, at[0], end[0]);
	}
}

/* The words after "search for" or "called", or after "find" if nothing else was understood
 * there. */
static void read_name(struct reading *r)
{
	struct query *q = r->q;
	for (size_t i = 0; i < r->n; i++) {
		if (r->item[i].class != LX_CUE ||
		    !(r->item[i].value & (CUE_LOOKUP | CUE_SHOW | CUE_TELL)))
			continue;
		struct place_mention s;
		size_t next, from = i + 1;
		while (from < r->n && (r->item[from].class == LX_FILLER ||
		    item_is(r, from, LX_CUE, CUE_LOOKUP) || r->item[from].class == LX_NOUN))
			from++;
		if (from >= r->n || !place_mention_at(r, from, r->item[i].value == CUE_LOOKUP ? BELIEF_ANY
		        : BELIEF_NAME, &s, &next) || s.country != NULL)
			continue;
		use(r, from, next);
		if (q->subject.text == NULL)
			q->subject = s;
		return;
	}
}

static void read_countries(struct reading *r)
{
	struct query *q = r->q;
	for (size_t i = 0; i < r->n; i++) {
		if (r->item[i].class != LX_COUNTRY || r->item[i].used)
			continue;
		bool adjective = place_mention_adjective(r, i);
		/* "not in Slovakia": there is no filter for this, but a search in Slovakia would be
		 * wrong */
		size_t before = i > 0 && r->item[i - 1].class == LX_ROLE ? i - 1 : i;
		if (before > 0 && r->item[before - 1].class == LX_NOT)
			continue;
		/* "please answer in English" names a language */
		if (adjective && i > 0 && item_is(r, i - 1, LX_ROLE, ROLE_IN) &&
		    !(i + 1 < r->n && (r->item[i + 1].class == LX_NOUN ||
		        r->item[i + 1].class == LX_NONE)))
			continue;
		const struct country *c = country_at((size_t)r->item[i].value);
		if (q->country == NULL) {
			q->country = c;
			q->adjective = adjective;
		} else if (q->other == NULL && c != q->country) {
			q->other = c;
		}
	}
}

static bool all_small(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text >= 'A' && *text <= 'Z')
			return false;
	return true;
}

static bool wants(const struct query *q)
{
	for (int w = 0; w < WISH__MAX; w++)
		if (q->want[w].state != WANT_NOTHING)
			return true;
	return false;
}

/* Decisions that need the whole sentence. */
static void settle(struct reading *r)
{
	struct query *q = r->q;
	const struct place_mention none = { .text = NULL };
	bool route = q->from.text != NULL && q->to.text != NULL;
	/* A country as one end of a route without another end is the country to search. */
	struct place_mention *end = q->from.country != NULL ? &q->from : &q->to;
	if (end->country != NULL && !route) {
		if (q->country == NULL)
			q->country = end->country;
		*end = none;
	}
	/* "What can I reach within 80 nm from Toussus?" */
	if (!route && q->from.text != NULL && q->near.text == NULL && !isnan(q->distance_nm)) {
		q->near = q->from;
		q->from = none;
	}
	/* "close to the channel coast in France": a name that is not known is dropped in favour of
	 * the country */
	if (q->near.text != NULL && !q->near.known && r->con != NULL && q->country != NULL &&
	    all_small(q->near.text))
		q->near = none;
	/* "How long is the runway in EDMA?", "When is sunset in Cannes?" */
	const bool named = q->near.code || (q->near.known && q->near.country == NULL &&
	    (q->cues & CUE_ASPECT) != 0 && !wants(q));
	if (r->vague && named && !route && q->subject.text == NULL && isnan(q->distance_nm) &&
	    !q->noun && (q->cues & (CUE_ASPECT | CUE_ASK | CUE_TELL)) != 0 &&
	    (q->cues & (CUE_SHOW | CUE_WHERE)) == 0) {
		q->subject = q->near;
		q->near = none;
	}
	/* "I learn to fly at Oxford. Which airfields are near it?" is about no single airport. */
	if ((route || q->near.text != NULL) && (q->cues & CUE_NOTIFY) == 0)
		q->subject = none;
	q->vague = r->vague;
	/* "The shortest way to Lyon", "the highest rated restaurant": these do not rank
	 * airports. */
	bool airports = q->noun || (q->cues & CUE_ASPECT) != 0;
	if (q->lack == LACK_RANK && !airports && (q->strange || q->along || q->from.text != NULL ||
	    q->to.text != NULL || q->near.text != NULL || q->subject.text != NULL ||
	    (q->cues & CUE_TRAVEL) != 0))
		q->lack = LACK_NONE;
}

/* Nouns outside names ask for airports; the words that are left tell how much was not
 * understood. */
static void read_rest(struct reading *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct item *it = &r->item[i];
		r->q->noun |= it->class == LX_NOUN && !it->used;
		r->q->strange |= it->class == LX_NONE && !it->used &&
		    r->x.tok[it->first].kind == TOK_WORD;
	}
}

/* Are there words for airports, or only words that may be codes? */
static bool about_flying(const struct reading *r)
{
	bool bare = true;
	for (size_t i = 0; i < r->n; i++) {
		const struct item *it = &r->item[i];
		if (it->class == LX_WISH || it->class == LX_NOUN || it->class == LX_DIM ||
		    (it->class == LX_CUE && (it->value & (CUE_ASPECT | CUE_TELL | CUE_SHOW | CUE_TRAVEL |
		        CUE_LOOKUP | CUE_FOLLOW))))
			return true;
		bare &= it->class == LX_NONE || it->class == LX_PLACE || it->class == LX_AND ||
		    it->class == LX_ROLE || it->class == LX_FILLER;
	}
	return bare;
}

void read_places(struct reading *r)
{
	r->flying = about_flying(r);
	for (size_t i = 0; i < r->n;)
		i = r->item[i].class == LX_ROLE && !r->item[i].used ? read_role(r, i) : i + 1;
	read_codes(r);
	read_loose(r);
	if (r->q->subject.text == NULL && r->q->from.text == NULL && r->q->to.text == NULL &&
	    r->q->near.text == NULL && r->q->ncodes == 0)
		read_name(r);
	read_rest(r);
	read_countries(r);
	settle(r);
}
