/*
 * Bands of mass, and currencies.
 */
#include "airports/landing_fee.h"

#include <math.h>
#include <string.h>

#include "airports/facts_tables.h"
#include "base/str.h"

enum { CURRENCY_LETTERS = 3 };

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
