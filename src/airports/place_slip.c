#include "airports/place_slip.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/place_key.h"
#include "base/arena.h"
#include "base/str.h"
#include "drivers/db.h"

enum {
	HEAD = 3,                /* letters that must be right */
	LETTERS = 6,             /* of the name that is meant; shorter ones are never found, because too many words are like them */
	LONG = 9,                /* letters of a name that may have two slips */
	END = 3,                 /* letters that may be missing at the end */
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be changed, put in, left out or swapped with their neighbour (Damerau-Levenshtein; no letter is changed twice). */
static size_t slips_between(const char *a, const char *b)
{
	enum { ROOM = PLACE_KEY_MAX + 1 };
	const size_t na = strlen(a), nb = strlen(b);
	size_t before[ROOM], last[ROOM], row[ROOM];

	for (size_t k = 0; k <= nb; k++)
		last[k] = k;
	for (size_t i = 1; i <= na; i++) {
		row[0] = i;
		for (size_t k = 1; k <= nb; k++) {
			row[k] = least(last[k - 1] + (a[i - 1] != b[k - 1]), least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
		memcpy(before, last, (nb + 1) * sizeof(*last));
		memcpy(last, row, (nb + 1) * sizeof(*row));
	}
	return last[nb];
}

/* More than `most`: too many. One is found without a table, because every message is looked at for such names. */
static size_t slips_of(const char *key, const char *meant, size_t most)
{
	return str_one_slip(str_of(key), str_of(meant)) ? 1 : most == 1 || strlen(meant) >= PLACE_KEY_MAX ? most + 1 : slips_between(key, meant);
}

const char *place_slip(struct db *db, struct arena *mem, const char *key, enum place_slips slips)
{
	static const char sql[] = "SELECT key, country, weight FROM place WHERE key > ? AND key < ? AND n = 0 AND "
		"length(key) BETWEEN ? AND ? ORDER BY weight DESC LIMIT 4000";
	const size_t n = strlen(key), most = slips == PLACE_SLIPS && n >= LONG ? 2 : 1;
	char from[HEAD + 1] = "", to[HEAD + 1] = "";
	const char *best = NULL;
	size_t best_slips = most + 1;
	double best_weight = 0;

	if (n + 1 < LETTERS || n >= PLACE_KEY_MAX)
		return NULL;
	memcpy(from, key, HEAD);
	memcpy(to, key, HEAD);
	to[HEAD - 1]++;
	struct db_stmt *q = db_query(db, sql, NULL, DB_TEXT(from), DB_TEXT(to), DB_INT((int64_t)(n - most)),
	    DB_INT((int64_t)(n + (slips == PLACE_SLIPS ? END : 1))));
	while (db_step(q, NULL) == DB_ROW) {
		const char *meant = db_text(q, 0), *country = db_text(q, 1);
		const bool cut = slips == PLACE_SLIPS && strlen(meant) > n && starts_with(meant, key);
		const double weight = db_double_at(q, 2) * (country != NULL && country_preferred(country) ? 1e6 : 1);
		const size_t found = cut ? 1 : slips_of(key, meant, most);
		if (strlen(meant) < LETTERS || found > best_slips || found > most || (found == best_slips && weight <= best_weight))
			continue;
		best = arena_strdup(mem, meant);
		best_slips = found;
		best_weight = weight;
	}
	db_done(q);
	return best;
}
