/*
 * A collection is addressed by its id, which is looked up by name and remembered. When an operator
 * fills the server again, the collection is dropped and the new one has another id. So after a "not
 * found" for a remembered id the name is looked up again, once.
 */
#include "services/chroma.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "base/str.h"
#include "base/url.h"
#include "services/chroma_rows.h"
#include "services/remote.h"

enum {
	CONNECT_MS = 3000, TOTAL_MS = 10000,
	NAMES = 8, NAME_SIZE = 64,
	REPLY_MAX = 64 * 1024,         /* without the records */
	RECORD_MAX = 4 * 1024,         /* includes the answer of a rule */
	VECTOR_MAX = 80 * 1024,        /* 3,072 numbers of 22 digits */
	VECTORS = 1024,                /* in one request */
};

#define COLLECTIONS "/api/v2/tenants/default_tenant/databases/default_database/collections"

struct known {
	char name[NAME_SIZE], id[NAME_SIZE];   /* "": this entry is free */
};

struct chroma {
	struct remote remote;
	char *base, *host;
	pthread_mutex_t lock;          /* guards `known` */
	struct known known[NAMES];
};

/* -- collections -- */

static struct known *place_of(struct chroma *c, const char *name)
{
	return &c->known[str_hash(name) % NAMES];
}

/* Copies the id. "": not known. */
static void recall(struct chroma *c, const char *name, char id[NAME_SIZE])
{
	pthread_mutex_lock(&c->lock);
	const struct known *k = place_of(c, name);
	snprintf(id, NAME_SIZE, "%s", streq(k->name, name) ? k->id : "");
	pthread_mutex_unlock(&c->lock);
}

static void remember(struct chroma *c, const char *name, const char *id)
{
	pthread_mutex_lock(&c->lock);
	struct known *k = place_of(c, name);
	snprintf(k->name, sizeof(k->name), "%s", name);
	snprintf(k->id, sizeof(k->id), "%s", id);
	pthread_mutex_unlock(&c->lock);
}

/* -- one request -- */

struct asking {
	struct chroma *c;
	struct arena *mem;
	const char *collection;
	const struct watch *watch;
	struct buf reply;
	int status;
};

/* What the server says is wrong with a request: "NotFoundError: Collection [x] does not exist". "":
 * the body is not a message of Chroma. */
static const char *complaint(struct asking *q)
{
	struct json_object *root = NULL;
	if (q->reply.n > REPLY_MAX ||
	    jsn_parse(q->mem, q->reply.p, q->reply.n, JSN_DEPTH, &root, NULL, NULL) != OK)
		return "";
	const char *error = jsn_get_str(root, "error", NULL);
	return error == NULL ? "" : arena_printf(q->mem, "%s: %s", error,
	    jsn_get_str(root, "message", ""));
}

static bool is_missing(struct asking *q)
{
	/* before version 1.0 this was a general error */
	return q->status == 404 || (q->status / 100 != 2 &&
	    strcasestr(complaint(q), "does not exist") != NULL);
}

static enum errcode call(struct asking *q, const char *url, const struct buf *body, struct err *e)
{
	static const char *const fields[] = { "Content-Type: application/json",
		"Accept: application/json", NULL };
	const struct remote_request r = { url, fields, body, q->watch };
	return remote_call(&q->c->remote, &r, &q->reply, &q->status, e);
}

static enum errcode wrong(const struct asking *q, const char *why, struct err *e)
{
	return err_set(e, ERR_UPSTREAM, "VECTOR_DB_URL: %s: %s: is it a Chroma server with "
	    "the API v2?", q->c->host, why);
}

/* The server has answered with a status that means failure. */
static enum errcode refused(struct asking *q, struct err *e)
{
	const char *why = complaint(q);
	if (is_missing(q) && *why != '\0')
		return err_set(e, ERR_NOTFOUND, "VECTOR_DB_URL: %s has no collection %s: fill it there, or "
		    "unset VECTOR_DB_URL and use VECTOR_DB_PATH with aviation-agent index rules",
		    q->c->host, q->collection);
	if (strcasestr(why, "dimension") != NULL)
		return err_set(e, ERR_DATA, "VECTOR_DB_URL: collection %s of %s was filled with another "
		    "embedding model: set rag.embedding_model to that one, or fill the collection "
		    "again", q->collection, q->c->host);
	if (q->status == 401 || q->status == 403)
		return err_set(e, ERR_UPSTREAM, "VECTOR_DB_URL: %s wants a login (HTTP status %d), which "
		    "is not supported", q->c->host, q->status);
	char text[40];
	snprintf(text, sizeof(text), "HTTP status %d", q->status);
	return wrong(q, text, e);
}

static enum errcode parse(struct asking *q, struct json_object **root, struct err *e)
{
	if (jsn_parse(q->mem, q->reply.p, q->reply.n, JSN_DEPTH, root, NULL, NULL) != OK)
		return wrong(q, "the answer is not JSON", e);
	return OK;
}

static enum errcode look_up(struct asking *q, char id[NAME_SIZE], struct err *e)
{
	struct json_object *root;
	const char *url = arena_printf(q->mem, "%s%s/%s", q->c->base, COLLECTIONS,
	    url_encode(q->mem, q->collection));
	enum errcode rc = call(q, url, NULL, e);
	if (rc == OK && q->status != 200)
		rc = refused(q, e);
	if (rc != OK || (rc = parse(q, &root, e)) != OK)
		return rc;
	const char *s = jsn_get_str(root, "id", "");
	if (!id_valid(s, NAME_SIZE - 1))
		return wrong(q, "the answer is no collection", e);
	snprintf(id, NAME_SIZE, "%s", s);
	remember(q->c, q->collection, s);
	return OK;
}

/* Send a request for a collection; body NULL: GET. The reply is in q->reply. */
static enum errcode ask(struct asking *q, const char *what, const struct buf *body, struct err *e)
{
	char id[NAME_SIZE];
	enum errcode rc = OK;
	recall(q->c, q->collection, id);
	for (bool fresh = false;; fresh = true) {
		if (*id == '\0') {
			fresh = true;
			if ((rc = look_up(q, id, e)) != OK)
				return rc;
		}
		const char *url = arena_printf(q->mem, "%s%s/%s/%s", q->c->base, COLLECTIONS, id,
		    what);
		if ((rc = call(q, url, body, e)) != OK)
			return rc;
		if (q->status / 100 == 2)
			return OK;
		if (fresh || !is_missing(q))
			return refused(q, e);
		*id = '\0';
	}
}

static void begin(struct asking *q, struct chroma *c, struct arena *a, const char *collection,
    const struct watch *w, size_t max)
{
	*q = (struct asking){ .c = c, .mem = a, .collection = collection, .watch = w };
	buf_init(&q->reply, max);
}

/* -- questions -- */

static bool is_number(struct json_object *o)
{
	return (jsn_is(o, json_type_double) || jsn_is(o, json_type_int)) &&
	    isfinite(json_object_get_double(o));
}

/* The one list of a list of lists; NULL: it is not that. */
static struct json_object *only(struct json_object *root, const char *key)
{
	struct json_object *lists = jsn_get(root, key);
	struct json_object *list = jsn_is(lists, json_type_array) ? jsn_at(lists, 0) : NULL;
	return jsn_len(lists) == 1 && jsn_is(list, json_type_array) ? list : NULL;
}

static enum errcode read_hits(struct asking *q, size_t n, struct chroma_hit **hits,
    size_t *nhits, struct err *e)
{
	struct json_object *root;
	enum errcode rc = parse(q, &root, e);
	if (rc != OK)
		return rc;
	struct json_object *ids = only(root, "ids"), *distances = only(root, "distances");
	struct json_object *metadatas = only(root, "metadatas");
	size_t have = jsn_len(ids);
	if (ids == NULL || distances == NULL || metadatas == NULL)
		return wrong(q, "the answer lacks ids, distances or metadatas", e);
	if (jsn_len(distances) != have || jsn_len(metadatas) != have)
		return wrong(q, "lists of different lengths", e);
	struct chroma_hit *all = arena_array(q->mem, have + 1, sizeof(*all));
	for (size_t i = 0; i < have && i < n; i++) {
		struct json_object *id = jsn_at(ids, i), *m = jsn_at(metadatas, i);
		if (!jsn_is(id, json_type_string) || !is_number(jsn_at(distances, i)))
			return wrong(q, "an id is not text, or a distance is not a number", e);
		all[i] = (struct chroma_hit){ json_object_get_string(id),
			jsn_is(m, json_type_object) ? m : NULL,
			json_object_get_double(jsn_at(distances, i)) };
	}
	*hits = all;
	*nhits = have < n ? have : n;
	return OK;
}

enum errcode chroma_query(struct chroma *c, struct arena *a, const char *collection,
    const float *query, size_t dims, struct json_object *where, size_t n,
    const struct watch *w, struct chroma_hit **hits, size_t *nhits, struct err *e)
{
	struct asking q;
	struct buf body;
	if (n > CHROMA_HITS_MAX)
		n = CHROMA_HITS_MAX;
	begin(&q, c, a, collection, w, REPLY_MAX + n * RECORD_MAX);
	buf_init(&body, SIZE_MAX / 2);
	buf_puts(&body, "{\"query_embeddings\":[[");
	for (size_t i = 0; i < dims; i++)
		buf_printf(&body, "%s%.9g", i > 0 ? "," : "", (double)query[i]);
	buf_printf(&body, "]],\"n_results\":%zu,", n);
	if (where != NULL) {
		buf_puts(&body, "\"where\":");
		jsn_print(&body, where, JSN_PLAIN);
		buf_putc(&body, ',');
	}
	buf_puts(&body, "\"include\":[\"metadatas\",\"distances\"]}");
	enum errcode rc = ask(&q, "query", &body, e);
	if (rc == OK)
		rc = read_hits(&q, n, hits, nhits, e);
	buf_release(&body);
	buf_release(&q.reply);
	return rc;
}

/* -- vectors by id -- */

struct wanted {
	const char *id;
	size_t at;
};

static int by_id(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	return strcmp(x->id, y->id);
}

/* The server answers in its own order, and leaves out ids that it does not have. */
static enum errcode read_vectors(struct asking *q, const char *const *ids, size_t n, float **out,
    size_t *dims, struct err *e)
{
	struct json_object *root;
	struct wanted *sorted = arena_array(q->mem, n, sizeof(*sorted));
	float **rows = arena_array(q->mem, n, sizeof(*rows));
	size_t nrows, size;
	if (!chroma_rows(q->mem, q->reply.p, q->reply.n, "embeddings", n, rows, &nrows, &size))
		return wrong(q, "the embeddings are not vectors of one length", e);
	enum errcode rc = parse(q, &root, e);
	if (rc != OK)
		return rc;
	struct json_object *got = jsn_get(root, "ids");
	if (!jsn_is(got, json_type_array) || jsn_len(got) != nrows)
		return wrong(q, "lists of different lengths", e);
	if (size > 0 && *dims > 0 && size != *dims)
		return wrong(q, "vectors of different lengths", e);
	*dims = size > 0 ? size : *dims;
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct wanted){ ids[i], i };
	qsort(sorted, n, sizeof(*sorted), by_id);
	for (size_t i = 0; i < nrows; i++) {
		struct json_object *id = jsn_at(got, i);
		if (!jsn_is(id, json_type_string))
			return wrong(q, "an id is not text", e);
		struct wanted key = { json_object_get_string(id), 0 };
		struct wanted *f = bsearch(&key, sorted, n, sizeof(*sorted), by_id);
		while (f != NULL && f > sorted && streq(f[-1].id, key.id))
			f--;
		for (; f != NULL && f < sorted + n && streq(f->id, key.id); f++)
			out[f->at] = rows[i];
	}
	return OK;
}

enum errcode chroma_vectors(struct chroma *c, struct arena *a, const char *collection,
    const char *const *ids, size_t n, const struct watch *w, float **out, size_t *dims,
    struct err *e)
{
	enum errcode rc = OK;
	*dims = 0;
	memset(out, 0, n * sizeof(*out));
	for (size_t at = 0, some; rc == OK && at < n; at += some) {
		struct asking q;
		struct buf body;
		some = n - at < VECTORS ? n - at : VECTORS;
		begin(&q, c, a, collection, w, REPLY_MAX + some * VECTOR_MAX);
		buf_init(&body, SIZE_MAX / 2);
		buf_puts(&body, "{\"ids\":[");
		for (size_t i = 0; i < some; i++) {
			if (i > 0)
				buf_putc(&body, ',');
			jsn_print_str(&body, ids[at + i]);
		}
		buf_puts(&body, "],\"include\":[\"embeddings\"]}");
		rc = ask(&q, "get", &body, e);
		if (rc == OK)
			rc = read_vectors(&q, ids + at, some, out + at, dims, e);
		buf_release(&body);
		buf_release(&q.reply);
	}
	return rc;
}

enum errcode chroma_count(struct chroma *c, const char *collection, const struct watch *w,
    int64_t *n, struct err *e)
{
	struct arena *a = arena_new();
	struct asking q;
	long long count = -1;
	begin(&q, c, a, collection, w, REPLY_MAX);
	enum errcode rc = ask(&q, "count", NULL, e);
	if (rc == OK && (!str_to_int(q.reply.p, &count) || count < 0))
		rc = wrong(&q, "the count is not a number", e);
	*n = count;
	buf_release(&q.reply);
	arena_free(a);
	return rc;
}

/* -- opening -- */

/* The port at the end of a host. 0: none. -1: what is there is not a port. */
static int port_of(struct str host)
{
	const char *colon = memrchr(host.p, ':', host.n), *close = memrchr(host.p, ']', host.n);
	long long port;
	if (colon == NULL || (close != NULL && close > colon))
		return 0;
	char digits[8];
	size_t n = host.n - (size_t)(colon + 1 - host.p);
	if (n == 0 || n >= sizeof(digits) || strspn(colon + 1, "0123456789") < n)
		return -1;
	memcpy(digits, colon + 1, n);
	digits[n] = '\0';
	return str_to_int(digits, &port) && port > 0 && port < 65536 ? (int)port : -1;
}

enum errcode chroma_open(struct chroma **out, struct httpc *http, const char *url,
    struct err *e)
{
	bool https = strncasecmp(url, "https://", 8) == 0;
	struct str host = { NULL, 0 };
	int port = -1;
	if (remote_address_ok(url)) {
		host.p = url + (https ? 8 : 7);
		host.n = strcspn(host.p, "/?#");
		const char *at = memrchr(host.p, '@', host.n);
		if (at != NULL)
			host = (struct str){ at + 1, host.n - (size_t)(at + 1 - host.p) };
		port = port_of(host);
	}
	if (port == 0)
		port = https ? 443 : 8000;
	else if (port > 0)
		host.n = (size_t)((const char *)memrchr(host.p, ':', host.n) - host.p);
	if (port < 0 || host.n == 0 || host.n > 255)
		return err_set(e, ERR_CONFIG, "VECTOR_DB_URL is not the address of a Chroma server: it must be "
		    "like http://127.0.0.1:8000 or https://chroma.example.org");
	struct chroma *c = heap_new(sizeof(*c));
	c->host = heap_printf("%.*s:%d", (int)host.n, host.p, port);
	c->base = heap_printf("%s://%s", https ? "https" : "http", c->host);
	remote_init(&c->remote, http, "VECTOR_DB_URL", CONNECT_MS, TOTAL_MS);
	pthread_mutex_init(&c->lock, NULL);
	*out = c;
	return OK;
}

void chroma_close(struct chroma *c)
{
	if (c == NULL)
		return;
	pthread_mutex_destroy(&c->lock);
	free(c->base);
	free(c->host);
	free(c);
}

const char *chroma_host(const struct chroma *c)
{
	return c->host;
}
