/*
 * A small hash table of atomics; if two threads write at once, either result is right.
 */
#include "services/llm_memory.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"

enum { REMEMBERED_MS = 3600 * 1000 };

static struct llm_known *find(struct llm_memory *m, const char *model, bool make)
{
	uint64_t h = str_hash(model) | 1;
	for (size_t i = 0; i < LLM_MODELS; i++) {
		struct llm_known *k = &m->known[(h + i) % LLM_MODELS];
		uint64_t there = 0;
		if (make)
			atomic_compare_exchange_strong(&k->model, &there, h);
		else
			there = atomic_load(&k->model);
		if (there == h || (there == 0 && make))
			return k;
		if (there == 0)
			break;
	}
	return NULL;
}

unsigned llm_recall(struct llm_memory *m, const char *model)
{
	struct llm_known *k = find(m, model, false);
	if (k == NULL)
		return 0;
	if (clock_mono_ms() - atomic_load(&k->since_ms) > REMEMBERED_MS)
		atomic_store(&k->without, 0);
	return atomic_load(&k->without);
}

void llm_remember(struct llm_memory *m, const struct llm_param *params, const char *model,
    unsigned without)
{
	struct llm_known *k = without == 0 ? NULL : find(m, model, true);
	if (k == NULL)
		return;
	/* set the time first, so that a new entry does not look old to another thread */
	unsigned missing = without & ~atomic_load(&k->without);
	if (missing == 0)
		return;
	atomic_store(&k->since_ms, clock_mono_ms());
	missing = without & ~atomic_fetch_or(&k->without, without);
	for (const struct llm_param *p = params; p->bit != 0; p++)
		if (missing & p->bit)
			log_msg(LOG_INFO, "llm", "model=%.64s takes_no=%s%s", model, p->name,
			    p->bit == PARAM_TOOL_CHOICE_NAMED ? " form=named" : "");
	if (missing & PARAM_FUNCTIONS)
		log_msg(LOG_INFO, "llm", "model=%.64s takes_no=tools", model);
}
