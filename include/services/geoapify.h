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
};

enum { GEOAPIFY_HITS = 5 };

/* The strings are borrowed and must outlive it. One per process, used by all threads. */
struct geoapify *geoapify_new(struct httpc *http, const char *base_url, const char *key);
void geoapify_free(struct geoapify *g);       /* NULL is allowed */

/*
 * Look up a text: at most GEOAPIFY_HITS results, best first, in the arena; answers are cached.
 * Takes three seconds at most. ERR_UPSTREAM with the reason (wrong key, quota, unreachable, too
 * slow…), never with the key. All other codes, also ERR_TIMEOUT, come from the watch. When it could
 * not be reached, no request is sent for half a minute: ERR_UPSTREAM at once.
 */
enum errcode geoapify_search(struct geoapify *g, struct arena *a, const char *text,
    const struct watch *w, struct geoapify_hit *hits, size_t *n, struct err *e);

#endif
