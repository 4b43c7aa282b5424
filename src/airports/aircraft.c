#include "airports/aircraft.h"

#include <math.h>
#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

enum { NAME_MAX_BYTES = 60, FOLDED_MAX = 3 * NAME_MAX_BYTES + 1 };
static const double KG_MIN = 100, KG_MAX = 600000, KT_MIN = 20, KT_MAX = 700;

enum errcode aircraft_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->aircraft = arena_array(f->mem, d->n, sizeof(*f->aircraft));
	for (; f->naircraft < d->n; f->naircraft++) {
		const struct datafile_row *r = &d->row[f->naircraft];
		struct aircraft *a = &f->aircraft[f->naircraft];

		a->type = str_fold(f->mem, r->field[0]);
		for (size_t i = 0; i < f->naircraft; i++)
			if (streq(f->aircraft[i].type, a->type))
				return datafile_fault(d, r, e, "%s has a row already", a->type);
		if (!str_to_double(r->field[1], &a->mtow_kg) || !(a->mtow_kg >= KG_MIN && a->mtow_kg <= KG_MAX))
			return datafile_fault(d, r, e, "\"%s\" is no mass in kg (%g to %g)", r->field[1], KG_MIN, KG_MAX);
		if (!str_to_double(r->field[2], &a->cruise_kt) || !(a->cruise_kt >= KT_MIN && a->cruise_kt <= KT_MAX))
			return datafile_fault(d, r, e, "\"%s\" is no speed in kt (%g to %g)", r->field[2], KT_MIN, KT_MAX);
		if (facts_words(f, d, r, 3, &a->names, e) != OK)
			return ERR_CONFIG;
		a->called = arena_strndup(f->mem, r->field[3], strcspn(r->field[3], ","));
	}
	return OK;
}

/* "1633", "1633 kg". */
static bool mass_in_words(char *text, double *kg)
{
	size_t n = strlen(text);

	if (n > 2 && streq(text + n - 2, "kg"))
		text[n - 2] = '\0';
	return str_to_double(text, kg) && *kg >= KG_MIN && *kg <= KG_MAX;
}

/* The row of a type or name; NULL: there is none. `folded` gets the text, folded; "" if it is empty or
 * too long. */
static const struct aircraft *aircraft_find(const char *text, char folded[static FOLDED_MAX])
{
	const struct facts *f = facts_in_use();
	struct str s = str_trim(str_of(text));

	folded[0] = '\0';
	if (s.n == 0 || s.n > NAME_MAX_BYTES)
		return NULL;
	str_fold_into(folded, s.p, s.n);
	for (size_t i = 0; i < f->naircraft; i++)
		if (streq(f->aircraft[i].type, folded) || fact_words_have(&f->aircraft[i].names, folded))
			return &f->aircraft[i];
	return NULL;
}

bool aircraft_mass(const char *text, double *kg)
{
	char folded[FOLDED_MAX];
	const struct aircraft *a = aircraft_find(text, folded);

	if (a != NULL)
		*kg = a->mtow_kg;
	return a != NULL || (folded[0] != '\0' && mass_in_words(folded, kg));
}

const char *aircraft_called(const char *text)
{
	char folded[FOLDED_MAX];
	const struct aircraft *a = aircraft_find(text, folded);

	return a != NULL ? a->called : NULL;
}

double aircraft_cruise_kt(const char *text)
{
	char folded[FOLDED_MAX];
	const struct aircraft *a = text != NULL ? aircraft_find(text, folded) : NULL;

	return a != NULL ? a->cruise_kt : NAN;
}
