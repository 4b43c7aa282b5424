/*
 * Embeddings: as many vectors as texts, all of one length and all numbers; otherwise the reply is
 * refused.
 */
#include "services/llm_openai_exchange.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/jsn.h"
#include "base/str.h"
#include "services/tokens.h"

enum { VECTOR_MAX = 128 * 1024 };     /* of JSON: some 5,000 numbers */

static enum errcode bad_vectors(const struct openai_exchange *x, const char *why,
    struct llm_fault *fault, struct err *e)
{
	fault->retry = false;
	return err_set(e, ERR_UPSTREAM, "%s: embeddings: %s: is this an embedding model "
	    "(rag.embedding_model)?", x->o->host, why);
}

static enum errcode read_vectors(const struct openai_exchange *x, struct arena *a,
    struct json_object *root, size_t n, float **vectors, size_t *dims, struct llm_fault *fault,
    struct err *e)
{
	struct json_object *data = jsn_get(root, "data");
	const size_t size = jsn_len(jsn_get(jsn_at(data, 0), "embedding"));
	if (!jsn_is(data, json_type_array) || jsn_len(data) != n)
		return bad_vectors(x, "not one for each text", fault, e);
	if (size == 0)
		return bad_vectors(x, "not a list of numbers", fault, e);
	/* checked before memory is allocated for them */
	for (size_t i = 0; i < n; i++)
		if (jsn_len(jsn_get(jsn_at(data, i), "embedding")) != size)
			return bad_vectors(x, "of different lengths", fault, e);
	bool *seen = arena_array(a, n, sizeof(*seen));
	float *all = arena_array(a, n * size, sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		struct json_object *row = jsn_at(data, i), *v = jsn_get(row, "embedding");
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

static enum errcode take_vectors(struct openai_exchange *x, struct arena *a,
    const char *const *texts, size_t n, float **vectors, size_t *dims, struct llm_usage *usage,
    struct llm_fault *fault, struct err *e)
{
	struct arena *scratch = arena_new();
	struct json_object *root;
	enum errcode rc;
	if (jsn_parse(scratch, x->body.p, x->body.n, JSN_DEPTH, &root, NULL, NULL) != OK) {
		rc = openai_no_reply(x, x->body.n == 0 ? OPENAI_NOTHING : x->body.p[0] == '<' ||
		    streq(x->head.type, "text/html") ? OPENAI_HTML : OPENAI_NOT_JSON, fault, e);
	} else if (jsn_truthy(jsn_get(root, "error"))) {
		openai_error_read(x->error, root);
		openai_log_words(x);
		rc = openai_no_reply(x, OPENAI_REFUSED, fault, e);
	} else {
		usage->input = jsn_get_int(jsn_get(root, "usage"), "prompt_tokens", 0);
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

enum errcode openai_embed(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	struct llm_openai *o = (struct llm_openai *)p;
	unsigned sent, without = openai_recall(&o->memory, req->model);
	enum errcode rc;
	*usage = (struct llm_usage){ 0 };
	*vectors = NULL;
	*dims = 0;
	for (bool again = true; again;) {
		struct openai_error error = { 0 };
		struct openai_exchange x = { .o = o, .model = req->model, .error = &error };
		struct buf body;
		bool refused;
		buf_init(&x.body, o->max_reply + req->n * VECTOR_MAX);
		buf_init(&body, SIZE_MAX / 2);
		sent = openai_embed_body(&body, req->model, req->texts, req->n, without);
		rc = openai_exchange(&x, o->embed_url, &body, false, req->first_ms, w, fault,
		    &refused, e);
		again = refused && openai_leave_out(&x, sent, &without);
		if (rc == OK) {
			openai_remember(&o->memory, req->model, without);
			rc = take_vectors(&x, a, req->texts, req->n, vectors, dims, usage, fault, e);
		}
		buf_release(&body);
		buf_release(&x.body);
	}
	return rc;
}
