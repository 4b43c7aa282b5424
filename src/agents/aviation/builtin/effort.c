/*
 * The cost of each kind was measured (tests/bench/bench_planner.c) and rounded up.
 */
#include "agents/aviation/builtin/effort.h"

enum { LOOK_EVERY = 20000 };

static const size_t steps[EFFORT__MAX] = {
	[EFFORT_BYTE] = 1, [EFFORT_WORD] = 5, [EFFORT_SLIP] = 15, [EFFORT_LOOKUP] = 60,
	[EFFORT_PLACE] = 400, [EFFORT_RULES] = 50,
};

void effort_spend(struct effort *e, enum effort_kind kind, size_t n)
{
	if (e == NULL)
		return;
	e->spent += n * steps[kind];
	if (e->spent < e->look_at || e->ended != OK)
		return;
	e->look_at = e->spent + LOOK_EVERY;
	if (e->watch != NULL)
		e->ended = watch_sleep(e->watch, 0);
}

bool effort_ended(const struct effort *e)
{
	return e != NULL && e->ended != OK;
}

bool effort_over(const struct effort *e)
{
	return e != NULL && (e->spent >= EFFORT_MOST || e->ended != OK);
}
