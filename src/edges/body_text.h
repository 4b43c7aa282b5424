/*
 * Texts in the JSON object that is the body of a request, each with its rule; faults in the words of FastAPI.
 */
#ifndef EDGES_BODY_TEXT_H
#define EDGES_BODY_TEXT_H

#include "edges/http.h"

enum body_text_flag {
	BODY_REQUIRED = 1 << 0,
	BODY_NULLABLE = 1 << 1,
	BODY_TRIMMED  = 1 << 2,         /* blanks at the ends do not count and are removed */
	BODY_ONE_LINE = 1 << 3,         /* no control characters */
	BODY_EMAIL    = 1 << 4,
	BODY_NO_AT    = 1 << 5,         /* no "@" */
};

struct body_text {
	const char *name;
	size_t min, max;                /* characters */
	unsigned flags;
};

struct body_value {
	bool given;                     /* the member is there, perhaps as null */
	const char *text;               /* NULL: absent or null */
};

/* The body as an object. False: it is none, and 422 was sent. An empty body is {} if `empty`. */
bool body_object(struct http_req *r, struct http_res *w, bool empty, struct json_object **out);
/* Read the texts. False: one breaks its rule, and 422 was sent. */
bool body_texts(struct http_req *r, struct http_res *w, struct json_object *o, const struct body_text *rows,
    size_t n, struct body_value *out);
/* The same for one text that did not come in JSON. */
bool body_check(struct http_req *r, struct http_res *w, const struct body_text *row, const char **text);

#endif
