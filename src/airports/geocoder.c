/*
 * Geoapify gives points; this module decides which of several Cambridges is meant.
 */
#include "airports/geocoder.h"

#include "airports/countries.h"
#include "base/str.h"

size_t geocoder_choose(const struct geoapify_hit *hits, size_t n, const char *country)
{
	for (size_t i = 0; country != NULL && i < n; i++)
		if (strieq(hits[i].country, country))
			return i;
	for (size_t i = 0; country == NULL && i < n; i++)
		if (hits[i].country != NULL && country_preferred(hits[i].country))
			return i;
	return 0;
}

static enum errcode look(struct geocoder *base, struct arena *a, const char *text,
    const char *country, const struct watch *w, struct place *out, bool *found, struct err *e)
{
	struct geocoder_geoapify *g = (struct geocoder_geoapify *)base;   /* its first member */
	struct geoapify_hit hits[GEOAPIFY_HITS];
	size_t n;
	*found = false;
	enum errcode rc = geoapify_search(g->service, a, text, w, hits, &n, e);
	if (rc != OK || n == 0)
		return rc;
	const struct geoapify_hit *h = &hits[geocoder_choose(hits, n, country)];
	*out = (struct place){ .source = PLACE_GEOCODER, .lat = h->lat, .lon = h->lon,
		.label = h->label, .country = h->country };
	*found = true;
	return OK;
}

void geocoder_geoapify_init(struct geocoder_geoapify *g, struct geoapify *service)
{
	*g = (struct geocoder_geoapify){ { look }, service };
}
