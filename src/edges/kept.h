/*
 * Answers that a client may keep and ask for again.
 *
 * Such an answer has an ETag, which stands for its bytes. A client that sends the tag back
 * (If-None-Match) gets 304 without content as long as the answer is the same. "Cache-Control:
 * no-cache" makes browsers ask each time: the data may change at any moment, and a map must not show
 * other airports than the answer beside it.
 */
#ifndef EDGES_KEPT_H
#define EDGES_KEPT_H

#include "edges/http.h"

/* Answer 200 with JSON text, or 304 if the client has it. If the text did not fit its buffer: 500. The answer to a POST
 * is sent without a tag. */
void kept_answer(struct http_req *r, struct http_res *w, const struct buf *text);
/* The same, and the client need not ask for so many seconds. */
void kept_for(struct http_req *r, struct http_res *w, const struct buf *text, int seconds);

#endif
