/*
 * Geoapify geocoding client: place text to points.
 */
#ifndef SERVICES_GEOAPIFY_H
#define SERVICES_GEOAPIFY_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"
#include "drivers/httpc.h"

struct geoapify;

struct geoapify_hit {
	double lat, lon;
	const char *label;        /* the service's `formatted` */
	const char *country;      /* ISO-2, upper case, or NULL */
	double importance;        /* 0 to 1; NaN: not told */
};

enum { GEOAPIFY_HITS = 5 };

/* The strings are borrowed and must outlive it. `prefer`: countries whose places come first, as
 * "de,fr"; NULL: none. One per process, used by all threads. */
struct geoapify *geoapify_new(struct httpc *http, const char *base_url, const char *key,
    const char *prefer);
void geoapify_free(struct geoapify *g);       /* NULL is allowed */

/*
 * Look up a text, in a country (ISO-2) or anywhere (NULL): at most GEOAPIFY_HITS results, best first,
 * in the arena; answers are cached for a day.
 * Takes three seconds at most. ERR_UPSTREAM with the reason (wrong key, quota, unreachable, too
 * slow…), never with the key. All other codes, also ERR_TIMEOUT, come from the watch. When it could
 * not be reached, or refused the key, or said that there were too many requests, no request is sent
 * for half a minute: ERR_UPSTREAM at once.
 */
enum errcode geoapify_search(struct geoapify *g, struct arena *a, const char *text,
    const char *country, const struct watch *w, struct geoapify_hit *hits, size_t *n, struct err *e);

#endif
