/*
 * One POST. The answer names texts by their index, best first. Indexes of texts that were not sent
 * make the answer invalid.
 */
#include "services/cohere.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "services/remote.h"

enum { CONNECT_MS = 3000, TOTAL_MS = 6000, REPLY_MAX = 256 * 1024 };

struct cohere {
	struct remote remote;
	struct arena *mem;
	const char *url, *key_field;
};

enum errcode cohere_open(struct cohere **out, struct httpc *http, const char *base_url,
    const char *key, struct err *e)
{
	size_t n = strlen(base_url);
	if (!remote_address_ok(base_url) || strchr(base_url, '?') != NULL)
		return err_set(e, ERR_CONFIG, "COHERE_BASE_URL is not an address: it must be like "
		    "https://api.cohere.com");
	for (const char *p = key; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f)
			return err_set(e, ERR_CONFIG, "COHERE_API_KEY holds a blank, a line break or "
			    "another character that cannot be in a key: set it again");
	struct cohere *c = heap_new(sizeof(*c));
	while (base_url[n - 1] == '/')
		n--;
	c->mem = arena_new();
	c->url = arena_printf(c->mem, "%.*s/v2/rerank", (int)n, base_url);
	c->key_field = arena_printf(c->mem, "Authorization: Bearer %s", key);
	remote_init(&c->remote, http, "Cohere", CONNECT_MS, TOTAL_MS);
	*out = c;
	return OK;
}

void cohere_close(struct cohere *c)
{
	if (c == NULL)
		return;
	arena_free(c->mem);
	free(c);
}

static void put_request(struct buf *b, const char *model, const char *query,
    const char *const *texts, size_t ntexts, size_t top)
{
	buf_puts(b, "{\"model\":");
	jsn_print_str(b, model);
	buf_puts(b, ",\"query\":");
	jsn_print_str(b, query);
	buf_puts(b, ",\"documents\":[");
	for (size_t i = 0; i < ntexts; i++) {
		if (i > 0)
			buf_putc(b, ',');
		jsn_print_str(b, texts[i]);
	}
	buf_printf(b, "],\"top_n\":%zu}", top);
}

static enum errcode read_order(struct arena *a, const struct buf *reply, size_t ntexts, size_t top,
    size_t *order, size_t *n, struct err *e)
{
	struct json_object *root = NULL, *results;
	bool *seen = arena_array(a, ntexts, sizeof(*seen));
	if (jsn_parse(a, reply->p, reply->n, JSN_DEPTH, &root, NULL, NULL) != OK)
		return err_set(e, ERR_UPSTREAM, "Cohere: the answer is not JSON");
	results = jsn_get(root, "results");
	if (!jsn_is(results, json_type_array))
		return err_set(e, ERR_UPSTREAM, "Cohere: the answer has no results");
	for (size_t i = 0; i < jsn_len(results) && *n < top; i++) {
		int64_t at = jsn_get_int(jsn_at(results, i), "index", -1);
		if (at < 0 || at >= (int64_t)ntexts || seen[at])
			return err_set(e, ERR_UPSTREAM, "Cohere: the answer names a text that was not sent, "
			    "or names one twice");
		seen[at] = true;
		order[(*n)++] = (size_t)at;
	}
	return OK;
}

static enum errcode refused(int status, const char *model, struct err *e)
{
	if (status == 401 || status == 403)
		return err_set(e, ERR_UPSTREAM, "Cohere: the key in COHERE_API_KEY was refused (HTTP "
		    "status %d)", status);
	if (status == 404)
		return err_set(e, ERR_UPSTREAM, "Cohere: there is no model %.64s, or COHERE_BASE_URL is "
		    "wrong (HTTP status 404)", model);
	if (status == 429)
		return err_set(e, ERR_UPSTREAM, "Cohere: too many requests for this key (HTTP status "
		    "429)");
	return err_set(e, ERR_UPSTREAM, "Cohere: HTTP status %d", status);
}

enum errcode cohere_rerank(struct cohere *c, struct arena *a, const char *model,
    const char *query, const char *const *texts, size_t ntexts, size_t top,
    const struct watch *w, size_t *order, size_t *n, struct err *e)
{
	const char *const fields[] = { c->key_field, "Content-Type: application/json",
		"Accept: application/json", NULL };
	struct buf body, reply;
	int status;
	*n = 0;
	if (ntexts > COHERE_TEXTS_MAX)
		ntexts = COHERE_TEXTS_MAX;
	if (top > ntexts)
		top = ntexts;
	if (top == 0)
		return OK;
	buf_init(&body, SIZE_MAX / 2);
	buf_init(&reply, REPLY_MAX);
	put_request(&body, model, query, texts, ntexts, top);
	const struct remote_request req = { c->url, fields, &body, w };
	enum errcode rc = remote_call(&c->remote, &req, &reply, &status, e);
	if (rc == OK && status != 200)
		rc = refused(status, model, e);
	if (rc == OK)
		rc = read_order(a, &reply, ntexts, top, order, n, e);
	buf_release(&body);
	buf_release(&reply);
	return rc;
}
