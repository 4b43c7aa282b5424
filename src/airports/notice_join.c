/*
 * The blocks of a row become groups. A scope goes on where nothing else is said: the days of opening hours
 * to the next times, Schengen flights through the sentence, and from a heading ("Non-Schengen:") to the
 * sentences below it.
 */
#include "airports/notice_join.h"

#include "airports/notice_row.h"
#include "base/str.h"

struct joining {
	const struct notice_item *item;
	struct notice_group *out;
	size_t n, sentence;
	struct notice_row row;
	/* what goes on from block to block of a sentence, or from a heading */
	struct notice_scope area, heading;
	bool heading_used;            /* the heading stands in a sentence with a demand */
};

/* ---- groups ------------------------------------------------------------------------------ */

static struct notice_group *add_group(struct joining *j)
{
	struct notice_group *g;

	if (j->n == NOTICE_GROUPS)
		return NULL;
	g = &j->out[j->n++];
	*g = (struct notice_group){ .sentence = j->sentence, .condition = j->row.condition, .first = SIZE_MAX };
	return g;
}

static void widen(struct notice_group *g, size_t first, size_t last)
{
	if (first < g->first)
		g->first = first;
	if (last > g->last)
		g->last = last;
}

static bool goes_into(const struct notice_scope *s, const struct notice_cell *c)
{
	const struct notice_scope *piece = &c->s;

	/* "MON-FRI from 0700 to 1100 and from 1300 to 1700, SAT …" */
	if (piece->has == NOTICE_HAS_DAYS && s->inherited & NOTICE_HAS_DAYS && c->gap >= NOTICE_PART)
		return false;
	if (s->has == NOTICE_HAS_AREA || (s->has & s->inherited) == s->has)
		return !(piece->has & s->has & ~s->inherited);
	/* "other days 0800-1200" */
	if (piece->has == NOTICE_HAS_TIMES && s->has == NOTICE_HAS_OTHER && c->gap < NOTICE_PART)
		return true;
	if ((s->has | piece->has) & NOTICE_HAS_OTHER)
		return piece->has == NOTICE_HAS_AREA && !(s->has & NOTICE_HAS_AREA);
	if (!(s->has & piece->has & ~s->inherited))
		return true;
	return piece->has == NOTICE_HAS_DAYS && !(s->has & NOTICE_HAS_TIMES);
}

static void put_into(struct notice_scope *s, const struct notice_scope *piece)
{
	if (piece->has & NOTICE_HAS_DAYS) {
		if (!(s->has & NOTICE_HAS_DAYS) || s->inherited & NOTICE_HAS_DAYS)
			s->days = (struct notice_days){ 0 };
		s->days.mask |= piece->days.mask;
		s->days.holidays |= piece->days.holidays;
	}
	if (piece->has & NOTICE_HAS_TIMES)
		s->times = piece->times;
	if (piece->has & NOTICE_HAS_AREA) {
		s->schengen = piece->schengen;
		s->non_schengen = piece->non_schengen;
	}
	s->has |= piece->has;
	s->inherited &= ~piece->has;
}

/* Add one more piece to the scopes of a group; true: it began a new scope. */
static bool add_piece(struct notice_group *g, const struct notice_cell *c)
{
	struct notice_scope *last = g->nscopes > 0 ? &g->scope[g->nscopes - 1] : NULL, next = { 0 };

	widen(g, c->first, c->last);
	if (last != NULL && goes_into(last, c)) {
		put_into(last, &c->s);
		return false;
	}
	if (g->nscopes == NOTICE_SCOPES)
		return false;
	if (last != NULL) {
		if (c->s.has == NOTICE_HAS_TIMES && last->has & NOTICE_HAS_DAYS)
			next = (struct notice_scope){ .has = NOTICE_HAS_DAYS, .days = last->days };
		if (last->has & NOTICE_HAS_AREA) {
			next.has |= NOTICE_HAS_AREA;
			next.schengen = last->schengen;
			next.non_schengen = last->non_schengen;
		}
		next.inherited = next.has;
	}
	put_into(&next, &c->s);
	g->scope[g->nscopes++] = next;
	return true;
}

/* Give each scope of the group what goes on through the sentence. */
static void inherit(struct joining *j, struct notice_group *g)
{
	if (g->nscopes == 0 && j->area.has != 0)
		g->scope[g->nscopes++] = j->area;
	for (size_t i = 0; i < g->nscopes; i++) {
		struct notice_scope *s = &g->scope[i];

		if (!(s->has & NOTICE_HAS_AREA) && j->area.has != 0) {
			s->has |= NOTICE_HAS_AREA;
			s->inherited |= NOTICE_HAS_AREA;
			s->schengen = j->area.schengen;
			s->non_schengen = j->area.non_schengen;
		}
	}
}

/* "0800-1600 PN 2 HR, 1600-2000 PN 4 HR": the second has the days of the first. */
static void inherit_days(struct notice_group *g, const struct notice_group *before)
{
	const struct notice_scope *b = before->nscopes > 0 ? &before->scope[before->nscopes - 1] : NULL;

	if (b == NULL || !(b->has & NOTICE_HAS_DAYS) || !(b->has & NOTICE_HAS_TIMES) || g->sentence != before->sentence)
		return;
	for (size_t i = 0; i < g->nscopes; i++) {
		struct notice_scope *s = &g->scope[i];

		if (!(s->has & NOTICE_HAS_TIMES) || s->has & (NOTICE_HAS_DAYS | NOTICE_HAS_OTHER))
			continue;
		s->days = b->days;
		s->has |= NOTICE_HAS_DAYS;
		s->inherited |= NOTICE_HAS_DAYS;
	}
}

/* "0700-1800: PN 2 HR for Schengen flights, PN 6 HR for non-Schengen flights": the second has the days and times
 * of the first. */
static void inherit_before_areas(struct notice_group *g, const struct notice_group *before)
{
	const struct notice_scope *b = before->nscopes == 1 ? &before->scope[0] : NULL;

	if (b == NULL || !(b->has & ~b->inherited & NOTICE_HAS_AREA) || !(b->has & (NOTICE_HAS_DAYS | NOTICE_HAS_TIMES)) ||
	    g->sentence != before->sentence || before->nvalues == 0)
		return;
	for (size_t i = 0; i < g->nscopes; i++) {
		struct notice_scope *s = &g->scope[i];

		if (s->has != NOTICE_HAS_AREA || s->inherited || s->schengen == b->schengen)
			continue;
		s->days = b->days;
		s->times = b->times;
		s->has |= b->has & (NOTICE_HAS_DAYS | NOTICE_HAS_TIMES);
		s->inherited = s->has & ~(unsigned)NOTICE_HAS_AREA;
	}
}

/* Do the flights stand behind the demand, and its days and times before it? */
static bool area_behind(const struct joining *j, const struct notice_block *b)
{
	return notice_kinds_in(&j->row, b->behind) == NOTICE_HAS_AREA && !(notice_kinds_in(&j->row, b->before) & NOTICE_HAS_AREA);
}

/* "MON-FRI 0900-1700, or by arrangement": the demand is for other times. */
static bool or_else(const struct joining *j, const struct notice_block *b)
{
	const struct notice_cell *at = &j->row.cell[b->cells.from];

	return at->and && at->d.kind == NOTICE_ON_REQUEST && !at->d.weak && notice_kinds_in(&j->row, b->before) & NOTICE_HAS_TIMES;
}

/* "MON-FRI 0700-1900, closed SUN": the block has its own days behind it, those before it are apart. */
static bool apart(const struct joining *j, const struct notice_block *b)
{
	const struct notice_cell *at = &j->row.cell[b->cells.from], *behind = &j->row.cell[b->behind.from];

	/* "MON-FRI 0700-1500, O/R at other times" */
	if (b->behind.from < b->behind.end && at->gap >= NOTICE_PART && !at->colon && behind->gap < NOTICE_PART &&
	    behind->s.has == NOTICE_HAS_OTHER && notice_kinds_in(&j->row, b->before) & NOTICE_HAS_TIMES)
		return true;
	return b->behind.from < b->behind.end && at->gap >= NOTICE_PART && !at->colon && behind->gap < NOTICE_PART &&
	    behind->s.has & NOTICE_HAS_DAYS && notice_kinds_in(&j->row, b->before) & NOTICE_HAS_DAYS &&
	    notice_kinds_in(&j->row, b->before) & NOTICE_HAS_TIMES;
}

/* The scopes before a block; opening hours of their own among them become a group without a demand. */
static void take_before(struct joining *j, struct notice_group *g, const struct notice_block *b)
{
	struct notice_group all = { .nscopes = 0, .first = SIZE_MAX };
	const struct notice_cell *at = &j->row.cell[b->cells.from];
	int gap[NOTICE_SCOPES] = { 0 };
	size_t own = 0;

	for (size_t i = b->before.from; i < b->before.end; i++) {
		if (add_piece(&all, &j->row.cell[i]))
			gap[all.nscopes - 1] = j->row.cell[i].gap;
		if (j->row.cell[i].s.has & NOTICE_HAS_AREA) {
			j->area = j->row.cell[i].s;
			if (i + 1 < j->row.ncells && j->row.cell[i + 1].colon)
				j->heading = j->area;
			else
				j->heading = (struct notice_scope){ 0 };
		}
	}
	for (size_t i = 1; i < all.nscopes; i++) {
		bool other = all.scope[i].has & NOTICE_HAS_OTHER, same_days = all.scope[i].inherited & NOTICE_HAS_DAYS;

		/* "MON-THU 0800-1600, FRI 0800-1300 O/R" is one list */
		bool list = all.scope[i].has == all.scope[i - 1].has && at->d.kind != NOTICE_NOT_AVAILABLE;

		/* "MON-FRI 0800-1600 and on other days PN 24 HR" */
		bool hours = all.scope[i - 1].has & NOTICE_HAS_TIMES && !at->colon;

		if (other ? gap[i] != 1 || hours : gap[i] >= NOTICE_PART && i + 1 == all.nscopes && at->gap == 0 && !at->colon &&
		    !same_days && !list)
			own = i;
	}
	if (apart(j, b) || or_else(j, b))
		own = all.nscopes;
	if (own > 0) {
		struct notice_group opening = *g;

		opening.nscopes = own;
		for (size_t i = 0; i < own; i++)
			opening.scope[i] = all.scope[i];
		widen(&opening, all.first, all.last);
		inherit(j, &opening);
		*g = opening;
		g = add_group(j);
		if (g == NULL)
			return;
	}
	if (or_else(j, b))
		g->scope[g->nscopes++] = (struct notice_scope){ .has = NOTICE_HAS_OTHER };
	for (size_t i = own; i < all.nscopes; i++)
		g->scope[g->nscopes++] = all.scope[i];
	if (all.nscopes > 0)
		widen(g, all.first, all.last);
}

/* The scopes behind a block: what the block has already begins a group of its own. */
static void take_behind(struct joining *j, struct notice_group *g, const struct notice_block *b)
{
	unsigned has = 0;
	struct notice_group *own = NULL;

	for (size_t i = 0; i < g->nscopes; i++)
		has |= g->scope[i].has & ~g->scope[i].inherited;
	for (size_t i = b->behind.from; i < b->behind.end; i++) {
		const struct notice_cell *c = &j->row.cell[i];

		if (own == NULL && c->s.has & has && (c->s.has & (NOTICE_HAS_DAYS | NOTICE_HAS_TIMES)))
			own = add_group(j);
		/* "closed WED, other days 0800-1200" */
		if (own == NULL && i > b->behind.from && c->gap >= NOTICE_PART && c->s.has == NOTICE_HAS_OTHER)
			own = add_group(j);
		if (own != NULL)
			add_piece(own, c);
		else
			add_piece(g, c);
	}
	if (own != NULL)
		inherit(j, own);
}

static bool is_period(const struct notice_demand *d)
{
	return (d->kind == NOTICE_HOURS && d->hours > 0) || d->kind == NOTICE_BUSINESS_DAY ||
	    d->kind == NOTICE_DAY_BEFORE;
}

/* "O/R MON-FRI, PN 24 HR": the number says more about the same. */
static bool completes(const struct joining *j, const struct notice_block *left, const struct notice_block *right)
{
	const struct notice_demand *l = &j->row.cell[left->cells.end - 1].d, *r = &j->row.cell[right->cells.from].d;

	return right->before.from == right->before.end && right->behind.from == right->behind.end &&
	    !is_period(l) && l->kind != NOTICE_NOT_AVAILABLE && l->kind != NOTICE_HOURS && is_period(r) &&
	    streq(l->about != NULL ? l->about : "", r->about != NULL ? r->about : "");
}

static void take_values(struct joining *j, struct notice_group *g, const struct notice_block *b)
{
	for (size_t i = b->cells.from; i < b->cells.end && g->nvalues < NOTICE_VALUES; i++) {
		g->value[g->nvalues++] = j->row.cell[i].d;
		widen(g, j->row.cell[i].first, j->row.cell[i].last);
	}
}

static void blocks_to_groups(struct joining *j)
{
	for (size_t k = 0; k < j->row.nblocks; k++) {
		const struct notice_block *b = &j->row.block[k];
		size_t before = j->n;
		struct notice_group *g = add_group(j);

		if (g == NULL)
			return;
		take_before(j, g, b);
		g = &j->out[j->n - 1];
		take_values(j, g, b);
		size_t at = j->n - 1;
		take_behind(j, g, b);
		while (k + 1 < j->row.nblocks && completes(j, b, &j->row.block[k + 1]))
			take_values(j, g, &j->row.block[++k]);
		inherit(j, g);
		if (before > 0)
			inherit_days(&j->out[at], &j->out[before - 1]);
		if (before > 0 && k > 0 && area_behind(j, b) && area_behind(j, &j->row.block[k - 1]))
			inherit_before_areas(&j->out[at], &j->out[before - 1]);
	}
}

/* Scopes without a demand: opening hours, or "non-Schengen flights only". */
static void opening_hours(struct joining *j, size_t from, size_t end)
{
	struct notice_group *g = j->row.ncells > 0 ? add_group(j) : NULL;

	if (g == NULL)
		return;
	for (size_t i = 0; i < j->row.ncells; i++) {
		add_piece(g, &j->row.cell[i]);
		if (j->row.cell[i].s.has & NOTICE_HAS_AREA) {
			bool heads = i + 1 < j->row.ncells ? j->row.cell[i + 1].colon
			    : j->item[end - 1].kind == NI_COLON;
			j->heading = heads ? j->row.cell[i].s : (struct notice_scope){ 0 };
			j->area = j->row.cell[i].s;
		}
	}
	for (size_t i = from; i < end; i++) {
		g->spread |= (j->item[i].means & NW(ONLY)) != 0;
		g->present |= (j->item[i].means & NW(PRESENT)) != 0;
	}
	g->spread &= g->nscopes == 1 && g->scope[0].has == NOTICE_HAS_AREA;
	/* "Only for flights within Schengen. PN 2 HR" */
	if (g->spread && j->n == 1)
		j->heading = g->scope[0];
	inherit(j, g);
}

/* The scope around parentheses: that of the group before them. */
static struct notice_scope around(const struct joining *j, size_t first_group, size_t token)
{
	struct notice_scope s = { 0 };

	for (size_t k = first_group; k < j->n; k++)
		if (j->out[k].first < token && j->out[k].nscopes > 0)
			s = j->out[k].scope[j->out[k].nscopes - 1];
	return s;
}

static void sentence(struct joining *j, size_t from, size_t end, struct notice_range *detached, size_t *ndetached)
{
	*ndetached = notice_row_read(&j->row, j->item, from, end, detached);
	if (j->row.other_flights)
		j->heading = j->area = (struct notice_scope){ 0 };
	if (j->row.nblocks > 0)
		blocks_to_groups(j);
	else
		opening_hours(j, from, end);
}

static void detached_sentence(struct joining *j, struct notice_range r, size_t first_group)
{
	struct notice_scope outer = around(j, first_group, j->item[r.from].first);
	size_t before = j->n, none;

	sentence(j, r.from, r.end, NULL, &none);
	for (size_t k = before; k < j->n; k++) {
		struct notice_group *g = &j->out[k];

		for (size_t i = 0; i < g->nscopes; i++) {
			struct notice_scope *s = &g->scope[i], mine = *s;

			if (s->has & NOTICE_HAS_OTHER)
				continue;
			*s = outer;
			s->inherited = s->has;
			put_into(s, &mine);
		}
	}
}

/* Does the sentence begin with "Customs:" or "Police:"? */
static bool names_service(const struct notice_item *it)
{
	bool service = false;

	for (; it->kind == NI_WORD || it->kind == NI_AND; it++)
		service |= (it->means & (NW(CUSTOMS) | NW(IMMIGRATION))) != 0;
	return service && it->kind == NI_COLON;
}

size_t notice_join(struct notice_group *out, const struct notice_item *item, size_t n)
{
	struct joining j = { .item = item, .out = out };
	struct notice_range detached[NOTICE_DETACHED];
	size_t ndetached;
	bool semicolon = false;

	for (size_t i = 0; i < n;) {
		const struct notice_scope old = j.heading;
		size_t end = i, before = j.n;

		while (end < n && item[end].kind != NI_STOP)
			end++;
		/* "Police (non-Schengen): PN 6 HR. Customs: PN 2 HR" */
		if (j.heading_used && end > i && names_service(&item[i]))
			j.heading = (struct notice_scope){ 0 };
		/* "Non-Schengen MON-FRI PN 24 HR; SAT-SUN PN 72 HR" */
		if (!(semicolon && (item[i].kind == NI_DAYS || item[i].kind == NI_TIMES)))
			j.area = j.heading;
		semicolon = end < n && item[end].semicolon;
		if (end > i) {
			sentence(&j, i, end, detached, &ndetached);
			for (size_t k = 0; k < ndetached; k++)
				detached_sentence(&j, detached[k], before);
			if (j.heading.has != old.has || j.heading.schengen != old.schengen)
				j.heading_used = j.row.nblocks > 0;
		}
		j.sentence++;
		i = end + 1;
	}
	return j.n;
}
