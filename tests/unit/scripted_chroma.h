/*
 * A small Chroma over HTTP: two collections from a table, exact distances, ids that change when it
 * is filled again, and the answers of a hostile server for collections with special names.
 */
#ifndef TESTS_UNIT_SCRIPTED_CHROMA_H
#define TESTS_UNIT_SCRIPTED_CHROMA_H

#include "base/buf.h"
#include "base/jsn.h"
#include "services/chroma.h"
#include "tests/unit/http_server.h"

enum { CHROMA_DIMS = 3, CHROMA_LOG = 32 };
#define CHROMA_PATH "/api/v2/tenants/default_tenant/databases/default_database/collections"

struct chroma_record {
	const char *collection, *id, *question, *country;
	float v[CHROMA_DIMS];
};

/* What a collection answers to every request except its look-up. */
struct chroma_canned {
	const char *collection;
	int status;
	const char *body;
};

/* Set before the server is started. */
static struct scripted_chroma {
	const struct chroma_record *records;
	size_t nrecords;
	const struct chroma_canned *canned;
	size_t ncanned;
	atomic_int filled;             /* how often it was filled: part of the ids */
	atomic_int lookups, asked;
	char log[CHROMA_LOG][4096];    /* path and body of the last request */
} chroma;

static inline bool chroma_send(const struct asked *a, int status, const char *body)
{
	struct buf b;
	buf_init(&b, 1 << 23);
	buf_printf(&b, "HTTP/1.1 %d X\r\nContent-Length: %zu\r\n\r\n", status, strlen(body));
	buf_puts(&b, body);
	bool ok = say(a, b.p, b.n);
	buf_release(&b);
	return ok;
}

static inline bool chroma_missing(const struct asked *a)
{
	return chroma_send(a, 404, "{\"error\":\"NotFoundError\",\"message\":\"Collection [x] does not "
	    "exists\"}");
}

static inline bool chroma_has(const char *collection)
{
	for (size_t i = 0; i < chroma.ncanned; i++)
		if (streq(chroma.canned[i].collection, collection))
			return true;
	for (size_t i = 0; i < chroma.nrecords; i++)
		if (streq(chroma.records[i].collection, collection))
			return true;
	return false;
}

static inline bool chroma_wants(struct json_object *where, const char *country)
{
	struct json_object *in = jsn_get(jsn_get(where, "country_code"), "$in");
	for (size_t i = 0; i < jsn_len(in); i++)
		if (streq(json_object_get_string(jsn_at(in, i)), country))
			return true;
	return where == NULL;
}

struct chroma_found {
	const struct chroma_record *r;
	double distance;
};

static inline int chroma_nearer(const void *a, const void *b)
{
	const struct chroma_found *x = a, *y = b;
	return (x->distance > y->distance) - (x->distance < y->distance);
}

static inline bool chroma_answer_query(const struct asked *q, const char *name,
    struct json_object *body)
{
	struct json_object *vector = jsn_at(jsn_get(body, "query_embeddings"), 0);
	struct chroma_found found[256];
	struct buf ids, distances, metadatas, out;
	size_t n = 0, want = (size_t)jsn_get_int(body, "n_results", 0);
	if (jsn_len(vector) != CHROMA_DIMS)
		return chroma_send(q, 400, "{\"error\":\"InvalidArgumentError\",\"message\":\"Collection "
		    "expecting embedding with dimension of 3, got another\"}");
	for (size_t i = 0; i < chroma.nrecords && n < 256; i++) {
		const struct chroma_record *r = &chroma.records[i];
		double d = 0;
		if (!streq(r->collection, name) || !chroma_wants(jsn_get(body, "where"), r->country))
			continue;
		for (size_t k = 0; k < CHROMA_DIMS; k++) {
			double x = json_object_get_double(jsn_at(vector, k)) - (double)r->v[k];
			d += x * x;
		}
		found[n++] = (struct chroma_found){ r, d };
	}
	qsort(found, n, sizeof(*found), chroma_nearer);
	buf_init(&ids, 1 << 20);
	buf_init(&distances, 1 << 20);
	buf_init(&metadatas, 1 << 20);
	buf_init(&out, 1 << 22);
	for (size_t i = 0; i < n && i < want; i++) {
		const char *comma = i > 0 ? "," : "";
		buf_printf(&ids, "%s\"%s\"", comma, found[i].r->id);
		buf_printf(&distances, "%s%.17g", comma, found[i].distance);
		buf_printf(&metadatas, "%s{\"question_id\":\"%s\",\"country_code\":\"%s\"}", comma,
		    found[i].r->question, found[i].r->country);
	}
	buf_printf(&out, "{\"ids\":[[%s]],\"embeddings\":null,\"documents\":null,\"metadatas\":[[%s]],"
	    "\"distances\":[[%s]]}", ids.p, metadatas.p, distances.p);
	bool ok = chroma_send(q, 200, out.p);
	buf_release(&ids);
	buf_release(&distances);
	buf_release(&metadatas);
	buf_release(&out);
	return ok;
}

/* In the table's order, whatever order was asked for. */
static inline bool chroma_answer_get(const struct asked *q, const char *name,
    struct json_object *body)
{
	struct json_object *wanted = jsn_get(body, "ids");
	struct buf ids, vectors, out;
	buf_init(&ids, 1 << 20);
	buf_init(&vectors, 1 << 20);
	buf_init(&out, 1 << 22);
	for (size_t i = 0; i < chroma.nrecords; i++) {
		const struct chroma_record *r = &chroma.records[i];
		bool is = false;
		for (size_t k = 0; k < jsn_len(wanted); k++)
			is |= streq(json_object_get_string(jsn_at(wanted, k)), r->id);
		if (!is || !streq(r->collection, name))
			continue;
		const char *comma = ids.n > 0 ? "," : "";
		buf_printf(&ids, "%s\"%s\"", comma, r->id);
		buf_printf(&vectors, "%s[%.9g, %.9g,%.9g]", comma, (double)r->v[0], (double)r->v[1],
		    (double)r->v[2]);
	}
	buf_printf(&out, "{\"ids\":[%s],\"embeddings\":[%s],\"documents\":null,\"metadatas\":null}",
	    ids.p, vectors.p);
	bool ok = chroma_send(q, 200, out.p);
	buf_release(&ids);
	buf_release(&vectors);
	buf_release(&out);
	return ok;
}

static inline bool chroma_answer(const struct asked *q, const char *name, const char *what)
{
	struct arena *a = arena_new();
	struct json_object *body = NULL;
	char text[32];
	size_t n = 0;
	bool ok;
	for (size_t i = 0; i < chroma.nrecords; i++)
		n += streq(chroma.records[i].collection, name);
	snprintf(text, sizeof(text), "%zu", n);
	if (streq(what, "count"))
		ok = chroma_send(q, 200, text);
	else if (jsn_parse(a, q->body, q->nbody, 32, &body, NULL, NULL) != OK)
		ok = chroma_send(q, 422, "not JSON");
	else
		ok = (streq(what, "get") ? chroma_answer_get : chroma_answer_query)(q, name, body);
	arena_free(a);
	return ok;
}

static bool answer_request(const struct asked *a)
{
	char id[128] = "", name[128], what[16] = "";
	int filled = 0;
	if (!starts_with(a->path, CHROMA_PATH "/"))
		return chroma_send(a, 404, "{\"detail\":\"Not Found\"}");
	sscanf(a->path + strlen(CHROMA_PATH "/"), "%127[^/]/%15s", id, what);
	if (*what == '\0') {
		atomic_fetch_add(&chroma.lookups, 1);
		if (!chroma_has(id))
			return chroma_missing(a);
		snprintf(name, sizeof(name), "{\"id\":\"%s-%d\",\"name\":\"%s\"}", id,
		    atomic_load(&chroma.filled), id);
		return chroma_send(a, 200, name);
	}
	int k = atomic_fetch_add(&chroma.asked, 1) % CHROMA_LOG;
	snprintf(chroma.log[k], sizeof(chroma.log[k]), "%s %.*s", a->path, (int)a->nbody,
	    a->nbody > 0 ? a->body : "");
	if (sscanf(id, "%127[^-]-%d", name, &filled) != 2 || filled != atomic_load(&chroma.filled))
		return chroma_missing(a);
	for (size_t i = 0; i < chroma.ncanned; i++)
		if (streq(chroma.canned[i].collection, name))
			return chroma_send(a, chroma.canned[i].status, chroma.canned[i].body);
	return chroma_answer(a, name, what);
}

/* -- the client's side -- */

struct chroma_fix {
	struct server *server;
	struct httpc *http;
	struct chroma *client;
	struct arena *a;
	struct err e;
};

static inline void chroma_setup(struct chroma_fix *f)
{
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	*f = (struct chroma_fix){ .server = server_start(), .a = arena_new() };
	TEST_OK(httpc_open(&f->http, NULL, &f->e), f->e);
	TEST_OK(chroma_open(&f->client, f->http, f->server->url, &f->e), f->e);
}

static inline void chroma_teardown(struct chroma_fix *f)
{
	chroma_close(f->client);
	httpc_close(f->http);
	if (f->server != NULL)
		server_stop(f->server);
	arena_free(f->a);
}

#endif
