/*
 * The first two characters of a code tell the country, which a pilot knows. So only codes with the same beginning are
 * looked at, of which there are some hundreds.
 */
#include "airports/similar_codes.h"

#include <ctype.h>
#include <string.h>

enum { CODE = 4, COUNTRY = 2, IDENTS = 2000 };

static bool one_slip(const char *meant, const char *said)
{
	return meant[2] == said[2] || meant[3] == said[3] || (meant[2] == said[3] && meant[3] == said[2]);
}

/* Where it belongs among those that are kept: a swap first, then by size. */
static unsigned rank_of(const struct airport *x, const char *said)
{
	static const unsigned by_type[TYPE__MAX] = { [TYPE_LARGE] = 1, [TYPE_MEDIUM] = 2, [TYPE_SMALL] = 3,
		[TYPE_SEAPLANE] = 4, [TYPE_HELIPORT] = 5, [TYPE_BALLOON] = 6, [TYPE_OTHER] = 7, [TYPE_CLOSED] = 8 };
	const bool swapped = x->ident[2] == said[3] && x->ident[3] == said[2];
	return swapped ? 0 : by_type[x->type];
}

static void keep(struct airport out[SIMILAR_CODES], size_t *n, const struct airport *x, const char *said)
{
	size_t at = *n;
	while (at > 0 && rank_of(x, said) < rank_of(&out[at - 1], said))
		at--;
	if (at == SIMILAR_CODES)
		return;
	const size_t last = *n < SIMILAR_CODES ? *n : SIMILAR_CODES - 1;
	memmove(&out[at + 1], &out[at], (last - at) * sizeof(*out));
	out[at] = *x;
	*n = last + 1;
}

enum errcode similar_codes(struct aircon *con, struct arena *a, const char *code, struct airport out[SIMILAR_CODES],
    size_t *n, struct err *e)
{
	char said[CODE + 1] = "", country[COUNTRY + 1] = "";
	const char **ident;
	size_t nidents = 0;

	*n = 0;
	if (strlen(code) != CODE)
		return OK;
	for (size_t i = 0; i < CODE; i++) {
		if (!isalnum((unsigned char)code[i]))
			return OK;
		said[i] = (char)toupper((unsigned char)code[i]);
	}
	memcpy(country, said, COUNTRY);
	enum errcode rc = airdb_idents(con, a, country, IDENTS, &ident, &nidents, e);
	for (size_t i = 0; rc == OK && i < nidents; i++) {
		struct airport x;
		bool found;
		if (!one_slip(ident[i], said))
			continue;
		rc = airdb_by_code(con, a, ident[i], &x, &found, e);
		if (rc == OK && found && x.type != TYPE_CLOSED)
			keep(out, n, &x, said);
	}
	return rc;
}
