/*
 * Client of a Chroma vector server (API v2): reads collections that an existing installation has
 * filled. Never writes.
 *
 * ERR_UPSTREAM: the server cannot be reached, takes too long, or answers something malformed. After
 * it could not be reached, no call is made for half a minute: ERR_UPSTREAM at once. ERR_NOTFOUND:
 * there is no such collection. ERR_DATA: its vectors have another length. All other codes are the
 * watch's, also ERR_TIMEOUT.
 */
#ifndef SERVICES_CHROMA_H
#define SERVICES_CHROMA_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"
#include "drivers/httpc.h"

struct json_object;
struct chroma;

/* url: VECTOR_DB_URL, http or https. Its path and user information are ignored; its port defaults
 * to 8000 (http) or 443 (https). ERR_CONFIG: not an address. One client a process, used by all
 * threads. */
enum errcode chroma_open(struct chroma **out, struct httpc *http, const char *url,
    struct err *e);
void chroma_close(struct chroma *c);           /* NULL is allowed */
const char *chroma_host(const struct chroma *c);   /* "host:port", for messages */

enum { CHROMA_HITS_MAX = 4096 };

struct chroma_hit {
	const char *id;
	struct json_object *metadata;     /* object or NULL */
	double distance;                  /* finite; squared Euclidean by default */
};
/* The n records nearest to a vector, at most CHROMA_HITS_MAX; `where` may be NULL. */
enum errcode chroma_query(struct chroma *c, struct arena *a, const char *collection,
    const float *query, size_t dims, struct json_object *where, size_t n,
    const struct watch *w, struct chroma_hit **hits, size_t *nhits, struct err *e);
/* Look up vectors by id, in the arena: out[i] belongs to ids[i], NULL if there is none; all have
 * *dims numbers. One request for up to 1,024 ids. */
enum errcode chroma_vectors(struct chroma *c, struct arena *a, const char *collection,
    const char *const *ids, size_t n, const struct watch *w, float **out, size_t *dims,
    struct err *e);
/* The number of records in a collection. */
enum errcode chroma_count(struct chroma *c, const char *collection, const struct watch *w,
    int64_t *n, struct err *e);

#endif
