/*
 * Each file of facts is a row: its name, the number of its fields, and the function that makes a
 * table of it.
 */
#include "airports/facts.h"

#include <stdlib.h>

#include "airports/facts_tables.h"
#include "base/log.h"
#include "base/str.h"

static const struct {
	const char *name;
	size_t least, most;           /* fields of a row */
	facts_reader *read;
} files[] = {
	{ "countries.txt", 2, 5, countries_read },
	{ "neighbours.txt", 2, 2, neighbours_read },
	{ "preferred_countries.txt", 1, 1, preferred_countries_read },
	{ "icao_prefixes.txt", 2, 2, icao_prefixes_read },
	{ "place_words.txt", 2, 3, place_words_read },
	{ "towns.txt", 4, 4, towns_read },
	{ "exonyms.txt", 2, 2, exonyms_read },
	{ "areas.txt", 3, 4, areas_read },
	{ "surfaces.txt", 3, 3, surfaces_read },
	{ "aircraft.txt", 4, 4, aircraft_read },
	{ "currencies.txt", 2, 2, currencies_read },
	{ "notice_words.txt", 2, 3, notice_words_read },
};

static const struct facts *in_use;

const struct facts *facts_in_use(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "facts", "looked up before facts_open()");
		abort();
	}
	return in_use;
}

enum errcode facts_load(struct facts **out, const char *data_dir, struct err *e)
{
	struct arena *a = arena_new();
	struct facts *f = arena_alloc(a, sizeof(*f));
	enum errcode rc = OK;
	*out = NULL;
	struct arena *scratch = arena_new();          /* holds the content of the files */
	*f = (struct facts){ .mem = a, .scratch = scratch,
		.dir = arena_printf(a, "%s/conf/facts", data_dir) };
	for (size_t i = 0; rc == OK && i < sizeof(files) / sizeof(files[0]); i++) {
		struct datafile d;
		rc = datafile_read(&d, scratch, arena_printf(scratch, "%s/%s", f->dir, files[i].name),
		    files[i].least, files[i].most, e);
		if (rc == OK)
			rc = files[i].read(f, &d, e);
		f->stamp = f->stamp * 31 + d.hash;
	}
	f->scratch = NULL;
	arena_free(scratch);
	if (rc == OK)
		*out = f;
	else
		arena_free(a);
	return rc;
}

void facts_free(struct facts *f)
{
	if (f != NULL)
		arena_free(f->mem);
}

enum errcode facts_open(const char *data_dir, struct err *e)
{
	struct facts *f;
	if (in_use != NULL)
		return OK;
	enum errcode rc = facts_load(&f, data_dir, e);
	if (rc == OK)
		in_use = f;
	return rc;
}

uint64_t facts_stamp(void)
{
	return facts_in_use()->stamp;
}

const char *facts_about(struct arena *a)
{
	const struct facts *f = facts_in_use();
	return arena_printf(a, "%s: %zu countries, %zu towns, %zu areas, %zu ICAO prefixes",
	    f->dir, f->ncountries, f->ntowns, f->nareas, f->nprefixes);
}

/* ---- what the readers share ---------------------------------------------------------- */

enum errcode facts_words(struct facts *f, const struct datafile *d, const struct datafile_row *r,
    size_t field, struct fact_words *out, struct err *e)
{
	char **word;
	enum errcode rc = datafile_list(d, r, field, f->scratch, &word, &out->n, e);
	out->word = arena_array(f->mem, rc == OK ? out->n : 0, sizeof(*out->word));
	for (size_t i = 0; rc == OK && i < out->n; i++)
		out->word[i] = str_fold(f->mem, word[i]);
	return rc;
}

bool fact_words_have(const struct fact_words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (streq(w->word[i], word))
			return true;
	return false;
}
