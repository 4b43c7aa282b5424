/*
 * Sources of facts about airports beside the airport's own row: notice periods, friendliness.
 *
 * A source keeps its database in memory and gives out what it holds at the moment (`take`), so that
 * a search sees one state of it even if the file is replaced meanwhile. Filters and ranking then ask
 * for the records of airports; only the source's own functions know what a record is.
 *
 * To add a source: a name here, its struct fact_source, and a line in mains/service.c that puts it
 * into the table. A filter that asks it names it in its row (filter.c).
 */
#ifndef AIRPORTS_FACT_SOURCE_H
#define AIRPORTS_FACT_SOURCE_H

#include <stddef.h>

enum fact_source_name {
	FACTS_AIRPORT,                /* the row itself; there is no source to open */
	FACTS_NOTICE,
	FACTS_FRIENDLINESS,
	FACTS__MAX
};

struct fact_source {
	/* What the source holds now, valid until put(). NULL: nothing, because no file is set or it
	 * cannot be used. Any thread may call it. */
	const void *(*take)(void *self);
	void (*put)(void *self, const void *facts);
	/* The records of airports by ident (capitals), in the order given; NULL: it has none. They
	 * are valid until put(). A filter asks for one airport, enrichment for a list. */
	void (*find)(const void *facts, const char *const *idents, size_t n, const void **records);
	void *self;
};

/* How a source stands, for health and check. */
enum fact_state {
	FACT_UNSET,                   /* no file is set */
	FACT_READY,
	FACT_STALE,                   /* an earlier content is in use; `why` says what is wrong with the file */
	FACT_FAILED,                  /* nothing is in use; `why` says why */
};
const char *fact_state_name(enum fact_state state);   /* "unset", "ready", "stale", "failed" */

/* The sources of the process; NULL: absent. */
struct fact_sources {
	const struct fact_source *of[FACTS__MAX];
};

/* What all sources hold, taken once for a search. */
struct fact_view {
	const struct fact_sources *sources;
	const void *facts[FACTS__MAX];        /* NULL: absent */
};

void fact_view_take(struct fact_view *v, const struct fact_sources *sources);  /* NULL: no sources */
void fact_view_put(struct fact_view *v);
/* The record that a source has of one airport; NULL: none, or the source is absent. */
const void *fact_find(const struct fact_view *v, enum fact_source_name source, const char *ident);

#endif
