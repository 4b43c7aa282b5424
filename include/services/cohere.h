/*
 * Client of Cohere's reranker (API v2): sorts texts by how well they answer a question.
 */
#ifndef SERVICES_COHERE_H
#define SERVICES_COHERE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"
#include "drivers/httpc.h"

struct cohere;

/* Strings are copied. One client a process, used by all threads. ERR_CONFIG: the address or the key
 * is malformed. */
enum errcode cohere_open(struct cohere **out, struct httpc *http, const char *base_url,
    const char *key, struct err *e);
void cohere_close(struct cohere *c);           /* NULL is allowed */

enum { COHERE_TEXTS_MAX = 1000 };

/* order[0..*n): indexes of the best texts, each once, best first, at most `top`, for which there
 * must be room. Texts after COHERE_TEXTS_MAX are ignored. ERR_UPSTREAM with the reason, never the
 * key, question or texts; all other codes are the watch's, also ERR_TIMEOUT. After it could not be
 * reached, no call is made for half a minute: ERR_UPSTREAM at once. */
enum errcode cohere_rerank(struct cohere *c, struct arena *a, const char *model,
    const char *query, const char *const *texts, size_t ntexts, size_t top,
    const struct watch *w, size_t *order, size_t *n, struct err *e);

#endif
