/*
 * One GET for each place, and a bounded cache of the answers, because pilots ask for the same
 * towns. The cache holds raw bodies, in slots chosen by a hash of the text.
 *
 * The time limit is short, because a pilot waits and the gazetteer can answer too.
 */
#include "services/geoapify.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "base/str.h"
#include "base/url.h"
#include "services/remote.h"

enum { CONNECT_MS = 1500, TOTAL_MS = 3000, REPLY_MAX = 256 * 1024, SLOTS = 256, TEXT_MAX_BYTES = 200,
	FRESH_MS = 24 * 3600 * 1000, KEPT_MAX = 32 * 1024 };

struct slot {
	char *text, *body;
	int64_t since_ms;
};

struct geoapify {
	struct remote remote;
	struct rest refused;           /* after 401, 403 and 429 */
	const char *base_url, *key, *prefer;
	pthread_mutex_t lock;          /* guards all that follows */
	struct slot slots[SLOTS];
};

struct geoapify *geoapify_new(struct httpc *http, const char *base_url, const char *key,
    const char *prefer)
{
	struct geoapify *g = heap_new(sizeof(*g));
	remote_init(&g->remote, http, "geocoder", CONNECT_MS, TOTAL_MS);
	g->base_url = base_url;
	g->key = key;
	g->prefer = prefer;
	pthread_mutex_init(&g->lock, NULL);
	return g;
}

void geoapify_free(struct geoapify *g)
{
	if (g == NULL)
		return;
	for (size_t i = 0; i < SLOTS; i++) {
		free(g->slots[i].text);
		free(g->slots[i].body);
	}
	pthread_mutex_destroy(&g->lock);
	free(g);
}

static struct slot *slot_of(struct geoapify *g, const char *text)
{
	uint64_t h = str_hash(text);
	return &g->slots[(h ^ h >> 32) % SLOTS];
}

static const char *cached(struct geoapify *g, struct arena *a, const char *text)
{
	const char *body = NULL;
	pthread_mutex_lock(&g->lock);
	struct slot *s = slot_of(g, text);
	if (s->text != NULL && strcmp(s->text, text) == 0 &&
	    clock_mono_ms() - s->since_ms < FRESH_MS)
		body = arena_strdup(a, s->body);
	pthread_mutex_unlock(&g->lock);
	return body;
}

static void remember(struct geoapify *g, const char *text, const char *body)
{
	if (strlen(body) > KEPT_MAX)
		return;
	char *t = heap_dup(text), *b = heap_dup(body);
	pthread_mutex_lock(&g->lock);
	struct slot *s = slot_of(g, text);
	free(s->text);
	free(s->body);
	*s = (struct slot){ t, b, clock_mono_ms() };
	pthread_mutex_unlock(&g->lock);
}

/* What a status means for the next request: after these, none is sent for a while, because the answer
 * would be the same and a pilot would wait for it. */
static bool refuses(int status)
{
	return status == 401 || status == 403 || status == 429;
}

static enum errcode fetch(struct geoapify *g, struct arena *a, const char *text,
    const char *country, const struct watch *w, struct buf *reply, bool *refused, struct err *e)
{
	const char *where = country != NULL ? arena_printf(a, "&filter=countrycode:%c%c",
	    ascii_lower(country[0]), ascii_lower(country[1]))
	    : g->prefer != NULL ? arena_printf(a, "&bias=countrycode:%s", g->prefer) : "";
	const struct remote_request req = { .watch = w, .url = arena_printf(a,
	    "%s/v1/geocode/search?text=%s&limit=%d&format=json%s&apiKey=%s", g->base_url,
	    url_encode(a, text), GEOAPIFY_HITS, where, url_encode(a, g->key)) };
	int status;
	enum errcode rc = remote_call(&g->remote, &req, reply, &status, e);
	if (rc == OK && (status == 401 || status == 403))
		rc = err_set(e, ERR_UPSTREAM, "geocoder: the key in GEOAPIFY_API_KEY was refused (%d)",
		    status);
	else if (rc == OK && status == 429)
		rc = err_set(e, ERR_UPSTREAM, "geocoder: too many requests for this key (429)");
	else if (rc == OK && status != 200)
		rc = err_set(e, ERR_UPSTREAM, "geocoder: HTTP status %d", status);
	*refused = refuses(status);
	return rc;
}

/* The answer's body, unless the service is left alone at present. */
static enum errcode ask(struct geoapify *g, struct arena *a, const char *text, const char *country,
    const struct watch *w, const char **body, struct err *e)
{
	struct buf reply;
	int64_t probe;
	bool refused = false;
	if (!rest_ask(&g->refused, &probe))
		return err_set(e, ERR_UPSTREAM, "geocoder: it refused a request a moment ago; it is asked "
		    "again after at most %d s", REST_MS / 1000);
	buf_init(&reply, REPLY_MAX);
	enum errcode rc = fetch(g, a, text, country, w, &reply, &refused, e);
	rest_tell(&g->refused, probe, refused ? REST_AWAY : rc == OK ? REST_THERE : REST_UNKNOWN);
	if (rc == OK)
		*body = arena_strndup(a, reply.p, reply.n);
	buf_release(&reply);
	return rc;
}

static struct geoapify_hit hit_of(struct arena *a, struct json_object *r, const char *text)
{
	struct geoapify_hit h = {
		.lat = jsn_get_num(r, "lat", NAN), .lon = jsn_get_num(r, "lon", NAN),
		.label = arena_strdup(a, jsn_get_str(r, "formatted", text)),
		.importance = jsn_get_num(jsn_get(r, "rank"), "importance", NAN),
	};
	const char *cc = jsn_get_str(r, "country_code", NULL);
	if (cc != NULL && strlen(cc) == 2)
		h.country = str_upper_copy(a, cc, 2);
	return h;
}

enum errcode geoapify_search(struct geoapify *g, struct arena *a, const char *text,
    const char *country, const struct watch *w, struct geoapify_hit *hits, size_t *n,
    struct err *e)
{
	*n = 0;
	if (strlen(text) > TEXT_MAX_BYTES)
		return OK;             /* there is no place of that name */
	const char *key = country != NULL ? arena_printf(a, "%s\n%s", country, text) : text;
	const char *body = cached(g, a, key);
	bool fresh = body == NULL;
	enum errcode rc = OK;
	if (fresh && (rc = ask(g, a, text, country, w, &body, e)) != OK)
		return rc;
	struct json_object *root;
	if (jsn_parse(a, body, strlen(body), JSN_DEPTH, &root, NULL, e) != OK)
		return err_set(e, ERR_UPSTREAM, "geocoder: answer is not JSON");
	struct json_object *results = jsn_get(root, "results");
	if (!jsn_is(results, json_type_array))
		return err_set(e, ERR_UPSTREAM, "geocoder: answer has no results");
	if (fresh)
		remember(g, key, body);
	for (size_t i = 0; i < jsn_len(results) && *n < GEOAPIFY_HITS; i++) {
		struct geoapify_hit h = hit_of(a, jsn_at(results, i), text);
		if (fabs(h.lat) <= 90 && fabs(h.lon) <= 180)
			hits[(*n)++] = h;
	}
	return OK;
}
