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
#include "airports/notice_row.h"

/* ---- cells ------------------------------------------------------------------------------ */

static bool is_day_demand(const struct notice_cell *c)
{
	return c->demand && (c->d.kind == NOTICE_BUSINESS_DAY || c->d.kind == NOTICE_DAY_BEFORE);
}

/* "before 1500" is for the nearest demand that names a day, first of all for one before it. */
static void take_clock(struct notice_row *j, const struct notice_item *it, int *pending)
{
	for (size_t i = j->ncells; i-- > 0;)
		if (is_day_demand(&j->cell[i]) && j->cell[i].d.before < 0) {
			j->cell[i].d.before = it->clock;
			j->cell[i].last = it->last;
			return;
		}
	*pending = it->clock;
}

static struct notice_cell *add_cell(struct notice_row *j, const struct notice_item *it, int gap, bool colon)
{
	struct notice_cell *c = &j->cell[j->ncells];

	/* the last one is written again and again, and never read */
	if (j->ncells < NOTICE_CELLS)
		j->ncells++;
	*c = (struct notice_cell){ .gap = gap, .colon = colon, .first = it->first, .last = it->last };
	return c;
}

/* The cell with the days of the run at work, or NULL. */
static struct notice_cell *days_at_work(struct notice_row *j)
{
	for (size_t i = j->ncells; i-- > 0 && !j->cell[i].demand;)
		if (j->cell[i].s.has & NOTICE_HAS_DAYS)
			return &j->cell[i];
	return NULL;
}

/* Does a demand come next, with nothing but words before it? */
static bool demand_inside(const struct notice_item *it)
{
	while (it->kind == NI_WORD || it->kind == NI_AND)
		it++;
	return it->kind == NI_DEMAND;
}

/* "MON-FRI EXC WED", "daily EXC SUN"; but "except HOL: O/R" is a scope of its own. */
static void take_exception(struct notice_row *j, size_t i, int gap, bool colon)
{
	const struct notice_item *it = &j->item[i], *next = it + 1;
	struct notice_cell *days = days_at_work(j), *c;
	bool at_work = j->ncells > 0 && !j->cell[j->ncells - 1].demand;
	bool own = !at_work && j->ncells > 0 && (next->kind == NI_COLON || demand_inside(next) ||
	    (next->kind == NI_OPEN && demand_inside(next + 1)));

	if (own) {
		c = add_cell(j, it, NOTICE_PART, colon);
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
		/* "daily 0500-2100 EXC SUN 0700-1900" */
		if (next->kind == NI_TIMES && at_work && j->cell[j->ncells - 1].s.has & NOTICE_HAS_TIMES) {
			c = add_cell(j, it, NOTICE_PART, false);
			c->s.days = it->days;
			c->s.has = NOTICE_HAS_DAYS;
		}
		return;
	}
	if (it->days.mask == 0)
		return;
	c = add_cell(j, it, at_work ? gap : 0, colon);
	c->s.days.mask = NOTICE_ALL_DAYS & ~it->days.mask;
	c->s.has = NOTICE_HAS_DAYS;
}

static void take_scope(struct notice_row *j, const struct notice_item *it, int gap, bool colon)
{
	struct notice_cell *c = add_cell(j, it, gap, colon);

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

static size_t read_cells(struct notice_row *j, size_t from, size_t end, struct notice_range *detached)
{
	int gap = 0, pending = -1;
	bool colon = false;
	size_t n = 0;

	j->ncells = 0;
	j->condition = j->other_flights = false;
	for (size_t i = from; i < end; i++) {
		const struct notice_item *it = &j->item[i];
		size_t before = j->ncells, close;

		j->condition |= (it->means & NW(CONDITION)) != 0;
		switch (it->kind) {
		case NI_OPEN:
			close = detached != NULL && n < NOTICE_DETACHED ? detached_end(j->item, i, end) : 0;
			if (close > 0) {
				detached[n++] = (struct notice_range){ i + 1, close };
				i = close;
				gap = NOTICE_PART;
			}
			break;
		case NI_COMMA:
			gap = NOTICE_PART;
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
				gap = NOTICE_PART;
			break;
		case NI_EXCEPT:
			take_exception(j, i, gap, colon);
			break;
		case NI_CLOCK:
			take_clock(j, it, &pending);
			break;
		case NI_DEMAND: {
			struct notice_cell *c = add_cell(j, it, gap, colon);
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
				j->other_flights = true;
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

static bool all_weak(const struct notice_row *j, const struct notice_block *b)
{
	for (size_t i = b->cells.from; i < b->cells.end; i++)
		if (!j->cell[i].d.weak)
			return false;
	return true;
}

static bool has_comma(const struct notice_row *j, struct notice_range r)
{
	for (size_t i = r.from + 1; i < r.end; i++)
		if (j->cell[i].gap >= NOTICE_PART)
			return true;
	return false;
}

/* "PN for non-Schengen flights 24 HR": "PN" alone is no demand if a stronger one follows for its scope. */
static bool is_forerunner(const struct notice_row *j, const struct notice_block *b)
{
	struct notice_range next = { b->cells.end, b->cells.end };

	if (!all_weak(j, b) || b->before.from < b->before.end)
		return false;
	while (next.end < j->ncells && !j->cell[next.end].demand)
		next.end++;
	return next.end < j->ncells && !has_comma(j, next);
}

/* "H24, PN 1 HR 2300-0500": the scopes behind are for what stands after the comma. Where that begins, or
 * the end of the block. */
static size_t second_part(const struct notice_row *j, const struct notice_block *b)
{
	size_t part = b->cells.end, run = part;
	bool before = b->before.from < b->before.end && j->cell[b->cells.from].gap < NOTICE_PART;

	for (size_t i = b->cells.from + 1; i < b->cells.end; i++)
		if (j->cell[i].gap >= NOTICE_PART)
			part = i;
	while (run < j->ncells && !j->cell[run].demand)
		run++;
	if (run == b->cells.end || j->cell[b->cells.end].gap >= NOTICE_PART || j->cell[b->cells.end].colon ||
	    (run < j->ncells && j->cell[run].gap < NOTICE_PART))
		return b->cells.end;
	/* "O/R, PN 24 HR MON-FRI" is one demand */
	if (!before && part < b->cells.end && j->cell[part - 1].d.kind == NOTICE_ON_REQUEST)
		return b->cells.end;
	return part;
}

static void read_blocks(struct notice_row *j)
{
	size_t scopes = 0;

	j->nblocks = 0;
	for (size_t i = 0; i < j->ncells;) {
		struct notice_block b = { .cells = { i, i } };

		if (!j->cell[i].demand) {
			i++;
			continue;
		}
		while (i < j->ncells && j->cell[i].demand)
			i++;
		b.cells.end = i;
		b.before = (struct notice_range){ scopes, b.cells.from };
		i = second_part(j, &b);
		if (i < b.cells.end) {
			struct notice_block first = b;
			first.cells.end = i;
			j->block[j->nblocks++] = first;
			b = (struct notice_block){ .cells = { i, b.cells.end }, .before = { i, i } };
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

unsigned notice_kinds_in(const struct notice_row *j, struct notice_range r)
{
	unsigned has = 0;

	for (size_t i = r.from; i < r.end; i++)
		has |= j->cell[i].s.has;
	return has;
}

/* Where the run between two blocks is divided: the first cell of the second block. */
static size_t division(const struct notice_row *j, const struct notice_block *left, const struct notice_block *right)
{
	struct notice_range run = right->before;
	size_t best = run.from;
	int most = -1;
	unsigned has = notice_kinds_in(j, left->before);

	if (run.from == run.end)
		return run.from;
	if (has & j->cell[run.from].s.has)
		return run.from;
	/* "MON-FRI 0700-1500, O/R at other times with PN 24 HR" */
	if (j->cell[run.from].s.has == NOTICE_HAS_OTHER && j->cell[run.from].gap < NOTICE_PART && has & NOTICE_HAS_TIMES &&
	    j->cell[left->cells.from].gap >= NOTICE_PART && !j->cell[left->cells.from].colon)
		return run.from + 1;
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

static void divide_runs(struct notice_row *j)
{
	for (size_t k = 0; k < j->nblocks; k++) {
		struct notice_block *b = &j->block[k];
		size_t end = k + 1 < j->nblocks ? j->block[k + 1].before.end : j->ncells;

		b->behind = (struct notice_range){ b->cells.end, end };
	}
	for (size_t k = 1; k < j->nblocks; k++) {
		struct notice_block *left = &j->block[k - 1], *right = &j->block[k];
		size_t at = division(j, left, right);

		left->behind.end = at;
		right->before.from = at;
	}
}

size_t notice_row_read(struct notice_row *j, const struct notice_item *item, size_t from, size_t end,
    struct notice_range *detached)
{
	size_t n;

	j->item = item;
	n = read_cells(j, from, end, detached);
	read_blocks(j);
	divide_runs(j);
	return n;
}
