/*
 * Embeddings: as many vectors as texts, all of one length and all numbers; otherwise the reply is
 * refused.
 */
#include "services/llm_server.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/jsn.h"
#include "base/str.h"
#include "services/llm_exchange.h"
#include "services/tokens.h"

enum { VECTOR_MAX = 128 * 1024 };     /* of JSON: some 5,000 numbers */

static enum errcode bad_vectors(const struct llm_exchange *x, const char *why,
    struct llm_fault *fault, struct err *e)
{
	fault->retry = false;
	return err_set(e, ERR_UPSTREAM, "%s: embeddings: %s: is this an embedding model "
	    "(rag.embedding_model)?", x->o->host, why);
}

/* The i-th vector; NULL: there is none. */
static struct json_object *vector_at(const struct llm_vectors *shape, struct json_object *list, size_t i)
{
	struct json_object *row = jsn_at(list, i);
	struct json_object *v = shape->vector != NULL ? jsn_get(row, shape->vector) : row;
	return jsn_is(v, json_type_array) ? v : NULL;
}

static enum errcode read_vectors(const struct llm_exchange *x, struct arena *a,
    struct json_object *root, size_t n, float **vectors, size_t *dims, struct llm_fault *fault,
    struct err *e)
{
	const struct llm_vectors *shape = &x->o->dialect->vectors;
	struct json_object *data = jsn_get(root, shape->list);
	const size_t size = jsn_len(vector_at(shape, data, 0));
	if (!jsn_is(data, json_type_array) || jsn_len(data) != n)
		return bad_vectors(x, "not one for each text", fault, e);
	if (size == 0)
		return bad_vectors(x, "not a list of numbers", fault, e);
	/* checked before memory is allocated for them */
	for (size_t i = 0; i < n; i++)
		if (jsn_len(vector_at(shape, data, i)) != size)
			return bad_vectors(x, "of different lengths", fault, e);
	bool *seen = arena_array(a, n, sizeof(*seen));
	float *all = arena_array(a, n * size, sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = jsn_at(data, i), *v = vector_at(shape, data, i);
		int64_t at = jsn_get_int(row, "index", (int64_t)i);
		if (at < 0 || at >= (int64_t)n || seen[at])
			return bad_vectors(x, "numbered wrongly", fault, e);
		seen[at] = true;
		for (size_t k = 0; k < size; k++) {
			struct json_object *number = jsn_at(v, k);
			bool is = jsn_is(number, json_type_double) || jsn_is(number, json_type_int);
			double d = is ? json_object_get_double(number) : NAN;
			if (!(fabs(d) <= FLT_MAX))
				return bad_vectors(x, "not all of it is numbers", fault, e);
			all[(size_t)at * size + k] = (float)d;
		}
	}
	*vectors = all;
	*dims = size;
	return OK;
}

static enum errcode take_vectors(struct llm_exchange *x, struct arena *a,
    const char *const *texts, size_t n, float **vectors, size_t *dims, struct llm_usage *usage,
    struct llm_fault *fault, struct err *e)
{
	struct arena *scratch = arena_new();
	struct json_object *root;
	enum errcode rc;
	if (jsn_parse(scratch, x->body.p, x->body.n, JSN_DEPTH, &root, NULL, NULL) != OK) {
		rc = llm_no_reply(x, x->body.n == 0 ? VERDICT_NOTHING : x->body.p[0] == '<' ||
		    streq(x->head.type, "text/html") ? VERDICT_HTML : VERDICT_NOT_JSON, fault, e);
	} else if (jsn_truthy(jsn_get(root, "error"))) {
		llm_error_read(x->error, root);
		llm_log_words(x);
		rc = llm_no_reply(x, VERDICT_REFUSED, fault, e);
	} else {
		const struct llm_vectors *shape = &x->o->dialect->vectors;
		usage->input = shape->tokens == NULL ? 0 : jsn_get_int(shape->usage == NULL ? root
		    : jsn_get(root, shape->usage), shape->tokens, 0);
		usage->estimated = usage->input <= 0;
		if (usage->estimated)
			usage->input = 0;
		for (size_t i = 0; usage->estimated && i < n; i++)
			usage->input += tokens_guess(texts[i], strlen(texts[i]));
		rc = read_vectors(x, a, root, n, vectors, dims, fault, e);
	}
	arena_free(scratch);
	return rc;
}

enum errcode llm_embed_once(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	struct llm_server *o = (struct llm_server *)p;
	const struct llm_dialect *d = o->dialect;
	unsigned sent, without = llm_recall(&o->memory, req->model);
	struct buf path;
	enum errcode rc;
	*usage = (struct llm_usage){ 0 };
	*vectors = NULL;
	*dims = 0;
	buf_init(&path, SIZE_MAX / 2);
	d->embed_path(&path, req->model);
	const char *url = llm_server_url(o, a, path.p);
	buf_release(&path);
	for (bool again = true; again;) {
		struct llm_error error = { .retry_after_ms = -1 };
		struct llm_exchange x = { .o = o, .model = req->model, .error = &error };
		struct buf body;
		bool refused;
		buf_init(&x.body, o->max_reply + req->n * VECTOR_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = d->embed_body(&body, req->model, req->texts, req->n, without);
		rc = llm_exchange(&x, url, &body, false, req->first_ms, w, fault,
		    &refused, e);
		again = refused && llm_leave_out(&x, sent, &without);
		if (rc == OK) {
			llm_remember(&o->memory, d->params, req->model, without);
			rc = take_vectors(&x, a, req->texts, req->n, vectors, dims, usage, fault, e);
		}
		buf_release(&body);
		buf_release(&x.body);
	}
	return rc;
}
