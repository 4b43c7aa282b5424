/*
 * Parameters of a request's query: one row each, and one reader for all rows.
 *
 *	enum { P_COUNTRY, P_LIMIT, P__MAX };
 *	static const struct param rows[P__MAX] = {
 *		[P_COUNTRY] = { "country", PARAM_TEXT, .max = 3 },
 *		[P_LIMIT] = { "limit", PARAM_INT, .min = 1, .max = 500, .absent = "50" },
 *	};
 *	struct param_value v[P__MAX];
 *	if (!params_read(r, w, rows, P__MAX, v))
 *		return;
 *
 * What clients send, and what it means:
 * - A name without a row is ignored. Of a name that stands twice, the first value counts.
 * - An empty value, "undefined" and "null" mean that the parameter is absent, and so does "NaN" for
 *   a number: a page that has no value writes these.
 * - A truth value is 1/0, true/false, t/f, yes/no, y/n or on/off, in any case.
 * - Any other value that does not fit its row is answered 422. The answer names all faults at once,
 *   in FastAPI's shape and words, and shows at most 200 bytes of each value.
 * - A query of more than HTTP_FIELD_MAX bytes is answered 414.
 */
#ifndef EDGES_PARAMS_H
#define EDGES_PARAMS_H

#include "edges/http.h"

enum param_type { PARAM_BOOL, PARAM_INT, PARAM_NUMBER, PARAM_TEXT };

enum param_flag {
	PARAM_REQUIRED = 1 << 0,
	PARAM_LENIENT  = 1 << 1,    /* a value that does not fit counts as absent */
	PARAM_VERBATIM = 1 << 2,    /* "", "undefined", "null" and "NaN" are values like others */
};

struct param {
	const char *name;
	enum param_type type;
	unsigned flags;
	/* the least and greatest number, or characters of a text; max 0: any number, or a text of at
	 * most PARAM_TEXT_MAX characters */
	double min, max;
	const char *absent;         /* the value of an absent parameter, as a client would write it; NULL: none */
	const char *choices;        /* the texts that are allowed, "a|b"; NULL: any */
};

enum { PARAM_TEXT_MAX = 1000 };

/* The code of an airport, in a path. No ident has more than 8 characters. */
enum { PARAM_CODE_MAX = 20 };
extern const struct param param_code;

struct param_value {
	bool set;                   /* it has a value, sent or by default */
	bool sent;                  /* the client sent it */
	bool flag;                  /* PARAM_BOOL */
	double number;              /* PARAM_INT, PARAM_NUMBER: finite */
	const char *text;           /* PARAM_TEXT: UTF-8 without control characters; NULL: not set */
};

/* Read all rows into out[n]. False: a value is not acceptable, and the refusal was sent. */
bool params_read(struct http_req *r, struct http_res *w, const struct param *rows, size_t n,
    struct param_value *out);
/* Check a part of the path against its row (PARAM_TEXT) in the same way. False: 422 was sent. */
bool params_path(struct http_req *r, struct http_res *w, const struct param *row, const char *text);

#endif
