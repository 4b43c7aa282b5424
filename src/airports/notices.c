/*
 * The source of notices: two files behind one look-up. A row of the database wins over the AIP text.
 */
#include "airports/notice.h"

#include <stdlib.h>
#include <string.h>

#include "airports/notice_table.h"

struct notices {
	struct fact_file *database, *texts;
	struct fact_source source;
};

/* What both files hold at a moment. */
struct notices_taken {
	const struct notice_table *database, *texts;  /* NULL: nothing */
};

static const void *take(void *self)
{
	struct notices *n = self;
	struct notices_taken *t = malloc(sizeof(*t));

	if (t == NULL)
		abort();
	t->database = fact_file_take(n->database);
	t->texts = fact_file_take(n->texts);
	return t;
}

static void put(void *self, const void *facts)
{
	struct notices *n = self;
	struct notices_taken *t;

	memcpy(&t, &facts, sizeof(t));
	if (t->database != NULL)
		fact_file_put(n->database, t->database);
	if (t->texts != NULL)
		fact_file_put(n->texts, t->texts);
	free(t);
}

static void find(const void *facts, const char *const *idents, size_t n, const void **records)
{
	const struct notices_taken *t = facts;

	for (size_t i = 0; i < n; i++) {
		records[i] = t->database != NULL ? notice_table_find(t->database, idents[i]) : NULL;
		if (records[i] == NULL && t->texts != NULL)
			records[i] = notice_table_find(t->texts, idents[i]);
	}
}

struct notices *notices_new(const char *database, const char *airports)
{
	struct notices *n = calloc(1, sizeof(*n));

	if (n == NULL)
		abort();
	n->database = fact_file_new("notices", database, notice_db_read, n);
	n->texts = fact_file_new("notice_texts", airports, notice_aip_read, n);
	n->source = (struct fact_source){ take, put, find, n };
	return n;
}

void notices_free(struct notices *n)
{
	if (n == NULL)
		return;
	fact_file_free(n->database);
	fact_file_free(n->texts);
	free(n);
}

const struct fact_source *notices_source(const struct notices *n)
{
	return &n->source;
}

const struct notice *notice_find(const struct fact_view *v, const char *icao)
{
	return fact_find(v, FACTS_NOTICE, icao);
}

static int by_icao(const void *pa, const void *pb)
{
	const struct notice *const *a = pa, *const *b = pb;

	return strcmp((*a)->icao, (*b)->icao);
}

size_t notices_all(const struct fact_view *v, struct arena *a, bool from_texts, const struct notice *const **out)
{
	const struct notices_taken *t = v->facts[FACTS_NOTICE];
	const struct notice_table *const tables[] = { t != NULL ? t->database : NULL,
		t != NULL && from_texts ? t->texts : NULL };
	const struct notice **list = arena_array(a, (tables[0] != NULL ? tables[0]->airports : 0) +
	    (tables[1] != NULL ? tables[1]->airports : 0) + 1, sizeof(*list));
	size_t n = 0;

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; tables[k] != NULL && i < tables[k]->nslots; i++) {
			const struct notice *one = tables[k]->slot[i];
			if (one != NULL && (k == 0 || tables[0] == NULL || notice_table_find(tables[0], one->icao) == NULL))
				list[n++] = one;
		}
	qsort(list, n, sizeof(*list), by_icao);
	*out = list;
	return n;
}

size_t notices_failed(const struct fact_view *v)
{
	const struct notices_taken *t = v->facts[FACTS_NOTICE];

	return t != NULL && t->database != NULL ? t->database->failed : 0;
}

enum fact_state notices_state(struct notices *n, size_t *rows, size_t *airports)
{
	const struct notice_table *t = fact_file_take(n->database);

	*rows = t != NULL ? t->rows + t->failed : 0;
	*airports = t != NULL ? t->airports : 0;
	if (t != NULL)
		fact_file_put(n->database, t);
	return fact_file_state(n->database, NULL);
}

void notices_status(struct notices *n, struct notices_status *out)
{
	const struct notices_taken *t = take(n);

	*out = (struct notices_status){ .why = { .code = OK } };
	out->state = fact_file_state(n->database, &out->why);
	if (t->database != NULL) {
		out->rows = t->database->rows + t->database->failed;
		out->airports = t->database->airports;
		out->failed = t->database->failed;
		out->broken = t->database->broken;
	}
	if (t->texts != NULL)
		out->texts = t->texts->airports;
	put(n, t);
}
