/*
 * Bands of mass, and the aircraft.
 */
#include "airports/landing_fee.h"

#include <math.h>
#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

enum { NAME_MAX_BYTES = 60, CURRENCY_LETTERS = 3 };
static const double KG_MIN = 100, KG_MAX = 600000;

const struct fee_band fee_bands[FEE_BANDS] = {
	{ "fee_band_0_749kg", 750 },
	{ "fee_band_750_1199kg", 1200 },
	{ "fee_band_1200_1499kg", 1500 },
	{ "fee_band_1500_1999kg", 2000 },
	{ "fee_band_2000_3999kg", 4000 },
	{ "fee_band_4000_plus_kg", INFINITY },
};

size_t fee_band_of(double mtow_kg)
{
	size_t i = 0;

	while (i < FEE_BANDS - 1 && !(mtow_kg < fee_bands[i].below_kg))
		i++;
	return i;
}

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
		if (!str_to_double(r->field[1], &a->mtow_kg) ||
		    !(a->mtow_kg >= KG_MIN && a->mtow_kg <= KG_MAX))
			return datafile_fault(d, r, e, "\"%s\" is no mass in kg (%g to %g)", r->field[1],
			    KG_MIN, KG_MAX);
		if (facts_words(f, d, r, 2, &a->names, e) != OK)
			return ERR_CONFIG;
		a->called = a->names.n > 0
		    ? arena_strndup(f->mem, r->field[2], strcspn(r->field[2], ","))
		    : str_upper_copy(f->mem, r->field[0], strlen(r->field[0]));
	}
	return OK;
}

enum errcode currencies_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->currency = arena_array(f->mem, d->n, sizeof(*f->currency));
	for (; f->ncurrencies < d->n; f->ncurrencies++) {
		const struct datafile_row *r = &d->row[f->ncurrencies];
		struct fact_words *codes = &f->currency[f->ncurrencies];

		if (facts_words(f, d, r, 1, codes, e) != OK)
			return ERR_CONFIG;
		for (size_t i = 0; i < codes->n; i++)
			if (strlen(codes->word[i]) != CURRENCY_LETTERS)
				return datafile_fault(d, r, e, "\"%s\" does not have three letters", codes->word[i]);
	}
	return OK;
}

bool currency_known(const char *code)
{
	const struct facts *f = facts_in_use();
	char folded[CURRENCY_LETTERS + 1];

	if (strlen(code) != CURRENCY_LETTERS)
		return false;
	for (size_t i = 0; i <= CURRENCY_LETTERS; i++)
		folded[i] = ascii_lower(code[i]);
	for (size_t i = 0; i < f->ncurrencies; i++)
		if (fact_words_have(&f->currency[i], folded))
			return true;
	return false;
}

/* "1633", "1633 kg". */
static bool mass_in_words(char *text, double *kg)
{
	size_t n = strlen(text);

	if (n > 2 && streq(text + n - 2, "kg"))
		text[n - 2] = '\0';
	return str_to_double(text, kg) && *kg >= KG_MIN && *kg <= KG_MAX;
}

enum { FOLDED_MAX = 3 * NAME_MAX_BYTES + 1 };

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
