/*
 * The longest prefix that fits decides. There are few of them, so all are tried.
 */
#include "airports/icao_prefix.h"

#include <string.h>

#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "base/str.h"

static bool are_letters(const char *s)
{
	return strlen(s) <= ICAO_LETTERS && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(s);
}

enum errcode icao_prefixes_read(struct facts *f, struct datafile *d, struct err *e)
{
	f->prefix = arena_array(f->mem, d->n, sizeof(*f->prefix));
	for (; f->nprefixes < d->n; f->nprefixes++) {
		const struct datafile_row *r = &d->row[f->nprefixes];
		if (!are_letters(r->field[0]))
			return datafile_fault(d, r, e, "\"%s\" is not one to four capital letters", r->field[0]);
		for (size_t k = 0; k < f->nprefixes; k++)
			if (streq(f->prefix[k].letters, r->field[0]))
				return datafile_fault(d, r, e, "%s has a row already", r->field[0]);
		const struct country *c = facts_country(f, d, r, r->field[1], e);
		if (c == NULL)
			return ERR_CONFIG;
		f->prefix[f->nprefixes].country = c->code;
		memcpy(f->prefix[f->nprefixes].letters, r->field[0], strlen(r->field[0]) + 1);
	}
	return OK;
}

const char *icao_prefix_country(const char *text)
{
	const struct facts *f = facts_in_use();
	const char *best = NULL;
	size_t length = 0;

	for (size_t i = 0; i < f->nprefixes; i++) {
		size_t n = strlen(f->prefix[i].letters);
		if (n > length && strncmp(text, f->prefix[i].letters, n) == 0) {
			best = f->prefix[i].country;
			length = n;
		}
	}
	return best;
}
