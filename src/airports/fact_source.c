/*
 * Sources of facts: taking what they hold, and asking it.
 */
#include "airports/fact_source.h"

const char *fact_state_name(enum fact_state state)
{
	static const char *const names[] = {
		[FACT_UNSET] = "unset", [FACT_READY] = "ready", [FACT_STALE] = "stale",
		[FACT_FAILED] = "failed",
	};

	return names[state];
}

void fact_view_take(struct fact_view *v, const struct fact_sources *sources)
{
	*v = (struct fact_view){ .sources = sources };
	if (sources == NULL)
		return;
	for (int i = 0; i < FACTS__MAX; i++)
		if (sources->of[i] != NULL)
			v->facts[i] = sources->of[i]->take(sources->of[i]->self);
}

void fact_view_put(struct fact_view *v)
{
	for (int i = 0; i < FACTS__MAX; i++) {
		if (v->facts[i] == NULL)
			continue;
		v->sources->of[i]->put(v->sources->of[i]->self, v->facts[i]);
		v->facts[i] = NULL;
	}
}

const void *fact_find(const struct fact_view *v, enum fact_source_name source, const char *ident)
{
	const void *record = NULL;

	if (v != NULL && v->facts[source] != NULL)
		v->sources->of[source]->find(v->facts[source], &ident, 1, &record);
	return record;
}
