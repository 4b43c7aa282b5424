/*
 * Resolves the text that a pilot typed.
 *
 * Codes come first, but a word in small letters that is also the name of a city of some size means
 * the city: FARO is an airfield in South Africa, Faro a city in Portugal. Then come coordinates,
 * then areas, which a geocoder would turn into a point, then the geocoder, then names from the
 * gazetteer (place_by_name.c).
 */
#include "airports/place.h"

#include <math.h>
#include <string.h>

#include "airports/areas.h"
#include "airports/countries.h"
#include "airports/gazetteer.h"
#include "airports/place_address.h"
#include "airports/place_by_name.h"
#include "airports/place_key.h"
#include "airports/towns.h"
#include "base/log.h"
#include "base/str.h"

enum { TEXT_MAX = 200 };
/* from this weight on a city wins over a code in small letters */
static const double city_is_known = 30;

struct place_query {
	struct aircon *con;
	struct arena *mem;
	const struct place_context *ctx;     /* or NULL */
	struct err *e;
};

/* UTF-8 without control characters. */
static bool readable(struct str s)
{
	for (size_t step; s.n > 0; s.p += step, s.n -= step) {
		bool plain;

		step = str_next(s.p, s.n, &plain);
		if (!plain)
			return false;
	}
	return true;
}

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
	/* "Krk" is an island, and KRK is Kraków */
	*city |= title_case && !ident && area_named(key, 0) != NULL;
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

/* A code in capitals that is also the name of a city: "FARO". */
static enum errcode city_beside(struct place_query *q, const char *text, struct place *out)
{
	struct place city = { 0 };
	bool found;

	if (has_small_letters(text))
		return OK;
	if (place_by_name(q->con, q->mem, NULL, text, NULL, &city, &found, q->e) != OK)
		return q->e->code;
	if (found && !city.is_airport && place_add_other(out, &(struct place_other){ city.label,
	        city.country, city.lat, city.lon }))
		out->unsure = country_preferred(city.country);
	return OK;
}

/* ---- areas --------------------------------------------------------------- */

/* "Ostfriesischen Inseln", "Kretas": German gives names an ending. */
static void uninflect(char key[PLACE_KEY_MAX])
{
	char *end = strchr(key, ' ');
	const size_t n = strlen(key);

	if (end != NULL && end - key > 3 && end[-1] == 'n' && end[-2] == 'e')
		memmove(end - 1, end, strlen(end) + 1);
	else if (end == NULL && n > 3 && key[n - 1] == 's')
		key[n - 1] = '\0';
}

/* The area of this name that the address allows: one in the hinted or likely country first, because
 * there is a Limburg in two of them. */
static const struct area *area_meant(const struct place_query *q, const struct place_address *p,
    const char *hint, struct place *out)
{
	const char *country = address_country(p);
	const char *likely = hint != NULL || q->ctx == NULL ? hint : q->ctx->country;
	const struct area *best = NULL, *a;
	char key[PLACE_KEY_MAX];
	bool airport;

	place_key(key, p->name, false, &airport);
	if (airport || (p->n > 0 && country == NULL))
		return NULL;
	/* the name of a town keeps its ending: the "s" of "Mons" is no genitive of the island Møn */
	if (area_named(key, 0) == NULL && !town_named(key))
		uninflect(key);
	for (size_t i = 0; (a = area_named(key, i)) != NULL; i++)
		if (country == NULL || area_in(a, country)) {
			if (best == NULL || (likely != NULL && area_in(a, likely) && !area_in(best, likely)))
				best = a;
		}
	for (size_t i = 0; best != NULL && (a = area_named(key, i)) != NULL; i++)
		if (a != best && country == NULL) {
			out->unsure = true;
			out->other[out->nothers++] = (struct place_other){
				place_area_label(q->mem, a), a->country[0], a->middle.lat, a->middle.lon };
			if (out->nothers == PLACE_OTHERS)
				break;
		}
	return best;
}

const char *place_area_label(struct arena *mem, const struct area *a)
{
	const struct country *c = a->ncountries == 1 ? country_by_code(a->country[0]) : NULL;

	return c != NULL && !streq(c->name, a->name) ? arena_printf(mem, "%s, %s", a->name, c->name)
	    : a->name;
}

static enum errcode by_area(struct place_query *q, const char *text, const char *hint,
    struct place *out, bool *found)
{
	struct place_address p = address_whole(text);
	const struct area *a = area_meant(q, &p, hint, out);
	bool split = false;

	*found = false;
	if (a == NULL) {
		p.name = address_plain(q->mem, text);
		a = area_meant(q, &p, hint, out);
	}
	if (a == NULL) {
		if (address_split(&p, q->con, q->mem, text, &split, q->e) != OK)
			return q->e->code;
		p.name = address_plain(q->mem, p.name);
		a = split ? area_meant(q, &p, hint, out) : NULL;
	}
	if (a == NULL)
		return OK;
	*found = true;
	out->source = PLACE_AREA;
	out->area = a;
	out->lat = a->middle.lat;
	out->lon = a->middle.lon;
	out->label = place_area_label(q->mem, a);
	out->country = a->country[0];
	return OK;
}

enum errcode place_area(struct aircon *con, struct arena *a, const char *text,
    const struct area **area, struct err *e)
{
	struct place_query q = { con, a, NULL, e };
	struct str t = str_trim(str_of(text));
	struct place p = { 0 };
	bool found;

	*area = NULL;
	if (t.n == 0 || t.n > TEXT_MAX || !readable(t))
		return OK;
	if (by_area(&q, arena_strndup(a, t.p, t.n), NULL, &p, &found) != OK)
		return e->code;
	*area = p.area;
	return OK;
}

/* ---- the geocoder ---------------------------------------------------------- */

/* The geocoder knows the position, the gazetteer how to read the text, and which names are areas. */
static enum errcode name_of(struct place_query *q, const char *text, const char *country,
    struct place *out)
{
	struct place read = { 0 };
	bool found;
	enum errcode rc = place_by_name(q->con, q->mem, q->ctx, text, country, &read, &found, q->e);

	if (rc == OK && found && read.area != NULL)
		*out = read;
	out->name = read.name;
	out->airport_said = read.airport_said;
	return rc;
}

/* A geocoder that fails is no error, because the gazetteer may know the place. */
static enum errcode by_geocoder(struct place_query *q, const char *text, const char *country,
    struct place *out, bool *found)
{
	struct geocoder *g = q->ctx->geocoder;
	struct place_said said = { text, country, q->ctx->country };
	struct place_address p;
	bool split;
	enum errcode rc;

	/* a country in the text comes before all that is preferred */
	if (address_split(&p, q->con, q->mem, text, &split, q->e) != OK)
		return q->e->code;
	if (address_country(&p) != NULL)
		said.country = address_country(&p);
	/* otherwise eight slow calls could occupy all connections */
	aircon_rest(q->con);
	rc = g->look(g, q->mem, &said, q->ctx->watch, out, found, q->e);
	if (rc == ERR_UPSTREAM) {
		log_msg(LOG_WARN, "geocoder", "why=\"%s\"", q->e->msg);
		*found = false;
		rc = OK;
	}
	if (!*found)
		*out = (struct place){ 0 };
	return rc;
}

/* ---- all together ---------------------------------------------------------- */

static void by_coordinates(struct place_query *q, const char *text, struct place *out, bool *found)
{
	double lat, lon;
	const char *why;
	enum coords c = place_coords_read(text, &lat, &lon, &why);

	*found = c == COORDS_VALID;
	if (c == COORDS_VALID)
		*out = (struct place){ .source = PLACE_COORDS, .lat = lat, .lon = lon,
			.label = arena_printf(q->mem, "%.4f, %.4f", lat, lon) };
	if (c == COORDS_WRONG)
		*out = (struct place){ .source = PLACE_COORDS, .why = arena_printf(q->mem,
		    "these coordinates are not on Earth: %s", why) };
}

enum errcode place_resolve(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, const char *country, struct place *out, bool *found, struct err *e)
{
	struct err local;
	struct place_query q = { con, a, ctx, e != NULL ? e : &local };
	struct str t = str_trim(str_of(text));
	enum errcode rc;
	char *s;

	*out = (struct place){ 0 };
	*found = false;
	if (t.n == 0 || t.n > TEXT_MAX || !readable(t)) {
		out->why = t.n == 0 ? "no place was named" : t.n > TEXT_MAX ?
		    "the name of a place has at most 200 bytes" : "that is not the name of a place";
		return OK;
	}
	s = arena_strndup(a, t.p, t.n);
	rc = by_code(&q, s, out, found);
	if (rc == OK && *found)
		return city_beside(&q, s, out);
	if (rc == OK && !*found)
		rc = by_label(&q, s, out, found);
	if (rc == OK && !*found)
		by_coordinates(&q, s, out, found);
	if (rc == OK && !*found && out->why != NULL)
		return OK;
	if (rc == OK && !*found)
		rc = by_area(&q, s, country, out, found);
	if (rc == OK && !*found && ctx != NULL && ctx->geocoder != NULL)
		rc = by_geocoder(&q, s, country, out, found);
	if (rc == OK && !*found)
		rc = place_by_name(con, a, ctx, s, country, out, found, q.e);
	else if (rc == OK && out->source == PLACE_GEOCODER)
		rc = name_of(&q, s, country, out);
	return rc;
}

bool place_names_area(const char *folded)
{
	char key[PLACE_KEY_MAX];

	place_key(key, folded, false, NULL);
	return area_named(key, 0) != NULL;
}

bool place_well_known(const char *text)
{
	char key[PLACE_KEY_MAX];

	place_key(key, text, false, NULL);
	return town_named(key);
}

bool place_known(struct aircon *con, const char *folded)
{
	char key[PLACE_KEY_MAX];

	place_key(key, folded, false, NULL);
	return strlen(key) > 1 && !place_common(key) &&
	    (area_named(key, 0) != NULL || gazetteer_has(con, key));
}

