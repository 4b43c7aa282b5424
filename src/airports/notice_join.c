/*
 * A sentence is a row of scopes (days, times of day, Schengen) and demands (a number of hours, "on
 * request", "H24" …). Every demand belongs to the scopes around it: "MON-FRI: PN 12 HR, SAT-SUN: PN 24 HR"
 * and "PN 12 HR MON-FRI, 24 HR SAT-SUN" say the same.
 *
 *   sentence  = run block run block … run
 *   block     = demands with no scope between them: "O/R with PN 24 HR"
 *   run       = scopes between two blocks, which are divided among them
 *
 * A run is divided where the strongest mark stands: a comma parts more than "and", and that more than
 * nothing. Scopes before a colon are for what follows. If the marks do not tell, a block that has its
 * scopes before it has none behind it.
 *
 * Scopes before a comma, with another scope directly at the demand, are opening hours of their own:
 * "0800-1800, outside PN 24 HR". They become a group without a demand.
 */
#include "airports/notice_join.h"

#include <math.h>

#include "base/str.h"

enum { CELLS = 96, DETACHED = 8, PART = 2 };

struct cell {
	bool demand;
	struct notice_demand d;
	struct notice_scope s;        /* one piece of a scope */
	int gap;                      /* to the cell before: 0 nothing, 1 "and", PART a comma */
	bool colon;                   /* a colon stands before it */
	bool and;                     /* "and", "or" stands directly before it */
	size_t first, last;           /* tokens */
};

struct range {
	size_t from, end;
};

struct block {
	struct range cells;           /* its demands */
	struct range before, behind;  /* its scopes */
};

struct joining {
	const struct notice_item *item;
	struct notice_group *out;
	size_t n, sentence;
	struct cell cell[CELLS + 1];
	size_t ncells;
	struct block block[CELLS];
	size_t nblocks;
	/* what goes on from block to block of a sentence, or from a heading ("Non-Schengen:") */
	struct notice_scope area, heading;
	bool condition;
};

/* ---- cells ------------------------------------------------------------------------------ */

static bool is_day_demand(const struct cell *c)
{
	return c->demand && (c->d.kind == NOTICE_BUSINESS_DAY || c->d.kind == NOTICE_DAY_BEFORE);
}

/* "before 1500" is for the nearest demand that names a day, first of all for one before it. */
static void take_clock(struct joining *j, const struct notice_item *it, int *pending)
{
	for (size_t i = j->ncells; i-- > 0;)
		if (is_day_demand(&j->cell[i]) && j->cell[i].d.before < 0) {
			j->cell[i].d.before = it->clock;
			j->cell[i].last = it->last;
			return;
		}
	if (it->first < it->last)
		*pending = it->clock;
}

static struct cell *add_cell(struct joining *j, const struct notice_item *it, int gap, bool colon)
{
	struct cell *c = &j->cell[j->ncells];

	/* the last one is written again and again, and never read */
	if (j->ncells < CELLS)
		j->ncells++;
	*c = (struct cell){ .gap = gap, .colon = colon, .first = it->first, .last = it->last };
	return c;
}

/* The cell with the days of the run at work, or NULL. */
static struct cell *days_at_work(struct joining *j)
{
	for (size_t i = j->ncells; i-- > 0 && !j->cell[i].demand;)
		if (j->cell[i].s.has & NOTICE_HAS_DAYS)
			return &j->cell[i];
	return NULL;
}

/* Do these parentheses hold a demand? */
static bool demand_inside(const struct notice_item *it)
{
	while (it->kind == NI_WORD || it->kind == NI_AND)
		it++;
	return it->kind == NI_DEMAND;
}

/* "MON-FRI EXC WED", "daily EXC SUN"; but "except HOL: O/R" is a scope of its own. */
static void take_exception(struct joining *j, size_t i, int gap, bool colon)
{
	const struct notice_item *it = &j->item[i], *next = it + 1;
	struct cell *days = days_at_work(j), *c;
	bool at_work = j->ncells > 0 && !j->cell[j->ncells - 1].demand;
	bool own = !at_work && j->ncells > 0 && (next->kind == NI_DEMAND || next->kind == NI_COLON ||
	    (next->kind == NI_OPEN && demand_inside(next + 1)));

	if (own) {
		c = add_cell(j, it, PART, colon);
		c->s.days = it->days;
		c->s.has = NOTICE_HAS_DAYS;
		return;
	}
	if (days == NULL && !at_work)
		for (size_t k = j->ncells; k-- > 0 && days == NULL;)
			if (j->cell[k].s.has & NOTICE_HAS_DAYS)
				days = &j->cell[k];
	if (days != NULL) {
		days->s.days.mask &= ~it->days.mask;
		days->last = days->last > it->last ? days->last : it->last;
		return;
	}
	if (it->days.mask == 0)
		return;
	c = add_cell(j, it, at_work ? gap : 0, colon);
	c->s.days.mask = NOTICE_ALL_DAYS & ~it->days.mask;
	c->s.has = NOTICE_HAS_DAYS;
}

static void take_scope(struct joining *j, const struct notice_item *it, int gap, bool colon)
{
	struct cell *c = add_cell(j, it, gap, colon);

	c->s.days = it->days;
	c->s.times = it->times;
	c->s.schengen = it->schengen;
	c->s.non_schengen = it->non_schengen;
	c->s.has = it->kind == NI_DAYS ? NOTICE_HAS_DAYS : it->kind == NI_TIMES ? NOTICE_HAS_TIMES
	    : it->kind == NI_AREA ? NOTICE_HAS_AREA : NOTICE_HAS_OTHER;
}

/* The end of a pair of parentheses with a demand and a scope of its own, which is read by itself: "PN 12
 * HR (24 HR SAT, SUN)"; 0 for others. */
static size_t detached_end(const struct notice_item *item, size_t i, size_t end)
{
	bool demand = false, scope = false;

	for (i++; i < end && item[i].kind != NI_OPEN; i++) {
		if (item[i].kind == NI_CLOSE)
			return demand && scope ? i : 0;
		demand |= item[i].kind == NI_DEMAND;
		scope |= item[i].kind == NI_DAYS || item[i].kind == NI_TIMES || item[i].kind == NI_AREA ||
		    item[i].kind == NI_OTHER;
	}
	return 0;
}

static size_t read_cells(struct joining *j, size_t from, size_t end, struct range *detached)
{
	int gap = 0, pending = -1;
	bool colon = false;
	size_t n = 0;

	j->ncells = 0;
	j->condition = false;
	for (size_t i = from; i < end; i++) {
		const struct notice_item *it = &j->item[i];
		size_t before = j->ncells, close;

		j->condition |= (it->means & NW(CONDITION)) != 0;
		switch (it->kind) {
		case NI_OPEN:
			close = detached != NULL && n < DETACHED ? detached_end(j->item, i, end) : 0;
			if (close > 0) {
				detached[n++] = (struct range){ i + 1, close };
				i = close;
				gap = PART;
			}
			break;
		case NI_COMMA:
			gap = PART;
			break;
		case NI_AND:
			gap = gap > 1 ? gap : 1;
			break;
		case NI_COLON:
			colon = true;
			break;
		case NI_WORD:
			/* "but", "whereas" */
			if (it->means & NW(BUT))
				gap = PART;
			break;
		case NI_EXCEPT:
			take_exception(j, i, gap, colon);
			break;
		case NI_CLOCK:
			take_clock(j, it, &pending);
			break;
		case NI_DEMAND: {
			struct cell *c = add_cell(j, it, gap, colon);
			c->demand = true;
			c->and = i > from && j->item[i - 1].kind == NI_AND;
			c->d = it->demand;
			if (is_day_demand(c) && pending >= 0) {
				c->d.before = pending;
				pending = -1;
			}
			break;
		}
		case NI_DAYS:
		case NI_TIMES:
		case NI_AREA:
		case NI_OTHER:
			take_scope(j, it, gap, colon);
			/* "other flights" are not those of the heading */
			if (it->kind == NI_OTHER && it->means & NW(SUBJECT))
				j->heading = j->area = (struct notice_scope){ 0 };
			break;
		case NI_CLOSE:
		case NI_STOP:
			break;
		}
		if (j->ncells > before) {
			gap = 0;
			colon = false;
		}
	}
	return n;
}

/* ---- blocks ------------------------------------------------------------------------------ */

static bool all_weak(const struct joining *j, const struct block *b)
{
	for (size_t i = b->cells.from; i < b->cells.end; i++)
		if (!j->cell[i].d.weak)
			return false;
	return true;
}

static bool has_comma(const struct joining *j, struct range r)
{
	for (size_t i = r.from + 1; i < r.end; i++)
		if (j->cell[i].gap >= PART)
			return true;
	return false;
}

/* "PN for non-Schengen flights 24 HR": "PN" alone is no demand if a stronger one follows for its scope. */
static bool is_forerunner(const struct joining *j, const struct block *b)
{
	struct range next = { b->cells.end, b->cells.end };

	if (!all_weak(j, b) || b->before.from < b->before.end)
		return false;
	while (next.end < j->ncells && !j->cell[next.end].demand)
		next.end++;
	return next.end < j->ncells && !has_comma(j, next);
}

/* "H24, PN 1 HR 2300-0500": the scopes behind are for what stands after the comma. Where that begins, or
 * the end of the block. */
static size_t second_part(const struct joining *j, const struct block *b)
{
	size_t part = b->cells.end, run = part;
	bool before = b->before.from < b->before.end && j->cell[b->cells.from].gap < PART;

	for (size_t i = b->cells.from + 1; i < b->cells.end; i++)
		if (j->cell[i].gap >= PART)
			part = i;
	while (run < j->ncells && !j->cell[run].demand)
		run++;
	if (run == b->cells.end || j->cell[b->cells.end].gap >= PART || j->cell[b->cells.end].colon ||
	    (run < j->ncells && j->cell[run].gap < PART))
		return b->cells.end;
	/* "O/R, PN 24 HR MON-FRI" is one demand */
	if (!before && part < b->cells.end && j->cell[part - 1].d.kind == NOTICE_ON_REQUEST)
		return b->cells.end;
	return part;
}

static void read_blocks(struct joining *j)
{
	size_t scopes = 0;

	j->nblocks = 0;
	for (size_t i = 0; i < j->ncells;) {
		struct block b = { .cells = { i, i } };

		if (!j->cell[i].demand) {
			i++;
			continue;
		}
		while (i < j->ncells && j->cell[i].demand)
			i++;
		b.cells.end = i;
		b.before = (struct range){ scopes, b.cells.from };
		i = second_part(j, &b);
		if (i < b.cells.end) {
			struct block first = b;
			first.cells.end = i;
			j->block[j->nblocks++] = first;
			b = (struct block){ .cells = { i, b.cells.end }, .before = { i, i } };
			i = b.cells.end;
		}
		if (is_forerunner(j, &b)) {
			scopes = i;
			continue;
		}
		j->block[j->nblocks++] = b;
		scopes = i;
	}
}

static unsigned kinds_in(const struct joining *j, struct range r)
{
	unsigned has = 0;

	for (size_t i = r.from; i < r.end; i++)
		has |= j->cell[i].s.has;
	return has;
}

/* Where the run between two blocks is divided: the first cell of the second block. */
static size_t division(const struct joining *j, const struct block *left, const struct block *right)
{
	struct range run = right->before;
	size_t best = run.from;
	int most = -1;
	unsigned has = kinds_in(j, left->before);

	if (run.from == run.end)
		return run.from;
	if (has & j->cell[run.from].s.has)
		return run.from;
	for (size_t p = run.from; p <= run.end; p++) {
		int gap = j->cell[p].gap + (j->cell[p].colon ? -1 : 0);

		if (p == run.end && j->cell[p].colon)
			break;
		/* a tie goes to the block on the right if the left one has its scopes before it */
		if (gap > most || (gap == most && has == 0 && right + 1 == j->block + j->nblocks &&
		    right->behind.from < right->behind.end)) {
			most = gap;
			best = p;
		}
	}
	return best;
}

static void divide_runs(struct joining *j)
{
	for (size_t k = 0; k < j->nblocks; k++) {
		struct block *b = &j->block[k];
		size_t end = k + 1 < j->nblocks ? j->block[k + 1].before.end : j->ncells;

		b->behind = (struct range){ b->cells.end, end };
	}
	for (size_t k = 1; k < j->nblocks; k++) {
		struct block *left = &j->block[k - 1], *right = &j->block[k];
		size_t at = division(j, left, right);

		left->behind.end = at;
		right->before.from = at;
	}
}

/* ---- groups ------------------------------------------------------------------------------ */

static struct notice_group *add_group(struct joining *j)
{
	struct notice_group *g;

	if (j->n == NOTICE_GROUPS)
		return NULL;
	g = &j->out[j->n++];
	*g = (struct notice_group){ .sentence = j->sentence, .condition = j->condition, .first = SIZE_MAX };
	return g;
}

static void widen(struct notice_group *g, size_t first, size_t last)
{
	if (first < g->first)
		g->first = first;
	if (last > g->last)
		g->last = last;
}

static bool goes_into(const struct notice_scope *s, const struct cell *c)
{
	const struct notice_scope *piece = &c->s;

	/* "MON-FRI from 0700 to 1100 and from 1300 to 1700, SAT …" */
	if (piece->has == NOTICE_HAS_DAYS && s->inherited & NOTICE_HAS_DAYS && c->gap >= PART)
		return false;
	if (s->has == NOTICE_HAS_AREA || (s->has & s->inherited) == s->has)
		return !(piece->has & s->has & ~s->inherited);
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
static bool add_piece(struct notice_group *g, const struct cell *c)
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

/* "MON-FRI 0900-1700, or by arrangement": the demand is for other times. */
static bool or_else(const struct joining *j, const struct block *b)
{
	const struct cell *at = &j->cell[b->cells.from];

	return at->and && at->d.kind == NOTICE_ON_REQUEST && !at->d.weak && kinds_in(j, b->before) & NOTICE_HAS_TIMES;
}

/* "MON-FRI 0700-1900, closed SUN": the block has its own days behind it, those before it are apart. */
static bool apart(const struct joining *j, const struct block *b)
{
	const struct cell *at = &j->cell[b->cells.from], *behind = &j->cell[b->behind.from];

	return b->behind.from < b->behind.end && at->gap >= PART && !at->colon && behind->gap < PART &&
	    behind->s.has & NOTICE_HAS_DAYS && kinds_in(j, b->before) & NOTICE_HAS_DAYS &&
	    kinds_in(j, b->before) & NOTICE_HAS_TIMES;
}

/* The scopes before a block; opening hours of their own among them become a group without a demand. */
static void take_before(struct joining *j, struct notice_group *g, const struct block *b)
{
	struct notice_group all = { .nscopes = 0, .first = SIZE_MAX };
	const struct cell *at = &j->cell[b->cells.from];
	int gap[NOTICE_SCOPES] = { 0 };
	size_t own = 0;

	for (size_t i = b->before.from; i < b->before.end; i++) {
		if (add_piece(&all, &j->cell[i]))
			gap[all.nscopes - 1] = j->cell[i].gap;
		if (j->cell[i].s.has & NOTICE_HAS_AREA) {
			j->area = j->cell[i].s;
			if (i + 1 < j->ncells && j->cell[i + 1].colon)
				j->heading = j->area;
			else
				j->heading = (struct notice_scope){ 0 };
		}
	}
	for (size_t i = 1; i < all.nscopes; i++) {
		bool other = all.scope[i].has & NOTICE_HAS_OTHER, same_days = all.scope[i].inherited & NOTICE_HAS_DAYS;

		/* "MON-THU 0800-1600, FRI 0800-1300 O/R" is one list */
		bool list = all.scope[i].has == all.scope[i - 1].has && at->d.kind != NOTICE_NOT_AVAILABLE;

		if (other ? gap[i] != 1 : gap[i] >= PART && i + 1 == all.nscopes && at->gap == 0 && !at->colon &&
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
static void take_behind(struct joining *j, struct notice_group *g, const struct block *b)
{
	unsigned has = 0;
	struct notice_group *own = NULL;

	for (size_t i = 0; i < g->nscopes; i++)
		has |= g->scope[i].has & ~g->scope[i].inherited;
	for (size_t i = b->behind.from; i < b->behind.end; i++) {
		const struct cell *c = &j->cell[i];

		if (own == NULL && c->s.has & has && (c->s.has & (NOTICE_HAS_DAYS | NOTICE_HAS_TIMES)))
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
static bool completes(const struct joining *j, const struct block *left, const struct block *right)
{
	const struct notice_demand *l = &j->cell[left->cells.end - 1].d, *r = &j->cell[right->cells.from].d;

	return right->before.from == right->before.end && right->behind.from == right->behind.end &&
	    !is_period(l) && l->kind != NOTICE_NOT_AVAILABLE && l->kind != NOTICE_HOURS && is_period(r) &&
	    streq(l->about != NULL ? l->about : "", r->about != NULL ? r->about : "");
}

static void take_values(struct joining *j, struct notice_group *g, const struct block *b)
{
	for (size_t i = b->cells.from; i < b->cells.end && g->nvalues < NOTICE_VALUES; i++) {
		g->value[g->nvalues++] = j->cell[i].d;
		widen(g, j->cell[i].first, j->cell[i].last);
	}
}

static void blocks_to_groups(struct joining *j)
{
	for (size_t k = 0; k < j->nblocks; k++) {
		const struct block *b = &j->block[k];
		size_t before = j->n;
		struct notice_group *g = add_group(j);

		if (g == NULL)
			return;
		take_before(j, g, b);
		g = &j->out[j->n - 1];
		take_values(j, g, b);
		size_t at = j->n - 1;
		take_behind(j, g, b);
		while (k + 1 < j->nblocks && completes(j, b, &j->block[k + 1]))
			take_values(j, g, &j->block[++k]);
		inherit(j, g);
		if (before > 0)
			inherit_days(&j->out[at], &j->out[before - 1]);
	}
}

/* Scopes without a demand: opening hours, or "non-Schengen flights only". */
static void opening_hours(struct joining *j, size_t from, size_t end)
{
	struct notice_group *g = j->ncells > 0 ? add_group(j) : NULL;

	if (g == NULL)
		return;
	for (size_t i = 0; i < j->ncells; i++) {
		add_piece(g, &j->cell[i]);
		if (j->cell[i].s.has & NOTICE_HAS_AREA) {
			bool heads = i + 1 < j->ncells ? j->cell[i + 1].colon
			    : j->item[end - 1].kind == NI_COLON;
			j->heading = heads ? j->cell[i].s : (struct notice_scope){ 0 };
			j->area = j->cell[i].s;
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

static void sentence(struct joining *j, size_t from, size_t end, struct range *detached, size_t *ndetached)
{
	*ndetached = read_cells(j, from, end, detached);
	read_blocks(j);
	divide_runs(j);
	if (j->nblocks > 0)
		blocks_to_groups(j);
	else
		opening_hours(j, from, end);
}

static void detached_sentence(struct joining *j, struct range r, size_t first_group)
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

size_t notice_join(struct notice_group *out, const struct notice_item *item, size_t n)
{
	struct joining j = { .item = item, .out = out };
	struct range detached[DETACHED];
	size_t ndetached;
	bool semicolon = false;

	for (size_t i = 0; i < n;) {
		size_t end = i, before = j.n;

		while (end < n && item[end].kind != NI_STOP)
			end++;
		/* "Non-Schengen MON-FRI PN 24 HR; SAT-SUN PN 72 HR" */
		if (!(semicolon && (item[i].kind == NI_DAYS || item[i].kind == NI_TIMES)))
			j.area = j.heading;
		semicolon = end < n && item[end].semicolon;
		if (end > i) {
			sentence(&j, i, end, detached, &ndetached);
			for (size_t k = 0; k < ndetached; k++)
				detached_sentence(&j, detached[k], before);
		}
		j.sentence++;
		i = end + 1;
	}
	return j.n;
}
