/*
 * One look at each airport of the index.
 */
#include "airports/airport_counts.h"

#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"

#include "airports/airindex.h"
#include "airports/search_candidates.h"
#include "base/str.h"

static enum errcode visit(struct aircon *con, const char *country, airport_fn *fn, void *arg,
    struct err *e)
{
	return country != NULL ? airindex_country(con, country, fn, arg, e)
	    : airindex_all(con, fn, arg, e);
}

struct airport_counting {
	bool all_idents;
	struct airport_counts n;
};

static bool count(void *arg, const struct airport *a)
{
	struct airport_counting *c = arg;
	const unsigned f = a->flags;

	if (!search_shows(a, c->all_idents))
		return true;
	c->n.airports++;
	c->n.entries += (f & AF_ENTRY) != 0;
	c->n.procedures += (f & AF_PROCEDURES) != 0;
	c->n.aip += (f & AF_AIP) != 0;
	c->n.hard += (f & AF_HARD) != 0;
	c->n.lighted += (f & AF_LIGHTED) != 0;
	c->n.fuel_known += (f & (AF_AVGAS_KNOWN | AF_JETA_KNOWN)) != 0;
	c->n.avgas += (f & AF_AVGAS) != 0;
	c->n.jeta += (f & AF_JETA) != 0;
	return true;
}

enum errcode airport_count(struct aircon *con, const char *country, struct airport_counts *out,
    struct err *e)
{
	struct airport_counting c = { .all_idents = aircon_all_idents(con) };
	enum errcode rc = visit(con, country, count, &c, e);

	*out = c.n;
	return rc;
}

struct airport_entry {
	char country[3];              /* "": not known */
	int64_t row;
};

struct airport_entering {
	struct arena *mem;
	bool all_idents;
	struct airport_entry *entry;
	size_t n, size;
};

static bool note(void *arg, const struct airport *a)
{
	struct airport_entering *in = arg;
	struct airport_entry *en;

	if (!(a->flags & AF_ENTRY) || !search_shows(a, in->all_idents))
		return true;
	if (in->n == in->size) {
		struct airport_entry *more;

		in->size = 2 * in->size + 64;
		more = arena_array(in->mem, in->size, sizeof(*more));
		if (in->n > 0)
			memcpy(more, in->entry, in->n * sizeof(*more));
		in->entry = more;
	}
	en = &in->entry[in->n++];
	en->row = a->row;
	if (a->country != NULL)
		memcpy(en->country, a->country, 2);
	return true;
}

static int by_country(const void *pa, const void *pb)
{
	const struct airport_entry *a = pa, *b = pb;
	int order = strcmp(a->country, b->country);

	return order != 0 ? order : (a->row > b->row) - (a->row < b->row);
}

enum errcode airport_entries(struct aircon *con, struct arena *a, const char *country, size_t max,
    struct airport **out, size_t *n, size_t *total, struct err *e)
{
	struct airport_entering in = { .mem = a, .all_idents = aircon_all_idents(con) };
	enum errcode rc = visit(con, country, note, &in, e);
	int64_t *rows;

	if (in.n > 0)
		qsort(in.entry, in.n, sizeof(*in.entry), by_country);
	*total = in.n;
	*n = in.n < max ? in.n : max;
	rows = arena_array(a, *n, sizeof(*rows));
	for (size_t i = 0; i < *n; i++)
		rows[i] = in.entry[i].row;
	*out = arena_array(a, *n, sizeof(**out));
	return rc == OK ? airdb_by_rows(con, a, rows, *n, *out, e) : rc;
}
