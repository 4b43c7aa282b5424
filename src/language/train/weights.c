/*
 * A hash table of rows. What grows is copied to new memory of the arena, twice as large, so less than half of it
 * is lost.
 */
#include "language/train/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { SLOTS = 1024, ROWS = 1024, CELLS = 2 };

void weights_init(struct weights *w, struct arena *a)
{
	*w = (struct weights){ .mem = a, .nslots = SLOTS, .slot = arena_array(a, SLOTS, sizeof(*w->slot)) };
}

/* Room for twice as many elements, or for the first ones. */
static void *grown(struct arena *a, const void *p, size_t n, size_t room, size_t size)
{
	void *q = arena_array(a, room, size);
	if (n > 0)
		memcpy(q, p, n * size);
	return q;
}

static uint32_t *slot_of(const struct weights *w, uint64_t feature)
{
	size_t i = (size_t)feature & (w->nslots - 1);
	while (w->slot[i] != 0 && w->row[w->slot[i] - 1].feature != feature)
		i = (i + 1) & (w->nslots - 1);
	return &w->slot[i];
}

uint32_t weights_find(const struct weights *w, uint64_t feature)
{
	return *slot_of(w, feature) - 1;
}

static void more_slots(struct weights *w)
{
	w->nslots *= 2;
	w->slot = arena_array(w->mem, w->nslots, sizeof(*w->slot));
	for (size_t i = 0; i < w->n; i++)
		*slot_of(w, w->row[i].feature) = (uint32_t)i + 1;
}

uint32_t weights_row(struct weights *w, uint64_t feature)
{
	uint32_t *slot = slot_of(w, feature);
	if (*slot != 0)
		return *slot - 1;
	if (w->settled)
		return UINT32_MAX;
	if (w->n == w->room) {
		w->room = w->room == 0 ? ROWS : 2 * w->room;
		w->row = grown(w->mem, w->row, w->n, w->room, sizeof(*w->row));
	}
	w->row[w->n++] = (struct weights_row){ .feature = feature };
	*slot = (uint32_t)w->n;
	if (w->n * 2 > w->nslots)
		more_slots(w);
	return (uint32_t)w->n - 1;
}

struct weights_cell *weights_cell(struct weights *w, uint32_t row, unsigned class)
{
	struct weights_row *r = &w->row[row];
	for (uint32_t i = 0; i < r->n; i++)
		if (r->cell[i].class == class)
			return &r->cell[i];
	if (w->settled)
		return NULL;
	if (r->n == r->room) {
		r->room = r->room == 0 ? CELLS : 2 * r->room;
		r->cell = grown(w->mem, r->cell, r->n, r->room, sizeof(*r->cell));
	}
	r->cell[r->n] = (struct weights_cell){ .class = class };
	return &r->cell[r->n++];
}

static void move(struct weights_cell *c, float by, double step)
{
	c->now += by;
	c->past += (double)by * step;
}

void weights_add(struct weights *w, uint32_t row, unsigned class, float by, double step)
{
	struct weights_cell *c = weights_cell(w, row, class);
	if (c != NULL)
		move(c, by, step);
}

void weights_learn(struct weights *w, uint32_t row, unsigned class, float gradient, float rate, double step)
{
	struct weights_cell *c = weights_cell(w, row, class);
	if (c == NULL || gradient == 0)
		return;
	c->squares += gradient * gradient;
	move(c, rate * gradient / sqrtf(c->squares), step);
}

static double average(const struct weights_cell *c, double steps)
{
	return (double)c->now - c->past / steps;
}

static double largest_average(const struct weights *w, double steps)
{
	double largest = 0;
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->row[i].n; k++)
			largest = fmax(largest, fabs(average(&w->row[i].cell[k], steps)));
	return largest;
}

void weights_settle(struct weights *w, double steps, int most, int least)
{
	double bound = largest_average(w, steps) * least / most;
	for (size_t i = 0; i < w->n; i++) {
		struct weights_row *r = &w->row[i];
		uint32_t n = 0;
		for (uint32_t k = 0; k < r->n; k++)
			if (fabs(average(&r->cell[k], steps)) >= bound)
				r->cell[n++] = r->cell[k];
		r->n = n;
	}
	w->settled = true;
}

struct linear_entry *weights_average(const struct weights *w, struct arena *a, double steps, int most, int least,
    size_t *n)
{
	double largest = largest_average(w, steps);
	size_t cells = 0;
	for (size_t i = 0; i < w->n; i++)
		cells += w->row[i].n;
	struct linear_entry *entry = arena_array(a, cells + 1, sizeof(*entry));
	*n = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct weights_row *r = &w->row[i];
		for (size_t k = 0; k < r->n; k++) {
			long weight = largest > 0 ? lround(average(&r->cell[k], steps) / largest * most) : 0;
			if (labs(weight) >= least && weight != 0)
				entry[(*n)++] = (struct linear_entry){ r->feature, r->cell[k].class, (int)weight };
		}
	}
	return entry;
}
