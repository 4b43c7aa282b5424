/*
 * The middle of a town's airports is a good position for most towns. But large airports are far
 * outside, and a town without an airport would not be known at all. So well-known towns are facts.
 */
#include "airports/towns.h"

#include <math.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "base/str.h"

static bool degrees(const char *text, double most, double *out)
{
	return str_to_double(text, out) && fabs(*out) <= most;
}

/* Has the country a town of this key already? Another spelling of the same name is a duplicate too. */
static bool has_town(const struct key_table *keys, const char *key, const char *country)
{
	const struct town *t;

	for (size_t i = 0; (t = key_table_row(keys, key, i)) != NULL; i++)
		if (streq(t->country, country))
			return true;
	return false;
}

enum errcode towns_read(struct facts *f, struct datafile *d, struct err *e)
{
	key_table_init(&f->town_names, f->mem, d->n);
	f->town = arena_array(f->mem, d->n, sizeof(*f->town));
	for (; f->ntowns < d->n; f->ntowns++) {
		const struct datafile_row *r = &d->row[f->ntowns];
		struct town *t = &f->town[f->ntowns];
		const struct country *c = facts_country(f, d, r, r->field[0], e);
		char key[PLACE_KEY_MAX];
		if (c == NULL)
			return ERR_CONFIG;
		*t = (struct town){ .country = c->code, .name = arena_strdup(f->mem, r->field[1]) };
		if (!degrees(r->field[2], 90, &t->lat))
			return datafile_fault(d, r, e, "\"%s\" is no latitude in degrees", r->field[2]);
		if (!degrees(r->field[3], 180, &t->lon))
			return datafile_fault(d, r, e, "\"%s\" is no longitude in degrees", r->field[3]);
		place_key_of(f, key, t->name, false, NULL);
		if (has_town(&f->town_names, key, t->country))
			return datafile_fault(d, r, e, "%s in %s has a row already", t->name, t->country);
		key_table_put(&f->town_names, arena_strdup(f->mem, key), t);
	}
	return OK;
}

/* The row of a name in a country, NULL: none. */
static const struct exonym *row_of(const struct facts *f, const char *country, const char *key)
{
	const struct exonym *x;

	for (size_t i = 0; (x = key_table_row(&f->exonym_names, key, i)) != NULL; i++)
		if (streq(x->country, country))
			return x;
	return NULL;
}

/* Names become keys, so people may write the file as they write names. Two spellings of one name in
 * a row are a fault too. */
static enum errcode read_names(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct exonym *x, struct err *e)
{
	char **name, key[PLACE_KEY_MAX];
	size_t n;
	enum errcode rc = datafile_list(d, r, 1, f->scratch, &name, &n, e);
	if (rc == OK && n < 2)
		rc = datafile_fault(d, r, e, "a name has no other name in this row");
	x->names.word = arena_array(f->mem, n, sizeof(*x->names.word));
	for (size_t i = 0; rc == OK && i < n; i++) {
		place_key_of(f, key, name[i], false, NULL);
		if (key[0] == '\0')
			return datafile_fault(d, r, e, "\"%s\" is not the name of a place", name[i]);
		if (row_of(f, x->country, key) != NULL)
			return datafile_fault(d, r, e, "\"%s\" has a row already", name[i]);
		x->names.word[i] = arena_strdup(f->mem, key);
		x->names.n++;
		key_table_put(&f->exonym_names, x->names.word[i], x);
	}
	return rc;
}

enum errcode exonyms_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->exonym = arena_array(f->mem, d->n, sizeof(*f->exonym));
	key_table_init(&f->exonym_names, f->mem, datafile_elements(d, 1));
	for (; f->nexonyms < d->n; f->nexonyms++) {
		const struct datafile_row *r = &d->row[f->nexonyms];
		struct exonym *x = &f->exonym[f->nexonyms];
		const struct country *c = facts_country(f, d, r, r->field[0], e);
		if (c == NULL)
			return ERR_CONFIG;
		x->country = c->code;
		if (read_names(f, d, r, x, e) != OK)
			return ERR_CONFIG;
	}
	return OK;
}

const struct town *towns(size_t *n)
{
	*n = facts_in_use()->ntowns;
	return facts_in_use()->town;
}

bool exonym(const char *key, const char *country, size_t i, char out[PLACE_KEY_MAX])
{
	const struct exonym *x = country == NULL ? NULL : row_of(facts_in_use(), country, key);
	for (size_t k = 0; x != NULL && k < x->names.n; k++)
		if (!streq(x->names.word[k], key) && i-- == 0) {
			memcpy(out, x->names.word[k], strlen(x->names.word[k]) + 1);
			return true;
		}
	return false;
}

bool town_named(const char *key)
{
	const struct facts *f = facts_in_use();

	return key_table_row(&f->exonym_names, key, 0) != NULL || key_table_row(&f->town_names, key, 0) != NULL;
}
