/*
 * The same words can be read in more than one way: "Lyon Bron" looks like two codes, "Jersey" is a country
 * and a city, "Scotland" an area of ours. The readings are tried from the most specific to the most general;
 * q->kind tells which one found something.
 */
#include <ctype.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/place.h"
#include "airports/search.h"
#include "base/str.h"

enum { ICAO_LEN = 4, IATA_LEN = 3, CODES_MAX = 200 };

static bool capitals(struct str s)
{
	size_t n = 0;

	while (n < s.n && isupper((unsigned char)s.p[n]))
		n++;
	return n == s.n;
}

/* The codes in the query if it is a list of codes ("LFPG, LFPO and EGLL"); else 0. Words of three
 * letters are too common to be codes unless they are written like codes ("CDG ORY"). */
static size_t codes_of(struct arena *a, const char *query, const char *codes[CODES_MAX],
    bool *iata)
{
	static const char between[] = " \t\r\n,";
	size_t n = 0;

	*iata = false;
	for (const char *p = query + strspn(query, between); *p != '\0' && n < CODES_MAX;) {
		struct str part = { p, strcspn(p, between) };

		p += part.n;
		p += strspn(p, between);
		if (str_ieq(part, "and") || str_ieq(part, "or") || str_eq(part, "&"))
			continue;
		for (size_t i = 0; i < part.n; i++)
			if (!isalpha((unsigned char)part.p[i]))
				return 0;
		if (part.n != ICAO_LEN && (part.n != IATA_LEN || !capitals(part)))
			return 0;
		*iata |= part.n == IATA_LEN;
		codes[n++] = arena_strndup(a, part.p, part.n);
	}
	return n >= 2 ? n : 0;
}

static enum errcode count_known(struct aircon *con, struct arena *a, const char *const *codes, size_t n,
    size_t *known, struct err *e)
{
	struct airport airport;
	bool found;
	enum errcode rc = OK;

	*known = 0;
	for (size_t i = 0; i < n && rc == OK; i++) {
		rc = airdb_by_code(con, a, codes[i], &airport, &found, e);
		*known += rc == OK && found;
	}
	return rc;
}

enum errcode airport_find(struct aircon *con, struct arena *a, struct airport_query *q,
    struct airport_hits *out, struct err *e)
{
	const char **codes = arena_array(a, CODES_MAX, sizeof(*codes));
	bool iata;
	size_t ncodes = codes_of(a, q->text, codes, &iata), known = 0;
	const size_t max = q->max;
	const struct country *country = country_by_name(str_fold(a, q->text));
	enum errcode rc = count_known(con, a, codes, ncodes, &known, e);

	q->codes = codes;
	q->ncodes = ncodes;
	if (rc != OK)
		return rc;
	if (known > 0 && known == ncodes) {
		q->kind = SEARCH_CODES;
		q->max = max > ncodes ? max : ncodes;
		return airport_search(con, a, q, out, e);
	}
	rc = place_area(con, a, q->text, &q->area, e);
	if (rc == OK && q->area != NULL) {
		q->kind = SEARCH_AREA;
		q->from = q->area->middle;
		rc = airport_search(con, a, q, out, e);
	}
	if (rc != OK || (q->area != NULL && out->candidates > 0))
		return rc;
	if (country != NULL) {
		q->kind = SEARCH_COUNTRY;
		q->country = country->code;
		rc = airport_search(con, a, q, out, e);
		if (rc != OK || out->candidates > 0)
			return rc;
	}
	q->kind = SEARCH_TEXT;
	rc = airport_search(con, a, q, out, e);
	if (rc != OK || out->candidates > 0 || known == 0 || iata)
		return rc;
	q->kind = SEARCH_CODES;
	q->max = max > ncodes ? max : ncodes;
	return airport_search(con, a, q, out, e);
}
