/*
 * Resolves the text that a pilot typed.
 *
 * Codes come first, but a word in small letters that is also the name of a city of some size means
 * the city: FARO is an airfield in South Africa, Faro a city in Portugal. Then come coordinates,
 * then the geocoder, then names from the gazetteer (place_by_name.c).
 */
#include "airports/place.h"

#include <math.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/gazetteer.h"
#include "airports/place_by_name.h"
#include "airports/place_key.h"
#include "base/log.h"
#include "base/str.h"

enum { TEXT_MAX = 200 };
/* from this weight on a city wins over a code in small letters */
static const double city_is_known = 30;

struct place_query {
	struct aircon *con;
	struct arena *mem;
	struct err *e;
};

static bool is_code(const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (!((s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= 'a' && s[i] <= 'z') ||
		    (s[i] >= '0' && s[i] <= '9') || s[i] == '-'))
			return false;
	return n >= 2 && n <= 12;
}

static bool has_small_letters(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'a' && *s <= 'z')
			return true;
	return false;
}

/* Does a text in small letters mean the city? `ident`: the code is an ident, not just one of 9,000
 * IATA codes, which include half the short words of any language. */
static enum errcode means_city(struct place_query *q, const char *text, bool ident, bool *city)
{
	char key[PLACE_KEY_MAX];
	struct gaz_hit *hits;
	bool title_case;
	size_t n;

	*city = false;
	if (!has_small_letters(text))
		return OK;
	title_case = text[0] >= 'A' && text[0] <= 'Z';
	place_key(key, text, false, NULL);
	if (gazetteer_find(q->con, q->mem, key, &hits, &n, q->e) != OK)
		return q->e->code;
	for (size_t i = 0; i < n; i++)
		*city |= !ident || title_case || hits[i].weight >= city_is_known ||
		    country_preferred(hits[i].country);
	return OK;
}

static enum errcode by_code(struct place_query *q, const char *text, struct place *out, bool *found)
{
	struct airport ap;
	bool city = false, ident;

	*found = false;
	if (!is_code(text))
		return OK;
	if (airdb_by_code(q->con, q->mem, text, &ap, found, q->e) != OK)
		return q->e->code;
	if (!*found)
		return OK;
	ident = strieq(ap.ident, text);
	if (means_city(q, text, ident, &city) != OK)
		return q->e->code;
	*found = !city && !isnan(ap.lat);
	if (*found)
		place_be_airport(q->mem, out, !ident && strieq(ap.iata, text) ? PLACE_IATA : PLACE_IDENT, &ap);
	return OK;
}

/* Is a code at the beginning still a code with this text after it? "EGTF (Fairoaks)", "EGTF -
 * Fairoaks", "CDG airport", "EGTF Fairoaks"; but not "NEW YORK", which begins with the code of New
 * Orleans. */
static bool leaves_code(const char *rest, size_t code_length)
{
	char key[PLACE_KEY_MAX];
	bool said;

	while (*rest == ' ')
		rest++;
	if (strchr("(-/:", *rest) != NULL || starts_with(rest, "–"))
		return true;
	place_key(key, rest, false, &said);
	return (said && strchr(key, ' ') == NULL) || (code_length == 4 && has_small_letters(rest));
}

/* "Fairoaks Airport (EGTF)", "EGTF Fairoaks": a code in capitals beside a name. */
static enum errcode by_label(struct place_query *q, const char *text, struct place *out,
    bool *found)
{
	const char *open = strrchr(text, '('), *close = open != NULL ? strchr(open, ')') : NULL;
	size_t first = strcspn(text, " (");
	struct str parts[2] = {
		{ text, text[first] != '\0' && leaves_code(text + first, first) ? first : 0 },
		{ open != NULL ? open + 1 : text, close != NULL ? (size_t)(close - open - 1) : 0 },
	};

	*found = false;
	for (int i = 0; i < 2 && !*found; i++) {
		struct str p = str_trim(parts[i]);
		char *code = arena_strndup(q->mem, p.p, p.n);

		if (p.n < 3 || p.n > 4 || has_small_letters(code))
			continue;
		if (by_code(q, code, out, found) != OK)
			return q->e->code;
	}
	return OK;
}

/* The geocoder knows the position, the gazetteer how to read the text. */
static enum errcode name_of(struct place_query *q, const char *text, const char *country,
    struct place *out)
{
	struct place read = { 0 };
	bool found;
	enum errcode rc = place_by_name(q->con, q->mem, text, country, &read, &found, q->e);

	out->name = read.name;
	out->airport_said = read.airport_said;
	return rc;
}

/* A geocoder that fails is no error, because the gazetteer may know the place. */
static enum errcode by_geocoder(struct place_query *q, const struct geocoding *g, const char *text,
    const char *country, struct place *out, bool *found)
{
	enum errcode rc;

	/* otherwise eight slow calls could occupy all connections */
	aircon_rest(q->con);
	rc = g->geocoder->look(g->geocoder, q->mem, text, country, g->watch, out, found, q->e);
	if (rc == ERR_UPSTREAM) {
		log_msg(LOG_WARN, "geocoder", "why=\"%s\"", q->e->msg);
		*found = false;
		rc = OK;
	}
	if (!*found)
		*out = (struct place){ 0 };
	return rc;
}

enum errcode place_resolve(struct aircon *con, struct arena *a, const struct geocoding *g,
    const char *text, const char *country, struct place *out, bool *found, struct err *e)
{
	struct err local;
	struct place_query q = { con, a, e != NULL ? e : &local };
	struct str t = str_trim(str_of(text));
	double lat, lon;
	enum errcode rc;
	char *s;

	*out = (struct place){ 0 };
	*found = false;
	if (t.n == 0 || t.n > TEXT_MAX || !utf8_valid(t.p, t.n)) {
		out->why = t.n == 0 ? "no place was named" : "that is not the name of a place";
		return OK;
	}
	s = arena_strndup(a, t.p, t.n);
	rc = by_code(&q, s, out, found);
	if (rc == OK && !*found)
		rc = by_label(&q, s, out, found);
	if (rc == OK && !*found && place_coords(s, &lat, &lon)) {
		*found = true;
		*out = (struct place){ .source = PLACE_COORDS, .lat = lat, .lon = lon,
			.label = arena_printf(a, "%.4f, %.4f", lat, lon) };
	}
	if (rc == OK && !*found && g != NULL && g->geocoder != NULL)
		rc = by_geocoder(&q, g, s, country, out, found);
	if (rc == OK && !*found)
		rc = place_by_name(con, a, s, country, out, found, q.e);
	else if (rc == OK && out->source == PLACE_GEOCODER)
		rc = name_of(&q, s, country, out);
	return rc;
}

bool place_known(struct aircon *con, const char *folded)
{
	char key[PLACE_KEY_MAX];

	place_key(key, folded, false, NULL);
	return strlen(key) > 1 && !place_common(key) && gazetteer_has(con, key);
}

