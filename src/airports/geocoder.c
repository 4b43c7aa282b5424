/*
 * Geoapify gives points; this module decides which of several Cambridges is meant, and says which
 * others there are.
 */
#include "airports/geocoder.h"

#include <math.h>

#include "airports/countries.h"
#include "airports/geo.h"
#include "airports/place_by_name.h"
#include "base/str.h"

/* Another place that has this share of the chosen one's importance may be meant too. */
static const double nearly = 0.7;

const char *geocoder_preferred(struct arena *a)
{
	const char *list = NULL;

	for (size_t i = 0; i < country_count(); i++) {
		const char *code = country_at(i)->code;

		if (country_preferred(code))
			list = arena_printf(a, "%s%s%c%c", list == NULL ? "" : list, list == NULL ? "" : ",",
			    ascii_lower(code[0]), ascii_lower(code[1]));
	}
	return list;
}

size_t geocoder_choose(const struct geoapify_hit *hits, size_t n, const char *likely)
{
	for (size_t i = 0; likely != NULL && i < n; i++)
		if (strieq(hits[i].country, likely))
			return i;
	for (size_t i = 0; i < n; i++)
		if (hits[i].country != NULL && country_preferred(hits[i].country))
			return i;
	return 0;
}

static void add_others(struct place *p, const struct geoapify_hit *hits, size_t n, size_t chosen)
{
	for (size_t i = 0; i < n; i++) {
		const struct geoapify_hit *h = &hits[i];

		if (i != chosen && place_add_other(p, &(struct place_other){ h->label, h->country, h->lat,
		        h->lon }))
			p->unsure |= !(h->importance < nearly * hits[chosen].importance);
	}
}

static enum errcode look(struct geocoder *base, struct arena *a, const struct place_said *said,
    const struct watch *w, struct place *out, bool *found, struct err *e)
{
	struct geocoder_geoapify *g = (struct geocoder_geoapify *)base;   /* its first member */
	struct geoapify_hit all[GEOAPIFY_HITS], hits[GEOAPIFY_HITS];
	size_t nall, n = 0;

	*found = false;
	enum errcode rc = geoapify_search(g->service, a, said->text, said->country, w, all, &nall, e);
	if (rc != OK)
		return rc;
	/* Paris in Germany is not the one in France, whatever the service thinks */
	for (size_t i = 0; i < nall; i++)
		if (said->country == NULL || strieq(all[i].country, said->country))
			hits[n++] = all[i];
	if (n == 0)
		return OK;
	size_t chosen = geocoder_choose(hits, n, said->likely);
	const struct geoapify_hit *h = &hits[chosen];
	*out = (struct place){ .source = PLACE_GEOCODER, .lat = h->lat, .lon = h->lon,
		.label = h->label, .country = h->country };
	add_others(out, hits, n, chosen);
	*found = true;
	return OK;
}

void geocoder_geoapify_init(struct geocoder_geoapify *g, struct geoapify *service)
{
	*g = (struct geocoder_geoapify){ { look }, service };
}
