/*
 * Names of places.
 *
 * The text is read as a name and an address ("Paris, Texas", "Lyon (FR)", "Cambridge UK", "London
 * Ontario"). A known address must fit: Paris in Texas is never the one in France. Without one, a
 * country hint comes first, then the countries that are preferred or likely, unless the place
 * elsewhere is much more important (Boston is not in Lincolnshire). A name that is not in the
 * gazetteer is searched in airport names, word by word, and last as a misspelt name.
 */
#include "airports/place_by_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airindex.h"
#include "airports/areas.h"
#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "airports/gazetteer.h"
#include "airports/place_address.h"
#include "airports/place_key.h"
#include "airports/place_slip.h"
#include "airports/town_airport.h"
#include "base/jsn.h"
#include "base/str.h"

enum {
	FUZZY_MAX = 200,             /* hits of one word that are compared by name */
	FUZZY_WORDS = 8,
	WORD_MIN = 4,                /* shortest word that is searched */
	RARE_LETTERS = 6,            /* a word with at least so many letters identifies an airport if few airports have it */
	RARE_HITS = 3,               /* at most so many airports are few */
	OTHERS_LOOKED_AT = 12,
};
static const double
	/* a preferred country wins over places up to this much bigger */
	preference = 20,
	hamlet = 12,                 /* lighter cities are hardly known */
	region_share = 0.05,         /* of a region's weight, against that of cities */
	airport_share = 0.3,         /* of an airport's name, when the text does not say airport */
	flight_nm = 300,             /* of two places of a flight: beyond this, the nearer is likelier */
	same_place_nm = 15,
	town_and_word_nm = 25,       /* of a town and its airport */
	nearly = 0.25;               /* a place with this share of the best score may be meant too */

struct place_name_query {
	struct aircon *con;
	struct arena *mem;
	const struct place_context *ctx;     /* or NULL */
	const char *hint;                    /* preferred country, or NULL */
	struct place_address at;
	bool airport;                        /* the text says airport, aerodrome or the like */
	struct err *e;
};

static const char *title(struct arena *a, const struct airport *ap)
{
	return ap->name != NULL ? arena_printf(a, "%s (%s)", ap->name, ap->ident) : ap->ident;
}

void place_be_airport(struct arena *a, struct place *out, enum place_source source,
    const struct airport *ap)
{
	*out = (struct place){ .source = source, .lat = ap->lat, .lon = ap->lon,
		.label = title(a, ap), .country = ap->country, .is_airport = true, .airport = *ap };
}

/* ---- gazetteer --------------------------------------------------------- */

/* A place that the name may mean. `likely`: its score without regard to hint and preference. */
struct place_candidate {
	struct gaz_hit hit;
	double score, likely;
};

struct place_candidates {
	struct place_candidate v[GAZ_HITS];
	size_t n;
	bool elsewhere;              /* the address excluded one */
};

static struct place_candidate judged(const struct place_name_query *q, const struct gaz_hit *h)
{
	const struct place_context *ctx = q->ctx;
	struct place_candidate c = { .hit = *h, .likely = h->weight };

	if (h->kind == GAZ_REGION)
		c.likely *= region_share;
	if (h->kind == GAZ_AIRPORT && !q->airport)
		c.likely *= airport_share;
	c.score = c.likely;
	if (q->hint != NULL && strieq(h->country, q->hint))
		c.score *= 1e6;
	else if (country_preferred(h->country) ||
	    (ctx != NULL && ctx->country != NULL && strieq(h->country, ctx->country)))
		c.score *= preference;
	/* "Newport, Wales" is not the one on the Isle of Wight */
	if (q->at.area != NULL && !isnan(h->lat) && area_holds(q->at.area, (struct point){ h->lat, h->lon }))
		c.score *= 1e6;
	if (ctx != NULL && ctx->near != NULL && !isnan(h->lat))
		c.score *= fmin(1, flight_nm / fmax(1, geo_distance_nm(*ctx->near,
		    (struct point){ h->lat, h->lon })));
	return c;
}

static int by_score(const void *pa, const void *pb)
{
	const struct place_candidate *a = pa, *b = pb;

	return a->score != b->score ? (a->score > b->score ? -1 : 1) : a->hit.row < b->hit.row ? -1
	    : a->hit.row > b->hit.row;
}

/* The position of an airport stands with the airport. */
static enum errcode locate(struct place_name_query *q, struct gaz_hit *h)
{
	struct airport ap;

	if (h->kind != GAZ_AIRPORT || (q->at.area == NULL && (q->ctx == NULL || q->ctx->near == NULL)))
		return OK;
	if (airdb_by_rows(q->con, q->mem, &h->row, 1, &ap, q->e) != OK)
		return q->e->code;
	h->lat = ap.lat;
	h->lon = ap.lon;
	return OK;
}

/* All places with this key that the address allows, the best first. */
static enum errcode gather(struct place_name_query *q, const char *key, struct place_candidates *c)
{
	struct gaz_hit *hits;
	size_t n;

	if (gazetteer_find(q->con, q->mem, key, &hits, &n, q->e) != OK)
		return q->e->code;
	for (size_t i = 0; i < n && c->n < GAZ_HITS; i++) {
		if (!address_allows(&q->at, hits[i].country, hits[i].region)) {
			c->elsewhere = true;
			continue;
		}
		if (locate(q, &hits[i]) != OK)
			return q->e->code;
		c->v[c->n++] = judged(q, &hits[i]);
	}
	qsort(c->v, c->n, sizeof(c->v[0]), by_score);
	return OK;
}

static bool has_preferred(const struct place_candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (country_preferred(c->v[i].hit.country))
			return true;
	return false;
}

/* "Au Havre", "near Rochelle": a name has lost its article, and without it only a place far away has that name. Adds the places of preferred
 * countries that have an article. */
static enum errcode gather_with_article(struct place_name_query *q, const char *key, struct place_candidates *c)
{
	const struct fact_words *articles = &facts_in_use()->place_words[WORDS_OWN_ARTICLE];
	char whole[PLACE_KEY_MAX];

	if (has_preferred(c))
		return OK;
	for (size_t i = 0; i < articles->n; i++) {
		struct place_candidates more = { .n = 0 };

		if (snprintf(whole, sizeof(whole), "%s %s", articles->word[i], key) >= (int)sizeof(whole))
			break;
		if (gather(q, whole, &more) != OK)
			return q->e->code;
		for (size_t k = 0; k < more.n && c->n < GAZ_HITS; k++)
			if (country_preferred(more.v[k].hit.country))
				c->v[c->n++] = more.v[k];
	}
	qsort(c->v, c->n, sizeof(c->v[0]), by_score);
	return OK;
}

static const char *country_name(const char *code)
{
	const struct country *c = country_by_code(code);

	return c != NULL ? c->name : code;
}

/* Name of a region by its code, or NULL. */
static const char *region_name(struct place_name_query *q, const char *code)
{
	const char *dash = code != NULL ? strchr(code, '-') : NULL;
	char key[PLACE_KEY_MAX];
	struct gaz_hit *hits;
	size_t n;

	if (dash == NULL)
		return NULL;
	snprintf(key, sizeof(key), "#%.20s", dash + 1);
	if (gazetteer_find(q->con, q->mem, key, &hits, &n, q->e) != OK)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (streq(hits[i].region, code))
			return hits[i].name;
	return NULL;
}

/* In large countries the state is a part of the address. */
static const char *label(struct place_name_query *q, const struct gaz_hit *h)
{
	static const char *const federal[] = { "US", "CA", "AU", "BR" };
	const char *region = NULL;

	if (h->kind == GAZ_COUNTRY)
		return h->name;
	for (size_t i = 0; i < sizeof(federal) / sizeof(federal[0]); i++)
		if (h->kind == GAZ_CITY && streq(h->country, federal[i]))
			region = region_name(q, h->region);
	if (region != NULL && !streq(region, h->name))
		return arena_printf(q->mem, "%s, %s, %s", h->name, region, country_name(h->country));
	return arena_printf(q->mem, "%s, %s", h->name, country_name(h->country));
}

static enum errcode be_hit(struct place_name_query *q, const struct gaz_hit *h, struct place *out)
{
	struct airport ap;
	double nm;
	bool found = h->kind == GAZ_AIRPORT;
	enum errcode rc = OK;

	if (found) {
		rc = airdb_by_rows(q->con, q->mem, &h->row, 1, &ap, q->e);
	} else if (h->kind == GAZ_CITY && q->airport) {
		char key[PLACE_KEY_MAX];
		const struct town t = { .country = h->country, .name = key, .lat = h->lat,
			.lon = h->lon };

		place_key(key, q->at.name, false, NULL);
		rc = town_airport(q->con, q->mem, &t, PLACE_MAIN, &ap, &nm, &found, q->e);
	}
	if (rc != OK)
		return rc;
	if (found) {
		place_be_airport(q->mem, out, PLACE_GAZETTEER, &ap);
		return OK;
	}
	/* the middle of a town is known to a metre at best */
	*out = (struct place){ .source = PLACE_GAZETTEER,
		.lat = num_round(h->lat, 5), .lon = num_round(h->lon, 5),
		.label = label(q, h), .country = h->country };
	if (h->kind != GAZ_CITY)
		out->area = area_of(q->mem, h->name, h->country,
		    h->kind == GAZ_REGION ? h->region : NULL, (struct point){ out->lat, out->lon });
	return OK;
}

static bool close_to(const struct place_other *o, double lat, double lon)
{
	return geo_distance_nm((struct point){ o->lat, o->lon }, (struct point){ lat, lon }) <
	    same_place_nm;
}

bool place_add_other(struct place *p, const struct place_other *o)
{
	bool known = close_to(o, p->lat, p->lon) || streq(o->label, p->label);

	for (size_t i = 0; i < p->nothers; i++)
		known |= close_to(o, p->other[i].lat, p->other[i].lon) || streq(o->label, p->other[i].label);
	if (known || p->nothers == PLACE_OTHERS)
		return false;
	p->other[p->nothers++] = *o;
	return true;
}

/* What else the name could have meant, and whether that is nearly as likely. `airports`: airports with
 * that name, which come last, because a town and its airport are one place. */
static enum errcode add_others(struct place_name_query *q, const struct place_candidates *c,
    bool airports, struct place *out)
{
	const struct place_candidate *best = &c->v[0];
	enum errcode rc = OK;

	for (size_t i = 1; i < c->n && i < OTHERS_LOOKED_AT && rc == OK; i++) {
		const struct place_candidate *x = &c->v[i];
		struct place_other o = { .country = x->hit.country, .lat = num_round(x->hit.lat, 5),
			.lon = num_round(x->hit.lon, 5) };
		struct airport ap;

		if ((x->hit.kind == GAZ_AIRPORT) != airports)
			continue;
		if (airports) {
			rc = airdb_by_rows(q->con, q->mem, &x->hit.row, 1, &ap, q->e);
			if (rc != OK)
				return rc;
			o = (struct place_other){ title(q->mem, &ap), ap.country, ap.lat, ap.lon };
		} else {
			o.label = label(q, &x->hit);
		}
		if (place_add_other(out, &o))
			out->unsure |= x->likely >= nearly * best->likely || x->score >= nearly * best->score;
	}
	return rc;
}

static enum errcode exact(struct place_name_query *q, const char *name, struct place_candidates *c)
{
	char key[PLACE_KEY_MAX], other[PLACE_KEY_MAX];
	const struct country *country;
	enum errcode rc;

	place_key(key, name, false, &q->airport);
	if (key[0] == '\0')
		return OK;
	rc = gather(q, key, c);
	if (rc == OK && c->n == 0) {
		/* stored as "Duebendorf", searched as Dübendorf */
		place_key(other, name, true, NULL);
		if (!streq(key, other))
			rc = gather(q, other, c);
	}
	if (rc == OK && c->n == 0) {
		/* stored as "Göttingen", searched as Goettingen */
		place_unspelt(other, key);
		if (!streq(key, other))
			rc = gather(q, other, c);
	}
	country = rc == OK && c->n == 0 ? country_by_name(str_fold(q->mem, name)) : NULL;
	if (country != NULL) {
		snprintf(key, sizeof(key), "@%s", country->code);
		rc = gather(q, key, c);
	}
	return rc == OK && country == NULL ? gather_with_article(q, key, c) : rc;
}

/* ---- words of airport names -------------------------------------------- */

struct place_name_fuzzy {
	const char *country;         /* only in this area, or NULL */
	int64_t rows[FUZZY_MAX];
	size_t n;
};

static const double sizes[TYPE__MAX] = {
	[TYPE_LARGE] = 30, [TYPE_MEDIUM] = 8, [TYPE_SMALL] = 2, [TYPE_SEAPLANE] = 1,
};

/* The record has no region; the record of the name will show whether the airport is in the area. */
static bool collect(void *arg, const struct airport *a)
{
	struct place_name_fuzzy *f = arg;

	if (!isnan(a->lat) && sizes[a->type] > 0 &&
	    (f->country == NULL || strieq(a->country, f->country)))
		f->rows[f->n++] = a->row;
	return f->n < FUZZY_MAX;
}

/* rare: only few airports have the longest of these words */
static double fuzzy_score(struct place_name_query *q, const struct airport *a,
    char *const *words, size_t n, bool rare)
{
	char name[PLACE_KEY_MAX], city[PLACE_KEY_MAX];
	struct gaz_hit h = { .kind = GAZ_AIRPORT, .country = a->country, .region = a->region,
		.lat = a->lat, .lon = a->lon };

	if (!address_allows(&q->at, a->country, a->region))
		return 0;
	place_key(name, a->name, false, NULL);
	place_key(city, a->municipality, false, NULL);
	for (size_t i = 0; i < n; i++)
		if (!place_key_has(name, str_of(words[i])) &&
		    !place_key_has(city, str_of(words[i])))
			return 0;
	h.weight = sizes[a->type] * (a->flags & AF_SCHEDULED ? 1.5 : 1);
	/* one word from the middle of a name is weak evidence for a small field */
	return n == 1 && h.weight < sizes[TYPE_MEDIUM] && !starts_with(name, words[0]) &&
	    !starts_with(city, words[0]) && !(rare && country_preferred(a->country)) ? 0 : judged(q, &h).score;
}

/* The best airport with these words, if its score is above `top`; the next ones are what else could be
 * meant. */
static enum errcode fuzzy(struct place_name_query *q, const char *name, double top,
    struct place *out, bool *found)
{
	struct place_name_fuzzy *f = arena_alloc(q->mem, sizeof(*f));
	char key[PLACE_KEY_MAX], *words[FUZZY_WORDS], *longest = NULL;
	struct airport *v;
	struct place_candidate *c;
	char *rest = key;
	size_t n = 0, fit = 0;

	place_key(key, name, false, NULL);
	while (rest != NULL && n < FUZZY_WORDS) {
		char *w = strsep(&rest, " ");

		words[n++] = w;
		/* half of France begins with "saint" */
		if (longest == NULL || (!streq(w, "saint") && strlen(w) > strlen(longest)) ||
		    (streq(longest, "saint") && strlen(w) >= WORD_MIN))
			longest = w;
	}
	if (longest == NULL || strlen(longest) < WORD_MIN)
		return OK;
	f->country = q->at.n == 1 ? q->at.meaning[0].country : NULL;
	if (airindex_text(q->con, longest, collect, f, q->e) != OK)
		return q->e->code;
	v = arena_array(q->mem, f->n + 1, sizeof(*v));
	c = arena_array(q->mem, f->n + 1, sizeof(*c));
	if (airdb_by_rows(q->con, q->mem, f->rows, f->n, v, q->e) != OK)
		return q->e->code;
	const bool rare = f->n <= RARE_HITS && strlen(longest) >= RARE_LETTERS;
	for (size_t i = 0; i < f->n; i++) {
		c[fit] = (struct place_candidate){ .score = fuzzy_score(q, &v[i], words, n, rare),
			.hit.row = (int64_t)i };
		fit += c[fit].score > top;
	}
	*found = fit > 0;
	if (!*found)
		return OK;
	qsort(c, fit, sizeof(*c), by_score);
	place_be_airport(q->mem, out, PLACE_GAZETTEER, &v[c[0].hit.row]);
	for (size_t i = 1; i < fit; i++) {
		const struct airport *ap = &v[c[i].hit.row];

		if (place_add_other(out, &(struct place_other){ title(q->mem, ap), ap->country, ap->lat,
		        ap->lon }))
			out->unsure |= c[i].score >= nearly * c[0].score;
	}
	return OK;
}

/* ---- all together ------------------------------------------------------ */

/* "Belfast City": a word that often only says what a place is, here a part of the own name of an airport. */
static enum errcode by_own_name(struct place_name_query *q, const char *name, struct place *out, bool *found)
{
	char key[PLACE_KEY_MAX], own[PLACE_KEY_MAX];
	const char *rest = key;
	struct str word;
	enum errcode rc = fuzzy(q, name, 0, out, found);

	if (!*found)
		return rc;
	place_key(key, name, false, NULL);
	place_key(own, out->airport.name, false, NULL);
	while (*found && str_part(&rest, ' ', &word))
		*found = place_key_has(own, word);
	if (!*found)
		*out = (struct place){ 0 };
	return rc;
}

/* "Venedig Lido": a town by another name than the airport's, and a word of the airport's name. */
static enum errcode by_town_and_word(struct place_name_query *q, const char *name, struct place *out, bool *found)
{
	struct place_name_fuzzy *f = arena_alloc(q->mem, sizeof(*f));
	struct place_candidates *c = arena_alloc(q->mem, sizeof(*c));
	char key[PLACE_KEY_MAX], own[PLACE_KEY_MAX];
	double nearest = town_and_word_nm;

	place_key(key, name, false, NULL);
	char *word = strrchr(key, ' ');
	if (word == NULL || strlen(word + 1) < WORD_MIN)
		return OK;
	*word++ = '\0';
	enum errcode rc = gather(q, key, c);
	if (rc != OK || c->n == 0 || c->v[0].hit.kind != GAZ_CITY)
		return rc;
	rc = airindex_text(q->con, word, collect, f, q->e);
	struct airport *v = arena_array(q->mem, f->n + 1, sizeof(*v));
	if (rc == OK)
		rc = airdb_by_rows(q->con, q->mem, f->rows, f->n, v, q->e);
	for (size_t i = 0; rc == OK && i < f->n; i++) {
		const double nm = geo_distance_nm((struct point){ c->v[0].hit.lat, c->v[0].hit.lon }, (struct point){ v[i].lat, v[i].lon });
		place_key(own, v[i].name, false, NULL);
		if (nm >= nearest || !place_key_has(own, str_of(word)))
			continue;
		nearest = nm;
		place_be_airport(q->mem, out, PLACE_GAZETTEER, &v[i]);
		*found = true;
	}
	return rc;
}

/* What a name with slips of the finger was meant for. */
static enum errcode by_slip(struct place_name_query *q, const char *name, struct place_candidates *c)
{
	char key[PLACE_KEY_MAX];
	struct db *db = aircon_db(q->con, NULL);

	place_key(key, name, false, NULL);
	const char *meant = db != NULL ? place_slip(db, q->mem, key, PLACE_SLIPS) : NULL;
	return meant != NULL ? gather(q, meant, c) : OK;
}

/* Is this city probably not meant? It is a hamlet overseas, or it is too far from the other end of the flight. Then an airport nearby whose
 * name begins with this word is tried first: Lucca, Albertville, Charleville. */
static bool is_unlikely(const struct place_name_query *q, const struct gaz_hit *h)
{
	const struct point at = { h->lat, h->lon };

	return h->kind == GAZ_CITY && !country_preferred(h->country) && (h->weight < hamlet ||
	    (q->ctx != NULL && q->ctx->near != NULL && geo_distance_nm(*q->ctx->near, at) > PLACE_OVERSEAS_NM));
}

static enum errcode by_gazetteer(struct place_name_query *q, const char *text, struct place *out,
    bool *found)
{
	struct place_candidates *c = arena_alloc(q->mem, sizeof(*c));
	bool split = false;
	enum errcode rc;

	q->at = address_whole(text);
	/* first the whole text as a name: "Port of Spain", "Salisbury, Wiltshire", "New Mexico" */
	rc = exact(q, text, c);
	if (rc == OK && strpbrk(text, ",(") != NULL && c->n > 0) {
		/* unless its end is a country or region; in "Luton, Luton" it is not */
		rc = address_split_marked(&q->at, q->con, q->mem, text, &split, q->e);
		if (split)
			c->n = 0;
		else
			q->at = address_whole(text);
	}
	if (rc == OK && c->n == 0) {
		rc = address_split(&q->at, q->con, q->mem, text, &split, q->e);
		for (int i = 0; i < 2 && rc == OK && c->n == 0; i++) {
			rc = exact(q, q->at.name, c);
			const char *plain = address_plain(q->mem, q->at.name);
			if (rc == OK && c->n == 0 && !streq(plain, q->at.name))
				rc = by_own_name(q, q->at.name, out, found);
			if (*found)
				return rc;
			if (c->n == 0)
				q->at.name = plain;
		}
	}
	if (rc == OK && c->n > 0 && q->hint == NULL && q->at.n == 0 && is_unlikely(q, &c->v[0].hit)) {
		rc = fuzzy(q, q->at.name, c->v[0].score, out, found);
		if (*found)
			return rc;
	}
	if (rc == OK && c->n == 0)
		rc = fuzzy(q, q->at.name, 0, out, found);
	if (rc == OK && c->n == 0 && !*found)
		rc = by_town_and_word(q, q->at.name, out, found);
	if (rc == OK && c->n == 0 && !*found && !c->elsewhere)
		rc = by_slip(q, q->at.name, c);
	if (rc == OK && c->n > 0) {
		*found = true;
		rc = be_hit(q, &c->v[0].hit, out);
		if (rc == OK)
			rc = add_others(q, c, false, out);
		return rc == OK ? add_others(q, c, true, out) : rc;
	}
	if (rc == OK && !*found && q->at.n > 0)
		out->why = c->elsewhere ?
		    arena_printf(q->mem, "\"%s\" is known, but not in %s", q->at.name, q->at.said) :
		    arena_printf(q->mem, "no airport, city or region called \"%s\" is known in %s",
			q->at.name, q->at.said);
	else if (rc == OK && !*found)
		out->why = arena_printf(q->mem, "no airport, city or region called \"%s\" is known",
		    q->at.name);
	return rc;
}

enum errcode place_by_name(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, const char *country, struct place *out, bool *found, struct err *e)
{
	struct err local;
	struct place_name_query q = { .con = con, .mem = a, .ctx = ctx, .hint = country,
		.e = e != NULL ? e : &local };
	enum errcode rc;
	char key[PLACE_KEY_MAX];

	*found = false;
	rc = by_gazetteer(&q, text, out, found);
	place_key(key, q.at.name, false, &out->airport_said);
	out->name = arena_strdup(a, key);
	out->ignored = q.at.unread;
	return rc;
}
