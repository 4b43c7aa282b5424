/*
 * Names of places.
 *
 * The text is read as a name and an area ("Paris, Texas", "Lyon (FR)", "Cambridge UK", "London
 * Ontario"). A known area must fit: Paris in Texas is never the one in France. Without an area, a
 * country hint comes first, then the countries that the geocoder prefers, unless the place
 * elsewhere is much more important (Boston is not in Lincolnshire). A name that is not in the
 * gazetteer is searched in airport names, word by word.
 */
#include "airports/place_by_name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "airports/airindex.h"
#include "airports/countries.h"
#include "airports/gazetteer.h"
#include "airports/place_key.h"
#include "airports/town_airport.h"
#include "base/jsn.h"
#include "base/str.h"

enum {
	AREAS_MAX = 8,
	AREA_WORDS = 4,              /* "... republic of the congo" */
	FUZZY_MAX = 200,             /* hits of one word that are compared by name */
	FUZZY_WORDS = 8,
	WORD_MIN = 4,                /* shortest word that is searched */
};
static const double
	/* a preferred country wins over places up to this much bigger */
	preference = 20,
	hamlet = 12,                 /* lighter cities are hardly known */
	region_share = 0.05,         /* of a region's weight, against that of cities */
	airport_share = 0.3;         /* of an airport's name, when the text does not say airport */

/* "in France", "in Texas": one meaning of an area. Of each part of an address ("Paris, Texas, USA")
 * one meaning must fit. */
struct place_area {
	const char *country, *region;       /* one of them */
	int part;
};

struct place_name_query {
	struct aircon *con;
	struct arena *mem;
	const char *name;                    /* without the area */
	const char *hint;                    /* preferred country, or NULL */
	struct place_area areas[AREAS_MAX];        /* no area: anywhere */
	size_t nareas;
	int parts;
	const char *area;                    /* as it was typed */
	bool airport;                        /* the text says airport, aerodrome or the like */
	struct err *e;
};

static bool has_small_letters(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'a' && *s <= 'z')
			return true;
	return false;
}

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

/* ---- areas ------------------------------------------------------------- */

static void add_area(struct place_name_query *q, const char *country, const char *region)
{
	if (q->nareas < AREAS_MAX)
		q->areas[q->nareas++] = (struct place_area){ country, region, q->parts };
}

/* All meanings of a text as an area; Georgia has two. `code`: two letters may be a code. */
static enum errcode read_area(struct place_name_query *q, struct str text, bool code)
{
	char *s = arena_strndup(q->mem, text.p, text.n);
	const struct country *c = country_by_name(str_fold(q->mem, s));
	char key[PLACE_KEY_MAX];
	struct gaz_hit *hits;
	size_t n, before = q->nareas;

	if (c == NULL && code)
		c = country_by_code(s);
	if (c != NULL)
		add_area(q, c->code, NULL);
	place_key(key, s, false, NULL);
	for (int i = 0; i < 2; i++) {
		if (gazetteer_find(q->con, q->mem, key, &hits, &n, q->e) != OK)
			return q->e->code;
		for (size_t k = 0; k < n; k++)
			if (hits[k].kind == GAZ_REGION)
				add_area(q, NULL, hits[k].region);
		if (!code || text.n < 2 || text.n > 3)
			break;
		snprintf(key, sizeof(key), "#%.3s", s);
		str_upper(key);
	}
	/* "CA" means Canada or California: the place decides */
	if (q->nareas == before)
		return ERR_NOTFOUND;
	q->parts++;
	q->area = q->area == NULL ? s : arena_printf(q->mem, "%s, %s", q->area, s);
	return OK;
}

/* Split the text at a comma, brackets or "in"; each part after the first may be an area. */
static enum errcode split_marked(struct place_name_query *q, const char *text, bool *split)
{
	const char *in = strcasestr(text, " in ");
	size_t n = strcspn(text, ",(");
	const char *rest = text + n;
	enum errcode rc = OK;

	*split = false;
	if (*rest == '\0' && in != NULL) {
		n = (size_t)(in - text);
		rest = in + 3;
	}
	if (*rest == '\0' || n == 0)
		return OK;
	for (const char *p = rest + 1; *p != '\0' && (rc == OK || rc == ERR_NOTFOUND);) {
		size_t len = strcspn(p, ",()");
		struct str part = str_trim((struct str){ p, len });

		if (part.n > 0) {
			rc = read_area(q, part, true);
			*split |= rc == OK;
		}
		p += len + (p[len] != '\0');
	}
	if (*split || *rest == ',' || *rest == '(')
		q->name = arena_strndup(q->mem, text, n);
	return rc == OK || rc == ERR_NOTFOUND ? OK : rc;
}

/* "Cambridge UK", "Perth Western Australia": the last words may be an area, the longest first. */
static enum errcode split_words(struct place_name_query *q, const char *text, bool *split)
{
	const char *cut[AREA_WORDS];
	int n = 0;

	*split = false;
	for (const char *p = text + strlen(text); p > text + 1 && n < AREA_WORDS; p--)
		if (p[-1] == ' ' && p[0] != ' ' && p[0] != '\0')
			cut[n++] = p;
	while (n-- > 0 && !*split) {
		struct str area = str_of(cut[n]);
		enum errcode rc = read_area(q, area, area.n <= 3 && !has_small_letters(cut[n]));

		if (rc != OK && rc != ERR_NOTFOUND)
			return rc;
		*split = rc == OK;
		if (*split)
			q->name = arena_strndup(q->mem, text, (size_t)(cut[n] - text));
	}
	return OK;
}

static bool within(const struct place_name_query *q, const char *country, const char *region)
{
	for (int part = 0; part < q->parts; part++) {
		bool fits = false;

		for (size_t i = 0; i < q->nareas; i++)
			if (q->areas[i].part == part)
				fits |= q->areas[i].country != NULL ?
				    strieq(country, q->areas[i].country) :
				    streq(region, q->areas[i].region);
		if (!fits)
			return false;
	}
	return true;
}

/* ---- gazetteer --------------------------------------------------------- */

static double score(const struct place_name_query *q, const struct gaz_hit *h)
{
	double s = h->weight;

	if (h->kind == GAZ_REGION)
		s *= region_share;
	if (h->kind == GAZ_AIRPORT && !q->airport)
		s *= airport_share;
	if (q->hint != NULL && strieq(h->country, q->hint))
		s *= 1e6;
	else if (country_preferred(h->country))
		s *= preference;
	return s;
}

static enum errcode best_hit(struct place_name_query *q, const char *key, struct gaz_hit *best,
    bool *found, bool *elsewhere)
{
	struct gaz_hit *hits;
	double top = -1;
	size_t n;

	if (gazetteer_find(q->con, q->mem, key, &hits, &n, q->e) != OK)
		return q->e->code;
	for (size_t i = 0; i < n; i++) {
		if (!within(q, hits[i].country, hits[i].region)) {
			*elsewhere = true;
			continue;
		}
		if (score(q, &hits[i]) > top) {
			top = score(q, &hits[i]);
			*best = hits[i];
			*found = true;
		}
	}
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

		place_key(key, q->name, false, NULL);
		rc = town_airport(q->con, q->mem, &t, PLACE_MAIN, &ap, &nm, &found, q->e);
	}
	if (rc != OK)
		return rc;
	if (found)
		place_be_airport(q->mem, out, PLACE_GAZETTEER, &ap);
	else
		/* the middle of a town is known to a metre at best */
		*out = (struct place){ .source = PLACE_GAZETTEER,
		    .lat = num_round(h->lat, 5), .lon = num_round(h->lon, 5),
			.label = label(q, h), .country = h->country };
	return OK;
}

/* Words around a name that mean nothing: "the Paris area", "near Lyon", "city of Bath". */
static const char *strip(struct arena *a, const char *name)
{
	static const char *const before[] = {
		"the ", "near ", "around ", "close to ", "city of ", "town of ", "area of ", "region of ",
		"downtown ", "central ", "greater ", "in ",
	};
	static const char *const after[] = { " area", " region", " city", " town", " state" };
	char *s = arena_strdup(a, name);
	bool again = true;

	while (again) {
		size_t n = strlen(s);

		again = false;
		for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
			if (strncasecmp(s, before[i], strlen(before[i])) == 0) {
				s += strlen(before[i]);
				again = true;
				break;
			}
		for (size_t i = 0; i < sizeof(after) / sizeof(after[0]) && !again; i++)
			if (n > strlen(after[i]) && strieq(s + n - strlen(after[i]), after[i])) {
				s[n - strlen(after[i])] = '\0';
				again = true;
			}
	}
	return s;
}

static enum errcode exact(struct place_name_query *q, const char *name, struct gaz_hit *hit,
    bool *found, bool *elsewhere)
{
	char key[PLACE_KEY_MAX], other[PLACE_KEY_MAX];
	const struct country *c;
	enum errcode rc;

	place_key(key, name, false, &q->airport);
	if (key[0] == '\0')
		return OK;
	rc = best_hit(q, key, hit, found, elsewhere);
	if (rc == OK && !*found) {
		/* stored as "Duebendorf", searched as Dübendorf */
		place_key(other, name, true, NULL);
		if (!streq(key, other))
			rc = best_hit(q, other, hit, found, elsewhere);
	}
	if (rc == OK && !*found) {
		/* stored as "Göttingen", searched as Goettingen */
		place_unspelt(other, key);
		if (!streq(key, other))
			rc = best_hit(q, other, hit, found, elsewhere);
	}
	c = rc == OK && !*found ? country_by_name(str_fold(q->mem, name)) : NULL;
	if (c != NULL) {
		snprintf(key, sizeof(key), "@%s", c->code);
		rc = best_hit(q, key, hit, found, elsewhere);
	}
	return rc;
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

static bool has_word(const char *key, const char *word, size_t n)
{
	for (const char *p = key; (p = strstr(p, word)) != NULL; p++)
		if ((p == key || p[-1] == ' ') && (p[n] == '\0' || p[n] == ' '))
			return true;
	return false;
}

static double fuzzy_score(struct place_name_query *q, const struct airport *a,
    char *const *words, size_t n)
{
	char name[PLACE_KEY_MAX], city[PLACE_KEY_MAX];
	struct gaz_hit h = { .kind = GAZ_AIRPORT, .country = a->country, .region = a->region };

	if (!within(q, a->country, a->region))
		return 0;
	place_key(name, a->name, false, NULL);
	place_key(city, a->municipality, false, NULL);
	for (size_t i = 0; i < n; i++)
		if (!has_word(name, words[i], strlen(words[i])) &&
		    !has_word(city, words[i], strlen(words[i])))
			return 0;
	h.weight = sizes[a->type] * (a->flags & AF_SCHEDULED ? 1.5 : 1);
	/* one word from the middle of a name is weak evidence for a small field */
	return n == 1 && h.weight < sizes[TYPE_MEDIUM] && !starts_with(name, words[0]) &&
	    !starts_with(city, words[0]) ? 0 : score(q, &h);
}

/* The best airport with these words, if its score is above `top`. */
static enum errcode fuzzy(struct place_name_query *q, const char *name, double top,
    struct place *out, bool *found)
{
	struct place_name_fuzzy *f = arena_alloc(q->mem, sizeof(*f));
	char key[PLACE_KEY_MAX], *words[FUZZY_WORDS], *longest = NULL;
	struct airport *v, *best = NULL;
	char *rest = key;
	size_t n = 0;

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
	if (q->nareas == 1)
		f->country = q->areas[0].country;
	if (airindex_text(q->con, longest, collect, f, q->e) != OK)
		return q->e->code;
	v = arena_array(q->mem, f->n + 1, sizeof(*v));
	if (airdb_by_rows(q->con, q->mem, f->rows, f->n, v, q->e) != OK)
		return q->e->code;
	for (size_t i = 0; i < f->n; i++) {
		double s = fuzzy_score(q, &v[i], words, n);

		if (s > top) {
			top = s;
			best = &v[i];
		}
	}
	*found = best != NULL;
	if (best != NULL)
		place_be_airport(q->mem, out, PLACE_GAZETTEER, best);
	return OK;
}

/* ---- all together ------------------------------------------------------ */

static enum errcode by_gazetteer(struct place_name_query *q, const char *text, struct place *out,
    bool *found)
{
	struct gaz_hit hit;
	bool split = false, elsewhere = false, known = false;
	enum errcode rc;

	q->name = text;
	/* first the whole text as a name: "Port of Spain", "Salisbury, Wiltshire", "New Mexico" */
	rc = exact(q, text, &hit, &known, &elsewhere);
	if (rc == OK && strpbrk(text, ",(") != NULL && known) {
		/* unless its end is an area; in "Luton, Luton" it is not */
		rc = split_marked(q, text, &split);
		if (split)
			known = false;
		q->name = text;
	}
	if (rc == OK && !known) {
		q->nareas = 0;
		q->parts = 0;
		q->area = NULL;
		rc = split_marked(q, text, &split);
		if (rc == OK && !split && streq(q->name, text))
			rc = split_words(q, text, &split);
		for (int i = 0; i < 2 && rc == OK && !known; i++) {
			rc = exact(q, q->name, &hit, &known, &elsewhere);
			if (!known)
				q->name = strip(q->mem, q->name);
		}
	}
	/* a hamlet overseas, or the first word of a field nearby: Lucca, Albertville */
	if (rc == OK && known && hit.kind == GAZ_CITY && hit.weight < hamlet && q->hint == NULL &&
	    q->nareas == 0 && !country_preferred(hit.country)) {
		rc = fuzzy(q, q->name, score(q, &hit), out, found);
		if (*found)
			return rc;
	}
	if (rc == OK && known) {
		*found = true;
		return be_hit(q, &hit, out);
	}
	if (rc == OK)
		rc = fuzzy(q, q->name, 0, out, found);
	if (rc == OK && !*found && q->nareas > 0)
		out->why = elsewhere ?
		    arena_printf(q->mem, "\"%s\" is known, but not in %s", q->name, q->area) :
		    arena_printf(q->mem, "no airport, city or region called \"%s\" is known in %s", q->name,
			q->area);
	else if (rc == OK && !*found)
		out->why = arena_printf(q->mem, "no airport, city or region called \"%s\" is known", q->name);
	return rc;
}

enum errcode place_by_name(struct aircon *con, struct arena *a, const char *text,
    const char *country, struct place *out, bool *found, struct err *e)
{
	struct err local;
	struct place_name_query q = { .con = con, .mem = a, .hint = country, .e = e != NULL ? e : &local };
	enum errcode rc;
	char key[PLACE_KEY_MAX];

	*found = false;
	rc = by_gazetteer(&q, text, out, found);
	place_key(key, q.name, false, &out->airport_said);
	out->name = arena_strdup(a, key);
	return rc;
}
