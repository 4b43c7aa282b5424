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

/* Does one of the towns before t, whose keys are given, have the same country and key? Another
 * spelling of the same name is a duplicate too. */
static bool has_town(const struct facts *f, const char *const *keys, const struct town *t)
{
	size_t at = (size_t)(t - f->town);
	for (size_t i = 0; i < at; i++)
		if (streq(f->town[i].country, t->country) && streq(keys[i], keys[at]))
			return true;
	return false;
}

enum errcode towns_read(struct facts *f, struct datafile *d, struct err *e)
{
	const char **keys = arena_array(f->scratch, d->n, sizeof(*keys));
	f->town = arena_array(f->mem, d->n, sizeof(*f->town));
	for (; f->ntowns < d->n; f->ntowns++) {
		const struct datafile_row *r = &d->row[f->ntowns];
		struct town *t = &f->town[f->ntowns];
		const struct country *c = facts_country(f, d, r, r->field[0], e);
		if (c == NULL)
			return ERR_CONFIG;
		*t = (struct town){ .country = c->code, .name = arena_strdup(f->mem, r->field[1]) };
		if (!degrees(r->field[2], 90, &t->lat))
			return datafile_fault(d, r, e, "\"%s\" is no latitude in degrees", r->field[2]);
		if (!degrees(r->field[3], 180, &t->lon))
			return datafile_fault(d, r, e, "\"%s\" is no longitude in degrees", r->field[3]);
		char key[PLACE_KEY_MAX];
		place_key_of(f, key, t->name, false, NULL);
		keys[f->ntowns] = arena_strdup(f->scratch, key);
		if (has_town(f, keys, t))
			return datafile_fault(d, r, e, "%s in %s has a row already", t->name, t->country);
	}
	return OK;
}

/* The row of a name in a country, NULL: none. */
static const struct exonym *row_of(const struct facts *f, const char *country, const char *key)
{
	for (size_t i = 0; i < f->nexonyms; i++)
		if (streq(f->exonym[i].country, country) && words_have(&f->exonym[i].names, key))
			return &f->exonym[i];
	return NULL;
}

/* Names become keys, so people may write the file as they write names. */
static enum errcode read_names(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct words *names, struct err *e)
{
	enum errcode rc = datafile_list(d, r, 1, f->mem, &names->word, &names->n, e);
	if (rc == OK && names->n < 2)
		rc = datafile_fault(d, r, e, "a name has no other name in this row");
	for (size_t i = 0; rc == OK && i < names->n; i++) {
		char key[PLACE_KEY_MAX];
		place_key_of(f, key, names->word[i], false, NULL);
		if (key[0] == '\0')
			return datafile_fault(d, r, e, "\"%s\" is not the name of a place", names->word[i]);
		if (row_of(f, r->field[0], key) != NULL)
			return datafile_fault(d, r, e, "\"%s\" has a row already", names->word[i]);
		names->word[i] = arena_strdup(f->mem, key);
	}
	return rc;
}

enum errcode exonyms_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->exonym = arena_array(f->mem, d->n, sizeof(*f->exonym));
	for (; f->nexonyms < d->n; f->nexonyms++) {
		const struct datafile_row *r = &d->row[f->nexonyms];
		struct exonym *x = &f->exonym[f->nexonyms];
		const struct country *c = facts_country(f, d, r, r->field[0], e);
		if (c == NULL || read_names(f, d, r, &x->names, e) != OK)
			return ERR_CONFIG;
		x->country = c->code;
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
