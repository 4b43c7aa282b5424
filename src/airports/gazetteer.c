/*
 * Keys of place names, and looking them up.
 */
#include "airports/gazetteer.h"

#include <string.h>

#include "base/str.h"
#include "drivers/db.h"

enum { TEXT_MAX = 200 };       /* bytes of a name that are looked at */

/* ---- keys -------------------------------------------------------------- */

static const char *const generic[] = {
	"airport", "airports", "aerodrome", "aerodromo", "aerodrom", "airfield", "airfields",
	"airstrip", "airpark", "airbase", "international", "intl", "regional", "municipal",
	"flugplatz", "flughafen", "aeroport", "aeroporto", "aeropuerto", "letiste", "lotnisko",
};
static const struct {
	const char *from, *to;
} respelt[] = {
	{ "st", "saint" }, { "sankt", "saint" }, { "ste", "sainte" },
};
static const struct {
	const char *letter, *two;
} umlauts[] = {
	{ "ä", "ae" }, { "Ä", "ae" }, { "ö", "oe" }, { "Ö", "oe" }, { "ü", "ue" }, { "Ü", "ue" },
	{ "ø", "oe" }, { "Ø", "oe" }, { "å", "aa" }, { "Å", "aa" },
};

static bool is_generic(const char *w)
{
	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
		if (streq(w, generic[i]))
			return true;
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static size_t spell(char *dst, const char *text, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n;) {
		size_t u = 0, count = sizeof(umlauts) / sizeof(umlauts[0]);

		while (u < count && (n - i < 2 || memcmp(text + i, umlauts[u].letter, 2) != 0))
			u++;
		if (u < count) {
			memcpy(dst + out, umlauts[u].two, 2);
			out += 2;
			i += 2;
		} else {
			dst[out++] = text[i++];
		}
	}
	return out;
}

/* The words of a folded text, joined by blanks; `all`: generic ones too. */
static void join(char out[PLACE_KEY_MAX], char *folded, bool all, bool *said)
{
	size_t n = 0;
	char *p = folded;

	out[0] = '\0';
	while (*p != '\0') {
		const char *w = p;
		size_t len;
		char end;

		if (!is_letter(*p)) {
			p++;
			continue;
		}
		while (is_letter(*p))
			p++;
		end = *p;
		*p = '\0';
		for (size_t i = 0; i < sizeof(respelt) / sizeof(respelt[0]); i++)
			if (streq(w, respelt[i].from))
				w = respelt[i].to;
		if (is_generic(w)) {
			*said = true;
			len = all ? strlen(w) : 0;
		} else {
			len = strlen(w);
		}
		if (len > 0) {
			if (n + len + 2 > PLACE_KEY_MAX) {
				out[0] = '\0';
				return;
			}
			if (n > 0)
				out[n++] = ' ';
			memcpy(out + n, w, len + 1);
			n += len;
		}
		*p = end;
	}
}

void place_key(char out[PLACE_KEY_MAX], const char *text, bool spelt, bool *said)
{
	char plain[TEXT_MAX + 1], folded[3 * TEXT_MAX + 1];
	size_t n = text != NULL ? strlen(text) : 0;
	bool heard = false;

	out[0] = '\0';
	if (n > 0 && n <= TEXT_MAX) {
		if (spelt) {
			n = spell(plain, text, n);
			text = plain;
		}
		folded[str_fold_into(folded, text, n)] = '\0';
		join(out, folded, false, &heard);
		if (out[0] == '\0')
			join(out, folded, true, &heard);
	}
	if (said != NULL)
		*said = heard;
}

void place_unspelt(char out[PLACE_KEY_MAX], const char *key)
{
	size_t n = 0;

	for (const char *p = key; *p != '\0'; p++) {
		out[n++] = *p;
		if (strchr("aou", *p) != NULL && p[1] == 'e')
			p++;
	}
	out[n] = '\0';
}

/* ---- look-up ----------------------------------------------------------- */

enum errcode gazetteer_find(struct aircon *con, struct arena *a, const char *key,
    struct gaz_hit **hits, size_t *n, struct err *e)
{
	static const char sql[] = "SELECT kind, weight, name, country, region, lat, lon, row FROM place "
		"WHERE key = ? ORDER BY kind, weight DESC, n LIMIT 64";
	struct db_stmt *s = aircon_prepare(con, sql, e);
	enum db_step rc;

	*n = 0;
	if (s == NULL)
		return e->code;
	*hits = arena_array(a, GAZ_HITS, sizeof(**hits));
	db_bind_text(s, 1, key);
	while ((rc = db_step(s, e)) == DB_ROW && *n < GAZ_HITS)
		(*hits)[(*n)++] = (struct gaz_hit){
			.kind = (enum gaz_kind)db_int_at(s, 0),
			.weight = db_double_at(s, 1),
			.name = arena_strdup(a, db_text(s, 2)),
			.country = arena_strdup(a, db_text(s, 3)),
			.region = arena_strdup(a, db_text(s, 4)),
			.lat = db_double_at(s, 5),
			.lon = db_double_at(s, 6),
			.row = db_int_at(s, 7),
		};
	db_done(s);
	if (rc != DB_FAIL)
		return OK;
	aircon_damaged(con);
	return e->code;
}

bool gazetteer_has(struct aircon *con, const char *key)
{
	static const char sql[] = "SELECT 1 FROM place WHERE key = ? LIMIT 1";
	struct db_stmt *s = key[0] != '\0' ? aircon_prepare(con, sql, NULL) : NULL;
	bool has = false;

	if (s != NULL) {
		db_bind_text(s, 1, key);
		has = db_step(s, NULL) == DB_ROW;
		db_done(s);
	}
	return has;
}
